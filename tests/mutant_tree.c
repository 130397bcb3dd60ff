/* mutant_tree.c: see mutant_tree.h. */
#include "tests/cmocka_all.h"

#include "tests/mutant_tree.h"

#include "engine/base/number.h"
#include "engine/document/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Making ---- */

mutant_node *mutant_tree_empty(levy_arena *arena, levy_node_kind kind)
{
    mutant_node *const node = levy_arena_allocate(arena, 1, sizeof *node);
    assert_non_null(node);
    memset(node, 0, sizeof *node);
    node->kind = kind;
    node->text = "";
    return node;
}

mutant_node *mutant_tree_scalar(levy_arena *arena, const char *text, bool quoted)
{
    mutant_node *const node = mutant_tree_empty(arena, LEVY_NODE_SCALAR);
    node->text = text;
    node->quoted = quoted;
    return node;
}

mutant_node **mutant_tree_link(mutant_node *parent, const mutant_node *node)
{
    for (mutant_node **link = &parent->first; *link; link = &(*link)->next)
        if (*link == node) return link;
    return NULL;
}

void mutant_tree_append(mutant_node *parent, mutant_node *node)
{
    mutant_node **link = &parent->first;
    while (*link) link = &(*link)->next;
    node->next = NULL;
    *link = node;
}

mutant_node *mutant_tree_copy(levy_arena *arena, const mutant_node *node)
{
    mutant_node *const copy = mutant_tree_empty(arena, node->kind);
    *copy = *node;
    copy->first = copy->next = NULL;
    mutant_node **link = &copy->first;
    for (const mutant_node *child = node->first; child; child = child->next) {
        *link = mutant_tree_copy(arena, child);
        link = &(*link)->next;
    }
    return copy;
}

static mutant_node *tree_take(levy_arena *arena, const levy_node *node)
{
    mutant_node *const taken = mutant_tree_empty(arena, node->kind);
    taken->quoted = node->quoted;
    taken->key = node->key ? node->key->text : NULL;
    if (node->kind == LEVY_NODE_SCALAR) taken->text = node->text;
    mutant_node **link = &taken->first;
    for (const levy_node *child = node->children; child; child = child->next) {
        *link = tree_take(arena, child);
        link = &(*link)->next;
    }
    return taken;
}

mutant_node *mutant_tree_read(levy_arena *arena, const char *name, const char *text, size_t length)
{
    levy_fault_list faults;
    levy_document document = {0};
    levy_fault_list_init(&faults, NULL);
    const levy_status status =
        levy_document_read(name, 0, text, length, NULL, arena, &faults, &document);
    levy_fault_list_release(&faults);
    if (status) return NULL;
    mutant_node *const roots = mutant_tree_empty(arena, LEVY_NODE_LIST);
    for (size_t i = 0; i < document.n_roots; ++i)
        mutant_tree_append(roots, tree_take(arena, document.roots[i]));
    return roots;
}

/* ---- As YAML ---- */

static void tree_quote(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        if (*text == '\n')
            fputs("\\n", out);
        else
            fputc(*text, out);
    }
    fputc('"', out);
}

static void tree_write(FILE *out, const mutant_node *node, int depth)
{
    if (node->kind == LEVY_NODE_SCALAR) {
        if (node->quoted)
            tree_quote(out, node->text);
        else
            fputs(node->text, out);
        return;
    }
    const bool map = node->kind == LEVY_NODE_MAP;
    fputc(map ? '{' : '[', out);
    for (const mutant_node *child = node->first; child; child = child->next) {
        fprintf(out, "\n%*s", 2 * depth + 2, "");
        if (map) tree_quote(out, child->key ? child->key : "key");
        if (map) fputs(": ", out);
        /* with nothing at all there would be no item */
        if (!map && child->kind == LEVY_NODE_SCALAR && !*child->text && !child->quoted)
            fputc('~', out);
        tree_write(out, child, depth + 1);
        if (child->next) fputc(',', out);
    }
    fputc(map ? '}' : ']', out);
}

char *mutant_tree_yaml(const mutant_node *roots, size_t *length)
{
    char *text = NULL;
    FILE *const out = open_memstream(&text, length);
    assert_non_null(out);
    for (const mutant_node *root = roots->first; root; root = root->next) {
        fputs("---\n", out);
        tree_write(out, root, 0);
        fputc('\n', out);
    }
    assert_int_equal(fclose(out), 0);
    return text;
}

/* ---- As JSON ---- */

static json_t *tree_plain(const char *text)
{
    static const char *const nothing[] = {"", "~", "null", "Null", "NULL"};
    double number = 0.0;
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; ++i)
        if (strcmp(text, nothing[i]) == 0) return json_null();
    if (strcmp(text, "true") == 0 || strcmp(text, "True") == 0) return json_true();
    if (strcmp(text, "false") == 0 || strcmp(text, "False") == 0) return json_false();
    if (levy_number_read(text, strlen(text), &number) != LEVY_NUMBER_OK) return json_string(text);
    const bool digits = text[strspn(text, "-+0123456789")] == '\0';
    return digits && fabs(number) < 9e18 ? json_integer((json_int_t)number) : json_real(number);
}

json_t *mutant_tree_json(const mutant_node *root)
{
    if (root->kind == LEVY_NODE_SCALAR)
        return root->quoted ? json_string(root->text) : tree_plain(root->text);
    json_t *const value = root->kind == LEVY_NODE_MAP ? json_object() : json_array();
    for (const mutant_node *child = root->first; child; child = child->next) {
        json_t *const item = mutant_tree_json(child);
        const char *const key = child->key ? child->key : "key";
        const int failed = root->kind == LEVY_NODE_LIST ? json_array_append_new(value, item)
                                                        : json_object_set_new(value, key, item);
        assert_int_equal(failed, 0);
    }
    return value;
}
