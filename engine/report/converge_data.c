/* converge_data.c: convergence and coverage studies for programs: JSON (RFC 8259) and CSV (RFC
 * 4180, long form: one row per method, replicate and size, so that every figure and plot can be
 * made again from it). See convergence.h. */
#include "engine/report/report.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* ---- JSON ---- */

static void data_text(levy_text_out *out, const char *before, const char *value)
{
    levy_text_put(out, before);
    levy_text_put_json(out, value);
}

static void data_number(levy_text_out *out, const char *before, double value)
{
    levy_text_put(out, before);
    levy_text_put_json_number(out, value);
}

static void data_count(levy_text_out *out, const char *before, uint64_t value)
{
    levy_text_put(out, before);
    levy_text_put_count(out, value);
}

static void data_device(levy_text_out *out, const levy_run_info *run)
{
    char hash[24];
    snprintf(hash, sizeof hash, "%016" PRIx64, run->fingerprint);
    data_text(out, "{\"run\": {\"version\": ", run->version);
    data_count(out, ", \"contract\": ", run->contract);
    data_text(out, ", \"backend\": ", run->backend);
    data_text(out, ", \"device\": ", run->device);
    data_text(out, ", \"device_reason\": ", run->device_reason);
    data_text(out, ", \"isa\": ", run->isa);
    data_count(out, ", \"threads\": ", run->threads);
    data_text(out, ", \"fingerprint\": ", hash);
    data_number(out, ", \"seconds\": ", run->seconds);
}

static void data_study(levy_text_out *out, const levy_convergence *s)
{
    data_device(out, s->run);
    data_text(out, ", \"trade\": ", s->trade);
    data_text(out, ", \"payoff\": ", s->payoff);
    data_text(out, ", \"model\": ", s->model);
    data_text(out, ", \"currency\": ", s->currency);
    data_text(out, ", \"measure\": ", s->measure);
    data_text(out, ", \"factor\": ", s->factor);
    data_text(out, ", \"precision\": ", s->precision);
    data_count(out, ", \"seed\": ", s->seed);
    data_count(out, ", \"replicates\": ", s->replicates);
    data_count(out, ", \"resamples\": ", s->resamples);
    data_count(out, ", \"fit\": [", s->fit_first);
    data_count(out, ", ", s->fit_last);
    data_number(out, "], \"reference\": ", s->reference);
    data_number(out, ", \"reference_se\": ", s->reference_se);
    data_text(out, ", \"reference_kind\": ", s->reference_kind);
    data_text(out, ", \"reference_text\": ", s->reference_text);
    data_number(out, ", \"target_rmse\": ", s->target_rmse);
    data_text(out, ", \"baseline\": ", s->baseline);
    levy_text_put(out, "},\n \"methods\": [");
}

static void data_pairs(levy_text_out *out, const char *before, const levy_convergence_method *m,
                       const double *values)
{
    levy_text_put(out, before);
    for (size_t i = 0; i < m->n_sizes; ++i) {
        data_count(out, i ? ", [" : "[", m->sizes[i]);
        data_number(out, ", ", values[i]);
        levy_text_put(out, "]");
    }
    levy_text_put(out, "]");
}

static void data_method(levy_text_out *out, const levy_convergence_method *m)
{
    data_text(out, "{\"method\": ", m->method);
    data_text(out, ", \"generator\": ", m->generator);
    data_text(out, ", \"construction\": ", m->construction);
    data_count(out, ", \"replicates\": ", m->replicates);
    data_count(out, ", \"dimensions\": ", m->dimensions);
    data_count(out, ", \"outside_motion\": ", m->outside_motion);
    data_number(out, ", \"slope\": ", m->slope);
    data_number(out, ", \"slope_se\": ", m->slope_se);
    data_number(out, ", \"intercept\": ", m->intercept);
    data_number(out, ", \"seconds\": ", m->seconds);
    data_number(out, ", \"seconds_to_target\": ", m->seconds_to_target);
    data_number(out, ", \"efficiency\": ", m->efficiency);
    if (m->n_shares) data_count(out, ", \"effective_dimension\": ", m->effective_dimension);
    levy_text_put(out, m->n_shares ? ", \"variance_in_first\": ["
                                   : ", \"effective_dimension\": null, \"variance_in_first\": [");
    for (size_t i = 0; i < m->n_shares; ++i) {
        const uint64_t first = i + 1 < m->n_shares ? (uint64_t)1 << i : m->dimensions;
        data_count(out, i ? ", [" : "[", first);
        data_number(out, ", ", m->shares[i]);
        levy_text_put(out, "]");
    }
    data_pairs(out, "], \"rmse\": [", m, m->rmse);
    data_pairs(out, ", \"rmse_se\": [", m, m->rmse_se);
    data_text(out, ", \"smoothing\": ", m->smoothing);
    levy_text_put(out, "}");
}

/* One study is an object; several are the list "studies" of such objects. */
int levy_converge_write_json(const levy_converge_report *report, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    if (report->n > 1) levy_text_put(&out, "{\"studies\": [\n");
    for (size_t i = 0; i < report->n; ++i) {
        const levy_convergence *const study = &report->studies[i];
        levy_text_put(&out, i ? ",\n" : "");
        data_study(&out, study);
        for (size_t m = 0; m < study->n_methods; ++m) {
            levy_text_put(&out, m ? ",\n  " : "\n  ");
            data_method(&out, &study->methods[m]);
        }
        levy_text_put(&out, "\n]}");
    }
    levy_text_put(&out, report->n > 1 ? "\n]}\n" : "\n");
    return levy_text_finish(&out);
}

static void data_coverage(levy_text_out *out, const levy_coverage_row *row)
{
    data_text(out, "{\"trade\": ", row->trade);
    data_text(out, ", \"payoff\": ", row->payoff);
    data_text(out, ", \"method\": ", row->method);
    data_number(out, ", \"reference\": ", row->reference);
    data_number(out, ", \"reference_se\": ", row->reference_se);
    data_text(out, ", \"reference_kind\": ", row->reference_kind);
    data_count(out, ", \"points\": ", row->points);
    data_count(out, ", \"replicates\": ", row->replicates);
    data_count(out, ", \"seeds\": ", row->seeds);
    data_count(out, ", \"intervals\": ", row->intervals);
    data_count(out, ", \"unreliable\": ", row->seeds - row->intervals);
    data_count(out, ", \"covered\": ", row->covered);
    data_number(out, ", \"coverage\": ", row->coverage);
    data_number(out, ", \"coverage_se\": ", row->coverage_se);
    data_number(out, ", \"coverage_unmarked\": ", row->coverage_unmarked);
    data_number(out, ", \"mean_half_width\": ", row->mean_half_width);
    data_number(out, ", \"rmse\": ", row->rmse);
    data_number(out, ", \"mean_points\": ", row->mean_points);
    data_number(out, ", \"within_tolerance\": ", row->within_tolerance);
    data_text(out, ", \"measure\": ", row->measure);
    data_text(out, ", \"factor\": ", row->factor);
    data_number(out, ", \"marked\": ", row->marked);
    levy_text_put(out, "}");
}

int levy_coverage_write_json(const levy_coverage_table *table, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    data_device(&out, table->run);
    data_text(&out, ", \"precision\": ", table->precision);
    data_count(&out, ", \"first_seed\": ", table->first_seed);
    data_number(&out, ", \"confidence\": ", table->confidence);
    levy_text_put(&out, "},\n \"coverage\": [");
    for (size_t i = 0; i < table->n_rows; ++i) {
        levy_text_put(&out, i ? ",\n  " : "\n  ");
        data_coverage(&out, &table->rows[i]);
    }
    levy_text_put(&out, "\n]}\n");
    return levy_text_finish(&out);
}

/* ---- CSV ---- */

static void csv_text(levy_text_out *out, const char *text)
{
    levy_text_put_csv(out, text);
    levy_text_put(out, ",");
}

static void csv_count(levy_text_out *out, uint64_t value)
{
    levy_text_put_count(out, value);
    levy_text_put(out, ",");
}

static void csv_number(levy_text_out *out, double value, const char *end)
{
    char text[LEVY_NUMBER_SIZE] = "";
    if (isfinite(value)) levy_number_write(value, text);
    levy_text_put(out, text);
    levy_text_put(out, end);
}

static void csv_point(levy_text_out *out, const levy_convergence *s,
                      const levy_convergence_method *m, size_t replicate, size_t size)
{
    const double estimate = m->estimates[replicate * m->n_sizes + size];
    csv_text(out, s->trade);
    csv_text(out, m->method);
    csv_text(out, m->generator);
    csv_text(out, m->construction);
    csv_text(out, s->precision);
    csv_count(out, s->seed);
    csv_count(out, m->dimensions);
    csv_count(out, replicate);
    csv_count(out, m->sizes[size]);
    csv_count(out, (uint64_t)__builtin_ctzll(m->sizes[size]));
    csv_number(out, estimate, ",");
    csv_number(out, estimate - s->reference, ",");
    csv_number(out, s->reference, ",");
    csv_text(out, s->reference_kind);
    csv_text(out, s->run->backend);
    csv_text(out, s->run->device);
    csv_text(out, s->measure);
    csv_text(out, s->factor);
    levy_text_put_csv(out, m->smoothing);
    levy_text_put(out, "\r\n");
}

static void csv_study(levy_text_out *out, const levy_convergence *study)
{
    for (size_t i = 0; i < study->n_methods; ++i) {
        const levy_convergence_method *m = &study->methods[i];
        for (size_t r = 0; r < m->replicates; ++r)
            for (size_t n = 0; n < m->n_sizes; ++n) csv_point(out, study, m, r, n);
    }
}

int levy_converge_write_csv(const levy_converge_report *report, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    levy_text_put(&out, "trade,method,generator,construction,precision,seed,dimensions,replicate,n,"
                        "log2_n,estimate,error,reference,"
                        "reference_kind,backend,device,measure,factor,smoothing\r\n");
    for (size_t i = 0; i < report->n; ++i) csv_study(&out, &report->studies[i]);
    return levy_text_finish(&out);
}

int levy_coverage_write_csv(const levy_coverage_table *table, levy_writer write, void *user)
{
    levy_text_out out;
    levy_text_out_init(&out, write, user);
    levy_text_put(&out, "trade,payoff,method,reference_kind,points,replicates,seeds,intervals,"
                        "covered,coverage,coverage_se,"
                        "coverage_unmarked,mean_half_width,rmse,mean_points,within_tolerance,"
                        "reference,reference_se,measure,factor,marked\r\n");
    for (size_t i = 0; i < table->n_rows; ++i) {
        const levy_coverage_row *row = &table->rows[i];
        csv_text(&out, row->trade);
        csv_text(&out, row->payoff);
        csv_text(&out, row->method);
        csv_text(&out, row->reference_kind);
        csv_count(&out, row->points);
        csv_count(&out, row->replicates);
        csv_count(&out, row->seeds);
        csv_count(&out, row->intervals);
        csv_count(&out, row->covered);
        csv_number(&out, row->coverage, ",");
        csv_number(&out, row->coverage_se, ",");
        csv_number(&out, row->coverage_unmarked, ",");
        csv_number(&out, row->mean_half_width, ",");
        csv_number(&out, row->rmse, ",");
        csv_number(&out, row->mean_points, ",");
        csv_number(&out, row->within_tolerance, ",");
        csv_number(&out, row->reference, ",");
        csv_number(&out, row->reference_se, ",");
        csv_text(&out, row->measure);
        csv_text(&out, row->factor);
        csv_number(&out, row->marked, "\r\n");
    }
    return levy_text_finish(&out);
}
