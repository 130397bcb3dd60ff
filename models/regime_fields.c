/* regime_fields.c: the keys of a regime-switching model in a book (regime_terms.h). Must not know:
 * whether they fit together, what becomes of them. */
#include "models/asset_words.h"
#include "models/jump_plan.h"
#include "models/regime_terms.h"

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
    LEVY_MODEL_ASSETS_FIELD("Names of 1 to 100 assets in market.assets. One Markov chain drives "
                            "all of them. Every pair needs a correlation; it is the same in all "
                            "regimes."),
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
