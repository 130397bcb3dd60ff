/* inspect.c: the commands that price nothing: explain, describe, schema, devices,
 * kernels, completion. */
#include "engine/cli/completion.h"
#include "engine/cli/each.h"
#include "engine/cli/output.h"
#include "engine/cli/client.h"
#include "engine/cli/ranks.h"
#include "engine/cli/validate.h"

#include <stdlib.h>
#include <string.h>

/* What an explanation is written to: an output, or one of many reports. */
static int inspect_explain_book(cli_client *client, cli_output *output, cli_each *each)
{
    const levy_price_options how = cli_client_price_options(client->options);
    if (!each)
        return cli_client_finish(client, output,
                                 levy_book_explain(client->book, &how, cli_output_write, output));
    const int code = cli_each_begin(each, LEVY_FORMAT_TABLE);
    const int status =
        code ? LEVY_STATUS_OK : levy_book_explain(client->book, &how, cli_each_write, each);
    const bool failed =
        status != LEVY_STATUS_OK && !each->output.error && !each->output.closed_pipe;
    return failed ? cli_client_failed(client, status) : code;
}

static int inspect_explain(const cli_options *options, char *const *files, size_t n, cli_each *each)
{
    cli_client client;
    cli_output output;
    int code = cli_client_open(&client, options);
    if (!code) code = cli_client_load(&client, files, n);
    if (!code && !each) code = cli_output_open(&output, options->output);
    if (!code) code = inspect_explain_book(&client, &output, each);
    if (!code) code = cli_client_lacks(&client);
    cli_client_close(&client);
    return code;
}

int cli_explain(const cli_options *options)
{
    int format;
    const int code = cli_output_format(options, &format);
    return code ? code : cli_each_run(options, inspect_explain);
}

/* `levy help WORD` comes here with a word that is no command. */
static int inspect_no_topic(cli_client *client, const char *topic)
{
    const bool help = client->options->command == CLI_HELP;
    cli_words topics;
    char meant[CLI_MEANT_SIZE];
    cli_words_read_of(&topics, client->context, levy_context_describe);
    const char *phrase = cli_meant(topic, topics.words, meant);
    for (int i = 0; help && !*phrase && i < CLI_COMMANDS; ++i) {
        const char *const command[] = {cli_command_name(i), NULL};
        phrase = cli_meant(topic, command, meant);
    }
    if (help)
        return cli_usage_error("there is no command or topic '%s'%s\nhint: `levy help` lists the "
                               "commands, `levy describe` the topics",
                               topic, phrase);
    return cli_usage_error("there is no topic '%s'%s\nhint: `levy describe` lists the topics; "
                           "--kinds FILE brings kinds of your own",
                           topic, phrase);
}

static int inspect_describe(cli_client *client, cli_output *output)
{
    return cli_client_say(client, output, levy_context_describe, inspect_no_topic);
}

int cli_describe(const cli_options *options)
{
    return cli_client_print(options, NULL, inspect_describe);
}

static const char *const inspect_schemas[] = {"input", "kind",        "report",
                                              "line",  "diagnostics", NULL};

static int inspect_schema(cli_client *client, cli_output *output)
{
    const char *const kind =
        client->options->n_operands ? client->options->operands[0] : inspect_schemas[0];
    int status;
    if (strcmp(kind, "diagnostics") == 0)
        status = cli_validate_schema(cli_output_write, output);
    else if (strcmp(kind, "report") == 0 || strcmp(kind, "line") == 0)
        status = levy_report_schema(kind[0] == 'r' ? LEVY_FORMAT_JSON : LEVY_FORMAT_JSONL,
                                    cli_output_write, output);
    else
        status = levy_context_schema(client->context, kind, cli_output_write, output);
    return cli_client_finish(client, output, status);
}

int cli_schema(const cli_options *options)
{
    const char *const kind = options->n_operands ? options->operands[0] : inspect_schemas[0];
    char meant[CLI_MEANT_SIZE];
    int format, which = 0;
    const int code = cli_output_format(options, &format);
    while (inspect_schemas[which] && strcmp(inspect_schemas[which], kind) != 0) ++which;
    if (!code && !inspect_schemas[which])
        return cli_usage_error(
            "`levy schema` prints that of input, kind, report, line or diagnostics; got '%s'%s",
            kind, cli_meant(kind, inspect_schemas, meant));
    return code ? code : cli_client_print(options, options->output, inspect_schema);
}

static int inspect_devices(cli_client *client, cli_output *output)
{
    const int format = client->options->format < 0 ? LEVY_FORMAT_TABLE : client->options->format;
    return cli_client_finish(client, output,
                             levy_devices_write(client->context, format, cli_output_write, output));
}

int cli_devices(const cli_options *options)
{
    return cli_client_print(options, NULL, inspect_devices);
}

/* Of the ranks of mpirun or srun those of one host share a cache, so that they share the work, and
 * every host has all kernels. */
static int kernels_part(const cli_options *options, uint32_t *part, uint32_t *parts)
{
    cli_ranks ranks;
    *part = options->part;
    *parts = options->parts;
    if (!options->part_env) return 0;
    const int code = cli_ranks_read(&ranks);
    if (code) return code;
    *part = ranks.host_size ? ranks.host_rank + 1 : ranks.rank + 1;
    *parts = ranks.host_size ? ranks.host_size : ranks.size;
    return 0;
}

/* Builds for each architecture of a list such as sm_80,sm_90. */
static int kernels_build_all(cli_client *client, const cli_options *options, uint32_t part,
                             uint32_t parts, cli_output *output)
{
    char *list = strdup(options->architectures), *rest = NULL;
    int status = list ? LEVY_STATUS_OK : LEVY_STATUS_MEMORY;
    for (char *name = list ? strtok_r(list, ",", &rest) : NULL; name && status == LEVY_STATUS_OK;
         name = strtok_r(NULL, ",", &rest))
        if (parts)
            status = levy_kernels_build_part(client->book, name, options->cache_dir, part, parts,
                                             cli_output_write, output);
        else
            status = levy_kernels_build(client->book, name, options->cache_dir, cli_output_write,
                                        output);
    free(list);
    return status;
}

static int kernels_build(cli_client *client, const cli_options *options, cli_output *output)
{
    if (!options->architectures)
        return cli_usage_error("`levy kernels build` needs --arch, such as --arch sm_90");
    if (options->n_operands < 2) return cli_usage_error("`levy kernels build` needs FILE...");
    uint32_t part, parts;
    int code = kernels_part(options, &part, &parts);
    if (!code) code = cli_client_load(client, options->operands + 1, options->n_operands - 1);
    if (code) return code;
    return cli_client_finish(client, output,
                             kernels_build_all(client, options, part, parts, output));
}

static int kernels_act(cli_client *client, cli_output *output)
{
    const cli_options *const options = client->options;
    static const char *const actions[] = {"build", "list", "clear", NULL};
    const char *action = options->operands[0];
    if (strcmp(action, "build") == 0) return kernels_build(client, options, output);
    if (strcmp(action, "list") != 0 && strcmp(action, "clear") != 0) {
        char meant[CLI_MEANT_SIZE];
        return cli_usage_error("`levy kernels` can build, list or clear; got '%s'%s", action,
                               cli_meant(action, actions, meant));
    }
    if (options->n_operands > 1)
        return cli_usage_error("`levy kernels %s` takes no more arguments", action);
    if (options->parts || options->part_env)
        return cli_usage_error("--part is for `levy kernels build`");
    int (*const act)(levy_context *, const char *, levy_writer, void *) =
        strcmp(action, "list") == 0 ? levy_kernels_list : levy_kernels_clear;
    return cli_client_finish(client, output,
                             act(client->context, options->cache_dir, cli_output_write, output));
}

int cli_kernels(const cli_options *options) { return cli_client_print(options, NULL, kernels_act); }

int cli_completion(const cli_options *options)
{
    static const char *const shells[] = {"bash", "zsh", "fish", NULL};
    cli_output output;
    const int code = cli_output_open(&output, NULL);
    if (code) return code;
    if (cli_completion_write(options->operands[0], cli_output_write, &output) >= 0)
        return cli_output_commit(&output);
    cli_output_abandon(&output);
    char meant[CLI_MEANT_SIZE];
    return cli_usage_error("`levy completion` supports bash, zsh and fish; got '%s'%s",
                           options->operands[0], cli_meant(options->operands[0], shells, meant));
}
