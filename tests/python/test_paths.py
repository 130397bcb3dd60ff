"""Paths of the Python package: the arrays of Normals and Bridge, one pass for two; drift and exponentials; splits, strides and
replicates; what is refused, and how.

Run by tests/test_python.sh.
"""

import itertools
import math
import unittest

import levy
from levy import _arrays

try:
    import numpy
except ImportError:
    numpy = None

GENERATORS = [name for name in _arrays._GENERATORS if name != "net" and not name.startswith("curand")]
TIMES = [0.0, 0.1, 0.25, 0.5, 0.9, 1.0]
FACTOR = [[0.2, 0.0], [0.1, 0.3]]


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Paths(unittest.TestCase):
    def chain(self, generator, precision, n, first, **bridge):
        normals = levy.Normals(generator, n_dimensions=10, seed=3, replicate=2, precision=precision).generate(n, first)
        return levy.Bridge(TIMES, precision=precision, **bridge).generate(normals)

    def test_paths_are_those_of_normals_and_bridge(self):
        given = {"factor": FACTOR, "start": [1.0, -2.0], "order": [5, 2, 1, 3, 4]}
        for generator, precision, output in itertools.product(GENERATORS, ("double", "single"), ("paths", "increments")):
            with self.subTest(generator=generator, precision=precision, output=output):
                paths = levy.Paths(TIMES, output=output, generator=generator, seed=3, replicate=2, precision=precision, **given)
                made = paths.generate(301, 1000)
                want = self.chain(generator, precision, 301, 1000, output=output, **given)
                self.assertEqual((made.shape, made.dtype), ((5, 2, 301), want.dtype))
                self.assertEqual(made.tobytes(), want.tobytes())
                self.assertEqual((paths.info.generator, paths.info.count), (generator, 10))

    def test_drift_and_exponential(self):
        plain = levy.Paths(TIMES, factor=FACTOR, seed=3).generate(200)
        drift = numpy.arange(10.0).reshape(5, 2) / 100
        moved = levy.Paths(TIMES, factor=FACTOR, seed=3, drift=drift).generate(200)
        self.assertLess(abs(moved - plain - drift[:, :, None]).max(), 1e-15)
        flat = levy.Paths(TIMES, factor=FACTOR, seed=3, drift=list(drift.ravel())).generate(200)
        self.assertEqual(flat.tobytes(), moved.tobytes())
        spots = levy.Paths(TIMES, factor=FACTOR, seed=3, drift=drift, exponential=True).generate(200)
        self.assertLess(abs(spots / numpy.exp(moved) - 1).max(), 1e-14)

    def test_a_call_is_black_scholes(self):
        t = numpy.linspace(0, 1, 5)
        paths = levy.Paths(t, factor=[[0.2]], start=[math.log(100)], drift=-0.02 * t[1:], exponential=True, seed=1)
        spots = paths.generate(2**16)
        self.assertEqual(spots.shape, (4, 2**16))
        self.assertLess(abs(spots.mean(axis=1) - 100).max(), 1e-2)
        self.assertLess(abs(numpy.maximum(spots[-1] - 100, 0).mean() - 7.965567455405804), 1e-3)

    def test_any_split_and_stride(self):
        for generator in GENERATORS:
            paths = levy.Paths(TIMES, factor=FACTOR, generator=generator, seed=9, threads=2)
            whole = paths.generate(1000, 77)
            parts = [paths.generate(n, first) for first, n in ((77, 1), (78, 300), (378, 699))]
            self.assertEqual(numpy.concatenate(parts, axis=2).tobytes(), whole.tobytes())
        wide = numpy.full((10, 64), -1.0)
        out = wide[:, 10:40]
        self.assertIs(paths.generate(30, 77, out=out), out)
        self.assertTrue((out.reshape(5, 2, 30) == whole[:, :, :30]).all())
        self.assertTrue((wide[:, :10] == -1.0).all() and (wide[:, 40:] == -1.0).all())
        self.assertEqual(paths.generate(0).shape, (5, 2, 0))

    def test_what_is_refused(self):
        paths = levy.Paths(TIMES)
        for out in (numpy.empty((5, 8), numpy.float32), [0.0], None):
            if out is not None:
                self.assertRaises(TypeError, paths.generate, 8, out=out)
        self.assertRaisesRegex(ValueError, r"shape \(5, 7\)", paths.generate, 8, out=numpy.empty((5, 7)))
        self.assertRaisesRegex(ValueError, "the last path is 4,294,967,296", paths.generate, 2, 2**32 - 1)
        self.assertRaisesRegex(ValueError, "drift has 4 numbers; 5 steps of 1 dimensions need 5", levy.Paths, TIMES, drift=[0] * 4)
        self.assertRaisesRegex(ValueError, "did you mean 'philox'", levy.Paths, TIMES, generator="phlox")
        self.assertRaises(levy.ArgumentError, levy.Paths, TIMES, output="increments", exponential=True)
        self.assertRaises(levy.ArgumentError, levy.Paths, [0.0, 1.0, 0.5])


if __name__ == "__main__":
    unittest.main()
