/* field.h: the description of a YAML object. One constant table per object lists its keys: type,
 * range, default, meaning, and the member of a C struct that takes the value. The same table drives
 * the reader, the JSON Schema, `levy describe` and the documentation. This header holds data types
 * only; engine/schema/ holds the code. */
#ifndef LEVY_BASE_FIELD_H
#define LEVY_BASE_FIELD_H

#include "engine/base/date.h"

#include <stddef.h>
#include <stdint.h>

struct levy_node; /* engine/document/document.h */

/* A point in time as the file gives it: an ISO date or a number of years from the valuation. */
typedef struct levy_time {
    const struct levy_node *node; /* NULL: absent */
    bool is_date;
    levy_date date; /* when is_date */
    double years;   /* otherwise */
} levy_time;
/* The limit of times, and how its refusal reads. */
enum { LEVY_LONGEST_YEARS = 200 };
#define LEVY_TOO_LONG "is more than 200 years from the valuation"
#define LEVY_TOO_LONG_HINT                                                                         \
    "Times are in years from the valuation, not in days. Write dates as YYYY-MM-DD."

/* `count` structs of `size` bytes, one after the other. */
typedef struct levy_list {
    const struct levy_node *node; /* NULL: absent */
    void *items;
    size_t count;
} levy_list;

typedef struct levy_matrix {
    const struct levy_node *node;
    double *values; /* [row][column] */
    size_t rows, columns;
} levy_matrix;

typedef struct levy_time_value {
    levy_time time;
    double value;
    const struct levy_node *node;
} levy_time_value;

enum { LEVY_TERM_MOST = 128 }; /* nodes */

/* A number, or one for each term: each holds until its time, the last one beyond. */
typedef struct levy_term {
    const struct levy_node *node; /* NULL: absent */
    double value;                 /* as read, if it is one number */
    levy_list nodes;              /* of levy_time_value, as read; no items: it is one number */
    /* once its times are known, by the room that knows the key: n numbers; NULL times: one, for
     * all times */
    size_t n;
    const double *times; /* in years, ascending */
    double *values;
} levy_term;

static inline double levy_term_at(const levy_term *term, double time)
{
    size_t k = 0;
    while (k + 1 < term->n && time > term->times[k]) ++k;
    return term->values[k];
}

/* An object whose keys depend on its `kind`. `kind` indexes the table's variants, `value` is the
 * variant's struct. */
typedef struct levy_variant_value {
    const struct levy_node *node; /* NULL: absent */
    int kind;                     /* -1: absent or unknown */
    void *value;
    const struct levy_table *table; /* of the kind; NULL: absent or unknown */
} levy_variant_value;

typedef enum levy_field_type {
    /* Each line gives the C type, then after the last semicolon the value that the member has when
     * the key is absent or refused and has no fallback. */
    LEVY_FIELD_TEXT, /* const char *, owned by the document; NULL */
    /* const char *: ASCII letters, digits and . _ - (not first: . -), 1..128 bytes; NULL */
    LEVY_FIELD_NAME,
    LEVY_FIELD_NUMBER, /* double; NaN */
    LEVY_FIELD_COUNT,  /* uint64_t, decimal or 2^k; 0 */
    LEVY_FIELD_FLAG,   /* bool: true | false only; false */
    LEVY_FIELD_CHOICE, /* int32_t: index into choices; -1 */
    LEVY_FIELD_TIME,   /* levy_time; node NULL */
    LEVY_FIELD_DATE,   /* levy_date; INT32_MIN */
    LEVY_FIELD_TENOR,  /* levy_tenor; unit 0 */
    /* the sub-table's struct, embedded, of which only the fields are written; its defaults */
    LEVY_FIELD_OBJECT,
    LEVY_FIELD_VARIANT, /* levy_variant_value; the table has variants; kind -1 */
    LEVY_FIELD_LIST,    /* levy_list of `element`. A number by itself is a list of one number, and
                           `node` is that scalar. Here and in the next three: node NULL, count 0. */
    LEVY_FIELD_MAP, /* levy_list of the sub-table's structs, each with its key at name_offset; with
                       variants, of levy_variant_value, named by node->key. A key is written as a
                       LEVY_FIELD_NAME. */
    LEVY_FIELD_MATRIX,      /* levy_matrix: a list of lists of numbers, rows of equal length */
    LEVY_FIELD_TIME_VALUES, /* levy_list of levy_time_value: [[time, number], ...] */
    /* levy_term: a number or {kind: term, nodes: [[time, number], ...]}, whose range is the
       field's; as an element of a list it stands by itself as a number does. node NULL, NaN. */
    LEVY_FIELD_TERM,
    /* const struct levy_node *, of any shape; other code reads it later; NULL */
    LEVY_FIELD_NODE
} levy_field_type;

enum {
    LEVY_REQUIRED = 1u << 0,
    LEVY_LOW_OPEN = 1u << 1,  /* value > low, else >= */
    LEVY_HIGH_OPEN = 1u << 2, /* value < high, else <= */
    LEVY_RANGED = 1u << 3,    /* low and high apply */
    LEVY_NON_EMPTY = 1u << 4, /* a list or map with at least one item */
    /* low and high hold, but the room that knows the key checks them, in its own words: the reader
       does not, and the JSON Schema says them */
    LEVY_TOLD = 1u << 5,
    LEVY_UNIQUE = 1u << 6 /* a list without equal items: likewise said by the JSON Schema alone */
};

/* A date, as far as a pattern can say: also a 30th of February. */
#define LEVY_DATE_PATTERN "^(19|20|21)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"
/* A time, within the JSON Schema of a NODE. */
#define LEVY_TIME_JSON                                                                             \
    "{\"anyOf\": [{\"type\": \"string\", \"pattern\": \"" LEVY_DATE_PATTERN                        \
    "\"}, {\"type\": \"number\", \"minimum\": -200, \"maximum\": 200}]}"

typedef struct levy_table levy_table;

/* Another word for a kind, and the map to write for it: {"put", "{kind: european, ...}"}. It is
 * refused, with that map. */
typedef struct levy_synonym {
    const char *word, *map;
} levy_synonym;

typedef struct levy_field {
    const char *name;
    const char *former; /* an older name that is still accepted; NULL: none */
    const char *unless; /* with LEVY_REQUIRED: the key that may be given in its place; NULL: none */
    /* Other names of the key, separated by blanks, that are read as it is
     * (engine/schema/respell.h). `~name`: a former one, whatever else the map has. Others are those
     * of term sheets: `^name`: the square of the value is given. `%name`: only a share, 95%, is it.
     * `@name`: a level that counts on the date of exercise alone, which is said beside it as
     * `knock_in: {count: 1}`. `+name`: a list of amounts, of which each is the first times its
     * number, for as many observations. `name=value:own`: with that value it is the key with its
     * own. NULL: none */
    const char *spelled;
    /* other words for the key, separated by blanks: refused, with this key named; NULL: none */
    const char *also;
    levy_field_type type;
    unsigned flags;
    size_t offset;
    /* with LEVY_RANGED or LEVY_TOLD: bounds of a number, a count, a year fraction */
    double low, high;
    /* NAME, also as an element: what the room that knows the key asks of it, for the JSON Schema;
     * NULL: nothing more than of any name */
    const char *pattern;
    /* NODE: the members of its JSON Schema; NULL: anything */
    const char *json;
    const char *fallback; /* default, as YAML text; NULL: none. Applied by the reader. */
    /* CHOICE: NULL-terminated, index = value. "a=b" makes a an alias written for b:
     * ["act/365=ACT/365.FIXED"] */
    const char *const *choices;
    /* CHOICE: for a value that is none of them; NULL: it lists the choices. NAME: for what is no
     * scalar. */
    const char *hint;
    /* CHOICE, also as an element: other words for values, and what to write for them: refused, with
     * that. Ends with word NULL; NULL: none */
    const levy_synonym *words;
    /* a value as YAML text that the reader takes, where neither the table's example nor the default
     * has one; NULL: none */
    const char *example;
    /* "monitoring: continuous": beside that pair the key has no meaning, and hints leave it out;
     * NULL: always has one */
    const char *idle;
    const levy_table *table; /* OBJECT, VARIANT, MAP, LIST of objects or variants */
    /* LIST: a scalar type, OBJECT or VARIANT; range and choices hold for each item */
    levy_field_type element;
    const char *unit; /* "years", "1/year", "currency", ... or NULL */
    const char *doc;  /* one sentence */
} levy_field;

/* The C type of a member that takes a key of a type, and 1 for a member of that type: another does
 * not compile. */
#define LEVY_TAKES_TEXT(member) _Generic(member, const char * : 1)
#define LEVY_TAKES_NAME(member) _Generic(member, const char * : 1)
#define LEVY_TAKES_NUMBER(member) _Generic(member, double : 1)
#define LEVY_TAKES_COUNT(member) _Generic(member, uint64_t : 1)
#define LEVY_TAKES_FLAG(member) _Generic(member, bool : 1)
#define LEVY_TAKES_CHOICE(member) _Generic(member, int32_t : 1)
#define LEVY_TAKES_TIME(member) _Generic(member, levy_time : 1)
#define LEVY_TAKES_DATE(member) _Generic(member, levy_date : 1)
#define LEVY_TAKES_TENOR(member) _Generic(member, levy_tenor : 1)
#define LEVY_TAKES_OBJECT(member) 1
#define LEVY_TAKES_VARIANT(member) _Generic(member, levy_variant_value : 1)
#define LEVY_TAKES_LIST(member) _Generic(member, levy_list : 1)
#define LEVY_TAKES_MAP(member) _Generic(member, levy_list : 1)
#define LEVY_TAKES_MATRIX(member) _Generic(member, levy_matrix : 1)
#define LEVY_TAKES_TIME_VALUES(member) _Generic(member, levy_list : 1)
#define LEVY_TAKES_TERM(member) _Generic(member, levy_term : 1)
#define LEVY_TAKES_NODE(member) _Generic(member, const struct levy_node * : 1)

/* Whether it is a list of numbers, of which one may stand by itself. */
static inline bool levy_field_has_numbers(const levy_field *field)
{
    return field->type == LEVY_FIELD_LIST &&
           (field->element == LEVY_FIELD_NUMBER || field->element == LEVY_FIELD_TERM);
}

/* What most fields begin with: a key of a type, such as NUMBER, for a member of the struct `of`. */
#define LEVY_KEY(key, kind, of, member)                                                            \
    .name = (key), .type = LEVY_FIELD_##kind,                                                      \
    .offset = offsetof(of, member) * LEVY_TAKES_##kind(((of *)0)->member)
/* Bounds that the reader checks; `more`: the other flags, such as LEVY_LOW_OPEN. */
#define LEVY_WITHIN(least, most, more) .flags = LEVY_RANGED | (more), .low = (least), .high = (most)

typedef struct levy_variant {
    const char *kind;
    const levy_table *table;
} levy_variant;

struct levy_table {
    /* what messages and describe call it: "trade", "payoff european" */
    const char *name;
    const char *doc;          /* a paragraph; may name the paper */
    size_t size;              /* of the struct filled */
    const levy_field *fields; /* ends with name == NULL */
    /* ends with kind == NULL; if set, the object's `kind` key chooses one; NULL: none */
    const levy_variant *variants;
    /* A bare scalar or list stands for {kind: <shorthand>, <shorthand_key>: it}, without variants
     * for {<shorthand_key>: it}. NULL: none. */
    const char *shorthand;
    const char *shorthand_key;
    /* Without variants, the key that a bare list stands for where a bare scalar stands for another.
     * NULL: none. */
    const char *shorthand_list;
    size_t name_offset; /* MAP items: where the key goes (const char *) */
    size_t node_offset; /* where the object's own node goes (const struct levy_node *) */
    bool has_name, has_node;
    bool takes_one_key; /* a map has exactly one of the keys; the JSON Schema says so */
    /* keys, separated by blanks, of which a map has exactly one, or at least one: the JSON Schema
     * says so, another room checks it; NULL: none */
    const char *one_of, *any_of;
    /* A map in braces that the reader takes: messages, `levy describe` and `levy new` show it.
     * NULL: none. */
    const char *example;
    unsigned example_assets; /* of a payoff: on how many assets its example is; 0: on one */
    /* its keys, separated by blanks, for one of which a bare value was meant in place of the map;
     * NULL: none */
    const char *bare;
    /* Other names of variants that are read as they are, and what each means: "touch", or "touch,
     * pays: if_touched", or of a script "script, PARAMETER: TEXT". Ends with word NULL; NULL: none.
     */
    const levy_synonym *spelled;
    /* kinds that are on the worst of their underlyings: `basket: worst` says so again; NULL: none
     */
    const char *on_worst;
    /* Words for the variant with this table; without variants, words that stand where the map
     * should. Ends with word NULL. */
    const levy_synonym *synonyms;
    /* For keys A/B: the key that takes a list of pairs, and an item of it, in which $1, $2 and $3
     * stand for A, B and the value; NULL: none */
    const char *pair_key, *pair_item;
    /* For keys that people write and no table has: what to do, in which $ is the value as written
     * and $(KEY), if the map has that key, its value, else KEY in capitals. Ends with word NULL;
     * NULL: none. Those of a table with variants hold for each of its own. */
    const levy_synonym *strangers;
};

/* A table of the struct `of`, whose member `node` takes the object's own node. */
#define LEVY_FILLS(of) .size = sizeof(of), .node_offset = offsetof(of, node), .has_node = true

/* Kinds of a table that files define beside its own. Their values have the number `as`, and the
 * value's table tells them apart. */
typedef struct levy_more_kinds {
    const levy_table *of;
    int as;
    /* ends with kind == NULL; table NULL: its definition was refused. NULL: there are none. */
    const levy_variant *variants;
} levy_more_kinds;

#endif
