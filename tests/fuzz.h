/* fuzz.h: what the harnesses for libFuzzer share. */
#ifndef LEVY_TESTS_FUZZ_H
#define LEVY_TESTS_FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(bool condition)
{
    if (!condition) abort();
}

#endif
