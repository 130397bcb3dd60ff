/* bridge_runs.cuh: a bridge's program that is data, with its commonest run of points as code. A
 * bisection builds the same few points over and over, elsewhere in time: 4 2 1 3 6 5 7 between
 * neighbours eight dates apart. As code such a run knows where its neighbours are, so they stay in
 * registers, and nothing is decoded but rows and weights. kernels/cuda/compile/bridge_runs.c finds
 * the run; B::run is its length, B::run_code(k) what its point k does (BRIDGE_RUN_OWN and what
 * follows it in instruction.h). Included by paths.cu behind bridge.cu. Must not know: where orders
 * come from. */

/* The first chunks of a program, or all of a short one, which stays there for all blocks. */
template <class B>
BRIDGE_FN void bridge_runs_stage(const bridge_record<typename B::real> *program,
                                 unsigned char *shared)
{
    const bridge_arguments<B> a = {0, 0, 0, 0, program, 0};
#pragma unroll 1
    for (int chunk = 0; chunk < BRIDGE_CHUNKS && chunk * BRIDGE_CHUNK < B::steps; ++chunk)
        bridge_stage<B>(a, shared, chunk);
}

template <class B>
struct bridge_runs : bridge_thread<B> {
    typedef bridge_thread<B> thread;
    typedef typename B::real real;
    enum { V = B::paths, D = B::dimensions, run = B::run };

    real own[run][D][V]; /* the points of a run */

    BRIDGE_FN_MEMBER bridge_runs(const bridge_arguments<B> &arguments,
                                 const bridge_constants<B> &constants, unsigned char *memory)
        : thread(arguments, constants, memory)
    {
    }

    BRIDGE_FN_MEMBER void neighbour(uint32_t from, uint32_t slot, real to_[D][V])
    {
        if (from == BRIDGE_SLOT)
            thread::read(slot, to_);
        else if (from >= BRIDGE_RUN_OWN)
            thread::move(to_, own[from - BRIDGE_RUN_OWN]);
        else
            thread::pick(from, to_);
    }

    template <int k>
    BRIDGE_FN_MEMBER void steps_of_run(int at)
    {
        constexpr uint32_t code = B::run_code(k);
        const bridge_record<real> &r = *thread::record(at + k);
        const uint64_t i = r.instruction;
        real z[D][V], scale[D];
#pragma unroll
        for (int d = 0; d < D; ++d) {
            scale[d] = r.w2;
            paths_draw_scaled(*thread::a.source, BRIDGE_NORMAL(i) * D + (uint32_t)d, z[d],
                              &scale[d]);
        }
        if constexpr (k == 0) {
            thread::neighbours(i);
        } else {
            real l[D][V], g[D][V];
            neighbour(code & 15, BRIDGE_LEFT_SLOT(i), l);
            neighbour(code >> 4 & 15, BRIDGE_RIGHT_SLOT(i), g);
            thread::move(thread::left, l);
            thread::move(thread::right, g);
        }
        thread::build(BRIDGE_ROW(i), code & BRIDGE_RUN_BEFORE, code & BRIDGE_RUN_AFTER, r.w0, r.w1,
                      scale, r.before, r.after, z);
        thread::move(own[k], thread::centre);
        if (code & BRIDGE_RUN_KEEPS) thread::write(BRIDGE_OWN_SLOT(i), thread::centre);
        if constexpr (k + 1 < run) steps_of_run<k + 1>(at);
    }

    BRIDGE_FN_MEMBER void step_alone(const bridge_record<real> &r)
    {
        real z[D][V];
#pragma unroll
        for (int d = 0; d < D; ++d)
            paths_draw(*thread::a.source, BRIDGE_NORMAL(r.instruction) * D + (uint32_t)d, z[d]);
        thread::point(r.instruction, r.w0, r.w1, r.w2, r.before, r.after, z);
    }

    BRIDGE_FN_MEMBER void run_all()
    {
        if (B::steps > BRIDGE_CHUNK * BRIDGE_CHUNKS) {
            __syncthreads();
            bridge_runs_stage<B>(thread::a.program, thread::shared);
            __syncthreads();
        }
        thread::begin();
        int chunk = 0;
#pragma unroll 1
        for (int i = 0; i < B::steps;) {
            for (; chunk < i / BRIDGE_CHUNK; ++chunk) thread::turn((chunk + 1) * BRIDGE_CHUNK);
            if (!BRIDGE_RUN(thread::record(i)->instruction)) {
                step_alone(*thread::record(i++));
                continue;
            }
            steps_of_run<0>(i);
            i += run;
        }
    }
};
