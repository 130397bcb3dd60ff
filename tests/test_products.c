/* test_products.c: every book of configs/payoffs/ is one trade of the kind that names the file, is
 * short enough to read at a glance, and prices to what tests/products/oracle.py found by another
 * route: |levy - oracle| <= 4 standard errors of both together, and a rounding of the data's last
 * digit. */
#include "engine/document/document.h"
#include "engine/base/number.h"
#include "engine/levy.h"
#include "tests/cmocka_all.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PRODUCTS_FOLDER LEVY_SOURCE_DIR "/configs/payoffs"
enum { PRODUCTS_LINES = 20, PRODUCTS_TEXT = 65536 };

typedef struct products {
    levy_arena arena;
    levy_fault_list faults;
    const levy_node *list;
    char text[PRODUCTS_TEXT];
} products;

static void products_read_text(const char *path, char text[PRODUCTS_TEXT])
{
    FILE *const file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    const size_t length = fread(text, 1, PRODUCTS_TEXT - 1, file);
    text[length] = '\0';
    assert_true(length < PRODUCTS_TEXT - 1);
    fclose(file);
}

static int products_begin(void **state)
{
    products *const p = calloc(1, sizeof *p);
    levy_document document = {0};
    if (!p) return -1;
    levy_arena_init(&p->arena, NULL);
    levy_fault_list_init(&p->faults, NULL);
    products_read_text(LEVY_SOURCE_DIR "/tests/products/products.yaml", p->text);
    if (levy_document_read("products", 0, p->text, strlen(p->text), NULL, &p->arena, &p->faults,
                           &document) != LEVY_OK)
        return -1;
    p->list = levy_node_find(document.roots[0], "products");
    *state = p;
    return p->list ? 0 : -1;
}

static int products_end(void **state)
{
    products *const p = *state;
    levy_fault_list_release(&p->faults);
    levy_arena_release(&p->arena);
    free(p);
    return 0;
}

static double products_number(const levy_node *product, const char *key)
{
    const levy_node *const node = levy_node_find(product, key);
    double value = NAN;
    assert_non_null(node);
    assert_int_equal(levy_number_read(node->text, node->length, &value), LEVY_NUMBER_OK);
    return value;
}

static const char *products_kind(const levy_node *product)
{
    return levy_node_find(product, "kind")->text;
}

/* ---- Each has the other ---- */

static bool products_has(const products *p, const char *file)
{
    for (const levy_node *product = p->list->children; product; product = product->next) {
        char name[128];
        snprintf(name, sizeof name, "%s.yaml", products_kind(product));
        if (strcmp(name, file) == 0) return true;
    }
    return false;
}

static void test_every_book_has_a_price(void **state)
{
    const products *const p = *state;
    size_t files = 0;
    DIR *const folder = opendir(PRODUCTS_FOLDER);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        if (!products_has(p, entry->d_name)) fail_msg("no price for %s", entry->d_name);
        ++files;
    }
    closedir(folder);
    assert_int_equal(files, p->list->count);
    assert_true(files >= 20);
}

static void test_books_are_short(void **state)
{
    static const char schema[] = "# yaml-language-server: $schema=../levy.schema.json\n";
    const products *const p = *state;
    static char text[PRODUCTS_TEXT];
    for (const levy_node *product = p->list->children; product; product = product->next) {
        char path[512];
        size_t lines = 0;
        snprintf(path, sizeof path, PRODUCTS_FOLDER "/%s.yaml", products_kind(product));
        products_read_text(path, text);
        for (const char *at = text; *at; ++at) lines += *at == '\n';
        if (lines > PRODUCTS_LINES) fail_msg("%s has %zu lines", path, lines);
        assert_memory_equal(text, schema, sizeof schema - 1);
    }
}

/* ---- Prices ---- */

static void products_price(const char *kind, double *price, double *std_error)
{
    static const levy_setting fewer = {"simulation.paths", "2^13"};
    char path[512];
    const char *const paths[] = {path};
    levy_context *context;
    levy_book *book;
    levy_results *results;
    snprintf(path, sizeof path, PRODUCTS_FOLDER "/%s.yaml", kind);
    assert_int_equal(levy_context_create(NULL, &context), LEVY_STATUS_OK);
    if (levy_book_load_files(context, paths, 1, &fewer, LEVY_SANITIZED ? 1 : 0, &book) !=
        LEVY_STATUS_OK)
        fail_msg("%s: %s", path, levy_diagnostic_get(context, 0)->text);
    assert_int_equal(levy_diagnostic_count(context), 0); /* nor a warning */
    levy_price_options options = {.struct_size = sizeof options, .device = "cpu", .threads = 1};
    assert_int_equal(levy_price(book, &options, &results), LEVY_STATUS_OK);
    assert_int_equal(levy_results_size(results), 1);
    const levy_trade_result *const trade = levy_results_trade(results, 0);
    if (strcmp(trade->status, "ok") != 0) fail_msg("%s is %s", path, trade->status);
    *price = trade->price;
    *std_error = trade->std_error;
    levy_results_destroy(results);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

static void test_prices(void **state)
{
    const products *const p = *state;
    size_t failed = 0;
    for (const levy_node *product = p->list->children; product; product = product->next) {
        const char *const kind = products_kind(product);
        const double wanted = products_number(product, "price"),
                     own = products_number(product, "standard_error");
        double price = NAN, std_error = NAN;
        products_price(kind, &price, &std_error);
        const double error = sqrt(std_error * std_error + own * own), z = (price - wanted) / error;
        print_message("%-24s %14.8g +- %-8.2g oracle %14.8g +- %-8.2g %+.2f errors\n", kind, price,
                      std_error, wanted, own, z);
        assert_true(std_error > 0.0);
        if (!(fabs(price - wanted) <= 4.0 * error + 1e-9 * fabs(wanted))) ++failed;
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_book_has_a_price),
                                       cmocka_unit_test(test_books_are_short),
                                       cmocka_unit_test(test_prices)};
    return cmocka_run_group_tests_name("products", tests, products_begin, products_end);
}
