"""Completion of command lines for bash, zsh and fish, made of what the programs say with --help."""
from __future__ import annotations

import dataclasses
from typing import Callable, Sequence

from program_help import Command, Option, Programs

MODELS = ("pt2", "fxj", "fxj.gz", "json", "sunder")
HEAD = "# Made by packaging/python/completions.py of what --help says.\n"


def suffixes_of(value: str) -> tuple[str, ...] | None:
    """Which files a value or an argument of that name may be, () for all; None where it is no file."""
    if value in ("IN", "A", "B", "OLD", "MODEL"):
        return MODELS
    if value in ("OUT", "FILE"):
        return ()
    stem, dot, suffix = value.rpartition(".")
    return (suffix,) if dot and stem.isupper() else None


def summary_of(option: Option) -> str:
    """Its first sentence, as far as it ends with a full stop."""
    return option.text.split(". ")[0].rstrip(".")


@dataclasses.dataclass(frozen=True)
class Shell:
    """How a shell is told what may stand in a place."""

    words: Callable[[Sequence[str]], str]
    folders: str
    files: Callable[[tuple[str, ...]], str]
    nothing: str

    def place(self, name: str) -> str:
        """Of an argument, or the value of an option, by its name."""
        suffixes = suffixes_of(name)
        return self.nothing if suffixes is None else self.files(suffixes)

    def value(self, option: Option) -> str:
        if option.choices:
            return self.words(option.choices)
        return self.folders if option.value == "DIR" else self.place(option.value)


# bash

BASH = Shell(
    words=lambda words: f"_sunder_words '{' '.join(words)}'",
    folders="_sunder_files '/'",
    files=lambda suffixes: f"_sunder_files '{'|'.join(suffixes)}'",
    nothing="COMPREPLY=()",
)


def _bash_cases(name: str, options: tuple[Option, ...]) -> str:
    return "".join(
        f"        {'|'.join(f'{name}:{spelled}' for spelled in option.names)}) {BASH.value(option)}; return ;;\n"
        for option in options
        if option.value
    )


def _names(options: tuple[Option, ...]) -> str:
    return " ".join(name for option in options for name in option.names)


BASH_FUNCTIONS = r"""
# Words of which one may stand here.
_sunder_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }

# Folders, and files whose names end so: 'pt2|fxj', '' any file, '/' none.
_sunder_files() {
    local name
    compopt -o filenames 2>/dev/null
    COMPREPLY=()
    while IFS= read -r name; do
        if [ -z "$1" ] || [ -d "${name/#\~/$HOME}" ] || [[ $name =~ \.($1)$ ]]; then COMPREPLY+=("$name"); fi
    done < <(compgen -f -- "$cur")
}
"""


def bash_for_commands(programs: Programs) -> str:
    options = "".join(f"        {c.name}) _sunder_words '{_names(c.options + programs.common)}' ;;\n" for c in programs.commands)
    values = "".join(_bash_cases(command.name, command.options) for command in programs.commands)
    without_files = "|".join(command.name for command in programs.commands if not command.files)
    return (
        HEAD
        + BASH_FUNCTIONS
        + f"""
_sunder_cli() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}}
    if [ "$COMP_CWORD" -eq 1 ]; then
        _sunder_words '{" ".join(command.name for command in programs.commands)} --help --version'
        return
    fi
    case $command:$prev in
{values}{_bash_cases("*", programs.common)}    esac
    if [[ $cur != -* ]]; then
        case $command in
        {without_files or "-"}) COMPREPLY=() ;;
        *) _sunder_files '{"|".join(MODELS)}' ;;
        esac
        return
    fi
    case $command in
{options}    esac
}}
complete -F _sunder_cli sunder-cli
"""
    )


def bash_for_window(window: Command) -> str:
    return (
        HEAD
        + BASH_FUNCTIONS
        + f"""
_sunder() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD - 1]}}
    case sunder:$prev in
{_bash_cases("sunder", window.options)}    esac
    if [[ $cur == -* ]]; then
        _sunder_words '{_names(window.options)}'
    else
        _sunder_files '{"|".join(MODELS)}'
    fi
}}
complete -F _sunder sunder
"""
    )


# zsh


def _zsh_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _zsh_files(suffixes: tuple[str, ...]) -> str:
    return f'_files -g "*.({"|".join(suffixes)})(-.)"' if suffixes else "_files"


ZSH = Shell(words=lambda words: f"({' '.join(words)})", folders="_files -/", files=_zsh_files, nothing=" ")


def _zsh_option(option: Option) -> list[str]:
    text = summary_of(option)
    for special in "\\[]:":
        text = text.replace(special, "\\" + special)
    value = f":{option.value.replace(':', ' ')}:{ZSH.value(option)}" if option.value else ""
    repeated = "*" if "several times" in option.text else ""
    return [_zsh_quoted(f"{repeated}{name}[{text}]{value}") for name in option.names]


def _zsh_arguments(command: Command, options: tuple[Option, ...]) -> str:
    words = [word for option in options for word in _zsh_option(option)]
    words += [_zsh_quoted(f":{file}:{ZSH.place(file)}") for file in command.files]
    return " \\\n            ".join(words)


def zsh_for_commands(programs: Programs) -> str:
    listed = "\n".join(f"        {_zsh_quoted(f'{c.name}:{c.summary}')}" for c in programs.commands)
    cases = "".join(
        f"        {command.name}) _arguments -s \\\n            {_zsh_arguments(command, command.options + programs.common)} ;;\n"
        for command in programs.commands
    )
    return f"""#compdef sunder-cli
{HEAD}
_sunder_cli() {{
    local -a commands
    commands=(
{listed}
    )
    if (( CURRENT == 2 )); then
        _describe -t commands command commands
        _arguments '--help[tells the commands]' '--version[tells the version]'
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{cases}    esac
}}
_sunder_cli "$@"
"""


def zsh_for_window(window: Command) -> str:
    return f"#compdef sunder\n{HEAD}\n_arguments -s \\\n            {_zsh_arguments(window, window.options)}\n"


# fish


def _fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _fish_files(suffixes: tuple[str, ...]) -> str:
    if not suffixes:
        return "-r -F"
    return "-k -x -a " + _fish_quoted(f"(__fish_complete_suffix {' '.join('.' + suffix for suffix in suffixes)})")


FISH = Shell(
    words=lambda words: f"-x -a {_fish_quoted(' '.join(words))}",
    folders="-x -a '(__fish_complete_directories)'",
    files=_fish_files,
    nothing="-x",
)


def _fish_options(program: str, options: tuple[Option, ...], condition: str = "") -> str:
    lines = ""
    for option in options:
        names = "".join(f" -{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in option.names)
        value = f" {FISH.value(option)}" if option.value else ""
        lines += f"complete -c {program}{condition}{names}{value} -d {_fish_quoted(summary_of(option))}\n"
    return lines


def fish_for_commands(programs: Programs) -> str:
    text = HEAD + "complete -c sunder-cli -f\n"
    for command in programs.commands:
        text += (
            f"complete -c sunder-cli -n __fish_use_subcommand -a {command.name} -d {_fish_quoted(command.summary)}\n"
        )
    text += "complete -c sunder-cli -n __fish_use_subcommand -l help -d 'Tells the commands'\n"
    text += "complete -c sunder-cli -n __fish_use_subcommand -l version -d 'Tells the version'\n"
    for command in programs.commands:
        condition = f" -n '__fish_seen_subcommand_from {command.name}'"
        text += _fish_options("sunder-cli", command.options + programs.common, condition)
        if command.files:
            text += f"complete -c sunder-cli{condition} {_fish_files(MODELS)}\n"
    return text


def fish_for_window(window: Command) -> str:
    return HEAD + _fish_options("sunder", window.options) + f"complete -c sunder {_fish_files(MODELS)}\n"
