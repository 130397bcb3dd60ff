/* test_reference.c: every case of tests/reference/ that levy can price, priced through the public
 * interface, compared. A price agrees when |levy - reference| <= tolerance + 4 standard errors,
 * delta, gamma, vega and rho when
 *     |levy - reference| <= greeks_tolerance + 4 standard errors + |D(2h) - D(h)|/3.
 * The last term is the bias of the bump: a central difference D(h) is off by h^2 f'''/6 (gamma:
 * h^2 f''''/12) and higher orders, which D(2h) on the same points measures (where a payoff jumps,
 * with noise of its own, well below one standard error). The tolerances are the case's own
 * uncertainty, never ours. Every sensitivity that a case gives is compared but those to Heston's
 * v0 alone (test_heston.c has one); none gives theta, cross-gamma or a sensitivity to correlation,
 * for which tests/test_greeks.c and test_bumps.c have closed forms.
 *
 * A fitted rule of early exercise bounds the price from below: on a Bermudan's dates it may lose
 * 0.3 % of the price (of several assets 0.5 %). An American price is extrapolated from those of N
 * dates and 2 N, as their bias goes by 1/N, and is as far off at most; so is its delta by 0.5 %,
 * beside which no other sensitivity is compared.
 *
 * 64 replicates of 2^12 points: with the default 16, Student's t of 15 degrees of freedom exceeds 4
 * standard errors once in 900 comparisons of a sound engine, with 63 once in 6,000, and nearly 400
 * are made.
 *
 * The report gives z-scores by family (count, largest, root mean square: up to about 1 when error
 * bars are honest) and every case that was not priced, with the reason. A family states how many
 * cases it has and how many levy prices: none can go missing.
 *
 *     test_reference [sobol_scrambled|philox] [paths N] [family NAME] [dump CASE]
 * runs another generator or count of paths, or one family; or prints the levy file of one case. */
#include "engine/document/document.h"
#include "tests/priced.h"
#include "tests/reference_case.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct score {
    size_t n;
    double largest, squares;
} score;

enum { DELTA, GAMMA, VEGA, RHO, GREEKS };
static const char *const greek_names[GREEKS] = {"delta", "gamma", "vega", "rho"};

typedef struct family {
    const char *name;
    size_t cases, priced; /* how many the data has, and how many of them levy prices */
    score price, greek[GREEKS];
} family;

static family families[] = {
    {.name = "american-levy", .cases = 6, .priced = 4},
    {.name = "american-multi-asset", .cases = 10, .priced = 10},
    {.name = "american-vanilla-gbm", .cases = 22, .priced = 22},
    {.name = "asian-arithmetic-continuous", .cases = 5},
    {.name = "asian-arithmetic-discrete", .cases = 15, .priced = 15},
    {.name = "asian-arithmetic-levy", .cases = 4, .priced = 4},
    {.name = "asian-geometric", .cases = 4, .priced = 3},
    {.name = "asian-heston", .cases = 12, .priced = 12},
    {.name = "autocallable", .cases = 7, .priced = 7},
    {.name = "barrier-continuous", .cases = 14, .priced = 14},
    {.name = "barrier-digital-continuous", .cases = 9, .priced = 9},
    {.name = "barrier-discrete-jump", .cases = 3, .priced = 3},
    {.name = "barrier-discrete", .cases = 12, .priced = 12},
    {.name = "basket-arithmetic", .cases = 16, .priced = 16},
    {.name = "basket-geometric", .cases = 5, .priced = 5},
    {.name = "bates-svcj-european", .cases = 4, .priced = 3},
    {.name = "bermudan-vanilla-gbm", .cases = 13, .priced = 13},
    {.name = "compound-chooser-extendible", .cases = 8},
    {.name = "discrete-dividends", .cases = 5, .priced = 5},
    {.name = "double-barrier-continuous", .cases = 11, .priced = 11},
    {.name = "european-digital-gap-power", .cases = 6, .priced = 6},
    {.name = "european-vanilla-gbm", .cases = 11, .priced = 11},
    {.name = "exchange", .cases = 8, .priced = 8},
    {.name = "forward-start-cliquet", .cases = 5, .priced = 5},
    {.name = "garch-european", .cases = 7},
    {.name = "heston-european", .cases = 19, .priced = 19},
    {.name = "heston-path-dependent", .cases = 7, .priced = 7},
    {.name = "kou-jump-european", .cases = 3, .priced = 3},
    {.name = "levy-nig-cgmy-european", .cases = 4, .priced = 2},
    {.name = "local-volatility", .cases = 6},
    {.name = "lookback-continuous", .cases = 13, .priced = 13},
    {.name = "lookback-discrete", .cases = 7, .priced = 7},
    {.name = "merton-jump-european", .cases = 8, .priced = 8},
    {.name = "mountain-range", .cases = 4, .priced = 4},
    {.name = "multiple-exercise", .cases = 2},
    {.name = "other-stochastic-volatility-european", .cases = 6},
    {.name = "parisian-and-ladder-discrete", .cases = 2, .priced = 2},
    {.name = "partial-and-soft-barrier", .cases = 13, .priced = 7},
    {.name = "quanto", .cases = 3, .priced = 3},
    {.name = "rainbow-multi-asset", .cases = 11, .priced = 11},
    {.name = "rainbow-two-asset", .cases = 10, .priced = 10},
    {.name = "range-accrual", .cases = 1, .priced = 1},
    {.name = "regime-switching-american", .cases = 7, .priced = 7},
    {.name = "regime-switching-discrete-lognormal", .cases = 3, .priced = 3},
    {.name = "regime-switching-gbm-european", .cases = 13, .priced = 13},
    {.name = "regime-switching-jump-european", .cases = 4, .priced = 4},
    {.name = "regime-switching-path-dependent", .cases = 10, .priced = 8},
    {.name = "rough-heston-european", .cases = 4},
    {.name = "sabr-european", .cases = 9},
    {.name = "shout", .cases = 2, .priced = 2},
    {.name = "spread", .cases = 12, .priced = 12},
    {.name = "stochastic-rates-hybrid", .cases = 5},
    {.name = "time-dependent-parameters", .cases = 2, .priced = 2},
    {.name = "variance-gamma-european", .cases = 7, .priced = 7},
    {.name = "variance-products", .cases = 7, .priced = 5},
};
enum { N_FAMILIES = sizeof families / sizeof families[0] };

/* What the command line says; everything else is constant. */
#if LEVY_SANITIZED
#define REFERENCE_PATHS "2^14" /* a sanitizer makes a path dear; the code is the same */
#else
#define REFERENCE_PATHS "2^15" /* tests/nightly.sh takes 2^18 */
#endif

/* Every second case from the first, tests/nightly.sh all; every eighth from the eighth under a
 * sanitizer, to which the cases of a family are alike. */
enum {
    REFERENCE_STEP = LEVY_TEST_FULL   ? 1
                     : LEVY_SANITIZED ? 8
                                      : 2,
    REFERENCE_AT = LEVY_SANITIZED ? 7 : 0
};

static struct {
    const char *generator, *paths, *only, *dump;
} arguments = {"sobol_scrambled", REFERENCE_PATHS, NULL, NULL};

static const double SPOT_BUMP = 1e-3, VOLATILITY_BUMP = 1e-3, GAMMA_BUMP = 0.05, RATE_BUMP = 1e-3;
enum { REPLICATES = 64 };
enum { DATES = 16 }; /* of American exercise by a rule */

/* ---- One case -------------------------------------------------------------------------------- */

typedef struct run { /* one pricing of one case */
    priced p;
    const levy_trade_result *trade; /* NULL: it could not be priced, and p.context says why */
} run;

static run run_price(const reference_case *item)
{
    run it = {.p = price_alone(item->text, NULL, 0, NULL)};
    if (it.p.status != LEVY_STATUS_OK || levy_results_size(it.p.results) != 1) return it;
    it.trade = levy_results_trade(it.p.results, 0);
    if (strcmp(it.trade->status, "ok")) it.trade = NULL;
    return it;
}

static void run_complain(const run *it, const reference_case *item)
{
    print_error("%s: levy does not price it\n", item->id);
    for (size_t i = 0; it->p.context && i < levy_diagnostic_count(it->p.context); ++i)
        print_error("    %s\n", levy_diagnostic_get(it->p.context, i)->text);
}

typedef struct estimate {
    double value, std_error;
} estimate;

/* The measure by one asset, or its sum over all (index 0): moving all together. Errors of a sum are
 * added, an upper bound. */
static estimate measure_of(const levy_trade_result *trade, const reference_case *item, int greek,
                           size_t index)
{
    const char *measure = greek_names[greek];
    if (greek == RHO) index = 1;
    const size_t first = index ? index : 1;
    const size_t last = index ? index : item->n_assets;
    size_t found = 0;
    estimate sum = {0.0, 0.0};
    for (size_t i = first; i <= last; ++i) {
        char factor[32];
        snprintf(factor, sizeof factor, "%s",
                 item->rho_of_discounting ? "DISCOUNT.rate" : "USD.rate");
        if (greek != RHO)
            snprintf(factor, sizeof factor, "A%zu.%s", i, greek == VEGA ? "volatility" : "spot");
        for (size_t k = 0; k < trade->n_measures; ++k) {
            const levy_measure *entry = &trade->measures[k];
            if (strcmp(entry->measure, measure) || strcmp(entry->factor, factor)) continue;
            sum.value += entry->value;
            sum.std_error += entry->std_error;
            ++found;
        }
    }
    if (found != last - first + 1) sum.value = NAN; /* never passes a comparison */
    return sum;
}

/* True when |levy - reference| <= allowance + 4 standard errors. The z-score is what lies beyond
 * the allowance, over the standard error, so that z = 4 is the limit; where the reference was
 * simulated, the whole difference over both errors. */
static bool agrees(score *scores, const char *id, const char *what, estimate it, double reference,
                   double allowance, double own_error)
{
    const double difference = fabs(it.value - reference),
                 /* nothing but rounding: the allowance alone */
        shown = isnan(it.std_error) ? 0.0 : it.std_error,
                 error = sqrt(shown * shown + own_error * own_error);
    const double beyond = own_error > 0.0 ? difference : fmax(difference - allowance, 0.0);
    const double z = beyond > 0.0 ? beyond / error : 0.0;
    const bool good = difference <= allowance + 4.0 * shown;
    scores->n += 1;
    scores->squares += z * z;
    scores->largest = fmax(scores->largest, z);
    if (!good)
        print_error("%s %s: levy %.12g, reference %.12g, difference %.3g, standard error %.3g, "
                    "allowance %.3g\n",
                    id, what, it.value, reference, difference, it.std_error, allowance);
    return good;
}

static bool compare_greek(family *group, const reference_case *item, const levy_trade_result *fine,
                          const levy_trade_result *coarse, int greek, size_t index,
                          double reference)
{
    const estimate it = measure_of(fine, item, greek, index);
    const double bias = fabs(measure_of(coarse, item, greek, index).value - it.value) / 3.0;
    char what[64];
    snprintf(what, sizeof what, "%s %zu", greek_names[greek], index);
    return agrees(&group->greek[greek], item->id, what, it, reference,
                  item->greeks_tolerance + bias, 0.0);
}

/* `node`: a number for one asset, one number per asset, or (parallel) a number for all of them. */
static bool compare_greeks(family *group, const reference_case *item, const levy_trade_result *fine,
                           const levy_trade_result *coarse, int greek, const levy_node *node,
                           bool parallel)
{
    bool good = true;
    if (!node) return true;
    if (node->kind == LEVY_NODE_SCALAR)
        return compare_greek(group, item, fine, coarse, greek, parallel ? 0 : 1,
                             reference_number(node));
    if (node->count != item->n_assets) return false;
    size_t index = 0;
    for (const levy_node *value = node->children; value; value = value->next)
        good &= compare_greek(group, item, fine, coarse, greek, ++index, reference_number(value));
    return good;
}

static reference_settings settings_with(double bump_factor)
{
    return (reference_settings){arguments.generator,
                                arguments.paths,
                                REPLICATES,
                                bump_factor * SPOT_BUMP,
                                bump_factor * VOLATILITY_BUMP,
                                bump_factor * GAMMA_BUMP,
                                bump_factor * RATE_BUMP,
                                DATES};
}

/* ---- A rule of early exercise ---- */

/* What is extrapolated from a figure and that of twice as many dates. Errors are added. */
static estimate extrapolated(estimate few, estimate many)
{
    return (estimate){2.0 * many.value - few.value, 2.0 * many.std_error + few.std_error};
}

static bool compare_rule(family *group, const reference_case *item, const levy_trade_result *few,
                         const levy_trade_result *many)
{
    const double share = item->n_assets > 1 ? 0.005 : 0.003;
    estimate price = {few->price, few->std_error};
    double middle = item->price, allowance = share * item->price + item->tolerance;
    if (many) {
        price = extrapolated(price, (estimate){many->price, many->std_error});
    } else { /* from the share below to the tolerance above */
        middle = item->price + 0.5 * (item->tolerance - share * item->price);
        allowance = 0.5 * (item->tolerance + share * item->price);
    }
    const bool good = agrees(&group->price, item->id, "price", price, middle, allowance, 0.0);
    if (!item->delta) return good;
    const double want = reference_number(item->delta);
    estimate delta = measure_of(few, item, DELTA, 1);
    if (many) delta = extrapolated(delta, measure_of(many, item, DELTA, 1));
    return agrees(&group->greek[DELTA], item->id, "delta", delta, want,
                  0.005 * fabs(want) + item->greeks_tolerance, 0.0) &&
           good;
}

/* The case on twice as many dates. */
static run run_many(const levy_node *node)
{
    reference_settings settings = settings_with(1.0);
    reference_case item;
    run it = {0};
    settings.dates *= 2;
    if (reference_case_read(node, &settings, &item)) it = run_price(&item);
    reference_case_release(&item);
    return it;
}

static bool compare_early(family *group, const levy_node *node, const reference_case *item)
{
    run few = run_price(item), many = {0};
    if (item->american) many = run_many(node);
    const bool good = few.trade && (many.trade || !item->american);
    if (!good) run_complain(few.trade ? &many : &few, item);
    const bool agreed = good && compare_rule(group, item, few.trade, many.trade);
    release(&many.p);
    release(&few.p);
    return agreed;
}

static bool compare_case(family *group, const levy_node *node, const reference_case *item)
{
    run fine = run_price(item), coarse = {0};
    bool good = fine.trade != NULL;
    if (!good) run_complain(&fine, item);
    /* where hardly a path pays, levy says that its error is none, and gives no interval */
    if (good && fine.trade->std_error > 0.0 && isnan(fine.trade->ci_low))
        group->price.n += 1;
    else if (good)
        good = agrees(&group->price, item->id, "price",
                      (estimate){fine.trade->price, fine.trade->std_error}, item->price,
                      item->tolerance, item->standard_error);
    if (fine.trade && item->has_greeks) {
        const reference_settings doubled = settings_with(2.0);
        reference_case wide;
        if (reference_case_read(node, &doubled, &wide)) coarse = run_price(&wide);
        reference_case_release(&wide);
        if (coarse.trade) {
            good &=
                compare_greeks(group, item, fine.trade, coarse.trade, DELTA, item->delta, false);
            good &= compare_greeks(group, item, fine.trade, coarse.trade, VEGA, item->vega, false);
            good &=
                compare_greeks(group, item, fine.trade, coarse.trade, GAMMA, item->gamma, false);
            good &= compare_greeks(group, item, fine.trade, coarse.trade, RHO, item->rho, true);
            good &= compare_greeks(group, item, fine.trade, coarse.trade, DELTA,
                                   item->delta_parallel, true);
            good &= compare_greeks(group, item, fine.trade, coarse.trade, VEGA, item->vega_parallel,
                                   true);
        } else
            good = false;
        release(&coarse.p);
    }
    release(&fine.p);
    return good;
}

/* ---- One family ------------------------------------------------------------------------------ */

typedef struct data { /* a family's file */
    levy_arena arena;
    levy_fault_list faults;
    char *text;
    const levy_node *cases; /* NULL: it could not be read */
} data;

static char *read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long size = ftell(file);
        rewind(file);
        text = size >= 0 ? malloc((size_t)size + 1) : NULL;
        *length = text ? fread(text, 1, (size_t)size, file) : 0;
        if (text) text[*length] = '\0';
    }
    if (file) fclose(file);
    return text;
}

static void data_read(data *it, const char *name)
{
    char path[512];
    size_t length = 0;
    levy_document document = {0};
    levy_arena_init(&it->arena, &levy_memory_default);
    levy_fault_list_init(&it->faults, &levy_memory_default);
    snprintf(path, sizeof path, LEVY_SOURCE_DIR "/tests/reference/%s.yaml", name);
    it->cases = NULL;
    it->text = read_file(path, &length);
    if (!it->text) return;
    if (levy_document_read(name, 0, it->text, length, &levy_limits_default, &it->arena, &it->faults,
                           &document) == LEVY_OK &&
        document.n_roots == 1)
        it->cases = levy_node_find(document.roots[0], "cases");
    for (size_t i = 0; i < it->faults.count; ++i) {
        char line[512];
        levy_fault_line(&it->faults.items[i], line, sizeof line);
        print_error("%s\n", line);
    }
}

static void data_release(data *it)
{
    levy_fault_list_release(&it->faults);
    levy_arena_release(&it->arena);
    free(it->text);
}

static double root_mean_square(const score *scores)
{
    return scores->n ? sqrt(scores->squares / (double)scores->n) : 0.0;
}

/* Neighbours that are refused for one reason are printed as one line. */
typedef struct unpriced {
    const char *family;
    size_t first, last; /* 0: none */
    char reason[96];
} unpriced;

static void unpriced_print(const unpriced *list)
{
    if (list->first == 0) return;
    if (list->first == list->last)
        print_message("not priced: %s-%03zu (%s)\n", list->family, list->first, list->reason);
    else
        print_message("not priced: %s-%03zu to %03zu (%s)\n", list->family, list->first, list->last,
                      list->reason);
}

static void unpriced_add(unpriced *list, size_t number, const char *reason)
{
    if (list->last + 1 != number || strcmp(list->reason, reason)) {
        unpriced_print(list);
        list->first = number;
        snprintf(list->reason, sizeof list->reason, "%s", reason);
    }
    list->last = number;
}

static void test_family(void **state)
{
    family *group = *state;
    const reference_settings settings = settings_with(1.0);
    size_t cases = 0, done = 0, unread = 0, failed = 0;
    unpriced list = {.family = group->name};
    data file;
    data_read(&file, group->name);
    for (const levy_node *node = file.cases ? file.cases->children : NULL; node;
         node = node->next, ++cases) {
        reference_case item;
        if (!reference_case_read(node, &settings, &item)) {
            print_error("%s: case %zu cannot be read\n", group->name, cases + 1);
            ++unread;
        } else if (item.refusal)
            unpriced_add(&list, cases + 1, item.refusal);
        else if (done++ % REFERENCE_STEP == REFERENCE_AT) {
            if (!(item.by_rule ? compare_early : compare_case)(group, node, &item)) ++failed;
        }
        reference_case_release(&item);
    }
    unpriced_print(&list);
    data_release(&file);
    assert_int_equal(unread, 0);
    assert_int_equal(cases, group->cases);
    assert_int_equal(done, group->priced);
    assert_int_equal(group->price.n,
                     (group->priced + REFERENCE_STEP - 1 - REFERENCE_AT) / REFERENCE_STEP);
    assert_int_equal(failed, 0);
}

/* Every file of the folder is a family of the table above: a new one cannot be forgotten. */
static void test_folder(void **state)
{
    (void)state;
    size_t files = 0;
    DIR *folder = opendir(LEVY_SOURCE_DIR "/tests/reference");
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".yaml")) continue;
        size_t i = 0;
        while (i < N_FAMILIES && (strlen(families[i].name) != length - 5 ||
                                  strncmp(families[i].name, entry->d_name, length - 5)))
            ++i;
        if (i == N_FAMILIES) print_error("%s is in no family\n", entry->d_name);
        assert_true(i < N_FAMILIES);
        ++files;
    }
    closedir(folder);
    assert_int_equal(files, N_FAMILIES);
}

/* ---- Report and command line ----------------------------------------------------------------- */

static void report_score(const score *s)
{
    print_message(" %5zu %4.2f %4.2f", s->n, s->largest, root_mean_square(s));
}

static void score_add(score *to, const score *s)
{
    to->n += s->n;
    to->squares += s->squares;
    to->largest = fmax(to->largest, s->largest);
}

static void report_family(const family *f)
{
    print_message("%-27s %5zu", f->name, f->cases);
    report_score(&f->price);
    for (int g = 0; g < GREEKS; ++g) report_score(&f->greek[g]);
    print_message("\n");
}

/* Of each: how many, the largest z, their root mean square. */
static void report_families(void)
{
    family all = {.name = "all"};
    print_message("\n%s, %s paths: z-scores by family\n%-27s %5s", arguments.generator,
                  arguments.paths, "family", "cases");
    print_message(" %5s  max  rms", "price");
    for (int g = 0; g < GREEKS; ++g) print_message(" %5s  max  rms", greek_names[g]);
    print_message("\n");
    for (size_t i = 0; i < N_FAMILIES; ++i) {
        all.cases += families[i].cases;
        if (!families[i].price.n) continue;
        report_family(&families[i]);
        score_add(&all.price, &families[i].price);
        for (int g = 0; g < GREEKS; ++g) score_add(&all.greek[g], &families[i].greek[g]);
    }
    report_family(&all);
}

/* Prints the levy file of one case: what the test prices. */
static int dump(const char *id)
{
    const reference_settings settings = settings_with(1.0);
    int status = 1;
    for (size_t i = 0; i < N_FAMILIES; ++i) {
        if (strncmp(id, families[i].name, strlen(families[i].name))) continue;
        data file;
        data_read(&file, families[i].name);
        for (const levy_node *node = file.cases ? file.cases->children : NULL; node;
             node = node->next) {
            reference_case item;
            if (reference_case_read(node, &settings, &item) && !strcmp(item.id, id)) {
                printf(item.refusal ? "# not priced: %s\n" : "%s",
                       item.refusal ? item.refusal : item.text);
                status = 0;
            }
            reference_case_release(&item);
        }
        data_release(&file);
    }
    if (status) fprintf(stderr, "no case %s\n", id);
    return status;
}

static bool read_arguments(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        const char **slot = !strcmp(argv[i], "paths")    ? &arguments.paths
                            : !strcmp(argv[i], "family") ? &arguments.only
                            : !strcmp(argv[i], "dump")   ? &arguments.dump
                                                         : NULL;
        if (slot && ++i == argc) return false;
        if (slot)
            *slot = argv[i];
        else
            arguments.generator = argv[i];
    }
    return !strcmp(arguments.generator, "sobol_scrambled") ||
           !strcmp(arguments.generator, "philox");
}

int main(int argc, char **argv)
{
    struct CMUnitTest tests[N_FAMILIES + 1] = {cmocka_unit_test(test_folder)};
    if (!read_arguments(argc, argv)) {
        fputs(
            "usage: test_reference [sobol_scrambled|philox] [paths N] [family NAME] [dump CASE]\n",
            stderr);
        return 2;
    }
    if (arguments.dump) return dump(arguments.dump);
    for (size_t i = 0; i < N_FAMILIES; ++i)
        tests[i + 1] = (struct CMUnitTest){families[i].name, test_family, NULL, NULL, &families[i]};
    if (arguments.only) cmocka_set_test_filter(arguments.only);
    const int failures = cmocka_run_group_tests_name("reference", tests, NULL, NULL);
    report_families();
    return failures;
}
