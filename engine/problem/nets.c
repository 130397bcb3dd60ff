/* nets.c: the digital net that `generator: {kind: net, file: ...}` names, read with the book that
 * names it. Must not know: the form of the text. See collect.h. */
#include "engine/problem/collect.h"

#include "kernels/points/net.h"

#include <string.h>

static const char *nets_scalar(const levy_node *map, const char *key)
{
    const levy_node *const node = map->kind == LEVY_NODE_MAP ? levy_node_find(map, key) : NULL;
    return node && node->kind == LEVY_NODE_SCALAR ? node->text : NULL;
}

static void nets_read(levy_collection *collection, const levy_node *node,
                      const levy_named_file *file)
{
    levy_check *const build = collection->build;
    const char *const path = "simulation.generator.file";
    size_t length = 0;
    levy_net_fault fault;
    char *const text = levy_collect_load(collection, node, path, file,
                                         "A net has at most 65,536 dimensions.", &length);
    levy_net *const net = text ? levy_check_allocate(build, 1, sizeof *net) : NULL;
    if (text) levy_collect_hash(collection, text, length);
    const levy_status status =
        net ? levy_net_read(build->arena, text, length, net, &fault) : LEVY_MEMORY;
    levy_memory_release(build->arena->memory, text);
    if (status == LEVY_OK) collection->net = net;
    if (text && status == LEVY_MEMORY) build->out_of_memory = true;
    if (status != LEVY_INPUT) return;
    levy_check_stamp(build, levy_fault_add(build->faults, fault.reason, levy_check_place(node),
                                           path, fault.hint, "%s:%zu:%zu: %s", file->full,
                                           fault.line, fault.column, fault.message));
}

void levy_collect_net(levy_collection *collection, const levy_node *simulation, const char *base)
{
    levy_named_file file;
    const levy_node *const generator =
        simulation->kind == LEVY_NODE_MAP ? levy_node_find(simulation, "generator") : NULL;
    const char *const kind = generator ? nets_scalar(generator, "kind") : NULL,
                      *const name = kind ? nets_scalar(generator, "file") : NULL;
    if (!name || strcmp(kind, "net") != 0) return;
    const levy_node *const node = levy_node_find(generator, "file");
    collection->net_file = name;
    if (levy_collect_name(collection, node, "simulation.generator.file", name, base,
                          "Name the net in a book that is a file.", &file))
        nets_read(collection, node, &file);
}
