/* test_script.c: engine/script: what a text pays on a path that is given, the messages of texts
 * with a fault, limits, and lack of memory. */
#include "engine/script/payoff_script.h"

#include "tests/cmocka_all.h"
#include "tests/heap.h"
#include "tests/near.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A script over up to three assets with the schedules `calls` (three dates) and `expiry`. */
typedef struct script_case {
    levy_arena arena;
    levy_script script;
    levy_script_fault fault;
    levy_script_parameter parameters[5];
    bool good;
} script_case;

static const char *const case_schedules[] = {"calls", "expiry"}, *const case_names[] = {
                                                                     "ACME", "BELL", "CORE"};
static const double case_coupons[] = {0.1, 0.2, 0.3}, case_floor = 0.7, case_weights[] = {3, 2, 1},
                    case_rungs[] = {1, 2, 3, 4};

static void case_compile(script_case *c, const char *text, uint32_t n_assets)
{
    *c = (script_case){.parameters = {{"coupon", case_coupons, 3, true, false, 0},
                                      {"floor", &case_floor, 1, false, false, 0},
                                      {"weights", case_weights, 3, true, false, 0},
                                      {"one", case_weights + 2, 1, true, false, 0},
                                      {"rungs", case_rungs, 4, true, false, 0}}};
    const levy_script_frame frame = {.text = text,
                                     .length = strlen(text),
                                     .parameters = c->parameters,
                                     .n_parameters = 5,
                                     .schedules = case_schedules,
                                     .n_schedules = 2,
                                     .n_assets = n_assets,
                                     .names = case_names};
    levy_arena_init(&c->arena, &levy_memory_default);
    c->good = levy_script_compile(&frame, &c->arena, &c->script, &c->fault);
}

/* Runs the blocks of one date. What is paid at call date k is worth 1 - k / 10. */
static void case_date(const script_case *c, uint32_t schedule, size_t number, const double *levels,
                      double *states)
{
    const levy_script_program *const p = c->script.program;
    double terms[LEVY_SCRIPT_TERMS] = {0}, registers[LEVY_SCRIPT_REGISTERS];
    for (uint32_t k = 0; k < p->n_terms; ++k) {
        const levy_script_term *const term = &c->script.terms[k];
        if (term->kind == LEVY_SCRIPT_WORTH) terms[k] = 0.9 - 0.1 * (double)number;
        if (term->kind == LEVY_SCRIPT_DUE) terms[k] = 1.0;
        if (term->kind == LEVY_SCRIPT_NUMBER) terms[k] = (double)(number + 1);
        if (term->kind == LEVY_SCRIPT_DATES) terms[k] = schedule == 0 ? 3.0 : 1.0;
        if (term->kind == LEVY_SCRIPT_ITEM)
            terms[k] = c->parameters[term->parameter].values[number];
    }
    for (uint32_t k = 0; k < p->n_blocks; ++k)
        if (LEVY_SCRIPT_PROGRAM_BLOCKS(p)[k].schedule == schedule)
            levy_script_run(&c->script, k, terms, levels, true, states, registers);
}

/* What the text pays on a path: levels[date][asset] of three calls and expiry. */
static double case_paid(const char *text, uint32_t n_assets, const double (*levels)[3])
{
    script_case c;
    double states[LEVY_SCRIPT_STATES];
    case_compile(&c, text, n_assets);
    if (!c.good) fail_msg("%u:%u: %s", c.fault.line, c.fault.column, c.fault.message);
    memcpy(states, c.script.constants, c.script.program->n_states * sizeof *states);
    for (size_t k = 0; k < 3; ++k) case_date(&c, 0, k, levels[k], states);
    case_date(&c, 1, 0, levels[3], states);
    levy_arena_release(&c.arena);
    return states[0];
}

static const double case_path[4][3] = {
    {0.9, 1.2, 0.8}, {1.1, 1.3, 0.6}, {1.2, 1.1, 1.05}, {0.95, 1.4, 0.65}};

static void assert_pays(const char *text, double paid)
{
    const double got = case_paid(text, 3, case_path);
    if (fabs(got - paid) > 1e-12) fail_msg("%s\npaid %.17g, not %.17g", text, got, paid);
}

/* ---- What is paid ---- */

static void test_expressions(void **state)
{
    (void)state;
    assert_pays("at expiry { pay 1 + 2 * 3 - 4 / 8 }", 6.5);
    assert_pays("at expiry { pay -2^2 + (1 - 3)^3 }", -12.0);
    assert_pays("at expiry { pay 60% + 4^0.5 + abs(-3) }", 5.6);
    assert_pays("at expiry { pay exp(log(5)) + sqrt(9) }", 8.0);
    assert_pays("at expiry { pay min(3, 1, 2) + max(3, 1, 2) }", 4.0);
    assert_pays("at expiry { pay 1 if 2 < 1 else 5 if 1 >= 1 else 7 }", 5.0);
    assert_pays("at expiry { pay 1 if not (1 == 2) and 1 != 2 or 1 > 2 else 0 }", 1.0);
    assert_pays("at expiry { pay 1 +\n 2\n }", 3.0);
    assert_pays("at expiry { pay (1\n + 2) } # the end", 3.0);
}

static void test_lists(void **state)
{
    (void)state;
    assert_pays("at expiry { pay worst(levels) + 10 * best(levels) }", 14.65);
    assert_pays("at expiry { pay mean(levels) * assets }", 3.0);
    assert_pays("at expiry { pay levels[2] + product(levels) / levels[1] }", 1.4 + 1.4 * 0.65);
    assert_pays("at expiry { pay sum(weights * sorted(levels)) }", 3 * 1.4 + 2 * 0.95 + 0.65);
    assert_pays("at expiry { pay count(levels < 1) }", 2.0);
    assert_pays("at expiry { pay 1 if all(levels > 0.6) and any(levels > 1.3) else 0 }", 1.0);
    assert_pays("at expiry { pay sum(levels if first(levels < 1) else 0) }", 0.95);
    assert_pays("at expiry { pay weights[2] + one[1] }", 3.0);
}

/* A parameter's list need not have a number for each asset. */
static void test_free_lists(void **state)
{
    (void)state;
    assert_pays("at expiry { pay best(rungs if 2.5 >= rungs else 0) }", 2.0);
    assert_pays("at expiry { pay sum(rungs^2) + count(rungs > 1) + sum(sorted(rungs) * rungs) }",
                30.0 + 3.0 + 20.0);
    assert_pays("at expiry { let twice = 2 * rungs\n pay mean(twice) + twice[4] }", 13.0);
}

/* The best of those that remain is taken at each date. */
static void test_himalaya(void **state)
{
    (void)state;
    assert_pays("var there[] = 1\n"
                "var total = 0\n"
                "at calls {\n"
                "  let seen = levels if there > 0 else -1\n"
                "  let taken = first(seen >= best(seen))\n"
                "  total += best(seen)\n"
                "  there = 0 if taken else there\n"
                "}\n"
                "at expiry { pay total }",
                1.2 + 1.1 + 1.05);
}

static void test_dates(void **state)
{
    (void)state;
    assert_pays("at calls { pay coupon[number] }", 0.9 * 0.1 + 0.8 * 0.2 + 0.7 * 0.3);
    assert_pays("at calls { pay coupon[number] at expiry }", 0.6);
    assert_pays("at calls { pay number / dates at expiry }", 2.0);
    assert_pays("at calls { pay coupon[2] at expiry }", 0.6);
    assert_pays("at calls, expiry { pay floor at expiry }", 2.8);
    assert_pays("at calls { pay floor[number] at expiry }", 2.1);
    assert_pays("var x = 0\nat calls { x = x + 1 }\nat expiry { pay x }\nat expiry { pay 10 * x }",
                33.0);
}

static const char autocall[] = "var hit = 0\n"
                               "at calls {\n"
                               "  let w = worst(levels)\n"
                               "  if w < floor { hit = 1 }\n"
                               "  if w >= 1 {\n"
                               "    pay 1 + coupon[number]\n"
                               "    stop\n"
                               "  }\n"
                               "}\n"
                               "at expiry {\n"
                               "  if hit > 0 and worst(levels) < 1 { pay worst(levels) }\n"
                               "  else { pay 1 }\n"
                               "}\n"
                               "report hit\n";

static void test_autocall(void **state)
{
    (void)state;
    const double never[4][3] = {{0.9, 2, 2}, {0.8, 2, 2}, {0.9, 2, 2}, {0.5, 2, 2}},
                 hit[4][3] = {{0.9, 2, 2}, {0.6, 2, 2}, {0.9, 2, 2}, {0.8, 2, 2}},
                 first[4][3] = {{1, 2, 2}, {1, 2, 2}, {1, 2, 2}, {0.5, 2, 2}};
    assert_near(case_paid(autocall, 3, case_path), 0.7 * 1.3, 1e-12);
    assert_near(case_paid(autocall, 3, never), 1.0, 1e-12);
    assert_near(case_paid(autocall, 3, hit), 0.8, 1e-12);
    assert_near(case_paid(autocall, 3, first), 0.9 * 1.1, 1e-12);
}

/* What follows a branch that stopped runs on the other paths alone. */
static void test_stop(void **state)
{
    (void)state;
    assert_pays("at calls { if number == 2 { stop } pay 1 at expiry }", 1.0);
    assert_pays("at calls { if number > 1 { if number > 2 { stop } pay 1 at expiry } }", 1.0);
    assert_pays("at calls { if number > 1 { stop } else { pay 1 at expiry } pay 2 at expiry }",
                3.0);
    assert_pays("at calls { stop }\nat expiry { pay 1 }", 0.0);
}

/* A let keeps the value that a variable had. */
static void test_variables(void **state)
{
    (void)state;
    assert_pays(
        "var a = 1\nvar b = 2\nat expiry { let old = a\n a = b\n b = old\n pay 10 * a + b }", 21.0);
    assert_pays("var a = 2 * floor\nat expiry { a -= 1; a *= 10; a += levels[1] * 0; pay a }", 4.0);
    assert_pays("var a[] = weights\nat expiry { a = a + 1; pay sum(a) }", 9.0);
    assert_pays("var m[] = 9\nat calls { m = min(m, levels) }\nat expiry { pay sum(m) }",
                0.9 + 1.1 + 0.6);
}

/* Programs do not depend on the parameters' numbers, so that equal forms share a kernel. */
static void test_forms(void **state)
{
    script_case a, b;
    (void)state;
    case_compile(&a, "at expiry { pay max(levels[1] - floor, 0) * floor }", 3);
    case_compile(&b, "at expiry { pay max(levels[1] - one[1], 0) * one[1] }", 3);
    assert_true(a.good && b.good);
    assert_int_equal(a.script.program->bytes, b.script.program->bytes);
    assert_memory_equal(a.script.program, b.script.program, a.script.program->bytes);
    assert_true(a.script.constants[1] == 0.7 && b.script.constants[1] == 1.0);
    assert_true(a.parameters[1].used && !a.parameters[3].used);
    levy_arena_release(&a.arena);
    levy_arena_release(&b.arena);
}

/* ---- Faults ---- */

static void assert_refused(const char *text, const char *message)
{
    script_case c;
    char got[500];
    case_compile(&c, text, 3);
    if (c.good) fail_msg("accepted: %s", text);
    assert_non_null(c.fault.message);
    assert_non_null(c.fault.hint);
    snprintf(got, sizeof got, "%u:%u: %s", c.fault.line, c.fault.column, c.fault.message);
    assert_string_equal(got, message);
    levy_arena_release(&c.arena);
}

static void test_types(void **state)
{
    (void)state;
    assert_refused("at calls { pay levels }", "1:16: pay needs one number, and this is a list");
    assert_refused("at calls { pay 1 < 2 }", "1:18: pay needs one number, and this is a condition");
    assert_refused("at calls { if 3 { pay 1 } }",
                   "1:15: if needs one condition, and this is a number");
    assert_refused("at calls { if levels < 1 { pay 1 } }",
                   "1:22: if needs one condition, and this is a list");
    assert_refused("at calls { pay 1 + (1 < 2) }",
                   "1:23: '+' needs a number, and this is a condition");
    assert_refused("at calls { pay 1 if 1 and 2 < 3 else 0 }",
                   "1:21: 'and' needs a condition, and this is a number");
    assert_refused("at calls { pay level }", "1:16: the trade has 3 assets, not one level");
    assert_refused("at calls { pay worst(1) }", "1:22: worst takes a list with one for each asset");
    assert_refused("at calls { pay count(levels) }", "1:22: count takes conditions");
    assert_refused("at calls { pay floor[2] }", "1:16: 'floor' is one number, not a list");
    assert_refused("at calls { pay coupon[4] }", "1:23: 'coupon' has items 1 to 3");
    assert_refused("at calls { pay one * sum(one) }",
                   "1:20: pay needs one number, and this is a list");
    assert_refused("at calls { pay sum(one * levels) }",
                   "1:24: a list of 1 and a list of 3 do not go together");
    assert_refused("at calls { pay sum(min(levels, one)) }",
                   "1:32: a list of 3 and a list of 1 do not go together");
    assert_refused("at calls { pay sum(levels if one > 0 else 1) }",
                   "1:27: a list of 3 and a list of 1 do not go together");
    assert_refused("var a[] = one\nat calls { pay sum(a) }",
                   "1:11: a list of 1 and a list of 3 do not go together");
    assert_refused("var a[] = 0\nat calls { a = one }",
                   "2:16: a list of 3 and a list of 1 do not go together");
    assert_refused("var x = 0\nat calls { x = levels }",
                   "2:16: 'x' is one number, and this is a list");
    assert_refused("var x = number\nat calls { pay x }", "1:9: 'number' is known at dates only");
    assert_refused("at calls { pay 2^levels }",
                   "1:18: an exponent is a whole number from 1 to 16, or 0.5");
}

static void test_names(void **state)
{
    (void)state;
    assert_refused("at call { pay 1 }", "1:4: there is no schedule 'call'; there is calls, expiry");
    assert_refused("at calls { pay wrst(levels) }",
                   "1:16: there is no function 'wrst'; did you mean 'worst'?");
    assert_refused("at calls { pay couppon[1] }",
                   "1:16: there is no value 'couppon'; did you mean 'coupon'?");
    assert_refused("at calls { y = 2 }", "1:12: there is no variable 'y'");
    assert_refused("at calls { let y = 2\n y = 3 }", "2:2: there is no variable 'y'");
    assert_refused("at calls { let y = 2\n let y = 3 }", "2:6: 'y' is defined already");
    assert_refused("at calls { if 1 < 2 { let y = 2 } pay y }", "1:39: there is no value 'y'");
    assert_refused("var floor = 2\nat calls { pay 1 }", "1:5: 'floor' is a parameter");
    assert_refused("var max = 2\nat calls { pay 1 }", "1:5: 'max' is a function");
    assert_refused("var number = 2\nat calls { pay 1 }", "1:5: 'number' is a name of the language");
    assert_refused("at calls { pay 1 }\nreport hit",
                   "2:8: there is no variable 'hit' of one number");
    script_case c;
    case_compile(&c, "at calls { pay S[0] }", 1);
    assert_true(!c.good && strstr(c.fault.hint, "levels: percent_of_initial"));
    levy_arena_release(&c.arena);
}

static void test_syntax(void **state)
{
    (void)state;
    assert_refused("", "1:1: the script has no dates: it needs an at block");
    assert_refused("pay 1", "1:1: expected 'var', 'report' or 'at', but found 'pay'");
    assert_refused("at calls {", "1:11: expected a statement, but found the end of the script");
    assert_refused("at calls { pay 1 2 }",
                   "1:18: expected the end of the statement, but found '2'");
    assert_refused("at calls { pay (1 + }", "1:21: expected a value, but found '}'");
    assert_refused("at calls { pay 1 < 2 < 3 }", "1:22: two comparisons in a row");
    assert_refused("at calls { pay 1.2.3 }", "1:16: '1.2.3' is no number");
    assert_refused("at calls { pay 1e999 }", "1:16: '1e999' is no number");
    assert_refused("at calls { pay 1 & 2 }", "1:18: a character that has no meaning here");
    assert_refused("at calls { pay 1 at calls }", "1:21: expected 'expiry', but found 'calls'");
    assert_refused("at calls { stop\n pay 1 }", "2:2: nothing runs after stop");
    assert_refused("at calls { let = 2 }", "1:16: expected a name, but found '='");
    assert_refused("at calls { pay 1 if 1 < 2 }", "1:27: expected 'else', but found '}'");
}

/* ---- All faults at once, and what the text may have meant ---- */

/* "line:column message" of each fault. */
static void assert_faults(const char *text, const char *const *wanted, size_t n)
{
    script_case c;
    size_t k = 0;
    case_compile(&c, text, 1);
    assert_false(c.good);
    for (const levy_script_fault *f = &c.fault; f; f = f->next, ++k) {
        char got[400];
        snprintf(got, sizeof got, "%u:%u %s", f->line, f->column, f->message);
        if (k >= n) fail_msg("and %s: %s", got, text);
        assert_string_equal(got, wanted[k]);
    }
    assert_int_equal(k, n);
    levy_arena_release(&c.arena);
}

#define ASSERT_FAULTS(text, ...)                                                                   \
    assert_faults(text, (const char *const[]){__VA_ARGS__},                                        \
                  sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static void test_all_faults(void **state)
{
    (void)state;
    ASSERT_FAULTS("at calls {\n let x = ln(lvel)\n pay x * flor\n pay (1 +)\n stop\n}",
                  "2:10 there is no function 'ln'",
                  "2:13 there is no value 'lvel'; did you mean 'level'?",
                  "3:10 there is no value 'flor'; did you mean 'floor'?",
                  "4:10 expected a value, but found ')'");
    ASSERT_FAULTS("at calls {\n if level > {\n pay nothing\n } else {\n pay 1\n }\n pay y\n}",
                  "2:13 expected a value, but found '{'", "7:6 there is no value 'y'");
    /* what goes on on the next line is passed, too */
    ASSERT_FAULTS("at calls {\n if level > {\n pay 1\n }\n else {\n pay 2\n }\n pay y\n}",
                  "2:13 expected a value, but found '{'", "8:6 there is no value 'y'");
    ASSERT_FAULTS("at calls {\n if level > {\n pay 1\n }\n elif 1 {\n pay 2\n }\n pay y\n}",
                  "2:13 expected a value, but found '{'", "8:6 there is no value 'y'");
    ASSERT_FAULTS("var a = )\nat call {\n pay a @ 1\n y = 1\n pay y\n}\nreport z",
                  "1:9 expected a value, but found ')'",
                  "2:4 there is no schedule 'call'; there is calls, expiry",
                  "3:8 a character that has no meaning here", "4:2 there is no variable 'y'",
                  "7:8 there is no variable 'z' of one number");
    ASSERT_FAULTS("at calls {\n pay 1 && 2\n}\n}",
                  "2:6 '&&' needs a condition, and this is a number",
                  "2:8 '&&' is no sign of this language",
                  "4:1 expected 'var', 'report' or 'at', but found '}'");
}

/* A statement of another language has the hint that says this one's. */
static void test_foreign_statements(void **state)
{
    (void)state;
    static const char *const hints[][2] = {{"at calls { return 1 }", "Write: pay amount."},
                                           {"at calls { float x = 1 }", "Write: let name = value."},
                                           {"at calls { break }", "Write stop."}};
    for (size_t k = 0; k < sizeof hints / sizeof *hints; ++k) {
        script_case c;
        case_compile(&c, hints[k][0], 1);
        assert_false(c.good);
        assert_string_equal(c.fault.hint, hints[k][1]);
        levy_arena_release(&c.arena);
    }
}

static void assert_mended(const char *text, const char *wanted)
{
    script_case c;
    case_compile(&c, text, 1);
    assert_false(c.good);
    if (!wanted && c.fault.mended) fail_msg("%s: mended to %s", text, c.fault.mended);
    if (wanted && !c.fault.mended) fail_msg("%s: not mended: %s", text, c.fault.message);
    if (wanted) assert_string_equal(c.fault.mended, wanted);
    if (wanted) assert_int_equal(c.fault.needs != NULL, strstr(text, "/ initial") != NULL);
    levy_arena_release(&c.arena);
}

/* The test's schedules are calls and expiry. */
static void test_mended(void **state)
{
    (void)state;
    assert_mended("at expiry: pay (1 - (2 - level)) * -(3 + 4) ** 2",
                  "at expiry { pay (1 - (2 - level)) * -(3 + 4) ^ 2 }");
    assert_mended("at expiry { pay 1 if !(level < 1 || level > 2) && level != 3 else 0 }",
                  "at expiry { pay 1 if not (level < 1 or level > 2) and level != 3 else 0 }");
    assert_mended("at expiry { pay level > 2 ? 1 : level > 1 ? 2 : 3 }",
                  "at expiry { pay 1 if level > 2 else 2 if level > 1 else 3 }");
    assert_mended("at expiry { pay 2 * S / initial }", "at expiry { pay 2 * level }");
    assert_mended("for d in calls:\n  if S(d) < 1:\n    stop\n  else:\n    pay 1\npay 2",
                  "at calls { if level < 1 { stop } else { pay 1 } }; at expiry { pay 2 }");
    assert_mended("at calls { x = S / 2; pay x }", "at calls { let x = level / 2; pay x }");
    assert_mended("at calls: pay ACME.variance * ACME.spot",
                  "at calls { pay ACME.variance * level }");
    assert_mended("base = 2\nat expiry: pay base * S",
                  "var base = 2; at expiry { pay base * level }");
    assert_mended("at calls { pay max(S - 1, 0) * weights[2] }",
                  "at calls { pay max(level - 1, 0) * weights[2] }");
    /* what may be meant in two ways is not */
    assert_mended("pay level", NULL);                         /* at calls, or at expiry? */
    assert_mended("at calls { pay S(T) }", NULL);             /* not known at that date */
    assert_mended("at expiry { pay S / initial + S }", NULL); /* of two units */
    assert_mended("at expiry { pay S0 }", NULL);
    assert_mended("at expiry { pay level // 2 }", NULL); /* a remark, or a division */
    assert_mended("at expiry { pay average(levels) }", NULL);
    assert_mended("at expiry { pay lvel }", NULL);
    assert_mended("at calls { pay 1 }\nlevel\npay 2", NULL);
    assert_mended("at expiry { pay 1 && 2 }", NULL);
    assert_mended("at expiry { pay 1 +\n}\nat calls { pay S }", NULL); /* a part is lost */
}

/* What other languages say so, and levy not. */
static void test_not_mended(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "at expiry {\nif S > 120: return 0\nreturn max(S - 100, 0)\n}", /* ends there */
        "at calls:\n  if S > 120:\n    return 5",
        "for t in calls:\n  if S > 120:\n    pay 5\n    break\nat expiry { pay 1 }",
        "at expiry { if S > 1 { pay 1; exit }; pay 2 }",
        "for t in calls:\n  payoff = S",
        "at calls { max(S - 1, 0) }",
        "at expiry { pay mean(S) }", /* of one asset over which dates? */
        "at expiry { pay sum(S) / 12 }",
        "at expiry { pay best(S) }",
        "at expiry { pay worst(S / initial) }",
        "at expiry { pay 1 if all(S > 80) else 0 }",
        "at expiry { pay 1 if any(S > 120) else 0 }",
        "at expiry { pay count(S > 100) }",
        "at expiry { pay product(S) }",
        "at expiry { pay max(S) }",
        "at expiry { payoff = max(S - 100, 0)\ncap = 20 }", /* pays nothing */
        "at expiry { let x = max(S - 100, 0) }",
        "at expiry { cap = 20; pay max(S - 100, 0) }", /* a cap that caps nothing */
        "var total = 0\nat calls { total = total + S }\nat expiry { pay S }",
        "at expiry { pay S / dates }", /* there it is 1 */
        "at expiry { pay max(S - 1,000, 0) }",
        "at expiry { pay max(95,5 - S, 0) }",
        "at expiry { pay 0,125 * S }"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) assert_mended(texts[k], NULL);
    assert_mended("at expiry { pay S\nreturn 1 }", "at expiry { pay level; pay 1 }");
    assert_mended("at expiry { pay max(S-100,0) }", "at expiry { pay max(level - 100, 0) }");
    assert_mended("at calls { pay S / dates }", "at calls { pay level / dates }");
    assert_mended("at expiry { pay sum(weights) * S }", "at expiry { pay sum(weights) * level }");
    assert_mended("at expiry {\n// the payoff\n  // of one date\n  pay level\n}",
                  "at expiry { pay level }");
    /* a name that says what is paid, and is set once */
    assert_mended("at expiry { payoff = max(S - 1, 0) }", "at expiry { pay max(level - 1, 0) }");
    assert_mended("at expiry { payoff = S\npayoff = max(payoff - 1, 0) }", NULL);
    /* the text's own names, which nothing sets later */
    assert_mended("var s = 2\nat expiry: pay s * level", "var s = 2; at expiry { pay s * level }");
}

static void test_commas(void **state)
{
    (void)state;
    ASSERT_FAULTS("at expiry {\n pay max(level - 1,000, 0)\n}", "2:18 a comma between digits",
                  "2:20 '000' is no number");
    ASSERT_FAULTS("at expiry { pay 1,000 * level }", "1:17 a number has no separators");
    ASSERT_FAULTS("at expiry { pay max(95,5 - level, 0) }", "1:21 a comma between digits");
    ASSERT_FAULTS("at expiry { pay max(level, 1, 000) + 007 }", "1:31 '000' is no number",
                  "1:38 '007' is no number");
    assert_near(
        case_paid("at expiry { pay max(1, 0) + max(0,level,0) + max(50%,2, 1) + max(1,0) + 0.5 }",
                  1, (const double[4][3]){{1}, {1}, {1}, {7}}),
        11.5, 1e-12);
}

/* ---- Limits ---- */

static void test_limits(void **state)
{
    static char text[200000];
    size_t n = 0;
    (void)state;
    n += (size_t)snprintf(text, sizeof text, "at calls { pay ");
    for (int k = 0; k < 150; ++k) text[n++] = '(';
    snprintf(text + n, sizeof text - n, "1");
    assert_refused(text, "1:116: more than 100 levels of parentheses and conditions");
    n = (size_t)snprintf(text, sizeof text, "at calls { pay levels[1]");
    for (int k = 0; k < 5000; ++k) n += (size_t)snprintf(text + n, sizeof text - n, " + levels[1]");
    snprintf(text + n, sizeof text - n, " }");
    assert_refused(text, "1:4: the script takes more than 4096 steps or numbers");
    n = (size_t)snprintf(text, sizeof text, "at calls { pay levels[1]");
    for (int k = 0; k < 9000; ++k) n += (size_t)snprintf(text + n, sizeof text - n, " + levels[1]");
    snprintf(text + n, sizeof text - n, "\n pay lvel }"); /* no list holds what such a text says */
    ASSERT_FAULTS(text, "1:12 the script takes more than 4096 steps or numbers");
    n = 0;
    for (int k = 0; k < 70; ++k)
        n += (size_t)snprintf(text + n, sizeof text - n, "var x%d = 0\n", k);
    snprintf(text + n, sizeof text - n, "at calls { pay x1 }");
    assert_refused(text, "64:5: all variables together have at most 60 numbers");
}

/* Values that live side by side need as many registers; those that do not share a few. */
static void test_registers(void **state)
{
    static char text[200000];
    script_case c;
    size_t n = (size_t)snprintf(text, sizeof text, "at calls {\n");
    (void)state;
    for (int k = 0; k < 300; ++k)
        n += (size_t)snprintf(text + n, sizeof text - n, "let x%d = levels[1] + %d\npay x%d\n", k,
                              k, k);
    snprintf(text + n, sizeof text - n, "}");
    case_compile(&c, text, 3);
    assert_true(c.good);
    assert_in_range(c.script.program->n_registers, 1, 4);
    levy_arena_release(&c.arena);
    n = (size_t)snprintf(text, sizeof text, "at calls {\n");
    for (int k = 0; k < 300; ++k)
        n += (size_t)snprintf(text + n, sizeof text - n, "let x%d = levels[1] + %d\n", k, k);
    n += (size_t)snprintf(text + n, sizeof text - n, "pay 0");
    for (int k = 0; k < 300; ++k) n += (size_t)snprintf(text + n, sizeof text - n, " + x%d", k);
    snprintf(text + n, sizeof text - n, "\n}");
    assert_refused(text, "1:4: the block holds more than 256 values at a time");
}

/* Whatever request fails first, and all after it. */
static void check_memory(const char *text, bool good)
{
    for (long n = 0;; ++n) {
        test_heap heap = {.fail_at = n + 1, .for_ever = true};
        const levy_memory memory = heap_memory(&heap);
        script_case c = {.parameters = {{"coupon", case_coupons, 3, true, false, 0},
                                        {"floor", &case_floor, 1, false, false, 0}}};
        const levy_script_frame frame = {.text = text,
                                         .length = strlen(text),
                                         .parameters = c.parameters,
                                         .n_parameters = 2,
                                         .schedules = case_schedules,
                                         .n_schedules = 2,
                                         .n_assets = 3};
        levy_arena_init(&c.arena, &memory);
        c.good = levy_script_compile(&frame, &c.arena, &c.script, &c.fault);
        const bool ends = !c.fault.out_of_memory;
        assert_true(!ends || (n > 0 && c.good == good && !c.good == !!c.fault.message));
        levy_arena_release(&c.arena);
        if (ends) return;
    }
}

static void test_memory(void **state)
{
    (void)state;
    check_memory(autocall, true);
    check_memory("var due = 0\nmay call at calls by issuer { pay 1; stop }\nmay put at calls by "
                 "holder if worst(levels) < 1 seeing best(levels), due { pay 0.9; stop }",
                 true);
    check_memory("at calls {\n if worst(levels) < 1 && coupon > 0 { pay 1,000 }\n}", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expressions), cmocka_unit_test(test_lists),
        cmocka_unit_test(test_free_lists),  cmocka_unit_test(test_himalaya),
        cmocka_unit_test(test_dates),       cmocka_unit_test(test_autocall),
        cmocka_unit_test(test_stop),        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_forms),       cmocka_unit_test(test_types),
        cmocka_unit_test(test_names),       cmocka_unit_test(test_syntax),
        cmocka_unit_test(test_all_faults),  cmocka_unit_test(test_foreign_statements),
        cmocka_unit_test(test_mended),      cmocka_unit_test(test_not_mended),
        cmocka_unit_test(test_commas),      cmocka_unit_test(test_limits),
        cmocka_unit_test(test_registers),   cmocka_unit_test(test_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
