/* chosen_columns.c: see chosen_columns.h. The library alone knows what a name reads: a name is
 * asked for by itself, as CSV, and its cells are looked at. */
#include "engine/cli/chosen_columns.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS_NAME = 300 };

typedef struct columns_cells {
    bool below; /* the row of names is over */
    bool found; /* a cell that is not empty */
} columns_cells;

static int columns_look(void *user, const char *text, size_t length)
{
    columns_cells *const cells = user;
    for (size_t i = 0; i < length && !cells->found; ++i) {
        cells->found = cells->below && !strchr("\r\n,\"", text[i]);
        cells->below = cells->below || text[i] == '\n';
    }
    return cells->found;
}

static bool columns_are_empty(const levy_results *results, const char *name)
{
    columns_cells cells = {false, false};
    const levy_report_options one = {
        .struct_size = sizeof one, .format = LEVY_FORMAT_CSV, .columns = name};
    (void)levy_results_report(results, &one, columns_look, &cells);
    return cells.below && !cells.found;
}

/* Whether a name is a measure's: those of the wide form do not go with `factor`, of the long. */
static bool columns_is_measure(const cli_client *client, const char *name)
{
    char both[COLUMNS_NAME + 16];
    snprintf(both, sizeof both, "%s,factor", name);
    const levy_report_options two = {
        .struct_size = sizeof two, .format = LEVY_FORMAT_CSV, .columns = both};
    return levy_report_check(client->context, &two) != LEVY_STATUS_OK;
}

static bool columns_begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static void columns_warn(const cli_client *client, const levy_results *results, const char *name)
{
    const bool tag = columns_begins(name, "tags."), measure = columns_is_measure(client, name);
    const bool axis = columns_begins(name, "relative_") || columns_begins(name, "absolute_");
    const size_t length = strcspn(name, ":");
    if ((!tag && !measure && !axis) || !columns_are_empty(results, name)) return;
    cli_say("levy: warning: --columns: no result has '%s'; its column is empty\n", name);
    if (measure && columns_begins(name, "scenario_"))
        fputs("hint: scenario_price:ID and scenario_pnl:ID take the id of a scenario\n", stderr);
    else if (measure && name[length])
        cli_say("hint: it must be among --measures; `--columns %.*s` has the columns of all its "
                "factors\n",
                (int)length, name);
    else if (measure)
        cli_say("hint: ask for it: --measures price,%s\n", name);
}

void cli_columns_warn(const cli_client *client, const levy_results *results)
{
    int depth = 0;
    char name[COLUMNS_NAME];
    size_t used = 0;
    for (const char *at = client->options->columns; at; ++at) {
        depth += (*at == '[') - (*at == ']');
        if (*at && (*at != ',' || depth > 0)) {
            if (used + 1 < sizeof name) name[used++] = *at;
            continue;
        }
        name[used] = '\0';
        if (used > 0) columns_warn(client, results, name);
        used = 0;
        if (*at == '\0') return;
    }
}
