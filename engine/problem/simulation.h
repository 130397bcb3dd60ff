/* simulation.h: reads the settings of the simulation from the file and its overrides, and checks
 * them. */
#ifndef LEVY_PROBLEM_SIMULATION_H
#define LEVY_PROBLEM_SIMULATION_H

#include "engine/market/build.h"
#include "engine/problem/problem.h"

typedef struct levy_simulation_source {
    const levy_node *simulation, *measures; /* NULL: not in any file */
    const levy_override *overrides;
    size_t n_overrides;
    const struct levy_net *net; /* that the settings name; NULL: none was read */
    const struct levy_point_set *points;
    const char *net_file, *net_kind;  /* their file, and the generator's kind there */
    const struct levy_market *market; /* for hints on overrides; NULL: none */
} levy_simulation_source;

/* The bits of a list of measures at `path`, price among them. False with a fault. */
bool levy_measures_build(levy_check *build, const levy_list *list, const char *path,
                         uint32_t *measures);

/* False: a fault was added. The place of an override is "--set". */
bool levy_simulation_build(levy_check *build, const levy_simulation_source *source,
                           levy_simulation *simulation);

/* setting_overrides.c: the first puts overrides in the place of the source's nodes. The second is a
 * copy of `map` (NULL: empty) whose key `name` holds `value`; NULL: no memory. */
bool levy_override_apply(levy_check *build, levy_simulation_source *source);
levy_node *levy_override_with(levy_check *build, const levy_node *map, const char *name,
                              levy_node *value);

/* simulation_generator.c: the generator; then what is not written, by the points; then the
 * pipeline.
 */
bool levy_simulation_generator(levy_check *build, const levy_raw_generator *raw,
                               const levy_simulation_source *source, levy_simulation *simulation);
void levy_simulation_size(const levy_node *node, levy_simulation *simulation);
bool levy_simulation_pipeline(levy_check *build, const levy_node *node, int32_t pipeline,
                              levy_simulation *simulation);

#endif
