/* api_device.h: what the stand-alone objects of levy.h share: a backend that was opened for one of
 * them, and the refusal of a member of its specification. Must not know: what it computes. */
#ifndef LEVY_API_API_DEVICE_H
#define LEVY_API_API_DEVICE_H

#include "engine/book/handles.h"

typedef struct levy_api_device {
    levy_backend backend;
    levy_backend_info info;
    void *state; /* NULL: not open */
    char reason[LEVY_REASON_SIZE + 64];
} levy_api_device;

/* The members of a specification that choose a backend. `memory` must stay where it is until the
 * device is closed. */
typedef struct levy_api_wish {
    const levy_memory *memory;
    const char *device, *isa; /* NULL: "cpu", "auto" */
    uint32_t threads;
    bool no_kernel_cache;
} levy_api_wish;

/* Adds a fault about a member; returns `status` as a public one. `why` "": the status in words. */
int levy_api_refuse(levy_context *context, const char *member, levy_status status, const char *why);
int levy_api_device_open(levy_context *context, const levy_api_wish *wish, levy_api_device *device);
void levy_api_device_close(levy_api_device *device);
/* Closes what levy_draw_each keeps in a context. */
void levy_api_draws_drop(levy_context *context);

#endif
