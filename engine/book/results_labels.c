/* results_labels.c: what results carry of the book beside numbers: the texts of trades and the
 * points of grids. See results.h. */
#include "engine/book/results.h"

#include <string.h>

static bool labels_tags(levy_results *results, const levy_node *tags, levy_trade_result *result)
{
    if (!tags || tags->count == 0) return true;
    levy_tag *const copies = levy_arena_allocate(&results->arena, tags->count, sizeof *copies);
    bool ok = copies != NULL;
    size_t n = 0;
    for (const levy_node *tag = tags->children; ok && tag; tag = tag->next, ++n)
        copies[n] = (levy_tag){levy_results_copy(results, tag->key->text, &ok),
                               levy_results_copy(results, tag->text, &ok)};
    result->tags = copies;
    result->n_tags = ok ? n : 0;
    return ok;
}

/* "SPX", or "SPX,NDX"; NULL: it names none. */
static const char *labels_underlying(levy_results *results, const levy_raw_trade *raw, bool *ok)
{
    const levy_raw_underlying *const several = raw->underlyings.items;
    size_t n = 0, size = 0;
    while (n < raw->underlyings.count && several[n].name) size += strlen(several[n++].name) + 1;
    if (n == 0) return levy_results_copy(results, raw->underlying, ok);
    char *const text = levy_arena_allocate(&results->arena, size, 1), *to = text;
    *ok &= text != NULL;
    for (size_t i = 0; text && i < n; ++i) {
        const size_t length = strlen(several[i].name);
        memcpy(to, several[i].name, length);
        to[length] = i + 1 < n ? ',' : '\0';
        to += length + 1;
    }
    return text;
}

bool levy_results_label(levy_results *results, const levy_trade *trade, levy_trade_result *result)
{
    bool ok = true;
    result->underlying = labels_underlying(results, trade->from->raw, &ok);
    result->book = levy_results_copy(results, trade->from->raw->book, &ok);
    result->counterparty = levy_results_copy(results, trade->from->raw->counterparty, &ok);
    result->netting_set = levy_results_copy(results, trade->from->raw->netting_set, &ok);
    return ok && labels_tags(results, levy_trade_tags(trade), result);
}

/* `before`: the last point, whose texts are shared if they are the same. */
static bool labels_point(levy_results *results, const levy_scenario *scenario,
                         const levy_grid_point *before, levy_grid_point *point)
{
    levy_grid_axis *const axes =
        levy_arena_allocate(&results->arena, scenario->n_axes, sizeof *axes);
    bool ok = axes != NULL;
    const bool same = before && strcmp(before->scenario, scenario->name) == 0;
    point->id = levy_results_copy(results, scenario->id, &ok);
    point->scenario = same ? before->scenario : levy_results_copy(results, scenario->name, &ok);
    point->n_axes = scenario->n_axes;
    point->axes = axes;
    for (size_t i = 0; ok && i < scenario->n_axes; ++i) {
        const levy_axis *const axis = &scenario->axes[i];
        axes[i] = (levy_grid_axis){same ? before->axes[i].factor
                                        : levy_results_copy(results, axis->factor, &ok),
                                   axis->relative, axis->size};
    }
    return ok;
}

bool levy_results_grids(levy_results *results, const levy_problem *problem)
{
    size_t n = 0;
    for (size_t i = 0; i < problem->n_scenarios; ++i) n += problem->scenarios[i].n_axes > 0;
    results->points = levy_arena_allocate(&results->arena, n, sizeof *results->points);
    bool ok = results->points != NULL;
    for (size_t i = 0; ok && i < problem->n_scenarios; ++i) {
        if (problem->scenarios[i].n_axes == 0) continue;
        const size_t at = results->n_points++;
        ok = labels_point(results, &problem->scenarios[i], at ? &results->points[at - 1] : NULL,
                          &results->points[at]);
    }
    return ok;
}
