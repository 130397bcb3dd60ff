/* place.c: see place.h. The system names the running program without symbolic links, so what is
 * above its folder can be read off the name. */
#include "engine/cli/place.h"

#include "engine/cli/options.h"

#include <string.h>
#include <unistd.h>

static int place_unknown(const char *why)
{
    cli_say("levy: cannot find the folder of this program: %s\n"
            "hint: it needs /proc/self/exe; mount /proc\n",
            why);
    return CLI_EXIT_MISSING;
}

int cli_place(char *path, size_t size, const char *way)
{
    const ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length < 0) return place_unknown("/proc/self/exe cannot be read");
    path[length] = '\0';
    if (path[0] != '/') return place_unknown("its path is not absolute");
    *strrchr(path, '/') = '\0';
    for (; strncmp(way, "../", 3) == 0; way += 3) {
        char *const last = strrchr(path, '/');
        if (!last) return place_unknown("there are too few folders above it");
        *last = '\0';
    }
    const size_t used = strlen(path);
    if ((size_t)length == size - 1 || used + 1 + strlen(way) >= size)
        return place_unknown("its path is too long");
    path[used] = '/';
    memcpy(path + used + 1, way, strlen(way) + 1);
    return 0;
}
