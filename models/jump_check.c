/* jump_check.c: rules across the keys of a layer of jumps: which assets it moves, and by which
 * marks. See model.h. */
#include "models/model.h"

#include <string.h>

static bool jumps_names(levy_check *check, const levy_model_terms *terms, const levy_list *names,
                        const char *path)
{
    const char *const *const items = names->items, *const *const assets = terms->assets.items;
    const levy_node *node = names->node->children;
    const char **const known = levy_check_allocate(check, terms->assets.count + 1, sizeof *known);
    bool good = known != NULL;
    for (size_t a = 0; known && a < terms->assets.count; ++a) known[a] = assets[a];
    for (size_t i = 0; known && i < names->count; ++i, node = node->next) {
        const char *const at = levy_check_text(check, "%s[%zu]", path, i);
        size_t a = 0;
        while (a < terms->assets.count && strcmp(assets[a], items[i]) != 0) ++a;
        if (a == terms->assets.count) {
            char meant[LEVY_MEANT_SIZE];
            const char *const near = levy_meant(levy_nearest(items[i], known), meant);
            good = LEVY_REFUSE(check, UNKNOWN_NAME, node, at, "Name assets of the same model.",
                               "the model has no asset '%s'%s", items[i], near);
        }
        for (size_t j = 0; j < i; ++j)
            if (strcmp(items[i], items[j]) == 0)
                good = LEVY_REFUSE(check, DUPLICATE_KEY, node, at, "Name each asset once.",
                                   "'%s' occurs twice", items[i]);
    }
    return good;
}

/* A joint table says itself which assets it moves. */
static bool jumps_table(levy_check *check, const levy_model_terms *terms,
                        const levy_jump_terms *layer, const char *path)
{
    const levy_mark_terms *const mark = layer->mark.value;
    if (layer->assets.node)
        return LEVY_REFUSE(check, INCONSISTENT, layer->assets.node,
                           levy_check_text(check, "%s.assets", path),
                           "Remove it. The assets of the mark are those that jump.",
                           "cannot be combined with mark.assets");
    if (layer->arrivals != 1)
        return LEVY_REFUSE(check, INCONSISTENT, mark->assets.node,
                           levy_check_text(check, "%s.mark.assets", path),
                           "Add arrivals: common to the layer.",
                           "a row of shocks moves its assets together, but arrivals are own");
    return jumps_names(check, terms, &mark->assets, levy_check_text(check, "%s.mark.assets", path));
}

/* The joint table of a mark; NULL: it has none. */
static const levy_list *jumps_joint(const levy_variant_value *mark)
{
    const levy_mark_terms *const m = mark->value;
    return m && mark->kind == LEVY_MARK_EMPIRICAL && m->assets.node ? &m->assets : NULL;
}

static bool jumps_no_tables(levy_check *check, const levy_jump_terms *layer, const char *path)
{
    const levy_variant_value *const marks = layer->marks.items;
    for (size_t k = 0; k < layer->marks.count; ++k)
        if (jumps_joint(&marks[k]))
            return LEVY_REFUSE(check, INCONSISTENT, jumps_joint(&marks[k])->node,
                               levy_check_text(check, "%s.marks[%zu].assets", path, k),
                               "Write mark: {kind: empirical, assets: ...} instead of marks.",
                               "a table of several assets is the mark of a whole layer");
    return true;
}

bool levy_jump_layer_check(levy_check *check, const levy_model_terms *terms,
                           const levy_jump_terms *layer, const char *path)
{
    const size_t n = layer->assets.node ? layer->assets.count : terms->assets.count;
    if (layer->assets.node &&
        !jumps_names(check, terms, &layer->assets, levy_check_text(check, "%s.assets", path)))
        return false;
    if (layer->mark.node && layer->marks.node)
        return LEVY_REFUSE(check, INCONSISTENT, layer->marks.node,
                           levy_check_text(check, "%s.marks", path), "Keep one of the two.",
                           "cannot be combined with mark");
    if (!layer->mark.node && !layer->marks.node)
        return LEVY_REFUSE(check, MISSING_KEY, layer->node, path,
                           "Add mark: {kind: normal, mean: -0.1, volatility: 0.2}.",
                           "missing key 'mark'");
    if (jumps_joint(&layer->mark)) return jumps_table(check, terms, layer, path);
    if (!jumps_no_tables(check, layer, path)) return false;
    if (!layer->marks.node || layer->marks.count == n) return true;
    const char *const marks = layer->marks.count == 1 ? "mark" : "marks";
    return LEVY_REFUSE(
        check, INCONSISTENT, layer->marks.node, levy_check_text(check, "%s.marks", path),
        "Give one distribution for each asset, in the order of the assets.", "%zu %s for %zu %s",
        layer->marks.count, marks, n, n == 1 ? "asset" : "assets");
}

bool levy_jumps_check(levy_check *check, const levy_model_terms *terms, const char *path)
{
    const levy_jump_terms *const layers = terms->jumps.items;
    bool good = true;
    for (size_t i = 0; i < terms->jumps.count; ++i)
        good &= levy_jump_layer_check(check, terms, &layers[i],
                                      levy_check_text(check, "%s.jumps[%zu]", path, i));
    return good;
}
