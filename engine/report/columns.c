/* columns.c: see columns.h. */
#include "engine/report/column_names.h"

#include "engine/base/order.h"
#include "engine/base/names.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Without a choice: what a spreadsheet adds up, with its currency. */
static const char columns_few_trades[] = "id,payoff,price,std_error,currency",
                  columns_few_sums[] = "currency,key,label,trades,failed,failed_ids,price,"
                                       "std_error,translated";
enum { COLUMNS_TRANSLATED = sizeof ",translated" - 1 };

/* What few columns of sums there are: whether a sum is translated is said where one is. */
static const char *columns_sums(const levy_report *report, levy_arena *arena)
{
    bool translated = false;
    for (size_t i = 0; i < report->n_netted; ++i)
        translated = translated || report->netted[i].translated;
    const size_t length = sizeof columns_few_sums - 1 - (translated ? 0 : COLUMNS_TRANSLATED);
    return levy_arena_copy_text(arena, columns_few_sums, length);
}

/* The measures of the row's trade or sum. */
static const levy_measure *row_measures(const levy_report_row *row, size_t *n)
{
    *n = row->trade ? row->trade->n_measures : row->netted->n_measures;
    return row->trade ? row->trade->measures : row->netted->measures;
}

/* ---- Which columns ---- */

static bool columns_add(levy_report_columns *columns, const levy_report_column *column)
{
    if (!LEVY_ARENA_GROW(&columns->arena, columns->items, columns->n, columns->room, 64))
        return false;
    columns->items[columns->n++] = *column;
    return true;
}

/* A value of a measure and its factor that some row has. */
typedef struct columns_pair {
    const char *measure, *factor;
    size_t major, minor; /* its measure's and its own number in the order in which they are met */
} columns_pair;

typedef struct columns_pairs {
    levy_arena *arena;
    levy_names names, measures;
    columns_pair *items;
    size_t room;
} columns_pairs;

static bool columns_meet(columns_pairs *pairs, const levy_measure *measures, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        if (strcmp(measures[i].measure, "price") == 0) continue;
        const char *const name =
            levy_arena_format(pairs->arena, "%s:%s", measures[i].measure, measures[i].factor);
        if (!name) return false;
        if (levy_names_find(&pairs->names, name) != LEVY_NO_NAME) continue;
        columns_pair *const items = levy_arena_extend(
            pairs->arena, pairs->items, pairs->names.count, &pairs->room, 64, sizeof *items);
        size_t major = levy_names_find(&pairs->measures, measures[i].measure);
        if (major == LEVY_NO_NAME)
            major = levy_names_add(&pairs->measures, pairs->arena, measures[i].measure);
        const size_t minor = items && major != LEVY_NO_NAME
                                 ? levy_names_add(&pairs->names, pairs->arena, name)
                                 : LEVY_NO_NAME;
        if (minor == LEVY_NO_NAME) return false;
        pairs->items = items;
        items[minor] = (columns_pair){measures[i].measure, measures[i].factor, major, minor};
    }
    return true;
}

LEVY_ORDER_BY(columns_compare, columns_pair, major, minor)

/* All that rows of the wide form have, measure by measure. */
static bool columns_pairs_of(levy_report_columns *columns, columns_pairs *pairs)
{
    levy_report_row row = {0};
    *pairs = (columns_pairs){.arena = &columns->arena};
    while (levy_report_next(columns, &row)) {
        size_t n;
        const levy_measure *const measures = row_measures(&row, &n);
        if (!columns_meet(pairs, measures, n)) return false;
    }
    if (pairs->names.count)
        qsort(pairs->items, pairs->names.count, sizeof *pairs->items, columns_compare);
    return true;
}

/* measure NULL: of all measures. */
static bool columns_add_pairs(levy_report_columns *columns, const char *measure)
{
    columns_pairs pairs;
    if (!columns_pairs_of(columns, &pairs)) return false;
    for (size_t i = 0; i < pairs.names.count; ++i) {
        const columns_pair *const pair = &pairs.items[i];
        if (measure && strcmp(measure, pair->measure) != 0) continue;
        for (int error = 0; error < 2; ++error) {
            const levy_report_column column = {
                .source = error ? LEVY_COLUMN_ERROR : LEVY_COLUMN_VALUE,
                .name = levy_arena_format(&columns->arena, "%s:%s%s", pair->measure, pair->factor,
                                          error ? ":std_error" : ""),
                .text = pair->measure,
                .factor = pair->factor,
                .kind = LEVY_FIELD_IS_NUMBER};
            if (!column.name || !columns_add(columns, &column)) return false;
        }
    }
    return true;
}

/* A column that only some results have, once. */
static bool columns_add_new(levy_report_columns *columns, levy_names *names, const char *name)
{
    levy_report_column column;
    if (!name) return false;
    if (levy_names_find(names, name) != LEVY_NO_NAME) return true;
    if (levy_names_add(names, &columns->arena, name) == LEVY_NO_NAME) return false;
    levy_column_find(name, &columns->arena, &column);
    return columns_add(columns, &column);
}

static bool columns_add_tags(levy_report_columns *columns)
{
    levy_names names = {0};
    const levy_report *const report = columns->report;
    for (size_t i = 0; i < report->n_trades && !columns->sums; ++i)
        for (size_t k = 0; k < report->trades[i].n_tags; ++k)
            if (!columns_add_new(
                    columns, &names,
                    levy_arena_format(&columns->arena, "tags.%s", report->trades[i].tags[k].name)))
                return false;
    return true;
}

static bool columns_add_axes(levy_report_columns *columns)
{
    levy_names names = {0};
    const levy_report *const report = columns->report;
    for (size_t i = 0; i < report->n_points; ++i) {
        const levy_grid_point *const point = &report->points[i];
        if (i && strcmp(point->scenario, report->points[i - 1].scenario) == 0) continue;
        for (size_t k = 0; k < point->n_axes; ++k)
            if (!columns_add_new(
                    columns, &names,
                    levy_arena_format(&columns->arena, "%s_%s",
                                      point->axes[k].relative ? "relative" : "absolute",
                                      point->axes[k].factor)))
                return false;
    }
    return true;
}

static bool columns_add_all(levy_report_columns *columns)
{
    levy_report_column column;
    for (size_t i = 0; levy_column_names[i]; ++i) {
        const levy_column_form form =
            levy_column_find(levy_column_names[i], &columns->arena, &column);
        if (form == LEVY_COLUMN_LONG && columns->wide) continue;
        if (!levy_column_is_of(&column, columns->sums)) continue;
        if (!columns_add(columns, &column)) return false;
    }
    if (!columns->wide && !columns_add_axes(columns)) return false;
    if (!columns_add_tags(columns)) return false;
    return !columns->wide || columns_add_pairs(columns, NULL);
}

static bool columns_add_named(levy_report_columns *columns, const char *names)
{
    bool is_long = false;
    while (*names) {
        levy_report_column column;
        const size_t length = levy_column_next(names);
        const char *const name = levy_arena_copy_text(&columns->arena, names, length);
        if (!name) return false;
        const levy_column_form form = levy_column_find(name, &columns->arena, &column);
        const bool all = form == LEVY_COLUMN_WIDE && !column.factor;
        is_long = is_long || form == LEVY_COLUMN_LONG;
        columns->wide = columns->wide || form == LEVY_COLUMN_WIDE;
        const size_t before = columns->n;
        if (all && !columns_add_pairs(columns, column.text)) return false;
        /* what was asked for is there, if need be empty */
        if (columns->n == before && !columns_add(columns, &column)) return false;
        names += length + (names[length] == ',');
    }
    columns->wide = columns->wide || !is_long;
    return true;
}

static bool columns_have(const char *names, const char *sought)
{
    for (size_t length; names && *names; names += length + (names[length] == ',')) {
        length = levy_column_next(names);
        if (strlen(sought) == length && memcmp(names, sought, length) == 0) return true;
    }
    return false;
}

int levy_report_columns_choose(const levy_report *report, const levy_report_form *form,
                               levy_report_columns *columns)
{
    char why[64];
    const char *names = form->columns && *form->columns ? form->columns : NULL;
    const bool all = names ? strcmp(names, levy_column_all) == 0 : form->wide;
    const bool few = !names && !all;
    *columns = (levy_report_columns){.report = report,
                                     .wide = form->wide || few,
                                     .sums = form->sums,
                                     .legs = all || (names && columns_have(names, "leg_of"))};
    levy_arena_init(&columns->arena, report->memory ? report->memory : &levy_memory_default);
    if (levy_report_columns_object(form, why, sizeof why)) return LEVY_STATUS_ARGUMENT;
    if (few) names = form->sums ? columns_sums(report, &columns->arena) : columns_few_trades;
    if (!all && !names) return LEVY_STATUS_MEMORY;
    bool ok = all ? columns_add_all(columns) : columns_add_named(columns, names);
    if (ok && few) ok = columns_add_pairs(columns, NULL);
    return ok ? LEVY_STATUS_OK : LEVY_STATUS_MEMORY;
}

void levy_report_columns_release(levy_report_columns *columns)
{
    levy_arena_release(&columns->arena);
}

/* ---- Rows ---- */

/* The grid's point that the row's measure is of, sought from where the last one was found. */
static const levy_grid_point *row_point(const levy_report *report, levy_report_row *row)
{
    if (strncmp(row->measure->measure, "scenario_", 9) != 0) return NULL;
    for (size_t i = 0; i < report->n_points; ++i) {
        const size_t at = (row->cursor + i) % report->n_points;
        if (strcmp(report->points[at].id, row->measure->factor) != 0) continue;
        row->cursor = at;
        return &report->points[at];
    }
    return NULL;
}

static bool row_open(const levy_report_columns *columns, levy_report_row *row)
{
    const levy_report *const report = columns->report;
    const levy_trade_result *const trades = columns->sums ? NULL : report->trades;
    const size_t n = trades ? report->n_trades : report->n_netted;
    while (trades && !columns->legs && row->at < n && trades[row->at].leg_of) ++row->at;
    if (row->at >= n) return false;
    row->trade = trades ? &trades[row->at] : NULL;
    row->netted = trades ? NULL : &report->netted[row->at];
    row->measure_at = row->near = 0;
    return true;
}

bool levy_report_next(const levy_report_columns *columns, levy_report_row *row)
{
    static const levy_measure unpriced = {.measure = "price",
                                          .factor = "",
                                          .value = NAN,
                                          .std_error = NAN,
                                          .ci_low = NAN,
                                          .ci_high = NAN,
                                          .interval = "none"};
    const levy_report *const report = columns->report;
    size_t n = 0;
    if (row->trade || row->netted) row_measures(row, &n);
    if ((row->trade || row->netted) && !columns->wide && row->measure_at + 1 < n) {
        ++row->measure_at;
    } else {
        if (row->trade || row->netted) ++row->at;
        if (!row_open(columns, row)) return false;
    }
    const levy_measure *const measures = row_measures(row, &n);
    row->measure = n ? &measures[row->measure_at] : &unpriced;
    row->point = columns->wide ? NULL : row_point(report, row);
    return true;
}

/* ---- Cells ---- */

static levy_report_cell cell_text(const char *text)
{
    return (levy_report_cell){.kind = LEVY_FIELD_IS_TEXT, .text = text, .none = !text};
}

static levy_report_cell cell_number(double number)
{
    return (levy_report_cell){
        .kind = LEVY_FIELD_IS_NUMBER, .number = number, .none = !isfinite(number)};
}

static levy_report_cell cell_field(const levy_report_column *column, const levy_report_row *row)
{
    const levy_report_cell none = {.kind = column->kind, .none = true, .number = NAN};
    if (column->measure) return levy_report_read(column->measure, row->measure);
    const levy_report_field *const field = row->trade ? column->trade : column->netted;
    if (!field) return none;
    if (field->asked && row->trade && !row->trade->tolerance_met) return none;
    return levy_report_read(field, row->trade ? (const void *)row->trade : row->netted);
}

static levy_report_cell cell_tag(const levy_report_column *column, const levy_report_row *row)
{
    for (size_t i = 0; row->trade && i < row->trade->n_tags; ++i)
        if (strcmp(row->trade->tags[i].name, column->text) == 0)
            return cell_text(row->trade->tags[i].text);
    return cell_text(NULL);
}

static levy_report_cell cell_scenario(const levy_report_row *row)
{
    const bool is_one = strncmp(row->measure->measure, "scenario_", 9) == 0;
    if (row->point) return cell_text(row->point->scenario);
    return cell_text(is_one ? row->measure->factor : NULL);
}

static levy_report_cell cell_axis(const levy_report_column *column, const levy_report_row *row)
{
    for (size_t i = 0; row->point && i < row->point->n_axes; ++i) {
        const levy_grid_axis *const axis = &row->point->axes[i];
        if ((axis->relative != 0) == column->relative && strcmp(axis->factor, column->factor) == 0)
            return cell_number(axis->size);
    }
    return cell_number(NAN);
}

/* Wide: columns come in about the order of a row's measures. NULL: the row has no such measure. */
static const levy_measure *cell_sought(const levy_report_column *column, levy_report_row *row)
{
    size_t n;
    const levy_measure *const measures = row_measures(row, &n);
    for (size_t i = 0; column->factor && i < n; ++i) {
        const size_t at = (row->near + i) % n;
        if (strcmp(measures[at].measure, column->text) != 0 ||
            strcmp(measures[at].factor, column->factor) != 0)
            continue;
        row->near = at;
        return &measures[at];
    }
    return NULL;
}

static levy_report_cell cell_measure(const levy_report_column *column, levy_report_row *row)
{
    const levy_measure *const measure = cell_sought(column, row);
    if (column->source == LEVY_COLUMN_NOTE) return cell_text(measure ? measure->note : NULL);
    if (!measure) return cell_number(NAN);
    if (column->source == LEVY_COLUMN_VALUE) return cell_number(measure->value);
    if (column->source == LEVY_COLUMN_ERROR) return cell_number(measure->std_error);
    return cell_number(column->source == LEVY_COLUMN_LOW ? measure->ci_low : measure->ci_high);
}

levy_report_cell levy_report_cell_of(const levy_report_column *column, levy_report_row *row)
{
    switch (column->source) {
    case LEVY_COLUMN_FIELD:
        return cell_field(column, row);
    case LEVY_COLUMN_TAG:
        return cell_tag(column, row);
    case LEVY_COLUMN_SCENARIO:
        return cell_scenario(row);
    case LEVY_COLUMN_AXIS:
        return cell_axis(column, row);
    case LEVY_COLUMN_VALUE:
    case LEVY_COLUMN_ERROR:
    case LEVY_COLUMN_LOW:
    case LEVY_COLUMN_HIGH:
    case LEVY_COLUMN_NOTE:
        return cell_measure(column, row);
    }
    return cell_text(NULL);
}
