/* io.c: see io.h. Must not know: what is read or written. */
#include "engine/base/io.h"

#include <errno.h>
#include <unistd.h>

int levy_io_write(int file, const void *from, size_t size, size_t *written)
{
    const char *const bytes = from;
    *written = 0;
    for (int idle = 0; *written < size; ++idle) {
        const ssize_t count = write(file, bytes + *written, size - *written);
        if (count < 0 && errno != EINTR) return errno;
        if (count > 0) idle = 0;
        if (count > 0) *written += (size_t)count;
        if (idle == LEVY_IO_IDLE) return EIO;
    }
    return 0;
}

int levy_io_read(int file, void *to, size_t size, size_t *got)
{
    char *const bytes = to;
    *got = 0;
    for (int idle = 0; *got < size; ++idle) {
        const ssize_t count = read(file, bytes + *got, size - *got);
        if (count == 0) break;
        if (count < 0 && errno != EINTR) return errno;
        if (count > 0) idle = 0;
        if (count > 0) *got += (size_t)count;
        if (idle == LEVY_IO_IDLE) return EIO;
    }
    return 0;
}
