/* number.c: decimal text to double and back, free of the locale and of allocation. Up to 15 digits
 * with a small power of ten are exact in double arithmetic (W. Clinger, PLDI 1990); all else is
 * divided in exact integers (Algorithm M of the same paper, on 32-bit words), so reading is
 * correctly rounded for any length. Must not know: YAML, units. */
#include "engine/base/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    NUMBER_DIGITS = 800, /* a halfway point between doubles has at most 767 significant digits */
    NUMBER_WORDS = 128,  /* 10^1125 shifted by 64 bits: 119 words */
    NUMBER_FAST_DIGITS = 15,
    NUMBER_FAST_POWER = 22 /* 10^22 is the last power of ten that a double holds exactly */
};

/* The value is 0.d1 d2 ... as the integer d1 d2 ... dn times 10^scale. */
typedef struct number_decimal {
    unsigned char digits[NUMBER_DIGITS + 1];
    size_t n;
    int64_t scale;
    bool negative, sticky; /* sticky: a nonzero digit was dropped */
} number_decimal;

static bool number_is_digit(char c) { return c >= '0' && c <= '9'; }

static void number_push(number_decimal *number, char c, bool after_point)
{
    const unsigned char digit = (unsigned char)(c - '0');
    const bool leading_zero = digit == 0 && number->n == 0;
    if (leading_zero || number->n < NUMBER_DIGITS) {
        if (!leading_zero) number->digits[number->n++] = digit;
        if (after_point) number->scale--;
        return;
    }
    if (digit != 0) number->sticky = true;
    if (!after_point) number->scale++;
}

static const char *number_scan_digits(const char *at, const char *end, number_decimal *number,
                                      bool after_point)
{
    for (; at < end && number_is_digit(*at); ++at) number_push(number, *at, after_point);
    return at;
}

static const char *number_scan_exponent(const char *at, const char *end, int64_t *exponent)
{
    const int64_t limit = (int64_t)1 << 40; /* larger than the length of any text */
    const bool negative = at < end && *at == '-';
    if (at < end && (*at == '-' || *at == '+')) ++at;
    if (at == end) return NULL;
    for (; at < end && number_is_digit(*at); ++at)
        if (*exponent < limit) *exponent = *exponent * 10 + (*at - '0');
    if (at != end) return NULL;
    if (negative) *exponent = -*exponent;
    return at;
}

static bool number_scan(const char *text, size_t length, number_decimal *number)
{
    const char *at = text, *end = text + length;
    int64_t exponent = 0;
    if (at < end && (*at == '-' || *at == '+')) number->negative = *at++ == '-';
    const char *const whole = at;
    at = number_scan_digits(at, end, number, false);
    bool any = at > whole;
    if (at < end && *at == '.') {
        const char *const part = at + 1;
        at = number_scan_digits(part, end, number, true);
        any = any || at > part;
    }
    if (at < end)
        at = *at == 'e' || *at == 'E' ? number_scan_exponent(at + 1, end, &exponent) : NULL;
    if (!at || !any) return false;
    number->scale += exponent;
    /* Nonzero digits were dropped. A 1 in their place rounds the same way as they would. */
    if (number->sticky) {
        number->digits[number->n++] = 1;
        number->scale--;
    }
    return true;
}

static bool number_fast(const number_decimal *number, double *value)
{
    static const double powers[NUMBER_FAST_POWER + 1] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
        1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (number->n > NUMBER_FAST_DIGITS) return false;
    if (number->scale < -NUMBER_FAST_POWER || number->scale > NUMBER_FAST_POWER) return false;
    int64_t integer = 0;
    for (size_t i = 0; i < number->n; ++i) integer = integer * 10 + number->digits[i];
    *value = number->scale < 0 ? (double)integer / powers[-number->scale]
                               : (double)integer * powers[number->scale];
    return true;
}

/* ---- Exact integers ---- */

/* the lowest word first, no leading zero words */
typedef struct number_big {
    uint32_t words[NUMBER_WORDS];
    size_t n;
} number_big;

static void big_multiply_add(number_big *big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (size_t i = 0; i < big->n; ++i) {
        carry += (uint64_t)big->words[i] * factor;
        big->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) big->words[big->n++] = (uint32_t)carry;
}

static void big_multiply_power_of_ten(number_big *big, int64_t power)
{
    for (; power >= 9; power -= 9) big_multiply_add(big, 1000000000u, 0);
    for (; power > 0; --power) big_multiply_add(big, 10u, 0);
}

static void big_shift_left(number_big *big, size_t bits)
{
    const size_t words = bits / 32, rest = bits % 32;
    if (words > 0) {
        memmove(big->words + words, big->words, big->n * sizeof big->words[0]);
        memset(big->words, 0, words * sizeof big->words[0]);
        big->n += words;
    }
    if (rest > 0) big_multiply_add(big, (uint32_t)1 << rest, 0);
}

static int64_t big_bits(const number_big *big)
{
    int64_t bits = (int64_t)(big->n - 1) * 32;
    for (uint32_t top = big->words[big->n - 1]; top; top >>= 1) ++bits;
    return bits;
}

static int big_compare(const number_big *a, const number_big *b)
{
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (size_t i = a->n; i-- > 0;)
        if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
    return 0;
}

static void big_subtract(number_big *a, const number_big *b) /* a >= b */
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < a->n; ++i) {
        const uint64_t right = borrow + (i < b->n ? b->words[i] : 0u);
        borrow = a->words[i] < right;
        a->words[i] = (uint32_t)(a->words[i] - right);
    }
    while (a->n > 0 && a->words[a->n - 1] == 0) a->n--;
}

/* The bits of the double nearest to numerator / denominator, both positive; ties go to even, and an
 * overflow is infinity. */
static uint64_t number_divide(number_big *numerator, number_big *denominator)
{
    const uint64_t infinite = (uint64_t)0x7FF << 52;
    int64_t exponent = big_bits(numerator) - big_bits(denominator);
    if (exponent >= 0)
        big_shift_left(denominator, (size_t)exponent);
    else
        big_shift_left(numerator, (size_t)-exponent);
    if (big_compare(numerator, denominator) < 0) {
        big_shift_left(numerator, 1);
        exponent--;
    }
    /* Now numerator/denominator lies in [1, 2) and the value is that times 2^exponent. */
    if (exponent > DBL_MAX_EXP - 1) return infinite;
    if (exponent < -1075) return 0;
    /* exponent of the last bit kept */
    const int64_t last = exponent - 52 > -1074 ? exponent - 52 : -1074;
    uint64_t quotient = 0;
    for (int64_t bit = exponent; bit >= last; --bit) {
        quotient <<= 1;
        if (big_compare(numerator, denominator) >= 0) {
            big_subtract(numerator, denominator);
            quotient |= 1;
        }
        if (numerator->n > 0) big_shift_left(numerator, 1);
    }
    /* twice the remainder against the divisor */
    const int rest = big_compare(numerator, denominator);
    if (rest > 0 || (rest == 0 && (quotient & 1))) ++quotient;
    /* a carry out of the 53 bits adds one to the exponent, which is right */
    return ((uint64_t)(last + 1074) << 52) + quotient;
}

static double number_exact(const number_decimal *number)
{
    /* value < 10^magnitude, >= 10^(magnitude - 1) */
    const int64_t magnitude = (int64_t)number->n + number->scale;
    if (magnitude > 310) return HUGE_VAL;
    if (magnitude < -324) return 0.0;
    number_big numerator = {.n = 0}, denominator = {.words = {1}, .n = 1};
    for (size_t i = 0; i < number->n; ++i) big_multiply_add(&numerator, 10u, number->digits[i]);
    if (number->scale >= 0)
        big_multiply_power_of_ten(&numerator, number->scale);
    else
        big_multiply_power_of_ten(&denominator, -number->scale);
    const uint64_t bits = number_divide(&numerator, &denominator);
    double value = 0.0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

levy_number_result levy_number_read(const char *text, size_t length, double *value)
{
    number_decimal number;
    number.n = 0;
    number.scale = 0;
    number.negative = number.sticky = false;
    if (!number_scan(text, length, &number)) return LEVY_NUMBER_GRAMMAR;
    double magnitude = 0.0;
    if (number.n > 0 && !number_fast(&number, &magnitude)) magnitude = number_exact(&number);
    if (magnitude > DBL_MAX) return LEVY_NUMBER_OVERFLOW;
    *value = number.negative ? -magnitude : magnitude;
    return LEVY_NUMBER_OK;
}

static levy_number_result count_read_digits(const char *text, size_t length, uint64_t *value)
{
    bool overflow = false;
    if (length == 0) return LEVY_NUMBER_GRAMMAR;
    *value = 0;
    for (size_t i = 0; i < length; ++i) {
        if (!number_is_digit(text[i])) return LEVY_NUMBER_GRAMMAR;
        const uint64_t digit = (uint64_t)(text[i] - '0');
        if (*value > (UINT64_MAX - digit) / 10) overflow = true;
        if (!overflow) *value = *value * 10 + digit;
    }
    return overflow ? LEVY_NUMBER_OVERFLOW : LEVY_NUMBER_OK;
}

levy_number_result levy_count_read(const char *text, size_t length, uint64_t *value)
{
    uint64_t count = 0;
    const bool power = length > 2 && text[0] == '2' && text[1] == '^';
    const size_t before = power ? 2 : 0;
    levy_number_result result = count_read_digits(text + before, length - before, &count);
    if (power && result == LEVY_NUMBER_OK) {
        if (count > 63)
            result = LEVY_NUMBER_OVERFLOW;
        else
            count = (uint64_t)1 << count;
    }
    if (result == LEVY_NUMBER_OK) *value = count;
    return result;
}

/* ---- Writing ---- */

/* Puts '.' in place of the decimal point of the host's locale, which may have several bytes.
 * Returns the new length. */
static size_t number_fix_point(char *text, size_t length)
{
    size_t kept = 0;
    bool in_point = false;
    for (size_t i = 0; i < length; ++i) {
        const char c = text[i];
        const bool point = !number_is_digit(c) && c != '-' && c != '+' && c != 'e';
        if (!point)
            text[kept++] = c;
        else if (!in_point)
            text[kept++] = '.';
        in_point = point;
    }
    text[kept] = '\0';
    return kept;
}

static size_t number_write_word(double value, char *buffer, size_t size)
{
    return (size_t)snprintf(buffer, size, "%s",
                            value != value ? "nan"
                            : value > 0    ? "inf"
                                           : "-inf");
}

size_t levy_number_write(double value, char buffer[LEVY_NUMBER_SIZE])
{
    if (!(value - value == 0.0)) return number_write_word(value, buffer, LEVY_NUMBER_SIZE);
    char text[64];
    size_t length = 0;
    /* Normal doubles hold any 15 digits; a subnormal may be told apart by fewer. */
    for (int digits = value < DBL_MIN && value > -DBL_MIN ? 1 : 15; digits <= 17; ++digits) {
        double back = 0.0;
        const int written = snprintf(text, sizeof text, "%.*g", digits, value);
        if (written < 0 || (size_t)written >= sizeof text) return 0;
        length = number_fix_point(text, (size_t)written);
        if (levy_number_read(text, length, &back) == LEVY_NUMBER_OK &&
            memcmp(&back, &value, sizeof back) == 0) /* NOLINT: by bits, so that -0 stays -0 */
            break;
    }
    memcpy(buffer, text, length + 1);
    return length;
}

size_t levy_number_write_fixed(double value, int decimals, char *buffer, size_t size)
{
    if (!(value - value == 0.0)) return number_write_word(value, buffer, size);
    char text[512]; /* 309 digits, sign, point, 100 decimals */
    int kept = decimals > 100 ? 100 : decimals;
    if (kept < 0) kept = 0;
    const int written = snprintf(text, sizeof text, "%.*f", kept, value);
    if (written < 0 || (size_t)written >= sizeof text) return 0;
    const size_t length = number_fix_point(text, (size_t)written);
    if (size > 0) {
        const size_t copied = length < size ? length : size - 1;
        memcpy(buffer, text, copied);
        buffer[copied] = '\0';
    }
    return length;
}

const char *levy_number_group(const char *text, char *buffer, size_t size)
{
    size_t used = 0;
    const size_t lead = strcspn(text, "0123456789"), digits = strspn(text + lead, "0123456789");
    for (size_t i = 0; text[i] && used + 2 < size; ++i) {
        const bool inside = i > lead && i < lead + digits;
        if (inside && (lead + digits - i) % 3 == 0) buffer[used++] = ',';
        buffer[used++] = text[i];
    }
    buffer[used] = '\0';
    return buffer;
}
