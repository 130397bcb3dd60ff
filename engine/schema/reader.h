/* reader.h: shared by the two halves of the table-driven reader: the trail of keys down to a node,
 * and scalars. Private to this room. Must not know: the meaning of any key. */
#ifndef LEVY_SCHEMA_READER_H
#define LEVY_SCHEMA_READER_H

#include "engine/schema/schema.h"

/* The way to a node, kept on the stack and written out only for a fault. The first step's key is
 * the caller's path. */
typedef struct levy_trail {
    const struct levy_trail *parent; /* NULL: this is the first step */
    const char *key;                 /* NULL: index */
    size_t index;
    const levy_node *map;    /* that has the key; NULL: a list, or nobody asks */
    const levy_table *table; /* of that map; NULL likewise */
} levy_trail;

/* What is read, and where it stands. */
typedef struct levy_spot {
    const levy_reader *reader;
    const levy_node *node;
    const levy_trail *trail;
} levy_spot;

enum { LEVY_TRAIL_SIZE = 1024, LEVY_SHOWN_SIZE = 64 };
/* A path that is too long is cut off at the end. */
void levy_trail_write(const levy_trail *trail, char path[LEVY_TRAIL_SIZE]);

/* What stands at the node, for "got ...": 'text' (cut off), nothing, a list, a map. */
void levy_reader_show(const levy_node *node, char shown[LEVY_SHOWN_SIZE]);

/* The field of a key, by its name or its former one (schema_keys.c); NULL: none. */
const levy_field *levy_reader_field(const levy_table *table, const char *key);

/* Adds an error, stamped with the reader's trade. */
void levy_reader_fault(const levy_reader *reader, levy_reason reason, const levy_place *place,
                       const levy_trail *trail, const char *hint, const char *format, ...)
    __attribute__((format(printf, 6, 7)));
#define LEVY_SPOT_FAULT(at, reason, hint, ...)                                                     \
    levy_reader_fault((at)->reader, LEVY_REASON_##reason, &(at)->node->place, (at)->trail, (hint), \
                      __VA_ARGS__)
void levy_reader_no_memory(const levy_reader *reader);

/* Scalar types of field.h, LEVY_FIELD_TEXT to LEVY_FIELD_TENOR. False: a fault was added, the
 * target is unchanged. */
bool levy_reader_is_scalar(levy_field_type type);
bool levy_reader_scalar(const levy_spot *at, const levy_field *field, void *target);
/* Writes what stands for an absent scalar. */
void levy_reader_absent(levy_field_type type, void *target);
bool levy_reader_name(const levy_spot *at); /* LEVY_FIELD_NAME's rule */

/* "a, b, c" of a NULL-terminated list after `before`, without aliases ("x=a"), in the arena; NULL:
 * no memory. */
const char *levy_reader_join(const levy_reader *reader, const char *before,
                             const char *const *words);

#endif
