/* books.c: see books.h. */
#include "tests/generated/books.h"
#include "tests/generated/book_kinds.h"
#include "tests/generated/book_market.h"
#include "tests/generated/book_terms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRADES = 3, MOST_LEGS = 2 };

/* One that may be exercised early; of its sums a leg behind "!" is not. */
static const kind_row early_row = {.terms = "'kind': 'european', " OPTION "$pct",
                                   .sums =
                                       ">+" VANILLA("$o", "$strike") ";-!" VANILLA("$o", "$strike"),
                                   ON_ONE};

/* A script with a right, beside it. */
static const kind_row rights_row = {
    .terms = WRITTEN("script") "'schedules': {'days': $days:S}, 'script': 'may use at days by "
                               "$who:<issuer|holder>$if:<| if 0.9 < level> { pay $paid:<1|1.1>; "
                               "stop }; at days { pay 0.02 }; at expiry { pay level if level < "
                               "$low:D else 1.05 }'$lev",
    ON_ONE,
    .units = PERCENT,
    .alive = true};

/* ---- What the trade's levels are in ---- */

static void draw_underlyings(draft *d, const kind_row *row)
{
    const unsigned most = row->most < d->n_assets ? row->most : d->n_assets;
    d->n = row->least + (most > row->least ? choose(d->c, most - row->least + 1) : 0);
    d->first = d->n_assets > d->n ? choose(d->c, d->n_assets - d->n + 1) : 0;
    d->level = row->level;
    if (row->aggregates && d->n > 1)
        d->level = (const level_kind[]){BASKET, WORST, BEST, GEOMETRIC}[PICK(d->c, 4, 3, 2, 1)];
    if (d->n == 1) d->level = ONE;
    d->has_powers |= d->level == GEOMETRIC;
}

/* The same for any machine's pow. */
static double without_last_digits(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.14g", x);
    return strtod(text, NULL);
}

/* Fractions of the initial fixings, or as quoted. Of several underlyings weights then make levels
 * of 100, so that the trade is the same; those of a geometric basket make the unit. */
static void draw_units(draft *d, const kind_row *row)
{
    const bool other = d->spelling == IN_OTHER_UNITS, drawn = choose(d->c, 2) == 1;
    d->initial_is_spot = !choose_rarely(d->c, 35);
    d->weighted = choose_rarely(d->c, 20);
    d->percent = row->units == PERCENT || (row->units == IN_BOTH && drawn != other);
    d->unit = d->n > 1 ? 100.0 : 1.0;
    for (unsigned i = 0; i < d->n; ++i) {
        const double spot = d->spots[d->first + i],
                     moved = choose_between(d->c, 0.95, 1.1, 6); /* never 1 */
        const bool shares = d->level == BASKET || d->level == GEOMETRIC;
        d->initial[i] = d->initial_is_spot ? spot : spot * moved;
        d->weights[i] = !shares        ? 1.0
                        : !d->weighted ? 1.0 / d->n
                        : i + 1 < d->n ? 0.3
                                       : 1.0 - 0.3 * (d->n - 1);
    }
    if (d->percent) {
        d->unit = 1.0;
    } else if (d->n == 1) {
        d->unit = d->initial[0];
    } else if (d->level == GEOMETRIC) {
        d->unit = 1.0;
        for (unsigned i = 0; i < d->n; ++i) d->unit *= pow(d->initial[i], d->weights[i]);
        d->unit = without_last_digits(d->unit);
    }
}

/* A script's levels know no default, and no powers. */
static void put_underlyings(draft *d, const kind_row *row)
{
    const bool script = d->spelling == AS_SCRIPT && row->script, powers = d->level == GEOMETRIC;
    const bool bare = d->n == 1 || (script && powers) || row->units == PERCENT ||
                      (d->level == EACH && d->percent) ||
                      (!d->weighted && (powers || d->percent) && !(script && d->level == BASKET));
    if (d->quanto) put(d, "\"currency\": \"USD\", ");
    if (d->composite) put(d, "\"conversion\": \"composite\", ");
    if (d->simulated) put(d, "\"quanto\": \"simulated\", ");
    put(d, "\"underlyings\": [");
    for (unsigned i = 0; i < d->n; ++i) {
        put(d, "%s", i ? ", " : "");
        if (bare)
            put(d, "\"%c\"", asset_names[d->first + i]);
        else
            put(d, "{\"name\": \"%c\", \"weight\": %.17g}", asset_names[d->first + i],
                d->percent || powers ? d->weights[i] : d->weights[i] * 100.0 / d->initial[i]);
    }
    put(d, "], ");
}

/* ---- Payoffs ---- */

static void put_state(draft *d, const kind_row *row)
{
    if (!row->state) return;
    const bool has = choose_rarely(d->c, 40) && d->has_past;
    char text[NAMED_TEXT] = "", *const out = d->out;
    const size_t size = d->size;
    d->out = text;
    d->size = sizeof text;
    put_template(d, row->state);
    d->out = out;
    d->size = size;
    if (has) put(d, ", \"state\": {%s}", text);
}

static void put_twin(draft *d, const kind_row *row, const char *state)
{
    put(d, "{\"kind\": \"script\", ");
    put_template(d, row->keys);
    put_template(d, "$lev");
    put(d, ", \"script\": ");
    put_script(d, row->script);
    put(d, "%s}", state);
}

/* The terms are drawn in every spelling. */
static void put_payoff(draft *d, const kind_row *row)
{
    const size_t from = strlen(d->out);
    put(d, "{");
    forget_terms(d);
    d->has_past = false;
    put_template(d, row->terms);
    const size_t end = strlen(d->out);
    put_state(d, row);
    if (d->spelling == AS_SCRIPT && row->script) {
        char state[NAMED_TEXT];
        snprintf(state, sizeof state, "%s", d->out + end);
        d->out[from] = '\0';
        put_twin(d, row, state);
        return;
    }
    put(d, "}");
}

/* ---- Trades ---- */

static double draw_expiry(draft *d, const kind_row *row)
{
    if (row == &early_row)
        return (const double[]){
            1.0, 0.25, 2.0, 0.5, 0.02, 0.0, 8.0, 0.004}[choose(d->c, 7 + !d->dated)];
    const unsigned kind = PICK(d->c, 10, 4, 4, 2, 1, 1);
    const double usual = (const double[]){1.0, 0.25, 2.0, 0.02, 0.0, -0.1}[kind];
    if (row->alive && usual <= 0.0) return 0.25;
    return d->model == HISTORICAL && usual > 0.25 ? 0.25 : usual;
}

/* Keeps what stands behind the expiry. */
static void draw_style(draft *d, const kind_row *row)
{
    char *const out = d->out;
    const size_t size = d->size;
    d->style[0] = '\0';
    if (row == &rights_row)
        snprintf(d->style, sizeof d->style, ", \"fit\": {\"paths\": 1024%s}",
                 d->volga ? ", \"policy\": \"refit\"" : "");
    if (row != &early_row) return;
    const bool bermudan = choose_rarely(d->c, 45);
    d->out = d->style;
    d->size = sizeof d->style;
    put(d, ", \"style\": \"%s\"", bermudan ? "bermudan" : "american");
    if (bermudan) {
        put(d, ", \"dates\": ");
        put_schedule(d);
        if (choose_rarely(d->c, 15)) /* refitted, it has every measure */
            put(d, ", \"notice_days\": 10, \"fit\": {\"paths\": 1024, \"policy\": \"refit\"}");
    }
    d->out = out;
    d->size = size;
}

static void put_expiry(draft *d, const char *style)
{
    put(d, "\"exercise\": {\"expiry\": ");
    put_time(d, d->expiry);
    put(d, "%s}, ", style);
}

static void put_exercise(draft *d, const kind_row *row)
{
    const bool late = row != &early_row && choose_rarely(d->c, 20);
    draw_style(d, row);
    put_expiry(d, d->style);
    if (!late && d->expiry >= 0.0) return;
    put(d, "\"payment_date\": ");
    put_time(d, d->expiry < 0.0 ? 0.1 : d->expiry + 0.2);
    put(d, ", ");
}

static void put_size(draft *d, double more)
{
    const bool is_short = choose_rarely(d->c, 20);
    const double size = more * (const double[]){1.0, 100.0, 7.0}[PICK(d->c, 4, 3, 2)];
    if (is_short) put(d, "\"position\": \"short\", ");
    put(d, "\"quantity\": %.17g, ", size / d->unit);
}

static void put_premium(draft *d)
{
    const bool has = choose_rarely(d->c, 8);
    if (!has || d->expiry <= 0.0) return;
    d->has_legs = true;
    put(d, ", \"premium\": {\"amount\": 3.25, \"date\": ");
    put_time(d, 0.01);
    put(d, "}");
}

static void put_trade(draft *d, const kind_row *row, unsigned k)
{
    put(d, "{\"id\": \"t%u\", ", k);
    draw_underlyings(d, row);
    draw_units(d, row);
    put_underlyings(d, row);
    d->expiry = draw_expiry(d, row);
    put_exercise(d, row);
    put_size(d, 1.0);
    if (choose_rarely(d->c, 5)) put(d, "\"discount_curve\": \"FUND\", ");
    if (choose_rarely(d->c, 10)) {
        d->has_legs = true;
        put(d, "\"legs\": [{\"payoff\": ");
        put_payoff(d, row);
        put(d, "}, {\"position\": \"short\", \"quantity\": 0.5, \"payoff\": ");
        put_payoff(d, row);
        put(d, "}]");
    } else {
        put(d, "\"payoff\": ");
        put_payoff(d, row);
    }
    put_premium(d);
    put(d, "}");
}

/* ---- Sums whose value is known ---- */

/* `leg` is behind its sign, and ends with ";", with the line, or with the text. */
static const char *put_leg(draft *d, const char *leg, char sign)
{
    char text[1024];
    const size_t n = strcspn(leg, ";\n");
    const bool european = *leg == '!';
    snprintf(text, sizeof text, "%.*s", (int)(n - european), leg + european);
    put(d, "{\"position\": \"%s\", ", sign == '-' ? "short" : "long");
    if (european) put_expiry(d, "");
    put(d, "\"payoff\": {");
    put_template(d, text);
    put(d, "}}");
    return leg + n;
}

static void put_sums(draft *d, const kind_row *row, unsigned k, unsigned *n)
{
    for (const char *at = row->sums; at && *at; at += *at == '\n') {
        const char kind = *at++;
        if (kind == '~' && d->expiry <= 0.0) {
            at += strcspn(at, "\n");
            continue;
        }
        put(d, "%s{\"id\": \"%c%u.%u\", ", *n ? ", " : "",
            kind == '>' ? SUM_IS_NOT_NEGATIVE : SUM_IS_ZERO, k, *n);
        ++*n;
        put_underlyings(d, row);
        put_expiry(d, d->style);
        if (d->expiry < 0.0) {
            put(d, "\"payment_date\": ");
            put_time(d, 0.1);
            put(d, ", ");
        }
        put(d, "\"legs\": [");
        for (bool first = true; *at && *at != '\n'; first = false) {
            if (!first) put(d, ", ");
            at = put_leg(d, at + 1, *at);
            at += *at == ';';
        }
        put(d, "]}");
    }
}

/* Draws the trade, and writes its sums in its place. */
static void put_trade_sums(draft *d, const kind_row *row, unsigned k, unsigned *n)
{
    char text[1 << 13] = "", *const out = d->out;
    const size_t size = d->size;
    d->out = text;
    d->size = sizeof text;
    put_trade(d, row, k);
    d->out = out;
    d->size = size;
    put_sums(d, row, k, n);
}

/* ---- The book ---- */

/* Some of the choices, which settle what the others may be. */
static unsigned draw_rows(draft *d, const kind_row **rows)
{
    const unsigned n = 1 + PICK(d->c, 6, 3, 1);
    unsigned least = 1;
    d->alone = n == 1;
    for (unsigned k = 0; k < n; ++k) {
        const unsigned kind = d->early && k == 0 ? 0 : choose(d->c, n_kind_rows + n_script_rows);
        rows[k] = kind < n_kind_rows ? &kind_rows[kind] : &script_rows[kind - n_kind_rows];
        if (d->early && k < 2) rows[k] = k ? &rights_row : &early_row;
        if (rows[k]->least > least) least = rows[k]->least;
        d->continuous |= rows[k]->continuous;
    }
    const unsigned more = PICK(d->c, 6, 3, 2);
    d->n_assets = least + more < MOST_ASSETS ? least + more : MOST_ASSETS;
    d->model =
        (model_kind[]){BLACK, HESTON, BATES, MERTON, KOU, REGIMES, NIG, GAMMA, HISTORICAL}[PICK(
            d->c, 20, 4, 2, 5, 5, 6, 4, 4, 2)];
    d->regimes = d->model == REGIMES ? PICK(d->c, 5, 3, 2, 2, 1, 2) : 0;
    if (d->early) d->model = BLACK;
    d->jumps = !d->early && choose_rarely(d->c, 15) && (d->model == BLACK || d->model == HESTON);
    if (d->continuous) {
        if (d->model != HESTON && d->model != BATES) d->model = BLACK;
        d->jumps = d->jumps && d->model == HESTON;
    }
    d->dated = choose_rarely(d->c, 30);
    const bool random = d->model == HESTON || d->model == BATES,
               diffuses = d->model == BLACK || d->model == MERTON || d->model == KOU || random;
    d->quanto = diffuses && choose_rarely(d->c, 30);
    d->simulated = d->quanto && random && !d->jumps && choose(d->c, 2);
    d->composite = d->quanto && !random && !d->early && choose(d->c, 2);
    return n;
}

/* Whether a script of it has the same paths. */
static bool write_book(choices *c, bool early, spelling as, char *out)
{
    static draft d;
    const kind_row *rows[MOST_TRADES];
    memset(&d, 0, sizeof d);
    d.c = c;
    d.out = out;
    d.size = BOOK_SIZE;
    d.spelling = as;
    d.has_legs = as == AS_SUMS;
    d.early = early;
    out[0] = '\0';
    const unsigned n = draw_rows(&d, rows);
    unsigned n_sums = 0;
    put(&d, "{\"schema_version\": 1, ");
    if (d.dated) put(&d, "\"valuation_date\": \"2026-03-02\", ");
    put_market(&d);
    put_model(&d);
    put_measures(&d);
    put_scenarios(&d);
    put(&d, "\"trades\": [");
    for (unsigned k = 0; k < n; ++k) {
        if (as != AS_SUMS && k) put(&d, ", ");
        if (as == AS_SUMS)
            put_trade_sums(&d, rows[k], k, &n_sums);
        else
            put_trade(&d, rows[k], k);
    }
    put(&d, "], ");
    put_simulation(&d);
    if (as == AS_SUMS && n_sums == 0) out[0] = '\0';
    return !d.has_powers;
}

static void write_all(choices *c, bool early, generated_book *book)
{
    static choices again;
    char *const texts[] = {book->twin, book->units, book->sums};
    book->twin_on_same_paths = write_book(c, early, AS_WRITTEN, book->text);
    for (int s = AS_SCRIPT; s <= AS_SUMS; ++s) {
        choices_from_list(&again, c->taken, c->n);
        write_book(&again, early, (spelling)s, texts[s - 1]);
        if (strcmp(texts[s - 1], book->text) == 0) texts[s - 1][0] = '\0';
    }
}

void books_write(choices *c, generated_book *book) { write_all(c, false, book); }
void books_write_early(choices *c, generated_book *book) { write_all(c, true, book); }
