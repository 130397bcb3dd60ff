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

enum { LEVY_BESIDE_MOST = 64 };

/* The backend a call computes on. */
typedef struct levy_call_device {
    levy_context *context;
    levy_backend backend;
    void *state;
    /* further states on the same device, for workers (workers.h); NULL: not open */
    void *beside[LEVY_BESIDE_MOST];
    levy_backend_info info;
    char reason[LEVY_REASON_SIZE + 64]; /* why this one: "auto: no GPU found", "as asked" */
    bool fallen_back;                   /* a GPU that auto had chosen failed during the run */
    bool spoiled; /* of several GPUs one has failed: the next call opens anew */
    /* it worked, so closing it leaves it open for the context's next call */
    bool keep;
    /* the device that the caller asked for; "": too long to store, so the device is not kept */
    char name[128], isa[16];
    uint32_t threads;
    int no_kernel_cache;
    uint64_t number; /* of the device among all that this process has opened; from 1 on */
    int64_t process; /* that opened it: its threads and GPU do not exist in a forked child */
} levy_call_device;

/* The floating-point mode that the caller had. */
typedef struct levy_call_mode {
    fenv_t caller;
} levy_call_mode;

struct levy_context {
    levy_memory memory;
    levy_memory planning; /* the same with a meter, for books, problems and plans */
    levy_meter meter;
    levy_call_device device; /* kept open from call to call; state NULL: none */
    levy_call_device cpu;    /* the same, of the CPU by its name */
    /* the costs of a GPU by which auto decides (choice.h); NULL: as measured */
    const struct levy_choice_costs *costs;
    struct levy_draws_kept *draws; /* what levy_draw_each keeps (engine/api/api_draws.c), or NULL */
    levy_call_mode mode;           /* during a call */
    levy_fault_list faults;        /* of the last call */
    levy_arena diagnostics_arena;
    levy_diagnostic *diagnostics; /* the faults, sorted, as the caller sees them */
    size_t n_diagnostics;
    char *module_dir; /* NULL: not given */
    char *kinds;      /* levy_context_options.kinds; NULL: not given */
    bool allow_links, keep_texts;
};

struct levy_book {
    levy_context *context;
    levy_quotes *quotes;
    levy_problem *problem;      /* of the quotes as they were at the last levy_book_refresh */
    bool stale;                 /* quotes have been set since */
    uint64_t generation;        /* counts problems */
    levy_arena arena;           /* holds the members that follow */
    const char **trade_reasons; /* [trade]: of its first fault; NULL: none */
    const char **trade_messages;
    struct levy_plan_cache *plans; /* plan_cache.h; NULL: none yet */
    /* with keep_texts: what the book was read from; pointers of references to the quotes */
    levy_arena kept;
    levy_source *sources, *references;
    size_t n_sources, n_references;
};

/* Every call that reads book->problem calls this first. It makes new quotes take effect, or adds
 * their faults to the context's and returns LEVY_INPUT. */
levy_status levy_book_refresh(levy_book *book);

/* Takes other settings in place of those it has, now: its former settings stay if they fail as
 * levy_book_refresh does. */
levy_status levy_book_take_settings(levy_book *book, const levy_override *settings, size_t n);

/* From now on, long planning asks `stop` whether to go on. NULL ends that. */
void levy_call_watch(levy_context *context, int (*stop)(void *user), void *user);

/* api_book.c: reads the context's kinds alone. LEVY_INPUT: their faults are the context's. The
 * caller destroys the quotes, which may be there in every case. */
levy_status levy_kinds_load(levy_context *context, levy_quotes **quotes);
/* The same of a book's sources. Faults of the reading are still the quotes' own. */
levy_status levy_quotes_load(levy_context *context, const levy_source *sources, size_t n,
                             levy_quotes **quotes);

/* kept.c: copies what a book was read from, for levy_book_source. */
levy_status levy_book_keep(levy_book *book, const levy_input *inputs, size_t n_inputs);

/* Drops the last call's diagnostics and starts a new call, in the default floating-point mode. */
void levy_call_begin(levy_context *context);
/* Ends a call that has begun: sorts the faults into diagnostics. Returns `status`, or
 * LEVY_STATUS_MEMORY when the diagnostics could not be made. */
int levy_call_end(levy_context *context, int status);
/* The same of a call that makes results: without memory for its diagnostics there are none. */
int levy_call_end_results(levy_context *context, int status, levy_results **results);

/* Refuses a call for a bad argument: a diagnostic that says why replaces those of the last call.
 * Returns LEVY_STATUS_ARGUMENT or LEVY_STATUS_MEMORY. `context` NULL: no diagnostic. */
int levy_call_refuse(levy_context *context, const char *argument, const char *why);

levy_call_mode levy_call_mode_enter(void);
void levy_call_mode_leave(const levy_call_mode *mode);

/* `options` are complete (levy_call_price_options). LEVY_ARGUMENT: no such device or instruction
 * set; LEVY_DEVICE: it cannot be used. A fault then says why. */
levy_status levy_call_device_open(levy_context *context, const levy_price_options *options,
                                  levy_call_device *device);
/* The CPU, even if the options name another device; a device that is kept stays open. False: it
 * cannot be opened. */
bool levy_call_device_open_cpu(levy_context *context, const levy_price_options *options,
                               levy_call_device *device);
/* The backend of the device that these options would find open; NULL: none. */
const char *levy_call_device_kept(levy_context *context, const levy_price_options *options);
/* The backend has failed for reasons of its own, not of the work: the CPU may do the work. */
bool levy_call_device_failed(levy_status status);
/* At the end of a run: of several GPUs, says which have failed so that the others did their work: a
 * warning, and in the reason. The device is then not kept. */
void levy_call_device_tell(levy_context *context, levy_call_device *device);
/* Adds a fault and returns LEVY_ARGUMENT if the device is several GPUs whose bits may differ. */
levy_status levy_call_device_check(levy_context *context, const levy_call_device *device,
                                   bool bits_differ);
/* Whether auto chose a GPU, so that the CPU may take its place. */
bool levy_call_device_may_move(const levy_price_options *options, const levy_call_device *device);
/* Closes a GPU that auto had chosen and that failed with `status`, and opens the CPU. False: auto
 * had not chosen it, or the CPU fails too. A warning tells the user; if the failure is a defect of
 * levy, it also counts as a misuse. */
bool levy_call_device_fall_back(levy_context *context, const levy_price_options *options,
                                levy_call_device *device, levy_status status, const char *why);
/* Only the warning. */
void levy_call_device_warn(levy_context *context, levy_status status, const char *path,
                           const char *why);
/* How often levy misused a backend in this process. Tests require 0 (tests/cmocka_all.h). */
extern atomic_uint levy_call_misuses;
void levy_call_device_close_beside(levy_call_device *device); /* only the further states */
void levy_call_device_close(levy_call_device *device);
void levy_call_device_drop(levy_context *context); /* closes those kept */

/* The caller's options, with defaults for what is absent. False: struct_size is not valid. */
bool levy_call_price_options(const levy_price_options *given, levy_price_options *options);
/* Also false: they name no part, or one without a name or a text. */
bool levy_call_merge_options(const levy_merge_options *given, levy_merge_options *options);

/* Copies as much of the caller's struct as its struct_size says, and zeroes the rest. False:
 * struct_size is not valid. */
bool levy_call_copy_options(void *copy, size_t size, const void *options);

#endif
