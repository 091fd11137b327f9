"""The bytes of tensors, from the archive that a `storage` line names."""

from __future__ import annotations

import io
import pathlib
import zipfile
from typing import Any, Mapping

import torch

from ..errors import SunderError


class WeightsIn:
    """Reads storages, each once. Archives stay open until `close`."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._archives: dict[str, zipfile.ZipFile] = {}

    def storage(self, line: Mapping[str, Any]) -> torch.UntypedStorage | None:
        """The memory of a `storage` line; None where the line does not say where its bytes are."""
        place = line.get("at")
        if not place or "file" not in place or "record" not in place:
            return None
        where = {"file": place["file"], "member": place["record"]}
        try:
            data = self._read(place["file"], place["record"], line, where)
        except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
            raise SunderError(f"the weights cannot be read: {error}", code="io", where=where) from None
        if not data:
            return torch.UntypedStorage(0)  # type: ignore[no-untyped-call]
        return torch.frombuffer(data, dtype=torch.uint8).untyped_storage()

    def close(self) -> None:
        for archive in self._archives.values():
            archive.close()

    def _read(self, file: str, record: str, line: Mapping[str, Any], where: dict[str, str]) -> bytearray:
        archive, info = self._member(self._archive(file), record, file)
        if info is None:
            raise SunderError(f"lacks the weights {record}", code="malformed", where=where)
        crc = line["at"].get("crc32")
        if info.file_size != line.get("nbytes", info.file_size) or (crc and crc != f"{info.CRC:08x}"):
            raise SunderError("holds other weights than the model was made from", code="io", where=where)
        data = bytearray(info.file_size)
        with archive.open(info) as member:  # checks the CRC as it reads
            filled = 0
            while filled < len(data):
                count = member.readinto(memoryview(data)[filled:])  # type: ignore[attr-defined]
                if not count:
                    raise SunderError(f"the weights {record} end early", code="malformed", where=where)
                filled += count
            if member.read(1):
                raise SunderError(f"the weights {record} are larger than the archive says", code="malformed", where=where)
        return data

    def _archive(self, file: str) -> zipfile.ZipFile:
        if file not in self._archives:
            beside = self._folder / file
            self._archives[file] = zipfile.ZipFile(beside if beside.exists() else file)
        return self._archives[file]

    def _member(self, archive: zipfile.ZipFile, record: str, key: str) -> tuple[zipfile.ZipFile, zipfile.ZipInfo | None]:
        """The record, with the root folder of the archive or without, or in an archive that is a member of it."""
        names = archive.NameToInfo
        root = next(iter(names), "").split("/")[0] + "/"
        for name in (record, root + record):
            if name in names:
                return archive, names[name]
            parts = name.split("/")
            for i in range(1, len(parts)):
                member = "/".join(parts[:i])
                if member in names and not names[member].is_dir():
                    return self._member(self._inner(archive, member, f"{key}/{member}"), "/".join(parts[i:]), f"{key}/{member}")
        return archive, None

    def _inner(self, archive: zipfile.ZipFile, member: str, key: str) -> zipfile.ZipFile:
        if key not in self._archives:
            self._archives[key] = zipfile.ZipFile(io.BytesIO(archive.read(member)))
        return self._archives[key]
