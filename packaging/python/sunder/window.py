"""The window, for scripts and notebooks."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings

from . import programs
from .errors import SunderError
from .exchange import Exchange, Model
from .pictures import Picture, show
from .tags import Tags, read_tags, tags_file, tags_option

_PATIENCE = 20.0  # seconds that a closing window has to save the tags
_NEED_DISPLAY = {"", "xcb", "wayland", "wayland-egl"}  # platforms of Qt


def open(source: Model, /, tags: Tags = None, *, model: str | None = None) -> dict[str, str] | Picture:
    """Opens a model in the window, waits until the window is closed, and returns the tag of each node by name, ordered by tag.
    `tags`: the tags at the start; see `sunder.split`. The model itself is not changed.

    Without a display, as on a server, warns and returns the picture of `sunder.show`. If the window crashes or is interrupted, the
    tags so far are kept in a file, and the error names it.
    """
    if not _has_display():
        warnings.warn(
            "there is no display for the window (DISPLAY and WAYLAND_DISPLAY are not set): this is a picture of the model instead; "
            "save it as a web page with save(\"model.html\")",
            stacklevel=2,
        )
        return show(source, tags, model=model)
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


def _has_display() -> bool:
    """Whether the window can be shown: Qt chooses a platform by these variables. Other systems than Linux always have a display."""
    if not sys.platform.startswith("linux") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    platforms = os.environ.get("QT_QPA_PLATFORM", "").split(";")
    return any(platform.split(":")[0] not in _NEED_DISPLAY for platform in platforms)


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
