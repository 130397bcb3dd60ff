/* butterfly_fault.c: faults of weights in words, see butterfly.h. */
#include "kernels/samplers/butterfly/butterfly.h"

#include "engine/base/number.h"

#include <stdio.h>

void levy_butterfly_fault_text(const levy_butterfly_fault *f, char *text, size_t size)
{
    char value[LEVY_NUMBER_SIZE];
    const char *is = value;
    levy_number_write(f->value, value);
    switch (f->reason) {
    case LEVY_BUTTERFLY_FINE:
        snprintf(text, size, "the weights are fine");
        return;
    case LEVY_BUTTERFLY_STATE:
        snprintf(text, size, "states[%zu] is %u: there is no such state", f->row,
                 (unsigned)f->item);
        return;
    case LEVY_BUTTERFLY_ALL_ZERO:
        snprintf(text, size, "path %zu: all its weights are 0: one at least must be more", f->row);
        return;
    case LEVY_BUTTERFLY_OVERFLOW:
        snprintf(text, size, "path %zu: the sum of its weights is not a finite number", f->row);
        return;
    case LEVY_BUTTERFLY_NAN:
        is = "not a number";
        break;
    case LEVY_BUTTERFLY_INFINITE:
        is = "infinite";
        break;
    case LEVY_BUTTERFLY_NEGATIVE:
        break;
    }
    snprintf(text, size, "%s[%zu][%u] is %s: a weight must be a finite number, 0 or more",
             f->of_phi ? "phi" : "theta", f->row, (unsigned)f->item, is);
}
