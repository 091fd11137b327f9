"""Changes that alter meaning: leaf modules, nested graphs, inputs, the domain."""

import copy

import torch
from torch.utils._sympy.value_ranges import ValueRanges

from changes import alters
from editing import name_of
from preserving_programs import _read


def _leaf(e, test):
    """Returns a call of a leaf module after copying the module, so that the original is unchanged; None if none fits."""
    node = e.pick([node for node in e.nodes(op="call_module") if not isinstance(_read(e.owner, node.target), torch.fx.GraphModule) and test(_read(e.owner, node.target))])
    if node is None:
        return None
    module = copy.deepcopy(_read(e.owner, node.target))
    *steps, last = node.target.split(".")
    holder = e.owner
    for step in steps:
        fresh = copy.copy(getattr(holder, step))
        fresh._modules = dict(fresh._modules)
        holder._modules[step] = fresh
        holder = fresh
    holder._modules[last] = module
    return module


#: Fields of leaf modules, with another value of each.
FIELDS = {"stride": (2, 2), "padding": (0, 0), "eps": 1e-3, "p": 0.7, "momentum": 0.3, "start_dim": 0, "approximate": "tanh",
          "kernel_size": 1, "negative_slope": 0.2, "groups": 1, "output_size": 1, "padding_idx": 3, "inplace": True, "ceil_mode": True,
          "track_running_stats": False, "batch_first": False, "dilation": (2, 2), "padding_mode": "circular", "scale_grad_by_freq": True}


@alters
def field_of_a_leaf_module(e):
    fields = lambda module: [key for key, value in FIELDS.items() if hasattr(module, key) and getattr(module, key) != value]  # noqa: E731
    module = _leaf(e, lambda module: bool(fields(module)))
    if module is None:
        return False
    name = e.rng.choice(fields(module))
    value = FIELDS[name]
    if isinstance(value, tuple) and isinstance(getattr(module, name), tuple):
        value = value[:1] * len(getattr(module, name))
    elif isinstance(value, tuple):
        value = value[0]
    setattr(module, name, value)
    return True


@alters
def field_of_a_module_in_a_leaf(e):
    module = _leaf(e, lambda module: any(True for _ in module.children()))
    if module is None:
        return False
    children = [child for child in module.modules() if child is not module]
    found = [(child, key) for child in children for key in (*FIELDS, "num_heads") if hasattr(child, key) and isinstance(getattr(child, key), (int, float, bool))]
    if not found:
        return False
    child, key = e.rng.choice(found)
    setattr(child, key, 4 if key == "num_heads" else not getattr(child, key) if isinstance(getattr(child, key), bool) else getattr(child, key) * 2 + 1e-3)
    return True


@alters
def leaf_module_in_the_other_mode(e):
    module = _leaf(e, lambda module: True)
    if module is None:
        return False
    module.train(not module.training)
    return True


@alters
def leaf_module_of_another_class(e):
    others = {torch.nn.ReLU: torch.nn.ReLU6, torch.nn.GELU: torch.nn.SiLU, torch.nn.MaxPool2d: torch.nn.AvgPool2d, torch.nn.Dropout: torch.nn.Identity,
              torch.nn.LeakyReLU: torch.nn.ELU, torch.nn.Flatten: torch.nn.Identity}
    node = e.pick([node for node in e.nodes(op="call_module") if type(_read(e.owner, node.target)) in others])
    if node is None:
        return False
    kind = others[type(_read(e.owner, node.target))]
    module = kind(2) if kind is torch.nn.AvgPool2d else kind()
    e.owner.add_submodule("another", module.train(_read(e.owner, node.target).training))
    node.target = "another"
    return True


@alters
def weight_of_a_leaf_module(e):
    module = _leaf(e, lambda module: any(True for _ in module.parameters()))
    if module is None:
        return False
    with torch.no_grad():
        value = e.rng.choice(list(module.parameters())).reshape(-1)
        value[e.rng.randrange(value.numel())] += 0.5
    return True


@alters
def hook_on_a_leaf_module(e):
    module = _leaf(e, lambda module: True)
    if module is None:
        return False
    module.register_forward_hook(lambda module, args, result: result * 2 if isinstance(result, torch.Tensor) else result)
    return True


@alters
def branches_swapped(e):
    node = e.pick(e.calls("cond"))
    if node is None:
        return False
    node.args = (node.args[0], node.args[2], node.args[1], *node.args[3:])
    return True


@alters
def operand_of_a_nested_graph(e):
    node = e.pick(e.nodes(lambda node: isinstance(node.target, torch._ops.HigherOrderOperator) and len(node.all_input_nodes) > 2))
    if node is None:
        return False
    given = [one for one in node.all_input_nodes if e.is_tensor(one)]
    others = [one for one in e.tensors(before=node)]
    if not given or not others:
        return False
    e.replace(node, e.rng.choice(given), e.rng.choice(others))
    return True


@alters
def constant_in_a_nested_graph(e):
    for module in e.subject.graph_modules()[1:]:
        nodes = [node for node in module.graph.nodes if any(type(arg) in (int, float) for arg in node.args)]
        if nodes and e.rng.random() < 0.6:
            node = e.rng.choice(nodes)
            node.args = tuple(arg + 1 if type(arg) in (int, float) else arg for arg in node.args)
            return True
    return False


@alters
def inputs_swapped(e):
    if not e.is_root or e.is_exported:
        return False
    places = e.nodes(op="placeholder")
    if len(places) < 2:
        return False
    first, second = e.rng.sample(places, 2)
    users = {user: True for user in (*first.users, *second.users)}
    for user in users:
        swap = lambda one: second if one is first else first if one is second else one  # noqa: E731
        user.args, user.kwargs = torch.fx.node.map_arg(user.args, swap), torch.fx.node.map_arg(user.kwargs, swap)
    return True


@alters
def range_of_a_size(e):
    if not e.is_exported or not e.subject.exported._range_constraints:
        return False
    ranges = e.subject.exported._range_constraints
    symbol = e.rng.choice(sorted(ranges, key=str))
    old = ranges[symbol]
    ranges[symbol] = ValueRanges(old.lower + 1, old.upper) if e.rng.random() < 0.6 else ValueRanges(old.lower, 4)
    return True


@alters
def module_with_other_graph(e):
    """Replaces a graph module by another one."""
    names = [node.target for node in e.nodes(op="call_module") if isinstance(_read(e.owner, node.target), torch.fx.GraphModule)]
    if len(set(names)) < 2:
        return False
    first, second = e.rng.sample(sorted(set(names)), 2)
    for node in e.nodes(op="call_module"):
        if node.target == first:
            node.target = second
            return True
    return False


@alters
def custom_operator_left_out(e):
    node = e.pick(e.nodes(lambda node: "campaign" in str(node.target) and not node.users))
    if node is None:
        return False
    e.graph.erase_node(node)
    return True


@alters
def result_of_a_call_for_its_operand(e):
    """A later user takes an operand of a call instead of its result, which distinguishes in-place calls."""
    found = [(user, node, node.args[0]) for node in e.nodes() if node.args and isinstance(node.args[0], torch.fx.Node) and e.is_tensor(node.args[0])
             and e.is_tensor(node) and e.value(node).shape == e.value(node.args[0]).shape for user in node.users]
    place = e.pick(found)
    if place is None:
        return False
    e.replace(*place)
    return True


@alters
def operand_for_the_result_of_a_call(e):
    """The reverse: uses an earlier value instead of its changed form."""
    found = []
    for node in e.nodes():
        first = node.args[0] if node.args else None
        if isinstance(first, torch.fx.Node) and e.is_tensor(first) and e.is_tensor(node) and e.value(node).shape == e.value(first).shape:
            seen = False
            for user in e.graph.nodes:
                seen = seen or user is node
                if seen and user is not node and first in user.all_input_nodes and name_of(user) != "":
                    found.append((user, first, node))
    place = e.pick(found)
    if place is None:
        return False
    e.replace(*place)
    return True
