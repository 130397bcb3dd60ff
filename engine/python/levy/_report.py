"""What studies and fits have in common: a mapping with the keys of their JSON, which is one of their reports."""

import os
from typing import Any, Dict, Iterator, Mapping, Tuple, Union


class Report(Mapping[str, Any]):
    _formats: Tuple[str, ...]
    _data: Dict[str, Any]

    def __getitem__(self, key: str) -> Any:
        return self._data[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._data)

    def __len__(self) -> int:
        return len(self._data)

    def text(self, format: str = "table") -> str:
        raise NotImplementedError

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the report that the file's ending names, a format of `text`, else the table."""
        ending = os.path.splitext(os.fspath(path))[1].lstrip(".").lower()
        text = self.text(ending if ending in self._formats else "table")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)

    def __str__(self) -> str:
        return self.text()
