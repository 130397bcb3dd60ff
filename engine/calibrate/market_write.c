/* market_write.c: a fitted model as a book: the market as it was written, with the volatility that
 * was fitted, and `models`. See calibration.h. */
#include "engine/calibrate/calibration.h"

#include "engine/report/report.h"

#include <string.h>

/* ---- Nodes, in flow style ---- */

/* A text that means itself without quotation marks wherever it stands. */
static bool book_is_plain(const levy_node *node)
{
    static const char plain[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-/";
    return !node->quoted && node->length > 0 && strspn(node->text, plain) == node->length;
}

static void book_node(levy_text_out *out, const levy_node *node);

static void book_children(levy_text_out *out, const levy_node *node)
{
    for (const levy_node *child = node->children; child; child = child->next) {
        if (child != node->children) levy_text_put(out, ", ");
        if (child->key) {
            book_node(out, child->key);
            levy_text_put(out, ": ");
        }
        book_node(out, child);
    }
}

static void book_node(levy_text_out *out, const levy_node *node)
{
    if (node->kind == LEVY_NODE_SCALAR) {
        if (book_is_plain(node) || levy_node_is_nothing(node))
            levy_text_put(out, node->length ? node->text : "null");
        else
            levy_text_put_json(out, node->text);
        return;
    }
    levy_text_put(out, node->kind == LEVY_NODE_MAP ? "{" : "[");
    book_children(out, node);
    levy_text_put(out, node->kind == LEVY_NODE_MAP ? "}" : "]");
}

/* ---- The market ---- */

/* The asset, with a volatility in place of its own. */
static void book_asset(levy_text_out *out, const levy_node *asset, double volatility)
{
    levy_text_put(out, "{");
    for (const levy_node *child = asset->children; child; child = child->next) {
        if (child->key && strcmp(child->key->text, "volatility") == 0) continue;
        book_node(out, child->key);
        levy_text_put(out, ": ");
        book_node(out, child);
        levy_text_put(out, ", ");
    }
    levy_text_put(out, "volatility: ");
    levy_text_put_json_number(out, volatility);
    levy_text_put(out, "}");
}

/* The fitted volatility of an asset; 0: the model has its own, or it was not fitted. */
static double book_volatility(const levy_calibration *c, const char *name)
{
    size_t a = 0;
    while (a < c->n_assets && strcmp(c->names[a], name) != 0) ++a;
    for (size_t k = 0; k < c->each->n && a < c->n_assets; ++k)
        if (c->each->parameters[k].of_market) return c->result.values[c->places[a][k]];
    return 0.0;
}

static void book_map(levy_text_out *out, const levy_calibration *c, const char *key,
                     const levy_market_map *map)
{
    const bool assets = map == &c->market->asset_map;
    if (map->names.count == 0) return;
    LEVY_TEXT_PUT(out, "  ", key, ":\n");
    for (size_t i = 0; i < map->names.count; ++i) {
        const char *const name = map->names.items[i];
        const double volatility = assets ? book_volatility(c, name) : 0.0;
        LEVY_TEXT_PUT(out, "    ", name, ": ");
        if (volatility > 0.0)
            book_asset(out, map->items[i].node, volatility);
        else
            book_node(out, map->items[i].node);
        levy_text_put(out, "\n");
    }
}

/* The keys of a model that are not the parameters'. */
static void book_form(levy_text_out *out, const levy_calibration *c)
{
    for (const char *at = c->law->form; *at; ++at) {
        if (*at != '$' && *at != '~' && *at != '!') {
            levy_text_put_bytes(out, at, 1);
            continue;
        }
        const double value = c->result.values[at[1] - '1'], whole = *at == '~' ? 1.0 : 0.0;
        levy_text_put_json_number(out, *at == '$' ? value : whole - value);
        ++at;
    }
}

/* A name as a value. */
static void book_name(levy_text_out *out, const char *name)
{
    const levy_node node = {.kind = LEVY_NODE_SCALAR, .text = name};
    if (levy_node_is_nothing(&node))
        levy_text_put_json(out, name);
    else
        levy_text_put(out, name);
}

/* A parameter by term, of which j is the first: those of further terms have its name. */
static void book_terms(levy_text_out *out, const levy_calibration *c, size_t j)
{
    const char *const name = c->law->parameters[j].name;
    const size_t length = strcspn(name, "[");
    levy_text_put(out, ", ");
    levy_text_put_bytes(out, name, length);
    levy_text_put(out, ": {kind: term, nodes: [");
    for (size_t i = j; i < c->law->n; ++i) {
        if (strncmp(c->law->parameters[i].name, name, length + 1) != 0) continue;
        LEVY_TEXT_PUT(out, i > j ? ", [" : "[", c->ends[levy_exponent_term(c->law, i)], ", ");
        levy_text_put_json_number(out, c->result.values[i]);
        levy_text_put(out, "]");
    }
    levy_text_put(out, "]}");
}

/* Parameter k of the law of one asset: a number, or one for each asset. */
static void book_number(levy_text_out *out, const levy_calibration *c, size_t k)
{
    const bool several = c->n_assets > 1 && c->places[1][k] != c->places[0][k];
    LEVY_TEXT_PUT(out, ", ", c->each->parameters[k].name, several ? ": [" : ": ");
    for (size_t a = 0; a < (several ? c->n_assets : 1); ++a) {
        if (a) levy_text_put(out, ", ");
        levy_text_put_json_number(out, c->result.values[c->places[a][k]]);
    }
    if (several) levy_text_put(out, "]");
}

static void book_model(levy_text_out *out, const levy_calibration *c)
{
    LEVY_TEXT_PUT(out, "models:\n  ", c->facts.name, ": {kind: ", c->facts.model, ", assets: ");
    for (size_t a = 0; a < c->n_assets; ++a) {
        levy_text_put(out, a ? ", " : "[");
        book_name(out, c->names[a]);
    }
    levy_text_put(out, "]");
    if (c->law->form) {
        levy_text_put(out, ", ");
        book_form(out, c);
    }
    const bool by_term = c->law->n_beside > 0;
    for (size_t j = 0; j < c->law->n && by_term; ++j) {
        const size_t term = levy_exponent_term(c->law, j);
        if (term == 0) book_terms(out, c, j);
        if (term < SIZE_MAX) continue;
        LEVY_TEXT_PUT(out, ", ", c->law->parameters[j].name, ": ");
        levy_text_put_json_number(out, c->result.values[j]);
    }
    for (size_t k = 0; k < c->each->n && !by_term && !c->law->form; ++k)
        if (!c->each->parameters[k].of_market) book_number(out, c, k);
    levy_text_put(out, "}\n");
}

void levy_calibration_put_book(const levy_calibration *c, levy_text_out *out)
{
    char date[11];
    levy_text_put(out, "schema_version: 1\n");
    if (c->quotes->build.has_date) {
        levy_date_write(c->quotes->build.valuation, date);
        LEVY_TEXT_PUT(out, "valuation_date: ", date, "\n");
    }
    levy_text_put(out, "market:\n");
    book_map(out, c, "curves", &c->market->curve_map);
    book_map(out, c, "calendars", &c->market->calendar_map);
    book_map(out, c, "assets", &c->market->asset_map);
    if (c->market->raw_correlations) {
        levy_text_put(out, "  correlations: ");
        book_node(out, c->market->raw_correlations->node);
        levy_text_put(out, "\n");
    }
    book_model(out, c);
}
