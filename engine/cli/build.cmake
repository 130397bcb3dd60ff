# build.cmake: which build this is, as a C text that changes with the commit alone: what `levy version` prints.
#   cmake -DROOT=<sources> -DOUTPUT=<c file> -DVERSION=<0.2.0> -DRELEASE=<ON or OFF> -DFACTS=<JSON members> -P build.cmake
# Off a release the version ends with -dev and, in a clone, with the commit.
cmake_minimum_required(VERSION 3.22)

set(version "${VERSION}")
if(NOT RELEASE)
  string(APPEND version "-dev")
  execute_process(COMMAND git -C "${ROOT}" rev-parse --show-prefix --short=8 HEAD
    OUTPUT_VARIABLE place RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed AND place MATCHES "^\n?([0-9a-f]+)$") # not in a folder of another project's clone
    string(APPEND version "+${CMAKE_MATCH_1}")
  endif()
endif()
string(REPLACE "\"" "\\\"" facts "${FACTS}")
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT [[/* Made by engine/cli/build.cmake. */
#include "engine/cli/build_facts.h"

const char cli_build_version[] = "@version@";
const char cli_build_facts[] = "@facts@";
]])
