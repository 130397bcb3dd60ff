"""Sampler of the Python package: items against Philox and exact masses written down again here, counts, the inverse, what is
refused, and GPU arrays of made-up classes over a driver that is none (tests/fake_module.c).

Run by tests/test_python.sh.
"""

import array
import subprocess
import sys
import threading
import unittest

import levy
from levy._library import library
from made_up import halves, Interface, Lent, philox, Placed, WholeWay

try:
    import numpy
except ImportError:
    numpy = None



def words(seed, draw):
    """64 bits: the first two words of block `draw` under a key."""
    block = philox(seed, (*halves(draw), 0, 0))
    return block[0] << 32 | block[1]


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Sampler(unittest.TestCase):
    def test_items_follow_the_words(self):
        """Weights 1 and 7: rows of four units. Row 0 keeps one unit, at its start, and gives the others to item 1."""
        made = levy.Sampler([1, 7]).draw(400, seed=2**63 + 5, first=2**64 - 200)
        self.assertEqual((made.dtype, made.shape), (numpy.dtype("uint32"), (400,)))
        expected = [int(words(2**63 + 5, (2**64 - 200 + k) % 2**64) >> 61 > 0) for k in range(400)]
        self.assertEqual(made.tolist(), expected)

    def test_masses_and_splits(self):
        w = numpy.array([0.5, 0.0, 0.2, 0.3])
        sampler = levy.Sampler(w, threads=2)
        whole = sampler.draw(200000, seed=3, first=11)
        parts = [sampler.draw(n, 3, first) for first, n in ((11, 1), (12, 65000), (65012, 0), (65012, 134999))]
        self.assertEqual(numpy.concatenate(parts).tobytes(), whole.tobytes())
        counts = numpy.bincount(whole, minlength=4)
        self.assertEqual(counts[1], 0)
        self.assertLess(abs(counts / 200000 - w).max(), 0.005)
        made = sampler.counts(200000, seed=3, first=11)
        self.assertEqual((made.dtype, made.tolist()), (numpy.dtype("uint32"), counts.tolist()))
        self.assertIs(sampler.counts(200000, 3, 11, out=made), made)
        self.assertEqual(made.tolist(), (2 * counts).tolist())
        self.assertFalse((sampler.draw(100, seed=4) == sampler.draw(100, seed=3)).all())

    def test_weights_of_any_kind(self):
        values = [0.25, 0.5, 0.125, 3.0]
        expected = levy.Sampler(values).draw(1000).tolist()
        frozen = numpy.array(values)
        frozen.flags.writeable = False
        wide = numpy.zeros(8)
        wide[::2] = values
        for weights in (tuple(values), iter(values), array.array("d", values), frozen, wide[::2], frozen.astype("f4"),
                        frozen.astype(">f8"), memoryview(frozen)):
            self.assertEqual(levy.Sampler(weights).draw(1000).tolist(), expected)
        with self.assertRaises(TypeError):
            levy.Sampler(numpy.ones((2, 2)))

    def test_inverse(self):
        sampler = levy.Sampler([1.0, 0.0, 3.0, 4.0])
        u = numpy.array([0.0, 0.124, 0.125, 0.4999, 0.5, 0.9999])
        u.flags.writeable = False
        self.assertEqual(sampler.invert(u).tolist(), [0, 0, 2, 2, 3, 3])
        out = numpy.zeros(9, "uint32")
        self.assertEqual(sampler.invert(u[:3], out=out[2:5]).tolist(), [0, 0, 2])
        self.assertEqual(sampler.invert(numpy.empty(0)).shape, (0,))
        points = levy.Normals(n_dimensions=2, output="uniform").generate(4096)
        self.assertEqual(numpy.bincount(sampler.invert(points[1]), minlength=4).tolist(), [512, 0, 1536, 2048])
        for bad in (1.0, -1e-300, float("nan")):
            with self.assertRaisesRegex(ValueError, r"u has a number outside \[0, 1\)"):
                sampler.invert(numpy.array([0.5, bad]))
        both = numpy.zeros(10)
        with self.assertRaisesRegex(ValueError, "u and out overlap"):
            sampler.invert(both, out=both.view("uint32")[:10])
        sampler.invert(both[:5], out=both.view("uint32")[10:15])

    def test_arrays_that_do_not_fit(self):
        sampler, frozen = levy.Sampler([1.0, 2.0]), numpy.zeros(8, "uint32")
        frozen.flags.writeable = False
        for out, kind, text in (
                ([0] * 8, TypeError, "out is a list; on the CPU it must be a NumPy array of uint32"),
                (numpy.zeros(8, "int32"), TypeError, "out is an array of int32"),
                (numpy.zeros(7, "uint32"), ValueError, r"out has the shape \(7,\); it must be \(8,\)"),
                (numpy.zeros((2, 4), "uint32"), ValueError, r"it must be \(8,\)"),
                (numpy.zeros(16, "uint32")[::2], ValueError, "must be contiguous"), (frozen, ValueError, "out is read-only")):
            with self.assertRaisesRegex(kind, text):
                sampler.draw(8, out=out)
        with self.assertRaisesRegex(ValueError, r"out has the shape \(8,\); it must be \(2,\)"):
            sampler.counts(8, out=numpy.zeros(8, "uint32"))
        for u, kind in ((numpy.zeros(4, "f4"), TypeError), (numpy.zeros((2, 2)), ValueError), (numpy.zeros(8)[::2], ValueError)):
            with self.assertRaises(kind):
                sampler.invert(u)

    def test_arguments(self):
        for weights, kind, text in (([1, -2], levy.ArgumentError, r"weights\[1\] is -2"), ([], levy.ArgumentError, "0 weights"),
                                    ([0, 0], levy.ArgumentError, "all weights are 0"), (["x"], ValueError, "x"),
                                    (numpy.zeros(0), levy.ArgumentError, "0 weights"), (5, TypeError, "iterable")):
            with self.assertRaisesRegex(kind, text):
                levy.Sampler(weights)
        with self.assertRaisesRegex(levy.ArgumentError, "'gpu' is not a device"):
            levy.Sampler([1], device="gpu")
        built = levy.Sampler([1, 2], device="cpu").info.isa  # a build may leave others out
        sampler = levy.Sampler([1, 2], isa=built, threads=3)
        self.assertEqual((sampler.info.backend, sampler.info.isa, sampler.info.threads, sampler.info.count),
                         ("cpu", built, 3, 2))
        for arguments in ((-1,), (1, -1), (1, 2**64), (1, 0, 2**64), (1.5,)):
            for call in (sampler.draw, sampler.counts):
                with self.assertRaises((ValueError, TypeError)):
                    call(*arguments)
        self.assertEqual(sampler.draw(0).shape, (0,))
        self.assertEqual(sampler.counts(0).tolist(), [0, 0])

    def test_threads_share_a_sampler(self):
        sampler, found = levy.Sampler(range(1, 100), threads=2), {}
        threads = [threading.Thread(target=lambda n=n: found.update({n: sampler.draw(50000, 1, 50000 * n)})) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertTrue((numpy.concatenate([found[n] for n in range(4)]) == sampler.draw(200000, 1)).all())


class Device(WholeWay, unittest.TestCase):
    def check(self):
        sampler = levy.Sampler([1, 2, 3], device="cuda", kernel_cache=False)
        self.assertEqual((sampler.info.backend, sampler._gpu, sampler.info.draws_per_thread), ("cuda", 0, 4))
        with self.assertRaisesRegex(TypeError, r"pass an array of CuPy or PyTorch to fill, \(30,\) of uint32"):
            sampler.draw(30)
        with self.calls("levy_sampler_draw") as made:
            for out, stream, on in ((Interface((30,), "<u4"), None, 0), (Placed((30,), "<u4", stream=9), None, 9),
                                    (Lent((30,), 1, 32, offset=0), 6, 6)):
                self.assertIs(sampler.draw(30, 7, 12, out, stream), out)
                self.assertEqual(made.call_args[0][1:], (7, 12, 30, 4096, on))
            for out in (Interface((29,), "<u4"), Interface((30,)), Interface((30,), "<u4", read_only=True), [0]):
                with self.assertRaises((TypeError, ValueError)):
                    sampler.draw(30, out=out)
            self.assertEqual(made.call_count, 3)
        with self.calls("levy_sampler_counts") as made:
            sampler.counts(30, 7, 12, Interface((3,), "<u4"), 5)
            self.assertEqual(made.call_args[0][1:], (7, 12, 30, 4096, 5))
        with self.calls("levy_sampler_invert") as made:
            u, out = Interface((30,), read_only=True, stream=9), Interface((30,), "<u4", address=8192)
            self.assertIs(sampler.invert(u, out), out)
            self.assertEqual(made.call_args[0][1:], (4096, 30, 8192, 9))
            for bad in (None, Interface((29,), "<u4", address=8192), Interface((30,), "<u4", address=4100)):
                with self.assertRaises((TypeError, ValueError)):
                    sampler.invert(u, bad)
        with self.calls("levy_sampler_create") as made:
            made.return_value = -1
            for weights, device, on in ((Interface((5,), address=4096, stream=9), "cuda", 9), (Placed((5,)), "cuda:0", 0),
                                        (Lent((5,), offset=0), "cuda", 0)):
                with self.assertRaises(levy.ArgumentError):
                    levy.Sampler(weights, device=device)
                spec = made.call_args[0][1]._obj
                self.assertEqual((spec.weights, spec.count, spec.device, spec.weights_stream or 0, spec.weights_on_device),
                                 (4096, 5, b"cuda:0", on, 1))
            for weights, device, kind in ((Interface((5,)), "cpu", TypeError), (Interface((5,), "<f4"), "cuda", TypeError),
                                          (Interface((5, 2)), "cuda", ValueError), (Placed((5,)), "cuda:1", ValueError),
                                          (Interface((5,), strides=(16,)), "cuda", ValueError)):
                with self.assertRaises(kind):
                    levy.Sampler(weights, device=device)
            self.assertEqual(made.call_count, 3)
        # the launches themselves
        self.assertEqual(library.levy_sampler_draw(sampler._handle, 1, 2, 1000, 65540, None), 0)
        self.assertEqual(library.levy_sampler_invert(sampler._handle, 4096, 1000, 65540, None), 0)
        self.assertEqual(library.levy_sampler_counts(sampler._handle, 1, 2, 1000, 65540, None), 0)
        self.assertEqual(library.levy_sampler_draw(sampler._handle, 1, 2, 1000, 65541, None), -1)


class WithoutNumpy(unittest.TestCase):
    def test_numpy_is_asked_for_where_it_is_needed(self):
        code = ("import sys; sys.modules['numpy'] = None\n"
                "import levy; sampler = levy.Sampler([1, 2])\n"
                "for work in (lambda: sampler.draw(2), lambda: sampler.counts(2), lambda: sampler.invert([0.0])):\n"
                "    try: work()\n"
                "    except ImportError as error: print(error)\n")
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        lines = run.stdout.splitlines()
        self.assertEqual((len(lines), run.stderr), (3, ""))
        self.assertIn("Sampler.draw() on the CPU needs NumPy", lines[0])


if __name__ == "__main__":
    unittest.main()
