/* test_net.c: digital nets from a file: the texts that are read and refused. */
#include "tests/net_case.h"

#include <time.h>

/* ---- Forms ----------------------------------------------------------------------------------- */

static void test_net_of_joe_and_kuo_is_sobol(void **state)
{
    (void)state;
    uint32_t *const numbers = sobol_numbers(LEVY_SOBOL_DIMENSIONS);
    text_out text = {NULL, 0};
    levy_net net;
    put(&text, "d       s       a       m_i\n");
    put_joe_kuo(&text, LEVY_SOBOL_DIMENSIONS);
    assert_reads(&text, LEVY_SOBOL_DIMENSIONS, 32, &net);
    assert_memory_equal(net.numbers, numbers, 32 * sizeof *numbers * LEVY_SOBOL_DIMENSIONS);
    text.length = 0;
    put(&text, "# soboljk\r\n40   # dimensions\r\n#  d  s  a  m\r\n");
    put_joe_kuo(&text, 40);
    assert_reads(&text, 40, 32, &net);
    assert_memory_equal(net.numbers, numbers, 32 * sizeof *numbers * 40);
    free(text.text);
    free(numbers);
}

/* The same matrices with r digits; only the first 32 digits and columns count. */
static void put_matrices(text_out *out, const uint32_t *numbers, uint32_t dimensions,
                         uint32_t columns, uint32_t digits)
{
    for (uint32_t d = 0; d < dimensions; ++d)
        for (uint32_t j = 0; j < columns; ++j) {
            const uint64_t v = j < 32 ? numbers[32 * (size_t)d + j] : 1;
            put(out, "%llu%s",
                (unsigned long long)(digits < 32 ? v >> (32 - digits) : v << (digits - 32)),
                j + 1 < columns ? " " : "\n");
        }
}

static void test_net_reads_matrices_of_any_width(void **state)
{
    static const uint32_t widths[][2] = {{32, 32}, {20, 31}, {16, 16}, {32, 53}, {40, 64}, {1, 1}};
    (void)state;
    uint32_t *const numbers = sobol_numbers(30);
    for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w)
        for (int form = 0; form < 2; ++form) {
            const uint32_t columns = widths[w][0], kept = columns < 32 ? columns : 32;
            text_out text = {NULL, 0};
            levy_net net;
            if (columns == 1) continue; /* a header and such matrices look alike */
            if (form == 0) put(&text, "# net\n30 # s\n%u\n%u # r\n\n", columns, widths[w][1]);
            if (form == 1) put(&text, "# dnet\n2\n30\n%llu\n%u\n", 1ull << columns, widths[w][1]);
            put_matrices(&text, numbers, 30, columns, widths[w][1]);
            assert_reads(&text, 30, kept, &net);
            for (size_t i = 0; i < (size_t)30 * 32; ++i) {
                const uint32_t cut = widths[w][1] < 32 ? ~(~0u >> widths[w][1]) : ~0u;
                assert_int_equal(net.numbers[i], i % 32 < kept ? numbers[i] & cut : 0);
            }
            free(text.text);
        }
    free(numbers);
}

static void test_net_hash_tells_nets_apart(void **state)
{
    static const char *const texts[] = {"2\n2\n2\n2 1\n2 3\n", "2\n2\n2\n2 1\n2 1\n",
                                        "1\n2\n2\n2 1\n", "1\n3\n3\n4 2 0\n"};
    enum { N = sizeof texts / sizeof *texts };
    uint64_t hashes[N];
    (void)state;
    for (size_t i = 0; i < N; ++i) {
        levy_net net;
        levy_net_fault fault;
        assert_int_equal(levy_net_read(&arena, texts[i], strlen(texts[i]), &net, &fault), LEVY_OK);
        hashes[i] = net.hash;
        for (size_t j = 0; j < i; ++j) assert_true(hashes[i] != hashes[j]);
    }
}

static void test_net_of_ten_thousand_dimensions_reads_fast(void **state)
{
    text_out text = {NULL, 0};
    levy_net net;
    uint32_t *const numbers = sobol_numbers(10000);
    (void)state;
    put(&text, "10000\n32\n32\n");
    put_matrices(&text, numbers, 10000, 32, 32);
    const clock_t start = clock(); /* the processor's, which other work does not lengthen */
    assert_reads(&text, 10000, 32, &net);
    const double seconds = (double)(clock() - start) / (double)CLOCKS_PER_SEC;
    print_message("10,000 dimensions of 32 columns, %zu bytes: %.4f s\n", text.length, seconds);
    assert_true(seconds < 1.0);
    free(text.text);
    free(numbers);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

typedef struct refused_text {
    const char *text;
    levy_reason reason;
    size_t line, column;
    const char *message;
} refused_text;

static const refused_text refused[] = {
    {"", LEVY_REASON_MISSING_KEY, 1, 1, "the text has no numbers"},
    {"# nothing\n\n", LEVY_REASON_MISSING_KEY, 2, 1, "the text has no numbers"},
    {"Explicit // method\n", LEVY_REASON_TYPE, 1, 1, "not a whole number: 'Explicit'"},
    {"2\n2\n2\n2 1\n2 -1\n", LEVY_REASON_TYPE, 5, 3, "not a whole number: '-1'"},
    {"2\n2\n2\n2 1\n2 1.5\n", LEVY_REASON_TYPE, 5, 3, "not a whole number: '1.5'"},
    {"2\n2\n2\n2 1\n2 0x3\n", LEVY_REASON_TYPE, 5, 3, "not a whole number: '0x3'"},
    {"2\n2\n2\n2 1\n2 \xc3\xa4\n", LEVY_REASON_TYPE, 5, 3, "not text: the byte 0xC3"},
    {"\xff\xfe"
     "2",
     LEVY_REASON_TYPE, 1, 1, "not text: the byte 0xFF"},
    {"2\n 2\x01\n", LEVY_REASON_TYPE, 2, 3, "not text: the byte 0x01"},
    {"1\n2\n64\n2 18446744073709551616\n", LEVY_REASON_RANGE, 4, 3,
     "the number is larger than 2^64 - 1"},
    {"2\n2\n2\n2 1\n", LEVY_REASON_INCONSISTENT, 4, 1, "the text ends after 1 of 2 dimensions"},
    {"2\n2\n2\n", LEVY_REASON_INCONSISTENT, 3, 1, "the text ends after 0 of 2 dimensions"},
    {"1\n2\n2\n2 1\n1 3\n", LEVY_REASON_INCONSISTENT, 5, 1,
     "a line after the last of the 1 dimensions"},
    {"2\n3\n3\n4 2 1\n4 6\n", LEVY_REASON_INCONSISTENT, 5, 3,
     "a matrix of 2 columns where the header announces 3"},
    {"2\n3\n3\n4 2 1\n4 6 1 1\n", LEVY_REASON_INCONSISTENT, 5, 7,
     "a matrix of 4 columns where the header announces 3"},
    {"1\n2\n2\n2 4\n", LEVY_REASON_RANGE, 4, 3, "column 2 has more than 2 digits: 4"},
    {"0\n2\n2\n2 1\n", LEVY_REASON_LIMIT, 1, 1,
     "the number of dimensions must be from 1 to 65536; got 0"},
    {"65537\n2\n2\n2 1\n", LEVY_REASON_LIMIT, 1, 1,
     "the number of dimensions must be from 1 to 65536; got 65537"},
    {"1\n65\n2\n2 1\n", LEVY_REASON_LIMIT, 2, 1,
     "the number of columns must be from 1 to 64; got 65"},
    {"1\n2\n65\n2 1\n", LEVY_REASON_LIMIT, 3, 1,
     "the number of digits must be from 1 to 64; got 65"},
    {"3\n1\n4\n2\n2 1\n", LEVY_REASON_UNSUPPORTED, 1, 1,
     "only nets in base 2 are read; got base 3"},
    {"2\n1\n5\n2\n2 1\n", LEVY_REASON_RANGE, 3, 1,
     "the number of points must be a power of two; got 5"},
    {"1\n2\n3\n4\n5\n2 1\n", LEVY_REASON_TYPE, 5, 1, "a fifth line of one number"},
    {"10\n1\n1 1\n", LEVY_REASON_TYPE, 3, 1, "a header of 2 lines, which no form has"},
    {"8 4 2 1\n8 12 10 15\n", LEVY_REASON_TYPE, 1, 1,
     "neither a header nor Joe and Kuo's line of dimension 2"},
    {"d s a m_i\n3 2 1 1 3\n", LEVY_REASON_INCONSISTENT, 2, 1,
     "expected the line of dimension 2: d, s, a, m_1 ..."},
    {"d s a m_i\n2 1 0 1\n2 1 0 1\n", LEVY_REASON_INCONSISTENT, 3, 1,
     "expected the line of dimension 3: d, s, a, m_1 ..."},
    {"2 1 0 1\n3 0 1 1\n", LEVY_REASON_RANGE, 2, 3, "the degree must be from 1 to 31; got 0"},
    {"2 1 0 1\n3 32 1 1\n", LEVY_REASON_RANGE, 2, 3, "the degree must be from 1 to 31; got 32"},
    {"2 1 0 1\n3 2 2 1 3\n", LEVY_REASON_RANGE, 2, 5, "a must be below 2^1 for degree 2; got 2"},
    {"2 1 0 1\n3 2 1 1\n", LEVY_REASON_INCONSISTENT, 2, 7,
     "a polynomial of degree 2 needs 2 numbers m_i; got 1"},
    {"2 1 0 1\n3 2 1 1 2\n", LEVY_REASON_RANGE, 2, 9, "m_2 must be odd and below 4; got 2"},
    {"2 1 0 1\n3 2 1 1 5\n", LEVY_REASON_RANGE, 2, 9, "m_2 must be odd and below 4; got 5"},
    {"2 1 0 1\nd s a m_i\n", LEVY_REASON_INCONSISTENT, 2, 1, NULL},
    {"3\n2 1 0 1\n", LEVY_REASON_INCONSISTENT, 2, 1, "the text ends after 2 of 3 dimensions"},
    {"2\n2 1 0 1\n3 2 1 1 3\n", LEVY_REASON_INCONSISTENT, 3, 1,
     "a line after the last of the 2 dimensions"},
    {"  d s a m_i\n d s a m_i\n", LEVY_REASON_INCONSISTENT, 2, 2,
     "expected the line of dimension 2: d, s, a, m_1 ..."},
    {"3\n1\n1\n1\n1\n", LEVY_REASON_INCONSISTENT, 5, 1, "the text ends after 2 of 3 dimensions"},
    {"1\n1\n1\n1\n1\n", LEVY_REASON_INCONSISTENT, 5, 1,
     "a line after the last of the 1 dimensions"},
    {"2\n3\n2\n1\n1\n1\n", LEVY_REASON_INCONSISTENT, 6, 1, "the text ends after 2 of 3 dimensions"},
    {"2\n3\n4\n1\n1\n1\n1\n", LEVY_REASON_TYPE, 5, 1, "a fifth line of one number"},
    {"2\n1\n2\n2\n3\n", LEVY_REASON_INCONSISTENT, 1, 1,
     "both a net of 2 dimensions and a dnet of 1 dimension"},
    {"1\n1\n1\n# c\n\n2\n", LEVY_REASON_RANGE, 6, 1, "column 1 has more than 1 digits: 2"}};

/* Nets of two points: a matrix is a line of one number, as the header's lines are. */
static void test_net_reads_matrices_of_one_column(void **state)
{
    static const struct {
        const char *text;
        uint32_t n_dimensions, numbers[3];
    } nets[] = {{"1\n1\n1\n1\n", 1, {1u << 31}},
                {"1\n1\n4\n9", 1, {9u << 28}},
                {"3\n1\n1\n1\n0\n1\n", 3, {1u << 31, 0, 1u << 31}},
                {"2\n1\n3\n4\n6\n", 2, {1u << 31, 3u << 30}}, /* 3 points have no base */
                {"2\n1\n2\n1\n2\n", 2, {1u << 30, 1u << 31}}, /* 2 has more than 1 digit */
                {"2\n1\n2\n5\n17\n", 1, {17u << 27}},         /* 5 has more than 2 digits */
                {"2\n3\n2\n2\n2\n1\n3\n", 3, {1u << 31, 1u << 30, 3u << 30}},
                {"\xef\xbb\xbf"
                 "1\n2\n2\n2 1\n",
                 1,
                 {1u << 31}}};
    (void)state;
    for (size_t i = 0; i < sizeof nets / sizeof *nets; ++i) {
        levy_net net;
        levy_net_fault fault = {.hint = NULL};
        const char *const text = nets[i].text;
        const levy_status status = levy_net_read(&arena, text, strlen(text), &net, &fault);
        if (status) print_error("%s%zu:%zu: %s\n", text, fault.line, fault.column, fault.message);
        assert_int_equal(status, LEVY_OK);
        assert_int_equal(net.n_dimensions, nets[i].n_dimensions);
        assert_int_equal(net.n_columns, text[0] == '\xef' ? 2 : 1);
        for (uint32_t d = 0; d < net.n_dimensions; ++d)
            assert_int_equal(net.numbers[32 * (size_t)d], nets[i].numbers[d]);
    }
}

static void test_net_says_what_is_wrong_and_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        const refused_text *const due = &refused[i];
        levy_net net;
        levy_net_fault fault = {.line = 99};
        const levy_status status =
            levy_net_read(&arena, due->text, strlen(due->text), &net, &fault);
        if (status != LEVY_INPUT || fault.line != due->line || fault.column != due->column ||
            (due->message && strcmp(fault.message, due->message) != 0))
            print_error("%s: %zu:%zu: %s\n", due->text, fault.line, fault.column, fault.message);
        assert_int_equal(status, LEVY_INPUT);
        assert_int_equal(fault.reason, due->reason);
        assert_int_equal(fault.line, due->line);
        assert_int_equal(fault.column, due->column);
        if (due->message) assert_string_equal(fault.message, due->message);
        assert_true(fault.hint && fault.hint[0]);
    }
}

/* Every text that a valid one begins with, and every one with a byte changed, is read or refused.
 */
static void test_net_survives_damage(void **state)
{
    static const char *const whole[] = {"# n\n2\n3\n3\n4 2 1\n4 6 5\n",
                                        "2\n2\n8\n3\n4 2 1\n4 6 5\n",
                                        "d s a m_i\n2 1 0 1\n3 2 1 1 3\n",
                                        "3\n2 1 0 1\n3 2 1 1 3\n",
                                        "2\n1\n2\n5\n17\n",
                                        "2\n1\n3\n4\n6\n"};
    (void)state;
    for (size_t w = 0; w < sizeof whole / sizeof *whole; ++w)
        for (size_t at = 0; at < strlen(whole[w]); ++at)
            for (int byte = -1; byte < 256; ++byte) {
                char *const text = malloc(strlen(whole[w]) + 1); /* exact, for sanitizers */
                levy_net net;
                levy_net_fault fault = {.hint = NULL};
                size_t length = strlen(whole[w]);
                memcpy(text, whole[w], length);
                if (byte < 0) length = at;
                if (byte >= 0) text[at] = (char)byte;
                const levy_status status = levy_net_read(&arena, text, length, &net, &fault);
                assert_true(status == LEVY_OK || (status == LEVY_INPUT && fault.hint));
                if (status == LEVY_OK) assert_true(net.n_dimensions > 0 && net.n_columns <= 32);
                free(text);
                levy_arena_release(&arena);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_net_of_joe_and_kuo_is_sobol),
        cmocka_unit_test(test_net_reads_matrices_of_any_width),
        cmocka_unit_test(test_net_hash_tells_nets_apart),
        cmocka_unit_test(test_net_of_ten_thousand_dimensions_reads_fast),
        cmocka_unit_test(test_net_reads_matrices_of_one_column),
        cmocka_unit_test(test_net_says_what_is_wrong_and_where),
        cmocka_unit_test(test_net_survives_damage),
    };
    return cmocka_run_group_tests(tests, open_arena, close_arena);
}
