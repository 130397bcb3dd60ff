"""Ways into a book from Python's own values, and how results look. Run by tests/test_python.sh."""

import csv
import datetime
import decimal
import enum
import html.parser
import importlib
import importlib.util
import inspect
import io
import json
import math
import pathlib
import pickle
import tempfile
import unittest
import xml.etree.ElementTree

import levy



def installed(name):
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


numpy, pandas, polars, pyarrow = map(installed, ("numpy", "pandas", "polars", "pyarrow"))

ROOT = pathlib.Path(__file__).resolve().parents[2]
TEXT = """
schema_version: 1
valuation_date: 2026-11-20
market:
  curves: {USD: 0.05}
  assets: {A: {currency: USD, spot: 100, volatility: 0.2}}
models: {m: {kind: black_scholes, assets: [A]}}
trades:
  - {id: call, underlying: A, payoff: {kind: european, option_type: call, strike: 100.5}, exercise: {expiry: 2027-11-19}}
  - {id: short-put, underlying: A, position: short, payoff: {kind: european, option_type: put, strike: 90}, exercise: {expiry: 2027-05-20}}
measures: [price, delta]
simulation: {paths: 2^10, tolerance: {relative: 0.5, max_paths: 2^11}}
"""
MARKET = {"curves": {"USD": 0.05}, "assets": {"A": {"currency": "USD", "spot": 100, "volatility": 0.2}}}
REST = dict(valuation_date=datetime.date(2026, 11, 20), models={"m": {"kind": "black_scholes", "assets": ["A"]}},
            measures=["price", "delta"], paths=2**10, tolerance={"relative": 0.5, "max_paths": "2^11"})
TRADES = [
    {"id": "call", "underlying": "A", "payoff": {"kind": "european", "option_type": "call", "strike": 100.5},
     "exercise": {"expiry": datetime.date(2027, 11, 19)}, "quantity": None},
    {"id": "short-put", "underlying": "A", "position": "short", "payoff": {"kind": "european", "option_type": "put", "strike": 90},
     "exercise": {"expiry": datetime.datetime(2027, 5, 20)}},
]
ROWS = [
    {"id": "call", "underlying": "A", "position": None, "payoff.kind": "european", "payoff.option_type": "call", "payoff.strike": 100.5,
     "exercise.expiry": datetime.date(2027, 11, 19)},
    {"id": "short-put", "underlying": "A", "position": "short", "payoff.kind": "european", "payoff.option_type": "put",
     "payoff.strike": 90.0, "exercise.expiry": datetime.date(2027, 5, 20)},
]
BOOK = {"market": MARKET, "models": REST["models"], "valuation_date": REST["valuation_date"], "trades": TRADES,
        "measures": ("price", "delta"), "simulation": {"paths": "2^10", "tolerance": REST["tolerance"]}}


def numbers(results):
    return [(trade.id, trade.price, trade.std_error, trade.paths, trade.measures) for trade in results]


EXPECTED = numbers(levy.loads(TEXT).price("cpu"))


class Ways(unittest.TestCase):
    def same(self, *sources, **keywords):
        self.assertEqual(numbers(levy.price(*sources, device="cpu", **keywords)), EXPECTED)

    def test_maps(self):
        self.same(BOOK)
        self.same({**BOOK, "schema_version": 1})
        self.same(TRADES, market=MARKET, **REST)
        self.same(tuple(TRADES), market={"market": MARKET}, **REST)
        self.same(TRADES[0], TRADES[1], market=MARKET, **REST)
        self.same(BOOK, market=None)

    def test_rows(self):
        self.same(ROWS, market=MARKET, **REST)

    def test_rows_of_a_csv_file_are_texts(self):
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, ROWS[0])
        writer.writeheader()
        writer.writerows(ROWS)
        rows = list(csv.DictReader(io.StringIO(text.getvalue(), newline="")))
        self.assertEqual(rows[0]["payoff.strike"], "100.5")
        self.same(rows, market=MARKET, **REST)
        self.same(csv.DictReader(io.StringIO(text.getvalue(), newline="")), market=MARKET, **REST)

    CELLS = ("id,quantity,book,payoff.kind,payoff.aggregate,payoff.option_type,payoff.strike,exercise.expiry,underlyings,tags.desk\n"
             "two,,a;b,worst_of,,put,90,2027-11-19,A;B,x\n"
             "one,2,[c],best_of,,call,100,2027-11-19,A; B;,\n"
             'map,1.5,"{d: 1}",european,basket,call,100,2027-11-19,"[{name: A, weight: 0.5}, {name: B, weight: 0.5}]",\n')
    OTHER = {"curves": {"USD": 0.05}, "correlations": {"pairs": [["A.spot", "B.spot", 0.5]]},
             "assets": {name: {"currency": "USD", "spot": 100, "volatility": 0.2} for name in "AB"}}
    TWO = {"models": {"m": {"kind": "black_scholes", "assets": ["A", "B"]}}, "valuation_date": "2026-11-20", "paths": 2**8}

    def test_cells_are_those_of_a_csv_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trades.csv"
            path.write_text(self.CELLS)
            file = levy.price(path, market=self.OTHER, device="cpu", **self.TWO)
        self.assertEqual((file.run.failed, file.trade(0).book, file.trade(0).tags, file.trade(1).book),
                         (0, "a;b", {"desk": "x"}, "[c]"))
        given = [csv.DictReader(io.StringIO(self.CELLS))]
        if pandas is not None:
            given += [pandas.read_csv(io.StringIO(self.CELLS)), pandas.read_csv(io.StringIO(self.CELLS), dtype=str)]
        for rows in given:
            results = levy.price(rows, market=self.OTHER, device="cpu", **self.TWO)
            self.assertEqual([one.price for one in results], [one.price for one in file])
            self.assertEqual([(one.book, one.tags) for one in results], [(one.book, one.tags) for one in file])

    def test_columns_are_the_words_of_term_sheets(self):
        asked = [{"id": "call", "underlying": "A", "payoff.kind": "european", "payoff.type": "call", "payoff.strike": 100.5,
                  "maturity": "2027-11-19"},
                 {"id": "short-put", "underlying": "A", "position": "short", "payoff.kind": "european", "payoff.type": "put", "payoff.strike": 90,
                  "maturity": datetime.date(2027, 5, 20)}]
        self.same(asked, market=MARKET, **REST)
        barrier = {"id": "b", "underlying": "A", "payoff.kind": "barrier", "payoff.option_type": "call", "payoff.strike": 100,
                   "payoff.barrier_type": "up-and-out", "payoff.barrier": 120, "payoff.observations": 12, "expiry": "2027-11-19"}
        basket = {"id": "w", "underlyings": "A;B", "weights": "0.5;0.5", "payoff.kind": "basket", "payoff.option_type": "call",
                  "payoff.strike": 100, "expiry": "2027-11-19"}
        self.assertEqual(levy.price([barrier, basket], market=self.OTHER, device="cpu", **self.TWO).run.priced, 2)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_cells_of_a_frame_are_texts_as_python_writes_them(self):
        from levy import _input
        frame = pandas.DataFrame({"a": [1, None], "b": [0.1, 1e300], "c": ['x,"y"', "z\nw"], "d": [True, 1], "e": [[1, "b"], None],
                                  "f": [None, float("nan")], "g": pandas.Categorical(["u", None]), "h": pandas.array([1, None], "Int64"),
                                  "i": pandas.to_datetime(["2027-01-01", None])}).astype({"d": object})
        text = _input.source(frame, None).text.decode()
        self.assertEqual(list(csv.reader(io.StringIO(text))),
                         [list("abcdeghi"), ["1", "0.1", 'x,"y"', "true", '[1, "b"]', "u", "1", "2027-01-01"],
                          ["", "1e+300", "z\nw", "1", "", "", "", ""]])

    def test_a_cell_that_closes_early_is_a_text(self):
        for text in ("[A], measures: [price]", "[A", "[A]]", "[A # ]", '["A]', "[A]\n- {id: x}"):
            with self.assertRaises(levy.InputError) as caught:
                levy.load([{**ROWS[0], "underlying": None, "underlyings": text}], market=MARKET, **REST)
            self.assertRegex(str(caught.exception), r"trades\[0\]\.underlyings|<trades>.csv:[23]:")

    def test_a_value_of_a_map_is_no_empty_cell(self):
        for key in ("quantity", "notional"):
            for trade in ({**TRADES[0], key: math.nan}, [{**TRADES[0], key: math.nan}], {**ROWS[0], key: math.nan},
                          {"trades": [{**TRADES[0], key: math.nan}]}):
                with self.assertRaisesRegex(levy.InputError, f"{key}: expected a number; got 'nan'\nhint: Every number must be finite"):
                    levy.load(trade, market=MARKET, **REST)
        self.same([{**row, "quantity": math.nan, "book": ""} for row in ROWS], market=MARKET, **REST)
        self.same([{**trade, "quantity": None} for trade in TRADES], market=MARKET, **REST)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_no_time_of_a_map_is_refused(self):
        with self.assertRaisesRegex(TypeError, "payment_date: NaT is no value; leave the key out, or give None"):
            levy.load({**TRADES[0], "payment_date": pandas.NaT}, market=MARKET, **REST)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_frames(self):
        frame = pandas.DataFrame(ROWS)
        self.same(frame, market=MARKET, **REST)
        self.same(frame.set_index("id"), market=MARKET, **REST)
        frame["exercise.expiry"] = pandas.to_datetime(frame["exercise.expiry"])
        frame["quantity"] = [1, None]  # as floats, one of them NaN
        frame["payment_date"] = [pandas.NaT, pandas.NaT]
        frame["book"] = pandas.array([None, None], "string")
        self.same(frame, market=MARKET, **REST)

    def test_frames_of_other_packages(self):
        class Polars:
            columns = list(ROWS[0])

            def to_dict(self):
                raise AssertionError("this is no frame of pandas")

            def to_dicts(self):
                return [dict(row) for row in ROWS]

        class Arrow:
            def to_pylist(self):
                return [dict(row) for row in ROWS]
        self.same(Polars(), market=MARKET, **REST)
        self.same(Arrow(), market=MARKET, **REST)

    @unittest.skipIf(polars is None, "polars is not installed")
    def test_polars(self):
        self.same(polars.DataFrame(ROWS), market=MARKET, **REST)
        wide = polars.DataFrame(levy.loads(TEXT).price("cpu").wide())
        self.assertEqual((wide.columns, wide["price"].to_list()), (["id", "price", "delta A.spot"], [one[1] for one in EXPECTED]))

    @unittest.skipIf(pyarrow is None, "pyarrow is not installed")
    def test_arrow(self):
        self.same(pyarrow.Table.from_pylist(ROWS), market=MARKET, **REST)
        table = pyarrow.table(levy.loads(TEXT).price("cpu").measures())
        self.assertEqual(table.column("id").to_pylist(), ["call", "call", "short-put", "short-put"])

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_numbers_of_numpy(self):
        trades = [dict(TRADES[0], payoff=dict(TRADES[0]["payoff"], strike=numpy.float32(100.5)), quantity=numpy.int64(1)),
                  dict(TRADES[1], exercise={"expiry": numpy.datetime64("2027-05-20T00:00", "ns")})]
        self.same(trades, market=MARKET, **{**REST, "paths": numpy.uint32(1024)})
        book = levy.load(trades, market=MARKET, **REST, settings={"simulation.construction.first": numpy.array(["2027-05-20"], "datetime64[D]")})
        self.assertEqual(book.trades, 2)

    def test_enumerations(self):
        class Side(str, enum.Enum):
            SHORT = "short"
        self.same(TRADES[0], dict(TRADES[1], position=Side.SHORT), market=MARKET, **REST)

    def test_decimals_and_texts_of_numbers(self):
        trade = dict(TRADES[0], payoff=dict(TRADES[0]["payoff"], strike=decimal.Decimal("1.005e2")))
        self.same(trade, dict(TRADES[1], quantity="1e0"), market=MARKET, **REST)

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            book, alone, under, parts = (folder / name for name in ("book.yaml", "market.yaml", "under.yaml", "parts.json"))
            book.write_text(TEXT)
            alone.write_text("curves: {USD: 0.05}\nassets: {A: {currency: USD, spot: 100, volatility: 0.2}}\n")
            under.write_text("schema_version: 1\nmarket: {file: market.yaml}\n")
            parts.write_text('{"schema_version": 1, "market": {"file": "market.yaml"}, "models": {"m": {"kind": "black_scholes", "assets": ["A"]}}}')
            self.same(book)
            self.same(str(book))
            self.same(TRADES, market=str(alone), **REST)
            self.same(TRADES, market=alone, **REST)
            self.same({**BOOK, "market": "market.yaml"}, folder=folder)
            self.same(TRADES, market=parts, **{name: value for name, value in REST.items() if name != "models"})
            with self.assertRaisesRegex(levy.InputError, "file"):
                levy.load({**BOOK, "market": "market.yaml"})  # no folder is said: none is read

    def test_texts(self):
        self.assertEqual(numbers(levy.loads(TEXT).price("cpu")), EXPECTED)
        more = levy.loads(TEXT, paths=2**11, tolerance=None).price("cpu")
        self.assertEqual(more.trade(0).paths, 2048)
        self.assertIs(levy.loads, levy.load_text)
        with self.assertRaisesRegex(ValueError, "levy.loads reads a text"):
            levy.load(TEXT)

    def test_any_text_comes_through(self):
        for name in ("1e2", "7", "true", "null", "a-b"):
            with self.subTest(name):
                self.assertEqual(levy.price(dict(TRADES[0], id=name), market=MARKET, **REST).trade(0).id, name)
        quoted = importlib.import_module("levy._input")._quoted
        for text in ("a: b", 'quo"te\\', "#", "- a", "naïve €", "two\nlines\t", " a\u00a0", "\U0001f600"):
            with self.subTest(text):
                self.assertEqual(json.loads(quoted(text)), text)
                self.same(dict(TRADES[0], book=text), TRADES[1], market=MARKET, **REST)
        for text in ("a\u2028b", "\x7f", "\ufeff", "\0"):  # which the library says, with its place
            with self.subTest(text), self.assertRaisesRegex(levy.InputError, r"<trades>:3:.*control character U\+"):
                levy.load(dict(TRADES[0], book=text), market=MARKET, **REST)


class Keywords(unittest.TestCase):
    def test_signatures_name_every_keyword(self):
        whole = json.loads(levy.schema())
        settings = {"measures", *whole["definitions"]["simulation"]["properties"]}
        parts = {"models", "scenarios", "valuation_date"}
        for call, more in ((levy.Book.price, set()), (levy.load, parts), (levy.loads, parts), (levy.Context.load, parts),
                           (levy.Context.loads, parts), (levy.price, parts | {"market", "kinds", "threads", "by", "journal"})):
            shown = inspect.signature(call).parameters
            self.assertLessEqual(settings | more, set(shown), call)
            self.assertFalse([one for one in shown.values() if one.kind is one.VAR_KEYWORD], call)
        own = set(inspect.signature(levy.Book.price).parameters) | set(inspect.signature(levy.load).parameters)
        self.assertEqual(set(inspect.signature(levy.price).parameters), own - {"self"})

    def test_settings_by_keyword(self):
        book = levy.load(BOOK)
        results = levy.price(book, paths=2**11, seed=7, measures=["price", "vega"], device="cpu", threads=1)
        self.assertEqual((results.trade(0).paths, results.trade(0).seed), (2048, 7))
        self.assertEqual([one.measure for one in results.trade(0).measures], ["price", "vega"])
        self.assertEqual(numbers(book.price("cpu")), EXPECTED)  # it stays as it was
        book["A.spot"] = 101.0
        again = book.price("cpu", paths=2**11, seed=7, measures="price")
        self.assertGreater(again.trade(0).price, results.trade(0).price)
        self.assertEqual(levy.price(BOOK, settings={"simulation.seed": 9}, seed=7, device="cpu").trade(0).seed, 9)

    def test_settings_of_a_call_are_those_of_a_load(self):
        """In any order, on quotes that were set, and after settings that are refused."""
        sets = [{"seed": 7}, {}, {"paths": 2**11, "measures": ["price", "vega"]}, {"precision": "single"}, {"smoothing": "none"}, {}]
        book = levy.loads(TEXT)
        for spot in (100, 104):
            book["A.spot"] = spot
            for keywords in sets:
                fresh = levy.loads(TEXT, **keywords)
                fresh["A.spot"] = spot
                texts = [one.price("cpu", times=False, **more).text("json") for one, more in ((book, keywords), (fresh, {}))]
                self.assertEqual(*texts)
                with self.assertRaisesRegex(levy.InputError, "simulation.paths: .*power of two"):
                    book.price(paths=3)
        self.assertEqual(book.explain("cpu").split("threads")[0], fresh.explain("cpu").split("threads")[0])
        self.assertEqual(pickle.loads(pickle.dumps(book)).price("cpu", times=False).text("json"), texts[0])

    def test_unknown_keywords_are_named(self):
        book = levy.load(BOOK)
        for call, pattern in ((lambda: levy.price(book, path=2**10), r"price\(\) has no keyword 'path'; did you mean 'paths'\?"),
                              (lambda: book.price(sed=7), "'sed'; did you mean 'seed'"),
                              (lambda: levy.load(BOOK, model={}), "'model'; did you mean 'models'"),
                              (lambda: levy.price(BOOK, markt=3), "'markt'; did you mean 'market'"),
                              (lambda: levy.price(BOOK, thread=3), "'thread'; did you mean 'threads'"),
                              (lambda: levy.loads(TEXT, measure="vega"), "did you mean 'measures'"),
                              (lambda: book.price(zzz=1), "use one of .*paths.*seed"),
                              (lambda: levy.price(book, market=MARKET), "this book is loaded"),
                              (lambda: book.price(models={}), "when a book is loaded")):
            with self.subTest(pattern), self.assertRaisesRegex(TypeError, pattern):
                call()

    def test_sums_beside_settings(self):
        trades = [dict(TRADES[0], book="east", tags={"desk": "<one>"}), dict(TRADES[1], book="west")]
        book = levy.load(trades, market=MARKET, **REST)
        for results in (levy.price(trades, market=MARKET, **REST, device="cpu", by=["book", "tags.desk"]),
                        book.price("cpu", by="book,tags.desk", measures=["price", "delta"], seed=42)):
            self.assertEqual([(net.key, net.label, net.trades) for net in results.netted],
                             [(None, None, 2), ("book", "east", 1), ("book", "west", 1), ("tags.desk", "<one>", 1), ("tags.desk", None, 1)])
            whole, east, west = results.netted[:3]
            self.assertAlmostEqual(whole.value, east.value + west.value, 12)
            self.assertEqual([(one.measure, one.factor) for one in east.measures], [("price", ""), ("delta", "A.spot")])
            self.assertEqual(repr(results).count("USD"), 1)  # the line has the currencies alone
            texts = Tags(results._repr_html_()).texts
            for text in ("netted, 2 trades", "netted, book east, 1 trade", "netted, tags.desk <one>, 1 trade",
                         "netted without tags.desk, 1 trade"):
                self.assertIn(text, texts)
        with self.assertRaisesRegex(TypeError, "did you mean 'by'"):
            book.price("cpu", bye="book")

    def test_every_keyword_of_the_simulation_is_one(self):
        with self.assertRaisesRegex(TypeError, "no keyword 'zzz'") as caught:
            levy.load(BOOK, zzz=1)
        for key in ("paths", "replicates", "generator", "construction", "seed", "precision", "confidence", "tolerance", "bumps"):
            self.assertIn(key, str(caught.exception))

    def test_keys_that_the_package_knows_are_those_of_the_schema(self):
        from levy import _input
        schema = json.loads(levy.schema())
        settings = schema["definitions"]["simulation"]["properties"]
        self.assertEqual(_input.BOOK_KEYS, set(schema["properties"]))
        self.assertEqual(set(_input.Settings.__annotations__), {"measures", *settings})
        maps = [key for key, one in settings.items() if "allOf" in one and "properties" in schema["definitions"][key]]
        self.assertEqual(_input.GROUPS, tuple(f"simulation.{key}" for key in maps))


class Faults(unittest.TestCase):
    def test_a_missing_file_is_both(self):
        for source in ("/nonexistent/book.yaml", pathlib.Path("/nonexistent/book.yaml")):
            for kind in (FileNotFoundError, levy.InputError, levy.Error, OSError, ValueError):
                with self.assertRaisesRegex(kind, "cannot open the file: No such file") as caught:
                    levy.price(source)
            error = pickle.loads(pickle.dumps(caught.exception))
            self.assertEqual((type(error), error.filename, error.errno, error.status), (levy.MissingFileError, "/nonexistent/book.yaml", 2, -2))
            self.assertEqual(str(error), str(caught.exception))
        with self.assertRaises(levy.MissingFileError):
            levy.load(TRADES, market="/nonexistent/market.yaml")
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaises(levy.InputError) as caught:  # it is there, and no book
                levy.load(folder)
            self.assertNotIsInstance(caught.exception, OSError)
        with self.assertRaises(levy.InputError) as caught:  # a fault of the input, with its place
            levy.load({**BOOK, "market": "nowhere.yaml"}, folder="/nonexistent")
        self.assertNotIsInstance(caught.exception, OSError)

    def test_values_that_no_book_can_hold(self):
        for value, pattern in ((object(), r"^trades\[1\]\.payoff\.strike: a object cannot"), ({1, 2}, "a set cannot"),
                               ([1, 1j], r"payoff\.strike\[1\]: a complex"), ({(1, 2): 3}, r"the key \(1, 2\) is a tuple"),
                               (datetime.datetime(2026, 1, 1, 9), "time of day; a book has dates: use value.date")):
            payoff = dict(TRADES[1]["payoff"], strike=value)
            for source in ({**BOOK, "trades": [TRADES[0], dict(TRADES[1], payoff=payoff)]}, [TRADES[0], dict(TRADES[1], payoff=payoff)]):
                with self.subTest(pattern), self.assertRaisesRegex(TypeError, pattern):
                    levy.load(source)
        with self.assertRaisesRegex(TypeError, r"trades\[0\]: there is a value for 'payoff' and one for 'payoff.strike'"):
            levy.load({"payoff": "x", "payoff.strike": 2})
        with self.assertRaisesRegex(levy.InputError, "payoff.strike: is given by the column 'payoff' as well"):
            levy.load([{"payoff": "x", "payoff.strike": 2}])
        with self.assertRaisesRegex(TypeError, r"^trades\[1\]\.payment_date: .* has a time of day"):
            levy.load([ROWS[0], {**ROWS[1], "payment_date": datetime.datetime(2027, 1, 1, 9)}])
        with self.assertRaisesRegex(ValueError, r"^<trades>\.csv, line 3: a text has half a character, '\\ud800'"):
            levy.load([ROWS[0], {**ROWS[1], "book": "a\ud800"}])
        with self.assertRaisesRegex(TypeError, r"^trades\[1\]\.book: a text has half a character, '\\ud800'"):
            levy.load({**BOOK, "trades": [TRADES[0], dict(TRADES[1], book="a\ud800")]})
        with self.assertRaisesRegex(TypeError, r"simulation|a complex"):
            levy.load(BOOK, seed=1j)
        for source in (3, None, [1, 2], iter([1]), b"book.yaml"):
            with self.subTest(source=source), self.assertRaisesRegex(TypeError, "a book is a file's name, a map, or trades"):
                levy.load(source)
        with self.assertRaisesRegex(TypeError, "market is a file's name or a map; got list"):
            levy.load(TRADES, market=[1])

    def test_faults_name_the_path(self):
        with self.assertRaises(levy.InputError) as caught:
            levy.load([{"id": "a", "payoff.strik": 2.0}], market=MARKET, **REST)
        self.assertEqual(str(caught.exception).splitlines()[0],
                         "<trades>.csv:1:4: error: payoff.strik: unknown column; did you mean 'payoff.strike'?")
        with self.assertRaisesRegex(levy.InputError, "number"):
            levy.load([dict(TRADES[0], quantity="many")], market=MARKET, **REST)


class Outputs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.book = levy.load(ROOT / "configs" / "scenarios.yaml", paths=2**10)
        cls.results = cls.book.price("cpu", measures=["price", "delta", "theta"])
        cls.ladder = levy.price(ROOT / "configs" / "volatility_term.yaml", device="cpu", paths=2**8, measures=["price", "vega_by_node"])
        cls.early = levy.price(ROOT / "configs" / "american.yaml", device="cpu", measures=["boundary"])

    def test_a_file_is_the_report_of_its_ending(self):
        with tempfile.TemporaryDirectory() as folder:
            for ending, format in (("csv", "csv"), ("JSON", "json"), ("jsonl", "jsonl"), ("txt", "table"), ("html", "html")):
                path = pathlib.Path(folder) / f"report.{ending}"
                self.results.save(path)
                self.assertEqual(path.read_bytes().decode(), self.results.text(format))
            if numpy is not None:
                self.results.save(f"{folder}/report.npy")
                self.assertEqual(numpy.load(f"{folder}/report.npy").tobytes(), self.results.array().tobytes())
            with self.assertRaisesRegex(ValueError, r"ends in \.csv, \.json, .*\.html; got '.*x\.xls'"):
                self.results.save(f"{folder}/x.xls")

    def test_plots_are_the_librarys(self):
        for what in ("errors", "ladder", "boundary", "grid"):
            plot = {"ladder": self.ladder, "boundary": self.early}.get(what, self.results).plot(what)
            self.assertEqual(xml.etree.ElementTree.fromstring(plot).tag, "{http://www.w3.org/2000/svg}svg")
            self.assertEqual(plot._repr_svg_(), plot)
        self.assertIn(self.results.trade(0).id, self.results.plot(trade=self.results.trade(0).id))
        with tempfile.TemporaryDirectory() as folder:
            plot.save(f"{folder}/grid.svg")
            self.assertEqual(pathlib.Path(folder, "grid.svg").read_text(encoding="utf-8"), plot)
            with self.assertRaisesRegex(ValueError, "ends in '.png'; for others pass ax="):
                plot.save(f"{folder}/grid.png")
        plain = levy.loads(TEXT).price("cpu")
        for call, kind, pattern in ((lambda: self.results.plot("gird"), ValueError, "did you mean 'grid'"),
                                    (lambda: plain.plot("grid"), ValueError, "nothing to plot: give the book scenarios"),
                                    (lambda: plain.plot("ladder"), ValueError, "vega_by_node"),
                                    (lambda: plain.plot(trade="cal"), KeyError, "did you mean 'call'"),
                                    (lambda: pickle.loads(pickle.dumps(plain)).plot(), TypeError, "before pickling")):
            with self.subTest(pattern), self.assertRaisesRegex(kind, pattern):
                call()

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_a_measure_has_a_column_for_each_factor(self):
        wide = self.results.wide()
        deltas = self.results["delta"]
        self.assertEqual([f"delta {factor}" for factor in deltas], [name for name in wide if name.startswith("delta ")])
        for factor in deltas:
            numpy.testing.assert_array_equal(deltas[factor], wide[f"delta {factor}"])
            numpy.testing.assert_array_equal(self.results[f"delta {factor}"], wide[f"delta {factor}"])
        self.assertEqual(list(self.results["theta"]), ["time"])
        if pandas is not None:
            self.assertEqual(list(deltas.index), [one.id for one in self.results])
        for name, near in (("dleta", "delta"), ("gamma", "results.columns"), ("delta SPX.spt", "delta SPX.spot")):
            with self.assertRaisesRegex(KeyError, near):
                self.results[name]

    def test_a_profile(self):
        book = levy.loads(TEXT)
        profile = book.profile("A.spot", 90, 110, 3, trade="call", device="cpu", measures=["price", "delta"])
        self.assertEqual((profile["factor"], profile["at"], repr(profile)), ("A.spot", [90, 100, 110], "<levy.Study: profile against A.spot, 2 lines>"))
        for place, spot in enumerate(profile["at"]):
            book["A.spot"] = spot
            self.assertEqual(profile["lines"][0]["values"][place], book.price("cpu").trade("call").price)
        self.assertIn("<svg", profile._repr_html_())
        self.assertEqual(profile.plot(), profile.text("svg"))
        self.assertEqual(levy.profile(book, steps=3, trade="call", low=90, high=110, device="cpu")["lines"][0], profile["lines"][0])
        self.assertEqual(levy.profile(BOOK, factor="A.spot", steps=3, device="cpu")["at"], [70, 100, 130])
        with self.assertRaisesRegex(TypeError, "no keyword 'step'; did you mean 'steps'|'step'"):
            book.profile(step=3)
        with self.assertRaisesRegex(ValueError, "use one of profile"):
            profile.plot("cost")

    def test_points_are_sizes(self):
        book = levy.load(ROOT / "configs" / "geometric_asian.yaml")
        for points in ("2^6..2^7", [64, 128], range(64, 129, 64)):
            study = book.converge(points=points, replicates=4, device="cpu")
            self.assertEqual([size for size, _ in study["methods"][0]["rmse"]], [64, 128])
        self.assertEqual(book.coverage(3, 64, device="cpu")["coverage"][0]["points"], 64)
        for points in ([64, 256], [], [128, 64]):
            with self.assertRaisesRegex(ValueError, "double from one size to the next"):
                book.converge(points=points)
        self.assertIn("seconds", study.plot("cost"))

    @unittest.skipIf(importlib.util.find_spec("matplotlib") is None or numpy is None, "Matplotlib is not installed")
    def test_axes_of_matplotlib(self):
        from matplotlib.figure import Figure
        book = levy.load(ROOT / "configs" / "geometric_asian.yaml")
        converge = book.converge(points=[64, 128], replicates=4, device="cpu")
        for one, what in ((self.results, "errors"), (self.ladder, "ladder"), (self.early, "boundary"), (self.results, "grid"), (converge, "convergence"),
                          (converge, "cost"), (book.coverage(3, 64, device="cpu"), "errors"), (book.profile(steps=3, device="cpu"), "profile"),
                          (pickle.loads(pickle.dumps(self.results)), "grid")):
            axes = Figure().add_subplot()
            self.assertIs(one.plot(what, ax=axes), axes)
            self.assertTrue(axes.lines or axes.collections)
        for what in ("ladder", "grid"):
            with self.assertRaisesRegex(ValueError, "there is nothing to plot: "):
                levy.loads(TEXT).price("cpu").plot(what, ax=Figure().add_subplot())
        y = [line.get_ydata() for line in converge.plot(ax=Figure().add_subplot()).lines]
        self.assertEqual([list(one) for one in y], [[rmse for _, rmse in method["rmse"]] for method in converge["methods"]])


class Tags(html.parser.HTMLParser):
    """Checks that each tag is closed, and keeps tags, and texts by the tag they are in."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts = [], set(), []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.texts.append(data)


class Looks(unittest.TestCase):
    def setUp(self):
        self.evil = "<script>alert('&')</script>"
        self.book = levy.load(TRADES[0], TRADES[1], dict(TRADES[1], id="bad", payoff={"kind": self.evil}), market=MARKET, **REST)
        self.results = self.book.price("cpu")

    def test_lines(self):
        self.assertEqual(repr(self.book), "<levy.Book: 3 trades; A.spot=100, A.dividend_yield=0, A.volatility=0.2, A.borrow=0, ...>")
        self.assertRegex(repr(self.results), r"^<levy.Results: 3 trades, 1 failed; USD \d+\.\d+ ± \d\.\d+ without bad>$")
        first, second, bad = self.results
        self.assertRegex(repr(second), r"^<levy.Trade 'short-put': european, ok, USD, price=-\d\.\d+ ± 0\.\d+, 2 measures>$")
        self.assertIn("failed", repr(bad))
        self.assertEqual(first._asdict()["price"], first.price)  # it is a tuple still

    def test_pages_are_whole_and_escaped(self):
        study = self.book.converge("sobol_scrambled+bridge", "2^4..2^6", trade="call", replicates=4, resamples=10, device="cpu")
        coverage = self.book.coverage(20, "2^6", trade="call", device="cpu")
        named = self.results.trade(0)._replace(id=self.evil)
        for one in (self.book, self.results, *self.results, study, coverage, named):
            page = one._repr_html_()
            with self.subTest(type(one).__name__):
                self.assertNotIn("script", Tags(page).tags)
        texts = Tags(self.results._repr_html_()).texts
        for text in ("call", "short-put", "\u2003delta A.spot", "netted, 2 of 3 trades without bad"):
            self.assertIn(text, texts)
        self.assertTrue(any(f"unknown kind '{self.evil}'" in text for text in texts))
        self.assertIn(self.evil, "".join(Tags(named._repr_html_()).texts))
        self.assertIn("A.volatility", Tags(self.book._repr_html_()).texts)
        self.assertIn("sobol_scrambled+bridge", Tags(coverage._repr_html_()).texts)
        for one in (study, coverage):
            picture = xml.etree.ElementTree.fromstring(one._repr_svg_())
            self.assertEqual(picture.tag, "{http://www.w3.org/2000/svg}svg")
            self.assertFalse([part for part in picture.iter() if "script" in part.tag])
        self.assertIn("svg", Tags(study._repr_html_()).tags)
        self.assertNotIn("<?xml", study._repr_html_())
        self.assertEqual(repr(study), "<levy.Study: convergence of sobol_scrambled+bridge>")
        self.assertEqual(repr(coverage), "<levy.Study: coverage, 1 row>")

    def test_a_study_of_several_trades(self):
        book = levy.load(TRADES, market=MARKET, **REST)
        study = book.converge("sobol_scrambled+bridge", "2^4..2^6", replicates=4, resamples=10, device="cpu")
        self.assertEqual([each["run"]["trade"] for each in study["studies"]], ["call", "short-put"])
        self.assertEqual(repr(study), "<levy.Study: convergence of sobol_scrambled+bridge; 2 studies>")
        page = study._repr_html_()
        texts = Tags(page[page.index("<table>"):page.index("</table>") + 8]).texts
        self.assertEqual([text for text in texts if text in ("call", "short-put", "price")], ["call", "price", "short-put", "price"])

    def test_numbers_are_rounded_to_their_errors(self):
        show = importlib.import_module("levy._show")
        for value, error, text in ((29336.88, 3.2, "29336.9"), (-107083.2, 15.2, "-107083"), (5.836451, 0.00023, "5.83645"),
                                   (123456.0, 1234.0, "123500"), (0.1, 0.0, "0.1"), (float("nan"), 1.0, ""), (float("inf"), 1.0, "inf"),
                                   (2.5, float("nan"), "2.5")):
            self.assertEqual(show.digits(value, error), text)

    def test_long_results_are_cut(self):
        trades = [dict(TRADES[0], id=f"t{index}") for index in range(200)]
        texts = Tags(levy.price(trades, market=MARKET, **{**REST, "measures": ["price"]}, device="cpu")._repr_html_()).texts
        self.assertIn("t59", texts)
        self.assertNotIn("t60", texts)
        self.assertTrue(any(text.startswith("140 more trades; 200 priced") for text in texts))


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Wide(unittest.TestCase):
    def setUp(self):
        more = {"market": {"assets": {"B": dict(MARKET["assets"]["A"], spot=50)}}, "models": {"n": {"kind": "black_scholes", "assets": ["B"]}}}
        first, second = TRADES
        self.results = levy.load(dict(first, model="m"), dict(second, model="n", underlying="B"), more, market=MARKET, **REST).price("cpu")

    def test_columns(self):
        wide = self.results.wide(errors=True)
        self.assertEqual(list(wide), ["id", "price", "price std_error", "delta A.spot", "delta A.spot std_error", "delta B.spot",
                                      "delta B.spot std_error"])
        call, put = self.results
        self.assertEqual(wide["id"].tolist(), ["call", "short-put"])
        self.assertEqual(wide["price"].tolist(), [call.price, put.price])
        self.assertEqual(wide["delta A.spot"][0], call.measures[1].value)
        self.assertEqual(wide["delta B.spot std_error"][1], put.measures[1].std_error)
        self.assertTrue(numpy.isnan([wide["delta A.spot"][1], wide["delta B.spot"][0]]).all())
        self.assertEqual(list(pickle.loads(pickle.dumps(self.results)).wide()), ["id", "price", "delta A.spot", "delta B.spot"])

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_frames_agree_with_the_long_form(self):
        wide = self.results.wide_frame()
        self.assertEqual((wide.index.name, wide.shape), ("id", (2, 3)))
        for row in self.results.measures_frame().itertuples():
            self.assertEqual(wide.loc[row.id, f"{row.measure} {row.factor}".rstrip()], row.value)


if __name__ == "__main__":
    unittest.main()
