/* scripts.c: see scripts.h. Must not know: shapes, compilers. */
#include "kernels/cuda/compile/scripts.h"

#include <stdbool.h>

enum { SCRIPTS_NUMBER = 0xffff }; /* bits of a variant */

static const levy_image_item *scripts_item(const levy_image *image, const levy_tile *tile,
                                           uint32_t i)
{
    return LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item + i;
}

static bool scripts_has(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return scripts_item(image, tile, i)->traits & LEVY_ITEM_SCRIPT;
}

static uint32_t scripts_number(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    return scripts_item(image, tile, i)->variant & SCRIPTS_NUMBER;
}

uint32_t levy_scripts_states_of(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    if (!scripts_has(image, tile, i)) return 0;
    return levy_image_program(image, scripts_item(image, tile, i))->n_states;
}

uint32_t levy_scripts_states(const levy_image *image, const levy_tile *tile)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        const uint32_t states = levy_scripts_states_of(image, tile, i);
        if (states > most) most = states;
    }
    return most;
}

uint32_t levy_scripts_segments(const levy_image *image, const levy_tile *tile)
{
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (scripts_has(image, tile, i))
            lanes +=
                levy_script_segments_room(levy_image_program(image, scripts_item(image, tile, i)));
    return lanes;
}

bool levy_scripts_sum(const levy_image *image, const levy_tile *tile)
{
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (scripts_has(image, tile, i) &&
            levy_image_program(image, scripts_item(image, tile, i))->n_summed > 0)
            return true;
    return false;
}

/* The first item of the tile with item i's program. */
static uint32_t scripts_first(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    const uint32_t number = scripts_number(image, tile, i);
    uint32_t k = 0;
    while (!scripts_has(image, tile, k) || scripts_number(image, tile, k) != number) ++k;
    return k;
}

uint32_t levy_scripts_variant(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    const uint32_t variant = scripts_item(image, tile, i)->variant;
    if (!scripts_has(image, tile, i)) return variant;
    const uint32_t first = scripts_first(image, tile, i);
    uint32_t number = 0;
    for (uint32_t k = 0; k < first; ++k)
        number += scripts_has(image, tile, k) && scripts_first(image, tile, k) == k;
    return (variant & ~(uint32_t)SCRIPTS_NUMBER) | number;
}

/* ---- Text ------------------------------------------------------------------------------------ */

static const char *const scripts_names[LEVY_SCRIPT_OPS] = {[LEVY_SCRIPT_MOVE] = "MOVE",
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
                                                           [LEVY_SCRIPT_LESS] = "LESS",
                                                           [LEVY_SCRIPT_NOT_ABOVE] = "NOT_ABOVE",
                                                           [LEVY_SCRIPT_EQUAL] = "EQUAL",
                                                           [LEVY_SCRIPT_AND] = "AND",
                                                           [LEVY_SCRIPT_OR] = "OR",
                                                           [LEVY_SCRIPT_NOT] = "NOT",
                                                           [LEVY_SCRIPT_SELECT] = "SELECT",
                                                           [LEVY_SCRIPT_MASS] = "MASS"};
/* The steps that work on a path's segments, and on its sum of levels. */
static const char *const scripts_calls[LEVY_SCRIPT_OPS] = {
    [LEVY_SCRIPT_SPLIT] = "segments_split(g,of,s", [LEVY_SCRIPT_SUM_AT] = "sums_at(&g->sum",
    [LEVY_SCRIPT_SUM_ADD] = "sums_add(&g->sum",    [LEVY_SCRIPT_SUM_ROOT] = "sums_root(&g->sum",
    [LEVY_SCRIPT_SUM_SIGN] = "sums_sign(&g->sum",  [LEVY_SCRIPT_SUM_WORTH] = "sums_worth(&g->sum"};

static void scripts_put(levy_shape_text *out, const char *before, uint32_t number,
                        const char *after)
{
    levy_shape_word(out, before);
    levy_shape_number(out, number, 10);
    levy_shape_word(out, after);
}

static void scripts_operand(levy_shape_text *out, const levy_script_program *p, uint32_t operand)
{
    const uint32_t number = operand & ~(uint32_t)LEVY_SCRIPT_AT;
    switch (operand & LEVY_SCRIPT_AT) {
    case LEVY_SCRIPT_AT_CONSTANT:
        scripts_put(out, "lane_of(k[", number, "])");
        break;
    case LEVY_SCRIPT_AT_TERM:
        scripts_put(out, "lane_of(t[", number, "])");
        break;
    case LEVY_SCRIPT_AT_LEVEL:
        scripts_put(out, "x", number, "");
        break;
    default:
        if (number < p->n_states)
            scripts_put(out, "s[", number, "]");
        else
            scripts_put(out, "r", number, "");
    }
}

static void scripts_step(levy_shape_text *out, const levy_script_program *p,
                         const levy_script_step *step)
{
    const uint32_t n = levy_script_operands(step->op), operands[] = {step->a, step->b, step->c};
    scripts_operand(out, p, step->to);
    levy_shape_word(out, "=");
    if (step->op == LEVY_SCRIPT_CONSTANT)
        scripts_operand(out, p, LEVY_SCRIPT_AT_CONSTANT + (uint32_t)step->a);
    else if (step->op == LEVY_SCRIPT_TERM)
        scripts_operand(out, p, LEVY_SCRIPT_AT_TERM + (uint32_t)step->a);
    else if (step->op == LEVY_SCRIPT_LEVEL)
        scripts_put(out, "script_LEVEL(seen,", step->a, ")");
    else {
        const char *const call = scripts_calls[step->op];
        levy_shape_word(out, call ? call : "script_");
        if (!call) levy_shape_word(out, scripts_names[step->op]);
        for (uint32_t i = 0; i < n; ++i) {
            levy_shape_word(out, i == 0 && !call ? "(" : ",");
            scripts_operand(out, p, operands[i]);
        }
        levy_shape_word(out, ")");
    }
    levy_shape_word(out, ";\n");
}

/* The levels that a block names, and their logarithms. */
static void scripts_declare_levels(levy_shape_text *out, const levy_script_program *p,
                                   const levy_script_block *block)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    bool named[2 * LEVY_MAX_ASSETS] = {false};
    for (uint32_t i = 0; i < block->n; ++i) {
        const uint32_t operands[] = {steps[i].a, steps[i].b, steps[i].c};
        for (uint32_t k = 0; k < levy_script_operands(steps[i].op); ++k)
            if ((operands[k] & LEVY_SCRIPT_AT) == LEVY_SCRIPT_AT_LEVEL)
                named[operands[k] & ~(uint32_t)LEVY_SCRIPT_AT] = true;
    }
    for (uint32_t a = 0; a < 2 * p->n_assets; ++a)
        if (named[a]) {
            const bool log = a >= p->n_assets;
            scripts_put(out, "const lane x", a, "=");
            scripts_put(out, log ? "script_LOG_RETURN(seen," : "script_LEVEL(seen,",
                        log ? a - p->n_assets : a, ");\n");
        }
}

/* The registers that n of a block's steps write. */
static void scripts_declare(levy_shape_text *out, const levy_script_program *p,
                            const levy_script_step *steps, uint32_t n)
{
    bool written[LEVY_SCRIPT_REGISTERS] = {false};
    for (uint32_t i = 0; i < n; ++i)
        if (steps[i].op != LEVY_SCRIPT_WHERE) written[steps[i].to] = true;
    for (uint32_t k = p->n_states; k < LEVY_SCRIPT_REGISTERS; ++k)
        if (written[k]) scripts_put(out, "lane r", k, ";\n");
}

/* A WHERE is a thread's own branch. An integrated block runs on all segments. */
static void scripts_block(levy_shape_text *out, const levy_script_program *p,
                          const levy_script_block *block)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    uint32_t ends[LEVY_SCRIPT_STEPS], open = 0; /* where the WHEREs that are open end */
    scripts_put(out, "if(seen->events>>", block->schedule, "&1){\n");
    scripts_declare_levels(out, p, block);
    scripts_declare(out, p, steps, block->n_before);
    if (p->n_summed) levy_shape_word(out, "g->sum.n_before=g->sum.n;\n");
    for (uint32_t i = 0; i < block->n_before; ++i) scripts_step(out, p, &steps[i]);
    if (p->n_segments && block->n == block->n_before) {
        levy_shape_word(out, "}\n");
        return;
    }
    if (p->n_segments)
        levy_shape_word(out, "segments_begin(g);\nwhile(segments_next(g,of,k,s)){\n");
    scripts_declare(out, p, steps + block->n_before, block->n - block->n_before);
    for (uint32_t i = block->n_before; i < block->n; ++i) {
        if (steps[i].op == LEVY_SCRIPT_WHERE) {
            levy_shape_word(out, "if(script_WHERE(");
            scripts_operand(out, p, steps[i].a);
            levy_shape_word(out, ")){\n");
            ends[open++] = i + steps[i].b;
        } else {
            scripts_step(out, p, &steps[i]);
        }
        for (; open > 0 && ends[open - 1] == i; --open) levy_shape_word(out, "}\n");
    }
    if (p->n_segments) levy_shape_word(out, "segments_done(g,of,s);\n}\nsegments_end(g,of,s);\n");
    levy_shape_word(out, "}\n");
}

/* What the segments of a program have in common, as constants. */
static void scripts_of(levy_shape_text *out, const levy_script_program *p)
{
    const uint32_t numbers[] = {p->low + 1, levy_script_segment_lanes(p), p->n_segments,
                                p->n_summed, p->alive};
    levy_shape_word(out, "const segments_of of={");
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; ++k)
        scripts_put(out, "", numbers[k], ",");
    levy_shape_word(out, "settles,");
    levy_shape_number(out, p->own, 10);
    levy_shape_word(out, "ull,");
    levy_shape_number(out, p->reset, 10);
    levy_shape_word(out, "ull};\n");
}

static void scripts_program(levy_shape_text *out, const levy_script_program *p, uint32_t number)
{
    scripts_put(out, "LANE_FN void script_run_", number,
                "(const real *k,const real *t,const payoff_seen *seen,lane *s,uint32_t settles)\n"
                "{\n(void)k,(void)t,(void)settles;\n");
    if (p->n_segments) {
        scripts_of(out, p);
        levy_shape_word(out, "script_segments *const g=seen->segments;\nif(g->n_from==0)return;\n");
    }
    for (uint32_t b = 0; b < p->n_blocks; ++b)
        scripts_block(out, p, LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b);
    levy_shape_word(out, "}\n");
}

/* A function of segments: a case for each program, which calls `call`, and returns its room or what
 * the call returns. */
static void scripts_write_segments(const levy_image *image, const levy_tile *tile, const char *head,
                                   const char *call, bool rooms, levy_shape_text *out)
{
    uint32_t n = 0;
    levy_shape_word(out, head);
    levy_shape_word(out, "{\nconst uint32_t settles=variant>>SCRIPT_STATE;\n"
                         "switch(variant&SCRIPT_NUMBER){\n");
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        if (!scripts_has(image, tile, i) || scripts_first(image, tile, i) != i) continue;
        const levy_script_program *const p =
            levy_image_program(image, scripts_item(image, tile, i));
        scripts_put(out, "case ", n++, ":{");
        scripts_of(out, p);
        levy_shape_word(out, call);
        if (rooms) scripts_put(out, "return ", levy_script_segments_room(p), ";");
        levy_shape_word(out, "}\n");
    }
}

/* script_begin: the segments that a path starts with, and how many lanes they take. script_end:
 * what they settle on. */
static void scripts_write_ends(const levy_image *image, const levy_tile *tile, levy_shape_text *out)
{
    scripts_write_segments(image, tile,
                           "LANE_FN uint32_t script_begin(uint32_t variant,const lane *state,"
                           "script_segments *g,lane *room,lane *last)\n",
                           "segments_start(g,of,room,last,state);", true, out);
    levy_shape_word(out, "}\nreturn 0;\n}\n");
    scripts_write_segments(image, tile,
                           "LANE_FN lane script_end(uint32_t variant,const real *k,"
                           "const script_segments *g,const lane *state)\n",
                           "return segments_settle(g,of,k,state);", false, out);
    levy_shape_word(out, "}\nreturn state[0];\n}\n");
}

void levy_scripts_write(const levy_image *image, const levy_tile *tile, levy_shape_text *out)
{
    uint32_t n = 0;
    if (levy_scripts_states(image, tile) == 0) return;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (scripts_has(image, tile, i) && scripts_first(image, tile, i) == i)
            scripts_program(out, levy_image_program(image, scripts_item(image, tile, i)), n++);
    levy_shape_word(out, "LANE_FN void script_observe(uint32_t variant,const real *terms,"
                         "const real *node_terms,const payoff_seen *seen,lane *state)\n"
                         "{\nswitch(variant&SCRIPT_NUMBER){\n");
    for (uint32_t k = 0; k < n; ++k) {
        scripts_put(out, "case ", k, ":");
        scripts_put(out, "script_run_", k,
                    "(terms,node_terms,seen,state,variant>>SCRIPT_STATE);break;\n");
    }
    levy_shape_word(out, "}\n}\n");
    if (levy_scripts_segments(image, tile)) scripts_write_ends(image, tile, out);
}
