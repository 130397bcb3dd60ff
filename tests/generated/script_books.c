/* script_books.c: see script_books.h. */
#include "tests/generated/script_books.h"
#include "tests/generated/script_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DATES = 8, MOST_ASSETS = 4 };

typedef enum model_kind {
    BLACK_SCHOLES,
    MERTON,
    KOU,
    LAYERS,
    REGIMES,
    NIG,
    GAMMA,
    HESTON,
    BATES
} model_kind;

/* What both spellings of a book share. */
typedef struct frame {
    choices *c;
    char *out;
    bool absolute;
    unsigned n_assets;
    model_kind model;
    double expiry, initial[MOST_ASSETS];
    bool plain;                           /* no asset pays dividends on dates */
    unsigned rule;                        /* 1 + that of all cash; 0: none is paid so far */
    bool initial_is_spot, weighted, late; /* late: it pays some days after expiry */
    script_text script;
} frame;

static const char names[] = "ABCD";
static const double spots[] = {100.0, 50.0, 20.0, 250.0};

static void put(frame *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(frame *f, const char *format, ...)
{
    const size_t used = strlen(f->out);
    va_list values;
    va_start(values, format);
    vsnprintf(f->out + used, BOOK_SIZE - used, format, values);
    va_end(values);
}

#define PICK(f, ...) choose_weighted((f)->c, (const unsigned char[]){__VA_ARGS__, 0})

/* ---- The market and the model ---- */

static void put_curve(frame *f)
{
    static const char *const curves[] = {
        "0.04", "{\"kind\": \"zero\", \"nodes\": [[0.3, 0.02], [1.1, 0.035], [4, 0.05]]}",
        "{\"kind\": \"discount\", \"nodes\": [[0.5, 0.99], [2, 0.93]]}", "-0.01"};
    put(f, "\"curves\": {\"USD\": %s}", curves[PICK(f, 5, 3, 2, 1)]);
}

/* Other models have volatilities of their own. */
static void put_volatility(frame *f)
{
    const double level = choose_between(f->c, 0.2, 0.4, 8);
    const bool term = choose_rarely(f->c, 25);
    if (f->model > LAYERS) return;
    if (term)
        put(f, "\"volatility\": {\"kind\": \"term\", \"nodes\": [[0.3, %.10g], [1.2, %.10g]]}, ",
            level, 0.9 * level);
    else
        put(f, "\"volatility\": %.10g, ", level);
}

static void put_asset(frame *f, unsigned i)
{
    static const char *const dividends[] = {"\"dividend_yield\": 0.02",
                                            "\"dividend_yield\": 0, \"borrow\": 0.01",
                                            "\"dividends\": {\"proportional\": [[0.2, 0.02]]}",
                                            "\"dividends\": {\"cash\": [[0.2, 0.5], [0.7, 2], "
                                            "[0.9, 0.4]], \"proportional\": [[0.4, 0.01]]}",
                                            "\"dividends\": {\"rule\": \"affine\", \"horizon\": "
                                            "0.8, \"cash\": [[0.2, 0.5], [0.7, 2], [0.9, 0.4]], "
                                            "\"proportional\": [[0.4, 0.01]]}"};
    unsigned dividend = PICK(f, 20, 4, 2, 1);
    if (dividend == 3 && f->rule == 0) f->rule = 1 + (f->model == REGIMES ? 0 : choose(f->c, 2));
    if (dividend == 3) dividend += f->rule - 1;
    f->plain = f->plain && dividend < 2;
    put(f, "%s\"%c\": {\"currency\": \"USD\", \"spot\": %.10g, %s, ", i ? ", " : "", names[i],
        spots[i], dividends[dividend]);
    put_volatility(f);
    const double last = spots[i] * choose_between(f->c, 1.03, 0.8, 10),
                 first = spots[i] * choose_between(f->c, 0.97, 1.2, 10);
    put(f, "\"fixings\": [[-0.5, %.10g], [-0.25, %.10g]]}", first, last);
}

static void put_correlations(frame *f)
{
    const bool independent = f->model == NIG || f->model == GAMMA;
    const double chosen = choose_between(f->c, 0.5, 0.95, 9),
                 lower = choose_rarely(f->c, 10) ? 0.7 : 0.0,
                 rho = independent ? 0.0 : chosen - lower;
    put(f, ", \"correlations\": {\"pairs\": [");
    for (unsigned i = 1, n = 0; i < f->n_assets; ++i)
        for (unsigned j = 0; j < i; ++j)
            put(f, "%s[\"%c.spot\", \"%c.spot\", %.10g]", n++ ? ", " : "", names[j], names[i], rho);
    put(f, "]}");
}

static void put_market(frame *f)
{
    put(f, "\"market\": {");
    put_curve(f);
    put(f, ", \"assets\": {");
    for (unsigned i = 0, end = 0; i < MOST_ASSETS; ++i) { /* the same choices for any number */
        put_asset(f, i);
        if (i + 1 == f->n_assets) end = (unsigned)strlen(f->out);
        if (i + 1 > f->n_assets) f->out[end] = '\0';
    }
    put(f, "}");
    if (f->n_assets > 1) put_correlations(f);
    put(f, "}, ");
}

static void put_model(frame *f)
{
    static const char *const kinds[] = {
        "\"kind\": \"black_scholes\"",
        "\"kind\": \"merton\", \"intensity\": 1, \"jump_mean\": -0.1, \"jump_volatility\": 0.15",
        "\"kind\": \"kou\", \"intensity\": 2, \"probability_up\": 0.3, \"rate_up\": 25, "
        "\"rate_down\": 15",
        "\"kind\": \"black_scholes\", \"jumps\": [{\"intensity\": 0.5, \"arrivals\": \"common\", "
        "\"mark\": {\"kind\": \"normal\", \"mean\": -0.1, \"volatility\": 0.15}}]",
        "\"kind\": \"regime_switching\", \"regimes\": {\"calm\": {\"volatilities\": 0.15}, "
        "\"wild\": "
        "{\"volatilities\": 0.35}}, \"generator\": [[-0.5, 0.5], [3, -3]], \"initial_regime\": "
        "\"calm\"",
        "\"kind\": \"normal_inverse_gaussian\", \"alpha\": 15, \"beta\": -5, \"delta\": 0.5",
        "\"kind\": \"variance_gamma\", \"sigma\": 0.2, \"theta\": -0.1, \"nu\": 0.2",
        "\"kind\": \"heston\", \"v0\": 0.04, \"kappa\": 1.5, \"rho\": -0.7",
        "\"kind\": \"bates\", \"v0\": 0.04, \"kappa\": 1.5, \"rho\": -0.7, \"intensity\": 1, "
        "\"jump_mean\": -0.1, \"jump_volatility\": 0.15"};
    put(f, "\"models\": {\"m\": {%s, \"assets\": [", kinds[f->model]);
    for (unsigned i = 0; i < f->n_assets; ++i) put(f, "%s\"%c\"", i ? ", " : "", names[i]);
    put(f, "]");
    if (f->model >= HESTON && choose_rarely(f->c, 30))
        put(f, ", \"theta\": {\"kind\": \"term\", \"nodes\": [[0.3, 0.03], [0.7, 0.06]]}, \"xi\": "
               "{\"kind\": \"term\", \"nodes\": [[0.15, 0.9], [0.5, 0.4]]}");
    else if (f->model >= HESTON)
        put(f, ", \"theta\": 0.06, \"xi\": 0.6");
    put(f, "}}, ");
}

/* ---- The trade ---- */

/* Dates in ascending order, some of which may lie in the past, or today. */
static unsigned put_times(frame *f, bool *has_past, bool *later)
{
    static const char *const pasts[] = {"", "0, ", "-0.25, ", "-0.5, -0.25, ", "-0.25, 0, "};
    static const unsigned n_past[] = {0, 1, 1, 2, 2};
    const unsigned past = PICK(f, 6, 2, 2, 2, 2), n = 1 + choose(f->c, 4);
    *has_past = past > 1 || f->expiry <= 0.0;
    *later = past == 0 && f->expiry > 0.0;
    if (f->expiry <= 0.0) {
        put(f, "{\"times\": [-0.25, 0]}");
        return 2;
    }
    put(f, "{\"times\": [%s", pasts[past]);
    for (unsigned i = 1; i < n; ++i) put(f, "%.10g, ", f->expiry * i / (n + 0.45));
    put(f, "%.10g", f->expiry);
    put(f, "]}");
    return n_past[past] + n;
}

static void put_schedules(frame *f)
{
    put(f, "\"schedules\": {");
    for (unsigned i = 0; i < f->script.n_schedules; ++i) {
        put(f, "%s\"days%u\": ", i ? ", " : "", i + 1);
        const unsigned drawn = f->expiry > 0.0 ? PICK(f, 6, 3, 1) : 1,
                       kind = f->script.crosses ? 0 : drawn, n = 1 + choose(f->c, MOST_DATES);
        f->script.counts[i] = n;
        f->script.later[i] = true;
        if (kind == 1)
            f->script.counts[i] = put_times(f, &f->script.has_past[i], &f->script.later[i]);
        else if (kind == 0)
            put(f, "{\"count\": %u}", n);
        else
            put(f, "{\"start\": %.10g, \"count\": %u%s}", 0.25 * f->expiry, n,
                f->late ? ", \"payment_lag\": \"2D\"" : "");
    }
    put(f, "}, ");
}

static void put_levels(frame *f)
{
    if (f->absolute) return;
    put(f, "\"levels\": \"percent_of_initial\", ");
    if (f->initial_is_spot) return;
    put(f, "\"initial_fixing\": [");
    for (unsigned i = 0; i < f->n_assets; ++i) put(f, "%s%.17g", i ? ", " : "", f->initial[i]);
    put(f, "], ");
}

/* As quoted, the text multiplies levels by these. */
static void put_units(frame *f)
{
    if (!f->absolute) return;
    put(f, ", \"unit\": [");
    for (unsigned i = 0; i < f->n_assets; ++i)
        put(f, "%s%.17g", i ? ", " : "", 1.0 / f->initial[i]);
    put(f, "]");
}

static void put_trade(frame *f)
{
    script_text *const s = &f->script;
    put(f, "\"trades\": [{\"id\": \"t\", \"underlyings\": [");
    for (unsigned i = 0; i < f->n_assets; ++i)
        if (f->weighted)
            put(f, "%s{\"name\": \"%c\", \"weight\": %.10g}", i ? ", " : "", names[i],
                0.9 + 0.1 * i);
        else
            put(f, "%s\"%c\"", i ? ", " : "", names[i]);
    put(f,
        "], \"notional\": 100, \"exercise\": {\"expiry\": %.10g}, \"payment_date\": %.10g, "
        "\"payoff\": {\"kind\": \"script\", ",
        f->expiry, f->expiry + (f->late ? 0.02 : 0.0));
    s->crosses = choose_rarely(f->c, 6) && f->model == BLACK_SCHOLES && f->expiry > 0.0 && f->plain;
    s->n_schedules = s->crosses ? 1 : PICK(f, 6, 3, 1) + 1;
    put_schedules(f);
    put_levels(f);
    s->c = f->c;
    s->absolute = f->absolute;
    s->n_assets = f->n_assets;
    s->quoted = f->model <= LAYERS;
    s->varies = f->model >= HESTON;
    s->later[s->n_schedules] = f->expiry > 0.0;
    script_text_write(s);
    put(f, "\"parameters\": {%s", s->parameters);
    put_units(f);
    put(f, "}, \"script\": \"%s\\n\"}}], ", s->text);
}

/* ---- The simulation ---- */

static void put_simulation(frame *f)
{
    static const char *const constructions[] = {"\"bridge\"", "\"pca\"", "\"incremental\"",
                                                "{\"kind\": \"bridge\", \"first\": \"average\"}"},
                             *const generators[] = {"sobol_scrambled", "philox"};
    const bool pca = f->model < NIG;
    const unsigned construction = PICK(f, 12, 6, 2, 1), generator = PICK(f, 9, 1);
    put(f, "\"simulation\": {\"construction\": %s, \"generator\": \"%s\"",
        constructions[construction % 2 == 1 && !pca ? 0 : construction], generators[generator]);
    if (generator == 0) put(f, ", \"replicates\": 16");
    put(f, "}}");
}

static void put_more_measures(frame *f, bool vega)
{
    const bool jumps = f->model == MERTON || f->model == KOU || f->model == LAYERS ||
                       (f->model == BATES && f->n_assets == 1);
    const unsigned more = PICK(f, 30, 2, 2, 2, 2, 2, 2);
    if (more == 1 && f->model == BLACK_SCHOLES) put(f, ", \"theta\"");
    if (more == 1 && jumps) put(f, ", \"parameters\"");
    if (more == 2) put(f, ", \"dividend_rho\", \"borrow_rho\", \"dividends\"");
    if (more == 3) put(f, ", \"rho_by_node\"");
    if (more == 4 && vega) put(f, ", \"vanna\", \"volga\"");
    if (more == 5 && f->n_assets > 1) put(f, ", \"cross_gamma\"");
    if (more == 6 && f->n_assets > 1 && vega) put(f, ", \"correlation\"");
}

static void put_measures(frame *f)
{
    static const char *const greeks[] = {"", ", \"delta\"", ", \"delta\", \"gamma\"",
                                         ", \"delta\", \"gamma\", \"rho\"",
                                         ", \"delta\", \"gamma\", \"vega\", \"rho\""};
    const bool vega = f->model != NIG && f->model != GAMMA;
    const unsigned kind = PICK(f, 3, 2, 2, 2, 4);
    put(f, "\"measures\": [\"price\"%s, \"cash_flows\", \"probability\", \"expected_life\"",
        greeks[kind == 4 && !vega ? 3 : kind]);
    put_more_measures(f, vega);
    put(f, "], ");
}

/* Returns how many assets it has. */
static unsigned write_book(choices *c, bool twin, char *out)
{
    frame f = {.c = c, .out = out, .plain = true};
    out[0] = '\0';
    f.n_assets = 1 + PICK(&f, 5, 3, 2, 1);
    f.model = (model_kind)PICK(&f, 26, 5, 5, 3, 5, 4, 3);
    if (f.model == LAYERS) f.model = (model_kind[]){LAYERS, HESTON, BATES}[PICK(&f, 1, 1, 1)];
    f.expiry = (const double[]){1.0, 0.25, 3.0, 0.0}[PICK(&f, 8, 2, 4, 1)];
    f.absolute = (choose(c, 4) == 1) != twin;
    f.late = choose_rarely(c, 15);
    f.weighted = choose_rarely(c, 10);
    f.initial_is_spot = !choose_rarely(c, 20);
    for (unsigned i = 0; i < MOST_ASSETS; ++i)
        f.initial[i] = spots[i] * (f.initial_is_spot ? 1.0 : choose_between(c, 0.93, 1.1, 10));
    put(&f, "{\"schema_version\": 1, ");
    put_market(&f);
    put_model(&f);
    put_trade(&f);
    put_measures(&f);
    put_simulation(&f);
    return f.n_assets;
}

void scripts_write(choices *c, generated_book *book)
{
    static choices again;
    /* of several assets the order of factors follows the size of their levels */
    book->twin_on_same_paths = write_book(c, false, book->text) == 1;
    choices_from_list(&again, c->taken, c->n);
    write_book(&again, true, book->twin);
}
