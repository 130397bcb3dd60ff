/* respell.h: one vocabulary for all payoffs: a map in other names of its keys becomes the map that
 * its table describes, before it is read. Private to this room. Must not know: the meaning of any
 * key. */
#ifndef LEVY_SCHEMA_RESPELL_H
#define LEVY_SCHEMA_RESPELL_H

#include "engine/schema/reader.h"

/* The map of a payoff, or of a map in it, with
 * - other names of keys (levy_field.spelled) in place of which the key stands, if the value fits;
 * - what belongs into a nested map, such as a barrier's level, in that map;
 * - `barrier_type: up-and-out` as direction and knock;
 * - a count of dates by itself as a schedule, and 60% as 0.6 where levels are fractions.
 * Places stay those of the file. Two spellings of one key are a fault. Returns `map` itself where
 * there is nothing to do. */
const levy_node *levy_respell(const levy_reader *reader, const levy_table *table,
                              const levy_node *map, const levy_trail *trail);

/* A trade's map with its expiry under `exercise`, and weights beside the names of its underlyings.
 * Without an expiry it ends with the last date of its payments or averages. */
const levy_node *levy_respell_trade(const levy_reader *reader, const levy_node *map);

/* If nothing but dates is missing then: the map with its kind under the name that the table has
 * (levy_table.spelled), and what the other name says beside. */
const levy_node *levy_respell_kind(const levy_reader *reader, const levy_table *table,
                                   const levy_node *map, const levy_trail *trail);

/* "touch, pays: if_touched" for another name of a payoff's kind; else the name itself. */
const char *levy_respell_kind_name(const char *name);

/* Whether a trade may have another name, or a key of an inner map beside its own, at the path:
 * "expiry", "payoff.barrier_type". Whether it does depends on its kind. */
bool levy_respell_takes(const char *path);
/* The same of a trade's own keys. */
bool levy_respell_trade_takes(const char *key);

/* Whether n characters are another name of the field. */
bool levy_respell_names(const levy_field *field, const char *name, size_t n);

#endif
