"""Pipeline: parts and manifest called as the whole is called."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest
import torch

import pipeline_models as models
from processes import run_python
from sunder import SunderError, programs
from sunder.pipeline import Pipeline
from sunder.pipeline.devices import move


def cut(model: pathlib.Path, stages: int, parts: pathlib.Path) -> pathlib.Path:
    tags = model.with_name(f"{model.stem}.{stages}.tags.json")
    programs.run("tag", model, "--stages", str(stages), "-o", tags)
    programs.run("split", model, "--tags", tags, "--parts", parts)
    return parts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A decoder and its four parts, which tests do not change."""
    here = tmp_path_factory.mktemp("decoder")
    torch.export.save(models.exported_decoder(), here / "decoder.pt2")
    return cut(here / "decoder.pt2", 4, here / "parts")


@pytest.fixture
def pipeline(folder: pathlib.Path) -> Pipeline:
    return Pipeline(folder)


def same(actual: Any, wanted: Any) -> bool:
    leaves, spec = torch.utils._pytree.tree_flatten(actual)
    others, other_spec = torch.utils._pytree.tree_flatten(wanted)
    return spec == other_spec and all(
        torch.equal(a, b) if isinstance(b, torch.Tensor) else a == b for a, b in zip(leaves, others)
    )


def test_gives_what_the_whole_gives_call_after_call(folder: pathlib.Path, pipeline: Pipeline) -> None:
    whole = torch.export.load(folder.parent / "decoder.pt2").module()
    for seed in range(3):
        args, kwargs = models.decoder_inputs(seed=seed)
        result = pipeline(*args, **kwargs)
        assert same(result, whole(*args, **kwargs))
        assert result["calls"].item() == seed + 1
        assert result["cache"] is None and isinstance(result["states"], tuple)


def test_keywords_come_in_any_order_and_what_is_always_the_same_may_be_left_out(pipeline: Pipeline) -> None:
    (tokens,), kwargs = models.decoder_inputs()
    wanted = pipeline(tokens, **kwargs)["logits"]
    swapped = {"options": dict(reversed(kwargs["options"].items())), "attention_mask": kwargs["attention_mask"]}
    assert torch.equal(pipeline(tokens, **swapped)["logits"], wanted)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"options": [1, 2]}, "options takes a dict of 2, not a list of 2"),
        ({"options": {"scale": torch.ones(()), "bias": []}}, r"options\['bias'\] takes a list of 1, not a list of 0"),
        ({"options": {"scale": torch.ones(())}}, "options lacks bias"),
        ({"cache": 1}, "cache is 1, but the model was exported for None"),
        ({"labels": torch.ones(2)}, "the call does not take labels"),
    ],
)
def test_inputs_that_are_nested_otherwise_are_told(pipeline: Pipeline, change: dict[str, Any], says: str) -> None:
    (tokens,), kwargs = models.decoder_inputs()
    with pytest.raises(SunderError, match=says):
        pipeline(tokens, **{**kwargs, **change})


def test_a_part_that_fails_is_named_with_the_numbers(pipeline: Pipeline) -> None:
    (tokens,), kwargs = models.decoder_inputs()
    with pytest.raises(
        SunderError, match=r"part stage0 .*tokens is int64 \[2, 3\], but the part was exported for int64 \[2, 6\]"
    ):
        pipeline(tokens[:, :3], **kwargs)


def test_tied_weights_are_one_tensor(pipeline: Pipeline) -> None:
    def table(part: str) -> torch.nn.Parameter:
        weights = pipeline.module_of(part).named_parameters()
        return next(weight for _, weight in weights if weight.shape == (models.VOCABULARY, models.WIDTH))

    assert table("stage0") is table("stage3")
    assert sum(weight is table("stage0") for weight in pipeline.parameters()) == 1


def test_each_part_is_on_its_device(folder: pathlib.Path) -> None:
    devices = ["cpu", "meta", "cpu", "meta"]
    pipeline = Pipeline(folder, devices)
    for number, device in enumerate(devices):
        assert {t.device.type for t in pipeline.module_of(number).state_dict().values()} == {device}
    by_name = Pipeline(folder, {f"stage{number}": "meta" for number in range(4)})
    args, kwargs = models.decoder_inputs()
    result = by_name(*args, **kwargs)
    assert result["logits"].device.type == "meta" and result["logits"].shape == (2, 6, models.VOCABULARY)
    with pytest.raises(SunderError, match="3 devices for 4 parts"):
        Pipeline(folder, ["cpu"] * 3)
    with pytest.raises(SunderError, match="no device for part stage1"):
        Pipeline(folder, {"stage0": "cpu"})


def test_parts_can_be_loaded_alone(folder: pathlib.Path) -> None:
    pipeline = Pipeline(folder, parts=["stage2", 3])
    assert pipeline.loaded == [2, 3]
    args, kwargs = models.decoder_inputs()
    with pytest.raises(SunderError, match="part stage0 is not loaded in this process"):
        pipeline(*args, **kwargs)


def test_check_compares_every_bit_and_leaves_the_buffers(pipeline: Pipeline) -> None:
    args, kwargs = models.decoder_inputs(seed=5)
    pipeline(*args, **kwargs)
    agreement = pipeline.check()
    assert agreement and agreement.outputs == 5 and agreement.buffers == 2
    kwargs.pop("cache")
    assert pipeline.check(*args, **kwargs)
    assert pipeline(*args, **kwargs)["calls"].item() == 2


def test_check_names_the_part_that_differs_first(pipeline: Pipeline) -> None:
    weight = next(pipeline.module_of("stage2").parameters())
    with torch.no_grad():
        weight.view(-1)[0] += 0.5
    agreement = pipeline.check()
    assert not agreement
    assert agreement.differences[0].part == "stage2"
    assert "elements differ, by up to" in str(agreement)


def test_check_refuses_another_source(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for file in folder.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with pytest.raises(SunderError, match="pass the file, the program, or the model as against="):
        Pipeline(tmp_path).check()
    (tmp_path / "decoder.pt2").write_bytes(b"another")
    with pytest.raises(SunderError, match="has changed since"):
        Pipeline(tmp_path).check()
    assert Pipeline(tmp_path).check(against=folder.parent / "decoder.pt2")


def test_check_against_a_model_of_other_sizes(tmp_path: pathlib.Path) -> None:
    class Sized(torch.nn.Module):
        def __init__(self, size: int) -> None:
            super().__init__()
            self.linear = torch.nn.Linear(size, size)
            self.register_buffer("calls", torch.zeros(size))

        def forward(self, x: torch.Tensor, *, y: torch.Tensor) -> torch.Tensor:
            self.calls.add_(1)
            return self.linear(x).relu() + y.sum() + self.calls

    def exported(model: torch.nn.Module, size: int) -> torch.export.ExportedProgram:
        return torch.export.export(model, (torch.ones(2, size),), {"y": torch.ones(3)})

    torch.export.save(exported(Sized(4), 4), tmp_path / "sized.pt2")
    pipeline = Pipeline(cut(tmp_path / "sized.pt2", 2, tmp_path / "parts"))
    with pytest.raises(SunderError, match=r"buffer 'calls' is float32 \[4\] in the parts, but float32 \[6\] in the model to compare with"):
        pipeline.check(against=Sized(6))
    other = Sized(6)
    del other.calls
    other.calls = torch.zeros(6)
    with pytest.raises(SunderError, match="the model to compare with fails on the inputs: RuntimeError: mat1 and mat2"):
        pipeline.check(against=other)
    narrow = torch.nn.Module()
    narrow.forward = lambda x, *, y: x + y  # type: ignore[method-assign]
    with pytest.raises(SunderError, match=r"fails on the inputs: .*\(x is float32 \[2, 4\], but the model was exported for float32 \[2, 3\]\)"):
        pipeline.check(against=exported(narrow, 3))


def test_gradients_are_those_of_the_whole(folder: pathlib.Path, pipeline: Pipeline) -> None:
    whole = torch.export.load(folder.parent / "decoder.pt2").module()
    args, kwargs = models.decoder_inputs()
    for module in (pipeline, whole):
        module(*args, **kwargs)["logits"].square().mean().backward()
    assert pipeline.sum_tied_gradients() == []
    own = dict(whole.named_parameters(remove_duplicate=False))
    names = set()
    for number in range(4):
        for name, weight in pipeline.module_of(number).named_parameters():
            names.add(name)
            torch.testing.assert_close(weight.grad, own[name].grad)
    assert {name for name, weight in own.items() if weight.grad is not None} <= names | {"embed.weight", "head.weight"}


def test_run_py_does_the_same_with_pytorch_alone(folder: pathlib.Path, pipeline: Pipeline) -> None:
    script = (
        "import sys, torch; sys.path[:0] = sys.argv[1:]; import run, pipeline_models as models\n"
        "parts = run.Parts(sys.argv[1]); args, kwargs = models.decoder_inputs(seed=4)\n"
        "kwargs.pop('cache'); parts(*args, **kwargs); torch.save(parts(*args, **kwargs), sys.argv[1] + '/../result.pt')\n"
        "assert 'sunder' not in sys.modules"
    )
    tests = pathlib.Path(__file__).parent
    assert run_python("-c", script, folder, tests, cwd=folder.parent).returncode == 0
    args, kwargs = models.decoder_inputs(seed=4)
    pipeline(*args, **kwargs)
    assert same(torch.load(folder.parent / "result.pt"), pipeline(*args, **kwargs))
    alone = subprocess.run([sys.executable, "run.py"], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert "cache: always None" in alone and f"float32 [2, 6, {models.VOCABULARY}]" in alone
    assert 'arguments: [0]\nkeyword arguments: {"attention_mask": ' in alone


class Tangled(torch.nn.Module):
    """Makes tensors on a device that its graph names, from a constant, and writes to an input."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, seen: torch.Tensor) -> torch.Tensor:
        y = self.linear(x) + torch.arange(4, device=x.device) + torch.tensor([0.5, 1.0, 2.0, 4.0])
        z = y.to(torch.float64).to("cpu").sin()
        seen.add_(1.0)
        return z + torch.ones(4, device=x.device)


def test_devices_in_the_graph_follow_and_writes_to_inputs_come_back(tmp_path: pathlib.Path) -> None:
    program = torch.export.export(Tangled(), (torch.ones(2, 4), torch.zeros(3)))
    torch.export.save(program, tmp_path / "tangled.pt2")
    cut(tmp_path / "tangled.pt2", 2, tmp_path / "parts")
    assert Pipeline(tmp_path / "parts", "meta")(torch.ones(2, 4), torch.zeros(3)).device.type == "meta"
    seen = torch.zeros(3)
    pipeline = Pipeline(tmp_path / "parts")
    pipeline(torch.ones(2, 4), seen)
    assert seen.tolist() == [1.0, 1.0, 1.0]
    assert pipeline.check()


class Mixed(torch.nn.Module):
    """Autocast regions, one of them nested, one for a device without values."""

    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            y = self.linear(x)
        z = y.to(device="cpu", dtype=torch.float32)  # asserts that y is bfloat16
        with torch.autocast("cuda", dtype=torch.float16):
            z = self.linear(z)
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16):
            return self.linear(z), y, z


def test_regions_of_autocast_go_where_there_is_autocast(tmp_path: pathlib.Path) -> None:
    torch.export.save(torch.export.export(Mixed(), (torch.ones(2, 4),)), tmp_path / "mixed.pt2")
    cut(tmp_path / "mixed.pt2", 2, tmp_path / "parts")
    wanted = torch.export.load(tmp_path / "mixed.pt2").module()(torch.ones(2, 4))
    for devices in ("meta", ["cpu", "meta"], "cpu"):
        result = Pipeline(tmp_path / "parts", devices)(torch.ones(2, 4))
        assert [value.dtype for value in result] == [value.dtype for value in wanted]
    assert Pipeline(tmp_path / "parts", "cpu").check()  # the region of cuda has no effect
    with pytest.raises(SunderError, match="part 'stage1' is on cpu, but its input .* is on meta, without data"):
        Pipeline(tmp_path / "parts", ["meta", "cpu"])(torch.ones(2, 4))


def test_device_types_that_calls_name() -> None:
    def moved(value_on: str, to: str, function: Any, *args: Any, **kwargs: Any) -> Any:
        graph = torch.fx.Graph()
        x = graph.placeholder("x")
        x.meta["val"] = torch.ones(2, device=value_on)
        made = graph.call_method(function, (x, *args), kwargs) if isinstance(function, str) else graph.call_function(function, args, kwargs)
        graph.output(made)
        module = torch.fx.GraphModule(torch.nn.Module(), graph)
        move(module, torch.device(to))
        return made.args or made.kwargs.get("device_type"), module(torch.ones(2, device=to))

    for function, args, kwargs in [
        (torch.zeros, (2,), {"device": "cpu"}),
        (torch.ops.aten.zeros.default, ([2],), {"device": torch.device("cpu"), "pin_memory": True}),
        ("to", ("cpu",), {}),
        ("to", ("cpu", torch.float64), {"copy": True}),
        ("cpu", (), {}),
    ]:
        assert moved("cpu", "meta", function, *args, **kwargs)[1].device.type == "meta", function
    enter = torch.amp.autocast_mode._enter_autocast
    assert moved("cpu", "meta", enter, "cpu", None, True, False)[0][0] == "cpu"  # meta has no autocast
    assert moved("meta", "cpu", enter, "meta", None, True, False)[0][0] == "cpu"
    assert moved("cpu", "cpu", enter, "cuda", None, True, False)[0][0] == "cuda"  # it had no effect
    assert moved("meta", "cpu", torch.autocast, device_type="meta")[0] == "cpu"


def test_what_is_brought_to_a_device_requires_gradients_as_before(tmp_path: pathlib.Path) -> None:
    class Halves(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.rand(8, 4))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            upper, lower = self.weight.split([4, 4])
            return torch.nn.functional.linear(torch.nn.functional.linear(x.sin(), upper), lower)

    torch.export.save(torch.export.export(Halves(), (torch.rand(2, 4),)), tmp_path / "halves.pt2")
    tags = dict.fromkeys(["sin", "split_with_sizes", "getitem", "getitem_1"], "front") | {"linear": "back", "linear_1": "back"}
    (tmp_path / "tags.json").write_text(json.dumps({"tags": tags, "order": ["front", "back"]}))
    programs.run("split", tmp_path / "halves.pt2", "--tags", tmp_path / "tags.json", "--parts", tmp_path / "parts")
    pipeline = Pipeline(tmp_path / "parts", devices=["cpu:0", "cpu:0"])
    seen: list[bool] = []
    pipeline.module_of("back").register_forward_pre_hook(lambda module, given: seen.extend(x.requires_grad for x in given))
    with torch.no_grad():
        pipeline(torch.rand(2, 4))
    assert True in seen and pipeline.check()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "is not JSON"),
        ('{"format": "other"}', "does not list parts"),
        ('{"format": "sunder-parts", "version": 2}', "version 2, but this package reads 1"),
        ('{"format": "sunder-parts", "version": 1, "inputs": [], "outputs": []}', "lacks 'parts'"),
        ('{"format": "sunder-parts", "version": 1, "inputs": [], "outputs": [{"name": "y"}], "parts": []}', "output y"),
    ],
)
def test_manifests_that_are_damaged_are_told(tmp_path: pathlib.Path, text: str, says: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(SunderError, match=says):
        Pipeline(tmp_path)


def test_no_part_lies_outside_of_the_folder(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["parts"][1]["file"] = "../stage1.pt2"
    (tmp_path / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(SunderError, match="not in the folder"):
        Pipeline(tmp_path)


def test_parts_of_plain_graphs_run_too(tmp_path: pathlib.Path) -> None:
    import sunder

    class Plain(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = torch.nn.Linear(4, 8), torch.nn.Linear(8, 4)

        def forward(self, x: torch.Tensor, y: torch.Tensor) -> dict[str, Any]:
            hidden = self.first(x).relu()
            return {"z": [self.second(hidden) + y], "hidden": hidden}

    traced = torch.fx.symbolic_trace(Plain())
    sunder.save(traced, tmp_path / "plain.fxj")
    pipeline = Pipeline(cut(tmp_path / "plain.fxj", 2, tmp_path))
    x, y = torch.randn(3, 4), torch.randn(3, 4)
    assert same(pipeline(x, y), traced(x, y))


OPERATOR = """
import torch

@torch.library.custom_op("pipelinetests::twice", mutates_args=())
def twice(x: torch.Tensor) -> torch.Tensor:
    return x * 2

twice.register_fake(torch.empty_like)
"""


def test_operators_that_are_not_registered_are_named(tmp_path: pathlib.Path) -> None:
    (tmp_path / "pipeline_operators.py").write_text(OPERATOR)
    exporting = """
import torch, pipeline_operators, torch.ao.quantization.fx._decomposed
class Net(torch.nn.Module):
    def forward(self, x):
        x = torch.ops.pipelinetests.twice(x.sin())
        return torch.ops.quantized_decomposed.quantize_per_tensor(x, 0.1, 0, -128, 127, torch.int8)
torch.export.save(torch.export.export(Net(), (torch.ones(2),)), "net.pt2")
"""
    assert run_python("-c", exporting, cwd=tmp_path).returncode == 0
    cut(tmp_path / "net.pt2", 2, tmp_path / "parts")

    def run(*modules: str) -> subprocess.CompletedProcess[str]:
        return run_python("parts/run.py", *modules, cwd=tmp_path)

    failed = run("pipeline_operators")
    assert failed.returncode == 1 and failed.stderr.count("\n") == 1
    assert "quantized_decomposed::quantize_per_tensor" in failed.stderr and "pipelinetests" not in failed.stderr
    assert failed.stderr.endswith("python run.py torch.ao.quantization.fx._decomposed\n")
    assert "pipelinetests::twice" in run().stderr and "int8 [2]" in run("pipeline_operators", "torch.ao.quantization.fx._decomposed").stdout
    assert run("no_such_module").stderr == "No module named 'no_such_module'\n"
    with pytest.raises(SunderError, match=r"part 'stage\d' calls operators that are not registered: pipelinetests::twice"):
        Pipeline(tmp_path / "parts")


CLASSES = """
import torch
from torch.utils._pytree import SequenceKey, register_pytree_node

class Cache:
    def __init__(self, keys):
        self.keys = keys

def register():
    register_pytree_node(
        Cache,
        lambda cache: (list(cache.keys), None),
        lambda keys, context: Cache(list(keys)),
        flatten_with_keys_fn=lambda cache: ([(SequenceKey(i), key) for i, key in enumerate(cache.keys)], None),
        serialized_type_name="pipeline_classes.Cache",
    )
"""


def test_classes_and_operators_that_are_not_registered_are_named_together(tmp_path: pathlib.Path) -> None:
    """The module that defines the class does not register it, as with DynamicCache of transformers."""
    (tmp_path / "pipeline_operators.py").write_text(OPERATOR)
    (tmp_path / "pipeline_classes.py").write_text(CLASSES)
    (tmp_path / "pipeline_registrations.py").write_text("import pipeline_classes, pipeline_operators; pipeline_classes.register()")
    exporting = """
import torch, pipeline_registrations
from pipeline_classes import Cache
class Net(torch.nn.Module):
    def forward(self, cache):
        return Cache([torch.ops.pipelinetests.twice(key.sin()) for key in cache.keys])
torch.export.save(torch.export.export(Net(), (Cache([torch.ones(2)]),)), "net.pt2")
"""
    assert run_python("-c", exporting, cwd=tmp_path).returncode == 0
    cut(tmp_path / "net.pt2", 2, tmp_path / "parts")
    both = "pipeline_classes.Cache in pytree is not registered. these operators are not registered: pipelinetests::twice (libraries: pipelinetests)."

    def run(*modules: str) -> subprocess.CompletedProcess[str]:
        return run_python("parts/run.py", *modules, cwd=tmp_path)

    for modules in ((), ("pipeline_classes",)):
        failed = run(*modules)
        assert failed.returncode == 1 and failed.stderr.count("\n") == 1 and both in failed.stderr
        assert failed.stderr.endswith("Import modules that register classes with PyTorch's pytree and operators first: python run.py MODULE\n")
    assert "float32 [2]" in run("pipeline_registrations").stdout
    with pytest.raises(SunderError, match="Cache in pytree is not registered; import a module that registers it") as caught:
        Pipeline(tmp_path / "parts")
    assert "calls operators that are not registered: pipelinetests::twice" in str(caught.value)
