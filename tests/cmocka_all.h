/* cmocka_all.h: CMocka and what it wants included before it. */
#ifndef LEVY_TESTS_CMOCKA_ALL_H
#define LEVY_TESTS_CMOCKA_ALL_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#endif
