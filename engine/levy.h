/* levy.h: the one public header of liblevy, and its manual.
 *
 * levy prices options by Monte Carlo, on the CPU (always) or on an NVIDIA GPU (when its module, a driver and a GPU are
 * found), with the same bits in double precision. Inputs are YAML texts (see `levy schema`); results are prices with
 * honest standard errors. The library never prints, never exits, installs no signal handler and reads no locale.
 *
 *     levy_context *context;  levy_book *book;  levy_results *results;
 *     levy_context_create(NULL, &context);
 *     if (levy_book_load_files(context, (const char *[]){"book.yaml"}, 1, NULL, 0, &book) == LEVY_STATUS_OK
 *         && levy_price(book, NULL, &results) == LEVY_STATUS_OK)
 *         printf("%.6f\n", levy_results_trade(results, 0)->price);
 *
 * Threads: one context per thread, or the caller's own lock around it. Two contexts never interact. Since 0.1.0. */
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

/* ---- Status ------------------------------------------------------------------------------------------------------ */

/* Every fallible function returns one of these. 0 is success, negative is failure. */
enum {
    LEVY_STATUS_OK = 0,
    LEVY_STATUS_ARGUMENT = -1,    /* an argument is outside its contract */
    LEVY_STATUS_INPUT = -2,       /* the input was rejected: see the diagnostics */
    LEVY_STATUS_UNSUPPORTED = -3,
    LEVY_STATUS_MEMORY = -4,
    LEVY_STATUS_DEVICE = -5,      /* no usable device, or it was lost */
    LEVY_STATUS_TOLERANCE = -6,
    LEVY_STATUS_IO = -7,
    LEVY_STATUS_CANCELLED = -8,
    LEVY_STATUS_NUMERIC = -9,
    LEVY_STATUS_INTERNAL = -10
};

LEVY_API const char *levy_version(void);                /* "0.1.0 (contract 1)" */
LEVY_API const char *levy_status_message(int status);   /* a sentence, never NULL */
LEVY_API int levy_status_exit_code(int status);         /* what the command line exits with */

/* ---- Context ----------------------------------------------------------------------------------------------------- */

typedef struct levy_context levy_context;

/* struct_size = sizeof(levy_context_options) lets later versions add members. NULL or zero members mean the default. */
typedef struct levy_context_options {
    size_t struct_size;
    void *(*allocate)(void *user, size_t size); /* all three, or none */
    void *(*reallocate)(void *user, void *pointer, size_t size);
    void (*release)(void *user, void *pointer);
    void *allocator_user;
    const char *module_dir; /* where liblevy-cuda.so is looked for first */
} levy_context_options;

LEVY_API int levy_context_create(const levy_context_options *options, levy_context **context);
LEVY_API void levy_context_destroy(levy_context *context); /* NULL is fine; destroy books and results first */

/* Diagnostics of the last call on this context, sorted by place. Pointers live until the next call. */
typedef struct levy_diagnostic {
    int severity;        /* 0 error, 1 warning, 2 note */
    const char *reason;  /* one of a closed list: "unknown_key", "range", ... */
    const char *file;    /* NULL: none */
    uint32_t line, column; /* from 1; 0: unknown */
    const char *path;    /* "trades[0].payoff.strike" */
    const char *message;
    const char *hint;    /* NULL: none */
    const char *text;    /* the whole line: "file:line:column: error: path: message" */
    int64_t trade;       /* index in the book, -1: none */
} levy_diagnostic;

LEVY_API size_t levy_diagnostic_count(const levy_context *context);
LEVY_API const levy_diagnostic *levy_diagnostic_get(const levy_context *context, size_t index); /* NULL past the end */

/* ---- Books: trades, market and simulation settings, read and checked --------------------------------------------- */

typedef struct levy_book levy_book;

typedef struct levy_setting { const char *key, *value; } levy_setting; /* {"simulation.paths", "2^20"} */

/* One input: a text with the name that messages give it, or (text NULL) the regular file of that name. `folder` is where
 * the relative market references of a text start from; NULL refuses them. A file's own folder is used for a file. */
typedef struct levy_source { const char *name, *text; size_t length; const char *folder; } levy_source;

/* Returns OK when at least one trade can be priced (diagnostics may still hold faults of single trades), INPUT when
 * nothing can be (a file that cannot be read too). `settings` override keys under `simulation`,
 * and `measures` ("price,delta"). A book keeps nothing of
 * the caller's texts. All sources form one book, in the order given. */
LEVY_API int levy_book_load(levy_context *context, const levy_source *sources, size_t n_sources,
                            const levy_setting *settings, size_t n_settings, levy_book **book);
LEVY_API int levy_book_load_files(levy_context *context, const char *const *paths, size_t n_paths,
                                  const levy_setting *settings, size_t n_settings, levy_book **book);
LEVY_API int levy_book_load_text(levy_context *context, const char *name, const char *text, size_t length,
                                 const levy_setting *settings, size_t n_settings, levy_book **book);
LEVY_API void levy_book_destroy(levy_book *book);
LEVY_API size_t levy_book_size(const levy_book *book); /* trades, failed ones included */

/* ---- Pricing ----------------------------------------------------------------------------------------------------- */

typedef struct levy_results levy_results;

typedef struct levy_progress { uint64_t done, total; double seconds; } levy_progress; /* blocks of 4,096 paths */

typedef struct levy_price_options {
    size_t struct_size;
    const char *device;     /* "auto" (default), "cpu", "cuda", "cuda:N" */
    const char *isa;        /* "auto" (default), "baseline", "avx2", "avx512", "neon" */
    uint32_t threads;       /* 0: one per processor the process may use */
    uint64_t batch_blocks;  /* blocks per batch, 0: chosen; never changes a result */
    int no_kernel_cache;    /* CUDA: neither read nor write the disk cache */
    int (*progress)(void *user, const levy_progress *progress); /* called at least every 50 ms of work; nonzero cancels */
    void *user;
} levy_price_options;

/* One measure of a trade. factor is "" for price, "SPX.spot" for delta, "SPX.volatility" for vega. */
typedef struct levy_measure {
    const char *measure, *factor;
    double value, std_error; /* std_error NaN: none can be given */
    int flagged;             /* 1: a bump across a discontinuity, noisy */
} levy_measure;

/* Signed present value of the position, and its 95 % (or as set) interval. NaN members print as null. */
typedef struct levy_trade_result {
    const char *id;
    const char *status;      /* "ok", "failed" */
    const char *reason;      /* "none", or why it failed */
    const char *message;     /* NULL, or the first fault's text */
    const char *currency, *payoff, *model;
    double maturity;         /* years */
    double price, std_error, ci_low, ci_high, confidence, unit_price;
    const char *interval;    /* "student_t", "normal", "unreliable", "none" */
    uint64_t paths, replicates, seed;
    uint32_t dimensions;
    const char *generator, *construction, *precision;
    const char *reproducibility; /* "R3" or "R2" */
    const char *backend;     /* "cpu", "cuda" */
    const char *device;      /* its name */
    uint32_t group;
    uint64_t plan_hash;      /* of the group's numeric plan */
    double seconds;          /* simulation time of the trade's group */
    double floor_probability; /* cash dividends: share of paths on which the spot was floored at 0; NaN: none */
    size_t n_measures;
    const levy_measure *measures;
} levy_trade_result;

typedef struct levy_run_info {
    const char *version, *backend, *device, *device_reason, *isa;
    uint32_t contract, threads;
    uint64_t fingerprint;    /* of the input */
    size_t groups, priced, failed;
    double seconds;          /* wall time of levy_price */
    int interrupted;         /* the progress callback cancelled; what was done is in the results */
} levy_run_info;

/* LEVY_STATUS_OK: all done (single trades may have failed); CANCELLED: *results holds what was done. */
LEVY_API int levy_price(levy_book *book, const levy_price_options *options, levy_results **results);
LEVY_API void levy_results_destroy(levy_results *results);
LEVY_API size_t levy_results_size(const levy_results *results);
LEVY_API const levy_trade_result *levy_results_trade(const levy_results *results, size_t index);
LEVY_API const levy_run_info *levy_results_run(const levy_results *results);

/* ---- Text: reports and what the engine says of itself ------------------------------------------------------------ */

/* Receives text; returns 0, or nonzero to stop (the call then returns LEVY_STATUS_IO). */
typedef int (*levy_writer)(void *user, const char *text, size_t length);

/* TABLE is for eyes and rounds to the error; the others carry every bit. JSONL: one trade a line. CSV (RFC 4180): one row
 * per trade and measure, price first. TABLE_COLOR: a table with terminal colours. */
enum { LEVY_FORMAT_TABLE, LEVY_FORMAT_CSV, LEVY_FORMAT_JSON, LEVY_FORMAT_JSONL, LEVY_FORMAT_TABLE_COLOR };
LEVY_API int levy_results_write(const levy_results *results, int format, levy_writer write, void *user);
LEVY_API int levy_book_explain(levy_book *book, const levy_price_options *options, levy_writer write, void *user);
LEVY_API int levy_describe(const char *topic, levy_writer write, void *user); /* NULL: the list of topics */
LEVY_API int levy_schema(levy_writer write, void *user);                      /* JSON Schema, draft-07 */
LEVY_API int levy_devices_write(levy_context *context, int format, levy_writer write, void *user);

/* Kernels: compiles what a book's plans need, for an architecture such as "sm_90", into the disk cache; no GPU needed.
 * `directory` NULL: the user's cache. */
LEVY_API int levy_kernels_build(levy_book *book, const char *architecture, const char *directory, levy_writer write, void *user);
LEVY_API int levy_kernels_list(levy_context *context, const char *directory, levy_writer write, void *user);
LEVY_API int levy_kernels_clear(levy_context *context, const char *directory, levy_writer write, void *user);

#ifdef __cplusplus
}
#endif
#endif
