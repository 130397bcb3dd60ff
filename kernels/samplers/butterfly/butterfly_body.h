/* butterfly_body.h: a draw on the CPU, in the order of butterfly.h. No guard: butterfly.c includes
 * it once per precision, with BUTTERFLY_REAL (the number), BUTTERFLY_BITS (an integer as wide),
 * BUTTERFLY(name) (its function's name) and BUTTERFLY_LANES (numbers in 16 bytes).
 *
 * The lower levels of a block's tree are added in registers of 16 bytes, which every machine has:
 * even and odd items are pulled apart and added, which keeps the order. Wider registers would need
 * a shuffle across their halves at every level. */

typedef BUTTERFLY_REAL BUTTERFLY(lanes) __attribute__((vector_size(16)));

BUTTERFLY_INLINE BUTTERFLY(lanes) BUTTERFLY(load)(const BUTTERFLY_REAL *at)
{
    BUTTERFLY(lanes) pack;
    memcpy(&pack, at, sizeof pack);
    return pack;
}

/* The sums of neighbours among the 2 x BUTTERFLY_LANES numbers of a and b. */
BUTTERFLY_INLINE BUTTERFLY(lanes) BUTTERFLY(pairs)(BUTTERFLY(lanes) a, BUTTERFLY(lanes) b)
{
    return BUTTERFLY_EVEN(a, b) + BUTTERFLY_ODD(a, b);
}

BUTTERFLY_INLINE BUTTERFLY(lanes)
    BUTTERFLY(weights)(const BUTTERFLY_REAL *theta, const BUTTERFLY_REAL *phi)
{
    return BUTTERFLY(load)(theta) * BUTTERFLY(load)(phi);
}

/* Sums of four neighbours. They are written out, because gcc does not unroll loops over registers
 * at -O2. */
BUTTERFLY_INLINE BUTTERFLY(lanes)
    BUTTERFLY(fours)(const BUTTERFLY_REAL *theta, const BUTTERFLY_REAL *phi)
{
    enum { L = BUTTERFLY_LANES };
    const BUTTERFLY(lanes) low =
        BUTTERFLY(pairs)(BUTTERFLY(weights)(theta, phi), BUTTERFLY(weights)(theta + L, phi + L));
    const BUTTERFLY(lanes) high = BUTTERFLY(pairs)(BUTTERFLY(weights)(theta + 2 * L, phi + 2 * L),
                                                   BUTTERFLY(weights)(theta + 3 * L, phi + 3 * L));
    return BUTTERFLY(pairs)(low, high);
}

BUTTERFLY_INLINE BUTTERFLY(lanes)
    BUTTERFLY(eights)(const BUTTERFLY_REAL *theta, const BUTTERFLY_REAL *phi)
{
    enum { L = 4 * BUTTERFLY_LANES };
    return BUTTERFLY(pairs)(BUTTERFLY(fours)(theta, phi), BUTTERFLY(fours)(theta + L, phi + L));
}

BUTTERFLY_INLINE BUTTERFLY_REAL BUTTERFLY(block_sum)(const BUTTERFLY_REAL *theta,
                                                     const BUTTERFLY_REAL *phi)
{
#if BUTTERFLY_LANES == 4
    const BUTTERFLY(lanes) s = BUTTERFLY(eights)(theta, phi);
    return (s[0] + s[1]) + (s[2] + s[3]);
#else
    const BUTTERFLY(lanes) s =
        BUTTERFLY(pairs)(BUTTERFLY(eights)(theta, phi), BUTTERFLY(eights)(theta + 16, phi + 16));
    return s[0] + s[1];
#endif
}

/* Fills the tree of a block of `count` items. Its entries [n, 2 n) are the level of n nodes. */
static void BUTTERFLY(tree_fill)(BUTTERFLY_REAL *tree, const BUTTERFLY_REAL *theta,
                                 const BUTTERFLY_REAL *phi, uint32_t count)
{
    BUTTERFLY_REAL *const leaves = tree + LEVY_BUTTERFLY_BLOCK;
    uint32_t k = 0, i = LEVY_BUTTERFLY_BLOCK;
    for (; k + BUTTERFLY_LANES <= count; k += BUTTERFLY_LANES) {
        const BUTTERFLY(lanes) w = BUTTERFLY(weights)(theta + k, phi + k);
        memcpy(leaves + k, &w, sizeof w);
    }
    for (; k < LEVY_BUTTERFLY_BLOCK; ++k)
        leaves[k] = k < count ? theta[k] * phi[k] : (BUTTERFLY_REAL)0;
    while (i >= 2 * BUTTERFLY_LANES) {
        i -= BUTTERFLY_LANES;
        const BUTTERFLY(lanes) s = BUTTERFLY(pairs)(
            BUTTERFLY(load)(tree + 2 * i), BUTTERFLY(load)(tree + 2 * i + BUTTERFLY_LANES));
        memcpy(tree + i, &s, sizeof s);
    }
    while (--i > 0) tree[i] = tree[2 * i] + tree[2 * i + 1];
}

/* `a` where `all` is all ones, `b` where it is 0. Of a conditional gcc makes a branch. */
BUTTERFLY_INLINE BUTTERFLY_REAL BUTTERFLY(pick)(BUTTERFLY_BITS all, BUTTERFLY_REAL a,
                                                BUTTERFLY_REAL b)
{
    BUTTERFLY_BITS x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    x = (x & all) | (y & ~all);
    memcpy(&a, &x, sizeof x);
    return a;
}

/* The place of the target in a block, without branches, because they could not be predicted. */
static uint32_t BUTTERFLY(tree_search)(const BUTTERFLY_REAL *tree, BUTTERFLY_REAL low,
                                       BUTTERFLY_REAL target)
{
    uint32_t node = 1;
    while (node < LEVY_BUTTERFLY_BLOCK) {
        const BUTTERFLY_REAL middle = low + tree[2 * node];
        const uint32_t up =
            (uint32_t)(target >= middle) & (uint32_t)(tree[2 * node + 1] > (BUTTERFLY_REAL)0);
        low = BUTTERFLY(pick)(0 - (BUTTERFLY_BITS)up, middle, low);
        node = 2 * node + up;
    }
    return node - LEVY_BUTTERFLY_BLOCK;
}

/* Fills the sums up to the end of each block, and the last block's tree. Returns the total. */
static BUTTERFLY_REAL BUTTERFLY(sums)(const BUTTERFLY_REAL *theta, const BUTTERFLY_REAL *phi,
                                      uint32_t n, BUTTERFLY_REAL *ends, BUTTERFLY_REAL *tree)
{
    const uint32_t last = (n - 1) / LEVY_BUTTERFLY_BLOCK, first = last * LEVY_BUTTERFLY_BLOCK;
    BUTTERFLY_REAL total = 0;
    for (uint32_t b = 0; b < last; ++b)
        ends[b] = total +=
            BUTTERFLY(block_sum)(theta + b * LEVY_BUTTERFLY_BLOCK, phi + b * LEVY_BUTTERFLY_BLOCK);
    BUTTERFLY(tree_fill)(tree, theta + first, phi + first, n - first);
    return total + tree[1];
}

/* The sums of a path, and the tree of the block that was looked into last. */
struct BUTTERFLY(path) {
    const BUTTERFLY_REAL *theta, *phi;
    BUTTERFLY_REAL ends[LEVY_BUTTERFLY_MOST / LEVY_BUTTERFLY_BLOCK], tree[2 * LEVY_BUTTERFLY_BLOCK];
    BUTTERFLY_REAL total;
    uint32_t n, filled;
};

static uint32_t BUTTERFLY(item)(struct BUTTERFLY(path) * p, uint32_t word)
{
    const BUTTERFLY_REAL target = BUTTERFLY(target)(p->total, word);
    const uint32_t most = (p->n - 1) / LEVY_BUTTERFLY_BLOCK;
    uint32_t block = 0, last = most;
    while (block < last) {
        const uint32_t middle = (block + last) / 2;
        const uint32_t below = 0 - (uint32_t)(target < p->ends[middle]); /* all ones: it is */
        last = (middle & below) | (last & ~below);
        block = (block & below) | ((middle + 1) & ~below);
    }
    const uint32_t first = block * LEVY_BUTTERFLY_BLOCK,
                   count = block < most ? LEVY_BUTTERFLY_BLOCK : p->n - first;
    const BUTTERFLY_REAL low = block > 0 ? p->ends[block - 1] : (BUTTERFLY_REAL)0;
    if (block != p->filled) {
        BUTTERFLY(tree_fill)(p->tree, p->theta + first, p->phi + first, count);
        p->filled = block;
    }
    return first + BUTTERFLY(tree_search)(p->tree, low, target);
}

/* All draws of a path; whether its total is a positive finite number. */
static int BUTTERFLY(items)(const levy_butterfly_draws *d, size_t path)
{
    struct BUTTERFLY(path) its, *const p = &its;
    const size_t n = butterfly_n_draws(d);
    const uint32_t *const words = d->words + path * n;
    uint32_t *const items = d->items + path * n;
    p->theta = (const BUTTERFLY_REAL *)d->theta + path * d->theta_stride;
    p->phi = (const BUTTERFLY_REAL *)d->phi + butterfly_state(d, path) * d->phi_stride;
    p->n = d->n_items;
    p->filled = (p->n - 1) / LEVY_BUTTERFLY_BLOCK;
    p->total = BUTTERFLY(sums)(p->theta, p->phi, p->n, p->ends, p->tree);
    const int good = BUTTERFLY(drawable)(p->total);
    for (size_t i = 0; i < n; ++i) items[i] = good ? BUTTERFLY(item)(p, words[i]) : 0;
    return good;
}

static size_t BUTTERFLY(draw)(const levy_butterfly_draws *d, size_t first, size_t last)
{
    size_t bad = SIZE_MAX;
    for (size_t p = first; p < last; ++p)
        if (!BUTTERFLY(items)(d, p) && bad == SIZE_MAX) bad = p;
    return bad;
}

/* ---- Checking -------------------------------------------------------------------------------- */

static levy_butterfly_reason BUTTERFLY(row_check)(const BUTTERFLY_REAL *row, uint32_t n,
                                                  levy_butterfly_fault *fault)
{
    for (uint32_t k = 0; k < n; ++k) {
        const BUTTERFLY_REAL w = row[k];
        if (w >= (BUTTERFLY_REAL)0 && w - w == (BUTTERFLY_REAL)0) continue;
        fault->item = k;
        fault->value = (double)w;
        return fault->reason = w != w                  ? LEVY_BUTTERFLY_NAN
                               : w < (BUTTERFLY_REAL)0 ? LEVY_BUTTERFLY_NEGATIVE
                                                       : LEVY_BUTTERFLY_INFINITE;
    }
    return LEVY_BUTTERFLY_FINE;
}

static void BUTTERFLY(check)(const levy_butterfly_draws *d, levy_butterfly_fault *fault)
{
    const BUTTERFLY_REAL *const theta = d->theta, *const phi = d->phi;
    BUTTERFLY_REAL ends[LEVY_BUTTERFLY_MOST / LEVY_BUTTERFLY_BLOCK], tree[2 * LEVY_BUTTERFLY_BLOCK];
    fault->of_phi = 1;
    for (fault->row = 0; fault->row < d->n_states; ++fault->row)
        if (BUTTERFLY(row_check)(phi + fault->row * d->phi_stride, d->n_items, fault)) return;
    fault->of_phi = 0;
    for (fault->row = 0; fault->row < d->n_paths; ++fault->row) {
        const BUTTERFLY_REAL *const row = theta + fault->row * d->theta_stride;
        if (d->states && d->states[fault->row] >= d->n_states) {
            fault->item = d->states[fault->row];
            fault->reason = LEVY_BUTTERFLY_STATE;
            return;
        }
        if (BUTTERFLY(row_check)(row, d->n_items, fault)) return;
        const BUTTERFLY_REAL *const factors = phi + butterfly_state(d, fault->row) * d->phi_stride;
        const BUTTERFLY_REAL total = BUTTERFLY(sums)(row, factors, d->n_items, ends, tree);
        if (BUTTERFLY(drawable)(total)) continue;
        fault->value = (double)total;
        fault->reason =
            total > (BUTTERFLY_REAL)0 ? LEVY_BUTTERFLY_OVERFLOW : LEVY_BUTTERFLY_ALL_ZERO;
        return;
    }
}

#undef BUTTERFLY_REAL
#undef BUTTERFLY
#undef BUTTERFLY_BITS
#undef BUTTERFLY_LANES
#undef BUTTERFLY_EVEN
#undef BUTTERFLY_ODD
