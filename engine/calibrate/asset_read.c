/* asset_read.c: the assets whose options are quoted, and the law of all of them: parameters that
 * they share, and of the others one for each asset. See calibration.h. Must not know: prices. */
#include "engine/calibrate/calibration.h"

#include <string.h>

/* Does a model of several assets have one number for each, and nobody asks for one of all? */
static bool asset_has_own(const levy_raw_calibration *raw, const levy_exponent_parameter *parameter)
{
    const levy_raw_law_parameter *const items = raw->parameters.items;
    bool own = parameter->of_asset || parameter->of_market;
    for (size_t i = 0; i < raw->parameters.count; ++i)
        own = own && !(items[i].shared && strcmp(items[i].name, parameter->name) == 0);
    return own;
}

static bool asset_refuse(levy_check *build, const levy_node *node, const char *path,
                         const char *hint, const char *message)
{
    return LEVY_REFUSE(build, INCONSISTENT, node, path, hint, "%s", message);
}

/* Is what is shared one of each asset's parameters? */
static bool asset_check_shared(levy_check *build, const levy_calibration *c)
{
    const levy_raw_law_parameter *const items = c->raw->parameters.items;
    for (size_t i = 0; i < c->raw->parameters.count; ++i) {
        const char *const path = levy_check_text(build, "calibration.parameters.%s", items[i].name);
        if (items[i].shared && c->n_assets == 1)
            return asset_refuse(build, items[i].node, path,
                                "Give quotes of another asset: {asset: NDX, expiry: 1.0, ...}.",
                                "is shared by nobody: all quotes are of one asset");
        if (items[i].shared && strchr(items[i].name, '.'))
            return asset_refuse(build, items[i].node, path, "Write kappa: {shared: true}.",
                                "is of one asset, and is not shared");
    }
    return true;
}

/* The number of the quote's asset, which is a new one if it has not been named before. */
static size_t asset_number(levy_calibration *c, const char *name)
{
    size_t a = 0;
    while (a < c->n_assets && strcmp(c->names[a], name) != 0) ++a;
    if (a == c->n_assets && a < LEVY_EXPONENT_MOST) c->names[c->n_assets++] = name;
    return a;
}

static bool asset_names(levy_check *build, levy_calibration *c)
{
    const levy_raw_calibration *const raw = c->raw;
    const levy_raw_smile_quote *const items = raw->quotes.items;
    c->of = levy_check_allocate(build, raw->quotes.count, sizeof *c->of);
    if (!c->of) return false;
    c->names[0] = raw->asset;
    c->n_assets = 1;
    for (size_t i = 0; i < raw->quotes.count; ++i) {
        c->of[i] = asset_number(c, items[i].asset ? items[i].asset : raw->asset);
        if (c->of[i] == LEVY_EXPONENT_MOST)
            return asset_refuse(build, items[i].node,
                                levy_check_text(build, "calibration.quotes[%zu].asset", i),
                                "Fit some of them apart.", "a fit has at most 20 parameters");
    }
    return true;
}

/* Gives asset a its parameters, of which n are there already. Returns how many there are then. */
static size_t asset_places(levy_check *build, levy_calibration *c, size_t a, size_t n)
{
    for (size_t k = 0; k < c->each->n && n <= LEVY_EXPONENT_MOST; ++k) {
        const bool own = asset_has_own(c->raw, &c->each->parameters[k]);
        const size_t at = c->places[a][k] = own || a == 0 ? n++ : c->places[0][k];
        if (at == LEVY_EXPONENT_MOST) break;
        c->of_terms[at] = c->each->parameters[k];
        if (own)
            c->of_terms[at].name =
                levy_check_text(build, "%s.%s", c->names[a], c->each->parameters[k].name);
    }
    return n;
}

/* Makes the law of all assets. */
static bool asset_join(levy_check *build, levy_calibration *c)
{
    size_t n = 0;
    for (size_t a = 0; a < c->n_assets; ++a) n = asset_places(build, c, a, n);
    if (n > LEVY_EXPONENT_MOST)
        return asset_refuse(build, c->raw->node, "calibration",
                            "Share some, parameters: {kappa: {shared: true}}, or fit assets apart.",
                            "a fit has at most 20 parameters");
    c->by_term = (levy_exponent){
        .kind = c->each->kind, .n = n, .parameters = c->of_terms, .form = c->each->form};
    c->law = &c->by_term;
    return !build->out_of_memory;
}

bool levy_assets_read(levy_check *build, levy_calibration *c)
{
    c->each = c->law;
    for (size_t k = 0; k < c->law->n; ++k) c->places[0][k] = k;
    if (!asset_names(build, c) || !asset_check_shared(build, c)) return false;
    c->all_names = c->names[0];
    for (size_t a = 1; a < c->n_assets; ++a)
        c->all_names = levy_check_text(build, "%s, %s", c->all_names, c->names[a]);
    if (c->n_assets == 1) return true;
    if (c->raw->terms.count > 0)
        return asset_refuse(build, c->raw->terms.node, "calibration.terms",
                            "Leave them out, or fit the assets apart.",
                            "terms are fitted to one asset");
    return asset_join(build, c);
}
