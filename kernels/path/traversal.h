/* traversal.h: the orders in which nodes are built: on a CPU in runs that keep all drivers
 * (traversal_cpu.h); on a GPU with a stack or from the previous node (traversal_stack.h), with a
 * stack of many factors (traversal_wide.h), in runs of eight in registers (traversal_registers.h);
 * on both from principal components (components.h). Part of loop.h, which alone includes it, once
 * per shape. All traversals call its `between` and `arrive`. Must not know: what happens at a
 * node. */

/* The defining recursion of the bridge, and of the incremental construction (weights 1, 0). */
LANE_FN lane PATH_NAME(joined)(const path_view *v, path_weights w, lane z, lane left, lane right)
{
    (void)v;
    if (PATH_construction == 1)
        return lane_fma(lane_of(w.deviation), z, PATH_levels ? lane_of(w.residual) : left);
    const lane share =
        PATH_levels ? lane_fma(left, lane_of(w.left), lane_of(w.residual)) : left * w.left;
    return lane_fma(lane_of(w.deviation), z, lane_fma(lane_of(w.right), right, share));
}

LANE_FN lane PATH_NAME(between)(PATH_NAME(state) *s, int32_t entry, uint32_t f, lane left,
                                lane right)
{
    const path_view *const v = s->v;
    if (PATH_model_features & LEVY_MODEL_GAMMA)
        return PATH_NAME(model_between)(s, (uint32_t)entry, f, left, right);
    path_weights w = v->bridge[entry];
    if (PATH_levels && !PATH_staged) {
        w.deviation = w.deviation * v->factor[0];
        w.residual = (PATH_cells ? v->drift : v->drift_residual)[entry];
    }
#if LANE_GPU
    if (PATH_functionals) {
        const lane z = PATH_NAME(drawn)(s, entry, f);
        return PATH_NAME(joined)(v, w, PATH_NAME(turned)(s, (uint32_t)entry, f, z), left, right);
    }
#endif
    const lane z = PATH_NAME(draw)(s, entry, f, &w.deviation);
    return PATH_NAME(joined)(v, w, z, left, right);
}

#if LANE_GPU
#include "kernels/path/traversal_stack.h"
#if PATH_wide
#include "kernels/path/traversal_wide.h"
#endif
#else
#include "kernels/path/traversal_cpu.h"
#endif
#include "kernels/path/components.h"
#if PATH_registers
#include "kernels/path/traversal_registers.h"
#endif

/* Builds all nodes, and lets each arrive. */
LANE_FN void PATH_NAME(traverse)(PATH_NAME(state) *s)
{
#if PATH_registers
    PATH_NAME(traverse_registers)(s);
#elif !LANE_GPU
    const path_view *const v = s->v;
    (void)v;
    if (PATH_construction == 2)
        PATH_NAME(traverse_components)(s);
    else
        PATH_NAME(traverse_kept)(s);
#elif PATH_construction == 2
    PATH_NAME(traverse_components)(s);
#elif PATH_construction == 1
    PATH_NAME(traverse_incremental)(s);
#elif PATH_wide
    PATH_NAME(traverse_wide)(s);
#else
    PATH_NAME(traverse_stack)(s);
#endif
}
