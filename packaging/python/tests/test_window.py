"""The window as scripts open it."""

from __future__ import annotations

import os
import pathlib
import signal
import stat
import subprocess
import sys
import threading
import time

from typing import Callable

import pytest

import models
import sunder
from sunder import programs
from sunder.tags import read_tags

def window_that(does: str, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program `sunder` that replaces a window with a user."""
    cli = programs.find("sunder-cli")
    folder.mkdir()
    (folder / "sunder-cli").symlink_to(cli)
    path = folder / "sunder"
    path.write_text(f"#!{sys.executable}\nimport json, sys\nproject, option, out = sys.argv[1:]\n{does}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("SUNDER_HOME", str(folder))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")


def test_without_a_display_there_is_a_picture_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "xcb")
    with pytest.warns(UserWarning, match="no display for the window"):
        shown = sunder.open(models.traced("blocks").graph)
    assert isinstance(shown, sunder.Picture)
    assert shown.html.startswith("<!doctype html>")


def test_window_gets_a_project_and_gives_tags(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = models.traced("blocks").graph
    given = models.halves(module.graph)
    last = list(given)[-1]
    does = (
        "assert option == '--tags-out'\n"
        "tags = json.load(open(project))['tags']\n"
        "named = {node: tag['name'] for tag in tags for node in tag['nodes']}\n"
        f"named['{last}'] = 'mine'\n"
        "json.dump({'order': ['front', 'mine', 'back'], 'tags': named}, open(out, 'w'))\n"
    )
    window_that(does, tmp_path / "bin", monkeypatch)
    painted = sunder.open(module, given)
    assert painted == {**given, last: "mine"}
    assert list(dict.fromkeys(painted.values())) == ["front", "mine", "back"]


def test_window_that_gives_no_tags_is_an_error(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    window_that("print('no display', file=sys.stderr); sys.exit(1)", tmp_path / "bin", monkeypatch)
    with pytest.raises(sunder.SunderError, match="no display"):
        sunder.open(models.traced("blocks").graph)


@pytest.fixture
def window(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The real window, off-screen, with separate settings and caches. Its process writes its id into `pid`."""
    try:
        real, cli = programs.find("sunder"), programs.find("sunder-cli")
    except sunder.SunderError as error:
        pytest.skip(error.text)
    home = tmp_path / "bin"
    home.mkdir()
    (home / "sunder-cli").symlink_to(cli)
    path = home / "sunder"
    path.write_text(f'#!/bin/sh\necho $$ > "{tmp_path}/pid.new"; mv "{tmp_path}/pid.new" "{tmp_path}/pid"\nexec "{real}" "$@"\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    for name, value in {"SUNDER_HOME": home, "XDG_CACHE_HOME": tmp_path / "cache", "XDG_CONFIG_HOME": tmp_path / "config"}.items():
        monkeypatch.setenv(name, str(value))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return path


def when_open(folder: pathlib.Path, then: Callable[[int], None]) -> threading.Thread:
    """Calls `then` with the number of the window's process, when it has locked the project that it shows."""

    def wait() -> None:
        while not any((folder / "cache").rglob("projects/*.lock")):
            time.sleep(0.02)
        then(int((folder / "pid").read_text()))

    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def test_real_window_gives_its_tags_when_it_is_ended(window: pathlib.Path, tmp_path: pathlib.Path) -> None:
    module = models.traced("blocks").graph
    given = models.halves(module.graph)
    ending = when_open(tmp_path, lambda pid: os.kill(pid, signal.SIGTERM))
    assert sunder.open(module, given) == given
    ending.join()


def test_real_window_that_is_killed_is_an_error(window: pathlib.Path, tmp_path: pathlib.Path) -> None:
    ending = when_open(tmp_path, lambda pid: os.kill(pid, signal.SIGKILL))
    with pytest.raises(sunder.SunderError, match="ended by SIGKILL"):
        sunder.open(models.traced("blocks").graph)
    ending.join()


def test_interrupted_wait_ends_the_real_window_and_keeps_its_tags(window: pathlib.Path, tmp_path: pathlib.Path) -> None:
    module = models.exported("blocks").graph
    given = models.halves(module.graph)
    ending = when_open(tmp_path, lambda pid: os.kill(os.getpid(), signal.SIGINT))
    with pytest.warns(UserWarning, match="the tags so far are kept"), pytest.raises(KeyboardInterrupt):
        sunder.open(module, given)
    ending.join()
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)
    (kept,) = tmp_path.glob("sunder-*.json")
    assert read_tags(kept) == given


def test_command_line_of_the_window_needs_a_model(window: pathlib.Path, tmp_path: pathlib.Path) -> None:
    done = subprocess.run([window, "--tags-out", tmp_path / "tags.json"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "needs a MODEL" in done.stderr
