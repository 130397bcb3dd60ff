/* alias_sum.c: the checked sum of the weights, and the scale made of it. Sums run in a fixed shape,
 * the same on any number of threads and on a GPU: chunks of ALIAS_CHUNK items, ALIAS_COLUMNS
 * running sums each, merged by halves; then the chunks' sums likewise. Every sum is a pair of
 * doubles, so that the total is good to some 100 bits. */
#include "kernels/samplers/alias/alias_build.h"

#include <float.h>
#include <math.h>

typedef struct sum_job {
    const levy_alias_weights *weights;
    alias_pair *partials;
    uint64_t chunks;
    uint64_t *first_bad; /* per worker */
    uint32_t workers;
    double factor;
} sum_job;

static bool sum_refuses(double w) { return !(w >= 0.0 && w <= DBL_MAX); }

static void sum_halve(alias_pair *sums, uint32_t count)
{
    for (uint32_t half = count / 2; half > 0; half /= 2)
        for (uint32_t c = 0; c < half; ++c) sums[c] = alias_pair_add(sums[c], sums[c + half]);
}

/* Adds one row to the columns. hi and lo are two arrays, so that the loop becomes SIMD code. */
static bool sum_row(const double *w, uint32_t count, double factor, double *hi, double *lo)
{
    bool bad = false;
    for (uint32_t c = 0; c < count; ++c) {
        const double b = w[c] * factor, sum = hi[c] + b, back = sum - hi[c];
        lo[c] += (hi[c] - (sum - back)) + (b - back);
        hi[c] = sum;
        bad |= sum_refuses(w[c]);
    }
    return bad;
}

static alias_pair sum_chunk(const sum_job *job, uint64_t first, uint64_t count, bool *bad)
{
    double hi[ALIAS_COLUMNS] = {0}, lo[ALIAS_COLUMNS] = {0}, buffer[ALIAS_COLUMNS];
    alias_pair sums[ALIAS_COLUMNS];
    for (uint64_t at = 0; at < count; at += ALIAS_COLUMNS) {
        const uint32_t width = count - at < ALIAS_COLUMNS ? (uint32_t)(count - at) : ALIAS_COLUMNS;
        const double *row = buffer;
        if (job->weights->doubles)
            row = job->weights->doubles + first + at;
        else
            for (uint32_t c = 0; c < width; ++c)
                buffer[c] = (double)job->weights->singles[first + at + c];
        if (width == ALIAS_COLUMNS)
            *bad |=
                sum_row(row, ALIAS_COLUMNS, job->factor, hi, lo); /* a constant count: vectorised */
        else
            *bad |= sum_row(row, width, job->factor, hi, lo);
    }
    for (uint32_t c = 0; c < ALIAS_COLUMNS; ++c) sums[c] = (alias_pair){hi[c], lo[c]};
    sum_halve(sums, ALIAS_COLUMNS);
    return sums[0];
}

static void sum_work(void *user, uint32_t worker)
{
    const sum_job *const job = user;
    const uint64_t begin = job->chunks * worker / job->workers,
                   end = job->chunks * (worker + 1) / job->workers;
    const uint64_t n = job->weights->count;
    job->first_bad[worker] = n;
    for (uint64_t chunk = begin; chunk < end; ++chunk) {
        const uint64_t first = chunk * ALIAS_CHUNK,
                       count = n - first < ALIAS_CHUNK ? n - first : ALIAS_CHUNK;
        bool bad = false;
        job->partials[chunk] = sum_chunk(job, first, count, &bad);
        if (!bad) continue;
        uint64_t i = first;
        while (!sum_refuses(levy_alias_weight_at(job->weights, i))) ++i;
        job->first_bad[worker] = i;
        return;
    }
}

static levy_status sum_fault(const levy_alias_weights *weights, uint64_t index,
                             levy_alias_fault *fault)
{
    const double w = levy_alias_weight_at(weights, index);
    fault->reason = w < 0.0 ? LEVY_ALIAS_NEGATIVE : LEVY_ALIAS_INFINITE;
    if (isnan(w)) fault->reason = LEVY_ALIAS_NAN;
    fault->index = index;
    fault->value = w;
    return LEVY_INPUT;
}

static alias_pair sum_merge(const sum_job *job)
{
    alias_pair columns[ALIAS_MERGE] = {{0.0, 0.0}};
    for (uint64_t chunk = 0; chunk < job->chunks; ++chunk)
        columns[chunk % ALIAS_MERGE] =
            alias_pair_add(columns[chunk % ALIAS_MERGE], job->partials[chunk]);
    sum_halve(columns, ALIAS_MERGE);
    return columns[0];
}

levy_status levy_alias_sum(levy_alias *alias, const levy_alias_weights *weights,
                           const levy_alias_crew *crew, levy_alias_fault *fault)
{
    const uint32_t workers = alias_crew_size(crew);
    sum_job job = {.weights = weights, .workers = workers, .factor = 1.0};
    job.chunks = (weights->count + ALIAS_CHUNK - 1) / ALIAS_CHUNK;
    const size_t bad = workers * sizeof *job.first_bad;
    job.partials = levy_alias_scratch(alias, job.chunks * sizeof *job.partials + bad);
    if (!job.partials) return LEVY_MEMORY;
    job.first_bad = (uint64_t *)(job.partials + job.chunks);
    for (alias->total_shift = 0;; alias->total_shift = -64, job.factor = 0x1p-64) {
        levy_alias_crew_run(crew, sum_work, &job);
        for (uint32_t w = 0; w < workers; ++w)
            if (job.first_bad[w] < weights->count)
                return sum_fault(weights, job.first_bad[w], fault);
        alias->total = sum_merge(&job);
        /* Otherwise finite weights have an infinite sum: it is taken again with smaller weights. */
        if (alias->total.hi <= DBL_MAX) break;
    }
    if (alias->total.hi > 0.0) return LEVY_OK;
    fault->reason = LEVY_ALIAS_ALL_ZERO;
    return LEVY_INPUT;
}

/* The sum as an integer of 117 or 118 bits times 2^exponent. */
static alias_wide scale_integer(alias_pair sum, int *exponent)
{
    int high_exponent, low_exponent;
    const double high = frexp(sum.hi, &high_exponent), low = frexp(sum.lo, &low_exponent);
    const alias_wide top = (alias_wide)(uint64_t)ldexp(high, 53) << 64;
    const int64_t rest = (int64_t)ldexp(low, 53);
    const uint64_t size = (uint64_t)(rest < 0 ? -rest : rest);
    /* left shift of the low part's integer */
    const int shift = low_exponent - high_exponent + 64;
    alias_wide amount = 0;
    if (size != 0 && shift > -64) amount = shift >= 0 ? (alias_wide)size << shift : size >> -shift;
    *exponent = high_exponent - 53 - 64;
    return rest < 0 ? top - amount : top + amount;
}

void levy_alias_scale_set(alias_scale *scale, alias_pair sum, int shift, uint64_t n)
{
    int exponent, bits = 0, steps = 0;
    const alias_wide total = scale_integer(sum, &exponent);
    alias_wide rest = n, reciprocal = 0;
    while (n >> bits) ++bits;
    for (; rest < total; ++steps) rest <<= 1;
    for (int digit = 0; digit < 96; ++digit, rest <<= 1) { /* 2^(steps + 95) n / total */
        const bool one = rest >= total;
        reciprocal = reciprocal << 1 | one;
        if (one) rest -= total;
    }
    /* Rounded up, so that equal weights are exactly one share each. */
    if (rest > 0 && (++reciprocal >> 96)) {
        reciprocal >>= 1;
        --steps;
    }
    scale->high = (uint64_t)(reciprocal >> 32);
    scale->low = (uint32_t)reciprocal;
    /* at most 83, because alias_tile.cuh shifts by 31 at most */
    scale->fraction = bits > 12 ? 95 - bits : 83;
    /* The share of subnormal weights is subnormal or 0; they are then lifted. */
    const double share = ldexp(sum.hi / (double)n, -shift);
    scale->lift = share < 0x1p-900 ? 0x1p960 : 1.0;
    exponent += (scale->lift > 1.0 ? 960 : 0) - shift;
    /* q = mantissa 2^(field - 1075) * reciprocal 2^-(steps + 95) 2^-exponent * 2^fraction, and the
     * product drops 32 bits */
    scale->base = 1075 + steps + 95 + exponent - scale->fraction - 32;
    scale->share = scale->lift > 1.0 ? sum.hi * 0x1p960 / (double)n : share;
    scale->unit = ldexp(scale->share, -scale->fraction);
}
