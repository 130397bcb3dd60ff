/* bench_write.c: the rows of a run as a table for eyes, or as JSON whose objects have a fixed set
 * of keys. */
#include "bench/harness/bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void __attribute__((format(printf, 2, 3)))
write_text(cli_output *output, const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0)
        (void)cli_output_write(output, text,
                               (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static void write_json_text(cli_output *output, const char *text)
{
    (void)cli_output_write(output, "\"", 1);
    for (; *text; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            write_text(output, "\\%c", c);
        else if (c < ' ' || c == 127)
            write_text(output, "\\u%04x", (unsigned)c);
        else
            (void)cli_output_write(output, text, 1);
    }
    (void)cli_output_write(output, "\"", 1);
}

/* How to measure this row again. */
static void write_command(const bench_run *run, const bench_result *result, bool peers,
                          cli_output *output)
{
    char command[6144], threads[32] = "", isa[64] = "", paths[64] = "", folder[4200] = "";
    const cli_options *options = run->options;
    if (options->isa && strcmp(options->isa, "auto") != 0)
        snprintf(isa, sizeof isa, " --isa %s", options->isa);
    if (options->paths) snprintf(paths, sizeof paths, " --paths %s", options->paths);
    if (peers && options->peers) snprintf(folder, sizeof folder, " --peers %s", options->peers);
    if (options->threads && !result->entry->one_core)
        snprintf(threads, sizeof threads, " --threads %u", (unsigned)options->threads);
    snprintf(command, sizeof command, "levy bench --only %s --device %s%s%s%s%s",
             result->entry->name, result->entry->one_core ? "cpu" : run->device, isa, threads,
             paths, folder);
    write_json_text(output, command);
}

/* One more member of a row's object. */
static void write_milliseconds(cli_output *output, const char *name, double seconds)
{
    if (isnan(seconds))
        write_text(output, ", \"%s\": null", name);
    else
        write_text(output, ", \"%s\": %.6g", name, 1e3 * seconds);
}

void bench_write_json(const bench_run *run, cli_output *output)
{
    write_text(output, "[");
    for (size_t i = 0; i < run->n_pairs; ++i) {
        const bench_pair *pair = &run->pairs[i];
        const bench_result *result = &run->results[pair->result];
        write_text(output, "%s\n {\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"peer\": ",
                   i ? "," : "", result->entry->name, result->value, result->entry->unit);
        if (pair->peer[0]) {
            write_json_text(output, pair->peer);
            write_text(output, ", \"peer_value\": %.6g, \"ratio\": %.4g", pair->value,
                       result->value / pair->value);
        } else
            write_text(output, "null, \"peer_value\": null, \"ratio\": null");
        write_text(output, ",\n  \"device\": ");
        write_json_text(output, result->device);
        write_text(output, ", \"date\": \"%s\",\n  \"command\": ", run->date);
        write_command(run, result, pair->peer[0] != '\0', output);
        write_milliseconds(output, "kernel_ms", result->kernel);
        write_milliseconds(output, "wall_ms", result->wall);
        write_milliseconds(output, "cpu_ms", result->processors);
        write_text(output, "}");
    }
    bench_external_json(run, write_json_text, output);
    write_text(output, "%s]\n", run->n_pairs + run->n_external ? "\n" : "");
}

/* "740 G", "35.3 M", "0.12": three digits. */
static void write_scaled(char text[24], double value)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P"};
    size_t i = 0;
    while (value >= 999.5 && i + 1 < sizeof prefixes / sizeof *prefixes) {
        value /= 1000.0;
        i++;
    }
    if (value < 0.9995)
        snprintf(text, 24, "%.3g", value);
    else
        snprintf(text, 24, "%.*f%s", (value < 9.995) + (value < 99.95), value, prefixes[i]);
}

void bench_write_table(const bench_run *run, cli_output *output)
{
    const char *last = "";
    int width = 3;
    for (size_t i = 0; i < run->n_results; ++i)
        if ((int)strlen(run->results[i].entry->name) > width)
            width = (int)strlen(run->results[i].entry->name);
    for (size_t i = 0; i < run->n_pairs; ++i) {
        char value[24], peer[24], ratio[24], kernel[24] = "", wall[24] = "", cpu[24] = "";
        const bench_pair *pair = &run->pairs[i];
        const bench_result *result = &run->results[pair->result];
        if (strcmp(last, result->device) != 0)
            write_text(output,
                       "%slevy %s on %s, medians of %u, %s\n%-*s       value  unit           "
                       "spread  kernel ms    wall ms     cpu ms   peer\n",
                       i ? "\n" : "", levy_version(), result->device, run->repeats, run->date,
                       width, "row");
        last = result->device;
        write_scaled(value, result->value);
        if (!isnan(result->kernel)) snprintf(kernel, sizeof kernel, "%.4g", 1e3 * result->kernel);
        if (!isnan(result->wall)) snprintf(wall, sizeof wall, "%.4g", 1e3 * result->wall);
        if (!isnan(result->processors)) snprintf(cpu, sizeof cpu, "%.4g", 1e3 * result->processors);
        write_text(output, "%-*s  %10s  %-13s %6.1f %% %10s %10s %10s  ", width,
                   result->entry->name, value, result->entry->unit, 100.0 * result->spread, kernel,
                   wall, cpu);
        write_scaled(peer, pair->value);
        write_scaled(ratio, result->value / (pair->value > 0.0 ? pair->value : 1.0));
        if (pair->peer[0]) write_text(output, " %s %s: %s times", pair->peer, peer, ratio);
        write_text(output, "\n");
    }
    bench_external_table(run, output);
}
