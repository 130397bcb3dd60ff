/* results_terms.c: what the book says of each trade, for reports: size, strike, expiry, and the
 * rest of its payoff as a line, by the tables of the schema. See results.h. Must not know: kinds of
 * payoffs. */
#include "engine/book/results.h"

#include "engine/problem/quotes.h"
#include "engine/problem/trade.h"
#include "engine/schema/book.h"
#include "engine/schema/summary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Of these a report has columns of their own. */
static const char terms_told[] = "id model underlying currency position quantity notional payoff "
                                 "exercise book counterparty netting_set tags measures legs";

static const char *terms_date(levy_results *results, const levy_time *time, bool *ok)
{
    char text[11];
    if (!time->node || !time->is_date) return NULL;
    levy_date_write(time->date, text);
    return levy_results_copy(results, text, ok);
}

/* The payoff, then the trade's other keys. */
static const char *terms_text(levy_results *results, const levy_raw_trade *raw,
                              const char *strike_key, bool *ok)
{
    char without[64], payoff[LEVY_SUMMARY_SIZE], beside[LEVY_SUMMARY_SIZE],
        both[2 * LEVY_SUMMARY_SIZE + 2];
    const levy_node *weights = levy_node_find(raw->node, "underlyings");
    const bool plain = !weights || !weights->children || weights->children->kind != LEVY_NODE_MAP;
    char told[sizeof terms_told + sizeof " underlyings"];
    snprintf(told, sizeof told, "%s%s", terms_told, plain ? " underlyings" : "");
    snprintf(without, sizeof without, "kind%s%s", strike_key ? " strike_type " : "",
             strike_key ? strike_key : "");
    levy_schema_summary(raw->payoff.table, raw->payoff.node, without, payoff);
    const levy_node *const trade = raw->node != raw->payoff.node ? raw->node : NULL;
    levy_schema_summary(&levy_trade_table, trade, told, beside);
    snprintf(both, sizeof both, "%s%s%s", payoff, *payoff && *beside ? "; " : "", beside);
    return levy_results_copy(results, both, ok);
}

static levy_report_terms terms_of(levy_results *results, const levy_trade *trade, bool *ok)
{
    const levy_raw_trade *const raw = trade->from->raw;
    const levy_payoff_terms *const payoff = raw->payoff.value;
    const bool own = raw->payoff.table && raw->payoff.kind >= 0 &&
                     levy_payoffs[raw->payoff.kind]->table == raw->payoff.table;
    const char *const key = own ? levy_payoff_strike_key(levy_payoffs[raw->payoff.kind]) : NULL;
    const bool strike = key && payoff;
    return (levy_report_terms){.expiry = terms_date(results, &raw->exercise.expiry, ok),
                               .text = terms_text(results, raw, key, ok),
                               .strike = strike ? payoff->strike : NAN,
                               .size = levy_trade_scale(trade),
                               .percent = strike && payoff->strike_type == LEVY_STRIKE_PERCENT,
                               .notional = !isnan(raw->notional)};
}

bool levy_results_note_terms(levy_results *results, const levy_book *book)
{
    levy_report_terms *const terms =
        levy_arena_allocate(&results->arena, results->n_trades, sizeof *terms);
    char date[11];
    bool ok = terms != NULL;
    for (size_t i = 0; ok && i < results->n_trades; ++i)
        terms[i] = terms_of(results, &book->problem->trades[i], &ok);
    results->origin.terms = terms;
    if (!ok || !book->problem->has_date) return ok;
    levy_date_write(book->problem->valuation, date);
    results->origin.valuation = levy_results_copy(results, date, &ok);
    return ok;
}
