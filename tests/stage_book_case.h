/* stage_book_case.h: a context, a folder and prices of the toy book of stage_case.h, for programs
 * whose subject these are. Included once per test program. */
#ifndef LEVY_TESTS_STAGE_BOOK_CASE_H
#define LEVY_TESTS_STAGE_BOOK_CASE_H

#include "tests/stage_case.h"

#include <unistd.h>

static levy_context *context;
static char folder[] = "/tmp/levy-stage-XXXXXX";

static inline int set_up(void **state)
{
    const levy_context_options options = {.struct_size = sizeof options,
                                          .module_dir = getenv("LEVY_TEST_MODULE_DIR")};
    (void)state;
    if (!mkdtemp(folder)) return -1;
    return levy_context_create(&options, &context);
}

static inline int tear_down(void **state)
{
    char command[96];
    (void)state;
    levy_context_destroy(context);
    free(toy.levels);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static inline char *path_of(const char *name)
{
    static char paths[4][160];
    static size_t next;
    char *const path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static inline levy_price_options on_cpu(uint32_t threads)
{
    return (levy_price_options){
        .struct_size = sizeof(levy_price_options), .device = "cpu", .threads = threads};
}

static inline toy_priced price_plainly(void)
{
    const levy_price_options how = on_cpu(1);
    const toy_priced p = toy_price(context, NULL, NULL, &how);
    assert_int_equal(p.status, LEVY_STATUS_OK);
    return p;
}

static inline void assert_same(const toy_priced *a, const toy_priced *b)
{
    assert_int_equal(a->status, LEVY_STATUS_OK);
    assert_int_equal(b->status, LEVY_STATUS_OK);
    assert_memory_equal(a, b, sizeof *a);
}

#endif
