/* grid.c: see grid.h. Nodes are ordered from the money outwards: y ascends where the option loses,
 * so that puts and calls are eliminated alike. */
#include "engine/exercise/grid.h"

#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

/* The grid reaches so many deviations, from the way of the spot too, and how much farther at most;
 * and how its nodes gather at the strike. */
static const double grid_reach = 5.0, grid_near = 4.0, grid_farthest = 20.0, grid_gather = 2.0;
static const double grid_sinh = 3.626860407847019; /* of the latter */
/* A step's inner date, where both its stages have one matrix: 2 - sqrt(2). */
static const double grid_gamma = 0.5857864376269049;
enum { GRID_STEPS = 5, GRID_LEAST = 2, GRID_POLICIES = 20, GRID_TOGETHER = 7 };

typedef struct grid_row {
    double low, high;  /* weights of the neighbours in a second derivative */
    double fall, rise; /* and in a first one */
} grid_row;

/* One level. */
typedef struct grid_work {
    const levy_exercise_claim *claim;
    int n;       /* intervals */
    double side; /* x = side y */
    bool aside;  /* the region of exercise begins at node 0 */
    double y[LEVY_GRID_NODES + 1], spot[LEVY_GRID_NODES + 1], paid[LEVY_GRID_NODES + 1];
    grid_row rows[LEVY_GRID_NODES + 1];
    double low[LEVY_GRID_NODES + 1], high[LEVY_GRID_NODES + 1], pivot[LEVY_GRID_NODES + 1];
    double share[LEVY_GRID_NODES + 1]; /* of the row after, that elimination takes off */
    double back[LEVY_GRID_NODES + 1];  /* of the value before, likewise */
    double own[LEVY_GRID_NODES + 1];   /* the matrix's diagonal */
    double least[LEVY_GRID_NODES + 1]; /* what a value is at least between dates */
    double *value, worthless;
    levy_exercise_levels *levels; /* NULL: nobody asks */
} grid_work;

/* ---- Nodes ---- */

static double grid_arsinh(double x) { return levy_log(x + levy_sqrt(x * x + 1.0)); }

/* How far it goes on average to the side where it is exercised, with `near` beyond. */
static double grid_way(const levy_exercise_claim *claim, double spot, double near)
{
    double farthest = claim->sign * levy_log(spot / claim->strike);
    for (size_t k = 0; k < claim->n; ++k) {
        const levy_exercise_span *const span = &claim->spans[k];
        spot *= levy_exp(span->growth);
        farthest = fmax(farthest, claim->sign * levy_log(spot / claim->strike));
        spot = fmax(span->kept * spot - span->cash, 1e-3 * spot);
        farthest = fmax(farthest, claim->sign * levy_log(spot / claim->strike));
    }
    return farthest + near;
}

static void grid_plan_nodes(levy_exercise_claim *claim, double spot)
{
    double variance = 0.0, drift = 0.0, farthest = 0.0, cash = 0.0, kept = 0.0;
    for (size_t k = 0; k < claim->n; ++k) {
        const levy_exercise_span *const span = &claim->spans[k];
        variance += span->variance;
        drift += span->growth;
        farthest = fmax(farthest, fabs(drift));
        cash += span->cash;
        kept -= levy_log(span->kept);
    }
    const double deviation = levy_sqrt(variance),
                 width = grid_reach * deviation + farthest + kept +
                         levy_log(1.0 + cash / claim->strike),
                 way = grid_way(claim, spot, grid_near * deviation),
                 wider = fmin(ceil(fmax(2.0 * way / width, 2.0)) / 2.0, grid_farthest);
    claim->unit = 0.5 * width / grid_sinh;
    claim->gather = wider > 1.0 ? grid_arsinh(wider * grid_sinh) : grid_gather;
}

static void grid_rows(grid_work *w)
{
    for (int i = 0; i <= w->n; ++i) {
        const double before = i > 0 ? w->side * (w->y[i] - w->y[i - 1]) : 0.0,
                     after = i < w->n ? w->side * (w->y[i + 1] - w->y[i]) : 0.0,
                     both = before + after;
        w->rows[i] = (grid_row){0.0, 0.0, 0.0, 0.0};
        if (i == 0) /* prices are linear in the spot beyond the ends */
            w->rows[i].rise = 1.0 / (w->spot[1] / w->spot[0] - 1.0);
        else if (i == w->n)
            w->rows[i].fall = 1.0 / (w->spot[i - 1] / w->spot[i] - 1.0);
        else
            w->rows[i] = (grid_row){2.0 / (before * both), 2.0 / (after * both),
                                    -after / (before * both), before / (after * both)};
    }
}

/* Whether it never pays to hold what is deeper in the money than what is exercised. */
static bool grid_is_aside(const levy_exercise_claim *claim)
{
    bool aside = true;
    for (size_t k = 0; k < claim->n; ++k) {
        const levy_exercise_span *const span = &claim->spans[k];
        aside = aside && (claim->sign < 0 ? span->rate >= 0.0 : span->rate >= span->growth) &&
                span->cash >= 0.0;
    }
    return aside;
}

static void grid_start(const levy_exercise_claim *claim, levy_exercise_grid *grid, int level,
                       grid_work *w)
{
    const int stride = 1 << (LEVY_GRID_LEVELS - 1 - level);
    w->claim = claim;
    w->n = LEVY_GRID_NODES / stride;
    w->side = -claim->sign;
    w->aside = grid_is_aside(claim);
    w->value = grid->value[level];
    w->worthless = claim->sign < 0 ? 1.0 : 0.0;
    w->levels = NULL;
    for (int i = 0; i <= w->n; ++i) {
        w->y[i] = grid->log[i * stride];
        w->spot[i] = levy_exp(w->side * w->y[i]);
        w->paid[i] = fmax(claim->sign * (w->spot[i] - 1.0), 0.0);
        w->value[i] = w->paid[i];
        w->least[i] = claim->american ? w->paid[i] : -INFINITY;
    }
    w->back[0] = 0.0;
    grid_rows(w);
}

/* ---- A step ---- */

/* The matrix of both stages: 1 less gamma / 2 of the generator; what is kept is that share of it.
 */
static void grid_matrix(grid_work *w, double rate, double growth, double variance)
{
    const double half = 0.5 * grid_gamma, drift = growth - 0.5 * variance;
    for (int i = 0; i <= w->n; ++i) {
        const grid_row *const r = &w->rows[i];
        const double moves = i == 0 || i == w->n ? growth : drift;
        w->low[i] = -half * (0.5 * variance * r->low + moves * r->fall);
        w->high[i] = -half * (0.5 * variance * r->high + moves * r->rise);
        w->own[i] = 1.0 + half * rate - w->low[i] - w->high[i];
    }
}

/* A pivot is a quotient of two determinants, of the rows behind a node without and with its own.
 * They follow from each other without a division, which would wait for the one before. So few
 * together neither overflow nor vanish. */
static void grid_factor(grid_work *w)
{
    w->pivot[w->n] = 1.0 / w->own[w->n];
    for (int i = w->n - 1; i >= 0;) {
        double without = 1.0, before = w->pivot[i + 1];
        for (const int end = i > GRID_TOGETHER ? i - GRID_TOGETHER : 0; i >= end; --i) {
            const double with = w->own[i] * without - w->high[i] * w->low[i + 1] * before;
            w->pivot[i] = without / with;
            before = without;
            without = with;
        }
    }
    for (int i = 0; i < w->n; ++i) w->share[i] = w->high[i] * w->pivot[i + 1];
    for (int i = 1; i <= w->n; ++i) w->back[i] = w->low[i] * w->pivot[i];
}

/* Solves towards the money, and exercises on the way back. */
static void grid_eliminate(const grid_work *w, double *right, double *x)
{
    double last = right[w->n];
    for (int i = w->n - 1; i >= 0; --i) right[i] = last = right[i] - w->share[i] * last;
    for (int i = 0; i <= w->n; ++i) right[i] *= w->pivot[i];
    last = 0.0;
    for (int i = 0; i <= w->n; ++i) {
        last = right[i] - w->back[i] * last;
        if (last < w->least[i]) last = w->least[i]; /* predicted: one region is exercised */
        x[i] = last;
    }
}

/* The neighbours' part of a row. */
static double grid_sides(const grid_work *w, const double *x, int i)
{
    const double before = i > 0 ? w->low[i] * x[i - 1] : 0.0;
    return i < w->n ? before + w->high[i] * x[i + 1] : before;
}

/* Solves where a known set of nodes is exercised, until the set stays. */
static void grid_iterate(grid_work *w, const double *right, double *x)
{
    bool held[LEVY_GRID_NODES + 1], stays = false;
    double pivot[LEVY_GRID_NODES + 1], r[LEVY_GRID_NODES + 1];
    for (int i = 0; i <= w->n; ++i) held[i] = x[i] > w->paid[i];
    for (int round = 0; round < GRID_POLICIES && !stays; ++round) {
        for (int i = w->n; i >= 0; --i) {
            const double share = i < w->n && held[i] ? w->high[i] * pivot[i + 1] : 0.0;
            const double own = held[i] ? w->own[i] : 1.0,
                         low = i < w->n && held[i + 1] ? w->low[i + 1] : 0.0;
            r[i] = held[i] ? right[i] : w->paid[i];
            if (i < w->n) r[i] -= share * r[i + 1];
            pivot[i] = 1.0 / (own - share * low);
        }
        for (int i = 0; i <= w->n; ++i)
            x[i] = pivot[i] * (r[i] - (i && held[i] ? w->low[i] * x[i - 1] : 0.0));
        stays = true;
        for (int i = 0; i <= w->n; ++i) {
            const double left = right[i] - w->own[i] * x[i] - grid_sides(w, x, i);
            const bool holds = held[i] ? x[i] >= w->paid[i] : left > 0.0;
            stays = stays && holds == held[i];
            held[i] = holds;
        }
    }
}

static void grid_stage(grid_work *w, double *right, double *x)
{
    if (w->aside || !w->claim->american)
        grid_eliminate(w, right, x);
    else
        grid_iterate(w, right, x);
}

static void grid_step(grid_work *w, double rate, double growth, double variance)
{
    double right[LEVY_GRID_NODES + 1], inner[LEVY_GRID_NODES + 1];
    const double *const v = w->value;
    const double rest = 1.0 - grid_gamma, whole = grid_gamma * (1.0 + rest);
    grid_matrix(w, rate, growth, variance);
    grid_factor(w);
    for (int i = 0; i <= w->n; ++i) right[i] = (2.0 - w->own[i]) * v[i] - grid_sides(w, v, i);
    memcpy(inner, v, sizeof inner);
    grid_stage(w, right, inner);
    for (int i = 0; i <= w->n; ++i) right[i] = (inner[i] - rest * rest * v[i]) / whole;
    grid_stage(w, right, w->value);
    w->worthless *= levy_exp(-rate);
    if (w->claim->american && w->claim->sign < 0) w->worthless = fmax(w->worthless, 1.0);
}

/* ---- Dates ---- */

/* The interval in which `at` lies, by the inverse of what spaces the nodes. */
static int grid_cell(const levy_exercise_claim *claim, const double *y, int n, double at)
{
    const double angle = grid_arsinh(fabs(at) / (2.0 * claim->unit)) / claim->gather,
                 place = 0.5 * n * (at < 0.0 ? 1.0 - angle : 1.0 + angle);
    int low = place < n - 1 ? (int)fmax(place, 0.0) : n - 1;
    while (low > 0 && y[low] > at) --low;
    while (low < n - 1 && y[low + 1] <= at) ++low;
    return low;
}

/* By Lagrange's formula over `points` nodes about a cell. */
static double grid_between(const double *y, const double *value, int n, int points, int cell,
                           double at)
{
    int first = cell - points / 2 + 1;
    if (first > n + 1 - points) first = n + 1 - points;
    if (first < 0) first = 0;
    double sum = 0.0;
    for (int i = first; i < first + points; ++i) {
        double over = value[i], under = 1.0;
        for (int j = first; j < first + points; ++j)
            if (j != i) over *= at - y[j], under *= y[i] - y[j];
        sum += over / under;
    }
    return sum;
}

/* `*cell`: of a lower y, or 0. */
static double grid_value(const grid_work *w, const double *value, double spot, int *cell)
{
    const double lowest = w->side > 0.0 ? w->spot[0] : w->spot[w->n],
                 at_lowest = w->side > 0.0 ? value[0] : value[w->n];
    if (spot < lowest) return w->worthless + (at_lowest - w->worthless) * fmax(spot, 0.0) / lowest;
    const double at = w->side * levy_log(spot);
    while (*cell < w->n - 1 && w->y[*cell + 1] <= at) ++*cell;
    return grid_between(w->y, value, w->n, 4, *cell, at);
}

/* Takes the better one at each node. Where they cross between two nodes the values there stand for
 * more than the area below the bend, which is taken off, so that errors do not depend on where in
 * its cell the bend lies. */
static void grid_exercise(grid_work *w)
{
    double *const v = w->value, before = v[0] - w->paid[0];
    v[0] = fmax(v[0], w->paid[0]);
    for (int i = 1; i <= w->n; ++i) {
        const double after = v[i] - w->paid[i];
        v[i] = fmax(v[i], w->paid[i]);
        if (before * after < 0.0) {
            const double at = before / (before - after),
                         area = 0.5 * fabs(after - before) * at * (1.0 - at);
            v[i - 1] -= (1.0 - at) * area;
            v[i] -= at * area;
        }
        before = after;
    }
    if (w->claim->sign < 0) w->worthless = fmax(w->worthless, 1.0);
}

/* By how much a value is above that of exercise. */
static double grid_above(const grid_work *w, int i) { return w->value[i] - w->paid[i]; }

/* Where exercise begins between node i, at which it pays, and the next. `smooth`: at all times, so
 * that the value leaves that of exercise with its slope, and the root of their difference is even.
 */
static double grid_begins(const grid_work *w, int i, bool smooth)
{
    const double own = grid_above(w, i), next = grid_above(w, i + 1), cell = w->y[i + 1] - w->y[i];
    if (!smooth) return w->y[i] - cell * own / (next - own);
    const double root = levy_sqrt(next), farther = levy_sqrt(grid_above(w, i + 2)) - root,
                 back = farther > 0.0 ? root / farther * (w->y[i + 2] - w->y[i + 1]) : cell;
    return w->y[i + 1] - fmin(back, cell);
}

/* Notes the level at a time, if exercise pays anywhere. */
static void grid_note(const grid_work *w, double time, bool smooth)
{
    levy_exercise_levels *const to = w->levels;
    int i = w->n - 2;
    while (i > 0 && (w->paid[i] == 0.0 || grid_above(w, i) > 0.0)) --i;
    if (!to || i == 0) return;
    to->times[to->n] = time;
    to->levels[to->n++] = w->claim->strike * levy_exp(w->side * grid_begins(w, i, smooth));
}

static void grid_date(grid_work *w, const levy_exercise_span *span)
{
    double after[LEVY_GRID_NODES + 1];
    const levy_exercise_span *const last = &w->claim->spans[w->claim->n - 1];
    if (span->exercise && span != last && !w->claim->american) grid_note(w, span->time, false);
    if (span->exercise || w->claim->american) grid_exercise(w);
    if (!span->pays) return;
    memcpy(after, w->value, sizeof after);
    for (int i = 0, cell = 0; i <= w->n; ++i)
        w->value[i] =
            grid_value(w, after, span->kept * w->spot[i] - span->cash / w->claim->strike, &cell);
    if (!w->claim->american) return;
    grid_note(w, span->time, false);
    grid_exercise(w);
}

/* How far back the market goes on without a date on which the price bends. */
static double grid_reaches(const levy_exercise_claim *claim, size_t last)
{
    double sum = 0.0;
    for (size_t k = last + 1; k-- > 0;) {
        sum += claim->spans[k].variance;
        if (k > 0 && (claim->spans[k - 1].pays || claim->spans[k - 1].exercise)) break;
    }
    return sum;
}

/* Steps shrink towards the date on which the price bends, in proportion to the root of time. */
static void grid_span(grid_work *w, const levy_exercise_span *span, double from, double whole)
{
    const double a = levy_sqrt(from / whole), b = levy_sqrt((from + span->variance) / whole);
    const int m = span->steps * w->n * 4 / LEVY_GRID_NODES;
    double before = a * a;
    for (int k = 1; k <= m; ++k) {
        const double root = a + (b - a) * k / m, share = (root * root - before) / (b * b - a * a),
                     from_end = (before - a * a) / (b * b - a * a),
                     bend = share * (1.0 - share - 2.0 * from_end);
        before = root * root;
        grid_step(w, share * span->rate + bend * span->rate_bend,
                  share * span->growth + bend * span->growth_bend, share * span->variance);
        if (w->claim->american && k * span->steps % m == 0)
            grid_note(w, span->time - span->years * (before - a * a) / (b * b - a * a), true);
    }
}

static void grid_level(grid_work *w)
{
    const levy_exercise_claim *const claim = w->claim;
    double from = 0.0, whole = 0.0;
    for (size_t k = claim->n; k-- > 0;) {
        const levy_exercise_span *const span = &claim->spans[k];
        if (k + 1 == claim->n || span->pays || span->exercise) {
            from = 0.0;
            whole = grid_reaches(claim, k);
        }
        grid_date(w, span);
        if (span->variance > 0.0) grid_span(w, span, from, whole);
        from += span->variance;
    }
}

static void grid_plan_steps(levy_exercise_claim *claim)
{
    double all = 0.0, from = 0.0, whole = 0.0;
    for (size_t k = 0; k < claim->n; ++k) all += claim->spans[k].variance;
    for (size_t k = claim->n; k-- > 0;) {
        levy_exercise_span *const span = &claim->spans[k];
        if (k + 1 == claim->n || span->pays || span->exercise) {
            from = 0.0;
            whole = grid_reaches(claim, k);
        }
        const double steps = fmax(GRID_STEPS * whole / all, GRID_LEAST),
                     share = whole > 0.0 ? levy_sqrt((from + span->variance) / whole) -
                                               levy_sqrt(from / whole)
                                         : 0.0;
        span->steps = (int)fmax(ceil(steps * share - 1e-9), 1.0);
        from += span->variance;
    }
}

void levy_exercise_grid_plan(double spot, const levy_exercise_claim *like,
                             levy_exercise_claim *claim)
{
    if (like) {
        claim->unit = like->unit;
        claim->gather = like->gather;
    } else {
        grid_plan_nodes(claim, spot);
    }
    if (!like || like->n < claim->n) {
        grid_plan_steps(claim);
        return;
    }
    for (size_t k = 1; k <= claim->n; ++k) /* the first dates may have passed */
        claim->spans[claim->n - k].steps = like->spans[like->n - k].steps;
}

size_t levy_exercise_grid_levels(const levy_exercise_claim *claim)
{
    size_t n = claim->n;
    for (size_t k = 0; k < claim->n; ++k) n += (size_t)claim->spans[k].steps;
    return n;
}

void levy_exercise_grid_solve(const levy_exercise_claim *claim, levy_exercise_grid *grid,
                              levy_exercise_levels *levels)
{
    grid_work w;
    for (int i = 0; i <= LEVY_GRID_NODES; ++i) {
        const double at = claim->gather * (2.0 * i / LEVY_GRID_NODES - 1.0);
        grid->log[i] = claim->unit * (levy_exp(at) - levy_exp(-at));
    }
    for (int level = 0; level < LEVY_GRID_LEVELS; ++level) {
        grid_start(claim, grid, level, &w);
        if (level + 1 == LEVY_GRID_LEVELS) w.levels = levels;
        grid_level(&w);
        grid->worthless[level] = w.worthless;
    }
}

/* ---- A spot ---- */

static double grid_level_at(const levy_exercise_claim *claim, const levy_exercise_grid *grid,
                            int level, double at)
{
    double y[LEVY_GRID_NODES + 1];
    const int stride = 1 << (LEVY_GRID_LEVELS - 1 - level), n = LEVY_GRID_NODES / stride;
    for (int i = 0; i <= n; ++i) y[i] = grid->log[i * stride];
    return claim->strike *
           grid_between(y, grid->value[level], n, 6, grid_cell(claim, y, n, at), at);
}

void levy_exercise_grid_at(const levy_exercise_claim *claim, const levy_exercise_grid *grid,
                           double spot, double value[3])
{
    double each[LEVY_GRID_LEVELS];
    const double at = -claim->sign * levy_log(spot / claim->strike);
    for (int level = 0; level < LEVY_GRID_LEVELS; ++level)
        each[level] = grid_level_at(claim, grid, level, at);
    value[0] = (4.0 * each[2] - each[1]) / 3.0;
    value[1] = (4.0 * each[1] - each[0]) / 3.0;
    value[2] = each[2];
}
