/* build.c: see build.h. */
#include "engine/market/build.h"

levy_reader levy_build_reader(const levy_check *build)
{
    return (levy_reader){.arena = build->arena,
                         .faults = build->faults,
                         .trade = build->trade,
                         .is_dated = build->has_date,
                         .valuation = build->has_date ? build->valuation : INT32_MIN,
                         .kinds = build->kinds};
}

bool levy_node_is_today(levy_check *build, const levy_time *time, double t, const char *path,
                        size_t i, size_t n)
{
    if (t < -1e-9 || t > 1e-9 || n == 1) return false;
    LEVY_WARN(build, RANGE, time->node, levy_check_text(build, "%s[%zu][0]", path, i),
              "Remove it, or check the valuation date.",
              "the node %s is on the valuation; it has no effect", levy_check_shown(time->node));
    return true;
}

const levy_node *levy_pair_value_node(const levy_time_value *pair)
{
    const levy_node *first = pair->node ? pair->node->children : NULL;
    return first && first->next ? first->next : pair->node;
}
