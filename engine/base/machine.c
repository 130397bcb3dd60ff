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

/* What is limited: the controller of version 1, the files of a group that say it in version 2 and
 * version 1, what stands behind the latter, and how it is read. */
typedef struct machine_kind {
    const char *controller, *now, *old, *behind;
    uint64_t (*read)(const char *text);
} machine_kind;

/* The limit of a group's own files. */
static uint64_t machine_limit(const machine_kind *kind, bool old, const char *folder)
{
    char text[256], behind[256] = "", both[600];
    (void)machine_file(folder, old ? kind->old : kind->now, text);
    if (old && kind->behind) (void)machine_file(folder, kind->behind, behind);
    snprintf(both, sizeof both, "%.*s %s", (int)strcspn(text, "\n"), text, behind);
    return kind->read(both);
}

/* The least limit of a group and all groups above it: a group's own file does not show theirs. */
static uint64_t machine_group(const char *mount, const char *group, const machine_kind *kind,
                              bool old)
{
    char folder[MACHINE_PATH];
    uint64_t least = UINT64_MAX;
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder) return least;
    for (;;) {
        const uint64_t limit = machine_limit(kind, old, folder);
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

static uint64_t machine_set(const char *text)
{
    const uint32_t count = levy_machine_read_set(text);
    return count ? count : UINT64_MAX;
}

/* ---- The groups of this process ---- */

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
    if (controllers[1] == '\0') return machine_group("/sys/fs/cgroup", group + 1, kind, false);
    if (!machine_has(controllers + 1, kind->controller)) return UINT64_MAX;
    snprintf(mount, sizeof mount, "/sys/fs/cgroup/%.*s", MACHINE_PATH - 32, controllers + 1);
    return machine_group(mount, group + 1, kind, true);
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
    static const machine_kind kind = {"cpu", "cpu.max", "cpu.cfs_quota_us", "cpu.cfs_period_us",
                                      levy_machine_read_quota};
    const uint64_t least = machine_least(&kind);
    if (least == UINT64_MAX || least / 1000 >= UINT32_MAX) return UINT32_MAX;
    return (uint32_t)((least + 999) / 1000);
}

uint32_t levy_machine_set(void)
{
    static const machine_kind kind = {"cpuset", "cpuset.cpus.effective", "cpuset.effective_cpus",
                                      NULL, machine_set};
    const uint64_t least = machine_least(&kind);
    const long on = sysconf(_SC_NPROCESSORS_ONLN);
    if (least < UINT32_MAX) return (uint32_t)least;
    return on > 0 ? (uint32_t)on : 1;
}

uint64_t levy_machine_memory(void)
{
    static const machine_kind kind = {"memory", "memory.max", "memory.limit_in_bytes", NULL,
                                      machine_count};
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
