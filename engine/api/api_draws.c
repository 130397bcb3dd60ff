/* api_draws.c: draws from each of many distributions, see levy.h: a checked specification becomes a
 * call of the backend that the context keeps for it. */
#include "engine/api/api_object.h"

#include "kernels/samplers/butterfly/butterfly.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A context's device for draws, and what its backend made, by precision. */
struct levy_draws_kept {
    levy_api_device device;
    void *made[2];
    char name[16]; /* as asked; the rest of the specification that chose the device follows */
    uint32_t threads;
    bool no_kernel_cache;
    int64_t process; /* that opened it: its threads and GPU do not exist in a forked child */
};

static int draws_refuse(levy_context *context, const char *path, const char *why)
{
    return levy_api_refuse(context, path, LEVY_ARGUMENT, why);
}

/* ---- What a call may ask for ----------------------------------------------------------------- */

/* Whether memory can hold that many rows of `stride` doubles. */
static bool draws_fit(size_t rows, size_t stride)
{
    return rows == 0 || levy_api_span(rows, stride, stride, sizeof(double)) > 0;
}

static int draws_admit_arrays(levy_context *context, const levy_draw_spec *spec,
                              const levy_butterfly_draws *d)
{
    const size_t number = d->single ? sizeof(float) : sizeof(double);
    if (d->n_paths > 0 && (!d->theta || !d->phi || !d->items))
        return draws_refuse(context, "", "theta, phi and items are required");
    if (!levy_api_is_aligned(d->theta, number) || !levy_api_is_aligned(d->phi, number) ||
        !levy_api_is_aligned(d->states, sizeof *d->states) ||
        !levy_api_is_aligned(d->words, sizeof *d->words) ||
        !levy_api_is_aligned(d->items, sizeof *d->items) ||
        !levy_api_is_aligned(spec->fault, sizeof *spec->fault))
        return draws_refuse(context, "", "an array is not aligned for its numbers");
    if (d->n_paths > UINT64_MAX - spec->first_path)
        return draws_refuse(context, "first_path", "the paths' numbers end at 2^64 - 1");
    return LEVY_STATUS_OK;
}

static int draws_admit(levy_context *context, const levy_draw_spec *spec,
                       const levy_butterfly_draws *d)
{
    if (spec->precision != LEVY_BRIDGE_DOUBLE && spec->precision != LEVY_BRIDGE_SINGLE)
        return draws_refuse(context, "precision",
                            "is neither LEVY_BRIDGE_DOUBLE nor LEVY_BRIDGE_SINGLE");
    if (d->n_items < 1 || d->n_items > LEVY_BUTTERFLY_MOST)
        return draws_refuse(context, "n_items", "a distribution has 1 to 8192 items");
    if (d->theta_stride < d->n_items || !draws_fit(d->n_paths, d->theta_stride))
        return draws_refuse(context, "theta_stride", "is below n_items, or exceeds any memory");
    if (d->phi_stride < d->n_items || !draws_fit(d->n_states, d->phi_stride))
        return draws_refuse(context, "phi_stride", "is below n_items, or exceeds any memory");
    if (!draws_fit(d->n_paths, d->n_draws))
        return draws_refuse(context, "n_draws", "the items exceed any memory");
    if (spec->device && strcmp(spec->device, "auto") == 0)
        return draws_refuse(context, "device",
                            "\"auto\" does not say where the arrays lie: use \"cpu\" or \"cuda\"");
    return draws_admit_arrays(context, spec, d);
}

/* ---- The device ------------------------------------------------------------------------------ */

void levy_api_draws_drop(levy_context *context)
{
    struct levy_draws_kept *const kept = context->draws;
    if (!kept) return;
    for (int i = 0; i < 2 && kept->process == getpid(); ++i)
        if (kept->made[i]) kept->device.backend.object_destroy(kept->made[i]);
    if (kept->process == getpid()) levy_api_device_close(&kept->device);
    levy_memory_release(&context->memory, kept);
    context->draws = NULL;
}

static bool draws_keeps(const struct levy_draws_kept *kept, const levy_draw_spec *spec)
{
    return kept && strcmp(kept->name, spec->device) == 0 && kept->threads == spec->threads &&
           kept->no_kernel_cache == (spec->no_kernel_cache != 0) && kept->process == getpid();
}

/* Makes context->draws the device that the specification asks for. */
static int draws_open(levy_context *context, const levy_draw_spec *spec)
{
    const levy_api_wish wish = {.device = spec->device,
                                .threads = spec->threads,
                                .no_kernel_cache = spec->no_kernel_cache != 0};
    if (draws_keeps(context->draws, spec)) return LEVY_STATUS_OK;
    levy_api_draws_drop(context);
    struct levy_draws_kept *const kept = levy_memory_allocate(&context->memory, 1, sizeof *kept);
    if (!kept) return levy_api_refuse(context, "", LEVY_MEMORY, "");
    const int status = levy_api_device_open(context, &context->memory, &wish, &kept->device);
    if (status != LEVY_STATUS_OK) {
        levy_memory_release(&context->memory, kept);
        return status;
    }
    snprintf(kept->name, sizeof kept->name, "%s", spec->device);
    kept->threads = spec->threads;
    kept->no_kernel_cache = wish.no_kernel_cache;
    kept->process = getpid();
    context->draws = kept;
    return LEVY_STATUS_OK;
}

/* A device that failed is not kept: the next call may find it well again. */
static int draws_run(levy_context *context, const levy_draw_spec *spec, const levy_draws_call *call)
{
    char why[LEVY_REASON_SIZE] = "";
    const int status = draws_open(context, spec);
    if (status != LEVY_STATUS_OK) return status;
    struct levy_draws_kept *const kept = context->draws;
    const levy_backend *const backend = &kept->device.backend;
    void **const made = &kept->made[call->draws.single];
    levy_status done = LEVY_OK;
    if (!(backend->objects >> LEVY_OBJECT_DRAWS & 1))
        return levy_api_refuse(context, "device", LEVY_UNSUPPORTED,
                               "the chosen backend draws no items");
    if (!*made)
        done = backend->object_create(kept->device.state, LEVY_OBJECT_DRAWS, &call->draws.single,
                                      made, why);
    if (done == LEVY_OK) done = backend->object_run(*made, call, why);
    if (done == LEVY_OK) return LEVY_STATUS_OK;
    const int refused = levy_api_refuse(context, "device", done, why);
    if (done == LEVY_DEVICE) levy_api_draws_drop(context);
    return refused;
}

/* ---- A call ---------------------------------------------------------------------------------- */

static int draws_check(levy_context *context, const levy_draw_spec *spec,
                       const levy_butterfly_draws *draws)
{
    char text[160] = "";
    levy_butterfly_fault fault;
    if (strcmp(spec->device, "cpu") != 0)
        return levy_api_refuse(context, "check", LEVY_UNSUPPORTED,
                               "a call on a GPU waits for nothing, so it checks no weights: "
                               "`fault` takes the first path that cannot be drawn from");
    if (levy_butterfly_check(draws, &fault) == LEVY_OK) return LEVY_STATUS_OK;
    levy_butterfly_fault_text(&fault, text, sizeof text);
    if (fault.of_phi) return draws_refuse(context, "phi", text);
    return draws_refuse(context, fault.reason == LEVY_BUTTERFLY_STATE ? "states" : "theta", text);
}

static int draws_make(levy_context *context, const levy_draw_spec *spec, uint32_t *items,
                      void *stream)
{
    const levy_butterfly_draws draws = {
        .theta = spec->theta,
        .phi = spec->phi,
        .states = spec->states,
        .words = spec->words,
        .items = items,
        .n_paths = spec->n_paths,
        .theta_stride = spec->theta_stride ? spec->theta_stride : spec->n_items,
        .phi_stride = spec->phi_stride ? spec->phi_stride : spec->n_items,
        .n_items = spec->n_items,
        .n_states = spec->n_states ? spec->n_states : 1,
        .single = spec->precision == LEVY_BRIDGE_SINGLE,
        .n_draws = spec->n_draws ? spec->n_draws : 1};
    int status = draws_admit(context, spec, &draws);
    if (status == LEVY_STATUS_OK && spec->check && draws.n_paths > 0)
        status = draws_check(context, spec, &draws);
    if (status != LEVY_STATUS_OK || draws.n_paths == 0) return status;
    return draws_run(context, spec,
                     &(levy_draws_call){.draws = draws,
                                        .seed = spec->seed,
                                        .first_path = spec->first_path,
                                        .first_draw = spec->first_draw,
                                        .fault = spec->fault,
                                        .stream = stream});
}

int levy_draw_each(levy_context *context, const levy_draw_spec *spec, uint32_t *items, void *stream)
{
    levy_draw_spec given = {0};
    if (!context) return LEVY_STATUS_ARGUMENT;
    levy_call_begin(context);
    if (!spec || !levy_call_copy_options(&given, sizeof given, spec))
        return levy_call_end(
            context, draws_refuse(context, "struct_size", "is not that of a levy_draw_spec"));
    if (!given.device) given.device = "cpu";
    return levy_call_end(context, draws_make(context, &given, items, stream));
}
