"""The version of the package, which is that of Sunder: the installed version, or in a source tree that of the changelog."""

from __future__ import annotations

import importlib.metadata
import pathlib
import re


def _version() -> str:
    changelog = pathlib.Path(__file__).resolve().parents[2] / "changelog"
    if changelog.is_file():
        newest = re.match(r"sunder \(([^)\s]+)\)", changelog.read_text(encoding="utf-8"))
        if newest:
            return newest[1].replace("~", "")
    return importlib.metadata.version("sunder")


__version__ = _version()
