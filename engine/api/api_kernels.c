/* api_kernels.c: what can compute here, and the cache of GPU kernels. Backends describe devices as
 * flat JSON objects, one a line; the table is the same text without its punctuation. */
#include "engine/book/handles.h"

#include "engine/report/report.h"
#include "engine/run/backend_list.h"

#include <string.h>

/* ---- Devices ---- */

typedef struct devices_out {
    levy_text_out text;
    int format;
    size_t count;
} devices_out;

static bool devices_is_space(char c) { return c == ' ' || c == '\n'; }

/* Writes {"device": "cuda:0", "memory": 5} as the lines "cuda:0" and "  memory  5". Empty texts are
 * left out. */
static void devices_table(levy_text_out *out, const char *text, size_t length)
{
    bool quoted = false, value = false, first = true;
    char key[64] = "", cell[1024] = "";
    size_t n_key = 0, n_cell = 0;
    for (size_t i = 0; i < length; ++i) {
        const char c = text[i];
        if (quoted && c == '\\' && i + 1 < length) {
            i++;
            if (value && n_cell + 1 < sizeof cell) cell[n_cell++] = text[i];
        } else if (c == '"')
            quoted = !quoted;
        else if (!quoted && c == ':')
            value = true;
        else if (!quoted && (c == ',' || c == '}')) {
            char line[sizeof key + sizeof cell + 8];
            key[n_key] = cell[n_cell] = '\0';
            snprintf(line, sizeof line, first ? "%.0s%s\n" : "  %-16s %s\n", key, cell);
            if (n_cell > 0) levy_text_put(out, line);
            first = value = false;
            n_key = n_cell = 0;
        } else if (quoted || !(devices_is_space(c) || c == '{')) {
            if (value && n_cell + 1 < sizeof cell) cell[n_cell++] = c;
            if (!value && n_key + 1 < sizeof key) key[n_key++] = c;
        }
    }
}

/* A sink for one object. */
static int devices_put(void *user, const char *text, size_t length)
{
    devices_out *out = user;
    while (length > 0 && devices_is_space(text[length - 1])) --length;
    if (out->format == LEVY_FORMAT_TABLE)
        devices_table(&out->text, text, length);
    else {
        if (out->format == LEVY_FORMAT_JSON)
            levy_text_put(&out->text, out->count ? ",\n  " : "\n  ");
        levy_text_put_bytes(&out->text, text, length);
        if (out->format == LEVY_FORMAT_JSONL) levy_text_put(&out->text, "\n");
    }
    out->count++;
    return out->text.failed;
}

static levy_status devices_cpu(levy_context *context, devices_out *out)
{
    levy_call_device device;
    const levy_price_options options = {
        .struct_size = sizeof options, .device = "cpu", .isa = "auto"};
    char line[LEVY_REASON_SIZE];
    const levy_status status = levy_call_device_open(context, &options, &device);
    if (status != LEVY_OK) return status;
    const int length = snprintf(line, sizeof line,
                                "{\"device\": \"cpu\", \"usable\": true, \"name\": \"%s\", "
                                "\"isa\": \"%s\", \"threads\": %u}",
                                device.info.device, device.info.isa, (unsigned)device.info.threads);
    levy_call_device_close(&device);
    devices_put(out, line, (size_t)length);
    return LEVY_OK;
}

static levy_status devices_gpu(levy_context *context, devices_out *out)
{
    char why[LEVY_REASON_SIZE] = "", line[2 * LEVY_REASON_SIZE];
    levy_backend backend;
    const levy_backend_options options = {.memory = &context->memory, .device = -1};
    const levy_status status = levy_backend_cuda(context->module_dir, &backend, why);
    if (status == LEVY_OK && backend.list_devices)
        return backend.list_devices(&options, devices_put, out);
    size_t n = 0;
    /* JSON text must hold no bare quotes, backslashes or control characters */
    for (const char *c = why; *c && n + 2 < LEVY_REASON_SIZE; ++c) {
        const bool plain = *c >= ' ' && *c != '"' && *c != '\\';
        why[n++] = plain ? *c : '\'';
    }
    why[n] = '\0';
    const int length = snprintf(
        line, sizeof line, "{\"device\": \"cuda\", \"usable\": false, \"reason\": \"%s\"}", why);
    devices_put(out, line, (size_t)length);
    return LEVY_OK;
}

int levy_devices_write(levy_context *context, int format, levy_writer write, void *user)
{
    if (!context || !write) return levy_call_refuse(context, "write", "is NULL");
    if (format != LEVY_FORMAT_TABLE && format != LEVY_FORMAT_JSON && format != LEVY_FORMAT_JSONL)
        return levy_call_refuse(context, "format",
                                "the format of devices must be table, json or jsonl");
    devices_out out = {.format = format};
    levy_call_begin(context);
    levy_text_out_init(&out.text, write, user);
    if (format == LEVY_FORMAT_JSON) levy_text_put(&out.text, "{\"devices\": [");
    levy_status status = devices_cpu(context, &out);
    if (status == LEVY_OK) status = devices_gpu(context, &out);
    if (format == LEVY_FORMAT_JSON) levy_text_put(&out.text, "\n]}\n");
    const int ended = levy_text_finish(&out.text, (int)status);
    return levy_call_end(context, ended);
}

/* ---- The kernel cache ---- */

static int kernels_cache(levy_context *context, const char *directory, int action,
                         levy_writer write, void *user)
{
    levy_backend backend;
    char why[LEVY_REASON_SIZE] = "";
    if (!context || !write) return levy_call_refuse(context, "write", "is NULL");
    const levy_backend_options options = {
        .memory = &context->memory, .device = -1, .cache_dir = directory};
    levy_call_begin(context);
    levy_status status = levy_backend_cuda(context->module_dir, &backend, why);
    if (status != LEVY_OK)
        levy_fault_add(&context->faults, LEVY_REASON_DEVICE, NULL, "", NULL, "%s", why);
    else if (backend.cache)
        status = backend.cache(&options, action, write, user);
    else {
        status = LEVY_UNSUPPORTED;
        levy_fault_add(&context->faults, LEVY_REASON_UNSUPPORTED, NULL, "", NULL,
                       "this module keeps no cache");
    }
    return levy_call_end(context, (int)status);
}

int levy_kernels_list(levy_context *context, const char *directory, levy_writer write, void *user)
{
    return kernels_cache(context, directory, 0, write, user);
}

int levy_kernels_clear(levy_context *context, const char *directory, levy_writer write, void *user)
{
    return kernels_cache(context, directory, 1, write, user);
}
