#!/usr/bin/env python3
"""pages_are_complete.py SUNDER_CLI: checks that docs/ covers the program and names only what exists.

- docs/command-line.md has every option of every command in the section of that command, and a section for every side file.
  It names only existing options.
- docs/passes.md has every option that affects the result of a pass in the section of that pass, and every mode of the
  partitioners. A pass may have a separate page instead.
- docs/fx-json.md has every word known to the reader of fx-json, and docs/model-files.md the numbers of PyTorch's schema.
- README.md has the two commands near its top; commands and options in it exist.
- packaging/screenshots opens only commands that the palette has.
- Menu entries of the window exist.
- Links lead to existing files and headings; code and pages name only existing files.
"""
import re
import subprocess
import sys

import pages

PASSES = ["split", "move-non-tensor", "split-module", "partition", "unflatten", "regions", "dedup"]
# Options of passes that affect only output files, verification, and messages.
NOT_OF_A_PASS = {"o", "why", "no-verify", "unproven", "parts", "parts-format", "target-torch", "dag", "cost", "copies", "fqn-map", "tags", "subgraphs", "partitions", "result", "moves"}
WRITTEN_BY_NAME = {"OUT.fxj", "OUT.json"}  # fx-json, and a second time SUBGRAPHS.json

# Options of `tag` that are commands now, and still work.
OLD_SPELLINGS = {"--rename", "--merge", "--order", "--fill", "--straighten", "--begin"}

# Options of other programs in the recipes of a page.
OF_OTHERS = {"ci.md": {"--index-url", "--edit-last", "--create-if-none", "--body-file"}, "installing.md": {"--no-deps"}}

# Pages that are not about a single pass.
GENERAL = {"ci.md", "command-line.md", "concepts.md", "file-formats.md", "first-cut.md", "fx-json.md", "glossary.md",
           "index.md", "installing.md", "model-files.md", "painting.md", "passes.md", "pictures.md", "project-files.md", "python.md",
           "running-parts.md", "tags-over-exports.md", "training-graphs.md", "verdicts.md", "window.md"}

failures = []


def check(holds, text):
    if not holds:
        failures.append(text)


def help_of(cli, *words):
    return subprocess.run([cli, *words, "--help"], capture_output=True, text=True, check=True).stdout


def core_file(name):
    """Returns the text of the file with that name in any folder of the core."""
    return next((pages.TOP / "core").rglob(name)).read_text(encoding="utf-8")


def options_of(cli):
    """Returns the options with their values for each command: {"split": {"tags": "TAGS.json"}}."""
    found = {}
    for command in pages.commands_of(help_of(cli)):
        lines = re.findall(r"^  (?:-h, )?(--?[\w-]+)(?: <([^>]*)>)?", help_of(cli, *command.split()), re.M)
        found[command] = {name.lstrip("-"): value for name, value in lines}
    return found


def sections_of(page):
    """Returns the sections of that page and of the pages of single passes."""
    own = [path.name for path in sorted(pages.DOCS.glob("*.md")) if path.name not in GENERAL]
    return [section for name in [page, *own] for section in pages.sections(name)]


def spelled(option):
    return ("-" if len(option) == 1 else "--") + option


def has_option(text, option):
    return re.search(rf"(?<![\w-]){spelled(option)}(?![\w-])", text) is not None


def check_command_line(options):
    sections = sections_of("command-line.md")
    every = next(section for section in sections if section.title == "Options of every command")
    common = set.intersection(*(set(of) for of in options.values()))
    for option in sorted(common):
        check(has_option(every.text, option), f"docs/command-line.md lacks the option {spelled(option)} of every command")
    for command, of in options.items():
        own = [s for s in sections if re.search(rf"`{command}( [A-Z ]+)?`", s.title)]
        check(own, f"docs/command-line.md has no section about {command}")
        text = "\n".join(section.text for section in own)
        for option, value in of.items():
            if option in common:
                continue
            check(has_option(text, option), f"docs/command-line.md: the section of {command} lacks {spelled(option)}")
            for word in re.findall(r"\b[A-Z]+\.json\b", value):
                check(word in WRITTEN_BY_NAME or any(s.title == word for s in sections),
                      f"docs/command-line.md has no section about {word} of {command} {spelled(option)}")
            check(all(f"`{word}`" in text or word in text for word in value.split("|") if word.islower()),
                  f"docs/command-line.md: {command} {spelled(option)} takes {value}")
    known = {spelled(option) for of in options.values() for option in of}
    for page in sorted(pages.DOCS.rglob("*.md")):
        for option in set(re.findall(r"(?<![\w-])--[a-z][\w-]*", page.read_text(encoding="utf-8"))):
            others = OLD_SPELLINGS if page.name == "command-line.md" else OF_OTHERS.get(page.name, set())
            check(option in known | {"--layout-child", "--tags-out", "--version", "--write"} | others,
                  f"{page.relative_to(pages.TOP)} names {option}, which no command has")


def check_passes(options):
    sections = sections_of("passes.md")
    for command in PASSES:
        check(command in options, f"there is no command {command}")
        text = "\n".join(s.text for s in sections if re.search(rf"`{command}`", s.title))
        check(text, f"docs/passes.md has no section about {command}")
        common = set.intersection(*(set(of) for of in options.values()))
        for option in sorted(set(options.get(command, {})) - common - NOT_OF_A_PASS):
            check(has_option(text, option), f"docs/passes.md: the section of {command} lacks {spelled(option)}")
    source = core_file("partition_assignment.cpp")
    modes = re.findall(r'"(\w+_(?:based|nn|aware))"', source)
    check(len(set(modes)) >= 5, "partition_assignment.cpp names no modes")
    for mode in set(modes):
        check(f"`{mode}`" in pages.text_of("passes.md"), f"docs/passes.md lacks the mode {mode}")
        check(f"`{mode}`" in pages.text_of("command-line.md"), f"docs/command-line.md lacks the mode {mode}")


def check_fx_json():
    page = pages.text_of("fx-json.md")
    files = [file for file in sorted((pages.TOP / "core/io").rglob("*.*")) if "fx_json" in str(file.relative_to(pages.TOP))]
    check(len(files) > 10, "core/io has no reader of fx-json")
    words = set()
    for file in files:
        text = file.read_text(encoding="utf-8")
        for table in re.findall(r"std::array<std::string_view, \w+> k\w*(?:Names|Kinds|Keys) = \{([^}]*)\}", text):
            words.update(re.findall(r'"(\w+)"', table))
        words.update(re.findall(r'kind == "(\S+?)"', text))
    check(len(words) > 60, f"only {len(words)} words of fx-json were found")
    for word in sorted(words):
        check(re.search(rf'["`]{re.escape(word)}["`]', page), f"docs/fx-json.md lacks {word}")


def check_schema_numbers():
    page = " ".join(pages.text_of("model-files.md").split())
    source = core_file("exported_program_enums.cpp")
    numbered = re.findall(r'\{(\d+), "(\w+)"\}', source)
    for words in re.findall(r"std::array<std::string_view, \d> k(?:Layouts|MemoryFormats) = \{([^}]*)\}", source):
        numbered += [(str(i), word) for i, word in enumerate(re.findall(r'"(\w*)"', words)) if word]
    check(len(numbered) > 30, "exported_program_enums.cpp has no tables")
    for number, word in numbered:
        check(f" {number} {word}" in page, f"docs/model-files.md lacks {number} {word}")
    writer = core_file("dot_writer.cpp")
    for word in ("op", "target", "fn", "args", "kwargs", "dtype", "tensor_shape", "module", "tag", "dst", "src"):
        check(re.search(rf'\b{word}(?:=|\\?")', writer), f"dot_writer.cpp writes no {word}, as docs/model-files.md says")


def check_readme(options):
    text = (pages.TOP / "README.md").read_text(encoding="utf-8")
    fences = re.findall(r"^```\w*\n(.*?)^```$", text, re.M | re.S)
    check([line.split()[0] for line in fences[0].splitlines()] == ["packaging/run", "packaging/test"]
          and text[:text.index("```")].count("\n") <= 10, "README.md: packaging/run and packaging/test are not near the top")
    for line in re.findall(r"^sunder-cli .*$", "".join(fences), re.M):
        words = line.split()
        known = options.get(words[1], {})
        check(known, f"README.md: there is no command {words[1]}")
        for word in words[2:]:
            check(not re.match(r"--?[a-z]", word) or word.lstrip("-") in known, f"README.md: {words[1]} has no option {word}")


def check_screenshots():
    source = (pages.TOP / "src/app/actions.cpp").read_text(encoding="utf-8")
    titles = {re.sub(r"[&…]", "", title).lower() for title in re.findall(r'make\(\s*tr\("([^"]*)"\)', source)}
    asked = re.findall(r'ctrl\+shift\+p "=([^"]*)" Return', (pages.TOP / "packaging/screenshots").read_text(encoding="utf-8"))
    check(len(asked) >= 5, "packaging/screenshots opens no commands by name")
    for words in asked:
        check(any(words in title for title in titles), f"packaging/screenshots: there is no command “{words}”")


def check_links():
    tracked = [pages.TOP / name for name in ("README.md", "CONTRIBUTING.md", "core/README.md", "src/README.md")]
    for page in [*tracked, *sorted(pages.DOCS.rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
            if "://" in target:
                continue
            name, _, heading = target.partition("#")
            file = (page.parent / name).resolve() if name else page
            where = f"{page.relative_to(pages.TOP)} links to {target}"
            check(file.exists(), f"{where}, which does not exist")
            if heading and file.suffix == ".md" and file.exists():
                titles = re.findall(r"^#+ (.*)$", file.read_text(encoding="utf-8"), re.M)
                check(heading in map(pages.anchor, titles), f"{where}: no such heading")


def check_menus():
    """Checks the menu entries that pages quote: *File › Open…*."""
    titles = set()
    for file in [pages.TOP / "src/app/menus.cpp", pages.TOP / "src/app/actions.cpp", *(pages.TOP / "src/document/passes").glob("*.cpp")]:
        titles.update(title.replace("&", "") for title in re.findall(r'tr\(\s*"([^"]*)"', file.read_text(encoding="utf-8")))
    for page in [pages.TOP / "README.md", *sorted(pages.DOCS.rglob("*.md"))]:
        for quoted in re.findall(r"\*([A-Z]\w+ › [^*]+)\*", page.read_text(encoding="utf-8")):
            for title in quoted.replace("\n", " ").split(" › "):
                check(title in titles, f"{page.relative_to(pages.TOP)} quotes the menu entry {title}, which does not exist")


def check_citations():
    """Checks the files that code and pages name as `docs/…`, and the files that user documentation names."""
    for folder in ("core", "src", "tests", "packaging"):
        for file in sorted((pages.TOP / folder).rglob("*")):
            if file.suffix not in (".h", ".cpp", ".py", ".md", ".txt") or not file.is_file():
                continue
            text = file.read_text(encoding="utf-8", errors="replace")
            for name in re.findall(r"\bdocs/[\w/-]+\.md", text):
                check((pages.TOP / name).exists(), f"{file.relative_to(pages.TOP)} cites {name}, which does not exist")
            for name in re.findall(r"`((?:spec|design)/[\w./-]+)`", text):
                check(False, f"{file.relative_to(pages.TOP)} cites {name}, which is not in the repository")
    internals = [str(page.relative_to(pages.TOP)) for page in sorted((pages.DOCS / "internals").glob("*.md"))]
    for page in ("CONTRIBUTING.md", "core/README.md", "src/README.md", *internals):
        text = pages.without_blocks((pages.TOP / page).read_text(encoding="utf-8"))
        for name in re.findall(r"`((?:core|src|tests|docs|packaging|resources)/[\w./-]*)`", text):
            check("NAME" in name or (pages.TOP / name).exists(), f"{page} names {name}, which does not exist")


def main():
    options = options_of(sys.argv[1])
    check_command_line(options)
    check_passes(options)
    check_fx_json()
    check_schema_numbers()
    check_readme(options)
    check_screenshots()
    check_links()
    check_menus()
    check_citations()
    print(*failures, f"{len(failures)} faults", sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
