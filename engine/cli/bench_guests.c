/* bench_guests.c: rows that other programs measure, DIR/NAME/rows beside the peers: kernels that stand alone, such as the bridge
 * to memory and the alias tables, with peers of their own. Such a program prints rows as JSON objects, one a line, with the
 * members name, value, unit, peer and peer_value (0 or null: held against nothing); a line without an object is passed over.
 * bench/peers/README.md has the rest. */
#include "engine/cli/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What follows "key": in the line, at most `most` bytes; NULL: it is not there. */
static const char *guests_member(const char *line, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *at = strstr(line, quoted);
    return at ? at + strlen(quoted) + strspn(at + strlen(quoted), " ") : NULL;
}

/* A text without escapes; null: "". */
static bool guests_text(const char *line, const char *key, char *text, size_t size)
{
    const char *at = guests_member(line, key);
    text[0] = '\0';
    if (!at) return false;
    if (strncmp(at, "null", 4) == 0) return true;
    const size_t length = *at == '"' ? strcspn(at + 1, "\"\\") : size;
    if (length >= size || at[1 + length] != '"') return false;
    memcpy(text, at + 1, length);
    text[length] = '\0';
    return true;
}

/* null: 0 */
static bool guests_number(const char *line, const char *key, double *value)
{
    const char *at = guests_member(line, key);
    char *end = NULL;
    *value = 0.0;
    if (!at) return false;
    if (strncmp(at, "null", 4) == 0) return true;
    *value = strtod(at, &end);
    return end != at && isfinite(*value);
}

static bool guests_row(const char *line, bench_guest *guest)
{
    return guests_text(line, "name", guest->name, sizeof guest->name) && guest->name[0] && guests_number(line, "value", &guest->value) &&
           guests_text(line, "unit", guest->unit, sizeof guest->unit) && guests_text(line, "peer", guest->peer, sizeof guest->peer) &&
           guests_number(line, "peer_value", &guest->peer_value) && guests_number(line, "ratio", &guest->ratio);
}

const char *bench_guests_read(bench_run *run, const char *name, char *text)
{
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        if (!strchr(line, '{')) continue;
        if (run->n_guests == BENCH_MOST_GUESTS) return "printed more rows than there is room for";
        bench_guest *guest = &run->guests[run->n_guests];
        if (!guests_row(line, guest)) return "printed a row that is none";
        snprintf(guest->program, sizeof guest->program, "%s", name);
        run->n_guests++;
    }
    return NULL;
}

void bench_guests_json(const bench_run *run, bench_write_text *write, cli_output *output)
{
    for (size_t i = 0; i < run->n_guests; i++) {
        const bench_guest *guest = &run->guests[i];
        char line[1024], peer[256] = "null", values[64] = "null, \"ratio\": null";
        if (guest->peer[0]) snprintf(peer, sizeof peer, "\"%s\"", guest->peer);
        if (guest->peer_value > 0.0) snprintf(values, sizeof values, "%.6g, \"ratio\": %.4g", guest->peer_value, guest->ratio);
        snprintf(line, sizeof line, "%s\n {\"name\": \"%s\", \"value\": %.6g, \"unit\": \"%s\", \"peer\": %s, \"peer_value\": %s,\n  \"device\": ",
                 i || run->n_pairs ? "," : "", guest->name, guest->value, guest->unit, peer, values);
        (void)cli_output_write(output, line, strlen(line));
        write(output, run->device_name);
        snprintf(line, sizeof line, ", \"date\": \"%s\",\n  \"command\": \"%s/%s/rows\"}", run->date, run->options->peers, guest->program);
        (void)cli_output_write(output, line, strlen(line));
    }
}

void bench_guests_table(const bench_run *run, cli_output *output)
{
    for (size_t i = 0; i < run->n_guests; i++) {
        const bench_guest *guest = &run->guests[i];
        char line[512], peer[200] = "";
        if (guest->peer_value > 0.0) snprintf(peer, sizeof peer, "   %.120s %.4g: %.3g times", guest->peer, guest->peer_value, guest->ratio);
        snprintf(line, sizeof line, "%s%-36s %10.4g  %s%s\n", i ? "" : "\n", guest->name, guest->value, guest->unit, peer);
        (void)cli_output_write(output, line, strlen(line));
    }
}
