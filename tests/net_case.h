/* net_case.h: what the tests of digital nets share: texts written piece by piece, Sobol's own
 * numbers and Joe and Kuo's table as a net, and a word by hand. Included once per test program. */
#ifndef LEVY_TESTS_NET_CASE_H
#define LEVY_TESTS_NET_CASE_H

#include "tests/cmocka_all.h"

#define LANE_SCALAR
#include "kernels/points/net.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static levy_arena arena;

static inline int open_arena(void **state)
{
    (void)state;
    levy_arena_init(&arena, &levy_memory_default);
    return 0;
}

static inline int close_arena(void **state)
{
    (void)state;
    levy_arena_release(&arena);
    return 0;
}

typedef struct text_out {
    char *text;
    size_t length;
} text_out;

__attribute__((format(printf, 2, 3))) static inline void put(text_out *out, const char *format, ...)
{
    enum { ROOM = 12 << 20 };
    va_list arguments;
    if (!out->text) out->text = calloc(1, ROOM);
    assert_non_null(out->text);
    va_start(arguments, format);
    out->length +=
        (size_t)vsnprintf(out->text + out->length, ROOM - out->length, format, arguments);
    va_end(arguments);
    assert_true(out->length < ROOM);
}

static inline uint32_t *sobol_numbers(uint32_t n)
{
    uint32_t *const table = malloc(32 * (size_t)n * sizeof *table);
    assert_true(table && levy_sobol_directions(n, table));
    return table;
}

static inline void assert_reads(const text_out *from, uint32_t n_dimensions, uint32_t n_columns,
                                levy_net *net)
{
    levy_net_fault fault = {.line = 0};
    const levy_status status = levy_net_read(&arena, from->text, from->length, net, &fault);
    if (status != LEVY_OK) print_error("%zu:%zu: %s\n", fault.line, fault.column, fault.message);
    assert_int_equal(status, LEVY_OK);
    assert_int_equal(net->n_dimensions, n_dimensions);
    assert_int_equal(net->n_columns, n_columns);
}

/* The project's table in Joe and Kuo's own format, from dimension 2 on. */
static inline void put_joe_kuo(text_out *out, uint32_t n_dimensions)
{
    FILE *const file = fopen(LEVY_SOURCE_DIR "/kernels/points/joe_kuo.txt", "r");
    char line[512];
    uint32_t d = 1;
    assert_non_null(file);
    while (d < n_dimensions && fgets(line, sizeof line, file)) {
        unsigned number, polynomial, degree = 0;
        int used;
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%u %u%n", &number, &polynomial, &used), 2);
        while (polynomial >> (degree + 1)) ++degree;
        put(out, "%u %u %u%s", ++d, degree, (polynomial ^ 1u << degree) >> 1, line + used);
    }
    assert_int_equal(d, n_dimensions);
    fclose(file);
}

static inline uint32_t word_of(const uint32_t numbers[32], uint32_t shift, uint32_t index)
{
    uint32_t word = shift;
    for (uint32_t b = 0; b < 32; ++b)
        if (sobol_gray(index) >> b & 1) word ^= numbers[b];
    return word;
}

#endif
