/* build_facts.h: which build this is; build.cmake makes the texts. Must not know what it computes.
 */
#ifndef LEVY_CLI_BUILD_FACTS_H
#define LEVY_CLI_BUILD_FACTS_H

extern const char cli_build_version[]; /* "0.2.0", off a release "0.2.0-dev+1cc59648" */
extern const char cli_build_facts[];   /* members of a JSON object: "image": 18, ... */

#endif
