/* parity.c: what quotes of one strike and expiry say of each other. The forward that a call and a
 * put imply may differ from the market's, to which a smile would be fitted then; and one option may
 * be quoted twice. See calibration.h. */
#include "engine/calibrate/calibration.h"

#include <math.h>

/* What a forward may be off where quotes have no bid and ask. */
#define PARITY_ALLOWED 1e-3
/* What logarithms of one strike may differ by, computed in two ways. */
#define PARITY_ROUNDING 1e-12

/* The worst pair, and options that are quoted again. */
typedef struct parity {
    const levy_smile *smile;
    const levy_fit *fit;
    double worst, forward; /* what a pair's forward is off by, by what may be; that forward */
    size_t at, again;      /* the quotes of the fit; SIZE_MAX: there is none */
    size_t n_again;
} parity;

static const levy_raw_smile_quote *parity_raw(const parity *p, size_t i)
{
    return (const levy_raw_smile_quote *)p->smile->raw->quotes.items + p->fit->quotes[i].source;
}

/* Takes a call and a put that are both quoted by price. */
static void parity_pair(parity *p, size_t at, const levy_raw_smile_quote *call,
                        const levy_raw_smile_quote *put)
{
    const levy_fitted_quote *const quote = &p->smile->fitted[p->fit->quotes[at].source];
    const double discount =
        levy_exp(levy_curve_log_discount(levy_smile_curve(p->smile, quote), quote->years));
    const double spread = 0.5 * (call->ask - call->bid + put->ask - put->bid) / discount;
    const double forward = quote->strike + (call->price - put->price) / discount;
    const double off =
        fabs(forward - quote->forward) / (isnan(spread) ? PARITY_ALLOWED * quote->forward : spread);
    if (!(off > p->worst)) return;
    p->worst = off;
    p->forward = forward;
    p->at = at;
}

/* Takes two quotes of one strike and expiry, a before b; whether they are of one option. */
static bool parity_both(parity *p, size_t a, size_t b)
{
    const levy_raw_smile_quote *const first = parity_raw(p, a), *const second = parity_raw(p, b);
    if (first->option_type == second->option_type) return true;
    if (first->option_type < 0 || second->option_type < 0) return false;
    if (isnan(first->price) || isnan(second->price)) return false;
    if (first->option_type == 0)
        parity_pair(p, a, first, second);
    else
        parity_pair(p, b, second, first);
    return false;
}

static const char *parity_path(const parity *p, size_t i)
{
    return levy_check_text(p->smile->build, "calibration.quotes[%zu]", p->fit->quotes[i].source);
}

static void parity_warn(const parity *p)
{
    levy_check *const build = p->smile->build;
    if (p->at < p->fit->n)
        LEVY_WARN(
            build, INCONSISTENT, parity_raw(p, p->at)->node, parity_path(p, p->at),
            "Change the dividend yield or the curve until both agree.",
            "call and put of this strike imply a forward of %s, and the market gives %s",
            levy_check_rounded(build, p->forward),
            levy_check_rounded(build, p->smile->fitted[p->fit->quotes[p->at].source].forward));
    if (p->again < p->fit->n)
        LEVY_WARN(build, INCONSISTENT, parity_raw(p, p->again)->node, parity_path(p, p->again),
                  "Leave out all but one: each of them counts.",
                  p->n_again == 1 ? "is of the same option as another quote"
                                  : "is of the same option as another quote, as %zu quotes are",
                  p->n_again);
}

void levy_smile_check_pairs(const levy_smile *smile, const levy_fit *fit)
{
    parity p = {.smile = smile, .fit = fit, .worst = 1.0, .at = SIZE_MAX, .again = SIZE_MAX};
    const levy_fit_quote *const quotes = fit->quotes;
    for (size_t b = 1; b < fit->n; ++b) {
        bool again = false;
        for (size_t a = b; a-- > 0 && quotes[a].asset == quotes[b].asset &&
                           quotes[a].years == quotes[b].years &&
                           quotes[b].log_strike - quotes[a].log_strike < PARITY_ROUNDING;)
            again = parity_both(&p, a, b) || again;
        if (again && p.n_again++ == 0) p.again = b;
    }
    parity_warn(&p);
}
