/* rights.c: see rights.h. A path runs the script once as if no right were used, and from each date
 * of a right on once as if it were used there. */
#include "payoffs/rights.h"

#include "engine/base/least_squares.h"
#include "kernels/lane/scalar.h"
#include "payoffs/policy.h"
#include "payoffs/rights_bound.h"
#include "payoffs/scripted.h"
#include "payoffs/written.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* So many paths stand for each coefficient, or the degree is less; dates with less than so many
 * have no use. */
enum { RIGHTS_LEAST = 10 };

/* A right on a date: what paths get that use it there, NaN where they cannot, and what they see. */
typedef struct rights_use {
    const levy_script_right *right;
    size_t date;
    double *total, *seen; /* [path]; [path][number] */
    double *always;       /* [term]: numbers by which it is used */
} rights_use;

/* A block on a date. */
typedef struct rights_run {
    uint32_t block;
    size_t date;
    double *terms;   /* [term] */
    rights_use *use; /* NULL: the block has no right */
} rights_run;

typedef struct rights_work {
    const levy_scripted *scripted;
    const levy_rights *rights;
    const levy_stage_levels *levels;
    levy_arena *arena;
    rights_run *runs; /* in the order of time */
    rights_use *uses;
    size_t n_runs, n_uses;
    double *paid; /* [path] in money of the payment date */
    double *y;    /* [path], of paths that can use a right */
    uint32_t *path;
    double *variables; /* [path][number], likewise */
    double *rooms;     /* [worker][rights_room] */
    size_t begin, end; /* the paths at hand */
    levy_least_squares *fit;
    double *fitted;
    size_t few;          /* dates on which few paths can use a right */
    levy_dual_fit *dual; /* NULL: nobody asks for the bound */
} rights_work;

static const levy_script *rights_script(const rights_work *w) { return &w->scripted->script; }

/* ---- What runs when ---- */

/* Date `number` of a block's schedule. */
static levy_script_date rights_date(const rights_work *w, uint32_t schedule, size_t number,
                                    double time, double worth)
{
    const levy_stage_levels *const l = w->levels;
    const double *const paid = w->scripted->dates[schedule].paid;
    return (levy_script_date){
        .number = number,
        .time = time,
        .worth = paid ? levy_exp(l->market.discount(l->market.of, paid[number]) - l->paid) : worth,
        .due = 1.0,
        .ends = 1.0,
        .market = &l->market,
        .supposed = true};
}

static uint32_t rights_schedule(const rights_work *w, uint32_t block)
{
    return LEVY_SCRIPT_PROGRAM_BLOCKS(rights_script(w)->program)[block].schedule;
}

static double *rights_terms(const rights_work *w, uint32_t schedule, const levy_script_date *date)
{
    const levy_script *const script = rights_script(w);
    double *const terms =
        levy_arena_allocate(w->arena, script->program->n_terms + 1, sizeof *terms);
    for (uint32_t k = 0; terms && k < script->program->n_terms; ++k)
        terms[k] = script->terms[k].schedule == schedule
                       ? levy_scripted_term(w->scripted, &script->terms[k], date)
                       : 0.0;
    return terms;
}

/* The numbers of a block by which its right is used whatever is seen: all are 0 but one. */
static double *rights_always(const rights_work *w, const levy_script_right *right,
                             uint32_t schedule, const double *terms)
{
    const levy_script *const script = rights_script(w);
    const size_t n = script->program->n_terms,
                 constant = right->first + LEVY_SCRIPT_OF_SEEN * (size_t)right->n_seen;
    double *const always = levy_arena_allocate(w->arena, n, sizeof *always);
    if (!always) return NULL;
    memcpy(always, terms, n * sizeof *always);
    for (size_t k = 0; k < n; ++k)
        if (script->terms[k].kind == LEVY_SCRIPT_RULE && script->terms[k].schedule == schedule &&
            script->terms[k].parameter == constant)
            always[k] = -1.0;
    return always;
}

static bool rights_add_use(rights_work *w, rights_run *run)
{
    const levy_script *const script = rights_script(w);
    const size_t n = w->levels->n_paths;
    size_t k = 0;
    while (k < script->n_rights && script->rights[k].block != run->block) ++k;
    if (k == script->n_rights) return true;
    rights_use *const use = run->use = &w->uses[w->n_uses++];
    *use = (rights_use){.right = &script->rights[k], .date = run->date};
    use->total = levy_arena_allocate(w->arena, n, sizeof *use->total);
    use->seen = levy_arena_allocate(w->arena, n, use->right->n_seen * sizeof *use->seen);
    use->always = rights_always(w, use->right, rights_schedule(w, run->block), run->terms);
    return use->total && use->seen && use->always;
}

static bool rights_add_run(rights_work *w, uint32_t block, size_t date, size_t number, double time,
                           double worth)
{
    const uint32_t s = rights_schedule(w, block);
    const levy_script_date seen = rights_date(w, s, number, time, worth);
    rights_run *const run = &w->runs[w->n_runs++];
    *run = (rights_run){.block = block, .date = date, .terms = rights_terms(w, s, &seen)};
    return run->terms && rights_add_use(w, run);
}

/* The blocks on each date, in the order of the text. Today is date n_dates. */
static bool rights_list(rights_work *w)
{
    const levy_script_program *const p = rights_script(w)->program;
    const levy_stage_levels *const l = w->levels;
    size_t number[LEVY_SCRIPT_BLOCKS] = {0};
    w->runs = levy_arena_allocate(w->arena, l->n_dates + 1, p->n_blocks * sizeof *w->runs);
    w->uses = levy_arena_allocate(w->arena, l->n_dates + 1, p->n_blocks * sizeof *w->uses);
    if (!w->runs || !w->uses) return false;
    for (size_t d = 0; d <= l->n_dates; ++d) {
        const size_t date = d == 0 ? l->n_dates : d - 1; /* today comes first */
        const double time = d == 0 ? 0.0 : l->times[date],
                     worth = d == 0 ? l->today : l->worth[date];
        bool here[LEVY_SCRIPT_BLOCKS] = {false};
        for (uint32_t k = 0; k < p->n_blocks; ++k) {
            const uint32_t s = rights_schedule(w, k);
            const levy_script_dates *const dates = &w->scripted->dates[s];
            here[s] = d == 0 ? dates->has_today : l->events[date] >> s & 1;
            if (here[s] && !rights_add_run(w, k, date, dates->n_past + number[s], time, worth))
                return false;
        }
        for (uint32_t s = 0; s < LEVY_SCRIPT_BLOCKS; ++s) number[s] += here[s];
    }
    return true;
}

/* ---- A path ---- */

/* Runs a block as lanes do. at: the levels and variances of the date; registers: the states first.
 */
static void rights_step(const rights_work *w, const rights_run *run, const double *terms,
                        const double *at, double *registers)
{
    const levy_script *const script = rights_script(w);
    const levy_script_block *const block = &LEVY_SCRIPT_PROGRAM_BLOCKS(script->program)[run->block];
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(script->program) + block->first;
    const double *const from[] = {registers, script->constants, terms, at}; /* LEVY_SCRIPT_AT */
    for (uint32_t k = 0; k < block->n; ++k) {
        const levy_script_step *const s = &steps[k];
        const double a = from[s->a / LEVY_SCRIPT_AT_CONSTANT][s->a & ~LEVY_SCRIPT_AT];
        if (s->op == LEVY_SCRIPT_WHERE) {
            k += a == 0.0 ? s->b : 0;
            continue;
        }
        const double b = from[s->b / LEVY_SCRIPT_AT_CONSTANT][s->b & ~LEVY_SCRIPT_AT],
                     c = from[s->c / LEVY_SCRIPT_AT_CONSTANT][s->c & ~LEVY_SCRIPT_AT];
        registers[s->to] = levy_script_apply((levy_script_op)s->op, a, b, c);
    }
}

/* The levels that the script sees at a date, and the variances behind them. */
static void rights_levels(const rights_work *w, size_t date, size_t path, double *at)
{
    const levy_stage_levels *const l = w->levels;
    const size_t n = rights_script(w)->program->n_assets;
    const bool today = date == l->n_dates;
    for (size_t u = 0; u < n; ++u) {
        const size_t place = (date * l->n_assets + u) * l->n_paths + path;
        at[u] = w->rights->coefficients[u] * (today ? l->spot[u] : l->levels[place]);
        if (w->scripted->variances)
            at[n + u] = today ? w->scripted->variances[u] : l->variances[place];
    }
}

/* What a path gets from a run on. levels: [date][3 n_assets]. */
static double rights_go_on(const rights_work *w, size_t run, const double *levels, double *states)
{
    const levy_script *const script = rights_script(w);
    const size_t step = LEVY_SCRIPT_LEVELS * (size_t)script->program->n_assets;
    for (; run < w->n_runs && (!script->alive || states[script->alive] != 0.0); ++run) {
        const rights_run *const r = &w->runs[run];
        rights_step(w, r, r->terms, levels + r->date * step, states);
    }
    return states[0];
}

/* What it gets that uses a right on a date. */
static void rights_suppose(const rights_work *w, size_t run, size_t path, const double *levels,
                           const double *states)
{
    const levy_script *const script = rights_script(w);
    const rights_run *const r = &w->runs[run];
    const rights_use *const use = r->use;
    const size_t step = LEVY_SCRIPT_LEVELS * (size_t)script->program->n_assets;
    double own[LEVY_SCRIPT_REGISTERS];
    memcpy(own, states, script->program->n_states * sizeof *own);
    use->total[path] = (double)NAN;
    rights_step(w, r, use->always, levels + r->date * step, own);
    bool finite = true; /* a rule of what is not decides nothing, and the fit is to say so */
    for (uint32_t j = 0; j < use->right->n_seen; ++j)
        finite = finite && isfinite(own[use->right->seen + j]);
    if (states[use->right->used] != 0.0 || (finite && own[use->right->used] == 0.0)) return;
    memcpy(use->seen + path * use->right->n_seen, own + use->right->seen,
           use->right->n_seen * sizeof *own);
    use->total[path] = rights_go_on(w, run + 1, levels, own);
}

static void rights_path(const rights_work *w, size_t path, double *levels)
{
    const levy_script *const script = rights_script(w);
    const size_t step = LEVY_SCRIPT_LEVELS * (size_t)script->program->n_assets;
    double states[LEVY_SCRIPT_REGISTERS];
    memcpy(states, w->scripted->states, script->program->n_states * sizeof *states);
    for (size_t d = 0; d <= w->levels->n_dates; ++d) rights_levels(w, d, path, levels + d * step);
    for (size_t k = 0; k < w->n_runs; ++k) {
        const rights_run *const r = &w->runs[k];
        if (r->use) rights_suppose(w, k, path, levels, states);
        rights_step(w, r, r->terms, levels + r->date * step, states);
    }
    w->paid[path] = states[0];
}

/* ---- A date ---- */

/* Standardises number j of what is seen. */
static void rights_standardise(const rights_work *w, const levy_script_right *right, size_t n,
                               size_t j, double *numbers)
{
    double *const v = w->variables + j;
    const size_t step = right->n_seen;
    double mean, least = (double)INFINITY, most = -(double)INFINITY;
    const double square = levy_policy_moments(n, step, v, &mean),
                 share = square > 0.0 ? levy_sqrt((double)n / square) : 0.0;
    if (!isfinite(square)) mean = (double)NAN; /* refused, as all that is fitted and no number */
    for (size_t k = 0; k < n; ++k) {
        const double x = (v[k * step] - mean) * share;
        v[k * step] = x;
        least = x < least ? x : least;
        most = x > most ? x : most;
    }
    numbers[LEVY_SCRIPT_MEAN] = mean;
    numbers[LEVY_SCRIPT_SHARE] = share;
    numbers[LEVY_SCRIPT_LEAST_SEEN] = least;
    numbers[LEVY_SCRIPT_MOST_SEEN] = most;
}

/* Collects the paths that can use the right; returns their number. */
static size_t rights_collect(const rights_work *w, const rights_use *use)
{
    const size_t seen = use->right->n_seen;
    size_t n = 0;
    for (size_t k = 0; k < w->levels->n_paths; ++k) {
        if (isnan(use->total[k])) continue;
        const double waits = w->paid[k] - use->total[k];
        w->y[n] = use->right->issuer ? -waits : waits;
        memcpy(w->variables + n * seen, use->seen + k * seen, seen * sizeof *w->variables);
        w->path[n++] = (uint32_t)k;
    }
    return n;
}

/* A path gets what use gives. */
static void rights_use_it(const rights_work *w, const rights_use *use, size_t path)
{
    w->paid[path] = use->total[path];
    if (w->dual) levy_dual_use(w->dual, path);
}

/* Today all paths see the same: they use the right, or do not. */
static void rights_decide_today(const rights_work *w, const rights_use *use, size_t n)
{
    const levy_script_right *const right = use->right;
    double sum = 0.0;
    for (size_t k = 0; k < n; ++k) sum += w->y[k];
    if (n == 0 || sum > 0.0) return;
    w->fitted[use->date * w->rights->stage.n_fitted + right->first +
              LEVY_SCRIPT_OF_SEEN * (size_t)right->n_seen] = -1.0;
    for (size_t k = 0; k < n; ++k) rights_use_it(w, use, w->path[k]);
}

/* What all paths of a fit do, or none, is the rule of all. */
static void rights_decide_alike(size_t n, size_t n_using, size_t terms, double *more)
{
    if (n_using > 0 && n_using < n) return;
    memset(more, 0, terms * sizeof *more);
    more[0] = n_using > 0 ? -1.0 : 0.0;
}

/* Fits the rule to n paths, in as high a degree as they allow: monomials of a higher one are 0. */
static void rights_solve(rights_work *w, const levy_script_right *right, size_t n, double *more)
{
    const size_t seen = right->n_seen, terms = right->n - LEVY_SCRIPT_OF_SEEN * seen;
    double twos[LEVY_SCRIPT_SEEN], x[LEVY_POLICY_TERMS], order[LEVY_POLICY_TERMS];
    size_t degree = right->degree;
    while (degree > 0 && n < RIGHTS_LEAST * levy_policy_terms(seen, degree)) --degree;
    w->few += degree < right->degree;
    for (size_t j = 0; j < seen; ++j) twos[j] = 2.0;
    levy_policy_monomials(seen, right->degree, twos, 1.0, order);
    const double most = ldexp(1.0, (int)degree);
    *w->fit = (levy_least_squares){.n = terms};
    for (size_t k = 0; k < n; ++k) {
        levy_policy_monomials(seen, right->degree, w->variables + k * seen, 1.0, x);
        for (size_t i = 0; i < terms; ++i) x[i] = order[i] > most ? 0.0 : x[i];
        levy_least_squares_add(w->fit, x, w->y[k]);
    }
    levy_least_squares_solve(w->fit, more);
}

/* The rule of a date is fitted, and then paths use the right where it says so. */
static void rights_decide(rights_work *w, const rights_use *use)
{
    const levy_script_right *const right = use->right;
    const size_t seen = right->n_seen, terms = right->n - LEVY_SCRIPT_OF_SEEN * seen,
                 n = rights_collect(w, use);
    double *const numbers = w->fitted + use->date * w->rights->stage.n_fitted + right->first;
    double *const more = numbers + LEVY_SCRIPT_OF_SEEN * seen;
    double x[LEVY_POLICY_TERMS];
    if (use->date == w->levels->n_dates) {
        rights_decide_today(w, use, n);
        return;
    }
    w->few += n < RIGHTS_LEAST;
    if (n < RIGHTS_LEAST) return;
    for (size_t j = 0; j < seen; ++j)
        rights_standardise(w, right, n, j, numbers + LEVY_SCRIPT_OF_SEEN * j);
    rights_solve(w, right, n, more);
    size_t n_using = 0;
    for (size_t k = 0; k < n; ++k) {
        double sum = 0.0;
        levy_policy_monomials(seen, right->degree, w->variables + k * seen, 1.0, x);
        for (size_t i = 0; i < terms; ++i) sum += more[i] * x[i];
        if (!(sum < 0.0)) continue;
        rights_use_it(w, use, w->path[k]);
        ++n_using;
    }
    rights_decide_alike(n, n_using, terms, more);
}

/* ---- The fit ---- */

/* Levels of a path: [date][LEVY_SCRIPT_LEVELS][asset], and room for none. */
static size_t rights_room(const rights_work *w)
{
    return (w->levels->n_dates + 1) *
           (LEVY_SCRIPT_LEVELS * (size_t)rights_script(w)->program->n_assets + 1);
}

static bool rights_reserve(rights_work *w)
{
    const size_t n = w->levels->n_paths;
    w->fit = levy_arena_allocate(w->arena, 1, sizeof *w->fit);
    w->paid = levy_arena_allocate(w->arena, n, sizeof *w->paid);
    w->y = levy_arena_allocate(w->arena, n, sizeof *w->y);
    w->path = levy_arena_allocate(w->arena, n, sizeof *w->path);
    w->variables = levy_arena_allocate(w->arena, n, LEVY_SCRIPT_SEEN * sizeof *w->variables);
    w->rooms = levy_arena_allocate(w->arena, w->levels->team->n_workers,
                                   rights_room(w) * sizeof *w->rooms);
    return w->rooms && w->fit && w->paid && w->y && w->path && w->variables && rights_list(w);
}

/* A worker's share of the paths at hand, each of which is its own. */
static void rights_share(void *user, uint32_t worker)
{
    const rights_work *const w = user;
    const size_t n = w->end - w->begin, of = w->levels->team->n_workers;
    for (size_t k = n * worker / of; k < n * (worker + 1) / of; ++k)
        rights_path(w, w->begin + k, w->rooms + worker * rights_room(w));
}

/* False: it was stopped, which the calling thread alone may ask. */
static bool rights_paths(rights_work *w)
{
    enum { PATHS = 4096 }; /* between two questions */
    const levy_stage_team *const team = w->levels->team;
    for (w->end = 0; w->end < w->levels->n_paths;) {
        if (levy_memory_stopped(w->arena->memory)) return false;
        w->begin = w->end;
        w->end = w->begin + PATHS < w->levels->n_paths ? w->begin + PATHS : w->levels->n_paths;
        team->run(team->state, rights_share, w);
    }
    return true;
}

/* What a path sees on a date, for the bound. */
static void rights_see(const void *of, size_t date, size_t path, double *at)
{
    rights_levels(of, date, path, at);
}

static bool rights_begin_bound(rights_work *w)
{
    const levy_rights *const r = w->rights;
    if (!r->bound || !w->levels->forwards) return true;
    w->dual =
        levy_dual_begin(r->bound, w->levels, rights_see, w, r->stage.n_fitted, w->arena, w->fitted);
    return w->dual != NULL;
}

/* The martingale's gains from a use to the next one, or to the end, and whether it may be used. */
static void rights_bound(const rights_work *w, size_t use)
{
    const size_t from = w->uses[use].date, n = w->n_uses, last = w->levels->n_dates - 1;
    if (!w->dual) return;
    w->fitted[from * w->rights->stage.n_fitted + w->rights->bound->first] = 1.0;
    levy_dual_interval(w->dual, from, use + 1 < n ? w->uses[use + 1].date : last, w->paid);
}

/* And those from today on. */
static void rights_bound_today(const rights_work *w)
{
    const size_t today = w->levels->n_dates;
    if (w->dual && w->uses[0].date != today)
        levy_dual_interval(w->dual, today, w->uses[0].date, w->paid);
}

/* Says what too few paths leave out. */
static void rights_remark(const rights_work *w, char *why)
{
    const size_t least = w->dual ? levy_dual_least(w->rights->bound) : 0;
    if (w->few > 0)
        snprintf(why, LEVY_STAGE_WHY,
                 "on %zu of its dates few paths of the fit can use a right: the rule is rough",
                 w->few);
    const size_t said = strlen(why);
    if (w->levels->n_paths < least)
        snprintf(why + said, LEVY_STAGE_WHY - said,
                 "%sits other bound has no martingale: that takes %zu paths of the fit",
                 said ? "; " : "", least);
}

static bool rights_fit(const levy_claim *claim, const levy_stage_levels *levels,
                       levy_arena *scratch, double *fitted, char *why)
{
    rights_work w = {.scripted = claim->scripted,
                     .rights = claim->scripted->rights,
                     .levels = levels,
                     .arena = scratch,
                     .fitted = fitted};
    if (!rights_reserve(&w) || !rights_paths(&w) || !rights_begin_bound(&w)) return false;
    for (size_t u = w.n_uses; u-- > 0;) {
        if (levy_memory_stopped(scratch->memory)) return false;
        rights_bound(&w, u);
        rights_decide(&w, &w.uses[u]);
    }
    rights_bound_today(&w);
    rights_remark(&w, why);
    return true;
}

/* Puts the numbers of a date where the program reads them. */
static void rights_put(const levy_claim *claim, const levy_claim_unit *unit, const double *fitted,
                       double *node_terms)
{
    const levy_script *const script = &claim->scripted->script;
    (void)unit; /* a script's levels are in money */
    for (uint32_t k = 0; k < script->program->n_terms; ++k)
        if (script->terms[k].kind == LEVY_SCRIPT_RULE)
            node_terms[k] = fitted[script->terms[k].parameter];
}

/* Runs what is observed today anew, by its rule. */
static void rights_start(const levy_claim *claim, const double *levels,
                         const levy_claim_market *market, double discount, const double *fitted,
                         double *constants)
{
    levy_claim own = *claim;
    bool used = false;
    const levy_rights *const rights = claim->scripted->rights;
    const bool bounds = claim->view.bounds;
    const size_t n = rights->bound ? rights->bound->first : rights->stage.n_fitted;
    for (size_t k = 0; k < n; ++k) used = used || fitted[k] != 0.0;
    if (!used && !bounds) return;
    const double paid = market->discount(market->of, claim->payment_time);
    const levy_claim_step start = {
        .paid = paid, .to = paid - levy_log(discount), .market = *market};
    own.today = fitted;
    levy_written_constants(&own, levels, &start, constants);
    if (bounds)
        levy_rights_bound_start(rights->bound, &claim->scripted->script, levels, fitted, constants);
}

size_t levy_rights_numbers(const levy_scripted *scripted)
{
    const levy_script_right *const last = &scripted->script.rights[scripted->script.n_rights - 1];
    return last->first + last->n;
}

void levy_rights_begin(const levy_scripted *scripted, levy_rights *rights)
{
    const size_t n = rights->bound ? rights->bound->n_numbers : 0;
    rights->stage = (levy_stage){.policy = rights->stage.policy,
                                 .paths = rights->stage.paths,
                                 .n_fitted = (uint32_t)(levy_rights_numbers(scripted) + n),
                                 .asks_law = n > 0,
                                 .fit = rights_fit,
                                 .write = rights_put,
                                 .begin = rights_start,
                                 .seed = &rights->seed};
}
