/* api_results.c: what a run has come to, and its reports. See levy.h. */
#include "engine/book/results.h"

#include "engine/report/report.h"

#include <string.h>

void levy_results_destroy(levy_results *results) { levy_results_release(results); }

size_t levy_results_size(const levy_results *results) { return results ? results->n_trades : 0; }

const levy_trade_result *levy_results_trade(const levy_results *results, size_t index)
{
    return results && index < results->n_trades ? &results->trades[index] : NULL;
}

const levy_measure *levy_trade_measure(const levy_trade_result *trade, size_t index)
{
    return trade && index < trade->n_measures ? &trade->measures[index] : NULL;
}

size_t levy_results_netted_count(const levy_results *results)
{
    return results ? results->netting.n_entries : 0;
}

const levy_netted *levy_results_netted(const levy_results *results, size_t index)
{
    return results && index < results->netting.n_entries ? &results->netting.netted[index] : NULL;
}

const levy_run_info *levy_results_run(const levy_results *results)
{
    return results ? &results->run : NULL;
}

static levy_report results_report(const levy_results *results)
{
    return (levy_report){.run = &results->run,
                         .trades = results->trades,
                         .n_trades = results->n_trades,
                         .netted = results->netting.netted,
                         .n_netted = results->netting.n_entries,
                         .grids = results->grids,
                         .n_grids = results->n_grids,
                         .inputs = results->inputs,
                         .n_inputs = results->n_inputs};
}

static int results_write(const levy_results *results, int format, levy_writer write, void *user)
{
    const levy_report report = results_report(results);
    switch (format) {
    case LEVY_FORMAT_TABLE:
        return levy_report_write_table(&report, false, write, user);
    case LEVY_FORMAT_TABLE_COLOR:
        return levy_report_write_table(&report, true, write, user);
    case LEVY_FORMAT_CSV:
        return levy_report_write_csv(&report, write, user);
    case LEVY_FORMAT_JSON:
        return levy_report_write_json(&report, write, user);
    case LEVY_FORMAT_JSONL:
        return levy_report_write_jsonl(&report, write, user);
    case LEVY_FORMAT_HTML:
        return levy_report_write_html(&report, write, user);
    default:
        return LEVY_STATUS_ARGUMENT;
    }
}

int levy_results_write(const levy_results *results, int format, levy_writer write, void *user)
{
    if (!results || !write) return LEVY_STATUS_ARGUMENT;
    const levy_call_mode mode = levy_call_mode_enter(); /* tables compute when they round */
    const int status = results_write(results, format, write, user);
    levy_call_mode_leave(&mode);
    return status;
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
    const levy_call_mode mode = levy_call_mode_enter();
    const int status = levy_report_plot(&report, what, trade, write, user);
    levy_call_mode_leave(&mode);
    return status;
}
