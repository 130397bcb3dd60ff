/* order.c: see order.h. A radix sort from the lowest digit of the keys' bits on: a pass for each of
 * six digits, so ten million keys take a fraction of a second. Digits that all keys share are
 * skipped. Source: D. Knuth, The Art of Computer Programming, volume 3, section 5.2.5. */
#include "engine/base/order.h"

#include <string.h>

enum { ORDER_BITS = 11, ORDER_CELLS = 1 << ORDER_BITS, ORDER_DIGITS = 6 };

typedef struct order_item {
    uint64_t key;
    uint32_t index;
} order_item;

/* Bits that rise with the number: those of a negative one are turned around. */
static uint64_t order_key(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static size_t order_digit(uint64_t key, unsigned digit)
{
    return (size_t)(key >> (ORDER_BITS * digit)) & (ORDER_CELLS - 1);
}

/* Moves the items to `to`, sorted by one digit. False: they all have the same one. */
static bool order_pass(const order_item *from, size_t n, unsigned digit, order_item *to)
{
    size_t start[ORDER_CELLS] = {0}, before = 0;
    for (size_t i = 0; i < n; ++i) ++start[order_digit(from[i].key, digit)];
    if (n == 0 || start[order_digit(from[0].key, digit)] == n) return false;
    for (size_t cell = 0; cell < ORDER_CELLS; ++cell) {
        const size_t here = start[cell];
        start[cell] = before;
        before += here;
    }
    for (size_t i = 0; i < n; ++i) to[start[order_digit(from[i].key, digit)]++] = from[i];
    return true;
}

bool levy_order(const levy_memory *memory, const double *keys, size_t n, uint32_t *order)
{
    order_item *const all = levy_memory_allocate(memory, 2 * n + 1, sizeof *all);
    if (!all) return false;
    order_item *from = all, *to = all + n;
    for (size_t i = 0; i < n; ++i) from[i] = (order_item){order_key(keys[i]), (uint32_t)i};
    for (unsigned digit = 0; digit < ORDER_DIGITS; ++digit)
        if (order_pass(from, n, digit, to)) {
            order_item *const sorted = to;
            to = from;
            from = sorted;
        }
    for (size_t i = 0; i < n; ++i) order[i] = from[i].index;
    levy_memory_release(memory, all);
    return true;
}

int levy_order_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}
