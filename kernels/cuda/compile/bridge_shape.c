/* bridge_shape.c: see bridge_shape.h. Layouts are those of bridge.cu. */
#include "kernels/cuda/compile/bridge_shape.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    SHAPE_STAGED = 192,
    SHAPE_SHARED_GOAL = 48 << 10,
    SHAPE_SHARED_MOST = 96 << 10,
    SHAPE_RING_MOST = 112 << 10
};

static size_t shape_real(const levy_bridge_tables *t)
{
    return t->single ? sizeof(float) : sizeof(double);
}

size_t levy_bridge_record_size(const levy_bridge_tables *tables)
{
    return tables->single ? 32 : 48;
}

size_t levy_bridge_constants_size(const levy_bridge_tables *t, const levy_bridge_shape *shape)
{
    const size_t d = t->n_dimensions;
    return (d * d + d + (shape->unrolled ? 3 * (size_t)t->n_steps : 1) +
            (shape->unrolled && t->increments ? t->n_steps : 1)) *
           shape_real(t);
}

uint32_t levy_bridge_shape_shared(const levy_bridge_tables *t, const levy_bridge_shape *s,
                                  uint32_t paths)
{
    const uint32_t pack = paths * (uint32_t)shape_real(t),
                   plane = t->n_dimensions * s->threads * pack;
    if (s->wide) return t->n_dimensions * t->n_dimensions * (uint32_t)shape_real(t);
    const uint32_t staged = t->n_steps < SHAPE_STAGED ? t->n_steps : SHAPE_STAGED;
    uint32_t bytes = s->unrolled ? 0 : staged * (uint32_t)levy_bridge_record_size(t);
    if (s->stack == LEVY_BRIDGE_STACK_SHARED) bytes += (t->slots > 0 ? t->slots : 1) * plane;
    if (s->ring != LEVY_BRIDGE_RING_REGISTERS) bytes += s->ahead * plane;
    if (s->ring == LEVY_BRIDGE_RING_BULK) bytes += 2 * s->ahead * 8;
    return bytes;
}

/* ---- Choice ---------------------------------------------------------------------------------- */

/* Registers of 32 bits that a thread's paths take, beside addresses. */
static uint32_t shape_registers(const levy_bridge_tables *t, uint32_t paths, uint32_t ahead,
                                uint32_t slots)
{
    return (slots + 3 + ahead) * t->n_dimensions * paths * (uint32_t)(shape_real(t) / 4);
}

static bool shape_unrolls(const levy_bridge_tables *t, const levy_bridge_shape *s)
{
    const levy_bridge_shape trial = {.unrolled = true};
    return t->n_steps <= LEVY_BRIDGE_UNROLLED_STEPS && t->n_steps * t->n_dimensions <= 256 &&
           t->n_dimensions <= 4 &&
           levy_bridge_constants_size(t, &trial) <= LEVY_BRIDGE_CONSTANTS_LIMIT &&
           shape_registers(t, s->paths, 1, t->slots) <= 128;
}

static void shape_choose_data(const levy_bridge_tables *t, levy_bridge_shape *s)
{
    s->paths = (uint32_t)(16 / shape_real(t));
    s->stack = LEVY_BRIDGE_STACK_SHARED;
    while (s->paths > 1 && (levy_bridge_shape_shared(t, s, s->paths) > SHAPE_SHARED_GOAL ||
                            shape_registers(t, s->paths, 2, 0) > 96))
        s->paths /= 2;
    if (levy_bridge_shape_shared(t, s, s->paths) > SHAPE_SHARED_MOST)
        s->stack = LEVY_BRIDGE_STACK_LOCAL;
    s->ahead = 8;
    while (s->ahead > 1 && shape_registers(t, s->paths, s->ahead, 0) > 96) s->ahead /= 2;
}

/* A long program of few dimensions: normals pass the registers by (cp.async) on their way to a ring
 * in shared memory. Measured on an NVIDIA H200, 2026-11-23, shares of the speed of a copy, against
 * normals asked for in registers:
 * - 252 steps: double 0.91 against 0.66, single 0.91 against 0.66
 * - 1,260 steps: double 0.94 against 0.59, single 0.89 against 0.57
 * - 252 steps of 4 dimensions: double 0.95 against 0.60, single 0.91 against 0.58
 * - 64 steps of 8 dimensions: registers 0.93 and 0.89; double, 64 threads, 2 ahead 0.96 */
static bool shape_choose_copied(const levy_bridge_tables *t, uint32_t shared_limit,
                                levy_bridge_shape *s)
{
    const uint32_t pack = t->n_dimensions == 1 ? 16 : 8;
    levy_bridge_shape ring = *s;
    const bool many = t->n_dimensions > 4;
    if (many && t->single) return false;
    ring.ring = LEVY_BRIDGE_RING_SHARED;
    ring.stack = LEVY_BRIDGE_STACK_SHARED;
    ring.paths = pack / (uint32_t)shape_real(t);
    ring.ahead = ring.paths == 4 ? 8 : 16;
    if (many) {
        ring.threads = 64;
        ring.ahead = 2;
    }
    const uint32_t most = shared_limit < SHAPE_RING_MOST ? shared_limit : SHAPE_RING_MOST;
    if (levy_bridge_shape_shared(t, &ring, ring.paths) > most) return false;
    *s = ring;
    return true;
}

/* Measured on an NVIDIA H200, 2026-11-21, 1,439,744 paths x 64 steps, in milliseconds:
 * - streaming hints cost 2 %: single, 2 paths, 16 ahead 0.1941 with, 0.1892 without; double, 1
 *   path 0.3798 with, 0.3716 without
 * - 1 path in single: 0.2102
 * - through shared memory (cp.async, bulk copies): single 0.1901 and 0.1909, double 0.3737 and
 *   0.3722
 * - four dimensions in single: 1 path 0.7799, 2 paths 0.7570 */
void levy_bridge_shape_choose(const levy_bridge_tables *t, uint32_t shared_limit,
                              levy_bridge_shape *s)
{
    *s = (levy_bridge_shape){
        .paths = 1, .threads = 128, .ring = LEVY_BRIDGE_RING_REGISTERS, .registers = true};
    if (t->n_dimensions > LEVY_BRIDGE_NARROW) {
        s->wide = true;
        s->registers = false;
        s->stack = LEVY_BRIDGE_STACK_LOCAL;
        return;
    }
    if (t->n_dimensions <= 4) s->paths = t->single ? 2 : 1;
    s->unrolled = shape_unrolls(t, s);
    if (!s->unrolled) {
        if (!shape_choose_copied(t, shared_limit, s)) shape_choose_data(t, s);
        return;
    }
    s->ahead = 16;
    while (s->ahead > 1 && shape_registers(t, s->paths, s->ahead, t->slots) > 96) s->ahead /= 2;
}

void levy_bridge_shape_choose_drawn(const levy_bridge_tables *t, levy_bridge_shape *s)
{
    *s = (levy_bridge_shape){.threads = 256, .ring = LEVY_BRIDGE_RING_REGISTERS, .registers = true};
    shape_choose_data(t, s);
    s->ahead = 1;
}

/* ---- Text ------------------------------------------------------------------------------------ */

typedef struct shape_text {
    char *at;
    size_t left;
    bool full;
} shape_text;

static void shape_print(shape_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void shape_print(shape_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= text->left) {
        text->full = true;
        return;
    }
    text->at += length;
    text->left -= (size_t)length;
}

static void shape_run(shape_text *out, const levy_bridge_run *run)
{
    if (run->length == 0) return;
    shape_print(out, "    enum { run = %u };\n", (unsigned)run->length);
    shape_print(out, "    static __device__ __forceinline__ constexpr unsigned run_code(int k)\n"
                     "    {\n        constexpr unsigned list[] = {");
    for (uint32_t k = 0; k < run->length; ++k)
        shape_print(out, "%s%u", k ? ", " : "", (unsigned)run->codes[k]);
    shape_print(out, "};\n        return list[k];\n    }\n");
}

levy_status levy_bridge_shape_struct(const levy_bridge_tables *t, const levy_bridge_shape *s,
                                     const char *name, char *text, size_t size)
{
    shape_text out = {text, size, false};
    shape_print(&out, "struct %s {\n    typedef %s real;\n", name, t->single ? "float" : "double");
    shape_print(&out, "    enum { steps = %u, dimensions = %u, slots = %u, start_slot = %u,\n",
                (unsigned)t->n_steps, (unsigned)t->n_dimensions, (unsigned)t->slots,
                (unsigned)t->start_slot);
    shape_print(&out, "           paths = %u, threads = %u, ahead = %u, ring = %u, stack = %u,\n",
                (unsigned)s->paths, (unsigned)s->threads, (unsigned)s->ahead, (unsigned)s->ring,
                (unsigned)s->stack);
    shape_print(
        &out,
        "           unrolled = %d, registers = %d, streams = %d, increments = %d, lower = %d };\n",
        s->unrolled, s->registers, s->streams, t->increments != 0, t->lower != 0);
    shape_print(
        &out,
        "    static __device__ __forceinline__ unsigned long long instruction(int i)\n    {\n");
    if (s->unrolled) {
        shape_print(&out, "        constexpr unsigned long long list[] = {");
        for (uint32_t i = 0; i < t->n_steps; ++i)
            shape_print(&out, "%s0x%" PRIx64,
                        i == 0  ? ""
                        : i % 6 ? ", "
                                : ",\n",
                        t->instructions[i]);
        shape_print(&out, "};\n        return list[i];\n    }\n};\n");
    } else {
        shape_print(&out, "        return 0 * i;\n    }\n");
        shape_run(&out, &s->run);
        shape_print(&out, "};\n");
    }
    return out.full ? LEVY_ARGUMENT : LEVY_OK;
}

levy_status levy_bridge_shape_write(const levy_bridge_tables *t, const levy_bridge_shape *s,
                                    char *text, size_t size)
{
    shape_text out = {text, size, false};
    shape_print(&out, "#define BRIDGE_KERNELS 1\n#define BRIDGE_WIDE %d\n%s", s->wide,
                t->single ? "#define LANE_SINGLE 1\n" : "");
    return out.full ? LEVY_ARGUMENT
                    : levy_bridge_shape_struct(t, s, "bridge_shape", out.at, out.left);
}

/* ---- Data ------------------------------------------------------------------------------------ */

static char *shape_copy(char *at, const void *from, size_t count, size_t real)
{
    memcpy(at, from, count * real);
    return at + count * real;
}

void levy_bridge_constants_write(const levy_bridge_tables *t, const levy_bridge_shape *s,
                                 void *constants)
{
    const size_t d = t->n_dimensions, real = shape_real(t);
    memset(constants, 0, levy_bridge_constants_size(t, s));
    char *at = shape_copy(constants, t->factor, d * d, real);
    at = shape_copy(at, t->start, d, real);
    if (!s->unrolled) return;
    at = shape_copy(at, t->weights, 3 * (size_t)t->n_steps, real);
    if (t->increments) shape_copy(at, t->inverse, t->n_steps, real);
}

static void shape_mark(const levy_bridge_tables *t, const levy_bridge_run *run, void *records)
{
    const size_t size = levy_bridge_record_size(t);
    for (uint32_t i = 0; run->length > 0 && i < t->n_steps;) {
        const int here = levy_bridge_run_starts(t->n_steps, t->instructions, i, run);
        const uint64_t instruction = t->instructions[i] | (uint64_t)here << 62;
        memcpy((char *)records + i * size, &instruction, sizeof instruction);
        i += here ? run->length : 1;
    }
}

void levy_bridge_records_write(const levy_bridge_tables *t, const levy_bridge_run *run,
                               void *records)
{
    const size_t size = levy_bridge_record_size(t), real = shape_real(t);
    memset(records, 0, t->n_steps * size);
    for (size_t i = 0; i < t->n_steps; ++i) {
        const uint64_t instruction = t->instructions[i];
        const size_t row = BRIDGE_ROW(instruction);
        char *const to = (char *)records + i * size;
        memcpy(to, &instruction, sizeof instruction);
        memcpy(to + 8, (const char *)t->weights + 3 * i * real, 3 * real);
        memcpy(to + 8 + 3 * real, (const char *)t->inverse + row * real, real);
        if (BRIDGE_AFTER(instruction))
            memcpy(to + 8 + 4 * real, (const char *)t->inverse + (row + 1) * real, real);
    }
    if (run) shape_mark(t, run, records);
}
