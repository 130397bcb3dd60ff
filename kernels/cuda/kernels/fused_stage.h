/* fused_stage.h: what a CTA copies to shared memory before its paths start: weights, drifts,
 * factors. Part of fused.cu, which alone includes it. Must not know: payoffs, sums. */

/* Number m of a node's row (PATH_node_row): of an unrolled sweep the drift of the asset that item m
 * moves; else of a dynamics, or the share that has elapsed of the only late one. */
LANE_FN real fused_stage_number(const path_view *view, uint32_t m, uint32_t node)
{
    const uint32_t nodes = view->image->n_nodes;
    if (PATH_unrolled) {
        const uint32_t moved = fused_item_moved(m) % PATH_assets; /* without one, any drift */
        return view->all_drift[(view->items[m].dynamics * nodes + node) * PATH_assets + moved];
    }
    if (m < PATH_dynamics) {
        const bool grown = view->returns[m] == LEVY_RETURNS_GROWN;
        return (grown ? view->growth : view->drift)[m * nodes + node];
    }
    for (m = 0; !fused_dynamics_elapsed(m);) ++m;
    return view->elapsed_share[m * nodes + node];
}

/* Copies what the step of a part of the model looks up, each lane for itself. Returns what lies
 * behind it. */
LANE_FN real *fused_stage_part(const levy_image_part *part, const real **reals,
                               const uint32_t **words, real *to)
{
    uint32_t *const behind = (uint32_t *)(to + ((part->n_reals + 3) & ~3u));
    for (uint32_t i = threadIdx.x; i < part->n_reals; i += LEVY_COLUMNS) to[i] = (*reals)[i];
    for (uint32_t i = threadIdx.x; i < part->n_words; i += LEVY_COLUMNS) behind[i] = (*words)[i];
    *reals = to;
    *words = behind;
    return (real *)(behind + ((part->n_words + 3) & ~3u));
}

/* Copies what every node reads to shared memory, behind the words: weights of the bridge, drifts,
 * factors. */
LANE_FN void fused_stage(path_view *view, real *to)
{
    if (!PATH_staged) return;
    const uint32_t nodes = view->image->n_nodes;
    const uint32_t weights = 4 * nodes, drifts = PATH_dynamics * nodes * PATH_assets;
    const uint32_t factors =
        PATH_dynamics * (PATH_covariance ? nodes : 1) * PATH_assets * PATH_factors;
    for (uint32_t i = threadIdx.x; i < nodes; i += LEVY_COLUMNS) {
        path_weights w = view->bridge[i];
        if (PATH_levels) {
            w.deviation = w.deviation * view->factor[0];
            w.residual = (PATH_cells ? view->drift : view->drift_residual)[i];
        }
        ((path_weights *)to)[i] = w;
    }
    view->bridge = (const path_weights *)to;
    to += weights;
    if (PATH_staged_model && PATH_diffusion)
        to = fused_stage_part(&view->image->parts[LEVY_PART_DIFFUSION], &view->model_reals,
                              &view->model_words, to);
    if (PATH_staged_model && PATH_arrivals)
        to = fused_stage_part(&view->image->parts[LEVY_PART_ARRIVALS], &view->arrivals_reals,
                              &view->arrivals_words, to);
    if (PATH_node_row) {
        for (uint32_t i = 0; i < PATH_node_row; ++i)
            for (uint32_t node = threadIdx.x; node < nodes; node += LEVY_COLUMNS)
                to[node * PATH_node_row + i] = fused_stage_number(view, i, node);
        view->node_rows = to;
        to += PATH_node_row * nodes;
        if (!PATH_unrolled) {
            for (uint32_t i = threadIdx.x; i < factors; i += LEVY_COLUMNS) to[i] = view->factor[i];
            view->factor = to;
            return;
        }
    }
    /* factors first, so that they lie as in the image, and several may be loaded at once */
    for (uint32_t i = threadIdx.x; i < factors; i += LEVY_COLUMNS) to[i] = view->factor[i];
    for (uint32_t i = threadIdx.x; i < drifts; i += LEVY_COLUMNS) to[factors + i] = view->drift[i];
    view->factor = to;
    view->drift = to + factors;
    if (PATH_staged_model && PATH_model_features & LEVY_MODEL_SCALES) {
        for (uint32_t i = threadIdx.x; i < drifts; i += LEVY_COLUMNS)
            to[drifts + factors + i] = view->variance[i];
        view->variance = to + drifts + factors;
    }
}

/* Copies the weights of PCA to shared memory as [component][node], the nodes in whole tiles.
 * Returns what lies behind them. */
LANE_FN real *fused_stage_matrix(path_view *view, real *to)
{
#if PATH_construction == 2 && PATH_staged_matrix
    const uint32_t nodes = view->image->n_nodes, row = fused_weights_step(view);
    for (uint32_t i = threadIdx.x; i < nodes * row; i += LEVY_COLUMNS) {
        const uint32_t j = i / row, node = i % row;
        to[i] = node < nodes ? view->matrix[node / 8 * nodes + j].node[node % 8] : R(0.0);
    }
    view->matrix = (const path_eight *)to;
    to += nodes * row;
#endif
    return to;
}

/* Copies the factors of products that warps share to shared memory, a row an asset. Neither what
 * fills a row nor the rows past the last asset reach a sum that is read, but all are finite.
 * Returns what lies behind them. */
LANE_FN real *fused_stage_factors(path_view *view, real *to)
{
#if PATH_product
    for (uint32_t i = threadIdx.x; i < PRODUCT_ASSETS * PRODUCT_STRIDE; i += LEVY_COLUMNS) {
        const uint32_t asset = i / PRODUCT_STRIDE, f = i % PRODUCT_STRIDE;
        const bool kept = asset < PATH_assets && f < PATH_factors;
        to[i] = kept ? view->factor[asset * PATH_factors + f] : R(0.0);
    }
    view->factor_rows = to;
    to += PRODUCT_ASSETS * PRODUCT_STRIDE;
#endif
    return to;
}

/* Rows of a warp's drivers that a wide kernel holds; those past the last driver are 0. */
enum {
    FUSED_HELD = LANE_PICK((PATH_factors + 3) / 4 * 4,
                           PATH_product ? (PATH_factors + 7) / 8 * 8 : PATH_factors)
};

/* Places the drivers that a wide kernel holds: behind all else, a part for each warp. */
LANE_FN void fused_hold_drivers(const levy_image *image, path_view *view, uint32_t *base)
{
    const uint32_t words = fused_front_size(image) + PATH_shared_low * image->n_draws;
    real *const behind = fused_stage_factors(view, (real *)(base + ((words + 3) & ~3u)));
    view->held = behind + threadIdx.x / 32 * FUSED_HELD * 32 * LEVY_LANES;
    for (uint32_t f = PATH_factors; PATH_held && f < FUSED_HELD; ++f)
        ((path_own *)(view->held + f * 32 * LEVY_LANES))[threadIdx.x % 32].z = lane_of(R(0.0));
}
