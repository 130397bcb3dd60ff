/* bridge_launch.c: see bridge_launch.h. A bridge is a loaded module with two kernels, one for
 * groups of neighbouring paths at aligned places and one for single paths, and, where its program
 * is data, that program in the GPU's memory. */
#include "kernels/cuda/device/bridge_launch.h"
#include "kernels/cuda/device/standalone.h"

#include <stdio.h>
#include <string.h>

enum { BRIDGE_MOST_BLOCKS = 0x7fffffff, BRIDGE_STATIC_SHARED = 48 << 10 };

typedef struct bridge_kernel {
    void *function;
    uint32_t paths, shared_bytes;
} bridge_kernel;

static const char bridge_kernels[] = "a bridge's kernel";

struct levy_cuda_bridge {
    levy_device *device;
    const levy_bridge_tables *tables;
    levy_bridge_shape shape;
    void *module;
    bridge_kernel many, one;    /* many.function NULL: there is only `one` */
    levy_cuda_pointer data;     /* the program; of a wide kernel also factor and start */
    size_t factor_at, start_at; /* bytes into data */
    void *constants;            /* what a launch passes by value */
    levy_kernel_made made;
};

/* ---- Creation -------------------------------------------------------------------------------- */

static levy_status bridge_function(levy_cuda_bridge *b, const char *name, uint32_t paths,
                                   bridge_kernel *kernel, char *why)
{
    levy_device *const device = b->device;
    kernel->paths = paths;
    kernel->shared_bytes = levy_bridge_shape_shared(b->tables, &b->shape, paths);
    if (kernel->shared_bytes > (uint32_t)device->shared_limit) {
        snprintf(why, LEVY_REASON_SIZE,
                 "cuda:%d (%s) has %d KiB of shared memory, this bridge takes %u", device->ordinal,
                 device->name, device->shared_limit >> 10, (unsigned)kernel->shared_bytes >> 10);
        return LEVY_UNSUPPORTED;
    }
    int code = LEVY_DEVICE_CALL(device, module_function, &kernel->function, b->module, name);
    if (!code && kernel->shared_bytes > BRIDGE_STATIC_SHARED)
        code = LEVY_DEVICE_CALL(device, function_set, kernel->function,
                                LEVY_CUDA_FUNCTION_MAX_DYNAMIC_SHARED, (int)kernel->shared_bytes);
    return code ? levy_device_fail(device, code, "preparing a bridge's kernel", why) : LEVY_OK;
}

/* Asks the driver about the kernel that does most of the work. If it does not know, that is no
 * failure. */
static void bridge_measure(levy_cuda_bridge *b, const levy_kernel *source)
{
    const bridge_kernel *const k = b->many.function ? &b->many : &b->one;
    static const char *const rings[] = {"registers", "shared memory",
                                        "shared memory by bulk copies"};
    b->made = (levy_kernel_made){.paths_per_thread = k->paths};
    levy_standalone_measure(b->device, k->function, b->shape.threads, k->shared_bytes, source,
                            &b->made);
    if (b->shape.stack == LEVY_BRIDGE_STACK_LOCAL) b->made.spilled_bytes = -1;
    snprintf(b->made.kernel, sizeof b->made.kernel, "%s, normals %u ahead in %s",
             b->shape.wide       ? "many dimensions"
             : b->shape.unrolled ? "order compiled in"
                                 : "order as data",
             (unsigned)b->shape.ahead, rings[b->shape.ring]);
}

/* The program, then factor and start, each aligned to 16. */
static levy_status bridge_upload(levy_cuda_bridge *b, char *why)
{
    const levy_bridge_tables *const t = b->tables;
    const size_t number = t->single ? 4 : 8, d = t->n_dimensions,
                 program = t->n_steps * levy_bridge_record_size(t);
    if (b->shape.unrolled) return LEVY_OK;
    b->factor_at = program;
    b->start_at = program + ((d * d * number + 15) & ~(size_t)15);
    const size_t size = b->shape.wide ? b->start_at + d * number : program;
    char *const bytes = levy_memory_allocate(b->device->memory, size, 1);
    if (!bytes)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for a bridge's program"), LEVY_MEMORY;
    levy_bridge_records_write(t, NULL, bytes);
    if (b->shape.wide) {
        memcpy(bytes + b->factor_at, t->factor, d * d * number);
        memcpy(bytes + b->start_at, t->start, d * number);
    }
    const levy_status status =
        levy_standalone_upload(b->device, bytes, size, "a bridge's program", &b->data, why);
    levy_memory_release(b->device->memory, bytes);
    return status;
}

static levy_status bridge_write(void *object, levy_kernel *kernel, char *why)
{
    const levy_cuda_bridge *const b = object;
    const levy_bridge_tables *const t = b->tables;
    if (levy_bridge_shape_write(t, &b->shape, kernel->text, sizeof kernel->text) != LEVY_OK)
        return snprintf(why, LEVY_REASON_SIZE, "the text of a bridge's shape is too long"),
               LEVY_INTERNAL;
    kernel->single = t->single != 0;
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s %s, bridge, %u steps, %u dimensions",
             b->device->source.target.architecture, t->single ? "single" : "double",
             (unsigned)t->n_steps, (unsigned)t->n_dimensions);
    return LEVY_OK;
}

static levy_status bridge_load(void *object, const levy_kernel *kernel, char *why)
{
    levy_cuda_bridge *const b = object;
    LEVY_TRY(
        levy_standalone_load(b->device, kernel, bridge_kernels, NULL, 0, &b->module, NULL, why));
    if (!b->shape.wide)
        LEVY_TRY(bridge_function(b, "levy_bridge_many", b->shape.paths, &b->many, why));
    LEVY_TRY(bridge_function(b, "levy_bridge_one", 1, &b->one, why));
    bridge_measure(b, kernel);
    return bridge_upload(b, why);
}

static levy_status bridge_make(levy_cuda_bridge *b, char *why)
{
    b->constants = levy_memory_allocate(b->device->memory,
                                        levy_bridge_constants_size(b->tables, &b->shape), 1);
    if (!b->constants)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for a bridge's kernel"), LEVY_MEMORY;
    levy_bridge_constants_write(b->tables, &b->shape, b->constants);
    return levy_standalone_make(
        b->device, &(levy_standalone_maker){bridge_kernels, b, bridge_write, bridge_load}, why);
}

levy_status levy_cuda_bridge_create(levy_device *device, const levy_bridge_tables *tables,
                                    const levy_bridge_shape *shape, levy_cuda_bridge **bridge,
                                    char *why)
{
    *bridge = NULL;
    if (device->dead) return levy_device_fail(device, LEVY_CUDA_DEAD, "making a bridge", why);
    levy_cuda_bridge *const b = levy_memory_allocate(device->memory, 1, sizeof *b);
    if (!b) return snprintf(why, LEVY_REASON_SIZE, "no memory for a bridge"), LEVY_MEMORY;
    b->device = device;
    b->tables = tables;
    if (shape)
        b->shape = *shape;
    else
        levy_bridge_shape_choose(
            tables, device->capability >= 80 ? (uint32_t)device->shared_limit : 0, &b->shape);
    const levy_status status = bridge_make(b, why);
    if (status == LEVY_OK)
        *bridge = b;
    else
        levy_cuda_bridge_destroy(b);
    return status;
}

void levy_cuda_bridge_describe(const levy_cuda_bridge *bridge, levy_kernel_made *made)
{
    *made = bridge->made;
}

void levy_cuda_bridge_destroy(levy_cuda_bridge *bridge)
{
    if (!bridge) return;
    levy_device *const device = bridge->device;
    levy_standalone_drop(device, bridge->data, bridge->module);
    levy_memory_release(device->memory, bridge->constants);
    levy_memory_release(device->memory, bridge);
}

/* ---- Generation ------------------------------------------------------------------------------ */

/* Paths [first, first + count) of the call. */
static int bridge_launch(levy_cuda_bridge *b, const bridge_kernel *kernel,
                         const levy_bridge_call *call, size_t first, size_t count)
{
    const size_t number = b->tables->single ? 4 : 8,
                 each = (size_t)b->shape.threads * kernel->paths;
    levy_cuda_pointer normals = (levy_cuda_pointer)(uintptr_t)call->normals + first * number;
    levy_cuda_pointer output = (levy_cuda_pointer)(uintptr_t)call->output + first * number;
    levy_cuda_pointer program = b->data, factor = b->data + b->factor_at,
                      start = b->data + b->start_at;
    unsigned long long paths = count, stride = call->stride;
    void *narrow[] = {&normals, &output, &paths, &stride, &program, b->constants};
    void *wide[] = {&normals, &output, &paths, &stride, &program, &factor, &start};
    const size_t blocks = (count + each - 1) / each;
    return LEVY_DEVICE_CALL(b->device, launch, kernel->function, (unsigned)blocks, 1, 1,
                            b->shape.threads, 1, 1, kernel->shared_bytes, call->stream,
                            b->shape.wide ? wide : narrow, NULL);
}

levy_status levy_cuda_bridge_generate(levy_cuda_bridge *b, const levy_bridge_call *call, char *why)
{
    const size_t number = b->tables->single ? 4 : 8,
                 pack = b->shape.paths * number < 16 ? b->shape.paths * number : 16;
    const bool aligned =
        ((uintptr_t)call->normals | (uintptr_t)call->output | call->stride * number) % pack == 0;
    const size_t grouped =
        b->many.function && aligned ? call->n_paths / b->shape.paths * b->shape.paths : 0;
    if (call->n_paths / b->shape.threads >= BRIDGE_MOST_BLOCKS)
        return snprintf(why, LEVY_REASON_SIZE, "too many paths for one call"), LEVY_ARGUMENT;
    LEVY_TRY(levy_device_enter(b->device, why));
    int code = 0;
    if (grouped) code = bridge_launch(b, &b->many, call, 0, grouped);
    if (!code && grouped < call->n_paths)
        code = bridge_launch(b, &b->one, call, grouped, call->n_paths - grouped);
    levy_device_leave(b->device);
    return code ? levy_device_fail(b->device, code, "starting a bridge", why) : LEVY_OK;
}
