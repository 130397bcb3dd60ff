/* fit_launch.h: the fit of a rule of exercise (payoffs/policy_fit.h) on levels that an open GPU has
 * kept. Part of the CUDA backend's state. Must not know: how levels were made. */
#ifndef LEVY_CUDA_DEVICE_FIT_LAUNCH_H
#define LEVY_CUDA_DEVICE_FIT_LAUNCH_H

#include "kernels/cuda/device/launch.h"
#include "payoffs/policy_fit.h"

enum { LEVY_FIT_ASSETS = 16, LEVY_FIT_TEXT = 1280, LEVY_FIT_KINDS = 8 };

/* A kernel's arguments, as fit.cu has them. */
typedef struct levy_fit_arguments {
    levy_cuda_pointer record, nodes, fits, worth, moments, fitted, slope, shift, paid, last, sums,
        arrived;
    unsigned long long block_size, n_paths;
    unsigned n_dates, n_blocks;
    double sign, strike;
    double coefficients[LEVY_FIT_ASSETS], weights[LEVY_FIT_ASSETS], spot[LEVY_FIT_ASSETS];
} levy_fit_arguments;

/* What a state keeps from fit to fit: modules by what they were compiled for, and memory. */
typedef struct levy_cuda_fits {
    void *kinds[LEVY_FIT_KINDS];
    size_t next; /* the one that the next takes the place of */
    levy_cuda_pointer levels, room;
    void *host;                               /* pinned, for numbers by date */
    size_t levels_size, room_size, host_size; /* bytes */
} levy_cuda_fits;

/* Writes what stands in front of fit.cu. */
void levy_fit_shape_write(const levy_rule_pass *pass, char text[LEVY_FIT_TEXT]);

/* Makes sure of memory for the levels of a record. Returns a code. The device is entered. */
int levy_fits_keep(levy_device *device, levy_cuda_fits *fits, size_t bytes);
/* As levy_backend.fit, on the stream. */
levy_status levy_fits_run(levy_device *device, levy_cuda_fits *fits, void *stream,
                          const levy_rule_pass *pass, double *fitted, char *why);
/* Gives memory back; the device is entered. And modules, before the device is closed. */
void levy_fits_clear(levy_device *device, levy_cuda_fits *fits);
void levy_fits_close(levy_cuda_fits *fits);

#endif
