"""Packages that are used where they are installed."""

import importlib
from typing import Any


def optional(name: str, what: str, instead: str) -> Any:
    """The module, or an ImportError that says what needs it and what does without."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        if error.name is not None and error.name.split(".")[0] != name:
            raise  # it is installed, and something of its own is missing
        title = {"numpy": "NumPy", "pandas": "pandas"}[name]
        raise ImportError(f"{what} needs {title}, which is not installed (pip install {name}); {instead} do without it",
                          name=name) from None
