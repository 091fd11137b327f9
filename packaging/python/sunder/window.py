"""The window and pictures, for scripts and notebooks."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import warnings
from typing import Any, Sequence

from . import programs
from .errors import SunderError
from .exchange import Exchange, Model
from .tags import Tags, read_tags, tags_file, tags_option

_PATIENCE = 20.0  # seconds that a closing window has to save the tags


def open(source: Model, /, tags: Tags = None, *, model: str | None = None) -> dict[str, str]:
    """Opens a model in the window, waits until the window is closed, and returns the tag of each node by name, ordered by tag.
    `tags`: the tags at the start; see `sunder.split`. The model itself is not changed.

    If the window crashes or is interrupted, the tags so far are kept in a file, and the error names it.
    """
    with Exchange(source, program=model) as exchange:
        given = tags_file(exchange, tags)
        project, painted = exchange.folder / "model.sunder", exchange.folder / "painted.json"
        exchange.run("project", *tags_option(given), "-o", project)
        try:
            ended = _ended_window(project, painted)
        except KeyboardInterrupt:
            if kept := _kept(painted):
                warnings.warn(f"the tags so far are kept: pass them as tags={str(kept)!r}", stacklevel=2)
            raise
        if ended is not None:
            kept = _kept(painted)
            more = f"; the tags so far are kept: pass them as tags={str(kept)!r}" if kept else ""
            raise SunderError(f"the window returned no tags: {ended}{more}", code="cancelled")
        return read_tags(painted)


def _ended_window(project: pathlib.Path, painted: pathlib.Path) -> str | None:
    """Waits for the window, and ends it if the wait is interrupted. Returns None if it wrote the tags, otherwise what happened to
    it."""
    process = subprocess.Popen([programs.find("sunder"), project, "--tags-out", painted], stderr=subprocess.PIPE, text=True)
    try:
        _, said = process.communicate()
    except BaseException:
        _end(process)
        raise
    if process.returncode == 0:
        return None if painted.exists() else "its model was closed first"
    if process.returncode == -signal.SIGABRT:  # it aborted with a message, usually because there is no display
        return f"it aborted: {said.strip()}"
    if process.returncode < 0:
        return f"it was ended by {signal.Signals(-process.returncode).name}"
    return (said.strip().splitlines() or [f"it ended with status {process.returncode}"])[-1]


def _end(process: subprocess.Popen[str]) -> None:
    """Asks the window to close, which saves the tags. Kills it if it does not respond."""
    process.terminate()
    try:
        process.communicate(timeout=_PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()


def _kept(painted: pathlib.Path) -> pathlib.Path | None:
    """Moves the written tags, or those that the window saved for recovery, out of the scratch folder."""
    for found in (painted, painted.with_name(painted.name + ".unsaved.sunder")):
        if found.exists():
            handle, name = tempfile.mkstemp(prefix="sunder-", suffix=found.suffix)
            os.close(handle)
            return pathlib.Path(shutil.move(found, name))
    return None


class Picture:
    """A drawing of a model that notebooks show."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        pathlib.Path(path).write_text(self.svg, encoding="utf-8")


def show(
    source: Model,
    /,
    tags: Tags = None,
    *,
    model: str | None = None,
    expand: Sequence[str] | bool = (),
    color_by: str = "tag",
    columns: int | None = None,
    direction: str = "down",
    dark: bool = False,
) -> Picture:
    """A picture of the model, modules closed, colored by tags. `expand` names modules that are drawn open, True all of them;
    `color_by` is "tag", "op", "module", "region", "flops" or "bytes"; `direction` is "down" or "right".
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
    with Exchange(source, program=model) as exchange:
        given = tags_file(exchange, tags)
        path = exchange.folder / "picture.svg"
        exchange.run("render", path, *tags_option(given), *options)
        return Picture(path.read_text(encoding="utf-8"))
