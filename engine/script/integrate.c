/* integrate.c: see integrate.h. Walks through the blocks of a program until a walk finds nothing
 * new, and says how much room the integrated one takes. A block accumulates its payments on the
 * segment, as a number and multiples of levels, and pays them at its end: until then a condition
 * may still shorten the segment. Must not know: what a step becomes. */
#include "engine/script/integrate.h"

#include "engine/script/integration.h"
#include "engine/script/postpone.h"

#include <string.h>

enum {
    INTEGRATE_HELD = 8,       /* the least number of segments that a path has room for */
    INTEGRATE_MOST_LEFT = 512 /* lanes that dates save */
};

/* Pays what a state has accumulated, and resets it. */
static void integrate_settle(integration *g, uint32_t state, uint32_t worth)
{
    const uint32_t money = levy_form_emit(&g->s, LEVY_SCRIPT_MULTIPLY, state, worth, 0),
                   sum = levy_form_emit(&g->s, LEVY_SCRIPT_ADD, INTEGRATE_PAID, money, 0);
    levy_emit_add(&g->s.e, LEVY_SCRIPT_MOVE, INTEGRATE_PAID, sum, 0, 0);
    levy_emit_add(&g->s.e, LEVY_SCRIPT_MOVE, state, g->s.zero, 0, 0);
}

static void integrate_payments(integration *g)
{
    for (uint32_t j = 0; j < g->n_shares; ++j) {
        if (!(g->shares_paid >> j & 1)) continue;
        const size_t begun = levy_emit_begin(&g->s.e, g->first_share + j);
        integrate_settle(g, g->first_share + j, levy_form_worth(&g->s, j));
        levy_emit_end(&g->s.e, begun);
    }
    if (!g->cash_paid) return;
    const size_t begun = levy_emit_begin(&g->s.e, g->cash);
    integrate_settle(g, g->cash,
                     levy_form_emit(&g->s, LEVY_SCRIPT_SUBTRACT, g->s.below + 1, g->s.below, 0));
    levy_emit_end(&g->s.e, begun);
}

static size_t integrate_comparisons(const integration *g)
{
    size_t n = 0;
    for (size_t k = g->s.e.first; k < g->s.e.n_steps; ++k)
        n += g->s.e.steps[k].op == LEVY_SCRIPT_SPLIT;
    return n;
}

/* A block begins, on dates of the schedule. */
static void integrate_begin_block(integration *g, uint32_t schedule)
{
    levy_emit_begin_block(&g->s.e);
    memset(g->s.inverse, 0, sizeof g->s.inverse);
    memset(g->s.growth, 0, sizeof g->s.growth);
    g->s.schedule = schedule;
    g->s.where = g->s.one;
}

/* The block of the dates on which the only asset pays cash, before all others: who observes on an
 * ex-date sees what is left. */
static bool integrate_dividends(integration *g, const levy_script_cash *cash)
{
    static const script_token nowhere = {.line = 1, .column = 1};
    integrate_begin_block(g, cash->schedule);
    g->s.e.n_assets = 1;
    const uint32_t paid = levy_form_term(&g->s, LEVY_SCRIPT_ADDED, 0),
                   share = levy_form_emit(&g->s, LEVY_SCRIPT_DIVIDE, paid, EMIT_LEVEL | 0, 0);
    levy_form_emit(&g->s, LEVY_SCRIPT_CASH_PAY, share, levy_form_loading(&g->s, 0), 0);
    g->summed = cash->n_dates;
    return levy_emit_end_block(&g->s.e, cash->schedule, &nowhere);
}

static bool integrate_block(integration *g, const levy_script_block *block, const size_t *n_dates,
                            size_t *dates)
{
    static const script_token nowhere = {.line = 1, .column = 1};
    const levy_script_step *const steps =
        LEVY_SCRIPT_PROGRAM_STEPS(levy_integrate_program(g)) + block->first;
    integrate_begin_block(g, block->schedule);
    g->shares_paid = 0;
    g->cash_paid = g->flags = g->counts = false;
    g->s.added = 0;
    for (size_t i = 0; i < block->n && !g->s.why && !levy_script_failed(g->s.e.fault); ++i) {
        levy_integrate_step(g, i, &steps[i], steps + block->n);
        if (g->s.why) g->step = block->first + i;
    }
    if (g->s.why || g->s.e.fault->out_of_memory) return false;
    integrate_payments(g);
    const size_t comparisons = integrate_comparisons(g);
    g->summed += n_dates[block->schedule] * g->s.added;
    /* each date may split one more segment for each comparison */
    if (g->counts || (g->flags && comparisons > 1))
        *dates += n_dates[block->schedule] * comparisons;
    if (levy_emit_end_block(&g->s.e, block->schedule, &nowhere)) return true;
    if (!g->s.e.fault->out_of_memory) levy_integrate_refuse(g, "it takes too many steps");
    return false;
}

/* ---- The whole ---- */

/* What one walk has found out about a script, for the next walk. */
typedef struct integrate_known {
    uint32_t n_shares;
    uint64_t decided;
    script_latches latches;
    uint32_t adds_up;
} integrate_known;

static bool integrate_begin(integration *g, const levy_script *script, const integrate_known *known,
                            levy_arena *arena, levy_script_fault *fault)
{
    const levy_script_program *const p = script->program;
    *g = (integration){.s.e = {.arena = arena, .fault = fault, .integrates = true},
                       .s.decided = known->decided,
                       .s.alive = script->alive,
                       .s.summed = known->adds_up,
                       .s.e.kept = known->adds_up,
                       .latches = known->latches,
                       .n_shares = known->n_shares,
                       .script = script};
    integrator *const s = &g->s;
    g->latches.set = g->latches.other = 0;
    s->e.n_assets = p->n_assets;
    s->below = p->n_states;
    s->low = s->below + 2;
    s->high = s->low + 1;
    g->cash = s->high + 2;
    g->first_share = g->cash + 1;
    s->e.first_shared = g->first_share + g->n_shares;
    s->e.emptied = g->cash;
    s->e.alive = script->alive;
    s->e.own = (UINT64_MAX >> (LEVY_SCRIPT_STATES - p->n_states)) &
               ~levy_integrate_stopped(script) & ~(uint64_t)1;
    s->e.n_states = s->e.first_shared + levy_latch_states(&g->latches);
    s->e.n_registers = s->e.n_states;
    s->e.terms = levy_arena_allocate(arena, p->n_terms + 32, sizeof *s->e.terms);
    g->constants = levy_arena_allocate(arena, p->n_constants + 1, sizeof *g->constants);
    if (!s->e.terms || !g->constants) return false;
    if (p->n_terms > 0) memcpy(s->e.terms, script->terms, p->n_terms * sizeof *s->e.terms);
    s->e.n_terms = p->n_terms;
    s->e.term_room = p->n_terms + 32;
    for (uint32_t k = 0; k < p->n_constants; ++k)
        g->constants[k] = levy_emit_new_constant(&s->e, script->constants[k]);
    s->zero = levy_emit_new_constant(&s->e, 0.0);
    s->one = levy_emit_new_constant(&s->e, 1.0);
    s->somewhere = levy_emit_new_constant(&s->e, 1.0);
    s->far = levy_emit_new_constant(&s->e, 1e30);
    s->minus_far = levy_emit_new_constant(&s->e, -1e30);
    return !fault->out_of_memory;
}

/* The first step that sets one of these states. */
static size_t integrate_setter(const integration *g, uint64_t states)
{
    const levy_script_program *const p = levy_integrate_program(g);
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    for (size_t k = 0; k < p->n_steps; ++k)
        if (steps[k].op != LEVY_SCRIPT_WHERE && steps[k].to < p->n_states &&
            states >> steps[k].to & 1)
            return k;
    return SIZE_MAX;
}

static bool integrate_blocks(integration *g, const size_t *n_dates, size_t *dates)
{
    const levy_script_program *const p = levy_integrate_program(g);
    *dates = 0;
    g->step = SIZE_MAX;
    if (g->s.e.n_states > LEVY_SCRIPT_STATES)
        return levy_integrate_refuse(g, "it has too many variables"), false;
    for (uint32_t k = 0; k < p->n_blocks; ++k)
        if (!integrate_block(g, &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k], n_dates, dates)) return false;
    if (g->self & ~g->set && *dates > g->most_counted) {
        levy_integrate_refuse(g, "it counts dates, or adds up, for long");
        g->step = integrate_setter(g, g->self & ~g->set);
    }
    if (*dates > LEVY_SCRIPT_SEGMENTS / 2) levy_integrate_refuse(g, "it counts on too many dates");
    if (!g->s.why && g->summed > LEVY_SCRIPT_SUMMED) {
        levy_integrate_refuse(g, "it adds up levels on too many dates");
        g->step = integrate_setter(g, (uint64_t)1 << g->s.summed);
    }
    return !g->s.why;
}

/* As many segments as a path can have, rounded so that trades of alike dates share a program. */
static uint32_t integrate_segments(const integration *g, size_t dates)
{
    const size_t most = INTEGRATE_HELD + 2 * (size_t)levy_integrate_program(g)->n_states + dates;
    uint32_t n = 16;
    while (n < most && n < LEVY_SCRIPT_SEGMENTS) n *= 2;
    return n;
}

/* Dates of a sum, or of dividends, rounded in the same way; a sum whose dates are all past has
 * steps, too. */
static uint32_t integrate_summed(const integration *g)
{
    uint32_t n = g->s.summed || g->s.pays ? 16 : 0;
    while (n < g->summed) n *= 2;
    return n;
}

static uint32_t integrate_splits(const levy_script_program *p)
{
    uint32_t most = 0;
    for (uint32_t k = 0; k < p->n_blocks; ++k) {
        const levy_script_block *const block = &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k];
        uint32_t n = 0;
        for (uint32_t i = 0; i < block->n; ++i)
            n += LEVY_SCRIPT_PROGRAM_STEPS(p)[block->first + i].op == LEVY_SCRIPT_SPLIT;
        if (n > most) most = n;
    }
    return most;
}

/* Bit k: blocks set state 1 + k, and it is a segment's. */
static uint64_t integrate_written(const levy_script_program *p, uint32_t end)
{
    uint64_t written = 0;
    for (uint32_t i = 0; i < p->n_steps; ++i) {
        const levy_script_step *const step = &LEVY_SCRIPT_PROGRAM_STEPS(p)[i];
        if (step->op != LEVY_SCRIPT_WHERE && step->to > 0 && step->to < end)
            written |= (uint64_t)1 << (step->to - 1);
    }
    return written;
}

/* Lanes for what dates save for a postponed program, and for its end: the same number for many date
 * counts, so that trades share a program. 0: too many, or the program cannot be postponed. */
static uint32_t integrate_left(const levy_script_program *p, const size_t *n_dates)
{
    const levy_script_block *const blocks = LEVY_SCRIPT_PROGRAM_BLOCKS(p);
    size_t lanes = 1;
    if (!levy_script_may_postpone(p)) return 0;
    for (uint32_t k = 0; k < p->n_blocks; ++k)
        if (blocks[k].n > blocks[k].n_before)
            lanes += n_dates[blocks[k].schedule] * levy_script_lanes_left(p, &blocks[k]);
    return lanes <= INTEGRATE_MOST_LEFT ? INTEGRATE_MOST_LEFT : 0;
}

static bool integrate_finish(integration *g, const size_t *n_dates, size_t dates, levy_arena *kept,
                             levy_script *integrated)
{
    const levy_script_program *const p = levy_integrate_program(g);
    uint32_t starts[LEVY_SCRIPT_STATES];
    for (uint32_t k = 0; k < g->s.e.n_states; ++k)
        starts[k] = k < p->n_states ? g->constants[k] : g->s.zero;
    starts[g->s.below + 1] = g->s.one;
    starts[g->s.low] = levy_emit_new_constant(&g->s.e, -9.0);
    starts[g->s.high] = g->s.far;
    for (uint32_t k = g->s.e.first_shared; k < g->s.e.n_states; ++k)
        starts[k] = levy_latch_start(&g->s, k - g->s.e.first_shared);
    if (!levy_emit_finish(&g->s.e, starts, kept, integrated)) return false;
    levy_script_program *const own = (levy_script_program *)(size_t)integrated->program;
    own->n_segments = integrate_segments(g, dates);
    own->n_splits = integrate_splits(own);
    own->n_summed = integrate_summed(g);
    own->low = g->s.low;
    own->alive = g->script->alive;
    own->reset = levy_integrate_stopped(g->script) >>
                 1; /* it has its initial value wherever the script goes on */
    own->own = integrate_written(own, g->s.below) & ~own->reset;
    own->n_left = integrate_left(own, n_dates);
    return true;
}

/* States that an item may settle on, or that a stop writes, are per segment. */
static uint64_t integrate_own(const levy_script *script)
{
    uint64_t own = levy_integrate_stopped(script) | (uint64_t)1 << INTEGRATE_PAID;
    for (size_t k = 0; k < script->n_reports; ++k) own |= (uint64_t)1 << script->reports[k].state;
    return own;
}

/* Takes over what a walk has found. True: it found nothing new. */
static bool integrate_learn(const integration *g, const levy_script *script, integrate_known *known)
{
    script_latches latches = g->latches;
    latches.found = levy_latch_found(&latches, integrate_own(script));
    const bool same = known->n_shares == g->s.n_columns && known->decided == (g->self | g->set) &&
                      known->latches.found == latches.found && known->adds_up == g->adds_up;
    known->n_shares = g->s.n_columns;
    known->decided |= g->self | g->set;
    known->decided &= ~latches.found;
    known->latches = latches;
    known->adds_up = g->adds_up;
    return same;
}

/* Why not, and at which statement. */
static const char *integrate_why(const integration *g, levy_arena *kept)
{
    const levy_script_spot *const places = g->script->places;
    if (!g->s.why || !places || g->step >= levy_integrate_program(g)->n_steps ||
        !places[g->step].line)
        return g->s.why;
    const char *const why = levy_arena_format(kept, "%s (line %u, column %u)", g->s.why,
                                              places[g->step].line, places[g->step].column);
    return why ? why : g->s.why;
}

/* What levy_script_integrate does. work: for what is not kept. */
static const char *integrate_script(const levy_script *script, const size_t *n_dates,
                                    size_t most_counted, bool by_path, levy_script_cash cash,
                                    levy_arena *work, levy_arena *kept, levy_script *integrated)
{
    levy_script_fault fault = {0};
    integrate_known known = {.n_shares = FORM_COLUMNS};
    size_t dates = 0;
    integration *const g = levy_arena_allocate(work, 1, sizeof *g); /* too large for small stacks */
    if (!g) return NULL;
    do {
        if (!integrate_begin(g, script, &known, work, &fault)) return NULL;
        g->most_counted = most_counted;
        g->s.by_path = by_path;
        g->added = cash.added;
        g->s.pays = cash.n_dates > 0;
        if (g->s.pays && !integrate_dividends(g, &cash)) return NULL;
        if (!integrate_blocks(g, n_dates, &dates)) return integrate_why(g, kept);
        if (g->adds_up && integrate_own(script) >> g->adds_up & 1)
            return "it reports a sum of levels";
        if (g->adds_up && g->s.pays) return "it adds up levels that pay cash by rule spot";
    } while (!integrate_learn(g, script, &known));
    if (!integrate_finish(g, n_dates, dates, kept, integrated)) integrated->program = NULL;
    return NULL;
}

const char *levy_script_integrate(const levy_script *script, const size_t *n_dates,
                                  size_t most_counted, bool by_path, levy_script_cash cash,
                                  levy_arena *arena, levy_script *integrated)
{
    levy_arena work;
    *integrated = *script;
    integrated->program = NULL;
    if (levy_script_sees_variances(script->program)) return "it reads a variance";
    if (cash.n_dates > LEVY_SCRIPT_SUMMED) return "the asset pays cash on too many dates";
    levy_arena_init(&work, arena->memory);
    const char *const why =
        integrate_script(script, n_dates, most_counted, by_path, cash, &work, arena, integrated);
    levy_arena_release(&work);
    return why;
}
