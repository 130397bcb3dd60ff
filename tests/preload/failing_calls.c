/* failing_calls.c: a library for LD_PRELOAD whose calls to the system fail as a broken file
 * system's would. FAIL_CALL names the call (write, read, flock), FAIL_CODE what it answers: an
 * errno, or `zero` for 0 bytes; always, but on standard error. Used by tests/test_broken_calls.sh,
 * which compiles it. */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Does this call fail? Then errno is set, and *zero says that 0 is to be returned in place of -1.
 */
static bool call_fails(const char *call, bool *zero)
{
    const char *const name = getenv("FAIL_CALL"), *const code = getenv("FAIL_CODE");
    if (!name || !code || strcmp(name, call) != 0) return false;
    *zero = strcmp(code, "zero") == 0;
    if (!*zero) errno = atoi(code);
    return true;
}

/* ISO C has no cast from an object's pointer to a function's. */
#define REAL(type, name)                                                                           \
    static type real;                                                                              \
    if (!real) {                                                                                   \
        void *const symbol = dlsym(RTLD_NEXT, name);                                               \
        memcpy(&real, &symbol, sizeof real);                                                       \
    }

ssize_t write(int file, const void *from, size_t size)
{
    bool zero;
    typedef ssize_t (*write_fn)(int, const void *, size_t);
    REAL(write_fn, "write")
    if (file != STDERR_FILENO && call_fails("write", &zero)) return zero ? 0 : -1;
    return real(file, from, size);
}

ssize_t read(int file, void *to, size_t size)
{
    bool zero;
    typedef ssize_t (*read_fn)(int, void *, size_t);
    REAL(read_fn, "read")
    if (call_fails("read", &zero)) return zero ? 0 : -1;
    return real(file, to, size);
}

int flock(int file, int operation)
{
    bool zero;
    typedef int (*flock_fn)(int, int);
    REAL(flock_fn, "flock")
    if (call_fails("flock", &zero)) return -1;
    return real(file, operation);
}
