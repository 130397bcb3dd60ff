/* column_names.c: which names of columns there are, and which of them a list names; see columns.h.
 */
#include "engine/report/column_names.h"

#include "engine/base/error.h"
#include "engine/schema/schema.h"

#include <stdio.h>
#include <string.h>

const char levy_column_all[] = "all";

/* The columns that all results have, in their order. */
const char *const levy_column_names[] = {"id",
                                         "status",
                                         "price",
                                         "std_error",
                                         "ci_low",
                                         "ci_high",
                                         "confidence",
                                         "interval",
                                         "currency",
                                         "unit_price",
                                         "measure",
                                         "factor",
                                         "value",
                                         "value_std_error",
                                         "flagged",
                                         "note",
                                         "payoff",
                                         "model",
                                         "maturity",
                                         "paths",
                                         "replicates",
                                         "dimensions",
                                         "padding",
                                         "generator",
                                         "construction",
                                         "seed",
                                         "precision",
                                         "reproducibility",
                                         "backend",
                                         "device",
                                         "group",
                                         "plan_hash",
                                         "seconds",
                                         "floor_probability",
                                         "tolerance",
                                         "tolerance_width",
                                         "tolerance_met",
                                         "reason",
                                         "message",
                                         "first",
                                         "pipeline",
                                         "underlying",
                                         "book",
                                         "counterparty",
                                         "netting_set",
                                         "leg_of",
                                         "key",
                                         "label",
                                         "trades",
                                         "scenario",
                                         "failed",
                                         "failed_ids",
                                         "translated",
                                         "value_ci_low",
                                         "value_ci_high",
                                         "value_interval",
                                         "step_bias",
                                         "step_bias_se",
                                         NULL};

static const char names_tags[] = "tags.", names_relative[] = "relative_",
                  names_absolute[] = "absolute_";

/* What stands behind a measure and its factor. */
static const struct {
    const char *ending;
    levy_column_source source;
    levy_field_kind kind;
} names_endings[] = {{":std_error", LEVY_COLUMN_ERROR, LEVY_FIELD_IS_NUMBER},
                     {":ci_low", LEVY_COLUMN_LOW, LEVY_FIELD_IS_NUMBER},
                     {":ci_high", LEVY_COLUMN_HIGH, LEVY_FIELD_IS_NUMBER},
                     {":note", LEVY_COLUMN_NOTE, LEVY_FIELD_IS_TEXT}};
enum { NAMES_ENDINGS = sizeof names_endings / sizeof *names_endings };

static bool names_have(const char *const *list, const char *text, size_t length)
{
    for (; *list; ++list)
        if (strlen(*list) == length && memcmp(*list, text, length) == 0) return true;
    return false;
}

/* Whether it is a measure that has columns of its own: not the price, which is a member. */
static bool names_measure(const char *text, size_t length)
{
    for (const levy_measure_words *m = levy_measures + 1; m->name; ++m)
        if (strlen(m->name) == length && memcmp(m->name, text, length) == 0) return true;
    return false;
}

static bool names_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0 && text[strlen(with)] != '\0';
}

/* The field that a column of all results reads. "": it is no field. */
static const char *names_measure_field(const char *name)
{
    static const char with[] = "value_";
    if (strncmp(name, with, sizeof with - 1) == 0) return name + sizeof with - 1;
    const bool own = strcmp(name, "measure") == 0 || strcmp(name, "factor") == 0 ||
                     strcmp(name, "value") == 0 || strcmp(name, "flagged") == 0 ||
                     strcmp(name, "note") == 0 || strncmp(name, "step_bias", 9) == 0;
    return own ? name : "";
}

static void names_field(const char *name, levy_report_column *column)
{
    const levy_report_field *found;
    column->measure = levy_report_find(levy_measure_fields, names_measure_field(name));
    if (!column->measure) {
        column->trade = levy_report_find(levy_trade_fields, name);
        column->netted =
            levy_report_find(levy_netted_fields, strcmp(name, "price") == 0 ? "value" : name);
    }
    found = column->measure ? column->measure : column->trade;
    column->kind = (found ? found : column->netted)->kind;
}

/* Whether the text ends so, with something before it. */
static bool names_ends(const char *text, size_t length, const char *with)
{
    const size_t end = strlen(with);
    return length > end && memcmp(text + length - end, with, end) == 0;
}

/* "delta", "delta:SPX.spot", "delta:SPX.spot:std_error" and the other endings. Texts live in the
 * arena; without one the column is only known to be wide. */
static levy_column_form names_wide(const char *name, levy_arena *arena, levy_report_column *column)
{
    const size_t length = strcspn(name, ":");
    if (!names_measure(name, length)) return LEVY_COLUMN_UNKNOWN;
    const char *const factor = name[length] ? name + length + 1 : NULL;
    size_t kept = factor ? strlen(factor) : 0;
    if (factor && kept == 0) return LEVY_COLUMN_UNKNOWN;
    column->source = LEVY_COLUMN_VALUE;
    column->kind = LEVY_FIELD_IS_NUMBER;
    if (!arena) return LEVY_COLUMN_WIDE;
    size_t k = 0;
    while (k < NAMES_ENDINGS && !names_ends(factor ? factor : "", kept, names_endings[k].ending))
        ++k;
    if (k < NAMES_ENDINGS) {
        column->source = names_endings[k].source;
        column->kind = names_endings[k].kind;
        kept -= strlen(names_endings[k].ending);
    }
    column->text = levy_arena_copy_text(arena, name, length);
    column->factor = factor ? levy_arena_copy_text(arena, factor, kept) : NULL;
    return LEVY_COLUMN_WIDE;
}

levy_column_form levy_column_find(const char *name, levy_arena *arena, levy_report_column *column)
{
    levy_report_column found = {
        .source = LEVY_COLUMN_FIELD, .name = name, .kind = LEVY_FIELD_IS_TEXT};
    levy_column_form form = LEVY_COLUMN_EITHER;
    const bool axis = names_begins(name, names_relative) || names_begins(name, names_absolute);
    if (strcmp(name, "scenario") == 0) {
        found.source = LEVY_COLUMN_SCENARIO;
        form = LEVY_COLUMN_LONG;
    } else if (names_have(levy_column_names, name, strlen(name))) {
        names_field(name, &found);
        form = found.measure ? LEVY_COLUMN_LONG : LEVY_COLUMN_EITHER;
    } else if (names_begins(name, names_tags)) {
        found.source = LEVY_COLUMN_TAG;
        found.text = name + sizeof names_tags - 1;
    } else if (axis) {
        found.source = LEVY_COLUMN_AXIS;
        found.kind = LEVY_FIELD_IS_NUMBER;
        found.relative = name[0] == names_relative[0];
        found.factor = name + sizeof names_relative - 1; /* both are as long */
        form = LEVY_COLUMN_LONG;
    } else {
        form = names_wide(name, arena, &found);
    }
    *column = found;
    return form;
}

size_t levy_column_next(const char *names)
{
    size_t length = 0;
    for (int depth = 0; names[length] && (names[length] != ',' || depth > 0); ++length) {
        depth += names[length] == '[';
        depth -= names[length] == ']';
    }
    return length;
}

static const char *names_nearest(const char *name)
{
    const char *words[96];
    size_t n = 0;
    for (size_t i = 0; levy_column_names[i]; ++i) words[n++] = levy_column_names[i];
    for (size_t i = 1; levy_measures[i].name; ++i) words[n++] = levy_measures[i].name;
    words[n] = NULL;
    return levy_nearest(name, words);
}

bool levy_column_is_of(const levy_report_column *column, bool sums)
{
    if (column->source == LEVY_COLUMN_TAG) return !sums;
    return column->source != LEVY_COLUMN_FIELD || column->measure ||
           (sums ? column->netted : column->trade) != NULL;
}

bool levy_report_columns_object(const levy_report_form *form, char *why, size_t size)
{
    bool is_long = false, is_wide = form->wide;
    const char *names = form->columns;
    if (names && strcmp(names, levy_column_all) == 0) return false;
    while (names && *names) {
        char name[256], meant[LEVY_MEANT_SIZE];
        levy_report_column column;
        const size_t length = levy_column_next(names);
        snprintf(name, sizeof name, "%.*s", (int)(length < 255 ? length : 255), names);
        const levy_column_form found = levy_column_find(name, NULL, &column);
        if (found == LEVY_COLUMN_UNKNOWN) {
            snprintf(why, size, "there is no column '%.200s'%s", name,
                     levy_meant(names_nearest(name), meant));
            return true;
        }
        if (!levy_column_is_of(&column, form->sums)) {
            snprintf(why, size,
                     form->sums ? "'%.200s' is a column of trades, and the rows are sums"
                                : "'%.200s' is a column of sums, and the rows are trades",
                     name);
            return true;
        }
        is_long = is_long || found == LEVY_COLUMN_LONG;
        is_wide = is_wide || found == LEVY_COLUMN_WIDE;
        if (is_long && is_wide) {
            snprintf(why, size,
                     "'%.200s' is a column of the %s form, and others are of the %s form", name,
                     found == LEVY_COLUMN_LONG ? "long" : "wide",
                     found == LEVY_COLUMN_LONG ? "wide" : "long");
            return true;
        }
        names += length + (names[length] == ',');
    }
    return false;
}
