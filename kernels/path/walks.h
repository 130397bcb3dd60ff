/* walks.h: the orders in which nodes are built: with a stack, from the one before, from principal components, and in runs of
 * eight in registers. Part of path.h, which alone includes it, once per shape; all walks call its `between` and `arrive`.
 * Must not know: what happens at a node. */

/* The walk with a stack: any number of factors, any order of nodes. What is emitted at once never goes there: a value is written
 * only where a later node wants it, and read once a node. */
LANE_FN void PATH_NAME(walk_stack)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
#if defined(PATH_SPECIAL)
    lane stack[PATH_MAX_STACK * PATH_MAX_FACTORS];
#else
    lane *const stack = v->stack;
#endif
    uint32_t top = 0, entry = 0;
    for (uint32_t f = 0; f < PATH_factors; ++f) stack[f] = lane_of(R(0.0));
    PATH_ROLL
    for (uint32_t node = 0; node < PATH_nodes; ++node) {
        lane motion[PATH_MAX_FACTORS];
        const uint32_t first = entry, past = entry + v->descents[node];
        PATH_UNROLL
        for (uint32_t f = 0; f < PATH_factors; ++f) motion[f] = stack[top * PATH_factors + f];
        PATH_ROLL
        for (; entry < past; ++entry) {
            if (entry > first) {
                ++top;
                PATH_UNROLL
                for (uint32_t f = 0; f < PATH_factors; ++f) stack[top * PATH_factors + f] = motion[f];
            }
            PATH_UNROLL
            for (uint32_t f = 0; f < PATH_factors; ++f) motion[f] = PATH_NAME(between)(s, (int32_t)entry, f, s->left[f], motion[f]);
        }
        if (first == past) --top;
        PATH_NAME(arrive)(s, node, motion);
    }
}

/* Each node from the one before: no stack. */
LANE_FN void PATH_NAME(walk_incremental)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_ROLL
    for (uint32_t node = 0; node < PATH_nodes; ++node) {
        lane motion[PATH_MAX_FACTORS];
        PATH_UNROLL
        for (uint32_t f = 0; f < PATH_factors; ++f) motion[f] = PATH_NAME(between)(s, (int32_t)node, f, s->left[f], s->left[f]);
        PATH_NAME(arrive)(s, node, motion);
    }
}

/* One factor at 8 neighbouring nodes: sums over the principal components in their order, 8 chains side by side. */
LANE_FN void PATH_NAME(components)(PATH_NAME(state) *s, uint32_t block, uint32_t f, const lane *normals, lane *motion)
{
    const path_view *const v = s->v;
    const path_eight *const rows = v->matrix + (uint64_t)block * PATH_nodes;
    lane s0 = lane_of(R(0.0)), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    PATH_ROLL
    for (uint32_t j = 0; j < PATH_nodes; ++j) {
        const path_eight *const row = rows + j;
        const lane z = normals[j * PATH_factors + f];
        s0 = lane_fma(lane_of(row->node[0]), z, s0);
        s1 = lane_fma(lane_of(row->node[1]), z, s1);
        s2 = lane_fma(lane_of(row->node[2]), z, s2);
        s3 = lane_fma(lane_of(row->node[3]), z, s3);
        s4 = lane_fma(lane_of(row->node[4]), z, s4);
        s5 = lane_fma(lane_of(row->node[5]), z, s5);
        s6 = lane_fma(lane_of(row->node[6]), z, s6);
        s7 = lane_fma(lane_of(row->node[7]), z, s7);
    }
    const lane sums[8] = {s0, s1, s2, s3, s4, s5, s6, s7};
    PATH_UNROLL
    for (uint32_t k = 0; k < 8; ++k) motion[k * PATH_factors + f] = sums[k];
}

/* All normals first, then the nodes in time order, 8 at a time. */
LANE_FN void PATH_NAME(walk_components)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
#if defined(__CUDACC__)
    lane normals[PATH_construction == 2 ? PATH_room : 1];
#else
    lane *const normals = v->normals;
#endif
    lane motion[8 * PATH_MAX_FACTORS];
    PATH_ROLL
    for (uint32_t i = 0; i < PATH_nodes; ++i)
        PATH_ROLL
        for (uint32_t f = 0; f < PATH_factors; ++f) {
            real sign = R(1.0);
            const lane z = PATH_NAME(draw)(s, (int32_t)i, f, &sign);
            normals[i * PATH_factors + f] = PATH_folded ? z * sign : z;
        }
    PATH_ROLL
    for (uint32_t block = 0; 8 * block < PATH_nodes; ++block) {
        PATH_ROLL
        for (uint32_t f = 0; f < PATH_factors; ++f) PATH_NAME(components)(s, block, f, normals, motion);
        PATH_ROLL
        for (uint32_t k = 0; k < 8 && 8 * block + k < PATH_nodes; ++k)
            PATH_NAME(arrive)(s, 8 * block + k, motion + k * PATH_factors);
    }
}

#if PATH_registers
/* The walk of one factor with runs of 8 in registers. A slot that is absent leaves its neighbours to each other. */
LANE_FN void PATH_NAME(point)(PATH_NAME(state) *s, int32_t *node, lane motion)
{
    PATH_NAME(emit)(s, (uint32_t)*node, &motion);
    s->left[0] = motion;
    ++*node;
}

#if PATH_full
#define PATH_HAS(slot) 1
#else
#define PATH_HAS(slot) (present >> (slot - 1) & 1)
#endif
#define PATH_BUILD(slot, l, r) /* a node between l and r, or r when it is not there */            \
    lane m##slot = r;                                                                              \
    if (PATH_HAS(slot)) m##slot = PATH_NAME(between)(s, entry++, 0, l, r)
#define PATH_EMIT(slot)                                                                            \
    if (PATH_HAS(slot)) PATH_NAME(point)(s, &node, m##slot)

LANE_FN void PATH_NAME(run_of_eight)(PATH_NAME(state) *s, uint32_t present, int32_t entry, int32_t node, lane m8)
{
    (void)present;
    const lane m0 = s->left[0];
    PATH_BUILD(4, m0, m8);
    PATH_BUILD(2, m0, m4);
    PATH_BUILD(1, m0, m2);
    PATH_EMIT(1);
    PATH_EMIT(2);
    PATH_BUILD(3, s->left[0], m4);
    PATH_EMIT(3);
    PATH_EMIT(4);
    PATH_BUILD(6, s->left[0], m8);
    PATH_BUILD(5, s->left[0], m6);
    PATH_EMIT(5);
    PATH_EMIT(6);
    PATH_BUILD(7, s->left[0], m8);
    PATH_EMIT(7);
    PATH_NAME(point)(s, &node, m8);
}

LANE_FN void PATH_NAME(walk_registers)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    lane stack[PATH_MAX_STACK];
    uint32_t top = 0;
    stack[0] = lane_of(R(0.0));
    PATH_ROLL
    for (uint32_t g = 0; g < v->image->n_segments; ++g) {
        const levy_image_segment segment = v->segments[g];
        uint32_t entry = segment.first_entry;
        PATH_ROLL
        for (uint32_t n = segment.pushes; n > 0; --n, ++entry, ++top)
            stack[top + 1] = PATH_NAME(between)(s, (int32_t)entry, 0, s->left[0], stack[top]);
        const lane right = stack[top--];
        PATH_NAME(run_of_eight)(s, segment.present, (int32_t)entry, (int32_t)segment.first_node, right);
    }
}
#undef PATH_HAS
#undef PATH_BUILD
#undef PATH_EMIT
#endif
