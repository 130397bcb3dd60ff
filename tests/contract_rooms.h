/* contract_rooms.h: the parts that stand alone as the contract's suite calls them: each is made,
 * called for a range of numbers, and destroyed. */
#ifndef LEVY_TESTS_CONTRACT_ROOMS_H
#define LEVY_TESTS_CONTRACT_ROOMS_H

#include "engine/levy.h"

enum {
    ARRAYS_COUNT = 20001, /* two pieces of a thread's work, the second one short */
    ARRAYS_ROW = ARRAYS_COUNT + 1,
    ARRAYS_INPUTS = 4,
    ARRAYS_ITEMS = 37, /* of each distribution that is drawn from */
    ARRAYS_STATES = 3,
    ARRAYS_DRAWS = 2,      /* of each path */
    ARRAYS_WEIGHTS = 1000, /* of the sampler */
    ARRAYS_STEPS = 7,
    ARRAYS_DIMENSIONS = 2
};

/* Where it is computed. */
typedef struct arrays_place {
    levy_context *context;
    const char *device, *isa;
    uint32_t threads;
} arrays_place;

/* What is computed: `kind` and `way` are the room's own (a generator, a law; what is called). */
typedef struct arrays_case {
    const char *name;
    int kind, way;
    /* of the output: rows of ARRAYS_ROW numbers; 0: `bytes` for all numbers together, 0 at first */
    size_t rows, bytes;
} arrays_case;

/* An array that a call reads. step: from number to number; 0: the whole of it belongs to each. */
typedef struct arrays_input {
    const void *from;
    size_t bytes, step;
} arrays_input;

/* The numbers first to first + count - 1: inputs and output are at the first of them. */
typedef struct arrays_call {
    uint64_t first;
    size_t count;
    const void *inputs[ARRAYS_INPUTS];
    void *output;
} arrays_call;

#define ROOM_CASES(list) .cases = list, .n_cases = sizeof(list) / sizeof *(list)
typedef struct arrays_room {
    const arrays_case *cases;
    size_t n_cases;
    /* the inputs of a case, as the host has them; NULL: none */
    void (*inputs)(const arrays_case *one, arrays_input inputs[ARRAYS_INPUTS]);
    int (*create)(const arrays_place *place, const arrays_case *one, void **made);
    int (*call)(void *made, const arrays_place *place, const arrays_case *one,
                const arrays_call *call);
    void (*destroy)(void *made);
} arrays_room;

void contract_rooms_start(const char *configs); /* fills the inputs of all */
void contract_samplers_start(void);
double contract_uniform(void); /* for inputs */
extern const arrays_room contract_normals, contract_bridge, contract_paths, contract_sampler,
    contract_draws, contract_distributions;

#endif
