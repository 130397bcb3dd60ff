/* point.h: the arithmetic of the stand-alone bridge, shared by the CPU's lanes and CUDA. It fixes
 * the bits.
 *     mean       fma(w1, right, w0 * left)
 *     point      D = 1: fma(w2 * c, z, mean); the product is rounded when the bridge is made
 *                D > 1: y_e = w2 * z_e, then fma(c[d][e], y_e, .) for e = 0, 1, ... starting from
 *                the mean; e ends at d if the factor is lower triangular
 *     increment  (later - earlier) * (1 / time between); the quotient is rounded when the bridge
 *                is made
 * `fma` is the caller's and must be correctly rounded. Must not know: where any of the data lie. */
#ifndef LEVY_BRIDGE_POINT_H
#define LEVY_BRIDGE_POINT_H

#define BRIDGE_MEAN(fma, w0, left, w1, right) fma(w1, right, (w0) * (left))
#define BRIDGE_ADD(fma, factor, normal, sum) fma(factor, normal, sum)
#define BRIDGE_INCREMENT(later, earlier, inverse) (((later) - (earlier)) * (inverse))

#endif
