/* api_net.h: the digital net of a specification, from a file or from matrices. */
#ifndef LEVY_API_API_NET_H
#define LEVY_API_API_NET_H

#include "engine/api/api_object.h"
#include "kernels/points/net.h"

typedef struct levy_api_net {
    levy_arena arena;
    levy_net own;
    const levy_net *net; /* NULL: the generator is no net */
    int32_t scrambling;  /* LEVY_SCRAMBLING_ of the net */
} levy_api_net;

/* Checks that a net is given if the generator is LEVY_NORMALS_NET, and only then, and reads it.
 * Returns a public status, with a fault if it is not LEVY_STATUS_OK. Close it in any case. */
int levy_api_net_open(levy_context *context, int generator, const levy_net_spec *spec,
                      levy_api_net *net);
void levy_api_net_close(levy_api_net *net);

#endif
