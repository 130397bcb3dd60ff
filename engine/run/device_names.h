/* device_names.h: the name of a device, as a user gives it. Must not know: what there is on this
 * machine, backends. */
#ifndef LEVY_RUN_DEVICE_NAMES_H
#define LEVY_RUN_DEVICE_NAMES_H

#include "engine/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LEVY_DEVICES_MOST = 32 };

typedef enum levy_device_kind {
    LEVY_DEVICE_AUTO,  /* "auto", or no name */
    LEVY_DEVICE_CPU,   /* "cpu" */
    LEVY_DEVICE_FIRST, /* "cuda": the first GPU that can be used */
    LEVY_DEVICE_LIST,  /* "cuda:N", "cuda:N,N,..." */
    LEVY_DEVICE_ALL    /* "cuda:all" */
} levy_device_kind;

typedef struct levy_device_names {
    levy_device_kind kind;
    size_t count; /* of a list, else 0 */
    int32_t ordinals[LEVY_DEVICES_MOST];
} levy_device_names;

/* `name` NULL: auto. LEVY_ARGUMENT: it names no device, or one twice; `why` (`size` bytes) says so.
 */
levy_status levy_device_names_read(const char *name, levy_device_names *list, char *why,
                                   size_t size);

/* Whether the name may mean more than one device. */
static inline bool levy_device_names_are_many(const levy_device_names *list)
{
    return list->kind == LEVY_DEVICE_ALL || list->count > 1;
}

#endif
