/* scripts.c: see scripts.h. Must not know: shapes, compilers. */
#include "kernels/cuda/compile/scripts.h"

#include "engine/script/postpone.h"
#include "kernels/cuda/compile/thresholds.h"

enum {
    SCRIPTS_NUMBER = 0xffff, /* bits of a variant */
    /* So few segments of one item alone stay in the first cache while the path goes on. H200, ms of
     * 2^20 paths in single, on the path and after it: autocallable 0.28, 0.74, range accrual 1.24,
     * 2.88; a note with up to 128 segments on three assets (2^18 paths) 6.5, 5.1. */
    SCRIPTS_FEW = 16,
    /* Bytes of the items' numbers at all nodes that stay in the first cache. H200, ms without and
     * with a copy: 774 KB 113, 98.6; 320 KB 43.8, 41.0; 160 KB 24.6, 27.6; few 7.6, 8.6. */
    SCRIPTS_FIRST_CACHE = 256 << 10,
    SCRIPTS_ALONE =
        64 << 10,         /* the same of one item alone, whose kernels grids of few dates share */
    SCRIPTS_FACTORS = 16, /* most factors of a table of thresholds */
    SCRIPTS_CUTS = 4,     /* most SPLITs of a block whose segments wait */
    /* Most bytes of a path's segments in shared memory, which leave cache, and room for a CTA on
     * GPUs of 99 KiB. H200, 29 items of 756 dates: 96 43.1, 128 42.9, 192 42.6 ms. */
    SCRIPTS_NEAR = 128
};

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

uint32_t levy_scripts_left(const levy_image *image, const levy_tile *tile)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        if (!scripts_has(image, tile, i)) return 0;
        const levy_script_program *const p =
            levy_image_program(image, scripts_item(image, tile, i));
        if (p->n_left == 0 || (tile->n_items == 1 && p->n_segments <= SCRIPTS_FEW)) return 0;
        if (p->n_left > most) most = p->n_left;
    }
    return most;
}

bool levy_scripts_turn(const levy_image *image, const levy_tile *tile)
{
    return tile->n_items > 1 && levy_scripts_left(image, tile) > 0;
}

/* Nodes that are dates of one of the schedule's. */
static uint32_t scripts_dates(const levy_image *image, const levy_image_item *item,
                              uint32_t schedule)
{
    const uint32_t *const flags = LEVY_IMAGE_AT(uint32_t, image, flags);
    uint32_t dates = 0;
    for (uint32_t node = 0; node < image->n_nodes; ++node)
        dates += flags[node] >> item->flag >> schedule & 1;
    return dates;
}

uint32_t levy_scripts_lanes_left(const levy_image *image, const levy_tile *tile)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        const levy_image_item *const item = scripts_item(image, tile, i);
        const levy_script_program *const p = levy_image_program(image, item);
        uint32_t lanes = 1; /* for the end */
        for (uint32_t b = 0; b < p->n_blocks; ++b) {
            const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
            if (block->n > block->n_before)
                lanes +=
                    levy_script_lanes_left(p, block) * scripts_dates(image, item, block->schedule);
        }
        if (lanes > most) most = lanes;
    }
    return most;
}

levy_scripts_count levy_scripts_numbers(const levy_image *image, const levy_tile *tile, uint32_t i)
{
    const levy_image_item *const item = scripts_item(image, tile, i);
    if (levy_scripts_left(image, tile) == 0) return (levy_scripts_count){0, 0};
    return (levy_scripts_count){item->n_node_terms, item->n_constants};
}

bool levy_scripts_same_dates(const levy_image *image, const levy_tile *tile)
{
    const levy_image_item *const first = scripts_item(image, tile, 0);
    if (levy_scripts_left(image, tile) == 0) return false;
    for (uint32_t i = 1; i < tile->n_items; ++i) {
        const levy_image_item *const item = scripts_item(image, tile, i);
        if (item->flag != first->flag || item->n_flags != first->n_flags ||
            scripts_number(image, tile, i) != scripts_number(image, tile, 0))
            return false;
    }
    return true;
}

/* Bytes of the items' numbers at all nodes. */
static uint64_t scripts_numbers_bytes(const levy_image *image, const levy_tile *tile)
{
    return (uint64_t)image->n_nodes * tile->n_items *
           levy_scripts_numbers(image, tile, 0).node_terms *
           (image->precision ? sizeof(float) : sizeof(double));
}

/* The thresholds that a table has; none where returns are not drifts and factors times drivers. */
static levy_thresholds scripts_thresholds(const levy_image *image, const levy_tile *tile)
{
    const bool can = image->precision && image->n_assets > 1 &&
                     image->n_assets <= SCRIPTS_FACTORS && image->n_factors <= SCRIPTS_FACTORS &&
                     !image->covariance && !image->model && !image->has_cash && !image->has_elapsed;
    if (!can || !levy_scripts_same_dates(image, tile) ||
        (tile->n_items == 1 && scripts_numbers_bytes(image, tile) <= SCRIPTS_ALONE))
        return (levy_thresholds){.n = 0};
    return levy_thresholds_of(levy_image_program(image, scripts_item(image, tile, 0)),
                              image->n_factors);
}

bool levy_scripts_tables(const levy_image *image, const levy_tile *tile)
{
    return scripts_thresholds(image, tile).n > 0;
}

bool levy_scripts_copies(const levy_image *image, const levy_tile *tile)
{
    return levy_scripts_same_dates(image, tile) && !levy_scripts_tables(image, tile) &&
           scripts_numbers_bytes(image, tile) > SCRIPTS_FIRST_CACHE;
}

/* Does a step on low segments read nothing but constants, their own states, and what those before
 * it have made? */
static bool scripts_reads_own(const levy_script_program *p, const levy_script_step *steps,
                              uint32_t k)
{
    const uint16_t operands[] = {steps[k].a, steps[k].b, steps[k].c};
    for (uint32_t i = 0; i < levy_script_operands(steps[k].op); ++i) {
        const uint32_t at = operands[i] & LEVY_SCRIPT_AT;
        bool made = operands[i] > 0 && operands[i] < 64 && p->own >> (operands[i] - 1) & 1;
        for (uint32_t j = 0; j < k; ++j) made |= steps[j].to == operands[i];
        if (at != LEVY_SCRIPT_AT_CONSTANT && (at != 0 || !made)) return false;
    }
    return steps[k].op > LEVY_SCRIPT_LEVEL && steps[k].op < LEVY_SCRIPT_SPLIT;
}

/* Do the block's conditions change at normals that its first steps have made? */
static bool scripts_splits_early(const levy_script_program *p, const levy_script_block *block)
{
    const levy_script_step *step[LEVY_SCRIPT_REGISTERS];
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first;
    const uint32_t n = levy_script_leaves(p, block, step);
    for (uint32_t k = block->n_before; k < block->n; ++k) {
        bool early = steps[k].op != LEVY_SCRIPT_SPLIT;
        for (uint32_t i = 0; i < n; ++i) early |= step[i]->to == steps[k].a;
        for (uint32_t i = block->n_before; i < block->n; ++i)
            early &= steps[k].op != LEVY_SCRIPT_SPLIT || steps[i].op == LEVY_SCRIPT_WHERE ||
                     steps[i].to != steps[k].a;
        if (!early) return false;
    }
    return true;
}

/* Do low segments take the same steps, which know no date, whenever they take any? Then they need
 * not take them before they are read. That may keep two segments apart which others join, so that
 * the last bits differ. */
static bool scripts_waits(const levy_image *image, const levy_script_program *p)
{
    uint32_t n = 0;
    if (!image->precision || p->n_splits > SCRIPTS_CUTS) return false;
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
        const levy_script_step *const steps =
            LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first + block->n;
        if (!scripts_splits_early(p, block)) return false;
        if (block->low == LEVY_SCRIPT_NO_LOW || block->n_low == 0) continue;
        for (uint32_t k = 0; k < block->n_low; ++k)
            if (!scripts_reads_own(p, steps, k)) return false;
        ++n;
    }
    return n == 1;
}

/* Lanes of a segment that waits, in its stack (segments_stack.h). */
static uint32_t scripts_waiting_lanes(const levy_script_program *p)
{
    return levy_script_segment_lanes(p) - 1;
}

/* Lanes that the segments of a postponed program take at most. */
static uint32_t scripts_room(const levy_image *image, const levy_script_program *p)
{
    return scripts_waits(image, p) ? p->n_segments * scripts_waiting_lanes(p)
                                   : levy_script_segments_room(p);
}

uint32_t levy_scripts_near(const levy_image *image, const levy_tile *tile)
{
    uint32_t most = 0;
    if (!levy_scripts_turn(image, tile)) return 0; /* a price's segments stay in the first cache */
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        const levy_script_program *const p =
            levy_image_program(image, scripts_item(image, tile, i));
        const uint32_t bytes = scripts_room(image, p) * (uint32_t)sizeof(float);
        if (scripts_waits(image, p) && bytes > most) most = bytes;
    }
    return most < SCRIPTS_NEAR ? most : (uint32_t)SCRIPTS_NEAR;
}

uint32_t levy_scripts_shared(const levy_image *image, const levy_tile *tile)
{
    enum { NUMBERS = 16 << 10 }; /* PATH_terms_bytes, PATH_threshold_bytes */
    const bool numbers = levy_scripts_tables(image, tile) || levy_scripts_copies(image, tile);
    const size_t each = image->precision ? sizeof(float) : sizeof(double),
                 worth = levy_scripts_turn(image, tile) ? tile->n_items * LEVY_COLUMNS * each : 0;
    return (uint32_t)(worth + (numbers ? NUMBERS : 0));
}

uint32_t levy_scripts_segments(const levy_image *image, const levy_tile *tile)
{
    const bool postponed = levy_scripts_left(image, tile) > 0;
    uint32_t lanes = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        if (!scripts_has(image, tile, i)) continue;
        const levy_script_program *const p =
            levy_image_program(image, scripts_item(image, tile, i));
        const uint32_t room = postponed ? scripts_room(image, p) : levy_script_segments_room(p);
        if (!postponed)
            lanes += room;
        else if (room > lanes)
            lanes = room;
    }
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
    [LEVY_SCRIPT_SPLIT] = "script_split(g,of,s",  [LEVY_SCRIPT_SUM_AT] = "sums_at(&g->sum",
    [LEVY_SCRIPT_SUM_ADD] = "sums_add(&g->sum",   [LEVY_SCRIPT_SUM_ROOT] = "sums_root(&g->sum",
    [LEVY_SCRIPT_SUM_SIGN] = "sums_sign(&g->sum", [LEVY_SCRIPT_SUM_WORTH] = "sums_worth(&g->sum"};

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
        scripts_put(out, "script_constant(", number, ")");
        break;
    case LEVY_SCRIPT_AT_TERM:
        scripts_put(out, "script_term(", number, ")");
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

/* Which levels, and behind these their logarithms, n steps of block number b name. A table has
 * thresholds. */
static bool scripts_name_levels(const levy_script_program *p, const levy_thresholds *table,
                                uint32_t b, const levy_script_step *steps, uint32_t n,
                                bool named[2 * LEVY_MAX_ASSETS])
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
                                   const bool named[2 * LEVY_MAX_ASSETS])
{
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

/* n steps of the block, from its step `first` on. A WHERE is a thread's own branch. */
static void scripts_steps(levy_shape_text *out, const levy_script_program *p,
                          const levy_script_block *block, uint32_t first, uint32_t n)
{
    const levy_script_step *const steps = LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first + first;
    uint32_t ends[LEVY_SCRIPT_STEPS], open = 0; /* where the WHEREs that are open end */
    scripts_declare(out, p, steps, n);
    for (uint32_t i = 0; i < n; ++i) {
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
}

/* The block's other steps on all segments. */
static void scripts_on_segments(levy_shape_text *out, const levy_script_program *p,
                                const levy_script_block *block)
{
    levy_shape_word(out, "segments_begin(g);\nwhile(segments_next(g,of,k,s)){\n");
    scripts_steps(out, p, block, block->n_before, block->n - block->n_before);
    levy_shape_word(out, "segments_done(g,of,s);\n}\nsegments_end(g,of,s);\n");
}

/* What a block has left, in its order, and what need not be left; then the next date. */
static void scripts_find(levy_shape_text *out, const levy_script_program *p,
                         const levy_script_block *block)
{
    const levy_script_step *step[LEVY_SCRIPT_REGISTERS];
    const uint32_t n = levy_script_leaves(p, block, step);
    for (uint32_t i = 0; i < n; ++i) {
        const bool again = levy_script_runs_again(step[i]);
        scripts_put(out, "lane r", step[i]->to, again ? ";\n" : "=script_left(&left,stride);\n");
        if (again) scripts_step(out, p, step[i]);
    }
    levy_shape_word(out, "next=script_left(&left,stride);\n");
    scripts_put(out, "script_ask(left,stride,", levy_script_lanes_left(p, block), "u);\n");
}

/* The block whose low segments wait. */
static const levy_script_block *scripts_waiting(const levy_script_program *p)
{
    const levy_script_block *block = LEVY_SCRIPT_PROGRAM_BLOCKS(p);
    while (block->low == LEVY_SCRIPT_NO_LOW || block->n_low == 0) ++block;
    return block;
}

/* A segment that the block has found makes up for the steps that it has missed. */
static void scripts_make_up(levy_shape_text *out, const levy_script_program *p)
{
    const levy_script_block *const block = scripts_waiting(p);
    levy_shape_word(out, "for(uint32_t n=stack_missed(g);n>0;--n){\n");
    scripts_steps(out, p, block, block->n, block->n_low);
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
    scripts_name(steps + waiting->first + waiting->n, waiting->n_low, &named);
    for (uint32_t k = 0; k < p->n_constants; ++k) {
        if (!named.constant[k]) continue;
        scripts_put(out, "const lane script_constant_", k, "=lane_of(k[");
        scripts_put(out, "", k, "]);\n");
    }
    for (uint32_t k = 0; k < p->n_terms; ++k) {
        if (!named.term[k]) continue;
        scripts_put(out, "const lane script_term_", k, "=lane_of(t[");
        scripts_put(out, "", k, "]);\n");
    }
}

/* All segments are brought up to date, and neighbours that have become equal are one. */
static void scripts_join(levy_shape_text *out, const levy_script_program *p)
{
    levy_shape_word(out, "{\n");
    scripts_load(out, p, NULL);
    scripts_put(out, "stack_begin(g,of,0);\nwhile(stack_next(g,of,", p->n_splits, ",start,s)){\n");
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
        scripts_put(out, "const lane chance_r", steps[k].a, "=integral_below(");
        scripts_operand(out, p, steps[k].a);
        levy_shape_word(out, ");\n");
    }
    if (block->low == LEVY_SCRIPT_NO_LOW || has[block->low]) return;
    scripts_put(out, "lane chance_r", block->low, "=lane_of(R(0.0));\n");
    for (uint32_t k = 0; k < LEVY_SCRIPT_REGISTERS; ++k) {
        if (!has[k]) continue;
        scripts_put(out, "if(lane_any(r", block->low, "==r");
        levy_shape_number(out, k, 10);
        scripts_put(out, "))chance_r", block->low, "=chance_r");
        levy_shape_number(out, k, 10);
        levy_shape_word(out, ";\n");
    }
}

static void scripts_begin_waiting(levy_shape_text *out, const levy_script_program *p,
                                  const levy_script_block *block)
{
    scripts_chances(out, p, block);
    if (block->low == LEVY_SCRIPT_NO_LOW) {
        levy_shape_word(out, "stack_begin(g,of,0);\n");
        return;
    }
    scripts_put(out, "stack_begin_above(g,of,r", block->low, ",chance_r");
    levy_shape_number(out, block->low, 10);
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
    scripts_find(out, p, block);
    if (sets) levy_shape_word(out, "if(stack_is_full(g,of))\n");
    if (sets) scripts_join(out, p);
    if (!sets && !scripts_reads_states(p, block))
        levy_shape_word(out, "if(script_date_left(next)==SCRIPT_NEVER&&!stack_settles_own(of))"
                             "stack_flatten(g,of);\n");
    scripts_begin_waiting(out, p, block);
    scripts_put(out, "while(stack_next(g,of,", p->n_splits, ",start,s)){\n");
    scripts_make_up(out, p);
    scripts_steps(out, p, block, block->n_before, block->n - block->n_before);
    levy_shape_word(out, sets ? "stack_done(g,of,s,g->times+R(1.0));\n"
                              : "stack_done(g,of,s,g->times);\n");
    levy_shape_word(out, "}\nstack_end(g,of);\n");
    if (sets) levy_shape_word(out, "g->times=g->times+R(1.0);\n");
}

/* The same after the path. */
static void scripts_on_later(levy_shape_text *out, const levy_script_program *p,
                             const levy_script_block *block)
{
    scripts_find(out, p, block);
    levy_shape_word(out, "later_begin(g);\n");
    if (block->low != LEVY_SCRIPT_NO_LOW) {
        const bool sets = block->n_low > 0;
        levy_shape_word(out, sets ? "while(later_low(g,of,k," : "later_low_skip(g,of,");
        scripts_operand(out, p, block->low);
        levy_shape_word(out, sets ? ",s)){\n" : ");\n");
        if (sets) scripts_steps(out, p, block, block->n, block->n_low);
        if (sets) levy_shape_word(out, "later_low_done(g,of,s);\n}\nlater_low_end(g,of);\n");
    }
    levy_shape_word(out, "while(segments_next(g,of,k,s)){\n");
    scripts_steps(out, p, block, block->n_before, block->n - block->n_before);
    levy_shape_word(out, "later_done(g,of,s);\n}\nlater_end(g,of,s);\n");
}

/* Number b of the blocks leaves what its first steps have made. */
static void scripts_leave(levy_shape_text *out, const levy_script_program *p, uint32_t b)
{
    const levy_script_step *step[LEVY_SCRIPT_REGISTERS];
    const uint32_t n = levy_script_leaves(p, LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b, step);
    scripts_put(out, "script_leave(g,script_date(seen->node,", b, "));\n");
    for (uint32_t i = 0; i < n; ++i)
        if (!levy_script_runs_again(step[i]))
            scripts_put(out, "script_leave(g,r", step[i]->to, ");\n");
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
    scripts_operand(out, p, to);
    scripts_put(out, "=lane_of(c[", t->number, "])");
    scripts_put(out, "-y[", t->sum, "];\n");
}

/* Number b of the blocks, where its date has come. */
static void scripts_block(levy_shape_text *out, const levy_script_program *p,
                          const levy_thresholds *table, uint32_t b, bool postponed)
{
    const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
    levy_script_step steps[LEVY_SCRIPT_STEPS];
    bool named[2 * LEVY_MAX_ASSETS] = {false};
    const uint32_t n = scripts_first_steps(p, block, postponed, steps);
    if (postponed)
        scripts_name_levels(p, table, b, steps, n, named);
    else
        scripts_name_levels(p, table, b, LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first, block->n,
                            named);
    scripts_declare_levels(out, p, named);
    scripts_declare(out, p, steps, n);
    if (p->n_summed) levy_shape_word(out, "g->sum.n_before=g->sum.n;\n");
    for (uint32_t i = 0; i < n; ++i) {
        const levy_threshold *const t = levy_thresholds_find(table, b, p, &steps[i], n - i);
        if (t)
            scripts_threshold(out, p, steps[i].to, t);
        else
            scripts_step(out, p, &steps[i]);
        if (t) i += LEVY_THRESHOLD_STEPS - 1;
    }
    if (!p->n_segments)
        scripts_steps(out, p, block, block->n_before, block->n - block->n_before);
    else if (block->n > block->n_before && postponed)
        scripts_leave(out, p, b);
    else if (block->n > block->n_before)
        scripts_on_segments(out, p, block);
}

/* What the segments of a program have in common, as constants. */
static void scripts_of(levy_shape_text *out, const levy_script_program *p, bool waits)
{
    const uint32_t lanes = waits ? scripts_waiting_lanes(p) : levy_script_segment_lanes(p),
                   numbers[] = {p->low + 1, lanes, p->n_segments, p->n_summed, p->alive};
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
        scripts_of(out, p, false);
        levy_shape_word(out, "script_segments *const g=seen->segments;\nif(g->n_from==0)return;\n");
    }
    const levy_thresholds none = {.n = 0};
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        scripts_put(out, "if(seen->events>>", LEVY_SCRIPT_PROGRAM_BLOCKS(p)[b].schedule, "&1){\n");
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
    scripts_put(out, "LANE_FN void script_block_", number,
                "(uint32_t b,const real *k,const real *t,const real *c,const lane *y,"
                "const payoff_seen *seen,lane *s)\n"
                "{\n(void)k,(void)t,(void)c,(void)y,(void)s;\n"
                "script_segments *const g=seen->segments;\nswitch(b){\n");
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        scripts_put(out, "case ", b, ":{\n");
        scripts_block(out, p, table, b, true);
        levy_shape_word(out, "(void)g;\n}break;\n");
    }
    levy_shape_word(out, "}\n}\n");
    if (table->n > 0) return; /* blocks are called one by one */
    scripts_put(out, "LANE_FN void script_run_", number,
                "(const real *k,const real *t,const payoff_seen *seen,lane *s,uint32_t settles)\n"
                "{\n(void)settles;\n");
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        scripts_put(out, "if(seen->events>>", LEVY_SCRIPT_PROGRAM_BLOCKS(p)[b].schedule, "&1)");
        scripts_put(out, "script_block_", number, "(");
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
    scripts_put(out, "enum{SCRIPT_BLOCKS=", p->n_blocks, "};\n");
    levy_shape_word(out, "LANE_FN uint32_t script_schedule(uint32_t b)\n{\nswitch(b){\n");
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        const levy_script_block *const block = LEVY_SCRIPT_PROGRAM_BLOCKS(p) + b;
        levy_script_step steps[LEVY_SCRIPT_STEPS];
        bool named[2 * LEVY_MAX_ASSETS];
        const uint32_t n = scripts_first_steps(p, block, true, steps);
        scripts_put(out, "case ", b, ":");
        scripts_put(out, "return ", block->schedule, ";\n");
        if (scripts_name_levels(p, table, b, steps, n, named)) seen |= 1u << block->schedule;
    }
    levy_shape_word(out, "}\nreturn 0;\n}\n");
    scripts_put(out, "enum{SCRIPT_SEES=", seen, "u};\n");
}

/* ---- The table of thresholds ---- */

static void scripts_table_numbers(levy_shape_text *out, const levy_script_program *p,
                                  const levy_thresholds *table)
{
    levy_shape_word(out, "LANE_FN void script_table_numbers(const real *k,const real *t,"
                         "const real *drift,real *to)\n{\n(void)k,(void)t;\n");
    for (uint32_t i = 0; i < table->n; ++i) {
        const levy_threshold *const t = &table->of[i];
        scripts_put(out, "to[", t->number, "]=script_table_number(");
        scripts_operand(out, p, t->level);
        levy_shape_word(out, ",");
        scripts_operand(out, p, t->weight);
        scripts_put(out, ",drift[", t->asset, "],");
        scripts_operand(out, p, t->inverse);
        levy_shape_word(out, ");\n");
    }
    levy_shape_word(out, "}\n");
}

/* Is threshold i the first one with its row? */
static bool scripts_begins_row(const levy_thresholds *table, uint32_t i)
{
    for (uint32_t k = 0; k < i; ++k)
        if (table->of[k].row == table->of[i].row) return false;
    return true;
}

static void scripts_table_rows(levy_shape_text *out, const levy_script_program *p,
                               const levy_thresholds *table)
{
    levy_shape_word(out, "LANE_FN void script_table_rows(const real *t,const real *factor,real *to)"
                         "\n{\n");
    for (uint32_t i = 0; i < table->n; ++i) {
        const levy_threshold *const t = &table->of[i];
        if (!scripts_begins_row(table, i)) continue;
        scripts_put(out, "script_table_row(factor+", t->asset, "*PATH_factors,");
        scripts_operand(out, p, t->inverse);
        scripts_put(out, ",PATH_factors,to+", t->row, ");\n");
    }
    levy_shape_word(out, "}\n");
}

/* The sums of a block's rows. */
static void scripts_table_sums(levy_shape_text *out, const levy_script_program *p,
                               const levy_thresholds *table)
{
    levy_shape_word(out, "LANE_FN void script_table_sums(uint32_t b,const real *row,"
                         "const lane *driver,lane *y)\n{\nswitch(b){\n");
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        scripts_put(out, "case ", b, ":\n");
        for (uint32_t i = 0; i < table->n; ++i) {
            const levy_threshold *const t = &table->of[i];
            if (t->block != b || !scripts_begins_row(table, i)) continue;
            scripts_put(out, "y[", t->sum, "]=");
            scripts_put(out, "script_table_sum(row+", t->row, ",driver,PATH_factors);\n");
        }
        levy_shape_word(out, "break;\n");
    }
    levy_shape_word(out, "}\n}\n");
}

static void scripts_table(levy_shape_text *out, const levy_script_program *p,
                          const levy_thresholds *table)
{
    scripts_put(out, "enum{SCRIPT_TABLE_NUMBERS=", table->numbers, ",");
    scripts_put(out, "SCRIPT_TABLE_ROWS=", table->rows, ",");
    scripts_put(out, "SCRIPT_TABLE_SUMS=", table->sums, "};\n");
    scripts_table_numbers(out, p, table);
    scripts_table_rows(out, p, table);
    scripts_table_sums(out, p, table);
}

/* The segments that a path starts with. */
static void scripts_start_later(levy_shape_text *out, const levy_script_program *p, bool waits)
{
    levy_shape_word(out, waits ? "script_stack own,*const g=&own;\n"
                               : "script_segments own,*const g=&own;\n(void)near,(void)threads;\n");
    if (waits) scripts_put(out, "real start[", p->n_states, "];\n");
    scripts_put(out, "lane s[", p->n_states, "];\n");
    if (!waits) scripts_put(out, "lane last[", levy_script_segment_lanes(p), "];\n");
    scripts_put(out, "SEGMENTS_UNROLL\nfor(uint32_t i=0;i<", p->n_states,
                waits ? ";++i)s[i]=lane_of(start[i]=k[i]);\n" : ";++i)s[i]=lane_of(k[i]);\n");
    if (waits)
        levy_shape_word(out, "g->near=near+threadIdx.x*of.m;\ng->far=room;\n"
                             "g->n_near=PATH_near/(of.m*sizeof(lane));\n"
                             "g->n_threads=threads;\nstack_start(g,of,s);\n");
    else
        levy_shape_word(out, "later_start(g,of,room,last,s);\n");
}

/* A postponed program after the path: k: its constants; t: its numbers at the first node, of which
 * each node has n; left: what its dates have left, then a date that is none. */
static void scripts_later(levy_shape_text *out, const levy_script_program *p, uint32_t number,
                          bool waits)
{
    if (waits)
        scripts_put(out,
                    "#undef script_constant\n#undef script_term\n#undef script_split\n"
                    "#define script_constant(i) script_constant_##i\n"
                    "#define script_term(i) script_term_##i\n"
                    "#define script_split(g,of,s,z,where) stack_split(g,of,",
                    p->n_splits, ",s,z,chance_##z,where)\n");
    scripts_put(out, "LANE_FN lane script_later_", number,
                "(const real *k,const real *first,uint32_t n,const lane *left,uint32_t stride,"
                "lane *room,lane *near,uint32_t threads,uint32_t settles)\n{\n");
    scripts_of(out, p, waits);
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
        scripts_put(out, "case ", b, ":{\n");
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
        scripts_of(out, p, false);
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

/* A case for each of n programs, which calls the function of its number. */
static void scripts_cases(levy_shape_text *out, uint32_t n, const char *call, const char *with)
{
    for (uint32_t k = 0; k < n; ++k) {
        scripts_put(out, "case ", k, ":");
        scripts_put(out, call, k, with);
    }
}

/* script_later: what a postponed program is worth. */
static void scripts_write_later(const levy_image *image, const levy_tile *tile,
                                levy_shape_text *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (scripts_first(image, tile, i) == i) {
            const levy_script_program *const p =
                levy_image_program(image, scripts_item(image, tile, i));
            scripts_later(out, p, n++, scripts_waits(image, p));
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
    const bool postponed = levy_scripts_left(image, tile) > 0;
    uint32_t n = 0;
    if (levy_scripts_states(image, tile) == 0) return;
    const levy_thresholds table = scripts_thresholds(image, tile);
    for (uint32_t i = 0; i < tile->n_items; ++i) {
        if (!scripts_has(image, tile, i) || scripts_first(image, tile, i) != i) continue;
        const levy_script_program *const p =
            levy_image_program(image, scripts_item(image, tile, i));
        if (postponed)
            scripts_ahead(out, p, &table, n++);
        else
            scripts_program(out, p, n++);
    }
    if (levy_scripts_same_dates(image, tile)) {
        const levy_script_program *const p =
            levy_image_program(image, scripts_item(image, tile, 0));
        scripts_schedules(out, p, &table);
        if (table.n > 0) scripts_table(out, p, &table);
    }
    scripts_write_observe(out, table.n > 0 ? 0 : n);
    if (postponed)
        scripts_write_later(image, tile, out);
    else if (levy_scripts_segments(image, tile))
        scripts_write_ends(image, tile, out);
}
