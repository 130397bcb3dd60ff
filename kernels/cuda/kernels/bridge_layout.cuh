/* bridge_layout.cuh: what a launch of the bridge passes, and where a block's shared memory has it:
 * rows of the program, the stack, normals that wait. Part of bridge.cu. Must not know: what a step
 * does. */

enum { BRIDGE_RING_REGISTERS, BRIDGE_RING_SHARED, BRIDGE_RING_BULK }; /* where normals wait */
enum { BRIDGE_STACK_REGISTERS, BRIDGE_STACK_SHARED, BRIDGE_STACK_LOCAL };
/* instructions that are staged together; such chunks in the ring in shared memory */
enum { BRIDGE_CHUNK = 64, BRIDGE_CHUNKS = 3 };

/* What a launch passes by value, to be read from constant memory. If the program is code, its
 * numbers are here, too. */
template <class B>
struct bridge_constants {
    typename B::real factor[B::dimensions * B::dimensions];
    typename B::real start[B::dimensions];
    typename B::real weights[B::unrolled ? 3 * B::steps : 1];
    typename B::real inverse[B::unrolled && B::increments ? B::steps : 1];
};

/* A row of a program that is data. */
template <class Real>
struct alignas(16) bridge_record {
    uint64_t instruction;
    Real w0, w1, w2, before, after;
};

/* ---- A block's shared memory ----------------------------------------------------------------- */

template <class B>
struct bridge_layout {
    typedef bridge_pack<typename B::real, B::paths> pack;
    enum {
        chunks = BRIDGE_CHUNK * BRIDGE_CHUNKS,
        records = B::unrolled         ? 0
                  : B::steps < chunks ? B::steps
                                      : chunks,
        staged = records * (int)sizeof(bridge_record<typename B::real>),
        slots = B::slots > 0 ? B::slots : 1,
        stack = B::stack == BRIDGE_STACK_SHARED
                    ? slots * B::dimensions * B::threads * (int)sizeof(pack)
                    : 0,
        ring = B::ring == BRIDGE_RING_REGISTERS
                   ? 0
                   : B::ahead * B::dimensions * B::threads * (int)sizeof(pack),
        barriers = B::ring == BRIDGE_RING_BULK ? 2 * B::ahead * 8 : 0,
        bytes = staged + stack + ring + barriers
    };
};

template <class B>
struct bridge_arguments {
    const typename B::real *normals;
    typename B::real *output;
    uint64_t paths, stride;                         /* of this launch; numbers from row to row */
    const bridge_record<typename B::real> *program; /* NULL where it is code */
#if defined(BRIDGE_DRAWN)                           /* normals are made, not read (paths.cu) */
    const paths_source *source;
#endif
};

/* The whole block copies chunk `chunk` of the program to its place in the ring. */
template <class B>
BRIDGE_FN void bridge_stage(const bridge_arguments<B> &a, unsigned char *shared, int chunk)
{
    typedef bridge_record<typename B::real> record;
    enum { words = (int)sizeof(record) / 16 };
    const int first = chunk * BRIDGE_CHUNK, place = chunk % BRIDGE_CHUNKS * BRIDGE_CHUNK;
    const int count = B::steps - first < BRIDGE_CHUNK ? B::steps - first : BRIDGE_CHUNK;
    const uint4 *const from = (const uint4 *)(a.program + first);
    uint4 *const to = (uint4 *)((record *)shared + place);
    for (int i = (int)threadIdx.x; i < count * words; i += B::threads) to[i] = from[i];
}

template <class B>
BRIDGE_FN const bridge_record<typename B::real> *bridge_staged(const unsigned char *shared, int i)
{
    const int all = BRIDGE_CHUNK * BRIDGE_CHUNKS;
    return (const bridge_record<typename B::real> *)shared + (B::steps <= all ? i : i % all);
}
