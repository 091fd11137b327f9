"""Modules of the ops of a joint program, according to AOTAutograd for a graph with the same ops captured by dynamo."""

import contextlib
import difflib
import json
import subprocess

INNERMOST = 0.6  # minimum share of a module's ops that must be found in the innermost one


def true_paths(module, inputs):
    """Returns the target of each call of the joint graph with the path of its innermost module, or None if unknown."""
    import torch
    from torch._dynamo.functional_export import _dynamo_graph_capture_for_export
    from torch._functorch.aot_autograd import aot_export_joint_with_descriptors
    captured = _dynamo_graph_capture_for_export(module)(*inputs)
    with contextlib.ExitStack() as stack:
        joint = aot_export_joint_with_descriptors(stack, captured, inputs, decompositions=torch._decomp.core_aten_decompositions())
        for node in joint.graph_module.graph.nodes:
            if node.op == "call_function":
                frames = node.meta.get("nn_module_stack") or node.meta.get("fwd_nn_module_stack") or {}
                yield str(node.target), ([path for path, _ in frames.values()] or [""])[-1].removeprefix("L['self'].")


def found_paths(cli, model, scratch):
    """Returns the innermost module of each node in Sunder, by node name."""
    drawn = scratch / "drawn.json"
    subprocess.run([cli, "convert", model, drawn, "--quiet"], check=True, capture_output=True)
    graph = json.loads(drawn.read_text())["graphs"][0]
    return {node["id"].rsplit("/", 1)[-1]: node.get("namespace", "").replace("/", ".") for node in graph["nodes"]}


def faults_of_modules(cli, model, program, module, inputs, scratch):
    """An op may be found in an enclosing module, but in no other one."""
    truth = list(true_paths(module, inputs))
    calls = [node for node in program.graph.nodes if node.op == "call_function"]
    found = found_paths(cli, model, scratch)
    same = difflib.SequenceMatcher(None, [target for target, _ in truth], [str(node.target) for node in calls], autojunk=False)
    pairs = [(calls[b + i].name, truth[a + i][1]) for a, b, size in same.get_matching_blocks() for i in range(size)]
    if len(pairs) < 0.9 * len(calls):
        yield f"{len(pairs)} of {len(calls)} ops are in the graph that dynamo captured"
    innermost = sum(found[name] == path for name, path in pairs if path)
    if innermost < INNERMOST * sum(bool(path) for _, path in pairs):
        yield f"{innermost} of {len(pairs)} ops are found in their innermost module"
    for name, path in pairs:
        if path and found[name] and not f"{path}.".startswith(f"{found[name]}."):
            yield f"{name} is in {path}, not in {found[name]}"
