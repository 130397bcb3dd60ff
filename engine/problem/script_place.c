/* script_place.c: see script_place.h. */
#include "engine/problem/script_place.h"

/* Adds what the whole script may have meant to the hint of its first fault. */
static const char *script_hint(levy_check *check, const levy_script_fault *fault)
{
    const char *needs = "";
    if (!fault->mended) return fault->hint;
    if (fault->needs) needs = levy_check_text(check, "%s, ", fault->needs);
    return levy_check_text(check, "%s The script in full: write %sscript: \"%s\".", fault->hint,
                           needs, fault->mended);
}

bool levy_script_refuse_all(levy_check *check, const levy_node *text, const char *path,
                            const levy_script_fault *fault)
{
    for (; fault; fault = fault->next) {
        const levy_node at = levy_script_place(text, fault->line, fault->column);
        LEVY_REFUSE(check, SYNTAX, &at, path, script_hint(check, fault), "line %u, column %u: %s",
                    fault->line, fault->column, fault->message);
    }
    return false;
}
