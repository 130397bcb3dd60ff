/* netting.c: see netting.h. */
#include "engine/statistics/netting.h"

#include "engine/statistics/stats.h"

#include <math.h>
#include <string.h>

static void netting_sum(levy_netting_sum *to, double x)
{
    const double sum = to->sum + x;
    to->rest += fabs(to->sum) >= fabs(x) ? (to->sum - sum) + x : (x - sum) + to->sum;
    to->sum = sum;
}

static levy_netting_entry *netting_entry(levy_netting *netting, levy_arena *arena,
                                         const char *currency)
{
    for (size_t i = 0; i < netting->n_entries; ++i)
        if (strcmp(netting->entries[i].currency, currency) == 0) return &netting->entries[i];
    levy_netting_entry *entries = levy_arena_extend(arena, netting->entries, netting->n_entries,
                                                    &netting->room, 4, sizeof *entries);
    if (!entries) return NULL;
    netting->entries = entries;
    levy_netting_entry *entry = &netting->entries[netting->n_entries];
    entry->replicates =
        levy_arena_allocate(arena, netting->n_replicates, sizeof *entry->replicates);
    if (!entry->replicates) return NULL;
    entry->currency = currency;
    entry->exact = entry->settled = entry->resolved = true;
    netting->n_entries++;
    return entry;
}

static bool netting_varies(const levy_netting_part *part)
{
    size_t r = 1;
    while (r < part->n_replicates && part->sums[r].mean == part->sums[0].mean) ++r;
    return r < part->n_replicates;
}

bool levy_netting_add(levy_netting *netting, levy_arena *arena, const char *currency,
                      const levy_netting_part *part)
{
    const size_t n_replicates = part->n_replicates;
    if (netting->n_replicates == 0) {
        netting->n_replicates = n_replicates;
        netting->paths = (uint64_t)part->sums[0].n;
    }
    if (netting->n_replicates != n_replicates) netting->mixed = true;
    if (netting->mixed) return true;
    levy_netting_entry *entry = netting_entry(netting, arena, currency);
    /* the group fails with some of its trades already added, so nothing can be netted */
    if (!entry) netting->mixed = true;
    if (!entry) return false;
    entry->trades++;
    entry->rounding += fabs(part->scale) * part->rounding;
    entry->exact_rounding += part->exact ? fabs(part->scale) * part->rounding : 0.0;
    entry->resolution += fabs(part->scale) * part->resolution;
    entry->unseen += fabs(part->scale) * part->unseen;
    entry->resolved = entry->resolved && part->resolution > 0.0;
    entry->heavy = entry->heavy || part->heavy;
    entry->exact = entry->exact && part->exact;
    entry->settled = entry->settled && (part->exact || netting_varies(part));
    for (size_t r = 0; r < n_replicates; ++r)
        netting_sum(&entry->replicates[r], part->scale * part->sums[r].mean);
    return true;
}

/* moments: [replicate], of the sums. */
static levy_estimate netting_estimate(const levy_netting *netting, const levy_netting_entry *entry,
                                      const levy_moments *moments, double confidence)
{
    const double together = entry->resolved ? entry->resolution : 0.0,
                 remainder = entry->resolution - together;
    levy_estimate estimate =
        levy_estimate_replicates(moments, netting->n_replicates, confidence, together);
    estimate = levy_estimate_widen(estimate, remainder, confidence);
    if (entry->heavy || entry->unseen > estimate.std_error)
        estimate = levy_estimate_unreliable(estimate);
    bool equal = netting->n_replicates > 1;
    for (size_t r = 1; r < netting->n_replicates; ++r)
        equal = equal && moments[r].mean == moments[0].mean;
    if (!entry->exact && !(equal && entry->settled))
        return levy_estimate_widen(estimate, entry->rounding, confidence);
    return levy_estimate_widen(levy_estimate_exact(estimate.n, estimate.value),
                               entry->exact_rounding, confidence);
}

bool levy_netting_finish(levy_netting *netting, levy_arena *arena, double confidence)
{
    if (netting->mixed) netting->n_entries = 0;
    levy_moments *moments = levy_arena_allocate(arena, netting->n_replicates, sizeof *moments);
    netting->netted = levy_arena_allocate(arena, netting->n_entries, sizeof *netting->netted);
    if (!moments || !netting->netted) return false;
    for (size_t i = 0; i < netting->n_entries; ++i) {
        const levy_netting_entry *entry = &netting->entries[i];
        for (size_t r = 0; r < netting->n_replicates; ++r)
            moments[r] = (levy_moments){netting->paths,
                                        entry->replicates[r].sum + entry->replicates[r].rest, 0.0};
        const levy_estimate estimate = netting_estimate(netting, entry, moments, confidence);
        netting->netted[i] = (levy_netted){.currency = entry->currency,
                                           .trades = entry->trades,
                                           .replicates = netting->n_replicates,
                                           .value = estimate.value,
                                           .std_error = estimate.std_error,
                                           .ci_low = estimate.ci_low,
                                           .ci_high = estimate.ci_high,
                                           .confidence = confidence,
                                           .interval = levy_interval_text(estimate.interval)};
    }
    return true;
}
