/* bridge.cu: the stand-alone bridge on a GPU: a thread makes BRIDGE::paths neighbouring paths at
 * once, all their dimensions, by the program of kernels/bridge/bridge_program.h. It computes next
 * to nothing and is as fast as its bytes arrive, so all here is about having enough of them under
 * way: vector accesses marked as streams, normals asked for `ahead` steps before they are used (in
 * a ring of registers; or of shared memory that is filled past the registers, per thread or by the
 * bulk copy engine), instructions read a step ahead from shared memory, and the last point and its
 * neighbours in registers, so that the stack is read half as often as there are points. Where a
 * program is short it is part of the code: slots are then registers.
 *
 * BRIDGE is a shape: bridge_shape.c writes it for NVRTC (levy_bridge_many and levy_bridge_one below
 * are then compiled), the bench has many. All shapes give the same bits. J. du Toit (2012),
 * sections 3 to 7. Must not know: where orders come from. */
#include "kernels/cuda/kernels/bridge_access.cuh"

#include "kernels/bridge/instruction.h"
#include "kernels/bridge/point.h"

#include "kernels/cuda/kernels/bridge_layout.cuh"
#include "kernels/cuda/kernels/bridge_wide.cuh"

/* ---- One thread's paths ---------------------------------------------------------------------- */

template <class B>
struct bridge_thread {
    typedef typename B::real real;
    enum {
        V = B::paths,
        D = B::dimensions,
        slots = bridge_layout<B>::slots,
        ahead = B::ahead > 0 ? B::ahead : 1,
        kept_slots = B::stack == BRIDGE_STACK_SHARED ? 1 : slots,
        kept_dimensions = B::stack == BRIDGE_STACK_SHARED ? 1 : D
    };
    typedef bridge_pack<real, V> pack;

    const bridge_arguments<B> &a;
    const bridge_constants<B> &c;
    unsigned char *shared;
    const real *from; /* row 0 of its normals */
    real *to;
    uint64_t step; /* numbers from one step's rows to the next's; drawn: bytes */
    bool active;
    real left[D][V], right[D][V], centre[D][V];
    real kept[kept_slots][kept_dimensions][V];
    real normal[B::ring == BRIDGE_RING_REGISTERS ? ahead : 1][D][V];

    BRIDGE_FN_MEMBER bridge_thread(const bridge_arguments<B> &arguments,
                                   const bridge_constants<B> &constants, unsigned char *memory)
        : a(arguments), c(constants), shared(memory)
    {
#if defined(BRIDGE_DRAWN)
        step = a.stride * D * sizeof(real);
        from = to = a.output + a.source->at;
        active = true;
#else
        step = a.stride * D;
        const uint64_t path = ((uint64_t)blockIdx.x * B::threads + threadIdx.x) * V;
        active = path < a.paths;
        from = a.normals + (active ? path : 0);
        to = a.output + (active ? path : 0);
#endif
    }

    /* -- the stack -- */

    BRIDGE_FN_MEMBER pack *place(uint32_t slot, int d) const
    {
        return (pack *)(shared + bridge_layout<B>::staged) +
               ((slot * D + (unsigned)d) * B::threads + threadIdx.x);
    }
    BRIDGE_FN_MEMBER void read(uint32_t slot, real to_[D][V])
    {
#pragma unroll
        for (int d = 0; d < D; ++d) {
            if (B::stack == BRIDGE_STACK_SHARED) {
                bridge_fetch<real, V>(place(slot, d), to_[d]);
            } else {
#pragma unroll
                for (int v = 0; v < V; ++v) to_[d][v] = kept[slot][d][v];
            }
        }
    }
    BRIDGE_FN_MEMBER void write(uint32_t slot, const real from_[D][V])
    {
#pragma unroll
        for (int d = 0; d < D; ++d) {
            if (B::stack == BRIDGE_STACK_SHARED) {
                bridge_keep<real, V>(place(slot, d), from_[d]);
            } else {
#pragma unroll
                for (int v = 0; v < V; ++v) kept[slot][d][v] = from_[d][v];
            }
        }
    }
    BRIDGE_FN_MEMBER static void move(real to_[D][V], const real from_[D][V])
    {
#pragma unroll
        for (int d = 0; d < D; ++d) {
#pragma unroll
            for (int v = 0; v < V; ++v) to_[d][v] = from_[d][v];
        }
    }

    /* Number by number: an array chosen as a whole would need an address and could not stay in
     * registers. */
    BRIDGE_FN_MEMBER void pick(uint32_t source, real to_[D][V]) const
    {
#pragma unroll
        for (int d = 0; d < D; ++d) {
#pragma unroll
            for (int v = 0; v < V; ++v)
                to_[d][v] = source == BRIDGE_LEFT    ? left[d][v]
                            : source == BRIDGE_RIGHT ? right[d][v]
                                                     : centre[d][v];
        }
    }

    /* -- normals -- */

    BRIDGE_FN_MEMBER pack *waiting(int place_, int d) const
    {
        return (pack *)(shared + bridge_layout<B>::staged + bridge_layout<B>::stack) +
               ((place_ * D + d) * B::threads + (int)threadIdx.x);
    }
    BRIDGE_FN_MEMBER void ask(int place_, uint32_t row)
    {
#if defined(BRIDGE_DRAWN)
#pragma unroll
        for (int d = 0; d < D; ++d) paths_draw(*a.source, row * D + (uint32_t)d, normal[place_][d]);
        return;
#endif
        const real *const at = from + row * step;
#pragma unroll
        for (int d = 0; d < D; ++d) {
            if (B::ring == BRIDGE_RING_REGISTERS)
                bridge_load<real, V, B::streams != 0>(at + d * a.stride, normal[place_][d]);
            if (B::ring == BRIDGE_RING_SHARED)
                bridge_copy<(int)sizeof(pack)>(waiting(place_, d), at + d * a.stride);
        }
        if (B::ring == BRIDGE_RING_SHARED) bridge_copy_end();
    }
    BRIDGE_FN_MEMBER void take(int place_, real z[D][V])
    {
        if (B::ring == BRIDGE_RING_SHARED) bridge_copy_wait<ahead - 1>();
#pragma unroll
        for (int d = 0; d < D; ++d) {
            if (B::ring != BRIDGE_RING_REGISTERS) bridge_fetch<real, V>(waiting(place_, d), z[d]);
#pragma unroll
            for (int v = 0; v < V && B::ring == BRIDGE_RING_REGISTERS; ++v)
                z[d][v] = normal[place_][d][v];
        }
    }

    /* -- one point -- */

    /* Branches let the two commonest cases, a child of the last point on either side, move one
     * register; the others select. */
    BRIDGE_FN_MEMBER void neighbours(uint64_t i)
    {
        const uint32_t left_from = BRIDGE_LEFT_FROM(i), right_from = BRIDGE_RIGHT_FROM(i);
        if (!B::registers) {
            read(BRIDGE_LEFT_SLOT(i), left);
            read(BRIDGE_RIGHT_SLOT(i), right);
            return;
        }
        if (left_from == BRIDGE_LEFT && right_from == BRIDGE_CENTRE) {
            move(right, centre);
        } else if (left_from == BRIDGE_CENTRE && right_from == BRIDGE_RIGHT) {
            move(left, centre);
        } else {
            real l[D][V], r[D][V];
            if (left_from == BRIDGE_SLOT)
                read(BRIDGE_LEFT_SLOT(i), l);
            else
                pick(left_from, l);
            if (right_from == BRIDGE_SLOT)
                read(BRIDGE_RIGHT_SLOT(i), r);
            else
                pick(right_from, r);
            move(left, l);
            move(right, r);
        }
    }

    BRIDGE_FN_MEMBER void put(uint32_t row, int d, const real v[V])
    {
#if defined(BRIDGE_DRAWN)
        paths_put(*a.source, row * D + (uint32_t)d,
                  (real *)((char *)to + row * step) + d * a.stride, v);
#else
        if (active) bridge_store<real, V, B::streams != 0>(to + row * step + d * a.stride, v);
#endif
    }

    BRIDGE_FN_MEMBER void point(uint64_t i, real w0, real w1, real w2, real before, real after,
                                real z[D][V])
    {
        const uint32_t own = BRIDGE_OWN_SLOT(i);
        neighbours(i);
        real scale[D];
#pragma unroll
        for (int d = 0; d < D; ++d) scale[d] = w2;
        build(BRIDGE_ROW(i), BRIDGE_BEFORE(i), BRIDGE_AFTER(i), w0, w1, scale, before, after, z);
        if (own != BRIDGE_NOWHERE) write(own, centre);
    }

    /* The point between the neighbours. `is_before`, `is_after`: they are the points next to it.
     * `scale`: of each dimension's normal. */
    BRIDGE_FN_MEMBER void build(uint32_t row, bool is_before, bool is_after, real w0, real w1,
                                const real scale[D], real before, real after, real z[D][V])
    {
        if (D > 1) {
#pragma unroll
            for (int e = 0; e < D; ++e) {
#pragma unroll
                for (int v = 0; v < V; ++v) z[e][v] = scale[e] * z[e][v];
            }
        }
#pragma unroll
        for (int d = 0; d < D; ++d) {
            real x[V];
#pragma unroll
            for (int v = 0; v < V; ++v) {
                x[v] = BRIDGE_MEAN(bridge_fma, w0, left[d][v], w1, right[d][v]);
                if (D == 1) x[v] = BRIDGE_ADD(bridge_fma, scale[0], z[0][v], x[v]);
#pragma unroll
                for (int e = 0; e < D; ++e)
                    if (D > 1 && (!B::lower || e <= d))
                        x[v] = BRIDGE_ADD(bridge_fma, c.factor[d * D + e], z[e][v], x[v]);
            }
            if (B::increments)
                emit(is_before, is_after, row, d, before, after, x);
            else
                put(row, d, x);
#pragma unroll
            for (int v = 0; v < V; ++v) centre[d][v] = x[v];
        }
    }

    BRIDGE_FN_MEMBER void emit(bool is_before, bool is_after, uint32_t row, int d, real before,
                               real after, const real x[V])
    {
        real out[V];
        if (is_before) {
#pragma unroll
            for (int v = 0; v < V; ++v) out[v] = BRIDGE_INCREMENT(x[v], left[d][v], before);
            put(row, d, out);
        }
        if (is_after) {
#pragma unroll
            for (int v = 0; v < V; ++v) out[v] = BRIDGE_INCREMENT(right[d][v], x[v], after);
            put(row + 1, d, out);
        }
    }

    BRIDGE_FN_MEMBER void begin()
    {
#pragma unroll
        for (int d = 0; d < D; ++d) {
#pragma unroll
            for (int v = 0; v < V; ++v) left[d][v] = right[d][v] = centre[d][v] = c.start[d];
        }
        if (B::start_slot != BRIDGE_NOWHERE)
            write(B::start_slot == BRIDGE_NOWHERE ? 0 : B::start_slot, centre);
    }

    /* -- the program as code -- */

    BRIDGE_FN_MEMBER void step_of_code(int i, bool ask_more)
    {
        const uint64_t instruction = B::instruction(i);
        const uint32_t row = BRIDGE_ROW(instruction);
        real z[D][V];
        if (B::ahead == 0) ask(0, BRIDGE_NORMAL(instruction));
        take(i % ahead, z);
        if (ask_more)
            ask(i % ahead, BRIDGE_NORMAL(B::instruction(i + ahead < B::steps ? i + ahead : i)));
        else if (B::ring == BRIDGE_RING_SHARED)
            bridge_copy_end(); /* the wait counts groups, empty ones too */
        const bool after = B::increments && BRIDGE_AFTER(instruction);
        const uint32_t own = B::increments ? row : 0;
        const uint32_t next = after ? row + 1 : 0;
        point(instruction, c.weights[3 * i], c.weights[3 * i + 1], c.weights[3 * i + 2],
              c.inverse[own], c.inverse[next], z);
    }
    BRIDGE_FN_MEMBER void run_code()
    {
        begin();
        if (B::ahead > 0) {
#pragma unroll
            for (int i = 0; i < ahead; ++i)
                if (i < B::steps)
                    ask(i, BRIDGE_NORMAL(B::instruction(i)));
                else if (B::ring == BRIDGE_RING_SHARED)
                    bridge_copy_end();
        }
#pragma unroll
        for (int i = 0; i < B::steps; ++i) step_of_code(i, B::ahead > 0 && i + ahead < B::steps);
    }

    /* -- the program as data -- */

    BRIDGE_FN_MEMBER const bridge_record<real> *record(int i) const
    {
        return bridge_staged<B>(shared, i);
    }

    /* At a chunk's start every thread is done with the chunk before, so the chunk after the next
     * takes its place. */
    BRIDGE_FN_MEMBER void turn(int i)
    {
        if (B::steps <= BRIDGE_CHUNK * BRIDGE_CHUNKS) return;
        if (i == 0 || i % BRIDGE_CHUNK != 0) return;
        __syncthreads();
        const int chunk = i / BRIDGE_CHUNK + BRIDGE_CHUNKS - 1;
        if (chunk * BRIDGE_CHUNK < B::steps) bridge_stage<B>(a, shared, chunk);
    }
    BRIDGE_FN_MEMBER void run_data()
    {
#pragma unroll 1
        for (int chunk = 0; chunk < BRIDGE_CHUNKS && chunk * BRIDGE_CHUNK < B::steps; ++chunk)
            bridge_stage<B>(a, shared, chunk);
        __syncthreads();
        begin();
        if (B::ahead > 0) {
#pragma unroll
            for (int i = 0; i < ahead; ++i)
                if (i < B::steps)
                    ask(i, BRIDGE_NORMAL(record(i)->instruction));
                else if (B::ring == BRIDGE_RING_SHARED)
                    bridge_copy_end();
        }
        bridge_record<real> next = *record(0);
#pragma unroll 1
        for (int i0 = 0; i0 < B::steps; i0 += ahead) {
            turn(i0);
#pragma unroll
            for (int j = 0; j < ahead; ++j) {
                const int i = i0 + j;
                real z[D][V];
                if (B::steps % ahead != 0 && i >= B::steps) break;
                if (B::ahead == 0) next = *record(i);
                const bridge_record<real> r = next;
                if (B::ahead == 0) ask(0, BRIDGE_NORMAL(r.instruction));
                if (B::ahead > 0 && i + 1 < B::steps) next = *record(i + 1);
                take(j, z);
                if (B::ahead > 0 && i + ahead < B::steps)
                    ask(j, BRIDGE_NORMAL(record(i + ahead)->instruction));
                else if (B::ring == BRIDGE_RING_SHARED)
                    bridge_copy_end();
                point(r.instruction, r.w0, r.w1, r.w2, r.before, r.after, z);
            }
        }
    }

#if defined(BRIDGE_HAS_BULK)
    /* -- normals by the bulk copy engine, a block's part of a row at a time. One barrier says that
     * it has come, another that all warps have taken it. Step i fills the place of step i - ahead /
     * 2 again, so that the thread that asks rarely waits for the slowest warp. -- */

    BRIDGE_FN_MEMBER uint64_t *barrier(int i) const
    {
        return (uint64_t *)(shared + bridge_layout<B>::staged + bridge_layout<B>::stack +
                            bridge_layout<B>::ring) +
               i;
    }
    BRIDGE_FN_MEMBER void ask_bulk(int i, unsigned bytes)
    {
        const uint64_t first = (uint64_t)blockIdx.x * B::threads * V;
        const uint32_t row =
            BRIDGE_NORMAL(B::unrolled ? B::instruction(i) : record(i)->instruction);
        bridge_barrier_expect(barrier(i % ahead), bytes * D);
#pragma unroll 1
        for (int d = 0; d < D; ++d)
            bridge_bulk((pack *)(shared + bridge_layout<B>::staged + bridge_layout<B>::stack) +
                            (i % ahead * D + d) * B::threads,
                        a.normals + first + row * step + d * a.stride, bytes, barrier(i % ahead));
    }
    BRIDGE_FN_MEMBER void run_bulk()
    {
        enum { lag = ahead / 2 };
        const uint64_t first = (uint64_t)blockIdx.x * B::threads * V, left_ = a.paths - first;
        const unsigned count =
                           left_ < (uint64_t)(B::threads * V) ? (unsigned)left_ : B::threads * V,
                       bytes = count * (unsigned)sizeof(real);
        if (!B::unrolled) {
#pragma unroll 1
            for (int chunk = 0; chunk < BRIDGE_CHUNKS && chunk * BRIDGE_CHUNK < B::steps; ++chunk)
                bridge_stage<B>(a, shared, chunk);
        }
        if (threadIdx.x == 0) {
            for (int i = 0; i < ahead; ++i) {
                bridge_barrier_make(barrier(i), 1);
                bridge_barrier_make(barrier(ahead + i), B::threads / 32);
            }
            bridge_barrier_fence();
        }
        __syncthreads();
        begin();
        if (threadIdx.x == 0)
            for (int i = 0; i < ahead && i < B::steps; ++i) ask_bulk(i, bytes);
        if (B::unrolled) {
#pragma unroll
            for (int i = 0; i < B::steps; ++i) step_of_bulk(i, lag, bytes);
        } else {
#pragma unroll 1
            for (int i = 0; i < B::steps; ++i) {
                turn(i);
                step_of_bulk(i, lag, bytes);
            }
        }
    }
    BRIDGE_FN_MEMBER void step_of_bulk(int i, int lag, unsigned bytes)
    {
        real z[D][V];
        const int again = i - lag; /* whose place may be filled again */
        if (threadIdx.x == 0 && again >= 0 && again + ahead < B::steps) {
            bridge_barrier_wait(barrier(ahead + again % ahead), (unsigned)(again / ahead) & 1u);
            ask_bulk(again + ahead, bytes);
        }
        bridge_barrier_wait(barrier(i % ahead), (unsigned)(i / ahead) & 1u);
        take(i % ahead, z);
        __syncwarp();
        if (threadIdx.x % 32 == 0) bridge_barrier_arrive(barrier(ahead + i % ahead));
        const uint64_t instruction = B::unrolled ? B::instruction(i) : record(i)->instruction;
        if (B::unrolled) {
            const uint32_t row = BRIDGE_ROW(instruction);
            const bool after = B::increments && BRIDGE_AFTER(instruction);
            const uint32_t own = B::increments ? row : 0;
            const uint32_t next = after ? row + 1 : 0;
            point(instruction, c.weights[3 * i], c.weights[3 * i + 1], c.weights[3 * i + 2],
                  c.inverse[own], c.inverse[next], z);
        } else {
            const bridge_record<real> r = *record(i);
            point(instruction, r.w0, r.w1, r.w2, r.before, r.after, z);
        }
    }
#endif
};

template <class B>
BRIDGE_FN void bridge_run(const bridge_arguments<B> &arguments,
                          const bridge_constants<B> &constants, unsigned char *shared)
{
    bridge_thread<B> thread(arguments, constants, shared);
#if defined(BRIDGE_HAS_BULK)
    if (B::ring == BRIDGE_RING_BULK)
        thread.run_bulk();
    else
#endif
        if (B::unrolled)
        thread.run_code();
    else
        thread.run_data();
}

/* ---- What NVRTC compiles --------------------------------------------------------------------- */

#if defined(BRIDGE_KERNELS)
extern __shared__ uint4 bridge_memory[];
#if BRIDGE_WIDE
extern "C" __global__ void __launch_bounds__(bridge_shape::threads)
    levy_bridge_one(const bridge_shape::real *normals, bridge_shape::real *output, uint64_t paths,
                    uint64_t stride, const bridge_record<bridge_shape::real> *program,
                    const bridge_shape::real *factor, const bridge_shape::real *start)
{
    const bridge_arguments<bridge_shape> a = {normals, output, paths, stride, program};
    bridge_wide<bridge_shape>(a, factor, start, (unsigned char *)bridge_memory);
}
#else
/* levy_bridge_many takes whole groups of paths at aligned places. levy_bridge_one takes one path a
 * thread, for what is left over or not aligned. */
struct bridge_single : bridge_shape {
    enum { paths = 1, ring = BRIDGE_RING_REGISTERS };
};
#define BRIDGE_ENTRY(name, shape)                                                                  \
    extern "C" __global__ void __launch_bounds__(shape::threads)                                   \
        name(const shape::real *normals, shape::real *output, uint64_t paths, uint64_t stride,     \
             const bridge_record<shape::real> *program,                                            \
             const __grid_constant__ bridge_constants<shape> constants)                            \
    {                                                                                              \
        const bridge_arguments<shape> a = {normals, output, paths, stride, program};               \
        bridge_run<shape>(a, constants, (unsigned char *)bridge_memory);                           \
    }
BRIDGE_ENTRY(levy_bridge_many, bridge_shape)
BRIDGE_ENTRY(levy_bridge_one, bridge_single)
#endif
#endif
