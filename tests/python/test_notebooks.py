"""The notebooks of configs/notebooks: each cell runs, and what it ends with shows itself, as the outputs that they keep. Here one
cell after the other, without Jupyter; where nbclient and a kernel are installed, by them too. Run by tests/test_python.sh.
`test_notebooks.py update` makes the outputs anew; it needs pandas."""

import ast
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "configs" / "notebooks").glob("*.ipynb"))
LOOKS = {"_repr_html_": "text/html", "_repr_svg_": "image/svg+xml", "__repr__": "text/plain"}
# What is a machine's: its name, its times.
OWN = ((r"on cpu: [^\n<]*", "on cpu"), (r"cpu \([^)<]*\)", "cpu"), (r"\b[\d.]+ (ms|s)\b", "TIME"))


def read(path):
    return json.loads(path.read_text(encoding="utf-8"))


def run(source, names, where):
    """Runs a cell. Returns what its last expression is, or None."""
    tree = ast.parse(source, where)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, where, "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), where, "eval"), names)


def shown(value):
    """What a notebook would show for a value: texts by their kind."""
    found = {kind: getattr(value, look)() for look, kind in LOOKS.items() if not isinstance(value, type) and hasattr(value, look)}
    return {kind: text for kind, text in found.items() if text is not None}


def outputs(printed, value, number):
    """The outputs of a cell, as the file of a notebook has them."""
    made = [{"output_type": "stream", "name": "stdout", "text": printed.splitlines(True)}] if printed else []
    if value is not None:
        data = {kind: text.splitlines(True) for kind, text in shown(value).items()}
        made.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": data})
    return made


def said(made):
    """What is the same on every machine: what is printed, and levy's own lines."""
    texts = []
    for output in made:
        text = "".join(output.get("text", output.get("data", {}).get("text/plain", [])))
        if output["output_type"] == "stream" or text.startswith("<levy"):
            for own, word in OWN:
                text = re.sub(own, word, text)
            texts.append(text)
    return texts


def cells(path):
    """Runs a notebook: (cell, its outputs now), one after the other."""
    names, number = {"__name__": "__main__"}, 0
    with folder(path.parent):
        for cell in read(path)["cells"]:
            if cell["cell_type"] != "code":
                continue
            printed, number = io.StringIO(), number + 1
            with contextlib.redirect_stdout(printed):
                value = run("".join(cell["source"]), names, f"{path.name}, {cell['id']}")
            yield cell, outputs(printed.getvalue(), value, number)


def update():
    for path in NOTEBOOKS:
        book, made = read(path), {cell["id"]: now for cell, now in cells(path)}
        code = [cell for cell in book["cells"] if cell["cell_type"] == "code"]
        for number, cell in enumerate(code, 1):
            cell["execution_count"], cell["outputs"] = number, made[cell["id"]]
        path.write_text(json.dumps(book, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


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
                if cell["cell_type"] == "code":
                    self.assertIsNotNone(cell["execution_count"], f"{path.name}, {cell['id']}: no outputs are kept")

    def test_cells_run(self):
        os.environ.setdefault("MPLBACKEND", "Agg")
        whole = all(importlib.util.find_spec(name) for name in ("numpy", "pandas"))
        texts = {}
        for path in NOTEBOOKS:
            texts[path.stem] = ""
            for cell, now in cells(path):
                with self.subTest(notebook=path.name, cell=cell["id"]):
                    for output in now:
                        looks = ["".join(text) for text in output.get("data", {"stream": output.get("text")}).values()]
                        self.assertTrue(looks and all(looks), cell["id"])
                        texts[path.stem] += "\n".join(looks)
                    if whole or not any(word in "".join(cell["source"]) for word in ("numpy", "frame")):
                        self.assertEqual(said(now), said(cell["outputs"]), f"{path.name}, {cell['id']}: {__file__} update")
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
    if sys.argv[1:] == ["update"]:
        sys.exit(update())
    unittest.main()
