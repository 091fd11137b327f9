"""Pictures and pages as notebooks show them."""

from __future__ import annotations

import html
import json
import pathlib
import re
import xml.etree.ElementTree
from typing import Any

import pytest

import models
import sunder

SVG = "{http://www.w3.org/2000/svg}"


def data_of(page: str) -> Any:
    """The data of a page."""
    written = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert written
    return json.loads(written[1])


def test_picture_is_svg_with_the_modules_and_their_tags() -> None:
    module = models.traced("blocks").graph
    picture = sunder.show(module, models.halves(module.graph), expand=True)
    root = xml.etree.ElementTree.fromstring(picture._repr_svg_())
    assert root.tag == f"{SVG}svg"
    assert {"F", "B", "gelu"} <= {text.strip() for text in root.itertext()}
    plain = sunder.show(module, {}, expand=True).svg
    assert plain != picture.svg


def test_notebook_gets_a_page_in_a_frame_of_its_own() -> None:
    module = models.traced("blocks").graph
    picture = sunder.show(module, models.halves(module.graph))
    (frame,) = re.findall(r'<iframe srcdoc="([^"]*)"[^>]*sandbox="allow-scripts"[^>]*></iframe>', picture._repr_html_())
    assert html.unescape(frame) == picture.html
    data = data_of(picture.html)
    assert [part["name"] for part in data["parts"]] == ["front", "back"]
    assert not re.search(r"(src|href)=|https?://(?!www\.w3\.org/2000/svg)", picture.html)


def test_cost_is_seconds_if_there_are_devices_and_flops_otherwise() -> None:
    module = models.exported("blocks").graph
    assert data_of(sunder.show(module, color="cost").html)["scale"]["name"] == "FLOPs"
    timed = data_of(sunder.show(module, color="cost", devices=["A100 SXM 80 GB"]).html)
    assert timed["scale"]["name"] != "FLOPs"
    assert data_of(sunder.show(module, color_by="op").html)["groups"] == "Operators"


def test_picture_is_saved_by_its_suffix(tmp_path: pathlib.Path) -> None:
    picture = sunder.show(models.exported("blocks").graph, color="op", direction="right", dark=True)
    for name in ("picture.svg", "picture.html"):
        picture.save(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").lstrip().startswith("<")
    with pytest.raises(sunder.SunderError, match="picture.png"):
        picture.save(tmp_path / "picture.png")
