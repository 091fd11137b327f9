#!/usr/bin/env python3
"""dependencies_are_known.py: checks the names of the packages that the scripts in packaging/ install, for each system that
packaging/install-dependencies knows, and that apt has those of this system."""
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

PACKAGING = pathlib.Path(__file__).resolve().parents[2] / "packaging"
SYSTEMS = ("debian-12", "debian-13", "ubuntu-24.04")


def asked():
    """The names that scripts give to install-dependencies."""
    names = set()
    for script in filter(pathlib.Path.is_file, PACKAGING.iterdir()):
        text = script.read_text(encoding="utf-8").replace("\\\n", " ")
        for words in re.findall(r'^ *"\$top/packaging/install-dependencies"([^|\n]*)', text, re.M):
            names |= set(words.split())
    return sorted(names)


def listed(*words):
    return subprocess.run([PACKAGING / "install-dependencies", "--list", *words], capture_output=True, text=True)


def this_system():
    lines = pathlib.Path("/etc/os-release").read_text(encoding="utf-8").splitlines()
    facts = dict(line.split("=", 1) for line in lines if "=" in line)
    return f"{facts.get('ID', '')}-{facts.get('VERSION_ID', '')}".replace('"', "")


class DependenciesAreKnown(unittest.TestCase):
    def testEachSystemHasANameForEverything(self):
        self.assertIn("qt6-svg-plugins", asked())
        names = {system: listed(system, *asked()).stdout.split() for system in SYSTEMS}
        self.assertEqual({len(of) for of in names.values()}, {len(names["debian-13"])})
        self.assertIn("qt6-svg-plugins", names["debian-13"])
        for system in ("debian-12", "ubuntu-24.04"):  # there, libqt6svg6 has the plugins
            self.assertEqual(set(names[system]) ^ set(names["debian-13"]), {"qt6-svg-plugins", "libqt6svg6"})

    def testOtherSystemsAreRefused(self):
        for system in ("debian", "debian-1", "ubuntu-24.04/qt6-svg-plugins"):
            done = listed(system)
            self.assertEqual((done.returncode, done.stdout), (2, ""), system)
            self.assertIn(SYSTEMS[2], done.stderr)

    @unittest.skipUnless(this_system() in SYSTEMS and shutil.which("apt-cache"), "no system with a table")
    def testAptHasTheNamesOfThisSystem(self):
        names = listed(this_system(), *asked()).stdout.split()
        shown = subprocess.run(["apt-cache", "show", "--no-all-versions", *names], capture_output=True, text=True).stdout
        there = re.findall("^Package: (.*)", shown, re.M)
        self.assertEqual([name for name in names if name not in there], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
