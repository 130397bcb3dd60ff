/* test_ways.c: the ways into levy: a file to start from for every kind, the examples that the
 * program carries, trades of a CSV file, a book in JSON, the options that stand for settings and
 * quotes, --each, and help by topic. Runs the built `levy` on files written here. */
#include "tests/command.h"

#include <dirent.h>
#include <unistd.h>

#define WAYS_ASIAN LEVY_SOURCE_DIR "/configs/asian.yaml"
#define WAYS_EUROPEAN LEVY_SOURCE_DIR "/configs/european.yaml"

static void ways_write(const char *name, const char *text) { write_file(path_of(name), text); }

/* The words that begin the lines of the last output with an indent of two, ended by NULL. */
static size_t ways_listed(const char *words[128])
{
    static char list[65536];
    size_t n = 0;
    char *rest = NULL;
    snprintf(list, sizeof list, "%.65535s", run.out);
    for (char *line = strtok_r(list, "\n", &rest); line && n < 127;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strncmp(line, "  ", 2) != 0 || line[2] == ' ') continue;
        if (line[2] >= 'A' && line[2] <= 'Z') continue; /* a heading */
        line[2 + strcspn(line + 2, " ")] = '\0';
        words[n++] = line + 2;
    }
    words[n] = NULL;
    return n;
}

/* ---- A file to start from ---- */

static void test_every_kind_has_a_file_that_prices(void **state)
{
    (void)state;
    static const char *const payoffs[] = {
#define LEVY_PAYOFF(name, NAME) #name,
#include "payoffs/payoffs.def"
        NULL};
    const char *kinds[128];
    levy("new", NULL);
    const size_t n = ways_listed(kinds);
    for (size_t i = 0; payoffs[i]; ++i) assert_has(run.out, payoffs[i]);
    assert_true(n > sizeof payoffs / sizeof *payoffs);
    for (size_t i = 0; i < n; ++i) {
        if (strcmp(kinds[i], "market") == 0 || strcmp(kinds[i], "csv") == 0)
            continue; /* see test_trades_of_a_csv_file */
        levy("new", kinds[i], NULL);
        assert_int_equal(run.code, 0);
        assert_has(run.out, "# ");
        ways_write("new.yaml", run.out);
        levy("price", path_of("new.yaml"), "--strict", "--set", "simulation.paths=2^10", NULL);
        if (run.code != 0) print_error("levy new %s:\n%s", kinds[i], run.err);
        assert_int_equal(run.code, 0);
        assert_has(run.out, "0 failed");
    }
}

static void test_an_unknown_kind_gets_the_nearest(void **state)
{
    (void)state;
    levy("new", "asain", NULL);
    assert_usage_error(&run, "there is no kind 'asain'; did you mean 'asian'?");
    levy("new", "asian", "barrier", NULL);
    assert_usage_error(&run, "takes one word");
}

static void test_other_words_for_kinds_lead_to_them(void **state)
{
    static const char *const words[][2] = {{"put", "option_type: put"},
                                           {"one_touch", "pays: if_touched"},
                                           {"shark_fin", "kind: sharkfin"},
                                           {"gbm", "kind: black_scholes"},
                                           {"straddle", "abs(level - 100)"}};
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
        levy("describe", words[i][0], NULL);
        assert_has(run.out, words[i][1]);
        levy("new", words[i][0], NULL);
        assert_has(run.out, words[i][1]);
        ways_write("new.yaml", run.out);
        levy("price", path_of("new.yaml"), "--strict", "--set", "simulation.paths=2^10", NULL);
        assert_int_equal(run.code, 0);
    }
    levy("describe", "chooser", NULL);
    assert_has(run.out, "levy example");
    levy("new", "chooser", NULL);
    assert_usage_error(&run, "hint: `levy describe chooser` has it");
}

static void test_the_file_says_what_its_keys_mean(void **state)
{
    (void)state;
    levy("new", "barrier", NULL);
    assert_has(run.out, "\n    payoff:");
    assert_has(run.out, "\n      barrier:");
    assert_has(run.out, "\n        direction: up");
    assert_has(run.out, "# rebate: {amount: 5, pay: at_expiry}"); /* may be added */
    assert_has(run.out, "# Number of units; it must be positive");
}

/* ---- Examples ---- */

static void test_examples_are_the_files_of_configs(void **state)
{
    (void)state;
    static char text[65536];
    const char *names[128];
    levy("example", NULL);
    const size_t n = ways_listed(names);
    assert_true(n > 60);
    assert_has(run.out, "A European call and put on one asset, with delta and vega\n");
    for (size_t i = 0; i < n; ++i) {
        char path[256];
        const char *const ending = strchr(names[i], '.') ? "" : ".yaml";
        snprintf(path, sizeof path, LEVY_SOURCE_DIR "/configs/%s%s", names[i], ending);
        FILE *file = fopen(path, "rb");
        assert_non_null(file);
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
        levy("example", names[i], NULL);
        assert_int_equal(run.code, 0);
        assert_string_equal(run.out, text);
    }
    levy("example", "smile/autocall", NULL);
    assert_has(run.err, "hint: levy example smile/quotes.csv > quotes.csv\n");
    levy("example", "phoenix", NULL); /* without its folder */
    assert_int_equal(run.code, 0);
    levy("example", "phenix", NULL);
    assert_usage_error(&run, "there is no example 'phenix'; did you mean 'phoenix'?");
    levy("example", "geometric_asain", NULL);
    assert_usage_error(&run, "did you mean 'geometric_asian'?");
}

/* ---- Options ---- */

static const char ways_book[] = LEVY_SOURCE_DIR "/configs/asian.yaml",
                  ways_other[] = LEVY_SOURCE_DIR "/configs/european.yaml";

static void test_paths_and_seed_are_settings(void **state)
{
    (void)state;
    static char first[4096];
    levy("price", ways_book, "--paths", "2^10", "--seed", "7", "--no-times", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "1024 paths of");
    assert_has(run.out, "seed 7");
    snprintf(first, sizeof first, "%.4095s", run.out);
    levy("price", ways_book, "-s", "simulation.paths=2^10", "-s", "simulation.seed=7", "--no-times",
         NULL);
    assert_string_equal(run.out, first);
    levy("explain", ways_book, "--paths", "2^10", NULL);
    assert_int_equal(run.code, 0);
    levy("validate", ways_book, "--paths", "many", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "--paths: error: simulation.paths: expected a count; got 'many'");
    levy("price", ways_book, "--set", "paths=2^10", NULL);
    assert_has(run.err, "paths: unknown setting; did you mean 'simulation.paths'?");
}

/* The price of the only trade of the last output, which is JSON. */
static double ways_price(void)
{
    const char *const price = strstr(run.out, "\"price\": ");
    assert_non_null(price);
    return strtod(price + strlen("\"price\": "), NULL);
}

static void test_a_quote_is_set_by_name(void **state)
{
    (void)state;
    static char text[8192];
    FILE *const file = fopen(ways_book, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *const spot = strstr(text, "spot: 100,");
    assert_non_null(spot);
    memcpy(spot, "spot: 104,", 10);
    ways_write("moved.yaml", text);
    levy("price", path_of("moved.yaml"), "--paths", "2^10", "--json", NULL);
    const double moved = ways_price();
    levy("price", ways_book, "--paths", "2^10", "--json", "--set", "STOCK.spot=104", NULL);
    assert_true(ways_price() == moved);
    levy("price", ways_book, "--set", "STOK.spot=104", NULL);
    assert_usage_error(&run, "the market has no factor 'STOK.spot'; did you mean 'STOCK.spot'?");
    assert_usage_error(
        &run, "CURVE.rate, NAME.v0, NAME.theta, NAME.kappa, NAME.xi, NAME.rho, "
              "MODEL.intensity, NAME,NAME.correlation; a setting begins with simulation, as "
              "simulation.bumps.spot");
    levy("price", ways_book, "--set", "STOCK.spot=-1", NULL);
    assert_usage_error(&run, "--set: error: STOCK.spot: must lie in (0, ");
    levy("price", ways_book, "--set", "STOCK.spot=1O4", NULL);
    assert_usage_error(&run, "--set STOCK.spot takes a number; got '1O4'");
    levy("price", ways_book, "--set", "market.assets.STOCK.spot=104", NULL);
    assert_usage_error(&run, "hint: Write --set STOCK.spot=104");
}

#define WAYS_TERM LEVY_SOURCE_DIR "/configs/volatility_term.yaml"
#define WAYS_FACTORS LEVY_SOURCE_DIR "/tests/books/factors.yaml"

/* The same words are a level of a flat quote. */
static void test_a_shift_of_a_term_structure_is_told(void **state)
{
    static const char told[] =
        "--set FALLING.volatility: it is a term structure, so 0.01 is added to each node\n";
    (void)state;
    levy("price", WAYS_TERM, "--paths", "2^6", "--set", "FALLING.volatility=0.01", "--set",
         "STEADY.volatility=0.3", "--set", "RISING.volatility=0", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.err, told);
    assert_false(strstr(run.err, "--set STEADY") || strstr(run.err, "--set RISING"));
    levy("price", WAYS_TERM, "--paths", "2^6", "--set", "FALLING.volatility=0.01", "-q", NULL);
    assert_string_equal(run.err, "");
    levy("price", WAYS_TERM, "--paths", "2^6", "--set", "FALLING.volatility=0.01", "--strict",
         NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, told);
    assert_string_equal(run.out, "");
    levy("plot", WAYS_TERM, "--what", "profile", "--factor", "FALLING.volatility", "--steps", "2",
         "--paths", "2^6", NULL);
    assert_has(run.out, ">FALLING.volatility, added to each node<");
    levy("plot", WAYS_TERM, "--what", "profile", "--factor", "STEADY.volatility", "--steps", "2",
         "--paths", "2^6", NULL);
    assert_has(run.out, ">STEADY.volatility<");
    levy("plot", WAYS_FACTORS, "--what", "profile", "--factor", "A.dividends", "--steps", "2",
         "--paths", "2^6", NULL);
    assert_has(run.out, ">A.dividends, each times 1 + this<");
    levy("plot", WAYS_FACTORS, "--what", "profile", "--factor", "EUR.rate[2027-11-19]", "--steps",
         "2", "--paths", "2^6", NULL);
    assert_has(run.out, ">EUR.rate[2027-11-19], a rate added<");
    levy("plot", WAYS_FACTORS, "--what", "profile", "--factor", "B,A.correlation", "--steps", "2",
         "--paths", "2^6", NULL);
    assert_has(run.out, ">A,B.correlation<");
}

/* Each message has the next step. */
static void test_messages_lead_on(void **state)
{
    (void)state;
    levy("price", WAYS_ASIAN, WAYS_EUROPEAN, NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "--each takes every file as a book of its own.");
    levy("new", "sabr", NULL);
    assert_int_equal(run.code, 2);
    assert_has(run.err, "'sabr' is not priced yet");
    assert_false(strstr(run.err, "merton"));
    levy("example", "net", NULL);
    assert_has(run.err, "mkdir -p nets && levy example nets/niederreiter.txt > nets/");
    levy("example", "net", "-q", NULL);
    assert_string_equal(run.err, "");
    levy("price", WAYS_TERM, "--paths", "2^6", "--format", "csv", "--columns", "id,delta", NULL);
    assert_has(run.err, "hint: ask for it: --measures price,delta\n");
    ways_write("empty.csv", "");
    levy("price", path_of("empty.csv"), "--market", WAYS_ASIAN, NULL);
    assert_has(run.err, "`levy new csv` prints a file to start from.");
    ways_write("words.csv", "id,type,barrier,strike,exercise.maturity\n");
    levy("price", path_of("words.csv"), "--market", WAYS_ASIAN, NULL);
    assert_has(run.err, "such as payoff.option_type, or payoff.kind for european");
    assert_has(run.err, "did you mean 'payoff.barrier.level'?");
    assert_has(run.err, "did you mean 'payoff.strike'?");
    assert_has(run.err, "did you mean 'exercise.expiry'?");
}

static void test_each_file_is_a_book(void **state)
{
    (void)state;
    ways_write("bad.yaml", "schema_version: 1\n");
    levy("price", ways_book, ways_other, "--each", "--paths", "2^10", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "configs/asian.yaml\nlevy 0");
    assert_has(run.out, "\n\n== ");
    levy("price", ways_book, path_of("bad.yaml"), ways_other, "--each", "--paths", "2^10", "-f",
         "jsonl", NULL);
    assert_int_equal(run.code, 3); /* the highest, and the others are priced */
    assert_has(run.err, "levy: 1 of 3 files have an exit code above 0; the highest is 3");
    assert_has(run.out, "{\"file\": \"" LEVY_SOURCE_DIR
                        "/configs/asian.yaml\", \"record\": \"trade\", \"id\": ");
    assert_has(run.out, "\n{\"file\": \"" LEVY_SOURCE_DIR
                        "/configs/european.yaml\", \"record\": \"trade\", \"id\": ");
    assert_has(run.out,
               "\n{\"file\": \"" LEVY_SOURCE_DIR "/configs/european.yaml\", \"record\": \"run\", ");
    levy("price", ways_book, ways_other, "--each", "--paths", "2^10", "-f", "csv", "--measures",
         "price", NULL);
    assert_true(strncmp(run.out, "file,id,payoff,", 15) == 0);
    assert_null(strstr(run.out + 1, "file,id,payoff,")); /* one header */
    assert_has(run.out, "\n" LEVY_SOURCE_DIR "/configs/european.yaml,put-sold,european,");
    levy("price", ways_book, ways_other, "--each", "--paths", "2^10", "--json", NULL);
    assert_true(strncmp(run.out, "[{\"file\": ", 10) == 0);
    assert_has(run.out, "},\n{\"file\": ");
    assert_string_equal(run.out + strlen(run.out) - 4, "]}]\n");
    levy("validate", LEVY_SOURCE_DIR "/configs/payoffs", "--each", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "/configs/payoffs/accumulator.yaml: valid: 1 trade\n");
    assert_has(run.out, "/configs/payoffs/volatility_swap.yaml: valid: 1 trade\n");
    levy("explain", ways_book, ways_other, "--each", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "\n== " LEVY_SOURCE_DIR "/configs/european.yaml\n");
}

/* Sums and chosen columns are of each book; a header comes again where the columns differ. */
static void test_each_has_sums_and_columns(void **state)
{
    (void)state;
    levy("price", ways_book, ways_other, "--each", "--paths", "2^10", "-f", "csv", "--columns",
         "status,currency", NULL);
    assert_string_equal(run.out, "file,status,currency\r\n" WAYS_ASIAN ",ok,USD\r\n" WAYS_EUROPEAN
                                 ",ok,USD\r\n" WAYS_EUROPEAN ",ok,USD\r\n");
    levy("price", ways_book, ways_other, "--each", "--sums", path_of("x.csv"), NULL);
    assert_usage_error(&run, "--sums is of one book; it does not go with --each");
    levy("price", ways_book, ways_other, ways_book, "--each", "--paths", "2^10", "-f", "csv",
         "--columns", "id,delta", NULL);
    assert_int_equal(run.code, 0);
    assert_true(strncmp(run.out, "file,id,delta", 13) == 0);
    levy("price", ways_book, LEVY_SOURCE_DIR "/configs/book.yaml", "--each", "--paths", "2^10",
         "-f", "csv", "--columns", "id,delta", NULL);
    assert_has(run.out, "file,id,delta\r\n" WAYS_ASIAN ",asian-arithmetic,\r\nfile,id,delta:NORTH");
    levy("price", ways_book, ways_other, "--each", "--paths", "2^10", "-f", "json", "--by",
         "payoff", NULL);
    assert_has(run.out, "\"key\": \"payoff\", \"label\": \"european\"");
    levy("price", ways_book, "-f", "csv", "--columns", "tags.desk,delta:XX.spot,gamma,price",
         "--paths", "2^10", "--measures", "price,delta", NULL);
    assert_int_equal(run.code, 0);
    assert_true(strncmp(run.out, "tags.desk,delta:XX.spot,gamma,price\r\n,,,", 40) == 0);
    assert_has(run.err, "levy: warning: --columns: no result has 'tags.desk'; its column is empty");
    assert_has(run.err,
               "no result has 'delta:XX.spot'; its column is empty\nhint: it must be among "
               "--measures; `--columns delta` has the columns of all its factors\n");
    assert_has(run.err, "no result has 'gamma'; its column is empty");
    assert_null(strstr(run.err, "'price'"));
    levy("price", ways_book, "-f", "csv", "--columns", "id,counterparty,delta", "--paths", "2^10",
         "--measures", "price,delta", NULL);
    assert_string_equal(run.err, "");
    levy("price", ways_book, "-f", "csv", "--columns", "id,gamma", "--paths", "2^10", "-q", NULL);
    assert_string_equal(run.err, "");
    levy("price", ways_book, "--each", "-f", "csv", "--columns", "id,nope", NULL);
    assert_usage_error(&run, "there is no column 'nope'");
    levy("price", ways_book, "--each", "-f", "json", "--wide", NULL);
    assert_usage_error(&run, "--wide is for csv and npy");
    levy("price", ways_book, "--each", "-o", path_of("x.npy"), NULL);
    assert_usage_error(&run, "an array of npy is of one book");
    assert_int_not_equal(access(path_of("x.npy"), F_OK), 0);
}

#define WAYS_LONG "AN_ASSET_WHOSE_NAME_IS_NEARLY_AS_LONG_AS_A_LINE_OF_THE_BOOK_"
enum { WAYS_ASSETS = 60 };

/* A wide report of many assets has a header of many kilobytes. */
static void test_each_has_headers_of_any_length(void **state)
{
    static char text[1 << 16];
    size_t n = 0;
    (void)state;
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "schema_version: 1\nvaluation_date: 2026-01-02\nmarket:\n"
                          "  curves: {USD: 0.02}\n  assets:\n");
    for (int i = 0; i < WAYS_ASSETS; ++i)
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "    " WAYS_LONG "%02d: {currency: USD, spot: 100, volatility: 0.2}\n", i);
    n += (size_t)snprintf(text + n, sizeof text - n, "measures: [price, delta]\nmodels:\n");
    for (int i = 0; i < WAYS_ASSETS; ++i)
        n +=
            (size_t)snprintf(text + n, sizeof text - n,
                             "  m%02d: {kind: black_scholes, assets: [" WAYS_LONG "%02d]}\n", i, i);
    n += (size_t)snprintf(text + n, sizeof text - n, "trades:\n");
    for (int i = 0; i < WAYS_ASSETS; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "  - {id: t%02d, model: m%02d, underlying: " WAYS_LONG
                              "%02d, payoff: {kind: european, option_type: call, strike: 100}, "
                              "exercise: 2027-01-02}\n",
                              i, i, i);
    ways_write("wide.yaml", text);
    levy("price", path_of("wide.yaml"), "--each", "--paths", "2^5", "-f", "csv", "--wide", NULL);
    assert_int_equal(run.code, 0);
    const char *const end = strstr(run.out, "\r\n");
    assert_non_null(end);
    assert_true(end - run.out > 9000);
    assert_has(run.out, ",delta:" WAYS_LONG "59.spot,");
    assert_has(end, ",t59,ok,");
}

static void test_each_replaces_no_input(void **state)
{
    (void)state;
    ways_write("one.yaml", "schema_version: 1\n");
    levy("new", "european", NULL);
    ways_write("two.yaml", run.out);
    levy("price", path_of("two.yaml"), "--each", "-o", path_of("two.yaml"), "-f", "json", NULL);
    assert_usage_error(&run, "--output would replace the input");
    levy("validate", path_of("two.yaml"), NULL);
    assert_int_equal(run.code, 0); /* it is as it was */
    levy("price", path_of("two.yaml"), "--each", "--journal", path_of("journal"), NULL);
    assert_usage_error(&run, "--journal is of one book");
    levy("price", path_of("two.yaml"), "--each", "-o", path_of("page.html"), NULL);
    assert_usage_error(&run, "a page is of one book");
}

/* ---- Help ---- */

static void test_help_knows_topics(void **state)
{
    (void)state;
    static char described[65536];
    levy("describe", "fixings", NULL);
    assert_int_equal(run.code, 0);
    snprintf(described, sizeof described, "%.65535s", run.out);
    levy("help", "fixings", NULL);
    assert_int_equal(run.code, 0);
    assert_string_equal(run.out, described);
    levy("help", "price", NULL); /* a command first */
    assert_has(run.out, "Usage:   levy price");
    levy("help", "fixngs", NULL);
    assert_usage_error(&run, "there is no command or topic 'fixngs'");
    levy("describe", "regimee", NULL);
    assert_usage_error(&run, "did you mean 'regime'?");
    levy("price", ways_book, "-m", "Delta", NULL);
    assert_has(run.err, "unknown value 'Delta'; did you mean 'delta'?");
    levy("price", ways_book, "-m", "greeks", NULL);
    assert_has(run.err, "hint: Write delta, gamma, vega, rho, theta.");
}

/* ---- Trades of a CSV file ---- */

static void test_a_market_with_trades_of_its_own(void **state)
{
    (void)state;
    levy("new", "european", NULL);
    ways_write("whole.yaml", run.out);
    ways_write("one.csv", "id,underlying,payoff.kind,payoff.option_type,payoff.strike,"
                          "exercise.expiry\nmine,STOCK,european,call,100,1\n");
    levy("price", path_of("one.csv"), "--market", path_of("whole.yaml"), "--paths", "2^10", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "2 trades: 2 priced");
    assert_has(run.err, "levy: warning: --market ");
    assert_has(run.err, "whole.yaml has 1 trade of its own, in the book with the others\nhint: ");
    levy("validate", path_of("one.csv"), "--market", path_of("whole.yaml"), "--strict", NULL);
    assert_int_equal(run.code, 3);
}

static void test_trades_of_a_csv_file(void **state)
{
    (void)state;
    levy("new", "market", NULL);
    ways_write("market.yaml", run.out);
    levy("new", "csv", NULL);
    ways_write("trades.csv", run.out);
    levy("price", path_of("trades.csv"), "--market", path_of("market.yaml"), "--paths", "2^10",
         NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "3 trades: 3 priced");
    assert_string_equal(run.err, "");
    levy("price", path_of("trades.csv"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "trades.csv:1:1: error: the trades have no market");
    assert_has(run.err, "trades.csv --market market.yaml. `levy new market` prints a market.");
    assert_null(strstr(run.err, "valuation_date")); /* which is the market's to give */
    run.input = "id,underlying,payoff.kind\ncall,STOCK,european\n";
    levy("price", "-", NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "ends in .csv: levy price trades.csv --market market.yaml.");
}

/* A fault of a row is the only one: that no trade is left is none. */
static void test_faulty_rows_of_a_csv_file(void **state)
{
    (void)state;
    static const char columns[] = "id,underlying,payoff.kind,payoff.option_type,payoff.strike";
    char text[512];
    levy("new", "market", NULL);
    ways_write("market.yaml", run.out);
    snprintf(text, sizeof text, "%s,exercise.expiry\na,STOCK,european,call\n", columns);
    ways_write("row.csv", text);
    levy("validate", path_of("row.csv"), "--market", path_of("market.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "row.csv:2:1: error: the row has 4 cells; the first row has 6");
    assert_null(strstr(run.err, "must not be empty"));
    snprintf(text, sizeof text, "%s,payoff.strike\na,STOCK,european,call,100,100\n", columns);
    ways_write("twice.csv", text);
    levy("validate", path_of("twice.csv"), "--market", path_of("market.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "twice.csv:1:60: error: payoff.strike: is given by the column");
    assert_null(strstr(run.err, "nothing to price"));
    snprintf(text, sizeof text, "%s,exercise.expiry\na,STOCK,european,call,100,2027-11-19\n",
             columns);
    ways_write("dates.csv", text);
    levy("validate", path_of("dates.csv"), "--market", path_of("market.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "hint: Add valuation_date at the top of ");
    assert_has(run.err, "market.yaml, or write every time as a number of years.");
}

static void test_plots_take_the_same_ways(void **state)
{
    (void)state;
    levy("new", "market", NULL);
    ways_write("market.yaml", run.out);
    levy("new", "csv", NULL);
    ways_write("trades.csv", run.out);
    levy("plot", path_of("trades.csv"), "--market", path_of("market.yaml"), "--what", "errors",
         "--paths", "2^10", "--seed", "7", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, ">worst_of<");
    levy("plot", path_of("trades.csv"), "--market", path_of("market.yaml"), "--what", "profile",
         "--trade", "european", "--paths", "2^10", "--set", "STOCK.spot=123", NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "today: 123.000");
}

/* The data of a market alone, which books refer to, and a name with quotes in it. */
static void test_a_market_without_models(void **state)
{
    (void)state;
    levy("new", "csv", NULL);
    ways_write("trades.csv", run.out);
    ways_write("m'arket.yaml", "curves: {USD: 0.05}\nassets: {STOCK: {currency: USD, spot: 100, "
                               "volatility: 0.2}}\n");
    levy("validate", path_of("trades.csv"), "--market", path_of("m'arket.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "trades.csv:2:1: error: trades[0]: the book defines no model");
    assert_has(run.err, "hint: Add models: {equity: {kind: black_scholes, assets: [STOCK]}}.");
    ways_write("models.yaml", "schema_version: 1\n"
                              "models: {equity: {kind: black_scholes, assets: [STOCK]}}\n");
    levy("price", path_of("trades.csv"), path_of("models.yaml"), "--market",
         path_of("m'arket.yaml"), "--paths", "2^10", NULL);
    assert_int_equal(run.code, 1); /* the worst-of is on another asset */
    assert_has(run.out, "3 trades: 2 priced, 1 failed");
    assert_has(run.err, "trades.csv:4:");
    assert_has(run.err, "error: trades[2].underlyings[1]");
    levy("validate", path_of("trades.csv"), "--market", path_of("none.yaml"), NULL);
    assert_int_equal(run.code, 3);
    assert_has(run.err, "none.yaml: error: cannot open the file: No such file or directory");
}

/* JSON is YAML. */
static void test_a_book_in_json(void **state)
{
    (void)state;
    ways_write("book.json",
               "{\"schema_version\": 1,\n"
               " \"market\": {\"curves\": {\"USD\": 0.05}, \"assets\": {\"STOCK\": {\"currency\": "
               "\"USD\", \"spot\": 100, \"volatility\": 0.2}}},\n"
               " \"models\": {\"m\": {\"kind\": \"black_scholes\", \"assets\": [\"STOCK\"]}},\n"
               " \"trades\": [{\"id\": \"call\", \"underlying\": \"STOCK\", \"payoff\": {\"kind\": "
               "\"european\", \"option_type\": \"call\", \"strike\": 100}, \"exercise\": 1.0}],\n"
               " \"simulation\": {\"paths\": \"2^10\"}}\n");
    levy("price", path_of("book.json"), NULL);
    assert_int_equal(run.code, 0);
    assert_has(run.out, "1024 paths of");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_every_kind_has_a_file_that_prices, clear_run),
        cmocka_unit_test_setup(test_an_unknown_kind_gets_the_nearest, clear_run),
        cmocka_unit_test_setup(test_other_words_for_kinds_lead_to_them, clear_run),
        cmocka_unit_test_setup(test_the_file_says_what_its_keys_mean, clear_run),
        cmocka_unit_test_setup(test_examples_are_the_files_of_configs, clear_run),
        cmocka_unit_test_setup(test_paths_and_seed_are_settings, clear_run),
        cmocka_unit_test_setup(test_a_quote_is_set_by_name, clear_run),
        cmocka_unit_test_setup(test_a_shift_of_a_term_structure_is_told, clear_run),
        cmocka_unit_test_setup(test_messages_lead_on, clear_run),
        cmocka_unit_test_setup(test_each_file_is_a_book, clear_run),
        cmocka_unit_test_setup(test_each_has_sums_and_columns, clear_run),
        cmocka_unit_test_setup(test_each_has_headers_of_any_length, clear_run),
        cmocka_unit_test_setup(test_each_replaces_no_input, clear_run),
        cmocka_unit_test_setup(test_help_knows_topics, clear_run),
        cmocka_unit_test_setup(test_trades_of_a_csv_file, clear_run),
        cmocka_unit_test_setup(test_faulty_rows_of_a_csv_file, clear_run),
        cmocka_unit_test_setup(test_a_market_with_trades_of_its_own, clear_run),
        cmocka_unit_test_setup(test_plots_take_the_same_ways, clear_run),
        cmocka_unit_test_setup(test_a_market_without_models, clear_run),
        cmocka_unit_test_setup(test_a_book_in_json, clear_run),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
