/* bench_external.c: rows that other programs measure, DIR/NAME/rows beside the peers: kernels that
 * stand alone, such as the bridge to memory and the alias tables, with peers of their own. Such a
 * program prints rows as JSON objects, one a line, with the members name, value, unit, peer and
 * peer_value (0 or null: held against nothing), and threads and isa where they are not the run's; a
 * line without an object is passed over. DIR/NAME/names holds the names that it brings, patterns of
 * a shell, one a line. bench/peers/README.md has the rest. */
#include "bench/harness/bench.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What follows "key": in the line; NULL: it is not there. */
static const char *external_member(const char *line, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(line, quoted);
    return at ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : NULL;
}

/* Reads a text without escapes; null gives "". */
static bool external_text(const char *line, const char *key, char *text, size_t size)
{
    const char *at = external_member(line, key);
    text[0] = '\0';
    if (!at) return false;
    if (strncmp(at, "null", 4) == 0) return true;
    const size_t length = *at == '"' ? strcspn(at + 1, "\"\\") : size;
    if (length >= size || at[1 + length] != '"') return false;
    memcpy(text, at + 1, length);
    text[length] = '\0';
    return true;
}

/* null gives 0 */
static bool external_number(const char *line, const char *key, double *value)
{
    const char *at = external_member(line, key);
    char *end = NULL;
    *value = 0.0;
    if (!at) return false;
    if (strncmp(at, "null", 4) == 0) return true;
    *value = strtod(at, &end);
    return end != at && isfinite(*value);
}

static bool external_row(const char *line, bench_external *external)
{
    if (external_member(line, "threads") &&
        !(external_number(line, "threads", &external->threads) && external->threads >= 0.0 &&
          external->threads <= 1e6))
        return false;
    if (external_member(line, "isa") &&
        !external_text(line, "isa", external->isa, sizeof external->isa))
        return false;
    return external_text(line, "name", external->name, sizeof external->name) &&
           external->name[0] && external_number(line, "value", &external->value) &&
           external_text(line, "unit", external->unit, sizeof external->unit) &&
           external_text(line, "peer", external->peer, sizeof external->peer) &&
           external_number(line, "peer_value", &external->peer_value) &&
           external_number(line, "ratio", &external->ratio);
}

const char *bench_external_read(bench_run *run, char *text)
{
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (!strchr(line, '{')) continue;
        if (run->n_external == BENCH_MOST_EXTERNAL) return "printed too many rows";
        bench_external *external = &run->external[run->n_external];
        *external = (bench_external){.value = 0.0};
        if (!external_row(line, external)) return "printed an invalid row";
        if (run->options->only && !bench_is_listed(run->options->only, external->name)) continue;
        run->n_external++;
    }
    return NULL;
}

/* The names file of DIR/NAME; NULL: there is none. */
static FILE *external_open(const char *folder, const char *name)
{
    char path[BENCH_PATH];
    return snprintf(path, sizeof path, "%s/%s/names", folder, name) < (int)sizeof path
               ? fopen(path, "r")
               : NULL;
}

/* Reads the next pattern; false: there are no more. */
static bool external_pattern(FILE *names, char pattern[64])
{
    while (fgets(pattern, 64, names)) {
        pattern[strcspn(pattern, " \t\r\n")] = '\0';
        if (pattern[0]) return true;
    }
    return false;
}

static bool external_is_there(const char *folder, const char *name)
{
    char path[BENCH_PATH];
    return snprintf(path, sizeof path, "%s/%s/rows", folder, name) < (int)sizeof path &&
           access(path, F_OK) == 0;
}

bool bench_external_may_bring(const char *folder, const char *name, const char *entry,
                              size_t length)
{
    char word[64], pattern[64];
    bool found = false;
    if (length == 0 || length >= sizeof word || !external_is_there(folder, name)) return false;
    snprintf(word, sizeof word, "%.*s", (int)length, entry);
    FILE *names = external_open(folder, name);
    if (!names) return true;
    while (!found && external_pattern(names, pattern)) found = fnmatch(pattern, word, 0) == 0;
    fclose(names);
    return found;
}

void bench_external_list(const char *folder, const bench_peer_names *peers, cli_output *output)
{
    char line[BENCH_PATH + 256], pattern[64];
    for (size_t i = 0; i < peers->n; ++i) {
        const char *name = peers->names[i];
        if (!external_is_there(folder, name)) continue;
        FILE *names = external_open(folder, name);
        snprintf(pattern, sizeof pattern, "*");
        while (!names || external_pattern(names, pattern)) {
            const int length = snprintf(line, sizeof line, "%-33s rows that %s/%s/rows brings\n",
                                        pattern, folder, name);
            (void)cli_output_write(output, line, (size_t)length);
            if (!names) break;
        }
        if (names) fclose(names);
    }
}

void bench_external_check(bench_run *run)
{
    for (const char *at = run->options->only; at;
         at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        bool found = bench_find(at, length) < bench_entry_count;
        for (size_t i = 0; i < run->n_external && !found; ++i)
            found = strlen(run->external[i].name) == length &&
                    memcmp(run->external[i].name, at, length) == 0;
        if (found) continue;
        fprintf(stderr, "levy: no program of %s brought the row '%.*s' on %s\n",
                run->options->peers, (int)length, at, run->device);
        if (!run->code) run->code = 1;
    }
}

/* Where the row was measured: its program may have had other threads and instructions. */
static void external_device(const bench_run *run, const bench_external *external, char device[192])
{
    const unsigned threads = external->threads > 0.0 ? (unsigned)external->threads : run->threads;
    if (run->gpu)
        snprintf(device, 192, "%s", run->device_name);
    else
        bench_name_device(device, run->processor, threads,
                          external->isa[0] ? external->isa : run->isa);
}

void bench_external_json(const bench_run *run, bench_write_text *write, cli_output *output)
{
    for (size_t i = 0; i < run->n_external; ++i) {
        const bench_external *external = &run->external[i];
        char line[1024], command[BENCH_PATH + 192], device[192],
            peer[256] = "null", values[64] = "null, \"ratio\": null";
        if (external->peer[0]) snprintf(peer, sizeof peer, "\"%s\"", external->peer);
        if (external->peer_value > 0.0)
            snprintf(values, sizeof values, "%.6g, \"ratio\": %.4g", external->peer_value,
                     external->ratio);
        snprintf(line, sizeof line,
                 "%s\n {\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"peer\": %s, "
                 "\"peer_value\": %s,\n  \"device\": ",
                 i || run->n_pairs ? "," : "", external->name, external->value, external->unit,
                 peer, values);
        (void)cli_output_write(output, line, strlen(line));
        external_device(run, external, device);
        write(output, device);
        snprintf(line, sizeof line, ", \"date\": \"%s\",\n  \"command\": ", run->date);
        (void)cli_output_write(output, line, strlen(line));
        snprintf(command, sizeof command, "levy bench --only %s --device %s --peers %s",
                 external->name, run->device, run->options->peers);
        write(output, command);
        static const char end[] = ", \"kernel_ms\": null, \"wall_ms\": null, \"cpu_ms\": null}";
        (void)cli_output_write(output, end, strlen(end));
    }
}

void bench_external_table(const bench_run *run, cli_output *output)
{
    for (size_t i = 0; i < run->n_external; ++i) {
        const bench_external *external = &run->external[i];
        char line[512], peer[200] = "";
        if (external->peer_value > 0.0)
            snprintf(peer, sizeof peer, "   %.120s %.4g: %.3g times", external->peer,
                     external->peer_value, external->ratio);
        snprintf(line, sizeof line, "%s%-36s %10.4g  %s%s\n", i ? "" : "\n", external->name,
                 external->value, external->unit, peer);
        (void)cli_output_write(output, line, strlen(line));
    }
}
