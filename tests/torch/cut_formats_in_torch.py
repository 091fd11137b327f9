#!/usr/bin/env python3
"""cut_formats_in_torch.py SUNDER_CLI: checks the cuts that `sunder-cli convert --cut-format` writes for other tools.

A model with an embedding, four layers, and a head is cut between layers. The split points are run through
torch.distributed.pipelining.pipeline(); each stage has the weights of the tagged ops, and the stages compute what the model does. The other
forms are read by the documented rules of their tools, and by the tools themselves where they are installed (accelerate, megatron-core,
torchtitan, vllm). A cut inside a layer is refused by all of them, with the module.
"""
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere

if __name__ == "__main__" and (status := status_elsewhere(sys.argv)) is not None:
    sys.exit(status)

import torch
from torch.distributed.pipelining import pipeline

FORMATS = ("module-fqns", "split-points", "megatron", "vllm", "device-map")
LAYERS = 4


class Gate(torch.nn.Module):
    """Two ops without a module of their own, so that a cut between them is inside of this module."""

    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.rand(16))

    def forward(self, x):
        return torch.relu(x * self.scale)


class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.gate, self.down = torch.nn.Linear(8, 16), Gate(), torch.nn.Linear(16, 8)

    def forward(self, x):
        return x + self.down(self.gate(self.up(x)))


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(32, 8)
        self.layers = torch.nn.ModuleList(Layer() for _ in range(LAYERS))
        self.norm, self.head = torch.nn.LayerNorm(8), torch.nn.Linear(8, 32)

    def forward(self, x):
        x = self.embed(x)
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x))


def convert(cli, path, tags, name, out):
    command = [cli, "convert", path, out, "--tags", tags, "--cut-format", name]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True)


def tagged(program, stage_of, path):
    """Writes the tags, and returns the weights that each stage reads."""
    tags, weights, before = {}, {}, 0
    names = {node: target for node, target in program.graph_signature.inputs_to_parameters.items()}
    for node in program.graph.nodes:
        if node.op != "call_function":
            continue
        innermost = list((node.meta.get("nn_module_stack") or {"": ("",)}).values())[-1][0]
        stage = stage_of(innermost, node)
        before = before if stage is None else stage
        tags[node.name] = f"stage{before}"
        for source in node.all_input_nodes:
            if source.name in names:
                weights[names[source.name]] = before
    order = sorted(set(tags.values()))
    path.write_text(json.dumps({"order": order, "tags": tags}), encoding="utf-8")
    return weights


def stages_of_modules(parts):
    """Rules of torchtitan: a part keeps the listed modules of the model, and the listed entries of its lists."""
    return {name: stage for stage, names in enumerate(parts) for name in names}


def layers_of_layout(text):
    """Rules of Megatron-LM: commas mean nothing, `x*n` repeats, `|` separates stages."""
    text = re.sub(r"(.)\*(\d+)", lambda found: found[1] * int(found[2]), text.strip().replace(",", ""))
    return text.split("|")


def stage_in(places, weight):
    """The stage of the longest entry that contains a weight."""
    around = [name for name in places if name == "" or weight == name or weight.startswith(name + ".")]
    return places[max(around, key=len)] if around else None


def accelerate_reads(text, model, counts):
    from accelerate.utils.modeling import check_device_map
    check_device_map(model, json.loads(text))  # raises if a weight has no device
    return True


def megatron_reads(text, model, counts):
    from megatron.core.transformer.pipeline_parallel_layer_layout import PipelineParallelLayerLayout
    layout = PipelineParallelLayerLayout(text.strip(), len(counts))
    layout.validate_layer_layout(LAYERS, 0)
    return [layout.get_num_layers_to_build(pp_rank=stage, vp_stage=0) for stage in range(len(counts))] == counts


def torchtitan_reads(text, model, counts):
    from torchtitan.distributed.pipeline_parallel import _split_module
    parts = [_split_module(model, names) for names in json.loads(text)]
    left = [sorted(name for name, part in module.named_parameters()) for module in parts]
    return [len(part.layers) for part in parts] == counts and sum(map(len, left)) == len(list(model.parameters()))


def vllm_reads(text, model, counts):
    from vllm.distributed.utils import get_pp_indices
    name, _, value = text.strip().partition("=")
    os.environ[name] = value
    spans = [get_pp_indices(LAYERS, stage, len(counts)) for stage in range(len(counts))]
    return [end - start for start, end in spans] == counts


READERS = {"device-map": ("accelerate", accelerate_reads), "megatron": ("megatron.core", megatron_reads),
           "module-fqns": ("torchtitan", torchtitan_reads), "vllm": ("vllm", vllm_reads)}
used, missing = set(), set()


def tool_reads(name, text, model, counts):
    """What the tool's own reader finds; True if it cannot be imported here."""
    tool, reads = READERS.get(name, ("", None))
    if reads is None:
        return True
    try:
        found = reads(text, model, counts)
    except ImportError:
        missing.add(tool)
        return True
    used.add(tool)
    return found


def check_cut(cli, folder, model, program, path, counts):
    tags, out = folder / "tags.json", folder / "out"
    ends = [sum(counts[:i + 1]) for i in range(len(counts))]

    def stage_of(module, node):
        if found := re.match(r"layers\.(\d+)", module):
            return next(i for i, end in enumerate(ends) if int(found[1]) < end)
        return 0 if module == "embed" else len(counts) - 1 if module in ("norm", "head") else None

    weights = tagged(program, stage_of, tags)
    for name in FORMATS:
        done = convert(cli, path, tags, name, out)
        if done.returncode != 0:
            yield done.stderr.strip() == name
            continue
        text = out.read_text(encoding="utf-8")
        yield tool_reads(name, text, model, counts)
        if name in ("module-fqns", "device-map"):
            places = json.loads(text) if name == "device-map" else stages_of_modules(json.loads(text))
            yield all(stage_in(places, weight) == stage for weight, stage in weights.items())
        elif name == "megatron":
            parts = layers_of_layout(text)
            yield [part.count("t") for part in parts] == counts and parts[0][0] == "E" and parts[-1][-1] == "L"
        elif name == "vllm":
            yield text == f"VLLM_PP_LAYER_PARTITION={','.join(map(str, counts))}\n"
        else:
            scope = {}
            exec(text, scope)
            inputs = torch.randint(0, 32, (4, 6))
            pipe = pipeline(copy.deepcopy(model), (inputs,), split_spec=scope["split_spec"])  # it changes its model
            found = {weight: i for i in range(pipe.num_stages) for weight, _ in pipe.get_stage_module(i).named_parameters()}
            yield pipe.num_stages == len(counts) and found == weights
            value = inputs
            for i in range(pipe.num_stages):
                value = pipe.get_stage_module(i)(value)
            yield torch.equal(value, model(inputs))


def check_refusals(cli, folder, program, path):
    tags = folder / "tags.json"
    tagged(program, lambda module, node: 0 if module == "embed" else 1 if (module, node.name) == ("layers.1.gate", "relu_1") else None, tags)
    for name in FORMATS:
        done = convert(cli, path, tags, name, folder / "refused")
        yield done.returncode == 1 and "layers.1" in done.stderr and not (folder / "refused").exists()


def main():
    torch.manual_seed(0)
    model = Model().eval()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        path = folder / "model.pt2"
        program = torch.export.export(model, (torch.randint(0, 32, (4, 6)),))
        torch.export.save(program, path)
        results = [good for counts in ([2, 2], [1, 3], [1, 2, 1]) for good in check_cut(sys.argv[1], folder, model, program, path, counts)]
        results += check_refusals(sys.argv[1], folder, program, path)
    print(f"read by the tools themselves: {', '.join(sorted(used)) or 'none'}; not installed: {', '.join(sorted(missing)) or 'none'}")
    print(f"{len(results)} comparisons, {results.count(False)} differ: {[i for i, good in enumerate(results) if not good]}")
    sys.exit(not all(results))


if __name__ == "__main__":
    main()
