"""Valid models of any size, each hard in one respect, as bytes of fx-json files."""
import json

TENSOR = {"tensor": {"dtype": "float32", "shape": [2], "stride": [1]}}


class Lines:
    """The lines of a file with the root graph "g0"."""

    def __init__(self):
        self.lines = ['{"k":"fx-json","v":[1,0],"min":[1,0]}']
        self.nodes = 0
        self.add(k="graph", id="g0", module="")

    def add(self, **line):
        self.lines.append(json.dumps(line, separators=(",", ":")))

    def node(self, graph, name, op, target, args, **more):
        self.nodes += 1
        self.add(k="node", g=graph, name=name, op=op, target=target, args=args, kwargs=[], **more)

    def input(self, graph="g0", name="x"):
        self.node(graph, name, "placeholder", name, [], val=TENSOR)

    def call(self, graph, name, target, *args, **more):
        self.node(graph, name, "call_function", target, list(args), val=TENSOR, **more)

    def module_call(self, graph, name, target, *args):
        self.node(graph, name, "call_module", target, list(args), val=TENSOR)

    def output(self, graph, value):
        self.node(graph, "output", "output", "output", [value])

    def bytes(self):
        return ("\n".join(self.lines) + '\n{"k":"end","nodes":%d}\n' % self.nodes).encode()


def ref(name):
    return {"n": name}


def chain(size, name="r%d", more=lambda i: {}):
    """A chain of calls, each reading the result of the previous one."""
    out = Lines()
    out.input()
    last = "x"
    for i in range(size):
        out.call("g0", name % i, "torch.relu", ref(last), **more(i))
        last = name % i
    out.output("g0", ref(last))
    return out


def fan(size):
    """One value with many readers, and a list of the same number of values."""
    out = Lines()
    out.input()
    for i in range(size):
        out.call("g0", f"r{i}", "torch.relu", ref("x"))
    out.call("g0", "all", "torch.stack", [ref(f"r{i}") for i in range(size)])
    out.output("g0", ref("all"))
    return out


def inputs(size):
    """Many inputs, all of them returned."""
    out = Lines()
    for i in range(size):
        out.input(name=f"x{i}")
    out.output("g0", [ref(f"x{i}") for i in range(size)])
    return out


def argument_list(size):
    """A list that contains one value many times."""
    out = Lines()
    out.input()
    out.call("g0", "a", "torch.stack", [ref("x")] * size)
    out.output("g0", ref("a"))
    return out


def long_names(size):
    """Names of a thousand letters that differ only in the last few."""
    return chain(size, "n" * 1000 + "%d")


def numbered_names(size):
    """Names in the form of new names, so that each new name conflicts with existing ones."""
    return chain(size, "relu_%d")


def tags(size):
    """One tag per call."""
    out = chain(size, more=lambda i: {"tag": f"t{i}"})
    out.add(k="tags", order=[f"t{i}" for i in range(size)], colors={})
    return out


def stacks(size):
    """One module per call."""
    out = Lines()
    for i in range(size):
        out.add(k="stack", id=i, mods=[["", "", "M"], [f"m{i}", f"m{i}", "M"]])
    body = chain(size, more=lambda i: {"mods": i})
    out.lines += body.lines[2:]
    out.nodes = body.nodes
    return out


def tensors(size):
    """Many parameters that share one memory."""
    out = Lines()
    out.add(k="storage", id="s", bytes=8)
    for i in range(size):
        out.add(k="tensor", fqn=f"w{i}", role="parameter", dtype="float32", shape=[2], stride=[1], offset=0, device="cpu",
                storage="s")
    out.input()
    out.output("g0", ref("x"))
    return out


def modules(size):
    """Many modules, called in sequence."""
    out = Lines()
    for i in range(size):
        out.add(k="module", path=f"m{i}", cls="torch.nn.modules.activation.ReLU", leaf=True)
    out.input()
    last = "x"
    for i in range(size):
        out.module_call("g0", f"c{i}", f"m{i}", ref(last))
        last = f"c{i}"
    out.output("g0", ref(last))
    return out


def graphs(size):
    """Many graphs, called in sequence."""
    out = Lines()
    out.input()
    last = "x"
    for i in range(size):
        out.add(k="module", path=f"m{i}")
        out.add(k="graph", id=f"h{i}", module=f"m{i}")
        out.input(f"h{i}")
        out.output(f"h{i}", ref("x"))
        out.module_call("g0", f"c{i}", f"m{i}", ref(last))
        last = f"c{i}"
    out.output("g0", ref(last))
    return out


def in_place(size):
    """Writes to one memory through many views."""
    out = Lines()
    out.input()
    for i in range(size):
        out.call("g0", f"v{i}", "torch.ops.aten.view.default", ref("x"), [2])
        out.call("g0", f"r{i}", "torch.ops.aten.add_.Tensor", ref(f"v{i}"), 1)
    out.output("g0", ref("x"))
    return out


def layers(size):
    """Repeated layers of a hundred nodes each, the targets of regions and deduplication."""
    out = Lines()
    out.input()
    last = "x"
    for i in range(size):
        target = "torch.relu" if i % 100 else "torch.tanh"
        out.call("g0", f"r{i}", target, ref(last))
        last = f"r{i}"
    out.output("g0", ref(last))
    return out


def _tower(size, calls, body):
    """Nested graphs, each calling the inner one `calls` times: calls ** size runs of the innermost."""
    out = Lines()
    for depth in range(size):
        out.add(k="module", path="m" + ".m" * depth, cls="torch.fx.graph_module.GraphModule")
        out.add(k="graph", id=f"h{depth}", module="m" + ".m" * depth)
    for depth in range(size + 1):
        graph = f"h{depth - 1}" if depth else "g0"
        out.input(graph)
        last = "x"
        if depth == size:
            out.call(graph, "r", "torch.relu", ref(last))
            last = "r"
        for i in range(calls if depth < size else 0):
            last = body(out, graph, i, last)
        out.output(graph, ref(last))
    return out


def _call_module(out, graph, i, last):
    out.module_call(graph, f"c{i}", "m", ref(last))
    return f"c{i}"


def _call_attribute(out, graph, i, last):
    out.node(graph, f"m{i}", "get_attr", "m", [])
    out.call(graph, f"c{i}", "torch.ops.higher_order.invoke_subgraph", ref(f"m{i}"), "s", ref(last))
    return f"c{i}"


def tower_of_modules(size):
    return _tower(size, 2, _call_module)


def tower_of_attributes(size):
    return _tower(size, 2, _call_attribute)


def stick_of_modules(size):
    return _tower(size, 1, _call_module)


def stick_of_attributes(size):
    return _tower(size, 1, _call_attribute)


def tower_of_graphs(size, calls=2):
    """The same with graphs passed as values, which have no path that limits nesting."""
    out = Lines()
    for depth in range(size):
        out.add(k="graph", id=f"h{depth}", module=None)
    for depth in range(size + 1):
        graph = f"h{depth - 1}" if depth else "g0"
        out.input(graph)
        last = "x"
        for i in range(calls):
            if depth < size:
                out.call(graph, f"c{i}", "torch.ops.higher_order.invoke_subgraph", {"graph": f"h{depth}"}, "s", ref(last))
            else:
                out.call(graph, f"c{i}", "torch.relu", ref(last))
            last = f"c{i}"
        out.output(graph, ref(last))
    return out


def stick_of_graphs(size):
    return tower_of_graphs(size, 1)


def calls_itself(size):
    """A module that contains itself and calls itself several times."""
    out = Lines()
    out.add(k="module", path="m", cls="M")
    out.add(k="module", path="m.m", same="m")
    out.add(k="graph", id="h", module="m")
    for graph in ("g0", "h"):
        out.input(graph)
        last = "x"
        for i in range(size):
            out.module_call(graph, f"c{i}", "m", ref(last))
            last = f"c{i}"
        out.output(graph, ref(last))
    return out


def given_root(size):
    """Nodes with the root graph as an argument, and one with its own graph."""
    out = Lines()
    out.add(k="graph", id="h", module=None)
    out.input()
    last = "x"
    for i in range(size):
        out.call("g0", f"c{i}", "torch.ops.higher_order.invoke_subgraph", {"graph": "g0" if i % 2 else "h"}, "s", ref(last))
        last = f"c{i}"
    out.output("g0", ref(last))
    out.input("h")
    out.call("h", "a", "torch.ops.higher_order.invoke_subgraph", {"graph": "h"}, "s", ref("x"))
    out.output("h", ref("a"))
    return out


GROWING = [chain, fan, inputs, argument_list, long_names, numbered_names, tags, stacks, tensors, modules, graphs, in_place,
           layers]
NESTED = [tower_of_modules, tower_of_attributes, stick_of_modules, stick_of_attributes, tower_of_graphs, stick_of_graphs,
          calls_itself, given_root]
