"""Questions about models."""

from __future__ import annotations

import copy
import pathlib
import subprocess
import tempfile
import warnings

import pytest
import torch

import models
import sunder


def test_split_is_the_same_as_its_source(exported: models.Case) -> None:
    verdict = sunder.verify(exported.graph, sunder.split(exported.graph, models.halves(exported.graph.graph)))
    assert verdict, verdict.why
    assert verdict.verdict == "same"


def test_other_weights_are_another_model() -> None:
    module = models.traced("blocks").graph
    other = copy.deepcopy(module)
    assert sunder.verify(module, other)
    with torch.no_grad():
        other.get_parameter("blocks.1.linear.bias").add_(1)
    verdict = sunder.verify(module, other)
    assert not verdict
    assert "blocks.1.linear.bias" in verdict.why
    assert sunder.verify(module, other, weights=False)


def turned(module: torch.nn.Module) -> torch.nn.Module:
    """A copy whose weights are stored column by column."""
    made = copy.deepcopy(module)
    for parameter in made.parameters():
        if parameter.dim() == 2:
            parameter.data = parameter.data.t().contiguous().t()
    return made


def test_other_strides_are_the_same_up_to_rounding() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    a, b = (torch.export.export(one, (torch.randn(2, 4),)) for one in (model, turned(model)))
    for pair in ((a, b), (b, a)):
        verdict = sunder.verify(*pair)
        assert (verdict.verdict, verdict.rounding, verdict.rounding_count) == ("same_up_to_rounding", ("linear", "linear_1"), 2)
        assert not verdict
        assert sunder.verify(*pair, allow_rounding=True)
    assert sunder.verify(a, a, allow_rounding=True).verdict == "same"
    chosen = torch.nn.Sequential(*model, torch.nn.Softmax(-1))
    chosen.forward = lambda x: model(x).argmax(-1)  # type: ignore[method-assign]
    other = turned(chosen)
    other.forward = lambda x: torch.nn.Sequential(*list(other)[:3])(x).argmax(-1)  # type: ignore[method-assign]
    a, b = (torch.export.export(one, (torch.randn(2, 4),)) for one in (chosen, other))
    verdict = sunder.verify(a, b, allow_rounding=True)
    assert verdict.verdict == "undecided" and not verdict and "argmax" in verdict.why


def test_a_run_allows_for_rounding_but_for_no_more() -> None:
    model = torch.nn.Linear(4, 8)
    a, b = (torch.export.export(one, (torch.randn(2, 4),)) for one in (model, turned(model)))
    verdict = sunder.verify(a, b, run=True, seconds=10, allow_rounding=True)
    assert verdict and verdict.witness is None
    assert any("no difference beyond rounding found" in note for note in verdict.notes)


def test_other_graphs_are_told_by_their_nodes() -> None:
    a = torch.fx.symbolic_trace(lambda x: torch.relu(x) + 1)
    b = torch.fx.symbolic_trace(lambda x: torch.tanh(x) + 1)
    verdict = sunder.verify(a, b)
    assert (verdict.verdict, verdict.a, verdict.b) == ("different", "relu", "tanh")
    assert str(verdict) == f"different: {verdict.why}"


def test_files_are_compared_with_models(tmp_path: pathlib.Path) -> None:
    program = models.exported("blocks").graph
    sunder.save(program, tmp_path / "model.pt2")
    verdict = sunder.verify(tmp_path / "model.pt2", program)
    if models.RELEASE < (2, 7):  # files of such releases name some arguments
        assert verdict.verdict == "undecided" and "two forms of the same value" in verdict.why
    else:
        assert verdict


def test_check_says_what_is_wrong_and_repairs_it() -> None:
    module = models.traced("blocks").graph
    names = [node.name for node in models.calls(module.graph)]
    tags = {name: "a" if i < len(names) // 2 else "b" for i, name in enumerate(names)}
    assert sunder.check(module, tags)
    tags[names[-1]] = "a"
    found = sunder.check(module, tags)
    assert not found
    assert found.problems[0].kind == "backward_edge"
    assert names[-1] in found.problems[0].nodes
    repair = found.problems[0].repairs[0]
    assert repair.calls == 1
    assert str(found).startswith(f"not legal\nerror: {found.problems[0].text} To fix: {repair.label}")


def test_check_holds_parts_to_devices() -> None:
    program = models.exported("blocks").graph
    small = [{"name": "small", "available_mem_bytes": 100}] * 2
    assert "overflow" in {problem.kind for problem in sunder.check(program, 2, devices=small).problems}


def test_models_that_cannot_be_written_leave_no_files(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    module = torch.fx.symbolic_trace(torch.nn.Linear(2, 2))
    broken = copy.deepcopy(module)
    broken.graph.output_node().args = (object(),)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        with pytest.raises(sunder.SunderError):
            sunder.verify(module, broken)
    assert list(tmp_path.iterdir()) == []


def test_errors_about_models_in_memory_name_no_scratch_files() -> None:
    program = models.exported("blocks").graph
    for call in (
        lambda: sunder.split(program, {"nope": "a"}),
        lambda: sunder.split(program, 500),
        lambda: sunder.check(program, {"nope": "a"}),
        lambda: sunder.partition(program, []),
    ):
        with pytest.raises(sunder.SunderError) as error:
            call()
        assert tempfile.gettempdir() not in str(error.value)


def test_a_new_export_is_checked_with_the_tags_of_a_project(tmp_path: pathlib.Path) -> None:
    def exported(*more: torch.nn.Module) -> torch.export.ExportedProgram:
        layers = (torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
        return torch.export.export(torch.nn.Sequential(*layers, *more), (torch.randn(2, 4),))

    torch.export.save(exported(), tmp_path / "model.pt2")
    (tmp_path / "tags.json").write_text('{"order":["a","b"],"tags":{"linear":"a","relu":"a","linear_1":"b"}}')
    project = tmp_path / "model.sunder"
    command = [sunder.programs.find("sunder-cli"), "project", tmp_path / "model.pt2", "--tags", tmp_path / "tags.json", "-o", project]
    subprocess.run(command, check=True, capture_output=True)
    (tmp_path / "model.pt2").unlink()
    assert sunder.check(exported(), project=project).report.startswith("### ✅ The cut holds")
    found = sunder.check(exported(torch.nn.Tanh()), project=project)
    assert not found and "1 op without a tag" in found.report
    assert [group["suggestion"] for group in found.changes["groups"]] == ["b"]
    assert found.figures["before"]["parts"][1]["ops"] == 1
    assert sunder.check(exported(torch.nn.Tanh()), project=project, suggested=True)
    with pytest.raises(sunder.SunderError, match="needs the tags of project="):
        sunder.check(exported(), suggested=True)
