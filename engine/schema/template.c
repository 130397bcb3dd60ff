/* template.c: `levy new`: a file to start from, made from the tables: the example of a kind of
 * payoff or model in a book around it. It knows which keys a book and its trades have; must not
 * know: the keys of any kind. */
#include "engine/schema/book.h"
#include "engine/schema/expand.h"
#include "engine/schema/expand_csv.h"
#include "engine/schema/synonyms.h"
#include "models/model.h"
#include "payoffs/defined.h"

#include <stdio.h>
#include <string.h>

static const char *const template_assets[] = {"STOCK", "OTHER", "THIRD"};
enum { TEMPLATE_ASSETS = sizeof template_assets / sizeof *template_assets };

/* ---- A book in the flow style ---- */

typedef struct template_text {
    char text[LEVY_EXPAND_SIZE];
    size_t used;
} template_text;

static void template_add(template_text *to, const char *text)
{
    const int n = snprintf(to->text + to->used, sizeof to->text - to->used, "%s", text);
    if (n > 0 && to->used + (size_t)n < sizeof to->text) to->used += (size_t)n;
}

static void template_add_assets(template_text *to, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        template_add(to, i ? ", " : "");
        template_add(to, template_assets[i]);
    }
}

/* A model whose own parameters determine the volatility leaves that of the market unread. */
static bool template_has_volatility(const char *kind)
{
    for (size_t i = 0; i < LEVY_MODEL_COUNT; ++i)
        if (strcmp(levy_model_kinds[i]->kind, kind) == 0)
            return !(levy_model_kinds[i]->features & LEVY_MODEL_DRIVEN);
    return true;
}

static void template_add_market(template_text *to, size_t assets, bool volatility)
{
    template_add(to, "{schema_version: 1, market: {curves: {USD: 0.05}, assets: {");
    for (size_t i = 0; i < assets; ++i) {
        template_add(to, i ? ", " : "");
        template_add(to, template_assets[i]);
        template_add(to, ": {currency: USD, spot: 100, dividend_yield: 0.02");
        template_add(to, volatility ? ", volatility: 0.2}" : "}");
    }
    template_add(to, "}");
    for (size_t i = 1; i < assets; ++i)
        for (size_t j = 0; j < i; ++j) {
            template_add(to, i + j == 1 ? ", correlations: {pairs: [[" : ", [");
            template_add(to, template_assets[j]);
            template_add(to, ".spot, ");
            template_add(to, template_assets[i]);
            template_add(to, ".spot, 0.5]");
        }
    template_add(to, assets > 1 ? "]}}" : "}");
}

/* Whether the script of a kind that a file defines reads a variance, which few models carry. */
static bool template_reads_variance(const levy_table *defined)
{
    const levy_defined_kind *const kind = defined ? levy_defined_of(defined) : NULL;
    return kind && (strstr(kind->text, ".variance") || strstr(kind->text, ".integrated_variance"));
}

/* An example of a model of one asset, with all of them. */
static void template_add_model_of(template_text *to, const char *example, size_t assets)
{
    const char *const list = strchr(example, '['), *const rest = strchr(example, ']');
    template_add(to, example);
    to->used -= strlen(list + 1);
    template_add_assets(to, assets);
    template_add(to, rest);
}

/* A model of all assets, with the example of its kind where one is given. */
static void template_add_model(template_text *to, const levy_table *kind, const levy_table *defined,
                               size_t assets)
{
    template_add(to, ", models: {model: ");
    if (kind)
        template_add(to, kind->example);
    else if (template_reads_variance(defined))
        template_add_model_of(to, levy_model_heston_table.example, assets);
    else {
        template_add(to, "{kind: black_scholes, assets: [");
        template_add_assets(to, assets);
        template_add(to, "]}");
    }
    template_add(to, "}");
}

/* `example`: of the payoff; NULL: the one that its table has. */
static void template_add_trade(template_text *to, const char *id, const levy_table *payoff,
                               const char *example)
{
    const size_t assets = payoff->example_assets > 1 ? payoff->example_assets : 1;
    template_add(to, "{id: ");
    template_add(to, id);
    template_add(to, assets > 1 ? ", underlyings: [" : ", underlying: ");
    template_add_assets(to, assets);
    template_add(to, assets > 1 ? "]" : "");
    template_add(to, ", position: long, quantity: 1, payoff: ");
    template_add(to, example ? example : payoff->example);
    template_add(to, ", exercise: {style: european, expiry: 1.0}}");
}

/* A kind without an example has no file. */
static const levy_table *template_among(const levy_variant *variants, const char *kind)
{
    for (const levy_variant *v = variants; v && v->kind; ++v)
        if (v->table && strcmp(v->kind, kind) == 0) return v->table->example ? v->table : NULL;
    return NULL;
}

static const levy_table *template_kind(const levy_table *table, const char *kind)
{
    return template_among(table->variants, kind);
}

/* The same of payoffs, with those that files define. */
static const levy_table *template_payoff(const levy_more_kinds *kinds, const char *kind)
{
    const levy_table *const own = template_kind(&levy_payoff_table, kind);
    return own || !kinds ? own : template_among(kinds->variants, kind);
}

/* A trade that is the sum of its legs. */
static void template_legs(template_text *to)
{
    template_add(to,
                 "{id: note, underlying: STOCK, position: long, notional: 1000, exercise: "
                 "{style: european, expiry: 1.0}, legs: [{id: repayment, payoff: {kind: cash, "
                 "amount: 1}}, {id: coupons, payoff: {kind: coupon, coupons: {count: 4}, rate: "
                 "0.08}}, {id: put, payoff: {kind: european, option_type: put, strike: 0.8, "
                 "strike_type: percent_of_initial}, position: short, quantity: 1.25}], premium: "
                 "{amount: 995, date: 0.01}}");
}

static const char *const template_book[] = {"european", "asian", "worst_of"};

static void template_trades(template_text *to)
{
    for (size_t i = 0; i < sizeof template_book / sizeof *template_book; ++i) {
        template_add(to, i ? ", " : "");
        template_add_trade(to, template_book[i],
                           template_kind(&levy_payoff_table, template_book[i]), NULL);
    }
}

/* The book in the flow style, whose trade has the example. False: there is no such kind. */
static bool template_compose(template_text *to, const char *kind, const char *example,
                             const levy_more_kinds *kinds, const char **doc)
{
    const levy_table *const payoff = template_payoff(kinds, kind);
    const levy_table *const model = template_kind(&levy_model_table, kind);
    const bool book = strcmp(kind, "book") == 0, market = strcmp(kind, "market") == 0,
               legs = strcmp(kind, "legs") == 0;
    if (!payoff && !model && !book && !market && !legs) return false;
    size_t assets = book || market ? 2 : 1;
    if (payoff && payoff->example_assets > assets) assets = payoff->example_assets;
    if (assets > TEMPLATE_ASSETS) assets = TEMPLATE_ASSETS;
    template_add_market(to, assets, template_has_volatility(kind));
    template_add_model(to, model, template_kind(&levy_payoff_table, kind) ? NULL : payoff, assets);
    *doc = payoff ? payoff->doc : "";
    if (model) *doc = model->doc;
    template_add(to, market ? "" : ", trades: [");
    if (payoff) template_add_trade(to, kind, payoff, example);
    if (model) template_add_trade(to, "call", template_kind(&levy_payoff_table, "european"), NULL);
    if (book) template_trades(to);
    if (legs) template_legs(to);
    template_add(to,
                 market ? "" : "], simulation: {paths: 2^16, seed: 42}, measures: [price, delta]");
    template_add(to, "}");
    return true;
}

/* ---- As a file ---- */

static void template_head(levy_text_out *out, const char *kind, const levy_more_kinds *kinds,
                          const char *doc)
{
    char text[1024];
    const bool market = strcmp(kind, "market") == 0, legs = strcmp(kind, "legs") == 0,
               whole = market || strcmp(kind, "book") == 0;
    if (*doc) levy_expand_comment(out, 0, doc, strlen(doc));
    const int n = snprintf(
        text, sizeof text,
        market ? "A market: curves, assets and models, for `levy price trades.csv --market "
                 "FILE` or beside books."
               : "To price it: levy price FILE. All keys of it: levy describe %s%s.",
        whole                          ? ""
        : legs                         ? "trade."
        : template_payoff(kinds, kind) ? "payoff."
                                       : "model.",
        kind);
    levy_expand_comment(out, 0, text, (size_t)n);
    levy_text_put(out, "\n");
}

static void template_put(levy_text_out *out, const levy_variant *variants)
{
    for (const levy_variant *v = variants; v && v->kind; ++v)
        if (v->table && v->table->example) levy_schema_put_topic(out, v->kind, 24, v->table->doc);
}

static void template_list(levy_text_out *out, const levy_more_kinds *kinds)
{
    const levy_table *const groups[] = {&levy_payoff_table, &levy_model_table};
    levy_text_put(out, "Kinds, for levy new KIND:\n\n"
                       "  book                    three trades on two assets\n"
                       "  market                  curves, assets and models without trades\n"
                       "  legs                    a note: a trade of several legs, with a "
                       "premium\n"
                       "  csv                     trades as comma-separated values, for that "
                       "market\n");
    for (size_t g = 0; g < sizeof groups / sizeof *groups; ++g) {
        levy_text_put(out,
                      g == 0 ? "\nA trade with this payoff:\n\n" : "\nA trade on this model:\n\n");
        template_put(out, groups[g]->variants);
    }
    if (!kinds || !kinds->variants || !kinds->variants->kind) return;
    levy_text_put(out, "\nA trade with a payoff that files define:\n\n");
    template_put(out, kinds->variants);
}

levy_status levy_schema_template(const char *kind, const levy_more_kinds *kinds, levy_text_out *out)
{
    template_text book = {.used = 0};
    const char *doc = "", *example = NULL;
    const bool unknown = kind && !template_payoff(kinds, kind) && strcmp(kind, "book") != 0;
    const levy_variant *const meant = unknown ? levy_synonym_of_kinds(kind, &example) : NULL;
    if (meant) kind = meant->kind;
    if (kind && strcmp(kind, "csv") == 0) {
        template_add(&book, "[");
        template_trades(&book);
        template_add(&book, "]");
        levy_expand_csv(out, book.text);
        return LEVY_OK;
    }
    if (kind && !template_compose(&book, kind, example, kinds, &doc)) return LEVY_ARGUMENT;
    if (kind) {
        template_head(out, kind, kinds, doc);
        levy_expand_map(out, &levy_book_table, book.text, kinds);
    } else
        template_list(out, kinds);
    return LEVY_OK;
}
