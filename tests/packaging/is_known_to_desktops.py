#!/usr/bin/env python3
"""is_known_to_desktops.py FOLDER: checks that desktops find the program, its icon, and its file types."""
import os
import pathlib
import shutil
import tempfile
import xml.etree.ElementTree as tree

from package_case import ROOT, PackageCase, main, needs, text_of

import changelog

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"
METAINFO = "usr/share/metainfo/io.github.sunder.Sunder.metainfo.xml"
NAMES = {"*.sunder": "application/x-sunder-project", "*.pt2": "application/x-pytorch-exported-program",
         "*.fxj": "application/x-fx-json", "*.fxj.gz": "application/x-fx-json-compressed"}


def entry():
    lines = text_of("usr/share/applications/sunder.desktop").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


class Desktop(PackageCase):
    def testEntryNamesProgramIconAndTypes(self):
        self.assertTrue(os.access(ROOT / "usr/bin" / entry()["Exec"].split()[0], os.X_OK))
        icon = ROOT / f"usr/share/icons/hicolor/scalable/apps/{entry()['Icon']}.svg"
        self.assertEqual(tree.parse(icon).getroot().tag, "{http://www.w3.org/2000/svg}svg")
        self.assertEqual(set(entry()["MimeType"].strip(";").split(";")), set(NAMES.values()))

    def testMetainfoHasEveryVersionAndType(self):
        about = tree.fromstring(text_of(METAINFO))
        self.assertEqual([release.get("version") for release in about.iter("release")],
                         [release.version for release in changelog.read_changelog()])
        self.assertEqual({kind.text for kind in about.iter("mediatype")}, set(NAMES.values()))
        for program in about.iter("binary"):
            self.assertTrue((ROOT / "usr/bin" / program.text).is_file())

    def testTypesHaveTheirNames(self):
        types = tree.fromstring(text_of("usr/share/mime/packages/sunder.xml"))
        found = {glob.get("pattern"): kind.get("type") for kind in types for glob in kind.iter(f"{MIME}glob")}
        self.assertEqual(found, NAMES)

    @needs("desktop-file-validate")
    def testEntryIsValid(self):
        self.assertEqual(self.run_tool("desktop-file-validate", ROOT / "usr/share/applications/sunder.desktop").stdout, "")

    @needs("appstreamcli")
    def testMetainfoIsValid(self):
        self.run_tool("appstreamcli", "validate", "--no-net", "--strict", ROOT / METAINFO)
        self.run_tool("appstreamcli", "validate-tree", "--no-net", ROOT)

    @needs("update-mime-database")
    def testDesktopsTakeTheTypes(self):
        with tempfile.TemporaryDirectory() as scratch:
            mime = pathlib.Path(scratch) / "mime"
            shutil.copytree(ROOT / "usr/share/mime", mime)
            done = self.run_tool("update-mime-database", mime, environment={"XDG_DATA_HOME": scratch})
            self.assertEqual(done.stderr, "")
            globs = (mime / "globs2").read_text().splitlines()
            for pattern, kind in NAMES.items():
                self.assertTrue(any(line.endswith(f":{kind}:{pattern}") for line in globs), pattern)


if __name__ == "__main__":
    main()
