/* report_csv.c: results as CSV (RFC 4180: a header, CRLF, cells quoted where they must be). One row
 * per trade and measure, price first, so a book without Greeks has one row per trade and pandas
 * pivots the rest. Texts that a spreadsheet would run as a formula (= + - @, tab, return in front)
 * get an apostrophe; numbers never do. */
#include "engine/report/report.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static const char csv_header[] =
    "id,status,price,std_error,ci_low,ci_high,confidence,interval,currency,unit_price,measure,"
    "factor,value,"
    "value_std_error,flagged,note,payoff,model,maturity,paths,replicates,dimensions,padding,"
    "generator,construction,seed,precision,"
    "reproducibility,backend,device,group,plan_hash,seconds,floor_probability,tolerance,tolerance_"
    "width,tolerance_met,reason,message,first,pipeline\r\n";

static void csv_text(levy_text_out *out, const char *text, const char *end)
{
    levy_text_put_csv(out, text);
    levy_text_put(out, end);
}

static void csv_number(levy_text_out *out, double value)
{
    char text[LEVY_NUMBER_SIZE] = "";
    if (isfinite(value)) levy_number_write(value, text);
    levy_text_put(out, text);
    levy_text_put(out, ",");
}

static void csv_count(levy_text_out *out, uint64_t value)
{
    levy_text_put_count(out, value);
    levy_text_put(out, ",");
}

static void csv_price_cells(levy_text_out *out, const levy_trade_result *trade)
{
    csv_text(out, trade->id, ",");
    csv_text(out, trade->status, ",");
    csv_number(out, trade->price);
    csv_number(out, trade->std_error);
    csv_number(out, trade->ci_low);
    csv_number(out, trade->ci_high);
    csv_number(out, trade->confidence);
    csv_text(out, trade->interval, ",");
    csv_text(out, trade->currency, ",");
    csv_number(out, trade->unit_price);
}

static void csv_measure_cells(levy_text_out *out, const levy_measure *measure)
{
    csv_text(out, measure->measure, ",");
    csv_text(out, measure->factor, ",");
    csv_number(out, measure->value);
    csv_number(out, measure->std_error);
    levy_text_put(out, measure->flagged ? "1," : "0,");
    csv_text(out, measure->note, ",");
}

static void csv_run_cells(levy_text_out *out, const levy_trade_result *trade)
{
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, trade->plan_hash);
    csv_text(out, trade->payoff, ",");
    csv_text(out, trade->model, ",");
    csv_number(out, trade->maturity);
    csv_count(out, trade->paths);
    csv_count(out, trade->replicates);
    csv_count(out, trade->dimensions);
    csv_count(out, trade->padding);
    csv_text(out, trade->generator, ",");
    csv_text(out, trade->construction, ",");
    csv_count(out, trade->seed);
    csv_text(out, trade->precision, ",");
    csv_text(out, trade->reproducibility, ",");
    csv_text(out, trade->backend, ",");
    csv_text(out, trade->device, ",");
    csv_count(out, trade->group);
    csv_text(out, hash, ",");
    csv_number(out, trade->seconds);
    csv_number(out, trade->floor_probability);
    csv_number(out, trade->tolerance_met ? trade->tolerance : NAN);
    csv_number(out, trade->tolerance_met ? trade->tolerance_width : NAN);
    levy_text_put(out, trade->tolerance_met > 0   ? "true,"
                       : trade->tolerance_met < 0 ? "false,"
                                                  : ",");
    csv_text(out, trade->reason, ",");
    csv_text(out, trade->message, ",");
    csv_text(out, trade->first, ",");
    csv_text(out, trade->pipeline, "\r\n");
}

static void csv_row(levy_text_out *out, const levy_trade_result *trade, const levy_measure *measure)
{
    csv_price_cells(out, trade);
    csv_measure_cells(out, measure);
    csv_run_cells(out, trade);
}

int levy_report_write_csv(const levy_report *report, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    levy_text_put(&out, csv_header);
    for (size_t i = 0; i < report->n_trades; ++i) {
        const levy_trade_result *trade = &report->trades[i];
        const levy_measure none = {
            .measure = "price", .factor = "", .value = NAN, .std_error = NAN};
        if (trade->n_measures == 0) csv_row(&out, trade, &none);
        for (size_t j = 0; j < trade->n_measures; ++j) csv_row(&out, trade, &trade->measures[j]);
    }
    return levy_text_finish(&out);
}
