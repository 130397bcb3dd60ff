/* simulation.c: see simulation.h. The rules across keys: paths, the order of a bridge, tolerance,
 * bumps and measures. */
#include "engine/problem/simulation.h"

#include "kernels/points/point_set.h"

#include <string.h>

const char *levy_construction_text(int32_t construction)
{
    static const char *const names[] = {"bridge", "incremental", "pca"};
    return names[construction];
}

const char *levy_precision_text(int32_t precision)
{
    static const char *const names[] = {"double", "single", "mixed"};
    return names[precision];
}

/* ---- Rules across keys ---- */

static uint64_t simulation_most_points(const levy_simulation *s)
{
    return s->supply == LEVY_SUPPLY_SET ? s->points->n_points
                                        : (uint64_t)1 << levy_net_log_points(s->net);
}

/* A file has as many points as its author made, and Halton's need no power of two. */
static bool simulation_any_number(const levy_simulation *s)
{
    return !levy_simulation_is_quasi(s) ||
           (s->supply == LEVY_SUPPLY_SET && s->points->kind != LEVY_SET_LATTICE);
}

/* replicates * 2^k nearest to `paths`, below and above, within the limits. */
static void simulation_nearest(uint64_t paths, uint64_t replicates, uint64_t most, uint64_t *below,
                               uint64_t *above)
{
    uint64_t points = 2;
    while (points < most && points * 2 * replicates <= paths) points *= 2;
    *below = points * replicates;
    *above = points < most && *below < paths ? *below * 2 : *below;
}

static bool simulation_check_paths(levy_check *build, const levy_node *node,
                                   const levy_simulation *s)
{
    const uint64_t most = simulation_most_points(s), points = s->paths / s->replicates;
    const levy_node *place = levy_check_at(node, "paths");
    const char *path = "simulation.paths";
    if (points > most && s->net)
        return LEVY_REFUSE(build, LIMIT, place, path,
                           "Use fewer paths, more replicates, or a net with more columns.",
                           "the net '%s' has 2^%u points, which is less than %llu per replicate",
                           s->net_file, (unsigned)levy_net_log_points(s->net),
                           (unsigned long long)points);
    if (points > most && s->supply == LEVY_SUPPLY_SET && most < (uint64_t)1 << 32)
        return LEVY_REFUSE(build, LIMIT, place, path,
                           "Use fewer paths, more replicates, or a file of more points.",
                           "'%s' has %llu points, which is less than %llu per replicate",
                           s->net_file, (unsigned long long)most, (unsigned long long)points);
    if (points > most)
        return LEVY_REFUSE(build, LIMIT, place, path, "Use fewer paths, or more replicates.",
                           "at most 2^32 paths per replicate; got %llu",
                           (unsigned long long)points);
    if (s->paths % s->replicates != 0 && simulation_any_number(s))
        return LEVY_REFUSE(build, RANGE, place, path, "Every replicate has the same paths.",
                           "paths must be a multiple of replicates (%llu); got %llu",
                           (unsigned long long)s->replicates, (unsigned long long)s->paths);
    if (simulation_any_number(s)) return true;
    if (s->paths % s->replicates == 0 && points >= 2 && (points & (points - 1)) == 0) return true;
    uint64_t below, above;
    simulation_nearest(s->paths, s->replicates, most, &below, &above);
    const char *nearest =
        below == above ? levy_check_text(build, "nearest is %llu", (unsigned long long)below)
                       : levy_check_text(build, "nearest are %llu and %llu",
                                         (unsigned long long)below, (unsigned long long)above);
    return LEVY_REFUSE(
        build, RANGE, place, path,
        levy_check_text(build,
                        "The number of %s points is a power of two. philox accepts any number.",
                        s->supply || s->net ? levy_generator_text(s) : "Sobol"),
        "paths must be replicates (%llu) times a power of two, at least 2; got %llu, %s",
        (unsigned long long)s->replicates, (unsigned long long)s->paths, nearest);
}

static bool simulation_check(levy_check *build, const levy_node *node, const levy_simulation *s)
{
    const bool set = s->supply == LEVY_SUPPLY_SET;
    const uint32_t own = set ? s->points->n_replicates : 0;
    if (own && s->replicates > own)
        return LEVY_REFUSE(build, LIMIT, levy_check_at(node, "replicates"), "simulation.replicates",
                           "Use fewer replicates, or a file of more.",
                           "'%s' has %u replicate%s; got %llu", s->net_file, (unsigned)own,
                           own == 1 ? "" : "s", (unsigned long long)s->replicates);
    if (s->generator != LEVY_GENERATOR_SOBOL_SCRAMBLED && s->replicates != 1 &&
        s->supply != LEVY_SUPPLY_CALLER)
        return LEVY_REFUSE(
            build, INCONSISTENT, levy_check_at(node, "replicates"), "simulation.replicates",
            set      ? "Remove replicates, or scrambling: none."
            : s->net ? "Remove replicates, or use scrambling: matrix."
                     : "Remove replicates, or use generator: sobol_scrambled.",
            "generator %s%s has one replicate; got %llu", levy_generator_text(s),
            s->net || set ? " without scrambling" : "", (unsigned long long)s->replicates);
    return simulation_check_paths(build, node, s);
}

/* ---- The order of a bridge ---- */

static const levy_node *simulation_item(const levy_list *list, size_t index)
{
    const levy_node *node = list->node ? list->node->children : NULL;
    for (; node && index > 0; --index) node = node->next;
    return node;
}

/* The order must be a permutation of 1 .. its length. The plan checks whether a trade's grid has
 * that many dates. */
static bool simulation_order(levy_check *build, const levy_list *list, levy_simulation *s)
{
    const char *const path = "simulation.construction.order";
    const uint64_t *const numbers = list->items;
    const size_t n = list->count;
    uint32_t *const order = levy_check_allocate(build, n, sizeof *order);
    uint32_t *const seen = levy_check_allocate(build, n, sizeof *seen);
    if (!order || !seen) return false;
    for (size_t i = 0; i < n; ++i) {
        const levy_node *node = simulation_item(list, i);
        const char *at = levy_check_text(build, "%s[%zu]", path, i);
        if (numbers[i] > n)
            return LEVY_REFUSE(build, RANGE, node, at,
                               "Write every number from 1 to the number of dates once.",
                               "the order has %zu dates; date %llu does not exist", n,
                               (unsigned long long)numbers[i]);
        if (seen[numbers[i] - 1])
            return LEVY_REFUSE(build, DUPLICATE_KEY, node, at,
                               "Write every number from 1 to the number of dates once.",
                               "date %llu occurs twice", (unsigned long long)numbers[i]);
        seen[numbers[i] - 1] = 1;
        order[i] = (uint32_t)numbers[i];
    }
    s->order = order;
    s->n_order = n;
    return true;
}

static bool simulation_first_dates(levy_check *build, const levy_list *list, levy_simulation *s)
{
    const levy_time *const times = list->items;
    double *const first = levy_check_allocate(build, list->count, sizeof *first);
    if (!first) return false;
    for (size_t i = 0; i < list->count; ++i) {
        const char *at = levy_check_text(build, "simulation.construction.first[%zu]", i);
        if (!levy_check_time(build, &times[i], at, &first[i])) return false;
        if (!(first[i] > 0.0))
            return LEVY_REFUSE(build, RANGE, simulation_item(list, i), at,
                               "Use dates of the trades' grids.",
                               "the date must be after the valuation");
        for (size_t j = 0; j < i; ++j)
            if (first[j] == first[i])
                return LEVY_REFUSE(build, DUPLICATE_KEY, simulation_item(list, i), at,
                                   "Write each date once.", "the date occurs twice");
    }
    s->first = first;
    s->n_first = list->count;
    return true;
}

static bool simulation_first(levy_check *build, const levy_raw_first *raw, levy_simulation *s)
{
    const int given = (raw->functional >= 0) + (raw->components > 0) + (raw->dates.node != NULL);
    if (given != 1)
        return LEVY_REFUSE(build, INCONSISTENT, raw->node, "simulation.construction.first",
                           "Write average, {components: 4} or a list of dates.",
                           "exactly one of average, components and dates can come first; got %d",
                           given);
    s->first_average = raw->functional >= 0;
    s->first_components = (uint32_t)raw->components;
    return !raw->dates.node || simulation_first_dates(build, &raw->dates, s);
}

static bool simulation_construction(levy_check *build, const levy_raw_construction *raw,
                                    levy_simulation *s)
{
    const levy_node *const node = raw->order.node ? raw->order.node : raw->first.node;
    if (!node) return true;
    const char *const key = raw->order.node ? "order" : "first";
    if (raw->order.node && raw->first.node)
        return LEVY_REFUSE(build, INCONSISTENT, raw->first.node, "simulation.construction.first",
                           "Keep one of the two.", "order already contains every date");
    if (raw->kind != LEVY_CONSTRUCTION_BRIDGE)
        return LEVY_REFUSE(
            build, INCONSISTENT, node, levy_check_text(build, "simulation.construction.%s", key),
            "Write kind: bridge, or remove it.", "only construction bridge has a build order");
    return raw->order.node ? simulation_order(build, &raw->order, s)
                           : simulation_first(build, &raw->first, s);
}

/* ---- Tolerance ---- */

static bool simulation_no_error(levy_check *build, const levy_node *node, const levy_simulation *s)
{
    const char *const plain = s->net ? "a net without scrambling" : "sobol";
    return LEVY_REFUSE(build, INCONSISTENT, node, "simulation.tolerance",
                       s->net ? "Use scrambling: matrix with several replicates."
                              : "Use generator: sobol_scrambled with several replicates.",
                       "%s has no standard error, and a tolerance needs one",
                       s->generator == LEVY_GENERATOR_SOBOL ? plain : "one replicate");
}

static bool simulation_tolerance(levy_check *build, const levy_raw_tolerance *raw,
                                 levy_simulation *s)
{
    const char *const path = "simulation.tolerance";
    levy_tolerance *const t = &s->tolerance;
    if (!raw->node) return true;
    *t = (levy_tolerance){.asked = true,
                          .absolute = raw->absolute > 0.0 ? raw->absolute : 0.0,
                          .inflate = raw->inflate,
                          .relative = raw->relative > 0.0 ? raw->relative : 0.0,
                          .confidence = raw->confidence > 0.0 ? raw->confidence : s->confidence,
                          .max_paths = raw->max_paths ? raw->max_paths : (uint64_t)1 << 26};
    if (t->absolute == 0.0 && t->relative == 0.0)
        return LEVY_REFUSE(build, MISSING_KEY, raw->node, path,
                           "Write {absolute: 0.01} or {relative: 0.0001}.",
                           "a tolerance needs absolute or relative");
    if (levy_simulation_is_quasi(s) && s->replicates < 2)
        return simulation_no_error(build, raw->node, s);
    uint64_t most = s->paths;
    while (most <= t->max_paths / 2 && most / s->replicates <= simulation_most_points(s) / 2)
        most *= 2;
    if (t->max_paths < s->paths)
        return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(raw->node, "max_paths"),
                           "simulation.tolerance.max_paths",
                           "Raise max_paths, or lower simulation.paths.",
                           "the first size is already %llu paths", (unsigned long long)s->paths);
    t->max_paths = most;
    return true;
}

bool levy_measures_build(levy_check *build, const levy_list *list, const char *path,
                         uint32_t *measures)
{
    const int32_t *items = list->items;
    const levy_node *node = list->node ? list->node->children : NULL;
    *measures = LEVY_MEASURE_PRICE;
    uint32_t seen = 0;
    bool good = true;
    for (size_t i = 0; i < list->count; ++i, node = node->next) {
        const uint32_t bit = levy_measure_bit((size_t)items[i]);
        if (seen & bit)
            good = LEVY_REFUSE(
                build, DUPLICATE_KEY, node, levy_check_text(build, "%s[%zu]", path, i),
                "Write each measure once.", "'%s' occurs twice", levy_check_shown(node));
        seen |= bit;
    }
    *measures |= seen;
    return good;
}

static bool simulation_bumps(levy_check *build, const levy_node *node, const levy_simulation *s)
{
    const double least = 0.005;
    if (s->precision != LEVY_PRECISION_SINGLE || s->gamma_bump == 0.0 || s->gamma_bump >= least)
        return true;
    return LEVY_REFUSE(build, RANGE, levy_check_at(levy_node_find(node, "bumps"), "gamma"),
                       "simulation.bumps.gamma", "Use precision: double, or a bump of 0.01.",
                       "in single precision second differences suffer from cancellation below "
                       "a bump of %s; got %s",
                       levy_check_number(build, least), levy_check_number(build, s->gamma_bump));
}

static double simulation_bump(double given) { return given > 0.0 ? given : 0.0; } /* NaN: absent */

/* Reads `measures` by a table of its own, which has only that field of the book's table. */
static bool simulation_read_measures(levy_check *build, const levy_node *node, levy_raw_book *book)
{
    const levy_reader reader = levy_build_reader(build);
    const levy_field *field = levy_book_table.fields;
    while (strcmp(field->name, "measures") != 0) ++field;
    const levy_field fields[] = {*field, {0}};
    const levy_table table = {.name = "measures", .size = sizeof *book, .fields = fields};
    levy_node *map = levy_check_allocate(build, 1, sizeof *map);
    levy_node *value = levy_check_allocate(build, 1, sizeof *value);
    if (!map || !value) return false;
    *value = *node;
    value->next = NULL; /* the next key in the file does not belong to it */
    map = levy_override_with(build, NULL, "measures", value);
    return map && levy_read_object(&reader, &table, map, "", book);
}

bool levy_simulation_build(levy_check *build, const levy_simulation_source *given,
                           levy_simulation *simulation)
{
    const levy_reader reader = levy_build_reader(build);
    levy_simulation_source source = *given;
    levy_raw_simulation raw = {0};
    levy_raw_book book = {0};
    bool good = levy_override_apply(build, &source);
    const bool read =
        levy_read_object(&reader, &levy_simulation_table, source.simulation, "simulation", &raw);
    if (source.measures && simulation_read_measures(build, source.measures, &book))
        good &= levy_measures_build(build, &book.measures, "measures", &simulation->measures);
    else {
        good &= source.measures == NULL;
        simulation->measures = LEVY_MEASURE_PRICE;
    }
    if (!read) return false;
    const uint32_t measures = simulation->measures;
    *simulation = (levy_simulation){.paths = raw.paths,
                                    .replicates = raw.replicates,
                                    .construction = raw.construction.kind,
                                    .precision = raw.precision,
                                    .jumps = raw.jumps,
                                    .step_bias = raw.step_bias,
                                    .max_step = raw.max_step > 0.0 ? raw.max_step : 0.0,
                                    .smoothing = raw.smoothing.kind,
                                    .width = raw.smoothing.width > 0.0 ? raw.smoothing.width : 0.0,
                                    .seed = raw.seed,
                                    .confidence = raw.confidence,
                                    .measures = measures,
                                    .spot_bump = simulation_bump(raw.bumps.spot),
                                    .gamma_bump = simulation_bump(raw.bumps.gamma),
                                    .volatility_bump = simulation_bump(raw.bumps.volatility),
                                    .rate_bump = simulation_bump(raw.bumps.rate),
                                    .correlation_bump = simulation_bump(raw.bumps.correlation),
                                    .theta_days = raw.bumps.days};
    if (!levy_simulation_generator(build, &raw.generator, &source, simulation)) return false;
    good &= levy_simulation_pipeline(build, source.simulation, raw.pipeline, simulation);
    levy_simulation_size(source.simulation, simulation);
    if (raw.tolerance.node && !(source.simulation && levy_node_find(source.simulation, "paths")))
        simulation->paths = simulation->generator == LEVY_GENERATOR_SOBOL_SCRAMBLED
                                ? simulation->replicates << 10
                                : (uint64_t)1 << 14;
    good &= simulation_construction(build, &raw.construction, simulation);
    good &= simulation_bumps(build, source.simulation, simulation);
    return simulation_check(build, source.simulation, simulation) &&
           simulation_tolerance(build, &raw.tolerance, simulation) && good;
}
