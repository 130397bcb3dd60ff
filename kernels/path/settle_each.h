/* settle_each.h: each item settles on the last returns of its dynamics. Part of the items' files
 * that include it. */

#if PATH_shared_states
/* The states that item i uses. Picked by comparing constants: with a computed index the compiler
 * takes ten times as long. */
LANE_FN void PATH_NAME(find_state)(const PATH_NAME(state) *s, uint32_t i, lane *state)
{
    PATH_UNROLL
    for (uint32_t j = 0; j < PATH_items; ++j)
        if (PATH_item_state_of(i) == j)
            for (uint32_t k = 0; k < PATH_states; ++k) state[k] = s->item[j][k];
}
#endif

/* What item i pays. */
LANE_FN lane PATH_NAME(settle_item)(PATH_NAME(state) *s, uint32_t i, const lane *gross_return,
                                    const lane *log_return)
{
    const path_view *const v = s->v;
    lane value;
    if (PATH_NAME(settle_program)(s, i, &value)) return value;
#if PATH_shared_states
    lane state[PATH_states];
    PATH_NAME(find_state)(s, i, state);
#else
    const lane *const state = s->item[i];
#endif
    return payoff_settle(PATH_item_kind(i), PATH_item_variant(i),
                         v->item_reals + i * LEVY_ITEM_REALS, state,
                         s->kept + PATH_carrier(i) * PATH_kept,
                         PATH_NAME(level_of)(s, i, gross_return, log_return).x);
}

LANE_FN void PATH_NAME(settle)(PATH_NAME(state) *s, lane *values)
{
    const path_view *const v = s->v;
    if (PATH_grown) s->first = PATH_NAME(first_return)(v, PATH_nodes - 1, s->last_driver);
    PATH_UNROLL
    for (uint32_t m = 0; m < PATH_dynamics; ++m) {
        lane gross_return[PATH_MAX_ASSETS], log_return[PATH_MAX_ASSETS];
        if (!PATH_NAME(programs_alone)(v, m))
            PATH_NAME(gross_returns)(s, m, PATH_nodes - 1, s->last_driver, gross_return,
                                     log_return);
        PATH_UNROLL
        PATH_EACH_ITEM(m, i)
        {
            values[i] = PATH_NAME(settle_item)(s, i, gross_return, log_return);
            if (PATH_model) values[i] = PATH_NAME(model_settle)(s, m, values[i]);
        }
    }
}
