/* backend.h: a backend is a small table of functions over a plan image. `cpu` is always present;
 * `cuda` is a module loaded at run time through levy_module_entry. Must not know: documents,
 * problems, statistics. */
#ifndef LEVY_RUN_BACKEND_H
#define LEVY_RUN_BACKEND_H

#include "engine/base/memory.h"
#include "engine/base/status.h"
#include "engine/levy.h"
#include "kernels/bridge/tables.h"
#include "kernels/path/image.h"

#include <stdio.h>

enum { LEVY_BACKEND_VERSION = 3, LEVY_REASON_SIZE = 512 };

typedef struct levy_backend_options {
    const levy_memory *memory;
    const char *isa;         /* cpu: auto, baseline, avx2, avx512, neon */
    uint32_t threads;        /* cpu: 0 = one per processor of the process */
    int32_t device;          /* cuda: ordinal, -1: the first usable */
    bool no_cache;           /* cuda: leave the kernel cache alone */
    const char *cache_dir;   /* cuda: NULL: the user's */
    const char *install_dir; /* cuda: read-only cache of shipped kernels, or NULL */
} levy_backend_options;

typedef struct levy_backend_info {
    char backend[16], device[128], isa[16];
    uint32_t threads;                 /* cpu */
    uint32_t max_items, max_dynamics; /* of a tile */
    uint64_t separate_paths;          /* of fewer paths in all, trades have tiles of their own */
    uint64_t batch_blocks;            /* blocks of a first batch */
    /* done side by side: fewer take as long. Of the plan that is loaded, else of any */
    uint64_t wave_blocks;
    char warning[LEVY_REASON_SIZE]; /* "", or what the user should know (no FMA hardware, slow) */
} levy_backend_info;

/* Blocks are numbered through all replicates: block b belongs to replicate b / image->blocks. */
typedef struct levy_batch {
    levy_tile tile;
    uint64_t first_block, n_blocks;
    /* The levels of all assets by date, of the tile's first dynamics, after dividends, relative to
     * today's: reals of the host, [block][n_nodes][n_assets][LEVY_BLOCK_PATHS]; of a block with
     * fewer paths the rest is undefined. For images with `records`. NULL: nobody wants them. */
    void *record;
} levy_batch;

/* `poll` is asked between pieces of work from any thread; `tick` by the calling thread alone, while
 * others work at most about 20 ms apart where the backend can, else between pieces. Nonzero: stop.
 * Either may be NULL. */
typedef struct levy_cancel {
    int (*poll)(void *user);
    void *user;
    int (*tick)(void *user);
    void *tick_user;
} levy_cancel;

/* Normals in, paths or increments out, of a stand-alone bridge: [step][dimension][path], rows
 * `stride` numbers apart. */
typedef struct levy_bridge_call {
    const void *normals; /* of the host (cpu), of the device (cuda) */
    void *output;
    size_t n_paths, stride;
    /* cuda: a CUstream of the device's primary context; the call returns before the work is done */
    void *stream;
} levy_bridge_call;

/* What a backend made of a bridge. */
typedef struct levy_bridge_made {
    char kernel[128]; /* "specialised, 2 paths per thread, ..." */
    int32_t registers, spilled_bytes, blocks_per_processor; /* cuda; -1: not known */
    uint32_t threads_per_block, paths_per_thread;
    bool compiled; /* not from a cache */
} levy_bridge_made;

typedef struct levy_backend {
    uint32_t version, size; /* LEVY_BACKEND_VERSION, sizeof(levy_backend) */
    const char *name;       /* "cpu", "cuda" */
    /* `why` (LEVY_REASON_SIZE bytes) takes a line of text when a call fails. No call prints. */
    levy_status (*open)(const levy_backend_options *options, void **state, char *why);
    void (*close)(void *state); /* NULL is fine */
    /* with `build`: state may be NULL, then limits of a tile only */
    void (*describe)(void *state, levy_backend_info *info);
    /* Takes the image (kept by the caller until unload) and gets ready for the tiles: copies,
     * compiles. */
    levy_status (*load)(void *state, const levy_image *image, const levy_tile *tiles,
                        size_t n_tiles, char *why);
    /* sums[block - first_block][output - tile.first_output]; all blocks of the batch, or a failure
     * and nothing. `seconds` gets the device's own time of the work (kernel time on a GPU).
     * LEVY_CANCELLED when told to stop. */
    levy_status (*simulate)(void *state, const levy_batch *batch, const levy_cancel *cancel,
                            levy_block_sum *sums, double *seconds, char *why);
    void (*unload)(void *state);
    /* Optional (NULL: none): one JSON object per device through `write`; needs no open state. */
    levy_status (*list_devices)(const levy_backend_options *options,
                                int (*write)(void *, const char *, size_t), void *user);
    /* Optional: compiles the kernels of an image for an architecture ("sm_90") into the cache;
     * needs no device. */
    levy_status (*build)(const levy_backend_options *options, const char *architecture,
                         const levy_image *image, const levy_tile *tiles, size_t n_tiles,
                         char *report, size_t report_size, char *why);
    /* Optional (NULL: every image is): LEVY_OK, or LEVY_UNSUPPORTED with `why` where the CPU can
     * and this cannot. */
    levy_status (*accepts)(const levy_image *image, char *why);
    /* Optional: lists (action 0) or clears (1) the kernel cache, a line each through `write`. */
    levy_status (*cache)(const levy_backend_options *options, int action,
                         int (*write)(void *, const char *, size_t), void *user);
    /* Optional, all four or none: stand-alone bridges. `tables` is kept by the caller until
     * bridge_destroy, which comes before close. Up to bridge_registers dimensions the program is to
     * use registers (program.h). */
    uint32_t bridge_registers;
    levy_status (*bridge_create)(void *state, const levy_bridge_tables *tables, void **bridge,
                                 char *why);
    levy_status (*bridge_generate)(void *bridge, const levy_bridge_call *call, char *why);
    void (*bridge_describe)(void *bridge, levy_bridge_made *made);
    void (*bridge_destroy)(void *bridge); /* NULL is fine */
} levy_backend;

/* What the host hands to a module, and the one symbol a module exports. Refused (LEVY_UNSUPPORTED,
 * with `why`) when version, size or build id differ. */
typedef struct levy_host_table {
    uint32_t version, size;
    const char *build_id; /* LEVY_BUILD_ID */
} levy_host_table;
typedef levy_status (*levy_module_entry_fn)(const levy_host_table *host, levy_backend *backend,
                                            char *why);

/* What host and module must have been built from alike. */
#define LEVY_BUILD_ID                                                                              \
    "levy " LEVY_VERSION                                                                           \
    " contract " LEVY_QUOTE(LEVY_CONTRACT) " image " LEVY_QUOTE(LEVY_IMAGE_VERSION)

/* Every backend's load looks at the image's first words: of another layout, it would read other
 * numbers. */
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
