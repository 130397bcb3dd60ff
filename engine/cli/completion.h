/* completion.h: completion scripts and the manual page, made from options.def. */
#ifndef LEVY_CLI_COMPLETION_H
#define LEVY_CLI_COMPLETION_H

#include "engine/cli/options.h"

int cli_completion_write(const char *shell, levy_writer write, void *user); /* -1: no such shell */
int cli_man_write(levy_writer write, void *user);

#endif
