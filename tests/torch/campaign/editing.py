"""A copy of a program to change: one of its graphs, facts about its nodes, and functions that insert calls."""

import operator

import torch

from facts import evaluate
from subject import EXAMPLE

aten = torch.ops.aten

#: Overloads for calls that changes insert into exported programs, by operator name.
OVERLOADS = {
    "add": aten.add.Tensor, "sub": aten.sub.Tensor, "mul": aten.mul.Tensor, "div": aten.div.Tensor, "to": aten.to.dtype,
    "add_": aten.add_.Tensor, "mul_": aten.mul_.Tensor, "transpose": aten.transpose.int, "squeeze": aten.squeeze.dim,
    "select": aten.select.int, "slice": aten.slice.Tensor, "sum": aten.sum.dim_IntList, "flatten": aten.flatten.using_ints,
    "split": aten.split.Tensor, "copy_": aten.copy_.default, "where": aten.where.self, "fill_": aten.fill_.Scalar,
}
#: Operators that are methods in plain graphs; all others are functions of torch.
METHODS = {"to", "view", "contiguous", "expand", "add_", "mul_", "neg_", "relu_", "copy_", "fill_", "zero_", "repeat", "double", "float"}

UNARY = ("sin", "cos", "tanh", "sigmoid", "relu", "exp", "neg", "abs", "sqrt", "rsqrt", "erf", "log1p", "sign", "floor", "ceil",
         "round", "reciprocal", "square", "atan", "gelu", "silu")
#: Operators whose result is always new memory, which write nothing, draw nothing, and keep nothing.
FRESH = {*UNARY, "add", "sub", "mul", "div", "truediv", "pow", "maximum", "minimum", "atan2", "matmul", "mm", "bmm", "addmm",
         "linear", "conv2d", "conv1d", "conv_transpose2d", "softmax", "_softmax", "log_softmax", "layer_norm", "native_layer_norm",
         "mean", "sum", "cat", "stack", "where", "eq", "ne", "gt", "lt", "ge", "le", "cumsum", "embedding", "masked_fill", "rsub",
         "clamp", "avg_pool2d", "max_pool2d", "group_norm", "topk", "sort", "gather", "index_select", "full", "full_like",
         "zeros_like", "ones_like", "arange", "lerp", "addcmul", "baddbmm", "logical_not", "logical_and", "bitwise_and",
         "triu", "clone", "scalar_tensor", "amax", "var", "isnan", "floor_divide", "remainder", "scaled_dot_product_attention"}
RANDOM = {"dropout", "rand", "randn", "rand_like", "randn_like", "bernoulli", "randint", "randperm", "normal_", "uniform_", "native_dropout"}


def name_of(node):
    """Returns the name of a node's target without namespace and overload: "add" for torch.add, aten.add.Tensor, and the method
    add."""
    target = node.target
    if node.op == "call_method":
        return target
    if node.op != "call_function":
        return ""
    if isinstance(target, torch._ops.OpOverload):
        return target._schema.name.split("::")[1]
    return getattr(target, "__name__", str(target))


def writes(node):
    """Whether a call may write to its arguments, by its name or schema; calls of modules and regions may."""
    if node.op == "call_module" or isinstance(node.target, torch._ops.HigherOrderOperator):
        return True
    if isinstance(node.target, torch._ops.OpOverload):
        return node.target._schema.is_mutable
    name = name_of(node)
    return (name.endswith("_") and not name.endswith("__")) or name in (
        "setitem", "iadd", "imul", "append", "pop", "update", "reverse", "batch_norm") or "out" in node.kwargs


def is_inplace(node):
    name = name_of(node)
    return name.endswith("_") and not name.endswith("__") and not name.startswith("_")


def is_fresh(node):
    return node.op in ("call_function", "call_method") and name_of(node) in FRESH and "out" not in node.kwargs


class Editing:
    """A program under change. `graph` is one of its graphs and `owner` its module; `rng` makes all random choices."""

    def __init__(self, subject, rng):
        self.subject, self.rng = subject, rng
        modules = subject.graph_modules()
        nested = [module for module in modules[1:] if len(module.graph.nodes) > 2]
        self.owner = rng.choice(nested) if nested and rng.random() < 0.25 else modules[0]
        self.graph = self.owner.graph
        self.is_root = self.owner is modules[0]
        self.is_exported = subject.exported is not None
        self._families = None

    def nodes(self, test=lambda node: True, op=None):
        ops = ("call_function", "call_method") if op is None else (op,)
        return [node for node in self.graph.nodes if node.op in ops and test(node)]

    def calls(self, *names):
        return self.nodes(lambda node: name_of(node) in names)

    def pick(self, nodes):
        """Returns one of `nodes`, or None if there is none."""
        return self.rng.choice(nodes) if nodes else None

    def value(self, node):
        """Returns the value of a node if it is known: a tensor without contents, a number, a tuple. Otherwise None."""
        if not isinstance(node, torch.fx.Node):
            return node
        return node.meta.get("val", node.meta.get(EXAMPLE))

    def is_tensor(self, node, floats=True):
        value = self.value(node) if isinstance(node, torch.fx.Node) else None
        return isinstance(value, torch.Tensor) and (not floats or value.dtype == torch.float32)

    def is_told(self, node):
        """Whether the file describes the tensor of a node."""
        return "val" in node.meta or "tensor_meta" in node.meta

    def tensors(self, before=None, floats=True):
        """Returns nodes with tensor values, up to `before`."""
        found = []
        for node in self.graph.nodes:
            if node is before:
                break
            if node.op != "output" and self.is_tensor(node, floats):
                found.append(node)
        return found

    def edges(self, test=lambda user, value: True):
        """Returns pairs of a call and a tensor argument."""
        return [(user, value) for user in self.nodes() for value in user.all_input_nodes
                if self.is_tensor(value) and test(user, value)]

    def target(self, name):
        """Returns op and target of a call of an operator in this graph."""
        if self.is_exported:
            return "call_function", OVERLOADS.get(name) or getattr(aten, name).default
        if name in METHODS:
            return "call_method", name
        if name == "getitem":
            return "call_function", operator.getitem
        known = getattr(torch, name, None) or getattr(torch.nn.functional, name, None)
        return ("call_function", known) if known else ("call_method", name)

    def call(self, place, name, *args, **kwargs):
        """Inserts a call of an operator, or of a callable target, before the node `place`."""
        op, target = self.target(name) if isinstance(name, str) else ("call_function", name)
        with self.graph.inserting_before(place):
            node = self.graph.create_node(op, target, args, kwargs)
        self.describe(node)
        return node

    def describe(self, node):
        """Stores the value of a new node, unless the call fails."""
        args, kwargs = torch.fx.node.map_arg((node.args, node.kwargs), self.value)
        function = (lambda x, *rest, **named: getattr(x, node.target)(*rest, **named)) if node.op == "call_method" else node.target
        try:
            made = evaluate(lambda: function(*args, **kwargs), self.owner)
        except Exception:  # it will raise when the program runs as well
            return
        node.meta["val" if self.is_exported else EXAMPLE] = made

    def after(self, node):
        """Returns the node after `node` and after all placeholders."""
        place = node.next
        while place.op == "placeholder":
            place = place.next
        return place

    def users(self, node):
        return list(node.users)

    def replace(self, user, old, new):
        """Replaces `old` by `new` in one user."""
        user.replace_input_with(old, new)
        self._families = None

    def output(self):
        return next(reversed(self.graph.nodes))

    def family(self, node):
        """Returns the nodes that may share memory with `node`: its base, and all views of that. O(nodes) at the first call."""
        if self._families is None:
            parents = {}
            for one in self.graph.nodes:
                parents.setdefault(one, one)
                if one.op in ("call_function", "call_method", "call_module") and not is_fresh(one):
                    for other in one.all_input_nodes:
                        parents[_top(parents, one)] = _top(parents, other)
            self._families = parents
        top = _top(self._families, node)
        return [one for one in self.graph.nodes if _top(self._families, one) is top]

    def is_quiet(self, node):
        """Whether nothing writes to the memory of a node, and no result of the graph has it."""
        family = self.family(node)
        return not any(writes(user) or user.op == "output" for one in family for user in [one, *one.users] if user.op != "placeholder")

    def is_private(self, node):
        """Whether the memory of a node is new, and no result of the graph has it."""
        family = self.family(node)
        return all(one.op in ("call_function", "call_method") for one in family) and not any(
            user.op == "output" for one in family for user in one.users)


def _top(parents, node):
    while parents.get(node, node) is not node:
        node = parents[node]
    return node
