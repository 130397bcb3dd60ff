/* emit.h: builds a program step by step: numbers of constants, terms and registers, steps that may
 * be left out, and in the end few registers for many values. Must not know: the language. */
#ifndef LEVY_SCRIPT_EMIT_H
#define LEVY_SCRIPT_EMIT_H

#include "engine/script/script.h"
#include "engine/script/token.h"

enum { EMIT_NOWHERE = UINT32_MAX }; /* no register */

/* A step whose registers are numbered without end. */
typedef struct emit_step {
    uint32_t op, to, a, b, c;
} emit_step;

typedef struct emit_constant {
    double value;
    uint32_t number; /* in the program; EMIT_NOWHERE: no step reads it */
} emit_constant;

/* A value that the block holds in a register: number `what` of the operation. */
typedef struct emit_held {
    uint32_t op, what, at;
    size_t step; /* which made it */
} emit_held;

typedef struct emitter {
    levy_arena *arena;
    levy_script_fault *fault;
    emit_step *steps;
    size_t n_steps, step_room;
    emit_constant *constants;
    size_t n_constants, constant_room;
    levy_script_term *terms;
    size_t n_terms, term_room;
    levy_script_block *blocks;
    size_t n_blocks, block_room;
    emit_held *held;
    size_t n_held, held_room;
    uint32_t n_states, n_registers, n_assets;
    uint32_t next; /* register of the block */
    size_t first;  /* step of the block */
} emitter;

/* A constant of the program: its number among the emitter's. EMIT_NOWHERE: no memory. */
uint32_t emit_new_constant(emitter *e, double value);
/* Adds a step and returns the register that it fills: `to`, or a new one for EMIT_NOWHERE. */
uint32_t emit_add(emitter *e, levy_script_op op, uint32_t to, uint32_t a, uint32_t b, uint32_t c);
/* The register that holds a constant, a term or a level. */
uint32_t emit_load(emitter *e, levy_script_op op, uint32_t what);
/* The number of a term, which is added if it is new. */
uint32_t emit_term(emitter *e, levy_script_term_kind kind, uint32_t schedule, size_t parameter,
                   const script_token *at);
/* Steps from emit_begin to emit_end may be left out where `condition` holds nowhere. */
size_t emit_begin(emitter *e, uint32_t condition);
void emit_end(emitter *e, size_t begun);

bool emit_begin_block(emitter *e);
/* False: it needs too many registers; the fault is filled. */
bool emit_end_block(emitter *e, uint32_t schedule, const script_token *at);

/* Copies everything into the script. states: [n_states], the constants that they start at. */
bool emit_finish(emitter *e, const uint32_t *states, levy_script *script);

#endif
