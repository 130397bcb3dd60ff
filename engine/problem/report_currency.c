/* report_currency.c: see report_currency.h. */
#include "engine/problem/report_currency.h"

#include <math.h>
#include <string.h>

static const char report_path[] = "report_currency";

/* Its node; NULL: there is none. */
static const levy_node *report_node(levy_check *build, const levy_node *node,
                                    const levy_override *overrides, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        if (strcmp(overrides[i].key, report_path) != 0) continue;
        levy_node *const set = levy_check_allocate(build, 1, sizeof *set);
        if (!set) return NULL;
        *set = (levy_node){.kind = LEVY_NODE_SCALAR,
                           .place = {.file = "--set"},
                           .text = levy_check_text(build, "%s", overrides[i].value)};
        node = set;
    }
    return node;
}

static size_t report_add(levy_check *build, levy_names *names, const char *name)
{
    const size_t at = levy_names_add(names, build->arena, name);
    build->out_of_memory |= at == LEVY_NO_NAME;
    return at;
}

static double report_worth(double spot, bool inverse) { return inverse ? 1.0 / spot : spot; }

/* The worth in each scenario. */
static bool report_scenarios(levy_check *build, const levy_problem *problem, bool inverse,
                             levy_translation *of)
{
    of->in_scenario = levy_check_allocate(build, problem->n_scenarios, sizeof *of->in_scenario);
    for (size_t i = 0; of->in_scenario && i < problem->n_scenarios; ++i) {
        const levy_scenario *const s = &problem->scenarios[i];
        const levy_moved moved = {s->n_shifts, s->shifts, s->elapsed, true};
        const double spot = levy_moved_spot(&moved, of->fx);
        of->in_scenario[i] = spot > 0.0 && spot <= 1e12 ? report_worth(spot, inverse) : NAN;
    }
    return of->in_scenario != NULL;
}

static bool report_translate(levy_check *build, levy_market *market, const levy_node *node,
                             const levy_problem *problem, const levy_trade *trade,
                             levy_translation *of)
{
    const char *const in = problem->report->name, *const paid = trade->header.currency;
    const char *const why = levy_check_text(
        build, "the trade '%s' is paid in %s, but sums are in %s", trade->header.name, paid, in);
    levy_rate rate;
    *of = (levy_translation){.worth = 1.0};
    if (strcmp(paid, in) == 0) return true;
    if (!levy_market_use_rate(build, market, paid, in, node, report_path, why, "", &rate))
        return false;
    of->fx = &market->assets[rate.asset];
    const double x = of->fx->spot;
    of->worth = report_worth(x, rate.inverse);
    of->slope = rate.inverse ? -of->worth / x : 1.0;
    of->bend = rate.inverse ? 2.0 * of->worth / (x * x) : 0.0;
    return report_scenarios(build, problem, rate.inverse, of);
}

/* What moves with the rate is a product, whose second derivatives take the first ones. */
static bool report_check_measures(levy_check *build, const levy_problem *problem,
                                  const levy_trade *trade)
{
    static const struct {
        uint32_t asked, needed;
        const char *name, *add;
    } rules[] = {{LEVY_MEASURE_GAMMA, LEVY_MEASURE_DELTA, "gamma", "delta"},
                 {LEVY_MEASURE_CROSS_GAMMA, LEVY_MEASURE_DELTA, "cross_gamma", "delta"},
                 {LEVY_MEASURE_VANNA, LEVY_MEASURE_VEGA, "vanna", "vega"}};
    const uint32_t asks = levy_trade_asks(problem, trade);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i)
        if (asks & rules[i].asked && !(asks & rules[i].needed))
            return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(trade->from->node, "measures"),
                               levy_check_text(build, "%s.measures", trade->from->path),
                               levy_check_text(build, "Add %s to the measures.", rules[i].add),
                               "the sum's %s in %s needs the %s of this trade, which is paid in %s",
                               rules[i].name, problem->report->name, rules[i].add,
                               trade->header.currency);
    return true;
}

static bool report_fill(levy_check *build, levy_market *market, const levy_node *node,
                        const levy_problem *problem, levy_report_currency *report)
{
    size_t room = 0;
    bool good = true;
    for (size_t i = 0; i < problem->n_scenarios; ++i)
        if (report_add(build, &report->scenarios, problem->scenarios[i].id) == LEVY_NO_NAME)
            return false;
    for (size_t i = 0; i < problem->n_trades && !build->out_of_memory; ++i) {
        const levy_trade *const trade = &problem->trades[i];
        const char *const paid = trade->header.currency;
        if (trade->state == LEVY_TRADE_FAILED || !*paid) continue;
        if (good && strcmp(paid, report->name) != 0)
            good = report_check_measures(build, problem, trade);
        if (levy_names_find(&report->currencies, paid) != LEVY_NO_NAME) continue;
        if (!LEVY_CHECK_GROW(build, report->of, report->currencies.count, room, 8)) return false;
        const size_t at = report_add(build, &report->currencies, paid);
        if (at == LEVY_NO_NAME) return false;
        good = report_translate(build, market, node, problem, trade, &report->of[at]) && good;
    }
    return good;
}

levy_report_currency *levy_report_begin(levy_check *build, const levy_node *node,
                                        const levy_override *overrides, size_t n_overrides,
                                        levy_problem *problem)
{
    const levy_node *const found = report_node(build, node, overrides, n_overrides);
    if (!found || levy_check_refused(build, report_path) || build->broken) return NULL;
    if (!levy_market_currency(build, found->text, found, report_path)) return NULL;
    levy_report_currency *const report = levy_check_allocate(build, 1, sizeof *report);
    if (!report) return NULL;
    report->name = found->text;
    report->node = found;
    return problem->report = report, report;
}

bool levy_report_currency_build(levy_check *build, levy_market *market,
                                levy_report_currency *report, const levy_problem *problem)
{
    return !report || report_fill(build, market, report->node, problem, report);
}

const levy_translation *levy_translation_of(const levy_report_currency *report,
                                            const char *currency)
{
    const size_t at = levy_names_find(&report->currencies, currency);
    return at == LEVY_NO_NAME ? NULL : &report->of[at];
}

bool levy_report_reads(const levy_report_currency *report, const char *rate)
{
    bool reads = false;
    for (size_t i = 0; report && i < report->currencies.count; ++i)
        reads = reads || (report->of[i].fx && strcmp(report->of[i].fx->name, rate) == 0);
    return reads;
}
