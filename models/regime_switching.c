/* regime_switching.c: host half of a lognormal model driven by a Markov chain: in regime r asset a
 * follows dS/S = (rates - yields + rate_r + drift_ra) dt + sigma_ra dW, and what is paid is
 * discounted at rates + rate_r on the way, so with drifts of zero discounted assets are martingales
 * in every regime. One chain moves all assets; it is independent of W. Sources: J. D. Hamilton, A
 * new approach to the economic analysis of nonstationary time series, Econometrica 57, 1989; M. R.
 * Hardy, A regime-switching model of long-term stock returns, North American Actuarial J. 5, 2001;
 * P. Boyle and T. Draviam, Pricing exotic options under regime switching, Insurance: Mathematics
 * and Economics 40, 2007. The lanes see tables only (regimes.h): regimes from the calmest on, so
 * that a larger word is a wilder market. Must not know: curves, random numbers. */
#include "models/asset_words.h"
#include "models/regime_terms.h"
#include "models/chain.h"
#include "models/jump_plan.h"
#include "models/regimes.h"
#include "kernels/lane/scalar.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

static const char *const regime_switchings[] = {"exact", "stepped", NULL};

static const levy_field regime_fields[] = {
    {.name = "volatilities",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_NON_EMPTY | LEVY_RANGED,
     .low = LEVY_LEAST_VOLATILITY,
     .high = 5,
     .offset = offsetof(levy_regime, volatilities),
     .unit = "1/sqrt(year)",
     .doc = "Volatilities of the model's assets in this regime, in the order of "
            "the assets, or one for all. They replace the volatilities of the "
            "market data. Vega shifts the volatilities of an asset in all regimes "
            "together. All regimes give either volatilities or volatility_factors."},
    {.name = "volatility_factors",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_NON_EMPTY | LEVY_RANGED,
     .low = 0,
     .high = 100,
     .offset = offsetof(levy_regime, factors),
     .doc = "Factors that multiply the assets' volatilities of the market data, "
            "one for each asset or one for all."},
    {.name = "drifts",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = -5,
     .high = 5,
     .offset = offsetof(levy_regime, drifts),
     .unit = "1/year",
     .doc = "Additional drift of the assets in this regime, one for each asset or "
            "one for all. A higher dividend yield is a negative drift."},
    {.name = "rate",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = -1,
     .high = 1,
     .fallback = "0",
     .offset = offsetof(levy_regime, rate),
     .unit = "1/year",
     .doc = "Spread over all rates in this regime. It applies to the drift of the "
            "assets and to discounting up to expiry."},
    {.name = "jumps",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .flags = LEVY_NON_EMPTY,
     .table = &levy_jump_table,
     .offset = offsetof(levy_regime, jumps),
     .doc = "One jump layer, active in this regime, with normal or double "
            "exponential marks. Several assets jump at common times. Forwards do "
            "not change."},
    {0}};
const levy_table levy_regime_table = {
    .name = "regime",
    .example = "{volatilities: 0.35, rate: 0.01}",
    .any_of = "volatilities volatility_factors",
    .doc = "Parameters of the assets while the Markov chain is in this state.",
    .size = sizeof(levy_regime),
    .fields = regime_fields,
    .name_offset = offsetof(levy_regime, name),
    .has_name = true,
    .node_offset = offsetof(levy_regime, node),
    .has_node = true};

static const levy_field level_switching_fields[] = {
    {.name = "asset",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .offset = offsetof(levy_level_switching, asset),
     .doc = "Asset whose gross return determines the bucket. It must be an asset "
            "of the model and an underlying of every trade on the model."},
    {.name = "levels",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1000,
     .offset = offsetof(levy_level_switching, levels),
     .doc = "Boundaries of the buckets, in ascending order: gross returns since "
            "today, before cash dividends. 0.9 means that the spot has fallen by a "
            "tenth. There are at most 15."},
    {.name = "weights",
     .type = LEVY_FIELD_MATRIX,
     .flags = LEVY_REQUIRED | LEVY_TOLD,
     .low = 1e-6,
     .high = 1e6,
     .offset = offsetof(levy_level_switching, weights),
     .doc = "Factors that multiply the probabilities of the next regime. There is "
            "one row for each bucket, from the lowest, and one column for each "
            "regime."},
    {0}};
const levy_table levy_level_switching_table = {
    .name = "attraction",
    .example = "{asset: STOCK, levels: [0.9], weights: [[1.0, 3.0], [1.0, 1.0]]}",
    .doc = "Regime switching that depends on the level of an asset. Over each "
           "step, the probability of a regime is that of the chain, multiplied by "
           "a weight and normalized. The weight is that of the asset's bucket at "
           "the start of the step. An intensity from regime r to regime k is "
           "multiplied by weight k / weight r.",
    .size = sizeof(levy_level_switching),
    .fields = level_switching_fields,
    .node_offset = offsetof(levy_level_switching, node),
    .has_node = true};

static const levy_field regime_switching_fields[] = {
    {.name = "assets",
     .also = LEVY_MODEL_ASSET_WORDS,
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_UNIQUE,
     .offset = offsetof(levy_model_terms, assets),
     .doc = "Names of 1 to 100 assets in market.assets. One Markov chain drives "
            "all of them. Every pair needs a correlation; it is the same in all "
            "regimes."},
    {.name = "regimes",
     .type = LEVY_FIELD_MAP,
     .table = &levy_regime_table,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY,
     .offset = offsetof(levy_regime_terms, regimes),
     .doc = "Regimes by name, 1 to 64. Matrices use their order."},
    {.name = "generator",
     .type = LEVY_FIELD_MATRIX,
     .offset = offsetof(levy_regime_terms, generator),
     .unit = "1/year",
     .doc = "Generator matrix: transition rates per year from row to column. Each "
            "row sums to 0. Give either this or `transition`."},
    {.name = "transition",
     .type = LEVY_FIELD_MATRIX,
     .flags = LEVY_TOLD,
     .low = 0,
     .high = 1,
     .offset = offsetof(levy_regime_terms, transition),
     .doc = "Transition matrix: probabilities of a change from row to column at "
            "every multiple of `period` from today. Each row sums to 1. These "
            "dates are added to the grid, so there is no discretization error."},
    {.name = "period",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 200,
     .offset = offsetof(levy_regime_terms, period),
     .unit = "years",
     .doc = "Time between two possible changes of a `transition` matrix."},
    {.name = "initial_regime",
     .type = LEVY_FIELD_NAME,
     .offset = offsetof(levy_regime_terms, initial_regime),
     .doc = "Name of today's regime. Give either this or initial_probabilities."},
    {.name = "initial_probabilities",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_NON_EMPTY | LEVY_RANGED,
     .low = 0,
     .high = 1,
     .offset = offsetof(levy_regime_terms, initial_probabilities),
     .doc = "Probability of each regime today. They sum to 1."},
    {.name = "switching",
     .type = LEVY_FIELD_CHOICE,
     .choices = regime_switchings,
     .offset = offsetof(levy_regime_terms, switching),
     .doc = "Simulation method for a generator. exact (the default): switching "
            "times are simulated. stepped: the regime at the start of a grid step "
            "holds for the whole step. The discretization error of stepped is "
            "proportional to the step; results have a note."},
    {.name = "attraction",
     .type = LEVY_FIELD_OBJECT,
     .table = &levy_level_switching_table,
     .offset = offsetof(levy_regime_terms, level_switching),
     .doc = "Regime switching that depends on an asset's gross return since today. "
            "It needs stepped switching or a transition matrix."},
    {.name = "step",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = 1e-4,
     .high = 200,
     .offset = offsetof(levy_regime_terms, step),
     .unit = "years",
     .doc = "Longest step of stepped switching. Further dates are added between "
            "dates that are farther apart. The default is 0.02."},
    {0}};
static const levy_synonym regime_switching_synonyms[] = {
    {"markov",
     "{kind: regime_switching, assets: [STOCK], regimes: {calm: {volatilities: 0.15}, wild: "
     "{volatilities: 0.35}}, generator: [[-0.5, 0.5], [3.0, -3.0]], initial_regime: calm}"},
    {"regimes",
     "{kind: regime_switching, assets: [STOCK], regimes: {calm: {volatilities: 0.15}, wild: "
     "{volatilities: 0.35}}, generator: [[-0.5, 0.5], [3.0, -3.0]], initial_regime: calm}"},
    {0}};
const levy_table levy_model_regime_switching_table = {
    .name = "model regime_switching",
    .example =
        "{kind: regime_switching, assets: [STOCK], regimes: {calm: {volatilities: 0.15}, wild: "
        "{volatilities: 0.35}}, generator: [[-0.5, 0.5], [3.0, -3.0]], initial_regime: calm}",
    .synonyms = regime_switching_synonyms,
    .doc = "Regime-switching model: lognormal assets whose volatilities depend on "
           "the state of a Markov chain. Drifts, rates and jumps can also depend "
           "on it. Continuous monitoring and theta are not supported.",
    .size = sizeof(levy_regime_terms),
    .fields = regime_switching_fields,
    .node_offset = offsetof(levy_model_terms, node),
    .has_node = true};

/* ---- Terms ---- */

static double regime_of_list(const levy_list *list, size_t asset)
{
    return ((const double *)list->items)[list->count > 1 ? asset : 0];
}

static const levy_regime *regime_at(const levy_model_terms *terms, size_t r)
{
    return (const levy_regime *)levy_regime_terms_of(terms)->regimes.items + r;
}

static double regime_volatility(const levy_model_terms *terms, size_t asset)
{
    double sum = 0.0;
    if (!regime_at(terms, 0)->volatilities.node) return 0.0;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r) {
        const double sigma = regime_of_list(&regime_at(terms, r)->volatilities, asset);
        sum += sigma * sigma;
    }
    return levy_sqrt(sum / (double)levy_regime_terms_of(terms)->regimes.count);
}

/* The largest of the regimes' volatilities, divided by the asset's own; at least 1. */
static double regime_rise(const levy_model_terms *terms, size_t asset, double own)
{
    const levy_list *const list = &levy_regime_terms_of(terms)->regimes;
    const levy_regime *const regimes = list->items;
    double most = 1.0;
    for (size_t r = 0; r < list->count; ++r) {
        double ratio = 1.0;
        if (regimes[r].factors.count)
            ratio = levy_model_number(&regimes[r].factors, asset);
        else if (regimes[r].volatilities.count && own > 0.0)
            ratio = levy_model_number(&regimes[r].volatilities, asset) / own;
        if (ratio > most) most = ratio;
    }
    return most;
}

static double regime_scale(const levy_model_terms *terms, size_t r, size_t asset)
{
    const levy_regime *const regime = regime_at(terms, r);
    return regime->volatilities.node
               ? regime_of_list(&regime->volatilities, asset) / regime_volatility(terms, asset)
               : regime_of_list(&regime->factors, asset);
}

static double regime_intensity(const levy_model_terms *terms, size_t r)
{
    const levy_regime *const regime = regime_at(terms, r);
    return regime->jumps.count ? ((const levy_jump_terms *)regime->jumps.items)->intensity : 0.0;
}

static const levy_variant_value *regime_mark_of(const levy_model_terms *terms, size_t r,
                                                size_t asset)
{
    const levy_jump_terms *const layer = regime_at(terms, r)->jumps.items;
    return layer->marks.node ? (const levy_variant_value *)layer->marks.items + asset
                             : &layer->mark;
}

/* The log return per year that a regime adds. It compensates the mean of the regime's jumps. */
static double regime_log_return(const levy_model_terms *terms, size_t r, size_t asset)
{
    const levy_regime *const regime = regime_at(terms, r);
    const double intensity = regime_intensity(terms, r);
    double log_return =
        regime->rate + (regime->drifts.count ? regime_of_list(&regime->drifts, asset) : 0.0);
    if (intensity > 0.0) {
        const levy_variant_value *const mark = regime_mark_of(terms, r, asset);
        log_return -= intensity * levy_mark_mean_return(mark->kind, mark->value);
    }
    return log_return;
}

bool levy_regimes_are_stepped(const levy_model_terms *terms)
{
    return levy_regime_terms_of(terms)->transition.node ||
           levy_regime_terms_of(terms)->switching == LEVY_SWITCHING_STEPPED;
}

static bool regimes_are_exact(const levy_model_terms *terms)
{
    return levy_regime_terms_of(terms)->regimes.count == 1 ||
           levy_regime_terms_of(terms)->transition.node || !levy_regimes_are_stepped(terms);
}

size_t levy_regimes_watched(const levy_model_terms *terms)
{
    const char *const *const names = terms->assets.items;
    for (size_t a = 0; levy_regime_terms_of(terms)->level_switching.node && a < terms->assets.count;
         ++a)
        if (strcmp(names[a], levy_regime_terms_of(terms)->level_switching.asset) == 0) return a;
    return SIZE_MAX;
}

static bool regimes_have_rates(const levy_model_terms *terms)
{
    bool have = false;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r)
        have = have || regime_at(terms, r)->rate != 0.0;
    return have;
}

static double regime_start(const levy_model_terms *terms, size_t r)
{
    if (levy_regime_terms_of(terms)->initial_probabilities.node)
        return ((const double *)levy_regime_terms_of(terms)->initial_probabilities.items)[r];
    return !levy_regime_terms_of(terms)->initial_regime ||
                   strcmp(levy_regime_terms_of(terms)->initial_regime, regime_at(terms, r)->name) ==
                       0
               ? 1.0
               : 0.0;
}

/* The chance that paths start in a regime and have not left it at a time. */
static double regime_stays(const levy_model_terms *terms, size_t r, double time)
{
    const levy_regime_terms *const own = levy_regime_terms_of(terms);
    const size_t at = r * own->regimes.count + r;
    if (own->transition.node)
        return regime_start(terms, r) *
               levy_exp(time / own->period * levy_log(fmax(own->transition.values[at], 1e-300)));
    return regime_start(terms, r) *
           (own->generator.node ? levy_exp(time * own->generator.values[at]) : 1.0);
}

/* The least volatility that more paths than a few keep until a time, divided by the asset's own. */
static double regime_calm(const levy_model_terms *terms, size_t asset, double own, double time)
{
    static const double few = 0.05;
    double least = 1.0;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r) {
        const levy_regime *const regime = regime_at(terms, r);
        double ratio = 1.0;
        if (regime->factors.count)
            ratio = levy_model_number(&regime->factors, asset);
        else if (regime->volatilities.count && own > 0.0)
            ratio = levy_model_number(&regime->volatilities, asset) / own;
        if (ratio > 0.0 && ratio < least && regime_stays(terms, r, time) > few) least = ratio;
    }
    return least;
}

/* ---- Dates ---- */

enum { REGIME_MOST_DATES = 1 << 20 };
/* as a share of a period: a grid date so close to a date of the chain is the same date */
static const double regime_near = 1e-6;

static bool regime_is_change(const levy_model_terms *terms, double time)
{
    const double periods = time / levy_regime_terms_of(terms)->period,
                 whole = (double)(uint64_t)(periods + 0.5);
    return periods - whole < regime_near && whole - periods < regime_near;
}

static size_t regime_periods(const levy_model_terms *terms, const double *times, size_t n,
                             double *dates)
{
    const double near = regime_near * levy_regime_terms_of(terms)->period;
    size_t count = 0, at = 0;
    for (size_t k = 1; k < REGIME_MOST_DATES; ++k) {
        const double date = (double)k * levy_regime_terms_of(terms)->period;
        if (date >= times[n - 1]) break;
        while (times[at] < date - near) ++at; /* the last one stops it */
        if (times[at] <= date + near) continue;
        if (dates) dates[count] = date;
        ++count;
    }
    return count;
}

static size_t regime_steps(const levy_model_terms *terms, const double *times, size_t n,
                           double *dates)
{
    size_t count = 0;
    double before = 0.0;
    for (size_t i = 0; i < n; before = times[i++]) {
        const double steps =
            (times[i] - before) /
            (levy_regime_terms_of(terms)->step > 0.0 ? levy_regime_terms_of(terms)->step : 0.02);
        const bool most = steps >= REGIME_MOST_DATES;
        const size_t pieces =
            most ? (size_t)REGIME_MOST_DATES : (size_t)(steps + 1.0 - regime_near);
        for (size_t k = 1; k < pieces; ++k, ++count)
            if (dates) dates[count] = before + (times[i] - before) * ((double)k / (double)pieces);
    }
    return count;
}

static size_t regime_dates(const levy_model_terms *terms, const double *times, size_t n,
                           double *dates)
{
    if (levy_regime_terms_of(terms)->transition.node) return regime_periods(terms, times, n, dates);
    return levy_regimes_are_stepped(terms) ? regime_steps(terms, times, n, dates) : 0;
}

/* ---- The plan ---- */

typedef struct regime_order {
    double weight;
    size_t regime;
} regime_order;

typedef struct regime_builder {
    const levy_model_terms *terms;
    const levy_model_grid *grid;
    size_t n; /* regimes */
    uint32_t width, shape;
    size_t order[LEVY_CHAIN_STATES]; /* regimes, calmest first */
    double *matrix, *work, *p;       /* [n][n] in that order; [2 n n]; [n][n] */
    double *reals;
    uint32_t *words, n_words;
    uint32_t leaves, buckets; /* for a chain that watches a return */
    double *chances;          /* [table][regime][leaf]; NULL before it is allocated */
} regime_builder;

static int regime_compare(const void *a, const void *b)
{
    const regime_order *const x = a, *const y = b;
    if (x->weight != y->weight) return x->weight < y->weight ? -1 : 1;
    return x->regime < y->regime ? -1 : x->regime > y->regime;
}

static void regime_sort(regime_builder *b)
{
    regime_order order[LEVY_CHAIN_STATES];
    for (size_t r = 0; r < b->n; ++r) {
        order[r] = (regime_order){0.0, r};
        for (size_t u = 0; u < b->grid->n_assets; ++u) {
            const double scale = regime_scale(b->terms, r, b->grid->assets[u]);
            order[r].weight += scale * scale;
        }
    }
    qsort(order, b->n, sizeof *order, regime_compare);
    for (size_t r = 0; r < b->n; ++r) b->order[r] = order[r].regime;
}

static void regime_matrix(const regime_builder *b)
{
    const levy_matrix *const from = levy_regime_terms_of(b->terms)->transition.node
                                        ? &levy_regime_terms_of(b->terms)->transition
                                        : &levy_regime_terms_of(b->terms)->generator;
    for (size_t i = 0; i < b->n; ++i)
        for (size_t j = 0; j < b->n; ++j)
            b->matrix[i * b->n + j] =
                from->node ? from->values[b->order[i] * b->n + b->order[j]] : 0.0;
}

/* Do all assets' volatilities move in proportion? */
static bool regime_in_proportion(const regime_builder *b)
{
    bool same = true;
    for (size_t u = 1; u < b->grid->n_assets; ++u)
        for (size_t r = 1; r < b->n; ++r) {
            const double x = regime_scale(b->terms, r, b->grid->assets[u]) *
                             regime_scale(b->terms, 0, b->grid->assets[0]);
            const double y = regime_scale(b->terms, r, b->grid->assets[0]) *
                             regime_scale(b->terms, 0, b->grid->assets[u]);
            same = same && x - y <= 1e-12 * y && y - x <= 1e-12 * y;
        }
    return same;
}

static uint32_t regime_shape(const regime_builder *b)
{
    uint32_t shape = (uint32_t)b->n | (b->buckets ? REGIMES_WATCHED : 0);
    if (!levy_regimes_are_stepped(b->terms))
        shape |= regime_in_proportion(b) ? REGIMES_EXACT : REGIMES_EXACT | REGIMES_SPLIT;
    if (regimes_have_rates(b->terms)) shape |= REGIMES_RATES | REGIMES_DRIFTS;
    for (size_t r = 0; r < b->n; ++r)
        if (regime_intensity(b->terms, r) > 0.0) shape |= REGIMES_JUMPS;
    for (size_t r = 0; r < b->n; ++r)
        for (size_t u = 0; u < b->grid->n_assets; ++u)
            if (regime_log_return(b->terms, r, b->grid->assets[u]) != 0.0) shape |= REGIMES_DRIFTS;
    return shape;
}

/* Writes today's distribution of regimes as a row of thresholds, and how many odd words each regime
 * has. */
static void regime_put_start(const regime_builder *b, uint32_t *row, double *counts)
{
    double start[LEVY_CHAIN_STATES] = {0.0};
    uint32_t below = 0;
    for (size_t r = 0; r < b->n; ++r) start[r] = regime_start(b->terms, b->order[r]);
    levy_chain_row(b->n, start, row);
    for (size_t r = 0; r < b->n; ++r) {
        /* The number of odd words up to the threshold; 2^31 at the last one. */
        const uint32_t end = row[r] / 2 + (row[r] & 1);
        counts[r] = (double)(end - below);
        below = end;
    }
}

static void regime_put_mark(const levy_variant_value *law, double scale, double *at)
{
    const levy_mark_terms *const mark = law->value;
    const bool normal = law->kind == LEVY_MARK_NORMAL;
    const double falls = 1.0 - mark->probability_up;
    at[REGIMES_KIND] = normal ? 0.0 : 1.0;
    if (normal) {
        at[REGIMES_FALLS] = mark->mean * scale;
        at[REGIMES_FALLS + 1] = mark->volatility * scale;
        return;
    }
    at[REGIMES_FALLS] = mark->probability_up > 0.0 ? falls : 2.0;
    at[REGIMES_FALLS + 1] = falls > 0.0 ? 1.0 / falls : 0.0;
    at[REGIMES_FALLS + 2] = mark->probability_up > 0.0 ? 1.0 / mark->probability_up : 0.0;
    at[REGIMES_FALLS + 3] = 1.0 / mark->rate_down;
    at[REGIMES_FALLS + 4] = -1.0 / mark->rate_up;
}

/* Writes the levels, padded to a multiple of four, and the weights. The chain's probabilities are
 * already there. */
static void regime_put_level_switching(const regime_builder *b, double *at)
{
    const levy_level_switching *const a = &levy_regime_terms_of(b->terms)->level_switching;
    for (size_t j = 0; j < a->levels.count; ++j)
        at[j] = levy_log(((const double *)a->levels.items)[j]) * b->grid->scale;
    at += (b->buckets + 2) / 4 * 4;
    for (size_t j = 0; j < b->buckets; ++j)
        for (size_t r = 0; r < b->n; ++r)
            at[j * b->leaves + r] = a->weights.values[j * b->n + b->order[r]];
}

static void regime_put_reals(const regime_builder *b, const double *counts)
{
    const levy_model_grid *const g = b->grid;
    regime_builder const *const k = b;
    double *at = b->reals;
    for (size_t r = 0; r < b->n; ++r)
        for (size_t u = 0; u < g->n_assets; ++u, at += REGIMES_FOUR) {
            const double scale = regime_scale(b->terms, k->order[r], g->assets[u]);
            at[REGIMES_SCALE] = scale;
            at[REGIMES_HALF] = -0.5 * (scale * scale - 1.0);
            at[REGIMES_LOG_RETURN] =
                regime_log_return(b->terms, k->order[r], g->assets[u]) * g->scale;
            at[REGIMES_DISCOUNT] = -regime_at(b->terms, k->order[r])->rate * g->scale;
        }
    for (size_t r = 0; r < b->n; ++r, at += REGIMES_FOUR) {
        const double jumps = regime_intensity(b->terms, k->order[r]);
        /* A stepped chain changes its state by rows of thresholds instead. */
        const double leaves = b->shape & REGIMES_EXACT ? levy_chain_rate(b->n, b->matrix, r) : 0.0;
        const double rate = (leaves + jumps) * g->scale;
        at[REGIMES_RATE] = rate;
        at[REGIMES_MEAN] = rate > 0.0 ? 1.0 / rate : 0.0;
        at[REGIMES_JUMP] = rate > 0.0 ? jumps * g->scale / rate : 0.0;
        at[REGIMES_SHARE] = counts[r] > 0.0 ? 1.0 / counts[r] : 0.0;
    }
    for (size_t i = 0; i < g->n_nodes; ++i, at += REGIMES_FOUR) {
        const double dt = g->times[i] - (i ? g->times[i - 1] : 0.0),
                     clock = g->clock[i] - (i ? g->clock[i - 1] : 0.0);
        at[REGIMES_DT] = dt;
        at[REGIMES_INVERSE] = 1.0 / dt;
        at[REGIMES_ROOT] = levy_sqrt(clock / dt);
        if (g->moved) at[REGIMES_MOVED] = g->moved[i] - (i ? g->moved[i - 1] : 0.0);
    }
    for (size_t i = 0; b->shape & REGIMES_JUMPS && i < b->n * g->n_assets; ++i, at += REGIMES_MARK)
        if (regime_intensity(b->terms, k->order[i / g->n_assets]) > 0.0)
            regime_put_mark(
                regime_mark_of(b->terms, k->order[i / g->n_assets], g->assets[i % g->n_assets]),
                g->scale, at);
}

/* Appends a table of n rows to `words`, which has room for it. Returns the table's offset. */
static uint32_t regime_put_table(regime_builder *b, const double *p)
{
    const uint32_t at = b->n_words;
    for (size_t i = 0; i < b->n; ++i)
        levy_chain_row(b->n, p + i * b->n, b->words + at + i * b->width);
    b->n_words += (uint32_t)b->n * b->width;
    return at;
}

/* Probabilities of change from the start of one interval to the start of the next. The first
 * interval is `dt` long and ends at `time`. */
static void regime_change(const regime_builder *b, double time, double dt)
{
    if (!levy_regime_terms_of(b->terms)->transition.node) {
        levy_chain_transition(b->n, b->matrix, dt, b->work, b->p);
        return;
    }
    const bool changes = regime_is_change(b->terms, time);
    for (size_t i = 0; i < b->n * b->n; ++i) {
        const double stays = i / b->n == i % b->n ? 1.0 : 0.0;
        b->p[i] = changes ? b->matrix[i] : stays;
    }
}

static bool regime_same_change(const regime_builder *b, double time, double dt, double other_time,
                               double other_dt)
{
    if (levy_regime_terms_of(b->terms)->transition.node)
        return regime_is_change(b->terms, time) == regime_is_change(b->terms, other_time);
    return dt - other_dt <= 1e-10 * dt && other_dt - dt <= 1e-10 * dt;
}

/* Makes the tables in which a stepped chain looks up its next state. Equal changes share a table.
 * Returns the number of tables; while b->words is NULL it only counts them. */
static size_t regime_put_steps(regime_builder *b, size_t *firsts)
{
    const double *const t = b->grid->times;
    size_t n_tables = 0;
    /* The change into interval i, from the one that ends at node i - 1. */
    for (size_t i = 1; i < b->grid->n_nodes; ++i) {
        const double dt = t[i - 1] - (i > 1 ? t[i - 2] : 0.0);
        size_t k = 0;
        while (k < n_tables &&
               !regime_same_change(b, t[i - 1], dt, t[firsts[k]],
                                   t[firsts[k]] - (firsts[k] ? t[firsts[k] - 1] : 0.0)))
            ++k;
        if (k == n_tables) {
            firsts[n_tables++] = i - 1;
            if (b->words) regime_change(b, t[i - 1], dt);
            for (size_t r = 0; b->chances && r < b->n; ++r)
                memcpy(b->chances + (k * b->n + r) * b->leaves, b->p + r * b->n,
                       b->n * sizeof *b->p);
            if (b->words && !b->buckets) regime_put_table(b, b->p);
        }
        if (b->words && b->buckets)
            b->words[REGIMES_NODES + i] = (uint32_t)(k * b->n) * b->leaves;
        else if (b->words)
            b->words[REGIMES_NODES + i] =
                b->words[REGIMES_START] + b->width + (uint32_t)(k * b->n) * b->width;
    }
    return n_tables;
}

static void regime_put_jumps(regime_builder *b)
{
    for (size_t i = 0; i < b->n; ++i) levy_chain_jumps(b->n, b->matrix, i, b->p + i * b->n);
    b->words[REGIMES_TARGETS] = regime_put_table(b, b->p);
}

/* The index of the watched asset among the grid's. */
static size_t regime_watched_place(const regime_builder *b)
{
    size_t place = 0;
    while (place + 1 < b->grid->n_assets &&
           b->grid->assets[place] != levy_regimes_watched(b->terms))
        ++place;
    return place;
}

static levy_status regime_allocate(regime_builder *b, levy_arena *arena)
{
    const size_t square = b->n * b->n;
    b->matrix = levy_arena_allocate(arena, square, sizeof *b->matrix);
    b->work = levy_arena_allocate(arena, 2 * square, sizeof *b->work);
    b->p = levy_arena_allocate(arena, square, sizeof *b->p);
    return b->matrix && b->work && b->p ? LEVY_OK : LEVY_MEMORY;
}

/* Where the part after the nodes and the marks starts, and how long it is. */
static size_t regime_beyond(const regime_builder *b)
{
    const size_t marks = b->shape & REGIMES_JUMPS ? REGIMES_MARK * b->n * b->grid->n_assets : 0;
    return REGIMES_FOUR * (b->n * b->grid->n_assets + b->n + b->grid->n_nodes) + marks;
}
static size_t regime_beyond_reals(const regime_builder *b, size_t tables)
{
    return b->buckets ? (b->buckets + 2) / 4 * 4 + (b->buckets + tables * b->n) * b->leaves : 0;
}

static levy_status regime_build(regime_builder *b, levy_arena *arena, levy_model_plan *plan)
{
    const size_t nodes = b->grid->n_nodes,
                 front = (REGIMES_NODES + nodes + 3) / 4 * 4 + REGIMES_FOUR;
    size_t *const firsts = levy_arena_allocate(arena, nodes, sizeof *firsts);
    double counts[LEVY_CHAIN_STATES];
    if (!firsts) return LEVY_MEMORY;
    LEVY_TRY(regime_allocate(b, arena));
    for (b->leaves = 1; b->leaves < b->n;) b->leaves *= 2;
    b->buckets = levy_regime_terms_of(b->terms)->level_switching.node
                     ? (uint32_t)levy_regime_terms_of(b->terms)->level_switching.levels.count + 1
                     : 0;
    b->shape = regime_shape(b);
    regime_sort(b);
    regime_matrix(b);
    const size_t tables = b->shape & REGIMES_EXACT ? 1 : regime_put_steps(b, firsts);
    plan->n_reals = regime_beyond(b) + regime_beyond_reals(b, tables);
    plan->n_words = front + b->width + (b->buckets ? 0 : tables * b->n * b->width);
    if (plan->n_words > UINT32_MAX / 4 || plan->n_reals > UINT32_MAX / 8) return LEVY_UNSUPPORTED;
    b->reals = levy_arena_allocate(arena, plan->n_reals, sizeof *b->reals);
    b->words = levy_arena_allocate(arena, plan->n_words, sizeof *b->words);
    if (!b->reals || !b->words) return LEVY_MEMORY;
    if (b->buckets) b->chances = b->reals + plan->n_reals - tables * b->n * b->leaves;
    b->words[REGIMES_START] = b->words[REGIMES_NODES] = (uint32_t)front;
    b->n_words = (uint32_t)front + b->width;
    regime_put_start(b, b->words + front, counts);
    if (b->shape & REGIMES_EXACT)
        regime_put_jumps(b);
    else
        regime_put_steps(b, firsts);
    regime_put_reals(b, counts);
    if (b->buckets) regime_put_level_switching(b, b->reals + regime_beyond(b));
    plan->reals = b->reals;
    plan->words = b->words;
    plan->constants[0] = b->shape;
    plan->constants[1] = b->buckets;
    plan->constants[2] = b->buckets ? (uint32_t)regime_watched_place(b) : 0;
    return LEVY_OK;
}

static levy_status regime_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                               levy_arena *arena, levy_model_plan *plan)
{
    regime_builder b = {.terms = terms,
                        .grid = grid,
                        .n = levy_regime_terms_of(terms)->regimes.count,
                        .width = levy_chain_width(levy_regime_terms_of(terms)->regimes.count)};
    return regime_build(&b, arena, plan);
}

/* Theta would need the chain's law at the new date. Volatilities of the model's own do not vary by
 * node, so they have no vega by node. */
static const char *const *regime_refuses(const levy_model_terms *terms)
{
    static const char *const theta[] = {"theta", NULL};
    static const char *const both[] = {"theta", "vega_by_node", NULL};
    return regime_at(terms, 0)->volatilities.node ? both : theta;
}

static uint32_t regime_own_features(const levy_model_terms *terms)
{
    uint32_t features = regimes_are_exact(terms) ? 0 : LEVY_MODEL_STEPPED;
    if (levy_regimes_watched(terms) == SIZE_MAX) features |= LEVY_MODEL_SLOPES;
    for (size_t r = 0; r < levy_regime_terms_of(terms)->regimes.count; ++r)
        if (regime_intensity(terms, r) > 0.0) features |= LEVY_MODEL_JUMPS;
    return features;
}

/* One word for the regime. A second one gives the first jump of an interval through which the
 * regime holds, if it can jump. */
static uint32_t regime_draws(const levy_model_terms *terms, const levy_model_grid *grid)
{
    (void)grid;
    return levy_regimes_are_stepped(terms) && levy_regime_terms_of(terms)->regimes.count > 1 &&
                   regime_own_features(terms) & LEVY_MODEL_JUMPS
               ? 2
               : 1;
}

const levy_model_kind levy_model_regime_switching = {
    .kind = "regime_switching",
    .table = &levy_model_regime_switching_table,
    .features = LEVY_MODEL_RANDOM | LEVY_MODEL_SCALES,
    .own_features = regime_own_features,
    .refuses = regime_refuses,
    .draws = regime_draws,
    .fits = levy_regimes_fit,
    .watches = levy_regimes_watched,
    .discounts = regimes_have_rates,
    .plan = regime_plan,
    .dates = regime_dates,
    .volatility = regime_volatility,
    .rise = regime_rise,
    .calm = regime_calm,
};
