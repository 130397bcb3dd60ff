/* host_block.h: a GPU's blocks and warps on the host, for .cu files compiled as C++: the threads of
 * a block are contexts that take turns, blocks run one after the other. Must not know: which
 * kernels. */
#ifndef LEVY_TESTS_HOST_BLOCK_H
#define LEVY_TESTS_HOST_BLOCK_H

#define __CUDACC__ 1
#define __device__
#define __host__
#define __global__
#define __forceinline__ inline
#ifndef __shared__ /* of a host whose kernel names its shared memory itself */
#define __shared__ static
#endif
#define __launch_bounds__(...)

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "tests/host_words.h"

struct host_index {
    unsigned x, y;
};
static host_index threadIdx, blockIdx, blockDim, gridDim;

/* ---- Threads of a block ---------------------------------------------------------------------- */

#ifndef HOST_STACK
#define HOST_STACK (64 << 10)
#endif
enum { HOST_THREADS = 1024 };
/* to start with; then jumps, which cost no system call */
static ucontext_t host_contexts[HOST_THREADS];
static jmp_buf host_scheduler, host_places[HOST_THREADS];
static bool host_done[HOST_THREADS];
static unsigned host_current;
static unsigned host_running, host_running_of[HOST_THREADS / 32]; /* in the block, in its warps */
static void (*host_body)();
static char *const host_stacks = (char *)malloc((size_t)HOST_THREADS * HOST_STACK);

static void host_yield()
{
    if (_setjmp(host_places[host_current]) == 0) _longjmp(host_scheduler, 1);
}
static void host_enter()
{
    host_body();
    host_done[host_current] = true;
    --host_running;
    --host_running_of[host_current / 32];
    _longjmp(host_scheduler, 1);
}

/* Threads meet when all that still run have come; a thread that has ended counts as come. */
struct host_meeting {
    unsigned arrived, round;
};
static host_meeting host_block, host_warps[HOST_THREADS / 32];
static void host_meet(host_meeting *m, const unsigned *running)
{
    const unsigned round = m->round;
    ++m->arrived;
    while (m->round == round) {
        if (m->arrived >= *running) {
            m->arrived = 0;
            ++m->round;
        } else {
            host_yield();
        }
    }
}
static void __syncthreads() { host_meet(&host_block, &host_running); }
static int host_or[2];
static int __syncthreads_or(int value)
{
    /* two in turn: a fast thread may be one round ahead */
    const unsigned slot = host_block.round % 2;
    host_or[slot] |= value;
    __syncthreads();
    const int result = host_or[slot];
    host_or[1 - slot] = 0;
    return result;
}
static void host_warp_meet()
{
    host_meet(&host_warps[threadIdx.x / 32], &host_running_of[threadIdx.x / 32]);
}

/* What the threads of a warp show each other: two places in turn, so that they meet once only. A
 * place is written again two meetings later, when all have read it. */
template <class T>
struct host_shown {
    static T values[2][HOST_THREADS];
};
template <class T>
T host_shown<T>::values[2][HOST_THREADS];

template <class T>
static const T *host_show(const T &value) /* of the warp's 32 threads */
{
    const unsigned me = threadIdx.x;
    T *const values = host_shown<T>::values[host_warps[me / 32].round % 2];
    values[me] = value;
    host_warp_meet();
    return values + me / 32 * 32;
}
template <class T>
static T host_shuffle_up(const T &value, unsigned by)
{
    const unsigned lane = threadIdx.x % 32;
    const T *const values = host_show(value);
    return lane >= by ? values[lane - by] : value;
}
template <class T>
static T host_shuffle(const T &value, unsigned lane)
{
    return host_show(value)[lane % 32];
}
static void host_resume(unsigned t, bool started)
{
    host_current = threadIdx.x = t;
    if (_setjmp(host_scheduler)) return;
    if (started) _longjmp(host_places[t], 1);
    setcontext(&host_contexts[t]);
}

static void host_block_run(unsigned threads)
{
    host_running = threads;
    for (unsigned t = 0; t < threads; ++t) {
        host_running_of[t / 32] = t % 32 + 1;
        host_done[t] = false;
        getcontext(&host_contexts[t]);
        host_contexts[t].uc_stack.ss_sp = &host_stacks[(size_t)t * HOST_STACK];
        host_contexts[t].uc_stack.ss_size = HOST_STACK;
        host_contexts[t].uc_link = nullptr;
        makecontext(&host_contexts[t], host_enter, 0);
    }
    for (bool started = false, left = true; left; started = true) {
        left = false;
        for (unsigned t = 0; t < threads; ++t)
            if (!host_done[t]) {
                host_resume(t, started);
                left |= !host_done[t];
            }
    }
}

template <class Body>
static void host_launch(uint64_t blocks, unsigned threads, const Body &body)
{
    static const Body *current;
    current = &body;
    gridDim.x = (unsigned)blocks;
    blockDim.x = threads;
    host_body = [] { (*current)(); };
    for (uint64_t b = 0; b < blocks; ++b) {
        blockIdx.x = (unsigned)b;
        host_block_run(threads);
    }
}

alignas(64) static unsigned char host_shared[256 << 10];

#endif
