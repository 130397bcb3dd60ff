/* kinds.h: the numbers of the models and what they ask of the path loop. Plain C11 and CUDA: lanes and host read it. */
#ifndef LEVY_MODELS_KINDS_H
#define LEVY_MODELS_KINDS_H

enum {
#define LEVY_MODEL(name, NAME) LEVY_MODEL_##NAME,
#include "models/models.def"
#undef LEVY_MODEL
    LEVY_MODEL_COUNT
};

/* Features; the preprocessor compares them. */
#define LEVY_MODEL_STEPS 1u     /* the step reads the motion's increment over the interval */
#define LEVY_MODEL_JUMPS 2u     /* paths jump: what is watched at all times has no closed form between two nodes */
#define LEVY_MODEL_RANDOM 4u    /* volatility is random: the same, and today's volatility is not all that moves the asset */
#define LEVY_MODEL_DRIVEN 256u  /* the drivers are the model's own: the assets' volatilities and correlations have no part in it */
#define LEVY_MODEL_GAMMA 512u   /* and they are gamma processes: bridges of beta draws, from words as they are */

#define LEVY_MODEL_CONSTANTS 4

#endif
