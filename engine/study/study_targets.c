/* study_targets.c: what a trade has of the measures that a study asks for: a plan says it, as an
 * output each. See study.h. */
#include "engine/study/study.h"

#include "engine/book/results.h"

#include <string.h>

/* ---- Measures ---- */

static levy_status targets_unknown_measure(levy_context *context, levy_arena *arena,
                                           const char *name)
{
    const char *names[33] = {0}, *list = "";
    for (size_t i = 0; i < 32 && levy_results_measure_name(1u << i); ++i) {
        names[i] = levy_results_measure_name(1u << i);
        if (list) list = levy_arena_format(arena, "%s%s%s", list, i ? ", " : "", names[i]);
    }
    char meant[LEVY_MEANT_SIZE];
    const char *const hint = levy_arena_format(arena, "They are %s.", list ? list : "");
    levy_fault_add(&context->faults, LEVY_REASON_UNKNOWN_NAME, NULL, "measures", hint,
                   "there is no measure '%s'%s", name,
                   levy_meant(levy_nearest(name, names), meant));
    return LEVY_ARGUMENT;
}

static levy_status targets_no_mean(levy_context *context, const char *name)
{
    levy_fault_add(&context->faults, LEVY_REASON_UNSUPPORTED, NULL, "measures", "Study the price.",
                   "%s is no mean of paths, which a study measures", name);
    return LEVY_ARGUMENT;
}

/* "price,delta": each once. */
levy_status levy_study_measures_read(levy_context *context, levy_arena *arena, const char *text,
                                     levy_study_request *q)
{
    q->measures = levy_arena_allocate(arena, 32, sizeof *q->measures);
    if (!q->measures) return LEVY_MEMORY;
    for (uint32_t seen = 0;;) {
        const size_t whole = strcspn(text, ",");
        const char *const name = levy_arena_copy_text(arena, text, whole);
        uint32_t bit = 1;
        if (!name) return LEVY_MEMORY;
        while (levy_results_measure_name(bit) && strcmp(levy_results_measure_name(bit), name) != 0)
            bit *= 2;
        if (!levy_results_measure_name(bit)) return targets_unknown_measure(context, arena, name);
        if (bit == LEVY_MEASURE_IMPLIED_VOLATILITY) return targets_no_mean(context, name);
        if (!(seen & bit)) q->measures[q->n_measures++] = bit;
        seen |= bit;
        if (text[whole] == '\0') return LEVY_OK;
        text += whole + 1;
    }
}

/* ---- Targets ---- */

size_t levy_study_target_row(const levy_plan *plan, const levy_study_target *target)
{
    const levy_image_output *outputs = LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
    for (uint32_t o = 0; o < plan->image->n_outputs; ++o)
        if (outputs[o].trade == 0 && !outputs[o].probe && outputs[o].measure == target->measure &&
            (target->measure == LEVY_MEASURE_PRICE ||
             strcmp(plan->labels[outputs[o].factor], target->factor) == 0))
            return o;
    return SIZE_MAX;
}

double levy_study_target_scale(const levy_trade *trade, const levy_study_target *target)
{
    /* means of paths, in no currency */
    const uint32_t pure =
        LEVY_MEASURE_PROBABILITY | LEVY_MEASURE_EXPECTED_LIFE | LEVY_MEASURE_REPORT;
    return target->measure & pure ? 1.0 : levy_trade_scale(trade);
}

/* The outputs of one measure, in the order of their factors' numbers. */
static levy_status targets_add(levy_study_job *job, const levy_plan *plan, uint32_t measure,
                               levy_study_target *targets, size_t *n)
{
    const levy_image_output *outputs = LEVY_IMAGE_AT(levy_image_output, plan->image, outputs);
    for (uint32_t o = 0; o < plan->image->n_outputs; ++o) {
        if (outputs[o].trade != 0 || outputs[o].probe || outputs[o].measure != measure) continue;
        if (outputs[o].remarks & LEVY_OUTPUT_NOT_BUMPED) continue;
        const char *const label =
            measure == LEVY_MEASURE_PRICE ? "" : plan->labels[outputs[o].factor];
        const char *const factor = levy_arena_copy_text(&job->study->arena, label, strlen(label));
        if (!factor) return LEVY_MEMORY;
        targets[(*n)++] = (levy_study_target){measure, factor};
    }
    return LEVY_OK;
}

static levy_status targets_none(levy_study_job *job)
{
    const char *const name = levy_results_measure_name(job->request.measures[0]);
    const bool scenario =
        job->request.measures[0] & (LEVY_MEASURE_SCENARIO_PRICE | LEVY_MEASURE_SCENARIO_PNL);
    levy_fault_add(&job->context->faults, LEVY_REASON_INCONSISTENT, NULL, "measures",
                   scenario ? "Add scenarios to the book." : "Study another measure.",
                   "trade '%s' has no %s", job->problem.trades[0].from->raw->id, name);
    return LEVY_ARGUMENT;
}

levy_status levy_study_targets_find(levy_study_job *job, levy_study_target **targets, size_t *n)
{
    char why[LEVY_PLAN_WHY] = "";
    levy_group *groups;
    size_t n_groups;
    levy_plan *plan = NULL;
    *n = 0;
    LEVY_TRY(levy_groups_create(&job->problem, &job->scratch, &groups, &n_groups));
    levy_status status =
        levy_plan_create(&job->context->planning, &job->problem, &groups[0], &plan, why);
    if (status != LEVY_OK) {
        if (status != LEVY_CANCELLED)
            levy_fault_add(&job->context->faults,
                           status == LEVY_MEMORY ? LEVY_REASON_MEMORY : LEVY_REASON_UNSUPPORTED,
                           NULL, job->problem.trades[0].from->raw->id, NULL, "%s",
                           why[0] ? why : levy_status_text(status));
        return status;
    }
    *targets = levy_arena_allocate(&job->scratch, plan->image->n_outputs, sizeof **targets);
    if (!*targets) status = LEVY_MEMORY;
    for (size_t i = 0; status == LEVY_OK && i < job->request.n_measures; ++i)
        status = targets_add(job, plan, job->request.measures[i], *targets, n);
    levy_plan_destroy(plan);
    return status == LEVY_OK && *n == 0 ? targets_none(job) : status;
}
