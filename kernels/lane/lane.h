/* lane.h: a lane is a path. One source, three readings:
 *   gcc, clang (C11)   a lane is one SIMD register of neighbouring paths (vector extensions);
 *   nvcc, NVRTC        a lane is the LEVY_LANES paths of one thread (a struct of reals, unrolled);
 *   either, one wide   a lane is one path.
 * Only + - * / lane_sqrt lane_fma and bit moves reach a price, so IEEE 754 fixes every bit of it on
 * every machine. Flags: -ffp-contract=off -fno-math-errno -fno-trapping-math -Wno-psabi; CUDA:
 * -fmad=false.
 *
 * Never on a mask: ~ ! && || ?: if (only & | lane_not lane_select lane_any). Never a literal
 * without R(): a bare 0.1 is refused by float lanes on the CPU and is silent, slow double on a GPU.
 * A variable that outlives a masked loop is written through lane_select, or it depends on how long
 * the neighbours stay. Must not know: anything of finance. */
#ifndef LEVY_LANE_H
#define LEVY_LANE_H

#include "kernels/lane/target.h"

#if LANE_GPU_ALONE /* NVRTC has no <stdint.h> of its own */
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#else
#include <stdint.h>
#endif

#if LANE_GPU_ALONE
#define LANE_FN static __device__ __forceinline__
#elif LANE_GPU
#define LANE_FN static __host__ __device__ __forceinline__
#else
#define LANE_FN static inline __attribute__((always_inline, unused))
#endif

/* Before a loop of a fixed few rounds, which -O2 does not unroll by itself. */
#if LANE_GPU
#define LANE_UNROLL _Pragma("unroll")
#elif defined(__clang__)
#define LANE_UNROLL _Pragma("clang loop unroll(full)")
#else
#define LANE_UNROLL _Pragma("GCC unroll 16")
#endif

#if LANE_GPU
#define LANE_ALIGNED(bytes) __align__(bytes)
#else
#define LANE_ALIGNED(bytes) __attribute__((aligned(bytes)))
#endif

#if defined(LANE_SINGLE)
typedef float real;
typedef int32_t real_bits; /* as wide as real: bit tricks, and the CPU's masks */
#define LANE_PICK(in_double, in_single) in_single
#else
typedef double real;
typedef int64_t real_bits;
#define LANE_PICK(in_double, in_single) in_double
#endif
#define R(x) ((real)(x))

/* Tables of coefficients. A GPU takes a double from constant memory in one instruction, where a
 * literal costs two. The table has external linkage, because the compiler turns whatever it knows
 * back into literals. */
#if LANE_GPU_CODE
#define LANE_TABLE(name) extern "C" __constant__ real name[]
#else
#define LANE_TABLE(name) static const real name[]
#endif

#if LANE_GPU
#include "kernels/lane/lane_cuda.h"
#else
#include "kernels/lane/lane_cpu.h"
#endif

/* x86's own min and max are exactly these selections, NaN and zeros included, but gcc 12 does not
 * recognise them and takes three times as many instructions. */
#if defined(LANE_MIN)
LANE_FN lane lane_max(lane a, lane b) { return (lane)LANE_MAX(a, b); }
LANE_FN lane lane_min(lane a, lane b) { return (lane)LANE_MIN(a, b); }
#else
LANE_FN lane lane_max(lane a, lane b) { return lane_select(a > b, a, b); }
LANE_FN lane lane_min(lane a, lane b) { return lane_select(a < b, a, b); }
#endif

#endif
