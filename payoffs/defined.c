/* defined.c: see defined.h. */
#include "payoffs/defined.h"

#include "payoffs/scripted.h"
#include "payoffs/written.h"

const levy_defined_kind *levy_defined_of(const levy_table *table)
{
    return table && table != &levy_payoff_script_table ? (const levy_defined_kind *)table : NULL;
}

bool levy_defined_source(const levy_payoff_frame *frame, levy_script_source *source)
{
    const levy_defined_kind *const kind = levy_defined_of(frame->table);
    source->place = kind->script;
    return levy_written_source(frame, kind->text, source);
}

static size_t defined_size(const levy_field *field)
{
    switch ((int)field->type) {
    case LEVY_FIELD_NUMBER:
        return sizeof(double);
    case LEVY_FIELD_COUNT:
        return sizeof(uint64_t);
    case LEVY_FIELD_FLAG:
        return sizeof(bool);
    case LEVY_FIELD_CHOICE:
        return sizeof(int32_t);
    case LEVY_FIELD_LIST:
        return sizeof(levy_list);
    default:
        return sizeof(levy_schedule_terms);
    }
}

void levy_defined_place(levy_field *field, size_t *size)
{
    const size_t step = _Alignof(max_align_t);
    field->offset = *size;
    *size += (defined_size(field) + step - 1) / step * step;
}
