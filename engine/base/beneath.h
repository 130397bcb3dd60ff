/* beneath.h: opens files that the texts of a folder name, and nothing outside that folder. Links
 * may lead anywhere beneath the folder, but not out of it. The check applies to the opened file
 * itself, so nothing can change in between. Must not know: the content of the files. */
#ifndef LEVY_BASE_BENEATH_H
#define LEVY_BASE_BENEATH_H

#include <stdbool.h>

/* Opens the file to read, without waiting for a writer. Returns a descriptor or minus an errno.
 * -EXDEV: the name, or a link on its way, leads out of `folder`; an absolute link always does. With
 * `links` they may lead out. `folder` itself may be reached through links. */
int levy_open_beneath(const char *folder, const char *name, bool links);

/* The same from the descriptor of a folder, part by part, for kernels without openat2. */
int levy_open_beneath_by_parts(int folder, const char *name);

#endif
