/* test_nested_bound.c: the upper bound by nested simulation (L. Andersen and M. Broadie, Management
 * Science 50, 2004), of the rule that levy has fitted: the martingale is what the rule's own value
 * gains, each value the mean of paths that begin where the path is. It needs no fit of a
 * martingale, and says how far the rule is from the best one. Against known prices, levy's lower
 * bound, and the bound that levy regresses. The paths and the numbers that move them are the test's
 * own. */
#include "tests/fit_on_cpu.h"
#include "tests/priced.h"
#include "tests/words.h"

#include "engine/book/handles.h"
#include "engine/book/plan_cache.h"
#include "engine/plan/plan.h"
#include "payoffs/scripted.h"

#include <math.h>
#include <stdio.h>

/* A sanitizer makes a path dear. */
enum {
    OUTER = LEVY_SANITIZED ? 32 : 160,
    INNER = LEVY_SANITIZED ? 32 : 512,
    ASSETS = 5,
    MOST = 16
};

/* ---- The option and its rule ---- */

typedef struct option {
    const char *kind; /* of payoff, with its type */
    size_t n_assets, n_dates;
    double sign, spot, strike, rate, yield, volatility, years;
    double known; /* its price on these dates */
} option;

typedef struct rule {
    const option *of;
    const levy_script *script;
    double terms[MOST][LEVY_SCRIPT_TERMS]; /* [date] */
    uint64_t random;
} rule;

/* Assets that are alike and move apart. */
static const char *text_of(const option *o)
{
    static const char names[] = "ABCDE";
    static char text[4096];
    char list[32] = "";
    size_t n = (size_t)snprintf(
        text, sizeof text, "schema_version: 1\nmarket:\n  curves: {USD: %g}\n  assets:\n", o->rate);
    for (size_t u = 0; u < o->n_assets; ++u)
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "    %c: {currency: USD, spot: %g, volatility: %g, dividend_yield: %g}\n", names[u],
            o->spot, o->volatility, o->yield);
    for (size_t u = 0; u < o->n_assets; ++u)
        (void)snprintf(list + 3 * u, sizeof list - 3 * u, "%c%s", names[u],
                       u + 1 < o->n_assets ? ", " : "");
    for (size_t u = 1; u < o->n_assets; ++u)
        for (size_t v = 0; v < u; ++v)
            n += (size_t)snprintf(text + n, sizeof text - n, "%s[%c.spot, %c.spot, 0]%s",
                                  u == 1 ? "  correlations: {pairs: [" : ", ", names[v], names[u],
                                  v + 2 == o->n_assets ? "]}\n" : "");
    (void)snprintf(
        text + n, sizeof text - n,
        "models: {m: {kind: black_scholes, assets: [%s]}}\n"
        "simulation: {paths: 2^16}\nmeasures: [price, upper_bound]\ntrades:\n"
        "  - {id: t, underlyings: [%s], payoff: {kind: %s, strike: %g}, exercise: {style: "
        "bermudan, expiry: %g, dates: {count: %zu}, method: simulation, fit: {paths: 2^14}}}\n",
        list, list, o->kind, o->strike, o->years, o->n_dates);
    return text;
}

/* The numbers of the price's item on each date. The plan stays with the book. */
static void read_rule(levy_book *book, const option *of, rule *r)
{
    const levy_group *groups;
    levy_plan *plan;
    size_t n_groups;
    char why[LEVY_REASON_SIZE];
    assert_int_equal(levy_plan_cache_prepare(book, &groups, &n_groups), LEVY_OK);
    assert_int_equal(levy_plan_cache_get(book, 0, &plan, why), LEVY_OK);
    fit_on_cpu(plan);
    assert_int_equal(plan->group->n_nodes, of->n_dates);
    *r = (rule){.of = of, .random = 20261130};
    r->script = &plan->problem->trades[plan->group->trades[0]].kind.scripted->script;
    for (size_t k = 0; k < of->n_dates; ++k) levy_plan_get_node_terms(plan, 0, k, r->terms[k]);
    levy_plan_cache_put(book, 0, plan);
}

static double gain_of(const option *o, const double *levels)
{
    double level = levels[0];
    for (size_t u = 1; u < o->n_assets; ++u) level = fmax(level, levels[u]);
    return o->sign * (level - o->strike);
}

/* Whether the rule exercises on date k, from 1 on. */
static bool stops(const rule *r, size_t k, const double *levels)
{
    double states[LEVY_SCRIPT_STATES], registers[LEVY_SCRIPT_REGISTERS];
    if (k == r->of->n_dates) return true;
    if (gain_of(r->of, levels) <= 0.0) return false;
    memcpy(states, r->script->constants, r->script->program->n_states * sizeof *states);
    (void)levy_script_run(r->script, 0, r->terms[k - 1], levels, false, states, registers);
    return states[r->script->alive] == 0.0;
}

/* ---- Paths ---- */

static double uniform(rule *r)
{
    uint64_t x = r->random += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return ((double)((x ^ x >> 31) >> 11) + 0.5) / 9007199254740992.0;
}

static double period(const rule *r) { return r->of->years / (double)r->of->n_dates; }

static void move(rule *r, double *levels)
{
    const option *const o = r->of;
    const double dt = period(r);
    for (size_t u = 0; u < o->n_assets; ++u) {
        const double size = sqrt(-2.0 * log(uniform(r))),
                     z = size * cos(6.283185307179586 * uniform(r));
        levels[u] *= exp((o->rate - o->yield - 0.5 * o->volatility * o->volatility) * dt +
                         o->volatility * sqrt(dt) * z);
    }
}

static double discount(const rule *r, size_t k)
{
    return exp(-r->of->rate * period(r) * (double)k);
}

/* What the rule gets from date k on if it does not exercise there, today's money: the mean. */
static double continued(rule *r, size_t k, const double *levels, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; ++i) {
        double own[ASSETS];
        size_t at = k;
        memcpy(own, levels, sizeof own);
        do move(r, own);
        while (!stops(r, ++at, own));
        sum += discount(r, at) * fmax(gain_of(r->of, own), 0.0);
    }
    return sum / (double)n;
}

/* By how much the best exercise in hindsight beats the martingale on a path. */
static double regret(rule *r, double value)
{
    double levels[ASSETS], martingale = value, waits = value, most = -INFINITY;
    for (size_t u = 0; u < ASSETS; ++u) levels[u] = r->of->spot;
    for (size_t k = 1; k <= r->of->n_dates; ++k) {
        move(r, levels);
        const bool last = k == r->of->n_dates;
        const double now = discount(r, k) * fmax(gain_of(r->of, levels), 0.0), before = waits;
        waits = last ? 0.0 : continued(r, k, levels, INNER);
        martingale += (stops(r, k, levels) ? now : waits) - before;
        most = fmax(most, now - martingale);
    }
    return most;
}

static void assert_bounds(const option *o, double gap)
{
    rule *const r = calloc(1, sizeof *r);
    priced made = price_alone(text_of(o), NULL, 0, NULL);
    double sum = 0.0, square = 0.0;
    assert_priced(&made);
    const levy_trade_result *const t = find_trade(made.results, "t");
    const levy_measure *const above = find_measure(t, "upper_bound", NULL);
    read_rule(made.book, o, r);
    for (size_t i = 0; i < OUTER; ++i) {
        const double x = regret(r, t->price);
        sum += x / OUTER;
        square += x * x / OUTER;
    }
    const double bound = t->price + sum, error = sqrt((square - sum * sum) / OUTER);
    print_message("%s: known %.4f; %.4f +- %.4f, nested %.4f +- %.4f (%.2f %%), regressed %.4f\n",
                  o->kind, o->known, t->price, t->std_error, bound, error, 100.0 * sum / o->known,
                  above->value);
    assert_true(t->price <= o->known + 4.0 * t->std_error);
    assert_true(bound >= o->known - 4.0 * (error + t->std_error));
    /* few inner paths leave much noise, which the greatest of the dates takes for a gap */
    assert_true(LEVY_SANITIZED ||
                bound - o->known <= gap * o->known + 4.0 * (error + t->std_error));
    assert_true(above->value >= o->known - 4.0 * above->std_error);
    release(&made);
    free(r);
}

/* ---- Options ---- */

/* Longstaff and Schwartz, table 1, on ten dates. known: engine/exercise. */
static void test_a_put(void **state)
{
    (void)state;
    assert_bounds(&(option){.kind = "european, option_type: put",
                            .n_assets = 1,
                            .n_dates = 10,
                            .sign = -1.0,
                            .spot = 36.0,
                            .strike = 40.0,
                            .rate = 0.06,
                            .volatility = 0.2,
                            .years = 1.0,
                            .known = 4.4425},
                  0.005);
}

/* Andersen and Broadie, table 2: of two assets 13.902, of five from 26.109 to 26.292. */
static void test_a_maximum(void **state)
{
    option o = {.kind = "best_of, option_type: call",
                .n_assets = 2,
                .n_dates = 9,
                .sign = 1.0,
                .spot = 100.0,
                .strike = 100.0,
                .rate = 0.05,
                .yield = 0.1,
                .volatility = 0.2,
                .years = 3.0,
                .known = 13.902};
    (void)state;
    assert_bounds(&o, 0.005);
    if (!LEVY_TEST_FULL) return;
    o.n_assets = 5;
    o.known = 26.14;
    assert_bounds(&o, 0.005);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_put),
        cmocka_unit_test(test_a_maximum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
