/* split_mix.h: words from a state of 64 bits, for keys, resampling and the starts of searches: what
 * is not a draw of a path. Source: G. Steele, D. Lea, C. Flood, Fast Splittable Pseudorandom Number
 * Generators, OOPSLA 2014. Must not know: what the words are for. */
#ifndef LEVY_BASE_SPLIT_MIX_H
#define LEVY_BASE_SPLIT_MIX_H

#include <stdint.h>

static inline uint64_t levy_split_mix(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

#endif
