/* bumps.c: see bumps.h. docs/performance.md has the measurements behind the shares (D11d). */
#include "engine/plan/bumps.h"
#include "engine/plan/bumped.h"
#include "engine/plan/peaks.h"
#include "engine/problem/today.h"

#include "kernels/lane/scalar.h"
#include "models/model.h"

#include <math.h>

/* Shares of the deviation at expiry, for smooth and for rough payoffs. An extrapolation moves the
 * spot by up to three of its bumps. */
static const double bumps_spot[2] = {0.1, 0.2}, bumps_cross[2] = {0.05, 0.2};
static const double bumps_volatility[2] = {0.002, 0.1}, bumps_rate[2] = {0.002, 0.1};
static const double bumps_volga[3] = {0.05, 0.2, 0.1};
static const double bumps_correlation[2] = {0.01, 0.05};
static const double bumps_sure = 0.02;  /* early exercise: no path makes noise, but a grid does */
static const double bumps_layer = 2.5;  /* the spot drifts away by more of its deviations */
static const double bumps_known = 1e-4; /* no time is left: of the spot, beside no kink */
static const double bumps_within = 0.3; /* of its scale, by which a volatility may move a peak */
static const double bumps_reach = 4.0;  /* a barrier is at least so many bumps away */
/* Deviations at a date within which levels are near to what decides there; and how many of these
 * deviations stand for the one at expiry. */
static const double bumps_near = 6.0, bumps_early = 4.0;
static const double bumps_farthest = 0.75;      /* relative moves beyond are of no early date */
static const double bumps_early_single = 0.005; /* least move of spots for early dates */

/* Limits of a logarithm's move: each precision can still tell the least apart, and no bump exceeds
 * the most. */
static const double bumps_least_single = 0.0002, bumps_least_double = 1e-10, bumps_most = 0.1;
static const double bumps_rate_least_single = 2e-5, bumps_rate_least_double = 1e-10;

/* Absolute limits. */
static const double bumps_volatility_most = 1.0, bumps_rate_most[2] = {0.001, 0.05};
static const double bumps_rate_most_single = 0.1;

static double bumps_between(double x, double least, double most)
{
    if (x < least) return least;
    return x > most ? most : x;
}

static double bumps_least(const levy_simulation *s)
{
    return s->precision == LEVY_PRECISION_SINGLE ? bumps_least_single : bumps_least_double;
}

static double bumps_share(const levy_dynamics_plan *m, const levy_simulation *s,
                          const levy_asset *asset, double share)
{
    const double h = share * levy_dynamics_deviation(m, asset, levy_dynamics_expiry(m));
    if (m->group->known) return bumps_known;
    return bumps_between(h, bumps_least(s), bumps_most);
}

/* On what scale the value bends: levels move that far until the decision, or are that far away. The
 * normal that is integrated hardly moves an early date, so noise counts for more there. */
static double bumps_scale(const levy_dynamics_plan *m, const levy_asset *asset, levy_decision next)
{
    const double until = levy_peak_width(m, next.time) *
                         levy_dynamics_deviation(m, asset, next.time) *
                         (next.time < levy_dynamics_expiry(m) ? bumps_early : 1.0),
                 away = bumps_early * next.reach / bumps_near;
    return until > away ? until : away;
}

/* The deviation at the first date of the calmest paths: differences of plain paths bend on that
 * scale. INFINITY: no path is calmer than others. */
static double bumps_calm(const levy_dynamics_plan *m, const levy_asset *asset)
{
    const levy_model *const model = m->trade->model;
    const double first = m->group->times[0], deviation = levy_dynamics_deviation(m, asset, first);
    double least = 1.0;
    for (size_t u = 0; u < m->n_assets; ++u)
        if (levy_trade_asset(m->trade, u) == asset)
            least = levy_model_calm(model->kind, model->terms, m->trade->underlyings[u],
                                    deviation / levy_sqrt(first), first);
    return least < 1.0 ? least * deviation : INFINITY;
}

/* The share for spots of options with early exercise. Where the spot drifts away by many deviations
 * the value bends in a layer as thick as the variance by twice the drift. */
static double bumps_share_of_early(const levy_dynamics_plan *m, const levy_asset *asset)
{
    const double time = levy_dynamics_expiry(m),
                 drift = fabs(levy_dynamics_log_forward(m, 0, asset, time)),
                 deviation = levy_dynamics_deviation(m, asset, time);
    return bumps_layer * deviation < drift ? bumps_sure * bumps_layer * deviation / drift
                                           : bumps_sure;
}

/* The same share for spots. An integrated value may bend with them on the scale of an early
 * date. */
static double bumps_share_of_spot(const levy_dynamics_plan *m, const levy_simulation *s,
                                  levy_bump_class of, const levy_asset *asset, double share)
{
    if (m->group->early) return bumps_share(m, s, asset, bumps_share_of_early(m, asset));
    const double most = bumps_share(m, s, asset, share);
    const bool single = s->precision == LEVY_PRECISION_SINGLE;
    const double least =
        levy_peak_width(m, of.next.time) < 1.0 ? bumps_least_single : bumps_early_single;
    double h = share * bumps_scale(m, asset, of.next);
    if (of.rough && !m->group->known) h = fmin(h, share * bumps_calm(m, asset));
    if (single && h < least) h = least;
    return h < most ? bumps_between(h, bumps_least(s), bumps_most) : most;
}

bool levy_bump_is_restless(const levy_trade *t)
{
    return levy_model_watches(t->model->kind, t->model->terms) != SIZE_MAX;
}

bool levy_bump_is_coarse(const levy_simulation *s, const levy_trade *t)
{
    bool coarse = false;
    for (size_t u = 0; u < t->n_underlyings && t->state != LEVY_TRADE_KNOWN; ++u)
        coarse = coarse || levy_trade_deviation(t, u, t->claim.expiry) < bumps_least_single;
    return coarse && s->precision == LEVY_PRECISION_SINGLE;
}

/* How far today's levels are from deciding otherwise. */
static double bumps_today(const levy_dynamics_plan *m, const levy_trade *t)
{
    double levels[LEVY_MAX_ASSETS];
    levy_bumped_levels(m, 0, t, levels);
    return levy_today_reach(t, levels, bumps_reach * bumps_most);
}

/* The levels on which a decision depends if the law until then is peaked: the levels of its
 * middle. */
static void bumps_middle(const levy_dynamics_plan *m, const levy_trade *t, const levy_asset *asset,
                         double time, double *levels)
{
    levy_bumped_levels(m, 0, t, levels);
    if (t->n_underlyings == 1 && levy_peak_width(m, time) < 1.0)
        levels[0] *= levy_peak_middle(m, asset, time);
}

/* Whether bumps must see an early date although paths are plain. They must if the payoff jumps. If
 * only the law there is peaked, they must for scripts on one asset; else too few paths cross such
 * bumps. */
static bool bumps_sees_dates(const levy_dynamics_plan *m, const levy_trade *t)
{
    if (levy_peak_width(m, m->group->times[0]) < 1.0)
        return (t->kind.scripted || levy_trade_is_discontinuous(t)) && t->n_underlyings == 1;
    return levy_trade_is_discontinuous(t);
}

/* The decision that the value bends most with, in spots of the first underlying. What jumps bends
 * on the scale of an early date if its paths are plain too. */
static levy_decision bumps_next(const levy_dynamics_plan *m, const levy_trade *t)
{
    levy_decision next = {levy_dynamics_expiry(m), INFINITY}, found[LEVY_SCRIPT_BLOCKS],
                  moved[LEVY_SCRIPT_BLOCKS];
    double levels[LEVY_MAX_ASSETS];
    const levy_asset *const asset = levy_trade_asset(m->trade, 0);
    if (m->group->known) return next;
    const levy_decision peak = levy_peak_decision(m, t);
    if (peak.reach < INFINITY) next = peak;
    if (!levy_trade_is_integrated(t) && !bumps_sees_dates(m, t)) return next;
    levy_bumped_levels(m, 0, t, levels);
    const size_t n = levy_today_decisions(t, levels, bumps_farthest, found);
    for (size_t k = 0; k < n; ++k) {
        bumps_middle(m, t, asset, found[k].time, levels);
        if (levy_today_decisions(t, levels, bumps_farthest, moved) == n) found[k] = moved[k];
        if (bumps_scale(m, asset, found[k]) < bumps_scale(m, asset, next)) next = found[k];
    }
    return next;
}

levy_bump_class levy_bump_class_of(const levy_dynamics_plan *m, const levy_simulation *s,
                                   const levy_trade *t)
{
    levy_bump_class of = {levy_trade_is_discontinuous(t), levy_bump_is_restless(t), INFINITY,
                          bumps_next(m, t)};
    const levy_payoff *const kind = levy_payoffs[t->kind.payoff];
    const levy_barrier_terms *const barrier = levy_terms_barrier(kind, t->claim.terms);
    const double today = bumps_today(m, t);
    of.rough = of.rough || t->form == LEVY_FORM_SOFTENED || today == 0.0;
    if (today < INFINITY) {
        of.nearest = today > 0.0 ? today : INFINITY;
        return of;
    }
    if (t->claim.watches != LEVY_WATCHES_ALWAYS || !barrier) return of;
    const levy_asset *const asset = levy_trade_asset(m->trade, 0);
    const double distance = fabs(levy_barrier_distance(barrier, levy_bumped_level(m, 0, t)));
    if (distance > 0.0 && distance < bumps_reach * levy_bump_spot(m, s, of, asset))
        of.nearest = distance;
    return of;
}

/* The share, if it crosses nothing; else as much as keeps away from it. */
static double bumps_apart(const levy_simulation *s, levy_bump_class of, double share)
{
    const double most = of.nearest / bumps_reach;
    return share > most ? bumps_between(most, bumps_least(s), share) : share;
}

double levy_bump_spot(const levy_dynamics_plan *m, const levy_simulation *s, levy_bump_class of,
                      const levy_asset *asset)
{
    return bumps_apart(s, of, bumps_share_of_spot(m, s, of, asset, bumps_spot[of.rough]));
}

double levy_bump_cross(const levy_dynamics_plan *m, const levy_simulation *s, levy_bump_class of,
                       const levy_asset *asset)
{
    const double share = bumps_share_of_spot(m, s, of, asset, bumps_cross[of.rough]);
    return s->gamma_bump > 0.0 ? s->gamma_bump : bumps_apart(s, of, share);
}

/* The volatility that moves a peak by a share of the scale on which the value bends beside it. */
static double bumps_volatility_of_peak(const levy_dynamics_plan *m, levy_bump_class of,
                                       const levy_asset *asset)
{
    const double moved = levy_peak_by_volatility(m, of.next.time);
    if (!(of.next.reach < INFINITY) || moved == 0.0) return INFINITY;
    return bumps_within * bumps_scale(m, asset, of.next) / moved *
           levy_dynamics_deviation(m, asset, 1.0);
}

static double bumps_of_volatility(const levy_dynamics_plan *m, const levy_simulation *s,
                                  levy_bump_class of, const levy_asset *asset, double share)
{
    if (s->volatility_bump > 0.0) return s->volatility_bump;
    const double h = fmin(bumps_share(m, s, asset, share) / levy_sqrt(levy_dynamics_expiry(m)),
                          bumps_volatility_of_peak(m, of, asset));
    return h < bumps_volatility_most ? h : bumps_volatility_most;
}

double levy_bump_volatility(const levy_dynamics_plan *m, const levy_simulation *s,
                            levy_bump_class of, const levy_asset *asset)
{
    const double usual = bumps_volatility[of.rough || of.restless],
                 own = levy_model_kinds[m->trade->model->kind]->bump;
    if (m->group->early) return bumps_of_volatility(m, s, of, asset, 0.5 * bumps_sure);
    return bumps_of_volatility(m, s, of, asset, own > usual ? own : usual);
}

double levy_bump_volga(const levy_dynamics_plan *m, const levy_simulation *s, levy_bump_class of,
                       const levy_asset *asset)
{
    return bumps_of_volatility(m, s, of, asset,
                               bumps_volga[m->group->early ? 2 : of.rough || of.restless]);
}

/* How far a rate may move the logarithm, since the law's peak bends on that scale; INFINITY: it has
 * no peak. */
static double bumps_rate_scale(const levy_dynamics_plan *m, levy_bump_class of)
{
    const levy_asset *const asset = levy_trade_asset(m->trade, 0);
    if (!(of.next.reach < INFINITY) || !(levy_peak_width(m, of.next.time) < 1.0)) return INFINITY;
    return bumps_spot[0] * bumps_scale(m, asset, of.next);
}

/* A bump of the rate moves the logarithm at expiry by the bump times the time to expiry. */
double levy_bump_rate(const levy_dynamics_plan *m, const levy_simulation *s, levy_bump_class of)
{
    const bool rough = of.rough || of.restless;
    double deviation = INFINITY;
    if (s->rate_bump > 0.0) return s->rate_bump;
    for (size_t u = 0; u < m->trade->n_underlyings; ++u) {
        const levy_asset *const asset = levy_trade_asset(m->trade, u);
        const double d = levy_dynamics_deviation(m, asset, levy_dynamics_expiry(m));
        if (d < deviation) deviation = d;
    }
    const bool single = s->precision == LEVY_PRECISION_SINGLE;
    const double least = single ? bumps_rate_least_single : bumps_rate_least_double;
    const double most = single ? bumps_rate_most_single : bumps_rate_most[rough];
    const double share = bumps_rate[rough] * deviation, scale = bumps_rate_scale(m, of);
    const double h =
        bumps_between(share < scale ? share : scale, least, bumps_most) / levy_dynamics_expiry(m);
    return h < most ? h : most;
}

double levy_bump_correlation(const levy_simulation *s, levy_bump_class of)
{
    return s->correlation_bump > 0.0 ? s->correlation_bump
                                     : bumps_correlation[of.rough || of.restless];
}
