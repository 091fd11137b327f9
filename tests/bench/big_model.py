"""Makes a model with a million nodes and 10 GB of weights, as .pt2 and as fx-json: big_model.py FOLDER [NODES [GB]].

It consists of layers of linears, activations, and residuals, each with its own weight and bias. The weights are holes of a sparse
file: they use no disk space and read as zeros. big_model_figures.py measures commands on the model.
"""

import json
import pathlib
import struct
import sys
import zlib

BLOCKS = 16  # of four calls each, after the linear of a layer
CALLS = 2 + 4 * BLOCKS
PIECE = 1 << 20
ALIGNED = 64
ROWS = 4


class SparseZip:
    """Writes stored members in zip64; zeros become holes."""

    def __init__(self, path):
        self.out, self.members, self.crcs = open(path, "wb"), [], {}

    def header(self, name, size, crc):
        """Writes a local header for `size` bytes of data, padded to a multiple of 64."""
        start, raw = self.out.tell(), name.encode()
        wide = struct.pack("<HHQQ", 1, 16, size, size)
        padding = -(start + 30 + len(raw) + len(wide) + 4) % ALIGNED
        extra = wide + struct.pack("<HH", 0x4246, padding) + bytes(padding)
        self.out.write(struct.pack("<IHHHHHIIIHH", 0x04034B50, 45, 0, 0, 0, 33, crc, 0xFFFFFFFF, 0xFFFFFFFF, len(raw),
                                   len(extra)) + raw + extra)
        self.members.append((raw, size, crc, start))

    def zeros(self, name, size):
        if size not in self.crcs:
            crc, piece = 0, bytes(PIECE)
            for at in range(0, size, PIECE):
                crc = zlib.crc32(piece[: min(PIECE, size - at)], crc)
            self.crcs[size] = crc
        self.header(name, size, self.crcs[size])
        self.out.seek(size, 1)

    def add(self, name, data):
        self.stream(name, [data])

    def stream(self, name, pieces):
        """Writes a member of initially unknown length. Its header is rewritten afterward."""
        start = self.out.tell()
        self.header(name, 0, 0)
        size = crc = 0
        for piece in pieces:
            self.out.write(piece)
            size, crc = size + len(piece), zlib.crc32(piece, crc)
        end = self.out.tell()
        self.out.seek(start)
        self.members.pop()
        self.header(name, size, crc)
        self.out.seek(end)

    def close(self):
        start = self.out.tell()
        for raw, size, crc, place in self.members:
            extra = struct.pack("<HHQQQ", 1, 24, size, size, place)
            self.out.write(struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 45, 45, 0, 0, 0, 33, crc, 0xFFFFFFFF, 0xFFFFFFFF,
                                       len(raw), len(extra), 0, 0, 0, 0, 0xFFFFFFFF) + raw + extra)
        end = self.out.tell()
        count = len(self.members)
        self.out.write(struct.pack("<IQHHIIQQQQ", 0x06064B50, 44, 45, 45, 0, 0, count, count, end - start, start))
        self.out.write(struct.pack("<IIQI", 0x07064B50, 0, end, 1))
        self.out.write(struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0))
        self.out.close()


class Model:
    """The contents of both files: layers, their calls, and their tensors."""

    def __init__(self, nodes, gigabytes):
        self.layers = max(1, nodes // (CALLS + 2))
        self.width = max(8, int((gigabytes * 1e9 / 4 / self.layers) ** 0.5) // 8 * 8)

    def tensors(self):
        """(name, placeholder, shape)"""
        for layer in range(self.layers):
            path, name = f"layers.{layer // 100}.{layer % 100}.linear", f"p_layers_{layer // 100}_{layer % 100}_linear"
            yield f"{path}.weight", f"{name}_weight", [self.width, self.width]
            yield f"{path}.bias", f"{name}_bias", [self.width]

    def calls(self):
        """(name, target, inputs with their names, module, line)"""
        before = "x"
        for layer in range(self.layers):
            group, number = divmod(layer, 100)
            weight = f"p_layers_{group}_{number}_linear"
            path, last = f"layers.{group}.{number}", f"linear_{layer}"
            yield last, "linear.default", [("input", before), ("weight", weight + "_weight"), ("bias", weight + "_bias")], \
                path + ".linear", 10
            for block in range(BLOCKS):
                at, names = f"{layer}_{block}", []
                for step, op in enumerate(("tanh.default", "relu.default", "mul.Tensor", "add.Tensor")):
                    names.append(f"{op.split('.')[0]}_{at}")
                    inputs = [("self", last if step < 2 else names[step - 2] if step == 2 else last)]
                    if step >= 2:
                        inputs.append(("other", names[step - 1]))
                    yield names[-1], op, inputs, f"{path}.blocks.{block}", 20 + step
                last = names[-1]
            yield f"add_{layer}", "add.Tensor", [("self", last), ("other", before)], path, 12
            before = f"add_{layer}"

    @staticmethod
    def frames(module):
        """(path, class) of each module around a call."""
        parts = module.split(".")
        cls = {2: "torch.nn.modules.container.ModuleList", 3: "net.Layer", 5: "net.Block"}
        for depth in range(1, len(parts) + 1):
            if depth == 4 and parts[3] == "blocks":
                continue
            kind = "torch.nn.modules.linear.Linear" if parts[depth - 1] == "linear" else cls.get(depth, cls[2])
            yield ".".join(parts[:depth]), kind

    @staticmethod
    def trace(line):
        return f'  File "/models/net.py", line 51, in forward\n    x = layer(x)\n  File "/models/layer.py", line {line}, ' \
               f"in forward\n    return step(x)\n"


def gathered(texts):
    """Joins the bytes into pieces of about a megabyte."""
    pieces, size = [], 0
    for text in texts:
        pieces.append(text)
        size += len(text)
        if size >= PIECE:
            yield "".join(pieces).encode()
            pieces, size = [], 0
    yield "".join(pieces).encode()


def tensor_json(shape, grad=False):
    strides = [shape[1], 1] if len(shape) == 2 else [1]
    ints = [", ".join(f'{{"as_int": {n}}}' for n in numbers) for numbers in (shape, strides)]
    return f'{{"dtype": 7, "sizes": [{ints[0]}], "requires_grad": {str(grad).lower()}, "device": {{"type": "cpu", "index": ' \
           f'null}}, "strides": [{ints[1]}], "storage_offset": {{"as_int": 0}}, "layout": 7}}'


def named(name):
    return f'{{"as_tensor": {{"name": "{name}"}}}}'


def program_json(model):
    """The text of an exported program, in pieces."""
    yield '{"graph_module": {"graph": {"inputs": ['
    yield ", ".join([named(name) for _, name, _ in model.tensors()] + [named("x")])
    last = f"add_{model.layers - 1}"
    yield f'], "outputs": [{named(last)}], "nodes": ['
    comma = ""
    for name, target, inputs, module, line in model.calls():
        args = ", ".join(f'{{"name": "{key}", "arg": {named(value)}, "kind": 1}}' for key, value in inputs)
        stack = ";".join(["L__self__,,net.Net"] + [f"L__self___{p},{p},{c}" for p, c in model.frames(module)])
        meta = json.dumps({"stack_trace": model.trace(line), "nn_module_stack": stack,
                           "torch_fn": f"{name};builtin_function_or_method.{target.split('.')[0]}"})
        yield f'{comma}{{"target": "torch.ops.aten.{target}", "inputs": [{args}], "outputs": [{named(name)}], "metadata": ' \
              f'{meta}, "is_hop_single_tensor_return": null, "name": "{name}"}}'
        comma = ", "
    yield '], "tensor_values": {"x": ' + tensor_json([ROWS, model.width])
    for _, name, shape in model.tensors():
        yield f', "{name}": {tensor_json(shape, True)}'
    result = tensor_json([ROWS, model.width])
    for name, *_ in model.calls():
        yield f', "{name}": {result}'
    yield '}, "sym_int_values": {}, "sym_float_values": {}, "sym_bool_values": {}, "custom_obj_values": {}, ' \
          '"is_single_tensor_return": false}, "signature": {"input_specs": ['
    for fqn, name, _ in model.tensors():
        yield f'{{"parameter": {{"arg": {{"name": "{name}"}}, "parameter_name": "{fqn}"}}}}, '
    yield f'{{"user_input": {{"arg": {named("x")}}}}}], "output_specs": [{{"user_output": {{"arg": {named(last)}}}}}]}}, '
    leaf = {"type": None, "context": None, "children_spec": []}
    args = {"type": "builtins.tuple", "context": "null", "children_spec": [leaf]}
    none = {"type": "builtins.dict", "context": "[]", "children_spec": []}
    in_spec = json.dumps([1, {"type": "builtins.tuple", "context": "null", "children_spec": [args, none]}])
    call = {"inputs": [{"as_tensor": {"name": "x"}}], "outputs": [{"as_tensor": {"name": last}}], "in_spec": in_spec,
            "out_spec": json.dumps([1, leaf]), "forward_arg_names": ["x"]}
    yield '"module_call_graph": ' + json.dumps([{"fqn": "", "signature": call}])
    yield ', "metadata": {}, "treespec_namedtuple_fields": {}}, "opset_version": {"aten": 10}, "range_constraints": {}, ' \
          '"schema_version": {"major": 8, "minor": 20}, "verifiers": ["TRAINING"], "torch_version": "2.13.0", ' \
          '"guards_code": []}'


def write_pt2(model, path):
    archive = SparseZip(path)
    for name, data in (("archive_format", b"pt2"), ("archive_version", b"0"), (".data/version", b"6\n"),
                       ("byteorder", b"little")):
        archive.add("big/" + name, data)
    archive.stream("big/models/model.json", gathered(program_json(model)))
    config = {}
    for number, (fqn, _, shape) in enumerate(model.tensors()):
        archive.zeros(f"big/data/weights/weight_{number}", 4 * shape[0] * (shape[1] if len(shape) == 2 else 1))
        config[fqn] = f'"{fqn}": {{"path_name": "weight_{number}", "is_param": true, "use_pickle": false, "tensor_meta": ' \
                      f"{tensor_json(shape, True)}}}"
    archive.add("big/data/weights/model_weights_config.json", ('{"config": {' + ", ".join(config.values()) + "}}").encode())
    archive.add("big/data/constants/model_constants_config.json", b'{"config": {}}')
    archive.add("big/data/sample_inputs/model.pt", b"")
    archive.close()


def fx_json(model, weights):
    """Returns the lines of a plain torch.fx program whose weights are in the archive next to it."""
    yield '{"k":"fx-json","v":[1,0],"min":[1,0],"producer":"sunder big_model.py","torch":"2.13.0"}\n'
    stacks = {}
    for line in {line for *_, line in model.calls()}:
        yield json.dumps({"k": "str", "id": line, "s": model.trace(line)}) + "\n"
    for number, (fqn, _, shape) in enumerate(model.tensors()):
        size = 4 * shape[0] * (shape[1] if len(shape) == 2 else 1)
        strides = [shape[1], 1] if len(shape) == 2 else [1]
        yield f'{{"k":"storage","id":"s{number}","nbytes":{size},"at":{{"file":"{weights}","record":' \
              f'"data/weights/weight_{number}"}}}}\n'
        yield json.dumps({"k": "tensor", "fqn": fqn, "role": "parameter", "persistent": True, "requires_grad": True,
                          "dtype": "float32", "shape": shape, "stride": strides, "offset": 0, "device": "cpu",
                          "layout": "strided", "storage": f"s{number}"}) + "\n"
    yield '{"k":"graph","id":"g0","module":""}\n'
    val = json.dumps({"tensor": {"dtype": "float32", "shape": [ROWS, model.width], "stride": [model.width, 1]}})
    yield f'{{"k":"node","g":"g0","name":"x","op":"placeholder","target":"x","args":[],"kwargs":[],"val":{val}}}\n'
    tensors, nodes, last = model.tensors(), 2, "x"
    for name, target, inputs, module, line in model.calls():
        if target == "linear.default":
            for fqn, read, shape in (next(tensors), next(tensors)):
                meta = json.dumps({"tensor": {"dtype": "float32", "shape": shape}})
                yield f'{{"k":"node","g":"g0","name":"{read}","op":"get_attr","target":"{fqn}","args":[],"kwargs":[],' \
                      f'"val":{meta}}}\n'
                nodes += 1
        if module not in stacks:
            stacks[module] = len(stacks)
            mods = [["L__self__", "", "net.Net"], *([f"L__self___{p}", p, c] for p, c in model.frames(module))]
            yield json.dumps({"k": "stack", "id": stacks[module], "mods": mods}) + "\n"
        args = ",".join(f'{{"n":"{value}"}}' for _, value in inputs)
        yield f'{{"k":"node","g":"g0","name":"{name}","op":"call_function","target":"torch.ops.aten.{target}","args":' \
              f'[{args}],"kwargs":[],"val":{val},"mods":{stacks[module]},"trace":{line}}}\n'
        nodes, last = nodes + 1, name
    yield f'{{"k":"node","g":"g0","name":"output","op":"output","target":"output","args":[{{"n":"{last}"}}],"kwargs":[]}}\n'
    yield f'{{"k":"end","nodes":{nodes}}}\n'


def main(folder, nodes=1_000_000, gigabytes=10.0):
    model = Model(int(nodes), float(gigabytes))
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    write_pt2(model, folder / "big.pt2")
    with open(folder / "big.fxj", "wb") as out:
        out.writelines(gathered(fx_json(model, "big.pt2")))
    for path in (folder / "big.pt2", folder / "big.fxj"):
        taken = path.stat()
        print(f"{path}: {taken.st_size / 1e9:.2f} GB, of which {taken.st_blocks * 512 / 1e9:.2f} GB on the disk")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if 2 <= len(sys.argv) <= 4 else 2)
