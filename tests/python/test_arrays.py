"""Normals and Bridge of the Python package: NumPy arrays against the C calls, generators written down again here and a NumPy
bridge; what is refused, and how; GPU arrays of made-up classes, over a driver that is none (tests/fake_module.c).

Run by tests/test_python.sh.
"""

import ctypes
import gc
import itertools
import pathlib
import statistics
import subprocess
import sys
import threading
import unittest
from unittest import mock

import levy
from levy import _arrays, _memory
from levy._library import library, STRUCTURES
from made_up import halves, Interface, Lent, philox, Placed, WholeWay

try:
    import numpy
except ImportError:
    numpy = None

GENERATORS = [name for name in _arrays._GENERATORS if name != "net" and not name.startswith("curand")]
TYPES = {("normal", "double"): "float64", ("normal", "single"): "float32", ("uniform", "double"): "float64",
         ("uniform", "single"): "float32", ("word", "double"): "uint32", ("word", "single"): "uint32"}


# ---- Generators once more, one word at a time ------------------------------------------------------


def sobol(dimension, point):
    """Dimensions 0 and 1: of van der Corput, and of x + 1."""
    columns = [1]
    for _ in range(31):
        columns.append(columns[-1] << 1 ^ columns[-1] if dimension else 1)
    gray, word = point ^ point >> 1, 0
    for bit in range(32):
        if gray >> bit & 1:
            word ^= columns[bit] << (31 - bit)
    return word


def philox_word(key, dimension, point):
    return philox(key, (dimension // 4, 0, *halves(point)))[dimension % 4]


def mrg32k3a():
    """L'Ecuyer's draws for seed 0, replicate 0."""
    m1, m2 = 4294967087, 4294944443
    a, b = [12345] * 3, [12345] * 3
    while True:
        p, q = (1403580 * a[1] - 810728 * a[0]) % m1, (527612 * b[2] - 1370589 * b[0]) % m2
        a, b = [*a[1:], p], [*b[1:], q]
        z = (p - q) % m1
        yield (z + 209 * z // m1) & 0xFFFFFFFF


def of_c(generator, output, precision, dimensions, first, n):
    """Numbers of seed 7, replicate 1, made through the C functions alone."""
    kind = {"float64": ctypes.c_double, "float32": ctypes.c_float, "uint32": ctypes.c_uint32}[TYPES[output, precision]]
    context, handle = ctypes.c_void_p(), ctypes.c_void_p()
    assert library.levy_context_create(None, ctypes.byref(context)) == 0
    spec = STRUCTURES["levy_normals_spec"]()
    spec.struct_size, spec.generator, spec.n_dimensions = ctypes.sizeof(spec), generator, dimensions
    spec.output, spec.precision = ("normal", "uniform", "word").index(output), ("double", "single").index(precision)
    spec.seed, spec.replicate = 7, 1
    assert library.levy_normals_create(context, ctypes.byref(spec), ctypes.byref(handle)) == 0
    numbers = (kind * (dimensions * n))()
    assert library.levy_normals_generate(handle, first, n, numbers, 0, None) == 0
    library.levy_normals_destroy(handle)
    library.levy_context_destroy(context)
    return bytes(numbers)


# ---- The CPU ---------------------------------------------------------------------------------------


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Normals(unittest.TestCase):
    def test_arrays_are_those_of_the_c_calls(self):
        for (number, generator), (output, precision) in itertools.product(enumerate(GENERATORS), TYPES):
            with self.subTest(generator=generator, output=output, precision=precision):
                normals = levy.Normals(generator, n_dimensions=5, seed=7, replicate=1, output=output, precision=precision)
                made = normals.generate(301, 1000)
                self.assertEqual((made.dtype, made.shape), (numpy.dtype(TYPES[output, precision]), (5, 301)))
                self.assertTrue(made.flags.c_contiguous)
                self.assertEqual(made.tobytes(), of_c(number, output, precision, 5, 1000, 301))
                self.assertEqual((normals.info.generator, normals.info.count, normals.info.number_bytes),
                                 (generator, 5, made.itemsize))

    def test_words_are_those_of_the_generators(self):
        words = levy.Normals("sobol", n_dimensions=2, output="word").generate(100, 2**31 - 50)
        self.assertEqual(words.tolist(), [[sobol(d, 2**31 - 50 + p) for p in range(100)] for d in range(2)])
        made = levy.Normals("philox", n_dimensions=20, first_dimension=6, count=7, seed=9, replicate=2, output="word")
        self.assertEqual(made.generate(40, 2**32 - 20).tolist(),
                         [[philox_word(made.info.key, 6 + d, 2**32 - 20 + p) for p in range(40)] for d in range(7)])
        draws = numpy.array(list(itertools.islice(mrg32k3a(), 50 * 3)), numpy.uint32).reshape(50, 3)
        words = levy.Normals("mrg32k3a", n_dimensions=3, output="word").generate(50)
        self.assertTrue((words == draws.T).all())

    def test_a_net_is_its_matrices(self):
        columns = numpy.array([[1 << 31 - j for j in range(8)], [(1 << j) << 24 for j in range(8)]], numpy.uint32)
        plain = levy.Normals("net", n_dimensions=2, net=columns, scrambling="none", output="word")
        words = plain.generate(256)
        gray = [p ^ p >> 1 for p in range(256)]
        self.assertEqual(words[0].tolist(), [int(f"{g:08b}"[::-1], 2) << 24 for g in gray])
        self.assertEqual(words[1].tolist(), [g << 24 for g in gray])
        self.assertEqual((plain.info.generator, plain.info.most_points), ("net", 256))
        with self.assertRaisesRegex(ValueError, "256 points"):
            plain.generate(2, 255)
        shifted = levy.Normals("net", n_dimensions=2, net=columns, scrambling="shift", output="word", seed=4).generate(256)
        self.assertEqual(len({tuple(point) for point in (words ^ shifted).T.tolist()}), 1)
        sobol_numbers = [[sobol(d, 2**bit) ^ sobol(d, 2**bit - 1) for bit in range(20)] for d in range(2)]
        net = levy.Normals("net", n_dimensions=2, net=sobol_numbers, seed=4, replicate=2).generate(500)
        self.assertEqual(net.tobytes(), levy.Normals(n_dimensions=2, seed=4, replicate=2).generate(500).tobytes())
        file = pathlib.Path(__file__).parents[2] / "configs" / "nets" / "niederreiter.txt"
        of_file = levy.Normals("net", n_dimensions=16, net=file, output="word", scrambling="none").generate(4)
        self.assertEqual(of_file[0].tolist(), [0, 1 << 31, 3 << 30, 1 << 30])
        paths = levy.Paths([0, 1, 2], generator="net", net=file, seed=3).generate(64)
        chained = levy.Bridge([0, 1, 2]).generate(levy.Normals("net", n_dimensions=2, net=file, seed=3).generate(64))
        self.assertEqual(paths.tobytes(), chained.tobytes())
        for net, scrambling in ((None, "matrix"), ("nowhere.txt", "matrix"), ([[1, 2], [3]], "matrix"), ([[2**32]], "matrix"),
                                ([], "none"), (columns, "owen"),
                                ("a\0b", "matrix")):
            with self.assertRaises((ValueError, levy.Error)):
                levy.Normals("net", n_dimensions=1, net=net, scrambling=scrambling)

    def test_uniforms_and_normals_are_of_these_words(self):
        made = {output: levy.Normals(n_dimensions=3, seed=1, output=output).generate(200) for output in _arrays._NUMBERS}
        self.assertTrue((made["uniform"] == (made["word"] + 0.5) * 2.0**-32).all())
        inverse = numpy.vectorize(statistics.NormalDist().inv_cdf)
        self.assertLess(abs(made["normal"] - inverse(made["uniform"])).max(), 1e-12)
        single = levy.Normals(n_dimensions=3, seed=1, precision="single").generate(200)
        self.assertLess(abs(single - made["normal"]).max(), 2e-6)

    def test_any_split_of_points_and_dimensions(self):
        for generator in GENERATORS:
            normals = levy.Normals(generator, n_dimensions=9, seed=3, threads=2)
            whole = normals.generate(1000, 77)
            parts = [normals.generate(n, first) for first, n in ((77, 1), (78, 300), (378, 0), (378, 699))]
            self.assertEqual(numpy.concatenate(parts, axis=1).tobytes(), whole.tobytes())
            some = levy.Normals(generator, n_dimensions=9, seed=3, first_dimension=4, count=2, threads=1).generate(1000, 77)
            self.assertEqual(some.tobytes(), whole[4:6].tobytes())
        one, other = (levy.Normals(n_dimensions=4, seed=3, replicate=r).generate(8) for r in (0, 1))
        self.assertFalse((one == other).any())

    def test_rows_may_lie_apart(self):
        normals = levy.Normals(n_dimensions=4, seed=5)
        wide = numpy.full((4, 64), -1.0)
        out = wide[:, 10:40]
        self.assertIs(normals.generate(30, out=out), out)
        self.assertTrue((out == normals.generate(30)).all())
        self.assertTrue((wide[:, :10] == -1.0).all() and (wide[:, 40:] == -1.0).all())
        every = numpy.full((8, 30), -1.0)
        normals.generate(30, out=every[::2])
        self.assertTrue((every[::2] == out).all() and (every[1::2] == -1.0).all())
        column = numpy.full((4, 3), -1.0)  # one point: its axis needs no stride
        normals.generate(1, out=column[:, 1:2])
        self.assertTrue((column[:, 1] == out[:, 0]).all() and (column[:, ::2] == -1.0).all())
        row = numpy.empty((30, 1)).T  # one dimension: no stride of rows
        self.assertTrue((levy.Normals(n_dimensions=4, count=1, seed=5).generate(30, out=row) == out[0]).all())

    def test_arrays_that_do_not_fit(self):
        normals = levy.Normals(n_dimensions=4)
        frozen = numpy.empty((4, 8))
        frozen.flags.writeable = False
        for out, kind, text in (
                ([[0.0] * 8] * 4, TypeError, "out is a list; on the CPU it must be a NumPy array of float64"),
                (numpy.empty((4, 8), "f4"), TypeError, "out is an array of float32; it must be one of float64"),
                (numpy.empty((4, 8), ">f8"), TypeError, "out is an array of >f8"),
                (numpy.empty((8, 4)), ValueError, r"out has the shape \(8, 4\); \[dimension\]\[point\] is \(4, 8\)"),
                (numpy.empty(32), ValueError, r"the shape \(32,\)"), (numpy.float64(0.0), TypeError, "a float64"),
                (numpy.array(0.0), ValueError, r"the shape \(\)"),
                (numpy.empty((4, 8), order="F"), ValueError, "the last axis must be contiguous"),
                (numpy.empty((4, 16))[:, ::2], ValueError, "16 bytes apart, not 8"),
                (numpy.empty((4, 8))[:, ::-1], ValueError, "-8 bytes apart"),
                (numpy.empty((4, 8))[::-1], ValueError, "the rows of out are -64 bytes apart; 8 numbers of 8 bytes need 64"),
                (numpy.broadcast_to(numpy.empty(8), (4, 8)), ValueError, "read-only"), (frozen, ValueError, "out is read-only"),
                (numpy.lib.stride_tricks.as_strided(numpy.empty(99), (4, 8), (0, 8)), ValueError, "0 bytes apart"),
                (numpy.empty(4 * 64 + 1, "u1")[1:].view("f8").reshape(4, 8), ValueError, "begin at a multiple of 8 bytes"),
                (numpy.ndarray((4, 8), "f8", bytearray(400), 0, (68, 8)), ValueError, "and a multiple of 8")):
            with self.assertRaisesRegex(kind, text):
                normals.generate(8, out=out)

    def test_arguments(self):
        for arguments, kind, text in (
                ({"generator": "sobl"}, ValueError, "generator: 'sobl' is unknown; did you mean 'sobol'?"),
                ({"output": "halves"}, ValueError, "output: 'halves' is unknown; use one of normal, uniform, word"),
                ({"precision": "half"}, ValueError, "use one of double, single"),
                ({"n_dimensions": 0}, levy.ArgumentError, "n_dimensions.* is 0; a point of this generator has 1 to 21201"),
                ({"n_dimensions": 30000}, levy.ArgumentError, "is 30000"),
                ({"n_dimensions": 2**32 + 1}, ValueError, r"n_dimensions is 4294967297; it must lie in 0 to 4,294,967,295"),
                ({"n_dimensions": 2.0}, TypeError, "integer"), ({"seed": -1}, ValueError, "seed is -1"),
                ({"first_dimension": 4}, levy.ArgumentError, "first_dimension"), ({"count": 5}, levy.ArgumentError, "count"),
                ({"replicate": 2**32 - 1}, levy.ArgumentError, "replicate"),
                ({"device": "gpu"}, levy.ArgumentError, "'gpu' is not a device"),
                ({"isa": "z80"}, levy.Error, "z80"),
                ({"generator": "sobol", "scrambling": "none"}, ValueError, "scrambling is of the generator 'net'; got 'sobol'"),
                ({"scrambling": "matrix"}, ValueError, "got 'sobol_scrambled'")):
            with self.assertRaisesRegex(kind, text):
                levy.Normals(**{"n_dimensions": 4, **arguments})
        with self.assertRaisesRegex(ValueError, "scrambling is of"):
            levy.Paths([0, 1, 2], generator="philox", scrambling="shift")
        with self.assertRaises(levy.ArgumentError) as caught:
            levy.Normals(n_dimensions=4, count=5)
        self.assertEqual([one.path for one in caught.exception.diagnostics], ["count"])
        for generator, points in (("sobol", 2**32), ("sobol_scrambled", 2**32), ("philox", 2**56), ("mrg32k3a", 2**56)):
            normals = levy.Normals(generator, n_dimensions=1, output="word")
            self.assertEqual(normals.generate(2, points - 2).shape, (1, 2))
            self.assertEqual(normals.generate(0).shape, (1, 0))
            with self.assertRaisesRegex(ValueError, f"this generator has {points:,} points"):
                normals.generate(2, points - 1)
        for n, first in ((-1, 0), (1, -1)):
            with self.assertRaises(ValueError):
                normals.generate(n, first)

    def test_contexts(self):
        context = levy.Context()
        normals = levy.Normals(n_dimensions=2, context=context)
        owner = context._owner
        self.assertIs(normals._owner, owner)
        expected = normals.generate(4).tolist()
        del context
        gc.collect()
        self.assertEqual(normals.generate(4).tolist(), expected)
        self.assertTrue(owner._handles)
        del normals
        gc.collect()
        self.assertFalse(owner._handles)  # the last one that left took the handle along

    def test_threads_share_normals(self):
        normals, found = levy.Normals(n_dimensions=16, threads=1), {}
        threads = [threading.Thread(target=lambda n=n: found.update({n: normals.generate(1000, 1000 * n)})) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        whole = normals.generate(4000)
        self.assertTrue((numpy.concatenate([found[n] for n in range(4)], axis=1) == whole).all())


def bridge_of_numpy(times, order, factor, start, normals):
    """levy.h's recursion: normals and paths [step][dimension][path]."""
    paths, built = numpy.empty_like(normals), {0: numpy.asarray(start)[:, None] + numpy.zeros(normals.shape[2])}
    for point, z in zip(order, numpy.einsum("ij,sjp->sip", factor, normals)):
        left, right = max(one for one in built if one < point), min((one for one in built if one > point), default=None)
        t, low = times[point], times[left]
        if right is None:
            built[point] = built[left] + (t - low) ** 0.5 * z
        else:
            high = times[right]
            built[point] = (((high - t) * built[left] + (t - low) * built[right]) / (high - low)
                            + ((high - t) * (t - low) / (high - low)) ** 0.5 * z)
        paths[point - 1] = built[point]
    return paths


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Bridges(unittest.TestCase):
    TIMES = [0.5, 0.6, 1.0, 1.75, 2.0, 2.5, 4.0]
    FACTOR = [[0.2, 0.0, 0.0], [0.1, 0.3, 0.0], [-0.2, 0.1, 0.4]]
    START = [1.0, -2.0, 0.25]

    def test_a_recursion_in_numpy(self):
        times = numpy.array(self.TIMES)
        for order, (factor, start) in itertools.product(
                (None, [1, 2, 3, 4, 5, 6], [3, 1, 6, 2, 5, 4], numpy.array([6, 5, 4, 3, 2, 1])),
                ((None, None), (self.FACTOR, self.START), (numpy.array(self.FACTOR), None), ([[2.0]], [3.0]))):
            n = 1 if factor is None else len(factor)
            z = levy.Normals(n_dimensions=6 * n, seed=2).generate(333).reshape(6, n, 333)
            with self.subTest(order=order, n=n):
                built = levy.Bridge.order_first(6) if order is None else list(map(int, order))
                expected = bridge_of_numpy(times, built, numpy.eye(n) if factor is None else numpy.array(factor),
                                           numpy.zeros(n) if start is None else start, z)
                bridge = levy.Bridge(self.TIMES, order, factor, start)
                paths = bridge.generate(z)
                self.assertEqual((paths.shape, paths.dtype), ((6, n, 333), z.dtype))
                self.assertLess(abs(paths - expected).max(), 1e-13)
                made = levy.Bridge(times, order, factor, start, "increments").generate(z)
                before = numpy.concatenate([numpy.broadcast_to(numpy.reshape(start or [0.0] * n, (1, n, 1)), (1, n, 333)),
                                            expected[:-1]])
                self.assertLess(abs(made - (expected - before) / numpy.diff(times)[:, None, None]).max(), 1e-11)
                single = levy.Bridge(times, order, factor, start, precision="single").generate(z.astype("f4"))
                self.assertEqual(single.dtype, numpy.dtype("float32"))
                self.assertLess(abs(single - expected).max(), 1e-5)
                self.assertEqual((bridge.info.n_steps, bridge.info.n_dimensions, bridge.info.backend), (6, n, "cpu"))

    def test_shapes(self):
        z = levy.Normals(n_dimensions=18, seed=2).generate(50)
        bridge = levy.Bridge(self.TIMES, factor=self.FACTOR)
        paths = bridge.generate(z)  # steps and dimensions on one axis
        self.assertEqual(paths.shape, (6, 3, 50))
        self.assertTrue((bridge.generate(z.reshape(6, 3, 50)) == paths).all())
        flat = numpy.empty((18, 50))
        self.assertIs(bridge.generate(z, out=flat), flat)
        self.assertTrue((flat.reshape(6, 3, 50) == paths).all())
        one = levy.Bridge(self.TIMES)
        self.assertEqual([one.generate(z[:6]).shape, one.generate(z[:6].reshape(6, 1, 50)).shape], [(6, 50), (6, 1, 50)])
        self.assertEqual(one.generate(z[:6, :0]).shape, (6, 0))
        self.assertTrue((levy.Bridge([0, 4]).generate(z[:1]) == 2 * z[:1]).all())
        self.assertTrue((levy.Bridge([0, 4], n_dimensions=18).generate(z)[0] == 2 * z).all())

    def test_rows_may_lie_apart(self):
        z = levy.Normals(n_dimensions=18, seed=2).generate(64)
        bridge = levy.Bridge(self.TIMES, factor=self.FACTOR)
        whole = bridge.generate(z)
        part = bridge.generate(z[:, 8:24])
        self.assertTrue((part == whole[..., 8:24]).all())
        self.assertEqual(part.strides, (3 * 512, 512, 8))
        wide = numpy.full((6, 3, 64), -1.0)
        bridge.generate(z[:, 8:24], out=wide[..., 40:56])
        self.assertTrue((wide[..., 40:56] == part).all() and (wide[..., :40] == -1.0).all() and (wide[..., 56:] == -1.0).all())
        z.flags.writeable = False
        self.assertTrue((bridge.generate(z) == whole).all())

    def test_arrays_that_do_not_fit(self):
        bridge, z = levy.Bridge(self.TIMES, factor=self.FACTOR), numpy.zeros((6, 3, 8))
        both = numpy.zeros((12, 3, 8))
        for normals, out, kind, text in (
                (z.tolist(), None, TypeError, "normals is a list"),
                (z.astype("f4"), None, TypeError, "normals is an array of float32; it must be one of float64"),
                (z[:5], None, ValueError, r"normals has the shape \(5, 3, 8\); \[step\]\[dimension\]\[path\] is \(6, 3, paths\), or "
                                          r"with one axis for steps and dimensions \(18, paths\)"),
                (z[:, 0], None, ValueError, r"\(6, 8\)"), (z[..., ::2], None, ValueError, "the last axis must be contiguous"),
                (numpy.array(0.0), None, ValueError, r"\(\)"),
                (numpy.zeros((6, 4, 8))[:, :3], None, ValueError, "the rows of normals are not evenly spaced"),
                (z, numpy.zeros((6, 3, 7)), ValueError, r"out has the shape \(6, 3, 7\)"),
                (z, numpy.zeros((6, 3, 8), "f4"), TypeError, "out is an array of float32"),
                (z, numpy.zeros((6, 3, 9))[..., :8], ValueError, "the rows of out are 9 numbers apart, those of normals 8"),
                (z, z, ValueError, "normals and out overlap"), (both[1:7], both[4:10], ValueError, "overlap")):
            with self.assertRaisesRegex(kind, text):
                bridge.generate(normals, out)
        bridge.generate(both[:6], both[6:])

    def test_arguments(self):
        for arguments, kind, text in (
                ({"times": []}, levy.ArgumentError, "n_steps"), ({"times": [1.0]}, levy.ArgumentError, "n_steps.* is 0"),
                ({"times": [0, 2, 1]}, levy.ArgumentError, "times must ascend"), ({"order": [1, 1, 3]}, levy.ArgumentError, "is point 1 again"),
                ({"order": [1, 2]}, ValueError, "order has 2 points, and times give 3 steps"),
                ({"factor": [[1, 0], [0]]}, ValueError, "factor has 2 rows, and not all of them have 2 numbers"),
                ({"factor": [[1.0]], "start": [0, 0]}, ValueError, "differ: 1 by factor, 2 by start"),
                ({"start": []}, ValueError, "start gives no dimension"),
                ({"n_dimensions": 65}, levy.ArgumentError, "is 65; a bridge has 1 to 64"),
                ({"output": "path"}, ValueError, "did you mean 'paths'?"),
                ({"device": "gpu"}, levy.ArgumentError, "'gpu' is not a device")):
            with self.assertRaisesRegex(kind, text):
                levy.Bridge(**{"times": [0, 1, 2, 3], **arguments})
        self.assertEqual(levy.Bridge.order_first(4), [4, 2, 1, 3])
        self.assertEqual(levy.Bridge.order_first(4, [3]), [3, 4, 1, 2])
        for points in ([5], [0], [1, 1]):
            with self.assertRaisesRegex(ValueError, "points must lie in 1 to 4, each once"):
                levy.Bridge.order_first(4, points)
        with self.assertRaisesRegex(ValueError, "a bridge has 1 to 1,048,576 steps"):
            levy.Bridge.order_first(0)
        self.assertEqual(levy.Bridge([0, 1, 2, 3]).explain().count("\n"), 3)


# ---- GPU arrays, made up ---------------------------------------------------------------------------


class Places(unittest.TestCase):
    """What on_gpu makes of arrays, without a GPU."""

    def place(self, array, kind="float64", write=True, ordinal=0, stream=0):
        return _memory.on_gpu("out", array, kind, write, ordinal, stream)

    def test_interfaces(self):
        memory = self.place(Interface((2, 3)))
        self.assertEqual((memory.address, memory.shape, memory.strides, memory.row_stride()), (4096, (2, 3), (24, 8), 3))
        self.assertEqual(self.place(Interface((2, 3), strides=(80, 8))).row_stride(), 10)
        self.assertEqual(self.place(Interface((2, 2, 3), "<f4", strides=(40, 20, 4)), "float32").row_stride(), 5)
        self.assertEqual(self.place(Interface((2, 3), "<u4"), "uint32").row_stride(), 3)
        self.place(Interface((2, 3), read_only=True), write=False)
        self.place(Placed((2, 3)))
        for array, kind, text in (
                (Interface((2, 3), "<f4"), TypeError, "out is an array of float32; it must be one of float64"),
                (Interface((2, 3), ">f8"), TypeError, ">f8"), (Interface((2, 3), "<V2"), TypeError, "<V2"),
                (Interface((2, 3), read_only=True), ValueError, "out is read-only"),
                (Interface((2, 3), mask=object()), TypeError, "mask"),
                (object(), TypeError, "out is a object; on a GPU it must be an array with __cuda_array_interface__ or DLPack")):
            with self.assertRaisesRegex(kind, text):
                self.place(array)
        with self.assertRaisesRegex(ValueError, "out lies on cuda:0; it must lie on cuda:1"):
            self.place(Placed((2, 3)), ordinal=1)
        with self.assertRaisesRegex(ValueError, "begin at a multiple of 8"):
            self.place(Interface((2, 3), address=4100)).row_stride()
        with self.assertRaisesRegex(ValueError, "last axis must be contiguous"):
            self.place(Interface((2, 3), strides=(8, 16))).row_stride()

    def test_dlpack(self):
        for flags in (None, 0):
            array = Lent((2, 3), flags=flags)
            memory = self.place(array)
            self.assertEqual((memory.address, memory.shape, memory.strides), (4096 + 64, (2, 3), (24, 8)))
            self.assertEqual(self.place(Lent((2, 3), strides=(10, 1), flags=flags)).row_stride(), 10)
            self.place(array, stream=77)
            self.assertEqual(array.asked, [1, 77])
            self.assertEqual(self.place(Lent((2, 3), 1, 32, flags=flags), "uint32").shape, (2, 3))
        self.place(Lent((2, 3), flags=1), write=False)
        for array, kind, text in (
                (Lent((2, 3), flags=1), ValueError, "read-only"), (Lent((2, 3), flags=2), ValueError, "read-only"),
                (Lent((2, 3), flags=0, major=2), TypeError, "DLPack 2.0"),
                (Lent((2, 3), bits=32), TypeError, "an array of float32"), (Lent((2, 3), code=4, bits=16), TypeError, "bfloat16"),
                (Lent((2, 3), lanes=2), TypeError, "vectors of 2"), (Lent((2, 3), code=99), TypeError, "kind 99"),
                (Lent((2, 3), place=(2, 3)), ValueError, "out lies on cuda:3; it must lie on cuda:0"),
                (Lent((2, 3), place=(10, 0)), TypeError, "kind 10"), (Lent((2, 3), place=(1, 0)), TypeError, "machine's memory")):
            with self.assertRaisesRegex(kind, text):
                self.place(array)
        for kind in (Lent, Interface):
            jax = type("Array", (kind,), {"__module__": "jaxlib._jax"})((2, 3))
            self.place(jax, write=False)
            with self.assertRaisesRegex(ValueError, "read-only"):
                self.place(jax)

    @unittest.skipIf(numpy is None, "NumPy is not installed")
    def test_arrays_of_the_machine_are_refused(self):
        with self.assertRaisesRegex(TypeError, "out lies in the machine's memory; it must lie on cuda:0"):
            self.place(numpy.zeros((2, 3)))
        lent = mock.Mock(spec=["__dlpack__", "__dlpack_device__"])  # says GPU, and gives NumPy's own capsule
        lent.__dlpack_device__ = lambda: (2, 0)
        lent.__dlpack__ = lambda **_: numpy.zeros((2, 3)).__dlpack__()
        with self.assertRaisesRegex(TypeError, "no GPU's"):
            self.place(lent)

    def test_streams(self):
        torch, cupy = mock.Mock(spec=["cuda_stream"], cuda_stream=5), mock.Mock(spec=["ptr"], ptr=6)
        array, other = Interface((2, 3), stream=7), Interface((2, 3), stream=8)
        for stream, arrays, expected in (
                (None, (Interface((2, 3)),), 0), (0, (array,), 0), (3, (array, other), 3), (torch, (), 5), (cupy, (), 6),
                (None, (array,), 7), (None, (Interface((2, 3)), array, array), 7), (None, (object(), None), 0)):
            self.assertEqual(_memory.stream_of(stream, *arrays), expected)
        with self.assertRaisesRegex(ValueError, "different streams"):
            _memory.stream_of(None, array, other)
        with self.assertRaisesRegex(TypeError, "stream is a str; it must be an int, or a stream of CuPy or PyTorch"):
            _memory.stream_of("default", array)
        with self.assertRaisesRegex(ValueError, "no handle"):
            _memory.stream_of(-1)

    def test_no_gpu_is_the_librarys_error(self):
        for make in (lambda: levy.Normals(n_dimensions=2, device="cuda:99"), lambda: levy.Bridge([0, 1], device="cuda:99")):
            with self.assertRaises(levy.Error) as caught:
                make()
            self.assertEqual([one.path for one in caught.exception.diagnostics], ["device"])


class Device(WholeWay, unittest.TestCase):
    def check(self):
        normals = levy.Normals(n_dimensions=2, device="cuda", kernel_cache=False)
        self.assertEqual((normals.info.backend, normals._gpu), ("cuda", 0))
        with self.assertRaisesRegex(TypeError, r"pass an array of CuPy or PyTorch to fill, \(2, 30\) of float64"):
            normals.generate(30)
        with self.calls("levy_normals_generate") as made:
            for out, stream, stride, on in ((Interface((2, 30)), None, 30, 0), (Placed((2, 30), stream=9), None, 30, 9),
                                            (Interface((2, 30), strides=(320, 8)), 5, 40, 5),
                                            (Lent((2, 30), offset=0), 6, 30, 6)):
                self.assertIs(normals.generate(30, 12, out, stream), out)
                self.assertEqual(made.call_args[0][1:], (12, 30, 4096, stride, on))
            self.assertEqual(out.asked, [6])
            for out in (Interface((2, 29)), Interface((2, 30), "<f4"), Interface((2, 30), read_only=True), [0.0], b""):
                with self.assertRaises((TypeError, ValueError)):
                    normals.generate(30, out=out)
            self.assertEqual(made.call_count, 4)
        with self.calls("levy_normals_generate") as made:
            made.return_value = -3
            with self.assertRaises(levy.Error):
                normals.generate(30, out=Interface((2, 30)))
        bridge = levy.Bridge([0, 1, 2], n_dimensions=2, device="cuda:0", kernel_cache=False)
        with self.assertRaisesRegex(TypeError, r"\(2, 2, paths\) of float64"):
            bridge.generate(Interface((2, 2, 5)))
        with self.calls("levy_bridge_generate") as made:
            normals, out = Interface((2, 2, 5), read_only=True, stream=9), Interface((4, 5), address=8192)
            self.assertIs(bridge.generate(normals, out), out)
            self.assertEqual(made.call_args[0][1:], (4096, 8192, 5, 5, 9))
            bridge.generate(Lent((4, 5), flags=1, offset=0), out, 3)
            self.assertEqual(made.call_args[0][1:], (4096, 8192, 5, 5, 3))
            for bad in (Interface((4, 5)), Interface((4, 5), address=8192, stream=10), Interface((4, 5), "<f4", 8192)):
                with self.assertRaises((TypeError, ValueError)):
                    bridge.generate(normals, bad)


class WithoutNumpy(unittest.TestCase):
    def test_numpy_is_asked_for_where_it_is_needed(self):
        code = ("import sys; sys.modules['numpy'] = None\n"
                "import levy; normals, bridge = levy.Normals(n_dimensions=2), levy.Bridge([0, 1])\n"
                "print(normals.info.count, bridge.info.n_steps, levy.Bridge.order_first(2))\n"
                "for work in (lambda: normals.generate(2), lambda: bridge.generate([[0.0]])):\n"
                "    try: work()\n"
                "    except ImportError as error: print(error)\n")
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        lines = run.stdout.splitlines()
        self.assertEqual((lines[0], run.stderr), ("2 1 [2, 1]", ""))
        self.assertIn("Normals.generate() on the CPU needs NumPy, which is not installed (pip install numpy)", lines[1])
        self.assertIn("needs NumPy", lines[2])


if __name__ == "__main__":
    unittest.main()
