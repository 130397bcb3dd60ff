/* lane_cuda.h: lanes as the LEVY_LANES paths that one CUDA thread carries. Every operation is a
 * loop that unrolls, so a lane lives in registers and what is the same for all paths of a thread is
 * loaded or computed once. Included by lane.h. */
#ifndef LEVY_LANE_CUDA_H
#define LEVY_LANE_CUDA_H

#if !defined(LEVY_LANES)
#define LEVY_LANES 1
#endif
enum { LANES = LEVY_LANES };

template <class T>
struct lane_pack {
    T v[LANES];
};
typedef lane_pack<real> lane;
typedef lane_pack<real_bits> lane_bits;
typedef lane_pack<uint32_t> lane_word;
typedef lane_pack<bool> lane_mask;

#define LANE_EACH(type, expression)                                                                \
    type lane_each_result;                                                                         \
    _Pragma("unroll") for (int i = 0; i < LANES; ++i) lane_each_result.v[i] = (expression);        \
    return lane_each_result

#define LANE_ARITHMETIC(op)                                                                        \
    LANE_FN lane operator op(lane a, lane b) { LANE_EACH(lane, a.v[i] op b.v[i]); }                \
    LANE_FN lane operator op(lane a, real b) { LANE_EACH(lane, a.v[i] op b); }                     \
    LANE_FN lane operator op(real a, lane b) { LANE_EACH(lane, a op b.v[i]); }
LANE_ARITHMETIC(+)
LANE_ARITHMETIC(-)
LANE_ARITHMETIC(*)
LANE_ARITHMETIC(/)
LANE_FN lane operator-(lane a) { LANE_EACH(lane, -a.v[i]); }

#define LANE_COMPARE(op)                                                                           \
    LANE_FN lane_mask operator op(lane a, lane b) { LANE_EACH(lane_mask, a.v[i] op b.v[i]); }      \
    LANE_FN lane_mask operator op(lane a, real b) { LANE_EACH(lane_mask, a.v[i] op b); }
LANE_COMPARE(<)
LANE_COMPARE(>)
LANE_COMPARE(<=)
LANE_COMPARE(>=)
LANE_COMPARE(==)
LANE_COMPARE(!=)
LANE_FN lane_mask operator&(lane_mask a, lane_mask b) { LANE_EACH(lane_mask, a.v[i] && b.v[i]); }
LANE_FN lane_mask operator|(lane_mask a, lane_mask b) { LANE_EACH(lane_mask, a.v[i] || b.v[i]); }

#define LANE_INTEGER(type, scalar, op)                                                             \
    LANE_FN type operator op(type a, type b) { LANE_EACH(type, a.v[i] op b.v[i]); }                \
    LANE_FN type operator op(type a, scalar b) { LANE_EACH(type, a.v[i] op b); }
LANE_INTEGER(lane_bits, real_bits, +)
LANE_INTEGER(lane_bits, real_bits, -)
LANE_INTEGER(lane_bits, real_bits, &)
LANE_INTEGER(lane_bits, real_bits, |)
LANE_INTEGER(lane_bits, real_bits, ^)
LANE_INTEGER(lane_bits, real_bits, <<)
LANE_INTEGER(lane_bits, real_bits, >>)
LANE_INTEGER(lane_word, uint32_t, +)
LANE_INTEGER(lane_word, uint32_t, -)
LANE_INTEGER(lane_word, uint32_t, *)
LANE_INTEGER(lane_word, uint32_t, &)
LANE_INTEGER(lane_word, uint32_t, |)
LANE_INTEGER(lane_word, uint32_t, ^)
LANE_INTEGER(lane_word, uint32_t, <<)
LANE_INTEGER(lane_word, uint32_t, >>)

LANE_FN lane lane_of(real x) { LANE_EACH(lane, x); }
LANE_FN lane_word lane_word_of(uint32_t x) { LANE_EACH(lane_word, x); }
LANE_FN lane lane_from_word(lane_word u) { LANE_EACH(lane, (real)(int32_t)u.v[i]); }
LANE_FN real_bits lane_one_as_bits(real x)
{
    union {
        real value;
        real_bits bits;
    } u;
    u.value = x;
    return u.bits;
}
LANE_FN real lane_one_from_bits(real_bits x)
{
    union {
        real value;
        real_bits bits;
    } u;
    u.bits = x;
    return u.value;
}
LANE_FN lane_bits lane_as_bits(lane a) { LANE_EACH(lane_bits, lane_one_as_bits(a.v[i])); }
LANE_FN lane lane_from_bits(lane_bits a) { LANE_EACH(lane, lane_one_from_bits(a.v[i])); }
LANE_FN lane lane_fma(lane a, lane b, lane c)
{
    LANE_EACH(lane, LANE_PICK(fma, fmaf)(a.v[i], b.v[i], c.v[i]));
}
LANE_FN lane lane_sqrt(lane a) { LANE_EACH(lane, LANE_PICK(sqrt, sqrtf)(a.v[i])); }
LANE_FN lane lane_select(lane_mask m, lane a, lane b) { LANE_EACH(lane, m.v[i] ? a.v[i] : b.v[i]); }
LANE_FN lane_mask lane_not(lane_mask m) { LANE_EACH(lane_mask, !m.v[i]); }
LANE_FN int lane_any(lane_mask m)
{
    bool any = false;
#pragma unroll
    for (int i = 0; i < LANES; ++i) any = any || m.v[i];
    return any;
}
LANE_FN real lane_get(lane a, int i) { return a.v[i]; }
#define LANE_PATH(a, i) ((a).v[i]) /* path i of a lane of any kind */
LANE_FN lane lane_gather(const real *table, lane_word index) { LANE_EACH(lane, table[index.v[i]]); }
LANE_FN lane_word lane_gather_word(const uint32_t *table, lane_word index)
{
    LANE_EACH(lane_word, table[index.v[i]]);
}
LANE_FN lane_word lane_word_select(lane_mask m, lane_word a, lane_word b)
{
    LANE_EACH(lane_word, m.v[i] ? a.v[i] : b.v[i]);
}
LANE_FN lane_word lane_word_above(lane_word a, lane_word b)
{
    LANE_EACH(lane_word, a.v[i] > b.v[i] ? 1u : 0u);
}
LANE_FN lane_word lane_word_mul_low(lane_word a, uint32_t b) { LANE_EACH(lane_word, a.v[i] * b); }
LANE_FN lane_word lane_word_mul_high(lane_word a, uint32_t b)
{
    LANE_EACH(lane_word, (uint32_t)(((uint64_t)a.v[i] * b) >> 32));
}

/* One 64-bit integer per path, stored in 32 bits where it fits. lane_long_mul multiplies their low
 * halves. */
enum { LANE_PARTS = LANES };
typedef uint64_t lane_long;
typedef uint32_t lane_long_kept;
LANE_FN lane_long lane_long_of(uint64_t x) { return x; }
LANE_FN lane_long lane_long_mul(lane_long a, lane_long b)
{
    return (uint64_t)(uint32_t)a * (uint32_t)b;
}
LANE_FN lane_long lane_long_wrap(lane_long x, uint64_t m) { return x >= m ? x - m : x; }
LANE_FN lane_word lane_word_from_long(const lane_long part[LANE_PARTS])
{
    LANE_EACH(lane_word, (uint32_t)part[i]);
}

/* Defines a function of a float that is one instruction of the GPU, with a relative error of a few
 * units of the last place. */
#define LANE_APPROXIMATION(name, instruction)                                                      \
    LANE_FN float name(float x)                                                                    \
    {                                                                                              \
        float y;                                                                                   \
        asm(instruction ".approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));                             \
        return y;                                                                                  \
    }

/* Asks for global memory that is read soon. */
LANE_FN void lane_prefetch(const void *at)
{
#if LANE_GPU_CODE
    asm volatile("prefetch.global.L1 [%0];" ::"l"(at));
#else
    (void)at;
#endif
}

#endif
