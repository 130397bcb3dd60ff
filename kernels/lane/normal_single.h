/* normal_single.h: see normal.h, which alone includes this: the formula in single, over the type
 * NORMAL_T and its functions NORMAL_OF, NORMAL_FMA, NORMAL_LOG2, NORMAL_RECIPROCAL. |z| from m =
 * |x| unit and t; a unit is a power of two: no bit depends on it. */
LANE_FN NORMAL_T normal_magnitude(NORMAL_T m, NORMAL_T t, float unit)
{
    const NORMAL_T l = NORMAL_LOG2(t);
    NORMAL_T n = NORMAL_OF(-0x1.ce8b1ep+4f / unit), d = NORMAL_OF(0x1.e01a1ep+7f) - l;
    n = NORMAL_FMA(n, l, NORMAL_OF(0x1.5d52d4p+10f / unit));
    d = NORMAL_FMA(d, l, NORMAL_OF(-0x1.1dd7d6p+12f));
    n = NORMAL_FMA(n, l, NORMAL_OF(-0x1.7a0744p+14f / unit));
    d = NORMAL_FMA(d, l, NORMAL_OF(0x1.7a4780p+16f));
    n = NORMAL_FMA(n, l, NORMAL_OF(0x1.02ee1ep+18f / unit));
    d = NORMAL_FMA(d, l, NORMAL_OF(-0x1.986a28p+18f));
    n = NORMAL_FMA(n, l, NORMAL_OF(-0x1.d81276p+20f / unit));
    d = NORMAL_FMA(d, l, NORMAL_OF(0x1.7a3fdcp+22f));
    n = NORMAL_FMA(n, l, NORMAL_OF(0x1.da10bep+22f / unit));
    return m * n * NORMAL_RECIPROCAL(d);
}
