/* device_list.c: what `levy devices` says of GPUs: properties by the driver; free memory, load and
 * links by NVML, the driver's own monitor, where it is there. Nothing is started on a GPU. Must not
 * know: images, launches. */
#include "kernels/cuda/device/device.h"

#include <stdio.h>
#include <string.h>

enum { LIST_NAME = 32, LIST_LINKS = 512, LIST_MOST = 64 };

typedef struct list_job {
    levy_cuda_calls calls;
    int driver_version, count;
    bool monitored;
    void *monitors[LIST_MOST]; /* NVML's own handle of each; NULL: none */
    bool dead;                 /* nothing may be called any more */
    int (*write)(void *user, const char *text, size_t size);
    void *user;
} list_job;

/* Printable ASCII of a driver's or a system's text, fit to stand between JSON's quotes. */
static void list_text(const char *text, char *out, size_t size)
{
    size_t n = 0;
    for (; *text && n + 2 < size; ++text) {
        if (*text == '"' || *text == '\\') out[n++] = '\\';
        out[n++] = *text < ' ' || *text > '~' ? '?' : *text;
    }
    out[n] = 0;
}

static void list_uuid(const levy_cuda_calls *calls, int handle, char out[48])
{
    levy_cuda_uuid uuid;
    snprintf(out, 48, "null");
    if (!calls->device_uuid || calls->device_uuid(&uuid, handle) != 0) return;
    int n = snprintf(out, 48, "\"GPU-");
    for (int i = 0; i < 16; ++i)
        n += snprintf(out + n, 48 - (size_t)n, "%s%02x",
                      i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid.bytes[i]);
    snprintf(out + n, 48 - (size_t)n, "\"");
}

/* "0000:3b:00.0"; "" if the driver does not say. */
static void list_pci(levy_device *device, char text[LIST_NAME])
{
    int bus = 0, slot = 0, domain = 0;
    int code = LEVY_DEVICE_CALL(device, device_attribute, &bus, LEVY_CUDA_ATTRIBUTE_PCI_BUS,
                                device->handle);
    if (!code)
        code = LEVY_DEVICE_CALL(device, device_attribute, &slot, LEVY_CUDA_ATTRIBUTE_PCI_DEVICE,
                                device->handle);
    if (!code)
        code = LEVY_DEVICE_CALL(device, device_attribute, &domain, LEVY_CUDA_ATTRIBUTE_PCI_DOMAIN,
                                device->handle);
    text[0] = '\0';
    if (code) return;
    snprintf(text, LIST_NAME, "%04x:%02x:%02x.0", (unsigned)domain, (unsigned)bus, (unsigned)slot);
}

/* ---- NVML ---- */

static void list_watch(list_job *job)
{
    job->monitored = job->calls.load_monitor && job->calls.load_monitor(&job->calls) &&
                     job->calls.monitor_init() == 0;
    for (int i = 0; job->monitored && i < job->count && i < LIST_MOST; ++i) {
        char pci[LIST_NAME];
        levy_device device = {.calls = job->calls, .ordinal = i};
        if (LEVY_DEVICE_CALL(&device, device_get, &device.handle, i) != 0) continue;
        list_pci(&device, pci);
        job->dead = job->dead || device.dead;
        if (job->dead || !pci[0] || job->calls.monitor_device(pci, &job->monitors[i]) != 0)
            job->monitors[i] = NULL;
    }
}

/* "cuda:1 nvlink, cuda:2 pci": the others, by the way between them. */
static void list_links(const list_job *job, int ordinal, char *text, size_t size)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < job->count && i < LIST_MOST && length < size; ++i) {
        int status = -1;
        if (i == ordinal || !job->monitors[i]) continue;
        int code;
        code = job->calls.monitor_link(job->monitors[ordinal], job->monitors[i],
                                       LEVY_MONITOR_LINK_NVLINK, &status);
        length += (size_t)snprintf(text + length, size - length, "%scuda:%d %s", length ? ", " : "",
                                   i, code == 0 && status == 0 ? "nvlink" : "pci");
    }
}

/* The keys that NVML has, each with a comma before it. */
static void list_monitored(const list_job *job, int ordinal, char *text, size_t size)
{
    char links[LIST_LINKS];
    levy_monitor_memory memory;
    levy_monitor_load load;
    size_t length = 0;
    text[0] = '\0';
    if (ordinal >= LIST_MOST || !job->monitors[ordinal]) return;
    void *const monitor = job->monitors[ordinal];
    if (job->calls.monitor_memory(monitor, &memory) == 0)
        length += (size_t)snprintf(text, size, ", \"free_bytes\": %llu", memory.free);
    if (job->calls.monitor_load(monitor, &load) == 0)
        length += (size_t)snprintf(text + length, size - length, ", \"load\": %u.%02u",
                                   load.gpu / 100, load.gpu % 100);
    list_links(job, ordinal, links, sizeof links);
    if (links[0]) snprintf(text + length, size - length, ", \"links\": \"%s\"", links);
}

/* ---- All devices ---- */

static levy_status list_one(list_job *job, int ordinal)
{
    char why[LEVY_REASON_SIZE] = "", reason[2 * LEVY_REASON_SIZE], line[6 * LEVY_REASON_SIZE],
         name[2 * sizeof((levy_device *)0)->name], uuid[48] = "null", pci[LIST_NAME] = "",
         more[LIST_LINKS + 128] = "";
    size_t memory = 0;
    levy_device device = {.calls = job->calls, .ordinal = ordinal};
    const levy_status status = levy_device_read(&device, why);
    if (status == LEVY_OK) {
        (void)LEVY_DEVICE_CALL(&device, device_memory, &memory, device.handle);
        list_pci(&device, pci);
    }
    job->dead = device.dead;
    list_text(why, reason, sizeof reason);
    list_text(device.name, name, sizeof name);
    if (status == LEVY_OK && !device.dead) {
        list_uuid(&job->calls, device.handle, uuid);
        list_monitored(job, ordinal, more, sizeof more);
    }
    const int length = snprintf(
        line, sizeof line,
        "{\"device\": \"cuda:%d\", \"usable\": %s, \"name\": \"%s\", \"architecture\": \"sm_%d\", "
        "\"multiprocessors\": %d, \"memory_bytes\": %zu%s, \"driver_cuda\": \"%d.%d\", "
        "\"pci\": \"%s\", \"uuid\": %s, \"reason\": \"%s\"}\n",
        ordinal, status == LEVY_OK ? "true" : "false", name, device.capability, device.sm_count,
        memory, more, job->driver_version / 1000, job->driver_version % 1000 / 10, pci, uuid,
        reason);
    return job->write(job->user, line, (size_t)length) == 0 ? LEVY_OK : LEVY_IO;
}

static levy_status list_none(const list_job *job, const char *why)
{
    char reason[2 * LEVY_REASON_SIZE], line[3 * LEVY_REASON_SIZE];
    list_text(why, reason, sizeof reason);
    const int length =
        snprintf(line, sizeof line,
                 "{\"device\": \"cuda\", \"usable\": false, \"reason\": \"%s\"}\n", reason);
    return job->write(job->user, line, (size_t)length) == 0 ? LEVY_OK : LEVY_IO;
}

levy_status levy_device_list(const levy_cuda_calls *calls,
                             int (*write)(void *, const char *, size_t), void *user)
{
    char why[LEVY_REASON_SIZE] = "";
    list_job job = {.calls = *calls, .write = write, .user = user};
    levy_status status = levy_device_start(&job.calls, &job.driver_version, &job.count, why);
    if (status != LEVY_OK) {
        job.count = 0;
        status = list_none(&job, why);
    }
    if (job.count > 0) list_watch(&job);
    for (int i = 0; status == LEVY_OK && i < job.count && !job.dead; ++i)
        status = list_one(&job, i);
    if (job.monitored) (void)job.calls.monitor_end();
    job.calls.unload(&job.calls);
    return status;
}
