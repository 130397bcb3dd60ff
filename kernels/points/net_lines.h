/* net_lines.h: the lines of numbers that texts of generating matrices consist of. '#' begins a
 * comment, blank lines do not count. Must not know: what the numbers mean. */
#ifndef LEVY_POINTS_NET_LINES_H
#define LEVY_POINTS_NET_LINES_H

#include "kernels/points/net.h"

enum { NET_LINE = LEVY_NET_WRITTEN + 8 };

typedef struct levy_net_reader {
    const char *at, *end; /* the text that is left */
    size_t line;          /* the number of the line that was read last */
    size_t n;             /* its numbers: */
    uint64_t numbers[NET_LINE];
    size_t columns[NET_LINE]; /* where they begin; the first also where a title does */
    bool titled;              /* it is a line of Joe and Kuo's names of columns */
    bool over;                /* there was no further line */
    levy_net_fault *fault;
} levy_net_reader;

/* The hint for a text of no known form. */
extern const char levy_net_forms[];

/* A reader of the text behind the mark of UTF-8, which editors put before it. */
levy_net_reader levy_net_begin(const char *text, size_t length, levy_net_fault *fault);

/* Reads the numbers of the next line that has any; `over` at the end of the text. False with a
 * fault. */
bool levy_net_line(levy_net_reader *reader);

/* Sets the fault, in the line that was read last. Returns false. */
bool levy_net_refuse(const levy_net_reader *reader, levy_reason reason, size_t column,
                     const char *hint, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
