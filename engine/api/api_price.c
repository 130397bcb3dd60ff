/* api_price.c: levy_price and levy_book_explain. See levy.h. */
#include "engine/base/clock.h"
#include "engine/book/pricing.h"
#include "engine/report/explain.h"

#include <string.h>

int levy_price(levy_book *book, const levy_price_options *options, levy_results **results)
{
    levy_price_options own;
    if (results) *results = NULL;
    if (!book || !results)
        return levy_call_refuse(book ? book->context : NULL, "results", "is NULL");
    if (!levy_call_price_options(options, &own))
        return levy_call_refuse(book->context, "struct_size", "is not that of levy_price_options");
    levy_call_begin(book->context);
    const levy_call_mode mode = levy_call_mode_enter();
    const levy_status status = levy_book_price(book, &own, results);
    levy_call_mode_leave(&mode);
    const int ended = levy_call_end(book->context, (int)status);
    if (ended == (int)status) return ended;
    levy_results_destroy(*results); /* there was no memory for its diagnostics */
    *results = NULL;
    return ended;
}

static levy_status price_explain(levy_book *book, const levy_price_options *options, double start,
                                 levy_writer write, void *user)
{
    levy_context *const context = book->context;
    levy_call_device device;
    LEVY_TRY(levy_book_refresh(book));
    LEVY_TRY(levy_call_device_open(context, options, &device));
    levy_explanation job = {.planning = &context->planning,
                            .problem = book->problem,
                            .backend = &device.backend,
                            .info = &device.info,
                            .reason = device.reason,
                            .device_is_chosen = strcmp(options->device, "auto") != 0,
                            .options = options,
                            .start = start};
    levy_text_out_init(&job.out, write, user);
    levy_call_watch(context, levy_explain_stop, &job);
    const levy_status status = levy_explain(&job);
    levy_call_watch(context, NULL, NULL);
    levy_call_device_close(&device);
    const bool written = levy_text_finish(&job.out) == LEVY_STATUS_OK;
    return written || status != LEVY_OK ? status : LEVY_IO;
}

int levy_book_explain(levy_book *book, const levy_price_options *options, levy_writer write,
                      void *user)
{
    levy_price_options own;
    const double start = levy_clock_now();
    if (!book || !write) return levy_call_refuse(book ? book->context : NULL, "write", "is NULL");
    if (!levy_call_price_options(options, &own))
        return levy_call_refuse(book->context, "struct_size", "is not that of levy_price_options");
    levy_call_begin(book->context);
    const levy_call_mode mode = levy_call_mode_enter();
    const levy_status status = price_explain(book, &own, start, write, user);
    levy_call_mode_leave(&mode);
    return levy_call_end(book->context, (int)status);
}
