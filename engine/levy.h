/* levy.h: the one public header of liblevy, and its manual.
 *
 * levy prices options by Monte Carlo, on the CPU (always) or on an NVIDIA GPU (when its module, a
 * driver and a GPU are found), with the same bits in double precision. Inputs are YAML texts (see
 * `levy schema`); results are prices with honest standard errors. The library never prints, never
 * exits, installs no signal handler and reads no locale.
 *
 *     levy_context *context;  levy_book *book;  levy_results *results;
 *     levy_context_create(NULL, &context);
 *     if (levy_book_load_files(context, (const char *[]){"book.yaml"}, 1, NULL, 0, &book) ==
 * LEVY_STATUS_OK
 *         && levy_price(book, NULL, &results) == LEVY_STATUS_OK)
 *         printf("%.6f\n", levy_results_trade(results, 0)->price);
 *
 * Threads: one context per thread, or the caller's own lock around it. Two contexts never interact.
 * A context keeps its device (worker threads, a GPU's context) open from call to call; a child of
 * fork opens its own. Floating point: every call that computes runs in the default mode (rounding
 * to nearest, subnormals kept), callbacks too, and gives the caller's back. Later libraries: a
 * program built with this header runs with a later library of the same major version. Structs that
 * the library fills may be longer there: take a pointer to each from the function that gives it
 * (levy_trade_measure and the like), and never step through one of their arrays by their size here.
 * Structs with a struct_size may grow too; levy_setting and levy_source stay as they are. Since
 * 0.1.0. */
#ifndef LEVY_H
#define LEVY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define LEVY_API __attribute__((visibility("default")))
#else
#define LEVY_API
#endif

#define LEVY_VERSION_MAJOR 0
#define LEVY_VERSION_MINOR 1
#define LEVY_VERSION_PATCH 0
/* of the numbers: the same contract gives the same bits in double precision (docs/contract.md) */
#define LEVY_CONTRACT 3
#define LEVY_QUOTE_(x) #x
#define LEVY_QUOTE(x) LEVY_QUOTE_(x)
#define LEVY_VERSION                                                                               \
    LEVY_QUOTE(LEVY_VERSION_MAJOR)                                                                 \
    "." LEVY_QUOTE(LEVY_VERSION_MINOR) "." LEVY_QUOTE(LEVY_VERSION_PATCH) /* "0.1.0" */

/* ---- Status ---------------------------------------------------------------------------------- */

/* Every fallible function returns one of these. 0 is success, negative is failure. */
enum {
    LEVY_STATUS_OK = 0,
    LEVY_STATUS_ARGUMENT = -1, /* an argument is outside its contract */
    LEVY_STATUS_INPUT = -2,    /* the input was rejected: see the diagnostics */
    LEVY_STATUS_UNSUPPORTED = -3,
    LEVY_STATUS_MEMORY = -4,
    LEVY_STATUS_DEVICE = -5, /* no usable device, or it was lost */
    LEVY_STATUS_TOLERANCE = -6,
    LEVY_STATUS_IO = -7,
    LEVY_STATUS_CANCELLED = -8,
    LEVY_STATUS_NUMERIC = -9,
    LEVY_STATUS_INTERNAL = -10,
    /* the journal belongs to another run, or is in use: see the diagnostics */
    LEVY_STATUS_RESUME = -11
};

LEVY_API const char *levy_version(void);              /* of the library: "0.1.0 (contract N)" */
LEVY_API const char *levy_status_message(int status); /* a sentence, never NULL */
LEVY_API int levy_status_exit_code(int status);       /* what the command line exits with */

/* ---- Context --------------------------------------------------------------------------------- */

typedef struct levy_context levy_context;

/* struct_size = sizeof(levy_context_options) lets later versions add members. NULL or zero members
 * mean the default. */
typedef struct levy_context_options {
    size_t struct_size;
    /* all three, or none; several threads may call them at once */
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *allocator_user;
    const char *module_dir; /* where liblevy-cuda.so is looked for first */
    /* What reading and planning may take together: "512M", "4G", bytes, or "50%" of the machine's
     * memory, or of its control group's limit where that is less; NULL: "50%". What would take more
     * is refused, before it is built where that can be told: a book with reason "limit", a trade
     * with "memory", and both say how much and the limit. */
    const char *max_memory;
    /* 1: symbolic links may lead what a book refers to, and a folder's books, out of their folder
     */
    int allow_links;
    int keep_texts; /* 1: its books keep what they were read from (levy_book_source) */
} levy_context_options;

/* LEVY_STATUS_ARGUMENT: struct_size, a set of allocators or max_memory makes no sense. */
LEVY_API int levy_context_create(const levy_context_options *options, levy_context **context);
/* NULL is fine; destroy books and results first */
LEVY_API void levy_context_destroy(levy_context *context);

/* Diagnostics of the last call on this context, one that failed on its arguments too, sorted by
 * place. Pointers live until the next call. */
typedef struct levy_diagnostic {
    int severity;          /* 0 error, 1 warning, 2 note */
    const char *reason;    /* one of a closed list: "unknown_key", "range", ... */
    const char *file;      /* NULL: none */
    uint32_t line, column; /* from 1; 0: unknown */
    const char *path;      /* "trades[0].payoff.strike" */
    const char *message;
    const char *hint; /* NULL: none */
    const char *text; /* the whole line: "file:line:column: error: path: message" */
    int64_t trade;    /* index in the book, -1: none */
} levy_diagnostic;

LEVY_API size_t levy_diagnostic_count(const levy_context *context);
/* NULL past the end */
LEVY_API const levy_diagnostic *levy_diagnostic_get(const levy_context *context, size_t index);

/* ---- Books: trades, market and simulation settings, read and checked ------------------------- */

typedef struct levy_book levy_book;

/* {"simulation.paths", "2^20"} */
typedef struct levy_setting {
    const char *key, *value;
} levy_setting;

/* One input: a text with the name that messages give it, or (text NULL) the regular file of that
 * name. `folder` is where the relative market references of a text start from; NULL refuses them. A
 * file's own folder is used for a file. The name of a folder (text NULL) stands for its *.yaml and
 * *.yml files in the order of their names' bytes, without hidden ones, market.yaml and
 * *.market.yaml, which books refer to. A file that is named here may be a symbolic link; what a
 * book refers to, and what a folder holds, may be links that stay beneath the folder
 * (levy_context_options.allow_links: any). */
typedef struct levy_source {
    const char *name, *text;
    size_t length;
    const char *folder;
} levy_source;

/* Returns OK when at least one trade can be priced (diagnostics may still hold faults of single
 * trades), INPUT when nothing can be (a file that cannot be read too). `settings` override keys
 * under `simulation`, and `measures` ("price,delta"). A book keeps nothing of the caller's texts.
 * All sources form one book, in the order given. */
LEVY_API int levy_book_load(levy_context *context, const levy_source *sources, size_t n_sources,
                            const levy_setting *settings, size_t n_settings, levy_book **book);
LEVY_API int levy_book_load_files(levy_context *context, const char *const *paths, size_t n_paths,
                                  const levy_setting *settings, size_t n_settings,
                                  levy_book **book);
LEVY_API int levy_book_load_text(levy_context *context, const char *name, const char *text,
                                 size_t length, const levy_setting *settings, size_t n_settings,
                                 levy_book **book);
LEVY_API void levy_book_destroy(levy_book *book);
LEVY_API size_t levy_book_size(const levy_book *book); /* trades, failed ones included */

/* What a book was read from, where its context has keep_texts: its sources, a folder's books one by
 * one, each with its text and the folder of its references; and the files that they refer to, each
 * once, by the names they were opened by. NULL past the end. They live as long as the book.
 * levy_book_load_kept makes that book again, in any context or process, and opens no file that a
 * source refers to: `references` stand for all of them. Quotes that were set are the caller's to
 * set again. */
LEVY_API const levy_source *levy_book_source(const levy_book *book, size_t index);
LEVY_API const levy_source *levy_book_reference(const levy_book *book, size_t index);
LEVY_API int levy_book_load_kept(levy_context *context, const levy_source *sources,
                                 size_t n_sources, const levy_source *references,
                                 size_t n_references, const levy_setting *settings,
                                 size_t n_settings, levy_book **book);

/* Quotes: numbers of the market by name. A set takes effect with the next call that uses the book,
 * whose results are, bit for bit, those of a book loaded from a file with that number (but for the
 * fingerprint); what that file would be refused for is that call's LEVY_STATUS_INPUT. One thing
 * does not move: `initial_fixing: spot` is the spot that the file had when the book was loaded, so
 * that trades in percent of it are worth what a scenario of the same move says. Re-pricing reads no
 * file and makes no new points.
 *     NAME.spot, NAME.dividend_yield   the asset's, as written
 *     NAME.volatility                  flat: as written. A term structure: 0, and a set adds to the
 * Black volatility of every node CURVE.rate                       flat: as written. kind zero: 0,
 * and a set adds to every rate as quoted. kind discount: 0, and a set multiplies every factor by
 * exp(-rate * years) Both return LEVY_STATUS_ARGUMENT where there is no such factor, set also for a
 * value out of range; the diagnostics say why, and nothing has changed. */
LEVY_API int levy_book_set(levy_book *book, const char *factor, double value);
LEVY_API int levy_book_get(const levy_book *book, const char *factor, double *value);
LEVY_API size_t levy_book_quote_count(const levy_book *book);
/* NULL past the end */
LEVY_API const char *levy_book_quote_name(const levy_book *book, size_t index);

/* ---- Pricing --------------------------------------------------------------------------------- */

typedef struct levy_results levy_results;

/* Blocks of 4,096 paths. `resumed` of those done came from a journal. */
typedef struct levy_progress {
    uint64_t done, total;
    double seconds;
    uint64_t resumed;
} levy_progress;

typedef struct levy_price_options {
    size_t struct_size;
    const char *device;    /* "auto" (default), "cpu", "cuda", "cuda:N" */
    const char *isa;       /* "auto" (default), "baseline", "avx2", "avx512", "neon" */
    uint32_t threads;      /* 0: one per processor the process may use */
    uint64_t batch_blocks; /* blocks per batch, 0: chosen; never changes a result */
    int no_kernel_cache;   /* CUDA: neither read nor write the disk cache */
    /* nonzero cancels; NULL: none. See levy_price */
    int (*progress)(void *user, const levy_progress *progress);
    void *user;
    /* file to which each finished group is appended, NULL: none. Implies no_times. */
    const char *journal;
    /* take finished groups from the journal; without it an existing journal is refused */
    int resume;
    /* leave all seconds out of the results (NaN), so that equal runs give equal reports */
    int no_times;
} levy_price_options;

/* One measure of a trade: what, and to which factor.
 *     price                        ""
 *     delta, gamma                 "SPX.spot"
 *     vega, vega_by_node           "SPX.volatility", "SPX.volatility[2027-11-20]": per 1.00 of
 * Black volatility rho, rho_by_node             "USD.rate", "USD.rate[2027-11-20]": per 1.00 of
 * continuously compounded zero rates theta                        "time": per calendar day
 *     cross_gamma, correlation     "SPX.spot,NDX.spot"
 *     scenario_price, scenario_pnl the scenario's id: the price in it, and less today's
 * `levy describe bumps` says how each is defined. */
typedef struct levy_measure {
    const char *measure, *factor;
    double value,
        std_error; /* std_error NaN: none can be given (no path differs); 0: the value is 0 by its
                    * definition. Of a difference by a bump it is sqrt(se^2 + bias^2): se from the
                    * simulation, the bump's bias estimated from another bump on the same draws */
    int flagged;   /* 1: noisy, or not what it should be; `note` says why */
    const char *note; /* NULL: none */
} levy_measure;

/* Signed present value of the position, and its 95 % (or as set) interval. NaN members print as
 * null. The standard error holds rounding; it is NaN where the paths show none: one replicate, or
 * no path in the money. */
typedef struct levy_trade_result {
    const char *id;
    const char *status; /* "ok", "failed" */
    const char *reason; /* "none", or why it failed */
    /* NULL, the first fault's text, by how much a tolerance was missed, or why the trade moved from
     * a GPU */
    const char *message;
    const char *currency, *payoff, *model;
    double maturity; /* years; 0: expires today, below: has expired and is yet to be paid */
    double price, std_error, ci_low, ci_high, confidence, unit_price;
    const char *interval; /* "student_t", "normal", "unreliable", "none"; "exact": the amount is
                           * known (std_error 0, paths 0), or a formula of the plan's (std_error is
                           * its rounding) */
    uint64_t paths, replicates, seed;
    uint32_t dimensions;
    const char *generator, *construction, *precision;
    const char *reproducibility; /* "R3" or "R2" */
    const char *backend;         /* "cpu", "cuda" */
    const char *device;          /* its name */
    uint32_t group;
    uint64_t plan_hash; /* of the group's numeric plan */
    double seconds;     /* simulation time of the trade's group */
    /* cash dividends: share of paths on which the spot was floored at 0; NaN: none */
    double floor_probability;
    uint32_t padding; /* of the dimensions: pseudo-random, past the Sobol table */
    /* 1: yes; -1: not within the most paths allowed; 0: none was asked for */
    int tolerance_met;
    double tolerance; /* the half-width asked for, in the currency; NaN: none */
    /* the half-width times the safety factor: what was held against it; NaN: none */
    double tolerance_width;
    size_t n_measures;
    const levy_measure *measures; /* the first; levy_trade_measure gives each */
} levy_trade_result;

typedef struct levy_run_info {
    const char *version, *backend, *device, *device_reason, *isa;
    uint32_t contract, threads;
    uint64_t fingerprint; /* of the input */
    size_t groups, priced, failed;
    size_t tolerance_missed; /* of the priced */
    double seconds;          /* wall time of levy_price */
    int interrupted;         /* the progress callback cancelled; what was done is in the results */
} levy_run_info;

/* What all priced trades of one currency are worth together. Trades share their draws, replicate by
 * replicate, so the error is that of the replicates' sums; one replicate gives none (std_error
 * NaN). */
typedef struct levy_netted {
    const char *currency;
    size_t trades;
    uint64_t replicates;
    double value, std_error, ci_low, ci_high, confidence;
    const char *interval; /* as of a trade */
} levy_netted;

/* LEVY_STATUS_OK: all done (single trades may have failed); CANCELLED: *results holds what was
 * done.
 *
 * Progress is called from the thread that called levy_price: on a CPU at least every 50 ms, also
 * while blocks are under way
 * (`done` is then as before); on a GPU between its waves, a wave being one block on every place of
 * the GPU. A cancel is heeded when the blocks under way end; planning, too, calls progress and
 * heeds it, as do levy_book_explain and the studies. A block of 4,096 paths takes a CPU's thread
 * 0.5 ms for an Asian option of 64 dates, 90 ms for a basket of 32 assets, and a few times that
 * with bumps of many volatilities; the longest wave measured on an H200 took 42 ms (vegas of 32
 * assets), and by its rate one of 100 assets in double takes a second. Nothing shorter is promised.
 *
 * Under "auto" the CPU goes on where a GPU fails, with a warning (reason "device", "memory", or
 * "internal": a defect in levy). In double precision the prices are the same. In single and mixed
 * they are not: the rest of the run moves for good, the trades' messages and the run's
 * device_reason say so, and a run that resumes goes on where its journal's went. A GPU that is
 * short of memory first does smaller pieces; a group that still does not fit is the CPU's (double:
 * that group alone).
 *
 * A journal makes a long run safe to kill: a first line says what is priced (hashes of texts,
 * settings and quotes, version and contract), then comes a line per finished group, with its sums,
 * its seconds and a hash of the line; on disk within about a second. A run that resumes has the
 * reports of an unbroken one, byte for byte. RESUME: the journal is of other inputs, settings or
 * another version, is damaged before its last line, exists and was not to be resumed, or another
 * process writes to it. A journal is trusted as the inputs' own folder is: its hashes find damage,
 * not forgery, and whoever may write to it decides what a resumed run takes from it. Where the file
 * system has no locks, a warning says so. */
LEVY_API int levy_price(levy_book *book, const levy_price_options *options, levy_results **results);
LEVY_API void levy_results_destroy(levy_results *results);
LEVY_API size_t levy_results_size(const levy_results *results);
/* one array, in steps of the size in levy_abi */
LEVY_API const levy_trade_result *levy_results_trade(const levy_results *results, size_t index);
/* NULL past the end */
LEVY_API const levy_measure *levy_trade_measure(const levy_trade_result *trade, size_t index);
LEVY_API const levy_run_info *levy_results_run(const levy_results *results);
LEVY_API size_t levy_results_netted_count(const levy_results *results);
/* NULL past the end */
LEVY_API const levy_netted *levy_results_netted(const levy_results *results, size_t index);

/* ---- Text: reports and what the engine says of itself ---------------------------------------- */

/* Receives text; returns 0, or nonzero to stop (the call then returns LEVY_STATUS_IO). */
typedef int (*levy_writer)(void *user, const char *text, size_t length);

/* For bindings that do not read this header: the structs as this library was built with them, a
 * line each: "name size member@offset:size:kind ...", in the order of offsets. Kinds: d double, i
 * signed, u unsigned, s const char *, p any other pointer. */
LEVY_API int levy_abi(levy_writer write, void *user);

/* TABLE is for eyes and rounds to the error; the others carry every bit. JSONL: one trade a line.
 * CSV (RFC 4180): one row per trade and measure, price first. TABLE_COLOR: a table with terminal
 * colours. */
enum {
    LEVY_FORMAT_TABLE,
    LEVY_FORMAT_CSV,
    LEVY_FORMAT_JSON,
    LEVY_FORMAT_JSONL,
    LEVY_FORMAT_TABLE_COLOR,
    LEVY_FORMAT_SVG
};
LEVY_API int levy_results_write(const levy_results *results, int format, levy_writer write,
                                void *user);
LEVY_API int levy_book_explain(levy_book *book, const levy_price_options *options,
                               levy_writer write, void *user);
/* NULL: the list of topics */
LEVY_API int levy_describe(const char *topic, levy_writer write, void *user);
/* JSON Schema, draft-07 */
LEVY_API int levy_schema(levy_writer write, void *user);
LEVY_API int levy_devices_write(levy_context *context, int format, levy_writer write, void *user);

/* Kernels: compiles what a book's plans need, for an architecture such as "sm_90", into the disk
 * cache; no GPU needed. `directory` NULL: the user's cache. */
LEVY_API int levy_kernels_build(levy_book *book, const char *architecture, const char *directory,
                                levy_writer write, void *user);
LEVY_API int levy_kernels_list(levy_context *context, const char *directory, levy_writer write,
                               void *user);
LEVY_API int levy_kernels_clear(levy_context *context, const char *directory, levy_writer write,
                                void *user);

/* ---- Studies: how fast methods converge, and whether their error bars hold ------------------- */

typedef struct levy_study levy_study;

/* A method is a generator and a construction: "sobol_scrambled+bridge", "mrg32k3a+incremental"; a
 * bridge is built in the order that the book gives, if it gives one. Texts are read as in a file:
 * counts may be written 2^k. NULL or zero members mean the default. The seed and the precision are
 * the book's (settings simulation.seed, simulation.precision). */
typedef struct levy_study_options {
    size_t struct_size;
    /* comma-separated; default
     * "sobol_scrambled+bridge,sobol_scrambled+incremental,mrg32k3a+incremental" */
    const char *methods;
    const char *points; /* per replicate, powers of two: "2^8..2^18" (default), or one size */
    /* levy_converge: sizes that slopes are fitted over, within `points`; default: all of them */
    const char *fit;
    /* its id; default: the only trade (levy_converge), all trades (levy_coverage) */
    const char *trade;
    uint32_t replicates; /* 2 to 65,536; default 32 (levy_converge), 16 (levy_coverage) */
    uint32_t resamples;  /* levy_converge: of the bootstrap, at most 1,000,000; default 2,000 */
    uint32_t seeds;      /* levy_coverage: default 2,000 */
    int has_reference;   /* 1: `reference` is the exact price of the position */
    double reference;
    /* levy_converge: what seconds_to_target is for; default: the largest of the methods' smallest
     */
    double target_rmse;
} levy_study_options;

/* R independent replicates per method, each run once, to the largest size: the estimate at a size
 * is that of the first points of the same run, and has the bits that levy_price gives for that
 * size. Plain `sobol` is one replicate. */
typedef struct levy_convergence_method {
    const char *method, *generator, *construction;
    int pseudo_random;
    uint32_t replicates, dimensions;
    size_t n_sizes;
    const uint64_t *sizes;   /* points of one replicate, ascending powers of two */
    const double *estimates; /* [replicate * n_sizes + size]: prices of the position */
    const double *rmse;      /* [size] root mean square error over the replicates */
    const double *rmse_se;   /* [size] by bootstrap; NaN: one replicate */
    /* log2 rmse = intercept + slope log2 points, by least squares; NaN: fewer than two sizes */
    double slope, intercept;
    /* by bootstrap over replicates: sizes are nested, so residuals say too little */
    double slope_se;
    double seconds; /* simulation time of all replicates to the largest size */
    /* of one replicate as large as the fitted line says target_rmse takes */
    double seconds_to_target;
    /* (rmse^2 seconds) of the baseline over that of the method, at the largest size; NaN: no
     * baseline */
    double efficiency;
    size_t n_shares; /* 0: pseudo-random, whose dimensions are all alike */
    /* [i]: part of the variance of the motion's average over the dates in the first 2^i dimensions
     */
    const double *shares;
    /* how many of the first dimensions carry 99 % of it; 0: pseudo-random */
    uint32_t effective_dimension;
    /* of `dimensions`: draws beside the motion (jumps, clocks, regimes, extrema), which no share
     * counts */
    uint32_t outside_motion;
} levy_convergence_method;

typedef struct levy_convergence {
    const levy_run_info *run;
    const char *trade, *payoff, *model, *currency, *precision;
    double reference, reference_se; /* of the position; se 0: exact */
    const char *reference_kind;     /* "closed_form", "given", "simulated" */
    /* "geometric Asian", "as given", "sobol_scrambled+bridge, 32 replicates of 2^20 points" */
    const char *reference_text;
    uint64_t seed, fit_first, fit_last;
    uint32_t replicates, resamples;
    double target_rmse;
    const char *baseline; /* the first pseudo-random method; NULL: none */
    size_t n_methods;
    const levy_convergence_method *methods; /* the first; levy_convergence_at gives each */
} levy_convergence;

/* How often the interval of a result holds the exact price, over many seeds; and, where the book
 * asks for a tolerance, how often the price is within it. `points` is then the first size. */
typedef struct levy_coverage_row {
    const char *trade, *payoff, *method;
    double reference, reference_se;
    const char *reference_kind;
    uint64_t points; /* of a replicate */
    uint32_t replicates, seeds;
    /* seeds whose result had an interval, and those whose interval held the reference */
    uint32_t intervals, covered;
    double coverage, coverage_se; /* covered / intervals; NaN: no intervals */
    /* over all seeds, if intervals were given where results say "unreliable" too */
    double coverage_unmarked;
    double mean_half_width, rmse;
    /* of a replicate: `points`, or where a tolerance ended its doublings */
    double mean_points;
    /* share of all seeds whose price is off by the tolerance at most; NaN: none was asked for */
    double within_tolerance;
} levy_coverage_row;

typedef struct levy_coverage_table {
    const levy_run_info *run;
    double confidence;
    uint64_t first_seed;
    const char *precision;
    size_t n_rows;
    const levy_coverage_row *rows; /* the first; levy_coverage_at gives each */
} levy_coverage_table;

/* Faults of the options are diagnostics whose path is the option's name (LEVY_STATUS_ARGUMENT).
 * `how` as in levy_price. */
LEVY_API int levy_converge(levy_book *book, const levy_study_options *options,
                           const levy_price_options *how, levy_study **study);
LEVY_API int levy_coverage(levy_book *book, const levy_study_options *options,
                           const levy_price_options *how, levy_study **study);
LEVY_API void levy_study_destroy(levy_study *study);
/* NULL: not of levy_converge */
LEVY_API const levy_convergence *levy_study_convergence(const levy_study *study);
/* NULL: not of levy_coverage */
LEVY_API const levy_coverage_table *levy_study_coverage(const levy_study *study);
/* NULL past the end */
LEVY_API const levy_convergence_method *levy_convergence_at(const levy_convergence *study,
                                                            size_t index);
/* NULL past the end */
LEVY_API const levy_coverage_row *levy_coverage_at(const levy_coverage_table *table, size_t index);
/* TABLE, JSON, CSV (RFC 4180, long form: a row per method, replicate and size), SVG (levy_converge:
 * a log-log plot). */
LEVY_API int levy_study_write(const levy_study *study, int format, levy_writer write, void *user);

/* ---- The stand-alone Brownian bridge: paths from the caller's own normals -------------------- */

/* A generator that is made once for a set of times and an order of building, and then turns
 * standard normals into paths of a Brownian motion as often as wanted, on the CPU or on a GPU, in
 * double or single precision:
 *
 *     the first point of the order     X(t) = X(t0) + sqrt(t - t0) C z
 *     a point between two that stand   X(t) = ((r - t) X(l) + (t - l) X(r)) / (r - l) + sqrt((r -
 * t) (t - l) / (r - l)) C z beyond all that stand            X(t) = X(l) + sqrt(t - l) C z
 *
 * where l and r are the nearest times built before. So Cov(X(s), X(t)) = (min(s, t) - t0) C C'. Any
 * order is valid; point order[i] is built from normals i, so what matters most should come first
 * where the normals are quasi-random. Inside, the points are built in another order, with the same
 * values, that keeps the fewest of them at a time. Making a bridge checks and arranges all of that;
 * generating only moves memory, and its speed is that of the memory.
 *
 *     levy_bridge_spec spec = {.struct_size = sizeof spec, .n_steps = 64, .times = times, .device =
 * "cuda"}; levy_bridge_create(context, &spec, &bridge); levy_bridge_generate(bridge, normals,
 * paths, 1 << 20, 0, stream);   as often as wanted levy_bridge_destroy(bridge);
 *
 * Layout, of normals and of output: rows of neighbouring paths, [step][dimension][path]: number (i,
 * d, p) lies at (i * n_dimensions + d) * stride + p. It is that of cuRAND's quasi-random generators
 * (`dimensions` = n_steps * n_dimensions). Of normals, step i is that of order[i]. Of output, step
 * i is X(t[i + 1]), or (X(t[i + 1]) - X(t[i])) / (t[i + 1] - t[i]).
 *
 * In double precision the output is the same bits on every processor, GPU and number of threads,
 * and in any split of the paths. In single precision a CPU and a GPU may differ where numbers are
 * subnormal. Normals must be finite. */
typedef struct levy_bridge levy_bridge;

enum { LEVY_BRIDGE_PATHS, LEVY_BRIDGE_INCREMENTS };
enum { LEVY_BRIDGE_DOUBLE, LEVY_BRIDGE_SINGLE };

/* Zero members mean the default. Nothing of the caller's arrays is kept. */
typedef struct levy_bridge_spec {
    size_t struct_size;    /* sizeof(levy_bridge_spec) */
    const double *times;   /* [n_steps + 1]: t0 and the points', ascending, any spacing */
    const uint32_t *order; /* [n_steps]: a permutation of 1 to n_steps; NULL: bisection */
    /* [n_dimensions * n_dimensions], row-major: C, of any rank; NULL: the unit matrix */
    const double *factor;
    const double *start;   /* [n_dimensions]: X(t0); NULL: zeros */
    uint32_t n_steps;      /* 1 to 1,048,576 */
    uint32_t n_dimensions; /* 1 (default) to 64 */
    /* LEVY_BRIDGE_PATHS (default), LEVY_BRIDGE_INCREMENTS: scaled, as above */
    int output;
    /* LEVY_BRIDGE_DOUBLE (default), LEVY_BRIDGE_SINGLE; of normals and output */
    int precision;
    /* "cpu" (default), "cuda", "cuda:N", or "auto": see levy_bridge_info for which it took */
    const char *device;
    const char *isa;     /* CPU: as in levy_price_options */
    uint32_t threads;    /* CPU: 0: one per processor the process may use */
    int no_kernel_cache; /* CUDA: neither read nor write the disk cache */
} levy_bridge_spec;

/* LEVY_STATUS_ARGUMENT: the specification makes no sense, LEVY_STATUS_DEVICE: the device cannot be
 * used; the context's diagnostics say why. A bridge is its own: it may be used from another thread
 * than its context, one call at a time, and may outlive it (a caller's allocator must then live as
 * long). Compiles a kernel on first use of a shape on a GPU (about a second; then cached). */
LEVY_API int levy_bridge_create(levy_context *context, const levy_bridge_spec *spec,
                                levy_bridge **bridge);

/* Makes n_paths paths. normals, output: of the host, or (cuda) device pointers of the device's
 * primary context, which is the one that the CUDA runtime uses. stride: numbers from row to row, 0:
 * n_paths. On a GPU, the fastest rows start at multiples of 16 bytes: pointers and stride then are.
 * stream: a CUstream or cudaStream_t, NULL: the default stream; the call returns as soon as the
 * work is queued. CPUs ignore it and return when it is done. Output must not overlap normals.
 * Numbers between n_paths and stride are neither read nor written. LEVY_STATUS_ARGUMENT: a NULL, an
 * overlap, a stride below n_paths, or sizes no memory can have. */
LEVY_API int levy_bridge_generate(levy_bridge *bridge, const void *normals, void *output,
                                  size_t n_paths, size_t stride, void *stream);

/* What was made of the specification. Instruction k of the n_steps that are carried out builds
 * point `points[k]` from normals `normals[k]` with the weights of row k: X = w[0] X(l) + w[1] X(r)
 * + w[2] C z. */
typedef struct levy_bridge_facts {
    uint32_t n_steps, n_dimensions;
    /* points kept at a time, beside the three a machine holds in registers (GPU) */
    uint32_t slots;
    uint32_t instruction_bytes;   /* of one packed instruction */
    const uint64_t *instructions; /* [n_steps] */
    const uint32_t *points;       /* [n_steps], from 1 */
    const uint32_t *normals;      /* [n_steps], from 0: a permutation */
    const double *weights;        /* [3 * n_steps] */
    const char *backend, *device, *device_reason, *isa, *kernel;
    uint32_t threads;                                   /* CPU */
    uint32_t threads_per_block, paths_per_thread;       /* CUDA */
    int registers, spilled_bytes, blocks_per_processor; /* CUDA: of the kernel; -1: not known */
} levy_bridge_facts;
/* lives as long as the bridge */
LEVY_API const levy_bridge_facts *levy_bridge_info(const levy_bridge *bridge);
/* The instructions in words, a line each. */
LEVY_API int levy_bridge_dump(const levy_bridge *bridge, levy_writer write, void *user);

/* NULL is fine; waits for nothing: synchronise the stream first */
LEVY_API void levy_bridge_destroy(levy_bridge *bridge);

/* Orders to start from; order: [n_steps]. Bisection: the end, then midpoints, level by level.
 * Forward: each point from the one before. First: the points given (from 1; any that matter most),
 * the end, then midpoints of what is left between; LEVY_STATUS_ARGUMENT where one is out of range
 * or given twice. */
LEVY_API int levy_bridge_order_bisection(uint32_t n_steps, uint32_t *order);
LEVY_API int levy_bridge_order_forward(uint32_t n_steps, uint32_t *order);
LEVY_API int levy_bridge_order_first(uint32_t n_steps, const uint32_t *points, uint32_t n_points,
                                     uint32_t *order);

/* ---- Weighted sampling: one of many items, by weight ----------------------------------------- */

/* An alias table, which draws in constant time, and the monotone inverse of the same law, for
 * quasi-random points: a larger u never gives a smaller item. Every item has its weight's share to
 * rounding, whatever the weights; one of weight 0 is never drawn. Refused (LEVY_STATUS_ARGUMENT,
 * the diagnostics name the first one): a negative, infinite or NaN weight, all zeros, no weights,
 * more than 4,294,967,295. A sampler may be used from several threads at once, and may outlive its
 * context. */
typedef struct levy_sampler levy_sampler;
LEVY_API int levy_sampler_create(levy_context *context, const double *weights, size_t count,
                                 levy_sampler **sampler);
LEVY_API void levy_sampler_destroy(levy_sampler *sampler); /* NULL is fine */
/* Draws `first` to first + count - 1 of a seed: item k is a function of the weights, seed and first
 * + k alone. */
LEVY_API int levy_sampler_draw(const levy_sampler *sampler, uint64_t seed, uint64_t first,
                               size_t count, uint32_t *items);
/* The items of u, each in [0, 1); LEVY_STATUS_ARGUMENT, and nothing written, where one is not. */
LEVY_API int levy_sampler_invert(const levy_sampler *sampler, const double *u, size_t count,
                                 uint32_t *items);

/* ---- One draw from each of many distributions ------------------------------------------------ */

/* Where every path has a law of its own, used once: path p's weight of item k is theta[p][k] *
 * phi[states[p]][k], and its word says which item it gets. A larger word never gives a smaller
 * item, so quasi-random words keep their order; an item of weight 0 is never drawn; an item depends
 * on its own path alone. The order of addition is fixed (kernels/samplers/butterfly/butterfly.h):
 * any number of threads and the kernels for NVIDIA GPUs there (levy_butterfly_cuda_draw, for
 * programs compiled by nvcc) give the same items, in double and in single. */
typedef struct levy_draw_spec {
    size_t struct_size; /* sizeof(levy_draw_spec) */
    const void *theta;  /* [n_paths][theta_stride], double or float */
    const void *phi;    /* [n_states][phi_stride], the same */
    /* [n_paths]; NULL: all 0. One that is not below n_states is taken for the last */
    const uint32_t *states;
    const uint32_t *words; /* [n_paths]: uniform on 0 to 2^32 - 1 */
    size_t n_paths;
    size_t theta_stride, phi_stride; /* numbers from row to row; 0: n_items */
    uint32_t n_items;                /* 1 to 8,192 */
    uint32_t n_states;               /* 0: 1 */
    int precision;                   /* as of levy_bridge_spec, of theta and phi */
    int check;                       /* 1: look at all weights first */
    uint32_t threads;                /* 0: one per processor the process may use */
} levy_draw_spec;

/* LEVY_STATUS_ARGUMENT: the specification makes no sense, or, where a check was asked for, a weight
 * is negative, infinite or not a number, a path's weights are all 0 or their sum overflows, or
 * there is no such state: the diagnostics name it, and nothing is drawn. Without the check such a
 * path gets some item below n_items. items: [n_paths]. */
LEVY_API int levy_draw_each(levy_context *context, const levy_draw_spec *spec, uint32_t *items);

/* ---- Distributions: arrays of deviates ------------------------------------------------------- */

/* Deviates of a law by SIMD and threads: pseudo-random ones (exponential and normal by inversion,
 * gamma by Marsaglia and Tsang, Poisson by inversion up to a mean of 64 and by Atkinson's envelope
 * above, non-central chi-square by its parts), or the law's quantiles at (word + 1/2) 2^-32,
 * monotone in the word, for quasi-random points. In double precision the same bits on every
 * processor and number of threads. Refused (LEVY_STATUS_ARGUMENT, the diagnostics name the
 * parameter): what is negative, NaN, infinite or out of the range below. */
typedef struct levy_distribution levy_distribution;

enum {
    LEVY_LAW_EXPONENTIAL, /* mean > 0 */
    LEVY_LAW_NORMAL,      /* mean, deviation >= 0 */
    LEVY_LAW_GAMMA,       /* alpha in [1e-6, 1e12] (single: to 1e6), scale > 0 */
    /* mean in [0, 1e9] (single: to 1e6); counts are uint32_t, whatever the precision */
    LEVY_LAW_POISSON,
    /* degrees of freedom in [1e-6, 1e9], non-centrality in [0, 1e6] (single: both to 1e4) */
    LEVY_LAW_NONCENTRAL_CHI_SQUARE
};
enum { LEVY_DISTRIBUTION_DOUBLE, LEVY_DISTRIBUTION_SINGLE };

typedef struct levy_distribution_spec {
    size_t struct_size;   /* sizeof(levy_distribution_spec) */
    int law;              /* LEVY_LAW_... */
    int precision;        /* of the output */
    double parameters[2]; /* as listed */
    const char *isa;      /* as in levy_price_options */
    uint32_t threads;     /* 0: one per processor the process may use */
} levy_distribution_spec;

LEVY_API int levy_distribution_create(levy_context *context, const levy_distribution_spec *spec,
                                      levy_distribution **distribution);
LEVY_API void levy_distribution_destroy(levy_distribution *distribution); /* NULL is fine */
/* Draws `first` to first + count - 1 of a seed and a stream (below 2^32 / 3): deviate k is a
 * function of the law, seed, stream and first + k alone. output: [count], double, float or
 * uint32_t. One thread at a time. */
LEVY_API int levy_distribution_draw(levy_distribution *distribution, uint64_t seed, uint32_t stream,
                                    uint64_t first, size_t count, void *output);
LEVY_API int levy_distribution_invert(levy_distribution *distribution, const uint32_t *words,
                                      size_t count, void *output);

#ifdef __cplusplus
}
#endif
#endif
