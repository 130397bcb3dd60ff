/* written.c: see written.h. */
#include "payoffs/written.h"

#include "payoffs/checks.h"
#include "payoffs/scripted.h"

#include <string.h>

const char *const levy_written_levels[] = {"absolute", "percent_of_initial", NULL};
const char *const levy_written_knocks[] = {"out", "in", NULL};
const char *const levy_written_sides[] = {"up", "down", NULL};

bool levy_written_owes(const levy_claim *claim)
{
    (void)claim;
    return true;
}

bool levy_written_check_returns(const levy_payoff_frame *frame)
{
    if (frame->terms->strike_type != LEVY_STRIKE_PERCENT)
        return LEVY_REFUSE_KEY(frame, INCONSISTENT, "levels", "Remove it.",
                               "returns are those of fractions of the initial fixing");
    for (size_t i = 0; i < frame->n_underlyings; ++i)
        if (frame->weights[i] != 1.0)
            return LEVY_REFUSE(frame->check, INCONSISTENT, frame->underlyings,
                               levy_check_text(frame->check, "%s.underlyings", frame->path),
                               "Remove the weights.", "a payoff on returns takes no weights");
    return true;
}

bool levy_written_check_pair(const levy_payoff_frame *frame)
{
    return frame->n_underlyings == 2 ||
           LEVY_REFUSE(frame->check, INCONSISTENT, frame->node,
                       levy_check_text(frame->check, "%s.payoff", frame->path),
                       "Write underlyings: [FIRST, SECOND].", "%s needs two underlyings",
                       frame->kind->kind);
}

/* The numbers of a field. False: it is no parameter. */
static bool written_numbers(const levy_field *field, const char *terms, double *number,
                            levy_script_parameter *p)
{
    const levy_list *const list = (const levy_list *)(terms + field->offset);
    *p = (levy_script_parameter){.name = field->name, .values = number, .n = 1};
    switch ((int)field->type) {
    case LEVY_FIELD_NUMBER:
        *number = *(const double *)(terms + field->offset);
        return true;
    case LEVY_FIELD_CHOICE:
        *number = (double)*(const int32_t *)(terms + field->offset);
        return true;
    case LEVY_FIELD_FLAG:
        *number = *(const bool *)(terms + field->offset) ? 1.0 : 0.0;
        return true;
    case LEVY_FIELD_COUNT:
        *number = (double)*(const uint64_t *)(terms + field->offset);
        return true;
    case LEVY_FIELD_LIST:
        if (field->element != LEVY_FIELD_NUMBER) return false;
        p->values = list->items;
        p->n = list->count;
        p->is_list = list->node && list->node->kind == LEVY_NODE_LIST;
        return true;
    default:
        return false;
    }
}

/* Levels, and amounts beside them, are those without a range of their own. */
enum { WRITTEN_UNBOUNDED = 1000000 };

/* Where levels are fractions of the initial fixing, 100 is no per cent. What a key that is left out
 * stands for may be: no end, no cap. */
static bool written_check_fractions(const levy_payoff_frame *frame, const levy_field *field,
                                    const levy_script_parameter *p)
{
    const bool bounded =
        field->high <= WRITTEN_UNBOUNDED || !levy_node_find(frame->node, field->name);
    for (size_t i = 0; !bounded && i < p->n; ++i)
        if (!levy_payoff_check_fraction(frame, field->name, p->values[i])) return false;
    return true;
}

bool levy_written_source(const levy_payoff_frame *frame, const char *text,
                         levy_script_source *source)
{
    const levy_field *const fields = frame->table->fields;
    const bool defined = frame->table != frame->kind->table; /* by a file, which sets the ranges */
    size_t n = 0;
    bool good = true;
    while (fields[n].name) ++n;
    double *const numbers = levy_check_allocate(frame->check, n, sizeof *numbers);
    levy_named_schedule *const schedules = levy_check_allocate(frame->check, n, sizeof *schedules);
    source->parameters = levy_check_allocate(frame->check, n, sizeof *source->parameters);
    if (!numbers || !schedules || !source->parameters) return false;
    source->text = text;
    source->schedules = schedules;
    for (size_t k = 0; k < n; ++k) {
        const levy_field *const field = &fields[k];
        const char *const at = (const char *)frame->terms;
        if (levy_script_refuses_name(field->name)) continue; /* `levels` */
        if (field->table == &levy_schedule_table)
            schedules[source->n_schedules++] = (levy_named_schedule){
                *(const levy_schedule_terms *)(at + field->offset), field->name};
        else if (written_numbers(field, at, &numbers[k],
                                 &source->parameters[source->n_parameters])) {
            const levy_script_parameter *const p = &source->parameters[source->n_parameters++];
            good = (defined || written_check_fractions(frame, field, p)) && good;
            if (field->unit && strcmp(field->unit, LEVY_RETURNS_PER_YEAR) == 0) source->returns = p;
            if (field->unit && strcmp(field->unit, LEVY_COUPON_OF_A_DATE) == 0) source->coupon = p;
        }
    }
    return good;
}
