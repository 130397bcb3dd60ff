/* averages.h: averages of one asset under many dynamics, such as its Greeks and its scenarios, on a
 * CPU. All dynamics read the same drivers, which the traversal has kept, so each takes all nodes
 * that are ready, four side by side, before the next one does. Every level and every sum has the
 * bits that it has node by node. Part of loop.h, which alone includes it, once per shape. Must not
 * know: how drivers are built. */

/* Log returns of four nodes from `node` on, of which n are there, under a dynamics with these
 * drifts and this factor. What is made past them is the last one again, which nobody reads. */
LANE_FN void PATH_NAME(four_levels)(const path_view *v, const real *drift, const real *factor,
                                    uint32_t node, uint32_t n, lane *log_return)
{
    const lane *const driver = v->drivers + node + 1;
    LANE_UNROLL for (uint32_t i = 0; i < 4; ++i)
    {
        const uint32_t at = i < n ? i : n - 1;
        log_return[i] = black_scholes_level(lane_of(drift[node + at]), factor, driver + at, 1);
    }
}

/* Makes the gross returns of the image's first dynamics at the nodes [node, ready). */
LANE_FN void PATH_NAME(first_returns)(const path_view *v, uint32_t node, uint32_t ready)
{
    const uint32_t m = PATH_first;
    const int here = m < PATH_dynamics;
    const real *const drift = here ? v->drift + m * PATH_nodes : v->all_drift,
                      *const factor = here ? v->factor + m : v->all_factor;
    for (; node < ready; node += 4) {
        lane log_return[4];
        PATH_NAME(four_levels)(v, drift, factor, node, ready - node < 4 ? ready - node : 4,
                               log_return);
        PATH_NAME(exp_four)(v, log_return, v->first + node, 0); /* there is room for three more */
    }
}

/* Takes off what moved before the dynamics' own date (subtract_elapsed of loop.h). */
LANE_FN void PATH_NAME(take_elapsed)(PATH_NAME(state) *s, uint32_t m, uint32_t node, uint32_t n,
                                     lane *log_return, lane *multiplier)
{
    const path_view *const v = s->v;
    const real *const shares = v->elapsed_share + m * PATH_nodes + node;
    for (uint32_t i = 0; i < n; ++i) {
        if (shares[i] > R(0.0)) {
            const lane step = v->drivers[node + i + 1] - v->drivers[node + i],
                       moved = black_scholes_level(lane_of(R(0.0)), v->factor + m, &step, 1);
            s->level[m][0] = lane_fma(lane_of(shares[i]), moved, s->level[m][0]);
            if (PATH_NAME(grows)(v, m)) s->multiplier[m][0] = PATH_NAME(exp)(v, -s->level[m][0]);
        }
        log_return[i] = log_return[i] - s->level[m][0];
        multiplier[i] = s->multiplier[m][0];
    }
}

/* Dynamics m's items observe the nodes [node, ready). */
PATH_APART void PATH_NAME(average_items)(PATH_NAME(state) *s, uint32_t m, uint32_t node,
                                         uint32_t ready)
{
    const path_view *const v = s->v;
    const int elapsed = PATH_elapsed && v->elapsed_share[m * PATH_nodes] > R(0.0);
    for (; node < ready; node += 4) {
        const uint32_t n = ready - node < 4 ? ready - node : 4;
        lane log_return[4], gross_return[4], multiplier[4];
        LANE_UNROLL for (uint32_t i = 0; i < 4; ++i) multiplier[i] = lane_of(R(1.0));
        PATH_NAME(four_levels)
        (v, v->drift + m * PATH_nodes, v->factor + m, node, n, log_return);
        if (elapsed) PATH_NAME(take_elapsed)(s, m, node, n, log_return, multiplier);
        if (PATH_NAME(grows)(v, m))
            for (uint32_t i = 0; i < n; ++i)
                gross_return[i] =
                    PATH_NAME(grown)(v, m, node + i, v->first[node + i], multiplier[i]);
        else
            PATH_NAME(exp_four)(v, log_return, gross_return, 0);
        for (uint32_t k = v->starts[m]; k < v->starts[m + 1]; ++k) {
            const path_listed it = v->order[k];
            const lane *const level = it.variant & ASIAN_GEOMETRIC ? log_return : gross_return;
            lane *const sum = s->item[it.item];
            for (uint32_t i = 0; i < n; ++i)
                if (v->flags[node + i] & it.observe) *sum = *sum + level[i];
        }
    }
}

/* Is dynamics m's first item the only one that observes, and an arithmetic average of nodes that
 * all have the flags `common`? */
LANE_FN int PATH_NAME(is_one)(const path_view *v, uint32_t m, uint32_t common)
{
    const path_listed *const first = v->order + v->starts[m];
    const int elapsed = PATH_elapsed && v->elapsed_share[m * PATH_nodes] > R(0.0);
    if (elapsed && !PATH_NAME(grows)(v, m)) return 0;
    for (uint32_t k = v->starts[m] + 1; k < v->starts[m + 1]; ++k)
        if (v->order[k].observe) return 0;
    return first->observe & common && !(first->variant & ASIAN_GEOMETRIC);
}

/* The sum of dynamics m's gross returns at the nodes [node, fours), a multiple of four. */
LANE_FN lane PATH_NAME(average_all)(const path_view *v, uint32_t m, uint32_t node, uint32_t fours,
                                    int bounded, lane sum)
{
    for (; node < fours; node += 4) {
        lane log_return[4], gross_return[4];
        PATH_NAME(four_levels)
        (v, v->drift + m * PATH_nodes, v->factor + m, node, 4, log_return);
        PATH_NAME(exp_four)(v, log_return, gross_return, bounded);
        LANE_UNROLL for (uint32_t i = 0; i < 4; ++i) sum = sum + gross_return[i];
    }
    return sum;
}

/* Adds dynamics m's gross returns at the nodes [node, end), which are in proportion to the first
 * dynamics', to its only sum. That proportion is fixed where no part of a step has elapsed. */
LANE_FN void PATH_NAME(average_grown)(PATH_NAME(state) *s, uint32_t m, uint32_t node, uint32_t end)
{
    const path_view *const v = s->v;
    uint32_t at = node;
    while (PATH_elapsed && at < end && PATH_NAME(share_at)(v, m, at) > R(0.0)) ++at;
    if (at > node) PATH_NAME(average_items)(s, m, node, at);
    const lane multiplier = s->multiplier[m][0];
    lane *const item = s->item[v->order[v->starts[m]].item];
    lane sum = *item;
    for (; at < end; ++at) sum = sum + PATH_NAME(grown)(v, m, at, v->first[at], multiplier);
    *item = sum;
}

/* The largest driver at the nodes [node, end), without its sign. */
LANE_FN real PATH_NAME(reach)(const path_view *v, uint32_t node, uint32_t end)
{
    lane most = lane_of(R(0.0));
    for (; node < end; ++node)
        most = lane_max(most, lane_max(v->drivers[node + 1], -v->drivers[node + 1]));
    real reach = most[0];
    for (int i = 1; i < LANES; ++i) reach = reach < most[i] ? most[i] : reach;
    return reach;
}

/* The nodes [node, ready) arrive. Where a dynamics has one sum, of all these levels, hardly more
 * than the exponentials is left, and these need no clamp where no driver is far out. */
LANE_FN uint32_t PATH_NAME(arrive_averages)(PATH_NAME(state) *s, uint32_t node, uint32_t ready)
{
    const path_view *const v = s->v;
    const uint32_t fours = node + (ready - node) / 4 * 4;
    const real reach = PATH_NAME(reach)(v, node, fours);
    uint32_t common = 0xffffffffu;
    if (PATH_grown) PATH_NAME(first_returns)(v, node, ready);
    for (uint32_t at = node; at < fours; ++at) common &= v->flags[at];
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        if (v->starts[m] == v->starts[m + 1]) continue;
        const int one = PATH_NAME(is_one)(v, m, common);
        if (one && PATH_NAME(grows)(v, m)) {
            PATH_NAME(average_grown)(s, m, node, fours);
        } else if (one) {
            lane *const sum = s->item[v->order[v->starts[m]].item];
            const real factor = v->factor[m] < R(0.0) ? -v->factor[m] : v->factor[m];
            *sum = factor * reach + v->drift_reach[m] < R(80.0)
                       ? PATH_NAME(average_all)(v, m, node, fours, 1, *sum)
                       : PATH_NAME(average_all)(v, m, node, fours, 0, *sum);
        }
        if (!one || fours < ready) PATH_NAME(average_items)(s, m, one ? fours : node, ready);
    }
    s->last_driver[0] = v->drivers[ready];
    return ready;
}
