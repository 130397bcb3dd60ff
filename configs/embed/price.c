/* price.c: prices a book with liblevy, then again with every spot one percent higher.
 *
 *     cc price.c $(pkg-config --cflags --libs levy) -o price
 *     ./price ../quickstart.yaml
 */
#include <levy.h>
#include <stdio.h>
#include <string.h>

/* What the last call on this context has to say, and the program's exit code for it. */
static int complain(const levy_context *context, int status)
{
    for (size_t i = 0; i < levy_diagnostic_count(context); ++i)
        fprintf(stderr, "%s\n", levy_diagnostic_get(context, i)->text);
    if (status != LEVY_STATUS_OK) fprintf(stderr, "%s\n", levy_status_message(status));
    return levy_status_exit_code(status);
}

static int price(levy_book *book, const char *title)
{
    levy_results *results;
    const int status = levy_price(book, NULL, &results);
    if (status != LEVY_STATUS_OK) return status;
    printf("%s\n", title);
    for (size_t i = 0; i < levy_results_size(results); ++i) {
        const levy_trade_result *trade = levy_results_trade(results, i);
        printf("  %-20s %14.2f +- %.2f %s\n", trade->id, trade->price, trade->std_error,
               trade->currency);
    }
    levy_results_destroy(results);
    return LEVY_STATUS_OK;
}

static int raise_spots(levy_book *book, double factor)
{
    int status = LEVY_STATUS_OK;
    for (size_t i = 0; i < levy_book_quote_count(book) && status == LEVY_STATUS_OK; ++i) {
        const char *name = levy_book_quote_name(book, i), *dot = strrchr(name, '.');
        double spot;
        if (strcmp(dot, ".spot") != 0) continue;
        status = levy_book_get(book, name, &spot);
        if (status == LEVY_STATUS_OK) status = levy_book_set(book, name, spot * factor);
    }
    return status;
}

int main(int argc, char **argv)
{
    const char *file = argc > 1 ? argv[1] : "quickstart.yaml";
    levy_context *context;
    levy_book *book = NULL;
    if (levy_context_create(NULL, &context) != LEVY_STATUS_OK) return 1;
    int status = levy_book_load_files(context, &file, 1, NULL, 0, &book);
    if (status == LEVY_STATUS_OK) status = price(book, "as quoted");
    if (status == LEVY_STATUS_OK) status = raise_spots(book, 1.01);
    /* reads nothing, plans nothing anew */
    if (status == LEVY_STATUS_OK) status = price(book, "spots 1 % up");
    const int code = complain(context, status);
    levy_book_destroy(book);
    levy_context_destroy(context);
    return code;
}
