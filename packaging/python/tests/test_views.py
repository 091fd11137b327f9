"""Parameters and buffers that are views into memory that others lie in, too."""

from __future__ import annotations

import json
import pathlib
import warnings
from typing import Any

import pytest
import torch

import sunder
from sunder import programs


class Inner(torch.nn.Module):
    """Rows, columns, a view that is not persistent, a part of a flat parameter, and a constant."""

    def __init__(self, base: torch.Tensor, flat: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("rows", base[1:3])
        self.register_buffer("columns", base[:, 2:])
        self.register_buffer("passing", base[2:], persistent=False)
        self.register_buffer("empty", base[3:3])
        self.weight = torch.nn.Parameter(flat[5:9])
        self.constant = base[1]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        sums = self.rows.sum(0) + self.columns.sum() + self.passing.sum(0) + self.empty.sum(0)
        return x * self.weight + sums + self.constant


class Views(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        base, flat = torch.randn(4, 4), torch.randn(20)
        self.register_buffer("base", base)
        self.inner = Inner(base, flat)
        self.first = torch.nn.Parameter(flat[:4])
        self.turned = torch.nn.Parameter(flat[8:16].view(2, 4).t())

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x) + self.base.sum(0) * self.first + self.turned.sum()


@pytest.fixture
def program() -> torch.export.ExportedProgram:
    return torch.export.export(Views(), (torch.ones(3, 4),))


def check_runs(module: torch.nn.Module, program: torch.export.ExportedProgram) -> None:
    x = torch.randn(3, 4)
    assert torch.equal(module(x), program.module()(x))
    state = program.state_dict
    assert module.state_dict().keys() == state.keys()
    assert all(torch.equal(tensor, state[name]) for name, tensor in module.state_dict().items())


@pytest.mark.parametrize("source", ["memory", "model.pt2", "model.fxj"])
def test_unflattened_views_run(source: str, program: torch.export.ExportedProgram, tmp_path: pathlib.Path) -> None:
    given: Any = program
    if source != "memory":
        given = tmp_path / source
        sunder.save(program, given)
    with warnings.catch_warnings():
        warnings.simplefilter("error", sunder.WithoutWeights)
        check_runs(sunder.unflatten(given), program)


def test_pieces_are_where_the_file_says(program: torch.export.ExportedProgram, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "hierarchy.fxj"
    sunder.save(program, tmp_path / "model.pt2")
    programs.run("unflatten", tmp_path / "model.pt2", "-o", path)
    check_runs(sunder.load(path), program)
    lines = [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]
    pieces = {line["id"].split(":")[1]: (line["copy"]["begin"], line["nbytes"]) for line in lines if "copy" in line}
    assert pieces["inner.weight"] == (20, 16)
    assert pieces["inner.columns"] == (8, 56)
    for pair in ((tmp_path / "model.pt2", path), (path, tmp_path / "model.pt2")):
        said = programs.run("verify", *pair)
        assert said["verdict"] == "same" and said["compared"]["basis"] == "contents"


def test_piece_beyond_its_record_is_refused(program: torch.export.ExportedProgram, tmp_path: pathlib.Path) -> None:
    path = tmp_path / "hierarchy.fxj"
    sunder.save(program, tmp_path / "model.pt2")
    programs.run("unflatten", tmp_path / "model.pt2", "-o", path)
    path.write_text(path.read_text(encoding="utf-8").replace('"begin":20', '"begin":2000'), encoding="utf-8")
    with pytest.raises(sunder.SunderError, match="16 bytes at 2000"):
        sunder.load(path)
