"""Changes that alter meaning: shapes and views, results, weights."""

import torch

from changes import alters
from editing import aten, name_of
from facts import CALL, evaluate
from preserving_programs import _read


@alters
def result_left_out(e):
    found = e.output().args[0]
    if e.is_exported or not isinstance(found, (tuple, list)) or len(found) < 2:
        return False
    items = list(found)
    items.pop(e.rng.randrange(len(items)))
    e.output().args = (tuple(items),)
    return True


def _user_outputs(e):
    """Places of results that are returned to the caller."""
    found = e.output().args[0]
    if not isinstance(found, (tuple, list)):
        return []
    if not e.is_exported or not e.is_root:
        return list(range(len(found)))
    specs = e.subject.exported.graph_signature.output_specs
    return [i for i, spec in enumerate(specs) if spec.kind.name == "USER_OUTPUT"]


@alters
def results_swapped(e):
    places = _user_outputs(e)
    if len(places) < 2:
        return False
    i, j = e.rng.sample(places, 2)
    items = list(e.output().args[0])
    items[i], items[j] = items[j], items[i]
    e.output().args = (tuple(items),)
    return True


@alters
def other_result(e):
    places = [i for i in _user_outputs(e) if isinstance(e.output().args[0][i], torch.fx.Node)]
    place = e.pick(places)
    if place is None:
        return False
    items = list(e.output().args[0])
    others = [one for one in e.tensors(floats=False) if one is not items[place]]
    same = [one for one in others if isinstance(e.value(items[place]), torch.Tensor) and e.value(one).shape == e.value(items[place]).shape]
    items[place] = e.rng.choice(same or others)
    e.output().args = (tuple(items),)
    return True


@alters
def one_result_twice(e):
    """Returns one tensor for two results that were computed separately."""
    places = [i for i in _user_outputs(e) if e.is_tensor(e.output().args[0][i])]
    if len(places) < 2:
        return False
    i, j = e.rng.sample(places, 2)
    items = list(e.output().args[0])
    items[i] = items[j]
    e.output().args = (tuple(items),)
    return True


@alters
def nesting_of_results(e):
    """A list instead of a tuple, a dict with other keys or another order, or one more nesting level."""
    if not e.is_root:
        return False
    if e.is_exported:
        from torch.utils import _pytree as pytree
        held = e.subject.exported.module_call_graph[0].signature
        nested = pytree.tree_unflatten(list(range(held.out_spec.num_leaves)), held.out_spec)
        held.out_spec = pytree.tree_structure(_renested(e, nested))
        return True
    e.output().args = (_renested(e, e.output().args[0]),)
    return True


def _renested(e, value):
    if isinstance(value, dict) and len(value) > 1 and e.rng.random() < 0.6:
        return {f"{key}_": item for key, item in value.items()} if e.rng.random() < 0.5 else dict(reversed(list(value.items())))
    if isinstance(value, (tuple, list)) and e.rng.random() < 0.7:
        return list(value) if isinstance(value, tuple) else tuple(value)
    return (value,)


@alters
def other_shape_of_a_view(e):
    node = e.pick([node for node in e.calls("view", "reshape", "expand") if len(node.args) == 2 and isinstance(node.args[1], (list, tuple)) and len(node.args[1]) > 1])
    if node is None:
        return False
    shape = list(node.args[1])
    i, j = e.rng.sample(range(len(shape)), 2)
    shape[i], shape[j] = shape[j], shape[i]
    node.update_arg(1, shape)
    return True


@alters
def transposed_for_viewed(e):
    node = e.pick([node for node in e.calls("view", "reshape") if isinstance(node.args[0], torch.fx.Node) and isinstance(e.value(node.args[0]), torch.Tensor)
                   and e.value(node.args[0]).dim() > 1])
    if node is None:
        return False
    node.op, node.target = e.target("transpose")
    node.args, node.kwargs = (node.args[0], -1, -2), {}
    return True


@alters
def other_order_of_dims(e):
    node = e.pick(e.calls("transpose", "permute", "t"))
    if node is None:
        return False
    node.replace_all_uses_with(node.args[0])
    e.graph.erase_node(node)
    return True


@alters
def kept_dimension(e):
    names = ("sum", "mean", "amax", "argmax", "any")
    node = e.pick([node for node in e.calls(*names) if len(node.args) > 1])
    if node is None:
        return False
    if len(node.args) > 2:
        node.update_arg(2, not node.args[2])
    else:
        node.kwargs = {**node.kwargs, "keepdim": not node.kwargs.get("keepdim", False)}
    return True


@alters
def number_for_a_tensor(e):
    """A tensor of one element as a number."""
    edge = e.pick(e.edges(lambda user, value: e.value(value).dim() == 0))
    if edge is None:
        return False
    user, value = edge
    e.replace(user, value, e.call(user, aten.item.default, value) if not e.is_exported else e.call(user, aten.unsqueeze.default, value, 0))
    return True


@alters
def zero_for_a_value(e):
    edge = e.pick(e.edges())
    if edge is None:
        return False
    user, value = edge
    e.replace(user, value, e.call(user, e.rng.choice(["zeros_like", "ones_like", "empty_like"][:2]), value))
    return True


@alters
def masked_by_a_comparison(e):
    """x becomes where(x == x, x, 0), which differs only for NaN."""
    edge = e.pick(e.edges())
    if edge is None:
        return False
    user, value = edge
    same = e.call(user, aten.eq.Tensor, value, value)
    e.replace(user, value, e.call(user, aten.where.self, same, value, e.call(user, aten.zeros_like.default, value)))
    return True


@alters
def hidden_by_a_constant(e):
    """A difference that a product with zero hides, except for NaN and the sign."""
    edge = e.pick(e.edges(lambda user, value: len(user.all_input_nodes) > 0))
    others = e.tensors(before=edge[0]) if edge else []
    others = [one for one in others if e.value(one).shape == e.value(edge[1]).shape]
    if not others:
        return False
    user, value = edge
    nothing = e.call(user, "mul", e.rng.choice(others), 0.0)
    e.replace(user, value, e.call(user, "add", value, nothing))
    return True


@alters
def size_for_a_constant(e):
    """A symbolic size, or a size that the program queries, is replaced by its value in the example."""
    node = e.pick([node for node in e.calls("size", "sym_size", "getitem") if isinstance(e.value(node), (int, torch.SymInt)) and node.users])
    if node is None:
        return False
    known = e.value(node)
    number = known if isinstance(known, int) else known.node.hint if known.node.has_hint() else 3
    for user in e.users(node):
        user.args = torch.fx.node.map_arg(user.args, lambda one: number if one is node else one)
        user.kwargs = torch.fx.node.map_arg(user.kwargs, lambda one: number if one is node else one)
    return True


def _named(e, test=lambda value: True):
    if e.is_exported:
        state = e.subject.exported._state_dict
        return [name for name, value in state.items() if test(value)]
    return [node.target for node in e.nodes(op="get_attr") if isinstance(_read(e.owner, node.target), torch.Tensor) and test(_read(e.owner, node.target))]


def _set(e, name, value):
    if e.is_exported:
        e.subject.exported._state_dict[name] = value
        return
    *steps, last = name.split(".")
    module = e.owner
    for step in steps:
        fresh = torch.nn.Module()
        fresh.__dict__.update({key: dict(item) if key in ("_parameters", "_buffers", "_modules") else item for key, item in vars(getattr(module, step)).items()})
        fresh.__class__ = type(getattr(module, step))
        setattr(module, step, fresh)
        module = fresh
    for held in (module._parameters, module._buffers):
        if last in held:
            held[last] = value
            return
    setattr(module, last, value)


def _like(value, made):
    return torch.nn.Parameter(made, requires_grad=value.requires_grad) if isinstance(value, torch.nn.Parameter) else made


def _change_weight(e, change, test=lambda value: True, changes_form=False):
    """Gives a weight other contents. With `changes_form`, also gives it and its node another form."""
    name = e.pick(_named(e, test))
    if name is None:
        return False
    old = e.subject.exported.state_dict[name] if e.is_exported else _read(e.owner, name)
    _set(e, name, _like(old, change(old.detach().clone())))
    if changes_form and e.is_exported:
        root = e.subject.module
        specs = zip(root.graph.nodes, e.subject.exported.graph_signature.input_specs)
        node = next(node for node, spec in specs if spec.target == name)
        node.meta["val"] = evaluate(lambda: change(node.meta["val"]), root)
        for user in node.users:
            user.meta.pop(CALL, None)
    return True


@alters
def other_weight(e):
    def change(value):
        flat = value.reshape(-1)
        place = e.rng.randrange(flat.numel())
        flat[place] = flat[place] + 1 if not value.is_floating_point() else torch.nextafter(flat[place], torch.tensor(9.0, dtype=value.dtype))
        return value
    return _change_weight(e, change, lambda value: value.numel() and not value.is_complex() and value.dtype != torch.bool)


@alters
def weight_with_a_negative_zero(e):
    def change(value):
        value[value == 0] = -0.0
        return value
    return _change_weight(e, change, lambda value: value.is_floating_point() and bool((value == 0).any()))


@alters
def weight_in_other_strides(e):
    def change(value):
        strides = value.transpose(0, 1).contiguous().transpose(0, 1).stride()
        return torch.empty_strided(value.shape, strides, dtype=value.dtype).copy_(value)  # not a view, which cannot be detached in place
    return _change_weight(e, change, lambda value: value.dim() > 1, True)


@alters
def weight_of_another_dtype(e):
    return _change_weight(e, lambda value: value.double(), lambda value: value.dtype == torch.float32, True)


@alters
def weight_that_requires_no_gradient(e):
    name = e.pick(_named(e, lambda value: isinstance(value, torch.nn.Parameter)))
    if name is None:
        return False
    old = e.subject.exported.state_dict[name] if e.is_exported else _read(e.owner, name)
    _set(e, name, torch.nn.Parameter(old.detach().clone(), requires_grad=not old.requires_grad))
    return True


@alters
def weights_swapped(e):
    names = list(dict.fromkeys(_named(e)))
    state = (lambda name: e.subject.exported.state_dict[name]) if e.is_exported else (lambda name: _read(e.owner, name))
    pairs = [(a, b) for a in names for b in names if a < b and state(a).shape == state(b).shape and state(a).dtype == state(b).dtype]
    pair = e.pick(pairs)
    if pair is None:
        return False
    a, b = state(pair[0]), state(pair[1])
    _set(e, pair[0], _like(a, b.detach().clone()))
    _set(e, pair[1], _like(b, a.detach().clone()))
    return True


@alters
def weights_in_one_memory(e):
    """Makes two weights of one shape the same tensor."""
    names = list(dict.fromkeys(_named(e)))
    state = (lambda name: e.subject.exported.state_dict[name]) if e.is_exported else (lambda name: _read(e.owner, name))
    pairs = [(a, b) for a in names for b in names if a < b and state(a).shape == state(b).shape and type(state(a)) is type(state(b))]
    pair = e.pick(pairs)
    if pair is None:
        return False
    _set(e, pair[0], state(pair[1]))
    return True


@alters
def other_name_of_a_called_operator(e):
    """A similar operator: another rounding, another reduction, another activation."""
    similar = {"softmax": "log_softmax", "sum": "mean", "mean": "sum", "round": "floor", "gelu": "silu", "amax": "amin", "cumsum": "cumprod",
               "max_pool2d": "avg_pool2d", "cat": "stack", "rand_like": "randn_like", "log1p": "log", "sort": "argsort", "zeros": "ones"}
    node = e.pick([node for node in e.calls(*similar) if node.op == "call_function"])
    if node is None:
        return False
    name = similar[name_of(node)]
    if isinstance(node.target, torch._ops.OpOverload):
        packet = getattr(aten, name)
        node.target = getattr(packet, node.target._overloadname) if node.target._overloadname in packet.overloads() else getattr(packet, packet.overloads()[0])
    else:
        node.target = getattr(torch, name, None) or getattr(torch.nn.functional, name)
    return True
