/* bridge_launch.c: stand-alone bridges on an open GPU. A bridge is a loaded module with two
 * kernels, one for groups of neighbouring paths at aligned places and one for single paths, and,
 * where its program is data, that program in the GPU's memory. Must not know: orders, the public
 * interface. */
#include "kernels/cuda/compile/bridge_shape.h"
#include "kernels/cuda/device/standalone.h"

#include <stdio.h>
#include <string.h>

enum { BRIDGE_MOST_BLOCKS = 0x7fffffff, BRIDGE_STATIC_SHARED = 48 << 10 };

typedef struct bridge_kernel {
    void *function;
    uint32_t paths, shared_bytes;
} bridge_kernel;

typedef struct cuda_bridge {
    levy_cuda_object object;
    levy_bridge_shape shape;
    bridge_kernel many, one;    /* many.function NULL: there is only `one` */
    size_t factor_at, start_at; /* bytes into the data of a wide kernel, behind the program */
} cuda_bridge;

static const levy_bridge_tables *bridge_tables(const cuda_bridge *b) { return b->object.tables; }

/* ---- Creation -------------------------------------------------------------------------------- */

static levy_status bridge_function(cuda_bridge *b, const char *name, uint32_t paths,
                                   bridge_kernel *kernel, char *why)
{
    levy_device *const device = b->object.device;
    kernel->paths = paths;
    kernel->shared_bytes = levy_bridge_shape_shared(bridge_tables(b), &b->shape, paths);
    if (kernel->shared_bytes > (uint32_t)device->shared_limit) {
        snprintf(why, LEVY_REASON_SIZE,
                 "cuda:%d (%s) has %d KiB of shared memory, this bridge takes %u", device->ordinal,
                 device->name, device->shared_limit >> 10, (unsigned)kernel->shared_bytes >> 10);
        return LEVY_UNSUPPORTED;
    }
    int code = LEVY_DEVICE_CALL(device, module_function, &kernel->function, b->object.module, name);
    if (!code && kernel->shared_bytes > BRIDGE_STATIC_SHARED)
        code = LEVY_DEVICE_CALL(device, function_set, kernel->function,
                                LEVY_CUDA_FUNCTION_MAX_DYNAMIC_SHARED, (int)kernel->shared_bytes);
    return code ? levy_device_fail(device, code, "preparing a bridge's kernel", why) : LEVY_OK;
}

/* Asks the driver about the kernel that does most of the work. If it does not know, that is no
 * failure. */
static void bridge_measure(cuda_bridge *b, const levy_kernel *source)
{
    const bridge_kernel *const k = b->many.function ? &b->many : &b->one;
    static const char *const rings[] = {"registers", "shared memory",
                                        "shared memory by bulk copies"};
    b->object.made = (levy_kernel_made){.paths_per_thread = k->paths};
    levy_standalone_measure(&b->object, k->function, b->shape.threads, k->shared_bytes, source);
    if (b->shape.stack == LEVY_BRIDGE_STACK_LOCAL) b->object.made.spilled_bytes = -1;
    snprintf(b->object.made.kernel, sizeof b->object.made.kernel, "%s, normals %u ahead in %s",
             b->shape.wide       ? "many dimensions"
             : b->shape.unrolled ? "order compiled in"
                                 : "order as data",
             (unsigned)b->shape.ahead, rings[b->shape.ring]);
}

/* The program, then factor and start, each aligned to 16. */
static void bridge_data(const void *object, void *bytes)
{
    const cuda_bridge *const b = object;
    const levy_bridge_tables *const t = bridge_tables(b);
    const size_t number = t->single ? 4 : 8, d = t->n_dimensions;
    levy_bridge_records_write(t, NULL, bytes);
    if (!b->shape.wide) return;
    memcpy((char *)bytes + b->factor_at, t->factor, d * d * number);
    memcpy((char *)bytes + b->start_at, t->start, d * number);
}

static levy_status bridge_upload(cuda_bridge *b, char *why)
{
    const levy_bridge_tables *const t = bridge_tables(b);
    const size_t number = t->single ? 4 : 8, d = t->n_dimensions,
                 program = t->n_steps * levy_bridge_record_size(t);
    if (b->shape.unrolled) return LEVY_OK;
    b->factor_at = program;
    b->start_at = program + ((d * d * number + 15) & ~(size_t)15);
    return levy_standalone_fill(&b->object, b->shape.wide ? b->start_at + d * number : program,
                                "a bridge's program", bridge_data, why);
}

static levy_status bridge_write(void *object, levy_kernel *kernel, char *why)
{
    const cuda_bridge *const b = object;
    const levy_bridge_tables *const t = bridge_tables(b);
    if (levy_bridge_shape_write(t, &b->shape, kernel->text, sizeof kernel->text) != LEVY_OK)
        return snprintf(why, LEVY_REASON_SIZE, "the text of a bridge's shape is too long"),
               LEVY_INTERNAL;
    kernel->single = t->single != 0;
    snprintf(kernel->id.label, sizeof kernel->id.label, "%s %s, bridge, %u steps, %u dimensions",
             b->object.device->source.target.architecture, t->single ? "single" : "double",
             (unsigned)t->n_steps, (unsigned)t->n_dimensions);
    return LEVY_OK;
}

static levy_status bridge_load(void *object, const levy_kernel *kernel, char *why)
{
    cuda_bridge *const b = object;
    LEVY_TRY(levy_standalone_load(&b->object, kernel, NULL, 0, NULL, why));
    if (!b->shape.wide)
        LEVY_TRY(bridge_function(b, "levy_bridge_many", b->shape.paths, &b->many, why));
    LEVY_TRY(bridge_function(b, "levy_bridge_one", 1, &b->one, why));
    bridge_measure(b, kernel);
    return bridge_upload(b, why);
}

static levy_status bridge_prepare(void *object, char *why)
{
    cuda_bridge *const b = object;
    const levy_device *const device = b->object.device;
    levy_bridge_shape_choose(
        bridge_tables(b), device->capability >= 80 ? (uint32_t)device->shared_limit : 0, &b->shape);
    b->object.constants = levy_memory_allocate(
        device->memory, levy_bridge_constants_size(bridge_tables(b), &b->shape), 1);
    if (!b->object.constants)
        return snprintf(why, LEVY_REASON_SIZE, "no memory for a bridge's kernel"), LEVY_MEMORY;
    levy_bridge_constants_write(bridge_tables(b), &b->shape, b->object.constants);
    return LEVY_OK;
}

/* ---- Generation ------------------------------------------------------------------------------ */

/* Paths [first, first + count) of the call. */
static int bridge_launch(cuda_bridge *b, const bridge_kernel *kernel, const levy_bridge_call *call,
                         size_t first, size_t count)
{
    const size_t number = bridge_tables(b)->single ? 4 : 8,
                 each = (size_t)b->shape.threads * kernel->paths;
    levy_cuda_pointer normals = (levy_cuda_pointer)(uintptr_t)call->normals + first * number;
    levy_cuda_pointer output = (levy_cuda_pointer)(uintptr_t)call->output + first * number;
    levy_cuda_pointer program = b->object.data, factor = b->object.data + b->factor_at,
                      start = b->object.data + b->start_at;
    unsigned long long paths = count, stride = call->stride;
    void *narrow[] = {&normals, &output, &paths, &stride, &program, b->object.constants};
    void *wide[] = {&normals, &output, &paths, &stride, &program, &factor, &start};
    const size_t blocks = (count + each - 1) / each;
    return LEVY_DEVICE_CALL(b->object.device, launch, kernel->function, (unsigned)blocks, 1, 1,
                            b->shape.threads, 1, 1, kernel->shared_bytes, call->stream,
                            b->shape.wide ? wide : narrow, NULL);
}

static levy_status bridge_call(void *object, const void *given, char *why)
{
    cuda_bridge *const b = object;
    const levy_bridge_call *const call = given;
    const size_t number = bridge_tables(b)->single ? 4 : 8,
                 pack = b->shape.paths * number < 16 ? b->shape.paths * number : 16;
    const bool aligned =
        ((uintptr_t)call->normals | (uintptr_t)call->output | call->stride * number) % pack == 0;
    const size_t grouped =
        b->many.function && aligned ? call->n_paths / b->shape.paths * b->shape.paths : 0;
    if (call->n_paths / b->shape.threads >= BRIDGE_MOST_BLOCKS)
        return snprintf(why, LEVY_REASON_SIZE, "too many paths for one call"), LEVY_ARGUMENT;
    LEVY_TRY(levy_device_enter(b->object.device, why));
    int code = 0;
    if (grouped) code = bridge_launch(b, &b->many, call, 0, grouped);
    if (!code && grouped < call->n_paths)
        code = bridge_launch(b, &b->one, call, grouped, call->n_paths - grouped);
    levy_device_leave(b->object.device);
    return code ? levy_device_fail(b->object.device, code, "starting a bridge", why) : LEVY_OK;
}

const levy_cuda_kind levy_cuda_bridge = {
    .name = "a bridge",
    .doing = "making a bridge",
    .kernels = "a bridge's kernel",
    .size = sizeof(cuda_bridge),
    .prepare = bridge_prepare,
    .write = bridge_write,
    .load = bridge_load,
    .run = bridge_call,
};
