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
enum {
    BOUNDARY_FEW = 12, /* nodes whose loops have that length */
    BOUNDARY_TERMS = LEVY_BOUNDARY_POINTS + 1,
    BOUNDARY_CELLS = LEVY_BOUNDARY_NODES * BOUNDARY_TERMS
};

/* Of the last step, after which the error is about its square; and the root of 2 pi, 1 by which is
 * the normal density's. */
static const double boundary_settled = 2e-5, boundary_root = 2.5066282746310002,
                    boundary_normal = 0.3989422804014327;

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

/* What a node's integral has of the market: by point, and behind these what stands beside the
 * integral, which is a point more at expiry. */
typedef struct boundary_table {
    double drift[BOUNDARY_TERMS];  /* of the logarithm */
    double part[BOUNDARY_TERMS];   /* its deviation */
    double narrow[BOUNDARY_TERMS]; /* 1 by that */
    double rate[BOUNDARY_TERMS], yield[BOUNDARY_TERMS];
} boundary_table;

static void boundary_tabulate(const levy_boundary *b, int node, boundary_table *t)
{
    const levy_boundary_points *const points = &b->rule->own;
    const size_t n = (size_t)points->n;
    const double root = b->rule->root[node] * levy_sqrt(b->time), time = root * root,
                 spread = b->deviation * root, carry = b->rate - b->yield;
    for (size_t k = 0; k < n; ++k) {
        const double s = time * points->sine[k] * points->sine[k];
        t->part[k] = spread * points->sine[k];
        t->narrow[k] = 1.0 / t->part[k];
        t->drift[k] = carry * s * t->narrow[k] - 0.5 * t->part[k];
        t->rate[k] = b->rate * (time - s);
        t->yield[k] = b->yield * (time - s);
    }
    levy_exp_each(n, t->rate);
    levy_exp_each(n, t->yield);
    t->part[n] = spread;
    t->narrow[n] = 1.0 / spread;
    t->drift[n] = (b->log_start + carry * time) * t->narrow[n] - 0.5 * spread;
    t->rate[n] = t->yield[n] = boundary_normal * t->narrow[n];
    for (size_t k = 0; k < n; ++k) t->rate[k] *= points->weight[k] * time * t->rate[n] * b->rate;
    for (size_t k = 0; k < n; ++k) t->yield[k] *= points->weight[k] * time * t->rate[n] * b->yield;
}

/* What a round of Newton's method evaluates: by node and by term. */
typedef struct boundary_round {
    double seen[BOUNDARY_CELLS];        /* 1 by the logarithm that is seen; 0: none is */
    double minus[BOUNDARY_CELLS];       /* in deviations */
    double density[2 * BOUNDARY_CELLS]; /* at minus, and at plus */
    double below[BOUNDARY_CELLS];       /* the normal distribution at plus */
} boundary_round;

static void boundary_evaluate(const levy_boundary *b, const boundary_table *tables,
                              const double *square, boundary_round *r)
{
    const int n = b->rule->own.n, all = (n + 1) * b->rule->n;
    for (int i = 1, c = 0; i <= b->rule->n; ++i)
        for (int k = 0; k <= n; ++k, ++c) {
            const double log = k < n ? boundary_log(b, square, b->rule->own_at[i][k]) : 0.0;
            r->minus[c] = (log - b->log[i]) * tables[i].narrow[k] + tables[i].drift[k];
            r->below[c] = r->minus[c] + tables[i].part[k];
            r->seen[c] = log > 0.0 ? 1.0 / log : 0.0;
            r->density[c] = -0.5 * r->minus[c] * r->minus[c];
            r->density[all + c] = -0.5 * r->below[c] * r->below[c];
        }
    levy_exp_each(2 * (size_t)all, r->density);
    levy_normal_cdf_each((size_t)all, r->below);
}

/* The equation at a node, by logarithms: what is missing, and a row of the slopes in them. */
static double boundary_row(const levy_boundary *b, const boundary_table *t, int node,
                           const boundary_round *r, double *row)
{
    const int n = b->rule->own.n, first = (node - 1) * (n + 1), plus = b->rule->n * (n + 1) + first;
    double up = 0.0, down = 0.0, up_own = 0.0, down_own = 0.0; /* own: in the node's as the spot */
    double up_turn[BOUNDARY_TERMS], down_turn[BOUNDARY_TERMS];
    double slope[LEVY_BOUNDARY_NODES + 1] = {0.0};
    for (int k = 0; k <= n; ++k) {
        const double minus = r->minus[first + k], above = t->rate[k] * r->density[first + k],
                     below = t->yield[k] * r->density[plus + k];
        up_turn[k] = -above * minus * t->narrow[k];
        down_turn[k] = below * (1.0 - (minus + t->part[k]) * t->narrow[k]);
        up += above;
        up_own -= up_turn[k];
        down += below + boundary_root * t->yield[k] * t->part[k] * r->below[first + k];
        down_own -= down_turn[k];
    }
    const double by_up = 1.0 / up, by_down = 1.0 / down;
    for (int k = 0; k < n; ++k) {
        const double times = (up_turn[k] * by_up - down_turn[k] * by_down) * r->seen[first + k];
        const double *const weights = b->rule->own_at[node][k];
        if (b->rule->n < BOUNDARY_FEW) /* compilers take several side by side of a known number */
            for (int j = 0; j < BOUNDARY_FEW; ++j) slope[j] += times * weights[j];
        else
            for (int j = 0; j <= LEVY_BOUNDARY_NODES; ++j) slope[j] += times * weights[j];
    }
    for (int j = 1; j <= b->rule->n; ++j) row[j] = b->log[j] * slope[j];
    row[node] += 1.0 + up_own * by_up - down_own * by_down;
    return t->drift[n] * t->part[n] + 0.5 * t->part[n] * t->part[n] - b->log[node] -
           levy_log(up * by_down);
}

/* Solves for the step by elimination; the pivots are those of a Volterra equation, near 1. */
static void boundary_solve(int n, double rows[][LEVY_BOUNDARY_NODES + 1], double *step)
{
    for (int i = 1; i <= n; ++i) {
        const double pivot = 1.0 / rows[i][i];
        for (int k = i + 1; k <= n; ++k) {
            const double factor = rows[k][i] * pivot;
            for (int j = i + 1; j <= n; ++j) rows[k][j] -= factor * rows[i][j];
            step[k] -= factor * step[i];
        }
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
    boundary_round round;
    double square[LEVY_BOUNDARY_NODES + 1], step[LEVY_BOUNDARY_NODES + 1],
        moved = 0.0, rows[LEVY_BOUNDARY_NODES + 1][LEVY_BOUNDARY_NODES + 1];
    for (int i = 1; i <= n; ++i) square[i] = b->log[i] * b->log[i];
    boundary_evaluate(b, tables, square, &round);
    for (int i = 1; i <= n; ++i) step[i] = boundary_row(b, &tables[i], i, &round, rows[i]);
    boundary_solve(n, rows, step);
    for (int i = 1; i <= n; ++i) {
        const double next = fmax(b->log[i] + share * fmin(step[i], 1.0), 0.2 * b->log[i]);
        moved = fmax(moved, fabs(next - b->log[i]));
        b->log[i] = next;
    }
    return moved;
}

/* What the put's integral has of the boundary and the market. */
static void boundary_see(levy_boundary *b, const double *square)
{
    const levy_boundary_points *const points = &b->rule->premium;
    const size_t n = (size_t)points->n;
    for (size_t k = 0; k < n; ++k) {
        const double s = b->time * points->sine[k] * points->sine[k],
                     spread = b->deviation * levy_sqrt(b->time) * points->sine[k];
        b->seen[k] =
            (boundary_log(b, square, b->rule->premium_at[k]) + (b->rate - b->yield) * s) / spread -
            0.5 * spread;
        b->paid[k] = -b->rate * s;
        b->lost[k] = -b->yield * s;
    }
    levy_exp_each(n, b->paid);
    levy_exp_each(n, b->lost);
    for (size_t k = 0; k < n; ++k) {
        const double w = points->weight[k] * points->sine[k] * b->time;
        b->paid[k] *= w * b->rate;
        b->lost[k] *= w * b->yield;
    }
}

bool levy_boundary_find(const levy_boundary_rule *rule, double rate, double yield,
                        double volatility, double time, const levy_boundary *near, levy_boundary *b)
{
    boundary_table tables[LEVY_BOUNDARY_NODES + 1];
    double square[LEVY_BOUNDARY_NODES + 1], moved = INFINITY;
    *b = (levy_boundary){rule, rate, yield, volatility, time, .start = 1.0};
    if (yield > rate) b->start = rate / yield;
    b->log_start = levy_log(b->start);
    if (near)
        boundary_take(near, b);
    else
        boundary_guess(b);
    for (int i = 1; i <= rule->n; ++i) boundary_tabulate(b, i, &tables[i]);
    for (int round = 0; round < BOUNDARY_MOST && moved >= boundary_settled; ++round)
        moved = boundary_step(b, tables, round < BOUNDARY_WHOLE ? 1.0 : 0.5);
    for (int i = 1; i <= rule->n; ++i) square[i] = b->log[i] * b->log[i];
    boundary_see(b, square);
    return moved < boundary_settled;
}

/* ---- The put ---- */

double levy_boundary_put(const levy_boundary *b, double spot, double *european)
{
    const levy_boundary_points *const points = &b->rule->premium;
    const size_t n = (size_t)points->n;
    const double spread = b->deviation * levy_sqrt(b->time), log = levy_log(spot) - b->log_start;
    double below[2 * LEVY_BOUNDARY_POINTS];
    *european = 0.0;
    if (log <= -b->log[b->rule->n]) return 1.0 - spot;
    const double forward = spot * levy_exp((b->rate - b->yield) * b->time);
    *european = levy_exp(-b->rate * b->time) * forward * levy_black_put(-levy_log(forward), spread);
    double value = *european;
    for (size_t k = 0; k < n; ++k) {
        const double part = spread * points->sine[k];
        below[k] = -(b->seen[k] + log / part);
        below[n + k] = below[k] - part;
    }
    levy_normal_cdf_each(b->yield == 0.0 ? n : 2 * n, below);
    for (size_t k = 0; k < n; ++k) value += b->paid[k] * below[k];
    for (size_t k = 0; k < n && b->yield != 0.0; ++k) value -= spot * b->lost[k] * below[n + k];
    return fmax(value, 1.0 - spot);
}
