/* angle.h: sine, cosine and the angle of a point, in double, with the same bits on every machine.
 * Thread-safe; no state. */
#ifndef LEVY_FOURIER_ANGLE_H
#define LEVY_FOURIER_ANGLE_H

#define LEVY_PI 3.141592653589793

/* 2 ulp of 1 for |x| up to 1e6; beyond 1e9 both are NaN, because the phase is lost. */
void levy_sine_cosine(double x, double *sine, double *cosine);
/* In [-pi, pi], 4 ulp; 0 at the origin. */
double levy_angle(double y, double x);

#endif
