/* catalog_simulation.c: the tables of a simulation: bumps, construction, smoothing, tolerance,
 * generator. See catalog.h. Must not know: any rule that spans two keys (engine/problem/). */
#include "engine/schema/catalog.h"

#define CATALOG_BUMPS                                                                              \
    "Bump sizes of the sensitivities. A sensitivity is a finite difference "                       \
    "of prices with common random numbers. Its standard error includes the "                       \
    "bias of the bump, which is estimated with a second bump on the first "                        \
    "replicate. Default sizes are a fraction of the standard deviation at "                        \
    "expiry. They are larger if the payoff is discontinuous; those of spots are smaller if it is " \
    "integrated and stands beside what a date decides soon. With default "                         \
    "sizes, delta and gamma are extrapolated from two bumps to size 0. A note says what needs "    \
    "care. noisy: the error is large, because the payoff jumps (a digital, or a "                  \
    "barrier with discrete monitoring or with monitoring that starts "                             \
    "later; a barrier with continuous monitoring from today is smooth). "                          \
    "biased: a bumped spot lies beyond a continuously monitored barrier, "                         \
    "or beyond what decides today; or a size given here is more than 0.3 of the deviation at "     \
    "expiry or of the volatility (0.15 of it if the payoff jumps), or than half of the way to "    \
    "where the payoff jumps. "                                                                     \
    "one-sided: one of the two bumped markets cannot be simulated (a "                             \
    "volatility is below 0, or the correlations are not positive "                                 \
    "semidefinite or need another factor). If neither can be simulated, "                          \
    "the measure has no value. Nor has it where the spot stands for a fixing of today that other " \
    "underlyings have: give all of them, or none."

static const levy_field catalog_bumps_fields[] = {
    {LEVY_KEY("spot", NUMBER, levy_raw_bumps, spot), LEVY_WITHIN(1e-12, 0.5, 0),
     .doc = "Relative bump of the spot for delta, up and down. The default is a "
            "tenth of the standard deviation of the log spot at expiry, or a fifth "
            "if the payoff is discontinuous; delta is then extrapolated to size 0."},
    {LEVY_KEY("gamma", NUMBER, levy_raw_bumps, gamma), LEVY_WITHIN(1e-12, 0.5, 0),
     .doc = "Relative bump of the spot for gamma, cross_gamma and vanna. The default for "
            "gamma is that of delta; the default for the others is a twentieth of "
            "the standard deviation, or a fifth if the payoff is discontinuous. "
            "Second differences need larger bumps than first differences, because "
            "noise grows as the bump shrinks. In single precision they suffer from "
            "cancellation: bumps below 0.005 are rejected."},
    {LEVY_KEY("volatility", NUMBER, levy_raw_bumps, volatility), LEVY_WITHIN(1e-12, 0.5, 0),
     .unit = "1/sqrt(year)",
     .doc = "Absolute bump of the volatility for vega, vanna and volga, up and down. "
            "The default for vega is 0.002 times the volatility (heston: 0.02), or a tenth of "
            "it if the payoff is discontinuous; for vanna and volga a twentieth, or a fifth."},
    {LEVY_KEY("rate", NUMBER, levy_raw_bumps, rate), LEVY_WITHIN(1e-12, 0.1, 0), .unit = "1/year",
     .doc = "Absolute bump of the zero rates for rho, and of the yields for dividend_rho "
            "and borrow_rho, up and down. The default is "
            "0.002 times the standard deviation at expiry divided by the years to "
            "expiry, and at most 0.001. If the payoff is discontinuous, the factor "
            "is a tenth and the maximum is 0.05."},
    {LEVY_KEY("correlation", NUMBER, levy_raw_bumps, correlation), LEVY_WITHIN(1e-12, 0.5, 0),
     .doc = "Absolute bump of a correlation, up and down. The default is 0.01, or "
            "0.05 if the payoff is discontinuous."},
    {LEVY_KEY("days", NUMBER, levy_raw_bumps, days), LEVY_WITHIN(1e-9, 366, 0), .fallback = "1",
     .unit = "days", .doc = "Number of calendar days of the theta bump. Theta itself is per day."},
    {0}};
const levy_table levy_bumps_table = {.name = "bumps",
                                     .doc = CATALOG_BUMPS,
                                     .size = sizeof(levy_raw_bumps),
                                     .fields = catalog_bumps_fields,
                                     .example = "{spot: 0.01, volatility: 0.001}"};

static const char *const catalog_constructions[] = {
    "bridge", "incremental", "pca", "brownian_bridge=bridge", NULL,
};
static const char *const catalog_jumps[] = {"bridge", "by_interval", NULL};
static const char *const catalog_smoothings[] = {"auto", "all", "none", NULL};
static const char *const catalog_functionals[] = {"average", NULL};
static const levy_field catalog_first_fields[] = {
    {LEVY_KEY("functional", CHOICE, levy_raw_first, functional), .choices = catalog_functionals,
     .hint = "Write average, {components: 4} or a list of dates; as a setting also "
             "first.components=4.",
     .doc = "average: the average of each Brownian motion over the dates of the grid."},
    {LEVY_KEY("components", COUNT, levy_raw_first, components),
     LEVY_WITHIN(1, LEVY_MOST_FUNCTIONALS, 0),
     .doc = "How many principal components, the largest first; a grid with fewer dates takes "
            "as many as it has."},
    {LEVY_KEY("dates", LIST, levy_raw_first, dates), .element = LEVY_FIELD_TIME,
     .flags = LEVY_NON_EMPTY, .unit = "years",
     .doc = "Dates of the grid, in this order. The last date and then the midpoints "
            "follow."},
    {0}};
static const levy_table catalog_first = {
    .name = "first",
    .doc = "What a bridge draws before all else; one of the keys. Functionals of the path "
           "(average, components) take the first dimensions, and a bridge fills in the path "
           "given them.",
    LEVY_FILLS(levy_raw_first),
    .fields = catalog_first_fields,
    .takes_one_key = true,
    .shorthand_key = "functional",
    .shorthand_list = "dates",
    .example = "{components: 4}"};
static const levy_field catalog_construction_fields[] = {
    {LEVY_KEY("kind", CHOICE, levy_raw_construction, kind), .choices = catalog_constructions,
     .fallback = "bridge",
     .doc = "bridge: Brownian bridge; the last date is built first, then "
            "midpoints. incremental: dates are built in order of time. pca: "
            "principal components, the largest first; each date costs as many "
            "multiplications as there are dates."},
    {LEVY_KEY("order", LIST, levy_raw_construction, order), .element = LEVY_FIELD_COUNT,
     LEVY_WITHIN(1, 4294967295.0, LEVY_NON_EMPTY),
     .doc = "Build order of a bridge: the numbers of all dates of the trade's "
            "grid, from 1, each once."},
    {LEVY_KEY("first", OBJECT, levy_raw_construction, first), .table = &catalog_first,
     .doc = "What a bridge draws first: average, {components: 4}, or a list of dates."},
    {0}};
const levy_table levy_construction_table = {
    .name = "construction",
    .doc = "Path construction: how random numbers become the path, and so which "
           "of them matter most.",
    LEVY_FILLS(levy_raw_construction),
    .fields = catalog_construction_fields,
    .shorthand_key = "kind",
    .example = "{kind: bridge, first: average}"};

static const levy_field catalog_smoothing_fields[] = {
    {LEVY_KEY("kind", CHOICE, levy_raw_smoothing, kind), .choices = catalog_smoothings,
     .fallback = "auto",
     .doc = "auto: payoffs that jump, such as digitals and barriers on dates, are integrated. all: "
            "whatever can be; a note says why a trade cannot. none: no payoff."},
    {LEVY_KEY("width", NUMBER, levy_raw_smoothing, width), LEVY_WITHIN(0, 1, LEVY_LOW_OPEN),
     .unit = "fraction of the level",
     .doc =
         "Comparisons of scripts that jump and are not integrated change over this width instead "
         "of at a point, so that their sensitivities have smaller errors. The price has a bias "
         "then, which is reported as smoothing_bias. Left out: they change at a point."},
    {0}};
static const levy_table catalog_smoothing = {.name = "smoothing",
                                             .doc = "Which payoffs are made smooth, and how.",
                                             LEVY_FILLS(levy_raw_smoothing),
                                             .fields = catalog_smoothing_fields,
                                             .shorthand_key = "kind",
                                             .example = "{width: 0.02}"};

static const levy_field catalog_tolerance_fields[] = {
    {LEVY_KEY("absolute", NUMBER, levy_raw_tolerance, absolute),
     LEVY_WITHIN(0, 1e18, LEVY_LOW_OPEN), .unit = "currency",
     .doc = "Largest accepted half-width of the price's confidence interval. If "
            "`relative` is also given, one of the two is sufficient."},
    {LEVY_KEY("relative", NUMBER, levy_raw_tolerance, relative),
     LEVY_WITHIN(0, 1, LEVY_LOW_OPEN | LEVY_HIGH_OPEN),
     .doc = "Largest accepted half-width as a fraction of the price."},
    {LEVY_KEY("confidence", NUMBER, levy_raw_tolerance, confidence),
     LEVY_WITHIN(0.5, 1, LEVY_LOW_OPEN | LEVY_HIGH_OPEN),
     .doc = "Confidence level of that interval. The default is "
            "simulation.confidence."},
    {LEVY_KEY("max_paths", COUNT, levy_raw_tolerance, max_paths),
     LEVY_WITHIN(2, 281474976710656.0, 0),
     .doc = "Maximum total number of paths. The default is 2^26. A price that "
            "needs more paths is reported with tolerance_met: false."},
    {LEVY_KEY("inflate", NUMBER, levy_raw_tolerance, inflate), LEVY_WITHIN(1, 10, 0),
     .fallback = "1.2",
     .doc = "Safety factor. The half-width is multiplied by it before the "
            "comparison, because the half-width is itself an estimate."},
    {0}};
const levy_table levy_tolerance_table =
    OBJECT_TABLE("tolerance", levy_raw_tolerance, catalog_tolerance_fields,
                 "Target accuracy of prices. The number of paths doubles until "
                 "`inflate` times the half-width is within the tolerance at two "
                 "successive sizes, or once at the largest size that max_paths allows. "
                 "Each trade uses only the paths that it needs itself.",
                 "{relative: 0.0001, max_paths: 2^26}", .any_of = "absolute relative");

const char *const levy_generator_kinds[] = {
    "sobol_scrambled", "sobol",  "philox", "mrg32k3a",     "net",
    "lattice",         "halton", "points", "curand_sobol", "curand_scrambled_sobol",
    "curand_mrg32k3a", "given",  NULL};
static const char *const catalog_pipelines[] = {"fused", "staged", NULL};
static const char *const catalog_scramblings[] = {"none", "shift", "matrix", NULL};
static const levy_field catalog_generator_fields[] = {
    {LEVY_KEY("kind", CHOICE, levy_raw_generator, kind), .choices = levy_generator_kinds,
     .fallback = "sobol_scrambled",
     .doc = "sobol_scrambled: randomized quasi-Monte Carlo, with a standard error. "
            "sobol: quasi-Monte Carlo, without a standard error. philox, mrg32k3a: "
            "pseudo-random numbers. net: a digital net in base 2 from a file. "
            "lattice: a rank-1 lattice in base 2, of 1,024 dimensions or from a file. "
            "halton: Halton's points, of 1,024 dimensions. points: those of a file. "
            "curand_sobol, curand_scrambled_sobol, curand_mrg32k3a: words of NVIDIA's "
            "cuRAND, where that library is installed; of the scrambled points each "
            "replicate has a digital shift of its own. given: normals of the program "
            "that prices the book (levy_price_options.normals)."},
    {LEVY_KEY("file", TEXT, levy_raw_generator, file),
     .doc = "File with the generating matrices of a net: direction numbers of Joe "
            "and Kuo, or matrices of LatNet Builder or LDData; with the generating vector of "
            "a lattice, a number a line; or with points, a NumPy array [point][dimension] or "
            "[replicate][point][dimension] of float64 in [0, 1). The path is relative "
            "to this file."},
    {LEVY_KEY("scrambling", CHOICE, levy_raw_generator, scrambling), .choices = catalog_scramblings,
     .doc = "Randomization. Of a net, matrix (the default): a random linear scramble "
            "and a digital shift; shift: a digital shift. Of a lattice and of points "
            "without replicates, shift: a shift modulo 1. Of halton, digits are permuted. "
            "none: the points as they "
            "are, without replicates and without a standard error."},
    {0}};
const levy_table levy_generator_table = {
    .name = "generator",
    .doc = "Random numbers of the simulation. A net replaces the direction numbers of "
           "Sobol points by those of a file: {kind: net, file: net.txt}; points of one's own: "
           "{kind: points, file: points.npy}.",
    LEVY_FILLS(levy_raw_generator),
    .fields = catalog_generator_fields,
    .shorthand_key = "kind",
    .example = "{kind: net, file: nets/niederreiter.txt}"};
static const char *const catalog_precisions[] = {
    "double", "single", "mixed", "float64=double", "float32=single", NULL,
};
static const levy_synonym catalog_simulation_strangers[] = {
    {"steps n_steps num_steps nsteps time_steps timesteps n_time_steps dt",
     "Remove it: paths have the dates that the trades observe, and no error between them."},
    {"antithetic antithetic_variates use_antithetic",
     "Remove it: there are no antithetic paths. generator: sobol_scrambled, the default, has "
     "smaller errors."},
    {0}};
static const levy_field catalog_simulation_fields[] = {
    {LEVY_KEY("paths", COUNT, levy_raw_simulation, paths),
     .also = "simulations n_simulations samples trials n_samples num_paths n_paths npaths "
             "num_simulations n_sims nsims number_of_paths",
     LEVY_WITHIN(2, 281474976710656.0, 0), .fallback = "2^18",
     .doc = "Total number of paths. Sobol points, nets and lattices need replicates times a "
            "power of two. The maximum is 2^32 per replicate. With a tolerance "
            "this is the first size; its default is then 2^10 per replicate (16 "
            "replicates) or 2^14."},
    {LEVY_KEY("replicates", COUNT, levy_raw_simulation, replicates), LEVY_WITHIN(1, 65536, 0),
     .doc = "Number of independent randomizations. Their spread gives the standard "
            "error. The default is 16 for quasi-random points that are randomized, "
            "those of the file for points with replicates, otherwise 1."},
    {LEVY_KEY("generator", OBJECT, levy_raw_simulation, generator), .also = "rng random sequence",
     .table = &levy_generator_table,
     .doc = "Random numbers: sobol_scrambled (default), sobol, philox or mrg32k3a; "
            "lattice, halton, {kind: net, file: net.txt} or {kind: points, file: points.npy}; "
            "curand_sobol, curand_scrambled_sobol or "
            "curand_mrg32k3a; or given."},
    {LEVY_KEY("pipeline", CHOICE, levy_raw_simulation, pipeline), .choices = catalog_pipelines,
     .doc = "fused: a path makes its own random numbers. staged: they are made first, in "
            "batches that fit memory, and paths read them. The default is fused; generators "
            "of cuRAND and given normals are always staged. Levy's own generators have the "
            "same bits in both."},
    {LEVY_KEY("construction", OBJECT, levy_raw_simulation, construction),
     .table = &levy_construction_table,
     .doc = "Path construction: bridge (default), incremental or pca; or {kind: "
            "bridge, first: average} and the like."},
    {LEVY_KEY("jumps", CHOICE, levy_raw_simulation, jumps), .choices = catalog_jumps,
     .fallback = "bridge",
     .doc = "How the arrivals of jumps are drawn where paths are built by a bridge. "
            "bridge: their number until the last date first, then how they fall to "
            "the left and right of each date. by_interval: for each interval by "
            "itself, as with the other constructions."},
    {LEVY_KEY("max_step", NUMBER, levy_raw_simulation, max_step), LEVY_WITHIN(1e-5, 200, 0),
     .unit = "years",
     .doc = "Longest step of models whose paths are exact only as steps become short: heston, and "
            "regimes that switch by steps. Dates are added to the grid. The default of heston is "
            "1/48 year and at least 8 steps to expiry."},
    {LEVY_KEY("step_bias", FLAG, levy_raw_simulation, step_bias), .fallback = "true",
     .doc = "Whether the error that such steps leave is measured, by longer steps on few of the "
            "points, and reported beside the standard error, never in it. It takes a small share "
            "of the run."},
    {LEVY_KEY("smoothing", OBJECT, levy_raw_simulation, smoothing), .table = &catalog_smoothing,
     .doc = "Which payoffs are integrated in closed form over the first normal of each path "
            "(the end point of a bridge, the largest principal component): auto (default), all or "
            "none. No bias, and sensitivities have smaller errors. {width: 0.02} compares over a "
            "width where that cannot be."},
    {LEVY_KEY("seed", COUNT, levy_raw_simulation, seed), .also = "random_seed", .fallback = "42",
     LEVY_WITHIN(0, 9007199254740991.0, 0),
     .doc = "Seed of the random numbers. The limit of 2^53 lets every JSON reader "
            "read it exactly. The same seed gives the same bits."},
    {LEVY_KEY("precision", CHOICE, levy_raw_simulation, precision), .choices = catalog_precisions,
     .fallback = "double",
     .doc = "Floating-point precision of the paths. mixed: normals in single "
            "precision, everything else in double precision."},
    {LEVY_KEY("confidence", NUMBER, levy_raw_simulation, confidence),
     LEVY_WITHIN(0.5, 1, LEVY_LOW_OPEN | LEVY_HIGH_OPEN), .fallback = "0.95",
     .doc = "Confidence level of the intervals, such as 0.95."},
    {LEVY_KEY("tolerance", OBJECT, levy_raw_simulation, tolerance), .table = &levy_tolerance_table,
     .doc = "Target accuracy, used instead of a fixed number of paths, such as "
            "{relative: 0.0001}."},
    {LEVY_KEY("bumps", OBJECT, levy_raw_simulation, bumps), .table = &levy_bumps_table,
     .doc = "Bump sizes of the sensitivities."},
    {0}};
const levy_table levy_simulation_table =
    OBJECT_TABLE("simulation", levy_raw_simulation, catalog_simulation_fields,
                 "Simulation settings: number of paths, generator, path construction, "
                 "precision.",
                 "{paths: 2^18, seed: 42}", .strangers = catalog_simulation_strangers);
