/* file_kinds.c: see file_kinds.h. */
#include "engine/problem/file_kinds.h"

#include "engine/schema/kind_file.h"

#include <string.h>

/* ---- A definition ---- */

bool levy_kinds_is(const levy_node *root)
{
    return root->kind == LEVY_NODE_MAP && levy_node_find(root, "kind") &&
           levy_node_find(root, "script") && !levy_node_find(root, "schema_version");
}

/* Whether two definitions say the same, in the same order. */
static bool kinds_equal(const levy_node *a, const levy_node *b)
{
    if (a->kind != b->kind || a->count != b->count || a->quoted != b->quoted) return false;
    if (a->kind == LEVY_NODE_SCALAR) return strcmp(a->text, b->text) == 0;
    for (a = a->children, b = b->children; a && b; a = a->next, b = b->next)
        if ((a->key && strcmp(a->key->text, b->key->text) != 0) || !kinds_equal(a, b)) return false;
    return true;
}

/* Whether levy itself uses the name, for a kind or as a word of `levy describe` or `levy new`. */
static bool kinds_is_taken(const char *name)
{
    static const char *const words[] = {"legs", "csv", "quotes"};
    const levy_variant *const lists[] = {levy_payoff_table.variants, levy_model_table.variants};
    bool taken = levy_catalog_find(name);
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        taken = taken || strcmp(words[i], name) == 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i)
        for (const levy_variant *v = lists[i]; v->kind; ++v)
            taken = taken || strcmp(v->kind, name) == 0;
    return taken;
}

static bool kinds_is_word(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return name[strspn(name, letters)] == '\0';
}

/* False: a kind cannot have this name, or another definition has it. */
static bool kinds_check_name(levy_collection *collection, const levy_node *root, const char *name,
                             bool *known)
{
    const levy_node *const node = levy_node_find(root, "kind");
    *known = false;
    if (!kinds_is_word(name))
        return LEVY_REFUSE(collection->build, TYPE, node, "kind", "Write kind: my_note.",
                           "the name of a kind has letters, digits and _; got '%s'", name);
    if (kinds_is_taken(name))
        return LEVY_REFUSE(collection->build, INCONSISTENT, node, "kind", "Choose another name.",
                           "'%s' is a kind or a word of levy's own", name);
    for (size_t i = 0; i < collection->n_kinds; ++i) {
        if (strcmp(collection->kinds[i].kind, name) != 0) continue;
        const levy_node *const first = collection->kind_nodes[i];
        *known = true;
        return kinds_equal(root, first) ||
               LEVY_REFUSE(collection->build, DUPLICATE_KEY, node, "kind",
                           "Keep one of the two, or give one of them another name.",
                           "the kind '%s' is defined differently at %s:%u:%u", name,
                           first->place.file, (unsigned)first->place.line,
                           (unsigned)first->place.column);
    }
    return true;
}

/* A kind without a table is known, but its definition has faults. The list ends with no kind. */
static void kinds_keep(levy_collection *collection, const levy_node *root, const char *name,
                       const levy_table *table)
{
    levy_check *const check = collection->build;
    const size_t n = collection->n_kinds;
    levy_variant *const kinds = levy_check_allocate(check, n + 2, sizeof *kinds);
    const levy_node **const nodes = levy_check_allocate(check, n + 1, sizeof *nodes);
    if (!kinds || !nodes) return;
    if (n > 0) memcpy(kinds, collection->kinds, n * sizeof *kinds);
    if (n > 0) memcpy(nodes, collection->kind_nodes, n * sizeof *nodes);
    kinds[n] = (levy_variant){name, table};
    nodes[n] = root;
    collection->kinds = kinds;
    collection->kind_nodes = nodes;
    collection->n_kinds = n + 1;
    collection->more = (levy_more_kinds){&levy_payoff_table, levy_payoff_of_script(), kinds};
    check->kinds = &collection->more;
}

void levy_kinds_add(levy_collection *collection, const levy_node *root)
{
    levy_check *const check = collection->build;
    const levy_reader reader = levy_build_reader(check);
    levy_raw_kind *const raw = levy_check_allocate(check, 1, sizeof *raw);
    bool known = false;
    if (!raw) return;
    const bool read = levy_read_object(&reader, &levy_kind_file_table, root, "", raw);
    if (!raw->kind || !kinds_check_name(collection, root, raw->kind, &known) || known) return;
    kinds_keep(collection, root, raw->kind, read ? levy_kind_make(check, raw) : NULL);
}

/* ---- Files that a book names ---- */

/* The reader of the book refuses what is no list of texts. */
void levy_kinds_add_files(levy_collection *collection, const levy_node *root, const char *base)
{
    static const levy_file_use use = {
        "Give the kinds beside the text: --kinds, or the option `kinds`.", "Shorten the script.",
        levy_kinds_add};
    const levy_node *const list = levy_node_find(root, "kinds");
    size_t i = 0;
    if (!list || list->kind != LEVY_NODE_LIST) return;
    for (const levy_node *node = list->children; node; node = node->next, ++i)
        if (node->kind == LEVY_NODE_SCALAR)
            levy_collect_file(collection, node, levy_check_text(collection->build, "kinds[%zu]", i),
                              node->text, base, &use);
}
