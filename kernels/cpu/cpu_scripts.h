/* cpu_scripts.h: the programs of a tile's items as the path loop interprets them
 * (payoffs/script.h): operands become places in a frame, which is
 * [registers][constants][terms][levels] and each item's own. Part of cpu_isa.c, which alone
 * includes it, after the loops. Must not know: paths, sums. */
#ifndef LEVY_CPU_SCRIPTS_H
#define LEVY_CPU_SCRIPTS_H

#include "kernels/path/image.h"

/* Of a tile. Arrays lie in the scratch. */
typedef struct cpu_scripts {
    path_script item[LEVY_MAX_TILE];
    script_segments segments[LEVY_MAX_TILE];
    uint32_t number[LEVY_MAX_TILE]; /* of the program of code[k] */
    script_code code[LEVY_MAX_TILE];
    uint32_t n_codes;
} cpu_scripts;

static size_t cpu_frame_lanes(const levy_script_program *p)
{
    const size_t lanes = (size_t)p->n_registers + p->n_constants + p->n_terms + p->n_assets,
                 all = lanes + (LEVY_SCRIPT_LEVELS - 1) * (size_t)p->n_assets;
    if (!p->n_segments) return levy_script_sees_variances(p) ? all : lanes;
    return all + levy_script_segment_lanes(p) + levy_script_segments_room(p);
}

/* Every block ends with a step, and so does what runs before it. */
static size_t cpu_script_steps(const levy_script_program *p)
{
    return (size_t)p->n_steps + 2 * p->n_blocks;
}

/* Bytes of the frames, and of the steps, of any tile. */
static void cpu_scripts_size(const levy_image *image, size_t *frames, size_t *steps)
{
    const size_t n_items = image->n_items < LEVY_MAX_TILE ? image->n_items : (size_t)LEVY_MAX_TILE,
                 n_codes = image->n_scripts < n_items ? image->n_scripts : n_items;
    size_t lanes = 0, most = 0;
    for (uint32_t i = 0; i < image->n_scripts; ++i) {
        const levy_script_program *const p = levy_image_script(image, i);
        if (cpu_frame_lanes(p) > lanes) lanes = cpu_frame_lanes(p);
        if (cpu_script_steps(p) > most) most = cpu_script_steps(p);
    }
    *frames = n_items * lanes * sizeof(lane);
    *steps = n_codes * most * sizeof(script_step);
}

/* Where an operand stands in the frame. */
static uint32_t cpu_place(const levy_script_program *p, uint32_t operand)
{
    const uint32_t number = operand & ~(uint32_t)LEVY_SCRIPT_AT;
    uint32_t place = number;
    switch (operand & LEVY_SCRIPT_AT) {
    case LEVY_SCRIPT_AT_LEVEL:
        place += p->n_terms; /* fall through */
    case LEVY_SCRIPT_AT_TERM:
        place += p->n_constants; /* fall through */
    case LEVY_SCRIPT_AT_CONSTANT:
        place += p->n_registers; /* fall through */
    default:
        return place * (uint32_t)sizeof(lane);
    }
}

static script_step cpu_step(const levy_script_program *p, const levy_script_step *from)
{
    static const uint32_t moved[] = {[LEVY_SCRIPT_CONSTANT] = LEVY_SCRIPT_AT_CONSTANT,
                                     [LEVY_SCRIPT_TERM] = LEVY_SCRIPT_AT_TERM,
                                     [LEVY_SCRIPT_LEVEL] = LEVY_SCRIPT_AT_LEVEL};
    const uint32_t n = levy_script_operands(from->op), to = cpu_place(p, from->to);
    if (from->op <= LEVY_SCRIPT_LEVEL)
        return (script_step){LEVY_SCRIPT_MOVE, to, cpu_place(p, moved[from->op] + from->a), 0, 0};
    return (script_step){from->op, to, n > 0 ? cpu_place(p, from->a) : from->a,
                         n > 1 ? cpu_place(p, from->b) : from->b,
                         n > 2 ? cpu_place(p, from->c) : from->c};
}

static script_step *cpu_prepare_steps(const levy_script_program *p, uint32_t first, uint32_t n,
                                      script_step *to)
{
    for (uint32_t i = 0; i < n; ++i) *to++ = cpu_step(p, LEVY_SCRIPT_PROGRAM_STEPS(p) + first + i);
    *to++ = (script_step){.op = SCRIPT_END};
    return to;
}

static script_step *cpu_prepare_code(const levy_script_program *p, script_step *to,
                                     script_code *code)
{
    const levy_script_block *const blocks = LEVY_SCRIPT_PROGRAM_BLOCKS(p);
    *code = (script_code){.n_blocks = p->n_blocks,
                          .n_states = p->n_states,
                          .n_terms = p->n_terms,
                          .n_assets = p->n_assets,
                          .sees_variances = (uint32_t)levy_script_sees_variances(p),
                          .of = {.n = p->low + 1,
                                 .m = levy_script_segment_lanes(p),
                                 .most = p->n_segments,
                                 .summed = p->n_summed,
                                 .alive = p->alive,
                                 .own = p->own,
                                 .reset = p->reset},
                          .constants = p->n_registers,
                          .terms = p->n_registers + p->n_constants,
                          .levels = p->n_registers + p->n_constants + p->n_terms};
    for (uint32_t k = 0; k < p->n_blocks; ++k) {
        code->events[k] = 1u << blocks[k].schedule;
        code->before[k] = to;
        to = cpu_prepare_steps(p, blocks[k].first, blocks[k].n_before, to);
        code->first[k] = to;
        to = cpu_prepare_steps(p, blocks[k].first + blocks[k].n_before,
                               blocks[k].n - blocks[k].n_before, to);
    }
    return to;
}

/* The code of an item's program, which another item may have brought. */
static const script_code *cpu_find_code(const levy_script_program *p, uint32_t number,
                                        cpu_scripts *scripts, script_step **to)
{
    uint32_t k = 0;
    while (k < scripts->n_codes && scripts->number[k] != number) ++k;
    if (k == scripts->n_codes) {
        *to = cpu_prepare_code(p, *to, &scripts->code[k]);
        scripts->number[k] = number;
        ++scripts->n_codes;
    }
    return &scripts->code[k];
}

/* The last item that has the other states of one that counts at some nodes alone; NULL: that is the
 * item itself. */
static const path_script *cpu_find_all(const path_view *view, uint32_t i,
                                       const cpu_scripts *scripts)
{
    const levy_image_item *const item = &view->items[i];
    uint32_t last = i;
    for (uint32_t k = i + 1; k < view->n_items && item->traits & LEVY_ITEM_COUNTS; ++k) {
        const levy_image_item *const other = &view->items[k];
        if (other->traits & LEVY_ITEM_COUNTS && other->trade == item->trade &&
            other->dynamics == item->dynamics &&
            (other->variant & SCRIPT_NUMBER) == (item->variant & SCRIPT_NUMBER))
            last = k;
    }
    return last > i ? &scripts->item[last] : NULL;
}

/* Makes the codes and frames of the tile's items, with their constants. False: no item has a
 * program. */
static bool cpu_prepare_scripts(const path_view *view, lane *frames, script_step *steps,
                                cpu_scripts *scripts)
{
    bool any = false;
    scripts->n_codes = 0;
    for (uint32_t i = 0; i < view->n_items && view->image->n_scripts; ++i) {
        const levy_image_item *const item = &view->items[i];
        scripts->item[i] = (path_script){NULL, NULL, &scripts->segments[i], NULL};
        if (!(item->traits & LEVY_ITEM_SCRIPT)) continue;
        const levy_script_program *const p = levy_image_program(view->image, item);
        const real *const constants = view->node_terms + item->node_terms - item->n_constants;
        scripts->item[i].code = cpu_find_code(p, item->variant & SCRIPT_NUMBER, scripts, &steps);
        scripts->item[i].frame = frames;
        scripts->item[i].all = cpu_find_all(view, i, scripts);
        /* A path sets what it reads of these. They are cleared since GCC makes `m ? a : b` to
         * `(a ^ b) & m ^ b`, of which Valgrind does not know that b is not in it where m is. */
        scripts->segments[i] = (script_segments){.n_from = 0};
        for (uint32_t k = 0; k < p->n_constants; ++k)
            frames[p->n_registers + k] = lane_of(constants[k]);
        frames += cpu_frame_lanes(p);
        any = true;
    }
    return any;
}

#endif
