"""The output of --help of sunder and sunder-cli: commands, options, values. Man pages and completions are generated from it, so
they match the programs."""
from __future__ import annotations

import dataclasses
import itertools
import os
import re
import subprocess


def choices_of(value: str) -> list[str]:
    """Returns the permitted words, if a value is one of several words ("bytes|nodes")."""
    return [word for word in value.split("|") if "|" in value and re.fullmatch(r"[a-z_-]+", word)]


@dataclasses.dataclass(frozen=True)
class Option:
    """An option: its names ("-h", "--help") and the name of its value ("TAGS.json", "bytes|nodes"), empty if it has none."""

    names: tuple[str, ...]
    value: str
    text: str

    @property
    def choices(self) -> list[str]:
        """Returns the permitted words, if the value is one of several words."""
        return choices_of(self.value)


@dataclasses.dataclass(frozen=True)
class Command:
    """A command of sunder-cli with its own options, or a program. The name has one word, or two ("tags rename"); `files` are the
    names of the other arguments."""

    name: str
    files: tuple[str, ...]
    summary: str
    options: tuple[Option, ...]


@dataclasses.dataclass(frozen=True)
class Programs:
    """The window, the commands of sunder-cli, and the options that all of them have."""

    window: Command
    commands: tuple[Command, ...]
    common: tuple[Option, ...]


def _help_of(*words: str) -> str:
    environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", LC_ALL="C.UTF-8")
    done = subprocess.run([*words, "--help"], capture_output=True, text=True, encoding="utf-8", env=environment)
    if done.returncode != 0 or not done.stdout:
        raise SystemExit(f"{' '.join(words)} --help ends with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def _options_in(text: str) -> tuple[Option, ...]:
    """Returns the options of a help text. Joins lines that Qt has wrapped."""
    found: list[Option] = []
    for line in text.partition("\nOptions:\n")[2].splitlines():
        head = re.match(r"  (-\S+(?:, -\S+)*)(?: <([^>]*)>)?(?:  +(.*))?$", line)
        if head:
            found.append(Option(tuple(head[1].split(", ")), head[2] or "", head[3] or ""))
        elif line.startswith("   ") and found:
            last = found.pop()
            found.append(dataclasses.replace(last, text=f"{last.text} {line.strip()}".strip()))
        else:
            break
    if not found:
        raise SystemExit("a help text has no options:\n" + text)
    return tuple(found)


def _commands_of(cli: str) -> list[Command]:
    commands = []
    for call, text in re.findall(r"^  sunder-cli (\S.*?)  +(\S.*)$", _help_of(cli), re.M):
        words = call.split()
        name = list(itertools.takewhile(lambda word: re.fullmatch("[a-z-]+", word), words))
        commands.append(Command(" ".join(name), tuple(words[len(name) :]), text, _options_in(_help_of(cli, *name))))
    return commands


def _window_of(sunder: str) -> Command:
    text = _help_of(sunder)
    lines = text.splitlines()
    files = re.findall(r"\[?([A-Z]+)\]?", lines[0].partition("[options]")[2])
    return Command("sunder", tuple(files), lines[1].strip(), _options_in(text))


def read_programs(sunder: str, cli: str) -> Programs:
    """Reads the help of both programs."""
    commands = _commands_of(cli)
    if not commands:
        raise SystemExit(f"{cli} --help lists no commands")
    common = tuple(option for option in commands[0].options if all(option in command.options for command in commands))
    own = [
        dataclasses.replace(command, options=tuple(option for option in command.options if option not in common))
        for command in commands
    ]
    return Programs(_window_of(sunder), tuple(own), common)
