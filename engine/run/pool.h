/* pool.h: several GPUs as one backend. A pool has the table of the backend that drives each of its
 * members, so that whatever runs a plan knows of one device.
 *
 * - A batch of blocks is cut into one run of blocks per member, in proportion to the pace of each;
 *   cuts lie between branches of the summation tree. Members write their sums where a single GPU
 *   would have written them, and who called merges them. So no bit depends on how many members
 *   there are, or on where a batch is cut. A share is at least what fills a member, so that a small
 *   batch stays on one.
 * - The caller's thread works for one member, and one thread for each of the others.
 * - A state beside a pool (backend.h) is on one member, each time on the next one: the small groups
 *   of a book stay together on a GPU each, and spread over all.
 * - A member that fails is left out: for this plan, or for good if it is lost. The others do its
 *   share, and describe() says so in `note`. Where the last one fails, its failure is the pool's.
 * - In double precision the bits of a path do not depend on the GPU. In the others they may depend
 *   on the architecture, so a pool of several refuses such images.
 * - Numbers that are given lie on one member, which does these batches alone.
 *
 * Must not know: plans, what a member is. */
#ifndef LEVY_RUN_POOL_H
#define LEVY_RUN_POOL_H

#include "engine/run/backend.h"
#include "engine/run/device_names.h"

typedef struct levy_pool_wish {
    const int32_t *ordinals; /* [count] */
    size_t count;            /* 1 to LEVY_DEVICES_MOST */
    const levy_backend *gpu;
    const levy_backend_options *options; /* threads: most members at work at a time; 0: all */
} levy_pool_wish;

/* Opens the members side by side. *backend becomes the pool's table. It fails as the first member
 * does if none can be opened. */
levy_status levy_pool_open(const levy_pool_wish *wish, levy_backend *backend, void **state,
                           char *why);

#endif
