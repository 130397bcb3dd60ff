"""The Python blocks of documents, run in order with one set of names a page: examples after >>> by doctest, the rest as it is.
A block after <!-- not run: REASON --> is left out, a text behind a block is what it prints. Arguments: pages. The current
folder has a copy of configs/."""

import contextlib
import doctest
import io
import re
import sys


def blocks(path):
    """(line, language, text, not run) of each fenced block."""
    with open(path, encoding="utf-8") as page:
        lines = page.read().split("\n")
    at = 0
    while at < len(lines):
        if not lines[at].startswith("```"):
            at += 1
            continue
        end = lines.index("```", at + 1)
        before = next((line for line in reversed(lines[:at]) if line), "")
        yield at + 1, lines[at][3:], "\n".join(lines[at + 1 : end]) + "\n", before.startswith("<!-- not run")
        at = end + 1


class Checker(doctest.OutputChecker):
    """NumPy 2 shows np.float64(0.5) where NumPy 1 shows 0.5."""

    def check_output(self, want, got, optionflags):
        plain = [re.sub(r"np\.\w+\(([^()]*)\)", r"\1", text) for text in (want, got)]
        return super().check_output(plain[0], plain[1], optionflags)


def main(pages):
    failures = ran = 0
    runner = doctest.DocTestRunner(Checker(), optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    for path in pages:
        names, printed = {"__name__": "__page__"}, None
        for line, language, text, skipped in blocks(path):
            if skipped:
                continue
            if language == "" and ">>> " in text:
                examples = text[text.index(">>> ") :]
                test = doctest.DocTestParser().get_doctest(examples, names, path, path, line)
                failures += runner.run(test, clear_globs=False).failed
                names = test.globs
                ran += len(test.examples)
            elif language == "python":
                out = io.StringIO()
                with contextlib.redirect_stdout(out):
                    exec(compile(text, f"{path}:{line}", "exec"), names)
                printed = out.getvalue()
                ran += 1
            elif language == "text" and printed is not None:
                if printed != text:
                    print(f"{path}:{line}: the block before prints\n{printed}")
                    failures += 1
            if language != "python":
                printed = None
    print(f"{ran} examples in Python ran")
    return 1 if failures else 0


sys.exit(main(sys.argv[1:]))
