/* calibration_write.c: what a calibration found, as a table, JSON and CSV. See calibration.h. */
#include "engine/calibrate/calibration.h"

#include "engine/base/number.h"
#include "engine/report/report.h"
#include "engine/report/report_fields.h"

#include <math.h>
#include <string.h>

/* ---- Table ---- */

/* Flush right in so many characters, after two blanks. */
static void table_cell(levy_text_out *out, const char *text, size_t width)
{
    const size_t length = strlen(text);
    levy_text_put_spaces(out, 2 + (length < width ? width - length : 0));
    levy_text_put(out, text);
}

static void table_number(levy_text_out *out, double value, int decimals, size_t width)
{
    char text[64] = "-";
    if (isfinite(value)) levy_number_write_fixed(value, decimals, text, sizeof text);
    table_cell(out, text, width);
}

/* As many decimals as two digits of the error have, or six digits. */
static int table_decimals(double value, double error)
{
    const double least = isfinite(error) && error > 0.0 ? error : 1e-4 * fabs(value);
    int decimals = 1;
    for (double x = least; x < 1.0 && decimals < 12; x *= 10.0) ++decimals;
    return decimals;
}

static void table_name(levy_text_out *out, const char *name, size_t width)
{
    levy_text_put(out, name);
    levy_text_put_spaces(out, strlen(name) < width ? width - strlen(name) : 0);
}

/* Why a parameter has no interval. */
static const char *table_reason(const levy_calibration *c, size_t j)
{
    if (c->parameters[j].fixed) return "fixed";
    if (c->parameters[j].at_bound) return "at its bound";
    return c->result.idle[j] ? "no effect" : "not known";
}

static void table_interval(levy_text_out *out, const levy_calibration *c, size_t j, int decimals)
{
    const levy_fitted_value *const p = &c->parameters[j];
    char low[64], high[64];
    if (!isfinite(p->ci_low)) {
        LEVY_TEXT_PUT(out, "  ", table_reason(c, j), "\n");
        return;
    }
    levy_number_write_fixed(p->ci_low, decimals, low, sizeof low);
    levy_number_write_fixed(p->ci_high, decimals, high, sizeof high);
    LEVY_TEXT_PUT(out, "  [", low, ", ", high, "]\n");
}

static void table_parameters(levy_text_out *out, const levy_calibration *c)
{
    size_t width = 15;
    for (size_t j = 0; j < c->facts.parameters; ++j)
        if (strlen(c->parameters[j].name) > width) width = strlen(c->parameters[j].name);
    table_name(out, "parameter", width);
    levy_text_put(out, "        value   std. error  95 % interval\n");
    for (size_t j = 0; j < c->facts.parameters; ++j) {
        const levy_fitted_value *const p = &c->parameters[j];
        const int decimals = table_decimals(p->value, p->std_error);
        table_name(out, p->name, width);
        table_number(out, p->value, decimals, 11);
        table_number(out, p->std_error, decimals, 11);
        table_interval(out, c, j, decimals);
    }
}

static void table_quotes(levy_text_out *out, const levy_calibration *c)
{
    const bool several = c->n_assets > 1;
    LEVY_TEXT_PUT(out, "\n   years       strike    quote %    model %    error %",
                  several ? "  asset\n" : "\n");
    for (size_t i = 0; i < c->facts.quotes; ++i) {
        const levy_fitted_quote *const q = &c->fitted[i];
        table_number(out, q->years, 3, 6);
        table_number(out, q->strike, 2, 11);
        table_number(out, 100.0 * q->volatility, 3, 9);
        table_number(out, 100.0 * q->model_volatility, 3, 9);
        table_number(out, 100.0 * (q->model_volatility - q->volatility), 4, 9);
        if (several) LEVY_TEXT_PUT(out, "  ", q->asset);
        levy_text_put(out, "\n");
    }
}

static void table_head(levy_text_out *out, const levy_calibration *c)
{
    char rms[LEVY_SHOWN_SIZE], worst[LEVY_SHOWN_SIZE];
    (void)levy_number_shown(100.0 * c->facts.rms, 3, rms);
    (void)levy_number_shown(100.0 * c->facts.worst, 3, worst);
    levy_text_print(out,
                    "%s fitted to %zu quote%s of %s: rms error %s %% of volatility, worst %s %%; "
                    "%zu of %zu starts agree\n\n",
                    c->facts.model, c->facts.quotes, c->facts.quotes == 1 ? "" : "s",
                    c->facts.asset, rms, worst, c->facts.agreeing, c->facts.starts);
}

static void write_table(const levy_calibration *c, levy_text_out *out)
{
    table_head(out, c);
    table_parameters(out, c);
    table_quotes(out, c);
}

/* ---- Members ---- */

typedef struct write_side {
    const char *option_type;
} write_side;

static write_side write_side_of(const levy_fitted_quote *quote)
{
    return (write_side){quote->is_call ? "call" : "put"};
}

#define FACT(member) LEVY_REPORT_MEMBER(levy_calibration_facts, member)
#define VALUE(member) LEVY_REPORT_MEMBER(levy_fitted_value, member)
#define QUOTE(member) LEVY_REPORT_MEMBER(levy_fitted_quote, member)
#define START(member) LEVY_REPORT_MEMBER(levy_fitted_start, member)
/* clang-format off */
static const levy_report_field write_facts[] = {
    FACT(asset), FACT(model), FACT(name), FACT(rms), FACT(worst), FACT(feller), FACT(converged),
    FACT(has_errors), {0}};
static const levy_report_field write_values[] = {
    VALUE(name), VALUE(value), VALUE(std_error), VALUE(ci_low), VALUE(ci_high), VALUE(low),
    VALUE(high), VALUE(fixed), VALUE(at_bound), {0}};
/* Before and behind the side. */
static const levy_report_field write_place[] = {
    QUOTE(years), QUOTE(strike), QUOTE(forward), {0}};
static const levy_report_field write_sides[] = {
    LEVY_REPORT_MEMBER(write_side, option_type), {0}};
static const levy_report_field write_quote[] = {
    QUOTE(price), QUOTE(model_price), QUOTE(volatility), QUOTE(model_volatility), QUOTE(weight),
    QUOTE(asset), {0}};
static const levy_report_field write_start[] = {
    START(error), START(agrees), {0}};
/* clang-format on */

/* ---- JSON ---- */

static void json_parameters(levy_text_out *out, const levy_calibration *c)
{
    const size_t n = c->facts.parameters;
    levy_text_put(out, ",\n \"parameters\": [");
    for (size_t j = 0; j < n; ++j) {
        levy_report_put_members(out, j ? ",\n  {" : "\n  {", write_values, &c->parameters[j]);
        levy_text_put(out, "}");
    }
    levy_text_put(out, "],\n \"covariance\": [");
    for (size_t j = 0; j < n; ++j)
        levy_text_put_json_list(out, j ? ",\n  " : "\n  ", c->result.covariance[j], n);
    levy_text_put(out, "]");
}

static void json_quotes(levy_text_out *out, const levy_calibration *c)
{
    levy_text_put(out, ",\n \"quotes\": [");
    for (size_t i = 0; i < c->facts.quotes; ++i) {
        const levy_fitted_quote *const q = &c->fitted[i];
        const write_side side = write_side_of(q);
        levy_report_put_members(out, i ? ",\n  {" : "\n  {", write_place, q);
        levy_report_put_members(out, ", ", write_sides, &side);
        levy_report_put_members(out, ", ", write_quote, q);
        levy_text_put_json_list(out, ", \"response\": ", c->response[i], c->facts.parameters);
        levy_text_put(out, "}");
    }
    levy_text_put(out, "]");
}

static void json_starts(levy_text_out *out, const levy_calibration *c)
{
    levy_text_put(out, ",\n \"starts\": [");
    for (size_t i = 0; i < c->facts.starts; ++i) {
        levy_report_put_members(out, i ? ",\n  {" : "\n  {", write_start, &c->starts[i]);
        levy_text_put_json_list(out, ", \"values\": ", c->starts[i].values, c->facts.parameters);
        levy_text_put(out, "}");
    }
    levy_text_put(out, "]}\n");
}

static void write_json(const levy_calibration *c, levy_text_out *out)
{
    levy_report_put_members(out, "{", write_facts, &c->facts);
    levy_text_print(out, ", \"agreeing\": %zu", c->facts.agreeing);
    json_parameters(out, c);
    json_quotes(out, c);
    json_starts(out, c);
}

/* ---- CSV ---- */

static void write_csv(const levy_calibration *c, levy_text_out *out)
{
    static const char head[] = "years,strike,forward,option_type,price,model_price,volatility,"
                               "model_volatility,weight,asset\r\n";
    levy_text_put(out, head);
    for (size_t i = 0; i < c->facts.quotes; ++i) {
        const write_side side = write_side_of(&c->fitted[i]);
        const levy_report_record records[] = {
            {write_place, &c->fitted[i]}, {write_sides, &side}, {write_quote, &c->fitted[i]}};
        levy_report_put_row(out, head, records);
    }
}

int levy_calibration_put(const levy_calibration *c, int format, levy_text_out *out)
{
    static void (*const writers[])(const levy_calibration *, levy_text_out *) = {
        [LEVY_FORMAT_TABLE] = write_table,
        [LEVY_FORMAT_TABLE_COLOR] = write_table,
        [LEVY_FORMAT_JSON] = write_json,
        [LEVY_FORMAT_CSV] = write_csv,
        [LEVY_FORMAT_YAML] = levy_calibration_put_book,
    };
    const size_t n = sizeof writers / sizeof *writers;
    if (format < 0 || (size_t)format >= n || !writers[format]) return LEVY_STATUS_ARGUMENT;
    writers[format](c, out);
    return LEVY_STATUS_OK;
}
