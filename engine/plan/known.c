/* known.c: see known.h. The items are those of any plan; one path, which stands still, prices
 * them. */
#include "engine/plan/known.h"
#include "engine/base/tie.h"
#include "engine/plan/early.h"
#include "engine/plan/rounding.h"

#include "kernels/lane/scalar.h"

#include "payoffs/item.h"
#include "payoffs/scripted.h"
#include "payoffs/settle_scalar.h"

#include "engine/plan/item_terms.h"

#include <math.h>
#include <string.h>

/* Runs the blocks of all dates to come, which read no level. */
static void known_run(const levy_plan *plan, const levy_image_item *item,
                      const levy_scripted *scripted, const double *levels, double *states)
{
    const levy_image *const h = plan->image;
    const levy_script_program *const p = scripted->script.program;
    const levy_script_block *const blocks = LEVY_SCRIPT_PROGRAM_BLOCKS(p);
    const double *terms = LEVY_IMAGE_AT(double, h, node_terms) + item->node_terms;
    double registers[LEVY_SCRIPT_REGISTERS];
    for (uint32_t node = 0; node < h->n_nodes; ++node, terms += item->n_node_terms)
        for (uint32_t k = 0; k < p->n_blocks; ++k)
            if (LEVY_IMAGE_AT(uint32_t, h, flags)[node] >> (item->flag + blocks[k].schedule) & 1u)
                levy_script_run(&scripted->script, k, terms, levels, true, states, registers);
}

/* The largest number of which the payment of an item is a difference, in its units. */
static double known_size(const levy_trade *trade, const double *coefficients, const double *terms)
{
    const bool sums = trade->kind.aggregate == LEVY_AGGREGATE_BASKET;
    double size = 0.0;
    for (size_t u = 0; u < trade->n_underlyings; ++u)
        size = sums ? size + fabs(coefficients[u]) : fmax(size, fabs(coefficients[u]));
    return fmax(levy_item_is_return(trade) ? 1.0 : size, fabs(terms[ITEM_STRIKE]));
}

/* Whether what is paid is a gain within the rule of ties: what a level has beyond a number that it
 * equals, and of which the call or the put pays nothing. */
static bool known_is_tie(const levy_trade *trade, const levy_image_item *item, const double *terms,
                         double x, double paid, double size)
{
    const levy_payoff *const kind = levy_payoffs[trade->kind.payoff];
    double other[LEVY_ITEM_REALS];
    if (!(paid > 0.0) || !levy_is_tie_of(paid, 0.0, size)) return false;
    if (kind->pays_amount && kind->pays_amount(trade->claim.terms)) return false;
    memcpy(other, terms, sizeof other);
    other[ITEM_SIGN] = -other[ITEM_SIGN];
    return levy_payoff_settle(item->kind, item->variant, other, NULL, 0, x) == 0.0;
}

/* What an item pays, discounted; `term`: of one that may be exercised early. */
static double known_item(const levy_plan *plan, uint32_t number, int term)
{
    const levy_image *const h = plan->image;
    const levy_image_item *const item = &LEVY_IMAGE_AT(levy_image_item, h, items)[number];
    const double *const terms =
        LEVY_IMAGE_AT(double, h, item_reals) + (size_t)number * LEVY_ITEM_REALS;
    const double *const coefficients =
        LEVY_IMAGE_AT(double, h, coefficients) + (size_t)number * h->n_assets;
    const levy_trade *const trade = &plan->problem->trades[plan->group->trades[item->trade]];
    if (plan->group->early) return terms[term];
    const levy_script_program *const program =
        item->traits & LEVY_ITEM_SCRIPT ? levy_image_program(h, item) : NULL;
    double path[LEVY_SCRIPT_STATES];
    for (uint32_t k = 0; program && k < program->n_states; ++k) /* as they start */
        path[k] = LEVY_IMAGE_AT(double, h, node_terms)[item->node_terms - item->n_constants + k];
    if (program && plan->group->exact)
        known_run(plan, item, trade->kind.scripted, coefficients, path);
    const double today = levy_item_today(trade, coefficients);
    const double x = levy_is_tie(today, terms[ITEM_STRIKE]) ? terms[ITEM_STRIKE] : today;
    const double paid = levy_payoff_settle(item->kind, item->variant, terms, path,
                                           program ? program->n_states : 0, x);
    return !program &&
                   known_is_tie(trade, item, terms, x, paid, known_size(trade, coefficients, terms))
               ? 0.0
               : item->scale * paid;
}

/* Deviations of rounding, up to which a difference is one of nothing. */
static const double known_noise = 4.0;

/* The weights of a difference sum to 0, so that what all of its terms share takes no part: terms
 * that are equal leave 0 and no rounding. */
static double known_difference(const levy_plan *plan, uint32_t number, int term)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + number;
    const double shared = known_item(plan, output->first_item + output->term[0], term);
    double value = output->constant;
    for (uint32_t k = 1; k < output->n_terms; ++k)
        value += output->weight[k] *
                 (known_item(plan, output->first_item + output->term[k], term) - shared);
    const levy_spread price = {shared, shared * shared};
    return fabs(value) > known_noise * levy_plan_rounding(plan, number, value, price) ? value : 0.0;
}

static double known_output(const levy_plan *plan, uint32_t number, int term)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + number;
    double sum = 0.0, size = 0.0, value = output->constant;
    for (uint32_t k = 0; k < output->n_terms; ++k) {
        sum += output->weight[k];
        size += fabs(output->weight[k]);
    }
    if (output->n_terms > 1 && fabs(sum) <= 0x1p-40 * size)
        return known_difference(plan, number, term);
    for (uint32_t k = 0; k < output->n_terms; ++k)
        value += output->weight[k] * known_item(plan, output->first_item + output->term[k], term);
    return value;
}

void levy_known_sums(const levy_plan *plan, tree_sum *sums)
{
    const levy_image *const h = plan->image;
    const levy_image_output *const outputs = LEVY_IMAGE_AT(levy_image_output, h, outputs);
    for (uint32_t o = 0; o < h->n_outputs; ++o) {
        const levy_image_output *const output = &outputs[o];
        tree_sum *const replicates = sums + (size_t)o * h->n_replicates;
        const bool own = output->trade < plan->group->n_trades; /* else no path meets the floor */
        const double value = own ? known_output(plan, o, LEVY_EARLY_VALUE) : output->constant;
        for (uint32_t r = 0; r < h->n_replicates; ++r)
            replicates[r] = (tree_sum){(double)h->paths, value, 0.0};
    }
}

/* What extrapolation takes off counts a little, as what half the resolution changes may be 0 by
 * chance. */
static const double known_plain = 0.125;

/* The errors of values that were held within what is known: a bump's is no like one. */
static double known_wrong(const levy_plan *plan, const levy_image_output *output)
{
    double sum = 0.0;
    for (uint32_t k = 0; k < output->n_terms; ++k)
        sum += fabs(output->weight[k]) *
               known_item(plan, output->first_item + output->term[k], LEVY_EARLY_WRONG);
    return sum;
}

double levy_known_unresolved(const levy_plan *plan, uint32_t number)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + number;
    if (!plan->group->early || output->trade >= plan->group->n_trades) return 0.0;
    const double value = known_output(plan, number, LEVY_EARLY_VALUE),
                 coarse = known_output(plan, number, LEVY_EARLY_COARSE) - value,
                 plain = known_plain * (known_output(plan, number, LEVY_EARLY_PLAIN) - value);
    return levy_sqrt(coarse * coarse + plain * plain) + known_wrong(plan, output);
}

void levy_known_simulation(levy_simulation *s)
{
    s->paths = 2 * s->replicates;
    s->construction = LEVY_CONSTRUCTION_BRIDGE;
    s->order = NULL;
    s->first = NULL;
    s->n_order = s->n_first = 0;
    s->first_average = false;
    s->first_components = 0;
    s->precision = LEVY_PRECISION_DOUBLE;
    s->supply = LEVY_SUPPLY_NONE;
}
