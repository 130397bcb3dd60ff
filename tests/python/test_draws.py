"""draw_each of the Python package: items against exact sums and Philox written down again here, what is refused, and GPU arrays
of made-up classes over a driver that is none (tests/fake_module.c).

Run by tests/test_python.sh.
"""

import subprocess
import sys
import threading
import unittest
from unittest import mock

import levy
from levy._library import library, STRUCTURES
from made_up import halves, Interface, Lent, philox, Placed, WholeWay

try:
    import numpy
except ImportError:
    numpy = None



def word(seed, path, draw):
    """Word draw mod 4 of Philox's counter (draw / 4, path) under the seed."""
    return philox(seed, (*halves(draw // 4), *halves(path)))[draw % 4]


@unittest.skipIf(numpy is None, "NumPy is not installed")
class Draws(unittest.TestCase):
    def setUp(self):
        """Whole numbers, whose sums are exact in either precision and any order."""
        made = numpy.random.default_rng(5)
        self.theta = made.integers(0, 4, (200, 70)).astype(float)
        self.theta[:, 3] += 1
        self.phi = made.integers(1, 4, (3, 70)).astype(float)
        self.states = made.integers(0, 3, 200).astype("uint32")
        self.words = made.integers(0, 2**32, (200, 5), dtype="uint64").astype("uint32")

    def expected(self, words):
        """The first item whose sum to its end is above the target."""
        found = numpy.empty(words.shape, "uint32")
        for p in range(len(words)):
            sums = numpy.cumsum(self.theta[p] * self.phi[self.states[p]])
            found[p] = numpy.searchsorted(sums, words[p] / 2**32 * sums[-1], side="right")
        return found

    def test_given_words(self):
        wanted = self.expected(self.words)
        found = levy.draw_each(self.theta, self.phi, states=self.states, draws=5, words=self.words, threads=2)
        self.assertEqual((found.dtype, found.shape), (numpy.dtype("uint32"), (200, 5)))
        self.assertEqual(found.tolist(), wanted.tolist())
        one = levy.draw_each(self.theta, self.phi, states=self.states, words=self.words[:, 0].copy())
        self.assertEqual((one.shape, one.tolist()), ((200,), wanted[:, 0].tolist()))

    def test_made_words_and_splits(self):
        seed, path, draw = 2**63 + 5, 2**33 - 50, 2**35 - 2
        words = numpy.array([[word(seed, path + p, draw + d) for d in range(5)] for p in range(200)], "uint32")
        more = {"seed": seed, "first_path": path, "first_draw": draw}
        found = levy.draw_each(self.theta, self.phi, states=self.states, draws=5, **more)
        self.assertEqual(found.tolist(), self.expected(words).tolist())
        part = levy.draw_each(self.theta[50:], self.phi, states=self.states[50:], draws=3, seed=seed, first_path=path + 50,
                              first_draw=draw + 2)
        self.assertEqual(part.tolist(), found[50:, 2:].tolist())

    def test_precision_strides_and_out(self):
        wide, single = numpy.full((200, 80), numpy.nan), self.theta.astype("f4")
        wide[:, :70] = self.theta
        wanted = levy.draw_each(self.theta, self.phi, seed=3, draws=4)
        out = numpy.zeros((300, 4), "uint32")
        self.assertIs(levy.draw_each(wide[:, :70], self.phi, seed=3, draws=4, out=out[:200]).base, out)
        self.assertEqual(out[:200].tolist(), wanted.tolist())
        self.assertEqual(out[200:].any(), False)
        words = self.words >> 8 << 8  # what single precision sees of a word
        given = {"draws": 5, "words": words, "states": self.states}
        self.assertEqual(levy.draw_each(single, self.phi.astype("f4"), **given).tolist(),
                         levy.draw_each(self.theta, self.phi, **given).tolist())

    def test_faults(self):
        self.theta[[17, 150]] = 0
        with self.assertRaisesRegex(levy.ArgumentError, "path 17: all its weights are 0"):
            levy.draw_each(self.theta, self.phi)
        fault = numpy.full(1, 2**64 - 1, "uint64")
        found = levy.draw_each(self.theta, self.phi, check=False, fault=fault, first_path=1000, draws=2)
        self.assertEqual((fault.tolist(), found[17].tolist()), ([1017], [0, 0]))
        self.theta[17, 5] = float("nan")
        with self.assertRaisesRegex(levy.ArgumentError, r"theta\[17\]\[5\] is not a number"):
            levy.draw_each(self.theta, self.phi)

    def test_arguments(self):
        frozen = numpy.zeros(200, "uint32")
        frozen.flags.writeable = False
        for more, kind, text in (
                ({"phi": self.phi.astype("f4")}, TypeError, "phi is an array of float32; it must be one of float64"),
                ({"theta": self.theta.astype(int)}, TypeError, "theta is an array of int64; it must be one of float64 or float32"),
                ({"theta": self.theta.tolist()}, TypeError, "theta is a list"),
                ({"theta": self.theta[0]}, ValueError, "it must have two axes"),
                ({"phi": self.phi[:, :69]}, ValueError, r"phi has the shape \(3, 69\); it must be \(n, 70\)"),
                ({"theta": self.theta[:, ::2]}, ValueError, "must be contiguous"),
                ({"states": self.states[1:]}, ValueError, r"states has the shape \(199,\); it must be \(200,\)"),
                ({"states": self.states.astype("i4")}, TypeError, "states is an array of int32"),
                ({"words": self.words[:, 0]}, ValueError, "must be contiguous"),
                ({"words": self.words[:, :3], "draws": 3}, ValueError, "words has gaps"),
                ({"fault": numpy.zeros(2, "uint64")}, ValueError, "fault has the shape"),
                ({"out": frozen}, ValueError, "out is read-only"), ({"draws": -1}, ValueError, "draws is -1"),
                ({"seed": 2**64}, ValueError, "seed is"), ({"device": "auto"}, ValueError, "device: 'auto' is unknown"),
                ({"theta": numpy.ones((2, 8193)), "phi": numpy.ones((1, 8193))}, levy.ArgumentError, "1 to 8192 items"),
                ({"states": self.states + 2}, levy.ArgumentError, "there is no such state")):
            with self.assertRaisesRegex(kind, text):
                levy.draw_each(**{"theta": self.theta, "phi": self.phi, **more})
        self.assertEqual(levy.draw_each(self.theta[:0], self.phi).shape, (0,))
        self.assertEqual(levy.draw_each(self.theta, self.phi, draws=0).shape, (200, 0))

    def test_threads_have_contexts_of_their_own(self):
        wanted, found = levy.draw_each(self.theta, self.phi, seed=1).tolist(), {}
        threads = [threading.Thread(target=lambda n=n: found.update({n: levy.draw_each(self.theta, self.phi, seed=1).tolist()}))
                   for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([found[n] for n in range(4)], 4 * [wanted])


class Device(WholeWay, unittest.TestCase):
    def check(self):
        theta, phi = Interface((100, 40), address=4096, stream=9), Interface((2, 40), "<f8", address=8192)
        seen = []

        def note(context, spec, items, stream):
            given = spec._obj
            seen.append({name: getattr(given, name) for name, _ in STRUCTURES["levy_draw_spec"]._fields_} | {"items": items, "on": stream})
            return 0

        with mock.patch.object(library, "levy_draw_each", note):
            out = Interface((100, 3), "<u4", address=16384)
            self.assertIs(levy.draw_each(theta, phi, draws=3, out=out, seed=5), out)
            one = seen.pop()
            self.assertEqual((one["theta"], one["phi"], one["items"], one["on"], one["device"], one["check"], one["n_draws"],
                              one["words"], one["n_states"], one["precision"]),
                             (4096, 8192, 16384, 9, b"cuda:0", 0, 3, None, 2, 0))
            fault = Interface((1,), "<u8", address=32768)
            levy.draw_each(Placed((100, 40), "<f4", strides=(256, 4)), Placed((2, 40), "<f4"), words=Placed((100,), "<u4"),
                           fault=fault, out=Lent((100,), 1, 32, offset=0), stream=6)
            one = seen.pop()
            self.assertEqual((one["theta_stride"], one["precision"], one["fault"], one["words"], one["on"]), (64, 1, 32768, 4096, 6))
            for more, kind, text in (({"out": None}, TypeError, "pass an array of CuPy or PyTorch"),
                                     ({"out": Interface((99,), "<u4")}, ValueError, "out has the shape"),
                                     ({"out": Interface((100,), "<i4")}, TypeError, "out is an array of int32"),
                                     ({"device": "cuda:1", "theta": Placed((100, 40))}, ValueError, "lies on cuda:0")):
                with self.assertRaisesRegex(kind, text):
                    levy.draw_each(**{"theta": theta, "phi": phi, "out": Interface((100,), "<u4"), **more})
            self.assertEqual(seen, [])
        # the launch itself, and what only the library refuses
        context = levy.Context()
        levy.draw_each(theta, phi, out=Interface((100,), "<u4", address=65536), kernel_cache=False, context=context)
        with self.assertRaisesRegex(levy.Error, "checks no weights"):
            levy.draw_each(theta, phi, out=Interface((100,), "<u4", address=65536), check=True, kernel_cache=False, context=context)


class WithoutNumpy(unittest.TestCase):
    def test_numpy_is_asked_for_where_it_is_needed(self):
        code = ("import sys; sys.modules['numpy'] = None\n"
                "import levy\n"
                "try: levy.draw_each([[1.0]], [[1.0]])\n"
                "except ImportError as error: print(error)\n")
        run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        self.assertIn("on the CPU needs NumPy", run.stdout)


if __name__ == "__main__":
    unittest.main()
