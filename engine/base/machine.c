/* machine.c: see machine.h. Sources: Linux, Documentation/admin-guide/cgroup-v2.rst and
 * cgroup-v1/memory.rst. */
#include "engine/base/machine.h"

#include <fcntl.h>
#include <stdio.h>
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

/* A limit in bytes; UINT64_MAX if there is no such file or it says "max". */
static uint64_t machine_limit(const char *path)
{
    char text[64];
    uint64_t bytes = 0;
    if (!machine_read(path, text, sizeof text)) return UINT64_MAX;
    const char *at = text;
    for (; *at >= '0' && *at <= '9' && bytes < UINT64_MAX / 16; ++at)
        bytes = 10 * bytes + (uint64_t)(*at - '0');
    return at == text || bytes == 0 ? UINT64_MAX : bytes;
}

/* The least limit of a group and all groups above it: a group's own file does not show theirs. */
static uint64_t machine_group(const char *mount, const char *group, const char *file)
{
    char folder[MACHINE_PATH], path[MACHINE_PATH + 64];
    uint64_t least = UINT64_MAX;
    if (snprintf(folder, sizeof folder, "%s%s", mount, group) >= (int)sizeof folder) return least;
    for (;;) {
        snprintf(path, sizeof path, "%s/%s", folder, file);
        const uint64_t limit = machine_limit(path);
        if (limit < least) least = limit;
        char *const slash = strrchr(folder, '/');
        if (!slash || strlen(folder) <= strlen(mount)) return least;
        *slash = '\0';
    }
}

/* A line of /proc/self/cgroup: "number:controllers:/group". */
static uint64_t machine_line(char *line)
{
    char *const controllers = strchr(line, ':'), *const group = controllers
                                                                    ? strchr(controllers + 1, ':')
                                                                    : NULL;
    if (!group) return UINT64_MAX;
    *group = '\0';
    if (controllers[1] == '\0') return machine_group("/sys/fs/cgroup", group + 1, "memory.max");
    if (strcmp(controllers + 1, "memory") != 0) return UINT64_MAX;
    return machine_group("/sys/fs/cgroup/memory", group + 1, "memory.limit_in_bytes");
}

uint64_t levy_machine_memory(void)
{
    char text[MACHINE_PATH], *rest = NULL;
    const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    uint64_t least = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
    if (machine_read("/proc/self/cgroup", text, sizeof text))
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
            const uint64_t limit = machine_line(line);
            if (limit < least) least = limit;
        }
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
