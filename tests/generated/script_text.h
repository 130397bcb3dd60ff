/* script_text.h: the text of a generated script, and what it names (scripts.c). */
#ifndef LEVY_TESTS_GENERATED_SCRIPT_TEXT_H
#define LEVY_TESTS_GENERATED_SCRIPT_TEXT_H

#include "tests/generated/choices.h"

#include <stdbool.h>
#include <stddef.h>

enum { MOST_SCHEDULES = 3, MOST_PARAMETERS = 12, TEXT_SIZE = 1 << 13 };

typedef struct script_text {
    choices *c;
    bool absolute; /* levels are as quoted: the text divides them by their initial fixings */
    bool crosses;  /* it asks what was crossed between the dates of its only schedule */
    bool general;  /* shapes that are not integrated may stand beside the others */
    bool quoted;   /* assets have volatilities of their own */
    bool varies;   /* assets have variances that a script reads */
    bool later[MOST_SCHEDULES + 1]; /* all dates are after today; the last: of expiry */
    bool has_past[MOST_SCHEDULES];  /* dates that lie in it */
    bool sees;                      /* all dates of the block under way are after today */
    bool asks;                      /* the block under way has none, and may ask for the market's */
    unsigned n_assets, n_schedules, counts[MOST_SCHEDULES]; /* dates of each, past ones included */
    char text[TEXT_SIZE];                                   /* of the script, as JSON writes it */
    char parameters[TEXT_SIZE]; /* "name": number, with commas between them */
    unsigned schedule;          /* of the block under way; n_schedules: expiry */
    unsigned n_parameters, n_lets, depth, statements;
    bool by_date[MOST_SCHEDULES], by_asset; /* lists of parameters that are there */
} script_text;

/* Writes text and parameters for what else is set. */
void script_text_write(script_text *s);

#endif
