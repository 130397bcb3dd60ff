/* call.c: the parts that all calls on a context share: diagnostics, floating-point mode, options.
 * See handles.h. */
#include "engine/book/results.h"

#include <string.h>

bool levy_call_copy_options(void *copy, size_t size, const void *options)
{
    size_t given;
    if (!options) return true;
    memcpy(&given, options, sizeof given);
    /* no struct ends within a pointer, nor has nothing behind its size */
    if (given <= sizeof given || given % sizeof(void *) != 0 || given > 4096) return false;
    memcpy(copy, options, given < size ? given : size);
    return true;
}

levy_call_mode levy_call_mode_enter(void)
{
    levy_call_mode mode;
    fegetenv(&mode.caller);
    fesetenv(FE_DFL_ENV); /* to nearest, with subnormals: the host may have set another mode */
    return mode;
}

void levy_call_mode_leave(const levy_call_mode *mode) { fesetenv(&mode->caller); }

void levy_call_watch(levy_context *context, int (*stop)(void *user), void *user)
{
    context->meter.stop = stop;
    context->meter.user = user;
    context->meter.stopped = false;
}

void levy_call_begin(levy_context *context)
{
    context->mode = levy_call_mode_enter();
    context->meter.over = false;
    context->meter.most = context->meter.used;
    levy_fault_list_release(&context->faults);
    levy_arena_release(&context->diagnostics_arena);
    context->diagnostics = NULL;
    context->n_diagnostics = 0;
}

static bool call_diagnostic(levy_context *context, const levy_fault *fault,
                            levy_diagnostic *diagnostic)
{
    const size_t length = levy_fault_line(fault, NULL, 0);
    char *text = levy_arena_allocate(&context->diagnostics_arena, length + 1, 1);
    if (!text) return false;
    levy_fault_line(fault, text, length + 1);
    const char *file = fault->place.file;
    if (file && !(file = levy_arena_copy_text(&context->diagnostics_arena, file, strlen(file))))
        return false;
    *diagnostic = (levy_diagnostic){.severity = (int)fault->severity,
                                    .reason = levy_reason_text(fault->reason),
                                    .file = file,
                                    .line = fault->place.line,
                                    .column = fault->place.column,
                                    .path = fault->path,
                                    .message = fault->message,
                                    .hint = fault->hint,
                                    .text = text,
                                    .trade = fault->trade};
    return true;
}

static bool call_diagnostics(levy_context *context)
{
    levy_fault_list_sort(&context->faults);
    const size_t count = context->faults.count;
    if (count == 0) return true;
    context->diagnostics =
        levy_arena_allocate(&context->diagnostics_arena, count, sizeof *context->diagnostics);
    if (!context->diagnostics) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!call_diagnostic(context, &context->faults.items[i], &context->diagnostics[i]))
            return false;
        context->n_diagnostics = i + 1;
    }
    return true;
}

int levy_call_end(levy_context *context, int status)
{
    const bool made = call_diagnostics(context);
    levy_call_mode_leave(&context->mode);
    return made ? status : LEVY_STATUS_MEMORY;
}

int levy_call_end_results(levy_context *context, int status, levy_results **results)
{
    const int ended = levy_call_end(context, status);
    if (ended == status) return ended;
    levy_results_release(*results);
    *results = NULL;
    return ended;
}

int levy_call_refuse(levy_context *context, const char *argument, const char *why)
{
    if (!context) return LEVY_STATUS_ARGUMENT;
    levy_call_begin(context);
    levy_fault_add(&context->faults, LEVY_REASON_RANGE, NULL, argument, NULL, "%s", why);
    return levy_call_end(context, LEVY_STATUS_ARGUMENT);
}
