/* reference_case.c: the mapping. Numbers are copied as the text they are, so that nothing is
 * rounded on the way; only schedules, and curves of models with segments, are computed. A key the
 * mapping does not know refuses the case: a term can never be dropped in silence. Asset i is called
 * Ai; curves are DISCOUNT and FUNDING, at which the forward grows. */
#include "tests/reference_case.h"

#include "engine/base/number.h"
#include "tests/reference_script.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct mapping {
    const levy_node *model, *payoff, *exercise;
    const char *model_type, *payoff_type;
    FILE *out;
} mapping;

const char *reference_text(const levy_node *map, const char *key)
{
    const levy_node *node = levy_node_find(map, key);
    return node && node->kind == LEVY_NODE_SCALAR ? node->text : "";
}

static bool is(const levy_node *map, const char *key, const char *text)
{
    return !strcmp(reference_text(map, key), text);
}

double reference_number(const levy_node *node)
{
    double value;
    if (!node || node->kind != LEVY_NODE_SCALAR) return NAN;
    return levy_number_read(node->text, node->length, &value) == LEVY_NUMBER_OK ? value : NAN;
}

static double number_of(const levy_node *map, const char *key)
{
    return reference_number(levy_node_find(map, key));
}

/* ---- What levy can price --------------------------------------------------------------------- */

/* The keys a map may have: `allowed` is a space-separated list. The first other key, or NULL. */
static const char *key_outside(const levy_node *map, const char *allowed)
{
    if (!map) return NULL;
    for (const levy_node *child = map->children; child; child = child->next) {
        const char *key = child->key->text;
        const size_t length = strlen(key);
        bool found = false;
        for (const char *at = strstr(allowed, key); at && !found; at = strstr(at + 1, key))
            found = (at == allowed || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0');
        if (!found) return key;
    }
    return NULL;
}

static const struct {
    const char *type, *keys;
} payoffs[] = {
    {"vanilla", "type option strike fixed_fx"},
    {"cash_or_nothing", "type option strike cash"},
    {"asset_or_nothing", "type option strike"},
    {"asian_arithmetic",
     "type option strike strike_type monitoring observations past_fixings definition"},
    {"asian_geometric", "type option strike strike_type monitoring observations definition"},
    {"barrier",
     "type option strike rebate rebate_timing monitoring observations barrier barrier_type"},
    {"basket", "type option strike weights"},
    {"basket_geometric", "type option strike weights definition"},
    {"rainbow", "type option strike selector"},
    {"spread", "type option strike weights"},
    {"exchange", "type definition"},
    {"basket_asian_arithmetic", "type option strike weights observations"},
    {"basket_geometric_asian", "type option strike weights observations definition"},
    {"one_touch", "type barrier direction cash payment monitoring"},
    {"barrier_cash_or_nothing", "type option strike barrier barrier_type cash monitoring"},
    {"barrier_asset_or_nothing", "type option strike barrier barrier_type monitoring"},
    {"double_barrier",
     "type option strike rebate monitoring observations barrier_type lower upper fixed_fx"},
    {"double_barrier_binary", "type lower upper cash definition monitoring"},
    {"partial_time_barrier",
     "type option strike barrier barrier_type window definition monitoring"},
    {"lookback_floating", "type option running_extremum monitoring observations window definition"},
    {"lookback_fixed",
     "type option strike running_extremum monitoring observations window definition"},
    {"forward_start", "type option strike_fraction reset_time definition"},
    {"forward_start_performance", "type option strike_fraction reset_time notional definition"},
    {"shout", "type option strike definition"},
    {"cliquet", "type notional local_floor local_cap global_floor global_cap resets definition"},
};

/* Words of definitions, where the type alone does not say what is paid. */
static const char *const binary_definitions[] = {
    "cash at expiry if neither barrier is touched", "cash at expiry if either barrier is touched",
    "cash paid when the lower barrier is touched before the upper",
    "cash paid when the upper barrier is touched before the lower"};
static const char crossing[] =
    "knocked out if the barrier is crossed from either side inside the window";

/* A continuous average that is taken by the trapezoidal rule, whose error is far below that of the
 * points: as the model has steps, its grid has the dates anyway. */
enum { TRAPEZOIDS = 128 };
static bool is_trapezoid(const mapping *m)
{
    return is(m->model, "type", "heston") && is(m->payoff, "monitoring", "continuous") &&
           !strcmp(m->payoff_type, "asian_geometric") && is(m->payoff, "strike_type", "fixed");
}

/* A barrier that is watched at all times while the variance is random: the steps leave an error. */
static bool is_stepped(const mapping *m)
{
    return is(m->model, "type", "heston") && is(m->payoff, "monitoring", "continuous") &&
           levy_node_find(m->payoff, "barrier");
}

static const char *refuse_payoff(const mapping *m)
{
    static const char *const barriers[] = {"up_in",    "up_out",    "down_in", "down_out",
                                           "knock_in", "knock_out", NULL};
    if (is(m->payoff, "monitoring", "continuous") && !strncmp(m->payoff_type, "asian", 5) &&
        !is_trapezoid(m))
        return "continuous monitoring";
    const char *keys = reference_script_keys(m->payoff_type);
    for (size_t i = 0; i < sizeof payoffs / sizeof *payoffs; ++i)
        if (!strcmp(payoffs[i].type, m->payoff_type)) keys = payoffs[i].keys;
    if (!keys) return "payoff";
    if (!strcmp(m->payoff_type, "variance_swap_fair_strike") &&
        !levy_node_find(m->payoff, "observations"))
        return "continuous sampling";
    if (key_outside(m->payoff, keys)) return "a term of the payoff";
    if (!strcmp(m->payoff_type, "double_barrier") && number_of(m->payoff, "rebate") != 0.0)
        return "rebate";
    if (!strcmp(m->payoff_type, "double_barrier_binary")) {
        size_t kind = 0;
        while (kind < 4 && !is(m->payoff, "definition", binary_definitions[kind])) ++kind;
        if (kind == 4) return "definition";
    }
    if (levy_node_find(m->payoff, "barrier_type")) {
        const char *const *known = barriers;
        while (*known && !is(m->payoff, "barrier_type", *known)) ++known;
        if (!*known) return "barrier type";
    }
    return NULL;
}

/* The kind of levy's model with these jumps, or NULL. */
static const char *jump_kind(const mapping *m)
{
    if (!strcmp(m->model_type, "jump_diffusion_lognormal")) return "merton";
    return !strcmp(m->model_type, "jump_diffusion_double_exponential") ? "kou" : NULL;
}

/* Models with drivers of their own, and the keys of an asset's numbers, theirs and ours. */
enum { MOST_KEYS = 5 };
static const struct {
    const char *type, *keys[MOST_KEYS], *ours[MOST_KEYS];
} driven_models[] = {
    {"heston",
     {"initial_variance", "long_run_variance", "mean_reversion", "vol_of_variance",
      "spot_variance_correlation"},
     {"v0", "theta", "kappa", "xi", "rho"}},
    {"bates",
     {"initial_variance", "long_run_variance", "mean_reversion", "vol_of_variance",
      "spot_variance_correlation"},
     {"v0", "theta", "kappa", "xi", "rho"}},
    {"variance_gamma", {"vg_volatility", "vg_variance_rate", "vg_drift"}, {"sigma", "nu", "theta"}},
    {"normal_inverse_gaussian", {"alpha", "beta", "delta"}, {"alpha", "beta", "delta"}}};
enum { N_DRIVEN = sizeof driven_models / sizeof *driven_models };

/* Its number, or N_DRIVEN. */
static size_t driven_model(const mapping *m)
{
    size_t i = 0;
    while (i < N_DRIVEN && strcmp(driven_models[i].type, m->model_type)) ++i;
    return i;
}

static const char *refuse_model(const mapping *m)
{
    if (driven_model(m) < N_DRIVEN)
        return key_outside(m->model, "type rate assets") ? "a term of the model" : NULL;
    if (!strcmp(m->model_type, "gbm"))
        return key_outside(m->model,
                           "type rate assets correlation discrete_dividends dividend_model")
                   ? "a term of the model"
                   : NULL;
    if (!strcmp(m->model_type, "gbm_piecewise"))
        return key_outside(m->model, "type assets segments") ? "a term of the model" : NULL;
    if (!strcmp(m->model_type, "quanto_gbm"))
        return key_outside(
                   m->model,
                   "type domestic_rate foreign_rate assets fx_volatility asset_fx_correlation")
                   ? "a term of the model"
                   : NULL;
    if (!strcmp(m->model_type, "regime_switching_gbm") ||
        !strcmp(m->model_type, "regime_switching_jump_diffusion_lognormal") ||
        !strcmp(m->model_type, "regime_switching_jump_diffusion_double_exponential"))
        return key_outside(m->model, "type assets regimes generator initial_regime")
                   ? "a term of the model"
                   : NULL;
    if (!strcmp(m->model_type, "regime_switching_lognormal_discrete"))
        return key_outside(
                   m->model,
                   "type rate step_years assets regimes transition_matrix_per_step initial_regime")
                   ? "a term of the model"
                   : NULL;
    if (jump_kind(m)) {
        if (key_outside(m->model, "type rate assets")) return "a term of the model";
        const levy_node *const asset = levy_node_find(m->model, "assets")->children,
                               *const jumps = levy_node_find(asset, "jumps");
        if (asset->next) return "several assets that jump";
        const bool lognormal = !strcmp(jump_kind(m), "merton");
        return !jumps || key_outside(asset, "spot dividend_yield volatility jumps") ||
                       key_outside(jumps, lognormal ? "intensity log_jump_mean log_jump_stdev"
                                                    : "intensity up_probability up_rate down_rate")
                   ? "a term of the jumps"
                   : NULL;
    }
    return "model";
}

/* Whether the option is exercised, or shouted, at any time. */
static bool is_american(const mapping *m)
{
    return is(m->exercise, "style", "american") || is(m->exercise, "style", "american_shout");
}

/* Whether the option is exercised early. */
static bool is_early(const mapping *m)
{
    return is_american(m) || is(m->exercise, "style", "bermudan");
}

/* By a rule that is fitted to paths: all but those on one lognormal asset, which need none. */
static bool is_by_rule(const mapping *m)
{
    return is_early(m) && (strcmp(m->model_type, "gbm") || strcmp(m->payoff_type, "vanilla"));
}

/* Why early exercise has no price, or NULL. */
static const char *refuse_early(const mapping *m)
{
    static const char *const types[] = {"vanilla", "basket_geometric", "rainbow", "exchange"};
    if (is(m->exercise, "style", "european")) return NULL;
    if (!is_early(m)) return "exercise";
    if (is(m->exercise, "style", "american_shout"))
        return strcmp(m->payoff_type, "shout") ? "shout of the payoff" : NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (!strcmp(m->payoff_type, types[i])) return NULL;
    return "exercise of the payoff";
}

/* The reason in words, in memory of its own; NULL: levy can. */
static char *refuse_case(const mapping *m)
{
    const char *reason = refuse_model(m), *detail = m->model_type;
    if (!reason && refuse_early(m))
        reason = refuse_early(m), detail = reference_text(m->exercise, "style");
    if (!reason && key_outside(m->exercise, is_early(m) ? "style expiry dates" : "style expiry"))
        reason = "a term of the exercise", detail = m->payoff_type;
    if (!reason) reason = refuse_payoff(m), detail = m->payoff_type;
    if (!reason) return NULL;
    const size_t size = strlen(reason) + strlen(detail) + 4;
    char *words = malloc(size);
    if (words) snprintf(words, size, "%s: %s", reason, *detail ? detail : "none");
    return words;
}

/* ---- Market ---------------------------------------------------------------------------------- */

static void write_discount_nodes(const mapping *m, const char *name, bool less_dividends)
{
    double from = 0.0, integral = 0.0;
    fprintf(m->out, "    %s: {kind: discount, nodes: [", name);
    const levy_node *segments = levy_node_find(m->model, "segments");
    for (const levy_node *part = segments->children; part; part = part->next) {
        const double until = number_of(part, "until");
        const double yield = less_dividends ? number_of(part, "dividend_yield") : 0.0;
        integral += (number_of(part, "rate") - yield) * (until - from);
        fprintf(m->out, "%s[%s, %.17g]", part == segments->children ? "" : ", ",
                reference_text(part, "until"), exp(-integral));
        from = until;
    }
    fputs("]}\n", m->out);
}

/* Its rho is by the domestic rate alone, which discounts. */
static bool is_quanto(const mapping *m) { return !strcmp(m->model_type, "quanto_gbm"); }

static bool is_regimes(const mapping *m) { return !strncmp(m->model_type, "regime_switching", 16); }

static void write_curves(const mapping *m)
{
    fputs("schema_version: 1\nmarket:\n  curves:\n", m->out);
    if (levy_node_find(m->model, "segments")) {
        write_discount_nodes(m, "DISCOUNT", false);
        write_discount_nodes(m, "FUNDING", true);
        return;
    }
    /* the first regime's; the others' differ from it */
    if (is_regimes(m) && !levy_node_find(m->model, "rate")) {
        const char *rate = reference_text(levy_node_find(m->model, "regimes")->children, "rate");
        fprintf(m->out, "    DISCOUNT: %s\n    FUNDING: %s\n", rate, rate);
        return;
    }
    fprintf(m->out, "    DISCOUNT: %s\n",
            reference_script_is_undiscounted(m->payoff_type)
                ? "0"
                : reference_text(m->model, is_quanto(m) ? "domestic_rate" : "rate"));
    fprintf(m->out, "    FUNDING: %s\n",
            reference_text(m->model, is_quanto(m) ? "foreign_rate" : "rate"));
}

/* Volatilities of segments become Black volatilities to the end of each: levy keeps total variance
 * linear in between.
 */
static void write_volatility(const mapping *m, const levy_node *asset)
{
    const levy_node *segments = levy_node_find(m->model, "segments");
    if (driven_model(m) < N_DRIVEN) return;
    if (is_regimes(m)) {
        fputs(", volatility: 0.2", m->out); /* not used: the regimes have their own */
        return;
    }
    if (!segments) {
        fprintf(m->out, ", volatility: %s", reference_text(asset, "volatility"));
        return;
    }
    double from = 0.0, variance = 0.0;
    fputs(", volatility: {kind: term, nodes: [", m->out);
    for (const levy_node *part = segments->children; part; part = part->next) {
        const double until = number_of(part, "until"), sigma = number_of(part, "volatility");
        variance += sigma * sigma * (until - from);
        fprintf(m->out, "%s[%s, %.17g]", part == segments->children ? "" : ", ",
                reference_text(part, "until"), sqrt(variance / until));
        from = until;
    }
    fputs("]}", m->out);
}

/* The dividends of one kind, after `separator`; how many there are. */
static size_t write_dividends(const mapping *m, const char *kind, const char *separator)
{
    const levy_node *list = levy_node_find(m->model, "discrete_dividends");
    size_t n = 0;
    for (const levy_node *item = list ? list->children : NULL; item; item = item->next) {
        if (!levy_node_find(item, kind)) continue;
        if (n++ == 0)
            fprintf(m->out, "%s%s: [", separator, kind);
        else
            fputs(", ", m->out);
        fprintf(m->out, "[%s, %s]", reference_text(item, "time"), reference_text(item, kind));
    }
    if (n) fputs("]", m->out);
    return n;
}

/* Only the mean of past fixings is given: as many equal fixings as there were, at -1/100, -2/100,
 * ... years. */
static unsigned past_count(const mapping *m)
{
    const double count = number_of(levy_node_find(m->payoff, "past_fixings"), "count");
    return count > 0.0 ? (unsigned)count : 0;
}

static void write_asset(const mapping *m, const levy_node *asset, size_t index)
{
    fprintf(m->out, "    A%zu: {currency: USD, spot: %s, curve: FUNDING", index,
            reference_text(asset, "spot"));
    if (is_regimes(m) &&
        levy_node_find(levy_node_find(m->model, "regimes")->children, "dividend_yield"))
        fprintf(m->out, ", dividend_yield: %s",
                reference_text(levy_node_find(m->model, "regimes")->children, "dividend_yield"));
    else if (levy_node_find(asset, "dividend_yield"))
        fprintf(m->out, ", dividend_yield: %s", reference_text(asset, "dividend_yield"));
    write_volatility(m, asset);
    if (levy_node_find(m->model, "discrete_dividends")) {
        fputs(", dividends: {", m->out);
        if (write_dividends(m, "cash", "") > 0)
            write_dividends(m, "proportional", ", ");
        else
            write_dividends(m, "proportional", "");
        fputs("}", m->out);
    }
    if (past_count(m)) {
        const char *mean = reference_text(levy_node_find(m->payoff, "past_fixings"), "average");
        fputs(", fixings: [", m->out);
        for (unsigned k = past_count(m); k > 0; --k)
            fprintf(m->out, "[-%.2f, %s]%s", k / 100.0, mean, k > 1 ? ", " : "]");
    }
    fputs("}\n", m->out);
}

static void write_matrix(const mapping *m, const char *name, const levy_node *matrix)
{
    fprintf(m->out, "    %s: [", name);
    for (const levy_node *row = matrix->children; row; row = row->next) {
        fputs("[", m->out);
        for (const levy_node *cell = row->children; cell; cell = cell->next)
            fprintf(m->out, "%s%s", cell->text, cell->next ? ", " : "]");
        fputs(row->next ? ", " : "]\n", m->out);
    }
}

/* Regimes R1, R2, ...: rates and yields by what they differ from the first's. */
static void write_regimes(const mapping *m, size_t n_assets)
{
    const levy_node *regimes = levy_node_find(m->model, "regimes"), *first = regimes->children;
    const double step = number_of(m->model, "step_years");
    size_t r = 0;
    fputs("models:\n  equity:\n    kind: regime_switching\n    assets: [", m->out);
    for (size_t i = 1; i <= n_assets; ++i)
        fprintf(m->out, "A%zu%s", i, i < n_assets ? ", " : "]\n    regimes:\n");
    for (const levy_node *regime = first; regime; regime = regime->next) {
        if (levy_node_find(regime, "step_stdev"))
            fprintf(m->out, "      R%zu: {volatilities: [%.17g]}\n", ++r,
                    number_of(regime, "step_stdev") / sqrt(step));
        else
            fprintf(m->out, "      R%zu: {volatilities: [%s], rate: %.17g, drifts: [%.17g]", ++r,
                    reference_text(regime, "volatility"),
                    number_of(regime, "rate") - number_of(first, "rate"),
                    number_of(first, "dividend_yield") - number_of(regime, "dividend_yield"));
        const levy_node *jumps = levy_node_find(regime, "jumps");
        if (levy_node_find(jumps, "log_jump_mean"))
            fprintf(m->out,
                    ", jumps: [{intensity: %s, mark: {kind: normal, mean: %s, volatility: %s}}]",
                    reference_text(jumps, "intensity"), reference_text(jumps, "log_jump_mean"),
                    reference_text(jumps, "log_jump_stdev"));
        else if (jumps)
            fprintf(m->out,
                    ", jumps: [{intensity: %s, mark: {kind: double_exponential, probability_up: "
                    "%s, rate_up: %s, rate_down: %s}}]",
                    reference_text(jumps, "intensity"), reference_text(jumps, "up_probability"),
                    reference_text(jumps, "up_rate"), reference_text(jumps, "down_rate"));
        if (!levy_node_find(regime, "step_stdev")) fputs("}\n", m->out);
    }
    if (levy_node_find(m->model, "generator")) {
        write_matrix(m, "generator", levy_node_find(m->model, "generator"));
    } else {
        write_matrix(m, "transition", levy_node_find(m->model, "transition_matrix_per_step"));
        fprintf(m->out, "    period: %s\n", reference_text(m->model, "step_years"));
    }
    fprintf(m->out, "    initial_regime: R%s\n", reference_text(m->model, "initial_regime"));
}

static void write_jumps(const mapping *m)
{
    static const char *const names[][2] = {{"intensity", "intensity"},
                                           {"log_jump_mean", "jump_mean"},
                                           {"log_jump_stdev", "jump_volatility"},
                                           {"up_probability", "probability_up"},
                                           {"up_rate", "rate_up"},
                                           {"down_rate", "rate_down"}};
    const levy_node *const jumps =
        levy_node_find(levy_node_find(m->model, "assets")->children, "jumps");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (levy_node_find(jumps, names[i][0]))
            fprintf(m->out, ", %s: %s", names[i][1], reference_text(jumps, names[i][0]));
}

static void write_model(const mapping *m, size_t n)
{
    const size_t driven = driven_model(m);
    fprintf(m->out, "models:\n  equity: {kind: %s, assets: [",
            driven < N_DRIVEN ? driven_models[driven].type
            : jump_kind(m)    ? jump_kind(m)
                              : "black_scholes");
    for (size_t i = 1; i <= n; ++i) fprintf(m->out, "A%zu%s", i, i < n ? ", " : "]");
    if (jump_kind(m) || !strcmp(m->model_type, "bates")) write_jumps(m);
    for (size_t k = 0; driven < N_DRIVEN && k < MOST_KEYS && driven_models[driven].keys[k]; ++k) {
        fprintf(m->out, ", %s: [", driven_models[driven].ours[k]);
        for (const levy_node *asset = levy_node_find(m->model, "assets")->children; asset;
             asset = asset->next)
            fprintf(m->out, "%s%s", reference_text(asset, driven_models[driven].keys[k]),
                    asset->next ? ", " : "]");
    }
    fputs("}\n", m->out);
}

static size_t write_market(const mapping *m)
{
    size_t n = 0;
    write_curves(m);
    fputs("  assets:\n", m->out);
    for (const levy_node *asset = levy_node_find(m->model, "assets")->children; asset;
         asset = asset->next)
        write_asset(m, asset, ++n);
    if (is_quanto(m))
        fprintf(m->out,
                "    FX: {currency: EUR, curve: DISCOUNT, base_currency: USD, base_curve: FUNDING, "
                "spot: 1, volatility: %s}\n  correlations: {pairs: [[A1.spot, FX.spot, %s]]}\n",
                reference_text(m->model, "fx_volatility"),
                reference_text(m->model, "asset_fx_correlation"));
    const levy_node *correlation = levy_node_find(m->model, "correlation");
    if (correlation && n > 1) {
        fputs("  correlations:\n    names: [", m->out);
        for (size_t i = 1; i <= n; ++i)
            fprintf(m->out, "A%zu.spot%s", i, i < n ? ", " : "]\n    matrix: [");
        for (const levy_node *row = correlation->children; row; row = row->next) {
            fputs("[", m->out);
            for (const levy_node *cell = row->children; cell; cell = cell->next)
                fprintf(m->out, "%s%s", cell->text, cell->next ? ", " : "]");
            fputs(row->next ? ",\n      " : "]\n", m->out);
        }
    }
    if (is_regimes(m))
        write_regimes(m, n);
    else
        write_model(m, n);
    return n;
}

/* ---- Trade ----------------------------------------------------------------------------------- */

/* {first, last, count}: first + k (last - first)/(count - 1); the last is written as given, so that
 * it is the expiry.
 */
static void write_schedule(const levy_node *schedule, unsigned past, FILE *out)
{
    const double first = number_of(schedule, "first"), last = number_of(schedule, "last");
    const int count = (int)number_of(schedule, "count");
    fputs("[", out);
    for (unsigned k = past; k > 0; --k) fprintf(out, "-%.2f, ", k / 100.0);
    for (int k = 0; k < count - 1; ++k)
        fprintf(out, "%.17g,%s", first + k * ((last - first) / (count - 1)),
                k % 6 == 5 ? "\n      " : " ");
    fprintf(out, "%s]", reference_text(schedule, "last"));
}

static void write_observations(const mapping *m)
{
    write_schedule(levy_node_find(m->payoff, "observations"), past_count(m), m->out);
}

static void write_asian(const mapping *m, const char *method, const char *aggregate)
{
    fputs("kind: asian", m->out);
    if (aggregate) fprintf(m->out, ", aggregate: %s", aggregate);
    fprintf(m->out, ", averaging: {of: %s, method: %s, observations: ",
            is(m->payoff, "strike_type", "floating") ? "strike" : "price", method);
    write_observations(m);
    fputs("}", m->out);
}

/* Half of the first and the last level. */
static void write_trapezoid(const mapping *m)
{
    fprintf(m->out,
            "kind: script, script: \"var total = 0\\nat days { total += log(level) / %d }\\n"
            "at expiry { pay max(%s * (exp(total + log(start / level) / %d) - strike), 0) }\", "
            "schedules: {days: {count: %d}}, parameters: {strike: %s, start: %s}",
            TRAPEZOIDS, is(m->payoff, "option", "call") ? "1" : "(-1)", 2 * TRAPEZOIDS, TRAPEZOIDS,
            reference_text(m->payoff, "strike"),
            reference_text(levy_node_find(m->model, "assets")->children, "spot"));
}

/* How a block is monitored, up to its closing brace. */
static void write_monitoring(const mapping *m)
{
    const levy_node *window = levy_node_find(m->payoff, "window");
    if (!is(m->payoff, "monitoring", "continuous")) {
        fputs(", monitoring: discrete, observations: ", m->out);
        write_observations(m);
    } else if (window) {
        fprintf(m->out, ", monitoring: continuous, window: {start: %s, end: %s}",
                reference_text(window, "start"), reference_text(window, "end"));
    } else {
        fputs(", monitoring: continuous", m->out);
    }
    fputs("}", m->out);
}

static void write_barrier(const mapping *m)
{
    const char *type = reference_text(m->payoff, "barrier_type");
    const bool up = !strncmp(type, "up_", 3), cross = is(m->payoff, "definition", crossing);
    const char *knock = type + (up ? 3 : 5);
    if (!strcmp(m->payoff_type, "barrier_cash_or_nothing"))
        fprintf(m->out, "payout: cash, cash: %s, ", reference_text(m->payoff, "cash"));
    if (!strcmp(m->payoff_type, "barrier_asset_or_nothing")) fputs("payout: asset, ", m->out);
    if (number_of(m->payoff, "rebate") > 0.0)
        fprintf(m->out, "rebate: {amount: %s, pay: %s}, ", reference_text(m->payoff, "rebate"),
                is(m->payoff, "rebate_timing", "at_hit") ? "at_hit" : "at_expiry");
    fprintf(m->out, "kind: barrier, barrier: {direction: %s, knock: %s, level: %s",
            cross ? "cross"
            : up  ? "up"
                  : "down",
            cross ? "out" : knock, reference_text(m->payoff, "barrier"));
    write_monitoring(m);
}

static void write_double_barrier(const mapping *m)
{
    fprintf(m->out, "kind: double_barrier, barrier: {lower: %s, upper: %s, knock: %s",
            reference_text(m->payoff, "lower"), reference_text(m->payoff, "upper"),
            reference_text(m->payoff, "barrier_type") + 6);
    write_monitoring(m);
}

/* Cash on a touch, or without one. The side that is touched first is told apart by a rebate at hit.
 */
static void write_touch(const mapping *m)
{
    const char *cash = reference_text(m->payoff, "cash"),
               *lower = reference_text(m->payoff, "lower"),
               *upper = reference_text(m->payoff, "upper");
    size_t kind = 0;
    while (kind < 4 && !is(m->payoff, "definition", binary_definitions[kind])) ++kind;
    if (kind == 4) {
        fprintf(m->out, "kind: touch, cash: %s, pay: %s, barrier: {direction: %s, level: %s", cash,
                reference_text(m->payoff, "payment"), reference_text(m->payoff, "direction"),
                reference_text(m->payoff, "barrier"));
    } else if (kind < 2) {
        fprintf(m->out, "kind: touch, cash: %s, pays: %s, barrier: {lower: %s, upper: %s", cash,
                kind ? "if_touched" : "if_untouched", lower, upper);
    } else {
        const char *below = kind == 2 ? cash : "0";
        const char *above = kind == 3 ? cash : "0";
        fprintf(m->out,
                "kind: double_barrier, option_type: put, strike: 0, rebate: {lower: %s, upper: %s, "
                "pay: at_hit}, ",
                below, above);
        fprintf(m->out, "barrier: {lower: %s, upper: %s, knock: out", lower, upper);
    }
    write_monitoring(m);
}

static void write_lookback(const mapping *m)
{
    const char *running = reference_text(m->payoff, "running_extremum");
    fprintf(m->out, "kind: lookback, lookback: {strike: %s", m->payoff_type + strlen("lookback_"));
    if (*running) fprintf(m->out, ", running_extremum: %s", running);
    write_monitoring(m);
}

static void write_forward_start(const mapping *m)
{
    fprintf(m->out, "kind: forward_start, form: %s, strike_fraction: %s, reset: %s",
            strcmp(m->payoff_type, "forward_start") ? "performance" : "absolute",
            reference_text(m->payoff, "strike_fraction"), reference_text(m->payoff, "reset_time"));
}

/* Periods run from reset to reset, the last one to expiry. */
static void write_cliquet(const mapping *m)
{
    static const char *const bounds[] = {"local_floor", "local_cap", "global_floor", "global_cap"};
    const levy_node *resets = levy_node_find(m->payoff, "resets");
    const double first = number_of(resets, "first"), last = number_of(resets, "last");
    const int count = (int)number_of(resets, "count");
    fputs("kind: cliquet, observations: [", m->out);
    for (int k = 0; k < count; ++k)
        fprintf(m->out, "%.17g, ", first + k * ((last - first) / (count - 1)));
    fprintf(m->out, "%s]", reference_text(m->exercise, "expiry"));
    for (int i = 0; i < 4; ++i)
        if (levy_node_find(m->payoff, bounds[i]))
            fprintf(m->out, ", %s: %s", bounds[i], reference_text(m->payoff, bounds[i]));
}

/* Of two assets, the second subtracted: kind spread, whose weights are quantities. */
static bool is_spread(const mapping *m)
{
    const levy_node *weights = levy_node_find(m->payoff, "weights");
    if (strcmp(m->payoff_type, "spread") || !weights || weights->count != 2) return false;
    return reference_number(weights->children) > 0.0 &&
           reference_number(weights->children->next) < 0.0;
}

static void write_payoff(const mapping *m)
{
    const char *type = m->payoff_type;
    fputs("    payoff: {", m->out);
    if (reference_script_keys(type)) {
        reference_script_write(m->payoff, m->model, m->out);
        fputs("}\n", m->out);
        return;
    }
    if (is_trapezoid(m)) {
        write_trapezoid(m);
        fputs("}\n", m->out);
        return;
    }
    if (!strcmp(type, "vanilla"))
        fputs("kind: european", m->out);
    else if (!strcmp(type, "cash_or_nothing"))
        fprintf(m->out, "kind: digital, payout: cash, cash: %s", reference_text(m->payoff, "cash"));
    else if (!strcmp(type, "asset_or_nothing"))
        fputs("kind: digital, payout: asset", m->out);
    else if (!strcmp(type, "asian_arithmetic"))
        write_asian(m, "arithmetic", NULL);
    else if (!strcmp(type, "asian_geometric"))
        write_asian(m, "geometric", NULL);
    else if (!strcmp(type, "basket_asian_arithmetic"))
        write_asian(m, "arithmetic", "basket");
    else if (!strcmp(type, "basket_geometric_asian"))
        write_asian(m, "geometric", "geometric_basket");
    else if (!strcmp(type, "one_touch") || !strcmp(type, "double_barrier_binary"))
        write_touch(m);
    else if (!strcmp(type, "double_barrier"))
        write_double_barrier(m);
    else if (strstr(type, "barrier"))
        write_barrier(m);
    else if (!strncmp(type, "lookback", 8))
        write_lookback(m);
    else if (!strncmp(type, "forward_start", 13))
        write_forward_start(m);
    else if (!strcmp(type, "cliquet"))
        write_cliquet(m);
    else if (!strcmp(type, "exchange") || is_spread(m))
        fprintf(m->out, "kind: %s", type);
    else if (!strcmp(type, "basket_geometric"))
        fputs("kind: basket, basket_type: geometric", m->out);
    else if (!strcmp(type, "rainbow"))
        fprintf(m->out, "kind: %s", reference_text(m->payoff, "selector"));
    else
        fputs("kind: basket, basket_type: arithmetic", m->out); /* and spreads of more than two */
    if (levy_node_find(m->payoff, "option"))
        fprintf(m->out, ", option_type: %s", reference_text(m->payoff, "option"));
    if (levy_node_find(m->payoff, "strike"))
        fprintf(m->out, ", strike: %s", reference_text(m->payoff, "strike"));
    fputs("}\n", m->out);
}

/* A script that locks in once what it would pay now. */
static void write_shout(const mapping *m, const reference_settings *settings)
{
    const char *const strike = reference_text(m->payoff, "strike");
    const bool put = is(m->payoff, "option", "put");
    const char *const first = put ? strike : "level";
    const char *const second = put ? "level" : strike;
    fprintf(
        m->out,
        "    payoff: {kind: script, schedules: {days: {count: %u}}, script: \"var locked = 0; may "
        "shout at days by holder if %s > %s { locked = %s - %s }; at expiry { pay max(%s - %s, "
        "locked) }\"}\n    exercise: {expiry: %s, fit: {paths: 2^14}}\n",
        settings->dates, first, second, first, second, first, second,
        reference_text(m->exercise, "expiry"));
}

static void write_trade(const mapping *m, const reference_settings *settings, const char *id,
                        size_t n_assets)
{
    const levy_node *weights = levy_node_find(m->payoff, "weights");
    const levy_node *weight = weights ? weights->children : NULL;
    const char *units = reference_text(m->payoff, "fixed_fx"),
               *notional = reference_text(m->payoff, "notional"),
               *const currency = is_quanto(m) ? "EUR" : "USD";
    fprintf(m->out, "trades:\n  - id: %s\n    model: equity\n", id);
    if (n_assets == 1)
        fputs("    underlying: A1\n", m->out);
    else
        fputs("    underlyings: [", m->out);
    for (size_t i = 1; n_assets > 1 && i <= n_assets; ++i) {
        const bool swapped = is(m->payoff, "payoff_asset", "2"); /* the first one is paid on */
        fprintf(m->out, "{name: A%zu", swapped ? 3 - i : i);
        if (weight)
            fprintf(m->out, ", weight: %s", weight->text + (is_spread(m) && *weight->text == '-')),
                weight = weight->next;
        fputs(i < n_assets ? "}, " : "}]\n", m->out);
    }
    fprintf(m->out, "    currency: %s\n    discount_curve: DISCOUNT\n    position: long\n",
            currency);
    if (*notional)
        fprintf(m->out, "    notional: %s\n", notional);
    else
        fprintf(m->out, "    quantity: %s\n", *units ? units : "1");
    if (!strcmp(m->payoff_type, "shout")) {
        write_shout(m, settings);
        return;
    }
    write_payoff(m);
    fprintf(m->out, "    exercise: {style: %s, expiry: %s", reference_text(m->exercise, "style"),
            reference_text(m->exercise, "expiry"));
    if (levy_node_find(m->exercise, "dates")) {
        fputs(", dates: ", m->out);
        write_schedule(levy_node_find(m->exercise, "dates"), 0, m->out);
    }
    if (is_by_rule(m) && is(m->exercise, "style", "american"))
        fprintf(m->out, ", steps: %u", settings->dates);
    fputs("}\n", m->out);
}

/* Models of segments have no one volatility. */
static double gamma_bump(const mapping *m, const reference_settings *settings)
{
    const double bump = settings->gamma_bump > 0.0 ? settings->gamma_bump : 0.05;
    const double deviation = number_of(levy_node_find(m->model, "assets")->children, "volatility") *
                             sqrt(number_of(m->exercise, "expiry"));
    return bump * (isfinite(deviation) ? deviation : 0.2);
}

static void write_settings(const mapping *m, const reference_settings *settings, bool greeks)
{
    const char *vega = driven_model(m) < N_DRIVEN ? "" : "vega, ";
    fprintf(m->out, "simulation:\n  paths: %s\n  generator: %s\n  seed: 20261120\n",
            settings->paths, settings->generator);
    if (!strcmp(settings->generator, "sobol_scrambled"))
        fprintf(m->out, "  replicates: %u\n", settings->replicates);
    if (is_stepped(m)) fputs("  max_step: 0.005\n", m->out);
    if (greeks && is_by_rule(m))
        fputs("measures: [price, delta]\n", m->out); /* bumped as levy does */
    else if (greeks)
        fprintf(m->out,
                "  bumps: {spot: %.17g, volatility: %.17g, gamma: %.17g, rate: %.17g}\n"
                "measures: [price, delta, gamma, %srho]\n",
                settings->spot_bump, settings->volatility_bump, gamma_bump(m, settings),
                settings->rate_bump > 0.0 ? settings->rate_bump : 0.001, vega);
}

/* ---- The case -------------------------------------------------------------------------------- */

static bool read_expected(const levy_node *node, const mapping *m, reference_case *result)
{
    const levy_node *expected = levy_node_find(node, "expected"),
                    *greeks = levy_node_find(expected, "greeks");
    const levy_node *error = levy_node_find(expected, "standard_error");
    result->price = number_of(expected, "price");
    result->tolerance = number_of(expected, "tolerance");
    result->standard_error = error ? reference_number(error) : 0.0;
    result->greeks_tolerance = number_of(expected, "greeks_tolerance");
    result->delta = levy_node_find(greeks, "delta");
    result->vega = levy_node_find(greeks, "vega");
    result->delta_parallel = levy_node_find(greeks, "delta_parallel");
    result->vega_parallel = levy_node_find(greeks, "vega_parallel");
    result->gamma = levy_node_find(greeks, "gamma");
    result->rho =
        levy_node_find(greeks, levy_node_find(greeks, "rho_parallel") ? "rho_parallel" : "rho");
    result->rho_of_discounting = is_quanto(m);
    result->by_rule = is_by_rule(m);
    result->american = is_american(m);
    result->has_greeks = result->delta || result->vega || result->delta_parallel ||
                         result->vega_parallel || result->gamma || result->rho;
    /* no sensitivity is left out in silence */
    return isfinite(result->price) && isfinite(result->tolerance) &&
           !key_outside(greeks, "delta gamma vega rho delta_parallel vega_parallel rho_parallel "
                                "vega_initial_variance") &&
           (!result->has_greeks || isfinite(result->greeks_tolerance));
}

static bool write_case(mapping *m, const reference_settings *settings, reference_case *result)
{
    size_t length = 0;
    m->out = open_memstream(&result->text, &length);
    if (!m->out) return false;
    result->n_assets = write_market(m);
    write_trade(m, settings, result->id, result->n_assets);
    write_settings(m, settings, result->has_greeks);
    const bool failed = ferror(m->out) != 0;
    return fclose(m->out) == 0 && !failed;
}

bool reference_case_read(const levy_node *node, const reference_settings *settings,
                         reference_case *result)
{
    mapping m = {levy_node_find(node, "model"),
                 levy_node_find(node, "payoff"),
                 levy_node_find(node, "exercise"),
                 NULL,
                 NULL,
                 NULL};
    memset(result, 0, sizeof *result);
    result->id = reference_text(node, "id");
    m.model_type = reference_text(m.model, "type");
    m.payoff_type = reference_text(m.payoff, "type");
    if (!*result->id || !*m.model_type || !m.payoff) return false;
    result->refusal = refuse_case(&m);
    if (result->refusal) return true;
    return read_expected(node, &m, result) && write_case(&m, settings, result);
}

void reference_case_release(reference_case *item)
{
    free(item->refusal);
    free(item->text);
    item->refusal = item->text = NULL;
}
