/* normals_launch.c: see normals_launch.h. Normals are a loaded module with one kernel, and, of
 * Sobol points and of mrg32k3a, their numbers in the GPU's memory. */
#include "kernels/cuda/device/normals_launch.h"
#include "kernels/cuda/device/standalone.h"

#include "engine/levy.h"
#include "kernels/cuda/compile/normal_table.h"
#include "kernels/lane/normal_rows.h"
#include "kernels/points/points.h"

#include <stdio.h>
#include <string.h>

enum {
    NORMALS_MOST_BLOCKS = 0x7fffffff, /* of a grid, in x */
    NORMALS_MOST_ROWS = 0xffff,       /* in y */
    NORMALS_ROUNDS = 8,               /* Sobol: registers of points of a thread, at least */
    NORMALS_MOST_ROUNDS = 64,         /* at most */
    NORMALS_BLOCKS_LEFT = 64,         /* of a processor, where a thread has more than the least */
    NORMALS_BLOCKS_EACH = 32,         /* blocks of a processor that do several pieces */
    NORMALS_BLOCKS_FEW = 8,           /* the same for blocks that have a multiprocessor to
                                       * themselves */
    NORMALS_THREADS = 256,            /* of a block */
    NORMALS_LARGE = 512,              /* where a processor has one block, for its table's sake */
    NORMALS_OCTAVES = 10,             /* of the table in double; one word in 1,024 wants others */
    NORMALS_BYTES = 16                /* that a thread stores together */
};

typedef struct cuda_normals {
    levy_cuda_object object; /* data: levy_normals_data_write */
    levy_normals_shape shape;
    void *function;
} cuda_normals;

static uint32_t normals_lanes(const levy_normals_tables *t)
{
    return NORMALS_BYTES / levy_normals_number_bytes(t);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

static bool normals_is_exact(const levy_normals_tables *t)
{
    return !t->single && t->output == LEVY_NORMALS_NORMAL;
}

static uint32_t normals_rows_bytes(uint32_t copied, uint32_t alone)
{
    return 128 + LEVY_NORMAL_OCTAVE * (512 * copied + 64 * alone);
}

uint32_t levy_normals_rows_choose(const levy_normals_tables *t, uint32_t room,
                                  levy_normals_shape *s)
{
    uint32_t copied = NORMALS_OCTAVES, alone = 0;
    s->copied = s->alone = 0;
    if (!normals_is_exact(t)) return 0;
    while (copied > 0 && normals_rows_bytes(copied, alone) > room) --copied, ++alone;
    while (alone > 0 && normals_rows_bytes(copied, alone) > room) --alone;
    s->copied = LEVY_NORMAL_OCTAVE * copied;
    s->alone = LEVY_NORMAL_OCTAVE * alone;
    return normals_rows_bytes(copied, alone);
}

void levy_normals_shape_choose(const levy_normals_tables *t, uint32_t shared_limit,
                               levy_normals_shape *s)
{
    s->threads = normals_is_exact(t) ? NORMALS_LARGE : NORMALS_THREADS;
    s->shared_bytes = levy_normals_rows_choose(t, shared_limit, s);
}

void levy_normals_shape_write(const levy_normals_tables *t, const levy_normals_shape *s, char *text,
                              size_t size)
{
    snprintf(text, size,
             "#define NORMALS_KERNELS\n#define NORMALS_GENERATOR %d\n#define NORMALS_OUTPUT %d\n"
             "#define NORMALS_BLOCK %u\n#define NORMALS_COPIED %u\n#define NORMALS_ALONE %u\n"
             "#define LEVY_LANES %u\n%s",
             (int)t->generator, (int)t->output, (unsigned)s->threads, (unsigned)s->copied,
             (unsigned)s->alone, (unsigned)normals_lanes(t),
             levy_normals_number_bytes(t) == 4 ? "#define LANE_SINGLE\n" : "");
}

static levy_status normals_write(void *object, levy_kernel *kernel, char *why)
{
    static const char *const generators[] = {"Sobol", "Philox", "mrg32k3a", "given words"},
                             *const outputs[] = {"normals", "uniforms", "words"};
    const cuda_normals *const n = object;
    const levy_normals_tables *const t = n->object.tables;
    (void)why;
    levy_normals_shape_write(t, &n->shape, kernel->text, sizeof kernel->text);
    kernel->single = levy_normals_number_bytes(t) == 4;
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s %s, %s of %s",
             n->object.device->source.target.architecture, kernel->single ? "single" : "double",
             outputs[t->output], generators[t->generator]);
    return LEVY_OK;
}

uint32_t levy_normals_table_bytes(const levy_normals_tables *t)
{
    if (t->output != LEVY_NORMALS_NORMAL) return 0;
    return t->single ? LEVY_NORMAL_ROWS * 4 * sizeof(float) : sizeof levy_normal_rows;
}

static size_t normals_words(const levy_normals_tables *t)
{
    if (t->generator == POINTS_SOBOL) return (size_t)t->count * LEVY_NORMALS_COLUMN;
    if (t->generator == POINTS_GIVEN_WORDS) return t->count;
    return t->generator == POINTS_MRG ? (size_t)LEVY_NORMALS_POWERS * LEVY_MRG_JUMP : 0;
}

size_t levy_normals_data_bytes(const levy_normals_tables *t)
{
    return levy_normals_table_bytes(t) + normals_words(t) * sizeof(uint32_t);
}

/* If normals are looked up in a table, words are folded (normal.h). Folding is linear, so the
 * columns are folded, too. */
static uint32_t normals_fold(uint32_t word) { return word << 1 ^ (0 - (word >> 31)); }

void levy_normals_data_write(const levy_normals_tables *t, void *data)
{
    const uint32_t table = levy_normals_table_bytes(t);
    uint32_t *const words = (uint32_t *)(void *)((char *)data + table);
    if (normals_is_exact(t))
        memcpy(data, levy_normal_rows, sizeof levy_normal_rows);
    else if (table)
        memcpy(data, levy_normal_table(), table); /* only the rows */
    const uint32_t *const other = t->generator == POINTS_GIVEN_WORDS ? t->shifts : t->jumps;
    const uint32_t *const from = t->generator == POINTS_SOBOL ? t->columns : other;
    if (t->generator == POINTS_PHILOX) return;
    if (from)
        memcpy(words, from, normals_words(t) * sizeof *words);
    else
        memset(words, 0, normals_words(t) * sizeof *words);
    for (size_t i = 0; table && t->generator == POINTS_SOBOL && i < normals_words(t); ++i)
        words[i] = normals_fold(words[i]);
}

static void normals_data(const void *object, void *bytes)
{
    levy_normals_data_write(((const levy_cuda_object *)object)->tables, bytes);
}

static levy_status normals_load(void *object, const levy_kernel *kernel, char *why)
{
    static const char *const names[] = {"levy_normals"};
    cuda_normals *const n = object;
    const size_t bytes = levy_normals_data_bytes(n->object.tables);
    LEVY_TRY(levy_standalone_load(&n->object, kernel, names, 1, &n->function, why));
    LEVY_TRY(levy_standalone_share(&n->object, n->function, n->shape.shared_bytes, why));
    n->object.made = (levy_kernel_made){.kernel = "16 bytes of a row a thread",
                                        .paths_per_thread = normals_lanes(n->object.tables)};
    levy_standalone_measure(&n->object, n->function, n->shape.threads, n->shape.shared_bytes,
                            kernel);
    return bytes
               ? levy_standalone_fill(&n->object, bytes, "a generator's numbers", normals_data, why)
               : LEVY_OK;
}

static levy_status normals_prepare(void *object, char *why)
{
    cuda_normals *const n = object;
    (void)why;
    levy_normals_shape_choose(n->object.tables, (uint32_t)n->object.device->shared_limit,
                              &n->shape);
    return LEVY_OK;
}

/* ---- Generation ------------------------------------------------------------------------------ */

/* Blocks of points that lie at whole multiples of a block's own number of them (Sobol), or that
 * follow each other from the first point on. */
static uint64_t normals_blocks(const levy_normals_tables *t, const levy_normals_call *call,
                               uint64_t each)
{
    if (t->generator != POINTS_SOBOL) return (call->n_points + each - 1) / each;
    return (call->first + call->n_points - 1) / each - call->first / each + 1;
}

/* Blocks of dimensions. */
static uint32_t normals_rows(const levy_normals_tables *t)
{
    uint32_t rows = t->count;
    if (t->generator == POINTS_PHILOX) rows = (t->first + t->count + 3) / 4 - t->first / 4;
    if (t->generator == POINTS_MRG) rows = 1;
    return rows < NORMALS_MOST_ROWS ? rows : NORMALS_MOST_ROWS;
}

/* From behind the last dimension that is made of a point to the first one of the point `points`
 * further on. */
static void normals_stride(const levy_normals_tables *t, uint64_t points, uint32_t *jump)
{
    uint32_t one[LEVY_MRG_JUMP];
    levy_mrg_one_draw(one);
    levy_mrg_repeat(one, points * t->n_dimensions - t->count, jump);
}

/* Blocks in x, for so many of work and `rows` blocks in y. A block that stages a table does several
 * pieces of work. mrg32k3a's jump from piece to piece. */
static uint64_t normals_width(const levy_normals_tables *t, uint64_t blocks, uint32_t rows,
                              int processors)
{
    const uint32_t each = normals_is_exact(t) ? NORMALS_BLOCKS_FEW : NORMALS_BLOCKS_EACH;
    const uint64_t most = (uint64_t)processors * each / rows;
    if (t->generator != POINTS_MRG && !levy_normals_table_bytes(t)) return blocks;
    if (most == 0) return 1;
    return blocks < most ? blocks : most;
}

/* What a thread adds up before its first point of a row counts less, the more points follow. Blocks
 * that look normals up are few and long anyway. */
static uint32_t normals_rounds(const levy_normals_tables *t, uint64_t units, int processors)
{
    const uint64_t blocks = units * normals_rows(t) / NORMALS_BLOCKS_LEFT / (uint64_t)processors;
    uint32_t rounds = NORMALS_ROUNDS;
    if (levy_normals_table_bytes(t)) return rounds;
    while (2 * rounds <= NORMALS_MOST_ROUNDS && 2 * rounds <= blocks) rounds *= 2;
    return rounds;
}

levy_status levy_normals_launch_write(const levy_normals_tables *t, const levy_normals_shape *s,
                                      const levy_normals_call *call, uint64_t data, int processors,
                                      levy_normals_grid *grid, levy_normals_arguments *a)
{
    const uint32_t size = levy_normals_number_bytes(t), unit = s->threads * normals_lanes(t),
                   table = levy_normals_table_bytes(t);
    const uint64_t skew = t->generator == POINTS_SOBOL ? call->first * size : 0;
    *a = (levy_normals_arguments){.output = (uintptr_t)call->output,
                                  .first = call->first,
                                  .n = call->n_points,
                                  .stride = call->stride,
                                  .key = t->key,
                                  .table = data,
                                  .numbers = data + table,
                                  .dimension = t->first,
                                  .count = t->count,
                                  .rounds = 1};
    a->aligned = ((uintptr_t)call->output | call->stride * size | skew) % NORMALS_BYTES == 0;
    if (t->generator == POINTS_SOBOL && call->n_points >= (uint64_t)NORMALS_ROUNDS * unit)
        a->rounds = normals_rounds(t, call->n_points / unit, processors);
    if (t->generator == POINTS_GIVEN_WORDS) {
        a->words = (uintptr_t)call->words;
        a->chunk = call->chunk;
        a->across = call->chunk * t->n_dimensions;
        a->skip = call->skip;
    }
    grid->y = normals_rows(t);
    const uint64_t blocks =
        normals_width(t, normals_blocks(t, call, (uint64_t)unit * a->rounds), grid->y, processors);
    if (blocks > NORMALS_MOST_BLOCKS) return LEVY_ARGUMENT;
    grid->x = (uint32_t)blocks;
    if (t->generator == POINTS_MRG) {
        memcpy(a->start, t->start, sizeof a->start);
        normals_stride(t, blocks * unit, a->jump);
    }
    return LEVY_OK;
}

static levy_status normals_call(void *object, const void *given, char *why)
{
    cuda_normals *const n = object;
    const levy_normals_call *const call = given;
    levy_normals_grid grid;
    levy_normals_arguments arguments;
    if (levy_normals_launch_write(n->object.tables, &n->shape, call, n->object.data,
                                  n->object.device->sm_count, &grid, &arguments) != LEVY_OK)
        return snprintf(why, LEVY_REASON_SIZE, "too many points for one call"), LEVY_ARGUMENT;
    return levy_standalone_launch(
        &n->object, n->function,
        (levy_standalone_grid){grid.x, grid.y, n->shape.threads, n->shape.shared_bytes},
        call->stream, (void *[]){&arguments}, why);
}

const levy_cuda_kind levy_cuda_normals = {
    .name = "normals",
    .doing = "making normals",
    .kernels = "the normals' kernel",
    .size = sizeof(cuda_normals),
    .prepare = normals_prepare,
    .write = normals_write,
    .load = normals_load,
    .run = normals_call,
};
