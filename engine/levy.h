/* levy.h: the one public header of liblevy, and its manual.
 *
 * levy prices options by Monte Carlo. It runs on the CPU (always) or on an NVIDIA GPU (if its
 * module, a driver and a GPU are found). In double precision both give the same bits. Inputs are
 * YAML texts (see `levy schema`); results are prices with honest standard errors. The library never
 * prints, never exits, installs no signal handler and reads no locale.
 *
 *     const char *files[] = {"book.yaml"};
 *     levy_context *context;  levy_book *book;  levy_results *results;
 *     levy_context_create(NULL, &context);
 *     if (levy_book_load_files(context, files, 1, NULL, 0, &book) == LEVY_STATUS_OK
 *         && levy_price(book, NULL, &results) == LEVY_STATUS_OK)
 *         printf("%.6f\n", levy_results_trade(results, 0)->price);
 *
 * Threads: use one context per thread, or put your own lock around it. Two contexts never interact.
 * A context keeps its device open from call to call: worker threads, or a GPU's context. A child of
 * fork opens its own for books. Normals, bridges, paths, samplers and distributions that were made
 * before the fork must not be used in the child, for their threads are not there: it makes its own.
 *
 * Floating point: every call that computes runs in the default mode (rounding to nearest,
 * subnormals kept), callbacks included, and restores the caller's mode.
 *
 * Later libraries: a program built with this header runs with a later library of the same major
 * version. Structs that the library fills may be longer there. Take a pointer to each element from
 * the function that gives it (levy_trade_measure and others), and never step through an array of
 * them with your own sizeof. Structs with a struct_size may grow too. levy_setting and levy_source
 * never change. Since 0.1.0. */
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

#define LEVY_VERSION_MAJOR                                                                         \
    0 /* programs built with an older header run within one (docs/versions.md) */
#define LEVY_VERSION_MINOR 2 /* nothing is added within one */
#define LEVY_VERSION_PATCH 0 /* repairs */
/* The numeric contract: libraries of one contract give the same bits in double precision
 * (docs/contract.md). */
#define LEVY_CONTRACT 9
#define LEVY_QUOTE_(x) #x
#define LEVY_QUOTE(x) LEVY_QUOTE_(x)
#define LEVY_VERSION                                                                               \
    LEVY_QUOTE(LEVY_VERSION_MAJOR)                                                                 \
    "." LEVY_QUOTE(LEVY_VERSION_MINOR) "." LEVY_QUOTE(LEVY_VERSION_PATCH) /* "0.2.0" */

/* ---- Status ---------------------------------------------------------------------------------- */

/* Every fallible function returns one of these: 0 for success, negative for failure. */
enum {
    LEVY_STATUS_OK = 0,
    LEVY_STATUS_ARGUMENT = -1,    /* an argument violates its contract */
    LEVY_STATUS_INPUT = -2,       /* the input was rejected: see the diagnostics */
    LEVY_STATUS_UNSUPPORTED = -3, /* this combination is not supported */
    LEVY_STATUS_MEMORY = -4,      /* not enough memory */
    LEVY_STATUS_DEVICE = -5,      /* no usable device, or the device was lost */
    LEVY_STATUS_TOLERANCE = -6,   /* the accuracy was not reached within the budget */
    LEVY_STATUS_IO = -7,          /* reading or writing failed */
    LEVY_STATUS_CANCELLED = -8,   /* the caller cancelled the work */
    LEVY_STATUS_NUMERIC = -9,     /* a result is not a finite number */
    LEVY_STATUS_INTERNAL = -10,   /* a defect in levy */
    /* the journal belongs to another run, or is in use: see the diagnostics */
    LEVY_STATUS_RESUME = -11
};

LEVY_API const char *levy_version(void);              /* the library's: "0.2.0 (contract N)" */
LEVY_API const char *levy_status_message(int status); /* a sentence, never NULL */
LEVY_API int levy_status_exit_code(int status);       /* exit code of the command line */

/* ---- Context --------------------------------------------------------------------------------- */

/* What a thread works with: memory, an open device, the diagnostics of the last call. */
typedef struct levy_context levy_context;

/* Set struct_size to sizeof(levy_context_options): later versions may add members. A NULL or zero
 * member means the default. */
typedef struct levy_context_options {
    size_t struct_size;
    /* the caller's allocator: all three or none; several threads may call them at once */
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *allocator_user;
    const char *module_dir; /* the first folder in which liblevy-cuda.so is sought */
    /* Limit on the memory of reading and planning together: "512M", "4G", bytes, or a percentage.
     * "50%" is half of the machine's memory, or of its control group's limit if that is less; NULL:
     * "50%". levy refuses a book (reason "limit") or a trade ("memory") that would need more,
     * before it builds it if the size can be told in advance. The message gives both sizes. */
    const char *max_memory;
    /* 1: symbolic links may lead out of the folder, for the files that a book refers to and for the
     * books of a folder */
    int allow_links;
    int keep_texts; /* 1: books keep the texts that they were read from (levy_book_source) */
    /* Files that define kinds of payoffs, and folders of such files (*.yaml and *.yml), separated
     * by
     * ':'. Every book of the context has them among its sources, after its own; trades write such a
     * kind like one of levy's own. NULL: none. They are read whenever they are needed; a fault in
     * one is one of the call. */
    const char *kinds;
} levy_context_options;

/* LEVY_STATUS_ARGUMENT: struct_size, the set of allocators or max_memory is invalid. */
LEVY_API int levy_context_create(const levy_context_options *options, levy_context **context);
/* NULL is legal; destroy books and results first */
LEVY_API void levy_context_destroy(levy_context *context);

/* Diagnostics of the last call on this context, sorted by place. A call that failed on its
 * arguments counts too. Pointers live until the next call. */
typedef struct levy_diagnostic {
    int severity;          /* 0 error, 1 warning, 2 note */
    const char *reason;    /* one of a closed list: "unknown_key", "range", ... */
    const char *file;      /* NULL: none */
    uint32_t line, column; /* from 1; 0: unknown */
    const char *path;      /* of the value: "trades[0].payoff.strike" */
    const char *message;
    const char *hint; /* NULL: none */
    const char *text; /* as one line: "file:line:column: error: path: message" */
    int64_t trade;    /* index in the book; -1: none */
} levy_diagnostic;

/* How many the last call left. */
LEVY_API size_t levy_diagnostic_count(const levy_context *context);
/* NULL past the end */
LEVY_API const levy_diagnostic *levy_diagnostic_get(const levy_context *context, size_t index);

/* ---- Books: trades, market and simulation settings, read and checked ------------------------- */

/* Trades, market and settings that were loaded together. */
typedef struct levy_book levy_book;

/* A key of the input and its new value, as in {"simulation.paths", "2^20"}. A value that begins
 * with a brace or a bracket is a map or a list of YAML: {"simulation.construction.first",
 * "{components: 4}"}. */
typedef struct levy_setting {
    const char *key, *value;
} levy_setting;

/* One input. With a text: `name` is its name in messages, and `folder` is the folder in which its
 * relative market references start (NULL refuses such references). With text NULL: `name` is a
 * regular file, whose references start in its own folder, or a folder. A folder means its *.yaml
 * and *.yml files in byte order of their names, except hidden files, market.yaml and *.market.yaml:
 * books refer to those. A name that ends in .csv holds trades as comma-separated values: the first
 * row has the paths of their keys, such as payoff.strike; other sources bring the market and the
 * models. A file named here may be a symbolic link. The files that a book refers to
 * and the files of a folder may be links that stay beneath the folder; with
 * levy_context_options.allow_links any links. */
typedef struct levy_source {
    const char *name, *text;
    size_t length;
    const char *folder;
} levy_source;

/* All sources form one book, in the order given. `settings` override keys under `simulation`, and
 * `measures` ("price,delta"). Returns OK if at least one trade can be priced; diagnostics may then
 * still hold faults of other trades. Returns INPUT if no trade can be priced or a file cannot be
 * read. A book keeps no pointer to the caller's texts. */
LEVY_API int levy_book_load(levy_context *context, const levy_source *sources, size_t n_sources,
                            const levy_setting *settings, size_t n_settings, levy_book **book);
/* The same from files and folders by name. */
LEVY_API int levy_book_load_files(levy_context *context, const char *const *paths, size_t n_paths,
                                  const levy_setting *settings, size_t n_settings,
                                  levy_book **book);
/* The same from one text, which may refer to no file. `name` stands in messages. */
LEVY_API int levy_book_load_text(levy_context *context, const char *name, const char *text,
                                 size_t length, const levy_setting *settings, size_t n_settings,
                                 levy_book **book);
/* NULL is legal; before its context */
LEVY_API void levy_book_destroy(levy_book *book);
LEVY_API size_t levy_book_size(const levy_book *book); /* trades, failed ones included */

/* The texts that a book was read from, if its context has keep_texts. Sources: each with its text
 * and the folder of its references; a folder gives one source per book. References: the files that
 * the sources refer to, each once, under the name by which it was opened. NULL past the end. They
 * live as long as the book. levy_book_load_kept makes that book again, in any context or process.
 * It takes every referenced file from `references` and opens none. It does not restore quotes: set
 * them again. */
LEVY_API const levy_source *levy_book_source(const levy_book *book, size_t index);
/* A file that the sources refer to; NULL past the end. */
LEVY_API const levy_source *levy_book_reference(const levy_book *book, size_t index);
/* The book again from both lists. */
LEVY_API int levy_book_load_kept(levy_context *context, const levy_source *sources,
                                 size_t n_sources, const levy_source *references,
                                 size_t n_references, const levy_setting *settings,
                                 size_t n_settings, levy_book **book);

/* Other settings in place of all those that the book was loaded with, or was given here since (0 of
 * them: the files' own). From now on every call gives, bit for bit, what it gives for a book that
 * was loaded with them and has the same quotes; no file is read again. The diagnostics are those of
 * such a load. LEVY_STATUS_INPUT: it would be refused, and the book keeps its former settings. */
LEVY_API int levy_book_override(levy_book *book, const levy_setting *settings, size_t n_settings);

/* Quotes: numbers of the market by name.
 *     NAME.spot                        as written
 *     NAME.dividend_yield, NAME.borrow flat: as written. By term, or implied by forwards: starts at
 *                                      0; the value is added to the yield of every node
 *     NAME.volatility                  flat: as written. Term structure: starts at 0; the value is
 *                                      added to the Black volatility of every node
 *     CURVE.rate                       flat: as written. kind zero: starts at 0; the value is added
 *                                      to every rate as quoted. kind discount: starts at 0; the
 *                                      value multiplies every factor by exp(-value * years)
 *     NAME.dividends                   starts at 0; every dividend on a date is multiplied by
 *                                      1 + value
 *     a name[NODE]                     of a term structure or of dividends: one node, by its date
 *                                      or its years, as written. kind discount: starts at 0, as
 *                                      above. What moves all nodes is applied to it
 *     MODEL.intensity                  of jumps, as written; MODEL.intensity[0] of the first layer
 *     NAME,OTHER.correlation           of two assets of a model, in either order: as written. kind
 *                                      term: starts at 0; added in every piece
 *
 * A new value takes effect with the next call that uses the book. That call's results equal, bit
 * for bit, those of a book loaded from a file with that number; only the fingerprint differs. If
 * such a file would be refused, that call returns LEVY_STATUS_INPUT. `initial_fixing: spot` does
 * not move: it is the spot at the time of loading, so a trade in percent of it gets the price that
 * a scenario of the same move gives. Re-pricing reads no file and makes no new points.
 *
 * A term structure is the surprise: levy_book_set(book, "SPX.volatility", 0.3) makes a flat
 * volatility 0.3 and adds 0.3 to each node of a term structure. levy_book_quote_is_shift tells.
 *
 * Both functions return LEVY_STATUS_ARGUMENT if there is no such factor, levy_book_set also if the
 * value is out of range. The diagnostics then say why, and nothing has changed. */
LEVY_API int levy_book_set(levy_book *book, const char *factor, double value);
/* The number as levy_book_set takes it. */
LEVY_API int levy_book_get(const levy_book *book, const char *factor, double *value);
/* How many factors the book has. */
LEVY_API size_t levy_book_quote_count(const levy_book *book);
/* NULL past the end */
LEVY_API const char *levy_book_quote_name(const levy_book *book, size_t index);
/* 1: the quote is a term structure's, and its value is added to each node; 0: it is the number
 * itself, or `index` is past the end */
LEVY_API int levy_book_quote_is_shift(const levy_book *book, size_t index);

/* ---- Pricing --------------------------------------------------------------------------------- */

/* What a run found, of each trade and netted. */
typedef struct levy_results levy_results;

/* Counts are blocks of 4,096 paths. */
typedef struct levy_progress {
    uint64_t done, total;
    double seconds;
    uint64_t resumed; /* blocks of `done` that came from a journal */
    uint64_t paths;   /* about how many the others had; 0: not counted, as in a study */
    /* about how many seconds are left, by what the trades cost, which blocks do not tell; 0: not
     * known, as in a study and before anything is done */
    double left;
} levy_progress;

/* Normals that a program gives to a book of `simulation.generator: given`: those of n_paths paths
 * of one replicate, from first_path on. Number (d, p) of the output, at d * stride + p, is the
 * normal of dimension d of path first_path + p. Dimensions come by importance, as `levy explain`
 * counts them: in a bridge the last date first, in the incremental construction date by date, in
 * either factor by factor. All must be filled, with numbers of at most a million in size. A path's
 * numbers may be asked for more than once. */
typedef struct levy_normals_request {
    uint32_t n_dimensions, replicate;
    uint64_t first_path;
    size_t n_paths, stride;
    double *output;
} levy_normals_request;

/* How a book is priced. A zero member means the default. */
typedef struct levy_price_options {
    size_t struct_size;
    /* "auto" (default), "cpu", "cuda", "cuda:N"; several GPUs: "cuda:all", "cuda:0,2" (up to 32) */
    const char *device;
    const char *isa;       /* "auto" (default), "baseline", "avx2", "avx512", "neon" */
    uint32_t threads;      /* 0: one per processor that the process may use. See levy_price */
    uint64_t batch_blocks; /* blocks per batch; 0: levy chooses. Never changes a result */
    int no_kernel_cache;   /* CUDA: 1: neither read nor write the disk cache */
    /* a nonzero return cancels; NULL: none. See levy_price */
    int (*progress)(void *user, const levy_progress *progress);
    void *user;
    /* file to which each finished group is appended; NULL: none. Implies no_times */
    const char *journal;
    /* 1: take finished groups from the journal; 0: refuse a journal that exists */
    int resume;
    /* 1: all seconds in the results are NaN, so that equal runs give equal reports */
    int no_times;
    /* With generator given, or a study's method of that name, and only then: fills a request, from
       the calling thread; a nonzero return fails the trades of the request's group. Not with a
       journal */
    int (*normals)(void *normals_user, const levy_normals_request *request);
    void *normals_user;
    /* what else to net by (levy_netted): keys with commas between them, such as
     * "book,tags.desk": book, counterparty, netting_set, underlying, payoff, model or tags.NAME;
     * NULL: by currency alone */
    const char *by;
    /* part k of n, 1 <= k <= n <= 65536: prices the book's k-th share alone into the journal, which
     * must be given, or part_write, and is continued where it exists. 0, 0: the whole book. See
     * levy_merge */
    uint32_t part, parts;
    const char *part_note; /* a text that the part's journal keeps for the caller; NULL: none */
    /* Several processes on one host: without `threads` each takes this share of the processors, and
     * of several GPUs, under "auto" and "cuda", the one of its place. 0: it is alone */
    uint32_t host_processes, host_place; /* their count; the own place among them, from 0 */
    /* with part k of n, in place of `journal`: receives the part's journal line by line, on the
     * calling thread. A nonzero return ends the run with LEVY_STATUS_IO. All lines together are a
     * text of levy_merge_options */
    int (*part_write)(void *part_user, const char *text, size_t length);
    void *part_user;
    /* told, on the calling thread, that the first n trades of the results are done: these alone may
     * be read, and written (levy_report_options.count); NULL: nobody */
    void (*finished)(void *finished_user, const levy_results *results, size_t n);
    void *finished_user;
} levy_price_options;

/* One measure of a trade, with its factor:
 *     price                        ""
 *     delta, gamma                 "SPX.spot"
 *     vega, vega_by_node           "SPX.volatility", "SPX.volatility[2027-11-20]": per 1.00 of
 *                                  Black volatility
 *     rho, rho_by_node             "USD.rate", "USD.rate[2027-11-20]": per 1.00 of continuously
 *                                  compounded zero rates
 *     theta                        "time": per calendar day
 *     cross_gamma, correlation     "SPX.spot,NDX.spot"
 *     vanna                        "SPX.spot,SPX.volatility"
 *     volga                        "SPX.volatility"
 *     dividend_rho, borrow_rho     "SPX.dividend_yield", "SPX.borrow"
 *     dividends                    "SPX.dividends[2027-11-20]": per 1.00 of the dividend
 *     parameters                   "SPX.v0" and so on: the model's numbers of an asset
 *     delta_minimum_variance       "SPX.spot": of heston and bates
 *     implied_volatility           "black": of European calls and puts on one asset; no position
 *                                  multiplies it
 *     cash_flows                   the date, "2027-11-20" or years: the expected discounted
 *                                  payments on it
 *     probability                  of a script, and of exercise by simulation: the date: the
 *                                  chance of ending on it
 *     expected_life                likewise: "years"
 *     exercise_value               of early exercise: "today": what it would pay
 *     continuation                 likewise: the price without exercise today
 *     boundary                     likewise: the date: the level from which on, into the money, it
 *                                  is exercised; no error
 *     upper_bound                  "", of exercise by simulation, whose price is a lower one
 *     report                       of a script: the name of the variable; its mean at the end
 *     scenario_price               the scenario's id
 *     scenario_pnl                 the scenario's id: scenario_price less today's price
 * `levy describe vega` and so on define each. */
typedef struct levy_measure {
    const char *measure, *factor;
    /* std_error of a difference by a bump: sqrt(se^2 + bias^2). The simulation gives se; another
     * bump on the same draws gives an estimate of the bias. NaN: unknown, because all paths give
     * the same; 0: the value is 0 by definition. Of early exercise: what half the resolution
     * changes, with that bias */
    double value, std_error;
    int flagged;      /* 1: biased, unreliable or without a value; `note` says why */
    const char *note; /* NULL: none */
    /* Its interval, made as that of a price, with the bias of a bump inside, at the `confidence` of
     * the trade or sum. NaN: none. `interval` as in levy_trade_result */
    double ci_low, ci_high;
    const char *interval;
    /* What the steps of the model leave of an error, the value less that of infinitely short steps,
     * and the standard error of that: no part of std_error or the interval. Of a sum: the sum, and
     * the most that its error can be. 0: there are none whose length matters; NaN: it was not
     * measured (simulation.step_bias) */
    double step_bias, step_bias_se;
} levy_measure;

/* A text that a trade carries under a key of the user's own. */
typedef struct levy_tag {
    const char *name, *text;
} levy_tag;

/* Signed present value of the position, with its interval (95 % by default). NaN members print as
 * null. The standard error includes rounding. It is NaN if the paths give none: one replicate, or
 * no path in the money. */
typedef struct levy_trade_result {
    const char *id;
    const char *status; /* "ok", "failed", "cancelled": the run ended before its turn */
    const char *reason; /* "none", or why it has no price */
    /* NULL, or the text of the first fault, the amount by which a tolerance was missed, what its
     * fitted rule of exercise lacks, or the reason why the trade moved from a GPU to the CPU */
    const char *message;
    const char *currency, *payoff, *model;
    double maturity; /* years; 0: expires today; negative: has expired, but is not yet paid */
    double price, std_error, ci_low, ci_high, confidence, unit_price;
    /* "student_t", "normal", "unreliable", "none", or "exact": the amount is known (std_error 0,
     * paths 0), or the past or a formula of the plan gives it, or nothing is random for the trade
     * (std_error is its rounding) */
    const char *interval;
    uint64_t paths, replicates, seed;
    uint32_t dimensions;
    const char *generator, *construction, *precision;
    const char *reproducibility; /* "R3", "R2" or "R1": levels of docs/contract.md */
    const char *backend;         /* "cpu", "cuda" */
    const char *device;          /* its name */
    uint32_t group;
    uint64_t plan_hash; /* of the group's numeric plan */
    double seconds;     /* simulation time of the trade's group */
    /* share of the paths on which cash dividends floored the spot at 0; NaN: no cash dividends, or
     * no paths, as where exercise is early */
    double floor_probability;
    uint32_t padding; /* dimensions past the Sobol table or the net, which are pseudo-random */
    /* 1: yes; -1: not within the limit on paths; 0: no tolerance was requested */
    int tolerance_met;
    double tolerance; /* the half-width requested, in the currency; NaN: none */
    /* the half-width times the safety factor, which is compared with `tolerance`; NaN: none */
    double tolerance_width;
    size_t n_measures;
    const levy_measure *measures; /* the first; levy_trade_measure gives each */
    /* what a bridge draws before all else: "average", "4 components" (as many as the trade took),
     * "dates", or "order", where the book orders all dates; NULL: nothing, or no bridge */
    const char *first;
    const char *pipeline; /* "fused", "staged"; NULL: failed */
    /* "SPX", or "SPX,NDX": the names of a basket in the order of the trade; NULL: not read */
    const char *underlying;
    /* the trade's own texts, as written; NULL: none */
    const char *book, *counterparty, *netting_set;
    size_t n_tags;
    const levy_tag *tags; /* the first; levy_trade_tag gives each */
    /* Of a leg: the id of the trade that is the sum of its legs and stands before them; NULL: it is
     * a trade of its own. Sums of a book have the legs in place of that trade. */
    const char *leg_of;
} levy_trade_result;

/* A run as a whole. */
typedef struct levy_run_info {
    const char *version, *backend, *device, *device_reason, *isa;
    uint32_t contract, threads;
    uint64_t fingerprint; /* of the input */
    size_t groups, priced, failed;
    size_t tolerance_missed; /* priced trades that missed their tolerance */
    double seconds;          /* wall time of levy_price */
    int interrupted;         /* 1: the progress callback cancelled; the results are partial */
    size_t cancelled;        /* trades that an interrupted run did not price; not among `failed` */
} levy_run_info;

/* The sum of the priced trades of one currency, or of those of them that have one text under a key
 * (levy_price_options.by). Each currency of a key is a sum of its own.
 *
 * Errors: the trades are added up within each replicate, and the standard error is that of the sums
 * of the replicates, so it includes the correlation of the trades. Groups of trades that are
 * simulated apart take their numbers from one seed, replicate by replicate. Their draws may
 * coincide, and the sum over a replicate is one observation all the same: replicates are
 * independent of each other. It is NaN for one replicate.
 *
 * `measures` are sums of the trades' measures, price first: Greeks, cash flows, and every
 * scenario's price and profit or loss. Probabilities, lives and reports of scripts do not add up
 * and are not among them. The bias of a bump adds up, too, and joins the error as for a trade. A
 * trade that does not depend on a factor adds 0 to its Greek. A measure is flagged if that of some
 * trade is, if a trade did not report the measure, whose part is then missing, and if a trade has
 * no value in a scenario: then there is no sum. `note` says so, and of how many trades.
 *
 * A book with a report_currency has each sum, by key too, once more behind those of the same key:
 * `translated`, of all its trades. Each replicate adds up the trades' amounts times the spot of the
 * rate of exchange, rounded once. A scenario's prices are at its own spot, and its profit or loss
 * has what the rate moves. So have delta, gamma, cross_gamma and vanna by that spot.
 *
 * `failed` counts the trades of the currency, or of the text under the key, that have no price: the
 * sum is partial. A sum of which every trade failed is NaN and has no measures, and so is one that
 * would hold some legs of a trade alone. A trade that fails before its currency is known counts in
 * the sums of all currencies. */
typedef struct levy_netted {
    const char *currency;
    size_t trades;
    uint64_t replicates;
    double value, std_error, ci_low, ci_high, confidence; /* of the price */
    const char *interval;                                 /* as in levy_trade_result */
    const char *key;   /* "book", "tags.desk"; NULL: all trades of the currency */
    const char *label; /* their text under the key; NULL: they have none */
    size_t n_measures;
    const levy_measure *measures; /* the first; levy_netted_measure gives each */
    size_t failed;          /* trades that the sum lacks: failed, or cancelled before their turn */
    const char *failed_ids; /* of the first 8: "t1, trades[6] and 3 more" (one without an id of its
                             * own is named by its place); NULL: it lacks none */
    int translated;         /* 1: the trades of all currencies, in the book's report_currency */
} levy_netted;

/* An axis of a grid of scenarios, and the size of the shift at a point. */
typedef struct levy_grid_axis {
    const char *factor; /* "SPX.spot", "ALL.volatility" */
    int relative;       /* 1: the size multiplies by 1 + size; 0: it is added */
    double size;
} levy_grid_axis;

/* A point of a grid of scenarios: what the id of its measures means. */
typedef struct levy_grid_point {
    const char *id;       /* the factor of its measures: "ladder[-0.1,0.05]" */
    const char *scenario; /* the scenario's id as written: "ladder" */
    size_t n_axes;
    const levy_grid_axis *axes; /* the first; levy_grid_point_axis gives each */
} levy_grid_point;

/* Prices a book. Returns LEVY_STATUS_OK if all work is done (some trades may have failed), or
 * CANCELLED: *results then holds the part that is done.
 *
 * Progress: levy_price calls the callback from its own thread. On a CPU it does so at least every
 * 50 ms, also while blocks are in flight (`done` is then unchanged); on a GPU between waves. A wave
 * is one block on every place of the GPU. A cancel takes effect when the blocks in flight end.
 * Planning calls progress and heeds a cancel too, and so do levy_book_explain and the studies. On
 * one CPU thread a block of 4,096 paths takes 0.5 ms for an Asian option of 64 dates, 90 ms for a
 * basket of 32 assets, and a few times that with bumps of many volatilities. The longest wave
 * measured on an H200 took 42 ms (vegas of 32 assets); at its rate a wave of 100 assets in double
 * precision takes a second. levy promises nothing shorter.
 *
 * Threads: those of a CPU share each group's blocks. Beside that, up to 16 live as long as the call
 * (on a GPU the calling one is among them): they make plans, and simulate groups that are too small
 * to fill the device. Results, diagnostics and journals are those of one thread, byte for byte. A
 * tolerance and given normals leave the simulation to the calling thread.
 *
 * Choice of a device: a GPU takes about a quarter of a second to start. Under "auto" the CPU takes
 * a book that it will have priced by then, and the driver is not called at all; device_reason says
 * what was estimated ("auto: the CPU needs about 7 ms; a GPU takes about 250 ms to start"). The
 * estimate follows from the book and the machine (threads, instruction set, whether there is a
 * GPU), never from a clock or from load. In double precision, where the bits are the same, two more
 * things count: a GPU that this context has open needs no start, and where kernels would first have
 * to be compiled, the CPU takes what it will have done by then. In single and mixed precision, and
 * with a journal, neither counts, so that a book always goes to the same device of a machine. A run
 * to a tolerance counts as its limit, max_paths. "cpu", "cuda", "cuda:N" and lists are always
 * obeyed, and "auto" of bridges, normals, samplers and studies takes a GPU wherever there is one.
 *
 * Device: under "auto" the CPU goes on if a GPU fails, with a warning. Its reason is "device",
 * "memory" or "internal" (a defect in levy). In double precision the prices are the same. In single
 * and mixed precision they differ: the whole rest of the run moves to the CPU, the trades' messages
 * and the run's device_reason say so, and a resumed run goes on where its journal's run went. A GPU
 * that is short of memory first tries smaller pieces. A group that still does not fit goes to the
 * CPU; in double precision that group alone.
 *
 * Several GPUs ("cuda:all", "cuda:0,2"): they share the blocks of a group that fills more than one,
 * and smaller groups stay on one each, with the bits of a single GPU. The calling thread serves one
 * of them and a thread of its own each of the others, as many together as `threads` says (0: all).
 * A GPU that fails, or is short of memory, is left out; the others do its share, a warning and
 * device_reason say so, and the context does not keep them open. If all fail, the failure is that
 * of the first. LEVY_STATUS_ARGUMENT: a GPU is named twice, or GPUs of several architectures are
 * asked for single or mixed precision, whose bits might differ between them. Plans whose numbers
 * are made first or given (pipeline staged, cuRAND, normals) stay on one of them.
 *
 * Journal: it makes a long run safe to kill. Its first line says what is priced: hashes of texts,
 * settings and quotes, version and contract. Each further line holds one finished group: its sums,
 * its seconds and a hash of the line. A line is on disk within about a second. A resumed run gives
 * the reports of an uninterrupted one, byte for byte. LEVY_STATUS_RESUME: the journal belongs to
 * other inputs, other settings or another version, is damaged before its last line, exists although
 * `resume` is 0, or another process writes to it. Trust a journal as you trust the folder of the
 * inputs: its hashes find damage, not forgery, and a resumed run takes the sums that the journal
 * holds. A warning says if the file system has no locks. */
LEVY_API int levy_price(levy_book *book, const levy_price_options *options, levy_results **results);

/* ---- Parts: one book, several processes ------------------------------------------------------ */

/* What the journal of a part says of itself. Device, threads and host are those of its last run. */
typedef struct levy_part_info {
    uint32_t part, parts; /* k of n */
    int complete;         /* 1: its last run came to its end */
    uint32_t threads;
    const char *host, *backend, *device, *device_reason, *isa;
    const char *note; /* levy_price_options.part_note; NULL: none */
    int study;        /* 1: of levy_converge or levy_coverage; 0: of levy_price */
} levy_part_info;

/* How parts become one run. */
typedef struct levy_merge_options {
    size_t struct_size;
    const char *const *paths; /* of the parts' journals, in any order */
    size_t n_paths;
    const char *by; /* as in levy_price_options */
    /* journals in memory (levy_price_options.part_write), beside those of `paths`: `name` is their
     * name in messages, `folder` is not read. They are not kept */
    const levy_source *texts;
    size_t n_texts;
} levy_merge_options;

/* Makes the results of one run from the journals of its parts. The book must be the one that they
 * priced. The cut into parts is a function of the book and n: whole groups of trades, of a large
 * group replicates, and ranges of 2^k blocks. Any parts that cover the book once do, also of
 * different n. Nothing is simulated, and nothing is planned but a group that several parts share.
 *
 * The results, and reports of them, are those of one run with no_times, byte for byte, if all parts
 * ran on equal devices with equal threads. Else the run's device is that of the first part, and
 * reports list each part's (levy_results_part).
 *
 * LEVY_STATUS_RESUME: a part is missing, not finished, there twice, damaged, or of another input,
 * setting or version; the diagnostics name it. Other statuses are those of levy_price. */
LEVY_API int levy_merge(levy_book *book, const levy_merge_options *options, levy_results **results);

/* Reads what a part's journal says of itself, also while a process writes to it. The texts are
 * valid until the next call of the context. LEVY_STATUS_RESUME: it is not a part's journal, or has
 * no whole line of its run yet. */
LEVY_API int levy_part_read(levy_context *context, const char *path, levy_part_info *info);

/* Of merged results: each run of each part, in their order. NULL past the end, and of results that
 * are not merged. */
LEVY_API const levy_part_info *levy_results_part(const levy_results *results, size_t index);

/* NULL is legal; before its context */
LEVY_API void levy_results_destroy(levy_results *results);
LEVY_API size_t levy_results_size(const levy_results *results); /* trades and legs, failed too */
/* The results lie in one array whose step is the struct's size in levy_abi. */
LEVY_API const levy_trade_result *levy_results_trade(const levy_results *results, size_t index);
/* NULL past the end */
LEVY_API const levy_measure *levy_trade_measure(const levy_trade_result *trade, size_t index);
/* The run that made them. */
LEVY_API const levy_run_info *levy_results_run(const levy_results *results);
/* How many sums there are: a currency of priced trades each, then the groups of each key. */
LEVY_API size_t levy_results_netted_count(const levy_results *results);
/* The currencies, then the groups of each key, in the order of their first trades. NULL past the
 * end */
LEVY_API const levy_netted *levy_results_netted(const levy_results *results, size_t index);
/* NULL past the end */
LEVY_API const levy_measure *levy_netted_measure(const levy_netted *netted, size_t index);
/* NULL past the end */
LEVY_API const levy_tag *levy_trade_tag(const levy_trade_result *trade, size_t index);
/* NULL past the end */
LEVY_API const levy_grid_axis *levy_grid_point_axis(const levy_grid_point *point, size_t index);
/* The points of the book's grids of scenarios, in their order. NULL past the end */
LEVY_API const levy_grid_point *levy_results_grid_point(const levy_results *results, size_t index);

/* ---- Text: reports, and the engine's description of itself ----------------------------------- */

/* Receives text. Returns 0, or nonzero to stop: the call then returns LEVY_STATUS_IO. */
typedef int (*levy_writer)(void *user, const char *text, size_t length);

/* For bindings that do not read this header: the layout of this library's structs, a line each,
 * "name size member@offset:size:kind ...", in the order of offsets. Kinds: d double, i signed,
 * u unsigned, s const char *, p any other pointer. */
LEVY_API int levy_abi(levy_writer write, void *user);

/* TABLE is for readers: it rounds to the error. The other formats carry every bit, and
 * docs/results.md says what is in them. JSONL: an object a line: trades, sums, points of grids, the
 * run. CSV (RFC 4180) and NPY (a structured array of NumPy): one row per trade or sum and measure,
 * price first. TABLE_COLOR: a table with terminal colours. */
enum {
    LEVY_FORMAT_TABLE,
    LEVY_FORMAT_CSV,
    LEVY_FORMAT_JSON,
    LEVY_FORMAT_JSONL,
    LEVY_FORMAT_TABLE_COLOR,
    LEVY_FORMAT_SVG,
    /* of results: a report to read and to print, in one file that needs nothing else. Terms of
     * trades, market and hashes of inputs are in it if the context has keep_texts */
    LEVY_FORMAT_HTML,
    LEVY_FORMAT_NPY, /* of results: the rows of the CSV, as NumPy reads them */
    LEVY_FORMAT_YAML /* of levy_calibrate: a book's market and models */
};
/* Writes results in one of the formats; SVG is for studies. */
LEVY_API int levy_results_write(const levy_results *results, int format, levy_writer write,
                                void *user);

/* A zero member means the default. */
typedef struct levy_report_options {
    size_t struct_size;
    int format;
    /* CSV and NPY: columns in this order, with commas between: "id,price,std_error,delta". NULL:
     * id, payoff, price, std_error, currency and the measures. The name of a measure stands for its
     * columns "delta:SPX.spot" and "delta:SPX.spot:std_error" of all factors, and makes the form
     * wide. "all", or a column of the long form (measure, factor, value, value_std_error, flagged,
     * note, scenario and axes of grids), makes it long: a row for each measure. Legs have rows if
     * leg_of is a column. */
    const char *columns;
    int wide;       /* CSV and NPY: 1: all columns (NULL, "all") are those of the wide form */
    uint32_t width; /* TABLE and TABLE_COLOR: characters of the terminal's line; 0: no limit */
    int sums;       /* CSV and NPY: 1: the rows are sums (key, label, trades, price, ...) */
    /* HTML: the command that made it, and when, which the page shows as they are; NULL: nothing */
    const char *command, *made;
    /* JSONL: `count` trades from `first` on, and nothing else; count 0: all from there on */
    size_t first, count;
} levy_report_options;

/* LEVY_STATUS_ARGUMENT: an unknown format or column, or columns of both forms. */
LEVY_API int levy_results_report(const levy_results *results, const levy_report_options *options,
                                 levy_writer write, void *user);
/* The same check before there are results. The diagnostics say what is wrong. */
LEVY_API int levy_report_check(levy_context *context, const levy_report_options *options);

/* Plots as SVG 1.1, in colours that the colour-blind tell apart and in markers that differ. */
enum {
    LEVY_PLOT_ERRORS, /* of results: errors relative to the prices; of levy_coverage: coverage */
    LEVY_PLOT_LADDER, /* of results: vega_by_node and rho_by_node with their errors */
    LEVY_PLOT_GRID,   /* of results: scenario_pnl, of grids as heat maps */
    LEVY_PLOT_CONVERGENCE, /* of levy_converge: RMSE against points */
    LEVY_PLOT_COST,        /* of levy_converge: RMSE against seconds */
    LEVY_PLOT_PROFILE,     /* of levy_profile: measures against a quote */
    LEVY_PLOT_BOUNDARY     /* of results: boundary against years */
};
/* trade: the id of one; NULL: all. LEVY_STATUS_UNSUPPORTED: the results have nothing to plot;
 * LEVY_STATUS_ARGUMENT: it is no plot of results, or there is no such trade. In both cases nothing
 * is written. */
LEVY_API int levy_results_plot(const levy_results *results, int what, const char *trade,
                               levy_writer write, void *user);
/* Writes how the book would be simulated: groups, grids, dimensions, memory. Prices nothing. */
LEVY_API int levy_book_explain(levy_book *book, const levy_price_options *options,
                               levy_writer write, void *user);

/* The points that a simulation draws, as a .npy file of NumPy: [point][dimension], the dimension
 * fastest. The numbers are those of levy_normals_* (below) for the generator, the seed and the
 * precision of the book: double, or float where the simulation draws normals in single precision;
 * words are uint32_t. A dimension is the place of a draw in the build order (Sobol points, nets) or
 * in time (others). Draws beyond the Sobol table or the net, which are padded, are not among them.
 *
 * Without a trade, the points have the dimensions of the trade that needs the most: the other
 * trades take the first of these. For mrg32k3a trades of different dimensions must be named. A zero
 * member means the default. */
typedef struct levy_points_options {
    size_t struct_size;
    const char *trade;  /* the id of one; NULL: see above */
    int output;         /* LEVY_NORMALS_NORMAL (default), LEVY_NORMALS_UNIFORM, ..._WORD */
    uint32_t replicate; /* of the simulation's, from 0 */
    uint64_t first;     /* point of the replicate */
    /* of points; 0: all that the simulation takes from `first` on. A count may go past these, up to
     * the 2^32 points of Sobol, those of the net, or 2^56. */
    uint64_t count;
} levy_points_options;

/* `how`: threads, instruction set and progress, in blocks of 4,096 points; the device is the CPU.
 * LEVY_STATUS_ARGUMENT: the options are invalid; LEVY_STATUS_UNSUPPORTED or LEVY_STATUS_MEMORY: a
 * trade's plan cannot be made, or exceeds max_memory; LEVY_STATUS_IO: `write` failed;
 * LEVY_STATUS_CANCELLED: progress said so, and the file is not complete. */
LEVY_API int levy_book_points(levy_book *book, const levy_points_options *options,
                              const levy_price_options *how, levy_writer write, void *user);

/* topic NULL: lists the topics */
LEVY_API int levy_describe(const char *topic, levy_writer write, void *user);
/* A book to start from, with a comment for each key: `kind` is a payoff's, a model's, "book" or
 * "market"; NULL: lists the kinds. LEVY_STATUS_ARGUMENT: there is no such kind. */
LEVY_API int levy_template(const char *kind, levy_writer write, void *user);
/* JSON Schema (draft-07) of the input */
LEVY_API int levy_schema(levy_writer write, void *user);
/* levy_describe, in which the kinds of payoffs that the context's `kinds` define count as levy's
 * own do. LEVY_STATUS_INPUT: one of their files has a fault, which is a diagnostic, or cannot be
 * read; LEVY_STATUS_ARGUMENT: there is no such topic or kind; LEVY_STATUS_IO: `write` failed. */
LEVY_API int levy_context_describe(levy_context *context, const char *topic, levy_writer write,
                                   void *user);
/* levy_template, with these kinds; errors as of levy_context_describe. */
LEVY_API int levy_context_template(levy_context *context, const char *kind, levy_writer write,
                                   void *user);
/* levy_schema, with these kinds. of: NULL or "input"; "kind": of a file that defines a kind. */
LEVY_API int levy_context_schema(levy_context *context, const char *of, levy_writer write,
                                 void *user);
/* JSON Schema (draft-07) of reports: LEVY_FORMAT_JSON, or a line of LEVY_FORMAT_JSONL */
LEVY_API int levy_report_schema(int format, levy_writer write, void *user);
/* Writes the devices that can be used, as TABLE, JSON or JSONL. Of a GPU: its memory_bytes, and
 * where NVML is there free_bytes, its load from 0 to 1, and links: the ways to the others ("cuda:1
 * nvlink, cuda:2 pci"). */
LEVY_API int levy_devices_write(levy_context *context, int format, levy_writer write, void *user);

/* The disk cache of GPU kernels; `directory` NULL: the user's cache. levy_kernels_build compiles
 * the kernels that a book's plans need, for an architecture such as "sm_90". It needs no GPU. */
LEVY_API int levy_kernels_build(levy_book *book, const char *architecture, const char *directory,
                                levy_writer write, void *user);
/* The same of part k of n, 1 <= k <= n <= 65536: each kernel belongs to one part, which follows
 * from its source. So n processes that share a cache fill it side by side and build nothing twice.
 */
LEVY_API int levy_kernels_build_part(levy_book *book, const char *architecture,
                                     const char *directory, uint32_t part, uint32_t parts,
                                     levy_writer write, void *user);
/* Writes what the cache holds. */
LEVY_API int levy_kernels_list(levy_context *context, const char *directory, levy_writer write,
                               void *user);
/* Empties the cache. */
LEVY_API int levy_kernels_clear(levy_context *context, const char *directory, levy_writer write,
                                void *user);

/* ---- Studies: convergence of methods, and coverage of their intervals ------------------------ */

/* What levy_converge, levy_coverage or levy_profile measured. */
typedef struct levy_study levy_study;

/* A method is a generator and a construction: "sobol_scrambled+bridge", "mrg32k3a+incremental". A
 * bridge draws first what the book says, and the method's name in the study then says it, too:
 * "sobol_scrambled+bridge:average", ":components4", ":dates", ":order". "+integrated" or "+plain"
 * behind a name says whether a payoff is integrated over a normal where it can be; without either
 * it is as in the book, but plain beside a method that cannot (incremental). Texts are read as in a
 * file: counts may be written 2^k. A NULL or zero member means the default. The book gives the seed
 * and the precision (settings simulation.seed, simulation.precision). */
typedef struct levy_study_options {
    size_t struct_size;
    /* comma-separated; default
     * "sobol_scrambled+bridge,sobol_scrambled+incremental,mrg32k3a+incremental" */
    const char *methods;
    const char *points; /* per replicate, powers of two: "2^8..2^18" (default), or one size */
    /* levy_converge: sizes over which slopes are fitted, within `points`; default: all of them */
    const char *fit;
    const char *trade;   /* its id; default: all trades */
    uint32_t replicates; /* 2 to 65,536; default 32 (levy_converge), 16 (levy_coverage) */
    uint32_t resamples;  /* levy_converge: bootstrap samples, 1,000,000 at most; default 2,000 */
    uint32_t seeds;      /* levy_coverage: default 2,000 */
    int has_reference;   /* 1: `reference` is the exact price of the position */
    double reference;
    /* levy_converge: the RMSE for which seconds_to_target is given; default: the largest of the
     * methods' smallest RMSEs */
    double target_rmse;
    /* What is studied, comma-separated: "price" (default), "delta,vega", "scenario_pnl", ... Each
     * with each of its factors is a study, or a row, of its own, on the same draws. A difference is
     * measured against that of the same bump: the bump's bias is no part of it */
    const char *measures;
    /* the journals of the study's parts (below): nothing is simulated. NULL: all of it is */
    const levy_merge_options *merge;
    /* levy_converge: powers of two from 2 to 65,536: "4..256". The errors of a model's steps, not
     * of points, of which there is one size, 2^14 by default: a trade is simulated with so many
     * steps to its expiry, or those between its dates if they are more. `fit` is a part of it.
     * NULL: errors of points */
    const char *steps;
} levy_study_options;

/* Each method runs R independent replicates once, to the largest size. The estimate at a smaller
 * size uses the first points of the same run and has the bits that levy_price gives for that size.
 * Plain `sobol` has one replicate: its `rmse` is the size of one error, which may be small by
 * chance, so it has no slope, no seconds to target and no efficiency.
 *
 * In a study by steps the sizes are steps, all on the same points: `rmse` is what half steps change
 * (the size of the mean over the replicates of the estimate at so many steps less that at twice as
 * many; NaN at the most), rmse_se its standard error, and -slope the weak order, by least squares
 * with weights (rmse / rmse_se)^2 of what is above two of its errors. There are no seconds to a
 * target and no efficiency. */
typedef struct levy_convergence_method {
    const char *method, *generator, *construction;
    int pseudo_random;
    uint32_t replicates, dimensions;
    size_t n_sizes;
    const uint64_t *sizes;   /* points of one replicate, ascending powers of two */
    const double *estimates; /* [replicate * n_sizes + size]: prices of the position */
    const double *rmse;      /* [size]: root mean square error over the replicates */
    const double *rmse_se;   /* [size]: by bootstrap; NaN: one replicate */
    /* log2 rmse = intercept + slope log2 points, by least squares; NaN: fewer than two sizes, or
     * one replicate of a method that is not pseudo-random */
    double slope, intercept;
    /* by bootstrap over replicates: the sizes are nested, so residuals would understate it */
    double slope_se;
    double seconds; /* simulation time of all replicates to the largest size */
    /* simulation time of one replicate of the size at which the fitted line reaches target_rmse */
    double seconds_to_target;
    /* (rmse^2 seconds) of the baseline over that of the method, at the largest size; NaN: no
     * baseline */
    double efficiency;
    size_t n_shares; /* 0: pseudo-random; all its dimensions are alike */
    /* [i]: share of the variance of the driver's average over the dates that the first 2^i
     * dimensions carry */
    const double *shares;
    /* number of the first dimensions that carry 99 % of that variance; 0: pseudo-random */
    uint32_t effective_dimension;
    /* dimensions for draws other than the driver's (jumps, clocks, regimes, extrema); `shares` does
     * not count them */
    uint32_t outside_motion;
    /* whether the payoff was "integrated" over the first normal of a path, "softened" over a width,
     * or "plain"; in `method`, too, where it could be either */
    const char *smoothing;
    /* [size]: in a study by steps, mean of the estimates and its standard error; NULL: by points */
    const double *mean, *mean_se;
} levy_convergence_method;

/* Errors of methods on one trade at growing sizes. */
typedef struct levy_convergence {
    const levy_run_info *run;
    const char *trade, *payoff, *model, *currency, *precision;
    double reference, reference_se; /* price of the position; se 0: exact */
    const char *reference_kind;     /* "closed_form", "given", "simulated" */
    /* "geometric Asian", "the most steps", "as given", "sobol_scrambled+bridge, 32 replicates of
     * 2^20 points" */
    const char *reference_text;
    uint64_t seed, fit_first, fit_last;
    uint32_t replicates, resamples;
    double target_rmse;
    const char *baseline; /* the first pseudo-random method; NULL: none */
    size_t n_methods;
    const levy_convergence_method *methods; /* the first; levy_convergence_at gives each */
    const char *measure, *factor;           /* as in levy_measure; "price" and "" */
    uint64_t points; /* of a replicate, in a study by steps; 0: it is one by points */
} levy_convergence;

/* How often the interval of a result contains the exact price, over many seeds. If the book has a
 * tolerance: also how often the price is within it; `points` is then the first size. */
typedef struct levy_coverage_row {
    const char *trade, *payoff, *method;
    double reference, reference_se;
    const char *reference_kind;
    uint64_t points; /* of a replicate */
    uint32_t replicates, seeds;
    /* seeds whose result has an interval, and those whose interval contains the reference */
    uint32_t intervals, covered;
    double coverage, coverage_se; /* covered / intervals; NaN: no intervals */
    /* over all seeds, as if the results that are marked "unreliable" had an interval too */
    double coverage_unmarked;
    double mean_half_width, rmse;
    /* of a replicate: `points`, or the size at which a tolerance ended the doublings */
    double mean_points;
    /* share of all seeds whose error is at most the tolerance; NaN: no tolerance */
    double within_tolerance;
    const char *measure, *factor; /* as in levy_measure; "price" and "" */
    double marked; /* share of all seeds that mark the value, or have no interval of it */
} levy_coverage_row;

/* Coverage of trades by methods. */
typedef struct levy_coverage_table {
    const levy_run_info *run;
    double confidence;
    uint64_t first_seed;
    const char *precision;
    size_t n_rows;
    const levy_coverage_row *rows; /* the first; levy_coverage_at gives each */
} levy_coverage_table;

/* Results against a quote: the book re-priced at values of one quote, on the same draws. */
typedef struct levy_profile_options {
    size_t struct_size;
    const char
        *factor;       /* a quote of the book; default: the spot of the first trade's first asset */
    const char *trade; /* the id of one; default: all that read the quote */
    double low, high;  /* the ends; both 0: 30 % below and above today's value of a spot, else half
                          and one and a half of it */
    uint32_t points;   /* 2 to 400, evenly spaced; default 25. Today's value is one more */
} levy_profile_options;

/* One measure of a trade at each value. */
typedef struct levy_profile_line {
    const char *trade, *currency, *measure, *factor; /* as in levy_measure */
    const double *values, *std_errors;               /* [n_values]; NaN: none */
} levy_profile_line;

/* Measures of trades against a quote. */
typedef struct levy_profile_table {
    const levy_run_info *run;
    const char *factor;
    double today; /* its value before, and again after */
    size_t n_values;
    const double *at; /* [n_values]: of the quote, ascending; today's among them if it is between */
    size_t n_lines;
    const levy_profile_line *lines; /* the first; levy_profile_at gives each */
    int is_shift; /* 1: values of the quote are added to each node of a term structure */
} levy_profile_table;

/* `how` is as in levy_price. LEVY_STATUS_ARGUMENT: an option is invalid; the diagnostic's path is
 * the option's name.
 *
 * Parts: with part k of n in `how`, the k-th share of the study's simulations goes into a journal,
 * and *study is NULL. The cut is a function of the input and n. The study of all journals
 * (levy_study_options.merge, with the options that say what is simulated; reports, fits and targets
 * may differ) is that of one run with no_times, bit for bit. LEVY_STATUS_RESUME: as levy_merge; the
 * parts of a study have one n. */
LEVY_API int levy_converge(levy_book *book, const levy_study_options *options,
                           const levy_price_options *how, levy_study **study);
/* The same for coverage. */
LEVY_API int levy_coverage(levy_book *book, const levy_study_options *options,
                           const levy_price_options *how, levy_study **study);
/* Prices the measures of the book at each value; the journal of `how` is not used. The quote has
 * its old value again when the call returns. A trade that has no price at a value has NaN there. */
LEVY_API int levy_profile(levy_book *book, const levy_profile_options *options,
                          const levy_price_options *how, levy_study **study);
/* NULL is legal; before its context */
LEVY_API void levy_study_destroy(levy_study *study);
/* The first; NULL: the study is not from levy_converge */
LEVY_API const levy_convergence *levy_study_convergence(const levy_study *study);
/* One for each trade, measure and factor, in this order. */
LEVY_API size_t levy_study_convergence_count(const levy_study *study);
/* NULL past the end */
LEVY_API const levy_convergence *levy_study_convergence_at(const levy_study *study, size_t index);
/* NULL: the study is not from levy_profile */
LEVY_API const levy_profile_table *levy_study_profile(const levy_study *study);
/* NULL past the end */
LEVY_API const levy_profile_line *levy_profile_at(const levy_profile_table *table, size_t index);
/* NULL: the study is not from levy_coverage */
LEVY_API const levy_coverage_table *levy_study_coverage(const levy_study *study);
/* NULL past the end */
LEVY_API const levy_convergence_method *levy_convergence_at(const levy_convergence *study,
                                                            size_t index);
/* NULL past the end */
LEVY_API const levy_coverage_row *levy_coverage_at(const levy_coverage_table *table, size_t index);
/* Formats: TABLE, JSON, CSV (RFC 4180, long form: a row per trade, measure, method, replicate and
 * size), SVG. Several convergences of one study are one CSV, small multiples of one plot, and in
 * JSON the list "studies". */
LEVY_API int levy_study_write(const levy_study *study, int format, levy_writer write, void *user);
/* A plot as SVG: CONVERGENCE or COST of levy_converge, ERRORS of levy_coverage, PROFILE of
 * levy_profile. LEVY_STATUS_ARGUMENT: the study has no such plot. */
LEVY_API int levy_study_plot(const levy_study *study, int what, levy_writer write, void *user);

/* ---- Calibration: a model fitted to quotes of options ---------------------------------------- */

/* What levy_calibrate found. */
typedef struct levy_calibration levy_calibration;

/* Fits what the sources' `calibration` asks for (`levy describe calibration`): European prices by
 * Fourier series, least squares from several starts, on one thread, and the same bits on every
 * machine. No trades are needed. Of `how` (NULL: the default) it takes progress and user alone, and
 * counts searches. Diagnostics say what the quotes do not determine: parameters at a bound, flat
 * directions, starts that disagree. LEVY_STATUS_INPUT: the input was rejected, or the quotes are
 * too few; LEVY_STATUS_NUMERIC: no start has finite prices; LEVY_STATUS_CANCELLED: progress said
 * so. */
LEVY_API int levy_calibrate(levy_context *context, const levy_source *sources, size_t n_sources,
                            const levy_price_options *how, levy_calibration **calibration);

typedef struct levy_calibration_facts {
    const char *asset, *model, *name; /* asset: "SPX, NDX" of two; name: that in `models` */
    size_t quotes, parameters, starts;
    size_t sought;     /* parameters that are neither fixed nor at a bound */
    size_t agreeing;   /* starts whose errors came near the least ones */
    double rms, worst; /* of model less quote, in Black volatility; NaN: no quote shows one */
    double feller;     /* 2 kappa theta / xi^2: below 1 the variance reaches 0; NaN: it has none */
    int converged;
    int has_errors; /* 1: quotes have bid and ask, and these are the scale of std_error; 0: it is
                     * what the quotes differ from the model by */
} levy_calibration_facts;
LEVY_API const levy_calibration_facts *levy_calibration_info(const levy_calibration *fit);

typedef struct levy_fitted_value {
    const char *name;
    double value;
    double std_error;       /* NaN: it is fixed or at a bound, or no quote is left for it */
    double ci_low, ci_high; /* 95 %, within low and high; of a parameter above 0 in its logarithm */
    double low, high;       /* within which it was sought */
    int fixed, at_bound;
} levy_fitted_value;
/* NULL past the end */
LEVY_API const levy_fitted_value *levy_calibration_value(const levy_calibration *fit, size_t index);
/* Of two parameters; 0 where one is fixed, at a bound, or there is none. */
LEVY_API double levy_calibration_covariance(const levy_calibration *fit, size_t a, size_t b);

typedef struct levy_fitted_quote {
    double years, strike, forward;
    int is_call;
    double price, model_price;           /* of one option today */
    double volatility, model_volatility; /* Black's; NaN: the model's price shows none */
    double weight; /* of the error in volatility: 1 / half of ask - bid, or as given */
    const char *asset;
} levy_fitted_quote;
/* In the order of the input. NULL past the end */
LEVY_API const levy_fitted_quote *levy_calibration_quote(const levy_calibration *fit, size_t index);

/* What a parameter moves by, by the volatility of a quote, the fit being made anew: exact where the
 * model meets its quotes. With the price's slopes in the parameters, its vega to each quote. */
LEVY_API double levy_calibration_response(const levy_calibration *fit, size_t parameter,
                                          size_t quote);

typedef struct levy_fitted_start {
    double error; /* root of the mean square of the weighted errors */
    int agrees;
    const double *values; /* [parameters], where the search ended */
} levy_fitted_start;
/* NULL past the end */
LEVY_API const levy_fitted_start *levy_calibration_start(const levy_calibration *fit, size_t index);

/* TABLE; JSON: all of the above; CSV: a row for each quote; SVG: quotes and model by expiry; YAML:
 * the market and the models, for levy_book_load with trades. LEVY_STATUS_ARGUMENT: another format.
 */
LEVY_API int levy_calibration_write(const levy_calibration *fit, int format, levy_writer write,
                                    void *user);
/* The name of a file that the fit was read from: its sources, then those that they refer to, such
 * as one of quotes. NULL past the end */
LEVY_API const char *levy_calibration_file(const levy_calibration *fit, size_t index);
/* NULL is legal; before its context */
LEVY_API void levy_calibration_destroy(levy_calibration *calibration);

/* ---- The stand-alone Brownian bridge: paths from the caller's own normals -------------------- */

/* Turns standard normals into paths of a Brownian motion, on the CPU or on a GPU, in double or
 * single precision. A bridge is created once for a set of times and a build order, and generates
 * paths any number of times:
 *
 *     the first point of the order   X(t) = X(t0) + sqrt(t - t0) C z
 *     between two built points       X(t) = ((r - t) X(l) + (t - l) X(r)) / (r - l)
 *                                           + sqrt((r - t) (t - l) / (r - l)) C z
 *     past all built points          X(t) = X(l) + sqrt(t - l) C z
 *
 * l and r are the nearest times built before. So Cov(X(s), X(t)) = (min(s, t) - t0) C C'. Any order
 * is valid. Point order[i] uses normals i, so with quasi-random normals the points that matter most
 * should come first. Internally the points are built in another order, with the same values, that
 * keeps the fewest of them at a time. Creating a bridge does all checks and this arrangement;
 * generating is bound by the speed of the memory.
 *
 *     levy_bridge_spec spec = {
 *         .struct_size = sizeof spec, .n_steps = 64, .times = times, .device = "cuda"};
 *     levy_bridge_create(context, &spec, &bridge);
 *     levy_bridge_generate(bridge, normals, paths, 1 << 20, 0, stream);   any number of times
 *     levy_bridge_destroy(bridge);
 *
 * Layout of normals and of output: [step][dimension][path], the path index fastest. Number
 * (i, d, p) lies at (i * n_dimensions + d) * stride + p. It is the layout of cuRAND's quasi-random
 * generators (`dimensions` = n_steps * n_dimensions). Row i of the normals belongs to point
 * order[i]. Row i of the output is X(t[i + 1]), or (X(t[i + 1]) - X(t[i])) / (t[i + 1] - t[i]).
 *
 * In double precision the output has the same bits on every processor and GPU, for any number of
 * threads and any split of the paths. In single precision a CPU and a GPU may differ in subnormal
 * numbers. Normals must be finite. */
typedef struct levy_bridge levy_bridge;

enum { LEVY_BRIDGE_PATHS, LEVY_BRIDGE_INCREMENTS };
enum { LEVY_BRIDGE_DOUBLE, LEVY_BRIDGE_SINGLE };

/* A zero member means the default. The bridge keeps no pointer to the caller's arrays. */
typedef struct levy_bridge_spec {
    size_t struct_size;    /* sizeof(levy_bridge_spec) */
    const double *times;   /* [n_steps + 1]: t0, then the points; ascending, any spacing */
    const uint32_t *order; /* [n_steps]: a permutation of 1 to n_steps; NULL: bisection */
    /* [n_dimensions * n_dimensions], row-major: C, of any rank; NULL: the unit matrix */
    const double *factor;
    const double *start;   /* [n_dimensions]: X(t0); NULL: zeros */
    uint32_t n_steps;      /* 1 to 1,048,576 */
    uint32_t n_dimensions; /* 1 (default) to 64 */
    /* LEVY_BRIDGE_PATHS (default), or LEVY_BRIDGE_INCREMENTS: scaled as above */
    int output;
    /* of normals and output: LEVY_BRIDGE_DOUBLE (default), LEVY_BRIDGE_SINGLE */
    int precision;
    /* "cpu" (default), "cuda", "cuda:N", or "auto": levy_bridge_info then says which it took */
    const char *device;
    const char *isa;     /* CPU: as in levy_price_options */
    uint32_t threads;    /* CPU: 0: one per processor that the process may use */
    int no_kernel_cache; /* CUDA: 1: neither read nor write the disk cache */
} levy_bridge_spec;

/* LEVY_STATUS_ARGUMENT: the specification is invalid. LEVY_STATUS_DEVICE: the device cannot be
 * used. The context's diagnostics say why. A bridge is independent of its context: another thread
 * may use it, one call at a time, and it may outlive the context (a caller's allocator must then
 * live as long). The first use of a shape on a GPU compiles a kernel (about a second; then
 * cached). */
LEVY_API int levy_bridge_create(levy_context *context, const levy_bridge_spec *spec,
                                levy_bridge **bridge);

/* Makes n_paths paths. normals, output: host pointers (cpu), or device pointers (cuda) of the
 * device's primary context, which is the one that the CUDA runtime uses. They must not overlap.
 * stride: numbers from row to row; 0: n_paths. Numbers between n_paths and stride are neither read
 * nor written. A GPU is fastest if every row starts at a multiple of 16 bytes, that is if pointers
 * and stride are such multiples. stream: a CUstream or cudaStream_t; NULL: the default stream. A
 * GPU call returns as soon as the work is queued; a CPU ignores the stream and returns when the
 * work is done. LEVY_STATUS_ARGUMENT: a NULL, an overlap, a pointer that is not aligned for its
 * numbers, a stride below n_paths, or sizes that exceed any memory. */
LEVY_API int levy_bridge_generate(levy_bridge *bridge, const void *normals, void *output,
                                  size_t n_paths, size_t stride, void *stream);

/* The program that a bridge runs, and where it runs. Instruction k of n_steps builds point
 * `points[k]` from normals `normals[k]` with the weights of row k:
 * X = w[0] X(l) + w[1] X(r) + w[2] C z. */
typedef struct levy_bridge_facts {
    uint32_t n_steps, n_dimensions;
    /* most points kept at a time, not counting the three in registers (GPU) */
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
/* The facts live as long as the bridge. */
LEVY_API const levy_bridge_facts *levy_bridge_info(const levy_bridge *bridge);
/* Writes the instructions in words, a line each. */
LEVY_API int levy_bridge_dump(const levy_bridge *bridge, levy_writer write, void *user);

/* NULL is legal. Does not wait for queued work: synchronise the stream first. */
LEVY_API void levy_bridge_destroy(levy_bridge *bridge);

/* Common build orders; order: [n_steps]. Bisection: the end, then midpoints, level by level.
 * Forward: each point from the one before. First: the given points (from 1; those that matter
 * most), the end, then midpoints of the gaps; LEVY_STATUS_ARGUMENT if a point is out of range or
 * given twice. */
LEVY_API int levy_bridge_order_bisection(uint32_t n_steps, uint32_t *order);
/* Each point from the one before. */
LEVY_API int levy_bridge_order_forward(uint32_t n_steps, uint32_t *order);
/* The given points first. */
LEVY_API int levy_bridge_order_first(uint32_t n_steps, const uint32_t *points, uint32_t n_points,
                                     uint32_t *order);

/* ---- Random points: words, uniforms and normals ---------------------------------------------- */

/* The numbers that `levy price` draws, as arrays: on the CPU or on a GPU, for any range of points
 * and of dimensions, by replicate. Normals in the layout that levy_bridge_generate reads:
 *
 *     levy_normals_spec spec = {
 *         .struct_size = sizeof spec, .n_dimensions = 64, .seed = 7, .device = "cuda"};
 *     levy_normals_create(context, &spec, &normals);
 *     levy_normals_generate(normals, 0, 1 << 20, output, 0, stream);    any number of times
 *     levy_normals_destroy(normals);
 *
 * Layout of the output: [dimension][point], the point's index fastest; number (d, p) lies at
 * d * stride + p. Every number is a function of the generator, the seed, the replicate, the
 * dimension and the point: calls may split the points in any way, on any number of threads.
 *
 *     word       32 bits u
 *     uniform    (u + 1/2) 2^-32; in single precision rounded, so that 1 is possible
 *     normal     the inverse normal distribution of that uniform, |z| <= 6.34
 *
 * Words, uniforms and, in double precision, normals have the same bits on every processor and GPU.
 * Normals in single precision differ between a CPU and a GPU by a few units in the last place.
 *
 * The words are those of others, so that they can be checked:
 *     Sobol       cuRAND's CURAND_RNG_QUASI_SOBOL32: point p is its number p of each dimension
 *     scrambled   the same under a random linear scramble and a digital shift (Matousek 1998),
 *                 which are functions of seed, replicate and dimension
 *     philox      word (d, p) is that of curand_init(key, p, d) of Philox4_32_10; levy_normals_info
 *                 gives the key, a function of seed and replicate
 *     mrg32k3a    word (d, p) is that of curand_init(seed, replicate, p * n_dimensions + d)
 *
 * The last three generators are cuRAND's own, where its library is installed: on a CPU its host
 * generators make their words, on a GPU its device generators the same ones, and levy the numbers.
 * Of the scrambled points each replicate has a digital shift; mrg32k3a is seeded by seed and
 * replicate, and points in blocks of 4,096 take its next words, [dimension][point]; to go back in
 * it takes a CPU about a second. On a GPU a call waits for the last one where that had another
 * stream, and no CUDA graph captures it.
 */
typedef struct levy_normals levy_normals;

enum {
    LEVY_NORMALS_SOBOL_SCRAMBLED,
    LEVY_NORMALS_SOBOL, /* has no replicates: seed and replicate are not used */
    LEVY_NORMALS_PHILOX,
    LEVY_NORMALS_MRG32K3A,
    LEVY_NORMALS_NET,
    LEVY_NORMALS_CURAND_SOBOL,
    LEVY_NORMALS_CURAND_SCRAMBLED_SOBOL,
    LEVY_NORMALS_CURAND_MRG32K3A
};
enum { LEVY_NORMALS_NORMAL, LEVY_NORMALS_UNIFORM, LEVY_NORMALS_WORD };
enum { LEVY_NORMALS_DOUBLE, LEVY_NORMALS_SINGLE };

/* A digital net in base 2. Its generating matrices take the place of Sobol's direction numbers, so
 * Joe and Kuo's file gives the words of the Sobol generators. LEVY_NET_SCRAMBLED: a random linear
 * scramble and a digital shift; LEVY_NET_SHIFTED: the shift alone; LEVY_NET_PLAIN: the net's own
 * points, without replicates. */
enum { LEVY_NET_SCRAMBLED, LEVY_NET_SHIFTED, LEVY_NET_PLAIN };

/* Either file or columns is given. Neither is kept. */
typedef struct levy_net_spec {
    size_t struct_size; /* sizeof(levy_net_spec) */
    const char *file;   /* in one of the forms of docs/guide.md, at most 1 GiB */
    /* [n_dimensions][n_columns]: the columns of the matrices, the first digit at the top bit */
    const uint32_t *columns;
    uint32_t n_dimensions; /* with columns: 1 to 65,536 */
    uint32_t n_columns;    /* with columns: 1 to 32. The net has 2^n_columns points */
    int scrambling;        /* LEVY_NET_SCRAMBLED (default), ... */
} levy_net_spec;

/* A zero member means the default. */
typedef struct levy_normals_spec {
    size_t struct_size; /* sizeof(levy_normals_spec) */
    int generator;      /* LEVY_NORMALS_SOBOL_SCRAMBLED (default), ... */
    /* LEVY_NORMALS_NORMAL (default), LEVY_NORMALS_UNIFORM: double or float by `precision`;
       LEVY_NORMALS_WORD: uint32_t */
    int output;
    int precision; /* LEVY_NORMALS_DOUBLE (default), LEVY_NORMALS_SINGLE */
    /* of a point: 1 to 21,201 (Sobol), to those of the net, to 20,000 (Sobol of cuRAND), to
       1,048,576 (others) */
    uint32_t n_dimensions;
    uint32_t first_dimension; /* of those that are made */
    uint32_t count;           /* of them; 0: all from first_dimension on */
    uint32_t replicate;       /* below 4,294,967,295 */
    uint64_t seed;
    const char *device;       /* as in levy_bridge_spec */
    const char *isa;          /* CPU: as in levy_price_options */
    uint32_t threads;         /* CPU: 0: one per processor that the process may use */
    int no_kernel_cache;      /* CUDA: 1: neither read nor write the disk cache */
    const levy_net_spec *net; /* with LEVY_NORMALS_NET, and only then */
} levy_normals_spec;

/* LEVY_STATUS_ARGUMENT: the specification is invalid. LEVY_STATUS_DEVICE: the device cannot be
 * used. The context's diagnostics say why. Like a bridge, normals are independent of their context:
 * another thread may use them, one call at a time. The first use of a generator on a GPU compiles a
 * kernel (about a second; then cached). */
LEVY_API int levy_normals_create(levy_context *context, const levy_normals_spec *spec,
                                 levy_normals **normals);
/* Makes the points first to first + n_points - 1. output: a host pointer (cpu), or a device pointer
 * (cuda), for rows of `stride` numbers (0: n_points), one of each dimension that is made. Numbers
 * between n_points and stride are not written. Stream and return are those of
 * levy_bridge_generate; a CUDA graph may capture the call. A GPU is fastest if every row starts at
 * a multiple of 16 bytes and `first` is a multiple of 4. LEVY_STATUS_DEVICE: cuRAND failed.
 * LEVY_STATUS_ARGUMENT: a NULL, a pointer
 * that is not aligned for its numbers, a stride below n_points, sizes that exceed any memory, or
 * points past 2^32 (Sobol), those of the net, or 2^56 (others; levy_normals_facts). */
LEVY_API int levy_normals_generate(levy_normals *normals, uint64_t first, size_t n_points,
                                   void *output, size_t stride, void *stream);

/* Where the numbers are made, and by what. */
typedef struct levy_normals_facts {
    const char *generator, *backend, *device, *device_reason, *isa, *kernel;
    uint64_t key;   /* philox */
    uint32_t count; /* dimensions that are made */
    uint32_t number_bytes;
    uint32_t threads;                                   /* CPU */
    uint32_t threads_per_block, points_per_thread;      /* CUDA */
    int registers, spilled_bytes, blocks_per_processor; /* CUDA: of the kernel; -1: not known */
    uint64_t most_points; /* that a replicate has: 2^32 (Sobol), those of the net, 2^56 (others) */
} levy_normals_facts;
/* The facts live as long as the normals. */
LEVY_API const levy_normals_facts *levy_normals_info(const levy_normals *normals);

/* NULL is legal. Does not wait for queued work: synchronise the stream first. */
LEVY_API void levy_normals_destroy(levy_normals *normals);

/* ---- Paths from a generator ------------------------------------------------------------------ */

/* What levy_bridge_generate makes of the normals of levy_normals_generate, in one pass over memory:
 * drivers, log returns or spots, for exposures, scenarios and simulations of the caller's own.
 *
 *     levy_paths_spec spec = {.struct_size = sizeof spec, .bridge = &bridge_spec, .seed = 7};
 *     levy_paths_create(context, &spec, &paths);
 *     levy_paths_generate(paths, 0, 1 << 20, output, 0, stream);     any number of times
 *     levy_paths_destroy(paths);
 *
 * Number (i, d, p) of the output is X of the bridge at point i + 1 and dimension d, for point p of
 * the generator, whose dimension i * n_dimensions + d is the bridge's normal (i, d). `drift` is
 * added to it; `exponential` writes the exponential of that. So with start = log S(0), factor = the
 * volatilities times the root of the correlations, and drift = (r - q - variance / 2) (t - t0), the
 * output is the spots of a Black-Scholes market.
 *
 * Layout, bits, splits and streams are those of levy_normals_generate; in double precision the
 * output has the same bits everywhere. A GPU makes paths of up to 8 dimensions; for more, chain
 * levy_normals_* and levy_bridge_*. */
typedef struct levy_paths levy_paths;

/* A zero member means the default. */
typedef struct levy_paths_spec {
    size_t struct_size;             /* sizeof(levy_paths_spec) */
    const levy_bridge_spec *bridge; /* also device, instruction set, threads and kernel cache */
    /* [n_steps * n_dimensions], finite; NULL: zeros. Not with LEVY_BRIDGE_INCREMENTS */
    const double *drift;
    int exponential;    /* 1: exponentials. Not with LEVY_BRIDGE_INCREMENTS */
    int generator;      /* LEVY_NORMALS_SOBOL_SCRAMBLED (default), ... */
    uint32_t replicate; /* as in levy_normals_spec */
    uint64_t seed;
    const levy_net_spec *net; /* as in levy_normals_spec */
} levy_paths_spec;

/* As levy_normals_create. LEVY_STATUS_UNSUPPORTED: a GPU cannot, but a CPU can. */
LEVY_API int levy_paths_create(levy_context *context, const levy_paths_spec *spec,
                               levy_paths **paths);
/* Makes the paths first to first + n_paths - 1. All else is as in levy_normals_generate. */
LEVY_API int levy_paths_generate(levy_paths *paths, uint64_t first, size_t n_paths, void *output,
                                 size_t stride, void *stream);
/* `count` is n_steps * n_dimensions. The facts live as long as the paths. */
LEVY_API const levy_normals_facts *levy_paths_info(const levy_paths *paths);
/* NULL is legal. Does not wait for queued work: synchronise the stream first. */
LEVY_API void levy_paths_destroy(levy_paths *paths);

/* ---- Weighted sampling: one of many items, by weight ----------------------------------------- */

/* An alias table, which draws in constant time, and the monotone inverse of the same distribution,
 * for quasi-random points: a larger u never gives a smaller item. On the CPU or on a GPU:
 *
 *     levy_sampler_spec spec = {
 *         .struct_size = sizeof spec, .weights = weights, .count = n, .device = "cuda"};
 *     levy_sampler_create(context, &spec, &sampler);
 *     levy_sampler_draw(sampler, seed, 0, 1 << 20, items, stream);    any number of times
 *     levy_sampler_destroy(sampler);
 *
 * Every item is drawn in proportion to its weight, to rounding; an item of weight 0 is never drawn.
 * Draw k of a seed is a function of the weights, the seed and k alone: calls may split the draws in
 * any way, on any number of threads. It has the same bits on every processor and GPU. Its words are
 * the first two of curand_init(seed, 0, 4 k) of Philox4_32_10. */
typedef struct levy_sampler levy_sampler;

/* A zero member means the default. */
typedef struct levy_sampler_spec {
    size_t struct_size;    /* sizeof(levy_sampler_spec) */
    const double *weights; /* [count], of the host, or see weights_on_device; not kept */
    size_t count;          /* of items: 1 to 4,294,967,295 */
    const char *device;    /* as in levy_bridge_spec */
    const char *isa;       /* CPU: as in levy_price_options */
    uint32_t threads;      /* 0: one per processor that the process may use */
    int no_kernel_cache;   /* CUDA: 1: neither read nor write the disk cache */
    void *weights_stream;  /* with weights_on_device: the stream after whose work they are there */
    int weights_on_device; /* CUDA: 1: `weights` is a pointer of the GPU */
} levy_sampler_spec;

/* Builds the table on the CPU and, for a GPU, copies it there: 28 to 32 bytes an item. Weights on
 * the GPU are copied to the host first, once the work on weights_stream is done: the call waits for
 * that, and the items are those of the same weights on the host.
 * LEVY_STATUS_ARGUMENT: the specification is invalid, `weights` is not aligned for its numbers, a
 * weight is negative, infinite or NaN, or all are zero; LEVY_STATUS_DEVICE: the device cannot be
 * used. The context's diagnostics name the first fault. Like normals, a sampler is independent of
 * its context: another thread may use it, one call at a time. The first use of a GPU compiles a
 * kernel (about a second; then cached). */
LEVY_API int levy_sampler_create(levy_context *context, const levy_sampler_spec *spec,
                                 levy_sampler **sampler);

/* The three calls below take host pointers (cpu) or device pointers (cuda). Stream and return are
 * those of levy_bridge_generate: on a GPU the work is queued, nothing waits, and a CUDA graph may
 * capture the call, with the pointers, the seed and the range of draws as they are then; creating
 * and destroying a sampler may not be captured. LEVY_STATUS_ARGUMENT: a NULL, a pointer that is not
 * aligned for its numbers, or a count that exceeds any memory. */

/* items[k] becomes draw first + k of the seed, for k below `count`. Numbers of draws run from 0 to
 * 2^64 - 1 and start again. */
LEVY_API int levy_sampler_draw(levy_sampler *sampler, uint64_t seed, uint64_t first, size_t count,
                               uint32_t *items, void *stream);
/* items[k] becomes the item of u[k], which lies in [0, 1). LEVY_STATUS_ARGUMENT on a CPU: some u[k]
 * does not; nothing is written. A GPU cannot tell: there a NaN and what is below 0 count as 0, and
 * 1 or more as the largest number below 1. `items` must not overlap `u`. */
LEVY_API int levy_sampler_invert(levy_sampler *sampler, const double *u, size_t count,
                                 uint32_t *items, void *stream);
/* Adds to counts[i], for each item i, how many of the draws first to first + count - 1 give it,
 * modulo 2^32. counts: one for each weight. */
LEVY_API int levy_sampler_counts(levy_sampler *sampler, uint64_t seed, uint64_t first, size_t count,
                                 uint32_t *counts, void *stream);

/* Where the items are drawn, and by what. */
typedef struct levy_sampler_facts {
    const char *backend, *device, *device_reason, *isa, *kernel;
    uint64_t count;                               /* of items */
    uint64_t table_bytes;                         /* in the device's memory */
    uint32_t threads;                             /* CPU */
    uint32_t threads_per_block, draws_per_thread; /* CUDA */
    int registers, spilled_bytes,
        blocks_per_processor; /* CUDA: of a draw's kernel; -1: not known */
} levy_sampler_facts;
/* The facts live as long as the sampler. */
LEVY_API const levy_sampler_facts *levy_sampler_info(const levy_sampler *sampler);

/* NULL is legal. Does not wait for queued work: synchronise the stream first. */
LEVY_API void levy_sampler_destroy(levy_sampler *sampler);

/* ---- Draws from each of many distributions --------------------------------------------------- */

/* For distributions that differ from path to path. Path p gives item k the weight
 * theta[p][k] * phi[states[p]][k]; each of its draws has a 32-bit word that selects an item. A
 * larger word never gives a smaller item, so quasi-random words keep their order. An item of weight
 * 0 is never drawn. An item depends on its own path's weights and its own word alone. The order of
 * addition is fixed (kernels/samplers/butterfly/butterfly.h), so any number of threads and every
 * GPU give the same items, in double and in single precision.
 *
 *     levy_draw_spec spec = {.struct_size = sizeof spec, .theta = theta, .phi = phi,
 *                            .n_paths = n, .n_items = k, .seed = 7, .device = "cuda"};
 *     levy_draw_each(context, &spec, items, stream);
 *
 * The words are the caller's, or, where `words` is NULL, those of Philox4_32_10: draw d of path p
 * takes draw first_draw + d of curand_init(seed, first_path + p, 0). Calls may then split paths and
 * draws in any way. */
typedef struct levy_draw_spec {
    size_t struct_size; /* sizeof(levy_draw_spec) */
    const void *theta;  /* [n_paths][theta_stride], double or float */
    const void *phi;    /* [n_states][phi_stride], of the same type */
    /* [n_paths]; NULL: all 0. A state of n_states or more counts as the last one */
    const uint32_t *states;
    const uint32_t *words; /* [n_paths][n_draws], uniform on 0 to 2^32 - 1; NULL: made of `seed` */
    size_t n_paths;
    size_t theta_stride, phi_stride; /* numbers from row to row; 0: n_items */
    uint32_t n_items;                /* 1 to 8,192 */
    uint32_t n_states;               /* 0: 1 */
    int precision;                   /* of theta and phi, as in levy_bridge_spec */
    int check;        /* CPU: 1: check all weights and states first. A GPU refuses it */
    uint32_t threads; /* CPU: 0: one per processor that the process may use */
    /* "cpu" (NULL), "cuda" or "cuda:N": where it is drawn, and where all arrays of this struct and
     * the items lie */
    const char *device;
    /* [1]; NULL: not wanted. Is lowered to first_path + p, for the lowest path p of the call whose
     * weights are all 0 or have a sum that is no positive finite number (a NaN, an overflow). Set
     * it to UINT64_MAX first. Several calls may share it, also on one GPU */
    uint64_t *fault;
    uint64_t seed, first_path, first_draw; /* of the words, where `words` is NULL */
    uint32_t n_draws;                      /* of each path; 0: 1 */
    int no_kernel_cache;                   /* CUDA: 1: neither read nor write the disk cache */
} levy_draw_spec;

/* items: [n_paths][n_draws]; no other array may overlap it. Without `check` a path that has a fault
 * gets some item below n_items in all its draws: item 0 if the sum of its weights is no positive
 * finite number. LEVY_STATUS_ARGUMENT: the specification is invalid, a pointer is not aligned for
 * its numbers or, with `check`, a weight is negative, infinite or NaN, a path's weights are all 0
 * or their sum overflows, or a state does not exist; the diagnostics then name it, and nothing is
 * drawn. LEVY_STATUS_UNSUPPORTED: on a GPU, `check`, which would have to wait for it (see `fault`),
 * or rows 2^29 or more numbers apart. LEVY_STATUS_DEVICE: the device cannot be used.
 *
 * On a GPU the work is queued on `stream`, as by levy_bridge_generate: nothing waits. The context
 * keeps the device and its kernels from call to call, until it is destroyed or a call asks for
 * another device, number of threads or kernel cache: synchronise the stream before that. The first
 * call of a precision loads its kernels and compiles them if they are not cached (some seconds),
 * and may not be captured into a CUDA graph. Later calls may, with the pointers and numbers as they
 * are then. */
LEVY_API int levy_draw_each(levy_context *context, const levy_draw_spec *spec, uint32_t *items,
                            void *stream);

/* ---- Distributions: arrays of deviates ------------------------------------------------------- */

/* Fills arrays with deviates of a distribution, on the CPU by SIMD and threads, or on a GPU:
 *
 *     levy_distribution_spec spec = {.struct_size = sizeof spec, .law = LEVY_LAW_GAMMA,
 *                                    .parameters = {2.5, 1.0}, .device = "cuda"};
 *     levy_distribution_create(context, &spec, &gamma);
 *     levy_distribution_draw(gamma, seed, 0, 0, 1 << 20, NULL, output, stream);
 *     levy_distribution_destroy(gamma);
 *
 * A distribution serves any number of calls. levy_distribution_draw gives pseudo-random deviates:
 * exponential and normal by inversion, gamma by Marsaglia and Tsang, Poisson by inversion up to a
 * mean of 64 and by Atkinson's envelope above, non-central chi-square by its parts, the laws by
 * table by inversion. levy_distribution_invert gives the quantiles at (word + 1/2) 2^-32, for
 * quasi-random points: monotone in the word, in single precision but for rounding (neighbouring
 * words may step back by 1e-4 at most). Samplers, draws and distributions that share a seed share
 * random numbers: give each a seed of its own, or draws of one law substreams. In double precision
 * every processor, any number of threads and every GPU give the same bits; in single precision
 * every processor does, and a GPU differs by rounding.
 *
 * Parameters are numbers of the specification, or arrays that each call brings: a law whose
 * parameters follow a path has other ones at each step, while its kernel stays. */
typedef struct levy_distribution levy_distribution;

enum {
    LEVY_LAW_EXPONENTIAL, /* mean > 0 */
    LEVY_LAW_NORMAL,      /* mean, deviation >= 0 */
    /* alpha in [1e-6, 1e12], scale > 0 (single: both to 1e6, and quantiles are good from alpha =
     * 0.01 on) */
    LEVY_LAW_GAMMA,
    /* mean in [0, 1e9] (single: to 1e6); counts are uint32_t, whatever the precision. In single a
     * mean up to 64 loses the last millionth of the upper tail. */
    LEVY_LAW_POISSON,
    /* degrees of freedom in [1e-6, 1e9], non-centrality in [0, 1e6] (single: both to 1e4) */
    LEVY_LAW_NONCENTRAL_CHI_SQUARE,
    /* By tables of quantiles that levy_distribution_create makes (some milliseconds, 10 to 20 KiB),
     * with one word for a draw: off by at most 1e-10 (single: 2e-6) of the deviate and 1/64 of the
     * mean (beta: and 1/64). Their parameters are numbers, in single precision at most 1e6. */
    LEVY_LAW_GAMMA_TABLE, /* alpha in [0.01, 1e4], scale > 0 */
    LEVY_LAW_BETA,        /* alpha and beta, both in [0.1, 1e4] */
    /* mean > 0, and the shape in units of the mean, in [0.01, 1e4]: variance mean^2 / shape */
    LEVY_LAW_INVERSE_GAUSSIAN
};
enum { LEVY_DISTRIBUTION_DOUBLE, LEVY_DISTRIBUTION_SINGLE };

/* A zero member means the default. */
typedef struct levy_distribution_spec {
    size_t struct_size;   /* sizeof(levy_distribution_spec) */
    int law;              /* LEVY_LAW_... */
    int precision;        /* of the output and of arrays of parameters */
    double parameters[2]; /* as listed at the law; at most 1e300 (single: 1e30) in size */
    const char *isa;      /* CPU: as in levy_price_options */
    uint32_t threads;     /* CPU: 0: one per processor that the process may use */
    const char *device;   /* as in levy_bridge_spec */
    int no_kernel_cache;  /* CUDA: 1: neither read nor write the disk cache */
    /* 1, 2 or 3: calls bring an array of the first parameter, the second or both, and their places
     * in `parameters` are not read */
    uint32_t per_deviate;
} levy_distribution_spec;

/* LEVY_STATUS_ARGUMENT: the specification is invalid, or a parameter is NaN, infinite or outside
 * its range; LEVY_STATUS_DEVICE: the device cannot be used. The context's diagnostics say why. Like
 * normals, a distribution is independent of its context: another thread may use it, one call at a
 * time. The first use of a law on a GPU compiles its kernels (a few seconds; then cached). */
LEVY_API int levy_distribution_create(levy_context *context, const levy_distribution_spec *spec,
                                      levy_distribution **distribution);

/* The two calls below take host pointers (cpu) or device pointers (cuda). output: [count], double,
 * float or uint32_t. parameters: one array of `count` doubles or floats for each parameter that is
 * per_deviate, NULL for the others, or NULL if there is none; deviate k takes element k. Output and
 * inputs must not overlap. Stream and return are those of levy_bridge_generate: on a GPU the work
 * is queued, nothing waits, and a CUDA graph may capture the call, with its pointers and numbers as
 * they are then; creating and destroying a distribution may not be captured.
 *
 * LEVY_STATUS_ARGUMENT: a NULL, an array that is missing or was not announced, a pointer that is
 * not aligned for its numbers, or a count that exceeds any memory; on a CPU also an element of an
 * array that is NaN or outside its parameter's range, and nothing is written. A GPU cannot tell:
 * such an element there makes its deviate NaN, a count UINT32_MAX, and no other. (In single
 * precision a GPU takes numbers below 1.2e-38 for 0.) */

/* Makes the draws `first` to first + count - 1 of a seed and a substream (below 2^32 / 3). Deviate
 * k depends only on the law, its parameters, the seed, the substream and first + k, which is below
 * 2^64. */
LEVY_API int levy_distribution_draw(levy_distribution *distribution, uint64_t seed,
                                    uint32_t substream, uint64_t first, size_t count,
                                    const void *const parameters[2], void *output, void *stream);
/* words: [count], of which output[k] becomes the quantile. */
LEVY_API int levy_distribution_invert(levy_distribution *distribution, const uint32_t *words,
                                      size_t count, const void *const parameters[2], void *output,
                                      void *stream);

/* Where the deviates are made, and by what. */
typedef struct levy_distribution_facts {
    const char *backend, *device, *device_reason, *isa, *kernel;
    uint64_t table_bytes;       /* in the device's memory; 0: the law has no table */
    uint32_t threads;           /* CPU */
    uint32_t threads_per_block; /* CUDA */
    int registers, spilled_bytes,
        blocks_per_processor; /* CUDA: of a draw's kernel; -1: not known */
} levy_distribution_facts;
/* The facts live as long as the distribution. */
LEVY_API const levy_distribution_facts *levy_distribution_info(const levy_distribution *made);

/* NULL is legal. Does not wait for queued work: synchronise the stream first. */
LEVY_API void levy_distribution_destroy(levy_distribution *distribution);

#ifdef __cplusplus
}
#endif
#endif
