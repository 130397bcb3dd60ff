/* plot.c: `levy plot`: a picture of results or of a study, as SVG, and on request a study's numbers
 * as CSV. It prices or studies by the same options as `levy price` and `levy converge`. */
#include "engine/cli/output.h"
#include "engine/cli/progress.h"
#include "engine/cli/study_command.h"

#include <stdlib.h>
#include <string.h>

/* [LEVY_PLOT_]: what it takes, and what to do where there is nothing to draw. */
static const struct plot_kind {
    const char *measures; /* priced unless --measures says otherwise; NULL: the book's */
    const char *nothing, *hint;
} plot_kinds[] = {
    [LEVY_PLOT_ERRORS] = {NULL, "no trade has a price", "`levy price` says why"},
    [LEVY_PLOT_LADDER] = {"price,vega_by_node,rho_by_node", "no trade has a vega or a rho by node",
                          "leave --measures out, or name vega_by_node or rho_by_node"},
    [LEVY_PLOT_GRID] = {NULL, "no trade has a scenario's profit or loss",
                        "give the book scenarios: `levy describe scenario`"},
    [LEVY_PLOT_CONVERGENCE] = {NULL, "", ""},
    [LEVY_PLOT_COST] = {NULL, "", ""},
    [LEVY_PLOT_PROFILE] = {"price,delta,gamma,vega", "", ""},
    [LEVY_PLOT_BOUNDARY] = {"price,boundary", "no trade is exercised early at one level by date",
                            "leave --measures out, or name boundary"}};

static bool plot_is_of_results(const cli_options *options)
{
    return options->what < LEVY_PLOT_CONVERGENCE || options->what == LEVY_PLOT_BOUNDARY;
}

static bool plot_is_study(const cli_options *options)
{
    return !plot_is_of_results(options) || options->coverage;
}

/* What is drawn: results, or a study. */
typedef struct plot_job {
    const cli_options *options;
    const levy_results *results;
    const levy_study *study;
} plot_job;

static int plot_put(const plot_job *job, bool data, cli_output *output)
{
    const int what = job->options->what;
    if (data) return levy_study_write(job->study, LEVY_FORMAT_CSV, cli_output_write, output);
    if (job->study) return levy_study_plot(job->study, what, cli_output_write, output);
    return levy_results_plot(job->results, what, job->options->trade, cli_output_write, output);
}

/* Opens the output, draws or writes the numbers, and commits it. -1: there is nothing to draw. */
static int plot_write(const plot_job *job, const char *path, bool data)
{
    cli_output output;
    const int code = cli_output_open(&output, path);
    if (code) return code;
    const int status = plot_put(job, data, &output);
    if (status == LEVY_STATUS_OK || status == LEVY_STATUS_IO) return cli_output_commit(&output);
    cli_output_abandon(&output);
    return -1;
}

/* ---- Plots of studies ---- */

static int plot_study(cli_client *client)
{
    const cli_options *const options = client->options;
    levy_study *study = NULL;
    cli_study_kind kind = options->what == LEVY_PLOT_PROFILE ? CLI_PROFILE : CLI_CONVERGENCE;
    if (options->what == LEVY_PLOT_ERRORS) kind = CLI_COVERAGE;
    int code = cli_study_run(client, kind, &study);
    const plot_job job = {.options = options, .study = study};
    if (!code) code = plot_write(&job, options->output, false);
    if (!code && options->csv) code = plot_write(&job, options->csv, true);
    levy_study_destroy(study);
    return code;
}

/* ---- Plots of results ---- */

static int plot_unknown_trade(const cli_options *options, const levy_results *results)
{
    const size_t n = levy_results_size(results);
    const char **const ids = calloc(n + 1, sizeof *ids);
    char meant[CLI_MEANT_SIZE] = "";
    size_t used = 0;
    for (size_t i = 0; ids && i < n; ++i) {
        const char *const id = levy_results_trade(results, i)->id;
        if (id) ids[used++] = id;
    }
    const int code = cli_usage_error("the book has no trade '%s'%s", options->trade,
                                     ids ? cli_meant(options->trade, ids, meant) : "");
    free(ids);
    return code;
}

static bool plot_has_trade(const levy_results *results, const char *trade)
{
    for (size_t i = 0; i < levy_results_size(results); ++i) {
        const char *const id = levy_results_trade(results, i)->id;
        if (id && strcmp(id, trade) == 0) return true;
    }
    return false;
}

static int plot_draw(const cli_options *options, const levy_results *results)
{
    const plot_job job = {.options = options, .results = results};
    if (options->trade && !plot_has_trade(results, options->trade))
        return plot_unknown_trade(options, results);
    const int code = plot_write(&job, options->output, false);
    if (code >= 0) return code;
    cli_say("levy: %s\nhint: %s\n", plot_kinds[options->what].nothing,
            plot_kinds[options->what].hint);
    return CLI_EXIT_INPUT;
}

static int plot_results(cli_client *client)
{
    cli_progress_state progress;
    levy_results *results = NULL;
    levy_price_options how = cli_client_price_options(client->options);
    cli_progress_start(&progress, client->options, &how);
    const int status = levy_price(client->book, &how, &results);
    cli_progress_clear(&progress);
    if (!results || status == LEVY_STATUS_CANCELLED) {
        levy_results_destroy(results);
        return cli_client_failed(client, status);
    }
    cli_client_report(client);
    int code = cli_client_strict(client);
    if (!code) code = plot_draw(client->options, results);
    levy_results_destroy(results);
    return code;
}

/* ---- All ---- */

/* Options that only some plots look at are refused with the others. */
static int plot_check_use(const cli_options *options)
{
    enum { PROFILE = 1, STUDY = 2, COVERAGE = 4 };
    const struct {
        bool given;
        const char *name;
        int use;
    } all[] = {{options->factor != NULL, "factor", PROFILE},
               {options->low < options->high, "range", PROFILE},
               {options->steps != NULL, "steps", PROFILE | STUDY},
               {options->methods != NULL, "methods", STUDY | COVERAGE},
               {options->points != NULL, "points", STUDY | COVERAGE},
               {options->replicates > 0, "replicates", STUDY | COVERAGE},
               {options->has_reference, "reference", STUDY | COVERAGE},
               {options->fit != NULL, "fit", STUDY},
               {options->resamples > 0, "resamples", STUDY},
               {options->target_rmse != 0.0, "rmse", STUDY}};
    static const char *const with[] = {
        [PROFILE] = "profile",
        [STUDY] = "convergence or cost",
        [PROFILE | STUDY] = "profile, convergence or cost",
        [STUDY | COVERAGE] = "convergence or cost, or --what errors --coverage SEEDS"};
    static const char *const plots[] = {"errors", "ladder",  "grid",    "convergence",
                                        "cost",   "profile", "boundary"};
    int use = STUDY;
    if (options->what == LEVY_PLOT_PROFILE) use = PROFILE;
    if (plot_is_of_results(options)) use = options->coverage ? COVERAGE : 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        if (all[i].given && !(all[i].use & use))
            return cli_usage_error("--%s does nothing with --what %s%s\nhint: it goes with "
                                   "--what %s",
                                   all[i].name, plots[options->what],
                                   options->coverage ? " --coverage" : "", with[all[i].use]);
    return 0;
}

static int plot_check(const cli_options *options)
{
    int format;
    if (options->what < 0)
        return cli_usage_error(
            "`levy plot` needs --what: errors, ladder, grid, boundary, convergence, cost or "
            "profile\nhint: `levy help plot` explains it");
    if (options->coverage && options->what != LEVY_PLOT_ERRORS)
        return cli_usage_error("--coverage goes with --what errors");
    if (options->csv && !plot_is_study(options))
        return cli_usage_error("--csv is for the numbers of a study\nhint: `levy price FILE -o "
                               "results.csv` writes those of results");
    if (options->steps && options->what == LEVY_PLOT_PROFILE &&
        (options->values < 2 || options->values > 400))
        return cli_usage_error("--steps takes a number from 2 to 400; got '%s'", options->steps);
    if (options->measures && options->what == LEVY_PLOT_ERRORS)
        return cli_usage_error("--measures does nothing with --what errors, which shows prices\n"
                               "hint: it goes with --what profile, ladder, convergence or cost");
    if (options->paths &&
        (options->what == LEVY_PLOT_CONVERGENCE || options->what == LEVY_PLOT_COST))
        return cli_usage_error("--paths does nothing with --what %s, whose points are a range\n"
                               "hint: write --points, such as --points 2^6..2^12",
                               options->what == LEVY_PLOT_COST ? "cost" : "convergence");
    const int code = plot_check_use(options);
    return code ? code : cli_output_format(options, &format);
}

int cli_plot(const cli_options *options)
{
    cli_client client;
    int code = plot_check(options);
    if (code) return code;
    cli_options own = *options;
    if (!own.measures && plot_kinds[own.what].measures)
        own.settings[own.n_settings++] = (levy_setting){"measures", plot_kinds[own.what].measures};
    code = cli_client_open(&client, &own);
    if (!code) code = cli_client_load(&client, own.operands, own.n_operands);
    if (!code) code = cli_outputs_check(&own);
    if (!code) code = plot_is_study(&own) ? plot_study(&client) : plot_results(&client);
    if (!code) code = cli_client_lacks(&client);
    cli_client_close(&client);
    return code;
}
