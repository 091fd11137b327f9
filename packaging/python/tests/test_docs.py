"""The examples of docs/python.md run, one after the other."""

from __future__ import annotations

import pathlib
import re

import pytest

PAGE = pathlib.Path(__file__).resolve().parents[3] / "docs" / "python.md"


def test_examples_run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    examples = list(re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S))
    assert len(examples) >= 6
    names: dict[str, object] = {"__name__": "example"}
    for example in examples:
        line = text.count("\n", 0, example.start()) + 2
        code = compile("\n" * (line - 1) + example.group(1), str(PAGE), "exec")
        exec(code, names)


def test_all_that_the_package_gives_is_on_the_page() -> None:
    import sunder

    text = PAGE.read_text(encoding="utf-8")
    for name in set(sunder.__all__) - {"__version__", "Picture"}:
        assert re.search(rf"`(sunder\.)?{name}\b", text), name
