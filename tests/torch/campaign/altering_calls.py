"""Changes that alter meaning: other operators, other constants, other operands."""

import operator

import torch

from changes import alters
from editing import UNARY, aten, name_of
from preserving_calls import DIMENSION, schema_of

BINARY = ("add", "sub", "mul", "div", "maximum", "minimum", "atan2")
COMPARISONS = ("eq", "ne", "gt", "lt", "ge", "le")


def _retarget(e, node, name):
    op, target = e.target(name)
    if schema_of(node) is not None and not e.is_exported:
        op, target = "call_function", getattr(getattr(aten, name), node.target._overloadname, getattr(aten, name).default)
    elif schema_of(node) is not None:
        target = getattr(getattr(aten, name), node.target._overloadname, target)
    node.op, node.target = op, target


@alters
def other_function_of_one_number(e):
    node = e.pick([node for node in e.calls(*UNARY) if len(node.args) == 1 and not node.kwargs])
    if node is None:
        return False
    _retarget(e, node, e.rng.choice([name for name in UNARY if name != name_of(node)]))
    return True


@alters
def other_function_of_two_numbers(e):
    node = e.pick([node for node in e.calls(*BINARY) if len(node.args) == 2 and not node.kwargs])
    if node is None:
        return False
    _retarget(e, node, e.rng.choice([name for name in BINARY[:4] if name != name_of(node)]))
    return True


@alters
def other_comparison(e):
    node = e.pick([node for node in e.calls(*COMPARISONS) if node.op == "call_function" and len(node.args) == 2])
    if node is None:
        return False
    name = e.rng.choice([name for name in COMPARISONS if name != name_of(node)])
    node.target = getattr(getattr(aten, name), node.target._overloadname) if schema_of(node) else getattr(torch, name)
    return True


def _constants(node, kinds):
    return [number for number, arg in enumerate(node.args) if type(arg) in kinds]


def _other_constant(e, kinds, change):
    node = e.pick(e.nodes(lambda node: bool(_constants(node, kinds))))
    if node is None:
        return False
    place = e.rng.choice(_constants(node, kinds))
    node.update_arg(place, change(node.args[place]))
    return True


@alters
def other_integer(e):
    return _other_constant(e, (int,), lambda value: value + e.rng.choice([-2, -1, 1, 2]))


@alters
def other_number(e):
    return _other_constant(e, (float,), lambda value: value * e.rng.choice([0.5, 1.5, 2.0]) + e.rng.choice([0.0, 0.25]))


@alters
def number_off_by_one_bit(e):
    import math
    return _other_constant(e, (float,), lambda value: math.nextafter(value, math.inf))


@alters
def number_of_the_other_sign(e):
    return _other_constant(e, (float, int), lambda value: -value)


@alters
def flag_turned_over(e):
    return _other_constant(e, (bool,), lambda value: not value)


@alters
def other_item_of_a_list_of_numbers(e):
    def fits(node):
        return any(isinstance(arg, (list, tuple)) and arg and all(type(x) is int for x in arg) for arg in node.args)
    node = e.pick(e.nodes(fits))
    if node is None:
        return False
    place = next(i for i, arg in enumerate(node.args) if isinstance(arg, (list, tuple)) and arg and all(type(x) is int for x in arg))
    items = list(node.args[place])
    items[e.rng.randrange(len(items))] += e.rng.choice([-1, 1])
    node.update_arg(place, items)
    return True


@alters
def list_of_numbers_turned_around(e):
    def fits(node):
        return any(isinstance(arg, (list, tuple)) and all(type(x) is int for x in arg) and len(set(arg)) > 1 for arg in node.args)
    node = e.pick(e.nodes(fits))
    if node is None:
        return False
    place = next(i for i, arg in enumerate(node.args) if isinstance(arg, (list, tuple)) and all(type(x) is int for x in arg) and len(set(arg)) > 1)
    node.update_arg(place, list(node.args[place])[::-1])
    return True


@alters
def other_dimension(e):
    node = e.pick([node for node in e.calls(*DIMENSION) if len(node.args) > DIMENSION[name_of(node)] and type(node.args[DIMENSION[name_of(node)]]) is int])
    if node is None:
        return False
    node.update_arg(DIMENSION[name_of(node)], e.rng.choice([d for d in (-2, -1, 0, 1) if d != node.args[DIMENSION[name_of(node)]]]))
    return True


@alters
def other_dtype(e):
    dtypes = (torch.float32, torch.float16, torch.bfloat16, torch.float64, torch.int64, torch.int32)
    def places(node):
        return [("args", i) for i, arg in enumerate(node.args) if isinstance(arg, torch.dtype)] + [
            ("kwargs", key) for key, arg in node.kwargs.items() if isinstance(arg, torch.dtype)]
    node = e.pick(e.nodes(lambda node: bool(places(node))))
    if node is None:
        return False
    kind, place = e.rng.choice(places(node))
    if kind == "args":
        node.update_arg(place, e.rng.choice([d for d in dtypes if d != node.args[place]]))
    else:
        node.update_kwarg(place, e.rng.choice([d for d in dtypes if d != node.kwargs[place]]))
    return True


@alters
def operands_of_any_call_swapped(e):
    def fits(node):
        return len(node.args) >= 2 and isinstance(node.args[0], torch.fx.Node) and not isinstance(node.args[1], (dict, torch.dtype, slice, str))
    node = e.pick(e.nodes(lambda node: fits(node) and node.op == "call_function" and node.args[0] is not node.args[1]))
    if node is None:
        return False
    node.args = (node.args[1], node.args[0], *node.args[2:])
    return True


@alters
def other_operand(e):
    """Another earlier value of the same shape and dtype."""
    edges = []
    for user, value in e.edges():
        others = [one for one in e.tensors(before=user) if one is not value and e.value(one).shape == e.value(value).shape]
        edges += [(user, value, other) for other in others]
    edge = e.pick(edges)
    if edge is None:
        return False
    e.replace(*edge)
    return True


@alters
def operand_of_any_shape(e):
    edge = e.pick(e.edges())
    others = [one for one in e.tensors(before=edge[0]) if one is not edge[1]] if edge else []
    if not others:
        return False
    e.replace(*edge, e.rng.choice(others))
    return True


@alters
def call_left_out(e):
    """Removes a call whose first operand has the shape of its result; its users take the operand."""
    def fits(node):
        first = node.args[0] if node.args else None
        return node.users and isinstance(first, torch.fx.Node) and e.is_tensor(first) and e.is_tensor(node) and (
            e.value(first).shape == e.value(node).shape)
    node = e.pick(e.nodes(fits))
    if node is None:
        return False
    node.replace_all_uses_with(node.args[0])
    e.graph.erase_node(node)
    return True


@alters
def call_more(e):
    edge = e.pick(e.edges())
    if edge is None:
        return False
    user, value = edge
    e.replace(user, value, e.call(user, e.rng.choice(UNARY), value))
    return True


@alters
def small_number_added(e):
    edge = e.pick(e.edges())
    if edge is None:
        return False
    user, value = edge
    e.replace(user, value, e.call(user, e.rng.choice(["add", "mul", "sub", "div"]), value, e.rng.choice([0.0, 1.0, 1e-30, 1e-7, 0, 1])))
    return True


@alters
def keyword_left_out(e):
    node = e.pick(e.nodes(lambda node: bool(node.kwargs)))
    if node is None:
        return False
    name = e.rng.choice(list(node.kwargs))
    node.kwargs = {key: value for key, value in node.kwargs.items() if key != name}
    return True


@alters
def last_argument_left_out(e):
    node = e.pick(e.nodes(lambda node: len(node.args) > 1))
    if node is None:
        return False
    node.args = node.args[:-1]
    return True


@alters
def factor_of_a_sum(e):
    node = e.pick([node for node in e.calls("add", "sub") if len(node.args) == 2 and "alpha" not in node.kwargs and node.target is not operator.add])
    if node is None:
        return False
    node.kwargs = {**node.kwargs, "alpha": e.rng.choice([2, -1, 0])}
    return True


@alters
def other_text(e):
    words = {"none": "tanh", "mean": "sum", "floor": "trunc", "constant": "reflect", "ij": "xy"}
    found = [(node, key) for node in e.nodes() for key, value in node.kwargs.items() if value in words.keys()]
    place = e.pick([one for one in found if isinstance(one[0].kwargs[one[1]], str)])
    if place is None:
        return False
    node, key = place
    node.update_kwarg(key, words[node.kwargs[key]])
    return True


@alters
def other_item(e):
    node = e.pick([node for node in e.calls("getitem") if type(node.args[1]) is int])
    if node is None:
        return False
    node.update_arg(1, e.rng.choice([i for i in (-2, -1, 0, 1, 2) if i != node.args[1]]))
    return True


@alters
def other_slice(e):
    node = e.pick([node for node in e.calls("getitem", "slice") if node.op == "call_function"])
    if node is None:
        return False
    if name_of(node) == "slice":
        place = e.rng.randrange(1, len(node.args)) if len(node.args) > 1 else None
        if place is None or type(node.args[place]) is not int:
            return False
        node.update_arg(place, e.rng.choice([0, 1, 2, -1, 9223372036854775807]))
        return True
    index = node.args[1]
    items = list(index) if isinstance(index, tuple) else [index]
    places = [i for i, item in enumerate(items) if isinstance(item, slice)]
    if not places:
        return False
    i = e.rng.choice(places)
    items[i] = e.rng.choice([slice(1, items[i].stop, items[i].step), slice(items[i].start, -1, None), slice(None, None, 2), slice(None, None, None)])
    node.update_arg(1, tuple(items) if isinstance(index, tuple) else items[0])
    return True


@alters
def sum_reassociated(e):
    """(a + b) + c becomes a + (b + c): the same except for rounding."""
    def inner(node):
        first = node.args[0]
        return isinstance(first, torch.fx.Node) and name_of(first) == name_of(node) and len(first.args) == 2 and not first.kwargs
    node = e.pick([node for node in e.calls("add", "mul") if len(node.args) == 2 and not node.kwargs and inner(node)])
    if node is None:
        return False
    first, c = node.args
    a, b = first.args
    if not isinstance(b, torch.fx.Node):
        return False
    node.args = (a, e.call(node, name_of(node), b, c))
    return True


@alters
def product_expanded(e):
    """(a + b) * c becomes a * c + b * c."""
    node = e.pick([node for node in e.calls("mul") if len(node.args) == 2 and isinstance(node.args[0], torch.fx.Node) and (
        name_of(node.args[0]) in ("add", "sub") and len(node.args[0].args) == 2)])
    if node is None:
        return False
    total, c = node.args
    a, b = total.args
    if not all(isinstance(one, torch.fx.Node) for one in (a, b)):
        return False
    _retarget(e, node, name_of(total))
    node.args = (e.call(node, "mul", a, c), e.call(node, "mul", b, c))
    return True


@alters
def linear_as_product_and_sum(e):
    node = e.pick([node for node in e.calls("linear") if len(node.args) == 3 and not node.kwargs and isinstance(node.args[2], torch.fx.Node)])
    if node is None:
        return False
    x, w, b = node.args
    product = e.call(node, "matmul", x, e.call(node, "transpose", w, 0, 1))
    node.op, node.target = e.target("add")
    node.args = (product, b)
    return True


@alters
def division_as_product(e):
    node = e.pick([node for node in e.calls("div", "truediv") if len(node.args) == 2 and isinstance(node.args[1], (int, float)) and node.args[1]])
    if node is None:
        return False
    node.op, node.target = e.target("mul")
    node.args = (node.args[0], 1.0 / node.args[1])
    return True


@alters
def maximum_as_selection(e):
    node = e.pick([node for node in e.calls("maximum", "minimum") if len(node.args) == 2])
    if node is None:
        return False
    a, b = node.args
    mask = e.call(node, getattr(aten, "gt" if name_of(node) == "maximum" else "lt").Tensor, a, b)
    node.op, node.target = e.target("where")
    node.args = (mask, a, b)
    return True


@alters
def function_applied_twice(e):
    node = e.pick([node for node in e.calls("relu", "abs", "neg", "sign", "floor", "round", "sigmoid", "detach", "clone") if len(node.args) == 1])
    if node is None:
        return False
    with e.graph.inserting_before(node):
        first = e.graph.node_copy(node, lambda one: one)
    e.replace(node, node.args[0], first)
    return True
