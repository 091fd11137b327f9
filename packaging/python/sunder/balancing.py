"""Balanced cuts of models."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Sequence

from .errors import SunderError
from .exchange import Exchange, Model
from .profiling import cost_files
from .results import Balanced, StageLoad
from .side_files import device_rows, flag, side_file


def balance(
    source: Model,
    /,
    stages: int | None = None,
    *,
    model: str | None = None,
    devices: Any = None,
    costs: Any = None,
    together: Iterable[Sequence[str]] = (),
    at_modules: bool = False,
    overlap: bool = False,
    any_order: bool = False,
    schedule: str | None = None,
    micro_batches: int | None = None,
    time_limit: float = 10,
) -> Balanced:
    """Finds a legal cut whose slowest device is as fast as possible. Returns its tags, the load of each device, and a bound.

    `stages`: a number of equal devices without a memory limit, instead of `devices`: as for `partition`, or for links a mapping with
    the keys "devices" and "links" of DEVICES.json. `costs`: measured costs, as for `sunder.costs`. `together`: lists of names of ops
    or modules that stay on one device. `at_modules`: cut only where modules begin and end. `overlap`: transfers run during compute.
    `any_order`: the devices need not be used in this order. `schedule` and `micro_batches`, as for `sunder.schedule`: improves the cut so
    that a step of this pipeline schedule is short, and returns the step and a bound on it. `time_limit`: effort of the search in seconds. `model`: name of the
    program in a file with several.
    """
    if (stages is None) == (devices is None):
        raise SunderError("pass either stages or devices", code="usage")
    with Exchange(source, program=model) as exchange:
        if devices is not None:
            arguments: list[str | os.PathLike[str]] = ["--devices", side_file(exchange, "devices.json", devices, device_rows)]
        else:
            arguments = ["--stages", str(stages)]
        for file in cost_files(exchange, costs):
            arguments += ["--costs", file]
        for names in together:
            arguments += ["--together", ",".join(names)]
        arguments += [*flag("--at-modules", at_modules), *flag("--overlap", overlap), *flag("--any-order", any_order)]
        if schedule is not None:
            arguments += ["--objective", "step", "--schedule", schedule]
        if micro_batches is not None:
            arguments += ["--micro-batches", str(micro_batches)]
        path = exchange.folder / "balanced.json"
        said = exchange.run("balance", *arguments, "--time-limit", str(time_limit), "-o", path)
        written = json.loads(path.read_text(encoding="utf-8"))
    place = {tag: i for i, tag in enumerate(written["order"])}
    tags = dict(sorted(written["tags"].items(), key=lambda item: place[item[1]]))
    loads = tuple(
        StageLoad(one["name"], one["tag"], one["ops"], one["seconds"], one["transfer_seconds"], one["load"], one["memory"],
                  one["available"], one["binds"])
        for one in said["devices"]
    )
    return Balanced(tags, tuple(written["order"]), said["load"], said["bound"], said["proven"], loads, tuple(said["assumptions"]),
                    said.get("step"), said.get("step_bound"))
