/* fake_cuda.c: see fake_cuda.h. */
#include "tests/fake_cuda.h"

#include "kernels/points/points.h"
#include "kernels/cuda/device/distribution_launch.h"
#include "kernels/cuda/device/draws_launch.h"
#include "kernels/cuda/device/normals_launch.h"
#include "kernels/cuda/device/sampler_launch.h"
#include "kernels/cuda/compile/normal_table.h"
#include "kernels/lane/normal_rows.h"
#include "kernels/cuda/compile/shape.h"
#include "kernels/lane/tree.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_MAX_MEMORY = 256, FAKE_MAX_COPIES = 64, FAKE_MAX_OBJECTS = 2048 };

typedef struct fake_memory {
    char *pointer;
    size_t size;
    bool device;
    int on; /* the device; -1: of no matter */
} fake_memory;
typedef struct fake_copy {
    void *to;
    const void *from;
    size_t bytes;
    void *stream;
} fake_copy;
typedef struct fake_event {
    void *stream;
} fake_event;

fake_cuda fake;
static fake_memory fake_memories[FAKE_MAX_MEMORY];
/* streams, events, modules (their text), programs (their source) */
static void *fake_objects[FAKE_MAX_OBJECTS];
static fake_copy fake_copies[FAKE_MAX_COPIES];
static size_t fake_n_copies;
static bool fake_died[FAKE_DEVICES];
/* devices of the calling thread's contexts */
enum { FAKE_MAX_DEPTH = 8 };
/* In the room that every thread has from its start: LeakSanitizer of clang 14 looks for the other
 * kind of a closed module at addresses that it guesses. */
static _Thread_local __attribute__((tls_model("initial-exec"))) int fake_stack[FAKE_MAX_DEPTH],
    fake_top;

static int fake_current(void) { return fake_top > 0 ? fake_stack[fake_top - 1] : -1; }

/* Whoever is in here is alone: several threads may share the fake GPU. A thread may hold it twice.
 */
static pthread_mutex_t fake_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static int fake_alone_begin(void)
{
    pthread_mutex_lock(&fake_lock);
    return 0;
}

static void fake_alone_end(const int *held)
{
    (void)held;
    pthread_mutex_unlock(&fake_lock);
}

#define FAKE_ALONE                                                                                 \
    const int fake_held __attribute__((cleanup(fake_alone_end), unused)) = fake_alone_begin()

void fake_cuda_reset(void)
{
    for (size_t i = 0; i < FAKE_MAX_MEMORY; ++i) free(fake_memories[i].pointer);
    memset(fake_memories, 0, sizeof fake_memories);
    /* a dead device gives nothing back itself */
    for (size_t i = 0; i < FAKE_MAX_OBJECTS; ++i) free(fake_objects[i]);
    memset(fake_objects, 0, sizeof fake_objects);
    fake_n_copies = 0;
    memset(fake_died, 0, sizeof fake_died);
    fake_top = 0;
    fake = (fake_cuda){.driver_version = 13000,
                       .devices = 1,
                       .capability = 90,
                       .compiler_major = 13,
                       .newest_arch = 121,
                       .shared_limit = 227 << 10,
                       .free_memory = (size_t)1 << 30,
                       .milliseconds = 0.5f};
}

/* A fatal code ends the use of its device; of a single one also in calls that name none. */
static bool fake_is_dead(int device)
{
    return fake_died[device >= 0 ? device : 0] && (device >= 0 || fake.devices == 1);
}

/* Counts the call; the code to answer with, 0: go on. */
int fake_enter_on(const char *member, int device)
{
    pthread_mutex_lock(&fake_lock);
    int code = 0;
    /* asking for words touches no device */
    const bool own_text = strncmp(member, "error_", 6) == 0,
               compiler = strncmp(member, "nvrtc_", 6) == 0,
               counts = !fake.fail_device || fake.fail_device == device + 1;
    if (!compiler && !own_text && fake_is_dead(device)) ++fake.calls_after_fatal;
    if (!own_text && counts && (!fake.fail_member || !strcmp(fake.fail_member, member))) {
        ++fake.calls;
        const long last = fake.fail_at + (fake.fail_times ? fake.fail_times : 1);
        if (fake.fail_at && fake.calls >= fake.fail_at && fake.calls < last) {
            code = fake.fail_code;
            fake.failed = member;
            if (!compiler && levy_cuda_code_is_fatal(code))
                fake_died[device >= 0 ? device : 0] = true;
        }
    }
    pthread_mutex_unlock(&fake_lock);
    return code;
}

int fake_enter(const char *member) { return fake_enter_on(member, fake_current()); }

#define FAKE_ENTER_ON(member, device)                                                              \
    do {                                                                                           \
        const int fake_code = fake_enter_on(member, device);                                       \
        if (fake_code) return fake_code;                                                           \
    } while (0)

static void fake_hold(long change)
{
    pthread_mutex_lock(&fake_lock);
    fake.held += change;
    pthread_mutex_unlock(&fake_lock);
}

void *fake_object_make(size_t size, const char *text)
{
    pthread_mutex_lock(&fake_lock);
    size_t i = 0;
    while (i < FAKE_MAX_OBJECTS - 1 && fake_objects[i]) ++i;
    void *const object = text ? (void *)strdup(text) : calloc(1, size);
    if (!fake_objects[i])
        fake_objects[i] = object;
    else
        ++fake.misuse;
    ++fake.held;
    pthread_mutex_unlock(&fake_lock);
    return object;
}

void fake_object_drop(void *object)
{
    pthread_mutex_lock(&fake_lock);
    size_t i = 0;
    while (i < FAKE_MAX_OBJECTS && fake_objects[i] != object) ++i;
    if (object && i < FAKE_MAX_OBJECTS)
        fake_objects[i] = NULL;
    else
        ++fake.misuse; /* given back twice, or never made */
    if (object && i < FAKE_MAX_OBJECTS) free(object);
    --fake.held;
    pthread_mutex_unlock(&fake_lock);
}

void fake_count_compile(void)
{
    pthread_mutex_lock(&fake_lock);
    ++fake.compiles;
    pthread_mutex_unlock(&fake_lock);
}

/* ---- Driver: devices and contexts ------------------------------------------------------------ */

static levy_status fake_load_driver(levy_cuda_calls *calls, char *why)
{
    (void)calls;
    if (fake.driver_status != LEVY_OK) snprintf(why, LEVY_REASON_SIZE, "no NVIDIA driver: fake");
    return fake.driver_status;
}

static levy_status fake_load_compiler(levy_cuda_calls *calls, int driver_major, char *why)
{
    (void)calls;
    (void)driver_major;
    if (fake.compiler_status != LEVY_OK) snprintf(why, LEVY_REASON_SIZE, "no NVRTC library: fake");
    return fake.compiler_status;
}

static void fake_unload(levy_cuda_calls *calls) { (void)calls; }
static bool fake_present(void) { return fake.devices > 0; }

static int fake_init(unsigned flags)
{
    (void)flags;
    FAKE_ENTER("init");
    return fake.devices ? 0 : 100;
}

static int fake_driver_version(int *version)
{
    FAKE_ENTER("driver_version");
    *version = fake.driver_version;
    return 0;
}

static int fake_error_name(int code, const char **text)
{
    (void)code;
    *text = "FAKE";
    return fake_enter("error_name");
}

static int fake_error_text(int code, const char **text)
{
    (void)code;
    *text = "a fake failure";
    return fake_enter("error_text");
}

static int fake_device_count(int *count)
{
    FAKE_ENTER("device_count");
    *count = fake.devices;
    return 0;
}

static int fake_device_get(int *device, int ordinal)
{
    FAKE_ENTER_ON("device_get", ordinal);
    *device = 1000 + ordinal;
    return 0;
}

static int fake_device_name(char *name, int size, int device)
{
    FAKE_ENTER_ON("device_name", device - 1000);
    snprintf(name, (size_t)size, "Fake \"%d\"", device - 1000);
    return 0;
}

static int fake_device_attribute(int *value, int attribute, int device)
{
    FAKE_ENTER_ON("device_attribute", device - 1000);
    const int own = fake.capabilities[device - 1000], capability = own ? own : fake.capability,
              processors = fake.processors[device - 1000];
    switch (attribute) {
    case LEVY_CUDA_ATTRIBUTE_MAJOR:
        *value = capability / 10;
        return 0;
    case LEVY_CUDA_ATTRIBUTE_MINOR:
        *value = capability % 10;
        return 0;
    case LEVY_CUDA_ATTRIBUTE_SM_COUNT:
        *value = processors ? processors : 2;
        return 0;
    case LEVY_CUDA_ATTRIBUTE_SHARED_OPTIN:
        *value = fake.shared_limit;
        return 0;
    case LEVY_CUDA_ATTRIBUTE_PCI_BUS:
        *value = 7 + device - 1000;
        return 0;
    default:
        *value = 7;
        return 0;
    }
}

static int fake_device_uuid(levy_cuda_uuid *uuid, int device)
{
    FAKE_ENTER_ON("device_uuid", device - 1000);
    for (int i = 0; i < 16; ++i) uuid->bytes[i] = (unsigned char)(i + device);
    return 0;
}

static int fake_device_memory(size_t *bytes, int device)
{
    FAKE_ENTER_ON("device_memory", device - 1000);
    *bytes = (size_t)1 << 30;
    return 0;
}

static int fake_context_retain(void **context, int device)
{
    FAKE_ENTER_ON("context_retain", device - 1000);
    *context = &fake_memories[device - 1000]; /* any address will do */
    fake_hold(1);
    return 0;
}

static int fake_context_release(int device)
{
    fake_hold(-1);
    FAKE_ENTER_ON("context_release", device - 1000);
    return 0;
}

static int fake_context_push(void *context)
{
    FAKE_ALONE;
    FAKE_ENTER_ON("context_push", (int)((const fake_memory *)context - fake_memories));
    const fake_memory *const of = context;
    if (!of || of < fake_memories || of >= fake_memories + FAKE_DEVICES ||
        fake_top == FAKE_MAX_DEPTH)
        return ++fake.misuse, 1;
    fake_stack[fake_top++] = (int)(of - fake_memories);
    ++fake.depth;
    return 0;
}

static int fake_context_pop(void **context)
{
    FAKE_ALONE;
    const int device = fake_current();
    if (fake.depth-- < 1 || fake_top < 1) ++fake.misuse;
    if (fake_top > 0) --fake_top;
    *context = NULL;
    FAKE_ENTER_ON("context_pop", device);
    return 0;
}

/* ---- NVML -------------------------------------------------------------------------------------
 */

static bool fake_load_monitor(levy_cuda_calls *calls)
{
    (void)calls;
    return fake.monitor;
}

static int fake_monitor_init(void)
{
    fake_hold(1);
    return 0;
}

static int fake_monitor_end(void)
{
    fake_hold(-1);
    return 0;
}

/* A handle is the place of a device among the fake's. */
static int fake_monitor_device(const char *pci, void **device)
{
    unsigned domain, bus, slot;
    if (sscanf(pci, "%x:%x:%x.0", &domain, &bus, &slot) != 3 || domain != 7 || slot != 7 ||
        bus < 7 || bus >= 7 + (unsigned)fake.devices)
        return ++fake.misuse, 2;
    *device = &fake_memories[bus - 7];
    return 0;
}

static int fake_monitor_memory(void *device, levy_monitor_memory *memory)
{
    const size_t full = fake.full[(fake_memory *)device - fake_memories];
    *memory = (levy_monitor_memory){1u << 30, fake.free_memory - full, full};
    return 0;
}

static int fake_monitor_load(void *device, levy_monitor_load *load)
{
    load->gpu = 4 + 96 * (unsigned)((fake_memory *)device - fake_memories);
    return device == fake_memories + 2 ? 3 : 0; /* not supported by the third */
}

static int fake_monitor_link(void *device, void *other, int kind, int *status)
{
    *status = kind == LEVY_MONITOR_LINK_NVLINK && device < (void *)(fake_memories + 2) &&
                      other < (void *)(fake_memories + 2)
                  ? 0
                  : 5;
    return 0;
}

/* ---- Driver: memory and copies --------------------------------------------------------------- */

static fake_memory *fake_find(const void *pointer, size_t bytes, bool device)
{
    const char *const at = pointer;
    for (size_t i = 0; i < FAKE_MAX_MEMORY; ++i) {
        fake_memory *const m = &fake_memories[i];
        if (!m->pointer || m->device != device || at < m->pointer ||
            at + bytes > m->pointer + m->size)
            continue;
        if (device && m->on >= 0 && fake_current() >= 0 && m->on != fake_current()) ++fake.misuse;
        return m;
    }
    return NULL;
}

/* Sums may go to the host's memory, which every kernel reaches. */
static bool fake_find_sums(const void *pointer, size_t bytes)
{
    return fake_find(pointer, bytes, true) || fake_find(pointer, bytes, false);
}

static char *fake_take(size_t bytes, bool device)
{
    size_t i = 0;
    void *pointer = NULL;
    while (i < FAKE_MAX_MEMORY && fake_memories[i].pointer) ++i;
    /* a driver's alignment, on which the arrays of an image rely */
    if (i == FAKE_MAX_MEMORY || posix_memalign(&pointer, 256, bytes) != 0) return NULL;
    fake_memories[i] =
        (fake_memory){.pointer = pointer, .size = bytes, .device = device, .on = fake_current()};
    memset(fake_memories[i].pointer, 0xa5, bytes);
    if (device) fake.free_memory -= bytes;
    ++fake.held;
    return fake_memories[i].pointer;
}

static void fake_give(const void *pointer, bool device)
{
    fake_memory *const m = fake_find(pointer, 1, device);
    if (!m || m->pointer != pointer) {
        ++fake.misuse;
        return;
    }
    for (size_t c = 0; c < fake_n_copies; ++c) /* given back under a copy that nobody waited for */
        if (fake_copies[c].from == pointer || fake_copies[c].to == pointer) ++fake.misuse;
    if (device) fake.free_memory += m->size;
    free(m->pointer);
    *m = (fake_memory){0};
    --fake.held;
}

/* What others have left on the current device. */
static size_t fake_available(void)
{
    const size_t full = fake_current() >= 0 ? fake.full[fake_current()] : 0;
    return full < fake.free_memory ? fake.free_memory - full : 0;
}

static int fake_memory_allocate(levy_cuda_pointer *pointer, size_t bytes)
{
    FAKE_ALONE;
    FAKE_ENTER("memory_allocate");
    if (fake.depth < 1) ++fake.misuse;
    if (bytes > fake_available()) return 2;
    *pointer = (levy_cuda_pointer)(uintptr_t)fake_take(bytes, true);
    return *pointer ? 0 : 2;
}

static int fake_memory_free(levy_cuda_pointer pointer)
{
    FAKE_ALONE;
    fake_give((const void *)(uintptr_t)pointer, true);
    FAKE_ENTER("memory_free");
    return 0;
}

static int fake_memory_info(size_t *available, size_t *total)
{
    FAKE_ALONE;
    FAKE_ENTER("memory_info");
    *available = fake_available();
    *total = (size_t)1 << 30;
    return 0;
}

static int fake_host_allocate(void **pointer, size_t bytes)
{
    FAKE_ALONE;
    FAKE_ENTER("host_allocate");
    *pointer = fake_take(bytes, false);
    return *pointer ? 0 : 2;
}

static int fake_host_free(void *pointer)
{
    FAKE_ALONE;
    fake_give(pointer, false);
    FAKE_ENTER("host_free");
    return 0;
}

/* Copies wait in a list until their stream, or an event after them, is waited for. */
static int fake_queue(void *to, const void *from, size_t bytes, void *stream)
{
    if (fake_n_copies == FAKE_MAX_COPIES) return ++fake.misuse, 1;
    fake_copies[fake_n_copies++] = (fake_copy){to, from, bytes, stream};
    return 0;
}

static void fake_flush(const void *stream)
{
    size_t kept = 0;
    for (size_t i = 0; i < fake_n_copies; ++i) {
        if (fake_copies[i].stream == stream)
            memcpy(fake_copies[i].to, fake_copies[i].from, fake_copies[i].bytes);
        else
            fake_copies[kept++] = fake_copies[i];
    }
    fake_n_copies = kept;
}

static int fake_copy_to_device(levy_cuda_pointer to, const void *from, size_t bytes, void *stream)
{
    FAKE_ALONE;
    FAKE_ENTER("copy_to_device");
    void *const target = (void *)(uintptr_t)to;
    if (!fake_find(target, bytes, true)) return ++fake.misuse, 1;
    fake.copied_to_device += bytes;
    return fake_queue(target, from, bytes, stream);
}

static int fake_copy_to_host(void *to, levy_cuda_pointer from, size_t bytes, void *stream)
{
    FAKE_ALONE;
    FAKE_ENTER("copy_to_host");
    const void *const source = (const void *)(uintptr_t)from;
    if (!fake_find(source, bytes, true) || !fake_find(to, bytes, false)) return ++fake.misuse, 1;
    fake.copied_to_host += bytes;
    return fake_queue(to, source, bytes, stream);
}

/* ---- Driver: streams and events -------------------------------------------------------------- */

static int fake_stream_create(void **stream, unsigned flags)
{
    (void)flags;
    FAKE_ENTER("stream_create");
    *stream = fake_object_make(1, NULL);
    return 0;
}

static int fake_stream_destroy(void *stream)
{
    fake_object_drop(stream);
    FAKE_ENTER("stream_destroy");
    return 0;
}

static int fake_stream_synchronize(void *stream)
{
    FAKE_ALONE;
    fake_flush(stream);
    FAKE_ENTER("stream_synchronize");
    return 0;
}

static int fake_stream_wait(void *stream, void *event, unsigned flags)
{
    (void)stream;
    (void)event;
    (void)flags;
    FAKE_ENTER("stream_wait");
    return 0;
}

static int fake_event_create(void **event, unsigned flags)
{
    (void)flags;
    FAKE_ENTER("event_create");
    *event = fake_object_make(sizeof(fake_event), NULL);
    return 0;
}

static int fake_event_destroy(void *event)
{
    fake_object_drop(event);
    FAKE_ENTER("event_destroy");
    return 0;
}

static int fake_event_record(void *event, void *stream)
{
    FAKE_ALONE;
    FAKE_ENTER("event_record");
    ((fake_event *)event)->stream = stream;
    return 0;
}

static int fake_event_synchronize(void *event)
{
    FAKE_ALONE;
    FAKE_ENTER("event_synchronize");
    fake_flush(((fake_event *)event)->stream);
    return 0;
}

static int fake_event_elapsed(float *milliseconds, void *start, void *stop)
{
    FAKE_ALONE;
    FAKE_ENTER("event_elapsed");
    if (!((fake_event *)start)->stream ||
        ((fake_event *)start)->stream != ((fake_event *)stop)->stream)
        ++fake.misuse;
    *milliseconds = fake.milliseconds;
    return 0;
}

/* ---- Driver: kernels ------------------------------------------------------------------------- */

static int fake_module_load(void **module, const void *data)
{
    FAKE_ALONE;
    FAKE_ENTER("module_load");
    if (fake.depth < 1) ++fake.misuse;
    if (strncmp(data, "#define", 7) != 0) return 200;
    *module = fake_object_make(0, data);
    return 0;
}

static int fake_module_unload(void *module)
{
    fake_object_drop(module);
    FAKE_ENTER("module_unload");
    return 0;
}

static int fake_module_function(void **function, void *module, const char *name)
{
    FAKE_ENTER("module_function");
    *function = module;
    if (strncmp(name, "levy_bridge_", 12) == 0)
        return strstr(module, "#define BRIDGE_KERNELS") ? 0 : 500;
    if (strcmp(name, "levy_normals") == 0)
        return strstr(module, "#define NORMALS_KERNELS") ? 0 : 500;
    if (strcmp(name, "levy_paths") == 0) return strstr(module, "#define PATHS_KERNELS") ? 0 : 500;
    if (strncmp(name, "levy_sampler_", 13) == 0)
        return strstr(module, "#define SAMPLER_KERNELS") ? 0 : 500;
    if (strncmp(name, "levy_draws_", 11) == 0) /* double has none that loads four */
        return strstr(module, "#define DRAWS_KERNELS") && (strstr(module, "#define DRAWS_SINGLE") ||
                                                           strcmp(name, "levy_draws_four") != 0)
                   ? 0
                   : 500;
    if (strncmp(name, "levy_distribution_", 18) == 0)
        return strstr(module, "#define DISTRIBUTION_KERNELS") ? 0 : 500;
    if (strncmp(name, "levy_fit_", 9) == 0) { /* the same text, less so many characters */
        static const char *const names[] = {"moments", "begin", "end", "date", "paid"};
        for (int k = 0; k < 5; ++k)
            if (strcmp(name + 9, names[k]) == 0) *function = (char *)module + k;
        return strstr(module, "#define FIT_KERNELS") ? 0 : 500;
    }
    if (strcmp(name, "levy_merge") == 0) { /* the same text, less the '#' it starts with */
        *function = (char *)module + 1;
        return 0;
    }
    if (strcmp(name, "levy_columns") == 0) { /* and this less one more */
        *function = (char *)module + 2;
        return strstr(module, "#define PATH_split 1") ? 0 : 500;
    }
    return strcmp(name, "levy_simulate") == 0 ? 0 : 500;
}

static int fake_function_set(void *function, int attribute, int value)
{
    FAKE_ALONE;
    (void)function;
    FAKE_ENTER("function_set");
    if (attribute != LEVY_CUDA_FUNCTION_MAX_DYNAMIC_SHARED) return 1;
    if ((uint32_t)value + fake.own_shared > 227 << 10) return 1;
    if ((uint32_t)value > fake.allowed_shared) fake.allowed_shared = (uint32_t)value;
    return 0;
}

static int fake_function_get(int *value, int attribute, void *function)
{
    (void)function;
    FAKE_ENTER("function_get");
    *value = attribute == LEVY_CUDA_FUNCTION_SHARED_BYTES ? (int)fake.own_shared : 40;
    return 0;
}

static int fake_occupancy(int *blocks, void *function, int threads, size_t shared)
{
    (void)function;
    (void)threads;
    (void)shared;
    FAKE_ENTER("occupancy");
    *blocks = 3;
    return 0;
}

static uint32_t fake_number(const char *text, const char *macro)
{
    const char *const at = strstr(text, macro);
    return at ? (uint32_t)strtoul(at + strlen(macro), NULL, 10) : 0;
}

/* A stand-alone bridge: its arguments are noted, nothing is computed. */
static int fake_bridge(unsigned grid, unsigned block, void *stream, void **arguments)
{
    if (fake.depth < 1 || grid < 1 || block < 32) return ++fake.misuse, 1;
    ++fake.launches;
    fake.bridge_paths += *(unsigned long long *)arguments[2];
    fake.bridge_stride = *(unsigned long long *)arguments[3];
    fake.bridge_stream = stream;
    return 0;
}

/* Words of cuRAND's, shifted and put in rows. */
static bool fake_copy_words(const levy_normals_arguments *a)
{
    const uint32_t *const words = (const uint32_t *)(uintptr_t)a->words,
                          *const shifts = (const uint32_t *)(uintptr_t)a->numbers;
    uint32_t *const output = (uint32_t *)(uintptr_t)a->output;
    const uint64_t last = a->skip + a->n - 1;
    if (!fake_find(
            words,
            ((last / a->chunk) * a->across + (a->count - 1) * a->chunk + last % a->chunk + 1) *
                sizeof *words,
            true))
        return false;
    for (uint32_t d = 0; d < a->count; ++d)
        for (uint64_t i = 0; i < a->n; ++i) {
            const uint64_t j = a->skip + i;
            output[d * a->stride + i] =
                words[j / a->chunk * a->across + d * a->chunk + j % a->chunk] ^ shifts[d];
        }
    return true;
}

/* Words of a staged run, which prices are made from. Other normals are not computed. */
static bool fake_make_words(const char *text, const levy_normals_arguments *a)
{
    char why[LEVY_REASON_SIZE];
    void *state, *normals = NULL;
    const levy_backend_options o = {.memory = &levy_memory_default, .isa = "auto", .threads = 1};
    const uint32_t *const numbers = (const uint32_t *)(uintptr_t)a->numbers;
    levy_normals_tables t = {.generator = (int32_t)fake_number(text, "#define NORMALS_GENERATOR "),
                             .output = LEVY_NORMALS_WORD,
                             .n_dimensions = a->dimension + a->count,
                             .first = a->dimension,
                             .count = a->count,
                             .key = a->key,
                             .columns = numbers,
                             .jumps = numbers};
    const levy_normals_call call = {.output = (void *)(uintptr_t)a->output,
                                    .first = a->first,
                                    .n_points = a->n,
                                    .stride = a->stride};
    if (t.generator == POINTS_GIVEN_WORDS) return fake_copy_words(a);
    memcpy(t.start, a->start, sizeof t.start);
    if (levy_backend_cpu.open(&o, &state, why) != LEVY_OK) return false;
    const bool made =
        levy_backend_cpu.object_create(state, LEVY_OBJECT_NORMALS, &t, &normals, why) == LEVY_OK &&
        levy_backend_cpu.object_run(normals, &call, why) == LEVY_OK;
    levy_backend_cpu.object_destroy(normals);
    levy_backend_cpu.close(state);
    return made;
}

/* Stand-alone normals: the generator's numbers must be on the device, and words are computed. */
static int fake_normals(const char *text, unsigned grid, unsigned block, void *stream,
                        void **arguments)
{
    const levy_normals_arguments *const a = arguments[0];
    const uint32_t generator = fake_number(text, "#define NORMALS_GENERATOR "),
                   numbers = generator == POINTS_GIVEN_WORDS ? a->count : 33;
    const uint32_t paths = fake_number(text, "#define PATHS_THREADS "),
                   threads = paths ? paths : fake_number(text, "#define NORMALS_BLOCK ");
    if (fake.depth < 1 || grid < 1 || block != threads ||
        (generator != POINTS_PHILOX &&
         !fake_find((void *)(uintptr_t)a->table, numbers * sizeof(uint32_t), true)))
        return ++fake.misuse, 1;
    if (fake_number(text, "#define NORMALS_OUTPUT ") == LEVY_NORMALS_WORD &&
        fake_find((void *)(uintptr_t)a->output,
                  ((a->count - 1) * a->stride + a->n) * sizeof(uint32_t), true)) {
        fake_flush(stream);
        if (!fake_make_words(text, a)) return ++fake.misuse, 1;
    }
    ++fake.launches;
    fake.bridge_paths += a->n;
    fake.bridge_stride = a->stride;
    fake.bridge_stream = stream;
    return 0;
}

/* A weighted sampler: all of its table must be on the device. */
static int fake_sampler(unsigned grid, unsigned block, void *stream, void **arguments)
{
    const levy_sampler_arguments *const a = arguments[0];
    const size_t bytes = a->items * (size_t)24 + ((size_t)a->cells + 1) * 4;
    if (fake.depth < 1 || grid < 1 || block != LEVY_SAMPLER_THREADS ||
        !fake_find((void *)(uintptr_t)a->rows, bytes, true))
        return ++fake.misuse, 1;
    ++fake.launches;
    fake.bridge_paths += a->n;
    fake.bridge_stream = stream;
    return 0;
}

/* Draws from many distributions: every path and every draw has a thread and a row. */
static int fake_draws(unsigned grid, unsigned rows, unsigned block, unsigned shared, void *stream,
                      void **arguments)
{
    const levy_draws_arguments *const a = arguments[0];
    if (fake.depth < 1 || (uint64_t)grid * block < a->n_paths || block > LEVY_DRAWS_THREADS ||
        block % 32 != 0 || (uint64_t)rows * a->together < a->n_draws || shared > LEVY_DRAWS_SHARED)
        return ++fake.misuse, 1;
    ++fake.launches;
    fake.bridge_paths += a->n_paths;
    fake.bridge_stream = stream;
    return 0;
}

/* A distribution: arrays of parameters are there where the kernel was made for them, and a table of
 * a row at least where the law has one. */
static int fake_distribution(const char *text, unsigned grid, unsigned block, void *stream,
                             void **arguments)
{
    const levy_distribution_arguments *const a = arguments[0];
    const uint32_t each = fake_number(text, "#define DISTRIBUTION_EACH "),
                   law = fake_number(text, "#define DISTRIBUTION_LAW ");
    const bool table = fake_find((void *)(uintptr_t)a->table, 144 * sizeof(float), true);
    if (fake.depth < 1 || grid < 1 || block != LEVY_DISTRIBUTION_THREADS || !a->output ||
        (a->each[0] != 0) != (each & 1) || (a->each[1] != 0) != each >> 1 || table != (law >= 5))
        return ++fake.misuse, 1;
    ++fake.launches;
    fake.bridge_paths += a->n;
    fake.bridge_stream = stream;
    return 0;
}

/* Are the tile's factors a parameter, where the kernel has them there? */
static bool fake_has_factors(const char *text, const levy_image *image, const levy_tile *tile,
                             const void *given)
{
    const size_t bytes = (size_t)image->n_assets * image->n_factors *
                         (image->precision ? sizeof(float) : sizeof(double));
    return !fake_number(text, "#define PATH_constants ") ||
           memcmp(given, LEVY_IMAGE_AT(char, image, factor) + tile->first_dynamics * bytes,
                  bytes) == 0;
}

/* A kernel that looks normals up finds all of them. */
static bool fake_has_normals(const char *text, levy_cuda_pointer normals)
{
    const bool exact = fake_number(text, "#define PATH_exact ") != 0;
    const void *const all =
        exact ? (const void *)levy_normal_rows : (const void *)levy_normal_table();
    const size_t bytes = exact ? sizeof levy_normal_rows : LEVY_NORMAL_FLOATS * sizeof(float);
    if (!exact && fake_number(text, "#define PATH_table ") == 0) return true;
    return fake_find((void *)(uintptr_t)normals, bytes, true) &&
           memcmp((void *)(uintptr_t)normals, all, bytes) == 0;
}

/* What levy_shape_rows has said of the kernel. */
static uint32_t fake_rows(const char *text)
{
    const uint32_t wide = (fake_number(text, "#define PATH_held ") ? LEVY_SHAPE_HELD : 0) |
                          (fake_number(text, "#define PATH_product ") ? LEVY_SHAPE_PRODUCTS : 0);
    if (!fake_number(text, "#define PATH_exact ")) return fake_number(text, "#define PATH_table ");
    return wide | fake_number(text, "#define PATH_copied ") / 32 << 8 |
           fake_number(text, "#define PATH_alone ") / 32 << 16;
}

/* Do the rows of given numbers lie in the device's memory? */
static bool fake_has_given(const levy_image *image, const levy_batch *batch)
{
    const size_t size = levy_given_size(image);
    const uint64_t last = (image->n_draws - 1) * batch->given_stride;
    if (size == 0) return !batch->given;
    return batch->given &&
           fake_find(batch->given, (last + batch->n_blocks * LEVY_BLOCK_PATHS) * size, true);
}

/* The sum of n blocks by the contract's words: a binary counter whose levels merge at the end, from
 * the smallest up. `block`: the first one's place in its replicate. */
static levy_block_sum fake_branch(const levy_image *image, const levy_block_sum *sums,
                                  size_t stride, uint64_t block, uint64_t n, double constant)
{
    tree_sum level[64], total = {0.0, 0.0, 0.0};
    for (uint64_t i = 0; i < n; ++i) {
        const uint64_t left = image->paths - (block + i) * LEVY_BLOCK_PATHS;
        tree_sum sum = {(double)(left < LEVY_BLOCK_PATHS ? left : LEVY_BLOCK_PATHS),
                        sums[i * stride].mean + constant, sums[i * stride].m2};
        size_t l = 0;
        for (; i >> l & 1; ++l) sum = tree_merge(level[l], sum);
        level[l] = sum;
    }
    for (size_t l = 0; l < 64; ++l)
        if (n >> l & 1) total = total.n > 0.0 ? tree_merge(level[l], total) : level[l];
    return (levy_block_sum){total.mean, total.m2};
}

/* Blocks to branches: both lie in the device's memory, and a CTA does one output of one branch. */
static int fake_merge(const char *text, unsigned grid, unsigned block_x, unsigned shared,
                      void **arguments)
{
    const levy_image *const image =
        (const levy_image *)(uintptr_t) * (levy_cuda_pointer *)arguments[0];
    const uint64_t first = *(unsigned long long *)arguments[1],
                   n = *(unsigned long long *)arguments[2];
    const unsigned first_output = *(unsigned *)arguments[3], height = *(unsigned *)arguments[4];
    const levy_block_sum *const blocks =
        (const levy_block_sum *)(uintptr_t) * (levy_cuda_pointer *)arguments[5];
    levy_block_sum *to = (levy_block_sum *)(uintptr_t) * (levy_cuda_pointer *)arguments[6];
    const uint32_t outputs = fake_number(text, "#define PATH_outputs ");
    if (fake.depth < 1 || shared != 0 || block_x != LEVY_COLUMNS || height < 1 || height > 10 ||
        !fake_find(image, sizeof *image, true) ||
        first % image->blocks % ((uint64_t)1 << height) != 0 || outputs == 0 ||
        grid % outputs != 0 || !fake_find(blocks, n * outputs * sizeof *blocks, true) ||
        !fake_find(to, grid * sizeof *to, true))
        return ++fake.misuse, 1;
    const levy_image_output *const all = LEVY_IMAGE_AT(levy_image_output, image, outputs);
    const levy_block_sum *const end = to + grid;
    ++fake.merges;
    for (uint64_t b = first; b < first + n;) {
        const uint64_t place = b % image->blocks;
        uint64_t size = 1;
        while (size < (uint64_t)1 << height && place + size < image->blocks && b + size < first + n)
            ++size;
        if (to == end) return ++fake.misuse, 1;
        for (uint32_t o = 0; o < outputs; ++o)
            *to++ = fake_branch(image, blocks + (b - first) * outputs + o, outputs, place, size,
                                all[first_output + o].constant);
        b += size;
    }
    if (to != end) return ++fake.misuse, 1;
    return 0;
}

/* The sums that the fake kernel of the paths has left in front of each block's values. */
static int fake_columns(const char *text, unsigned grid, unsigned block_x, unsigned shared,
                        void **arguments)
{
    const uint32_t outputs = fake_number(text, "#define PATH_outputs ");
    const double *const values = (const double *)(uintptr_t) * (levy_cuda_pointer *)arguments[4];
    levy_block_sum *const sums = (levy_block_sum *)(uintptr_t) * (levy_cuda_pointer *)arguments[5];
    if (fake.depth < 1 || shared != LEVY_COLUMNS * sizeof *sums || block_x != LEVY_COLUMNS ||
        grid % outputs != 0 ||
        !fake_find(values, (size_t)grid * LEVY_BLOCK_PATHS * sizeof *values, true) ||
        !fake_find_sums(sums, grid * sizeof *sums))
        return ++fake.misuse, 1;
    ++fake.columns;
    for (size_t i = 0; i < grid; ++i) memcpy(&sums[i], values + i * LEVY_BLOCK_PATHS, sizeof *sums);
    return 0;
}

/* How many dynamics a tile's items span. */
static uint32_t fake_dynamics(const levy_image *image, const levy_tile *tile)
{
    const levy_image_item *const items =
        LEVY_IMAGE_AT(levy_image_item, image, items) + tile->first_item;
    uint32_t n = 0;
    for (uint32_t i = 0; i < tile->n_items; ++i)
        if (items[i].dynamics >= tile->first_dynamics + n)
            n = items[i].dynamics + 1 - tile->first_dynamics;
    return n;
}

/* Runs the paths' kernel. Where CTAs share blocks, the sums stand in front of the blocks' values.
 */
static levy_status fake_paths(const levy_image *image, const levy_batch *batch, double *values,
                              levy_block_sum *sums)
{
    const size_t n = batch->n_blocks * batch->tile.n_outputs;
    levy_block_sum *const to = values ? calloc(n, sizeof *to) : sums;
    if (!to) return LEVY_MEMORY;
    const levy_status status =
        (fake.simulate ? fake.simulate : fake_cuda_simulate_number)(image, batch, to);
    for (size_t i = 0; values && i < n; ++i)
        memcpy(values + i * LEVY_BLOCK_PATHS, &to[i], sizeof *to);
    if (values) free(to);
    return status;
}

/* The kernel's own memory has a place for each CTA that can run, and none is taken. */
static bool fake_has_scratch(const levy_image *image, const levy_tile *tile, void **arguments)
{
    const void *const scratch = (const void *)(uintptr_t) * (levy_cuda_pointer *)arguments[13];
    const uint32_t left = levy_shape_deferred(image, tile);
    const size_t each = levy_shape_scratch(image, tile, left), places = *(unsigned *)arguments[14];
    if (*(unsigned *)arguments[15] != left) return false;
    if (each == 0) return true;
    if (places < 1 || !fake_find(scratch, LEVY_SCRATCH_FRONT + places * each, true)) return false;
    for (size_t k = 0; k < LEVY_SCRATCH_FRONT; ++k)
        if (((const char *)scratch)[k] != 0) return false;
    return true;
}

static int fake_launch(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                       void *stream, void **arguments, void **extra)
{
    FAKE_ALONE;
    (void)stream;
    (void)extra;
    FAKE_ENTER("launch");
    const char *const text = function;
    const char *const fit = strstr(text, " FIT_KERNELS");
    if (fit) {
        fake_flush(stream);
        ++fake.launches;
        return fake.fit ? fake.fit(fit, 7 - (int)(fit - text), grid_x, grid_y, block_x, arguments)
                        : 2;
    }
    if (strstr(text, "#define BRIDGE_KERNELS"))
        return grid_y == 1 && grid_z == 1 ? fake_bridge(grid_x, block_x, stream, arguments) : 1;
    if (strstr(text, "#define NORMALS_KERNELS") || strstr(text, "#define PATHS_KERNELS"))
        return grid_y >= 1 && grid_z == 1 ? fake_normals(text, grid_x, block_x, stream, arguments)
                                          : 1;
    if (strstr(text, "#define SAMPLER_KERNELS"))
        return grid_y == 1 && grid_z == 1 ? fake_sampler(grid_x, block_x, stream, arguments) : 1;
    if (strstr(text, "#define DRAWS_KERNELS"))
        return grid_z == 1 ? fake_draws(grid_x, grid_y, block_x, shared, stream, arguments) : 1;
    if (strstr(text, "#define DISTRIBUTION_KERNELS"))
        return grid_y == 1 && grid_z == 1
                   ? fake_distribution(text, grid_x, block_x, stream, arguments)
                   : 1;
    if (text[0] == 'e')
        return grid_y == 1 && grid_z == 1 ? fake_columns(text, grid_x, block_x, shared, arguments)
                                          : 1;
    if (text[0] != '#')
        return grid_y == 1 && grid_z == 1 ? fake_merge(text, grid_x, block_x, shared, arguments)
                                          : 1;
    fake_flush(stream); /* what the stream does before the kernel */
    const levy_cuda_pointer image = *(levy_cuda_pointer *)arguments[0],
                            sums = *(levy_cuda_pointer *)arguments[6];
    const unsigned split = *(unsigned *)arguments[11];
    double *const values = (double *)(uintptr_t) * (levy_cuda_pointer *)arguments[12];
    levy_batch batch = {.first_block = *(unsigned long long *)arguments[1],
                        .n_blocks = *(unsigned long long *)arguments[2],
                        .record = (void *)(uintptr_t) * (levy_cuda_pointer *)arguments[8],
                        .given = (void *)(uintptr_t) * (levy_cuda_pointer *)arguments[9],
                        .given_stride = *(unsigned long long *)arguments[10],
                        .tile = {.first_output = *(unsigned *)arguments[3],
                                 .n_outputs = fake_number(text, "#define PATH_outputs "),
                                 .first_item = *(unsigned *)arguments[4],
                                 .n_items = fake_number(text, "#define PATH_items "),
                                 .first_dynamics = *(unsigned *)arguments[5]}};
    const size_t bytes = batch.n_blocks * batch.tile.n_outputs * sizeof(levy_block_sum);
    const levy_image *const on_device = (const levy_image *)(uintptr_t)image;
    if (!fake_find(on_device, sizeof *on_device, true)) return ++fake.misuse, 1;
    batch.tile.n_dynamics = fake_dynamics(on_device, &batch.tile);
    if (fake.depth < 1 || grid_x < 1 || grid_x > batch.n_blocks * split || grid_y != 1 ||
        grid_z != 1 || (split > 1 && grid_x != batch.n_blocks * split) ||
        (values != NULL) != (split > 1) ||
        (values &&
         (LEVY_BLOCK_ROWS % split != 0 ||
          !fake_find(values,
                     batch.n_blocks * batch.tile.n_outputs * LEVY_BLOCK_PATHS * sizeof *values,
                     true))) ||
        block_x != LEVY_COLUMNS || block_y != 1 || block_z != 1 ||
        shared < 2 * sizeof(double) * LEVY_COLUMNS ||
        shared != levy_shape_shared_bytes(on_device, &batch.tile,
                                          levy_shape_lanes(on_device, &batch.tile),
                                          fake_rows(text)) ||
        !fake_find(on_device, on_device->bytes, true) ||
        !fake_find_sums((void *)(uintptr_t)sums, bytes) ||
        (batch.record &&
         !fake_find(batch.record, batch.n_blocks * levy_record_bytes(on_device), true)) ||
        !fake_has_given(on_device, &batch) ||
        !fake_has_normals(text, *(levy_cuda_pointer *)arguments[7]) ||
        !fake_has_scratch(on_device, &batch.tile, arguments) ||
        !fake_has_factors(text, on_device, &batch.tile, arguments[16]))
        return ++fake.misuse, 1;
    if (shared + fake.own_shared > 48 << 10 && shared > fake.allowed_shared) return 1;
    if (fake_current() >= 0) ++fake.launches_on[fake_current()];
    if (fake.launches++ == 0) fake.compiles_before = fake.compiles;
    if ((long)batch.n_blocks > fake.largest_launch) fake.largest_launch = (long)batch.n_blocks;
    const levy_status status =
        fake_paths(on_device, &batch, values, (levy_block_sum *)(uintptr_t)sums);
    return status == LEVY_OK ? 0 : 719;
}

const levy_cuda_calls *fake_cuda_calls(void)
{
    static const levy_cuda_calls calls = {.present = fake_present,
                                          .load_driver = fake_load_driver,
                                          .load_compiler = fake_load_compiler,
                                          .load_monitor = fake_load_monitor,
                                          .unload = fake_unload,
#define FAKE_MEMBER(member, symbol, required, arguments) .member = fake_##member,
                                          LEVY_CUDA_DRIVER_LIST(FAKE_MEMBER)
                                              LEVY_CUDA_COMPILER_LIST(FAKE_MEMBER)
                                                  LEVY_CUDA_MONITOR_LIST(FAKE_MEMBER)
#undef FAKE_MEMBER
    };
    return &calls;
}
