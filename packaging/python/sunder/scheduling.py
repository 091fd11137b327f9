"""Timetables of pipelines."""

from __future__ import annotations

import os
import pathlib
from typing import Any, Mapping

from . import programs
from .errors import SunderError
from .exchange import Exchange, Model
from .profiling import cost_files
from .results import RankTimes, Schedule, TimedAction
from .side_files import device_rows, side_file
from .tags import Tags, tags_file, tags_option

Path = str | os.PathLike[str]


def schedule(
    source: Model | None = None,
    /,
    tags: Tags = None,
    *,
    schedule: str,
    micro_batches: int,
    ranks: int | None = None,
    model: str | None = None,
    devices: Any = None,
    costs: Any = None,
    optimizer: str = "sgd",
    csv: Path | None = None,
    trace: Path | None = None,
) -> Schedule:
    """Computes the timetable of a pipeline: the order of actions that PyTorch executes, the time of a step, and the memory of each rank.

    `source`: a model with a stage for each tag, or nothing, for `ranks` with equal stages and unit times. `tags`: as for `split`.
    `schedule`: a name of torch.distributed.pipelining, such as "1F1B", or "inference". `micro_batches`: of a step; the model is one of
    them. `model`: name of the program in a file with several. `devices` of the ranks and measured `costs`: as for `balance`.
    `optimizer`: "sgd", "momentum", or "adam". `csv`: path for the orders, which `_PipelineScheduleRuntime._load_csv` reads. `trace`: path
    for a Chrome trace.
    """
    words: list[programs.Word] = ["--schedule", schedule, "--micro-batches", str(micro_batches)]
    words += ["--ranks", str(ranks)] if ranks is not None else []
    for option, path in (("--csv", csv), ("--trace", trace)):
        words += [option, pathlib.Path(path).absolute()] if path is not None else []
    if source is None:
        if tags is not None or devices is not None or costs is not None or model is not None:
            raise SunderError("tags, devices, costs, and model need a model as the first argument", code="usage")
        return _schedule(programs.run("schedule", *words))
    with Exchange(source, program=model) as exchange:
        words += [*tags_option(tags_file(exchange, tags)), "--optimizer", optimizer]
        if devices is not None:
            words += ["--devices", side_file(exchange, "devices.json", devices, device_rows)]
        for file in cost_files(exchange, costs):
            words += ["--costs", file]
        return _schedule(exchange.run("schedule", *words))


def _schedule(said: Mapping[str, Any]) -> Schedule:
    ranks = tuple(
        RankTimes(one["busy"], one["waits_for_transfer"], one["bubble"], in_flight, one["binds"], one["device"],
                  one["peak_bytes"], one["available_bytes"])
        for one, in_flight in zip(said["ranks"], said["in_flight"])
    )
    actions = tuple(TimedAction(one["rank"], one["action"], one["start"], one["end"]) for one in said["actions"])
    return Schedule(tuple(map(tuple, said["orders"])), said["step"], said["bubble"], ranks, actions,
                    tuple(said.get("assumptions", ())), said.get("throughput"), said.get("latency"))
