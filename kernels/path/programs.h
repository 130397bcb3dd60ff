/* programs.h: how an item with a program starts, and how it observes and settles on the path: a
 * CPU's general loop reads its steps, a GPU's kernel has them as code (kernels/cuda/compile). Part
 * of items.h. Must not know: what a step does. */

#if PATH_interprets
LANE_FN int PATH_NAME(has_program)(const path_view *v, uint32_t i)
{
    return v->scripts && v->scripts[i].code;
}

LANE_FN void PATH_NAME(start_program)(PATH_NAME(state) *s, uint32_t i)
{
    const path_view *const v = s->v;
    if (PATH_NAME(has_program)(v, i))
        script_start(v->scripts[i].code, v->items[i].variant >> SCRIPT_STATE, v->scripts[i].frame,
                     v->scripts[i].segments);
}

/* Runs item i's program at a node. 0: there is none, or the item's lanes run it. */
LANE_FN int PATH_NAME(observe_program)(PATH_NAME(state) *s, uint32_t i, uint32_t node,
                                       payoff_seen *seen)
{
    const path_view *const v = s->v;
    const path_script *const script = &v->scripts[i];
    if (!PATH_NAME(has_program)(v, i)) return 0;
    if (script->all) {
        if (node < v->items[i].counts_from || node > v->items[i].counts_to) return 1;
        script_catch_up(script->code, v->items[i].variant >> SCRIPT_STATE, script->all->frame,
                        script->frame);
    }
    script_interpret(script->code, PATH_NAME(node_terms)(v, i, node), seen, script->frame,
                     script->segments);
    return 1;
}

/* What it pays. 0: as above. */
LANE_FN int PATH_NAME(settle_program)(PATH_NAME(state) *s, uint32_t i, lane *value)
{
    const path_view *const v = s->v;
    const path_script *const script = &v->scripts[i];
    const uint32_t settles = v->items[i].variant >> SCRIPT_STATE;
    if (!PATH_NAME(has_program)(v, i)) return 0;
    *value = script->all && settles
                 ? script_ends_here(settles, script->all->frame, script->frame)
                 : script_result(script->code, settles, script->frame, script->segments);
    return 1;
}

/* Do only programs see dynamics m? Then nothing needs the last level. */
LANE_FN int PATH_NAME(programs_alone)(const path_view *v, uint32_t m)
{
    if (!v->scripts) return 0;
    for (uint32_t k = v->starts[m]; k < v->starts[m + 1]; ++k)
        if (!v->scripts[v->order[k].item].code) return 0;
    return 1;
}

#else
#if PATH_deferred
/* Lanes from what one item's dates save to what the next item's dates save. */
LANE_FN uint32_t PATH_NAME(deferred_row)(const path_view *v)
{
    return PATH_redistributed ? v->deferred_lanes * LEVY_COLUMNS : PATH_deferred;
}

/* Segments run after the path (settle_later.h); the dates only save what they need. */
LANE_FN void PATH_NAME(start_program)(PATH_NAME(state) *s, uint32_t i)
{
    const path_view *const v = s->v;
    s->node_terms[i] = PATH_NAME(node_terms)(v, i, 0);
    s->segments[i].left = s->deferred + (uint64_t)i * PATH_NAME(deferred_row)(v);
    s->segments[i].left_stride = PATH_redistributed ? LEVY_COLUMNS : 1;
}
#elif PATH_segments
LANE_FN void PATH_NAME(start_program)(PATH_NAME(state) *s, uint32_t i)
{
    if (PATH_item_kind(i) == PAYOFF_SCRIPT)
        s->segment_room += script_begin(PATH_item_variant(i), s->item[i], &s->segments[i],
                                        s->segment_room, s->segment_last[i]);
}
#else
LANE_FN void PATH_NAME(start_program)(PATH_NAME(state) *s, uint32_t i) { (void)s, (void)i; }
#endif

LANE_FN int PATH_NAME(observe_program)(PATH_NAME(state) *s, uint32_t i, uint32_t node,
                                       payoff_seen *seen)
{
    (void)s, (void)i, (void)node, (void)seen;
#if PATH_segments
    seen->segments = &s->segments[i];
#endif
    return 0;
}

LANE_FN int PATH_NAME(programs_alone)(const path_view *v, uint32_t m)
{
    (void)v, (void)m;
    return 0;
}

#if PATH_segments && !PATH_deferred
LANE_FN int PATH_NAME(settle_program)(PATH_NAME(state) *s, uint32_t i, lane *value)
{
    const path_view *const v = s->v;
    if (PATH_item_kind(i) != PAYOFF_SCRIPT) return 0;
    *value = script_end(PATH_item_variant(i), PATH_NAME(terms)(v, PAYOFF_SCRIPT, i),
                        &s->segments[i], s->item[i]);
    return 1;
}
#else
LANE_FN int PATH_NAME(settle_program)(PATH_NAME(state) *s, uint32_t i, lane *value)
{
    (void)s, (void)i, (void)value;
    return 0;
}
#endif
#endif
