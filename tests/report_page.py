"""The page of `levy price -o report.html`, read by a parser and held against the JSON of the same run: every element is closed,
no row has more or fewer cells than its heads, and the numbers are those of the JSON, bit for bit, none left out but prices in
scenarios, which profit and loss tell. Nothing of the book becomes markup. Usage: report_page.py LEVY BOOK OPTION...
Environment: TMPDIR."""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

VOID = {"meta", "br"}


class Page(HTMLParser):
    """Elements as they nest, and tables as lists of rows of (text, value, classes)."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tables, self.scripts, self.handlers, self.heading = [], [], 0, [], ""
        self.feed(text)
        self.close()
        assert not self.open, f"left open: {self.open}"

    def handle_starttag(self, tag, attributes):
        self.handlers += [name for name, _ in attributes if name.startswith("on") or name in ("src", "href")]
        self.scripts += tag == "script"
        if tag in VOID:
            return
        self.open.append(tag)
        values = dict(attributes)
        if tag in ("h2", "h3"):
            self.heading = ""
        if tag == "table":
            self.tables.append({"heading": self.heading, "heads": [], "rows": []})
        elif tag == "tr" and "tbody" in self.open:
            self.tables[-1]["rows"].append([])
        elif tag in ("th", "td"):
            row = self.tables[-1]["rows"][-1] if "tbody" in self.open else self.tables[-1]["heads"]
            row.append({"text": "", "value": values.get("data-value", ""), "cells": int(values.get("colspan", 1)),
                        "class": values.get("class", "")})

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open[-3:]}"
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] in ("h2", "h3"):
            self.heading += data
        for tag in reversed(self.open):
            if tag in ("sup", "small"):
                return
            if tag in ("th", "td"):
                table = self.tables[-1]
                (table["rows"][-1] if "tbody" in self.open else table["heads"])[-1]["text"] += data
                return


def same(cell, number):
    return (number is None and cell["value"] == "") or (number is not None and cell["value"] != "" and float(cell["value"]) == number)


def shown(cell, error):
    """What is printed is the value, rounded to its error at worst."""
    text = cell["text"].replace("\u2212", "-").replace(",", "").replace("\u2013", "nan")
    if cell["value"] == "":
        assert text in ("", "nan") or not re.match(r"-?[0-9]", text), cell
        return
    value = float(cell["value"])
    assert abs(float(text) - value) <= max(0.06 * (error or 0.0), 6e-7 * abs(value), 6e-8), (cell, error)


def check_trades(page, report):
    (table,) = [t for t in page.tables if t["heading"] == "Trades"]
    heads = [head["text"] for head in table["heads"]]
    at = sum(head["cells"] for head in table["heads"][:heads.index("price")])
    assert len(table["rows"]) == len(report["results"])
    for row, trade in zip(table["rows"], report["results"]):
        assert row[0]["text"].strip() == (trade["id"] or "\u2013"), (row[0], trade["id"])
        assert same(row[at], trade["price"]) and same(row[at + 1], trade["std_error"]), trade["id"]
        if trade["status"] == "ok":
            shown(row[at], trade["std_error"])


def check_measures(page, report):
    """Each number of a matrix is a measure of the line, and each measure is in a matrix."""
    titles = {"Trades", "Value", "Trades without a price", "Inputs", "Market"}
    told = {}
    for table in page.tables:
        heads = [head["text"] for head in table["heads"]]
        if heads[:1] != ["trade"] or table["heading"] in titles:
            continue
        for row in table["rows"]:
            currency = row[heads.index("currency")]["text"] if "currency" in heads else None
            line = told.setdefault((row[0]["text"], currency if row[0]["text"] == "all trades" else None), Counter())
            cells = [cell for cell in row if "number" in cell["class"] or cell["class"] == "error"]
            for value, error in zip(cells[::2], cells[1::2]):
                if value["text"] or value["value"]:
                    line[number(value["value"]), number(error["value"])] += 1
                    shown(value, number(error["value"]))
    many = len({trade["currency"] for trade in report["results"] if trade["currency"]}) > 1
    lines = [((trade["id"], None), trade["measures"]) for trade in report["results"] if trade["status"] == "ok"]
    if sum(not trade["leg_of"] for trade in report["results"]) > 1:
        lines += [(("all trades", n["currency"] if many else None), n["measures"]) for n in report["netted"] if not n["key"]]
    for key, measures in lines:
        wanted = Counter((m["value"], m["std_error"]) for m in measures
                         if m["measure"] not in ("price", "scenario_price"))
        got = told.pop(key, Counter())
        assert wanted == got, (key, wanted - got, got - wanted)
    assert not told, told


def number(text):
    return float(text) if text else None


def price(levy, book, options, folder, threads):
    files = [str(Path(folder) / name) for name in ("report.html", "report.json")]
    for file in files:
        run = subprocess.run([levy, "price", book, "--no-times", "-t", threads, "-o", file, *options], capture_output=True, text=True,
                             check=False)
        assert run.returncode in (0, 1), run.stderr
    texts = [Path(file).read_text(encoding="utf-8") for file in files]
    return texts[0], texts[1]


def main():
    levy, book, *options = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        text, report = price(levy, book, options, folder, "1")
        other, _ = price(levy, book, options, folder, "2")
    cut = re.compile(r"<dt>(Command|Device)</dt>.*\n")
    assert cut.sub("", text) == cut.sub("", other), "threads change the page"
    page = Page(text)
    report = json.loads(report)
    assert page.scripts == 1 and not page.handlers, page.handlers
    for table in page.tables:
        cells = sum(head["cells"] for head in table["heads"])
        for row in table["rows"]:
            assert len(row) == cells, (table["heading"], row)
    check_trades(page, report)
    check_measures(page, report)
    print(f"{Path(book).name}: {len(page.tables)} tables, {sum(len(t['rows']) for t in page.tables)} rows")


main()
