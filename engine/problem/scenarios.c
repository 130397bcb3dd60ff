/* scenarios.c: see scenarios.h. A moved market must be one that a file could describe. If a file
 * with it would be refused, the trades that see it have no value in that scenario; no number is cut
 * to fit. */
#include "engine/problem/scenarios.h"

#include "engine/market/correlation_build.h"
#include "engine/market/factor.h"
#include "engine/market/parameter.h"
#include "engine/problem/scenario_factor.h"

#include <string.h>

/* A scenario as written, while it is resolved. */
typedef struct scenarios_frame {
    levy_check *build;
    const levy_market *market;
    const levy_problem *problem; /* its models */
    const levy_raw_scenario *raw;
    const char *path; /* "scenarios[2]" */
} scenarios_frame;

/* Whether two shifts move the same number. */
static bool scenarios_overlap(const levy_shift *a, const levy_shift *b)
{
    const bool same = a->node == b->node && a->time == b->time;
    const bool node = same || a->node == SIZE_MAX || b->node == SIZE_MAX;
    if (a->factor != b->factor || !node) return false;
    if (a->parameter && strcmp(a->parameter, b->parameter) != 0) return false;
    if (a->factor == LEVY_SHIFT_CORRELATION)
        return levy_shift_is_of(a, levy_shift_one(b, 0), levy_shift_one(b, 1)) ||
               levy_shift_is_of(a, levy_shift_one(b, 1), levy_shift_one(b, 0));
    if (a->factor == LEVY_SHIFT_RATE) return !a->curve || !b->curve || a->curve == b->curve;
    return !a->asset || !b->asset || a->asset == b->asset;
}

/* ---- What the shift makes of the market ---- */

static void scenarios_object(const scenarios_frame *f, const levy_raw_shift *raw, const char *path,
                             const levy_scenario_fault *fault, levy_scenario *scenario)
{
    if (!LEVY_CHECK_GROW(f->build, scenario->faults, scenario->n_faults, scenario->fault_room, 4))
        return;
    levy_scenario_fault *kept = &scenario->faults[scenario->n_faults++];
    *kept = *fault;
    kept->node = raw->node;
    kept->path = path;
}

/* The correlation that is shifted, in a piece of a model; LEVY_NO_CORRELATION: the model takes
 * none.
 */
static double scenarios_pair(const levy_shift *shift, const levy_model *model, size_t piece)
{
    const size_t n = model->n_assets, a = levy_model_asset(model, shift->asset),
                 b = levy_model_asset(model, shift->other);
    if (a == n || b == n) return LEVY_NO_CORRELATION;
    return levy_correlation_own(&model->correlation, piece, a + shift->of_variance[0] * n,
                                b + shift->of_variance[1] * n);
}

/* Says why a model's correlation cannot be shifted like this; NULL: it can. */
static const char *scenarios_bad_pair(const levy_shift *shift, const levy_model *model)
{
    const levy_factor *const factor = &levy_factors[LEVY_SHIFT_CORRELATION];
    if (scenarios_pair(shift, model, 0) == LEVY_NO_CORRELATION) return NULL;
    for (size_t k = 0; k < levy_correlation_pieces(&model->correlation); ++k) {
        const double rho = levy_shift_moves(shift, SIZE_MAX, scenarios_pair(shift, model, k));
        if (!levy_bounds_allow(factor->low, factor->high, false, rho)) return factor->bounds;
    }
    return NULL;
}

/* The same of an asset and a rate of exchange, which trades take from the book. */
static const char *scenarios_bad_rate(const scenarios_frame *f, const levy_shift *shift, bool *seen)
{
    const levy_factor *const factor = &levy_factors[LEVY_SHIFT_CORRELATION];
    const levy_correlation_data *const data = f->problem->correlations;
    const size_t n = data->n_assets,
                 a = (size_t)(shift->asset - f->market->assets) + shift->of_variance[0] * n,
                 b = (size_t)(shift->other - f->market->assets) + shift->of_variance[1] * n;
    *seen = ((shift->asset->base_curve && a < n) || (shift->other->base_curve && b < n)) &&
            data->good && data->n > 0 &&
            levy_correlation_given(data, 0, a, b) != LEVY_NO_CORRELATION;
    for (size_t k = 0; *seen && k < data->n_pieces; ++k) {
        const double rho = levy_shift_moves(shift, SIZE_MAX, levy_correlation_given(data, k, a, b));
        if (!levy_bounds_allow(factor->low, factor->high, false, rho)) return factor->bounds;
    }
    return NULL;
}

/* "A.spot,B.variance" */
static const char *scenarios_name_pair(const scenarios_frame *f, const levy_shift *shift)
{
    return levy_check_text(f->build, "%s%s,%s%s", shift->asset->name,
                           levy_pair_end(shift->of_variance[0]), shift->other->name,
                           levy_pair_end(shift->of_variance[1]));
}

static void scenarios_warn_pair(const scenarios_frame *f, const levy_raw_shift *raw,
                                const char *path, const levy_shift *shift)
{
    const levy_node *const node = levy_check_at(raw->node, "factor");
    const char *const at = levy_check_text(f->build, "%s.factor", path);
    if (shift->of_variance[0] || shift->of_variance[1])
        LEVY_WARN(f->build, INCONSISTENT, node, at,
                  "Give it in market.correlations, or shift NAME,OTHER.correlation.",
                  "no model takes %s from the book: the shift has no effect",
                  scenarios_name_pair(f, shift));
    else
        LEVY_WARN(f->build, INCONSISTENT, node, at, "Name two assets of one model.",
                  "no model has both %s and %s: the shift has no effect", shift->asset->name,
                  shift->other->name);
}

static void scenarios_check_pair(const scenarios_frame *f, const levy_raw_shift *raw,
                                 const char *path, const levy_shift *shift, levy_scenario *scenario)
{
    const char *bad = NULL;
    bool seen = false;
    for (size_t m = 0; m < f->problem->n_models && !bad; ++m) {
        const levy_model *const model = &f->problem->models[m];
        if (!f->market->model_map.items[m].good) continue;
        bad = scenarios_bad_pair(shift, model);
        seen = seen || scenarios_pair(shift, model, 0) != LEVY_NO_CORRELATION;
    }
    if (!seen) bad = scenarios_bad_rate(f, shift, &seen);
    if (!seen) scenarios_warn_pair(f, raw, path, shift);
    if (!bad) return;
    const char *const why =
        levy_check_text(f->build, "%s: %s; the shift is %s", scenarios_name_pair(f, shift), bad,
                        levy_check_number(f->build, shift->size));
    scenarios_object(
        f, raw, path,
        &(levy_scenario_fault){.asset = shift->asset, .other = shift->other, .why = why}, scenario);
}

/* Notes every asset whose models' numbers the shift makes impossible, and says if it moves none. */
static void scenarios_check_parameter(const scenarios_frame *f, const levy_raw_shift *raw,
                                      const char *path, const levy_shift *shift,
                                      levy_scenario *scenario)
{
    const levy_moved moved = {.n_shifts = 1, .shifts = shift};
    bool seen = false;
    for (size_t m = 0; m < f->problem->n_models; ++m) {
        const levy_model *const model = &f->problem->models[m];
        const levy_model_kind *const kind = levy_model_kinds[model->kind];
        const levy_model_terms *terms;
        if (!f->market->model_map.items[m].good) continue;
        if (levy_moved_terms(&moved, kind, model->terms, model->assets, model->n_assets,
                             f->build->arena, &terms) != LEVY_OK)
            f->build->out_of_memory = true;
        if (f->build->out_of_memory || terms == model->terms) continue;
        seen = true;
        const char *const bad = levy_parameters_objection(kind, terms, model->n_assets);
        for (size_t a = 0; bad && a < model->n_assets; ++a)
            if (levy_shift_hits(shift, LEVY_SHIFT_PARAMETER, model->assets[a]))
                scenarios_object(
                    f, raw, path,
                    &(levy_scenario_fault){
                        .asset = model->assets[a],
                        .why = levy_check_text(f->build, "%s: %s; the shift is %s", raw->factor,
                                               bad, levy_check_number(f->build, shift->size))},
                    scenario);
    }
    if (!seen)
        LEVY_WARN(f->build, INCONSISTENT, levy_check_at(raw->node, "factor"),
                  levy_check_text(f->build, "%s.factor", path),
                  "Name an asset of a model that has the number.",
                  "no model has '%s': the shift has no effect", raw->factor);
}

/* Notes every asset or curve that the shift makes impossible. */
static void scenarios_check(const scenarios_frame *f, const levy_raw_shift *raw, const char *path,
                            const levy_shift *shift, levy_scenario *scenario)
{
    if (shift->factor == LEVY_SHIFT_DAYS) return;
    if (shift->factor == LEVY_SHIFT_CORRELATION) {
        scenarios_check_pair(f, raw, path, shift, scenario);
        return;
    }
    if (shift->factor == LEVY_SHIFT_PARAMETER) {
        scenarios_check_parameter(f, raw, path, shift, scenario);
        return;
    }
    const bool is_curve = levy_factors[shift->factor].owner == LEVY_FACTOR_CURVE;
    const levy_market_map *map = is_curve ? &f->market->curve_map : &f->market->asset_map;
    size_t first = 0, end = map->names.count;
    if (shift->curve) first = (size_t)(shift->curve - f->market->curves), end = first + 1;
    if (shift->asset) first = (size_t)(shift->asset - f->market->assets), end = first + 1;
    for (size_t i = first; i < end; ++i) {
        const levy_asset *asset = is_curve ? NULL : &f->market->assets[i];
        const levy_curve *curve = is_curve ? &f->market->curves[i] : NULL;
        if (!map->items[i].good) continue;
        const char *const bad =
            levy_shift_objection(shift, is_curve ? (const void *)curve : (const void *)asset);
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
    if (!levy_scenario_factor(f->build, f->market, f->problem, raw, path, &shifts[n])) return false;
    for (size_t i = 0; i < n; ++i)
        if (scenarios_overlap(&shifts[i], &shifts[n]))
            return LEVY_REFUSE(f->build, DUPLICATE_KEY, levy_check_at(raw->node, "factor"),
                               levy_check_text(f->build, "%s.factor", path),
                               "Combine the two shifts.",
                               "'%s' is already shifted in this scenario", raw->factor);
    if (shifts[n].factor == LEVY_SHIFT_DAYS) scenario->elapsed = shifts[n].size / 365.0;
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
    for (size_t i = 0; axes && i < f->raw->grid.count; ++i) {
        const bool days = strcmp(grid[i].factor, "days") == 0; /* a count, whatever the type */
        axes[i] = (levy_axis){grid[i].factor, grid[i].type == 0 && !days, grid[i].size};
    }
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
        const scenarios_frame frame = {build, market, problem, &raw[i],
                                       levy_check_text(build, "scenarios[%zu]", i)};
        bool fine = scenarios_check_form(&frame, &ids);
        for (size_t point = 0; fine && point < scenarios_points(&raw[i]); ++point)
            fine = scenarios_point(&frame, point, &problem->scenarios[problem->n_scenarios++]);
        good &= fine;
    }
    return good;
}
