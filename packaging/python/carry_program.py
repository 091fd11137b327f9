#!/usr/bin/env python3
"""carry_program.py WHEEL BIN FOLDER: adds the programs of the folder BIN to the plain wheel of the package sunder, with all that they
need, for machines with this processor and this libc or a newer one. Needs patchelf."""
from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import platform
import re
import shutil
import sys
import tempfile
import zipfile

from carried_libraries import libraries_of, origin_of, run
from changelog import PLACE, read_changelog

QT_CONF = "[Paths]\nPrefix=..\nPlugins=lib/plugins\n"
FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <match><edit name="family" mode="append_last"><string>DejaVu Sans</string></edit></match>
  <alias><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
"""
PROGRAMS = ("sunder", "sunder-cli", "sunder-draw")
PLUGINS = (
    "platforms/libqxcb.so",
    "platforms/libqwayland-generic.so",  # draws in shared memory; libqwayland-egl.so draws with OpenGL, which Sunder does not use
    "platforms/libqoffscreen.so",
    "wayland-shell-integration/libxdg-shell.so",
    "platforminputcontexts/libcomposeplatforminputcontextplugin.so",
    "platforminputcontexts/libibusplatforminputcontextplugin.so",
    "imageformats/libqsvg.so",
    "iconengines/libqsvgicon.so",
)
FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf")


def platform_tag() -> str:
    libc = os.confstr("CS_GNU_LIBC_VERSION")
    if not libc or not libc.startswith("glibc "):
        raise SystemExit("a wheel with programs needs glibc, which this machine lacks")
    return f"manylinux_{libc.split()[1].replace('.', '_')}_{platform.machine()}"


def one(pattern: str) -> pathlib.Path:
    """Returns the file below /usr that matches a pattern."""
    found = sorted(pathlib.Path("/usr").glob(pattern))
    if not found:
        raise SystemExit(f"/usr/{pattern} does not exist")
    return found[0]


def dot_plugins(library: pathlib.Path) -> str:
    """Returns Graphviz's list of plugins, reduced to the included one. Graphviz searches graphviz/ next to libgvc."""
    listed = next(library.parent.glob("config[0-9]*"), None)
    if listed is None:
        raise SystemExit(f"{library.parent} has no list of Graphviz's plugins: run dot -c")
    block = re.search(rf"^{re.escape(library.name)} \w+ {{\n.*?^}}\n", listed.read_text(encoding="utf-8"), re.M | re.S)
    if not block:
        raise SystemExit(f"{listed} does not name {library.name}")
    return block[0]


def gather(programs: pathlib.Path, package: pathlib.Path, licenses: pathlib.Path) -> None:
    """Copies the programs and their dependencies to the folder of the package: bin/, lib/, share/."""
    copy_data(package)
    needed = libraries_of(programs / name for name in PROGRAMS)
    system = needed["libQt6Core.so.6"].parent
    plugins = {f"lib/plugins/{name}": system / "qt6/plugins" / name for name in PLUGINS}
    dot = next(path for path in sorted(system.glob("graphviz/libgvplugin_dot_layout.so.*")) if re.search(r"\.so\.\d+$", path.name))
    needed |= libraries_of([*plugins.values(), dot])
    placed = {f"lib/{name}": path for name, path in needed.items()} | plugins
    placed[f"lib/graphviz/{dot.name}"] = dot.resolve()
    # Used on machines without fonts.
    placed |= {f"share/sunder/fonts/{font}": one(f"share/fonts/truetype/dejavu/{font}") for font in FONTS}
    placed["share/sunder/X11/locale"] = pathlib.Path("/usr/share/X11/locale")  # dead keys; the keyboard layout comes from the display
    for name, path in placed.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if path.is_dir() else shutil.copyfile)(path, package / name)
    listed = next(dot.parent.glob("config[0-9]*"))
    (package / "lib/graphviz" / listed.name).write_text(dot_plugins(dot), encoding="utf-8")
    (package / "share/sunder/fonts/fonts.conf").write_text(FONTS_CONF, encoding="utf-8")
    note_origins(placed, licenses)

    (package / "bin").mkdir(exist_ok=True)
    for name in PROGRAMS:
        program = package / "bin" / name
        shutil.copyfile(programs / name, program)
        program.chmod(0o755)
        run("strip", str(program))
        # RPATH, not RUNPATH: it also applies to the dependencies of libraries, so these are included unchanged.
        run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../lib", str(program))
    (package / "bin/qt.conf").write_text(QT_CONF, encoding="utf-8")


def copy_data(package: pathlib.Path) -> None:
    """Copies the files that the programs look for in share/, as the Debian package has them: the samples, and the Python package,
    which they run in a Python of the user's choice, without the other packages of this one."""
    share = package / "share/sunder"
    shutil.copytree(package, share / "python/sunder", ignore=shutil.ignore_patterns("share", "__pycache__"))
    shutil.copyfile(PLACE, share / "changelog")  # for sunder/version.py
    shutil.copytree(PLACE.parents[1] / "resources/samples", share / "samples")


def note_origins(placed: dict[str, pathlib.Path], licenses: pathlib.Path) -> None:
    """Writes the license of each Debian package, and the list of its files and folders."""
    licenses.mkdir(parents=True, exist_ok=True)
    lines = ["Unchanged files of Debian packages; `apt-get source PACKAGE=VERSION` downloads their sources.\n"]
    for name, path in sorted(placed.items()):
        origin = origin_of(min(path.glob("*.*")) if path.is_dir() else path)
        shutil.copyfile(origin.license, licenses / origin.package)
        lines.append(f"sunder/{name}: {origin.package} {origin.version}, source {origin.source}")
    (licenses / "CARRIED.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    shutil.copyfile(PLACE.parent / "copyright", licenses / "sunder")


def write_record(folder: pathlib.Path, info: pathlib.Path) -> list[pathlib.Path]:
    """Yields all files in the order of the archive, RECORD last."""
    record = info / "RECORD"
    record.unlink(missing_ok=True)
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    lines = []
    for path in files:
        content = path.read_bytes()
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path.relative_to(folder)},sha256={digest},{len(content)}")
    record.write_text("\n".join([*lines, f"{record.relative_to(folder)},,"]) + "\n", encoding="utf-8")
    return [*files, record]


def packed(folder: pathlib.Path, info: pathlib.Path, wheel: pathlib.Path) -> None:
    """Packs a wheel. The same files give the same bytes, because their date is that of the newest entry in the changelog."""
    when = read_changelog()[0].when.timetuple()[:6]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in write_record(folder, info):
            entry = zipfile.ZipInfo(str(path.relative_to(folder)), when)
            entry.external_attr = (0o100755 if path.parent.name == "bin" and not path.suffix else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())


def main() -> None:
    plain, programs, folder = map(pathlib.Path, sys.argv[1:])
    tag = platform_tag()
    with tempfile.TemporaryDirectory() as scratch:
        top = pathlib.Path(scratch)
        with zipfile.ZipFile(plain) as archive:
            archive.extractall(top)
        info = next(top.glob("sunder-*.dist-info"))
        gather(programs, top / "sunder", info / "licenses")
        about = info / "WHEEL"
        text = re.sub(r"^Root-Is-Purelib: .*$", "Root-Is-Purelib: false", about.read_text(encoding="utf-8"), flags=re.M)
        about.write_text(re.sub(r"^Tag: .*$", f"Tag: py3-none-{tag}", text, flags=re.M), encoding="utf-8")
        wheel = folder / f"{info.name.removesuffix('.dist-info')}-py3-none-{tag}.whl"
        packed(top, info, wheel)
    print(wheel)


if __name__ == "__main__":
    main()
