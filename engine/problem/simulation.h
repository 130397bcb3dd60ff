/* simulation.h: the settings of the simulation: from the file, with overrides in place of its
 * values, checked. */
#ifndef LEVY_PROBLEM_SIMULATION_H
#define LEVY_PROBLEM_SIMULATION_H

#include "engine/problem/build.h"

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

/* False with a fault. The place of an override is "--set". */
bool levy_simulation_build(levy_check *build, const levy_simulation_source *source,
                           levy_simulation *simulation);

#endif
