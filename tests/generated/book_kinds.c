/* book_kinds.c: kinds with lanes of their own (book_kinds.h). The scripts are written by
 * docs/language.md, docs/theory.md and `levy describe`, with the names that the documents give to
 * what a state holds. */
#include "tests/generated/book_kinds.h"
#include "tests/generated/book_terms.h"

#define FLOATING(from, curve, multiplier)                                                          \
    "'kind': 'floating', 'coupons': {'count': 4}, 'accrual_start': " from                          \
    ", 'forward_curve': '" curve "', 'multiplier': " multiplier
/* Barriers on dates: a row each for up and down. */
#define BARRIER(direction, type, knock)                                                            \
    "'barrier': {'direction': '" direction "', 'knock': '" knock "', 'level': " type
#define BARRIER_ON_DATES(direction, type, touches)                                                 \
    {                                                                                              \
        .terms = "'kind': 'barrier', " OPTION ", " BARRIER(                                        \
            direction, "$b:" type,                                                                 \
            "$knock:<out|in>") ", 'observations': $days:S}?25~, 'rebate': $rebate:M~$agg$pct",     \
        .keys = DAYS,                                                                              \
        .script = "var hit = 0\nat days {\n  if $L " touches " $b { hit = 1 }\n}\nat expiry {\n"   \
                  "  pay " GAIN " if hit == $knock_is else $rebate\n}\n",                          \
        .sums = "=+'kind': 'barrier', 'option_type': '$o', 'strike': $strike, " BARRIER(           \
            direction, "$b",                                                                       \
            "in") ", 'observations': $days}$agg$pct;+'kind': 'barrier', "                          \
                  "'option_type': '$o', 'strike': $strike, " BARRIER(                              \
                      direction, "$b",                                                             \
                      "out") ", 'observations': $days}$agg$pct;-" VANILLA("$o", "$strike"),        \
        ON_ANY                                                                                     \
    }
#define BARRIER_PAID_AT_HIT(direction, type, touches)                                              \
    {                                                                                              \
        .terms = "'kind': 'barrier', " OPTION ", " BARRIER(                                        \
            direction, "$b:" type,                                                                 \
            "out") ", 'observations': $days:S}, 'rebate': {'amount': $rebate:M, 'pay': 'at_hit'}"  \
                   "$agg$pct",                                                                     \
        .keys = DAYS,                                                                              \
        .script = "at days {\n  if $L " touches " $b {\n    pay $rebate\n    stop\n  }\n}\nat "    \
                  "expiry {\n  pay " GAIN "\n}\n",                                                 \
        ON_ANY                                                                                     \
    }
#define BARRIER_OF_DIGITAL(direction, type, touches)                                               \
    {                                                                                              \
        .terms = "'kind': 'barrier', " OPTION ", 'payout': 'cash', 'cash': $cash:M, " BARRIER(     \
            direction, "$b:" type, "$knock:<out|in>") ", 'observations': $days:S}$agg$pct",        \
        .keys = DAYS,                                                                              \
        .script = "var hit = 0\nat days {\n  if $L " touches " $b { hit = 1 }\n}\nat expiry {\n"   \
                  "  pay $cash if hit == $knock_is and " SIGN " * ($L - $strike) > 0 else 0\n}\n", \
        .sums =                                                                                    \
            ">+" DIGITAL("$o") ";-'kind': 'barrier', 'option_type': '$o', 'strike': $strike, "     \
                               "'payout': 'cash', 'cash': $cash, " BARRIER(                        \
                                   direction, "$b", "$knock") ", 'observations': $days}$agg$pct",  \
        ON_ANY                                                                                     \
    }
#define BARRIER_AT_ALL_TIMES(direction, type)                                                      \
    {                                                                                              \
        .terms = "'kind': 'barrier', " OPTION ", " BARRIER(                                        \
            direction, "$b:" type,                                                                 \
            "$knock:<out|in>") ", 'monitoring': 'continuous'}?25~, 'rebate': $rebate:M~$pct",      \
        .sums = "=+'kind': 'barrier', 'option_type': '$o', 'strike': $strike, " BARRIER(           \
            direction, "$b",                                                                       \
            "in") ", 'monitoring': 'continuous'}$pct;+'kind': 'barrier', "                         \
                  "'option_type': '$o', 'strike': $strike, " BARRIER(                              \
                      direction, "$b",                                                             \
                      "out") ", 'monitoring': 'continuous'}$pct;-" VANILLA("$o", "$strike"),       \
        ON_ONE, .continuous = true                                                                 \
    }

#define TOUCH(pays, pay, barrier)                                                                  \
    "'kind': 'touch', 'pays': '" pays "', 'pay': '" pay "', 'cash': $cash:M, 'barrier': {" barrier
#define TOUCH_SUMS(barrier, end)                                                                   \
    "=+'kind': 'touch', 'pays': 'if_touched', 'cash': $cash, 'barrier': {" barrier end             \
    ";+'kind': 'touch', 'pays': 'if_untouched', 'cash': $cash, 'barrier': {" barrier end ";-" CASH \
    "\n>+" CASH ";-'kind': 'touch', 'pays': 'if_touched', 'cash': $cash, 'barrier': {" barrier end
#define TOUCH_ON_DATES(direction, type, touches)                                                   \
    {                                                                                              \
        .terms = TOUCH("$q:<if_touched|if_untouched>", "at_expiry",                                \
                       "'direction': '" direction "', 'level': $b:" type                           \
                       ", 'observations': $days:S}$agg$pct"),                                      \
        .sums = TOUCH_SUMS("'direction': '" direction "', 'level': $b",                            \
                           ", 'observations': $days}$agg$pct"),                                    \
        ON_ANY                                                                                     \
    }
#define TOUCH_PAID_AT_HIT(direction, type, touches)                                                \
    {                                                                                              \
        .terms = TOUCH("if_touched", "at_hit",                                                     \
                       "'direction': '" direction "', 'level': $b:" type                           \
                       ", 'observations': $days:S}$agg$pct"),                                      \
        .keys = DAYS,                                                                              \
        .script = "at days {\n  if $L " touches " $b {\n    pay $cash\n    stop\n  }\n}\n", ON_ANY \
    }
#define TOUCH_AT_ALL_TIMES(direction, type)                                                        \
    {                                                                                              \
        .terms = TOUCH("if_touched", "$q:<at_expiry|at_hit>",                                      \
                       "'direction': '" direction "', 'level': $b:" type                           \
                       ", 'monitoring': 'continuous'}$pct"),                                       \
        .sums = TOUCH_SUMS("'direction': '" direction "', 'level': $b",                            \
                           ", 'monitoring': 'continuous'}$pct"),                                   \
        ON_ONE, .continuous = true                                                                 \
    }

#define MULTI(kind, own, level_of, expression, sum)                                                \
    {                                                                                              \
        .terms = "'kind': '" kind "', " own, .keys = "'schedules': {}",                            \
        .script = "at expiry {\n  pay " expression "\n}\n", .least = 2, .most = 4,                 \
        .level = level_of, .sums = sum                                                             \
    }

const kind_row kind_rows[] = {
    {.terms = "'kind': 'european', " OPTION "$agg$pct",
     .keys = "'schedules': {}",
     .script = "at expiry {\n  pay " GAIN "\n}\n",
     .sums = "=+" VANILLA("call", "$strike") ";-" VANILLA(
         "put", "$strike") ";-'kind': 'forward', "
                           "'strike': $strike$agg$pct\n>+" VANILLA("$o", "$strike"),
     ON_ANY},
    {.terms = "'kind': 'digital', " OPTION ", 'cash': $cash:M$agg$pct",
     .keys = "'schedules': {}",
     .script = "at expiry {\n  pay $cash if " SIGN " * ($L - $strike) > 0 else 0\n}\n",
     .sums = "~+" DIGITAL("call") ";+" DIGITAL("put") ";-" CASH "\n>+" CASH ";-" DIGITAL("$o"),
     ON_ANY},
    {.terms = "'kind': 'digital', " OPTION ", 'payout': 'asset'$agg$pct",
     .keys = "'schedules': {}",
     .script = "at expiry {\n  pay $L if " SIGN " * ($L - $strike) > 0 else 0\n}\n",
     .sums = ">+'kind': 'digital', 'option_type': '$o', 'strike': $strike, 'payout': 'asset'"
             "$agg$pct",
     ON_ANY},
    {.terms = "'kind': 'asian', " OPTION ", 'averaging': {'observations': $days:S}$agg$pct",
     .keys = DAYS,
     .script = "var total = 0\nat days { total += $L / dates }\nat expiry {\n  pay max(" SIGN
               " * (total - $strike), 0)\n}\n",
     .sums = ">+'kind': 'asian', 'option_type': '$o', 'strike': $strike, 'averaging': "
             "{'observations': $days}$agg$pct",
     ON_ANY},
    {.terms = "'kind': 'asian', " OPTION
              ", 'averaging': {'method': 'geometric', 'observations': $days:S}$pct",
     .keys = DAYS,
     .script = "var total = 0\nat days { total += log($L) / dates }\nat expiry {\n  pay max(" SIGN
               " * (exp(total) - $strike), 0)\n}\n",
     .sums = ">+'kind': 'asian', 'option_type': 'call', 'strike': $strike, 'averaging': "
             "{'observations': $days}$pct;-'kind': 'asian', 'option_type': 'call', 'strike': "
             "$strike, 'averaging': {'method': 'geometric', 'observations': $days}$pct",
     ON_ONE},
    {.terms = "'kind': 'asian', 'option_type': '$o:<call|put>', 'averaging': {'of': 'strike', "
              "'observations': $days:S}$agg$pct",
     .keys = DAYS,
     .script = "var total = 0\nat days { total += $L / dates }\nat expiry {\n  pay max(" SIGN
               " * ($L - total), 0)\n}\n",
     ON_ANY},
    {.terms = "'kind': 'asian', " OPTION
              ", 'payout': 'cash', 'cash': $cash:M, 'averaging': {'observations': $days:S}$agg$pct",
     .keys = DAYS,
     .script = "var total = 0\nat days { total += $L / dates }\nat expiry {\n  pay $cash if " SIGN
               " * (total - $strike) > 0 else 0\n}\n",
     .sums = ">+" CASH ";-'kind': 'asian', 'option_type': '$o', 'strike': $strike, 'payout': "
             "'cash', 'cash': $cash, 'averaging': {'observations': $days}$agg$pct",
     ON_ANY},
    BARRIER_ON_DATES("up", "U", ">="),
    BARRIER_ON_DATES("down", "D", "<="),
    BARRIER_PAID_AT_HIT("up", "U", ">="),
    BARRIER_PAID_AT_HIT("down", "D", "<="),
    BARRIER_OF_DIGITAL("up", "U", ">="),
    BARRIER_OF_DIGITAL("down", "D", "<="),
    BARRIER_AT_ALL_TIMES("up", "U"),
    BARRIER_AT_ALL_TIMES("down", "D"),
    {.terms = "'kind': 'double_barrier', " OPTION ", 'barrier': {'lower': $low:D, 'upper': $up:U, "
              "'knock': '$knock:<out|in>', 'observations': $days:S}?25~, 'rebate': $rebate:M~"
              "$agg$pct",
     .keys = DAYS,
     .script = "var hit = 0\nat days {\n  if $L <= $low or $L >= $up { hit = 1 }\n}\nat expiry {\n"
               "  pay " GAIN " if hit == $knock_is else $rebate\n}\n",
     .sums =
         "=+'kind': 'double_barrier', 'option_type': '$o', 'strike': $strike, 'barrier': "
         "{'lower': $low, 'upper': $up, 'knock': 'in', 'observations': $days}$agg$pct;+'kind': "
         "'double_barrier', 'option_type': '$o', 'strike': $strike, 'barrier': {'lower': $low, "
         "'upper': $up, 'knock': 'out', 'observations': $days}$agg$pct;-" VANILLA("$o", "$strike"),
     ON_ANY},
    {.terms = "'kind': 'double_barrier', " OPTION ", 'barrier': {'lower': $low:D, 'upper': $up:U, "
              "'knock': 'out', 'observations': $days:S}, 'rebate': {'lower': $rebate:M, 'upper': "
              "$more:M, 'pay': 'at_hit'}$agg$pct",
     .keys = DAYS,
     .script = "at days {\n  if $L <= $low {\n    pay $rebate\n    stop\n  }\n  if $L >= $up {\n   "
               " pay $more\n    stop\n  }\n}\nat expiry {\n  pay " GAIN "\n}\n",
     ON_ANY},
    {.terms = "'kind': 'double_barrier', " OPTION ", 'barrier': {'lower': $low:D, 'upper': $up:U, "
              "'knock': '$knock:<out|in>', 'monitoring': 'continuous'}?25~, 'rebate': $rebate:M~"
              "$pct",
     .sums = "=+'kind': 'double_barrier', 'option_type': '$o', 'strike': $strike, 'barrier': "
             "{'lower': $low, 'upper': $up, 'knock': 'in', 'monitoring': 'continuous'}$pct;+'kind'"
             ": 'double_barrier', 'option_type': '$o', 'strike': $strike, 'barrier': {'lower': "
             "$low, 'upper': $up, 'knock': 'out', 'monitoring': 'continuous'}$pct;-" VANILLA(
                 "$o", "$strike"),
     ON_ONE,
     .continuous = true},
    TOUCH_ON_DATES("up", "U", ">="),
    TOUCH_ON_DATES("down", "D", "<="),
    TOUCH_PAID_AT_HIT("up", "U", ">="),
    TOUCH_PAID_AT_HIT("down", "D", "<="),
    TOUCH_AT_ALL_TIMES("up", "U"),
    TOUCH_AT_ALL_TIMES("down", "D"),
    {.terms = TOUCH("$q:<if_touched|if_untouched>", "at_expiry",
                    "'lower': $low:D, 'upper': $up:U, 'observations': $days:S}$agg$pct"),
     .sums = TOUCH_SUMS("'lower': $low, 'upper': $up", ", 'observations': $days}$agg$pct"),
     ON_ANY},
    {.terms = TOUCH("if_touched", "$q:<at_expiry|at_hit>",
                    "'lower': $low:D, 'upper': $up:U, 'monitoring': 'continuous'}$pct"),
     .sums = TOUCH_SUMS("'lower': $low, 'upper': $up", ", 'monitoring': 'continuous'}$pct"),
     ON_ONE,
     .continuous = true},
    {.terms = "'kind': 'lookback', " OPTION
              ", 'lookback': {'strike': 'fixed', 'observations': $days:S}$agg$pct",
     .keys = DAYS,
     .script = "var high = 0\nvar low = 1e15\nat days {\n  high = max(high, $L)\n  low = min(low, "
               "$L)\n}\nat expiry {\n  pay max(high - $strike, 0) if $o_is == 0 else max($strike - "
               "low, 0)\n}\n",
     .sums = ">+'kind': 'lookback', 'option_type': '$o', 'strike': $strike, 'lookback': {'strike': "
             "'fixed', 'observations': $days}$agg$pct;-'kind': 'asian', 'option_type': '$o', "
             "'strike': $strike, 'averaging': {'observations': $days}$agg$pct",
     ON_ANY},
    {.terms = "'kind': 'lookback', 'option_type': '$o:<call|put>', 'lookback': {'strike': "
              "'floating', 'observations': $days:S}$agg$pct",
     .keys = DAYS,
     .script = "var high = 0\nvar low = 1e15\nat days {\n  high = max(high, $L)\n  low = min(low, "
               "$L)\n}\nat expiry {\n  pay max($L - low, 0) if $o_is == 0 else max(high - $L, "
               "0)\n}\n",
     ON_ANY},
    {.terms = "'kind': 'lookback', " OPTION
              ", 'lookback': {'strike': 'fixed', 'monitoring': 'continuous'}$pct",
     .sums = ">+'kind': 'lookback', 'option_type': '$o', 'strike': $strike, 'lookback': {'strike': "
             "'fixed', 'monitoring': 'continuous'}$pct;-" VANILLA("$o", "$strike"),
     ON_ONE,
     .continuous = true},
    {.terms = "'kind': 'lookback', 'option_type': '$o:<call|put>', 'lookback': {'strike': "
              "'floating', 'monitoring': 'continuous'}$pct",
     ON_ONE,
     .continuous = true},
    {.terms = "'kind': 'forward_start', 'option_type': '$o:<call|put>', 'strike_fraction': "
              "$q:<1.0|0.9|1.1>, 'reset': $reset:T, 'form': 'absolute'$agg",
     ON_ANY,
     .units = ABSOLUTE,
     .alive = true},
    {.terms = "'kind': 'forward_start', 'option_type': '$o:<call|put>', 'strike_fraction': "
              "$f:<1.0|0.9|1.1>, 'reset': $reset:T, 'form': 'performance'$agg",
     .keys = "'schedules': {'reset': {'times': [$reset]}}",
     .script = "var from = 1\nat reset { from = $L }\nat expiry {\n  pay max(" SIGN
               " * ($L / from - $f), 0)\n}\n",
     ON_ANY,
     .units = ABSOLUTE,
     .alive = true},
    {.terms = "'kind': 'cliquet', 'observations': $days:S, 'local_floor': $lf:<-0.02|0|-0.1>, "
              "'local_cap': $lc:<0.05|0.1>, 'global_floor': $gf:<0|0.02|-0.05>, 'global_cap': "
              "$gc:<0.3|0.1>$agg",
     .keys = DAYS,
     .script = "var previous = 1\nvar total = 0\nat days {\n  total += min(max($L / previous - 1, "
               "($lf)), $lc) if number > 1 else 0\n  previous = $L\n}\nat expiry {\n  pay "
               "min(max(total, ($gf)), $gc)\n}\n",
     ON_ANY,
     .units = ABSOLUTE},
    MULTI("basket", "'option_type': '$o:<call|put>', 'strike': $strike:K$pct", BASKET, GAIN,
          "=+'kind': 'basket', 'option_type': 'call', 'strike': $strike$pct;-'kind': 'basket', "
          "'option_type': 'put', 'strike': $strike$pct;-'kind': 'forward', 'strike': $strike, "
          "'aggregate': 'basket'$pct"),
    MULTI("basket",
          "'option_type': '$o:<call|put>', 'basket_type': 'geometric', 'strike': "
          "$strike:K$pct",
          GEOMETRIC, GAIN,
          ">+'kind': 'basket', 'option_type': 'call', 'strike': $strike, 'basket_type': "
          "'geometric'$pct"),
    MULTI("best_of", "'option_type': '$o:<call|put>', 'strike': $strike:K$pct", BEST, GAIN,
          ">+'kind': 'best_of', 'option_type': 'call', 'strike': $strike$pct;-'kind': 'worst_of', "
          "'option_type': 'call', 'strike': $strike$pct"),
    MULTI("worst_of", "'option_type': '$o:<call|put>', 'strike': $strike:K$pct", WORST, GAIN,
          ">+'kind': 'worst_of', 'option_type': 'put', 'strike': $strike$pct;-'kind': 'best_of', "
          "'option_type': 'put', 'strike': $strike$pct"),
    MULTI("best_of_cash", "'cash': $cash:K$pct", BEST, "max($L, $cash)",
          "=+'kind': 'best_of_cash', 'cash': $cash$pct;-'kind': 'best_of', 'option_type': 'call', "
          "'strike': $cash$pct;-" CASH),
    MULTI("worst_of_cash", "'cash': $cash:K$pct", WORST, "min($L, $cash)",
          "=+'kind': 'worst_of_cash', 'cash': $cash$pct;+'kind': 'worst_of', 'option_type': "
          "'put', 'strike': $cash$pct;-" CASH),
    {.terms = "'kind': 'spread', 'option_type': '$o:<call|put>', 'strike': $strike:X$pct",
     .keys = "'schedules': {}",
     .script = "at expiry {\n  pay max(" SIGN " * (levels[1] - levels[2] - ($strike)), 0)\n}\n",
     .sums = ">+'kind': 'spread', 'option_type': '$o', 'strike': $strike$pct",
     .least = 2,
     .most = 2,
     .level = EACH},
    {.terms = "'kind': 'exchange'$pct",
     .keys = "'schedules': {}",
     .script = "at expiry {\n  pay max(levels[1] - levels[2], 0)\n}\n",
     .sums = "=+'kind': 'exchange'$pct;-'kind': 'spread', 'option_type': 'call', 'strike': 0$pct",
     .least = 2,
     .most = 2,
     .level = EACH},
    {.terms = "'kind': 'forward', 'strike': $strike:K$agg$pct",
     .keys = "'schedules': {}",
     .script = "at expiry {\n  pay $L - $strike\n}\n",
     ON_ANY},
    {.terms = "'kind': 'cash', 'amount': $cash:M", .least = 1, .most = 1, .units = PERCENT},
    {.terms = "'kind': 'coupon', 'coupons': $days:S, 'amount': $a:C",
     .least = 1,
     .most = 1,
     .units = PERCENT},
    {.terms = "'kind': 'coupon', 'coupons': {'count': 4}, 'rate': $a:R, 'accrual_start': "
              "$from:N",
     .least = 1,
     .most = 1,
     .units = PERCENT,
     .alive = true},
    {.terms = FLOATING("$from:N", "$curve:<USD|FUND>", "$m:<1|2>") ", 'rate': "
                                                                   "'$rate:<term|compounded>', "
                                                                   "'spread': $a:R",
     .sums = "=+" FLOATING("$from", "$curve", "$m") ", 'spread': $a;-" FLOATING(
         "$from", "$curve", "$m") ", 'rate': 'compounded';-'kind': 'coupon', 'coupons': {'count': "
                                  "4}, 'rate': $a, 'accrual_start': $from",
     .least = 1,
     .most = 1,
     .units = PERCENT,
     .alive = true},
};
const unsigned n_kind_rows = sizeof kind_rows / sizeof *kind_rows;
