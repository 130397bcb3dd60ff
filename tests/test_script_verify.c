/* test_script_verify.c: the verifier of programs. Every program that the examples are compiled,
 * integrated or softened to holds; what is damaged in any way that the verifier names does not; and
 * a damaged program is planned into no price. */
#include "engine/script/verify.h"

#include "tests/cmocka_all.h"

#include "tests/planned.h"
#include "tests/problem_load.h"
#include "tests/script_case.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { PROGRAM_SIZE = 1 << 17, FILE_SIZE = 1 << 16 };

static bool holds(const levy_script_program *p)
{
    char why[LEVY_SCRIPT_VERIFY_WHY];
    return levy_script_verify(p, why);
}

/* ---- Programs that hold ---- */

static void (*seen_program)(const levy_script_program *p);
static size_t n_seen;

static void see(const levy_script_program *p)
{
    char why[LEVY_SCRIPT_VERIFY_WHY];
    if (!p) return;
    if (!levy_script_verify(p, why)) fail_msg("%s", why);
    seen_program(p);
    ++n_seen;
}

static void see_trades(const char *path, const levy_override *overrides, size_t n)
{
    static char text[FILE_SIZE];
    FILE *const file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const levy_input input = {.name = "book.yaml", .text = text, .length = length};
    loaded_book book = load_inputs(&input, 1, overrides, n);
    for (size_t t = 0; book.problem && t < book.problem->n_trades; ++t) {
        const levy_trade *const trade = &book.problem->trades[t];
        const levy_scripted *const all[] = {trade->kind.scripted, trade->other.scripted};
        for (size_t k = 0; k < 2; ++k) {
            if (!all[k]) continue;
            see(all[k]->script.program);
            see(all[k]->integrated.program);
            see(all[k]->soft.program);
        }
    }
    loaded_book_release(&book);
}

static void see_folder(const char *folder)
{
    static const levy_override wide = {"simulation.smoothing", "{width: 0.01}"},
                               all = {"simulation.smoothing", "all"};
    char path[1024];
    DIR *const entries = opendir(folder);
    assert_non_null(entries);
    for (struct dirent *at = readdir(entries); at; at = readdir(entries)) {
        if (!strstr(at->d_name, ".yaml")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, at->d_name);
        see_trades(path, &all, 1);
        see_trades(path, &wide, 1);
    }
    closedir(entries);
}

static void look_on(const levy_script_program *p) { (void)p; }

static void test_programs_of_examples_hold(void **state)
{
    (void)state;
    seen_program = look_on;
    n_seen = 0;
    see_folder(LEVY_SOURCE_DIR "/configs/payoffs");
    see_folder(LEVY_SOURCE_DIR "/tests/books");
    assert_true(n_seen > 100);
}

/* ---- Damage ---- */

static union {
    levy_script_program program;
    char bytes[PROGRAM_SIZE];
} copy;
static size_t n_damaged[8];

static levy_script_step *copied_steps(const levy_script_program *p)
{
    assert_true(p->bytes <= PROGRAM_SIZE);
    memcpy(copy.bytes, p, p->bytes);
    return (levy_script_step *)(size_t)LEVY_SCRIPT_PROGRAM_STEPS(&copy.program);
}

static void refuse(size_t kind, uint32_t step)
{
    if (holds(&copy.program)) fail_msg("damage of kind %zu at step %u is not seen", kind, step);
    ++n_damaged[kind];
}

/* Each step is damaged in every way that can be told from the step alone. */
static void damage_step(const levy_script_program *p, uint32_t k)
{
    levy_script_step *const s = copied_steps(p) + k;
    const levy_script_step was = *s;
    uint16_t *const operands[] = {&s->a, &s->b, &s->c};
    s->op = LEVY_SCRIPT_OPS;
    refuse(0, k);
    *s = was;
    if (was.op != LEVY_SCRIPT_WHERE && p->n_registers < LEVY_SCRIPT_REGISTERS) {
        s->to = (uint8_t)p->n_registers;
        refuse(1, k);
        *s = was;
    }
    for (uint32_t i = 0; i < levy_script_operands(was.op); ++i) {
        const uint16_t beyond[] = {(uint16_t)(LEVY_SCRIPT_AT_CONSTANT + p->n_constants),
                                   (uint16_t)(LEVY_SCRIPT_AT_TERM + p->n_terms),
                                   (uint16_t)(LEVY_SCRIPT_AT_LEVEL + 3 * p->n_assets),
                                   (uint16_t)p->n_registers};
        for (uint32_t j = 0; j < 4; ++j) {
            *operands[i] = beyond[j];
            refuse(2 + j, k);
            *s = was;
        }
    }
    if (was.op == LEVY_SCRIPT_WHERE) {
        s->b = LEVY_SCRIPT_STEPS;
        refuse(6, k);
    }
}

static void damage(const levy_script_program *p)
{
    for (uint32_t b = 0; b < p->n_blocks; ++b) {
        const levy_script_block *const block = &LEVY_SCRIPT_PROGRAM_BLOCKS(p)[b];
        for (uint32_t k = 0; k < block->n + block->n_lower_tail; ++k)
            damage_step(p, block->first + k);
        copied_steps(p);
        levy_script_block *const own =
            (levy_script_block *)(size_t)LEVY_SCRIPT_PROGRAM_BLOCKS(&copy.program);
        own[b].n = p->n_steps + 1;
        refuse(7, b);
    }
    copied_steps(p);
    ++copy.program.n_registers;
    copy.program.n_constants = 0;
    refuse(7, 0);
    copied_steps(p);
    ++copy.program.n_blocks;
    refuse(7, 0);
}

static void test_damage_is_seen(void **state)
{
    (void)state;
    memset(n_damaged, 0, sizeof n_damaged);
    seen_program = damage;
    see_folder(LEVY_SOURCE_DIR "/configs/payoffs");
    for (size_t k = 0; k < sizeof n_damaged / sizeof *n_damaged; ++k)
        if (n_damaged[k] < 20) fail_msg("damage of kind %zu was done %zu times", k, n_damaged[k]);
}

/* ---- Values ---- */

static void test_a_value_is_written_before_it_is_read(void **state)
{
    (void)state;
    script_case c;
    script_begin(&c, 1, 2, 0, 1);
    script_block(&c, 0);
    SCRIPT_PUT(&c, LESS, 1, X(0), K(1), 0);
    SCRIPT_PUT(&c, WHERE, 0, 1, 2, 0);
    SCRIPT_PUT(&c, ADD, 2, 0, X(0), 0);
    SCRIPT_PUT(&c, SELECT, 0, 1, 2, 0);
    assert_true(holds(script_made(&c)));
    SCRIPT_PUT(&c, MOVE, 0, 2, 0, 0); /* what a WHERE has made, behind it */
    assert_false(holds(script_made(&c)));
    script_begin(&c, 1, 2, 0, 1);
    script_block(&c, 0);
    SCRIPT_PUT(&c, MOVE, 2, X(0), 0, 0);
    SCRIPT_PUT(&c, MOVE, 0, 1, 0, 0); /* nothing made it */
    assert_false(holds(script_made(&c)));
    script_begin(&c, 1, 2, 0, 1);
    script_block(&c, 0);
    c.program.n_registers = 2;
    SCRIPT_PUT(&c, MOVE, 0, 1, 0, 0); /* the first step of all reads */
    assert_false(holds(script_made(&c)));
    script_begin(&c, 1, 2, 0, 1);
    script_block(&c, 0);
    SCRIPT_PUT(&c, MOVE, 1, X(0), 0, 0);
    script_block(&c, 1);
    SCRIPT_PUT(&c, MOVE, 0, 1, 0, 0); /* another block made it */
    assert_false(holds(script_made(&c)));
}

/* States: paid, one of the segment, its four ends, one of the path. */
static void segments_case(script_case *c, uint8_t written)
{
    script_begin(c, 7, 8, 0, 1);
    c->program.n_segments = 16;
    c->program.n_splits = 1;
    c->program.low = 4;
    c->program.own = 1;
    script_block(c, 0);
    SCRIPT_PUT(c, ADD, 7, X(0), K(7), 0);
    c->blocks[0].n_before = 1;
    SCRIPT_PUT(c, SPLIT, 8, 7, K(7), 0);
    SCRIPT_PUT(c, ADD, written, 8, 7, 0);
    SCRIPT_PUT(c, MOVE, 1, written, 0, 0);
    c->blocks[0].lower_tail = LEVY_SCRIPT_NO_LOWER_TAIL;
}

static void test_segments_keep_what_they_share(void **state)
{
    (void)state;
    script_case c;
    segments_case(&c, 9);
    assert_true(holds(script_made(&c)));
    c.program.n_splits = 0; /* no room for the cut */
    assert_false(holds(script_made(&c)));
    segments_case(&c, 7); /* the next segment would find another number */
    assert_false(holds(script_made(&c)));
    segments_case(&c, 9);
    c.blocks[0].n_before = 2; /* a cut where there is no segment */
    assert_false(holds(script_made(&c)));
    segments_case(&c, 9);
    c.program.low = 5; /* no state is left for what segments leave */
    assert_false(holds(script_made(&c)));
    segments_case(&c, 9);
    c.blocks[0].lower_tail = 8; /* a normal that a segment's step makes */
    assert_false(holds(script_made(&c)));
    c.blocks[0].lower_tail = 7;
    assert_true(holds(script_made(&c)));
    script_put(&c, LEVY_SCRIPT_MOVE, 6, K(7), 0, 0);
    --c.blocks[0].n;
    c.blocks[0].n_lower_tail = 1; /* it sets a state of the path */
    assert_false(holds(script_made(&c)));
}

/* ---- Prices ---- */

static void test_a_damaged_program_has_no_price(void **state)
{
    (void)state;
    static double calls[] = {0.25, 0.5, 0.75, 1.0};
    static fixture f;
    script_case c;
    planned p;
    fixture_market(&f, 2, 0.4);
    f.coefficients[0] = f.coefficients[1] = 1.0;
    script_autocall(&c, 2);
    levy_trade *const t =
        script_trade(&f, &c, 12, script_autocall_constants, script_autocall_terms, 0);
    t->kind.n_further = 1;
    t->claim.further[0] = (levy_times){4, calls};
    plan(&p, &f);
    if (p.status != LEVY_OK) fail_msg("%s", p.why);
    unplan(&p);
    ((levy_script_step *)(size_t)LEVY_SCRIPT_PROGRAM_STEPS(t->kind.scripted->script.program))->to =
        200;
    plan(&p, &f);
    assert_int_equal(p.status, LEVY_INTERNAL);
    if (!strstr(p.why, "does not hold: step 0 writes register 200")) fail_msg("%s", p.why);
    unplan(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_programs_of_examples_hold),
        cmocka_unit_test(test_damage_is_seen),
        cmocka_unit_test(test_a_value_is_written_before_it_is_read),
        cmocka_unit_test(test_segments_keep_what_they_share),
        cmocka_unit_test(test_a_damaged_program_has_no_price),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
