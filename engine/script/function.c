/* function.c: the functions of a script. Must not know: statements. */
#include "engine/script/compile.h"

#include "engine/base/error.h"

#include <string.h>

enum { FUNCTION_MOST_SORTED = 16 }; /* a network grows with the square */

/* What a function takes and makes. */
typedef enum function_form {
    FUNCTION_FOLD,  /* numbers, two or more: one of them, component by component */
    FUNCTION_EACH,  /* a number: of each component */
    FUNCTION_MERGE, /* a list: one number */
    FUNCTION_MEAN,
    FUNCTION_SORTED,
    FUNCTION_COUNT, /* a list of conditions: how many hold */
    FUNCTION_JOIN,  /* a list of conditions: one */
    FUNCTION_FIRST  /* a list of conditions: the first that holds */
} function_form;

typedef struct function_kind {
    const char *name;
    function_form form;
    levy_script_op op;
} function_kind;

static const function_kind functions[] = {{"abs", FUNCTION_EACH, LEVY_SCRIPT_MAGNITUDE},
                                          {"all", FUNCTION_JOIN, LEVY_SCRIPT_AND},
                                          {"any", FUNCTION_JOIN, LEVY_SCRIPT_OR},
                                          {"best", FUNCTION_MERGE, LEVY_SCRIPT_GREATEST},
                                          {"count", FUNCTION_COUNT, LEVY_SCRIPT_ADD},
                                          {"exp", FUNCTION_EACH, LEVY_SCRIPT_EXP},
                                          {"first", FUNCTION_FIRST, LEVY_SCRIPT_AND},
                                          {"log", FUNCTION_EACH, LEVY_SCRIPT_LOG},
                                          {"max", FUNCTION_FOLD, LEVY_SCRIPT_GREATEST},
                                          {"mean", FUNCTION_MEAN, LEVY_SCRIPT_ADD},
                                          {"min", FUNCTION_FOLD, LEVY_SCRIPT_LEAST},
                                          {"product", FUNCTION_MERGE, LEVY_SCRIPT_MULTIPLY},
                                          {"sorted", FUNCTION_SORTED, LEVY_SCRIPT_LEAST},
                                          {"sqrt", FUNCTION_EACH, LEVY_SCRIPT_ROOT},
                                          {"sum", FUNCTION_MERGE, LEVY_SCRIPT_ADD},
                                          {"worst", FUNCTION_MERGE, LEVY_SCRIPT_LEAST}};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static const function_kind *function_find(const script_token *name)
{
    for (size_t k = 0; k < FUNCTIONS; ++k)
        if (levy_script_token_is(name, functions[k].name)) return &functions[k];
    return NULL;
}

bool levy_script_is_function(const script_token *name) { return function_find(name) != NULL; }

const char *levy_script_function_argument(const script_token *name)
{
    const function_kind *const kind = function_find(name);
    switch (kind ? kind->form : FUNCTION_MERGE) {
    case FUNCTION_FOLD:
        return "level - 1, 0";
    case FUNCTION_EACH:
        return "level";
    case FUNCTION_COUNT:
    case FUNCTION_JOIN:
    case FUNCTION_FIRST:
        return "levels > 1";
    case FUNCTION_MERGE:
    case FUNCTION_MEAN:
    case FUNCTION_SORTED:
        break;
    }
    return "levels";
}

static bool function_unknown(compiler *c, const script_token *at)
{
    const char *names[FUNCTIONS + 1] = {NULL}, *const name = levy_script_token_name(at, c->arena);
    char phrase[LEVY_MEANT_SIZE];
    if (!name) return c->fault->out_of_memory = true, false;
    for (size_t k = 0; k < FUNCTIONS; ++k) names[k] = functions[k].name;
    return levy_script_refuse(
        c, at,
        "Functions: abs all any best count exp first log max mean min product "
        "sorted sqrt sum worst.",
        "there is no function '%s'%s", name, levy_meant(levy_nearest(name, names), phrase));
}

/* Component k of a value, as one. */
static script_value function_item(const script_value *list, uint32_t k)
{
    script_value one = *list;
    one.is_list = false;
    one.n = 1;
    one.at = list->at + (list->n == 1 ? 0 : k);
    return one;
}

static bool function_merge(compiler *c, levy_script_op op, const script_value *list,
                           script_value *value)
{
    *value = function_item(list, 0);
    for (uint32_t k = 1; k < list->n; ++k) {
        const script_value so_far = *value, next = function_item(list, k);
        if (!levy_script_combine(c, op, &so_far, &next, value)) return false;
    }
    value->is_condition = list->is_condition;
    return true;
}

static bool function_mean(compiler *c, const script_value *list, script_value *value)
{
    script_value sum = {0}, n = {0};
    return function_merge(c, LEVY_SCRIPT_ADD, list, &sum) &&
           levy_script_constant(c, (double)list->n, &n) &&
           levy_script_combine(c, LEVY_SCRIPT_DIVIDE, &sum, &n, value);
}

/* The best first: a network of exchanges between neighbours. */
static bool function_sorted(compiler *c, const script_expression *call, const script_value *list,
                            script_value *value)
{
    *value = *list;
    if (list->n > FUNCTION_MOST_SORTED)
        return levy_script_refuse(c, &call->at, "Use best, worst or mean.",
                                  "sorted takes at most %d assets", FUNCTION_MOST_SORTED);
    if (!levy_script_value_room(c, value, list->n)) return false;
    memcpy(value->at, list->at, list->n * sizeof *value->at);
    for (uint32_t done = 0; done + 1 < list->n; ++done)
        for (uint32_t k = list->n - 1; k > done; --k) {
            const script_value x = function_item(value, k - 1), y = function_item(value, k);
            script_value high = {0}, low = {0};
            if (!levy_script_combine(c, LEVY_SCRIPT_GREATEST, &x, &y, &high) ||
                !levy_script_combine(c, LEVY_SCRIPT_LEAST, &x, &y, &low))
                return false;
            value->at[k - 1] = high.at[0];
            value->at[k] = low.at[0];
        }
    return true;
}

/* Conditions are 1 and 0. */
static bool function_count(compiler *c, const script_value *list, script_value *value)
{
    if (!function_merge(c, LEVY_SCRIPT_ADD, list, value)) return false;
    value->is_condition = false;
    return true;
}

static bool function_first(compiler *c, const script_value *list, script_value *value)
{
    script_value none = {0}, here = {0}, not_here = {0}, before = {0};
    *value = (script_value){.is_condition = true, .is_list = true};
    if (!levy_script_value_room(c, value, list->n) || !levy_script_constant(c, 1.0, &none))
        return false;
    for (uint32_t k = 0; k < list->n; ++k) {
        const script_value item = function_item(list, k);
        before = none;
        if (!levy_script_combine(c, LEVY_SCRIPT_AND, &before, &item, &here) ||
            !levy_script_combine(c, LEVY_SCRIPT_NOT, &item, &item, &not_here) ||
            !levy_script_combine(c, LEVY_SCRIPT_AND, &before, &not_here, &none))
            return false;
        value->at[k] = levy_script_component(&here, 0);
    }
    return !c->fault->out_of_memory;
}

/* ---- Arguments ---- */

static bool function_wants(compiler *c, const script_expression *call,
                           const script_expression *argument, const function_kind *kind,
                           const script_value *value)
{
    const bool lists = kind->form != FUNCTION_FOLD && kind->form != FUNCTION_EACH;
    const bool conditions = kind->form >= FUNCTION_COUNT;
    if (value->is_condition != conditions)
        return levy_script_refuse(
            c, &argument->at, conditions ? "Compare: levels > 1." : "Write: 1 if condition else 0.",
            "%s takes %s", kind->name, conditions ? "conditions" : "numbers");
    if (lists && !value->is_list && c->frame->n_assets > 1)
        return levy_script_refuse(c, &argument->at, "Write levels for the levels of all assets.",
                                  "%s takes a list with one for each asset", kind->name);
    if (kind->form != FUNCTION_FOLD && argument->next)
        return levy_script_refuse(c, &call->at, "For the least of several numbers write min(a, b).",
                                  "%s takes one argument", kind->name);
    return true;
}

static bool function_fold(compiler *c, const script_expression *call, const function_kind *kind,
                          script_value *value)
{
    if (!call->first->next)
        return levy_script_refuse(
            c, &call->at, "For the least of a list write worst(list), for the greatest best(list).",
            "%s takes two numbers or more", kind->name);
    for (const script_expression *a = call->first->next; a; a = a->next) {
        const script_value so_far = *value;
        script_value next = {0};
        if (!levy_script_evaluate(c, a, &next) || !function_wants(c, call, a, kind, &next) ||
            !levy_script_match(c, &a->at, &so_far, &next) ||
            !levy_script_combine(c, kind->op, &so_far, &next, value))
            return false;
    }
    return true;
}

bool levy_script_call(compiler *c, const script_expression *call, script_value *value)
{
    const function_kind *const kind = function_find(&call->at);
    script_value a = {0};
    if (!kind) return function_unknown(c, &call->at);
    if (!levy_script_evaluate(c, call->first, &a) ||
        !function_wants(c, call, call->first, kind, &a))
        return false;
    *value = a;
    switch ((int)kind->form) {
    case FUNCTION_FOLD:
        return function_fold(c, call, kind, value);
    case FUNCTION_EACH:
        return levy_script_combine(c, kind->op, &a, &a, value);
    case FUNCTION_MEAN:
        return function_mean(c, &a, value);
    case FUNCTION_SORTED:
        return function_sorted(c, call, &a, value);
    case FUNCTION_COUNT:
        return function_count(c, &a, value);
    case FUNCTION_FIRST:
        return function_first(c, &a, value);
    default:
        return function_merge(c, kind->op, &a, value);
    }
}
