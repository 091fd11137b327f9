"""Compares split-module with PyTorch: `split_module_in_torch.py SUNDER_CLI [SEED [SECONDS]]`

Makes random graphs (nested and clashing names, attributes that are modules, defaults and *args, symbolic sizes, regions
of autocast and grad mode) with random partitions and options, runs torch.fx.passes.split_module and sunder-cli, and compares
the results node by node with oracle/compare.py. Inputs that PyTorch refuses must be refused. Exit 77 (skipped) without
SUNDER_TORCH_PYTHON or without ../shared/oracle.
"""

import json
import logging
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORACLE = ROOT.parent / "shared" / "oracle"
#: Options of sunder-cli, each with the equivalent parameter of PyTorch's function and its value.
OPTIONS = ((("--keep-original-order",), "keep_original_order", True),
           (("--keep-original-node-names",), "keep_original_node_name", True),
           (("--tuple-return",), "tuple_return", True),
           (("--drop-original-input-names",), "keep_original_input_name", False),
           (("--partition-affix", "pp"), "partition_affix", "pp"))


def symbolic_sizes(torch, rng):
    """Placeholder values with symbols: sizes as numbers, and tensors with these sizes."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext
    env = ShapeEnv()
    mode = FakeTensorMode(shape_env=env)
    tensors = []
    for shape in ((5, 3), (7, 11), (13, 4)):
        dynamic = [rng.choice((DimDynamic.DYNAMIC, DimDynamic.STATIC)) for _ in shape]
        tensors.append(mode.from_tensor(torch.empty(shape), source=torch._dynamo.source.ConstantSource(f"t{shape[0]}"),
                                        symbolic_context=StatelessSymbolicContext(dynamic_sizes=dynamic)))
    sizes = [s for t in tensors for s in t.shape if isinstance(s, torch.SymInt)]
    with mode:
        for s in list(sizes):
            tensors.append(torch.empty(s * 2 + 1, 2))
            tensors.append(torch.empty(s + sizes[0], 3).t())
    return sizes, tensors


class GraphMaker:
    def __init__(self, torch, seed):
        self.torch, self.rng = torch, random.Random(seed)
        self.root = torch.nn.Module()
        self.graph = torch.fx.Graph()
        self.values, self.modules, self.module_attributes, self.tensor_attributes = [], [], [], []
        self.open_autocasts = []

    def chance(self, p):
        return self.rng.random() < p

    def holder(self, depth):
        module, path = self.root, []
        for _ in range(depth):
            name = self.rng.choice(("a", "b", "a_b", "C", "sum", "x"))
            if name not in module._modules:
                if hasattr(module, name):
                    break
                module.add_module(name, self.torch.nn.Module())
            if type(module._modules[name]) is not self.torch.nn.Module:
                break
            module = module._modules[name]
            path.append(name)
        return module, path

    def make_attributes(self):
        torch, rng = self.torch, self.rng
        shared = []
        for _ in range(rng.randrange(8)):
            module, path = self.holder(rng.randrange(3))
            name = rng.choice(("lin", "a_b", "b_lin", "w", "submod_0", "submod_1", "b", "add", "weight"))
            if hasattr(module, name):
                continue
            kind = rng.randrange(6)
            made = rng.choice(shared) if shared and self.chance(0.3) else None
            if made is None:
                made = {0: torch.nn.Linear(2, 2), 1: torch.nn.ReLU(), 2: torch.nn.Parameter(torch.zeros(2)),
                        3: torch.zeros(3), 4: torch.ones(2, 2), 5: self.nested_graph()}[kind]
                shared.append(made)
            if isinstance(made, torch.Tensor) and not isinstance(made, torch.nn.Parameter) and self.chance(0.6):
                module.register_buffer(name, made, persistent=self.chance(0.5))
            else:
                setattr(module, name, made)
            target = ".".join([*path, name])
            if isinstance(made, torch.fx.GraphModule):
                self.module_attributes.append(target)
                self.modules.append(target)
            elif isinstance(made, torch.nn.Module):
                self.modules.append(target)
                if isinstance(made, torch.nn.Linear):
                    self.tensor_attributes.append(target + ".weight")
                if self.chance(0.3):
                    self.module_attributes.append(target)
            else:
                self.tensor_attributes.append(target)

    def nested_graph(self):
        graph = self.torch.fx.Graph()
        graph.output(graph.call_function(self.torch.relu, (graph.placeholder("x"),)))
        return self.torch.fx.GraphModule(self.torch.nn.Module(), graph)

    def placeholders(self, count):
        rng = self.rng
        names = ["x", "input", "Yy", "len", "add", "relu_1", "z", "submod_0", "getitem"]
        rng.shuffle(names)
        has_default = False
        for name in names[:count]:
            has_default = has_default or self.chance(0.15)
            node = self.graph.placeholder(name, type_expr=rng.choice((None, self.torch.Tensor, int)),
                                          **({"default_value": rng.choice((None, 1, 2.5, "t"))} if has_default else {}))
            self.values.append(node)
        if self.chance(0.1):
            self.values.append(self.graph.placeholder("*rest"))
        if self.chance(0.1):
            self.values.append(self.graph.placeholder("**kwargs"))

    def attribute(self):
        pools = [p for p in (self.tensor_attributes, self.module_attributes) if p]
        if pools:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                node = self.graph.create_node("get_attr", self.rng.choice(self.rng.choice(pools)))
            self.values.append(node)

    def value(self):
        near = self.values[-6:]
        return self.rng.choice(near if self.chance(0.7) else self.values)

    def argument(self, depth=0):
        rng = self.rng
        if depth < 3 and self.chance(0.15):
            items = [self.argument(depth + 1) for _ in range(rng.randrange(3))]
            return rng.choice((list, tuple))(items)
        if depth < 3 and self.chance(0.05):
            return {k: self.argument(depth + 1) for k in ("k", "a")}
        if depth < 3 and self.chance(0.05):
            return slice(self.value(), None, 2)
        if self.chance(0.7):
            return self.value()
        return rng.choice((1, 2.0, None, True, "s", self.torch.float16, self.torch.device("cpu"), -3))

    def call(self):
        torch, rng = self.torch, self.rng
        if not self.values:
            self.values.append(self.graph.call_function(torch.zeros, (2,)))
            return
        args = tuple(self.argument() for _ in range(rng.randrange(1, 4)))
        kwargs = {k: self.argument() for k in ("alpha", "out") if self.chance(0.1)}
        kind = rng.randrange(4)
        if kind == 0 and self.modules:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                node = self.graph.call_module(rng.choice(self.modules), args[:1])
        elif kind == 1:
            node = self.graph.call_method(rng.choice(("view", "add_", "T", "__len__", "sum")), (self.value(), *args), kwargs)
        else:
            target = rng.choice((torch.add, torch.relu, torch.ops.aten.add.Tensor, torch.nn.functional.gelu, torch.cat))
            node = self.graph.call_function(target, args, kwargs)
        if self.chance(0.1):
            node.type = rng.choice((torch.Tensor, int))
        if self.chance(0.8):
            self.values.append(node)

    def state(self):
        torch, rng = self.torch, self.rng
        kind = rng.randrange(3)
        if kind == 0:
            enter = self.graph.call_function(torch.amp._enter_autocast, ("cpu", torch.bfloat16, self.chance(0.5), None))
            self.open_autocasts.append(enter)
        elif kind == 1 and self.open_autocasts:
            entered = self.open_autocasts.pop(-1 if self.chance(0.8) else 0)
            self.graph.call_function(torch.amp._exit_autocast, (entered,))
        else:
            self.graph.call_function(torch._C._set_grad_enabled, (self.chance(0.5),))

    def output(self):
        rng = self.rng
        kind = rng.randrange(4)
        if not self.values or kind == 0:
            self.graph.output(None if self.chance(0.3) or not self.values else self.value())
        elif kind == 1:
            self.graph.output(tuple(self.value() for _ in range(rng.randrange(4))))
        elif kind == 2:
            self.graph.output({"a": self.value(), "b": [self.value(), 3]})
        else:
            self.graph.output((self.values[-1], self.value()))

    def symbols(self):
        sizes, tensors = symbolic_sizes(self.torch, self.rng)
        for node in self.graph.nodes:
            if node.op == "output":
                continue
            if self.chance(0.15 if node.op != "placeholder" else 0.5) and sizes:
                node.meta["example_value"] = self.rng.choice(sizes)
            elif self.chance(0.5):
                node.meta["example_value"] = self.rng.choice(tensors)
            elif self.chance(0.1):
                node.meta["example_value"] = (self.rng.choice(tensors), [self.rng.choice(tensors)])
            elif self.chance(0.1):
                node.meta["val"] = self.rng.choice(tensors)

    def make(self):
        rng = self.rng
        self.make_attributes()
        early = self.chance(0.3)
        if early:
            for _ in range(rng.randrange(3)):
                self.attribute()
        self.placeholders(rng.randrange(5))
        states = self.chance(0.25)
        size = rng.randrange(25)
        for _ in range(size):
            roll = rng.random()
            if roll < 0.12:
                self.attribute()
            elif roll < 0.15 and not any(n.op == "placeholder" and n.target.startswith("*") for n in self.graph.nodes):
                node = self.graph.placeholder(f"late{len(self.values)}", default_value=None)
                self.values.append(node)
            elif states and roll < 0.3:
                self.state()
            else:
                self.call()
        while self.open_autocasts and self.chance(0.95):
            self.graph.call_function(self.torch.amp._exit_autocast, (self.open_autocasts.pop(),))
        self.output()
        if self.chance(0.25):
            self.symbols()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            gm = self.torch.fx.GraphModule(self.root, self.graph)
        return gm, self.partitions(gm, states)

    def partitions(self, gm, states):
        rng = self.rng
        calls = [n for n in gm.graph.nodes if n.op.startswith("call_")]
        k = rng.randrange(1, 7)
        style = rng.randrange(4) if not states or self.chance(0.1) else 0
        if style == 0:  # runs
            at = sorted(rng.randrange(k) for _ in calls)
        elif style == 1:  # arbitrary, mostly cyclic
            at = [rng.randrange(k) for _ in calls]
        else:  # legal, out of order
            place = {}
            for n in calls:
                place[n] = max([rng.randrange(k), *(place[p] for p in n.all_input_nodes if p in place)])
            at = list(place.values())
        names = list(range(k))
        if style != 0 or self.chance(0.2):
            rng.shuffle(names)
        if self.chance(0.1):
            names = rng.sample(["head", "a.b", "1", "0", "A b", "", "w", "0.a", "submod_0", "camelCase"], k)
        elif self.chance(0.1):
            names = [n * 7 - 1 for n in names]
        return {n.name: names[i] for n, i in zip(calls, at)}


def expected_of(split_module, fxjson, gm, ids, options, path):
    """Writes PyTorch's result. Returns the text of its refusal, or None. False if there is no result."""
    given = {parameter: value for (_, parameter, value), on in zip(OPTIONS, options) if on}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            split = split_module(gm, gm, lambda n: ids[n.name], **given)
    except SyntaxError:
        return False  # valid as a graph, but not expressible in Python
    except KeyError as e:
        # PyTorch looks for the partitions of a region by their names without the affix
        return False if "partition_affix" in given and e.args[0] in set(map(str, ids.values())) else e
    except Exception as e:
        return e
    finally:
        for n in gm.graph.nodes:
            if hasattr(n, "_fx_partition"):
                del n._fx_partition
    modules = dict(split.named_modules(remove_duplicate=False))
    if not all(hasattr(modules.get(n.target), "graph") for n in split.graph.nodes if n.op == "call_module"):
        return False  # an attribute has the name of a partition: the result cannot run, so we refuse
    fxjson.dump(split, path)
    return None


def difference(cli, compare, folder, expected, options):
    """Returns the error in sunder-cli's result. None if there is none."""
    out = folder / "out.fxj"
    out.unlink(missing_ok=True)
    flags = [word for (words, _, _), on in zip(OPTIONS, options) if on for word in words]
    done = subprocess.run([cli, "split-module", folder / "in.fxj", "--partitions", folder / "partitions.json", "-o", out,
                           "--no-verify", "--quiet", *flags], capture_output=True, text=True)
    if expected is not None:
        return None if done.returncode == 1 else f"not refused (exit {done.returncode}): {type(expected).__name__} {expected}"
    if done.returncode != 0:
        return f"exit {done.returncode}: {done.stderr.strip()}"
    found = next(compare.differences(compare.load(folder / "expected.fxj"), compare.load(out)), None)
    return None if found is None else "{}: {}: expected {}, got {}".format(*(str(x)[:300] for x in found))


def run(cli, first, seconds, folder):
    sys.path.insert(0, str(ORACLE))
    logging.disable(logging.CRITICAL)
    import compare
    import fxjson
    import torch
    import torch._dynamo.source  # noqa: F401
    from torch.fx.passes.split_module import split_module
    count = refused = wrong = 0
    start = time.monotonic()
    seed = first
    while time.monotonic() - start < seconds:
        gm, ids = GraphMaker(torch, seed).make()
        fxjson.dump(gm, folder / "in.fxj")
        (folder / "partitions.json").write_text(json.dumps(ids))
        options = tuple(random.Random(seed).random() < 0.4 for _ in OPTIONS)
        expected = expected_of(split_module, fxjson, gm, ids, options, folder / "expected.fxj")
        if expected is not False:
            count += 1
            refused += expected is not None
            why = difference(cli, compare, folder, expected, options)
            if why is not None:
                wrong += 1
                print(f"seed {seed}, {options}: {why}", flush=True)
                if os.environ.get("SUNDER_KEEP"):
                    shutil.copytree(folder, pathlib.Path(os.environ["SUNDER_KEEP"]) / str(seed), dirs_exist_ok=True)
        seed += 1
    print(f"{count} graphs, {refused} of them refused, {wrong} different")
    return 1 if wrong or not count else 0


def main():
    python = os.environ.get("SUNDER_TORCH_PYTHON")
    if python and os.environ.get("SUNDER_IN_TORCH") != "1":
        return subprocess.run([python, *sys.argv], env={**os.environ, "SUNDER_IN_TORCH": "1"}).returncode
    if not python or not ORACLE.is_dir():
        print("skipped: SUNDER_TORCH_PYTHON names no Python with PyTorch, or ../shared/oracle does not exist")
        return 77
    cli = str(pathlib.Path(sys.argv[1]).resolve())
    seed, seconds = (int(x) for x in (sys.argv[2:] + ["1", "20"][len(sys.argv) - 2:])[:2])
    with tempfile.TemporaryDirectory() as folder:
        return run(cli, seed, seconds, pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
