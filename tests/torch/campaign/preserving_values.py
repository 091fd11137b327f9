"""Changes that preserve meaning: calls without effect, unused calls, and other computations of the same value."""

import operator

import torch

from changes import preserves
from editing import FRESH, aten, is_fresh, is_inplace, name_of

#: Calls with separate result memory whose bits do not depend on a view inserted before an argument.
TOTAL = ("sin", "cos", "tanh", "sigmoid", "exp", "relu", "neg", "abs")
#: Those of them that support all dtypes of strided tensors.
OF_ALL_DTYPES = TOTAL[:5]


def _to_consumers(e, static=False):
    """Returns edges with tensors of known shape to calls with separate results, for which an inserted view does not matter."""
    def fits(user, value):
        shape = e.value(value).shape
        return is_fresh(user) and e.is_told(value) and (not static or all(isinstance(size, int) for size in shape))
    return e.edges(fits)


def _put_in(e, edge, make):
    """Inserts the result of `make` between a value and one user."""
    if edge is None:
        return False
    user, value = edge
    e.replace(user, value, make(user, value))
    return True


@preserves
def view_of_the_same_shape(e):
    edge = e.pick([edge for edge in _to_consumers(e, static=True) if e.value(edge[1]).is_contiguous()])
    name = e.rng.choice(["view", "reshape"])
    return _put_in(e, edge, lambda user, value: e.call(user, name, value, list(e.value(value).shape)))


@preserves
def expand_to_the_same_shape(e):
    edge = e.pick(_to_consumers(e, static=True))
    return _put_in(e, edge, lambda user, value: e.call(user, "expand", value, list(e.value(value).shape)))


@preserves
def alias_of_a_value(e):
    if not e.is_exported:
        return False
    edge = e.pick(_to_consumers(e))
    return _put_in(e, edge, lambda user, value: e.call(user, aten.alias.default, value))


@preserves
def to_the_same_dtype(e):
    edge = e.pick(e.edges(lambda user, value: e.is_told(value)))
    return _put_in(e, edge, lambda user, value: e.call(user, "to", value, e.value(value).dtype))


@preserves
def to_the_same_dtype_before_the_output(e):
    value = e.pick([value for value in e.output().all_input_nodes if e.is_tensor(value, floats=False) and e.is_told(value)])
    if value is None or value.op == "placeholder" or not e.is_root:
        return False
    e.replace(e.output(), value, e.call(e.output(), "to", value, e.value(value).dtype))
    return True


@preserves
def contiguous_of_a_contiguous_value(e):
    firm = ("linear", "matmul", "mm", "bmm", "addmm", "softmax", "_softmax", "embedding", "cat", "stack", "clone", "arange", "full")
    edge = e.pick(e.edges(lambda user, value: e.is_told(value) and name_of(value) in firm[:-3] and is_fresh(user)))
    return _put_in(e, edge, lambda user, value: e.call(user, "contiguous", value))


@preserves
def transposed_there_and_back(e):
    edge = e.pick([edge for edge in _to_consumers(e) if e.value(edge[1]).dim() > 1])
    def make(user, value):
        return e.call(user, "transpose", e.call(user, "transpose", value, 0, 1), 0, 1)
    return _put_in(e, edge, make)


@preserves
def unsqueezed_and_squeezed(e):
    edge = e.pick(_to_consumers(e))
    return _put_in(e, edge, lambda user, value: e.call(user, "squeeze", e.call(user, "unsqueeze", value, 0), 0))


@preserves
def whole_slice(e):
    edge = e.pick([edge for edge in _to_consumers(e) if e.value(edge[1]).dim() > 0])
    def make(user, value):
        if e.is_exported:
            return e.call(user, aten.slice.Tensor, value, 0, 0, 9223372036854775807)
        return e.call(user, operator.getitem, value, slice(None, None, None))
    return _put_in(e, edge, make)


@preserves
def item_of_a_pair(e):
    edge = e.pick(e.edges(lambda user, value: not e.is_exported))
    def make(user, value):
        other = e.pick(e.tensors(before=user)) or value
        return e.call(user, operator.getitem, (value, other), 0)
    return _put_in(e, edge, make)


@preserves
def dead_call(e):
    value = e.pick([value for value in e.tensors() if value.op != "output"])
    if value is None:
        return False
    e.call(e.after(value), e.rng.choice(TOTAL if e.is_told(value) else OF_ALL_DTYPES), value)
    return True


@preserves
def dead_view(e):
    value = e.pick([value for value in e.tensors() if e.value(value).dim() > 1 and e.is_told(value)])
    if value is None:
        return False
    e.call(e.after(value), "transpose", value, 0, 1)
    return True


@preserves
def dead_chain(e):
    value = e.pick(e.tensors())
    if value is None:
        return False
    place = e.after(value)
    first = e.call(place, "add", value, 1.0)
    e.call(place, "mul", e.call(place, "sigmoid", first), first)
    return True


@preserves
def dead_number(e):
    """An unused size."""
    value = e.pick([value for value in e.tensors(floats=False) if e.value(value).dim() > 0 and e.is_told(value)])
    if value is None:
        return False
    if e.is_exported:
        e.call(e.after(value), aten.sym_size.int, value, 0)
    else:
        with e.graph.inserting_before(e.after(value)):
            e.graph.call_method("size", (value, 0))
    return True


@preserves
def pure_call_twice(e):
    def fits(node):
        return is_fresh(node) and len(node.users) > 1 and e.is_private(node) and e.is_quiet(node) and all(map(e.is_quiet, node.all_input_nodes))
    node = e.pick(e.nodes(fits))
    if node is None:
        return False
    with e.graph.inserting_after(node):
        other = e.graph.node_copy(node, lambda one: one)
    e.replace(e.rng.choice([user for user in e.users(node) if user.op != "output"] or [other]), node, other)
    return bool(other.users)


@preserves
def in_place_on_a_value_of_its_own(e):
    """relu_(x) instead of relu(x), if x has no other users."""
    def fits(node):
        value = node.args[0] if node.args else None
        return isinstance(value, torch.fx.Node) and is_fresh(value) and len(value.users) == 1 and e.is_tensor(value) and e.is_tensor(node) and (
            len(node.all_input_nodes) == 1)
    node = e.pick([node for node in e.calls("relu", "neg", "tanh", "sigmoid", "exp", "sin", "cos") if fits(node)])
    if node is None or torch.is_grad_enabled() and name_of(node.args[0]) in ("exp", "tanh", "sigmoid", "relu", "softmax", "sqrt", "rsqrt"):
        return False
    name = name_of(node) + "_"
    node.op, node.target = ("call_function", getattr(aten, name).default) if e.is_exported else ("call_method", name)
    node.kwargs = {}
    return True


@preserves
def out_of_place_on_a_value_of_its_own(e):
    """relu(x) instead of relu_(x), if x has no other users, before or after."""
    def fits(node):
        value = node.args[0] if node.args else None
        return isinstance(value, torch.fx.Node) and is_fresh(value) and len(value.users) == 1 and node.users and e.is_tensor(node)
    node = e.pick([node for node in e.calls("relu_", "mul_", "add_", "clamp_", "masked_fill_") if fits(node)])
    if node is None:
        return False
    name = name_of(node)[:-1]
    node.target = getattr(getattr(aten, name), node.target._overloadname) if e.is_exported else name
    return True


@preserves
def size_in_another_spelling(e):
    """x.size(0), x.shape[0], and the operator for both."""
    if e.is_exported:
        return False
    node = e.pick([node for node in e.calls("size", "sym_size") if len(node.args) == 2])
    if node is not None:
        x, dim = node.args
        if node.op == "call_function":
            node.op, node.target = "call_method", "size"
            return True
        with e.graph.inserting_before(node):
            shape = e.graph.call_function(getattr, (x, "shape"))
            item = e.graph.call_function(operator.getitem, (shape, dim))
        item.meta.update(node.meta)
        node.replace_all_uses_with(item)
        e.graph.erase_node(node)
        return True
    node = e.pick([node for node in e.calls("getitem") if isinstance(node.args[0], torch.fx.Node) and name_of(node.args[0]) == "getattr" and node.args[0].args[1] == "shape"])
    if node is None:
        return False
    node.op, node.target, node.args = "call_method", "size", (node.args[0].args[0], node.args[1])
    return True


@preserves
def size_given_for_minus_one(e):
    """Replaces the last size of view by -1, or -1 by the size; only with static sizes."""
    def fits(node):
        value, shape = e.value(node), node.args[1] if len(node.args) == 2 else ()
        return isinstance(value, torch.Tensor) and isinstance(shape, (list, tuple)) and all(isinstance(s, int) for s in shape) and (
            all(isinstance(s, int) for s in value.shape) and len(shape) == value.dim() and value.numel() and e.is_told(node) and e.is_told(node.args[0]))
    node = e.pick([node for node in e.calls("view", "reshape", "expand") if len(node.args) == 2 and fits(node)])
    if node is None:
        return False
    shape, whole = list(node.args[1]), list(e.value(node).shape)
    if -1 in shape:
        node.update_arg(1, whole)
    elif name_of(node) == "expand":
        same = [i for i, size in enumerate(e.value(node.args[0]).shape) if len(whole) == e.value(node.args[0]).dim() and size == whole[i]]
        if not same:
            return False
        node.update_arg(1, [-1 if i == same[0] else size for i, size in enumerate(whole)])
    else:
        place = e.rng.randrange(len(shape))
        node.update_arg(1, [-1 if i == place else size for i, size in enumerate(whole)])
    return True


@preserves
def reshape_for_view(e):
    """reshape instead of view: if view succeeds, reshape returns the same view."""
    node = e.pick([node for node in e.calls("view") if len(node.args) == 2 and isinstance(node.args[1], (list, tuple)) and (
        name_of(node.args[0]) in FRESH and name_of(node.args[0]) in ("linear", "matmul", "mm", "bmm", "addmm", "clone", "softmax", "cat"))])
    if node is None:
        return False
    if e.is_exported:
        node.target = aten.reshape.default
    else:
        node.target = "reshape"
    return True


@preserves
def transposition_in_another_spelling(e):
    def fits(node):
        return e.is_told(node.args[0]) and isinstance(e.value(node.args[0]), torch.Tensor)
    node = e.pick([node for node in e.calls("transpose", "t", "permute") if node.args and fits(node)])
    if node is None:
        return False
    count = e.value(node.args[0]).dim()
    if name_of(node) == "transpose":
        a, b = (d % count for d in node.args[1:3])
        order = list(range(count))
        order[a], order[b] = b, a
    elif name_of(node) == "t":
        order = list(range(count))[::-1]
    else:
        order = [d % count for d in node.args[1]] if isinstance(node.args[1], (list, tuple)) else []
    moved = [i for i, d in enumerate(order) if i != d]
    if len(moved) == 2 and name_of(node) != "transpose":
        node.args = (node.args[0], *(moved if e.rng.random() < 0.5 else moved[::-1]))
        node.op, node.target = e.target("transpose")
    elif len(moved) == 2:
        node.args = (node.args[0], order) if e.rng.random() < 0.5 else (node.args[0], node.args[2], node.args[1])
        node.op, node.target = e.target("permute" if len(node.args) == 2 else "transpose")
    else:
        return False
    node.kwargs = {}
    return True


@preserves
def dropout_that_drops_nothing(e):
    """Removes or inserts dropout outside of training, which returns its argument."""
    node = e.pick([node for node in e.calls("dropout") if (node.args[2:3] or (node.kwargs.get("training"),))[0] is False])
    if node is not None and e.rng.random() < 0.5:
        node.replace_all_uses_with(node.args[0])
        e.graph.erase_node(node)
        return True
    edge = e.pick(e.edges(lambda user, value: user.op != "output"))
    call = aten.dropout.default if e.is_exported else torch.nn.functional.dropout
    return _put_in(e, edge, lambda user, value: e.call(user, call, value, 0.3, False))


@preserves
def assertion_twice(e):
    node = e.pick(e.nodes(lambda node: "assert" in name_of(node) or name_of(node).startswith("sym_constrain")))
    if node is None:
        return False
    with e.graph.inserting_after(node):
        e.graph.node_copy(node, lambda one: one)
    return True


@preserves
def assertion_that_holds_left_out(e):
    """An assertion of the dtype, device, or layout of a tensor that always has them."""
    node = e.pick([node for node in e.calls("_assert_tensor_metadata") if not node.users])
    if node is None:
        return False
    e.graph.erase_node(node)
    return True


@preserves
def dims_of_a_reduction_in_another_order(e):
    node = e.pick([node for node in e.calls("sum", "mean", "amax", "var") if len(node.args) > 1 and isinstance(
        node.args[1], (list, tuple)) and len(node.args[1]) > 1])
    if node is None:
        return False
    node.update_arg(1, list(node.args[1])[::-1])
    return True


@preserves
def dead_call_taken_away(e):
    node = e.pick([node for node in e.nodes(is_fresh) if not node.users and name_of(node) in TOTAL])
    if node is None:
        return False
    e.graph.erase_node(node)
    return True


@preserves
def item_read_twice(e):
    """Two reads of an item of a result instead of one."""
    node = e.pick([node for node in e.calls("getitem") if len(node.users) > 1 and isinstance(e.value(node.args[0]), (tuple, list)) and (
        isinstance(node.args[0], torch.fx.Node) and not is_inplace(node.args[0]) and name_of(node.args[0]) not in ("list", "dict", "size"))])
    if node is None:
        return False
    with e.graph.inserting_after(node):
        other = e.graph.node_copy(node, lambda one: one)
    e.replace(e.users(node)[0], node, other)
    return True


@preserves
def write_that_changes_nothing(e):
    """Multiplies a buffer by one, or copies it onto itself."""
    if e.is_exported:
        found = e.nodes(lambda node: node.name.startswith("b_"), op="placeholder") if e.is_root else []
    else:
        buffers = dict(e.owner.named_buffers())
        found = e.nodes(lambda node: node.target in buffers, op="get_attr")
    value = e.pick([node for node in found if isinstance(e.value(node), torch.Tensor)])
    if value is None:
        return False
    place = e.pick([node for node in e.nodes() if value in node.all_input_nodes] + [e.output()])
    if e.rng.random() < 0.5:
        e.call(place, "mul_", value, 1)
    else:
        e.call(place, "copy_", value, e.call(place, "clone", value))
    return True
