/* numbers.c: see compare.h: what of two results must agree, and how. */
#include "tests/generated/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double most_z = 6.0; /* a greater one is a difference */
/* of a value and the price of its trade: what arithmetic in double leaves, which no error states */
static const double arithmetic = 1e-12;
static const double least_money = 1e-15; /* of a tail thirty deviations away, no error is known */

typedef struct number {
    const char *trade, *measure, *factor;
    double value, error;
    const char *interval, *note; /* NULL: none */
    bool flagged;
    double price; /* of the trade, without its sign */
    double step_bias, step_bias_se;
} number;

static number number_of(const levy_trade_result *t, const levy_measure *m)
{
    return (number){t->id,   m->measure, m->factor,      m->value,     m->std_error,   m->interval,
                    m->note, m->flagged, fabs(t->price), m->step_bias, m->step_bias_se};
}

static number number_of_price(const levy_trade_result *t, const char *name)
{
    return (number){t->id, name,           "",  t->price, t->std_error, t->interval, NULL,
                    false, fabs(t->price), NAN, NAN};
}

typedef void (*compare_numbers)(comparison *c, const number *a, const number *b, double share);

static const char *words(const char *text) { return text ? text : ""; }

static void say_difference(comparison *c, const number *a, const number *b, double z)
{
    ++c->differences;
    comparison_say(c, "  %s %s %s: %.17g +- %.3g, %.17g +- %.3g, z %.3g; %s; %s", a->trade,
                   a->measure, a->factor, a->value, a->error, b->value, b->error, z, words(a->note),
                   words(b->note));
}

/* ---- By errors ---- */

/* What levy itself says of a number that it cannot vouch for. A number that is noisy, or whose
 * error is large, is none of these. */
static exemption exemption_of(const number *n)
{
    if (isnan(n->value)) return NO_VALUE;
    if (isnan(n->error) || strcmp(words(n->interval), "unreliable") == 0 ||
        strstr(words(n->note), "unreliable"))
        return UNRELIABLE;
    return n->flagged ? BIASED : NO_EXEMPTION;
}

static exemption exemption_of_both(const number *a, const number *b)
{
    const exemption x = exemption_of(a), y = exemption_of(b);
    return x > y ? x : y;
}

/* What events that too few paths meet for an error may be worth, where a path pays some hundreds.
 * Of a difference by a bump there is no such limit. */
double comparison_unseen(const comparison *c, const char *measure, double size)
{
    static const char *const differences[] = {"delta", "gamma", "vega",  "rho",
                                              "theta", "vanna", "volga", "correlation"};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; ++i)
        if (strstr(measure, differences[i])) return INFINITY;
    return ldexp(16.0, -(int)c->paths_log2) * (100.0 + size);
}

static double known_error(const number *n) { return isnan(n->error) ? 0.0 : n->error; }

static void by_error(comparison *c, const number *a, const number *b, double share)
{
    (void)share;
    const double size = fmax(fabs(a->value), fabs(b->value)),
                 room = fmax(arithmetic, c->arithmetic) * (size + fmax(a->price, b->price)) +
                        least_money,
                 error = hypot(hypot(known_error(a), known_error(b)), room),
                 z = fabs(a->value - b->value) / error;
    const exemption of = exemption_of_both(a, b);
    if (strcmp(a->measure, "boundary") == 0) return; /* it has no error, and the strike's unit */
    ++c->compared;
    c->doubtful += of != NO_EXEMPTION;
    if (isnan(a->value) && isnan(b->value)) return;
    if (z <= most_z || (size == 0.0 && error == 0.0)) {
        c->squares += isfinite(z) ? z * z : 0.0;
        ++c->n_z;
    } else if (of == NO_VALUE || of == BIASED ||
               (of == UNRELIABLE &&
                fabs(a->value - b->value) <= comparison_unseen(c, a->measure, size))) {
        ++c->excused[of];
    } else {
        say_difference(c, a, b, z);
    }
}

static bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static bool same_words(const char *a, const char *b) { return strcmp(words(a), words(b)) == 0; }

static void by_bits(comparison *c, const number *a, const number *b, double share)
{
    (void)share;
    ++c->compared;
    if (!same_bits(a->value, b->value) || !same_bits(a->error, b->error) ||
        !same_words(a->note, b->note) || !same_bits(a->step_bias, b->step_bias) ||
        !same_bits(a->step_bias_se, b->step_bias_se))
        say_difference(c, a, b, NAN);
}

/* Of a side that measures what steps leave, and one that does not. A mark may be of that. */
static void but_steps(comparison *c, const number *a, const number *b, double share)
{
    number plain = *a;
    if (isnan(b->step_bias)) plain.step_bias = plain.step_bias_se = NAN;
    if (strstr(words(a->note), "biased: the model's steps")) plain.note = b->note;
    by_bits(c, &plain, b, share);
}

static void within(comparison *c, const number *a, const number *b, double share)
{
    const bool exact =
        strcmp(words(a->interval), "exact") == 0 && strcmp(words(b->interval), "exact") == 0;
    const double room =
        (exact ? most_z * hypot(a->error, b->error) : 0.0) + /* the rounding that they state */
        share * (fmax(fabs(a->value), fabs(b->value)) + (isnan(a->error) ? 0.0 : a->error) + 1e-3);
    ++c->compared;
    if (isnan(a->value) && isnan(b->value)) return;
    if (!(fabs(a->value - b->value) <= room))
        say_difference(c, a, b, fabs(a->value - b->value) / room);
}

/* Of a built-in payoff and its script on the same paths: prices are alike but for rounding, unless
 * one of them takes another way that its error tells of. Their bumps may differ, and a built-in
 * payoff's payments have one date. */
static void values_within(comparison *c, const number *a, const number *b, double share)
{
    const char *const m = a->measure;
    const bool price = strcmp(m, "price") == 0 || strncmp(m, "scenario", 8) == 0;
    if (strcmp(m, "cash_flows") == 0) return;
    if (price && share > 0.0 && a->error < 1.5 * b->error && b->error < 1.5 * a->error)
        within(c, a, b, share);
    else
        by_error(c, a, b, 0.0);
}

static const levy_measure *same_measure(const levy_trade_result *trade, const levy_measure *like)
{
    for (size_t m = 0; m < trade->n_measures; ++m) {
        const levy_measure *const each = levy_trade_measure(trade, m);
        if (strcmp(each->measure, like->measure) == 0 && strcmp(each->factor, like->factor) == 0)
            return each;
    }
    return NULL;
}

/* A measure of `a` alone. */
static void say_alone(comparison *c, const levy_trade_result *a, const levy_trade_result *b)
{
    for (size_t m = 0; m < a->n_measures; ++m) {
        const levy_measure *const each = levy_trade_measure(a, m);
        if (same_measure(b, each) || strcmp(each->factor, "smoothing_bias") == 0 ||
            strcmp(each->measure, "smoothing_bias") == 0)
            continue;
        ++c->differences;
        comparison_say(c, "  %s: %s %s on one side alone", a->id, each->measure, each->factor);
    }
}

static void compare_values(comparison *c, const levy_trade_result *a, const levy_trade_result *b,
                           compare_numbers how, double share)
{
    const number first = number_of_price(a, "(trade)"), second = number_of_price(b, "(trade)");
    how(c, &first, &second, share);
    for (size_t m = 0; m < a->n_measures; ++m) {
        const levy_measure *const x = levy_trade_measure(a, m), *const y = same_measure(b, x);
        if (!y) continue;
        const number p = number_of(a, x), q = number_of(b, y);
        how(c, &p, &q, share);
    }
}

static bool has_rule(const levy_trade_result *trade)
{
    for (size_t m = 0; m < trade->n_measures; ++m)
        if (strstr(words(levy_trade_measure(trade, m)->note), "Longstaff-Schwartz")) return true;
    return false;
}

/* Whether trade number t or a leg of it is by a rule that is fitted to draws: another order of
 * them has another rule. */
static bool has_rules(const levy_results *r, size_t t)
{
    const char *const id = levy_results_trade(r, t)->id;
    bool has = has_rule(levy_results_trade(r, t));
    for (size_t i = 0; i < levy_results_size(r); ++i) {
        const levy_trade_result *const leg = levy_results_trade(r, i);
        has = has || (leg->leg_of && strcmp(leg->leg_of, id) == 0 && has_rule(leg));
    }
    return has;
}

static void compare_trades(comparison *c, const levy_trade_result *a, const levy_trade_result *b,
                           compare_numbers how, double share)
{
    compare_values(c, a, b, how, share);
    say_alone(c, a, b);
    say_alone(c, b, a);
}

static void compare_all(comparison *c, const levy_results *a, const levy_results *b,
                        compare_numbers how, double share)
{
    if (!a || !b || c->refused) return;
    if (levy_results_size(a) != levy_results_size(b)) {
        ++c->differences;
        comparison_say(c, "  %zu and %zu trades", levy_results_size(a), levy_results_size(b));
        return;
    }
    for (size_t t = 0; t < levy_results_size(a); ++t)
        if (how != by_error || (!has_rules(a, t) && !has_rules(b, t)))
            compare_trades(c, levy_results_trade(a, t), levy_results_trade(b, t), how, share);
}

void compare_by_error(comparison *c, const levy_results *a, const levy_results *b)
{
    compare_all(c, a, b, by_error, 0.0);
}

static void compare_ends(comparison *c, const levy_results *a, const levy_results *b)
{
    for (size_t t = 0; a && b && t < levy_results_size(a) && t < levy_results_size(b); ++t) {
        const levy_trade_result *const x = levy_results_trade(a, t), *const y =
                                                                         levy_results_trade(b, t);
        if (same_bits(x->ci_low, y->ci_low) && same_bits(x->ci_high, y->ci_high) &&
            same_words(x->interval, y->interval))
            continue;
        ++c->differences;
        comparison_say(c, "  %s: [%.17g, %.17g] %s, [%.17g, %.17g] %s", x->id, x->ci_low,
                       x->ci_high, x->interval, y->ci_low, y->ci_high, y->interval);
    }
}

void compare_by_bits(comparison *c, const levy_results *a, const levy_results *b)
{
    compare_all(c, a, b, by_bits, 0.0);
    compare_ends(c, a, b);
}

void compare_but_steps(comparison *c, const levy_results *a, const levy_results *b)
{
    compare_all(c, a, b, but_steps, 0.0);
    compare_ends(c, a, b);
}

void compare_within(comparison *c, const levy_results *a, const levy_results *b, double share)
{
    compare_all(c, a, b, within, share);
}

void compare_values_within(comparison *c, const levy_results *a, const levy_results *b,
                           double share)
{
    for (size_t t = 0; a && b && !c->refused && t < levy_results_size(a); ++t) {
        const levy_trade_result *const x = levy_results_trade(a, t), *const y =
                                                                         levy_results_trade(b, t);
        /* a call that is priced as a put and a forward: all of its numbers are */
        const bool other = x->std_error > 1.5 * y->std_error || y->std_error > 1.5 * x->std_error;
        compare_values(c, x, y, values_within, other ? 0.0 : share);
    }
}

void compare_found_by_bits(comparison *c, const levy_results *a, const levy_results *b)
{
    for (size_t t = 0; a && b && !c->refused && t < levy_results_size(a); ++t)
        for (size_t u = 0; u < levy_results_size(b); ++u) {
            const levy_trade_result *const x = levy_results_trade(a, t), *const y =
                                                                             levy_results_trade(b,
                                                                                                u);
            if (same_words(x->id, y->id)) compare_trades(c, x, y, by_bits, 0.0);
        }
}

void compare_prices_by_bits(comparison *c, const levy_results *a, const levy_results *b)
{
    for (size_t t = 0; a && b && !c->refused && t < levy_results_size(a); ++t) {
        const levy_trade_result *const x = levy_results_trade(a, t), *const y =
                                                                         levy_results_trade(b, t);
        const number p = number_of_price(x, "price"), q = number_of_price(y, "price");
        by_bits(c, &p, &q, 0.0);
    }
}

/* ---- A quote, and the same move as a scenario ---- */

static const levy_measure *moved_price(const levy_results *r, size_t trade)
{
    const levy_measure like = {.measure = "scenario_price", .factor = "moved"};
    return same_measure(levy_results_trade(r, trade), &like);
}

void compare_move(comparison *c, const levy_results *moved, const levy_results *set)
{
    for (size_t t = 0; t < levy_results_size(set); ++t) {
        const levy_measure *const m = moved_price(moved, t);
        const levy_trade_result *const b = levy_results_trade(set, t);
        if (!m) continue;
        const number p = number_of(b, m), q = number_of_price(b, "price");
        by_error(c, &p, &q, 0.0);
    }
}
