/* script_text.c: see script_text.h. A grammar from the top: a script is variables, blocks of
 * statements and reports; statements have amounts and conditions; these have levels and numbers
 * that are known on a path. Depth bounds all of them. */
#include "tests/generated/script_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 3, MOST_STATEMENTS = 14 };

static void say(script_text *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(script_text *s, const char *format, ...)
{
    const size_t used = strlen(s->text);
    va_list values;
    va_start(values, format);
    vsnprintf(s->text + used, sizeof s->text - used, format, values);
    va_end(values);
}

#define PICK(s, ...) choose_weighted((s)->c, (const unsigned char[]){__VA_ARGS__, 0})

/* ---- Numbers that are known on a path ---- */

static void add_parameter(script_text *s, const char *name, const char *value)
{
    const size_t used = strlen(s->parameters);
    snprintf(s->parameters + used, sizeof s->parameters - used, "%s\"%s\": %s", used ? ", " : "",
             name, value);
}

static double a_level(script_text *s)
{
    const double level = choose_between(s->c, 1.0, 0.75, 25);
    return level + 0.2 * choose(s->c, 2);
}

static double an_amount(script_text *s) { return choose_between(s->c, 0.0, 1.25, 125); }

static double a_number(script_text *s, bool level) { return level ? a_level(s) : an_amount(s); }

static void say_parameter(script_text *s, bool level)
{
    char name[16], value[32];
    if (s->n_parameters == MOST_PARAMETERS) {
        say(s, "%.10g", a_number(s, level));
        return;
    }
    snprintf(name, sizeof name, "p%u", ++s->n_parameters);
    snprintf(value, sizeof value, "%.10g", a_number(s, level));
    add_parameter(s, name, value);
    say(s, "%s", name);
}

static void say_list(script_text *s, const char *name, unsigned n, bool *there)
{
    char value[1024] = "[";
    if (*there) return;
    *there = true;
    for (unsigned i = 0; i < n; ++i)
        snprintf(value + strlen(value), sizeof value - strlen(value), "%s%.10g", i ? ", " : "",
                 a_level(s));
    add_parameter(s, name, strcat(value, "]"));
}

static void say_by_date(script_text *s, bool level)
{
    char name[16];
    if (s->schedule == s->n_schedules) {
        say_parameter(s, level);
        return;
    }
    snprintf(name, sizeof name, "list%u", s->schedule + 1);
    say_list(s, name, s->counts[s->schedule], &s->by_date[s->schedule]);
    say(s, level ? "%s[number]" : "0.1 * %s[number]", name);
}

static void say_condition(script_text *s, bool known);
static void say_known(script_text *s, bool level);

/* What the market says of two times. */
static void say_market(script_text *s)
{
    static const char *const asks[] = {"years(now, expiry)", "years(0, now)",
                                       "discount(now, expiry)", "discount(0.1, now)"};
    const unsigned most = s->quoted ? 5 : 4;
    const unsigned kind = choose(s->c, s->asks ? most : 2);
    if (kind < 4)
        say(s, "%s", asks[kind]);
    else if (s->n_assets == 1)
        say(s, "volatility(now, expiry)");
    else
        say(s, "volatility(%c, 0.1, now)", 'A' + (char)choose(s->c, s->n_assets));
}

static void say_number_of_market(script_text *s, bool level)
{
    const unsigned kind = choose(s->c, 4);
    say(s, level ? "(1 + 0.1 * " : "0.5 * ");
    if (kind > 1) say(s, kind == 2 ? "cdf(" : "pdf(");
    kind > 1 ? say_known(s, false) : say_market(s);
    if (kind > 1) say(s, ")");
    if (level) say(s, ")");
}

/* level: to be compared with a level */
static void say_known(script_text *s, bool level)
{
    static const char *const numbers[] = {"n", "due", "hit", "v"}, *const operators[] = {"+", "-",
                                                                                         "*"};
    ++s->depth;
    const unsigned kind =
        s->depth > MOST_DEPTH ? choose(s->c, 2) : PICK(s, 12, 6, 4, 3, 4, 3, 2, 2, 2);
    if (kind == 8)
        say_number_of_market(s, level);
    else if (kind == 0)
        choose_rarely(s->c, 10) ? say(s, "%.10g%%", 100.0 * a_number(s, level))
                                : say(s, "%.10g", a_number(s, level));
    else if (kind == 1)
        say_parameter(s, level);
    else if (kind == 2)
        say_by_date(s, level);
    else if (kind == 3)
        say(s, level ? "(0.9 + 0.02 * number)" : "0.01 * number");
    else if (kind == 4)
        say(s, level ? "(1 - 0.05 * %s)" : "%s", numbers[choose(s->c, 4)]);
    else if (kind == 5) {
        say(s, level ? "(1 + 0.1 * (" : "(");
        say_known(s, false);
        say(s, " %s ", operators[choose(s->c, 3)]);
        say_known(s, false);
        say(s, level ? "))" : ")");
    } else if (kind == 6) {
        say(s, choose(s->c, 2) ? "max(" : "min(");
        say_known(s, level);
        say(s, ", ");
        say_known(s, level);
        say(s, ")");
    } else {
        say(s, "(");
        say_known(s, level);
        say(s, " if ");
        say_condition(s, true);
        say(s, " else ");
        say_known(s, level);
        say(s, ")");
    }
    --s->depth;
}

/* ---- Levels ---- */

static void say_levels(script_text *s) { say(s, s->absolute ? "(levels * unit)" : "levels"); }

static void say_one_level(script_text *s)
{
    const unsigned asset = choose(s->c, s->n_assets) + 1;
    if (s->n_assets == 1)
        say(s, s->absolute ? "(level * unit[1])" : "level");
    else if (s->absolute)
        say(s, "(levels[%u] * unit[%u])", asset, asset);
    else
        say(s, "levels[%u]", asset);
}

/* What is integrated: one level, or the worst or best of some. */
static void say_plain_level(script_text *s)
{
    const unsigned kind = PICK(s, 3, 4, 3);
    if (s->n_assets == 1 || kind == 0) {
        say_one_level(s);
        return;
    }
    say(s, kind == 1 ? "worst(" : "best(");
    say_levels(s);
    say(s, ")");
}

static void say_general_level(script_text *s)
{
    static const char *const of_all[] = {"sum(", "mean(", "product(", "1 / sum(", "-1 * mean("};
    static const char *const of_one[] = {"sqrt(", "log(",         "exp(",        "abs(1 - ",
                                         "1 / (", "cdf(1 - 3 * ", "pdf(2 - 3 * "};
    const unsigned shape = PICK(s, 4, 3, 2, 1), kind = choose(s->c, shape == 1 ? 7 : 5);
    if (shape == 0) {
        say(s, "%s", of_all[kind]);
        say_levels(s);
        say(s, ")");
    } else if (shape == 1) {
        say(s, "%s", of_one[kind]);
        say_one_level(s);
        say(s, ")");
    } else if (shape == 2) {
        say_one_level(s);
        say(s, " ^ 2");
    } else {
        say_list(s, "rank", s->n_assets, &s->by_asset);
        say(s, "mean(rank * sorted(");
        say_levels(s);
        say(s, "))");
    }
}

/* About 1, of a variance or its integral. */
static void say_variance(script_text *s)
{
    static const char *const of_all[] = {"mean(", "worst(", "best("};
    const unsigned drawn = choose(s->c, 2), kind = choose(s->c, 5);
    const char *const state = drawn && s->sees ? "variance" : "integrated_variance";
    const unsigned asset = choose(s->c, s->n_assets) + 1;
    say(s, "(0.8 + 3 * ");
    if (kind < 3)
        say(s, "%slevels.%s)", of_all[kind], state);
    else if (kind == 3)
        say(s, "levels.%s[%u]", state, asset);
    else
        say(s, "%c.%s", 'A' + (char)(asset - 1), state);
    say(s, ")");
}

static void say_level(script_text *s)
{
    if (s->varies && choose_rarely(s->c, 30)) {
        say_variance(s);
        return;
    }
    const unsigned kind = PICK(s, 14, 3, 2, 2, 1);
    if (s->general && choose_rarely(s->c, 25)) {
        say_general_level(s);
        return;
    }
    if (kind == 1) say(s, "0.5 * ");
    if (kind == 2) say(s, "(2 * ");
    if (kind == 3) say(s, "(1.8 - ");
    if (kind == 4) say(s, "p0 * ");
    say_plain_level(s);
    if (kind == 1) say(s, " + 0.5");
    if (kind == 2) say(s, " - 1)");
    if (kind == 3) say(s, ")");
}

/* ---- Conditions ---- */

static const char *comparison_of(script_text *s)
{
    static const char *const operators[] = {">=", "<", "<=", ">"};
    return operators[choose(s->c, 4)];
}

static void say_of_assets(script_text *s, const char *function, const char *end)
{
    say(s, "%s(", function);
    say_levels(s);
    say(s, " %s ", comparison_of(s));
    say_known(s, true);
    say(s, ")%s", end);
}

static void say_known_condition(script_text *s)
{
    static const char *const conditions[] = {"hit > 0", "number == 2",     "number > 1", "n >= 2",
                                             "due > 0", "number == dates", "v < 0.5",    "n == 1"};
    say(s, "%s", conditions[choose(s->c, 8)]);
}

static void say_window(script_text *s)
{
    const bool sorted = choose(s->c, 2) == 0;
    const double low = choose_between(s->c, 0.8, 1.0, 20);
    say_plain_level(s);
    say(s, sorted ? " >= %.10g and " : " < %.10g or ", low);
    say_plain_level(s);
    say(s, sorted ? " < %.10g" : " > %.10g", low + choose_between(s->c, 0.1, 0.4, 6));
}

static void say_condition_of_level(script_text *s, unsigned kind)
{
    if (kind == 0) {
        say_level(s);
        say(s, " %s ", comparison_of(s));
        say_known(s, true);
    } else if (kind == 1) {
        say_known(s, true);
        say(s, " %s ", comparison_of(s));
        say_level(s);
    } else if (kind == 2)
        say_of_assets(s, choose(s->c, 2) ? "any" : "all", "");
    else if (kind == 3) {
        say(s, "(");
        say_window(s);
        say(s, ")");
    } else if (s->general && choose(s->c, 2))
        say(s, "previous < 1.0");
    else
        say_of_assets(s, "count", " >= 1");
}

static void say_condition(script_text *s, bool known)
{
    ++s->depth;
    const unsigned kind = s->depth > MOST_DEPTH ? 0 : PICK(s, 14, 3, 4, 3, 1, 3, 2, 3);
    if (known || kind == 7)
        say_known_condition(s);
    else if (kind < 5)
        say_condition_of_level(s, kind);
    else if (kind == 5) {
        say(s, "(");
        say_condition(s, false);
        say(s, choose(s->c, 2) ? " or " : " and ");
        say_condition(s, choose(s->c, 3) == 0);
        say(s, ")");
    } else {
        say(s, "not (");
        say_condition(s, false);
        say(s, ")");
    }
    --s->depth;
}

/* ---- Amounts ---- */

static void say_two(script_text *s, const char *begin, const char *between, const char *end)
{
    say(s, "%s", begin);
    say_level(s);
    say(s, "%s", between);
    say_known(s, true);
    say(s, "%s", end);
}

static void say_capped(script_text *s, bool from_below)
{
    say(s, from_below ? "max(%.10g, min(" : "min(%.10g, max(",
        from_below ? choose_between(s->c, 0.0, 0.95, 19) : choose_between(s->c, 1.3, 1.0, 30));
    say_known(s, from_below);
    say(s, ", ");
    say_level(s);
    say(s, choose(s->c, 3) ? "))" : " - 0.9))");
}

static void say_amount(script_text *s);

static void say_choice(script_text *s, bool known)
{
    say(s, "(");
    known ? say_known(s, false) : say_amount(s);
    say(s, " if ");
    say_condition(s, false);
    say(s, " else ");
    known ? say_known(s, false) : say_amount(s);
    say(s, ")");
}

static void say_nested_amount(script_text *s, unsigned kind)
{
    if (kind == 0)
        say_choice(s, false);
    else if (kind == 1) {
        say(s, "(");
        say_amount(s);
        say(s, choose(s->c, 2) ? " - " : " + ");
        say_amount(s);
        say(s, ")");
    } else {
        say_known(s, false);
        say(s, " * ");
        say_amount(s);
    }
}

static void say_amount(script_text *s)
{
    ++s->depth;
    const unsigned kind =
        s->depth > MOST_DEPTH ? choose(s->c, 2) : PICK(s, 6, 5, 4, 4, 4, 3, 3, 2, 2, 2, 1);
    if (kind == 0)
        say_known(s, false);
    else if (kind == 1)
        say_two(s, "max(", " - ", ", 0)");
    else if (kind == 2)
        say_capped(s, false);
    else if (kind == 3)
        say_capped(s, true);
    else if (kind == 4)
        say_choice(s, true);
    else if (kind == 5)
        say_level(s);
    else if (kind == 6)
        say_two(s, "max(0, -(", " - ", "))");
    else if (kind == 7)
        say_two(s, "abs(", " - ", ")");
    else
        say_nested_amount(s, kind - 8);
    --s->depth;
}

/* ---- Statements ---- */

static void say_line(script_text *s) { say(s, "\\n%*s", (int)(2 * s->depth), ""); }

static void say_statement(script_text *s);

static void say_branch(script_text *s, bool may_stop)
{
    say(s, " {");
    ++s->depth;
    const unsigned n = 1 + PICK(s, 6, 2);
    for (unsigned i = 0; i < n; ++i) say_statement(s);
    if (may_stop) {
        say_line(s);
        say(s, "stop");
    }
    --s->depth;
    say_line(s);
    say(s, "}");
}

static void say_if(script_text *s)
{
    const unsigned kind = PICK(s, 5, 3, 2, 3);
    say(s, "if ");
    say_condition(s, false);
    say_branch(s, kind == 3);
    if (kind == 2) {
        say(s, " else if ");
        say_condition(s, false);
        say_branch(s, choose_rarely(s->c, 20));
    }
    if (kind == 1 || kind == 2) {
        say(s, " else");
        say_branch(s, false);
    }
}

static void say_pay(script_text *s)
{
    const bool later = choose_rarely(s->c, 15);
    if (choose_rarely(s->c, 10)) {
        say(s, "let x%u = ", ++s->n_lets);
        say_amount(s);
        say_line(s);
        say(s, "pay x%u", s->n_lets);
    } else {
        say(s, "pay ");
        say_amount(s);
    }
    if (later) say(s, " at expiry");
}

/* coupons that were missed, until one is paid */
static void say_memory(script_text *s)
{
    say(s, "due += %.10g", choose_between(s->c, 0.02, 0.1, 8));
    say_line(s);
    say(s, "if ");
    say_condition(s, false);
    say(s, " {");
    ++s->depth;
    say_line(s);
    say(s, "pay due");
    say_line(s);
    say(s, "due = 0");
    --s->depth;
    say_line(s);
    say(s, "}");
}

static void say_latch(script_text *s)
{
    say(s, "if ");
    say_condition(s, false);
    say(s, choose(s->c, 3) ? " { hit = 1 }" : " { hit = 2 } else { hit = 0 }");
}

static void say_count(script_text *s)
{
    say(s, "if ");
    say_condition(s, false);
    say(s, choose(s->c, 2) ? " { n += 1 } else { n = 0 }" : " { n += 1 }");
}

static void say_sum(script_text *s)
{
    const bool gain = choose(s->c, 2) == 1;
    say(s, gain ? "total += max(" : "total += ");
    say_level(s);
    say(s, gain ? " - 1, 0)" : "");
    if (choose(s->c, 2)) return;
    say_line(s);
    say(s, "if total %s ", comparison_of(s));
    say(s, gain ? "%.10g * dates { pay 0.3 }" : "%.10g * number { pay 0.3 }",
        gain ? choose_between(s->c, 0.01, 0.1, 9) : a_level(s));
}

static void say_general_statement(script_text *s)
{
    static const char *const whole[] = {"pay 0.1 * best(seen)", "previous = 1.0", "v *= 0.5"};
    const unsigned kind = choose(s->c, 4);
    if (kind == 0) {
        say(s, "seen = max(seen, 1 if ");
        say_levels(s);
        say(s, " < %.10g else 0)", a_level(s));
    } else if (kind == 1) {
        say(s, "pay max(");
        say_one_level(s);
        say(s, " / previous - 1, 0)");
        say_line(s);
        say(s, "previous = ");
        say_one_level(s);
    } else
        say(s, "%s", whole[choose(s->c, 3)]);
}

static void say_change(script_text *s)
{
    say(s, choose(s->c, 2) ? "v = " : "v += ");
    say_known(s, false);
}

static void say_statement(script_text *s)
{
    const unsigned deep = s->depth > MOST_DEPTH || ++s->statements > MOST_STATEMENTS,
                   kind = deep ? 0 : PICK(s, 10, 9, 4, 3, 3, 2, 2, 1);
    say_line(s);
    if (s->general && !deep && choose_rarely(s->c, 15))
        say_general_statement(s);
    else if (kind == 0)
        say_pay(s);
    else if (kind == 1)
        say_if(s);
    else if (kind == 2)
        say_latch(s);
    else if (kind == 3)
        say_memory(s);
    else if (kind == 4)
        say_count(s);
    else if (kind == 5)
        say_sum(s);
    else if (kind == 6)
        say_change(s);
    else
        say(s, "n += 1");
}

/* ---- The script ---- */

static void say_crossing(script_text *s)
{
    static const char *const functions[] = {"fell_to", "rose_to", "crossed"};
    const unsigned kind = choose(s->c, 3), asset = choose(s->c, s->n_assets) + 1;
    const double barrier =
        kind == 1 ? choose_between(s->c, 1.2, 1.4, 4) : choose_between(s->c, 0.8, 0.6, 4);
    say_line(s);
    say(s, "let c = %s(%.10g%s)", functions[kind], barrier, s->absolute ? " / unit" : "");
    say_line(s);
    say(s, s->n_assets > 1 ? "alive *= 1 - c[%u]" : "alive *= 1 - best(c)", asset);
}

static void say_block(script_text *s, unsigned schedule, bool and_expiry)
{
    s->schedule = schedule;
    if (schedule < s->n_schedules)
        say(s, and_expiry ? "\\nat days%u, expiry {" : "\\nat days%u {", schedule + 1);
    else
        say(s, "\\nat expiry {");
    if (and_expiry)
        s->schedule = s->n_schedules; /* a list of one schedule's dates serves no other */
    s->depth = 1;
    s->asks = schedule == s->n_schedules || !s->has_past[schedule];
    s->sees = s->later[schedule] && s->later[s->n_schedules];
    const unsigned n = 1 + PICK(s, 5, 3, 1);
    if (s->crosses && schedule == 0) say_crossing(s);
    if (s->crosses && schedule == s->n_schedules) {
        say_line(s);
        say(s, "pay alive * ");
        say_amount(s);
    }
    for (unsigned i = 0; i < n; ++i) say_statement(s);
    s->depth = 0;
    say(s, "\\n}");
}

static void say_reports(script_text *s)
{
    static const char *const names[] = {"hit", "n", "due", "v", "total"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        if (choose_rarely(s->c, 12)) say(s, "\\nreport %s", names[i]);
}

void script_text_write(script_text *s)
{
    static const char variables[] =
        "var hit = 0\\nvar n = 0\\nvar due = 0\\nvar v = 0.1\\nvar total = 0";
    s->general = choose_rarely(s->c, 25);
    add_parameter(s, "p0", "1.25");
    say(s, "%s", variables);
    if (s->crosses) say(s, "\\nvar alive = 1");
    if (s->general) say(s, "\\nvar previous = 1\\nvar seen[] = 0");
    for (unsigned i = 0; i < s->n_schedules; ++i)
        say_block(s, i, choose_rarely(s->c, 10) && !s->crosses);
    if (choose_rarely(s->c, 12) && !s->crosses) say_block(s, 0, false);
    say_block(s, s->n_schedules, false);
    say_reports(s);
}
