/* api_price.c: levy_price and levy_book_explain. See levy.h. */
#include "engine/base/clock.h"
#include "engine/book/choice.h"
#include "engine/book/plan_cache.h"
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
    const levy_status status = levy_book_price(book, &own, results);
    return levy_call_end_results(book->context, (int)status, results);
}

/* The device that levy_price would choose without a journal, and its weighing. */
static levy_status price_choose(levy_book *book, const levy_price_options *options,
                                levy_choice *choice, levy_call_device *device)
{
    const levy_group *groups = NULL;
    size_t n_groups = 0;
    const bool alone = book->problem->simulation.precision != LEVY_PRECISION_DOUBLE;
    LEVY_TRY(levy_plan_cache_prepare(book, &groups, &n_groups));
    return levy_choice_open(book, options, groups, n_groups, alone, choice, device);
}

static levy_status price_explain(levy_book *book, const levy_price_options *options, double start,
                                 levy_writer write, void *user)
{
    levy_context *const context = book->context;
    levy_choice choice;
    levy_call_device device;
    levy_explanation job = {.planning = &context->planning, .options = options, .start = start};
    LEVY_TRY(levy_book_refresh(book));
    levy_text_out_init(&job.out, write, user);
    levy_call_watch(context, levy_explain_stop, &job);
    levy_status status = price_choose(book, options, &choice, &device);
    if (status == LEVY_OK) {
        job.problem = book->problem;
        job.backend = &device.backend;
        job.info = &device.info;
        job.reason = device.reason;
        job.estimate = choice.weighed ? choice.estimate : NULL;
        job.device_is_chosen = strcmp(options->device, "auto") != 0;
        status = levy_explain(&job);
        levy_call_device_close(&device);
    }
    levy_call_watch(context, NULL, NULL);
    return (levy_status)levy_text_finish(&job.out, (int)status);
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
    const levy_status status = price_explain(book, &own, start, write, user);
    return levy_call_end(book->context, (int)status);
}
