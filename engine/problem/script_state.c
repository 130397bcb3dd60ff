/* script_state.c: see script_state.h. */
#include "engine/problem/script_state.h"

#include "engine/base/number.h"

#include <string.h>

enum { STATE_PAID = 0 /* the payments so far, in money of the payment date */ };

typedef struct state_build {
    levy_check *check;
    const levy_trade_frame *frame;
    const levy_trade *trade;
    const levy_script *script;
    double *states;
} state_build;

static const char *state_path(state_build *b, const char *key)
{
    return levy_check_text(b->check, "%s.payoff.%s", b->frame->path, key);
}

/* ---- What to write ---- */

/* All variables as they start: "Write state: {gained: 0}, for example." */
static const char *state_hint(state_build *b)
{
    const char *text = "", *comma = "";
    for (size_t k = 0; k < b->script->n_variables; ++k, comma = ", ") {
        const levy_script_variable *const v = &b->script->variables[k];
        /* one number may replace a list */
        text = levy_check_text(b->check, "%s%s%s: %s", text, comma, v->name,
                               levy_check_number(b->check, b->script->constants[v->state]));
    }
    return levy_check_text(b->check, "Write state: {%s}, for example.", text);
}

static const char *state_nearest(state_build *b, const char *name)
{
    const size_t n = b->script->n_variables;
    const char **const names = levy_check_allocate(b->check, n + 1, sizeof *names);
    if (!names) return NULL;
    for (size_t k = 0; k < n; ++k) names[k] = b->script->variables[k].name;
    return levy_nearest(name, names);
}

/* ---- Values ---- */

/* hint: what to write */
static bool state_number(state_build *b, const levy_node *node, const char *path, const char *hint,
                         double *value)
{
    if (node->kind != LEVY_NODE_SCALAR || node->quoted ||
        levy_number_read(node->text, node->length, value) != LEVY_NUMBER_OK)
        return LEVY_REFUSE(b->check, TYPE, node, path, hint, "expected a number; got %s",
                           levy_check_shown(node));
    return (*value >= -1e15 && *value <= 1e15) ||
           LEVY_REFUSE(b->check, RANGE, node, path, "Numbers are per unit, not times the notional.",
                       "must be in [-1e15, 1e15]; got %s", levy_check_shown(node));
}

static bool state_list(state_build *b, const levy_script_variable *v, const levy_node *node,
                       const char *path)
{
    uint32_t k = 0;
    bool good = true;
    if (!v->is_list)
        return LEVY_REFUSE(b->check, TYPE, node, path, state_hint(b),
                           "the variable '%s' is one number; got a list", v->name);
    if (node->count != v->n)
        return LEVY_REFUSE(b->check, INCONSISTENT, node, path, "Give a number for each underlying.",
                           "'%s' has %u numbers, but there are %u underlyings", v->name,
                           (unsigned)node->count, (unsigned)v->n);
    for (const levy_node *item = node->children; item; item = item->next, ++k)
        good = state_number(b, item, levy_check_text(b->check, "%s[%u]", path, (unsigned)k),
                            state_hint(b), &b->states[v->state + k]) &&
               good;
    return good;
}

/* A right was used or not; one that ends the trade has ended it. */
static bool state_right(state_build *b, const levy_script_right *right, const levy_node *node,
                        const char *path, double value)
{
    if (value != 0.0 && value != 1.0)
        return LEVY_REFUSE(
            b->check, RANGE, node, path,
            levy_check_text(b->check, "Write %s: 1 if it was used, else 0.", right->name),
            "a right was used or not; got %s", levy_check_shown(node));
    if (value == 1.0 && right->stops && b->script->alive) b->states[b->script->alive] = 0.0;
    return true;
}

/* One number in place of a list holds for all assets. */
static bool state_value(state_build *b, const levy_script_variable *v, const levy_node *node)
{
    const char *const path = levy_check_text(b->check, "%s.%s", state_path(b, "state"), v->name);
    double value = 0.0;
    if (node->kind == LEVY_NODE_LIST) return state_list(b, v, node, path);
    if (!state_number(b, node, path, state_hint(b), &value)) return false;
    for (uint32_t k = 0; k < v->n; ++k) b->states[v->state + k] = value;
    for (size_t k = 0; k < b->script->n_rights; ++k)
        if (b->script->rights[k].used == v->state)
            return state_right(b, &b->script->rights[k], node, path, value);
    return true;
}

static bool state_entry(state_build *b, const levy_node *node, bool *given)
{
    const char *const name = levy_check_key(node);
    char meant[LEVY_MEANT_SIZE];
    for (size_t k = 0; k < b->script->n_variables; ++k)
        if (strcmp(b->script->variables[k].name, name) == 0)
            return given[k] = true, state_value(b, &b->script->variables[k], node);
    return LEVY_REFUSE(b->check, UNKNOWN_NAME, node->key,
                       levy_check_text(b->check, "%s.%s", state_path(b, "state"), name),
                       state_hint(b), "the script has no variable '%s'%s", name,
                       levy_meant(state_nearest(b, name), meant));
}

bool levy_script_owes(levy_check *check, levy_scripted *scripted, double time, double amount)
{
    if (!LEVY_CHECK_GROW(check, scripted->owed, scripted->n_owed, scripted->owed_room, 4))
        return false;
    scripted->owed[scripted->n_owed++] = (levy_script_owed){time, amount};
    return true;
}

static const char state_owed_hint[] = "Write unpaid: [[DATE, 0.01]], for example.";

/* [date, amount] */
static bool state_owed(state_build *b, const levy_node *pair, const char *path)
{
    const levy_reader reader = levy_build_reader(b->check);
    levy_time time = {.node = NULL};
    double years = 0.0, amount = 0.0;
    if (pair->kind != LEVY_NODE_LIST || pair->count != 2)
        return LEVY_REFUSE(b->check, TYPE, pair, path, state_owed_hint,
                           "expected [date, amount]; got %s", levy_check_shown(pair));
    const char *const at = levy_check_text(b->check, "%s[0]", path);
    if (!levy_read_time(&reader, pair->children, at, &time) ||
        !levy_check_time(b->check, &time, at, &years) ||
        !state_number(b, pair->children->next, levy_check_text(b->check, "%s[1]", path),
                      state_owed_hint, &amount))
        return false;
    if (years < -1e-9 || years > b->trade->claim.payment_time + 1e-9)
        return LEVY_REFUSE(b->check, RANGE, pair->children, at,
                           "Leave out what has been paid; move the payment date if it is later.",
                           "%s is not from the valuation to the trade's payment date",
                           levy_check_shown(pair->children));
    return levy_script_owes(b->check, b->trade->kind.scripted, years, amount);
}

static bool state_unpaid(state_build *b)
{
    const levy_node *const node = b->trade->claim.terms->unpaid;
    const bool list = node && node->kind == LEVY_NODE_LIST;
    size_t k = 0;
    bool good = true;
    for (const levy_node *pair = list ? node->children : NULL; pair; pair = pair->next, ++k)
        good =
            state_owed(b, pair, levy_check_text(b->check, "%s[%zu]", state_path(b, "unpaid"), k)) &&
            good;
    if (list) return good;
    return !node || state_number(b, node, state_path(b, "unpaid"),
                                 "Write unpaid: 0.01, or unpaid: [[DATE, 0.01]], for example.",
                                 &b->states[STATE_PAID]);
}

/* ---- The whole ---- */

bool levy_script_has_state(const levy_trade *trade) { return trade->claim.terms->state; }

/* A variable that is left out would be a guess. */
static bool state_all(state_build *b, const levy_node *state)
{
    const size_t n = b->script->n_variables;
    bool *const given = levy_check_allocate(b->check, n, sizeof *given), good = true;
    if (!given) return false;
    for (const levy_node *node = state->children; node; node = node->next)
        good = state_entry(b, node, given) && good;
    for (size_t k = 0; good && k < n; ++k)
        if (!given[k])
            return LEVY_REFUSE(b->check, MISSING_KEY, state, state_path(b, "state"), state_hint(b),
                               "says nothing of the variable '%s'", b->script->variables[k].name);
    return good;
}

bool levy_script_take_state(const levy_trade_frame *frame, const levy_trade *trade, double *states)
{
    state_build b = {frame->build, frame, trade, &trade->kind.scripted->script, states};
    const levy_node *const state = trade->claim.terms->state;
    const levy_node *const unpaid = trade->claim.terms->unpaid;
    if (!state && unpaid)
        return LEVY_REFUSE(frame->build, INCONSISTENT, unpaid, state_path(&b, "unpaid"),
                           "Remove it, or add state: without one, past dates are run on fixings.",
                           "is only allowed with state");
    if (!state) return true;
    if (state->kind != LEVY_NODE_MAP)
        return LEVY_REFUSE(frame->build, TYPE, state, state_path(&b, "state"), state_hint(&b),
                           "must be a map of variables; got %s", levy_check_shown(state));
    const bool good = state_all(&b, state);
    return state_unpaid(&b) && good;
}
