/* study_data.c: convergence, coverage and profiles for programs: JSON (RFC 8259) and CSV (RFC
 * 4180, long form: one row per method, replicate and size, or per trade, measure and value, so that
 * every figure and plot can be made again from it). See report.h. */
#include "engine/report/report_fields.h"
#include "engine/report/report.h"

#include <stdio.h>
#include <string.h>

/* ---- Members ---- */

typedef struct data_estimate {
    uint64_t replicate, n, log2_n;
    double estimate, error;
} data_estimate;
typedef struct data_value {
    const char *quote;
    double at, value, std_error;
} data_value;

#define DATA_HASH                                                                                  \
    {                                                                                              \
        .name = "fingerprint", .kind = LEVY_FIELD_IS_HASH,                                         \
        .offset = offsetof(levy_run_info, fingerprint)                                             \
    }
#define RUN(member) LEVY_REPORT_MEMBER(levy_run_info, member)
#define STUDY(member) LEVY_REPORT_MEMBER(levy_convergence, member)
#define METHOD(member) LEVY_REPORT_MEMBER(levy_convergence_method, member)
#define ESTIMATE(member) LEVY_REPORT_MEMBER(data_estimate, member)
#define COVERAGE(member) LEVY_REPORT_MEMBER(levy_coverage_row, member)
#define SEEDS(member) LEVY_REPORT_MEMBER(levy_coverage_table, member)
#define LINE(member) LEVY_REPORT_MEMBER(levy_profile_line, member)
#define VALUE(member) LEVY_REPORT_MEMBER(data_value, member)
/* clang-format off */
static const levy_report_field data_run[] = {
    RUN(version), RUN(contract), RUN(backend), RUN(device), RUN(device_reason), RUN(isa),
    RUN(threads), DATA_HASH, RUN(seconds), {0}};
static const levy_report_field data_profile_run[] = {
    RUN(version), RUN(backend), RUN(device), DATA_HASH, {0}};
/* Before and behind the sizes that are fitted. */
static const levy_report_field data_study[] = {
    STUDY(trade), STUDY(payoff), STUDY(model), STUDY(currency), STUDY(measure), STUDY(factor),
    STUDY(precision), STUDY(seed), STUDY(replicates), STUDY(resamples), {0}};
static const levy_report_field data_reference[] = {
    STUDY(reference), STUDY(reference_se), STUDY(reference_kind), STUDY(reference_text),
    STUDY(target_rmse), STUDY(baseline), STUDY(points), {0}};
static const levy_report_field data_method[] = {
    METHOD(method), METHOD(generator), METHOD(construction), METHOD(replicates), METHOD(dimensions),
    METHOD(outside_motion), METHOD(slope), METHOD(slope_se), METHOD(intercept), METHOD(seconds),
    METHOD(seconds_to_target), METHOD(efficiency), {0}};
static const levy_report_field data_smoothing[] = {
    METHOD(smoothing), {0}};
static const levy_report_field data_estimates[] = {
    ESTIMATE(replicate), ESTIMATE(n), ESTIMATE(log2_n), ESTIMATE(estimate), ESTIMATE(error), {0}};
/* Before and behind the seeds without an interval. */
static const levy_report_field data_coverage_head[] = {
    COVERAGE(trade), COVERAGE(payoff), COVERAGE(method), COVERAGE(reference),
    COVERAGE(reference_se), COVERAGE(reference_kind), COVERAGE(points), COVERAGE(replicates),
    COVERAGE(seeds), COVERAGE(intervals), {0}};
static const levy_report_field data_coverage[] = {
    COVERAGE(covered), COVERAGE(coverage), COVERAGE(coverage_se), COVERAGE(coverage_unmarked),
    COVERAGE(mean_half_width), COVERAGE(rmse), COVERAGE(mean_points), COVERAGE(within_tolerance),
    COVERAGE(measure), COVERAGE(factor), COVERAGE(marked), {0}};
static const levy_report_field data_seeds[] = {
    SEEDS(precision), SEEDS(first_seed), SEEDS(confidence), {0}};
static const levy_report_field data_line[] = {
    LINE(trade), LINE(currency), LINE(measure), LINE(factor), {0}};
static const levy_report_field data_values[] = {
    VALUE(quote), VALUE(at), VALUE(value), VALUE(std_error), {0}};
/* clang-format on */

/* ---- JSON ---- */

static void data_pair(levy_text_out *out, size_t i, uint64_t count, double value)
{
    levy_text_print(out, "%s[%zu, ", i ? ", " : "", count);
    levy_text_put_json_number(out, value);
    levy_text_put(out, "]");
}

static void data_pairs(levy_text_out *out, const char *before, const levy_convergence_method *m,
                       const double *values)
{
    levy_text_put(out, before);
    for (size_t i = 0; i < m->n_sizes; ++i) data_pair(out, i, m->sizes[i], values[i]);
    levy_text_put(out, "]");
}

static void data_put_method(levy_text_out *out, const levy_convergence_method *m)
{
    levy_report_put_members(out, "{", data_method, m);
    if (m->n_shares)
        levy_text_print(out, ", \"effective_dimension\": %u", m->effective_dimension);
    else
        levy_text_put(out, ", \"effective_dimension\": null");
    levy_text_put(out, ", \"variance_in_first\": [");
    for (size_t i = 0; i < m->n_shares; ++i)
        data_pair(out, i, i + 1 < m->n_shares ? (uint64_t)1 << i : m->dimensions, m->shares[i]);
    data_pairs(out, "], \"rmse\": [", m, m->rmse);
    data_pairs(out, ", \"rmse_se\": [", m, m->rmse_se);
    if (m->mean) {
        data_pairs(out, ", \"mean\": [", m, m->mean);
        data_pairs(out, ", \"mean_se\": [", m, m->mean_se);
    }
    levy_report_put_members(out, ", ", data_smoothing, m);
    levy_text_put(out, "}");
}

static void data_put_study(levy_text_out *out, const levy_convergence *s)
{
    levy_report_put_members(out, "{\"run\": {", data_run, s->run);
    levy_report_put_members(out, ", ", data_study, s);
    levy_text_print(out, ", \"fit\": [%zu, %zu", s->fit_first, s->fit_last);
    levy_report_put_members(out, "], ", data_reference, s);
    levy_text_put(out, "},\n \"methods\": [");
    for (size_t m = 0; m < s->n_methods; ++m) {
        levy_text_put(out, m ? ",\n  " : "\n  ");
        data_put_method(out, &s->methods[m]);
    }
    levy_text_put(out, "\n]}");
}

/* One study is an object; several are the list "studies" of such objects. */
void levy_converge_write_json(const levy_converge_report *report, levy_text_out *out)
{
    if (report->n > 1) levy_text_put(out, "{\"studies\": [\n");
    for (size_t i = 0; i < report->n; ++i) {
        levy_text_put(out, i ? ",\n" : "");
        data_put_study(out, &report->studies[i]);
    }
    levy_text_put(out, report->n > 1 ? "\n]}\n" : "\n");
}

void levy_coverage_write_json(const levy_coverage_table *table, levy_text_out *out)
{
    levy_report_put_members(out, "{\"run\": {", data_run, table->run);
    levy_report_put_members(out, ", ", data_seeds, table);
    levy_text_put(out, "},\n \"coverage\": [");
    for (size_t i = 0; i < table->n_rows; ++i) {
        const levy_coverage_row *const row = &table->rows[i];
        levy_report_put_members(out, i ? ",\n  {" : "\n  {", data_coverage_head, row);
        levy_text_print(out, ", \"unreliable\": %u", row->seeds - row->intervals);
        levy_report_put_members(out, ", ", data_coverage, row);
        levy_text_put(out, "}");
    }
    levy_text_put(out, "\n]}\n");
}

void levy_profile_write_json(const levy_profile_table *table, levy_text_out *out)
{
    levy_report_put_members(out, "{\"run\": {", data_profile_run, table->run);
    levy_text_put(out, "},\n \"factor\": ");
    levy_text_put_json(out, table->factor);
    levy_text_put(out, ", \"today\": ");
    levy_text_put_json_number(out, table->today);
    levy_text_put_json_list(out, ",\n \"at\": ", table->at, table->n_values);
    levy_text_put(out, ",\n \"lines\": [");
    for (size_t l = 0; l < table->n_lines; ++l) {
        const levy_profile_line *const line = &table->lines[l];
        levy_report_put_members(out, l ? ",\n  {" : "\n  {", data_line, line);
        levy_text_put_json_list(out, ", \"values\": ", line->values, table->n_values);
        levy_text_put_json_list(out, ", \"std_errors\": ", line->std_errors, table->n_values);
        levy_text_put(out, "}");
    }
    levy_text_put(out, "\n]}\n");
}

/* ---- CSV ---- */

static void data_rows(levy_text_out *out, const char *head, const levy_convergence *s,
                      const levy_convergence_method *m)
{
    data_estimate at;
    const levy_report_record parts[] = {{data_method, m},   {data_smoothing, m},
                                        {data_study, s},    {data_reference, s},
                                        {data_run, s->run}, {data_estimates, &at}};
    for (at.replicate = 0; at.replicate < m->replicates; ++at.replicate)
        for (size_t size = 0; size < m->n_sizes; ++size) {
            at.n = m->sizes[size];
            at.log2_n = (uint64_t)__builtin_ctzll(at.n);
            at.estimate = m->estimates[at.replicate * m->n_sizes + size];
            at.error = at.estimate - s->reference;
            levy_report_put_row(out, head, parts);
        }
}

void levy_converge_write_csv(const levy_converge_report *report, levy_text_out *out)
{
    static const char head[] = "trade,method,generator,construction,precision,seed,dimensions,"
                               "replicate,n,log2_n,estimate,error,reference,reference_kind,"
                               "backend,device,measure,factor,smoothing,points\r\n";
    levy_text_put(out, head);
    for (size_t i = 0; i < report->n; ++i)
        for (size_t m = 0; m < report->studies[i].n_methods; ++m)
            data_rows(out, head, &report->studies[i], &report->studies[i].methods[m]);
}

void levy_coverage_write_csv(const levy_coverage_table *table, levy_text_out *out)
{
    static const char head[] = "trade,payoff,method,reference_kind,points,replicates,seeds,"
                               "intervals,covered,coverage,coverage_se,coverage_unmarked,"
                               "mean_half_width,rmse,mean_points,within_tolerance,reference,"
                               "reference_se,measure,factor,marked\r\n";
    levy_text_put(out, head);
    for (size_t i = 0; i < table->n_rows; ++i) {
        const levy_report_record parts[] = {{data_coverage_head, &table->rows[i]},
                                            {data_coverage, &table->rows[i]}};
        levy_report_put_row(out, head, parts);
    }
}

void levy_profile_write_csv(const levy_profile_table *table, levy_text_out *out)
{
    static const char head[] = "trade,currency,measure,factor,quote,at,value,std_error\r\n";
    levy_text_put(out, head);
    for (size_t l = 0; l < table->n_lines; ++l)
        for (size_t i = 0; i < table->n_values; ++i) {
            const levy_profile_line *const line = &table->lines[l];
            const data_value value = {table->factor, table->at[i], line->values[i],
                                      line->std_errors[i]};
            const levy_report_record parts[] = {{data_line, line}, {data_values, &value}};
            levy_report_put_row(out, head, parts);
        }
}
