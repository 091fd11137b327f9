"""Markdown pages: their sections, and the fenced blocks that tests run or compare. The first line of a block states its
purpose:

    ```sh                 commands, run in page order; "# exit 1" after a command is its expected status
    ```json file=x.json   an input file of the commands (any language)
    ```json shows=x.json  the contents of a file written by earlier commands
"""
import dataclasses
import pathlib
import re

TOP = pathlib.Path(__file__).resolve().parents[2]
DOCS = TOP / "docs"


@dataclasses.dataclass
class Block:
    page: str
    line: int
    language: str
    role: str  # "file", "shows" or ""
    name: str
    text: str


@dataclasses.dataclass
class Section:
    title: str
    text: str


def text_of(page):
    return (DOCS / page).read_text(encoding="utf-8")


def blocks(page):
    found, lines = [], text_of(page).split("\n")
    at = 0
    while at < len(lines):
        opened = re.fullmatch(r"```(\w+)(?: (file|shows)=(\S+))?", lines[at])
        if lines[at].startswith("```") and not opened:
            raise SystemExit(f"docs/{page}:{at + 1}: unknown kind of block: {lines[at]}")
        if not opened:
            at += 1
            continue
        end = lines.index("```", at + 1)
        found.append(Block(page, at + 1, opened[1], opened[2] or "", opened[3] or "", "\n".join(lines[at + 1:end]) + "\n"))
        at = end + 1
    return found


def commands_of(usage):
    """Returns the commands that `sunder-cli --help` lists. Some have two words: "tags rename"."""
    return re.findall(r"^  sunder-cli ([a-z-]+(?: [a-z-]+(?= ))?)", usage, re.M)


def without_blocks(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def sections(page):
    """Headings with the text below each, up to the next heading of any depth."""
    found = []
    for line in without_blocks(text_of(page)).split("\n"):
        if line.startswith("#"):
            found.append(Section(line.lstrip("#").strip(), ""))
        elif found:
            found[-1].text += line + "\n"
    return found


def anchor(title):
    """The anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
