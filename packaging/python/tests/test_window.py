"""The window as scripts open it, and pictures as notebooks show them."""

from __future__ import annotations

import os
import pathlib
import stat
import sys
import xml.etree.ElementTree

import pytest

import models
import sunder
from sunder import programs

SVG = "{http://www.w3.org/2000/svg}"


def test_picture_is_svg_with_the_modules_and_their_tags() -> None:
    module = models.traced("blocks").graph
    picture = sunder.show(module, models.halves(module.graph), expand=True)
    root = xml.etree.ElementTree.fromstring(picture._repr_svg_())
    assert root.tag == f"{SVG}svg"
    assert {"F", "B", "gelu"} <= {text.strip() for text in root.itertext()}
    plain = sunder.show(module, {}, expand=True).svg
    assert plain != picture.svg


def test_picture_is_saved(tmp_path: pathlib.Path) -> None:
    sunder.show(models.exported("blocks").graph, color_by="op", direction="right", dark=True).save(tmp_path / "picture.svg")
    assert (tmp_path / "picture.svg").read_text(encoding="utf-8").lstrip().startswith("<")


def window_that(does: str, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program `sunder` for the package to find, in place of a window with somebody before it."""
    cli = programs.find("sunder-cli")
    folder.mkdir()
    (folder / "sunder-cli").symlink_to(cli)
    path = folder / "sunder"
    path.write_text(f"#!{sys.executable}\nimport json, sys\nproject, option, out = sys.argv[1:]\n{does}\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("SUNDER_HOME", str(folder))


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


def test_command_line_of_the_window_needs_a_model(tmp_path: pathlib.Path) -> None:
    import subprocess

    try:
        window = programs.find("sunder")
    except sunder.SunderError as error:
        pytest.skip(error.text)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CACHE_HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path)}
    done = subprocess.run([window, "--tags-out", tmp_path / "tags.json"], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 2
    assert "needs the MODEL" in done.stderr
