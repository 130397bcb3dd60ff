/* fake_module.h: what a test asks of the fake module that it has loaded. */
#ifndef LEVY_TESTS_FAKE_MODULE_H
#define LEVY_TESTS_FAKE_MODULE_H

#include "tests/fake_cuda.h"

__attribute__((visibility("default"))) fake_cuda *levy_fake_module(void);
__attribute__((visibility("default"))) void levy_fake_module_reset(void);

#endif
