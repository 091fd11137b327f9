"""How the programs are found, and the errors if they are not."""

from __future__ import annotations

import importlib
import pathlib
import pkgutil
import subprocess
import sys

import pytest

import sunder
from sunder import programs


def program(folder: pathlib.Path, text: str) -> pathlib.Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "sunder-cli"
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def test_sunder_home_comes_first(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = program(tmp_path / "home" / "bin", "true")
    program(tmp_path / "path", "true")
    monkeypatch.setenv("SUNDER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    assert programs.find("sunder-cli") == inside


def test_path_comes_before_the_build_tree(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there = program(tmp_path, "true")
    monkeypatch.delenv("SUNDER_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert programs.find("sunder-cli") == there


def test_missing_program_is_told_with_what_to_do(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SUNDER_HOME", str(tmp_path))
    with pytest.raises(sunder.SunderError, match="SUNDER_HOME.*install the wheel"):
        programs.run("info", "x.pt2")


def test_error_of_the_program_is_raised_with_its_place(tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="nowhere.pt2") as error:
        programs.run("info", tmp_path / "nowhere.pt2")
    assert error.value.code == "io"
    assert error.value.where["file"].endswith("nowhere.pt2")


def test_what_dies_without_a_word_is_an_error(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path, "echo broken >&2; exit 3")
    monkeypatch.setenv("SUNDER_HOME", str(tmp_path))
    with pytest.raises(sunder.SunderError, match="broken"):
        programs.run("info", "x.pt2")


def test_commands_that_pip_installs_are_not_the_program(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "venv", "# from sunder.__main__ import command_line")
    there = program(tmp_path / "path", "true")
    monkeypatch.delenv("SUNDER_HOME", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'venv'}:{tmp_path / 'path'}")
    assert programs.find("sunder-cli") == there


def test_the_window_starts_as_a_module_without_pytorch(tmp_path: pathlib.Path) -> None:
    window = program(tmp_path, 'printf "%s|" "$@" "$VIRTUAL_ENV"')
    window.rename(tmp_path / "sunder")
    (tmp_path / "torch.py").write_text("raise ImportError('imported')", encoding="utf-8")
    package = str(pathlib.Path(sunder.__file__).parents[1])
    environment = {"SUNDER_HOME": str(tmp_path), "PYTHONPATH": f"{tmp_path}:{package}"}
    said = subprocess.run([sys.executable, "-m", "sunder", "a model.pt2"], env=environment, capture_output=True, text=True)
    here = sys.prefix if sys.prefix != sys.base_prefix else ""
    assert (said.stdout, said.stderr, said.returncode) == (f"a model.pt2|{here}|", "", 0)
    environment["SUNDER_HOME"] = str(tmp_path / "nowhere")
    said = subprocess.run([sys.executable, "-m", "sunder"], env=environment, capture_output=True, text=True)
    assert said.returncode == 1 and said.stderr.startswith("sunder: SUNDER_HOME is") and said.stderr.count("\n") == 1


def test_each_module_can_be_imported_first(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [module.name for module in pkgutil.walk_packages(sunder.__path__, "sunder.") if not module.name.endswith("__main__")]
    assert "sunder.witness" in names
    for name in names:
        for other in [other for other in sys.modules if other.split(".")[0] == "sunder"]:
            monkeypatch.delitem(sys.modules, other)
        importlib.import_module(name)
    again = importlib.import_module("sunder")
    assert callable(again.split) and set(again.__all__) <= set(dir(again))
    with pytest.raises(AttributeError, match="no attribute 'rend'"):
        again.rend
