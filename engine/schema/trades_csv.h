/* trades_csv.h: a book's trades as comma-separated values: the first row has paths of a trade's
 * keys, such as payoff.strike, each further row is a trade. It becomes the same nodes as YAML.
 * Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_TRADES_CSV_H
#define LEVY_SCHEMA_TRADES_CSV_H

#include "engine/schema/schema.h"

/* Whether a file of this name holds comma-separated values: it ends in .csv, in capitals or not. */
bool levy_trades_csv_is(const char *name);

/* As levy_document_read: `file` must outlive the arena; LEVY_INPUT if it added an error. An empty
 * cell is a key that is left out, the items of a list are separated by ';', and a cell that begins
 * with a bracket is of YAML's flow style. `kinds`: those of payoffs that files define; NULL: none.
 */
levy_status levy_trades_csv_read(const char *file, uint32_t file_order, const char *text,
                                 size_t length, const levy_more_kinds *kinds, levy_arena *arena,
                                 levy_fault_list *faults, levy_document *document);

#endif
