/* converge_warn.c: what a convergence study says of its reference: that it is too rough for the
 * errors measured against it, or that a method contradicts it. See study.h. */
#include "engine/study/study.h"

#include "engine/report/report.h"
#include "engine/statistics/stats.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

/* A reference is good enough if its own error is below this share of the smallest error measured
 * against it. */
static const double converge_reference_share = 0.1;

/* "asian, delta S.spot": what a warning is of. NULL: no memory. */
static const char *converge_what(levy_study_job *job, const levy_convergence *study)
{
    const char *const space = *study->factor ? " " : "";
    return strcmp(study->measure, "price") == 0
               ? study->trade
               : levy_arena_format(&job->scratch, "%s, %s%s%s", study->trade, study->measure, space,
                                   study->factor);
}

static void converge_warn_reference(levy_study_job *job, const levy_convergence *study,
                                    const char *what)
{
    double smallest = INFINITY;
    char error[LEVY_SCIENTIFIC_SIZE], rmse[LEVY_SCIENTIFIC_SIZE];
    for (size_t m = 0; m < study->n_methods; ++m)
        for (size_t i = 0; i < study->methods[m].n_sizes; ++i)
            if (study->methods[m].replicates > 1 && study->methods[m].rmse[i] < smallest)
                smallest = study->methods[m].rmse[i];
    if (!(study->reference_se > converge_reference_share * smallest)) return;
    levy_scientific_write(study->reference_se, 3, error);
    levy_scientific_write(smallest, 3, rmse);
    levy_fault_warn(&job->context->faults, LEVY_REASON_RANGE, NULL, "reference",
                    "Give an exact price with --reference, or study fewer points.",
                    "%s: its standard error, %s, is not far below the smallest measured error, "
                    "%s; slopes are too flat",
                    what, error, rmse);
}

/* If the reference lies far outside the error of the mean over replicates, it is wrong or the
 * method is biased. */
static void converge_warn_bias(levy_study_job *job, const levy_convergence *study,
                               const levy_convergence_method *method, const char *what)
{
    const bool greek = strcmp(study->measure, "price") != 0, /* with no error: the derivative */
        bumped = greek && strcmp(study->reference_kind, "closed_form") == 0;
    const size_t n = method->replicates, last = method->n_sizes - 1;
    const double reference = study->reference, reference_se = study->reference_se;
    double mean = 0.0, squares = 0.0;
    char distance[LEVY_SCIENTIFIC_SIZE], error[LEVY_SCIENTIFIC_SIZE];
    if (n < 2) return;
    for (size_t r = 0; r < n; ++r)
        mean += method->estimates[r * method->n_sizes + last] / (double)n;
    for (size_t r = 0; r < n; ++r) {
        const double deviation = method->estimates[r * method->n_sizes + last] - mean;
        squares += deviation * deviation;
    }
    const double se =
        levy_sqrt(squares / (double)(n - 1) / (double)n + reference_se * reference_se);
    if (!(se > 0.0) ||
        fabs(mean - reference) <= levy_student_t_two_sided(1.0 - 1e-7, (double)(n - 1)) * se)
        return;
    levy_scientific_write(mean - reference, 3, distance);
    levy_scientific_write(se, 3, error);
    levy_fault_warn(&job->context->faults, LEVY_REASON_INCONSISTENT, NULL, "reference",
                    bumped ? "Errors near it are not of the points. Smaller bumps are set by "
                             "simulation.bumps."
                           : "Check --reference. In single precision or with few points, expect a "
                             "bias.",
                    "%s: %s differs from the reference by %s, with a standard error of %s: %s",
                    what, method->method, distance, error,
                    bumped ? "the bias of its bump" : "one of them is wrong");
}

void levy_converge_warn(levy_study_job *job, const levy_convergence *study)
{
    const char *const what = converge_what(job, study);
    if (!what) return;
    converge_warn_reference(job, study, what);
    for (size_t m = 0; m < study->n_methods; ++m)
        converge_warn_bias(job, study, &study->methods[m], what);
}
