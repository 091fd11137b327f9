"""Pictures of models, for scripts and notebooks."""

from __future__ import annotations

import html
import os
import pathlib
from typing import Any, Sequence

from .errors import SunderError
from .exchange import Exchange, Model
from .profiling import cost_files
from .side_files import device_rows, side_file
from .tags import Tags, tags_file, tags_option

_HEIGHT = 600  # pixels of a page in a notebook


class Picture:
    """A drawing of a model that notebooks show: an interactive page, or its initial view as SVG where pages cannot run."""

    def __init__(self, svg: str, html: str) -> None:
        self.svg = svg
        self.html = html

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" title="Graph of the model" sandbox="allow-scripts" allow="fullscreen" '
            f'style="width:100%;height:{_HEIGHT}px;border:0"></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page (`.html`) or the picture (`.svg`)."""
        target = pathlib.Path(path)
        if target.suffix not in (".html", ".svg"):
            raise SunderError(f"a picture is saved as .html or .svg, not as {target.name}", code="usage")
        target.write_text(self.html if target.suffix == ".html" else self.svg, encoding="utf-8")


def show(
    source: Model,
    /,
    tags: Tags = None,
    *,
    model: str | None = None,
    expand: Sequence[str] | bool = (),
    color: str = "tag",
    devices: Any = None,
    costs: Any = None,
    columns: int | None = None,
    direction: str = "down",
    dark: bool = False,
    color_by: str | None = None,
) -> Picture:
    """A picture of the model, colored by tags, in which modules open and close. `expand` names modules that are drawn open, True all
    of them. `color` is "tag", "op", "module", "region", "flops", "bytes", "seconds", or "cost": the seconds if there are `devices` or
    `costs`, otherwise the FLOPs. `devices` and `costs`, as for `sunder.costs`, give the seconds of each op. `direction` is "down" or
    "right". `dark`: dark even if the desktop is light. `color_by` is the earlier name of `color`.
    """
    color = color_by or color
    has_seconds = devices is not None or costs is not None
    if color == "cost":
        color = "seconds" if has_seconds else "flops"
    options: list[Any] = ["--color-by", color, "--direction", direction]
    if columns is not None:
        options += ["--columns", str(columns)]
    if dark:
        options.append("--dark")
    if expand is True:
        options.append("--expand-all")
    elif expand:
        options += [word for path in expand for word in ("--expand", path)]
    with Exchange(source, program=model) as exchange:
        options += tags_option(tags_file(exchange, tags))
        seconds: list[Any] = []
        if devices is not None:
            seconds += ["--devices", side_file(exchange, "devices.json", devices, device_rows)]
        for file in cost_files(exchange, costs):
            seconds += ["--costs", file]
        drawn = {}
        for suffix in ("svg", "html"):
            path = exchange.folder / f"picture.{suffix}"
            exchange.run("render", path, *options, *(seconds if suffix == "html" or color == "seconds" else []))
            drawn[suffix] = path.read_text(encoding="utf-8")
        return Picture(**drawn)
