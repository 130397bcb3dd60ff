/* alias_psa.c: PSA and PSA+: sections are listed side by side, their counts and amounts summed up,
 * and what waits is split into pieces of equal numbers of items, each of which starts from a state
 * found by binary search: i light items served and j heavy ones finished, i + j given. Light item i
 * goes before the end of heavy item j exactly when the lacks before i are below the excesses up to
 * and with j, so every row is a function of the running sums, whatever the pieces. */
#include "kernels/samplers/alias/alias_build.h"

typedef struct psa_job {
    levy_alias *alias;
    const levy_alias_weights *weights;
    alias_lists lists;
    uint32_t workers;
    bool greedy;
} psa_job;

static void psa_list_work(void *user, uint32_t worker)
{
    psa_job *const job = user;
    const uint64_t n = job->lists.n_sections;
    for (uint64_t s = n * worker / job->workers; s < n * (worker + 1) / job->workers; ++s)
        levy_alias_section_list(job->alias, job->weights, &job->lists, s, job->greedy);
}

/* Replaces each section's counts and amounts by those of all sections before it. */
static void psa_scan(alias_lists *lists)
{
    alias_section sum = {0, 0, 0, 0};
    for (uint64_t s = 0; s <= lists->n_sections; ++s) {
        const alias_section own = lists->sections[s];
        lists->sections[s] = sum;
        sum.lights += own.lights;
        sum.heavies += own.heavies;
        sum.lack += own.lack;
        sum.excess += own.excess;
    }
}

/* A walk along one list over all sections. */
typedef struct psa_cursor {
    const alias_lists *lists;
    uint64_t section, at, count; /* place in the section, and how many wait there */
    bool heavy;
} psa_cursor;

static uint64_t psa_rank(const alias_lists *lists, uint64_t section, bool heavy)
{
    return heavy ? lists->sections[section].heavies : lists->sections[section].lights;
}

static inline void psa_settle(psa_cursor *c)
{
    while (c->section < c->lists->n_sections) {
        c->count =
            psa_rank(c->lists, c->section + 1, c->heavy) - psa_rank(c->lists, c->section, c->heavy);
        if (c->at < c->count) return;
        c->at -= c->count;
        ++c->section;
    }
}

static psa_cursor psa_seek(const alias_lists *lists, uint64_t rank, bool heavy)
{
    uint64_t low = 0, high = lists->n_sections; /* sections[low] starts at or before rank */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (psa_rank(lists, middle, heavy) <= rank)
            low = middle;
        else
            high = middle;
    }
    psa_cursor c = {lists, low, rank - psa_rank(lists, low, heavy), 0, heavy};
    psa_settle(&c);
    return c;
}

static inline alias_entry psa_entry(const psa_cursor *c)
{
    const uint64_t first = c->section * ALIAS_SECTION, left = c->lists->n_items - first;
    const uint64_t size = left < ALIAS_SECTION ? left : ALIAS_SECTION;
    return c->lists->entries[c->heavy ? first + size - 1 - c->at : first + c->at];
}

/* The running sum up to and with the item under the cursor. */
static alias_wide psa_sum(const psa_cursor *c)
{
    const alias_section *const s = &c->lists->sections[c->section];
    return (c->heavy ? s->excess : s->lack) + alias_entry_amount(psa_entry(c));
}

static alias_wide psa_lack_before(const alias_lists *lists, uint64_t i)
{
    if (i == 0) return 0;
    const psa_cursor c = psa_seek(lists, i - 1, false);
    return psa_sum(&c);
}

/* How many of the first `steps` steps serve light items. */
static uint64_t psa_split(const alias_lists *lists, uint64_t steps)
{
    const alias_section *const all = &lists->sections[lists->n_sections];
    uint64_t low = steps > all->heavies ? steps - all->heavies : 0,
             high = steps < all->lights ? steps : all->lights;
    /* the largest i whose last light item goes before the end of heavy item steps - i */
    while (low < high) {
        const uint64_t i = low + (high - low + 1) / 2;
        const psa_cursor heavy = psa_seek(lists, steps - i, true);
        const bool before =
            steps - i >= all->heavies || psa_lack_before(lists, i - 1) < psa_sum(&heavy);
        if (before)
            low = i;
        else
            high = i - 1;
    }
    return low;
}

typedef struct psa_state {
    psa_cursor light, heavy;
    uint64_t steps; /* left to take */
    /* lacks before the light item; excesses up to and with the heavy one */
    alias_wide lacks, excesses;
} psa_state;

/* Serves light items of one section from one heavy item. Their rows are complete but for the
 * partner. */
static void psa_serve(psa_job *job, psa_state *s)
{
    levy_alias_row *const rows = job->alias->rows;
    const alias_scale scale = job->alias->scale;
    const alias_wide before = job->lists.sections[s->light.section].lack;
    const alias_entry *const entries = job->lists.entries + s->light.section * ALIAS_SECTION;
    const uint32_t heavy = psa_entry(&s->heavy).index;
    const uint64_t left = s->light.count - s->light.at,
                   most = s->light.at + (left < s->steps ? left : s->steps);
    const uint64_t first = s->light.at;
    alias_wide lacks = s->lacks;
    uint64_t at = first;
    for (; at < most && lacks < s->excesses; ++at) {
        const alias_wide sum = before + alias_entry_amount(entries[at]);
        rows[entries[at].index].item[alias_own_first(&scale, sum - lacks)] = heavy;
        lacks = sum;
    }
    s->lacks = lacks;
    s->light.at = at;
    s->steps -= at - first;
    psa_settle(&s->light);
}

static void psa_end_heavy(psa_job *job, psa_state *s)
{
    const uint32_t own = psa_entry(&s->heavy).index;
    const alias_split split = alias_split_heavy(&job->alias->scale, s->lacks - s->excesses);
    ++s->heavy.at;
    --s->steps;
    psa_settle(&s->heavy);
    const bool more = s->heavy.section < job->lists.n_sections;
    levy_alias_row_set(&job->alias->rows[own], split, own, more ? psa_entry(&s->heavy).index : own);
    if (more) s->excesses = psa_sum(&s->heavy);
}

/* Runs the construction from step `begin` for `steps` steps. */
static void psa_pack(psa_job *job, uint64_t begin, uint64_t steps)
{
    const alias_lists *const lists = &job->lists;
    const uint64_t i = psa_split(lists, begin),
                   heavies = lists->sections[lists->n_sections].heavies;
    psa_state s = {.light = psa_seek(lists, i, false),
                   .heavy = psa_seek(lists, begin - i, true),
                   .steps = steps};
    s.lacks = psa_lack_before(lists, i);
    s.excesses = begin - i < heavies ? psa_sum(&s.heavy) : 0;
    while (s.steps > 0 && s.heavy.section < lists->n_sections) {
        if (s.lacks >= s.excesses)
            psa_end_heavy(job, &s);
        else if (s.light.section < lists->n_sections)
            psa_serve(job, &s);
        else
            return;
    }
}

static void psa_pack_work(void *user, uint32_t worker)
{
    psa_job *const job = user;
    const alias_section *const all = &job->lists.sections[job->lists.n_sections];
    const uint64_t steps = all->lights + all->heavies, share = steps / job->workers,
                   rest = steps % job->workers;
    const uint64_t begin = share * worker + (worker < rest ? worker : rest);
    if (steps > 0) psa_pack(job, begin, share + (worker < rest));
}

/* Heavy items that rounding leaves unfinished keep whole rows; light ones have whole rows already.
 */
static void psa_finish(psa_job *job)
{
    const alias_lists *const lists = &job->lists;
    const alias_section *const all = &lists->sections[lists->n_sections];
    for (uint64_t j = all->heavies; j-- > 0;) {
        const psa_cursor heavy = psa_seek(lists, j, true);
        if (psa_sum(&heavy) <= all->lack) return;
        const uint32_t own = psa_entry(&heavy).index;
        job->alias->rows[own] = (levy_alias_row){0.0, {own, own}};
    }
}

levy_status levy_alias_build_psa(levy_alias *alias, const levy_alias_weights *weights,
                                 const levy_alias_crew *crew, bool greedy)
{
    psa_job job = {
        .alias = alias, .weights = weights, .workers = alias_crew_size(crew), .greedy = greedy};
    job.lists.n_items = weights->count;
    job.lists.n_sections = (weights->count + ALIAS_SECTION - 1) / ALIAS_SECTION;
    const size_t sections = (size_t)(job.lists.n_sections + 1) * sizeof *job.lists.sections;
    char *const scratch =
        levy_alias_scratch(alias, sections + (size_t)weights->count * sizeof *job.lists.entries);
    if (!scratch) return LEVY_MEMORY;
    job.lists.sections = (alias_section *)scratch;
    job.lists.entries = (alias_entry *)(scratch + sections);
    levy_alias_crew_run(crew, psa_list_work, &job);
    psa_scan(&job.lists);
    levy_alias_crew_run(crew, psa_pack_work, &job);
    psa_finish(&job);
    return LEVY_OK;
}
