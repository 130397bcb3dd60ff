/* module.c: see module.h. Must not know: what a backend does, plans, problems. */
#include "engine/run/module.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef LEVY_INSTALL_LIBDIR
#define LEVY_INSTALL_LIBDIR "/usr/local/lib"
#endif

enum { MODULE_PATH_SIZE = 4096 };
static const char module_file[] = "liblevy-cuda.so";
static const char module_symbol[] = "levy_module_entry";

static bool module_join(const char *directory, size_t length, char path[MODULE_PATH_SIZE])
{
    const int written =
        snprintf(path, MODULE_PATH_SIZE, "%.*s/%s", (int)length, directory, module_file);
    return written > 0 && written < MODULE_PATH_SIZE && access(path, R_OK) == 0;
}

/* The kernel's name for the file mapped at this address. False: /proc does not say. */
static bool module_mapped(const void *address, char name[MODULE_PATH_SIZE])
{
    FILE *const maps = fopen("/proc/self/maps", "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    while (maps && !found && getline(&line, &room, maps) > 0) {
        uintptr_t first, last;
        const char *const slash = strchr(line, '/');
        if (!slash || sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &first, &last) != 2) continue;
        const size_t length = strcspn(slash, "\n");
        if ((uintptr_t)address < first || (uintptr_t)address >= last || length >= MODULE_PATH_SIZE)
            continue;
        memcpy(name, slash, length);
        name[length] = '\0';
        found = true;
    }
    free(line);
    if (maps) fclose(maps);
    return found;
}

/* The absolute name of the library or program that holds this code. The loader's name may be
 * relative (./host, or dlopen("./liblevy.so")): after a change of directory that would mean another
 * file. */
static bool module_self(char name[MODULE_PATH_SIZE])
{
    static const char anchor = 1; /* has an address in the same file as this code */
    Dl_info info;
    if (dladdr(&anchor, &info) == 0 || !info.dli_fname || info.dli_fname[0] != '/')
        return module_mapped(&anchor, name);
    const size_t length = strlen(info.dli_fname);
    if (length >= MODULE_PATH_SIZE) return false;
    memcpy(name, info.dli_fname, length + 1);
    return true;
}

/* Looks in the folder of that file and in its sub-folder `levy`, for an installation that was
 * moved. */
static bool module_beside(char path[MODULE_PATH_SIZE])
{
    char own[MODULE_PATH_SIZE + sizeof "levy"];
    if (!module_self(own)) return false;
    const size_t length = (size_t)(strrchr(own, '/') - own);
    if (module_join(own, length, path)) return true;
    memcpy(own + length, "/levy", sizeof "/levy");
    return module_join(own, length + 5, path);
}

static bool module_find(const char *directory, char path[MODULE_PATH_SIZE])
{
    static const char installed[] = LEVY_INSTALL_LIBDIR "/levy";
    const char *const environment = secure_getenv("LEVY_MODULE_DIR");
    if (directory && *directory)
        return module_join(directory, strlen(directory), path); /* no other place is tried */
    if (environment && *environment) return module_join(environment, strlen(environment), path);
    return module_beside(path) || module_join(installed, sizeof installed - 1, path);
}

static levy_status module_missing(const char *directory, char *why)
{
    const char *const environment = secure_getenv("LEVY_MODULE_DIR");
    const char *const other = environment && *environment ? environment : NULL;
    const char *const named = directory && *directory ? directory : other;
    /* a driver of Linux, or of Windows around it: who has neither looks for no module */
    const bool driver = access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
    if (named)
        snprintf(why, LEVY_REASON_SIZE, "no CUDA module: there is no readable %s in %.300s",
                 module_file, named);
    else
        snprintf(why, LEVY_REASON_SIZE,
                 "%sno CUDA module: %s is neither in the folder of the levy library nor "
                 "in %.300s/levy",
                 driver ? "" : "no GPU found: ", module_file, LEVY_INSTALL_LIBDIR);
    return LEVY_DEVICE;
}

/* Calls the entry and checks the table that it filled in. */
static levy_status module_greet(levy_module_entry_fn entry, const char *path, levy_backend *backend,
                                char *why)
{
    const levy_host_table host = {
        .version = LEVY_BACKEND_VERSION, .size = sizeof host, .build_id = LEVY_BUILD_ID};
    levy_backend filled = {0};
    const levy_status status = entry(&host, &filled, why);
    if (status != LEVY_OK) return status;
    if (filled.version != LEVY_BACKEND_VERSION || filled.size != sizeof filled) {
        snprintf(why, LEVY_REASON_SIZE,
                 "%.300s: version %u, size %u of the backend table; %d and %zu are needed", path,
                 (unsigned)filled.version, (unsigned)filled.size, LEVY_BACKEND_VERSION,
                 sizeof filled);
        return LEVY_UNSUPPORTED;
    }
    if (!filled.name || !filled.open || !filled.close || !filled.describe || !filled.load ||
        !filled.simulate || !filled.unload) {
        snprintf(why, LEVY_REASON_SIZE, "%.300s: its backend table is incomplete", path);
        return LEVY_UNSUPPORTED;
    }
    *backend = filled;
    return LEVY_OK;
}

/* The module is never unloaded: its driver keeps threads and exit handlers, and the table points
 * into it. */
levy_status levy_module_load(const char *directory, levy_backend *backend, char *why)
{
    char path[MODULE_PATH_SIZE];
    if (!module_find(directory, path)) return module_missing(directory, why);
    void *const module = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!module) {
        const char *const reason = dlerror();
        snprintf(why, LEVY_REASON_SIZE, "the CUDA module cannot be loaded: %.400s",
                 reason ? reason : path);
        return LEVY_DEVICE;
    }
    void *const symbol = dlsym(module, module_symbol);
    levy_module_entry_fn entry = NULL;
    /* ISO C has no cast from an object pointer to a function pointer */
    memcpy(&entry, &symbol, sizeof entry);
    levy_status status = LEVY_UNSUPPORTED;
    if (entry)
        status = module_greet(entry, path, backend, why);
    else
        snprintf(why, LEVY_REASON_SIZE, "%.300s is not a levy module: it has no %s", path,
                 module_symbol);
    dlclose(module);
    return status;
}
