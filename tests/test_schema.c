/* test_schema.c: engine/schema: the table-driven reader on tables of its own and on the catalog,
 * the JSON Schema and `levy describe`. */
#include "tests/cmocka_all.h"

#include "engine/schema/book.h"
#include "engine/schema/schema.h"
#include "engine/schema/summary.h"
#include "tests/heap.h"
#include "tests/grown_text.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tables of the tests ---- */

typedef struct part {
    const levy_node *node;
    const char *name;
    double size;
    int32_t color;
} part;
typedef struct wheel {
    const levy_node *node;
    double radius;
    uint64_t spokes;
} wheel;

typedef struct thing {
    const levy_node *node;
    const char *text, *name;
    double number, rate, fallback_number;
    uint64_t count, fallback_count;
    bool flag;
    int32_t choice, fallback_choice;
    levy_time time;
    levy_date date;
    levy_tenor tenor;
    part object;
    levy_variant_value variant;
    levy_list names, numbers, counts, times, dates, choices, objects, variants, fallback_list;
    levy_list map, variant_map, time_values;
    levy_matrix matrix;
    const levy_node *any;
} thing;

static const char *const schema_colors[] = {"red",     "dark_green",        "blue",
                                            "Rot=red", "Act/Act ISDA=blue", NULL};

static const levy_field part_fields[] = {{.name = "size",
                                          .type = LEVY_FIELD_NUMBER,
                                          .flags = LEVY_REQUIRED,
                                          .offset = offsetof(part, size),
                                          .doc = "How large."},
                                         {.name = "color",
                                          .type = LEVY_FIELD_CHOICE,
                                          .choices = schema_colors,
                                          .fallback = "blue",
                                          .offset = offsetof(part, color)},
                                         {0}};
static const levy_table part_table = {.name = "part",
                                      .doc = "A part.",
                                      .size = sizeof(part),
                                      .fields = part_fields,
                                      .shorthand_key = "size",
                                      .name_offset = offsetof(part, name),
                                      .has_name = true,
                                      .node_offset = offsetof(part, node),
                                      .has_node = true};

static const levy_field round_fields[] = {{.name = "radius",
                                           .type = LEVY_FIELD_NUMBER,
                                           .flags = LEVY_REQUIRED,
                                           .offset = offsetof(wheel, radius),
                                           .doc = "Its radius."},
                                          {.name = "spokes",
                                           .type = LEVY_FIELD_COUNT,
                                           .fallback = "32",
                                           .offset = offsetof(wheel, spokes)},
                                          {0}};
static const levy_field square_fields[] = {
    {.name = "spokes", .type = LEVY_FIELD_COUNT, .offset = offsetof(wheel, spokes)}, {0}};
static const levy_table round_table = {.name = "wheel round",
                                       .size = sizeof(wheel),
                                       .fields = round_fields,
                                       .node_offset = offsetof(wheel, node),
                                       .has_node = true};
static const levy_table square_table = {
    .name = "wheel square", .size = sizeof(wheel), .fields = square_fields};
static const levy_variant wheel_kinds[] = {{"round", &round_table}, {"square", &square_table}, {0}};
static const levy_table wheel_table = {.name = "wheel",
                                       .size = sizeof(levy_variant_value),
                                       .variants = wheel_kinds,
                                       .shorthand = "round",
                                       .shorthand_key = "radius"};

#define AT(member) .offset = offsetof(thing, member)
static const levy_field thing_fields[] = {
    {.name = "text", .type = LEVY_FIELD_TEXT, AT(text)},
    {.name = "name", .type = LEVY_FIELD_NAME, AT(name)},
    {.name = "number",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED | LEVY_LOW_OPEN | LEVY_HIGH_OPEN,
     .low = 0,
     .high = 1000,
     AT(number)},
    {.name = "rate",
     .type = LEVY_FIELD_NUMBER,
     .flags = LEVY_RANGED,
     .low = -1,
     .high = 5,
     .unit = "1/year",
     AT(rate)},
    {.name = "fallback_number", .type = LEVY_FIELD_NUMBER, .fallback = "2.5", AT(fallback_number)},
    {.name = "count",
     .type = LEVY_FIELD_COUNT,
     .flags = LEVY_RANGED,
     .low = 2,
     .high = 1048576,
     AT(count)},
    {.name = "fallback_count", .type = LEVY_FIELD_COUNT, .fallback = "2^18", AT(fallback_count)},
    {.name = "flag", .type = LEVY_FIELD_FLAG, AT(flag)},
    {.name = "choice", .type = LEVY_FIELD_CHOICE, .choices = schema_colors, AT(choice)},
    {.name = "fallback_choice",
     .type = LEVY_FIELD_CHOICE,
     .choices = schema_colors,
     .fallback = "dark_green",
     AT(fallback_choice)},
    {.name = "time", .type = LEVY_FIELD_TIME, AT(time)},
    {.name = "date", .type = LEVY_FIELD_DATE, AT(date)},
    {.name = "tenor", .type = LEVY_FIELD_TENOR, AT(tenor)},
    {.name = "object", .type = LEVY_FIELD_OBJECT, .table = &part_table, AT(object)},
    {.name = "variant", .type = LEVY_FIELD_VARIANT, .table = &wheel_table, AT(variant)},
    {.name = "names", .type = LEVY_FIELD_LIST, .element = LEVY_FIELD_NAME, AT(names)},
    {.name = "numbers",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .flags = LEVY_NON_EMPTY | LEVY_RANGED,
     .low = 0,
     .high = 9,
     AT(numbers)},
    {.name = "counts", .type = LEVY_FIELD_LIST, .element = LEVY_FIELD_COUNT, AT(counts)},
    {.name = "times", .type = LEVY_FIELD_LIST, .element = LEVY_FIELD_TIME, AT(times)},
    {.name = "dates", .type = LEVY_FIELD_LIST, .element = LEVY_FIELD_DATE, AT(dates)},
    {.name = "choices",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_CHOICE,
     .choices = schema_colors,
     AT(choices)},
    {.name = "objects",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_OBJECT,
     .table = &part_table,
     AT(objects)},
    {.name = "variants",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_VARIANT,
     .table = &wheel_table,
     AT(variants)},
    {.name = "fallback_list",
     .type = LEVY_FIELD_LIST,
     .element = LEVY_FIELD_NUMBER,
     .fallback = "[1, 2]",
     AT(fallback_list)},
    {.name = "map", .type = LEVY_FIELD_MAP, .table = &part_table, .flags = LEVY_NON_EMPTY, AT(map)},
    {.name = "variant_map", .type = LEVY_FIELD_MAP, .table = &wheel_table, AT(variant_map)},
    {.name = "matrix",
     .type = LEVY_FIELD_MATRIX,
     .flags = LEVY_RANGED,
     .low = -1,
     .high = 1,
     AT(matrix)},
    {.name = "time_values", .type = LEVY_FIELD_TIME_VALUES, AT(time_values)},
    {.name = "any", .type = LEVY_FIELD_NODE, AT(any)},
    {0}};
static const levy_table thing_table = {.name = "thing",
                                       .doc = "A thing.",
                                       .size = sizeof(thing),
                                       .fields = thing_fields,
                                       .node_offset = offsetof(thing, node),
                                       .has_node = true};

/* ---- Helpers ---- */

typedef struct schema_case {
    levy_arena arena;
    levy_fault_list faults;
    levy_document document;
    thing object;
    bool good;
} schema_case;

static void schema_read_table(schema_case *c, const levy_table *table, const char *text,
                              void *object)
{
    levy_arena_init(&c->arena, NULL);
    levy_fault_list_init(&c->faults, NULL);
    const levy_status status = levy_document_read("f.yaml", 0, text, strlen(text), NULL, &c->arena,
                                                  &c->faults, &c->document);
    assert_int_equal(status, LEVY_OK);
    const levy_reader reader = {&c->arena, &c->faults, 7, false, INT32_MIN, NULL};
    c->good = levy_read_object(&reader, table, c->document.roots[0], "", object);
    assert_int_equal(c->good, c->faults.errors == 0);
    levy_fault_list_sort(&c->faults);
}

static void schema_read(schema_case *c, const char *text)
{
    memset(c, 0, sizeof *c);
    schema_read_table(c, &thing_table, text, &c->object);
}

static void schema_release(schema_case *c)
{
    levy_fault_list_release(&c->faults);
    levy_arena_release(&c->arena);
}

static void schema_read_good(schema_case *c, const char *text)
{
    schema_read(c, text);
    if (!c->good) print_error("%s: %s\n", text, c->faults.items[0].message);
    assert_true(c->good);
}

/* The only fault of `text` is this line, with a hint that holds `hint`. */
static void assert_refused(const char *text, const char *line, const char *hint)
{
    schema_case c;
    char found[600];
    schema_read(&c, text);
    if (c.faults.count != 1) print_error("%s: %zu faults\n", text, c.faults.count);
    assert_int_equal(c.faults.count, 1);
    levy_fault_line(&c.faults.items[0], found, sizeof found);
    assert_string_equal(found, line);
    assert_int_equal(c.faults.items[0].trade, 7);
    if (hint) {
        assert_non_null(c.faults.items[0].hint);
        if (!strstr(c.faults.items[0].hint, hint))
            assert_string_equal(c.faults.items[0].hint, hint);
    }
    schema_release(&c);
}

typedef struct refusal {
    const char *text, *line, *hint;
} refusal;

static void assert_all_refused(const refusal *cases, size_t n)
{
    for (size_t i = 0; i < n; ++i) assert_refused(cases[i].text, cases[i].line, cases[i].hint);
}

#define ASSERT_ALL_REFUSED(cases) assert_all_refused(cases, sizeof(cases) / sizeof((cases)[0]))

/* ---- Values ---- */

static void test_scalars_are_read_by_type(void **state)
{
    (void)state;
    schema_case c;
    schema_read_good(&c, "text: 123\nname: a.b_c-1\nnumber: 1e2\nrate: -0.5\ncount: 2^10\nflag: "
                         "true\nchoice: dark_green\n"
                         "date: 2026-11-20\ntenor: 3M\nany: [1, {a: b}]\n");
    assert_string_equal(c.object.text, "123");
    assert_string_equal(c.object.name, "a.b_c-1");
    assert_true(c.object.number == 100.0 && c.object.rate == -0.5);
    assert_int_equal(c.object.count, 1024);
    assert_true(c.object.flag);
    assert_int_equal(c.object.choice, 1);
    levy_date expected = 0;
    assert_true(levy_date_from_civil(2026, 11, 20, &expected));
    assert_int_equal(c.object.date, expected);
    assert_true(c.object.tenor.count == 3 && c.object.tenor.unit == 'M');
    assert_int_equal(c.object.any->count, 2);
    assert_ptr_equal(c.object.node, c.document.roots[0]);
    schema_release(&c);
}

static void test_yaml_guesses_nothing(void **state)
{
    (void)state;
    schema_case c; /* NO, ON, 1e6 and 012 are traps of YAML 1.1 readers */
    schema_read_good(&c, "text: NO\nname: ON\nfallback_number: 012\nrate: 0\nnumber: 1e2\n");
    assert_string_equal(c.object.text, "NO");
    assert_string_equal(c.object.name, "ON");
    assert_true(c.object.fallback_number == 12.0);
    schema_release(&c);
    schema_read_good(&c, "{\"date\": \"2026-11-20\", \"count\": \"2^4\", \"choice\": \"red\", "
                         "\"tenor\": \"1Y\", \"text\": \"\"}");
    assert_int_equal(c.object.count, 16); /* JSON can say these only in quotes */
    assert_string_equal(c.object.text, "");
    schema_release(&c);
}

static void test_times_are_dates_or_years(void **state)
{
    (void)state;
    schema_case c;
    schema_read_good(&c, "time: 2026-11-20\ntimes: [1.5, 0, -2, 2027-01-01]\n");
    assert_true(c.object.time.is_date);
    assert_non_null(c.object.time.node);
    assert_int_equal(c.object.times.count, 4);
    const levy_time *times = c.object.times.items;
    assert_true(!times[0].is_date && times[0].years == 1.5);
    assert_true(times[2].years == -2.0);
    assert_true(times[3].is_date && times[3].node->place.column == 21);
    schema_release(&c);
}

static void test_choices_have_aliases(void **state)
{
    (void)state;
    schema_case c;
    schema_read_good(&c, "choice: Rot\nfallback_choice: Act/Act ISDA\nchoices: [blue, Rot]\n");
    assert_int_equal(c.object.choice, 0);
    assert_int_equal(c.object.fallback_choice, 2);
    assert_int_equal(((const int32_t *)c.object.choices.items)[0], 2);
    assert_int_equal(((const int32_t *)c.object.choices.items)[1], 0);
    schema_release(&c);
}

static void test_absent_values_and_defaults(void **state)
{
    (void)state;
    schema_case c;
    schema_read_good(&c, "{}");
    const thing *t = &c.object;
    assert_null(t->text);
    assert_null(t->name);
    assert_true(isnan(t->number) && isnan(t->rate));
    assert_true(t->fallback_number == 2.5);
    assert_int_equal(t->count, 0);
    assert_int_equal(t->fallback_count, 262144);
    assert_false(t->flag);
    assert_int_equal(t->choice, -1);
    assert_int_equal(t->fallback_choice, 1);
    assert_null(t->time.node);
    assert_int_equal(t->date, INT32_MIN);
    assert_int_equal(t->tenor.unit, 0);
    assert_null(t->object.node);
    assert_true(isnan(t->object.size) && t->object.color == 2);
    assert_true(t->variant.kind == -1 && !t->variant.node && !t->variant.value);
    assert_true(!t->names.node && t->names.count == 0);
    assert_true(t->fallback_list.count == 2 && ((const double *)t->fallback_list.items)[1] == 2.0);
    assert_null(t->matrix.node);
    assert_null(t->any);
    schema_release(&c);
}

static void test_absent_object_takes_defaults_only(void **state)
{
    (void)state;
    levy_arena arena;
    levy_fault_list faults;
    levy_arena_init(&arena, NULL);
    levy_fault_list_init(&faults, NULL);
    const levy_reader reader = {&arena, &faults, -1, false, INT32_MIN, NULL};
    part object = {0};
    /* its required key is not missed */
    assert_true(levy_read_object(&reader, &part_table, NULL, "part", &object));
    assert_true(object.color == 2 && isnan(object.size));
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
}

static void test_refused_value_falls_back(void **state)
{
    (void)state;
    schema_case c;
    schema_read(&c, "fallback_number: x\nfallback_choice: y\nnumber: z\nchoice: w\n");
    assert_int_equal(c.faults.errors, 4);
    assert_true(c.object.fallback_number == 2.5 && c.object.fallback_choice == 1);
    assert_true(isnan(c.object.number) && c.object.choice == -1);
    schema_release(&c);
}

static void test_objects_and_shorthand(void **state)
{
    (void)state;
    schema_case c;
    schema_read_good(&c, "object: {size: 2, color: red}\nobjects: [3, {size: 4}]\n");
    assert_true(c.object.object.size == 2.0 && c.object.object.color == 0);
    assert_int_equal(c.object.object.node->place.column, 9);
    const part *parts = c.object.objects.items;
    assert_true(parts[0].size == 3.0 && parts[0].color == 2 && parts[1].size == 4.0);
    assert_int_equal(parts[0].node->kind, LEVY_NODE_SCALAR);
    schema_release(&c);
}

/* A bare word and a bare list stand for different keys. */
static void test_two_shorthands(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int32_t functional;
        uint64_t components, dates;
    } cases[] = {{"{first: average}", 0, 0, 0},
                 {"{first: {functional: average}}", 0, 0, 0},
                 {"{first: [0.5, 2027-01-01]}", -1, 0, 2},
                 {"{first: {components: 4}}", -1, 4, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        schema_case c;
        levy_raw_construction construction = {0};
        memset(&c, 0, sizeof c);
        schema_read_table(&c, levy_catalog_find("construction"), cases[i].text, &construction);
        assert_true(c.good);
        assert_int_equal(construction.first.functional, cases[i].functional);
        assert_int_equal(construction.first.components, cases[i].components);
        assert_int_equal(construction.first.dates.count, cases[i].dates);
        schema_release(&c);
    }
}

static void test_list_shorthand(void **state)
{
    (void)state;
    schema_case c;
    levy_schedule_terms schedule = {0};
    memset(&c, 0, sizeof c);
    schema_read_table(&c, &levy_schedule_table, "[0.25, 0.5, 2027-01-01]", &schedule);
    assert_true(c.good);
    assert_int_equal(schedule.times.count, 3);
    assert_int_equal(schedule.generation, 0);
    schema_release(&c);
}

static void test_variants_by_kind(void **state)
{
    (void)state;
    schema_case c;
    schema_read_good(
        &c, "variant: {kind: round, radius: 2}\nvariants: [{spokes: 5, kind: square}, 7]\n");
    assert_int_equal(c.object.variant.kind, 0);
    const wheel *round = c.object.variant.value;
    assert_true(round->radius == 2.0 && round->spokes == 32);
    assert_ptr_equal(round->node, c.object.variant.node);
    const levy_variant_value *values = c.object.variants.items;
    assert_int_equal(values[0].kind, 1);
    assert_int_equal(((const wheel *)values[0].value)->spokes, 5);
    assert_int_equal(values[1].kind, 0);
    assert_true(((const wheel *)values[1].value)->radius == 7.0);
    schema_release(&c);
}

static void test_maps_name_their_items(void **state)
{
    (void)state;
    schema_case c;
    schema_read_good(&c,
                     "map:\n  A: {size: 1}\n  B-2: 2\nvariant_map: {w: {kind: square}, v: 3}\n");
    assert_int_equal(c.object.map.count, 2);
    const part *parts = c.object.map.items;
    assert_string_equal(parts[0].name, "A");
    assert_string_equal(parts[1].name, "B-2");
    assert_true(parts[1].size == 2.0);
    const levy_variant_value *values = c.object.variant_map.items;
    assert_string_equal(values[0].node->key->text, "w");
    assert_int_equal(values[0].kind, 1);
    assert_int_equal(values[1].kind, 0);
    schema_release(&c);
}

static void test_matrix_and_time_values(void **state)
{
    (void)state;
    schema_case c;
    schema_read_good(
        &c, "matrix: [[1, 0.5, 0], [0.5, 1, -1]]\ntime_values: [[2027-11-20, 0.04], [1.5, -7]]\n");
    assert_true(c.object.matrix.rows == 2 && c.object.matrix.columns == 3);
    assert_true(c.object.matrix.values[1 * 3 + 2] == -1.0);
    const levy_time_value *pairs = c.object.time_values.items;
    assert_true(pairs[0].time.is_date && pairs[0].value == 0.04);
    assert_true(pairs[1].time.years == 1.5 && pairs[1].value == -7.0);
    assert_int_equal(pairs[1].node->place.line, 2);
    schema_release(&c);
}

/* ---- Refusals ---- */

static void test_unknown_keys_name_the_nearest(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"numbr: 1\n", "f.yaml:1:1: error: numbr: unknown key; did you mean 'number'?",
         "Valid keys: text, name, number"},
        {"object: {size: 1, colour: red}\n",
         "f.yaml:1:19: error: object.colour: unknown key; did you mean 'color'?",
         "Valid keys: size, color."},
        {"object: {siz: 1}\n", "f.yaml:1:10: error: object.siz: unknown key; did you mean 'size'?",
         NULL}, /* not missing too */
        {"object: {size:1}\n",
         "f.yaml:1:10: error: object.size:1: unknown key; did you mean 'size'?",
         "space after the colon"},
        {"zzzz: 1\n", "f.yaml:1:1: error: zzzz: unknown key", "Valid keys: "},
        {"objects:\n  - size: 1\n  - {size: 1, kind: x}\n",
         "f.yaml:3:15: error: objects[1].kind: unknown key", "size, color"},
        {"map: {a: {size: 1, x: 2}}\n", "f.yaml:1:20: error: map.a.x: unknown key", NULL},
        {"variant: {kind: square, radius: 1}\n", "f.yaml:1:25: error: variant.radius: unknown key",
         "Valid keys: kind, spokes."}};
    ASSERT_ALL_REFUSED(cases);
}

static void test_missing_keys_stand_at_their_object(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"object: {color: red}\n", "f.yaml:1:9: error: object: missing key 'size'", "How large."},
        {"objects:\n  - color: red\n", "f.yaml:2:5: error: objects[0]: missing key 'size'",
         "How large."},
        {"variant: {kind: round}\n", "f.yaml:1:10: error: variant: missing key 'radius'",
         "Its radius."}};
    ASSERT_ALL_REFUSED(cases);
}

static void test_kinds_are_checked(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"variant: {radius: 1}\n", "f.yaml:1:10: error: variant: missing key 'kind'",
         "One of: round, square."},
        {"variant: {kid: round}\n",
         "f.yaml:1:11: error: variant.kid: unknown key; did you mean 'kind'?", NULL},
        {"variant: {kind: roud}\n",
         "f.yaml:1:17: error: variant.kind: unknown kind 'roud'; did you mean 'round'?",
         "One of: round, square."},
        {"variant: {kind: triangle}\n", "f.yaml:1:17: error: variant.kind: unknown kind 'triangle'",
         "One of: round, square."},
        {"variant: {kind: [round]}\n", "f.yaml:1:17: error: variant.kind: unknown kind a list",
         NULL},
        {"variant: [1]\n", "f.yaml:1:10: error: variant: expected a map; got a list", NULL},
        {"variant: {}\n", "f.yaml:1:10: error: variant: missing key 'kind'", NULL}};
    ASSERT_ALL_REFUSED(cases);
}

static void test_numbers_come_with_advice(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"rate: '0.5'\n", "f.yaml:1:7: error: rate: expected a number; got '0.5' (in quotes)",
         "Remove the quotes"},
        {"rate: 1_000\n", "f.yaml:1:7: error: rate: expected a number; got '1_000'", "without '_'"},
        {"rate: 1,000\n", "f.yaml:1:7: error: rate: expected a number; got '1,000'",
         "1000, not 1,000"},
        {"rate: .\n", "f.yaml:1:7: error: rate: expected a number; got '.'", "one decimal number"},
        {"rate: -.\n", "f.yaml:1:7: error: rate: expected a number; got '-.'",
         "one decimal number"},
        {"rate: 0.5.\n", "f.yaml:1:7: error: rate: expected a number; got '0.5.'",
         "one decimal number"},
        {"rate: 0x10\n", "f.yaml:1:7: error: rate: expected a number; got '0x10'", "Hexadecimal"},
        {"rate: .inf\n", "f.yaml:1:7: error: rate: expected a number; got '.inf'", "finite"},
        {"rate: -Infinity\n", "f.yaml:1:7: error: rate: expected a number; got '-Infinity'",
         "finite"},
        {"rate: NaN\n", "f.yaml:1:7: error: rate: expected a number; got 'NaN'", "finite"},
        {"rate: 20%\n", "f.yaml:1:7: error: rate: expected a number; got '20%'",
         "Write 0.2, not 20%."},
        {"rate: 2^3\n", "f.yaml:1:7: error: rate: expected a number; got '2^3'", "Only counts"},
        {"rate: 12:30\n", "f.yaml:1:7: error: rate: expected a number; got '12:30'",
         "one decimal number"},
        {"rate: null\n", "f.yaml:1:7: error: rate: expected a number; got 'null'", NULL},
        {"rate:\n", "f.yaml:1:6: error: rate: expected a number; got nothing", "delete the key"},
        {"rate: [1]\n", "f.yaml:1:7: error: rate: expected a number; got a list", NULL},
        {"rate: {a: 1}\n", "f.yaml:1:7: error: rate: expected a number; got a map", NULL},
        {"rate: 1e999\n", "f.yaml:1:7: error: rate: the number is too large; got 1e999", NULL}};
    ASSERT_ALL_REFUSED(cases);
}

static void test_ranges_name_the_bound(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"number: -3\n", "f.yaml:1:9: error: number: must be > 0; got -3", NULL},
        {"number: 0\n", "f.yaml:1:9: error: number: must be > 0; got 0", NULL},
        {"number: 1000\n", "f.yaml:1:9: error: number: must be < 1000; got 1000", NULL},
        {"rate: 20\n", "f.yaml:1:7: error: rate: must be <= 5; got 20", "decimals: 0.20, not 20"},
        {"rate: -1.5\n", "f.yaml:1:7: error: rate: must be >= -1; got -1.5", NULL},
        {"count: 1\n", "f.yaml:1:8: error: count: must be >= 2; got 1", NULL},
        {"count: 2^21\n", "f.yaml:1:8: error: count: must be <= 1048576; got 2^21", NULL},
        {"numbers: [1, 10]\n", "f.yaml:1:14: error: numbers[1]: must be <= 9; got 10", NULL},
        {"numbers: []\n", "f.yaml:1:10: error: numbers: must not be empty", NULL},
        {"map: {}\n", "f.yaml:1:6: error: map: must not be empty", NULL},
        {"matrix: [[1, 1.5]]\n", "f.yaml:1:14: error: matrix[0][1]: must be <= 1; got 1.5", NULL},
        {"time: 20261120\n",
         "f.yaml:1:7: error: time: is more than 200 years from the valuation; "
         "got 20261120",
         "YYYY-MM-DD"},
        {"time: -200.5\n",
         "f.yaml:1:7: error: time: is more than 200 years from the valuation; got -200.5",
         "not in days"}};
    ASSERT_ALL_REFUSED(cases);
    schema_case c;
    schema_read_good(&c, "number: 999.9\nrate: 5\ncount: 2\nnumbers: [0, 9]\n");
    schema_release(&c);
}

static void test_counts_come_with_advice(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"count: 1e3\n", "f.yaml:1:8: error: count: expected a count; got '1e3'", "2^12"},
        {"count: 16.0\n", "f.yaml:1:8: error: count: expected a count; got '16.0'", "digits only"},
        {"count: -4\n", "f.yaml:1:8: error: count: expected a count; got '-4'", "digits only"},
        {"count: '16'\n", "f.yaml:1:8: error: count: expected a count; got '16' (in quotes)",
         "Remove the quotes"},
        {"count: 3^4\n", "f.yaml:1:8: error: count: expected a count; got '3^4'", "powers of two"},
        {"count: 1_000\n", "f.yaml:1:8: error: count: expected a count; got '1_000'",
         "without '_'"},
        {"count: many\n", "f.yaml:1:8: error: count: expected a count; got 'many'", NULL},
        {"count: 2^64\n", "f.yaml:1:8: error: count: the count is too large; got 2^64", NULL},
        {"count: {}\n", "f.yaml:1:8: error: count: expected a count; got a map", NULL}};
    ASSERT_ALL_REFUSED(cases);
}

static void test_words_are_checked(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"flag: yes\n", "f.yaml:1:7: error: flag: expected true or false; got 'yes'",
         "Write true or false"},
        {"flag: 'true'\n",
         "f.yaml:1:7: error: flag: expected true or false; got 'true' (in quotes)", NULL},
        {"flag: True\n", "f.yaml:1:7: error: flag: expected true or false; got 'True'",
         "lower case"},
        {"choice: dark-green\n",
         "f.yaml:1:9: error: choice: unknown value 'dark-green'; did you mean 'dark_green'?",
         "One of: red, dark_green, blue."},
        {"choice: yellow\n", "f.yaml:1:9: error: choice: unknown value 'yellow'",
         "One of: red, dark_green, blue."},
        {"choice:\n", "f.yaml:1:8: error: choice: expected one word; got nothing", "One of: "},
        {"choices: [red, bleu]\n",
         "f.yaml:1:16: error: choices[1]: unknown value 'bleu'; did you mean 'blue'?", NULL},
        {"name: a b\n", "f.yaml:1:7: error: name: expected a name; got 'a b'", "consists of"},
        {"name: -a\n", "f.yaml:1:7: error: name: expected a name; got '-a'", NULL},
        {"name: ''\n", "f.yaml:1:7: error: name: expected a name; got '' (in quotes)", NULL},
        {"name: =A1\n", "f.yaml:1:7: error: name: expected a name; got '=A1'", NULL},
        {"text: [a]\n", "f.yaml:1:7: error: text: expected text; got a list", NULL},
        {"text:\n", "f.yaml:1:6: error: text: expected text; got nothing", "delete the key"},
        {"map: {a b: 1}\n", "f.yaml:1:7: error: map: expected a name; got 'a b'", NULL}};
    ASSERT_ALL_REFUSED(cases);
}

static void test_names_have_a_longest_length(void **state)
{
    (void)state;
    char text[200] = "name: ";
    memset(text + 6, 'n', 128);
    schema_case c;
    schema_read_good(&c, text);
    schema_release(&c);
    text[6 + 128] = 'n';
    assert_refused(text,
                   "f.yaml:1:7: error: name: the name is too long: 129 bytes; the limit is 128",
                   "shorter");
}

static void test_dates_come_with_advice(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"date: 2026/11/20\n", "f.yaml:1:7: error: date: expected a date; got '2026/11/20'",
         "YYYY-MM-DD"},
        {"date: 20.11.2026\n", "f.yaml:1:7: error: date: expected a date; got '20.11.2026'",
         "YYYY-MM-DD"},
        {"date: 2026-02-30\n", "f.yaml:1:7: error: date: expected a date; got '2026-02-30'",
         "1900 to 2199"},
        {"date: 1.5\n", "f.yaml:1:7: error: date: expected a date; got '1.5'", NULL},
        {"time: 2026-1-5\n", "f.yaml:1:7: error: time: expected a date; got '2026-1-5'",
         "YYYY-MM-DD"},
        {"time: tomorrow\n",
         "f.yaml:1:7: error: time: expected a date (YYYY-MM-DD) or a number of years; got "
         "'tomorrow'",
         NULL},
        {"time: [1]\n",
         "f.yaml:1:7: error: time: expected a date (YYYY-MM-DD) or a number of years; got a list",
         NULL},
        {"time: '1.5'\n", "f.yaml:1:7: error: time: expected a number; got '1.5' (in quotes)",
         "Remove the quotes"},
        {"tenor: 3 months\n", "f.yaml:1:8: error: tenor: expected a tenor; got '3 months'", "6M"},
        {"tenor: 3m\n", "f.yaml:1:8: error: tenor: expected a tenor; got '3m'", NULL}};
    ASSERT_ALL_REFUSED(cases);
}

static void test_shapes_are_checked(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"names: SPX\n", "f.yaml:1:8: error: names: expected a list; got 'SPX'", "brackets"},
        {"objects: {size: 1}\n", "f.yaml:1:10: error: objects: expected a list; got a map",
         "Begin each item with '- '"},
        {"map: [1]\n", "f.yaml:1:6: error: map: expected a map; got a list", "without '- '"},
        {"object: [1]\n", "f.yaml:1:9: error: object: expected a map; got a list", NULL},
        {"object:\n", "f.yaml:1:8: error: object: expected a map; got nothing", "delete the key"},
        {"matrix: [[1, 0], [1]]\n",
         "f.yaml:1:18: error: matrix[1]: the row's length is 1; the first row's is 2", NULL},
        {"matrix: [1]\n", "f.yaml:1:10: error: matrix[0]: expected a list of numbers; got '1'",
         NULL},
        {"matrix: 1\n", "f.yaml:1:9: error: matrix: expected a list; got '1'", NULL},
        {"time_values: [[1]]\n",
         "f.yaml:1:15: error: time_values[0]: expected a pair [time, number]; got a list of length "
         "1",
         NULL},
        {"time_values: [[1, x]]\n",
         "f.yaml:1:19: error: time_values[0][1]: expected a number; got 'x'", NULL},
        {"time_values: {1: 2}\n", "f.yaml:1:14: error: time_values: expected a list; got a map",
         "Write time_values: [[1, 2]]."},
        {"- 1\n", "f.yaml:1:1: error: expected a map; got a list", NULL},
        {"word\n", "f.yaml:1:1: error: expected a map; got 'word'", "A thing."},
        {"rate:1\n", "f.yaml:1:1: error: expected a map; got 'rate:1'", "space after the colon"}};
    ASSERT_ALL_REFUSED(cases);
    schema_case c;
    schema_read(&c, "time_values: [1, 2]\n");
    assert_int_equal(c.faults.count, 2);
    schema_release(&c);
}

static void test_a_number_is_a_list_of_one(void **state)
{
    (void)state;
    static const refusal cases[] = {
        {"numbers: 10\n", "f.yaml:1:10: error: numbers: must be <= 9; got 10", NULL},
        {"numbers: '1'\n", "f.yaml:1:10: error: numbers: expected a number; got '1' (in quotes)",
         "Remove the quotes"},
        {"numbers: one\n", "f.yaml:1:10: error: numbers: expected a number; got 'one'", NULL},
        {"numbers:\n", "f.yaml:1:9: error: numbers: expected a list; got nothing", NULL},
        {"numbers: {a: 1}\n", "f.yaml:1:10: error: numbers: expected a list; got a map", NULL},
        {"counts: 1\n", "f.yaml:1:9: error: counts: expected a list; got '1'", "brackets"}};
    ASSERT_ALL_REFUSED(cases);
    schema_case c;
    schema_read(&c, "numbers: 2.5\n");
    assert_int_equal(c.faults.count, 0);
    assert_int_equal(c.object.numbers.count, 1);
    assert_true(*(const double *)c.object.numbers.items == 2.5);
    assert_non_null(c.object.numbers.node);
    schema_release(&c);
}

static void test_long_values_are_cut_in_messages(void **state)
{
    (void)state;
    assert_refused(
        "rate: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n",
        "f.yaml:1:7: error: rate: expected a number; got 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'",
        NULL);
    assert_refused("rate: "
                   "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xE2\x82\xAC\xE2\x82\xAC\xE2\x82\xAC\xE2\x82"
                   "\xAC\n", /* no character
                                is split */
                   "f.yaml:1:7: error: rate: expected a number; got "
                   "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\xE2\x82\xAC...'",
                   NULL);
}

static void test_all_faults_are_found_at_once(void **state)
{
    (void)state;
    schema_case c;
    schema_read(&c, "number: x\nrte: 1\nobject: {color: rd}\nvariants: [{kind: rund}, {radius: "
                    "1}]\nmap: {a: {size: "
                    "x}, b: {size: y}}\n");
    assert_int_equal(c.faults.count, 8);
    for (size_t i = 1; i < c.faults.count; ++i)
        assert_true(c.faults.items[i - 1].place.line <= c.faults.items[i].place.line);
    schema_release(&c);
}

static void test_flood_of_unknown_keys_is_counted(void **state)
{
    (void)state;
    static char text[60000];
    size_t n = 0;
    for (int i = 0; i < 5000; ++i) n += (size_t)snprintf(text + n, sizeof text - n, "k%d: 1\n", i);
    schema_case c;
    schema_read(&c, text);
    assert_int_equal(c.faults.count, LEVY_FAULT_LIMIT);
    assert_int_equal(c.faults.errors, 5000);
    schema_release(&c);
}

/* ---- Scalars and paths on their own ---- */

static void test_hand_written_readers_have_the_same_words(void **state)
{
    (void)state;
    schema_case c;
    double number = 0.0;
    levy_time time = {0};
    char line[200];
    schema_read_good(&c, "any: [1.5, x, 2026-11-20, y]\n");
    const levy_reader reader = {&c.arena, &c.faults, 3, false, INT32_MIN, NULL};
    const levy_node *node = c.object.any->children;
    assert_true(levy_read_number(&reader, node, "any[0]", &number) && number == 1.5);
    assert_false(levy_read_number(&reader, node->next, "any[1]", &number));
    assert_true(levy_read_time(&reader, node->next->next, "any[2]", &time) && time.is_date);
    assert_false(levy_read_time(&reader, node->next->next->next, "any[3]", &time));
    levy_fault_line(&c.faults.items[0], line, sizeof line);
    assert_string_equal(line, "f.yaml:1:12: error: any[1]: expected a number; got 'x'");
    assert_int_equal(c.faults.items[1].trade, 3);
    schema_release(&c);
}

static void test_path_of_the_caller_comes_first(void **state)
{
    (void)state;
    levy_arena arena;
    levy_fault_list faults;
    levy_document document;
    part object = {0};
    levy_arena_init(&arena, NULL);
    levy_fault_list_init(&faults, NULL);
    assert_int_equal(levy_document_read("f", 0, "size: x", 7, NULL, &arena, &faults, &document),
                     LEVY_OK);
    const levy_reader reader = {&arena, &faults, -1, false, INT32_MIN, NULL};
    assert_false(levy_read_object(&reader, &part_table, document.roots[0], "trades[3]", &object));
    assert_string_equal(faults.items[0].path, "trades[3].size");
    assert_int_equal(faults.items[0].trade, -1);
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
}

/* ---- A line for readers ---- */

static void schema_sum_up(const char *map, const char *without, const char *expected)
{
    char text[LEVY_SUMMARY_SIZE];
    levy_arena arena;
    levy_fault_list faults;
    levy_document document;
    levy_arena_init(&arena, NULL);
    levy_fault_list_init(&faults, NULL);
    assert_int_equal(levy_document_read("f", 0, map, strlen(map), NULL, &arena, &faults, &document),
                     LEVY_OK);
    levy_schema_summary(levy_catalog_find("payoff.barrier"), document.roots[0], without, text);
    assert_string_equal(text, expected);
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
}

static void test_a_map_is_summed_up_in_a_line(void **state)
{
    char many[2048] = "", cut[LEVY_SUMMARY_SIZE] = "";
    (void)state;
    schema_sum_up("{kind: barrier, option_type: call, strike: 12000.50, barrier: {direction: up, "
                  "knock: out, level: 8000, observations: {frequency: 1M, end_of_month: true}}}",
                  "kind strike",
                  "call; barrier: up, out, level 8,000, observations (frequency 1M, end of month)");
    schema_sum_up("{barrier: {direction: up, knock: out, level: 8}}", "kind",
                  "barrier: up, out, level 8, continuous");
    schema_sum_up("{barrier: {level: 8, monitoring: discrete}}", "kind",
                  "barrier: level 8, discrete");
    /* a choice that is another key keeps its own; a long list or text is told by its size */
    schema_sum_up("{strike_type: strike, strike: '7000'}", "kind",
                  "strike type strike; strike 7000");
    schema_sum_up("a_b: [1, [2, 3], 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]", "",
                  "a b [1, [2, 3], 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, \u2026 14 in all]");
    schema_sum_up("script: |\n  let x = 1\n  pay x\n", "", "script 2 lines");
    schema_sum_up("of: [{name: A, weight: 0.5}, {name: B, c: [1]}]", "",
                  "of [A 0.5, name B, c [1]]");
    schema_sum_up("[1, 2]", "", "");
    for (int i = 0; i < 90; ++i) {
        sprintf(many + strlen(many), "key%d: word%d\n", 10 + i, i);
        if (i < 37) sprintf(cut + strlen(cut), "key%d word%d; ", 10 + i, i);
    }
    strcat(cut, "\u2026");
    schema_sum_up(many, "", cut);
}

/* ---- The catalog ---- */

enum { SCHEMA_TABLES = 256 };
typedef struct table_set {
    const levy_table *tables[SCHEMA_TABLES];
    size_t n;
} table_set;

static void schema_collect(table_set *set, const levy_table *table)
{
    for (size_t i = 0; i < set->n; ++i)
        if (set->tables[i] == table) return;
    assert_true(set->n < SCHEMA_TABLES);
    set->tables[set->n++] = table;
    for (const levy_variant *variant = table->variants; variant && variant->kind; ++variant)
        schema_collect(set, variant->table);
    for (const levy_field *field = table->fields; field && field->name; ++field)
        if (field->table) schema_collect(set, field->table);
}

static void test_catalog_tables_are_complete(void **state)
{
    (void)state;
    table_set set = {.n = 0};
    schema_collect(&set, &levy_book_table);
    assert_true(set.n > 20);
    for (size_t i = 0; i < set.n; ++i) {
        const levy_table *table = set.tables[i];
        assert_true(table->name && table->name[0] && table->doc && table->doc[0] &&
                    table->size > 0);
        assert_true((table->fields != NULL) != (table->variants != NULL));
        for (const levy_field *field = table->fields; field && field->name; ++field) {
            assert_true(field->doc && field->doc[0]);
            assert_true(field->offset < table->size);
            const bool chooses =
                field->type == LEVY_FIELD_CHOICE ||
                (field->type == LEVY_FIELD_LIST && field->element == LEVY_FIELD_CHOICE);
            assert_int_equal(field->choices != NULL, chooses);
            const bool nested = field->type == LEVY_FIELD_OBJECT ||
                                field->type == LEVY_FIELD_VARIANT || field->type == LEVY_FIELD_MAP;
            assert_true(!nested || field->table);
            assert_true(field->type != LEVY_FIELD_OBJECT || !field->table->variants);
            assert_true(field->type != LEVY_FIELD_VARIANT || field->table->variants);
            if (field->flags & LEVY_RANGED) assert_true(field->low <= field->high);
            for (const levy_field *other = table->fields; other < field; ++other)
                assert_string_not_equal(other->name, field->name);
        }
    }
}

/* Every default is read without a fault, and every alias stands for a choice. */
static void test_catalog_defaults_are_valid(void **state)
{
    (void)state;
    table_set set = {.n = 0};
    levy_arena arena;
    levy_fault_list faults;
    levy_arena_init(&arena, NULL);
    levy_fault_list_init(&faults, NULL);
    const levy_reader reader = {&arena, &faults, -1, false, INT32_MIN, NULL};
    schema_collect(&set, &levy_book_table);
    for (size_t i = 0; i < set.n; ++i) {
        void *object = levy_arena_allocate(&arena, 1, set.tables[i]->size);
        assert_non_null(object);
        assert_true(levy_read_object(&reader, set.tables[i], NULL, "", object));
        for (const levy_field *field = set.tables[i]->fields; field && field->name; ++field) {
            for (size_t k = 0; field->choices && field->choices[k]; ++k) {
                const char *target = strchr(field->choices[k], '=');
                bool found = !target || !target[1]; /* "WORD=": none of the choices */
                for (size_t m = 0; field->choices[m]; ++m)
                    found = found || strcmp(target + 1, field->choices[m]) == 0;
                assert_true(found);
            }
        }
    }
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
}

static const char schema_book[] =
    "schema_version: 1\nvaluation_date: 2026-11-20\n"
    "market:\n  curves: {USD: 0.04, EUR: {kind: zero, nodes: [[2027-11-20, 0.02]]}}\n"
    "  assets:\n    SPX: {currency: USD, spot: 6680.0, dividend_yield: 0.013, volatility: 0.17}\n"
    "models:\n  equity: {kind: black_scholes, assets: [SPX]}\n"
    "trades:\n  - {id: one, model: equity, underlying: SPX, payoff: {kind: european, option_type: "
    "call, strike: 6700},"
    " exercise: {expiry: 2027-11-20}}\n"
    "simulation: {paths: 2^16}\n";

static void test_book_is_read_whole(void **state)
{
    (void)state;
    schema_case c;
    levy_raw_book book;
    memset(&c, 0, sizeof c);
    memset(&book, 0, sizeof book);
    schema_read_table(&c, &levy_book_table, schema_book, &book);
    assert_true(c.good);
    assert_int_equal(book.schema_version, 1);
    assert_int_equal(book.market.curves.count, 2);
    const levy_variant_value *curves = book.market.curves.items;
    assert_true(curves[0].kind == 0 && ((const levy_raw_curve *)curves[0].value)->rate == 0.04);
    const levy_raw_asset *spx = book.market.assets.items;
    assert_string_equal(spx->name, "SPX");
    assert_true(spx->spot == 6680.0);
    const levy_raw_trade *trade = book.trades.items;
    assert_string_equal(trade->id, "one");
    assert_int_equal(trade->payoff.kind, LEVY_PAYOFF_EUROPEAN);
    assert_true(((const levy_payoff_terms *)trade->payoff.value)->strike == 6700.0);
    assert_int_equal(book.simulation.paths, 65536);
    schema_release(&c);
}

/* ---- Memory ---- */

/* Document and schema on one allocator; returns whether memory was missed. */
static bool schema_read_failing(test_heap *heap, const char *text, size_t *errors)
{
    const levy_memory memory = heap_memory(heap);
    levy_arena arena;
    levy_fault_list faults;
    levy_document document;
    levy_raw_book book;
    memset(&book, 0, sizeof book);
    levy_arena_init(&arena, &memory);
    levy_fault_list_init(&faults, &memory);
    const levy_status status =
        levy_document_read("f.yaml", 0, text, strlen(text), NULL, &arena, &faults, &document);
    const levy_reader reader = {&arena, &faults, -1, false, INT32_MIN, NULL};
    for (size_t i = 0; i < document.n_roots; ++i) {
        const size_t before = faults.errors;
        const bool good = levy_read_object(&reader, &levy_book_table, document.roots[i], "", &book);
        assert_int_equal(good, faults.errors == before);
    }
    const bool missed = status == LEVY_MEMORY || faults.out_of_memory;
    *errors = faults.errors;
    levy_fault_list_release(&faults);
    levy_arena_release(&arena);
    assert_int_equal(heap->live, 0);
    return missed;
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    static char text[200000];
    size_t n = (size_t)snprintf(text, sizeof text, "schema_version: 1\ntrades:\n");
    for (int i = 0; i < 150; ++i)
        n += (size_t)snprintf(
            text + n, sizeof text - n,
            "  - {id: t%d, strik: 1, underlyings: [A, {name: B, weight: x}], payoff: {kind: asian, "
            "option_type: call, strike: 100, averaging: {observations: [0.5, 1]}}, exercise: "
            "{expiry: 1}}\n",
            i);
    for (int for_ever = 0; for_ever < 2; ++for_ever) {
        bool missed = true;
        long fail = 1;
        size_t errors = 0;
        for (; missed; ++fail) {
            test_heap heap = {.fail_at = fail, .for_ever = for_ever};
            missed = schema_read_failing(&heap, text, &errors);
        }
        assert_int_equal(errors, 300);
        assert_true(fail > 10);
    }
}

/* ---- JSON Schema ---- */

static int schema_write(grown_text *text)
{
    levy_text_out out;
    levy_text_out_init(&out, text_grow, text);
    levy_schema_write_json(&levy_book_table, NULL, &out);
    return levy_text_finish(&out, LEVY_STATUS_OK);
}

/* LEVY_OK, LEVY_ARGUMENT or LEVY_IO. */
static int schema_describe_to(grown_text *text, const char *topic)
{
    levy_text_out out;
    levy_text_out_init(&out, text_grow, text);
    return levy_text_finish(&out, (int)levy_schema_describe(topic, NULL, &out));
}

static json_t *schema_load(void)
{
    grown_text text = {0};
    json_error_t error;
    assert_int_equal(schema_write(&text), LEVY_OK);
    json_t *schema = json_loads(text.bytes, JSON_REJECT_DUPLICATES, &error);
    if (!schema) print_error("line %d: %s\n", error.line, error.text);
    assert_non_null(schema);
    free(text.bytes);
    return schema;
}

/* Every $ref leads to a definition. Returns how many there are. */
static size_t schema_check_references(const json_t *node, const json_t *definitions)
{
    size_t count = 0, index;
    const char *key;
    json_t *value;
    if (json_is_array(node)) {
        json_array_foreach(node, index, value) count += schema_check_references(value, definitions);
        return count;
    }
    json_object_foreach((json_t *)node, key, value)
    {
        if (strcmp(key, "$ref") == 0) {
            const char *reference = json_string_value(value);
            assert_non_null(reference);
            assert_int_equal(strncmp(reference, "#/definitions/", 14), 0);
            assert_non_null(json_object_get(definitions, reference + 14));
            count++;
        } else
            count += schema_check_references(value, definitions);
    }
    return count;
}

static void test_json_schema_is_draft_07_and_closed(void **state)
{
    (void)state;
    json_t *schema = schema_load();
    assert_string_equal(json_string_value(json_object_get(schema, "$schema")),
                        "http://json-schema.org/draft-07/schema#");
    assert_string_equal(json_string_value(json_object_get(schema, "type")), "object");
    assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
    const json_t *definitions = json_object_get(schema, "definitions");
    assert_true(json_object_size(definitions) > 20);
    assert_true(schema_check_references(schema, definitions) > 20);
    json_decref(schema);
}

static void test_json_schema_says_what_the_tables_say(void **state)
{
    (void)state;
    json_t *schema = schema_load();
    const json_t *definitions = json_object_get(schema, "definitions");
    const json_t *asset = json_object_get(definitions, "asset"),
                 *properties = json_object_get(asset, "properties");
    assert_true(json_is_false(json_object_get(asset, "additionalProperties")));
    assert_true(json_number_value(json_object_get(json_object_get(properties, "spot"),
                                                  "exclusiveMinimum")) == 0.0);
    const json_t *flat = json_object_get(definitions, "yield.flat"),
                 *rate = json_object_get(json_object_get(flat, "properties"), "rate");
    assert_true(json_number_value(json_object_get(rate, "maximum")) == 5.0);
    assert_non_null(json_object_get(json_object_get(properties, "spot"), "description"));
    const json_t *european = json_object_get(definitions, "payoff.european");
    const json_t *kind = json_object_get(json_object_get(european, "properties"), "kind");
    assert_string_equal(json_string_value(json_object_get(kind, "const")), "european");
    bool required = false;
    size_t index;
    json_t *value;
    json_array_foreach(json_object_get(european, "required"), index, value) required =
        required || strcmp(json_string_value(value), "strike") == 0;
    assert_true(required);
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(definitions, "payoff"), "oneOf")),
        LEVY_PAYOFF_COUNT);
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(definitions, "volatility"), "oneOf")),
        4); /* a number, three kinds */
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(definitions, "underlying"), "oneOf")),
        2); /* a name, an object */
    /* what comes first: a word, a list, or a map of one key */
    const json_t *const first = json_object_get(json_object_get(definitions, "first"), "oneOf");
    assert_int_equal(json_array_size(first), 3);
    for (size_t i = 0; i < 2; ++i)
        assert_int_equal(json_integer_value(json_object_get(json_array_get(first, 2),
                                                            i ? "maxProperties" : "minProperties")),
                         1);
    const json_t *gamma =
        json_object_get(json_object_get(definitions, "model.variance_gamma"), "properties");
    /* a number, a list of them */
    const json_t *sigma = json_object_get(json_object_get(gamma, "sigma"), "anyOf");
    assert_int_equal(json_array_size(sigma), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(sigma, 0), "type")),
                        "number");
    assert_true(json_number_value(json_object_get(json_array_get(sigma, 0), "exclusiveMinimum")) ==
                0.0);
    assert_string_equal(json_string_value(json_object_get(json_array_get(sigma, 1), "type")),
                        "array");
    json_decref(schema);
}

static void test_json_schema_defines_every_table_and_kind(void **state)
{
    (void)state;
    json_t *schema = schema_load();
    const json_t *definitions = json_object_get(schema, "definitions");
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        if (strcmp(*topic, "book") != 0 && strcmp(*topic, "kind") != 0) /* a file of its own */
            assert_non_null(json_object_get(definitions, *topic));
    json_decref(schema);
}

static void test_a_sink_may_stop_the_writers(void **state)
{
    (void)state;
    grown_text text = {.stop_at = 100};
    assert_int_equal(schema_write(&text), LEVY_IO);
    assert_true(text.length <= 100);
    text.length = 0;
    assert_int_equal(schema_describe_to(&text, "trade"), LEVY_IO);
    free(text.bytes);
}

/* ---- Describe ---- */

static char *schema_describe(const char *topic)
{
    grown_text text = {0};
    assert_int_equal(schema_describe_to(&text, topic), LEVY_OK);
    assert_non_null(text.bytes);
    return text.bytes;
}

static void test_describe_lists_the_topics(void **state)
{
    (void)state;
    char *text = schema_describe(NULL);
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        assert_non_null(strstr(text, *topic));
    free(text);
    assert_int_equal(schema_describe_to(NULL, "nonsense"), LEVY_ARGUMENT);
}

/* Every key of every topic is there, no line is too long, no blank trails. */
static void test_describe_shows_every_key(void **state)
{
    (void)state;
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic) {
        char *text = schema_describe(*topic);
        const levy_table *table = levy_catalog_find(*topic);
        assert_non_null(table);
        for (const levy_field *field = table->fields; field && field->name; ++field)
            assert_non_null(strstr(text, field->name));
        for (const levy_variant *variant = table->variants; variant && variant->kind; ++variant)
            assert_non_null(strstr(text, variant->kind));
        for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
            const size_t n = strcspn(line, "\n");
            assert_true(n <= 110);
            assert_true(n == 0 || line[n - 1] != ' ');
        }
        free(text);
    }
}

/* Keys are topics by their path and by their name alone, and every topic has an example. */
static void test_describe_finds_every_key(void **state)
{
    (void)state;
    static const char *const names[][2] = {
        {"payoff.asian.averaging", "payoff.asian.averaging\n"},
        {"payoff.asian.averaging.observations", "Example: {count: 12}"},
        {"rebate", "payoff.barrier.rebate\n"},
        {"fixings", "Example: fixings: [[2026-10-20, 101.5], [2026-11-20, 99.0]]"},
        {"barrier", "payoff barrier\n"},
        {"window", "Example: {start: 0.25, end: 1.0}"},
        {"measures", "Elsewhere: trade.measures"},
        {"quotes", "--set STOCK.spot=101"},
        {"european", "payoff european\n"},
        {"merton", "model merton\n"},
        {"vol", "asset.volatility\n"},
        {"trades[12].payoff.averaging.method", "Example: method: arithmetic"},
        {"market.assets.SPX.spot", "Example: spot: 100"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        char *text = schema_describe(names[i][0]);
        if (!strstr(text, names[i][1])) fail_msg("%s: %s", names[i][0], text);
        free(text);
    }
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic) {
        const levy_table *const table = levy_catalog_find(*topic);
        for (const levy_field *field = table->fields; field && field->name; ++field) {
            char path[128];
            snprintf(path, sizeof path, "%s.%s", *topic, field->name);
            char *text = schema_describe(path);
            assert_non_null(strstr(text, "Example: "));
            free(text);
        }
    }
    assert_int_equal(schema_describe_to(NULL, "payoff.asian.nonsense"), LEVY_ARGUMENT);
    assert_int_equal(schema_describe_to(NULL, "regime.rebate"), LEVY_ARGUMENT);
}

static void test_describe_aligns_its_columns(void **state)
{
    (void)state;
    char *text = schema_describe("premium");
    assert_string_equal(
        text,
        "premium\n"
        "  A premium: an amount that the holder of the trade pays on a date, discounted on the "
        "trade's discount curve,\n"
        "  or on that of its own currency. It is a leg of the trade.\n"
        "\n"
        "  Example: {amount: 5.25, date: 0.01}\n"
        "\n"
        "  key       type          unit      range          default   meaning\n"
        "  amount    number        currency  [-1e15, 1e15]  required  What the holder pays in all, "
        "whatever quantity\n"
        "                                                             and notional are: of a long "
        "position it is\n"
        "                                                             subtracted, of a short one "
        "added. Less than 0:\n"
        "                                                             the holder is paid.\n"
        "  date      date | years  years                    required  When it is paid. Before the "
        "valuation it has been\n"
        "                                                             paid and is worth nothing "
        "now; on that day it is\n"
        "                                                             due.\n"
        "  currency  name                                             Its currency. The default is "
        "the trade's.\n");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_map_is_summed_up_in_a_line),
        cmocka_unit_test(test_scalars_are_read_by_type),
        cmocka_unit_test(test_yaml_guesses_nothing),
        cmocka_unit_test(test_times_are_dates_or_years),
        cmocka_unit_test(test_choices_have_aliases),
        cmocka_unit_test(test_absent_values_and_defaults),
        cmocka_unit_test(test_absent_object_takes_defaults_only),
        cmocka_unit_test(test_refused_value_falls_back),
        cmocka_unit_test(test_objects_and_shorthand),
        cmocka_unit_test(test_list_shorthand),
        cmocka_unit_test(test_two_shorthands),
        cmocka_unit_test(test_variants_by_kind),
        cmocka_unit_test(test_maps_name_their_items),
        cmocka_unit_test(test_matrix_and_time_values),
        cmocka_unit_test(test_unknown_keys_name_the_nearest),
        cmocka_unit_test(test_missing_keys_stand_at_their_object),
        cmocka_unit_test(test_kinds_are_checked),
        cmocka_unit_test(test_numbers_come_with_advice),
        cmocka_unit_test(test_ranges_name_the_bound),
        cmocka_unit_test(test_counts_come_with_advice),
        cmocka_unit_test(test_words_are_checked),
        cmocka_unit_test(test_names_have_a_longest_length),
        cmocka_unit_test(test_dates_come_with_advice),
        cmocka_unit_test(test_shapes_are_checked),
        cmocka_unit_test(test_a_number_is_a_list_of_one),
        cmocka_unit_test(test_long_values_are_cut_in_messages),
        cmocka_unit_test(test_all_faults_are_found_at_once),
        cmocka_unit_test(test_flood_of_unknown_keys_is_counted),
        cmocka_unit_test(test_hand_written_readers_have_the_same_words),
        cmocka_unit_test(test_path_of_the_caller_comes_first),
        cmocka_unit_test(test_catalog_tables_are_complete),
        cmocka_unit_test(test_catalog_defaults_are_valid),
        cmocka_unit_test(test_book_is_read_whole),
        cmocka_unit_test(test_every_allocation_may_fail),
        cmocka_unit_test(test_json_schema_is_draft_07_and_closed),
        cmocka_unit_test(test_json_schema_says_what_the_tables_say),
        cmocka_unit_test(test_json_schema_defines_every_table_and_kind),
        cmocka_unit_test(test_a_sink_may_stop_the_writers),
        cmocka_unit_test(test_describe_lists_the_topics),
        cmocka_unit_test(test_describe_shows_every_key),
        cmocka_unit_test(test_describe_aligns_its_columns),
        cmocka_unit_test(test_describe_finds_every_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
