"""Checks the inputs of sunder-cli: no input is overwritten, no option is ignored, and messages about side files name the missing
node, tag, or device.

    inputs_are_checked.py SUNDER_CLI
"""
import json
import os
import unittest

from cli_case import CliCase


class Inputs(CliCase):
    def test_no_output_is_an_input_or_another_output(self):
        os.link(self.path("in.fxj"), self.path("hard.fxj"))
        os.symlink("in.fxj", self.path("soft.fxj"))
        os.symlink(".", self.path("here"))
        os.mkdir(self.path("parts"))
        refused = [
            ["convert", "in.fxj", "in.fxj"], ["convert", "in.fxj", "./in.fxj"], ["convert", "in.fxj", "hard.fxj"], ["convert", "in.fxj", "soft.fxj"],
            ["convert", "soft.fxj", "in.fxj"], ["convert", "in.fxj", "here/in.fxj"],
            ["convert", "in.fxj", "tags.json", "--tags", "tags.json"],
            ["split", "in.fxj", "--tags", "tags.json", "-o", "tags.json"],
            ["split", "in.fxj", "--tags", "tags.json", "-o", "out.fxj", "--dag", "out.fxj"],
            ["split", "in.fxj", "--tags", "tags.json", "-o", "out.fxj", "--cost", "here/out.fxj"],
            ["split", "in.fxj", "--tags", "tags.json", "--parts", "parts", "--dag", "parts/manifest.json"],
            ["split", "in.fxj", "--tags", "tags.json", "--parts", "parts", "-o", "parts/p.fxj"],
            ["split", "in.fxj", "--tags", "tags.json", "--fqn-map", "in.fxj", "-o", "out.fxj"],
            ["partition", "in.fxj", "--devices", "devices.json", "-o", "out.fxj", "--dag", "devices.json"],
            ["partition", "in.fxj", "--devices", "devices.json", "-o", "out.fxj", "--dag", "d.json", "--result", "d.json"],
            ["check", "in.fxj", "--tags", "tags.json", "--devices", "devices.json", "--repair-all", "-o", "devices.json"],
            ["split", "in.fxj", "--tags", "tags.json", "-o", "/dev/null", "--dag", "/dev/null"],
            ["render", "in.fxj", "in.fxj"], ["tag", "in.fxj", "--stages", "2", "-o", "in.fxj"],
            ["convert", "missing.fxj", "missing.fxj"],
        ]
        before = {name: self.read(name) for name in self.left() if os.path.isfile(self.path(name))}
        for words in refused:
            self.cli(*words, status=2)
        self.assertEqual({name: self.read(name) for name in self.left() if os.path.isfile(self.path(name))}, before)

    def test_parts_never_replace_their_source(self):
        self.split("--parts", "parts")
        os.rename(self.path("in.fxj"), self.path("parts/p.fxj"))
        whole = self.read("parts/p.fxj")
        self.cli("split", "parts/p.fxj", "--tags", "tags.json", "--parts", "parts", status=2)
        os.unlink(self.path("parts/manifest.json"))
        self.cli("split", "parts/p.fxj", "--tags", "tags.json", "--parts", "parts", status=2, says="cut from")
        self.assertEqual(self.read("parts/p.fxj"), whole)

    def test_every_option_is_heard(self):
        self.cli("split", "in.fxj", "--tags", "tags.json", "--tags", "three.json", "-o", "o.fxj", status=2, says="twice")
        self.cli("split", "in.fxj", "--tags", "tags.json", "-o", "", status=2, says="needs a value")
        self.cli("render", "in.fxj", "o.svg", "--expand", "nosuch", status=2, says="nosuch")
        self.cli("render", "in.fxj", "o.svg", "--scale", "nan", status=2, says="nan")
        self.cli("info", "in.fxj", "--model", "nosuch", status=2, says="nosuch")
        self.cli("tag", "in.fxj", "--stages", "-1", "-o", "t.json", status=2)
        self.cli("regions", "in.fxj", status=2, says="regions needs -o REGIONS.json")
        self.cli("regions", "in.fxj", "-o", "o.json", "--key", "name", status=2, says="--key takes tracked or structural, not name")
        self.cli("check", "in.fxj", "-o", "t.json", status=2, says="-o needs --repair N or --repair-all")
        self.cli("info", "in.fxj", "--edge", "a:b", "--tensor", "w", status=2, says="--edge and --tensor cannot be combined")
        self.cli("render", "in.fxj", "o.svg", "--columns", "0", status=2, says="--columns takes auto or a number from 1 to 1000, not 0")
        self.assertEqual(self.left(), ["devices.json", "in.fxj", "tags.json", "three.json"])

    def test_side_files_name_what_is_not_there(self):
        def side(text, status, *says, words=("split", "in.fxj", "-o", "o.fxj", "--tags", "side.json")):
            self.write("side.json", json.dumps(text))
            done = self.cli(*words, status=status)
            for word in says:
                self.assertIn(word, done.stderr)
            self.assertFalse(os.path.exists(self.path("o.fxj")))

        tags = {"n0": "p", "n1": "p", "n2": "q"}
        side({"order": ["p", "q"], "tags": {**tags, "n7": "p"}}, 1, "n7", "side.json")
        side({"order": ["p"], "tags": tags}, 1, "n2", "q", "side.json")
        side({"order": ["p", "q", "p"], "tags": tags}, 3, 'has the tag "p" twice')
        side({"order": ["p", "q"], "tags": tags, "color": {"z": "#112233"}}, 1, "z")
        convert = ("convert", "in.fxj", "o.fxj", "--tags", "side.json")
        side({"order": ["p", "q"], "tags": {"n7": "p"}}, 1, "n7", words=convert)
        side({"order": ["p", "q"], "tags": {"n0": "z"}}, 1, "n0", "z", words=convert)
        side({"order": ["p", "q"], "tags": {"n0": "z"}}, 1, "z", words=("render", "in.fxj", "o.svg", "--tags", "side.json"))
        side({"order": ["p", "q"], "tags": {"n7": "p"}}, 1, "n7", words=("compare", "in.fxj", "tags.json", "side.json"))
        side({"n0": 0, "n7": 1}, 1, "n7",
             words=("render", "in.fxj", "o.svg", "--color-by", "partition", "--partitions", "side.json"))
        side({"n0": 0, "n1": 0, "n2": 1, "n7": 1}, 1, "n7", words=("split-module", "in.fxj", "-o", "o.fxj", "--partitions", "side.json"))
        move = ("move-non-tensor", "in.fxj", "-o", "o.fxj", "--subgraphs", "side.json")
        side([{"is_acc": True, "nodes": ["n0", "n7"]}], 1, "n7", words=move)
        side([{"is_acc": True, "nodes": ["n0"]}, {"is_acc": False, "nodes": ["n0"]}], 1, "n0", words=move)
        devices = ("partition", "in.fxj", "-o", "o.fxj", "--devices", "side.json")
        side([{"name": "a", "logical_id": 1, "available_mem_bytes": 80}, {"name": "b", "logical_id": 1, "available_mem_bytes": 80}], 3,
             "two devices with logical ID 1", words=devices)
        config = ("partition", "in.fxj", "-o", "o.fxj", "--config", "side.json")
        two = [{"name": "a", "available_mem_bytes": 80}, {"name": "b", "available_mem_bytes": 80}]
        side({"mode": "cost_aware", "devices": two, "node_to_latency": {"n7": [1, 1]}}, 1, "n7", words=config)
        aot = {"mode": "aot_based", "devices": [{**device, "available_mem_bytes": 1000} for device in two], "node_to_partition": {"x": 0, "n0": 0, "n1": 0, "n2": 1, "output": 1},
               "partition_to_logical_devices": {"0": [0], "1": [1]}}
        side({**aot, "node_to_partition": {**aot["node_to_partition"], "n7": 1}}, 1, "n7", words=config)
        side({**aot, "partition_to_logical_devices": {"0": [0, 0], "1": [1]}}, 1, "0", "twice", words=config)
        side({**aot, "partition_to_logical_devices": {"0": [0], "1": [1], "5": [1]}}, 1, "5", words=config)
        side({**aot, "partition_to_logical_devices": {"0": [0], "1": [9]}}, 1, "9", words=config)
        side({"mode": "size_based", "devices": two, "transfer_rate": 1}, 3, "transfer_rate", words=config)
        side({"order": ["p", "q"], "tag": tags, "tags": tags}, 3, "tag")


if __name__ == "__main__":
    unittest.main()
