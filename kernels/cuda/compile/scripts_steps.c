/* scripts_steps.c: see scripts_parts.h. The steps of a program as text, a step a line. */
#include "kernels/cuda/compile/scripts_parts.h"

#include "engine/script/postpone.h"

static const char *const scripts_names[LEVY_SCRIPT_OPS] = {
    [LEVY_SCRIPT_MOVE] = "MOVE",
    [LEVY_SCRIPT_ADD] = "ADD",
    [LEVY_SCRIPT_SUBTRACT] = "SUBTRACT",
    [LEVY_SCRIPT_MULTIPLY] = "MULTIPLY",
    [LEVY_SCRIPT_DIVIDE] = "DIVIDE",
    [LEVY_SCRIPT_LEAST] = "LEAST",
    [LEVY_SCRIPT_GREATEST] = "GREATEST",
    [LEVY_SCRIPT_MAGNITUDE] = "MAGNITUDE",
    [LEVY_SCRIPT_ROOT] = "ROOT",
    [LEVY_SCRIPT_EXP] = "EXP",
    [LEVY_SCRIPT_LOG] = "LOG",
    [LEVY_SCRIPT_BELOW] = "BELOW",
    [LEVY_SCRIPT_LESS] = "LESS",
    [LEVY_SCRIPT_NOT_ABOVE] = "NOT_ABOVE",
    [LEVY_SCRIPT_EQUAL] = "EQUAL",
    [LEVY_SCRIPT_AND] = "AND",
    [LEVY_SCRIPT_OR] = "OR",
    [LEVY_SCRIPT_NOT] = "NOT",
    [LEVY_SCRIPT_SELECT] = "SELECT",
    [LEVY_SCRIPT_MASS] = "MASS",
};

/* The steps that work on a path's segments, on its sum of levels, and on dividends. */
static const char *const scripts_calls[LEVY_SCRIPT_OPS] = {
    [LEVY_SCRIPT_SPLIT] = "script_split(g,of,s",
    [LEVY_SCRIPT_SUM_AT] = "sums_at(&g->sum",
    [LEVY_SCRIPT_SUM_ADD] = "sums_add(&g->sum",
    [LEVY_SCRIPT_SUM_ROOT] = "sums_root(&g->sum",
    [LEVY_SCRIPT_SUM_SIGN] = "sums_sign(&g->sum",
    [LEVY_SCRIPT_SUM_WORTH] = "sums_worth(&g->sum",
    [LEVY_SCRIPT_CASH_PAY] = "dividends_pay(&g->sum",
    [LEVY_SCRIPT_CASH_ROOT] = "dividends_root(&g->sum",
    [LEVY_SCRIPT_CASH_WORTH] = "dividends_worth(&g->sum"};

void levy_scripts_put(levy_shape_text *out, const char *before, uint32_t number, const char *after)
{
    levy_shape_word(out, before);
    levy_shape_number(out, number, 10);
    levy_shape_word(out, after);
}

void levy_scripts_operand(levy_shape_text *out, const levy_script_program *p, uint32_t operand)
{
    const uint32_t number = operand & ~(uint32_t)LEVY_SCRIPT_AT;
    switch (operand & LEVY_SCRIPT_AT) {
    case LEVY_SCRIPT_AT_CONSTANT:
        levy_scripts_put(out, "script_constant(", number, ")");
        break;
    case LEVY_SCRIPT_AT_TERM:
        levy_scripts_put(out, "script_term(", number, ")");
        break;
    case LEVY_SCRIPT_AT_LEVEL:
        levy_scripts_put(out, "x", number, "");
        break;
    default:
        if (number < p->n_states)
            levy_scripts_put(out, "s[", number, "]");
        else
            levy_scripts_put(out, "r", number, "");
    }
}

void levy_scripts_step(levy_shape_text *out, const levy_script_program *p,
                       const levy_script_step *step)
{
    const uint32_t n = levy_script_operands(step->op), operands[] = {step->a, step->b, step->c};
    levy_scripts_operand(out, p, step->to);
    levy_shape_word(out, "=");
    if (step->op == LEVY_SCRIPT_CONSTANT)
        levy_scripts_operand(out, p, LEVY_SCRIPT_AT_CONSTANT + (uint32_t)step->a);
    else if (step->op == LEVY_SCRIPT_TERM)
        levy_scripts_operand(out, p, LEVY_SCRIPT_AT_TERM + (uint32_t)step->a);
    else if (step->op == LEVY_SCRIPT_LEVEL)
        levy_scripts_put(out, "script_LEVEL(seen,", step->a, ")");
    else {
        const char *const call = scripts_calls[step->op];
        levy_shape_word(out, call ? call : "script_");
        if (!call) levy_shape_word(out, scripts_names[step->op]);
        for (uint32_t i = 0; i < n; ++i) {
            levy_shape_word(out, i == 0 && !call ? "(" : ",");
            levy_scripts_operand(out, p, operands[i]);
        }
        levy_shape_word(out, ")");
    }
    levy_shape_word(out, ";\n");
}

/* The registers that n of a block's steps write. */
void levy_scripts_declare(levy_shape_text *out, const levy_script_program *p,
                          const levy_script_step *steps, uint32_t n)
{
    bool written[LEVY_SCRIPT_REGISTERS] = {false};
    for (uint32_t i = 0; i < n; ++i)
        if (steps[i].op != LEVY_SCRIPT_WHERE) written[steps[i].to] = true;
    for (uint32_t k = p->n_states; k < LEVY_SCRIPT_REGISTERS; ++k)
        if (written[k]) levy_scripts_put(out, "lane r", k, ";\n");
}

/* n steps of the block, from its step `first` on. A WHERE is a thread's own branch. */
void levy_scripts_steps(levy_shape_text *out, const levy_script_program *p,
                        const levy_script_block *block, uint32_t first, uint32_t n)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first + first;
    uint32_t ends[LEVY_SCRIPT_STEPS], open = 0; /* where the WHEREs that are open end */
    levy_scripts_declare(out, p, steps, n);
    for (uint32_t i = 0; i < n; ++i) {
        if (steps[i].op == LEVY_SCRIPT_WHERE) {
            levy_shape_word(out, "if(script_WHERE(");
            levy_scripts_operand(out, p, steps[i].a);
            levy_shape_word(out, ")){\n");
            ends[open++] = i + steps[i].b;
        } else {
            levy_scripts_step(out, p, &steps[i]);
        }
        for (; open > 0 && ends[open - 1] == i; --open) levy_shape_word(out, "}\n");
    }
}

/* What a block has left, in its order, and what need not be left; then the next date. */
void levy_scripts_find(levy_shape_text *out, const levy_script_program *p,
                       const levy_script_block *block)
{
    const levy_script_step *step[LEVY_SCRIPT_REGISTERS];
    const uint32_t n = levy_script_leaves(p, block, step);
    for (uint32_t i = 0; i < n; ++i) {
        const bool again = levy_script_runs_again(step[i]);
        levy_scripts_put(out, "lane r", step[i]->to,
                         again ? ";\n" : "=script_left(&left,stride);\n");
        if (again) levy_scripts_step(out, p, step[i]);
    }
    levy_shape_word(out, "next=script_left(&left,stride);\n");
    levy_scripts_put(out, "script_ask(left,stride,", levy_script_lanes_left(p, block), "u);\n");
}

/* What the segments of a program have in common, as constants. */
void levy_scripts_of(levy_shape_text *out, const levy_script_program *p, bool waits)
{
    const uint32_t lanes = waits ? levy_scripts_waiting_lanes(p) : levy_script_segment_lanes(p),
                   numbers[] = {p->low + 1, lanes, p->n_segments, p->n_summed, p->alive};
    levy_shape_word(out, "const segments_of of={");
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        levy_scripts_put(out, "", numbers[k], ",");
    levy_shape_word(out, "settles,");
    levy_shape_number(out, p->own, 10);
    levy_shape_word(out, "ull,");
    levy_shape_number(out, p->reset, 10);
    levy_shape_word(out, "ull};\n");
}
