/* cpu_links.c: see cpu_links.h. The traversal of the bridge tree, run on node numbers: each entry
 * lies in time between the last node emitted and the top of the stack, and becomes the new top. */
#include "kernels/cpu/cpu_links.h"

enum { LINKS_INCREMENTAL = 1 }; /* as in the image */

static void links_of_bridge(const levy_image *image, path_link *links, uint32_t *stack)
{
    const uint32_t *const descents = LEVY_IMAGE_AT(uint32_t, image, descents),
                          *const time = LEVY_IMAGE_AT(uint32_t, image, bridge_time);
    uint32_t top = 0, entry = 0;
    stack[0] = 0;
    for (uint32_t node = 0; node < image->n_nodes; ++node) {
        for (uint32_t n = descents[node]; n > 0; --n, ++entry, ++top) {
            links[entry] = (path_link){node, stack[top], time[entry], node};
            stack[top + 1] = time[entry];
        }
        --top;
        links[entry - 1].ready = node + 1;
    }
}

void levy_cpu_links(const levy_image *image, path_link *links, uint32_t *stack)
{
    if (image->construction != LINKS_INCREMENTAL) {
        links_of_bridge(image, links, stack);
        return;
    }
    for (uint32_t node = 0; node < image->n_nodes; ++node)
        links[node] = (path_link){node, 0, node + 1, node + 1};
}
