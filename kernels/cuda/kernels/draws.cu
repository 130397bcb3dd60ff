/* draws.cu: draws from each of many distributions, by the kernels of
 * kernels/samplers/butterfly/butterfly_kernels.cuh (G. L. Steele Jr. and J.-B. Tristan, Using
 * butterfly-patterned partial sums to draw from discrete distributions, PPoPP 2017), whose items
 * are the CPU's. A path's sums are made once for all its draws of a launch's row (blockIdx.y): each
 * draw then reads the one block it falls into, or, where there is one block only, searches the
 * table that the registers still hold. Compiled by NVRTC: draws_launch.c writes DRAWS_SINGLE before
 * this file, or not. Must not know: streams, how a launch is cut. */
#include "kernels/lane/lane.h"
#include "kernels/points/philox.h"
#include "kernels/samplers/butterfly/butterfly_kernels.cuh"

#if defined(DRAWS_SINGLE)
typedef float draws_real;
#else
typedef double draws_real;
#endif

struct draws_arguments {
    const draws_real *theta, *phi;
    const uint32_t *states, *words; /* words NULL: they are made */
    uint32_t *items;
    unsigned long long *fault; /* NULL: not wanted */
    uint64_t n_paths, seed, first_path, first_draw;
    uint32_t theta_bytes, phi_bytes; /* from row to row */
    uint32_t n_items, n_states, n_draws;
    uint32_t together; /* draws of a path that one row of the launch makes */
};

BUTTERFLY_DEV butterfly_view<draws_real> draws_view(const draws_arguments &a)
{
    butterfly_view<draws_real> v;
    v.theta = a.theta;
    v.phi = a.phi;
    v.states = a.states;
    v.words = a.words;
    v.items = a.items;
    v.n_paths = a.n_paths;
    v.theta_bytes = a.theta_bytes;
    v.phi_bytes = a.phi_bytes;
    v.n_items = a.n_items;
    v.n_states = a.n_states;
    v.blocks = (a.n_items + LEVY_BUTTERFLY_BLOCK - 1) / LEVY_BUTTERFLY_BLOCK;
    return v;
}

/* ---- The draws of a path --------------------------------------------------------------------- */

/* The word of a draw: the caller's, or of Philox's counter (draw / 4, path) under the seed. */
BUTTERFLY_DEV uint32_t draws_word(const draws_arguments &a, uint64_t path, uint32_t draw)
{
    if (a.words) return a.words[path * a.n_draws + draw];
    const uint64_t number = a.first_draw + draw, block = number / 4, row = a.first_path + path;
    const philox_words made =
        philox_draw(a.seed, lane_word_of((uint32_t)block), lane_word_of((uint32_t)(block >> 32)),
                    lane_word_of((uint32_t)row), lane_word_of((uint32_t)(row >> 32)));
    const uint32_t even = number & 2 ? made.w[2].v[0] : made.w[0].v[0],
                   odd = number & 2 ? made.w[3].v[0] : made.w[1].v[0];
    return number & 1 ? odd : even;
}

/* A path's draws of this row of the launch, one after the other. */
struct draws_turn {
    const draws_arguments &a;
    uint64_t path;
    uint32_t draw, word;

    __device__ __forceinline__ draws_turn(const draws_arguments &arguments, uint64_t own)
        : a(arguments), path(own)
    {
        draw = blockIdx.y * a.together;
        word = draws_word(a, path, draw);
    }
    /* Leaves the item of this draw; whether there is another, whose word then is there. */
    __device__ __forceinline__ bool next(uint32_t item)
    {
        a.items[path * a.n_draws + draw] = item;
        ++draw;
        if (draw == a.n_draws || draw == (blockIdx.y + 1) * a.together) return false;
        word = draws_word(a, path, draw);
        return true;
    }
    __device__ __forceinline__ void note(bool good) const
    {
        if (!good && a.fault && blockIdx.y == 0) atomicMin(a.fault, a.first_path + path);
    }
};

/* ---- A thread per path ----------------------------------------------------------------------- */

/* For few items or few paths. `ends`: of the block of threads, its columns are the threads. */
BUTTERFLY_DEV void draws_each(const draws_arguments &a, draws_real *ends)
{
    draws_real w[LEVY_BUTTERFLY_BLOCK], total = 0;
    const butterfly_view<draws_real> v = draws_view(a);
    const uint64_t path = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (path >= v.n_paths) return;
    const draws_real *const theta = reinterpret_cast<const draws_real *>(
        reinterpret_cast<const char *>(v.theta) + path * v.theta_bytes);
    const draws_real *const phi = row_at(v.phi, view_state(v, path), v.phi_bytes);
    draws_turn turn(a, path);
    ends += threadIdx.x;
    for (uint32_t b = 0; b < v.blocks; ++b) {
        each_read(v, theta, phi, b, w);
        ends[b * blockDim.x] = total += tree_sum<LEVY_BUTTERFLY_BLOCK>(w);
    }
    const bool good = drawable(total);
    uint32_t item;
    turn.note(good);
    do {
        const draws_real target = target_of(total, turn.word);
        const uint32_t block = good ? block_of(ends, blockDim.x, v.blocks, target) : 0;
        const draws_real low = block > 0 ? ends[(block - 1) * blockDim.x] : (draws_real)0;
        each_read(v, theta, phi, block, w);
        const uint32_t place = tree_search<LEVY_BUTTERFLY_BLOCK>(w, low, target);
        item = good ? block * LEVY_BUTTERFLY_BLOCK + place : 0;
    } while (turn.next(item));
}

/* ---- A warp per 32 paths --------------------------------------------------------------------- */

/* One block of items: nothing is read twice. */
BUTTERFLY_DEV void draws_block(const draws_arguments &a)
{
    draws_real sums[BUTTERFLY_WARP], table[BUTTERFLY_WARP - 1];
    const butterfly_view<draws_real> v = draws_view(a);
    const butterfly_warp<draws_real> w(v);
    draws_turn turn(a, w.path);
    warp_read_blocks(w, 0u, sums);
    butterfly_table<BUTTERFLY_WARP, 1>(sums, table, w.lane);
    const draws_real total = sums[0];
    const bool good = drawable(total);
    uint32_t item;
    turn.note(good);
    do {
        const draws_real target = target_of(total, turn.word);
        const uint32_t place = butterfly_place(table, w.lane, (draws_real)0, target);
        item = good ? place : 0;
    } while (turn.next(item));
}

/* V: weights that a lane loads together. `shared`: of the block of threads. */
template <int V>
BUTTERFLY_DEV void draws_many(const draws_arguments &a, draws_real *shared)
{
    enum { STRIDE = butterfly_layout<draws_real, V>::stride };
    butterfly_view<draws_real> v = draws_view(a);
    const butterfly_warp<draws_real> w(v);
    const uint32_t rows = (v.blocks + V - 1) / V * V;
    draws_real *const ends = shared + threadIdx.x / BUTTERFLY_WARP * (rows * STRIDE);
    const bool any = drawable(butterfly_ends<draws_real, V>(w, ends));
    draws_turn turn(a, w.path); /* before the sums its word would cost a register */
    uint32_t item;
    turn.note(any);
    do {
        draws_real sums[BUTTERFLY_WARP], table[BUTTERFLY_WARP - 1];
        /* The compiler cannot know that this is no change, so it does not keep the places of 32
         * rows in registers from draw to draw, which would spill. */
        v.theta_bytes = warp_from(v.theta_bytes, 0);
        const draws_real total = ends[(v.blocks - 1) * STRIDE + w.lane],
                         target = target_of(total, turn.word);
        const bool good = drawable(total);
        const uint32_t block = good ? block_of(ends + w.lane, STRIDE, v.blocks, target) : 0;
        const draws_real low = block > 0 ? ends[(block - 1) * STRIDE + w.lane] : (draws_real)0;
        warp_read_blocks(w, block, sums);
        butterfly_table<BUTTERFLY_WARP, 1>(sums, table, w.lane);
        const uint32_t place = butterfly_place(table, w.lane, low, target);
        item = good ? block * LEVY_BUTTERFLY_BLOCK + place : 0;
    } while (turn.next(item));
}

#if defined(DRAWS_KERNELS)
/* Blocks that a multiprocessor is to hold, which bounds a thread's registers. In double the loop
 * over a path's draws does not fit those of three blocks. */
enum {
    DRAWS_RESIDENT = butterfly_tuning<draws_real>::resident,
    DRAWS_RESIDENT_MANY = sizeof(draws_real) == 4 ? DRAWS_RESIDENT : 2
};
#define DRAWS_KERNEL(name, resident)                                                               \
    extern "C" __global__ void __launch_bounds__(BUTTERFLY_THREADS, resident)                      \
        name(const __grid_constant__ draws_arguments arguments)
#define DRAWS_MANY(name, together)                                                                 \
    DRAWS_KERNEL(name, DRAWS_RESIDENT_MANY)                                                        \
    {                                                                                              \
        BUTTERFLY_SHARED(draws_real, shared);                                                      \
        draws_many<together>(arguments, shared);                                                   \
    }
DRAWS_KERNEL(levy_draws_each, DRAWS_RESIDENT)
{
    BUTTERFLY_SHARED(draws_real, shared);
    draws_each(arguments, shared);
}
DRAWS_KERNEL(levy_draws_block, DRAWS_RESIDENT) { draws_block(arguments); }
DRAWS_MANY(levy_draws_one, 1)
DRAWS_MANY(levy_draws_two, 2)
#if defined(DRAWS_SINGLE)
DRAWS_MANY(levy_draws_four, 4)
#endif
#endif
