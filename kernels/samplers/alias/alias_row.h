/* alias_row.h: the two kinds of finished rows, and entries of waiting items. C11 and CUDA C++.
 * Private to the room. */
#ifndef LEVY_ALIAS_ROW_H
#define LEVY_ALIAS_ROW_H

#include "kernels/samplers/alias/alias_fixed.h"

/* An item that waits for a partner: its index and an amount of 96 bits. The amount is what a light
 * item's row lacks or a heavy item's excess, either its own or a running sum. */
typedef struct alias_entry {
    uint64_t low;
    uint32_t high, index;
} alias_entry;

ALIAS_FN alias_wide alias_entry_amount(alias_entry e) { return (alias_wide)e.high << 64 | e.low; }

ALIAS_FN alias_entry alias_entry_make(alias_wide amount, uint32_t index)
{
    alias_entry e;
    e.low = (uint64_t)amount;
    e.high = (uint32_t)(amount >> 64);
    e.index = index;
    return e;
}

/* A row whose own item keeps share - lack; `lack` goes to another item. */
typedef struct alias_split {
    double threshold;
    int own_first; /* 1: the threshold is the own item's part */
} alias_split;

/* The own item's part is the smaller one. */
ALIAS_FN int alias_own_first(const alias_scale *s, alias_wide lack)
{
    return lack > (alias_one(s) >> 1);
}

/* A light item of weight `weight` keeps it bit for bit while it is the smaller part. */
ALIAS_FN alias_split alias_split_light(const alias_scale *s, double weight, alias_wide lack)
{
    alias_split split;
    split.own_first = alias_own_first(s, lack);
    split.threshold = split.own_first ? weight * s->lift : alias_weight(s, lack);
    return split;
}

/* A heavy item whose excess has gone elsewhere keeps the rest of its row. It keeps nothing if
 * rounding makes it lack more than a share. */
ALIAS_FN alias_split alias_split_heavy(const alias_scale *s, alias_wide lack)
{
    const alias_wide one = alias_one(s), kept = lack < one ? one - lack : 0;
    alias_split split;
    split.own_first = alias_own_first(s, lack);
    split.threshold = alias_weight(s, split.own_first ? kept : lack);
    return split;
}

#endif
