/* kind_file.c: the tables of a file that defines a kind of payoff. See kind_file.h. */
#include "engine/schema/kind_file.h"

#include "payoffs/fields.h"

static const char *const kind_types[] = {"number", "count",        "flag", "choice",
                                         "list",   "list_by_date", NULL};

#define PARAMETER_OFFSET(member) .offset = offsetof(levy_raw_parameter, member)
static const levy_field kind_parameter_fields[] = {
    {.name = "type",
     .also = "kind",
     .type = LEVY_FIELD_CHOICE,
     .choices = kind_types,
     .fallback = "number",
     PARAMETER_OFFSET(type),
     .doc =
         "number; count: a whole number from 0 on; flag: true or false, which the script sees "
         "as 1 and 0; choice: a word of `choices`, which it sees by its number, from 0 on; list: "
         "one number or several, such as one for each asset; list_by_date: one number, or one "
         "for each date, which the script reads as NAME[number]."},
    {.name = "range",
     .also = "bounds limits between",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .example = "[0, 1]",
     PARAMETER_OFFSET(range),
     .doc = "[lowest, highest] of a number, a count or the numbers of a list."},
    {.name = "default",
     .also = "fallback value",
     .type = LEVY_FIELD_NODE,
     .example = "0.02",
     PARAMETER_OFFSET(fallback),
     .doc = "What holds where a trade leaves the key out. Without a default it must not."},
    {.name = "choices",
     .also = "words values options",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NAME,
     .example = "[cash, shares]",
     .flags = LEVY_NON_EMPTY | LEVY_UNIQUE,
     PARAMETER_OFFSET(choices),
     .doc = "The words of a choice."},
    {.name = "unit",
     .type = LEVY_FIELD_TEXT,
     .example = "currency",
     PARAMETER_OFFSET(unit),
     .doc = "The unit, for `levy describe`. A parameter of the unit returns/year is how many "
            "returns of the first schedule a year has: levy warns of a trade whose dates differ."},
    {.name = "description",
     .also = "doc meaning text",
     .type = LEVY_FIELD_TEXT,
     .flags = LEVY_REQUIRED,
     .example = "Coupon of a date.",
     PARAMETER_OFFSET(description),
     .doc = "What the key means, for `levy describe`."},
    {0}};
static const levy_table kind_parameter_table = {
    .name = "parameter of a kind",
    .example = "{type: number, range: [0, 10], description: Coupon of a date.}",
    .doc = "A key of the kind, which the script reads by its name.",
    .size = sizeof(levy_raw_parameter),
    .fields = kind_parameter_fields,
    .name_offset = offsetof(levy_raw_parameter, name),
    .has_name = true,
    .node_offset = offsetof(levy_raw_parameter, node),
    .has_node = true};

static const levy_field kind_schedule_fields[] = {
    {.name = "description",
     .also = "doc meaning text",
     .type = LEVY_FIELD_TEXT,
     .flags = LEVY_REQUIRED,
     .example = "Dates of coupons.",
     .offset = offsetof(levy_raw_kind_schedule, description),
     .doc = "What happens on the dates, for `levy describe`."},
    {.name = "optional",
     .type = LEVY_FIELD_FLAG,
     .fallback = "false",
     .offset = offsetof(levy_raw_kind_schedule, optional),
     .doc = "Whether a trade may leave it out. Its only date is then the date of exercise."},
    {0}};
static const levy_table kind_schedule_table = {
    .name = "schedule of a kind",
    .example = "{description: Dates of coupons.}",
    .doc = "A key of the kind that takes dates, on which blocks of the script run.",
    .size = sizeof(levy_raw_kind_schedule),
    .fields = kind_schedule_fields,
    .name_offset = offsetof(levy_raw_kind_schedule, name),
    .has_name = true,
    .node_offset = offsetof(levy_raw_kind_schedule, node),
    .has_node = true};

#define KIND_OFFSET(member) .offset = offsetof(levy_raw_kind, member)
static const levy_field kind_fields[] = {
    {.name = "kind",
     .also = "name",
     .type = LEVY_FIELD_NAME,
     .flags = LEVY_REQUIRED,
     .example = "my_note",
     KIND_OFFSET(kind),
     .doc = "The name of the kind, which trades write as payoff.kind. It is none of levy's own."},
    {.name = "description",
     .also = "doc meaning text",
     .type = LEVY_FIELD_TEXT,
     .flags = LEVY_REQUIRED,
     .example = "Note that pays a coupon.",
     KIND_OFFSET(description),
     .doc = "What it pays, for `levy describe`."},
    {.name = "schedules",
     .also = "dates",
     .type = LEVY_FIELD_MAP,
     .table = &kind_schedule_table,
     KIND_OFFSET(schedules),
     .doc = "Keys of the kind that take dates, by name. The date of exercise, expiry, is there "
            "always."},
    {.name = "parameters",
     .also = "params keys fields",
     .type = LEVY_FIELD_MAP,
     .table = &kind_parameter_table,
     KIND_OFFSET(parameters),
     .doc = "Keys of the kind that take numbers, by name."},
    {.name = "levels",
     .type = LEVY_FIELD_CHOICE,
     .choices = levy_strike_types,
     .fallback = "percent_of_initial",
     KIND_OFFSET(levels),
     .doc =
         "What the key `levels` of a trade is if it is left out. absolute: levels are as quoted. "
         "percent_of_initial: each asset's level is divided by its initial fixing."},
    {.name = "example",
     .type = LEVY_FIELD_NODE,
     .flags = LEVY_REQUIRED,
     .example = "{coupon: 0.02}",
     .json = "\"type\": \"object\"",
     KIND_OFFSET(example),
     .doc = "The keys of a payoff of the kind, as an example. It is checked, and `levy new` and "
            "`levy describe` show it."},
    {.name = "example_assets",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 1,
     .high = LEVY_MOST_EXAMPLE_ASSETS,
     .fallback = "1",
     KIND_OFFSET(example_assets),
     .doc = "On how many underlyings the example is."},
    {.name = "script",
     .also = "code formula program",
     .type = LEVY_FIELD_TEXT,
     .flags = LEVY_REQUIRED,
     .example = "\"at expiry { pay coupon }\"",
     KIND_OFFSET(script),
     .doc = "What is paid and when, in the language of docs/language.md."},
    {0}};
const levy_table levy_kind_file_table = {
    .name = "kind",
    .example = "{kind: my_note, description: Note that pays a coupon., parameters: {coupon: "
               "{range: [0, 10], description: The coupon.}}, example: {coupon: 0.02}, script: "
               "\"at expiry { pay 1 + coupon }\"}",
    .doc = "A file that defines a kind of payoff by a script. --kinds names it or its folder, or "
           "the key `kinds` of a book does; trades then write the kind like one of levy's own.",
    .size = sizeof(levy_raw_kind),
    .fields = kind_fields,
    .node_offset = offsetof(levy_raw_kind, node),
    .has_node = true};
