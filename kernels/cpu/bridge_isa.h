/* bridge_isa.h: the interface of one build of the stand-alone bridge (an instruction set and a
 * precision). */
#ifndef LEVY_CPU_BRIDGE_ISA_H
#define LEVY_CPU_BRIDGE_ISA_H

#include "kernels/bridge/tables.h"

typedef struct levy_bridge_isa {
    const char *name;
    /* Paths that are worth doing together, and the bytes of working memory (aligned to 64) that a
     * worker needs for them. */
    size_t (*tile)(const levy_bridge_tables *tables, size_t *scratch);
    /* Makes paths [first, first + count), count at most a tile. Rows of `normals` and `output` are
     * `stride` numbers apart. The tables' program reads every neighbour from a slot. `stream`: the
     * output goes past the caches, so call `finish` before other threads read it. */
    void (*run)(const levy_bridge_tables *tables, const void *normals, void *output, size_t stride,
                size_t first, size_t count, void *scratch, bool stream);
    void (*finish)(void);
} levy_bridge_isa;

#endif
