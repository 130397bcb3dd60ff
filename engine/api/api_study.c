/* api_study.c: levy_converge, levy_coverage, levy_profile, and what they have come to. See levy.h.
 */
#include "engine/study/study.h"

#include "engine/render/render.h"

int levy_converge(levy_book *book, const levy_study_options *options, const levy_price_options *how,
                  levy_study **study)
{
    return levy_study_run_entry(book, options, how, LEVY_STUDY_CONVERGENCE, levy_converge_work,
                                study);
}

int levy_coverage(levy_book *book, const levy_study_options *options, const levy_price_options *how,
                  levy_study **study)
{
    return levy_study_run_entry(book, options, how, LEVY_STUDY_COVERAGE, levy_coverage_work, study);
}

int levy_profile(levy_book *book, const levy_profile_options *options,
                 const levy_price_options *how, levy_study **study)
{
    return levy_profile_entry(book, options, how, study);
}

void levy_study_destroy(levy_study *study) { levy_study_release(study); }

const levy_convergence *levy_study_convergence(const levy_study *study)
{
    return levy_study_convergence_at(study, 0);
}

size_t levy_study_convergence_count(const levy_study *study)
{
    return study ? study->n_convergences : 0;
}

const levy_coverage_table *levy_study_coverage(const levy_study *study)
{
    return study && study->kind == LEVY_STUDY_COVERAGE ? &study->coverage : NULL;
}

const levy_profile_table *levy_study_profile(const levy_study *study)
{
    return study && study->kind == LEVY_STUDY_PROFILE ? &study->profile : NULL;
}

/* In a format, by the four writers of a kind of study. */
#define STUDY_WRITE(kind, of, plotted)                                                             \
    switch (format) {                                                                              \
    case LEVY_FORMAT_TABLE:                                                                        \
    case LEVY_FORMAT_TABLE_COLOR:                                                                  \
        return levy_##kind##_write_table(of, write, user);                                         \
    case LEVY_FORMAT_CSV:                                                                          \
        return levy_##kind##_write_csv(of, write, user);                                           \
    case LEVY_FORMAT_JSON:                                                                         \
        return levy_##kind##_write_json(of, write, user);                                          \
    case LEVY_FORMAT_SVG:                                                                          \
        return plotted;                                                                            \
    default:                                                                                       \
        return LEVY_STATUS_ARGUMENT;                                                               \
    }

static int study_write(const levy_study *study, int format, levy_writer write, void *user)
{
    const levy_converge_report report = {study->convergences, study->n_convergences};
    if (study->kind == LEVY_STUDY_PROFILE)
        STUDY_WRITE(profile, &study->profile, levy_profile_plot(&study->profile, write, user))
    if (study->kind == LEVY_STUDY_COVERAGE)
        STUDY_WRITE(coverage, &study->coverage, levy_coverage_plot(&study->coverage, write, user))
    STUDY_WRITE(converge, &report, levy_converge_plot(&report, false, write, user))
}

int levy_study_write(const levy_study *study, int format, levy_writer write, void *user)
{
    if (!study || !write) return LEVY_STATUS_ARGUMENT;
    const levy_call_mode mode = levy_call_mode_enter(); /* tables and plots compute */
    const int status = study_write(study, format, write, user);
    levy_call_mode_leave(&mode);
    return status;
}

int levy_study_plot(const levy_study *study, int what, levy_writer write, void *user)
{
    if (!study || !write) return LEVY_STATUS_ARGUMENT;
    if (what != LEVY_PLOT_COST) {
        const int whats[] = {[LEVY_STUDY_CONVERGENCE] = LEVY_PLOT_CONVERGENCE,
                             [LEVY_STUDY_COVERAGE] = LEVY_PLOT_ERRORS,
                             [LEVY_STUDY_PROFILE] = LEVY_PLOT_PROFILE};
        if (what != whats[study->kind]) return LEVY_STATUS_ARGUMENT;
        return levy_study_write(study, LEVY_FORMAT_SVG, write, user);
    }
    if (study->kind != LEVY_STUDY_CONVERGENCE) return LEVY_STATUS_ARGUMENT;
    const levy_converge_report report = {study->convergences, study->n_convergences};
    const levy_call_mode mode = levy_call_mode_enter();
    const int status = levy_converge_plot(&report, true, write, user);
    levy_call_mode_leave(&mode);
    return status;
}
