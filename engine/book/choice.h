/* choice.h: the device of a book under `auto`. A GPU takes a quarter of a second to start, so the
 * CPU takes what it will have done by then. Both sides are estimates from the plans
 * (engine/run/effort.h) and constants; no clock is read. Where bits depend on the device, job and
 * machine alone decide. Where they do not, it also counts whether a GPU is open already and whether
 * its kernels are compiled. Must not know: what a backend does. */
#ifndef LEVY_BOOK_CHOICE_H
#define LEVY_BOOK_CHOICE_H

#include "engine/book/handles.h"
#include "engine/plan/plan.h"

typedef struct levy_choice_costs {
    double start;      /* seconds until a GPU can be told to work: driver, context, module */
    double group;      /* seconds of a group in addition to its paths: kernels and plan */
    double compile;    /* seconds of a kernel that no cache has */
    double threads[3]; /* [precision]: how many CPU threads with AVX-512 a GPU equals */
} levy_choice_costs;

typedef struct levy_choice {
    bool weighed;       /* false: nothing was weighed, and the rest is 0 */
    double cpu, gpu;    /* seconds of the paths, without the start of the device */
    double start;       /* of the GPU; 0: it is open */
    double compile;     /* of kernels that are missing; 0: none, or they do not count */
    char estimate[160]; /* the same in words */
} levy_choice;

/* Opens the device for all groups. As levy_call_device_open, but auto weighs first, if this machine
 * has a GPU. `alone`: by job and machine alone, because bits or a journal depend on it. */
levy_status levy_choice_open(levy_book *book, const levy_price_options *options,
                             const levy_group *groups, size_t n_groups, bool alone,
                             levy_choice *choice, levy_call_device *device);

#endif
