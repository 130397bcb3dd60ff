/* target.h: the compiler and the target of this code; no other file asks for them. Another GPU adds
 * its answer here, and puts the functions of lane_cuda.h into a file of its own. Must not know:
 * lanes. */
#ifndef LEVY_LANE_TARGET_H
#define LEVY_LANE_TARGET_H

/* 1: a GPU's compiler, also in its pass over host code; else 0 */
#if defined(__CUDACC__)
#define LANE_GPU 1
#else
#define LANE_GPU 0
#endif

/* 1: the pass that makes the GPU's own code */
#if defined(__CUDA_ARCH__)
#define LANE_GPU_CODE 1
#else
#define LANE_GPU_CODE 0
#endif

/* 1: a compiler of kernels alone, which has no host and no C library (NVRTC) */
#if defined(__CUDACC_RTC__)
#define LANE_GPU_ALONE 1
#else
#define LANE_GPU_ALONE 0
#endif

/* 1: no sum over a warp in one instruction (below compute capability 8.0) */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define LANE_GPU_OLD 1
#else
#define LANE_GPU_OLD 0
#endif

/* 1: clusters of CTAs and bulk copies (compute capability 9.0) */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define LANE_GPU_BULK 1
#else
#define LANE_GPU_BULK 0
#endif

/* 1: a matrix instruction in double adds its products one after the other, with the bits of a chain
 * of fma. Measured on compute capability 9.0; no manual promises it for others. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
#define LANE_GPU_MATRIX 1
#else
#define LANE_GPU_MATRIX 0
#endif

/* 1: matrix instructions for numbers of 11 bits (compute capability 8.0) */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define LANE_GPU_TENSOR 1
#elif !defined(LANE_GPU_TENSOR) /* as in an emulation */
#define LANE_GPU_TENSOR 0
#endif

#endif
