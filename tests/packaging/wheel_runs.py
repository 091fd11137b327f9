#!/usr/bin/env python3
"""wheel_runs.py BUILD: checks that the wheel with sunder-cli, installed into an empty environment, is sufficient to run it."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "packaging/python"))
import changelog  # noqa: E402

SAMPLES = TOP / "resources/samples"
# Only the package's finder: the rest needs PyTorch, which is not installed there.
CALLS = """
import importlib.util, sys, types
package = types.ModuleType("sunder")
package.__path__ = list(importlib.util.find_spec("sunder").submodule_search_locations)
sys.modules["sunder"] = package
import sunder.programs as programs
model, tags, picture = sys.argv[1:]
print(programs.find("sunder-cli"))
print(programs.run("info", model)["nodes"])
programs.run("render", model, picture, "--tags", tags)
"""
NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig/>'


def run(*words, **more):
    return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True, timeout=300, **more).stdout


def why_not():
    """Returns the reason why no wheel can be built here, or an empty string."""
    missing = [tool for tool in ("patchelf", "dpkg-query", "ldd") if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)} is not installed"
    if subprocess.run([sys.executable, "-m", "ensurepip", "--version"], capture_output=True).returncode != 0:
        return "python3-venv is not installed"
    return ""


def can_build(home):
    """Whether pip can fetch its build dependencies, which needs a network."""
    words = ["install", "--quiet", "--disable-pip-version-check", "--target", home / "setuptools", "setuptools>=64"]
    return subprocess.run([home / "venv/bin/pip", *words], capture_output=True).returncode == 0


def only_ours(home, cli, model):
    """The programs load only libc and compiler libraries from the system."""
    for words in (("info", model), ("render", model, home / "loaded.svg")):
        said = run(cli, *words, env={"HOME": str(home), "LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(home / "loaded")})
        assert said, "sunder-cli printed nothing"
    text = "".join(path.read_text() for path in home.glob("loaded.*[0-9]"))
    places = {line.split("calling init: ")[1] for line in text.splitlines() if "calling init: " in line}
    package = cli.parents[1]
    others = {pathlib.Path(place).name.split(".")[0] for place in places if package not in pathlib.Path(place).parents}
    for library in ("libQt6Core", "libQt6Gui"):
        assert any(library in place for place in places), places
    assert others <= {"libc", "libm", "libgcc_s", "libstdc++", "ld-linux-x86-64", "ld-linux-aarch64"}, others


def draws_with_its_fonts(home, cli):
    """On a system without fonts, the bundled fonts render text that would otherwise be boxes."""
    drawn = {}
    (home / "none.conf").write_text(NO_FONTS)
    for name, fonts in (("none", home / "none.conf"), ("carried", cli.parents[1] / "share/sunder/fonts/fonts.conf")):
        picture = home / f"{name}.png"
        run(cli, "render", SAMPLES / "transformer.pt2", picture, env={"HOME": str(home), "FONTCONFIG_FILE": str(fonts)})
        drawn[name] = picture.read_bytes()
    assert drawn["none"] != drawn["carried"], "the bundled fonts are not used"


def main():
    build = pathlib.Path(sys.argv[1])
    if why := why_not():
        print(f"no wheel can be built: {why}")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        home = pathlib.Path(scratch)
        run(sys.executable, "-m", "venv", home / "venv")
        if not can_build(home):
            print("no wheel can be built: pip cannot fetch setuptools here")
            return 77
        run(TOP / "packaging/wheel", "--of", build, home / "wheels")
        plain, carrying = sorted((home / "wheels").iterdir(), key=lambda path: path.stat().st_size)
        assert plain.name.endswith("-none-any.whl") and "-manylinux_" in carrying.name, (plain, carrying)
        version = changelog.read_changelog()[0].version.replace("~", "")
        assert {path.name.split("-")[1] for path in (plain, carrying)} == {version}, (plain, carrying, version)
        run(home / "venv/bin/pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", carrying)
        environment = {"HOME": str(home), "PATH": "/nowhere"}
        picture = home / "picture.png"
        said = run(home / "venv/bin/python", "-c", CALLS, SAMPLES / "transformer.pt2", SAMPLES / "transformer.tags.json", picture,
                   env=environment, cwd=home).splitlines()
        cli = pathlib.Path(said[0])
        assert home / "venv" in cli.parents, f"{cli} is not the program of the wheel"
        assert int(said[1]) == json.loads(run(build / "bin/sunder-cli", "info", SAMPLES / "transformer.pt2", "--json"))["nodes"]
        theirs = home / "theirs.png"
        run(build / "bin/sunder-cli", "render", SAMPLES / "transformer.pt2", theirs, "--tags", SAMPLES / "transformer.tags.json",
            env=dict(os.environ, HOME=str(home)))
        assert picture.read_bytes() == theirs.read_bytes(), "the program of the wheel draws a different picture"
        only_ours(home, cli, SAMPLES / "transformer.pt2")
        draws_with_its_fonts(home, cli)
    return 0


if __name__ == "__main__":
    sys.exit(main())
