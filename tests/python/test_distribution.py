"""levy.Distribution: draws and quantiles against their laws, arrays of parameters, and the calls a GPU gets over a driver that is
none. Run by test_python.sh."""

import ctypes
import math
import statistics
import threading
import unittest

import levy
from levy._library import library
from made_up import halves, Interface, philox, Placed, WholeWay

try:
    import numpy
except ImportError:
    numpy = None

LAWS = {"exponential": {"mean": 2.5}, "normal": {"mean": -1, "deviation": 3}, "gamma": {"alpha": 0.7, "scale": 2},
        "poisson": {"mean": 70.5}, "noncentral_chi_square": {"degrees": 0.8, "noncentrality": 3}}


def poisson_quantile(mean, p):
    n, term = 0, math.exp(-mean)
    total = term
    while total < p:
        n += 1
        term *= mean / n
        total += term
    return n


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Distribution(unittest.TestCase):
    def test_quantiles_are_those_of_the_laws(self):
        words = numpy.array([0, 5, 2**30, 2**31, 3 * 2**30 + 7, 2**32 - 1], "uint32")
        words.flags.writeable = False
        p = [(int(word) + 0.5) / 2**32 for word in words]
        normal = statistics.NormalDist(-1, 3)
        for law, given, quantile in (
                ("exponential", {"mean": 2.5}, lambda p: -2.5 * math.log1p(-p)), ("normal", LAWS["normal"], normal.inv_cdf),
                ("gamma", {"alpha": 1, "scale": 0.5}, lambda p: -0.5 * math.log1p(-p)),
                ("poisson", {"mean": 3.5}, lambda p: poisson_quantile(3.5, p)),
                ("noncentral_chi_square", {"degrees": 2, "noncentrality": 0}, lambda p: -2 * math.log1p(-p))):
            made = levy.Distribution(law, **given).invert(words)
            self.assertEqual(made.dtype, numpy.dtype("uint32" if law == "poisson" else "float64"))
            for x, one in zip(made.tolist(), p):
                self.assertAlmostEqual(x, quantile(one), delta=1e-9 * abs(quantile(one)), msg=law)
        for law, given, quantile in (
                ("gamma_by_table", {"alpha": 1, "scale": 0.5}, lambda p: -0.5 * math.log1p(-p)),
                ("beta", {"alpha": 3, "beta": 1}, lambda p: p ** (1 / 3)),
                ("beta", {"alpha": 1, "beta": 2}, lambda p: 1 - math.sqrt(1 - p))):
            made = levy.Distribution(law, **given)
            self.assertGreater(made.info.table_bytes, 4000)
            for x, one in zip(made.invert(words).tolist(), p):
                self.assertAlmostEqual(x, quantile(one), delta=1e-10, msg=law)
        x = levy.Distribution("inverse_gaussian", mean=2, shape=3).draw(1 << 17, seed=3)
        self.assertAlmostEqual(x.mean(), 2, delta=0.02)
        self.assertAlmostEqual(x.var(), 4 / 3, delta=0.05)
        points = levy.Normals(n_dimensions=2, output="word").generate(1 << 12)
        self.assertAlmostEqual(levy.Distribution("gamma", alpha=3, scale=2).invert(points[1]).mean(), 6, delta=0.01)

    def test_draws_are_quantiles_of_philox(self):
        """A draw of one word: word (i mod 64) / 16 of block 16 (i / 64) + i mod 16."""
        exponential = levy.Distribution("exponential", mean=1)
        first = 2**35 + 5
        taken = [philox(9, (0, 3, *halves(block)))[i % 64 // 16]
                 for i in range(first, first + 200) for block in [16 * (i // 64) + i % 16]]
        self.assertEqual(exponential.draw(200, seed=9, substream=3, first=first).tolist(),
                         exponential.invert(numpy.array(taken, "uint32")).tolist())

    def test_moments_and_splits(self):
        moments = {"exponential": 2.5, "normal": -1, "gamma": 1.4, "poisson": 70.5, "noncentral_chi_square": 3.8}
        for law, given in LAWS.items():
            for precision in ("double", "single"):
                made = levy.Distribution(law, precision=precision, threads=2, **given)
                whole = made.draw(40000, seed=3, substream=4, first=11)
                kind = "uint32" if law == "poisson" else "float64" if precision == "double" else "float32"
                self.assertEqual((whole.dtype, whole.shape), (numpy.dtype(kind), (40000,)))
                self.assertLess(abs(whole.mean(dtype="f8") - moments[law]), 0.1)
                parts = [made.draw(n, 3, 4, first) for first, n in ((11, 1), (12, 20000), (20012, 0), (20012, 19999))]
                self.assertEqual(numpy.concatenate(parts).tobytes(), whole.tobytes())
                self.assertFalse((made.draw(100, seed=3, substream=5, first=11) == whole[:100]).all())

    def test_parameters_of_each_deviate(self):
        n = 4000
        for law, given in LAWS.items():
            alone = levy.Distribution(law, **given).draw(n, seed=6)
            for each in (list(given)[:1], list(given)[1:], list(given)):
                kept = {name: value for name, value in given.items() if name not in each}
                arrays = {name: numpy.full(n, float(given[name])) for name in each}
                made = levy.Distribution(law, **kept)
                self.assertEqual(made.draw(n, seed=6, **arrays).tobytes(), alone.tobytes())
                words = numpy.arange(n, dtype="uint32") * numpy.uint32(1000003)
                self.assertEqual(made.invert(words, **arrays).tobytes(), levy.Distribution(law, **given).invert(words).tobytes())
        single = levy.Distribution("normal", precision="single", mean=0)
        out = numpy.ones(8, "f4")
        self.assertEqual(single.draw(6, out=out[1:7], deviation=numpy.zeros(6, "f4")).tolist(), [0] * 6)
        self.assertEqual(out.tolist(), [1, 0, 0, 0, 0, 0, 0, 1])

    def test_arrays_that_do_not_fit(self):
        made, n = levy.Distribution("gamma", scale=2.0), 8
        good = numpy.ones(n)
        for alpha, kind, text in ((good.astype("f4"), TypeError, "alpha is an array of float32; it must be one of float64"),
                                  (good[:7], ValueError, r"alpha has the shape \(7,\); it must be \(8,\)"),
                                  (numpy.ones(16)[::2], ValueError, "must be contiguous"), (2.0, TypeError, "alpha is a float"),
                                  (good * numpy.array([1] * 7 + [-1]), ValueError, "an element of alpha is outside its range"),
                                  (good * math.nan, ValueError, "an element of alpha is outside its range")):
            with self.assertRaisesRegex(kind, text):
                made.draw(n, alpha=alpha)
        with self.assertRaisesRegex(ValueError, "alpha and out overlap"):
            made.draw(n, alpha=good, out=good)
        both = numpy.zeros(16, "uint32")
        with self.assertRaisesRegex(ValueError, "words and out overlap"):
            levy.Distribution("poisson", mean=1).invert(both[4:12], out=both[:8])
        levy.Distribution("poisson", mean=1).invert(both[8:], out=both[:8])
        for out, kind in ((numpy.zeros(n, "f4"), TypeError), (numpy.zeros(n - 1), ValueError), (numpy.zeros((2, 4)), ValueError)):
            with self.assertRaises(kind):
                made.draw(n, alpha=good, out=out)
        with self.assertRaises(TypeError):
            made.invert(numpy.zeros(n), alpha=good)

    def test_arguments(self):
        for given, kind, text in (({"law": "gama"}, ValueError, "did you mean 'gamma'"),
                                  ({"law": "gamma", "beta": 1}, TypeError, "no parameter 'beta': it has alpha and scale"),
                                  ({"law": "gamma", "alpha": -1}, levy.ArgumentError, "alpha"),
                                  ({"law": "poisson", "mean": math.nan}, levy.ArgumentError, "is not a number"),
                                  ({"law": "poisson", "mean": 1e8, "precision": "single"}, levy.ArgumentError, "at most 1000000"),
                                  ({"law": "beta", "alpha": 1}, TypeError, "beta is missing: a table"),
                                  ({"law": "beta", "alpha": 1, "beta": 0.01}, levy.ArgumentError, "at least 0.1"),
                                  ({"law": "normal", "precision": "half"}, ValueError, "half"),
                                  ({"law": "normal", "device": "gpu"}, levy.ArgumentError, "'gpu' is not a device")):
            with self.assertRaisesRegex(kind, text):
                levy.Distribution(**given)
        built = levy.Distribution("normal", mean=0, deviation=1, device="cpu").info.isa  # a build may leave others out
        made = levy.Distribution("normal", mean=0, deviation=1, isa=built, threads=3)
        self.assertEqual((made.info.backend, made.info.isa, made.info.threads, made.info.registers), ("cpu", built, 3, -1))
        for arguments in ((-1,), (1, -1), (1, 2**64), (1, 0, 2**31), (1, 0, 0, 2**64), (2, 0, 0, 2**64 - 1), (1.5,)):
            with self.assertRaises((ValueError, TypeError)):
                made.draw(*arguments)
        for given, text in (({"mean": numpy.ones(1)}, "mean was given when"), ({"alpha": 1}, "no parameter 'alpha'")):
            with self.assertRaisesRegex(TypeError, text):
                made.draw(1, **given)
        with self.assertRaisesRegex(TypeError, "deviation is missing"):
            levy.Distribution("normal", mean=0).draw(1)
        self.assertEqual(made.draw(0).shape, (0,))
        self.assertEqual(made.invert(numpy.empty(0, "uint32")).shape, (0,))

    def test_threads_share_a_distribution(self):
        made, found = levy.Distribution("gamma", alpha=2, scale=1, threads=2), {}
        threads = [threading.Thread(target=lambda n=n: found.update({n: made.draw(20000, 1, 0, 20000 * n)})) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue((numpy.concatenate([found[n] for n in range(4)]) == made.draw(80000, 1)).all())


class Device(WholeWay, unittest.TestCase):
    def check(self):
        made = levy.Distribution("gamma", scale=2.0, device="cuda", kernel_cache=False)
        self.assertEqual((made.info.backend, made._gpu, made.info.threads_per_block), ("cuda", 0, 256))
        alpha, out = Interface((30,), read_only=True, stream=9), Placed((30,), address=8192)
        with self.assertRaisesRegex(TypeError, r"pass an array of CuPy or PyTorch to fill, \(30,\) of float64"):
            made.draw(30, alpha=alpha)
        with self.calls("levy_distribution_draw") as made_calls:
            self.assertIs(made.draw(30, 7, 1, 12, out, alpha=alpha), out)
            given = made_calls.call_args[0]
            self.assertEqual((given[1:5], list(given[5]), given[6:]), ((7, 1, 12, 30), [4096, None], (8192, 9)))
            for bad in (Interface((29,)), Interface((30,), "<f4"), Interface((30,), address=8200), [1.0]):
                with self.assertRaises((TypeError, ValueError)):
                    made.draw(30, out=out, alpha=bad)
            self.assertEqual(made_calls.call_count, 1)
        with self.calls("levy_distribution_invert") as made_calls:
            words = Interface((30,), "<u4", address=16384)
            self.assertIs(made.invert(words, out, 5, alpha=alpha), out)
            given = made_calls.call_args[0]
            self.assertEqual((given[1:3], list(given[3]), given[4:]), ((16384, 30), [4096, None], (8192, 5)))
        # the launches themselves
        places = (ctypes.c_void_p * 2)(4096, None)
        self.assertEqual(library.levy_distribution_draw(made._handle, 1, 2, 3, 1000, places, 65536, None), 0)
        self.assertEqual(library.levy_distribution_invert(made._handle, 4096, 1000, places, 65536, None), 0)
        self.assertEqual(library.levy_distribution_draw(made._handle, 1, 2, 3, 1000, None, 65536, None), -1)
        self.assertEqual(library.levy_distribution_draw(made._handle, 1, 2, 3, 1000, places, 65540, None), -1)


if __name__ == "__main__":
    unittest.main()
