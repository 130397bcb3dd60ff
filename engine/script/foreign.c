/* foreign.c: see foreign.h. */
#include "engine/script/foreign.h"

#include <string.h>
#include <strings.h>

typedef struct foreign_word {
    const char *words; /* with blanks between and around them */
    const char *hint;
} foreign_word;

/* Whether a list of words with blanks around them has the token, in whichever letters. */
static bool foreign_has(const char *words, const script_token *token)
{
    const size_t n = token->length;
    for (const char *at = words; n > 0 && (at = strchr(at, ' ')) != NULL && at[1]; ++at)
        if (strncasecmp(at + 1, token->text, n) == 0 && at[1 + n] == ' ') return true;
    return false;
}

script_token_kind levy_script_foreign_statement(const script_token *word)
{
    if (foreign_has(" return pays payoff_is receive ", word)) return SCRIPT_T_PAY;
    if (foreign_has(" break exit end terminate halt quit ", word)) return SCRIPT_T_STOP;
    if (foreign_has(" const float double int real val auto def my local ", word))
        return SCRIPT_T_LET;
    return SCRIPT_T_END;
}

bool levy_script_is_end(const script_token *word)
{
    return foreign_has(" maturity expiration final_date end_date t end redemption ", word);
}

/* The word without its part, `.spot`; one whose part is another number than the level keeps it. */
static script_token foreign_bare(const script_token *word)
{
    const char *const dot = memchr(word->text, '.', word->length);
    script_token bare = *word, part = *word;
    if (!dot || word->kind != SCRIPT_T_NAME) return bare;
    bare.length = (uint32_t)(dot - word->text);
    part.text = dot;
    part.length -= bare.length;
    return foreign_has(" .variance .integrated_variance ", &part) ? *word : bare;
}

bool levy_script_foreign_names(const script_token *word, const char *name)
{
    const script_token bare = foreign_bare(word);
    return strlen(name) == bare.length && strncasecmp(name, bare.text, bare.length) == 0;
}

uint32_t levy_script_foreign_level(const levy_script_frame *frame, const script_token *word)
{
    const script_token bare = foreign_bare(word);
    for (uint32_t k = 0; frame->names && k < frame->n_assets; ++k)
        if (levy_script_foreign_names(word, frame->names[k])) return k;
    static const char words[] =
        " spot price underlying stock asset close s s_t st final final_level ";
    return foreign_has(words, &bare) ? 0 : FOREIGN_NO_LEVEL;
}

bool levy_script_is_initial(const script_token *word)
{
    static const char words[] =
        " initial s0 s_0 spot0 initial_level initial_spot start_level initial_fixing ";
    return foreign_has(words, word);
}

static const char *foreign_hint(const foreign_word *table, const script_token *word)
{
    for (; table->words; ++table)
        if (foreign_has(table->words, word)) return table->hint;
    return NULL;
}

const char *levy_script_foreign_right(const script_token *word)
{
    static const foreign_word words[] = {
        {" must shall ", "What must happen is no right. Write: at dates { pay 1; stop }."},
        {" can could might may ",
         "Write: may call at dates by issuer { pay 1; stop }, or by holder."},
        {NULL, NULL}};
    return foreign_hint(words, word);
}

const char *levy_script_foreign_value(const script_token *word)
{
    static const foreign_word values[] = {
        {" true yes ", "Write 1, and compare: x == 1."},
        {" false no ", "Write 0, and compare: x == 1."},
        {" initial s0 s_0 spot0 initial_level initial_spot start_level initial_fixing ",
         "Write levels: percent_of_initial beside script: then level is the level by the initial "
         "one. Or give its number under parameters: {initial: 100}."},
        {" maturity expiry expiration end ",
         "expiry is a schedule: what stands in at expiry { ... } runs on that date, and "
         "years(now, expiry) are the years until then."},
        {" today ", "Today is 0, in years from the valuation date; now is the date of the block."},
        {" time t dt years year now ",
         "Write years(0, now) for those since the valuation date, years(now, expiry) for those to "
         "come. Or give them under parameters: {years: [0.25, 0.5]}, and write years[number]."},
        {" date i index step n ", "number is that of the date in its schedule, from 1 on."},
        {" strike k ", "Give it under parameters: {strike: 100}."},
        {" pi ", "Write 3.141592653589793."},
        {NULL, NULL}};
    return foreign_hint(values, word);
}

const char *levy_script_foreign_function(const levy_script_frame *frame, const script_token *word)
{
    static const foreign_word functions[] = {
        {" ln loge logn ", "Write log(x): it is the natural logarithm."},
        {" log10 log2 ", "Write log(x) / log(10): log is the natural logarithm."},
        {" pow power ", "Write x ^ 2: an exponent is a whole number from 1 to 16, or 0.5."},
        {" square sqr ", "Write x ^ 2."},
        {" maximum maxi fmax ", "Write max(a, b), or best(list)."},
        {" minimum mini fmin ", "Write min(a, b), or worst(list)."},
        {" fabs absolute magnitude ", "Write abs(x)."},
        {" len length size ", "Write dates for the number of dates, assets for that of assets."},
        {" pos positive relu plus ", "Write max(x, 0)."},
        {" indicator ind heaviside step digital ", "Write: 1 if condition else 0."},
        {" payoff payout receive ", "Write: pay amount."},
        {" norm_cdf normcdf normal_cdf cdf_normal cdfnorm cnorm ncdf normsdist normdist cum_norm n "
         "phi ",
         "Write cdf(x) for the distribution function of the standard normal law, pdf(x) for its "
         "density."},
        {" norm_pdf normpdf normal_pdf npdf density ",
         "Write pdf(x): it is the density of the standard normal law."},
        {" vol sigma implied_vol implied_volatility black_vol ",
         "Write volatility(now, expiry): that of Black and Scholes between two times."},
        {" df disc discount_factor zcb zero_bond bond ",
         "Write discount(now, expiry): the discount factor between two times."},
        {" year_fraction yearfrac dcf tau time_to year_frac ",
         "Write years(now, expiry): the years between two times."},
        {NULL, NULL}};
    static const char one[] = "mean(levels) is that of several assets. For dates keep it in a var: "
                              "var average = 0; at dates { average += level / dates }.";
    if (foreign_has(" avg average ", word))
        return frame->n_assets == 1 ? one : "Write mean(list): the mean of the assets on a date.";
    return levy_script_foreign_level(frame, word) != FOREIGN_NO_LEVEL
               ? "A level is that of the date on which the block runs: write level, or levels[1]."
               : foreign_hint(functions, word);
}
