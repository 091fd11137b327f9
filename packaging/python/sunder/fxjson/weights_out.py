"""Writes the bytes of tensors next to a file: a zip of stored records, as torch.export.save writes weights."""

from __future__ import annotations

import ctypes
import os
import pathlib
import tempfile
import zipfile
from types import TracebackType

import torch

from ..errors import SunderError

_EARLIEST = (1980, 1, 1, 0, 0, 0)  # a fixed date, so that equal weights give equal files


class WeightsOut:
    """Writes storages one after the other. A context manager: it puts the file in its place at the end, and leaves none on errors."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        self._staged = pathlib.Path(name)
        self._file = os.fdopen(handle, "wb")
        self._zip = zipfile.ZipFile(self._file, "w", zipfile.ZIP_STORED)
        self._count = 0
        self._known: dict[int, dict[str, str]] = {}
        self._kept: list[torch.UntypedStorage] = []  # keeps the addresses used as keys valid

    def add(self, fqn: str, storage: torch.UntypedStorage) -> dict[str, str]:
        """Writes a storage, once, and returns the location of its bytes for the `storage` line."""
        known = self._known.get(storage._cdata)
        if known is None:
            known = self._known[storage._cdata] = self._written(fqn, storage)
            self._kept.append(storage)
        return known

    def add_text(self, member: str, text: str) -> None:
        """Adds a member that is a text, in UTF-8."""
        self._zip.writestr(self._member(member), text)
        self._count += 1

    def _written(self, fqn: str, storage: torch.UntypedStorage) -> dict[str, str]:
        if storage.device.type == "meta":
            raise SunderError(f"the tensor {fqn} is on the device meta and has no contents; save with weights=False")
        record = f"data/weights/weight_{self._count}"
        self._count += 1
        info = self._member(record)
        with self._zip.open(info, "w", force_zip64=storage.nbytes() >= 1 << 31) as member:
            if storage.nbytes():
                here = _in_memory(fqn, storage)
                member.write(memoryview((ctypes.c_char * here.nbytes()).from_address(here.data_ptr())).cast("B"))
        return {"file": self.path.name, "record": record, "crc32": f"{info.CRC:08x}"}

    @staticmethod
    def _member(name: str) -> zipfile.ZipInfo:
        info = zipfile.ZipInfo(name, _EARLIEST)
        info.external_attr = 0o644 << 16
        return info

    def __enter__(self) -> WeightsOut:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """Puts the file in its place; one without records is no file."""
        try:
            self._zip.close()
            self._file.close()
            if self._count and error is None:
                os.chmod(self._staged, 0o644)
                os.replace(self._staged, self.path)
        finally:
            self._file.close()
            self._staged.unlink(missing_ok=True)


def _in_memory(fqn: str, storage: torch.UntypedStorage) -> torch.UntypedStorage:
    """The storage in the memory of the CPU. Refused for tensors that have none, such as those that wrap others."""
    try:
        here: torch.UntypedStorage = storage.cpu()  # type: ignore[no-untyped-call]
        address = here.data_ptr()
    except RuntimeError:
        address = 0
    if not address:
        raise SunderError(f"the tensor {fqn} has no memory that can be written", where={"tensor": fqn})
    return here
