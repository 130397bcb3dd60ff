/* test_bad_configs.c: every file of tests/bad_configs/ holds one fault; NAME.expected beside it
 * holds the diagnostic to the letter: its line, its hint, its reason. Each is refused quickly, and
 * every reason that an input can cause has a file. Of a name that begins with warned_ the fault is
 * a warning, and the book can be priced. Files that others refer to lie in the sub-folder files/.
 * To add a case, write the YAML, run this test, read what it prints, and keep that as NAME.expected
 * once place, sentence and hint are right. */
#include "tests/cmocka_all.h"

#include "tests/problem_load.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FOLDER LEVY_SOURCE_DIR "/tests/bad_configs"
enum { MOST_CASES = 1000, FEWEST_CASES = 150, MOST_MILLISECONDS = 100, PATH_SIZE = 1024 };

typedef struct corpus {
    char *names[MOST_CASES]; /* without .yaml, sorted */
    size_t n;
    bool seen[LEVY_REASON_CANCELLED + 1];
} corpus;

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int find_cases(void **state)
{
    corpus *all = calloc(1, sizeof *all);
    DIR *folder = opendir(FOLDER);
    if (!all || !folder) return -1;
    for (const struct dirent *entry = readdir(folder); entry && all->n < MOST_CASES;
         entry = readdir(folder)) {
        const char *end = strrchr(entry->d_name, '.');
        if (end && strcmp(end, ".yaml") == 0)
            all->names[all->n++] = strndup(entry->d_name, (size_t)(end - entry->d_name));
    }
    closedir(folder);
    qsort(all->names, all->n, sizeof *all->names, compare_names);
    *state = all;
    return 0;
}

static int release_cases(void **state)
{
    corpus *all = *state;
    for (size_t i = 0; i < all->n; ++i) free(all->names[i]);
    free(all);
    return 0;
}

/* NULL: no such file. The caller frees. */
static char *read_case(const char *name, const char *ending, size_t *length)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/%s%s", FOLDER, name, ending);
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *length = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, *length, file), *length);
    text[*length] = '\0';
    fclose(file);
    return text;
}

/* Takes the folder's name out of the text, in place: the corpus may lie anywhere. */
static void strip_folder(char *text)
{
    static const char folder[] = FOLDER "/";
    for (char *at = strstr(text, folder); at; at = strstr(at, folder))
        memmove(at, at + sizeof folder - 1, strlen(at + sizeof folder - 1) + 1);
}

/* The processor's time: a machine with other work may stop this program for any time. */
static double milliseconds_since(clock_t start)
{
    return 1e3 * (double)(clock() - start) / (double)CLOCKS_PER_SEC;
}

/* The diagnostics as text, with the reason of each on a last line. The caller frees. */
static char *said_of(const loaded_book *book)
{
    char *text = loaded_book_text(book);
    assert_non_null(text);
    strip_folder(text);
    const char *reason =
        book->faults.count > 0 ? levy_reason_text(book->faults.items[0].reason) : "";
    const size_t length = strlen(text);
    text = realloc(text, length + strlen(reason) + 16);
    assert_non_null(text);
    snprintf(text + length, strlen(reason) + 16, "reason: %s\n", reason);
    return text;
}

static bool check_case(corpus *all, const char *name)
{
    char file[PATH_SIZE];
    size_t length = 0, expected_length = 0;
    char *text = read_case(name, ".yaml", &length),
         *expected = read_case(name, ".expected", &expected_length);
    assert_non_null(text);
    snprintf(file, sizeof file, "%s.yaml", name);
    const levy_input input = {.name = file, .text = text, .length = length, .base = FOLDER};
    const clock_t start = clock();
    loaded_book book = load_inputs(&input, 1, NULL, 0);
    const double took = milliseconds_since(start);
    char *said = said_of(&book);
    bool good = expected && strcmp(said, expected) == 0;
    if (!good)
        print_error("%s: expected\n%sgot\n%s", name, expected ? expected : "(no .expected file)\n",
                    said);
    if (took >= MOST_MILLISECONDS) print_error("%s: refused after %.1f ms\n", name, took);
    good &= took < MOST_MILLISECONDS;
    const bool warned = strncmp(name, "warned_", 7) == 0;
    const size_t due = warned ? book.faults.warnings : book.faults.errors;
    const bool one = due == 1 && book.faults.count == 1 && book.faults.items[0].hint &&
                     (!warned || book.status == LEVY_OK);
    if (!one)
        print_error("%s: %zu errors, %zu warnings; one %s with a hint is due\n", name,
                    book.faults.errors, book.faults.warnings, warned ? "warning" : "error");
    if (one) {
        const levy_fault *fault = &book.faults.items[0];
        all->seen[fault->reason] = true;
        good &= fault->message[0] != '\0' && fault->hint[0] != '\0' && fault->place.line > 0 &&
                fault->place.column > 0;
    }
    loaded_book_release(&book);
    free(said);
    free(expected);
    free(text);
    return good && one;
}

static void test_bad_configs_say_exactly_what_is_wrong(void **state)
{
    corpus *all = *state;
    size_t failed = 0;
    for (size_t i = 0; i < all->n; ++i) failed += !check_case(all, all->names[i]);
    assert_int_equal(failed, 0);
}

static void test_bad_configs_are_many(void **state)
{
    const corpus *all = *state;
    assert_true(all->n >= FEWEST_CASES && all->n < MOST_CASES);
}

/* Runs after the first: it fills `seen`. Memory, device, numbers and cancelling are no input's
 * fault. */
static void test_bad_configs_cover_every_reason(void **state)
{
    static const levy_reason caused[] = {
        LEVY_REASON_SYNTAX,        LEVY_REASON_LIMIT,        LEVY_REASON_UNKNOWN_KEY,
        LEVY_REASON_DUPLICATE_KEY, LEVY_REASON_MISSING_KEY,  LEVY_REASON_TYPE,
        LEVY_REASON_RANGE,         LEVY_REASON_UNKNOWN_NAME, LEVY_REASON_MISSING_DATA,
        LEVY_REASON_INCONSISTENT,  LEVY_REASON_UNSUPPORTED,  LEVY_REASON_IO};
    const corpus *all = *state;
    for (size_t i = 0; i < sizeof caused / sizeof caused[0]; ++i) {
        if (!all->seen[caused[i]])
            print_error("no file is refused for the reason '%s'\n", levy_reason_text(caused[i]));
        assert_true(all->seen[caused[i]]);
    }
    assert_false(all->seen[LEVY_REASON_NONE]);
}

/* No .expected without its file. */
static void test_bad_configs_have_no_strays(void **state)
{
    const corpus *all = *state;
    DIR *folder = opendir(FOLDER);
    size_t strays = 0;
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".expected") != 0) continue;
        char *name = strndup(entry->d_name, (size_t)(end - entry->d_name));
        const bool found =
            bsearch(&name, all->names, all->n, sizeof *all->names, compare_names) != NULL;
        if (!found) print_error("%s.expected has no file\n", name);
        strays += !found;
        free(name);
    }
    closedir(folder);
    assert_int_equal(strays, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_configs_say_exactly_what_is_wrong),
        cmocka_unit_test(test_bad_configs_are_many),
        cmocka_unit_test(test_bad_configs_cover_every_reason),
        cmocka_unit_test(test_bad_configs_have_no_strays),
    };
    return cmocka_run_group_tests(tests, find_cases, release_cases);
}
