/* scenarios.c: see scenarios.h. A moved market must be one that the file could have described:
 * where it would be refused, the trades that see it have no value in that scenario, and nothing is
 * cut to fit. */
#include "engine/problem/scenarios.h"

#include "engine/market/factor.h"
#include "models/model.h"

#include <string.h>

/* A scenario as written, while it is resolved. */
typedef struct scenarios_frame {
    levy_check *build;
    const levy_market *market;
    const levy_raw_scenario *raw;
    const char *path; /* "scenarios[2]" */
} scenarios_frame;

/* ---- Factors ---- */

/* The name of a factor that may have been meant by `name`; NULL: none. */
static const char *scenarios_near(const char *name)
{
    const char *names[LEVY_SHIFT_COUNT + 1], *more[LEVY_SHIFT_COUNT + 1];
    const size_t n = levy_factor_names(LEVY_FACTOR_ASSET, names),
                 m = levy_factor_names(LEVY_FACTOR_CURVE, more);
    memcpy(names + n, more, (m + 1) * sizeof *more);
    return levy_nearest(name, names);
}

static bool scenarios_refuse_factor(const scenarios_frame *f, const levy_raw_shift *raw,
                                    const char *path)
{
    const char *dot = strrchr(raw->factor, '.');
    const char *near = dot ? scenarios_near(dot + 1) : NULL;
    const char *owner =
        levy_check_text(f->build, "%.*s", dot ? (int)(dot - raw->factor) : 0, raw->factor);
    if (!dot && levy_names_find(&f->market->asset_map.names, raw->factor) != LEVY_NO_NAME)
        owner = raw->factor, near = "spot";
    if (!dot && !near && levy_names_find(&f->market->curve_map.names, raw->factor) != LEVY_NO_NAME)
        owner = raw->factor, near = "rate";
    const char *meant =
        near ? levy_check_text(f->build, "; did you mean '%s.%s'?", owner, near) : "";
    return LEVY_REFUSE(f->build, UNKNOWN_NAME, levy_check_at(raw->node, "factor"),
                       levy_check_text(f->build, "%s.factor", path),
                       levy_check_text(f->build,
                                       "Factors are %s. ALL.spot, ALL.rate and so on "
                                       "shift all of them.",
                                       levy_factor_list),
                       "'%s' is not a factor%s", raw->factor, meant);
}

/* Finds whose factor it is: an asset's, a curve's, or that of all of them. */
static bool scenarios_owner(const scenarios_frame *f, const levy_raw_shift *raw, const char *path,
                            const char *owner, levy_shift *shift)
{
    const bool rate = shift->factor == LEVY_SHIFT_RATE;
    const levy_market_map *map = rate ? &f->market->curve_map : &f->market->asset_map;
    const size_t number = levy_names_find(&map->names, owner);
    if (number == LEVY_NO_NAME && strcmp(owner, "ALL") == 0) return true;
    if (number != LEVY_NO_NAME) {
        if (rate)
            shift->curve = &f->market->curves[number];
        else
            shift->asset = &f->market->assets[number];
        return map->items[number].good;
    }
    if (f->build->broken) return false;
    char meant[LEVY_MEANT_SIZE];
    const char *near = map->names.count ? levy_nearest(owner, map->names.items) : NULL;
    return LEVY_REFUSE(f->build, UNKNOWN_NAME, levy_check_at(raw->node, "factor"),
                       levy_check_text(f->build, "%s.factor", path),
                       rate ? "Use the name of a curve in market.curves."
                            : "Use the name of an asset in market.assets.",
                       "there is no %s '%s'%s", map->noun, owner, levy_meant(near, meant));
}

static bool scenarios_factor(const scenarios_frame *f, const levy_raw_shift *raw, const char *path,
                             levy_shift *shift)
{
    const char *const dot = strrchr(raw->factor, '.');
    const size_t factor = dot ? levy_factor_find(dot + 1, strlen(dot + 1)) : LEVY_SHIFT_COUNT;
    if (factor == LEVY_SHIFT_COUNT || !levy_factors[factor].read)
        return scenarios_refuse_factor(f, raw, path);
    *shift = (levy_shift){
        .factor = (int32_t)factor, .relative = raw->type == 0, .size = raw->size, .node = SIZE_MAX};
    return scenarios_owner(f, raw, path,
                           levy_check_text(f->build, "%.*s", (int)(dot - raw->factor), raw->factor),
                           shift);
}

/* Whether two shifts move the same number. */
static bool scenarios_overlap(const levy_shift *a, const levy_shift *b)
{
    if (a->factor != b->factor) return false;
    if (a->factor == LEVY_SHIFT_RATE) return !a->curve || !b->curve || a->curve == b->curve;
    return !a->asset || !b->asset || a->asset == b->asset;
}

/* ---- What the shift makes of the market ---- */

static void scenarios_object(const scenarios_frame *f, const levy_raw_shift *raw, const char *path,
                             const levy_scenario_fault *fault, levy_scenario *scenario)
{
    levy_scenario_fault *faults = levy_check_extend(f->build, scenario->faults, scenario->n_faults,
                                                    &scenario->fault_room, 4, sizeof *faults);
    if (!faults) return;
    scenario->faults = faults;
    levy_scenario_fault *kept = &scenario->faults[scenario->n_faults++];
    *kept = *fault;
    kept->node = raw->node;
    kept->path = path;
}

/* Notes every asset or curve that the shift makes impossible. */
static void scenarios_check(const scenarios_frame *f, const levy_raw_shift *raw, const char *path,
                            const levy_shift *shift, levy_scenario *scenario)
{
    const bool rate = shift->factor == LEVY_SHIFT_RATE;
    const levy_market_map *map = rate ? &f->market->curve_map : &f->market->asset_map;
    size_t first = 0, end = map->names.count;
    if (shift->curve) first = (size_t)(shift->curve - f->market->curves), end = first + 1;
    if (shift->asset) first = (size_t)(shift->asset - f->market->assets), end = first + 1;
    for (size_t i = first; i < end; ++i) {
        const levy_asset *asset = rate ? NULL : &f->market->assets[i];
        const levy_curve *curve = rate ? &f->market->curves[i] : NULL;
        if (!map->items[i].good) continue;
        const char *const bad =
            levy_shift_objection(shift, rate ? (const void *)curve : (const void *)asset);
        if (!bad) continue;
        const char *why = levy_check_text(f->build, "%s: %s; the shift is %s", map->names.items[i],
                                          bad, levy_check_number(f->build, shift->size));
        scenarios_object(f, raw, path,
                         &(levy_scenario_fault){.asset = asset, .curve = curve, .why = why},
                         scenario);
    }
}

/* ---- Scenarios ---- */

/* Resolves shift number n of a scenario, after those before it. */
static bool scenarios_shift(const scenarios_frame *f, const levy_raw_shift *raw, const char *path,
                            levy_scenario *scenario, size_t n)
{
    levy_shift *shifts = scenario->shifts;
    if (!scenarios_factor(f, raw, path, &shifts[n])) return false;
    for (size_t i = 0; i < n; ++i)
        if (scenarios_overlap(&shifts[i], &shifts[n]))
            return LEVY_REFUSE(f->build, DUPLICATE_KEY, levy_check_at(raw->node, "factor"),
                               levy_check_text(f->build, "%s.factor", path),
                               "Combine the two shifts.",
                               "'%s' is already shifted in this scenario", raw->factor);
    scenarios_check(f, raw, path, &shifts[n], scenario);
    return true;
}

/* Fills the grid's axes for its point number `point`; the last axis varies fastest. Returns their
 * sizes as text. */
static const char *scenarios_axes(const scenarios_frame *f, size_t point, levy_raw_shift *axes)
{
    const levy_raw_shift *grid = f->raw->grid.items;
    const char *sizes = "";
    for (size_t i = f->raw->grid.count; i-- > 0;) {
        axes[i] = grid[i];
        axes[i].size = ((const double *)grid[i].sizes.items)[point % grid[i].sizes.count];
        point /= grid[i].sizes.count;
        sizes = levy_check_text(f->build, "%s%s%s", levy_check_number(f->build, axes[i].size),
                                *sizes ? "," : "", sizes);
    }
    return sizes;
}

/* Keeps the scenario's name and its place on the axes. */
static bool scenarios_name(const scenarios_frame *f, const levy_raw_shift *grid,
                           levy_scenario *scenario)
{
    levy_axis *const axes = levy_check_allocate(f->build, f->raw->grid.count, sizeof *axes);
    for (size_t i = 0; axes && i < f->raw->grid.count; ++i)
        axes[i] = (levy_axis){grid[i].factor, grid[i].type == 0, grid[i].size};
    scenario->name = f->raw->id;
    scenario->axes = axes;
    scenario->n_axes = f->raw->grid.count;
    return axes != NULL;
}

static bool scenarios_point(const scenarios_frame *f, size_t point, levy_scenario *scenario)
{
    const levy_raw_shift *shifts = f->raw->shifts.items;
    const size_t n = f->raw->shifts.count, axes = f->raw->grid.count;
    levy_raw_shift *grid = levy_check_allocate(f->build, axes, sizeof *grid);
    scenario->shifts = levy_check_allocate(f->build, n + axes, sizeof *scenario->shifts);
    scenario->n_shifts = n + axes;
    if (!grid || !scenario->shifts) return false;
    const char *sizes = scenarios_axes(f, point, grid);
    if (!scenarios_name(f, grid, scenario)) return false;
    scenario->id = axes ? levy_check_text(f->build, "%s[%s]", f->raw->id, sizes) : f->raw->id;
    bool good = true;
    for (size_t i = 0; good && i < n; ++i)
        good = scenarios_shift(
            f, &shifts[i], levy_check_text(f->build, "%s.shifts[%zu]", f->path, i), scenario, i);
    for (size_t i = 0; good && i < axes; ++i)
        good = scenarios_shift(f, &grid[i], levy_check_text(f->build, "%s.grid[%zu]", f->path, i),
                               scenario, n + i);
    return good;
}

/* The number of points of the grid, at most LEVY_MOST_SCENARIOS + 1. */
static size_t scenarios_points(const levy_raw_scenario *raw)
{
    const levy_raw_shift *grid = raw->grid.items;
    size_t n = 1;
    for (size_t i = 0; i < raw->grid.count && n <= LEVY_MOST_SCENARIOS; ++i)
        n *= grid[i].sizes.count;
    return n <= LEVY_MOST_SCENARIOS ? n : LEVY_MOST_SCENARIOS + 1;
}

/* Sizes must differ, because they tell the points of a grid apart. */
static bool scenarios_check_axes(const scenarios_frame *f)
{
    const levy_raw_shift *grid = f->raw->grid.items;
    for (size_t i = 0; i < f->raw->grid.count; ++i) {
        const double *sizes = grid[i].sizes.items;
        for (size_t k = 1; k < grid[i].sizes.count; ++k)
            for (size_t j = 0; j < k; ++j)
                if (sizes[j] == sizes[k])
                    return LEVY_REFUSE(f->build, DUPLICATE_KEY, grid[i].sizes.node,
                                       levy_check_text(f->build, "%s.grid[%zu].sizes", f->path, i),
                                       "Write each size once.", "the size %s is listed twice",
                                       levy_check_number(f->build, sizes[k]));
    }
    return true;
}

static bool scenarios_check_form(const scenarios_frame *f, levy_names *ids)
{
    const levy_node *node = levy_check_at(f->raw->node, "id");
    if (f->raw->shifts.count + f->raw->grid.count == 0)
        return LEVY_REFUSE(f->build, MISSING_KEY, f->raw->node, f->path,
                           "Add shifts: [{factor: SPX.spot, size: -0.10}].",
                           "needs shifts, or a grid");
    if (levy_names_find(ids, f->raw->id) != LEVY_NO_NAME)
        return LEVY_REFUSE(
            f->build, DUPLICATE_KEY, node, levy_check_text(f->build, "%s.id", f->path),
            "Give each scenario its own id.", "the id '%s' is already used", f->raw->id);
    if (levy_names_add(ids, f->build->arena, f->raw->id) == LEVY_NO_NAME)
        f->build->out_of_memory = true;
    return !f->build->out_of_memory && scenarios_check_axes(f);
}

bool levy_scenarios_build(levy_check *build, const levy_market *market, const levy_list *list,
                          levy_problem *problem)
{
    const levy_raw_scenario *raw = list->items;
    levy_names ids = {0};
    size_t room = 0;
    if (levy_check_refused(build, "scenarios") || build->broken) return false;
    for (size_t i = 0; i < list->count; ++i) room += scenarios_points(&raw[i]);
    if (room > LEVY_MOST_SCENARIOS)
        return LEVY_REFUSE(
            build, LIMIT, list->node, "scenarios", "Split the book, or make the grids coarser.",
            "at most %d scenarios; each point of a grid counts as one", LEVY_MOST_SCENARIOS);
    problem->scenarios = levy_check_allocate(build, room, sizeof *problem->scenarios);
    if (!problem->scenarios) return false;
    bool good = true;
    for (size_t i = 0; i < list->count && !build->out_of_memory; ++i) {
        const scenarios_frame frame = {build, market, &raw[i],
                                       levy_check_text(build, "scenarios[%zu]", i)};
        bool fine = scenarios_check_form(&frame, &ids);
        for (size_t point = 0; fine && point < scenarios_points(&raw[i]); ++point)
            fine = scenarios_point(&frame, point, &problem->scenarios[problem->n_scenarios++]);
        good &= fine;
    }
    return good;
}

/* ---- What is left without a value ---- */

static bool scenarios_sees(const levy_trade *trade, const levy_scenario_fault *fault)
{
    bool sees = fault->curve && fault->curve == trade->discount_curve;
    for (size_t i = 0; i < trade->n_underlyings; ++i) {
        const levy_asset *asset = trade->model->assets[trade->underlyings[i]];
        sees = sees || (fault->asset ? fault->asset == asset : fault->curve == asset->curve);
    }
    return sees;
}

bool levy_scenario_moves_volatility(const levy_scenario *scenario, const levy_trade *trade)
{
    bool moves = false;
    for (size_t k = 0; k < scenario->n_shifts; ++k) {
        const levy_shift *shift = &scenario->shifts[k];
        bool ours = !shift->asset;
        for (size_t i = 0; i < trade->n_underlyings; ++i)
            ours = ours || trade->model->assets[trade->underlyings[i]] == shift->asset;
        moves = moves || (ours && shift->factor == LEVY_SHIFT_VOLATILITY);
    }
    return moves;
}

bool levy_model_scales_once(const levy_model *model)
{
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    return levy_model_features(model->kind, model->terms) & LEVY_MODEL_SHARED &&
           !(kind->volatility && kind->volatility(model->terms, 0) > 0.0);
}

const char *levy_scenario_objection(const levy_scenario *scenario, const levy_trade *trade)
{
    const bool driven =
        levy_model_features(trade->model->kind, trade->model->terms) & LEVY_MODEL_DRIVEN;
    if (driven && levy_scenario_moves_volatility(scenario, trade))
        return levy_model_scales_once(trade->model)
                   ? "the model's table, scaled to the quoted volatilities, serves all scenarios"
                   : "the model does not use the market's volatilities";
    for (size_t i = 0; i < scenario->n_faults; ++i)
        if (scenarios_sees(trade, &scenario->faults[i])) return scenario->faults[i].why;
    return NULL;
}

/* Points of a grid that share an impossible size get one warning. */
void levy_scenarios_warn(levy_check *build, const levy_problem *problem)
{
    const levy_scenario_fault *last = NULL;
    for (size_t i = 0; i < problem->n_scenarios; ++i)
        for (size_t k = 0; k < problem->scenarios[i].n_faults; ++k) {
            const levy_scenario_fault *fault = &problem->scenarios[i].faults[k];
            if (last && last->node == fault->node) continue;
            bool seen = false;
            for (size_t t = 0; t < problem->n_trades && !seen; ++t)
                seen = levy_trade_is_planned(&problem->trades[t]) &&
                       scenarios_sees(&problem->trades[t], fault);
            if (!seen) continue;
            last = fault;
            LEVY_WARN(build, RANGE, fault->node, fault->path,
                      "Check the size, and whether type is relative or absolute.",
                      "%s: trades on it have no value in the scenario '%s'", fault->why,
                      problem->scenarios[i].id);
        }
}
