"""Compares statistics and .npy files of `info --tensor` with PyTorch: `tensor_statistics_in_torch.py SUNDER_CLI`

Exports a module with a buffer of each dtype that has statistics, and of others in every layout: transposed, strided, with an offset,
expanded, empty, with NaN and infinities. Compares what sunder-cli reads from the .pt2 with what PyTorch computes in float64, and the
saved .npy with the tensor, bit by bit. Exit 77 (skipped) without SUNDER_TORCH_PYTHON.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere

FLOATS = ("float16", "bfloat16", "float32", "float64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz",
          "float8_e8m0fnu")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
NUMPY_LACKS = {"bfloat16": "uint16"} | {name: "uint8" for name in FLOATS if "float8" in name}
BINS = 32


def tensors():
    import torch
    torch.manual_seed(7)
    for name in FLOATS:
        dtype = getattr(torch, name)
        yield name, torch.randn(37, 11).to(dtype)
        if "float8" in name:  # every possible value
            yield f"{name}_all", torch.arange(256, dtype=torch.uint8).view(dtype)
    yield "float16_all", torch.arange(65536, dtype=torch.int32).to(torch.uint16).view(torch.float16)
    yield "bfloat16_all", torch.arange(65536, dtype=torch.int32).to(torch.uint16).view(torch.bfloat16)
    for name in INTEGERS:
        info = torch.iinfo(getattr(torch, name))
        yield name, torch.tensor([info.min, info.max, 0, 1, 1, 2], dtype=getattr(torch, name))
    yield "bool", torch.rand(100) < 0.3
    yield "special", torch.tensor([1.0, math.nan, math.inf, -math.inf, -0.0, 0.0, 3.5])
    yield "turned", torch.randn(50, 70).t()
    yield "permuted", torch.randn(3, 5, 7, 2).permute(2, 0, 3, 1)
    yield "channels_last", torch.randn(2, 3, 8, 8).contiguous(memory_format=torch.channels_last)
    yield "stepped", torch.randn(100)[3::7]
    yield "expanded", torch.randn(1, 6).expand(5, 6)
    yield "scalar", torch.tensor(2.5)
    yield "empty", torch.zeros(0, 3)
    yield "large", torch.randn(1500, 1500) * 1e-3 + 100
    yield "equal", torch.full((9,), 0.1)


def export(path):
    import torch

    class Holder(torch.nn.Module):
        def __init__(self):
            super().__init__()
            for name, tensor in tensors():
                self.register_buffer(f"of_{name}", tensor)

        def forward(self, x):
            return x + 1, [buffer.view(buffer.shape) for buffer in self.buffers()]

    torch.export.save(torch.export.export(Holder(), (torch.randn(2),)), path)


def near(actual, wanted, scale):
    return math.isclose(actual, wanted, rel_tol=1e-9, abs_tol=1e-9 * scale)


def statistics_faults(said, tensor):
    import numpy
    import torch
    numbers = tensor.to(torch.float64) if tensor.dtype != torch.bool else tensor.double()
    counts = {"count": tensor.numel(), "zeros": int((numbers == 0).sum()), "nans": int(numbers.isnan().sum()),
              "infinities": int(numbers.isinf().sum())}
    for key, wanted in counts.items():
        if said[key] != wanted:
            yield f"{key} is {said[key]}, not {wanted}"
    finite = numbers[numbers.isfinite()]
    if finite.numel() == 0:
        if "min" in said:
            yield "an empty tensor has a minimum"
        return
    low, high = float(finite.min()), float(finite.max())
    scale = max(abs(low), abs(high))
    wanted = {"min": low, "max": high, "mean": float(finite.mean()), "std": float(finite.std(correction=0))}
    for key, value in wanted.items():
        if not near(said[key], value, scale):
            yield f"{key} is {said[key]}, not {value}"
    if tensor.dtype in (torch.int64, torch.uint64):
        texts = [str(number) for number in (min(tensor.tolist()), max(tensor.tolist()))]
        if [said["min_text"], said["max_text"]] != texts:
            yield f"the extremes are {said['min_text']} and {said['max_text']}, not {texts}"
    if low == high:
        bins = [finite.numel()]
    else:
        exact = finite.flatten().numpy().astype(numpy.longdouble)
        shares = (exact - numpy.longdouble(low)) / (numpy.longdouble(high) - numpy.longdouble(low)) * BINS
        bins = numpy.bincount(numpy.minimum(shares.astype(int), BINS - 1), minlength=BINS).tolist()
    # An element on the edge of two bins may be rounded into either.
    if len(bins) != len(said["histogram"]) or sum(bins) != sum(said["histogram"]) \
            or sum(abs(a - b) for a, b in zip(bins, said["histogram"])) > 2 + finite.numel() // 1000:
        yield f"the histogram is {said['histogram']}, not {bins}"


def npy_faults(file, tensor, name):
    import numpy
    import torch
    loaded = numpy.load(file)
    if list(loaded.shape) != list(tensor.shape):
        yield f"the .npy has shape {loaded.shape}, not {tuple(tensor.shape)}"
        return
    dtype = str(tensor.dtype).removeprefix("torch.")
    if str(loaded.dtype) != NUMPY_LACKS.get(dtype, dtype):
        yield f"the .npy has dtype {loaded.dtype}, not that of {dtype}"
        return
    kept = tensor.contiguous()
    actual = torch.from_numpy(loaded)
    if dtype in NUMPY_LACKS:
        actual = actual.view(tensor.dtype)
    raw = [t.contiguous().reshape(-1).view(torch.uint8) for t in (actual, kept)] if kept.numel() else [actual, actual]
    if not torch.equal(*raw):
        yield f"the .npy of {name} has different bits"


def main(argv):
    status = status_elsewhere(argv)
    if status is not None:
        return status
    import torch
    cli = argv[1]
    failures = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        model = folder / "model.pt2"
        export(model)
        state = torch.export.load(model).state_dict
        for name, tensor in state.items():
            npy = folder / "w.npy"
            answer = subprocess.run([cli, "info", model, "--tensor", name, "--save-npy", npy, "--json"], capture_output=True,
                                    text=True)
            if answer.returncode != 0:
                failures.append(f"{name}: {answer.stdout}{answer.stderr}")
                continue
            said = json.loads(answer.stdout)
            faults = [*statistics_faults(said["statistics"], tensor), *npy_faults(npy, tensor, name)]
            if said["shape"] != list(tensor.shape) or said["dtype"] != str(tensor.dtype).removeprefix("torch."):
                faults.append(f"is {said['dtype']} {said['shape']}")
            failures += [f"{name}: {fault}" for fault in faults]
        if len(state) < 30:
            failures.append(f"only {len(state)} tensors were exported")
    print("\n".join(failures) or f"{len(state)} tensors match PyTorch")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
