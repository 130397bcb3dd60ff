/* converge_text.c: convergence and coverage studies as tables for eyes. See convergence.h. */
#include "engine/report/report.h"

#include "engine/base/number.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { GRID_ROWS = 40, GRID_COLUMNS = 18, GRID_CELL = 72 };

/* Cells are collected first, because the widest of a column sets its width. The first column is
 * flush left, the others flush right. */
typedef struct text_grid {
    size_t n_rows, n_columns;
    char cells[GRID_ROWS][GRID_COLUMNS][GRID_CELL];
} text_grid;

static void grid_write(const text_grid *grid, levy_text_out *out)
{
    size_t widths[GRID_COLUMNS] = {0};
    for (size_t c = 0; c < grid->n_columns; ++c)
        for (size_t r = 0; r < grid->n_rows; ++r)
            if (strlen(grid->cells[r][c]) > widths[c]) widths[c] = strlen(grid->cells[r][c]);
    for (size_t r = 0; r < grid->n_rows; ++r) {
        for (size_t c = 0; c < grid->n_columns; ++c) {
            const size_t padding = widths[c] - strlen(grid->cells[r][c]);
            if (c > 0) levy_text_put_spaces(out, 2 + padding);
            levy_text_put(out, grid->cells[r][c]);
            if (c == 0 && grid->n_columns > 1) levy_text_put_spaces(out, padding);
        }
        levy_text_put(out, "\n");
    }
}

/* Three digits: 0.00123, 12.3, 4560, 1.23e+07. */
static void grid_short(double value, char *cell)
{
    const double size = fabs(value);
    int decimals = 0;
    if (!isfinite(value) || size >= 1e6 || (size < 1e-3 && size > 0.0)) {
        char text[LEVY_SCIENTIFIC_SIZE];
        levy_scientific_write(value, 3, text);
        snprintf(cell, GRID_CELL, "%s", text);
        return;
    }
    for (double scaled = size; scaled > 0.0 && scaled < 99.95 && decimals < 5; scaled *= 10.0)
        decimals++;
    levy_number_write_fixed(value, decimals, cell, GRID_CELL);
}

static void grid_fixed(double value, int decimals, char *cell)
{
    if (isfinite(value))
        levy_number_write_fixed(value, decimals, cell, GRID_CELL);
    else
        snprintf(cell, GRID_CELL, "-");
}

static void grid_scientific(double value, char *cell)
{
    char text[LEVY_SCIENTIFIC_SIZE];
    levy_scientific_write(value, 3, text);
    snprintf(cell, GRID_CELL, "%s", text);
}

/* Of a size, a power of 2. */
static int grid_exponent(uint64_t size) { return __builtin_ctzll(size); }

static void grid_power(uint64_t size, const char *before, char *cell)
{
    snprintf(cell, GRID_CELL, "%s2^%d", before, grid_exponent(size));
}

static void text_reference(levy_text_out *out, double value, double se, const char *kind)
{
    char text[GRID_CELL];
    levy_number_write_fixed(value, fabs(value) < 1e4 ? 10 : 4, text, sizeof text);
    levy_text_put(out, text);
    if (se > 0.0) {
        grid_scientific(se, text);
        LEVY_TEXT_PUT(out, " +- ", text);
    }
    const char *const other = strcmp(kind, "given") == 0 ? ", given" : ", simulated";
    levy_text_put(out, strcmp(kind, "closed_form") == 0 ? ", closed form" : other);
}

/* One run, whose error may be small by chance, is marked. */
static bool table_is_alone(const levy_convergence_method *method)
{
    return method->replicates == 1 && !method->pseudo_random;
}

static void table_name(const levy_convergence_method *method, char *cell)
{
    snprintf(cell, GRID_CELL, "%.60s%s", method->method, table_is_alone(method) ? " (1 run)" : "");
}

static void converge_text_head(levy_text_out *out, const levy_convergence *s)
{
    const levy_convergence_method *first = &s->methods[0];
    levy_text_put(out, s->trade);
    if (strcmp(s->measure, "price") != 0)
        LEVY_TEXT_PUT(out, ", ", s->measure, *s->factor ? " " : "", s->factor);
    LEVY_TEXT_PUT(out, ": ", s->payoff, ", ", s->model, "; reference ");
    text_reference(out, s->reference, s->reference_se, s->reference_kind);
    if (strcmp(s->reference_kind, "given") != 0) LEVY_TEXT_PUT(out, " (", s->reference_text, ")");
    levy_text_print(out, "\n%u replicates of 2^%d", s->replicates,
                    grid_exponent(s->points ? s->points : first->sizes[0]));
    if (!s->points)
        levy_text_print(out, " to 2^%d", grid_exponent(first->sizes[first->n_sizes - 1]));
    levy_text_print(out, " points, seed %zu, %s precision, %s (%s)\n\n", s->seed, s->precision,
                    s->run->backend, s->run->device);
}

static void table_methods(levy_text_out *out, const levy_convergence *s, text_grid *grid)
{
    const levy_convergence_method *first = &s->methods[0];
    memset(grid, 0, sizeof *grid);
    grid->n_columns = 7;
    grid->n_rows = 1 + s->n_methods;
    snprintf(grid->cells[0][0], GRID_CELL, "method");
    snprintf(grid->cells[0][1], GRID_CELL, "slope");
    grid_power(first->sizes[first->n_sizes - 1], "RMSE at ", grid->cells[0][2]);
    snprintf(grid->cells[0][3], GRID_CELL, "seconds");
    snprintf(grid->cells[0][4], GRID_CELL, "to target");
    snprintf(grid->cells[0][5], GRID_CELL, "efficiency");
    snprintf(grid->cells[0][6], GRID_CELL, "dimensions");
    for (size_t m = 0; m < s->n_methods; ++m) {
        const levy_convergence_method *method = &s->methods[m];
        char slope[GRID_CELL], error[GRID_CELL];
        grid_fixed(method->slope, 3, slope);
        grid_fixed(method->slope_se, 3, error);
        table_name(method, grid->cells[m + 1][0]);
        snprintf(grid->cells[m + 1][1], GRID_CELL,
                 isfinite(method->slope_se) ? "%.30s +- %.30s" : "%.30s", slope, error);
        grid_scientific(method->rmse[method->n_sizes - 1], grid->cells[m + 1][2]);
        grid_short(method->seconds, grid->cells[m + 1][3]);
        grid_short(method->seconds_to_target, grid->cells[m + 1][4]);
        grid_short(method->efficiency, grid->cells[m + 1][5]);
        if (method->n_shares)
            snprintf(grid->cells[m + 1][6], GRID_CELL, "%u of %u",
                     (unsigned)method->effective_dimension, (unsigned)method->dimensions);
        else
            snprintf(grid->cells[m + 1][6], GRID_CELL, "%u", (unsigned)method->dimensions);
    }
    grid_write(grid, out);
}

static void table_notes(levy_text_out *out, const levy_convergence *s)
{
    char text[GRID_CELL];
    levy_text_print(out,
                    "\nslope: of log2 RMSE on log2 points, 2^%d to 2^%d, by least squares; its "
                    "error from %u bootstrap samples of the replicates.\ndimensions: number of "
                    "leading dimensions that carry 99 %% of the variance of the average of the "
                    "Brownian path over the dates",
                    grid_exponent(s->fit_first), grid_exponent(s->fit_last), s->resamples);
    if (s->methods[0].outside_motion)
        levy_text_print(out,
                        ", not counting %u outside the Brownian path (jumps, time changes, "
                        "regimes, extrema)",
                        s->methods[0].outside_motion);
    grid_scientific(s->target_rmse, text);
    LEVY_TEXT_PUT(out, ".\nseconds: of all replicates; to target: of one replicate, to RMSE ",
                  text);
    bool alone = false;
    for (size_t m = 0; m < s->n_methods; ++m) alone |= table_is_alone(&s->methods[m]);
    LEVY_TEXT_PUT(out,
                  s->baseline ? "; efficiency: 1 / (RMSE^2 x seconds), "
                              : "; efficiency: there is no pseudo-random method to compare with.\n",
                  s->baseline, s->baseline ? " = 1.\n" : "");
    bool formed = false;
    for (size_t m = 0; m < s->n_methods; ++m)
        formed |=
            strstr(s->methods[m].method, "+integrated") || strstr(s->methods[m].method, "+plain");
    if (formed)
        levy_text_put(out,
                      "integrated, plain: whether the payoff is integrated over the first normal "
                      "of a path (simulation.smoothing).\n");
    if (alone)
        levy_text_put(out, "1 run: in place of an RMSE the size of one error, which may be small "
                           "by chance; no slope, not compared.\n");
    levy_text_put(out, "\n");
}

static void table_sizes(levy_text_out *out, const levy_convergence *s, text_grid *grid)
{
    memset(grid, 0, sizeof *grid);
    grid->n_columns = 1 + s->n_methods;
    grid->n_rows = 1 + s->methods[0].n_sizes;
    snprintf(grid->cells[0][0], GRID_CELL, "RMSE");
    for (size_t i = 0; i < s->methods[0].n_sizes; ++i)
        grid_power(s->methods[0].sizes[i], "", grid->cells[i + 1][0]);
    for (size_t m = 0; m < s->n_methods; ++m) {
        table_name(&s->methods[m], grid->cells[0][m + 1]);
        for (size_t i = 0; i < s->methods[m].n_sizes; ++i)
            grid_scientific(s->methods[m].rmse[i], grid->cells[i + 1][m + 1]);
    }
    grid_write(grid, out);
}

/* ---- Steps ---- */

/* "0.0123 +- 0.0004" */
static void grid_with_error(double value, double error, char *cell)
{
    char number[GRID_CELL], of[GRID_CELL];
    grid_scientific(value, number);
    grid_scientific(error, of);
    snprintf(cell, GRID_CELL, isfinite(value) ? "%.30s +- %.30s" : "-", number, of);
}

static void steps_table(levy_text_out *out, const levy_convergence_method *m, text_grid *grid)
{
    memset(grid, 0, sizeof *grid);
    grid->n_columns = 4;
    grid->n_rows = 1 + m->n_sizes;
    snprintf(grid->cells[0][0], GRID_CELL, "steps");
    snprintf(grid->cells[0][1], GRID_CELL, "%.60s", m->method);
    snprintf(grid->cells[0][2], GRID_CELL, "std. error");
    snprintf(grid->cells[0][3], GRID_CELL, "half steps change it by");
    for (size_t i = 0; i < m->n_sizes; ++i) {
        snprintf(grid->cells[i + 1][0], GRID_CELL, "%" PRIu64, m->sizes[i]);
        levy_number_shown(m->mean[i], 8, grid->cells[i + 1][1]);
        grid_scientific(m->mean_se[i], grid->cells[i + 1][2]);
        grid_with_error(m->rmse[i], m->rmse_se[i], grid->cells[i + 1][3]);
    }
    grid_write(grid, out);
}

/* The order is that of what half steps change. */
static void steps_order(levy_text_out *out, const levy_convergence *s,
                        const levy_convergence_method *m)
{
    char order[GRID_CELL], error[GRID_CELL];
    if (!isfinite(m->slope)) {
        levy_text_put(out, "\norder: fewer than two changes are above two of their errors\n");
        return;
    }
    grid_fixed(-m->slope, 2, order);
    grid_fixed(m->slope_se, 2, error);
    levy_text_print(out,
                    "\norder: %s +- %s, of what half steps change from %zu to %zu steps; at order "
                    "1 twice as much is left\n",
                    order, error, s->fit_first, s->fit_last);
}

static void steps_write(levy_text_out *out, const levy_convergence *s, text_grid *grid)
{
    for (size_t m = 0; m < s->n_methods; ++m) {
        levy_text_put(out, m ? "\n" : "");
        steps_table(out, &s->methods[m], grid);
        steps_order(out, s, &s->methods[m]);
    }
}

void levy_converge_write_table(const levy_converge_report *report, levy_text_out *out)
{
    text_grid grid;
    for (size_t i = 0; i < report->n; ++i) {
        const levy_convergence *const study = &report->studies[i];
        levy_text_put(out, i ? "\n\n" : "");
        converge_text_head(out, study);
        if (study->points) {
            steps_write(out, study, &grid);
            continue;
        }
        table_methods(out, study, &grid);
        table_notes(out, study);
        table_sizes(out, study, &grid);
    }
}

/* ---- Coverage ---- */

static void coverage_cells(const levy_coverage_row *row, char (*cells)[GRID_CELL])
{
    char coverage[GRID_CELL], error[GRID_CELL];
    grid_fixed(100.0 * row->coverage, 2, coverage);
    grid_fixed(100.0 * row->coverage_se, 2, error);
    if (strcmp(row->measure, "price") == 0)
        snprintf(cells[0], GRID_CELL, "%.70s", row->trade);
    else
        snprintf(cells[0], GRID_CELL, "%.24s, %.18s %.22s", row->trade, row->measure, row->factor);
    snprintf(cells[1], GRID_CELL, "%.70s", row->method);
    if (row->points & (row->points - 1))
        snprintf(cells[2], GRID_CELL, "%" PRIu32 " x %" PRIu64, row->replicates, row->points);
    else
        snprintf(cells[2], GRID_CELL, "%" PRIu32 " x 2^%d", row->replicates,
                 __builtin_ctzll(row->points));
    if (row->intervals)
        snprintf(cells[3], GRID_CELL, "%.20s +- %.20s %%", coverage, error);
    else
        snprintf(cells[3], GRID_CELL, "-");
    snprintf(cells[4], GRID_CELL, "%" PRIu32, row->seeds - row->intervals);
    grid_fixed(100.0 * row->coverage_unmarked, 2, coverage);
    snprintf(cells[5], GRID_CELL, "%.20s %%", coverage);
    grid_scientific(row->mean_half_width, cells[6]);
    grid_scientific(row->rmse, cells[7]);
    grid_fixed(100.0 * row->marked, 2, coverage);
    snprintf(cells[8], GRID_CELL, "%.20s %%", coverage);
    grid_short(row->mean_points, cells[9]);
    grid_fixed(100.0 * row->within_tolerance, 2, coverage);
    snprintf(cells[10], GRID_CELL, "%.20s %%", coverage);
}

static void coverage_head(levy_text_out *out, const levy_coverage_table *table)
{
    levy_text_print(out,
                    "Coverage of the %.1f %% interval over %u seeds from %zu on, %s precision\n\n",
                    100.0 * table->confidence, table->n_rows ? table->rows[0].seeds : 0,
                    table->first_seed, table->precision);
}

void levy_coverage_write_table(const levy_coverage_table *table, levy_text_out *out)
{
    static const char *const heads[] = {"trade",      "method",      "points",          "coverage",
                                        "unreliable", "if unmarked", "half width",      "RMSE",
                                        "marked",     "mean points", "within tolerance"};
    text_grid grid;
    coverage_head(out, table);
    for (size_t at = 0; at < table->n_rows; at += GRID_ROWS - 1) { /* a page at a time */
        const size_t left = table->n_rows - at;
        memset(&grid, 0, sizeof grid);
        grid.n_columns =
            sizeof heads / sizeof *heads - (isnan(table->rows[0].within_tolerance) ? 2 : 0);
        grid.n_rows = 1 + (left < GRID_ROWS - 1 ? left : GRID_ROWS - 1);
        for (size_t c = 0; c < grid.n_columns; ++c)
            snprintf(grid.cells[0][c], GRID_CELL, "%s", heads[c]);
        for (size_t i = 1; i < grid.n_rows; ++i)
            coverage_cells(&table->rows[at + i - 1], grid.cells[i]);
        grid_write(&grid, out);
    }
    levy_text_put(out, "\ncoverage: share of the reported intervals that contain the exact "
                       "value; unreliable: seeds whose replicate means hardly\ndiffer, so "
                       "that no interval is reported; if unmarked: coverage over all seeds, "
                       "as if every interval were reported;\nmarked: seeds whose value is "
                       "called biased or unreliable.\n");
    if (table->n_rows && !isnan(table->rows[0].within_tolerance))
        levy_text_put(out, "within tolerance: share of all seeds whose price error is at most the "
                           "tolerance.\n");
}
