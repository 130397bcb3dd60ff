/* status.c: the sentences of the status codes and the words of the reasons, expanded from the lists
 * of status.h. Must not know: who returns which code. */
#include "engine/base/status.h"

const char *levy_status_text(levy_status status)
{
    switch (status) {
#define STATUS_CASE(name, value, exit_code, text)                                                  \
    case LEVY_##name:                                                                              \
        return text;
        LEVY_STATUS_LIST(STATUS_CASE)
#undef STATUS_CASE
    }
    return "an unknown status code";
}

const char *levy_reason_text(levy_reason reason)
{
    switch (reason) {
#define REASON_CASE(name, text)                                                                    \
    case LEVY_REASON_##name:                                                                       \
        return text;
        LEVY_REASON_LIST(REASON_CASE)
#undef REASON_CASE
    }
    return "unknown";
}

levy_reason levy_reason_of(levy_status status)
{
    if (status == LEVY_UNSUPPORTED) return LEVY_REASON_UNSUPPORTED;
    if (status == LEVY_MEMORY) return LEVY_REASON_MEMORY;
    if (status == LEVY_INTERNAL) return LEVY_REASON_INTERNAL;
    if (status == LEVY_IO) return LEVY_REASON_IO;
    return status == LEVY_NUMERIC ? LEVY_REASON_NUMERIC_ERROR : LEVY_REASON_DEVICE;
}
