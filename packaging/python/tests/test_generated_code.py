"""Names from files in the Python code of torch.fx: names that are rendered correctly are accepted, and no other code runs."""

from __future__ import annotations

import ast
import json
import pathlib
from typing import Any

import pytest
import torch

import sunder
from sunder.fxjson import code_text

HEADER = {"k": "fx-json", "v": [1, 0], "min": [1, 0]}
X = {"name": "x", "op": "placeholder", "target": "x", "args": []}
OUTPUT = {"name": "output", "op": "output", "target": "output", "args": [{"n": "f"}]}
SILLY = ["it's", "a b", "x/y", "größe", "1st", "{x}", "%s", "#", "# COUNT", "a;b", "(", "\t", "\x0c", "\u2028", "'''", "_", "match"]
#: Each would end a literal, a line, or the source, be a keyword or another name, or be dropped as a comment of torch.fx.
BREAKING = [
    'a"b',
    "a\\",
    "a\nb",
    "a\rb",
    "a\0b",
    "\ud800",
    "class",
    "None",
    "ﬁ",
    "x# COUNTER: 0",
    '", None) or print("',
    "a\"); import os; (\"",
]


def load(path: pathlib.Path, *nodes: dict[str, Any], lines: tuple[dict[str, Any], ...] = ()) -> torch.fx.GraphModule:
    body = [{"k": "node", "g": "g0", "kwargs": [], **node} for node in (*nodes, OUTPUT)]
    every = [HEADER, *lines, {"k": "graph", "id": "g0", "module": ""}, *body, {"k": "end", "nodes": len(body)}]
    (path / "model.fxj").write_text("".join(json.dumps(line) + "\n" for line in every), encoding="utf-8")
    loaded = sunder.load(path / "model.fxj")
    assert isinstance(loaded, torch.fx.GraphModule)
    return loaded


def call(target: str, *args: Any, **kwargs: Any) -> dict[str, Any]:
    return {"name": "f", "op": "call_function", "target": target, "args": list(args), "kwargs": list(kwargs.items())}


def read(op: str, target: str) -> dict[str, Any]:
    return {"name": "f", "op": op, "target": target, "args": [{"n": "x"}] if op == "call_module" else []}


def module(path: str) -> dict[str, Any]:
    return {"k": "module", "path": path, "cls": "torch.nn.modules.activation.ReLU", "leaf": True, "fields": {"inplace": False}}


def buffer(name: str) -> dict[str, Any]:
    return {"k": "tensor", "fqn": name, "role": "buffer", "dtype": "float32", "shape": [1]}


@pytest.mark.parametrize("name", SILLY)
def test_names_that_torch_renders_are_names_of_modules_and_tensors(name: str, tmp_path: pathlib.Path) -> None:
    x = torch.tensor([-1.0, 2.0])
    inner = [module("m"), module(f"m.{name}")]
    made = load(tmp_path, X, read("call_module", f"m.{name}"), lines=(*inner, module(name)))
    assert torch.equal(made(x), x.relu())
    with pytest.warns(sunder.WithoutWeights):
        assert load(tmp_path, X, read("get_attr", name), lines=(buffer(name),))(x) is not None
    again = sunder.save(made, tmp_path / "again.fxj")
    assert torch.equal(sunder.load(tmp_path / "again.fxj")(x), again(x))


@pytest.mark.parametrize("name", SILLY)
def test_names_are_as_torch_itself_runs_them(name: str, tmp_path: pathlib.Path) -> None:
    root = torch.nn.Module()
    root.add_module(name, torch.nn.Linear(2, 2))
    graph = torch.fx.Graph()
    graph.output(graph.call_module(name, (graph.placeholder("x"),)))
    source, x = torch.fx.GraphModule(root, graph), torch.randn(3, 2)
    sunder.save(source, tmp_path / "model.fxj")
    assert torch.equal(sunder.load(tmp_path / "model.fxj")(x), source(x))


@pytest.mark.parametrize("op", ["get_attr", "call_module"])
@pytest.mark.parametrize("name", BREAKING)
def test_names_that_would_be_other_code_are_refused(name: str, op: str, tmp_path: pathlib.Path) -> None:
    for path in (name, f"m.{name}"):
        line = buffer(path) if op == "get_attr" else module(path)
        with pytest.raises(sunder.SunderError, match="is not valid in generated code") as error:
            load(tmp_path, X, read(op, path), lines=(module("m"), line))
        assert error.value.node == "f"


def test_accepted_paths_are_rendered_as_reads_of_their_parts() -> None:
    """Latin characters, spaces, ligatures, and a sample of all others: alone, at either end, and between letters."""
    accepted = 0
    for code in (*range(0x600), *range(0x2000, 0x2070), *range(0xFB00, 0xFB10), *range(0xDFF0, 0xE010), *range(0, 0x110000, 997)):
        for name in (chr(code), f"{chr(code)}a", f"a{chr(code)}", f"a{chr(code)}1", f"a{chr(code)}.{chr(code)}b"):
            try:
                code_text.check_path(name)
            except sunder.SunderError:
                continue
            accepted += 1
            for text in (torch.fx.graph._format_target("self", name), code_text.path_text("self", name)):
                assert _parts(ast.parse(text, mode="eval").body) == ["self", *name.split(".")]
    assert accepted > 12_000


def _parts(node: ast.expr) -> list[str]:
    """The chain of attributes that an expression reads."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Attribute):
        return [*_parts(node.value), node.attr]
    assert isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr" and not node.keywords
    owner, name = node.args
    assert isinstance(name, ast.Constant)
    return [*_parts(owner), name.value]


@pytest.mark.parametrize("target", ["class", "***y", "y=1", "y: print(1)", "y)", "*", "ﬁ", "y, z"])
def test_inputs_are_called_by_names(target: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="which is not a valid Python name"):
        load(tmp_path, X, {"name": "f", "op": "placeholder", "target": target, "args": []})


def test_inputs_of_one_name_are_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="duplicate argument 'x'"):
        load(tmp_path, X, {"name": "f", "op": "placeholder", "target": "x", "args": []})


@pytest.mark.parametrize("name", ["other=print(1), alpha", "alpha ", "class", "a.b", "", "ﬁ", "alpha=1, **{'a': 1}, b"])
def test_keyword_arguments_are_names(name: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="which is not a valid Python name"):
        load(tmp_path, X, call("torch.add", {"n": "x"}, 1, **{name: 1}))


def test_text_with_which_torch_would_drop_the_call_is_refused(tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="omit the line"):
        load(tmp_path, X, call("torch._assert", False, "no # COUNTER: 1"))
    with pytest.raises(sunder.SunderError, match="omit the line"):
        load(tmp_path, X, call("torch.add", {"n": "x"}, {"d": [["# COUNTER: 7", 1]]}))


@pytest.mark.parametrize(
    ("op", "path", "lines"),
    [
        ("get_attr", "__init__.__globals__", ()),
        ("get_attr", "__class__", ()),
        ("get_attr", "forward", ()),
        ("get_attr", "_code", ()),
        ("get_attr", "_in_spec", ()),
        ("get_attr", "graph.python_code", ()),
        ("get_attr", "b.data", (buffer("b"),)),
        ("call_module", "to_folder", ()),
        ("call_module", "to_folder", (module("to_folder"),)),
        ("call_module", "m.register_forward_hook", (module("m"),)),
        ("call_module", "m.extra_repr", (module("m"), module("m.extra_repr"))),
        ("get_attr", "state_dict", (buffer("state_dict"),)),
    ],
)
def test_graph_reads_what_its_file_declares(op: str, path: str, lines: Any, tmp_path: pathlib.Path) -> None:
    """Methods of modules write files and run hooks; attributes of Python give access to everything that is loaded."""
    with pytest.raises(sunder.SunderError, match="an attribute of PyTorch's modules, not of the file"):
        load(tmp_path, X, read(op, path), lines=lines)


def test_state_of_a_signature_is_what_its_file_declares(tmp_path: pathlib.Path) -> None:
    spec = '[1,{"type":"builtins.tuple","context":"null","children_spec":[{"type":"builtins.tuple","context":"null","children_spec":[]},{"type":"builtins.dict","context":"[]","children_spec":[]}]}]'
    lines = (
        {"k": "sig", "g": "g0", "inputs": [{"buffer": "__init__.__globals__", "n": "x"}], "outputs": [{"user": {"n": "f"}}]},
        {"k": "call", "fqn": "", "in_spec": spec, "out_spec": None},
    )
    with pytest.raises(sunder.SunderError, match="'__init__' is an attribute"):
        load(tmp_path, X, call("torch.relu", {"n": "x"}), lines=lines)


@pytest.mark.parametrize("name", ["tofile", "dump", "to_folder", "load_state_dict", "_code", "__class__", "fromhex", "a b", "class"])
def test_methods_that_a_graph_may_not_call_are_not_read(name: str, tmp_path: pathlib.Path) -> None:
    """max(["FILE"], key=METHOD) would call them."""
    with pytest.raises(sunder.SunderError, match="which a file may not read|not a valid Python name"):
        load(tmp_path, X, call("getattr", {"n": "x"}, name))


@pytest.mark.parametrize("name", ["shape", "dtype", "device", "T", "values", "first", "type", "start"])
def test_facts_and_fields_are_read(name: str, tmp_path: pathlib.Path) -> None:
    assert load(tmp_path, X, call("getattr", {"n": "x"}, name)).graph is not None


@pytest.mark.parametrize("method", ["__call__", "format", "format_map", "tofile", "__getattribute__", "add; import os"])
def test_methods_that_do_more_than_compute_are_refused(method: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="which a file may not call"):
        load(tmp_path, X, {"name": "f", "op": "call_method", "target": method, "args": [{"n": "x"}]})


@pytest.mark.parametrize("symbol", ["((((2**64)**64)**64)**64)", "2**65", "LShift(1, 1000000)", "1 << 99999", "x.y", "f'{1}'"])
def test_sizes_that_take_long_are_refused(symbol: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="that cannot be read"):
        load(tmp_path, X, call("torch.zeros", [{"sym": symbol}]))


@pytest.mark.parametrize("name", ["graph", "_graph", "_code", "_in_spec"])
def test_tensors_and_modules_that_hide_the_graph_are_refused(name: str, tmp_path: pathlib.Path) -> None:
    for line in (buffer(name), module(name), {**buffer(name), "role": "constant"}, {**buffer(name), "role": "parameter"}):
        with pytest.raises(sunder.SunderError, match="an attribute of PyTorch's graph modules"):
            load(tmp_path, X, call("torch.relu", {"n": "x"}), lines=(line,))


@pytest.mark.parametrize("function", ["operator.__getattribute__", "math.__class__", "torch.__class__", "torch.nn.functional.__init__"])
def test_private_functions_are_refused(function: str, tmp_path: pathlib.Path) -> None:
    with pytest.raises(sunder.SunderError, match="not a function of PyTorch"):
        load(tmp_path, X, call(function, {"n": "x"}))


def test_messages_are_of_one_line(tmp_path: pathlib.Path) -> None:
    for line in (module("a\nb\x1b."), {**buffer("a\nb\x1b"), "same": "nope\n"}):
        with pytest.raises(sunder.SunderError) as error:
            load(tmp_path, X, call("torch.relu", {"n": "x"}), lines=(line,))
        assert str(error.value).isprintable()
    with pytest.raises(sunder.SunderError) as error:
        load(tmp_path, {**X, "name": "x\ny"}, call("torch.relu", {"n": "x\ny"}))
    assert str(error.value).isprintable()


@pytest.mark.parametrize("text", ["it's", 'a"b', "a\nb", "\\", "'); import os; ('", "{x}", "\u2028", "\ud800"])
def test_constants_are_literals_of_the_code(text: str, tmp_path: pathlib.Path) -> None:
    leaf = '{"type":null,"context":null,"children_spec":[]}'
    positional = f'{{"type":"builtins.tuple","context":"null","children_spec":[{leaf},{leaf}]}}'
    keywords = '{"type":"builtins.dict","context":"[]","children_spec":[]}'
    spec = f'[1,{{"type":"builtins.tuple","context":"null","children_spec":[{positional},{keywords}]}}]'
    lines = (
        {"k": "sig", "g": "g0", "inputs": [{"user": {"n": "x"}}, {"user": text}], "outputs": [{"user": {"n": "f"}}]},
        {"k": "call", "fqn": "", "in_spec": spec, "out_spec": None, "arg_names": ["x", "y"]},
    )
    made = load(tmp_path, X, {**X, "name": "y", "target": "y"}, call("torch.relu", {"n": "x"}), lines=lines)
    assert torch.equal(made(torch.ones(2), text)[0], torch.ones(2))
    with pytest.raises(RuntimeError, match="to be equal to"):
        made(torch.ones(2), text + "b")
