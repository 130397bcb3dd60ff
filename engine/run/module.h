/* module.h: finds, loads and checks a backend in a module of its own (liblevy-cuda.so). Must not
 * know: the work of a backend, plans, problems. */
#ifndef LEVY_RUN_MODULE_H
#define LEVY_RUN_MODULE_H

#include "engine/run/backend.h"

/* The first place that holds the file decides: `directory` (a context's option; may be NULL),
 * $LEVY_MODULE_DIR (ignored in set-uid programs), beside the library or program this code is in (by
 * its absolute name), ${libdir}/levy. The module stays loaded. LEVY_DEVICE when there is none,
 * LEVY_UNSUPPORTED when one does not fit; `why` (LEVY_REASON_SIZE) then says what was wrong. */
levy_status levy_module_load(const char *directory, levy_backend *backend, char *why);

#endif
