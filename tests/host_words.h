/* host_words.h: CUDA's small vectors and bit functions on the host, for .cu files compiled as C++.
 * Must not know: which kernels, threads. */
#ifndef LEVY_TESTS_HOST_WORDS_H
#define LEVY_TESTS_HOST_WORDS_H

#include <string.h>

struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) float4 {
    float x, y, z, w;
};

template <class T>
static inline T __ldg(const T *at)
{
    return *at;
}
template <class T>
static inline T __ldcs(const T *at)
{
    return *at;
}
template <class T>
static inline void __stcs(T *at, T value)
{
    *at = value;
}
template <class T>
static inline void __stwb(T *at, T value)
{
    *at = value;
}
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline float __uint2float_rn(unsigned x) { return (float)x; }
static inline float __int2float_rn(int x) { return (float)x; }
static inline int __float_as_int(float x)
{
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline float __int_as_float(int bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

#endif
