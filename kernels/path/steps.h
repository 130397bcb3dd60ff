/* steps.h: what a model adds to the assets' log growths beside its motion, node by node in the order of time, before anything
 * observes. Part of path.h, which alone includes it, once per shape. A model's own lanes stand in models/<kind>.h; here they
 * get their words. Must not know: payoffs. */

/* Word k of a node's draws outside the bridge: the model's first, PATH_model_draws of them. */
LANE_FN lane_word PATH_NAME(model_word)(PATH_NAME(state) *s, uint32_t node, uint32_t k)
{
    const path_view *const v = s->v;
    (void)v;
    return PATH_NAME(word)(s, PATH_nodes * PATH_factors + node * PATH_extra + k);
}

LANE_FN void PATH_NAME(model_start)(PATH_NAME(state) *s)
{
    const path_view *const v = s->v;
    (void)v;
    PATH_UNROLL
    for (uint32_t a = 0; a < PATH_assets; ++a) s->beside[a] = lane_of(R(0.0));
    s->regime = lane_word_of(0);
    s->discount = lane_of(R(0.0));
}

#include "kernels/path/regimes.h"

/* The model moves on to a node. `step`: the factors' increments over the interval, of models that ask for them. */
LANE_FN void PATH_NAME(model_step)(PATH_NAME(state) *s, uint32_t node, const lane *step)
{
    (void)s;
    (void)node;
    (void)step;
}
