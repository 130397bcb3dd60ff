/* merge.h: one run from the journals of its parts, which part_set.h reads. Must not know: devices,
 * reports. */
#ifndef LEVY_BOOK_MERGE_H
#define LEVY_BOOK_MERGE_H

#include "engine/book/results.h"

/* Fits, on the CPU, what the parts have fitted before they priced the plan's group (stage.h). A
 * fault says why it fails. */
levy_status levy_merge_fit(levy_context *context, levy_plan *plan);

/* `options` are complete; a call is under way, as for levy_book_price. */
levy_status levy_book_merge(levy_book *book, const levy_merge_options *options,
                            levy_results **results);

#endif
