"""The notebooks of configs/notebooks: each cell runs, and what it ends with shows itself. Here one cell after the other, without
Jupyter; where nbclient and a kernel are installed, by them too. Run by tests/test_python.sh."""

import ast
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "configs" / "notebooks").glob("*.ipynb"))
LOOKS = ("_repr_html_", "_repr_svg_", "__repr__")


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def run(source, names, where):
    """Runs a cell. Returns what its last expression is, or None."""
    tree = ast.parse(source, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, where, "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), where, "eval"), names)


def shown(value):
    """The texts that a notebook would show for a value."""
    found = [getattr(value, look)() for look in LOOKS if not isinstance(value, type) and hasattr(value, look)]
    return [text for text in found if text is not None]


@contextlib.contextmanager
def folder(path):
    before = os.getcwd()
    os.chdir(path)
    try:
        yield
    finally:
        os.chdir(before)


class Notebooks(unittest.TestCase):
    def test_form(self):
        self.assertEqual([path.stem for path in NOTEBOOKS], ["desk", "quant", "researcher", "smile"])
        for path in NOTEBOOKS:
            book = read(path)
            self.assertEqual((book["nbformat"], book["metadata"]["kernelspec"]["name"]), (4, "python3"), path.name)
            self.assertEqual(len({cell["id"] for cell in book["cells"]}), len(book["cells"]))
            for cell in book["cells"]:
                if cell["cell_type"] == "code":  # no outputs are kept: they are a machine's
                    self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None), f"{path.name}, {cell['id']}")

    def test_cells_run(self):
        os.environ.setdefault("MPLBACKEND", "Agg")
        texts = {}
        for path in NOTEBOOKS:
            names, printed = {"__name__": "__main__"}, io.StringIO()
            with folder(path.parent), contextlib.redirect_stdout(printed):
                for cell in read(path)["cells"]:
                    if cell["cell_type"] != "code":
                        continue
                    with self.subTest(notebook=path.name, cell=cell["id"]):
                        value = run("".join(cell["source"]), names, f"{path.name}, {cell['id']}")
                        if value is not None:
                            looks = shown(value)
                            self.assertTrue(looks and all(looks), cell["id"])
                            printed.write("\n".join(looks))
            texts[path.stem] = printed.getvalue()
        for name, words in (("quant", ("levy.Book", "netted, 4 trades", "autocallable", "met: True", "crash")),
                            ("desk", ("200 trades", "EUR", "SPX +2 %", "must", "2 trades")),
                            ("researcher", ("<svg", "slope", "coverage")),
                            ("smile", ("54", "levy.Calibration: heston", "at its bound", "<svg", "delta_minimum_variance"))):
            for word in words:
                self.assertTrue(word in texts[name], f"{name} shows no '{word}'")

    @unittest.skipIf(any(importlib.util.find_spec(name) is None for name in ("nbclient", "nbformat", "ipykernel")),
                     "nbclient, nbformat and ipykernel are not all installed")
    def test_jupyter_runs_them(self):
        import nbclient
        import nbformat
        for path in NOTEBOOKS:
            with self.subTest(path.name):
                book = nbformat.read(path, as_version=4)
                nbformat.validate(book)
                done = nbclient.NotebookClient(book, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
                outputs = [output for cell in done.cells if cell.cell_type == "code" for output in cell.outputs]
                self.assertFalse([output for output in outputs if output.output_type == "error"])
                self.assertTrue(any("text/html" in output.get("data", {}) for output in outputs))


if __name__ == "__main__":
    unittest.main()
