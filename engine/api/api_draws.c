/* api_draws.c: one draw from each of many distributions, see levy.h. */
#include "engine/api/api_device.h"

#include "kernels/samplers/butterfly/butterfly.h"
#include "kernels/cpu/threads.h"

#include <stdatomic.h>

enum {
    DRAWS_ALONE = 1 << 17,
    DRAWS_PIECE = 1 << 14
}; /* weights: below which threads cost more than they bring; of a piece of work */

typedef struct draws_job {
    const levy_butterfly_draws *draws;
    size_t piece; /* paths */
    atomic_size_t next;
} draws_job;

static void draws_work(void *user, uint32_t worker)
{
    draws_job *const job = user;
    const size_t n = job->draws->n_paths;
    (void)worker;
    for (;;) {
        const size_t first = atomic_fetch_add(&job->next, job->piece);
        if (first >= n) return;
        levy_butterfly_draw(job->draws, first, n - first < job->piece ? n : first + job->piece);
    }
}

static uint32_t draws_workers(const levy_butterfly_draws *draws, uint32_t threads)
{
    if (draws->n_paths < DRAWS_ALONE / draws->n_items + 1) return 1;
    return threads ? threads : levy_threads_available();
}

static levy_status draws_run(const levy_memory *memory, const levy_butterfly_draws *draws,
                             uint32_t threads)
{
    levy_threads *pool = NULL;
    draws_job job = {.draws = draws, .piece = DRAWS_PIECE / draws->n_items + 1};
    const uint32_t workers = draws_workers(draws, threads);
    if (workers > 1) LEVY_TRY(levy_threads_create(memory, workers, &pool));
    atomic_init(&job.next, 0);
    if (pool)
        levy_threads_run(pool, draws_work, &job);
    else
        draws_work(&job, 0);
    levy_threads_destroy(pool);
    return LEVY_OK;
}

static int draws_refuse(levy_context *context, const char *path, const char *why)
{
    return levy_api_refuse(context, path, LEVY_ARGUMENT, why);
}

/* Whether memory can hold that many rows of `stride` doubles. */
static bool draws_fit(size_t rows, size_t stride)
{
    size_t numbers, bytes;
    return levy_size_multiply(rows, stride, &numbers) &&
           levy_size_multiply(numbers, sizeof(double), &bytes) && bytes <= SIZE_MAX / 2;
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
    if (levy_butterfly_admit(d) != LEVY_OK)
        return draws_refuse(context, "", "theta, phi, words and items are required");
    return LEVY_STATUS_OK;
}

static int draws_make(levy_context *context, const levy_draw_spec *spec, uint32_t *items)
{
    char text[160] = "";
    levy_butterfly_fault fault;
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
        .single = spec->precision == LEVY_BRIDGE_SINGLE};
    const int status = draws_admit(context, spec, &draws);
    if (status != LEVY_STATUS_OK || draws.n_paths == 0) return status;
    if (spec->check && levy_butterfly_check(&draws, &fault) != LEVY_OK) {
        levy_butterfly_fault_text(&fault, text, sizeof text);
        return draws_refuse(context,
                            fault.of_phi                           ? "phi"
                            : fault.reason == LEVY_BUTTERFLY_STATE ? "states"
                                                                   : "theta",
                            text);
    }
    return (int)draws_run(&context->memory, &draws, spec->threads);
}

int levy_draw_each(levy_context *context, const levy_draw_spec *spec, uint32_t *items)
{
    levy_draw_spec given = {0};
    if (!context) return LEVY_STATUS_ARGUMENT;
    levy_call_begin(context);
    if (!spec || !levy_call_copy_options(&given, sizeof given, spec))
        return levy_call_end(
            context, draws_refuse(context, "struct_size", "is not that of a levy_draw_spec"));
    const levy_call_mode mode = levy_call_mode_enter();
    const int status = draws_make(context, &given, items);
    levy_call_mode_leave(&mode);
    return levy_call_end(context, status);
}
