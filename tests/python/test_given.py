"""Normals that a Python program gives to a book: levy's own give levy's price, and what the program raises ends the pricing.

Run by tests/test_python.sh.
"""

import unittest

import levy

try:
    import numpy
except ImportError:
    numpy = None

TEXT = """
schema_version: 1
market: {curves: {USD: 0.05}, assets: {A: {currency: USD, spot: 100, volatility: 0.2}}}
models: {m: {kind: black_scholes, assets: [A]}}
trades:
  - {id: t, model: m, underlying: A, exercise: {expiry: 1},
     payoff: {kind: asian, option_type: call, strike: 100, averaging: {method: arithmetic, observations: {count: 6}}}}
simulation: {paths: 2^14, generator: %s}
"""


@unittest.skipUnless(numpy, "NumPy is not installed")
class Given(unittest.TestCase):
    def test_levys_own_normals_give_levys_price(self):
        sobol = levy.Normals("sobol", n_dimensions=6)
        asked = []

        def fill(out, replicate, first):
            asked.append((out.shape, out.dtype, replicate, first))
            sobol.generate(out.shape[1], first, out)

        own = levy.load_text(TEXT % "sobol").price(device="cpu").trade(0)
        given = levy.load_text(TEXT % "given").price(device="cpu", normals=fill).trade(0)
        self.assertEqual(given.price, own.price)
        self.assertEqual((given.generator, given.reproducibility), ("given", "R1"))
        self.assertEqual({(shape[0], kind, replicate) for shape, kind, replicate, _ in asked}, {(6, numpy.dtype(float), 0)})
        self.assertEqual(sum(shape[1] for shape, *_ in asked), 2**14)

    def test_what_a_function_keeps_is_its_own(self):
        kept = []

        def fill(out, replicate, first):
            out[:] = numpy.random.default_rng(first).standard_normal(out.shape)
            kept.append((out, out.copy()))

        levy.load_text(TEXT % "given").price(device="cpu", normals=fill, paths=2**20)
        self.assertTrue(all((out == copy).all() for out, copy in kept))
        with self.assertRaisesRegex(ValueError, "own its data"):  # one number would be spread over all
            levy.load_text(TEXT % "given").price(device="cpu", normals=lambda out, *_: out.resize((1, 1), refcheck=False))

    def test_an_array_has_real_numbers_and_all_of_them(self):
        book = levy.load_text(TEXT % "given")
        points = numpy.random.default_rng(1).standard_normal((2**14, 6))
        for kind in ("complex128", "O", "U8"):
            with self.assertRaisesRegex(TypeError, "normals are an array of real numbers"):
                book.price(device="cpu", normals=points.astype(kind))
        with self.assertRaisesRegex(ValueError, "masked numbers"):
            book.price(device="cpu", normals=numpy.ma.masked_greater(points, 1))
        price = book.price(device="cpu", normals=points).trade(0).price
        self.assertEqual(book.price(device="cpu", normals=numpy.ma.masked_greater(points, 99)).trade(0).price, price)

    def test_an_array_is_what_a_function_gives(self):
        points = numpy.random.default_rng(1).standard_normal((2, 2**14, 7))
        price = levy.load_text(TEXT % "given, replicates: 2").price

        def fill(out, replicate, first):
            out[:] = points[replicate, first:first + out.shape[1], :6].T

        own = price(device="cpu", normals=fill, paths=2**15).trade(0)
        self.assertEqual(price(device="cpu", normals=points, paths=2**15).trade(0).price, own.price)
        one = levy.load_text(TEXT % "given")
        self.assertEqual(one.price(device="cpu", normals=points[0]).trade(0).price, one.price(device="cpu", normals=points).trade(0).price)
        for few in (points[0], points[:, :2**13], points[..., :5], points[0, 0]):
            with self.assertRaisesRegex(ValueError, r"\[replicate\]\[path\]\[dimension\]"):
                price(device="cpu", normals=few, paths=2**15)

    def test_a_function_fills_what_it_gets(self):
        book = levy.load_text(TEXT % "given")
        with self.assertRaisesRegex(TypeError, r"normals\(out, replicate, first_path\) fills out, .*; got a ndarray"):
            book.price(device="cpu", normals=lambda out, *_: numpy.zeros(out.shape))

        def fill(out, replicate, first):
            return numpy.random.default_rng(first).standard_normal(out=out)  # what it returns stands in out as well

        self.assertEqual(book.price(device="cpu", normals=fill).trade(0).status, "ok")

    def test_a_study_takes_normals(self):
        def fill(out, replicate, first):
            levy.Normals("sobol_scrambled", n_dimensions=6, seed=42, replicate=replicate).generate(out.shape[1], first, out)

        book = levy.load_text(TEXT % "sobol_scrambled")
        study = book.converge(["sobol_scrambled+bridge", "given+bridge"], "2^6..2^10", replicates=8, device="cpu", normals=fill)
        own, given = study["methods"]
        self.assertEqual((given["generator"], given["slope"]), ("given", own["slope"]))
        self.assertLess(given["slope"], -0.6)
        with self.assertRaisesRegex(levy.Error, "takes its normals from a program"):
            book.converge("given+bridge", device="cpu")
        with self.assertRaisesRegex(levy.Error, "given alone"):
            book.converge("sobol+bridge", device="cpu", normals=fill)
        with self.assertRaisesRegex(KeyError, "tape"):
            book.converge("given+bridge", device="cpu", normals=lambda *_: {}["tape"])

    def test_what_is_raised_goes_on(self):
        asked = []

        def fill(out, replicate, first):
            asked.append(first)
            raise KeyError("tape")

        second = "  - {id: u, model: m, underlying: A, exercise: {expiry: 2}, payoff: {kind: european, option_type: put, strike: 90}}\n"
        with self.assertRaisesRegex(KeyError, "tape"):
            levy.load_text(TEXT.replace("simulation", second + "simulation") % "given").price(device="cpu", normals=fill)
        self.assertEqual(asked, [0])  # no other group asks

    def test_normals_go_with_given_alone(self):
        with self.assertRaisesRegex(levy.Error, "given alone"):
            levy.load_text(TEXT % "sobol").price(device="cpu", normals=lambda *_: None)
        results = levy.load_text(TEXT % "given").price(device="cpu")
        self.assertIn("gives none", results.trade(0).message)

    def test_arrays_of_curand_are_sobols_or_say_where_it_is(self):
        try:
            words = levy.Normals("curand_sobol", n_dimensions=3, output="word").generate(500, 7)
        except levy.Error as error:
            self.assertIn("cuRAND", str(error))
        else:
            self.assertTrue((words == levy.Normals("sobol", n_dimensions=3, output="word").generate(500, 7)).all())


if __name__ == "__main__":
    unittest.main(verbosity=2)
