/* kernel_cache.c: see kernel_cache.h. Everything goes through the descriptor of the directory that
 * was checked, so that a path swapped later is of no use to anyone. Must not know: NVRTC, devices,
 * what a kernel computes. */
#include "kernels/cuda/compile/kernel_cache.h"

#include "engine/base/io.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { CACHE_MAX_FILE = 64 << 20, CACHE_STALE_SECONDS = 3600 };
static const uint64_t cache_default_limit = (uint64_t)256 << 20;
static const char cache_magic[8] = {'L', 'E', 'V', 'Y', 'K', 'R', 'N', '1'};
static const char cache_suffix[] = ".kernel", cache_temporary[] = ".new-";

/* The header in front of every kernel. The hash covers this header, with the hash itself as zero,
 * and the kernel. */
typedef struct cache_header {
    char magic[8];
    uint64_t key_low, key_high, size;
    int32_t compiler;
    uint32_t unused;
    char label[LEVY_CACHE_LABEL_SIZE];
    uint64_t hash_low, hash_high;
} cache_header;

static void cache_hash(cache_header *header, const void *data, size_t size)
{
    header->hash_low = header->hash_high = 0;
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, header, sizeof *header);
    XXH3_128bits_update(&state, data, size);
    const XXH128_hash_t hash = XXH3_128bits_digest(&state);
    header->hash_low = hash.low64;
    header->hash_high = hash.high64;
}

static void cache_name(const levy_cache_id *id, char name[LEVY_CACHE_NAME_SIZE])
{
    snprintf(name, LEVY_CACHE_NAME_SIZE, "%016" PRIx64 "%016" PRIx64 "-nvrtc%d.%d%s", id->key.high,
             id->key.low, id->compiler / 1000, id->compiler % 1000 / 10, cache_suffix);
}

/* ---- Opening --------------------------------------------------------------------------------- */

void levy_kernel_cache_init(levy_kernel_cache *cache)
{
    *cache = (levy_kernel_cache){.directory = -1, .limit = cache_default_limit};
}

static void cache_refuse(levy_kernel_cache *cache, const char *what, int error)
{
    if (cache->directory >= 0) close(cache->directory);
    cache->directory = -1;
    /* not strerror: it reads the locale */
    const char *text = error ? strerrordesc_np(error) : NULL;
    const char *const colon = text ? ": " : "";
    if (!text) text = "";
    snprintf(cache->reason, sizeof cache->reason, "the kernel cache %.300s %s%s%s", cache->path,
             what, colon, text);
}

/* Puts the user's directory into cache->path. False: there is none, or its path is too long. */
static bool cache_user_path(levy_kernel_cache *cache, const char *directory)
{
    const char *const own = secure_getenv("LEVY_CACHE_DIR");
    const char *const xdg = secure_getenv("XDG_CACHE_HOME");
    const char *const home = secure_getenv("HOME");
    int length = -1;
    if (directory && *directory)
        length = snprintf(cache->path, sizeof cache->path, "%s", directory);
    else if (own && *own)
        length = snprintf(cache->path, sizeof cache->path, "%s", own);
    else if (xdg && *xdg == '/')
        length = snprintf(cache->path, sizeof cache->path, "%s/levy/kernels", xdg);
    else if (home && *home == '/')
        length = snprintf(cache->path, sizeof cache->path, "%s/.cache/levy/kernels", home);
    if (length > 0 && (size_t)length < sizeof cache->path) return true;
    cache->path[0] = 0;
    if (length > 0)
        snprintf(cache->reason, sizeof cache->reason,
                 "the path of the kernel cache is too long: %d bytes; the limit is %d", length,
                 LEVY_CACHE_PATH_SIZE - 1);
    else
        snprintf(
            cache->reason, sizeof cache->reason,
            "there is no place for the kernel cache: neither LEVY_CACHE_DIR, XDG_CACHE_HOME nor "
            "HOME is set");
    return false;
}

static void cache_make_path(const char *path)
{
    char part[LEVY_CACHE_PATH_SIZE];
    for (size_t i = 1; path[i - 1]; ++i) {
        part[i - 1] = path[i - 1];
        if (path[i] != '/' && path[i] != 0) continue;
        part[i] = 0;
        mkdir(part, 0700); /* a failure shows when the directory is opened */
    }
}

static void cache_open_checked(levy_kernel_cache *cache, bool root_too)
{
    struct stat info;
    cache->directory = open(cache->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (cache->directory < 0 || fstat(cache->directory, &info) != 0) {
        cache_refuse(cache, "cannot be opened", errno);
    } else if (info.st_uid != geteuid() && !(root_too && info.st_uid == 0)) {
        cache_refuse(cache, "belongs to another user", 0);
    } else if (info.st_mode & (S_IWGRP | S_IWOTH)) {
        cache_refuse(cache, "can be written by other users (chmod 700 it)", 0);
    }
}

void levy_kernel_cache_open(levy_kernel_cache *cache, const char *directory, bool create,
                            uint64_t limit)
{
    levy_kernel_cache_init(cache);
    if (limit) cache->limit = limit;
    if (!cache_user_path(cache, directory)) return;
    if (create) cache_make_path(cache->path);
    cache_open_checked(cache, false);
    cache->writable =
        cache->directory >= 0 && faccessat(cache->directory, ".", W_OK, AT_EACCESS) == 0;
}

void levy_kernel_cache_open_installed(levy_kernel_cache *cache, const char *directory)
{
    levy_kernel_cache_init(cache);
    if (!directory ||
        snprintf(cache->path, sizeof cache->path, "%s", directory) >= (int)sizeof cache->path)
        return;
    cache_open_checked(cache, true);
}

void levy_kernel_cache_close(levy_kernel_cache *cache)
{
    if (cache->directory >= 0) close(cache->directory);
    cache->directory = -1;
}

/* ---- Walking --------------------------------------------------------------------------------- */

typedef struct cache_entry {
    char name[LEVY_CACHE_NAME_SIZE];
    uint64_t size;
    struct timespec used;
} cache_entry;

/* Opens the directory once more, so that the walk has a position of its own; NULL: it failed. */
static DIR *cache_walk(const levy_kernel_cache *cache)
{
    const int copy = openat(cache->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *walk = copy >= 0 ? fdopendir(copy) : NULL;
    if (!walk && copy >= 0) close(copy);
    return walk;
}

static bool cache_is_kernel(const char *name)
{
    const size_t length = strlen(name), suffix = sizeof cache_suffix - 1;
    return name[0] != '.' && length > suffix && length < LEVY_CACHE_NAME_SIZE &&
           !strcmp(name + length - suffix, cache_suffix);
}

/* Removes an entry: a file, a link, or a folder that has a kernel's name. A folder with something
 * in it is only moved aside, because what is in there is not ours. Nothing but a folder is moved:
 * between two of these calls another process may have put a new kernel in the place of one that a
 * third has removed. */
static bool cache_drop(const levy_kernel_cache *cache, const char *name)
{
    char aside[LEVY_CACHE_NAME_SIZE + 16];
    if (unlinkat(cache->directory, name, 0) == 0) return true;
    if (errno != EISDIR && errno != EPERM) return false; /* Linux says EISDIR, POSIX EPERM */
    if (unlinkat(cache->directory, name, AT_REMOVEDIR) == 0) return true;
    if (errno != ENOTEMPTY && errno != EEXIST) return false;
    snprintf(aside, sizeof aside, "%s%s-%ld", cache_temporary, name, (long)getpid());
    return renameat(cache->directory, name, cache->directory, aside) == 0;
}

/* The next kernel of the walk; temporary files that a dead process left behind are removed on the
 * way. */
static bool cache_next(const levy_kernel_cache *cache, DIR *walk, cache_entry *entry)
{
    const struct dirent *item;
    while ((item = readdir(walk)) != NULL) {
        struct stat info;
        const bool left_over = !strncmp(item->d_name, cache_temporary, sizeof cache_temporary - 1);
        if (!left_over && !cache_is_kernel(item->d_name)) continue;
        if (fstatat(cache->directory, item->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (left_over) {
            if (cache->writable && time(NULL) - info.st_mtime > CACHE_STALE_SECONDS)
                unlinkat(cache->directory, item->d_name, S_ISDIR(info.st_mode) ? AT_REMOVEDIR : 0);
            continue;
        }
        /* short enough: cache_is_kernel has checked */
        memcpy(entry->name, item->d_name, strlen(item->d_name) + 1);
        entry->size = info.st_size > 0 ? (uint64_t)info.st_size : 0;
        entry->used = info.st_mtim;
        return true;
    }
    return false;
}

static bool cache_before(const cache_entry *a, const cache_entry *b)
{
    if (a->used.tv_sec != b->used.tv_sec) return a->used.tv_sec < b->used.tv_sec;
    return a->used.tv_nsec < b->used.tv_nsec;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool cache_read_all(int file, void *to, size_t size)
{
    size_t got;
    return levy_io_read(file, to, size, &got) == 0 && got == size;
}

static bool cache_file_trusted(const levy_kernel_cache *cache, int file, struct stat *info)
{
    if (fstat(file, info) != 0 || !S_ISREG(info->st_mode)) return false;
    if (info->st_mode & (S_IWGRP | S_IWOTH)) return false;
    if (info->st_uid != geteuid() && (cache->writable || info->st_uid != 0)) return false;
    return info->st_size > (off_t)sizeof(cache_header) && info->st_size <= CACHE_MAX_FILE;
}

/* Is this what was once written for this key? */
static bool cache_intact(const levy_cache_id *id, const cache_header *header, const void *data,
                         size_t size)
{
    cache_header check = *header;
    if (memcmp(header->magic, cache_magic, sizeof cache_magic) != 0 || header->size != size)
        return false;
    if (header->key_low != id->key.low || header->key_high != id->key.high) return false;
    if (id->compiler && header->compiler != id->compiler) return false;
    cache_hash(&check, data, size);
    return check.hash_low == header->hash_low && check.hash_high == header->hash_high;
}

/* LEVY_INPUT: the file is damaged, or not one of ours. */
static levy_status cache_load(const levy_kernel_cache *cache, const levy_memory *memory,
                              const levy_cache_id *id, int file, void **data, size_t *size)
{
    struct stat info;
    cache_header header;
    if (!cache_file_trusted(cache, file, &info) || !cache_read_all(file, &header, sizeof header))
        return LEVY_INPUT;
    const size_t bytes = (size_t)info.st_size - sizeof header;
    void *content = levy_memory_allocate(memory, bytes, 1);
    if (!content) return LEVY_MEMORY;
    if (!cache_read_all(file, content, bytes) || !cache_intact(id, &header, content, bytes)) {
        levy_memory_release(memory, content);
        return LEVY_INPUT;
    }
    *data = content;
    *size = bytes;
    return LEVY_OK;
}

/* Finds the name of a kernel with this key from any compiler: the last in the order of names. */
static bool cache_find_any(const levy_kernel_cache *cache, const levy_cache_id *id,
                           char name[LEVY_CACHE_NAME_SIZE])
{
    char wanted[LEVY_CACHE_NAME_SIZE];
    cache_entry entry;
    cache_name(id, wanted);
    name[0] = 0;
    DIR *walk = cache_walk(cache);
    while (walk && cache_next(cache, walk, &entry))
        if (!strncmp(entry.name, wanted, 32) && strcmp(entry.name, name) > 0)
            memcpy(name, entry.name, sizeof entry.name);
    if (walk) closedir(walk);
    return name[0] != 0;
}

levy_status levy_kernel_cache_find(const levy_kernel_cache *cache, const levy_memory *memory,
                                   const levy_cache_id *id, void **data, size_t *size)
{
    char name[LEVY_CACHE_NAME_SIZE];
    *data = NULL;
    *size = 0;
    if (cache->directory < 0) return LEVY_OK;
    if (id->compiler)
        cache_name(id, name);
    else if (!cache_find_any(cache, id, name))
        return LEVY_OK;
    const int file = openat(cache->directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) {
        if (errno == ELOOP && cache->writable) unlinkat(cache->directory, name, 0);
        return LEVY_OK;
    }
    const levy_status status = cache_load(cache, memory, id, file, data, size);
    /* marks the time of last use, because access times may be switched off */
    if (status == LEVY_OK && cache->writable) futimens(file, NULL);
    if (status == LEVY_INPUT && cache->writable) (void)cache_drop(cache, name);
    close(file);
    return status == LEVY_MEMORY ? LEVY_MEMORY : LEVY_OK;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool cache_write_all(int file, const void *from, size_t size)
{
    size_t written;
    errno = levy_io_write(file, from, size, &written);
    return errno == 0;
}

/* Removes the least recently used kernels until the directory is within its limit. Another process
 * may be doing the same. */
static void cache_evict(const levy_kernel_cache *cache)
{
    for (;;) {
        cache_entry entry, oldest = {.name = ""};
        uint64_t total = 0;
        DIR *walk = cache_walk(cache);
        while (walk && cache_next(cache, walk, &entry)) {
            total += entry.size;
            if (!oldest.name[0] || cache_before(&entry, &oldest)) oldest = entry;
        }
        if (walk) closedir(walk);
        if (total <= cache->limit || !oldest.name[0]) return;
        if (!cache_drop(cache, oldest.name) && errno != ENOENT) return;
    }
}

static bool cache_write_file(const levy_kernel_cache *cache, const char *name,
                             const cache_header *header, const void *data, size_t size)
{
    uint64_t random = 0;
    char temporary[LEVY_CACHE_NAME_SIZE];
    if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random) return false;
    snprintf(temporary, sizeof temporary, "%s%ld-%016" PRIx64, cache_temporary, (long)getpid(),
             random);
    const int file = openat(cache->directory, temporary,
                            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return false;
    const bool done = cache_write_all(file, header, sizeof *header) &&
                      cache_write_all(file, data, size) && fsync(file) == 0;
    int error = done ? 0 : errno;
    if (close(file) != 0 && !error) error = errno;
    if (!error && renameat(cache->directory, temporary, cache->directory, name) != 0) error = errno;
    if (error) unlinkat(cache->directory, temporary, 0);
    errno = error;
    return error == 0;
}

levy_status levy_kernel_cache_store(const levy_kernel_cache *cache, const levy_cache_id *id,
                                    const void *data, size_t size)
{
    char name[LEVY_CACHE_NAME_SIZE];
    errno = EROFS;
    if (cache->directory < 0 || !cache->writable) return LEVY_IO;
    errno = EFBIG;
    if (size == 0 || size > CACHE_MAX_FILE - sizeof(cache_header)) return LEVY_IO;
    if (size + sizeof(cache_header) > cache->limit) return LEVY_IO;
    cache_header header;
    memset(&header, 0, sizeof header);
    memcpy(header.magic, cache_magic, sizeof cache_magic);
    header.key_low = id->key.low;
    header.key_high = id->key.high;
    header.size = size;
    header.compiler = id->compiler;
    snprintf(header.label, sizeof header.label, "%s", id->label);
    cache_hash(&header, data, size);
    cache_name(id, name);
    if (!cache_write_file(cache, name, &header, data, size)) return LEVY_IO;
    fsync(cache->directory);
    cache_evict(cache);
    return LEVY_OK;
}

/* ---- Listing --------------------------------------------------------------------------------- */

static int cache_later_first(const void *a, const void *b)
{
    const cache_entry *const x = a, *const y = b;
    if (cache_before(x, y)) return 1;
    if (cache_before(y, x)) return -1;
    return strcmp(x->name, y->name);
}

/* The label inside the file, with anything unprintable replaced. */
static void cache_label(const levy_kernel_cache *cache, const char *name,
                        char label[LEVY_CACHE_LABEL_SIZE])
{
    cache_header header = {.label = "unreadable"};
    const int file = openat(cache->directory, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 || !cache_read_all(file, &header, sizeof header))
        snprintf(header.label, sizeof header.label, "unreadable");
    if (file >= 0) close(file);
    header.label[sizeof header.label - 1] = 0;
    for (char *c = header.label; *c; ++c)
        if (*c < ' ' || *c > '~') *c = '?';
    memcpy(label, header.label, LEVY_CACHE_LABEL_SIZE);
}

static levy_status cache_read_entries(const levy_kernel_cache *cache, const levy_memory *memory,
                                      cache_entry **entries, size_t *count)
{
    size_t room = 0;
    cache_entry entry;
    DIR *walk = cache_walk(cache);
    if (!walk) return LEVY_IO;
    levy_status status = LEVY_OK;
    while (status == LEVY_OK && cache_next(cache, walk, &entry)) {
        cache_entry *grown = levy_memory_extend(memory, *entries, *count, &room, 64, sizeof *grown);
        status = grown ? LEVY_OK : LEVY_MEMORY;
        if (grown) *entries = grown;
        if (grown) (*entries)[(*count)++] = entry;
    }
    closedir(walk);
    return status;
}

static levy_status cache_write_entry(const levy_kernel_cache *cache, const cache_entry *entry,
                                     int action, int (*write)(void *, const char *, size_t),
                                     void *user)
{
    char line[320], label[LEVY_CACHE_LABEL_SIZE], when[32] = "";
    struct tm parts;
    cache_label(cache, entry->name, label);
    if (action == 1 && !cache_drop(cache, entry->name) && errno != ENOENT) return LEVY_IO;
    if (gmtime_r(&entry->used.tv_sec, &parts))
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &parts);
    const int length = action == 1
                           ? snprintf(line, sizeof line, "removed %s  %s\n", entry->name, label)
                           : snprintf(line, sizeof line, "%s  %8" PRIu64 " bytes  used %s  %s\n",
                                      entry->name, entry->size, when, label);
    return write(user, line, (size_t)length) == 0 ? LEVY_OK : LEVY_IO;
}

levy_status levy_kernel_cache_list(const levy_kernel_cache *cache, const levy_memory *memory,
                                   int action, int (*write)(void *, const char *, size_t),
                                   void *user)
{
    cache_entry *entries = NULL;
    size_t count = 0;
    if (cache->directory < 0) return LEVY_OK;
    levy_status status = cache_read_entries(cache, memory, &entries, &count);
    if (status == LEVY_OK && count) qsort(entries, count, sizeof *entries, cache_later_first);
    for (size_t i = 0; status == LEVY_OK && i < count; ++i)
        status = cache_write_entry(cache, &entries[i], action, write, user);
    levy_memory_release(memory, entries);
    return status;
}
