/* scripts_text.c: see scripts.h. The programs on the path as text, and what calls them. */
#include "kernels/cuda/compile/scripts_parts.h"

#include "engine/script/postpone.h"

/* Which levels, of all kinds that assets have, n steps of block number b name. A
 * table has thresholds. */
static bool scripts_name_levels(const levy_script_program *p, const levy_thresholds *table,
                                uint32_t b, const levy_script_step *steps, uint32_t n,
                                bool named[LEVY_SCRIPT_LEVELS * LEVY_MAX_ASSETS])
{
    bool any = false;
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t operands[] = {steps[i].a, steps[i].b, steps[i].c};
        if (levy_thresholds_find(table, b, p, &steps[i], n - i)) {
            i += LEVY_THRESHOLD_STEPS - 1;
            continue;
        }
        for (uint32_t k = 0; k < levy_script_operands(steps[i].op); ++k)
            if ((operands[k] & LEVY_SCRIPT_AT) == LEVY_SCRIPT_AT_LEVEL)
                named[operands[k] & ~(uint32_t)LEVY_SCRIPT_AT] = any = true;
    }
    return any;
}

static void scripts_declare_levels(levy_shape_text *out, const levy_script_program *p,
                                   const bool named[LEVY_SCRIPT_LEVELS * LEVY_MAX_ASSETS])
{
    static const char *const integrated[LEVY_SCRIPT_LEVELS] = {
        "script_LEVEL(seen,", "script_LOG_RETURN(seen,", "script_SLOPE(seen,"};
    static const char *const other[LEVY_SCRIPT_LEVELS] = {
        "script_LEVEL(seen,", "script_VARIANCE(seen,", "script_INTEGRAL(seen,"};
    const char *const *const kinds = p->n_segments ? integrated : other;
    for (uint32_t a = 0; a < LEVY_SCRIPT_LEVELS * p->n_assets; ++a)
        if (named[a]) {
            levy_scripts_put(out, "const lane x", a, "=");
            levy_scripts_put(out, kinds[a / p->n_assets], a % p->n_assets, ");\n");
        }
}

/* The block's other steps on all segments. */
static void scripts_on_segments(levy_shape_text *out, const levy_script_program *p,
                                const levy_script_block *block)
{
    levy_shape_word(out, "segments_begin(g);\nwhile(segments_next(g,of,k,s)){\n");
    levy_scripts_steps(out, p, block, block->n_before, block->n - block->n_before);
    levy_shape_word(out, "segments_done(g,of,s);\n}\nsegments_end(g,of,s);\n");
}

/* Number b of the blocks leaves what its first steps have made. */
static void scripts_leave(levy_shape_text *out, const levy_script_program *p, uint32_t b)
{
    const levy_script_step *step[LEVY_SCRIPT_REGISTERS];
    const uint32_t n = levy_script_leaves(p, LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b, step);
    levy_scripts_put(out, "script_leave(g,script_date(seen->node,", b, "));\n");
    for (uint32_t i = 0; i < n; ++i)
        if (!levy_script_runs_again(step[i]))
            levy_scripts_put(out, "script_leave(g,r", step[i]->to, ");\n");
}

/* Whether the first steps of a block read what one of them makes. */
static bool scripts_reads(const levy_script_program *p, const levy_script_block *block,
                          const levy_script_step *made)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    for (const levy_script_step *s = made + 1; s < steps + block->n_before; ++s) {
        const uint16_t operands[] = {s->a, s->b, s->c};
        for (uint32_t i = 0; i < levy_script_operands(s->op); ++i)
            if (operands[i] == made->to) return true;
    }
    return false;
}

/* Copies the first steps of a block, but for those that run again after the path and nothing else
 * reads. to: [n_before]. */
static uint32_t scripts_first_steps(const levy_script_program *p, const levy_script_block *block,
                                    bool postponed, levy_script_step *to)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    uint32_t n = 0;
    for (uint32_t k = 0; k < block->n_before; ++k)
        if (!postponed || !levy_script_runs_again(&steps[k]) || scripts_reads(p, block, &steps[k]))
            to[n++] = steps[k];
    return n;
}

/* A threshold from its table: number, less the sum of products. */
static void scripts_threshold(levy_shape_text *out, const levy_script_program *p, uint32_t to,
                              const levy_threshold *t)
{
    levy_scripts_operand(out, p, to);
    levy_scripts_put(out, "=lane_of(c[", t->number, "])");
    levy_scripts_put(out, "-y[", t->sum, "];\n");
}

/* Number b of the blocks, where its date has come. */
static void scripts_block(levy_shape_text *out, const levy_script_program *p,
                          const levy_thresholds *table, uint32_t b, bool postponed)
{
    const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
    levy_script_step steps[LEVY_SCRIPT_STEPS];
    bool named[LEVY_SCRIPT_LEVELS * LEVY_MAX_ASSETS] = {false};
    const uint32_t n = scripts_first_steps(p, block, postponed, steps);
    if (postponed)
        scripts_name_levels(p, table, b, steps, n, named);
    else
        scripts_name_levels(p, table, b, LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first, block->n,
                            named);
    scripts_declare_levels(out, p, named);
    levy_scripts_declare(out, p, steps, n);
    if (p->n_summed) levy_shape_word(out, "g->sum.n_before=g->sum.n;\n");
    for (uint32_t i = 0; i < n; ++i) {
        const levy_threshold *const t = levy_thresholds_find(table, b, p, &steps[i], n - i);
        if (t)
            scripts_threshold(out, p, steps[i].to, t);
        else
            levy_scripts_step(out, p, &steps[i]);
        if (t) i += LEVY_THRESHOLD_STEPS - 1;
    }
    if (!p->n_segments)
        levy_scripts_steps(out, p, block, block->n_before, block->n - block->n_before);
    else if (block->n > block->n_before && postponed)
        scripts_leave(out, p, b);
    else if (block->n > block->n_before)
        scripts_on_segments(out, p, block);
}

static void scripts_program(levy_shape_text *out, const levy_script_program *p, uint32_t number)
{
    levy_scripts_put(
        out, "LANE_FN void script_run_", number,
        "(const real *k,const real *t,const payoff_seen *seen,lane *s,uint32_t settles)\n"
        "{\n(void)k,(void)t,(void)settles;\n");
    if (p->n_segments) {
        levy_scripts_of(out, p, false);
        levy_shape_word(out, "script_segments *const g=seen->segments;\nif(g->n_from==0)return;\n");
    }
    const levy_thresholds none = {.n = 0};
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        levy_scripts_put(out, "if(seen->events>>", LEVY_SCRIPT_PROGRAM_BLOCKS(p)[b].schedule,
                         "&1){\n");
        scripts_block(out, p, &none, b, false);
        levy_shape_word(out, "}\n");
    }
    levy_shape_word(out, "}\n");
}

/* A postponed program on the path: what its block number b does at a date, and all of them. c, y:
 * the item's numbers and its dynamics' sums of a table of thresholds. */
static void scripts_ahead(levy_shape_text *out, const levy_script_program *p,
                          const levy_thresholds *table, uint32_t number)
{
    levy_scripts_put(out, "LANE_FN void script_block_", number,
                     "(uint32_t b,const real *k,const real *t,const real *c,const lane *y,"
                     "const payoff_seen *seen,lane *s)\n"
                     "{\n(void)k,(void)t,(void)c,(void)y,(void)s;\n"
                     "script_segments *const g=seen->segments;\nswitch(b){\n");
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        levy_scripts_put(out, "case ", b, ":{\n");
        scripts_block(out, p, table, b, true);
        levy_shape_word(out, "(void)g;\n}break;\n");
    }
    levy_shape_word(out, "}\n}\n");
    if (table->n > 0) return; /* blocks are called one by one */
    levy_scripts_put(
        out, "LANE_FN void script_run_", number,
        "(const real *k,const real *t,const payoff_seen *seen,lane *s,uint32_t settles)\n"
        "{\n(void)settles;\n");
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        levy_scripts_put(out, "if(seen->events>>", LEVY_SCRIPT_PROGRAM_BLOCKS(p)[b].schedule,
                         "&1)");
        levy_scripts_put(out, "script_block_", number, "(");
        levy_shape_number(out, b, 10);
        levy_shape_word(out, ",k,t,0,0,seen,s);\n");
    }
    levy_shape_word(out, "}\n");
}

/* The schedules of the blocks of the only program, and those whose blocks see levels. */
static void scripts_schedules(levy_shape_text *out, const levy_script_program *p,
                              const levy_thresholds *table)
{
    uint32_t seen = 0;
    levy_scripts_put(out, "enum{SCRIPT_BLOCKS=", p->n_blocks, "};\n");
    levy_shape_word(out, "LANE_FN uint32_t script_schedule(uint32_t b)\n{\nswitch(b){\n");
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
        levy_script_step steps[LEVY_SCRIPT_STEPS];
        bool named[LEVY_SCRIPT_LEVELS * LEVY_MAX_ASSETS];
        const uint32_t n = scripts_first_steps(p, block, true, steps);
        levy_scripts_put(out, "case ", b, ":");
        levy_scripts_put(out, "return ", block->schedule, ";\n");
        if (scripts_name_levels(p, table, b, steps, n, named)) seen |= 1u << block->schedule;
    }
    levy_shape_word(out, "}\nreturn 0;\n}\n");
    levy_scripts_put(out, "enum{SCRIPT_SEES=", seen, "u};\n");
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
        if (!levy_scripts_has(image, tile, i) || levy_scripts_first(image, tile, i) != i) continue;
        const levy_script_program *const p =
            levy_image_program(image, levy_scripts_item(image, tile, i));
        levy_scripts_put(out, "case ", n++, ":{");
        levy_scripts_of(out, p, false);
        levy_shape_word(out, call);
        if (rooms) levy_scripts_put(out, "return ", levy_script_segments_room(p), ";");
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

/* A case for each of n programs, which calls the function of its number. */
static void scripts_cases(levy_shape_text *out, uint32_t n, const char *call, const char *with)
{
    for (uint32_t k = 0; k < n; ++k) {
        levy_scripts_put(out, "case ", k, ":");
        levy_scripts_put(out, call, k, with);
    }
}

/* script_later: what a postponed program is worth. */
static void scripts_write_later(const levy_image *image, const levy_tile *tile,
                                levy_shape_text *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (levy_scripts_first(image, tile, i) == i) {
            const levy_script_program *const p =
                levy_image_program(image, levy_scripts_item(image, tile, i));
            levy_scripts_later(out, p, n++, levy_scripts_waits(image, p));
        }
    levy_shape_word(out, "LANE_FN lane script_later(uint32_t variant,const real *k,"
                         "const real *first,uint32_t n,const lane *left,uint32_t stride,"
                         "lane *room,lane *near,uint32_t threads)\n"
                         "{\nswitch(variant&SCRIPT_NUMBER){\n");
    scripts_cases(out, n, "return script_later_",
                  "(k,first,n,left,stride,room,near,threads,variant>>SCRIPT_STATE);\n");
    levy_shape_word(out, "}\nreturn lane_of(R(0.0));\n}\n");
}

/* script_observe: all blocks of an item's program. */
static void scripts_write_observe(levy_shape_text *out, uint32_t n_programs)
{
    levy_shape_word(out, "LANE_FN void script_observe(uint32_t variant,const real *terms,"
                         "const real *node_terms,const payoff_seen *seen,lane *state)\n"
                         "{\nswitch(variant&SCRIPT_NUMBER){\n");
    scripts_cases(out, n_programs, "script_run_",
                  "(terms,node_terms,seen,state,variant>>SCRIPT_STATE);break;\n");
    levy_shape_word(out, "}\n}\n");
}

void levy_scripts_write(const levy_image *image, const levy_tile *tile, levy_shape_text *out)
{
    const bool postponed = levy_scripts_deferred(image, tile) > 0;
    uint32_t n = 0;
    if (levy_scripts_states(image, tile) == 0) return;
    const levy_thresholds table = levy_scripts_thresholds(image, tile);
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        if (!levy_scripts_has(image, tile, i) || levy_scripts_first(image, tile, i) != i) continue;
        const levy_script_program *const p =
            levy_image_program(image, levy_scripts_item(image, tile, i));
        if (postponed)
            scripts_ahead(out, p, &table, n++);
        else
            scripts_program(out, p, n++);
    }
    if (levy_scripts_same_dates(image, tile)) {
        const levy_script_program *const p =
            levy_image_program(image, levy_scripts_item(image, tile, 0));
        scripts_schedules(out, p, &table);
        if (table.n > 0) levy_scripts_table(out, p, &table);
    }
    scripts_write_observe(out, table.n > 0 ? 0 : n);
    if (postponed)
        scripts_write_later(image, tile, out);
    else if (levy_scripts_segments(image, tile))
        scripts_write_ends(image, tile, out);
}
