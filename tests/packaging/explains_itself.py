#!/usr/bin/env python3
"""explains_itself.py FOLDER: man pages and completions cover everything in --help."""
import os
import pathlib
import tempfile

from package_case import ROOT, PackageCase, main, needs, text_of

import man_pages
import program_help

MAN = "usr/share/man/man1"
BASH = ROOT / "usr/share/bash-completion/completions/sunder-cli"
ZSH = ROOT / "usr/share/zsh/vendor-completions"
FISH = ROOT / "usr/share/fish/vendor_completions.d"
PROGRAMS = program_help.read_programs(str(ROOT / "usr/bin/sunder"), str(ROOT / "usr/bin/sunder-cli")) if ROOT.is_dir() else None


def plain(page):
    """Returns the text of a man page without troff escapes."""
    for escape, text in (("\\-", "-"), ("\\fB", ""), ("\\fI", ""), ("\\fR", ""), ("\\e", "\\")):
        page = page.replace(escape, text)
    return page


def pages():
    return sorted(path.name for path in (ROOT / MAN).iterdir())


class Pages(PackageCase):
    def testEveryProgramAndCommandHasAPage(self):
        commands = [f"{man_pages.page_of(command)}.1.gz" for command in PROGRAMS.commands]
        self.assertEqual(pages(), sorted(["sunder.1.gz", "sunder-cli.1.gz", *commands]))

    def testPagesTellEveryOption(self):
        for command in (*PROGRAMS.commands, PROGRAMS.window):
            name = "sunder" if command is PROGRAMS.window else man_pages.page_of(command)
            page = plain(text_of(f"{MAN}/{name}.1.gz"))
            for option in command.options:
                self.assertIn(f"\n{', '.join(option.names)}{' ' if option.value else ''}{option.value}\n{option.text}", page)
            self.assertIn(".SH EXAMPLES", page)

    def testPagesHaveExamples(self):
        for command in PROGRAMS.commands:
            self.assertIn(f"\n    sunder-cli {command.name} ", plain(text_of(f"{MAN}/{man_pages.page_of(command)}.1.gz")))

    @needs("man")
    def testManShowsThemWithoutWarnings(self):
        for page in pages():
            done = self.run_tool("man", "--warnings", "--local-file", "-Tutf8", "-Z", ROOT / MAN / page)
            self.assertEqual(done.stderr, "", page)

    @needs("mandoc")
    def testMandocFindsNothing(self):
        for page in pages():
            self.run_tool("mandoc", "-T", "lint", "-W", "warning", ROOT / MAN / page)


class Completion(PackageCase):
    """Checks completions by asking each shell."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        for name in ("model.pt2", "small.fxj.gz", "tags.json", "notes.txt"):
            (self.folder / name).touch()
        (self.folder / "sub").mkdir()

    def bash(self, *words):
        quoted = " ".join(f"'{word}'" for word in words)
        script = f"""source {BASH}; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _sunder_cli; printf '%s\\n' "${{COMPREPLY[@]}}" """
        return sorted(self.run_tool("bash", "-c", script, cwd=self.folder).stdout.split())

    @needs("bash")
    def testBashCompletes(self):
        self.assertEqual(self.bash("sunder-cli", "re"), ["regions", "render"])
        self.assertEqual(self.bash("sunder-cli", "split", "--tag"), ["--tags"])
        self.assertEqual(self.bash("sunder-cli", "split", "--tags", ""), ["sub", "tags.json"])
        self.assertEqual(self.bash("sunder-cli", "split", "--parts", ""), ["sub"])
        self.assertEqual(self.bash("sunder-cli", "split", ""), ["model.pt2", "small.fxj.gz", "sub", "tags.json"])
        self.assertEqual(self.bash("sunder-cli", "regions", "--key", "tr"), ["tracked"])
        self.assertEqual(self.bash("sunder-cli", "devices", ""), [])
        self.assertEqual(self.bash("sunder-cli", "ta"), ["tag", "tags"])
        self.assertEqual(self.bash("sunder-cli", "tags", "m"), ["merge"])
        self.assertEqual(self.bash("sunder-cli", "tags", "merge", "--ta"), ["--tags"])
        self.assertEqual(self.bash("sunder-cli", "tags", "merge", "--tags", ""), ["sub", "tags.json"])
        self.assertEqual(self.bash("sunder-cli", "tags", "fill", "model.pt2", "l"), ["latest"])

    @needs("bash")
    def testBashKnowsEveryOptionOfEveryCommand(self):
        for command in PROGRAMS.commands:
            names = sorted(name for option in command.options + PROGRAMS.common for name in option.names)
            self.assertEqual(self.bash("sunder-cli", *command.name.split(), "-"), names)

    @needs("bash")
    def testBashReadsBothFiles(self):
        for name in ("sunder", "sunder-cli"):
            self.run_tool("bash", "-n", BASH.parent / name)

    @needs("zsh")
    def testZshReadsBothFiles(self):
        for name in ("_sunder", "_sunder-cli"):
            self.run_tool("zsh", "-n", ZSH / name)
        script = f"fpath=({ZSH} $fpath); autoload -U compinit; compinit -u -d {self.folder}/dump; print $_comps[sunder-cli] $_comps[sunder]"
        done = self.run_tool("zsh", "-f", "-c", script, environment={"HOME": str(self.folder)})
        self.assertEqual((done.stdout, done.stderr), ("_sunder-cli _sunder\n", ""))

    def testZshRepeatsOptionsAndKeepsAbbreviations(self):
        text = (ZSH / "_sunder-cli").read_text(encoding="utf-8")
        self.assertIn("'*--expand[Draw this module open]", text)
        self.assertIn("'--assume[Values for symbolic dimensions, e.g. s27=16,s3=4]:SIZES: '", text)

    def fish(self, line):
        home = {"HOME": str(self.folder), "XDG_DATA_DIRS": str(ROOT / "usr/share"), "XDG_CONFIG_HOME": str(self.folder / "sub")}
        script = f"source {FISH}/sunder-cli.fish; source {FISH}/sunder.fish; complete -C '{line}'"
        done = self.run_tool("fish", "--no-config", "-c", script, cwd=self.folder, environment=home)
        return sorted(text.split("\t")[0] for text in done.stdout.splitlines())

    @needs("fish")
    def testFishCompletes(self):
        self.assertEqual(self.fish("sunder-cli re"), ["regions", "render"])
        self.assertEqual(self.fish("sunder-cli regions --key "), ["structural", "tracked"])
        self.assertEqual(self.fish("sunder-cli split --tag"), ["--tags"])
        self.assertEqual(self.fish("sunder-cli tags m"), ["merge"])
        self.assertEqual(self.fish("sunder-cli tags merge --ta"), ["--tags"])
        self.assertIn("tags.json", self.fish("sunder-cli split --tags "))


if __name__ == "__main__":
    os.environ.pop("MANPATH", None)
    main()
