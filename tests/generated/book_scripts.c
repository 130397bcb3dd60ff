/* book_scripts.c: kinds that levy ships as scripts (book_kinds.h). Their scripts here are written
 * by docs/theory.md and `levy describe`, with the names that docs/language.md gives to what a state
 * holds. */
#include "tests/generated/book_kinds.h"
#include "tests/generated/book_terms.h"

#define KNOCKED(kind, knock, rest)                                                                 \
    WRITTEN(kind) "'option_type': '$o', 'strike': $strike, 'knock': '" knock "', " rest "$lev"
#define KNOCKED_SUMS(kind, rest)                                                                   \
    "=+" KNOCKED(kind, "in", rest) ";+" KNOCKED(kind, "out", rest) ";-" VANILLA("$o", "$strike")

const kind_row script_rows[] = {
    {.terms = WRITTEN("autocallable") "'calls': $days:S, 'barrier': $barrier:I, 'coupon': "
                                      "$coupon:R, 'protection': $low:D$lev",
     .keys = "'schedules': {'calls': $days}, 'parameters': {'barrier': $barrier}",
     .script = "at calls {\n  if $L >= barrier[number] {\n    pay 1 + $coupon * number\n    stop\n"
               "  }\n}\nat expiry {\n  pay $L if $L < $low else 1\n}\n",
     .sums = ">+" WRITTEN("autocallable") "'calls': $days, 'barrier': $barrier, 'coupon': "
                                          "$coupon, 'protection': $low$lev",
     .state = "",
     ON_WORST,
     .units = PERCENT},
    {.terms = WRITTEN("phoenix") "'observations': $days:S, 'coupon': $coupon:C, "
                                 "'coupon_barrier': $cb:I, 'call_barrier': $call:I, 'memory': "
                                 "$m:<true|false>, 'first_call': $fc:<1|2>, 'knock_in': $ki:S, "
                                 "'knock_in_barrier': $low:D, 'strike': $strike:<1|0.8>$lev",
     .keys = "'schedules': {'observations': $days, 'knock_in': $ki}, 'parameters': {'coupon': "
             "$coupon, 'cb': $cb, 'call': $call}",
     .script = "var due = 0\nvar hit = 0\nat knock_in {\n  if $L < $low { hit = 1 }\n}\nat "
               "observations {\n  due = (due if $m_is == 0 else 0) + coupon[number]\n  if $L >= "
               "cb[number] {\n    pay due\n    due = 0\n  }\n  if $L >= call[number] and number >= "
               "$fc {\n    pay 1\n    stop\n  }\n}\nat expiry {\n  pay min(1, $L / $strike) if hit "
               "> 0 else 1\n}\n",
     .state = "'due': $q:<0|0.04>, 'hit': $q:<0|1>",
     ON_WORST,
     .units = PERCENT},
    {.terms = WRITTEN("snowball") "'calls': $days:S, 'barrier': $barrier:I, 'coupon': $coupon:G, "
                                  "'knock_in': $ki:S, 'knock_in_barrier': $low:D, 'strike': "
                                  "$strike:<1|0.8>$lev",
     .keys = "'schedules': {'calls': $days, 'knock_in': $ki}, 'parameters': {'barrier': $barrier}",
     .script = "var hit = 0\nvar seen = 0\nat knock_in {\n  if $L < $low { hit = 1 }\n}\nat calls "
               "{\n  seen = number\n  if $L >= barrier[number] {\n    pay 1 + $coupon * number\n   "
               " stop\n  }\n}\nat expiry {\n  pay min(1, $L / $strike) if hit > 0 else 1 + $coupon "
               "* seen\n}\n",
     .state = "'hit': $q:<0|1>, 'seen': $q:<1|2>",
     ON_WORST,
     .units = PERCENT},
    {.terms = WRITTEN("reverse_convertible") "'coupons': $days:S, 'coupon': $coupon:C, "
                                             "'knock_in': $ki:S, 'barrier': $low:D$lev",
     .keys = "'schedules': {'coupons': $days, 'knock_in': $ki}, 'parameters': {'coupon': $coupon}",
     .script = "var hit = 0\nat knock_in {\n  if $L < $low { hit = 1 }\n}\nat coupons { pay "
               "coupon[number] }\nat expiry {\n  pay min(1, $L) if hit > 0 else 1\n}\n",
     .state = "'hit': $q:<0|1>",
     ON_WORST,
     .units = PERCENT},
    {.terms = WRITTEN("digital_coupon_note") "'coupons': $days:S, 'coupon': $coupon:C, 'barrier': "
                                             "$b:I, 'low_coupon': $lc:<0|0.005>, 'redemption': "
                                             "$red:<1|0>$lev",
     .keys = "'schedules': {'coupons': $days}, 'parameters': {'coupon': $coupon, 'b': $b}",
     .script = "at coupons {\n  pay coupon[number] if $L >= b[number] else $lc\n}\nat expiry { pay "
               "$red }\n",
     .state = "",
     ON_WORST,
     .units = PERCENT},
    {.terms = WRITTEN("sharkfin") "'option_type': 'call', 'observations': $days:S, 'barrier': "
                                  "$b:U, 'strike': $strike:<1|0.9>, 'participation': $p:<1|0.7>, "
                                  "'rebate': $rebate:R, 'protection': $prot:<1|0>$lev",
     .keys = OBSERVED,
     .script = "var out = 0\nat observations {\n  if $L >= $b { out = 1 }\n}\nat expiry {\n  pay "
               "$prot + ($rebate if out > 0 else $p * max($L - $strike, 0))\n}\n",
     .state = "'out': $q:<0|1>",
     ON_WORST,
     .units = PERCENT},
    {.terms = WRITTEN("accumulator") "'observations': $days:S, 'strike': $strike:K, 'knock_out': "
                                     "$ko:U, 'gearing': $g:<2|1>, 'side': 'buy'$lev",
     .keys = OBSERVED,
     .script = "at observations {\n  if $L >= $ko { stop }\n  pay ($L - $strike) * (1 if $L >= "
               "$strike else $g)\n}\n",
     .state = "",
     ON_ONE},
    {.terms = WRITTEN("tarf") "'observations': $days:S, 'strike': $strike:K, 'target': $t:M, "
                              "'gearing': $g:<2|1>, 'last': '$last:<exact|full|none>', 'side': "
                              "'$o:<buy|sell>'$lev",
     .keys = OBSERVED,
     .script = "var gained = 0\nat observations {\n  let gain = " SIGN " * ($L - $strike)\n  if "
               "gain < 0 {\n    pay $g * gain\n  } else if gained + gain < $t {\n    pay gain\n  } "
               "else {\n    pay ($t - gained) if $last_is == 0 else gain if $last_is == 1 else 0\n "
               " }\n  gained += max(gain, 0)\n  if gained >= $t { stop }\n}\n",
     ON_ONE},
    {.terms = WRITTEN("variance_swap") "'observations': $days:S, 'strike': $q:<0.2|0.3|0>, 'cap': "
                                       "$q:<1000|0.4>, 'annualisation': 12$lev",
     .sums = ">+" WRITTEN(
         "variance_swap") "'observations': $days, 'strike': 0, 'annualisation': "
                          "12$lev;-" WRITTEN("variance_swap") "'observations': $days, 'strike': 0, "
                                                              "'annualisation': 12, 'cap': 0.4$lev",
     ON_ONE,
     .units = PERCENT},
    {.terms = WRITTEN("volatility_swap") "'observations': $days:S, 'strike': $q:<0.2|0.3|0>, "
                                         "'annualisation': 12$lev",
     .keys = OBSERVED,
     ON_ONE,
     .units = PERCENT},
    {.terms = WRITTEN("corridor_variance_swap") "'observations': $days:S, 'strike': $q:<0.18|0>, "
                                                "'lower': $low:D, 'upper': $up:U, 'conditional': "
                                                "$q:<false|true>, 'annualisation': 12$lev",
     .sums = "=+" WRITTEN(
         "corridor_variance_swap") "'observations': $days, 'strike': 0.2, "
                                   "'annualisation': 12$lev;-" WRITTEN(
                                       "variance_swap") "'observations': $days, 'strike': 0.2, "
                                                        "'annualisation': 12$lev",
     .state = "'previous': $q:<1|0.7|1.1>, 'squares': $q:<0|0.03>, 'inside': $q:<0|0.1>",
     ON_ONE,
     .units = PERCENT},
    {.terms =
         WRITTEN("gamma_swap") "'observations': $days:S, 'strike': $q:<0.2|0>, 'annualisation': "
                               "12$lev",
     .state = "'previous': $q:<1|0.7|1.1>, 'squares': $q:<0|0.03>",
     ON_ONE,
     .units = PERCENT},
    {.terms = WRITTEN("range_accrual") "'observations': $days:S, 'lower': $low:D, 'upper': $up:U, "
                                       "'coupon': $coupon:<0.08|1>, 'redemption': $red:<0|1>$lev",
     .keys = OBSERVED,
     .script = "at observations {\n  if all(levels >= $low and levels <= $up) { pay $coupon / "
               "dates at expiry }\n}\nat expiry { pay $red }\n",
     .sums = ">+'kind': 'cash', 'amount': 0.5;-" WRITTEN(
         "range_accrual") "'observations': $days, 'lower': $low, 'upper': $up, "
                          "'coupon': 0.5$lev",
     .state = "",
     ON_WORST,
     .units = PERCENT},
    {.terms = WRITTEN("himalaya") "'observations': $days:P, 'strike': $strike:<1|0.9>$lev",
     .sums = ">+" WRITTEN("himalaya") "'observations': $days, 'strike': $strike$lev",
     .least = 2,
     .most = 4,
     .level = EACH,
     .units = PERCENT,
     .alive = true},
    {.terms = WRITTEN("everest") "'guarantee': $g:<0|0.1>, 'floor': $f:<0|0.8>$lev",
     .keys = "'schedules': {}",
     .script = "at expiry { pay max(worst(levels) + $g, $f) }\n",
     .sums = ">+" WRITTEN("everest") "'guarantee': $g, 'floor': 0.8$lev;-'kind': 'cash', "
                                     "'amount': 0.8",
     .least = 2,
     .most = 4,
     .level = EACH,
     .units = PERCENT},
    {.terms = WRITTEN("altiplano") "'observations': $days:S, 'barrier': $low:D, 'coupon': "
                                   "$coupon:<0.3|0.05>, 'participation': $p:<1|0.5>$lev",
     .keys = OBSERVED,
     .script = "var hit = 0\nat observations {\n  if worst(levels) <= $low { hit = 1 }\n}\nat "
               "expiry {\n  pay $p * max(mean(levels) - 1, 0) if hit > 0 else $coupon\n}\n",
     .state = "'hit': $q:<0|1>",
     .least = 2,
     .most = 4,
     .level = EACH,
     .units = PERCENT},
    {.terms = WRITTEN("napoleon") "'observations': {'count': $q:<6|12|24>}, 'coupons': {'count': "
                                  "$q:<1|2|3>}, 'coupon': $q:<0.08|0.02>, 'floor': $q:<0|0.01>, "
                                  "'redemption': $q:<0|1>$lev",
     ON_WORST,
     .units = PERCENT,
     .alive = true},
    {.terms = WRITTEN("reverse_cliquet") "'observations': $days:S, 'coupon': $c:<0.3|0.1>, "
                                         "'floor': $f:<0|0.02>$lev",
     .keys = OBSERVED,
     .script = "var previous = 1\nvar falls = 0\nat observations {\n  falls += min(level / "
               "previous - 1, 0)\n  previous = level\n}\nat expiry { pay max($c + falls, $f) }\n",
     .sums = ">+'kind': 'cash', 'amount': 0.3;-" WRITTEN(
         "reverse_cliquet") "'observations': "
                            "$days, 'coupon': 0.3, 'floor': 0$lev",
     .state = "'previous': $q:<1|0.7|1.1>, 'falls': $q:<0|-0.05>",
     ON_ONE,
     .units = PERCENT},
    {.terms = WRITTEN("ladder") "'option_type': '$o:<call|put>', 'strike': $strike:K, 'rungs': "
                                "[$r1:U, $r2:U], 'observations': $days:S$lev",
     .keys = "'schedules': {'observations': $days}, 'parameters': {'rungs': [$r1, $r2]}",
     .script = "var locked = 0\nat observations {\n  locked = max(locked, best(" SIGN
               " * (rungs - $strike) if " SIGN " * $L >= " SIGN " * rungs else 0))\n}\nat expiry "
               "{\n  pay max(" SIGN " * ($L - $strike), locked)\n}\n",
     .sums = ">+" WRITTEN("ladder") "'option_type': '$o', 'strike': $strike, 'rungs': [$r1, $r2], "
                                    "'observations': $days$lev;-" VANILLA("$o", "$strike"),
     .state = "'locked': 0",
     ON_ONE},
    {.terms = WRITTEN("gap") "'option_type': '$o:<call|put>', 'strike': $strike:K, 'trigger': "
                             "$t:K$lev",
     .keys = "'schedules': {}",
     .script = "at expiry {\n  pay " SIGN " * ($L - $strike) if " SIGN " * $L >= " SIGN
               " * $t else 0\n}\n",
     ON_ONE},
    {.terms = WRITTEN("power") "'option_type': '$o:<call|put>', 'strike': $strike:K, 'power': "
                               "$p:<2|0.5|-1>, 'cap': $cap:<2|0.5>$lev",
     .keys = "'schedules': {}",
     .script = "at expiry {\n  pay min(max(" SIGN " * (exp(($p) * log($L)) - $strike), 0), "
               "$cap)\n}\n",
     .sums = ">+'kind': 'cash', 'amount': 0.5;-" WRITTEN(
         "power") "'option_type': '$o', 'strike': "
                  "$strike, 'power': $p, 'cap': 0.5$lev\n>+" WRITTEN(
                      "power") "'option_type': '$o', 'strike': "
                               "$strike, 'power': $p$lev;-" WRITTEN(
                                   "power") "'option_type': '$o', 'strike': $strike, "
                                            "'power': $p, 'cap': 0.5$lev",
     ON_ONE,
     .units = PERCENT},
    {.terms = WRITTEN("partial_barrier") "'option_type': '$o:<call|put>', 'strike': $strike:K, "
                                         "'barrier': $b:K, 'direction': '$dir:<up|down|cross>', "
                                         "'knock': '$knock:<out|in>', 'observations': $days:S, "
                                         "'rebate': $rebate:M$lev",
     .sums = KNOCKED_SUMS("partial_barrier", "'barrier': $b, 'direction': '$dir', "
                                             "'observations': $days"),
     .state = "'touched': $q:<0|1>, 'side': $q:<1|-1>",
     ON_ONE},
    {.terms = WRITTEN("parisian") "'option_type': '$o:<call|put>', 'strike': $strike:K, "
                                  "'barrier': $b:K, 'direction': '$dir:<down|up>', 'knock': "
                                  "'$knock:<out|in>', 'window': $w:<2|1|3>, 'counting': "
                                  "'$count:<consecutive|cumulative>', 'observations': $days:S, "
                                  "'rebate': $rebate:M$lev",
     .keys = OBSERVED,
     .script = "var stay = 0\nvar touched = 0\nat observations {\n  let sign = 2 * $dir_is - 1\n  "
               "if sign * $L > sign * $b {\n    stay += 1\n  } else {\n    stay *= $count_is\n  }\n"
               "  if stay >= $w { touched = 1 }\n}\nat expiry {\n  pay " GAIN " if touched == "
               "$knock_is else $rebate\n}\n",
     .sums = KNOCKED_SUMS("parisian", "'barrier': $b, 'direction': '$dir', 'window': $w, "
                                      "'counting': '$count', 'observations': $days"),
     .state = "'stay': $q:<0|1>, 'touched': $q:<0|1>",
     ON_ONE},
    {.terms = WRITTEN("soft_barrier") "'option_type': '$o:<call|put>', 'strike': $strike:K, "
                                      "'lower': $low:D, 'upper': $up:U, 'direction': "
                                      "'$dir:<down|up>', 'knock': '$knock:<out|in>', "
                                      "'observations': $days:S$lev",
     .keys = OBSERVED,
     .script = "var extreme = 0\nat observations {\n  let sign = 2 * $dir_is - 1\n  extreme = sign "
               "* $L if number == 1 else max(extreme, sign * $L)\n}\nat expiry {\n  let room = $up "
               "- extreme if $dir_is == 1 else (0 - extreme) - $low\n  let part = min(max(room / "
               "($up - $low), 0), 1)\n  pay " GAIN " * (part if $knock_is == 0 else 1 - part)\n}\n",
     .sums = KNOCKED_SUMS("soft_barrier", "'lower': $low, 'upper': $up, 'direction': '$dir', "
                                          "'observations': $days"),
     ON_ONE},
    {.terms = WRITTEN("outside_barrier") "'option_type': '$o:<call|put>', 'strike': $strike:K, "
                                         "'barrier': $b:K, 'direction': '$dir:<up|down>', "
                                         "'knock': '$knock:<out|in>', 'observations': $days:S, "
                                         "'rebate': $rebate:M$lev",
     .keys = OBSERVED,
     .script = "var touched = 0\nat observations {\n  let sign = 1 - 2 * $dir_is\n  if sign * "
               "levels[2] >= sign * $b { touched = 1 }\n}\nat expiry {\n  pay max(" SIGN
               " * (levels[1] - $strike), 0) if touched == $knock_is else $rebate\n}\n",
     .state = "'touched': $q:<0|1>",
     .least = 2,
     .most = 2,
     .level = EACH},
    {.terms = WRITTEN("rainbow") "'option_type': '$o:<call|put>', 'rank_weights': $w:W, 'strike': "
                                 "$strike:<1|0.9>$lev",
     .keys = "'schedules': {}, 'parameters': {'w': $w}",
     .script = "at expiry {\n  pay max(" SIGN " * (sum(w * sorted(levels)) - $strike), 0)\n}\n",
     .sums = ">+" WRITTEN("rainbow") "'option_type': '$o', 'rank_weights': $w, 'strike': "
                                     "$strike$lev",
     .least = 2,
     .most = 4,
     .level = EACH,
     .units = PERCENT},
    {.terms = WRITTEN("dispersion_swap") "'observations': $days:S, 'member_weights': $w:W, "
                                         "'strike': $q:<0.01|0|-0.02>, 'annualisation': 12$lev",
     .least = 2,
     .most = 4,
     .level = EACH,
     .units = PERCENT},
};
const unsigned n_script_rows = sizeof script_rows / sizeof *script_rows;
