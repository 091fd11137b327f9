"""The window and pictures, for scripts and notebooks."""

from __future__ import annotations

import os
import pathlib
import subprocess
from typing import Any, Sequence

from . import programs
from .errors import SunderError
from .exchange import Exchange, Model
from .tags import Tags, read_tags, tags_file, tags_option


def open(model: Model, tags: Tags = None) -> dict[str, str]:
    """Opens the window on a model, waits until it is closed, and gives the tag of each node that has one then, tags in their
    order. `tags` is what the model is tagged with before; see `sunder.split`. The model itself is not changed.
    """
    with Exchange(model) as exchange:
        given = tags_file(exchange, tags)
        project, painted = exchange.folder / "model.sunder", exchange.folder / "painted.json"
        exchange.run("project", *tags_option(given), "-o", project)
        done = subprocess.run([programs.find("sunder"), project, "--tags-out", painted], stderr=subprocess.PIPE, text=True)
        if done.returncode or not painted.exists():
            why = done.stderr.strip().splitlines()[-1:] or ["its model was closed before it"]
            raise SunderError(f"the window gave no tags: {why[0]}", code="cancelled")
        return read_tags(painted)


class Picture:
    """A drawing of a model that notebooks show."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")


def show(
    model: Model,
    tags: Tags = None,
    *,
    expand: Sequence[str] | bool = (),
    color_by: str = "tag",
    columns: int | None = None,
    direction: str = "down",
    dark: bool = False,
) -> Picture:
    """A picture of the model, modules closed, coloured by tags. `expand` names modules that are drawn open, True all of them;
    `color_by` is "tag", "op", "module" or "region"; `direction` is "down" or "right".
    """
    options: list[Any] = ["--color-by", color_by, "--direction", direction]
    if columns is not None:
        options += ["--columns", str(columns)]
    if dark:
        options.append("--dark")
    if expand is True:
        options.append("--expand-all")
    elif expand:
        options += [word for path in expand for word in ("--expand", path)]
    with Exchange(model) as exchange:
        given = tags_file(exchange, tags)
        path = exchange.folder / "picture.svg"
        exchange.run("render", path, *tags_option(given), *options)
        return Picture(path.read_text(encoding="utf-8"))
