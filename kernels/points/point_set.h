/* point_set.h: points whose words the host makes: rank-1 lattices, Halton's points, and points of a
 * file. Word w stands for (w + 1/2) 2^-32, as that of a Sobol point. Host only. Must not know:
 * files, plans, normals.
 *
 * A lattice in the order of the radical inverse (R. Cools, F. Y. Kuo, D. Nuyens, SIAM J. Sci.
 * Comput. 28, 2006): point k is {phi_2(k) z}, so 2^m points are the lattice rule of 2^m points for
 * every m; a shift modulo 1 randomises it (R. Cranley, T. N. L. Patterson, SIAM J. Numer. Anal. 13,
 * 1976). Dimension d of Halton's points (J. H. Halton, Numer. Math. 2, 1960) is the radical inverse
 * of k in the d-th prime; each digit of each dimension has a random permutation of its own (A. B.
 * Owen, A randomized Halton algorithm in R, arXiv:1706.02808, 2017). */
#ifndef LEVY_POINTS_POINT_SET_H
#define LEVY_POINTS_POINT_SET_H

#include "kernels/points/net.h"

enum { LEVY_SET_LATTICE, LEVY_SET_HALTON, LEVY_SET_FILE };
enum { LEVY_SET_DIMENSIONS = 1024 }; /* of the built-in lattice and of Halton's points */

typedef struct levy_point_set {
    int32_t kind;          /* LEVY_SET_ */
    uint32_t n_dimensions; /* at least 1 */
    uint32_t n_replicates; /* a file's own; 0: one set, which each replicate randomises */
    uint64_t n_points;     /* of a replicate: at most 2^32 */
    /* lattice: the generating vector; file: [replicate][dimension][point]; Halton: NULL */
    const uint32_t *words;
    uint64_t hash; /* of all that is above; the built-in sets have a number */
} levy_point_set;

extern const levy_point_set levy_set_lattice, levy_set_halton;

/* Reads a generating vector: a number z a line, or its place, from 1, and z; or LDData's lattice.
 * LEVY_OK, LEVY_INPUT (*fault says why) or LEVY_MEMORY. */
levy_status levy_set_read_lattice(levy_arena *arena, const char *text, size_t length,
                                  levy_point_set *set, levy_net_fault *fault);
/* The same of points in NumPy's format .npy: float64 in [0, 1), [point][dimension] or
 * [replicate][point][dimension]. Line 0 of a fault: it has no place. */
levy_status levy_set_read_points(levy_arena *arena, const char *bytes, size_t length,
                                 levy_point_set *set, levy_net_fault *fault);
void levy_set_seal(levy_point_set *set, size_t n_words);

/* Which words: those of one replicate, of points first to first + n - 1 and of the first
 * dimensions, in rows `stride` words apart. A word depends on what is above the line alone. */
typedef struct levy_set_call {
    uint64_t key, replicate; /* key: levy_points_key */
    bool randomised;         /* not: the points as they are */
    uint32_t n_dimensions;
    uint64_t first;
    size_t n, stride;
    uint32_t *words;
} levy_set_call;
/* LEVY_OK or LEVY_MEMORY. */
levy_status levy_set_words(const levy_point_set *set, const levy_memory *memory,
                           const levy_set_call *call);

#endif
