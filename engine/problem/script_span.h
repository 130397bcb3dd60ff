/* script_span.h: checks the times that a script names against the trade's schedules, past and
 * model, and reads the quoted market at them. Must not know: steps of programs, the text's
 * compiler. */
#ifndef LEVY_PROBLEM_SCRIPT_SPAN_H
#define LEVY_PROBLEM_SCRIPT_SPAN_H

#include "engine/problem/trade.h"
#include "payoffs/scripted.h"

/* What the check sees of the schedules, in the script's order. */
typedef struct levy_span_frame {
    const levy_trade_frame *frame;
    const levy_trade *trade;
    const levy_script_source *source;
    const char *const *names;
} levy_span_frame;

/* Fills the market as quoted. False: no memory. */
bool levy_script_quote(levy_check *check, const levy_trade *trade, levy_scripted *scripted);

/* Fills the market of a script that asks for volatilities, discount factors or years. It must know
 * its schedules' times. False: memory, or a fault: a schedule of several dates in the place of one,
 * or dates of the past, whose market nobody knows. */
bool levy_script_check_spans(levy_check *check, const levy_span_frame *frame,
                             levy_scripted *scripted);

#endif
