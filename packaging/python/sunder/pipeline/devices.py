"""Placement of parts on devices, and moving of loaded modules."""

from __future__ import annotations

from typing import Any, Collection, Iterator, Mapping, Sequence

import torch
import torch.fx
import torch.utils._pytree as pytree
from torch.fx.node import map_aggregate

from ..errors import SunderError
from .manifest import Part

Device = str | torch.device
Devices = Device | Sequence[Device] | Mapping[str, Device] | Mapping[int, Device] | None


def devices_of(parts: Sequence[Part], devices: Devices) -> list[torch.device | None]:
    """Returns the device of each part. None keeps the device in the part's file.

    A single device applies to all parts, and a list has one device per part. The keys of a mapping are names of parts, or logical
    ids if the parts were cut for devices.
    """
    if devices is None or isinstance(devices, (str, torch.device)):
        return [None if devices is None else torch.device(devices)] * len(parts)
    if isinstance(devices, Mapping):
        return [_in_mapping(part, devices) for part in parts]
    if len(devices) != len(parts):
        raise SunderError(f"{len(devices)} devices for {len(parts)} parts", code="usage")
    return [torch.device(device) for device in devices]


def _in_mapping(part: Part, devices: Mapping[Any, Device]) -> torch.device:
    for key in (part.name, *part.devices):
        if key in devices:
            return torch.device(devices[key])
    ids = f" (logical devices {', '.join(map(str, part.devices))})" if part.devices else ""
    raise SunderError(f"no device for part {part.name}{ids}", code="usage", where={"part": part.name})


def exact(device: torch.device) -> torch.device:
    """The device as reported by tensors on it: "cuda:0" for "cuda"."""
    return torch.empty(0, device=device).device


def move(module: torch.nn.Module, device: torch.device) -> None:
    """Moves weights, buffers, and constants, and changes the devices that the graphs name. Tensors that share memory move
    together.

    Frees each tensor as soon as its copy is on the device.
    """
    graphs = [graph_module for graph_module in module.modules() if isinstance(graph_module, torch.fx.GraphModule)]
    before = {tensor.device.type for _, _, tensor in tensors_of(module)}
    before |= {type for graph_module in graphs for type in _device_types(graph_module.graph)}
    _move_tensors(module, device)
    for graph_module in graphs:
        if _name_device(graph_module.graph, device, before):
            graph_module.recompile()


def tensors_of(module: torch.nn.Module) -> Iterator[tuple[torch.nn.Module, str, torch.Tensor]]:
    """Parameters, buffers, and constants of a module and its submodules: owner, name, tensor."""
    for owner in module.modules():
        for held in (owner._parameters, owner._buffers, vars(owner)):
            for name, tensor in list(held.items()):
                if isinstance(tensor, torch.Tensor):
                    yield owner, name, tensor


def _move_tensors(module: torch.nn.Module, device: torch.device) -> None:
    users: dict[int, int] = {}
    for _, _, tensor in tensors_of(module):
        key = storage_of(tensor)
        users[key] = users.get(key, 0) + 1
    bases: dict[int, torch.Tensor] = {}
    moved: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}  # with the tensor, so that its id stays its own
    for owner, name, tensor in tensors_of(module):
        if id(tensor) not in moved:
            result = _on_device(tensor, device, bases) if users[storage_of(tensor)] > 1 else tensor.detach().to(device)
            if isinstance(tensor, torch.nn.Parameter):
                result = torch.nn.Parameter(result, tensor.requires_grad)
            if users[storage_of(tensor)] == 1:
                setattr(owner, name, result)
                continue
            moved[id(tensor)] = tensor, result
        setattr(owner, name, moved[id(tensor)][1])


def storage_of(tensor: torch.Tensor) -> int:
    """An identifier of the memory of a tensor, equal for tensors that share memory."""
    return int(tensor.untyped_storage()._cdata) if tensor.layout is torch.strided else -id(tensor)


def _on_device(tensor: torch.Tensor, device: torch.device, bases: dict[int, torch.Tensor]) -> torch.Tensor:
    """The same view of the same memory, which is moved once for all of its views."""
    if storage_of(tensor) not in bases:
        whole = torch.empty(0, dtype=torch.uint8, device=tensor.device).set_(tensor.untyped_storage())
        bases[storage_of(tensor)] = whole.to(device)
    storage = bases[storage_of(tensor)].untyped_storage()
    empty = torch.empty(0, dtype=tensor.dtype, device=device)
    return empty.set_(storage, tensor.storage_offset(), tensor.size(), tensor.stride())


def bring(value: Any, device: torch.device) -> Any:
    """Returns an input of a part on the part's device. A copy made under no_grad requires gradients if the value does, because
    results of operators depend on this flag of a weight, to the last bit.
    """
    if not isinstance(value, torch.Tensor):
        return value
    there = value.to(device)
    return there.requires_grad_() if value.requires_grad and not there.requires_grad else there


def has_autocast(device: torch.device) -> bool:
    return torch.amp.is_autocast_available(device.type)


def enters_autocast(graph_module: torch.fx.GraphModule) -> bool:
    """Whether a graph, or a nested graph, has an autocast region."""
    graphs = (module.graph for module in graph_module.modules() if isinstance(module, torch.fx.GraphModule))
    return any(_is_autocast(node) for graph in graphs for node in graph.nodes)


def _is_autocast(node: torch.fx.Node) -> bool:
    """Whether a call takes a device type as text: torch.autocast, the higher-order operator, torch.is_autocast_enabled."""
    return node.op == "call_function" and "autocast" in str(node.target)


def _device_types(graph: torch.fx.Graph) -> Iterator[str]:
    """Device types of the values of a graph."""
    for node in graph.nodes:
        for value in pytree.tree_leaves(node.meta.get("val")):
            if isinstance(value, torch.Tensor):
                yield value.device.type


def _name_device(graph: torch.fx.Graph, device: torch.device, before: Collection[str]) -> bool:
    """Replaces the devices in arguments of calls; returns whether any were different. Autocast regions for the device types of values
    `before` are changed to the new device if it has autocast. Other regions have no effect and are kept.
    """
    changed = False

    def replaced(value: Any) -> Any:
        nonlocal changed
        if not isinstance(value, torch.device) or value == device:
            return value
        changed = True
        return device

    for node in graph.nodes:
        if node.op not in ("call_function", "call_method"):
            continue
        node.args = map_aggregate(node.args, replaced)
        node.kwargs = map_aggregate(node.kwargs, replaced)
        if _is_autocast(node):
            kinds = [kind for kind in (node.kwargs.get("device_type"), *node.args[:1]) if isinstance(kind, str)]
            if kinds and has_autocast(device) and kinds[0] != device.type and (kinds[0] in before or not before):
                _set_argument(node, "device_type", device.type)
                changed = True
        elif isinstance(node.kwargs.get("device"), str) and node.kwargs["device"] != str(device):
            node.kwargs = {**node.kwargs, "device": device}
            changed = True
        elif node.op == "call_method" and node.target in ("cpu", "cuda") or _moves_by_text(node):
            node.target, node.args = "to", (node.args[0], device, *(node.args[2:] if node.target == "to" else ()))
            changed = True
        if node.kwargs.get("pin_memory") and device.type != "cpu":  # only CPU memory can be pinned
            node.kwargs = {**node.kwargs, "pin_memory": False}
            changed = True
    return changed


def _set_argument(node: torch.fx.Node, keyword: str, value: Any) -> None:
    """Replaces a keyword argument, or the first argument if it is passed by position."""
    if keyword in node.kwargs:
        node.kwargs = {**node.kwargs, keyword: value}
    else:
        node.args = (value, *node.args[1:])


def _moves_by_text(node: torch.fx.Node) -> bool:
    """x.to("cpu")"""
    return node.op == "call_method" and node.target == "to" and len(node.args) > 1 and isinstance(node.args[1], str)
