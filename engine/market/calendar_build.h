/* calendar_build.h: makes the calendars of a market from their definitions. */
#ifndef LEVY_MARKET_CALENDAR_BUILD_H
#define LEVY_MARKET_CALENDAR_BUILD_H

#include "engine/market/market.h"

/* Adds the definitions of a market, for levy_market_add. */
void levy_calendars_add(levy_check *build, levy_market *market, const levy_list *list,
                        const char *prefix, bool shared);

/* False: a fault was added. */
bool levy_calendar_resolve(levy_check *build, levy_market *market, const levy_market_item *item,
                           levy_calendar *calendar);

#endif
