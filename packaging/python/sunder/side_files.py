"""Arguments of functions as files of sunder-cli: devices, configurations of partitioners, and others."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Callable, Mapping, Sequence

from . import programs
from .errors import SunderError
from .exchange import Exchange


def flag(name: str, is_on: bool) -> list[str]:
    return [name] if is_on else []


def side_file(exchange: Exchange, name: str, given: Any, as_json: Callable[[Any], Any]) -> pathlib.Path:
    """Returns a given path, or writes `as_json(given)` to a file of this name in the folder of the exchange."""
    if isinstance(given, (str, os.PathLike)):
        return pathlib.Path(given)
    path = exchange.folder / name
    path.write_text(json.dumps(as_json(given)), encoding="utf-8")
    return path


def device_rows(devices: Any) -> Any:
    """Returns devices as DEVICES.json: a list, or with links, the object with both. A string in the list is the name of a preset."""
    if isinstance(devices, Mapping) and "devices" in devices:
        return {**devices, "devices": device_rows(devices["devices"])}
    if not isinstance(devices, Sequence) or not all(isinstance(one, (str, Mapping)) or hasattr(one, "_asdict") for one in devices):
        text = "devices must be a list of PyTorch's Device, of mappings, or of names of presets, or the path of a DEVICES.json"
        raise SunderError(text, code="usage")
    presets = iter(_presets([one for one in devices if isinstance(one, str)]))
    return [next(presets) if isinstance(one, str) else one if isinstance(one, Mapping) else one._asdict() for one in devices]


def _presets(names: Sequence[str]) -> list[Any]:
    """Returns a device for each name of a preset, in this order."""
    if not names:
        return []
    written = programs.Received()
    programs.run("devices", *(word for name in names for word in ("--preset", name, "--count", "1")), "-o", written)
    devices: list[Any] = json.loads(written.text)
    return devices


def partitioner_config(config: Any) -> Any:
    """Returns PyTorch's PartitionerConfig as CONFIG.json. Mappings are returned unchanged."""
    if isinstance(config, Mapping):
        return {**config, "devices": device_rows(config["devices"])}
    said = {"mode": config.mode.name, "devices": device_rows(config.devices), "saturate_host": config.saturate_host}
    if config.mode.name in ("cost_aware", "kl_based"):
        said["transfer_rate_bytes_per_sec"] = config.transfer_rate_bytes_per_sec
        latencies = config.node_to_latency_mapping.items()
        said["node_to_latency"] = {node.name: [cost.mem_latency_sec, cost.computer_latency_sec] for node, cost in latencies}
    if config.mode.name == "aot_based":
        said["node_to_partition"] = {node.name: number for node, number in config.node_to_partition_mapping.items()}
        said["partition_to_logical_devices"] = {str(k): v for k, v in config.partition_to_logical_device_mapping.items()}
    return said
