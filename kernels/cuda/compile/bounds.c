/* bounds.c: see bounds.h. */
#include "kernels/cuda/compile/bounds.h"

#include "kernels/cuda/compile/shape.h"

/* as in the image */
enum { BOUNDS_BISECTION, BOUNDS_INCREMENTAL, BOUNDS_COMPONENTS, BOUNDS_ORDERED };
static const double bounds_normal = 6.3381, bounds_level = 700.0;

static double bounds_size(double x) { return x < 0.0 ? -x : x; }

/* The traversal of loop.h, node by node in time order, on bounds of a driver's size. */
typedef struct bounds_traversal {
    const levy_image *image;
    double sums[LEVY_SHAPE_FUNCTIONALS]; /* of the functionals, for draws of size 1 */
    const double *bridge;                /* [entry][4]: left, right, deviation */
    const uint32_t *descents;
    double stack[LEVY_MAX_STACK + 1], left;
    uint32_t entry, top;
} bounds_traversal;

static double bounds_component(const levy_image *image, uint32_t node)
{
    const double *const matrix =
        LEVY_IMAGE_AT(double, image, matrix) + (uint64_t)(node / 8) * image->n_nodes * 8 + node % 8;
    double sum = 0.0;
    for (uint32_t j = 0; j < image->n_nodes; ++j) sum += bounds_size(matrix[8 * (uint64_t)j]);
    return sum * bounds_normal;
}

static void bounds_gather(const levy_image *image, double *sums)
{
    const double *const gather = LEVY_IMAGE_AT(double, image, matrix);
    for (uint32_t i = 0; i < image->n_nodes; ++i)
        for (uint32_t j = 0; j < image->n_functionals; ++j)
            sums[j] += bounds_size(gather[(uint64_t)i * image->n_functionals + j]);
}

/* The size of an entry's normal. */
static double bounds_drawn(const bounds_traversal *w, uint32_t entry)
{
    const uint64_t n = w->image->n_functionals;
    const double *const spread =
        LEVY_IMAGE_AT(double, w->image, matrix) + (w->image->n_nodes + entry) * n;
    double size = 1.0;
    for (uint64_t j = 0; j < n; ++j) size += bounds_size(spread[j]) * w->sums[j];
    return size * bounds_normal;
}

/* The size of the driver at the next node. */
static double bounds_next(bounds_traversal *w, uint32_t node)
{
    if (w->image->construction == BOUNDS_COMPONENTS) return bounds_component(w->image, node);
    if (w->image->construction == BOUNDS_INCREMENTAL)
        return w->left += bounds_size(w->bridge[4 * node + 2]) * bounds_normal;
    for (uint32_t n = w->descents[node]; n > 0; --n, ++w->entry) {
        const double *const weights = w->bridge + 4 * (uint64_t)w->entry;
        const double built = bounds_size(weights[0]) * w->left +
                             bounds_size(weights[1]) * w->stack[w->top] +
                             bounds_size(weights[2]) * bounds_drawn(w, w->entry);
        w->stack[++w->top] = built;
    }
    return w->left = w->stack[w->top--];
}

/* A bound of an asset's level at a node, or of its increment in the node's interval (covariance 1),
 * if the drivers are at most `driver`. */
static double bounds_sum(const levy_image *image, uint32_t dynamics, uint32_t node, uint32_t asset,
                         double driver)
{
    const uint64_t row = ((uint64_t)dynamics * image->n_nodes + node) * image->n_assets + asset;
    const uint64_t at = image->covariance ? row : (uint64_t)dynamics * image->n_assets + asset;
    const double *const factor = LEVY_IMAGE_AT(double, image, factor) + at * image->n_factors;
    double sum = bounds_size(LEVY_IMAGE_AT(double, image, drift)[row]);
    for (uint32_t f = 0; f < image->n_factors; ++f) sum += bounds_size(factor[f]) * driver;
    return sum;
}

/* A bound of what a node adds to the part of an asset's level that lies before the dynamics' start,
 * if the driver moves by at most `step`. */
static double bounds_elapsed(const levy_image *image, uint32_t dynamics, uint32_t node,
                             uint32_t asset, double step)
{
    const double *const factor = LEVY_IMAGE_AT(double, image, factor) +
                                 ((uint64_t)dynamics * image->n_assets + asset) * image->n_factors;
    double sum = 0.0;
    if (!image->has_elapsed || image->covariance) return 0.0;
    for (uint32_t f = 0; f < image->n_factors; ++f) sum += bounds_size(factor[f]) * step;
    return sum *
           bounds_size(LEVY_IMAGE_AT(double, image,
                                     elapsed_share)[(uint64_t)dynamics * image->n_nodes + node]);
}

static bool bounds_hold_dynamics(const levy_image *image, uint32_t dynamics)
{
    bounds_traversal traversal = {.image = image,
                                  .bridge = LEVY_IMAGE_AT(double, image, bridge),
                                  .descents = LEVY_IMAGE_AT(uint32_t, image, descents)};
    double level[LEVY_MAX_ASSETS] = {0.0}, elapsed[LEVY_MAX_ASSETS] = {0.0}, before = 0.0;
    bounds_gather(image, traversal.sums);
    for (uint32_t node = 0; node < image->n_nodes; ++node) {
        const double driver = bounds_next(&traversal, node);
        for (uint32_t a = 0; a < image->n_assets; ++a) {
            if (image->covariance)
                level[a] += bounds_sum(image, dynamics, node, a, driver + before);
            else
                level[a] = bounds_sum(image, dynamics, node, a, driver);
            elapsed[a] += bounds_elapsed(image, dynamics, node, a, driver + before);
            if (!(level[a] + elapsed[a] < bounds_level)) return false;
        }
        before = driver;
    }
    return true;
}

bool levy_bounds_hold(const levy_image *image, const levy_tile *tile)
{
    if (image->precision || image->model || image->model_features ||
        image->stack > LEVY_MAX_STACK || image->n_functionals > LEVY_SHAPE_FUNCTIONALS)
        return false;
    if (!image->bridge || !image->descents || !image->drift || !image->factor) return false;
    if (image->has_elapsed && !image->elapsed_share) return false;
    for (uint32_t m = tile->first_dynamics; m < tile->first_dynamics + tile->n_dynamics; ++m)
        if (!bounds_hold_dynamics(image, m)) return false;
    return true;
}
