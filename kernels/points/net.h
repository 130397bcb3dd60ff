/* net.h: digital nets in base 2 from generating matrices (H. Niederreiter, Random Number Generation
 * and Quasi-Monte Carlo Methods, SIAM 1992). A matrix becomes the direction numbers of a dimension,
 * so a net has the words, the scrambles and the kernels of Sobol points. Host only. Must not know:
 * files, plans. */
#ifndef LEVY_POINTS_NET_H
#define LEVY_POINTS_NET_H

#include "engine/base/memory.h"
#include "engine/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LEVY_NET_DIMENSIONS = 65536, /* at most */
    LEVY_NET_WRITTEN = 64        /* columns and digits that a text may have */
};

typedef struct levy_net {
    uint32_t n_dimensions; /* 1 to LEVY_NET_DIMENSIONS */
    uint32_t n_columns;    /* 1 to 32: the net has 2^n_columns points */
    /* [n_dimensions][32]: the columns, first digit at the top; 0 from n_columns on */
    const uint32_t *numbers;
    uint64_t hash; /* of all that is above */
} levy_net;

/* What is wrong with a text, and where: line and column count from 1. */
enum { LEVY_NET_TEXT = 200 };
typedef struct levy_net_fault {
    levy_reason reason;
    size_t line, column;
    char message[LEVY_NET_TEXT];
    const char *hint; /* constant */
} levy_net_fault;

/* Reads a net's text in one of the forms of docs/guide.md into memory of the arena. LEVY_OK,
 * LEVY_INPUT (*fault says why) or LEVY_MEMORY. */
levy_status levy_net_read(levy_arena *arena, const char *text, size_t length, levy_net *net,
                          levy_net_fault *fault);

/* A net of n_dimensions matrices with n_columns columns each, [dimension][column], first digit at
 * the top bit; both counts must be in range. LEVY_OK or LEVY_MEMORY. */
levy_status levy_net_of_columns(levy_arena *arena, const uint32_t *columns, uint32_t n_dimensions,
                                uint32_t n_columns, levy_net *net);

/* Completes a net whose other members are set. */
void levy_net_seal(levy_net *net);

/* The direction numbers of dimensions 0 .. n - 1, as levy_sobol_directions: those of the net, or
 * Joe and Kuo's if it is NULL. False: n is too large, or the embedded table is damaged. */
bool levy_net_directions(const levy_net *net, uint32_t n, uint32_t *table);

/* How many dimensions and how many points (as a power of two) there are. */
uint32_t levy_net_dimensions(const levy_net *net);
uint32_t levy_net_log_points(const levy_net *net);

/* The largest q such that each of the 2^q intervals of equal length has 2^(m - q) of the first 2^m
 * points of the dimension: m if its leading m x m matrix is regular. */
uint32_t levy_net_resolution(const uint32_t numbers[32], uint32_t m);

#endif
