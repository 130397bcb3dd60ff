/* check.c: see check.h. */
#include "engine/base/check.h"

#include "engine/base/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool levy_check_stamp(const levy_check *build, levy_fault *fault)
{
    if (fault) fault->trade = build->trade;
    return false;
}

const levy_place *levy_check_place(const levy_node *node) { return node ? &node->place : NULL; }

void *levy_check_allocate(levy_check *build, size_t count, size_t size)
{
    void *memory = levy_arena_allocate(build->arena, count, size);
    if (!memory) build->out_of_memory = true;
    return memory;
}

bool levy_check_grow(levy_check *build, void *items, size_t count, size_t *room, size_t least,
                     size_t size)
{
    const bool grown = levy_arena_grow(build->arena, items, count, room, least, size);
    if (!grown) build->out_of_memory = true;
    return grown;
}

const char *levy_check_text(levy_check *build, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : levy_check_allocate(build, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text ? text : "";
}

const char *levy_check_number(levy_check *build, double value)
{
    char buffer[LEVY_NUMBER_SIZE];
    levy_number_write(value, buffer);
    return levy_check_text(build, "%s", buffer);
}

const char *levy_check_rounded(levy_check *build, double value)
{
    double size = value < 0 ? -value : value, scale = 1;
    if (!(size > 1e-12 && size < 1e9)) return levy_check_number(build, value);
    while (size * scale < 1e5) scale *= 10;
    while (size * scale >= 1e6) scale /= 10;
    const double whole = (double)(int64_t)(size * scale + 0.5);
    return levy_check_number(build, (value < 0 ? -whole : whole) / scale);
}

const char *levy_check_shown(const levy_node *node)
{
    if (!node) return "nothing";
    if (node->kind == LEVY_NODE_SCALAR) return node->text;
    return node->kind == LEVY_NODE_LIST ? "a list" : "a map";
}

const levy_node *levy_check_at(const levy_node *object, const char *key)
{
    const levy_node *found = object ? levy_node_find(object, key) : NULL;
    return found ? found : object;
}

const char *levy_check_key(const levy_node *item)
{
    return item && item->key ? item->key->text : "";
}

bool levy_check_refused(const levy_check *build, const char *path)
{
    const levy_fault_list *faults = build->faults;
    const size_t length = strlen(path);
    for (size_t i = build->first_fault; i < faults->count; ++i) {
        const levy_fault *fault = &faults->items[i];
        if (fault->severity != LEVY_SEVERITY_ERROR || strncmp(fault->path, path, length) != 0)
            continue;
        const char next = fault->path[length];
        if (next == '\0' || next == '.' || next == '[') return true;
    }
    return faults->errors + faults->warnings >
           faults->count; /* a fault past the limit is counted, not kept: it may be of this path */
}

double levy_check_years(const levy_check *build, levy_date date)
{
    return levy_year_fraction(LEVY_ACT_365_FIXED, build->valuation, date);
}

bool levy_check_time(levy_check *build, const levy_time *time, const char *path, double *years)
{
    *years = 0;
    if (time->is_date && !build->has_date && build->broken)
        return false; /* the date may be there */
    if (time->is_date && !build->has_date)
        return LEVY_REFUSE(
            build, INCONSISTENT, time->node, path,
            levy_check_text(build,
                            "Add valuation_date at the top%s%s, or write every time as a number of "
                            "years.",
                            build->dated_file ? " of " : "",
                            build->dated_file ? build->dated_file : ""),
            "is the date %s, but the book has no valuation_date", levy_check_shown(time->node));
    if (!time->is_date && build->has_date)
        return LEVY_REFUSE(build, INCONSISTENT, time->node, path,
                           "Write an ISO date such as 2027-03-31, or remove valuation_date and use "
                           "years throughout.",
                           "is a number of years, %s, but the book has a valuation_date",
                           levy_check_shown(time->node));
    *years = time->is_date ? levy_check_years(build, time->date) : time->years;
    if (*years > LEVY_LONGEST_YEARS || *years < -LEVY_LONGEST_YEARS)
        return LEVY_REFUSE(build, RANGE, time->node, path, LEVY_TOO_LONG_HINT,
                           LEVY_TOO_LONG "; got %s", levy_check_shown(time->node));
    return true;
}

bool levy_check_pairs(levy_check *build, const levy_list *list, const char *path, double **times,
                      double **values)
{
    const levy_time_value *items = list->items;
    *times = levy_check_allocate(build, list->count, sizeof **times);
    *values = levy_check_allocate(build, list->count, sizeof **values);
    if (!*times || !*values) return false;
    bool good = true;
    for (size_t i = 0; i < list->count; ++i) {
        (*values)[i] = items[i].value;
        if (!levy_check_time(build, &items[i].time, levy_check_text(build, "%s[%zu][0]", path, i),
                             &(*times)[i])) {
            good = false;
        } else if (good && i > 0 && (*times)[i] <= (*times)[i - 1]) {
            good = LEVY_REFUSE(
                build, RANGE, items[i].time.node, levy_check_text(build, "%s[%zu][0]", path, i),
                "Sort the entries by time, and write each time once.", "%s is not after %s",
                levy_check_shown(items[i].time.node), levy_check_shown(items[i - 1].time.node));
        }
    }
    return good;
}
