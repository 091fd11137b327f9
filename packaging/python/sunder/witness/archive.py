"""Witnesses: inputs for which two models differ, as files that are read without pickle.

A witness is a zip with witness.json, which describes the difference, the calls of the models, and the flat inputs, and a record
of raw bytes for each memory, as in the weights of fx-json.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
import zipfile
from typing import Any, Mapping, Sequence

import torch

from ..errors import SunderError
from ..exchange import Model
from ..fxjson.weights_in import WeightsIn
from ..fxjson.weights_out import WeightsOut
from ..pipeline.comparison import Difference
from ..version import __version__
from .observed import Call

VERSION = 1
_MEMBER = "witness.json"
_MOST_TEXT = 1 << 26  # bytes of witness.json


@dataclasses.dataclass(frozen=True)
class Witness:
    """Inputs for which two models differ. `why`: the first difference. `differences`: all differences. `calls`: the flat inputs
    of each call. `names`: their names. `about`: how the inputs were generated, and with which releases.
    """

    differences: tuple[Difference, ...]
    names: tuple[str, ...]
    calls: Call
    about: Mapping[str, Any]

    @property
    def why(self) -> str:
        return str(self.differences[0])

    def __str__(self) -> str:
        return "\n".join(map(str, self.differences))

    def run(self, a: Model, b: Model, *, model_a: str | None = None, model_b: str | None = None) -> tuple[Difference, ...]:
        """Runs both models again on these inputs, in this process. Returns the current differences; empty if the models agree.

        Raises SunderError if a model cannot be loaded or called with these inputs.
        """
        from .search import replayed

        return replayed(self, a, b, model_a, model_b)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the witness to a file. Raises OSError."""
        with WeightsOut(pathlib.Path(path)) as weights:
            inputs = [[_described(weights, f"input '{name}'", value) for name, value in zip(self.names, flat)] for flat in self.calls.inputs]
            said = {
                "sunder_witness": VERSION,
                "sunder": __version__,
                "torch": torch.__version__,
                **self.about,
                "differences": [{"where": one.what, "why": one.why} for one in self.differences],
                "names": list(self.names),
                "seed": self.calls.seed,
                "grad": self.calls.grad,
                "calls": inputs,
            }
            weights.add_text(_MEMBER, json.dumps(said, indent=1, ensure_ascii=False))

    @staticmethod
    def load(path: str | os.PathLike[str]) -> Witness:
        """Reads a witness. Raises SunderError if the file cannot be read or is not a witness."""
        path = pathlib.Path(path)
        try:
            with zipfile.ZipFile(path) as archive:
                if archive.getinfo(_MEMBER).file_size > _MOST_TEXT:
                    raise ValueError(f"{_MEMBER} is too large")
                said = json.loads(archive.read(_MEMBER))
            return _read(said, path)
        except OSError as error:
            raise SunderError(f"cannot be read: {error.strerror or error}", code="io", where={"file": str(path)}) from None
        except (zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError, RuntimeError, OverflowError) as error:
            raise SunderError(f"is not a witness: {error}", code="malformed", where={"file": str(path)}) from None


def _read(said: Mapping[str, Any], path: pathlib.Path) -> Witness:
    if said["sunder_witness"] != VERSION:
        raise ValueError(f"it has the version {said['sunder_witness']!r:.40}, but this Sunder reads {VERSION}")
    weights = WeightsIn(path.parent)
    try:
        storages: dict[str, torch.UntypedStorage] = {}
        inputs = [[_value(weights, path.name, storages, one) for one in flat] for flat in said["calls"]]
    finally:
        weights.close()
    names = tuple(map(str, said["names"]))
    if not inputs or any(len(flat) != len(names) for flat in inputs):
        raise ValueError("the number of inputs in its calls differs from the number of names")
    differences = tuple(Difference(str(one["where"]), str(one["why"])) for one in said["differences"])
    known = {"sunder_witness", "differences", "names", "seed", "grad", "calls"}
    about = {key: value for key, value in said.items() if key not in known}
    return Witness(differences, names, Call(inputs, int(said["seed"]), bool(said["grad"])), about)


def _described(weights: WeightsOut, name: str, value: Any) -> dict[str, Any]:
    if isinstance(value, torch.Tensor):
        storage = value.untyped_storage()
        place = weights.add(name, storage)
        return {
            "dtype": str(value.dtype).removeprefix("torch."),
            "shape": list(value.shape),
            "stride": list(value.stride()),
            "offset": value.storage_offset(),
            "device": str(value.device),
            "requires_grad": value.requires_grad,
            "record": place["record"],
            "crc32": place["crc32"],
            "nbytes": storage.nbytes(),
        }
    if isinstance(value, (bool, int, str, type(None))):
        return {"value": value}
    if isinstance(value, float):
        return {"float": repr(value)}
    for kind in ("dtype", "device"):
        if isinstance(value, getattr(torch, kind)):
            return {kind + "_value": str(value).removeprefix("torch.")}
    raise SunderError(f"{name} is a {type(value).__name__}, which a witness cannot contain")


def _value(weights: WeightsIn, file: str, storages: dict[str, torch.UntypedStorage], said: Mapping[str, Any]) -> Any:
    if "value" in said:
        return said["value"]
    if "float" in said:
        return float(said["float"])
    if "device_value" in said:
        return torch.device(said["device_value"])
    dtype = getattr(torch, str(said.get("dtype", said.get("dtype_value"))), None)
    if not isinstance(dtype, torch.dtype):
        raise ValueError(f"{said.get('dtype')!r:.40} is not a dtype of this PyTorch")
    if "dtype_value" in said:
        return dtype
    record = said["record"]
    if record not in storages:
        place = {"file": file, "record": record, "crc32": said["crc32"]}
        storage = weights.storage({"nbytes": said["nbytes"], "at": place})
        assert storage is not None
        storages[record] = storage
    return _tensor(dtype, storages[record], said)


def _tensor(dtype: torch.dtype, storage: torch.UntypedStorage, said: Mapping[str, Any]) -> torch.Tensor:
    shape, stride, offset = list(map(int, said["shape"])), list(map(int, said["stride"])), int(said["offset"])
    if len(shape) != len(stride) or min((*shape, *stride, offset), default=0) < 0:
        raise ValueError(f"a tensor with sizes {shape}, strides {stride}, and offset {offset} cannot exist")
    last = offset + sum((size - 1) * step for size, step in zip(shape, stride)) + 1
    if 0 not in shape and last * dtype.itemsize > storage.nbytes():
        raise ValueError("a tensor is outside of its memory")
    tensor = torch.empty(0, dtype=dtype).set_(storage, offset, shape, stride).to(said["device"])
    return tensor.requires_grad_() if said["requires_grad"] else tensor
