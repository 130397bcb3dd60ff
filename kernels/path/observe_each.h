/* observe_each.h: each item observes on the returns of its dynamics, one dynamics after the other.
 * Part of the items' files that include it, behind their observe_item. */

#if PATH_GENERAL
/* The returns of a node, apart. An array of returns takes whole pages, so a compiler left to itself
 * may lay the first returns and `seen` at addresses with the same low 12 bits. Then a
 * processor lets the load of a return wait for a store to `seen`, on the longest chain of a node:
 * 9 % of a variance swap's time. */
typedef struct PATH_NAME(returns_apart) {
    lane lead[8], gross[PATH_MAX_ASSETS], apart[32], log[PATH_MAX_ASSETS];
} PATH_NAME(returns_apart);
#endif

LANE_FN void PATH_NAME(observe)(PATH_NAME(state) *s, uint32_t node, uint32_t flags,
                                const lane *driver)
{
    const path_view *const v = s->v;
    payoff_seen seen;
    if (!PATH_always && flags == 0) return;
    seen.auxiliary = PATH_NAME(auxiliary)(s, node);
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, node, driver);
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
#if PATH_GENERAL
        PATH_NAME(returns_apart) r;
        lane *const gross_return = r.gross, *const log_return = r.log;
#else
        lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS];
#endif
        PATH_NAME(gross_returns)(s, m, node, driver, gross_return, log_return);
        PATH_NAME(see)(s, m, node, flags, gross_return, log_return, &seen);
        PATH_UNROLL
        PATH_EACH_ITEM(m, i)
        {
            if (!PATH_always && !(flags & s->observe[i])) continue;
            if (PATH_shares_state(i)) continue;
            PATH_NAME(observe_item)(s, i, node, flags, &seen);
        }
    }
}
