/* api_sampler.c: the weighted sampler of levy.h: an alias table for pseudo-random draws and a guide
 * table for points.
 */
#define LANE_SCALAR
#include "engine/book/handles.h"

#include "kernels/samplers/alias/guide.h"
#include "kernels/cpu/threads.h"
#include "kernels/points/philox.h"

enum { SAMPLER_ALONE = 1 << 17 }; /* items below which threads cost more than they bring */

struct levy_sampler {
    levy_memory memory;
    levy_alias *alias;
    levy_guide *guide;
};

static void sampler_pool_run(void *pool, void (*work)(void *user, uint32_t worker), void *user)
{
    levy_threads_run(pool, work, user);
}

static levy_status sampler_fill(levy_sampler *s, const levy_alias_weights *weights,
                                levy_alias_fault *fault)
{
    levy_threads *threads = NULL;
    const uint32_t workers = weights->count < SAMPLER_ALONE ? 1 : levy_threads_available();
    LEVY_TRY(levy_alias_create(&s->memory, weights->count, &s->alias));
    if (workers > 1) LEVY_TRY(levy_threads_create(&s->memory, workers, &threads));
    const levy_alias_crew crew = {workers, sampler_pool_run, threads};
    levy_status status = levy_alias_build(s->alias, weights, LEVY_ALIAS_PSA_PLUS, &crew, fault);
    levy_threads_destroy(threads);
    if (status == LEVY_OK) status = levy_guide_create(&s->memory, weights, 0, &s->guide, fault);
    return status;
}

static int sampler_create(levy_context *context, const levy_alias_weights *weights,
                          levy_sampler **sampler)
{
    char text[160] = "";
    levy_alias_fault fault = {LEVY_ALIAS_FINE, 0, 0.0};
    levy_sampler *const s = levy_memory_allocate(&context->memory, 1, sizeof *s);
    if (!s) return LEVY_STATUS_MEMORY;
    s->memory = context->memory;
    if (weights->count == 0 || weights->count > LEVY_ALIAS_LIMIT)
        fault = (levy_alias_fault){LEVY_ALIAS_COUNT, weights->count, 0.0};
    levy_status status = fault.reason ? LEVY_INPUT : sampler_fill(s, weights, &fault);
    if (status == LEVY_OK) {
        *sampler = s;
        return LEVY_STATUS_OK;
    }
    levy_sampler_destroy(s);
    if (status != LEVY_INPUT) return (int)status;
    levy_alias_fault_text(&fault, text, sizeof text);
    levy_fault_add(&context->faults, LEVY_REASON_RANGE, NULL, "weights", NULL, "%s", text);
    return LEVY_STATUS_ARGUMENT;
}

int levy_sampler_create(levy_context *context, const double *weights, size_t count,
                        levy_sampler **sampler)
{
    if (!context || !weights || !sampler)
        return levy_call_refuse(context, weights ? "sampler" : "weights", "is NULL");
    *sampler = NULL;
    levy_call_begin(context);
    const levy_call_mode mode = levy_call_mode_enter();
    const int status =
        sampler_create(context, &(levy_alias_weights){weights, NULL, count}, sampler);
    levy_call_mode_leave(&mode);
    return levy_call_end(context, status);
}

void levy_sampler_destroy(levy_sampler *sampler)
{
    if (!sampler) return;
    const levy_memory memory = sampler->memory;
    levy_alias_destroy(sampler->alias);
    levy_guide_destroy(sampler->guide);
    levy_memory_release(&memory, sampler);
}

int levy_sampler_draw(const levy_sampler *sampler, uint64_t seed, uint64_t first, size_t count,
                      uint32_t *items)
{
    if (!sampler || (count > 0 && !items)) return LEVY_STATUS_ARGUMENT;
    const levy_call_mode mode = levy_call_mode_enter();
    for (size_t k = 0; k < count; ++k) {
        const uint64_t draw = first + k;
        const philox_words w =
            philox_draw(seed, (lane_word){(uint32_t)draw}, (lane_word){(uint32_t)(draw >> 32)},
                        (lane_word){0}, (lane_word){0});
        items[k] = levy_alias_draw(sampler->alias, (uint64_t)w.w[0][0] << 32 | w.w[1][0]);
    }
    levy_call_mode_leave(&mode);
    return LEVY_STATUS_OK;
}

int levy_sampler_invert(const levy_sampler *sampler, const double *u, size_t count, uint32_t *items)
{
    if (!sampler || (count > 0 && (!u || !items))) return LEVY_STATUS_ARGUMENT;
    for (size_t k = 0; k < count; ++k)
        if (!(u[k] >= 0.0 && u[k] < 1.0)) return LEVY_STATUS_ARGUMENT;
    const levy_call_mode mode = levy_call_mode_enter();
    for (size_t k = 0; k < count; ++k) items[k] = levy_guide_draw(sampler->guide, u[k]);
    levy_call_mode_leave(&mode);
    return LEVY_STATUS_OK;
}
