/* cpu_links.h: the links of a plan's construction (kernels/path/links.h), computed from the orders
 * in which entries are built and nodes are emitted. Must not know: lanes. */
#ifndef LEVY_CPU_LINKS_H
#define LEVY_CPU_LINKS_H

#include "kernels/path/image.h"
#include "kernels/path/links.h"

/* The links of a bridge or of the incremental construction. `links`: [n_nodes]; `stack`: room for
 * [image->stack + 1]. */
void levy_cpu_links(const levy_image *image, path_link *links, uint32_t *stack);

#endif
