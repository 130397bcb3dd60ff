/* settle_scalar.h: what a payoff's lanes settle on one path of the host. Compiled once, because the
 * lanes of all payoffs take long. Must not know: what the number is for. */
#ifndef LEVY_PAYOFFS_SETTLE_SCALAR_H
#define LEVY_PAYOFFS_SETTLE_SCALAR_H

#include <stddef.h>
#include <stdint.h>

/* kind: of the lanes. states: the first n that the item carries, the others are 0; NULL: as they
 * start. level: at expiry, in the item's units. */
double levy_payoff_settle(uint32_t kind, uint32_t variant, const double *terms,
                          const double *states, size_t n, double level);

#endif
