"""Generates man pages of both programs and of every command. Options and commands come from --help, examples and exit statuses
from docs/command-line.md, which tests run, and all other text from packaging/man/."""
from __future__ import annotations

import pathlib
import re

from changelog import Release
from program_help import Command, Option, Programs

PACKAGING = pathlib.Path(__file__).resolve().parents[1]
HANDBOOK = PACKAGING.parent / "docs" / "command-line.md"


def escaped(text: str) -> str:
    """Escapes text for troff: hyphens can be copied, and no line is a request."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def of_markdown(text: str) -> str:
    """Converts a paragraph or table cell: code becomes bold, and links become their text."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`([^`]*)`", r"\\fB\1\\fR", escaped(text).replace("\\\\|", "|"))


def option_list(options: tuple[Option, ...]) -> str:
    """Returns the options, each with its value and description."""
    lines = []
    for option in options:
        names = ", ".join(f"\\fB{escaped(name)}\\fR" for name in option.names)
        value = f" \\fI{escaped(option.value)}\\fR" if option.value else ""
        lines.append(f".TP\n{names}{value}\n{escaped(option.text)}")
    return "\n".join(lines)


def section_about(command: str, handbook: str) -> str:
    """Returns the section of docs/command-line.md about a command."""
    found = re.findall(rf"^## [^\n]*`{command}[ `][^\n]*\n(.*?)(?=^## )", handbook, re.M | re.S)
    if not found:
        raise SystemExit(f"{HANDBOOK} has no section about {command}")
    return "\n".join(found)


def examples_of(command: str, handbook: str) -> list[str]:
    """Returns the command lines in a section, without the comments for tests."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", section_about(command, handbook), re.M | re.S)
    lines = [line.partition(" # ")[0] for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.startswith(f"sunder-cli {command} ")]


def statuses(handbook: str) -> str:
    table = handbook.partition("## Status and errors")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", table, re.M)
    if not rows:
        raise SystemExit(f"{HANDBOOK} has no table of exit statuses")
    return "\n".join(f".TP\n.B {status}\n{of_markdown(text)}" for status, text in rows)


def name_of(summary: str) -> str:
    """Returns a summary for NAME: lower case at the start, and without a full stop."""
    return escaped(summary[0].lower() + summary[1:].rstrip("."))


def page_of(command: Command) -> str:
    """Returns the name of the page of a command."""
    return f"sunder-cli-{command.name.replace(' ', '-')}"


def command_page(command: Command, programs: Programs, release: Release, handbook: str) -> str:
    name = page_of(command)
    files = " ".join(f"\\fI{file}\\fR" for file in command.files)
    shown = "\n".join(f"    {escaped(line)}" for line in examples_of(command.name, handbook))
    own = option_list(command.options) if command.options else "Only the common options."
    return f""".TH {escaped(name.upper())} 1 "{release.day}" "Sunder {release.version}" "User Commands"
.SH NAME
{name} \\- {name_of(command.summary)}
.SH SYNOPSIS
.B sunder-cli {command.name}
.RI [ OPTION ]...
{files}
.SH DESCRIPTION
{escaped(command.summary)}
.SH OPTIONS
{own}
.SS Options of every command
{option_list(programs.common)}
.SH EXIT STATUS
0: done, 1: refused or not equivalent, 2: wrong command line, 3: a file cannot be read or written, 4: interrupted; see
.BR sunder-cli (1).
.SH EXAMPLES
.EX
{shown}
.EE
.SH SEE ALSO
.BR sunder-cli (1),
.BR sunder (1)
.PP
.I /usr/share/doc/sunder/docs/command-line.md
documents the output and all side files.
"""


def filled(template: str, values: dict[str, str]) -> str:
    text = (PACKAGING / "man" / template).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    if left := re.search(r"@[A-Z]+@", text):
        raise SystemExit(f"packaging/man/{template}: unknown placeholder {left[0]}")
    return text


def man_pages(programs: Programs, release: Release) -> dict[str, str]:
    """Returns all pages by file name."""
    handbook = HANDBOOK.read_text(encoding="utf-8") + "\n## "
    always = {"DAY": release.day, "VERSION": release.version}
    listed = "\n".join(
        f".TP\n.B {escaped(' '.join((command.name, *command.files)))}\n{escaped(command.summary)}"
        for command in programs.commands
    )
    beside = ",\n".join(f".BR {page_of(command)} (1)" for command in programs.commands)
    pages = {
        "sunder.1": filled(
            "sunder.1.in",
            always | {"SUMMARY": escaped(programs.window.summary), "OPTIONS": option_list(programs.window.options)},
        ),
        "sunder-cli.1": filled(
            "sunder-cli.1.in",
            always
            | {"COMMANDS": listed, "OPTIONS": option_list(programs.common), "STATUS": statuses(handbook), "PAGES": beside},
        ),
    }
    for command in programs.commands:
        pages[f"{page_of(command)}.1"] = command_page(command, programs, release, handbook)
    return pages
