/* items.h: the items of a group, each one trade under one parameter set, and the nodes at which
 * they observe. Terms are scaled so that lanes work on gross returns since today. outputs.h decides
 * which items exist. Must not know: images. */
#ifndef LEVY_PLAN_ITEMS_H
#define LEVY_PLAN_ITEMS_H

#include "engine/plan/kinks.h"
#include "engine/plan/line_jumps.h"
#include "engine/plan/rare.h"
#include "engine/plan/tails.h"
#include "payoffs/claim.h"

typedef struct levy_item_plan {
    size_t n_items, n_outputs, n_bits, n_labels;
    uint64_t all_node_terms; /* the numbers of all items, constants included */
    size_t n_scripts;
    const levy_script_program **scripts; /* the items' programs, each once */
    uint64_t script_bytes;               /* of all programs */
    levy_image_item *items;
    double *reals;        /* [n_items][LEVY_ITEM_REALS] */
    double *coefficients; /* [n_items][n_assets] */
    double *constants;    /* [n_items]: what is added to the paths' mean (tails.h) */
    /* [n_items]: how far a path's payment jumps, discounted; 0: it does not, or nobody knows */
    double *jumps;
    double
        *most; /* [n_items]: the most that a path can pay, discounted; INFINITY: no such amount */
    levy_rare *rare;         /* [n_items] */
    levy_claim_unit *units;  /* [n_items] */
    levy_moved *markets;     /* [n_items] */
    uint32_t *sets;          /* [n_items] */
    levy_kink *kinks;        /* [n_items], sizes discounted */
    levy_script_view *views; /* [n_items], of those of a script */
    levy_image_output *outputs;
    double *limits;      /* [n_outputs]: `most` by its weights; INFINITY: it is no payment */
    const char **labels; /* [n_labels]: names of factors, by the outputs' numbers */
    uint32_t *flags;     /* [n_nodes] */
} levy_item_plan;

typedef struct levy_items_builder {
    const levy_problem *problem;
    const levy_dynamics_plan *dynamics;
    levy_item_plan *plan;
    levy_arena *arena;
    /* Logarithms are in units of 1 / log_unit, which is 1, or log2(e) in single precision. */
    double log_unit;
    double *spots;            /* [n_assets]: scratch */
    uint32_t *flag;           /* [trade]: the first bit of its observation schedules */
    levy_tail *tail;          /* [trade] */
    levy_rare_events *events; /* [trade] */
    levy_line_jumps *jumps;   /* [trade]; empty unless points are stratified */
    /* [trade]: 1 + the number of its program; 0: it has none, or no item yet */
    uint32_t *script;
    size_t script_room, n_slots;
    uint32_t *slots; /* [n_slots], a hash table of programs: 1 + the number of one; 0: empty */
    char *why;
} levy_items_builder;

/* Makes the nodes' flags and the trades' bits. */
levy_status levy_items_start(levy_items_builder *builder);

levy_status levy_items_reserve(levy_items_builder *builder, size_t n_items);
/* How far what is paid jumps (item_terms.h, line_jumps.h), which is alike in all sets. view: what
 * the item counts of a script; NULL: its price. */
levy_status levy_items_jump(const levy_items_builder *builder, uint32_t trade,
                            const levy_script_view *view, double *jump);
levy_status levy_items_add(levy_items_builder *builder, uint32_t trade, uint32_t set,
                           uint32_t dynamics, const levy_script_view *view, double jump);
/* Adds the item that is 1 if a cash dividend met the floor, under dynamics 0. */
void levy_items_add_floor(levy_items_builder *builder);

#endif
