/* api_calibrate.c: levy_calibrate, and what it has come to. See levy.h. */
#include "engine/api/api_file.h"
#include "engine/base/clock.h"
#include "engine/calibrate/calibration.h"
#include "engine/render/render.h"

/* What the caller is told while a fit is made. */
typedef struct calibrate_watch {
    levy_price_options how;
    levy_progress progress;
    double start, told;
} calibrate_watch;

/* A fit asks at every quote; the caller is asked every 20 ms. */
static int calibrate_stop(void *user)
{
    calibrate_watch *const watch = user;
    const double now = levy_clock_now();
    if (!watch->how.progress || now - watch->told < 0.02) return 0;
    watch->told = now;
    watch->progress.seconds = now - watch->start;
    return watch->how.progress(watch->how.user, &watch->progress);
}

int levy_calibrate(levy_context *context, const levy_source *sources, size_t n_sources,
                   const levy_price_options *how, levy_calibration **calibration)
{
    levy_quotes *quotes = NULL;
    calibrate_watch watch = {.start = levy_clock_now()};
    if (calibration) *calibration = NULL;
    if (!context || !calibration) return levy_call_refuse(context, "calibration", "is NULL");
    if (!levy_sources_fit(sources, n_sources))
        return levy_call_refuse(context, "sources",
                                "needs at least one source; each source needs a name");
    if (!levy_call_price_options(how, &watch.how))
        return levy_call_refuse(context, "struct_size", "is not that of levy_price_options");
    levy_call_begin(context);
    levy_call_watch(context, calibrate_stop, &watch);
    levy_status status = levy_quotes_load(context, sources, n_sources, &quotes);
    if (status == LEVY_OK)
        status = levy_calibration_create(&context->planning, quotes, &context->faults,
                                         &watch.progress, calibration);
    else
        levy_quotes_destroy(quotes);
    levy_call_watch(context, NULL, NULL);
    const int ended = levy_call_end(context, (int)status);
    if (ended != LEVY_STATUS_OK) {
        levy_calibration_destroy(*calibration);
        *calibration = NULL;
    }
    return ended;
}

void levy_calibration_destroy(levy_calibration *calibration)
{
    if (!calibration) return;
    const levy_memory *const memory = calibration->arena.memory;
    levy_quotes_destroy(calibration->quotes);
    levy_arena_release(&calibration->arena);
    levy_memory_release(memory, calibration);
}

const levy_calibration_facts *levy_calibration_info(const levy_calibration *calibration)
{
    return calibration ? &calibration->facts : NULL;
}

double levy_calibration_covariance(const levy_calibration *fit, size_t a, size_t b)
{
    if (!fit || a >= fit->facts.parameters || b >= fit->facts.parameters) return 0.0;
    return fit->result.covariance[a][b];
}

double levy_calibration_response(const levy_calibration *fit, size_t parameter, size_t quote)
{
    const bool there = fit && parameter < fit->facts.parameters && quote < fit->facts.quotes;
    return there ? fit->response[quote][parameter] : 0.0;
}

const char *levy_calibration_file(const levy_calibration *fit, size_t index)
{
    return fit ? levy_quotes_file(fit->quotes, index) : NULL;
}

int levy_calibration_write(const levy_calibration *calibration, int format, levy_writer write,
                           void *user)
{
    if (!calibration || !write) return LEVY_STATUS_ARGUMENT;
    levy_text_out out;
    int status = LEVY_STATUS_OK;
    levy_text_out_init(&out, write, user);
    const levy_call_mode mode = levy_call_mode_enter();
    if (format == LEVY_FORMAT_SVG)
        levy_smile_plot(&calibration->facts, calibration->fitted, &out);
    else
        status = levy_calibration_put(calibration, format, &out);
    levy_call_mode_leave(&mode);
    return levy_text_finish(&out, status);
}
