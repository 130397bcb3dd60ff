/* calendar_build.c: see calendar_build.h. A name is that of a definition, else of a built-in
 * calendar: a book may define one of these anew, but NONE and WEEKENDS. */
#include "engine/market/calendar_build.h"

#include <stdlib.h>
#include <string.h>

/* Walks the list's own nodes, because an item that was not a map has no node. */
void levy_calendars_add(levy_check *build, levy_market *market, const levy_list *list,
                        const char *prefix, bool shared)
{
    const levy_raw_calendar *calendars = list->items;
    const levy_node *node = list->node ? list->node->children : NULL;
    for (size_t i = 0; i < list->count; ++i, node = node->next) {
        const char *name = levy_check_key(node);
        const char *path = levy_check_text(build, "%scalendars.%s", prefix, name);
        if (strcmp(name, "NONE") == 0 || strcmp(name, "WEEKENDS") == 0)
            LEVY_REFUSE(build, DUPLICATE_KEY, node->key, path, "Choose another name.",
                        "the calendar '%s' is built in", name);
        else
            levy_market_define(build, &market->calendar_map, name, node, path, &calendars[i],
                               shared);
    }
}

/* NULL: no memory. */
static const levy_calendar *calendar_built_in(levy_check *build, levy_market *market, size_t number)
{
    if (market->built_in[number]) return market->built_in[number];
    levy_calendar *const calendar = levy_check_allocate(build, 1, sizeof *calendar);
    if (!calendar) return NULL;
    if (!levy_calendar_build(number, build->arena, calendar)) {
        build->out_of_memory = true;
        return NULL;
    }
    return market->built_in[number] = calendar;
}

static int calendar_compare_dates(const void *a, const void *b)
{
    const levy_date x = *(const levy_date *)a, y = *(const levy_date *)b;
    return (x > y) - (x < y);
}

/* Finds the built-in calendars of `of`: parts [count]. */
static bool calendar_parts(levy_check *build, levy_market *market, const levy_list *of,
                           const char *path, const levy_calendar **parts)
{
    const char *const *const names = of->items;
    const levy_node *node = of->node ? of->node->children : NULL;
    bool good = true;
    for (size_t i = 0; i < of->count; ++i, node = node->next) {
        const size_t number = levy_calendar_find(names[i]);
        char meant[LEVY_MEANT_SIZE];
        parts[i] = number < LEVY_CALENDARS ? calendar_built_in(build, market, number) : NULL;
        good = good && parts[i];
        if (number == LEVY_CALENDARS)
            LEVY_REFUSE(build, UNKNOWN_NAME, node, levy_check_text(build, "%s.of[%zu]", path, i),
                        "`of` joins built-in calendars. List others beside this one, where days "
                        "are counted.",
                        "there is no built-in calendar '%s'%s", names[i],
                        levy_meant(levy_nearest(names[i], levy_calendar_names), meant));
    }
    return good;
}

/* Adds a part's holidays to those of the calendar. Known are the years that all parts know. */
static void calendar_join(levy_calendar *calendar, levy_date *holidays, const levy_calendar *part)
{
    if (part->n_holidays > 0)
        memcpy(holidays + calendar->n_holidays, part->holidays,
               part->n_holidays * sizeof *holidays);
    calendar->n_holidays += part->n_holidays;
    calendar->weekend |= part->weekend;
    if (part->last_year == 0) return;
    if (part->first_year > calendar->first_year) calendar->first_year = part->first_year;
    if (calendar->last_year == 0 || part->last_year < calendar->last_year)
        calendar->last_year = part->last_year;
}

static int calendar_year(levy_date date)
{
    int year = 0, month = 0, day = 0;
    levy_date_to_civil(date, &year, &month, &day);
    return year;
}

/* Says what is done beyond the known years. Those of a list of holidays alone are its own, where
 * the calendar says what is beyond. */
static bool calendar_beyond(levy_check *build, const levy_raw_calendar *raw, const char *path,
                            levy_calendar *calendar)
{
    const levy_node *const written = levy_node_find(raw->node, "beyond");
    calendar->beyond = (levy_beyond)raw->beyond;
    if (!written || raw->of.count > 0) return true;
    if (calendar->n_holidays == 0)
        return LEVY_REFUSE(build, INCONSISTENT, written, levy_check_text(build, "%s.beyond", path),
                           "Add of: [TARGET], or holidays.",
                           "has no effect without holidays, whose years it is beyond");
    calendar->first_year = calendar_year(calendar->holidays[0]);
    calendar->last_year = calendar_year(calendar->holidays[calendar->n_holidays - 1]);
    return true;
}

static bool calendar_weekend(levy_check *build, const levy_raw_calendar *raw, const char *path,
                             levy_calendar *calendar)
{
    const int32_t *const days = raw->weekend.items;
    if (!raw->weekend.node && !raw->of.node) calendar->weekend = 1u << 5 | 1u << 6;
    for (size_t i = 0; i < raw->weekend.count; ++i) calendar->weekend |= (uint8_t)(1u << days[i]);
    if (calendar->weekend != 0x7f) return true;
    return LEVY_REFUSE(build, RANGE, raw->weekend.node, levy_check_text(build, "%s.weekend", path),
                       "Leave at least one business day.",
                       "every day of the week is a weekend day");
}

bool levy_calendar_resolve(levy_check *build, levy_market *market, const levy_market_item *item,
                           levy_calendar *calendar)
{
    const levy_raw_calendar *const raw = item->raw;
    if (levy_check_refused(build, item->path)) return false;
    *calendar = (levy_calendar){.name = raw->name};
    const levy_calendar own = {.holidays = raw->holidays.items, .n_holidays = raw->holidays.count};
    const levy_calendar **const parts = levy_check_allocate(build, raw->of.count, sizeof *parts);
    if (!parts || !calendar_parts(build, market, &raw->of, item->path, parts)) return false;
    size_t n = own.n_holidays;
    for (size_t i = 0; i < raw->of.count; ++i) n += parts[i]->n_holidays;
    levy_date *const holidays = levy_check_allocate(build, n, sizeof *holidays);
    if (!holidays) return false;
    for (size_t i = 0; i < raw->of.count; ++i) calendar_join(calendar, holidays, parts[i]);
    calendar_join(calendar, holidays, &own);
    qsort(holidays, n, sizeof *holidays, calendar_compare_dates);
    calendar->holidays = holidays;
    return calendar_weekend(build, raw, item->path, calendar) &&
           calendar_beyond(build, raw, item->path, calendar);
}

bool levy_market_calendars(levy_check *build, levy_market *market, const levy_list *list,
                           const char *path, const levy_calendar *const **calendars)
{
    const char *const *names = list->items;
    const levy_calendar **found = levy_check_allocate(build, list->count, sizeof *found);
    *calendars = found;
    if (!found) return false;
    const levy_node *node = list->node ? list->node->children : NULL;
    bool good = true;
    for (size_t i = 0; i < list->count; ++i, node = node ? node->next : NULL) {
        const bool own = levy_names_find(&market->calendar_map.names, names[i]) != LEVY_NO_NAME;
        const size_t number = own ? LEVY_CALENDARS : levy_calendar_find(names[i]);
        if (number < LEVY_CALENDARS) {
            found[i] = calendar_built_in(build, market, number);
        } else {
            const size_t of = levy_market_use(build, &market->calendar_map, names[i], node,
                                              levy_check_text(build, "%s[%zu]", path, i));
            if (of != LEVY_NO_NAME) found[i] = &market->calendars[of];
        }
        good = good && found[i];
    }
    return good;
}

/* Whether this is the first that is told of the calendar's years. */
static bool calendar_is_news(levy_check *build, levy_market *market, const char *name)
{
    if (levy_names_find(&market->warned_calendars, name) != LEVY_NO_NAME) return false;
    if (levy_names_add(&market->warned_calendars, build->arena, name) == LEVY_NO_NAME)
        build->out_of_memory = true;
    return true;
}

bool levy_market_knows_days(levy_check *build, levy_market *market, const levy_list *list,
                            const levy_calendar *const *calendars, const char *path, levy_date from,
                            levy_date to)
{
    const levy_node *node = list->node ? list->node->children : NULL;
    bool good = true;
    for (size_t i = 0; i < list->count; ++i, node = node ? node->next : NULL) {
        const levy_calendar *const c = calendars[i];
        const bool late = calendar_year(to) > c->last_year;
        if (c->last_year == 0 || c->beyond == LEVY_BEYOND_WEEKENDS) continue;
        if (!late && calendar_year(from) >= c->first_year) continue;
        char date[11];
        levy_date_write(late ? to : from, date);
        const char *const at = levy_check_text(build, "%s[%zu]", path, i);
        if (c->beyond == LEVY_BEYOND_ERROR)
            good = LEVY_REFUSE(build, RANGE, node, at,
                               "Add that year's holidays and, with `of`, beyond: weekends.",
                               "'%s' has the holidays of %d to %d, and %s is beyond", c->name,
                               c->first_year, c->last_year, date);
        else if (calendar_is_news(build, market, c->name))
            LEVY_WARN(build, RANGE, node, at,
                      "Give them in a calendar of market.calendars, with `of` and beyond: "
                      "weekends; beyond: error refuses such dates.",
                      "'%s' has the holidays of %d to %d: on %s weekends alone count", c->name,
                      c->first_year, c->last_year, date);
    }
    return good;
}
