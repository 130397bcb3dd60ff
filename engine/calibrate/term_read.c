/* term_read.c: the law by term that a calibration asks for. See calibration.h. */
#include "engine/calibrate/calibration.h"

#include <string.h>

static bool term_refuse(levy_check *build, const levy_raw_calibration *raw, const char *hint,
                        const char *message)
{
    return LEVY_REFUSE(build, INCONSISTENT, raw->terms.node, "calibration.terms", hint, "%s",
                       message);
}

/* "0.5", or a date */
static const char *term_text(levy_check *build, const levy_time *time)
{
    char text[LEVY_NUMBER_SIZE];
    if (time->is_date)
        levy_date_write(time->date, text);
    else
        levy_number_write(time->years, text);
    return levy_check_text(build, "%s", text);
}

static bool term_ends(levy_check *build, levy_calibration *c)
{
    const levy_time *const times = c->raw->terms.items;
    const size_t n = c->raw->terms.count;
    double before = 0.0;
    c->beside[0] = (double)n;
    for (size_t k = 0; k < n; ++k) {
        const char *const path = levy_check_text(build, "calibration.terms[%zu]", k);
        if (!levy_check_time(build, &times[k], path, &c->beside[1 + k])) return false;
        if (!(c->beside[1 + k] > before))
            return term_refuse(build, c->raw, "Write [0.5, 2].",
                               "ends of terms ascend, and the first is after the valuation");
        before = c->beside[1 + k];
        c->ends[k] = term_text(build, &times[k]);
    }
    return true;
}

bool levy_terms_read(levy_check *build, levy_calibration *c)
{
    if (c->raw->terms.count == 0) return true;
    if (c->raw->terms.count > LEVY_TERMS_MOST)
        return term_refuse(build, c->raw, "Leave some out.", "a fit has at most 5 terms");
    if (!term_ends(build, c)) return false;
    if (!levy_exponent_by_term(c->law, c->beside, c->of_terms, &c->by_term))
        return term_refuse(build, c->raw, "Leave them out, or fit heston or bates.",
                           "the model has no parameters by term");
    for (size_t j = 0; j < c->by_term.n; ++j) {
        const size_t k = levy_exponent_term(&c->by_term, j);
        if (k < SIZE_MAX)
            c->of_terms[j].name = levy_check_text(build, "%s[%s]", c->of_terms[j].name, c->ends[k]);
    }
    c->law = &c->by_term;
    return !build->out_of_memory;
}
