/* fuzz_problem.c: libFuzzer entry over the whole way from a text to a problem. What it checks
 * beside the sanitizers: a problem comes exactly with success, nothing is refused in silence, and
 * what can be priced is finite and in order. */
#include "tests/fuzz.h"
#include "tests/problem_load.h"

static void fuzz_check_trade(const levy_trade *trade)
{
    fuzz_require(trade->model && trade->discount_curve && trade->claim.terms &&
                 trade->n_underlyings > 0);
    fuzz_require(trade->claim.payment_time >= trade->claim.expiry &&
                 levy_trade_scale(trade) == levy_trade_scale(trade));
    if (trade->state == LEVY_TRADE_KNOWN) return; /* its dates have passed */
    fuzz_require(trade->claim.expiry > 0);
    for (size_t i = 0; i < trade->n_underlyings; ++i)
        fuzz_require(trade->underlyings[i] < trade->model->n_assets);
    for (size_t i = 0; i < trade->claim.observations.n; ++i) {
        fuzz_require(trade->claim.observations.times[i] >
                     (i > 0 ? trade->claim.observations.times[i - 1] : 0));
        fuzz_require(trade->claim.observations.times[i] <= trade->claim.expiry);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const levy_input input = {.name = "fuzz.yaml", .text = (const char *)data, .length = size};
    levy_fault_list faults;
    levy_problem *problem = NULL;
    levy_fault_list_init(&faults, NULL);
    levy_quotes *quotes;
    const levy_status status = create_problem(NULL, &input, 1, NULL, 0, &faults, &quotes, &problem);
    fuzz_require((status == LEVY_OK) == (problem != NULL));
    fuzz_require(status == LEVY_OK || faults.errors > 0);
    for (size_t i = 0; problem && i < problem->n_trades; ++i)
        if (levy_trade_is_planned(&problem->trades[i])) fuzz_check_trade(&problem->trades[i]);
    levy_problem_destroy(problem);
    levy_quotes_destroy(quotes);
    levy_fault_list_release(&faults);
    return 0;
}
