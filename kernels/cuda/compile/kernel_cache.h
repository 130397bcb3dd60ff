/* kernel_cache.h: compiled kernels on disk, in a directory of the user's own (0700, nobody else may
 * write to it). One file per kernel: a header with key and checksum, then the kernel. Files appear
 * by rename, so concurrent processes see whole files or none. Damaged files are dropped. The least
 * recently used files are removed when the directory exceeds its limit. A second directory, filled
 * at install, is only read. Must not know: NVRTC, devices, what a kernel computes. */
#ifndef LEVY_CUDA_COMPILE_KERNEL_CACHE_H
#define LEVY_CUDA_COMPILE_KERNEL_CACHE_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

#include <stdint.h>

enum { LEVY_CACHE_PATH_SIZE = 4096, LEVY_CACHE_NAME_SIZE = 80, LEVY_CACHE_LABEL_SIZE = 64 };

typedef struct levy_cache_key {
    uint64_t low, high;
} levy_cache_key; /* XXH3, 128 bits */

typedef struct levy_kernel_cache {
    int directory; /* descriptor, -1: closed or unusable */
    bool writable;
    uint64_t limit; /* bytes */
    char path[LEVY_CACHE_PATH_SIZE];
    char reason[512]; /* why it cannot be used, "" when it can */
} levy_kernel_cache;

/* A kernel's name in the cache: what it was made from, and by which compiler (1000 major + 10
 * minor). */
typedef struct levy_cache_id {
    levy_cache_key key;
    int compiler;                      /* 0 when looking up: any */
    char label[LEVY_CACHE_LABEL_SIZE]; /* for people: "sm_90 double, 1 asset, 1 item" */
} levy_cache_id;

/* Makes an empty cache, which finds and keeps nothing. */
void levy_kernel_cache_init(levy_kernel_cache *cache);
/* Opens `directory`, or (NULL) $LEVY_CACHE_DIR, $XDG_CACHE_HOME/levy/kernels,
 * $HOME/.cache/levy/kernels; makes it when `create`. Failing is not an error: the cache then is
 * unusable and says why. `limit` 0: 256 MiB. */
void levy_kernel_cache_open(levy_kernel_cache *cache, const char *directory, bool create,
                            uint64_t limit);
/* Opens a shipped, read-only directory; owned by root or the user. An absent one is silently
 * unusable. */
void levy_kernel_cache_open_installed(levy_kernel_cache *cache, const char *directory);
void levy_kernel_cache_close(levy_kernel_cache *cache);

/* LEVY_OK with *data in the caller's memory, or with *data NULL if there is none (or it was damaged
 * and dropped). */
levy_status levy_kernel_cache_find(const levy_kernel_cache *cache, const levy_memory *memory,
                                   const levy_cache_id *id, void **data, size_t *size);
/* Keeps a kernel, then evicts others down to the limit. LEVY_IO: it could not be kept, errno says
 * why, and nothing was changed. A caller that prices may ignore that; one that fills the cache may
 * not. */
levy_status levy_kernel_cache_store(const levy_kernel_cache *cache, const levy_cache_id *id,
                                    const void *data, size_t size);

/* Writes one line per kernel, the last used first (action 0), or removes all with a line each (1).
 * LEVY_IO: `write` asked to stop, or the directory could not be read or cleared. */
levy_status levy_kernel_cache_list(const levy_kernel_cache *cache, const levy_memory *memory,
                                   int action, int (*write)(void *, const char *, size_t),
                                   void *user);

#endif
