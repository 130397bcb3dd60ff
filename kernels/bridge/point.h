/* point.h: the arithmetic of the stand-alone bridge, once for the CPU's lanes and for CUDA: what
 * fixes its bits. mean     fma(w1, right, w0 * left) point    D = 1: fma(w2 * c, z, mean), the
 * product rounded when the bridge is made D > 1: y_e = w2 * z_e; then fma(c[d][e], y_e, .) for e =
 * 0, 1, ... from the mean on; e ends at d where the factor is lower triangular increment (later -
 * earlier) * (1 / time between), the quotient rounded when the bridge is made `fma` is the
 * caller's, correctly rounded. Must not know: where any of it lies. */
#ifndef LEVY_BRIDGE_POINT_H
#define LEVY_BRIDGE_POINT_H

#define BRIDGE_MEAN(fma, w0, left, w1, right) fma(w1, right, (w0) * (left))
#define BRIDGE_ADD(fma, factor, normal, sum) fma(factor, normal, sum)
#define BRIDGE_INCREMENT(later, earlier, inverse) (((later) - (earlier)) * (inverse))

#endif
