#!/usr/bin/env python3
"""installed_texts.py SUNDER SUNDER_CLI FOLDER: generates the installed texts from the output of the programs: man pages,
completions, metainfo, the changelog. Writes them to share/ in FOLDER."""
from __future__ import annotations

import gzip
import html
import pathlib
import shutil
import sys

import completions
from changelog import PLACE, Release, read_changelog
from man_pages import man_pages
from program_help import read_programs


def zipped(text: str) -> bytes:
    """Compresses data. The same data give the same bytes."""
    return gzip.compress(text.encode("utf-8"), 9, mtime=0)


def metainfo(releases: list[Release]) -> str:
    """Returns the committed metainfo, with a release for each entry of the changelog."""
    text = (PLACE.parent / "sunder.metainfo.xml").read_text(encoding="utf-8")
    entries = []
    for release in releases:
        items = "".join(f"          <li>{html.escape(change)}</li>\n" for change in release.changes)
        entries.append(
            f'    <release version="{release.version}" date="{release.day}">\n      <description>\n        <ul>\n{items}'
            "        </ul>\n      </description>\n    </release>\n"
        )
    if "  <releases/>\n" not in text:
        raise SystemExit("packaging/sunder.metainfo.xml has no <releases/> to fill")
    return text.replace("  <releases/>\n", f"  <releases>\n{''.join(entries)}  </releases>\n")


def main() -> None:
    sunder, cli, folder = sys.argv[1:]
    programs, releases = read_programs(sunder, cli), read_changelog()
    files: dict[str, str | bytes] = {
        "bash-completion/completions/sunder": completions.bash_for_window(programs.window),
        "bash-completion/completions/sunder-cli": completions.bash_for_commands(programs),
        "zsh/vendor-completions/_sunder": completions.zsh_for_window(programs.window),
        "zsh/vendor-completions/_sunder-cli": completions.zsh_for_commands(programs),
        "fish/vendor_completions.d/sunder.fish": completions.fish_for_window(programs.window),
        "fish/vendor_completions.d/sunder-cli.fish": completions.fish_for_commands(programs),
        "metainfo/io.github.sunder.Sunder.metainfo.xml": metainfo(releases),
        "doc/sunder/changelog.gz": zipped(PLACE.read_text(encoding="utf-8")),
    }
    for name, page in man_pages(programs, releases[0]).items():
        files[f"man/man1/{name}.gz"] = zipped(page)
    share = pathlib.Path(folder) / "share"
    shutil.rmtree(share, ignore_errors=True)  # removes pages of commands that no longer exist
    for name, content in files.items():
        path = share / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))


if __name__ == "__main__":
    main()
