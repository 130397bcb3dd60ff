/* decided.c: see decided.h. The program of an item runs on numbers of which some are not known. */
#include "engine/plan/decided.h"

#include "engine/problem/trade.h"
#include "engine/script/payoff_script.h"

/* The registers of a path. */
typedef struct decided_run {
    const levy_image *image;
    const levy_image_item *item;
    uint32_t node;
    double value[LEVY_SCRIPT_REGISTERS];
    bool known[LEVY_SCRIPT_REGISTERS];
} decided_run;

static bool decided_operand(const decided_run *r, uint32_t operand, double *value)
{
    const uint32_t at = operand & LEVY_SCRIPT_AT, number = operand & ~(uint32_t)LEVY_SCRIPT_AT;
    const levy_image_item *const item = r->item;
    uint64_t from = item->node_terms;
    if (at == LEVY_SCRIPT_AT_LEVEL) return false;
    *value = r->value[number % LEVY_SCRIPT_REGISTERS];
    if (at == 0) return r->known[number];
    if (at == LEVY_SCRIPT_AT_CONSTANT)
        from -= item->n_constants;
    else
        from += (uint64_t)r->node * item->n_node_terms;
    *value = levy_image_real(r->image, r->image->node_terms, from + number);
    return true;
}

/* Runs a step; where only one operand of a product is known and is 0, the product is. A WHERE skips
 * what changes no state. */
static void decided_step(decided_run *r, const levy_script_step *s)
{
    double x[3] = {0.0, 0.0, 0.0};
    bool known[3] = {true, true, true};
    const uint32_t operands[] = {s->a, s->b, s->c}, n = levy_script_operands(s->op);
    if (s->op == LEVY_SCRIPT_WHERE) return;
    for (uint32_t k = 0; k < n; ++k) known[k] = decided_operand(r, operands[k], &x[k]);
    bool all = known[0] && known[1] && known[2];
    if ((s->op == LEVY_SCRIPT_MULTIPLY || s->op == LEVY_SCRIPT_AND) &&
        ((known[0] && x[0] == 0.0) || (known[1] && x[1] == 0.0))) {
        x[0] = x[1] = 0.0;
        all = true;
    }
    if (s->op == LEVY_SCRIPT_SELECT && known[0]) all = known[x[0] != 0.0 ? 1 : 2];
    r->value[s->to] = levy_script_apply((levy_script_op)s->op, x[0], x[1], x[2]);
    r->known[s->to] = all && n > 0;
}

/* Runs the blocks of a date. */
static void decided_date(decided_run *r, const levy_script_program *p, uint32_t events)
{
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        const levy_script_block *const block = &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[b];
        if (!(events >> block->schedule & 1)) continue;
        for (uint32_t k = 0; k < block->n; ++k)
            decided_step(r, &LEVY_SCRIPT_PROGRAM_STEPS(p)[block->first + k]);
    }
}

static bool decided_item(const levy_plan *plan, uint32_t number)
{
    const levy_image *const h = plan->image;
    const levy_image_item *const item = LEVY_IMAGE_AT(levy_image_item, h, items) + number;
    const uint32_t *const flags = LEVY_IMAGE_AT(uint32_t, h, flags);
    decided_run r = {.image = h, .item = item};
    if (!(item->traits & LEVY_ITEM_SCRIPT)) return false;
    const levy_script_program *const p = levy_image_program(h, item);
    if (p->n_segments > 0) return false;
    for (uint32_t k = 0; k < p->n_states; ++k)
        r.known[k] = decided_operand(&r, LEVY_SCRIPT_AT_CONSTANT + k, &r.value[k]);
    for (r.node = 0; r.node < h->n_nodes; ++r.node)
        decided_date(&r, p, (flags[r.node] & LEVY_ITEM_MASK(item)) >> item->flag);
    return r.known[item->variant >> 16];
}

bool levy_plan_is_decided(const levy_plan *plan, uint32_t number)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + number;
    bool decided = true;
    for (uint32_t i = 0; i < output->n_terms; ++i)
        decided = decided && decided_item(plan, output->first_item + output->term[i]);
    return decided;
}
