/* net_text.c: reads the texts of generating matrices. The lines of a single number at the beginning
 * tell the forms apart. With none, the text is Joe and Kuo's: a line "d s a m_i", then one line per
 * dimension from 2 on, with its number, the degree s, the inner coefficients a of the polynomial,
 * and m_1 to m_s. One such line gives the number of dimensions before that (LatNet Builder's
 * soboljk). Three give dimensions, columns k and digits r (LatNet Builder's net), four the base 2,
 * dimensions, points 2^k and digits r (LDData's dnet); k columns a line follow. With one column the
 * lines of the matrices look like those of the header, and the numbers tell the two apart. A column
 * of r digits is an integer below 2^r whose top bit is the first digit. See net.h. */
#include "kernels/points/net_lines.h"

#include "kernels/points/sobol_tables.h"

#include <inttypes.h>
#include <string.h>

enum { NET_HEADER = 4, NET_DEGREE = 31 };

static bool net_ends(levy_net_reader *r, uint64_t dimensions)
{
    if (r->over) return true;
    if (r->titled)
        return levy_net_refuse(r, LEVY_REASON_INCONSISTENT, 1, "Keep one net in a file.",
                               "a second title");
    return levy_net_refuse(r, LEVY_REASON_INCONSISTENT, r->columns[0],
                           "Correct the number of dimensions, or remove the line.",
                           "a line after the last of the %" PRIu64 " dimensions", dimensions);
}

/* ---- Joe and Kuo's form ---- */

/* Checks s, a and m_1 ... m_s of the line. */
static bool net_check_polynomial(const levy_net_reader *r)
{
    const uint64_t degree = r->numbers[1], inner = r->numbers[2];
    if (degree < 1 || degree > NET_DEGREE)
        return levy_net_refuse(r, LEVY_REASON_RANGE, r->columns[1],
                               "A line holds d, the degree s, a, and m_1 to m_s.",
                               "the degree must be from 1 to %d; got %" PRIu64, NET_DEGREE, degree);
    if (inner >> (degree - 1))
        return levy_net_refuse(r, LEVY_REASON_RANGE, r->columns[2],
                               "a holds the coefficients between the first and the last, as bits.",
                               "a must be below 2^%d for degree %d; got %" PRIu64, (int)degree - 1,
                               (int)degree, inner);
    if (r->n != degree + 3)
        return levy_net_refuse(r, LEVY_REASON_INCONSISTENT, r->columns[r->n - 1],
                               "A line holds d, the degree s, a, and m_1 to m_s.",
                               "a polynomial of degree %d needs %d numbers m_i; got %zu",
                               (int)degree, (int)degree, r->n - 3);
    for (size_t i = 1; i <= degree; ++i)
        if (r->numbers[i + 2] >> i || !(r->numbers[i + 2] & 1))
            return levy_net_refuse(r, LEVY_REASON_RANGE, r->columns[i + 2],
                                   "An initial number m_i is odd and below 2^i.",
                                   "m_%zu must be odd and below %" PRIu64 "; got %" PRIu64, i,
                                   (uint64_t)1 << i, r->numbers[i + 2]);
    return true;
}

static bool net_polynomial(const levy_net_reader *r, uint32_t dimension, uint32_t v[32])
{
    if (r->numbers[0] != dimension + 1 || r->n < 4)
        return levy_net_refuse(
            r, LEVY_REASON_INCONSISTENT, r->columns[0],
            "Dimensions are numbered from 2, without gaps; the first has no line.",
            "expected the line of dimension %u: d, s, a, m_1 ...", (unsigned)dimension + 1);
    if (!net_check_polynomial(r)) return false;
    const uint32_t degree = (uint32_t)r->numbers[1];
    for (uint32_t i = 0; i < degree; ++i) v[i] = (uint32_t)r->numbers[i + 3] << (31 - i);
    levy_sobol_recur(1u << degree | (uint32_t)r->numbers[2] << 1 | 1, degree, v);
    return true;
}

/* An upper bound of the dimensions: the lines that are left. */
static size_t net_count_lines(const levy_net_reader *r)
{
    size_t n = 3;
    for (const char *at = r->at; (at = memchr(at, '\n', (size_t)(r->end - at))); ++at)
        if (++n > LEVY_NET_DIMENSIONS) return LEVY_NET_DIMENSIONS;
    return n;
}

/* `announced`: how many dimensions there must be; 0: as many as there are lines for. */
static levy_status net_joe_kuo(levy_net_reader *r, levy_arena *arena, uint64_t announced,
                               levy_net *net)
{
    const size_t room = announced ? announced : net_count_lines(r);
    uint32_t *const numbers = levy_arena_allocate(arena, room * 32, sizeof *numbers), d = 1;
    if (!numbers) return LEVY_MEMORY;
    for (uint32_t i = 0; i < 32; ++i) numbers[i] = 1u << (31 - i);
    for (; !r->over && d < room; ++d) {
        if (r->titled && d == 1 && !levy_net_line(r)) return LEVY_INPUT;
        if (r->over) break;
        if (!net_polynomial(r, d, numbers + 32 * (size_t)d) || !levy_net_line(r)) return LEVY_INPUT;
    }
    if (announced && d < announced) {
        levy_net_refuse(r, LEVY_REASON_INCONSISTENT, 1, "Was the file cut off?",
                        "the text ends after %u of %" PRIu64 " dimensions", (unsigned)d, announced);
        return LEVY_INPUT;
    }
    if (!announced && !r->over) {
        levy_net_refuse(r, LEVY_REASON_LIMIT, 1, "Remove the last lines.",
                        "more than %d dimensions", LEVY_NET_DIMENSIONS);
        return LEVY_INPUT;
    }
    if (!net_ends(r, announced)) return LEVY_INPUT;
    *net = (levy_net){.n_dimensions = d, .n_columns = 32, .numbers = numbers};
    return LEVY_OK;
}

/* ---- Matrices ---- */

typedef struct net_header {
    uint64_t numbers[NET_HEADER];
    size_t lines[NET_HEADER], n;
    const char *last; /* the text before the last number was read, and how many lines came before */
    size_t before;
} net_header;

typedef struct net_shape {
    uint64_t dimensions, columns, digits;
} net_shape;

static bool net_check_count(levy_net_reader *r, const net_header *header, size_t at, uint64_t most,
                            const char *what)
{
    r->line = header->lines[at];
    if (header->numbers[at] >= 1 && header->numbers[at] <= most) return true;
    return levy_net_refuse(r, LEVY_REASON_LIMIT, 1, levy_net_forms,
                           "the number of %s must be from 1 to %" PRIu64 "; got %" PRIu64, what,
                           most, header->numbers[at]);
}

/* LDData's header has the base first, and points in place of columns. */
static bool net_header_points(levy_net_reader *r, const net_header *header, net_shape *shape)
{
    const uint64_t points = header->numbers[2];
    if (header->numbers[0] != 2) {
        r->line = header->lines[0];
        return levy_net_refuse(r, LEVY_REASON_UNSUPPORTED, 1, levy_net_forms,
                               "only nets in base 2 are read; got base %" PRIu64,
                               header->numbers[0]);
    }
    if (points < 2 || points & (points - 1)) {
        r->line = header->lines[2];
        return levy_net_refuse(r, LEVY_REASON_RANGE, 1, levy_net_forms,
                               "the number of points must be a power of two; got %" PRIu64, points);
    }
    shape->columns = (uint64_t)__builtin_ctzll(points);
    shape->dimensions = header->numbers[1];
    shape->digits = header->numbers[3];
    return net_check_count(r, header, 1, LEVY_NET_DIMENSIONS, "dimensions") &&
           net_check_count(r, header, 3, LEVY_NET_WRITTEN, "digits");
}

static bool net_header_columns(levy_net_reader *r, const net_header *header, net_shape *shape)
{
    *shape = (net_shape){header->numbers[0], header->numbers[1], header->numbers[2]};
    return net_check_count(r, header, 0, LEVY_NET_DIMENSIONS, "dimensions") &&
           net_check_count(r, header, 1, LEVY_NET_WRITTEN, "columns") &&
           net_check_count(r, header, 2, LEVY_NET_WRITTEN, "digits");
}

/* Keeps the top 32 digits of the first 32 columns. */
static bool net_matrix(const levy_net_reader *r, const net_shape *shape, uint32_t v[32])
{
    const uint32_t digits = (uint32_t)shape->digits;
    if (r->titled || r->n != shape->columns)
        return levy_net_refuse(
            r, LEVY_REASON_INCONSISTENT, r->n ? r->columns[r->n - 1] : 1,
            "A matrix is one line with all its columns. Interlaced nets and LatNet "
            "Builder's formats sobol and lattice are not read.",
            "a matrix of %" PRIu64 " columns where the header announces %" PRIu64, (uint64_t)r->n,
            shape->columns);
    for (size_t j = 0; j < r->n; ++j) {
        const uint64_t column = r->numbers[j];
        if (digits < 64 && column >> digits)
            return levy_net_refuse(
                r, LEVY_REASON_RANGE, r->columns[j], "A column of r digits is a number below 2^r.",
                "column %zu has more than %u digits: %" PRIu64, j + 1, (unsigned)digits, column);
        if (j < 32)
            v[j] = (uint32_t)(digits > 32 ? column >> (digits - 32) : column << (32 - digits));
    }
    return true;
}

static levy_status net_matrices(levy_net_reader *r, levy_arena *arena, const net_shape *shape,
                                levy_net *net)
{
    uint32_t *const numbers =
        levy_arena_allocate(arena, (size_t)shape->dimensions * 32, sizeof *numbers);
    if (!numbers) return LEVY_MEMORY;
    for (uint64_t d = 0; d < shape->dimensions; ++d) {
        if (r->over) {
            levy_net_refuse(r, LEVY_REASON_INCONSISTENT, 1, "Was the file cut off?",
                            "the text ends after %" PRIu64 " of %" PRIu64 " dimensions", d,
                            shape->dimensions);
            return LEVY_INPUT;
        }
        if (!net_matrix(r, shape, numbers + 32 * d) || !levy_net_line(r)) return LEVY_INPUT;
    }
    if (!net_ends(r, shape->dimensions)) return LEVY_INPUT;
    *net = (levy_net){.n_dimensions = (uint32_t)shape->dimensions,
                      .n_columns = (uint32_t)(shape->columns < 32 ? shape->columns : 32),
                      .numbers = numbers};
    return LEVY_OK;
}

/* ---- All ---- */

/* After four lines of one number: the fourth is a matrix, and the header has three. */
static bool net_put_back(levy_net_reader *r, net_header *header)
{
    r->at = header->last;
    r->line = header->before;
    header->n--;
    r->over = false;
    return levy_net_line(r);
}

/* The line after four of one number has one as well: matrices of one column. A dnet of them has two
 * points, a net the number of columns, 1, in its second line. */
static bool net_read_narrow(levy_net_reader *r, net_header *header)
{
    const uint64_t *const h = header->numbers, fifth = r->numbers[0];
    const bool net = h[1] == 1, dnet = h[0] == 2 && h[2] == 2;
    if (!net && !dnet)
        return levy_net_refuse(r, LEVY_REASON_TYPE, r->columns[0], levy_net_forms,
                               "a fifth line of one number");
    if (net && dnet) { /* two dimensions of 2 digits, or one of h[3] digits */
        const bool net_fits = h[3] < 4 && fifth < 4,
                   dnet_fits = h[3] >= 1 && (h[3] >= 64 || !(fifth >> h[3]));
        if (net_fits && dnet_fits) {
            r->line = header->lines[0];
            return levy_net_refuse(r, LEVY_REASON_INCONSISTENT, 1,
                                   "Write the net as a dnet, or the dnet as a net.",
                                   "both a net of 2 dimensions and a dnet of 1 dimension");
        }
        return net_fits ? net_put_back(r, header) : true;
    }
    return net ? net_put_back(r, header) : true;
}

/* Reads the lines of one number at the beginning, and the line after them. */
static bool net_read_header(levy_net_reader *r, net_header *header)
{
    *header = (net_header){.n = 0};
    const char *last = r->at;
    size_t before = 0;
    for (; levy_net_line(r); last = r->at, before = r->line) {
        if (r->over && header->n == 0)
            return levy_net_refuse(r, LEVY_REASON_MISSING_KEY, 1, levy_net_forms,
                                   "the text has no numbers");
        if (r->over && header->n == NET_HEADER && header->numbers[1] == 1 &&
            header->numbers[0] != 2)
            return net_put_back(r, header); /* a net's first matrix of one column, and the end */
        if (r->over || r->titled || r->n > 1) return true;
        if (header->n == NET_HEADER) return net_read_narrow(r, header);
        header->last = last;
        header->before = before;
        header->numbers[header->n] = r->numbers[0];
        header->lines[header->n++] = r->line;
    }
    return false;
}

static levy_status net_body(levy_net_reader *r, levy_arena *arena, const net_header *header,
                            levy_net *net)
{
    net_shape shape = {0, 0, 0};
    if (header->n == 0 && (r->titled || (r->n > 3 && r->numbers[0] == 2)))
        return net_joe_kuo(r, arena, 0, net);
    if (header->n == 0) {
        levy_net_refuse(r, LEVY_REASON_TYPE, r->columns[0], levy_net_forms,
                        "neither a header nor Joe and Kuo's line of dimension 2");
        return LEVY_INPUT;
    }
    if (header->n == 2) {
        levy_net_refuse(r, LEVY_REASON_TYPE, 1, levy_net_forms,
                        "a header of 2 lines, which no form has");
        return LEVY_INPUT;
    }
    const size_t line = r->line;
    const bool good = header->n == 1
                          ? net_check_count(r, header, 0, LEVY_NET_DIMENSIONS, "dimensions")
                      : header->n == 3 ? net_header_columns(r, header, &shape)
                                       : net_header_points(r, header, &shape);
    if (!good) return LEVY_INPUT;
    r->line = line;
    return header->n == 1 ? net_joe_kuo(r, arena, header->numbers[0], net)
                          : net_matrices(r, arena, &shape, net);
}

levy_status levy_net_read(levy_arena *arena, const char *text, size_t length, levy_net *net,
                          levy_net_fault *fault)
{
    levy_net_reader r = levy_net_begin(text, length, fault);
    net_header header;
    if (!net_read_header(&r, &header)) return LEVY_INPUT;
    const levy_status status = net_body(&r, arena, &header, net);
    if (status == LEVY_OK) levy_net_seal(net);
    return status;
}
