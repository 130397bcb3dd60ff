/* curand.h: NVIDIA's cuRAND, opened at run time where it is installed: 32-bit words of three of its
 * generators, by its host generators, which need no GPU, or on one. Must not know: plans, backends,
 * what a word is for. */
#ifndef LEVY_RUN_CURAND_H
#define LEVY_RUN_CURAND_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Its generators' numbers in curand.h. */
enum { LEVY_CURAND_MRG32K3A = 121, LEVY_CURAND_SOBOL = 201, LEVY_CURAND_SCRAMBLED_SOBOL = 202 };

/* The functions of the library that are used. 0 is success. */
#define LEVY_CURAND_LIST(X)                                                                        \
    X(create, "curandCreateGeneratorHost", (void **generator, int kind))                           \
    X(create_there, "curandCreateGenerator", (void **generator, int kind))                         \
    X(set_stream, "curandSetStream", (void *generator, void *stream))                              \
    X(destroy, "curandDestroyGenerator", (void *generator))                                        \
    X(set_dimensions, "curandSetQuasiRandomGeneratorDimensions", (void *generator, unsigned n))    \
    X(set_seed, "curandSetPseudoRandomGeneratorSeed", (void *generator, unsigned long long seed))  \
    X(set_offset, "curandSetGeneratorOffset", (void *generator, unsigned long long offset))        \
    X(generate, "curandGenerate", (void *generator, uint32_t *words, size_t count))

typedef struct levy_curand_calls {
#define LEVY_CURAND_MEMBER(member, symbol, arguments) int(*member) arguments;
    LEVY_CURAND_LIST(LEVY_CURAND_MEMBER)
#undef LEVY_CURAND_MEMBER
} levy_curand_calls;

/* Opens the library, once per process, and gives its functions. LEVY_UNSUPPORTED with `why`: it is
 * not there, or it lacks a function. Any thread. */
levy_status levy_curand_load(const levy_curand_calls **calls, char *why);

typedef struct levy_curand {
    const levy_curand_calls *calls;
    void *generator; /* NULL: closed */
    int32_t kind;
    bool on_device;        /* it fills memory of the GPU whose context is current */
    uint32_t n_dimensions; /* Sobol; 1 for mrg32k3a */
    uint64_t next;         /* where the generator goes on by itself */
} levy_curand;

/* `kind` is one of the above; a Sobol generator ignores the seed. `on_device`: this and all that
 * follows, levy_curand_close too, is called in the context of one GPU. `why` takes a line when a
 * function fails (LEVY_REASON_SIZE bytes). Close it in any case. */
levy_status levy_curand_open(const levy_curand_calls *calls, int32_t kind, uint32_t n_dimensions,
                             uint64_t seed, bool on_device, levy_curand *curand, char *why);
/* Sets the stream of a device generator's further calls. */
levy_status levy_curand_stream(levy_curand *curand, void *stream, char *why);
/* Points first to first + n - 1, [dimension][point], n numbers from row to row. */
levy_status levy_curand_words(levy_curand *curand, uint64_t first, size_t n, uint32_t *words,
                              char *why);
void levy_curand_close(levy_curand *curand);

#endif
