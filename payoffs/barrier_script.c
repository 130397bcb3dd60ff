/* barrier_script.c: options with barriers on dates as scripts (script_form.h). A touch is at the
 * barrier or beyond. Must not know: how the level's paths are made. */
#include "payoffs/shared.h"
#include "payoffs/script_form.h"

static void barrier_write_levels(levy_script_form *form, const levy_barrier_terms *barrier)
{
    const bool two = levy_barrier_is_double(barrier);
    if (!two) levy_script_form_number(form, "barrier", barrier->level);
    if (two) levy_script_form_number(form, "lower", barrier->lower);
    if (two) levy_script_form_number(form, "upper", barrier->upper);
}

/* The condition of a touch of the only barrier, or of the lower or upper one. */
static void barrier_write_touch(levy_script_form *form, const levy_barrier_terms *barrier,
                                bool upper)
{
    const bool up = levy_barrier_is_double(barrier) ? upper : barrier->direction == LEVY_BARRIER_UP;
    levy_script_form_write(form, up ? "  if $ >= " : "  if $ <= ");
    if (levy_barrier_is_double(barrier))
        levy_script_form_write(form, upper ? "upper" : "lower");
    else
        levy_script_form_write(form, "barrier");
}

/* Each touch is a variable, so that no day cuts a segment. */
static void barrier_write_latches(levy_script_form *form, const levy_barrier_terms *barrier)
{
    const bool two = levy_barrier_is_double(barrier);
    barrier_write_levels(form, barrier);
    levy_script_form_write(form, "var below = 0\n");
    if (two) levy_script_form_write(form, "var above = 0\n");
    levy_script_form_write(form, "at days {\n");
    barrier_write_touch(form, barrier, false);
    levy_script_form_write(form, " { below = 1 }\n");
    if (two) barrier_write_touch(form, barrier, true);
    if (two) levy_script_form_write(form, " { above = 1 }\n");
    levy_script_form_write(form, two ? "}\nat expiry {\n  let touched = below + above\n"
                                     : "}\nat expiry {\n  let touched = below\n");
}

/* What a touch pays, and the end. What today's paid is gone. */
static void barrier_write_hit(levy_script_form *form, const levy_claim *claim, const char *rebate)
{
    levy_script_form_write(form, " { pay ");
    levy_script_form_write(form, rebate);
    levy_script_form_write(form,
                           claim->observes_now ? " if number > 1 else 0; stop }\n" : "; stop }\n");
}

static void barrier_write_hits(levy_script_form *form, const levy_claim *claim, double lower,
                               double upper)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(claim->terms);
    const bool two = levy_barrier_is_double(barrier);
    barrier_write_levels(form, barrier);
    levy_script_form_number(form, "rebate", lower);
    if (two) levy_script_form_number(form, "upper_rebate", upper);
    levy_script_form_write(form, "at days {\n");
    barrier_write_touch(form, barrier, false);
    barrier_write_hit(form, claim, "rebate");
    if (two) barrier_write_touch(form, barrier, true);
    if (two) barrier_write_hit(form, claim, "upper_rebate");
    levy_script_form_write(form, "}\nat expiry {\n");
}

/* A sum is one over all dates, so a basket is not watched on each. */
static bool barrier_has_script(const levy_claim *claim, const levy_script_form *form)
{
    return !claim->continuous && !form->basket;
}

/* Whether a touch is still to be paid on its day. */
static bool barrier_hits(const levy_claim *claim)
{
    return claim->rebate_at_hit && !claim->past.knocked;
}

/* What happens before expiry, and the beginning of its block. */
static void barrier_begin(levy_script_form *form, const levy_claim *claim, double lower,
                          double upper)
{
    if (barrier_hits(claim))
        barrier_write_hits(form, claim, lower, upper);
    else if (claim->past.knocked)
        levy_script_form_write(form, "at expiry {\n");
    else
        barrier_write_latches(form, levy_barrier_of(claim->terms));
}

/* Pays a value where a barrier was touched, and another one where none was. inverted: the other
 * way round. */
static void barrier_write_end(levy_script_form *form, const levy_claim *claim, bool inverted,
                              const char *touched, const char *untouched)
{
    levy_script_form_write(form, "  pay ");
    levy_script_form_write(form, inverted ? untouched : touched);
    if (!claim->past.knocked) {
        levy_script_form_write(form, " if touched > 0 else ");
        levy_script_form_write(form, inverted ? touched : untouched);
    }
    levy_script_form_write(form, "\n}\n");
}

bool levy_barrier_script_form(const levy_claim *claim, levy_script_form *form)
{
    const levy_knock_terms *const p = levy_knock_of(claim->terms);
    double lower, upper;
    levy_barrier_rebates(&p->rebate, &lower, &upper);
    if (!barrier_has_script(claim, form)) return false;
    barrier_begin(form, claim, lower, upper);
    if (barrier_hits(claim)) {
        levy_script_form_pay_gain(form, claim->terms, &p->payout);
        return true;
    }
    levy_script_form_gain(form, claim->terms, &p->payout);
    levy_script_form_number(form, "rebate", claim->rebate_at_hit ? 0.0 : lower);
    barrier_write_end(form, claim, p->touched.barrier.knock == LEVY_KNOCK_IN, "rebate", "gain");
    return true;
}

bool levy_touch_script_form(const levy_claim *claim, bool untouched, double cash,
                            levy_script_form *form)
{
    if (!barrier_has_script(claim, form)) return false;
    barrier_begin(form, claim, cash, cash);
    if (barrier_hits(claim)) {
        levy_script_form_write(form, "}\n");
        return true;
    }
    levy_script_form_number(form, "cash", claim->rebate_at_hit ? 0.0 : cash);
    barrier_write_end(form, claim, untouched, "cash", "0");
    return true;
}
