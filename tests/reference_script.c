/* reference_script.c: see reference_script.h. Levels are as quoted but for autocallables and
 * returns, which are fractions of today's spot. */
#include "tests/reference_script.h"

#include "tests/reference_case.h"

#include <string.h>

typedef struct writing {
    const levy_node *payoff, *model;
    FILE *out;
} writing;

/* {first, last, count}: first + k (last - first)/(count - 1), the last as written. One at 0 is left
 * out: the level today is the initial fixing. */
static void write_dates(const writing *w, const char *name, const char *key)
{
    const levy_node *const schedule = levy_node_find(w->payoff, key);
    const double first = reference_number(levy_node_find(schedule, "first")),
                 last = reference_number(levy_node_find(schedule, "last"));
    const int count = (int)reference_number(levy_node_find(schedule, "count"));
    fprintf(w->out, "%s: [", name);
    for (int k = first == 0.0; k < count - 1; ++k)
        fprintf(w->out, "%.17g,%s", first + k * ((last - first) / (count - 1)),
                k % 6 == 5 ? "\n      " : " ");
    fprintf(w->out, "%s]", reference_text(schedule, "last"));
}

/* The kind, and its schedule of observations. */
static void write_kind(const writing *w, const char *kind, const char *schedule)
{
    fprintf(w->out, "kind: %s", kind);
    if (!schedule) return;
    fputs(", ", w->out);
    write_dates(w, schedule, "observations");
}

static void write_key(const writing *w, const char *name, const char *key)
{
    fprintf(w->out, ", %s: %s", name, reference_text(w->payoff, key));
}

static void write_list(const writing *w, const char *name, const char *key)
{
    const levy_node *const list = levy_node_find(w->payoff, key);
    fprintf(w->out, ", %s: [", name);
    for (const levy_node *item = list->children; item; item = item->next)
        fprintf(w->out, "%s%s", item->text, item->next ? ", " : "]");
}

/* ---- Shipped kinds ---- */

static void write_phoenix(const writing *w)
{
    write_kind(w, "phoenix", "observations");
    fputs(", memory: false", w->out);
    write_key(w, "coupon", "coupon");
    write_key(w, "coupon_barrier", "coupon_barrier");
    write_key(w, "call_barrier", "autocall_level");
    write_key(w, "knock_in_barrier", "knock_in_level");
}

/* A snowball would have a coupon at expiry. */
static void write_watched_autocallable(const writing *w)
{
    fputs("kind: script, levels: percent_of_initial, script: \"var hit = 0\\n"
          "at watched { if level < barrier { hit = 1 } }\\n"
          "at calls { if level >= call { pay 1 + coupon * number; stop } }\\n"
          "at expiry { pay min(1, level) if hit > 0 else 1 }\", schedules: {",
          w->out);
    write_dates(w, "calls", "observations");
    fputs(", ", w->out);
    write_dates(w, "watched", "knock_in_observation");
    fprintf(w->out, "}, parameters: {call: %s", reference_text(w->payoff, "autocall_level"));
    write_key(w, "coupon", "coupon");
    write_key(w, "barrier", "knock_in_level");
    fputs("}", w->out);
}

static void write_autocallable(const writing *w)
{
    if (levy_node_find(w->payoff, "coupon_barrier")) {
        write_phoenix(w);
        return;
    }
    if (strcmp(reference_text(w->payoff, "knock_in_observation"), "expiry only") != 0) {
        write_watched_autocallable(w);
        return;
    }
    write_kind(w, "autocallable", "calls");
    write_key(w, "barrier", "autocall_level");
    write_key(w, "coupon", "coupon");
    write_key(w, "protection", "knock_in_level");
}

static void write_accumulator(const writing *w)
{
    write_kind(w, "accumulator", "observations");
    write_key(w, "strike", "strike");
    write_key(w, "knock_out", "knock_out");
    write_key(w, "gearing", "gearing");
}

static void write_parisian(const writing *w)
{
    const char *const type = reference_text(w->payoff, "barrier_type");
    write_kind(w, "parisian", "observations");
    write_key(w, "option_type", "option");
    write_key(w, "strike", "strike");
    write_key(w, "barrier", "barrier");
    write_key(w, "window", "consecutive_observations");
    fprintf(w->out, ", direction: %s, knock: %s", strncmp(type, "up_", 3) ? "down" : "up",
            strstr(type, "out") ? "out" : "in");
}

static void write_ladder(const writing *w)
{
    write_kind(w, "ladder", "observations");
    write_key(w, "option_type", "option");
    write_key(w, "strike", "strike");
    write_list(w, "rungs", "rungs");
}

static void write_range_accrual(const writing *w)
{
    write_kind(w, "range_accrual", "observations");
    write_key(w, "lower", "lower");
    write_key(w, "upper", "upper");
    fputs(", levels: absolute, coupon: 1", w->out);
}

static void write_power(const writing *w)
{
    write_kind(w, "power", NULL);
    write_key(w, "option_type", "option");
    write_key(w, "strike", "strike");
    write_key(w, "power", "power");
}

/* Its underlyings are in the kind's order: see reference_case.c. */
static void write_two_assets(const writing *w)
{
    write_kind(w, "outside_barrier", NULL);
    write_key(w, "option_type", "option");
    write_key(w, "strike", "strike");
    write_key(w, "barrier", "trigger");
    fputs(", direction: up, knock: in", w->out);
}

static void write_variance(const writing *w)
{
    const double n =
        reference_number(levy_node_find(levy_node_find(w->payoff, "observations"), "count")) - 1.0;
    const double years =
        reference_number(levy_node_find(levy_node_find(w->payoff, "observations"), "last"));
    if (strcmp(reference_text(w->payoff, "returns"), "log") == 0) {
        write_kind(w, "variance_swap", "observations");
        fprintf(w->out, ", strike: 0, annualisation: %.17g", n / years);
        return;
    }
    fputs("kind: script, levels: percent_of_initial, script: \"var before = 1; var total = 0\\n"
          "at days { total += (level / before - 1)^2; before = level }\\n",
          w->out);
    fprintf(w->out, "at expiry { pay total / %.17g }\", schedules: {", years);
    write_dates(w, "days", "observations");
    fputs("}", w->out);
}

/* ---- Texts of their own ---- */

static void write_log(const writing *w)
{
    fputs("kind: script, script: \"at expiry { pay log(level) }\"", w->out);
}

static void write_spots(const writing *w)
{
    fputs("spots: [", w->out);
    for (const levy_node *asset = levy_node_find(w->model, "assets")->children; asset;
         asset = asset->next)
        fprintf(w->out, "%s%s", reference_text(asset, "spot"), asset->next ? ", " : "]");
}

/* The best by its return counts with its price, which the kind has no word for. */
static void write_himalaya(const writing *w)
{
    fputs("kind: script, script: \"var remains[] = 1; var total = 0\\n"
          "at days { let seen = levels / spots if remains > 0 else -1\\n"
          "let taken = first(seen >= best(seen))\\n"
          "total += sum(levels if taken else 0) / dates\\n"
          "remains = 0 if taken else remains }\\n"
          "at expiry { pay max(total - strike, 0) }\", schedules: {",
          w->out);
    write_dates(w, "days", "observations");
    fputs("}, parameters: {", w->out);
    write_spots(w);
    write_key(w, "strike", "strike");
    fputs("}", w->out);
}

static void write_pagoda(const writing *w)
{
    fputs("kind: script, script: \"var before[] = spots; var total = 0\\n"
          "at days { total += mean(spots * (levels / before - 1)); before = levels }\\n"
          "at expiry { pay fraction * min(max(total, 0), roof) }\", schedules: {",
          w->out);
    write_dates(w, "days", "observations");
    fputs("}, parameters: {", w->out);
    write_spots(w);
    write_key(w, "fraction", "fraction");
    write_key(w, "roof", "roof");
    fputs("}", w->out);
}

/* The trade has the weights: its levels are weighted. */
static void write_basket_barrier(const writing *w)
{
    fputs("kind: script, script: \"var out = 0\\n"
          "at days { if any(levels / parts <= barrier) { out = 1 } }\\n"
          "at expiry { pay 0 if out > 0 else max(sum(levels) - strike, 0) }\", schedules: {",
          w->out);
    write_dates(w, "days", "observations");
    fprintf(w->out, "}, parameters: {strike: %s", reference_text(w->payoff, "strike"));
    write_key(w, "barrier", "barrier");
    write_list(w, "parts", "weights");
    fputs("}", w->out);
}

static const struct {
    const char *type, *keys;
    void (*write)(const writing *w);
} kinds[] = {
    {"autocallable",
     "type notional reference_level autocall_level coupon knock_in_level knock_in_observation "
     "observations definition coupon_barrier",
     write_autocallable},
    {"autocallable_worst_of",
     "type notional reference_levels autocall_level coupon knock_in_level knock_in_observation "
     "observations definition",
     write_autocallable},
    {"accumulator", "type strike knock_out gearing observations definition", write_accumulator},
    {"himalaya", "type strike observations definition", write_himalaya},
    {"pagoda", "type roof fraction observations definition", write_pagoda},
    {"basket_worst_of_barrier",
     "type option strike weights barrier barrier_type observations definition",
     write_basket_barrier},
    {"parisian_consecutive",
     "type barrier_type option strike barrier consecutive_observations monitoring observations "
     "definition",
     write_parisian},
    {"ladder", "type option strike rungs monitoring observations definition", write_ladder},
    {"range_accrual", "type notional lower upper observations definition", write_range_accrual},
    {"power", "type option strike power definition", write_power},
    {"log_contract", "type definition", write_log},
    {"two_asset_correlation", "type option trigger_asset trigger payoff_asset strike definition",
     write_two_assets},
    {"variance_swap_fair_strike", "type returns sampling observations definition", write_variance}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static size_t find(const char *type)
{
    size_t k = 0;
    while (k < KINDS && strcmp(kinds[k].type, type) != 0) ++k;
    return k;
}

const char *reference_script_keys(const char *type)
{
    const size_t k = find(type);
    return k < KINDS ? kinds[k].keys : NULL;
}

void reference_script_write(const levy_node *payoff, const levy_node *model, FILE *out)
{
    const writing w = {payoff, model, out};
    kinds[find(reference_text(payoff, "type"))].write(&w);
}

bool reference_script_is_undiscounted(const char *type)
{
    return strcmp(type, "variance_swap_fair_strike") == 0;
}
