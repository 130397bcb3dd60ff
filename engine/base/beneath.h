/* beneath.h: opens files that a folder's own texts name, and nothing outside that folder: links may
 * lead about beneath it, never out. What is checked is what is opened: there is no moment in
 * between. Must not know: what the files hold. */
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
