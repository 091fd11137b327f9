"""Archives of several programs: all functions take the name of a program, and their results record it."""

from __future__ import annotations

import inspect
import json
import pathlib
import subprocess
import zipfile
from typing import Any

import pytest
import torch

import models
import sunder

if models.RELEASE < (2, 9):
    pytest.skip("archives of several programs are of PyTorch 2.9 and later", allow_module_level=True)

from torch.export.pt2_archive._package import package_pt2  # noqa: E402

ENCODER, DECODER = "encoder", "de-coder.v2"
X = torch.linspace(-1, 1, 32).view(4, 8)


@pytest.fixture(scope="module")
def programs() -> dict[str, torch.export.ExportedProgram]:
    torch.manual_seed(5)
    encoder, decoder = models.Blocks(), models.Blocks()
    decoder.blocks = decoder.blocks[:2]
    decoder.blocks[0].linear.weight = encoder.blocks[0].linear.weight
    return {ENCODER: torch.export.export(encoder, (X,)), DECODER: torch.export.export(decoder, (X,))}


@pytest.fixture(scope="module")
def archive(programs: Any, tmp_path_factory: Any) -> pathlib.Path:
    path: pathlib.Path = tmp_path_factory.mktemp("archive") / "two.pt2"
    package_pt2(path, exported_programs=programs)
    return path


def outcome(module: torch.nn.Module) -> torch.Tensor:
    result: torch.Tensor = module(X)
    return result


@pytest.mark.parametrize("name", [ENCODER, DECODER])
def test_functions_take_the_name_of_a_program(name: str, programs: Any, archive: pathlib.Path) -> None:
    wanted, calls = programs[name].module()(X), len(models.calls(programs[name].graph))
    devices = [{"name": f"d{i}", "available_mem_bytes": 10**6, "logical_id": i} for i in range(2)]
    parts = archive.parent / name
    made = [
        sunder.load(archive, model=name).module(),
        sunder.split(archive, 2, model=name, parts=parts),
        sunder.partition(archive, devices, model=name).module,
        sunder.unflatten(archive, model=name),
        sunder.deduplicate(archive, model=name),
        sunder.Pipeline(parts),
    ]
    for module in made:
        assert torch.equal(outcome(module), wanted)
    assert sunder.Pipeline(parts).check()
    assert sunder.Pipeline(parts).check(against=archive)
    assert sunder.Pipeline(parts).check(against=programs[name])
    assert sunder.check(archive, 2, model=name)
    assert len(sunder.regions(archive, model=name).groups[0]) == (4 if name == ENCODER else 2)
    assert sunder.show(archive, model=name).svg.startswith("<")
    tagged = sum(len(models.calls(part.graph)) for part in made[1].children() if isinstance(part, torch.fx.GraphModule))
    assert tagged == calls


def test_programs_of_one_archive_are_compared(programs: Any, archive: pathlib.Path) -> None:
    assert sunder.verify(archive, archive, model_a=ENCODER, model_b=ENCODER)
    assert sunder.verify(archive, programs[DECODER], model_a=DECODER)
    assert sunder.verify(archive, archive, model_a=ENCODER, model_b=DECODER).verdict != "same"
    cli = [str(sunder.programs.find("sunder-cli")), "verify", str(archive), str(archive), "--model", ENCODER]
    assert subprocess.run(cli).returncode == 0
    assert subprocess.run([*cli, "--model-b", DECODER]).returncode == 1


@pytest.mark.parametrize("function", ["split", "partition", "unflatten", "deduplicate", "regions", "check", "show", "open", "load"])
def test_every_function_of_files_takes_model(function: str) -> None:
    assert inspect.signature(getattr(sunder, function)).parameters["model"].kind is inspect.Parameter.KEYWORD_ONLY


def test_name_that_is_missing_or_wrong_is_said(archive: pathlib.Path, programs: Any, tmp_path: pathlib.Path) -> None:
    for call in (lambda: sunder.load(archive), lambda: sunder.split(archive, 2), lambda: sunder.load(archive, model="other")):
        with pytest.raises(sunder.SunderError, match="encoder.*de-coder.v2|de-coder.v2.*encoder"):
            call()
    for call in (lambda: sunder.load(archive, model="other"), lambda: sunder.split(archive, 2, model="other")):
        with pytest.raises(sunder.SunderError, match='has no program named "other"; it has: '):
            call()
    with pytest.raises(sunder.SunderError, match="names a program in a file"):
        sunder.split(programs[ENCODER], 2, model=ENCODER)
    with pytest.raises(sunder.SunderError, match="names a program in a file"):
        sunder.verify(programs[ENCODER], archive, model_a=ENCODER)
    sunder.save(programs[ENCODER], tmp_path / "one.fxj")
    with pytest.raises(sunder.SunderError, match="only archives"):
        sunder.load(tmp_path / "one.fxj", model=ENCODER)


def test_only_program_needs_no_name(programs: Any, tmp_path: pathlib.Path) -> None:
    package_pt2(tmp_path / "one.pt2", exported_programs={DECODER: programs[DECODER]})
    assert torch.equal(sunder.load(tmp_path / "one.pt2").module()(X), programs[DECODER].module()(X))
    sunder.save(programs[DECODER], tmp_path / "plain.pt2")
    assert torch.equal(sunder.load(tmp_path / "plain.pt2", model="model").module()(X), programs[DECODER].module()(X))


def test_compiled_code_that_is_not_converted_is_said(programs: Any, tmp_path: pathlib.Path) -> None:
    (tmp_path / "model.wrapper.so").write_bytes(b"\x7fELF")
    (tmp_path / "model.wrapper.json").write_text("{}")
    compiled = {"model": [str(tmp_path / "model.wrapper.so"), str(tmp_path / "model.wrapper.json")]}
    package_pt2(tmp_path / "both.pt2", exported_programs={"model": programs[ENCODER]}, aoti_files=compiled)
    package_pt2(tmp_path / "compiled.pt2", aoti_files=compiled)
    for out, is_said in (("out.pt2", True), ("out.fxj", True), ("out.py", True), ("out.dot", False)):
        notes = sunder.programs.run("convert", tmp_path / "both.pt2", tmp_path / out).get("notes", [])
        assert any("AOTInductor" in note for note in notes) is is_said
    sunder.save(programs[ENCODER], tmp_path / "plain.pt2")
    assert not sunder.programs.run("convert", tmp_path / "plain.pt2", tmp_path / "out.pt2").get("notes")
    with pytest.raises(sunder.SunderError, match='has no program named "model"; it has none'):
        sunder.load(tmp_path / "compiled.pt2")


def test_manifest_names_the_program(archive: pathlib.Path, tmp_path: pathlib.Path) -> None:
    sunder.split(archive, 2, model=DECODER, parts=tmp_path / "parts")
    assert json.loads((tmp_path / "parts" / "manifest.json").read_text())["source"]["model"] == DECODER


def test_archives_that_cannot_be_read_are_refused(programs: Any, tmp_path: pathlib.Path) -> None:
    sunder.save(programs[ENCODER], tmp_path / "whole.pt2")
    whole = (tmp_path / "whole.pt2").read_bytes()
    with zipfile.ZipFile(tmp_path / "other.pt2", "w") as archive:
        archive.writestr("a/b", "c")
    for name, data in (("junk.pt2", b"PK\x03\x04junk"), ("short.pt2", whole[: len(whole) // 2]), ("other.pt2", None)):
        if data is not None:
            (tmp_path / name).write_bytes(data)
        with pytest.raises(sunder.SunderError, match="zip|is not an archive that torch.export can read") as error:
            sunder.load(tmp_path / name)
        assert error.value.where["file"] == str(tmp_path / name) and "\n" not in str(error.value)
