"""Changes that preserve meaning: other spellings of one call."""

import operator

import torch

from changes import preserves
from editing import aten, is_fresh, name_of

MOST = 9223372036854775807


def schema_of(node):
    return node.target._schema if isinstance(node.target, torch._ops.OpOverload) else None


def _overloads(e):
    return e.nodes(lambda node: schema_of(node) is not None)


#: Parameter names of functions of PyTorch that are written in Python or parse their arguments by hand.
PARAMETERS = {
    torch.matmul: ("input", "other"), torch.add: ("input", "other"), torch.mul: ("input", "other"), torch.relu: ("input",),
    torch.tanh: ("input",), torch.stack: ("tensors", "dim"), torch.cat: ("tensors", "dim"), torch.sum: ("input", "dim"),
    torch.sort: ("input",), torch.topk: ("input", "k"), torch.gather: ("input", "dim", "index"), torch.where: ("condition", "input", "other"),
    torch.maximum: ("input", "other"), torch.minimum: ("input", "other"), torch.lerp: ("input", "end", "weight"),
    torch.nn.functional.linear: ("input", "weight", "bias"), torch.nn.functional.relu: ("input", "inplace"),
    torch.nn.functional.softmax: ("input", "dim"), torch.nn.functional.dropout: ("input", "p", "training", "inplace"),
    torch.nn.functional.layer_norm: ("input", "normalized_shape", "weight", "bias", "eps"), torch.nn.functional.pad: ("input", "pad"),
    torch.nn.functional.embedding: ("input", "weight"), torch.nn.functional.silu: ("input",), torch.clamp: ("input", "min", "max"),
}


def _parameters(node):
    schema = schema_of(node)
    if schema is not None:
        return [a.name for a in schema.arguments if not a.kwarg_only]
    return PARAMETERS.get(node.target, ()) if node.op == "call_function" else ()


@preserves
def last_positional_argument_by_name(e):
    def fits(node):
        names = _parameters(node)
        return len(node.args) > 1 and len(names) >= len(node.args) and names[len(node.args) - 1] != "self"
    node = e.pick(e.nodes(fits))
    if node is None:
        return False
    name = _parameters(node)[len(node.args) - 1]
    node.kwargs, node.args = {**node.kwargs, name: node.args[-1]}, node.args[:-1]
    return True


@preserves
def keyword_argument_by_position(e):
    def fits(node):
        names = _parameters(node)
        return len(names) > len(node.args) and names[len(node.args)] in node.kwargs
    node = e.pick(e.nodes(fits))
    if node is None:
        return False
    kwargs = dict(node.kwargs)
    node.args = (*node.args, kwargs.pop(_parameters(node)[len(node.args)]))
    node.kwargs = kwargs
    return True


@preserves
def keywords_in_another_order(e):
    node = e.pick(e.nodes(lambda node: len(node.kwargs) > 1 and node.target not in (dict, "update")))
    if node is None:
        return False
    items = list(node.kwargs.items())
    e.rng.shuffle(items)
    node.kwargs = dict(reversed(items) if items == list(node.kwargs.items()) else items)
    return True


@preserves
def default_written_out(e):
    places = []
    for node in _overloads(e):
        for number, argument in enumerate(schema_of(node).arguments):
            if argument.has_default_value() and number >= len(node.args) and argument.name not in node.kwargs:
                places.append((node, number, argument))
    place = e.pick(places)
    if place is None:
        return False
    node, number, argument = place
    if number == len(node.args) and not argument.kwarg_only and e.rng.random() < 0.6:
        node.args = (*node.args, argument.default_value)
    else:
        node.kwargs = {**node.kwargs, argument.name: argument.default_value}
    return True


#: Defaults of omitted arguments of functions and methods, from PyTorch's documentation.
DEFAULTS = {
    torch.nn.functional.relu: {"inplace": False}, torch.nn.functional.layer_norm: {"eps": 1e-5, "weight": None},
    torch.nn.functional.embedding: {"padding_idx": None, "max_norm": None, "sparse": False}, torch.add: {"alpha": 1},
    torch.nn.functional.dropout: {"inplace": False}, torch.stack: {"dim": 0}, torch.cat: {"dim": 0}, torch.nn.functional.silu: {"inplace": False},
    torch.nn.functional.gelu: {"approximate": "none"}, torch.topk: {"largest": True, "sorted": True}, torch.sum: {"keepdim": False},
    torch.sort: {"descending": False}, torch.nn.functional.pad: {"mode": "constant"}, torch.rand_like: {"dtype": None},
    "sum": {"keepdim": False}, "flatten": {"end_dim": -1}, "add": {"alpha": 1}, "sub": {"alpha": 1}, "mean": {"keepdim": False},
    "softmax": {"dtype": None}, "any": {"keepdim": False},
}


@preserves
def default_of_a_function_written_out(e):
    def is_given(node, name):
        names = _parameters(node)
        return name in node.kwargs or name in names and names.index(name) < len(node.args)
    places = [(node, name, value) for node in e.nodes() if node.target in DEFAULTS for name, value in DEFAULTS[node.target].items()
              if not is_given(node, name) and not (node.op == "call_method" and len(node.args) > 2)
              and not (name == "keepdim" and len(node.args) < 2 and "dim" not in node.kwargs)]
    place = e.pick(places)
    if place is None:
        return False
    node, name, value = place
    node.kwargs = {**node.kwargs, name: value}
    return True


@preserves
def default_left_out(e):
    places = []
    for node in _overloads(e):
        arguments = {a.name: a for a in schema_of(node).arguments}
        for name, value in node.kwargs.items():
            a = arguments[name]
            if a.has_default_value() and type(a.default_value) is type(value) and a.default_value == value:
                places.append((node, name))
        last = schema_of(node).arguments[len(node.args) - 1] if node.args else None
        if last is not None and last.has_default_value() and type(node.args[-1]) is type(last.default_value) and node.args[-1] == last.default_value:
            places.append((node, None))
    place = e.pick(places)
    if place is None:
        return False
    node, name = place
    if name is None:
        node.args = node.args[:-1]
    else:
        node.kwargs = {key: value for key, value in node.kwargs.items() if key != name}
    return True


@preserves
def tuple_for_list(e):
    def is_list(value):
        return isinstance(value, (list, tuple)) and not hasattr(value, "_fields")
    def fits(node):
        return name_of(node) not in ("getitem", "setitem", "append", "list", "dict", "tuple", "update", "get") and any(map(is_list, node.args))
    node = e.pick(e.nodes(lambda node: fits(node) and not isinstance(node.target, torch._ops.HigherOrderOperator)))
    if node is None:
        return False
    number = e.rng.choice([i for i, arg in enumerate(node.args) if is_list(arg)])
    other = list if isinstance(node.args[number], tuple) else tuple
    node.update_arg(number, other(node.args[number]))
    return True


# : The argument that is a dimension, by operator, and the number of additional dimensions of the result.
DIMENSION = {"softmax": 1, "cat": 1, "select": 1, "slice": 1, "unsqueeze": 1, "sum": 1, "mean": 1, "cumsum": 1, "index_select": 1,
             "stack": 1, "gather": 1, "chunk": 2, "split": 2, "_softmax": 1, "argmax": 1, "narrow": 1, "roll": 2, "topk": 2, "transpose": 2}


@preserves
def dimension_from_the_end(e):
    def dims(node):
        of = node.args[0][0] if isinstance(node.args[0], (list, tuple)) and node.args[0] else node.args[0]
        value = e.value(of)
        return value.dim() + (name_of(node) in ("unsqueeze", "stack")) if isinstance(value, torch.Tensor) else 0
    def fits(node):
        place = DIMENSION.get(name_of(node), 99)
        return len(node.args) > place and e_knows(e, node) and dims(node) and (isinstance(node.args[place], int) or (
            isinstance(node.args[place], (list, tuple)) and node.args[place] and all(isinstance(d, int) for d in node.args[place])))
    node = e.pick(e.nodes(fits))
    if node is None:
        return False
    count, place = dims(node), DIMENSION[name_of(node)]
    def other(d):
        return d - count if d >= 0 else d + count
    given = node.args[place]
    node.update_arg(place, type(given)(map(other, given)) if isinstance(given, (list, tuple)) else other(given))
    return True


def e_knows(e, node):
    """Whether the file records the number of dimensions of a call's first tensor."""
    first = node.all_input_nodes[:1]
    return bool(first) and e.is_told(first[0])


@preserves
def index_of_an_item_from_the_end(e):
    def fits(node):
        held = e.value(node.args[0])
        return isinstance(held, (tuple, list)) and isinstance(node.args[1], int)
    node = e.pick([node for node in e.calls("getitem") if len(node.args) == 2 and fits(node)])
    if node is None:
        return False
    count = len(e.value(node.args[0]))
    node.update_arg(1, node.args[1] - count if node.args[1] >= 0 else node.args[1] + count)
    return True


@preserves
def end_of_a_slice(e):
    def fits(node):
        value = e.value(node.args[0])
        return len(node.args) > 3 and isinstance(node.args[3], int) and isinstance(value, torch.Tensor) and isinstance(
            value.shape[node.args[1]], int) and node.args[3] >= value.shape[node.args[1]]
    node = e.pick([node for node in e.calls("slice") if node.op == "call_function" and len(node.args) > 1 and fits(node)])
    if node is None:
        return False
    size = e.value(node.args[0]).shape[node.args[1]]
    node.update_arg(3, e.rng.choice([end for end in (size, MOST, size + 7, None) if end != node.args[3]]))
    return True


@preserves
def start_of_a_slice_from_the_end(e):
    def fits(node):
        value = e.value(node.args[0])
        return len(node.args) > 2 and isinstance(node.args[2], int) and isinstance(value, torch.Tensor) and isinstance(
            value.shape[node.args[1]], int) and 0 < node.args[2] < value.shape[node.args[1]]
    node = e.pick([node for node in e.calls("slice") if node.op == "call_function" and fits(node)])
    if node is None:
        return False
    node.update_arg(2, node.args[2] - e.value(node.args[0]).shape[node.args[1]])
    return True


def _same_layout(e, a, b):
    """Whether both are contiguous for all strides of inputs, and have one dtype and shape."""
    if not isinstance(a, torch.fx.Node) or not isinstance(b, torch.fx.Node):
        return False
    x, y = e.value(a), e.value(b)
    firm = {"linear", "matmul", "mm", "bmm", "addmm", "softmax", "_softmax", "layer_norm", "embedding", "cat", "stack", "arange", "full"}
    return all(name_of(one) in firm and isinstance(v, torch.Tensor) for one, v in ((a, x), (b, y))) and x.shape == y.shape and x.dtype == y.dtype


@preserves
def operands_swapped(e):
    names = ("add", "mul", "maximum", "minimum", "eq", "ne", "logical_and", "bitwise_and")
    def fits(node):
        a, b = node.args
        if not (isinstance(a, torch.fx.Node) and isinstance(b, torch.fx.Node)) or node.kwargs:
            return False
        x, y = e.value(a), e.value(b)
        if not (isinstance(x, torch.Tensor) and isinstance(y, torch.Tensor)) or x.dtype != y.dtype:
            return False
        return _same_layout(e, a, b) or x.dim() != y.dim() and 0 in (x.dim(), y.dim())
    node = e.pick([node for node in e.calls(*names) if len(node.args) == 2 and fits(node)])
    if node is None:
        return False
    node.args = node.args[::-1]
    return True


@preserves
def comparison_turned_around(e):
    turned = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge"}
    def fits(node):
        return all(isinstance(arg, torch.fx.Node) for arg in node.args) and _same_layout(e, *node.args)
    node = e.pick([node for node in e.calls(*turned) if node.op == "call_function" and len(node.args) == 2 and fits(node)])
    if node is None:
        return False
    node.target = getattr(aten, turned[name_of(node)]).Tensor if schema_of(node) else getattr(torch, turned[name_of(node)])
    node.args = node.args[::-1]
    return True


@preserves
def integer_for_a_float(e):
    def fits(node):
        return any(type(arg) in (int, float) and float(arg).is_integer() and abs(arg) < 1e6 for arg in node.args[1:2]) and (
            isinstance(node.args[0], torch.fx.Node) and e.is_tensor(node.args[0]) and e.is_told(node.args[0]))
    node = e.pick([node for node in e.calls("add", "sub", "mul", "div", "rsub", "eq", "gt", "lt", "ge") if fits(node)])
    if node is None:
        return False
    given = node.args[1]
    node.update_arg(1, float(given) if isinstance(given, int) else int(given))
    return True


#: Calls of one function on tensors in three spellings: a Python operator, a function of PyTorch, and a method.
SPELLINGS = {
    "add": (operator.add, torch.add, "add"), "sub": (operator.sub, torch.sub, "sub"), "mul": (operator.mul, torch.mul, "mul"),
    "truediv": (operator.truediv, torch.div, "div"), "matmul": (operator.matmul, torch.matmul, "matmul"), "neg": (operator.neg, torch.neg, "neg"),
    "gt": (operator.gt, torch.gt, "gt"), "eq": (operator.eq, torch.eq, "eq"), "relu": (torch.nn.functional.relu, torch.relu, "relu"),
    "softmax": (torch.nn.functional.softmax, torch.softmax, "softmax"), "sigmoid": (torch.nn.functional.sigmoid, torch.sigmoid, "sigmoid"),
    "tanh": (torch.nn.functional.tanh, torch.tanh, "tanh"), "transpose": (torch.transpose, "transpose"), "reshape": (torch.reshape, "reshape"),
    "unsqueeze": (torch.unsqueeze, "unsqueeze"), "abs": (operator.abs, torch.abs, "abs"), "sin": (torch.sin, "sin"),
    "masked_fill": (torch.masked_fill, "masked_fill"), "clone": (torch.clone, "clone"), "narrow": (torch.narrow, "narrow"),
    "sum": (torch.sum, "sum"), "mean": (torch.mean, "mean"), "chunk": (torch.chunk, "chunk"), "cumsum": (torch.cumsum, "cumsum"),
    "pow": (operator.pow, torch.pow, "pow"), "exp": (torch.exp, "exp"), "sqrt": (torch.sqrt, "sqrt"), "cos": (torch.cos, "cos"),
    "div": (operator.truediv, torch.div, "div"), "and_": (operator.and_, torch.bitwise_and, "bitwise_and"), "ge": (operator.ge, torch.ge, "ge"),
}


@preserves
def function_method_or_operator(e):
    def fits(node):
        return node.op == "call_method" or node.target in SPELLINGS[name_of(node)]
    def tensors(node):
        return isinstance(e.value(node.args[0]), torch.Tensor) and not (set(node.kwargs) & {"alpha", "out", "input", "tensors", "_stacklevel"}) and (
            name_of(node) != "reshape" or isinstance(node.args[1], (list, tuple)))
    node = e.pick([node for node in e.calls(*SPELLINGS) if fits(node) and node.args and tensors(node)])
    if node is None:
        return False
    others = [way for way in SPELLINGS[name_of(node)] if way != node.target and not (node.kwargs and getattr(way, "__module__", "") == "_operator")]
    if node.target is torch.nn.functional.relu and "inplace" in node.kwargs:
        node.kwargs = {key: value for key, value in node.kwargs.items() if key != "inplace"}
    way = e.rng.choice(others)
    node.op, node.target = ("call_method", way) if isinstance(way, str) else ("call_function", way)
    return True


#: The only overload that a function of PyTorch calls with tensors.
OVERLOADED = {"sin": aten.sin.default, "cos": aten.cos.default, "relu": aten.relu.default, "tanh": aten.tanh.default, "matmul": aten.matmul.default,
              "sigmoid": aten.sigmoid.default, "maximum": aten.maximum.default, "minimum": aten.minimum.default, "exp": aten.exp.default,
              "add": aten.add.Tensor, "mul": aten.mul.Tensor, "sub": aten.sub.Tensor, "atan2": aten.atan2.default, "transpose": aten.transpose.int,
              "unsqueeze": aten.unsqueeze.default, "neg": aten.neg.default, "linear": aten.linear.default, "clone": aten.clone.default}


@preserves
def overload_for_a_function(e):
    def fits(node):
        return schema_of(node) is None and not node.kwargs and all(
            isinstance(e.value(arg), (torch.Tensor, int)) for arg in node.args) and isinstance(e.value(node.args[0]), torch.Tensor)
    node = e.pick([node for node in e.calls(*OVERLOADED) if node.args and fits(node) and (
        name_of(node) not in ("add", "mul", "sub") or isinstance(e.value(node.args[1]), torch.Tensor))])
    if node is None:
        return False
    node.op, node.target = "call_function", OVERLOADED[name_of(node)]
    return True


@preserves
def packet_for_an_overload(e):
    """torch.ops.aten.sin instead of torch.ops.aten.sin.default; only in plain graphs, since exported ones name overloads."""
    if e.is_exported:
        return overload_for_a_function(e)
    node = e.pick(e.nodes(lambda node: schema_of(node) is not None and is_fresh(node) and not node.kwargs))
    if node is None:
        return False
    node.target = node.target.overloadpacket
    return True


@preserves
def overload_of_numbers(e):
    """add.Scalar(x, 2) instead of add.Tensor(x, 2)."""
    node = e.pick([node for node in e.calls("add", "sub", "mul", "div", "mul_", "add_") if schema_of(node) is not None and len(node.args) > 1
                   and type(node.args[1]) in (int, float) and node.target._overloadname in ("Tensor", "Scalar")])
    if node is None:
        return False
    node.target = getattr(node.target.overloadpacket, "Scalar" if node.target._overloadname == "Tensor" else "Tensor")
    return True


@preserves
def difference_the_other_way_around(e):
    """rsub(y, x) instead of sub(x, y)."""
    node = e.pick([node for node in e.calls("sub", "rsub") if len(node.args) == 2 and not node.kwargs and _same_layout(e, *node.args)])
    if node is None:
        return False
    other = "rsub" if name_of(node) == "sub" else "sub"
    node.op, node.target = "call_function", getattr(aten, other).Tensor if schema_of(node) is not None else getattr(torch, other)
    node.args = node.args[::-1]
    return True
