/* refresh.c: the problem of a book's quotes and settings as they are now. See handles.h. */
#include "engine/book/plan_cache.h"

/* Keeps in the book's arena why each failed trade failed: its first error. */
static levy_status book_keep_reasons(levy_book *book)
{
    const size_t n = book->problem->n_trades;
    const levy_fault_list *faults = &book->context->faults;
    levy_arena_release(&book->arena);
    book->trade_reasons = levy_arena_allocate(&book->arena, n, sizeof *book->trade_reasons);
    book->trade_messages = levy_arena_allocate(&book->arena, n, sizeof *book->trade_messages);
    if (!book->trade_reasons || !book->trade_messages) return LEVY_MEMORY;
    for (size_t i = 0; i < faults->count; ++i) {
        const levy_fault *fault = &faults->items[i];
        if (fault->severity != LEVY_SEVERITY_ERROR || fault->trade < 0 || (size_t)fault->trade >= n)
            continue;
        if (book->trade_reasons[fault->trade]) continue;
        const size_t length = levy_fault_line(fault, NULL, 0);
        char *text = levy_arena_allocate(&book->arena, length + 1, 1);
        if (!text) return LEVY_MEMORY;
        levy_fault_line(fault, text, length + 1);
        book->trade_reasons[fault->trade] = levy_reason_text(fault->reason);
        book->trade_messages[fault->trade] = text;
    }
    return LEVY_OK;
}

levy_status levy_book_refresh(levy_book *book)
{
    levy_problem *problem;
    if (book->problem && !book->stale) return LEVY_OK;
    const levy_status resolved =
        levy_quotes_resolve(book->quotes, &book->context->faults, &problem);
    if (resolved == LEVY_MEMORY && book->context->meter.over) {
        char limit[LEVY_MEMORY_TEXT];
        levy_fault_add(&book->context->faults, LEVY_REASON_LIMIT, NULL, "", NULL,
                       "the book's trades need more than the memory limit, %s (max_memory)",
                       levy_memory_text(book->context->meter.limit, limit));
        return LEVY_INPUT;
    }
    if (resolved != LEVY_OK) return resolved;
    levy_problem_destroy(book->problem);
    book->problem = problem;
    book->generation++;
    levy_fault_list_sort(&book->context->faults);
    const levy_status status = book_keep_reasons(book);
    book->stale = status != LEVY_OK;
    return status;
}

levy_status levy_book_take_settings(levy_book *book, const levy_override *settings, size_t n)
{
    levy_overrides *others;
    LEVY_TRY(levy_overrides_create(&book->context->planning, settings, n, &others));
    others = levy_quotes_override(book->quotes, others);
    book->stale = true;
    const levy_status status = levy_book_refresh(book);
    if (status == LEVY_OK) {
        levy_plan_cache_forget(book);
    } else {
        others = levy_quotes_override(book->quotes, others);
        book->stale = true; /* the problem may be that of the other settings */
    }
    levy_overrides_destroy(others);
    return status;
}
