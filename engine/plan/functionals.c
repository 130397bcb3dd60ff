/* functionals.c: see functionals.h. The bridge and its transpose are run by the entries' links, so
 * a functional costs as many multiplications as a path. */
#include "engine/plan/functionals.h"

#include "kernels/lane/scalar.h"

typedef struct functionals_link {
    uint32_t left, right; /* nodes, from 1; 0: the start */
} functionals_link;

typedef struct functionals_work {
    const levy_strategy *strategy;
    functionals_link *links; /* [entry] */
    double *nodes;           /* [n_nodes + 1], from the start on */
    uint32_t *places;        /* [functional]: the entry whose draw it takes */
    double *triangle;        /* [functional][functional]: T */
} functionals_work;

/* The traversal on numbers of nodes: an entry stands between the last node emitted and the top of
 * the stack, and is the new top. */
static void functionals_link_entries(functionals_work *w, uint32_t *stack)
{
    uint32_t top = 0, entry = 0;
    stack[0] = 0;
    for (uint32_t node = 0; node < w->strategy->n_nodes; ++node) {
        for (uint32_t d = w->strategy->descents[node]; d > 0; --d, ++entry, ++top) {
            w->links[entry] = (functionals_link){node, stack[top]};
            stack[top + 1] = w->strategy->entries[entry].node;
        }
        --top;
    }
}

/* w->nodes[1 ..] = M z, where z has `stride` numbers from one entry to the next. */
static void functionals_build(const functionals_work *w, const double *z, size_t stride)
{
    w->nodes[0] = 0.0;
    for (uint32_t i = 0; i < w->strategy->n_nodes; ++i) {
        const levy_strategy_entry *const e = &w->strategy->entries[i];
        w->nodes[e->node] = e->left * w->nodes[w->links[i].left] +
                            e->right * w->nodes[w->links[i].right] + e->deviation * z[i * stride];
    }
}

/* z = M^T w->nodes[1 ..], which is used up. */
static void functionals_transpose(const functionals_work *w, double *z, size_t stride)
{
    for (uint32_t i = w->strategy->n_nodes; i-- > 0;) {
        const levy_strategy_entry *const e = &w->strategy->entries[i];
        const double moved = w->nodes[e->node];
        z[i * stride] = e->deviation * moved;
        w->nodes[w->links[i].left] += e->left * moved;
        w->nodes[w->links[i].right] += e->right * moved;
    }
}

static double functionals_dot(uint32_t n_entries, const double *x, const double *y, size_t stride)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < n_entries; ++i) sum += x[i * stride] * y[i * stride];
    return sum;
}

/* The n coarsest entries, by level and then in time. */
static void functionals_places(const functionals_work *w, uint32_t n)
{
    const levy_strategy_entry *const entries = w->strategy->entries;
    for (uint32_t j = 0; j < n; ++j) {
        uint32_t best = UINT32_MAX;
        for (uint32_t i = 0; i < w->strategy->n_nodes; ++i) {
            bool taken = false;
            for (uint32_t l = 0; l < j; ++l) taken = taken || w->places[l] == i;
            if (!taken &&
                (best == UINT32_MAX || entries[i].level < entries[best].level ||
                 (entries[i].level == entries[best].level && entries[i].node < entries[best].node)))
                best = i;
        }
        w->places[j] = best;
    }
}

/* Turns column j, a direction u, into the vector v of its reflection. The reflections before it are
 * applied first; what they leave at their own places is rounding, or part of the directions
 * before. */
static void functionals_reflect(const functionals_work *w, levy_functionals *f, uint32_t j)
{
    const uint32_t n = f->n, m = w->strategy->n_nodes;
    double *const own = f->spread + j;
    for (uint32_t l = 0; l < j; ++l) {
        const double *const v = f->spread + l;
        const double share = w->triangle[l * n + l] * functionals_dot(m, v, own, n);
        for (uint32_t i = 0; i < m; ++i) own[(size_t)i * n] -= share * v[(size_t)i * n];
    }
    for (uint32_t l = 0; l < j; ++l) own[(size_t)w->places[l] * n] = 0.0;
    const size_t place = (size_t)w->places[j] * n;
    const double norm = levy_sqrt(functionals_dot(m, own, own, n));
    double others = 0.0;
    for (uint32_t i = 0; i < m; ++i) {
        own[(size_t)i * n] /= norm;
        if (i != w->places[j]) others += own[(size_t)i * n] * own[(size_t)i * n];
    }
    /* u - 1 at the place; near u = 1 by the others, which lose no digits */
    const double u = own[place];
    own[place] = u > 0.0 ? -others / (1.0 + u) : u - 1.0;
    const double square = others + own[place] * own[place];
    w->triangle[j * n + j] = square > 0.0 ? 2.0 / square : 0.0;
}

/* T, upper triangular, with H = I - V T V^T, from the reflections one by one. */
static void functionals_triangle(const functionals_work *w, const levy_functionals *f)
{
    const uint32_t n = f->n, m = w->strategy->n_nodes;
    double *const t = w->triangle;
    for (uint32_t j = 1; j < n; ++j) {
        double *const dots = w->nodes; /* at least as long as there are functionals */
        for (uint32_t l = 0; l < j; ++l)
            dots[l] = functionals_dot(m, f->spread + l, f->spread + j, n);
        for (uint32_t l = 0; l < j; ++l) {
            double sum = 0.0;
            for (uint32_t k = l; k < j; ++k) sum += t[l * n + k] * dots[k];
            t[l * n + j] = -t[j * n + j] * sum;
        }
    }
}

static void functionals_gather(const functionals_work *w, const levy_functionals *f)
{
    const uint32_t n = f->n;
    for (uint32_t i = 0; i < w->strategy->n_nodes; ++i)
        for (uint32_t j = 0; j < n; ++j) {
            double sum = 0.0;
            for (uint32_t l = j; l < n; ++l)
                sum -= w->triangle[j * n + l] * f->spread[(size_t)i * n + l];
            f->gather[(size_t)i * n + j] = sum;
        }
}

/* What the turn does to the variances that draws carry: draw i moves the nodes by m_i + sum_j
 * gather[i][j] g_j, with m_i the bridge's column and g_j = M times column j of `spread`. `images`:
 * [functional][node]; `back`: [entry]. */
static void functionals_carry(const functionals_work *w, levy_functionals *f, double *images,
                              double *back)
{
    const uint32_t n = f->n, m = w->strategy->n_nodes;
    for (uint32_t k = 0; k <= m; ++k) w->nodes[k] = 1.0;
    functionals_transpose(w, f->moved, 1);
    for (uint32_t j = 0; j < n; ++j) {
        double *const own = images + (size_t)j * m;
        double all = 0.0;
        functionals_build(w, f->spread + j, n);
        for (uint32_t k = 0; k < m; ++k) all += own[k] = w->nodes[k + 1];
        functionals_transpose(w, back, 1);
        for (uint32_t i = 0; i < m; ++i) {
            f->moved[i] += f->gather[(size_t)i * n + j] * all;
            f->added[i] += 2.0 * f->gather[(size_t)i * n + j] * back[i];
        }
    }
    for (uint32_t j = 0; j < n; ++j)
        for (uint32_t l = 0; l < n; ++l) {
            const double dot =
                functionals_dot(m, images + (size_t)j * m, images + (size_t)l * m, 1);
            for (uint32_t i = 0; i < m; ++i)
                f->added[i] += f->gather[(size_t)i * n + j] * f->gather[(size_t)i * n + l] * dot;
        }
}

/* The variance of a functional's draw: its own column, M H times a unit draw. */
static void functionals_variance(const functionals_work *w, levy_functionals *f, double *back)
{
    const uint32_t n = f->n, m = w->strategy->n_nodes;
    for (uint32_t j = 0; j < n; ++j) {
        const size_t place = w->places[j];
        for (uint32_t i = 0; i < m; ++i) {
            back[i] = i == place ? 1.0 : 0.0;
            for (uint32_t l = 0; l < n; ++l)
                back[i] += f->spread[(size_t)i * n + l] * f->gather[place * n + l];
        }
        functionals_build(w, back, 1);
        f->variance[place] = functionals_dot(m, w->nodes + 1, w->nodes + 1, 1);
    }
}

static levy_status functionals_allocate(uint32_t m, uint32_t n, levy_arena *arena,
                                        functionals_work *w, levy_functionals *f)
{
    const size_t row = n * sizeof(double);
    w->links = levy_arena_allocate(arena, m, sizeof *w->links);
    w->nodes = levy_arena_allocate(arena, m + 1, sizeof *w->nodes);
    w->places = levy_arena_allocate(arena, n, sizeof *w->places);
    w->triangle = levy_arena_allocate(arena, n, row);
    f->n = n;
    f->gather = levy_arena_allocate(arena, m, row);
    f->spread = levy_arena_allocate(arena, m, row);
    f->variance = levy_arena_allocate(arena, m, sizeof *f->variance);
    f->added = levy_arena_allocate(arena, m, sizeof *f->added);
    f->moved = levy_arena_allocate(arena, m, sizeof *f->moved);
    return w->links && w->nodes && w->places && w->triangle && f->gather && f->spread &&
                   f->variance && f->added && f->moved
               ? LEVY_OK
               : LEVY_MEMORY;
}

levy_status levy_functionals_create(const levy_strategy *strategy, uint32_t n,
                                    const double *weights, levy_arena *arena, levy_functionals *f)
{
    const uint32_t m = strategy->n_nodes;
    functionals_work w = {.strategy = strategy};
    LEVY_TRY(functionals_allocate(m, n, arena, &w, f));
    uint32_t *const stack = levy_arena_allocate(arena, m + 1, sizeof *stack);
    double *const images = levy_arena_allocate(arena, m, n * sizeof *images);
    double *const back = levy_arena_allocate(arena, m, sizeof *back);
    if (!stack || !images || !back) return LEVY_MEMORY;
    functionals_link_entries(&w, stack);
    functionals_places(&w, n);
    for (uint32_t j = 0; j < n; ++j) {
        w.nodes[0] = 0.0;
        for (uint32_t k = 0; k < m; ++k) w.nodes[k + 1] = weights[(size_t)j * m + k];
        functionals_transpose(&w, f->spread + j, n);
        functionals_reflect(&w, f, j);
    }
    functionals_triangle(&w, f);
    functionals_gather(&w, f);
    functionals_carry(&w, f, images, back);
    functionals_variance(&w, f, back);
    return LEVY_OK;
}
