/* script_crossed.c: checks that a model, a market and the schedules let a script ask what was
 * crossed between its dates. See script_build.h. */
#include "engine/problem/script_build.h"

#include "engine/problem/script_place.h"
#include "engine/problem/script_state.h"

#include <math.h>

/* Refuses the text's first question of what was crossed. */
static bool crossed_refuse(levy_script_build *b, const char *hint, const char *why)
{
    const levy_script *const script = &b->scripted->script;
    const levy_script_term *term = script->terms;
    while (term->kind != LEVY_SCRIPT_VARIANCE) ++term;
    if (!b->source->is_own)
        return LEVY_REFUSE(b->check, UNSUPPORTED, b->frame->raw->payoff.node,
                           levy_check_text(b->check, "%s.payoff", b->frame->path), hint, "%s: %s",
                           b->trade->header.payoff, why);
    const levy_node at = levy_script_place(b->source->place, term->line, term->column);
    return LEVY_REFUSE(b->check, UNSUPPORTED, &at, levy_script_path(b, "script"), hint,
                       "line %u, column %u: %s", term->line, term->column, why);
}

static const char crossed_on_dates[] =
    "Compare levels on dates, such as a daily schedule. That is another contract: what touches a "
    "level between dates does not count.";

/* Does a block of the schedule see a level? */
bool levy_script_sees(const levy_script_build *b, size_t schedule)
{
    const levy_script_program *const p = b->scripted->script.program;
    for (uint32_t k = 0; k < p->n_blocks; ++k) {
        const levy_script_block *const block = &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k];
        const levy_script_step *step = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
        for (uint32_t i = 0; i < block->n && block->schedule == schedule; ++i, ++step) {
            const uint16_t operands[] = {step->a, step->b, step->c};
            for (uint32_t j = 0; j < levy_script_operands(step->op); ++j)
                if ((operands[j] & LEVY_SCRIPT_AT) == LEVY_SCRIPT_AT_LEVEL) return true;
        }
    }
    return false;
}

static bool crossed_has_time(const levy_observations *all, double time)
{
    for (size_t i = 0; i < all->n; ++i)
        if (fabs(all->times[i] - time) < 1e-9) return true;
    return false;
}

/* A chance counts levels at dates of its own schedule alone, so no other may see one in between. */
static bool crossed_sees_between(levy_script_build *b, size_t crossed, size_t other)
{
    const levy_observations *const own = &b->all[crossed], *const all = &b->all[other];
    for (size_t i = 0; i < all->n && own->n > 0; ++i) {
        if (all->times[i] < 1e-9 || all->times[i] > own->times[own->n - 1] - 1e-9 ||
            crossed_has_time(own, all->times[i]))
            continue;
        return crossed_refuse(
            b,
            levy_check_text(b->check, "Give the schedule '%s' these dates too.", b->names[crossed]),
            levy_check_text(b->check,
                            "'%s' sees a level at %s, between two dates of '%s': what was crossed "
                            "in between depends on it",
                            b->names[other], levy_observation_text(b->check, all, i),
                            b->names[crossed]));
    }
    return true;
}

/* How far the drift from `from` to `to` is out of proportion to the variance, in deviations. */
static double crossed_bends(const levy_asset *asset, double from, double to)
{
    enum { PARTS = 8 };
    const double v = levy_asset_variance(asset, from),
                 variance = levy_asset_variance(asset, to) - v,
                 start = levy_asset_log_forward(asset, from),
                 drift = levy_asset_log_forward(asset, to) - start;
    double most = 0.0;
    for (int k = 1; k < PARTS && variance > 0.0; ++k) {
        const double at = from + (to - from) * k / PARTS,
                     part = (levy_asset_variance(asset, at) - v) / variance,
                     off = levy_asset_log_forward(asset, at) - start - part * drift;
        most = fmax(most, fabs(off) / sqrt(variance));
    }
    return most;
}

/* Warns of the first interval in which volatility or rates change. */
static void crossed_warn_bends(levy_script_build *b, const levy_asset *asset, size_t schedule)
{
    const double much = 0.01; /* of a deviation: a chance then changes by about as much */
    const levy_observations *const all = &b->all[schedule];
    double from = 0.0;
    for (size_t i = 0; i < all->n; ++i) {
        if (all->times[i] <= 0.0) continue;
        if (crossed_bends(asset, from, all->times[i]) > much) {
            LEVY_WARN(b->check, INCONSISTENT, levy_script_node(b, "script"),
                      levy_script_path(b, "script"),
                      levy_check_text(b->check,
                                      "Give the schedule '%s' more dates, such as where the "
                                      "volatility or the curve has nodes.",
                                      b->names[schedule]),
                      "what '%s' crosses before %s is approximate: volatility or rates change in "
                      "between",
                      asset->name, levy_observation_text(b->check, all, i));
            return;
        }
        from = all->times[i];
    }
}

/* Schedules that ask. */
static bool crossed_dates(levy_script_build *b)
{
    for (size_t s = 0; s < b->n; ++s) {
        if (!(b->scripted->script.crosses >> s & 1)) continue;
        for (size_t other = 0; other < b->n; ++other)
            if (other != s && levy_script_sees(b, other) && !crossed_sees_between(b, s, other))
                return false;
        for (size_t u = 0; u < b->trade->n_underlyings; ++u)
            crossed_warn_bends(b, levy_trade_asset(b->trade, u), s);
    }
    return true;
}

/* Whether logarithms of levels are Brownian between dates, and nobody needs to know what was
 * crossed in the past. */
bool levy_script_check_crossed(levy_script_build *b)
{
    const levy_model *const model = b->trade->model;
    const unsigned features = levy_model_features(model->kind, model->terms);
    const bool jumps = features & LEVY_MODEL_JUMPS;
    if (b->scripted->script.crosses == 0) return true;
    if (features & (LEVY_MODEL_JUMPS | LEVY_MODEL_RANDOM))
        return crossed_refuse(
            b, crossed_on_dates,
            levy_check_text(b->check, "crossed needs a diffusion model, but the model '%s' %s",
                            model->name, jumps ? "has jumps" : "has stochastic volatility"));
    for (size_t u = 0; u < b->trade->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(b->trade, u);
        if (levy_carry_has_dividends(&asset->carry))
            return crossed_refuse(
                b, "Write a dividend_yield, or compare levels on dates.",
                levy_check_text(b->check,
                                "crossed needs levels without jumps, but '%s' pays dividends on "
                                "dates",
                                asset->name));
    }
    for (size_t s = 0; s < b->n; ++s)
        if (b->scripted->script.crosses >> s & 1 && b->all[s].n > 0 && b->all[s].times[0] < -1e-9 &&
            !levy_script_has_state(b->trade))
            return crossed_refuse(
                b, "Give the variables as they are today: state.",
                levy_check_text(b->check,
                                "the schedule '%s' has past dates, and no fixing tells what was "
                                "crossed between them",
                                b->names[s]));
    return crossed_dates(b);
}
