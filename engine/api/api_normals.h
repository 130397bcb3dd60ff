/* api_normals.h: what stand-alone normals and paths check alike. */
#ifndef LEVY_API_API_NORMALS_H
#define LEVY_API_API_NORMALS_H

#include "engine/api/api_object.h"
#include "engine/api/api_net.h"
#include "kernels/points/normals_tables.h"

/* generator, output, precision and replicate; a fault names the first that is invalid. */
int levy_api_normals_check(levy_context *context, const levy_normals_spec *spec);
/* n_dimensions, first_dimension and count. `net` NULL: the generator is no net. */
int levy_api_dimensions_check(levy_context *context, const levy_normals_spec *spec,
                              const levy_net *net);
/* The object must stay where it is as long as the facts. */
levy_normals_facts levy_api_normals_facts(const levy_normals_tables *tables, int generator,
                                          const levy_api_object *object);
/* Is the call valid? A stride of 0 becomes n_points. */
bool levy_api_normals_call(const levy_normals_tables *tables, levy_normals_call *call);

#endif
