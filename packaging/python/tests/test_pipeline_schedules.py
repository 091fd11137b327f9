"""Compares all schedules of torch.distributed.pipelining over parts, in CPU processes, with the whole model."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import os
import pathlib
import traceback
from typing import Any

import pytest
import torch
import torch.distributed as dist
import torch.distributed.pipelining as pipelining
import torch.multiprocessing
import torch.utils._pytree as pytree

import pipeline_models as models
from models import RELEASE
from sunder import SunderError, programs
from sunder.pipeline import Pipeline

#: Numbers of processes. Of four, one has the first stage, one the last, and two neither; a single one has both. In two, each has one of
#: them, as in four: they run with SUNDER_WHOLE set, and in test_pipeline_stages.py.
WORLDS = (1, 2, 4) if os.environ.get("SUNDER_WHOLE") else (1, 4)
SIZE = 2  # of a microbatch
ONE_STAGE = ["ScheduleGPipe", "Schedule1F1B"]
LOOP = ["ScheduleLoopedBFS", "ScheduleInterleaved1F1B", "ScheduleInterleavedZeroBubble"]
V = ["ScheduleZBVZeroBubble", "ScheduleDualPipeV"]
#: Schedules of this release that do not divide the gradients of all stages by the number of microbatches.
UNSCALED = ["ScheduleDualPipeV"] if RELEASE < (2, 11) else []

pytestmark = pytest.mark.skipif(RELEASE < (2, 9), reason="schedules of PyTorch 2.9 and later")


@dataclasses.dataclass(frozen=True)
class Case:
    world: int
    is_dynamic: bool
    skips: str
    schedule: str
    is_training: bool

    def __str__(self) -> str:
        batch, use = "dynamic" if self.is_dynamic else "static", "training" if self.is_training else "inference"
        return f"{self.world}-{batch}-{self.skips}-{self.schedule}-{use}"

    @property
    def stages(self) -> int:
        return self.world * (1 if self.schedule in ONE_STAGE else 2)

    @property
    def batches(self) -> int:
        """ScheduleDualPipeV requires as many microbatches as stages."""
        return self.world * 2

    @property
    def steps(self) -> int:
        return 3 if self.is_training else 2


def cases(world: int) -> list[Case]:
    """All cases; those that share stages are consecutive. One process runs adjacent stages."""
    kinds = [ONE_STAGE, LOOP, V] if world > 1 else [LOOP]
    return [
        Case(world, is_dynamic, skips, schedule, is_training)
        for is_dynamic, schedules, skips in itertools.product([True, False], kinds, ["relay", "recompute"])
        for schedule, is_training in itertools.product(schedules, [False, True])
        if not (is_training and schedule in UNSCALED)
    ]


def parts_of(folder: pathlib.Path, is_dynamic: bool, stages: int) -> pathlib.Path:
    return folder / ("dynamic" if is_dynamic else "static") / f"parts{stages}"


def batch_of(case: Case, step: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    (tokens,), kwargs = models.batched_inputs(case.batches * SIZE, seed=step)
    return tokens, kwargs["attention_mask"], tokens.roll(1, 0)


def loss_of(result: Any, target: torch.Tensor) -> torch.Tensor:
    loss = torch.nn.functional.cross_entropy(result["logits"].flatten(0, 1), target.flatten())
    return loss + result["states"][1].square().mean() + result["turned"].mean()


def run_whole(program: torch.export.ExportedProgram, case: Case) -> list[Any]:
    """The losses, the result, and the gradients of each step."""
    module = program.module()
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    steps = []
    for step in range(case.steps):
        tokens, mask, target = batch_of(case, step)
        results, losses = [], []
        optimizer.zero_grad()
        for rows in range(0, case.batches * SIZE, SIZE):
            with torch.set_grad_enabled(case.is_training):
                results.append(module(tokens[rows : rows + SIZE], attention_mask=mask[rows : rows + SIZE]))
            if case.is_training:
                losses.append(loss_of(results[-1], target[rows : rows + SIZE]))
                (losses[-1] / case.batches).backward()
        merged = pytree.tree_map(lambda *chunks: torch.cat(chunks).detach(), *results)
        named = module.named_parameters(remove_duplicate=False)
        gradients = {name: weight.grad.clone() for name, weight in named if weight.grad is not None}
        steps.append(([loss.item() for loss in losses], merged, gradients))
        optimizer.step()
    return steps


def run_case(case: Case, pipeline: Pipeline, stages: list[Any], initial: dict[str, torch.Tensor], wanted: list[Any]) -> None:
    with torch.no_grad():
        for name, tensor in pipeline.state_dict(keep_vars=True).items():
            tensor.copy_(initial[name])
            tensor.grad = None
    rank, group, is_last = dist.get_rank(), stages[0].group, any(stage.is_last for stage in stages)
    make = getattr(pipelining, case.schedule)
    given = stages[0] if case.schedule in ONE_STAGE else stages
    schedule = make(given, case.batches, loss_fn=loss_of if case.is_training else None)
    optimizer = torch.optim.SGD(pipeline.parameters(), lr=0.1)
    for step, (wanted_losses, wanted_result, wanted_gradients) in enumerate(wanted):
        optimizer.zero_grad()
        tokens, mask, target = batch_of(case, step)
        losses: list[torch.Tensor] = []
        more: dict[str, Any] = {"attention_mask": mask} if rank == 0 else {}
        if case.is_training and is_last:
            more |= {"target": target, "losses": losses}
        with torch.set_grad_enabled(case.is_training):
            result = schedule.step(*((tokens,) if rank == 0 else ()), **more)
        if is_last:
            assert [loss.item() for loss in losses] == pytest.approx(wanted_losses, abs=1e-5), f"losses of step {step}"
            tolerance = 1e-4 if case.is_training and step > 0 else 0.0  # gradients are summed in the order of the schedule
            torch.testing.assert_close(result, wanted_result, rtol=tolerance, atol=tolerance)
        if case.is_training:
            pipeline.sum_tied_gradients(group)
            for number in pipeline.loaded:
                for name, weight in pipeline.module_of(number).named_parameters():
                    assert weight.grad is not None, name
                    torch.testing.assert_close(weight.grad, wanted_gradients[name], msg=lambda text: f"{name} in step {step}: {text}")
            optimizer.step()
    for name, buffer in pipeline.named_buffers():
        assert not name.endswith("calls") or buffer.item() == case.steps * case.batches, "a trial call changes a buffer"


def process(rank: int, folder: pathlib.Path) -> None:
    """Runs all cases. Stops at the first failure, since the processes are then out of step."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=max(WORLDS), init_method=f"file://{folder}/store")
    outcomes: dict[str, str] = {}
    try:
        for world in WORLDS:
            group = dist.new_group(list(range(world)))
            if rank < world:
                run_cases(rank, world, group, folder, outcomes)
    finally:
        torch.save(outcomes, folder / f"outcomes-{rank}.pt")
    dist.destroy_process_group()


def run_cases(rank: int, world: int, group: Any, folder: pathlib.Path, outcomes: dict[str, str]) -> None:
    wanted = torch.load(folder / "wanted.pt")
    pipelines: dict[Any, Any] = {}
    made: dict[Any, Any] = {}
    for case in cases(world):
        placement = "v" if case.schedule in V else "loop"
        key = case.is_dynamic, case.stages, placement
        try:
            if key not in pipelines:
                owned = [rank, 2 * world - 1 - rank] if placement == "v" else range(rank, case.stages, world)
                pipeline = Pipeline(parts_of(folder, case.is_dynamic, case.stages), parts=list(owned))
                pipelines[key] = pipeline, {name: tensor.clone() for name, tensor in pipeline.state_dict().items()}
            pipeline, initial = pipelines[key]
            if (key, case.skips) not in made or RELEASE < (2, 13):  # whose stages serve one schedule
                made[key, case.skips] = pipeline.to_pipeline_stages(skips=case.skips, placement=placement, group=group)
            run_case(case, pipeline, made[key, case.skips], initial, wanted[case.is_dynamic, case.is_training, world])
            outcomes[str(case)] = ""
        except Exception:
            outcomes[str(case)] = traceback.format_exc()
            raise


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The failures of each case in each process."""
    folder = tmp_path_factory.mktemp("schedules")
    wanted = {}
    for is_dynamic in (True, False):
        path = parts_of(folder, is_dynamic, 0).with_name("model.pt2")
        path.parent.mkdir()
        program = models.exported_batched(2, SIZE, is_dynamic)
        torch.export.save(program, path)
        for stages in (2, 4, 8):
            tags = path.with_name(f"tags{stages}.json")
            programs.run("tag", path, "--stages", str(stages), "-o", tags)
            programs.run("split", path, "--tags", tags, "--parts", parts_of(folder, is_dynamic, stages))
        for is_training, world in itertools.product([True, False], WORLDS):
            case = Case(world, is_dynamic, "", "", is_training)
            wanted[is_dynamic, is_training, world] = run_whole(torch.export.load(path), case)
    torch.save(wanted, folder / "wanted.pt")
    found: dict[str, list[str]] = {}
    with contextlib.suppress(torch.multiprocessing.ProcessRaisedException, torch.multiprocessing.ProcessExitedException):
        torch.multiprocessing.start_processes(process, (folder,), nprocs=max(WORLDS), start_method="forkserver")
    for path in sorted(folder.glob("outcomes-*.pt")):
        for case, outcome in torch.load(path).items():
            found.setdefault(case, []).append(outcome)
    return found


@pytest.mark.parametrize("case", [case for world in WORLDS for case in cases(world)], ids=str)
def test_stages_do_what_the_whole_does(outcomes: dict[str, list[str]], case: Case) -> None:
    assert outcomes.get(str(case)) == [""] * case.world
