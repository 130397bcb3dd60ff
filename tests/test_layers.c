/* test_layers.c: reads every #include line of the project and fails where a room includes what it
 * must not know (tests/layers.txt holds the numbers), and where engine/problem, engine/plan or
 * engine/study names one kind of payoff. */
#include "tests/cmocka_all.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_ROOMS = 64, PATH_SIZE = 512 };

typedef struct room {
    char path[128], only[2][128], user[128]; /* user: empty, or the one room that includes it */
    int layer;
} room;
typedef struct layer_list {
    room rooms[MAX_ROOMS];
    size_t count, files, includes, breaches;
} layer_list;

static void layers_read(layer_list *layers)
{
    char line[256];
    FILE *file = fopen(LEVY_SOURCE_DIR "/tests/layers.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        room *next = &layers->rooms[layers->count];
        if (line[0] == '#' || line[0] == '\n') continue;
        assert_true(layers->count < MAX_ROOMS);
        next->only[0][0] = next->only[1][0] = '\0';
        const int read = sscanf(line, "%d %127s only %127s %127s", &next->layer, next->path,
                                next->only[0], next->only[1]);
        assert_true(read >= 2);
        next->user[0] = '\0';
        (void)sscanf(line, "%*d %*s by %127s", next->user);
        layers->count++;
    }
    fclose(file);
}

static bool path_is_in(const char *path, const char *folder)
{
    const size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static const room *layers_room(const layer_list *layers, const char *path)
{
    const room *best = NULL;
    for (size_t i = 0; i < layers->count; ++i)
        if (path_is_in(path, layers->rooms[i].path) &&
            (!best || strlen(layers->rooms[i].path) > strlen(best->path)))
            best = &layers->rooms[i];
    return best;
}

/* NULL when `from` may include `to`, else why not. */
static const char *layers_refuse(const layer_list *layers, const char *from, const char *to)
{
    const room *own = layers_room(layers, from), *other = layers_room(layers, to);
    if (!own) return "the file is in no room of tests/layers.txt";
    if (!other)
        return "what it includes is in no room of tests/layers.txt (paths start at the root)";
    if (own == other) return NULL;
    if (own->only[0][0] && !path_is_in(to, own->only[0]) && !path_is_in(to, own->only[1]))
        return "this room may include only what tests/layers.txt names";
    if (own->only[0][0]) return NULL;
    if (other->user[0] && !path_is_in(from, other->user) && !path_is_in(from, "tests"))
        return "tests/layers.txt names the only room that may include it";
    return other->layer < own->layer ? NULL : "the other room is not of a lower layer";
}

static void layers_check_file(layer_list *layers, const char *path)
{
    char name[4 * PATH_SIZE], line[1024], included[PATH_SIZE];
    snprintf(name, sizeof name, "%s/%s", LEVY_SOURCE_DIR, path);
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    layers->files++;
    for (int number = 1; fgets(line, sizeof line, file); ++number) {
        if (sscanf(line, " # include \"%511[^\"]\"", included) != 1) continue;
        layers->includes++;
        const char *why = layers_refuse(layers, path, included);
        struct stat status;
        snprintf(name, sizeof name, "%s/%s", LEVY_SOURCE_DIR, included);
        if (!why && stat(name, &status) != 0) why = "there is no such file below the root";
        if (!why) continue;
        print_error("%s:%d: includes \"%s\": %s\n", path, number, included, why);
        layers->breaches++;
    }
    fclose(file);
}

static bool is_source(const char *name)
{
    const char *ending = strrchr(name, '.');
    static const char *const endings[] = {".c", ".h", ".cu", ".cuh", ".def"};
    for (size_t i = 0; ending && i < sizeof endings / sizeof *endings; ++i)
        if (strcmp(ending, endings[i]) == 0) return true;
    return false;
}

static void layers_walk(layer_list *layers, const char *folder)
{
    char path[4 * PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s", LEVY_SOURCE_DIR, folder);
    DIR *open = opendir(path);
    if (!open) return;
    for (struct dirent *entry; (entry = readdir(open));) {
        struct stat status;
        char name[PATH_SIZE];
        if (entry->d_name[0] == '.') continue;
        assert_true(snprintf(name, sizeof name, "%s/%s", folder, entry->d_name) < PATH_SIZE);
        snprintf(path, sizeof path, "%s/%s", LEVY_SOURCE_DIR, name);
        if (stat(path, &status) != 0) continue;
        if (S_ISDIR(status.st_mode))
            layers_walk(layers, name);
        else if (is_source(entry->d_name))
            layers_check_file(layers, name);
    }
    closedir(open);
}

static void test_every_include_keeps_to_the_layers(void **state)
{
    (void)state;
    static layer_list layers;
    static const char *const folders[] = {"engine",  "models", "payoffs",
                                          "kernels", "tests",  "bench"};
    layers_read(&layers);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; ++i) layers_walk(&layers, folders[i]);
    assert_true(layers.files > 50 && layers.includes > 100); /* the walk saw the project */
    assert_int_equal(layers.breaches, 0);
}

static void test_breaches_are_seen(void **state)
{
    (void)state;
    static layer_list layers;
    layers_read(&layers);
    assert_null(layers_refuse(&layers, "engine/statistics/stats.c", "kernels/lane/scalar.h"));
    assert_null(layers_refuse(&layers, "engine/base/error.c", "engine/base/text.h"));
    assert_null(layers_refuse(&layers, "engine/report/report.h", "engine/levy.h"));
    assert_null(layers_refuse(&layers, "engine/api/api_study.c", "engine/render/render.h"));
    assert_null(layers_refuse(&layers, "tests/test_plot.c", "engine/render/plot.h"));
    assert_non_null(layers_refuse(&layers, "engine/study/study.c", "engine/render/render.h"));
    assert_null(layers_refuse(&layers, "engine/cli/price.c", "engine/cli/options.def"));
    assert_null(layers_refuse(&layers, "engine/cli/price.c", "engine/levy.h"));
    assert_non_null(layers_refuse(&layers, "engine/cli/price.c", "engine/base/error.h"));
    assert_non_null(layers_refuse(&layers, "engine/base/error.c", "engine/document/document.h"));
    assert_non_null(layers_refuse(&layers, "models/black_scholes.h", "payoffs/european.h"));
    assert_non_null(
        layers_refuse(&layers, "kernels/cpu/cpu_backend.c", "kernels/cuda/device/launch.h"));
    assert_non_null(layers_refuse(&layers, "engine/statistics/stats.c", "engine/book/handles.h"));
    assert_non_null(layers_refuse(&layers, "engine/base/error.c", "text.h"));
    assert_non_null(layers_refuse(&layers, "engine/cli/price.c", "engine/levyx.h"));
    assert_null(layers_refuse(&layers, "bench/harness/main.c", "engine/cli/start.h"));
    assert_null(layers_refuse(&layers, "bench/harness/main.c", "engine/levy.h"));
    assert_null(layers_refuse(&layers, "bench/harness/main.c", "bench/harness/bench.h"));
    assert_null(layers_refuse(&layers, "bench/alias/alias_cpu.c", "engine/base/memory.h"));
    assert_non_null(layers_refuse(&layers, "bench/harness/main.c", "engine/base/memory.h"));
    assert_non_null(layers_refuse(&layers, "bench/harness/main.c", "bench/must.cuh"));
    assert_non_null(layers_refuse(&layers, "bench/alias/alias_cpu.c", "bench/harness/bench.h"));
    assert_non_null(layers_refuse(&layers, "engine/cli/bench.c", "bench/harness/bench.h"));
}

/* The number of a payoff's kind; the bits of its features are no kind's. */
static bool names_a_payoff(const char *line)
{
    static const char *const kinds[] = {
#define LEVY_PAYOFF(name, NAME) "LEVY_PAYOFF_" #NAME,
#include "payoffs/payoffs.def"
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        for (const char *at = line; (at = strstr(at, kinds[i])); ++at) {
            const char after = at[strlen(kinds[i])];
            if (!isalnum((unsigned char)after) && after != '_') return true;
        }
    return false;
}

/* A member of a struct of engine/market that is this room's own. */
static bool names_a_member(const char *line)
{
    static const char *const members[] = {
        "total_variance",   "log_discounts", "zero_rates",        "carry.",    "volatility.n",
        "volatility.times", "correlation.n", "correlation.times", ".matrices", ">matrices"};
    for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
        if (strstr(line, members[i])) return true;
    return false;
}

typedef struct named {
    bool (*in)(const char *line);
    const char *said;
    size_t files, found;
} named;

static void count_named_in_file(const char *path, named *n)
{
    char line[1024];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    for (int number = 1; fgets(line, sizeof line, file); ++number) {
        if (!n->in(line)) continue;
        print_error("%s:%d: names %s\n", path, number, n->said);
        n->found++;
    }
    fclose(file);
    n->files++;
}

static void count_named_in_room(const char *folder, named *n)
{
    DIR *open = opendir(folder);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open));) {
        char path[2 * PATH_SIZE];
        if (!is_source(entry->d_name)) continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        count_named_in_file(path, n);
    }
    closedir(open);
}

/* What one kind says stands in payoffs/<kind>.c: a further kind leaves these rooms as they are. */
static void test_book_plan_and_study_name_no_kind_of_payoff(void **state)
{
    static const char *const rooms[] = {LEVY_SOURCE_DIR "/engine/problem",
                                        LEVY_SOURCE_DIR "/engine/plan",
                                        LEVY_SOURCE_DIR "/engine/study"};
    (void)state;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; ++i) {
        named kinds = {names_a_payoff, "a kind of payoff, instead of asking it", 0, 0};
        count_named_in_room(rooms[i], &kinds);
        assert_int_equal(kinds.found, 0);
        assert_true(kinds.files > 5); /* it saw the room */
    }
    assert_true(names_a_payoff("if (kind == LEVY_PAYOFF_BEST_OF)"));
    assert_false(names_a_payoff("features & LEVY_PAYOFF_AVERAGES"));
}

/* A curve, a volatility, a carry or a correlation of another kind leaves these rooms as they are.
 */
static void test_members_of_the_market_are_its_own(void **state)
{
    static const char *const rooms[] = {
        LEVY_SOURCE_DIR "/engine/problem", LEVY_SOURCE_DIR "/engine/plan",
        LEVY_SOURCE_DIR "/engine/run",     LEVY_SOURCE_DIR "/engine/study",
        LEVY_SOURCE_DIR "/engine/book",    LEVY_SOURCE_DIR "/engine/report"};
    (void)state;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; ++i) {
        named members = {names_a_member, "a member of a struct of engine/market", 0, 0};
        count_named_in_room(rooms[i], &members);
        assert_int_equal(members.found, 0);
        assert_true(members.files > 5);
    }
    assert_true(names_a_member("asset->volatility.total_variance[0]"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_include_keeps_to_the_layers),
        cmocka_unit_test(test_breaches_are_seen),
        cmocka_unit_test(test_book_plan_and_study_name_no_kind_of_payoff),
        cmocka_unit_test(test_members_of_the_market_are_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
