/* kinds.h: the numbers of the models and the features that they need from the path loop. Plain C11
 * and CUDA: lanes and host read it. */
#ifndef LEVY_MODELS_KINDS_H
#define LEVY_MODELS_KINDS_H

enum {
#define LEVY_MODEL(name, NAME) LEVY_MODEL_##NAME,
#include "models/models.def"
    LEVY_MODEL_COUNT
};

/* The number of the lane code where a model has none of its own. */
#define LEVY_MODEL_NO_LANES 0u

/* Features; the preprocessor compares them. */
#define LEVY_MODEL_STEPS 1u /* the step reads the driver's increment over the interval */
/* paths jump: what is watched at all times has no closed form between two nodes */
#define LEVY_MODEL_JUMPS 2u
/* volatility is random: the same, and today's volatility is not all that moves the asset */
#define LEVY_MODEL_RANDOM 4u
/* the drivers are the model's own: the assets' volatilities and correlations have no part in it */
#define LEVY_MODEL_DRIVEN 16u
/* and they are gamma processes: bridges of beta draws, from words as they are */
#define LEVY_MODEL_GAMMA 32u
/* the model scales the driver's increments, interval by interval: it moves the levels itself */
#define LEVY_MODEL_SCALES 8u
/* an error in proportion to the steps of the grid: results say so */
#define LEVY_MODEL_STEPPED 64u

/* A bit of the first constant: some dynamics add to the scale of all increments
 * (LEVY_MODEL_SCALES).
 */
#define LEVY_MODEL_ADDED 0x80000000u
#define LEVY_MODEL_CONSTANTS 4

/* The least volatility of an asset or a regime: a hundredth of a millionth of the spot in a year.
 * Squares of smaller ones vanish beside those of others, and at last altogether. */
#define LEVY_LEAST_VOLATILITY 1e-8

#endif
