#!/usr/bin/env python3
"""training_memory_in_torch.py SUNDER_CLI: compares `sunder-cli memory --training` with PyTorch.

What autograd keeps is the sum of the distinct storages that torch.autograd.graph.saved_tensors_hooks sees, except parameters: for each
line of core/operators/data/saved_for_backward.txt, and for whole models and their exported parts."""
import json
import pathlib
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere

if __name__ == "__main__" and (status := status_elsewhere(sys.argv)) is not None:
    sys.exit(status)

import torch
from torch.export.graph_signature import InputKind
from torch.utils import _pytree as pytree

aten = torch.ops.aten
TABLE = pathlib.Path(__file__).parents[2] / "core/operators/data/saved_for_backward.txt"
CUBE = (2, 4, 6)
IMAGE = (2, 4, 6, 6)
LONG = torch.tensor([0, 2, 1])

#: The shapes of operands and the call of names that are not functions of one tensor. A number is a parameter of that size.
CALLS = {
    **{name: ([CUBE, CUBE], getattr(aten, name)) for name in (
        "add sub rsub mul multiply div true_divide divide maximum minimum fmax fmin atan2 view_as reshape_as expand_as type_as "
        "mse_loss binary_cross_entropy_with_logits").split()},
    **{name: ([CUBE], lambda x, name=name: getattr(aten, name)(x, -1)) for name in (
        "cumsum softmax log_softmax cumprod cummax cummin logsumexp").split()},
    **{name: ([(4, 6)], getattr(aten, name)) for name in "t numpy_T trace mT mH".split()},
    **{name: ([CUBE], lambda x, name=name: getattr(aten, name)(x, [0])) for name in "flip amax amin var std var_mean std_mean".split()},
    **{name: ([CUBE], lambda x, name=name: getattr(aten, name)(x, 2.0)) for name in (
        "full_like hardshrink softshrink clamp_min clamp_max fill").split()},
    **{name: ([CUBE, CUBE], lambda x, y, name=name: getattr(aten, name)([x, y])) for name in (
        "cat concat concatenate stack hstack vstack").split()},
    **{name: ([IMAGE], lambda x, name=name: getattr(aten, name)(x, [2, 2])) for name in (
        "avg_pool2d max_pool2d max_pool2d_with_indices adaptive_avg_pool2d").split()},
    **{f"{name}.dim": ([CUBE], lambda x, name=name: getattr(aten, name)(x, 1)) for name in "max min median nanmedian".split()},
    **{f"{name}.other": ([CUBE, CUBE], getattr(aten, name)) for name in "max min".split()},
    **{f"{name}.Tensor": ([CUBE, CUBE], getattr(aten, name)) for name in "clamp_min clamp_max".split()},
    **{name: ([CUBE], lambda x, name=name: getattr(aten, name)(x, [2, 4, 6])) for name in (
        "expand broadcast_to sum_to_size new_zeros new_ones new_empty view reshape _unsafe_view").split()},
    **{name: ([CUBE], lambda x, name=name: getattr(aten, name)(x, 0, 1)) for name in (
        "transpose swapaxes swapdims movedim moveaxis").split()},
    **{name: ([(1, 2, 8, *[6] * d)], lambda x, name=name, d=d: getattr(aten, name)(x.flatten(0, 1), [8] * d, *[False] * (name[9] in "blc")))
       for d, name in ((1, "upsample_nearest1d"), (2, "upsample_nearest2d"), (3, "upsample_nearest3d"), (1, "upsample_linear1d"),
                       (2, "upsample_bilinear2d"), (2, "upsample_bicubic2d"))},
    **{f"conv{d}d": ([(2, 4, *[6] * d), (3, 4, *[3] * d)], getattr(aten, f"conv{d}d")) for d in (1, 2, 3)},
    **{f"conv_transpose{d}d": ([(2, 4, *[6] * d), (4, 3, *[3] * d)], getattr(aten, f"conv_transpose{d}d")) for d in (1, 2, 3)},
    "convolution": ([IMAGE, (3, 4, 3, 3)], lambda x, w: aten.convolution(x, w, None, [1, 1], [1, 1], [1, 1], False, [0, 0], 1)),
    "flatten": ([CUBE], lambda x: aten.flatten(x, 0, 1)),
    "unflatten": ([CUBE], lambda x: aten.unflatten(x, 2, [2, 3])),
    "permute": ([CUBE], lambda x: aten.permute(x, [2, 0, 1])),
    "squeeze": ([(2, 1, 4)], lambda x: aten.squeeze(x, 1)),
    "unsqueeze": ([CUBE], lambda x: aten.unsqueeze(x, 1)),
    "select": ([CUBE], lambda x: aten.select(x, 1, 0)),
    "slice": ([CUBE], lambda x: aten.slice(x, 1, 0, 2)),
    "narrow": ([CUBE], lambda x: aten.narrow(x, 1, 0, 2)),
    **{name: ([CUBE], lambda x, name=name: getattr(aten, name)(x, 2, 1)) for name in "chunk unsafe_chunk split unsafe_split tensor_split".split()},
    "split_with_sizes": ([CUBE], lambda x: aten.split_with_sizes(x, [1, 3], 1)),
    "roll": ([CUBE], lambda x: aten.roll(x, [1], [0])),
    "rot90": ([CUBE], lambda x: aten.rot90(x, 1, [0, 1])),
    "repeat": ([CUBE], lambda x: aten.repeat(x, [1, 2, 1])),
    "tile": ([CUBE], lambda x: aten.tile(x, [1, 2, 1])),
    "repeat_interleave.self_int": ([CUBE], lambda x: aten.repeat_interleave(x, 2, 1)),
    "constant_pad_nd": ([CUBE], lambda x: aten.constant_pad_nd(x, [1, 1])),
    "unfold": ([CUBE], lambda x: aten.unfold(x, 2, 3, 2)),
    "im2col": ([IMAGE], lambda x: aten.im2col(x, [2, 2], [1, 1], [0, 0], [1, 1])),
    "as_strided": ([CUBE], lambda x: aten.as_strided(x, [2, 3], [3, 1])),
    "to": ([CUBE], lambda x: aten.to(x, torch.float64)),
    "_to_copy": ([CUBE], lambda x: aten._to_copy(x, dtype=torch.float64)),
    "copy": ([CUBE, CUBE], lambda x, y: aten.copy(x, y)),
    "lerp.Scalar": ([CUBE, CUBE], lambda x, y: aten.lerp(x, y, 0.5)),
    "mul.Scalar": ([CUBE], lambda x: aten.mul.Scalar(x, 2.0)),
    "div.Scalar": ([CUBE], lambda x: aten.div.Scalar(x, 2.0)),
    "view_as_complex": ([(3, 2)], aten.view_as_complex),
    "slice_scatter": ([CUBE, (2, 2, 6)], lambda x, y: aten.slice_scatter(x, y, 1, 0, 2)),
    "select_scatter": ([CUBE, (2, 6)], lambda x, y: aten.select_scatter(x, y, 1, 0)),
    **{name: ([(2, 4, 4, 6)], lambda x, name=name: getattr(aten, name)(x, 2)) for name in
       "pixel_shuffle pixel_unshuffle channel_shuffle".split()},
    "new_full": ([CUBE], lambda x: aten.new_full(x, [2], 1.0)),
    "glu": ([CUBE], aten.glu),
    "threshold": ([CUBE], lambda x: aten.threshold(x, 0.5, 0.0)),
    "logit": ([CUBE], lambda x: aten.logit(x, 1e-6)),
    "pow.Tensor_Scalar": ([CUBE], lambda x: aten.pow(x, 3)),
    "pow.Tensor_Tensor": ([CUBE, CUBE], aten.pow),
    "pow.Scalar": ([CUBE], lambda x: aten.pow(2.0, x)),
    "clamp.default": ([CUBE], lambda x: aten.clamp(x, 0.1, 0.9)),
    **{name: ([CUBE], lambda x, name=name: getattr(aten, name)(x, -1, False)) for name in "_softmax _log_softmax".split()},
    "addcmul": ([CUBE] * 3, aten.addcmul),
    "addcdiv": ([CUBE] * 3, aten.addcdiv),
    "where": ([CUBE, CUBE], lambda x, y: aten.where(x > 0.5, x, y)),
    "masked_fill": ([CUBE], lambda x: aten.masked_fill(x, x > 0.5, 1.0)),
    "masked_select": ([CUBE], lambda x: aten.masked_select(x, torch.ones(6) > 0.5)),
    "kthvalue": ([CUBE], lambda x: aten.kthvalue(x, 2)),
    "topk": ([CUBE], lambda x: aten.topk(x, 2)),
    "index_select": ([CUBE], lambda x: aten.index_select(x, 1, LONG)),
    "index_fill": ([CUBE], lambda x: aten.index_fill(x, 1, LONG, 1.0)),
    "gather": ([CUBE], lambda x: aten.gather(x, 1, torch.zeros(2, 1, 6, dtype=torch.int64))),
    "scatter.value": ([CUBE], lambda x: aten.scatter(x, 1, torch.zeros(2, 1, 6, dtype=torch.int64), 1.0)),
    "scatter": ([CUBE, (2, 1, 6)], lambda x, y: aten.scatter(x, 1, torch.zeros(2, 1, 6, dtype=torch.int64), y)),
    "scatter_add": ([CUBE, (2, 1, 6)], lambda x, y: aten.scatter_add(x, 1, torch.zeros(2, 1, 6, dtype=torch.int64), y)),
    "index_add": ([CUBE, (2, 3, 6)], lambda x, y: aten.index_add(x, 1, LONG, y)),
    "index": ([CUBE], lambda x: aten.index(x, [None, LONG])),
    "index_put": ([CUBE, (2, 3, 6)], lambda x, y: aten.index_put(x, [None, LONG], y)),
    "embedding": ([(7, 4)], lambda w: aten.embedding(w, LONG)),
    "mm": ([(3, 4), (4, 5)], aten.mm),
    "bmm": ([(2, 3, 4), (2, 4, 5)], aten.bmm),
    "addmm": ([(5,), (3, 4), (4, 5)], aten.addmm),
    "baddbmm": ([(2, 3, 5), (2, 3, 4), (2, 4, 5)], aten.baddbmm),
    "mv": ([(3, 4), (4,)], aten.mv),
    "dot": ([(4,), (4,)], aten.dot),
    "linear": ([CUBE, (5, 6)], lambda x, w: (aten.linear(x, w), aten.linear(x.transpose(0, 1), w))),
    "matmul": ([CUBE, (2, 6, 4), (6, 5), (3, 1, 4, 6), (2, 4, 3, 6)],
               lambda a, b, c, d, e: (aten.matmul(a, b), aten.matmul(a, c), aten.matmul(a.transpose(0, 1), c), aten.matmul(d, b),
                                      aten.matmul(e.transpose(1, 2), e.permute(0, 2, 3, 1)))),
    "scaled_dot_product_attention": (
        [(2, 3, 5, 8), (2, 3, 4, 8), (2, 3, 4, 8), (2, 5, 8), (2, 4, 8), (2, 4, 7)],
        lambda q, k, v, a, b, c: (aten.scaled_dot_product_attention(q, k, v), aten.scaled_dot_product_attention(a, b, c))),
    "layer_norm": ([CUBE, (6,), (6,)], lambda x, w, b: aten.layer_norm(x, [6], w, b)),
    "native_layer_norm": ([CUBE, (6,), (6,)], lambda x, w, b: aten.native_layer_norm(x, [6], w, b, 1e-5)),
    "group_norm": ([IMAGE, (4,), (4,)], lambda x, w, b: aten.group_norm(x, 2, w, b)),
    "native_group_norm": ([IMAGE, (4,), (4,)], lambda x, w, b: aten.native_group_norm(x, w, b, 2, 4, 36, 2, 1e-5)),
    "batch_norm": ([IMAGE, (4,), (4,)], lambda x, w, b: (
        aten.batch_norm(x, w, b, torch.zeros(4), torch.ones(4), False, 0.1, 1e-5, False),
        aten.batch_norm(x, w, b, torch.zeros(4), torch.ones(4), True, 0.1, 1e-5, False))),
    **{name: ([IMAGE, (4,), (4,)], lambda x, w, b, name=name: getattr(aten, name)(x, w, b, torch.zeros(4), torch.ones(4), True, 0.1, 1e-5))
       for name in "native_batch_norm _native_batch_norm_legit".split()},
    "rms_norm": ([CUBE, (6,)], lambda x, w: aten.rms_norm(x, [6], w, 1e-5)),
    "avg_pool1d": ([CUBE], lambda x: aten.avg_pool1d(x, [2])),
    **{name: ([(2, 4, 6, 6, 6)], lambda x, name=name: getattr(aten, name)(x, [2, 2, 2])) for name in
       "avg_pool3d max_pool3d max_pool3d_with_indices".split()},
    "dropout": ([CUBE], lambda x: (aten.dropout(x, 0.5, True), aten.dropout(x, 0.5, False))),
    "native_dropout": ([CUBE], lambda x: aten.native_dropout(x, 0.5, True)),
}


class Called(torch.nn.Module):
    """Calls of one line. `needed`: the operands that need gradients, or all if None."""

    def __init__(self, names, needed):
        super().__init__()
        self.names, self.needed = names, needed
        self.zero = torch.nn.Parameter(torch.zeros(()))

    def forward(self, *given):
        results, given = [], iter(given)
        for name in self.names:
            shapes, call = CALLS.get(name, ([CUBE], getattr(aten, name.split(".")[0], None)))
            operands = [next(given) for _ in shapes]
            results.append(call(*(x + self.zero if self.needed in (None, i) else x + 0.0 for i, x in enumerate(operands))))
        return results


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = torch.nn.Embedding(11, 16)
        self.blocks = torch.nn.ModuleList(
            torch.nn.TransformerEncoderLayer(16, 4, 32, batch_first=True, activation="gelu") for _ in range(3))
        self.head = torch.nn.Linear(16, 11)
        self.head.weight = self.embed.weight

    def forward(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(x)


class Images(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.Sequential(
            torch.nn.Conv2d(3, 8, 3), torch.nn.BatchNorm2d(8), torch.nn.ReLU(inplace=True), torch.nn.MaxPool2d(2),
            torch.nn.Conv2d(8, 8, 3, padding=1), torch.nn.GroupNorm(2, 8), torch.nn.SiLU(), torch.nn.AdaptiveAvgPool2d(1),
            torch.nn.Flatten(), torch.nn.Dropout(0.2), torch.nn.Linear(8, 5))

    def forward(self, x):
        return self.layers(x).softmax(-1)


class Watched(torch.fx.Interpreter):
    """Runs a program with gradients and notes which values need them, and the distinct storages that autograd saves."""

    def __init__(self, program, needed):
        super().__init__(program.graph_module)
        self.program, self.given, self.needed, self.kept, self.saved = program, needed, {}, [], {}

    def placeholder(self, target, args, kwargs):
        spec = self.specs[target]
        value = spec[1]
        if isinstance(value, torch.Tensor) and spec[0] != InputKind.PARAMETER:
            value = value.detach()
            if self.given.get(target, False):
                value = value.requires_grad_().clone()  # not a leaf, so that calls can write to it
        return value

    def run_node(self, node):
        value = super().run_node(node)
        self.needed[node.name] = any(t.requires_grad for t in pytree.tree_leaves(value) if isinstance(t, torch.Tensor))
        return value

    def bytes(self, inputs):
        stored = self.program.state_dict | self.program.constants
        names = [node.target for node in self.program.graph.nodes if node.op == "placeholder"]
        inputs = iter(inputs)
        self.specs = {name: (spec.kind, stored[spec.target] if spec.target in stored else next(inputs))
                      for name, spec in zip(names, self.program.graph_signature.input_specs)}
        parameters = {value.untyped_storage()._cdata for kind, value in self.specs.values() if kind == InputKind.PARAMETER}

        def pack(tensor):
            self.kept.append(tensor)
            storage = tensor.untyped_storage()
            if storage._cdata not in parameters:
                self.saved[storage._cdata] = storage.nbytes()
            return tensor

        with torch.enable_grad(), torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
            self.result = self.run()
        return sum(self.saved.values())


def example_of(program, draw=torch.rand):
    values = [node.meta["val"] for node in program.graph.nodes if node.op == "placeholder"]
    kinds = [spec.kind for spec in program.graph_signature.input_specs]
    return [draw(value.shape, dtype=value.dtype) if value.is_floating_point() else torch.zeros(value.shape, dtype=value.dtype)
            for value, kind in zip(values, kinds) if kind == InputKind.USER_INPUT]


def run(cli, *args):
    done = subprocess.run([cli, *map(str, args), "--json"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def compare(what, part, said, wanted):
    if part["kept_for_backward"] == wanted and not said["assumptions"]["saves_everything"]:
        return True
    print(f"{what}: {part['kept_for_backward']}; torch {wanted}; {' '.join(said['assumptions']['saves_everything'])}")
    return False


def lines():
    """Yields names, and whether the line depends on which operands need gradients. Lines that save the same are one."""
    names = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            names.setdefault(line.split("\t")[1], []).extend(line.split("\t")[0].split(" "))
    for saved, group in names.items():
        yield group, any(word in saved for word in ("?", "matmul", "attention", "pooled"))


def check_lines(cli, folder):
    for names, depends in lines():
        operands = max(len(CALLS.get(name, ([CUBE],))[0]) for name in names)
        for needed in (None, *range(operands if depends else 0)):
            shapes = [shape for name in names for shape in CALLS.get(name, ([CUBE],))[0]]
            program = torch.export.export(Called(names, needed), tuple(torch.rand(*shape) for shape in shapes), strict=False)
            torch.export.save(program, folder / "line.pt2")
            program = torch.export.load(folder / "line.pt2")
            said = run(cli, "memory", folder / "line.pt2", "--training")
            wanted = Watched(program, {}).bytes(example_of(program))
            which = "all operands" if needed is None else f"operand {needed}"
            yield compare(f"{' '.join(names)}, {which}", said["parts"][0], said, wanted)


def check_models(cli, folder):
    for name, model, inputs in (("transformer", Model(), (torch.zeros(2, 5, dtype=torch.int64),)),
                                ("evaluated transformer", Model().eval(), (torch.zeros(2, 5, dtype=torch.int64),)),
                                ("images", Images(), (torch.randn(2, 3, 8, 8),)),
                                ("evaluated images", Images().eval(), (torch.randn(2, 3, 8, 8),))):
        path, tags, parts = folder / "model.pt2", folder / "tags.json", folder / f"parts of {name}"
        torch.export.save(torch.export.export(model, inputs, strict=False), path)
        program = torch.export.load(path)
        whole = Watched(program, {})
        wanted = whole.bytes(inputs)
        said = run(cli, "memory", path, "--training", "--optimizer", "adam")
        part = said["parts"][0]
        yield compare(name, part, said, wanted)
        trained = {p.untyped_storage()._cdata: p.untyped_storage().nbytes() for p in model.parameters()}
        yield (part["gradients"], part["optimizer"]) == (sum(trained.values()), 2 * sum(trained.values()))
        run(cli, "tag", path, "--stages", 3, "-o", tags)
        run(cli, "split", path, "--tags", tags, "-o", folder / "split.fxj", "--parts", parts)
        said = run(cli, "memory", path, "--tags", tags, "--training", "--schedule", "1F1B", "--micro-batches", 8)
        for stage, part in enumerate(said["parts"]):
            program = torch.export.load(parts / f"{part['name']}.pt2")
            wanted = Watched(program, whole.needed).bytes(example_of(program))
            yield part["in_flight"] == 3 - stage and compare(f"{name}, {part['name']}", part, said, (3 - stage) * wanted)


def main():
    with tempfile.TemporaryDirectory() as folder:
        results = [*check_lines(sys.argv[1], pathlib.Path(folder)), *check_models(sys.argv[1], pathlib.Path(folder))]
    print(f"{len(results)} comparisons, {results.count(False)} differ")
    sys.exit(not all(results) or len(results) < 80)


if __name__ == "__main__":
    main()
