/* barrier_twin.c: options with barriers on dates as scripts (twin.h). A touch is at the barrier or
 * beyond. Must not know: how the level's paths are made. */
#include "payoffs/shared.h"

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

static bool barrier_has_twin(const levy_claim *claim)
{
    return !claim->continuous && levy_barrier_integrates(claim->terms);
}

/* Pays `touched` or `not`, names of the script, at expiry. */
static void barrier_write_end(levy_twin *twin, const levy_claim *claim, const char *touched,
                              const char * not )
{
    levy_twin_write(twin, "  pay ");
    if (claim->past.knocked) {
        levy_twin_write(twin, touched);
    } else {
        levy_twin_write(twin, touched);
        levy_twin_write(twin, " if touched > 0 else ");
        levy_twin_write(twin, not );
    }
    levy_twin_write(twin, "\n}\n");
}

bool levy_barrier_twin(const levy_claim *claim, levy_twin *twin)
{
    const levy_knock_terms *const p = levy_knock_of(claim->terms);
    const levy_barrier_terms *const barrier = &p->touched.barrier;
    const bool in = barrier->knock == LEVY_KNOCK_IN, knocked = claim->past.knocked,
               hits = claim->rebate_at_hit && !knocked;
    double lower, upper;
    levy_barrier_rebates(&p->rebate, &lower, &upper);
    if (!barrier_has_twin(claim)) return false;
    if (hits)
        barrier_write_hits(twin, claim, lower, upper);
    else if (knocked)
        levy_twin_write(twin, "at expiry {\n");
    else
        barrier_write_latches(twin, barrier);
    levy_twin_gain(twin, claim->terms, &p->payout);
    if (hits) {
        levy_twin_write(twin, "  pay gain\n}\n");
        return true;
    }
    levy_twin_number(twin, "rebate", claim->rebate_at_hit ? 0.0 : lower);
    barrier_write_end(twin, claim, in ? "gain" : "rebate", in ? "rebate" : "gain");
    return true;
}

bool levy_touch_twin(const levy_claim *claim, bool untouched, double cash, levy_twin *twin)
{
    const bool knocked = claim->past.knocked, hits = claim->rebate_at_hit && !knocked;
    if (!barrier_has_twin(claim)) return false;
    if (hits) {
        barrier_write_hits(twin, claim, cash, cash);
        levy_twin_write(twin, "}\n");
        return true;
    }
    if (knocked)
        levy_twin_write(twin, "at expiry {\n");
    else
        barrier_write_latches(twin, levy_barrier_of(claim->terms));
    levy_twin_number(twin, "cash", claim->rebate_at_hit ? 0.0 : cash);
    barrier_write_end(twin, claim, untouched ? "0" : "cash", untouched ? "cash" : "0");
    return true;
}
