/* butterfly_body.h: a draw on the CPU, in the order of butterfly.h. No guard: butterfly.c includes it once per precision, with
 * BUTTERFLY_REAL (the number), BUTTERFLY(name) (its function's name) and BUTTERFLY_LANES (numbers in 16 bytes).
 *
 * The lower levels of a block's tree are added in registers of 16 bytes, which every machine has: even and odd items are pulled
 * apart and added, which keeps the order. Wider registers would need a shuffle across their halves at every level. */

typedef BUTTERFLY_REAL BUTTERFLY(lanes) __attribute__((vector_size(16)));

enum { BUTTERFLY(packs) = LEVY_BUTTERFLY_BLOCK / BUTTERFLY_LANES };

static BUTTERFLY(lanes) BUTTERFLY(load)(const BUTTERFLY_REAL *at)
{
    BUTTERFLY(lanes) pack;
    memcpy(&pack, at, sizeof pack);
    return pack;
}

static BUTTERFLY_REAL BUTTERFLY(block_sum)(const BUTTERFLY_REAL *theta, const BUTTERFLY_REAL *phi)
{
    BUTTERFLY(lanes) w[BUTTERFLY(packs)];
    for (int i = 0; i < BUTTERFLY(packs); ++i)
        w[i] = BUTTERFLY(load)(theta + i * BUTTERFLY_LANES) * BUTTERFLY(load)(phi + i * BUTTERFLY_LANES);
    for (int n = BUTTERFLY(packs) / 2; n > 0; n /= 2)
        for (int i = 0; i < n; ++i) w[i] = BUTTERFLY_EVEN(w[2 * i], w[2 * i + 1]) + BUTTERFLY_ODD(w[2 * i], w[2 * i + 1]);
    return BUTTERFLY_ACROSS(w[0]);
}

/* Places of a block, from 0, of which `count` have items. */
static uint32_t BUTTERFLY(block_search)(const BUTTERFLY_REAL *theta, const BUTTERFLY_REAL *phi, uint32_t count, BUTTERFLY_REAL low,
                                        BUTTERFLY_REAL target)
{
    BUTTERFLY_REAL tree[2 * LEVY_BUTTERFLY_BLOCK]; /* [n, 2 n): the level of n nodes */
    for (uint32_t k = 0; k < LEVY_BUTTERFLY_BLOCK; ++k) tree[LEVY_BUTTERFLY_BLOCK + k] = k < count ? theta[k] * phi[k] : (BUTTERFLY_REAL)0;
    for (uint32_t i = LEVY_BUTTERFLY_BLOCK - 1; i > 0; --i) tree[i] = tree[2 * i] + tree[2 * i + 1];
    uint32_t node = 1;
    while (node < LEVY_BUTTERFLY_BLOCK) {
        const BUTTERFLY_REAL middle = low + tree[2 * node];
        node *= 2;
        if (target >= middle && tree[node + 1] > (BUTTERFLY_REAL)0) {
            low = middle;
            ++node;
        }
    }
    return node - LEVY_BUTTERFLY_BLOCK;
}

/* Sums up to the end of each block; returns the last. */
static BUTTERFLY_REAL BUTTERFLY(sums)(const BUTTERFLY_REAL *theta, const BUTTERFLY_REAL *phi, uint32_t n, BUTTERFLY_REAL *ends)
{
    const uint32_t whole = n / LEVY_BUTTERFLY_BLOCK, rest = n % LEVY_BUTTERFLY_BLOCK;
    BUTTERFLY_REAL total = 0;
    for (uint32_t b = 0; b < whole; ++b) {
        total += BUTTERFLY(block_sum)(theta + b * LEVY_BUTTERFLY_BLOCK, phi + b * LEVY_BUTTERFLY_BLOCK);
        ends[b] = total;
    }
    if (rest > 0) {
        BUTTERFLY_REAL padded[2][LEVY_BUTTERFLY_BLOCK] = {{0}, {0}};
        memcpy(padded[0], theta + n - rest, rest * sizeof *theta);
        memcpy(padded[1], phi + n - rest, rest * sizeof *phi);
        total += BUTTERFLY(block_sum)(padded[0], padded[1]);
        ends[whole] = total;
    }
    return total;
}

static uint32_t BUTTERFLY(item)(const BUTTERFLY_REAL *theta, const BUTTERFLY_REAL *phi, uint32_t n, uint32_t word)
{
    BUTTERFLY_REAL ends[LEVY_BUTTERFLY_MOST / LEVY_BUTTERFLY_BLOCK];
    const BUTTERFLY_REAL total = BUTTERFLY(sums)(theta, phi, n, ends);
    if (!BUTTERFLY(drawable)(total)) return 0;
    const BUTTERFLY_REAL target = BUTTERFLY(target)(total, word);
    uint32_t block = 0, last = (n - 1) / LEVY_BUTTERFLY_BLOCK;
    while (block < last) {
        const uint32_t middle = (block + last) / 2;
        if (target < ends[middle]) last = middle;
        else block = middle + 1;
    }
    const uint32_t first = block * LEVY_BUTTERFLY_BLOCK, count = n - first < LEVY_BUTTERFLY_BLOCK ? n - first : LEVY_BUTTERFLY_BLOCK;
    const BUTTERFLY_REAL low = block > 0 ? ends[block - 1] : (BUTTERFLY_REAL)0;
    return first + BUTTERFLY(block_search)(theta + first, phi + first, count, low, target);
}

static void BUTTERFLY(draw)(const levy_butterfly_draws *d, size_t first, size_t last)
{
    const BUTTERFLY_REAL *const theta = d->theta, *const phi = d->phi;
    for (size_t p = first; p < last; ++p)
        d->items[p] = BUTTERFLY(item)(theta + p * d->theta_stride, phi + butterfly_state(d, p) * d->phi_stride, d->n_items, d->words[p]);
}

/* ---- Checking ---------------------------------------------------------------------------------------------------- */

static levy_butterfly_reason BUTTERFLY(row_check)(const BUTTERFLY_REAL *row, uint32_t n, levy_butterfly_fault *fault)
{
    for (uint32_t k = 0; k < n; ++k) {
        const BUTTERFLY_REAL w = row[k];
        if (w >= (BUTTERFLY_REAL)0 && w - w == (BUTTERFLY_REAL)0) continue;
        fault->item = k;
        fault->value = (double)w;
        return fault->reason = w != w ? LEVY_BUTTERFLY_NAN : w < (BUTTERFLY_REAL)0 ? LEVY_BUTTERFLY_NEGATIVE : LEVY_BUTTERFLY_INFINITE;
    }
    return LEVY_BUTTERFLY_FINE;
}

static void BUTTERFLY(check)(const levy_butterfly_draws *d, levy_butterfly_fault *fault)
{
    const BUTTERFLY_REAL *const theta = d->theta, *const phi = d->phi;
    BUTTERFLY_REAL ends[LEVY_BUTTERFLY_MOST / LEVY_BUTTERFLY_BLOCK];
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
        const BUTTERFLY_REAL total = BUTTERFLY(sums)(row, phi + butterfly_state(d, fault->row) * d->phi_stride, d->n_items, ends);
        if (BUTTERFLY(drawable)(total)) continue;
        fault->value = (double)total;
        fault->reason = total > (BUTTERFLY_REAL)0 ? LEVY_BUTTERFLY_OVERFLOW : LEVY_BUTTERFLY_ALL_ZERO;
        return;
    }
}

#undef BUTTERFLY_REAL
#undef BUTTERFLY
#undef BUTTERFLY_LANES
#undef BUTTERFLY_EVEN
#undef BUTTERFLY_ODD
#undef BUTTERFLY_ACROSS
