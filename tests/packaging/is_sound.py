#!/usr/bin/env python3
"""is_sound.py FOLDER: checks that the metadata of the package are correct, and that no file reveals the build folder or user."""
import gzip
import hashlib
import pathlib
import re
import runpy
import subprocess

from package_case import FOLDER, ROOT, TOP, PackageCase, main, needs, text_of

import changelog

PACKAGE = next(FOLDER.glob("sunder_*.deb"), None)


def field(name):
    return subprocess.run(["dpkg-deb", "--field", PACKAGE, name], capture_output=True, text=True, check=True).stdout.strip()


class Sound(PackageCase):
    def testVersionAndMaintainerAreThoseOfTheChangelog(self):
        newest = changelog.read_changelog()[0]
        self.assertEqual(field("Version"), newest.version)
        self.assertEqual(field("Maintainer"), newest.maintainer)
        self.assertEqual(text_of("usr/share/doc/sunder/changelog.gz"), changelog.PLACE.read_text())

    def testProgramsSayThatVersion(self):
        version = changelog.read_changelog()[0].version
        for program in ("sunder", "sunder-cli"):
            said = self.run_tool(ROOT / "usr/bin" / program, "--version", environment={"QT_QPA_PLATFORM": "none"}).stdout
            self.assertEqual(said, f"{program} {version}\n")
        package = ROOT / "usr/share/sunder/python/sunder"  # which the window runs in the Python of the user
        self.assertTrue((package / "running/__main__.py").is_file())
        self.assertEqual(runpy.run_path(str(package / "version.py"))["__version__"], version.replace("~", ""))

    def testDependsOnWhatTheProgramsAreLinkedWith(self):
        depends = {entry.split()[0] for entry in field("Depends").split(",")}
        for program in ("bin/sunder", "bin/sunder-cli", "libexec/sunder/sunder-draw"):
            needed = self.run_tool("readelf", "--dynamic", ROOT / "usr" / program).stdout
            self.assertNotIn("RUNPATH", needed)
            self.assertNotIn("RPATH", needed)
            for library in re.findall(r"NEEDED.*\[(lib[^\]]*)\]", needed):
                self.assertTrue(self.packages_of(library) & depends, f"{library} of {program} belongs to no package of {depends}")

    def testCommandsThatDrawNothingLoadNothingThatDraws(self):
        needed = self.run_tool("readelf", "--dynamic", ROOT / "usr/bin/sunder-cli").stdout
        self.assertIn("libQt6Core", needed)
        self.assertNotIn("libQt6Gui", needed)

    def packages_of(self, library):
        listed = self.run_tool("dpkg-query", "--search", f"*/{library}").stdout
        return {line.partition(":")[0] for line in listed.splitlines()}

    def testProgramsAreStripped(self):
        for program in ("sunder", "sunder-cli"):
            self.assertNotIn(".symtab", self.run_tool("readelf", "--section-headers", ROOT / "usr/bin" / program).stdout)

    def testNoFileNamesTheFoldersOfTheBuilder(self):
        for path in sorted(ROOT.rglob("*")):
            if not path.is_file():
                continue
            content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
            for place in (f"{TOP}/", f"{pathlib.Path.home()}/", 'File \\"/'):  # the last one is in stack traces of samples
                self.assertFalse(place.encode() in content, f"{path} names {place}")

    def testFilesBelongToRootAndAreNobodysToChange(self):
        lines = self.run_tool("dpkg-deb", "--contents", PACKAGE).stdout.splitlines()
        self.assertGreater(len(lines), 40)
        for line in lines:
            mode, owner, *_, path = line.split()
            self.assertEqual(owner, "root/root", line)
            isProgram = path.startswith(("./usr/bin/", "./usr/libexec/")) and not path.endswith("/")
            self.assertEqual(mode, "drwxr-xr-x" if path.endswith("/") else "-rwxr-xr-x" if isProgram else "-rw-r--r--", line)

    def testChecksumsHold(self):
        sums = self.run_tool("dpkg-deb", "--info", PACKAGE, "md5sums").stdout.splitlines()
        self.assertEqual(len(sums), sum(path.is_file() for path in ROOT.rglob("*")))
        for line in sums:
            digest, path = line.split("  ", 1)
            self.assertEqual(hashlib.md5((ROOT / path).read_bytes()).hexdigest(), digest, path)

    def testLicencesOfWhatIsCompiledInAreTold(self):
        told = text_of("usr/share/doc/sunder/copyright")
        for words in ((TOP / "LICENSE").read_text().splitlines()[-1], "Niels Lohmann", "Simon Brand", "PyTorch"):
            self.assertIn(words.strip(), told)

    @needs("lintian")
    def testLintianFindsNothing(self):
        done = self.run_tool("lintian", "--allow-root", "--tag-display-limit", "0", "--fail-on", "error,warning", PACKAGE)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    main()
