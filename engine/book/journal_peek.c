/* journal_peek.c: what a journal says of the device it was priced on, before there is a device
 * or a lock: single precision has other bits on a CPU than on a GPU, so a run that resumes stays
 * with the journal's kind. Nothing is written, and nothing is refused: opening the journal does
 * that. See journal.h. */
#include "engine/book/journal.h"
#include "engine/book/journal_text.h"

#include "engine/base/io.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool peek_lines(const char *text, size_t length, levy_journal_kind *kind)
{
    levy_journal_group group;
    const char *at = text, *const end = text + length;
    const char *newline = memchr(at, '\n', length);
    if (!newline || !levy_journal_read_backend(at, (size_t)(newline - at), kind->backend))
        return false;
    for (at = newline + 1; at < end && (newline = memchr(at, '\n', (size_t)(end - at))) != NULL;
         at = newline + 1) {
        const size_t line = (size_t)(newline - at);
        if (levy_line_sealed(at, line) && levy_journal_read_group(at, line, &group, NULL, SIZE_MAX))
            memcpy(kind->moved, group.moved, sizeof kind->moved);
    }
    return true;
}

bool levy_journal_peek(const levy_memory *memory, const char *path, levy_journal_kind *kind)
{
    struct stat state;
    size_t length = 0;
    *kind = (levy_journal_kind){.backend = ""};
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (file < 0) return false;
    const bool regular = fstat(file, &state) == 0 && S_ISREG(state.st_mode);
    char *const text = regular ? levy_memory_allocate(memory, (size_t)state.st_size + 1, 1) : NULL;
    if (text) (void)levy_io_read(file, text, (size_t)state.st_size, &length);
    close(file);
    const bool good = text && peek_lines(text, length, kind);
    levy_memory_release(memory, text);
    return good;
}
