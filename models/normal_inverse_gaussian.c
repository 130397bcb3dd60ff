/* normal_inverse_gaussian.c: host half of the normal inverse Gaussian model of independent assets:
 * log return = (rates - yields) t + omega t + beta I + W(I), I being the inverse Gaussian process
 * whose value at t has mean delta t / gamma and shape (delta t)^2, gamma = sqrt(alpha^2 - beta^2),
 * and omega = delta (sqrt(alpha^2 - (beta + 1)^2) - gamma) what makes the forward the market's.
 * Source: O. Barndorff-Nielsen, Processes of normal inverse Gaussian type, Finance and Stochastics
 * 2, 1998. Must not know: curves, random numbers. */
#include "kernels/lane/scalar.h"
#include "models/asset_words.h"
#include "models/clocked.h"

/* one number for each asset, or one for all */
typedef struct nig_terms {
    levy_model_terms model;
    levy_list alpha, beta, delta; /* of double */
} nig_terms;

static const nig_terms *nig_terms_of(const levy_model_terms *terms)
{
    return (const nig_terms *)terms;
}

static const levy_field nig_fields[] = {
    LEVY_MODEL_ASSETS_FIELD("Names of 1 to 100 assets in market.assets. The assets are independent "
                            "and need no volatility."),
    {LEVY_KEY("alpha", LIST, nig_terms, alpha), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(0, 1e4, LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_LOW_OPEN),
     .doc = "Tail decay, one for each asset or one for all. Larger values mean "
            "lighter tails. It must be above |beta| and |beta + 1|."},
    {LEVY_KEY("beta", LIST, nig_terms, beta), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(-1e4, 1e4, LEVY_REQUIRED | LEVY_NON_EMPTY),
     .doc = "Skewness parameter, one for each asset or one for all. A negative "
            "value skews to the left."},
    {LEVY_KEY("delta", LIST, nig_terms, delta), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(1e-4, 1e4, LEVY_REQUIRED | LEVY_NON_EMPTY), .unit = "1/year",
     .doc = "Scale parameter per year, one for each asset or one for all."},
    {0}};
static const levy_synonym normal_inverse_gaussian_synonyms[] = {
    {"nig", "{kind: normal_inverse_gaussian, assets: [STOCK], alpha: 15, beta: -5, delta: 0.5}"},
    {0}};
const levy_table levy_model_normal_inverse_gaussian_table = {
    .name = "model normal_inverse_gaussian",
    .example = "{kind: normal_inverse_gaussian, assets: [STOCK], alpha: 15, beta: -5, delta: 0.5}",
    .synonyms = normal_inverse_gaussian_synonyms,
    .doc = "Normal inverse Gaussian model: the log price is a Brownian motion "
           "with drift, time-changed by an inverse Gaussian process. It is "
           "simulated interval by interval. The location parameter is set such "
           "that forwards match the market. Continuous monitoring, vega, theta "
           "and correlations are not supported.",
    LEVY_FILLS_MODEL(nig_terms),
    .fields = nig_fields};

typedef struct nig_numbers {
    double alpha, beta, delta, gamma, omega;
} nig_numbers;

/* sqrt(alpha^2 - x^2) */
static double nig_root(double alpha, double x) { return levy_sqrt((alpha - x) * (alpha + x)); }

static nig_numbers nig_of(const levy_model_terms *terms, size_t asset)
{
    nig_numbers n = {.alpha = levy_model_number(&nig_terms_of(terms)->alpha, asset),
                     .beta = levy_model_number(&nig_terms_of(terms)->beta, asset),
                     .delta = levy_model_number(&nig_terms_of(terms)->delta, asset)};
    n.gamma = nig_root(n.alpha, n.beta);
    n.omega = n.delta * (nig_root(n.alpha, n.beta + 1.0) - n.gamma);
    return n;
}

static double nig_volatility(const levy_model_terms *terms, size_t asset)
{
    const nig_numbers n = nig_of(terms, asset);
    return levy_sqrt(n.delta * n.alpha * n.alpha / (n.gamma * n.gamma * n.gamma));
}

/* In a short time the law is nearly Cauchy's, of width delta t. */
static double nig_peak(const levy_model_terms *terms, size_t asset, double time)
{
    const nig_numbers n = nig_of(terms, asset);
    const double steps = n.delta * time * n.gamma;
    return steps < 1.0 ? levy_sqrt(steps) : 1.0;
}

static double nig_middle(const levy_model_terms *terms, size_t asset, double time)
{
    return nig_of(terms, asset).omega * time;
}

static double nig_cumulant(const levy_model_terms *terms, size_t asset, double s)
{
    const nig_numbers n = nig_of(terms, asset);
    const double x = n.beta + s;
    return x < n.alpha && x > -n.alpha ? n.omega * s + n.delta * (n.gamma - nig_root(n.alpha, x))
                                       : 1e300;
}

static double nig_tail(const levy_model_terms *terms, size_t asset)
{
    return levy_model_number(&nig_terms_of(terms)->alpha, asset) -
           levy_model_number(&nig_terms_of(terms)->beta, asset);
}

static bool nig_check(const levy_model_terms *terms, size_t asset, levy_model_fault *fault)
{
    const double alpha = levy_model_number(&nig_terms_of(terms)->alpha, asset),
                 beta = levy_model_number(&nig_terms_of(terms)->beta, asset);
    *fault = (levy_model_fault){"beta", "alpha must be above |beta|",
                                "Lower beta in size, or raise alpha."};
    if (!(beta > -alpha && beta < alpha)) return false;
    *fault =
        (levy_model_fault){"beta",
                           "alpha must be above |beta + 1|; otherwise the asset's expected value "
                           "is infinite",
                           "Lower beta, or raise alpha."};
    return beta + 1.0 > -alpha && beta + 1.0 < alpha;
}

static levy_clock_increment nig_increment(const levy_clocked *c, double interval)
{
    return (levy_clock_increment){
        levy_law_inverse_gaussian(c->numbers[0] * interval * c->numbers[1]),
        c->numbers[0] * interval / c->numbers[1]};
}

static levy_status nig_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                            levy_arena *arena, levy_model_plan *plan)
{
    levy_clocked *const assets = levy_arena_allocate(arena, grid->n_assets, sizeof *assets);
    if (!assets) return LEVY_MEMORY;
    for (size_t u = 0; u < grid->n_assets; ++u) {
        const nig_numbers n = nig_of(terms, grid->assets[u]);
        assets[u] = (levy_clocked){.drift = n.omega,
                                   .skew = n.beta,
                                   .volatility = 1.0,
                                   .numbers = {n.delta, n.gamma},
                                   .increment = nig_increment};
    }
    return levy_clocked_plan(assets, grid, arena, plan);
}

static const char *const nig_without[] = {"vega",  "vega_by_node", "vanna", "volga",
                                          "theta", "correlation",  NULL};

const levy_model_kind levy_model_normal_inverse_gaussian = {
    .kind = "normal_inverse_gaussian",
    .table = &levy_model_normal_inverse_gaussian_table,
    .features = LEVY_MODEL_STEPS | LEVY_MODEL_JUMPS | LEVY_MODEL_DRIVEN | LEVY_MODEL_SLOPES,
    .without = nig_without,
    .draws = levy_clocked_draws,
    .drivers = 1,
    .volatility = nig_volatility,
    .peak = nig_peak,
    .middle = nig_middle,
    .cumulant = nig_cumulant,
    .tail = nig_tail,
    .check = nig_check,
    .plan = nig_plan};
