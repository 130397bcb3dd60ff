/* io.h: whole reads and writes over the system's partial ones. A broken file system may answer 0 or
 * "interrupted" for ever. A call therefore ends with an error after LEVY_IO_IDLE answers in a row
 * that moved nothing. Must not know: what is read or written. */
#ifndef LEVY_BASE_IO_H
#define LEVY_BASE_IO_H

#include <stddef.h>

/* a fraction of a second where a file system is broken; no signals come that often */
enum { LEVY_IO_IDLE = 1 << 18 };

/* All `size` bytes, or an errno: then *written of them were written. EIO: nothing moved for
 * LEVY_IO_IDLE calls. */
int levy_io_write(int file, const void *from, size_t size, size_t *written);
/* Up to `size` bytes, fewer at the end of the file; 0, or an errno. *got says how many there are,
 * also after an error. */
int levy_io_read(int file, void *to, size_t size, size_t *got);

#endif
