/* document.h: YAML text to a read-only tree in which every node knows its place. Uses libyaml's
 * event API only, because its own loader accepts cycles and is quadratic. Limits, duplicate keys
 * and refused features (anchors, aliases, tags, directives, merge keys) are checked here. Must not
 * know: the meaning of any key. */
#ifndef LEVY_DOCUMENT_H
#define LEVY_DOCUMENT_H

#include "engine/base/error.h"
#include "engine/base/node.h"

typedef struct levy_limits {
    size_t depth;        /* default 32 */
    size_t scalar_bytes; /* 64 KiB */
    size_t key_bytes;    /* 128 */
    size_t nodes;        /* 50,000,000 */
    size_t file_bytes;   /* 1 GiB */
} levy_limits;

extern const levy_limits levy_limits_default;

/* All documents of one stream (separated by ---), in order. Faults are added to `faults`. Reading
 * goes on after a fault such as a duplicate key, and stops at broken syntax or a limit. Returns
 * LEVY_INPUT if it added an error, LEVY_MEMORY, or LEVY_OK; `roots` is valid in every case, but may
 * be empty. `file` must outlive the arena. */
typedef struct levy_document {
    const levy_node **roots;
    size_t n_roots;
} levy_document;
levy_status levy_document_read(const char *file, uint32_t file_order, const char *text,
                               size_t length, const levy_limits *limits, levy_arena *arena,
                               levy_fault_list *faults, levy_document *document);

#endif
