/* smoothing.c: see smoothing.h. On a path each logarithm is a + b z in the first normal z, if the
 * model adds nothing that depends on z; and a condition is a half-line of z, if b is positive
 * (kernels: payoffs/integral.h). A single asset's b is, as its one driver moves it upward. */
#include "engine/problem/smoothing.h"

#include "engine/problem/trade_form.h"
#include "engine/script/integrate.h"
#include "engine/script/soften.h"
#include "kernels/lane/scalar.h"
#include "kernels/path/image.h"
#include "models/model.h"
#include "payoffs/scripted.h"

#include <math.h>

/* The variance of an underlying's logarithm until expiry, of a path on which it is large. */
static double smoothing_variance(const levy_trade *trade, size_t u)
{
    const levy_model *const model = trade->model;
    const double own = levy_trade_deviation(trade, u, trade->claim.expiry),
                 most = own * levy_model_rise(model->kind, model->terms, trade->underlyings[u],
                                              own / levy_sqrt(trade->claim.expiry));
    const bool by_path = levy_model_features(model->kind, model->terms) & LEVY_MODEL_DRIVEN ||
                         levy_model_kinds[model->kind]->varies;
    return (by_path ? 4.0 : 1.0) * most * most;
}

/* Whether a level's logarithm leaves the range of exp, which ends at 708, in single precision at
 * 88, where no normal has moved it, or e^(b^2 / 2) does. There a path shows a level that is none of
 * a + b z. */
static bool smoothing_leaves_range(const levy_simulation *s, const levy_trade *trade)
{
    const double most =
        s->precision == LEVY_PRECISION_SINGLE ? 70.0 : 600.0; /* the range that bumps stay in */
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        if (0.5 * smoothing_variance(trade, u) > most) return true;
    return false;
}

/* More than a correlation's bump by the rule, and than its probe. */
static const double smoothing_least = 0.03;
static const char smoothing_turned[] =
    "simulation.bumps.correlation may turn a correlation negative";

/* The correlation of two of a model's factors at a time: the underlyings, and behind them the
 * variances that have drivers of their own. */
static double smoothing_pair(const levy_trade *trade, size_t piece, double time, size_t x, size_t y)
{
    const levy_model *const model = trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const size_t n = trade->n_underlyings, u = trade->underlyings[x % n],
                 w = trade->underlyings[y % n];
    if (x == y) return 1.0;
    if (levy_correlation_has_variances(&model->correlation))
        return levy_correlation_whole(&model->correlation, piece, u + (x / n) * model->n_assets,
                                      w + (y / n) * model->n_assets);
    return (x < n ? 1.0 : kind->correlation(model->terms, u, 0, time)) *
           (y < n ? 1.0 : kind->correlation(model->terms, w, 0, time)) *
           (u == w ? 1.0 : levy_correlation_of(&model->correlation, piece, u, w));
}

/* The covariance of the underlyings at a time of a piece, in the first n rows; of variances with
 * drivers of their own, what these leave of it. m: n, or 2 n with such variances; left: [m][m] */
static void smoothing_leave(const levy_trade *trade, size_t piece, double time, size_t m,
                            double *left)
{
    for (size_t x = 0; x < m; ++x)
        for (size_t y = 0; y < m; ++y) left[x * m + y] = smoothing_pair(trade, piece, time, x, y);
    for (size_t j = m; j-- > trade->n_underlyings;)
        for (size_t x = 0; x < j && left[j * m + j] > 1e-12; ++x) {
            const double share = left[x * m + j] / left[j * m + j];
            for (size_t y = 0; y < j; ++y) left[x * m + y] -= share * left[j * m + y];
        }
}

/* Where the variances' draws leave less than this share of an asset, it is not worth it, and a bump
 * of their correlation may leave nothing. */
static const double smoothing_least_left = 0.02;

static const char smoothing_apart[] = "two of its underlyings are negatively or hardly correlated",
                  smoothing_moved[] = "the variance's draws move all of an underlying";

/* The same at one time. left: smoothing_leave's */
static const char *smoothing_moves_then(size_t n, size_t m, double least, const double *left)
{
    for (size_t u = 0; u < n; ++u) {
        const double own = left[u * m + u];
        if (!(own >= smoothing_least_left)) return smoothing_moved;
        for (size_t w = 0; w < u; ++w)
            if (!(left[u * m + w] >= least * levy_sqrt(own * left[w * m + w])))
                return smoothing_apart;
    }
    return NULL;
}

/* Whether underlyings, of which some are products, are so correlated wherever it changes. */
static const char *smoothing_products(const levy_trade *trade, double least)
{
    const levy_correlation *const c = &trade->model->correlation;
    const uint32_t *const at = trade->underlyings;
    const levy_moved today = {.n_shifts = 0};
    const size_t n = trade->n_underlyings;
    double next = 0.0;
    for (double t = 0.0; t < trade->claim.expiry; t = next) {
        next = levy_correlation_break(c, trade->model->assets, at, n, t, trade->claim.expiry);
        for (size_t u = 0; u < n; ++u)
            for (size_t w = 0; w < u; ++w) {
                const levy_modelled a = {levy_trade_asset(trade, u), levy_trade_asset(trade, u),
                                         at[u]},
                                    b = {levy_trade_asset(trade, w), levy_trade_asset(trade, w),
                                         at[w]};
                const double each = levy_moved_covariance(&today, c, a, a, t, next) *
                                    levy_moved_covariance(&today, c, b, b, t, next);
                if (!(levy_moved_covariance(&today, c, a, b, t, next) >= least * levy_sqrt(each)))
                    return smoothing_apart;
            }
    }
    return NULL;
}

/* Why not all underlyings move the same way with the largest principal component, also after a
 * correlation moves by up to `least`, and by enough; NULL: they do. They do if no correlation is
 * negative (Perron and Frobenius). */
static const char *smoothing_moves_alike(levy_check *build, const levy_trade *trade, double least)
{
    const levy_model_kind *const kind = levy_model_drawn(trade->model->kind, true);
    const levy_model_terms *const terms = trade->model->terms;
    const size_t n = trade->n_underlyings, m = levy_model_has_variances(kind) ? 2 * n : n,
                 pieces = levy_correlation_pieces(&trade->model->correlation);
    const char *why = NULL;
    levy_arena scratch;
    /* the component of all intervals may lower an asset in some, which paths weigh differently */
    if (m > n && n > 1 && (pieces > 1 || levy_model_break(kind, terms, SIZE_MAX, 0.0) < INFINITY))
        return "its underlyings' correlations or variances change with the term";
    for (size_t u = 0; u < n; ++u)
        if (levy_trade_asset(trade, u)->quanto.composite) return smoothing_products(trade, least);
    levy_arena_init(&scratch, build->arena->memory);
    double *const left = levy_arena_allocate(&scratch, m * m, sizeof *left);
    build->out_of_memory = build->out_of_memory || !left;
    for (size_t k = 0; k < pieces; ++k)
        for (double time = 0.0; left && !why && time < INFINITY;) {
            time = m > n ? levy_model_break(kind, terms, SIZE_MAX, time) : INFINITY;
            smoothing_leave(trade, k, time, m, left);
            why = smoothing_moves_then(n, m, least, left);
        }
    levy_arena_release(&scratch);
    return why;
}

/* Integrates a script, or says why it cannot. by_path: loadings differ from path to path. */
static const char *smoothing_script(levy_check *build, const levy_simulation *simulation,
                                    bool by_path, levy_script_cash cash, levy_scripted *s)
{
    /* a count makes so many segments that its Greeks do not repay their time */
    const size_t counted = simulation->smoothing == LEVY_SMOOTHING_ALL ? 64 : 0;
    size_t dates[LEVY_SCRIPT_BLOCKS];
    for (size_t k = 0; k < LEVY_SCRIPT_BLOCKS; ++k) dates[k] = s->dates[k].n - s->dates[k].n_past;
    const char *why;
    why = levy_script_integrate(&s->script, dates, counted, by_path, cash, build->arena,
                                &s->integrated);
    if (why) return why;
    build->out_of_memory = build->out_of_memory || !s->integrated.program;
    return NULL;
}

/* Whether the kind's own lanes integrate it. They take one underlying, whose loadings the market
 * gives. */
static bool smoothing_is_own(const levy_trade *trade, bool by_path)
{
    const levy_payoff *const payoff = levy_payoffs[trade->kind.payoff];
    return trade->n_underlyings == 1 && !by_path && !levy_trade_pays_cash(trade) &&
           payoff->integrates && payoff->integrates(trade->claim.terms) &&
           (!payoff->reach || levy_trade_deviation(trade, 0, trade->claim.expiry) <=
                                  payoff->reach(trade->claim.terms));
}

/* The dividends of the trade as a script of that kind. */
static levy_script_cash smoothing_cash(const levy_trade *trade, const levy_trade_kind *kind)
{
    return (levy_script_cash){.added = levy_trade_adds_cash(trade),
                              .schedule = (uint32_t)kind->n_further + 1,
                              .n_dates = levy_trade_ex_dates(trade).n};
}

/* Integrates the trade by its lanes or as a script, or says why it cannot. *form: the form that it
 * then takes. */
static const char *smoothing_form(levy_check *build, const levy_simulation *s, bool by_path,
                                  levy_trade *trade, levy_trade_form *form)
{
    *form = LEVY_FORM_INTEGRATED;
    if (trade->kind.scripted)
        return smoothing_script(build, s, by_path, smoothing_cash(trade, &trade->kind),
                                trade->kind.scripted);
    if (smoothing_is_own(trade, by_path)) return NULL;
    const char *const why = levy_trade_find_script(build, trade);
    if (why || !trade->other.scripted) return why;
    *form = LEVY_FORM_SCRIPT;
    return smoothing_script(build, s, by_path, smoothing_cash(trade, &trade->other),
                            trade->other.scripted);
}

/* Above this chance of the floor at 0 under cash dividends a trade keeps to plain paths, which
 * report it. */
static const double smoothing_most_floored = 1e-9;

/* Why dividends that are taken off the spot let no payoff be integrated; NULL: they may. */
static const char *smoothing_falls(const levy_trade *trade)
{
    if (trade->n_underlyings > 1) return "an underlying pays cash dividends by rule spot";
    if (!levy_trade_is_lognormal(trade) || levy_trade_asset(trade, 0)->quanto.composite)
        return "the asset pays cash dividends by rule spot, and is not lognormal between them";
    if (trade->kind.n_further + 2 > LEVY_PAYOFF_SCHEDULES)
        return "the asset pays cash dividends by rule spot beside too many schedules";
    if (levy_trade_meets_floor(trade, smoothing_most_floored))
        return "cash dividends by rule spot may take the asset to 0";
    return NULL;
}

/* Says in a phrase why the model and the market let no payoff be integrated; NULL: they may. */
static const char *smoothing_market(levy_check *build, const levy_simulation *s,
                                    const levy_trade *trade, uint32_t features)
{
    if (features & ~LEVY_MODEL_JUMPS && !(features & LEVY_MODEL_SLOPES))
        return "the model's returns are not linear in its drivers";
    if (levy_trade_pays_cash(trade) && !levy_trade_adds_cash(trade) && smoothing_falls(trade))
        return smoothing_falls(trade);
    if (smoothing_leaves_range(s, trade))
        return "volatility takes the level out of the range of numbers";
    if (features & LEVY_MODEL_DRIVEN && trade->n_underlyings > 1) return smoothing_apart;
    const char *const why = smoothing_moves_alike(build, trade, smoothing_least);
    if (why) return why;
    /* a probe may move as far as twice the bump */
    return smoothing_moves_alike(build, trade, 2.0 * s->correlation_bump) ? smoothing_turned : NULL;
}

/* The first date on which a level decides or is read. */
static double smoothing_first(const levy_trade *trade)
{
    double first = trade->claim.expiry;
    for (uint32_t k = 0; k <= trade->kind.n_further; ++k) {
        const levy_times dates = levy_trade_schedule(trade, k);
        if (dates.n > 0 && dates.times[0] < first) first = dates.times[0];
    }
    return first;
}

/* Below this share of its deviation a law's middle is a peak. */
static const double smoothing_peaked = 0.5;

/* Whether the law is so narrow in the middle that differences would hardly see it. What jumps looks
 * at the law of the first date, other payoffs at that of expiry. */
static bool smoothing_is_peaked(const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const double time = levy_trade_jumps(trade) ? smoothing_first(trade) : trade->claim.expiry;
    return trade->state != LEVY_TRADE_KNOWN && trade->n_underlyings == 1 &&
           levy_model_peak(model->kind, model->terms, trade->underlyings[0], time) <
               smoothing_peaked;
}

/* Above this deviation, as a multiple of the mean, a variance at expiry is so random that the
 * normal is a small part of what there is to integrate. Error squared times time, plain over
 * integrated, of prices of digitals, barriers, touches and an autocallable, by the
 * deviation: 1.2 2.5 to 15, 2 2.2 to 5, 2.7 0.7 to 6, 4 0.4 to 2.8. */
static const double smoothing_most_random = 3.0;

static bool smoothing_is_random(const levy_trade *trade)
{
    const levy_model *const model = trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    const double time = trade->claim.expiry;
    bool is_random = false;
    for (size_t u = 0; kind->variability && u < trade->n_underlyings; ++u) {
        const double deviates = kind->variability(model->terms, trade->underlyings[u], time);
        is_random = is_random || !(deviates <= smoothing_most_random);
    }
    return is_random;
}

/* Whether `auto` integrates it: it does so if the payoff jumps or the law is peaked. A model that
 * draws integrated trades in another way is left alone unless the law is peaked. */
static bool smoothing_is_due(const levy_trade *trade)
{
    if (smoothing_is_peaked(trade)) return true;
    return levy_trade_jumps(trade) && !levy_model_kinds[trade->model->kind]->linear &&
           !smoothing_is_random(trade);
}

/* Says in a phrase why the trade cannot be integrated; NULL: it can, in *form. */
static const char *smoothing_obstacle(levy_check *build, const levy_simulation *s,
                                      levy_trade *trade, levy_trade_form *form)
{
    const levy_payoff *const payoff = levy_payoffs[trade->kind.payoff];
    const uint32_t features =
        levy_model_drawn_features(levy_model_drawn(trade->model->kind, true), trade->model->terms);
    if (trade->state == LEVY_TRADE_KNOWN) return "the payment is known";
    if (trade->n_rates > 0) return "the rate of exchange is simulated";
    if (trade->stage) return "it is fitted to levels of plain paths";
    if (levy_trade_is_continuous(trade)) return "the level is watched at all times";
    if (payoff->features & LEVY_PAYOFF_AVERAGES && trade->claim.observations.n == 0)
        return "the average is known";
    const char *const why = smoothing_market(build, s, trade, features);
    return why ? why : smoothing_form(build, s, features & LEVY_MODEL_SLOPES, trade, form);
}

/* Lets the comparisons of a script that jumps change over a width. Returns why that cannot be, or
 * NULL. */
static const char *smoothing_soften(levy_check *build, const levy_simulation *s,
                                    const levy_trade *trade)
{
    if (s->width == 0.0 || !levy_trade_jumps(trade) || trade->state == LEVY_TRADE_KNOWN)
        return NULL;
    if (trade->stage) return "not smoothed: a rule that is fitted first decides at a point";
    if (!trade->kind.scripted) return "not smoothed: only scripts compare over a width";
    const char *const why = levy_script_soften(&trade->kind.scripted->script, s->width,
                                               build->arena, &trade->kind.scripted->soft);
    if (why) return levy_check_text(build, "not smoothed: %s", why);
    build->out_of_memory = build->out_of_memory || !trade->kind.scripted->soft.program;
    return NULL;
}

void levy_trade_smooth(levy_check *build, const levy_simulation *s, levy_trade *trade)
{
    const bool all = s->smoothing == LEVY_SMOOTHING_ALL,
               asks = all || (s->smoothing == LEVY_SMOOTHING_AUTO && smoothing_is_due(trade));
    levy_trade_form form = LEVY_FORM_WRITTEN;
    const char *const obstacle = asks ? smoothing_obstacle(build, s, trade, &form) : NULL,
                      *const hard = smoothing_soften(build, s, trade);
    trade->integrates_as = obstacle ? LEVY_FORM_WRITTEN : form;
    levy_trade_integrate(s, trade);
    if (trade->form != LEVY_FORM_WRITTEN || trade->state == LEVY_TRADE_KNOWN) return;
    trade->unsmoothed = hard;
    if (all || obstacle == smoothing_turned)
        trade->unsmoothed =
            obstacle ? levy_check_text(build, "not smoothed: %s", obstacle)
                     : "not smoothed: no draw of construction incremental moves all dates";
}

void levy_trade_integrate(const levy_simulation *s, levy_trade *trade)
{
    const bool draws = !trade->stage && s->construction != LEVY_CONSTRUCTION_INCREMENTAL &&
                       s->smoothing != LEVY_SMOOTHING_NONE;
    levy_trade_take_form(trade, draws ? trade->integrates_as : LEVY_FORM_WRITTEN);
    if (trade->form == LEVY_FORM_WRITTEN && trade->kind.scripted && !trade->stage &&
        trade->kind.scripted->soft.program)
        trade->form = LEVY_FORM_SOFTENED;
}
