/* kind_table.c: a kind that a file defines becomes a table of keys with a script, as the kinds are
 * that levy ships (payoffs/written.h), and is tried on its example. See file_kinds.h. */
#include "engine/problem/file_kinds.h"
#include "engine/problem/script_place.h"

#include "engine/base/text.h"
#include "engine/schema/kind_file.h"
#include "payoffs/defined.h"
#include "payoffs/scripted.h"
#include "payoffs/written.h"

#include <string.h>

typedef struct kind_build {
    levy_check *check;
    const levy_raw_kind *raw;
    levy_field *fields;
    size_t n, size; /* fields so far; of the struct that they fill */
} kind_build;

enum {
    KIND_MOST_EXAMPLE = 2000, /* `levy new` has room for so many bytes beside the book */
    KIND_MOST_PARAMETERS = 256
};

/* ---- Texts ---- */

/* Checks that a text suits tables and terminals: it is one line and has no hidden characters. */
static const char *kind_line(kind_build *b, const char *text)
{
    const size_t length = strlen(text);
    char *const copy = levy_check_allocate(b->check, length + 1, 1);
    if (!copy) return "";
    size_t n = 0;
    for (const char *c = text; *c; ++c) {
        const bool blank = *c == '\n' || *c == ' ';
        if (!blank || (n > 0 && copy[n - 1] != ' ')) copy[n++] = blank ? ' ' : *c;
    }
    while (n > 0 && copy[n - 1] == ' ') --n;
    const size_t whole = levy_text_escape(copy, n, NULL, 0) + 1;
    char *const line = levy_check_allocate(b->check, whole, 1);
    if (!line) return "";
    (void)levy_text_escape(copy, n, line, whole);
    return line;
}

/* Counts the text's length only, if `to` is NULL. */
typedef struct kind_text {
    char *to;
    size_t length;
} kind_text;

static void kind_put(kind_text *text, const char *piece)
{
    const size_t length = strlen(piece);
    if (text->to) memcpy(text->to + text->length, piece, length);
    text->length += length;
}

static void kind_put_node(kind_build *b, kind_text *text, const levy_node *node)
{
    const bool map = node->kind == LEVY_NODE_MAP;
    if (node->kind == LEVY_NODE_SCALAR) {
        const char *const quote = node->quoted ? "\"" : "";
        kind_put(text, quote);
        kind_put(text, kind_line(b, node->text));
        kind_put(text, quote);
        return;
    }
    kind_put(text, map ? "{" : "[");
    for (const levy_node *child = node->children; child; child = child->next) {
        if (child != node->children) kind_put(text, ", ");
        if (map) kind_put(text, child->key->text);
        if (map) kind_put(text, ": ");
        kind_put_node(b, text, child);
    }
    kind_put(text, map ? "}" : "]");
}

/* A node as YAML's flow style has it. */
static const char *kind_flow(kind_build *b, const levy_node *node)
{
    kind_text text = {NULL, 0};
    kind_put_node(b, &text, node);
    char *const to = levy_check_allocate(b->check, text.length + 1, 1);
    if (!to) return "";
    text = (kind_text){to, 0};
    kind_put_node(b, &text, node);
    to[text.length] = '\0';
    return to;
}

/* ---- Fields ---- */

static bool kind_name_fits(kind_build *b, const levy_node *node, const char *path, const char *name)
{
    static const char *const taken[] = {"kind",  "expiry", "initial_fixing",
                                        "state", "unpaid", NULL};
    const char *why = levy_script_refuses_name(name);
    for (size_t i = 0; taken[i]; ++i)
        if (strcmp(taken[i], name) == 0) why = "is a key of every kind, or of the trade";
    for (size_t i = 0; i < b->n; ++i)
        if (strcmp(b->fields[i].name, name) == 0) why = "is a schedule and a parameter";
    return !why || LEVY_REFUSE(b->check, UNKNOWN_NAME, node->key ? node->key : node, path,
                               "Choose another name.", "'%s' %s", name, why);
}

static bool kind_schedule(kind_build *b, const levy_raw_kind_schedule *from)
{
    const char *const path = levy_check_text(b->check, "schedules.%s", from->name);
    if (!kind_name_fits(b, from->node, path, from->name)) return false;
    levy_field *const field = &b->fields[b->n++];
    *field = (levy_field){.name = from->name,
                          .type = LEVY_FIELD_OBJECT,
                          .flags = from->optional ? 0 : LEVY_REQUIRED,
                          .table = &levy_schedule_table,
                          .doc = kind_line(b, from->description)};
    levy_defined_place(field, &b->size);
    return true;
}

static bool kind_range(kind_build *b, const levy_raw_parameter *p, const char *path,
                       levy_field *field)
{
    const double *const range = p->range.items;
    const bool words = p->type == LEVY_RAW_PARAMETER_FLAG || p->type == LEVY_RAW_PARAMETER_CHOICE;
    path = levy_check_text(b->check, "%s.range", path);
    if (p->range.node && words)
        return LEVY_REFUSE(b->check, INCONSISTENT, p->range.node, path, "Remove it.",
                           "a flag or a choice has no range");
    if (words) return true;
    field->flags |= LEVY_RANGED;
    field->low = p->type == LEVY_RAW_PARAMETER_COUNT ? 0.0 : -1e15;
    field->high = p->type == LEVY_RAW_PARAMETER_COUNT ? 1e6 : 1e15;
    if (!p->range.node) return true;
    if (p->range.count != 2 || range[0] > range[1])
        return LEVY_REFUSE(b->check, INCONSISTENT, p->range.node, path, "Write range: [0, 1].",
                           "a range is [lowest, highest]");
    const bool counts = p->type == LEVY_RAW_PARAMETER_COUNT;
    if (range[0] < field->low || range[1] > field->high)
        return LEVY_REFUSE(b->check, RANGE, p->range.node, path,
                           counts ? "A count is from 0 to 1e6." : "Numbers are from -1e15 to 1e15.",
                           "the range is too wide");
    field->low = range[0];
    field->high = range[1];
    return true;
}

static bool kind_choices(kind_build *b, const levy_raw_parameter *p, const char *path,
                         levy_field *field)
{
    const bool wanted = p->type == LEVY_RAW_PARAMETER_CHOICE;
    if (wanted && !p->choices.node)
        return LEVY_REFUSE(b->check, MISSING_KEY, p->node, path, "Write choices: [cash, shares].",
                           "a choice needs its words");
    path = levy_check_text(b->check, "%s.choices", path);
    if (!wanted && p->choices.node)
        return LEVY_REFUSE(b->check, INCONSISTENT, p->choices.node, path,
                           "Write type: choice, or remove it.", "only a choice has words");
    if (!wanted) return true;
    if (p->choices.count > KIND_MOST_PARAMETERS)
        return LEVY_REFUSE(b->check, LIMIT, p->choices.node, path, "Use a number instead.",
                           "a choice has at most %d words", KIND_MOST_PARAMETERS);
    const char **const words = levy_check_allocate(b->check, p->choices.count + 1, sizeof *words);
    if (!words) return false;
    memcpy(words, p->choices.items, p->choices.count * sizeof *words);
    const levy_node *node = p->choices.node->children;
    for (size_t i = 0; i < p->choices.count; ++i, node = node->next)
        for (size_t j = 0; j < i; ++j)
            if (strcmp(words[i], words[j]) == 0)
                return LEVY_REFUSE(b->check, DUPLICATE_KEY, node, path, "Name each word once.",
                                   "'%s' occurs twice", words[i]);
    field->choices = words;
    return true;
}

/* Reads the default as if a trade had written it. */
static bool kind_default(kind_build *b, const levy_raw_parameter *p, levy_field *field)
{
    const levy_node *const node = p->fallback;
    if (!node) return field->flags |= LEVY_REQUIRED, true;
    levy_field alone[2] = {*field, {0}};
    const levy_table table = {.name = "default", .size = b->size, .fields = alone};
    const levy_node key = {
        .place = node->place, .text = p->name, .length = (uint32_t)strlen(p->name)};
    levy_node value = *node;
    value.key = &key;
    value.next = NULL;
    const levy_node map = {
        .place = node->place, .kind = LEVY_NODE_MAP, .text = "", .children = &value, .count = 1};
    const levy_reader reader = levy_build_reader(b->check);
    void *const object = levy_check_allocate(b->check, 1, b->size);
    if (!object || !levy_read_object(&reader, &table, &map, "parameters", object)) return false;
    field->fallback = field->type == LEVY_FIELD_CHOICE ? node->text : kind_flow(b, node);
    return true;
}

static bool kind_parameter(kind_build *b, const levy_raw_parameter *p)
{
    static const levy_field_type types[] = {LEVY_FIELD_NUMBER, LEVY_FIELD_COUNT, LEVY_FIELD_FLAG,
                                            LEVY_FIELD_CHOICE, LEVY_FIELD_LIST,  LEVY_FIELD_LIST};
    const char *const path = levy_check_text(b->check, "parameters.%s", p->name);
    const bool list = types[p->type] == LEVY_FIELD_LIST;
    if (!kind_name_fits(b, p->node, path, p->name)) return false;
    levy_field field = {.name = p->name,
                        .type = types[p->type],
                        .element = list ? LEVY_FIELD_NUMBER : LEVY_FIELD_TEXT,
                        .flags = list ? LEVY_NON_EMPTY : 0,
                        .unit = p->unit ? kind_line(b, p->unit) : NULL,
                        .doc = kind_line(b, p->description)};
    if (p->type == LEVY_RAW_PARAMETER_LIST_BY_DATE)
        field.doc = levy_check_text(b->check, "%s One number, or one for each date.", field.doc);
    if (!kind_range(b, p, path, &field) || !kind_choices(b, p, path, &field)) return false;
    levy_defined_place(&field, &b->size);
    if (!kind_default(b, p, &field)) return false;
    b->fields[b->n++] = field;
    return true;
}

static bool kind_fields(kind_build *b)
{
    const levy_raw_kind *const raw = b->raw;
    const levy_raw_kind_schedule *const schedules = raw->schedules.items;
    const levy_raw_parameter *const parameters = raw->parameters.items;
    const levy_field common[] = {LEVY_LEVELS_FIELD(levy_strike_types[raw->levels]),
                                 LEVY_INITIAL_FIXING_FIELD, LEVY_STATE_FIELDS};
    const size_t n_common = sizeof common / sizeof *common;
    bool good = true;
    b->fields = levy_check_allocate(
        b->check, raw->schedules.count + raw->parameters.count + n_common + 1, sizeof *b->fields);
    if (!b->fields) return false;
    if (raw->schedules.count > LEVY_PAYOFF_SCHEDULES - 1)
        return LEVY_REFUSE(b->check, LIMIT, raw->schedules.node, "schedules",
                           "Use lists with a number for each date instead.",
                           "a kind has at most %d schedules beside expiry",
                           LEVY_PAYOFF_SCHEDULES - 1);
    if (raw->parameters.count > KIND_MOST_PARAMETERS)
        return LEVY_REFUSE(b->check, LIMIT, raw->parameters.node, "parameters",
                           "Use lists instead.", "a kind has at most %d parameters",
                           KIND_MOST_PARAMETERS);
    for (size_t i = 0; i < raw->schedules.count; ++i) good &= kind_schedule(b, &schedules[i]);
    for (size_t i = 0; i < raw->parameters.count; ++i) good &= kind_parameter(b, &parameters[i]);
    for (size_t i = 0; i < n_common; ++i) b->fields[b->n++] = common[i];
    return good;
}

/* ---- The example ---- */

static bool kind_compile(kind_build *b, const levy_defined_kind *kind, levy_script_source *source)
{
    const char *names[LEVY_SCRIPT_BLOCKS];
    levy_script script;
    levy_script_fault fault;
    size_t n = 0;
    for (; n < source->n_schedules; ++n) names[n] = source->schedules[n].name;
    names[n++] = "expiry";
    const levy_script_frame frame = {.text = kind->text,
                                     .length = strlen(kind->text),
                                     .parameters = source->parameters,
                                     .n_parameters = source->n_parameters,
                                     .schedules = names,
                                     .n_schedules = n,
                                     .n_assets = (uint32_t)b->raw->example_assets,
                                     .expiry = 1.0};
    if (levy_script_compile(&frame, b->check->arena, &script, &fault)) return true;
    if (fault.out_of_memory) return b->check->out_of_memory = true, false;
    return levy_script_refuse_all(b->check, kind->script, "script", &fault);
}

static void kind_warn_unused(kind_build *b, const levy_script_source *source)
{
    const levy_raw_parameter *const all = b->raw->parameters.items;
    for (size_t k = 0; k < source->n_parameters; ++k)
        for (size_t i = 0; !source->parameters[k].used && i < b->raw->parameters.count; ++i)
            if (strcmp(all[i].name, source->parameters[k].name) == 0)
                LEVY_WARN(b->check, INCONSISTENT, all[i].node->key,
                          levy_check_text(b->check, "parameters.%s", all[i].name),
                          "Remove it, or check its name in the script.",
                          "the script does not read it");
}

/* Reads the example by the kind's own table and compiles the script for it. */
static bool kind_try(kind_build *b, const levy_defined_kind *kind)
{
    const levy_reader reader = levy_build_reader(b->check);
    levy_payoff_terms *const terms = levy_check_allocate(b->check, 1, kind->table.size);
    levy_script_source source = {0};
    if (!terms || !levy_read_object(&reader, &kind->table, b->raw->example, "example", terms))
        return false;
    const levy_payoff_frame frame = {.check = b->check,
                                     .terms = terms,
                                     .kind = levy_payoffs[levy_payoff_of_script()],
                                     .table = &kind->table,
                                     .path = "example",
                                     .node = b->raw->example,
                                     .n_underlyings = b->raw->example_assets};
    if (!levy_defined_source(&frame, &source) || !kind_compile(b, kind, &source)) return false;
    kind_warn_unused(b, &source);
    return true;
}

static bool kind_example(kind_build *b, const char **text)
{
    const levy_node *const node = b->raw->example;
    if (node->kind != LEVY_NODE_MAP)
        return LEVY_REFUSE(b->check, TYPE, node, "example", "Write example: {coupon: 0.02}.",
                           "must be a map of the kind's keys; got %s", levy_check_shown(node));
    const char *const keys = kind_flow(b, node);
    if (strlen(keys) > KIND_MOST_EXAMPLE)
        return LEVY_REFUSE(b->check, LIMIT, node, "example", "Shorten it.",
                           "an example has at most %d characters", KIND_MOST_EXAMPLE);
    *text =
        levy_check_text(b->check, "{kind: %s%s%s", b->raw->kind, node->count ? ", " : "", keys + 1);
    return true;
}

levy_table *levy_kind_make(levy_check *check, const levy_raw_kind *raw)
{
    levy_defined_kind *const kind = levy_check_allocate(check, 1, sizeof *kind);
    kind_build b = {.check = check, .raw = raw, .size = sizeof(levy_payoff_terms)};
    const char *example = NULL;
    if (!kind) return NULL;
    b.size = (b.size + 15) / 16 * 16;
    if (!kind_fields(&b) || !kind_example(&b, &example)) return NULL;
    *kind = (levy_defined_kind){.table = {.name = levy_check_text(check, "payoff %s", raw->kind),
                                          .doc = kind_line(&b, raw->description),
                                          .size = b.size,
                                          .fields = b.fields,
                                          .example = example,
                                          .example_assets = (unsigned)raw->example_assets,
                                          .node_offset = offsetof(levy_payoff_terms, node),
                                          .has_node = true},
                                .name = raw->kind,
                                .text = raw->script,
                                .node = raw->node,
                                .script = levy_node_find(raw->node, "script")};
    return kind_try(&b, kind) ? &kind->table : NULL;
}
