/* normal_inverse_gaussian.c: host half of the normal inverse Gaussian model of independent assets:
 * log return = (rates - yields) t + omega t + beta I + W(I), I being the inverse Gaussian process
 * whose value at t has mean delta t / gamma and shape (delta t)^2, gamma = sqrt(alpha^2 - beta^2),
 * and omega = delta (sqrt(alpha^2 - (beta + 1)^2) - gamma) what makes the forward the market's.
 * Source: O. Barndorff-Nielsen, Processes of normal inverse Gaussian type, Finance and Stochastics
 * 2, 1998. Must not know: curves, random numbers. */
#include "kernels/lane/scalar.h"
#include "models/asset_words.h"
#include "models/model.h"
#include "models/tables.h"

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
    {.name = "assets",
     .also = LEVY_MODEL_ASSET_WORDS,
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_UNIQUE,
     .offset = offsetof(levy_model_terms, assets),
     .doc = "Names of 1 to 100 assets in market.assets. The assets are independent "
            "and need no volatility."},
    {.name = "alpha",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_RANGED | LEVY_LOW_OPEN,
     .low = 0,
     .high = 1e4,
     .offset = offsetof(nig_terms, alpha),
     .doc = "Tail decay, one for each asset or one for all. Larger values mean "
            "lighter tails. It must be above |beta| and |beta + 1|."},
    {.name = "beta",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_RANGED,
     .low = -1e4,
     .high = 1e4,
     .offset = offsetof(nig_terms, beta),
     .doc = "Skewness parameter, one for each asset or one for all. A negative "
            "value skews to the left."},
    {.name = "delta",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_REQUIRED | LEVY_NON_EMPTY | LEVY_RANGED,
     .low = 1e-4,
     .high = 1e4,
     .unit = "1/year",
     .offset = offsetof(nig_terms, delta),
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
    .size = sizeof(nig_terms),
    .fields = nig_fields,
    .node_offset = offsetof(levy_model_terms, node),
    .has_node = true};

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

/* Makes the tables of an asset's intervals and the numbers that go with them. */
static levy_status nig_tables(const nig_numbers *numbers, const levy_model_grid *grid, size_t u,
                              levy_model_tables *tables, uint32_t *rows)
{
    double before = 0.0;
    for (size_t k = 0; k < grid->n_nodes; ++k) {
        const double interval = grid->times[k] - before,
                     mean = numbers->delta * interval / numbers->gamma;
        const levy_law law = levy_law_inverse_gaussian(numbers->delta * interval * numbers->gamma);
        const size_t at = k * grid->n_assets + u;
        LEVY_TRY(levy_model_tables_add(tables, &law, &rows[at]));
        tables->reals[4 * at] = mean;
        tables->reals[4 * at + 1] = numbers->beta * grid->scale;
        tables->reals[4 * at + 2] = grid->scale / levy_sqrt(interval);
        if (grid->moved && u == 0) /* the first factor is the first asset's */
            tables->reals[4 * at + 3] =
                tables->reals[4 * at + 2] * (grid->moved[k] - (k ? grid->moved[k - 1] : 0.0));
        before = grid->times[k];
    }
    return LEVY_OK;
}

static levy_status nig_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                            levy_arena *arena, levy_model_plan *plan)
{
    const size_t n = grid->n_nodes * grid->n_assets;
    double *const drift = levy_arena_allocate(arena, n, sizeof *drift);
    /* The factors stay 0: the step itself moves the levels. */
    double *const factor =
        levy_arena_allocate(arena, grid->n_assets * grid->n_assets, sizeof *factor);
    uint32_t *const rows = levy_arena_allocate(arena, n, sizeof *rows);
    levy_model_tables tables;
    if (!drift || !factor || !rows) return LEVY_MEMORY;
    LEVY_TRY(levy_model_tables_begin(&tables, arena, grid->is_single, grid->scale, 4 * n));
    for (size_t u = 0; u < grid->n_assets; ++u) {
        const nig_numbers numbers = nig_of(terms, grid->assets[u]);
        for (size_t k = 0; k < grid->n_nodes; ++k)
            drift[k * grid->n_assets + u] = numbers.omega * grid->times[k];
        LEVY_TRY(nig_tables(&numbers, grid, u, &tables, rows));
    }
    *plan = (levy_model_plan){.drift = drift,
                              .factor = factor,
                              .reals = tables.reals,
                              .n_reals = tables.n,
                              .words = rows,
                              .n_words = n};
    return LEVY_OK;
}

static uint32_t nig_draws(const levy_model_terms *terms, const levy_model_grid *grid)
{
    (void)terms;
    return (uint32_t)grid->n_assets;
}

static const char *const nig_without[] = {"vega",  "vega_by_node", "vanna", "volga",
                                          "theta", "correlation",  NULL};

const levy_model_kind levy_model_normal_inverse_gaussian = {
    .kind = "normal_inverse_gaussian",
    .table = &levy_model_normal_inverse_gaussian_table,
    .features = LEVY_MODEL_STEPS | LEVY_MODEL_JUMPS | LEVY_MODEL_DRIVEN | LEVY_MODEL_SLOPES,
    .without = nig_without,
    .draws = nig_draws,
    .drivers = 1,
    .volatility = nig_volatility,
    .peak = nig_peak,
    .tail = nig_tail,
    .check = nig_check,
    .plan = nig_plan};
