"""Checks that Python written by sunder-cli parses and never executes names of the model.

Programs of the cases and random ones get hostile texts in every field of a file. The exported code must parse, and its syntax tree
may contain only constructs of the writer: fixed helpers, imports of known packages, and in forward() calls of named functions,
never code from texts of the file.

    python_export_is_harmless.py SUNDER_CLI [PROGRAMS [SEED]]
"""
import ast
import glob
import json
import os
import random
import subprocess
import sys
import tempfile

HELPERS = {"holder", "tensor", "take", "found", "arguments", "held", "run", "split", "missing", "call", "foreign", "forward", "__init__"}
PACKAGES = {"torch", "torchvision", "torchaudio", "math", "cmath", "_operator", "operator", "typing", "functools", "itertools",
            "collections", "builtins", "__future__"}
PLAIN = {"Ellipsis", "NotImplemented", "abs", "all", "any", "bool", "bytes", "callable", "complex", "dict", "divmod", "enumerate",
         "filter", "float", "frozenset", "getattr", "hasattr", "hash", "id", "int", "isinstance", "issubclass", "iter", "len",
         "list", "map", "max", "min", "next", "object", "pow", "print", "property", "range", "repr", "reversed", "round", "set",
         "setattr", "slice", "sorted", "str", "sum", "super", "tuple", "type", "zip", "device"}
FORBIDDEN = {"eval", "exec", "compile", "__import__", "open", "breakpoint", "exit", "quit", "os", "sys", "subprocess", "system",
             "globals", "locals", "vars", "__globals__", "__builtins__", "__subclasses__", "popen"}
SYMBOLIC = {"Max", "Min", "Mod", "FloorDiv", "Eq", "Ne", "floor", "ceiling"}

HOSTILE = [
    "x=__import__('os').system('CANARY')", "CANARY()", "a\nimport os\nos.system('CANARY')", "a\rCANARY()", "');CANARY('",
    '");CANARY("', "\\", "a\\'", '"""', "'''\nCANARY()\n'''", "x: CANARY()", "x, *, y", "self", "*", "**", "***x", "*args", "**kw",
    "", " ", "0", "1x", "class", "None", "__debug__", "lambda: CANARY()", "é", "ﬁ", "a\u202eb", "a\x00b", "a\x1b[31mb", "\x7f",
    "\u2028CANARY()", "a.b", "a..b", ".", "a b", "a;CANARY()", "[CANARY() for _ in (1,)]", "{CANARY()}", "f'{CANARY()}'",
    "torch.os.system", "os.system", "subprocess.run", "builtins.eval", "eval", "exec", "__import__", "torch.hub.load", "breakpoint",
    "torch.Tensor.__class__", "_operator.iadd", "_operator.setitem", "_operator.getitem", "_operator.add", "getattr", "__main__.f.<locals>.g",
    "<function f at 0x7f>", "float16\nCANARY()", "float16; CANARY()", "cuda:0')+CANARY()+('", "cuda:007", "cuda:x", "s0*CANARY()",
    "s0 + (", "((((", "Max(1, s0)", "-" * 3000 + "1", "(" * 300 + ")" * 300, ".".join("a" * 3000), "0." * 250 + "0", "999999999999999999999999",
    "007", "1e", "typing.List[CANARY()]", "typing.Optional[int]", "typing.Callable[[int], str]", "int | None", "torch",
    "forward", "__self__.eval", "__class__.__mro__", "Model", "holder", "functools", "test.mul", "import", "print", "x_1", "_", "__x", "CANARY",
]


def hostile(rng):
    text = rng.choice(HOSTILE)
    return text if rng.random() < 0.8 else text + rng.choice(HOSTILE)


def value(rng, names, depth=0):
    kinds = ["name", "text", "number", "list", "tuple", "dict", "nt", "slice", "range", "f", "i", "c", "dtype", "device", "layout",
             "mf", "fn", "sym", "const", "obj", "repr", "ellipsis", "node", "node", "deep"]
    kind = rng.choice(kinds if depth < 3 else kinds[:3])
    more = lambda: value(rng, names, depth + 1)
    some = lambda: [more() for _ in range(rng.randrange(4))]
    text = hostile(rng)
    if kind == "node":
        return {"n": rng.choice(names)} if names else None
    if kind == "deep":
        deep = 1
        for _ in range(rng.choice([10, 40, 50])):
            deep = [deep]
        return deep
    simple = {"name": text, "text": text, "number": rng.choice([0, -1, 1.5, True, None]), "nt": {"nt": [text, ["a"], [1]]},
              "range": {"range": [0, 5, rng.choice([1, 2])]}, "f": {"f": rng.choice(["inf", "-inf", "nan"])},
              "i": {"i": "-123456789012345678901234567890"}, "c": {"c": [1.0, -2.0]}, "dtype": {"dtype": text},
              "device": {"device": text}, "layout": {"layout": text}, "mf": {"mf": text}, "fn": {"fn": text},
              "sym": {"sym": text, "hint": 3}, "const": {"const": text}, "obj": {"obj": text, "cls": text},
              "repr": {"repr": text, "cls": text}, "ellipsis": {"ellipsis": 1}}
    if kind in simple:
        return simple[kind]
    if kind == "list":
        return some()
    if kind == "tuple":
        return {"t": some()}
    if kind == "dict":
        return {"d": [[rng.choice([text, 1]), more()] for _ in range(rng.randrange(3))]}
    return {"slice": [None, more(), None]}


def node(rng, name, op, target, names, **more):
    line = {"k": "node", "g": "g0", "name": name, "op": op, "target": target,
            "args": [value(rng, names) for _ in range(rng.randrange(4))],
            "kwargs": [[hostile(rng), value(rng, names)] for _ in range(rng.randrange(3))]}
    line.update(more)
    if rng.random() < 0.3:
        line["type"] = hostile(rng)
    if rng.random() < 0.3:
        line["tag"] = hostile(rng)
    return line


def random_program(rng):
    lines = [{"k": "fx-json", "v": [1, 0], "min": [1, 0], "torch": hostile(rng), "source": {"file": hostile(rng)}}]
    lines.append({"k": "module", "path": "", "cls": hostile(rng)})
    for path in sorted({hostile(rng) for _ in range(3)}):
        if path and all(path.split(".")) and path.count(".") < 100:
            lines.append({"k": "module", "path": path, "cls": hostile(rng), "leaf": rng.random() < 0.7})
    for fqn in sorted({hostile(rng) for _ in range(2)}):
        if fqn and all(fqn.split(".")) and fqn.count(".") < 100:
            lines.append({"k": "tensor", "fqn": fqn, "role": "parameter", "persistent": True, "requires_grad": True, "dtype": hostile(rng),
                          "shape": [2], "stride": [1], "offset": 0, "device": "cpu", "layout": "strided"})
    lines.append({"k": "graph", "id": "g0", "module": ""})
    names, nodes = [], []
    for i in range(rng.randrange(1, 5)):
        name = hostile(rng) + (str(i) if rng.random() < 0.7 else "")
        if name in names:
            continue
        default = [value(rng, [])] if rng.random() < 0.4 else []
        nodes.append(node(rng, name, "placeholder", rng.choice([name, hostile(rng)]), names, args=default, kwargs=[]))
        names.append(name)
    for i in range(rng.randrange(1, 8)):
        name = hostile(rng) + "n%d" % i
        op = rng.choice(["get_attr", "call_function", "call_function", "call_module", "call_method"])
        nodes.append(node(rng, name, op, hostile(rng), names, **({"args": [], "kwargs": []} if op == "get_attr" else {})))
        names.append(name)
    nodes.append(node(rng, "output", "output", "output", names, args=[value(rng, names)], kwargs=[]))
    lines += nodes
    if any("tag" in line for line in nodes):
        lines.append({"k": "tags", "order": sorted({line["tag"] for line in nodes if "tag" in line}), "color": {}})
    lines.append({"k": "end", "nodes": len(nodes)})
    return lines


def spoiled(rng, lines):
    """Returns a real program in which one kind of text is replaced, in all places or in one."""
    lines = json.loads(json.dumps(lines))
    keys = ["target", "type", "cls", "dtype", "device", "layout", "mf", "fn", "sym", "repr", "const", "obj", "tag", "file"]
    chosen = rng.sample(keys, 3)

    def walk(item):
        if isinstance(item, dict):
            for key, inner in item.items():
                if key in chosen and isinstance(inner, str) and rng.random() < 0.3 and item.get("op") != "output":
                    item[key] = hostile(rng)
                else:
                    walk(inner)
        elif isinstance(item, list):
            for inner in item:
                walk(inner)

    walk(lines)
    return lines


def root_of(tree):
    while isinstance(tree, (ast.Attribute, ast.Call, ast.Subscript)):
        tree = tree.func if isinstance(tree, ast.Call) else tree.value
    return tree


def complaints(source):
    tree = ast.parse(source)
    compile(source, "exported.py", "exec")
    names = set(HELPERS) | PLAIN | SYMBOLIC | {"RuntimeError", "ValueError"}
    for item in ast.walk(tree):
        if isinstance(item, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in item.names}
        if isinstance(item, ast.ClassDef):
            names.add(item.name)
    names |= {item.targets[0].id for item in tree.body if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name)}
    for item in tree.body:
        if isinstance(item, (ast.ImportFrom, ast.Import)):
            module = item.module if isinstance(item, ast.ImportFrom) else item.names[0].name
            if module.split(".")[0] not in PACKAGES:
                yield f"imports {module} when it is read"
        elif isinstance(item, ast.Assign):
            ok = isinstance(item.value, (ast.Constant, ast.List, ast.Dict, ast.Attribute)) or \
                isinstance(item.value, ast.Call) and getattr(item.value.func, "id", "") in {"missing", "type"}
            if not ok or any(isinstance(i, ast.Call) and getattr(i.func, "id", "") not in {"missing", "type"} for i in ast.walk(item)):
                yield f"computes at the top: {ast.unparse(item)[:200]}"
        elif isinstance(item, ast.FunctionDef):
            if item.name not in HELPERS:
                yield f"defines {item.name}"
        elif isinstance(item, ast.ClassDef):
            for part in item.body:
                if not (isinstance(part, ast.FunctionDef) and part.name in HELPERS
                        or isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)):
                    yield f"a class holds {ast.unparse(part)[:200]}"
        elif not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant) or isinstance(item, ast.If)):
            yield f"says {ast.unparse(item)[:200]}"
    script = [item for item in tree.body if isinstance(item, ast.If)]
    inside_script = {id(part) for item in script for part in ast.walk(item)}
    for item in ast.walk(tree):
        if id(item) in inside_script:
            continue
        # Attributes of modules and values belong to the graph; those of PyTorch and Python do not.
        if isinstance(item, ast.Call):
            chain, parts = item.func, []
            while isinstance(chain, ast.Attribute):
                parts.append(chain.attr)
                chain = chain.value
            if set(parts) & {"__self__", "__globals__", "__class__", "__subclasses__", "__builtins__"}:
                yield f"calls {ast.unparse(item.func)[:200]}"
            if isinstance(chain, ast.Name) and chain.id in (names - PLAIN) | {"torch"} and set(parts) & FORBIDDEN:
                yield f"calls {ast.unparse(item.func)[:200]}"
        if isinstance(item, (ast.Lambda, ast.Await, ast.Yield, ast.Delete, ast.Exec if hasattr(ast, "Exec") else ast.Lambda)):
            yield f"has {ast.unparse(item)[:200]}"
        if isinstance(item, ast.FunctionDef):
            for default in item.args.defaults + [d for d in item.args.kw_defaults if d]:
                for part in ast.walk(default):
                    if isinstance(part, ast.Call) and getattr(part.func, "id", "") not in {"device", "slice", "range", "getattr"}:
                        yield f"a default value calls {ast.unparse(part)[:200]}"
        if isinstance(item, ast.FunctionDef) and item.name == "forward":
            arguments = item.args
            locals_ = {a.arg for a in arguments.args + arguments.kwonlyargs + arguments.posonlyargs}
            locals_ |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a}
            locals_ |= {n.id for n in ast.walk(item) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            for part in ast.walk(item):
                if isinstance(part, ast.Name) and part.id in FORBIDDEN and part.id not in locals_:
                    yield f"names {part.id}"
                if isinstance(part, ast.Call):
                    root = root_of(part.func)
                    if isinstance(root, ast.Name) and root.id not in names | locals_ | {"torch", "self"}:
                        yield f"calls {ast.unparse(part)[:200]}"


def export(cli, folder, lines):
    path = os.path.join(folder, "in.fxj")
    with open(path, "w", encoding="utf-8", errors="surrogatepass") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=True) + "\n")
    out = os.path.join(folder, "out.py")
    if os.path.exists(out):
        os.unlink(out)
    done = subprocess.run([cli, "convert", path, out, "--quiet"], capture_output=True, timeout=120)
    return out if done.returncode == 0 else None, done


def main():
    cli = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    rng = random.Random(seed)
    here = os.path.dirname(os.path.abspath(__file__))
    cases = []
    for path in sorted(glob.glob(os.path.join(here, "../../cases/*/*/*.fxj")) + glob.glob(os.path.join(here, "../../cases/*/*.fxj"))):
        if os.path.getsize(path) < 200_000:
            with open(path, encoding="utf-8") as file:
                cases.append([json.loads(line) for line in file if line.strip()])
    written = refused = unread = bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            lines = spoiled(rng, rng.choice(cases)) if cases and number % 3 == 0 else random_program(rng)
            out, done = export(cli, folder, lines)
            if any(c < 32 and c != 10 or 127 <= c < 128 for c in done.stderr + done.stdout):
                bad += 1
                print(f"program {number}: raw control characters in the output: {done.stderr[:300]!r}")
            if out is None:
                if done.returncode == 1:
                    refused += 1
                elif done.returncode == 3:
                    unread += 1
                    if os.environ.get("SUNDER_KEEP"):
                        print(f"program {number} is not read: {done.stderr.decode().strip()[:300]}")
                else:
                    bad += 1
                    print(f"program {number}: status {done.returncode}: {done.stderr[-500:]!r}")
                continue
            written += 1
            with open(out, "rb") as file:
                source = file.read()
            try:
                found = list(complaints(source))
                if any(c < 32 and c != 10 or c == 127 for c in source) or any(c in source.decode() for c in "\u202e\u2028\x85\x9b"):
                    found.append("holds raw control characters")
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                found = [f"does not parse: {error}"]
            if found:
                bad += 1
                keep = f"bad-{seed}-{number}"
                if os.environ.get("SUNDER_KEEP"):
                    os.replace(out, os.path.join(os.environ["SUNDER_KEEP"], keep + ".py"))
                    os.replace(os.path.join(folder, "in.fxj"), os.path.join(os.environ["SUNDER_KEEP"], keep + ".fxj"))
                print(f"program {number}: " + "; ".join(found[:3]))
    print(f"{count} programs: {written} written and harmless except for {bad}, {refused} refused by name, {unread} not read")
    return 1 if bad or written < count // 3 else 0


if __name__ == "__main__":
    sys.exit(main())
