/* script.c: host half of what has a program. Must not know: how the levels' paths are made. */
#include "payoffs/script_terms.h"

#include "kernels/lane/scalar.h"
#include "payoffs/fields.h"

static const levy_field script_fields[] = {{0}};
const levy_table levy_payoff_script_table = {.name = "payoff script",
                                             .doc = "A program.",
                                             .size = sizeof(levy_script_terms),
                                             .fields = script_fields,
                                             .node_offset = offsetof(levy_payoff_terms, node),
                                             .has_node = true};

static const levy_script_program *script_program(const levy_payoff_terms *terms)
{
    return ((const levy_script_terms *)terms)->program;
}

static void script_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                           levy_claim_numbers *numbers)
{
    (void)unit;
    numbers->variant = ((const levy_script_terms *)claim->terms)->settles << 16;
}

static void script_constants(const levy_claim *claim, uint32_t variant, const levy_claim_unit *unit,
                             const levy_claim_step *start, double *constants)
{
    const levy_script_terms *const terms = (const levy_script_terms *)claim->terms;
    (void)variant, (void)unit, (void)start;
    for (uint32_t k = 0; k < terms->program->n_constants; ++k) constants[k] = terms->constants[k];
}

static void script_node_terms(const levy_claim *claim, uint32_t variant,
                              const levy_claim_step *step, double *node_terms)
{
    const levy_script_terms *const terms = (const levy_script_terms *)claim->terms;
    (void)variant;
    for (uint32_t k = 0; k < terms->program->n_terms; ++k) {
        const levy_script_term *const term = &terms->terms[k];
        if (!(step->events >> term->schedule & 1)) continue;
        node_terms[k] = (term->values ? term->values[step->number[term->schedule]] : 1.0) *
                        (term->paid ? levy_exp(step->to - step->paid) : 1.0);
    }
}

const levy_payoff levy_payoff_script = {.kind = "script",
                                        .table = &levy_payoff_script_table,
                                        .program = script_program,
                                        .constants = script_constants,
                                        .numbers = script_numbers,
                                        .node_terms = script_node_terms,
                                        .features = LEVY_PAYOFF_DISCONTINUOUS,
                                        .aggregate = LEVY_AGGREGATE_WORST_OF,
                                        .lanes = LEVY_PAYOFF_SCRIPT};
