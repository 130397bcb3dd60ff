/* rare_lines.c: see rare_lines.h. */
#include "engine/plan/rare_lines.h"

#include "engine/plan/bumped.h"
#include "engine/problem/trade.h"
#include "kernels/lane/scalar.h"

#include <math.h>

/* A turn is looked for in steps of so many deviations, beyond which a path hardly decides as before
 * again, and found to so many; slopes are measured over so much. */
static const double lines_step = 3.0, lines_found = 1e-6, lines_over = 2e-4;

/* ---- Paths ---- */

static void lines_levels(const levy_outcome_path *path, size_t schedule, size_t date,
                         double *levels)
{
    const levy_rare_line *const line = (const levy_rare_line *)path;
    const size_t n = path->trade->n_underlyings, row = (path->seen->first[schedule] + date) * n;
    const bool nudged = schedule == line->schedule && date >= line->first && date < line->end;
    for (size_t u = 0; u < n; ++u) {
        const double level = levy_exp(line->rows[row + u].mean + line->z * line->moves[row + u] +
                                      (nudged && u == line->underlying ? line->nudge : 0.0));
        levels[u] = path->today[u] < 0.0 ? -level : level;
    }
}

double levy_rare_line_pays(levy_rare_line *line, double z, uint64_t *decided)
{
    *line->effort -= (double)levy_outcome_size(line->own.trade);
    line->z = z;
    return levy_outcome_run(&line->own, decided);
}

double levy_rare_line_aim(levy_rare_line *line, const levy_rare_part *parts, size_t n)
{
    levy_rare_level level = {.mean = 0.0};
    const size_t n_rows = levy_outcome_size(line->own.trade);
    *line->effort -= 0.25 * (double)(n_rows * n);
    if (!levy_rare_line_goes_on(line)) return 0.0;
    levy_rare_product(line->x, parts, n, 1.0, &level);
    for (size_t i = 0; i < n_rows; ++i) {
        line->moves[i] = 0.0;
        for (size_t k = 0; k < n && level.deviation > 0.0; ++k)
            line->moves[i] += parts[k].share *
                              levy_rare_covariance(line->x, &line->rows[i], &parts[k]) /
                              level.deviation;
    }
    return level.deviation;
}

/* ---- Turns ---- */

/* The first place outward of `low`, where the line decides as it does there, from which on it
 * decides otherwise than that. */
static double lines_place(levy_rare_line *line, double low, double high, uint64_t at_low)
{
    while (fabs(high - low) > lines_found && levy_rare_line_goes_on(line)) {
        const double middle = 0.5 * (low + high);
        uint64_t decided;
        levy_rare_line_pays(line, middle, &decided);
        if (decided == at_low)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* The slope at z from there on by steps, to the second order. */
static double lines_slope(levy_rare_line *line, double z, double step, double *pays, bool *alone)
{
    uint64_t decided[3];
    *pays = levy_rare_line_pays(line, z, &decided[0]);
    const double one = levy_rare_line_pays(line, z + step, &decided[1]),
                 two = levy_rare_line_pays(line, z + 2.0 * step, &decided[2]);
    *alone = *alone && decided[0] == decided[1] && decided[1] == decided[2];
    return (4.0 * one - 3.0 * *pays - two) / (2.0 * step);
}

levy_rare_turn levy_rare_turn_at(levy_rare_line *line, double z, double side)
{
    const double off = side * levy_rare_turn_off, over = side * lines_over;
    double in, out;
    bool alone = true;
    const double before = side * lines_slope(line, z - off, -over, &in, &alone),
                 after = side * lines_slope(line, z + off, over, &out, &alone);
    return (levy_rare_turn){z,      side,  in,   out - in - levy_rare_turn_off * (before + after),
                            before, after, alone};
}

bool levy_rare_turn_bends(const levy_rare_turn *turn)
{
    const double slope = fabs(turn->before) + fabs(turn->after);
    return turn->alone && fabs(turn->jump) < 1e-3 * slope &&
           fabs(turn->after - turn->before) > 1e-4 * slope + 1e-9 * fabs(turn->pays);
}

bool levy_rare_turn_jumps(const levy_rare_turn *turn)
{
    return fabs(turn->jump) >
           1e-3 * (fabs(turn->before) + fabs(turn->after)) + 1e-9 * fabs(turn->pays);
}

bool levy_rare_turn_next(levy_rare_line *line, double from, double until, double side,
                         levy_rare_turn *turn)
{
    uint64_t at, next;
    levy_rare_line_pays(line, side * from, &at);
    double end;
    for (double z = from; z < until; z = end) {
        if (!levy_rare_line_goes_on(line)) break;
        end = fmin(z + line->step, until);
        levy_rare_line_pays(line, side * end, &next);
        if (next == at) continue;
        *turn = levy_rare_turn_at(line, lines_place(line, side * z, side * end, at), side);
        return levy_rare_line_goes_on(line);
    }
    return false;
}

/* ---- Begin ---- */

size_t levy_rare_line_schedules(const levy_trade *trade)
{
    return trade->kind.scripted ? trade->kind.n_further + 1 : 2;
}

levy_times levy_rare_line_dates(const levy_rare_line *line, size_t schedule)
{
    const levy_trade *const t = line->own.trade;
    if (t->kind.scripted) return levy_trade_schedule(t, schedule);
    return schedule == 0 ? t->claim.observations : (levy_times){1, line->expiry};
}

/* The logarithms on all dates. */
static levy_status lines_rows(const levy_rare_line *line, levy_rare_part *rows)
{
    const levy_trade *const t = line->own.trade;
    for (size_t u = 0; u < t->n_underlyings; ++u) {
        levy_law_view seen;
        levy_law law;
        LEVY_TRY(levy_law_see(line->x->plan, line->x->set, u, line->x->arena, &seen));
        for (size_t k = 0; k < levy_rare_line_schedules(t); ++k) {
            const levy_times dates = levy_rare_line_dates(line, k);
            for (size_t i = 0; i < dates.n; ++i)
                rows[(line->own.seen->first[k] + i) * t->n_underlyings + u] = levy_rare_part_of(
                    line->x, &seen, dates.times[i], fabs(line->own.today[u]) / seen.spot, &law);
        }
    }
    return LEVY_OK;
}

levy_status levy_rare_line_begin(const levy_rare_market *x, levy_outcome_view *seen,
                                 const levy_script_view *view, double *effort, levy_rare_line *line)
{
    const size_t n = levy_outcome_size(x->trade);
    levy_rare_part *const rows = levy_arena_allocate(x->arena, n, sizeof *rows);
    double *const moves = levy_arena_allocate(x->arena, n, sizeof *moves);
    double *const expiry = levy_arena_allocate(x->arena, 1, sizeof *expiry);
    if (!rows || !moves || !expiry) return LEVY_MEMORY;
    *expiry = x->trade->claim.expiry;
    LEVY_TRY(levy_outcome_see(x->plan, x->set, x->trade, x->arena, seen));
    *line = (levy_rare_line){.own = {seen, x->trade, view, {0.0}, 0.0, lines_levels},
                             .x = x,
                             .rows = rows,
                             .expiry = expiry,
                             .moves = moves,
                             .step = lines_step,
                             .effort = effort};
    levy_bumped_levels(x->plan, x->set, x->trade, line->own.today);
    return lines_rows(line, rows);
}
