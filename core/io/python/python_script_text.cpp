#include "io/python/python_script_text.h"

#include "support/text.h"

namespace sunder {
namespace {

/// Formats a text of the model for a docstring.
std::string docLine(std::string_view text)
{
    std::string line;
    for (const char c : visibleText(text))
        line += c == '"' || c == '\\' ? '\'' : c;
    return line;
}

} // namespace

std::string pythonDocText(std::string_view model, bool isTagged, const std::vector<std::string>& notes)
{
    std::string text = "\"\"\"" + docLine(model)
        + " as Python, written by Sunder.\n\nModel.forward() is the graph as torch.fx prints it.";
    if (isTagged)
        text += " split(graph_module) splits the same graph in PyTorch\nby the tags below:\n\n"
                "    program = torch.export.load(\"MODEL.pt2\")\n"
                "    parts = split(program.graph_module)";
    if (!notes.empty())
        text += "\n\nSome parts of the model could not be reproduced exactly:\n";
    for (const std::string& note : notes)
        text += "\n- " + docLine(note);
    return text + "\n\"\"\"\n";
}

std::string_view pythonAlwaysText()
{
    return R"(import torch
import torch.fx._pytree as fx_pytree
import torch.utils._pytree as pytree
from math import inf
from math import nan
from torch import device
NoneType = type(None)
)";
}

std::string_view pythonMissingText()
{
    return R"(

def missing(path):
    """Placeholder for a function that the graph calls and this file lacks: assign the function to its name."""
    def call(*args, **kwargs):
        raise RuntimeError(f"the function {path} is not in this file")
    return call
)";
}

std::string_view pythonModuleText()
{
    return R"(

class NotHere(torch.nn.Module):
    """A leaf module that the graph calls; take() replaces it by the real one."""

    def __init__(self, path, cls):
        super().__init__()
        self.path, self.cls = path, cls

    def forward(self, *args, **kwargs):
        raise RuntimeError(f"the module {self.path} ({self.cls}) is not in this file: take(model, original) puts it here")


def holder(root, path, module=None):
    """Returns the module at a path below root; creates it if missing, or sets it."""
    *parents, last = path.split(".")
    for name in parents:
        if name not in root._modules:
            root.add_module(name, torch.nn.Module())
        root = root._modules[name]
    if module is not None:
        root.add_module(last, module)
    elif last not in root._modules:
        root.add_module(last, torch.nn.Module())
    return root._modules[last]


def tensor(root, fqn, shape=None, dtype=None, role=None, requires_grad=False, persistent=True, same=None):
    """Sets an empty parameter, buffer, or constant, or an existing one again, under a name."""
    path, _, name = fqn.rpartition(".")
    module = holder(root, path) if path else root
    if isinstance(module, NotHere) or name in module._parameters or name in module._buffers:
        return
    if same is not None:
        path, _, other = same.rpartition(".")
        value = getattr(holder(root, path) if path else root, other, None)
        if value is None:
            return
    else:
        value = torch.empty(shape, dtype=dtype)
        if role == "parameter":
            value = torch.nn.Parameter(value, requires_grad=requires_grad)
    if isinstance(value, torch.nn.Parameter):
        module.register_parameter(name, value)
    else:
        module.register_buffer(name, value, persistent=persistent)
)";
}

std::string_view pythonTakeText()
{
    return R"(

def take(model, original):
    """Copies the modules and tensors of another module into a Model by name; for a split, also without the name of the part."""
    def found(path):
        for name in (path, path.partition(".")[2]):
            try:
                return functools.reduce(getattr, name.split("."), original) if name else None
            except AttributeError:
                pass
        return None

    for path, module in list(model.named_modules()):
        if isinstance(module, NotHere) and found(module.path) is not None:
            holder(model, path, found(module.path))
    for path, module in model.named_modules():
        for table in (module._parameters, module._buffers):
            for name in table:
                value = found(f"{path}.{name}" if path else name)
                if isinstance(value, torch.Tensor):
                    table[name] = value
    return model
)";
}

std::string_view pythonArgumentsText()
{
    return R"(

def arguments(program, *inputs):
    """Returns the arguments of Model.forward(): the weights and constants of an exported program, then its flat inputs."""
    return (*[held(program, name) for name in LIFTED], *inputs)


def held(program, name):
    """Returns a parameter, buffer, or constant of an exported program; without a name, an empty effect token."""
    if name is None:
        return torch.empty(0)
    return program.state_dict[name] if name in program.state_dict else program.constants[name]


def run(model, program, *args, **kwargs):
    """Runs like program.module(): takes nested inputs, returns nested outputs, and applies mutations."""
    spec = program.call_spec
    wanted = range(spec.in_spec.num_leaves)
    names = pytree.tree_unflatten(list(wanted), spec.in_spec)[1]
    flat, given = pytree.tree_flatten((args, {name: kwargs.pop(name) for name in names if name in kwargs}))
    if kwargs or len(flat) != len(wanted) or given != spec.in_spec:
        raise TypeError(f"the program takes {spec.in_spec}, not {given} and {sorted(kwargs)}")
    results = model(*arguments(program, *flat))
    kept = []
    with torch.no_grad():
        for (kind, name), value in zip(OUTPUTS, results):
            if kind == "result":
                kept.append(value)
            elif kind == "input":
                flat[INPUTS.index(name)].copy_(value)
            elif kind == "tensor":
                held(program, name).copy_(value)
    return pytree.tree_unflatten(kept, spec.out_spec) if len(kept) == spec.out_spec.num_leaves else tuple(kept)
)";
}

std::string_view pythonSplitText()
{
    return R"(

def split(graph_module, return_tuple=RETURN_TUPLE):
    """Calls split_by_tags of torch.fx with TAGS and ORDER. The graph must have the node names of the tagged one."""
    from torch.fx.passes.split_utils import split_by_tags
    calls = [node for node in graph_module.graph.nodes if node.op in ("call_function", "call_method", "call_module")]
    missing = [node.name for node in calls if node.name not in TAGS]
    unknown = set(TAGS) - {node.name for node in calls}
    if missing or unknown:
        raise ValueError(f"this is not the tagged graph: {len(missing)} of its calls have no tag "
                         f"{missing[:3]}, {len(unknown)} tagged names are not in it {sorted(unknown)[:3]}")
    for node in calls:
        node.tag = TAGS[node.name]
    return split_by_tags(graph_module, ORDER, return_tuple=return_tuple)


if __name__ == "__main__":
    import sys
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} MODEL.pt2")
    split(torch.export.load(sys.argv[1]).graph_module).print_readable()
)";
}

} // namespace sunder
