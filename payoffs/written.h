/* written.h: kinds that levy ships as scripts. A kind is a table of fields and a text: a field that
 * is a number, a list of numbers, a choice or a flag is a parameter of the text, and a field that
 * is a schedule is one of its schedules, under the same names. Must not know: the kinds. */
#ifndef LEVY_PAYOFFS_WRITTEN_H
#define LEVY_PAYOFFS_WRITTEN_H

#include "payoffs/checks.h"
#include "payoffs/fields.h"

/* Fills the source from the fields of the frame's table. A number that is left out without a
 * default is refused by the reader, so it is none of them. */
bool levy_written_source(const levy_payoff_frame *frame, const char *text,
                         struct levy_script_source *source);

/* What the lanes' half of every script does (script.c). */
void levy_written_numbers(const levy_claim *claim, const levy_claim_unit *unit,
                          levy_claim_numbers *numbers);
const struct levy_script_program *levy_written_program(const levy_claim *claim);
void levy_written_constants(const levy_claim *claim, const double *levels,
                            const levy_claim_step *start, double *constants);
/* A trade that has ended pays what it has paid. */
bool levy_written_is_known(const levy_claim *claim, const levy_claim_numbers *numbers,
                           double log_unit, bool alone);
void levy_written_node_terms(const levy_claim *claim, uint32_t variant, const levy_claim_step *step,
                             double *node_terms);
bool levy_written_owes(const levy_claim *claim);

/* Rules of kinds: levels are fractions of the initial fixings, and nothing weights them; there are
 * two underlyings. */
bool levy_written_check_returns(const levy_payoff_frame *frame);
bool levy_written_check_pair(const levy_payoff_frame *frame);

/* The kind `name`, whose file has <name>_text and the table levy_payoff_<name>_table. Its levels
 * are fractions of the initial fixings: its terms begin with a levy_payoff_terms whose fields
 * include LEVY_WRITTEN_FIELDS. A kind has a check of its own, or not. */
#define LEVY_WRITTEN_KIND(name) LEVY_WRITTEN_KIND_CHECKED(name, NULL)
#define LEVY_WRITTEN_KIND_CHECKED(name, own_check)                                                 \
    LEVY_WRITTEN_SOURCE(name)                                                                      \
    LEVY_WRITTEN_KIND_WITH(name, own_check, .pays_numbers = levy_payoff_always)
/* A kind that pays the same whatever the levels are. Its source is its own. */
#define LEVY_WRITTEN_FIXED_KIND(name)                                                              \
    LEVY_WRITTEN_KIND_WITH(name, NULL, .pays_numbers = levy_payoff_always,                         \
                           .reads_expiry = levy_payoff_never, .is_fixed = true)
#define LEVY_WRITTEN_SOURCE(name)                                                                  \
    static bool name##_source(const levy_payoff_frame *frame, struct levy_script_source *source)   \
    {                                                                                              \
        return levy_written_source(frame, name##_text, source);                                    \
    }
#define LEVY_WRITTEN_KIND_WITH(name, own_check, ...)                                               \
    const levy_payoff levy_payoff_##name = {.kind = #name,                                         \
                                            .table = &levy_payoff_##name##_table,                  \
                                            .numbers = levy_written_numbers,                       \
                                            .program = levy_written_program,                       \
                                            .constants = levy_written_constants,                   \
                                            .node_terms = levy_written_node_terms,                 \
                                            .aggregate = LEVY_AGGREGATE_WORST_OF,                  \
                                            .is_known = levy_written_is_known,                     \
                                            .check = own_check,                                    \
                                            .owes = levy_written_owes,                             \
                                            .source = name##_source,                               \
                                            .lanes = LEVY_PAYOFF_SCRIPT,                           \
                                            __VA_ARGS__}

extern const char *const levy_written_levels[];
#define LEVY_LEVELS_FIELD(standard)                                                                \
    {                                                                                              \
        .name = "levels", .spelled = "strike_type", .type = LEVY_FIELD_CHOICE,                     \
        .choices = levy_written_levels, .fallback = standard,                                      \
        .offset = offsetof(levy_payoff_terms, strike_type),                                        \
        .doc =                                                                                     \
            "absolute: levels are as quoted. percent_of_initial: each asset's level is divided "   \
            "by its initial fixing."                                                               \
    }
/* What stands for past dates that no fixing tells of (engine/problem/script_state.c). */
#define LEVY_STATE_FIELDS                                                                          \
    {.name = "state",                                                                              \
     .also = "states history",                                                                     \
     .example = "{}",                                                                              \
     .type = LEVY_FIELD_NODE,                                                                      \
     .json = "\"type\": \"object\", \"additionalProperties\": {\"anyOf\": [" LEVY_STATE_JSON       \
             ", {\"type\": \"array\", \"minItems\": 1, \"items\": " LEVY_STATE_JSON "}]}",         \
     .offset = offsetof(levy_payoff_terms, state),                                                 \
     .doc = "The variables of the script as the dates before the valuation date have left them, "  \
            "by name: a number, or a list where there is one for each asset. These dates then "    \
            "need no fixings. Left out: their blocks are run on fixings."},                        \
    {                                                                                              \
        .name = "unpaid", .also = "due", .example = "0.01", .type = LEVY_FIELD_NODE,               \
        .json = LEVY_UNPAID_JSON, .offset = offsetof(levy_payoff_terms, unpaid),                   \
        .doc = "With state: what dates before the valuation date have left to be paid, per unit: " \
               "an amount on the payment date, or [[date, amount], ...]. Left out: nothing."       \
    }
#define LEVY_STATE_JSON "{\"type\": \"number\", \"minimum\": -1e15, \"maximum\": 1e15}"
#define LEVY_UNPAID_JSON                                                                           \
    "\"anyOf\": [" LEVY_STATE_JSON ", {\"type\": \"array\", \"items\": {\"type\": \"array\", "     \
    "\"minItems\": 2, \"maxItems\": 2, \"items\": [" LEVY_TIME_JSON ", " LEVY_STATE_JSON "]}}]"
#define LEVY_WRITTEN_FIELDS                                                                        \
    LEVY_LEVELS_FIELD("percent_of_initial"), LEVY_INITIAL_FIXING_FIELD, LEVY_STATE_FIELDS
#define LEVY_WRITTEN_ABSOLUTE_FIELDS                                                               \
    LEVY_LEVELS_FIELD("absolute"), LEVY_INITIAL_FIXING_FIELD, LEVY_STATE_FIELDS

/* One field of a kind. `of` is the struct of its terms, whose member has the field's name. A list
 * takes a number by itself, too. */
#define LEVY_WRITTEN_NUMBER(of, member, from, to, standard, text)                                  \
    LEVY_WRITTEN_NUMBER_ALSO(of, member, NULL, from, to, standard, text)
#define LEVY_WRITTEN_NUMBER_ALSO(of, member, words, from, to, standard, text)                      \
    {                                                                                              \
        .name = #member, .spelled = words, .type = LEVY_FIELD_NUMBER, .flags = LEVY_RANGED,        \
        .low = from, .high = to, .fallback = standard, .offset = offsetof(of, member), .doc = text \
    }
/* The unit of a number that the dates of the first schedule must agree with: the trade is warned
 * of one that they do not (engine/problem/script_dates.c). */
#define LEVY_RETURNS_PER_YEAR "returns/year"
#define LEVY_WRITTEN_ANNUALISATION(of)                                                             \
    {                                                                                              \
        .name = "annualisation",                                                                   \
        .also = "annualization annual_factor annualisation_factor annualization_factor",           \
        .type = LEVY_FIELD_NUMBER, .flags = LEVY_RANGED, .low = 0, .high = 1e6, .fallback = "252", \
        .offset = offsetof(of, annualisation), .unit = LEVY_RETURNS_PER_YEAR,                      \
        .doc = "Returns in a year: 252 for business days, 52 for weeks, 12 for months. It does "   \
               "not follow the dates of `observations`; levy warns where the two differ by more "  \
               "than 15 %."                                                                        \
    }
/* The unit of a coupon of each date of the first schedule, which is refused where it is that of a
 * year by all appearance (engine/problem/script_dates.c). */
#define LEVY_COUPON_OF_A_DATE "notional/date"
/* The unit of a strike beside a field `power`. */
#define LEVY_POWER_OF_LEVEL "level^power"
#define LEVY_WRITTEN_REQUIRED(of, member, from, to, text)                                          \
    LEVY_WRITTEN_REQUIRED_ALSO(of, member, NULL, from, to, text)
#define LEVY_WRITTEN_REQUIRED_ALSO(of, member, words, from, to, text)                              \
    LEVY_WRITTEN_REQUIRED_IN(of, member, words, NULL, from, to, text)
#define LEVY_WRITTEN_REQUIRED_IN(of, member, words, its_unit, from, to, text)                      \
    {                                                                                              \
        .name = #member, .spelled = words, .type = LEVY_FIELD_NUMBER,                              \
        .flags = LEVY_REQUIRED | LEVY_RANGED, .low = from, .high = to,                             \
        .offset = offsetof(of, member), .unit = its_unit, .doc = text                              \
    }
#define LEVY_WRITTEN_STRIKE(of, text)                                                              \
    LEVY_WRITTEN_REQUIRED_ALSO(of, strike, "k K exercise_price strike_price", 0, 1e15, text)
/* Of barriers that dates watch: when a touch ends the option, and from where it comes. */
extern const char *const levy_written_knocks[], *const levy_written_sides[];
#define LEVY_WRITTEN_KNOCK(of)                                                                     \
    LEVY_WRITTEN_CHOSEN(of, knock, levy_written_knocks,                                            \
                        "out: a touch ends the option. in: it needs a touch.")
#define LEVY_WRITTEN_SIDE(of) LEVY_WRITTEN_CHOSEN(of, direction, levy_written_sides, "up or down.")
#define LEVY_WRITTEN_REBATE(of)                                                                    \
    LEVY_WRITTEN_NUMBER(of, rebate, 0, 1e15, "0",                                                  \
                        "What is paid at expiry in place of an option that is lost.")
#define LEVY_WRITTEN_LIST(of, member, from, to, text)                                              \
    LEVY_WRITTEN_LIST_ALSO(of, member, NULL, from, to, text)
#define LEVY_WRITTEN_LIST_ALSO(of, member, words, from, to, text)                                  \
    {                                                                                              \
        .name = #member, .spelled = words, .type = LEVY_FIELD_LIST, .element = LEVY_FIELD_NUMBER,  \
        .flags = LEVY_REQUIRED | LEVY_RANGED | LEVY_NON_EMPTY, .low = from, .high = to,            \
        .offset = offsetof(of, member), .doc = text                                                \
    }
/* words: other words for the key */
#define LEVY_WRITTEN_SCHEDULE(of, member, text)                                                    \
    LEVY_WRITTEN_SCHEDULE_ALSO(of, member, "schedule observation_dates fixings fixing_dates", text)
#define LEVY_WRITTEN_SCHEDULE_ALSO(of, member, words, text)                                        \
    {                                                                                              \
        .name = #member, .spelled = words, .type = LEVY_FIELD_OBJECT, .flags = LEVY_REQUIRED,      \
        .table = &levy_schedule_table, .offset = offsetof(of, member), .doc = text                 \
    }
/* When a barrier of a note is watched is said: term sheets differ. */
#define LEVY_WATCHED                                                                               \
    "Write knock_in: {count: 252} for 252 dates, such as all business days of a year, or "         \
    "knock_in: {count: 1} for the date of exercise alone."
/* A schedule that may be left out: its only date is then the date of exercise. */
#define LEVY_WRITTEN_DATES(of, member, text)                                                       \
    {                                                                                              \
        .name = #member, .type = LEVY_FIELD_OBJECT, .table = &levy_schedule_table,                 \
        .offset = offsetof(of, member), .doc = text                                                \
    }
/* A choice is the number of the word in its list, from 0 on. */
#define LEVY_WRITTEN_CHOICE(of, member, words, standard, text)                                     \
    {                                                                                              \
        .name = #member, .type = LEVY_FIELD_CHOICE, .choices = words, .fallback = standard,        \
        .offset = offsetof(of, member), .doc = text                                                \
    }
#define LEVY_WRITTEN_CHOSEN(of, member, words, text)                                               \
    {                                                                                              \
        .name = #member, .type = LEVY_FIELD_CHOICE, .flags = LEVY_REQUIRED, .choices = words,      \
        .offset = offsetof(of, member), .doc = text                                                \
    }
#define LEVY_WRITTEN_FLAG(of, member, standard, text)                                              \
    {                                                                                              \
        .name = #member, .type = LEVY_FIELD_FLAG, .fallback = standard,                            \
        .offset = offsetof(of, member), .doc = text                                                \
    }
#define LEVY_WRITTEN_COUNT(of, member, from, to, flag, standard, text)                             \
    {                                                                                              \
        .name = #member, .type = LEVY_FIELD_COUNT, .flags = LEVY_RANGED | flag, .low = from,       \
        .high = to, .fallback = standard, .offset = offsetof(of, member), .doc = text              \
    }
#define LEVY_WRITTEN_TABLE(named, of, fields_of, sample, text)                                     \
    LEVY_WRITTEN_TABLE_ON(named, of, fields_of, 1, NULL, sample, text)
#define LEVY_WRITTEN_TABLE_ALSO(named, of, fields_of, words, sample, text)                         \
    LEVY_WRITTEN_TABLE_ON(named, of, fields_of, 1, words, sample, text)
/* With an example on so many assets. */
#define LEVY_WRITTEN_TABLE_ON(named, of, fields_of, assets, words, sample, text)                   \
    const levy_table levy_payoff_##named##_table = {                                               \
        .name = "payoff " #named,                                                                  \
        .example = sample,                                                                         \
        .example_assets = assets,                                                                  \
        .synonyms = words,                                                                         \
        .doc = text,                                                                               \
        LEVY_FILLS_TERMS(of),                                                                      \
        .fields = fields_of,                                                                       \
    }

#endif
