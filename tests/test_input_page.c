/* test_input_page.c: docs/input.md is what the tables of the input say: each topic of `levy
 * describe` with its keys, ranges, defaults and an example, and all limits in one place. A key that
 * several payoffs have with one meaning stands once, under the topic of all payoffs.
 * `build/tests/test_input_page print > docs/input.md` writes the page anew. docs/theory.md,
 * which is written by hand, has the equations of each payoff and model. */
#include "engine/document/document.h"
#include "engine/plan/principal.h"
#include "engine/problem/scenarios.h"
#include "engine/schema/book.h"
#include "engine/schema/writer.h"
#include "engine/script/program.h"
#include "kernels/path/image.h"
#include "kernels/points/sobol_tables.h"
#include "tests/cmocka_all.h"
#include "tests/input_page_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_NESTED = 4 };

/* ---- A topic ---- */

/* The example, which is a map in braces without quotes, with a line for each of its keys. */
static void put_example(FILE *out, const char *example)
{
    const size_t length = strlen(example);
    int depth = 0;
    fputs("\n```yaml\n", out);
    for (size_t i = 1; i + 1 < length; ++i) {
        const char c = example[i];
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        if (c == ',' && depth == 0) {
            fputc('\n', out);
            i += example[i + 1] == ' ';
        } else {
            fputc(c, out);
        }
    }
    fputs("\n```\n", out);
}

static void put_short_forms(FILE *out, const levy_table *table)
{
    if (!table->shorthand_key) return;
    fputs("\nA bare value is short for `{", out);
    if (table->shorthand) fprintf(out, "kind: %s, ", table->shorthand);
    fprintf(out, "%s: value}`.", table->shorthand_key);
    if (table->shorthand_list)
        fprintf(out, " A bare list is short for `{%s: list}`.", table->shorthand_list);
    fputc('\n', out);
}

static void put_kinds(FILE *out, const char *topic, const levy_table *table)
{
    fputs("\nKinds: ", out);
    for (const levy_variant *variant = table->variants; variant->kind; ++variant) {
        char name[96];
        snprintf(name, sizeof name, "%s.%s", topic, variant->kind);
        if (variant != table->variants) fputs(", ", out);
        put_link(out, name);
    }
    fputs(".\n", out);
}

static void put_fields(FILE *out, const levy_table *table)
{
    fputc('\n', out);
    for (const levy_field *field = table->fields; field->name; ++field) put_row(out, field);
}

static void put_shared_rows(FILE *out)
{
    fputs("\nKeys of several kinds, each of which names those that it has:\n", out);
    fputc('\n', out);
    for (size_t i = 0; i < n_page_rows; ++i)
        if (row_is_shared(&page_rows[i])) fputs(page_rows[i].text, out);
}

static void put_payoff_fields(FILE *out, const levy_table *table)
{
    size_t own = 0, shared = 0;
    for (const levy_field *field = table->fields; field->name; ++field) {
        if (field_is_shared(field)) continue;
        if (own++ == 0) fputc('\n', out);
        put_row(out, field);
    }
    for (const levy_field *field = table->fields; field->name; ++field) {
        if (!field_is_shared(field)) continue;
        fprintf(out, "%s`%s`", shared++ == 0 ? "\nKeys [of several kinds](#payoff): " : ", ",
                field->name);
    }
    if (shared > 0) fputs(".\n", out);
}

/* The maps of a topic that are no topics themselves follow it. `key`: where one stands. */
static void put_nested(FILE *out, const levy_table *table, const char *path, int level)
{
    for (const levy_field *field = table->fields; field->name && level < PAGE_NESTED; ++field) {
        char at[256];
        if (!field->table || levy_schema_topic_of(field->table)) continue;
        snprintf(at, sizeof at, "%s%s%s", path, path[0] ? "." : "", field->name);
        fprintf(out, "\n`%s`: ", at);
        put_text(out, field->table->doc);
        fputc('\n', out);
        put_short_forms(out, field->table);
        put_fields(out, field->table);
        put_nested(out, field->table, at, level + 1);
    }
}

static void put_topic(FILE *out, const char *topic, const levy_table *table)
{
    fprintf(out, "\n%s %s\n\n", strchr(topic, '.') ? "###" : "##", topic);
    put_text(out, table->doc);
    fputc('\n', out);
    put_short_forms(out, table);
    if (table->variants) put_kinds(out, topic, table);
    if (table->example) put_example(out, table->example);
    if (table == &levy_payoff_table) put_shared_rows(out);
    if (!table->fields) return;
    if (strncmp(topic, "payoff.", 7) == 0)
        put_payoff_fields(out, table);
    else
        put_fields(out, table);
    put_nested(out, table, "", 0);
}

/* ---- The page ---- */

static const char page_head[] =
    "# Input\n\n"
    "Every key of the input, made from the tables that the reader runs on. `levy describe TOPIC`\n"
    "prints the same, `levy schema` a JSON Schema, and `configs/` has a file of each feature.\n"
    "\n"
    "- Input is YAML 1.1 or JSON, which is YAML: a file may end in `.json`. Types follow from the\n"
    "  key, never from the text: `NO` is a name and `1e3` a number. Anchors, aliases, tags and\n"
    "  directives are refused. `null` and `~` are no value; in quotes they are text.\n"
    "- A **time** is a date (`2027-11-20`) in a book with `valuation_date`, else years from "
    "today.\n"
    "- A **count** is a whole number or a power: `65536`, `2^16`. A **tenor** is a count and\n"
    "  `D`, `W`, `M` or `Y`: `3M`. A **name** has letters, digits, `.`, `_` and `-`.\n"
    "- Rates, yields and volatilities are decimals a year: 0.04 is 4 %.\n"
    "- Unknown keys, and numbers outside their range, are errors with place and hint.\n"
    "- An example below is a map that may stand where its topic is asked for.\n"
    "\n"
    "Topics: ";

static void put_limits(FILE *out)
{
    fputs("\n## Limits\n\n| What | At most |\n|---|---|\n", out);
    fprintf(out, "| assets of a model, underlyings of a trade | %d |\n", LEVY_RAW_MAX_ASSETS);
    fprintf(out, "| dates of a schedule | %d |\n", LEVY_RAW_MAX_OBSERVATIONS);
    fprintf(out, "| dates with `construction: pca` | %d |\n", LEVY_MOST_COMPONENTS);
    fprintf(out, "| components that a bridge draws first | %d |\n", LEVY_MOST_FUNCTIONALS);
    fputs("| dates x (factors + draws of the model) of a trade | 2^26 - 1 |\n", out);
    fprintf(out, "| dimensions of Sobol points; further ones are pseudo-random | %d |\n",
            LEVY_SOBOL_DIMENSIONS);
    fputs("| dimensions and columns of a net | 65536, 64 |\n"
          "| points of a replicate (Sobol, nets) | 2^32 |\n"
          "| replicates | 65536 |\n"
          "| paths in all | 2^48 |\n"
          "| years from the valuation, dates | 200, 1900-01-01 to 2199-12-31 |\n",
          out);
    fprintf(out, "| scenarios, each point of a grid counted | %d |\n", LEVY_MOST_SCENARIOS);
    fputs("| trades, curves, models, calendars | memory (`--max-memory`) |\n"
          "| regimes of a model, levels of `attraction` | 64, 15 |\n"
          "| rows and size of a file of shocks | 10000000, 1 GiB |\n",
          out);
    fprintf(out, "| schedules of a script beside expiry, blocks | %d, %d |\n",
            LEVY_PAYOFF_SCHEDULES - 1, LEVY_SCRIPT_BLOCKS);
    fprintf(out, "| operations of a script, after expansion by asset | %d |\n", LEVY_SCRIPT_STEPS);
    fprintf(out, "| numbers of a list among a script's parameters | 100000 |\n");
    fprintf(out, "| bytes of a file, of a value, of a name | 2^30, %zu, %zu |\n",
            levy_limits_default.scalar_bytes, levy_limits_default.key_bytes);
    fprintf(out, "| levels of nested maps and lists, nodes in all | %zu, %zu |\n",
            levy_limits_default.depth, levy_limits_default.nodes);
}

static void put_page(FILE *out)
{
    fputs(page_head, out);
    bool first = true;
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic) {
        if (strchr(*topic, '.')) continue;
        if (!first) fputs(", ", out);
        put_link(out, *topic);
        first = false;
    }
    fputs(".\n", out);
    put_limits(out);
    gather_page_rows();
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        put_topic(out, *topic, levy_catalog_find(*topic));
    free_page_rows();
}

static char *made_page(void)
{
    char *text = NULL;
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    assert_non_null(out);
    put_page(out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Reads a page of docs/ whole. */
static char *page_text(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    FILE *const in = fopen(path, "rb");
    assert_non_null(in);
    assert_true(getdelim(&text, &room, '\0', in) > 0);
    fclose(in);
    return text;
}

static void test_the_committed_page_is_what_the_tables_say(void **state)
{
    (void)state;
    char *const made = made_page();
    char *const kept = page_text(LEVY_SOURCE_DIR "/docs/input.md");
    if (strcmp(kept, made) != 0)
        fail_msg("docs/input.md is out of date: build/tests/test_input_page print > docs/input.md");
    free(kept);
    free(made);
}

static void test_each_topic_has_an_example(void **state)
{
    (void)state;
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        if (!levy_catalog_find(*topic)->example) fail_msg("'%s' has no example", *topic);
}

/* A row of a table of the page has the kind: | `european` | max(...) | */
static bool page_has_row(const char *page, const char *kind)
{
    char word[128];
    snprintf(word, sizeof word, "`%s`", kind);
    for (const char *at = strstr(page, word); at; at = strstr(at + 1, word)) {
        const char *line = at;
        while (line > page && line[-1] != '\n') --line;
        if (*line == '|') return true;
    }
    return false;
}

static void test_theory_has_the_equations_of_each_kind(void **state)
{
    (void)state;
    char *const page = page_text(LEVY_SOURCE_DIR "/docs/theory.md");
    const levy_table *const tables[] = {&levy_payoff_table, &levy_model_table};
    for (size_t i = 0; i < 2; ++i)
        for (const levy_variant *kind = tables[i]->variants; kind->kind; ++kind)
            if (!page_has_row(page, kind->kind))
                fail_msg("docs/theory.md has no row for %s '%s'", tables[i]->name, kind->kind);
    free(page);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_committed_page_is_what_the_tables_say),
        cmocka_unit_test(test_each_topic_has_an_example),
        cmocka_unit_test(test_theory_has_the_equations_of_each_kind),
    };
    if (argc == 2 && strcmp(argv[1], "print") == 0) {
        put_page(stdout);
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
