/* abreast.h: PATH_abreast lanes of paths side by side on a CPU, for a model of which each step is a
 * chain that waits for the one before: with one lane the processor would mostly wait. All lanes
 * step to a node before any steps to the next one. The items see the nodes afterwards, some at a
 * time: between two steps an exponential, a chain as well, would take the place of other lanes'
 * steps. One dynamics of one asset, drawn from Sobol points. Part of loop.h, which alone includes
 * it, once per shape. Must not know: models, payoffs. */

_Static_assert(PATH_KNOWS(assets, 1) && PATH_KNOWS(dynamics, 1) && PATH_KNOWS(covariance, 1) &&
                   PATH_KNOWS(generator, POINTS_SOBOL) && PATH_KNOWS(construction, 0) &&
                   PATH_KNOWS(counts, 0) && PATH_KNOWS(cash, 0) && PATH_KNOWS(record, 0),
               "levels alone are kept from the step to the items");

enum { ABREAST_NODES = 16 };

/* The items of a lane see the nodes [node, end) with these levels, of which there is room for whole
 * fours. */
LANE_FN void PATH_NAME(observe_abreast)(PATH_NAME(state) *s, uint32_t node, uint32_t end,
                                        lane *level)
{
    const path_view *const v = s->v;
    payoff_seen seen;
    seen.auxiliary = lane_word_of(0);
    for (uint32_t i = 0; node + i < end; i += 4) {
        const uint32_t n = end - node - i < 4 ? end - node - i : 4;
        uint32_t flags = 0;
        lane gross[4];
        for (uint32_t j = 0; j < n; ++j) flags |= v->flags[node + i + j];
        if (flags == 0) continue;
        for (uint32_t j = n; j < 4; ++j) level[i + j] = level[i];
        PATH_NAME(exp_four)(v, level + i, gross, 0);
        for (uint32_t j = 0; j < n; ++j) {
            const uint32_t at = node + i + j;
            if (v->flags[at] == 0) continue;
            seen.level = (basket_level){gross[j], level[i + j]};
            PATH_NAME(see)(s, 0, at, v->flags[at], gross + j, level + i + j, &seen);
            PATH_NAME(observe_dynamics)(s, 0, at, v->flags[at], &seen);
        }
    }
}

/* All lanes step to the nodes [node, end), and the items see these. */
LANE_FN void PATH_NAME(arrive_abreast)(PATH_NAME(state) *s, uint32_t node, uint32_t end)
{
    const path_view *const v = s->v;
    lane level[PATH_abreast][ABREAST_NODES];
    (void)v;
    for (uint32_t at = node; at < end; ++at)
        for (uint32_t k = 0; k < PATH_abreast; ++k) {
            const lane *const driver = s[k].v->drivers + (at + 1) * PATH_factors;
            PATH_NAME(step)(s + k, at, driver);
            level[k][at - node] = s[k].level[0][0];
            for (uint32_t f = 0; f < PATH_factors; ++f) s[k].last_driver[f] = driver[f];
        }
    for (uint32_t k = 0; k < PATH_abreast; ++k)
        PATH_NAME(observe_abreast)(s + k, node, end, level[k]);
}

LANE_FN void PATH_NAME(traverse_abreast)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    const uint32_t run = (PATH_AHEAD + PATH_factors - 1) / PATH_factors;
    uint32_t node = 0;
    for (uint32_t k = 0; k < PATH_abreast; ++k)
        for (uint32_t f = 0; f < PATH_factors; ++f) s[k].v->drivers[f] = lane_of(R(0.0));
    for (uint32_t first = 0; first < PATH_nodes; first += run) {
        const uint32_t end = first + run < PATH_nodes ? first + run : PATH_nodes;
        for (uint32_t k = 0; k < PATH_abreast; ++k) PATH_NAME(build_bridge)(s + k, first, end);
        for (uint32_t ready = v->links[end - 1].ready; node < ready;) {
            const uint32_t to = node + ABREAST_NODES < ready ? node + ABREAST_NODES : ready;
            PATH_NAME(arrive_abreast)(s, node, to);
            node = to;
        }
    }
}

/* Values of the tile's items. Lane k has v[k], points[k] and the LEVY_MAX_TILE values from that
 * row on. */
PAYOFF_NOINLINE void PATH_NAME(values)(const path_view *v, points_state *points, lane *values)
{
    PATH_NAME(state) s[PATH_abreast];
    lane remaining_marks[PATH_MAX_MARKS];
    for (uint32_t k = 0; k < PATH_abreast; ++k) {
        s[k].v = v + k;
        s[k].points = points + k;
        s[k].remaining_marks = remaining_marks;
        s[k].sums = v[k].sums;
        s[k].kept = v[k].kept;
        PATH_NAME(start)(s + k);
        PATH_NAME(start_items)(s + k);
    }
    PATH_NAME(traverse_abreast)(s);
    for (uint32_t k = 0; k < PATH_abreast; ++k)
        PATH_NAME(settle)(s + k, values + k * LEVY_MAX_TILE);
}
