/* fields.h: the YAML fields that payoffs share, as initialisers for their tables. Without
 * an argument they fill a levy_payoff_terms, or the terms that their names tell. */
#ifndef LEVY_PAYOFFS_FIELDS_H
#define LEVY_PAYOFFS_FIELDS_H

#include "payoffs/payoff.h"

/* LEVY_MONITORING_FIELDS(of, ...) is for a type with a levy_watch_terms called watch, and
 * LEVY_PAYOUT_FIELDS(of) for one with a levy_payout_terms called payout. */
extern const char *const levy_option_types[];
extern const char *const levy_strike_types[];
extern const char *const levy_aggregates[];
extern const char *const levy_averaging_methods[];
extern const char *const levy_monitorings[];
extern const char *const levy_barrier_directions[];
extern const char *const levy_barrier_knocks[];
extern const char *const levy_barrier_payouts[];
extern const char *const levy_pay_times[];

extern const levy_synonym levy_option_words[], levy_monitoring_words[];
/* Other names of what several notes have. */
#define LEVY_CALL_BARRIER_NAMES                                                                    \
    "autocall_barrier autocall_trigger autocall_level call_trigger call_level"
#define LEVY_COUPON_BARRIER_NAMES "coupon_trigger coupon_level"
/* Of a number that is no fraction. */
#define LEVY_LEVEL_HINT "Write the level itself: 80 % of a spot of 50 is 40."

/* A table of terms that begin with a levy_payoff_terms. */
#define LEVY_FILLS_TERMS(of)                                                                       \
    .size = sizeof(of), .node_offset = offsetof(levy_payoff_terms, node), .has_node = true

#define LEVY_OPTION_TYPE_FIELD                                                                     \
    {                                                                                              \
        .name = "option_type",                                                                     \
        .spelled = "type option right call_put put_call cp_flag callput optiontype",               \
        .also = "flag cp c_p is_call", .type = LEVY_FIELD_CHOICE, .flags = LEVY_REQUIRED,          \
        .choices = levy_option_types, .words = levy_option_words,                                  \
        .offset = offsetof(levy_payoff_terms, option_type), .doc = "call or put."                  \
    }
#define LEVY_STRIKE_FIELD                                                                          \
    {                                                                                              \
        .name = "strike", .spelled = "k K exercise_price strike_price", .type = LEVY_FIELD_NUMBER, \
        .flags = LEVY_REQUIRED | LEVY_RANGED, .low = 0, .high = 1e15,                              \
        .hint = "Write the level itself, such as 95; or a share of the initial level, such as "    \
                "strike: 0.95, with strike_type: percent_of_initial.",                             \
        .offset = offsetof(levy_payoff_terms, strike),                                             \
        .doc = "Strike in the units of the level. With percent_of_initial it is a "                \
               "fraction of the initial level (1.0 is 100 %)."                                     \
    }
#define LEVY_STRIKE_TYPE_FIELD                                                                     \
    {                                                                                              \
        .name = "strike_type", .type = LEVY_FIELD_CHOICE, .choices = levy_strike_types,            \
        .fallback = "absolute", .offset = offsetof(levy_payoff_terms, strike_type),                \
        .doc = "absolute: levels are used as quoted. percent_of_initial: the level of "            \
               "each asset is divided by its initial fixing."                                      \
    }
#define LEVY_FIXING_JSON "{\"type\": \"number\", \"exclusiveMinimum\": 0, \"maximum\": 1e12}"
#define LEVY_INITIAL_FIXING_FIELD                                                                  \
    {                                                                                              \
        .name = "initial_fixing", .example = "spot", .type = LEVY_FIELD_NODE,                      \
        .json = "\"anyOf\": [{\"const\": \"spot\"}, " LEVY_FIXING_JSON                             \
                ", {\"type\": \"array\", \"minItems\": 1, \"items\": " LEVY_FIXING_JSON "}]",      \
        .offset = offsetof(levy_payoff_terms, initial_fixing),                                     \
        .doc = "Initial fixing for percent_of_initial: `spot` (the default), or the number of "    \
               "the only underlying, or a list with one number per underlying. `spot` is fixed "   \
               "when the file is read. Later quotes, bumps and scenarios do not "                  \
               "change it."                                                                        \
    }
#define LEVY_AGGREGATE_FIELD                                                                       \
    {                                                                                              \
        .name = "aggregate", .also = "aggregation", .type = LEVY_FIELD_CHOICE,                     \
        .choices = levy_aggregates, .fallback = "none",                                            \
        .offset = offsetof(levy_payoff_terms, aggregate),                                          \
        .doc = "Aggregation of several underlyings into one level: basket (weighted "              \
               "sum), geometric_basket (product of powers), best_of or worst_of. "                 \
               "none: there is one underlying."                                                    \
    }

#define LEVY_PERCENT_FIELDS LEVY_STRIKE_TYPE_FIELD, LEVY_INITIAL_FIXING_FIELD

/* `least`: the monitoring that is left out, or NULL where `more` says what that means. */
#define LEVY_MONITORING_FIELDS(of, least, more, times)                                             \
    {.name = "monitoring",                                                                         \
     .also = "watch observation",                                                                  \
     .type = LEVY_FIELD_CHOICE,                                                                    \
     .choices = levy_monitorings,                                                                  \
     .words = levy_monitoring_words,                                                               \
     .hint = "One of: discrete, continuous. The dates are another key, observations.",             \
     .fallback = (least),                                                                          \
     .offset = offsetof(of, watch.monitoring),                                                     \
     .doc = "discrete: the barrier is monitored on `observations`, and levels between them do "    \
            "not count. continuous: it is monitored at all times in `window` (one underlying "     \
            "only); a spot at the barrier or beyond is a touch today." more},                      \
        {.name = "observations",                                                                   \
         .spelled = "observation_dates monitoring_dates fixings fixing_dates",                     \
         .also = "dates times schedule frequency",                                                 \
         .type = LEVY_FIELD_OBJECT,                                                                \
         .idle = "monitoring: continuous",                                                         \
         .table = &levy_schedule_table,                                                            \
         .offset = offsetof(of, watch.observations),                                               \
         .doc = times},                                                                            \
    {                                                                                              \
        .name = "window", .type = LEVY_FIELD_OBJECT, .table = &levy_window_table,                  \
        .offset = offsetof(of, watch.window),                                                      \
        .doc = "Period of continuous monitoring. The default is from the valuation "               \
               "date to expiry."                                                                   \
    }
#define LEVY_BARRIER_WATCH_FIELDS                                                                  \
    LEVY_MONITORING_FIELDS(levy_barrier_terms, NULL,                                               \
                           " Left out: continuous, unless there are observations.",                \
                           "Monitoring dates, not after expiry. Past levels are taken from the "   \
                           "assets' fixings.")

extern const levy_table levy_touched_state_table;
#define LEVY_TOUCHED_FIELD                                                                         \
    {                                                                                              \
        .name = "state", .also = "states history", .type = LEVY_FIELD_OBJECT,                      \
        .table = &levy_touched_state_table, .offset = offsetof(levy_touched_terms, state),         \
        .doc = "What the dates before the valuation date have done, in place of their fixings, "   \
               "or what continuous monitoring has seen before it. What a touch of the past has "   \
               "paid is gone. Left out: past dates are read from the assets' fixings, and "        \
               "continuous monitoring has seen no touch."                                          \
    }

extern const levy_synonym levy_barrier_kinds[], levy_knock_words[];
#define LEVY_DIRECTION_FIELD(flag)                                                                 \
    {                                                                                              \
        .name = "direction", .also = "type barrier_direction", .type = LEVY_FIELD_CHOICE,          \
        .flags = flag, .choices = levy_barrier_directions, .words = levy_barrier_kinds,            \
        .offset = offsetof(levy_barrier_terms, direction),                                         \
        .doc = "up: the barrier is above today's level. down: it is below. cross "                 \
               "(continuous monitoring only): it can be touched from either side."                 \
    }
#define LEVY_KNOCK_FIELD                                                                           \
    {                                                                                              \
        .name = "knock", .also = "knock_type", .type = LEVY_FIELD_CHOICE, .flags = LEVY_REQUIRED,  \
        .choices = levy_barrier_knocks, .words = levy_knock_words,                                 \
        .offset = offsetof(levy_barrier_terms, knock),                                             \
        .doc = "out: a touch ends the option. in: a touch activates the option."                   \
    }
#define LEVY_LEVEL_FIELD(key, flag, member, text)                                                  \
    {                                                                                              \
        .name = key, .spelled = key "_barrier barrier_" key, .type = LEVY_FIELD_NUMBER,            \
        .flags = flag | LEVY_RANGED | LEVY_LOW_OPEN, .low = 0, .high = 1e15,                       \
        .hint = LEVY_LEVEL_HINT, .offset = offsetof(levy_barrier_terms, member), .doc = text       \
    }
#define LEVY_PAYOUT_FIELDS(of)                                                                     \
    {.name = "payout",                                                                             \
     .type = LEVY_FIELD_CHOICE,                                                                    \
     .choices = levy_barrier_payouts,                                                              \
     .hint = "One of: option, cash, asset. The amount is another key: cash: 10.",                  \
     .fallback = "option",                                                                         \
     .offset = offsetof(of, payout.payout),                                                        \
     .doc = "option: a European option. cash: a digital that pays `cash`. asset: a "               \
            "digital that pays the level."},                                                       \
    {                                                                                              \
        .name = "cash", .type = LEVY_FIELD_NUMBER, .flags = LEVY_RANGED | LEVY_LOW_OPEN, .low = 0, \
        .high = 1e15, .fallback = "1", .offset = offsetof(of, payout.cash),                        \
        .doc = "Amount that payout cash pays per unit, or per unit of notional."                   \
    }
#define LEVY_PAY_FIELD                                                                             \
    {                                                                                              \
        .name = "pay", .type = LEVY_FIELD_CHOICE, .choices = levy_pay_times,                       \
        .fallback = "at_expiry", .offset = offsetof(levy_rebate_terms, pay),                       \
        .doc = "at_expiry: paid on the option's payment date. at_hit: paid, and "                  \
               "discounted from, the time of the touch (knock-out only)."                          \
    }

#endif
