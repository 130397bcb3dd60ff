/* clock.c: see clock.h. */
#include "engine/base/clock.h"

#include <time.h>

double levy_clock_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
