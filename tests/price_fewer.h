/* price_fewer.h: books priced on fewer paths under a sanitizer (fewer_paths.h), and their measures,
 * for tests. Included once per test program. */
#ifndef LEVY_TESTS_PRICE_FEWER_H
#define LEVY_TESTS_PRICE_FEWER_H

#include "tests/priced.h"

#include "tests/fewer_paths.h"

#include <stdio.h>

static inline priced price_fewer(const char *text)
{
    char fewer[4096];
    snprintf(fewer, sizeof fewer, "%s", text);
    fewer_paths(fewer);
    priced p = price_alone(fewer, NULL, 0, NULL);
    assert_priced(&p);
    return p;
}

/* A trade's measure, which must be there. */
static inline const levy_measure *measured(const priced *p, const char *id, const char *name,
                                           const char *factor)
{
    const levy_measure *const m = find_measure(find_trade(p->results, id), name, factor);
    if (!m) fail_msg("%s has no %s of %s", id, name, factor);
    return m;
}

#endif
