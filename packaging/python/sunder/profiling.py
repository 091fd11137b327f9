"""Measures the seconds of the calls of a model."""

from __future__ import annotations

import copy
import dataclasses
import json
import operator
import os
import pathlib
import platform
import statistics
import time
from typing import Any, Callable, Mapping, Sequence

import torch
import torch.fx
import torch.utils._pytree as pytree

from .errors import SunderError, one_line
from .exchange import Exchange, Model
from .fxjson.specs import children_of
from .model_files import Path, as_model, load, replacing

_LONG = 0.5  # seconds after which a call is not repeated more than _FEWEST times
_FEWEST = 3
_CHANGES = ("iadd", "iand", "iconcat", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "ior", "ipow", "irshift", "isub", "itruediv", "ixor")
_IN_PLACE = {getattr(operator, name) for name in (*_CHANGES, "setitem", "delitem")}


@dataclasses.dataclass(frozen=True)
class Profile:
    """Measured seconds of the calls of a model, by name."""

    runs: Mapping[str, tuple[float, ...]]  # of each call, in order
    device: str  # for display
    model: torch.fx.GraphModule | torch.export.ExportedProgram  # as it was run
    starts: Mapping[str, tuple[float, ...]] = dataclasses.field(default_factory=dict, repr=False)

    @property
    def seconds(self) -> dict[str, float]:
        """The median of each call."""
        return {name: statistics.median(each) for name, each in self.runs.items()}

    @property
    def total(self) -> float:
        return sum(self.seconds.values())

    def save(self, path: Path) -> None:
        """Writes a COSTS.json, for `sunder-cli --costs`."""
        _write(path, self.costs())

    def costs(self) -> dict[str, Any]:
        """The contents of COSTS.json."""
        return {"nodes": {name: {"seconds": value} for name, value in self.seconds.items()}, "device": self.device,
                "note": f"median of each call; PyTorch {torch.__version__}"}

    def save_trace(self, path: Path) -> None:
        """Writes a Chrome trace with one event per run of a call, for `sunder-cli --costs`, chrome://tracing, and Perfetto."""
        events: list[dict[str, Any]] = [{"ph": "M", "name": "process_name", "pid": 0, "tid": 0, "args": {"name": self.device}}]
        for name, each in self.runs.items():
            events += ({"ph": "X", "cat": "sunder_node", "name": name, "pid": 0, "tid": 0, "ts": start * 1e6, "dur": duration * 1e6}
                       for start, duration in zip(self.starts[name], each))
        _write(path, {"sunder": {"profile": 1, "device": self.device}, "displayTimeUnit": "ms", "traceEvents": events})


def profile(
    source: Model,
    /,
    inputs: Sequence[Any] | None = None,
    kwargs: Mapping[str, Any] | None = None,
    *,
    device: str | torch.device | None = None,
    out: Path | None = None,
    trace: Path | None = None,
    warmup: int = 2,
    repeats: int = 10,
    model: str | None = None,
) -> Profile:
    """Runs a model call by call and measures the seconds of each.

    A call runs `warmup` times, then up to `repeats` times; the device is synchronized before and after each run, and the median
    counts. A slow call runs less often, but three times at least. `inputs`, `kwargs`: of the model; default: the example inputs of an
    exported program. A module that is not a graph is exported with them. `device`: default: that of the inputs. `out`: also write a
    COSTS.json; `trace`: also write a Chrome trace. `model`: name of the program in a file with several.
    """
    if warmup < 0 or repeats < 1:
        raise SunderError("warmup must be at least 0 and repeats at least 1", code="usage")
    if isinstance(source, (str, os.PathLike)):
        source = load(source, model=model)
    elif model is not None:
        raise SunderError(f"model={model!r} names a program in a file; a model in memory is a single program", code="usage")
    graph = as_model(source, inputs, kwargs)
    made = _measured(graph, inputs, kwargs, device, warmup, repeats)
    if out is not None:
        made.save(out)
    if trace is not None:
        made.save_trace(trace)
    return made


def cost_files(exchange: Exchange, costs: Any) -> list[pathlib.Path]:
    """Files for `--costs` of one or several measured costs: paths, mappings as in COSTS.json, and results with such `costs()`."""
    files: list[pathlib.Path] = []
    for one in costs if isinstance(costs, (list, tuple)) else [] if costs is None else [costs]:
        if isinstance(one, (str, os.PathLike)):
            files.append(pathlib.Path(one).absolute())
            continue
        files.append(exchange.folder / f"costs-{len(files)}.json")
        _write(files[-1], one.costs() if hasattr(one, "costs") else one)
    return files


def _measured(
    graph: torch.fx.GraphModule | torch.export.ExportedProgram,
    inputs: Sequence[Any] | None,
    kwargs: Mapping[str, Any] | None,
    device: str | torch.device | None,
    warmup: int,
    repeats: int,
) -> Profile:
    module: torch.fx.GraphModule
    if isinstance(graph, torch.export.ExportedProgram):
        program = graph
        if inputs is None and kwargs is None:
            if program.example_inputs is None:
                raise SunderError("the program has no example inputs: pass inputs", code="usage")
            inputs, kwargs = program.example_inputs
        given = tuple(inputs or ()), dict(kwargs or {})
        where = _device_of(given, device)
        if device is not None:
            from torch.export.passes import move_to_device_pass

            program = move_to_device_pass(copy.deepcopy(program), where)
        module = program.graph_module
        flat = _flat_inputs(program, *_moved(given, where))
    else:
        given = tuple(inputs or ()), dict(kwargs or {})
        where = _device_of(given, device)
        modules = dict(graph.named_modules())
        writes = graph.training or any(_writes(node, modules) for node in graph.graph.nodes)
        module = copy.deepcopy(graph).to(where) if device is not None or writes else graph
        flat = _in_order(module, *_moved(given, where))
    timer = CallTimer(module, where, warmup, repeats)
    if any(_writes(node, timer.submodules) for node in module.graph.nodes):
        flat = copy.deepcopy(flat)
    with torch.no_grad():
        timer.run(*flat)
    return Profile(timer.runs, device_text(where), graph, timer.starts)


def timed_runs(
    call: Callable[[Any], Any], prepare: Callable[[], Any], warmup: int, repeats: int, synchronize: Callable[[], None]
) -> tuple[Any, list[tuple[float, float]]]:
    """Calls `call` on what `prepare` returns, and returns the last result, and start and end of each run after the warm-up. Slow
    calls run less often, but three times at least. `synchronize` waits for the device.
    """
    begun = time.perf_counter()
    result = None
    runs: list[tuple[float, float]] = []
    for turn in range(warmup + repeats):
        if len(runs) >= _FEWEST and time.perf_counter() - begun > _LONG:
            break
        given = prepare()
        result = None
        synchronize()
        start = time.perf_counter()
        result = call(given)
        synchronize()
        end = time.perf_counter()
        if turn >= warmup:
            runs.append((start, end))
    return result, runs


class CallTimer(torch.fx.Interpreter):
    """Runs a graph and measures each call."""

    def __init__(self, module: torch.fx.GraphModule, device: torch.device, warmup: int, repeats: int) -> None:
        super().__init__(module, graph=module.graph)
        self.extra_traceback = False
        self.runs: dict[str, tuple[float, ...]] = {}
        self.starts: dict[str, tuple[float, ...]] = {}
        self._warmup, self._repeats = warmup, repeats
        self._synchronize = synchronizer(device)
        self._begin = time.perf_counter()

    def run_node(self, node: torch.fx.Node) -> Any:
        if not node.op.startswith("call_"):
            return super().run_node(node)
        call: Callable[..., Any] = getattr(self, node.op)
        args, kwargs = self.fetch_args_kwargs_from_env(node)
        try:
            return self._measure(node, call, args, kwargs)
        except Exception as error:  # operators may raise anything
            raise SunderError(f"node {node.name!r} cannot be run: {type(error).__name__}: {one_line(str(error))}",
                              where={"node": node.name}) from error

    def _measure(self, node: torch.fx.Node, call: Callable[..., Any], args: Any, kwargs: Any) -> Any:
        writes = _writes(node, self.submodules)
        # A call that writes to its arguments gets copies, so that it writes once.
        prepare = (lambda: pytree.tree_map_only(torch.Tensor, torch.Tensor.clone, (args, kwargs))) if writes else (lambda: (args, kwargs))
        result, runs = timed_runs(lambda given: call(node.target, *given), prepare, self._warmup, self._repeats, self._synchronize)
        self.starts[node.name] = tuple(start - self._begin for start, _ in runs)
        self.runs[node.name] = tuple(end - start for start, end in runs)
        return call(node.target, args, kwargs) if writes else result


def _writes(node: torch.fx.Node, modules: Mapping[str, torch.nn.Module]) -> bool:
    """Whether a call may write to its arguments."""
    if isinstance(node.target, torch._ops.OpOverload):
        return bool(node.target._schema.is_mutable)
    if node.op == "call_module":
        return bool(getattr(modules.get(str(node.target)), "inplace", False))
    name = node.target if isinstance(node.target, str) else getattr(node.target, "__name__", "")
    in_place = name.endswith("_") and not name.endswith("__")
    return in_place or node.target in _IN_PLACE or "out" in node.kwargs or bool(node.kwargs.get("inplace"))


def _flat_inputs(program: torch.export.ExportedProgram, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
    """The values of the placeholders of a program: its weights and constants, and the inputs."""
    spec = program.call_spec.in_spec
    named = children_of(spec)[1].context if spec is not None else list(kwargs)
    given = iter(pytree.tree_leaves((args, {name: kwargs[name] for name in named if name in kwargs})))
    held: dict[str, Any] = {**program.constants, **program.state_dict}
    flat: list[Any] = []
    try:
        for spec in program.graph_signature.input_specs:
            flat.append(held[spec.target] if spec.target in held else next(given))
    except StopIteration:
        raise SunderError("the inputs do not fit the model: it takes more", code="usage") from None
    if next(given, None) is not None:
        raise SunderError("the inputs do not fit the model: it takes fewer", code="usage")
    return flat


def _in_order(module: torch.fx.GraphModule, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> list[Any]:
    """The arguments in the order of the placeholders; missing ones at the end have defaults."""
    names = [node.target for node in module.graph.nodes if node.op == "placeholder"]
    flat = module.graph._codegen.process_inputs(*args, **kwargs) if hasattr(module.graph._codegen, "pytree_info") else list(args)
    flat = list(flat)
    if len(flat) == len(args) and kwargs:
        for name in names[len(flat):]:
            if name not in kwargs:
                break
            flat.append(kwargs[name])
    return flat


def _moved(given: tuple[Any, Any], device: torch.device) -> tuple[Any, Any]:
    moved: tuple[Any, Any] = pytree.tree_map_only(torch.Tensor, lambda tensor: tensor.to(device), given)
    return moved


def _device_of(given: Any, device: str | torch.device | None) -> torch.device:
    if device is not None:
        return torch.device(device)
    return next((leaf.device for leaf in pytree.tree_leaves(given) if isinstance(leaf, torch.Tensor)), torch.device("cpu"))


def synchronizer(device: torch.device) -> Callable[[], None]:
    """A function that waits until the device has finished its work."""
    if device.type == "cpu":
        return lambda: None
    module = getattr(torch, device.type)
    return lambda: module.synchronize()


def device_text(device: torch.device) -> str:
    """Describes the device for display: "cpu (PROCESSOR, 8 threads)"."""
    if device.type == "cpu":
        return f"cpu ({_processor()}, {torch.get_num_threads()} threads)"
    name = getattr(getattr(torch, device.type), "get_device_name", None)
    return f"{device} ({name(device)})" if name is not None else str(device)


def _processor() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.machine())


def _write(path: Path, content: Any) -> None:
    try:
        with replacing(pathlib.Path(path)) as staged:
            staged.write_text(json.dumps(content) + "\n", encoding="utf-8")
    except OSError as error:
        raise SunderError(f"cannot be written: {error.strerror}", code="io", where={"file": str(path)}) from None
