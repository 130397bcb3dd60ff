/* heston_fields.c: the keys of the models heston and bates in a book (heston_terms.h). Must not
 * know: what becomes of them. */
#include "models/heston_terms.h"
#include "models/jump_fields.h"

#define HESTON_FIELD(key, of, from, to, ...)                                                       \
    {                                                                                              \
        LEVY_KEY(#key, LIST, heston_terms, key),                                                   \
            .element = LEVY_FIELD_##of, LEVY_WITHIN(from, to, LEVY_REQUIRED | LEVY_NON_EMPTY),     \
            __VA_ARGS__                                                                            \
    }
static const char *const heston_schemes[] = {"qe_m", "euler", "qe=qe_m", NULL};
#define HESTON_FIELDS                                                                              \
    LEVY_MODEL_ASSETS_FIELD("Names of 1 to 100 assets in market.assets. They need no volatility. " \
                            "Every pair needs a correlation, that of the spots."),                 \
        HESTON_FIELD(                                                                              \
            v0, NUMBER, 0, 25, .unit = "1/year",                                                   \
            .also = "initial_variance spot_variance variance start_variance",                      \
            .doc = "Variance today, 0.04 for a volatility of 0.2. Here and below: one number "     \
                   "for each asset, or one for all."),                                             \
        HESTON_FIELD(                                                                              \
            theta, TERM, 0, 25, .unit = "1/year",                                                  \
            .also = "long_run_variance long_variance long_term_variance mean_variance vbar",       \
            .doc = "Variance to which it returns. Vega moves the roots of v0 and theta by the "    \
                   "same amount. {kind: term, nodes: [[0.5, 0.04], [1.0, 0.05]]}: each until its " \
                   "time."),                                                                       \
        HESTON_FIELD(kappa, TERM, 0, 100, .unit = "1/year",                                        \
                     .also = "mean_reversion mean_reversion_speed reversion speed",                \
                     .doc = "How fast it returns."),                                               \
        HESTON_FIELD(                                                                              \
            xi, TERM, 1e-4, 100, .unit = "1/year",                                                 \
            .also = "vol_of_variance vol_of_vol volvol volatility_of_variance "                    \
                    "volatility_of_volatility sigma nu eta",                                       \
            .doc = "Volatility of the variance. Where Feller's ratio 2 kappa theta / xi^2 is "     \
                   "below 1, which `levy explain` says, the variance reaches 0."),                 \
        HESTON_FIELD(                                                                              \
            rho, TERM, -1, 1, .also = "correlation spot_variance_correlation",                     \
            .doc = "Correlation of the asset with its variance; below 0 skews to the left."),      \
    {                                                                                              \
        LEVY_KEY("scheme", CHOICE, heston_terms, scheme),                                          \
            .choices = heston_schemes, .fallback = "qe_m",                                         \
            .doc =                                                                                 \
                "qe_m: quadratic-exponential, with forwards that are exact. euler: full "          \
                "truncation; its steps must be far shorter. simulation.max_step sets the steps."   \
    }
static const levy_field heston_fields[] = {HESTON_FIELDS, JUMP_FIELD_LAYERS, {0}};
static const levy_field bates_fields[] = {
    HESTON_FIELDS, JUMP_FIELDS_NORMAL, JUMP_FIELD_LAYERS, {0}};
#define HESTON_EXAMPLE                                                                             \
    "{kind: heston, assets: [STOCK], v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -0.7}"
static const levy_synonym heston_synonyms[] = {{"stochastic_volatility", HESTON_EXAMPLE}, {0}};
const levy_table levy_model_heston_table = {
    .name = "model heston",
    .example = HESTON_EXAMPLE,
    .synonyms = heston_synonyms,
    .doc =
        "Heston's model (1993): the variance of each asset is a square-root process. It is "
        "simulated by Andersen's quadratic-exponential scheme with martingale correction (2008), "
        "on the trades' dates and steps between. A level that is watched at all times has its "
        "variance frozen over each step.",
    LEVY_FILLS_MODEL(heston_terms),
    .fields = heston_fields};

#define BATES_EXAMPLE                                                                              \
    "{kind: bates, assets: [STOCK], v0: 0.04, theta: 0.04, kappa: 2, xi: 0.3, rho: -0.5, "         \
    "intensity: 0.5, jump_mean: -0.1, jump_volatility: 0.15}"
static const levy_synonym bates_synonyms[] = {{"svj", BATES_EXAMPLE}, {0}};
const levy_table levy_model_bates_table = {
    .name = "model bates",
    .example = BATES_EXAMPLE,
    .synonyms = bates_synonyms,
    .doc = "Bates' model (1996): heston with the lognormal jumps of merton. Each asset has its own "
           "jump times. Forwards match the market. A level that is watched at all times has its "
           "variance frozen over each step, and jumps at the steps' ends.",
    LEVY_FILLS_MODEL(heston_terms),
    .fields = bates_fields};
