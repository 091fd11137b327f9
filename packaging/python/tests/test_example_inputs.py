"""Parts get the example inputs of a program from all forms of pickles: tensors with attributes, and leaves of class instances if
the input spec locates them.
"""

from __future__ import annotations

import collections
import dataclasses
import io
import json
import os
import pathlib
import pickle
import pickletools
import zipfile
from typing import Any

import pytest
import torch
import torch.utils._pytree as pytree

import export_matrix
import models
import sunder

if models.RELEASE < (2, 9):
    pytest.skip("inputs of classes are exported by PyTorch 2.9 and later", allow_module_level=True)


@dataclasses.dataclass
class Inner:
    a: Any
    b: Any = None


@dataclasses.dataclass(frozen=True)
class Frozen:
    """Its slots are pickled as a list."""

    __slots__ = ("p", "q")
    p: Any
    q: Any

    def __getstate__(self) -> list[Any]:
        return [self.p, self.q]

    def __setstate__(self, state: list[Any]) -> None:
        for name, value in zip(self.__slots__, state):
            object.__setattr__(self, name, value)


class Hidden:
    """Stores its tensors under names that do not identify them."""

    def __init__(self, first: Any, second: Any) -> None:
        self.both = {"x1": first, "x2": second}


class Reduced:
    """Pickled as a call of a function."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __reduce__(self) -> Any:
        return Reduced, (self.value,)


Point = collections.namedtuple("Point", ["x", "y"])
for _kind in (Inner, Frozen):
    torch.export.register_dataclass(_kind, serialized_type_name=f"examples.{_kind.__name__}")
pytree._register_namedtuple(Point, serialized_type_name="examples.Point")
pytree.register_pytree_node(
    Hidden,
    lambda one: ([one.both["x1"], one.both["x2"]], ["first", "second"]),
    lambda items, names: Hidden(*items),
    serialized_type_name="examples.Hidden",
    flatten_with_keys_fn=lambda one: ([(pytree.MappingKey(name), value) for name, value in one.both.items()], ["first", "second"]),
)
pytree.register_pytree_node(
    Reduced,
    lambda one: ([one.value], None),
    lambda items, context: Reduced(*items),
    serialized_type_name="examples.Reduced",
    flatten_with_keys_fn=lambda one: ([(pytree.MappingKey("value"), one.value)], None),
)
torch.serialization.add_safe_globals([Inner, Frozen, Hidden, Reduced, Point, collections.deque, collections.defaultdict, list])


class Sum(torch.nn.Module):
    def forward(self, *args: Any, **kwargs: Any) -> Any:
        leaves = [leaf for leaf in pytree.tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        total = leaves[0]
        for number, leaf in enumerate(leaves[1:], 2):
            total = total + leaf * number
        return total.relu() + 1


def t(value: float) -> torch.Tensor:
    return torch.full((2, 3), float(value))


def tagged(value: float) -> torch.Tensor:
    tensor = t(value)
    tensor.note = {"any": [1, None]}  # type: ignore[attr-defined]
    return tensor


KNOWN: dict[str, Any] = {
    "plain": (t(1), [t(2), (t(3),)]),
    "with attributes": (tagged(1), {"a": tagged(2)}, torch.nn.Parameter(t(3))),
    "data classes": (Inner(t(1), [t(2)]), Inner(Inner(t(3))), Frozen(t(4), tagged(5))),
    "containers": (
        collections.OrderedDict(b=t(1), a=t(2)),
        collections.defaultdict(list, {"z": t(3), "y": t(4)}),
        collections.deque([t(5), t(6)], maxlen=4),
        {1: t(7), 0: t(8)},
        Point(t(9), (t(10),)),
    ),
    "a cache": (t(1), export_matrix.Cache([t(2), t(3)], [t(4), t(5)])),
}
PARTLY: dict[str, tuple[Any, list[float]]] = {
    "an attribute that no name tells": ((t(1), Hidden(t(2), t(3)), Inner(t(4))), [2.0, 3.0]),
    "a class that is called": ((Reduced(t(1)), t(2)), [1.0]),
}


def parts_of(args: Any, folder: pathlib.Path, kwargs: Any = None) -> tuple[torch.export.ExportedProgram, pathlib.Path]:
    program = torch.export.export(Sum(), args, kwargs or {})
    sunder.save(program, folder / "model.pt2")
    sunder.split(folder / "model.pt2", 2, parts=folder / "parts")
    return program, folder / "parts"


@pytest.mark.parametrize("args", KNOWN.values(), ids=KNOWN)
def test_example_inputs_are_those_of_the_model(args: Any, tmp_path: pathlib.Path) -> None:
    _, parts = parts_of(args, tmp_path)
    pipeline = sunder.Pipeline(parts)
    found = pipeline.example_inputs()
    assert found is not None and models.alike(pytree.tree_leaves(found[0]), pytree.tree_leaves(args))
    assert pipeline.check()


def test_keyword_inputs_have_their_own_examples(tmp_path: pathlib.Path) -> None:
    kwargs = {"b": Inner(t(2)), "a": tagged(3)}
    _, parts = parts_of((t(1),), tmp_path, kwargs)
    found = sunder.Pipeline(parts).example_inputs()
    assert found is not None and models.alike(pytree.tree_leaves(found[1]), pytree.tree_leaves(kwargs))


@pytest.mark.parametrize(("args", "unknown"), PARTLY.values(), ids=PARTLY)
def test_leaf_that_is_not_told_is_a_filler_alone(args: Any, unknown: list[float], tmp_path: pathlib.Path) -> None:
    _, parts = parts_of(args, tmp_path)
    manifest = json.loads((parts / "manifest.json").read_text(encoding="utf-8"))
    examples = {value["name"]: value["example"] for part in manifest["parts"] for value in part["inputs"] if "example" in value}
    values = [leaf[0, 0].item() for leaf in pytree.tree_leaves(args)]
    names = [value["name"] for value in manifest["inputs"]]
    assert {value for name, value in zip(names, values) if examples[name] != "source"} == set(unknown)
    with pytest.raises(sunder.SunderError, match="no example of") as error:
        sunder.Pipeline(parts).check()
    assert all(name in str(error.value) for name, value in zip(names, values) if value in unknown)
    assert sunder.Pipeline(parts).check(*args)


@pytest.mark.parametrize("style", ["dataclass", "cache", "dynamic"])
def test_examples_of_the_matrix_are_kept(style: str, tmp_path: pathlib.Path) -> None:
    source = export_matrix.exported("layers", style)
    sunder.save(source.program, tmp_path / "model.pt2")
    sunder.split(tmp_path / "model.pt2", 2, parts=tmp_path / "parts")
    found = sunder.Pipeline(tmp_path / "parts").example_inputs()
    assert found is not None and models.alike(pytree.tree_leaves(found), pytree.tree_leaves(source.batches[0]))


class Attack:
    def __reduce__(self) -> Any:
        return os.system, ("touch attacked",)


def with_samples(path: pathlib.Path, pickled: bytes) -> None:
    """Returns the archive with another pickle as example inputs."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    name = next(name for name in members if "sample_inputs" in name)
    inside = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(members[name])) as old, zipfile.ZipFile(inside, "w") as new:
        for member in old.namelist():
            new.writestr(member, pickled if member.endswith("data.pkl") else old.read(member))
    members[name] = inside.getvalue()
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in members.items():
            archive.writestr(member, data)


def _circle() -> Any:
    circle: list[Any] = []
    circle.append(circle)
    return (circle, circle), {}


def _large() -> Any:
    rows = {f"x{i}": i for i in range(50_000)}
    one = Hidden(rows, rows)
    one.__dict__.update(rows)
    return (t(1), one, one), {}


HOSTILE: dict[str, Any] = {
    "a call": ((Attack(), Attack()), {}),
    "a state that is a call": ((t(1), Inner(Attack(), Attack())), {}),
    "a circle": _circle(),
    "another nesting": ({"args": 1}, []),
    "nothing": None,
    "many attributes": _large(),
    "deep": ((lambda f: f(f, 200))(lambda f, n: [f(f, n - 1)] if n else t(1)), {}),
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_pickles_are_read_and_never_run(value: Any, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    program = torch.export.export(Sum(), (t(1), Hidden(t(2), t(3)), Inner(t(4), [t(5)])))
    sunder.save(program, tmp_path / "model.pt2")
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, 2)
    pickler.persistent_id = lambda one: ("storage", torch.FloatStorage, "0", "cpu", 6) if isinstance(one, torch.Tensor) else None  # type: ignore[method-assign]
    pickler.dump(value)
    pickletools.dis(buffer.getvalue(), out=io.StringIO())
    with_samples(tmp_path / "model.pt2", buffer.getvalue())
    sunder.split(tmp_path / "model.pt2", 2, parts=tmp_path / "parts")
    manifest = json.loads((tmp_path / "parts" / "manifest.json").read_text(encoding="utf-8"))
    assert all(value.get("example") != "source" for part in manifest["parts"] for value in part["inputs"])
    assert not (tmp_path / "attacked").exists()
