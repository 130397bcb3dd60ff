/* historical.c: host half of days drawn from a table: the log return of every business day is a
 * weighted row, independent of other days, the same row for all assets; between business days
 * nothing moves. E[exp(log return)] of a day is taken off exactly for each asset, so forwards are
 * the market's. With `scale: market` the moves about their mean are multiplied until a year of days
 * has the variance of the asset's volatility to one year. Source: J. Hull and A. White,
 * Incorporating volatility updating into the historical simulation method for value-at-risk, J. of
 * Risk 1, 1998 (the scaling). Must not know: curves, random numbers. */
#include "kernels/lane/scalar.h"
#include "models/asset_words.h"
#include "models/jump_plan.h"
#include "models/historical.h"

#include <string.h>

typedef struct historical_terms {
    levy_model_terms model;
    levy_mark_terms rows;
    levy_model_days days;
    int32_t scale;
} historical_terms;
enum { HISTORICAL_AS_WRITTEN, HISTORICAL_TO_MARKET };

static const historical_terms *historical_of(const levy_model_terms *terms)
{
    return (const historical_terms *)terms;
}

static const char *const historical_scales[] = {"none", "market", NULL};

static const levy_field historical_fields[] = {
    LEVY_MODEL_ASSETS_FIELD(
        "Names of 1 to 100 assets in market.assets, in the order of the table's columns. "
        "The table says how they move together; correlations of the market are not used."),
    {LEVY_KEY("shocks", MATRIX, historical_terms, rows.shocks), .flags = LEVY_NON_EMPTY,
     .doc = "Log returns of a day: [return, return, ..., weight], one return for each asset. The "
            "weight can be left out in all rows."},
    {LEVY_KEY("file", TEXT, historical_terms, rows.file),
     .doc = "CSV file of the same rows, up to 10,000,000 lines. Its first line may be the assets' "
            "names and weight; blank lines and # comments are skipped. The path is relative to "
            "this file."},
    {LEVY_KEY("calendars", LIST, historical_terms, days.names), .element = LEVY_FIELD_NAME,
     .doc = "Calendars whose common business days have a return: built in (WEEKENDS by default) or "
            "of market.calendars. A book in years has 252 equal days a year."},
    {LEVY_KEY("scale", CHOICE, historical_terms, scale), .choices = historical_scales,
     .fallback = "none",
     .doc = "none: returns as they are written. market: returns about their mean, multiplied by "
            "one factor for each asset so that they have its volatility to one year."},
    {0}};
static const levy_synonym historical_synonyms[] = {
    {"bootstrap",
     "{kind: historical, assets: [STOCK], shocks: [[-0.03, 1], [0.0, 6], [0.028, 1]]}"},
    {0}};
const levy_table levy_model_historical_table = {
    .name = "model historical",
    .example = "{kind: historical, assets: [STOCK], shocks: [[-0.03, 1], [-0.01, 4], [0.0, 6], "
               "[0.011, 4], [0.028, 1]]}",
    .synonyms = historical_synonyms,
    .doc = "Historical simulation: every business day draws one row of a table of weighted "
           "days, and all assets move by it. Forwards match the market. Each business day joins "
           "the grid. Continuous monitoring, vega, theta and correlations are not supported.",
    LEVY_FILLS_MODEL(historical_terms),
    .fields = historical_fields};

static const levy_mark_terms *historical_rows(const levy_model_terms *terms)
{
    return &historical_of(terms)->rows;
}

static levy_model_days *historical_days(levy_model_terms *terms)
{
    return &((historical_terms *)terms)->days;
}

/* Returns that do not vary cannot be given a volatility. */
static bool historical_fits(levy_check *check, const levy_model_terms *terms, const char *path)
{
    const historical_terms *const t = historical_of(terms);
    const char *const *const names = terms->assets.items;
    for (size_t a = 0; t->scale == HISTORICAL_TO_MARKET && a < terms->assets.count; ++a) {
        const levy_mark_terms *const column = &t->rows.joint->columns[a];
        const double size = column->mean < 0.0 ? -column->mean : column->mean;
        if (!(column->volatility > 1e-9 * size))
            return LEVY_REFUSE(check, INCONSISTENT, levy_check_at(terms->node, "scale"),
                               levy_check_text(check, "%s.scale", path),
                               "Give days on which the asset moves, or write scale: none.",
                               "the returns of %s do not vary", names[a]);
    }
    return true;
}

/* ---- Days ---- */

enum { HISTORICAL_YEAR = 252 };
/* as a share of a day: a grid date so close to a day is that day */
static const double historical_near = 1e-3;

static double historical_per_year(const levy_model_days *days)
{
    return days->is_dated ? 365.0 : HISTORICAL_YEAR;
}

/* Day k after the valuation, in years. False: it is no business day. */
static bool historical_day(const levy_model_days *days, uint32_t k, double *time)
{
    if (!days->is_dated) {
        *time = (double)k / HISTORICAL_YEAR;
        return true;
    }
    const levy_date date = days->valuation + (levy_date)k;
    *time = levy_year_fraction(LEVY_ACT_365_FIXED, days->valuation, date);
    return levy_is_business_day(date, days->calendars, days->n_calendars);
}

static bool historical_ends_day(const levy_model_days *days, double time)
{
    double day;
    const uint32_t k = (uint32_t)(time * historical_per_year(days) + 0.5);
    if (k == 0 || !historical_day(days, k, &day)) return false;
    const double off = (time - day) * historical_per_year(days);
    return off < historical_near && off > -historical_near;
}

static size_t historical_dates(const levy_model_terms *terms, double longest, const double *times,
                               size_t n, double *dates)
{
    const levy_model_days *const days = &historical_of(terms)->days;
    const double near = historical_near / historical_per_year(days);
    size_t count = 0, at = 0;
    double day = 0.0;
    (void)longest;
    for (uint32_t k = 1; day < times[n - 1]; ++k) {
        const bool is_day = historical_day(days, k, &day);
        if (!is_day || day >= times[n - 1] - near) continue;
        while (at < n && times[at] < day - near) ++at;
        if (at < n && times[at] <= day + near) continue;
        if (dates) dates[count] = day;
        ++count;
    }
    return count;
}

/* Business days in the year after the valuation. */
static double historical_days_of_a_year(const levy_model_days *days)
{
    double time, n = 0.0;
    if (!days->is_dated) return HISTORICAL_YEAR;
    for (uint32_t k = 1; k <= 365; ++k) n += historical_day(days, k, &time);
    return n;
}

/* ---- Returns ---- */

/* The deviation of an asset's returns over a year; 0: it is the asset's own volatility. Of returns
 * that do not vary, a size for bumps. */
static double historical_volatility(const levy_model_terms *terms, size_t asset)
{
    const historical_terms *const t = historical_of(terms);
    if (t->scale == HISTORICAL_TO_MARKET) return 0.0;
    const double own =
        t->rows.joint->columns[asset].volatility * levy_sqrt(historical_days_of_a_year(&t->days));
    return own > 1e-8 ? own : 0.01;
}

/* A day's log return x of an asset becomes centre + factor (x - centre); the mean gross return of a
 * day is taken off. */
typedef struct historical_move {
    double centre, factor, compensation;
} historical_move;

static historical_move historical_move_of(const levy_model_terms *terms,
                                          const levy_model_grid *grid, size_t u)
{
    const historical_terms *const t = historical_of(terms);
    const levy_mark_terms *const column = &t->rows.joint->columns[grid->assets[u]];
    historical_move move = {column->mean, 1.0, 0.0};
    double sum = 0.0, total = 0.0;
    if (t->scale == HISTORICAL_TO_MARKET && column->volatility > 0.0)
        move.factor = grid->volatilities[u] /
                      (column->volatility * levy_sqrt(historical_days_of_a_year(&t->days)));
    for (size_t i = 0; i < column->n; ++i) {
        total += column->weights[i];
        sum += column->weights[i] *
               levy_exp(move.centre + move.factor * (column->sizes[i] - move.centre));
    }
    move.compensation = -levy_log(sum / total);
    return move;
}

/* ---- The plan ---- */

/* The table of the rows in their order, behind its size and shift. */
static levy_status historical_table(const levy_joint_shocks *joint, const uint32_t *order,
                                    levy_arena *arena, levy_model_plan *plan)
{
    double *const weights = levy_arena_allocate(arena, joint->n_rows, sizeof *weights);
    uint32_t *table, *words, shift;
    size_t n;
    if (!weights) return LEVY_MEMORY;
    for (size_t i = 0; i < joint->n_rows; ++i) weights[i] = joint->weights[order[i]];
    const levy_mark_terms rows = {.n = joint->n_rows, .weights = weights};
    LEVY_TRY(levy_mark_monotone(&rows, arena, &table, &n, &shift));
    words = levy_arena_allocate(arena, HISTORICAL_TABLE + n, sizeof *words);
    if (!words) return LEVY_MEMORY;
    words[HISTORICAL_SIZE] = (uint32_t)joint->n_rows;
    words[HISTORICAL_SHIFT] = shift;
    memcpy(words + HISTORICAL_TABLE, table, n * sizeof *table);
    plan->words = words;
    plan->n_words = HISTORICAL_TABLE + n;
    return LEVY_OK;
}

static levy_status historical_columns(const levy_joint_shocks *joint, const levy_model_grid *grid,
                                      levy_arena *arena, const uint32_t **order)
{
    const levy_mark_terms **const columns =
        levy_arena_allocate(arena, grid->n_assets, sizeof *columns);
    if (!columns) return LEVY_MEMORY;
    for (size_t u = 0; u < grid->n_assets; ++u) columns[u] = &joint->columns[grid->assets[u]];
    return levy_joint_order(columns, grid->n_assets, arena, order);
}

/* Whether all rows are the same return of every asset of the grid. */
static bool historical_never_varies(const levy_joint_shocks *joint, const levy_model_grid *grid)
{
    for (size_t u = 0; u < grid->n_assets; ++u) {
        const double *const sizes = joint->columns[grid->assets[u]].sizes;
        for (size_t i = 1; i < joint->n_rows; ++i)
            if (sizes[i] != sizes[0]) return false;
    }
    return true;
}

static levy_status historical_plan(const levy_model_terms *terms, const levy_model_grid *grid,
                                   levy_arena *arena, levy_model_plan *plan)
{
    const historical_terms *const t = historical_of(terms);
    const levy_joint_shocks *const joint = t->rows.joint;
    const size_t n = grid->n_assets, n_reals = grid->n_nodes + joint->n_rows * n;
    double *const drift = levy_arena_allocate(arena, grid->n_nodes * n, sizeof *drift),
                  *const factor = levy_arena_allocate(arena, n, sizeof *factor), /* stays 0 */
                      *const reals = levy_arena_allocate(arena, n_reals, sizeof *reals);
    const uint32_t *order;
    if (!drift || !factor || !reals) return LEVY_MEMORY;
    LEVY_TRY(historical_columns(joint, grid, arena, &order));
    for (size_t u = 0; u < n; ++u) {
        const historical_move move = historical_move_of(terms, grid, u);
        const double *const sizes = joint->columns[grid->assets[u]].sizes;
        double ended = 0.0;
        for (size_t k = 0; k < grid->n_nodes; ++k) {
            ended += historical_ends_day(&t->days, grid->times[k]);
            drift[k * n + u] = move.compensation * ended;
        }
        for (size_t i = 0; i < joint->n_rows; ++i)
            reals[grid->n_nodes + i * n + u] =
                grid->scale * (move.centre + move.factor * (sizes[order[i]] - move.centre));
    }
    bool has_days = false;
    for (size_t k = 0; k < grid->n_nodes; ++k)
        if (historical_ends_day(&t->days, grid->times[k])) {
            reals[k] = 1.0 / levy_sqrt(grid->clock[k] - (k ? grid->clock[k - 1] : 0.0));
            has_days = true;
        }
    *plan = (levy_model_plan){.drift = drift,
                              .factor = factor,
                              .reals = reals,
                              .n_reals = n_reals,
                              .still = !has_days || historical_never_varies(joint, grid)};
    return historical_table(joint, order, arena, plan);
}

static const char *const historical_without[] = {
    "vega", "vega_by_node", "vanna", "volga", "theta", "correlation", NULL,
};

const levy_model_kind levy_model_historical = {
    .kind = "historical",
    .table = &levy_model_historical_table,
    .features = LEVY_MODEL_STEPS | LEVY_MODEL_JUMPS | LEVY_MODEL_DRIVEN | LEVY_MODEL_SHARED,
    .without = historical_without,
    .drivers = 1,
    .volatility = historical_volatility,
    .fits = historical_fits,
    .rows = historical_rows,
    .days = historical_days,
    .plan = historical_plan,
    .dates = historical_dates,
};
