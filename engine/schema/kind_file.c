/* kind_file.c: the tables of a file that defines a kind of payoff. See kind_file.h. */
#include "engine/schema/kind_file.h"

#include "payoffs/fields.h"

static const char *const kind_types[] = {"number", "count",        "flag", "choice",
                                         "list",   "list_by_date", NULL};

static const levy_field kind_parameter_fields[] = {
    {LEVY_KEY("type", CHOICE, levy_raw_parameter, type), .also = "kind", .choices = kind_types,
     .fallback = "number",
     .doc =
         "number; count: a whole number from 0 on; flag: true or false, which the script sees "
         "as 1 and 0; choice: a word of `choices`, which it sees by its number, from 0 on; list: "
         "one number or several, such as one for each asset; list_by_date: one number, or one "
         "for each date, which the script reads as NAME[number]."},
    {LEVY_KEY("range", LIST, levy_raw_parameter, range), .also = "bounds limits between",
     .element = LEVY_FIELD_NUMBER, .example = "[0, 1]",
     .doc = "[lowest, highest] of a number, a count or the numbers of a list."},
    {LEVY_KEY("default", NODE, levy_raw_parameter, fallback), .also = "fallback value",
     .example = "0.02",
     .doc = "What holds where a trade leaves the key out. Without a default it must not."},
    {LEVY_KEY("choices", LIST, levy_raw_parameter, choices), .also = "words values options",
     .element = LEVY_FIELD_NAME, .example = "[cash, shares]", .flags = LEVY_NON_EMPTY | LEVY_UNIQUE,
     .doc = "The words of a choice."},
    {LEVY_KEY("unit", TEXT, levy_raw_parameter, unit), .example = "currency",
     .doc = "The unit, for `levy describe`. A parameter of the unit returns/year is how many "
            "returns of the first schedule a year has: levy warns of a trade whose dates differ."},
    {LEVY_KEY("description", TEXT, levy_raw_parameter, description), .also = "doc meaning text",
     .flags = LEVY_REQUIRED, .example = "Coupon of a date.",
     .doc = "What the key means, for `levy describe`."},
    {0}};
static const levy_table kind_parameter_table = {
    .name = "parameter of a kind",
    .example = "{type: number, range: [0, 10], description: Coupon of a date.}",
    .doc = "A key of the kind, which the script reads by its name.",
    LEVY_FILLS(levy_raw_parameter),
    .fields = kind_parameter_fields,
    .name_offset = offsetof(levy_raw_parameter, name),
    .has_name = true};

static const levy_field kind_schedule_fields[] = {
    {LEVY_KEY("description", TEXT, levy_raw_kind_schedule, description), .also = "doc meaning text",
     .flags = LEVY_REQUIRED, .example = "Dates of coupons.",
     .doc = "What happens on the dates, for `levy describe`."},
    {LEVY_KEY("optional", FLAG, levy_raw_kind_schedule, optional), .fallback = "false",
     .doc = "Whether a trade may leave it out. Its only date is then the date of exercise."},
    {0}};
static const levy_table kind_schedule_table = {
    .name = "schedule of a kind",
    .example = "{description: Dates of coupons.}",
    .doc = "A key of the kind that takes dates, on which blocks of the script run.",
    LEVY_FILLS(levy_raw_kind_schedule),
    .fields = kind_schedule_fields,
    .name_offset = offsetof(levy_raw_kind_schedule, name),
    .has_name = true};

static const levy_field kind_fields[] = {
    {LEVY_KEY("kind", NAME, levy_raw_kind, kind), .also = "name", .flags = LEVY_REQUIRED,
     .example = "my_note",
     .doc = "The name of the kind, which trades write as payoff.kind. It is none of levy's own."},
    {LEVY_KEY("description", TEXT, levy_raw_kind, description), .also = "doc meaning text",
     .flags = LEVY_REQUIRED, .example = "Note that pays a coupon.",
     .doc = "What it pays, for `levy describe`."},
    {LEVY_KEY("schedules", MAP, levy_raw_kind, schedules), .also = "dates",
     .table = &kind_schedule_table,
     .doc = "Keys of the kind that take dates, by name. The date of exercise, expiry, is there "
            "always."},
    {LEVY_KEY("parameters", MAP, levy_raw_kind, parameters), .also = "params keys fields",
     .table = &kind_parameter_table, .doc = "Keys of the kind that take numbers, by name."},
    {LEVY_KEY("levels", CHOICE, levy_raw_kind, levels), .choices = levy_strike_types,
     .fallback = "percent_of_initial",
     .doc =
         "What the key `levels` of a trade is if it is left out. absolute: levels are as quoted. "
         "percent_of_initial: each asset's level is divided by its initial fixing."},
    {LEVY_KEY("example", NODE, levy_raw_kind, example), .flags = LEVY_REQUIRED,
     .example = "{coupon: 0.02}", .json = "\"type\": \"object\"",
     .doc = "The keys of a payoff of the kind, as an example. It is checked, and `levy new` and "
            "`levy describe` show it."},
    {LEVY_KEY("example_assets", COUNT, levy_raw_kind, example_assets),
     LEVY_WITHIN(1, LEVY_MOST_EXAMPLE_ASSETS, 0), .fallback = "1",
     .doc = "On how many underlyings the example is."},
    {LEVY_KEY("script", TEXT, levy_raw_kind, script), .also = "code formula program",
     .flags = LEVY_REQUIRED, .example = "\"at expiry { pay coupon }\"",
     .doc = "What is paid and when, in the language of docs/language.md."},
    {0}};
const levy_table levy_kind_file_table = {
    .name = "kind",
    .example = "{kind: my_note, description: Note that pays a coupon., parameters: {coupon: "
               "{range: [0, 10], description: The coupon.}}, example: {coupon: 0.02}, script: "
               "\"at expiry { pay 1 + coupon }\"}",
    .doc = "A file that defines a kind of payoff by a script. --kinds names it or its folder, or "
           "the key `kinds` of a book does; trades then write the kind like one of levy's own.",
    LEVY_FILLS(levy_raw_kind),
    .fields = kind_fields};
