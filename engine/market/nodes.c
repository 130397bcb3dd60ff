/* nodes.c: see nodes.h. */
#include "engine/market/nodes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

void levy_node_name(levy_origin origin, double time, char name[LEVY_NUMBER_SIZE])
{
    if (origin.has_date)
        levy_date_write(origin.valuation + (levy_date)floor(time * 365.0 + 0.5), name);
    else
        levy_number_write(time, name);
}

size_t levy_nodes_find(levy_nodes nodes, levy_origin origin, const char *name, size_t length)
{
    char own[LEVY_NUMBER_SIZE];
    double years;
    const bool number =
        !origin.has_date && levy_number_read(name, length, &years) == LEVY_NUMBER_OK;
    for (size_t k = 0; k < nodes.n; ++k) {
        levy_node_name(origin, nodes.times[k], own);
        if (strlen(own) == length && memcmp(own, name, length) == 0) return k;
        if (number && nodes.times[k] == years) return k;
    }
    return SIZE_MAX;
}

size_t levy_nodes_at(levy_nodes nodes, double time)
{
    for (size_t k = 0; k < nodes.n; ++k)
        if (nodes.times[k] == time) return k;
    return SIZE_MAX;
}

size_t levy_nodes_join(levy_nodes a, levy_nodes b, double *times)
{
    size_t n = 0;
    for (size_t i = 0, j = 0; i < a.n || j < b.n;) {
        const bool first = j == b.n || (i < a.n && a.times[i] <= b.times[j]);
        const double t = first ? a.times[i++] : b.times[j++];
        if (n == 0 || times[n - 1] != t) times[n++] = t;
    }
    return n;
}
