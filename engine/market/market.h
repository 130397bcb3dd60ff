/* market.h: the market of a book: all curves, calendars and assets of all its files, by name, each
 * defined once. */
#ifndef LEVY_MARKET_MARKET_H
#define LEVY_MARKET_MARKET_H

#include "engine/base/calendar.h"
#include "engine/market/asset.h"
#include "engine/market/build.h"
#include "engine/base/names.h"

/* A definition: where it stands and what became of it. */
typedef struct levy_market_item {
    const levy_node *node;
    const char *path;
    const void *raw;
    bool shared; /* from a file that other books may share: it may be unused */
    bool good;   /* resolved without a fault */
    bool used;
} levy_market_item;

typedef struct levy_market_map {
    const char *noun;            /* "curve": for messages */
    const char *folder;          /* "market.curves" */
    const char *const *built_in; /* names, NULL ends them; NULL: none */
    levy_names names;
    levy_market_item *items;
    size_t capacity;
} levy_market_map;

/* Levels observed up to the valuation; times ascending. */
typedef struct levy_fixings {
    size_t n;
    double *times, *values;
} levy_fixings;

/* A correlation of two assets of the market that a quote may set: the number itself, or what is
 * added to it in every piece of a term structure. */
typedef struct levy_set_correlation {
    size_t a, b;
    bool is_shift;
    double start, value; /* as read; now */
} levy_set_correlation;

typedef struct levy_market {
    levy_market_map curve_map, calendar_map, asset_map, model_map;
    levy_curve *curves;
    levy_calendar *calendars;
    levy_asset *assets;
    levy_fixings *fixings;                         /* of the assets */
    const levy_raw_correlations *raw_correlations; /* NULL: none */
    const char *correlations_path;
    bool correlations_shared; /* from a file that other books may share */
    levy_set_correlation **set_correlations;
    size_t n_set_correlations, set_room;
    levy_names missing_curves; /* default curves that were missed, so that each is reported once */
    const levy_calendar *built_in[LEVY_CALENDARS]; /* NULL: not used */
    levy_names warned_calendars;                   /* of whose unknown years a warning has told */
} levy_market;

void levy_market_init(levy_market *market);

/* Adds a definition; a second one of the same name is a fault that names the first one's place. */
void levy_market_define(levy_check *build, levy_market_map *map, const char *name,
                        const levy_node *node, const char *path, const void *raw, bool shared);

/* Adds all that `raw` defines. `prefix` stands before the keys in paths: "market." or "". */
void levy_market_add(levy_check *build, levy_market *market, const levy_raw_market *raw,
                     const char *prefix, bool shared);

/* Resolves what was added: curves, calendars, assets. */
void levy_market_resolve(levy_check *build, levy_market *market);

/* Marks `name` as used and returns its number in `map`. LEVY_NO_NAME with a fault if there is none,
 * or without one if its definition was refused already. */
size_t levy_market_use(levy_check *build, levy_market_map *map, const char *name,
                       const levy_node *node, const char *path);

/* The calendars named in `list` (of const char *), for date.h. False with a fault. */
bool levy_market_calendars(levy_check *build, levy_market *market, const levy_list *list,
                           const char *path, const levy_calendar *const **calendars);

/* Tells of a date whose year's holidays a calendar of the list does not know: in a warning, once a
 * calendar, or where the calendar says so in a fault. Then it is false. */
bool levy_market_knows_days(levy_check *build, levy_market *market, const levy_list *list,
                            const levy_calendar *const *calendars, const char *path, levy_date from,
                            levy_date to);

/* The curve `name` or, if that is NULL, the curve with the currency's name. NULL with a fault, or
 * without one as above. */
const levy_curve *levy_market_curve(levy_check *build, levy_market *market, const char *name,
                                    const char *currency, const levy_node *node, const char *path);

/* False with a fault if `currency` does not have the form of an ISO 4217 code. */
bool levy_market_currency(levy_check *build, const char *currency, const levy_node *node,
                          const char *path);

/* Warns of definitions that nothing uses. */
void levy_market_warn_unused(levy_check *build, const levy_market *market);

#endif
