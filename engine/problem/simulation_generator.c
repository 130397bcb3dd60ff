/* simulation_generator.c: where the simulation's numbers come from: generator, scrambling, files
 * and pipeline; and how many there are, if the settings do not say. See simulation.h. */
#include "engine/problem/simulation.h"

#include "kernels/points/point_set.h"
#include "kernels/points/sobol_tables.h"

#include <string.h>

const char *levy_generator_text(const levy_simulation *simulation)
{
    static const char *const names[] = {"sobol_scrambled", "sobol", "philox", "mrg32k3a"};
    static const char *const curand[] = {"curand_scrambled_sobol", "curand_sobol", "",
                                         "curand_mrg32k3a"};
    static const char *const sets[] = {"lattice", "halton", "points"};
    if (simulation->supply == LEVY_SUPPLY_SET) return sets[simulation->points->kind];
    if (simulation->supply == LEVY_SUPPLY_CALLER) return "given";
    if (simulation->supply == LEVY_SUPPLY_CURAND) return curand[simulation->generator];
    return simulation->net ? "net" : names[simulation->generator];
}

/* Given normals count as independent, unless the program has several replicates of them. */
void levy_simulation_set_generator(levy_simulation *simulation, int32_t kind)
{
    static const int32_t generators[] = {
        LEVY_GENERATOR_SOBOL_SCRAMBLED, LEVY_GENERATOR_SOBOL,
        LEVY_GENERATOR_PHILOX,          LEVY_GENERATOR_MRG32K3A,
        LEVY_GENERATOR_SOBOL_SCRAMBLED, LEVY_GENERATOR_SOBOL_SCRAMBLED,
        LEVY_GENERATOR_SOBOL_SCRAMBLED, LEVY_GENERATOR_SOBOL_SCRAMBLED,
        LEVY_GENERATOR_SOBOL,           LEVY_GENERATOR_SOBOL_SCRAMBLED,
        LEVY_GENERATOR_MRG32K3A,        LEVY_GENERATOR_PHILOX};
    const bool set = kind >= LEVY_GENERATOR_LATTICE && kind <= LEVY_GENERATOR_POINTS;
    simulation->generator = generators[kind];
    simulation->supply = set ? LEVY_SUPPLY_SET : LEVY_SUPPLY_NONE;
    simulation->points = NULL;
    if (kind == LEVY_GENERATOR_LATTICE) simulation->points = &levy_set_lattice;
    if (kind == LEVY_GENERATOR_HALTON) simulation->points = &levy_set_halton;
    if (kind >= LEVY_GENERATOR_CURAND_SOBOL) simulation->supply = LEVY_SUPPLY_CURAND;
    if (kind == LEVY_GENERATOR_GIVEN) simulation->supply = LEVY_SUPPLY_CALLER;
}

bool levy_simulation_is_quasi(const levy_simulation *simulation)
{
    return simulation->generator == LEVY_GENERATOR_SOBOL ||
           simulation->generator == LEVY_GENERATOR_SOBOL_SCRAMBLED;
}

int32_t levy_simulation_scrambling(const levy_simulation *simulation)
{
    if (simulation->generator != LEVY_GENERATOR_SOBOL_SCRAMBLED) return LEVY_SCRAMBLING_NONE;
    return simulation->shift_only ? LEVY_SCRAMBLING_SHIFT : LEVY_SCRAMBLING_MATRIX;
}

/* The file was read with the book that names it, so an override cannot name another. */
static bool generator_file(levy_check *build, const levy_raw_generator *raw,
                           const levy_simulation_source *source, levy_simulation *s)
{
    const char *const kind = levy_generator_kinds[raw->kind];
    const bool named = source->net_file && strcmp(source->net_file, raw->file) == 0 &&
                       strcmp(source->net_kind, kind) == 0;
    const bool net = raw->kind == LEVY_GENERATOR_NET;
    if (!named)
        return LEVY_REFUSE(build, UNSUPPORTED, levy_check_at(raw->node, "file"),
                           "simulation.generator.file",
                           levy_check_text(build, "Name the %s in the book.", kind),
                           "a setting cannot name another file");
    s->net_file = source->net_file;
    if (net)
        s->net = source->net;
    else
        s->points = source->points;
    return net ? s->net != NULL : s->points != NULL; /* NULL: what it could not read is reported */
}

/* What a kind has, beside its name. */
static bool generator_takes(const levy_raw_generator *raw, const char *key)
{
    const bool set = raw->kind >= LEVY_GENERATOR_LATTICE && raw->kind <= LEVY_GENERATOR_POINTS;
    if (strcmp(key, "file") == 0)
        return (set && raw->kind != LEVY_GENERATOR_HALTON) || raw->kind == LEVY_GENERATOR_NET;
    return set || raw->kind == LEVY_GENERATOR_NET;
}

static bool generator_scrambling(levy_check *build, const levy_raw_generator *raw,
                                 levy_simulation *s)
{
    static const char *const names[] = {"none", "shift", "matrix"};
    const bool halton = raw->kind == LEVY_GENERATOR_HALTON,
               own = s->points && s->points->n_replicates > 0;
    if (raw->scrambling < 0) return true;
    if (raw->scrambling == LEVY_SCRAMBLING_NONE && !own) s->generator = LEVY_GENERATOR_SOBOL;
    s->shift_only = raw->scrambling == LEVY_SCRAMBLING_SHIFT && s->net;
    if (raw->scrambling == LEVY_SCRAMBLING_NONE || raw->kind == LEVY_GENERATOR_NET) return true;
    if (raw->scrambling == LEVY_SCRAMBLING_SHIFT && !halton && !own) return true;
    return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(raw->node, "scrambling"),
                       "simulation.generator.scrambling",
                       own      ? "Remove it: the file has replicates of its own."
                       : halton ? "Remove it: digits are permuted. Or write none."
                                : "Write shift or none.",
                       "these points have no scrambling %s", names[raw->scrambling]);
}

bool levy_simulation_generator(levy_check *build, const levy_raw_generator *raw,
                               const levy_simulation_source *source, levy_simulation *s)
{
    const char *const kind = levy_generator_kinds[raw->kind];
    const char *const strange = raw->file && !generator_takes(raw, "file") ? "file"
                                : raw->scrambling >= 0 && !generator_takes(raw, "scrambling")
                                    ? "scrambling"
                                    : NULL;
    levy_simulation_set_generator(s, raw->kind);
    if (strange)
        return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(raw->node, strange),
                           levy_check_text(build, "simulation.generator.%s", strange),
                           "Write kind: net, lattice or points, or remove it.",
                           "generator %s does not have it", kind);
    if (!raw->file && (raw->kind == LEVY_GENERATOR_NET || raw->kind == LEVY_GENERATOR_POINTS))
        return LEVY_REFUSE(build, MISSING_KEY, raw->node, "simulation.generator",
                           raw->kind == LEVY_GENERATOR_NET
                               ? "Write generator: {kind: net, file: net.txt}."
                               : "Write generator: {kind: points, file: points.npy}.",
                           "missing key 'file'");
    if (raw->file && !generator_file(build, raw, source, s)) return false;
    return generator_scrambling(build, raw, s);
}

/* What is not written has the size of the points of a file, if they are: as many as there are. */
void levy_simulation_size(const levy_node *node, levy_simulation *s)
{
    const bool file = s->supply == LEVY_SUPPLY_SET && s->points->kind == LEVY_SET_FILE;
    if (s->replicates == 0) {
        const uint32_t usual = file && s->points->n_replicates ? s->points->n_replicates : 16;
        s->replicates = s->generator == LEVY_GENERATOR_SOBOL_SCRAMBLED ? usual : 1;
    }
    if (file && !(node && levy_node_find(node, "paths")))
        s->paths = s->replicates * s->points->n_points;
}

bool levy_simulation_pipeline(levy_check *build, const levy_node *node, int32_t pipeline,
                              levy_simulation *s)
{
    if (pipeline == LEVY_PIPELINE_STAGED && s->supply == LEVY_SUPPLY_NONE)
        s->supply = LEVY_SUPPLY_NATIVE;
    if (pipeline != LEVY_PIPELINE_FUSED || s->supply == LEVY_SUPPLY_NONE) return true;
    return LEVY_REFUSE(build, INCONSISTENT, levy_check_at(node, "pipeline"), "simulation.pipeline",
                       "Write pipeline: staged, or use a generator of levy's own.",
                       "a path cannot make the numbers of generator %s itself",
                       levy_generator_text(s));
}
