/* io.h: whole reads and writes over the system's partial ones. A broken file system may answer 0 or
 * "interrupted" for ever. A call therefore ends with an error after LEVY_IO_IDLE answers in a row
 * that moved nothing. Must not know: what is read or written. */
#ifndef LEVY_BASE_IO_H
#define LEVY_BASE_IO_H

#include <stddef.h>

/* A fraction of a second on a broken file system; signals never interrupt so often. */
enum { LEVY_IO_IDLE = 1 << 18 };

/* Writes all `size` bytes. Returns 0, or an errno after the first *written bytes. EIO: nothing
 * moved for LEVY_IO_IDLE calls. */
int levy_io_write(int file, const void *from, size_t size, size_t *written);
/* Reads up to `size` bytes, fewer at the end of the file. Returns 0 or an errno. *got is the number
 * read, after an error too. */
int levy_io_read(int file, void *to, size_t size, size_t *got);

#endif
