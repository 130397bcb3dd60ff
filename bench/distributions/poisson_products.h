/* poisson_products.h: Poisson counts by D. E. Knuth's products of uniforms (TAOCP 2, 3.4.1), as a
 * peer of the search by one word: the factors after which a product is above e^-mean. Four words at
 * a time; no mask is needed, for a product that has passed the bound stays below it. */
#ifndef LEVY_BENCH_POISSON_PRODUCTS_H
#define LEVY_BENCH_POISSON_PRODUCTS_H

#include "kernels/samplers/discrete/poisson_search.h"

LANE_FN lane poisson_products_bound(lane lambda) { return lane_exp(-lambda); }

/* `bound` comes from poisson_products_bound. */
LANE_FN lane poisson_products(lane bound, const discrete_source *source)
{
    lane product = lane_of(R(1.0));
    poisson_tally tally = poisson_tally_none();
    for (uint32_t attempt = 0; lane_any(product > bound); ++attempt) {
        const philox_words w = discrete_words(source, attempt);
        LANE_UNROLL for (int k = 0; k < 4; ++k)
        {
            product = product * lane_uniform_from_word(w.w[k]);
            tally = poisson_tally_more(tally, product > bound);
        }
    }
    return poisson_tally_real(tally);
}

#endif
