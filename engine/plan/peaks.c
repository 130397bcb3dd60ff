/* peaks.c: see peaks.h. */
#include "engine/plan/peaks.h"

#include "engine/plan/bumped.h"
#include "engine/problem/trade_claim.h"
#include "kernels/lane/scalar.h"
#include "models/model.h"
#include "payoffs/scripted.h"

#include <math.h>
#include <string.h>

/* The largest move that is tried, relative, and how many are. */
static const double peaks_most = 0.75;
enum { PEAKS_STEPS = 30 };

/* A random variance's law counts as peaked where its middle is narrower than this share of its
 * deviation. */
static const double peaks_narrow = 0.5;

/* In the order of time: each date is so many times as far away as the one before. */
void levy_peaks_find(levy_dynamics_plan *m)
{
    const levy_model *const model = m->trade->model;
    const levy_model_kind *const kind = levy_model_kinds[model->kind];
    if (!kind->law_middle || m->group->known || m->n_assets > 1) return;
    const double first = m->group->times[0], times = levy_dynamics_expiry(m) / first;
    for (size_t k = 0; k < LEVY_MIDDLES; ++k) {
        const double time = first * levy_exp(levy_log(times) * (double)k / (LEVY_MIDDLES - 1.0));
        m->middles.times[k] = time;
        m->middles.of[k] = kind->law_middle(model->terms, m->trade->underlyings[0], time);
    }
    m->middles.n = LEVY_MIDDLES;
}

static levy_middle peaks_found(const levy_middles *found, double time)
{
    size_t k = 1;
    while (k < found->n - 1 && found->times[k] < time) ++k;
    const levy_middle a = found->of[k - 1], b = found->of[k];
    const double span = found->times[k] - found->times[k - 1],
                 part = span > 0.0 ? fmin((time - found->times[k - 1]) / span, 1.0) : 1.0;
    return (levy_middle){a.at + part * (b.at - a.at), a.width + part * (b.width - a.width)};
}

double levy_peak_width(const levy_dynamics_plan *m, double time)
{
    const levy_model *const model = m->trade->model;
    if (m->middles.n > 0) {
        const levy_asset *const asset = levy_trade_asset(m->trade, 0);
        const double share =
            peaks_found(&m->middles, time).width / levy_dynamics_deviation(m, asset, time);
        return share < peaks_narrow ? share : 1.0;
    }
    return levy_model_peak(model->kind, model->terms, m->trade->underlyings[0], time);
}

double levy_peak_middle(const levy_dynamics_plan *m, const levy_asset *asset, double time)
{
    const levy_model *const model = m->trade->model;
    double at = levy_model_middle(model->kind, model->terms, m->trade->underlyings[0], time);
    if (m->middles.n > 0) at = peaks_found(&m->middles, time).at;
    return levy_exp(levy_dynamics_log_forward(m, 0, asset, time) + at);
}

/* A middle is about a variance times a number. */
double levy_peak_by_volatility(const levy_dynamics_plan *m, double time)
{
    if (m->middles.n == 0 || !(levy_peak_width(m, time) < 1.0)) return 0.0;
    const levy_middle middle = peaks_found(&m->middles, time);
    return 2.0 * fabs(middle.at) + middle.width;
}

/* What is asked: of a trade of one underlying, in today's market. */
typedef struct peaks_path {
    const levy_dynamics_plan *dynamics;
    const levy_trade *trade;
    const levy_asset *asset;
    double today; /* level */
} peaks_path;

static bool peaks_is_peaked(const peaks_path *p, double time)
{
    return levy_peak_width(p->dynamics, time) < 1.0;
}

static double peaks_level(const peaks_path *p, double time)
{
    return p->today * levy_peak_middle(p->dynamics, p->asset, time);
}

/* ---- Scripts ---- */

/* Two paths, the second of which is moved. */
typedef struct peaks_pair {
    double move;
    double states[2][LEVY_SCRIPT_STATES];
} peaks_pair;

/* Runs a block on both at a date of its schedule. Whether they decide alike. */
static bool peaks_run(const peaks_path *p, uint32_t block, size_t number, double time,
                      peaks_pair *pair)
{
    const levy_script_date date = {.number = number,
                                   .time = time,
                                   .worth = 1.0,
                                   .due = 1.0,
                                   .ends = 1.0,
                                   .weights = &p->today};
    const double level = time > 0.0 ? peaks_level(p, time) : p->today,
                 moved = level * (1.0 + pair->move);
    return levy_scripted_run(p->trade->kind.scripted, block, &date, &level, pair->states[0]) ==
           levy_scripted_run(p->trade->kind.scripted, block, &date, &moved, pair->states[1]);
}

static const levy_script_block *peaks_blocks(const peaks_path *p)
{
    return LEVY_SCRIPT_PROGRAM_BLOCKS(p->trade->kind.scripted->script.program);
}

/* Runs all blocks that have a date at a time. done: [schedule], the dates before it. */
static bool peaks_run_date(const peaks_path *p, double time, const size_t *done, peaks_pair *pair)
{
    const levy_scripted *const s = p->trade->kind.scripted;
    bool alike = true;
    for (uint32_t k = 0; k < s->script.program->n_blocks; ++k) {
        const uint32_t schedule = peaks_blocks(p)[k].schedule;
        const levy_script_dates *const dates = &s->dates[schedule];
        const levy_times times = levy_trade_schedule(p->trade, schedule);
        const size_t next = done[schedule];
        const bool now =
            time > 0.0 ? next < times.n && times.times[next] == time : dates->has_today;
        if (now) {
            const size_t past = dates->n_past + (time > 0.0 && dates->has_today ? 1 : 0);
            alike = peaks_run(p, k, past + next, time, pair) && alike;
        }
    }
    return alike;
}

/* The next date of any schedule; done: [schedule], those before it, which gets this one too. */
static double peaks_next(const peaks_path *p, const size_t *done)
{
    double time = INFINITY;
    for (uint32_t k = 0; k <= p->trade->kind.n_further; ++k) {
        const levy_times times = levy_trade_schedule(p->trade, k);
        if (done[k] < times.n) time = fmin(time, times.times[done[k]]);
    }
    return time;
}

/* The first date with a peak on which a path so far from the middles decides otherwise; *pays: what
 * it pays in the end, NULL: it is not asked. */
static double peaks_part(const peaks_path *p, double move, double *pays)
{
    const levy_scripted *const s = p->trade->kind.scripted;
    const size_t n = s->script.program->n_states;
    size_t done[LEVY_SCRIPT_BLOCKS] = {0};
    peaks_pair pair = {.move = move};
    double time;
    for (int i = 0; i < 2; ++i) memcpy(pair.states[i], s->states, n * sizeof *s->states);
    peaks_run_date(p, 0.0, done, &pair);
    while ((time = peaks_next(p, done)) < INFINITY) {
        if (!peaks_run_date(p, time, done, &pair) && !pays && peaks_is_peaked(p, time)) return time;
        for (uint32_t k = 0; k <= p->trade->kind.n_further; ++k) {
            const levy_times times = levy_trade_schedule(p->trade, k);
            done[k] += done[k] < times.n && times.times[done[k]] == time;
        }
    }
    if (pays) *pays = pair.states[1][s->settles];
    return INFINITY;
}

/* Whether a path so far from the middles decides otherwise; *time gets the first such date. */
static bool peaks_parts(const peaks_path *p, double move, double *time)
{
    const double first = fmin(peaks_part(p, move, NULL), peaks_part(p, -move, NULL));
    if (first < INFINITY) *time = first;
    return first < INFINITY;
}

/* To a fifteenth of itself, or 0. */
static levy_decision peaks_script(const peaks_path *p)
{
    double time = INFINITY, low = 0.0, high = peaks_most;
    if (!peaks_parts(p, high, &time)) return (levy_decision){INFINITY, INFINITY};
    for (int k = 0; k < PEAKS_STEPS && high - low > high / 15.0; ++k) {
        const double middle = 0.5 * (low + high);
        if (peaks_parts(p, middle, &time))
            high = middle;
        else
            low = middle;
    }
    return (levy_decision){time, low};
}

/* ---- Other payoffs ---- */

/* By what the levels to come must be multiplied for their mean to be a strike, or the last one. */
static double peaks_multiple(const peaks_path *p, double strike)
{
    const levy_trade_claim *const c = &p->trade->claim;
    const levy_times dates = c->observations;
    const double now = c->observes_now ? 1.0 : 0.0;
    double sum = 0.0;
    if (!(levy_payoffs[p->trade->kind.payoff]->features & LEVY_PAYOFF_AVERAGES) || dates.n == 0)
        return strike / peaks_level(p, c->expiry);
    for (size_t i = 0; i < dates.n; ++i) sum += peaks_level(p, dates.times[i]);
    return ((double)(c->past.n + dates.n) * strike + now * (strike - p->today) - c->past.sum) / sum;
}

static void peaks_nearer(const peaks_path *p, double time, double multiple, levy_decision *found)
{
    const double reach = multiple > 0.0 ? fabs(levy_log(multiple)) : INFINITY;
    if (reach < found->reach && peaks_is_peaked(p, time)) *found = (levy_decision){time, reach};
}

static levy_decision peaks_built_in(const peaks_path *p)
{
    const levy_trade *const t = p->trade;
    const levy_edges edges = levy_trade_edges(t);
    const levy_times dates = t->claim.observations;
    levy_decision found = {INFINITY, INFINITY};
    if (t->claim.terms->strike > 0.0)
        peaks_nearer(p, t->claim.expiry, peaks_multiple(p, t->claim.terms->strike), &found);
    for (size_t i = 0; i < edges.n; ++i)
        for (size_t k = 0; k < dates.n && edges.each[i].of == LEVY_EDGE_TOUCH; ++k)
            peaks_nearer(p, dates.times[k], edges.each[i].level / peaks_level(p, dates.times[k]),
                         &found);
    return found;
}

static peaks_path peaks_of(const levy_dynamics_plan *m, const levy_trade *t)
{
    return (peaks_path){m, t, levy_trade_asset(m->trade, 0), levy_bumped_level(m, 0, t)};
}

/* Trades beside a law that is found share bumps: the reach is a power of 4 widths, or 0. */
static levy_decision peaks_shared(const levy_dynamics_plan *m, levy_decision next)
{
    if (m->middles.n == 0 || !(next.reach < INFINITY)) return next;
    const double width = peaks_found(&m->middles, next.time).width;
    double reach = next.reach < width ? 0.0 : width;
    while (reach > 0.0 && 4.0 * reach <= next.reach) reach *= 4.0;
    return (levy_decision){next.time, reach};
}

levy_decision levy_peak_decision(const levy_dynamics_plan *m, const levy_trade *t)
{
    const peaks_path path = peaks_of(m, t);
    if (t->n_underlyings > 1 || m->group->known || !(path.today > 0.0) ||
        !(peaks_is_peaked(&path, m->group->times[0]) ||
          peaks_is_peaked(&path, levy_dynamics_expiry(m))))
        return (levy_decision){INFINITY, INFINITY};
    return peaks_shared(m, t->kind.scripted ? peaks_script(&path) : peaks_built_in(&path));
}

/* ---- Little clocks ---- */

/* What is paid before the edge and beyond it, on two paths each, says what it does. */
static void peaks_measure(const peaks_path *p, double reach, levy_peak_edge *edge)
{
    const double step = reach / 8.0;
    double pays[4];
    for (int k = 0; k < 4; ++k)
        peaks_part(p, edge->side * (reach + step * (k < 2 ? k - 2 : k - 1)), &pays[k]);
    edge->jump = pays[2] - (pays[3] - pays[2]) - (pays[1] + (pays[1] - pays[0]));
    edge->bend = (pays[3] - pays[2] - (pays[1] - pays[0])) / step;
}

levy_peak_edge levy_peak_edge_of(const levy_dynamics_plan *m, const levy_trade *t)
{
    const levy_model_kind *const kind = levy_model_kinds[m->trade->model->kind];
    levy_peak_edge edge = {0};
    if (!kind->least || !t->kind.scripted || !levy_trade_is_integrated(t)) return edge;
    const peaks_path path = peaks_of(m, t);
    const levy_decision next = levy_peak_decision(m, t);
    if (!(next.reach > 0.0 && next.reach < INFINITY)) return edge;
    const double reach = 1.04 * next.reach; /* the middle of where it is */
    edge.side = peaks_part(&path, 1.1 * reach, NULL) < INFINITY ? 1.0 : -1.0;
    edge.distance = fabs(levy_log(1.0 + edge.side * reach));
    edge.time = next.time;
    peaks_measure(&path, reach, &edge);
    return edge;
}

double levy_peak_little(const levy_dynamics_plan *m, const levy_peak_edge *edge, double share,
                        double moved)
{
    const levy_model *const model = m->trade->model;
    const double deviation = levy_model_kinds[model->kind]->least(
                     model->terms, m->trade->underlyings[0], edge->time, share),
                 beyond = edge->side * moved - edge->distance, z = beyond / deviation;
    const double chance = levy_normal_cdf(z), density = 0.3989422804014327 * levy_exp(-0.5 * z * z);
    return edge->jump * chance + edge->bend * deviation * (z * chance + density);
}
