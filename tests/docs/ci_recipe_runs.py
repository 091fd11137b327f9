#!/usr/bin/env python3
"""ci_recipe_runs.py SUNDER_CLI: follows docs/ci.md with the model of ci_example/, before and after a change, as a team would.

The project in ci_example/ was made from main.fxj; branch.fxj is the export of a pull request. The script of the page runs on it, its
report has the known changes of the model, the figures of a cut made by hand, and is the one that the page shows.
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import pages

CLI = pathlib.Path(sys.argv.pop(1)).resolve()
EXAMPLE = pathlib.Path(__file__).parent / "ci_example"


def block(name):
    return next(block.text for block in pages.blocks("ci.md") if block.name == name)


def tables_of(report):
    """Returns the tables of a report by the heading above them: lists of rows, each a dictionary by column."""
    tables = {}
    for title, body in re.findall(r"^(?:#### |<summary>)(.*?)(?:</summary>)?\n(.*?)(?=^####|^<details>|\Z)", report, re.M | re.S):
        lines = [line for line in body.splitlines() if line.startswith("|")]
        cells = [[cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in lines]
        tables[title] = [dict(zip(cells[0], row)) for row in cells[2:]]
    return tables


class Recipe(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        for name in ("model.sunder", "branch.fxj"):
            shutil.copy(EXAMPLE / name, self.folder)
        (self.folder / "bin").mkdir()
        (self.folder / "bin/sunder-cli").symlink_to(CLI)
        (self.folder / "check-cut").write_text(block("check-cut"), encoding="utf-8")

    def run_in(self, *words, status=0, **environment):
        variables = {key: value for key, value in os.environ.items() if key != "GITHUB_STEP_SUMMARY"}
        variables.update(environment, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}")
        done = subprocess.run(words, cwd=self.folder, env=variables, capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def check(self, model, status=0, **environment):
        self.run_in("sh", "check-cut", "model.sunder", model, status=status, **environment)
        return (self.folder / "cut-report.md").read_text(encoding="utf-8")

    def json_of(self, *words, status=0):
        return json.loads(self.run_in("sunder-cli", *words, "--json", status=status).stdout)

    def test_the_page_shows_the_report(self):
        self.assertEqual(block("cut-report.md"), self.check("branch.fxj"))

    def test_the_report_says_what_changed(self):
        rows = tables_of(self.check("branch.fxj"))["Changed ops"]
        self.assertEqual({(row["Module"], row["Ops"], row["Tag"]) for row in rows},
                         {("gate → adapter", "3", "stage0"), ("gate → outside of modules", "1", "stage0"),
                          ("neck → bridge", "3", "stage1"), ("blocks.1", "3", "stage0")})
        changes = self.json_of("check", "model.sunder", "--source", "branch.fxj", "--changed-source")["changes"]
        self.assertEqual(sum(len(group["nodes"]) for group in changes["groups"]) + changes["unchanged"], 29)

    def test_its_figures_are_those_of_both_exports(self):
        shutil.copy(EXAMPLE / "main.fxj", self.folder)
        project = json.loads((EXAMPLE / "model.sunder").read_text(encoding="utf-8"))
        devices = json.dumps(project["devices"])
        (self.folder / "devices.json").write_text(devices, encoding="utf-8")
        self.run_in("sunder-cli", "transfer", "branch.fxj", "--from", "model.sunder", "-o", "branch.json")
        of = {}
        for name, tags in (("main", "model.sunder"), ("branch", "branch.json")):
            memory = self.json_of("memory", f"{name}.fxj", "--tags", tags)["parts"]
            loads = self.json_of("compare", f"{name}.fxj", tags, tags, "--loads", "--devices", "devices.json")["loads"]["after"]
            costs = self.json_of("costs", f"{name}.fxj")["nodes"]
            nodes = self.json_of("find", f"{name}.fxj", "tag:stage0", "--tags", tags)["nodes"]
            of[name] = {"peak": memory[0]["peak"], "weights": memory[0]["weights"], "ops": memory[0]["ops"],
                        "load": loads["stages"][0]["load"],
                        "flops": sum(costs[node["name"]]["flops"] for node in nodes)}, loads["bound"]
        figures = self.json_of("check", "model.sunder", "--source", "branch.fxj", "--changed-source")["figures"]
        self.assertEqual(figures["before_from"], "project")
        for key, name in (("before", "main"), ("after", "branch")):
            part, bound = of[name]
            self.assertEqual({figure: figures[key]["parts"][0][figure] for figure in part}, part)
            self.assertAlmostEqual(figures[key]["bound"], bound)
        self.assertEqual(figures["before"], {key: value for key, value in project["figures"].items() if key not in ("of", "by")})

    def test_an_accepted_change_is_no_change(self):
        self.check("branch.fxj")
        commands = re.findall(r"^    (.*)$", (self.folder / "cut-report.md").read_text(encoding="utf-8"), re.M)
        self.run_in("sh", "-e", "-c", "\n".join(commands))
        self.assertIn("the model has not changed", self.check("branch.fxj"))

    def test_ops_without_a_tag_fail_and_their_tags_are_suggested(self):
        project = json.loads((self.folder / "model.sunder").read_text(encoding="utf-8"))
        stage0 = project["tags"][0]["nodes"]
        stage0.remove("sigmoid")  # one of the replaced ops had no tag: nothing can be said of the ops that replace it
        (self.folder / "model.sunder").write_text(json.dumps(project), encoding="utf-8")
        report = self.check("branch.fxj", status=1)
        self.assertRegex(report, r"^### ❌ The cut does not hold: \d ops? without a tag")
        self.assertIn("The figures of the previous export are unknown", report)  # they were of other tags
        self.check("main.fxj", status=3)

    def test_the_summary_of_the_run_has_the_report(self):
        summary = self.folder / "summary"
        summary.write_text("before\n", encoding="utf-8")
        report = self.check("branch.fxj", GITHUB_STEP_SUMMARY=str(summary))
        self.assertEqual(summary.read_text(encoding="utf-8"), "before\n" + report)
        self.assertIn("exit status 3", self.check("missing.pt2", status=3))

    def test_the_workflow_runs_the_script(self):
        self.assertIn("- run: sh check-cut model.sunder model.pt2\n", block("cut.yml"))


if __name__ == "__main__":
    unittest.main()
