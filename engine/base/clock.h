/* clock.h: the time that measures how long something takes. */
#ifndef LEVY_BASE_CLOCK_H
#define LEVY_BASE_CLOCK_H

/* Seconds since a moment in the past, the same for all threads; never goes back. Any thread. */
double levy_clock_now(void);

#endif
