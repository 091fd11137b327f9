"""The version comes from packaging/changelog, everything else from pyproject.toml."""
import pathlib
import re

import setuptools

CHANGELOG = pathlib.Path(__file__).resolve().parents[1] / "changelog"
NEWEST = re.match(r"sunder \(([^)\s]+)\)", CHANGELOG.read_text(encoding="utf-8"))
if not NEWEST:
    raise SystemExit(f"{CHANGELOG} does not begin with 'sunder (VERSION)'")
setuptools.setup(version=NEWEST[1].replace("~", ""))
