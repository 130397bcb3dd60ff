/* scripts_later.c: see scripts_parts.h. A postponed program (engine/script/postpone.h) after the
 * path as text, on segments in a list (payoffs/segments_later.h) or a stack
 * (payoffs/segments_stack.h). */
#include "kernels/cuda/compile/scripts_parts.h"

/* The block whose lower-tail segments wait. */
static const levy_script_block *scripts_waiting(const levy_script_program *p)
{
    const levy_script_block *block = LEVY_SCRIPT_PROGRAM_BLOCKS(p);
    while (block->lower_tail == LEVY_SCRIPT_NO_LOWER_TAIL || block->n_lower_tail == 0) ++block;
    return block;
}

/* A segment that the block has found makes up for the steps that it has missed. */
static void scripts_make_up(levy_shape_text *out, const levy_script_program *p)
{
    const levy_script_block *const block = scripts_waiting(p);
    levy_shape_word(out, "for(uint32_t n=stack_missed(g);n>0;--n){\n");
    levy_scripts_steps(out, p, block, block->n, block->n_lower_tail);
    levy_shape_word(out, "}\nstack_update(g,of,s);\n");
}

/* Constants and terms that steps name, as registers. */
typedef struct scripts_named {
    bool constant[LEVY_SCRIPT_AT_CONSTANT], term[LEVY_SCRIPT_TERMS];
} scripts_named;

static void scripts_name(const levy_script_step *steps, uint32_t n, scripts_named *named)
{
    for (uint32_t i = 0; i < n; ++i) {
        const uint32_t operands[] = {steps[i].a, steps[i].b, steps[i].c};
        for (uint32_t j = 0; j < levy_script_operands(steps[i].op); ++j) {
            const uint32_t at = operands[j] & LEVY_SCRIPT_AT, number = operands[j] & ~at;
            if (at == LEVY_SCRIPT_AT_CONSTANT) named->constant[number] = true;
            if (at == LEVY_SCRIPT_AT_TERM) named->term[number] = true;
        }
    }
}

/* Loads what a block reads, and the low steps of the one whose segments wait: what is loaded for
 * each segment has its threads wait. */
static void scripts_load(levy_shape_text *out, const levy_script_program *p,
                         const levy_script_block *block)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p);
    const levy_script_block *const waiting = scripts_waiting(p);
    scripts_named named = {{false}, {false}};
    if (block) scripts_name(steps + block->first, block->n, &named);
    scripts_name(steps + waiting->first + waiting->n, waiting->n_lower_tail, &named);
    for (uint32_t k = 0; k < p->n_constants; ++k) {
        if (!named.constant[k]) continue;
        levy_scripts_put(out, "const lane script_constant_", k, "=lane_of(k[");
        levy_scripts_put(out, "", k, "]);\n");
    }
    for (uint32_t k = 0; k < p->n_terms; ++k) {
        if (!named.term[k]) continue;
        levy_scripts_put(out, "const lane script_term_", k, "=lane_of(t[");
        levy_scripts_put(out, "", k, "]);\n");
    }
}

/* All segments are brought up to date, and neighbours that have become equal are one. */
static void scripts_join(levy_shape_text *out, const levy_script_program *p)
{
    levy_shape_word(out, "{\n");
    scripts_load(out, p, NULL);
    levy_scripts_put(out, "stack_begin(g,of,0);\nwhile(stack_next(g,of,", p->n_splits,
                     ",start,s)){\n");
    scripts_make_up(out, p);
    levy_shape_word(out, "stack_done(g,of,s,g->times);\n}\nstack_end(g,of);\n}\n");
}

/* Chances below the normals of a block's conditions, and below the least of them: all threads find
 * them together. */
static void scripts_chances(levy_shape_text *out, const levy_script_program *p,
                            const levy_script_block *block)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    bool has[LEVY_SCRIPT_REGISTERS] = {false};
    for (uint32_t k = block->n_before; k < block->n; ++k) {
        if (steps[k].op != LEVY_SCRIPT_SPLIT || has[steps[k].a]) continue;
        has[steps[k].a] = true;
        levy_scripts_put(out, "const lane chance_r", steps[k].a, "=integral_below(");
        levy_scripts_operand(out, p, steps[k].a);
        levy_shape_word(out, ");\n");
    }
    if (block->lower_tail == LEVY_SCRIPT_NO_LOWER_TAIL || has[block->lower_tail]) return;
    levy_scripts_put(out, "lane chance_r", block->lower_tail, "=lane_of(R(0.0));\n");
    for (uint32_t k = 0; k < LEVY_SCRIPT_REGISTERS; ++k) {
        if (!has[k]) continue;
        levy_scripts_put(out, "if(lane_any(r", block->lower_tail, "==r");
        levy_shape_number(out, k, 10);
        levy_scripts_put(out, "))chance_r", block->lower_tail, "=chance_r");
        levy_shape_number(out, k, 10);
        levy_shape_word(out, ";\n");
    }
}

static void scripts_begin_waiting(levy_shape_text *out, const levy_script_program *p,
                                  const levy_script_block *block)
{
    scripts_chances(out, p, block);
    if (block->lower_tail == LEVY_SCRIPT_NO_LOWER_TAIL) {
        levy_shape_word(out, "stack_begin(g,of,0);\n");
        return;
    }
    levy_scripts_put(out, "stack_begin_above(g,of,r", block->lower_tail, ",chance_r");
    levy_shape_number(out, block->lower_tail, 10);
    levy_shape_word(out, ");\n");
}

/* Do the block's steps on segments read states that differ from segment to segment? */
static bool scripts_reads_states(const levy_script_program *p, const levy_script_block *block)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    for (uint32_t k = block->n_before; k < block->n; ++k) {
        const uint32_t operands[] = {steps[k].a, steps[k].b, steps[k].c};
        for (uint32_t i = 0; i < levy_script_operands(steps[k].op); ++i)
            if (operands[i] > 0 && operands[i] <= LEVY_SCRIPT_STATES &&
                p->own >> (operands[i] - 1) & 1)
                return true;
    }
    return false;
}

/* A date's block on segments that wait. H200: a turn for each segment of a thread, at whatever date
 * that is, takes 17 % longer, for then a warp makes each turn of all its threads' dates. */
static void scripts_on_waiting(levy_shape_text *out, const levy_script_program *p,
                               const levy_script_block *block)
{
    const bool sets = block == scripts_waiting(p);
    scripts_load(out, p, block);
    levy_scripts_find(out, p, block);
    if (sets) levy_shape_word(out, "if(stack_is_full(g,of))\n");
    if (sets) scripts_join(out, p);
    if (!sets && !scripts_reads_states(p, block))
        levy_shape_word(out, "if(script_date_left(next)==SCRIPT_NEVER&&!stack_settles_own(of))"
                             "stack_flatten(g,of);\n");
    scripts_begin_waiting(out, p, block);
    levy_scripts_put(out, "while(stack_next(g,of,", p->n_splits, ",start,s)){\n");
    scripts_make_up(out, p);
    levy_scripts_steps(out, p, block, block->n_before, block->n - block->n_before);
    levy_shape_word(out, sets ? "stack_done(g,of,s,g->times+R(1.0));\n"
                              : "stack_done(g,of,s,g->times);\n");
    levy_shape_word(out, "}\nstack_end(g,of);\n");
    if (sets) levy_shape_word(out, "g->times=g->times+R(1.0);\n");
}

/* The same after the path. */
static void scripts_on_later(levy_shape_text *out, const levy_script_program *p,
                             const levy_script_block *block)
{
    levy_scripts_find(out, p, block);
    levy_shape_word(out, "later_begin(g);\n");
    if (block->lower_tail != LEVY_SCRIPT_NO_LOWER_TAIL) {
        const bool sets = block->n_lower_tail > 0;
        levy_shape_word(out, sets ? "while(later_low(g,of,k," : "later_low_skip(g,of,");
        levy_scripts_operand(out, p, block->lower_tail);
        levy_shape_word(out, sets ? ",s)){\n" : ");\n");
        if (sets) levy_scripts_steps(out, p, block, block->n, block->n_lower_tail);
        if (sets) levy_shape_word(out, "later_low_done(g,of,s);\n}\nlater_low_end(g,of);\n");
    }
    levy_shape_word(out, "while(segments_next(g,of,k,s)){\n");
    levy_scripts_steps(out, p, block, block->n_before, block->n - block->n_before);
    levy_shape_word(out, "later_done(g,of,s);\n}\nlater_end(g,of,s);\n");
}

/* The segments that a path starts with. */
static void scripts_start_later(levy_shape_text *out, const levy_script_program *p, bool waits)
{
    levy_shape_word(out, waits ? "script_stack own,*const g=&own;\n"
                               : "script_segments own,*const g=&own;\n(void)near,(void)threads;\n");
    if (waits) levy_scripts_put(out, "real start[", p->n_states, "];\n");
    levy_scripts_put(out, "lane s[", p->n_states, "];\n");
    if (!waits) levy_scripts_put(out, "lane last[", levy_script_segment_lanes(p), "];\n");
    levy_scripts_put(out, "SEGMENTS_UNROLL\nfor(uint32_t i=0;i<", p->n_states,
                     waits ? ";++i)s[i]=lane_of(start[i]=k[i]);\n" : ";++i)s[i]=lane_of(k[i]);\n");
    if (waits)
        levy_shape_word(out, "g->near=near+threadIdx.x*of.m;\ng->far=room;\n"
                             "g->n_near=PATH_shared_segments/(of.m*sizeof(lane));\n"
                             "g->n_threads=threads;\nstack_start(g,of,s);\n");
    else
        levy_shape_word(out, "later_start(g,of,room,last,s);\n");
}

/* A postponed program after the path: k: its constants; t: its numbers at the first node, of which
 * each node has n; left: what its dates have left, then a date that is none. */
void levy_scripts_later(levy_shape_text *out, const levy_script_program *p, uint32_t number,
                        bool waits)
{
    if (waits)
        levy_scripts_put(out,
                         "#undef script_constant\n#undef script_term\n#undef script_split\n"
                         "#define script_constant(i) script_constant_##i\n"
                         "#define script_term(i) script_term_##i\n"
                         "#define script_split(g,of,s,z,where) stack_split(g,of,",
                         p->n_splits, ",s,z,chance_##z,where)\n");
    levy_scripts_put(out, "LANE_FN lane script_later_", number,
                     "(const real *k,const real *first,uint32_t n,const lane *left,uint32_t stride,"
                     "lane *room,lane *near,uint32_t threads,uint32_t settles)\n{\n");
    levy_shape_word(out, "static_assert(LANES==1,\"segments after the path are one path's\");\n");
    levy_scripts_of(out, p, waits);
    scripts_start_later(out, p, waits);
    levy_shape_word(out, "lane next=script_left(&left,stride);\n");
    levy_shape_word(out, waits ? "while(g->n>0){\n" : "while(g->n_from>0){\n");
    levy_shape_word(out, "const uint32_t date=script_date_left(next);\n"
                         "if(date==SCRIPT_NEVER)break;\n"
                         "const real *const t=first+(uint64_t)(date>>SCRIPT_BLOCK)*n;\n"
                         "(void)t;\n"
                         "switch(date&((1u<<SCRIPT_BLOCK)-1u)){\n");
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
        if (block->n == block->n_before) continue;
        levy_scripts_put(out, "case ", b, ":{\n");
        if (waits)
            scripts_on_waiting(out, p, block);
        else
            scripts_on_later(out, p, block);
        levy_shape_word(out, "}break;\n");
    }
    levy_shape_word(out, "}\n}\n");
    if (waits) levy_shape_word(out, "if(stack_settles_own(of))\n");
    if (waits) scripts_join(out, p);
    levy_shape_word(out, waits ? "return stack_settle(g,of,start,s);\n}\n"
                                 "#undef script_constant\n#undef script_term\n#undef script_split\n"
                                 "#define script_constant(i) lane_of(k[i])\n"
                                 "#define script_term(i) lane_of(t[i])\n"
                                 "#define script_split segments_split\n"
                               : "return later_settle(g,of,k,s);\n}\n");
}
