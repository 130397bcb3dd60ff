/* test_base.c: engine/base: status, memory, text, faults, numbers, dates. Known answers name their
 * origin. */
#include "tests/cmocka_all.h"

#include "engine/base/date.h"
#include "engine/base/error.h"
#include "engine/base/number.h"
#include "engine/base/order.h"
#include "engine/base/status.h"
#include "engine/base/text.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Helpers ---- */

static uint64_t base_random_state = 88172645463325252u;

/* xorshift64 (G. Marsaglia, 2003): fixed seed, so every run sees the same cases. */
static uint64_t base_random(void)
{
    base_random_state ^= base_random_state << 13;
    base_random_state ^= base_random_state >> 7;
    base_random_state ^= base_random_state << 17;
    return base_random_state;
}

static double base_double(uint64_t bits)
{
    double value = 0.0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t base_bits(double value)
{
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#define assert_bits(a, b) assert_int_equal(base_bits(a), base_bits(b))

static double base_read(const char *text)
{
    double value = 0.0;
    assert_int_equal(levy_number_read(text, strlen(text), &value), LEVY_NUMBER_OK);
    return value;
}

static levy_date base_date(const char *text)
{
    levy_date date = 0;
    assert_true(levy_date_read(text, strlen(text), &date));
    return date;
}

static void assert_date(levy_date date, const char *expected)
{
    char text[11];
    levy_date_write(date, text);
    assert_string_equal(text, expected);
}

/* An allocator that counts, and fails from the `fail_at`-th call on (0: never). */
typedef struct base_counter {
    size_t calls, live, fail_at;
} base_counter;

static void *base_allocate(void *user, size_t size)
{
    base_counter *counter = user;
    if (counter->fail_at && ++counter->calls >= counter->fail_at) return NULL;
    void *pointer = malloc(size);
    if (pointer) {
        memset(pointer, 0xA5, size);
        counter->live++;
    }
    return pointer;
}

static void *base_reallocate(void *user, void *pointer, size_t size)
{
    base_counter *counter = user;
    if (counter->fail_at && ++counter->calls >= counter->fail_at) return NULL;
    return realloc(pointer, size);
}

static void base_release(void *user, void *pointer)
{
    ((base_counter *)user)->live--;
    free(pointer);
}

static levy_memory base_counting(base_counter *counter)
{
    return (levy_memory){base_allocate, base_reallocate, base_release, counter, NULL};
}

/* ---- Status ---- */

static void test_status_every_code_has_a_sentence(void **state)
{
    (void)state;
#define CHECK(name, value, exit_code, text)                                                        \
    assert_int_equal(LEVY_##name, value);                                                          \
    assert_string_equal(levy_status_text(LEVY_##name), text);
    LEVY_STATUS_LIST(CHECK)
#undef CHECK
    assert_string_equal(levy_status_text((levy_status)-1000), "an unknown status code");
}

static void test_reason_every_code_has_a_word(void **state)
{
    (void)state;
    assert_string_equal(levy_reason_text(LEVY_REASON_NONE), "none");
    assert_string_equal(levy_reason_text(LEVY_REASON_UNKNOWN_KEY), "unknown_key");
    assert_string_equal(levy_reason_text(LEVY_REASON_CANCELLED), "cancelled");
    assert_string_equal(levy_reason_text((levy_reason)1000), "unknown");
}

/* ---- Memory ---- */

static void test_size_multiply_detects_overflow(void **state)
{
    (void)state;
    size_t product = 7;
    assert_true(levy_size_multiply(0, SIZE_MAX, &product));
    assert_int_equal(product, 0);
    assert_true(levy_size_multiply(SIZE_MAX, 1, &product));
    assert_true(product == SIZE_MAX);
    assert_false(levy_size_multiply(SIZE_MAX / 2 + 1, 2, &product));
    assert_true(product == SIZE_MAX);
}

static void test_memory_allocate_zeroes_and_refuses_overflow(void **state)
{
    (void)state;
    base_counter counter = {0};
    const levy_memory memory = base_counting(&counter);
    unsigned char *bytes = levy_memory_allocate(&memory, 100, 3);
    assert_non_null(bytes);
    for (size_t i = 0; i < 300; ++i) assert_int_equal(bytes[i], 0);
    bytes[299] = 9;
    bytes = levy_memory_grow(&memory, bytes, 1000, 1);
    assert_non_null(bytes);
    assert_int_equal(bytes[299], 9);
    levy_memory_release(&memory, bytes);
    levy_memory_release(&memory, NULL);
    assert_null(levy_memory_allocate(&memory, SIZE_MAX, 2));
    assert_null(levy_memory_allocate(&memory, SIZE_MAX, 1));
    assert_null(levy_memory_grow(&memory, NULL, SIZE_MAX / 2, 4));
    assert_int_equal(counter.live, 0);
}

/* By one item at a time, then past what can be counted. */
static void test_arrays_grow_and_keep_their_items(void **state)
{
    (void)state;
    base_counter counter = {0};
    const levy_memory memory = base_counting(&counter);
    levy_arena arena;
    levy_arena_init(&arena, &memory);
    size_t rooms[2] = {0, 0};
    uint32_t *kept = NULL, *own = NULL;
    for (uint32_t i = 0; i < 1000; ++i) {
        kept = levy_arena_extend(&arena, kept, i, &rooms[0], 3, sizeof *kept);
        own = levy_memory_extend(&memory, own, i, &rooms[1], 3, sizeof *own);
        assert_true(kept && own && rooms[0] > i && rooms[0] == rooms[1]);
        kept[i] = own[i] = i;
    }
    assert_int_equal(rooms[0], 3 * 512);
    for (uint32_t i = 0; i < 1000; ++i) assert_true(kept[i] == i && own[i] == i);
    for (uint32_t i = 1000; i < 1536; ++i) assert_int_equal(kept[i], 0);
    size_t full = SIZE_MAX / 2 + 1;
    assert_null(levy_arena_extend(&arena, kept, full, &full, 3, 1));
    assert_null(levy_memory_extend(&memory, own, full, &full, 3, 1));
    assert_int_equal(full, SIZE_MAX / 2 + 1);
    levy_memory_release(&memory, own);
    levy_arena_release(&arena);
    assert_int_equal(counter.live, 0);
}

static void test_arena_memory_is_zeroed_and_aligned(void **state)
{
    (void)state;
    base_counter counter = {0};
    const levy_memory memory = base_counting(&counter);
    levy_arena arena;
    levy_arena_init(&arena, &memory);
    assert_int_equal(counter.live, 0);
    size_t total = 0;
    for (size_t i = 0; i < 3000; ++i) {
        const size_t size = base_random() % (i % 100 == 0 ? 20000u : 200u);
        unsigned char *bytes = levy_arena_allocate(&arena, size, 1);
        assert_non_null(bytes);
        assert_int_equal((uintptr_t)bytes % (size >= 64 ? 64 : 16), 0);
        for (size_t k = 0; k < size; ++k) assert_int_equal(bytes[k], 0);
        memset(bytes, 0xFF, size);
        total += size > 0 ? size : 1;
    }
    assert_int_equal(arena.used, total);
    levy_arena_release(&arena);
    assert_int_equal(counter.live, 0);
    assert_int_equal(arena.used, 0);
    assert_non_null(levy_arena_allocate(&arena, 1, 1)); /* may be used again */
    levy_arena_release(&arena);
    assert_int_equal(counter.live, 0);
}

static void test_a_cleared_arena_gives_zeros_again(void **state)
{
    (void)state;
    base_counter counter = {0};
    const levy_memory memory = base_counting(&counter);
    levy_arena arena;
    levy_arena_init(&arena, &memory);
    levy_arena_clear(&arena); /* of an empty one nothing is left */
    for (size_t turn = 0; turn < 40; ++turn) {
        for (size_t i = 0; i < 100; ++i) {
            const size_t size = base_random() % (i % 30 == 0 ? 9000u : 300u);
            unsigned char *const bytes = levy_arena_allocate(&arena, size, 1);
            assert_non_null(bytes);
            for (size_t k = 0; k < size; ++k) assert_int_equal(bytes[k], 0);
            memset(bytes, 0xFF, size);
        }
        levy_arena_clear(&arena);
        assert_int_equal(arena.used, 0);
        assert_int_equal(counter.live, 1); /* one chunk stays */
    }
    levy_arena_release(&arena);
    assert_int_equal(counter.live, 0);
}

static void test_arena_refuses_overflow_and_failure(void **state)
{
    (void)state;
    base_counter counter = {.fail_at = 1};
    const levy_memory memory = base_counting(&counter);
    levy_arena arena;
    levy_arena_init(&arena, &memory);
    assert_null(levy_arena_allocate(&arena, SIZE_MAX, 2));
    assert_null(levy_arena_allocate(&arena, PTRDIFF_MAX, 1));
    assert_null(levy_arena_allocate(&arena, 1, 1));
    assert_null(levy_arena_format(&arena, "%d", 1));
    assert_null(levy_arena_copy_text(&arena, "abc", SIZE_MAX));
    levy_arena_release(&arena);
    assert_int_equal(counter.live, 0);
}

/* As if the arena had been filled on the other memory from the start. */
static void test_an_arena_is_handed_over_with_all_that_it_counted(void **state)
{
    (void)state;
    levy_meter own = {.limit = 1 << 20}, book = {.limit = 64 << 10, .used = 1000, .most = 1000};
    levy_memory from = levy_memory_default, to = levy_memory_default;
    levy_arena arena, scratch;
    from.meter = &own;
    to.meter = &book;
    levy_arena_init(&arena, &from);
    levy_arena_init(&scratch, &from);
    assert_non_null(levy_arena_allocate(&arena, 5000, 1));
    assert_non_null(levy_arena_allocate(&scratch, 9000, 1));
    levy_arena_release(&scratch);
    const size_t used = own.used, most = own.most;
    assert_true(used > 5000 && most > used + 9000);
    assert_true(levy_arena_hand_over(&arena, &to));
    assert_int_equal(own.used, 0);
    assert_int_equal(book.used, 1000 + used);
    assert_int_equal(book.most, 1000 + most);
    levy_arena_release(&arena);
    assert_int_equal(book.used, 1000);
}

/* What was only asked for on the way (the estimate of a plan) meets the limit too. */
static void test_an_arena_that_would_have_met_the_limit_stays(void **state)
{
    (void)state;
    levy_meter own = {.limit = 0}, book = {.limit = 64 << 10};
    levy_memory from = levy_memory_default, to = levy_memory_default;
    levy_arena arena;
    from.meter = &own;
    to.meter = &book;
    levy_arena_init(&arena, &from);
    assert_non_null(levy_arena_allocate(&arena, 100, 1));
    assert_true(levy_memory_fits(&from, 64 << 10));
    assert_false(levy_arena_hand_over(&arena, &to));
    assert_int_equal(book.used, 0);
    assert_ptr_equal(arena.memory, &from);
    levy_arena_release(&arena);
    assert_int_equal(own.used, 0);
}

static void test_what_does_not_fit_says_what_is_in_use(void **state)
{
    (void)state;
    levy_meter meter = {.limit = 1000 << 10, .used = 700 << 10};
    levy_memory memory = levy_memory_default;
    char why[256];
    memory.meter = &meter;
    levy_memory_says(&memory, "the plan", 400 << 10, why, sizeof why);
    assert_string_equal(why, "the plan would need about 400.0 KiB beside what is in use, 700.0 "
                             "KiB, which exceeds the memory limit, 1000.0 KiB (max_memory)");
    levy_memory_says(&memory, "the plan", 4 << 20, why, sizeof why);
    assert_string_equal(why, "the plan would need about 4.0 MiB, which exceeds the memory limit, "
                             "1000.0 KiB (max_memory)");
}

static void test_arena_copies_and_formats_text(void **state)
{
    (void)state;
    levy_arena arena;
    levy_arena_init(&arena, NULL);
    assert_string_equal(levy_arena_copy_text(&arena, "abcdef", 3), "abc");
    assert_string_equal(levy_arena_copy_text(&arena, NULL, 0), "");
    assert_string_equal(levy_arena_format(&arena, "%s[%zu]", "trades", (size_t)12), "trades[12]");
    levy_arena_release(&arena);
}

/* ---- Text ---- */

static void test_text_character_follows_rfc_3629(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n;
        uint32_t code;
    } cases[] = {{"A", 1, 'A'},
                 {"\xC3\xA9", 2, 0xE9},
                 {"\xE2\x89\xA2", 3, 0x2262},
                 {"\xF0\xA3\x8E\xB4", 4, 0x233B4},
                 {"\xF4\x8F\xBF\xBF", 4, 0x10FFFF},
                 {"\xED\x9F\xBF", 3, 0xD7FF},
                 {"\xEE\x80\x80", 3, 0xE000},
                 /* overlong */
                 {"\xC0\x80", 0, 0},
                 {"\xC1\xBF", 0, 0},
                 {"\xE0\x9F\xBF", 0, 0},
                 {"\xF0\x8F\xBF\xBF", 0, 0},
                 /* surrogate; too large */
                 {"\xED\xA0\x80", 0, 0},
                 {"\xF4\x90\x80\x80", 0, 0},
                 {"\xF5\x80\x80\x80", 0, 0},
                 {"\x80", 0, 0},
                 {"\xC3", 0, 0},
                 {"\xC3"
                  "A",
                  0, 0},
                 {"\xE2\x89", 0, 0},
                 {"\xFF", 0, 0},
                 {"", 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint32_t code = 0;
        assert_int_equal(levy_text_character(cases[i].text, strlen(cases[i].text), &code),
                         cases[i].n);
        if (cases[i].n) assert_int_equal(code, cases[i].code);
    }
}

static void test_text_escape_hides_what_terminals_obey(void **state)
{
    (void)state;
    char out[64], again[64];
    const char *text = "a\x1b[31m\n\xE2\x80\xAE"
                       "b\xFF\\\xC3\xA9";
    const size_t n = levy_text_escape(text, strlen(text), out, sizeof out);
    assert_string_equal(out, "a\\x1b[31m\\x0a\\xe2\\x80\\xaeb\\xff\\\xC3\xA9");
    assert_int_equal(n, strlen(out));
    assert_int_equal(levy_text_escape(out, n, again, sizeof again), n);
    assert_string_equal(again, out);
    assert_int_equal(levy_text_escape(text, strlen(text), out, 3), n);
    assert_string_equal(out, "a\\");
    assert_int_equal(levy_text_escape(text, strlen(text), NULL, 0), n);
}

/* ---- Faults ---- */

static void test_fault_line_has_place_path_and_message(void **state)
{
    (void)state;
    levy_fault_list list;
    char line[200];
    levy_fault_list_init(&list, NULL);
    const levy_place place = {"book.yaml", 0, 12, 5};
    const levy_fault *fault =
        levy_fault_add(&list, LEVY_REASON_UNKNOWN_KEY, &place, "trades[0].payoff.strik", "Fix it.",
                       "unknown key; did you mean '%s'?", "strike");
    assert_non_null(fault);
    const char *expected =
        "book.yaml:12:5: error: trades[0].payoff.strik: unknown key; did you mean 'strike'?";
    assert_int_equal(levy_fault_line(fault, line, sizeof line), strlen(expected));
    assert_string_equal(line, expected);
    assert_string_equal(fault->hint, "Fix it.");
    assert_int_equal(fault->trade, -1);
    assert_int_equal(levy_fault_line(fault, line, 10), strlen(expected));
    assert_string_equal(line, "book.yaml");
    assert_int_equal(levy_fault_line(fault, NULL, 0), strlen(expected));
    levy_fault_list_release(&list);
}

static void test_fault_line_without_place_or_path(void **state)
{
    (void)state;
    levy_fault_list list;
    char line[100];
    levy_fault_list_init(&list, NULL);
    levy_fault_line(levy_fault_add(&list, LEVY_REASON_IO, NULL, NULL, NULL, "no such thing"), line,
                    sizeof line);
    assert_string_equal(line, "error: no such thing");
    const levy_place file_only = {.file = "a.yaml"};
    levy_fault_line(levy_fault_warn(&list, LEVY_REASON_IO, &file_only, "", NULL, "odd"), line,
                    sizeof line);
    assert_string_equal(line, "a.yaml: warning: odd");
    assert_int_equal(list.errors, 1);
    assert_int_equal(list.warnings, 1);
    levy_fault_list_release(&list);
}

static void test_fault_text_is_escaped(void **state)
{
    (void)state;
    levy_fault_list list;
    char line[100];
    levy_fault_list_init(&list, NULL);
    const levy_place place = {"a\x1b.yaml", 0, 1, 1};
    const levy_fault *fault =
        levy_fault_add(&list, LEVY_REASON_TYPE, &place, "a\nb", "c\x07", "got '%s'", "\x1b[2J");
    assert_string_equal(fault->path, "a\\x0ab");
    assert_string_equal(fault->message, "got '\\x1b[2J'");
    assert_string_equal(fault->hint, "c\\x07");
    levy_fault_line(fault, line, sizeof line);
    assert_string_equal(line, "a\\x1b.yaml:1:1: error: a\\x0ab: got '\\x1b[2J'");
    levy_fault_list_release(&list);
}

static void test_faults_sort_by_place_then_arrival(void **state)
{
    (void)state;
    levy_fault_list list;
    levy_fault_list_init(&list, NULL);
    for (uint32_t i = 0; i < 900; ++i) {
        const levy_place place = {"f", (uint32_t)(base_random() % 3), (uint32_t)(base_random() % 7),
                                  (uint32_t)(base_random() % 5)};
        assert_non_null(levy_fault_add(&list, LEVY_REASON_TYPE, &place, "", NULL, "x"));
    }
    levy_fault_list_sort(&list);
    for (size_t i = 1; i < list.count; ++i) {
        const levy_fault *a = &list.items[i - 1], *b = &list.items[i];
        const uint64_t x =
            ((uint64_t)a->place.file_order * 8 + a->place.line) * 8 + a->place.column;
        const uint64_t y =
            ((uint64_t)b->place.file_order * 8 + b->place.line) * 8 + b->place.column;
        assert_true(x < y || (x == y && a->order < b->order));
    }
    levy_fault_list_release(&list);
}

static void test_faults_past_the_limit_are_counted_only(void **state)
{
    (void)state;
    levy_fault_list list;
    levy_fault_list_init(&list, NULL);
    for (size_t i = 0; i < LEVY_FAULT_LIMIT; ++i)
        assert_non_null(levy_fault_add(&list, LEVY_REASON_TYPE, NULL, "", NULL, "x"));
    assert_null(levy_fault_add(&list, LEVY_REASON_TYPE, NULL, "", NULL, "x"));
    assert_int_equal(list.count, LEVY_FAULT_LIMIT);
    assert_int_equal(list.errors, LEVY_FAULT_LIMIT + 1);
    assert_false(list.out_of_memory);
    levy_fault_list_release(&list);
    assert_int_equal(list.errors, 0);
}

static void test_faults_survive_lack_of_memory(void **state)
{
    (void)state;
    for (size_t fail = 1; fail < 4; ++fail) {
        base_counter counter = {.fail_at = fail};
        const levy_memory memory = base_counting(&counter);
        levy_fault_list list;
        levy_fault_list_init(&list, &memory);
        for (size_t i = 0; i < 200; ++i)
            levy_fault_add(&list, LEVY_REASON_TYPE, NULL, "path", "hint", "message %zu", i);
        assert_true(list.out_of_memory);
        assert_int_equal(list.errors, 200);
        assert_true(list.count < 200);
        levy_fault_list_sort(&list);
        levy_fault_list_release(&list);
        assert_int_equal(counter.live, 0);
    }
}

static void test_nearest_finds_slips_and_nothing_else(void **state)
{
    (void)state;
    static const char *const keys[] = {"strike", "strike_type", "option_type", "kind", "id", NULL};
    assert_string_equal(levy_nearest("strik", keys), "strike");
    assert_string_equal(levy_nearest("srtike", keys), "strike"); /* neighbours swapped: one slip */
    assert_string_equal(levy_nearest("STRIKE", keys), "strike");
    assert_string_equal(levy_nearest("optiontype", keys), "option_type");
    assert_string_equal(levy_nearest("knd", keys), "kind");
    assert_string_equal(levy_nearest("dkin", (const char *const[]){"kin", NULL}), "kin");
    assert_null(levy_nearest("maturity", keys));
    assert_null(levy_nearest("x", keys));
    assert_null(levy_nearest("", keys));
    assert_null(levy_nearest("strike", (const char *const[]){NULL}));
    char longest[200];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_null(levy_nearest(longest, keys));
    assert_null(levy_nearest("aaa", (const char *const[]){longest, NULL}));
}

/* ---- Numbers ---- */

static void test_number_grammar_is_refused_outside(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",      "-",     "+",     ".",        "-.",  "..5",  ".e5",      "1e",  "1e+",
        "1e1.5", "1 ",    " 1",    "1_0",      "1,0", "0x10", "1f",       "inf", "nan",
        "-inf",  ".inf",  "1.2.3", "1..2",     "--1", "+-1",  "1e5e5",    "e5",  "1E",
        "2^8",   "12:30", "1/2",   "\xD9\xA1", "1\n", ".5.",  "infinity", "1d5"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        double value = 42.0;
        assert_int_equal(levy_number_read(bad[i], strlen(bad[i]), &value), LEVY_NUMBER_GRAMMAR);
        assert_bits(value, 42.0);
    }
    double value = 42.0;
    assert_int_equal(levy_number_read("1\0"
                                      "2",
                                      3, &value),
                     LEVY_NUMBER_GRAMMAR);
    /* length, not NUL, ends the text */
    assert_int_equal(levy_number_read("12345", 2, &value), LEVY_NUMBER_OK);
    assert_bits(value, 12.0);
}

static void test_number_known_values(void **state)
{
    (void)state;
    assert_bits(base_read("0"), 0.0);
    assert_bits(base_read("-0"), -0.0);
    assert_bits(base_read("-0.000e99"), -0.0);
    assert_bits(base_read("+1.5"), 1.5);
    assert_bits(base_read(".92"), 0.92);
    assert_bits(base_read("-.5"), -0.5);
    assert_bits(base_read("+.5"), 0.5);
    assert_bits(base_read(".5e1"), 5.0);
    assert_bits(base_read("5."), 5.0);
    assert_bits(base_read("-5.e-1"), -0.5);
    assert_bits(base_read(".0"), 0.0);
    assert_bits(base_read("012"), 12.0);
    assert_bits(base_read("1E3"), 1000.0);
    assert_bits(base_read("0.1"), 0x1.999999999999ap-4);
    assert_bits(base_read("9007199254740993"), 9007199254740992.0); /* 2^53 + 1: a tie, to even */
    assert_bits(base_read("9007199254740993.0000000000000000000000000000000000001"),
                9007199254740994.0);
    assert_bits(base_read("1.7976931348623157e308"), DBL_MAX);
    /* froze PHP and Java in 2011 */
    assert_bits(base_read("2.2250738585072011e-308"), 0x0.fffffffffffffp-1022);
    assert_bits(base_read("2.2250738585072014e-308"), DBL_MIN);
    assert_bits(base_read("4.9406564584124654e-324"), 0x1p-1074);
    /* just above half of the smallest */
    assert_bits(base_read("2.4703282292062328e-324"), 0x1p-1074);
    assert_bits(base_read("2.4703282292062327e-324"), 0.0);
    assert_bits(base_read("1e-400"), 0.0);
    assert_bits(base_read("0e999999999999999999999"), 0.0);
    assert_bits(base_read("6.0221409e23"), 6.0221409e23);
}

static void test_number_overflow_is_named(void **state)
{
    (void)state;
    static const char *const large[] = {"1e309", "-1e400", "1.7976931348623159e308",
                                        "1e99999999999999999999", "179769313486231580793e289"};
    for (size_t i = 0; i < sizeof large / sizeof large[0]; ++i) {
        double value = 42.0;
        assert_int_equal(levy_number_read(large[i], strlen(large[i]), &value),
                         LEVY_NUMBER_OVERFLOW);
        assert_bits(value, 42.0);
    }
}

/* The C library's strtod in the C locale is an independent, correctly rounding reader (glibc). */
static void test_number_reads_as_strtod_does(void **state)
{
    (void)state;
    char text[128];
    for (size_t i = 0; i < 100000; ++i) {
        const size_t digits = 1 + base_random() % 40, point = base_random() % digits;
        size_t n = 0;
        for (size_t k = 0; k < digits; ++k) {
            text[n++] = (char)('0' + base_random() % 10);
            if (k == point && k + 1 < digits) text[n++] = '.';
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "e%d", (int)(base_random() % 700) - 350);
        const double expected = strtod(text, NULL);
        double value = 0.0;
        const levy_number_result result = levy_number_read(text, n, &value);
        assert_int_equal(result, isinf(expected) ? LEVY_NUMBER_OVERFLOW : LEVY_NUMBER_OK);
        if (result == LEVY_NUMBER_OK) assert_bits(value, expected);
    }
}

/* Halfway between two doubles, to the last of up to 767 digits, and one unit of the last digit to
 * each side. */
static void test_number_halfway_points_round_to_even(void **state)
{
    (void)state;
    static char text[1300];
    for (size_t i = 0; i < 600; ++i) {
        const uint64_t bits = base_random() & (i % 2 ? 0x001FFFFFFFFFFFFFu : 0x7FEFFFFFFFFFFFFFu);
        const double low = base_double(bits), high = base_double(bits + 1);
        if (!isfinite(low) || !isfinite(high)) continue;
        /* exact: 64 bits hold 54 */
        const long double half = ((long double)low + (long double)high) / 2;
        const int n = snprintf(text, sizeof text, "%.1100Le", half);
        const double expected = bits & 1 ? high : low;
        double value = 0.0;
        assert_int_equal(levy_number_read(text, (size_t)n, &value), LEVY_NUMBER_OK);
        assert_bits(value, expected);
        char *last = strchr(text, 'e') - 1;
        *last = '1'; /* above half, in the 1,100th digit */
        assert_int_equal(levy_number_read(text, (size_t)n, &value), LEVY_NUMBER_OK);
        assert_bits(value, high);
    }
}

static void test_number_long_texts(void **state)
{
    (void)state;
    static char text[60010];
    memset(text, '0', sizeof text);
    memcpy(text, "0.", 2);
    memcpy(text + 60000, "1e59999", 8);
    assert_bits(base_read(text), 1.0);
    memset(text, '9', 60000);
    text[60000] = '\0';
    double value = 0.0;
    assert_int_equal(levy_number_read(text, 60000, &value), LEVY_NUMBER_OVERFLOW);
    memcpy(text + 59000, "e-59000", 8);
    assert_bits(base_read(text), 1.0);
}

static void test_number_write_round_trips(void **state)
{
    (void)state;
    for (size_t i = 0; i < (LEVY_SANITIZED ? 10000 : 100000); ++i) {
        /* a third: subnormal */
        const uint64_t bits = base_random() & (i % 3 == 0 ? 0x800FFFFFFFFFFFFFu : UINT64_MAX);
        const double value = base_double(bits);
        char text[LEVY_NUMBER_SIZE];
        double back = 0.0;
        if (!isfinite(value)) continue;
        const size_t n = levy_number_write(value, text);
        assert_int_equal(n, strlen(text));
        assert_int_equal(levy_number_read(text, n, &back), LEVY_NUMBER_OK);
        assert_bits(back, value);
        assert_bits(strtod(text, NULL), value);
    }
}

static void test_number_write_is_short(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {-0.0, "-0"},
                 {0.1, "0.1"},
                 {-1.5, "-1.5"},
                 {100.0, "100"},
                 {1e15, "1e+15"},
                 {1e22, "1e+22"},
                 {0.30000000000000004, "0.30000000000000004"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {5e-324, "5e-324"},
                 {DBL_MIN, "2.2250738585072014e-308"},
                 {DBL_MAX, "1.7976931348623157e+308"},
                 {123456789012345.0, "123456789012345"},
                 {9007199254740993.0, "9007199254740992"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        char text[LEVY_NUMBER_SIZE];
        assert_int_equal(levy_number_write(cases[i].value, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
    }
    char text[LEVY_NUMBER_SIZE];
    levy_number_write((double)NAN, text);
    assert_string_equal(text, "nan");
    levy_number_write(-HUGE_VAL, text);
    assert_string_equal(text, "-inf");
}

static void test_thousands_are_told_apart(void **state)
{
    static const char *const cases[][2] = {{"1", "1"},
                                           {"-999", "-999"},
                                           {"1000", "1,000"},
                                           {"-1234567.1250", "-1,234,567.1250"},
                                           {"123456e5 %", "123,456e5 %"},
                                           {"nan", "nan"},
                                           {"", ""}};
    char text[24];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        assert_string_equal(levy_number_group(cases[i][0], text, sizeof text), cases[i][1]);
    assert_string_equal(levy_number_group("1234567", text, 5), "1,2");
}

static void test_number_write_fixed(void **state)
{
    (void)state;
    char text[400];
    assert_int_equal(levy_number_write_fixed(3.14159, 2, text, sizeof text), 4);
    assert_string_equal(text, "3.14");
    levy_number_write_fixed(-1234567.5, 0, text, sizeof text); /* a tie, to even */
    assert_string_equal(text, "-1234568");
    assert_int_equal(levy_number_write_fixed(1e300, 1, text, sizeof text), 303);
    assert_int_equal(levy_number_write_fixed(12.345, 3, text, 4), 6);
    assert_string_equal(text, "12.");
    levy_number_write_fixed((double)NAN, 3, text, sizeof text);
    assert_string_equal(text, "nan");
}

static void test_number_ignores_the_locale(void **state)
{
    (void)state;
    static const char *const comma[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE",
                                        "fr_FR.UTF-8", "fr_FR.utf8", "fr_FR"};
    const char *set = NULL;
    for (size_t i = 0; i < sizeof comma / sizeof comma[0] && !set; ++i)
        set = setlocale(LC_ALL, comma[i]);
    if (!set) {
        print_message("skipped: no locale with a decimal comma\n");
        skip();
    }
    char text[LEVY_NUMBER_SIZE], fixed[32];
    levy_number_write(0.25, text);
    levy_number_write_fixed(0.25, 3, fixed, sizeof fixed);
    const double value = base_read("1234.5678901234567890");
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "0.25");
    assert_string_equal(fixed, "0.250");
    assert_bits(value, 1234.567890123456789);
}

static void test_count_reads_digits_and_powers_of_two(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        levy_number_result result;
        uint64_t value;
    } cases[] = {{"0", LEVY_NUMBER_OK, 0},
                 {"4096", LEVY_NUMBER_OK, 4096},
                 {"007", LEVY_NUMBER_OK, 7},
                 {"2^0", LEVY_NUMBER_OK, 1},
                 {"2^18", LEVY_NUMBER_OK, 262144},
                 {"2^63", LEVY_NUMBER_OK, (uint64_t)1 << 63},
                 {"18446744073709551615", LEVY_NUMBER_OK, UINT64_MAX},
                 {"18446744073709551616", LEVY_NUMBER_OVERFLOW, 42},
                 {"2^64", LEVY_NUMBER_OVERFLOW, 42},
                 {"2^99999999999999999999", LEVY_NUMBER_OVERFLOW, 42},
                 {"", LEVY_NUMBER_GRAMMAR, 42},
                 {"-1", LEVY_NUMBER_GRAMMAR, 42},
                 {"+1", LEVY_NUMBER_GRAMMAR, 42},
                 {"1e3", LEVY_NUMBER_GRAMMAR, 42},
                 {"1.0", LEVY_NUMBER_GRAMMAR, 42},
                 {"2^", LEVY_NUMBER_GRAMMAR, 42},
                 {"3^4", LEVY_NUMBER_GRAMMAR, 42},
                 {"2^-1", LEVY_NUMBER_GRAMMAR, 42},
                 {" 1", LEVY_NUMBER_GRAMMAR, 42},
                 {"2^1^1", LEVY_NUMBER_GRAMMAR, 42}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        uint64_t value = 42;
        assert_int_equal(levy_count_read(cases[i].text, strlen(cases[i].text), &value),
                         cases[i].result);
        assert_int_equal(value, cases[i].value);
    }
}

/* ---- Dates ---- */

/* All 109,572 days, counted on by hand from a known one: 1900-01-01 was a Monday, 25,567 days
 * before 1970-01-01. */
static void test_date_every_day_round_trips(void **state)
{
    (void)state;
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    levy_date expected = -25567;
    int weekday = 0;
    for (int year = 1900; year <= 2199; ++year) {
        const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        for (int month = 1; month <= 12; ++month) {
            for (int day = 1; day <= lengths[month - 1] + (leap && month == 2);
                 day++, ++expected, weekday = (weekday + 1) % 7) {
                levy_date date = 0;
                int y = 0, m = 0, d = 0;
                assert_true(levy_date_from_civil(year, month, day, &date));
                assert_int_equal(date, expected);
                levy_date_to_civil(date, &y, &m, &d);
                assert_true(y == year && m == month && d == day);
                assert_int_equal(levy_date_weekday(date), weekday);
            }
        }
    }
    assert_int_equal(expected, -25567 + 109572 + 1); /* 300 * 365 + 73 leap days */
}

static void test_date_known_serials(void **state)
{
    (void)state;
    assert_int_equal(base_date("1970-01-01"), 0);
    assert_int_equal(base_date("2000-03-01"), 11017); /* date -d 2000-03-01 +%s / 86400 */
    assert_int_equal(base_date("2038-01-19"), 24855); /* 2^31 s = 24,855 days and a bit */
    assert_int_equal(levy_date_weekday(base_date("2000-01-01")), 5);
    assert_int_equal(levy_date_weekday(base_date("2026-11-20")), 4);
}

static void test_date_refuses_what_is_no_date(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "2026-02-29",  "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31",         "2026-01-00",
        "1899-12-31",  "2200-01-01", "2026-1-01",  "26-01-01",   "2026/01/01",         "20260101",
        "2026-01-01 ", "",           "2026-01-1x", "-026-01-01", "2026-01-01T00:00:00"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
        levy_date date = 77;
        assert_false(levy_date_read(bad[i], strlen(bad[i]), &date));
        assert_int_equal(date, 77);
    }
    assert_date(base_date("2000-02-29"), "2000-02-29");
    assert_date(base_date("2199-12-31"), "2199-12-31");
}

typedef struct base_span {
    const char *from, *to;
    double numerator, denominator;
} base_span;

/* The examples of ISDA's memorandum "EMU and market conventions: recent developments" (1998),
 * column ISDA. */
static void test_day_count_act_act_isda(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        double common, leap;
    } cases[] = {{"2003-11-01", "2004-05-01", 61, 121},  {"1999-02-01", "1999-07-01", 150, 0},
                 {"1999-07-01", "2000-07-01", 184, 182}, {"2002-08-15", "2003-07-15", 334, 0},
                 {"2003-07-15", "2004-01-15", 170, 14},  {"1999-07-30", "2000-01-30", 155, 29},
                 {"2000-01-30", "2000-06-30", 0, 152},   {"1999-11-30", "2000-04-30", 32, 120}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        const double expected = cases[i].common / 365.0 + cases[i].leap / 366.0;
        const double value =
            levy_year_fraction(LEVY_ACT_ACT_ISDA, base_date(cases[i].from), base_date(cases[i].to));
        assert_true(fabs(value - expected) <= 4 * DBL_EPSILON);
    }
    assert_bits(
        levy_year_fraction(LEVY_ACT_ACT_ISDA, base_date("1999-01-01"), base_date("2005-01-01")),
        6.0);
    assert_true(fabs(levy_year_fraction(LEVY_ACT_ACT_ISDA, base_date("2003-11-01"),
                                        base_date("2004-05-01")) -
                     0.49772438056740776) < 1e-15);
}

/* Worked by hand from formula 4.16 (f): D1 = 31 becomes 30; D2 = 31 becomes 30 if D1 is 30 or 31.
 */
static void test_day_count_30_360(void **state)
{
    (void)state;
    static const base_span cases[] = {
        {"2007-01-15", "2007-01-30", 15, 360},  {"2007-01-15", "2007-02-15", 30, 360},
        {"2007-01-15", "2007-07-15", 180, 360}, {"2007-09-30", "2008-03-31", 180, 360},
        {"2007-09-30", "2007-10-31", 30, 360},  {"2007-09-30", "2008-09-30", 360, 360},
        {"2007-01-15", "2007-01-31", 16, 360},  {"2007-01-31", "2007-02-28", 28, 360},
        {"2007-02-28", "2007-03-31", 33, 360},  {"2006-08-31", "2007-02-28", 178, 360},
        {"2007-02-28", "2007-08-31", 183, 360}, {"2007-02-14", "2007-02-28", 14, 360},
        {"2007-02-26", "2008-02-29", 363, 360}, {"2008-02-29", "2009-02-28", 359, 360},
        {"2008-02-29", "2008-03-30", 31, 360},  {"2008-02-29", "2008-03-31", 32, 360},
        {"2007-10-31", "2007-11-28", 28, 360},  {"2007-08-31", "2008-02-29", 179, 360}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_bits(
            levy_year_fraction(LEVY_30_360, base_date(cases[i].from), base_date(cases[i].to)),
            cases[i].numerator / cases[i].denominator);
}

static void test_day_count_actual(void **state)
{
    (void)state;
    /* 3 + 31 + 28 = 62 days */
    const levy_date from = base_date("2007-12-28"), to = base_date("2008-02-28");
    assert_bits(levy_year_fraction(LEVY_ACT_360, from, to), 62.0 / 360.0);
    assert_bits(levy_year_fraction(LEVY_ACT_365_FIXED, from, to), 62.0 / 365.0);
    assert_bits(
        levy_year_fraction(LEVY_ACT_365_FIXED, base_date("2004-01-01"), base_date("2005-01-01")),
        366.0 / 365.0);
}

static void test_day_count_is_antisymmetric(void **state)
{
    (void)state;
    static const levy_day_count rules[] = {LEVY_ACT_365_FIXED, LEVY_ACT_360, LEVY_30_360,
                                           LEVY_ACT_ACT_ISDA};
    for (size_t i = 0; i < 4000; ++i) {
        const levy_date a = (levy_date)(base_random() % 80000) - 20000,
                        b = (levy_date)(base_random() % 80000) - 20000;
        const double forward = levy_year_fraction(rules[i % 4], a, b);
        assert_bits(0.0 + levy_year_fraction(rules[i % 4], b, a), 0.0 - forward);
        assert_true(fabs(forward - (double)(b - a) / 365.2425) < 0.02 + 0.016 * fabs(forward));
    }
}

static void test_tenor_reads_count_and_unit(void **state)
{
    (void)state;
    static const char *const bad[] = {"",      "D",      "5",   "5d",  "-1D", "1.5Y",
                                      "1201M", "00001D", "5 D", "5DD", "3Q"};
    levy_tenor tenor = {0};
    assert_true(levy_tenor_read("5D", 2, &tenor));
    assert_true(tenor.count == 5 && tenor.unit == 'D');
    assert_true(levy_tenor_read("1200M", 5, &tenor));
    assert_true(tenor.count == 1200 && tenor.unit == 'M');
    assert_true(levy_tenor_read("0W", 2, &tenor));
    assert_true(tenor.count == 0 && tenor.unit == 'W');
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; ++i)
        assert_false(levy_tenor_read(bad[i], strlen(bad[i]), &tenor));
}

static void test_date_add_clamps_to_month_ends(void **state)
{
    (void)state;
    static const struct {
        const char *from;
        levy_tenor tenor;
        bool eom;
        const char *to;
    } cases[] = {{"2026-01-31", {1, 'M'}, false, "2026-02-28"},
                 {"2024-01-31", {1, 'M'}, false, "2024-02-29"},
                 {"2024-02-29", {1, 'Y'}, false, "2025-02-28"},
                 {"2024-02-29", {1, 'M'}, false, "2024-03-29"},
                 {"2024-02-29", {1, 'M'}, true, "2024-03-31"},
                 {"2024-02-28", {1, 'M'}, true, "2024-03-28"},
                 {"2026-11-20", {2, 'W'}, false, "2026-12-04"},
                 {"2026-12-31", {1, 'D'}, false, "2027-01-01"},
                 {"2026-11-20", {14, 'M'}, false, "2028-01-20"},
                 {"2026-11-20", {0, 'M'}, false, "2026-11-20"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        levy_date date = 0;
        assert_true(levy_date_add(base_date(cases[i].from), cases[i].tenor, cases[i].eom, &date));
        assert_date(date, cases[i].to);
    }
    levy_date date = 0;
    assert_false(levy_date_add(base_date("2199-12-31"), (levy_tenor){1, 'D'}, false, &date));
    assert_false(levy_date_add(base_date("2150-12-31"), (levy_tenor){100, 'Y'}, false, &date));
    assert_false(levy_date_add(0, (levy_tenor){1, 'Q'}, false, &date));
}

/* Easter 2026: Good Friday 3 April, Easter Monday 6 April; weekend Saturday and Sunday. */
static levy_date base_holidays[2];
static levy_calendar base_calendar(void)
{
    base_holidays[0] = base_date("2026-04-03");
    base_holidays[1] = base_date("2026-04-06");
    return (levy_calendar){
        .name = "EUTA", .weekend = 0x60, .holidays = base_holidays, .n_holidays = 2};
}

static void test_business_days_join_calendars(void **state)
{
    (void)state;
    const levy_calendar euta = base_calendar();
    const levy_date may_day = base_date("2026-05-01");
    const levy_calendar other = {.name = "X",
                                 .weekend = 0x10,
                                 .holidays = &may_day,
                                 .n_holidays = 1}; /* closed on Fridays */
    const levy_calendar *both[] = {&euta, &other};
    assert_true(levy_is_business_day(base_date("2026-04-02"), both, 2));
    assert_false(levy_is_business_day(base_date("2026-04-03"), both, 1));
    assert_false(levy_is_business_day(base_date("2026-04-04"), both, 1));
    assert_true(levy_is_business_day(base_date("2026-04-10"), both, 1));
    assert_false(levy_is_business_day(base_date("2026-04-10"), both, 2));
    assert_true(levy_is_business_day(base_date("2026-04-04"), NULL, 0));
}

static void test_roll_conventions(void **state)
{
    (void)state;
    const levy_calendar euta = base_calendar();
    const levy_calendar *calendars[] = {&euta};
    static const struct {
        const char *from;
        levy_roll roll;
        const char *to;
    } cases[] = {{"2026-04-03", LEVY_ROLL_NONE, "2026-04-03"},
                 {"2026-04-02", LEVY_ROLL_FOLLOWING, "2026-04-02"},
                 {"2026-04-03", LEVY_ROLL_FOLLOWING, "2026-04-07"},
                 {"2026-04-06", LEVY_ROLL_PRECEDING, "2026-04-02"},
                 {"2026-05-31", LEVY_ROLL_FOLLOWING, "2026-06-01"},
                 /* Sunday, the month's last day */
                 {"2026-05-31", LEVY_ROLL_MODIFIED_FOLLOWING, "2026-05-29"},
                 {"2026-05-30", LEVY_ROLL_MODIFIED_FOLLOWING, "2026-05-29"},
                 {"2026-04-03", LEVY_ROLL_MODIFIED_FOLLOWING, "2026-04-07"},
                 {"2026-02-01", LEVY_ROLL_PRECEDING, "2026-01-30"},
                 /* Sunday, the month's first day */
                 {"2026-02-01", LEVY_ROLL_MODIFIED_PRECEDING, "2026-02-02"},
                 {"2026-02-14", LEVY_ROLL_NEAREST, "2026-02-13"},
                 {"2026-02-15", LEVY_ROLL_NEAREST, "2026-02-16"},
                 {"2026-04-03", LEVY_ROLL_NEAREST, "2026-04-02"},
                 {"2026-04-04", LEVY_ROLL_NEAREST, "2026-04-02"},
                 {"2026-04-06", LEVY_ROLL_NEAREST, "2026-04-07"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i)
        assert_date(levy_date_roll(base_date(cases[i].from), cases[i].roll, calendars, 1),
                    cases[i].to);
    const levy_calendar never = {
        .name = "never", .weekend = 0x7F, .holidays = NULL, .n_holidays = 0};
    calendars[0] = &never;
    assert_date(levy_date_roll(base_date("2026-04-03"), LEVY_ROLL_FOLLOWING, calendars, 1),
                "2026-04-03");
}

static void test_nearest_roll_breaks_ties_by_weekday(void **state)
{
    (void)state;
    const levy_date wednesday = base_date("2026-04-15"), monday = base_date("2026-04-20");
    const levy_calendar midweek = {.name = "w",
                                   .weekend = 0,
                                   .holidays = &wednesday,
                                   .n_holidays = 1},
                        start = {.name = "m", .weekend = 0, .holidays = &monday, .n_holidays = 1};
    const levy_calendar *calendars[] = {&midweek};
    assert_date(levy_date_roll(wednesday, LEVY_ROLL_NEAREST, calendars, 1), "2026-04-14");
    calendars[0] = &start;
    assert_date(levy_date_roll(monday, LEVY_ROLL_NEAREST, calendars, 1), "2026-04-21");
}

static void test_business_days_are_added(void **state)
{
    (void)state;
    const levy_calendar euta = base_calendar();
    const levy_calendar *calendars[] = {&euta};
    assert_date(levy_date_add_business_days(base_date("2026-04-01"), 2, calendars, 1),
                "2026-04-07");
    assert_date(levy_date_add_business_days(base_date("2026-04-04"), 1, calendars, 1),
                "2026-04-07");
    assert_date(levy_date_add_business_days(base_date("2026-04-04"), 0, calendars, 1),
                "2026-04-07");
    assert_date(levy_date_add_business_days(base_date("2026-04-07"), -1, calendars, 1),
                "2026-04-02");
    assert_date(levy_date_add_business_days(base_date("2026-11-20"), 2, NULL, 0), "2026-11-22");
}

/* ---- Schedules ---- */

static void assert_schedule(const levy_schedule_rule *rule, const char *const *expected)
{
    levy_arena arena;
    levy_date *dates = NULL;
    size_t n = 0, i = 0;
    levy_arena_init(&arena, NULL);
    assert_true(levy_schedule_build(rule, &arena, &dates, &n));
    for (; expected[i]; ++i) {
        assert_true(i < n);
        assert_date(dates[i], expected[i]);
    }
    assert_int_equal(n, i);
    levy_arena_release(&arena);
}

static void test_schedule_month_ends_do_not_drift(void **state)
{
    (void)state;
    const levy_schedule_rule rule = {
        .start = base_date("2026-01-31"), .end = base_date("2026-06-15"), .frequency = {1, 'M'}};
    assert_schedule(&rule, (const char *const[]){"2026-01-31", "2026-02-28", "2026-03-31",
                                                 "2026-04-30", "2026-05-31", "2026-06-15", NULL});
}

static void test_schedule_backward_has_its_short_period_first(void **state)
{
    (void)state;
    const levy_schedule_rule rule = {.start = base_date("2026-01-10"),
                                     .end = base_date("2026-12-31"),
                                     .frequency = {3, 'M'},
                                     .backward = true,
                                     .end_of_month = true};
    assert_schedule(&rule, (const char *const[]){"2026-01-10", "2026-03-31", "2026-06-30",
                                                 "2026-09-30", "2026-12-31", NULL});
}

static void test_schedule_rolls_and_drops_duplicates(void **state)
{
    (void)state;
    const levy_calendar euta = base_calendar();
    const levy_calendar *calendars[] = {&euta};
    levy_schedule_rule rule = {.start = base_date("2026-04-01"),
                               .end = base_date("2026-04-08"),
                               .frequency = {1, 'D'},
                               .roll = LEVY_ROLL_FOLLOWING,
                               .calendars = calendars,
                               .n_calendars = 1};
    assert_schedule(
        &rule, (const char *const[]){"2026-04-01", "2026-04-02", "2026-04-07", "2026-04-08", NULL});
    rule.exclude_start = true;
    assert_schedule(&rule, (const char *const[]){"2026-04-02", "2026-04-07", "2026-04-08", NULL});
}

static void test_schedule_limits(void **state)
{
    (void)state;
    levy_arena arena;
    levy_date *dates = NULL;
    size_t n = 0;
    levy_arena_init(&arena, NULL);
    levy_schedule_rule rule = {
        .start = base_date("1900-01-01"), .end = base_date("2199-12-31"), .frequency = {1, 'D'}};
    assert_false(levy_schedule_build(&rule, &arena, &dates, &n)); /* 109,573 dates */
    rule.end = rule.start + 99999;
    assert_true(levy_schedule_build(&rule, &arena, &dates, &n));
    assert_int_equal(n, 100000);
    rule.end++;
    assert_false(levy_schedule_build(&rule, &arena, &dates, &n));
    rule.frequency.count = 0;
    assert_false(levy_schedule_build(&rule, &arena, &dates, &n));
    rule.frequency.count = 1;
    rule.end = rule.start - 1;
    assert_false(levy_schedule_build(&rule, &arena, &dates, &n));
    rule.end = rule.start;
    assert_true(levy_schedule_build(&rule, &arena, &dates, &n));
    assert_int_equal(n, 1);
    rule.exclude_start = true;
    assert_true(levy_schedule_build(&rule, &arena, &dates, &n));
    assert_int_equal(n, 0);
    levy_arena_release(&arena);
}

/* ---- Order ---- */

/* Finite numbers of all sizes, with equal ones: rising, every index once, equal keys in their own
 * order. */
static void test_order_is_stable(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 1000, 100000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; ++s) {
        const size_t n = sizes[s];
        double *const keys = calloc(n + 1, sizeof *keys);
        uint32_t *const order = calloc(n + 1, sizeof *order);
        bool *const seen = calloc(n + 1, sizeof *seen);
        for (size_t i = 0; i < n; ++i) {
            const double wild = base_double(base_random());
            keys[i] =
                i % 3 == 0 || !isfinite(wild) ? (double)(int64_t)(base_random() % 21) - 10.0 : wild;
        }
        assert_true(levy_order(&levy_memory_default, keys, n, order));
        for (size_t i = 0; i < n; ++i) {
            assert_true(order[i] < n && !seen[order[i]]);
            seen[order[i]] = true;
            if (i == 0) continue;
            const double before = keys[order[i - 1]], here = keys[order[i]];
            assert_true(before < here || (before == here && order[i - 1] < order[i]));
        }
        free(keys);
        free(order);
        free(seen);
    }
    const double zeros[] = {0.0, -0.0};
    uint32_t order[2];
    assert_true(levy_order(&levy_memory_default, zeros, 2, order));
    assert_true(order[0] == 1 && order[1] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_status_every_code_has_a_sentence),
        cmocka_unit_test(test_reason_every_code_has_a_word),
        cmocka_unit_test(test_size_multiply_detects_overflow),
        cmocka_unit_test(test_memory_allocate_zeroes_and_refuses_overflow),
        cmocka_unit_test(test_arrays_grow_and_keep_their_items),
        cmocka_unit_test(test_arena_memory_is_zeroed_and_aligned),
        cmocka_unit_test(test_a_cleared_arena_gives_zeros_again),
        cmocka_unit_test(test_arena_refuses_overflow_and_failure),
        cmocka_unit_test(test_an_arena_is_handed_over_with_all_that_it_counted),
        cmocka_unit_test(test_an_arena_that_would_have_met_the_limit_stays),
        cmocka_unit_test(test_what_does_not_fit_says_what_is_in_use),
        cmocka_unit_test(test_arena_copies_and_formats_text),
        cmocka_unit_test(test_text_character_follows_rfc_3629),
        cmocka_unit_test(test_text_escape_hides_what_terminals_obey),
        cmocka_unit_test(test_fault_line_has_place_path_and_message),
        cmocka_unit_test(test_fault_line_without_place_or_path),
        cmocka_unit_test(test_fault_text_is_escaped),
        cmocka_unit_test(test_faults_sort_by_place_then_arrival),
        cmocka_unit_test(test_faults_past_the_limit_are_counted_only),
        cmocka_unit_test(test_faults_survive_lack_of_memory),
        cmocka_unit_test(test_nearest_finds_slips_and_nothing_else),
        cmocka_unit_test(test_number_grammar_is_refused_outside),
        cmocka_unit_test(test_number_known_values),
        cmocka_unit_test(test_number_overflow_is_named),
        cmocka_unit_test(test_number_reads_as_strtod_does),
        cmocka_unit_test(test_number_halfway_points_round_to_even),
        cmocka_unit_test(test_number_long_texts),
        cmocka_unit_test(test_number_write_round_trips),
        cmocka_unit_test(test_number_write_is_short),
        cmocka_unit_test(test_thousands_are_told_apart),
        cmocka_unit_test(test_number_write_fixed),
        cmocka_unit_test(test_number_ignores_the_locale),
        cmocka_unit_test(test_count_reads_digits_and_powers_of_two),
        cmocka_unit_test(test_date_every_day_round_trips),
        cmocka_unit_test(test_date_known_serials),
        cmocka_unit_test(test_date_refuses_what_is_no_date),
        cmocka_unit_test(test_day_count_act_act_isda),
        cmocka_unit_test(test_day_count_30_360),
        cmocka_unit_test(test_day_count_actual),
        cmocka_unit_test(test_day_count_is_antisymmetric),
        cmocka_unit_test(test_tenor_reads_count_and_unit),
        cmocka_unit_test(test_date_add_clamps_to_month_ends),
        cmocka_unit_test(test_business_days_join_calendars),
        cmocka_unit_test(test_roll_conventions),
        cmocka_unit_test(test_nearest_roll_breaks_ties_by_weekday),
        cmocka_unit_test(test_business_days_are_added),
        cmocka_unit_test(test_schedule_month_ends_do_not_drift),
        cmocka_unit_test(test_schedule_backward_has_its_short_period_first),
        cmocka_unit_test(test_schedule_rolls_and_drops_duplicates),
        cmocka_unit_test(test_schedule_limits),
        cmocka_unit_test(test_order_is_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
