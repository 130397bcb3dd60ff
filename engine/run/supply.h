/* supply.h: the numbers of a staged run. A fused path loop makes its own words; a staged one reads
 * them, [row][path], from memory that is filled before each batch: by levy's generators, by cuRAND,
 * by the caller, or with a set of points. Where the backend has memory of its own, the first two
 * fill that. Must not know: backends' kernels, statistics. */
#ifndef LEVY_RUN_SUPPLY_H
#define LEVY_RUN_SUPPLY_H

#include "engine/plan/plan.h"
#include "engine/run/backend.h"

typedef struct levy_supply levy_supply;

/* The caller's function for normals (levy_price_options); fill NULL: none. */
typedef struct levy_normals_source {
    int (*fill)(void *user, const levy_normals_request *request);
    void *user;
} levy_normals_source;

/* Blocks of a batch where memory is not short, for a backend of so many blocks a wave. 0: one block
 * would need too much. */
uint64_t levy_supply_size(const levy_image *image, uint64_t wave_blocks);
/* What fills the plan's rows, for a plan whose numbers are given. `normals`: the caller's, for
 * `generator: given`. `backend`, `state`: which has loaded the plan and reads them; `info`: its
 * own. On a CPU its threads fill, too.
 * LEVY_UNSUPPORTED with `why` (LEVY_REASON_SIZE bytes): the plan's generator is not there, or a
 * block needs too much memory. */
levy_status levy_supply_open(const levy_memory *memory, const levy_plan *plan,
                             const levy_normals_source *normals, const levy_backend *backend,
                             void *state, const levy_backend_info *info, levy_supply **supply,
                             char *why);
/* The most blocks of one batch, all of one replicate. */
uint64_t levy_supply_blocks(const levy_supply *supply);
/* Sets the given numbers of `batch`: those of its blocks, which end with their replicate. They are
 * valid until the next call. */
levy_status levy_supply_batch(levy_supply *supply, levy_batch *batch, char *why);
void levy_supply_close(levy_supply *supply); /* NULL is fine */

#endif
