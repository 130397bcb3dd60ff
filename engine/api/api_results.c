/* api_results.c: what a run has come to, and its reports. See levy.h. */
#include "engine/book/results.h"

#include "engine/render/render.h"
#include "engine/report/columns.h"

#include <string.h>

void levy_results_destroy(levy_results *results) { levy_results_release(results); }

size_t levy_results_size(const levy_results *results) { return results ? results->n_trades : 0; }

size_t levy_results_netted_count(const levy_results *results)
{
    return results ? results->netting.n_netted : 0;
}

const levy_run_info *levy_results_run(const levy_results *results)
{
    return results ? &results->run : NULL;
}

/* Reports list who priced the parts where that is not the same for all: else they are those of one
 * run. */
static bool results_parts_differ(const levy_results *results)
{
    bool differ = false;
    for (size_t i = 1; i < results->n_parts && !differ; ++i) {
        const levy_part_info *const a = &results->parts[0], *const b = &results->parts[i];
        differ = a->threads != b->threads || strcmp(a->backend, b->backend) != 0 ||
                 strcmp(a->device, b->device) != 0 || strcmp(a->isa, b->isa) != 0 ||
                 strcmp(a->device_reason, b->device_reason) != 0;
    }
    return differ;
}

static levy_report results_report(const levy_results *results)
{
    return (levy_report){.run = &results->run,
                         .trades = results->trades,
                         .n_trades = results->n_trades,
                         .netted = results->netting.netted,
                         .n_netted = results->netting.n_netted,
                         .points = results->points,
                         .n_points = results->n_points,
                         .inputs = results->inputs,
                         .n_inputs = results->n_inputs,
                         .origin = results->origin,
                         .parts = results->parts,
                         .n_parts = results_parts_differ(results) ? results->n_parts : 0,
                         .memory = results->memory};
}

static int results_write(const levy_results *results, int format, const levy_report_form *form,
                         levy_text_out *out)
{
    const levy_report report = results_report(results);
    if (format == LEVY_FORMAT_CSV) return levy_report_write_csv(&report, form, out);
    if (format == LEVY_FORMAT_NPY) return levy_report_write_npy(&report, form, out);
    if (format == LEVY_FORMAT_HTML) return levy_report_write_html(&report, form, out);
    if (format == LEVY_FORMAT_TABLE || format == LEVY_FORMAT_TABLE_COLOR)
        levy_report_write_table(&report, form, out);
    else if (format == LEVY_FORMAT_JSON)
        levy_report_write_json(&report, out);
    else if (format == LEVY_FORMAT_JSONL)
        levy_report_write_jsonl(&report, form, out);
    else
        return LEVY_STATUS_ARGUMENT;
    return LEVY_STATUS_OK;
}

int levy_results_report(const levy_results *results, const levy_report_options *options,
                        levy_writer write, void *user)
{
    levy_report_options own;
    if (!results || !options || !write) return LEVY_STATUS_ARGUMENT;
    if (!levy_call_copy_options(&own, sizeof own, options)) return LEVY_STATUS_ARGUMENT;
    const levy_report_form form = {.columns = own.columns,
                                   .command = own.command,
                                   .made = own.made,
                                   .wide = own.wide != 0,
                                   .sums = own.sums != 0,
                                   .width = own.width,
                                   .first = own.first,
                                   .count = own.count,
                                   .color = own.format == LEVY_FORMAT_TABLE_COLOR};
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    const levy_call_mode mode = levy_call_mode_enter(); /* tables compute when they round */
    const int status = results_write(results, own.format, &form, &out);
    levy_call_mode_leave(&mode);
    return levy_text_finish(&out, status);
}

static bool results_has(const levy_results *results, const char *trade)
{
    bool found = !trade;
    for (size_t i = 0; i < results->n_trades && !found; ++i)
        found = results->trades[i].id && strcmp(results->trades[i].id, trade) == 0;
    return found;
}

int levy_results_plot(const levy_results *results, int what, const char *trade, levy_writer write,
                      void *user)
{
    if (!results || !write || !results_has(results, trade)) return LEVY_STATUS_ARGUMENT;
    const levy_report report = results_report(results);
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    const levy_call_mode mode = levy_call_mode_enter();
    const int status = levy_report_plot(&report, what, trade, &out);
    levy_call_mode_leave(&mode);
    return levy_text_finish(&out, status);
}

int levy_results_write(const levy_results *results, int format, levy_writer write, void *user)
{
    const levy_report_options options = {.struct_size = sizeof options, .format = format};
    return levy_results_report(results, &options, write, user);
}

static bool results_is_format(int format)
{
    return format >= LEVY_FORMAT_TABLE && format <= LEVY_FORMAT_NPY && format != LEVY_FORMAT_SVG;
}

int levy_report_check(levy_context *context, const levy_report_options *options)
{
    levy_report_options own;
    char why[512];
    if (!context) return LEVY_STATUS_ARGUMENT;
    if (!options || !levy_call_copy_options(&own, sizeof own, options))
        return levy_call_refuse(context, "struct_size", "is not that of levy_report_options");
    if (!results_is_format(own.format))
        return levy_call_refuse(context, "format", "is not one of results");
    const levy_report_form form = {
        .columns = own.columns, .wide = own.wide != 0, .sums = own.sums != 0};
    if (levy_report_columns_object(&form, why, sizeof why))
        return levy_call_refuse(context, "columns", why);
    levy_call_begin(context);
    return levy_call_end(context, LEVY_STATUS_OK);
}
