/* api_text.c: reports, and what the engine says of itself. See levy.h. */
#include "engine/api.h"

#include "engine/api_results.h"
#include "engine/report/report.h"
#include "engine/schema/schema.h"

static int text_results(const levy_results *results, int format, levy_writer write, void *user)
{
    const levy_report report = {&results->run, results->trades, results->n_trades,
                                results->netting.netted, results->netting.n_entries};
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
    default:
        return LEVY_STATUS_ARGUMENT;
    }
}

int levy_results_write(const levy_results *results, int format, levy_writer write, void *user)
{
    if (!results || !write) return LEVY_STATUS_ARGUMENT;
    const levy_api_mode mode = levy_api_mode_enter(); /* rounding for tables is arithmetic */
    const int status = text_results(results, format, write, user);
    levy_api_mode_leave(&mode);
    return status;
}

int levy_describe(const char *topic, levy_writer write, void *user)
{
    return write ? (int)levy_schema_describe(topic, write, user) : LEVY_STATUS_ARGUMENT;
}

int levy_schema(levy_writer write, void *user)
{
    return write ? (int)levy_schema_write_json(write, user) : LEVY_STATUS_ARGUMENT;
}
