/* calibration_write.c: what a calibration found, as a table, JSON and CSV. See calibration.h. */
#include "engine/calibrate/calibration.h"

#include "engine/base/number.h"
#include "engine/report/report.h"

#include <math.h>
#include <stdio.h>
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

static void table_parameters(levy_text_out *out, const levy_calibration *c)
{
    levy_text_put(out, "parameter              value   std. error  95 % interval\n");
    for (size_t j = 0; j < c->facts.parameters; ++j) {
        const levy_fitted_value *const p = &c->parameters[j];
        const int decimals = table_decimals(p->value, p->std_error);
        char interval[160], low[64], high[64];
        table_name(out, p->name, 15);
        table_number(out, p->value, decimals, 11);
        table_number(out, p->std_error, decimals, 11);
        levy_number_write_fixed(isfinite(p->ci_low) ? p->ci_low : 0.0, decimals, low, sizeof low);
        levy_number_write_fixed(isfinite(p->ci_high) ? p->ci_high : 0.0, decimals, high,
                                sizeof high);
        const char *const held = p->at_bound ? "at its bound" : "no effect";
        const char *const instead = p->fixed ? "fixed" : held;
        snprintf(interval, sizeof interval, "  [%s, %s]", low, high);
        levy_text_put(out, isfinite(p->ci_low) ? interval : "  ");
        levy_text_put(out, isfinite(p->ci_low) ? "" : instead);
        levy_text_put(out, "\n");
    }
}

static void table_quotes(levy_text_out *out, const levy_calibration *c)
{
    levy_text_put(out, "\n   years       strike    quote %    model %    error %\n");
    for (size_t i = 0; i < c->facts.quotes; ++i) {
        const levy_fitted_quote *const q = &c->fitted[i];
        table_number(out, q->years, 3, 6);
        table_number(out, q->strike, 2, 11);
        table_number(out, 100.0 * q->volatility, 3, 9);
        table_number(out, 100.0 * q->model_volatility, 3, 9);
        table_number(out, 100.0 * (q->model_volatility - q->volatility), 4, 9);
        levy_text_put(out, "\n");
    }
}

static void table_head(levy_text_out *out, const levy_calibration *c)
{
    char text[LEVY_SHOWN_SIZE];
    levy_text_put(out, c->facts.model);
    levy_text_put(out, " fitted to ");
    levy_text_put_count(out, c->facts.quotes);
    levy_text_put(out, " quotes of ");
    levy_text_put(out, c->facts.asset);
    levy_text_put(out, ": rms error ");
    levy_text_put(out, levy_number_shown(100.0 * c->facts.rms, 3, text));
    levy_text_put(out, " % of volatility, worst ");
    levy_text_put(out, levy_number_shown(100.0 * c->facts.worst, 3, text));
    levy_text_put(out, " %; ");
    levy_text_put_count(out, c->facts.agreeing);
    levy_text_put(out, " of ");
    levy_text_put_count(out, c->facts.starts);
    levy_text_put(out, " starts agree\n\n");
}

static int write_table(const levy_calibration *c, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    table_head(&out, c);
    table_parameters(&out, c);
    table_quotes(&out, c);
    return levy_text_finish(&out);
}

/* ---- JSON ---- */

static void json_number(levy_text_out *out, const char *before, double value)
{
    levy_text_put(out, before);
    levy_text_put_json_number(out, isfinite(value) ? value : NAN);
}

static void json_flag(levy_text_out *out, const char *before, int flag)
{
    levy_text_put(out, before);
    levy_text_put(out, flag ? "true" : "false");
}

static void json_text(levy_text_out *out, const char *before, const char *text)
{
    levy_text_put(out, before);
    levy_text_put_json(out, text);
}

static void json_facts(levy_text_out *out, const levy_calibration_facts *f)
{
    json_text(out, "{\"asset\": ", f->asset);
    json_text(out, ", \"model\": ", f->model);
    json_text(out, ", \"name\": ", f->name);
    json_number(out, ", \"rms\": ", f->rms);
    json_number(out, ", \"worst\": ", f->worst);
    json_number(out, ", \"feller\": ", f->feller);
    json_flag(out, ", \"converged\": ", f->converged);
    json_flag(out, ", \"has_errors\": ", f->has_errors);
    levy_text_put(out, ", \"agreeing\": ");
    levy_text_put_count(out, f->agreeing);
}

static void json_parameters(levy_text_out *out, const levy_calibration *c)
{
    levy_text_put(out, ",\n \"parameters\": [");
    for (size_t j = 0; j < c->facts.parameters; ++j) {
        const levy_fitted_value *const p = &c->parameters[j];
        json_text(out, j ? ",\n  {\"name\": " : "\n  {\"name\": ", p->name);
        json_number(out, ", \"value\": ", p->value);
        json_number(out, ", \"std_error\": ", p->std_error);
        json_number(out, ", \"ci_low\": ", p->ci_low);
        json_number(out, ", \"ci_high\": ", p->ci_high);
        json_number(out, ", \"low\": ", p->low);
        json_number(out, ", \"high\": ", p->high);
        json_flag(out, ", \"fixed\": ", p->fixed);
        json_flag(out, ", \"at_bound\": ", p->at_bound);
        levy_text_put(out, "}");
    }
    levy_text_put(out, "],\n \"covariance\": [");
    for (size_t j = 0; j < c->facts.parameters; ++j) {
        for (size_t k = 0; k < c->facts.parameters; ++k) {
            const char *const row = j ? "],\n  [" : "\n  [";
            json_number(out, k ? ", " : row, c->result.covariance[j][k]);
        }
    }
    levy_text_put(out, "]]");
}

static void json_quotes(levy_text_out *out, const levy_calibration *c)
{
    levy_text_put(out, ",\n \"quotes\": [");
    for (size_t i = 0; i < c->facts.quotes; ++i) {
        const levy_fitted_quote *const q = &c->fitted[i];
        json_number(out, i ? ",\n  {\"years\": " : "\n  {\"years\": ", q->years);
        json_number(out, ", \"strike\": ", q->strike);
        json_number(out, ", \"forward\": ", q->forward);
        json_text(out, ", \"option_type\": ", q->is_call ? "call" : "put");
        json_number(out, ", \"price\": ", q->price);
        json_number(out, ", \"model_price\": ", q->model_price);
        json_number(out, ", \"volatility\": ", q->volatility);
        json_number(out, ", \"model_volatility\": ", q->model_volatility);
        json_number(out, ", \"weight\": ", q->weight);
        for (size_t j = 0; j < c->facts.parameters; ++j)
            json_number(out, j ? ", " : ", \"response\": [", c->response[i][j]);
        levy_text_put(out, "]}");
    }
    levy_text_put(out, "]");
}

static void json_starts(levy_text_out *out, const levy_calibration *c)
{
    levy_text_put(out, ",\n \"starts\": [");
    for (size_t i = 0; i < c->facts.starts; ++i) {
        json_number(out, i ? ",\n  {\"error\": " : "\n  {\"error\": ", c->starts[i].error);
        json_flag(out, ", \"agrees\": ", c->starts[i].agrees);
        for (size_t j = 0; j < c->facts.parameters; ++j)
            json_number(out, j ? ", " : ", \"values\": [", c->starts[i].values[j]);
        levy_text_put(out, "]}");
    }
    levy_text_put(out, "]}\n");
}

static int write_json(const levy_calibration *c, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    json_facts(&out, &c->facts);
    json_parameters(&out, c);
    json_quotes(&out, c);
    json_starts(&out, c);
    return levy_text_finish(&out);
}

/* ---- CSV ---- */

static int write_csv(const levy_calibration *c, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    levy_text_put(&out, "years,strike,forward,option_type,price,model_price,volatility,"
                        "model_volatility,weight\r\n");
    for (size_t i = 0; i < c->facts.quotes; ++i) {
        const levy_fitted_quote *const q = &c->fitted[i];
        json_number(&out, "", q->years);
        json_number(&out, ",", q->strike);
        json_number(&out, ",", q->forward);
        levy_text_put(&out, q->is_call ? ",call" : ",put");
        json_number(&out, ",", q->price);
        json_number(&out, ",", q->model_price);
        json_number(&out, ",", q->volatility);
        json_number(&out, ",", q->model_volatility);
        json_number(&out, ",", q->weight);
        levy_text_put(&out, "\r\n");
    }
    return levy_text_finish(&out);
}

int levy_calibration_put(const levy_calibration *c, int format, levy_writer write, void *user)
{
    switch (format) {
    case LEVY_FORMAT_TABLE:
    case LEVY_FORMAT_TABLE_COLOR:
        return write_table(c, write, user);
    case LEVY_FORMAT_JSON:
        return write_json(c, write, user);
    case LEVY_FORMAT_CSV:
        return write_csv(c, write, user);
    case LEVY_FORMAT_YAML:
        return levy_calibration_put_book(c, write, user);
    default:
        return LEVY_STATUS_ARGUMENT;
    }
}
