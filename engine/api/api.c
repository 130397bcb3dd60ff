/* api.c: contexts, diagnostics, status texts. See levy.h for what each function promises. */
#include "engine/api/api_object.h"
#include "engine/book/handles.h"

#include "engine/base/machine.h"

#include <string.h>

#define API_SAME_NUMBER(name, value, exit_code, text)                                              \
    _Static_assert((int)LEVY_##name == (int)LEVY_STATUS_##name && LEVY_STATUS_##name == (value),   \
                   "levy.h and status.h agree");
LEVY_STATUS_LIST(API_SAME_NUMBER)

const char *levy_version(void) { return LEVY_VERSION " (contract " LEVY_QUOTE(LEVY_CONTRACT) ")"; }

const char *levy_status_message(int status) { return levy_status_text((levy_status)status); }

int levy_status_exit_code(int status)
{
    switch (status) {
#define API_EXIT_CODE(name, value, exit_code, text)                                                \
    case value:                                                                                    \
        return exit_code;
        LEVY_STATUS_LIST(API_EXIT_CODE)
    default:
        return 4;
    }
}

static bool api_memory_of(const levy_context_options *options, levy_memory *memory)
{
    const int given = !!options->allocate + !!options->reallocate + !!options->release;
    if (given == 0) *memory = levy_memory_default;
    if (given == 3)
        *memory = (levy_memory){options->allocate, options->reallocate, options->release,
                                options->allocator_user, NULL};
    return given == 0 || given == 3;
}

/* The default is half of the machine's memory; 0, no limit, if that is not known. */
static bool api_limit_of(const levy_context_options *options, uint64_t *limit)
{
    const uint64_t whole = levy_machine_memory();
    if (options->max_memory) return levy_size_read(options->max_memory, whole, limit);
    *limit = whole / 2;
    return true;
}

/* Copies an option's text. False: no memory. */
static bool api_keep_text(const levy_memory *memory, const char *text, char **kept)
{
    const size_t size = text ? strlen(text) + 1 : 0;
    *kept = text ? levy_memory_allocate(memory, size, 1) : NULL;
    if (*kept) memcpy(*kept, text, size);
    return *kept || !text;
}

int levy_context_create(const levy_context_options *options, levy_context **context)
{
    levy_context_options given = {0};
    levy_memory memory;
    if (!context) return LEVY_STATUS_ARGUMENT;
    *context = NULL;
    uint64_t limit = 0;
    if (!levy_call_copy_options(&given, sizeof given, options) || !api_memory_of(&given, &memory) ||
        !api_limit_of(&given, &limit))
        return LEVY_STATUS_ARGUMENT;
    levy_context *made = levy_memory_allocate(&memory, 1, sizeof *made);
    if (!made) return LEVY_STATUS_MEMORY;
    made->memory = made->planning = memory;
    made->planning.meter = &made->meter;
    made->meter.limit = limit < SIZE_MAX ? (size_t)limit : SIZE_MAX;
    made->allow_links = given.allow_links != 0;
    made->keep_texts = given.keep_texts != 0;
    levy_fault_list_init(&made->faults, &made->memory);
    levy_arena_init(&made->diagnostics_arena, &made->memory);
    if (!api_keep_text(&made->memory, given.module_dir, &made->module_dir) ||
        !api_keep_text(&made->memory, given.kinds, &made->kinds)) {
        levy_context_destroy(made);
        return LEVY_STATUS_MEMORY;
    }
    *context = made;
    return LEVY_STATUS_OK;
}

void levy_context_destroy(levy_context *context)
{
    if (!context) return;
    const levy_memory memory = context->memory;
    levy_call_device_drop(context);
    levy_api_draws_drop(context);
    levy_fault_list_release(&context->faults);
    levy_arena_release(&context->diagnostics_arena);
    levy_memory_release(&memory, context->module_dir);
    levy_memory_release(&memory, context->kinds);
    levy_memory_release(&memory, context);
}

size_t levy_diagnostic_count(const levy_context *context)
{
    return context ? context->n_diagnostics : 0;
}
