/* netting.c: see netting.h. */
#include "engine/statistics/netting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NETTING_NAMED = 8 }; /* trades that a sum names of those it lacks */

const char levy_netting_steps[] = "biased: the model's steps leave more than the error, see "
                                  "step_bias; shorten simulation.max_step";
/* How many of its errors the step bias of a sum must be to mark it, if no trade's is marked. */
static const double netting_sure = 3.0;

typedef struct netting_sum {
    double sum, rest;
} netting_sum;

/* A line of a group. All errors are sums over its trades, which come in any order. */
typedef struct netting_cell {
    netting_sum *replicates;    /* [n_replicates] */
    netting_sum rounding;       /* many trades share a rounded constant */
    netting_sum exact_rounding; /* of the exact trades only */
    netting_sum resolution;     /* if a replicate misses a step, all trades miss it */
    netting_sum unseen;         /* likewise */
    netting_sum rare;           /* of the rounding */
    netting_sum bias;
    netting_sum steps, steps_se; /* the points of pilots are the same */
    /* every trade is exact; every trade is exact or varies from replicate to replicate */
    bool exact, settled;
    bool resolved, heavy;   /* every trade has a resolution; some trade has a heavy tail */
    size_t flagged, none;   /* trades that are, but for their steps; that have no value */
    bool stepped;           /* the steps mark some trade */
    const char *note, *who; /* of the first that is flagged */
    /* the last of those counted, since a trade may have several parts in a translated sum */
    const char *last_flagged, *last_none;
} netting_cell;

typedef struct levy_netting_entry {
    size_t key; /* 0: none, all trades of the currency; k: keys[k - 1] */
    const char *currency, *label;
    bool translated;                       /* of all currencies */
    size_t first, trades, counted;         /* first: the first trade's index */
    size_t missed;                         /* trades without a price */
    const char *missed_ids;                /* of the first of them */
    bool torn;                             /* a part with such an interval was added */
    size_t covered[LEVY_NETTING_MEASURES]; /* trades that would add to that measure */
    netting_cell **cells;                  /* [room], by line; NULL: no trade has it yet */
    size_t room, n_cells;
} levy_netting_entry;

void levy_netting_init(levy_netting *netting, const levy_memory *memory)
{
    levy_arena_init(&netting->work, memory);
    netting->noun = "trades";
}

void levy_netting_release(levy_netting *netting)
{
    levy_arena_release(&netting->work);
    netting->n_entries = 0;
}

/* ---- The terms of a sum ---- */

bool levy_netting_find(levy_netting *netting, const levy_netting_line *line, uint32_t *number)
{
    const char *const name =
        levy_arena_format(&netting->work, "%s %s", line->measure, line->factor);
    if (!name) return false;
    size_t found = levy_names_find(&netting->line_names, name);
    if (found == LEVY_NO_NAME) {
        if (!LEVY_ARENA_GROW(&netting->work, netting->lines, netting->line_names.count,
                             netting->line_room, 16))
            return false;
        found = levy_names_add(&netting->line_names, &netting->work, name);
        if (found == LEVY_NO_NAME) return false;
        netting->lines[found] = *line;
    }
    *number = (uint32_t)found;
    return true;
}

static const char *netting_label(const levy_netting_trade *trade, size_t key)
{
    return key ? trade->labels[key - 1] : NULL;
}

/* A group's name among all. NULL: no memory. */
static const char *netting_name(levy_netting *netting, size_t key, const char *label,
                                const char *currency, bool translated)
{
    return levy_arena_format(&netting->work, "%zu%s%s\n%s\n%d", key, label ? "=" : "",
                             label ? label : "", currency, translated);
}

/* The group of a trade under a key. NULL: no memory. */
static levy_netting_entry *netting_entry(levy_netting *netting, const levy_netting_trade *trade,
                                         size_t key)
{
    const char *const label = netting_label(trade, key);
    const char *const name = netting_name(netting, key, label, trade->currency, trade->translated);
    if (!name) return NULL;
    const size_t found = levy_names_find(&netting->entry_names, name);
    if (found != LEVY_NO_NAME) return &netting->entries[found];
    if (!LEVY_ARENA_GROW(&netting->work, netting->entries, netting->n_entries, netting->entry_room,
                         4))
        return NULL;
    if (levy_names_add(&netting->entry_names, &netting->work, name) == LEVY_NO_NAME) return NULL;
    if (!trade->translated &&
        levy_names_find(&netting->currencies, trade->currency) == LEVY_NO_NAME &&
        levy_names_add(&netting->currencies, &netting->work, trade->currency) == LEVY_NO_NAME)
        return NULL;
    levy_netting_entry *const entry = &netting->entries[netting->n_entries++];
    *entry = (levy_netting_entry){.key = key,
                                  .currency = trade->currency,
                                  .label = label,
                                  .translated = trade->translated,
                                  .first = trade->index};
    return entry;
}

static netting_cell *netting_cell_of(levy_netting *netting, levy_netting_entry *entry,
                                     uint32_t line)
{
    if (line >= entry->room) {
        const size_t room = netting->line_names.count + netting->line_names.count / 2;
        netting_cell **const cells = levy_arena_allocate(&netting->work, room, sizeof *cells);
        if (!cells) return NULL;
        if (entry->room) memcpy(cells, entry->cells, entry->room * sizeof *cells);
        entry->cells = cells;
        entry->room = room;
    }
    if (entry->cells[line]) return entry->cells[line];
    netting_cell *const cell = levy_arena_allocate(&netting->work, 1, sizeof *cell);
    if (!cell) return NULL;
    cell->replicates =
        levy_arena_allocate(&netting->work, netting->n_replicates, sizeof *cell->replicates);
    if (!cell->replicates) return NULL;
    cell->exact = cell->settled = cell->resolved = true;
    entry->n_cells++;
    return entry->cells[line] = cell;
}

/* ---- Adding ---- */

static void netting_plus(netting_sum *to, double x)
{
    const double sum = to->sum + x;
    to->rest += fabs(to->sum) >= fabs(x) ? (to->sum - sum) + x : (x - sum) + to->sum;
    to->sum = sum;
}

static double netting_total(netting_sum sum) { return sum.sum + sum.rest; }

static bool netting_varies(const tree_sum *sums, size_t n_replicates)
{
    size_t r = 1;
    while (r < n_replicates && sums[r].mean == sums[0].mean) ++r;
    return r < n_replicates;
}

static void netting_add_part(netting_cell *cell, const levy_netting_part *part, const char *id,
                             size_t n_replicates)
{
    const levy_output_errors *const errors = &part->errors;
    const double scale = errors->zero ? 0.0 : part->scale, size = fabs(scale * part->rate);
    const bool stepped = part->note && strcmp(part->note, levy_netting_steps) == 0;
    cell->none += part->none && cell->last_none != id;
    if (part->none) cell->last_none = id;
    cell->stepped = cell->stepped || stepped;
    cell->flagged += part->note && !stepped && cell->last_flagged != id;
    if (part->note && !stepped) cell->last_flagged = id;
    if (!cell->note) cell->who = id;
    if (!cell->note && !stepped) cell->note = part->note;
    netting_plus(&cell->bias, part->rate * part->bias);
    netting_plus(&cell->steps, part->rate * part->step_bias);
    netting_plus(&cell->steps_se, fabs(part->rate) * part->step_bias_se);
    netting_plus(&cell->rounding, size * errors->rounding);
    if (errors->exact) netting_plus(&cell->exact_rounding, size * errors->rounding);
    netting_plus(&cell->resolution, size * errors->resolution);
    netting_plus(&cell->unseen, size * errors->unseen);
    netting_plus(&cell->rare, size * errors->rare);
    cell->resolved = cell->resolved && errors->resolution > 0.0;
    cell->heavy = cell->heavy || part->heavy;
    cell->exact = cell->exact && errors->exact;
    cell->settled = cell->settled && (errors->exact || netting_varies(part->sums, n_replicates));
    for (size_t r = 0; r < n_replicates; ++r)
        netting_plus(&cell->replicates[r], scale * part->sums[r].mean * part->rate);
}

static bool netting_add_under(levy_netting *netting, const levy_netting_trade *trade, size_t key)
{
    levy_netting_entry *const entry = netting_entry(netting, trade, key);
    if (!entry) return false;
    entry->trades++;
    entry->counted += trade->counts;
    if (trade->index < entry->first) entry->first = trade->index;
    for (uint32_t bit = 0; bit < LEVY_NETTING_MEASURES; ++bit)
        entry->covered[bit] += trade->covers >> bit & 1;
    for (size_t i = 0; i < trade->n_parts; ++i) {
        if (!trade->parts[i].sums) continue;
        netting_cell *const cell = netting_cell_of(netting, entry, trade->parts[i].line);
        if (!cell) return false;
        netting_add_part(cell, &trade->parts[i], trade->id, netting->n_replicates);
    }
    return true;
}

bool levy_netting_add(levy_netting *netting, const levy_netting_trade *trade, size_t n_replicates)
{
    if (netting->n_replicates == 0) {
        netting->n_replicates = n_replicates;
        netting->paths = (uint64_t)trade->parts[0].sums[0].n;
    }
    if (netting->n_replicates != n_replicates) netting->mixed = true;
    if (netting->mixed) return true;
    bool ok = true;
    for (size_t key = 0; ok && key <= netting->n_keys; ++key)
        ok = netting_add_under(netting, trade, key);
    netting->mixed = !ok; /* the group fails with some of its trades already added */
    return ok;
}

static bool netting_miss_in(levy_netting *netting, levy_netting_entry *entry,
                            const levy_netting_trade *trade, bool torn)
{
    entry->torn = entry->torn || torn;
    if (trade->index < entry->first) entry->first = trade->index;
    if (++entry->missed > NETTING_NAMED) return true;
    const char *const others = entry->missed_ids;
    entry->missed_ids =
        others ? levy_arena_format(&netting->work, "%s, %s", others, trade->id) : trade->id;
    return entry->missed_ids;
}

/* The groups of all currencies that have the trade's text under the key. */
static bool netting_miss_all(levy_netting *netting, const levy_netting_trade *trade, size_t key,
                             bool torn, size_t *found)
{
    bool ok = true;
    for (size_t c = 0; ok && c < netting->currencies.count; ++c) {
        const char *const name = netting_name(netting, key, netting_label(trade, key),
                                              netting->currencies.items[c], false);
        const size_t at = name ? levy_names_find(&netting->entry_names, name) : LEVY_NO_NAME;
        if (at != LEVY_NO_NAME) ok = netting_miss_in(netting, &netting->entries[at], trade, torn);
        *found += at != LEVY_NO_NAME;
        ok = ok && name;
    }
    return ok;
}

bool levy_netting_miss(levy_netting *netting, const levy_netting_trade *trade, bool torn)
{
    bool ok = true;
    for (size_t key = 0; ok && key <= netting->n_keys; ++key) {
        size_t found = 0;
        if (!*trade->currency) ok = netting_miss_all(netting, trade, key, torn, &found);
        if (found || !ok) continue;
        levy_netting_entry *const entry = netting_entry(netting, trade, key);
        ok = entry && netting_miss_in(netting, entry, trade, torn);
    }
    return ok;
}

/* ---- Estimates ---- */

/* moments: [replicate], scratch. */
static levy_estimate netting_estimate(const levy_netting *netting, const levy_netting_line *line,
                                      const netting_cell *cell, levy_moments *moments,
                                      double confidence)
{
    const size_t n = netting->n_replicates;
    const double all = netting_total(cell->resolution), rounding = netting_total(cell->rounding);
    const double together = cell->resolved ? all : 0.0, remainder = all - together;
    for (size_t r = 0; r < n; ++r)
        moments[r] = (levy_moments){netting->paths, netting_total(cell->replicates[r]), 0.0};
    levy_estimate e = levy_estimate_replicates(moments, n, confidence, together);
    /* what replicates agree on has the errors of its parts, if each has one */
    const bool lent =
        e.interval == LEVY_INTERVAL_UNRELIABLE && cell->flagged == 0 && rounding > 0.0;
    if (lent) e = levy_estimate_replicates(moments, n, confidence, rounding);
    e = levy_estimate_widen(e, remainder, confidence);
    if (cell->heavy || netting_total(cell->unseen) > e.std_error) e = levy_estimate_unreliable(e);
    bool equal = n > 1;
    for (size_t r = 1; r < n; ++r) equal = equal && moments[r].mean == moments[0].mean;
    /* terms that cancel to 0 have no rounding error; any other sum of equal values has that of its
     * parts */
    if (cell->exact || (equal && cell->settled))
        return levy_estimate_widen(levy_estimate_exact(e.n, e.value),
                                   e.value == 0.0 ? netting_total(cell->exact_rounding) : rounding,
                                   confidence);
    if (line->second && e.std_error <= rounding - netting_total(cell->rare)) {
        e = levy_estimate_unreliable(e); /* no path meets a strike: only rounding differs */
        e.std_error = NAN;
        return e;
    }
    return lent ? e : levy_estimate_widen(e, rounding, confidence);
}

/* Whether the steps leave more of a sum than its error, and more than is in doubt; where that is
 * unknown, whether they do of a trade. */
static bool netting_steps_leave(const netting_cell *cell, double std_error)
{
    const double left = fabs(netting_total(cell->steps)), doubt = netting_total(cell->steps_se);
    if (cell->stepped) return !(left <= std_error || left <= doubt);
    return left > std_error && left > netting_sure * doubt;
}

/* What is to be said of a sum. Its parts come one after another; NULL: nothing, or no memory, which
 * *ok then says. */
static const char *netting_note(const levy_netting_entry *entry, const netting_cell *cell,
                                double std_error, size_t covered, const char *noun,
                                levy_arena *arena, bool *ok)
{
    const size_t all = entry->trades;
    const char *note = netting_steps_leave(cell, std_error) ? levy_netting_steps : NULL;
    if (cell->none && all == 1) return cell->note;
    if (cell->none)
        note = levy_arena_format(arena, "no value: %zu of %zu %s %s none", cell->none, all, noun,
                                 cell->none == 1 ? "has" : "have");
    else if (cell->flagged)
        note = all == 1
                   ? cell->note
                   : levy_arena_format(arena, "%s (%zu of %zu %s: %s%s)", cell->note, cell->flagged,
                                       all, noun, cell->who, cell->flagged > 1 ? ", ..." : "");
    *ok = *ok && (note || !(cell->none || cell->flagged));
    if (covered >= all || !*ok) return note;
    const char *const more = note ? levy_arena_format(arena, "; %s", note) : "";
    note = more ? levy_arena_format(arena, "partial: %zu of %zu %s report it%s", covered, all, noun,
                                    more)
                : NULL;
    *ok = note != NULL;
    return note;
}

static bool netting_measure(const levy_netting *netting, const levy_netting_entry *entry,
                            uint32_t number, const levy_estimate *e, double confidence,
                            levy_arena *arena, levy_measure *measure)
{
    static const char unreliable[] = "unreliable: too few replicates have distinct values";
    const levy_netting_line *const line = &netting->lines[number];
    const netting_cell *const cell = entry->cells[number];
    const levy_estimate whole = cell->none
                                    ? levy_estimate_none()
                                    : levy_estimate_bias(*e, netting_total(cell->bias), confidence);
    bool ok = true;
    *measure = (levy_measure){
        .measure = line->measure,
        .factor = line->factor,
        .value = whole.value,
        .std_error = whole.std_error,
        .ci_low = whole.ci_low,
        .ci_high = whole.ci_high,
        .interval = levy_interval_text(whole.interval),
        .note = netting_note(entry, cell, whole.std_error, entry->covered[line->bit],
                             entry->trades == entry->counted ? netting->noun : "trades and legs",
                             arena, &ok),
        .step_bias = cell->none ? NAN : netting_total(cell->steps),
        .step_bias_se = cell->none ? NAN : netting_total(cell->steps_se)};
    measure->flagged = measure->note || e->interval == LEVY_INTERVAL_UNRELIABLE;
    if (measure->flagged && !measure->note) measure->note = unreliable;
    return ok;
}

/* ---- The order of reported sums ---- */

typedef struct netting_order {
    size_t major;
    double at;
    size_t minor, number;
} netting_order;

static int netting_compare(const void *a, const void *b)
{
    const netting_order *const x = a, *const y = b;
    if (x->major != y->major) return x->major < y->major ? -1 : 1;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    return x->minor < y->minor ? -1 : x->minor > y->minor;
}

/* The lines of a group: by measure, by date, then as they were first met. */
static netting_order *netting_lines(levy_netting *netting, const levy_netting_entry *entry)
{
    netting_order *const order = levy_arena_allocate(&netting->work, entry->n_cells, sizeof *order);
    size_t n = 0;
    for (uint32_t line = 0; order && line < entry->room; ++line)
        if (entry->cells[line])
            order[n++] =
                (netting_order){netting->lines[line].place, netting->lines[line].at, line, line};
    if (order) qsort(order, n, sizeof *order, netting_compare);
    return order;
}

/* The note on a sum that does not depend on its measures. False: no memory. */
static bool netting_begin(const levy_netting *netting, const levy_netting_entry *entry,
                          levy_arena *arena, double confidence, levy_netted *netted)
{
    const size_t more = entry->missed > NETTING_NAMED ? entry->missed - NETTING_NAMED : 0;
    *netted = (levy_netted){.currency = entry->currency,
                            .trades = entry->torn ? 0 : entry->counted,
                            .replicates = netting->n_replicates,
                            .value = NAN,
                            .std_error = NAN,
                            .ci_low = NAN,
                            .ci_high = NAN,
                            .confidence = confidence,
                            .interval = "none",
                            .translated = entry->translated,
                            .key = entry->key ? netting->keys[entry->key - 1] : NULL,
                            .label = entry->label,
                            .failed = entry->missed};
    if (entry->missed == 0) return true;
    netted->failed_ids = more ? levy_arena_format(arena, "%s and %zu more", entry->missed_ids, more)
                              : levy_arena_format(arena, "%s", entry->missed_ids);
    return netted->failed_ids;
}

static bool netting_finish_entry(levy_netting *netting, const levy_netting_entry *entry,
                                 levy_arena *arena, levy_moments *moments, double confidence,
                                 levy_netted *netted)
{
    const size_t n = entry->torn ? 0 : entry->n_cells;
    const netting_order *const order = netting_lines(netting, entry);
    levy_measure *const measures = levy_arena_allocate(arena, n, sizeof *measures);
    bool ok = order && measures && netting_begin(netting, entry, arena, confidence, netted);
    for (size_t i = 0; ok && i < n; ++i) {
        const uint32_t line = (uint32_t)order[i].number;
        const levy_netting_line *const of = &netting->lines[line];
        const levy_estimate e =
            netting_estimate(netting, of, entry->cells[line], moments, confidence);
        ok = netting_measure(netting, entry, line, &e, confidence, arena, &measures[i]);
        if (i > 0) continue; /* the price comes first */
        netted->value = measures[i].value;
        netted->std_error = measures[i].std_error;
        netted->ci_low = measures[i].ci_low;
        netted->ci_high = measures[i].ci_high;
        netted->interval = measures[i].interval;
    }
    netted->n_measures = ok ? n : 0;
    netted->measures = measures;
    return ok;
}

bool levy_netting_finish(levy_netting *netting, levy_arena *arena, double confidence)
{
    const size_t n = netting->mixed ? 0 : netting->n_entries;
    levy_moments *const moments =
        levy_arena_allocate(&netting->work, netting->n_replicates, sizeof *moments);
    netting_order *const order = levy_arena_allocate(&netting->work, n, sizeof *order);
    netting->netted = levy_arena_allocate(arena, n, sizeof *netting->netted);
    bool ok = moments && order && netting->netted;
    for (size_t i = 0; ok && i < n; ++i)
        order[i] = (netting_order){netting->entries[i].key, netting->entries[i].translated,
                                   netting->entries[i].first, i};
    if (ok) qsort(order, n, sizeof *order, netting_compare);
    for (size_t i = 0; ok && i < n; ++i)
        ok = netting_finish_entry(netting, &netting->entries[order[i].number], arena, moments,
                                  confidence, &netting->netted[i]);
    netting->n_netted = ok ? n : 0;
    levy_netting_release(netting);
    return ok;
}
