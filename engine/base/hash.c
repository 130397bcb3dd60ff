/* hash.c: see hash.h. */
#define XXH_IMPLEMENTATION
#include "engine/base/hash.h"
