/* study_command.h: runs the study that the options ask for: a convergence, the coverage of
 * intervals, or a profile. */
#ifndef LEVY_CLI_STUDY_COMMAND_H
#define LEVY_CLI_STUDY_COMMAND_H

#include "engine/cli/client.h"

typedef enum cli_study_kind { CLI_CONVERGENCE, CLI_COVERAGE, CLI_PROFILE } cli_study_kind;

/* 0, or an exit code after messages on stderr; *study is then NULL. */
int cli_study_run(cli_client *client, cli_study_kind kind, levy_study **study);

/* What `levy converge` checks before it loads. 0 or an exit code. */
int cli_study_check(const cli_options *options);

/* One part of the client's study, `how` says which: a status. */
int cli_study_part(cli_client *client, const levy_price_options *how);
/* Writes the study that the journals `paths` are the parts of. */
int cli_study_merge(cli_client *client, const char *const *paths, size_t n);

#endif
