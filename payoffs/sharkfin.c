/* sharkfin.c: a participation that is lost for a rebate where the level goes too far. Must not
 * know: how levels are made. */
#include "payoffs/checks.h"
#include "payoffs/written.h"

typedef struct sharkfin_terms {
    levy_payoff_terms payoff;
    double knock_out_barrier, strike, participation, rebate, protection;
    levy_schedule_terms observations;
} sharkfin_terms;

static const char sharkfin_text[] =
    "var out = 0\n"
    "at observations {\n"
    "  let sign = 1 - 2 * option_type\n"
    "  if sign * worst(levels) >= sign * knock_out_barrier { out = 1 }\n"
    "}\n"
    "at expiry {\n"
    "  let gain = (1 - 2 * option_type) * (worst(levels) - strike)\n"
    "  pay protection + (rebate if out > 0 else participation * max(gain, 0))\n"
    "}\n";

static const levy_field sharkfin_fields[] = {
    {LEVY_KEY("option_type", CHOICE, levy_payoff_terms, option_type),
     .spelled = "type option right call_put put_call cp_flag callput optiontype",
     .choices = levy_option_types, .words = levy_option_words, .fallback = "call",
     .doc = "call or put."},
    LEVY_WRITTEN_DATES(
        sharkfin_terms, observations,
        "Dates on which the barrier is watched. Left out: the date of exercise alone."),
    LEVY_WRITTEN_REQUIRED_ALSO(sharkfin_terms, knock_out_barrier, "~barrier", 0, 1e15,
                               "Level of the knock-out."),
    LEVY_WRITTEN_NUMBER(sharkfin_terms, strike, 0, 1e15, "1",
                        "Level from which the holder participates."),
    LEVY_WRITTEN_NUMBER(sharkfin_terms, participation, 0, 1000, "1",
                        "Share of the gain that is paid."),
    LEVY_WRITTEN_NUMBER(sharkfin_terms, rebate, 0, 1e15, "0",
                        "What is paid at expiry after a knock-out."),
    LEVY_WRITTEN_NUMBER(sharkfin_terms, protection, 0, 1e15, "1",
                        "What is repaid at expiry whatever happens."),
    LEVY_WRITTEN_FIELDS,
    {0}};
static const levy_synonym sharkfin_synonyms[] = {
    {"shark_fin", "{kind: sharkfin, option_type: call, observations: {count: 12}, "
                  "knock_out_barrier: 1.3, rebate: 0.05}"},
    {0}};
LEVY_WRITTEN_TABLE_ALSO(
    sharkfin, sharkfin_terms, sharkfin_fields, sharkfin_synonyms,
    "{kind: sharkfin, option_type: call, observations: {count: 12}, knock_out_barrier: 1.3, "
    "rebate: 0.05}",
    "Shark fin note, per unit of notional. At expiry it pays protection, and with it participation "
    "times the amount by which the level is above the strike (put: below), unless a date of "
    "observations had the level at knock_out_barrier or above (put: at it or below): then the "
    "rebate "
    "instead. Of several underlyings the worst one is the level. With protection 0 it is the "
    "option alone." LEVY_INTEGRATED);
LEVY_WRITTEN_KIND(sharkfin);
