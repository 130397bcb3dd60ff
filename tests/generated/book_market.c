/* book_market.c: see book_market.h. */
#include "tests/generated/book_market.h"

#include <stdio.h>
#include <string.h>

/* [time, number] pairs: times are years, numbers are texts. */
static void put_pairs(draft *d, const double *times, const double *numbers, size_t n)
{
    put(d, "[");
    for (size_t i = 0; i < n; ++i) {
        put(d, "%s[", i ? ", " : "");
        put_time(d, times[i]);
        put(d, ", %.10g]", numbers[i]);
    }
    put(d, "]");
}

#define NODES(d, n, ...) put_pairs((d), nodes, (const double[]){__VA_ARGS__}, (n))

static void put_curve(draft *d)
{
    static const double nodes[] = {0.3, 1.1, 4.0};
    const unsigned kind = PICK(d->c, 8, 2, 3, 2, 1, 1, 1, 1);
    /* no payment at a hit where forwards vary between nodes, or may be negative */
    const bool fits = !d->continuous || kind == 0 || kind == 2 || kind == 3 || kind == 6;
    if (d->early && !d->continuous && choose_rarely(d->c, 15)) {
        put(d, "-0.01");
        return;
    }
    switch (fits ? kind : 0) {
    case 0:
        put(d, "0.04");
        return;
    case 1:
        put(d, "0");
        return;
    case 2:
        put(d, "{\"kind\": \"zero\", \"nodes\": ");
        NODES(d, 3, 0.02, 0.035, 0.05);
        break;
    case 3:
        put(d, "{\"kind\": \"discount\", \"nodes\": ");
        NODES(d, 3, 0.992, 0.96, 0.84);
        break;
    case 4:
        put(d, "{\"kind\": \"zero\", \"interpolation\": \"linear_zero\", \"nodes\": ");
        NODES(d, 3, 0.01, 0.03, 0.02);
        break;
    case 5:
        put(d, "{\"kind\": \"flat\", \"rate\": -0.01");
        break;
    case 6:
        put(d, "{\"kind\": \"par\", \"frequency\": \"semi_annual\", \"deposits\": ");
        NODES(d, 1, 0.02);
        put(d, ", \"swaps\": ");
        put_pairs(d, nodes + 1, (const double[]){0.035, 0.05}, 2);
        break;
    default:
        put(d, "{\"kind\": \"zero\", \"interpolation\": \"monotone_convex\", \"nodes\": ");
        NODES(d, 3, 0.02, 0.035, 0.03);
        break;
    }
    put(d, "}");
}

/* Half of them by term; and what follows. */
static void put_yield(draft *d, const char *rest)
{
    static const double nodes[] = {0.2, 0.9};
    if (choose_rarely(d->c, 50)) {
        put(d, "{\"kind\": \"term\", \"nodes\": ");
        NODES(d, 2, 0.03, 0.012);
        put(d, "}");
    } else {
        put(d, "0.02");
    }
    put(d, "%s", rest);
}

/* Of a model that has its own the market has none. */
static bool is_volatility_read(const draft *d)
{
    return d->model <= KOU || (d->model == REGIMES && d->regimes == 1);
}

static void put_volatility(draft *d)
{
    static const double nodes[] = {0.25, 1.0};
    const double level =
        (const double[]){0.2, 0.3, 0.1, 0.4, 0.03, 1.0}[PICK(d->c, 8, 6, 4, 4, 1, 1)];
    if (choose_rarely(d->c, 25)) {
        put(d, "{\"kind\": \"term\", \"nodes\": ");
        NODES(d, 2, level, 0.9 * level);
        put(d, "}");
    } else {
        put(d, "%.10g", level);
    }
}

/* What moves the boundary of exercise. */
static void put_early_dividends(draft *d, double spot)
{
    static const double ends[] = {0.003, 0.249}, both[] = {0.1, 0.4, 0.7, 0.999};
    switch (choose(d->c, d->alone ? 7 : 5)) {
    case 0:
        put(d, ", \"dividend_yield\": 0.06");
        break;
    case 1:
        put(d, ", \"dividend_yield\": -0.03");
        break;
    case 2:
        put(d, ", \"dividend_yield\": ");
        put_yield(d, ", \"borrow\": -0.04");
        break;
    case 3:
        put(d, ", \"dividends\": {\"cash\": ");
        put_pairs(d, both, (const double[]){0.01 * spot, 0.012 * spot, 0.01 * spot, 0.02 * spot},
                  4);
        put(d, "}");
        break;
    case 4:
        put(d, ", \"dividend_yield\": 0.01, \"dividends\": {\"cash\": ");
        put_pairs(d, both, (const double[]){0.02 * spot}, 1);
        put(d, ", \"proportional\": ");
        put_pairs(d, ends, (const double[]){0.01, 0.03}, 2);
        put(d, "}");
        break;
    case 5: /* the spot may end at 0 */
        put(d, ", \"dividends\": {\"cash\": ");
        put_pairs(d, ends, (const double[]){0.05 * spot, 0.5 * spot}, 2);
        put(d, "}");
        break;
    default:
        put(d, ", \"dividends\": {\"cash\": ");
        put_pairs(d, both, (const double[]){0.8 * spot}, 1);
        put(d, "}");
        break;
    }
}

/* One rule for all. What is watched at all times, and rates by regime, take rule spot. */
static void put_rule(draft *d)
{
    const bool fits = !d->continuous && !d->early && d->model != REGIMES;
    if (d->rule == 0) d->rule = 1 + (fits ? choose(d->c, 2) : 0);
    if (d->rule == 2) put(d, "\"rule\": \"affine\", ");
}

static void put_dividends(draft *d, double spot)
{
    if (d->early && choose(d->c, 2)) {
        put_early_dividends(d, spot);
        return;
    }
    static const double nodes[] = {0.25, 0.6};
    const unsigned kind = PICK(d->c, 10, 8, 2, 2, 2);
    switch (d->composite && kind == 4 ? 3 : kind) {
    case 0:
        break;
    case 1:
        put(d, ", \"dividend_yield\": 0.02");
        break;
    case 2:
        put(d, ", \"dividend_yield\": ");
        put_yield(d, ", \"borrow\": 0.005");
        break;
    case 3:
        put(d, ", \"dividends\": {\"proportional\": ");
        NODES(d, 2, 0.02, 0.03);
        put(d, "}");
        break;
    default:
        put(d, ", \"dividends\": {");
        put_rule(d);
        put(d, "\"cash\": ");
        NODES(d, 2, 0.01 * spot, 0.02 * spot);
        put(d, "}");
        break;
    }
}

/* Of the past dates that schedules have (book_text.c), and at times of today. */
static void put_fixings(draft *d, double spot)
{
    static const double nodes[] = {-0.5, -0.25, -0.1, 0.0};
    const bool now = choose_rarely(d->c, 8);
    double levels[4];
    for (size_t i = 0; i < 3; ++i)
        levels[i] = spot * choose_between(d->c, 1.0, i == 1 ? 0.75 : 1.25, 10);
    levels[3] = 0.99 * spot;
    put(d, ", \"fixings\": ");
    put_pairs(d, nodes, levels, now ? 4 : 3);
}

static void put_asset(draft *d, unsigned i)
{
    static const double spots[] = {100.0, 50.0, 20.0, 250.0};
    d->spots[i] = spots[i];
    if (choose_rarely(d->c, 20))
        d->spots[i] = (const double[]){1.0, 4217.35, 0.73}[choose(d->c, 3)];
    put(d, "%s\"%c\": {\"currency\": \"%s\", \"spot\": %.10g", i ? ", " : "", asset_names[i],
        d->quanto ? "JPY" : "USD", d->spots[i]);
    if (is_volatility_read(d)) {
        put(d, ", \"volatility\": ");
        put_volatility(d);
    }
    put_dividends(d, d->spots[i]);
    if (choose_rarely(d->c, 8) || d->quanto) put(d, ", \"curve\": \"FUND\"");
    put_fixings(d, d->spots[i]);
    put(d, "}");
}

/* The rate of exchange, as the price of either currency. */
static void put_rate(draft *d)
{
    static const char *const ends[2][2] = {{"0.3", "2"}, {"\"2026-07-01\"", "\"2028-03-02\""}};
    static const double nodes[] = {-0.5, -0.25, -0.1, 0.0}, ones[] = {1.0, 1.0, 1.0, 1.0};
    if (choose_rarely(d->c, 50))
        put(d,
            ", \"FX\": {\"currency\": \"JPY\", \"curve\": \"FUND\", \"base_currency\": \"USD\", "
            "\"spot\": %s, \"volatility\": 0.11",
            d->composite ? "1" : "150");
    else
        put(d,
            ", \"FX\": {\"currency\": \"USD\", \"base_currency\": \"JPY\", \"base_curve\": "
            "\"FUND\", "
            "\"spot\": %s, \"volatility\": {\"kind\": \"term\", \"nodes\": [[%s, 0.08], [%s, "
            "0.12]]}",
            d->composite ? "1" : "0.0066", ends[d->dated][0], ends[d->dated][1]);
    if (d->composite) put(d, ", \"fixings\": ");
    if (d->composite) put_pairs(d, nodes, ones, 4);
    put(d, "}");
}

static void put_matrix(draft *d, double rho)
{
    put(d, "[");
    for (unsigned i = 0; i < d->n_assets; ++i) {
        put(d, "%s[", i ? ", " : "");
        for (unsigned j = 0; j < d->n_assets; ++j) {
            const double entry = i == j ? 1.0 : rho;
            put(d, "%s%.10g", j ? ", " : "", entry);
        }
        put(d, "]");
    }
    put(d, "]");
}

/* Of variances whose rho is -0.7: 0.49 rho of their assets, and half of all that could be beside.
 */
static void put_variances(draft *d, double rho)
{
    for (unsigned i = 1; i < d->n_assets; ++i)
        for (unsigned j = 0; j < i; ++j)
            put(d, ", [\"%c.variance\", \"%c.variance\", %.10g]", asset_names[j], asset_names[i],
                0.49 * rho + 0.255);
}

/* Models of independent assets have none. */
static void put_correlations(draft *d)
{
    const bool independent = d->model == NIG || d->model == GAMMA || d->model == HISTORICAL;
    const double low = d->n_assets == 2 ? -0.8 : -0.3,
                 rho = (const double[]){0.5, 0.0, 0.9, low, 0.95}[PICK(d->c, 8, 2, 3, 2, 1)];
    if ((d->n_assets < 2 && !d->quanto) || independent) return;
    put(d, ", \"correlations\": {");
    if (choose_rarely(d->c, 25) && !d->quanto) {
        put(d, "\"kind\": \"term\", \"names\": [");
        for (unsigned i = 0; i < d->n_assets; ++i)
            put(d, "%s\"%c.spot\"", i ? ", " : "", asset_names[i]);
        put(d, "], \"nodes\": [[");
        put_time(d, 0.4);
        put(d, ", ");
        put_matrix(d, rho);
        put(d, "], [");
        put_time(d, 1.5);
        put(d, ", ");
        put_matrix(d, 0.3);
        put(d, "]]}");
        return;
    }
    unsigned n = 0;
    put(d, "\"pairs\": [");
    for (unsigned i = 1; i < d->n_assets; ++i)
        for (unsigned j = 0; j < i; ++j)
            put(d, "%s[\"%c.spot\", \"%c.spot\", %.10g]", n++ ? ", " : "", asset_names[j],
                asset_names[i], rho);
    for (unsigned i = 0; i < d->n_assets && d->quanto; ++i)
        put(d, "%s[\"%c.spot\", \"FX.spot\", %.10g]", n++ ? ", " : "", asset_names[i],
            (rho > 0.6 ? 0.3 : 1.0) * (0.4 - 0.3 * i)); /* consistent */
    d->variances = (d->model == HESTON || d->model == BATES) && choose_rarely(d->c, 4);
    if (d->variances) put_variances(d, rho);
    put(d, "]}");
}

void put_market(draft *d)
{
    put(d, "\"market\": {\"curves\": {\"USD\": ");
    put_curve(d);
    put(d, ", \"FUND\": %s}, \"assets\": {",
        choose_rarely(d->c, 30) ? "{\"kind\": \"spread\", \"over\": \"USD\", \"rate\": 0.004}"
                                : "0.03");
    for (unsigned i = 0; i < d->n_assets; ++i) put_asset(d, i);
    if (d->quanto) put_rate(d);
    put(d, "}");
    put_correlations(d);
    put(d, "}, ");
}

/* ---- Models ---- */

static const char *regimes(const draft *d)
{
    static const char *const kinds[] = {
        "\"regimes\": {\"calm\": {\"volatilities\": 0.15}, \"wild\": {\"volatilities\": 0.35}}, "
        "\"generator\": [[-0.5, 0.5], [3, -3]], \"initial_regime\": \"calm\"",
        "\"regimes\": {\"calm\": {\"volatility_factors\": 0.8, \"drifts\": 0.02}, \"wild\": "
        "{\"volatility_factors\": 1.5, \"drifts\": -0.1}}, \"generator\": [[-1, 1], [4, -4]], "
        "\"initial_probabilities\": [0.7, 0.3]",
        "\"regimes\": {\"a\": {\"volatilities\": 0.1}, \"b\": {\"volatilities\": 0.3}}, "
        "\"transition\": [[0.9, 0.1], [0.3, 0.7]], \"period\": 0.25, \"initial_regime\": \"a\"",
        "\"regimes\": {\"a\": {\"volatilities\": 0.15, \"jumps\": [{\"intensity\": 1, "
        "\"arrivals\": "
        "\"common\", \"mark\": {\"kind\": \"normal\", \"mean\": -0.05, \"volatility\": 0.1}}]}, "
        "\"b\": {\"volatilities\": 0.3}}, \"generator\": [[-1, 1], [2, -2]], \"initial_regime\": "
        "\"b\"",
        "\"regimes\": {\"a\": {\"volatilities\": 0.15}, \"b\": {\"volatilities\": 0.3}}, "
        "\"generator\": [[-1, 1], [2, -2]], \"initial_regime\": \"a\", \"switching\": \"stepped\", "
        "\"step\": 0.1"};
    return kinds[d->regimes];
}

enum { REGIMES_APART = 5 }; /* the number behind those above */

/* Of assets whose volatilities do not move in proportion: paths are split where a regime ends. */
static void put_apart(draft *d)
{
    static const double levels[2][4] = {{0.15, 0.3, 0.2, 0.25}, {0.35, 0.32, 0.5, 0.28}};
    put(d, ", \"regimes\": {");
    for (unsigned r = 0; r < 2; ++r) {
        put(d, "%s\"%c\": {\"volatilities\": [", r ? ", " : "", 'a' + r);
        for (unsigned i = 0; i < d->n_assets; ++i) put(d, "%s%.10g", i ? ", " : "", levels[r][i]);
        put(d, "]}");
    }
    put(d, "}, \"generator\": [[-2, 2], [3, -3]], \"initial_regime\": \"a\"");
}

static void put_jumps(draft *d)
{
    static const char *const layers[] = {
        "{\"intensity\": 0.5, \"mark\": {\"kind\": \"normal\", \"mean\": -0.1, \"volatility\": "
        "0.15}}",
        "{\"intensity\": 1, \"arrivals\": \"common\", \"mark\": {\"kind\": \"double_exponential\", "
        "\"probability_up\": 0.3, \"rate_up\": 25, \"rate_down\": 15}}",
        "{\"intensity\": 2, \"mark\": {\"kind\": \"empirical\", \"shocks\": [[-0.1, 1], [0.05, "
        "3]]}}"};
    put(d, ", \"jumps\": [%s", layers[choose(d->c, 3)]);
    if (choose_rarely(d->c, 25)) put(d, ", %s", layers[choose(d->c, 3)]);
    put(d, "]");
}

static void put_shocks(draft *d)
{
    static const double rows[][5] = {{-0.03, -0.025, -0.02, -0.01, 1},
                                     {-0.01, 0.005, -0.012, -0.004, 4},
                                     {0.0, 0.0, 0.0, 0.0, 6},
                                     {0.011, 0.008, -0.002, 0.003, 4},
                                     {0.028, 0.01, 0.03, 0.015, 1}};
    put(d, ", \"shocks\": [");
    for (size_t r = 0; r < 5; ++r) {
        put(d, "%s[", r ? ", " : "");
        for (unsigned i = 0; i < d->n_assets; ++i) put(d, "%.10g, ", rows[r][i]);
        put(d, "%g]", rows[r][4]);
    }
    put(d, "]");
}

/* Of a variance: each one number, or another one of two terms or three. */
static void put_terms(draft *d)
{
    static const double nodes[] = {0.2, 0.45, 1.3};
    static const struct {
        const char *key;
        double number, first, second;
    } keys[] = {{"theta", 0.06, 0.03, 0.09},
                {"kappa", 1.5, 3.0, 0.8},
                {"xi", 0.6, 0.3, 0.9},
                {"rho", -0.7, 0.2, -0.9}};
    const bool any = choose_rarely(d->c, 40);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; ++k) {
        const bool by_term = any && !(d->variances && k == 3) && choose_rarely(d->c, 50);
        put(d, ", \"%s\": ", keys[k].key);
        if (by_term) {
            put(d, "{\"kind\": \"term\", \"nodes\": ");
            NODES(d, 2 + k % 2, keys[k].first, keys[k].second, keys[k].number);
            put(d, "}");
        } else {
            put(d, "%.10g", keys[k].number);
        }
    }
}

void put_model(draft *d)
{
    static const char *const kinds[] = {
        "\"kind\": \"black_scholes\"",
        "\"kind\": \"merton\", \"intensity\": 1, \"jump_mean\": -0.1, \"jump_volatility\": 0.15",
        ("\"kind\": \"kou\", \"intensity\": 2, \"probability_up\": 0.3, \"rate_up\": 25, "
         "\"rate_down\": 15"),
        "\"kind\": \"regime_switching\"",
        "\"kind\": \"normal_inverse_gaussian\", \"alpha\": 15, \"beta\": -5, \"delta\": 0.5",
        "\"kind\": \"variance_gamma\", \"sigma\": 0.2, \"theta\": -0.1, \"nu\": 0.2",
        "\"kind\": \"historical\"",
        "\"kind\": \"heston\", \"v0\": 0.04",
        ("\"kind\": \"bates\", \"v0\": 0.04, \"intensity\": 0.5, \"jump_mean\": -0.1, "
         "\"jump_volatility\": 0.15")};
    put(d, "\"models\": {\"m\": {%s, \"assets\": [", kinds[d->model]);
    for (unsigned i = 0; i < d->n_assets; ++i) put(d, "%s\"%c\"", i ? ", " : "", asset_names[i]);
    put(d, d->simulated ? ", \"FX\"]" : "]");
    if (d->model == REGIMES && d->regimes == REGIMES_APART)
        put_apart(d);
    else if (d->model == REGIMES)
        put(d, ", %s", regimes(d));
    if (d->model == HESTON || d->model == BATES) put_terms(d);
    if (d->jumps) put_jumps(d);
    if (d->model == HISTORICAL) put_shocks(d);
    put(d, "}}, ");
}

/* ---- The simulation, the measures and the scenarios ---- */

void put_simulation(draft *d)
{
    static const char *const constructions[] = {
        "\"bridge\"", "\"pca\"", "\"incremental\"",
        "{\"kind\": \"bridge\", \"first\": {\"functional\": \"average\"}}",
        "{\"kind\": \"bridge\", \"first\": {\"components\": 2}}"};
    static const char *const generators[] = {"sobol_scrambled", "philox", "mrg32k3a"};
    const unsigned construction = PICK(d->c, 8, 3, 2, 1, 1), drawn = PICK(d->c, 18, 1, 1),
                   generator = d->has_legs ? 0 : drawn; /* one replicate gives sums no error */
    const bool no_gaussian_bridge = d->model == GAMMA;
    put(d, "\"simulation\": {\"construction\": %s, \"generator\": \"%s\"",
        constructions[no_gaussian_bridge && construction != 2 ? 0 : construction],
        generators[generator]);
    if (generator == 0) put(d, ", \"replicates\": 16");
    if (choose_rarely(d->c, 10)) put(d, ", \"jumps\": \"by_interval\"");
    put(d, "}}");
}

/* What the model has. */
static bool has_volatility(const draft *d)
{
    return d->model != NIG && d->model != GAMMA && d->model != HISTORICAL;
}

static bool has_theta(const draft *d)
{
    return (d->model == BLACK || d->model == HESTON) && !d->jumps;
}

/* Greeks of the model's numbers. Jumps have them for several assets, too. */
static void put_parameters(draft *d)
{
    const bool varies = d->model == HESTON || d->model == BATES,
               jumps = d->jumps || d->model == MERTON || d->model == KOU;
    if (varies) put(d, ", \"delta_minimum_variance\"");
    if (d->n_assets == 1 ? varies || jumps : jumps && !varies) put(d, ", \"parameters\"");
}

void put_measures(draft *d)
{
    static const struct {
        const char *names;
        unsigned char percent;
        bool volatility, theta, pair, black;
    } groups[] = {
        {"\"delta\"", 60, 0, 0, 0, 0},
        {"\"gamma\"", 40, 0, 0, 0, 0},
        {"\"vega\"", 40, 1, 0, 0, 0},
        {"\"rho\"", 30, 0, 0, 0, 0},
        {"\"theta\"", 30, 0, 1, 0, 0},
        {"\"vanna\", \"volga\"", 15, 1, 0, 0, 0},
        {"\"cross_gamma\"", 20, 0, 0, 1, 0},
        {"\"correlation\"", 20, 1, 0, 1, 0},
        {"\"implied_volatility\"", 20, 0, 0, 0, 0},
        {NULL, 40, 0, 0, 0, 0},
        {"\"dividend_rho\", \"borrow_rho\", \"dividends\"", 15, 0, 0, 0, 0},
        {"\"vega_by_node\"", 10, 1, 0, 0, 1},
        {"\"rho_by_node\"", 10, 0, 0, 0, 0},
        {"\"cash_flows\"", 30, 0, 0, 0, 0},
        {"\"probability\", \"expected_life\", \"exercise_value\", \"continuation\", \"boundary\"",
         30, 0, 0, 0, 0}};
    put(d, "\"measures\": [\"price\"");
    for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i) {
        const bool has =
            (!groups[i].volatility || has_volatility(d)) && (!groups[i].theta || has_theta(d)) &&
            (!groups[i].pair || d->n_assets > 1) && (!groups[i].black || d->model == BLACK);
        if (!choose_rarely(d->c, groups[i].percent) || !has) continue;
        d->volga = d->volga || (groups[i].names && strstr(groups[i].names, "volga"));
        if (groups[i].names)
            put(d, ", %s", groups[i].names);
        else
            put_parameters(d);
    }
    put(d, "], ");
}

void put_scenarios(draft *d)
{
    static const char *const shifts[] = {
        "\"shifts\": [{\"factor\": \"A.spot\", \"size\": -0.1}]",
        "\"shifts\": [{\"factor\": \"ALL.spot\", \"size\": 0.15}, {\"factor\": \"USD.rate\", "
        "\"type\": \"absolute\", \"size\": 0.01}]",
        "\"shifts\": [{\"factor\": \"A.dividend_yield\", \"type\": \"absolute\", \"size\": 0.02}]",
        "\"shifts\": [{\"factor\": \"ALL.volatility\", \"type\": \"relative\", \"size\": 0.25}]",
        "\"grid\": [{\"factor\": \"A.spot\", \"sizes\": [-0.2, 0, 0.05]}, {\"factor\": "
        "\"ALL.rate\", \"type\": \"absolute\", \"sizes\": [-0.005, 0.01]}]",
        "\"shifts\": [{\"factor\": \"ALL.theta\", \"size\": 0.1}, {\"factor\": \"A.xi\", "
        "\"size\": -0.05}]"};
    const unsigned n = PICK(d->c, 6, 3, 2);
    if (n == 0) return;
    put(d, "\"scenarios\": [");
    for (unsigned i = 0; i < n; ++i) {
        const unsigned k = PICK(d->c, 4, 3, 2, 2, 1);
        const bool varies = d->model == HESTON || d->model == BATES;
        const unsigned own = k == 2 && varies ? 5 : k;
        put(d, "%s{\"id\": \"s%u\", %s}", i ? ", " : "", i,
            shifts[own == 3 && !has_volatility(d) ? 0 : own]);
    }
    put(d, "], ");
}
