/* report_json.c: results as JSON (RFC 8259) and as JSON lines, by the tables of report_fields.h.
 * Numbers are the shortest text that reads back to the same bits. */
#include "engine/report/report_fields.h"
#include "engine/report/report.h"

typedef struct json_out {
    levy_text_out *text;
    bool first;
} json_out; /* first: the next key needs no comma before it */

static void json_key(json_out *out, const char *key)
{
    if (!out->first) levy_text_put(out->text, ", ");
    out->first = false;
    levy_text_put_json(out->text, key);
    levy_text_put(out->text, ": ");
}

static void json_open(json_out *out, const char *bracket)
{
    levy_text_put(out->text, bracket);
    out->first = true;
}

static void json_close(json_out *out, const char *bracket)
{
    levy_text_put(out->text, bracket);
    out->first = false;
}

static void json_text(json_out *out, const char *key, const char *value)
{
    json_key(out, key);
    levy_text_put_json(out->text, value);
}

/* The members of a struct. asked: those that are there only if a tolerance was asked for, too. */
static void json_fields(json_out *out, const levy_report_field *fields, const void *of, bool asked)
{
    for (; fields->name; ++fields) {
        if (fields->asked && !asked) continue;
        const levy_report_cell cell = levy_report_read(fields, of);
        json_key(out, fields->name);
        levy_report_put_json(out->text, &cell);
    }
}

/* What begins an object; of a line, what it is a record of. */
static void json_begin(json_out *out, const char *record)
{
    json_open(out, "{");
    if (record) json_text(out, "record", record);
}

/* Of a struct that is its members alone. */
static void json_struct(json_out *out, const levy_report_field *fields, const void *of,
                        const char *record)
{
    json_begin(out, record);
    json_fields(out, fields, of, false);
    json_close(out, "}");
}

static void json_measures(json_out *out, const levy_measure *measures, size_t n)
{
    json_key(out, "measures");
    json_open(out, "[");
    for (size_t i = 0; i < n; ++i) {
        levy_text_put(out->text, i ? ", " : "");
        json_struct(out, levy_measure_fields, &measures[i], NULL);
    }
    json_close(out, "]");
}

static void json_trade(json_out *out, const levy_trade_result *trade, const char *record)
{
    json_begin(out, record);
    json_fields(out, levy_trade_fields, trade, trade->tolerance_met != 0);
    json_key(out, "tags");
    json_open(out, "{");
    for (size_t i = 0; i < trade->n_tags; ++i)
        json_text(out, trade->tags[i].name, trade->tags[i].text);
    json_close(out, "}");
    json_measures(out, trade->measures, trade->n_measures);
    json_close(out, "}");
}

static void json_netted(json_out *out, const levy_netted *netted, const char *record)
{
    json_begin(out, record);
    json_fields(out, levy_netted_fields, netted, false);
    json_measures(out, netted->measures, netted->n_measures);
    json_close(out, "}");
}

static void json_point(json_out *out, const levy_grid_point *point, const char *record)
{
    json_begin(out, record);
    json_fields(out, levy_grid_point_fields, point, false);
    json_key(out, "axes");
    json_open(out, "[");
    for (size_t i = 0; i < point->n_axes; ++i) {
        levy_text_put(out->text, i ? ", " : "");
        json_struct(out, levy_grid_axis_fields, &point->axes[i], NULL);
    }
    json_close(out, "]");
    json_close(out, "}");
}

static void json_list(json_out *out, const char *name)
{
    LEVY_TEXT_PUT(out->text, ",\n \"", name, "\": [");
}

static void json_item(json_out *out, size_t i) { levy_text_put(out->text, i ? ",\n  " : "\n  "); }

void levy_report_write_json(const levy_report *report, levy_text_out *text)
{
    json_out out = {.text = text, .first = true};
    levy_text_put(text, "{\"run\": ");
    json_struct(&out, levy_run_fields, report->run, NULL);
    json_list(&out, "results");
    for (size_t i = 0; i < report->n_trades; ++i) {
        json_item(&out, i);
        json_trade(&out, &report->trades[i], NULL);
    }
    levy_text_put(text, "\n]");
    json_list(&out, "netted");
    for (size_t i = 0; i < report->n_netted; ++i) {
        json_item(&out, i);
        json_netted(&out, &report->netted[i], NULL);
    }
    levy_text_put(text, report->n_netted ? "\n]" : "]");
    json_list(&out, "grids");
    for (size_t i = 0; i < report->n_points; ++i) {
        json_item(&out, i);
        json_point(&out, &report->points[i], NULL);
    }
    levy_text_put(text, report->n_points ? "\n]" : "]");
    if (report->n_parts) json_list(&out, "parts");
    for (size_t i = 0; i < report->n_parts; ++i) {
        json_item(&out, i);
        json_struct(&out, levy_part_fields, &report->parts[i], NULL);
    }
    levy_text_put(text, report->n_parts ? "\n]}\n" : "}\n");
}

void levy_report_write_jsonl(const levy_report *report, const levy_report_form *form,
                             levy_text_out *text)
{
    json_out out = {.text = text, .first = true};
    for (size_t i = form->first; i < report->n_trades; ++i) {
        if (form->count && i - form->first == form->count) break;
        json_trade(&out, &report->trades[i], "trade");
        levy_text_put(text, "\n");
    }
    if (form->count) return;
    for (size_t i = 0; i < report->n_netted; ++i) {
        json_netted(&out, &report->netted[i], "netted");
        levy_text_put(text, "\n");
    }
    for (size_t i = 0; i < report->n_points; ++i) {
        json_point(&out, &report->points[i], "grid");
        levy_text_put(text, "\n");
    }
    for (size_t i = 0; i < report->n_parts; ++i) {
        json_struct(&out, levy_part_fields, &report->parts[i], "part");
        levy_text_put(text, "\n");
    }
    json_struct(&out, levy_run_fields, report->run, "run");
    levy_text_put(text, "\n");
}
