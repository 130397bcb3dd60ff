/* image_points.c: writes the points into an image: tables of direction numbers, keys, streams, or
 * the rows of given numbers. See builder.h. Must not know: what the draws move. */
#include "engine/plan/builder.h"

#include "engine/base/hash.h"
#include "kernels/points/mrg_streams.h"
#include "kernels/points/point_set.h"
#include "kernels/points/points.h"
#include "kernels/points/sobol_tables.h"

#include <stdio.h>
#include <string.h>

static uint32_t points_purpose(const levy_plan_builder *b)
{
    const uint32_t purpose = b->problem->simulation.purpose;
    return purpose ? purpose : (uint32_t)LEVY_PURPOSE_PRICE;
}

/* Writes one draw's column to its two places. */
static void points_column(const levy_plan_builder *b, uint32_t replicate, uint32_t draw,
                          const uint32_t *column)
{
    const levy_image *const h = b->plan->image;
    uint32_t *const rows =
        (uint32_t *)levy_builder_at(b->plan, h->directions) + (size_t)replicate * 33 * h->n_draws;
    uint32_t *const low =
        (uint32_t *)levy_builder_at(b->plan, h->low) + (size_t)replicate * 8 * h->n_draws;
    for (uint32_t row = 0; row < LEVY_COLUMN_WORDS; ++row)
        rows[(size_t)row * h->n_draws + draw] = column[row];
    memcpy(low + 8 * (size_t)draw, column, 8 * sizeof *column);
}

/* Writes the direction numbers of every replicate, in build order. `columns`: NULL, or those of
 * dimensions 0 .. n - 1. */
static levy_status points_columns(const levy_plan_builder *b, const levy_table_key *key, uint32_t n,
                                  const uint32_t *columns)
{
    const levy_image *const h = b->plan->image;
    uint32_t *const numbers =
        columns ? NULL : levy_memory_allocate(b->arena->memory, (size_t)n * 32, sizeof *numbers);
    const bool good = columns || (numbers && levy_net_directions(key->net, n, numbers));
    for (uint32_t r = 0; good && r < h->n_replicates; ++r)
        for (uint32_t c = 0; c < h->n_draws; ++c) {
            const uint32_t d = b->plan->dimensions[c];
            uint32_t own[LEVY_COLUMN_WORDS];
            if (c % 1024 == 0 && levy_memory_stopped(b->arena->memory)) {
                levy_memory_release(b->arena->memory, numbers);
                return LEVY_CANCELLED;
            }
            if (d >= n) continue;
            if (!columns) levy_point_column(key, r, d, numbers + 32 * (size_t)d, own);
            points_column(b, r, c,
                          columns ? columns + ((size_t)d * h->n_replicates + r) * LEVY_COLUMN_WORDS
                                  : own);
        }
    levy_memory_release(b->arena->memory, numbers);
    if (good) return LEVY_OK;
    return columns || numbers ? LEVY_INTERNAL : LEVY_MEMORY;
}

static levy_status points_tables(const levy_plan_builder *b)
{
    const levy_simulation *const s = &b->problem->simulation;
    const levy_image *const h = b->plan->image;
    const levy_table_key key = {s->seed, h->n_replicates, levy_simulation_scrambling(s), s->net,
                                points_purpose(b)};
    const uint32_t n = h->n_draws - h->n_padded;
    const levy_status status =
        points_columns(b, &key, n, levy_point_tables_get(b->tables, b->arena->memory, &key, n));
    levy_point_tables_let_go(b->tables);
    return status;
}

/* Marks the least important draws, which lie past the table. The keys also serve the words that a
 * model may draw past its own. */
static void points_padding(const levy_plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    uint32_t *const padded = levy_builder_at(b->plan, h->padded);
    uint64_t *const keys = levy_builder_at(b->plan, h->padding);
    for (uint32_t c = 0; h->n_padded && c < h->n_draws; ++c)
        if (b->plan->dimensions[c] >= h->n_draws - h->n_padded) padded[c / 32] |= 1u << c % 32;
    for (uint32_t r = 0; r < h->n_replicates && (h->n_padded || levy_image_model_draws(h)); ++r)
        keys[r] = levy_points_key(b->problem->simulation.seed, r,
                                  LEVY_PURPOSE_PADDING + points_purpose(b) - LEVY_PURPOSE_PRICE);
}

/* Writes the starts of the replicates, and the jumps by whole paths: first by 2^b paths, then by
 * 2^k - 1. */
static void points_streams(const levy_plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    uint32_t *const starts = levy_builder_at(b->plan, h->streams);
    uint32_t *const jumps = levy_builder_at(b->plan, h->jumps);
    uint32_t one[LEVY_MRG_JUMP];
    for (uint32_t r = 0; r < h->n_replicates; ++r)
        levy_mrg_start(b->problem->simulation.seed, r, points_purpose(b),
                       starts + LEVY_MRG_STATE * (size_t)r);
    levy_mrg_one_draw(one);
    levy_mrg_repeat(one, h->n_draws, jumps);
    for (uint32_t i = 1; i < LEVY_MRG_POWERS; ++i)
        levy_mrg_repeat(jumps + LEVY_MRG_JUMP * (size_t)(i - 1), 2,
                        jumps + LEVY_MRG_JUMP * (size_t)i);
    for (uint32_t k = 0; k < LEVY_MRG_STRIDES; ++k)
        levy_mrg_repeat(jumps, ((uint64_t)1 << k) - 1,
                        jumps + LEVY_MRG_JUMP * (size_t)(LEVY_MRG_POWERS + k));
}

/* Names the numbers of this supply in the hash of the plan. The caller's numbers have no name. */
static uint64_t points_supply_key(const levy_simulation *s)
{
    const uint64_t net = s->net ? s->net->hash : 0;
    const uint64_t parts[] = {
        (uint64_t)s->supply,
        (uint64_t)s->generator,
        (uint64_t)levy_simulation_scrambling(s),
        s->supply == LEVY_SUPPLY_SET ? s->points->hash : net,
    };
    return s->supply ? XXH3_64bits(parts, sizeof parts) : 0;
}

/* Sobol points and given normals have their best dimensions first. The row of a word of Philox is
 * its place in the build order, that of another pseudo-random word its place in time, as in a loop
 * that makes it. */
static void points_rows(const levy_plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    const uint32_t *const nodes = LEVY_IMAGE_AT(uint32_t, h, bridge_time);
    const uint32_t drivers = h->n_nodes * h->n_factors;
    const int32_t generator = b->problem->simulation.generator;
    uint32_t *const rows = levy_builder_at(b->plan, h->directions);
    for (uint32_t c = 0; levy_given_size(h) && c < h->n_draws; ++c)
        rows[c] = levy_simulation_is_quasi(&b->problem->simulation) ||
                          h->generator == POINTS_GIVEN_NORMALS
                      ? b->plan->dimensions[c]
                  : c < drivers && generator != LEVY_GENERATOR_PHILOX
                      ? (nodes[c / h->n_factors] - 1) * h->n_factors + c % h->n_factors
                      : c;
}

levy_status levy_builder_put_points(const levy_plan_builder *b)
{
    const levy_image *const h = b->plan->image;
    const levy_simulation *const s = &b->problem->simulation;
    uint64_t *const keys = levy_builder_at(b->plan, h->keys);
    for (uint32_t r = 0; r < h->n_replicates; ++r)
        keys[r] = levy_points_key(s->seed, r, points_purpose(b)) ^ points_supply_key(s);
    points_rows(b);
    if (h->generator == POINTS_MRG) points_streams(b);
    points_padding(b);
    return h->generator == POINTS_SOBOL ? points_tables(b) : LEVY_OK;
}

/* Given numbers come for every draw, and given normals for draws that are normals. */
levy_status levy_builder_check_supply(const levy_plan_builder *b)
{
    const levy_simulation *const s = &b->problem->simulation;
    uint64_t most = LEVY_CURAND_DIMENSIONS;
    if (s->supply == LEVY_SUPPLY_SET)
        most = s->points->n_dimensions;
    else if (s->supply != LEVY_SUPPLY_CURAND)
        most = levy_net_dimensions(s->net);
    if (s->supply && levy_simulation_is_quasi(&b->problem->simulation) &&
        levy_builder_draws(b) > most) {
        snprintf(b->why, LEVY_PLAN_WHY,
                 "%s: the generator has %llu dimensions, but a path draws %llu",
                 s->supply == LEVY_SUPPLY_SET ? levy_generator_text(s) : "pipeline staged",
                 (unsigned long long)most, (unsigned long long)levy_builder_draws(b));
        return LEVY_UNSUPPORTED;
    }
    if (s->supply != LEVY_SUPPLY_CALLER ||
        (levy_builder_auxiliary(b) == 0 && !(levy_builder_features(b) & LEVY_MODEL_GAMMA)))
        return LEVY_OK;
    snprintf(b->why, LEVY_PLAN_WHY,
             "generator given: a path of this model or payoff draws more than normals");
    return LEVY_UNSUPPORTED;
}
