/* part_line.c: see part_line.h. */
#include "engine/book/part_line.h"

#include <inttypes.h>

static const char line_run[] = "{\"run\": ", line_failed[] = "{\"failed\": ",
                  line_end[] = "{\"end\": true";

static void line_put_member(levy_line_out *out, const char *name, const char *text)
{
    levy_line_put(out, ", \"%s\": ", name);
    levy_line_put_text(out, text);
}

size_t levy_part_line_run(levy_line_out *out, const levy_part_info *run)
{
    out->used = 0;
    levy_line_put(out, "%s", line_run);
    levy_line_put_text(out, run->host);
    line_put_member(out, "backend", run->backend);
    line_put_member(out, "device", run->device);
    line_put_member(out, "device_reason", run->device_reason);
    line_put_member(out, "isa", run->isa);
    levy_line_put(out, ", \"threads\": %" PRIu32, run->threads);
    line_put_member(out, "note", run->note);
    return levy_line_seal(out);
}

size_t levy_part_line_failure(levy_line_out *out, const levy_part_failure *failure)
{
    out->used = 0;
    levy_line_put(out, "%s%zu, \"unit\": %zu", line_failed, failure->group, failure->unit);
    line_put_member(out, "reason", failure->reason);
    line_put_member(out, "message", failure->message);
    return levy_line_seal(out);
}

size_t levy_part_line_end(levy_line_out *out)
{
    out->used = 0;
    levy_line_put(out, "%s", line_end);
    return levy_line_seal(out);
}

static levy_line_in line_begin(const char *line, size_t length)
{
    return (levy_line_in){line, line + length - LEVY_JOURNAL_SEAL};
}

static bool line_take_member(levy_line_in *in, levy_arena *arena, const char *before,
                             const char **text)
{
    return levy_line_take(in, before) && levy_line_take_kept(in, arena, text);
}

bool levy_part_line_read_run(const char *line, size_t length, levy_arena *arena,
                             levy_part_info *run)
{
    levy_line_in in = line_begin(line, length);
    size_t threads = 0;
    if (!line_take_member(&in, arena, line_run, &run->host) ||
        !line_take_member(&in, arena, ", \"backend\": ", &run->backend) ||
        !line_take_member(&in, arena, ", \"device\": ", &run->device) ||
        !line_take_member(&in, arena, ", \"device_reason\": ", &run->device_reason) ||
        !line_take_member(&in, arena, ", \"isa\": ", &run->isa) ||
        !levy_line_take(&in, ", \"threads\": ") || !levy_line_take_count(&in, &threads) ||
        !line_take_member(&in, arena, ", \"note\": ", &run->note))
        return false;
    run->threads = (uint32_t)threads;
    return in.at == in.end && run->host && run->backend && run->device && run->device_reason &&
           run->isa;
}

bool levy_part_line_read_failure(const char *line, size_t length, levy_arena *arena,
                                 levy_part_failure *failure)
{
    levy_line_in in = line_begin(line, length);
    return levy_line_take(&in, line_failed) && levy_line_take_count(&in, &failure->group) &&
           levy_line_take(&in, ", \"unit\": ") && levy_line_take_count(&in, &failure->unit) &&
           line_take_member(&in, arena, ", \"reason\": ", &failure->reason) && failure->reason &&
           line_take_member(&in, arena, ", \"message\": ", &failure->message) && in.at == in.end;
}

bool levy_part_line_is_end(const char *line, size_t length)
{
    levy_line_in in = line_begin(line, length);
    return levy_line_take(&in, line_end) && in.at == in.end;
}

bool levy_part_line_is_other(const char *line, size_t length)
{
    levy_line_in in = line_begin(line, length);
    return levy_line_take(&in, line_run) || levy_line_take(&in, line_failed) ||
           levy_line_take(&in, line_end);
}
