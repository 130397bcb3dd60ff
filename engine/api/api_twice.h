/* api_twice.h: whether a book would read one file twice. Must not know: what is in a file. */
#ifndef LEVY_API_TWICE_H
#define LEVY_API_TWICE_H

#include "engine/book/handles.h"

/* Adds a fault for each source that is a file which an earlier source is, too, by whatever name.
 * LEVY_INPUT: there was one. Texts and files that cannot be looked at are passed over. */
levy_status levy_sources_check_twice(levy_context *context, const levy_source *sources, size_t n);

#endif
