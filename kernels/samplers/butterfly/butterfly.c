/* butterfly.c: see butterfly.h. The draw itself is in butterfly_body.h, once per precision. */
#include "kernels/samplers/butterfly/butterfly.h"
#include "kernels/samplers/butterfly/butterfly_target.h"

#include <string.h>

#define BUTTERFLY_INLINE static inline __attribute__((always_inline))

static size_t butterfly_state(const levy_butterfly_draws *d, size_t path)
{
    const uint32_t state = d->states ? d->states[path] : 0;
    return state < d->n_states ? state : d->n_states - 1;
}

static size_t butterfly_n_draws(const levy_butterfly_draws *d)
{
    return d->n_draws ? d->n_draws : 1;
}

#define BUTTERFLY_REAL double
#define BUTTERFLY(name) butterfly_##name##_double
#define BUTTERFLY_BITS uint64_t
#define BUTTERFLY_LANES 2
#define BUTTERFLY_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2)
#define BUTTERFLY_ODD(a, b) __builtin_shufflevector(a, b, 1, 3)
#include "kernels/samplers/butterfly/butterfly_body.h"

#define BUTTERFLY_REAL float
#define BUTTERFLY(name) butterfly_##name##_single
#define BUTTERFLY_BITS uint32_t
#define BUTTERFLY_LANES 4
#define BUTTERFLY_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define BUTTERFLY_ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#include "kernels/samplers/butterfly/butterfly_body.h"

levy_status levy_butterfly_admit(const levy_butterfly_draws *d)
{
    if (d->n_items < 1 || d->n_items > LEVY_BUTTERFLY_MOST || d->n_states < 1) return LEVY_ARGUMENT;
    if (d->theta_stride < d->n_items || d->phi_stride < d->n_items) return LEVY_ARGUMENT;
    if (d->n_paths > 0 && (!d->theta || !d->phi || !d->words || !d->items)) return LEVY_ARGUMENT;
    return LEVY_OK;
}

size_t levy_butterfly_draw(const levy_butterfly_draws *draws, size_t first, size_t last)
{
    return draws->single ? butterfly_draw_single(draws, first, last)
                         : butterfly_draw_double(draws, first, last);
}

levy_status levy_butterfly_check(const levy_butterfly_draws *draws, levy_butterfly_fault *fault)
{
    *fault = (levy_butterfly_fault){.reason = LEVY_BUTTERFLY_FINE};
    if (draws->single)
        butterfly_check_single(draws, fault);
    else
        butterfly_check_double(draws, fault);
    return fault->reason == LEVY_BUTTERFLY_FINE ? LEVY_OK : LEVY_INPUT;
}
