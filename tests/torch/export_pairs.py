"""Pairs of exports of a model before and after a change, with known correspondence of ops.

Every computing line of a `forward` here ends in a mark, `#@name`, and every module has a `uid` that does not change when it is
renamed or moved. The identity of an op is the uids of its modules and the marks of the lines that led to it. Sunder sees neither:
marks are read from the stack traces, and uids are not exported.
"""

import copy
import json
import pathlib
import re
import sys

WIDTH = 16
THIS = __file__


def marked(torch, module, uid):
    module.uid = uid
    return module


def parts(torch):
    """The classes that models are made of. Each takes a dict of changes."""
    nn, F = torch.nn, torch.nn.functional

    class Block(nn.Module):
        """A transformer's block: norms, heads, an MLP, residuals."""

        def __init__(self, uid, change=()):
            super().__init__()
            self.uid, self.change = uid, set(change)
            q, k, v = ("wq", "wk", "wv") if "renamed heads" in self.change else ("q", "k", "v")
            self.norm1 = marked(torch, nn.LayerNorm(WIDTH), f"{uid}.norm1")
            for name, part in zip((q, k, v), "qkv"):
                setattr(self, name, marked(torch, nn.Linear(WIDTH, WIDTH), f"{uid}.{part}"))
            self.heads = (q, k, v)
            self.out = marked(torch, nn.Linear(WIDTH, WIDTH), f"{uid}.out")
            second = "ln_2" if "renamed norm" in self.change else "norm2"
            setattr(self, second, marked(torch, nn.LayerNorm(WIDTH), f"{uid}.norm2"))
            self.second = second
            self.fc1 = marked(torch, nn.Linear(WIDTH, 2 * WIDTH), f"{uid}.fc1")
            self.fc2 = marked(torch, nn.Linear(2 * WIDTH, WIDTH), f"{uid}.fc2")
            if "act as module" in self.change:
                self.act = marked(torch, nn.ReLU(), uid)  # the same op, wherever it runs

        def forward(self, x):
            h = self.norm1(x)  #@norm1
            q, k, v = (getattr(self, name) for name in self.heads)
            b, n, _ = h.shape
            q = q(h)  #@q
            if "scaled early" in self.change:
                q = q * 0.5  #@+early
            q = q.view(b, n, 4, -1)  #@qview
            q = q.transpose(1, 2)  #@qt
            k = k(h)  #@k
            k = k.view(b, n, 4, -1)  #@kview
            k = k.transpose(1, 2)  #@kt
            v = v(h)  #@v
            v = v.view(b, n, 4, -1)  #@vview
            v = v.transpose(1, 2)  #@vt
            w = q @ k.transpose(2, 3)  #@scores
            w = w * 0.25  #@scale
            if "clamped" in self.change:
                w = w.clamp(-5, 5)  #@+clamp
            w = F.softmax(w, dim=-1)  #@softmax
            h = (w @ v).transpose(1, 2).reshape(b, n, -1)  #@mix
            h = self.out(h)  #@out
            if "second add" in self.change:
                h = h + 1.0  #@+add
            x = x + h  #@res1
            h = getattr(self, self.second)(x)  #@norm2
            h = self.fc1(h)  #@fc1
            if "gelu" in self.change:
                h = F.gelu(h)  #@+gelu
            elif "act as module" in self.change:
                h = self.act(h)  #@act
            else:
                h = F.relu(h)  #@act
            if "relu twice" in self.change:
                h = F.relu(h)  #@+again
            h = self.fc2(h)  #@fc2
            if "dropped residual" in self.change:
                return h
            return x + h  #@res2

    class Routed(nn.Module):
        def __init__(self, uid, count=3):
            super().__init__()
            self.uid = uid
            self.router = marked(torch, nn.Linear(WIDTH, count), f"{uid}.router")
            self.experts = nn.ModuleList(
                marked(torch, nn.Sequential(marked(torch, nn.Linear(WIDTH, WIDTH), f"{uid}.e{i}.in"),
                                            marked(torch, nn.SiLU(), f"{uid}.e{i}.act"),
                                            marked(torch, nn.Linear(WIDTH, WIDTH), f"{uid}.e{i}.out")), f"{uid}.e{i}")
                for i in range(count))

        def forward(self, x):
            share = F.softmax(self.router(x), dim=-1)  #@share
            total = torch.zeros_like(x)  #@zero
            for i, expert in enumerate(self.experts):
                total = total + expert(x) * share[..., i:i + 1]  #@expert
            return x + total  #@res

    class Model(nn.Module):
        """Blocks, some with routed experts, between an embedding and a head."""

        def __init__(self, uids, change=None, routed=()):
            super().__init__()
            self.uid = "model"
            change = change or {}
            self.change = set(change.get("model", ()))
            self.embed = marked(torch, nn.Embedding(50, WIDTH), "embed")
            blocks = [Routed(u) if u in routed else Block(u, change.get(u, change.get("all", ()))) for u in uids]
            self.list = change.get("list", "layers")
            setattr(self, self.list, nn.ModuleList(blocks))
            self.norm = marked(torch, nn.LayerNorm(WIDTH), "norm")
            head = "lm_head" if "renamed head" in self.change else "head"
            setattr(self, head, marked(torch, nn.Linear(WIDTH, 50), "head"))
            self.last = head

        def forward(self, ids):
            x = self.embed(ids)  #@embed
            if "scaled" in self.change:
                x = x * 4.0  #@+scaled
            for block in getattr(self, self.list):
                x = block(x)  #@block
            x = self.norm(x)  #@norm
            return getattr(self, self.last)(x)  #@head

    class Wrapped(nn.Module):
        def __init__(self, inner):
            super().__init__()
            self.model = inner

        def forward(self, ids):
            return torch.tanh(self.model(ids))  #@+tanh

    class Residual(nn.Module):
        def __init__(self, uid, channels, out, change=()):
            super().__init__()
            self.uid, self.change = uid, set(change)
            self.conv1 = marked(torch, nn.Conv2d(channels, out, 3, padding=1), f"{uid}.conv1")
            self.bn1 = marked(torch, nn.BatchNorm2d(out), f"{uid}.bn1")
            self.relu = marked(torch, nn.GELU() if "gelu" in self.change else nn.ReLU(), f"{uid}.relu")
            self.conv2 = marked(torch, nn.Conv2d(out, out, 3, padding=1), f"{uid}.conv2")
            self.bn2 = marked(torch, nn.BatchNorm2d(out), f"{uid}.bn2")
            self.down = marked(torch, nn.Conv2d(channels, out, 1), f"{uid}.down")

        def forward(self, x):
            h = self.conv1(x)  #@conv1
            h = self.bn1(h)  #@bn1
            if "gelu" in self.change:
                h = self.relu(h)  #@+gelu1
            else:
                h = self.relu(h)  #@relu1
            h = self.conv2(h)  #@conv2
            if "no second norm" not in self.change:
                h = self.bn2(h)  #@bn2
            h = h + self.down(x)  #@res
            if "gelu" in self.change:
                return self.relu(h)  #@+gelu2
            return self.relu(h)  #@relu2

    class Vision(nn.Module):
        def __init__(self, plan, change=None):
            super().__init__()
            self.uid = "vision"
            change = change or {}
            items, channels = [], 3
            for uid, out in plan:
                items.append(Residual(uid, channels, out, change.get(uid, change.get("all", ()))))
                channels = out
            self.stages = nn.Sequential(*items)
            self.stages.uid = "stages"
            self.head = marked(torch, nn.Linear(channels, 10), "head")

        def forward(self, x):
            x = self.stages(x)  #@stages
            x = x.mean((2, 3))  #@mean
            return self.head(x)  #@head

    class EncoderDecoder(nn.Module):
        def __init__(self, encoder, decoder, names=("encoder", "decoder"), change=None):
            super().__init__()
            self.uid = "both"
            change = change or {}
            self.names = names
            for name, uids in zip(names, (encoder, decoder)):
                setattr(self, name, nn.ModuleList(Block(u, change.get(u, ())) for u in uids))
            self.embed = marked(torch, nn.Embedding(50, WIDTH), "embed")
            self.mix = marked(torch, nn.Linear(2 * WIDTH, WIDTH), "mix")

        def forward(self, ids):
            x = self.embed(ids)  #@embed
            memory = x
            for block in getattr(self, self.names[0]):
                memory = block(memory)  #@encoder
            x = torch.cat((x, memory), dim=-1)  #@cat
            x = self.mix(x)  #@mix
            for block in getattr(self, self.names[1]):
                x = block(x)  #@decoder
            return x

    class Mlp(nn.Module):
        """Plain linear layers and activations in a Sequential, which renumbers its members."""

        def __init__(self, plan):
            super().__init__()
            self.uid = "mlp"
            self.net = nn.Sequential(*(marked(torch, make(), uid) for uid, make in plan))
            self.net.uid = "net"

        def forward(self, x):
            return self.net(x)  #@net

    return locals()


def with_weights_of(old, new):
    """Returns a copy of the new module with the weights of modules with the same uid in the old one."""
    new = copy.deepcopy(new)
    known = {part.uid: part for part in old.modules() if hasattr(part, "uid")}
    for part in new.modules():
        before = known.get(getattr(part, "uid", None))
        for name, weight in part.named_parameters(recurse=False) if before is not None else ():
            weight.data.copy_(getattr(before, name).data)
    return new


def pairs(torch):
    """By name: (old module, new module, arguments, decomposed: old, new)."""
    nn = torch.nn
    p = parts(torch)
    Model, Vision, Both, Mlp, Wrapped = p["Model"], p["Vision"], p["EncoderDecoder"], p["Mlp"], p["Wrapped"]
    ids = torch.randint(0, 50, (2, 8))
    image = torch.randn(2, 3, 8, 8)
    other_ids, other_image = torch.randint(0, 50, (3, 12)), torch.randn(5, 3, 16, 16)
    blocks = [f"b{i}" for i in range(6)]
    plan = [("s0", 8), ("s1", 8), ("s2", 16), ("s3", 16)]

    def model(uids=blocks, routed=(), **change):
        return Model(uids, {key.replace("_", " ") if key != "list" else key: value for key, value in change.items()}, routed)

    def linear(uid, a, b):
        return uid, lambda: nn.Linear(a, b)

    def relu(uid):
        return uid, nn.ReLU

    chain = [linear("l0", 16, 32), relu("r0"), linear("l1", 32, 16), relu("r1"), linear("l2", 16, 8)]
    alike = [item for i in range(5) for item in (linear(f"l{i}", 16, 16), relu(f"r{i}"))]
    vector = torch.randn(2, 16)
    with_layer = blocks[:2] + ["n"] + blocks[2:]
    base, vision = model(), Vision(plan)  # exported once
    found = {
        "nothing changed": (base, model(), ids),
        "op inserted in the model": (base, model(model=["scaled"]), ids),
        "op inserted in every layer": (base, model(all=["clamped"]), ids),
        "op inserted in one layer": (base, model(b2=["clamped"]), ids),
        "equal op inserted before its like": (base, model(all=["scaled early"]), ids),
        "equal add inserted": (base, model(all=["second add"]), ids),
        "same activation twice": (base, model(b3=["relu twice"]), ids),
        "activation replaced": (base, model(all=["gelu"]), ids),
        "activation becomes a module": (base, model(all=["act as module"]), ids),
        "residual dropped": (base, model(b4=["dropped residual"]), ids),
        "layer added at the end": (base, model(blocks + ["n"]), ids),
        "layer added in the middle": (base, model(with_layer), ids),
        "layer added at the front": (base, model(["n"] + blocks), ids),
        "layer removed": (base, model(blocks[:3] + blocks[4:]), ids),
        "two layers added": (base, model(["n"] + blocks[:4] + ["m"] + blocks[4:]), ids),
        "layer added and op inserted": (base, model(with_layer, all=["clamped"]), ids),
        "another layer added": (base, model(blocks[:3] + ["x"] + blocks[3:], routed=("x",)), ids),
        "experts, layer added": (model(routed=("b1", "b3")), model(with_layer, routed=("b1", "b3")), ids),
        "renamed list": (base, model(list="blocks"), ids),
        "renamed heads and norm": (base, model(all=["renamed heads", "renamed norm"], model=["renamed head"]), ids),
        "renamed list, layer added": (base, model(with_layer, list="blocks"), ids),
        "wrapped in a module": (base, Wrapped(model()), ids),
        "encoder grows": (Both(blocks[:3], ["d0", "d1", "d2"]), Both(blocks[:4], ["d0", "d1", "d2"]), ids),
        "encoder and decoder renamed": (Both(blocks[:3], ["d0", "d1"]), Both(blocks[:3], ["d0", "d1"], ("enc", "dec")), ids),
        "convolutions, one added": (vision, Vision(plan[:1] + [("n", 8)] + plan[1:]), image),
        "convolutions, one removed": (vision, Vision(plan[:3]), image),
        "convolutions, norm left out": (vision, Vision(plan, {"s2": ["no second norm"]}), image),
        "convolutions, activation replaced": (vision, Vision(plan, {"all": ["gelu"]}), image),
        "sequence renumbered": (Mlp(chain), Mlp([linear("n", 16, 16)] + chain), vector),
        "alike sequence grows": (Mlp(alike), Mlp(alike[:4] + [linear("n", 16, 16), relu("m")] + alike[4:]), vector),
        "alike sequence shrinks": (Mlp(alike), Mlp(alike[2:]), vector),
        "another batch": (base, model(), ids, ids[:1]),
        "another batch and length": (base, model(), ids, other_ids),
        "another batch, op inserted": (base, model(all=["clamped"]), ids, other_ids),
        "another batch, layer added": (base, model(with_layer), ids, other_ids),
        "another batch, layer of its own": (base, model(blocks[:3] + ["x"] + blocks[3:], routed=("x",)), ids, other_ids),
        "another batch, encoder grows": (Both(blocks[:3], ["d0", "d1", "d2"]), Both(blocks[:4], ["d0", "d1", "d2"]), ids,
                                         other_ids),
        "another image, convolutions added": (vision, Vision(plan[:1] + [("n", 8)] + plan[1:]), image, other_image),
    }
    made = {name: (*pair[:2], pair[2], pair[3] if len(pair) > 3 else pair[2], False, False) for name, pair in found.items()}
    for name in ("layer added in the middle", "layer added at the front", "layer removed", "two layers added",
                 "experts, layer added", "alike sequence grows", "convolutions, one added", "another batch, layer added"):
        old, new, before, after, _, _ = made[name]
        made[f"{name}, weights kept"] = (old, with_weights_of(old, new), before, after, False, False)
    made["decomposed"] = (base, model(), ids, ids, False, True)
    made["decomposed, layer added"] = (base, model(with_layer), ids, ids, False, True)
    made["convolutions, decomposed"] = (vision, Vision(plan), image, image, False, True)
    made["no longer decomposed"] = (base, model(), ids, ids, True, False)
    return made


def marks_of(trace):
    """The marks of the lines of this file that led to an op."""
    lines = open(THIS).read().splitlines() if not hasattr(marks_of, "lines") else marks_of.lines
    marks_of.lines = lines
    marks = []
    for number in re.findall(r'File "' + re.escape(THIS) + r'", line (\d+), in forward', trace or ""):
        found = re.search(r"#@(\S+)", lines[int(number) - 1])
        if found:
            marks.append(found.group(1))
    return tuple(marks)


def truths(module, exported):
    """Returns the identity of each call of an export: (uids of its modules, marks, index among ops with these)."""
    uids = {path: getattr(part, "uid", None) for path, part in module.named_modules()}
    counts, found = {}, {}
    for node in exported.graph.nodes:
        if not node.op.startswith("call"):
            continue
        stack = [(path, key) for key, (path, _) in (node.meta.get("nn_module_stack") or {}).items()]
        within = tuple((uids.get(path) or f"?{path}", key.rsplit("@", 1)[1] if "@" in key else "") for path, key in stack
                       if uids.get(path))
        # Marks of the outermost lines belong to modules that the uids name, so the last one distinguishes ops.
        marks = marks_of(node.meta.get("stack_trace"))
        mark = marks[-1] if marks else ""
        place = (within[-1:] if within else (), mark)
        key = (place, str(node.target))
        counts[key] = counts.get(key, -1) + 1
        found[node.name] = (place, str(node.target), counts[key])
    return found


def exported(torch, module, args, decomposed):
    program = torch.export.export(module.eval(), (args,))
    return program.run_decompositions() if decomposed else program


def write_old_ones(torch, folder):
    """Writes the old model of each pair, N.pt2, and the identities of its ops, N.json, with the PyTorch that runs this."""
    torch.manual_seed(0)
    for number, (old, _, args, _, decomposed, _) in enumerate(pairs(torch).values()):
        program = exported(torch, old, args, decomposed)
        torch.export.save(program, folder / f"{number}.pt2")
        (folder / f"{number}.json").write_text(json.dumps(truths(old, program)))


if __name__ == "__main__":
    import torch
    write_old_ones(torch, pathlib.Path(sys.argv[1]))
