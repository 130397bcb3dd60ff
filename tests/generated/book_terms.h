/* book_terms.h: parts of the templates of kinds (book_text.h). */
#ifndef LEVY_TESTS_GENERATED_BOOK_TERMS_H
#define LEVY_TESTS_GENERATED_BOOK_TERMS_H

#define OPTION "'option_type': '$o:<call|put>', 'strike': $strike:K"
#define SIGN "(1 - 2 * $o_is)"
#define GAIN "max(" SIGN " * ($L - $strike), 0)"
#define VANILLA(type, strike)                                                                      \
    "'kind': 'european', 'option_type': '" type "', 'strike': " strike "$agg$pct"
#define DIGITAL(type)                                                                              \
    "'kind': 'digital', 'option_type': '" type "', 'strike': $strike, 'cash': $cash$agg$pct"
#define CASH "'kind': 'cash', 'amount': $cash"
#define DAYS "'schedules': {'days': $days}"
#define OBSERVED "'schedules': {'observations': $days}"
#define ON_ANY .least = 1, .most = 3, .aggregates = true
#define ON_ONE .least = 1, .most = 1
#define ON_WORST .least = 1, .most = 4, .level = WORST
#define WRITTEN(name) "'kind': '" name "', "

#endif
