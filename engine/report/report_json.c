/* report_json.c: results as JSON (RFC 8259) and as JSON lines. Numbers are the shortest text that
 * reads back to the same bits; 64-bit hashes are texts of 16 hex digits, since many readers hold
 * numbers as doubles. */
#include "engine/report/report.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct json_out {
    levy_text_out text;
    bool first;
} json_out; /* first: the next key needs no comma before it */

static void json_key(json_out *out, const char *key)
{
    if (!out->first) levy_text_put(&out->text, ", ");
    out->first = false;
    levy_text_put_json(&out->text, key);
    levy_text_put(&out->text, ": ");
}

static void json_open(json_out *out, const char *bracket)
{
    levy_text_put(&out->text, bracket);
    out->first = true;
}

static void json_close(json_out *out, const char *bracket)
{
    levy_text_put(&out->text, bracket);
    out->first = false;
}

static void json_text(json_out *out, const char *key, const char *value)
{
    json_key(out, key);
    levy_text_put_json(&out->text, value);
}

static void json_number(json_out *out, const char *key, double value)
{
    json_key(out, key);
    levy_text_put_json_number(&out->text, value);
}

static void json_count(json_out *out, const char *key, uint64_t value)
{
    json_key(out, key);
    levy_text_put_count(&out->text, value);
}

static void json_flag(json_out *out, const char *key, int value)
{
    json_key(out, key);
    levy_text_put(&out->text, value ? "true" : "false");
}

static void json_hash(json_out *out, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, value);
    json_text(out, key, text);
}

static void json_measures(json_out *out, const levy_trade_result *trade)
{
    json_key(out, "measures");
    json_open(out, "[");
    for (size_t i = 0; i < trade->n_measures; ++i) {
        const levy_measure *measure = &trade->measures[i];
        levy_text_put(&out->text, i ? ", " : "");
        json_open(out, "{");
        json_text(out, "measure", measure->measure);
        json_text(out, "factor", measure->factor);
        json_number(out, "value", measure->value);
        json_number(out, "std_error", measure->std_error);
        json_flag(out, "flagged", measure->flagged);
        json_text(out, "note", measure->note);
        json_close(out, "}");
    }
    json_close(out, "]");
}

static void json_trade(json_out *out, const levy_trade_result *trade)
{
    json_open(out, "{");
    json_text(out, "id", trade->id);
    json_text(out, "status", trade->status);
    json_number(out, "price", trade->price);
    json_number(out, "std_error", trade->std_error);
    json_number(out, "ci_low", trade->ci_low);
    json_number(out, "ci_high", trade->ci_high);
    json_number(out, "confidence", trade->confidence);
    json_text(out, "interval", trade->interval);
    json_text(out, "currency", trade->currency);
    json_number(out, "unit_price", trade->unit_price);
    json_text(out, "payoff", trade->payoff);
    json_text(out, "model", trade->model);
    json_number(out, "maturity", trade->maturity);
    json_count(out, "paths", trade->paths);
    json_count(out, "replicates", trade->replicates);
    json_count(out, "dimensions", trade->dimensions);
    json_count(out, "padding", trade->padding);
    json_text(out, "generator", trade->generator);
    json_text(out, "construction", trade->construction);
    json_text(out, "first", trade->first);
    json_text(out, "pipeline", trade->pipeline);
    json_count(out, "seed", trade->seed);
    json_text(out, "precision", trade->precision);
    json_text(out, "reproducibility", trade->reproducibility);
    json_text(out, "backend", trade->backend);
    json_text(out, "device", trade->device);
    json_count(out, "group", trade->group);
    json_hash(out, "plan_hash", trade->plan_hash);
    json_number(out, "seconds", trade->seconds);
    json_number(out, "floor_probability", trade->floor_probability);
    if (trade->tolerance_met) {
        json_flag(out, "tolerance_met", trade->tolerance_met > 0);
        json_number(out, "tolerance", trade->tolerance);
        json_number(out, "tolerance_width", trade->tolerance_width);
    }
    json_text(out, "reason", trade->reason);
    json_text(out, "message", trade->message);
    json_measures(out, trade);
    json_close(out, "}");
}

static void json_run(json_out *out, const levy_run_info *run)
{
    json_open(out, "{");
    json_text(out, "version", run->version);
    json_count(out, "contract", run->contract);
    json_text(out, "backend", run->backend);
    json_text(out, "device", run->device);
    json_text(out, "device_reason", run->device_reason);
    json_text(out, "isa", run->isa);
    json_count(out, "threads", run->threads);
    json_hash(out, "fingerprint", run->fingerprint);
    json_count(out, "groups", run->groups);
    json_count(out, "priced", run->priced);
    json_count(out, "failed", run->failed);
    json_count(out, "cancelled", run->cancelled);
    json_count(out, "tolerance_missed", run->tolerance_missed);
    json_number(out, "seconds", run->seconds);
    json_flag(out, "interrupted", run->interrupted);
    json_close(out, "}");
}

static void json_netted(json_out *out, const levy_netted *netted)
{
    json_open(out, "{");
    json_text(out, "currency", netted->currency);
    json_count(out, "trades", netted->trades);
    json_number(out, "value", netted->value);
    json_number(out, "std_error", netted->std_error);
    json_number(out, "ci_low", netted->ci_low);
    json_number(out, "ci_high", netted->ci_high);
    json_number(out, "confidence", netted->confidence);
    json_text(out, "interval", netted->interval);
    json_count(out, "replicates", netted->replicates);
    json_close(out, "}");
}

int levy_report_write_json(const levy_report *report, levy_writer write, void *user)
{
    json_out out = {.first = true};
    levy_text_out_init(&out.text, write, user);
    levy_text_put(&out.text, "{\"run\": ");
    json_run(&out, report->run);
    levy_text_put(&out.text, ",\n \"results\": [");
    for (size_t i = 0; i < report->n_trades; ++i) {
        levy_text_put(&out.text, i ? ",\n  " : "\n  ");
        json_trade(&out, &report->trades[i]);
    }
    levy_text_put(&out.text, "\n],\n \"netted\": [");
    for (size_t i = 0; i < report->n_netted; ++i) {
        levy_text_put(&out.text, i ? ",\n  " : "\n  ");
        json_netted(&out, &report->netted[i]);
    }
    levy_text_put(&out.text, report->n_netted ? "\n]}\n" : "]}\n");
    return levy_text_finish(&out.text);
}

int levy_report_write_jsonl(const levy_report *report, levy_writer write, void *user)
{
    json_out out = {.first = true};
    levy_text_out_init(&out.text, write, user);
    for (size_t i = 0; i < report->n_trades; ++i) {
        json_trade(&out, &report->trades[i]);
        levy_text_put(&out.text, "\n");
    }
    return levy_text_finish(&out.text);
}
