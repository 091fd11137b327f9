"""Results of passes and checks."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any, Mapping

import torch.fx

if TYPE_CHECKING:
    from .witness import Witness


@dataclasses.dataclass(frozen=True)
class DagNode:
    """A call of a part: its inputs and outputs are names of nodes of the split module."""

    submodule: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    devices: tuple[int, ...]
    used_mem_bytes: int | None


@dataclasses.dataclass(frozen=True)
class Partitioned:
    """A model split for devices: the module with one submodule per partition, and the partitions of each device."""

    module: torch.fx.GraphModule
    dag: tuple[DagNode, ...]


@dataclasses.dataclass(frozen=True)
class Rejected:
    """Similar regions that cannot share a subgraph."""

    regions: tuple[tuple[str, ...], ...]
    why: str


@dataclasses.dataclass(frozen=True)
class Regions:
    """Repeated regions: groups of regions, of each the names of its nodes, the same place in each."""

    groups: tuple[tuple[tuple[str, ...], ...], ...]
    rejected: tuple[Rejected, ...]


@dataclasses.dataclass(frozen=True)
class StageLoad:
    """The share of one device in a balanced model."""

    device: str
    tag: str
    ops: int
    seconds: float  # of its ops
    transfer_seconds: float  # of values from and to other devices
    load: float
    memory: float  # bytes; 0 without a memory limit
    available: float | None  # bytes; None without a limit
    binds: str  # what determines the stage: "compute", "transfer", "memory", or "group"


@dataclasses.dataclass(frozen=True)
class SupportStep:
    """An operator worth supporting next, and the result with it and those of earlier steps supported."""

    operator: str
    partitions: int  # parts, those on the CPU included
    nodes: int  # ops on the accelerator
    bytes: int  # that cross boundaries


@dataclasses.dataclass(frozen=True)
class Supported:
    """Tags for an accelerator that supports some operators: `_run_on_acc_<i>` and `_run_on_cpu_<i>`."""

    tags: dict[str, str]  # the tag of each op, in the order of the tags
    order: tuple[str, ...]
    next: tuple[SupportStep, ...]  # with report=True
    breaks: tuple[dict[str, Any], ...]  # with report=True: `breaks` of REPORT.json


@dataclasses.dataclass(frozen=True)
class Balanced:
    """Balanced tags with their figures. Usable wherever tags are: `split(model, balanced.tags)`."""

    tags: dict[str, str]  # the tag of each op, in the order of the tags
    order: tuple[str, ...]
    load: float  # seconds of the slowest device
    bound: float  # no legal cut has a smaller load
    proven: bool  # whether the load equals the bound
    devices: tuple[StageLoad, ...]
    assumptions: tuple[str, ...]
    step: float | None = None  # with a schedule: seconds of a step
    step_bound: float | None = None  # no legal cut with this schedule has a shorter step

    @property
    def gap(self) -> float:
        """The load is at most this share above the optimum."""
        return self.load / self.bound - 1 if self.bound else float("inf") if self.load else 0.0


@dataclasses.dataclass(frozen=True)
class Cost:
    """The work of a call, or the sum for the calls of a module."""

    flops: int | None  # floating-point operations, as torch.utils.flop_counter counts them; None if a size is unknown
    bytes_read: int
    bytes_written: int
    ops: int = 1
    seconds: float | None = None  # on a device, or measured
    source: str = "model"  # of the seconds of a call: the cost model, or the file of measured costs


@dataclasses.dataclass(frozen=True)
class NotCounted:
    """An operator without a formula for its floating-point operations: its count of 0 says nothing about its time."""

    target: str
    nodes: int
    bytes: int  # read and written


@dataclasses.dataclass(frozen=True)
class Costs:
    """The costs of a model, of its calls by name, and of its modules by path."""

    total: Cost
    nodes: Mapping[str, Cost]
    modules: Mapping[str, Cost]
    not_counted: tuple[NotCounted, ...]
    model: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # factors of the cost model
    traces: tuple[Mapping[str, Any], ...] = ()  # of each trace: matched, ambiguous, and unmatched calls


@dataclasses.dataclass(frozen=True)
class TrainingMemory:
    """What training keeps between the forward and the backward pass of a part, in bytes."""

    in_flight: int  # micro-batches whose backward pass is still to come, at most
    kept_for_backward: int  # storages that autograd saves, except parameters, for all micro-batches in flight
    gradients: int
    optimizer: int
    total: int  # the sum of these and of the peak


@dataclasses.dataclass(frozen=True)
class PartMemory:
    """The memory of a part, or of a whole model, in bytes."""

    name: str
    ops: int
    weights: int
    inputs: int
    resident: int  # held from the first call to the last: weights, inputs, and extra memory
    peak: int  # the largest sum of resident memory and of values that are still needed
    peak_node: str | None
    curve: tuple[tuple[str, int], ...]  # per call in the order of the run: its name, and the memory while it runs
    unknown: tuple[str, ...] = ()  # values and weights of unknown size, which count as 0
    extra: int = 0  # as entered by the user
    training: TrainingMemory | None = None


@dataclasses.dataclass(frozen=True)
class Memory:
    """The memory of the parts of a model in their order, and the assumptions of these figures."""

    parts: tuple[PartMemory, ...]
    assumptions: Mapping[str, Any]

    def __getitem__(self, name: str) -> PartMemory:
        """Returns the part of this name."""
        for part in self.parts:
            if part.name == name:
                return part
        raise KeyError(name)


@dataclasses.dataclass(frozen=True)
class RankTimes:
    """The seconds of a rank of a pipeline during a step: `busy`, `waits_for_transfer`, and `bubble` add up to the step."""

    busy: float
    waits_for_transfer: float
    bubble: float
    in_flight: int  # stage chunks that wait for their backward pass, at most
    binds: str  # "compute", "transfer", "bubble", or "memory"
    device: str | None = None  # with a model
    peak_bytes: int | None = None
    available_bytes: float | None = None  # None: no limit


@dataclasses.dataclass(frozen=True)
class TimedAction:
    """An action of a timetable: "2F0" is the forward pass of stage 2 for micro-batch 0."""

    rank: int
    action: str
    start: float
    end: float


@dataclasses.dataclass(frozen=True)
class Schedule:
    """The timetable of a pipeline. Times are seconds; without a model, they are units."""

    orders: tuple[tuple[str, ...], ...]  # per rank, as PyTorch writes actions
    step: float
    bubble: float  # share of ranks x step without compute
    ranks: tuple[RankTimes, ...]
    actions: tuple[TimedAction, ...]
    assumptions: tuple[str, ...] = ()
    throughput: float | None = None  # of "inference": micro-batches per second
    latency: float | None = None  # of "inference": seconds of one micro-batch alone


@dataclasses.dataclass(frozen=True)
class Verdict:
    """Whether two models are equivalent. True if this is proven; with `allows_rounding` also if they are the same up to rounding.
    """

    verdict: str  # "same", "same_up_to_rounding", "different", "undecided"
    why: str
    a: str | None  # the deepest pair of nodes that differ
    b: str | None
    notes: tuple[str, ...]
    compared: Mapping[str, Any]
    witness: Witness | None = None  # with run=True: inputs for which the models differ
    rounding: tuple[str, ...] = ()  # of "same_up_to_rounding": calls whose bits may differ, the first 16
    rounding_count: int = 0  # the number of all such calls
    allows_rounding: bool = False

    def __bool__(self) -> bool:
        return self.verdict == "same" or (self.allows_rounding and self.verdict == "same_up_to_rounding")

    def __str__(self) -> str:
        return f"{self.verdict}: {self.why}" if self.why else self.verdict


@dataclasses.dataclass(frozen=True)
class Repair:
    """A tag change that fixes a problem, and its cost."""

    kind: str
    label: str
    calls: int
    bytes: int


@dataclasses.dataclass(frozen=True)
class Problem:
    """A problem of the tags, as text, with the affected nodes."""

    kind: str
    severity: str  # "error", "warning", "note"
    text: str
    nodes: tuple[str, ...]
    repairs: tuple[Repair, ...]

    def __str__(self) -> str:
        said = f"{self.severity}: {self.text}"
        return f"{said} To fix: {'; or '.join(repair.label for repair in self.repairs)}." if self.repairs else said


@dataclasses.dataclass(frozen=True)
class Check:
    """Problems that block a split by tags. True if the tags are legal."""

    legal: bool
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()  # assumptions of the proof
    report: str = ""  # with project=: the report for a pull request, in Markdown
    changes: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # with project=: as sunder-cli prints them
    figures: Mapping[str, Any] = dataclasses.field(default_factory=dict)  # likewise

    def __bool__(self) -> bool:
        return self.legal

    def __str__(self) -> str:
        notes = (f"note: {note}" for note in self.notes)
        return "\n".join(["legal" if self.legal else "not legal", *map(str, self.problems), *notes])
