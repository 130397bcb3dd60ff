/* nets.c: the digital net, the lattice or the points that `generator: {kind: net, file: ...}`
 * names, read with the book that names it. Must not know: the form of the text. See collect.h. */
#include "engine/problem/collect.h"

#include "kernels/points/point_set.h"

#include <string.h>

static const char *nets_scalar(const levy_node *map, const char *key)
{
    const levy_node *const node = map->kind == LEVY_NODE_MAP ? levy_node_find(map, key) : NULL;
    return node && node->kind == LEVY_NODE_SCALAR ? node->text : NULL;
}

static levy_status nets_parse(levy_collection *collection, const char *text, size_t length,
                              levy_net_fault *fault)
{
    levy_arena *const arena = collection->build->arena;
    if (strcmp(collection->net_kind, "net") == 0) {
        levy_net *const net = levy_arena_allocate(arena, 1, sizeof *net);
        const levy_status status =
            net ? levy_net_read(arena, text, length, net, fault) : LEVY_MEMORY;
        if (status == LEVY_OK) collection->net = net;
        return status;
    }
    levy_point_set *const set = levy_arena_allocate(arena, 1, sizeof *set);
    if (!set) return LEVY_MEMORY;
    const levy_status status = strcmp(collection->net_kind, "lattice") == 0
                                   ? levy_set_read_lattice(arena, text, length, set, fault)
                                   : levy_set_read_points(arena, text, length, set, fault);
    if (status == LEVY_OK) collection->points = set;
    return status;
}

static void nets_read(levy_collection *collection, const levy_node *node,
                      const levy_named_file *file)
{
    levy_check *const build = collection->build;
    const char *const path = "simulation.generator.file";
    size_t length = 0;
    levy_net_fault fault;
    char *const text =
        levy_collect_load(collection, node, path, file, "Name a file of at most 1 GiB.", &length);
    if (!text) return;
    levy_collect_hash(collection, text, length);
    const levy_status status = nets_parse(collection, text, length, &fault);
    levy_memory_release(build->arena->memory, text);
    if (status == LEVY_MEMORY) build->out_of_memory = true;
    if (status != LEVY_INPUT) return;
    const char *const where =
        fault.line ? levy_check_text(build, ":%zu:%zu", fault.line, fault.column) : "";
    levy_check_stamp(build,
                     levy_fault_add(build->faults, fault.reason, levy_check_place(node), path,
                                    fault.hint, "%s%s: %s", file->full, where, fault.message));
}

void levy_collect_net(levy_collection *collection, const levy_node *simulation, const char *base)
{
    static const char *const kinds[] = {"net", "lattice", "points"};
    levy_named_file file;
    const levy_node *const generator =
        simulation->kind == LEVY_NODE_MAP ? levy_node_find(simulation, "generator") : NULL;
    const char *const kind = generator ? nets_scalar(generator, "kind") : NULL,
                      *const name = kind ? nets_scalar(generator, "file") : NULL;
    bool reads = false;
    for (size_t i = 0; name && i < sizeof kinds / sizeof *kinds; ++i)
        reads = reads || strcmp(kind, kinds[i]) == 0;
    if (!reads) return;
    const levy_node *const node = levy_node_find(generator, "file");
    collection->net_file = name;
    collection->net_kind = kind;
    if (levy_collect_name(collection, node, "simulation.generator.file", name, base,
                          "Name the file in a book that is a file.", &file))
        nets_read(collection, node, &file);
}
