/* test_net_arrays.c: digital nets in levy_normals_* and levy_paths_*: Joe and Kuo's numbers from a
 * file, and Sobol's as columns, give the words of the Sobol generators; what is refused. */
#include "tests/net_files.h"

enum { SOME_DIMENSIONS = 7, SOME_POINTS = 1 << 9 };

static void make_words(levy_normals_spec spec, uint32_t *words, uint64_t *most)
{
    levy_normals *normals;
    spec.struct_size = sizeof spec;
    spec.output = LEVY_NORMALS_WORD;
    spec.seed = 5;
    spec.replicate = 3;
    spec.n_dimensions = spec.n_dimensions ? spec.n_dimensions : SOME_DIMENSIONS;
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_OK);
    *most = levy_normals_info(normals)->most_points;
    if (spec.generator == LEVY_NORMALS_NET)
        assert_string_equal(levy_normals_info(normals)->generator, "net");
    assert_int_equal(levy_normals_generate(normals, 0, SOME_POINTS, words, 0, NULL),
                     LEVY_STATUS_OK);
    assert_int_equal(levy_normals_generate(normals, *most - 1, 2, words, 0, NULL),
                     LEVY_STATUS_ARGUMENT);
    levy_normals_destroy(normals);
}

/* Sobol's numbers as a file and as columns, against the Sobol generators and by hand. */
static void test_net_makes_the_words_of_arrays(void **state)
{
    static uint32_t wanted[SOME_DIMENSIONS * SOME_POINTS], words[SOME_DIMENSIONS * SOME_POINTS],
        columns[SOME_DIMENSIONS * 12];
    static const int generators[] = {LEVY_NORMALS_SOBOL_SCRAMBLED, -1, LEVY_NORMALS_SOBOL};
    uint32_t *const numbers = sobol_numbers(SOME_DIMENSIONS);
    uint64_t most;
    (void)state;
    for (size_t i = 0; i < SOME_DIMENSIONS * 12; ++i) columns[i] = numbers[i / 12 * 32 + i % 12];
    for (int scrambling = LEVY_NET_SCRAMBLED; scrambling <= LEVY_NET_PLAIN; ++scrambling) {
        const levy_net_spec file = {
            .struct_size = sizeof file, .file = "sobol.txt", .scrambling = scrambling};
        const levy_net_spec matrices = {.struct_size = sizeof matrices,
                                        .columns = columns,
                                        .n_dimensions = SOME_DIMENSIONS,
                                        .n_columns = 12,
                                        .scrambling = scrambling};
        if (scrambling != LEVY_NET_SHIFTED)
            make_words((levy_normals_spec){.generator = generators[scrambling]}, wanted, &most);
        for (uint32_t d = 0; scrambling == LEVY_NET_SHIFTED && d < SOME_DIMENSIONS; ++d) {
            uint32_t own[32], shift;
            memcpy(own, numbers + 32 * d, sizeof own);
            levy_sobol_scramble(levy_points_key(5, 3, LEVY_PURPOSE_PRICE), d, own, &shift);
            for (uint32_t i = 0; i < SOME_POINTS; ++i)
                wanted[d * SOME_POINTS + i] = word_of(numbers + 32 * d, shift, i);
        }
        make_words((levy_normals_spec){.generator = LEVY_NORMALS_NET, .net = &file}, words, &most);
        assert_true(most == (uint64_t)1 << 32);
        assert_memory_equal(words, wanted, sizeof words);
        memset(words, 0, sizeof words);
        make_words((levy_normals_spec){.generator = LEVY_NORMALS_NET, .net = &matrices}, words,
                   &most);
        assert_true(most == 1 << 12);
        assert_memory_equal(words, wanted, sizeof words);
    }
    free(numbers);
}

/* Paths of a net of Sobol's numbers are those of Sobol points. */
static void test_net_makes_paths(void **state)
{
    static double wanted[4 * 64], made[4 * 64];
    const double times[] = {0.0, 0.25, 0.5, 0.75, 1.0};
    const levy_net_spec net = {.struct_size = sizeof net, .file = "sobol.txt"};
    const levy_bridge_spec bridge = {.struct_size = sizeof bridge, .times = times, .n_steps = 4};
    (void)state;
    for (int i = 0; i < 2; ++i) {
        levy_paths *paths;
        const levy_paths_spec spec = {.struct_size = sizeof spec,
                                      .bridge = &bridge,
                                      .generator =
                                          i ? LEVY_NORMALS_NET : LEVY_NORMALS_SOBOL_SCRAMBLED,
                                      .seed = 9,
                                      .net = i ? &net : NULL};
        assert_int_equal(levy_paths_create(context, &spec, &paths), LEVY_STATUS_OK);
        assert_int_equal(levy_paths_generate(paths, 0, 64, i ? made : wanted, 0, NULL),
                         LEVY_STATUS_OK);
        levy_paths_destroy(paths);
    }
    assert_memory_equal(made, wanted, sizeof made);
}

static void refuse_net(int generator, const levy_net_spec *net, uint32_t n_dimensions,
                       const char *member)
{
    levy_normals *normals = (levy_normals *)&member;
    const levy_normals_spec spec = {.struct_size = sizeof spec,
                                    .generator = generator,
                                    .n_dimensions = n_dimensions,
                                    .net = net};
    assert_int_equal(levy_normals_create(context, &spec, &normals), LEVY_STATUS_ARGUMENT);
    assert_null(normals);
    assert_int_equal(levy_diagnostic_count(context), 1);
    assert_string_equal(levy_diagnostic_get(context, 0)->path, member);
}

static void test_net_specifications_are_checked(void **state)
{
    const uint32_t columns[2] = {1u << 31, 1u << 30};
    levy_net_spec net = {.struct_size = sizeof net, .columns = columns};
    (void)state;
    net.n_dimensions = 1, net.n_columns = 2;
    refuse_net(LEVY_NORMALS_SOBOL, &net, 1, "net");
    refuse_net(LEVY_NORMALS_NET, NULL, 1, "net");
    refuse_net(LEVY_NORMALS_NET, &net, 2, "n_dimensions");
    net.scrambling = 3;
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.scrambling");
    net.scrambling = LEVY_NET_PLAIN, net.n_columns = 33;
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.n_columns");
    net.n_columns = 0;
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.n_columns");
    net.n_columns = 2, net.n_dimensions = 0;
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.n_dimensions");
    net.n_dimensions = 65537;
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.n_dimensions");
    net.file = "sobol.txt";
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.file");
    net.file = NULL, net.columns = NULL;
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.file");
    net.file = "nowhere.txt";
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.file");
    net.file = ".";
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.file");
    net.file = LEVY_SOURCE_DIR "/tests/bad_configs/files/bad_net.txt";
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.file");
    assert_non_null(strstr(levy_diagnostic_get(context, 0)->message,
                           "bad_net.txt:5:6: not a whole number: 'x'"));
    net.struct_size = 1;
    refuse_net(LEVY_NORMALS_NET, &net, 1, "net.struct_size");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_net_makes_the_words_of_arrays),
        cmocka_unit_test(test_net_makes_paths),
        cmocka_unit_test(test_net_specifications_are_checked),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
