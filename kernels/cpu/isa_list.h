/* isa_list.h: the instruction sets that the library has builds for, best first. CMake leaves out
 * what LEVY_ISA_SETS does not name. */
#ifndef LEVY_CPU_ISA_LIST_H
#define LEVY_CPU_ISA_LIST_H

#if defined(LEVY_WITHOUT_avx512)
#define ISA_AVX512(X)
#else
#define ISA_AVX512(X) X(avx512)
#endif
#if defined(LEVY_WITHOUT_avx2)
#define ISA_AVX2(X)
#else
#define ISA_AVX2(X) X(avx2)
#endif
#if defined(LEVY_WITHOUT_baseline)
#define ISA_BASELINE(X)
#else
#define ISA_BASELINE(X) X(baseline)
#endif

#if defined(__x86_64__)
#define LEVY_ISA_LIST(X) ISA_AVX512(X) ISA_AVX2(X) ISA_BASELINE(X)
#elif defined(__aarch64__)
#define LEVY_ISA_LIST(X) X(neon)
#else
#define LEVY_ISA_LIST(X) X(baseline)
#endif

#endif
