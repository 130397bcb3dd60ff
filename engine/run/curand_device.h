/* curand_device.h: numbers of cuRAND for one replicate, in the memory of a GPU: its generators make
 * words there, and levy's kernel of stand-alone normals shifts them, puts them in rows and makes
 * uniforms or normals of them. The words are those of curand_points.h. Must not know: plans. */
#ifndef LEVY_RUN_CURAND_DEVICE_H
#define LEVY_RUN_CURAND_DEVICE_H

#include "engine/run/backend.h"
#include "engine/run/curand_points.h"
#include "kernels/points/normals_tables.h"

typedef struct levy_curand_device {
    const levy_backend *backend; /* NULL: closed */
    void *state;
    levy_curand_points points;
    levy_normals_tables tables; /* of given words, for the kernel */
    void *made;                 /* the kernel */
    void *words;                /* in the GPU's memory */
    uint64_t room;              /* points of them: whole blocks */
    void *stream;               /* of the last call */
    bool started;               /* there was one */
} levy_curand_device;

/* `tables`: of POINTS_GIVEN_WORDS, as levy_normals_tables_create has made them. `device` must not
 * move and starts as zeros. Close it in any case. LEVY_UNSUPPORTED with `why`: a backend
 * without memory of its own. */
levy_status levy_curand_device_open(const levy_curand_calls *calls, const levy_memory *memory,
                                    const levy_backend *backend, void *state, int32_t kind,
                                    const levy_normals_tables *tables, uint64_t seed,
                                    uint64_t replicate, levy_curand_device *device, char *why);
/* Queues the work on the call's stream; one that follows on another stream waits for it. */
levy_status levy_curand_device_generate(levy_curand_device *device, const levy_normals_call *call,
                                        char *why);
void levy_curand_device_close(levy_curand_device *device);

#endif
