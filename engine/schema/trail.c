/* trail.c: where a fault stands, in words: the path of keys down to a node, what stands there,
 * which words are valid. Must not know: any key's meaning. */
#include "engine/schema/reader.h"

#include "engine/base/text.h"
#include "engine/schema/marks.h"

#include <stdio.h>
#include <string.h>

enum { TRAIL_MESSAGE = 512, TRAIL_SHOWN_TEXT = 40 };

/* Writes the steps above first; depth is bounded by the tables. */
static size_t trail_append(const levy_trail *trail, char *path, size_t size)
{
    const size_t at = trail->parent ? trail_append(trail->parent, path, size) : 0;
    const size_t left = at < size ? size - at : 0;
    char *end = left > 0 ? path + at : NULL;
    const char *dot = at > 0 && trail->parent ? "." : "";
    const int n = trail->key ? snprintf(end, left, "%s%s", dot, trail->key)
                             : snprintf(end, left, "[%zu]", trail->index);
    return at + (n > 0 ? (size_t)n : 0);
}

void levy_trail_write(const levy_trail *trail, char path[LEVY_TRAIL_SIZE])
{
    path[0] = '\0';
    trail_append(trail, path, LEVY_TRAIL_SIZE);
}

void levy_reader_show(const levy_node *node, char shown[LEVY_SHOWN_SIZE])
{
    if (node->kind != LEVY_NODE_SCALAR || (node->length == 0 && !node->quoted)) {
        const char *const other = node->kind == LEVY_NODE_MAP ? "a map" : "nothing";
        const char *what = node->kind == LEVY_NODE_LIST ? "a list" : other;
        snprintf(shown, LEVY_SHOWN_SIZE, "%s", what);
        return;
    }
    size_t n = node->length;
    if (n > TRAIL_SHOWN_TEXT) {
        uint32_t code = 0;
        size_t step = 1;
        for (n = 0; n < TRAIL_SHOWN_TEXT - 4 && step > 0; n += step)
            step = levy_text_character(node->text + n, node->length - n, &code);
    }
    const char *more = n < node->length ? "..." : "";
    snprintf(shown, LEVY_SHOWN_SIZE, "'%.*s%s'%s", (int)n, node->text, more,
             node->quoted ? " (in quotes)" : "");
}

void levy_reader_fault(const levy_reader *reader, levy_reason reason, const levy_place *place,
                       const levy_trail *trail, const char *hint, const char *format, ...)
{
    char path[LEVY_TRAIL_SIZE], message[TRAIL_MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    levy_trail_write(trail, path);
    levy_fault *fault = levy_fault_add(reader->faults, reason, place, path,
                                       levy_marks_say(reader, trail, hint), "%s", message);
    if (fault) fault->trade = reader->trade;
}

void levy_reader_no_memory(const levy_reader *reader)
{
    if (!reader->faults->out_of_memory) reader->faults->errors++;
    reader->faults->out_of_memory = true;
}

const char *levy_reader_join(const levy_reader *reader, const char *before,
                             const char *const *words)
{
    size_t size = strlen(before) + 2;
    for (size_t i = 0; words[i]; ++i) size += strlen(words[i]) + 2;
    char *text = levy_arena_allocate(reader->arena, size, 1);
    if (!text) {
        levy_reader_no_memory(reader);
        return NULL;
    }
    size_t at = (size_t)snprintf(text, size, "%s", before);
    const size_t start = at;
    for (size_t i = 0; words[i]; ++i) {
        if (strchr(words[i], '=')) continue;
        at += (size_t)snprintf(text + at, size - at, "%s%s", at > start ? ", " : "", words[i]);
    }
    snprintf(text + at, size - at, ".");
    return text;
}
