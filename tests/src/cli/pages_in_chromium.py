"""Opens pages of `sunder-cli render` in a headless Chromium, as their readers do: modules open and close, boxes do not overlap, tooltips
and tags work with mouse and keyboard, and names of files do nothing. Skipped (exit 77) without Chromium.

    pages_in_chromium.py SUNDER_CLI
"""
import json
import os
import pathlib
import sys
import unittest

import chromium
from cli_case import CliCase, model

SAMPLES = pathlib.Path(__file__).resolve().parents[3] / "resources" / "samples"

# Faults of the drawn boxes: those that overlap others of their module, or leave it.
FAULTS = """(() => {
  const faults = [], groups = Map.groupBy([...document.querySelectorAll('.box')].map((e) => e.box), (box) => box.body);
  for (const [body, boxes] of groups) {
    const outer = body.owner?.at;
    boxes.forEach(({ at }, i) => {
      if (outer && (at.x < outer.x - 1 || at.y < outer.y - 1 || at.x + at.w > outer.x + outer.w + 1 || at.y + at.h > outer.y + outer.h + 1))
        faults.push(['outside', at, outer]);
      for (const { at: other } of boxes.slice(0, i))
        if (at.x < other.x + other.w - 1 && other.x < at.x + at.w - 1 && at.y < other.y + other.h - 1 && other.y < at.y + at.h - 1)
          faults.push(['overlap', at, other]);
    });
  }
  for (const path of document.querySelectorAll('path')) if (/NaN|undefined/.test(path.getAttribute('d'))) faults.push(path.outerHTML);
  return faults;
})()"""


class Pages(CliCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = chromium.Chromium()
        cls.addClassCleanup(cls.browser.__exit__)

    def show(self, page):
        self.browser.errors.clear()
        self.browser.requests.clear()
        self.browser.open("file://" + self.path(page))

    def labels(self):
        return self.browser.eval("[...document.querySelectorAll('.box')].map((e) => e.getAttribute('aria-label'))")

    def middle(self, label):
        """The middle of the title of the box with this label."""
        at = self.browser.eval(f"""(() => {{
          const element = [...document.querySelectorAll('.box')].find((e) => e.getAttribute('aria-label').startsWith({json.dumps(label)}));
          const {{ x, y, height }} = element.getBoundingClientRect();
          return [x + 24, y + Math.min(height / 2, 10)];
        }})()""")
        return at

    def isFine(self):
        self.assertEqual(self.browser.eval(FAULTS), [])
        self.assertEqual(self.browser.errors, [])
        self.assertEqual([url for url in self.browser.requests if not url.startswith("file:")], [])

    def zoom(self):
        return float(self.browser.eval("/scale\\(([^)]*)\\)/.exec(document.getElementById('world').getAttribute('transform'))[1]"))

    def test_a_reader_explores_a_cut(self):
        self.cli("render", str(SAMPLES / "transformer.pt2"), "page.html", "--tags", str(SAMPLES / "transformer.tags.json"))
        self.show("page.html")
        self.isFine()
        first = self.labels()
        self.browser.click(*self.middle("blocks.1 … blocks.5"))
        self.assertTrue(any(label.startswith("blocks.3, Block") for label in self.labels()))
        self.isFine()
        self.browser.click(*self.middle("blocks.0, Block"))
        self.assertFalse(any(label.startswith("attention_norm") for label in self.labels()))
        self.isFine()
        self.browser.eval("document.getElementById('first').click()")
        self.assertEqual(self.labels(), first)

        # Zoom: keys, wheel, double click, and back.
        fitted = self.zoom()
        self.browser.press("+", "+")
        self.assertGreater(self.zoom(), fitted)
        x, y = self.middle("blocks.0, Block")
        self.browser.mouse("mouseWheel", x, y, deltaX=0, deltaY=300)
        self.browser.frame()
        self.assertLess(self.zoom(), fitted)
        self.browser.press("0", "0")
        self.assertAlmostEqual(self.zoom(), fitted, delta=0.7)

        # Tooltip of an op, and the keyboard.
        self.browser.mouse("mouseMoved", *self.middle("gelu, gelu"))
        self.browser.frame()
        tip = self.browser.eval("document.getElementById('tip').innerText")
        for words in ("gelu", "2×16×128", "in blocks.0.feed_forward", "tag lower", "torch.ops.aten.gelu.default"):
            self.assertIn(words, tip)
        self.browser.eval("[...document.querySelectorAll('.box')].find((e) => e.getAttribute('aria-label').startsWith('head')).focus()")
        self.browser.press("Enter")
        self.assertEqual(self.browser.eval("document.activeElement.getAttribute('aria-expanded')"), "true")
        self.isFine()
        self.browser.press("Enter")
        self.assertEqual(self.labels(), first)

        # A tag, the parts, and their graph.
        self.browser.eval("document.querySelector('button.tag').click()")
        off = self.browser.eval("[...document.querySelectorAll('.box.off')].map((e) => e.getAttribute('aria-label'))")
        self.assertIn("gelu, gelu, 2×16×128, lower", off)
        self.assertFalse(any(label.endswith("embed") for label in off))
        self.assertEqual(self.browser.eval("document.querySelectorAll('.dagbox').length"), 4)
        self.assertIn("Can be split", self.browser.eval("document.getElementById('side').innerText"))

        self.browser.eval("document.getElementById('all').click()")
        self.isFine()

    def test_costs_to_the_right_in_a_notebook(self):
        self.cli("render", str(SAMPLES / "unet.pt2"), "page.html", "--color-by", "flops", "--direction", "right")
        page = self.read("page.html").replace("&", "&amp;").replace('"', "&quot;")
        self.write("notebook.html", f'<!doctype html><iframe srcdoc="{page}" sandbox="allow-scripts" width="900" height="500"></iframe>')
        self.show("page.html")
        self.browser.eval("document.getElementById('all').click()")
        self.isFine()
        self.assertIn("FLOPs", self.browser.eval("document.getElementById('side').innerText"))
        self.show("notebook.html")
        self.assertEqual(self.browser.errors, [])

    def test_hostile_names_are_only_text(self):
        text, calls = model()
        evil = "</script><img src=x onerror=document.title='evil'>&amp;\\\"'`${1}\\u0007\\u202e" + "y" * 5000
        self.write("evil.fxj", text.replace('"n1"', f'"{evil}"'))
        self.write("evil.json", json.dumps({"order": ["<b>p", "q"], "tags": {"n0": "<b>p", json.loads(f'"{evil}"'): "q", "n2": "<b>p"}}))
        self.cli("render", "evil.fxj", "page.html", "--tags", "evil.json")
        self.show("page.html")
        self.isFine()
        self.assertEqual(self.browser.eval("[document.title, document.images.length, document.querySelectorAll('b').length]"),
                         ["evil.fxj", 0, 0])
        self.assertTrue(any("</script><img src=x" in label and "\\x07\\u202e" in label for label in self.labels()))
        self.assertIn("Cannot be split", self.browser.eval("document.getElementById('side').innerText"))


if __name__ == "__main__":
    if chromium.PROGRAM is None:
        print("skipped: Chromium is not installed")
        sys.exit(77)
    unittest.main()
