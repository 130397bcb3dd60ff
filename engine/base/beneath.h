/* beneath.h: opens files that the texts of a folder name, and nothing outside that folder. Links
 * may lead anywhere beneath the folder, but not out of it. The check applies to the opened file
 * itself, so nothing can change in between. Must not know: the content of the files. */
#ifndef LEVY_BASE_BENEATH_H
#define LEVY_BASE_BENEATH_H

#include <stdbool.h>

/* A descriptor, read-only, that does not wait for a writer; or minus an errno. -EXDEV: the name, or
 * a link on its way, leads out of `folder` (an absolute link does). `links`: it may. `folder`
 * itself may be reached through links. */
int levy_open_beneath(const char *folder, const char *name, bool links);

/* The same by hand, from the descriptor of a folder: for kernels that do not resolve so. */
int levy_open_beneath_by_parts(int folder, const char *name);

#endif
