/* api_net.c: see api_net.h. The file is the caller's own choice, so links and folders are free. */
#include "engine/api/api_net.h"

#include "engine/base/io.h"
#include "kernels/points/sobol_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns 0 or an errno. */
static int net_load(const levy_memory *memory, const char *name, char **text, size_t *length)
{
    struct stat state;
    /* O_NONBLOCK: opening a pipe does not wait for a writer */
    const int file = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return errno;
    int error = fstat(file, &state) == 0 ? 0 : errno;
    if (!error && !S_ISREG(state.st_mode)) error = EINVAL;
    if (!error && (uint64_t)state.st_size > (uint64_t)1 << 30) error = EFBIG;
    if (!error && !(*text = levy_memory_allocate(memory, (size_t)state.st_size + 1, 1)))
        error = ENOMEM;
    if (!error) error = levy_io_read(file, *text, (size_t)state.st_size, length);
    close(file);
    return error;
}

static int net_read(levy_context *context, const char *name, levy_api_net *n)
{
    char *text = NULL;
    size_t length = 0;
    levy_net_fault fault;
    const int error = net_load(&context->memory, name, &text, &length);
    levy_status status = error ? LEVY_ARGUMENT : LEVY_OK;
    if (error == ENOMEM) status = LEVY_MEMORY;
    if (status == LEVY_OK) status = levy_net_read(&n->arena, text, length, &n->own, &fault);
    levy_memory_release(&context->memory, text);
    if (status == LEVY_MEMORY) return levy_api_refuse(context, "net.file", LEVY_MEMORY, "");
    if (status == LEVY_ARGUMENT)
        levy_fault_add(&context->faults, LEVY_REASON_IO, NULL, "net.file",
                       "Name a regular file that can be read.", "the file '%s' cannot be read: %s",
                       name, strerrordesc_np(error));
    if (status == LEVY_INPUT)
        levy_fault_add(&context->faults, fault.reason, NULL, "net.file", fault.hint,
                       "%s:%zu:%zu: %s", name, fault.line, fault.column, fault.message);
    return status == LEVY_OK ? LEVY_STATUS_OK : LEVY_STATUS_ARGUMENT;
}

static int net_matrices(levy_context *context, const levy_net_spec *s, levy_api_net *n)
{
    if (s->n_dimensions < 1 || s->n_dimensions > LEVY_NET_DIMENSIONS)
        return levy_api_refuse(context, "net.n_dimensions", LEVY_ARGUMENT,
                               "a net has 1 to 65,536 dimensions");
    if (s->n_columns < 1 || s->n_columns > 32)
        return levy_api_refuse(context, "net.n_columns", LEVY_ARGUMENT,
                               "a matrix has 1 to 32 columns");
    const levy_status status =
        levy_net_of_columns(&n->arena, s->columns, s->n_dimensions, s->n_columns, &n->own);
    return status == LEVY_OK ? LEVY_STATUS_OK : levy_api_refuse(context, "", status, "");
}

int levy_api_net_open(levy_context *context, int generator, const levy_net_spec *spec,
                      levy_api_net *net)
{
    static const int32_t scramblings[] = {LEVY_SCRAMBLING_MATRIX, LEVY_SCRAMBLING_SHIFT,
                                          LEVY_SCRAMBLING_NONE};
    levy_net_spec given = {0};
    *net = (levy_api_net){.net = NULL};
    levy_arena_init(&net->arena, &context->memory);
    if (generator != LEVY_NORMALS_NET && !spec) return LEVY_STATUS_OK;
    if (generator != LEVY_NORMALS_NET)
        return levy_api_refuse(context, "net", LEVY_ARGUMENT, "goes with LEVY_NORMALS_NET only");
    if (!spec)
        return levy_api_refuse(context, "net", LEVY_ARGUMENT, "is NULL; LEVY_NORMALS_NET needs it");
    if (!levy_call_copy_options(&given, sizeof given, spec))
        return levy_api_refuse(context, "net.struct_size", LEVY_ARGUMENT,
                               "is not that of a levy_net_spec");
    if (given.scrambling < LEVY_NET_SCRAMBLED || given.scrambling > LEVY_NET_PLAIN)
        return levy_api_refuse(context, "net.scrambling", LEVY_ARGUMENT,
                               "is none of LEVY_NET_SCRAMBLED, LEVY_NET_SHIFTED, LEVY_NET_PLAIN");
    if (!given.file == !given.columns)
        return levy_api_refuse(context, "net.file", LEVY_ARGUMENT,
                               "either file or columns must be given");
    const int status =
        given.file ? net_read(context, given.file, net) : net_matrices(context, &given, net);
    net->scrambling = scramblings[given.scrambling];
    if (status == LEVY_STATUS_OK) net->net = &net->own;
    return status;
}

void levy_api_net_close(levy_api_net *net) { levy_arena_release(&net->arena); }
