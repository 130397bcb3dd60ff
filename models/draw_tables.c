/* draw_tables.c: see draw_tables.h. */
#include "models/draw_tables.h"

#include <string.h>

levy_status levy_model_tables_begin(levy_model_tables *t, levy_arena *arena, bool single,
                                    double scale, size_t front)
{
    *t = (levy_model_tables){.arena = arena,
                             .tolerance = single ? 1e-8 : 1e-10,
                             .scale = scale,
                             .n = (front + 7) / 8 * 8};
    t->room = t->n + 4096;
    t->law_room = 16;
    t->reals = levy_arena_allocate(arena, t->room, sizeof *t->reals);
    t->laws = levy_arena_allocate(arena, t->law_room, sizeof *t->laws);
    t->rows = levy_arena_allocate(arena, t->law_room, sizeof *t->rows);
    return t->reals && t->laws && t->rows ? LEVY_OK : LEVY_MEMORY;
}

static bool tables_near(double x, double y) { return x - y <= 1e-9 * y && y - x <= 1e-9 * y; }

static levy_status tables_put_law(levy_model_tables *t, const levy_law *law)
{
    if (t->n_laws == t->law_room) {
        levy_law *const laws = levy_arena_allocate(t->arena, 2 * t->law_room, sizeof *laws);
        uint32_t *const rows = levy_arena_allocate(t->arena, 2 * t->law_room, sizeof *rows);
        if (!laws || !rows) return LEVY_MEMORY;
        memcpy(laws, t->laws, t->n_laws * sizeof *laws);
        memcpy(rows, t->rows, t->n_laws * sizeof *rows);
        t->laws = laws;
        t->rows = rows;
        t->law_room *= 2;
    }
    t->laws[t->n_laws] = *law;
    t->rows[t->n_laws++] = (uint32_t)(t->n / 8);
    return LEVY_OK;
}

static levy_status tables_put_reals(levy_model_tables *t, const double *table, size_t n)
{
    if (t->n + n > t->room) {
        const size_t room = 2 * (t->n + n);
        double *const fresh = levy_arena_allocate(t->arena, room, sizeof *fresh);
        if (!fresh) return LEVY_MEMORY;
        memcpy(fresh, t->reals, t->n * sizeof *fresh);
        t->reals = fresh;
        t->room = room;
    }
    memcpy(t->reals + t->n, table, n * sizeof *table);
    t->n += n;
    return LEVY_OK;
}

/* Limits a law to the shapes that laws.h supports. An interval below them is as good as empty, and
 * a draw above them as good as its mean. When one shape of a beta law is raised, the other rises in
 * proportion, so that the mean stays. */
static levy_law tables_within(const levy_law *law)
{
    const double least = 1e-6, most = 1e7,
                 low = law->kind == LEVY_QUANTILE_BETA && law->b < law->a ? law->b : law->a;
    double a = law->a, b = law->b;
    if (low < least) {
        a = low > 0.0 ? a / low * least : least;
        b = low > 0.0 ? b / low * least : least;
    }
    if (a > most) a = most;
    if (b > most) b = most;
    if (a == law->a && (law->kind != LEVY_QUANTILE_BETA || b == law->b)) return *law;
    return law->kind == LEVY_QUANTILE_GAMMA  ? levy_law_gamma(a)
           : law->kind == LEVY_QUANTILE_BETA ? levy_law_beta(a, b)
                                             : levy_law_inverse_gaussian(a);
}

levy_status levy_model_tables_add(levy_model_tables *t, const levy_law *asked, uint32_t *row)
{
    const levy_law within = tables_within(asked), *const law = &within;
    levy_arena scratch;
    double *table;
    size_t n;
    for (size_t i = t->n_laws; i-- > 0;)
        if (t->laws[i].kind == law->kind && tables_near(t->laws[i].a, law->a) &&
            tables_near(t->laws[i].b, law->b)) {
            *row = t->rows[i];
            return LEVY_OK;
        }
    if (levy_memory_stopped(t->arena->memory)) return LEVY_CANCELLED;
    levy_arena_init(&scratch, t->arena->memory);
    levy_status status = levy_quantile_build(law, t->tolerance, t->scale, &scratch, &table, &n);
    if (status == LEVY_OK) status = tables_put_law(t, law);
    if (status == LEVY_OK) {
        *row = t->rows[t->n_laws - 1];
        status = tables_put_reals(t, table, n);
    }
    levy_arena_release(&scratch);
    return status;
}
