/* test_netted.c: sums of trades by currency and by key. Each measure of a sum is the sum of the
 * trades' measures, its error is that of the replicates' sums, taken here from the journal, and
 * what cannot be added up is said in words. */
#include "engine/book/handles.h"
#include "engine/book/journal.h"
#include "engine/plan/plan.h"
#include "tests/heap.h"
#define TEXT_ROOM 262144
#include "tests/priced.h"
#include "tests/kept_text.h"
#include "tests/files.h"
#include "tests/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *netted_text(void) { return text_of_book("texts/netted"); }

static const char netted_journal[] = "/tmp/levy-test-netted.journal";

static priced run_with(const char *text, const levy_setting *settings, size_t n, const char *by,
                       const char *journal)
{
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1, .by = by, .journal = journal};
    const priced run = price_alone(text, settings, n, &options);
    assert_non_null(run.book);
    return run;
}

static priced run_by(const char *by)
{
    const priced run = run_with(netted_text(), NULL, 0, by, NULL);
    assert_int_equal(run.status, LEVY_STATUS_OK);
    return run;
}

static const levy_measure *measure_among(const levy_measure *measures, size_t n,
                                         const char *measure, const char *factor)
{
    for (size_t i = 0; i < n; ++i)
        if (strcmp(measures[i].measure, measure) == 0 && strcmp(measures[i].factor, factor) == 0)
            return &measures[i];
    return NULL;
}

static const levy_netted *group(const levy_results *results, const char *key, const char *label,
                                const char *currency)
{
    const levy_netted *netted;
    for (size_t i = 0; (netted = levy_results_netted(results, i)) != NULL; ++i) {
        const bool same_key = key ? netted->key && strcmp(netted->key, key) == 0 : !netted->key;
        const bool same =
            label ? netted->label && strcmp(netted->label, label) == 0 : !netted->label;
        if (same_key && same && strcmp(netted->currency, currency) == 0) return netted;
    }
    return NULL;
}

/* Whether the trade belongs to the sum, by the tests' own reading. */
static bool belongs(const levy_trade_result *trade, const levy_netted *netted)
{
    const char *label = NULL;
    if (strcmp(trade->currency, netted->currency) != 0) return false;
    if (!netted->key) return true;
    if (strcmp(netted->key, "book") == 0) label = trade->book;
    if (strcmp(netted->key, "counterparty") == 0) label = trade->counterparty;
    if (strcmp(netted->key, "netting_set") == 0) label = trade->netting_set;
    if (strcmp(netted->key, "underlying") == 0) label = trade->underlying;
    if (strcmp(netted->key, "payoff") == 0) label = trade->payoff;
    if (strcmp(netted->key, "model") == 0) label = trade->model;
    for (size_t i = 0; strcmp(netted->key, "tags.desk") == 0 && i < trade->n_tags; ++i)
        if (strcmp(levy_trade_tag(trade, i)->name, "desk") == 0) label = trade->tags[i].text;
    return label ? netted->label && strcmp(label, netted->label) == 0 : !netted->label;
}

static const char all_keys[] = "book,counterparty,netting_set,underlying,payoff,model,tags.desk";

static void test_sums_are_those_of_the_trades(void **state)
{
    (void)state;
    priced run = run_by(all_keys);
    size_t compared = 0;
    for (size_t g = 0; g < levy_results_netted_count(run.results); ++g) {
        const levy_netted *const netted = levy_results_netted(run.results, g);
        size_t trades = 0;
        assert_string_equal(levy_netted_measure(netted, 0)->measure, "price");
        assert_true(levy_netted_measure(netted, 0)->value == netted->value);
        assert_true(levy_netted_measure(netted, 0)->std_error == netted->std_error);
        assert_null(levy_netted_measure(netted, netted->n_measures));
        for (size_t m = 0; m < netted->n_measures; ++m) {
            const levy_measure *const sum = levy_netted_measure(netted, m);
            double value = 0.0, size = 0.0, errors = 0.0;
            trades = 0;
            for (size_t t = 0; t < 5; ++t) {
                const levy_trade_result *const trade = levy_results_trade(run.results, t);
                if (!belongs(trade, netted)) continue;
                ++trades;
                const levy_measure *const own =
                    measure_among(trade->measures, trade->n_measures, sum->measure, sum->factor);
                if (!own) continue;
                value += own->value;
                size += fabs(own->value);
                errors += own->std_error;
            }
            assert_true(fabs(sum->value - value) <= 1e-13 * size);
            assert_true(sum->std_error <= errors * (1.0 + 1e-9)); /* the triangle's inequality */
            assert_true(sum->std_error > 0.0);
            ++compared;
        }
        assert_int_equal(trades, netted->trades);
    }
    assert_true(compared > 150);
    release(&run);
}

/* Every measure of every trade is in the sum of its currency. */
static void test_nothing_is_left_out(void **state)
{
    (void)state;
    priced run = run_by(NULL);
    assert_int_equal(levy_results_netted_count(run.results), 2);
    for (size_t t = 0; t < 5; ++t) {
        const levy_trade_result *const trade = levy_results_trade(run.results, t);
        const levy_netted *const netted = group(run.results, NULL, NULL, trade->currency);
        for (size_t m = 0; m < trade->n_measures; ++m)
            assert_non_null(measure_among(netted->measures, netted->n_measures,
                                          trade->measures[m].measure, trade->measures[m].factor));
    }
    const levy_netted *const euros = group(run.results, NULL, NULL, "EUR");
    const levy_trade_result *const e1 = levy_results_trade(run.results, 4);
    assert_int_equal(euros->n_measures, e1->n_measures); /* a sum of one is that one */
    for (size_t m = 0; m < e1->n_measures; ++m) {
        assert_string_equal(euros->measures[m].measure, e1->measures[m].measure);
        assert_true(fabs(euros->measures[m].std_error - e1->measures[m].std_error) <=
                    1e-12 * e1->measures[m].std_error);
        assert_int_equal(euros->measures[m].flagged, e1->measures[m].flagged);
    }
    release(&run);
}

static void test_groups_come_in_the_order_of_the_book(void **state)
{
    (void)state;
    priced run = run_by("counterparty,underlying");
    static const char *const expected[][3] = {{NULL, NULL, "USD"},
                                              {NULL, NULL, "EUR"},
                                              {"counterparty", "bank", "USD"},
                                              {"counterparty", NULL, "USD"},
                                              {"counterparty", NULL, "EUR"},
                                              {"underlying", "A", "USD"},
                                              {"underlying", "B", "USD"},
                                              {"underlying", "A,B", "USD"},
                                              {"underlying", "E", "EUR"}};
    const size_t n = sizeof expected / sizeof *expected;
    assert_int_equal(levy_results_netted_count(run.results), n);
    for (size_t i = 0; i < n; ++i)
        assert_ptr_equal(levy_results_netted(run.results, i),
                         group(run.results, expected[i][0], expected[i][1], expected[i][2]));
    release(&run);
}

/* ---- Errors, from the journal ---- */

/* Sums over the trades of a currency, by replicate, of one measure. */
typedef struct netted_line {
    const char *measure, *factor;
    double sums[16];
    double bias; /* sum of the sizes of the trades' biases */
} netted_line;

static double error_of(const double sums[16])
{
    double mean = 0.0, squares = 0.0;
    for (int r = 0; r < 16; ++r) mean += sums[r] / 16.0;
    for (int r = 0; r < 16; ++r) squares += (sums[r] - mean) * (sums[r] - mean);
    return sqrt(squares / 15.0 / 16.0);
}

/* Reads the sums of a group from the journal. */
static void read_group(FILE *file, tree_sum *sums, size_t n)
{
    static char line[1 << 20];
    levy_journal_group entry;
    assert_non_null(fgets(line, sizeof line, file));
    assert_true(levy_journal_read_group(line, strcspn(line, "\n"), &entry, sums, n));
    assert_int_equal(entry.n_sums, n);
}

static void add_output(const priced *run, const levy_plan *plan, uint32_t o, const tree_sum *sums,
                       netted_line *lines, size_t n)
{
    const levy_image_output *const output =
        LEVY_IMAGE_AT(levy_image_output, plan->image, outputs) + o;
    if (output->probe || output->trade >= plan->group->n_trades) return;
    const uint32_t t = plan->group->trades[output->trade];
    const double scale = levy_trade_scale(&run->book->problem->trades[t]);
    const levy_trade_result *const trade = levy_results_trade(run->results, t);
    static const char *const names[] = {"price", "delta", "vega", "gamma", "rho", "theta"};
    const int bit = __builtin_ctz(output->measure);
    const char *const scenario = bit == 14 ? "scenario_price" : "scenario_pnl";
    const char *const name = bit < 6 ? names[bit] : scenario;
    double own[16];
    if (strcmp(trade->currency, "USD") != 0) return;
    for (size_t i = 0; i < n; ++i) {
        if (strcmp(lines[i].measure, name) != 0 ||
            strcmp(lines[i].factor, plan->labels[output->factor]) != 0)
            continue;
        for (int r = 0; r < 16; ++r) own[r] = scale * sums[o * 16 + (uint32_t)r].mean;
        for (int r = 0; r < 16; ++r) lines[i].sums[r] += own[r];
        const levy_measure *const m =
            measure_among(trade->measures, trade->n_measures, name, lines[i].factor);
        const double rest = m->std_error * m->std_error - error_of(own) * error_of(own);
        lines[i].bias += sqrt(rest > 0.0 ? rest : 0.0);
    }
}

static void test_errors_are_those_of_the_replicates(void **state)
{
    (void)state;
    unlink(netted_journal);
    priced run = run_with(netted_text(), NULL, 0, NULL, netted_journal);
    assert_int_equal(run.status, LEVY_STATUS_OK);
    const levy_netted *const dollars = group(run.results, NULL, NULL, "USD");
    netted_line *const lines = calloc(dollars->n_measures, sizeof *lines);
    assert_non_null(lines);
    for (size_t m = 0; m < dollars->n_measures; ++m)
        lines[m] = (netted_line){.measure = dollars->measures[m].measure,
                                 .factor = dollars->measures[m].factor};
    levy_arena arena;
    levy_group *groups;
    size_t n_groups;
    char why[LEVY_PLAN_WHY];
    levy_arena_init(&arena, &levy_memory_default);
    assert_int_equal(levy_groups_create(run.book->problem, &arena, &groups, &n_groups), LEVY_OK);
    assert_int_equal(n_groups, 5);
    FILE *const file = fopen(netted_journal, "r");
    assert_non_null(file);
    for (int c = 0; c != '\n';) c = fgetc(file); /* the first line names the run */
    for (size_t g = 0; g < n_groups; ++g) {
        levy_plan *plan;
        assert_int_equal(
            levy_plan_create(&levy_memory_default, run.book->problem, &groups[g], &plan, why),
            LEVY_OK);
        const size_t n = (size_t)plan->image->n_outputs * 16;
        tree_sum *const sums = calloc(n, sizeof *sums);
        assert_non_null(sums);
        read_group(file, sums, n);
        for (uint32_t o = 0; o < plan->image->n_outputs; ++o)
            add_output(&run, plan, o, sums, lines, dollars->n_measures);
        free(sums);
        levy_plan_destroy(plan);
    }
    fclose(file);
    for (size_t m = 0; m < dollars->n_measures; ++m) {
        const double se = error_of(lines[m].sums), least = se * (1.0 - 1e-9),
                     most = sqrt(se * se + lines[m].bias * lines[m].bias) * (1.0 + 1e-9);
        const double error = dollars->measures[m].std_error;
        double value = 0.0;
        for (int r = 0; r < 16; ++r) value += lines[m].sums[r] / 16.0;
        assert_true(fabs(dollars->measures[m].value - value) <= 1e-9 * (fabs(value) + se));
        if (!(error >= least && error <= most))
            fail_msg("%s %s: error %g, of the replicates %g to %g", lines[m].measure,
                     lines[m].factor, error, least, most);
    }
    free(lines);
    levy_arena_release(&arena);
    release(&run);
    unlink(netted_journal);
}

/* ---- What is said ---- */

/* A touch of which one replicate alone sees a difference, and a call beside it. */
static void test_a_sum_errs_no_more_than_its_trades(void **state)
{
    static const char text[] =
        "schema_version: 1\n"
        "market:\n"
        "  curves: {USD: 0.04}\n"
        "  assets:\n"
        "    A: {currency: USD, spot: 100, volatility: 0.1, dividend_yield: 0.01}\n"
        "    B: {currency: USD, spot: 50, volatility: 0.4}\n"
        "  correlations: {pairs: [[A.spot, B.spot, 0.9]]}\n"
        "models:\n"
        "  m: {kind: merton, intensity: 1, jump_mean: -0.1, jump_volatility: 0.15,\n"
        "      assets: [A, B]}\n"
        "trades:\n"
        "  - {id: touch, underlyings: [{name: A, weight: 0.3}, {name: B, weight: 1.4}],\n"
        "     exercise: {expiry: 0.02}, quantity: 0.01,\n"
        "     payoff: {kind: touch, pays: if_touched, pay: at_expiry, cash: 100,\n"
        "              aggregate: basket, barrier: {lower: 80, upper: 120,\n"
        "              observations: {count: 5}}}}\n"
        "  - {id: call, underlying: A, exercise: {expiry: 1},\n"
        "     payoff: {kind: european, option_type: call, strike: 100}}\n"
        "simulation: {paths: 2^17, replicates: 16}\n"
        "measures: [price, delta, vega, dividend_rho]\n";
    (void)state;
    size_t doubtful = 0;
    for (size_t seed = 1; seed <= 8; ++seed) {
        char number[16];
        snprintf(number, sizeof number, "%zu", seed);
        const levy_setting own[] = {{"simulation.seed", number}};
        priced run = run_with(text, own, 1, NULL, NULL);
        assert_int_equal(run.status, LEVY_STATUS_OK);
        const levy_netted *const all = group(run.results, NULL, NULL, "USD");
        for (size_t m = 0; m < all->n_measures; ++m) {
            const levy_measure *const sum = levy_netted_measure(all, m);
            double errors = 0.0;
            for (size_t t = 0; t < levy_results_size(run.results); ++t) {
                const levy_trade_result *const trade = levy_results_trade(run.results, t);
                const levy_measure *const part =
                    measure_among(trade->measures, trade->n_measures, sum->measure, sum->factor);
                errors += part ? part->std_error : 0.0;
            }
            assert_false(sum->std_error > 1.000001 * errors);
            doubtful += strcmp(sum->interval, "unreliable") == 0 || sum->note;
        }
        release(&run);
    }
    assert_true(doubtful > 0);
}

static void test_a_measure_that_some_trades_do_not_report_is_partial(void **state)
{
    (void)state;
    char text[16384];
    const char *const at = strstr(netted_text(), "book: two");
    snprintf(text, sizeof text, "%.*smeasures: [price, delta], %s", (int)(at - netted_text()),
             netted_text(), at);
    priced run = run_with(text, NULL, 0, "book", NULL);
    const levy_netted *const all = group(run.results, NULL, NULL, "USD");
    const levy_netted *const one = group(run.results, "book", "one", "USD");
    const levy_measure *vega =
        measure_among(all->measures, all->n_measures, "vega", "A.volatility");
    assert_true(vega->flagged);
    assert_string_equal(vega->note, "partial: 3 of 4 trades report it");
    vega = measure_among(one->measures, one->n_measures, "vega", "A.volatility");
    assert_null(vega->note);
    const levy_measure *const delta =
        measure_among(all->measures, all->n_measures, "delta", "A.spot");
    assert_null(delta->note); /* all report it */
    release(&run);
}

static void test_flags_of_trades_are_those_of_the_sum(void **state)
{
    (void)state;
    /* the volatility of A cannot fall so far */
    const levy_setting wide[] = {{"simulation.bumps.volatility", "0.25"}};
    priced run = run_with(netted_text(), wide, 1, "book", NULL);
    assert_int_equal(run.status, LEVY_STATUS_OK);
    const levy_netted *const one = group(run.results, "book", "one", "USD");
    const levy_measure *vega =
        measure_among(one->measures, one->n_measures, "vega", "A.volatility");
    assert_true(vega->flagged);
    assert_string_equal(vega->note, "one-sided: the other bumped market cannot be simulated (1 of "
                                    "2 trades: a1)");
    vega = measure_among(one->measures, one->n_measures, "vega", "B.volatility");
    assert_string_equal(vega->note, "biased: bumps.volatility is wide beside the volatility "
                                    "(1 of 2 trades: b1)");
    release(&run);
}

/* A price that is unreliable is flagged, and so is the sum of its trade, which it names. */
static void test_an_unreliable_price_is_flagged(void **state)
{
    static const char text[] =
        "schema_version: 1\nmarket: {curves: {USD: 0.05}, assets: {S: {currency: USD, spot: 100, "
        "volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [S]}}\ntrades:\n"
        "- {id: near, underlying: S, payoff: {kind: european, option_type: call, strike: 100}, "
        "exercise: {expiry: 1}}\n- {id: far, underlying: S, payoff: {kind: lookback, option_type: "
        "call, strike: 250, lookback: {strike: fixed, observations: {count: 2}}}, "
        "exercise: {expiry: 1}}\nsimulation: {paths: 2^10, smoothing: none}\n";
    priced run = run_with(text, NULL, 0, NULL, NULL);
    (void)state;
    const levy_trade_result *const far = levy_results_trade(run.results, 1);
    assert_string_equal(far->interval, "unreliable");
    const levy_measure *price = measure_among(far->measures, far->n_measures, "price", "");
    assert_true(price->flagged);
    const levy_trade_result *const near = levy_results_trade(run.results, 0);
    assert_false(measure_among(near->measures, near->n_measures, "price", "")->flagged);
    const levy_netted *const all = group(run.results, NULL, NULL, "USD");
    price = measure_among(all->measures, all->n_measures, "price", "");
    assert_true(price->flagged);
    assert_non_null(strstr(price->note, "(1 of 2 trades: far)"));
    release(&run);
}

/* A scenario without a value for one trade has none for the sum. */
static void test_a_sum_without_one_of_its_values_has_none(void **state)
{
    (void)state;
    char text[16384];
    snprintf(text, sizeof text,
             "%s  - {id: gone, shifts: [{factor: B.volatility, type: absolute, "
             "size: -0.5}]}\n",
             netted_text());
    priced run = run_with(text, NULL, 0, "underlying", NULL);
    const levy_netted *const all = group(run.results, NULL, NULL, "USD");
    const levy_netted *const a = group(run.results, "underlying", "A", "USD");
    const levy_measure *const gone =
        measure_among(all->measures, all->n_measures, "scenario_pnl", "gone");
    assert_true(isnan(gone->value) && isnan(gone->std_error) && gone->flagged);
    assert_string_equal(gone->note, "no value: 2 of 4 trades have none");
    const levy_measure *const still =
        measure_among(a->measures, a->n_measures, "scenario_pnl", "gone");
    assert_true(still->value == 0.0);
    release(&run);
}

/* ---- What is missing ---- */

/* netted_text() with more trades. */
static priced run_more(const char *trades, const char *by)
{
    char text[16384];
    const char *const at = strstr(netted_text(), "simulation:");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - netted_text()), netted_text(), trades, at);
    return run_with(text, NULL, 0, by, NULL);
}

#define NETTED_FAILS                                                                               \
    "model: m, underlying: A, exercise: {expiry: 1}, "                                             \
    "payoff: {kind: european, option_type: call, strike: -95}}\n"

static void assert_reports_say_it(const levy_results *results)
{
    static const struct {
        int format;
        const char *words;
    } said[] = {{LEVY_FORMAT_TABLE, "netted, 4 of 6 trades"},
                {LEVY_FORMAT_TABLE, "\n  partial, without: bad, worse\n"},
                {LEVY_FORMAT_TABLE, "book gone, 0 of 1 trade"},
                {LEVY_FORMAT_TABLE, "\n  no price: worse\n"},
                {LEVY_FORMAT_JSON, "\"failed\": 2, \"failed_ids\": \"bad, worse\""},
                {LEVY_FORMAT_JSONL, "\"failed\": 1, \"failed_ids\": \"worse\""},
                {LEVY_FORMAT_HTML, "<li>without bad, worse</li>"},
                {LEVY_FORMAT_HTML, ">0 of 1</td>"}};
    kept_text *const report = malloc(sizeof *report);
    assert_non_null(report);
    for (size_t i = 0; i < sizeof said / sizeof *said; ++i) {
        report->length = 0;
        assert_int_equal(levy_results_write(results, said[i].format, text_write, report),
                         LEVY_STATUS_OK);
        if (!strstr(report->bytes, said[i].words)) fail_msg("not said: %s", said[i].words);
    }
    assert_null(strstr(report->bytes, "<td>[0, 0]</td>"));
    const levy_report_options sums = {
        .struct_size = sizeof sums, .format = LEVY_FORMAT_CSV, .sums = 1};
    report->length = 0;
    assert_int_equal(levy_results_report(results, &sums, text_write, report), LEVY_STATUS_OK);
    assert_non_null(strstr(report->bytes, ",failed,failed_ids,price,std_error"));
    assert_non_null(strstr(report->bytes, ",4,2,\"bad, worse\","));
    free(report);
}

/* A sum counts and names the trades without a price, and is that of the others. */
static void test_a_sum_says_what_it_lacks(void **state)
{
    (void)state;
    priced whole = run_by("book,tags.desk"),
           run = run_more("  - {id: bad, book: one, " NETTED_FAILS "  - {id: worse, book: gone, "
                          "counterparty: x, tags: {desk: flow}, " NETTED_FAILS,
                          "book,tags.desk");
    assert_int_equal(run.status, LEVY_STATUS_OK);
    const levy_netted *const all = group(run.results, NULL, NULL, "USD"),
                             *const was = group(whole.results, NULL, NULL, "USD"),
                             *const one = group(run.results, "book", "one", "USD"),
                             *const two = group(run.results, "book", "two", "USD"),
                             *const flow = group(run.results, "tags.desk", "flow", "USD"),
                             *const euros = group(run.results, NULL, NULL, "EUR"),
                             *const gone = group(run.results, "book", "gone", "USD");
    assert_int_equal(all->trades, 4);
    assert_int_equal(all->failed, 2);
    assert_string_equal(all->failed_ids, "bad, worse");
    assert_true(all->value == was->value && all->std_error == was->std_error);
    assert_int_equal(was->failed, 0);
    assert_null(was->failed_ids);
    assert_int_equal(one->failed, 1);
    assert_string_equal(one->failed_ids, "bad");
    assert_int_equal(two->failed, 0);
    assert_string_equal(flow->failed_ids, "worse");
    assert_int_equal(euros->failed, 0);
    assert_int_equal(gone->trades, 0); /* all of the set failed: it is listed all the same */
    assert_int_equal(gone->failed, 1);
    assert_true(isnan(gone->value) && isnan(gone->std_error) && gone->n_measures == 0);
    assert_string_equal(gone->interval, "none");
    assert_reports_say_it(run.results);
    release(&run);
    release(&whole);
}

static void test_a_sum_names_eight_and_counts_all(void **state)
{
    (void)state;
    char trades[4096] = "";
    for (int i = 0; i < 11; ++i)
        snprintf(trades + strlen(trades), sizeof trades - strlen(trades),
                 "  - {id: f%d, " NETTED_FAILS, i);
    priced run = run_more(trades, NULL);
    const levy_netted *const all = group(run.results, NULL, NULL, "USD");
    assert_int_equal(all->failed, 11);
    assert_string_equal(all->failed_ids, "f0, f1, f2, f3, f4, f5, f6, f7 and 3 more");
    release(&run);
}

/* The second trade of an id is none of that id: the first one is in the sum. */
static void test_a_sum_names_places_where_there_is_no_id(void **state)
{
    (void)state;
    priced run = run_more(
        "  - {" NETTED_FAILS "  - {id: bad, " NETTED_FAILS "  - {id: bad, " NETTED_FAILS, NULL);
    const levy_netted *const all = group(run.results, NULL, NULL, "USD");
    assert_int_equal(all->failed, 3);
    assert_string_equal(all->failed_ids, "trades[5], bad, trades[7]");
    assert_null(levy_results_trade(run.results, 5)->id);
    release(&run);
}

/* A trade of which no currency is known may belong to any sum. */
static void test_a_trade_without_a_currency_may_belong_to_any_sum(void **state)
{
    (void)state;
    priced run = run_more("  - {id: lost, model: m, underlying: NONE, exercise: {expiry: 1}, "
                          "payoff: {kind: european, option_type: call, strike: 95}}\n",
                          NULL);
    assert_string_equal(group(run.results, NULL, NULL, "USD")->failed_ids, "lost");
    assert_string_equal(group(run.results, NULL, NULL, "EUR")->failed_ids, "lost");
    assert_int_equal(levy_results_netted_count(run.results), 2);
    release(&run);
}

/* One leg is priced before the other one divides by zero: the sum would hold half a trade. */
static void test_no_sum_holds_a_part_of_a_trade(void **state)
{
    (void)state;
    priced run = run_more(
        "  - id: half\n    model: m\n    underlying: A\n    exercise: {expiry: 1}\n    legs:\n"
        "      - {payoff: {kind: european, option_type: call, strike: 95}}\n"
        "      - {payoff: {kind: script, script: \"at expiry { pay 1 / (level - level) }\"}}\n",
        NULL);
    const levy_netted *const all = group(run.results, NULL, NULL, "USD");
    assert_string_equal(levy_results_trade(run.results, 5)->status, "failed");
    assert_string_equal(levy_results_trade(run.results, 6)->status, "ok");
    assert_string_equal(all->failed_ids, "half");
    assert_true(isnan(all->value) && all->n_measures == 0);
    assert_true(group(run.results, NULL, NULL, "EUR")->value > 0.0);
    release(&run);
}

static void test_probabilities_do_not_add_up(void **state)
{
    (void)state;
    char text[16384];
    const char *const at = strstr(netted_text(), "simulation:");
    snprintf(text, sizeof text,
             "%.*s  - {id: s1, model: m, underlying: A, quantity: 2, exercise: {expiry: 1},\n"
             "     measures: [price, cash_flows, probability, expected_life],\n"
             "     payoff: {kind: script, schedules: {halves: {count: 2}},\n"
             "       script: \"at halves { if level > 110 { pay 1; stop } }; at expiry { pay level "
             "}\"}}\n%s",
             (int)(at - netted_text()), netted_text(), at);
    priced run = run_with(text, NULL, 0, NULL, NULL);
    assert_int_equal(run.status, LEVY_STATUS_OK);
    const levy_trade_result *const script = levy_results_trade(run.results, 5);
    assert_string_equal(script->status, "ok");
    const levy_netted *const all = group(run.results, NULL, NULL, "USD");
    assert_null(measure_among(all->measures, all->n_measures, "probability", "1"));
    assert_null(measure_among(all->measures, all->n_measures, "expected_life", "years"));
    const levy_measure *const flow =
        measure_among(all->measures, all->n_measures, "cash_flows", "0.5");
    const levy_measure *const own =
        measure_among(script->measures, script->n_measures, "cash_flows", "0.5");
    assert_true(own->value > 0.0 && fabs(flow->value - own->value) <= 1e-13 * own->value);
    assert_string_equal(flow->note, "partial: 1 of 5 trades report it");
    release(&run);
}

static void assert_refused(const char *by, const char *message)
{
    priced run = run_with(netted_text(), NULL, 0, by, NULL);
    assert_int_equal(run.status, LEVY_STATUS_ARGUMENT);
    assert_null(run.results);
    size_t errors = 0;
    for (size_t i = 0; i < levy_diagnostic_count(run.context); ++i) {
        if (levy_diagnostic_get(run.context, i)->severity != 0) continue; /* a slow processor */
        assert_string_equal(levy_diagnostic_get(run.context, i)->message, message);
        ++errors;
    }
    assert_int_equal(errors, 1);
    release(&run);
}

static void test_keys_are_checked(void **state)
{
    (void)state;
    assert_refused("bok", "there is no key 'bok'; did you mean 'book'?");
    assert_refused("tags.desc", "no trade has a tag 'desc'; did you mean 'tags.desk'?");
    assert_refused("tags.", "no trade has a tag ''");
    assert_refused("book,model,book", "the key 'book' is named twice");
    assert_refused("id", "there is no key 'id'");
    assert_refused("book,,model", "there is no key ''");
}

/* ---- What trades carry ---- */

static void test_texts_come_out_again(void **state)
{
    (void)state;
    char text[16384];
    const char *const at = strstr(netted_text(), "strike: 105");
    snprintf(text, sizeof text, "%.*sstrick: 105%s", (int)(at - netted_text()), netted_text(),
             at + strlen("strike: 105")); /* a trade that is refused keeps its texts */
    priced run = run_with(text, NULL, 0, "book", NULL);
    const levy_trade_result *const a1 = levy_results_trade(run.results, 0);
    const levy_trade_result *const ab = levy_results_trade(run.results, 3);
    assert_string_equal(a1->status, "failed");
    assert_string_equal(a1->book, "one");
    assert_string_equal(a1->counterparty, "bank");
    assert_null(a1->netting_set);
    assert_string_equal(a1->underlying, "A");
    assert_int_equal(a1->n_tags, 1);
    assert_string_equal(levy_trade_tag(a1, 0)->name, "desk");
    assert_string_equal(levy_trade_tag(a1, 0)->text, "flow");
    assert_null(levy_trade_tag(a1, 1));
    assert_string_equal(ab->underlying, "A,B");
    assert_string_equal(levy_results_trade(run.results, 2)->netting_set, "n");
    assert_int_equal(group(run.results, "book", "one", "USD")->trades, 1);
    release(&run);
}

static void test_points_of_grids_have_axes(void **state)
{
    (void)state;
    priced run = run_by(NULL);
    const levy_grid_point *const point = levy_results_grid_point(run.results, 2);
    assert_string_equal(point->id, "grid[0.1,0.02]");
    assert_string_equal(point->scenario, "grid");
    assert_int_equal(point->n_axes, 2);
    assert_string_equal(levy_grid_point_axis(point, 0)->factor, "A.spot");
    assert_true(levy_grid_point_axis(point, 0)->relative);
    assert_true(levy_grid_point_axis(point, 0)->size == 0.1);
    assert_string_equal(levy_grid_point_axis(point, 1)->factor, "ALL.volatility");
    assert_false(levy_grid_point_axis(point, 1)->relative);
    assert_null(levy_grid_point_axis(point, 2));
    assert_null(levy_results_grid_point(run.results, 4));
    release(&run);
}

/* ---- Memory ---- */

/* Prices by keys and writes a wide report with so many requests; both end with LEVY_STATUS_MEMORY
 * or as they should. True: nothing was missing. */
static bool enough(levy_book *book, test_heap *memory, long requests)
{
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .threads = 1, .by = all_keys};
    const levy_report_options wide = {
        .struct_size = sizeof wide, .format = LEVY_FORMAT_NPY, .wide = 1};
    levy_results *results = NULL;
    heap_grant(memory, requests);
    const int status = levy_price(book, &options, &results);
    const int written =
        status == LEVY_STATUS_OK ? levy_results_report(results, &wide, text_drop, NULL) : status;
    heap_fail(memory, 0);
    bool whole = written == LEVY_STATUS_OK;
    for (size_t t = 0; results && t < levy_results_size(results); ++t)
        whole = whole && strcmp(levy_results_trade(results, t)->status, "ok") == 0;
    assert_true(written == LEVY_STATUS_OK || written == LEVY_STATUS_MEMORY);
    levy_results_destroy(results);
    return whole;
}

static void test_memory_that_ends_is_said(void **state)
{
    (void)state;
    test_heap memory = {0};
    const levy_context_options own = heap_options(&memory);
    levy_context *context;
    levy_book *book;
    long requests = 0, refused = 0;
    assert_int_equal(levy_context_create(&own, &context), LEVY_STATUS_OK);
    book = read_book(context, netted_text(), NULL, 0);
    assert_true(enough(book, &memory, 1000000000)); /* plans are kept from now on */
    while (!enough(book, &memory, requests)) {
        ++refused;
        requests += 1 + requests / 32;
        assert_true(requests < 1000000);
    }
    assert_true(refused > 30);
    levy_book_destroy(book);
    levy_context_destroy(context);
}

#define ORDER_BOOK(trades)                                                                         \
    "schema_version: 1\nmarket: {curves: {USD: 0.04}, assets: {A: {currency: USD, spot: 100, "     \
    "volatility: 0.2}}}\nmodels: {m: {kind: black_scholes, assets: [A]}}\ntrades:\n" trades        \
    "  - {id: t, underlyings: [A], exercise: {expiry: 1}, premium: {amount: 3.25, date: 0.01},\n"  \
    "     legs: [{payoff: " ORDER_PAYS "}, {position: short, quantity: 0.5, payoff: " ORDER_PAYS   \
    "}]}\nsimulation: {paths: 2^14, replicates: 16}\nmeasures: [price]\n"
#define ORDER_PAYS "{kind: digital, option_type: call, strike: 100, payout: asset}"

/* The groups of other trades decide in which order a sum's parts come. */
static void test_an_error_does_not_hang_on_other_trades(void **state)
{
    (void)state;
    static const char alone[] = ORDER_BOOK("");
    static const char beside[] =
        ORDER_BOOK("  - {id: first, underlyings: [A], exercise: {expiry: 1},\n"
                   "     premium: {amount: 3.25, date: 0.01}, payoff: {kind: double_barrier,\n"
                   "     option_type: call, strike: 100, barrier: {lower: 80, upper: 120,\n"
                   "     knock: out, monitoring: continuous}}}\n");
    priced one = run_with(alone, NULL, 0, NULL, NULL), two = run_with(beside, NULL, 0, NULL, NULL);
    const levy_trade_result *const a = find_trade(one.results, "t");
    const levy_trade_result *const b = find_trade(two.results, "t");
    assert_true(a->std_error > 0.0);
    assert_memory_equal(&a->std_error, &b->std_error, sizeof a->std_error);
    assert_memory_equal(&a->price, &b->price, sizeof a->price);
    release(&one);
    release(&two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_are_those_of_the_trades),
        cmocka_unit_test(test_nothing_is_left_out),
        cmocka_unit_test(test_groups_come_in_the_order_of_the_book),
        cmocka_unit_test(test_errors_are_those_of_the_replicates),
        cmocka_unit_test(test_a_sum_errs_no_more_than_its_trades),
        cmocka_unit_test(test_an_error_does_not_hang_on_other_trades),
        cmocka_unit_test(test_a_measure_that_some_trades_do_not_report_is_partial),
        cmocka_unit_test(test_flags_of_trades_are_those_of_the_sum),
        cmocka_unit_test(test_an_unreliable_price_is_flagged),
        cmocka_unit_test(test_a_sum_without_one_of_its_values_has_none),
        cmocka_unit_test(test_a_sum_says_what_it_lacks),
        cmocka_unit_test(test_a_sum_names_eight_and_counts_all),
        cmocka_unit_test(test_a_sum_names_places_where_there_is_no_id),
        cmocka_unit_test(test_a_trade_without_a_currency_may_belong_to_any_sum),
        cmocka_unit_test(test_no_sum_holds_a_part_of_a_trade),
        cmocka_unit_test(test_probabilities_do_not_add_up),
        cmocka_unit_test(test_keys_are_checked),
        cmocka_unit_test(test_texts_come_out_again),
        cmocka_unit_test(test_points_of_grids_have_axes),
        cmocka_unit_test(test_memory_that_ends_is_said)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
