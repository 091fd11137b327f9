"""Changes close to those that preserve meaning: one condition is broken, or may be."""

import torch

from changes import alters
from editing import aten, name_of
from preserving_calls import schema_of

ARITHMETIC = ("add", "sub", "mul", "rsub", "eq", "ne", "gt", "lt", "ge", "le", "pow", "remainder", "clamp", "add_", "mul_", "sub_", "full", "arange", "full_like", "fill_")


def _put_in(e, make, test=lambda user, value: True, floats=True):
    found = [(user, value) for user in [*e.nodes(), e.output()] for value in user.all_input_nodes
             if e.is_tensor(value, floats) and test(user, value)]
    edge = e.pick(found)
    if edge is None:
        return False
    user, value = edge
    e.replace(user, value, make(user, value))
    return True


@alters
def number_of_another_type(e):
    """2.0 instead of 2 and True instead of 1, for all dtypes of tensors: the dtype of the result may depend on it."""
    def places(node):
        return [i for i, arg in enumerate(node.args) if type(arg) in (int, float) and float(arg).is_integer() and abs(arg) < 1e9]
    node = e.pick([node for node in e.calls(*ARITHMETIC) if places(node)])
    if node is None:
        return False
    place = e.rng.choice(places(node))
    given = node.args[place]
    node.update_arg(place, e.rng.choice([bool(given), float(given) if type(given) is int else int(given)]))
    return True


@alters
def operands_in_any_strides_swapped(e):
    """A sum or product gets its strides from the first operand that has any."""
    node = e.pick([node for node in e.calls("add", "mul", "maximum", "logical_and", "eq", "ne") if len(node.args) == 2 and not node.kwargs
                   and all(isinstance(arg, torch.fx.Node) for arg in node.args)])
    if node is None:
        return False
    node.args = node.args[::-1]
    return True


@alters
def sum_of_strides(e):
    """The sum of a value and its copy in other strides, in both orders, which determine the strides of the result."""
    edge = e.pick(e.edges(lambda user, value: e.value(value).dim() > 1))
    if edge is None:
        return False
    user, value = edge
    turned = e.call(user, "transpose", e.call(user, "contiguous", e.call(user, "transpose", value, 0, 1)), 0, 1)
    zero = e.call(user, "mul", turned, 2.0)
    e.replace(user, value, e.call(user, "add", *((value, zero) if e.rng.random() < 0.5 else (zero, value))))
    return True


@alters
def slice_that_is_almost_whole(e):
    def make(user, value):
        size = e.value(value).shape[0]
        known = size if isinstance(size, int) else 3
        start, end, step = e.rng.choice([(0, known - 1, 1), (1, None, 1), (0, None, 2), (0, known, 1), (-known, known + 3, 1), (0, -1, 1)])
        if e.is_exported:
            return e.call(user, aten.slice.Tensor, value, 0, start, end, step)
        return e.call(user, torch.ops.aten.slice.Tensor, value, 0, start, end, step)
    return _put_in(e, make, lambda user, value: e.value(value).dim() > 0)


@alters
def dropout_of_any_rate(e):
    """Dropout that may be active, drop nothing, or refuse its rate."""
    rate, training = e.rng.choice([(0.0, True), (1.3, False), (-0.1, False), (1.0, False), (1.0, True), (0.3, True)])
    call = aten.dropout.default if e.is_exported else e.rng.choice([torch.nn.functional.dropout, aten.dropout.default])
    return _put_in(e, lambda user, value: e.call(user, call, value, rate, training))


@alters
def conversion_that_copies(e):
    """To the same dtype with copy=True, or there and back; or into another memory format."""
    def make(user, value):
        kind = e.rng.randrange(4)
        if kind == 0:
            return e.call(user, aten.to.dtype, value, torch.float32, False, True)
        if kind == 1:
            return e.call(user, aten._to_copy.default, value)
        if kind == 2 and e.value(value).dim() == 4:
            return e.call(user, aten.contiguous.default, value, memory_format=torch.channels_last)
        return e.call(user, "to", e.call(user, "to", value, torch.float64), torch.float32)
    return _put_in(e, make)


@alters
def view_of_any_strides(e):
    """A view with the same shape, or of all elements: the strides of inputs decide whether it succeeds."""
    def make(user, value):
        shape = list(e.value(value).shape)
        if not all(isinstance(size, int) for size in shape):
            return e.call(user, "contiguous", value)
        flat = e.call(user, e.rng.choice(["view", "reshape"]), value, [-1])
        return e.call(user, "view", flat, shape)
    return _put_in(e, make, lambda user, value: e.value(value).dim() > 1)


@alters
def expanded_and_back(e):
    def make(user, value):
        wide = e.call(user, "expand", e.call(user, "unsqueeze", value, 0), [e.rng.choice([1, 2]), *([-1] * e.value(value).dim())])
        return e.call(user, "select", wide, 0, 0)
    return _put_in(e, make)


@alters
def squeezed(e):
    """Removes a dimension if its size is one."""
    def make(user, value):
        return e.call(user, "squeeze", value, e.rng.choice([0, -1]))
    return _put_in(e, make, lambda user, value: e.value(value).dim() > 0)


@alters
def dimension_off_by_one_from_the_end(e):
    node = e.pick([node for node in e.calls("softmax", "sum", "mean", "cat", "cumsum", "select", "unsqueeze", "stack", "slice", "split", "chunk", "transpose")
                   if any(type(arg) is int and -4 <= arg <= 3 for arg in node.args[1:2])])
    if node is None:
        return False
    node.update_arg(1, node.args[1] + e.rng.choice([-1, 1]))
    return True


@alters
def function_of_the_same_range(e):
    """Functions that are equal for many numbers: relu and clamp, abs and the root of the square, x + x and 2x."""
    def make(user, value):
        return {0: lambda: e.call(user, aten.clamp.default, value, 0.0), 1: lambda: e.call(user, "abs", value),
                2: lambda: e.call(user, "sub", value, e.call(user, "mul", value, 0.0)), 3: lambda: e.call(user, "neg", e.call(user, "neg", value)),
                4: lambda: e.call(user, "mul", value, 1.0), 5: lambda: e.call(user, "maximum", value, value),
                6: lambda: e.call(user, "div", value, 1.0), 7: lambda: e.call(user, "sub", value, 0)}[e.rng.randrange(8)]()
    return _put_in(e, make)


@alters
def overload_with_another_default(e):
    """Adds an omitted argument with a value other than its default."""
    others = {"keepdim": True, "alpha": 3, "descending": True, "largest": False, "approximate": "tanh", "eps": 1e-3, "dim": 1, "memory_format": torch.contiguous_format}
    places = [(node, argument.name) for node in e.nodes(lambda node: schema_of(node) is not None) for number, argument in enumerate(schema_of(node).arguments)
              if argument.has_default_value() and number >= len(node.args) and argument.name not in node.kwargs and argument.name in others
              and argument.default_value != others[argument.name]]
    place = e.pick(places)
    if place is None:
        return False
    node, name = place
    node.kwargs = {**node.kwargs, name: others[name]}
    return True


@alters
def items_in_a_list_for_a_tuple(e):
    """A list instead of a tuple that a call or the caller receives."""
    node = e.pick([node for node in e.calls("list", "dict", "append", "setitem", "getitem", "tuple") if any(isinstance(arg, (list, tuple)) for arg in node.args)])
    if node is None:
        return False
    place = next(i for i, arg in enumerate(node.args) if isinstance(arg, (list, tuple)))
    node.update_arg(place, (list if isinstance(node.args[place], tuple) else tuple)(node.args[place]))
    return True


@alters
def written_between(e):
    """A no-op view or conversion of a value, and a write to the value or the view before a user reads the other."""
    edge = e.pick(e.edges())
    if edge is None:
        return False
    user, value = edge
    kind = e.rng.randrange(4)
    same = e.call(user, aten.alias.default, value) if kind == 0 else e.call(user, "to", value, torch.float32) if kind == 1 else (
        e.call(user, "contiguous", value) if kind == 2 else e.call(user, "reshape", value, list(e.value(value).shape)))
    e.call(user, "add_", e.rng.choice([same, value]), 1.0)
    e.replace(user, value, same)
    return name_of(user) != ""


@alters
def view_for_reshape(e):
    """view instead of a call that copies if the strides require it."""
    node = e.pick([node for node in e.calls("reshape", "flatten") if len(node.args) == 2 and isinstance(node.args[1], (list, tuple))])
    if node is None:
        return False
    node.op, node.target = e.target("view")
    return True


@alters
def reshape_for_any_view(e):
    """reshape makes a copy where view refuses the strides."""
    node = e.pick([node for node in e.calls("view") if len(node.args) == 2 and isinstance(node.args[1], (list, tuple))])
    if node is None:
        return False
    node.op, node.target = e.target("reshape")
    return True


@alters
def copied_into_new_memory(e):
    """A value is copied into new memory with other strides."""
    def make(user, value):
        shape = list(e.value(value).shape)
        kind = e.rng.randrange(3)
        if kind == 0 or not all(isinstance(size, int) for size in shape):
            place = e.call(user, aten.empty_like.default, value)
        elif kind == 1 or len(shape) < 2:
            place = e.call(user, aten.zeros.default, shape)
        else:
            place = e.call(user, "transpose", e.call(user, aten.zeros.default, [shape[1], shape[0], *shape[2:]]), 0, 1)
        return e.call(user, e.rng.choice([aten.copy_.default, aten.copy.default]), place, value)
    return _put_in(e, make)
