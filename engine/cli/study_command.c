/* study_command.c: `levy converge`: a study on stdout or in a file, and on request every estimate
 * as CSV and the errors as a plot. Where they go is checked before the work starts, so that minutes
 * of it are not lost to a folder that is not there. */
#include "engine/cli/study_command.h"

#include "engine/cli/output.h"
#include "engine/cli/part.h"
#include "engine/cli/progress.h"

enum { STUDY_MAIN, STUDY_CSV, STUDY_SVG, STUDY_OUTPUTS };

/* Writes and commits all outputs, even if one fails. The first failure is the exit code. */
static int study_write(const cli_client *client, const levy_study *study)
{
    const cli_options *const options = client->options;
    const char *const names[STUDY_OUTPUTS] = {options->output, options->csv, options->svg};
    int formats[STUDY_OUTPUTS] = {LEVY_FORMAT_TABLE, LEVY_FORMAT_CSV, LEVY_FORMAT_SVG};
    int code = cli_output_format(options, &formats[STUDY_MAIN]);
    if (code) return code;
    for (int i = 0; i < STUDY_OUTPUTS; ++i) {
        if (i != STUDY_MAIN && !names[i]) continue;
        cli_output output;
        int own = cli_output_open(&output, names[i]);
        if (!own) {
            (void)levy_study_write(study, formats[i], cli_output_write, &output);
            own = cli_output_commit(&output);
        }
        if (!code) code = own;
    }
    return code ? code : cli_client_lacks(client);
}

static int study_start(cli_client *client, cli_study_kind kind, const levy_price_options *how,
                       const levy_merge_options *merge, levy_study **study)
{
    const cli_options *given = client->options;
    const levy_study_options options = {.struct_size = sizeof options,
                                        .methods = given->methods,
                                        .points = given->points,
                                        .fit = given->fit,
                                        .trade = given->trade,
                                        .replicates = given->replicates,
                                        .resamples = given->resamples,
                                        .seeds = given->coverage,
                                        .has_reference = given->has_reference,
                                        .reference = given->reference,
                                        .target_rmse = given->target_rmse,
                                        .measures = given->measures,
                                        .steps = given->steps,
                                        .merge = merge};
    const levy_profile_options profile = {.struct_size = sizeof profile,
                                          .factor = given->factor,
                                          .trade = given->trade,
                                          .low = given->low,
                                          .high = given->high,
                                          .points = given->values};
    if (kind == CLI_PROFILE) return levy_profile(client->book, &profile, how, study);
    if (kind == CLI_COVERAGE) return levy_coverage(client->book, &options, how, study);
    return levy_converge(client->book, &options, how, study);
}

int cli_study_run(cli_client *client, cli_study_kind kind, levy_study **study)
{
    cli_progress_state progress;
    levy_price_options how = cli_client_price_options(client->options);
    *study = NULL;
    how.no_times = client->options->no_times;
    cli_progress_start(&progress, client->options, &how);
    const int status = study_start(client, kind, &how, NULL, study);
    cli_progress_clear(&progress);
    if (!*study) return cli_client_failed(client, status);
    cli_client_report(client);
    return cli_client_strict(client);
}

static cli_study_kind study_kind(const cli_options *options)
{
    return options->coverage ? CLI_COVERAGE : CLI_CONVERGENCE;
}

int cli_study_part(cli_client *client, const levy_price_options *how)
{
    levy_study *none = NULL;
    return study_start(client, study_kind(client->options), how, NULL, &none);
}

int cli_study_merge(cli_client *client, const char *const *paths, size_t n)
{
    levy_study *study = NULL;
    const levy_price_options how = cli_client_price_options(client->options);
    const levy_merge_options merge = {.struct_size = sizeof merge, .paths = paths, .n_paths = n};
    const int status = study_start(client, study_kind(client->options), &how, &merge, &study);
    if (!study) return cli_client_failed(client, status);
    cli_client_report(client);
    int code = cli_client_strict(client);
    if (!code) code = study_write(client, study);
    levy_study_destroy(study);
    return code;
}

int cli_study_check(const cli_options *options)
{
    if (options->format == LEVY_FORMAT_JSONL || options->format == LEVY_FORMAT_NPY)
        return cli_usage_error("a study is written as table, csv or json");
    if (options->coverage && (options->fit || options->steps))
        return cli_usage_error("--%s is for convergence, not for coverage",
                               options->fit ? "fit" : "steps");
    int format;
    return cli_output_format(options, &format);
}

int cli_converge(const cli_options *options)
{
    cli_client client;
    int code = cli_study_check(options);
    if (code) return code;
    if (options->parts || options->part_env) return cli_part(options);
    if (options->journal)
        return cli_usage_error("--journal goes with --part\nhint: --part 1/1 keeps all of a study");
    code = cli_client_open(&client, options);
    if (!code) code = cli_client_load(&client, options->operands, options->n_operands);
    if (!code) code = cli_outputs_check(options);
    levy_study *study = NULL;
    if (!code) code = cli_study_run(&client, study_kind(options), &study);
    if (!code) code = study_write(&client, study);
    levy_study_destroy(study);
    cli_client_close(&client);
    return code;
}
