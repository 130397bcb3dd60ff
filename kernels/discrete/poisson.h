/* poisson.h: Poisson counts. By rejection: products of uniforms (D. E. Knuth, TAOCP 2, 3.4.1) up to a mean of POISSON_KNUTH,
 * the logistic envelope of A. C. Atkinson (The computer generation of Poisson random variables, JRSS C 28, 1979) above, with
 * log-gamma by Lanczos (gamma_power.h); lanes may mix both. By inversion of one word, monotone: a search from 0 on for small
 * means; for large ones (inverse.h) see there.
 *
 * Knuth's loop takes four words at a time and needs no mask: a product that has passed the bound stays below it. Atkinson's
 * constant 0.767 - 3.36/lambda is for lambda >= 30; 0.8 - 0.69 / sqrt(lambda) holds from 4 on (checked numerically: it stays
 * 0.0015 or more below the least ratio of envelope and probability) and accepts more often below 30 and above 1000. His test
 * becomes V beta U (1 - U) <= c p(n), for U (1 - U) is the logistic density itself.
 * Counts are whole numbers held in reals; the mean is at most 2^31 in double, 2^21 in single (POISSON_MOST), and at least 0.
 * Must not know: who draws. */
#ifndef LEVY_DISCRETE_POISSON_H
#define LEVY_DISCRETE_POISSON_H

#include "kernels/discrete/gamma_power.h"

#if !defined(POISSON_KNUTH)
#define POISSON_KNUTH 20.0 /* measured: bench/distributions/poisson_switch.sh */
#endif
#define POISSON_MOST LANE_PICK(2147483648.0, 2097152.0f)

typedef struct poisson_law {
    lane lambda, bound;              /* e^-lambda */
    lane log_lambda, beta, constant; /* of the envelope */
    lane_mask few;                   /* by products */
} poisson_law;

LANE_FN poisson_law poisson_law_of(lane lambda)
{
    poisson_law law;
    law.lambda = lambda;
    law.few = lambda <= R(POISSON_KNUTH);
    law.bound = lane_exp(-lane_min(lambda, lane_of(R(POISSON_KNUTH))));
    const lane many = lane_max(lambda, lane_of(R(4.0))), root = lane_sqrt(many);
    law.log_lambda = lane_log(many);
    law.beta = lane_of(R(1.8137993642342178)) / root; /* pi / sqrt(3) */
    law.constant = R(0.8) - R(0.69) / root;
    return law;
}

/* ---- Products ---------------------------------------------------------------------------------------------------- */

/* Counts as integers: what a comparison gives is added in one step. */
#if defined(__CUDACC__)
typedef lane_word poisson_tally;
LANE_FN poisson_tally poisson_tally_none(void) { return lane_word_of(0); }
LANE_FN poisson_tally poisson_tally_more(poisson_tally t, lane_mask m) { LANE_EACH(poisson_tally, t.v[i] + m.v[i]); }
LANE_FN lane poisson_tally_real(poisson_tally t) { return lane_from_word(t); }
#else
typedef lane_bits poisson_tally;
LANE_FN poisson_tally poisson_tally_none(void) { return (lane_bits){0}; }
LANE_FN poisson_tally poisson_tally_more(poisson_tally t, lane_mask m) { return t - (lane_bits)m; }
LANE_FN lane poisson_tally_real(poisson_tally t)
{
    return lane_from_bits(t + LANE_PICK(0x4338000000000000LL, 0x4b400000)) - LANE_PICK(0x1.8p52, 0x1.8p23f);
}
#endif

typedef struct poisson_product {
    lane product;
    poisson_tally tally; /* factors after which the product was above the bound */
} poisson_product;

LANE_FN poisson_product poisson_product_start(void)
{
    poisson_product p;
    p.product = lane_of(R(1.0));
    p.tally = poisson_tally_none();
    return p;
}

LANE_FN void poisson_multiply(const poisson_law *law, poisson_product *p, lane_word word)
{
    p->product = p->product * lane_uniform_from_word(word);
    p->tally = poisson_tally_more(p->tally, p->product > law->bound);
}

/* Four factors more. */
LANE_FN void poisson_multiply_four(const poisson_law *law, poisson_product *p, const philox_words *w)
{
    poisson_multiply(law, p, w->w[0]);
    poisson_multiply(law, p, w->w[1]);
    poisson_multiply(law, p, w->w[2]);
    poisson_multiply(law, p, w->w[3]);
}

LANE_FN void poisson_multiply_all(const poisson_law *law, poisson_product *p, const discrete_source *source, uint32_t attempt)
{
    const philox_words w = discrete_words(source, attempt);
    poisson_multiply_four(law, p, &w);
}

/* On from `attempt`, until no lane of `open` is above its bound. */
LANE_FN lane poisson_by_products(const poisson_law *law, poisson_product p, const discrete_source *source, uint32_t attempt, lane_mask open)
{
    for (; lane_any(open & (p.product > law->bound)); ++attempt) poisson_multiply_all(law, &p, source, attempt);
    return poisson_tally_real(p.tally);
}

/* ---- Envelope ---------------------------------------------------------------------------------------------------- */

/* A logistic deviate, and whether the count nearest to it is taken. */
LANE_FN lane poisson_try(const poisson_law *law, const discrete_source *source, uint32_t attempt, lane_mask *taken)
{
    const philox_words w = discrete_words(source, attempt);
    const lane tail = discrete_tail(w.w[0]), rest = R(1.0) - tail;
    const lane x = law->lambda + discrete_signed(lane_log(rest / tail), w.w[0]) / law->beta;
    const lane n = discrete_nearest(x);
    const lane_mask some = n >= R(0.0);
    const lane p = gamma_power(lane_select(some, n, lane_of(R(0.0))), law->lambda, law->log_lambda);
    *taken = some & (discrete_above(w.w[1]) * law->beta * (tail * rest) <= law->constant * p);
    return n;
}

LANE_FN lane poisson_by_envelope(const poisson_law *law, const discrete_source *source, lane_mask open)
{
    lane count = lane_of(R(0.0));
    for (uint32_t attempt = 0; lane_any(open); ++attempt) {
        lane_mask taken;
        const lane n = poisson_try(law, source, attempt, &taken);
        taken = taken & open;
        count = lane_select(taken, n, count);
        open = open & lane_not(taken);
    }
    return count;
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

LANE_FN lane poisson_draw(const poisson_law *law, const discrete_source *source)
{
    const lane_mask many = lane_not(law->few);
    if (!lane_any(many)) return poisson_by_products(law, poisson_product_start(), source, 0, law->few);
    const lane envelope = poisson_by_envelope(law, source, many);
    if (!lane_any(law->few)) return envelope;
    return lane_select(law->few, poisson_by_products(law, poisson_product_start(), source, 0, law->few), envelope);
}

/* Blocks of four words that finish most lanes, for a mean. */
LANE_FN uint32_t poisson_blocks(real lambda) { return 2u + (uint32_t)(lambda * R(0.3)); }

/* `blocks` times four factors. */
LANE_FN poisson_product poisson_begin(const poisson_law *law, const discrete_source *source, uint32_t blocks, lane_mask *taken)
{
    poisson_product p = poisson_product_start();
    for (uint32_t attempt = 0; attempt < blocks; ++attempt) poisson_multiply_all(law, &p, source, attempt);
    *taken = law->few & (p.product <= law->bound);
    return p;
}

/* The same, or the first attempt: for the many that need no more. */
LANE_FN lane poisson_first(const poisson_law *law, const discrete_source *source, uint32_t blocks, lane_mask *taken)
{
    if (!lane_any(law->few)) return poisson_try(law, source, 0, taken);
    return poisson_tally_real(poisson_begin(law, source, blocks, taken).tally);
}

#endif
