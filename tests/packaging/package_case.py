"""Common base of the tests of the Debian package. The first argument of a script is the folder filled by is_made.py."""
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
FOLDER = pathlib.Path(sys.argv.pop(1)).resolve() if len(sys.argv) > 1 else TOP / "build/ci/package-test"
ROOT = FOLDER / "root"
SKIPPED = 77

sys.path.insert(0, str(TOP / "packaging/python"))


def needs(*tools):
    """Skips tests with external tools that are not installed."""
    missing = [tool for tool in tools if shutil.which(tool) is None]
    return unittest.skipIf(missing, f"{', '.join(missing)} is not installed")


def text_of(path):
    """Returns the text of an installed file, compressed or not."""
    content = (ROOT / path).read_bytes()
    return (gzip.decompress(content) if path.endswith(".gz") else content).decode("utf-8")


class PackageCase(unittest.TestCase):
    """Runs tools and installed programs without the settings of the current user."""

    def run_tool(self, *words, status=0, **more):
        environment = dict(os.environ, LC_ALL="C.UTF-8", QT_QPA_PLATFORM="offscreen") | more.pop("environment", {})
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=280, env=environment, **more)
        self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}{done.stderr}")
        return done


def main():
    """Runs the tests of a script. If all are skipped, the script is skipped, and all reasons are printed."""
    if not ROOT.is_dir():
        print("the package was not built: see packaging-is_made")
        sys.exit(SKIPPED)
    ended = unittest.main(verbosity=2, exit=False).result
    if not ended.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if ended.testsRun and len(ended.skipped) == ended.testsRun else 0)
