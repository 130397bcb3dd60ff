/* matrix.h: products of numbers in single by matrix instructions. These multiply numbers of 11
 * bits, so that each number is cut in two, and three of them give what one of 24 bits would: the
 * product of the two small parts is below the last bit (H. Ootomo and R. Yokota, Int. J. High
 * Perform. Comput. Appl. 36, 2022, section 3). They add by cutting off, which is the caller's to
 * bound. GPUs without such instructions (LANE_GPU_TENSOR) show each other the numbers, which is
 * slow. Part of loop.h, for a GPU. Must not know: what is multiplied. */

/* Where a thread stands in a warp: four threads, a quad, are `along` the same row of eight. */
LANE_FN uint32_t matrix_across(void) { return threadIdx.x % 32 / 4; }
LANE_FN uint32_t matrix_along(void) { return threadIdx.x % 4; }

#if defined(LANE_SINGLE)
enum {
    MATRIX_QUAD = 4 * LEVY_LANES, /* paths that four threads own */
    MATRIX_TILES = 2 * LEVY_LANES /* pairs of paths: tile m has paths 2 m and 2 m + 1 of a quad */
};

typedef struct LANE_ALIGNED(16) matrix_unit {
    real v[4];
} matrix_unit;

/* What turns the paths of a row of shared memory, so that threads that load, or store, units of
 * four rows together find them in different banks. */
LANE_FN uint32_t matrix_turn(uint32_t row)
{
    return LEVY_LANES == 1   ? row << 3
           : LEVY_LANES == 2 ? (row & 1) << 2 | (row & 2) << 3
                             : row << 2;
}

/* What an instruction leaves of a number: it reads the high bits alone. */
LANE_FN real matrix_low(real x)
{
#if LANE_GPU_TENSOR
    return x - __int_as_float(__float_as_int(x) & ~0x1fff);
#else
    return x;
#endif
}

/* Adds to c[path][column] of the quad's paths 2 m and 2 m + 1 and of columns 2 `along` and
 * 2 `along` + 1: a[0] and a[1] of these paths in one row, a[2] and a[3] in another, times b of
 * column `across` in the same two rows. All threads of the warp come together; those of a quad
 * have the eight rows between them. */
LANE_FN void matrix_multiply(const real a[4], const real b[2], real c[4])
{
#if defined(MATRIX_INSTRUCTION) /* an emulation's */
    MATRIX_INSTRUCTION(a, b, c);
#elif LANE_GPU_TENSOR
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
          "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
#else
#pragma unroll
    for (uint32_t k = 0; k < 8; ++k) {
        const uint32_t mine = 4 * matrix_across() + k / 2, other = 8 * matrix_along() + k / 2;
        const real x = __shfl_sync(0xffffffffu, a[k % 2 * 2], mine),
                   y = __shfl_sync(0xffffffffu, a[k % 2 * 2 + 1], mine),
                   z = __shfl_sync(0xffffffffu, b[k % 2], other),
                   w = __shfl_sync(0xffffffffu, b[k % 2], other + 4);
        c[0] = fmaf(x, z, c[0]);
        c[1] = fmaf(x, w, c[1]);
        c[2] = fmaf(y, z, c[2]);
        c[3] = fmaf(y, w, c[3]);
    }
#endif
}
#endif
