/* test_mutants.c: 1,500 files with one fault or one odd value each, made from the examples
 * (mutate.h), are put before the published JSON Schema and before levy. What only one of the two
 * refuses is in tests/mutants/differences.txt with its reason, and every line there occurs. Every
 * refusal has a place and a hint, nothing is kept in memory, and no file takes long. levy explains
 * what it takes, too. Files with several faults are put before levy alone.
 *
 *     test_mutants print [COUNT]   each mutant, with both verdicts: 1,500 or COUNT
 *     test_mutants text NUMBER     the YAML of one
 *     test_mutants worse NUMBER    the YAML of one with several changes
 *     test_mutants json [COUNT]    each as a line of JSON: its documents, and what the schema says
 */
#include "tests/cmocka_all.h"

#include "engine/base/status.h"
#include "engine/levy.h"
#include "tests/json_schema.h"
#include "tests/mutate.h"
#include "tests/kept_text.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONFIGS LEVY_SOURCE_DIR "/configs"
#define LIST LEVY_SOURCE_DIR "/tests/mutants/differences.txt"
enum {
    MUTANTS = 1500,
    WORSE = LEVY_TEST_FULL   ? 100000
            : LEVY_SANITIZED ? 1000
                             : 6000, /* with several changes each */
    MOST_EXAMPLES = 128,
    MOST_DIFFERENCES = 256,
    MOST_MUTANTS = 20000, /* made for the lines of the list that have not occurred by then */
    SLOWEST = 2000,       /* milliseconds of the processor, for one file */
    WHY = 512
};

typedef struct example {
    char *folder;
    const char *name; /* of the file, without its folder */
    mutant_node *roots;
} example;

/* A line of the list: who refuses what the other takes, the diagnostic's code, a pattern of its
 * message (of the schema's complaint, where that refuses), and the reason. */
typedef struct difference {
    char *who, *code, *pattern, *reason;
    size_t seen;
} difference;

typedef struct mutants {
    levy_arena arena;
    json_t *schema;
    example examples[MOST_EXAMPLES];
    size_t n_examples;
    difference differences[MOST_DIFFERENCES];
    size_t n_differences, n_unseen, outcomes[2][2]; /* [the schema takes it][levy takes it] */
    size_t held;                                    /* pieces of memory that levy holds */
    levy_context *context;
} mutants;

typedef struct mutant {
    levy_arena arena;
    const example *from;
    const char *way, *hit;
    mutant_node *roots;
    char *text;
    size_t length;
} mutant;

/* ---- What there is to start from ---- */

static char *mutants_read(const char *path, size_t *length)
{
    FILE *const file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = (size_t)ftell(file);
    rewind(file);
    char *const text = calloc(*length + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *length, file), *length);
    fclose(file);
    return text;
}

static void mutants_add_example(mutants *all, const char *path)
{
    size_t length = 0;
    char *const text = mutants_read(path, &length);
    assert_true(all->n_examples < MOST_EXAMPLES);
    example *const one = &all->examples[all->n_examples++];
    one->folder = levy_arena_copy_text(&all->arena, path, (size_t)(strrchr(path, '/') - path));
    one->name = levy_arena_format(&all->arena, "%s", strrchr(path, '/') + 1);
    one->roots = mutant_tree_read(&all->arena, one->name, text, length);
    free(text);
    assert_non_null(one->roots);
}

static void mutants_find_examples(mutants *all)
{
    static const char *const patterns[] = {CONFIGS "/*.yaml", CONFIGS "/payoffs/*.yaml"};
    for (size_t p = 0; p < 2; ++p) {
        glob_t found;
        assert_int_equal(glob(patterns[p], 0, NULL, &found), 0);
        for (size_t i = 0; i < found.gl_pathc; ++i) mutants_add_example(all, found.gl_pathv[i]);
        globfree(&found);
    }
}

static char *mutants_part(char **line)
{
    char *part = *line + strspn(*line, " "), *bar = strstr(part, " | ");
    *line = bar ? bar + 3 : part + strlen(part);
    if (bar) *bar = '\0';
    for (size_t n = strlen(part); n > 0 && part[n - 1] == ' '; --n) part[n - 1] = '\0';
    return part;
}

static void mutants_read_list(mutants *all)
{
    size_t length = 0;
    char *const text = mutants_read(LIST, &length), *rest = NULL;
    char *const kept = levy_arena_copy_text(&all->arena, text, length);
    free(text);
    for (char *line = strtok_r(kept, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (*line == '#') continue;
        assert_true(all->n_differences < MOST_DIFFERENCES);
        difference *const d = &all->differences[all->n_differences++];
        d->who = mutants_part(&line);
        d->code = mutants_part(&line);
        d->pattern = mutants_part(&line);
        d->reason = mutants_part(&line);
        if (!*d->reason) fail_msg("%s: a line has no reason: %s %s", LIST, d->who, d->code);
    }
    all->n_unseen = all->n_differences;
}

/* ---- What levy holds ---- */

static void *mutants_allocate(void *user, size_t size)
{
    void *const memory = malloc(size);
    if (memory) __atomic_add_fetch((size_t *)user, 1, __ATOMIC_RELAXED);
    return memory;
}

static void *mutants_reallocate(void *user, void *pointer, size_t size)
{
    if (!pointer) return mutants_allocate(user, size);
    return realloc(pointer, size);
}

static void mutants_release(void *user, void *pointer)
{
    if (pointer) __atomic_sub_fetch((size_t *)user, 1, __ATOMIC_RELAXED);
    free(pointer);
}

static int mutants_keep(void *user, const char *text, size_t length)
{
    return fwrite(text, 1, length, user) != length;
}

static int open_mutants(void **state)
{
    mutants *const all = calloc(1, sizeof *all);
    char *text = NULL;
    size_t length = 0;
    if (!all) return -1;
    levy_arena_init(&all->arena, NULL);
    mutants_find_examples(all);
    mutants_read_list(all);
    FILE *const out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_int_equal(levy_schema(mutants_keep, out), 0);
    fclose(out);
    all->schema = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(all->schema);
    const levy_context_options options = {.struct_size = sizeof options,
                                          .allocate = mutants_allocate,
                                          .reallocate = mutants_reallocate,
                                          .release = mutants_release,
                                          .allocator_user = &all->held};
    assert_int_equal(levy_context_create(&options, &all->context), 0);
    *state = all;
    return 0;
}

static int close_mutants(void **state)
{
    mutants *const all = *state;
    levy_context_destroy(all->context);
    const size_t held = all->held;
    json_decref(all->schema);
    levy_arena_release(&all->arena);
    free(all);
    if (held > 0) print_error("levy has kept %zu pieces of memory\n", held);
    return held > 0 ? -1 : 0;
}

/* ---- One mutant ---- */

/* FNV-1a (Fowler, Noll, Vo) of an example's name: its mutants are the same whatever other examples
 * there are. */
static uint64_t mutants_seed(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (; *name; ++name) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
    return hash;
}

/* False: the example has nothing to change that way. */
static bool mutants_try(mutant *made, const example *from, size_t way, uint64_t seed)
{
    made->from = from;
    made->way = mutate_name(way);
    made->roots = mutant_tree_copy(&made->arena, from->roots);
    return mutate(&made->arena, made->roots, way, seed, &made->hit);
}

/* The examples take turns, and so do the ways of changing one. In place of a way that finds nothing
 * to change there is any other. Few examples have dates, so every twentieth mutant is one of those.
 */
static mutant mutants_make(const mutants *all, size_t number)
{
    const size_t n = all->n_examples;
    const example *from = &all->examples[number % n];
    const uint64_t seed = mutants_seed(from->name) + number / n;
    mutant made = {.hit = ""};
    levy_arena_init(&made.arena, NULL);
    bool done = false;
    for (size_t i = 0; number % 20 == 19 && i < n && !done; ++i)
        done = mutants_try(&made, &all->examples[(number / 20 + i) % n], MUTATE_DATE, seed);
    for (uint64_t i = 0; !done; ++i)
        done = mutants_try(&made, from, (size_t)((seed + i * 0x9e3779b97f4a7c15u) % mutate_count()),
                           seed);
    made.text = mutant_tree_yaml(made.roots, &made.length);
    return made;
}

static void mutants_unmake(mutant *made)
{
    free(made->text);
    levy_arena_release(&made->arena);
}

/* Every document of the file, as an editor checks it. */
static bool mutants_schema_takes(const mutants *all, const mutant *made, char why[WHY])
{
    for (const mutant_node *root = made->roots->first; root; root = root->next) {
        json_t *const value = mutant_tree_json(root);
        const bool valid = json_schema_valid(all->schema, value, why, WHY);
        json_decref(value);
        if (!valid) return false;
    }
    return true;
}

static const levy_diagnostic *mutants_error(const mutants *all, size_t *index)
{
    for (; *index < levy_diagnostic_count(all->context); ++*index) {
        const levy_diagnostic *const said = levy_diagnostic_get(all->context, *index);
        if (said->severity == 0) return said;
    }
    return NULL;
}

static bool mutants_levy_takes(const mutants *all)
{
    size_t index = 0;
    return !mutants_error(all, &index);
}

static bool mutants_check_places(const mutants *all)
{
    size_t bad = 0;
    for (size_t i = 0; i < levy_diagnostic_count(all->context); ++i) {
        const levy_diagnostic *const said = levy_diagnostic_get(all->context, i);
        const bool good = said->line > 0 && said->column > 0 && said->hint && *said->hint &&
                          *said->message && *said->reason;
        if (!good) print_error("no place, hint or code: %s\n", said->text);
        bad += !good;
    }
    return bad == 0;
}

/* What `levy validate` does, and where that finds nothing, what `levy explain` does. Leaves the
 * diagnostics in the context; false: levy took too long, or refused without a word, or without a
 * place. */
static bool mutants_load(mutants *all, const mutant *made)
{
    const levy_source source = {made->from->name, made->text, made->length, made->from->folder};
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu", .threads = 1};
    levy_book *book = NULL;
    const clock_t start = clock();
    int status = levy_book_load(all->context, &source, 1, NULL, 0, &book);
    bool good = mutants_check_places(all);
    if (!status && mutants_levy_takes(all)) {
        status = levy_book_explain(book, &how, text_drop, NULL);
        good = mutants_check_places(all) && good;
    }
    const double took = 1e3 * (double)(clock() - start) / (double)CLOCKS_PER_SEC;
    levy_book_destroy(book);
    if (took > SLOWEST) print_error("%s, %s: took %.0f ms\n", made->hit, made->way, took);
    const bool silent = status && mutants_levy_takes(all);
    if (silent) print_error("status %d, and no diagnostic\n", status);
    return good && took <= SLOWEST && !silent;
}

/* ---- The list ---- */

static bool mutants_listed(mutants *all, const char *who, const char *code, const char *text)
{
    bool found = false;
    for (size_t i = 0; i < all->n_differences; ++i) {
        difference *const d = &all->differences[i];
        const bool fits = strcmp(d->who, who) == 0 && strcmp(d->code, code) == 0 &&
                          fnmatch(d->pattern, text, 0) == 0;
        if (fits && !found && d->seen++ == 0) all->n_unseen--;
        found = found || fits;
    }
    return found;
}

/* What levy says of a mutant that the schema takes is in the list. */
static bool mutants_check_levy(mutants *all)
{
    size_t bad = 0, index = 0;
    for (const levy_diagnostic *said; (said = mutants_error(all, &index)) != NULL; ++index) {
        if (mutants_listed(all, "levy", said->reason, said->message)) continue;
        print_error("the schema takes it; levy says [%s] %s\n", said->reason, said->text);
        bad++;
    }
    return bad == 0;
}

static bool mutants_check(mutants *all, size_t number)
{
    char why[WHY] = "";
    mutant made = mutants_make(all, number);
    bool good = mutants_load(all, &made);
    const bool schema = mutants_schema_takes(all, &made, why), levy = mutants_levy_takes(all);
    all->outcomes[schema][levy]++;
    if (schema && !levy) good = mutants_check_levy(all) && good;
    if (!schema && levy && !mutants_listed(all, "schema", "-", why)) {
        print_error("levy takes it; the schema says %s\n", why);
        good = false;
    }
    if (!good)
        print_error("mutant %zu: %s, %s at '%s'\n", number, made.from->name, made.way, made.hit);
    mutants_unmake(&made);
    return good;
}

/* The pieces of memory that levy holds after the first mutant: the same ones, whatever came before.
 */
static size_t mutants_held(mutants *all)
{
    mutant first = mutants_make(all, 0);
    assert_true(mutants_load(all, &first));
    mutants_unmake(&first);
    return all->held;
}

static void test_differences_between_schema_and_levy_are_listed(void **state)
{
    mutants *const all = *state;
    const size_t held = mutants_held(all);
    size_t bad = 0;
    for (size_t i = 0; i < MUTANTS; ++i) bad += !mutants_check(all, i);
    print_message("taken by both %zu, refused by both %zu, by levy alone %zu, by the schema %zu\n",
                  all->outcomes[1][1], all->outcomes[0][0], all->outcomes[1][0],
                  all->outcomes[0][1]);
    assert_int_equal(bad, 0);
    assert_int_equal(mutants_held(all), held);
}

/* After the test above. For what is rare there are more mutants, of which nothing else is asked: a
 * new example changes which ones the first are. */
static void test_every_listed_difference_occurs(void **state)
{
    mutants *const all = *state;
    char why[WHY];
    for (size_t i = MUTANTS; i < MOST_MUTANTS && all->n_unseen > 0; ++i) {
        mutant made = mutants_make(all, i);
        const bool schema = mutants_schema_takes(all, &made, why);
        size_t index = 0;
        (void)mutants_load(all, &made);
        for (const levy_diagnostic *said; schema && (said = mutants_error(all, &index)); ++index)
            (void)mutants_listed(all, "levy", said->reason, said->message);
        if (!schema && mutants_levy_takes(all)) (void)mutants_listed(all, "schema", "-", why);
        mutants_unmake(&made);
    }
    for (size_t i = 0; i < all->n_differences; ++i) {
        const difference *const d = &all->differences[i];
        if (d->seen == 0) print_error("never seen: %s | %s | %s\n", d->who, d->code, d->pattern);
    }
    assert_int_equal(all->n_unseen, 0);
}

/* A key from another example, and up to three changes: where faults meet, one must not keep levy
 * from telling the other. */
static mutant mutants_make_worse(const mutants *all, size_t number)
{
    const size_t n = all->n_examples, other = mutants_seed("other") + 7919 * number;
    const uint64_t seed = mutants_seed("several") + number;
    mutant made = {.from = &all->examples[number % n], .way = "several changes", .hit = ""};
    levy_arena_init(&made.arena, NULL);
    made.roots = mutant_tree_copy(&made.arena, made.from->roots);
    mutate_borrow(&made.arena, made.roots, all->examples[other % n].roots, seed, &made.hit);
    for (uint64_t i = 0; i < number % 4; ++i)
        mutate(&made.arena, made.roots, (size_t)((seed * 31 + i * 17) % mutate_count()), seed + i,
               &made.hit);
    made.text = mutant_tree_yaml(made.roots, &made.length);
    return made;
}

static void test_several_faults_are_told_at_once(void **state)
{
    mutants *const all = *state;
    const size_t held = mutants_held(all);
    size_t bad = 0;
    for (size_t i = 0; i < WORSE; ++i) {
        mutant made = mutants_make_worse(all, i);
        const bool good = mutants_load(all, &made);
        if (!good) print_error("worse mutant %zu: %s\n", i, made.from->name);
        mutants_unmake(&made);
        bad += !good;
    }
    assert_int_equal(bad, 0);
    assert_int_equal(mutants_held(all), held);
}

/* docs/embedding.md has a row for each code that a diagnostic may have, and for no other. */
static void test_the_documents_explain_every_code(void **state)
{
    size_t length = 0, codes = 0, rows = 0;
    char *const text = mutants_read(LEVY_SOURCE_DIR "/docs/embedding.md", &length);
    (void)state;
#define MUTANTS_CODE(name, code)                                                                   \
    if (LEVY_REASON_##name != LEVY_REASON_NONE) {                                                  \
        if (!strstr(text, "\n| `" code "` |")) fail_msg("docs/embedding.md: no row for %s", code); \
        codes++;                                                                                   \
    }
    LEVY_REASON_LIST(MUTANTS_CODE)
#undef MUTANTS_CODE
    const char *const table = strstr(text, "| Code |");
    assert_non_null(table);
    for (const char *at = table; *at == '|'; at = strchr(at, '\n') + 1)
        rows += strncmp(at, "| `", 3) == 0;
    assert_int_equal(rows, codes);
    free(text);
}

static void mutants_print(mutants *all, size_t number)
{
    char why[WHY] = "";
    mutant made = mutants_make(all, number);
    (void)mutants_load(all, &made);
    const bool schema = mutants_schema_takes(all, &made, why);
    printf("%zu\t%s\t%s\t%s\t%c%c\t%s", number, made.from->name, made.way, made.hit, "-+"[schema],
           "-+"[mutants_levy_takes(all)], why);
    for (size_t i = 0; i < levy_diagnostic_count(all->context); ++i)
        printf("\t[%s] %s", levy_diagnostic_get(all->context, i)->reason,
               levy_diagnostic_get(all->context, i)->text);
    printf("\n");
    mutants_unmake(&made);
}

/* For other validators: tests/mutants/validate.py. */
static void mutants_print_json(mutants *all, size_t number)
{
    char why[WHY] = "";
    mutant made = mutants_make(all, number);
    json_t *const documents = json_array();
    for (const mutant_node *root = made.roots->first; root; root = root->next)
        (void)json_array_append_new(documents, mutant_tree_json(root));
    const int taken = mutants_schema_takes(all, &made, why);
    json_t *const line = json_pack("{s:i, s:b, s:s, s:o}", "number", (int)number, "taken", taken,
                                   "why", why, "documents", documents);
    assert_non_null(line);
    assert_int_equal(json_dumpf(line, stdout, JSON_COMPACT), 0);
    printf("\n");
    json_decref(line);
    mutants_unmake(&made);
}

static int mutants_show(int argc, char **argv)
{
    void *state = NULL;
    if (open_mutants(&state)) return 1;
    mutants *const all = state;
    const size_t number = argc > 2 ? strtoul(argv[2], NULL, 10) : MUTANTS;
    const bool worse = strcmp(argv[1], "worse") == 0;
    if (worse || strcmp(argv[1], "text") == 0) {
        mutant made = worse ? mutants_make_worse(all, number) : mutants_make(all, number);
        printf("%s", made.text);
        mutants_unmake(&made);
    } else {
        for (size_t i = 0; i < number; ++i)
            (strcmp(argv[1], "json") == 0 ? mutants_print_json : mutants_print)(all, i);
    }
    return close_mutants(&state);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_differences_between_schema_and_levy_are_listed),
        cmocka_unit_test(test_every_listed_difference_occurs),
        cmocka_unit_test(test_several_faults_are_told_at_once),
        cmocka_unit_test(test_the_documents_explain_every_code),
    };
    if (argc > 1) return mutants_show(argc, argv);
    return cmocka_run_group_tests(tests, open_mutants, close_mutants);
}
