/* setting_keys.c: see setting_keys.h. Guesses what an unknown key was meant to be: a setting by its
 * last word, a key of a map of settings, a quote, or the nearest setting. */
#include "engine/problem/setting_keys.h"

#include "engine/market/factor.h"

#include <string.h>

static const levy_place setting_place = {.file = "--set"};

typedef struct setting_names {
    const char **keys;
    size_t n;
} setting_names;

enum { SETTING_KEYS = 64 };

/* Adds the keys of a table, which lies at `path`. Objects that lie in each other are few. */
static void setting_keys_of(levy_check *build, const levy_table *table, const char *path,
                            setting_names *names)
{
    for (const levy_field *field = table->fields; field->name; ++field) {
        const bool is_object = field->type == LEVY_FIELD_OBJECT;
        const char *const key = levy_check_text(build, "%s.%s", path, field->name);
        if ((!is_object || field->table->shorthand_key) && names->n < SETTING_KEYS)
            names->keys[names->n++] = key;
        if (is_object) setting_keys_of(build, field->table, key, names);
    }
}

/* All known keys, then NULL. NULL: no memory. */
static const char **setting_keys(levy_check *build)
{
    setting_names names = {.keys =
                               levy_check_allocate(build, SETTING_KEYS + 2, sizeof *names.keys)};
    if (!names.keys) return NULL;
    names.keys[names.n++] = "measures";
    names.keys[names.n++] = "report_currency";
    setting_keys_of(build, &levy_simulation_table, "simulation", &names);
    return names.keys;
}

/* Whether the key is a known one, which no list of all is made for. */
static bool setting_is_key(const char *key)
{
    static const char group[] = "simulation.";
    const levy_table *table = &levy_simulation_table;
    if (strcmp(key, "measures") == 0 || strcmp(key, "report_currency") == 0) return true;
    if (strncmp(key, group, sizeof group - 1) != 0) return false;
    for (const char *at = key + sizeof group - 1;; ++at) {
        const size_t n = strcspn(at, ".");
        const levy_field *field = table->fields;
        while (field->name && (strncmp(field->name, at, n) != 0 || field->name[n])) ++field;
        if (!field->name) return false;
        const bool is_object = field->type == LEVY_FIELD_OBJECT;
        at += n;
        if (!*at) return !is_object || field->table->shorthand_key;
        if (!is_object) return false;
        table = field->table;
    }
}

/* The key that ends with a dot and the word, as simulation.paths does for paths; NULL: there is
 * none. */
static const char *setting_ending(const char *const *keys, const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; keys[i]; ++i) {
        const size_t length = strlen(keys[i]);
        if (length > n + 1 && keys[i][length - n - 1] == '.' &&
            strcmp(keys[i] + length - n, word) == 0)
            return keys[i];
    }
    return NULL;
}

/* The first key that begins with this one and a dot; NULL: there is none. */
static const char *setting_within(const char *const *keys, const char *key)
{
    const size_t n = strlen(key);
    for (size_t i = 0; keys[i]; ++i)
        if (strncmp(keys[i], key, n) == 0 && keys[i][n] == '.') return keys[i];
    return NULL;
}

/* The key of a map of settings that its example begins with, else the first. */
static const char *setting_usual(levy_check *build, const char *key, const char *first)
{
    const levy_field *field = levy_simulation_table.fields;
    while (field->name && strcmp(field->name, strchr(key, '.') + 1) != 0) ++field;
    const char *const example = field->name && field->table ? field->table->example : NULL;
    if (!example || *example != '{') return first;
    return levy_check_text(build, "%s.%.*s", key, (int)strcspn(example + 1, ":"), example + 1);
}

/* A key of others, such as simulation.tolerance, takes a map. */
static bool setting_check_group(levy_check *build, const levy_override *set, const char *within)
{
    const levy_node node = {.place = setting_place};
    const char *const value = set->value + strspn(set->value, " ");
    if (*value == '{') return true;
    const char *const usual = setting_usual(build, set->key, within);
    const char *const hint =
        levy_check_text(build, "Write %s=%s.", usual, *value && *value != '[' ? value : "VALUE");
    return LEVY_REFUSE(build, TYPE, &node, set->key, hint, "expected a map of settings");
}

#define LEVY_PARAMETER(name) +1
enum {
    SETTING_PARAMETERS = 0
#include "models/parameters.def"
};

/* Adds the numbers of an asset that a model has as factors: all have the same, or none. */
static void setting_parameters(levy_check *build, const levy_market *market, const char *name,
                               const char **quotes, size_t n)
{
    const size_t first = n;
    for (size_t m = 0; m < market->model_map.names.count; ++m) {
        const levy_market_item *const item = &market->model_map.items[m];
        const levy_variant_value *const raw = item->raw;
        const bool refused = raw->kind < 0 || levy_check_refused(build, item->path);
        const levy_model_terms *const terms = refused ? NULL : raw->value;
        const char *const *const factors = terms ? levy_model_kinds[raw->kind]->factors : NULL;
        const char *const *const names = terms ? terms->assets.items : NULL;
        size_t a = 0;
        while (terms && a < terms->assets.count && strcmp(names[a], name) != 0) ++a;
        if (!terms || a == terms->assets.count || n > first) continue;
        for (size_t k = 0; factors && factors[k]; ++k)
            quotes[n++] = levy_check_text(build, "%s.%s", name, factors[k]);
    }
}

/* The quotes of an asset or a curve; the last is NULL. */
static const char *const *setting_quotes(levy_check *build, const levy_market *market,
                                         const char *name)
{
    const size_t most = 2 * LEVY_SHIFT_COUNT + SETTING_PARAMETERS + 1;
    const char **const quotes = levy_check_allocate(build, most, sizeof *quotes);
    size_t n = 0;
    if (!quotes) return NULL;
    const levy_market_map *const maps[] = {
        [LEVY_FACTOR_ASSET] = &market->asset_map, [LEVY_FACTOR_CURVE] = &market->curve_map};
    for (size_t f = 0; f < LEVY_SHIFT_COUNT; ++f) {
        const levy_factor *const factor = &levy_factors[f];
        if (!factor->written) continue;
        const size_t number = levy_names_find(&maps[factor->owner]->names, name);
        if (number == LEVY_NO_NAME) continue;
        const levy_written written = factor->written(maps[factor->owner]->items[number].raw);
        if (written.value || written.nodes[0])
            quotes[n++] = levy_check_text(build, "%s.%s", name, factor->name);
    }
    if (n > 0) setting_parameters(build, market, name, quotes, n);
    return quotes;
}

/* The quote whose name begins with the key, or that is nearest to it. */
static const char *setting_near_quote(const char *const *quotes, const char *key)
{
    for (size_t i = 0; quotes[i]; ++i)
        if (strncmp(quotes[i], key, strlen(key)) == 0) return quotes[i];
    return levy_nearest(key, quotes);
}

/* Refuses a key that names an asset or a curve but no quote of it. False: the key names neither. */
static bool setting_refuse_quote(levy_check *build, const levy_market *market, const char *key)
{
    const levy_node node = {.place = setting_place};
    const char *const dot = strrchr(key, '.');
    if (!market || !dot) return false;
    const char *const name = levy_check_text(build, "%.*s", (int)(dot - key), key);
    const char *const *const quotes = setting_quotes(build, market, name);
    if (!quotes || !quotes[0]) return false;
    const char *list = quotes[0];
    char meant[LEVY_MEANT_SIZE];
    for (size_t i = 1; quotes[i]; ++i) list = levy_check_text(build, "%s, %s", list, quotes[i]);
    const char *const near = setting_near_quote(quotes, key);
    if (near && strcmp(near, key) == 0)
        (void)LEVY_REFUSE(build, UNKNOWN_KEY, &node, key,
                          "Set it on the book that is loaded (levy_book_set).",
                          "a quote of the market is no setting");
    else
        (void)LEVY_REFUSE(build, UNKNOWN_KEY, &node, key,
                          levy_check_text(build, "The quotes of '%s' are %s.", name, list),
                          "unknown quote%s", levy_meant(near, meant));
    return true;
}

bool levy_setting_key_check(levy_check *build, const levy_market *market, const levy_override *set)
{
    const levy_node node = {.place = setting_place};
    if (setting_is_key(set->key)) return true;
    const char *const *const keys = setting_keys(build);
    if (!keys) return false;
    const char *const within = setting_within(keys, set->key);
    if (within && strchr(set->key, '.')) return setting_check_group(build, set, within);
    if (setting_refuse_quote(build, market, set->key)) return false;
    const char *near = setting_ending(keys, set->key);
    if (!near) near = levy_nearest(set->key, keys);
    const char *hint = "`levy describe simulation` lists the settings.";
    char meant[LEVY_MEANT_SIZE];
    if (near && strstr(near, ".file"))
        return LEVY_REFUSE(build, UNSUPPORTED, &node, set->key,
                           "Write the file in the book, beside the kind that reads it: generator: "
                           "{kind: points, file: points.npy}.",
                           "a setting cannot name a file");
    return LEVY_REFUSE(build, UNKNOWN_KEY, &node, set->key, hint, "unknown setting%s",
                       levy_meant(near, meant));
}
