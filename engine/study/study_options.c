/* study_options.c: the options of studies, read and checked. Names of generators and
 * constructions come from the table that reads files, so that what can be priced can be studied. */
#include "engine/study/study.h"

#include "engine/base/number.h"
#include "engine/schema/book.h"
#include "kernels/points/point_set.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char study_converge_methods[] =
    "sobol_scrambled+bridge,sobol_scrambled+incremental,mrg32k3a+incremental";
static const char study_coverage_methods[] = "sobol_scrambled+bridge";
static const uint64_t study_most_points = (uint64_t)1 << 32;
enum {
    STUDY_REPLICATES = 65536,
    STUDY_RESAMPLES = 1000000,
    STUDY_SEEDS = 1000000,
    STUDY_METHODS = 16
};

typedef struct study_reader {
    levy_context *context;
    levy_book *book;
    levy_arena *arena;
    levy_study_request *request;
    bool normals; /* a program gives some */
} study_reader;

/* ---- Methods ---- */

static const char study_integrated[] = "+integrated", study_plain[] = "+plain";

static const char *const *study_choices(const char *key)
{
    for (const levy_field *field = levy_simulation_table.fields; field->name; ++field)
        if (strcmp(field->name, key) == 0)
            return field->table ? field->table->fields->choices : field->choices;
    return NULL;
}

/* The number of a name or of an alias; -1: none. */
static int32_t study_choice(const char *const *choices, const char *name, size_t length)
{
    for (int32_t i = 0; choices && choices[i]; ++i) {
        const char *equals = strchr(choices[i], '=');
        if (!equals && strlen(choices[i]) == length && memcmp(choices[i], name, length) == 0)
            return i;
        if (equals && (size_t)(equals - choices[i]) == length &&
            memcmp(choices[i], name, length) == 0)
            return study_choice(choices, equals + 1, strlen(equals + 1));
    }
    return -1;
}

static size_t study_count_choices(const char *const *choices)
{
    size_t n = 0;
    while (choices && choices[n] && !strchr(choices[n], '=')) ++n;
    return n;
}

/* The names without aliases, as "a, b, c". */
static const char *study_list(levy_arena *arena, const char *const *choices)
{
    const char *list = "";
    for (size_t i = 0; list && i < study_count_choices(choices); ++i)
        list = levy_arena_format(arena, "%s%s%s", list, i ? ", " : "", choices[i]);
    return list ? list : "";
}

/* The method that a family's name means. */
static const char *study_family(const char *name)
{
    static const char *const families[][2] = {
        {"pseudo", "mrg32k3a+incremental"},  {"mc", "mrg32k3a+incremental"},
        {"quasi", "sobol_scrambled+bridge"}, {"qmc", "sobol_scrambled+bridge"},
        {"rqmc", "sobol_scrambled+bridge"},  {"lhs", "points+bridge"},
        {"latin_hypercube", "points+bridge"}};
    for (size_t i = 0; i < sizeof families / sizeof *families; ++i)
        if (strcmp(name, families[i][0]) == 0) return families[i][1];
    return NULL;
}

/* Completes a generator's name, which may be misspelt, with the construction that suits it best. */
static const char *study_complete(study_reader *r, const char *name)
{
    if (study_family(name)) return study_family(name);
    const char *const *generators = study_choices("generator");
    const char *const *constructions = study_choices("construction");
    const char *nearest = levy_nearest(name, generators);
    const char *equals = nearest ? strchr(nearest, '=') : NULL;
    const int32_t generator =
        nearest ? study_choice(generators, nearest,
                               equals ? (size_t)(equals - nearest) : strlen(nearest))
                : -1;
    if (generator < 0) return NULL;
    levy_simulation of_kind = {0};
    levy_simulation_set_generator(&of_kind, generator);
    const bool bridges = levy_simulation_is_quasi(&of_kind);
    return levy_arena_format(
        r->arena, "%s+%s", generators[generator],
        constructions[bridges ? LEVY_CONSTRUCTION_BRIDGE : LEVY_CONSTRUCTION_INCREMENTAL]);
}

/* What is meant is told with the form behind it, +integrated or +plain, if the name has one. */
static levy_status study_unknown_method(study_reader *r, const char *name)
{
    static const char *const forms[] = {study_integrated, study_plain, NULL};
    const char *const *generators = study_choices("generator");
    const char *const *constructions = study_choices("construction");
    const size_t n = study_count_choices(generators), m = study_count_choices(constructions);
    const char **all = levy_arena_allocate(r->arena, n * m + 1, sizeof *all);
    for (size_t i = 0; all && i < n * m; ++i) {
        all[i] = levy_arena_format(r->arena, "%s+%s", generators[i / m], constructions[i % m]);
        if (!all[i]) return LEVY_MEMORY;
    }
    if (!all) return LEVY_MEMORY;
    const char *const last = strrchr(name, '+');
    const char *const form = last ? levy_nearest(last, forms) : NULL;
    const char *const word =
        levy_arena_copy_text(r->arena, name, form ? (size_t)(last - name) : strlen(name));
    if (!word) return LEVY_MEMORY;
    const char *nearest = strchr(word, '+') ? levy_nearest(word, all) : study_complete(r, word);
    if (nearest && form) nearest = levy_arena_format(r->arena, "%s%s", nearest, form);
    char meant[LEVY_MEANT_SIZE];
    const char *hint =
        levy_arena_format(r->arena,
                          "A method is GENERATOR+CONSTRUCTION: one of %s, and one of %s; behind it "
                          "perhaps +integrated or +plain.",
                          study_list(r->arena, generators), study_list(r->arena, constructions));
    levy_fault_add(&r->context->faults, LEVY_REASON_UNKNOWN_NAME, NULL, "methods", hint,
                   "unknown method '%s'%s", name, levy_meant(nearest, meant));
    return LEVY_ARGUMENT;
}

static levy_status study_refuse(study_reader *r, const char *hint, const char *message)
{
    levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "methods", hint, "%s",
                   message);
    return LEVY_ARGUMENT;
}

/* What a generator's name stands for: the book's, with its file and its scrambling, where that has
 * the name. */
static levy_status study_source(study_reader *r, levy_study_method *method)
{
    const levy_simulation *const s = &r->book->problem->simulation;
    const int32_t kind = method->generator;
    const bool own = strcmp(levy_generator_kinds[kind], levy_generator_text(s)) == 0;
    levy_simulation of_kind = {0};
    if (kind == LEVY_GENERATOR_NET && !own)
        return study_refuse(r, "Write generator: {kind: net, file: net.txt} under simulation.",
                            "the book names no net");
    if (kind == LEVY_GENERATOR_POINTS && !own)
        return study_refuse(r,
                            "Write generator: {kind: points, file: points.npy} under simulation.",
                            "the book names no points");
    if (kind == LEVY_GENERATOR_GIVEN && !r->normals)
        return study_refuse(r, "Give them: converge(..., normals=f) in Python.",
                            "method given takes its normals from a program");
    levy_simulation_set_generator(&of_kind, kind);
    method->net = kind == LEVY_GENERATOR_NET;
    method->supply = of_kind.supply;
    method->points = of_kind.supply == LEVY_SUPPLY_SET && own ? s->points : of_kind.points;
    method->generator = method->net || method->points ? s->generator : of_kind.generator;
    if (method->points && !own) method->generator = LEVY_GENERATOR_SOBOL_SCRAMBLED;
    /* whether the program's normals are independent is not known: replicates tell */
    if (kind == LEVY_GENERATOR_GIVEN) method->generator = LEVY_GENERATOR_SOBOL_SCRAMBLED;
    return LEVY_OK;
}

/* Generators of levy's own take the book's pipeline. */
static levy_status study_generator(study_reader *r, levy_study_method *method)
{
    const levy_simulation *const s = &r->book->problem->simulation;
    LEVY_TRY(study_source(r, method));
    if (!method->supply && s->supply == LEVY_SUPPLY_NATIVE) method->supply = LEVY_SUPPLY_NATIVE;
    return LEVY_OK;
}

const char *levy_study_first(const levy_simulation *s, levy_arena *arena)
{
    if (s->order || s->first) return s->order ? ":order" : ":dates";
    if (s->first_average) return ":average";
    if (s->first_components == 0) return "";
    return levy_arena_format(arena, ":components%u", (unsigned)s->first_components);
}

/* The construction of that name, of a bridge with what it draws first or without; -1: none. */
static int32_t study_construction(const char *name, const char *first)
{
    const size_t length = strlen(name), end = strcspn(name, ":");
    const int32_t construction = study_choice(study_choices("construction"), name, end);
    if (end == length) return construction;
    if (construction != LEVY_CONSTRUCTION_BRIDGE || strcmp(name + end, first) != 0) return -1;
    return construction;
}

static bool study_ends(const char *text, size_t length, const char *with)
{
    const size_t n = strlen(with);
    return length > n && memcmp(text + length - n, with, n) == 0;
}

/* Takes +integrated or +plain off a name's end. */
static void study_take_form(const char *text, size_t *length, levy_study_method *method)
{
    method->integrated = study_ends(text, *length, study_integrated);
    method->plain = study_ends(text, *length, study_plain);
    method->named = method->integrated || method->plain;
    if (method->integrated) *length -= strlen(study_integrated);
    if (method->plain) *length -= strlen(study_plain);
}

static levy_status study_check_form(study_reader *r, const levy_study_method *method)
{
    const bool incremental = method->construction == LEVY_CONSTRUCTION_INCREMENTAL,
               none = r->book->problem->simulation.smoothing == LEVY_SMOOTHING_NONE;
    if (!method->integrated || !(incremental || none)) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "methods",
                   incremental ? "Integrate with bridge or pca."
                               : "Write simulation.smoothing: auto.",
                   incremental ? "'%s': no draw of construction incremental moves all dates, so "
                                 "nothing is integrated over it"
                               : "'%s': simulation.smoothing of the book is none",
                   method->name);
    return LEVY_ARGUMENT;
}

/* Where some method cannot integrate, those whose names say nothing do not either: what they differ
 * in is their points. */
static void study_make_alike(levy_study_request *q)
{
    bool alike = false;
    for (size_t m = 0; m < q->n_methods; ++m)
        alike = alike || q->methods[m].construction == LEVY_CONSTRUCTION_INCREMENTAL;
    for (size_t m = 0; alike && m < q->n_methods; ++m)
        q->methods[m].plain = !q->methods[m].integrated;
}

static levy_status study_method(study_reader *r, const char *text, size_t length,
                                levy_study_method *method)
{
    const char *const *generators = study_choices("generator");
    const char *const *constructions = study_choices("construction");
    const char *const whole = levy_arena_copy_text(r->arena, text, length);
    study_take_form(text, &length, method);
    const char *name = levy_arena_copy_text(r->arena, text, length);
    if (!name || !whole) return LEVY_MEMORY;
    const char *const plus = strchr(name, '+'),
                      *first = levy_study_first(&r->book->problem->simulation, r->arena);
    if (!first) return LEVY_MEMORY;
    method->generator = plus ? study_choice(generators, name, (size_t)(plus - name)) : -1;
    method->construction = plus ? study_construction(plus + 1, first) : -1;
    if (method->generator < 0 || method->construction < 0) return study_unknown_method(r, whole);
    method->generator_name = generators[method->generator];
    method->construction_name = constructions[method->construction];
    LEVY_TRY(study_generator(r, method));
    if (method->construction != LEVY_CONSTRUCTION_BRIDGE) first = "";
    const char *const plain = method->plain ? study_plain : "";
    method->name =
        levy_arena_format(r->arena, "%s+%s%s%s", method->generator_name, method->construction_name,
                          first, method->integrated ? study_integrated : plain);
    if (!method->name) return LEVY_MEMORY;
    method->randomised = method->generator != LEVY_GENERATOR_SOBOL;
    method->pseudo_random =
        method->randomised && method->generator != LEVY_GENERATOR_SOBOL_SCRAMBLED;
    return study_check_form(r, method);
}

static bool study_takes_normals(const levy_study_request *q)
{
    for (size_t m = 0; m < q->n_methods; ++m)
        if (q->methods[m].supply == LEVY_SUPPLY_CALLER) return true;
    return false;
}

static levy_status study_methods(study_reader *r, const char *text)
{
    levy_study_request *request = r->request;
    request->methods = levy_arena_allocate(r->arena, STUDY_METHODS, sizeof *request->methods);
    if (!request->methods) return LEVY_MEMORY;
    for (;;) {
        while (*text == ' ') ++text;
        size_t length = strcspn(text, ",");
        const size_t whole = length;
        while (length > 0 && text[length - 1] == ' ') --length;
        if (request->n_methods == STUDY_METHODS) {
            levy_fault_add(&r->context->faults, LEVY_REASON_LIMIT, NULL, "methods", NULL,
                           "at most %d methods in a study", STUDY_METHODS);
            return LEVY_ARGUMENT;
        }
        levy_study_method *method = &request->methods[request->n_methods];
        LEVY_TRY(study_method(r, text, length, method));
        for (size_t i = 0; i < request->n_methods; ++i)
            if (strcmp(request->methods[i].name, method->name) == 0) {
                levy_fault_add(&r->context->faults, LEVY_REASON_DUPLICATE_KEY, NULL, "methods",
                               "Name each method once.", "'%s' occurs twice", method->name);
                return LEVY_ARGUMENT;
            }
        request->n_methods++;
        if (text[whole] == '\0') return LEVY_OK;
        text += whole + 1;
    }
}

/* ---- Sizes ---- */

static bool study_is_size(uint64_t n)
{
    return n >= 2 && n <= study_most_points && (n & (n - 1)) == 0;
}

static levy_status study_bad_size(study_reader *r, const char *path, const char *text,
                                  uint64_t count)
{
    const char *nearest = "";
    uint64_t below = 2;
    while (below * 2 <= count && below * 2 <= study_most_points) below *= 2;
    if (count > 2 && count < study_most_points)
        nearest = levy_arena_format(r->arena, "; the nearest are %" PRIu64 " and %" PRIu64, below,
                                    below * 2);
    levy_fault_add(&r->context->faults, LEVY_REASON_RANGE, NULL, path,
                   "Write 2^8..2^18, or one size.",
                   "must be powers of two from 2 to 2^32, as FIRST..LAST; got '%s'%s", text,
                   nearest ? nearest : "");
    return LEVY_ARGUMENT;
}

/* "2^8..2^18", or "2^12" for both ends. */
static levy_status study_sizes(study_reader *r, const char *path, const char *text, uint64_t *first,
                               uint64_t *last)
{
    const char *dots = strstr(text, "..");
    const size_t length = dots ? (size_t)(dots - text) : strlen(text);
    const char *end = dots ? dots + 2 : text;
    *first = *last = 0;
    if (levy_count_read(text, length, first) != LEVY_NUMBER_OK || !study_is_size(*first))
        return study_bad_size(r, path, text, *first);
    if (levy_count_read(end, dots ? strlen(end) : length, last) != LEVY_NUMBER_OK ||
        !study_is_size(*last))
        return study_bad_size(r, path, text, *last);
    if (*first <= *last) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_RANGE, NULL, path,
                   "Write the smaller size first.",
                   "the first size must not be above the last; got '%s'", text);
    return LEVY_ARGUMENT;
}

static levy_status study_check_net(study_reader *r)
{
    const levy_study_request *const q = r->request;
    const levy_net *const net = r->book->problem->simulation.net;
    bool used = false;
    for (size_t m = 0; m < q->n_methods; ++m) used |= q->methods[m].net;
    if (!used || q->last <= (uint64_t)1 << levy_net_log_points(net)) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_LIMIT, NULL, "points",
                   "Use fewer points, or a net with more columns.",
                   "the net has 2^%u points; got %" PRIu64, (unsigned)levy_net_log_points(net),
                   q->last);
    return LEVY_ARGUMENT;
}

/* A file has so many points, and perhaps replicates of its own, which no seed changes. */
static levy_status study_check_points(study_reader *r, bool coverage)
{
    const levy_study_request *const q = r->request;
    for (size_t m = 0; m < q->n_methods; ++m) {
        const levy_point_set *const set = q->methods[m].points;
        const bool own = set && set->n_replicates > 0,
                   few = set &&
                         (q->last > set->n_points || (own && q->replicates > set->n_replicates));
        if (few || (own && coverage)) {
            levy_fault_add(&r->context->faults, LEVY_REASON_LIMIT, NULL, few ? "points" : "methods",
                           few ? "Ask for fewer points or replicates, or use a larger file."
                               : "Use a file [point][dimension], which each seed shifts.",
                           "the file of %s has %u replicate%s of %" PRIu64 " points",
                           q->methods[m].name, own ? (unsigned)set->n_replicates : 1u,
                           own && set->n_replicates > 1 ? "s" : "", set->n_points);
            return LEVY_ARGUMENT;
        }
    }
    return LEVY_OK;
}

static levy_status study_fit(study_reader *r, const char *text)
{
    levy_study_request *q = r->request;
    q->fit_first = q->first;
    q->fit_last = q->last;
    if (!text) return LEVY_OK;
    LEVY_TRY(study_sizes(r, "fit", text, &q->fit_first, &q->fit_last));
    if (q->fit_first >= q->first && q->fit_last <= q->last && q->fit_first < q->fit_last)
        return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "fit",
                   "Give at least two sizes, all of them simulated.",
                   "must be a part of points, %" PRIu64 " to %" PRIu64 "; got '%s'", q->first,
                   q->last, text);
    return LEVY_ARGUMENT;
}

static levy_status study_number(study_reader *r, const char *path, uint32_t given,
                                uint32_t fallback, uint32_t least, uint32_t most, uint32_t *value)
{
    *value = given ? given : fallback;
    if (*value >= least && *value <= most) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_RANGE, NULL, path, NULL,
                   "must lie between %" PRIu32 " and %" PRIu32 "; got %" PRIu32, least, most,
                   *value);
    return LEVY_ARGUMENT;
}

/* ---- Trades ---- */

/* The first few ids, for a hint. */
static const char *study_ids(study_reader *r)
{
    enum { MOST = 8 };
    const levy_problem *problem = r->book->problem;
    const char *list = "";
    for (size_t i = 0; list && i < problem->n_trades && i < MOST; ++i)
        list = levy_arena_format(r->arena, "%s%s%s", list, i ? ", " : "",
                                 problem->trades[i].header.id ? problem->trades[i].header.id : "?");
    return levy_arena_format(r->arena, "The ids are: %s%s.", list ? list : "",
                             problem->n_trades > MOST ? ", ..." : "");
}

static levy_status study_unknown_trade(study_reader *r, const char *id)
{
    const levy_problem *problem = r->book->problem;
    const char **ids = levy_arena_allocate(r->arena, problem->n_trades + 1, sizeof *ids);
    size_t n = 0;
    if (!ids) return LEVY_MEMORY;
    for (size_t i = 0; i < problem->n_trades; ++i)
        if (problem->trades[i].header.id) ids[n++] = problem->trades[i].header.id;
    char meant[LEVY_MEANT_SIZE];
    levy_fault_add(&r->context->faults, LEVY_REASON_UNKNOWN_NAME, NULL, "trade", study_ids(r),
                   "the book has no trade '%s'%s", id, levy_meant(levy_nearest(id, ids), meant));
    return LEVY_ARGUMENT;
}

static levy_status study_failed_trade(study_reader *r, size_t index)
{
    const char *message = r->book->trade_messages[index];
    levy_fault *fault = levy_fault_add(
        &r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "trade",
        "Correct the trade, or study another.", "trade '%s' cannot be priced: %s",
        r->book->problem->trades[index].header.id, message ? message : "it has faults");
    if (fault) fault->trade = (int64_t)index;
    return LEVY_INPUT;
}

static levy_status study_whole_trade(study_reader *r, size_t index)
{
    const levy_trade *const trade = &r->book->problem->trades[index], *leg = trade + 1;
    char hint[256];
    for (size_t k = 0; k + 1 < trade->n_legs && leg->state != LEVY_TRADE_PRICED; ++k) ++leg;
    snprintf(hint, sizeof hint, "Name a leg, such as %.200s.", leg->header.id);
    levy_fault *fault = levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "trade",
                                       hint, "trade '%s' is the sum of its legs", trade->header.id);
    if (fault) fault->trade = (int64_t)index;
    return LEVY_INPUT;
}

static levy_status study_known_trade(study_reader *r, size_t index)
{
    levy_fault *fault =
        levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "trade",
                       "Study another.", "the payoff of trade '%s' is known: nothing is simulated",
                       r->book->problem->trades[index].header.id);
    if (fault) fault->trade = (int64_t)index;
    return LEVY_INPUT;
}

static levy_status study_trades(study_reader *r, const char *id)
{
    const levy_problem *problem = r->book->problem;
    levy_study_request *q = r->request;
    q->trades = levy_arena_allocate(r->arena, problem->n_trades, sizeof *q->trades);
    if (!q->trades) return LEVY_MEMORY;
    bool found = false;
    size_t known = SIZE_MAX;
    for (size_t i = 0; i < problem->n_trades; ++i) {
        const levy_trade *trade = &problem->trades[i];
        if (id && (!trade->header.id || strcmp(trade->header.id, id) != 0)) continue;
        found = true;
        if (!levy_trade_is_planned(trade) && !id) continue; /* the book's own faults report it */
        if (levy_trade_is_planned(trade) && trade->state != LEVY_TRADE_PRICED) known = i;
        if (known == i && !id) continue;
        if (known == i) return study_known_trade(r, i);
        if (trade->n_legs > 0) return study_whole_trade(r, i);
        if (!levy_trade_is_planned(trade)) return study_failed_trade(r, i);
        q->trades[q->n_trades++] = i;
    }
    if (known != SIZE_MAX && q->n_trades == 0) return study_known_trade(r, known);
    if (found) return LEVY_OK;
    return study_unknown_trade(r, id ? id : "");
}

/* ---- All ---- */

static levy_status study_reference(study_reader *r, const levy_study_options *options)
{
    levy_study_request *q = r->request;
    q->has_reference = options->has_reference != 0;
    q->reference = options->reference;
    q->target_rmse = options->target_rmse;
    if (!(q->target_rmse >= 0.0 && isfinite(q->target_rmse))) {
        levy_fault_add(&r->context->faults, LEVY_REASON_RANGE, NULL, "target_rmse", NULL,
                       "must be a positive number");
        return LEVY_ARGUMENT;
    }
    if (!q->has_reference || (isfinite(q->reference) && q->n_trades == 1)) return LEVY_OK;
    levy_fault_add(&r->context->faults, LEVY_REASON_INCONSISTENT, NULL, "reference",
                   "It is one number of one position.",
                   isfinite(q->reference) ? "needs a single trade: name it (--trade ID)"
                                          : "must be a finite number");
    return LEVY_ARGUMENT;
}

levy_status levy_study_request_read(levy_context *context, levy_book *book, levy_arena *arena,
                                    const levy_study_options *options, bool coverage, bool normals,
                                    levy_study_request *request)
{
    study_reader r = {context, book, arena, request, normals};
    *request = (levy_study_request){0};
    const char *methods = options->methods ? options->methods
                          : coverage       ? study_coverage_methods
                                           : study_converge_methods;
    const char *points = coverage ? "2^12" : "2^8..2^18";
    if (options->points) points = options->points;
    LEVY_TRY(study_trades(&r, options->trade));
    LEVY_TRY(levy_study_measures_read(context, arena,
                                      options->measures ? options->measures : "price", request));
    LEVY_TRY(study_methods(&r, methods));
    if (normals && !study_takes_normals(request))
        return study_refuse(&r, "Add method given+bridge.", "normals go with method given alone");
    if (!coverage) study_make_alike(request);
    LEVY_TRY(study_sizes(&r, "points", points, &request->first, &request->last));
    LEVY_TRY(study_check_net(&r));
    if (coverage && request->first != request->last) {
        levy_fault_add(&context->faults, LEVY_REASON_RANGE, NULL, "points", NULL,
                       "coverage needs one size; got '%s'", points);
        return LEVY_ARGUMENT;
    }
    LEVY_TRY(study_fit(&r, options->fit));
    LEVY_TRY(study_number(&r, "replicates", options->replicates, coverage ? 16 : 32, 2,
                          STUDY_REPLICATES, &request->replicates));
    LEVY_TRY(study_check_points(&r, coverage));
    LEVY_TRY(study_number(&r, "resamples", options->resamples, 2000, 2, STUDY_RESAMPLES,
                          &request->resamples));
    LEVY_TRY(study_number(&r, "seeds", options->seeds, 2000, 2, STUDY_SEEDS, &request->seeds));
    return study_reference(&r, options);
}
