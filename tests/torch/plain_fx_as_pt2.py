"""Checks that plain torch.fx programs run as .pt2 as before: `plain_fx_as_pt2.py SUNDER_CLI`

Graph modules of make_fx, symbolic_trace with ShapeProp, and dynamo are written as fx-json, converted by sunder-cli, loaded by
PyTorch, and run. Compares every element of every output, and writes to buffers. Calls every line of
core/operators/data/exact_calls.txt. Programs that cannot be converted are refused with the node. Exit 77 (skipped) without
SUNDER_TORCH_PYTHON.
"""

import json
import operator
import pathlib
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run_cli(cli, *words):
    done = subprocess.run([cli, *map(str, words), "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.stdout.strip() else {"error": {"message": done.stderr.strip()}}


def same(a, b):
    """Whether values and nesting are equal, bit for bit."""
    import torch
    if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor):
        return a.dtype == b.dtype and a.shape == b.shape and a.stride() == b.stride() and \
            a.detach().contiguous().numpy().tobytes() == b.detach().contiguous().numpy().tobytes()
    if isinstance(a, dict):
        return isinstance(b, dict) and list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (tuple, list)):
        return isinstance(b, (tuple, list)) and len(a) == len(b) and all(map(same, a, b))
    return a == b


def check(name, cli, graph_module, inputs, folder):
    """Returns an error, or None."""
    import copy

    import plain_fx
    import torch
    source, made = folder / f"{name}.fxj", folder / f"{name}.pt2"
    plain_fx.write(graph_module, source)
    said = run_cli(cli, "convert", source, made)
    if "error" in said:
        return f"{name}: {said['error']['message']}"
    twin = copy.deepcopy(graph_module)
    torch.manual_seed(7)
    wanted = twin(*copy.deepcopy(inputs))
    loaded = torch.export.load(made)
    module = loaded.module()
    torch.manual_seed(7)
    found = module(*copy.deepcopy(inputs))
    if not same(wanted, found):
        return f"{name}: has different results"
    state, after = twin.state_dict(), module.state_dict()
    if set(state) != set(after) or not all(same(state[key], after[key]) for key in state):
        return f"{name}: leaves different buffers"
    verified = run_cli(cli, "verify", source, made)
    is_proven = name.endswith("_traced") and not name.startswith("branches")  # their operands become a list in a .pt2
    if is_proven and verified["verdict"] != "same":
        return f"{name}: the verifier says {verified['verdict']}: {verified.get('why')}"
    return None


def check_parts(name, cli, graph_module, inputs, folder):
    """Checks parts of two stages, as .pt2, and as fx-json that is moved elsewhere and converted to .pt2 there. Run one after the
    other, they give the results of the model."""
    import copy
    import shutil

    import torch
    from parts_run_in_torch import flat, run_parts
    source, tags = folder / f"{name}.fxj", folder / f"{name}.tags.json"
    run_cli(cli, "tag", source, "--stages", 2, "-o", tags)
    wanted = flat(copy.deepcopy(graph_module)(*copy.deepcopy(inputs)))
    for kind in ("pt2", "fxj"):
        parts = folder / f"{name}-{kind}"
        said = run_cli(cli, "split", source, "--tags", tags, "--parts", parts, "--parts-format", kind)
        if "error" in said:
            return f"{name}, parts as {kind}: {said['error']['message']}"
        if kind == "fxj":
            parts = pathlib.Path(shutil.move(parts, folder / "moved" / name))
            manifest = json.loads((parts / "manifest.json").read_text())
            for part in manifest["parts"]:
                said = run_cli(cli, "convert", parts / part["file"], parts / f"{part['name']}.pt2")
                if "error" in said:
                    return f"{name}, a part of fx-json: {said['error']['message']}"
                part["file"] = f"{part['name']}.pt2"
            (parts / "manifest.json").write_text(json.dumps(manifest))
        if not same(wanted, run_parts(parts, copy.deepcopy(inputs))):
            return f"{name}, parts as {kind}: give something else"
    return None


# Graph modules -------------------------------------------------------------------------------------------------------------


def traced(module, *inputs):
    """Returns the operators that a run of the module calls."""
    from torch.fx.experimental.proxy_tensor import make_fx
    return make_fx(module, tracing_mode="fake", _allow_non_fake_inputs=True)(*inputs), inputs


def shaped(module, *inputs):
    """Returns the module's calls with the shapes of one run."""
    import torch
    from torch.fx.passes.shape_prop import ShapeProp

    class IntoModules(torch.fx.Tracer):
        def is_leaf_module(self, called, name):
            return False

    tracer = IntoModules()
    graph_module = torch.fx.GraphModule(module, tracer.trace(module))
    ShapeProp(graph_module).propagate(*inputs)
    return graph_module, inputs


def captured(module, *inputs):
    """Returns the graph captured by dynamo."""
    import torch
    kept = []

    def keep(graph_module, example_inputs):
        kept.append((graph_module, [given.detach() for given in example_inputs]))
        return graph_module.forward

    torch._dynamo.reset()
    torch.compile(module, backend=keep, fullgraph=True, dynamic=False)(*inputs)
    return kept[0]


def of_any_size(module, *inputs):
    """Returns the operators that a run calls with symbolic sizes."""
    from torch.fx.experimental.proxy_tensor import make_fx
    return make_fx(module, tracing_mode="symbolic", _allow_non_fake_inputs=True)(*inputs), inputs


def models():
    import torch
    from torch import nn

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 8)
            self.norm = nn.LayerNorm(8)
            self.register_buffer("scale", torch.rand(8))
            self.register_buffer("hidden", torch.rand(8), persistent=False)
            self.constant = torch.rand(1, 8)

        def forward(self, x, y):
            z = self.down(torch.relu(self.up(self.norm(x)))) * self.scale + self.hidden
            a, b = torch.split(z + self.constant, [3, 5], 1)
            return {"sum": torch.cat([b, a], 1) + y, "both": (a, [b, z - 1])}

    class Tied(nn.Module):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)
            self.b.weight = self.a.weight

        def forward(self, x):
            return self.b(self.a(x)).sum(0)

    class Counts(nn.Module):
        def __init__(self):
            super().__init__()
            self.register_buffer("count", torch.zeros(3))

        def forward(self, x):
            self.count.add_(1)
            return x * self.count

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)

        def forward(self, x):
            q, k, v = self.qkv(x).view(2, 3, 3, 2, 4).permute(2, 0, 3, 1, 4).unbind(0)
            mixed = torch.nn.functional.scaled_dot_product_attention(q, k, v)
            return self.out(mixed.transpose(1, 2).reshape(2, 3, 8))

    class Image(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv, self.norm = nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4)

        def forward(self, x):
            x = torch.nn.functional.silu(self.norm(self.conv(x)))
            return torch.nn.functional.adaptive_avg_pool2d(x, 1).flatten(1)

    class Branches(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.rand(3))

        def forward(self, x):
            return torch.cond(x.sum() > 0, lambda x, w: x.sin() * w, lambda x, w: x.cos(), (x, self.weight))

    x, y = torch.randn(3, 8), torch.randn(3, 8)
    yield "branches", Branches(), (torch.randn(3),)
    yield "net", Net(), (x, y)
    yield "tied", Tied(), (torch.randn(2, 4),)
    yield "counts", Counts(), (torch.randn(3),)
    yield "attention", Attention(), (torch.randn(2, 3, 8),)
    yield "image", Image().eval(), (torch.randn(1, 3, 5, 5),)


def graph_modules():
    for name, module, inputs in models():
        yield f"{name}_traced", *traced(module, *inputs)
        if name != "branches":  # nested graphs of dynamo contain methods
            yield f"{name}_captured", *captured(module, *inputs)
        yield f"{name}_of_any_size", *of_any_size(module, *inputs)
        if name not in ("image", "branches"):  # batch norm queries sizes in Python with every tracer
            yield f"{name}_shaped", *shaped(module, *inputs)


def refused():
    """Yields (name, graph module, text of the refusal)."""
    import torch
    from torch import nn
    leaf = torch.fx.symbolic_trace(nn.Sequential(nn.Linear(2, 2)))
    torch.fx.passes.shape_prop.ShapeProp(leaf).propagate(torch.randn(1, 2))
    yield "leaf_module", leaf, ("_0", "torch.nn.modules.linear.Linear")
    bare = torch.fx.symbolic_trace(torch.nn.functional.relu)
    yield "no_value", bare, ("input", "val")
    graph_module, _ = shaped(type("Index", (nn.Module,), {"forward": lambda self, x: x[1:]})(), torch.randn(3))
    yield "index", graph_module, ("getitem", "slice")
    graph_module, _ = shaped(type("Solve", (nn.Module,), {"forward": lambda self, x: torch.norm(x)})(), torch.randn(3))
    yield "python_function", graph_module, ("norm", "torch.functional.norm")


# Lines of exact_calls.txt --------------------------------------------------------------------------------------------------


def function(line):
    """Returns the target of a line in Python: (op, callable or name)."""
    import torch
    target = line.split("\t")[0]
    if target.startswith("Tensor."):
        return "call_method", target.removeprefix("Tensor.")
    found = operator if target.startswith("_operator.") else torch
    for name in target.split(".")[1:]:
        found = getattr(found, name)
    return "call_function", found


def line_inputs(line):
    """Returns arguments by position and by keyword; tensors become inputs of the graph."""
    import torch
    target, call = line.split("\t")[:2]
    x, y = torch.randn(4, 6), torch.rand(4, 6) + 0.5
    mask, other = x > 0, y > 1
    name = target.rpartition(".")[2]
    if target.startswith("_operator."):
        if call.endswith("(b,a)"):
            return (2.5, x), {}
        if name in ("and_", "or_", "xor"):
            return (mask, other), {}
        if name == "invert":
            return (mask,), {}
        if name == "neg":
            return (x,), {}
        return (x, y.T.contiguous() if name == "matmul" else y), {}
    special = {"layer_norm": ((x, (6,), y[0].clone(), y[1].clone()), {"eps": 1e-3}), "rms_norm": ((x, (6,)), {}),
               "group_norm": ((x, 2), {}), "embedding": ((torch.tensor([1, 3]), x), {}), "glu": ((x,), {"dim": 1}),
               "adaptive_avg_pool2d": ((x[None].clone(), (2, 3)), {}), "unflatten": ((x, 1, (2, 3)), {}),
               "softmax": ((x,), {"dim": 1}), "log_softmax": ((x,), {"dim": -1}), "elu": ((x, 0.5), {}),
               "batch_norm": ((x, y[0].clone(), y[1].clone()), {"eps": 1e-3}),
               "leaky_relu": ((x, 0.2), {}), "hardtanh": ((x, -0.5), {})}
    if name in special:
        return special[name]
    if name == "split":
        return (x, 2), {}
    if name == "dropout":
        return (x,), {"p": 0.25, "inplace": "dropout_" in call}
    return (x,), {"inplace": "relu_(" in call} if "inplace" in line else {}


def line_module(line):
    import torch
    from torch.fx.passes.shape_prop import ShapeProp
    op, what = function(line)
    args, kwargs = line_inputs(line)
    graph = torch.fx.Graph()
    inputs = [arg for arg in args if isinstance(arg, torch.Tensor)]
    places = iter([graph.placeholder(f"x{i}") for i in range(len(inputs))])
    call = graph.create_node(op, what, tuple(next(places) if isinstance(a, torch.Tensor) else a for a in args), kwargs)
    graph.output(call)
    graph_module = torch.fx.GraphModule({}, graph)
    ShapeProp(graph_module).propagate(*(x.clone() for x in inputs))
    return graph_module, inputs


def table_lines():
    text = (ROOT / "core" / "operators" / "data" / "exact_calls.txt").read_text()
    return [line for line in text.splitlines() if not line.startswith("#")]


def called_packet(program):
    """Returns the operator that a converted line calls."""
    return next(node.target._schema.name for node in program.graph.nodes if node.op == "call_function")


def check_lines(cli, folder):
    import torch
    findings = []
    for number, line in enumerate(table_lines()):
        name = f"line{number}_{line.split(chr(9))[0].rpartition('.')[2]}"
        finding = check(name, cli, *line_module(line), folder)
        wanted = line.split("\t")[1].partition("(")[0]
        if finding is None and called_packet(torch.export.load(folder / f"{name}.pt2")) != wanted:
            finding = f"{name}: is not {wanted}"
        findings.append(finding)
    return findings


def main(argv):
    status = status_elsewhere(argv)
    if status is not None:
        return status
    cli, findings = argv[1], []
    import torch
    torch.manual_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "moved").mkdir()
        for name, graph_module, inputs in graph_modules():
            findings.append(check(name, cli, graph_module, inputs, folder))
            if not name.startswith("counts"):  # two parts would write to memory that both read
                findings.append(check_parts(name, cli, graph_module, inputs, folder))
        findings += check_lines(cli, folder)
        for name, graph_module, words in refused():
            import plain_fx
            plain_fx.write(graph_module, folder / f"{name}.fxj")
            said = run_cli(cli, "convert", folder / f"{name}.fxj", folder / f"{name}.pt2").get("error", {}).get("message", "")
            findings.append(None if all(word in said for word in words) else f"{name}: says \"{said}\"")
    wrong = [finding for finding in findings if finding]
    print(*wrong, f"{len(findings)} programs, {len(wrong)} findings", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
