"""Checks projects as inputs: every command uses the tags, devices, and sizes of a project, and reports a changed model."""
import json
import os
import unittest

from cli_case import CliCase, model

SYMBOLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../cases/pt2/own_symbols/model.pt2")


class ProjectsAreInputs(CliCase):
    def setUp(self):
        super().setUp()
        self.cli("tag", "in.fxj", "--stages", "2", "-o", "t.json")
        self.write("d.json", json.dumps([{"name": "a", "available_mem_bytes": 10**9}, {"name": "b", "available_mem_bytes": 10**9}]))

    def make(self, *options):
        self.cli("project", "in.fxj", "--tags", "t.json", "--devices", "d.json", "-o", "p.sunder", *options)

    def json_of(self, *words, **wanted):
        return json.loads(self.cli(*words, "--json", **wanted).stdout)

    def cut(self, name):
        """The lines of a result without the colors of tags, which --tags files do not include."""
        lines = [json.loads(line) for line in self.read(name).splitlines()]
        for line in lines:
            line.pop("color", None)
        return lines

    def rename_first_call(self):
        """Another graph: a call has another name, also in its users."""
        lines = self.read("in.fxj")
        name = next(json.loads(line) for line in lines.splitlines() if json.loads(line).get("op", "").startswith("call"))["name"]
        self.write("in.fxj", lines.replace(f'"{name}"', '"renamed_since"'))
        return name

    def test_split_takes_its_tags(self):
        self.make()
        self.cli("split", "in.fxj", "--tags", "t.json", "-o", "a.fxj")
        self.cli("split", "p.sunder", "-o", "b.fxj")
        self.assertEqual(self.cut("a.fxj"), self.cut("b.fxj"))
        self.assertIn('"color":{"stage0":"#2d3fc0"', self.read("b.fxj"))

    def test_options_win(self):
        self.make()
        self.cli("tag", "in.fxj", "--stages", "3", "-o", "three.json")
        self.cli("split", "p.sunder", "--tags", "three.json", "-o", "a.fxj")
        self.cli("split", "in.fxj", "--tags", "three.json", "-o", "b.fxj")
        self.assertEqual(self.cut("a.fxj"), self.cut("b.fxj"))

    def test_its_tags_are_tags_of_other_commands_too(self):
        self.make()
        self.assertTrue(self.json_of("check", "p.sunder")["legal"])
        self.assertEqual(self.json_of("compare", "in.fxj", "p.sunder", "t.json")["moved"], [])
        self.cli("render", "p.sunder", "p.svg")
        self.cli("split-module", "p.sunder", "-o", "a.fxj")
        self.cli("split-module", "in.fxj", "--tags", "t.json", "-o", "b.fxj")
        self.assertEqual(self.cut("a.fxj"), self.cut("b.fxj"))

    def test_partition_takes_its_devices(self):
        self.make()
        self.write("c.json", json.dumps({"mode": "size_based", "devices": json.loads(self.read("d.json"))}))
        self.cli("partition", "p.sunder", "-o", "a.fxj", "--result", "a.json")
        self.cli("partition", "in.fxj", "--config", "c.json", "-o", "b.fxj", "--result", "b.json")
        self.assertEqual(self.read("a.json"), self.read("b.json"))
        self.cli("project", "in.fxj", "-o", "q.sunder")
        self.cli("partition", "q.sunder", "-o", "a.fxj", "--result", "a.json", status=1, says="the project has no devices")

    def with_costs(self, seconds):
        """Writes the project with measured costs of some calls."""
        self.make()
        project = json.loads(self.read("p.sunder"))
        project["costs"] = {"source": "run", "file": {"nodes": {name: {"seconds": value} for name, value in seconds.items()}}}
        self.write("p.sunder", json.dumps(project))

    def test_its_measured_costs_are_used(self):
        name = next(iter(self.json_of("costs", "in.fxj")["nodes"]))
        self.with_costs({name: 0.5})
        node = self.json_of("costs", "p.sunder")["nodes"][name]
        self.assertEqual((node["seconds"], node["source"]), (0.5, "run"))
        self.write("c.json", json.dumps({"nodes": {name: {"seconds": 2}}}))
        self.assertEqual(self.json_of("costs", "p.sunder", "--costs", "c.json")["nodes"][name]["seconds"], 2)
        self.with_costs({"gone": 1})
        self.assertNotIn("seconds", self.json_of("costs", "p.sunder")["nodes"][name])

    def test_its_sizes_are_assumed(self):
        self.cli("project", SYMBOLS, "--assume", "s50=12", "-o", "q.sunder")
        self.assertEqual(self.json_of("info", "q.sunder")["assumed_sizes"]["s50"], 12)
        self.assertEqual(self.json_of("info", "q.sunder", "--assume", "s50=9")["assumed_sizes"]["s50"], 9)

    def test_a_project_out_of_a_project_keeps_the_rest(self):
        self.make()
        project = json.loads(self.read("p.sunder"))
        project["tags"][0].update(code="QX", locked=True, color="#123456")
        project.update(bookmarks=[{"name": "b", "sight": {"zoom": 1.5}}], rules=[1], of_later={"x": 1},
                       runs=[{"number": 3, "pass": "split", "name": "mine"}])
        self.write("p.sunder", json.dumps(project))
        self.cli("project", "p.sunder", "-o", "q.sunder")
        again = json.loads(self.read("q.sunder"))
        for key in ("bookmarks", "rules", "of_later", "devices", "source"):
            self.assertEqual(again[key], project[key], key)
        self.assertEqual(again["runs"][0]["name"], "mine")
        self.assertEqual((again["tags"][0]["code"], again["tags"][0]["locked"]), ("QX", True))
        self.assertEqual(again["tags"][0]["color"], "#123456")

    def test_a_changed_graph_is_refused_unless_it_is_wanted(self):
        self.make()
        name = self.rename_first_call()
        self.cli("split", "p.sunder", "-o", "a.fxj", status=1, says="not the model that the project was made for")
        self.assertNotIn("a.fxj", self.left())
        said = self.json_of("check", "p.sunder", "--changed-source")["notes"]
        self.assertIn("has changed since", said[0])
        self.assertIn("matched by identity", said[1])  # a name alone does not match
        project = json.loads(self.read("p.sunder"))
        del project["identity"]  # a file of an older version
        self.write("p.sunder", json.dumps(project))
        said = self.json_of("check", "p.sunder", "--changed-source", status=1)["notes"]
        self.assertIn(f"e.g. {name}", said[1])

    def add_call(self):
        """Writes new.fxj: the model with one more call at its end."""
        self.write("new.fxj", model(nodes=4)[0])

    def test_another_model_can_be_read(self):
        self.make()
        self.add_call()
        self.cli("check", "p.sunder", "--source", "new.fxj", status=1, says="not the model that the project was made for")
        self.cli("check", "in.fxj", "--source", "new.fxj", status=2, says="in.fxj is not a project")
        self.cli("project", "p.sunder", "--source", "new.fxj", "--changed-source", "-o", "q.sunder")
        self.assertEqual(json.loads(self.read("q.sunder"))["source"]["relative"], "new.fxj")
        self.cli("project", "p.sunder", "--source", "new.fxj", "--changed-source", "-o", "new.fxj", status=2)

    def test_ops_can_get_the_suggested_tag(self):
        self.make()
        self.add_call()
        words = ("check", "p.sunder", "--source", "new.fxj", "--changed-source")
        said = self.json_of(*words, status=1)
        self.assertEqual([(ops["suggestion"], ops["nodes"]) for ops in said["untagged"]], [("stage1", ["n1", "n3"])])
        said = self.json_of(*words, "--suggested")
        self.assertEqual((said["untagged"], said["figures"]["after"]["untagged"]), ([], 0))
        self.cli("transfer", "new.fxj", "--from", "p.sunder", "--suggested", "-o", "n.json", says="2 ops got the suggested tag")
        self.assertEqual(json.loads(self.read("n.json"))["tags"]["n3"], "stage1")

    def test_tags_of_lost_ops_come_back(self):
        def of(*calls):  # a chain of different ops
            text, names = model(nodes=len(calls))
            for name, call in zip(names, calls):
                text = text.replace(f'"name": "{name}", "op": "call_function", "target": "torch.ops.aten.relu.default"',
                                    f'"name": "{name}", "op": "call_function", "target": "torch.ops.aten.{call}.default"')
            return text

        self.write("a.fxj", of("relu", "tanh", "sin"))
        self.write("b.fxj", of("relu", "sin"))
        self.write("t.json", json.dumps({"order": ["p", "q"], "tags": {"n0": "p", "n1": "q", "n2": "q"}}))
        self.cli("project", "a.fxj", "--tags", "t.json", "-o", "a.sunder")
        self.cli("project", "a.sunder", "--source", "b.fxj", "--changed-source", "-o", "b.sunder")
        lost = json.loads(self.read("b.sunder"))["lost"]
        self.assertEqual([(tag["name"], tag["nodes"]) for tag in lost[0]["tags"]], [("q", ["n1"])])
        self.cli("project", "b.sunder", "--source", "a.fxj", "--changed-source", "-o", "c.sunder", says="1 op of earlier versions")
        again = json.loads(self.read("c.sunder"))
        self.assertEqual([tag["nodes"] for tag in again["tags"]], [["n0"], ["n1", "n2"]])
        self.assertNotIn("lost", again)

    def test_figures_of_the_previous_export_are_its_own_or_unknown(self):
        def figures(*options):
            self.add_call()
            return self.json_of("check", "p.sunder", "--source", "new.fxj", "--changed-source", "--suggested", *options)["figures"]

        self.make()
        kept = figures()
        self.assertEqual(kept["before_from"], "project")
        project = json.loads(self.read("p.sunder"))
        del project["figures"]  # a file of an older version
        self.write("p.sunder", json.dumps(project))
        measured = figures()
        self.assertEqual((measured["before_from"], measured["before"]), ("model", kept["before"]))
        os.remove(self.path("in.fxj"))
        self.assertIn("does not keep them", figures()["why_no_before"])
        self.assertNotIn("before", figures())
        os.remove(self.path("p.sunder"))
        self.write("in.fxj", model()[0])
        self.make()
        os.remove(self.path("in.fxj"))
        self.write("other.json", json.dumps([{"name": name, "available_mem_bytes": 10**6} for name in "ab"]))
        self.assertIn("other tags, devices, or sizes", figures("--devices", "other.json")["why_no_before"])
        project = json.loads(self.read("p.sunder"))
        first, second = project["tags"]
        first["nodes"].append(second["nodes"].pop(0))  # painted by an older version, which writes unknown members back
        self.write("p.sunder", json.dumps(project))
        self.assertIn("other tags, devices, or sizes", figures()["why_no_before"])

    def test_other_weights_are_said(self):
        self.make()
        self.write("in.fxj", self.read("in.fxj") + "\n")
        done = self.json_of("split", "p.sunder", "-o", "a.fxj")
        self.assertIn("possibly the weights", done["notes"][0])

    def test_the_model_is_found_beside_it_and_else_where_it_was(self):
        os.mkdir(self.path("away"))
        self.make()
        os.rename(self.path("p.sunder"), self.path("away/p.sunder"))
        self.cli("info", "away/p.sunder")
        os.rename(self.path("in.fxj"), self.path("away/in.fxj"))
        self.cli("info", "away/p.sunder")
        os.rename(self.path("away/in.fxj"), self.path("elsewhere.fxj"))
        self.cli("info", "away/p.sunder", status=3, says="the model of the project is neither at in.fxj next to it nor at")

    def test_neither_model_nor_project_is_written_over(self):
        self.make()
        self.cli("convert", "p.sunder", "in.fxj", status=2, says="the model of IN")
        self.cli("project", "p.sunder", "-o", "p.sunder", status=2, says="is used twice: as the output -o and as IN")
        self.cli("project", "in.fxj", "-o", "p.json", status=2, says="ends in .sunder")

    def test_damaged_projects_are_refused(self):
        self.make()
        whole = self.read("p.sunder")
        half = len(whole) // 2
        wrong = json.loads(whole)
        wrong["tags"][1]["nodes"][0] = 7
        for text, place in (
            (whole[:half], f"(byte {half + 1})"),
            (json.dumps(wrong), "must have a string, in tags[1].nodes[0]"),
            (whole.replace("{", '{"later":' + "[" * 10000 + "]" * 10000 + ",", 1), "is nested deeper than 64 levels (byte 73)"),
            (whole.replace("{", '{"tags":[],', 1), "has a duplicate key, in tags"),
            (whole.replace('"sunder": 1', '"sunder": 9'), "newer Sunder"),
        ):
            with self.subTest(place):
                self.write("p.sunder", text)
                before = self.left()
                said = self.cli("split", "p.sunder", "-o", "out.fxj", status=3, says=place).stderr
                self.assertEqual(said.count("\n"), 1, said)
                self.assertIn("p.sunder", said)
                self.assertEqual(self.left(), before)
                self.assertEqual(self.read("p.sunder"), text)


if __name__ == "__main__":
    unittest.main()
