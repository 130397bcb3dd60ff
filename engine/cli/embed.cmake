# embed.cmake: turns the examples of configs/ into a C table, for `levy example`.
#   cmake -DROOT=<folder> -DFILES=<files below it> -DOUTPUT=<c file> -P embed.cmake
cmake_minimum_required(VERSION 3.22)

set(text "/* Made by engine/cli/embed.cmake. */\n#include \"engine/cli/examples.h\"\n\n")
set(table "")
set(index 0)
foreach(name IN LISTS FILES)
  file(READ "${ROOT}/${name}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "\\.yaml$" "" short "${name}")
  string(APPEND text "static const unsigned char file_${index}[] = { /* ${name} */\n${bytes}0};\n")
  string(APPEND table "    {\"${short}\", (const char *)file_${index}, sizeof file_${index} - 1},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND text "\nconst cli_example_file cli_examples[] = {\n${table}};\nconst size_t cli_example_count = ${index};\n")
file(WRITE "${OUTPUT}" "${text}")
