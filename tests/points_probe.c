/* points_probe.c: see points_probe.h. LEVY_ISA_NAME and LANE_SINGLE name the build. */
#include "tests/points_probe.h"

#include "kernels/points/points.h"

#include <string.h>

#define PROBE_JOIN_(a, b, c) a##b##c
#define PROBE_JOIN(a, b, c) PROBE_JOIN_(a, b, c)
#define PROBE_NAME(what) PROBE_JOIN(what, LEVY_ISA_NAME, LANE_PICK(_double, _single))
points_probe PROBE_NAME(points_probe_);
points_probe_lanes PROBE_NAME(points_probe_lanes_);

uint32_t PROBE_NAME(points_probe_lanes_)(void) { return LANES; }

static uint32_t probe_bits(const uint32_t *numbers, uint64_t index)
{
    uint32_t word = 0;
    for (uint64_t gray = sobol_gray(index), b = 0; gray >> b; ++b)
        if (gray >> b & 1) word ^= numbers[b];
    return word;
}

static lane_word probe_sobol(const probe_point *point)
{
    const uint32_t base = probe_bits(point->numbers, point->path & ~(uint64_t)(LANES - 1));
    lane_word low;
    for (int i = 0; i < LANES; ++i) low[i] = probe_bits(point->numbers, (uint64_t)i);
    const sobol_state s = {.base = &base, .low = &low};
    return sobol_word(&s, 0);
}

static lane_word probe_philox(const probe_point *point, uint32_t slot)
{
    points_state p;
    memset(&p, 0, sizeof p);
    p.key = point->key;
    p.cached = UINT32_MAX;
    for (int i = 0; i < LANES; ++i) {
        const uint64_t path = point->path - slot + (uint64_t)i;
        p.path_low[i] = (uint32_t)path;
        p.path_high[i] = (uint32_t)(path >> 32);
    }
    return points_philox(&p, point->draw);
}

/* Here a path is one draw of the stream. */
static lane_word probe_mrg(const probe_point *point, uint32_t slot)
{
    mrg_state s;
    mrg_start(&s, point->start, point->powers, point->path - slot);
    mrg_fan(&s, point->powers);
    return mrg_word(&s);
}

uint32_t PROBE_NAME(points_probe_)(const probe_point *point, uint32_t slot,
                                   uint32_t words[POINTS_PROBE_MOST])
{
    const lane_word w = point->generator == POINTS_SOBOL    ? probe_sobol(point)
                        : point->generator == POINTS_PHILOX ? probe_philox(point, slot)
                                                            : probe_mrg(point, slot);
    for (int i = 0; i < LANES; ++i) words[i] = w[i];
    return point->generator == POINTS_SOBOL ? (uint32_t)point->path % LANES : slot;
}
