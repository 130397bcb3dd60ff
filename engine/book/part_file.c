/* part_file.c: see part_file.h. */
#include "engine/book/part_file.h"

#include "engine/base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static levy_status part_io(levy_context *context, const char *path, int error)
{
    const levy_place place = {.file = path};
    levy_fault_add(&context->faults, LEVY_REASON_IO, &place, "", NULL,
                   "cannot read the part's journal: %s", strerrordesc_np(error));
    return LEVY_IO;
}

levy_status levy_part_file_refuse(levy_context *context, const levy_part_file *file, uint32_t line,
                                  const char *hint, const char *why)
{
    const levy_place place = {.file = file->path, .line = line, .column = line ? 1 : 0};
    levy_fault_add(&context->faults, LEVY_REASON_INCONSISTENT, &place, "", hint, "%s", why);
    return LEVY_RESUME;
}

static levy_status part_read_open(levy_context *context, levy_part_file *file, int descriptor)
{
    struct stat state;
    if (fstat(descriptor, &state) != 0) return part_io(context, file->path, errno);
    if (!S_ISREG(state.st_mode))
        return levy_part_file_refuse(context, file, 0, "Name a regular file.",
                                     "this is no part's journal: it is not a regular file");
    /* a file without a first line is read no further */
    char head[LEVY_JOURNAL_HEAD];
    size_t size = (size_t)state.st_size;
    const ssize_t seen = pread(descriptor, head, sizeof head, 0);
    if (seen > 0 && !memchr(head, '\n', (size_t)seen)) size = (size_t)seen;
    file->own = levy_memory_allocate(&context->memory, size + 1, 1);
    if (!file->own) return LEVY_MEMORY;
    file->text = file->own;
    const int error = levy_io_read(descriptor, file->own, size, &file->length);
    return error ? part_io(context, file->path, error) : LEVY_OK;
}

static levy_status part_read_head(levy_context *context, levy_part_file *file)
{
    const char *const newline = memchr(file->text, '\n', file->length);
    const size_t length = newline ? (size_t)(newline - file->text) : 0;
    char words[512];
    const levy_journal_head none = {.precision = "", .backend = ""};
    if (newline && levy_journal_read_part(file->text, length, &file->info)) {
        if (file->info.parts) return LEVY_OK;
        return levy_part_file_refuse(context, file, 1,
                                     "`levy price --journal FILE --resume` prints its report.",
                                     "this is the journal of a whole run, not of a part");
    }
    if (newline && levy_journal_difference(file->text, length, &none, words, sizeof words))
        return levy_part_file_refuse(context, file, 1, "Merge with the version that priced it.",
                                     words);
    return levy_part_file_refuse(context, file, 1,
                                 "Name the journals that `levy price --part` has written.",
                                 "this is no part's journal, or its first line is damaged");
}

levy_status levy_part_file_read(levy_context *context, const char *path, levy_part_file *file)
{
    *file = (levy_part_file){.path = path};
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0) return part_io(context, path, errno);
    levy_status status = part_read_open(context, file, descriptor);
    close(descriptor);
    if (status == LEVY_OK) status = part_read_head(context, file);
    if (status != LEVY_OK) levy_part_file_release(context, file);
    return status;
}

levy_status levy_part_file_take(levy_context *context, const levy_source *text,
                                levy_part_file *file)
{
    *file = (levy_part_file){.path = text->name, .text = text->text, .length = text->length};
    return part_read_head(context, file);
}

levy_status levy_part_file_visit(levy_context *context, const levy_part_file *file,
                                 levy_part_visit visit, void *user)
{
    const char *const end = file->text + file->length,
                      *line = (const char *)memchr(file->text, '\n', file->length) + 1;
    for (uint32_t number = 2; line < end; ++number) {
        const char *const newline = memchr(line, '\n', (size_t)(end - line));
        if (!newline) break; /* a crash has torn it, or a process is just writing it */
        const size_t length = (size_t)(newline - line);
        if (!levy_line_sealed(line, length)) {
            if (newline + 1 == end) break;
            return levy_part_file_refuse(context, file, number,
                                         "Remove this line and all later lines, or the file, and "
                                         "price the part again.",
                                         "this line of the part's journal is damaged");
        }
        LEVY_TRY(visit(user, line, length, number));
        line = newline + 1;
    }
    return LEVY_OK;
}

void levy_part_file_release(levy_context *context, levy_part_file *file)
{
    levy_memory_release(&context->memory, file->own);
    file->text = file->own = NULL;
}

/* ---- The description of a part ---- */

typedef struct part_description {
    levy_arena *arena;
    levy_part_info *info;
} part_description;

static levy_status part_describe_line(void *user, const char *line, size_t length, uint32_t number)
{
    const part_description *const of = user;
    (void)number;
    (void)levy_part_line_read_run(line, length, of->arena, of->info);
    of->info->complete = levy_part_line_is_end(line, length);
    return LEVY_OK;
}

levy_status levy_part_file_describe(levy_context *context, const char *path, levy_arena *arena,
                                    levy_part_info *info)
{
    levy_part_file file;
    part_description of = {arena, info};
    LEVY_TRY(levy_part_file_read(context, path, &file));
    *info = file.info;
    levy_status status = levy_part_file_visit(context, &file, part_describe_line, &of);
    if (status == LEVY_OK && !info->host)
        status = levy_part_file_refuse(context, &file, 0, "Price the part again.",
                                       "the part's journal says of no run yet");
    levy_part_file_release(context, &file);
    return status;
}
