"""Checks that calls by name, with PyTorch's defaults, are proven equal to calls by position: `canonical_calls_in_torch.py
SUNDER_CLI`

Two programs call every overload of ATen. The first passes only required arguments. The second names all arguments, in reverse
order, with the defaults of PyTorch's schema object. `sunder-cli verify` must prove them the same, overload for overload. Exit 77
(skipped) without SUNDER_TORCH_PYTHON.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

from torch_test import status_elsewhere

UNTOLD = ("ScalarType", "MemoryFormat", "Layout", "Device")  # types whose values schema texts show as numbers


def is_told(argument) -> bool:
    """Whether the text of a schema determines the default: no numbers for dtypes, and no texts with escapes."""
    value = argument.default_value
    if isinstance(value, str):
        return value.isprintable() and '"' not in value and "\\" not in value
    return value is None or not any(word in str(argument.real_type) for word in UNTOLD)


def overloads() -> list:
    import torch
    found = []
    for schema in torch._C._jit_get_all_schemas():
        name = schema.name.removeprefix("aten::")
        if name == schema.name or "..." in str(schema) or not name.isidentifier():
            continue
        packet = getattr(torch.ops.aten, name, None)
        if packet is not None and (schema.overload_name or "default") in packet.overloads():
            found.append(schema)
    return found


def line(name: str, op: str, target: str, args: list, kwargs: list) -> dict:
    return {"k": "node", "g": "g0", "name": name, "op": op, "target": target, "args": args, "kwargs": kwargs}


def lines_of(schemas: list, by_name: bool) -> list[dict]:
    from fx_json import HEADER, value
    given, calls = [], []
    for number, schema in enumerate(schemas):
        args, kwargs = [], []
        for argument in schema.arguments:
            if argument.has_default_value():
                if by_name:
                    kwargs.insert(0, [argument.name, value(argument.default_value)])
                continue
            given.append(line(f"x{len(given)}", "placeholder", f"x{len(given)}", [], []))
            node = {"n": given[-1]["name"]}
            if by_name:
                kwargs.insert(0, [argument.name, node])
            elif argument.kwarg_only:
                kwargs.append([argument.name, node])
            else:
                args.append(node)
        name = schema.name.removeprefix("aten::")
        calls.append(
            line(f"c{number}", "call_function", f"torch.ops.aten.{name}.{schema.overload_name or 'default'}", args, kwargs))
    output = line("output", "output", "output", [[{"n": call["name"]} for call in calls]], [])
    nodes = [*given, *calls, output]
    return [HEADER, {"k": "graph", "id": "g0", "module": ""}, *nodes, {"k": "end", "nodes": len(nodes)}]


def verdict(cli: str, schemas: list) -> dict:
    """Returns the report of sunder-cli on both programs."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [pathlib.Path(folder) / name for name in ("a.fxj", "b.fxj")]
        for path, by_name in zip(paths, (False, True)):
            path.write_text("".join(json.dumps(one) + "\n" for one in lines_of(schemas, by_name)))
        done = subprocess.run([cli, "verify", *paths, "--json"], capture_output=True, text=True)
        return json.loads(done.stdout)


def unproven(cli: str, schemas: list) -> list[str]:
    """Returns the overloads that are not proven, by bisection."""
    said = verdict(cli, schemas)
    if said.get("verdict") == "same":
        return []
    if len(schemas) == 1:
        return [f"{schemas[0]}: {said.get('why', said)}"]
    half = len(schemas) // 2
    return unproven(cli, schemas[:half]) + unproven(cli, schemas[half:])


# : Their results depend on earlier writes or recordings, so verdicts on them are undecided.
HISTORY = ("aten::_version", "aten::_backward")


def main() -> int:
    elsewhere = status_elsewhere(sys.argv)
    if elsewhere is not None:
        return elsewhere
    known = overloads()
    told = [s for s in known if s.name not in HISTORY and all(is_told(a) for a in s.arguments if a.has_default_value())]
    failed = unproven(sys.argv[1], told)
    for one in failed[:40]:
        print("NOT PROVEN", one)
    print(f"{len(told)} overloads, {len(failed)} not proven; {len(known) - len(told)} omitted: the schema text does not determine a default")
    return 1 if failed or len(told) < 2000 else 0


if __name__ == "__main__":
    sys.exit(main())
