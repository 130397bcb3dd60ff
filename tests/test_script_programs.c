/* test_script_programs.c: what prices cannot tell of the programs of integrated scripts: it is
 * there to make them fast. */
#include "tests/cmocka_all.h"

#include "tests/generated/script_books.h"
#include "tests/planned.h"
#include "tests/problem_load.h"

#include <stdio.h>
#include <stdlib.h>

enum { BOOKS = LEVY_SANITIZED ? 100 : 400 };

/* ---- Steps of segments below all normals (engine/script/lower_tail.h) ---- */

/* How often the steps read a register that holds a constant, which one of them has put there. held:
 * [register]. */
static uint32_t n_read_of_held(const levy_script_step *steps, uint32_t n, bool *held)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < n; ++k) {
        const levy_script_step *const s = &steps[k];
        const uint16_t operands[] = {s->a, s->b, s->c};
        for (uint32_t i = 0; i < levy_script_operands(s->op); ++i)
            found += !(operands[i] & LEVY_SCRIPT_AT) && held[operands[i]];
        if (s->op != LEVY_SCRIPT_WHERE) {
            held[s->to] =
                s->op == LEVY_SCRIPT_MOVE && (s->a & LEVY_SCRIPT_AT) == LEVY_SCRIPT_AT_CONSTANT;
            continue;
        }
        found += n_read_of_held(s + 1, s->b, held);
        for (uint32_t i = 1; i <= s->b; ++i) held[s[i].to] = false;
        k += s->b;
    }
    return found;
}

/* Adds up the program's low steps. What is known there is read as the constant that it is. */
static uint32_t n_low_steps(const levy_script_program *p, uint64_t seed)
{
    uint32_t n = 0;
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        const levy_script_block *const block = &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[b];
        bool held[LEVY_SCRIPT_REGISTERS] = {false};
        const uint32_t found = n_read_of_held(
            LEVY_SCRIPT_PROGRAM_STEPS(p) + block->first + block->n, block->n_lower_tail, held);
        if (found > 0) fail_msg("script %u, block %u: %u operands", (unsigned)seed, b, found);
        n += block->n_lower_tail;
    }
    return n;
}

static void test_low_steps_read_constants_as_such(void **state)
{
    choices *const c = malloc(sizeof *c);
    generated_book *const text = malloc(sizeof *text);
    uint32_t n_low = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= BOOKS; ++seed) {
        planned p;
        choices_from_seed(c, seed);
        scripts_write(c, text);
        loaded_book book = load_text(text->text);
        assert_non_null(book.problem);
        plan_problem(&p, book.problem);
        const levy_image *const image = p.plan->image;
        const levy_image_item *const items = LEVY_IMAGE_AT(levy_image_item, image, items);
        for (uint32_t i = 0; i < image->n_items; ++i)
            if (items[i].traits & LEVY_ITEM_SCRIPT)
                n_low += n_low_steps(levy_image_program(image, &items[i]), seed);
        unplan(&p);
        loaded_book_release(&book);
    }
    assert_true(n_low > BOOKS / 4);
    free(text);
    free(c);
}

/* ---- Segments ---- */

static uint32_t n_segments(const char *script)
{
    char text[2048];
    planned p;
    snprintf(
        text, sizeof text,
        "schema_version: 1\nmarket: {curves: {USD: 0.03}, assets: {A: {currency: USD, spot: 100, "
        "volatility: 0.25}}}\nmodels: {m: {kind: black_scholes, assets: [A]}}\ntrades: [{id: t, "
        "underlying: A, exercise: {expiry: 1}, payoff: {kind: script, levels: "
        "percent_of_initial, schedules: {days: {count: 40}}, script: \"%s\"}}]\n"
        "simulation: {smoothing: all}\n",
        script);
    loaded_book book = load_text(text);
    assert_int_equal(book.status, LEVY_OK);
    plan_problem(&p, book.problem);
    assert_int_equal(p.status, LEVY_OK);
    const levy_image *const image = p.plan->image;
    const uint32_t n =
        levy_image_program(image, LEVY_IMAGE_AT(levy_image_item, image, items))->n_segments;
    unplan(&p);
    loaded_book_release(&book);
    return n;
}

/* What a condition sets for good cuts no segment at each date, however many variables that are; a
 * condition within another does. */
static void test_what_is_set_for_good_needs_few_segments(void **state)
{
#define VARS "var a = 0; var b = 0; var c = 0; var d = 0; at days { "
#define END " }; at expiry { pay a + b + c + d }"
    (void)state;
    const uint32_t apart = n_segments(VARS "if level < 0.9 { a = 1 }; if level < 0.9 { b = 2 }; if "
                                           "level > 1.1 { c = 3 }; if level > 1.1 { d = 4 }" END);
    assert_true(apart > 0 && apart < 40);
    assert_int_equal(n_segments(VARS "if level < 0.9 { a = 1; b = 2 }; if level > 1.1 { c = 3; d = "
                                     "4 }" END),
                     apart);
    assert_true(n_segments(VARS "if level < 0.9 { a = 1; if level > 0.8 { b = 2 } }; if level > "
                                "1.1 { c = 3; if level < 1.2 { d = 4 } }" END) > 40);
#undef VARS
#undef END
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_low_steps_read_constants_as_such),
        cmocka_unit_test(test_what_is_set_for_good_needs_few_segments)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
