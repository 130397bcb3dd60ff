/* parameter_build.c: the numbers of a model's terms, and the times until which they hold, from what
 * a file says. See parameter.h. */
#include "engine/market/parameter.h"

#include "engine/market/build.h"

static bool term_number(levy_check *build, levy_term *term)
{
    double *const value = levy_check_allocate(build, 1, sizeof *value);
    if (!value) return false;
    *value = term->value;
    *term = (levy_term){.node = term->node, .value = term->value, .n = 1, .values = value};
    return true;
}

/* What quotes moved may be beyond the bounds that the reader checked. */
static bool term_is_within(levy_check *build, const levy_field *field, const levy_time_value *item,
                           const char *path)
{
    if (levy_bounds_allow(field->low, field->high, field->flags & LEVY_LOW_OPEN, item->value))
        return true;
    return LEVY_REFUSE(build, RANGE, item->node, path, "Move it by less.",
                       "a number of the model is beyond its bounds: %s",
                       levy_check_number(build, item->value));
}

/* The times of a term's nodes; a node of today is left out. */
static bool term_times(levy_check *build, const char *path, levy_term *term)
{
    const levy_time_value *const items = term->nodes.items;
    const size_t n = term->nodes.count;
    double *times, *values;
    if (n > LEVY_TERM_MOST)
        return LEVY_REFUSE(build, LIMIT, term->nodes.node, path, "Leave nodes out.",
                           "at most %d nodes; got %zu", LEVY_TERM_MOST, n);
    if (!levy_check_pairs(build, &term->nodes, path, &times, &values)) return false;
    const size_t today = levy_node_is_today(build, &items[0].time, times[0], path, 0, n);
    term->times = times + today;
    term->n = n - today;
    if (*term->times > 0.0) return true;
    return LEVY_REFUSE(build, RANGE, items[today].time.node,
                       levy_check_text(build, "%s[%zu][0]", path, today),
                       "Write times after the valuation date.", "%s is not after the valuation",
                       levy_check_shown(items[today].time.node));
}

static bool term_values(levy_check *build, const levy_field *field, const char *path,
                        levy_term *term)
{
    const size_t today = term->nodes.count - term->n;
    bool good = true;
    term->values = levy_check_allocate(build, term->n, sizeof *term->values);
    for (size_t k = 0; term->values && k < term->n; ++k) {
        const levy_time_value *const item = (const levy_time_value *)term->nodes.items + today + k;
        term->values[k] = item->value;
        good = term_is_within(build, field, item,
                              levy_check_text(build, "%s[%zu][1]", path, today + k)) &&
               good;
    }
    return term->values && good;
}

/* Assets that share what is written share its times, whose faults are said once. */
static bool term_list(levy_check *build, const levy_field *field, const char *path, levy_list *list)
{
    levy_term *const terms = list->items;
    const bool listed = list->node && list->node->kind == LEVY_NODE_LIST;
    bool good = true;
    for (size_t a = 0; good && a < list->count; ++a) {
        const bool shared = a > 0 && terms[a].node == terms->node;
        const size_t place = shared ? 0 : a;
        const char *const own = listed ? levy_check_text(build, "%s[%zu]", path, place) : path;
        const char *const at = levy_check_text(build, "%s.nodes", own);
        if (terms[a].nodes.count == 0) {
            good = term_number(build, &terms[a]);
            continue;
        }
        if (shared)
            terms[a].times = terms->times, terms[a].n = terms->n;
        else
            good = term_times(build, at, &terms[a]);
        good = good && term_values(build, field, at, &terms[a]);
    }
    return good;
}

bool levy_parameters_build(levy_check *build, const levy_model_kind *kind, levy_model_terms *terms,
                           size_t n, const char *path)
{
    bool good = true;
    for (const char *const *name = kind->factors; name && *name; ++name) {
        const levy_field *const field = levy_parameter_field(kind, *name);
        levy_list *const list = (levy_list *)(void *)((char *)terms + field->offset);
        if (field->element == LEVY_FIELD_TERM && list->count == n)
            good =
                term_list(build, field, levy_check_text(build, "%s.%s", path, *name), list) && good;
    }
    return good;
}
