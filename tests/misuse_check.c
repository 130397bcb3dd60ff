/* misuse_check.c: what no test program may pass with: a GPU that levy misused while the CPU went on
 * with the work (engine/book/handles.h). Linked into all of them; a test that provokes it sets the
 * count back. */
#include "engine/book/handles.h"

#include <stdio.h>
#include <unistd.h>

__attribute__((destructor)) static void misuse_check(void)
{
    const unsigned n = atomic_load(&levy_call_misuses);
    if (n == 0) return;
    fprintf(stderr, "levy misused the GPU %u times, and the CPU hid it\n", n);
    _exit(99);
}
