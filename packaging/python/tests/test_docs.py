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
    script = ""  # each at its line of the page: torch.export reads the file that functions are in
    for example in examples:
        script += "\n" * (text.count("\n", 0, example.start()) + 1 - script.count("\n")) + example.group(1)
    path = tmp_path / "python_md.py"
    path.write_text(script, encoding="utf-8")
    exec(compile(script, str(path), "exec"), {"__name__": "example"})


def test_all_that_the_package_gives_is_on_the_page() -> None:
    import sunder

    text = PAGE.read_text(encoding="utf-8")
    for name in set(sunder.__all__) - {"__version__", "Picture"}:
        assert re.search(rf"`(sunder\.)?{name}\b", text), name
