/* maths_single.h: see maths.h, which alone includes this. Integers move to and from the exponent by
 * adding 1.5 * 2^23. path_exp and path_log work in powers of two, which a GPU computes in one
 * instruction. */
#ifndef LEVY_LANE_MATHS_SINGLE_H
#define LEVY_LANE_MATHS_SINGLE_H

#include "kernels/lane/target.h"

LANE_FN lane lane_exp(lane x)
{
    x = lane_max(lane_min(x, lane_of(R(88.0))), lane_of(R(-87.0)));
    lane k = lane_fma(x, lane_of(R(0x1.715476p+0)), lane_of(R(0x1.8p23)));
    const lane_bits e = lane_as_bits(k) << 23;
    k = k - R(0x1.8p23);
    const lane r =
        lane_fma(k, lane_of(R(-0x1.7f7d1cp-20)), lane_fma(k, lane_of(R(-0x1.62e4p-1)), x));
    lane p = lane_of(R(0x1.6a53d6p-10));
    MATHS_STEP(p, r, 0x1.12397cp-7);
    MATHS_STEP(p, r, 0x1.5558aap-5);
    MATHS_STEP(p, r, 0x1.555492p-3);
    MATHS_STEP(p, r, 0x1.fffffcp-2);
    MATHS_STEP(p, r, 1.0);
    MATHS_STEP(p, r, 1.0);
    return lane_from_bits(lane_as_bits(p) + e);
}

/* log(2^k (1 + f)): log(1 + f) = f - f^2/2 + f^3 Q(f) for 1 + f in [sqrt(1/2), sqrt(2)) */
LANE_FN lane lane_log_parts(lane k, lane f)
{
    const lane square = f * f;
    lane p = lane_of(R(-0x1.38d42cp-4));
    MATHS_STEP(p, f, 0x1.05615ap-3);
    MATHS_STEP(p, f, -0x1.0d818cp-3);
    MATHS_STEP(p, f, 0x1.22d8c6p-3);
    MATHS_STEP(p, f, -0x1.547290p-3);
    MATHS_STEP(p, f, 0x1.99a020p-3);
    MATHS_STEP(p, f, -0x1.000226p-2);
    MATHS_STEP(p, f, 0x1.555554p-2);
    lane low = lane_fma(square, lane_of(R(-0.5)), square * f * p);
    low = lane_fma(k, lane_of(R(0x1.7f7d1cp-20)), low);
    return lane_fma(k, lane_of(R(0x1.62e4p-1)), f + low);
}

LANE_FN lane lane_log(lane x)
{
    const lane_bits ix = lane_as_bits(lane_max(x, lane_of(R(0x1p-126))));
    const lane_bits e = (ix - 0x3f3504f3) >> 23;
    return lane_log_parts(lane_from_bits(e + 0x4b400000) - R(0x1.8p23),
                          lane_from_bits(ix - (e << 23)) - R(1.0));
}

LANE_FN lane lane_normal_mills(lane a)
{
    lane n = lane_of(R(0x1.9884dcp-2)), d = a + R(0x1.329f8ap+3);
    MATHS_STEP(n, a, 0x1.e94876p+1);
    MATHS_STEP(d, a, 0x1.5a38acp+5);
    MATHS_STEP(n, a, 0x1.0deb00p+4);
    MATHS_STEP(d, a, 0x1.b43090p+6);
    MATHS_STEP(n, a, 0x1.3d063ap+5);
    MATHS_STEP(d, a, 0x1.2b81dap+7);
    MATHS_STEP(n, a, 0x1.616c06p+5);
    MATHS_STEP(d, a, 0x1.616c06p+6);
    return lane_quotient(n, d);
}

LANE_FN lane lane_normal_cdf(lane x)
{
    const lane a = lane_min(lane_abs(x), lane_of(R(13.0))), square = a * a;
    const lane rest = lane_fma(a, a, -square);
    lane e = lane_exp(square * R(-0.5));
    e = lane_fma(e, rest * R(-0.5), e);
    const lane below = e * lane_normal_mills(a);
    return lane_select(x > R(0.0), R(1.0) - below, below);
}

#if LANE_GPU_CODE
LANE_APPROXIMATION(lane_one_exp2, "ex2")
LANE_APPROXIMATION(lane_one_log2, "lg2")
LANE_APPROXIMATION(lane_one_reciprocal, "rcp")
LANE_APPROXIMATION(lane_one_root, "sqrt")
LANE_FN lane path_exp(lane x) { LANE_EACH(lane, lane_one_exp2(x.v[i])); }
LANE_FN lane path_log(lane x) { LANE_EACH(lane, lane_one_log2(x.v[i])); }
LANE_FN lane lane_reciprocal(lane x) { LANE_EACH(lane, lane_one_reciprocal(x.v[i])); }
LANE_FN lane path_log_bounded(lane x) { return path_log(x); }
LANE_FN lane path_quotient(lane n, lane d) { return n * lane_reciprocal(d); }
LANE_FN lane path_root(lane x) { LANE_EACH(lane, lane_one_root(x.v[i])); }
#else
LANE_FN lane path_exp(lane x)
{
    x = lane_max(lane_min(x, lane_of(R(127.0))), lane_of(R(-125.0)));
    const lane k = x + R(0x1.8p23), r = x - (k - R(0x1.8p23));
    lane p = lane_of(R(0x1.418acep-13));
    MATHS_STEP(p, r, 0x1.5f0cacp-10);
    MATHS_STEP(p, r, 0x1.3b2dc4p-7);
    MATHS_STEP(p, r, 0x1.c6af74p-5);
    MATHS_STEP(p, r, 0x1.ebfbdcp-3);
    MATHS_STEP(p, r, 0x1.62e430p-1);
    MATHS_STEP(p, r, 1.0);
    return lane_from_bits(lane_as_bits(p) + (lane_as_bits(k) << 23));
}
LANE_FN void path_exp_four(const lane *x, lane *y, int bounded)
{
    (void)bounded;
    LANE_UNROLL for (int i = 0; i < 4; ++i) y[i] = path_exp(x[i]);
}
LANE_FN lane path_log(lane x)
{
    const lane_bits ix = lane_as_bits(lane_max(x, lane_of(R(0x1p-126))));
    const lane_bits e = (ix - 0x3f3504f3) >> 23;
    const lane f = lane_from_bits(ix - (e << 23)) - R(1.0);
    const lane k = lane_from_bits(e + 0x4b400000) - R(0x1.8p23);
    lane p = lane_of(R(-0x1.93b742p-4));
    MATHS_STEP(p, f, 0x1.67b870p-3);
    MATHS_STEP(p, f, -0x1.87868ap-3);
    MATHS_STEP(p, f, 0x1.a739dcp-3);
    MATHS_STEP(p, f, -0x1.eb2710p-3);
    MATHS_STEP(p, f, 0x1.275a38p-2);
    MATHS_STEP(p, f, -0x1.715718p-2);
    MATHS_STEP(p, f, 0x1.ec717ep-2);
    MATHS_STEP(p, f, -0x1.715476p-1);
    MATHS_STEP(p, f, 0x1.715476p+0);
    return lane_fma(f, p, k);
}
LANE_FN lane lane_reciprocal(lane x) { return R(1.0) / x; }
LANE_FN lane path_log_bounded(lane x) { return path_log(x); }
LANE_FN lane path_quotient(lane n, lane d) { return n / d; }
LANE_FN lane path_root(lane x) { return lane_sqrt(x); }
#endif

/* -log Phi(-z), the exponential variate at a normal's quantile, for z from -1.4 on (what is less is
 * taken as that), less log(ratio). */
LANE_FN lane path_exponential(lane z, lane ratio)
{
    z = lane_raised(z, R(-0x1.66667p+0));
    lane n = lane_of(R(0x1.1e7b3ap-9)), d = lane_of(R(0x1.1ec374p-8));
    MATHS_STEP(n, z, 0x1.e23d6p-6);
    MATHS_STEP(n, z, 0x1.6b1042p-3);
    MATHS_STEP(n, z, 0x1.363afep-1);
    MATHS_STEP(d, z, 0x1.df75e4p-5);
    MATHS_STEP(n, z, 0x1.3b09p+0);
    MATHS_STEP(d, z, 0x1.44315ep-2);
    MATHS_STEP(n, z, 0x1.66584p+0);
    MATHS_STEP(d, z, 0x1.bc9974p-1);
    MATHS_STEP(n, z, 0x1.62e42ep-1);
    MATHS_STEP(d, z, 1.0);
    return lane_fma(path_log_bounded(ratio), lane_of(R(-0x1.62e43p-1)), path_quotient(n, d));
}

#endif
