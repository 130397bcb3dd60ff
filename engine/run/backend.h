/* backend.h: a backend is a small table of functions over a plan image. `cpu` is always present;
 * `cuda` is a module loaded at run time through levy_module_entry. Must not know: documents,
 * problems, statistics. */
#ifndef LEVY_RUN_BACKEND_H
#define LEVY_RUN_BACKEND_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "engine/levy.h"
#include "engine/plan/tiles.h"
#include "kernels/bridge/tables.h"
#include "kernels/path/image.h"
#include "engine/run/paths_tables.h"
#include "kernels/samplers/alias/sampler_tables.h"
#include "kernels/samplers/butterfly/butterfly.h"
#include "kernels/samplers/discrete/deviate_table.h"
#include "payoffs/payoff_stage.h"

#include <stdio.h>

enum { LEVY_BACKEND_VERSION = 19, LEVY_REASON_SIZE = 512 };

typedef struct levy_backend_options {
    const levy_memory *memory;
    const char *isa;         /* cpu: auto, baseline, avx2, avx512, neon */
    uint32_t threads;        /* cpu: 0 = one per processor of the process */
    int32_t device;          /* cuda: ordinal, -1: the first usable, */
    uint32_t place;          /* from this ordinal on, modulo their count */
    bool no_cache;           /* cuda: leave the kernel cache alone */
    const char *cache_dir;   /* cuda: the kernel cache; NULL: the user's own */
    const char *install_dir; /* cuda: read-only cache of shipped kernels, or NULL */
    uint32_t part, parts;    /* `build`: only the kernels of part k of n; 0, 0: all */
} levy_backend_options;

typedef struct levy_backend_info {
    char backend[16], device[128], isa[16];
    uint32_t threads; /* cpu */
    levy_tile_limits tiles;
    uint64_t batch_blocks; /* blocks of a first batch */
    /* blocks done at the same time, for the loaded plan, else for any; fewer take just as long */
    uint64_t wave_blocks;
    uint32_t most_height;           /* of a batch's branches; 0: it merges no blocks */
    char warning[LEVY_REASON_SIZE]; /* "", or a warning for the user (slow without FMA) */
    /* of several devices as one: "", or which of them failed, so that the others did their work */
    char note[LEVY_REASON_SIZE];
    uint32_t together; /* of several devices as one: how many share a plan; else 0 */
    bool unlike;       /* of several devices as one: they share only double precision */
} levy_backend_info;

/* Block numbers run through all replicates: block b belongs to replicate b / image->blocks. */
typedef struct levy_batch {
    levy_tile tile;
    uint64_t first_block, n_blocks;
    /* The spot of every asset at every node after dividends, relative to today's, under the tile's
     * first dynamics, and what the model shows if records is more than 1: as levy_record_reals
     * says. In a block with fewer paths the rest is undefined. Only for images with `records`.
     * NULL: not wanted. */
    void *record;
    /* Levels stay in the backend's own memory for `fit`, [block][...], until others are kept. Of
     * all blocks of one plan, by a backend with `fit`, and no record. */
    bool keeps;
    /* For images whose numbers are given: [row][path of the batch] words, or normals of the image's
     * precision, with rows `given_stride` numbers apart, at least n_blocks * LEVY_BLOCK_PATHS. In
     * host memory, or in the backend's own (memory_take). */
    const void *given;
    uint64_t given_stride;
    bool given_here; /* in the backend's own */
    /* 0: sums are those of blocks. Else, up to most_height: those of branches (image.h), which the
     * backend has merged in the tree's order, the outputs' constants added to each block. The batch
     * starts with a branch. Its last branch may be cut short, but only where the replicate or the
     * tile's work ends there. */
    uint32_t height;
} levy_batch;

/* Any thread may call `poll` between pieces of work. Only the calling thread calls `tick`: about
 * every 20 ms while other threads work if the backend can do so, else between pieces. Nonzero:
 * stop. Either may be NULL. */
typedef struct levy_cancel {
    int (*poll)(void *user);
    void *user;
    int (*tick)(void *user);
    void *tick_user;
} levy_cancel;

/* A stand-alone bridge turns normals into paths or increments. Both are [step][dimension][path],
 * with rows `stride` numbers apart. */
typedef struct levy_bridge_call {
    const void *normals; /* in the memory of the host (cpu) or the device (cuda) */
    void *output;
    size_t n_paths, stride;
    /* cuda: a CUstream of the device's primary context; the call returns before the work is done */
    void *stream;
} levy_bridge_call;

/* Points [first, first + n_points) of stand-alone normals: [dimension][point], rows `stride`
 * numbers apart. */
typedef struct levy_normals_call {
    void *output; /* of the host (cpu), of the device (cuda) */
    uint64_t first;
    size_t n_points, stride;
    void *stream; /* as of a bridge */
    /* POINTS_GIVEN_WORDS: from the first dimension that is made on, [dimension][point]. On a CPU
     * n_points apart, and readable for 64 bytes past their end. On a GPU in chunks of as many
     * points, each with all n_dimensions; the call's first point is number `skip` of them. */
    const uint32_t *words;
    uint64_t chunk, skip; /* cuda */
} levy_normals_call;

/* The work of a stand-alone sampler. */
typedef enum levy_sampler_work {
    LEVY_SAMPLER_DRAW,   /* output[k] becomes draw first + k */
    LEVY_SAMPLER_INVERT, /* output[k] becomes the item of u[k] */
    LEVY_SAMPLER_COUNTS  /* output[item] grows by 1 for each draw that gives the item */
} levy_sampler_work;

/* `count` draws or numbers. Pointers are of the host (cpu), of the device (cuda). */
typedef struct levy_sampler_call {
    levy_sampler_work work;
    uint64_t seed, first;
    size_t count;    /* at least 1 */
    const double *u; /* LEVY_SAMPLER_INVERT */
    uint32_t *output;
    void *stream; /* as of a bridge */
} levy_sampler_call;

/* Draws from each of many distributions. All pointers are of the host (cpu), of the device (cuda).
 */
typedef struct levy_draws_call {
    /* at least one path and one draw of each; words NULL: they are made */
    levy_butterfly_draws draws;
    uint64_t seed, first_path, first_draw;
    uint64_t *fault; /* lowered to the first path without a positive finite total; NULL: no */
    void *stream;    /* as of a bridge */
} levy_draws_call;

/* A stand-alone distribution: a law, and for each of its parameters a number, or word that every
 * call brings an array. */
typedef struct levy_distribution_law {
    levy_draw_law law;
    bool single;
    bool each[2];         /* an array, [count], of the precision */
    double parameters[2]; /* else this number */
    levy_draw_table table;
} levy_distribution_law;

/* `count` deviates. Pointers are of the host (cpu), of the device (cuda). LEVY_ARGUMENT: a
 * parameter in a host's array is outside its range, and nothing was written. In a device's array it
 * gives NaN, or UINT32_MAX as a count. */
typedef struct levy_distribution_call {
    const uint32_t *words; /* quantiles of these; NULL: the draws first to first + count - 1 */
    uint64_t seed, first;
    uint32_t substream;
    size_t count;              /* at least 1 */
    const void *parameters[2]; /* those that are arrays; others are not read */
    void *output;              /* of the precision; counts as uint32_t */
    void *stream;              /* as of a bridge */
} levy_distribution_call;

/* The stand-alone objects of levy.h: what each is made of, and what a call of it is. */
typedef enum levy_object_kind {
    LEVY_OBJECT_BRIDGE,       /* levy_bridge_tables; levy_bridge_call */
    LEVY_OBJECT_NORMALS,      /* levy_normals_tables; levy_normals_call */
    LEVY_OBJECT_PATHS,        /* levy_paths_tables; levy_normals_call, that of their normals */
    LEVY_OBJECT_SAMPLER,      /* levy_sampler_tables; levy_sampler_call */
    LEVY_OBJECT_DISTRIBUTION, /* levy_distribution_law; levy_distribution_call */
    LEVY_OBJECT_DRAWS,        /* int, 1: in single, read at once; levy_draws_call */
    LEVY_OBJECT_KINDS
} levy_object_kind;

/* What a backend made of an object. */
typedef struct levy_kernel_made {
    char kernel[128]; /* "specialised, 2 paths per thread, ..." */
    int32_t registers, spilled_bytes, blocks_per_processor; /* cuda; -1: not known */
    uint32_t threads_per_block, paths_per_thread;
    bool compiled; /* not from a cache */
} levy_kernel_made;

typedef struct levy_backend {
    uint32_t version, size; /* LEVY_BACKEND_VERSION, sizeof(levy_backend) */
    const char *name;       /* "cpu", "cuda" */
    /* `why` (LEVY_REASON_SIZE bytes) takes a line of text when a call fails. No call prints. */
    levy_status (*open)(const levy_backend_options *options, void **state, char *why);
    void (*close)(void *state); /* NULL is fine */
    /* Optional: one more state on the same device, for another thread to load, simulate and unload
     * plans with. Both share what can be shared. It is closed by `close`, before `state` is. */
    levy_status (*beside)(void *state, void **other, char *why);
    /* Optional: `other` is a state on another device, and neither has had a plan: from now on each
     * kernel that both need is compiled once. */
    levy_status (*join)(void *state, void *other, char *why);
    /* Optional: the devices of this machine, or why there are none. */
    levy_status (*count)(int32_t *devices, char *why);
    /* If `build` is set, state may be NULL: then it gives the limits of a tile only. Of the CPU it
     * may be NULL too: then it says which instruction set and how many threads "auto" and 0 mean.
     */
    void (*describe)(void *state, levy_backend_info *info);
    /* Optional: until it is called with NULL, load and foresee of this state ask whether they shall
     * stop where they take long, and then end with LEVY_CANCELLED. */
    void (*watch)(void *state, const levy_cancel *cancel);
    /* Gets ready for the tiles of the image: copies, compiles. The caller keeps the image until
     * unload. */
    levy_status (*load)(void *state, const levy_image *image, const levy_tile *tiles,
                        size_t n_tiles, char *why);
    /* Fills sums[block - first_block][output - tile.first_output] for all blocks of the batch, or
     * [branch of the batch][...] where it has a height, or fails and leaves nothing of use.
     * `seconds` gets the device's own time for the work (kernel time on a GPU). LEVY_CANCELLED: it
     * was told to stop. */
    levy_status (*simulate)(void *state, const levy_batch *batch, const levy_cancel *cancel,
                            levy_block_sum *sums, double *seconds, char *why);
    void (*unload)(void *state);
    /* Optional (NULL: the CPU does): who fits what is fitted before the price, while no plan runs.
     */
    void (*team)(void *state, levy_stage_team *team);
    /* Optional (NULL: the team does): as levy_stage_device.fit, on the levels that were kept last.
     */
    levy_status (*fit)(void *state, const struct levy_rule_pass *pass, double *fitted, char *why);
    /* Optional: the plan has failed with `status`, and is unloaded: whether to run it once more. */
    bool (*again)(void *state, levy_status status, const char *why);
    /* Optional: notes the kernels that a plan of this run will need later; with a NULL image, gets
     * all noted kernels in parallel, before the first load. It only makes loads faster: a failure
     * here happens again at the load. LEVY_MEMORY: no more is noted. */
    levy_status (*foresee)(void *state, const levy_image *image, const levy_tile *tiles,
                           size_t n_tiles);
    /* With `foresee`: how many of the noted kernels would have to be compiled. Forgets them. */
    size_t (*missing)(void *state);
    /* Optional (NULL: open will tell): false if this machine surely has no such device. It starts
     * nothing and needs no open state. */
    bool (*present)(void);
    /* Optional (NULL: none): one JSON object per device through `write`; needs no open state. */
    levy_status (*list_devices)(const levy_backend_options *options,
                                int (*write)(void *, const char *, size_t), void *user);
    /* Optional: compiles the kernels of an image for an architecture ("sm_90") into the cache;
     * needs no device. Of n parts each kernel belongs to one, which follows from its source. */
    levy_status (*build)(const levy_backend_options *options, const char *architecture,
                         const levy_image *image, const levy_tile *tiles, size_t n_tiles,
                         char *report, size_t report_size, char *why);
    /* Optional (NULL: every image is accepted). LEVY_UNSUPPORTED with `why`: the CPU can price this
     * image, but this backend cannot. */
    levy_status (*accepts)(const levy_image *image, char *why);
    /* Optional: lists (action 0) or clears (1) the kernel cache, a line each through `write`. */
    levy_status (*cache)(const levy_backend_options *options, int action,
                         int (*write)(void *, const char *, size_t), void *user);
    /* Stand-alone objects of the kinds whose bits (1 << kind) are set. The caller keeps what an
     * object is made of until object_destroy, which comes before close. object_create gives NULL
     * with its failure, LEVY_UNSUPPORTED where the CPU can and this cannot. */
    uint32_t objects;
    uint32_t bridge_registers; /* up to so many dimensions, programs use registers */
    bool sampler_keeps;        /* else what a sampler's tables point to has been copied */
    levy_status (*object_create)(void *state, levy_object_kind kind, const void *tables,
                                 void **object, char *why);
    levy_status (*object_run)(void *object, const void *call, char *why);
    void (*object_describe)(void *object, levy_kernel_made *made);
    void (*object_destroy)(void *object); /* NULL is fine */
    /* Optional (NULL: its memory is the host's): copies `size` bytes of the device's memory to the
     * host's, after the work on the stream, and waits for them. */
    levy_status (*read)(void *state, void *to, const void *from, size_t size, void *stream,
                        char *why);
    /* Optional, all four or none (NULL: its memory is the host's): memory of the device, which is
     * not cleared; a call of `work` while the device's context is current; the stream on which
     * simulate works. */
    levy_status (*memory_take)(void *state, size_t size, void **memory, char *why);
    void (*memory_give)(void *state, void *memory); /* NULL is fine; waits for the device */
    levy_status (*within)(void *state, levy_status (*work)(void *user, char *why), void *user,
                          char *why);
    void *(*stream)(void *state);
} levy_backend;

/* What the host passes to a module, and the type of the one symbol that a module exports. The
 * module refuses with LEVY_UNSUPPORTED and `why` if version, size or build id differ. */
typedef struct levy_host_table {
    uint32_t version, size;
    const char *build_id; /* LEVY_BUILD_ID */
} levy_host_table;
typedef levy_status (*levy_module_entry_fn)(const levy_host_table *host, levy_backend *backend,
                                            char *why);

/* Host and module must have been built from the same of these. */
#define LEVY_BUILD_ID                                                                              \
    "levy " LEVY_VERSION                                                                           \
    " contract " LEVY_QUOTE(LEVY_CONTRACT) " image " LEVY_QUOTE(LEVY_IMAGE_VERSION)

/* Every backend's load checks the first words of the image, since an image of another layout would
 * be misread. */
static inline levy_status levy_backend_check_image(const levy_image *image, char *why)
{
    if (image->magic == LEVY_IMAGE_MAGIC && image->version == LEVY_IMAGE_VERSION) return LEVY_OK;
    if (image->magic != LEVY_IMAGE_MAGIC)
        snprintf(why, LEVY_REASON_SIZE, "the plan is invalid");
    else
        snprintf(why, LEVY_REASON_SIZE,
                 "the plan's image has version %u, but this backend reads version %u",
                 (unsigned)image->version, (unsigned)LEVY_IMAGE_VERSION);
    return LEVY_INTERNAL;
}

extern const levy_backend levy_backend_cpu;

#endif
