/* asian.cpp: the option of configs/asian.yaml priced by QuantLib's own Monte Carlo engine for discrete arithmetic
 * average-price options, so that levy's speed stands beside a peer's on the same machine in the same run: Sobol points,
 * Brownian bridge, one thread (QuantLib has no other).
 *
 *     quantlib_asian [PATHS [ERROR [control]]]        default 2^17
 *
 * Prints one line of JSON. `seconds` is the engine's calculation alone, set-up left out, as levy's own figure leaves it out. With
 * ERROR, a share of the price, the paths are pseudo-random (Mersenne twister), for which QuantLib estimates a standard error, and
 * `seconds_to_error` are those of as many paths as bring it there: as 1/sqrt(N) from those of the run. control: with QuantLib's own
 * control variate, the geometric average in closed form.
 * QuantLib works in dates: a day count of 64 days to the year makes the fixings exactly 1/64, 2/64, ... 1. */
#include <ql/exercise.hpp>
#include <ql/instruments/asianoption.hpp>
#include <ql/pricingengines/asian/mc_discr_arith_av_price.hpp>
#include <ql/processes/blackscholesprocess.hpp>
#include <ql/quotes/simplequote.hpp>
#include <ql/settings.hpp>
#include <ql/termstructures/volatility/equityfx/blackconstantvol.hpp>
#include <ql/termstructures/yield/flatforward.hpp>
#include <ql/time/calendars/nullcalendar.hpp>
#include <ql/version.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>

using namespace QuantLib;

namespace {

const int fixings = 64;

class SixtyFourths : public DayCounter {
    class Impl : public DayCounter::Impl {
    public:
        std::string name() const override { return "Actual/64"; }
        Time yearFraction(const Date &from, const Date &to, const Date &, const Date &) const override { return (to - from) / double(fixings); }
    };

public:
    SixtyFourths() : DayCounter(ext::shared_ptr<DayCounter::Impl>(new Impl)) {}
};

ext::shared_ptr<BlackScholesMertonProcess> asian_process(const Date &today)
{
    const SixtyFourths clock;
    const NullCalendar calendar;
    const Handle<Quote> spot(ext::make_shared<SimpleQuote>(100.0));
    const Handle<YieldTermStructure> rate(ext::make_shared<FlatForward>(today, 0.05, clock));
    const Handle<YieldTermStructure> dividend(ext::make_shared<FlatForward>(today, 0.0, clock));
    const Handle<BlackVolTermStructure> volatility(ext::make_shared<BlackConstantVol>(today, calendar, 0.2, clock));
    return ext::make_shared<BlackScholesMertonProcess>(spot, dividend, rate, volatility);
}

template <class Generator> ext::shared_ptr<PricingEngine> asian_engine(const Date &today, Size paths, bool control)
{
    return MakeMCDiscreteArithmeticAPEngine<Generator>(asian_process(today)).withBrownianBridge(true).withControlVariate(control).withSamples(paths).withSeed(42);
}

int asian_run(Size paths, double target, bool control)
{
    const Date today(20, November, 2026);
    Settings::instance().evaluationDate() = today;
    std::vector<Date> dates;
    for (int i = 1; i <= fixings; ++i) dates.push_back(today + i);

    DiscreteAveragingAsianOption option(Average::Arithmetic, 0.0, 0, dates, ext::make_shared<PlainVanillaPayoff>(Option::Call, 100.0),
                                        ext::make_shared<EuropeanExercise>(dates.back()));
    option.setPricingEngine(target > 0.0 ? asian_engine<PseudoRandom>(today, paths, control) : asian_engine<LowDiscrepancy>(today, paths, control));
    const auto start = std::chrono::steady_clock::now();
    const double price = option.NPV();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double times = target > 0.0 ? option.errorEstimate() / (target * price) : 0.0;
    std::printf("{\"peer\": \"QuantLib %s\", \"engine\": \"MCDiscreteArithmeticAPEngine\", \"generator\": \"%s\", "
                "\"construction\": \"bridge\", \"threads\": 1, \"paths\": %zu, \"steps\": %d, \"price\": %.10g, "
                "\"seconds\": %.6f, \"path_steps_per_second\": %.6g, \"seconds_to_error\": %.6g}\n",
                QL_VERSION, target > 0.0 ? "mt19937" : "sobol", static_cast<size_t>(paths), fixings, price, seconds,
                double(paths) * fixings / seconds, seconds * times * times);
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    const long paths = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 131072;
    if (paths < 1) {
        std::fputs("usage: quantlib_asian [PATHS [ERROR [control]]]\n", stderr);
        return 2;
    }
    try {
        return asian_run(static_cast<Size>(paths), argc > 2 ? std::strtod(argv[2], nullptr) : 0.0, argc > 3);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "quantlib_asian: %s\n", error.what());
        return 1;
    }
}
