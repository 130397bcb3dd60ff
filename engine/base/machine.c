/* machine.c: see machine.h. Sources: Linux, Documentation/admin-guide/cgroup-v2.rst,
 * cgroup-v1/memory.rst, cgroup-v1/cpusets.rst and scheduler/sched-bwc.rst. */
#include "engine/base/machine.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MACHINE_PATH = 4096 };

/* Reads the start of a small file as text. Returns its length; 0: no text. */
static size_t machine_read(const char *path, char *text, size_t size)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    const ssize_t got = read(file, text, size - 1);
    close(file);
    text[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

/* A count at the start of a text; UINT64_MAX if there is none or it is 0. */
static uint64_t machine_count(const char *text)
{
    uint64_t count = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && count < UINT64_MAX / 16; ++at)
        count = 10 * count + (uint64_t)(*at - '0');
    return at == text || count == 0 ? UINT64_MAX : count;
}

/* The start of a group's file as text; "": there is no such file. */
static const char *machine_file(const char *folder, const char *file, char text[256])
{
    char path[MACHINE_PATH + 64];
    snprintf(path, sizeof path, "%s/%s", folder, file);
    if (!machine_read(path, text, 256)) text[0] = '\0';
    return text;
}

/* Limits of a group's own files, in bytes. */
static uint64_t machine_memory_max(const char *folder)
{
    char text[256];
    return machine_count(machine_file(folder, "memory.max", text));
}

static uint64_t machine_memory_limit(const char *folder)
{
    char text[256];
    return machine_count(machine_file(folder, "memory.limit_in_bytes", text));
}

/* The least limit of a group and all groups above it: a group's own file does not show theirs. */
static uint64_t machine_group(const char *mount, const char *group,
                              uint64_t (*limit_of)(const char *folder))
{
    char folder[MACHINE_PATH];
    uint64_t least = UINT64_MAX;
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder) return least;
    for (;;) {
        const uint64_t limit = limit_of(folder);
        if (limit < least) least = limit;
        char *const slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= strlen(mount)) return least;
        *slash = '\0';
    }
}

/* ---- Processors ---- */

uint64_t levy_machine_read_quota(const char *text)
{
    const char *const blank = strchr(text, ' ');
    const uint64_t quota = machine_count(text), period = blank ? machine_count(blank + 1) : 100000;
    if (quota == UINT64_MAX || period == UINT64_MAX || quota > UINT64_MAX / 1000) return UINT64_MAX;
    return (1000 * quota + period - 1) / period;
}

static uint64_t machine_cpu_max(const char *folder)
{
    char text[256];
    return levy_machine_read_quota(machine_file(folder, "cpu.max", text));
}

static uint64_t machine_cpu_quota(const char *folder)
{
    char text[256], period[256], both[600];
    snprintf(both, sizeof both, "%.*s %s",
             (int)strcspn(machine_file(folder, "cpu.cfs_quota_us", text), "\n"), text,
             machine_file(folder, "cpu.cfs_period_us", period));
    return levy_machine_read_quota(both); /* -1: no limit */
}

uint32_t levy_machine_read_set(const char *text)
{
    uint64_t count = 0;
    while (*text >= '0' && *text <= '9') {
        char *end;
        const unsigned long first = strtoul(text, &end, 10);
        const unsigned long last = *end == '-' ? strtoul(end + 1, &end, 10) : first;
        if (last < first || last > 1000000) return 0;
        count += last - first + 1;
        text = *end == ',' ? end + 1 : end;
    }
    return (uint32_t)count;
}

static uint64_t machine_set_of(const char *folder, const char *file)
{
    char text[256];
    const uint32_t count = levy_machine_read_set(machine_file(folder, file, text));
    return count ? count : UINT64_MAX;
}

static uint64_t machine_cpus(const char *folder)
{
    return machine_set_of(folder, "cpuset.cpus.effective");
}

static uint64_t machine_old_cpus(const char *folder)
{
    return machine_set_of(folder, "cpuset.effective_cpus");
}

/* ---- The groups of this process ---- */

/* What is limited: the controller of version 1, and the limits in both versions. */
typedef struct machine_kind {
    const char *controller;
    uint64_t (*now)(const char *folder), (*old)(const char *folder);
} machine_kind;

/* Whether a controller is one of "cpu,cpuacct". */
static bool machine_has(const char *controllers, const char *controller)
{
    const size_t length = strlen(controller);
    for (const char *at = controllers; at; at = strchr(at, ',')) {
        at += *at == ',';
        if (strncmp(at, controller, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    }
    return false;
}

/* A line of /proc/self/cgroup: "number:controllers:/group". */
static uint64_t machine_line(char *line, const machine_kind *kind)
{
    char mount[MACHINE_PATH];
    char *const controllers = strchr(line, ':');
    char *const group = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!group) return UINT64_MAX;
    *group = '\0';
    if (controllers[1] == '\0') return machine_group("/sys/fs/cgroup", group + 1, kind->now);
    if (!machine_has(controllers + 1, kind->controller)) return UINT64_MAX;
    snprintf(mount, sizeof mount, "/sys/fs/cgroup/%.*s", MACHINE_PATH - 32, controllers + 1);
    return machine_group(mount, group + 1, kind->old);
}

/* The least limit of all groups of this process; UINT64_MAX: none. */
static uint64_t machine_least(const machine_kind *kind)
{
    char text[MACHINE_PATH], *rest = NULL;
    uint64_t least = UINT64_MAX;
    if (machine_read("/proc/self/cgroup", text, sizeof text))
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
            const uint64_t limit = machine_line(line, kind);
            if (limit < least) least = limit;
        }
    return least;
}

uint32_t levy_machine_quota(void)
{
    static const machine_kind kind = {"cpu", machine_cpu_max, machine_cpu_quota};
    const uint64_t least = machine_least(&kind);
    if (least == UINT64_MAX || least / 1000 >= UINT32_MAX) return UINT32_MAX;
    return (uint32_t)((least + 999) / 1000);
}

uint32_t levy_machine_set(void)
{
    static const machine_kind kind = {"cpuset", machine_cpus, machine_old_cpus};
    const uint64_t least = machine_least(&kind);
    const long on = sysconf(_SC_NPROCESSORS_ONLN);
    if (least < UINT32_MAX) return (uint32_t)least;
    return on > 0 ? (uint32_t)on : 1;
}

uint64_t levy_machine_memory(void)
{
    static const machine_kind kind = {"memory", machine_memory_max, machine_memory_limit};
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    const uint64_t all = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX,
                   limit = machine_least(&kind), least = limit < all ? limit : all;
    return least == UINT64_MAX ? 0 : least;
}

bool levy_size_read(const char *text, uint64_t whole, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    const uint64_t most = (uint64_t)1 << 62;
    uint64_t count = 0;
    size_t n = 0;
    for (; text[n] >= '0' && text[n] <= '9' && n < 18; ++n)
        count = 10 * count + (uint64_t)(text[n] - '0');
    if (n == 0 || count == 0) return false;
    if (strcmp(text + n, "%") == 0) {
        if (count > 100 || whole == 0) return false;
        *bytes = whole / 100 * count;
        return *bytes > 0;
    }
    const char *const unit = text[n] ? strchr(units, text[n]) : NULL;
    if (text[n] && (!unit || text[n + 1])) return false;
    const unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
    if (count > most >> shift) return false;
    *bytes = count << shift;
    return true;
}
