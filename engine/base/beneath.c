/* beneath.c: see beneath.h. The kernel resolves the name where it can (openat2, Linux 5.6); else
 * each part is opened in the folder before it, links not followed, and a link's text takes the
 * place of its name. */
#include "engine/base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/openat2.h>) && defined(SYS_openat2)
#include <linux/openat2.h>
#endif

enum {
    BENEATH_FLAGS = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
    BENEATH_DEPTH = 64,
    BENEATH_LINKS = 40
};

/* ---- By parts ---- */

typedef struct beneath_walk {
    int folders[BENEATH_DEPTH]; /* descriptors from the start down; the caller owns the first */
    int depth;                  /* index of the last folder */
    int links;                  /* followed so far */
    char rest[PATH_MAX];        /* what is left of the name */
} beneath_walk;

/* Takes the first part off the rest; false: there is none. */
static bool beneath_part(beneath_walk *walk, char part[NAME_MAX + 1])
{
    const size_t slashes = strspn(walk->rest, "/"), length = strcspn(walk->rest + slashes, "/");
    if (length == 0 || length > NAME_MAX) return false;
    memcpy(part, walk->rest + slashes, length);
    part[length] = '\0';
    memmove(walk->rest, walk->rest + slashes + length, strlen(walk->rest + slashes + length) + 1);
    return true;
}

/* Puts a link's text before the rest. Returns 0 or minus an errno: `error` if `part` is no link. */
static int beneath_follow(beneath_walk *walk, const char *part, int error)
{
    char target[PATH_MAX], rest[PATH_MAX];
    const ssize_t length = readlinkat(walk->folders[walk->depth], part, target, sizeof target - 1);
    if (length < 0) return -error;
    target[length] = '\0';
    if (target[0] == '/') return -EXDEV;
    if (++walk->links > BENEATH_LINKS) return -ELOOP;
    memcpy(rest, walk->rest, strlen(walk->rest) + 1);
    const int written = snprintf(walk->rest, sizeof walk->rest, "%s/%s", target, rest);
    return written < 0 || (size_t)written >= sizeof walk->rest ? -ENAMETOOLONG : 0;
}

static int beneath_up(beneath_walk *walk)
{
    if (walk->depth == 0) return -EXDEV;
    close(walk->folders[walk->depth--]);
    return 0;
}

static int beneath_down(beneath_walk *walk, const char *part)
{
    if (walk->depth + 1 == BENEATH_DEPTH) return -ENAMETOOLONG;
    const int folder =
        openat(walk->folders[walk->depth], part, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) return beneath_follow(walk, part, errno);
    walk->folders[++walk->depth] = folder;
    return 0;
}

/* The descriptor of the last part, or minus an errno. */
static int beneath_go(beneath_walk *walk)
{
    char part[NAME_MAX + 1];
    int error = 0;
    while (error == 0 && beneath_part(walk, part)) {
        if (strcmp(part, ".") == 0) continue;
        if (strcmp(part, "..") == 0) {
            error = beneath_up(walk);
        } else if (walk->rest[strspn(walk->rest, "/")]) {
            error = beneath_down(walk, part);
        } else {
            const int file = openat(walk->folders[walk->depth], part, BENEATH_FLAGS | O_NOFOLLOW);
            if (file >= 0) return file;
            error = beneath_follow(walk, part, errno);
        }
    }
    if (error) return error;
    return walk->rest[0] ? -ENAMETOOLONG : -EISDIR;
}

int levy_open_beneath_by_parts(int folder, const char *name)
{
    beneath_walk walk = {.folders = {folder}};
    if (name[0] == '/') return -EXDEV;
    if (strlen(name) >= sizeof walk.rest) return -ENAMETOOLONG;
    memcpy(walk.rest, name, strlen(name) + 1);
    const int file = beneath_go(&walk);
    while (walk.depth > 0) close(walk.folders[walk.depth--]);
    return file;
}

/* ---- By the kernel ---- */

/* A descriptor or minus an errno. -ENOSYS: the kernel cannot, or fails for another reason than the
 * name. */
static int beneath_ask(int folder, const char *name)
{
#if defined(RESOLVE_BENEATH)
    const struct open_how how = {.flags = (unsigned)BENEATH_FLAGS,
                                 .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS};
    const long file = syscall(SYS_openat2, folder, name, &how, sizeof how);
    if (file >= 0) return (int)file;
    const bool own =
        errno == ENOENT || errno == EXDEV || errno == ELOOP || errno == EACCES || errno == ENOTDIR;
    return own ? -errno : -ENOSYS;
#else
    (void)folder;
    (void)name;
    return -ENOSYS;
#endif
}

int levy_open_beneath(const char *folder, const char *name, bool links)
{
    const int from = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (from < 0) return -errno;
    int file = -ENOSYS;
    if (links) {
        file = openat(from, name, BENEATH_FLAGS);
        if (file < 0) file = -errno;
    } else {
        file = beneath_ask(from, name);
        if (file == -ENOSYS) file = levy_open_beneath_by_parts(from, name);
    }
    close(from);
    return file;
}
