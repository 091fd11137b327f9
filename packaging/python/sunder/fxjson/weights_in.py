"""The bytes of tensors, from the archive that a `storage` line names."""

from __future__ import annotations

import io
import pathlib
import zipfile
from typing import Any, Mapping

import torch

from ..errors import SunderError


class WeightsIn:
    """Reads each storage once. Archives stay open until `close`."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._archives: dict[str, zipfile.ZipFile] = {}
        self._last: tuple[str, str] | None = None
        self._last_record = bytearray()  # pieces of one record are read one after the other

    def storage(self, line: Mapping[str, Any]) -> torch.UntypedStorage | None:
        """Returns the memory of a `storage` line: a record, or a copy of a section of one. None if the line does not locate its
        bytes."""
        is_piece = "copy" in line
        place = line.get("copy" if is_piece else "at")
        if not place or "file" not in place or "record" not in place:
            return torch.UntypedStorage(0) if line.get("nbytes") == 0 else None  # type: ignore[no-untyped-call]
        where = {"file": place["file"], "member": place["record"]}
        try:
            data = self._piece(place, line, where) if is_piece else self._read(place, line.get("nbytes"), where)
        except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
            raise SunderError(f"the weights cannot be read: {error}", code="io", where=where) from None
        if not data:
            return torch.UntypedStorage(0)  # type: ignore[no-untyped-call]
        return torch.frombuffer(data, dtype=torch.uint8).untyped_storage()

    def close(self) -> None:
        for archive in self._archives.values():
            archive.close()

    def _piece(self, place: Mapping[str, Any], line: Mapping[str, Any], where: dict[str, str]) -> bytearray:
        key = place["file"], place["record"]
        if self._last != key:
            self._last_record = self._read(place, None, where)
            self._last = key
        begin, size = place.get("begin", 0), line.get("nbytes")
        if not isinstance(begin, int) or not isinstance(size, int) or not 0 <= begin <= begin + size <= len(self._last_record):
            raise SunderError(f"the section of {size} bytes at {begin} is not in the weights {key[1]}", code="malformed", where=where)
        return self._last_record[begin : begin + size]

    def _read(self, place: Mapping[str, Any], size: int | None, where: dict[str, str]) -> bytearray:
        """Reads a record. It must have the stated size, if any."""
        record, crc = place["record"], place.get("crc32")
        archive, info = self._member(self._archive(place["file"]), record, place["file"])
        if info is None:
            raise SunderError(f"lacks the weights {record}", code="malformed", where=where)
        if size not in (None, info.file_size) or (crc and crc != f"{info.CRC:08x}"):
            raise SunderError("has other weights than those that the model was made from", code="io", where=where)
        data = bytearray(info.file_size)
        with archive.open(info) as member:  # reading checks the CRC
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
