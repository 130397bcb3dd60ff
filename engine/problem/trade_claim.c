/* trade_claim.c: see trade_claim.h. */
#include "engine/problem/trade_claim.h"

#include "payoffs/scripted.h"

#include <math.h>

static bool claim_is_sold(const levy_trade *t)
{
    bool sold = false;
    for (size_t u = 0; u < t->n_underlyings && t->kind.aggregate == LEVY_AGGREGATE_BASKET; ++u)
        sold = sold || t->claim.coefficients[u] < 0.0;
    return sold;
}

levy_claim levy_claim_of(const levy_trade *t)
{
    return (levy_claim){
        .terms = t->claim.terms,
        .rebate_at_hit = levy_trade_pays_at_hit(t),
        .continuous = levy_trade_is_continuous(t),
        .varies = levy_trade_is_continuous(t) && levy_trade_sees_variances(t),
        .window_start =
            t->claim.watches == LEVY_WATCHES_LATER ? t->claim.observations.times[0] : 0.0,
        .sold = claim_is_sold(t),
        .observes_now = t->claim.observes_now,
        .integrated = levy_trade_is_integrated(t),
        .softened = t->form == LEVY_FORM_SOFTENED,
        .n_future = t->claim.observations.n,
        .past = t->claim.past,
        .scripted = t->kind.scripted,
        .view = {.state = t->kind.scripted ? t->kind.scripted->settles : 0, .time = NAN},
        .payment_time = t->claim.payment_time};
}

levy_claim levy_claim_viewed(const levy_trade *t, const levy_script_view *view)
{
    levy_claim claim = levy_claim_of(t);
    if (view) claim.view = *view;
    if (view && view->bounds) claim.scripted = claim.scripted->bound;
    return claim;
}

const levy_barrier_terms *levy_trade_barrier(const levy_trade *t)
{
    return levy_terms_barrier(levy_payoffs[t->kind.payoff], t->claim.terms);
}

levy_edges levy_trade_edges(const levy_trade *t)
{
    const levy_claim claim = levy_claim_of(t);
    levy_edges edges = {0};
    if (levy_payoffs[t->kind.payoff]->edges) levy_payoffs[t->kind.payoff]->edges(&claim, &edges);
    return edges;
}

bool levy_trade_jumps(const levy_trade *t)
{
    levy_trade room;
    const levy_trade *const written = levy_trade_written(t, &room);
    const levy_edges edges = levy_trade_edges(written);
    bool jumps = written->kind.scripted && levy_scripted_jumps(written->kind.scripted);
    for (size_t i = 0; i < edges.n; ++i) jumps = jumps || edges.each[i].jumps;
    return jumps;
}

levy_edge levy_trade_bend(const levy_trade *t)
{
    const levy_edges edges = levy_trade_edges(t);
    const bool alone = edges.n == 1 && !edges.each[0].size;
    return alone ? edges.each[0] : (levy_edge){.of = LEVY_EDGE_OTHER};
}
