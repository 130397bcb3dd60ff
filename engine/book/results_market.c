/* results_market.c: the market as the run used it, for reports: quotes and settings that are not
 * those of the files, assets, curves, models, correlations. See results.h. */
#include "engine/book/results.h"

#include "engine/base/number.h"
#include "engine/problem/quotes.h"
#include "engine/problem/report_currency.h"
#include "engine/schema/book.h"
#include "engine/schema/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Tables are made in the results' arena, row by row. */
typedef struct facts_market {
    levy_results *results;
    const levy_quotes *quotes;
    const levy_problem *problem;
    levy_report_facts *tables;
    size_t n;
    bool ok;
    char line[8192];
} facts_market;

static const levy_report_fact facts_none = {.number = NAN};

static levy_report_fact facts_number(double value) { return (levy_report_fact){.number = value}; }

static levy_report_fact facts_percent(double share)
{
    return (levy_report_fact){.number = share, .percent = true};
}

static levy_report_fact facts_text(facts_market *m, const char *text)
{
    return (levy_report_fact){.text = levy_results_copy(m->results, text, &m->ok)};
}

/* The next table, with room for rows; NULL: there are none, or no memory. */
static levy_report_facts *facts_table(facts_market *m, const char *title, const char *const *heads,
                                      size_t n_columns, size_t most)
{
    levy_report_facts *const table = &m->tables[m->n];
    if (most == 0 || !m->ok) return NULL;
    *table = (levy_report_facts){.title = title, .n_columns = n_columns, .heads = heads};
    table->items = levy_arena_allocate(&m->results->arena, most * n_columns, sizeof *table->items);
    m->ok = table->items != NULL;
    m->n += m->ok;
    return m->ok ? table : NULL;
}

static void facts_add(levy_report_facts *table, const levy_report_fact *row)
{
    memcpy(table->items + table->n_rows++ * table->n_columns, row, table->n_columns * sizeof *row);
}

/* ---- Values by time ---- */

static void facts_time(const levy_time *time, char text[LEVY_NUMBER_SIZE + 8])
{
    char years[LEVY_NUMBER_SIZE];
    if (time->is_date)
        levy_date_write(time->date, text);
    else
        levy_number_write(time->years, years), sprintf(text, "%s years", years);
}

/* Without zeros at the end. */
static void facts_decimal(double value, int decimals, char text[64])
{
    levy_number_write_fixed(value, decimals, text, 64);
    size_t length = strlen(text);
    while (strchr(text, '.') && text[length - 1] == '0') text[--length] = '\0';
    if (text[length - 1] == '.') text[length - 1] = '\0';
}

/* "24 % at 2027-05-20, 26 % at 2028-11-20". */
static void facts_nodes(facts_market *m, const levy_list *nodes, bool percent, const char *before)
{
    const levy_time_value *const items = nodes->items;
    const char *const unit = percent ? " %" : "";
    size_t used = strlen(m->line);
    for (size_t i = 0; i < nodes->count && used + 160 < sizeof m->line; ++i) {
        char number[64], time[LEVY_NUMBER_SIZE + 8];
        if (percent)
            facts_decimal(100.0 * items[i].value, 3, number);
        else
            facts_decimal(items[i].value, 6, number);
        facts_time(&items[i].time, time);
        used += (size_t)snprintf(m->line + used, sizeof m->line - used, "%s%s%s at %s",
                                 i ? ", " : before, number, unit, time);
    }
}

static levy_report_fact facts_line(facts_market *m)
{
    const levy_report_fact fact = facts_text(m, m->line);
    m->line[0] = '\0';
    return fact;
}

/* ---- Quotes and settings changed from the files ---- */

/* What a value that is no number of the files does. */
static const char *facts_how(const levy_quote *quote, const levy_quote_place *place)
{
    if (!quote->is_shift) return "";
    if (!place->term) return "added in each piece";
    if (place->node != SIZE_MAX) return "a rate added";
    if (place->term->together == LEVY_TOGETHER_SCALED) return "each times 1 + this";
    return "added to each node";
}

static void facts_changes(facts_market *m)
{
    static const char *const quote_heads[] = {"quote", "in the files", "in this run", "note"};
    static const char *const setting_heads[] = {"setting", "in this run"};
    const levy_quotes *const q = m->quotes;
    levy_report_facts *table = NULL;
    for (size_t i = 0; i < q->names.count; ++i) {
        if (q->quotes[i].value == q->places[i].start) continue;
        if (!table)
            table = facts_table(m, "Quotes changed from the files", quote_heads, 4, q->names.count);
        if (!table) return;
        facts_add(table, (const levy_report_fact[]){
                             facts_text(m, q->quotes[i].name), facts_number(q->places[i].start),
                             facts_number(q->quotes[i].value),
                             facts_text(m, facts_how(&q->quotes[i], &q->places[i]))});
    }
    const levy_overrides *const set = q->overrides;
    table = facts_table(m, "Settings changed from the files", setting_heads, 2, set->n);
    for (size_t i = 0; table && i < set->n; ++i)
        facts_add(table, (const levy_report_fact[]){
                             facts_text(m, set->items[i].key),
                             facts_text(m, set->items[i].value),
                         });
}

/* ---- Assets and curves ---- */

/* Whether a model's asset, or the rate of exchange that it is paid by, has a name. */
static bool facts_is_asset(const levy_asset *asset, const char *name)
{
    return strcmp(asset->name, name) == 0 ||
           (asset->quanto.fx && strcmp(asset->quanto.fx->name, name) == 0);
}

/* Whether a curve, or one that it is over, has a name. */
static bool facts_is_on(const levy_curve *curve, const char *name)
{
    while (curve && strcmp(curve->name, name) != 0) curve = curve->over;
    return curve != NULL;
}

static bool facts_is_curve(const levy_asset *asset, const char *name)
{
    const levy_quanto *const q = &asset->quanto;
    return facts_is_on(asset->curve, name) || facts_is_on(asset->base_curve, name) ||
           (q->composite && facts_is_curve(q->fx, name));
}

/* Whether an asset of a model is so. */
static bool facts_has(const levy_model *model, const char *name,
                      bool (*is)(const levy_asset *asset, const char *name))
{
    bool has = false;
    for (size_t k = 0; k < model->n_assets; ++k) has = has || is(model->assets[k], name);
    return has;
}

static bool facts_uses_asset(const levy_problem *problem, const char *name)
{
    for (size_t i = 0; i < problem->n_models; ++i)
        if (facts_has(&problem->models[i], name, facts_is_asset)) return true;
    for (const levy_model *m = *problem->quanto_models; m; m = m->next)
        if (facts_has(m, name, facts_is_asset)) return true;
    return levy_report_reads(problem->report, name);
}

static bool facts_uses_curve(const levy_problem *problem, const char *name)
{
    for (size_t i = 0; i < problem->n_models; ++i)
        if (facts_has(&problem->models[i], name, facts_is_curve)) return true;
    for (const levy_model *m = *problem->quanto_models; m; m = m->next)
        if (facts_has(m, name, facts_is_curve)) return true;
    for (size_t i = 0; i < problem->n_trades; ++i)
        if (facts_is_on(problem->trades[i].discount_curve, name) ||
            facts_is_on(problem->trades[i].forward_curve, name))
            return true;
    return false;
}

static levy_report_fact facts_volatility(facts_market *m, const levy_raw_asset *asset)
{
    const levy_raw_volatility *const v = asset->volatility.value;
    if (asset->volatility.kind < 0 || !v) return facts_none;
    if (asset->volatility.kind == LEVY_RAW_VOLATILITY_FLAT) return facts_percent(v->value);
    facts_nodes(m, &v->nodes, true, "");
    return facts_line(m);
}

static levy_report_fact facts_yield(facts_market *m, const levy_variant_value *yield)
{
    const levy_raw_curve *const terms = yield->value;
    if (yield->kind < 0 || !terms) return facts_none;
    if (!terms->nodes.node) return facts_percent(terms->rate);
    facts_nodes(m, &terms->nodes, true, "");
    return facts_line(m);
}

/* "USD"; of an exchange rate "USD per EUR". */
static levy_report_fact facts_currency(facts_market *m, const levy_raw_asset *asset)
{
    if (!asset->base_currency) return facts_text(m, asset->currency);
    snprintf(m->line, sizeof m->line, "%s per %s", asset->currency, asset->base_currency);
    return facts_line(m);
}

static void facts_assets(facts_market *m)
{
    static const char *const heads[] = {"asset",          "currency", "spot",     "volatility",
                                        "dividend yield", "borrow",   "dividends"};
    const levy_market_map *const map = &m->quotes->collection.market.asset_map;
    levy_report_facts *const table = facts_table(m, "Assets", heads, 7, map->names.count);
    for (size_t i = 0; table && i < map->names.count; ++i) {
        const levy_raw_asset *const asset = map->items[i].raw;
        if (!asset || !facts_uses_asset(m->problem, map->names.items[i])) continue;
        const levy_report_fact volatility = facts_volatility(m, asset),
                               yield = facts_yield(m, &asset->dividend_yield),
                               held = facts_yield(m, &asset->borrow),
                               borrow = held.percent && held.number == 0.0 ? facts_none : held;
        facts_nodes(m, &asset->dividends.cash, false,
                    asset->dividends.rule == LEVY_RAW_DIVIDENDS_AFFINE ? "affine cash " : "cash ");
        facts_nodes(m, &asset->dividends.proportional, true, *m->line ? "; " : "");
        facts_add(table, (const levy_report_fact[]){
                             facts_text(m, map->names.items[i]), facts_currency(m, asset),
                             facts_number(asset->spot), volatility, yield, borrow, facts_line(m)});
    }
}

static void facts_curve(facts_market *m, levy_report_facts *table, const char *name,
                        const levy_variant_value *variant)
{
    static const char *const quoted[] = {"flat rate", "zero rates", "discount factors", "spread",
                                         "par rates"};
    const levy_raw_curve *const curve = variant->value;
    char how[LEVY_SUMMARY_SIZE];
    levy_schema_summary(variant->table, variant->node, "kind rate nodes deposits swaps", how);
    snprintf(m->line, sizeof m->line, "%s%s%s", quoted[variant->kind], *how ? "; " : "", how);
    const levy_report_fact quote = facts_line(m);
    facts_nodes(m, &curve->nodes, variant->kind != LEVY_RAW_CURVE_DISCOUNT, "");
    facts_nodes(m, &curve->deposits, true, "deposits ");
    facts_nodes(m, &curve->swaps, true, curve->deposits.count ? "; swaps " : "swaps ");
    const levy_report_fact nodes = *m->line ? facts_line(m) : facts_percent(curve->rate);
    facts_add(table, (const levy_report_fact[]){facts_text(m, name), quote, nodes});
}

static void facts_curves(facts_market *m)
{
    static const char *const heads[] = {"curve", "quoted as", "rates"};
    const levy_market_map *const map = &m->quotes->collection.market.curve_map;
    levy_report_facts *const table = facts_table(m, "Curves", heads, 3, map->names.count);
    for (size_t i = 0; table && i < map->names.count; ++i) {
        const levy_variant_value *const variant = map->items[i].raw;
        if (variant && variant->value && facts_uses_curve(m->problem, map->names.items[i]))
            facts_curve(m, table, map->names.items[i], variant);
    }
}

/* ---- Models and their correlations ---- */

static void facts_models(facts_market *m)
{
    static const char *const heads[] = {"model", "kind", "assets", "parameters"};
    const levy_problem *const p = m->problem;
    levy_report_facts *const table = facts_table(m, "Models", heads, 4, p->n_models);
    for (size_t i = 0; table && i < p->n_models; ++i) {
        const levy_model *const model = &p->models[i];
        const levy_model_kind *const kind = levy_model_kinds[model->kind];
        char parameters[LEVY_SUMMARY_SIZE];
        size_t used = 0;
        if (model->n_assets == 0) continue;
        levy_schema_summary(kind->table, model->node, "kind assets", parameters);
        for (size_t k = 0; k < model->n_assets && used + 160 < sizeof m->line; ++k)
            used += (size_t)snprintf(m->line + used, sizeof m->line - used, "%s%s", k ? ", " : "",
                                     model->assets[k]->name);
        facts_add(table,
                  (const levy_report_fact[]){facts_text(m, model->name), facts_text(m, kind->kind),
                                             facts_line(m), facts_text(m, parameters)});
    }
}

static void facts_matrix(facts_market *m, const levy_model *model, size_t piece)
{
    const levy_correlation *const c = &model->correlation;
    const bool whole = levy_correlation_has_variances(c);
    const size_t n = whole ? 2 * model->n_assets : model->n_assets;
    const char **const heads = levy_arena_allocate(&m->results->arena, n + 1, sizeof *heads);
    char until[96] = "", years[64];
    if (piece + 1 < levy_correlation_pieces(c)) {
        levy_number_write_fixed(levy_correlation_end(c, piece), 3, years, sizeof years);
        snprintf(until, sizeof until, " until %s years", years);
    }
    if (model->composite)
        snprintf(m->line, sizeof m->line, "Correlations of %s in %s%s", model->name, model->paid_in,
                 until);
    else
        snprintf(m->line, sizeof m->line, "Correlations of %s%s", model->name, until);
    const char *const title = facts_line(m).text;
    levy_report_facts *const table = heads ? facts_table(m, title, heads, n + 1, n) : NULL;
    m->ok = m->ok && table;
    for (size_t i = 0; table && i < n; ++i) {
        levy_report_fact *const row = table->items + table->n_rows++ * (n + 1);
        snprintf(m->line, sizeof m->line, "%s%s", model->assets[i % model->n_assets]->name,
                 i < model->n_assets ? "" : levy_pair_end(true));
        row[0] = facts_line(m);
        heads[i + 1] = row[0].text;
        heads[0] = "";
        for (size_t k = 0; k < n; ++k)
            row[k + 1] = facts_number(whole ? levy_correlation_whole(c, piece, i, k)
                                            : levy_correlation_of(c, piece, i, k));
    }
}

/* Whether a copy of a model before this one has an asset with the same rate. */
static bool facts_is_paid_before(const levy_problem *problem, const levy_model *until,
                                 const levy_quanto *q)
{
    bool before = false;
    for (const levy_model *m = *problem->quanto_models; m != until; m = m->next)
        for (size_t k = 0; k < m->n_assets && !m->composite; ++k)
            before =
                before || (m->assets[k]->quanto.of == q->of && m->assets[k]->quanto.fx == q->fx);
    return before;
}

static void facts_paid(facts_market *m, levy_report_facts *table, const levy_quanto *q)
{
    const levy_correlation *const c = q->correlation;
    const size_t pieces = levy_correlation_pieces(c);
    size_t used = 0;
    for (size_t k = 0; k < pieces && used + 160 < sizeof m->line; ++k) {
        char rho[64], until[64];
        facts_decimal(levy_correlation_of(c, k, 0, 1), 6, rho);
        facts_decimal(k + 1 < pieces ? levy_correlation_end(c, k) : 0.0, 3, until);
        used += (size_t)snprintf(m->line + used, sizeof m->line - used,
                                 k + 1 < pieces ? "%s until %s years, " : "%s", rho, until);
    }
    const levy_report_fact row[] = {facts_text(m, q->of->name), facts_text(m, q->fx->name),
                                    facts_line(m)};
    facts_add(table, row);
}

/* Of assets and the rates by which they are paid at their levels as quoted. */
static void facts_quantos(facts_market *m)
{
    static const char *const heads[] = {"asset", "exchange rate", "correlation"};
    size_t most = 0;
    for (const levy_model *c = *m->problem->quanto_models; c; c = c->next)
        for (size_t k = 0; k < c->n_assets && !c->composite; ++k)
            most += c->assets[k]->quanto.of != NULL;
    levy_report_facts *const table =
        facts_table(m, "Correlations with exchange rates", heads, 3, most);
    for (const levy_model *c = *m->problem->quanto_models; table && c; c = c->next)
        for (size_t k = 0; k < c->n_assets && !c->composite; ++k)
            if (c->assets[k]->quanto.of &&
                !facts_is_paid_before(m->problem, c, &c->assets[k]->quanto))
                facts_paid(m, table, &c->assets[k]->quanto);
}

static bool facts_has_matrix(const levy_model *model)
{
    return (model->n_assets > 1 && levy_correlation_pieces(&model->correlation) > 0) ||
           levy_correlation_has_variances(&model->correlation);
}

static void facts_matrices(facts_market *m, const levy_model *model)
{
    for (size_t k = 0; facts_has_matrix(model) && k < levy_correlation_pieces(&model->correlation);
         ++k)
        facts_matrix(m, model, k);
}

bool levy_results_note_market(levy_results *results, const levy_book *book)
{
    const levy_problem *const p = book->problem;
    facts_market m = {.results = results, .quotes = book->quotes, .problem = p, .ok = true};
    size_t n = 6;
    for (size_t i = 0; i < p->n_models; ++i)
        n += levy_correlation_pieces(&p->models[i].correlation);
    for (const levy_model *c = *p->quanto_models; c; c = c->next)
        n += levy_correlation_pieces(&c->correlation);
    m.tables = levy_arena_allocate(&results->arena, n, sizeof *m.tables);
    if (!m.tables) return false;
    facts_changes(&m);
    facts_assets(&m);
    facts_curves(&m);
    facts_models(&m);
    for (size_t i = 0; i < p->n_models; ++i) facts_matrices(&m, &p->models[i]);
    facts_quantos(&m);
    for (const levy_model *c = *p->quanto_models; c; c = c->next)
        if (c->composite) facts_matrices(&m, c);
    results->origin.market = m.tables;
    results->origin.n_market = m.n;
    return m.ok;
}
