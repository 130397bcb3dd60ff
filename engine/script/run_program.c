/* run_program.c: a program on one path of doubles: for the past, and to fold constants. What is
 * known is compared by the rule of ties (tie.h). A difference of two levels is as uncertain as the
 * levels are, so that each number has a size beside it. Must not know: the language. */
#include "engine/script/payoff_script.h"

#include "engine/base/tie.h"

#include "kernels/lane/scalar.h"

double levy_script_apply(levy_script_op op, double a, double b, double c)
{
    switch ((int)op) {
    case LEVY_SCRIPT_ADD:
        return a + b;
    case LEVY_SCRIPT_SUBTRACT:
        return a - b;
    case LEVY_SCRIPT_MULTIPLY:
    case LEVY_SCRIPT_AND:
        return a * b;
    case LEVY_SCRIPT_DIVIDE:
        return a / b;
    case LEVY_SCRIPT_LEAST:
        return b < a ? b : a;
    case LEVY_SCRIPT_GREATEST:
    case LEVY_SCRIPT_OR:
        return b > a ? b : a;
    case LEVY_SCRIPT_MAGNITUDE:
        return a < 0.0 ? -a : a;
    case LEVY_SCRIPT_ROOT:
        return a > 0.0 ? levy_sqrt(a) : 0.0;
    case LEVY_SCRIPT_EXP:
        return levy_exp(a);
    case LEVY_SCRIPT_LOG:
        return levy_log(a > 1e-30 ? a : 1e-30);
    case LEVY_SCRIPT_BELOW:
        return levy_normal_cdf(a);
    case LEVY_SCRIPT_LESS:
        return a < b ? 1.0 : 0.0;
    case LEVY_SCRIPT_NOT_ABOVE:
        return a <= b ? 1.0 : 0.0;
    case LEVY_SCRIPT_EQUAL:
        return a == b ? 1.0 : 0.0;
    case LEVY_SCRIPT_NOT:
        return 1.0 - a;
    case LEVY_SCRIPT_SELECT:
        return a != 0.0 ? b : c;
    default:
        return a; /* LEVY_SCRIPT_MOVE */
    }
}

/* ---- Ties ---- */

static double run_magnitude(double x) { return x < 0.0 ? -x : x; }

static double run_larger(double a, double b) { return b > a ? b : a; }

/* The size of what a step makes of x: its rounding is about that of a number so large. */
static double run_size(uint32_t op, const double *x, const double *size, double made)
{
    const double own = run_magnitude(made);
    switch ((int)op) {
    case LEVY_SCRIPT_ADD:
    case LEVY_SCRIPT_SUBTRACT:
        return run_larger(size[0], size[1]);
    case LEVY_SCRIPT_LEAST:
    case LEVY_SCRIPT_GREATEST:
        return size[made != x[0]];
    case LEVY_SCRIPT_MULTIPLY:
        return run_larger(size[0] * run_magnitude(x[1]), size[1] * run_magnitude(x[0]));
    case LEVY_SCRIPT_DIVIDE:
        return run_larger(size[0], own * size[1]) / run_magnitude(x[1]);
    case LEVY_SCRIPT_LOG:
        return run_larger(own, x[0] > 0.0 ? size[0] / x[0] : 1.0);
    case LEVY_SCRIPT_EXP:
        return own * run_larger(size[0], 1.0);
    case LEVY_SCRIPT_BELOW: /* its slope is 0.4 at most */
        return run_larger(own, 0.4 * size[0]);
    case LEVY_SCRIPT_MAGNITUDE:
    case LEVY_SCRIPT_MOVE:
        return size[0];
    case LEVY_SCRIPT_SELECT:
        return size[x[0] != 0.0 ? 1 : 2];
    default:
        return own;
    }
}

/* Which of two operands alone is a number of the file; 2: none is. */
static int run_number(const uint16_t *operands)
{
    const bool first = levy_script_is_number(operands[0]),
               second = levy_script_is_number(operands[1]);
    if (first == second) return 2;
    return first ? 0 : 1;
}

static bool run_compares(uint32_t op)
{
    return op == LEVY_SCRIPT_LESS || op == LEVY_SCRIPT_NOT_ABOVE || op == LEVY_SCRIPT_EQUAL;
}

/* The value of a step, and its size. number: the operand that is one of the file, else 2. */
static double run_step(uint32_t op, const double *x, const double *size, int number, double *of)
{
    const bool picks = (op == LEVY_SCRIPT_LEAST || op == LEVY_SCRIPT_GREATEST) && number < 2;
    double value = levy_script_apply((levy_script_op)op, x[0], x[1], x[2]);
    if ((picks || run_compares(op)) && levy_is_tie_of(x[0], x[1], run_larger(size[0], size[1]))) {
        if (picks)
            value = x[number];
        else
            value = op == LEVY_SCRIPT_LESS ? 0.0 : 1.0;
    }
    *of = run_size(op, x, size, value);
    return value;
}

#define RUN_MIX UINT32_C(0x9e3779b9) /* odd, so that no outcome is lost at once */

/* Whether a step has one of two outcomes, and then which. */
static bool run_decides(uint32_t op, const double *x, double value, bool *first)
{
    switch ((int)op) {
    case LEVY_SCRIPT_LESS:
    case LEVY_SCRIPT_NOT_ABOVE:
    case LEVY_SCRIPT_EQUAL:
        return *first = value != 0.0, true;
    case LEVY_SCRIPT_LEAST:
        return *first = x[0] <= x[1], true;
    case LEVY_SCRIPT_GREATEST:
        return *first = x[0] >= x[1], true;
    case LEVY_SCRIPT_MAGNITUDE:
        return *first = x[0] >= 0.0, true;
    default:
        return false;
    }
}

uint64_t levy_script_run(const levy_script *script, uint32_t block, const double *terms,
                         const double *levels, bool known, double *states, double *registers)
{
    const levy_script_program *const p = script->program;
    const levy_script_block *const b = &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[block];
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + b->first;
    const double *const from[] = {registers, script->constants, terms, levels}; /* LEVY_SCRIPT_AT */
    uint32_t compared = 0, picked = 0;
    double sizes[LEVY_SCRIPT_REGISTERS];
    bool first;
    for (uint32_t r = 0; r < p->n_states; ++r) {
        registers[r] = states[r];
        sizes[r] = run_magnitude(states[r]);
    }
    for (uint32_t k = 0; k < b->n; ++k) {
        const levy_script_step step = steps[k];
        const uint16_t operands[3] = {step.a, step.b, step.c};
        double x[3] = {0.0, 0.0, 0.0}, size[3] = {0.0, 0.0, 0.0}, value = 0.0;
        for (uint32_t i = 0; i < levy_script_operands(step.op); ++i) {
            x[i] = from[operands[i] / LEVY_SCRIPT_AT_CONSTANT][operands[i] & ~LEVY_SCRIPT_AT];
            size[i] = operands[i] & LEVY_SCRIPT_AT ? run_magnitude(x[i]) : sizes[operands[i]];
        }
        if (step.op != LEVY_SCRIPT_WHERE)
            registers[step.to] = value =
                run_step(step.op, x, size, run_number(operands), &sizes[step.to]);
        else if (x[0] == 0.0)
            k += step.b;
        if (!run_decides(step.op, x, value, &first)) continue;
        uint32_t *const outcomes = run_compares(step.op) ? &compared : &picked;
        *outcomes = *outcomes * RUN_MIX + 1 + first;
    }
    for (uint32_t r = 0; r < p->n_states; ++r) {
        states[r] = known ? levy_tie_decimal(registers[r], sizes[r]) : registers[r];
        registers[r] = sizes[r];
    }
    return (uint64_t)compared << 32 | picked;
}
