/* kinds.h: the numbers of the models and the features that they need from the path loop. Plain C11
 * and CUDA: lanes and host read it. */
#ifndef LEVY_MODELS_KINDS_H
#define LEVY_MODELS_KINDS_H

enum {
#define LEVY_MODEL(name, NAME) LEVY_MODEL_##NAME,
#include "models/models.def"
    LEVY_MODEL_COUNT
};

/* What the image calls its model: the number of the lane code that moves the levels, and a bit if
 * arrivals (arrivals.h) are added to it. The preprocessor reads them, so they are macros. */
#define LEVY_MODEL_NO_LANES 0u
#define LEVY_MODEL_LANES_MASK 255u
#define LEVY_MODEL_ARRIVALS 256u

/* The parts of a model, each with its own numbers in the image. */
enum { LEVY_PART_DIFFUSION, LEVY_PART_ARRIVALS, LEVY_PARTS };

/* Features. The preprocessor compares them, so they are macros. */
#define LEVY_MODEL_STEPS 1u /* the step reads the driver's increment over the interval */
/* paths jump: between two nodes there is no closed form for what is watched at all times */
#define LEVY_MODEL_JUMPS 2u
/* volatility is random: no closed form either, and more than today's volatility moves the asset */
#define LEVY_MODEL_RANDOM 4u
/* the drivers are the model's own: it does not use the assets' volatilities and correlations */
#define LEVY_MODEL_DRIVEN 16u
/* the drivers are gamma processes: bridges of beta draws, made from plain words */
#define LEVY_MODEL_GAMMA 32u
/* the model scales the driver's increments in each interval, so it moves the levels itself */
#define LEVY_MODEL_SCALES 8u
/* prices have an error in proportion to the grid's steps, and results say so */
#define LEVY_MODEL_STEPPED 64u
/* with LEVY_MODEL_DRIVEN: one driver moves all assets, together as the model says */
#define LEVY_MODEL_SHARED 128u
/* The returns are linear in the drivers, but by how much differs from path to path. The lanes say
 * by how much the normal that payoffs integrate over moves them (model_lanes.h: slopes). */
#define LEVY_MODEL_SLOPES 256u

/* A bit of the diffusion's first constant: some dynamics add to the scale of all increments
 * (LEVY_MODEL_SCALES). */
#define LEVY_MODEL_ADDED 0x80000000u
/* Another: items see the variances and their integrals (model_lanes.h: variances), which a path
 * then carries. */
#define LEVY_MODEL_VARIES 0x40000000u
/* Another, beside it: in the integrals' place a path carries its own discount factor until a date.
 * The items take it at each payment, and are not discounted when they settle. */
#define LEVY_MODEL_DISCOUNTS 0x10000000u
/* Another, with one driver beside each asset's: the first factors move an asset and its own driver
 * in proportion. The last ones, as many as assets, move the own drivers alone, turned by the first
 * reals of the diffusion, a matrix whose rows fill up fours. */
#define LEVY_MODEL_LED 0x20000000u
/* Another, with one driver beside each asset's: some asset is paid in another currency, which moves
 * both drivers (levy_model_interval.paid). */
#define LEVY_MODEL_PAID 0x10000000u
#define LEVY_MODEL_CONSTANTS 4
/* where in an interval's row the factors of the own drivers begin (image.h) */
#define LEVY_OWN_FIRST 4
/* the most counts of events that a plan carries, and the most marks that hang on them */
#define LEVY_MAX_COUNTS 128
/* the most numbers of jumps that the dynamics of a plan move, and from which bit on the fourth
 * constant of arrivals says how many it is */
#define LEVY_MAX_MOVES 400
#define LEVY_ARRIVALS_MOVES 8

/* A model that looks ahead on a GPU has room for what happens at so many nodes, however much that
 * is, and looks at so many at most. */
#define LEVY_LOOK_NEAR 8
#define LEVY_LOOK_FAR 64

/* The least volatility of an asset or a regime: 1e-8 of the spot in a year. The square of a smaller
 * one is lost beside the squares of others, and in the end underflows. */
#define LEVY_LEAST_VOLATILITY 1e-8

#endif
