/* components.h: nodes from principal components: a factor's driver at a node is the sum of weight
 * times normal over all components, in their order, on every device. Part of traversal.h, which
 * alone includes it, once per shape. Must not know: what happens at a node, how weights are found.
 *
 * On a GPU a load costs by the words that it delivers to threads, however few it reads, so a thread
 * that multiplied its own few paths would spend its time on weights. The threads of a warp share
 * the product instead: 16 components' normals of all paths of the warp stand in shared memory, and
 * each thread sums 8 paths at some of the nodes, then hands the drivers to the paths' owners. Only
 * the threads of a warp wait for each other. In single matrix instructions make the sums, where a
 * GPU has them. */

#if !LANE_GPU
/* One factor at 8 neighbouring nodes: 8 chains side by side. */
LANE_FN void PATH_NAME(components)(PATH_NAME(state) *s, uint32_t block, uint32_t f,
                                   const lane *normals, lane *driver)
{
    const path_view *const v = s->v;
    const path_eight *const rows = v->matrix + (uint64_t)block * PATH_nodes;
    lane s0 = lane_of(R(0.0)), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
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
    for (uint32_t k = 0; k < 8; ++k) driver[k * PATH_factors + f] = sums[k];
}

/* Makes all normals first, then the nodes in time order, 8 at a time. */
LANE_FN void PATH_NAME(traverse_components)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    lane driver[8 * PATH_MAX_FACTORS];
    PATH_NAME(draws)(s, 0, PATH_nodes, v->normals);
    for (uint32_t block = 0; 8 * block < PATH_nodes; ++block) {
        for (uint32_t f = 0; f < PATH_factors; ++f)
            PATH_NAME(components)(s, block, f, v->normals, driver);
        for (uint32_t k = 0; k < 8 && 8 * block + k < PATH_nodes; ++k)
            PATH_NAME(arrive)(s, 8 * block + k, driver + k * PATH_factors);
    }
}

#elif PATH_construction == 2
enum {
    COMPONENTS_RUN = 16, /* components, and nodes, that a warp shows itself at a time */
    COMPONENTS_PATHS = 32 * LEVY_LANES, /* of a warp: a row of what it shows itself */
    COMPONENTS_GROUPS = 8 / LEVY_LANES, /* threads that have the same 8 paths */
    /* neighbouring nodes of a run that are one thread's */
    COMPONENTS_SPAN = COMPONENTS_RUN / COMPONENTS_GROUPS,
    COMPONENTS_NODES = COMPONENTS_RUN * PATH_node_runs, /* of a tile */
    COMPONENTS_UNIT = 16 / sizeof(real),
    /* Streams have their words in order, so that their normals are made once and kept. To make all
     * others for each tile again costs less. */
    COMPONENTS_KEPT = PATH_generator == POINTS_MRG
};
/* Two warps share a scheduler, which is too few to wait for one node's chain after the other. */
#if PATH_assets * PATH_factors == 1 && PATH_items * PATH_dynamics <= 2 && !PATH_long_item
#if defined(LANE_SINGLE)
#define COMPONENTS_UNROLL _Pragma("unroll 8")
#else
#define COMPONENTS_UNROLL _Pragma("unroll 4")
#endif
#else
#define COMPONENTS_UNROLL PATH_ROLL
#endif
typedef struct LANE_ALIGNED(COMPONENTS_SPAN * sizeof(real)) components_span {
    real node[COMPONENTS_SPAN];
} components_span;
typedef struct LANE_ALIGNED(16) components_unit {
    real path[COMPONENTS_UNIT];
} components_unit;
typedef struct LANE_ALIGNED(LEVY_LANES * sizeof(real)) components_own {
    lane z;
} components_own;

/* Reals from a component's weights to those of the next. Staged rows in single are padded, so that
 * threads that load from four of them find their numbers in different banks. */
LANE_FN uint32_t PATH_NAME(weights_step)(const path_view *v)
{
    if (!PATH_staged_matrix) return 8;
    return (PATH_nodes + COMPONENTS_NODES - 1) / COMPONENTS_NODES * COMPONENTS_NODES +
           LANE_PICK(0, 8);
}

/* Factor f's normal of a component. */
LANE_FN lane PATH_NAME(component)(PATH_NAME(state) *s, uint32_t j, uint32_t f, const lane *normals)
{
    return COMPONENTS_KEPT ? normals[j * PATH_factors + f] : PATH_NAME(drawn)(s, (int32_t)j, f);
}

#if defined(LANE_SINGLE) && LANE_GPU_TENSOR
#include "kernels/path/components_single.h"
#else
/* What a thread sums: 8 paths of its warp, at the nodes of its span of each run. */
typedef struct components_sums {
    real of[PATH_node_runs][COMPONENTS_SPAN][8];
} components_sums;

LANE_FN uint32_t components_group(void) { return threadIdx.x % COMPONENTS_GROUPS; }
LANE_FN uint32_t components_path(void) { return threadIdx.x % 32 / COMPONENTS_GROUPS * 8; }

/* Where a row of drivers has the path: in units of 16 bytes whose order depends on the threads that
 * write the row, so that no two that write at a time meet in a bank. */
LANE_FN uint32_t components_place(uint32_t row, uint32_t path)
{
    const uint32_t group = row / COMPONENTS_SPAN,
                   turn =
                       LANE_PICK(group, LEVY_LANES == 2 ? (group & 1) | (group & 2) << 1 : group);
    return row * COMPONENTS_PATHS + (path / COMPONENTS_UNIT ^ turn) * COMPONENTS_UNIT +
           path % COMPONENTS_UNIT;
}

/* The weights of the thread's span of run r, by component. Past the last node they are those of
 * other nodes, and nobody reads the sums. */
LANE_FN const real *PATH_NAME(weights_of)(const path_view *v, uint32_t first, uint32_t r)
{
    const uint32_t node = first + r * COMPONENTS_RUN + components_group() * COMPONENTS_SPAN,
                   last = (PATH_nodes - 1) / 8, eight = node / 8 < last ? node / 8 : last;
    if (PATH_staged_matrix) return (const real *)v->matrix + node;
    return v->matrix[(uint64_t)eight * PATH_nodes].node + node % 8;
}

/* Shows the warp factor f's normals of n components, from `first` on. */
LANE_FN void PATH_NAME(show_normals)(PATH_NAME(state) *s, uint32_t first, uint32_t n, uint32_t f,
                                     const lane *normals)
{
    const path_view *const v = s->v;
    real *const to = v->shown + threadIdx.x % 32 * LEVY_LANES;
    _Pragma("unroll 4") for (uint32_t k = 0; k < n; ++k)
    {
        ((components_own *)(to + k * COMPONENTS_PATHS))->z =
            PATH_NAME(component)(s, first + k, f, normals);
    }
}

/* Adds what n components give, of those that the warp has shown. Two at a time, because four spill
 * registers: 45.1 and 47.5 G asset-steps/s of 8 assets on 64 dates in double (H200). */
LANE_FN void PATH_NAME(add_components)(const path_view *v, uint32_t n, const real **weights,
                                       components_sums *sums)
{
    const real *shown = v->shown + components_path();
    const uint32_t step = PATH_NAME(weights_step)(v);
    _Pragma("unroll 2") for (uint32_t k = 0; k < n; ++k, shown += COMPONENTS_PATHS)
    {
        const path_eight z = *(const path_eight *)shown;
        PATH_UNROLL
        for (uint32_t r = 0; r < PATH_node_runs; ++r) {
            const components_span w = *(const components_span *)weights[r];
            weights[r] += step;
            PATH_UNROLL
            for (uint32_t i = 0; i < COMPONENTS_SPAN; ++i) PATH_UNROLL
            for (uint32_t q = 0; q < 8; ++q)
                sums->of[r][i][q] = LANE_PICK(fma, fmaf)(w.node[i], z.node[q], sums->of[r][i][q]);
        }
    }
}

/* Hands the sums to the paths' owners, a run at a time. */
LANE_FN void PATH_NAME(hand_drivers)(const path_view *v, uint32_t f, const components_sums *sums,
                                     lane *driver)
{
    PATH_UNROLL
    for (uint32_t r = 0; r < PATH_node_runs; ++r) {
        __syncwarp();
        PATH_UNROLL
        for (uint32_t i = 0; i < COMPONENTS_SPAN; ++i) PATH_UNROLL
        for (uint32_t q = 0; q < 8; q += COMPONENTS_UNIT) {
            components_unit unit;
            PATH_UNROLL
            for (uint32_t k = 0; k < COMPONENTS_UNIT; ++k) unit.path[k] = sums->of[r][i][q + k];
            *(components_unit *)(v->shown +
                                 components_place(components_group() * COMPONENTS_SPAN + i,
                                                  components_path() + q)) = unit;
        }
        __syncwarp();
        PATH_UNROLL
        for (uint32_t k = 0; k < COMPONENTS_RUN; ++k)
            driver[(r * COMPONENTS_RUN + k) * PATH_factors + f] =
                ((const components_own *)(v->shown +
                                          components_place(k, threadIdx.x % 32 * LEVY_LANES)))
                    ->z;
    }
}

/* Factor f's drivers of a tile of nodes, from `first` on. */
LANE_FN void PATH_NAME(components)(PATH_NAME(state) *s, uint32_t first, uint32_t f,
                                   const lane *normals, lane *driver)
{
    const path_view *const v = s->v;
    const real *weights[PATH_node_runs];
    components_sums sums;
    PATH_UNROLL
    for (uint32_t r = 0; r < PATH_node_runs; ++r) {
        weights[r] = PATH_NAME(weights_of)(v, first, r);
        PATH_UNROLL
        for (uint32_t i = 0; i < COMPONENTS_SPAN; ++i) PATH_UNROLL
        for (uint32_t q = 0; q < 8; ++q) sums.of[r][i][q] = R(0.0);
    }
    PATH_ROLL
    for (uint32_t j = 0; j < PATH_nodes; j += COMPONENTS_RUN) {
        const uint32_t remaining = PATH_nodes - j,
                       n = remaining < COMPONENTS_RUN ? remaining : COMPONENTS_RUN;
        __syncwarp();
        PATH_NAME(show_normals)(s, j, n, f, normals);
        __syncwarp();
        PATH_NAME(add_components)(v, n, weights, &sums);
    }
    PATH_NAME(hand_drivers)(v, f, &sums, driver);
}
#endif

/* Makes the nodes in time order, a tile at a time. Normals are made for each tile again, or once
 * where they are kept. */
LANE_FN void PATH_NAME(traverse_components)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    lane normals[COMPONENTS_KEPT ? PATH_room : 1], driver[COMPONENTS_NODES * PATH_MAX_FACTORS];
    _Pragma("unroll 4") for (uint32_t i = 0; COMPONENTS_KEPT && i < PATH_nodes; ++i)
        PATH_ROLL for (uint32_t f = 0; f < PATH_factors; ++f) normals[i * PATH_factors + f] =
            PATH_NAME(drawn)(s, (int32_t)i, f);
    PATH_ROLL
    for (uint32_t first = 0; first < PATH_nodes; first += COMPONENTS_NODES) {
        PATH_ROLL
        for (uint32_t f = 0; f < PATH_factors; ++f)
            PATH_NAME(components)(s, first, f, normals, driver);
        const uint32_t remaining = PATH_nodes - first,
                       n = remaining < COMPONENTS_NODES ? remaining : COMPONENTS_NODES;
        COMPONENTS_UNROLL for (uint32_t k = 0; k < n; ++k)
            PATH_NAME(arrive)(s, first + k, driver + k * PATH_factors);
    }
}
#undef COMPONENTS_UNROLL
#endif
