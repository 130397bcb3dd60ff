#!/usr/bin/env python3
"""What a risk system pays: a book is loaded and priced once, then priced again on new quotes, on which nothing is read,
planned or drawn anew.

    PYTHONPATH=engine/python bench/reprice.py [TRADES] [DEVICE]      default 1000 cpu

Prints milliseconds: load, the first price, the median of the re-prices, and what a fresh load and price of the same quotes
would have cost; a re-price has the bits of the fresh one, which is checked.
"""
import statistics
import subprocess
import sys
import time
from pathlib import Path

import levy

trades, device = int(sys.argv[1]) if len(sys.argv) > 1 else 1000, sys.argv[2] if len(sys.argv) > 2 else "cpu"
text = subprocess.run([sys.executable, Path(__file__).parent / "make_book.py", str(trades)], capture_output=True, check=True).stdout.decode()


def timed(work):
    start = time.perf_counter()
    done = work()
    return done, 1e3 * (time.perf_counter() - start)


context = levy.Context()
context.load_text(text).price(device=device)  # the device is open, its kernels are compiled
book, load = timed(lambda: context.load_text(text))
first_results, first = timed(lambda: book.price(device=device))
again = []
for bump in range(1, 10):
    for name in book:
        if name.endswith(".spot"):
            book[name] *= 1 + 1e-4 * bump
    results, milliseconds = timed(lambda: book.price(device=device))
    again.append(milliseconds)
quotes = dict(book)
fresh_book, fresh_load = timed(lambda: context.load_text(text))
fresh_book.update(quotes)
fresh, fresh_first = timed(lambda: fresh_book.price(device=device))
assert [trade.price for trade in fresh] == [trade.price for trade in results]
print(f"{trades} trades in {results.run.groups} groups on {results.run.backend}, {results.run.threads} threads:"
      f" load {load:.0f} ms, first price {first:.0f} ms, re-price {statistics.median(again):.0f} ms"
      f" (simulation {1e3 * sum({trade.group: trade.seconds for trade in results}.values()):.0f} ms),"
      f" fresh load and price {fresh_load + fresh_first:.0f} ms")
