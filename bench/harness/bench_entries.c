/* bench_entries.c: what `levy bench` measures. Names are kept for good: results of years stand
 * under them. An entry that is more than the path loop of a problem brings a measuring function of
 * its own.
 */
#include "bench/harness/bench.h"

#define ENTRY(NAME, UNIT, AGAINST, ASSETS, DATES, GENERATOR, CONSTRUCTION, PRECISION, ...)         \
    {                                                                                              \
        .name = NAME, .unit = UNIT, .against = AGAINST, .measure = bench_measure_price,            \
        .assets = ASSETS, .dates = DATES, .generator = GENERATOR, .construction = CONSTRUCTION,    \
        .precision = PRECISION, __VA_ARGS__                                                        \
    }
/* A problem in both precisions. */
#define ENTRIES(NAME, AGAINST32, AGAINST64, ASSETS, DATES, GENERATOR, CONSTRUCTION, ...)           \
    ENTRY(NAME "_f32", "path-steps/s", AGAINST32, ASSETS, DATES, GENERATOR, CONSTRUCTION,          \
          "single", __VA_ARGS__),                                                                  \
        ENTRY(NAME "_f64", "path-steps/s", AGAINST64, ASSETS, DATES, GENERATOR, CONSTRUCTION,      \
              "double", __VA_ARGS__)
/* What measures or scenarios of the Asian option cost on one core of the CPU, in prices. */
#define COST(NAME, ...)                                                                            \
    {                                                                                              \
        .name = NAME, .unit = "prices", .measure = bench_measure_cost, .assets = 1, .dates = 64,   \
        .generator = sobol, .construction = bridge, .precision = "double", .one_core = true,       \
        __VA_ARGS__                                                                                \
    }

/* What Greeks cost where the other rows run, in prices. */
#define GREEKS(NAME, ASSETS, DATES, PRECISION, MEASURES, WHAT)                                     \
    {                                                                                              \
        .name = NAME, .unit = "prices", .measure = bench_measure_cost, .assets = ASSETS,           \
        .dates = DATES, .generator = sobol, .construction = bridge, .precision = PRECISION,        \
        .measures = MEASURES, .what = WHAT ": the cost in prices, less is better"                  \
    }
#define GREEKS5(NAME, DATES, PRECISION, WHAT)                                                      \
    GREEKS(NAME, 1, DATES, PRECISION, "price, delta, gamma, vega, theta, rho",                     \
           WHAT " with its five Greeks")

/* A note on so many paths, plain, and what of it is not like that. */
#define NOTE(NAME, ASSETS, PAYOFF, YEARS, PATHS, PRECISION, GENERATOR, CONSTRUCTION, ...)          \
    {                                                                                              \
        .name = NAME, .unit = "s", .measure = bench_measure_price, .assets = ASSETS,               \
        .payoff = PAYOFF, .years = YEARS, .paths = PATHS, .precision = PRECISION,                  \
        .generator = GENERATOR, .construction = CONSTRUCTION, __VA_ARGS__                          \
    }
#define NOTES(NAME, PAYOFF, YEARS, PATHS, WHAT)                                                    \
    NOTE(NAME "_f32", 3, PAYOFF, YEARS, PATHS, "single", sobol, bridge, .smoothing = "none",       \
         .what = WHAT ": kernel seconds, less is better"),                                         \
        NOTE(NAME "_f64", 3, PAYOFF, YEARS, PATHS, "double", sobol, bridge, .smoothing = "none",   \
             .what = WHAT ": kernel seconds, less is better")

/* Seconds to a standard error over the value, where the other rows run and on one core. */
#define TIME_TO_ERROR(NAME, PAYOFF, YEARS, ERROR, MEASURES, ONE_CORE, WHAT)                        \
    {                                                                                              \
        .name = "time_to_error_" NAME, .unit = "s", .measure = bench_measure_error, .assets = 1,   \
        .payoff = PAYOFF, .years = YEARS, .error = ERROR, .measures = MEASURES,                    \
        .generator = sobol, .construction = "pca", .smoothing = "all", .precision = "double",      \
        .one_core = ONE_CORE, .what = WHAT                                                         \
    }
#define TIMES_TO_ERROR(NAME, PAYOFF, YEARS, ERROR, MEASURES, WHAT)                                 \
    TIME_TO_ERROR(NAME, PAYOFF, YEARS, ERROR, MEASURES, false, WHAT),                              \
        TIME_TO_ERROR(NAME "_cpu", PAYOFF, YEARS, ERROR, MEASURES, true,                           \
                      WHAT ", on one core of the CPU")

/* An option that is exercised by a rule, on so many paths beside those of its fit. */
#define EARLY(NAME, BOOK, PATHS, WHAT)                                                             \
    {                                                                                              \
        .name = NAME, .unit = "s", .measure = bench_measure_price, .trades = 1, .book = BOOK,      \
        .paths = PATHS, .generator = sobol, .whole = true,                                         \
        .what = WHAT ", again after a spot has moved: seconds of the whole call, less is better"   \
    }

/* Four regimes whose average variance is near that of the Asian option's asset. */
#define REGIMES4(how)                                                                              \
    "regimes: {calm: {volatilities: [0.12]}, even: {volatilities: [0.18]}, busy: {volatilities: "  \
    "[0.25]}, wild: {volatilities: [0.40]}},\n"                                                    \
    "           generator: [[-1.5, 1, 0.4, 0.1], [1.5, -3, 1.2, 0.3], [0.5, 2.5, -4, 1], [0, 1, "  \
    "5, -6]], initial_regime: even, switching: " how

/* A transition matrix over each step, whose rows are weighted by the bucket of the spot. */
#define ATTRACTED                                                                                  \
    "regimes: {calm: {volatilities: [0.12]}, even: {volatilities: [0.18]}, busy: {volatilities: "  \
    "[0.25]}, wild: {volatilities: [0.40]}},\n"                                                    \
    "           transition: [[0.97, 0.02, 0.008, 0.002], [0.03, 0.94, 0.025, 0.005], [0.01, "      \
    "0.04, 0.93, 0.02], [0, 0.02, 0.08, 0.9]],\n"                                                  \
    "           period: 0.015625, initial_regime: even,\n"                                         \
    "           attraction: {asset: A0, levels: [0.9, 1.05], weights: [[1, 1, 2, 6], [1, 1, 1, "   \
    "1], [2, 1, 1, 0.5]]}"

/* Date 37 k mod 65 in place k: far from bisection, so that the traversal out of time's order is
 * seen. */
static const char shuffled[] =
    "{kind: bridge, order: ["
    "37, 9, 46, 18, 55, 27, 64, 36, 8, 45, 17, 54, 26, 63, 35, 7, 44, 16, 53, 25, 62, 34, "
    "6, 43, 15, 52, 24, 61, 33, 5, 42, 14, 51, 23, 60, 32, 4, 41, 13, 50, 22, 59, 31, 3, "
    "40, 12, 49, 21, 58, 30, 2, 39, 11, 48, 20, 57, 29, 1, 38, 10, 47, 19, 56, 28]}";

static const char sobol[] = "sobol_scrambled", bridge[] = "bridge",
                  merton[] = "intensity: 1, jump_mean: -0.1, jump_volatility: 0.15",
                  alias[] =
                      "intensity: 1, jump_mean: -0.1, jump_volatility: 0.15, counts_map: alias",
                  kou1[] = "intensity: 1, probability_up: 0.3, rate_up: 25, rate_down: 15",
                  kou[] = "intensity: 3, probability_up: 0.3, rate_up: 25, rate_down: 15";

/* A standard deviation of about 20 % a year, skewed to the left. */
static const char skewed[] = "sigma: [0.18], nu: [0.3], theta: [-0.16]";
static const char heavy[] = "alpha: [15], beta: [-5], delta: [0.5]";

static const char worst_of[] =
    "      {kind: asian, aggregate: worst_of, option_type: call, strike: 90, averaging: {method: "
    "arithmetic, observations: {count: 64}}}\n";

/* Variances near their mean, and variances that are often near 0: sets A and B. */
#define VARIANCES_A "v0: 0.04, theta: 0.04, kappa: 2, xi: 0.5, rho: -0.7"
static const char variances_a[] = VARIANCES_A,
                  variances_b[] = "v0: 0.04, theta: 0.04, kappa: 0.5, xi: 1, rho: -0.9",
                  bates[] = VARIANCES_A ", intensity: 1, jump_mean: -0.1, jump_volatility: 0.15";

const bench_entry bench_entries[] = {
    ENTRIES("asian64", NULL, NULL, 1, 64, sobol, bridge,
            .what = "arithmetic Asian, 1 asset, 64 equal steps, Sobol points and bridge"),
    ENTRY("asian64_mixed", "path-steps/s", "asian64_f64", 1, 64, sobol, bridge, "mixed",
          .what = "asian64 with normals in single precision, all else in double"),
    ENTRIES(
        "asian64_irregular", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge, .irregular = true,
        .what = "the same on an irregular grid, volatilities by term, a dividend yield and four "
                "proportional dividends"),
    ENTRIES("asian64_cash", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge, .irregular = true,
            .cash = true,
            .what =
                "the same with four cash dividends instead, on dates between fixings: 68 steps"),
    ENTRY("asian64_quanto_f32", "path-steps/s", "asian64_f32", 1, 64, sobol, bridge, "single",
          .conversion = "quanto", .what = "asian64 on an asset in another currency than it pays"),
    ENTRY("asian64_composite_f32", "path-steps/s", "asian64_f32", 1, 64, sobol, bridge, "single",
          .conversion = "composite",
          .what = "the same on the asset times its rate of exchange: both factors, one draw"),
    ENTRY("worst_of3_f32", "path-steps/s", "asian64_f32", 3, 64, sobol, bridge, "single",
          .payoff = worst_of, .years = 1.0,
          .what = "Asian call on the worst of 3 assets, 64 steps; asset-steps are counted"),
    ENTRY("worst_of3_quanto_f32", "path-steps/s", "worst_of3_f32", 3, 64, sobol, bridge, "single",
          .payoff = worst_of, .years = 1.0, .conversion = "quanto",
          .what = "the same on assets in another currency than it pays"),
    ENTRIES("asian252", NULL, NULL, 1, 252, sobol, bridge,
            .what = "arithmetic Asian, 1 asset, 252 steps"),
    ENTRIES("asian1260", NULL, NULL, 1, 1260, sobol, bridge,
            .what = "arithmetic Asian, 1 asset, 1,260 steps"),
    ENTRIES(
        "basket8", "asian64_f32", "asian64_f64", 8, 64, sobol, bridge,
        .what =
            "Asian on a basket of 8 assets, full correlation, 64 steps; asset-steps are counted"),
    ENTRIES(
        "basket32", "asian64_f32", "asian64_f64", 32, 52, sobol, bridge,
        .what =
            "Asian on a basket of 32 assets, full correlation, 52 steps; asset-steps are counted"),
    ENTRIES("basket16", "basket8_f32", "basket8_f64", 16, 64, sobol, bridge,
            .what = "the same with 16 assets, 64 steps"),
    ENTRIES("basket64", "basket8_f32", "basket8_f64", 64, 64, sobol, bridge,
            .what = "the same with 64 assets, 64 steps"),
    ENTRIES("basket100", "basket8_f32", "basket8_f64", 100, 64, sobol, bridge,
            .what = "the same with 100 assets, 64 steps"),
    ENTRIES("basket8_2520", "basket8_f32", "basket8_f64", 8, 2520, sobol, bridge,
            .what = "basket8 with 2,520 steps"),
    ENTRY("basket8_mixed", "path-steps/s", "basket8_f64", 8, 64, sobol, bridge, "mixed",
          .what = "basket8 with normals in single precision, all else in double"),
    GREEKS("vega8_64_f32", 8, 64, "single", "price, vega", "basket8 with its vegas"),
    GREEKS("vega8_64_f64", 8, 64, "double", "price, vega", "basket8 with its vegas"),
    ENTRIES("greeks10_252", "asian64_f32", "asian64_f64", 10, 252, sobol, bridge, .full = 17,
            .measures = "price, delta, vega",
            .what =
                "Asian on a basket of 10 assets, 252 steps: price, deltas and vegas: 41 prices in "
                "21 markets; asset-steps of one price are counted"),
    ENTRIES("vega32_52", "basket32_f32", "basket32_f64", 32, 52, sobol, bridge, .full = 18,
            .measures = "price, vega",
            .what = "basket32 with its vegas: 65 markets; asset-steps of one price are counted"),
    ENTRY("european1_f32", "paths/s", NULL, 1, 0, sobol, bridge, "single",
          .what = "European call, one step"),
    ENTRY("european1_f64", "paths/s", NULL, 1, 0, sobol, bridge, "double",
          .what = "European call, one step"),
    ENTRY("merton1_f32", "paths/s", "european1_f32", 1, 0, sobol, bridge, "single",
          .model = "merton", .terms = merton, .what = "european1 with lognormal jumps, one a year"),
    ENTRY("merton1_f64", "paths/s", "european1_f64", 1, 0, sobol, bridge, "double",
          .model = "merton", .terms = merton, .what = "european1 with lognormal jumps, one a year"),
    ENTRY("kou1_f32", "paths/s", "european1_f32", 1, 0, sobol, bridge, "single", .model = "kou",
          .terms = kou1, .what = "european1 with double exponential jumps, one a year"),
    ENTRY("kou1_f64", "paths/s", "european1_f64", 1, 0, sobol, bridge, "double", .model = "kou",
          .terms = kou1, .what = "european1 with double exponential jumps, one a year"),
    ENTRIES("asian64_incremental", "asian64_f32", "asian64_f64", 1, 64, sobol, "incremental",
            .what = "asian64 in time's order"),
    ENTRIES("asian64_pca", "asian64_f32", "asian64_f64", 1, 64, sobol, "pca",
            .what = "asian64 by principal components"),
    ENTRIES("asian252_pca", "asian252_f32", "asian252_f64", 1, 252, sobol, "pca",
            .what = "asian252 by principal components"),
    ENTRIES("asian64_order", "asian64_f32", "asian64_f64", 1, 64, sobol, shuffled,
            .what = "asian64 with the bridge built in a shuffled order of dates"),
    ENTRIES("basket8_pca", "basket8_f32", "basket8_f64", 8, 64, sobol, "pca",
            .what = "basket8 by principal components"),
    ENTRIES("asian64_average", "asian64_f32", "asian64_f64", 1, 64, sobol,
            "{kind: bridge, first: average}", .what = "asian64, the average of the path first"),
    ENTRIES("asian64_components4", "asian64_f32", "asian64_f64", 1, 64, sobol,
            "{kind: bridge, first: {components: 4}}",
            .what = "asian64, four principal components first"),
    ENTRIES("asian64_mrg32k3a", "asian64_f32", "asian64_f64", 1, 64, "mrg32k3a", bridge,
            .what = "asian64 on MRG32k3a"),
    ENTRIES("asian64_mrg32k3a_incremental", "asian64_f32", "asian64_f64", 1, 64, "mrg32k3a",
            "incremental", .what = "asian64 on MRG32k3a in time's order"),
    ENTRIES("asian64_philox", "asian64_f32", "asian64_f64", 1, 64, "philox", bridge,
            .what = "asian64 on Philox4x32-10"),
    ENTRIES("asian64_philox_incremental", "asian64_f32", "asian64_f64", 1, 64, "philox",
            "incremental", .what = "asian64 on Philox4x32-10 in time's order"),
    ENTRIES("merton64", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge, .model = "merton",
            .terms = merton, .what = "asian64 with lognormal jumps, one a year"),
    ENTRIES("merton64_alias", "asian64_philox_incremental_f32", "asian64_philox_incremental_f64", 1,
            64, "philox", "incremental", .model = "merton", .terms = alias,
            .what = "merton64 on Philox4x32-10 in time's order, counts of jumps by alias tables"),
    ENTRIES("kou64", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge, .model = "kou",
            .terms = kou, .what = "asian64 with double exponential jumps, three a year"),
    ENTRIES("vg64", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge, .model = "variance_gamma",
            .terms = skewed, .driven = true,
            .what = "asian64 under the variance gamma model: two gamma bridges"),
    ENTRIES("nig64", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge,
            .model = "normal_inverse_gaussian", .terms = heavy, .driven = true,
            .what = "asian64 under the normal inverse Gaussian model"),
    ENTRIES("heston64", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge, .model = "heston",
            .terms = variances_a, .driven = true,
            .what = "asian64 under Heston's model by QE-M, xi 0.5, rho -0.7"),
    ENTRIES("heston64_low", "heston64_f32", "heston64_f64", 1, 64, sobol, bridge, .model = "heston",
            .terms = variances_b, .driven = true,
            .what = "heston64 with variances that are often near 0: xi 1, kappa 0.5, rho -0.9"),
    ENTRIES("bates64", "heston64_f32", "heston64_f64", 1, 64, sobol, bridge, .model = "bates",
            .terms = bates, .driven = true, .what = "heston64 with lognormal jumps, one a year"),
    ENTRY("heston64_quanto_f32", "path-steps/s", "heston64_f32", 1, 64, sobol, bridge, "single",
          .model = "heston", .terms = variances_a, .driven = true, .conversion = "quanto",
          .what = "heston64 on an asset in another currency than it pays"),
    ENTRY("heston2_64_f32", "path-steps/s", "heston64_f32", 2, 64, sobol, bridge, "single",
          .model = "heston", .terms = variances_a, .driven = true,
          .what = "heston64 on a basket of two; asset-steps are counted"),
    ENTRY("heston64_simulated_f32", "path-steps/s", "heston2_64_f32", 1, 64, sobol, bridge,
          "single", .model = "heston", .terms = variances_a, .driven = true,
          .conversion = "simulated",
          .what = "heston64_quanto_f32 by a rate with a variance of its own; 0.5 takes as long as "
                  "the basket"),
    ENTRIES("heston8_64", "heston64_f32", "heston64_f64", 8, 64, sobol, bridge, .model = "heston",
            .terms = variances_a, .driven = true,
            .what = "basket8 under Heston's model, each asset with a variance of its own"),
    ENTRIES("regime4_64", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge,
            .model = "regime_switching", .terms = REGIMES4("stepped"),
            .what = "asian64 under four regimes, stepped: a regime holds from date to date"),
    ENTRIES("regime4_64_exact", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge,
            .model = "regime_switching", .terms = REGIMES4("exact"),
            .what = "the same with switching times simulated"),
    ENTRIES("regime16_64", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge,
            .model = "regime_switching", .regimes = 16,
            .what = "asian64 under 16 regimes, each of which can follow every other, stepped"),
    ENTRIES("regime64_64", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge,
            .model = "regime_switching", .regimes = 64, .what = "the same under 64 regimes"),
    ENTRIES("attraction64", "asian64_f32", "asian64_f64", 1, 64, sobol, bridge,
            .model = "regime_switching", .terms = ATTRACTED,
            .what = "asian64 under four regimes whose chances depend on the spot, at each date"),
    ENTRY("asian64_cpu", "path-steps/s", NULL, 1, 64, sobol, bridge, "double", .one_core = true,
          .what = "asian64 in double precision on one core of the CPU"),
    ENTRY("merton64_cpu", "path-steps/s", "asian64_cpu", 1, 64, sobol, bridge, "double",
          .model = "merton", .terms = merton, .one_core = true,
          .what = "merton64 in double precision on one core of the CPU"),
    ENTRY("heston64_cpu", "path-steps/s", "asian64_cpu", 1, 64, sobol, bridge, "double",
          .model = "heston", .terms = variances_a, .driven = true, .one_core = true,
          .what = "heston64 in double precision on one core of the CPU"),
    ENTRY("basket32_cpu", "path-steps/s", "asian64_cpu", 32, 52, sobol, bridge, "double",
          .one_core = true, .what = "basket32 in double precision on one core of the CPU"),
    COST("greeks5_cpu", .measures = "price, delta, gamma, vega, theta, rho",
         .what = "asian64_cpu with its five Greeks: the cost in prices, less is better"),
    GREEKS5("greeks5_asian64_f32", 64, "single", "asian64"),
    GREEKS5("greeks5_asian64_f64", 64, "double", "asian64"),
    GREEKS5("greeks5_european1_f32", 0, "single", "european1"),
    GREEKS5("greeks5_european1_f64", 0, "double", "european1"),
    COST("scenarios100_spot_cpu", .scenarios = "spot",
         .what = "asian64_cpu in 100 scenarios of its spot: the cost in prices, less is better"),
    COST("scenarios100_vol_cpu", .scenarios = "volatility",
         .what = "asian64_cpu in 100 scenarios of its volatility: the cost in prices, less is "
                 "better"),
    NOTES("phoenix3", bench_phoenix, 3.0, 18,
          "worst-of Phoenix on 3 assets, 36 coupons with memory, 756 daily knock-ins, 2^18 paths"),
    NOTE("phoenix3_greeks_f32", 3, bench_phoenix, 3.0, 18, "single", sobol, bridge,
         .smoothing = "auto", .dear = true,
         .measures = "price, delta, gamma, vega, rho, correlation",
         .what = "phoenix3 integrated, with 3 deltas, gammas and vegas, rho and correlations: "
                 "kernel seconds, less is better"),
    NOTES("finpar_autocall", bench_finpar_autocall, 5.0, 20,
          "worst-of autocallable on 3 assets, 5 dates, 2^20 paths (FinPar's medium size)"),
    NOTES("finpar_barrier", bench_finpar_barrier, 1.0, 17,
          "worst-of barrier note on 3 assets, 367 daily dates, 2^17 paths (FinPar's large size)"),
    NOTE("autocall_script_f32", 3, bench_autocall_script, 3.0, 24, "single", "philox",
         "incremental", .smoothing = "none",
         .what = "worst-of autocallable written as a script, 3 assets, 12 dates, 2^24 paths of "
                 "Philox in time's order: kernel seconds, less is better"),
    NOTE("autocall_script_cpu", 3, bench_autocall_script, 3.0, 18, "double", "philox",
         "incremental", .smoothing = "none", .one_core = true,
         .what = "the same in double precision, 2^18 paths on one core of the CPU: seconds, less "
                 "is better"),
    TIMES_TO_ERROR("asian64", bench_asian, 1.0, 1e-5, NULL,
                   "asian64 integrated, beside other methods: seconds to a standard error of 1e-5 "
                   "of the price"),
    TIMES_TO_ERROR("digital_asian64", bench_digital_asian, 1.0, 1e-5, NULL,
                   "the same of a digital on the average"),
    TIMES_TO_ERROR("knock_out63_gamma", bench_knock_out, 0.25, 1e-3, "price, gamma",
                   "the same of the gamma of an up-and-out call on 63 dates, to 1e-3 of it"),
    {.name = "quickstart_process",
     .unit = "s",
     .measure = bench_measure_process,
     .what = "`levy price configs/quickstart.yaml` from start to end, caches warm: seconds, less "
             "is better"},
    {.name = "quickstart_auto",
     .unit = "s",
     .by_size = true,
     .measure = bench_measure_process,
     .what = "the same with the device that auto chooses"},
    {.name = "quickstart_cold",
     .unit = "s",
     .cold = true,
     .measure = bench_measure_process,
     .what = "the same on the GPU with no kernel cached"},
    {.name = "book10k",
     .unit = "trades/s",
     .trades = 10000,
     .book = bench_book,
     .measure = bench_measure_book,
     .what = "10,000 small trades in 7,000 groups, loaded once and priced again: trades over the "
             "caller's seconds"},
    {.name = "book10k_load",
     .unit = "trades/s",
     .trades = 10000,
     .one_core = true,
     .book = bench_currencies,
     .measure = bench_measure_load,
     .what = "10,000 trades in four currencies, also paid abroad, read and checked: trades over "
             "seconds"},
    {.name = "book10k_process",
     .unit = "s",
     .trades = 10000,
     .book = bench_book,
     .measure = bench_measure_process,
     .what = "`levy price` on the same book from start to end, caches warm: seconds, less is "
             "better"},
    {.name = "book10k_cold",
     .unit = "s",
     .trades = 10000,
     .book = bench_book,
     .cold = true,
     .measure = bench_measure_process,
     .what = "the same with no kernel cached"},
    {.name = "book10k_autocall",
     .unit = "s",
     .trades = 10000,
     .book = bench_notes,
     .dear = true,
     .measure = bench_measure_process,
     .what = "`levy price` on 10,000 autocallable notes of 20 forms, 2^14 paths each, caches warm: "
             "seconds, less is better"},
    {.name = "book10k_autocall_cold",
     .unit = "s",
     .trades = 10000,
     .book = bench_notes,
     .dear = true,
     .cold = true,
     .measure = bench_measure_process,
     .what = "the same with no kernel cached"},
    {.name = "book10k_autocall_kernels",
     .unit = "kernels",
     .trades = 10000,
     .book = bench_notes,
     .dear = true,
     .cold = true,
     .measure = bench_measure_kernels,
     .what = "the kernels that this book compiles: less is better"},
    {.name = "american10k",
     .unit = "s",
     .trades = 10000,
     .book = bench_american,
     .measure = bench_measure_process,
     .what = "`levy price` on 10,000 American options of a week to 3 years under flat rates, with "
             "five Greeks each, from start to end: seconds, less is better"},
    {.name = "american10k_dividends",
     .unit = "s",
     .trades = 10000,
     .book = bench_american_dividends,
     .dear = true,
     .measure = bench_measure_process,
     .what = "the same with rates by term and four cash dividends before each expiry"},
    EARLY("lsm_put50", bench_lsm_put50, 18,
          "Bermudan put of 50 dates, fitted to 2^18 paths and priced on as many"),
    EARLY("lsm_maxcall5", bench_lsm_maxcall5, 17,
          "Bermudan call of 9 dates on the best of 5 assets, fitted to 2^17 paths and priced on as "
          "many"),
    EARLY("lsm_heston5", bench_lsm_heston5, 15,
          "Bermudan call of 12 dates on the best of 5 assets with variances, 252 steps of a year, "
          "fitted to 2^15 paths and priced on as many (a STAC-A2-like shape)"),
    EARLY("lsm_heston5_daily", bench_lsm_heston5_daily, 15, "the same with all 252 dates"),
};
const size_t bench_entry_count = sizeof bench_entries / sizeof *bench_entries;
_Static_assert(sizeof bench_entries / sizeof *bench_entries <= BENCH_MOST_ENTRIES,
               "as many rows as a run has room for");
