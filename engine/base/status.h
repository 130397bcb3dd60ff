/* status.h: the one list of status codes and of reasons. Enum, text and exit code all come from
 * these lists. The public header levy.h spells the same numbers; api.c asserts at compile time that
 * they agree. */
#ifndef LEVY_BASE_STATUS_H
#define LEVY_BASE_STATUS_H

/* X(name, value, exit code of the command line, sentence) */
#define LEVY_STATUS_LIST(X)                                                                        \
    X(OK, 0, 0, "success")                                                                         \
    X(ARGUMENT, -1, 2, "an argument violates its contract")                                        \
    X(INPUT, -2, 3, "the input was rejected; the diagnostics say where and why")                   \
    X(UNSUPPORTED, -3, 3, "this combination is not supported")                                     \
    X(MEMORY, -4, 4, "not enough memory")                                                          \
    X(DEVICE, -5, 4, "no usable device, or the device was lost")                                   \
    X(TOLERANCE, -6, 5, "the accuracy target was not reached within the budget")                   \
    X(IO, -7, 7, "reading or writing failed")                                                      \
    X(CANCELLED, -8, 130, "the caller cancelled the work")                                         \
    X(NUMERIC, -9, 1, "a result is not a finite number")                                           \
    X(INTERNAL, -10, 4, "a defect in levy; please report it")                                      \
    X(RESUME, -11, 6, "the journal belongs to another run, or is in use")

typedef enum levy_status {
#define LEVY_STATUS_ENUM(name, value, exit_code, text) LEVY_##name = value,
    LEVY_STATUS_LIST(LEVY_STATUS_ENUM)
#undef LEVY_STATUS_ENUM
} levy_status;

/* Why something was refused: a closed list, printed in results and diagnostics. X(name, text) */
#define LEVY_REASON_LIST(X)                                                                        \
    X(NONE, "none")                                                                                \
    X(SYNTAX, "syntax") /* not YAML, or a YAML feature we refuse */                                \
    X(LIMIT, "limit")   /* depth, size or count over the limit */                                  \
    X(UNKNOWN_KEY, "unknown_key")                                                                  \
    X(DUPLICATE_KEY, "duplicate_key")                                                              \
    X(MISSING_KEY, "missing_key")                                                                  \
    X(TYPE, "type")                 /* text where a number is due, a scalar where a list is */     \
    X(RANGE, "range")               /* the right type, outside its range */                        \
    X(UNKNOWN_NAME, "unknown_name") /* a reference to something not defined */                     \
    X(MISSING_DATA, "missing_data") /* a fixing, a correlation, a curve node */                    \
    X(INCONSISTENT, "inconsistent") /* two values contradict each other */                         \
    X(UNSUPPORTED, "unsupported")   /* does not combine */                                         \
    X(IO, "io")                                                                                    \
    X(MEMORY, "memory")                                                                            \
    X(DEVICE, "device")                                                                            \
    X(INTERNAL, "internal") /* a defect in levy */                                                 \
    X(NUMERIC_ERROR, "numeric_error")                                                              \
    X(CANCELLED, "cancelled")

typedef enum levy_reason {
#define LEVY_REASON_ENUM(name, text) LEVY_REASON_##name,
    LEVY_REASON_LIST(LEVY_REASON_ENUM)
#undef LEVY_REASON_ENUM
} levy_reason;

const char *levy_status_text(levy_status status); /* never NULL */
const char *levy_reason_text(levy_reason reason); /* never NULL */
/* Why work on paths has not come to its end, by the status that it ended with. */
levy_reason levy_reason_of(levy_status status);

/* The only macro that returns. A function that owns something does not use it, but `if (status)
 * goto done;`. */
#define LEVY_TRY(call)                                                                             \
    do {                                                                                           \
        const levy_status levy_try_status = (call);                                                \
        if (levy_try_status != LEVY_OK) return levy_try_status;                                    \
    } while (0)

#endif
