"""Values that pass between stages: contents in trial calls, types, memory, and gradients. All stages are in one process here."""

from __future__ import annotations

import json
import pathlib
from typing import Any, Iterator, Sequence

import pytest
import torch
import torch.distributed as dist
import torch.distributed.pipelining as pipelining
import torch.utils._pytree as pytree
from torch import nn

from models import RELEASE
from sunder import SunderError, programs
from sunder.pipeline import Pipeline
from sunder.pipeline.crossing import form_of
from sunder.pipeline.stages import rank_in_v

pytestmark = pytest.mark.skipif(RELEASE < (2, 9), reason="schedules of PyTorch 2.9 and later")
SCHEDULES = ["ScheduleLoopedBFS", "ScheduleInterleaved1F1B", "ScheduleInterleavedZeroBubble"]


@pytest.fixture(scope="module", autouse=True)
def group(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    store = tmp_path_factory.mktemp("group") / "store"
    dist.init_process_group("gloo", rank=0, world_size=1, init_method=f"file://{store}")
    yield
    dist.destroy_process_group()


@pytest.fixture(params=SCHEDULES)
def schedule(request: Any) -> str:
    return str(request.param)


def cut(model: nn.Module, inputs: Sequence[torch.Tensor], ends: Sequence[str], folder: pathlib.Path, *, unproven: bool = False, **export: Any) -> pathlib.Path:
    """Exports a model, and cuts it after the nodes of these names."""
    program = torch.export.export(model, tuple(inputs), **export)
    torch.export.save(program, folder / "model.pt2")
    tags: dict[str, str] = {}
    left, stage = list(ends), 0
    for node in program.graph.nodes:
        if node.op not in ("placeholder", "output"):
            tags[node.name] = f"stage{stage}"
        if left and node.name == left[0]:
            left, stage = left[1:], stage + 1
    assert not left, f"there is no {left[0]} in order"
    (folder / "tags.json").write_text(json.dumps({"order": [f"stage{i}" for i in range(stage + 1)], "tags": tags}))
    programs.run("split", folder / "model.pt2", "--tags", folder / "tags.json", "--parts", folder / "parts", *(["--unproven"] if unproven else []))
    return folder / "parts"


def loss_of(result: Any, target: torch.Tensor) -> torch.Tensor:
    return nn.functional.mse_loss(pytree.tree_leaves(result)[0], target)


def agree(schedule: str, parts: pathlib.Path, inputs: Sequence[torch.Tensor], skips: Any = "relay") -> None:
    """Inference and training in two microbatches agree with the whole in results, inputs, buffers, and gradients."""
    target = torch.randn(inputs[0].shape)
    for is_training in (False, True):
        pipeline, whole = Pipeline(parts), torch.export.load(parts.parent / "model.pt2").module()
        stages = pipeline.to_pipeline_stages(skips=skips)
        run = getattr(pipelining, schedule)(stages, 2, loss_fn=loss_of if is_training else None)
        given, taken = ([tensor.clone() for tensor in inputs] for _ in range(2))
        results = []
        with torch.set_grad_enabled(is_training):
            merged = run.step(*given, **({"target": target} if is_training else {}))
            for stage in stages[:-1]:
                stage.submod.check_sizes()
            for chunks in zip(*(tensor.chunk(2) for tensor in (*taken, target))):
                result = whole(*chunks[:-1])
                if is_training:
                    (loss_of(result, chunks[-1]) / 2).backward()
                results.append(pytree.tree_map(lambda tensor: tensor.detach().clone(), result))
        wanted = pytree.tree_map(lambda *chunks: torch.cat(chunks), *results)
        torch.testing.assert_close(merged, wanted, rtol=0, atol=0)
        torch.testing.assert_close(given, taken, rtol=0, atol=0)
        own = dict(whole.named_parameters(remove_duplicate=False)) | dict(whole.named_buffers())
        for number in pipeline.loaded:
            for name, tensor in pipeline.module_of(number).named_buffers():
                assert torch.equal(tensor, own[name]), name
            for name, weight in pipeline.module_of(number).named_parameters():
                assert weight.requires_grad and (weight.grad is None) == (own[name].grad is None), name
                if weight.grad is not None:
                    torch.testing.assert_close(weight.grad, own[name].grad, msg=lambda text: f"{name}: {text}")


class Net(nn.Module):
    """Three layers, used differently by each case."""

    def __init__(self, compute: Any) -> None:
        super().__init__()
        self.a, self.b, self.c = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)
        self.weight = nn.Parameter(torch.rand(4))
        self.register_buffer("count", torch.zeros(1))
        self.compute = compute

    def forward(self, *inputs: torch.Tensor) -> Any:
        return self.compute(self, *inputs)


@pytest.mark.skipif(RELEASE < (2, 11), reason="PyTorch 2.9 exports a guard for the derived dimension that cannot run")
def test_sizes_of_a_dynamic_batch(schedule: str, tmp_path: pathlib.Path) -> None:
    def compute(net: Net, x: torch.Tensor) -> Any:
        batch, length = x.shape[0], x.shape[1]
        rows = net.a(x).view(batch * length, 4)
        return net.c(rows.view(batch, length, 4)[:, : length // 2]).repeat(1, 2, 1)

    shapes = ({0: torch.export.Dim("batch"), 1: 2 * torch.export.Dim("half", min=2, max=9)},)
    parts = cut(Net(compute), [torch.rand(3, 4, 4)], ["linear", "view"], tmp_path, dynamic_shapes=(shapes,))
    agree(schedule, parts, [torch.rand(4, 6, 4)])


def test_data_dependent_numbers_and_indices(schedule: str, tmp_path: pathlib.Path) -> None:
    """Each microbatch has other numbers."""

    def compute(net: Net, x: torch.Tensor, k: torch.Tensor) -> Any:
        h = net.a(x)
        count = k.max().item()
        torch._check(count >= 2)
        torch._check(count <= 3)
        factor = (k.sum().double() * 0.1).item()  # not a float32
        return net.c(h.sin())[torch.arange(2) % 2] * torch.ones(count).sum() * factor

    parts = cut(Net(compute), [torch.rand(2, 4), torch.tensor([2, 3])], ["linear", "item_1"], tmp_path)
    agree(schedule, parts, [torch.rand(4, 4), torch.tensor([2, 3, 2, 2])])


@pytest.mark.skipif(RELEASE < (2, 13), reason="earlier schedules compare sizes themselves")
def test_sizes_that_data_dependent_numbers_determine(tmp_path: pathlib.Path) -> None:
    def compute(net: Net, x: torch.Tensor, k: torch.Tensor) -> Any:
        count = k.max().item()
        torch._check(count >= 2)
        torch._check(count <= 3)
        return net.a(x) * torch.ones(count).sum() * count

    parts = cut(Net(compute), [torch.rand(2, 4), torch.tensor([2, 3])], ["ones"], tmp_path)
    stages = Pipeline(parts).to_pipeline_stages()
    run = pipelining.ScheduleInterleaved1F1B(stages, 2)
    with torch.no_grad():
        run.step(torch.rand(4, 4), torch.tensor([2, 3, 1, 3]))
        stages[0].submod.check_sizes()
        run.step(torch.rand(4, 4), torch.tensor([2, 3, 2, 2]))
        with pytest.raises(SunderError, match=r"part 'stage0' sends 'ones' as float32 \[2\], but sent float32 \[3\] in the first microbatch"):
            stages[0].submod.check_sizes()


@pytest.mark.parametrize(
    ("ends", "compute"),
    [
        (["complex_1"], lambda net, x: (lambda z: net.c((z * z.conj()).real + (z * (2 + 3j)).imag))(torch.complex(net.a(x), net.b(x)))),
        (["_conj"], lambda net, x: (lambda z: net.c((z * (2 + 3j)).imag * z.real))(torch.complex(net.a(x), net.b(x)).conj())),
        (["transpose"], lambda net, x: (lambda z: net.c((z * (2 + 3j)).imag.flatten(1)))(torch.complex(net.a(x), net.b(x)).view(2, 2, 2).transpose(1, 2))),
        (["complex_1", "linear_2"], lambda net, x: (lambda z: (net.c(z.abs()).sin() * z.imag, z * 1j, z))(torch.complex(net.a(x), net.b(x)))),
        (["fft_rfft"], lambda net, x: net.c(torch.fft.irfft(torch.fft.rfft(net.a(x)) * 2, n=4))),
    ],
    ids=["complex", "conjugate", "strides", "skips a stage and in the result", "transform"],
)
def test_complex_values(schedule: str, ends: list[str], compute: Any, tmp_path: pathlib.Path) -> None:
    agree(schedule, cut(Net(compute), [torch.rand(2, 4)], ends, tmp_path), [torch.rand(4, 4)])


@pytest.mark.parametrize("name", ["bool", "uint8", "int16", "uint32", "uint64", "float16", "bfloat16", "float64", "float8_e5m2", "complex128"])
def test_dtypes(name: str, tmp_path: pathlib.Path) -> None:
    def compute(net: Net, x: torch.Tensor) -> Any:
        h = (net.a(x) * 9).to(dtype) if dtype.is_floating_point else (x * 9).to(torch.int32).to(dtype)
        return net.c((h.real if dtype.is_complex else h).to(torch.float32)) * net.b(x)

    if name in ("uint32", "uint64") and RELEASE < (2, 13):
        pytest.skip("earlier releases do not save conversions to this dtype")
    dtype = getattr(torch, name)
    agree("ScheduleInterleaved1F1B", cut(Net(compute), [torch.rand(2, 4)], ["to" if dtype.is_floating_point else "to_1"], tmp_path), [torch.rand(4, 4)])


def test_values_that_stages_cannot_exchange(tmp_path: pathlib.Path) -> None:
    parts = cut(Net(lambda net, x: net.c(net.a(x)) + x.to_sparse().to_dense()), [torch.rand(2, 4)], ["linear_1", "to_sparse"], tmp_path)
    run = pipelining.ScheduleInterleaved1F1B(Pipeline(parts).to_pipeline_stages(), 2)
    with torch.no_grad(), pytest.raises(SunderError, match=r"part 'stage1' sends 'to_sparse', which is a tensor with layout torch.sparse_coo; stages"):
        run.step(torch.rand(4, 4))
    for value, kind in [
        (torch.quantize_per_tensor(torch.rand(2), 0.1, 0, torch.qint8), r"a quantized tensor \(torch.qint8\)"),
        (torch.nested.nested_tensor([torch.rand(2), torch.rand(3)]), "a nested tensor"),
        (None, "None"),
        ("text", "of type str"),
    ]:
        with pytest.raises(SunderError, match=f"part 'p' sends 'v', which is {kind}; stages"):
            form_of(value, "p", "v")


def test_contents_that_zeros_cannot_stand_for(schedule: str, tmp_path: pathlib.Path) -> None:
    def compute(net: Net, x: torch.Tensor) -> Any:
        h = net.a(x)
        square = h.T @ h + torch.eye(4)
        return x @ torch.linalg.cholesky(square)

    agree(schedule, cut(Net(compute), [torch.rand(2, 4)], ["add"], tmp_path), [torch.rand(4, 4)])


@pytest.mark.skipif(RELEASE < (2, 13), reason="earlier schedules take only tensors as positional inputs")
def test_nested_positional_inputs(tmp_path: pathlib.Path) -> None:
    class Nested(nn.Module):
        def forward(self, batch: dict[str, Any]) -> torch.Tensor:
            return batch["x"].sin() + batch["y"][0].cos()

    parts = cut(Nested(), [{"x": torch.rand(2, 4), "y": [torch.rand(2, 4)]}], ["sin"], tmp_path)
    run = pipelining.ScheduleInterleaved1F1B(Pipeline(parts).to_pipeline_stages(), 2)
    batch = {"x": torch.rand(4, 4), "y": [torch.rand(4, 4)]}
    with torch.no_grad():
        assert torch.equal(run.step(batch), Nested()(batch))


@pytest.mark.parametrize(
    ("ends", "compute"),
    [
        (["linear", "relu_"], lambda net, x: net.c(net.a(x).relu_())),
        (["linear", "relu_"], lambda net, x: (lambda h: net.c(h.relu_()) + h)(net.a(x))),
        (["linear"], lambda net, x: net.a(x).sigmoid() ** net.weight),
        (["linear", "view"], lambda net, x: (lambda h: (net.c(h.view(-1, 2, 2).flatten(1)), h, h, h.t().contiguous().t()))(net.a(x))),
        (["sin"], lambda net, x: (net.a(x.sin() + net.count.add_(1)), net.count, net.weight, x)),
        (["linear"], lambda net, x: (lambda h: net.c(h * net.count.add_(1).clone()) + net.count)(net.a(x))),
        (["add_"], lambda net, x: (net.a(x.add_(1).sin()), x)),
    ],
    ids=["written", "written and read later", "saved by its op", "views and repeats", "state and inputs as results", "state", "input written"],
)
def test_results_are_separate_from_other_memory(schedule: str, ends: list[str], compute: Any, tmp_path: pathlib.Path) -> None:
    agree(schedule, cut(Net(compute), [torch.rand(2, 4)], ends, tmp_path), [torch.rand(4, 4)])


def test_the_order_of_dimensions_in_memory(schedule: str, tmp_path: pathlib.Path) -> None:
    def compute(net: Net, x: torch.Tensor) -> Any:
        h = net.a(x).view(2, 2, 2).transpose(1, 2)
        return h.flatten(1) * 2 + h.transpose(1, 2).view(2, 4)  # which fails for other strides

    agree(schedule, cut(Net(compute), [torch.rand(2, 4)], ["transpose"], tmp_path), [torch.rand(4, 4)])


@pytest.mark.parametrize(
    ("ends", "compute"),
    [
        (["sin", "relu"], lambda net, x: net.c(net.b(x.sin()).relu())),
        (["linear", "exp"], lambda net, x: (lambda h, g: net.c(net.b(h).sin()) * g)(net.a(x), net.weight.exp())),
        (["linear", "tanh"], lambda net, x: net.a(net.b(net.c((net.b(net.a(x)) * net.weight).sin()).relu() * net.weight).tanh())),
    ],
    ids=["no received gradient", "result of weights alone", "weights used twice"],
)
def test_gradients_of_all_weights(schedule: str, ends: list[str], compute: Any, tmp_path: pathlib.Path) -> None:
    agree(schedule, cut(Net(compute), [torch.rand(2, 4)], ends, tmp_path), [torch.rand(4, 4)])


def test_gradients_of_a_weight_that_stages_share(schedule: str, tmp_path: pathlib.Path) -> None:
    net = Net(lambda net, x: net.c(net.b(net.a(x).sin())))
    net.c.weight = net.a.weight
    agree(schedule, cut(net, [torch.rand(2, 4)], ["sin", "linear_1"], tmp_path), [torch.rand(4, 4)])


@pytest.mark.parametrize(
    ("ends", "compute", "refused", "says"),
    [
        (
            ["t", "relu_"],
            lambda net, x: (lambda h, v: net.c(h.relu_()) + v.t())(*(lambda h: (h, h.t()))(net.a(x))),
            "separate parts have their own copies",
            "shares memory with 't';",
        ),
        (["sin"], lambda net, x: net.a(x.sin()) + x.add_(1), None, "part stage1 writes to the input inputs_0"),
        (
            ["view"],
            lambda net, x: net.count.view(1, 1).add_(1) + net.a(x),
            "separate parts have their own copies",
            "in the memory of 'count', a weight or buffer of part 'stage0'",
        ),
    ],
    ids=["view", "input", "buffer"],
)
def test_writes_that_other_processes_do_not_see(
    ends: list[str], compute: Any, refused: str | None, says: str, tmp_path: pathlib.Path
) -> None:
    """The split refuses most of them; stages also refuse parts that were written regardless."""
    if refused:
        with pytest.raises(SunderError, match=refused):
            cut(Net(compute), [torch.rand(2, 4)], ends, tmp_path)
    parts = cut(Net(compute), [torch.rand(2, 4)], ends, tmp_path, unproven=bool(refused))
    with torch.no_grad(), pytest.raises(SunderError, match=says):
        pipelining.ScheduleInterleaved1F1B(Pipeline(parts).to_pipeline_stages(), 2).step(torch.rand(4, 4))


def test_buffers_that_several_parts_have_and_one_writes(tmp_path: pathlib.Path) -> None:
    """`split` refuses such parts, but a manifest can have another origin."""
    parts = cut(Net(lambda net, x: net.a(x) * net.count.add_(1)), [torch.rand(2, 4)], ["linear"], tmp_path)
    manifest = json.loads((parts / "manifest.json").read_text())
    manifest["tied"] = [{"names": ["count"], "parts": ["stage0", "stage1"]}]
    (parts / "manifest.json").write_text(json.dumps(manifest))
    run = pipelining.ScheduleInterleaved1F1B(Pipeline(parts).to_pipeline_stages(), 2)
    with torch.no_grad(), pytest.raises(SunderError, match="'count' is written by part 'stage1' and read by part 'stage0', which does not"):
        run.step(torch.rand(4, 4))


@pytest.mark.skipif(RELEASE < (2, 13), reason="earlier schedules compare sizes themselves")
def test_sizes_that_differ_from_the_first_microbatch(tmp_path: pathlib.Path) -> None:
    """In several processes, messages would differ in size from the tensors that receive them."""
    parts = cut(Net(lambda net, x: net.b(net.a(x))), [torch.rand(2, 4)], ["linear"], tmp_path, dynamic_shapes=(({0: torch.export.Dim.DYNAMIC},),))
    stages = Pipeline(parts).to_pipeline_stages()
    run = pipelining.ScheduleInterleaved1F1B(stages, 2)
    with torch.no_grad():
        run.step(torch.rand(4, 4))
        stages[0].submod.check_sizes()
        run.step(torch.rand(6, 4))
        with pytest.raises(SunderError, match=r"part 'stage0' sends 'linear' as float32 \[3, 4\], but sent float32 \[2, 4\]") as caught:
            stages[0].submod.check_sizes()
    assert caught.value.where == {"part": "stage0"}


def test_stages_of_each_process(tmp_path: pathlib.Path) -> None:
    from torch.distributed.pipelining._utils import generate_stage_to_rank_mapping

    for world, count in [(1, 2), (2, 4), (3, 6), (2, 6), (4, 8)]:
        ranks = {number: rank_in_v(number, world) for number in range(count)}
        assert ranks == generate_stage_to_rank_mapping(world, count, style="v")
    parts = cut(Net(lambda net, x: net.b(net.a(x).sin())), [torch.rand(2, 4)], ["linear", "sin"], tmp_path)
    pipeline = Pipeline(parts, parts=[0, 2])
    assert [stage.stage_index for stage in pipeline.to_pipeline_stages()] == [0, 2]
    assert [stage.stage_index for stage in Pipeline(parts).to_pipeline_stages(placement="v")] == [0, 1, 2]
    with pytest.raises(SunderError, match=r"process 0 of 1 runs stage 1 of 3, but its part is not loaded in this process: load it with parts=\[0, 1, 2\]"):
        pipeline.to_pipeline_stages(placement="loop")
    with pytest.raises(SunderError, match='placement is \'w\', not "loop" or "v"'):
        pipeline.to_pipeline_stages(placement="w")  # type: ignore[arg-type]
