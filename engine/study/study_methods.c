/* study_methods.c: "sobol_scrambled+bridge" as a method of a study. Names of generators and
 * constructions come from the table that reads files, so that what can be priced can be studied.
 * Must not know: sizes, trades. */
#include "engine/study/study_reader.h"

#include "engine/schema/book.h"

#include <string.h>

enum { STUDY_METHODS = 16 };

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

levy_status levy_study_methods_read(study_reader *r, const char *text, bool coverage)
{
    LEVY_TRY(study_methods(r, text));
    if (r->normals && !study_takes_normals(r->request))
        return study_refuse(r, "Add method given+bridge.", "normals go with method given alone");
    if (!coverage) study_make_alike(r->request);
    return LEVY_OK;
}
