/* moved.c: see moved.h. Shifts apply in their order, each to what those before it left. */
#include "engine/market/moved.h"

#include "kernels/lane/scalar.h"

/* Whether some shift of a factor is meant for an asset. */
static bool moved_is(const levy_moved *m, int32_t factor, const levy_asset *asset)
{
    bool is = false;
    for (size_t i = 0; i < m->n_shifts; ++i)
        is = is || levy_shift_hits(&m->shifts[i], factor, asset);
    return is;
}

/* A number of a factor at a node, moved. */
static double moved_number(const levy_moved *m, int32_t factor, const levy_asset *asset,
                           size_t node, double x)
{
    for (size_t i = 0; i < m->n_shifts; ++i)
        if (levy_shift_hits(&m->shifts[i], factor, asset))
            x = levy_shift_moves(&m->shifts[i], node, x);
    return x;
}

bool levy_moved_is_asset(const levy_moved *m, const levy_asset *asset)
{
    bool moves = m->elapsed != 0.0;
    for (size_t i = 0; i < m->n_shifts; ++i) {
        const levy_shift *const shift = &m->shifts[i];
        const bool rate = shift->factor == LEVY_SHIFT_RATE,
                   ours = rate ? !shift->curve || levy_asset_grows(asset, shift->curve)
                               : !shift->asset || levy_asset_is(shift->asset, asset),
                   other = shift->factor == LEVY_SHIFT_CORRELATION;
        moves =
            moves || levy_shift_is_paid(shift, asset) || (ours && !other) ||
            (asset->quanto.composite && levy_shift_hits(shift, LEVY_SHIFT_SPOT, asset->quanto.fx));
    }
    return moves;
}

double levy_moved_time(const levy_moved *m, double time)
{
    return time > m->elapsed ? time : m->elapsed;
}

double levy_moved_spot(const levy_moved *m, const levy_asset *asset)
{
    const levy_asset *const fx = asset->quanto.fx, *const own = levy_asset_quoted(asset);
    const double spot = moved_number(m, LEVY_SHIFT_SPOT, own, SIZE_MAX, own->spot);
    if (!asset->quanto.composite) return spot;
    return levy_asset_composite(asset, spot,
                                moved_number(m, LEVY_SHIFT_SPOT, fx, SIZE_MAX, fx->spot));
}

/* Its own numbers, to be moved. */
static levy_status moved_copy(const levy_curve *curve, levy_arena *arena, levy_curve *copy)
{
    *copy = *curve;
    copy->log_discounts = levy_arena_allocate(arena, curve->n, sizeof *copy->log_discounts);
    copy->zero_rates = levy_arena_allocate(arena, curve->n, sizeof *copy->zero_rates);
    if (!copy->log_discounts || !copy->zero_rates) return LEVY_MEMORY;
    for (size_t k = 0; k < curve->n; ++k) {
        copy->zero_rates[k] = -curve->log_discounts[k] / curve->times[k];
        copy->log_discounts[k] = curve->log_discounts[k];
    }
    return LEVY_OK;
}

static void moved_rates(const levy_shift *shift, levy_curve *copy)
{
    for (size_t k = 0; k < copy->n; ++k) {
        if (shift->node != SIZE_MAX && shift->node != k) continue;
        copy->zero_rates[k] = levy_shift_moves(shift, k, copy->zero_rates[k]);
        copy->log_discounts[k] = -copy->zero_rates[k] * copy->times[k];
    }
}

/* The yield or the cost of borrowing of an asset. */
static levy_status moved_yield(const levy_moved *m, int32_t factor, const levy_asset *quoted,
                               levy_arena *arena, levy_curve *yield)
{
    const levy_curve own = *yield;
    if (!moved_is(m, factor, quoted)) return LEVY_OK;
    LEVY_TRY(moved_copy(&own, arena, yield));
    for (size_t i = 0; i < m->n_shifts; ++i)
        if (levy_shift_hits(&m->shifts[i], factor, quoted)) moved_rates(&m->shifts[i], yield);
    return LEVY_OK;
}

levy_status levy_moved_curve(const levy_moved *m, const levy_curve *curve, levy_arena *arena,
                             const levy_curve **shifted)
{
    const levy_curve *over = NULL;
    bool moves = false;
    *shifted = curve;
    if (curve->over) LEVY_TRY(levy_moved_curve(m, curve->over, arena, &over));
    for (size_t i = 0; i < m->n_shifts; ++i)
        moves = moves || levy_shift_is_of_curve(&m->shifts[i], curve);
    if (!moves && over == curve->over) return LEVY_OK;
    levy_curve *const copy = levy_arena_allocate(arena, 1, sizeof *copy);
    if (!copy) return LEVY_MEMORY;
    LEVY_TRY(moved_copy(curve, arena, copy));
    for (size_t i = 0; i < m->n_shifts; ++i)
        if (levy_shift_is_of_curve(&m->shifts[i], curve)) moved_rates(&m->shifts[i], copy);
    copy->over = over;
    *shifted = copy;
    return LEVY_OK;
}

static levy_status moved_volatilities(const levy_moved *m, const levy_asset *quoted,
                                      levy_arena *arena, levy_volatility *v)
{
    double *const variance = levy_arena_allocate(arena, v->n, sizeof *variance);
    if (!variance) return LEVY_MEMORY;
    for (size_t k = 0; k < v->n; ++k) {
        const double level =
            moved_number(m, LEVY_SHIFT_VOLATILITY, quoted, k, levy_volatility_level(v, k));
        variance[k] = level > 0.0 ? level * level * v->times[k] : 0.0;
    }
    v->total_variance = variance;
    return LEVY_OK;
}

static levy_status moved_dividends(const levy_moved *m, const levy_asset *quoted,
                                   levy_dividends *paid, levy_arena *arena)
{
    double *const values = levy_arena_allocate(arena, paid->n, sizeof *values);
    if (!values) return LEVY_MEMORY;
    for (size_t k = 0; k < paid->n; ++k)
        values[k] = moved_number(m, LEVY_SHIFT_DIVIDENDS, quoted,
                                 levy_nodes_at(levy_carry_dates(&quoted->carry), paid->times[k]),
                                 paid->values[k]);
    paid->values = values;
    return LEVY_OK;
}

/* The exchange rate's volatility and its correlation with the asset. */
static levy_status moved_quanto(const levy_moved *m, const levy_asset *quoted, levy_arena *arena,
                                levy_quanto *q)
{
    const levy_correlated own = {quoted, false}, rate = {quoted->quanto.fx, false},
                          variance = {quoted, true};
    const levy_correlation *const c = q->correlation;
    levy_asset *const fx = levy_arena_allocate(arena, 1, sizeof *fx);
    levy_correlation *const both = levy_arena_allocate(arena, 1, sizeof *both);
    double *const matrices = levy_arena_allocate(arena, 4 * c->n, sizeof *matrices);
    double *const whole = levy_arena_allocate(arena, 16 * c->n, sizeof *whole);
    if (!fx || !both || !matrices || !whole) return LEVY_MEMORY;
    for (size_t k = 0; k < 4 * c->n; ++k)
        matrices[k] =
            k % 4 == 0 || k % 4 == 3 ? 1.0 : levy_moved_correlation(m, own, rate, c->matrices[k]);
    *both = *c;
    both->matrices = matrices;
    for (size_t k = 0; c->whole && k < 16 * c->n; ++k)
        whole[k] = levy_moved_correlation(m, variance, rate, c->whole[k]);
    if (c->whole) both->whole = whole;
    q->correlation = both;
    LEVY_TRY(levy_moved_asset(m, q->fx, arena, fx));
    q->fx = fx;
    return LEVY_OK;
}

levy_status levy_moved_asset(const levy_moved *m, const levy_asset *quoted, levy_arena *arena,
                             levy_asset *asset)
{
    *asset = *quoted;
    levy_carry *const carry = &asset->carry;
    bool paid = false;
    for (size_t i = 0; i < m->n_shifts; ++i)
        paid = paid || levy_shift_is_paid(&m->shifts[i], quoted);
    if (paid) LEVY_TRY(moved_quanto(m, quoted, arena, &asset->quanto));
    LEVY_TRY(levy_moved_curve(m, quoted->curve, arena, &asset->curve));
    if (quoted->base_curve)
        LEVY_TRY(levy_moved_curve(m, quoted->base_curve, arena, &asset->base_curve));
    LEVY_TRY(moved_yield(m, LEVY_SHIFT_YIELD, quoted, arena, &carry->dividend_yield));
    LEVY_TRY(moved_yield(m, LEVY_SHIFT_BORROW, quoted, arena, &carry->borrow));
    if (moved_is(m, LEVY_SHIFT_DIVIDENDS, quoted)) {
        LEVY_TRY(moved_dividends(m, quoted, &carry->cash, arena));
        LEVY_TRY(moved_dividends(m, quoted, &carry->proportional, arena));
    }
    if (carry->affine) {
        double *const worth = levy_arena_allocate(arena, carry->cash.n, sizeof *worth);
        if (!worth) return LEVY_MEMORY;
        levy_asset_worth(asset, m->elapsed, levy_moved_spot(m, quoted), worth);
        carry->worth = worth;
    }
    return moved_is(m, LEVY_SHIFT_VOLATILITY, quoted)
               ? moved_volatilities(m, quoted, arena, &asset->volatility)
               : LEVY_OK;
}

double levy_moved_volatility(const levy_moved *m, const levy_asset *asset, double volatility,
                             bool relative)
{
    for (size_t i = 0; i < m->n_shifts; ++i) {
        const levy_shift *const shift = &m->shifts[i];
        if (levy_shift_hits(shift, LEVY_SHIFT_VOLATILITY, asset) && (shift->relative || !relative))
            volatility = levy_shift_moves(shift, shift->node, volatility);
    }
    return volatility;
}

double levy_moved_added(const levy_moved *m, const levy_asset *asset, double unit)
{
    double added = 0.0;
    for (size_t i = 0; i < m->n_shifts; ++i)
        if (!m->shifts[i].relative && levy_shift_hits(&m->shifts[i], LEVY_SHIFT_VOLATILITY, asset))
            added += m->shifts[i].size / unit;
    return added;
}

double levy_moved_correlation(const levy_moved *m, levy_correlated a, levy_correlated b, double rho)
{
    for (size_t i = 0; i < m->n_shifts; ++i) {
        const levy_shift *const s = &m->shifts[i];
        if (s->factor == LEVY_SHIFT_CORRELATION &&
            (levy_shift_is_of(s, a, b) || levy_shift_is_of(s, b, a)))
            rho = levy_shift_moves(s, SIZE_MAX, rho);
    }
    return rho;
}

/* One of the variables whose sum is a logarithm: of the asset, and of a composite one's rate. */
typedef struct moved_summand {
    levy_correlated of;
    const levy_volatility *volatility;
    size_t number;
    double sign;
} moved_summand;

static size_t moved_summands(levy_modelled of, moved_summand out[2])
{
    const levy_quanto *const q = &of.quoted->quanto;
    out[0] = (moved_summand){{of.quoted, false}, &of.asset->volatility, of.number, 1.0};
    if (!q->composite) return 1;
    out[1] = (moved_summand){
        {q->fx, false}, &of.asset->quanto.fx->volatility, q->number, q->inverse ? -1.0 : 1.0};
    return 2;
}

static double moved_deviation(const moved_summand *x, double from, double to)
{
    const double variance = levy_volatility_between(x->volatility, from, to);
    return x->sign * levy_sqrt(variance > 0.0 ? variance : 0.0);
}

double levy_moved_covariance(const levy_moved *m, const levy_correlation *c, levy_modelled a,
                             levy_modelled b, double from, double to)
{
    moved_summand x[2], y[2];
    const size_t n_x = moved_summands(a, x), n_y = moved_summands(b, y),
                 piece = levy_correlation_piece(c, to);
    double sum = 0.0;
    for (size_t i = 0; i < n_x; ++i)
        for (size_t j = 0; j < n_y; ++j) {
            const double given = levy_correlation_of(c, piece, x[i].number, y[j].number);
            const double rho = x[i].number == y[j].number
                                   ? 1.0
                                   : levy_moved_correlation(m, x[i].of, y[j].of, given);
            sum += rho * moved_deviation(&x[i], from, to) * moved_deviation(&y[j], from, to);
        }
    return sum;
}

double levy_moved_cash(const levy_moved *m, const levy_asset *asset, double time)
{
    double amount = levy_carry_cash(&asset->carry, time);
    if (amount != 0.0)
        amount = moved_number(m, LEVY_SHIFT_DIVIDENDS, asset,
                              levy_nodes_at(levy_carry_dates(&asset->carry), time), amount);
    return amount / levy_moved_spot(m, asset);
}

double levy_moved_to_come(const levy_moved *m, const levy_asset *asset, double time)
{
    return levy_asset_to_come(asset, m->elapsed, time);
}

double levy_moved_log_forward(const levy_moved *m, const levy_asset *asset, double time)
{
    return levy_asset_log_growth(asset, m->elapsed, levy_moved_time(m, time), time) +
           levy_asset_log_rest(asset, time);
}
