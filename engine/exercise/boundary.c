/* boundary.c: see boundary.h. Equations are those of the paper. Integrals over the time s from a
 * date on run over an angle, s = t sin(a)^2, so that both the root of s and that of t - s are
 * smooth. */
#include "engine/exercise/boundary.h"

#include "engine/fourier/angle.h"
#include "engine/fourier/black.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

enum { BOUNDARY_MOST = 48, BOUNDARY_WHOLE = 8 }; /* steps; those that are not halved */

/* Of the last step, after which the error is about its square; and the root of 2 pi. */
static const double boundary_settled = 2e-5, boundary_root = 2.5066282746310002;

/* ---- Nodes ---- */

/* Gauss-Legendre points and weights over (-1, 1), by Newton's method from Chebyshev's points; n is
 * even or the middle is 0 by symmetry. */
static void boundary_legendre(int n, double *x, double *weight)
{
    for (int i = 0; i < (n + 1) / 2; ++i) {
        double z, slope = 1.0, unused;
        levy_sine_cosine(LEVY_PI * (i + 0.75) / (n + 0.5), &unused, &z);
        for (int step = 0; step < 4; ++step) {
            double p = 1.0, before = 0.0;
            for (int k = 0; k < n; ++k) {
                const double next = ((2.0 * k + 1.0) * z * p - k * before) / (k + 1.0);
                before = p;
                p = next;
            }
            slope = n * (z * p - before) / (z * z - 1.0);
            z -= p / slope;
        }
        x[i] = z;
        x[n - 1 - i] = -z;
        weight[i] = weight[n - 1 - i] = 2.0 / ((1.0 - z * z) * slope * slope);
    }
}

/* Weights of the nodes for a value at x, by the barycentric formula. */
static void boundary_weights(const levy_boundary_rule *rule, double x, double *weights)
{
    const int n = rule->n;
    double sum = 0.0;
    for (int j = 0; j <= n; ++j) {
        const double apart = x - rule->root[j], half = j == 0 || j == n ? 0.5 : 1.0;
        if (apart == 0.0) {
            memset(weights, 0, (size_t)(n + 1) * sizeof *weights);
            weights[j] = 1.0;
            return;
        }
        weights[j] = (j & 1 ? -half : half) / apart;
        sum += weights[j];
    }
    for (int j = 0; j <= n; ++j) weights[j] /= sum;
}

static void boundary_points(int n, levy_boundary_points *p)
{
    double x[LEVY_BOUNDARY_POINTS];
    p->n = n;
    boundary_legendre(n, x, p->weight);
    for (int k = 0; k < n; ++k) {
        levy_sine_cosine(0.25 * LEVY_PI * (1.0 + x[k]), &p->sine[k], &p->cosine[k]);
        p->weight[k] *= 0.5 * LEVY_PI * p->cosine[k]; /* of ds = 2 t sin cos da */
    }
}

void levy_boundary_rule_make(int n, int own, int premium, levy_boundary_rule *rule)
{
    rule->n = n;
    for (int j = 0; j <= n; ++j) {
        double sine, cosine;
        levy_sine_cosine(0.5 * LEVY_PI * j / n, &sine, &cosine);
        rule->root[j] = sine * sine;
    }
    boundary_points(own, &rule->own);
    boundary_points(premium, &rule->premium);
    for (int i = 1; i <= n; ++i)
        for (int k = 0; k < own; ++k)
            boundary_weights(rule, rule->root[i] * rule->own.cosine[k], rule->own_at[i][k]);
    for (int k = 0; k < premium; ++k)
        boundary_weights(rule, rule->premium.cosine[k], rule->premium_at[k]);
}

/* ---- The boundary ---- */

static double boundary_density(double x) { return 0.3989422804014327 * levy_exp(-0.5 * x * x); }

/* What is interpolated is the square of the logarithm, which is smooth in the root of time. */
static double boundary_log(const levy_boundary *b, const double *square, const double *weights)
{
    double sum = 0.0;
    for (int j = 1; j <= b->rule->n; ++j) sum += weights[j] * square[j];
    return levy_sqrt(sum > 0.0 ? sum : 0.0);
}

/* A first guess: the flat boundary of P. Bjerksund, G. Stensland, Scandinavian J. Management 9,
 * 1993, of the call that is the put's mirror image. */
static void boundary_guess(levy_boundary *b)
{
    const double variance = b->deviation * b->deviation, carry = b->yield - b->rate,
                 half = 0.5 - carry / variance,
                 beta = half + levy_sqrt(half * half + 2.0 * b->yield / variance);
    const double least = 1.0 / b->start, far = beta > 1.0 ? beta / (beta - 1.0) : INFINITY;
    for (int i = 1; i <= b->rule->n; ++i) {
        const double root = b->rule->root[i] * levy_sqrt(b->time), t = root * root;
        double at = least * (1.0 + 2.0 * b->deviation * root);
        if (far > least && far < 1e6) {
            const double h = -(carry * t + 2.0 * b->deviation * root) * least / (far - least);
            at = least + (far - least) * (1.0 - levy_exp(h));
        }
        b->log[i] = levy_log(fmax(at / least, 1.0 + 1e-12));
    }
}

/* Takes a boundary over, from other nodes too. */
static void boundary_take(const levy_boundary *near, levy_boundary *b)
{
    double square[LEVY_BOUNDARY_NODES + 1], weights[LEVY_BOUNDARY_NODES + 1];
    for (int j = 0; j <= near->rule->n; ++j) square[j] = near->log[j] * near->log[j];
    for (int i = 1; i <= b->rule->n; ++i) {
        boundary_weights(near->rule, b->rule->root[i], weights);
        b->log[i] = near->rule == b->rule ? near->log[i] : boundary_log(near, square, weights);
        b->log[i] = fmax(b->log[i], 0.5 * near->log[1] * b->rule->root[i]);
    }
}

/* What a node's integral has of the market: by point. */
typedef struct boundary_table {
    double root, spread;                                            /* of time; of the logarithm */
    double drift[LEVY_BOUNDARY_POINTS], part[LEVY_BOUNDARY_POINTS], /* of it; its deviation */
        rate[LEVY_BOUNDARY_POINTS], yield[LEVY_BOUNDARY_POINTS];
} boundary_table;

static void boundary_tabulate(const levy_boundary *b, int node, boundary_table *t)
{
    const levy_boundary_points *const points = &b->rule->own;
    t->root = b->rule->root[node] * levy_sqrt(b->time);
    t->spread = b->deviation * t->root;
    const double time = t->root * t->root, share = time / t->spread * 0.3989422804014327;
    for (int k = 0; k < points->n; ++k) {
        const double s = time * points->sine[k] * points->sine[k], w = points->weight[k] * share;
        t->part[k] = t->spread * points->sine[k];
        t->drift[k] = (b->rate - b->yield) * s / t->part[k] - 0.5 * t->part[k];
        t->rate[k] = w * b->rate * levy_exp(b->rate * (time - s));
        t->yield[k] = w * b->yield * levy_exp(b->yield * (time - s));
    }
}

/* Numerator and denominator of the equation at a node, and their slopes in the logarithms. */
typedef struct boundary_terms {
    double up, down, up_own, down_own; /* own: in that of the node as the spot */
    double up_slope[LEVY_BOUNDARY_NODES + 1], down_slope[LEVY_BOUNDARY_NODES + 1];
} boundary_terms;

static void boundary_add(const levy_boundary *b, const boundary_table *t, int node,
                         const double *square, boundary_terms *sum)
{
    const levy_boundary_rule *const rule = b->rule;
    for (int k = 0; k < rule->own.n; ++k) {
        const double *const weights = rule->own_at[node][k];
        const double seen = boundary_log(b, square, weights), narrow = 1.0 / t->part[k],
                     minus = (seen - b->log[node]) * narrow + t->drift[k],
                     plus = minus + t->part[k], up = t->rate[k] * levy_exp(-0.5 * minus * minus),
                     down = b->yield == 0.0 ? 0.0 : t->yield[k] * levy_exp(-0.5 * plus * plus),
                     up_turn = -up * minus * narrow, down_turn = down * (1.0 - plus * narrow),
                     each = seen > 0.0 ? 1.0 / seen : 0.0;
        sum->up += up;
        sum->up_own -= up_turn;
        sum->down_own -= down_turn;
        for (int j = 1; j <= rule->n; ++j) sum->up_slope[j] += up_turn * each * weights[j];
        if (b->yield == 0.0) continue;
        sum->down += down + boundary_root * t->yield[k] * t->part[k] * levy_normal_cdf(plus);
        for (int j = 1; j <= rule->n; ++j) sum->down_slope[j] += down_turn * each * weights[j];
    }
}

/* The equation at a node, by logarithms: what is missing, and a row of the slopes. */
static double boundary_row(const levy_boundary *b, const boundary_table *t, int node,
                           const double *square, double *row)
{
    const double time = t->root * t->root, spread = t->spread, carry = b->rate - b->yield,
                 log = levy_log(b->start) - b->log[node],
                 minus = (log + carry * time) / spread - 0.5 * spread, plus = minus + spread,
                 up = boundary_density(minus) / spread, down = boundary_density(plus) / spread;
    boundary_terms sum = {.up = up,
                          .down = down + levy_normal_cdf(plus),
                          .up_own = up * minus / spread,
                          .down_own = -down * (1.0 - plus / spread)};
    boundary_add(b, t, node, square, &sum);
    for (int j = 1; j <= b->rule->n; ++j)
        row[j] = b->log[j] * (sum.up_slope[j] / sum.up - sum.down_slope[j] / sum.down);
    row[node] += 1.0 + sum.up_own / sum.up - sum.down_own / sum.down;
    return log + carry * time - levy_log(sum.up / sum.down);
}

/* Solves for the step by elimination; the pivots are those of a Volterra equation, near 1. */
static void boundary_solve(int n, double rows[][LEVY_BOUNDARY_NODES + 1], double *step)
{
    for (int i = 1; i <= n; ++i)
        for (int k = i + 1; k <= n; ++k) {
            const double factor = rows[k][i] / rows[i][i];
            for (int j = i + 1; j <= n; ++j) rows[k][j] -= factor * rows[i][j];
            step[k] -= factor * step[i];
        }
    for (int i = n; i >= 1; --i) {
        for (int j = i + 1; j <= n; ++j) step[i] -= rows[i][j] * step[j];
        step[i] /= rows[i][i];
    }
}

/* A share of Newton's step of all nodes. Returns how far the farthest moves. */
static double boundary_step(levy_boundary *b, const boundary_table *tables, double share)
{
    const int n = b->rule->n;
    double square[LEVY_BOUNDARY_NODES + 1], step[LEVY_BOUNDARY_NODES + 1],
        moved = 0.0, rows[LEVY_BOUNDARY_NODES + 1][LEVY_BOUNDARY_NODES + 1];
    for (int i = 1; i <= n; ++i) square[i] = b->log[i] * b->log[i];
    for (int i = 1; i <= n; ++i) step[i] = boundary_row(b, &tables[i], i, square, rows[i]);
    boundary_solve(n, rows, step);
    for (int i = 1; i <= n; ++i) {
        const double next = fmax(b->log[i] + share * fmin(step[i], 1.0), 0.2 * b->log[i]);
        moved = fmax(moved, fabs(next - b->log[i]));
        b->log[i] = next;
    }
    return moved;
}

bool levy_boundary_find(const levy_boundary_rule *rule, double rate, double yield,
                        double volatility, double time, const levy_boundary *near, levy_boundary *b)
{
    boundary_table tables[LEVY_BOUNDARY_NODES + 1];
    double square[LEVY_BOUNDARY_NODES + 1], moved = INFINITY;
    *b = (levy_boundary){rule, rate, yield, volatility, time, .start = 1.0};
    if (yield > rate) b->start = rate / yield;
    if (near)
        boundary_take(near, b);
    else
        boundary_guess(b);
    for (int i = 1; i <= rule->n; ++i) boundary_tabulate(b, i, &tables[i]);
    for (int round = 0; round < BOUNDARY_MOST && moved >= boundary_settled; ++round)
        moved = boundary_step(b, tables, round < BOUNDARY_WHOLE ? 1.0 : 0.5);
    for (int i = 1; i <= rule->n; ++i) square[i] = b->log[i] * b->log[i];
    for (int k = 0; k < rule->premium.n; ++k)
        b->seen[k] = boundary_log(b, square, rule->premium_at[k]);
    return moved < boundary_settled;
}

/* ---- The put ---- */

double levy_boundary_put(const levy_boundary *b, double spot)
{
    const levy_boundary_points *const points = &b->rule->premium;
    const double carry = b->rate - b->yield, root = levy_sqrt(b->time), t = b->time,
                 log = levy_log(spot / b->start);
    if (log <= -b->log[b->rule->n]) return 1.0 - spot;
    const double forward = spot * levy_exp(carry * t);
    double value =
        levy_exp(-b->rate * t) * forward * levy_black_put(-levy_log(forward), b->deviation * root);
    for (int k = 0; k < points->n; ++k) {
        const double sine = points->sine[k], s = t * sine * sine,
                     spread = b->deviation * root * sine,
                     minus = (log + b->seen[k] + carry * s) / spread - 0.5 * spread,
                     w = points->weight[k] * sine * t;
        value += w * b->rate * levy_exp(-b->rate * s) * levy_normal_cdf(-minus);
        if (b->yield != 0.0)
            value -=
                w * b->yield * spot * levy_exp(-b->yield * s) * levy_normal_cdf(-minus - spread);
    }
    return fmax(value, 1.0 - spot);
}
