/* journal_line.c: the lines of a journal, written and read back. Only lines that this file
 * wrote are read, their hash having been checked, so the reader takes exactly that form. See
 * journal.h. */
#include "engine/book/journal.h"
#include "engine/book/journal_text.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SUM = 3 * LEVY_LINE_HEX };

/* ---- Writing ---- */

levy_journal_head levy_journal_head_of(const levy_problem *problem, size_t groups, uint32_t part,
                                       uint32_t parts, const char *backend)
{
    return (levy_journal_head){.text_hash = problem->text_hash,
                               .setting_hash = problem->setting_hash,
                               .quote_hash = problem->quote_hash,
                               .trades = problem->n_trades,
                               .groups = groups,
                               .precision = levy_precision_text(problem->simulation.precision),
                               .backend = backend,
                               .part = part,
                               .parts = parts};
}

size_t levy_journal_write_head(const levy_journal_head *head, char *line, size_t room)
{
    levy_line_out out = {.text = line, .room = room};
    levy_line_put(&out, "{\"levy_journal\": 1, \"version\": ");
    levy_line_put_text(&out, levy_version());
    levy_line_put(&out,
                  ", \"texts\": \"%016" PRIx64 "\", \"settings\": \"%016" PRIx64
                  "\", \"quotes\": \"%016" PRIx64 "\"",
                  head->text_hash, head->setting_hash, head->quote_hash);
    levy_line_put(&out,
                  ", \"precision\": \"%s\", \"backend\": \"%s\", \"trades\": %zu, \"groups\": "
                  "%zu",
                  head->precision, head->backend, head->trades, head->groups);
    if (head->study) levy_line_put(&out, ", \"study\": \"%016" PRIx64 "\"", head->study);
    if (head->parts)
        levy_line_put(&out, ", \"part\": %" PRIu32 ", \"parts\": %" PRIu32, head->part,
                      head->parts);
    return levy_line_seal(&out);
}

/* 8192: every character of the texts may need an escape */
size_t levy_journal_group_room(const levy_journal_group *group)
{
    return 8192 + group->n_sums * LINE_SUM + group->record_length;
}

size_t levy_journal_write_group(const levy_journal_group *group, const tree_sum *sums, char *line,
                                size_t room)
{
    levy_line_out out = {.text = line, .room = room};
    char seconds[LEVY_NUMBER_SIZE];
    levy_number_write(group->seconds, seconds);
    levy_line_put(&out, "{\"group\": %zu", group->group);
    if (group->is_unit) levy_line_put(&out, ", \"unit\": %zu", group->unit);
    levy_line_put(&out, ", \"plan\": \"%016" PRIx64 "\", \"seconds\": %s, \"backend\": ",
                  group->plan_hash, seconds);
    levy_line_put_text(&out, group->backend);
    levy_line_put(&out, ", \"device\": ");
    levy_line_put_text(&out, group->device);
    if (group->moved[0]) {
        levy_line_put(&out, ", \"moved\": ");
        levy_line_put_text(&out, group->moved);
    }
    levy_line_put(&out, ", \"sums\": \"");
    char *to = levy_line_reserve(&out, group->n_sums * LINE_SUM);
    if (!to) return 0;
    for (size_t i = 0; i < group->n_sums; ++i, to += LINE_SUM) {
        levy_line_put_bits(to, sums[i].n);
        levy_line_put_bits(to + LEVY_LINE_HEX, sums[i].mean);
        levy_line_put_bits(to + 2 * LEVY_LINE_HEX, sums[i].m2);
    }
    out.used += group->n_sums * LINE_SUM;
    levy_line_put(&out, "\"");
    if (group->record_length) {
        levy_line_put(&out, ", \"results\": ");
        if (!(to = levy_line_reserve(&out, group->record_length))) return 0;
        memcpy(to, group->record, group->record_length);
        out.used += group->record_length;
    }
    return levy_line_seal(&out);
}

/* ---- Reading ---- */

/* Which group or unit the line is of. */
static bool line_take_place(levy_line_in *in, levy_journal_group *group)
{
    *group = (levy_journal_group){.group = 0};
    if (!levy_line_take(in, "{\"group\": ") || !levy_line_take_count(in, &group->group))
        return false;
    group->is_unit = levy_line_take(in, ", \"unit\": ");
    return !group->is_unit || levy_line_take_count(in, &group->unit);
}

bool levy_journal_read_place(const char *line, size_t length, levy_journal_group *group)
{
    levy_line_in in = {line, line + length - LEVY_JOURNAL_SEAL};
    return line_take_place(&in, group);
}

/* All but the sums; *sums then points at their beginning. */
static bool line_take_group(const char *line, size_t length, levy_journal_group *group,
                            levy_line_in *sums)
{
    static const char results[] = ", \"results\": ";
    levy_line_in in = {line, line + length - LEVY_JOURNAL_SEAL};
    if (!line_take_place(&in, group) || !levy_line_take(&in, ", \"plan\": \"") ||
        !levy_line_take_hex(&in, LEVY_LINE_HEX, &group->plan_hash) ||
        !levy_line_take(&in, "\", \"seconds\": ") || !levy_line_take_number(&in, &group->seconds) ||
        !levy_line_take(&in, ", \"backend\": ") ||
        !levy_line_take_text(&in, group->backend, sizeof group->backend) ||
        !levy_line_take(&in, ", \"device\": ") ||
        !levy_line_take_text(&in, group->device, sizeof group->device))
        return false;
    if (levy_line_take(&in, ", \"moved\": ") &&
        !levy_line_take_text(&in, group->moved, sizeof group->moved))
        return false;
    if (!levy_line_take(&in, ", \"sums\": \"")) return false;
    const char *const close = memchr(in.at, '"', (size_t)(in.end - in.at));
    if (!close || (size_t)(close - in.at) % LINE_SUM != 0) return false;
    group->n_sums = (size_t)(close - in.at) / LINE_SUM;
    levy_line_in rest = {close + 1, in.end};
    if (levy_line_take(&rest, results)) {
        group->record = rest.at;
        group->record_length = (size_t)(rest.end - rest.at);
    } else if (rest.at != rest.end) {
        return false;
    }
    *sums = in;
    return true;
}

static bool line_take_sums(levy_line_in *in, tree_sum *sums, size_t n_sums)
{
    bool good = true;
    for (size_t i = 0; i < n_sums && good; ++i)
        good = levy_line_take_bits(in, &sums[i].n) && levy_line_take_bits(in, &sums[i].mean) &&
               levy_line_take_bits(in, &sums[i].m2);
    return good;
}

bool levy_journal_read_group(const char *line, size_t length, levy_journal_group *group,
                             tree_sum *sums, size_t n_sums)
{
    levy_line_in in;
    if (!line_take_group(line, length, group, &in)) return false;
    return group->n_sums != n_sums || line_take_sums(&in, sums, n_sums);
}

bool levy_journal_read_all(const char *line, size_t length, levy_journal_group *group,
                           tree_sum *sums)
{
    levy_line_in in;
    return line_take_group(line, length, group, &in) && line_take_sums(&in, sums, group->n_sums);
}

bool levy_journal_plausible(const tree_sum *sums, size_t n_sums, uint64_t least, uint64_t most)
{
    for (size_t i = 0; i < n_sums; ++i) {
        uint64_t paths = least;
        while (paths <= most / 2 && (double)paths < sums[i].n) paths *= 2;
        if (sums[i].n != (double)paths || sums[i].m2 < 0.0) return false;
    }
    return true;
}

/* What the first line holds; texts stay as they are in the line. */
typedef struct line_head {
    char version[128], precision[32], backend[16];
    uint64_t texts, settings, quotes, study;
    size_t trades, groups, part, parts;
} line_head;

/* 0: not a first line; 1: written by another version, so the rest is not read, as it may look
 * different; 2: read in full. */
static int line_take_head(const char *line, size_t length, line_head *head)
{
    levy_line_in in = {line, line + length};
    head->part = head->parts = 0;
    head->study = 0;
    if (!levy_line_sealed(line, length) ||
        !levy_line_take(&in, "{\"levy_journal\": 1, \"version\": ") ||
        !levy_line_take_text(&in, head->version, sizeof head->version))
        return 0;
    if (strcmp(head->version, levy_version()) != 0) return 1;
    const bool taken =
        levy_line_take(&in, ", \"texts\": \"") &&
        levy_line_take_hex(&in, LEVY_LINE_HEX, &head->texts) &&
        levy_line_take(&in, "\", \"settings\": \"") &&
        levy_line_take_hex(&in, LEVY_LINE_HEX, &head->settings) &&
        levy_line_take(&in, "\", \"quotes\": \"") &&
        levy_line_take_hex(&in, LEVY_LINE_HEX, &head->quotes) &&
        levy_line_take(&in, "\", \"precision\": ") &&
        levy_line_take_text(&in, head->precision, sizeof head->precision) &&
        levy_line_take(&in, ", \"backend\": ") &&
        levy_line_take_text(&in, head->backend, sizeof head->backend) &&
        levy_line_take(&in, ", \"trades\": ") && levy_line_take_count(&in, &head->trades) &&
        levy_line_take(&in, ", \"groups\": ") && levy_line_take_count(&in, &head->groups);
    if (!taken) return 0;
    if (levy_line_take(&in, ", \"study\": \"") &&
        !(levy_line_take_hex(&in, LEVY_LINE_HEX, &head->study) && levy_line_take(&in, "\"")))
        return 0;
    if (!levy_line_take(&in, ", \"part\": ")) return 2;
    return levy_line_take_count(&in, &head->part) && levy_line_take(&in, ", \"parts\": ") &&
                   levy_line_take_count(&in, &head->parts)
               ? 2
               : 0;
}

bool levy_journal_read_backend(const char *line, size_t length, char backend[16])
{
    line_head head;
    if (line_take_head(line, length, &head) != 2) return false;
    memcpy(backend, head.backend, sizeof head.backend);
    return true;
}

bool levy_journal_read_part(const char *line, size_t length, levy_part_info *info)
{
    line_head head;
    if (line_take_head(line, length, &head) != 2) return false;
    info->part = (uint32_t)head.part;
    info->parts = (uint32_t)head.parts;
    info->study = head.study != 0;
    return head.part == 0 ? head.parts == 0
                          : head.part <= head.parts && head.parts <= LEVY_CUT_MOST;
}

bool levy_journal_difference(const char *line, size_t length, const levy_journal_head *head,
                             char *words, size_t room)
{
    line_head old;
    const int taken = line_take_head(line, length, &old);
    if (taken == 0) return false;
    if (taken == 1)
        snprintf(words, room, "it was written by levy %s, but this is levy %s", old.version,
                 levy_version());
    else if ((old.study == 0) != (head->study == 0))
        snprintf(words, room, "it holds %s",
                 old.study ? "a study (levy converge), not prices" : "prices, not a study");
    else if (old.texts != head->text_hash)
        snprintf(words, room, "the input files have changed since, in name or content");
    else if (old.settings != head->setting_hash)
        snprintf(words, room, "the settings (--set, --measures) have changed");
    else if (old.quotes != head->quote_hash)
        snprintf(words, room, "the quotes have changed");
    else if (old.study != head->study)
        snprintf(words, room, "the options of the study have changed");
    else if (strcmp(old.backend, head->backend) != 0)
        snprintf(words, room, "it was priced in %s precision on '%s', but this run would use '%s'",
                 old.precision, old.backend, head->backend);
    else if (old.parts == 0 && head->parts != 0)
        snprintf(words, room, "it is of a whole run, not of part %" PRIu32 "/%" PRIu32, head->part,
                 head->parts);
    else if (old.part != head->part || old.parts != head->parts)
        snprintf(words, room, "it is part %zu/%zu", old.part, old.parts);
    else
        snprintf(words, room, "it has %zu trades in %zu groups, but the book has %zu in %zu",
                 old.trades, old.groups, head->trades, head->groups);
    return true;
}
