/* point_set_read.c: reads generating vectors of lattices and points in NumPy's format (NEP 1). See
 * point_set.h. */
#include "engine/base/number.h"
#include "kernels/points/net_lines.h"
#include "kernels/points/point_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- Generating vectors ---- */

static const char set_vector_hint[] =
    "A line holds a number z, or its place, from 1, and z (docs/guide.md).";

/* LDData's header: two lines of one number, the dimensions and the points, after "# lattice". */
static bool set_header(levy_net_reader *r, uint64_t *dimensions, uint64_t *points)
{
    static const char title[] = "# lattice";
    const size_t length = (size_t)(r->end - r->at);
    if (length < sizeof title || memcmp(r->at, title, sizeof title - 1) != 0) return true;
    for (size_t i = 0; i < 2; ++i) {
        if (!levy_net_line(r)) return false;
        if (r->over || r->n != 1)
            return levy_net_refuse(r, LEVY_REASON_INCONSISTENT, 1, set_vector_hint,
                                   "after '# lattice' a line has the number of %s",
                                   i ? "points" : "dimensions");
        *(i ? points : dimensions) = r->numbers[0];
    }
    if (*points >= 2 && *points <= (uint64_t)1 << 32 && (*points & (*points - 1)) == 0) return true;
    return levy_net_refuse(r, LEVY_REASON_RANGE, r->columns[0], "Use a vector for 2^m points.",
                           "the number of points must be a power of two, 2 to 2^32; got %" PRIu64,
                           *points);
}

/* The number of the line in dimension d, which must be odd: an even one gives two of 2^m points the
 * same coordinate. */
static bool set_component(const levy_net_reader *r, uint32_t d, uint32_t *z)
{
    const size_t last = r->n - 1;
    if (r->n > 2 || r->titled || (r->n == 2 && r->numbers[0] != d + 1))
        return levy_net_refuse(r, LEVY_REASON_INCONSISTENT, r->columns[0], set_vector_hint,
                               "expected the component of dimension %u", (unsigned)d + 1);
    if (r->numbers[last] > UINT32_MAX || r->numbers[last] % 2 == 0)
        return levy_net_refuse(
            r, LEVY_REASON_RANGE, r->columns[last], "Use a vector for 2^m points.",
            "a component must be odd and below 2^32; got %" PRIu64, r->numbers[last]);
    *z = (uint32_t)r->numbers[last];
    return true;
}

levy_status levy_set_read_lattice(levy_arena *arena, const char *text, size_t length,
                                  levy_point_set *set, levy_net_fault *fault)
{
    levy_net_reader r = levy_net_begin(text, length, fault);
    uint64_t announced = UINT64_MAX, points = (uint64_t)1 << 32;
    uint32_t *const z = levy_arena_allocate(arena, LEVY_NET_DIMENSIONS, sizeof *z), n = 0;
    if (!z) return LEVY_MEMORY;
    if (!set_header(&r, &announced, &points)) return LEVY_INPUT;
    for (;; ++n) {
        if (!levy_net_line(&r)) return LEVY_INPUT;
        if (r.over) break;
        if (n == LEVY_NET_DIMENSIONS) {
            levy_net_refuse(&r, LEVY_REASON_LIMIT, 1, "Remove the last lines.",
                            "more than %d dimensions", LEVY_NET_DIMENSIONS);
            return LEVY_INPUT;
        }
        if (!set_component(&r, n, &z[n])) return LEVY_INPUT;
    }
    if (n == 0) {
        levy_net_refuse(&r, LEVY_REASON_MISSING_KEY, 1, set_vector_hint, "the text has no numbers");
        return LEVY_INPUT;
    }
    if (announced != UINT64_MAX && announced != n) {
        levy_net_refuse(&r, LEVY_REASON_INCONSISTENT, 1, "Was the file cut off?",
                        "%u components where the text announces %" PRIu64, (unsigned)n, announced);
        return LEVY_INPUT;
    }
    *set = (levy_point_set){
        .kind = LEVY_SET_LATTICE, .n_dimensions = n, .n_points = points, .words = z};
    levy_set_seal(set, n);
    return LEVY_OK;
}

/* ---- Points ---- */

static const char set_save_hint[] =
    "Save an array [point][dimension] or [replicate][point][dimension] of float64 by numpy.save.";

typedef struct set_npy {
    const char *data;  /* the numbers */
    uint64_t shape[3]; /* replicates, points, dimensions */
    bool one;          /* [point][dimension] */
} set_npy;

static levy_status set_refuse(levy_net_fault *fault, levy_reason reason, const char *hint,
                              const char *message)
{
    *fault = (levy_net_fault){.reason = reason, .hint = hint};
    snprintf(fault->message, sizeof fault->message, "%s", message);
    return LEVY_INPUT;
}

/* The shape behind "'shape': (". False: it has not two or three lengths. */
static bool set_shape(const char *at, set_npy *npy)
{
    uint64_t lengths[4];
    size_t n = 0;
    int used = 0;
    while (n < 4 && *at >= '0' && *at <= '9' && sscanf(at, "%" SCNu64 "%n", &lengths[n], &used)) {
        ++n;
        at += used;
        if (*at == ',') ++at;
        if (*at == ' ') ++at;
    }
    npy->one = n == 2;
    npy->shape[0] = npy->one ? 1 : lengths[0];
    npy->shape[1] = n < 2 ? 0 : lengths[n - 2];
    npy->shape[2] = n < 2 ? 0 : lengths[n - 1];
    return *at == ')' && (n == 2 || n == 3);
}

/* The header's text: a Python dictionary, which NumPy writes only in this spelling. */
static levy_status set_header_text(const char *header, set_npy *npy, levy_net_fault *fault)
{
    const char *const kind = strstr(header, "'descr': "), *shape = strstr(header, "'shape': (");
    if (!kind || !shape)
        return set_refuse(fault, LEVY_REASON_TYPE, set_save_hint, "the header of .npy is damaged");
    if (strncmp(kind + 9, "'<f8'", 5) != 0)
        return set_refuse(fault, LEVY_REASON_TYPE, "Save array.astype('float64').",
                          "the numbers must be float64, in the byte order of x86");
    if (!strstr(header, "'fortran_order': False"))
        return set_refuse(fault, LEVY_REASON_TYPE, "Save numpy.ascontiguousarray(array).",
                          "the array is in Fortran's order");
    if (!set_shape(shape + 10, npy))
        return set_refuse(fault, LEVY_REASON_TYPE, set_save_hint,
                          "the array must have two or three dimensions");
    return LEVY_OK;
}

static levy_status set_npy_open(const char *bytes, size_t length, set_npy *npy,
                                levy_net_fault *fault)
{
    enum { START = 10, HEADER = 1024 };
    const unsigned char *const u = (const unsigned char *)bytes;
    if (length < START || memcmp(bytes, "\x93NUMPY", 6) != 0)
        return set_refuse(fault, LEVY_REASON_TYPE, set_save_hint, "not a file of numpy.save");
    const size_t size = u[8] | (size_t)u[9] << 8;
    char header[HEADER];
    if (u[6] != 1 || size >= HEADER || START + size > length)
        return set_refuse(fault, LEVY_REASON_TYPE, set_save_hint, "the header of .npy is damaged");
    memcpy(header, bytes + START, size);
    header[size] = '\0';
    LEVY_TRY(set_header_text(header, npy, fault));
    uint64_t numbers, needed;
    if (npy->shape[0] < 1 || npy->shape[0] > UINT16_MAX + 1 || npy->shape[1] < 2 ||
        npy->shape[1] > (uint64_t)1 << 32 || npy->shape[2] < 1 ||
        npy->shape[2] > LEVY_NET_DIMENSIONS)
        return set_refuse(fault, LEVY_REASON_RANGE, set_save_hint,
                          "there must be 1 to 65,536 replicates and dimensions, and 2 to 2^32 "
                          "points");
    if (__builtin_mul_overflow(npy->shape[0] * npy->shape[2], npy->shape[1], &numbers) ||
        __builtin_mul_overflow(numbers, sizeof(double), &needed) || needed != length - START - size)
        return set_refuse(fault, LEVY_REASON_INCONSISTENT, "Was the file cut off?",
                          "the file does not have as many numbers as its shape says");
    npy->data = bytes + START + size;
    return LEVY_OK;
}

static levy_status set_refuse_number(const set_npy *npy, uint64_t r, uint64_t p, uint64_t d,
                                     double x, levy_net_fault *fault)
{
    char number[LEVY_NUMBER_SIZE], message[LEVY_NET_TEXT];
    levy_number_write(x, number);
    if (npy->one)
        snprintf(message, sizeof message, "number [%" PRIu64 "][%" PRIu64 "] is %s", p, d, number);
    else
        snprintf(message, sizeof message, "number [%" PRIu64 "][%" PRIu64 "][%" PRIu64 "] is %s", r,
                 p, d, number);
    return set_refuse(fault, LEVY_REASON_RANGE,
                      "Points are uniforms, at least 0 and below 1; not normals.", message);
}

levy_status levy_set_read_points(levy_arena *arena, const char *bytes, size_t length,
                                 levy_point_set *set, levy_net_fault *fault)
{
    set_npy npy;
    LEVY_TRY(set_npy_open(bytes, length, &npy, fault));
    const size_t points = (size_t)npy.shape[1], dimensions = (size_t)npy.shape[2],
                 n = (size_t)npy.shape[0] * points * dimensions;
    uint32_t *const words = levy_arena_allocate(arena, n, sizeof *words);
    if (!words) return LEVY_MEMORY;
    for (size_t i = 0; i < n; ++i) {
        const size_t d = i % dimensions, p = i / dimensions % points, r = i / dimensions / points;
        double x;
        memcpy(&x, npy.data + i * sizeof x, sizeof x);
        if (!(x >= 0.0 && x < 1.0)) return set_refuse_number(&npy, r, p, d, x, fault);
        words[(r * dimensions + d) * points + p] = (uint32_t)(x * 0x1p32);
    }
    *set = (levy_point_set){.kind = LEVY_SET_FILE,
                            .n_dimensions = (uint32_t)dimensions,
                            .n_replicates = npy.one ? 0 : (uint32_t)npy.shape[0],
                            .n_points = points,
                            .words = words};
    levy_set_seal(set, n);
    return LEVY_OK;
}
