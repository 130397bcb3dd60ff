/* fake_module.h: what a test asks of the fake module that it has loaded. */
#ifndef LEVY_TESTS_FAKE_MODULE_H
#define LEVY_TESTS_FAKE_MODULE_H

#include "tests/fake_cuda.h"

__attribute__((visibility("default"))) fake_cuda *levy_fake_module(void);
__attribute__((visibility("default"))) void levy_fake_module_reset(void);
/* Memory of the GPU that holds these bytes; it goes with the next reset. NULL: there is none. */
__attribute__((visibility("default"))) void *levy_fake_module_memory(const void *bytes,
                                                                     size_t size);

#endif
