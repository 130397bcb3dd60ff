/* explain.h: the resolved trades, the plan of each group, and the schedule on a device, in words.
 * Must not know: handles. */
#ifndef LEVY_REPORT_EXPLAIN_H
#define LEVY_REPORT_EXPLAIN_H

#include "engine/problem/problem.h"
#include "engine/report/report.h"
#include "engine/run/backend.h"

typedef struct levy_explanation {
    const levy_memory *planning; /* memory for the plans */
    const levy_problem *problem;
    const levy_backend *backend;
    const levy_backend_info *info;
    const char *reason;    /* why this device */
    const char *estimate;  /* what auto weighed, in words; NULL: nothing */
    bool device_is_chosen; /* the caller chose it, not `auto` */
    const levy_price_options *options;
    double start; /* levy_clock_now() as the call began */
    levy_text_out out;
    uint64_t done, total; /* groups, for progress */
    double told;
} levy_explanation;

levy_status levy_explain(levy_explanation *job);

/* Reports progress to the caller while something is planned. 1: the caller wants to stop. `user` is
 * the levy_explanation. */
int levy_explain_stop(void *user);

#endif
