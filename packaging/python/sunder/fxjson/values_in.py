"""Values of nodes from a file, as torch.export, dynamo, and ShapeProp store them in the metadata of nodes."""

from __future__ import annotations

from typing import Any, Mapping

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.fx.passes.shape_prop import TensorMetadata

from ..errors import SunderError
from .node_meta import Kept
from .symbols import Symbols
from .words_in import WordsIn

_FORMATS = (torch.contiguous_format, torch.channels_last, torch.channels_last_3d)


class ValuesIn:
    """Creates fake tensors of one mode for `val` and `example_value`, and TensorMetadata for `tensor_meta`. Values with one
    storage share memory.
    """

    def __init__(self, words: WordsIn, symbols: Symbols) -> None:
        self._symbols = symbols
        self._fakes = words.with_tensors(self._fake)
        self._facts = words.with_tensors(self._metadata)
        self._mode: FakeTensorMode | None = None
        self._storages: dict[str, torch.UntypedStorage] = {}

    def put(self, line: Mapping[str, Any], meta: dict[str, Any], kept: Kept) -> None:
        """Restores the value in a node's line to the metadata key it came from. A value that cannot be recreated is kept as in
        the file."""
        key = line.get("val_from", "val")
        kept.update({name: line[name] for name in ("val", "val_from") if name in line})
        try:
            made = (self._facts if key == "tensor_meta" else self._fakes).value(line["val"], {})
        except (SunderError, RuntimeError, TypeError, KeyError, OverflowError):  # a dtype of another release, sizes beyond 64 bits …
            return
        meta[key] = kept["made"] = made

    def _fake(self, facts: Mapping[str, Any]) -> FakeTensor:
        empty = self._empty(facts)
        if self._mode is None:
            self._mode = FakeTensorMode(allow_fallback_kernels=False, allow_non_fake_inputs=True, shape_env=self._symbols.env())
        if facts.get("requires_grad"):
            empty.requires_grad_()
        return FakeTensor(self._mode, empty, torch.device(facts.get("device", "cpu")))

    def _metadata(self, facts: Mapping[str, Any]) -> TensorMetadata:
        empty = self._empty(facts)
        laid_out = next((one for one in _FORMATS if _is_laid_out(empty, one)), None)
        grad = bool(facts.get("requires_grad"))
        stride = empty.stride() if "stride" in facts else ()
        return TensorMetadata(empty.shape, empty.dtype, grad, stride, laid_out, False, {})

    def _empty(self, facts: Mapping[str, Any]) -> torch.Tensor:
        """A tensor of these sizes on the device meta."""
        if facts.get("layout", "strided") != "strided":
            raise SunderError(f"is {facts['layout']}")
        dtype = self._fakes.value({"dtype": facts["dtype"]}, {})
        shape = self._fakes.value(facts["shape"], {})
        if "stride" not in facts:
            return torch.empty(shape, dtype=dtype, device="meta")
        stride = self._fakes.value(facts["stride"], {})
        is_plain = all(type(size) is int for size in (*shape, *stride, facts.get("offset", 0)))
        if not is_plain or "storage" not in facts:
            return torch.empty_strided(shape, stride, dtype=dtype, device="meta")
        storage = self._storages.get(facts["storage"])
        if storage is None:
            storage = self._storages[facts["storage"]] = torch.UntypedStorage(0, device="meta")  # type: ignore[no-untyped-call]
        return torch.empty(0, dtype=dtype, device="meta").set_(storage, facts.get("offset", 0), shape, stride)  # grows it


def _is_laid_out(tensor: torch.Tensor, memory_format: torch.memory_format) -> bool:
    wanted = {torch.channels_last: 4, torch.channels_last_3d: 5}.get(memory_format, tensor.dim())
    return tensor.dim() == wanted and tensor.is_contiguous(memory_format=memory_format)
