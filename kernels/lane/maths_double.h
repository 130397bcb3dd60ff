/* maths_double.h: see maths.h, which alone includes this. Integers move to and from the exponent by
 * adding 1.5 * 2^52, because 64-bit conversions are slow or absent where lanes run. */
#ifndef LEVY_LANE_MATHS_DOUBLE_H
#define LEVY_LANE_MATHS_DOUBLE_H

#include "kernels/lane/target.h"

/* For exp: log2(e), -ln 2 in two parts, then the polynomial, in the order of use. */
LANE_TABLE(lane_exp_table) = {
    0x1.71547652b82fep+0,  -0x1.a39ef35793c76p-33, -0x1.62e42feep-1,      0x1.ada2c437c508fp-26,
    0x1.28adf9a014641p-22, 0x1.71df0e951845ap-19,  0x1.a01999615b7a4p-16, 0x1.a01a0134c18f1p-13,
    0x1.6c16c1847697bp-10, 0x1.1111111125c38p-7,   0x1.55555555506bcp-5,  0x1.5555555555502p-3,
    0x1.000000000000ap-1,
};

/* MATHS_SELECTS 1: kernels whose code is so long that the compiler makes no branch of the clamp,
 * which then is integer comparisons. */
#if !defined(MATHS_SELECTS)
#define MATHS_SELECTS 0
#endif
LANE_FN lane lane_exp_range(lane x)
{
#if LANE_GPU /* no path is that far out, as a rule */
    if (MATHS_SELECTS) return lane_raised(lane_lowered(x, R(709.0)), R(-708.0));
    if (!lane_any(lane_not(lane_below(lane_abs(x), R(708.0))))) return x;
#endif
    return lane_max(lane_min(x, lane_of(R(709.0))), lane_of(R(-708.0)));
}

/* p * 2^k, both normal, where `moved` is k + 1.5 * 2^52. */
LANE_FN lane lane_exp_scaled(lane p, lane k, lane moved)
{
#if defined(LANE_SCALE)
    (void)moved;
    return (lane)LANE_SCALE(p, k);
#else
    (void)k;
    return lane_from_bits(lane_as_bits(p) + (lane_as_bits(moved) << 52));
#endif
}

/* exp for |x| below 708, without a clamp: on a GPU the minimum of two doubles is a dozen
 * instructions. */
LANE_FN lane lane_exp_bounded(lane x)
{
    const lane moved = lane_fma(x, lane_of(lane_exp_table[0]), lane_of(R(0x1.8p52))),
               k = moved - R(0x1.8p52);
    const lane r =
        lane_fma(k, lane_of(lane_exp_table[1]), lane_fma(k, lane_of(lane_exp_table[2]), x));
    lane p = lane_of(lane_exp_table[3]);
    MATHS_STEP(p, r, lane_exp_table[4]);
    MATHS_STEP(p, r, lane_exp_table[5]);
    MATHS_STEP(p, r, lane_exp_table[6]);
    MATHS_STEP(p, r, lane_exp_table[7]);
    MATHS_STEP(p, r, lane_exp_table[8]);
    MATHS_STEP(p, r, lane_exp_table[9]);
    MATHS_STEP(p, r, lane_exp_table[10]);
    MATHS_STEP(p, r, lane_exp_table[11]);
    MATHS_STEP(p, r, lane_exp_table[12]);
    MATHS_STEP(p, r, 1.0);
    MATHS_STEP(p, r, 1.0);
    return lane_exp_scaled(p, k, moved);
}

LANE_FN lane lane_exp(lane x) { return lane_exp_bounded(lane_exp_range(x)); }

#if !LANE_GPU
/* lane_exp of four arguments, step by step side by side. One alone is a chain of 20 steps, during
 * which a CPU would mostly wait. */
LANE_FN void lane_exp_four(const lane *x, lane *y, int bounded)
{
    lane k[4], moved[4], r[4];
    LANE_UNROLL for (int i = 0; i < 4; ++i) r[i] = bounded ? x[i] : lane_exp_range(x[i]);
    LANE_UNROLL for (int i = 0; i < 4; ++i) moved[i] =
        lane_fma(r[i], lane_of(lane_exp_table[0]), lane_of(R(0x1.8p52)));
    LANE_UNROLL for (int i = 0; i < 4; ++i) k[i] = moved[i] - R(0x1.8p52);
    LANE_UNROLL for (int i = 0; i < 4; ++i) r[i] = lane_fma(k[i], lane_of(lane_exp_table[2]), r[i]);
    LANE_UNROLL for (int i = 0; i < 4; ++i) r[i] = lane_fma(k[i], lane_of(lane_exp_table[1]), r[i]);
    LANE_UNROLL for (int i = 0; i < 4; ++i) y[i] = lane_of(lane_exp_table[3]);
    LANE_UNROLL for (int step = 4; step < 13; ++step) LANE_UNROLL for (int i = 0; i < 4; ++i)
        MATHS_STEP(y[i], r[i], lane_exp_table[step]);
    LANE_UNROLL for (int i = 0; i < 4; ++i) MATHS_STEP(y[i], r[i], 1.0);
    LANE_UNROLL for (int i = 0; i < 4; ++i) MATHS_STEP(y[i], r[i], 1.0);
    LANE_UNROLL for (int i = 0; i < 4; ++i) y[i] = lane_exp_scaled(y[i], k[i], moved[i]);
}
#endif

/* lane_exp_bounded to a relative error of 1e-12, for paths in mixed precision. */
LANE_TABLE(lane_exp_mixed_table) = {
    0x1.71547652b82fep+0,  -0x1.62e42fefa39efp-1, 0x1.a15a600528a0fp-16, 0x1.a1aa939e677aep-13,
    0x1.6c164de86dafdp-10, 0x1.1110809f385f6p-7,  0x1.555555742d965p-5,  0x1.555555a279c87p-3,
    0x1.fffffffff71b2p-2,  0x1.ffffffffd382fp-1,
};
LANE_FN lane lane_exp_mixed(lane x)
{
    const lane moved = lane_fma(x, lane_of(lane_exp_mixed_table[0]), lane_of(R(0x1.8p52))),
               k = moved - R(0x1.8p52);
    const lane r = lane_fma(k, lane_of(lane_exp_mixed_table[1]), x);
    lane p = lane_of(lane_exp_mixed_table[2]);
    MATHS_STEP(p, r, lane_exp_mixed_table[3]);
    MATHS_STEP(p, r, lane_exp_mixed_table[4]);
    MATHS_STEP(p, r, lane_exp_mixed_table[5]);
    MATHS_STEP(p, r, lane_exp_mixed_table[6]);
    MATHS_STEP(p, r, lane_exp_mixed_table[7]);
    MATHS_STEP(p, r, lane_exp_mixed_table[8]);
    MATHS_STEP(p, r, lane_exp_mixed_table[9]);
    MATHS_STEP(p, r, 1.0);
    return lane_exp_scaled(p, k, moved);
}

/* x = 2^k m with m in [sqrt(1/2), sqrt(2)); f = m - 1, s = f/(2 + f): log m = f - (f^2/2 - s (f^2/2
 * + R(s^2))). */
#if LANE_GPU
LANE_FN lane lane_log_parts(lane x, lane *k)
{
    const lane_bits ix = lane_as_bits(x);
    const lane_bits e = (ix - 0x3fe6a09e667f3bcdLL) >> 52;
    *k = lane_from_bits(e + 0x4338000000000000LL) - R(0x1.8p52);
    return lane_from_bits(ix - (e << 52)) - R(1.0);
}
#else /* works with k + 1024, which is positive: AVX2 has no arithmetic shift of 64 bits */
LANE_FN lane lane_log_parts(lane x, lane *k)
{
    const lane_wide above =
        (lane_wide)lane_as_bits(x) + (0x4000000000000000uLL - 0x3fe6a09e667f3bcduLL);
    *k = lane_from_bits((lane_bits)(above >> 52) + (0x4338000000000000LL - 1024)) - R(0x1.8p52);
    return lane_from_bits((lane_bits)(above & 0xfffffffffffffuLL) + 0x3fe6a09e667f3bcdLL) - R(1.0);
}
#endif

/* The whole number in a double's place of the exponent, from 0 on, plus 1.5 * 2^52. */
LANE_FN lane lane_whole(lane_bits apart)
{
#if LANE_GPU
    return lane_from_bits((apart >> 52) + 0x4338000000000000LL);
#else
    return lane_from_bits((lane_bits)((lane_wide)apart >> 52) + 0x4338000000000000LL);
#endif
}

/* For log: R, in the order of use. */
LANE_TABLE(lane_log_table) = {
    0x1.2f0378eef0d7fp-3, 0x1.39a1ef55717eep-3, 0x1.74663cac8f48ep-3, 0x1.c71c52158439bp-3,
    0x1.24924941dffd6p-2, 0x1.999999997ff2bp-2, 0x1.5555555555592p-1,
};

/* log of a normal x, without a clamp: on a GPU the maximum, too, is a dozen instructions */
LANE_FN lane lane_log_bounded(lane x)
{
    lane k;
    const lane f = lane_log_parts(x, &k);
    const lane s = lane_quotient(f, f + R(2.0)), z = s * s, h = R(0.5) * f * f;
    lane p = lane_of(lane_log_table[0]);
    MATHS_STEP(p, z, lane_log_table[1]);
    MATHS_STEP(p, z, lane_log_table[2]);
    MATHS_STEP(p, z, lane_log_table[3]);
    MATHS_STEP(p, z, lane_log_table[4]);
    MATHS_STEP(p, z, lane_log_table[5]);
    MATHS_STEP(p, z, lane_log_table[6]);
    const lane low = lane_fma(s, lane_fma(p, z, h), k * R(0x1.a39ef35793c76p-33));
    return lane_fma(k, lane_of(R(0x1.62e42feep-1)), f - (h - low));
}

LANE_FN lane lane_log(lane x) { return lane_log_bounded(lane_max(x, lane_of(R(0x1p-1022)))); }

#if !LANE_GPU
/* lane_log of two arguments, step by step side by side. */
LANE_FN void lane_log_two(const lane *x, lane *y)
{
    lane f[2], k[2], s[2], z[2], h[2];
    LANE_UNROLL for (int i = 0; i < 2; ++i) f[i] =
        lane_log_parts(lane_max(x[i], lane_of(R(0x1p-1022))), &k[i]);
    LANE_UNROLL for (int i = 0; i < 2; ++i) s[i] = lane_quotient(f[i], f[i] + R(2.0));
    LANE_UNROLL for (int i = 0; i < 2; ++i) z[i] = s[i] * s[i];
    LANE_UNROLL for (int i = 0; i < 2; ++i) h[i] = R(0.5) * f[i] * f[i];
    LANE_UNROLL for (int i = 0; i < 2; ++i) y[i] = lane_of(lane_log_table[0]);
    LANE_UNROLL for (int step = 1; step < 7; ++step) LANE_UNROLL for (int i = 0; i < 2; ++i)
        MATHS_STEP(y[i], z[i], lane_log_table[step]);
    LANE_UNROLL for (int i = 0; i < 2; ++i)
    {
        const lane low =
            lane_fma(s[i], lane_fma(y[i], z[i], h[i]), k[i] * R(0x1.a39ef35793c76p-33));
        y[i] = lane_fma(k[i], lane_of(R(0x1.62e42feep-1)), f[i] - (h[i] - low));
    }
}
#endif

/* Phi(-a) exp(a^2/2) for a >= 0, as a quotient whose leading terms are those of 1/(a sqrt(2 pi)).
 */
LANE_FN lane lane_normal_mills(lane a)
{
    const lane square = a * a;
    lane n_even = lane_of(R(0x1.9884533d42b78p-2)), n_odd = lane_of(R(0x1.7748321dfe767p+3));
    lane d_even = lane_of(R(0x1.d658a42326dfcp+4)), d_odd = square + R(0x1.ac4ff01858b55p+8);
    MATHS_STEP(n_even, square, 0x1.54f22367cab41p+7);
    MATHS_STEP(d_even, square, 0x1.f5bf330480912p+11);
    MATHS_STEP(n_even, square, 0x1.464d53543fd7cp+13);
    MATHS_STEP(n_odd, square, 0x1.8d677921b4cd4p+10);
    MATHS_STEP(d_even, square, 0x1.fb51eed9abc30p+16);
    MATHS_STEP(d_odd, square, 0x1.9f9abf337a95ep+14);
    MATHS_STEP(n_even, square, 0x1.5daa828f9b40cp+17);
    MATHS_STEP(n_odd, square, 0x1.888c154097c66p+15);
    MATHS_STEP(d_even, square, 0x1.3a75f67160cc0p+20);
    MATHS_STEP(d_odd, square, 0x1.cef9fd7b77d18p+18);
    MATHS_STEP(n_even, square, 0x1.a15ccfcef774bp+19);
    MATHS_STEP(n_odd, square, 0x1.c7ba890bfb18ap+18);
    MATHS_STEP(d_even, square, 0x1.a6fbf50837be3p+21);
    MATHS_STEP(d_odd, square, 0x1.367232fd1734bp+21);
    MATHS_STEP(n_even, square, 0x1.1a3ad7d601e23p+19);
    MATHS_STEP(n_odd, square, 0x1.e8da2f5980b1ap+19);
    MATHS_STEP(d_even, square, 0x1.1a3ad7d601e23p+20);
    MATHS_STEP(d_odd, square, 0x1.65050232ff427p+21);
    const lane n = lane_fma(n_odd, a, n_even), d = lane_fma(d_odd, a, d_even);
    return lane_quotient(n, d);
}

/* Phi(-a) = exp(-a^2/2) N(a)/D(a) for a >= 0, with the square held in two parts; the other half by
 * 1 - Phi(-a). */
LANE_FN lane lane_normal_cdf(lane x)
{
    const lane a = lane_min(lane_abs(x), lane_of(R(37.5))), square = a * a;
    const lane rest = lane_fma(a, a, -square);
    lane e = lane_exp(square * R(-0.5));
    e = lane_fma(e, rest * R(-0.5), e);
    const lane below = e * lane_normal_mills(a);
    return lane_select(x > R(0.0), R(1.0) - below, below);
}

LANE_FN lane path_exp(lane x) { return lane_exp(x); }
#if !LANE_GPU
LANE_FN void path_exp_four(const lane *x, lane *y, int bounded) { lane_exp_four(x, y, bounded); }
#endif
LANE_FN lane path_log(lane x) { return lane_log(x); }
LANE_FN lane path_log_bounded(lane x) { return lane_log_bounded(x); }
LANE_FN lane path_quotient(lane n, lane d) { return lane_quotient(n, d); }
LANE_FN lane path_root(lane x) { return lane_root(x); }

/* For path_exponential: numerator and denominator, in the order of use; then twice what atanh(s) /
 * s is less 1, over s^2, for |s| up to 1 / 5, to 2e-15. */
enum { PATH_EXPONENTIAL_RATIO = 19 };
LANE_TABLE(path_exponential_table) = {
    0x1.e6f5b5abd7375p-22, 0x1.e6fee6bc00d56p-21, 0x1.aaa1384c07768p-16, 0x1.ffa0f931e17f8p-12,
    0x1.4f5dcc16aff67p-8,  0x1.aa7b72acd9fa6p-15, 0x1.199143a501834p-5,  0x1.fa1f601aac4bfp-11,
    0x1.440f10b5d0e56p-3,  0x1.4110ce75af18dp-7,  0x1.061470e5a3246p-1,  0x1.fbaf176b3d538p-5,
    0x1.283665e8d1221p+0,  0x1.07f894f929ef9p-2,  0x1.c1ba572b497d4p+0,  0x1.6999162faccc6p-1,
    0x1.9f4a742cf0d0cp+0,  0x1.307493b999c0fp+0,  0x1.62e42fefa399ep-1,  0x1.63dae43eb45a0p-3,
    0x1.721a2c12c7636p-3,  0x1.c72c0ad872ae1p-3,  0x1.24922e13e2f64p-2,  0x1.999999c4af32fp-2,
    0x1.5555555549ed9p-1,
};
/* -log Phi(-z), the exponential variate at a normal's quantile, for z from -1.4 on (what is less is
 * taken as that), less log(above / below), for 1 and more. With above / below = 2^k (1 + s) / (1 -
 * s) one reciprocal serves both: of the denominators of s and of the variate. */
LANE_FN lane path_exponential(lane z, lane above, lane below)
{
    z = lane_raised(z, R(-0x1.66667p+0));
    lane n = lane_of(path_exponential_table[0]), d = lane_of(path_exponential_table[1]);
    MATHS_STEP(n, z, path_exponential_table[2]);
    MATHS_STEP(n, z, path_exponential_table[3]);
    MATHS_STEP(n, z, path_exponential_table[4]);
    MATHS_STEP(d, z, path_exponential_table[5]);
    MATHS_STEP(n, z, path_exponential_table[6]);
    MATHS_STEP(d, z, path_exponential_table[7]);
    MATHS_STEP(n, z, path_exponential_table[8]);
    MATHS_STEP(d, z, path_exponential_table[9]);
    MATHS_STEP(n, z, path_exponential_table[10]);
    MATHS_STEP(d, z, path_exponential_table[11]);
    MATHS_STEP(n, z, path_exponential_table[12]);
    MATHS_STEP(d, z, path_exponential_table[13]);
    MATHS_STEP(n, z, path_exponential_table[14]);
    MATHS_STEP(d, z, path_exponential_table[15]);
    MATHS_STEP(n, z, path_exponential_table[16]);
    MATHS_STEP(d, z, path_exponential_table[17]);
    MATHS_STEP(n, z, path_exponential_table[18]);
    MATHS_STEP(d, z, 1.0);
    const lane_bits apart = lane_as_bits(above) - lane_as_bits(below) + (real_bits)(1LL << 51);
    const lane near = lane_from_bits(lane_as_bits(below) + (apart & -(real_bits)(1LL << 52)));
    const lane k = lane_whole(apart) - R(0x1.8p52);
    const lane sum = above + near, over = lane_quotient(lane_of(R(1.0)), d * sum);
    const lane s = (above - near) * d * over, square = s * s;
    lane p = lane_of(path_exponential_table[PATH_EXPONENTIAL_RATIO]);
    LANE_UNROLL for (int i = 1; i < 6; ++i)
        MATHS_STEP(p, square, path_exponential_table[PATH_EXPONENTIAL_RATIO + i]);
    const lane rest = lane_fma(k, lane_of(R(-0x1.62e42fefa39efp-1)), n * sum * over);
    return lane_fma(-s, lane_fma(p, square, lane_of(R(2.0))), rest);
}

#endif
