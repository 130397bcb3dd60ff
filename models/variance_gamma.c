/* variance_gamma.c: host half of the variance gamma model of independent assets: log return =
 * (rates - yields) t + omega t + theta g + sigma W(g), g being a gamma process of mean t and
 * variance nu t, and omega = log(1 - theta nu - sigma^2 nu / 2) / nu what makes the forward the
 * market's. The same law is up M+ - down M- with two independent such processes, up and down =
 * (sqrt(theta^2 + 2 sigma^2 / nu) +- theta) / 2, which two bridges build and every draw moves one
 * way: good for quasi-random points, and for pseudo-random ones as cheap as a gamma and a normal
 * draw. Sources: D. Madan, P. Carr, E. Chang, European Finance Review 2, 1998; A. Avramidis, P.
 * L'Ecuyer, Management Science 52, 2006. Must not know: curves, random numbers. */
#include "kernels/bridge/strategy.h"
#include "kernels/lane/scalar.h"
#include "kernels/samplers/discrete/laws.h"
#include "models/asset_words.h"
#include "models/clocked.h"

/* one number for each asset, or one for all */
typedef struct variance_gamma_terms {
    levy_model_terms model;
    levy_list sigma, nu, theta; /* of double */
} variance_gamma_terms;

static const variance_gamma_terms *variance_gamma_terms_of(const levy_model_terms *terms)
{
    return (const variance_gamma_terms *)terms;
}

static const levy_field variance_gamma_fields[] = {
    LEVY_MODEL_ASSETS_FIELD("Names of 1 to 100 assets in market.assets. The assets are independent "
                            "and need no volatility."),
    {LEVY_KEY("sigma", LIST, variance_gamma_terms, sigma), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(LEVY_LEAST_VOLATILITY, 5, LEVY_REQUIRED | LEVY_NON_EMPTY), .unit = "1/sqrt(year)",
     .doc = "Volatility of the time-changed Brownian motion, one for each asset or "
            "one for all."},
    {LEVY_KEY("nu", LIST, variance_gamma_terms, nu), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(1e-4, 100, LEVY_REQUIRED | LEVY_NON_EMPTY), .unit = "years",
     .doc = "Variance rate of the gamma process per year, one for each asset or "
            "one for all. Larger values mean heavier tails."},
    {LEVY_KEY("theta", LIST, variance_gamma_terms, theta), .element = LEVY_FIELD_NUMBER,
     LEVY_WITHIN(-100, 100, LEVY_REQUIRED | LEVY_NON_EMPTY), .unit = "1/year",
     .doc = "Drift of the time-changed Brownian motion, one for each asset or one "
            "for all. A negative value skews to the left. theta nu + sigma^2 nu / "
            "2 must be below 1."},
    {0}};
static const levy_synonym variance_gamma_synonyms[] = {
    {"vg", "{kind: variance_gamma, assets: [STOCK], sigma: 0.12, nu: 0.2, theta: -0.14}"}, {0}};
const levy_table levy_model_variance_gamma_table = {
    .name = "model variance_gamma",
    .example = "{kind: variance_gamma, assets: [STOCK], sigma: 0.12, nu: 0.2, theta: -0.14}",
    .synonyms = variance_gamma_synonyms,
    .doc = "Variance gamma model: the log price is a Brownian motion with drift, "
           "time-changed by a gamma process. It is simulated as the difference of "
           "two gamma bridges. Continuous monitoring, construction pca, vega, "
           "theta and correlations are not supported.",
    LEVY_FILLS_MODEL(variance_gamma_terms),
    .fields = variance_gamma_fields};

typedef struct variance_gamma_numbers {
    double sigma, nu, theta, up, down, omega;
} variance_gamma_numbers;

static variance_gamma_numbers variance_gamma_of(const levy_model_terms *terms, size_t asset)
{
    variance_gamma_numbers n = {
        .sigma = levy_model_number(&variance_gamma_terms_of(terms)->sigma, asset),
        .nu = levy_model_number(&variance_gamma_terms_of(terms)->nu, asset),
        .theta = levy_model_number(&variance_gamma_terms_of(terms)->theta, asset)};
    const double root = levy_sqrt(n.theta * n.theta + 2.0 * n.sigma * n.sigma / n.nu);
    /* The smaller one follows from up down = sigma^2 / (2 nu), so that nothing cancels. */
    const double larger = 0.5 * (root + (n.theta < 0.0 ? -n.theta : n.theta)),
                 smaller = n.sigma * n.sigma / (2.0 * n.nu * larger);
    n.up = n.theta < 0.0 ? smaller : larger;
    n.down = n.theta < 0.0 ? larger : smaller;
    n.omega = levy_log(1.0 - n.nu * (n.theta + 0.5 * n.sigma * n.sigma)) / n.nu;
    return n;
}

static double variance_gamma_volatility(const levy_model_terms *terms, size_t asset)
{
    const variance_gamma_numbers n = variance_gamma_of(terms, asset);
    return levy_sqrt(n.sigma * n.sigma + n.theta * n.theta * n.nu);
}

/* The density has a cusp at its middle: near it the density differs from its value there by the
 * distance to the power 2 t / nu - 1, and for a power of 0 or less it has a pole. Within this width
 * the difference is about a thousandth. */
static double variance_gamma_peak(const levy_model_terms *terms, size_t asset, double time)
{
    const double power =
        2.0 * time / levy_model_number(&variance_gamma_terms_of(terms)->nu, asset) - 1.0;
    const double width = power > 0.0 ? 2.5 * levy_exp(-6.9 / power) : 0.0;
    return width < 1.0 ? width : 1.0;
}

static double variance_gamma_middle(const levy_model_terms *terms, size_t asset, double time)
{
    return variance_gamma_of(terms, asset).omega * time;
}

/* The clock is so little with a chance that grows as its power t / nu, while it is little. */
static double variance_gamma_least(const levy_model_terms *terms, size_t asset, double time,
                                   double share)
{
    const variance_gamma_numbers n = variance_gamma_of(terms, asset);
    const double a = time / n.nu;
    return n.sigma * levy_sqrt(n.nu * levy_exp((levy_log(share) + levy_log_gamma(a + 1.0)) / a));
}

static double variance_gamma_cumulant(const levy_model_terms *terms, size_t asset, double s)
{
    const variance_gamma_numbers n = variance_gamma_of(terms, asset);
    const double inside = 1.0 - n.nu * s * (n.theta + 0.5 * n.sigma * n.sigma * s);
    return inside > 0.0 ? n.omega * s - levy_log(inside) / n.nu : 1e300;
}

static double variance_gamma_tail(const levy_model_terms *terms, size_t asset)
{
    return 1.0 / (levy_model_number(&variance_gamma_terms_of(terms)->nu, asset) *
                  variance_gamma_of(terms, asset).up);
}

static bool variance_gamma_check(const levy_model_terms *terms, size_t asset,
                                 levy_model_fault *fault)
{
    const double sigma = levy_model_number(&variance_gamma_terms_of(terms)->sigma, asset),
                 nu = levy_model_number(&variance_gamma_terms_of(terms)->nu, asset);
    if (1.0 - nu * (levy_model_number(&variance_gamma_terms_of(terms)->theta, asset) +
                    0.5 * sigma * sigma) >
        0.0)
        return true;
    *fault = (levy_model_fault){"theta",
                                "theta nu + sigma^2 nu / 2 must be below 1; otherwise the asset's "
                                "expected value is infinite",
                                "Lower theta or nu. A negative theta skews to the left."};
    return false;
}

/* The time of an entry of the build order and the times of its neighbours. `right` 0: it has no
 * right neighbour. */
typedef struct variance_gamma_place {
    double left, at, right;
} variance_gamma_place;

/* Follows the traversal of loop.h: the left neighbour is the last node emitted, the right one the
 * top of the stack. */
static void variance_gamma_places(const levy_model_grid *grid, double *stack,
                                  variance_gamma_place *places)
{
    const levy_strategy *const s = grid->strategy;
    uint32_t top = 0, entry = 0;
    double left = 0.0;
    stack[0] = 0.0;
    for (uint32_t node = 0; node < s->n_nodes; ++node) {
        for (uint32_t n = s->descents[node]; n > 0; --n, ++entry, ++top) {
            const double at = grid->times[s->entries[entry].node - 1];
            places[entry] =
                (variance_gamma_place){left, at, s->entries[entry].right > 0.0 ? stack[top] : 0.0};
            stack[top + 1] = at;
        }
        left = stack[top--];
    }
}

static levy_status variance_gamma_tables(const levy_model_terms *terms, const levy_model_grid *grid,
                                         const variance_gamma_place *places,
                                         levy_model_tables *tables, uint32_t *rows)
{
    for (size_t u = 0; u < grid->n_assets; ++u) {
        const double nu = levy_model_number(&variance_gamma_terms_of(terms)->nu, grid->assets[u]);
        for (size_t i = 0; i < grid->n_nodes; ++i) {
            const variance_gamma_place *const p = &places[i];
            const levy_law law =
                p->right > 0.0 ? levy_law_beta((p->at - p->left) / nu, (p->right - p->at) / nu)
                               : levy_law_gamma((p->at - p->left) / nu);
            LEVY_TRY(levy_model_tables_add(tables, &law, &rows[i * grid->n_assets + u]));
        }
    }
    for (size_t i = 0; i < grid->n_nodes; ++i)
        tables->reals[i] = places[i].right > 0.0 ? 0.0 : places[i].at - places[i].left;
    return LEVY_OK;
}

static levy_status variance_gamma_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                                       levy_arena *arena, levy_model_plan *plan)
{
    const size_t n = grid->n_nodes, assets = grid->n_assets;
    double *const drift = levy_arena_allocate(arena, n * assets, sizeof *drift),
                  *const factor = levy_arena_allocate(arena, 2 * assets * assets, sizeof *factor);
    double *const stack = levy_arena_allocate(arena, n + 1, sizeof *stack);
    variance_gamma_place *const places = levy_arena_allocate(arena, n, sizeof *places);
    uint32_t *const rows = levy_arena_allocate(arena, n * assets, sizeof *rows);
    levy_model_tables tables;
    if (!drift || !factor || !stack || !places || !rows) return LEVY_MEMORY;
    for (size_t u = 0; u < assets; ++u) {
        const variance_gamma_numbers numbers = variance_gamma_of(terms, grid->assets[u]);
        for (size_t k = 0; k < n; ++k) drift[k * assets + u] = numbers.omega * grid->times[k];
        factor[u * 2 * assets + 2 * u] = numbers.up;
        factor[u * 2 * assets + 2 * u + 1] = -numbers.down;
    }
    variance_gamma_places(grid, stack, places);
    LEVY_TRY(levy_model_tables_begin(&tables, arena, grid->is_single, grid->scale, n));
    LEVY_TRY(variance_gamma_tables(terms, grid, places, &tables, rows));
    *plan = (levy_model_plan){.drift = drift,
                              .factor = factor,
                              .reals = tables.reals,
                              .n_reals = tables.n,
                              .words = rows,
                              .n_words = n * assets};
    return LEVY_OK;
}

/* ---- As a Brownian motion on a gamma clock ---- */

static levy_clock_increment variance_gamma_increment(const levy_clocked *c, double interval)
{
    return (levy_clock_increment){levy_law_gamma(interval / c->numbers[0]), interval};
}

static levy_status variance_gamma_clocked(const levy_model_terms *terms,
                                          const levy_model_grid *grid, levy_arena *arena,
                                          levy_model_plan *plan)
{
    levy_clocked *const assets = levy_arena_allocate(arena, grid->n_assets, sizeof *assets);
    if (!assets) return LEVY_MEMORY;
    for (size_t u = 0; u < grid->n_assets; ++u) {
        const variance_gamma_numbers n = variance_gamma_of(terms, grid->assets[u]);
        assets[u] = (levy_clocked){.drift = n.omega,
                                   .skew = n.theta,
                                   .volatility = n.sigma,
                                   .numbers = {n.nu},
                                   .increment = variance_gamma_increment};
    }
    return levy_clocked_plan(assets, grid, arena, plan);
}

static const char *const variance_gamma_without[] = {
    "vega", "vega_by_node", "vanna", "volga", "theta", "correlation", NULL,
};

static const levy_model_kind variance_gamma_linear = {
    .kind = "variance_gamma",
    .table = &levy_model_variance_gamma_table,
    .features = LEVY_MODEL_STEPS | LEVY_MODEL_JUMPS | LEVY_MODEL_DRIVEN | LEVY_MODEL_SLOPES,
    .lanes = LEVY_MODEL_NORMAL_INVERSE_GAUSSIAN,
    .draws = levy_clocked_draws,
    .drivers = 1,
    .volatility = variance_gamma_volatility,
    .plan = variance_gamma_clocked};

const levy_model_kind levy_model_variance_gamma = {
    .kind = "variance_gamma",
    .table = &levy_model_variance_gamma_table,
    .features = LEVY_MODEL_JUMPS | LEVY_MODEL_DRIVEN | LEVY_MODEL_GAMMA,
    .without = variance_gamma_without,
    .drivers = 2,
    .volatility = variance_gamma_volatility,
    .peak = variance_gamma_peak,
    .middle = variance_gamma_middle,
    .least = variance_gamma_least,
    .cumulant = variance_gamma_cumulant,
    .linear = &variance_gamma_linear,
    .tail = variance_gamma_tail,
    .check = variance_gamma_check,
    .plan = variance_gamma_plan,
};
