"""Checks the cuts of joint forward and backward programs: `training_graphs_in_torch.py SUNDER_CLI`

Exports small models with gradients (torch.export.experimental._export_forward_backward), cuts them into four stages with their
backward pass, by bytes and by modules, and runs the parts in PyTorch. Loss, logits, gradients, and written buffers must equal
those of the model bit for bit, and the manifest must describe them. Then tests graphs of aot_export_joint_with_descriptors, whose
nodes have sequence numbers. With them, each backward op is in the stage of its forward op. Without them, none is in an earlier
stage, and nine of ten are in the same. The modules of ops are those of a graph that dynamo captured, or enclosing ones. Exit 77
(skipped) without SUNDER_TORCH_PYTHON.
"""

import contextlib
import json
import pathlib
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere
from true_modules import faults_of_modules

STAGES = 4
MARKS = ("seq_nr", "partitioner_tag", "autograd_backward", "is_gradient_acc")
SAME_STAGE = 0.9  # of the backward ops, without sequence numbers


def run(cli, *words):
    return subprocess.run([cli, *words, "--quiet"], check=True, capture_output=True, text=True)


def whole_results(program, inputs):
    """Returns results other than writes with their kinds, and the contents of buffers after the run. (module() of such a program does
    not run.)"""
    import torch
    given, rest = [], iter(inputs)
    for spec in program.graph_signature.input_specs:
        state = program.state_dict if spec.target in program.state_dict else program.constants
        given.append(next(rest) if spec.kind.name == "USER_INPUT" else state[spec.target])
    found, written = [], {}
    for spec, value in zip(program.graph_signature.output_specs, torch.fx.Interpreter(program.graph_module).run(*given)):
        if spec.kind.name == "BUFFER_MUTATION":
            written[spec.target] = value
        else:
            kind = {"LOSS_OUTPUT": "loss", "GRADIENT_TO_PARAMETER": "gradient"}.get(spec.kind.name)
            found.append((kind, spec.target if kind == "gradient" else None, value))
    return found, written


def part_results(folder, inputs):
    import torch
    manifest = json.loads((folder / "manifest.json").read_text())
    values = dict(zip((v["name"] for v in manifest["inputs"]), inputs))
    written = {}
    for described in manifest["parts"]:
        part = torch.export.load(folder / described["file"])
        module = part.module()
        values.update(zip((v["name"] for v in described["outputs"]), module(*(values[v["name"]] for v in described["inputs"]))))
        held = dict(module.named_buffers())
        written.update({s.target: held[s.target] for s in part.graph_signature.output_specs if s.kind.name == "BUFFER_MUTATION"})
    return [(v.get("kind"), v.get("of"), values[v["name"]]) for v in manifest["outputs"]], written, manifest


def faults_of_parts(program, folder):
    import torch
    inputs, _ = program.example_inputs
    torch.manual_seed(1)
    wanted, wanted_buffers = whole_results(program, [i.clone() for i in inputs])
    torch.manual_seed(1)
    actual, buffers, manifest = part_results(folder, list(inputs))
    if [a[:2] for a in actual] != [w[:2] for w in wanted]:
        yield "the manifest does not identify the loss and the targets of gradients"
    for (_, of, value), (_, _, other) in zip(actual, wanted):
        if not torch.equal(value, other):
            yield f"another value of {of or 'a result'}"
    if buffers.keys() != wanted_buffers.keys() or not all(torch.equal(buffers[k], wanted_buffers[k]) for k in buffers):
        yield "buffers have different contents"
    names = [part["name"] for part in manifest["parts"]]
    forward = [name for name in names if not name.endswith("_backward")]
    if names != forward + [f"{name}_backward" for name in reversed(forward)]:
        yield f"parts run in the order {names}"
    if [p.get("backward_of") for p in manifest["parts"]] != [None] * len(forward) + forward[::-1]:
        yield "the manifest does not group related parts"


def exported(cli, scratch, name, module, inputs):
    import torch
    from torch.export.experimental import _export_forward_backward
    model, tags, parts = scratch / f"{name}.pt2", scratch / "tags.json", scratch / f"{name}-parts"
    program = _export_forward_backward(torch.export.export(module, inputs, strict=False))
    torch.export.save(program, model)
    yield from faults_of_modules(cli, model, program, module, inputs, scratch)
    for how in (("--stages", str(STAGES)), ("--pattern", "blocks.*" if name == "language" else "layers.*")):
        run(cli, "tag", model, *how, "-o", tags)
        run(cli, "split", model, "--tags", tags, "--parts", parts)
        yield from (f"{' '.join(how)}: {fault}" for fault in faults_of_parts(torch.export.load(model), parts))


def write_graph(nodes, path, marked):
    import torch

    import fx_json
    lines = [fx_json.HEADER, {"k": "graph", "id": "g0", "module": ""}]
    for node in nodes:
        line = fx_json.node_line(node)
        if marked:
            line["meta"] = {key: node.meta[key] for key in MARKS if key in node.meta}
        if isinstance(value := node.meta.get("val"), torch.Tensor):
            line["val"] = {"tensor": {"dtype": str(value.dtype).removeprefix("torch."), "shape": list(value.shape)}}
        lines.append(line)
    lines.append({"k": "end", "nodes": len(nodes)})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def placed(cli, scratch, module, inputs):
    """Checks that backward ops are in the stages of their forward ops, according to PyTorch's sequence numbers."""
    import torch
    from torch._functorch.aot_autograd import aot_export_joint_with_descriptors
    with contextlib.ExitStack() as stack:
        joint = aot_export_joint_with_descriptors(stack, module, inputs, decompositions=torch._decomp.core_aten_decompositions())
        nodes = list(joint.graph_module.graph.nodes)
    calls = [n for n in nodes if n.op == "call_function"]
    backward = [n for n in calls if n.meta["partitioner_tag"] == "is_backward" and "is_gradient_acc" not in n.meta]
    forward = [n for n in calls if n.meta["partitioner_tag"] == "is_forward"]
    last = {n.meta["seq_nr"]: n.name for n in forward}
    first = {n.meta["seq_nr"]: n.name for n in reversed(forward)}
    graph, tags = scratch / "graph.fxj", scratch / "tags.json"
    for marked in (True, False):
        write_graph(nodes, graph, marked)
        run(cli, "tag", graph, "--stages", str(STAGES), "-o", tags)
        made = json.loads(tags.read_text())["tags"]
        stages = [tuple(int(made[name][5]) for name in (n.name, first[n.meta["seq_nr"]], last[n.meta["seq_nr"]]))
                  for n in backward]
        same = sum(begin <= mine <= end for mine, begin, end in stages)
        if not all("_backward" in made[n.name] for n in backward):
            yield "not every backward op is found"
        if any(mine < begin for mine, begin, _ in stages):
            yield "a backward op is in an earlier stage than its forward op"
        if same < len(stages) * (1 if marked else SAME_STAGE):
            yield f"{same} of {len(stages)} backward ops are in the stage of their forward op, {'with' if marked else 'without'} numbers"


def main(argv):
    status = status_elsewhere(argv)
    if status is not None:
        return status
    from training_models import models
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        for name, module, inputs in models():
            faults = [*exported(argv[1], pathlib.Path(scratch), name, module, inputs),
                      *placed(argv[1], pathlib.Path(scratch), module, inputs)]
            print(f"{name}: {'; '.join(faults) or 'as it should be'}", flush=True)
            failures += len(faults)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
