/* barrier_twin.c: options with barriers on dates as scripts (twin.h). A touch is at the barrier or
 * beyond. Must not know: how the level's paths are made. */
#include "payoffs/shared.h"
#include "payoffs/twin.h"

static void barrier_write_levels(levy_twin *twin, const levy_barrier_terms *barrier)
{
    const bool two = levy_barrier_is_double(barrier);
    if (!two) levy_twin_number(twin, "barrier", barrier->level);
    if (two) levy_twin_number(twin, "lower", barrier->lower);
    if (two) levy_twin_number(twin, "upper", barrier->upper);
}

/* The condition of a touch of the only barrier, or of the lower or upper one. */
static void barrier_write_touch(levy_twin *twin, const levy_barrier_terms *barrier, bool upper)
{
    const bool up = levy_barrier_is_double(barrier) ? upper : barrier->direction == LEVY_BARRIER_UP;
    levy_twin_write(twin, up ? "  if $ >= " : "  if $ <= ");
    if (levy_barrier_is_double(barrier))
        levy_twin_write(twin, upper ? "upper" : "lower");
    else
        levy_twin_write(twin, "barrier");
}

/* Each touch is a variable, so that no day cuts a segment. */
static void barrier_write_latches(levy_twin *twin, const levy_barrier_terms *barrier)
{
    const bool two = levy_barrier_is_double(barrier);
    barrier_write_levels(twin, barrier);
    levy_twin_write(twin, "var below = 0\n");
    if (two) levy_twin_write(twin, "var above = 0\n");
    levy_twin_write(twin, "at days {\n");
    barrier_write_touch(twin, barrier, false);
    levy_twin_write(twin, " { below = 1 }\n");
    if (two) barrier_write_touch(twin, barrier, true);
    if (two) levy_twin_write(twin, " { above = 1 }\n");
    levy_twin_write(twin, two ? "}\nat expiry {\n  let touched = below + above\n"
                              : "}\nat expiry {\n  let touched = below\n");
}

/* What a touch pays, and the end. What today's paid is gone. */
static void barrier_write_hit(levy_twin *twin, const levy_claim *claim, const char *rebate)
{
    levy_twin_write(twin, " { pay ");
    levy_twin_write(twin, rebate);
    levy_twin_write(twin, claim->observes_now ? " if number > 1 else 0; stop }\n" : "; stop }\n");
}

static void barrier_write_hits(levy_twin *twin, const levy_claim *claim, double lower, double upper)
{
    const levy_barrier_terms *const barrier = levy_barrier_of(claim->terms);
    const bool two = levy_barrier_is_double(barrier);
    barrier_write_levels(twin, barrier);
    levy_twin_number(twin, "rebate", lower);
    if (two) levy_twin_number(twin, "upper_rebate", upper);
    levy_twin_write(twin, "at days {\n");
    barrier_write_touch(twin, barrier, false);
    barrier_write_hit(twin, claim, "rebate");
    if (two) barrier_write_touch(twin, barrier, true);
    if (two) barrier_write_hit(twin, claim, "upper_rebate");
    levy_twin_write(twin, "}\nat expiry {\n");
}

/* A sum is one over all dates, so a basket is not watched on each. */
static bool barrier_has_twin(const levy_claim *claim, const levy_twin *twin)
{
    return !claim->continuous && !twin->basket;
}

/* Whether a touch is still to be paid on its day. */
static bool barrier_hits(const levy_claim *claim)
{
    return claim->rebate_at_hit && !claim->past.knocked;
}

/* What happens before expiry, and the beginning of its block. */
static void barrier_begin(levy_twin *twin, const levy_claim *claim, double lower, double upper)
{
    if (barrier_hits(claim))
        barrier_write_hits(twin, claim, lower, upper);
    else if (claim->past.knocked)
        levy_twin_write(twin, "at expiry {\n");
    else
        barrier_write_latches(twin, levy_barrier_of(claim->terms));
}

/* Pays a value where a barrier was touched, and another one where none was. inverted: the other
 * way round. */
static void barrier_write_end(levy_twin *twin, const levy_claim *claim, bool inverted,
                              const char *touched, const char *untouched)
{
    levy_twin_write(twin, "  pay ");
    levy_twin_write(twin, inverted ? untouched : touched);
    if (!claim->past.knocked) {
        levy_twin_write(twin, " if touched > 0 else ");
        levy_twin_write(twin, inverted ? touched : untouched);
    }
    levy_twin_write(twin, "\n}\n");
}

bool levy_barrier_twin(const levy_claim *claim, levy_twin *twin)
{
    const levy_knock_terms *const p = levy_knock_of(claim->terms);
    double lower, upper;
    levy_barrier_rebates(&p->rebate, &lower, &upper);
    if (!barrier_has_twin(claim, twin)) return false;
    barrier_begin(twin, claim, lower, upper);
    if (barrier_hits(claim)) {
        levy_twin_pay_gain(twin, claim->terms, &p->payout);
        return true;
    }
    levy_twin_gain(twin, claim->terms, &p->payout);
    levy_twin_number(twin, "rebate", claim->rebate_at_hit ? 0.0 : lower);
    barrier_write_end(twin, claim, p->touched.barrier.knock == LEVY_KNOCK_IN, "rebate", "gain");
    return true;
}

bool levy_touch_twin(const levy_claim *claim, bool untouched, double cash, levy_twin *twin)
{
    if (!barrier_has_twin(claim, twin)) return false;
    barrier_begin(twin, claim, cash, cash);
    if (barrier_hits(claim)) {
        levy_twin_write(twin, "}\n");
        return true;
    }
    levy_twin_number(twin, "cash", claim->rebate_at_hit ? 0.0 : cash);
    barrier_write_end(twin, claim, untouched, "cash", "0");
    return true;
}
