/* study.h: runs the study that the options ask for: a convergence, the coverage of intervals, or a
 * profile. */
#ifndef LEVY_CLI_STUDY_H
#define LEVY_CLI_STUDY_H

#include "engine/cli/client.h"

typedef enum cli_study_kind { CLI_CONVERGENCE, CLI_COVERAGE, CLI_PROFILE } cli_study_kind;

/* 0, or an exit code after messages on stderr; *study is then NULL. */
int cli_study_run(cli_client *client, cli_study_kind kind, levy_study **study);

#endif
