/* instruction_sets.h: every instruction set that this build and processor have gives the same
 * price. For tests on greeks_case.h. */
#ifndef LEVY_TESTS_INSTRUCTION_SETS_H
#define LEVY_TESTS_INSTRUCTION_SETS_H

#include "tests/greeks_case.h"

#include "kernels/cpu/cpu_objects.h"

static inline double price_on_set(const char *text, size_t trade, const levy_setting *settings,
                                  size_t n, const char *isa)
{
    const levy_price_options options = {.struct_size = sizeof options, .device = "cpu", .isa = isa};
    priced p;
    price_with(&p, text, settings, n, &options);
    const double value = measure_of(&p, trade, "price", "")->value;
    release(&p);
    return value;
}

static inline void assert_sets_agree(const char *text, size_t trade, const levy_setting *settings,
                                     size_t n)
{
    static const char *const sets[] = {"baseline", "avx2", "avx512", "neon"};
    const double want = price_on_set(text, trade, settings, n, LEVY_TEST_ISA);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; ++i) {
        char why[LEVY_REASON_SIZE];
        if (levy_cpu_choose(sets[i], why))
            assert_true(price_on_set(text, trade, settings, n, sets[i]) == want);
    }
}

#endif
