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
#define STUDY_WRITE(kind, of, ...)                                                                 \
    {                                                                                              \
        if (format == LEVY_FORMAT_CSV)                                                             \
            levy_##kind##_write_csv(of, out);                                                      \
        else if (format == LEVY_FORMAT_JSON)                                                       \
            levy_##kind##_write_json(of, out);                                                     \
        else if (format == LEVY_FORMAT_SVG)                                                        \
            levy_##kind##_plot(of, __VA_ARGS__);                                                   \
        else                                                                                       \
            levy_##kind##_write_table(of, out);                                                    \
    }

static bool study_is_format(int format)
{
    return format == LEVY_FORMAT_TABLE || format == LEVY_FORMAT_TABLE_COLOR ||
           format == LEVY_FORMAT_CSV || format == LEVY_FORMAT_JSON || format == LEVY_FORMAT_SVG;
}

/* cost: a plot of convergence is against seconds. */
static int study_write(const levy_study *study, int format, bool cost, levy_writer write,
                       void *user)
{
    levy_text_out text, *const out = &text;
    const levy_converge_report report = {study->convergences, study->n_convergences};
    if (!study_is_format(format)) return LEVY_STATUS_ARGUMENT;
    levy_text_out_init(out, write, user);
    const levy_call_mode mode = levy_call_mode_enter(); /* tables and plots compute */
    if (study->kind == LEVY_STUDY_PROFILE)
        STUDY_WRITE(profile, &study->profile, out)
    else if (study->kind == LEVY_STUDY_COVERAGE)
        STUDY_WRITE(coverage, &study->coverage, out)
    else
        STUDY_WRITE(converge, &report, cost, out)
    levy_call_mode_leave(&mode);
    return levy_text_finish(out, LEVY_STATUS_OK);
}

int levy_study_write(const levy_study *study, int format, levy_writer write, void *user)
{
    if (!study || !write) return LEVY_STATUS_ARGUMENT;
    return study_write(study, format, false, write, user);
}

int levy_study_plot(const levy_study *study, int what, levy_writer write, void *user)
{
    static const int whats[] = {[LEVY_STUDY_CONVERGENCE] = LEVY_PLOT_CONVERGENCE,
                                [LEVY_STUDY_COVERAGE] = LEVY_PLOT_ERRORS,
                                [LEVY_STUDY_PROFILE] = LEVY_PLOT_PROFILE};
    if (!study || !write) return LEVY_STATUS_ARGUMENT;
    const bool cost = what == LEVY_PLOT_COST && study->kind == LEVY_STUDY_CONVERGENCE;
    if (!cost && what != whats[study->kind]) return LEVY_STATUS_ARGUMENT;
    return study_write(study, LEVY_FORMAT_SVG, cost, write, user);
}
