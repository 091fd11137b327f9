#!/usr/bin/env python3
"""is_made.py BUILD FOLDER: builds the Debian package of the programs in BUILD and unpacks it into FOLDER/root like an
installation. A second build must have the same contents, byte for byte."""
import pathlib
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]


def made(build, folder, *compression):
    subprocess.run([TOP / "packaging/package", "--of", build, folder, *compression], check=True)
    packages = list(folder.glob("sunder_*.deb"))
    assert len(packages) == 1, f"packages in {folder}: {packages}"
    return packages[0]


def held_by(package):
    return [subprocess.run(["dpkg-deb", part, package], capture_output=True, check=True).stdout
            for part in ("--ctrl-tarfile", "--fsys-tarfile")]


def main():
    build, folder = map(pathlib.Path, sys.argv[1:])
    missing = [tool for tool in ("dpkg-deb", "dpkg-shlibdeps", "cpack", "file") if shutil.which(tool) is None]
    shutil.rmtree(folder, ignore_errors=True)
    if missing:
        print(f"no package can be built: {', '.join(missing)} is not installed")
        return 77
    package = made(build, folder, "gzip")  # xz takes five times as long
    again = made(build, folder / "again", "gzip")
    if held_by(package) != held_by(again):
        print(f"{again} differs from {package}, although the programs are the same")
        return 1
    subprocess.run(["dpkg-deb", "--extract", package, folder / "root"], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
