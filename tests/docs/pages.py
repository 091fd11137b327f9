"""Pages in Markdown: their sections, and the fenced blocks that tests run or compare. The line that opens a block says what
it is for:

    ```sh                 commands, run in the order of the pages; "# exit 1" behind one is the status that it ends with
    ```json file=x.json   a file that the commands read (any language)
    ```json shows=x.json  what a file holds that the commands before it have written
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
            raise SystemExit(f"docs/{page}:{at + 1}: no test knows what this block is: {lines[at]}")
        if not opened:
            at += 1
            continue
        end = lines.index("```", at + 1)
        found.append(Block(page, at + 1, opened[1], opened[2] or "", opened[3] or "", "\n".join(lines[at + 1:end]) + "\n"))
        at = end + 1
    return found


def without_blocks(text):
    return re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)


def sections(page):
    """Headings with what stands below each, up to the next heading of whatever depth."""
    found = []
    for line in without_blocks(text_of(page)).split("\n"):
        if line.startswith("#"):
            found.append(Section(line.lstrip("#").strip(), ""))
        elif found:
            found[-1].text += line + "\n"
    return found


def anchor(title):
    """The name that a heading can be linked by."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
