/* regime_fields.c: the keys of a regime-switching model in a book (regime_terms.h). Must not know:
 * whether they fit together, what becomes of them. */
#include "models/asset_words.h"
#include "models/regime_terms.h"

static const char *const regime_switchings[] = {"exact", "stepped", NULL};

static const levy_field regime_fields[] = {
    {LEVY_KEY("volatilities", LIST, levy_regime, volatilities), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(LEVY_LEAST_VOLATILITY, 5, LEVY_NON_EMPTY), .unit = "1/sqrt(year)",
     .doc = "Volatilities of the model's assets in this regime, in the order of "
            "the assets, or one for all. They replace the volatilities of the "
            "market data. Vega shifts the volatilities of an asset in all regimes "
            "together. All regimes give either volatilities or volatility_factors."},
    {LEVY_KEY("volatility_factors", LIST, levy_regime, factors), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(0, 100, LEVY_NON_EMPTY),
     .doc = "Factors that multiply the assets' volatilities of the market data, "
            "one for each asset or one for all."},
    {LEVY_KEY("drifts", LIST, levy_regime, drifts), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(-5, 5, 0), .unit = "1/year",
     .doc = "Additional drift of the assets in this regime, one for each asset or "
            "one for all. A higher dividend yield is a negative drift."},
    {LEVY_KEY("rate", NUMBER, levy_regime, rate), LEVY_WITHIN(-1, 1, 0), .fallback = "0",
     .unit = "1/year",
     .doc = "Spread over all rates in this regime. It applies to the drift of the "
            "assets and to discounting up to expiry."},
    {LEVY_KEY("jumps", LIST, levy_regime, jumps), .element = LEVY_FIELD_OBJECT,
     .flags = LEVY_NON_EMPTY, .table = &levy_jump_table,
     .doc = "One jump layer, active in this regime, with normal or double "
            "exponential marks. Several assets jump at common times. Forwards do "
            "not change."},
    {0}};
const levy_table levy_regime_table = {
    .name = "regime",
    .example = "{volatilities: 0.35, rate: 0.01}",
    .any_of = "volatilities volatility_factors",
    .doc = "Parameters of the assets while the Markov chain is in this state.",
    LEVY_FILLS(levy_regime),
    .fields = regime_fields,
    .name_offset = offsetof(levy_regime, name),
    .has_name = true};

static const levy_field level_switching_fields[] = {
    {LEVY_KEY("asset", NAME, levy_level_switching, asset), .flags = LEVY_REQUIRED,
     .doc = "Asset whose gross return determines the bucket. It must be an asset "
            "of the model and an underlying of every trade on the model."},
    {LEVY_KEY("levels", LIST, levy_level_switching, levels), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(0, 1000, LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_LOW_OPEN),
     .doc = "Boundaries of the buckets, in ascending order: gross returns since "
            "today, before cash dividends. 0.9 means that the spot has fallen by a "
            "tenth. There are at most 15."},
    {LEVY_KEY("weights", MATRIX, levy_level_switching, weights), .flags = LEVY_REQUIRED | LEVY_TOLD,
     .low = 1e-6, .high = 1e6,
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
    LEVY_FILLS(levy_level_switching),
    .fields = level_switching_fields};

static const levy_field regime_switching_fields[] = {
    LEVY_MODEL_ASSETS_FIELD("Names of 1 to 100 assets in market.assets. One Markov chain drives "
                            "all of them. Every pair needs a correlation; it is the same in all "
                            "regimes."),
    {LEVY_KEY("regimes", MAP, levy_regime_terms, regimes), .table = &levy_regime_table,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY,
     .doc = "Regimes by name, 1 to 64. Matrices use their order."},
    {LEVY_KEY("generator", MATRIX, levy_regime_terms, generator), .unit = "1/year",
     .doc = "Generator matrix: transition rates per year from row to column. Each "
            "row sums to 0. Give either this or `transition`."},
    {LEVY_KEY("transition", MATRIX, levy_regime_terms, transition), .flags = LEVY_TOLD, .low = 0,
     .high = 1,
     .doc = "Transition matrix: probabilities of a change from row to column at "
            "every multiple of `period` from today. Each row sums to 1. These "
            "dates are added to the grid, so there is no discretization error."},
    {LEVY_KEY("period", NUMBER, levy_regime_terms, period), LEVY_WITHIN(0, 200, LEVY_LOW_OPEN),
     .unit = "years", .doc = "Time between two possible changes of a `transition` matrix."},
    {LEVY_KEY("initial_regime", NAME, levy_regime_terms, initial_regime),
     .doc = "Name of today's regime. Give either this or initial_probabilities."},
    {LEVY_KEY("initial_probabilities", LIST, levy_regime_terms, initial_probabilities),
     .element = LEVY_FIELD_NUMBER, LEVY_WITHIN(0, 1, LEVY_NON_EMPTY),
     .doc = "Probability of each regime today. They sum to 1."},
    {LEVY_KEY("switching", CHOICE, levy_regime_terms, switching), .choices = regime_switchings,
     .doc = "Simulation method for a generator. exact (the default): switching "
            "times are simulated. stepped: the regime at the start of a grid step "
            "holds for the whole step. The discretization error of stepped is "
            "proportional to the step; results have a note."},
    {LEVY_KEY("attraction", OBJECT, levy_regime_terms, level_switching),
     .table = &levy_level_switching_table,
     .doc = "Regime switching that depends on an asset's gross return since today. "
            "It needs stepped switching or a transition matrix."},
    {LEVY_KEY("step", NUMBER, levy_regime_terms, step), LEVY_WITHIN(1e-4, 200, 0), .unit = "years",
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
    LEVY_FILLS_MODEL(levy_regime_terms),
    .fields = regime_switching_fields};
