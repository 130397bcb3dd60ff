/* emit.h: builds a program step by step: it numbers constants, terms and registers, marks steps
 * that may be skipped, and in the end assigns few registers to many values. Must not know: the
 * language. */
#ifndef LEVY_SCRIPT_EMIT_H
#define LEVY_SCRIPT_EMIT_H

#include "engine/script/payoff_script.h"
#include "engine/script/token.h"

/* Operands: registers are numbered without limit; these bits mark other kinds. */
enum { EMIT_CONSTANT = 1 << 28, EMIT_TERM = 2 << 28, EMIT_LEVEL = 3 << 28, EMIT_KIND = 3 << 28 };
#define EMIT_NOWHERE UINT32_MAX /* no register, no memory */

typedef struct emit_step {
    uint32_t op, to, a, b, c;
    const script_token *at; /* the statement; NULL: there is none */
} emit_step;

typedef struct emit_constant {
    double value;
    uint32_t number; /* in the program; EMIT_NOWHERE: no step reads it */
} emit_constant;

typedef struct emitter {
    levy_arena *arena;
    levy_script_fault *fault;
    const script_token *at; /* the statement; NULL: there is none */
    emit_step *steps;
    size_t n_steps, step_room;
    emit_constant *constants;
    size_t n_constants, constant_room;
    levy_script_term *terms;
    size_t n_terms, term_room;
    levy_script_block *blocks;
    size_t n_blocks, block_room;
    uint32_t n_states, n_registers, n_assets;
    bool integrates;       /* blocks run on segments (integrate.h) */
    uint32_t first_shared; /* states from this one on are per path; */
    uint32_t kept;         /* so is this one, which no step writes; 0: none */
    uint32_t emptied; /* states [emptied, first_shared) are 0 at a block's start on a segment */
    uint32_t alive;   /* the state that is 1 then; 0: none */
    uint64_t own;     /* bits of the states that differ between live segments */
    uint32_t next;    /* register of the block */
    size_t first;     /* step of the block */
    size_t open;      /* conditions, from levy_emit_begin to levy_emit_end */
} emitter;

/* A constant of the program, as an operand. EMIT_NOWHERE: no memory, or there are too many; the
 * fault says so. */
uint32_t levy_emit_new_constant(emitter *e, double value);
/* Adds a step and returns the register that it fills: `to`, or a new one for EMIT_NOWHERE. Adds
 * none where there are too many; the fault says so. */
uint32_t levy_emit_add(emitter *e, levy_script_op op, uint32_t to, uint32_t a, uint32_t b,
                       uint32_t c);
double levy_emit_constant_value(const emitter *e, uint32_t operand);
uint32_t levy_emit_level(emitter *e, uint32_t asset);
/* Of one of all n assets: its variance (kind 1), or the integral of that (2). */
uint32_t levy_emit_variance(emitter *e, uint32_t n, uint32_t kind, uint32_t asset);
/* A term, which is added if it is new. */
uint32_t levy_emit_term(emitter *e, levy_script_term_kind kind, uint32_t schedule, size_t parameter,
                        const script_token *at);
/* Steps between levy_emit_begin and levy_emit_end may be skipped if `condition` holds on no path of
 * the lane. Steps that are nested too deeply for a WHERE of their own run whenever the enclosing
 * ones do. */
size_t levy_emit_begin(emitter *e, uint32_t condition);
void levy_emit_end(emitter *e, size_t begun);

void levy_emit_begin_block(emitter *e);
/* False: it needs too much; the fault is filled. */
bool levy_emit_end_block(emitter *e, uint32_t schedule, const script_token *at);

/* Copies everything into the script, whose memory is `kept`. states: [n_states], the constants that
 * they start at. */
bool levy_emit_finish(emitter *e, const uint32_t *states, levy_arena *kept, levy_script *script);

#endif
