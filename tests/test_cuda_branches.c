/* test_cuda_branches.c: blocks that a GPU merges to branches of the summation tree give the bits of
 * blocks that the host merges: the kernel's own code, compiled as C++ and run on the host, and
 * whole runs over the fake driver, where replicates end inside branches, blocks are known before,
 * powers are wanted and memory is short. */
#include "tests/cmocka_all.h"

#include "engine/run/run_tree.h"
#include "tests/emulated.h"
#include "tests/fake_backend.h"
#include "tests/fixture.h"
#include "tests/planned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int reset_fake(void **state)
{
    (void)state;
    fake_cuda_reset();
    return 0;
}

/* A block's sums, of all digits, by its place alone. */
static levy_block_sum block_numbers(uint64_t replicate, uint64_t place, uint32_t output)
{
    uint64_t x = (replicate * 1000003 + place) * 8 + output + 1;
    x = (x ^ x >> 31) * 0x7fb5d329728ea185u;
    x = (x ^ x >> 27) * 0x81dadef4bc2dd44du;
    x ^= x >> 33;
    const double mean = (double)(x >> 11) * 0x1p-53;
    return (levy_block_sum){mean, 1000.0 + mean * mean};
}

/* ---- The tree by its definition -------------------------------------------------------------- */

typedef struct replicate_blocks {
    uint64_t paths, replicate;
    uint32_t output;
    double constant;
} replicate_blocks;

static tree_sum leaf(const replicate_blocks *r, uint64_t place)
{
    const uint64_t left = r->paths - place * LEVY_BLOCK_PATHS;
    const levy_block_sum sum = block_numbers(r->replicate, place, r->output);
    return (tree_sum){(double)(left < LEVY_BLOCK_PATHS ? left : LEVY_BLOCK_PATHS),
                      sum.mean + r->constant, sum.m2};
}

/* n blocks from a place on: the largest power of two below n, and the rest. */
static tree_sum tree_of(const replicate_blocks *r, uint64_t place, uint64_t n)
{
    uint64_t power = 1;
    if (n == 1) return leaf(r, place);
    while (2 * power < n) power *= 2;
    return tree_merge(tree_of(r, place, power), tree_of(r, place + power, n - power));
}

/* The same blocks in another order: one after the other. */
static tree_sum chain_of(const replicate_blocks *r, uint64_t n)
{
    tree_sum sum = leaf(r, 0);
    for (uint64_t i = 1; i < n; ++i) sum = tree_merge(sum, leaf(r, i));
    return sum;
}

static bool is_same(tree_sum a, tree_sum b) { return memcmp(&a, &b, sizeof a) == 0; }

/* ---- The host's counter ---------------------------------------------------------------------- */

/* Branches of any height, also of several in turn, enter the counter at their level; the short last
 * one ends it. */
static void test_the_counter_takes_branches_for_blocks(void **state)
{
    (void)state;
    static const uint64_t counts[] = {1, 2, 3, 7, 8, 9, 63, 64, 65, 1023, 1024, 1025, 3001};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; ++c)
        for (uint32_t height = 0; height <= LEVY_MOST_HEIGHT; ++height) {
            const replicate_blocks r = {counts[c] * LEVY_BLOCK_PATHS - 1000, c, 0, 0.0};
            const uint64_t whole = (uint64_t)1 << height;
            run_tree tree = {.count = 0};
            uint64_t at = 0;
            for (; at + whole <= counts[c]; at += whole) {
                const bool apart = at >> height & 1; /* every other branch as blocks */
                if (!apart) run_tree_add(&tree, tree_of(&r, at, whole), height);
                for (uint64_t i = 0; apart && i < whole; ++i)
                    run_tree_add(&tree, leaf(&r, at + i), 0);
            }
            const tree_sum none = {0.0, 0.0, 0.0},
                           rest = at < counts[c] ? tree_of(&r, at, counts[c] - at) : none;
            assert_true(is_same(run_tree_total(&tree, rest), tree_of(&r, 0, counts[c])));
            assert_true(counts[c] < 63 ||
                        !is_same(chain_of(&r, counts[c]), tree_of(&r, 0, counts[c])));
        }
}

/* ---- The kernel ------------------------------------------------------------------------------ */

enum { OUTPUTS = 3, REPLICATES = 3 };
static const double constants[OUTPUTS] = {0.0, 0.3, -7.1};

typedef struct launch_case {
    uint64_t blocks, missing; /* of a replicate; paths that its last block lacks */
    uint64_t first, n;        /* n 0: all from `first` on */
    uint64_t height;
} launch_case;

/* 1, a power of two and one more or less, with last blocks of a few paths; batches that start with
 * a later branch, begin with another replicate, or end inside one. */
static const launch_case launch_cases[] = {
    {1, 0, 0, 0, 1},        {2, 4095, 0, 0, 1},        {3, 1, 0, 0, 1},
    {7, 1000, 0, 0, 3},     {8, 0, 0, 0, 3},           {9, 4000, 0, 0, 3},
    {9, 4000, 8, 0, 3},     {31, 0, 0, 0, 5},          {33, 3900, 33, 40, 5},
    {129, 17, 128, 140, 7}, {1023, 0, 0, 0, 10},       {1024, 4000, 1024, 0, 10},
    {1025, 3, 0, 0, 10},    {2500, 5, 1024, 2000, 10}, {5, 0, 0, 0, 10}};
enum { LAUNCH_CASES = sizeof launch_cases / sizeof *launch_cases };

static uint64_t case_blocks(const launch_case *c)
{
    return c->n ? c->n : c->blocks * REPLICATES - c->first;
}

/* Blocks of the branch that starts with `block`. */
static uint64_t case_size(const launch_case *c, uint64_t block)
{
    const uint64_t end = c->first + case_blocks(c);
    uint64_t n = 1;
    while (n < (uint64_t)1 << c->height && (block + n) % c->blocks != 0 && block + n < end) ++n;
    return n;
}

static void write_case(FILE *f, const launch_case *c)
{
    const uint64_t n = case_blocks(c);
    uint64_t branches = 0;
    for (uint64_t b = c->first; b < c->first + n; b += case_size(c, b)) ++branches;
    const levy_image image = {.blocks = c->blocks};
    assert_int_equal(branches, levy_branches(&image, c->first, n, (uint32_t)c->height));
    const uint64_t head[] = {
        c->blocks * LEVY_BLOCK_PATHS - c->missing, c->blocks, c->first, n, branches, c->height};
    assert_int_equal(fwrite(head, sizeof head, 1, f), 1);
    assert_int_equal(fwrite(constants, sizeof constants, 1, f), 1);
    for (uint64_t b = c->first; b < c->first + n; ++b)
        for (uint32_t o = 0; o < OUTPUTS; ++o) {
            const levy_block_sum sum = block_numbers(b / c->blocks, b % c->blocks, o);
            assert_int_equal(fwrite(&sum, sizeof sum, 1, f), 1);
        }
}

static void check_case(FILE *f, const launch_case *c)
{
    const uint64_t end = c->first + case_blocks(c);
    for (uint64_t b = c->first; b < end; b += case_size(c, b))
        for (uint32_t o = 0; o < OUTPUTS; ++o) {
            const replicate_blocks r = {c->blocks * LEVY_BLOCK_PATHS - c->missing, b / c->blocks, o,
                                        constants[o]};
            const tree_sum want = tree_of(&r, b % c->blocks, case_size(c, b));
            levy_block_sum got;
            assert_int_equal(fread(&got, sizeof got, 1, f), 1);
            if (want.mean != got.mean || want.m2 != got.m2)
                print_error("%d blocks, block %d: %a %a for %a %a\n", (int)c->blocks, (int)b,
                            got.mean, got.m2, want.mean, want.m2);
            assert_memory_equal(&got.mean, &want.mean, sizeof want.mean);
            assert_memory_equal(&got.m2, &want.m2, sizeof want.m2);
        }
}

static void test_the_kernel_merges_as_the_tree_does(void **state)
{
    (void)state;
    emulated_skip_without_compiler();
    FILE *f = emulated_open("shape.h", "w");
    fprintf(f, "#define PATH_outputs %d\n", (int)OUTPUTS);
    assert_int_equal(fclose(f), 0);
    f = emulated_open("input", "wb");
    for (size_t i = 0; i < LAUNCH_CASES; ++i) write_case(f, &launch_cases[i]);
    assert_int_equal(fclose(f), 0);
    emulated_run("branches_host.cpp", true);
    f = emulated_open("output", "rb");
    for (size_t i = 0; i < LAUNCH_CASES; ++i) check_case(f, &launch_cases[i]);
    assert_int_equal(fgetc(f), EOF);
    fclose(f);
}

/* ---- Runs over the fake driver --------------------------------------------------------------- */

static levy_status simulate_numbers(const levy_image *image, const levy_batch *batch,
                                    levy_block_sum *sums)
{
    for (uint64_t i = 0; i < batch->n_blocks; ++i) {
        const uint64_t block = batch->first_block + i;
        for (uint32_t o = 0; o < batch->tile.n_outputs; ++o)
            *sums++ = block_numbers(block / image->blocks, block % image->blocks,
                                    batch->tile.first_output + o);
    }
    return LEVY_OK;
}

enum { MOST_SUMS = 1 << 13, BY_BLOCK = 31 /* batches that the host merges */ };

typedef struct run_case {
    uint64_t paths;
    uint32_t replicates;
    bool measured; /* with a delta, whose probes see a part of the blocks */
    bool staged;   /* words are made before, for a batch of one replicate */
} run_case;

static void make_plan(planned *p, const run_case *c)
{
    static fixture f;
    fixture_market(&f, 1, 0.0);
    fixture_trade(&f, LEVY_PAYOFF_ASIAN, c->staged ? 1 : 4, 100.0);
    if (c->staged) f.problem.simulation.supply = LEVY_SUPPLY_NATIVE;
    f.problem.simulation.paths = c->paths * c->replicates;
    f.problem.simulation.replicates = c->replicates;
    if (c->replicates == 1) f.problem.simulation.generator = LEVY_GENERATOR_PHILOX;
    if (c->measured) f.problem.simulation.measures |= LEVY_MEASURE_DELTA;
    plan(p, &f);
    assert_int_equal(p->status, LEVY_OK);
    assert_true(p->plan->image->n_outputs * c->replicates <= MOST_SUMS);
    /* no output of this plan has one, so each gets one */
    levy_image_output *const outputs =
        (levy_image_output *)((char *)p->plan->image + p->plan->image->outputs);
    for (uint32_t o = 0; o < p->plan->image->n_outputs; ++o) outputs[o].constant = 0.1 + o;
}

static size_t memory_left; /* of the device, once it is open; 0: all */

static levy_status run_plan(const planned *p, const levy_run_options *run, tree_sum *sums)
{
    static char why[LEVY_REASON_SIZE];
    void *opened = NULL;
    levy_run_times times;
    const levy_backend_options options = {
        .memory = &levy_memory_default, .device = -1, .no_cache = true};
    fake.simulate = simulate_numbers;
    fake.launches = fake.merges = 0;
    assert_int_equal(fake_backend.open(&options, &opened, why), LEVY_OK);
    if (memory_left) fake.free_memory = memory_left;
    const levy_status status =
        levy_run_plan(&levy_memory_default, &fake_backend, opened, p->plan, run, sums, &times, why);
    fake_backend.close(opened);
    return status;
}

static void run_by(const planned *p, uint64_t batch_blocks, tree_sum *sums)
{
    const levy_run_options run = {.batch_blocks = batch_blocks};
    assert_int_equal(run_plan(p, &run, sums), LEVY_OK);
}

static size_t sums_size(const planned *p)
{
    return p->plan->image->n_outputs * p->plan->image->n_replicates * sizeof(tree_sum);
}

/* Replicates of a power of two, of one block more or less, of a few blocks and of many. */
static void test_merged_batches_give_the_bits_of_blocks(void **state)
{
    (void)state;
    static tree_sum want[MOST_SUMS], got[MOST_SUMS];
    static const run_case cases[] = {{512 * LEVY_BLOCK_PATHS, 2, false, false},
                                     {1023 * LEVY_BLOCK_PATHS, 3, false, false},
                                     {1024 * LEVY_BLOCK_PATHS, 3, false, false},
                                     {1024 * LEVY_BLOCK_PATHS + 1, 3, false, false},
                                     {7 * LEVY_BLOCK_PATHS - 9, 300, false, false},
                                     {20000 * LEVY_BLOCK_PATHS - 4000, 1, true, false},
                                     {3000 * LEVY_BLOCK_PATHS - 100, 4, true, false},
                                     {700 * LEVY_BLOCK_PATHS - 100, 2, false, true}};
    static const uint64_t batches[] = {0, 512, 1000, 5000, 1 << 20};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        planned p;
        make_plan(&p, &cases[c]);
        run_by(&p, BY_BLOCK, want);
        assert_int_equal(fake.merges, 0);
        const replicate_blocks first = {p.plan->image->paths, 0, 0, 0.1};
        assert_true(is_same(want[0], tree_of(&first, 0, p.plan->image->blocks)));
        for (size_t b = 0; b < sizeof batches / sizeof *batches; ++b) {
            memset(got, 0xa5, sizeof got);
            run_by(&p, batches[b], got);
            assert_true(fake.merges > 0);
            assert_memory_equal(got, want, sums_size(&p));
        }
        unplan(&p);
    }
}

/* Blocks that are known move the start of what is left, and so what branches start there. */
static void test_known_blocks_stand_before_branches(void **state)
{
    (void)state;
    static tree_sum known[MOST_SUMS], want[MOST_SUMS], got[MOST_SUMS];
    static const uint64_t counts[] = {1, 64, 512, 1024, 4096};
    const run_case whole = {5000 * LEVY_BLOCK_PATHS - 7, 2, false, false};
    planned p, before;
    make_plan(&p, &whole);
    run_by(&p, BY_BLOCK, want);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
        const run_case part = {counts[i] * LEVY_BLOCK_PATHS, 2, false, false};
        make_plan(&before, &part);
        run_by(&before, 0, known);
        const levy_run_options run = {.known_blocks = counts[i], .known = known};
        assert_int_equal(run_plan(&p, &run, got), LEVY_OK);
        assert_true((fake.merges > 0) == (counts[i] >= 64)); /* at 1 no branch starts */
        assert_memory_equal(got, want, sums_size(&p));
        unplan(&before);
    }
    unplan(&p);
}

static void test_powers_see_every_block(void **state)
{
    (void)state;
    enum { POWERS = 11 };
    static tree_sum want[MOST_SUMS], got[MOST_SUMS], powers[POWERS * MOST_SUMS];
    const run_case c = {1024 * LEVY_BLOCK_PATHS, 2, false, false};
    const levy_run_options run = {.powers = powers, .n_powers = POWERS};
    planned p;
    make_plan(&p, &c);
    run_by(&p, 0, want);
    assert_true(fake.merges > 0);
    assert_int_equal(run_plan(&p, &run, got), LEVY_OK);
    assert_int_equal(fake.merges, 0);
    assert_memory_equal(got, want, sums_size(&p));
    for (uint32_t k = 0; k < POWERS; ++k) {
        const replicate_blocks r = {c.paths, 1, 0, 0.1};
        assert_true(is_same(powers[POWERS + k], tree_of(&r, 0, (uint64_t)1 << k)));
    }
    unplan(&p);
}

/* Memory for less than a branch is asked for one all the same; what fails is tried with half a
 * piece, but never with half a branch. */
static void test_short_memory_cuts_no_branch(void **state)
{
    (void)state;
    static tree_sum want[MOST_SUMS], got[MOST_SUMS];
    const run_case c = {20000 * LEVY_BLOCK_PATHS - 7, 2, false, false};
    const levy_run_options run = {.batch_blocks = 0};
    planned p;
    make_plan(&p, &c);
    run_by(&p, BY_BLOCK, want);
    memory_left = (size_t)p.plan->image->bytes + (240 << 10); /* of it 136 for normals */
    run_by(&p, 0, got);
    memory_left = 0;
    assert_memory_equal(got, want, sums_size(&p));
    assert_int_equal(fake.largest_launch, 1024);
    for (long times = 1; times < 20; ++times) {
        fake_cuda_reset();
        fake.fail_member = "launch";
        fake.fail_at = 4; /* the merge of the second piece; then the paths of each try */
        fake.fail_times = times;
        fake.fail_code = 2;
        const levy_status status = run_plan(&p, &run, got);
        if (status == LEVY_OK) assert_memory_equal(got, want, sums_size(&p));
        /* 40,000 blocks, halved to 20,000, 10,000, 5,000, 2,500, 1,250 and a branch */
        assert_int_equal(status, times <= 6 ? LEVY_OK : LEVY_MEMORY);
        assert_int_equal(fake.misuse, 0);
    }
    unplan(&p);
}

/* The host's share: sums of 1,024 blocks come as one. */
static void test_the_host_gets_one_sum_of_a_branch(void **state)
{
    (void)state;
    static tree_sum sums[MOST_SUMS];
    const run_case c = {(uint64_t)(1 << 16) * LEVY_BLOCK_PATHS, 1, false, false};
    planned p;
    make_plan(&p, &c);
    run_by(&p, 0, sums);
    assert_int_equal(fake.merges, fake.launches);
    assert_true(fake.copied_to_host <= (1 << 16 >> LEVY_MOST_HEIGHT) * sizeof(levy_block_sum));
    unplan(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_counter_takes_branches_for_blocks),
        cmocka_unit_test(test_the_kernel_merges_as_the_tree_does),
        cmocka_unit_test_setup_teardown(test_merged_batches_give_the_bits_of_blocks, reset_fake,
                                        fake_check_closed),
        cmocka_unit_test_setup_teardown(test_known_blocks_stand_before_branches, reset_fake,
                                        fake_check_closed),
        cmocka_unit_test_setup_teardown(test_powers_see_every_block, reset_fake, fake_check_closed),
        cmocka_unit_test_setup_teardown(test_short_memory_cuts_no_branch, reset_fake,
                                        fake_check_closed),
        cmocka_unit_test_setup_teardown(test_the_host_gets_one_sum_of_a_branch, reset_fake,
                                        fake_check_closed)};
    return cmocka_run_group_tests(tests, emulated_set_up, emulated_tear_down);
}
