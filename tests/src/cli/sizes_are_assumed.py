"""Checks that --assume changes figures and everything based on them, but not models that are written to be run."""
import filecmp
import json
import os
import unittest

from cli_case import CliCase

MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../cases/pt2/own_symbols/model.pt2")
FILE = {"s10": 3, "s33": 4, "s50": 6}


class SizesAreAssumed(CliCase):
    def parts(self, folder, *assume):
        self.cli("tag", MODEL, "--stages", "2", "-o", "t.json")
        done = self.cli("split", MODEL, "--tags", "t.json", "--parts", folder, "--dag", folder + ".dag", "--cost", folder + ".cost",
                        "--json", "--no-verify", "--unproven", *assume)
        return json.loads(done.stdout)

    def test_figures_follow_and_say_what_they_rest_on(self):
        self.assertEqual(self.parts("a")["assumed_sizes"], FILE)
        self.assertEqual(self.parts("b", "--assume", "s50=12")["assumed_sizes"], {**FILE, "s50": 12})
        for name in ("b/manifest.json", "b.dag", "b.cost"):
            self.assertEqual(json.loads(self.read(name))["assumed_sizes"], {**FILE, "s50": 12}, name)
        bytes_of = lambda name: [value["bytes"] for value in json.loads(self.read(name))["inputs"]]
        self.assertEqual(bytes_of("a/manifest.json")[0], 4 * 6 * 4)
        self.assertEqual(bytes_of("b/manifest.json")[0], 4 * 12 * 4)

    def test_models_to_be_run_keep_the_hints_of_the_file(self):
        self.parts("a")
        self.parts("b", "--assume", "s50=12,s33=9")
        for part in ("stage0.pt2", "stage1.pt2"):
            self.assertTrue(filecmp.cmp(self.path("a/" + part), self.path("b/" + part), shallow=False), part)
        self.cli("convert", MODEL, "a.pt2")
        self.cli("convert", MODEL, "b.pt2", "--assume", "s50=12")
        self.assertTrue(filecmp.cmp(self.path("a.pt2"), self.path("b.pt2"), shallow=False))
        self.cli("convert", MODEL, "b.fxj", "--assume", "s50=12")
        self.assertEqual(json.loads(self.cli("info", "b.fxj", "--json").stdout)["assumed_sizes"]["s50"], 12)

    def test_a_refusal_says_what_could_be_taken(self):
        self.cli("info", MODEL, "--assume", "s50=100", status=1, says="s50 (args_0, dimension 1): 3 to 99; the nearest allowed value is s50 = 99")
        self.cli("info", MODEL, "--assume", "s5=1", status=1, says="s10 (args_1), s33 (args_0, dimension 0)")

    def test_sizes_of_nodes_that_the_file_gives_follow_nothing(self):
        lines = [json.loads(line) for line in self.read("in.fxj").splitlines()]
        for line in lines:
            if line["k"] == "node" and line["op"] != "output":
                line["val"]["tensor"]["shape"] = [{"sym": "s0", "hint": 8}]
                line["size_bytes"] = {"output": 32, "total": 32}
        self.write("sized.fxj", "".join(json.dumps(line) + "\n" for line in lines))
        self.write("roomy.json", json.dumps([{"name": "d", "available_mem_bytes": 500}]))
        self.cli("partition", "sized.fxj", "--devices", "roomy.json", "-o", "o.fxj", "--dag", "dag.json", "--result", "r.json",
                 "--assume", "s0=80", says="independent of assumed sizes")
        for name in ("dag.json", "r.json"):
            made = json.loads(self.read(name))
            self.assertEqual(made["used_mem_bytes_from"], "size_bytes of the file")
            self.assertNotIn("assumed_sizes", made)
        self.assertEqual([part["used_mem_bytes"] for part in made["partitions"]], [4 * 32])

    def test_a_file_that_holds_no_devices_says_what_one_is(self):
        self.write("bad.json", '[{"name": 5}]')
        self.cli("partition", "in.fxj", "--devices", "bad.json", "-o", "o.fxj", status=3, says='[0].name')
        self.cli("partition", "in.fxj", "--devices", "bad.json", "-o", "o.fxj", status=3, says='a list like [{"name"')
        self.assertNotIn("o.fxj", self.left())


if __name__ == "__main__":
    unittest.main()
