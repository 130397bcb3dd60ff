/* api_quotes.c: a book's settings, and the numbers of its market, read and set by name. See
 * levy.h. */
#include "engine/book/handles.h"

#include "engine/base/number.h"
#include "engine/market/factor.h"

#include <stdio.h>

size_t levy_book_quote_count(const levy_book *book)
{
    return book ? levy_quotes_count(book->quotes) : 0;
}

const char *levy_book_quote_name(const levy_book *book, size_t index)
{
    const levy_quote *quote = book ? levy_quotes_at(book->quotes, index) : NULL;
    return quote ? quote->name : NULL;
}

int levy_book_quote_is_shift(const levy_book *book, size_t index)
{
    const levy_quote *quote = book ? levy_quotes_at(book->quotes, index) : NULL;
    return quote && quote->is_shift;
}

static levy_status quotes_unknown(const levy_book *book, const char *factor)
{
    char meant[LEVY_MEANT_SIZE], hint[384];
    snprintf(hint, sizeof hint,
             "factors are %s; a setting begins with simulation, as simulation.bumps.spot",
             levy_quote_list);
    levy_fault_add(&book->context->faults, LEVY_REASON_UNKNOWN_NAME, NULL, "", hint,
                   "the market has no factor '%s'%s", factor,
                   levy_meant(levy_quotes_nearest(book->quotes, factor), meant));
    return LEVY_ARGUMENT;
}

static levy_status quotes_out_of_range(const levy_book *book, const levy_quote *quote, double value)
{
    char given[LEVY_NUMBER_SIZE], low[LEVY_NUMBER_SIZE], high[LEVY_NUMBER_SIZE];
    levy_number_write(value, given);
    levy_number_write(quote->low, low);
    levy_number_write(quote->high, high);
    levy_fault_add(&book->context->faults, LEVY_REASON_RANGE, NULL, quote->name, NULL,
                   "must lie in %s%s, %s]; got %s", quote->low_open ? "(" : "[", low, high, given);
    return LEVY_ARGUMENT;
}

static levy_status quotes_set(levy_book *book, const char *factor, double value)
{
    const size_t index = levy_quotes_find(book->quotes, factor);
    const levy_quote *quote = levy_quotes_at(book->quotes, index);
    if (!quote) return quotes_unknown(book, factor);
    if (quote->value == value) return LEVY_OK;
    if (!levy_quotes_set(book->quotes, index, value))
        return quotes_out_of_range(book, quote, value);
    book->stale = true;
    return LEVY_OK;
}

static levy_context *quotes_context(const levy_book *book) { return book ? book->context : NULL; }

int levy_book_set(levy_book *book, const char *factor, double value)
{
    if (!book || !factor) return levy_call_refuse(quotes_context(book), "factor", "is NULL");
    levy_call_begin(book->context);
    return levy_call_end(book->context, (int)quotes_set(book, factor, value));
}

int levy_book_get(const levy_book *book, const char *factor, double *value)
{
    if (!book || !factor || !value)
        return levy_call_refuse(quotes_context(book), factor ? "value" : "factor", "is NULL");
    const levy_quote *quote = levy_quotes_at(book->quotes, levy_quotes_find(book->quotes, factor));
    levy_call_begin(book->context);
    if (!quote) return levy_call_end(book->context, (int)quotes_unknown(book, factor));
    *value = quote->value;
    return levy_call_end(book->context, LEVY_STATUS_OK);
}

static levy_status quotes_settings(levy_book *book, const levy_setting *settings, size_t n)
{
    const levy_memory *const memory = &book->context->memory;
    levy_override *const overrides = levy_memory_allocate(memory, n ? n : 1, sizeof *overrides);
    if (!overrides) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i)
        overrides[i] = (levy_override){settings[i].key, settings[i].value};
    const levy_status status = levy_book_take_settings(book, overrides, n);
    levy_memory_release(memory, overrides);
    return status;
}

int levy_book_override(levy_book *book, const levy_setting *settings, size_t n_settings)
{
    bool whole = book && (settings || n_settings == 0);
    for (size_t i = 0; whole && i < n_settings; ++i) whole = settings[i].key && settings[i].value;
    if (!whole)
        return levy_call_refuse(quotes_context(book), "settings",
                                "needs a book, and each setting a key and a value");
    levy_call_begin(book->context);
    return levy_call_end(book->context, (int)quotes_settings(book, settings, n_settings));
}
