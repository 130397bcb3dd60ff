/* report.h: finished results as text. The writers do no arithmetic on results: a number is printed with every bit
 * (JSON, CSV) or rounded to its error (table). A value that does not exist (NaN) is null, an empty cell, or a dash.
 * Must not know: how a result came about. No allocation: text leaves through a small buffer. */
#ifndef LEVY_REPORT_REPORT_H
#define LEVY_REPORT_REPORT_H

#include "engine/levy.h"

#include <stdbool.h>

typedef struct levy_report {
    const levy_run_info *run;
    const levy_trade_result *trades;
    size_t n_trades;
} levy_report;

/* All return LEVY_STATUS_OK, or LEVY_STATUS_IO once `write` has returned nonzero (it is not called again). */
int levy_report_write_table(const levy_report *report, bool color, levy_writer write, void *user);
int levy_report_write_json(const levy_report *report, levy_writer write, void *user);
int levy_report_write_jsonl(const levy_report *report, levy_writer write, void *user);
int levy_report_write_csv(const levy_report *report, levy_writer write, void *user);

/* Buffered text for the writers. A failed `write` is remembered, and everything after it is dropped. */
typedef struct levy_text_out {
    levy_writer write;
    void *user;
    bool failed;
    size_t used;
    char buffer[4096];
} levy_text_out;

void levy_text_out_init(levy_text_out *out, levy_writer write, void *user);
void levy_text_put(levy_text_out *out, const char *text); /* NULL puts nothing */
void levy_text_put_bytes(levy_text_out *out, const char *text, size_t length);
void levy_text_put_count(levy_text_out *out, uint64_t value);
int levy_text_finish(levy_text_out *out); /* hands the rest over; LEVY_STATUS_OK or LEVY_STATUS_IO */

#endif
