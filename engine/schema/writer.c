/* writer.c: see writer.h. Must not know: any key's meaning. */
#include "engine/schema/writer.h"

#include "engine/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *levy_schema_topic_of(const levy_table *table)
{
    for (const char *const *topic = levy_catalog_topics(); *topic; ++topic)
        if (levy_catalog_find(*topic) == table) return *topic;
    return NULL;
}

/* Bounds are round numbers: 1000000000000 and 1e+12 both become 1e12. */
static void writer_bound(double value, char text[LEVY_NUMBER_SIZE])
{
    size_t n = levy_number_write(value, text), zeros = 0;
    char *plus = strchr(text, '+');
    if (plus) memmove(plus, plus + 1, strlen(plus));
    if (strpbrk(text, ".e")) return;
    while (zeros + 1 < n && text[n - 1 - zeros] == '0') ++zeros;
    if (zeros >= 6) snprintf(text + n - zeros, LEVY_NUMBER_SIZE - (n - zeros), "e%zu", zeros);
}

void levy_schema_range_text(const levy_field *field, char text[LEVY_SCHEMA_RANGE_SIZE])
{
    char low[LEVY_NUMBER_SIZE], high[LEVY_NUMBER_SIZE];
    const bool low_open = field->flags & LEVY_LOW_OPEN, high_open = field->flags & LEVY_HIGH_OPEN;
    const bool has_low = field->low > -HUGE_VAL, has_high = field->high < HUGE_VAL;
    text[0] = '\0';
    if (!(field->flags & LEVY_RANGED)) return;
    writer_bound(field->low, low);
    writer_bound(field->high, high);
    if (has_low && has_high)
        snprintf(text, LEVY_SCHEMA_RANGE_SIZE, "%s%s, %s%s", low_open ? "(" : "[", low, high,
                 high_open ? ")" : "]");
    else if (has_low)
        snprintf(text, LEVY_SCHEMA_RANGE_SIZE, "%s %s", low_open ? ">" : ">=", low);
    else if (has_high)
        snprintf(text, LEVY_SCHEMA_RANGE_SIZE, "%s %s", high_open ? "<" : "<=", high);
}

/* ---- Paragraphs ---- */

static bool writer_breaks_at(char c) { return c == ' ' || c == '\n' || c == '\0'; }

/* Writes the words of `text`, going on from `column`, into lines of LEVY_SCHEMA_WIDTH that start at
 * `indent`. Returns the column it ends in. */
size_t levy_schema_put_words(levy_text_out *out, const char *text, size_t indent, size_t column)
{
    while (*text) {
        size_t n = 0;
        while (!writer_breaks_at(text[n])) ++n;
        if (n > 0 && column > indent && column + 1 + n > LEVY_SCHEMA_WIDTH) {
            levy_text_put(out, "\n");
            levy_text_put_spaces(out, indent);
            column = indent;
        } else if (n > 0 && column > indent) {
            levy_text_put(out, " ");
            column++;
        }
        levy_text_put_bytes(out, text, n);
        column += n;
        text += n;
        if (*text) ++text;
    }
    return column;
}

void levy_schema_put_paragraph(levy_text_out *out, const char *text, size_t indent)
{
    levy_text_put_spaces(out, indent);
    levy_schema_put_words(out, text, indent, indent);
    levy_text_put(out, "\n");
}

/* Writes `text` up to and including its first full stop. */
void levy_schema_put_sentence(levy_text_out *out, const char *text, size_t indent)
{
    char sentence[256];
    size_t n = 0;
    while (text[n] && n + 1 < sizeof sentence && !(text[n] == '.' && writer_breaks_at(text[n + 1])))
        n++;
    if (text[n] == '.' && n + 1 < sizeof sentence) ++n;
    memcpy(sentence, text, n);
    sentence[n] = '\0';
    levy_schema_put_words(out, sentence, indent, indent);
    levy_text_put(out, "\n");
}
