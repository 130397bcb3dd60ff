/* stats.h: from the moments of replicates to an estimate with an honest error.
 *   Randomised quasi-random points: R independent replicates; each mean is one observation. The
 *     standard error comes from their sample variance, the interval from Student's t with R - 1
 *     degrees of freedom. Means of replicates are skewed if one corner of the cube dominates the
 *     error (a call in one step: skewness 1.7, and t alone covers 92 %). The end of the interval on
 *     the side of their longer tail therefore moves out; it never moves in.
 *   Pseudo-random points: one replicate; mean and variance of its paths, normal interval.
 *   Plain Sobol points, or one replicate: there is no estimate of the error, and none is given.
 * Sources: P. L'Ecuyer, "Randomized quasi-Monte Carlo: an introduction for practitioners", MCQMC
 * 2016, section 2; N. Johnson, "Modified t tests and confidence intervals for asymmetrical
 * populations", JASA 73, 1978; P. Hall, The Bootstrap and Edgeworth Expansion, 1992; Abramowitz and
 * Stegun, 26.5.4 and 26.7 (incomplete beta, Student's t), 26.2.11 (normal). Uses the engine's own
 * exp and log, never libm. Must not know: paths, models, reports. No state, no allocation. */
#ifndef LEVY_STATISTICS_STATS_H
#define LEVY_STATISTICS_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The result of the summation tree for one output over one replicate: m2 = sum of (x - mean)^2. */
typedef struct levy_moments {
    uint64_t n;
    double mean, m2;
} levy_moments;

typedef enum levy_interval_kind {
    LEVY_INTERVAL_NONE, /* no error can be given: std_error and ends are NaN */
    LEVY_INTERVAL_STUDENT_T,
    LEVY_INTERVAL_NORMAL,
    LEVY_INTERVAL_UNRELIABLE, /* the observations hardly differ: std_error is theirs, NaN if all
                               * are equal; the ends are NaN */
    LEVY_INTERVAL_EXACT       /* no sampling was needed: std_error is only rounding */
} levy_interval_kind;

/* Why an estimate is unreliable, or wrong, although its observations differ. */
typedef enum levy_doubt {
    LEVY_DOUBT_NONE,
    LEVY_DOUBT_TOUCHES,  /* too few paths touch a barrier */
    LEVY_DOUBT_JUMPS,    /* too few paths have the rarest jumps */
    LEVY_DOUBT_BELOW,    /* the interval reaches below the least possible payment */
    LEVY_DOUBT_UNIMPLIED /* no volatility gives the price, or an end of its interval */
} levy_doubt;

typedef struct levy_estimate {
    uint64_t n; /* paths over all replicates */
    double value, std_error, ci_low, ci_high;
    levy_interval_kind interval;
    levy_doubt doubt;
} levy_estimate;

/* The part of an estimate's error that its replicates do not show, per unit. */
typedef struct levy_output_errors {
    double rounding, resolution, unseen;
    double rare; /* of the rounding: what rare events add to it */
    bool exact;  /* there is no error but rounding */
    bool zero;   /* it is exact, and 0 by construction: its sums are rounding */
} levy_output_errors;

/* From independent replicates of equal size, at least one. One replicate gives no error. The result
 * is unreliable if there is no variance, or if fewer than six means (half, of fewer than twelve)
 * differ from the most common one, as for a payoff that few paths reach. The interval need not be
 * symmetric. `resolution`: a standard error that the replicates may share and not show (0: none).
 * It is added to theirs, and with it their means may agree. */
levy_estimate levy_estimate_replicates(const levy_moments *replicates, size_t n_replicates,
                                       double confidence, double resolution);

/* From independent paths of one stream. One path gives no error; equal paths are unreliable. */
levy_estimate levy_estimate_paths(const levy_moments *moments, double confidence);

/* A value that needs no sampling. */
levy_estimate levy_estimate_exact(uint64_t n, double value);

/* No value: all NaN. */
levy_estimate levy_estimate_none(void);

/* sqrt(one^2 + other^2) of two errors >= 0. It has the bits of the larger one if the other is too
 * small to matter. NaN if one is NaN. */
double levy_error_combine(double one, double other);

/* Adds an error of another kind, such as rounding or the bias of a bump. The interval widens with
 * the standard error, and keeps its bits if the error is too small to matter. An estimate without a
 * standard error stays so. */
levy_estimate levy_estimate_widen(levy_estimate estimate, double error, double confidence);

/* Adds an estimate of the bias of a bump. An estimate without sampling error then has an error that
 * is not rounding, so its interval is a normal one. */
levy_estimate levy_estimate_bias(levy_estimate estimate, double bias, double confidence);

/* The same value, unreliable and without an interval. One without any error is left as it is. */
levy_estimate levy_estimate_unreliable(levy_estimate estimate);

/* The same, for a reason, which is kept if there is no error either. */
levy_estimate levy_estimate_doubtful(levy_estimate estimate, levy_doubt doubt);

/* "none", "student_t", "normal", "unreliable", "exact" */
const char *levy_interval_text(levy_interval_kind kind);

/* The q with P(|T| < q) = confidence, where T has Student's t law with df >= 1 degrees of freedom,
 * or the standard normal law. confidence in (0, 1), NaN outside. Relative error below 1e-10 for
 * confidence in [0.5, 0.9999], df up to 1e6. */
double levy_student_t_two_sided(double confidence, double df);
double levy_normal_two_sided(double confidence);

#endif
