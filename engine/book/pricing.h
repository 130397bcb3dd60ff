/* pricing.h: prices a book on a device, group by group, with a journal and tolerances on request.
 * Must not know: reports. */
#ifndef LEVY_BOOK_PRICING_H
#define LEVY_BOOK_PRICING_H

#include "engine/book/journal.h"

/* `options` are complete (levy_call_price_options); a call is under way (levy_call_begin) in the
 * default floating-point mode. Results are given with LEVY_OK, LEVY_CANCELLED and LEVY_TOLERANCE,
 * else NULL; faults say why. */
levy_status levy_book_price(levy_book *book, const levy_price_options *options,
                            levy_results **results);

/* LEVY_ARGUMENT with a fault: the part that the options ask for is none, or has no place to go. */
levy_status levy_price_check_part(levy_context *context, const levy_price_options *options);
/* The journal's lines of a run that begins, and that has done all of its part (part_line.h). */
levy_status levy_part_begin(levy_context *context, levy_journal *journal,
                            const levy_call_device *device, const char *note);
levy_status levy_part_end(levy_context *context, levy_journal *journal);

#endif
