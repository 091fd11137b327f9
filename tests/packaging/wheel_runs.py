#!/usr/bin/env python3
"""wheel_runs.py BUILD: checks that the wheel with the programs, installed into an empty environment, is sufficient to run them:
beside the libraries of this system, and in a root folder that has only Python, libc, and the compiler's libraries."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "packaging/python"))
import carried_libraries  # noqa: E402
import changelog  # noqa: E402

SAMPLES = TOP / "resources/samples"
CALLS = """
import sys
import sunder.programs as programs
model, tags, picture = sys.argv[1:]
print(programs.find("sunder-cli"))
print(programs.run("info", model)["nodes"])
programs.run("render", model, picture, "--tags", tags)
"""
# The files of Python that the commands import.
IMPORTED = "import encodings.ascii, re, runpy, sys, sunder.__main__; print(*{m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)})"
NO_FONTS = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig/>'
ENTER = 'mount --rbind /proc "$0/proc" && PATH="$PATH:/usr/sbin" exec chroot "$0" "$@"'


def run(*words, **more):
    return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True, timeout=300, **more).stdout


def why_not():
    """Returns the reason why no wheel can be built here, or an empty string."""
    missing = [tool for tool in ("patchelf", "dpkg-query", "ldd") if shutil.which(tool) is None]
    if missing:
        return f"{', '.join(missing)} is not installed"
    if subprocess.run(["dpkg-query", "-W", "qt6-wayland"], capture_output=True).returncode != 0:
        return "qt6-wayland is not installed"
    if subprocess.run([sys.executable, "-m", "ensurepip", "--version"], capture_output=True).returncode != 0:
        return "python3-venv is not installed"
    return ""


def can_build(home):
    """Whether pip can fetch its build dependencies, which needs a network."""
    words = ["install", "--quiet", "--disable-pip-version-check", "--target", home / "setuptools", "setuptools>=64"]
    return subprocess.run([home / "root/venv/bin/pip", *words], capture_output=True).returncode == 0


def only_ours(home, package, model):
    """The programs load only libc and compiler libraries from the system, whatever the environment says about libraries and Qt."""
    system = pathlib.Path(re.search(r"/\S+(?=/libstdc\+\+)", run("ldd", package / "bin/sunder"))[0])
    environment = {"HOME": str(home), "XDG_RUNTIME_DIR": str(home), "QT_QPA_PLATFORM": "offscreen"}
    environment |= {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(home / "loaded"), "LD_LIBRARY_PATH": str(system),
                    "QT_PLUGIN_PATH": str(system / "qt6/plugins"), "QT_QPA_PLATFORM_PLUGIN_PATH": str(system / "qt6/plugins/platforms")}
    for words in (("sunder-cli", "info", model), ("sunder-cli", "render", model, home / "loaded.svg")):
        assert run(package / "bin" / words[0], *words[1:], env=environment), "sunder-cli printed nothing"
    opens(package / "bin/sunder", model, environment=environment)
    text = "".join(path.read_text() for path in home.glob("loaded.*[0-9]"))
    places = {line.split("calling init: ")[1] for line in text.splitlines() if "calling init: " in line}
    others = {pathlib.Path(place).name.split(".")[0] for place in places if package not in pathlib.Path(place).parents}
    for library in ("libQt6Core", "libQt6Gui", "libQt6Widgets", "libqoffscreen"):
        assert any(library in place for place in places), places
    assert others <= {"libc", "libm", "libgcc_s", "libstdc++", "ld-linux-x86-64", "ld-linux-aarch64"}, others


def draws_with_its_fonts(home, package):
    """On a system without fonts, the bundled fonts render text that would otherwise be boxes."""
    drawn = {}
    (home / "none.conf").write_text(NO_FONTS)
    for name, fonts in (("none", home / "none.conf"), ("carried", package / "share/sunder/fonts/fonts.conf")):
        picture = home / f"{name}.png"
        run(package / "bin/sunder-cli", "render", SAMPLES / "transformer.pt2", picture,
            env={"HOME": str(home), "FONTCONFIG_FILE": str(fonts)})
        drawn[name] = picture.read_bytes()
    assert drawn["none"] != drawn["carried"], "the bundled fonts are not used"
    return drawn["carried"]


def opens(*words, environment):
    """The window shows a model and ends when asked."""
    window = subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True,
                              env=environment | {"QT_LOGGING_RULES": "sunder.*=true"})
    said = []
    for line in window.stderr:
        said.append(line)
        if line.startswith("sunder.jobs: done Draw transformer"):
            break
    window.send_signal(signal.SIGTERM)
    rest = window.communicate(timeout=60)[1]
    assert "sunder.jobs: done Draw transformer\n" in said and window.returncode == 0, (words, "".join(said), rest)
    others = [line for line in said if not line.startswith(("sunder.", "This plugin does not support"))]
    assert not others, others


def fill_root(root):
    """Copies Python, libc, and the compiler's libraries to the root folder of the environment `venv`."""
    python = root / "venv/bin/python3"
    binary = pathlib.Path(os.path.realpath(python))
    files = {str(binary), *run(python, "-c", IMPORTED).split()}
    needed = [line.split(" => ")[-1].split()[0] for line in run("ldd", binary).splitlines()]
    system = pathlib.Path(next(place for place in needed if place.endswith("/libc.so.6"))).parent
    libraries = {place for place in needed if place.startswith("/")}
    libraries |= {str(path) for path in system.glob("lib*.so.*") if carried_libraries.EVERYWHERE.fullmatch(path.name)}
    for place in files | libraries:
        inside = root / place.lstrip("/")
        if root not in pathlib.Path(place).parents and not inside.exists():
            inside.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(place, inside)
    python.unlink()
    python.symlink_to(binary)
    for name in ("proc", "run", "tmp"):
        (root / name).mkdir(mode=0o700, exist_ok=True)
    inside = root / str(root).lstrip("/")  # the commands name their Python by its path outside
    inside.parent.mkdir(parents=True, exist_ok=True)
    inside.symlink_to("/")


def runs_in_an_empty_root(root, package, picture):
    """All commands work in a root folder without the system's libraries and fonts: on every platform for which there is a display."""
    enter = ["unshare", *([] if os.getuid() == 0 else ["--map-root-user"]), "--mount", "sh", "-c", ENTER, root]
    if subprocess.run([*enter, "/venv/bin/python3", "-c", ""], capture_output=True).returncode != 0:
        print("not tested without the system's libraries: no root folder can be entered here")
        return
    environment = {"PATH": os.environ["PATH"], "HOME": "/tmp", "XDG_RUNTIME_DIR": "/run"}
    inside = pathlib.Path("/") / package.relative_to(root)
    model = inside / "share/sunder/samples/transformer.pt2"
    assert not (root / "usr/share").exists() and not (root / "etc").exists()
    for command in (["/venv/bin/sunder"], ["/venv/bin/python3", "-m", "sunder"]):
        assert run(*enter, *command, "--version", env=environment).startswith("sunder ")
    assert json.loads(run(*enter, "/venv/bin/sunder-cli", "info", model, "--json", env=environment))["nodes"] > 100
    run(*enter, "/venv/bin/sunder-cli", "render", model, "/tmp/picture.png", env=environment)
    assert (root / "tmp/picture.png").read_bytes() == picture, "in the empty root, a different picture is drawn"
    opens(*enter, "/venv/bin/sunder", model, environment=environment | {"QT_QPA_PLATFORM": "offscreen"})
    # The plugins of both platforms can be loaded, so they look for a display.
    gnome = {"DISPLAY": ":9999", "WAYLAND_DISPLAY": "none", "XDG_CURRENT_DESKTOP": "ubuntu:GNOME"}
    for display, name in (({"DISPLAY": ":9999"}, "display :9999"), ({"WAYLAND_DISPLAY": "none"}, "Wayland display none"),
                          (gnome, "display :9999"), (gnome | {"XDG_CURRENT_DESKTOP": "KDE"}, "Wayland display none")):
        done = subprocess.run([*enter, "/venv/bin/sunder"], env=environment | display, capture_output=True, text=True)
        assert done.returncode == 1, done
        assert done.stderr == f"sunder: no window can be opened: could not connect to {name}\n", done.stderr
    if shutil.which("Xvfb"):
        read, write = os.pipe()
        server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24"], pass_fds=[write],
                                  stderr=subprocess.DEVNULL)
        try:
            display = os.read(read, 20).decode().strip()  # a socket without a path, which is in every root folder
            opens(*enter, "/venv/bin/sunder", model, environment=environment | {"DISPLAY": f":{display}"})
        finally:
            server.terminate()
            server.wait()


def plain_wheel_says_what_is_missing(root, package):
    shutil.rmtree(package / "bin")
    for name in ("sunder", "sunder-cli"):
        done = subprocess.run([root / "venv/bin" / name, "model.pt2"], env={"PATH": str(root / "venv/bin")}, capture_output=True, text=True)
        assert done.returncode == 1 and not done.stdout, done
        start = f"{name}: the Python package contains no program {name}, and PATH has none: install the wheel for this platform"
        assert done.stderr.startswith(start) and done.stderr.count("\n") == 1, done.stderr


def main():
    build = pathlib.Path(sys.argv[1])
    if why := why_not():
        print(f"no wheel can be built: {why}")
        return 77
    with tempfile.TemporaryDirectory() as scratch:
        home = pathlib.Path(scratch).resolve()
        root = home / "root"
        run(sys.executable, "-m", "venv", root / "venv")
        if not can_build(home):
            print("no wheel can be built: pip cannot fetch setuptools here")
            return 77
        run(TOP / "packaging/wheel", "--of", build, home / "wheels")
        plain, carrying = sorted((home / "wheels").iterdir(), key=lambda path: path.stat().st_size)
        assert plain.name.endswith("-none-any.whl") and "-manylinux_" in carrying.name, (plain, carrying)
        version = changelog.read_changelog()[0].version.replace("~", "")
        assert {path.name.split("-")[1] for path in (plain, carrying)} == {version}, (plain, carrying, version)
        run(root / "venv/bin/pip", "install", "--quiet", "--no-deps", "--no-index", "--disable-pip-version-check", carrying)
        environment = {"HOME": str(home), "PATH": "/nowhere"}
        picture = home / "picture.png"
        said = run(root / "venv/bin/python", "-c", CALLS, SAMPLES / "transformer.pt2", SAMPLES / "transformer.tags.json", picture,
                   env=environment, cwd=home).splitlines()
        package = pathlib.Path(said[0]).parents[1]
        assert root / "venv" in package.parents, f"{said[0]} is not the program of the wheel"
        assert int(said[1]) == json.loads(run(build / "bin/sunder-cli", "info", SAMPLES / "transformer.pt2", "--json"))["nodes"]
        theirs = home / "theirs.png"
        run(build / "bin/sunder-cli", "render", SAMPLES / "transformer.pt2", theirs, "--tags", SAMPLES / "transformer.tags.json",
            env=dict(os.environ, HOME=str(home)))
        assert picture.read_bytes() == theirs.read_bytes(), "the program of the wheel draws a different picture"
        only_ours(home, package, SAMPLES / "transformer.pt2")
        drawn = draws_with_its_fonts(home, package)
        fill_root(root)
        runs_in_an_empty_root(root, package, drawn)
        plain_wheel_says_what_is_missing(root, package)
    return 0


if __name__ == "__main__":
    sys.exit(main())
