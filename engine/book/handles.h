/* handles.h: the structs behind the public handles, shared by engine/api, engine/book and
 * engine/study. The public interface is thin: it turns handles into calls of the rooms, faults into
 * diagnostics, and block sums into results. Every entry that computes runs in the default
 * floating-point mode and restores the caller's. */
#ifndef LEVY_BOOK_HANDLES_H
#define LEVY_BOOK_HANDLES_H

#include "engine/base/error.h"
#include "engine/levy.h"
#include "engine/problem/problem.h"
#include "engine/run/backend.h"

#include <fenv.h>
#include <stdatomic.h>

/* The backend a call computes on. */
typedef struct levy_call_device {
    levy_context *context;
    levy_backend backend;
    void *state;
    levy_backend_info info;
    char reason[LEVY_REASON_SIZE + 64]; /* why this one: "auto: no CUDA module ...", "as asked" */
    bool fallen_back;                   /* a GPU that auto had chosen failed on the way */
    /* it worked: closing it leaves it open for the context's next call */
    bool keep;
    /* what the caller asked for; "": too long, and never kept */
    char name[16], isa[16];
    uint32_t threads;
    int no_kernel_cache;
    int64_t process; /* that opened it: a child of fork has neither its threads nor its GPU */
} levy_call_device;

struct levy_context {
    levy_memory memory;
    levy_memory planning; /* the same under a meter: of books, problems and plans */
    levy_meter meter;
    levy_call_device device; /* kept open from call to call; state NULL: none */
    levy_fault_list faults;  /* of the last call */
    levy_arena diagnostics_arena;
    levy_diagnostic *diagnostics; /* the faults, sorted, as the caller sees them */
    size_t n_diagnostics;
    char *module_dir; /* NULL: not given */
    bool allow_links, keep_texts;
};

struct levy_book {
    levy_context *context;
    levy_quotes *quotes;
    levy_problem *problem;      /* of the quotes as they were at the last levy_book_refresh */
    bool stale;                 /* quotes were set since */
    uint64_t generation;        /* counts problems */
    levy_arena arena;           /* what follows */
    const char **trade_reasons; /* [trade] of its first fault; NULL: none */
    const char **trade_messages;
    struct levy_plan_cache *plans; /* plan_cache.h; NULL: none yet */
    /* with keep_texts: what the book was read from; pointers of references to the quotes */
    levy_arena kept;
    levy_source *sources, *references;
    size_t n_sources, n_references;
};

/* Every call that reads book->problem comes here first: quotes that were set take effect, or the
 * faults that they make are added to the context's and LEVY_INPUT comes back. */
levy_status levy_book_refresh(levy_book *book);

/* Long planning asks `stop` from now on; NULL: no more. */
void levy_call_watch(levy_context *context, int (*stop)(void *user), void *user);

/* kept.c: copies what a book was read from, for levy_book_source. */
levy_status levy_book_keep(levy_book *book, const levy_input *inputs, size_t n_inputs);

/* Drops the last call's diagnostics and starts a new call. */
void levy_call_begin(levy_context *context);
/* Sorts the faults into diagnostics. Returns `status`, or LEVY_STATUS_MEMORY when the diagnostics
 * could not be made. */
int levy_call_end(levy_context *context, int status);

/* A call that cannot be made: its own diagnostic takes the place of the last call's. Returns
 * LEVY_STATUS_ARGUMENT, or LEVY_STATUS_MEMORY. `context` NULL: there is nobody to tell. */
int levy_call_refuse(levy_context *context, const char *argument, const char *why);

typedef struct levy_call_mode {
    fenv_t caller;
} levy_call_mode;
levy_call_mode levy_call_mode_enter(void);
void levy_call_mode_leave(const levy_call_mode *mode);

/* `options` are complete (levy_call_price_options). A fault says why not. LEVY_ARGUMENT: no such
 * device or instruction set; LEVY_DEVICE: it cannot be used. */
levy_status levy_call_device_open(levy_context *context, const levy_price_options *options,
                                  levy_call_device *device);
/* A backend's failure that says nothing of the work: the CPU may do it. */
bool levy_call_device_failed(levy_status status);
/* Whether auto chose a GPU, so that the CPU may take its place. */
bool levy_call_device_may_move(const levy_price_options *options, const levy_call_device *device);
/* Closes a GPU that auto had chosen and that failed with `status`, and opens the CPU; false: it was
 * not auto's, or the CPU fails too. A warning says so; where the failure is a mistake of levy's
 * own, one that no test may pass with. */
bool levy_call_device_fall_back(levy_context *context, const levy_price_options *options,
                                levy_call_device *device, levy_status status, const char *why);
/* The warning alone. */
void levy_call_device_warn(levy_context *context, levy_status status, const char *path,
                           const char *why);
/* How often a backend was misused in this process: tests fail where it is not 0
 * (tests/cmocka_all.h). */
extern atomic_uint levy_call_misuses;
void levy_call_device_close(levy_call_device *device);
void levy_call_device_drop(levy_context *context); /* closes the one kept */

/* The caller's options with defaults for what is absent; false: struct_size makes no sense. */
bool levy_call_price_options(const levy_price_options *given, levy_price_options *options);

/* Copies what the caller's struct has, by its struct_size; zero for the rest. False: struct_size
 * makes no sense. */
bool levy_call_copy_options(void *copy, size_t size, const void *options);

#endif
