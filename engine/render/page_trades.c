/* page_trades.c: trades on the page of a run: those without a price, the sums of prices, and a row
 * for each trade with its terms. See page.h. */
#include "engine/render/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool levy_page_is_priced(const levy_trade_result *trade)
{
    return strcmp(trade->status, "ok") == 0;
}

/* ---- Without a price ---- */

void levy_page_unpriced(levy_page *page)
{
    const levy_report *const report = page->report;
    size_t n = 0;
    for (size_t i = 0; i < report->n_trades; ++i) {
        const levy_trade_result *const t = &report->trades[i];
        if (levy_page_is_priced(t)) continue;
        if (n++ == 0)
            levy_text_put(page->out, "<section class=\"failed\"><h2>Trades without a price</h2>\n"
                                     "<table><thead><tr><th>trade</th><th>reason</th><th>what is "
                                     "wrong</th></tr></thead>\n<tbody>\n");
        levy_text_put(page->out, "<tr>");
        levy_page_cell(page, t->id ? t->id : "\xe2\x80\x93");
        levy_page_cell(page, t->reason);
        levy_page_text(page, "<td class=\"text\">", t->message, "</td></tr>\n");
    }
    if (n) levy_text_put(page->out, "</tbody></table></section>\n");
}

/* ---- Sums of prices ---- */

/* "3", "2 of 3". */
static void trades_count(const levy_netted *n, char text[PLOT_LABEL])
{
    char of_all[32] = "";
    if (n->failed) snprintf(of_all, sizeof of_all, " of %zu", n->trades + n->failed);
    snprintf(text, PLOT_LABEL, "%zu%s", n->trades, of_all);
}

static void trades_sum(levy_page *page, const levy_netted *n, levy_page_notes *notes)
{
    char text[PLOT_LABEL];
    const char *why = NULL;
    const char *const ids = n->failed_ids ? n->failed_ids : "";
    if (n->failed)
        why = levy_page_kept(page, levy_arena_format(&page->arena, "without %s", ids));
    else if (n->n_measures && n->measures[0].note) /* price first */
        why = n->measures[0].note;
    levy_text_put(page->out, n->key ? "<tr>" : "<tr class=\"value\">");
    if (n->key) levy_page_cell(page, n->label ? n->label : "(none)");
    levy_page_cell(page, levy_page_sum_currency(page, n));
    trades_count(n, text);
    levy_page_number(page, (double)n->trades, text);
    levy_page_estimate(page, n->value, n->std_error, levy_page_note(page, notes, why, why));
    levy_page_interval(page, (const double[]){n->ci_low, n->ci_high}, n->std_error, n->interval);
    levy_text_put(page->out, "</tr>\n");
}

const char *levy_page_sum_currency(levy_page *page, const levy_netted *n)
{
    return n->translated
               ? levy_page_kept(page, levy_arena_format(&page->arena, "all in %s", n->currency))
               : n->currency;
}

/* The sums of one key, from number i on; returns the number behind them. */
static size_t trades_sums(levy_page *page, size_t i)
{
    const levy_report *const report = page->report;
    const char *const key = report->netted[i].key;
    char text[PLOT_LABEL];
    levy_page_notes notes = {0};
    if (key) levy_page_text(page, "<h3>By ", key, "</h3>\n");
    levy_text_put(page->out, "<table class=\"sorts\"><thead><tr>");
    if (key) levy_page_head(page, key, "", 1, false);
    levy_page_head(page, "currency", "", 1, false);
    levy_page_head(page, "trades", "", 1, true);
    levy_page_head(page, "present value", "\xc2\xb1 standard error", 2, true);
    levy_page_head(page, levy_page_interval_head(page, text), "", 1, false);
    levy_text_put(page->out, "</tr></thead>\n<tbody>\n");
    for (; i < report->n_netted; ++i) {
        const char *const other = report->netted[i].key;
        if (key ? !other || strcmp(key, other) != 0 : other != NULL) break;
        trades_sum(page, &report->netted[i], &notes);
    }
    levy_text_put(page->out, "</tbody></table>\n");
    levy_page_put_notes(page, &notes);
    return i;
}

void levy_page_values(levy_page *page)
{
    if (page->report->n_netted == 0) return;
    levy_text_put(page->out, "<section><h2>Value</h2>\n");
    for (size_t i = 0; i < page->report->n_netted;) i = trades_sums(page, i);
    levy_text_put(page->out, "</section>\n");
}

/* ---- Rows ---- */

static bool trades_have_strikes(const levy_page *page)
{
    const levy_report_terms *const terms = page->report->origin.terms;
    for (size_t i = 0; terms && i < page->report->n_trades; ++i)
        if (!isnan(terms[i].strike)) return true;
    return false;
}

static void trades_heads(levy_page *page, bool strikes)
{
    char text[PLOT_LABEL];
    const bool terms = page->report->origin.terms;
    levy_page_head(page, "trade", "", 1, false);
    levy_page_head(page, "payoff", terms ? "terms" : "", 1, false);
    levy_page_head(page, "underlying", "", 1, false);
    if (terms) levy_page_head(page, "size", "quantity or notional", 1, true);
    if (strikes) levy_page_head(page, "strike", "", 1, true);
    levy_page_head(page, "expiry", page->report->origin.valuation ? "" : "years", 1, true);
    if (!page->currency) levy_page_head(page, "currency", "", 1, false);
    snprintf(text, sizeof text, "%.100s \xc2\xb1 standard error",
             page->currency ? page->currency : "");
    levy_page_head(page, "price", text, 2, true);
    levy_page_head(page, levy_page_interval_head(page, text), "", 1, false);
}

/* A trade's id, and the texts that it carries. */
static void trades_name(levy_page *page, const levy_trade_result *t)
{
    const char *const texts[] = {t->book, t->counterparty, t->netting_set};
    size_t n = 0;
    levy_text_put(page->out, t->leg_of ? "<td class=\"named leg\">" : "<td class=\"named\">");
    levy_text_put(page->out, "<span class=\"id\">");
    levy_page_name(page, t->id ? t->id : "\xe2\x80\x93");
    levy_text_put(page->out, "</span>");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
        if (texts[i]) levy_page_text(page, n++ ? " \xc2\xb7 " : " <small>", texts[i], "");
    for (size_t i = 0; i < t->n_tags; ++i) {
        levy_page_text(page, n++ ? " \xc2\xb7 " : " <small>", t->tags[i].name, ": ");
        levy_page_text(page, "", t->tags[i].text, "");
    }
    levy_text_put(page->out, n ? "</small></td>" : "</td>");
}

static void trades_terms(levy_page *page, const char *currency, const levy_report_terms *terms,
                         bool strikes)
{
    char text[PLOT_LABEL], size[PLOT_LABEL];
    snprintf(size, sizeof size, "%.20s%s%.100s", terms->notional && currency ? currency : "",
             terms->notional ? " " : "", levy_page_exact(terms->size, text));
    levy_page_number(page, terms->size, isnan(terms->size) ? "" : size);
    const char *const strike = terms->percent ? levy_plot_percent(terms->strike, text)
                                              : levy_page_exact(terms->strike, text);
    if (strikes) levy_page_number(page, terms->strike, isnan(terms->strike) ? "" : strike);
}

static void trades_expiry(levy_page *page, const levy_trade_result *t,
                          const levy_report_terms *terms)
{
    char years[PLOT_LABEL] = "";
    const char *const date = terms ? terms->expiry : NULL;
    if (isfinite(t->maturity)) levy_page_exact(t->maturity, years);
    levy_page_number(page, t->maturity, date ? date : years);
}

/* What is to be said of the price, and of how it was made. */
static levy_page_mark trades_mark(levy_page *page, const levy_trade_result *t,
                                  levy_page_notes *notes)
{
    const levy_measure *price = NULL;
    for (size_t i = 0; i < t->n_measures && !price; ++i)
        if (strcmp(t->measures[i].measure, "price") == 0) price = &t->measures[i];
    const char *note = price && price->note ? price->note : t->message;
    if (note && t->message && note != t->message)
        note = levy_page_kept(page, levy_arena_format(&page->arena, "%s; %s", note, t->message));
    return levy_page_note(page, notes, note,
                          (price && price->flagged) || t->tolerance_met < 0 ||
                              strcmp(t->interval, "unreliable") == 0);
}

static void trades_row(levy_page *page, size_t i, bool strikes, levy_page_notes *notes)
{
    const levy_trade_result *const t = &page->report->trades[i];
    const levy_report_terms *const all = page->report->origin.terms;
    levy_text_put(page->out, "<tr>");
    trades_name(page, t);
    levy_text_put(page->out, "<td class=\"text\"><b>");
    levy_page_parts(page, t->payoff, '_', " ");
    levy_text_put(page->out, "</b>");
    if (all && *all[i].text) levy_page_text(page, " ", all[i].text, "");
    LEVY_TEXT_PUT(page->out, "</td>", "<td class=\"names\">");
    levy_page_parts(page, t->underlying, ',', ", "); /* a line may break at a blank */
    levy_text_put(page->out, "</td>");
    if (all) trades_terms(page, t->currency, &all[i], strikes);
    trades_expiry(page, t, all ? &all[i] : NULL);
    if (!page->currency) levy_page_cell(page, t->currency);
    if (levy_page_is_priced(t)) {
        levy_page_estimate(page, t->price, t->std_error, trades_mark(page, t, notes));
        levy_page_interval(page, (const double[]){t->ci_low, t->ci_high}, t->std_error,
                           t->interval);
    } else
        levy_page_text(page, "<td class=\"number flag\" data-value=\"\">", t->status,
                       "</td><td></td><td></td>");
    levy_text_put(page->out, "</tr>\n");
}

void levy_page_trades(levy_page *page)
{
    levy_page_notes notes = {0};
    const bool strikes = trades_have_strikes(page);
    levy_text_put(page->out, "<section><h2>Trades</h2>\n<div class=\"wide\">"
                             "<table class=\"sorts\"><thead><tr>");
    trades_heads(page, strikes);
    levy_text_put(page->out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < page->report->n_trades; ++i) trades_row(page, i, strikes, &notes);
    levy_text_put(page->out, "</tbody></table></div>\n");
    levy_page_put_notes(page, &notes);
    levy_text_put(page->out, "</section>\n");
}
