"""Checks and figures of models: equivalence of two models, problems of a split by tags, costs, and memory."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import pathlib
import tempfile
from typing import Any, Mapping, Sequence

from . import programs
from .errors import SunderError
from .exchange import Exchange, Model, without_scratch
from .fxjson.marks import Marks
from .fxjson.weights_out import WeightsOut
from .fxjson.writer import Writer
from .model_files import as_model
from .profiling import cost_files
from .results import Check, Cost, Costs, Memory, NotCounted, PartMemory, Problem, Repair, TrainingMemory, Verdict
from .side_files import device_rows, flag, side_file
from .tags import Tags, own_tags, tags_file, tags_option
from .witness.search import ROUNDED, SECONDS, judged, search


def verify(
    a: Model,
    b: Model,
    *,
    weights: bool = True,
    model_a: str | None = None,
    model_b: str | None = None,
    run: bool = False,
    seconds: float = SECONDS,
    allow_rounding: bool = False,
) -> Verdict:
    """Checks whether two models are equivalent.

    `weights`: compare weights bit for bit; False compares only their names. `model_a`, `model_b`: names of the programs in files
    with several. `run`: also run copies of both models in this process, on generated inputs, for about `seconds`. Inputs for
    which they differ become the `witness` of the verdict, which is then "different"; a run never changes a verdict to "same".
    `allow_rounding`: the verdict is also true if it is "same_up_to_rounding".
    """
    if run and not weights:
        raise SunderError("run=True needs the weights of the models: do not pass weights=False", code="usage")
    with tempfile.TemporaryDirectory(prefix="sunder-") as scratch:
        folder = pathlib.Path(scratch)
        files, schemas = _written(folder, {"a": a, "b": b}, weights)
        options: list[str | os.PathLike[str]] = [*flag("--no-weights", not weights)]
        for given, name, option in ((a, model_a, "--model-a"), (b, model_b, "--model-b")):
            if name is not None and not isinstance(given, (str, os.PathLike)):
                raise SunderError(f"{name!r} names a program in a file; a model in memory is a single program", code="usage")
            options += [option, name] if name is not None else []
        if schemas:
            (folder / "operators.txt").write_text("".join(sorted(schemas)), encoding="utf-8")
            options += ["--operators", folder / "operators.txt"]
        with without_scratch(folder):
            said = programs.run("verify", files["a"], files["b"], *options)
    witness = None
    if run:
        outcome = search(a, b, seconds, model_a, model_b, rounding=said["verdict"] == ROUNDED)
        said, witness = judged(said, outcome), outcome.witness
    pair = said.get("a"), said.get("b")
    rounding = said.get("rounding", {"names": (), "count": 0})
    return Verdict(said["verdict"], said.get("why", ""), *pair, tuple(said.get("notes", ())), said.get("compared", {}), witness,
                   tuple(rounding["names"]), rounding["count"], allow_rounding)


def check(
    source: Model,
    /,
    tags: Tags = None,
    *,
    model: str | None = None,
    devices: Any = None,
    verify: bool = True,
    project: str | os.PathLike[str] | None = None,
    suggested: bool = False,
) -> Check:
    """Checks a split by tags. Returns its problems, and tag changes that fix them.

    `tags`: as for `split`. `model`: name of the program in a file with several. `devices`: as for `partition`; reports parts that
    exceed the memory of their devices. `verify`: also splits legal tags, and reports parts that are not proven equivalent to the
    model. `project`: a project whose tags are transferred to the model, a new export of the one that it was made for; the result
    also says what changed (docs/ci.md). `suggested`: give ops that get no tag from it the suggested one.
    """
    if project is None and suggested:
        raise SunderError("suggested=True needs the tags of project=", code="usage")
    with Exchange(source, program=model) as exchange:
        arguments = tags_option(None if tags is None and project is not None else tags_file(exchange, tags))
        if devices is not None:
            arguments += ["--devices", side_file(exchange, "devices.json", devices, device_rows)]
        arguments += flag("--no-verify", not verify)
        if project is None:
            said, report = exchange.run("check", *arguments), ""
        else:
            file = exchange.folder / "report.md"
            arguments += ["--source", exchange.input, "--changed-source", "--markdown", file, *flag("--suggested", suggested)]
            said = exchange.run_on(pathlib.Path(project).absolute(), "check", *arguments)
            report = file.read_text(encoding="utf-8")
    notes = tuple(said.get("notes", ()))
    return Check(said["legal"], tuple(map(_problem, said["problems"])), notes, report, said.get("changes", {}), said.get("figures", {}))


def costs(source: Model, /, *, devices: Any = None, device: str | None = None, costs: Any = None, model: str | None = None) -> Costs:
    """Counts the floating-point operations and the bytes of each call, and adds them up by module.

    Floating-point operations equal those of torch.utils.flop_counter. `devices`: as for `partition`, also with `rates` and `links`;
    estimates the seconds of each call on `device`, a name or logical ID, by default the first. `costs`: measured costs that take
    precedence, or a list of them, of which later ones win: the path of a COSTS.json, CSV, or trace, a `Profile`, or a mapping as in
    COSTS.json. `model`: name of the program in a file with several.
    """
    with Exchange(source, program=model) as exchange:
        arguments: list[str | os.PathLike[str]] = []
        if devices is not None:
            arguments += ["--devices", side_file(exchange, "devices.json", devices, device_rows)]
        elif device is not None:
            raise SunderError("device= names one of devices=: pass both", code="usage")
        arguments += ["--device", device] if device is not None else []
        for file in cost_files(exchange, costs):
            arguments += ["--costs", file]
        said = exchange.run("costs", *arguments)
    nodes, modules = ({name: _cost(one) for name, one in said[key].items()} for key in ("nodes", "modules"))
    uncounted = tuple(NotCounted(one["target"], one["nodes"], one["bytes"]) for one in said["not_counted"])
    return Costs(_cost(said["totals"]), nodes, modules, uncounted, said["model"], tuple(said.get("traces", ())))


def memory(
    source: Model,
    /,
    tags: Tags = None,
    *,
    model: str | None = None,
    training: bool = False,
    optimizer: str = "sgd",
    schedule: str | None = None,
    micro_batches: int | None = None,
    recompute: Sequence[str] = (),
    costs: Any = None,
) -> Memory:
    """Measures the memory of each part, and its peak during a run. Without tags, the whole model is one part.

    `tags`: as for `split`. `model`: name of the program in a file with several. `training`: also measure what training keeps.
    `optimizer`: "sgd", "momentum", or "adam". `schedule`, `micro_batches`: the pipeline schedule, as for `schedule`, and the
    number of micro-batches of a step; the model is one of them. `recompute`: paths of modules that keep only their inputs.
    `costs`: extra memory, as for `costs`.
    """
    if not training and (schedule is not None or micro_batches is not None or recompute or optimizer != "sgd"):
        raise SunderError("optimizer, schedule, micro_batches, and recompute need training=True", code="usage")
    with Exchange(source, program=model) as exchange:
        is_whole = tags is None and exchange.source is not None and not own_tags(exchange.source.graph)
        given = None if is_whole else tags_file(exchange, tags)
        arguments = [*tags_option(given), *flag("--training", training)]
        if training:
            arguments += ["--optimizer", optimizer]
        for option, value in (("--schedule", schedule), ("--micro-batches", micro_batches)):
            arguments += [option, str(value)] if value is not None else []
        for file in cost_files(exchange, costs):
            arguments += ["--costs", file]
        if recompute:
            arguments += ["--costs", side_file(exchange, "recompute.json", {"nodes": {}, "recompute": list(recompute)}, dict)]
        said = exchange.run("memory", *arguments)
    return Memory(tuple(map(_part_memory, said["parts"])), said["assumptions"])


def _part_memory(said: Mapping[str, Any]) -> PartMemory:
    kept = TrainingMemory(*(said[field.name] for field in dataclasses.fields(TrainingMemory))) if "total" in said else None
    curve = tuple((point["node"], point["bytes"]) for point in said["curve"])
    return PartMemory(said["name"], said["ops"], said["weights"], said["inputs"], said["resident"], said["peak"], said["peak_node"],
                      curve, tuple(said["unknown"]), said.get("extra", 0), kept)


def _cost(said: Mapping[str, Any]) -> Cost:
    return Cost(said.get("flops"), said["bytes_read"], said["bytes_written"], said.get("ops", 1), said.get("seconds"),
                said.get("source", "model"))


def _written(folder: pathlib.Path, models: Mapping[str, Model], with_weights: bool) -> tuple[dict[str, pathlib.Path], set[str]]:
    """Writes the models to files, with one archive for the weights of models in memory, so that shared weights are written once.
    Also returns the schemas of custom operators.
    """
    files, schemas, marks = {}, set(), Marks()
    with WeightsOut(folder / "weights.zip") if with_weights else contextlib.nullcontext() as weights:
        for name, model in models.items():
            if isinstance(model, (str, os.PathLike)):
                files[name] = pathlib.Path(model)
                continue
            files[name] = folder / f"{name}.fxj"
            with open(files[name], "w", encoding="utf-8") as out:
                writer = Writer(out, weights, marks=marks)
                writer.write(as_model(model))
            schemas.update(writer.custom_operators().splitlines(keepends=True))
    return files, schemas


def _problem(said: Mapping[str, Any]) -> Problem:
    repairs = tuple(Repair(one["kind"], one["label"], one["calls"], one["bytes"]) for one in said.get("repairs", ()))
    return Problem(said["kind"], said["severity"], said["text"], tuple(said["nodes"]), repairs)
