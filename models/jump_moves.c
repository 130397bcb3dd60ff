/* jump_moves.c: what a dynamics may move of the numbers of jumps, on the draws of the market as
 * quoted. A path keeps its arrivals and its marks' draws. Under another number of a law its marks
 * are other sizes, and the derivative of their sum adds up along the path: Gaussian marks are
 * linear in mean and deviation, exponential ones in the inverse of their rate, and where the side
 * of a mark changes with probability_up the mark is 0. Under another intensity arrivals keep their
 * dates and the path counts more or less: the likelihood ratio's derivative is N / intensity - T
 * for N arrivals until the horizon T. Dynamics use both to the first order, as differences need no
 * more. Sources: P. Glasserman, Monte Carlo Methods in Financial Engineering, 2004, 7.2 and 7.3.
 * Must not know: who asks. */
#include "models/jump_plan.h"
#include "models/jumps.h"
#include "kernels/lane/scalar.h"

#include <math.h>
#include <string.h>

typedef struct moves_list {
    levy_jump_parameter *items;
    size_t n;
} moves_list;

static void moves_add(moves_list *list, const levy_jump_parameter *common, const char *name,
                      double unit, double drift, const double by[4])
{
    levy_jump_parameter *const p = &list->items[list->n++];
    *p = *common;
    p->name = name;
    p->unit = unit;
    p->drift = drift;
    memcpy(p->by, by, sizeof p->by);
}

static void moves_normal(moves_list *list, const levy_jump_parameter *of, const jump_source *source,
                         const levy_mark_terms *m, double arrivals)
{
    const bool own = source->layer == SIZE_MAX;
    const double s = m->volatility, grows = levy_exp(m->mean + 0.5 * s * s);
    moves_add(list, of, own ? "jump_mean" : "mean", fmax(arrivals, 1.0), source->intensity * grows,
              (const double[4]){1.0, 0.0, 0.0, 0.0});
    if (!(s > 0.0)) return;
    moves_add(list, of, own ? "jump_volatility" : "volatility", levy_sqrt(fmax(arrivals, 1.0)),
              source->intensity * grows * s, (const double[4]){-m->mean / s, 1.0 / s, 0.0, 0.0});
}

static void moves_double_exponential(moves_list *list, const levy_jump_parameter *of,
                                     const jump_source *source, const levy_mark_terms *m,
                                     double arrivals)
{
    const double p = m->probability_up, q = 1.0 - p, up = m->rate_up, down = m->rate_down,
                 n = fmax(arrivals, 1.0), rate = source->intensity;
    if (p > 0.0 && q > 0.0) {
        const double rises = 1.0 / (p * up), falls = 1.0 / (q * down);
        moves_add(list, of, "probability_up", n * (1.0 / up + 1.0 / down),
                  rate * (1.0 / (up - 1.0) + 1.0 / (down + 1.0)),
                  (const double[4]){falls, 0.0, rises - falls, 0.0});
    }
    if (p > 0.0)
        moves_add(list, of, "rate_up", n / (up * up), -rate * p / ((up - 1.0) * (up - 1.0)),
                  (const double[4]){0.0, 0.0, 0.0, -1.0 / up});
    if (q > 0.0)
        moves_add(list, of, "rate_down", n / (down * down),
                  rate * q / ((down + 1.0) * (down + 1.0)),
                  (const double[4]){0.0, -1.0 / down, 0.0, 1.0 / down});
}

/* The intensity of a source: a weight, and the drift of all its assets. */
static void moves_intensity(moves_list *list, levy_jump_parameter of, const jump_source *source,
                            double horizon)
{
    double drift = 0.0;
    for (size_t t = 0; t < source->n_targets; ++t) {
        const double mean = levy_mark_mean_return(source->targets[t].kind, source->targets[t].mark);
        drift = fmax(drift, fabs(mean));
    }
    of.weighs = true;
    of.start = -horizon;
    of.most = source->intensity;
    moves_add(list, &of, "intensity", drift * horizon, 0.0,
              (const double[4]){1.0 / source->intensity, 0.0, 0.0, 0.0});
}

levy_status levy_jump_parameters(const levy_model_kind *kind, const levy_model_terms *terms,
                                 const levy_model_grid *grid, levy_arena *arena,
                                 levy_jump_parameter **parameters, size_t *n)
{
    jump_source *sources;
    size_t n_sources, room = 0;
    uint32_t target = 0;
    LEVY_TRY(levy_jump_sources(kind, terms, grid, arena, &sources, &n_sources));
    for (size_t i = 0; i < n_sources; ++i) room += 1 + 3 * sources[i].n_targets;
    moves_list list = {levy_arena_allocate(arena, room, sizeof *list.items), 0};
    if (!list.items) return LEVY_MEMORY;
    for (size_t i = 0; i < n_sources; ++i) {
        const jump_source *const source = &sources[i];
        const double horizon = levy_jump_horizon(grid), arrivals = source->intensity * horizon;
        levy_jump_parameter of = {.layer = source->layer,
                                  .asset = source->common ? SIZE_MAX : source->targets->asset,
                                  .source = i,
                                  .target = target,
                                  .arrivals = arrivals,
                                  .most = 1e300};
        moves_intensity(&list, of, source, horizon);
        for (size_t t = 0; t < source->n_targets; ++t, of.target = ++target) {
            const jump_target *const to = &source->targets[t];
            of.asset = to->asset;
            if (to->kind == LEVY_MARK_NORMAL) moves_normal(&list, &of, source, to->mark, arrivals);
            if (to->kind == LEVY_MARK_DOUBLE_EXPONENTIAL)
                moves_double_exponential(&list, &of, source, to->mark, arrivals);
        }
    }
    *parameters = list.items;
    *n = list.n;
    return LEVY_OK;
}

/* ---- What the lanes read ---- */

/* What a dynamics that moves the number by `size` takes off the drifts of a year. */
static void moves_drift(const levy_jump_parameter *p, const jump_source *source, double size,
                        double *drift)
{
    if (!p->weighs) drift[p->asset] -= size * p->drift;
    for (size_t t = 0; p->weighs && t < source->n_targets; ++t) {
        const jump_target *const to = &source->targets[t];
        drift[to->asset] -= size * levy_mark_mean_return(to->kind, to->mark);
    }
}

/* Writes a move, whose numbers start at `first`. Those of arrivals are in the units of logarithms,
 * as marks are. */
static void moves_put(const levy_jump_parameter *p, double scale, uint32_t first, uint32_t *words,
                      double *reals)
{
    const jumps_move move = {p->target, p->weighs ? JUMPS_WEIGHS : (uint32_t)p->asset, first, 0};
    const double by = p->weighs ? 1.0 : scale;
    const double numbers[JUMPS_MOVE_REALS] = {p->start, by * p->by[0], p->by[1], by * p->by[2],
                                              p->by[3]};
    memcpy(words, &move, sizeof move);
    memcpy(reals, numbers, sizeof numbers);
}

static bool moves_any(const levy_model_grid *grid)
{
    bool any = false;
    for (size_t i = 0; i < grid->n_dynamics; ++i) any = any || grid->moves[i].size != 0.0;
    return any;
}

/* Numbers what some dynamics moves: [parameter], 0 of what none does. */
static size_t moves_number(const levy_model_grid *grid, uint32_t *number)
{
    size_t n = 0;
    for (size_t i = 0; i < grid->n_dynamics; ++i) {
        const levy_jump_move *const of = &grid->moves[i];
        if (of->size != 0.0 && !number[of->parameter]) number[of->parameter] = (uint32_t)++n;
    }
    return n;
}

static levy_status moves_reserve(const levy_model_grid *grid, levy_arena *arena,
                                 levy_jump_moves *moves)
{
    const size_t m = grid->n_dynamics;
    moves->n_words = JUMPS_MOVE_WORDS * moves->n + JUMPS_MOVED_WORDS * m;
    moves->n_reals = JUMPS_MOVE_REALS * moves->n + m;
    moves->words = levy_arena_allocate(arena, moves->n_words, sizeof *moves->words);
    moves->reals = levy_arena_allocate(arena, moves->n_reals, sizeof *moves->reals);
    moves->drift = levy_arena_allocate(arena, m * grid->n_assets, sizeof *moves->drift);
    return moves->words && moves->reals && moves->drift ? LEVY_OK : LEVY_MEMORY;
}

levy_status levy_jump_moves_plan(const levy_model_kind *kind, const levy_model_terms *terms,
                                 const levy_model_grid *grid, const jump_source *sources,
                                 levy_arena *arena, levy_jump_moves *moves)
{
    levy_jump_parameter *parameters;
    size_t n;
    *moves = (levy_jump_moves){0};
    if (!moves_any(grid)) return LEVY_OK;
    LEVY_TRY(levy_jump_parameters(kind, terms, grid, arena, &parameters, &n));
    uint32_t *const number = levy_arena_allocate(arena, n, sizeof *number);
    if (!number) return LEVY_MEMORY;
    moves->n = moves_number(grid, number);
    LEVY_TRY(moves_reserve(grid, arena, moves));
    for (size_t k = 0; k < n; ++k) {
        const uint32_t at = JUMPS_MOVE_REALS * (number[k] - 1);
        if (number[k])
            moves_put(&parameters[k], grid->scale, at,
                      moves->words + JUMPS_MOVE_WORDS * (number[k] - 1), moves->reals + at);
    }
    for (size_t i = 0; i < grid->n_dynamics; ++i) {
        const levy_jump_move *const of = &grid->moves[i];
        const size_t at = JUMPS_MOVE_REALS * moves->n + i;
        if (of->size == 0.0) continue;
        const levy_jump_parameter *const p = &parameters[of->parameter];
        const jumps_moved to = {number[of->parameter], (uint32_t)at};
        memcpy(moves->words + JUMPS_MOVE_WORDS * moves->n + JUMPS_MOVED_WORDS * i, &to, sizeof to);
        moves->reals[at] = of->size;
        moves_drift(p, &sources[p->source], of->size, moves->drift + i * grid->n_assets);
    }
    return LEVY_OK;
}

bool levy_jump_is_moved(const uint32_t *words, const uint32_t *constants, size_t n_nodes,
                        size_t dynamics)
{
    const size_t n_sources = constants[0], n_moves = constants[3] >> LEVY_ARRIVALS_MOVES;
    const size_t arrivals = constants[3] & JUMPS_BRIDGED ? n_sources : n_nodes * n_sources,
                 splits = constants[3] & JUMPS_BRIDGED ? n_nodes : 0;
    const size_t moved = JUMPS_ARRIVAL_WORDS * arrivals + JUMPS_SPLIT_WORDS * splits +
                         JUMPS_SOURCE_WORDS * n_sources + JUMPS_TARGET_WORDS * constants[2] +
                         JUMPS_MOVE_WORDS * n_moves;
    return n_moves > 0 && words[moved + JUMPS_MOVED_WORDS * dynamics] > 0;
}
