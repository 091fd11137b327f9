#!/usr/bin/env python3
"""starts.py FOLDER: checks that both programs work from their installed places, without a display and for a new user."""
import json
import os
import pathlib
import signal
import subprocess
import tempfile

from package_case import ROOT, PackageCase, main

CLI = ROOT / "usr/bin/sunder-cli"
SAMPLES = ROOT / "usr/share/sunder/samples"


class Starts(PackageCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.environment = {"HOME": str(self.folder), "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "XDG_RUNTIME_DIR": str(self.folder)}

    def testCliTellsWhatAModelHolds(self):
        said = json.loads(self.run_tool(CLI, "info", SAMPLES / "transformer.pt2", "--json", environment=self.environment).stdout)
        self.assertGreater(said["nodes"], 100)

    def testCliWritesPartsAndPictures(self):
        model, tags = SAMPLES / "transformer.pt2", SAMPLES / "transformer.tags.json"
        self.run_tool(CLI, "split", model, "--tags", tags, "--parts", self.folder / "parts", environment=self.environment)
        manifest = json.loads((self.folder / "parts/manifest.json").read_text())
        self.assertEqual([part["name"] for part in manifest["parts"]], json.loads(tags.read_text())["order"])
        self.run_tool(CLI, "render", model, self.folder / "picture.png", environment=self.environment)
        self.assertTrue((self.folder / "picture.png").read_bytes().startswith(b"\x89PNG"))

    def testWindowOpensAModelAndEnds(self):
        environment = dict(os.environ, QT_QPA_PLATFORM="offscreen", QT_LOGGING_RULES="sunder.*=true") | self.environment
        window = subprocess.Popen([ROOT / "usr/bin/sunder", SAMPLES / "transformer.pt2"], stderr=subprocess.PIPE, text=True,
                                  env=environment)
        awaited = ["sunder.jobs: done: Read transformer.pt2", "sunder.jobs: done Draw transformer"]
        said = []
        for line in window.stderr:
            said.append(line)
            if awaited and line.startswith(awaited[0]):
                awaited.pop(0)
            if not awaited:
                break
        window.send_signal(signal.SIGTERM)
        rest = window.communicate(timeout=60)[1]
        self.assertEqual(awaited, [], "".join(said))
        self.assertEqual(window.returncode, 0, rest)
        self.assertEqual(list(self.folder.rglob("crashes.log")), [])

    def testWindowSaysWhyItCannotOpen(self):
        for display, why in (({"DISPLAY": ""}, "no display: neither DISPLAY nor WAYLAND_DISPLAY is set"),
                             ({"DISPLAY": ":9999"}, "no window can be opened: could not connect to display :9999"),
                             ({"QT_QPA_PLATFORM": "none"}, 'no window can be opened: Could not find the Qt platform plugin "none" in ""')):
            environment = self.environment | {"QT_QPA_PLATFORM": "", "WAYLAND_DISPLAY": "", "DISPLAY": ""} | display
            said = self.run_tool(ROOT / "usr/bin/sunder", status=1, environment=environment)
            self.assertEqual((said.stdout, said.stderr), ("", f"sunder: {why}\n"))


if __name__ == "__main__":
    main()
