/* test_net.c: digital nets from a file: the texts that are read and refused, the words of a small
 * net by hand, the quality of Niederreiter's sequence as the theory promises it, and that Joe and
 * Kuo's numbers from a file give Sobol's points, plans and prices. */
#include "tests/cmocka_all.h"
#include "tests/context_fixture.h"

#define LANE_SCALAR
#include "kernels/points/net.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static levy_arena arena;

static int open_all(void **state)
{
    levy_arena_init(&arena, &levy_memory_default);
    return open_context(state);
}

static int close_all(void **state)
{
    levy_arena_release(&arena);
    return close_context(state);
}

typedef struct text_out {
    char *text;
    size_t length;
} text_out;

__attribute__((format(printf, 2, 3))) static void put(text_out *out, const char *format, ...)
{
    enum { ROOM = 12 << 20 };
    va_list arguments;
    if (!out->text) out->text = calloc(1, ROOM);
    assert_non_null(out->text);
    va_start(arguments, format);
    out->length +=
        (size_t)vsnprintf(out->text + out->length, ROOM - out->length, format, arguments);
    va_end(arguments);
    assert_true(out->length < ROOM);
}

static uint32_t *sobol_numbers(uint32_t n)
{
    uint32_t *const table = malloc(32 * (size_t)n * sizeof *table);
    assert_true(table && levy_sobol_directions(n, table));
    return table;
}

static void assert_reads(const text_out *from, uint32_t n_dimensions, uint32_t n_columns,
                         levy_net *net)
{
    levy_net_fault fault = {.line = 0};
    const levy_status status = levy_net_read(&arena, from->text, from->length, net, &fault);
    if (status != LEVY_OK) print_error("%zu:%zu: %s\n", fault.line, fault.column, fault.message);
    assert_int_equal(status, LEVY_OK);
    assert_int_equal(net->n_dimensions, n_dimensions);
    assert_int_equal(net->n_columns, n_columns);
}

/* ---- Forms ----------------------------------------------------------------------------------- */

/* The project's table in Joe and Kuo's own format, from dimension 2 on. */
static void put_joe_kuo(text_out *out, uint32_t n_dimensions)
{
    FILE *const file = fopen(LEVY_SOURCE_DIR "/kernels/points/joe_kuo.txt", "r");
    char line[512];
    uint32_t d = 1;
    assert_non_null(file);
    while (d < n_dimensions && fgets(line, sizeof line, file)) {
        unsigned number, polynomial, degree = 0;
        int used;
        if (line[0] == '#') continue;
        assert_int_equal(sscanf(line, "%u %u%n", &number, &polynomial, &used), 2);
        while (polynomial >> (degree + 1)) ++degree;
        put(out, "%u %u %u%s", ++d, degree, (polynomial ^ 1u << degree) >> 1, line + used);
    }
    assert_int_equal(d, n_dimensions);
    fclose(file);
}

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

/* ---- Quality --------------------------------------------------------------------------------- */

static uint32_t word_of(const uint32_t numbers[32], uint32_t shift, uint32_t index)
{
    uint32_t word = shift;
    for (uint32_t b = 0; b < 32; ++b)
        if (sobol_gray(index) >> b & 1) word ^= numbers[b];
    return word;
}

/* The Hammersley net of 16 points: dimension 1 counts backwards in bits, dimension 2 forwards. */
static void test_net_has_the_words_of_a_net_by_hand(void **state)
{
    static const char text[] = "2\n4\n4\n8 4 2 1\n1 2 4 8\n";
    static const uint32_t gray[16] = {0, 1, 3, 2, 6, 7, 5, 4, 12, 13, 15, 14, 10, 11, 9, 8},
                          reversed[16] = {0, 8, 12, 4, 6, 14, 10, 2, 3, 11, 15, 7, 5, 13, 9, 1};
    levy_net net;
    levy_net_fault fault;
    (void)state;
    assert_int_equal(levy_net_read(&arena, text, strlen(text), &net, &fault), LEVY_OK);
    for (uint32_t i = 0; i < 16; ++i) {
        assert_int_equal(word_of(net.numbers, 0, i), reversed[i] << 28);
        assert_int_equal(word_of(net.numbers + 32, 0, i), gray[i] << 28);
    }
}

enum { MOST_LOG = 10, PARTS = 3 };

/* Whether every box of 2^-parts[0] by 2^-parts[1] ... has the same number of the 2^m points. */
static bool boxes_are_even(uint32_t words[PARTS][1 << MOST_LOG], uint32_t m, uint32_t n,
                           const uint32_t parts[PARTS])
{
    uint32_t hits[1 << MOST_LOG] = {0}, sum = 0;
    for (uint32_t d = 0; d < n; ++d) sum += parts[d];
    for (uint32_t i = 0; i < 1u << m; ++i) {
        uint32_t box = 0;
        for (uint32_t d = 0; d < n; ++d)
            if (parts[d]) box = box << parts[d] | words[d][i] >> (32 - parts[d]);
        hits[box]++;
    }
    for (uint32_t i = 0; i < 1u << sum; ++i)
        if (hits[i] != 1u << (m - sum)) return false;
    return true;
}

/* The t-value of the first 2^m points: all boxes of volume 2^(t - m) are even. */
static uint32_t t_value(uint32_t words[PARTS][1 << MOST_LOG], uint32_t m, uint32_t n)
{
    for (uint32_t t = 0; t < m; ++t) {
        bool even = true;
        for (uint32_t a = 0; even && a <= m - t; ++a)
            for (uint32_t b = 0; even && a + b <= m - t; ++b) {
                const uint32_t parts[PARTS] = {a, n > 2 ? b : m - t - a, m - t - a - b};
                even = boxes_are_even(words, m, n, parts);
            }
        if (even) return t;
    }
    return m;
}

static void read_niederreiter(levy_net *net)
{
    static char bytes[8192];
    FILE *const file = fopen(LEVY_SOURCE_DIR "/configs/nets/niederreiter.txt", "r");
    assert_non_null(file);
    const text_out text = {bytes, fread(bytes, 1, sizeof bytes, file)};
    fclose(file);
    assert_reads(&text, 16, 20, net);
}

/* Dimensions of the polynomials x, x + 1, x^2 + x + 1, x^3 + x + 1 have t = the sum of their
 * degrees less one each, at most; scrambles keep it. */
static void test_net_of_niederreiter_has_the_t_values_of_the_theory(void **state)
{
    static const uint32_t degrees[] = {1, 1, 2, 3};
    static uint32_t words[PARTS][1 << MOST_LOG];
    static const uint32_t sets[][PARTS] = {{0, 1, 4}, {0, 2, 4}, {1, 3, 4}, {0, 1, 2}, {1, 2, 3}};
    levy_net net;
    (void)state;
    read_niederreiter(&net);
    for (int32_t scrambling = LEVY_SCRAMBLING_NONE; scrambling <= LEVY_SCRAMBLING_MATRIX;
         ++scrambling)
        for (size_t s = 0; s < sizeof sets / sizeof *sets; ++s) {
            uint32_t n = 0, bound = 0;
            for (; n < PARTS && sets[s][n] < 4; ++n) {
                const uint32_t d = sets[s][n];
                uint32_t numbers[32], shift;
                memcpy(numbers, net.numbers + 32 * d, sizeof numbers);
                levy_sobol_randomise(scrambling, 77, d, numbers, &shift);
                assert_true((shift != 0) == (scrambling != LEVY_SCRAMBLING_NONE));
                for (uint32_t i = 0; i < 1 << MOST_LOG; ++i)
                    words[n][i] = word_of(numbers, shift, i);
                bound += degrees[d] - 1;
            }
            for (uint32_t m = 1; m <= MOST_LOG; ++m)
                assert_true(t_value(words, m, n) <= (bound < m ? bound : m));
        }
}

/* Against counting, on matrices of random digits. */
static void test_net_resolution_is_that_of_its_points(void **state)
{
    enum { M = 8 };
    uint64_t random = 12345;
    uint32_t seen[M + 1] = {0};
    (void)state;
    for (int trial = 0; trial < 400; ++trial) {
        static uint32_t words[PARTS][1 << MOST_LOG];
        uint32_t numbers[32] = {0}, q = 0;
        for (uint32_t j = 0; j < M; ++j) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            numbers[j] = (uint32_t)(random >> 32);
        }
        for (uint32_t i = 0; i < 1 << M; ++i) words[0][i] = word_of(numbers, 0, i);
        for (; q < M; ++q) {
            const uint32_t parts[PARTS] = {q + 1, 0, 0};
            if (!boxes_are_even(words, M, 1, parts)) break;
        }
        assert_int_equal(levy_net_resolution(numbers, M), q);
        seen[q]++;
    }
    assert_true(seen[M] > 50 && seen[M - 1] > 20 && seen[0] < 40);
}

/* ---- Books ----------------------------------------------------------------------------------- */

static char folder[] = "/tmp/levy-net-XXXXXX";

static int make_files(void **state)
{
    text_out text = {NULL, 0};
    if (open_all(state) != 0 || !mkdtemp(folder) || chdir(folder) != 0) return -1;
    put(&text, "d s a m_i\n");
    put_joe_kuo(&text, 64);
    FILE *const file = fopen("sobol.txt", "w");
    if (!file || fwrite(text.text, 1, text.length, file) != text.length) return -1;
    free(text.text);
    return fclose(file);
}

static int remove_files(void **state)
{
    (void)unlink("sobol.txt");
    (void)unlink("four.txt");
    if (chdir("/") != 0 || rmdir(folder) != 0) return -1;
    return close_all(state);
}

static const char book_text[] =
    "schema_version: 1\n"
    "market:\n"
    "  curves: {USD: 0.03}\n"
    "  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n"
    "models: {bs: {kind: black_scholes, assets: [A]}}\n"
    "trades:\n"
    "  - id: t\n"
    "    underlying: A\n"
    "    payoff: {kind: asian, option_type: call, strike: 100,\n"
    "             averaging: {method: arithmetic, observations: {count: 16}}}\n"
    "    exercise: {expiry: 1}\n"
    "simulation: {seed: 11, %s}\n";

static levy_book *load_book(const char *simulation)
{
    static char text[sizeof book_text + 256];
    levy_book *book;
    snprintf(text, sizeof text, book_text, simulation);
    const levy_source source = {"book.yaml", text, strlen(text), "."};
    const int status = levy_book_load(context, &source, 1, NULL, 0, &book);
    for (size_t i = 0; status && i < levy_diagnostic_count(context); ++i)
        print_error("%s\n", levy_diagnostic_get(context, i)->message);
    assert_int_equal(status, LEVY_STATUS_OK);
    return book;
}

typedef struct priced {
    double price, std_error;
    uint64_t plan_hash;
    uint32_t padding;
    char generator[32];
} priced;

static priced price_of(levy_book *book)
{
    levy_results *results;
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_OK);
    const levy_trade_result *const trade = levy_results_trade(results, 0);
    priced p = {.price = trade->price,
                .std_error = trade->std_error,
                .plan_hash = trade->plan_hash,
                .padding = trade->padding};
    snprintf(p.generator, sizeof p.generator, "%s", trade->generator);
    levy_results_destroy(results);
    return p;
}

static priced price_with(const char *simulation)
{
    levy_book *const book = load_book(simulation);
    const priced p = price_of(book);
    levy_book_destroy(book);
    return p;
}

static void test_net_of_joe_and_kuo_prices_as_sobol(void **state)
{
    static const char *const pairs[][2] = {
        {"paths: 2^14, generator: sobol_scrambled",
         "paths: 2^14, generator: {kind: net, file: sobol.txt}"},
        {"paths: 2^12, generator: sobol",
         "paths: 2^12, generator: {kind: net, file: sobol.txt, scrambling: none}"},
        {"tolerance: {absolute: 0.05}", "tolerance: {absolute: 0.05}, generator: {kind: net, file: "
                                        "sobol.txt, scrambling: matrix}"}};
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; ++i) {
        const priced sobol = price_with(pairs[i][0]), net = price_with(pairs[i][1]);
        assert_int_equal(net.plan_hash, sobol.plan_hash);
        assert_memory_equal(&net.price, &sobol.price, sizeof net.price);
        assert_string_equal(net.generator, "net");
    }
    const priced shifted =
        price_with("paths: 2^14, generator: {kind: net, file: sobol.txt, scrambling: shift}");
    const priced sobol = price_with(pairs[0][0]);
    assert_true(shifted.plan_hash != sobol.plan_hash && shifted.price != sobol.price);
    assert_true(shifted.std_error > 0.0 &&
                fabs(shifted.price - sobol.price) < 5.0 * (shifted.std_error + sobol.std_error));
}

static void write_four(const char *last)
{
    FILE *const file = fopen("four.txt", "w");
    assert_non_null(file);
    assert_true(fprintf(file, "d s a m_i\n2 1 0 1\n3 2 1 1 3\n4 3 1 %s\n", last) > 0);
    assert_int_equal(fclose(file), 0);
}

/* Four dimensions are the net's, twelve are padded; the text is part of the plan's hash. */
static void test_net_pads_and_is_hashed(void **state)
{
    static const char simulation[] = "paths: 2^14, generator: {kind: net, file: four.txt}";
    (void)state;
    write_four("1 3 1");
    const priced four = price_with(simulation),
                 sobol = price_with("paths: 2^14, generator: sobol_scrambled");
    assert_int_equal(four.padding, 12);
    assert_int_equal(sobol.padding, 0);
    assert_true(fabs(four.price - sobol.price) < 5.0 * (four.std_error + sobol.std_error));
    write_four("1 1 7");
    const priced other = price_with(simulation);
    assert_true(other.plan_hash != four.plan_hash && other.price != four.price);
}

/* 16 replicates of a net of 2^8 points, or as many as max_paths allows. */
static void test_a_tolerance_takes_all_points_of_a_net(void **state)
{
    static const struct {
        const char *max_paths;
        uint64_t paths;
    } cases[] = {{"2^20", 1 << 12}, {"2^12", 1 << 12}, {"4095", 1 << 11}, {"2^11", 1 << 11}};
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    FILE *const file = fopen("four.txt", "w");
    assert_non_null(file);
    assert_true(fputs("1\n8\n8\n128 64 32 16 8 4 2 1\n", file) >= 0);
    assert_int_equal(fclose(file), 0);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        char simulation[192];
        levy_results *results;
        snprintf(simulation, sizeof simulation,
                 "paths: 2^8, replicates: 16, generator: {kind: net, file: four.txt}, "
                 "tolerance: {relative: 1e-9, max_paths: %s}",
                 cases[i].max_paths);
        levy_book *const book = load_book(simulation);
        assert_int_equal(levy_price(book, &how, &results), LEVY_STATUS_TOLERANCE);
        assert_int_equal(levy_results_trade(results, 0)->paths, cases[i].paths);
        levy_results_destroy(results);
        levy_book_destroy(book);
    }
}

typedef struct explained {
    char text[16384];
    size_t length;
} explained;

static int keep_text(void *user, const char *text, size_t length)
{
    explained *const e = user;
    if (length >= sizeof e->text - e->length) return 1;
    memcpy(e->text + e->length, text, length);
    e->length += length;
    e->text[e->length] = '\0';
    return 0;
}

static void test_net_is_explained(void **state)
{
    static explained e;
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    (void)state;
    write_four("1 3 1");
    levy_book *const book =
        load_book("paths: 2^14, generator: {kind: net, file: four.txt, scrambling: shift}");
    assert_int_equal(levy_book_explain(book, &how, keep_text, &e), LEVY_STATUS_OK);
    levy_book_destroy(book);
    assert_non_null(strstr(e.text, "generator net 'four.txt' (4 dimensions, 2^32 points, digital "
                                   "shift), construction bridge"));
    assert_non_null(strstr(e.text, "12 dimensions beyond the net, the least important, padded"));
}

/* A re-quoted book keeps its net; a kept book takes the net's text, and opens no file. */
static void test_net_stays_with_its_book(void **state)
{
    static const char simulation[] = "paths: 2^12, generator: {kind: net, file: four.txt}";
    levy_context *keeping;
    levy_book *kept;
    (void)state;
    write_four("1 3 1");
    const levy_context_options options = {.struct_size = sizeof options, .keep_texts = 1};
    assert_int_equal(levy_context_create(&options, &keeping), LEVY_STATUS_OK);
    levy_context *const own = context;
    context = keeping;
    levy_book *const book = load_book(simulation);
    const priced first = price_of(book);
    assert_int_equal(levy_book_set(book, "A.spot", 110.0), LEVY_STATUS_OK);
    assert_true(price_of(book).price > first.price);
    assert_int_equal(levy_book_set(book, "A.spot", 100.0), LEVY_STATUS_OK);
    assert_int_equal(price_of(book).plan_hash, first.plan_hash);
    assert_string_equal(levy_book_reference(book, 0)->name, "four.txt");
    assert_int_equal(unlink("four.txt"), 0);
    assert_int_equal(levy_book_load_kept(keeping, levy_book_source(book, 0), 1,
                                         levy_book_reference(book, 0), 1, NULL, 0, &kept),
                     LEVY_STATUS_OK);
    assert_int_equal(price_of(kept).plan_hash, first.plan_hash);
    levy_book_destroy(kept);
    levy_book_destroy(book);
    context = own;
    levy_context_destroy(keeping);
}

/* ---- Arrays ---------------------------------------------------------------------------------- */

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
        const levy_net_spec file = {.struct_size = sizeof file,
                                    .file = "sobol.txt",
                                    .scrambling = scrambling},
                            matrices = {.struct_size = sizeof matrices,
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

/* A study of the net's method needs a net, and as many points. */
static void test_net_can_be_studied(void **state)
{
    levy_study *study;
    (void)state;
    levy_book *book = load_book("generator: {kind: net, file: sobol.txt}");
    levy_study_options options = {.struct_size = sizeof options,
                                  .methods = "net+bridge,sobol_scrambled+bridge",
                                  .points = "2^6..2^8"};
    const levy_price_options how = {.struct_size = sizeof how, .device = "cpu"};
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_OK);
    const levy_convergence *const c = levy_study_convergence(study);
    assert_int_equal(c->n_methods, 2);
    assert_true(levy_convergence_at(c, 0)->slope == levy_convergence_at(c, 1)->slope);
    levy_study_destroy(study);
    levy_book_destroy(book);
    book = load_book("generator: sobol");
    assert_int_equal(levy_converge(book, &options, &how, &study), LEVY_STATUS_ARGUMENT);
    assert_string_equal(levy_diagnostic_get(context, 0)->message, "the book names no net");
    levy_book_destroy(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_net_of_joe_and_kuo_is_sobol),
        cmocka_unit_test(test_net_reads_matrices_of_any_width),
        cmocka_unit_test(test_net_hash_tells_nets_apart),
        cmocka_unit_test(test_net_of_ten_thousand_dimensions_reads_fast),
        cmocka_unit_test(test_net_says_what_is_wrong_and_where),
        cmocka_unit_test(test_net_reads_matrices_of_one_column),
        cmocka_unit_test(test_net_survives_damage),
        cmocka_unit_test(test_net_has_the_words_of_a_net_by_hand),
        cmocka_unit_test(test_net_of_niederreiter_has_the_t_values_of_the_theory),
        cmocka_unit_test(test_net_resolution_is_that_of_its_points),
        cmocka_unit_test(test_net_of_joe_and_kuo_prices_as_sobol),
        cmocka_unit_test(test_net_pads_and_is_hashed),
        cmocka_unit_test(test_a_tolerance_takes_all_points_of_a_net),
        cmocka_unit_test(test_net_is_explained),
        cmocka_unit_test(test_net_stays_with_its_book),
        cmocka_unit_test(test_net_can_be_studied),
        cmocka_unit_test(test_net_makes_the_words_of_arrays),
        cmocka_unit_test(test_net_makes_paths),
        cmocka_unit_test(test_net_specifications_are_checked),
    };
    return cmocka_run_group_tests(tests, make_files, remove_files);
}
