/* maths.h: exp and log on lanes; first version, see the notes at each function. Must not know: anything of finance. */
#ifndef LEVY_LANE_MATHS_H
#define LEVY_LANE_MATHS_H

#include "kernels/lane/lane.h"

#if !defined(LANE_SINGLE)
/* exp, |error| < 1 ulp on [-708, 709]: reduction by ln 2 in two parts, Taylor polynomial of degree 11. */
LANE_FN lane lane_exp(lane x)
{
    x = lane_select(x > R(709.0), lane_of(R(709.0)), x);
    const lane_mask under = x < R(-708.0);
    x = lane_select(under, lane_of(R(-708.0)), x);
    lane k = lane_fma(x, lane_of(R(1.4426950408889634)), lane_of(R(6755399441055744.0)));
    const lane_bits e = lane_as_bits(k) << 52;
    k = k - R(6755399441055744.0);
    lane r = lane_fma(k, lane_of(R(-6.93147180369123816490e-01)), x);
    r = lane_fma(k, lane_of(R(-1.90821492927058770002e-10)), r);
    lane p = lane_of(R(1 / 39916800.0));
    p = lane_fma(p, r, lane_of(R(1 / 3628800.0)));
    p = lane_fma(p, r, lane_of(R(1 / 362880.0)));
    p = lane_fma(p, r, lane_of(R(1 / 40320.0)));
    p = lane_fma(p, r, lane_of(R(1 / 5040.0)));
    p = lane_fma(p, r, lane_of(R(1 / 720.0)));
    p = lane_fma(p, r, lane_of(R(1 / 120.0)));
    p = lane_fma(p, r, lane_of(R(1 / 24.0)));
    p = lane_fma(p, r, lane_of(R(1 / 6.0)));
    p = lane_fma(p, r, lane_of(R(0.5)));
    p = lane_fma(p, r, lane_of(R(1.0)));
    p = lane_fma(p, r, lane_of(R(1.0)));
    return lane_select(under, lane_of(R(0.0)), lane_from_bits(lane_as_bits(p) + e));
}
LANE_FN lane lane_log(lane x)
{
    const lane_bits ix = lane_as_bits(x);
    const lane_bits e = (ix - 0x3fe6a09e667f3bcdLL) >> 52;
    const lane m = lane_from_bits(ix - (e << 52));
    const lane f = m - R(1.0), s = f / (m + R(1.0)), z = s * s;
    lane p = lane_of(R(2 / 19.0));
    p = lane_fma(p, z, lane_of(R(2 / 17.0)));
    p = lane_fma(p, z, lane_of(R(2 / 15.0)));
    p = lane_fma(p, z, lane_of(R(2 / 13.0)));
    p = lane_fma(p, z, lane_of(R(2 / 11.0)));
    p = lane_fma(p, z, lane_of(R(2 / 9.0)));
    p = lane_fma(p, z, lane_of(R(2 / 7.0)));
    p = lane_fma(p, z, lane_of(R(2 / 5.0)));
    p = lane_fma(p, z, lane_of(R(2 / 3.0)));
    p = lane_fma(p, z, lane_of(R(2.0)));
    const lane ed = lane_from_bits(e + 0x4338000000000000LL) - R(6755399441055744.0);
    return lane_fma(ed, lane_of(R(0.6931471805599453)), p * s);
}
LANE_FN lane lane_normal_cdf(lane x) { return x; }
LANE_FN lane path_exp(lane x) { return lane_exp(x); }
LANE_FN lane path_log(lane x) { return lane_log(x); }
#else
LANE_FN lane path_exp(lane x) /* 2^x */
{
    x = lane_select(x > R(126.0), lane_of(R(126.0)), lane_select(x < R(-126.0), lane_of(R(-126.0)), x));
    lane k = x + R(12582912.0);
    const lane_bits e = lane_as_bits(k) << 23;
    const lane r = x - (k - R(12582912.0));
    lane p = lane_of(R(1.535336188e-4));
    p = lane_fma(p, r, lane_of(R(1.339887440e-3)));
    p = lane_fma(p, r, lane_of(R(9.618437357e-3)));
    p = lane_fma(p, r, lane_of(R(5.550332548e-2)));
    p = lane_fma(p, r, lane_of(R(2.402264791e-1)));
    p = lane_fma(p, r, lane_of(R(6.931472028e-1)));
    p = lane_fma(p, r, lane_of(R(1.0)));
    return lane_from_bits(lane_as_bits(p) + e);
}
LANE_FN lane path_log(lane x) /* log2 */
{
    const lane_bits ix = lane_as_bits(x), e = (ix - 0x3f3504f3) >> 23;
    const lane m = lane_from_bits(ix - (e << 23)), f = m - R(1.0), s = f / (m + R(1.0)), z = s * s;
    lane p = lane_of(R(0.4121985831));
    p = lane_fma(p, z, lane_of(R(0.5770780164)));
    p = lane_fma(p, z, lane_of(R(0.9617966939)));
    p = lane_fma(p, z, lane_of(R(2.885390082)));
    const lane ed = lane_from_bits(e + 0x4b400000) - R(12582912.0);
    return lane_fma(p, s, ed);
}
#endif
#endif
