/* stage.c: see stage.h. Market by market, trades that are fitted on the same dates and as many
 * paths share a recording, whose levels are the same for each. */
#include "engine/run/stage.h"

#include "engine/exercise/grid.h"
#include "engine/market/moved.h"
#include "engine/plan/recording.h"
#include "engine/problem/trade_claim.h"
#include "engine/run/stage_law.h"
#include "kernels/lane/scalar.h"
#include "kernels/points/sobol_tables.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The dates of a trade: the nodes that it observes, and the last. */
typedef struct stage_dates {
    size_t n;
    uint32_t *nodes, *events; /* events: which of its schedules have the date */
    double *times;
} stage_dates;

/* One recording, at the dates that were asked for. */
typedef struct stage_record {
    levy_stage_levels levels;
    levy_stage_device device; /* of levels that are in its memory */
    uint32_t *nodes;          /* [date] */
    double *kept, *spot;      /* [date][asset][path]; [asset] */
    size_t rows;              /* of an asset: variances and discounts lie behind all levels */
    uint64_t seed;            /* of its points */
    const levy_image *image;
    bool made; /* its levels are there */
} stage_record;

typedef struct stage_job {
    const levy_backend *backend;
    void *state;
    levy_plan *plan;
    const levy_run_options *how;
    levy_run_times *times;
    levy_arena arena; /* the fitted numbers */
    levy_arena paths; /* the record */
    stage_record record;
    levy_moved *markets; /* that something is fitted in */
    size_t n_markets;
    const levy_moved *market; /* the one that is worked on */
    double **fitted;          /* [market][trade][date][n_fitted], today last; NULL: not fitted */
    stage_dates *dates;       /* [trade] */
    levy_stage_team team;
    bool here; /* the host fits, what the device cannot */
    void *cpu; /* state of the CPU, where the backend has no team; else NULL */
    char *why;
} stage_job;

static const levy_trade *stage_trade(const stage_job *job, size_t trade)
{
    return &job->plan->problem->trades[job->plan->group->trades[trade]];
}

static const levy_image_item *stage_items(const stage_job *job)
{
    return LEVY_IMAGE_AT(levy_image_item, job->plan->image, items);
}

/* ---- Dates ---- */

static levy_status stage_date(stage_job *job, size_t trade)
{
    const levy_image *const image = job->plan->image;
    const uint32_t *const flags = LEVY_IMAGE_AT(uint32_t, image, flags);
    const uint32_t n = image->n_nodes;
    const levy_image_item *item = stage_items(job);
    stage_dates *const d = &job->dates[trade];
    d->nodes = levy_arena_allocate(&job->arena, n, sizeof *d->nodes);
    d->events = levy_arena_allocate(&job->arena, n, sizeof *d->events);
    d->times = levy_arena_allocate(&job->arena, n, sizeof *d->times);
    if (!d->nodes || !d->events || !d->times) return LEVY_MEMORY;
    while (item->trade != trade) ++item;
    for (uint32_t node = 0; node < n; ++node) {
        const uint32_t events = (flags[node] & LEVY_ITEM_MASK(item)) >> item->flag;
        if (node + 1 < n && !events) continue;
        d->nodes[d->n] = node;
        d->events[d->n] = events;
        d->times[d->n++] = job->plan->group->times[node];
    }
    return LEVY_OK;
}

static double stage_discount(const void *curve, double time)
{
    return levy_curve_log_discount(curve, time);
}

/* Laws of what is left, if the trade asks for them. */
static levy_status stage_left(const stage_job *job, size_t trade, const levy_moved *market,
                              levy_arena *arena, const levy_stage_law **laws)
{
    const stage_dates *const dates = &job->dates[trade];
    *laws = NULL;
    if (!stage_trade(job, trade)->stage->asks_left) return LEVY_OK;
    levy_stage_law *const law = levy_arena_allocate(arena, dates->n + 1, sizeof *law);
    *laws = law;
    return law ? levy_stage_law_of(job->plan, trade, market, dates->n, dates->nodes, dates->times,
                                   arena->memory, law)
               : LEVY_MEMORY;
}

/* The dates, as the payoff's kind sees them. */
static levy_status stage_describe(stage_job *job, size_t trade)
{
    const levy_trade *const t = stage_trade(job, trade);
    const stage_dates *const dates = &job->dates[trade];
    double *const worth = levy_arena_allocate(&job->arena, dates->n, sizeof *worth);
    if (!worth) return LEVY_MEMORY;
    const levy_curve *curve;
    LEVY_TRY(levy_moved_curve(job->market, t->discount_curve, &job->arena, &curve));
    const double paid = levy_curve_log_discount(curve, t->claim.payment_time);
    for (size_t d = 0; d < dates->n; ++d)
        worth[d] = levy_exp(levy_curve_log_discount(curve, dates->times[d]) - paid);
    job->record.levels.today = levy_exp(-paid);
    job->record.levels.market = (levy_claim_market){.discount = stage_discount, .of = curve};
    job->record.levels.paid = paid;
    job->record.levels.times = dates->times;
    job->record.levels.worth = worth;
    job->record.levels.events = dates->events;
    job->record.levels.forwards = NULL;
    LEVY_TRY(stage_left(job, trade, job->market, &job->arena, &job->record.levels.law));
    return t->stage->asks_law && job->market->n_shifts == 0
               ? levy_recording_law(job->plan, job->market, dates->n, dates->nodes, &job->arena,
                                    &job->record.levels.forwards, &job->record.levels.covariances)
               : LEVY_OK;
}

/* ---- Levels ---- */

/* Levels of blocks that are taken. */
typedef struct stage_taken {
    const stage_record *record;
    uint64_t first_block, n_blocks;
    const double *levels;
} stage_taken;

/* A row of a block is kept, in money. */
static void stage_take_row(const stage_taken *t, uint64_t b, size_t i)
{
    const stage_record *const r = t->record;
    const size_t assets = r->levels.n_assets, rows = r->rows * assets, date = i / rows,
                 row = i % rows, asset = row % assets, part = row / assets,
                 at = (size_t)(t->first_block + b) * LEVY_BLOCK_PATHS,
                 left = r->levels.n_paths - at,
                 n = left < LEVY_BLOCK_PATHS ? left : LEVY_BLOCK_PATHS;
    const double *const from = t->levels + b * levy_record_reals(r->image) +
                               (r->nodes[date] * rows + row) * (size_t)LEVY_BLOCK_PATHS;
    double *const to =
        r->kept + ((part * r->levels.n_dates + date) * assets + asset) * r->levels.n_paths + at;
    const double unit = part == 0 ? r->spot[asset] : 1.0;
    for (size_t k = 0; k < n; ++k) to[k] = from[k] * unit;
}

/* Each worker takes its share of the rows. */
static void stage_take_some(void *user, uint32_t worker)
{
    const stage_taken *const t = user;
    const stage_record *const r = t->record;
    const size_t each = r->levels.n_dates * r->rows * r->levels.n_assets;
    for (uint64_t k = worker; k < t->n_blocks * each; k += r->levels.team->n_workers)
        stage_take_row(t, k / each, (size_t)(k % each));
}

/* Takes the levels of blocks: those of the dates are kept. */
static void stage_take(void *user, uint64_t first_block, uint64_t n_blocks, const void *levels)
{
    const stage_record *const r = user;
    stage_taken taken = {r, first_block, n_blocks, levels};
    r->levels.team->run(r->levels.team->state, stage_take_some, &taken);
}

/* Whether the device may fit the trade, on levels in its memory, which are all that it sees. */
static bool stage_is_there(const stage_job *job, size_t trade)
{
    const levy_trade *const t = stage_trade(job, trade);
    return !job->here && job->backend->fit && t->stage->there && t->n_rates == 0 &&
           t->stage->paths % LEVY_BLOCK_PATHS == 0 &&
           !(t->stage->level && levy_trade_asks(job->plan->problem, t) & LEVY_MEASURE_BOUNDARY);
}

/* Who takes levels and fits on the host; a device that does it asks for none. */
static levy_status stage_team(stage_job *job)
{
    const levy_backend_options options = {.memory = job->arena.memory};
    if (job->team.run) return LEVY_OK;
    if (!job->backend->team) {
        LEVY_TRY(levy_backend_cpu.open(&options, &job->cpu, job->why));
        levy_backend_cpu.team(job->cpu, &job->team);
    } else {
        job->backend->team(job->state, &job->team);
    }
    return LEVY_OK;
}

static levy_status stage_reserve(stage_job *job, size_t trade)
{
    stage_record *const r = &job->record;
    const size_t each = job->dates[trade].n * r->levels.n_assets * r->levels.n_paths,
                 n = r->rows * each;
    const levy_memory *const memory = job->arena.memory;
    LEVY_TRY(stage_team(job));
    if (!levy_memory_fits(memory, n * sizeof *r->kept)) {
        levy_memory_says(memory, "the levels of a fit", n * sizeof *r->kept, job->why,
                         LEVY_REASON_SIZE);
        return LEVY_MEMORY;
    }
    r->kept = levy_arena_allocate(&job->paths, n + LEVY_STAGE_BEHIND, sizeof *r->kept);
    if (!r->kept) return LEVY_MEMORY;
    r->levels.levels = r->kept;
    if (r->rows > 1) r->levels.variances = r->kept + each;
    if (r->rows > 2) r->levels.discounts = r->kept + 2 * each;
    return LEVY_OK;
}

static levy_status stage_spots(stage_job *job, size_t trade)
{
    stage_record *const r = &job->record;
    r->levels.spot = r->spot =
        levy_arena_allocate(&job->paths, r->levels.n_assets, sizeof *r->spot);
    if (!r->spot) return LEVY_MEMORY;
    for (size_t u = 0; u < r->levels.n_assets; ++u)
        r->spot[u] = levy_moved_spot(job->market, levy_trade_asset(stage_trade(job, trade), u));
    return LEVY_OK;
}

/* Levels stay with the device. */
static void stage_leave(stage_job *job)
{
    stage_record *const r = &job->record;
    r->device = (levy_stage_device){.state = job->state,
                                    .fit = job->backend->fit,
                                    .nodes = r->nodes,
                                    .rows = r->rows * r->levels.n_assets,
                                    .why = job->why};
    r->levels.device = &r->device;
}

static levy_status stage_simulate(stage_job *job, const levy_plan *plan)
{
    levy_run_options run = levy_run_within(job->how);
    levy_run_times times;
    run.keeps = job->record.levels.device != NULL;
    if (!run.keeps) run.record = stage_take;
    run.record_user = &job->record;
    const levy_memory *const memory = job->arena.memory;
    tree_sum *const sums = levy_memory_allocate(memory, plan->image->n_outputs, sizeof *sums);
    if (!sums) return LEVY_MEMORY;
    const levy_status status =
        levy_run_plan(memory, job->backend, job->state, plan, &run, sums, &times, job->why);
    levy_memory_release(memory, sums);
    job->times->seconds += times.seconds;
    job->times->device_seconds += times.device_seconds;
    return status;
}

/* The seed of the trade's paths. */
static uint64_t stage_seed(const stage_job *job, size_t trade)
{
    const uint64_t *const own = stage_trade(job, trade)->stage->seed;
    return own ? *own : job->plan->problem->simulation.seed;
}

/* Whether the levels at hand are those of the trade, too. */
static bool stage_has_levels(const stage_job *job, size_t trade)
{
    const stage_record *const r = &job->record;
    return r->made && (r->levels.device != NULL) == stage_is_there(job, trade) &&
           r->levels.n_paths == stage_trade(job, trade)->stage->paths &&
           r->levels.n_dates == job->dates[trade].n && r->seed == stage_seed(job, trade) &&
           memcmp(r->nodes, job->dates[trade].nodes, r->levels.n_dates * sizeof *r->nodes) == 0;
}

static levy_status stage_record_levels(stage_job *job, size_t trade)
{
    if (stage_has_levels(job, trade)) return LEVY_OK;
    levy_recording recording;
    levy_arena_release(&job->paths);
    job->record = (stage_record){.nodes = job->dates[trade].nodes,
                                 .rows = levy_image_shown(job->plan->image),
                                 .seed = stage_seed(job, trade)};
    job->record.levels.team = &job->team;
    job->record.levels.n_dates = job->dates[trade].n;
    job->record.levels.n_assets = job->plan->image->n_assets;
    job->record.levels.n_paths = (size_t)stage_trade(job, trade)->stage->paths;
    LEVY_TRY(stage_spots(job, trade));
    if (stage_is_there(job, trade))
        stage_leave(job);
    else
        LEVY_TRY(stage_reserve(job, trade));
    const levy_recorded what = {trade, job->market, LEVY_PURPOSE_EXERCISE,
                                job->record.levels.n_paths, job->record.seed};
    levy_status status = levy_recording_create(job->plan, &what, &recording, job->why);
    if (status == LEVY_OK) {
        job->record.image = recording.plan->image;
        job->record.device.n_nodes = recording.plan->image->n_nodes;
        status = stage_simulate(job, recording.plan);
    }
    levy_recording_destroy(&recording);
    job->record.made = status == LEVY_OK;
    return status;
}

/* ---- Markets ---- */

static bool stage_same(const levy_moved *a, const levy_moved *b)
{
    return a->n_shifts == b->n_shifts && a->shifts == b->shifts;
}

/* The number of a market; n_markets: nothing is fitted in it. */
static size_t stage_number(const stage_job *job, const levy_moved *market)
{
    size_t m = 0;
    while (m < job->n_markets && !stage_same(&job->markets[m], market)) ++m;
    return m;
}

/* The market in which the rule of an item is fitted. */
static levy_moved stage_fits_in(const stage_job *job, uint32_t item)
{
    const levy_moved *const own = &job->plan->markets[item];
    const levy_stage_policy policy = stage_trade(job, stage_items(job)[item].trade)->stage->policy;
    levy_moved market = {.n_shifts = 0};
    if (policy == LEVY_STAGE_REFIT || (policy == LEVY_STAGE_SCENARIOS && own->scenario))
        market = *own;
    market.scenario = false; /* it is fitted as a book of its quotes is */
    return market;
}

static double **stage_place(const stage_job *job, const levy_moved *market, size_t trade)
{
    return &job->fitted[stage_number(job, market) * job->plan->group->n_trades + trade];
}

/* Whether the item is of a trade that is fitted. */
static bool stage_wants(const stage_job *job, uint32_t item)
{
    const uint32_t trade = stage_items(job)[item].trade;
    return trade < job->plan->group->n_trades && stage_trade(job, trade)->stage;
}

/* Lists the markets in which something is fitted, each once. */
static levy_status stage_markets(stage_job *job)
{
    const levy_plan *const plan = job->plan;
    size_t room = 0;
    for (uint32_t i = 0; i < plan->image->n_items; ++i) {
        if (!stage_wants(job, i)) continue;
        const levy_moved market = stage_fits_in(job, i);
        if (stage_number(job, &market) < job->n_markets) continue;
        if (!LEVY_ARENA_GROW(&job->arena, job->markets, job->n_markets, room, 4))
            return LEVY_MEMORY;
        job->markets[job->n_markets++] = market;
    }
    return LEVY_OK;
}

/* ---- Fits ---- */

/* Keeps what a fit says; that of the first market does for all. */
static levy_status stage_say(stage_job *job, const char **place, const char *said)
{
    if (!said[0] || *place) return LEVY_OK;
    *place = levy_arena_copy_text(&job->plan->arena, said, strlen(said));
    return *place ? LEVY_OK : LEVY_MEMORY;
}

/* The same of what the price says of it. */
static levy_status stage_note(stage_job *job, size_t trade, const double *fitted)
{
    const levy_trade *const t = stage_trade(job, trade);
    const levy_claim claim = levy_claim_of(t);
    char text[LEVY_STAGE_WHY] = "";
    if (t->stage->note && !job->market->n_shifts)
        t->stage->note(&claim, fitted + job->dates[trade].n * t->stage->n_fitted, text);
    return stage_say(job, &job->plan->notes[trade], text);
}

/* Keeps the levels at which today's market is exercised. */
static levy_status stage_levels(stage_job *job, size_t trade, const double *fitted)
{
    const levy_trade *const t = stage_trade(job, trade);
    const stage_dates *const dates = &job->dates[trade];
    const levy_claim claim = levy_claim_of(t);
    levy_exercise_levels *const l = &job->plan->levels[trade];
    levy_arena *const arena = &job->plan->arena;
    if (!t->stage->level || job->market->n_shifts ||
        !(levy_trade_asks(job->plan->problem, t) & LEVY_MEASURE_BOUNDARY))
        return LEVY_OK;
    *l = (levy_exercise_levels){.times = levy_arena_allocate(arena, dates->n, sizeof *l->times),
                                .levels = levy_arena_allocate(arena, dates->n, sizeof *l->levels)};
    if (!l->times || !l->levels) return LEVY_MEMORY;
    for (size_t d = 0; d < dates->n; ++d) {
        const double level =
            t->stage->level(&claim, &job->record.levels, d, fitted + d * t->stage->n_fitted);
        if (isnan(level)) continue;
        l->times[l->n] = dates->times[d];
        l->levels[l->n++] = level;
    }
    return LEVY_OK;
}

static levy_status stage_fit(stage_job *job, size_t trade)
{
    const levy_trade *const t = stage_trade(job, trade);
    const levy_claim claim = levy_claim_of(t);
    const size_t n = (job->dates[trade].n + 1) * t->stage->n_fitted;
    char why[LEVY_STAGE_WHY] = "";
    double *const fitted = levy_arena_allocate(&job->arena, n, sizeof *fitted);
    if (!fitted) return LEVY_MEMORY;
    levy_arena scratch;
    levy_arena_init(&scratch, job->arena.memory);
    const bool good = t->stage->fit(&claim, &job->record.levels, &scratch, fitted, why);
    levy_arena_release(&scratch);
    *stage_place(job, job->market, trade) = fitted;
    if (levy_memory_stopped(job->arena.memory)) return LEVY_CANCELLED;
    if (!good && job->record.levels.device) return job->record.device.status;
    if (!good && !why[0]) return LEVY_MEMORY;
    bool finite = good;
    for (size_t k = 0; k < n && finite; ++k) finite = isfinite(fitted[k]);
    if (finite) {
        LEVY_TRY(stage_levels(job, trade, fitted));
        LEVY_TRY(stage_note(job, trade, fitted));
        return stage_say(job, &job->plan->remarks[trade], why);
    }
    if (good) snprintf(why, sizeof why, "a number is not finite");
    snprintf(job->why, LEVY_REASON_SIZE, "the fit of trade '%s' has failed: %s", t->header.name,
             why);
    return LEVY_NUMERIC;
}

/* Gives the item the numbers of today. `room`: for its constants. */
static levy_status stage_begin(const stage_job *job, uint32_t number, const levy_stage_law *law,
                               const double *fitted, double *room)
{
    const levy_plan *const plan = job->plan;
    const levy_image_item *const item = &stage_items(job)[number];
    const levy_trade *const t = stage_trade(job, item->trade);
    const levy_moved *const moved = &plan->markets[number];
    levy_claim claim = levy_claim_viewed(t, &plan->views[number]);
    double levels[LEVY_MAX_ASSETS];
    levy_arena scratch;
    const levy_curve *curve;
    for (size_t u = 0; u < t->n_underlyings; ++u)
        levels[u] = levy_image_real(plan->image, plan->image->coefficients,
                                    (uint64_t)number * plan->image->n_assets + u);
    claim.law = law;
    levy_arena_init(&scratch, job->arena.memory);
    const levy_status status = levy_moved_curve(moved, t->discount_curve, &scratch, &curve);
    if (status == LEVY_OK) {
        const levy_claim_market market = {
            .discount = stage_discount, .of = curve, .now = moved->elapsed};
        levy_plan_get_constants(plan, number, room);
        t->stage->begin(&claim, levels, &market, item->scale, fitted, room);
        levy_plan_put_constants(job->plan, number, room);
    }
    levy_arena_release(&scratch);
    return status;
}

/* Writes the fitted numbers into the numbers of an item. terms: room for them, and for its
 * constants. */
static levy_status stage_put(const stage_job *job, uint32_t number, const levy_stage_law *law,
                             double *terms)
{
    const levy_image_item *const item = &stage_items(job)[number];
    const levy_trade *const t = stage_trade(job, item->trade);
    const stage_dates *const dates = &job->dates[item->trade];
    const levy_moved market = stage_fits_in(job, number);
    const double *const fitted = *stage_place(job, &market, item->trade);
    levy_claim claim = levy_claim_viewed(t, &job->plan->views[number]);
    for (size_t d = 0; d < dates->n; ++d) {
        claim.law = law ? law + d : NULL;
        levy_plan_get_node_terms(job->plan, number, dates->nodes[d], terms);
        t->stage->write(&claim, &job->plan->units[number], fitted + d * t->stage->n_fitted, terms);
        levy_plan_put_node_terms(job->plan, number, dates->nodes[d], terms);
    }
    if (!t->stage->begin) return LEVY_OK;
    return stage_begin(job, number, law ? law + dates->n : NULL,
                       fitted + dates->n * t->stage->n_fitted, terms);
}

static levy_status stage_write(const stage_job *job, uint32_t number)
{
    const levy_image_item *const item = &stage_items(job)[number];
    if (!stage_wants(job, number)) return LEVY_OK;
    const levy_stage_law *law;
    levy_arena scratch;
    levy_arena_init(&scratch, job->arena.memory);
    double *const terms =
        levy_arena_allocate(&scratch, item->n_node_terms + item->n_constants, sizeof *terms);
    levy_status status =
        terms ? stage_left(job, item->trade, &job->plan->markets[number], &scratch, &law)
              : LEVY_MEMORY;
    if (status == LEVY_OK) status = stage_put(job, number, law, terms);
    levy_arena_release(&scratch);
    return status;
}

static levy_status stage_fit_once(stage_job *job, size_t trade)
{
    LEVY_TRY(stage_record_levels(job, trade));
    LEVY_TRY(stage_describe(job, trade));
    return stage_fit(job, trade);
}

/* What a device cannot do, or has no memory for, the host does. */
static levy_status stage_fit_in(stage_job *job, size_t trade)
{
    const bool there = stage_is_there(job, trade);
    levy_status status = stage_fit_once(job, trade);
    if (!there || (status != LEVY_UNSUPPORTED && status != LEVY_MEMORY)) return status;
    job->here = true;
    job->why[0] = '\0';
    status = stage_fit_once(job, trade);
    job->here = false;
    return status;
}

static levy_status stage_run(stage_job *job)
{
    const size_t n = job->plan->group->n_trades;
    LEVY_TRY(stage_markets(job));
    job->fitted = levy_arena_allocate(&job->arena, n * job->n_markets, sizeof *job->fitted);
    job->dates = levy_arena_allocate(&job->arena, n, sizeof *job->dates);
    if (!job->fitted || !job->dates) return LEVY_MEMORY;
    for (size_t t = 0; t < n; ++t)
        if (stage_trade(job, t)->stage) LEVY_TRY(stage_date(job, t));
    for (size_t m = 0; m < job->n_markets; ++m) {
        job->market = &job->markets[m];
        job->record.made = false;
        for (size_t t = 0; t < n; ++t)
            if (stage_trade(job, t)->stage) LEVY_TRY(stage_fit_in(job, t));
    }
    for (uint32_t i = 0; i < job->plan->image->n_items; ++i) LEVY_TRY(stage_write(job, i));
    levy_plan_set_fit(
        job->plan, levy_points_key(job->plan->problem->simulation.seed, 0, LEVY_PURPOSE_EXERCISE));
    return LEVY_OK;
}

levy_status levy_stage_prepare(const levy_backend *backend, void *state, levy_plan *plan,
                               const levy_run_options *how, levy_run_times *times, char *why)
{
    stage_job job = {
        .backend = backend, .state = state, .plan = plan, .how = how, .times = times, .why = why};
    if (!plan->group->fits || plan->fit) return LEVY_OK;
    why[0] = '\0';
    levy_arena_init(&job.arena, plan->arena.memory);
    levy_arena_init(&job.paths, plan->arena.memory);
    const levy_status status = stage_run(&job);
    levy_arena_release(&job.paths);
    levy_arena_release(&job.arena);
    levy_backend_cpu.close(job.cpu);
    return status;
}
