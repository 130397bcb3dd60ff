/* regime_check.c: do the terms of a regime-switching model fit together? Sums of probabilities and
 * rates may be off by 1e-9, as decimals are; more is a mistake. */
#include "models/regime_terms.h"

#include <string.h>

enum { REGIMES_MOST = 64, REGIMES_MOST_RATE = 10000, REGIMES_MOST_LEVELS = 15 };
static const double regimes_slack = 1e-9;

typedef struct regimes_frame {
    levy_check *check;
    const levy_regime_terms *terms;
    const char *path;
    size_t n;
} regimes_frame;

static const levy_regime *regimes_at(const regimes_frame *f, size_t r)
{
    return (const levy_regime *)f->terms->regimes.items + r;
}

static const char *regimes_key(const regimes_frame *f, const char *key)
{
    return levy_check_text(f->check, "%s.%s", f->path, key);
}

/* ---- One regime ---- */

/* One number for each asset, or one for all. */
static bool regimes_list(const regimes_frame *f, const char *path, const levy_list *list)
{
    const size_t n = f->terms->model.assets.count;
    if (!list->node || list->count == 1 || list->count == n) return true;
    return LEVY_REFUSE(f->check, INCONSISTENT, list->node, path,
                       "Give one number for each asset, in the order of the model's assets, "
                       "or one for all.",
                       "%zu numbers, but the model has %zu asset%s", list->count, n,
                       n == 1 ? "" : "s");
}

static bool regimes_mark(const regimes_frame *f, const levy_variant_value *mark, const char *path)
{
    if (mark->kind != LEVY_MARK_EMPIRICAL) return true;
    return LEVY_REFUSE(f->check, UNSUPPORTED, mark->node, path,
                       "Write kind: normal or double_exponential, or use a black_scholes "
                       "model with jump layers.",
                       "regimes do not support marks from a list of shocks");
}

/* Checks the jump layer of a regime. It refuses keys that have no meaning in a regime. */
static bool regimes_jumps(const regimes_frame *f, const levy_regime *regime, const char *path)
{
    const levy_jump_terms *const layer = regime->jumps.items;
    const levy_variant_value *const marks = regime->jumps.count ? layer->marks.items : NULL;
    if (regime->jumps.count == 0) return true;
    if (regime->jumps.count > 1)
        return LEVY_REFUSE(f->check, UNSUPPORTED, regime->jumps.node,
                           levy_check_text(f->check, "%s.jumps", path), "Keep one layer.",
                           "a regime can have only one jump layer; got %zu", regime->jumps.count);
    const char *const at = levy_check_text(f->check, "%s.jumps[0]", path);
    if (layer->assets.node || layer->counts_map)
        return LEVY_REFUSE(f->check, UNSUPPORTED, layer->node, at, "Remove assets and counts_map.",
                           "the jumps of a regime apply to all assets, and their counts_map "
                           "cannot be chosen");
    if (f->terms->model.assets.count > 1 && layer->arrivals == 0)
        return LEVY_REFUSE(f->check, UNSUPPORTED, layer->node, at, "Write arrivals: common.",
                           "several assets of a regime must jump at common times");
    if (!levy_jump_layer_check(f->check, &f->terms->model, layer, at)) return false;
    bool good = layer->marks.node ||
                regimes_mark(f, &layer->mark, levy_check_text(f->check, "%s.mark", at));
    for (size_t i = 0; i < layer->marks.count; ++i)
        good =
            regimes_mark(f, &marks[i], levy_check_text(f->check, "%s.marks[%zu]", at, i)) && good;
    return good;
}

static bool regimes_one(const regimes_frame *f, size_t r)
{
    const levy_regime *const regime = regimes_at(f, r), *const first = regimes_at(f, 0);
    const char *const path = levy_check_text(f->check, "%s.regimes.%s", f->path, regime->name);
    if (!regime->volatilities.node && !regime->factors.node)
        return LEVY_REFUSE(f->check, MISSING_KEY, regime->node, path,
                           "Add volatilities: [0.2], or volatility_factors: [1.5].",
                           "a regime needs volatilities or volatility_factors");
    if (regime->volatilities.node && regime->factors.node)
        return LEVY_REFUSE(f->check, INCONSISTENT, regime->factors.node,
                           levy_check_text(f->check, "%s.volatility_factors", path),
                           "Keep one of the two.", "cannot be combined with volatilities");
    if (!regime->volatilities.node != !first->volatilities.node &&
        (first->volatilities.node || first->factors.node))
        return LEVY_REFUSE(
            f->check, INCONSISTENT, regime->node, path,
            "Give volatilities in all regimes, or volatility_factors in all "
            "regimes.",
            "has %s, but '%s' has %s", regime->factors.node ? "volatility_factors" : "volatilities",
            first->name, first->factors.node ? "volatility_factors" : "volatilities");
    if (!regimes_jumps(f, regime, path)) return false;
    const bool volatile_ =
        regimes_list(f, levy_check_text(f->check, "%s.volatilities", path), &regime->volatilities);
    const bool factors =
        regimes_list(f, levy_check_text(f->check, "%s.volatility_factors", path), &regime->factors);
    return regimes_list(f, levy_check_text(f->check, "%s.drifts", path), &regime->drifts) &&
           volatile_ && factors;
}

/* ---- The chain ---- */

static bool regimes_square(const regimes_frame *f, const levy_matrix *m, const char *path)
{
    if (m->rows == f->n && m->columns == f->n) return true;
    return LEVY_REFUSE(f->check, INCONSISTENT, m->node, path,
                       "Give one row and one column for each regime, in the order of the "
                       "regimes.",
                       f->n == 1 ? "the matrix is %zu by %zu, but there is %zu regime"
                                 : "the matrix is %zu by %zu, but there are %zu regimes",
                       m->rows, m->columns, f->n);
}

/* Checks the size of a matrix, the range [0, most] of its entries and the sum of each row. `sum_to`
 * 0 means rates, whose diagonal has no range. */
static bool regimes_matrix(const regimes_frame *f, const levy_matrix *m, const char *path,
                           double most, double sum_to, const char *hint)
{
    const bool rates = sum_to == 0.0;
    bool good = regimes_square(f, m, path);
    const levy_node *row = good ? m->node->children : NULL;
    for (size_t i = 0; i < f->n && good; ++i, row = row->next) {
        const levy_node *cell = row->children;
        double sum = 0.0, size = 1.0;
        for (size_t j = 0; j < f->n && good; ++j, cell = cell->next) {
            const double x = m->values[i * f->n + j];
            sum += x;
            if (x > size) size = x;
            if ((rates && i == j) || (x >= 0.0 && x <= most)) continue;
            good = LEVY_REFUSE(
                f->check, RANGE, cell, levy_check_text(f->check, "%s[%zu][%zu]", path, i, j), hint,
                "%s must lie in [0, %s]; got %s", rates ? "a transition rate" : "a probability",
                levy_check_number(f->check, most), levy_check_number(f->check, x));
        }
        const double off = sum - sum_to;
        if (good && (off > regimes_slack * size || off < -regimes_slack * size))
            good = LEVY_REFUSE(f->check, INCONSISTENT, row,
                               levy_check_text(f->check, "%s[%zu]", path, i), hint,
                               "the row sums to %s; it must sum to %s",
                               levy_check_rounded(f->check, sum), rates ? "0" : "1");
    }
    return good;
}

static bool regimes_chain(const regimes_frame *f)
{
    const levy_regime_terms *const t = f->terms;
    if (t->generator.node && t->transition.node)
        return LEVY_REFUSE(f->check, INCONSISTENT, t->transition.node, regimes_key(f, "transition"),
                           "Keep one of the two.", "cannot be combined with generator");
    if (f->n > 1 && !t->generator.node && !t->transition.node)
        return LEVY_REFUSE(f->check, MISSING_KEY, t->model.node, f->path,
                           "Add generator: [[-0.5, 0.5], [2, -2]], or transition with its period.",
                           "needs a generator or a transition matrix");
    if (t->generator.node)
        return regimes_matrix(f, &t->generator, regimes_key(f, "generator"), REGIMES_MOST_RATE, 0.0,
                              "Off-diagonal entries are transition rates per year from row to "
                              "column. The diagonal entry is minus their sum.");
    return !t->transition.node ||
           regimes_matrix(f, &t->transition, regimes_key(f, "transition"), 1.0, 1.0,
                          "Entries are probabilities of a transition from row to column over one "
                          "period.");
}

static bool regimes_timing(const regimes_frame *f)
{
    const levy_regime_terms *const t = f->terms;
    const bool period = t->period > 0.0, step = t->step > 0.0;
    if (period && !t->transition.node)
        return LEVY_REFUSE(f->check, INCONSISTENT, levy_check_at(t->model.node, "period"),
                           regimes_key(f, "period"),
                           "Remove it. The rates of a generator are per year.",
                           "is only allowed with transition");
    if (!period && t->transition.node)
        return LEVY_REFUSE(f->check, MISSING_KEY, t->transition.node, regimes_key(f, "transition"),
                           "Add period: 0.08333333333333333 for months.", "needs a period");
    if (t->transition.node && t->switching == LEVY_SWITCHING_EXACT)
        return LEVY_REFUSE(f->check, INCONSISTENT, levy_check_at(t->model.node, "switching"),
                           regimes_key(f, "switching"),
                           "Remove it. With a transition matrix, regimes change exactly at "
                           "multiples of the period.",
                           "exact switching times need a generator");
    if (step && (t->transition.node || t->switching != LEVY_SWITCHING_STEPPED))
        return LEVY_REFUSE(f->check, INCONSISTENT, levy_check_at(t->model.node, "step"),
                           regimes_key(f, "step"), "Remove it, or write switching: stepped.",
                           "is only allowed with a generator and switching: stepped");
    return true;
}

/* ---- Today's regime ---- */

static bool regimes_named(const regimes_frame *f)
{
    const char **const names = levy_check_allocate(f->check, f->n + 1, sizeof *names);
    if (!names) return false;
    for (size_t r = 0; r < f->n; ++r) {
        names[r] = regimes_at(f, r)->name;
        if (strcmp(names[r], f->terms->initial_regime) == 0) return true;
    }
    const char *const near = levy_nearest(f->terms->initial_regime, names);
    return LEVY_REFUSE(
        f->check, UNKNOWN_NAME, levy_check_at(f->terms->model.node, "initial_regime"),
        regimes_key(f, "initial_regime"), "Name one of the model's regimes.",
        near ? "there is no regime '%s'; did you mean '%s'?" : "there is no regime '%s'%s",
        f->terms->initial_regime, near ? near : "");
}

static bool regimes_probabilities(const regimes_frame *f)
{
    const levy_list *const list = &f->terms->initial_probabilities;
    const char *const path = regimes_key(f, "initial_probabilities");
    double sum = 0.0;
    if (list->count != f->n)
        return LEVY_REFUSE(f->check, INCONSISTENT, list->node, path,
                           "Give one probability for each regime, in the order of the regimes.",
                           "the list has %zu entries, but there are %zu regimes", list->count,
                           f->n);
    for (size_t r = 0; r < f->n; ++r) sum += ((const double *)list->items)[r];
    if (sum - 1.0 <= regimes_slack && 1.0 - sum <= regimes_slack) return true;
    return LEVY_REFUSE(f->check, INCONSISTENT, list->node, path,
                       "The entries are the probabilities of today's regime.",
                       "they sum to %s; they must sum to 1", levy_check_number(f->check, sum));
}

static bool regimes_initial(const regimes_frame *f)
{
    const levy_regime_terms *const t = f->terms;
    if (t->initial_regime && t->initial_probabilities.node)
        return LEVY_REFUSE(f->check, INCONSISTENT, t->initial_probabilities.node,
                           regimes_key(f, "initial_probabilities"), "Keep one of the two.",
                           "cannot be combined with initial_regime");
    if (t->initial_regime) return regimes_named(f);
    if (t->initial_probabilities.node) return regimes_probabilities(f);
    if (f->n == 1) return true;
    return LEVY_REFUSE(f->check, MISSING_KEY, t->model.node, f->path,
                       "Add initial_regime, or initial_probabilities.",
                       "does not define today's regime");
}

/* ---- Switching that depends on a level ---- */

static bool regimes_levels(const regimes_frame *f, const char *path)
{
    const levy_list *const levels = &f->terms->level_switching.levels;
    if (levels->count > REGIMES_MOST_LEVELS)
        return LEVY_REFUSE(f->check, LIMIT, levels->node,
                           levy_check_text(f->check, "%s.levels", path), "Join buckets.",
                           "at most %d levels; got %zu", REGIMES_MOST_LEVELS, levels->count);
    for (size_t j = 1; j < levels->count; ++j)
        if (((const double *)levels->items)[j] <= ((const double *)levels->items)[j - 1])
            return LEVY_REFUSE(f->check, INCONSISTENT, levels->node,
                               levy_check_text(f->check, "%s.levels", path), "Sort them.",
                               "levels must be in ascending order");
    return true;
}

static bool regimes_weights(const regimes_frame *f, const char *path)
{
    const levy_matrix *const m = &f->terms->level_switching.weights;
    const size_t rows = f->terms->level_switching.levels.count + 1;
    const levy_node *row = m->node->children;
    path = levy_check_text(f->check, "%s.weights", path);
    if (m->rows != rows || m->columns != f->n)
        return LEVY_REFUSE(f->check, INCONSISTENT, m->node, path,
                           "Give one row for each bucket and one column for each regime. There is "
                           "one more bucket than there are levels.",
                           "the matrix is %zu by %zu, but there are %zu buckets and %zu regimes",
                           m->rows, m->columns, rows, f->n);
    for (size_t i = 0; i < rows; ++i, row = row->next) {
        const levy_node *cell = row->children;
        for (size_t j = 0; j < f->n; ++j, cell = cell->next)
            if (!(m->values[i * f->n + j] >= 1e-6 && m->values[i * f->n + j] <= 1e6))
                return LEVY_REFUSE(f->check, RANGE, cell,
                                   levy_check_text(f->check, "%s[%zu][%zu]", path, i, j),
                                   "A weight of 1 does not change a probability.",
                                   "a weight must lie in [1e-6, 1e6]; got %s",
                                   levy_check_number(f->check, m->values[i * f->n + j]));
    }
    return true;
}

static bool regimes_no_asset(const regimes_frame *f, const char *path)
{
    const size_t n = f->terms->model.assets.count;
    const char **const names = levy_check_allocate(f->check, n + 1, sizeof *names);
    if (!names) return false;
    memcpy(names, f->terms->model.assets.items, n * sizeof *names);
    const char *const near = levy_nearest(f->terms->level_switching.asset, names);
    return LEVY_REFUSE(
        f->check, UNKNOWN_NAME, levy_check_at(f->terms->level_switching.node, "asset"), path,
        "Name one of the model's assets.",
        near ? "the model has no asset '%s'; did you mean '%s'?" : "the model has no asset '%s'%s",
        f->terms->level_switching.asset, near ? near : "");
}

static bool regimes_level_switching(const regimes_frame *f)
{
    const levy_level_switching *const a = &f->terms->level_switching;
    const char *const path = regimes_key(f, "attraction");
    if (!a->node) return true;
    if (!levy_regimes_are_stepped(&f->terms->model))
        return LEVY_REFUSE(f->check, UNSUPPORTED, a->node, path,
                           "Write switching: stepped, or a transition matrix.",
                           "level-dependent switching is evaluated on the dates of the grid, not "
                           "at simulated switching times");
    if (levy_regimes_watched(&f->terms->model) == SIZE_MAX)
        return regimes_no_asset(f, levy_check_text(f->check, "%s.asset", path));
    return regimes_levels(f, path) && regimes_weights(f, path);
}

bool levy_regimes_fit(levy_check *check, const levy_model_terms *terms, const char *path)
{
    const levy_regime_terms *const own = levy_regime_terms_of(terms);
    const regimes_frame f = {check, own, path, own->regimes.count};
    bool good = true;
    if (f.n > REGIMES_MOST)
        return LEVY_REFUSE(check, LIMIT, own->regimes.node, regimes_key(&f, "regimes"),
                           "Merge similar regimes.", "a model has at most %d regimes; got %zu",
                           REGIMES_MOST, f.n);
    for (size_t r = 0; r < f.n; ++r) good = regimes_one(&f, r) && good;
    good = regimes_chain(&f) && good;
    good = regimes_timing(&f) && good;
    good = regimes_level_switching(&f) && good;
    return regimes_initial(&f) && good;
}
