/* advice.c: see advice.h. */
#include "engine/schema/advice.h"

#include "engine/schema/example.h"

#include <stdio.h>
#include <string.h>

const char levy_advice_any_date[] =
    "Write dates as YYYY-MM-DD, such as 2026-11-20, from 1900 to 2199.";

/* "2027-11-19" of three numbers that are a date; else "". */
static void advice_iso(const int parts[3], int year, int month, int day, char iso[16])
{
    levy_date date;
    const int n = snprintf(iso, 16, "%04d-%02d-%02d", parts[year] % 10000, parts[month] % 100,
                           parts[day] % 100);
    const bool fits = parts[month] < 100 && parts[day] < 100 && n == 10;
    if (!fits || !levy_date_read(iso, 10, &date)) *iso = '\0';
}

const char *levy_advice_style(const levy_reader *reader, const levy_node *node)
{
    return levy_arena_format(reader->arena,
                             "Write exercise: {style: %s}. Its expiry belongs there too.",
                             levy_catalog_early(node->text));
}

const char *levy_advice_date(const levy_reader *reader, const levy_node *node)
{
    int parts[3] = {0}, end = 0;
    char first[16] = "", second[16] = "";
    const char *const text = node->text;
    levy_date date;
    if (node->kind != LEVY_NODE_SCALAR || node->length > 40) return levy_advice_any_date;
    if (node->length > 10 && (text[10] == 'T' || text[10] == ' ') &&
        levy_date_read(text, 10, &date))
        snprintf(first, sizeof first, "%.10s", text);
    else if (sscanf(text, "%4d%*1[-/.]%2d%*1[-/.]%2d%n", &parts[0], &parts[1], &parts[2], &end) ==
                 3 &&
             !text[end] && parts[0] > 31)
        advice_iso(parts, 0, 1, 2, first);
    else if (sscanf(text, "%2d%*1[-/.]%2d%*1[-/.]%4d%n", &parts[0], &parts[1], &parts[2], &end) ==
                 3 &&
             !text[end]) {
        advice_iso(parts, 2, 1, 0, first);
        advice_iso(parts, 2, 0, 1, second);
    } else if (node->length == 8 &&
               sscanf(text, "%4d%2d%2d%n", &parts[0], &parts[1], &parts[2], &end) == 3 && end == 8)
        advice_iso(parts, 0, 1, 2, first);
    const char *const one = *first ? first : second;
    if (!*one) return levy_advice_any_date;
    const bool two = *first && *second && strcmp(first, second) != 0;
    if (two)
        return levy_arena_format(reader->arena, "Write %s or %s: dates are YYYY-MM-DD.", one,
                                 second);
    return levy_arena_format(reader->arena, "Write %s: dates are YYYY-MM-DD.", one);
}

static bool advice_is_word(const char *text, const char *const *words)
{
    for (; *words; ++words) {
        size_t i = 0;
        while (text[i] && (text[i] | 0x20) == (*words)[i]) ++i;
        if (!text[i] && !(*words)[i]) return true;
    }
    return false;
}

/* What is wrong with the text of a number; NULL: nothing that a hint knows. */
static const char *advice_number_fault(const char *text, size_t length)
{
    static const char *const no_numbers[] = {"inf", "nan", "infinity", NULL};
    const char last = length > 0 ? text[length - 1] : '\0';
    if (advice_is_word(text + (*text == '.'), no_numbers))
        return "Every number must be finite. Remove the key if there is no value.";
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X' || text[1] == 'o' || text[1] == 'b'))
        return "Write decimal digits. Hexadecimal, octal and binary numbers are not "
               "supported.";
    if (last == '%') return "Write percentages as decimals: 0.05, not 5%.";
    if (memchr(text, '_', length)) return "Write the digits without '_': 1000, not 1_000.";
    if (memchr(text, ',', length))
        return "Write digits without separators and a decimal point: 1000, not 1,000; 0.5, not "
               "0,5.";
    return NULL;
}

static const char *advice_number_shape(const char *text, size_t length)
{
    const char *const fault = advice_number_fault(text, length);
    if (fault) return fault;
    if (memchr(text, '^', length))
        return "Only counts can be powers. Write all digits, or an exponent: 1e6.";
    return "Write one decimal number, such as 100, 0.2 or 1e-3, without a unit.";
}

/* Whether a number is a level of a payoff whose levels are no fractions. */
static bool advice_is_level(const levy_field *field, const levy_trail *trail)
{
    const levy_trail *const of = trail && !trail->table ? trail->parent : trail;
    const levy_field *levels = of && of->table ? of->table->fields : NULL;
    while (levels && levels->name && strcmp(levels->name, "levels") != 0) ++levels;
    if (!levels || !levels->name || !(field->high >= 1e15)) return false;
    const levy_node *const own = levy_node_find(of->map, "levels");
    const char *const are = own && own->kind == LEVY_NODE_SCALAR ? own->text : levels->fallback;
    return are && strcmp(are, "absolute") == 0;
}

const char *levy_advice_number(const levy_reader *reader, const levy_field *field,
                               const levy_node *node, const levy_trail *trail)
{
    double value = 0.0;
    char decimal[LEVY_NUMBER_SIZE];
    if (node->kind != LEVY_NODE_SCALAR)
        return "Write one decimal number, such as 100, 0.2 or 1e-3.";
    if (node->length == 0) return "Write a value, or delete the key.";
    if (node->quoted && levy_number_read(node->text, node->length, &value) == LEVY_NUMBER_OK)
        return "Remove the quotes: text in quotes is not a number.";
    if (levy_example_percent(node, decimal) && field && field->hint) return field->hint;
    if (field && advice_is_level(field, trail) && levy_example_percent(node, decimal))
        return "Write the level itself: 80 % of a spot of 50 is 40.";
    if (levy_example_percent(node, decimal))
        return levy_arena_format(reader->arena, "Write %s, not %s.", decimal, node->text);
    const bool sign = node->text[0] == '-' || node->text[0] == '+';
    return advice_number_shape(node->text + sign, node->length - sign);
}

const char *levy_advice_count(const levy_reader *reader, const levy_node *node)
{
    static const char count[] =
        "A count has digits only, such as 4096, or is a power of two, such as 2^12.";
    double value = 0.0;
    uint64_t read = 0;
    if (node->kind != LEVY_NODE_SCALAR) return count;
    if (node->length == 0) return levy_advice_number(reader, NULL, node, NULL);
    if (node->quoted && levy_count_read(node->text, node->length, &read) == LEVY_NUMBER_OK)
        return levy_advice_number(reader, NULL, node, NULL);
    if (levy_number_read(node->text, node->length, &value) == LEVY_NUMBER_OK) return count;
    if (memchr(node->text, '^', node->length)) return "Only powers of two are supported: 2^16.";
    const char *const fault = advice_number_fault(node->text, node->length);
    return fault && node->text[node->length - 1] != '%' ? fault : count;
}

bool levy_advice_in_name(char c, bool first)
{
    const char letter = (char)(c | 0x20);
    if ((letter >= 'a' && letter <= 'z') || levy_advice_is_digit(c) || c == '_') return true;
    return !first && (c == '.' || c == '-');
}

const char *levy_advice_name(const levy_reader *reader, const levy_node *node)
{
    static const char rule[] = "A name consists of letters, digits, '.', '_' and '-'. It begins "
                               "with a letter, digit or '_'.";
    char name[LEVY_SHOWN_SIZE];
    size_t n = 0;
    if (node->kind != LEVY_NODE_SCALAR || node->length == 0 || node->length >= sizeof name)
        return rule;
    for (size_t i = 0; i < node->length; ++i) {
        if (levy_advice_in_name(node->text[i], n == 0))
            name[n++] = node->text[i];
        else if (n == 0 || name[n - 1] != '_')
            name[n++] = '_';
    }
    name[n] = '\0';
    return levy_arena_format(reader->arena, "Write %s. %s", name, rule);
}

const char *levy_advice_tenor(const levy_reader *reader, const levy_tenor *tenor)
{
    char years[LEVY_NUMBER_SIZE];
    const char *const date = reader->is_dated ? levy_example_due(reader, tenor) : NULL;
    levy_number_write(levy_example_tenor(tenor), years);
    if (date) return levy_arena_format(reader->arena, "Write %s: dates are YYYY-MM-DD.", date);
    return reader->is_dated
               ? "Write a date, such as 2027-11-20."
               : levy_arena_format(reader->arena, "Write %s (years), or a date such as 2026-11-20.",
                                   years);
}
