"""What engine/python/README.md shows at Python's prompt is what is printed. A block that needs a package (```python numpy) is left out where
that is not installed. Run by tests/test_python.sh."""

import doctest
import importlib.util
import os
import pathlib
import re
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```python([a-z ]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Readme(unittest.TestCase):
    def test_examples(self):
        text = (ROOT / "engine" / "python" / "README.md").read_text(encoding="utf-8")
        parser, names, ran = doctest.DocTestParser(), {}, 0
        runner = doctest.DocTestRunner(verbose=False)
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(ROOT / "configs", pathlib.Path(folder) / "configs")
            os.chdir(folder)
            try:
                for block in BLOCK.finditer(text):
                    missing = [name for name in block[1].split() if importlib.util.find_spec(name) is None]
                    if missing:
                        continue
                    line = text.count("\n", 0, block.start(2))
                    block_test = parser.get_doctest(block[2], names, "README.md", "README.md", line)
                    runner.run(block_test, clear_globs=False)
                    names, ran = block_test.globs, ran + 1
            finally:
                os.chdir(before)
        failed, tried = runner.summarize(verbose=False)
        self.assertEqual(failed, 0)
        self.assertGreaterEqual((ran, tried), (9, 20))


if __name__ == "__main__":
    unittest.main()
