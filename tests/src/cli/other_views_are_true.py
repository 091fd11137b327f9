"""Checks `info` and `render` for an exported program: its modules, literals among its inputs, the kinds of its outputs, and folded
assertions."""
import json
import os
import unittest

from cli_case import CliCase

LITERALS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../cases/info/literals.fxj")


def asserted():
    """x -> relu -> neg in module m, with an assertion about the relu and an unused chain."""
    val = {"tensor": {"dtype": "float32", "shape": [8], "stride": [1], "device": "cpu"}}
    nodes = [("x", "placeholder", "x", []), ("relu", "call_function", "torch.ops.aten.relu.default", ["x"]),
             ("watch", "call_function", "torch.ops.aten._assert_tensor_metadata.default", ["relu"]),
             ("neg", "call_function", "torch.ops.aten.neg.default", ["relu"]),
             ("dead", "call_function", "torch.ops.aten.abs.default", ["relu"]), ("output", "output", "output", ["neg"])]
    lines = [{"k": "fx-json", "v": [1, 0], "min": [1, 0]}, {"k": "graph", "id": "g0", "module": ""},
             {"k": "stack", "id": 0, "mods": [["L__self__", "", "Net"], ["L__self__m", "m", "pkg.Block"]]}]
    for name, op, target, args in nodes:
        lines.append({"k": "node", "g": "g0", "name": name, "op": op, "target": target, "args": [{"n": arg} for arg in args],
                      "kwargs": [], **({"mods": 0} if op.startswith("call") and name != "watch" else {}),
                      **({"val": val} if name not in ("watch", "output") else {})})
    return "".join(json.dumps(line) + "\n" for line in [*lines, {"k": "end", "nodes": len(nodes)}])


class OtherViewsAreTrue(CliCase):
    def setUp(self):
        super().setUp()
        self.write("asserted.fxj", asserted())

    def info(self, *words):
        return json.loads(self.cli("info", *words, "--json").stdout)

    def test_info_tells_literals_from_inputs(self):
        inputs = self.info(LITERALS)["inputs"]
        self.assertEqual([(i["name"], i["type"], i.get("literal", False)) for i in inputs],
                         [("x", "f32[2, 4]", False), ("mask", "None", True), ("n", "3", True), ("mode", "'mean'", True),
                          ("flag", "True", True)])
        self.cli("info", LITERALS, says="input mask: always None\n")

    def test_info_says_what_outputs_are(self):
        outputs = self.info(LITERALS)["outputs"]
        self.assertEqual([(o["kind"], o.get("target", "")) for o in outputs[:4]],
                         [("buffer_mutation", "bn.running_mean"), ("buffer_mutation", "bn.running_var"),
                          ("buffer_mutation", "bn.num_batches_tracked"), ("user", "")])
        self.assertEqual([o["type"] for o in outputs[3:6]], ["f32[2, 4]", "None", "3"])
        self.cli("info", LITERALS, says="f32[4], new value of buffer bn.running_mean\n")

    def test_info_lists_modules_down_to_a_depth(self):
        whole, bn = self.info(LITERALS)["module_tree"]
        self.assertEqual((bn["path"], bn["class"], bn["tensors"], bn["parameters"], bn["bytes"]), ("bn", "BatchNorm1d", 5, 8, 72))
        self.assertEqual(whole["bytes"], 72)
        self.assertEqual(len(self.info(LITERALS, "--depth", "0")["module_tree"]), 1)
        self.cli("info", LITERALS, "--depth", "0", says="and 1 deeper module; --depth")
        self.cli("info", LITERALS, "--depth", "x", status=2, says="--depth takes a number from 0 to 1000, not x")

    def test_an_assertion_lies_where_its_operand_was_made(self):
        self.assertEqual(self.info("asserted.fxj")["module_tree"][1]["ops"], 4)
        self.cli("convert", "asserted.fxj", "again.fxj")
        again = [json.loads(line) for line in self.read("again.fxj").splitlines()]
        self.assertNotIn("mods", next(line for line in again if line.get("name") == "watch"))

    def test_assertions_and_dead_chains_are_drawn_when_asked_for(self):
        self.cli("render", "asserted.fxj", "folded.svg", "--expand-all")
        self.cli("render", "asserted.fxj", "shown.svg", "--expand-all", "--show-assertions")
        for name in ("watch", "dead"):
            self.assertNotIn(f">{name}<", self.read("folded.svg"))
            self.assertIn(f">{name}<", self.read("shown.svg"))
        self.assertIn(">neg<", self.read("folded.svg"))

    def test_what_is_not_used_has_no_unknown_size(self):
        self.write("t.json", json.dumps({"order": ["p"], "tags": {name: "p" for name in ("relu", "watch", "neg", "dead")}}))
        self.cli("split", "asserted.fxj", "--tags", "t.json", "-o", "s.fxj", "--cost", "cost.json")
        part = json.loads(self.read("cost.json"))["parts"][0]
        self.assertEqual(part["unknown_values"], [])

    def page(self, *words):
        """The data of a page."""
        self.cli("render", *words, "page.html")
        page = self.read("page.html")
        return json.loads(page[page.index('id="data">') + 10:].split("</script>")[0])

    def test_a_web_page_has_costs_parts_and_notes(self):
        self.cli("devices", "--preset", "A100 SXM 80 GB", "-o", "fast.json")
        data = self.page("in.fxj", "--tags", "tags.json", "--devices", "fast.json")
        self.assertEqual([part["name"] for part in data["parts"]], ["p", "q"])
        self.assertEqual([cost["name"] for cost in data["parts"][0]["costs"]], ["time", "FLOPs", "moved"])
        self.assertEqual(data["crossings"][0]["values"], ["n1: f32[8], 32 B"])
        self.assertEqual(data["problems"], [])
        self.assertNotIn("scale", data)
        self.cli("project", "in.fxj", "--tags", "tags.json", "-o", "p.sunder")
        project = json.loads(self.read("p.sunder"))
        self.write("p.sunder", json.dumps({**project, "notes": [{"node": "n1", "text": "here\nit is", "x": 0, "y": 0}]}))
        data = self.page("p.sunder", "--color-by", "flops", "--dark")
        self.assertIn("here\nit is", data["texts"])
        self.assertTrue(data["dark"])
        self.assertEqual(data["scale"]["name"], "FLOPs")
        self.assertNotIn("parts", self.page("in.fxj", "--tags", "tags.json", "--color-by", "op"))
        self.cli("render", "in.fxj", "out.svg", "--devices", "fast.json", status=2, says="needs --color-by seconds")
        self.cli("schedule", "in.fxj", "-o", "out.html", "--schedule", "1F1B", "--ranks", "2", "--micro-batches", "2", status=2, says="not out.html")


if __name__ == "__main__":
    unittest.main()
