/* scenario_factor.c: see scenario_factor.h. */
#include "engine/problem/scenario_factor.h"

#include "engine/market/parameter.h"

#include <string.h>

typedef struct factor_frame {
    levy_check *build;
    const levy_market *market;
    const levy_problem *problem;
} factor_frame;

static bool factor_refuse(const factor_frame *f, const levy_raw_shift *raw, const char *path,
                          const char *hint, const char *why)
{
    return LEVY_REFUSE(f->build, UNKNOWN_NAME, levy_check_at(raw->node, "factor"),
                       levy_check_text(f->build, "%s.factor", path), hint, "%s", why);
}

static bool factor_refuse_factor(const factor_frame *f, const levy_raw_shift *raw, const char *path)
{
    const char *names[LEVY_SHIFT_COUNT + 1];
    levy_factor_names(names);
    const char *dot = strrchr(raw->factor, '.');
    const char *near = dot ? levy_nearest(dot + 1, names) : NULL;
    const char *owner =
        levy_check_text(f->build, "%.*s", dot ? (int)(dot - raw->factor) : 0, raw->factor);
    if (!dot && levy_names_find(&f->market->asset_map.names, raw->factor) != LEVY_NO_NAME)
        owner = raw->factor, near = "spot";
    if (!dot && !near && levy_names_find(&f->market->curve_map.names, raw->factor) != LEVY_NO_NAME)
        owner = raw->factor, near = "rate";
    const char *meant =
        near ? levy_check_text(f->build, "; did you mean '%s.%s'?", owner, near) : "";
    return factor_refuse(
        f, raw, path,
        levy_check_text(f->build, "Factors are %s. ALL.spot, ALL.rate and so on shift all of them.",
                        levy_factor_list),
        levy_check_text(f->build, "'%s' is not a factor%s", raw->factor, meant));
}

/* The number of an asset or a curve; LEVY_NO_NAME with a fault, or without one if its definition
 * was refused already. */
static size_t factor_number(const factor_frame *f, const levy_raw_shift *raw, const char *path,
                            const levy_market_map *map, const char *owner)
{
    const size_t number = levy_names_find(&map->names, owner);
    char meant[LEVY_MEANT_SIZE];
    if (number != LEVY_NO_NAME) return map->items[number].good ? number : LEVY_NO_NAME;
    const char *near = map->names.count ? levy_nearest(owner, map->names.items) : NULL;
    const char *const hint = map == &f->market->curve_map
                                 ? "Use the name of a curve in market.curves."
                                 : "Use the name of an asset in market.assets.";
    if (!f->build->broken)
        factor_refuse(f, raw, path, hint,
                      levy_check_text(f->build, "there is no %s '%s'%s", map->noun, owner,
                                      levy_meant(near, meant)));
    return LEVY_NO_NAME;
}

/* Finds the owner of the factor: an asset, a curve, or all of them. */
static bool factor_owner(const factor_frame *f, const levy_raw_shift *raw, const char *path,
                         const levy_factor_name *name, levy_shift *shift)
{
    const bool curve = levy_factors[shift->factor].owner == LEVY_FACTOR_CURVE;
    const char *const owner = levy_check_text(f->build, "%.*s", name->n, name->owner);
    const levy_market_map *map = curve ? &f->market->curve_map : &f->market->asset_map;
    if (levy_names_find(&map->names, owner) == LEVY_NO_NAME && strcmp(owner, "ALL") == 0)
        return true;
    const size_t number = factor_number(f, raw, path, map, owner);
    if (number == LEVY_NO_NAME) return false;
    if (curve)
        shift->curve = &f->market->curves[number];
    else
        shift->asset = &f->market->assets[number];
    return true;
}

/* The nodes of a model's number, of the first model that has the one that is meant, else of the
 * first that has any. */
static levy_nodes factor_parameter(const factor_frame *f, const levy_factor_name *name,
                                   const levy_shift *shift, levy_origin origin)
{
    levy_nodes first = {0};
    for (size_t m = 0; m < f->problem->n_models; ++m) {
        const levy_model *const model = &f->problem->models[m];
        if (!f->market->model_map.items[m].good) continue;
        const levy_nodes nodes =
            levy_parameter_nodes(levy_model_kinds[model->kind], model->terms, name->parameter,
                                 levy_model_asset(model, shift->asset));
        if (!nodes.times) continue;
        if (levy_nodes_find(nodes, origin, name->node, (size_t)name->m) != SIZE_MAX) return nodes;
        if (!first.times) first = nodes;
    }
    return first;
}

/* Finds the node that is meant. */
static bool factor_node(const factor_frame *f, const levy_raw_shift *raw, const char *path,
                        const levy_factor_name *name, levy_shift *shift)
{
    const levy_factor *const factor = &levy_factors[shift->factor];
    const void *const owner = shift->curve ? (const void *)shift->curve : shift->asset;
    const levy_origin origin = {f->build->has_date, f->build->valuation};
    char first[LEVY_NUMBER_SIZE];
    if (!owner)
        return factor_refuse(f, raw, path, "Name one asset or curve.",
                             "a node belongs to one term structure");
    const levy_nodes nodes = name->parameter ? factor_parameter(f, name, shift, origin)
                                             : levy_factor_nodes(factor, owner);
    if (!nodes.times || nodes.n == 0)
        return factor_refuse(
            f, raw, path, "Remove the brackets.",
            levy_check_text(f->build, "'%s' has no nodes: it is one number", raw->factor));
    shift->node = levy_nodes_find(nodes, origin, name->node, (size_t)name->m);
    if (shift->node != SIZE_MAX) {
        shift->time = nodes.times[shift->node];
        return true;
    }
    levy_node_name(origin, nodes.times[0], first);
    return factor_refuse(
        f, raw, path,
        levy_check_text(f->build, "Name a node as it is written; the first is [%s].", first),
        levy_check_text(f->build, "'%s' has no such node", raw->factor));
}

/* A correlation of two assets. */
static bool factor_pair(const factor_frame *f, const levy_raw_shift *raw, const char *path,
                        const levy_pair_name *pair, levy_shift *shift)
{
    const levy_market_map *const map = &f->market->asset_map;
    const char *const one = levy_check_text(f->build, "%.*s", pair->a.n, pair->a.name),
                      *const other = levy_check_text(f->build, "%.*s", pair->b.n, pair->b.name);
    const size_t a = factor_number(f, raw, path, map, one),
                 b = a == LEVY_NO_NAME ? a : factor_number(f, raw, path, map, other);
    if (b == LEVY_NO_NAME) return false;
    if (a == b)
        return factor_refuse(f, raw, path,
                             pair->a.is_variance == pair->b.is_variance
                                 ? "Name two different assets."
                                 : "Shift the model's own number, such as NAME.rho.",
                             "a correlation is of two different assets");
    shift->factor = LEVY_SHIFT_CORRELATION;
    shift->asset = &f->market->assets[a];
    shift->other = &f->market->assets[b];
    shift->of_variance[0] = pair->a.is_variance;
    shift->of_variance[1] = pair->b.is_variance;
    return true;
}

static bool factor_days(const factor_frame *f, const levy_raw_shift *raw, const char *path,
                        levy_shift *shift)
{
    const levy_factor *const days = &levy_factors[LEVY_SHIFT_DAYS];
    shift->factor = LEVY_SHIFT_DAYS;
    if (levy_bounds_allow(days->low, days->high, false, raw->size)) return true;
    return LEVY_REFUSE(f->build, RANGE, levy_check_at(raw->node, "size"),
                       levy_check_text(f->build, "%s.size", path),
                       "Time passes by whole days or parts of them.", "%s; got %s", days->bounds,
                       levy_check_number(f->build, raw->size));
}

bool levy_scenario_factor(levy_check *build, const levy_market *market, const levy_problem *problem,
                          const levy_raw_shift *raw, const char *path, levy_shift *shift)
{
    const factor_frame frame = {build, market, problem}, *const f = &frame;
    levy_factor_name name;
    levy_pair_name pair;
    *shift = (levy_shift){.relative = raw->type == 0, .size = raw->size, .node = SIZE_MAX};
    if (strcmp(raw->factor, levy_factors[LEVY_SHIFT_DAYS].name) == 0)
        return factor_days(f, raw, path, shift);
    if (levy_pair_read(raw->factor, &pair)) return factor_pair(f, raw, path, &pair, shift);
    if (!levy_factor_read(raw->factor, strlen(raw->factor), &name))
        return factor_refuse_factor(f, raw, path);
    if (levy_factors[name.factor].owner == LEVY_FACTOR_MODEL)
        return factor_refuse(f, raw, path, "Set it as a quote: --set, or levy_book_set.",
                             "scenarios share the draws of today's market, and the model's are "
                             "made with this number");
    shift->factor = name.factor;
    shift->parameter = name.parameter;
    if (!factor_owner(f, raw, path, &name, shift)) return false;
    if (name.node) return factor_node(f, raw, path, &name, shift);
    if (shift->factor != LEVY_SHIFT_DIVIDENDS || shift->relative) return true;
    return factor_refuse(f, raw, path, "Write type: relative, or name the dividend's date.",
                         "dividends move together by a share, not by an amount");
}
