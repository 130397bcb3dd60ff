#!/usr/bin/env python3
"""heston64_cpu by QuantLib's own Monte Carlo engine, through its Python package: the same scheme (quadratic exponential with
Andersen's martingale correction), a step from date to date, one thread. Tried are its Sobol points and its Mersenne twister; the
faster counts. Seconds of the processor, the best of five runs, the calculation alone.

QuantLib works in dates, so that the year has 64 days here, in Actual/365: rates, speeds and variances are by 365 of these.
"""
import math
import os
import sys
import time

STEPS, YEAR = 64, 64 / 365
RATE, V0, THETA, KAPPA, XI, RHO = 0.05, 0.04, 0.04, 2.0, 0.5, -0.7
PRICE = 5.7203  # of levy, to 0.001


def usual_paths(usual):
    text = os.environ.get("LEVY_BENCH_PATHS", "")
    if "^" in text:
        base, power = text.split("^")
        return int(base) ** int(power)
    return int(text) if text else usual


def main():
    try:
        import QuantLib as ql
    except ImportError:
        print("quantlib: no heston64_cpu, Python has no package QuantLib", file=sys.stderr)
        return 77
    today = ql.Date(20, 11, 2026)
    ql.Settings.instance().evaluationDate = today
    rate, yields = (ql.YieldTermStructureHandle(ql.FlatForward(today, value / YEAR, ql.Actual365Fixed())) for value in (RATE, 0.0))
    process = ql.HestonProcess(rate, yields, ql.QuoteHandle(ql.SimpleQuote(100.0)), V0 / YEAR, KAPPA / YEAR, THETA / YEAR, XI / YEAR,
                               RHO, ql.HestonProcess.QuadraticExponentialMartingale)
    dates = [today + i for i in range(1, STEPS + 1)]
    option = ql.DiscreteAveragingAsianOption(ql.Average.Arithmetic, dates, ql.PlainVanillaPayoff(ql.Option.Call, 100.0),
                                             ql.EuropeanExercise(dates[-1]))
    paths, least = usual_paths(1 << 15), []
    for generator in ("lowdiscrepancy", "pseudorandom"):
        best = math.inf
        for run in range(5):
            option.setPricingEngine(ql.MCDiscreteArithmeticAPHestonEngine(process, generator, requiredSamples=paths, seed=42 + run,
                                                                          timeSteps=STEPS))
            begin = time.process_time()
            value = option.NPV()
            best = min(best, time.process_time() - begin)
        print("  heston64_cpu, %s: price %.4f, best %.3f s" % (generator, value, best), file=sys.stderr)
        least.append(best)
        if abs(value - PRICE) > 0.02 + 40.0 / math.sqrt(paths):
            print("quantlib: the price is %g" % value, file=sys.stderr)
            return 1
    print("heston64_cpu %.6g path-steps/s" % (paths * STEPS / min(least)), flush=True)
    return 0


sys.exit(main())
