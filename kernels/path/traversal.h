/* traversal.h: the orders in which nodes are built: with a stack, from the previous node, from
 * principal components (components.h), and in runs of eight in registers. Part of path.h, which
 * alone includes it, once per shape. All traversals call its `between` and `arrive`. Must not know:
 * what happens at a node. */

#if LANE_GPU
/* The functionals' sums over all draws. The traversal then makes the draws again, because a thread
 * has no room to keep them. */
LANE_FN void PATH_NAME(gather_all)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_MAX_SUMS; ++i) s->sums[i] = lane_of(R(0.0));
    PATH_ROLL
    for (uint32_t entry = 0; entry < PATH_nodes; ++entry) PATH_EACH
    for (uint32_t f = 0; f < PATH_factors; ++f) {
        const lane z = PATH_NAME(drawn)(s, (int32_t)entry, f);
        PATH_UNROLL
        for (uint32_t j = 0; j < PATH_functionals; ++j)
            s->sums[j * PATH_factors + f] = lane_fma(
                lane_of(v->gather[entry * PATH_functionals + j]), z, s->sums[j * PATH_factors + f]);
    }
}

/* The model looks ahead from a node on. Returns the node where it must look ahead again. */
LANE_FN uint32_t PATH_NAME(look_ahead)(PATH_NAME(state) *s, uint32_t node)
{
    const path_view *const v = s->v;
    const uint32_t left = PATH_nodes - node;
    return PATH_NAME(model_look_ahead)(s, node,
                                       node + (left < LEVY_LOOK_NEAR ? left : LEVY_LOOK_NEAR),
                                       node + (left < LEVY_LOOK_FAR ? left : LEVY_LOOK_FAR));
}

/* Asks for the column's words of an entry to come, where shared memory leaves the first cache no
 * room for all of them. */
LANE_FN void PATH_NAME(ask_ahead)(PATH_NAME(state) *s, uint32_t entry)
{
    const path_view *const v = s->v;
    const uint32_t ahead = entry + 2;
    (void)v, (void)ahead;
    if (PATH_near && PATH_folded && !PATH_shared_low && ahead < PATH_nodes)
        lane_prefetch(s->points->sobol.low + SOBOL_SINGLE * PATH_factors * ahead);
}

/* The traversal with a stack, for any number of factors and any order of nodes. A driver that is
 * emitted at once never goes to the stack: a value is written there only if a later node needs it,
 * and each node reads it once. */
LANE_FN void PATH_NAME(traverse_stack)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    lane stack[PATH_MAX_STACK * PATH_MAX_FACTORS];
    path_count counts[PATH_carried ? PATH_MAX_STACK * PATH_MAX_COUNTS : 1];
    const uint32_t n_nodes = PATH_nodes; /* nothing that the loop stores can change it */
    uint32_t top = 0, entry = 0, ahead = 0;
    PATH_EACH
    for (uint32_t f = 0; f < PATH_factors; ++f) stack[f] = lane_of(R(0.0));
    for (uint32_t i = 0; i < PATH_carried; ++i) counts[i] = path_no_count();
    PATH_ROLL
    for (uint32_t node = 0; node < n_nodes; ++node) {
        lane driver[PATH_MAX_FACTORS];
        if (PATH_looks_ahead && node >= ahead) ahead = PATH_NAME(look_ahead)(s, node);
        const uint32_t first = entry, past = entry + v->descents[node];
        PATH_EACH
        for (uint32_t f = 0; f < PATH_factors; ++f) driver[f] = stack[top * PATH_factors + f];
        PATH_UNROLL
        for (uint32_t i = 0; i < PATH_carried; ++i) s->count[i] = counts[top * PATH_carried + i];
        PATH_ROLL
        for (; entry < past; ++entry) {
            PATH_NAME(ask_ahead)(s, entry);
            if (entry > first) {
                ++top;
                PATH_EACH
                for (uint32_t f = 0; f < PATH_factors; ++f)
                    stack[top * PATH_factors + f] = driver[f];
                PATH_UNROLL
                for (uint32_t i = 0; i < PATH_carried; ++i)
                    counts[top * PATH_carried + i] = s->count[i];
            }
            PATH_EACH
            for (uint32_t f = 0; f < PATH_factors; ++f)
                driver[f] = PATH_NAME(between)(s, (int32_t)entry, f, s->left[f], driver[f]);
            PATH_UNROLL
            for (uint32_t i = 0; i < PATH_carried; ++i)
                s->count[i] = PATH_NAME(model_count)(s, entry, i, s->counted[i], s->count[i]);
        }
        if (first == past) --top;
        PATH_NAME(arrive)(s, node, driver);
    }
}

#if PATH_wide
/* Drivers that are loaded, built and stored together; rows of the stack begin with a run. Runs of
 * two CTAs, or of two paths a thread, are shorter for want of registers. */
enum {
    PATH_RUN = LANE_PICK(PATH_ctas > 1 ? 4 : 8, 16) / LEVY_LANES,
    PATH_STRIDE = (PATH_factors + PATH_RUN - 1) / PATH_RUN * PATH_RUN
};

/* Asks for the column's words of the run of draws that follows. Where other warps hide that they
 * come late it costs more than it gains. */
LANE_FN void PATH_NAME(prefetch)(PATH_NAME(state) *s, uint32_t draw)
{
    const path_view *const v = s->v;
    const uint32_t last = PATH_nodes * PATH_factors - PATH_RUN;
    (void)v;
    if (LANE_PICK(0, PATH_ctas == 1) && PATH_folded && !PATH_shared_low)
        lane_prefetch(s->points->sobol.low +
                      SOBOL_SINGLE * ((draw < last ? draw : last) + threadIdx.x % PATH_RUN));
}

LANE_FN void PATH_NAME(load_run)(const lane *from, lane run[PATH_RUN])
{
    PATH_UNROLL
    for (uint32_t i = 0; i < PATH_RUN; ++i) run[i] = from[i];
}

/* Builds the n drivers of an entry from `first` on, from those of the node before and on its right.
 * The stack lies far away, and no load of it passes a store: so a run's loads come first. own NULL:
 * they take the places of the node before. */
LANE_FN void PATH_NAME(build_run)(PATH_NAME(state) *s, uint32_t entry, uint32_t first, uint32_t n,
                                  const lane *right, lane *own)
{
    lane run[PATH_RUN], left[PATH_RUN];
    PATH_NAME(load_run)(right + first, run);
    if (!PATH_held) PATH_NAME(load_run)(s->left + first, left);
    PATH_UNROLL
    for (uint32_t i = 0; i < n; ++i)
        run[i] = PATH_NAME(between)(s, (int32_t)entry, first + i,
                                    PATH_held ? PATH_NAME(left)(s, first + i) : left[i], run[i]);
    PATH_UNROLL
    for (uint32_t i = 0; i < n; ++i)
        if (own)
            own[first + i] = run[i];
        else
            PATH_NAME(set_left)(s, first + i, run[i]);
}

/* The drivers of an entry. */
LANE_FN void PATH_NAME(wide_drivers)(PATH_NAME(state) *s, uint32_t entry, const lane *right,
                                     lane *own)
{
    enum { WHOLE = PATH_factors / PATH_RUN * PATH_RUN };
    PATH_ROLL
    for (uint32_t f = 0; f < WHOLE; f += PATH_RUN) {
        PATH_NAME(prefetch)(s, entry * PATH_factors + f + PATH_RUN);
        PATH_NAME(build_run)(s, entry, f, PATH_RUN, right, own);
    }
    if (WHOLE < PATH_factors)
        PATH_NAME(build_run)(s, entry, WHOLE, PATH_factors - WHOLE, right, own);
}

/* A node that was built before the last one is the one before the next. */
LANE_FN void PATH_NAME(hold_drivers)(PATH_NAME(state) *s, const lane *driver)
{
    PATH_ROLL
    for (uint32_t f = 0; f < PATH_factors; f += PATH_RUN) {
        lane run[PATH_RUN];
        PATH_NAME(load_run)(driver + f, run);
        PATH_UNROLL
        for (uint32_t i = 0; i < PATH_RUN; ++i)
            if (f + i < PATH_factors) PATH_NAME(set_left)(s, f + i, run[i]);
    }
}

/* Where a row of the stack begins: a held node's row never moves. */
LANE_FN uint32_t PATH_NAME(row)(const uint32_t *rows, uint32_t top)
{
    return PATH_held ? top * PATH_STRIDE : rows[top];
}

/* The same for many factors: a node's drivers stay where they are built, since every copy goes
 * through memory. Where they are not held, the row of the node before changes places with the row
 * of the one that is emitted. */
LANE_FN void PATH_NAME(traverse_wide)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    enum { ROWS = PATH_MAX_STACK + 1 };
    lane stack[(ROWS + !PATH_held) * PATH_STRIDE];
    uint32_t rows[ROWS], left = ROWS * PATH_STRIDE; /* where they begin, and the one on the left */
    path_count counts[PATH_carried ? ROWS * PATH_MAX_COUNTS : 1];
    uint32_t top = 0, entry = 0, ahead = 0;
    PATH_EACH
    for (uint32_t f = 0; f < PATH_factors; ++f) stack[f] = lane_of(R(0.0));
    PATH_EACH
    for (uint32_t f = 0; !PATH_held && f < PATH_factors; ++f) stack[left + f] = lane_of(R(0.0));
    for (uint32_t i = 0; i < ROWS; ++i) rows[i] = i * PATH_STRIDE;
    for (uint32_t i = 0; i < PATH_carried; ++i) counts[i] = path_no_count();
    PATH_ROLL
    for (uint32_t node = 0; node < PATH_nodes; ++node, --top) {
        if (!PATH_held) s->left = stack + left;
        if (PATH_looks_ahead && node >= ahead) ahead = PATH_NAME(look_ahead)(s, node);
        const uint32_t past = entry + v->descents[node];
        PATH_UNROLL
        for (uint32_t i = 0; i < PATH_carried; ++i) s->count[i] = counts[top * PATH_carried + i];
        PATH_ROLL
        for (; entry + PATH_held < past; ++entry) {
            const lane *const right = stack + PATH_NAME(row)(rows, top);
            lane *const own = stack + PATH_NAME(row)(rows, ++top);
            PATH_NAME(wide_drivers)(s, entry, right, own);
            PATH_UNROLL
            for (uint32_t i = 0; i < PATH_carried; ++i)
                counts[top * PATH_carried + i] = s->count[i] =
                    PATH_NAME(model_count)(s, entry, i, s->counted[i], s->count[i]);
        }
        const lane *const driver = stack + PATH_NAME(row)(rows, top);
        if (!PATH_held) {
            PATH_NAME(emit_counted)(s, node, driver);
            const uint32_t free = left;
            left = rows[top];
            rows[top] = free;
            continue;
        }
        /* in the place of the one before, which no node needs any more */
        if (entry < past) {
            PATH_NAME(wide_drivers)(s, entry++, driver, NULL);
            ++top;
        } else {
            PATH_NAME(hold_drivers)(s, driver);
        }
        PATH_NAME(emit_counted)(s, node, NULL);
    }
}
#endif

/* Each node is built from the one before, without a stack. */
LANE_FN void PATH_NAME(traverse_incremental)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    uint32_t ahead = 0;
    (void)v;
    PATH_ROLL
    for (uint32_t node = 0; node < PATH_nodes; ++node) {
        lane driver[PATH_MAX_FACTORS];
        if (PATH_looks_ahead && node >= ahead) ahead = PATH_NAME(look_ahead)(s, node);
        PATH_EACH
        for (uint32_t f = 0; f < PATH_factors; ++f)
            driver[f] = PATH_NAME(between)(s, (int32_t)node, f, PATH_NAME(left)(s, f),
                                           PATH_NAME(left)(s, f));
        PATH_UNROLL
        for (uint32_t i = 0; i < PATH_carried; ++i) /* a bridge of one node comes here too */
            s->count[i] = PATH_NAME(model_count)(s, node, i, s->counted[i], s->counted[i]);
        PATH_NAME(arrive)(s, node, driver);
    }
}
#else
/* The normals of entries [first, end) of the build order. The turns of the loops are independent.
 * Sobol words have a loop of their own: beside the other generators' code, the normal's constants
 * would lose their registers. */
static __attribute__((noinline, unused)) void PATH_NAME(draws)(PATH_NAME(state) *s, uint32_t first,
                                                               uint32_t end, lane *normals)
{
    const path_view *const v = s->v;
    uint32_t draw = first * PATH_factors;
    lane *const own = normals;
    (void)v;
    if (PATH_generator == POINTS_SOBOL && !PATH_padded)
        for (; draw < end * PATH_factors; ++draw)
            *normals++ = PATH_NAME(normal)(v, sobol_word(&s->points->sobol, draw));
    for (; draw < end * PATH_factors; ++draw) *normals++ = PATH_NAME(normal_of)(s, draw);
    if (PATH_integrated && first == 0) *own = lane_of(R(0.0));
}

/* Keeps the draws and makes the functionals' sums, of which each is a chain. A few draws at a time,
 * so that several chains run side by side while the next draws are made. */
LANE_FN void PATH_NAME(gather_all)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    const uint32_t run = (8 + PATH_factors - 1) / PATH_factors;
    for (uint32_t i = 0; i < PATH_functionals * PATH_factors; ++i) s->sums[i] = lane_of(R(0.0));
    for (uint32_t first = 0; first < PATH_nodes; first += run) {
        const uint32_t end = first + run < PATH_nodes ? first + run : PATH_nodes;
        PATH_NAME(draws)(s, first, end, v->normals + first * PATH_factors);
        for (uint32_t j = 0; j < PATH_functionals; ++j)
            for (uint32_t f = 0; f < PATH_factors; ++f) {
                lane sum = s->sums[j * PATH_factors + f];
                for (uint32_t entry = first; entry < end; ++entry)
                    sum = lane_fma(lane_of(v->gather[entry * PATH_functionals + j]),
                                   v->normals[entry * PATH_factors + f], sum);
                s->sums[j * PATH_factors + f] = sum;
            }
    }
}

/* The normal that `gather_all` has kept, turned. */
LANE_FN lane PATH_NAME(kept)(PATH_NAME(state) *s, uint32_t entry, uint32_t f)
{
    const path_view *const v = s->v;
    return PATH_NAME(turned)(s, entry, f, v->normals[entry * PATH_factors + f]);
}

/* A CPU's traversal, for every construction but PCA. It keeps every driver, so that an entry finds
 * its neighbours by number, and takes the nodes in runs: one loop makes the normals and drivers of
 * a run, the other lets the nodes arrive that are ready. The turns of both loops hardly wait for
 * each other, and no branch depends on the order. The traversal with a stack is a chain from node
 * to node, and a processor can look ahead over few of its turns. */
static __attribute__((noinline, unused)) void PATH_NAME(build_bridge)(PATH_NAME(state) *s,
                                                                      uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    lane *const drivers = v->drivers;
/* The general loop's draws fill the registers. So a loop of their own makes the normals first, in
 * the drivers' places. */
#if PATH_GENERAL
    for (uint32_t entry = first; entry < end; ++entry) {
        lane *const own = drivers + v->links[entry].node * PATH_factors;
        if (PATH_functionals)
            for (uint32_t f = 0; f < PATH_factors; ++f) own[f] = PATH_NAME(kept)(s, entry, f);
        else
            PATH_NAME(draws)(s, entry, entry + 1, own);
    }
    for (uint32_t entry = first; entry < end; ++entry) {
        const path_link link = v->links[entry];
        lane *const own = drivers + link.node * PATH_factors;
        for (uint32_t f = 0; f < PATH_factors; ++f)
            own[f] = PATH_NAME(joined)(v, v->bridge[entry], own[f],
                                       drivers[link.left * PATH_factors + f],
                                       drivers[link.right * PATH_factors + f]);
    }
#else
    for (uint32_t entry = first; entry < end; ++entry)
        for (uint32_t f = 0; f < PATH_factors; ++f) {
            real sign = R(1.0);
            /* The draw comes first: loads that wait for a store cost a quarter more. */
            const lane z = PATH_functionals ? PATH_NAME(kept)(s, entry, f)
                                            : PATH_NAME(draw)(s, (int32_t)entry, f, &sign);
            const path_link link = v->links[entry];
            drivers[link.node * PATH_factors + f] =
                PATH_NAME(joined)(v, v->bridge[entry], z, drivers[link.left * PATH_factors + f],
                                  drivers[link.right * PATH_factors + f]);
        }
#endif
}

/* The same for gamma processes. */
static __attribute__((noinline, unused)) void PATH_NAME(build_gamma)(PATH_NAME(state) *s,
                                                                     uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    lane *const drivers = v->drivers;
    for (uint32_t entry = first; entry < end; ++entry)
        for (uint32_t f = 0; f < PATH_factors; ++f) {
            const path_link link = v->links[entry];
            drivers[link.node * PATH_factors + f] =
                PATH_NAME(between)(s, (int32_t)entry, f, drivers[link.left * PATH_factors + f],
                                   drivers[link.right * PATH_factors + f]);
        }
}

/* The incremental construction: each driver waits for the one before. So the normals are made
 * first, in the drivers' places. */
LANE_FN void PATH_NAME(build_incremental)(PATH_NAME(state) *s, uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    PATH_NAME(draws)(s, first, end, v->drivers + (first + 1) * PATH_factors);
    for (uint32_t f = 0; f < PATH_factors; ++f) {
        lane left = v->drivers[first * PATH_factors + f];
        for (uint32_t entry = first; entry < end; ++entry) {
            lane *const driver = v->drivers + (entry + 1) * PATH_factors + f;
            *driver = left = PATH_NAME(joined)(v, v->bridge[entry], *driver, left, left);
        }
    }
}

/* The model's counts at the nodes of entries [first, end). */
LANE_FN void PATH_NAME(build_counts)(PATH_NAME(state) *s, uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    for (uint32_t entry = first; entry < end; ++entry)
        for (uint32_t i = 0; i < PATH_counts; ++i) {
            const path_link link = v->links[entry];
            v->counts[link.node * PATH_counts + i] =
                PATH_NAME(model_count)(s, entry, i, v->counts[link.left * PATH_counts + i],
                                       v->counts[link.right * PATH_counts + i]);
        }
}

LANE_FN void PATH_NAME(build)(PATH_NAME(state) *s, uint32_t first, uint32_t end)
{
    const path_view *const v = s->v;
    (void)v;
    if (PATH_counts) PATH_NAME(build_counts)(s, first, end);
    if (PATH_model_features & LEVY_MODEL_GAMMA)
        PATH_NAME(build_gamma)(s, first, end);
    else if (PATH_construction == 1)
        PATH_NAME(build_incremental)(s, first, end);
    else
        PATH_NAME(build_bridge)(s, first, end);
}

/* One average on one asset, four nodes at a time: it only observes, so no node waits for it. */
LANE_FN uint32_t PATH_NAME(arrive_by_four)(PATH_NAME(state) *s, uint32_t node, uint32_t ready)
{
    const path_view *const v = s->v;
    lane sum = s->item[0][0];
    for (; node + 4 <= ready; node += 4) {
        lane log_return[4], gross_return[4];
        LANE_UNROLL for (uint32_t i = 0; i < 4; ++i) log_return[i] = black_scholes_level(
            lane_of(v->drift[node + i]), v->factor, v->drivers + node + i + 1, 1);
        PATH_NAME(exp_four)(v, log_return, gross_return, 0);
        LANE_UNROLL for (uint32_t i = 0; i < 4; ++i) if (v->flags[node + i] & s->observe[0]) sum =
            payoff_observe_plain(PATH_item_kind(0), PATH_item_variant(0), v->item_reals, sum,
                                 (basket_level){gross_return[i], log_return[i]});
    }
    s->item[0][0] = sum;
    s->left[0] = v->drivers[node];
    return node;
}

#if PATH_by_dynamics
#include "kernels/path/averages.h"
#endif

LANE_FN void PATH_NAME(traverse_kept)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    const uint32_t run = (PATH_AHEAD + PATH_factors - 1) / PATH_factors;
    uint32_t node = 0;
    for (uint32_t f = 0; f < PATH_factors; ++f) v->drivers[f] = lane_of(R(0.0));
    for (uint32_t i = 0; i < PATH_counts; ++i) v->counts[i] = path_no_count();
    for (uint32_t first = 0; first < PATH_nodes; first += run) {
        const uint32_t end = first + run < PATH_nodes ? first + run : PATH_nodes;
        PATH_NAME(build)(s, first, end);
        const uint32_t ready = v->links[end - 1].ready;
        if (PATH_average) node = PATH_NAME(arrive_by_four)(s, node, ready);
#if PATH_by_dynamics
        if (PATH_averages) node = PATH_NAME(arrive_averages)(s, node, ready);
#endif
        for (; node < ready; ++node) {
            for (uint32_t i = 0; i < PATH_counts; ++i)
                s->count[i] = v->counts[(node + 1) * PATH_counts + i];
            PATH_NAME(arrive)(s, node, v->drivers + (node + 1) * PATH_factors);
        }
    }
}
#endif

#include "kernels/path/components.h"

#if PATH_registers
/* The traversal of one factor with runs of 8 in registers. Where a slot is absent, its two
 * neighbours become each other's. A model has at most one count here. */
LANE_FN void PATH_NAME(point)(PATH_NAME(state) *s, int32_t *node, lane driver, path_count count)
{
    s->count[0] = count;
    PATH_NAME(emit)(s, (uint32_t)*node, &driver);
    s->left[0] = driver;
    s->counted[0] = count;
    ++*node;
}

LANE_FN path_count PATH_NAME(count_between)(PATH_NAME(state) *s, int32_t entry, path_count left,
                                            path_count right)
{
    return PATH_carried ? PATH_NAME(model_count)(s, (uint32_t)entry, 0, left, right) : right;
}

#if PATH_full
#define PATH_HAS(slot) 1
#else
#define PATH_HAS(slot) (present >> (slot - 1) & 1)
#endif
/* a node between the last one emitted and slot r, or r when it is not there */
#define PATH_BUILD(slot, r)                                                                        \
    lane m##slot = m##r;                                                                           \
    path_count c##slot = c##r;                                                                     \
    if (PATH_HAS(slot)) {                                                                          \
        c##slot = PATH_NAME(count_between)(s, entry, s->counted[0], c##r);                         \
        m##slot = PATH_NAME(between)(s, entry++, 0, s->left[0], m##r);                             \
    }
#define PATH_EMIT(slot)                                                                            \
    if (PATH_HAS(slot)) PATH_NAME(point)(s, &node, m##slot, c##slot)

LANE_FN void PATH_NAME(run_of_eight)(PATH_NAME(state) *s, uint32_t present, int32_t entry,
                                     int32_t node, lane m8, path_count c8)
{
    (void)present;
    PATH_BUILD(4, 8);
    PATH_BUILD(2, 4);
    PATH_BUILD(1, 2);
    PATH_EMIT(1);
    PATH_EMIT(2);
    PATH_BUILD(3, 4);
    PATH_EMIT(3);
    PATH_EMIT(4);
    PATH_BUILD(6, 8);
    PATH_BUILD(5, 6);
    PATH_EMIT(5);
    PATH_EMIT(6);
    PATH_BUILD(7, 8);
    PATH_EMIT(7);
    PATH_NAME(point)(s, &node, m8, c8);
}

/* The first node after run g. */
LANE_FN uint32_t PATH_NAME(run_end)(const path_view *v, uint32_t g)
{
    return g + 1 < v->image->n_segments ? v->segments[g + 1].first_node : PATH_nodes;
}

/* The same as above, to the end of a run. */
LANE_FN uint32_t PATH_NAME(look_ahead_runs)(PATH_NAME(state) *s, uint32_t g)
{
    const path_view *const v = s->v;
    const uint32_t node = v->segments[g].first_node, near = PATH_NAME(run_end)(v, g);
    uint32_t far = near;
    PATH_ROLL
    while (far < PATH_nodes && PATH_NAME(run_end)(v, g + 1) - node <= LEVY_LOOK_FAR)
        far = PATH_NAME(run_end)(v, ++g);
    return PATH_NAME(model_look_ahead)(s, node, near, far);
}

LANE_FN void PATH_NAME(traverse_registers)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    lane stack[PATH_MAX_STACK];
    path_count counts[PATH_carried ? PATH_MAX_STACK : 1];
    uint32_t top = 0, ahead = 0;
    stack[0] = lane_of(R(0.0));
    counts[0] = s->counted[0] = path_no_count();
    PATH_ROLL
    for (uint32_t g = 0; g < v->image->n_segments; ++g) {
        const levy_image_segment segment = v->segments[g];
        if (PATH_looks_ahead && segment.first_node >= ahead)
            ahead = PATH_NAME(look_ahead_runs)(s, g);
        uint32_t entry = segment.first_entry;
        PATH_ROLL
        for (uint32_t n = segment.pushes; n > 0; --n, ++entry, ++top) {
            if (PATH_carried)
                counts[top + 1] =
                    PATH_NAME(count_between)(s, (int32_t)entry, s->counted[0], counts[top]);
            stack[top + 1] = PATH_NAME(between)(s, (int32_t)entry, 0, s->left[0], stack[top]);
        }
        const lane right = stack[top];
        const path_count count = counts[PATH_carried ? top : 0];
        --top;
        PATH_NAME(run_of_eight)(s, segment.present, (int32_t)entry, (int32_t)segment.first_node,
                                right, count);
    }
}
#undef PATH_HAS
#undef PATH_BUILD
#undef PATH_EMIT
#endif
