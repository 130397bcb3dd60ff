/* number.h: the one decimal grammar, in and out, whatever the host's locale.
 *     [-+]?(digits(.digits?)?|.digits)([eE][-+]?digits)?      as in the core schema of YAML 1.2
 * Counts also take 2^k. No hex, octal, underscores, nan, inf. Reading is correctly rounded; writing
 * gives the shortest text that reads back to the same bits. */
#ifndef LEVY_BASE_NUMBER_H
#define LEVY_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum levy_number_result {
    LEVY_NUMBER_OK,
    LEVY_NUMBER_GRAMMAR,
    LEVY_NUMBER_OVERFLOW
} levy_number_result;

levy_number_result levy_number_read(const char *text, size_t length, double *value);
/* "4096" or "2^12"; no sign, no exponent */
levy_number_result levy_count_read(const char *text, size_t length, uint64_t *value);

enum { LEVY_NUMBER_SIZE = 32 }; /* room for any number written, with its NUL */
/* The shortest text that reads back exactly: 15, 16 or 17 significant digits, fewer below 2^-1022.
 * It writes nan, inf and -inf too; the caller decides what its format puts for those. */
size_t levy_number_write(double value, char buffer[LEVY_NUMBER_SIZE]);
/* for tables; independent of the locale */
size_t levy_number_write_fixed(double value, int decimals, char *buffer, size_t size);
/* A decimal number with commas between thousands: "-1,234,567.25"; also of text that goes on behind
 * it. Returns buffer, which holds what has room. */
const char *levy_number_group(const char *text, char *buffer, size_t size);

#endif
