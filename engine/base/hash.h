/* hash.h: XXH3 (Y. Collet, xxHash 0.8), compiled once: hash.c. Must not know: what is hashed. */
#ifndef LEVY_BASE_HASH_H
#define LEVY_BASE_HASH_H

#define XXH_NAMESPACE levy_ /* of the functions' symbols */
#define XXH_STATIC_LINKING_ONLY
#include <xxhash.h>

#endif
