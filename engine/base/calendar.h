/* calendar.h: the built-in calendars: weekends, and the holidays of exchanges and banks
 * by the rules of calendars.def. Must not know: YAML, markets. */
#ifndef LEVY_BASE_CALENDAR_H
#define LEVY_BASE_CALENDAR_H

#include "engine/base/date.h"

enum { LEVY_CALENDARS = 10 }; /* NONE, WEEKENDS, then those of calendars.def */

typedef struct levy_calendar_source {
    const char *name;
    const char *words; /* other names, separated by blanks */
    int first_year, last_year;
} levy_calendar_source;
extern const levy_calendar_source levy_calendar_sources[LEVY_CALENDARS];
extern const char *const levy_calendar_names[LEVY_CALENDARS + 1]; /* NULL ends them */

/* Finds a built-in calendar by a name; LEVY_CALENDARS: there is none. */
size_t levy_calendar_find(const char *name);

/* Builds calendar `number` in the arena; false: no memory. */
bool levy_calendar_build(size_t number, levy_arena *arena, levy_calendar *calendar);

#endif
