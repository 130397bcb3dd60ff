/* make_shapes.c: writes the kernels that the bridge's benchmark holds side by side, as shapes of
 * kernels/cuda/kernels/bridge.cu and as a list VARIANT(shape, problem, single, what it is). Usage:
 * make_shapes > shapes.inc */
#include "bench/bridge/problems.h"

#include <string.h>

enum {
    REG = LEVY_BRIDGE_RING_REGISTERS,
    SMEM = LEVY_BRIDGE_RING_SHARED,
    BULK = LEVY_BRIDGE_RING_BULK
};
enum { CODE = 1, DATA = 0 };

typedef struct candidate {
    const char *name;
    int problem;
    /* [double, single]; paths 0: not in that precision */
    uint32_t paths[2], threads, ahead[2], ring;
    int code, registers, streams;
} candidate;

#define TABLE1(name, paths1, paths2, ahead_, registers_)                                           \
    {                                                                                              \
        name, PROBLEM_PATHS, {paths1, paths2}, 128, {ahead_, ahead_}, REG, DATA, registers_, 1     \
    }
static const candidate candidates[] = {
    /* The paper's Table 1: the same kernel plain, with prefetch, with branches, and with both; then
     * the same with one path a thread. */
    TABLE1("branchless indirection", 2, 4, 0, 0),
    TABLE1("+ prefetch", 2, 4, 8, 0),
    TABLE1("+ branches", 2, 4, 0, 1),
    TABLE1("+ both", 2, 4, 8, 1),
    TABLE1("branchless indirection, 1 path", 1, 1, 0, 0),
    TABLE1("+ prefetch, 1 path", 1, 1, 8, 0),
    TABLE1("+ branches, 1 path", 1, 1, 0, 1),
    TABLE1("+ both, 1 path", 1, 1, 8, 1),
/* what might be faster: */
#define CODE_CASES(problem)                                                                        \
    {"code", problem, {1, 1}, 128, {8, 16}, REG, CODE, 1, 1},                                      \
        {"code", problem, {1, 2}, 128, {16, 8}, REG, CODE, 1, 1},                                  \
        {"code", problem, {2, 2}, 128, {4, 16}, REG, CODE, 1, 1},                                  \
        {"code", problem, {2, 4}, 128, {8, 8}, REG, CODE, 1, 1},                                   \
        {"code", problem, {2, 4}, 128, {8, 8}, SMEM, CODE, 1, 1},                                  \
        {"code", problem, {2, 4}, 128, {8, 8}, BULK, CODE, 1, 1},                                  \
        {"data", problem, {1, 2}, 128, {8, 8}, REG, DATA, 1, 1},                                   \
    {                                                                                              \
        "data", problem, {2, 4}, 128, {8, 8}, SMEM, DATA, 1, 1                                     \
    }
    CODE_CASES(PROBLEM_PATHS),
    CODE_CASES(PROBLEM_INCREMENTS),
    CODE_CASES(PROBLEM_RANDOM),
    {"code", PROBLEM_PATHS, {1, 1}, 128, {32, 32}, REG, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {1, 1}, 128, {64, 64}, REG, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {1, 1}, 256, {16, 32}, REG, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {1, 2}, 64, {16, 16}, REG, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {1, 2}, 256, {8, 16}, REG, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {2, 2}, 128, {16, 32}, REG, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {2, 4}, 128, {2, 4}, REG, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {2, 4}, 64, {8, 8}, REG, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {2, 4}, 256, {8, 8}, REG, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {2, 4}, 128, {16, 16}, SMEM, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {2, 4}, 128, {16, 16}, BULK, CODE, 1, 1},
    {"code", PROBLEM_PATHS, {2, 4}, 256, {8, 8}, BULK, CODE, 1, 1},
    {"code, no hints", PROBLEM_PATHS, {1, 2}, 128, {16, 16}, REG, CODE, 1, 0},
    {"code, no hints", PROBLEM_PATHS, {2, 4}, 128, {8, 8}, REG, CODE, 1, 0},
    {"data", PROBLEM_PATHS, {2, 4}, 128, {16, 16}, SMEM, DATA, 1, 1},
    {"data", PROBLEM_PATHS, {2, 4}, 128, {8, 8}, BULK, DATA, 1, 1},
    {"data", PROBLEM_PATHS, {2, 4}, 128, {16, 16}, BULK, DATA, 1, 1},
    {"code", PROBLEM_DIM4, {1, 1}, 128, {2, 4}, REG, CODE, 1, 1},
    {"code", PROBLEM_DIM4, {1, 1}, 128, {4, 8}, REG, CODE, 1, 1},
    {"code", PROBLEM_DIM4, {0, 2}, 128, {0, 2}, REG, CODE, 1, 1},
    {"code", PROBLEM_DIM4, {0, 2}, 128, {0, 4}, REG, CODE, 1, 1},
    {"code", PROBLEM_DIM4, {2, 4}, 64, {4, 4}, SMEM, CODE, 1, 1},
    {"code", PROBLEM_DIM4, {2, 4}, 64, {4, 4}, BULK, CODE, 1, 1},
    {"code", PROBLEM_DIM4, {1, 2}, 64, {4, 4}, REG, CODE, 1, 1},
    {"data", PROBLEM_DIM4, {1, 1}, 128, {2, 4}, REG, DATA, 1, 1},
    {"data", PROBLEM_DIM4, {1, 2}, 128, {2, 2}, REG, DATA, 1, 1},
    {"data", PROBLEM_DIM4, {2, 4}, 64, {4, 4}, SMEM, DATA, 1, 1},
};

static int n_written;
static char list[1 << 16];

static void write_shape(const levy_bridge_tables *t, const levy_bridge_shape *shape, int problem,
                        const char *what)
{
    static char text[1 << 14];
    char name[32];
    snprintf(name, sizeof name, "shape_%d", n_written);
    if (levy_bridge_shape_struct(t, shape, name, text, sizeof text) != LEVY_OK) exit(1);
    fputs(text, stdout);
    snprintf(list + strlen(list), sizeof list - strlen(list),
             "    VARIANT(%d, %d, %d, %u, %u, %u, %u, %u, %d, %d, %d, %u, \"%s\") \\\n", n_written,
             problem, t->single, (unsigned)shape->paths, (unsigned)shape->threads,
             (unsigned)shape->ahead, (unsigned)shape->ring, (unsigned)shape->stack, shape->unrolled,
             shape->registers, shape->streams,
             (unsigned)levy_bridge_shape_shared(t, shape, shape->paths), what);
    ++n_written;
}

int main(void)
{
    puts("/* Made by make_shapes.c. */");
    for (int single = 1; single >= 0; --single) {
        /* what the library itself takes */
        for (int problem = 0; problem < PROBLEM_COUNT; ++problem) {
            levy_bridge_tables t;
            levy_bridge_shape shape;
            problem_tables(problem, single, 1, &t);
            levy_bridge_shape_choose(&t, 227 << 10, &shape);
            write_shape(&t, &shape, problem, "chosen");
        }
        for (size_t i = 0; i < sizeof candidates / sizeof *candidates; ++i) {
            const candidate *const c = &candidates[i];
            levy_bridge_tables t;
            if (!c->paths[single]) continue;
            problem_tables(c->problem, single, c->registers, &t);
            const levy_bridge_shape shape = {.paths = c->paths[single],
                                             .threads = c->threads,
                                             .ahead = c->ahead[single],
                                             .ring = c->ring,
                                             .stack = c->code ? LEVY_BRIDGE_STACK_REGISTERS
                                                              : LEVY_BRIDGE_STACK_SHARED,
                                             .unrolled = c->code != 0,
                                             .registers = c->registers != 0,
                                             .streams = c->streams != 0};
            write_shape(&t, &shape, c->problem, c->name);
        }
    }
    printf("#define VARIANTS \\\n%s\n", list);
    return 0;
}
