/* script_case.h: programs assembled by hand, and trades that run them, for tests of what runs
 * programs. */
#ifndef LEVY_TESTS_SCRIPT_CASE_H
#define LEVY_TESTS_SCRIPT_CASE_H

#include "payoffs/scripted.h"
#include "tests/fixture.h"

enum { SCRIPT_CASE_STEPS = 1024 };

/* An operand that is no register. */
#define K(number) ((uint16_t)(LEVY_SCRIPT_AT_CONSTANT + (number)))
#define T(number) ((uint16_t)(LEVY_SCRIPT_AT_TERM + (number)))
#define X(number) ((uint16_t)(LEVY_SCRIPT_AT_LEVEL + (number)))

/* What a program reads at the nodes: on date i of the schedule values[i], or 1, and if it is paid
 * then, in money of the payment date. */
typedef struct script_case_term {
    const double *values; /* NULL: 1 */
    uint32_t schedule;
    bool paid;
} script_case_term;

typedef struct script_case {
    levy_scripted scripted;
    levy_script_term terms[4];
    levy_script_parameter parameters[4];
    levy_script_program program;
    levy_script_block blocks[LEVY_SCRIPT_BLOCKS];
    levy_script_step steps[SCRIPT_CASE_STEPS];
    uint64_t code[sizeof(levy_script_program) + LEVY_SCRIPT_BLOCKS * sizeof(levy_script_block) +
                  SCRIPT_CASE_STEPS * sizeof(levy_script_step)];
} script_case;

static inline void script_begin(script_case *c, uint32_t n_states, uint32_t n_constants,
                                uint32_t n_terms, uint32_t n_assets)
{
    memset(c, 0, sizeof *c);
    c->program.n_states = c->program.n_registers = n_states;
    c->program.n_constants = n_constants;
    c->program.n_terms = n_terms;
    c->program.n_assets = n_assets;
}

static inline void script_block(script_case *c, uint32_t schedule)
{
    c->blocks[c->program.n_blocks++] =
        (levy_script_block){.schedule = schedule, .first = c->program.n_steps};
}

static inline void script_put(script_case *c, levy_script_op op, uint8_t to, uint16_t a, uint16_t b,
                              uint16_t other)
{
    if (to >= c->program.n_registers) c->program.n_registers = to + 1u;
    c->steps[c->program.n_steps++] = (levy_script_step){(uint8_t)op, to, a, b, other};
    ++c->blocks[c->program.n_blocks - 1].n;
}

#define SCRIPT_PUT(c, op, ...) script_put(c, LEVY_SCRIPT_##op, __VA_ARGS__)

/* The program in one piece. */
static inline const levy_script_program *script_made(script_case *c)
{
    const size_t blocks = c->program.n_blocks * sizeof *c->blocks,
                 steps = c->program.n_steps * sizeof *c->steps;
    char *const at = (char *)c->code;
    c->program.bytes = (uint32_t)((sizeof c->program + blocks + steps + 7) / 8 * 8);
    memcpy(at, &c->program, sizeof c->program);
    memcpy(at + sizeof c->program, c->blocks, blocks);
    memcpy(at + sizeof c->program + blocks, c->steps, steps);
    return (const levy_script_program *)c->code;
}

/* A trade that runs the program on `n_dates` dates. */
static inline levy_trade *script_trade(fixture *f, script_case *c, size_t n_dates,
                                       const double *constants, const script_case_term *terms,
                                       uint32_t settles)
{
    levy_trade *const t = fixture_trade(f, LEVY_PAYOFF_SCRIPT, n_dates, 0.0);
    c->scripted = (levy_scripted){
        .script = {.program = script_made(c), .constants = constants, .terms = c->terms},
        .parameters = c->parameters,
        .states = constants,
        .settles = settles};
    for (uint32_t k = 0; k < c->program.n_terms; ++k) {
        const levy_script_term_kind own = terms[k].values ? LEVY_SCRIPT_ITEM : LEVY_SCRIPT_DUE;
        c->terms[k] = (levy_script_term){.kind = terms[k].paid ? LEVY_SCRIPT_WORTH : own,
                                         .schedule = terms[k].schedule,
                                         .parameter = k};
        c->parameters[k] = (levy_script_parameter){.values = terms[k].values};
    }
    t->kind.scripted = &c->scripted;
    t->kind.aggregate = LEVY_AGGREGATE_WORST_OF;
    return t;
}

/* ---- An autocallable on two assets, as docs/extending.md has it: schedule 0 watches a guard,
 * schedule 1 are the call dates. Constants: start, strike, guard. Terms: worth, coupon. ---- */

static const double script_autocall_constants[] = {0.0, 1.0, 0.0, 98.0, 85.0};
static const double script_autocall_coupons[] = {0.05, 0.1, 0.15, 0.2, 0.25, 0.3,
                                                 0.35, 0.4, 0.45, 0.5, 0.55, 0.6};
static const script_case_term script_autocall_terms[] = {{NULL, 1, true},
                                                         {script_autocall_coupons, 1, false}};

/* States: paid, alive, broken. */
static inline void script_autocall(script_case *c, uint32_t n_assets)
{
    script_begin(c, 3, 5, 2, n_assets);
    for (uint32_t schedule = 0; schedule < 2; ++schedule) {
        script_block(c, schedule);
        SCRIPT_PUT(c, MOVE, 3, X(0), 0, 0);
        for (uint32_t a = 1; a < n_assets; ++a) SCRIPT_PUT(c, LEAST, 3, 3, X(a), 0);
        if (schedule == 0) {
            SCRIPT_PUT(c, LESS, 4, 3, K(4), 0);
            SCRIPT_PUT(c, OR, 2, 2, 4, 0);
            continue;
        }
        SCRIPT_PUT(c, NOT_ABOVE, 4, K(3), 3, 0);
        SCRIPT_PUT(c, AND, 4, 4, 1, 0);
        SCRIPT_PUT(c, WHERE, 0, 4, 5, 0);
        SCRIPT_PUT(c, NOT, 5, 2, 0, 0);
        SCRIPT_PUT(c, MULTIPLY, 5, 5, T(1), 0);
        SCRIPT_PUT(c, ADD, 5, 5, K(1), 0);
        SCRIPT_PUT(c, MULTIPLY, 5, 5, T(0), 0);
        SCRIPT_PUT(c, SELECT, 0, 4, 5, 0);
        SCRIPT_PUT(c, SUBTRACT, 1, 1, 4, 0);
    }
}

#endif
