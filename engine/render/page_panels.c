/* page_panels.c: which matrix of the page a measure belongs to, in which column, and what its row
 * is about. Sensitivities share one matrix: a column each, a row for each asset or curve of a
 * trade. A ladder by node has a column for each node, numbers of models have one for each by its
 * name, a grid of scenarios one for each size of its last axis, and all else one for each factor.
 * See page.h. */
#include "engine/render/page.h"

#include <math.h>
#include <string.h>

static bool panels_begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Measures whose factor is a date, a scenario or a name, not a part of the market. */
static bool panels_is_by_factor(const char *measure)
{
    static const char *const names[] = {"cash_flows",   "probability",        "expected_life",
                                        "report",       "implied_volatility", "exercise_value",
                                        "continuation", "boundary",           "upper_bound"};
    bool found = panels_begins(measure, "scenario_");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        found = found || strcmp(measure, names[i]) == 0;
    return found;
}

/* The trades' table has prices, and profit and loss tell of scenarios. */
static bool panels_leaves_out(const char *measure)
{
    return strcmp(measure, "price") == 0 || strcmp(measure, "scenario_price") == 0;
}

/* ---- Keys ---- */

static const levy_grid_point *panels_point(levy_page *page, levy_page_panels *panels,
                                           const levy_measure *m)
{
    const levy_report *const report = page->report;
    const levy_grid_point *at = panels->point;
    if (!panels_begins(m->measure, "scenario_")) return NULL;
    for (size_t i = 0; i < report->n_points; ++i, ++at) {
        if (!at || at == report->points + report->n_points) at = report->points;
        if (strcmp(at->id, m->factor) != 0) continue;
        panels->point = at + 1;
        return at;
    }
    return NULL;
}

/* "-10 %", "+0.05": how far an axis shifts its factor. */
static const char *panels_shift(levy_page *page, const levy_grid_axis *axis, bool named)
{
    char size[PLOT_LABEL], percent[PLOT_LABEL];
    levy_page_exact(fabs(axis->size), size);
    const char *const shown = axis->relative ? levy_plot_percent(fabs(axis->size), percent) : size;
    const char *const sign = axis->size < 0.0 ? "\xe2\x88\x92" : "+";
    return levy_page_kept(page,
                          levy_arena_format(&page->arena, "%s%s%s%s", named ? axis->factor : "",
                                            named ? " " : "", sign, shown));
}

static levy_page_place panels_of_grid(levy_page *page, const levy_grid_point *point,
                                      levy_page_span *column)
{
    levy_page_place place = {0};
    const char *row = "";
    for (size_t i = 0; i + 1 < point->n_axes; ++i) {
        const char *const next = panels_shift(page, &point->axes[i], true);
        row = levy_arena_format(&page->arena, "%s%s%s", row, i ? ", " : "", next);
        row = levy_page_kept(page, row);
    }
    place.row = levy_page_span_of(row);
    *column = levy_page_span_of(panels_shift(page, &point->axes[point->n_axes - 1], false));
    return place;
}

/* "USD.EUR" of "USD.EUR.rate[1]": a name may have dots. */
static levy_page_span panels_owner(const char *factor)
{
    const char *const end = factor + strcspn(factor, ",["), *dot = end;
    while (dot > factor && *dot != '.') --dot;
    return (levy_page_span){factor, (size_t)((*dot == '.' ? dot : end) - factor)};
}

/* What a factor of the market is about: "SPX" of "SPX.spot", "SPX, NDX" of "SPX.spot,NDX.spot". */
static levy_page_span panels_about(levy_page *page, const char *factor)
{
    const char *const comma = strchr(factor, ',');
    const levy_page_span first = panels_owner(factor);
    if (!comma) return first;
    const levy_page_span second = panels_owner(comma + 1);
    if (levy_page_is_same(first, second)) return first;
    return levy_page_span_of(
        levy_page_kept(page, levy_arena_format(&page->arena, "%.*s, %.*s", (int)first.length,
                                               first.text, (int)second.length, second.text)));
}

/* ---- Panels and columns ---- */

static bool panels_is(const levy_page_panel *a, const levy_page_panel *b)
{
    const char *const first = a->grid ? a->grid->scenario : "";
    const char *const second = b->grid ? b->grid->scenario : "";
    if (a->pairs != b->pairs || strcmp(first, second) != 0) return false;
    if (!a->measure || !b->measure) return a->measure == b->measure;
    return strcmp(a->measure, b->measure) == 0;
}

static uint32_t panels_find(levy_page *page, levy_page_panels *panels, levy_page_panel wanted)
{
    for (size_t i = 0; i < panels->n; ++i)
        if (panels_is(&panels->panels[i], &wanted)) return (uint32_t)i;
    if (!LEVY_ARENA_GROW(&page->arena, panels->panels, panels->n, panels->room, 8))
        return page->failed = true, UINT32_MAX;
    panels->panels[panels->n] = wanted;
    return (uint32_t)panels->n++;
}

/* Lines have their columns in the same order, mostly: the search goes on from the last one. */
static uint32_t panels_column(levy_page *page, levy_page_panel *panel, levy_page_span name)
{
    for (size_t i = 0; i < panel->n; ++i) {
        const size_t at = (panel->near + i) % panel->n;
        if (!levy_page_is_same(panel->columns[at], name)) continue;
        panel->near = at + 1;
        return (uint32_t)at;
    }
    if (!LEVY_ARENA_GROW(&page->arena, panel->columns, panel->n, panel->room, 8))
        return page->failed = true, UINT32_MAX;
    panel->columns[panel->n] = name;
    panel->near = panel->n + 1;
    return (uint32_t)panel->n++;
}

/* "theta[0.5]" of "SPX.theta[0.5]". */
static levy_page_span panels_number(const char *factor)
{
    const char *const end = factor + strcspn(factor, "["), *from = end;
    while (from > factor && from[-1] != '.') --from;
    return levy_page_span_of(from);
}

static levy_page_place panels_place(levy_page *page, levy_page_panels *panels,
                                    const levy_measure *m)
{
    levy_page_place place = {.panel = UINT32_MAX, .column = UINT32_MAX};
    if (panels_leaves_out(m->measure)) return place;
    const levy_grid_point *const grid = panels_point(page, panels, m);
    const char *const node = strchr(m->factor, '[');
    levy_page_span column = levy_page_span_of(m->factor);
    const char *measure = m->measure;
    if (grid && grid->n_axes > 0)
        place = panels_of_grid(page, grid, &column);
    else if (panels_is_by_factor(m->measure))
        place.row = levy_page_span_of("");
    else {
        place.row = panels_about(page, m->factor);
        const bool ladder = strstr(measure, "_by_node"), model = strcmp(measure, "parameters") == 0;
        column = model    ? panels_number(m->factor)
                 : node   ? (levy_page_span){node + 1, strcspn(node + 1, "]")}
                 : ladder ? levy_page_span_of("flat")
                          : levy_page_span_of(measure);
        if (!ladder && !model) measure = NULL;
    }
    const bool pairs = !measure && memchr(place.row.text, ',', place.row.length);
    place.panel = panels_find(page, panels,
                              (levy_page_panel){.measure = measure, .pairs = pairs, .grid = grid});
    if (place.panel != UINT32_MAX)
        place.column = panels_column(page, &panels->panels[place.panel], column);
    return place;
}

/* ---- Lines ---- */

static void panels_line(levy_page *page, levy_page_panels *panels, levy_page_line line)
{
    line.places = levy_arena_allocate(&page->arena, line.n, sizeof *line.places);
    page->failed |= !line.places;
    if (page->failed) return;
    for (size_t i = 0; i < line.n; ++i)
        line.places[i] = panels_place(page, panels, &line.measures[i]);
    panels->lines[panels->n_lines++] = line;
}

void levy_page_sort_measures(levy_page *page, levy_page_panels *panels)
{
    const levy_report *const report = page->report;
    *panels = (levy_page_panels){0};
    panels->lines = levy_arena_allocate(&page->arena, report->n_trades + report->n_netted,
                                        sizeof *panels->lines);
    page->failed |= !panels->lines;
    for (size_t i = 0; i < report->n_trades && !page->failed; ++i) {
        const levy_trade_result *const t = &report->trades[i];
        if (levy_page_is_priced(t))
            panels_line(page, panels,
                        (levy_page_line){.name = t->id,
                                         .currency = t->currency,
                                         .measures = t->measures,
                                         .n = t->n_measures,
                                         .leg = t->leg_of});
    }
    for (size_t i = 0; i < report->n_netted && !page->failed; ++i) {
        const levy_netted *const n = &report->netted[i];
        const char *const label = n->label ? n->label : "(none)";
        if (n->key || n->translated || levy_report_size(report) > 1)
            panels_line(page, panels,
                        (levy_page_line){
                            .name = n->key ? label : "all trades",
                            .currency = levy_page_sum_currency(page, n),
                            .key = n->key,
                            .measures = n->measures,
                            .n = n->n_measures,
                            .sum = true,
                        });
    }
}
