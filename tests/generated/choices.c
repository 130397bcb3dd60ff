/* choices.c: see choices.h. */
#include "tests/generated/choices.h"

#include <stdlib.h>
#include <string.h>

void choices_from_seed(choices *c, uint64_t seed)
{
    memset(c, 0, sizeof *c);
    c->state = seed;
    c->drawn = true;
}

void choices_from_list(choices *c, const uint32_t *given, size_t n)
{
    memset(c, 0, sizeof *c);
    memcpy(c->given, given, n * sizeof *given);
    c->n_given = n;
}

/* SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, 2014). */
static uint64_t next_word(choices *c)
{
    uint64_t z = c->state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

unsigned choose(choices *c, unsigned n)
{
    uint32_t taken = 0;
    if (c->n == MOST_CHOICES) return 0;
    if (c->drawn)
        taken = (uint32_t)((next_word(c) >> 32) * n >> 32);
    else if (c->n < c->n_given)
        taken = c->given[c->n] < n ? c->given[c->n] : n - 1;
    return c->taken[c->n++] = taken;
}

unsigned choose_weighted(choices *c, const unsigned char *weights)
{
    unsigned sum = 0, at = 0;
    for (size_t i = 0; weights[i]; ++i) sum += weights[i];
    unsigned left = choose(c, sum);
    while (left >= weights[at]) left -= weights[at++];
    return at;
}

bool choose_rarely(choices *c, unsigned percent) { return choose(c, 100) >= 100 - percent; }

double choose_between(choices *c, double simplest, double other, unsigned steps)
{
    return simplest + (other - simplest) * choose(c, steps + 1) / steps;
}

/* ---- Making a list smaller ---- */

typedef struct shrinking {
    choices_show shows;
    void *user;
    size_t trials;
    choices tried;
    uint32_t best[MOST_CHOICES], list[MOST_CHOICES];
    size_t n, n_list;
} shrinking;

/* Shorter lists first, then those with a smaller number where they first differ. */
static bool is_smaller(const uint32_t *a, size_t n_a, const uint32_t *b, size_t n_b)
{
    if (n_a != n_b) return n_a < n_b;
    for (size_t i = 0; i < n_a; ++i)
        if (a[i] != b[i]) return a[i] < b[i];
    return false;
}

/* Takes `list` if it still shows, as what was taken of it. */
static bool try_list(shrinking *s)
{
    if (s->trials == 0) return false;
    --s->trials;
    choices_from_list(&s->tried, s->list, s->n_list);
    if (!s->shows(s->user, &s->tried)) return false;
    size_t n = s->tried.n;
    while (n > 0 && s->tried.taken[n - 1] == 0) --n; /* past the list all are 0 */
    if (!is_smaller(s->tried.taken, n, s->best, s->n)) return false;
    memcpy(s->best, s->tried.taken, n * sizeof *s->best);
    s->n = n;
    return true;
}

static bool try_without(shrinking *s, size_t at, size_t length)
{
    memcpy(s->list, s->best, at * sizeof *s->list);
    memcpy(s->list + at, s->best + at + length, (s->n - at - length) * sizeof *s->list);
    s->n_list = s->n - length;
    return try_list(s);
}

static bool try_zeros(shrinking *s, size_t at, size_t length)
{
    bool any = false;
    for (size_t i = at; i < at + length; ++i) any = any || s->best[i] > 0;
    if (!any) return false;
    memcpy(s->list, s->best, s->n * sizeof *s->list);
    memset(s->list + at, 0, length * sizeof *s->list);
    s->n_list = s->n;
    return try_list(s);
}

static bool try_lower(shrinking *s, size_t at)
{
    for (int half = 1; half >= 0; --half) {
        if (s->best[at] < 2) return false;
        memcpy(s->list, s->best, s->n * sizeof *s->list);
        s->list[at] = half ? s->best[at] / 2 : s->best[at] - 1;
        s->n_list = s->n;
        if (try_list(s)) return true;
    }
    return false;
}

static bool shrink_once(shrinking *s)
{
    bool better = false;
    for (size_t length = s->n / 2 > 0 ? s->n / 2 : 1; length > 0; length /= 2)
        for (size_t at = 0; at + length <= s->n;)
            if (try_without(s, at, length) || try_zeros(s, at, length))
                better = true;
            else
                at += length;
    for (size_t at = 0; at < s->n; ++at)
        while (at < s->n && try_lower(s, at)) better = true;
    return better;
}

void choices_shrink(choices *c, choices_show shows, void *user, size_t trials)
{
    shrinking *const s = calloc(1, sizeof *s);
    if (!s) return;
    s->shows = shows;
    s->user = user;
    s->trials = trials;
    memcpy(s->best, c->taken, c->n * sizeof *s->best);
    s->n = c->n;
    while (shrink_once(s)) {}
    choices_from_list(c, s->best, s->n);
    free(s);
}
