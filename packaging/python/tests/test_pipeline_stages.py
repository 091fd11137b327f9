"""Parts as stages of torch.distributed.pipelining, in processes on CPU."""

from __future__ import annotations

import pathlib
from typing import Any

import pytest
import torch
import torch.distributed as dist
import torch.multiprocessing

import pipeline_models as models
from models import RELEASE
from sunder import SunderError, programs
from sunder.pipeline import Pipeline
from sunder.pipeline.manifest import Manifest, Part, Value
from sunder.pipeline.routes import routes_of, skipping

BATCHES = 4


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A decoder of few layers, and its four parts."""
    path = tmp_path_factory.mktemp("stages") / "decoder.pt2"
    torch.export.save(models.exported_decoder(layers=3), path)
    programs.run("tag", path, "--stages", "4", "-o", path.with_name("tags.json"))
    programs.run("split", path, "--tags", path.with_name("tags.json"), "--parts", path.with_name("parts"))
    return path


def whole_batch() -> tuple[torch.Tensor, dict[str, Any], torch.Tensor]:
    (tokens,), kwargs = models.decoder_inputs(batch=2 * BATCHES, seed=7)
    del kwargs["cache"]
    return tokens, kwargs, torch.roll(tokens, 1, 0)


def loss_of(result: dict[str, Any], target: torch.Tensor) -> torch.Tensor:
    loss = torch.nn.functional.cross_entropy(result["logits"].flatten(0, 1), target.flatten())
    return loss + result["states"][0].square().mean()  # a result of the first stage, passed to the last


def schedule_of(stages: list[Any], training: bool) -> Any:
    from torch.distributed.pipelining import Schedule1F1B, ScheduleGPipe, ScheduleInterleaved1F1B
    from torch.distributed.pipelining.microbatch import TensorChunkSpec, _Replicate, sum_reducer

    options = {"scale": _Replicate, "bias": [_Replicate]}
    specs = {
        "loss_fn": loss_of if training else None,
        "kwargs_chunk_spec": {"attention_mask": TensorChunkSpec(0), "options": options} if stages[0].is_first else None,
        "output_merge_spec": {
            "logits": TensorChunkSpec(0),
            "states": (TensorChunkSpec(0), TensorChunkSpec(0)),
            "cache": None,
            "calls": sum_reducer,
        },
    }
    if len(stages) > 1:
        return ScheduleInterleaved1F1B(stages, BATCHES, **specs)
    return (Schedule1F1B if training else ScheduleGPipe)(stages[0], BATCHES, **specs)


def process(rank: int, world: int, model: pathlib.Path, skips: Any, training: bool) -> None:
    torch.set_num_threads(1)
    store = f"file://{model.parent}/store-{world}-{skips}-{training}"
    dist.init_process_group("gloo", rank=rank, world_size=world, init_method=store)
    pipeline = Pipeline(model.parent / "parts", parts=range(rank, 4, world))
    stages = pipeline.to_pipeline_stages(skips=skips)
    schedule = schedule_of(stages, training)
    tokens, kwargs, target = whole_batch()
    args = (tokens,) if rank == 0 else ()
    more: dict[str, Any] = {"target": target} if training and rank == world - 1 else {}
    with torch.set_grad_enabled(training):
        result = schedule.step(*args, **(kwargs if rank == 0 else {}), **more)
    if training:
        pipeline.sum_tied_gradients()
    gradients = {n: p.grad for i in pipeline.loaded for n, p in pipeline.module_of(i).named_parameters()}
    torch.save((result, gradients if training else {}), model.parent / f"result-{rank}.pt")
    dist.destroy_process_group()


@pytest.mark.parametrize(
    ("world", "skips", "training"),
    [(4, "relay", True), (2, "recompute", False)],
)
@pytest.mark.skipif(RELEASE < (2, 8), reason="schedules of PyTorch 2.6 and 2.7 do not wait for all values over gloo")
def test_stages_give_what_the_whole_gives(model: pathlib.Path, world: int, skips: str, training: bool) -> None:
    torch.multiprocessing.start_processes(process, (world, model, skips, training), nprocs=world, start_method="forkserver")
    results = [torch.load(model.parent / f"result-{rank}.pt") for rank in range(world)]
    tokens, kwargs, target = whole_batch()
    whole = torch.export.load(model).module()
    wanted = []
    for i in range(BATCHES):
        rows = slice(2 * i, 2 * i + 2)
        wanted.append(
            whole(tokens[rows], attention_mask=kwargs["attention_mask"][rows], options=kwargs["options"], cache=None)
        )
        if training:
            (loss_of(wanted[-1], target[rows]) / BATCHES).backward()
    given = results[-1][0]
    assert torch.equal(given["logits"], torch.cat([result["logits"] for result in wanted]))
    assert torch.equal(given["states"][0], torch.cat([result["states"][0] for result in wanted]))
    assert given["cache"] is None and given["calls"].item() == 1 + 2 + 3 + 4  # a trial call leaves no trace
    own = dict(whole.named_parameters(remove_duplicate=False))
    for _, gradients in results:
        assert bool(gradients) == training
        for name, gradient in gradients.items():
            torch.testing.assert_close(gradient, own[name].grad, msg=lambda text: f"{name}: {text}")


@pytest.mark.skipif(RELEASE >= (2, 8), reason="schedules wait for all values")
def test_stages_of_several_values_are_refused_where_schedules_do_not_wait(model: pathlib.Path, tmp_path: pathlib.Path) -> None:
    dist.init_process_group("gloo", rank=0, world_size=1, init_method=f"file://{tmp_path}/store")
    try:
        with pytest.raises(SunderError, match="do not wait for all of them over gloo"):
            Pipeline(model.parent / "parts").to_pipeline_stages()
    finally:
        dist.destroy_process_group()


def test_stages_need_a_process_group(model: pathlib.Path) -> None:
    with pytest.raises(SunderError, match="init_process_group"):
        Pipeline(model.parent / "parts", parts=[0]).to_pipeline_stages()


def chain(*parts: tuple[str, str]) -> Manifest:
    """Parts by their inputs and outputs, from an input x: ("x", "a"), ("a", "b")."""

    def values(names: str) -> tuple[Value, ...]:
        return tuple(Value(name, "tensor") for name in names)

    made = tuple(Part(f"p{i}", f"p{i}.pt2", values(takes), values(gives)) for i, (takes, gives) in enumerate(parts))
    return Manifest(pathlib.Path(), "", None, None, values("x"), values(parts[-1][1]), made, None, None, {}, {})


def handed(manifest: Manifest, **remade: str) -> list[str]:
    return ["".join(value.name for value in stage) for stage in routes_of(manifest, remade).incoming]


def test_what_skips_stages_goes_through_each() -> None:
    manifest = chain(("x", "am"), ("am", "b"), ("b", "c"), ("cm", "y"))
    assert skipping(manifest) == ["m"]
    assert handed(manifest) == ["x", "am", "mb", "mc"]


def test_what_is_made_again_needs_what_it_is_made_of() -> None:
    manifest = chain(("x", "am"), ("am", "b"), ("b", "c"), ("cm", "y"))
    assert handed(manifest, m="") == ["x", "am", "b", "c"]
    assert handed(manifest, m="x") == ["x", "xam", "xb", "xc"]
    assert routes_of(manifest, {"m": "x"}).again == ((), (), (), ("m",))


def test_values_that_are_made_of_others_are_made_in_order() -> None:
    manifest = chain(("x", "ap"), ("ap", "bm"), ("b", "c"), ("c", "d"), ("dm", "y"))
    routes = routes_of(manifest, {"p": "", "m": "p"})
    assert routes.again[4] == ("p", "m")
    assert handed(manifest, p="", m="p") == ["x", "ap", "b", "c", "d"]
