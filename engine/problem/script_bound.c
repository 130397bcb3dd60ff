/* script_bound.c: the other bound of a script with a right, if it is asked for
 * (payoffs/rights_bound.h): its text is compiled anew between the lines of a martingale. See
 * script_build.h. Must not know: how the martingale is fitted. */
#include "engine/problem/script_build.h"

#include "models/model.h"
#include "payoffs/rights_bound.h"

#include <math.h>
#include <string.h>

/* Deviations from the mean at expiry of what Europeans of the martingale are struck at. */
static const double bound_strikes[LEVY_DUAL_STRIKES] = {-0.7, 0.0, 0.7};

/* Why there is no bound; NULL: there is. */
static const char *bound_objection(const levy_script_build *b)
{
    const levy_script *const script = &b->scripted->script;
    const levy_trade *const t = b->trade;
    if (script->n_rights > 1 || !script->rights[0].stops)
        return "its script needs one right, and that ends with stop";
    if (levy_trade_pays_cash(t)) return "its martingale needs assets without cash dividends";
    if (levy_model_drifts(t->model->kind, t->model->terms) || levy_trade_is_paid_by_path(t))
        return "its martingale needs drifts that are those of all paths";
    if (script->program->n_assets > LEVY_DUAL_ASSETS)
        return "its martingale takes three underlyings at most";
    return NULL;
}

/* Strikes about the mean at expiry; returns how many there are. */
static size_t bound_strike(const levy_script_build *b, double *strikes)
{
    const levy_trade *const t = b->trade;
    const levy_asset *const asset = levy_trade_asset(t, 0);
    const double deviation = sqrt(levy_asset_variance(asset, t->claim.expiry)),
                 mean = t->claim.coefficients[0] * asset->spot *
                        exp(levy_asset_log_forward(asset, t->claim.expiry));
    if (!levy_trade_is_lognormal(t) || !(mean > 0.0)) return 0;
    for (size_t k = 0; k < LEVY_DUAL_STRIKES; ++k)
        strikes[k] = mean * exp(bound_strikes[k] * deviation);
    return LEVY_DUAL_STRIKES;
}

/* The script's parameters, and the bound's lists of numbers by date. */
static levy_script_parameter *bound_parameters(levy_script_build *b, const levy_rights_bound *bound)
{
    const size_t n = b->source->n_parameters;
    levy_script_parameter *const all =
        levy_check_allocate(b->check, n + bound->n_numbers, sizeof *all);
    static const double none;
    if (!all) return NULL;
    if (n) memcpy(all, b->source->parameters, n * sizeof *all);
    for (size_t k = 0; k < bound->n_numbers; ++k)
        all[n + k] = (levy_script_parameter){.name = bound->names[k],
                                             .values = &none,
                                             .n = 1,
                                             .is_list = true,
                                             .rule = bound->first + k + 1};
    return all;
}

static const char *bound_text(levy_script_build *b, const levy_rights_bound *bound)
{
    levy_script_form *const forms = levy_check_allocate(b->check, 2, sizeof *forms);
    const levy_script *const script = &b->scripted->script;
    const uint32_t schedule =
        LEVY_SCRIPT_PROGRAM_BLOCKS(script->program)[script->rights[0].block].schedule;
    if (!forms) return NULL;
    levy_rights_bound_write(bound, b->names[schedule], &forms[0], &forms[1]);
    return levy_check_text(b->check, "%s%s%s", forms[0].text, b->source->text, forms[1].text);
}

/* Compiles it, as the script is. False: no memory, or `why` says why it cannot be. */
static bool bound_compile(levy_script_build *b, const levy_rights_bound *bound, const char **why)
{
    levy_script_fault fault;
    const char *const text = bound_text(b, bound);
    const char **const names =
        levy_check_allocate(b->check, b->trade->n_underlyings, sizeof *names);
    const levy_script_frame frame = {.text = text,
                                     .length = text ? strlen(text) : 0,
                                     .parameters = bound_parameters(b, bound),
                                     .n_parameters = b->source->n_parameters + bound->n_numbers,
                                     .schedules = b->names,
                                     .n_schedules = b->n,
                                     .n_assets = (uint32_t)b->trade->n_underlyings,
                                     .names = names,
                                     .expiry = b->trade->claim.expiry,
                                     .supposed =
                                         bound->least ? LEVY_SCRIPT_LEAST_OF : LEVY_SCRIPT_MOST_OF,
                                     .open = bound->first,
                                     .is_mended = true};
    if (!text || !names || !frame.parameters) return false;
    for (size_t u = 0; u < b->trade->n_underlyings; ++u)
        names[u] = levy_trade_asset(b->trade, u)->name;
    if (levy_script_compile(&frame, b->check->arena, &b->scripted->script, &fault)) {
        b->scripted->script.places = NULL;
        b->scripted->parameters = frame.parameters;
        return true;
    }
    if (fault.out_of_memory) return b->check->out_of_memory = true, false;
    *why = levy_check_text(b->check, "its script has no room for a martingale: %s", fault.message);
    return false;
}

bool levy_script_bound(levy_script_build *b, levy_rights *rights)
{
    levy_scripted *const own = b->scripted;
    const levy_script_right *const right = &own->script.rights[0];
    if (!(levy_trade_asks(b->frame->problem, b->trade) & LEVY_MEASURE_UPPER_BOUND)) return true;
    rights->without = bound_objection(b);
    levy_rights_bound *const bound = levy_check_allocate(b->check, 1, sizeof *bound);
    levy_scripted *const scripted = levy_check_allocate(b->check, 1, sizeof *scripted);
    if (!bound || !scripted) return false;
    if (rights->without) return true;
    *bound = (levy_rights_bound){.first = levy_rights_numbers(own),
                                 .least = right->issuer,
                                 .several = b->trade->n_underlyings > 1,
                                 .n_assets = own->script.program->n_assets};
    const size_t n_strikes =
        bound->n_assets == 1 && !bound->several ? bound_strike(b, bound->strikes) : 0;
    levy_rights_bound_begin(bound, n_strikes, own->variances && bound->n_assets == 1);
    *scripted = *own;
    scripted->rights = rights;
    levy_script_build other = *b;
    other.scripted = scripted;
    scripted->owed = NULL;
    scripted->n_owed = scripted->owed_room = 0;
    if (!bound_compile(&other, bound, &rights->without)) return rights->without != NULL;
    if (!levy_script_run_past(&other)) return false;
    rights->bound = bound;
    own->bound = scripted;
    return true;
}
