/* module.h: finds, loads and checks a backend in a module of its own (liblevy-cuda.so). Must not
 * know: the work of a backend, plans, problems. */
#ifndef LEVY_RUN_MODULE_H
#define LEVY_RUN_MODULE_H

#include "engine/run/backend.h"

/* Looks for the module in `directory` alone if it is given (a context's option); else in
 * $LEVY_MODULE_DIR alone if that is set (ignored in set-uid programs); else beside the library or
 * program of this code (by its absolute name), then in ${libdir}/levy. The module stays loaded.
 * LEVY_DEVICE: there is none; LEVY_UNSUPPORTED: it does not fit. `why` (LEVY_REASON_SIZE) says what
 * was wrong. */
levy_status levy_module_load(const char *directory, levy_backend *backend, char *why);

#endif
