/* api_study.c: levy_converge, levy_coverage, and what they have come to. See levy.h. */
#include "engine/study/study.h"

#include "engine/report/report.h"

int levy_converge(levy_book *book, const levy_study_options *options, const levy_price_options *how,
                  levy_study **study)
{
    return levy_study_run_entry(book, options, how, false, levy_converge_work, study);
}

int levy_coverage(levy_book *book, const levy_study_options *options, const levy_price_options *how,
                  levy_study **study)
{
    return levy_study_run_entry(book, options, how, true, levy_coverage_work, study);
}

void levy_study_destroy(levy_study *study) { levy_study_release(study); }

const levy_convergence *levy_study_convergence(const levy_study *study)
{
    return study && !study->is_coverage ? &study->convergence : NULL;
}

const levy_coverage_table *levy_study_coverage(const levy_study *study)
{
    return study && study->is_coverage ? &study->coverage : NULL;
}

const levy_convergence_method *levy_convergence_at(const levy_convergence *study, size_t index)
{
    return study && index < study->n_methods ? &study->methods[index] : NULL;
}

const levy_coverage_row *levy_coverage_at(const levy_coverage_table *table, size_t index)
{
    return table && index < table->n_rows ? &table->rows[index] : NULL;
}

int levy_study_write(const levy_study *study, int format, levy_writer write, void *user)
{
    if (!study || !write) return LEVY_STATUS_ARGUMENT;
    const bool coverage = study->is_coverage;
    switch (format) {
    case LEVY_FORMAT_TABLE:
    case LEVY_FORMAT_TABLE_COLOR:
        return coverage ? levy_coverage_write_table(&study->coverage, write, user)
                        : levy_converge_write_table(&study->convergence, write, user);
    case LEVY_FORMAT_CSV:
        return coverage ? levy_coverage_write_csv(&study->coverage, write, user)
                        : levy_converge_write_csv(&study->convergence, write, user);
    case LEVY_FORMAT_JSON:
        return coverage ? levy_coverage_write_json(&study->coverage, write, user)
                        : levy_converge_write_json(&study->convergence, write, user);
    case LEVY_FORMAT_SVG:
        return coverage ? LEVY_STATUS_ARGUMENT
                        : levy_converge_write_svg(&study->convergence, write, user);
    default:
        return LEVY_STATUS_ARGUMENT;
    }
}
