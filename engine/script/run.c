/* run.c: a program on one path of doubles: for the past, and to fold constants. Must not know: the
 * language. */
#include "engine/script/script.h"

#include "kernels/lane/scalar.h"

double levy_script_apply(levy_script_op op, double a, double b, double c)
{
    switch (op) {
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

void levy_script_run(const levy_script *script, uint32_t block, const double *terms,
                     const double *levels, double *states, double *registers)
{
    const levy_script_program *const p = script->program;
    const levy_script_block *const b = &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[block];
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + b->first;
    for (uint32_t r = 0; r < p->n_states; ++r) registers[r] = states[r];
    for (uint32_t k = 0; k < b->n; ++k) {
        const levy_script_step s = steps[k];
        if (s.op == LEVY_SCRIPT_CONSTANT)
            registers[s.to] = script->constants[s.a];
        else if (s.op == LEVY_SCRIPT_TERM)
            registers[s.to] = terms[s.a];
        else if (s.op == LEVY_SCRIPT_LEVEL)
            registers[s.to] = levels[s.a];
        else if (s.op == LEVY_SCRIPT_WHERE)
            k += registers[s.a] == 0.0 ? s.b : 0;
        else /* operands that an operation does not have are 0, a register that exists */
            registers[s.to] = levy_script_apply((levy_script_op)s.op, registers[s.a],
                                                registers[s.b], registers[s.c]);
    }
    for (uint32_t r = 0; r < p->n_states; ++r) states[r] = registers[r];
}
