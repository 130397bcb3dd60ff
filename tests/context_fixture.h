/* context_fixture.h: one context for all tests of a group. Included once per test program. */
#ifndef LEVY_TESTS_CONTEXT_FIXTURE_H
#define LEVY_TESTS_CONTEXT_FIXTURE_H

#include "engine/levy.h"

static levy_context *context;

static inline int open_context(void **state)
{
    (void)state;
    return levy_context_create(NULL, &context);
}

static inline int close_context(void **state)
{
    (void)state;
    levy_context_destroy(context);
    return 0;
}

#endif
