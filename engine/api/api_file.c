/* api_file.c: see api_file.h: one file, and what to say where it cannot be read. */
#include "engine/api/api_file.h"

#include "engine/base/beneath.h"
#include "engine/base/io.h"
#include "engine/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char file_not_regular[] = "it is not a regular file",
                  file_leads_out[] = "a symbolic link leads out of the folder";

/* Looks for a file that the user may have meant: the same name with the ending .yaml or .yml, in
 * place of its own ending or after it. */
static bool file_is_nearly(const char *name, char *near, size_t room)
{
    static const char *const endings[] = {".yaml", ".yml"};
    const char *const ending = strrchr(name, '.'), *const slash = strrchr(name, '/');
    const size_t stem =
        ending && (!slash || ending > slash) ? (size_t)(ending - name) : strlen(name);
    const size_t stems[] = {stem, strlen(name)};
    for (size_t i = 0; i < 4; ++i) {
        struct stat state;
        const int length = snprintf(near, room, "%.*s%s", (int)stems[i / 2], name, endings[i % 2]);
        if (length > 0 && (size_t)length < room && stat(near, &state) == 0 &&
            S_ISREG(state.st_mode))
            return true;
    }
    return false;
}

levy_status levy_file_fault(levy_context *context, const char *name, size_t order,
                            levy_reason reason, const char *what, const char *why)
{
    const levy_place place = {.file = name, .file_order = (uint32_t)order};
    char near[1024], hint[1100] = "";
    if (strcmp(why, strerrordesc_np(ENOENT)) == 0 && file_is_nearly(name, near, sizeof near))
        snprintf(hint, sizeof hint, "Did you mean %s?", near);
    else if (strcmp(why, file_not_regular) == 0)
        snprintf(hint, sizeof hint, "Name a file or a folder; - reads standard input.");
    else if (strcmp(why, file_leads_out) == 0)
        snprintf(hint, sizeof hint,
                 "Name the file itself. If you trust the folder, --allow-links follows "
                 "its links.");
    levy_fault_add(&context->faults, reason, &place, "", hint[0] ? hint : NULL, "%s: %s", what,
                   why);
    return reason == LEVY_REASON_MEMORY ? LEVY_MEMORY : LEVY_INPUT;
}

enum { FILE_HEAD = 65536 };

/* Whether the first bytes of a file may be text. If not, the rest is not read: the reader finds the
 * fault in the head. */
static bool file_head_is_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        uint32_t code = 0;
        const size_t n = levy_text_character(text + i, length - i, &code);
        /* the head may end within a character */
        if (n == 0 && length == FILE_HEAD && length - i < 4) return true;
        if (n == 0 || code == 0) return false;
        i += n;
    }
    return true;
}

/* Refuses a file that is larger than reading and planning may take. */
static levy_status file_read_limit(levy_context *context, const char *name, size_t order,
                                   uint64_t size)
{
    char bytes[LEVY_MEMORY_TEXT], limit[LEVY_MEMORY_TEXT], why[160];
    if (size > levy_limits_default.file_bytes)
        return levy_file_fault(context, name, order, LEVY_REASON_LIMIT, "cannot read the file",
                               "it is larger than 1 GiB");
    if (size <= levy_memory_room(&context->planning)) return LEVY_OK;
    snprintf(why, sizeof why,
             "its text alone needs %s, which exceeds the memory limit, %s "
             "(max_memory)",
             levy_memory_text(size, bytes), levy_memory_text(context->meter.limit, limit));
    return levy_file_fault(context, name, order, LEVY_REASON_LIMIT, "cannot read the file", why);
}

static levy_status file_read_open(levy_context *context, int descriptor, levy_input *input,
                                  char **text, size_t order)
{
    struct stat status;
    size_t used = 0;
    if (fstat(descriptor, &status) != 0)
        return levy_file_fault(context, input->name, order, LEVY_REASON_IO, "cannot read the file",
                               strerrordesc_np(errno));
    if (!S_ISREG(status.st_mode))
        return levy_file_fault(context, input->name, order, LEVY_REASON_IO, "cannot read the file",
                               file_not_regular);
    const uint64_t whole = status.st_size < 0 ? UINT64_MAX : (uint64_t)status.st_size;
    size_t size = whole < FILE_HEAD ? (size_t)whole : FILE_HEAD;
    for (;;) { /* first the head, then the whole file */
        char *const grown = levy_memory_grow(&context->memory, *text, size + 1, 1);
        if (!grown)
            return levy_file_fault(context, input->name, order, LEVY_REASON_MEMORY,
                                   "cannot read the file", "out of memory");
        *text = grown;
        size_t more;
        /* fewer bytes than asked for: the file has shrunk meanwhile */
        const int error = levy_io_read(descriptor, *text + used, size - used, &more);
        if (error)
            return levy_file_fault(context, input->name, order, LEVY_REASON_IO,
                                   "cannot read the file", strerrordesc_np(error));
        used += more;
        if (size == whole || used < size || !file_head_is_text(*text, used)) break;
        LEVY_TRY(file_read_limit(context, input->name, order, whole));
        size = (size_t)whole;
    }
    (*text)[used] = '\0';
    input->text = *text;
    input->length = used;
    return LEVY_OK;
}

static int file_open(const levy_context *context, const char *name, const char *folder)
{
    const char *const slash = strrchr(name, '/');
    if (folder) return levy_open_beneath(folder, slash ? slash + 1 : name, context->allow_links);
    /* O_NONBLOCK: opening a pipe does not wait for a writer */
    const int descriptor = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    return descriptor < 0 ? -errno : descriptor;
}

levy_status levy_file_read(levy_context *context, levy_input *input, const char *folder,
                           char **text, size_t order)
{
    const int descriptor = file_open(context, input->name, folder);
    if (descriptor < 0) {
        const char *const why =
            descriptor == -EXDEV ? file_leads_out : strerrordesc_np(-descriptor);
        return levy_file_fault(context, input->name, order, LEVY_REASON_IO, "cannot open the file",
                               why);
    }
    const levy_status status = file_read_open(context, descriptor, input, text, order);
    close(descriptor);
    return status;
}
