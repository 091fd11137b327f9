"""Checks that the layers of models are found, and that deduplicated models are equivalent in PyTorch: `dedup_in_torch.py SUNDER_CLI`

Exports the models of repeated_layers.py in float32, deduplicates them with proof, and runs source and result, written as
.pt2, on the same weights and inputs: outputs, mutated inputs, and buffers must be equal bit for bit. Every layer must be a
call of one subgraph, and no subgraph may be uncalled. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere


def run(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def given(program, inputs):
    """Returns copies of the inputs of an exported program's graph: parameters, buffers, constants, then user inputs."""
    import torch
    inputs = iter(inputs)
    values = []
    for spec in program.graph_signature.input_specs:
        if spec.target is None:
            values.append(next(inputs))
        else:
            values.append(program.state_dict.get(spec.target, program.constants.get(spec.target)))
    return [value.detach().clone() if isinstance(value, torch.Tensor) else value for value in values]


def outcome(graph_module, values):
    """Returns outputs, and the contents of all inputs after the run."""
    import torch
    import torch.utils._pytree as pytree
    with torch.no_grad():
        results = graph_module(*values)
    return [*pytree.tree_leaves(results), *values]


def same(a, b):
    import torch
    return len(a) == len(b) and all(
        torch.equal(x, y) and x.dtype == y.dtype if isinstance(x, torch.Tensor) else x == y for x, y in zip(a, b))


def check(torch, cli, folder, module, inputs, wanted):
    program = torch.export.export(module.eval(), inputs)
    source, graph, result = folder / "model.pt2", folder / "dedup.fxj", folder / "dedup.pt2"
    torch.export.save(program, source)
    report = json.loads(run(cli, "dedup", source, "-o", graph, "--json"))
    if report.get("verified") is not True:
        yield f"not proven: {report}"
    calls = sorted((subgraph["calls"] for subgraph in report["subgraphs"]), reverse=True)
    if 0 in calls:
        yield f"uncalled subgraphs: {report['subgraphs']}"
    if wanted is not None and calls != wanted:
        yield f"subgraphs are called {calls} times, not {wanted}: {[region['why'] for region in report['abandoned']]}"
    run(cli, "convert", graph, result)
    deduplicated = torch.export.load(result)
    if not same(outcome(program.graph_module, given(program, inputs)), outcome(deduplicated.graph_module, given(program, inputs))):
        yield "computes different results"
    nodes = len(program.graph.nodes), len(deduplicated.graph.nodes)
    print(f"    {nodes[0]} nodes, then {nodes[1]}; calls of subgraphs: {calls}")


def main(argv):
    status = status_elsewhere(argv)
    if status is not None:
        return status
    import torch
    import repeated_layers
    torch.manual_seed(0)
    failed = 0
    for name, (module, inputs, wanted) in repeated_layers.models(torch).items():
        print(name)
        with tempfile.TemporaryDirectory() as folder:
            for fault in check(torch, argv[1], pathlib.Path(folder), module, inputs, wanted):
                print("    FAIL", fault)
                failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
