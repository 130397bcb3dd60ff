/* schema_term.c: a number that may have a term structure: {kind: term, nodes: [[time, number],
 * ...]}. See schema_parts.h. Must not know: any key's meaning. */
#include "engine/schema/schema_parts.h"

#include <math.h>

void levy_schema_term(const levy_spot *at, const levy_field *field, void *target)
{
    levy_term *const term = target;
    const levy_field nodes[] = {{LEVY_KEY("nodes", TIME_VALUES, levy_term, nodes),
                                 .flags = field->flags | LEVY_REQUIRED | LEVY_NON_EMPTY,
                                 .low = field->low, .high = field->high, .unit = field->unit,
                                 .doc = "[time, number] pairs: each number holds until its time."},
                                {0}};
    const levy_table by_term = {
        .name = field->name, .size = sizeof(levy_term), .fields = nodes, .doc = field->doc};
    const levy_variant kinds[] = {{"term", &by_term}, {0}};
    const levy_table table = {.name = field->name,
                              .doc = field->doc,
                              .size = sizeof(levy_variant_value),
                              .variants = kinds,
                              .example = "{kind: term, nodes: [[0.5, 0.04], [1.0, 0.05]]}"};
    const levy_field map = {.name = field->name, .type = LEVY_FIELD_VARIANT, .table = &table};
    levy_variant_value read = {.kind = -1};
    *term = (levy_term){.node = at->node, .value = (double)NAN};
    if (at->node->kind == LEVY_NODE_LIST) {
        levy_schema_refuse_shape(at, "a number",
                                 "Of terms write {kind: term, nodes: [[0.5, 0.04], [1.0, 0.05]]}.");
        return;
    }
    if (at->node->kind != LEVY_NODE_MAP) {
        term->value = levy_schema_number(at, field);
        return;
    }
    levy_schema_value(at, &map, &read);
    if (read.kind >= 0) term->nodes = ((const levy_term *)read.value)->nodes;
}
