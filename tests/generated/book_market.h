/* book_market.h: the market, the models and the simulation of a generated book. */
#ifndef LEVY_TESTS_GENERATED_BOOK_MARKET_H
#define LEVY_TESTS_GENERATED_BOOK_MARKET_H

#include "tests/generated/book_text.h"

void put_market(draft *d);
void put_model(draft *d);
void put_simulation(draft *d);
void put_measures(draft *d);
void put_scenarios(draft *d);

#endif
