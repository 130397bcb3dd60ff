/* test_cuda_cache.c: the kernel cache on disk: what it trusts, what it survives, what it forgets.
 */
#include "tests/cmocka_all.h"

#include "kernels/cuda/device/launch.h"
#include "tests/cuda_image.h"
#include "tests/fake_cuda.h"
#include "tests/kept_text.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[64];
static const levy_cache_id id = {
    .key = {0x1122334455667788u, 0x99aabbccddeeff00u}, .compiler = 13000, .label = "sm_90 double"};
static const char name[] = "99aabbccddeeff001122334455667788-nvrtc13.0.kernel";
static const char kernel[] = "a kernel's bytes, which end with a NUL";

static int make_folder(void **state)
{
    (void)state;
    fake_cuda_reset();
    snprintf(folder, sizeof folder, "/tmp/levy-cache-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    DIR *const walk = opendir(folder);
    const struct dirent *item;
    while (walk && (item = readdir(walk)) != NULL) {
        char inside[300];
        snprintf(inside, sizeof inside, "%s/x", item->d_name);
        unlinkat(dirfd(walk), item->d_name, 0);
        if (item->d_name[0] == '.' && strlen(item->d_name) < 3) continue;
        unlinkat(dirfd(walk), inside, 0);
        unlinkat(dirfd(walk), item->d_name, AT_REMOVEDIR);
    }
    if (walk) closedir(walk);
    return rmdir(folder);
}

static levy_kernel_cache opened(uint64_t limit)
{
    levy_kernel_cache cache;
    levy_kernel_cache_open(&cache, folder, true, limit);
    assert_string_equal(cache.reason, "");
    assert_true(cache.directory >= 0 && cache.writable);
    return cache;
}

/* Size of the kernel found under an identity, 0: none. */
static size_t found(const levy_kernel_cache *cache, const levy_cache_id *wanted)
{
    void *data = NULL;
    size_t size = 0;
    assert_int_equal(levy_kernel_cache_find(cache, &levy_memory_default, wanted, &data, &size),
                     LEVY_OK);
    assert_true((data == NULL) == (size == 0));
    if (data && size == sizeof kernel) assert_memory_equal(data, kernel, sizeof kernel);
    free(data);
    return size;
}

static size_t files(const char *suffix)
{
    size_t count = 0;
    DIR *const walk = opendir(folder);
    const struct dirent *item;
    while ((item = readdir(walk)) != NULL) {
        const size_t length = strlen(item->d_name), end = strlen(suffix);
        count +=
            item->d_name[0] != '.' && length >= end && !strcmp(item->d_name + length - end, suffix);
        if (!strncmp(item->d_name, ".new-", 5)) count += 1000;
    }
    closedir(walk);
    return count;
}

static void cache_path(char path[192]) { snprintf(path, 192, "%s/%s", folder, name); }

static void store(levy_kernel_cache *cache)
{
    assert_int_equal(levy_kernel_cache_store(cache, &id, kernel, sizeof kernel), LEVY_OK);
}

static void test_cache_gives_back_what_was_stored(void **state)
{
    (void)state;
    levy_kernel_cache cache = opened(0);
    levy_cache_id other = id;
    assert_int_equal(found(&cache, &id), 0);
    store(&cache);
    assert_int_equal(found(&cache, &id), sizeof kernel);
    other.key.low ^= 1;
    assert_int_equal(found(&cache, &other), 0);
    other = id;
    other.compiler = 12090;
    assert_int_equal(found(&cache, &other), 0);
    other.compiler = 0; /* by any compiler */
    assert_int_equal(found(&cache, &other), sizeof kernel);
    assert_int_equal(files(".kernel"), 1);
    struct stat info;
    char path[192];
    cache_path(path);
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    levy_kernel_cache_close(&cache);
}

static void test_cache_drops_a_file_with_any_byte_changed(void **state)
{
    (void)state;
    char path[192];
    struct stat info;
    cache_path(path);
    levy_kernel_cache cache = opened(0);
    store(&cache);
    assert_int_equal(stat(path, &info), 0);
    const long size = (long)info.st_size;
    for (long at = 0; at < size; at += 3) {
        store(&cache);
        FILE *const file = fopen(path, "r+b");
        fseek(file, at, SEEK_SET);
        const int old = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(old ^ 0x20, file);
        fclose(file);
        assert_int_equal(found(&cache, &id), 0);
        assert_int_equal(access(path, F_OK), -1); /* gone: the next one compiles it anew */
    }
    levy_kernel_cache_close(&cache);
}

static void test_cache_drops_a_file_cut_short_or_grown(void **state)
{
    (void)state;
    char path[192];
    cache_path(path);
    levy_kernel_cache cache = opened(0);
    for (long size = 0; size < 160; size += 7) {
        store(&cache);
        struct stat info;
        assert_int_equal(stat(path, &info), 0);
        if (size == info.st_size) continue;
        assert_int_equal(truncate(path, size), 0);
        assert_int_equal(found(&cache, &id), 0);
    }
    store(&cache);
    assert_int_equal(truncate(path, 100000), 0);
    assert_int_equal(found(&cache, &id), 0);
    levy_kernel_cache_close(&cache);
}

static void test_cache_refuses_a_directory_others_may_write(void **state)
{
    (void)state;
    static const mode_t modes[] = {0777, 0770, 0702};
    for (size_t i = 0; i < 3; ++i) {
        levy_kernel_cache cache;
        assert_int_equal(chmod(folder, modes[i]), 0);
        levy_kernel_cache_open(&cache, folder, true, 0);
        assert_int_equal(cache.directory, -1);
        assert_non_null(strstr(cache.reason, "can be written by other users (chmod 700 it)"));
        assert_int_equal(found(&cache, &id), 0);
        assert_int_equal(levy_kernel_cache_store(&cache, &id, kernel, sizeof kernel), LEVY_IO);
    }
    assert_int_equal(chmod(folder, 0700), 0);
}

static void test_cache_refuses_another_users_directory_and_files(void **state)
{
    (void)state;
    char path[192];
    cache_path(path);
    if (geteuid() != 0) {
        print_message("skipped: only root can give a directory away\n");
        skip();
    }
    levy_kernel_cache cache = opened(0);
    store(&cache);
    assert_int_equal(chown(path, 65534, 65534), 0);
    assert_int_equal(found(&cache, &id), 0);
    levy_kernel_cache_close(&cache);
    assert_int_equal(chown(folder, 65534, 65534), 0);
    levy_kernel_cache_open(&cache, folder, true, 0);
    assert_int_equal(cache.directory, -1);
    assert_non_null(strstr(cache.reason, "belongs to another user"));
    assert_int_equal(chown(folder, 0, 0), 0);
}

static void test_cache_refuses_links_and_files_others_may_write(void **state)
{
    (void)state;
    char path[192], moved[256];
    cache_path(path);
    snprintf(moved, sizeof moved, "%s/elsewhere", folder);
    levy_kernel_cache cache = opened(0);
    store(&cache);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(symlink(moved, path), 0);
    assert_int_equal(found(&cache, &id), 0);
    store(&cache);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(found(&cache, &id), 0);
    assert_int_equal(mkfifo(path, 0600), 0); /* must not hang either */
    assert_int_equal(found(&cache, &id), 0);
    levy_kernel_cache_close(&cache);
}

static void test_cache_evicts_the_least_recently_used(void **state)
{
    (void)state;
    enum { SIZE = 1000, COUNT = 10 };
    char data[SIZE] = "k";
    levy_kernel_cache cache = opened(5 * 1200);
    levy_cache_id each = id;
    for (uint64_t k = 0; k < COUNT; ++k) {
        each.key.low = k;
        assert_int_equal(levy_kernel_cache_store(&cache, &each, data, SIZE), LEVY_OK);
        const struct timespec moment = {0, 5000000};
        nanosleep(&moment, NULL);
        each.key.low = 0;
        /* the first is used all the time, and stays */
        assert_int_equal(found(&cache, &each), SIZE);
        nanosleep(&moment, NULL);
    }
    assert_int_equal(files(".kernel"), 5);
    each.key.low = COUNT - 1;
    assert_int_equal(found(&cache, &each), SIZE);
    each.key.low = 1;
    assert_int_equal(found(&cache, &each), 0);
    levy_kernel_cache_close(&cache);
    cache = opened(500); /* a kernel larger than the bound is not kept, and drives nothing out */
    assert_int_equal(levy_kernel_cache_store(&cache, &each, data, SIZE), LEVY_IO);
    assert_int_equal(files(".kernel"), 5);
    levy_kernel_cache_close(&cache);
}

/* Writes and reads the same few kernels over and over; 0: every one found was whole. */
static int hammer(unsigned seed)
{
    levy_kernel_cache cache;
    char data[3000];
    /* room for three: eviction runs all the time */
    levy_kernel_cache_open(&cache, folder, true, 9000);
    if (cache.directory < 0) return 1;
    for (unsigned turn = 0; turn < 600; ++turn) {
        levy_cache_id each = id;
        void *got = NULL;
        size_t size = 0;
        each.key.low = (seed + turn) % 5;
        memset(data, (int)('a' + each.key.low), sizeof data);
        if (levy_kernel_cache_find(&cache, &levy_memory_default, &each, &got, &size) != LEVY_OK)
            return 2;
        if (got && (size != 2500 || memcmp(got, data, size) != 0)) return 3;
        if (!got && levy_kernel_cache_store(&cache, &each, data, 2500) != LEVY_OK) return 4;
        free(got);
    }
    levy_kernel_cache_close(&cache);
    return 0;
}

static void test_cache_survives_many_processes(void **state)
{
    (void)state;
    enum { PROCESSES = 6 };
    pid_t children[PROCESSES];
    for (unsigned i = 0; i < PROCESSES; ++i) {
        children[i] = fork();
        if (children[i] == 0) _exit(hammer(i));
    }
    for (unsigned i = 0; i < PROCESSES; ++i) {
        int status = -1;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    assert_in_range(files(".kernel"), 1, 3); /* and no temporary file is left */
}

static void test_cache_removes_what_dead_processes_left(void **state)
{
    (void)state;
    char old[192], young[192];
    snprintf(old, sizeof old, "%s/.new-1-0000000000000001", folder);
    snprintf(young, sizeof young, "%s/.new-2-0000000000000002", folder);
    close(open(old, O_CREAT | O_WRONLY, 0600));
    close(open(young, O_CREAT | O_WRONLY, 0600));
    const struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    assert_int_equal(utimensat(AT_FDCWD, old, long_ago, 0), 0);
    levy_kernel_cache cache = opened(0);
    store(&cache);
    assert_int_equal(access(old, F_OK), -1);
    assert_int_equal(access(young, F_OK), 0);
    levy_kernel_cache_close(&cache);
}

static void test_cache_reads_but_does_not_write_a_read_only_directory(void **state)
{
    (void)state;
    levy_kernel_cache cache = opened(0);
    store(&cache);
    levy_kernel_cache_close(&cache);
    assert_int_equal(chmod(folder, 0500), 0);
    const pid_t child = fork();
    if (child == 0) { /* root may write anywhere: become somebody who may not */
        if (geteuid() == 0) {
            char path[192];
            cache_path(path);
            if (chown(path, 65534, 65534) != 0 || chown(folder, 65534, 65534) != 0 ||
                setuid(65534) != 0)
                _exit(10);
        }
        levy_kernel_cache_open(&cache, folder, true, 0);
        if (cache.directory < 0 || cache.writable) _exit(11);
        if (found(&cache, &id) != sizeof kernel) _exit(12);
        _exit(levy_kernel_cache_store(&cache, &id, kernel, sizeof kernel) == LEVY_IO ? 0 : 13);
    }
    int status = -1;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(chmod(folder, 0700), 0);
}

static void test_cache_default_places(void **state)
{
    (void)state;
    levy_kernel_cache cache;
    char place[128];
    const struct {
        const char *variable, *value, *ending;
    } cases[] = {{"HOME", folder, "/.cache/levy/kernels"},
                 {"XDG_CACHE_HOME", folder, "/levy/kernels"},
                 {"LEVY_CACHE_DIR", folder, ""}};
    char *const home = getenv("HOME") ? strdup(getenv("HOME")) : NULL;
    unsetenv("XDG_CACHE_HOME");
    unsetenv("LEVY_CACHE_DIR");
    for (size_t i = 0; i < 3; ++i) { /* each one goes before those above it */
        setenv(cases[i].variable, cases[i].value, 1);
        levy_kernel_cache_open(&cache, NULL, false, 0);
        snprintf(place, sizeof place, "%s%s", folder, cases[i].ending);
        assert_string_equal(cache.path, place);
        levy_kernel_cache_close(&cache);
    }
    char *const path = test_calloc(1, 5001);
    memset(path, '/', 5000);
    setenv("LEVY_CACHE_DIR", path, 1);
    test_free(path);
    levy_kernel_cache_open(&cache, NULL, true, 0);
    assert_int_equal(cache.directory, -1);
    assert_string_equal(cache.reason, "the path of the kernel cache is too long: 5000 bytes; the "
                                      "limit is 4095");
    unsetenv("LEVY_CACHE_DIR");
    setenv("XDG_CACHE_HOME", "relative/is/ignored", 1);
    unsetenv("HOME");
    levy_kernel_cache_open(&cache, NULL, true, 0);
    assert_int_equal(cache.directory, -1);
    assert_non_null(strstr(cache.reason, "neither LEVY_CACHE_DIR, XDG_CACHE_HOME nor HOME is set"));
    unsetenv("XDG_CACHE_HOME");
    if (home) setenv("HOME", home, 1);
    free(home);
}

static void test_cache_makes_its_directory_for_its_user_alone(void **state)
{
    (void)state;
    levy_kernel_cache cache;
    struct stat info;
    char deep[128], parent[128];
    snprintf(parent, sizeof parent, "%s/a", folder);
    snprintf(deep, sizeof deep, "%s/a/b", folder);
    const mode_t old = umask(0);
    levy_kernel_cache_open(&cache, deep, true, 0);
    umask(old);
    assert_true(cache.directory >= 0);
    assert_int_equal(stat(deep, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    levy_kernel_cache_close(&cache);
    assert_int_equal(rmdir(deep), 0);
    assert_int_equal(rmdir(parent), 0);
    levy_kernel_cache_open(&cache, deep, false, 0); /* looking makes nothing */
    assert_int_equal(cache.directory, -1);
    assert_int_equal(access(parent, F_OK), -1);
}

static void test_cache_lists_and_clears(void **state)
{
    (void)state;
    levy_kernel_cache cache = opened(0);
    levy_cache_id second = id;
    second.key.low = 5;
    snprintf(second.label, sizeof second.label, "sm_80\n\x1b[31m");
    store(&cache);
    assert_int_equal(levy_kernel_cache_store(&cache, &second, kernel, sizeof kernel), LEVY_OK);
    levy_kernel_cache_close(&cache);
    const levy_backend_options o = {.memory = &levy_memory_default, .cache_dir = folder};
    kept_text out = {.length = 0};
    assert_int_equal(levy_cuda_cache(&o, 0, text_write, &out), LEVY_OK);
    assert_non_null(strstr(out.bytes, name));
    assert_non_null(strstr(out.bytes, "sm_90 double\n"));
    assert_non_null(strstr(out.bytes, "sm_80??[31m\n")); /* nothing a terminal would obey */
    out.length = 0;
    assert_int_equal(levy_cuda_cache(&o, 1, text_write, &out), LEVY_OK);
    assert_int_equal(strncmp(out.bytes, "removed ", 8), 0);
    assert_int_equal(files(""), 0);
    out = (kept_text){.length = 0};
    assert_int_equal(levy_cuda_cache(&o, 0, text_write, &out), LEVY_OK);
    assert_int_equal(out.length, 0);
}

/* ---- Through the backend --------------------------------------------------------------------- */

/* Opens, loads one tile, closes; the launches and compiles are in `fake`. */
static void load_once(const levy_backend_options *o, uint32_t precision)
{
    cuda_image image;
    levy_cuda *cuda = NULL;
    levy_block_sum sum;
    double seconds = 0.0;
    char why[LEVY_REASON_SIZE] = "";
    cuda_image_make(&image, 1, 100.0);
    image.header.precision = precision;
    const levy_tile tile = cuda_image_tile(0, 1);
    assert_int_equal(levy_cuda_open(fake_cuda_calls(), o, &cuda, why), LEVY_OK);
    assert_int_equal(levy_cuda_load(cuda, &image.header, &tile, 1, why), LEVY_OK);
    assert_int_equal(
        levy_cuda_simulate(cuda, &(levy_batch){.tile = tile, .first_block = 3, .n_blocks = 1}, NULL,
                           &sum, &seconds, why),
        LEVY_OK);
    assert_true(sum.mean == 3064.0);
    levy_cuda_close(cuda);
    assert_int_equal(fake.held, 0);
}

static void test_backend_compiles_a_shape_once_for_all_processes(void **state)
{
    (void)state;
    levy_backend_options o = {.memory = &levy_memory_default, .device = -1, .cache_dir = folder};
    load_once(&o, 0);
    load_once(&o, 0);
    assert_int_equal(fake.compiles, 1);
    load_once(&o, 1); /* another precision, another compiler, another GPU: other kernels */
    assert_int_equal(fake.compiles, 2);
    fake.compiler_minor = 1;
    load_once(&o, 0);
    assert_int_equal(fake.compiles, 3);
    fake.compiler_minor = 0;
    fake.capability = 75;
    load_once(&o, 0);
    assert_int_equal(fake.compiles, 4);
    assert_int_equal(files(".kernel"), 4);
}

static void test_backend_without_cache_neither_reads_nor_writes(void **state)
{
    (void)state;
    levy_backend_options o = {.memory = &levy_memory_default, .device = -1, .cache_dir = folder};
    load_once(&o, 0);
    o.no_cache = true;
    load_once(&o, 0);
    load_once(&o, 1);
    assert_int_equal(fake.compiles, 3);
    assert_int_equal(files(".kernel"), 1);
}

static void test_backend_recompiles_a_damaged_kernel(void **state)
{
    (void)state;
    levy_backend_options o = {.memory = &levy_memory_default, .device = -1, .cache_dir = folder};
    load_once(&o, 0);
    DIR *const walk = opendir(folder);
    const struct dirent *item;
    while ((item = readdir(walk)) != NULL)
        if (item->d_name[0] != '.') {
            const int file = openat(dirfd(walk), item->d_name, O_WRONLY);
            assert_int_equal(pwrite(file, "garbage", 7, 200), 7);
            close(file);
        }
    closedir(walk);
    load_once(&o, 0);
    assert_int_equal(fake.compiles, 2);
    load_once(&o, 0);
    assert_int_equal(fake.compiles, 2);
}

static void test_backend_goes_on_without_a_usable_cache(void **state)
{
    (void)state;
    levy_backend_options o = {.memory = &levy_memory_default, .device = -1, .cache_dir = folder};
    levy_cuda *cuda = NULL;
    levy_backend_info info;
    char why[LEVY_REASON_SIZE] = "";
    assert_int_equal(chmod(folder, 0777), 0);
    load_once(&o, 0);
    load_once(&o, 0);
    assert_int_equal(fake.compiles, 2);
    assert_int_equal(levy_cuda_open(fake_cuda_calls(), &o, &cuda, why), LEVY_OK);
    levy_cuda_describe(cuda, &info);
    assert_non_null(strstr(info.warning, "kernels are compiled anew each time: the kernel cache "));
    levy_cuda_close(cuda);
    assert_int_equal(chmod(folder, 0700), 0);
}

static void test_backend_takes_shipped_kernels_without_nvrtc(void **state)
{
    (void)state;
    levy_backend_options o = {.memory = &levy_memory_default, .device = -1, .cache_dir = folder};
    load_once(&o, 0); /* what an install does: fills a directory */
    o.cache_dir = NULL;
    o.no_cache = true;
    o.install_dir = folder;
    fake.compiler_status = LEVY_DEVICE;
    load_once(&o, 0);
    assert_int_equal(fake.compiles, 1);
    fake.compiler_status = LEVY_OK; /* a newer NVRTC takes the shipped ones too */
    fake.compiler_minor = 2;
    load_once(&o, 0);
    assert_int_equal(fake.compiles, 1);
}

static void test_build_fills_the_cache_for_a_device_to_come(void **state)
{
    (void)state;
    cuda_image image;
    char report[512], why[LEVY_REASON_SIZE] = "";
    levy_backend_options o = {.memory = &levy_memory_default, .device = -1, .cache_dir = folder};
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    assert_int_equal(levy_cuda_build(fake_cuda_calls(), &o, "sm_90", &image.header, &tile, 1,
                                     report, sizeof report, why),
                     LEVY_OK);
    assert_non_null(strstr(report, ": compiled in "));
    load_once(&o, 0);
    assert_int_equal(fake.compiles, 1);
    assert_int_equal(levy_cuda_build(fake_cuda_calls(), &o, "sm_90", &image.header, &tile, 1,
                                     report, sizeof report, why),
                     LEVY_OK);
    assert_non_null(strstr(report, ": cached in "));
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(levy_cuda_build(fake_cuda_calls(), &o, "sm_90", &image.header, &tile, 1,
                                     report, sizeof report, why),
                     LEVY_IO);
    assert_non_null(strstr(why, "chmod 700"));
    assert_int_equal(chmod(folder, 0700), 0);
}

/* A disk that takes no kernel, here a limit of the process: that nothing was kept is the result of
 * the whole command. */
static void test_build_fails_where_the_cache_keeps_nothing(void **state)
{
    (void)state;
    cuda_image image;
    char report[512], why[LEVY_REASON_SIZE] = "";
    struct rlimit before;
    levy_backend_options o = {.memory = &levy_memory_default, .device = -1, .cache_dir = folder};
    cuda_image_make(&image, 1, 100.0);
    const levy_tile tile = cuda_image_tile(0, 1);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){16, before.rlim_max}), 0);
    const levy_status status = levy_cuda_build(fake_cuda_calls(), &o, "sm_90", &image.header, &tile,
                                               1, report, sizeof report, why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, LEVY_IO);
    assert_non_null(strstr(why, "cannot keep a kernel: File too large"));
    assert_int_equal(files(""), 0);
    load_once(&o, 0); /* pricing does not mind */
    assert_int_equal(fake.compiles, 2);
}

/* Made by a stray mkdir, or by an archive that was unpacked in the wrong place. */
static void test_a_folder_in_a_kernels_place_gives_way(void **state)
{
    (void)state;
    levy_backend_options o = {.memory = &levy_memory_default, .device = -1, .cache_dir = folder};
    char path[512] = "", inside[520];
    load_once(&o, 0);
    DIR *const walk = opendir(folder);
    const struct dirent *item;
    while ((item = readdir(walk)) != NULL)
        if (item->d_name[0] != '.') snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
    closedir(walk);
    for (int filled = 0; filled < 2; ++filled) {
        const long compiles = fake.compiles;
        assert_int_equal(unlink(path), 0);
        assert_int_equal(mkdir(path, 0700), 0);
        snprintf(inside, sizeof inside, "%s/x", path);
        if (filled) close(open(inside, O_CREAT | O_WRONLY, 0600));
        load_once(&o, 0);
        assert_int_equal(fake.compiles, compiles + 1);
        load_once(&o, 0);
        assert_int_equal(fake.compiles, compiles + 1);
    }
    levy_kernel_cache cache = opened(0);
    assert_int_equal(mkdir(strcat(path, "0.kernel"), 0700), 0); /* clearing takes one away too */
    kept_text out = {.length = 0};
    assert_int_equal(levy_cuda_cache(&o, 1, text_write, &out), LEVY_OK);
    assert_int_equal(files(".kernel"), 1000); /* the full one, moved aside */
    levy_kernel_cache_close(&cache);
}

#define CASE(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(test_cache_gives_back_what_was_stored),
        CASE(test_cache_drops_a_file_with_any_byte_changed),
        CASE(test_cache_drops_a_file_cut_short_or_grown),
        CASE(test_cache_refuses_a_directory_others_may_write),
        CASE(test_cache_refuses_another_users_directory_and_files),
        CASE(test_cache_refuses_links_and_files_others_may_write),
        CASE(test_cache_evicts_the_least_recently_used),
        CASE(test_cache_survives_many_processes),
        CASE(test_cache_removes_what_dead_processes_left),
        CASE(test_cache_reads_but_does_not_write_a_read_only_directory),
        CASE(test_cache_default_places),
        CASE(test_cache_makes_its_directory_for_its_user_alone),
        CASE(test_cache_lists_and_clears),
        CASE(test_backend_compiles_a_shape_once_for_all_processes),
        CASE(test_backend_without_cache_neither_reads_nor_writes),
        CASE(test_backend_recompiles_a_damaged_kernel),
        CASE(test_backend_goes_on_without_a_usable_cache),
        CASE(test_backend_takes_shipped_kernels_without_nvrtc),
        CASE(test_build_fills_the_cache_for_a_device_to_come),
        CASE(test_build_fails_where_the_cache_keeps_nothing),
        CASE(test_a_folder_in_a_kernels_place_gives_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
