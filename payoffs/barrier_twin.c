/* barrier_twin.c: options with barriers on dates as scripts (twin.h). A touch is at the barrier or
 * beyond. Must not know: how the level's paths are made. */
#include "payoffs/shared.h"

/* The condition of a touch: of the barrier, or of one of two. */
static const char *barrier_when_touched(const levy_barrier_terms *barrier, bool upper)
{
    if (levy_barrier_is_double(barrier)) return upper ? "  if $ >= upper {" : "  if $ <= lower {";
    return barrier->direction == LEVY_BARRIER_UP ? "  if $ >= barrier {" : "  if $ <= barrier {";
}

/* What happens on a day on which the level is at a barrier. rebate: its name, or NULL. */
static void barrier_write_touch(levy_twin *twin, const char *condition, bool knocks_in,
                                const char *rebate, bool at_hit)
{
    levy_twin_write(twin, condition);
    if (knocks_in) levy_twin_write(twin, " touched = 1 }\n");
    if (knocks_in) return;
    if (rebate) {
        levy_twin_write(twin, " pay ");
        levy_twin_write(twin, rebate);
        levy_twin_write(twin, at_hit ? "\n" : " at expiry\n");
    }
    levy_twin_write(twin, "  stop }\n");
}

/* The block of the days. lower, upper: what is paid where the one or the other barrier is touched,
 * of one barrier the same. */
static void barrier_write_days(levy_twin *twin, const levy_barrier_terms *barrier, bool knocks_in,
                               bool pays, double lower, double upper, bool at_hit)
{
    const bool two = levy_barrier_is_double(barrier);
    if (!two) levy_twin_number(twin, "barrier", barrier->level);
    if (two) levy_twin_number(twin, "lower", barrier->lower);
    if (two) levy_twin_number(twin, "upper", barrier->upper);
    if (pays) levy_twin_number(twin, "rebate", lower);
    if (pays && two && !knocks_in) levy_twin_number(twin, "upper_rebate", upper);
    levy_twin_write(twin, "at days {\n");
    barrier_write_touch(twin, barrier_when_touched(barrier, false), knocks_in,
                        pays ? "rebate" : NULL, at_hit);
    if (two)
        barrier_write_touch(twin, barrier_when_touched(barrier, true), knocks_in,
                            pays ? "upper_rebate" : NULL, at_hit);
    levy_twin_write(twin, "}\n");
}

static bool barrier_has_twin(const levy_claim *claim)
{
    return !claim->continuous && !claim->past.knocked && levy_barrier_integrates(claim->terms);
}

bool levy_barrier_twin(const levy_claim *claim, levy_twin *twin)
{
    const levy_knock_terms *const p = levy_knock_of(claim->terms);
    const levy_barrier_terms *const barrier = &p->touched.barrier;
    const bool in = barrier->knock == LEVY_KNOCK_IN;
    double lower, upper;
    levy_barrier_rebates(&p->rebate, &lower, &upper);
    const bool pays = lower > 0.0 || upper > 0.0;
    if (!barrier_has_twin(claim)) return false;
    if (in) levy_twin_write(twin, "var touched = 0\n");
    barrier_write_days(twin, barrier, in, pays, lower, upper, claim->rebate_at_hit);
    levy_twin_write(twin, "at expiry {\n");
    levy_twin_gain(twin, claim->terms, &p->payout);
    levy_twin_write(twin, !in    ? "  pay gain\n}\n"
                          : pays ? "  pay gain if touched > 0 else rebate\n}\n"
                                 : "  pay gain if touched > 0 else 0\n}\n");
    return true;
}

bool levy_touch_twin(const levy_claim *claim, bool untouched, double cash, levy_twin *twin)
{
    if (!barrier_has_twin(claim)) return false;
    barrier_write_days(twin, levy_barrier_of(claim->terms), false, !untouched, cash, cash,
                       claim->rebate_at_hit);
    if (untouched) levy_twin_number(twin, "cash", cash);
    if (untouched) levy_twin_write(twin, "at expiry { pay cash }\n");
    return true;
}
