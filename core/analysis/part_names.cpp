#include "analysis/part_names.h"

#include <algorithm>
#include <array>

namespace sunder {
namespace {

/// Attributes of every torch.nn.Module and attributes that GraphModule sets on itself, in PyTorch 2.13. Sorted.
// clang-format off
constexpr auto kTaken = std::to_array<std::string_view>({
    "T_destination", "__annotations__", "__call__", "__class__", "__delattr__", "__dict__", "__dir__", "__doc__",
    "__eq__", "__format__", "__ge__", "__getattr__", "__getattribute__", "__getstate__", "__gt__", "__hash__",
    "__init__", "__init_subclass__", "__le__", "__lt__", "__module__", "__ne__", "__new__", "__reduce__",
    "__reduce_ex__", "__repr__", "__setattr__", "__setstate__", "__sizeof__", "__str__", "__subclasshook__",
    "__weakref__", "_apply", "_backward_hooks", "_backward_pre_hooks", "_buffers", "_call_impl", "_code",
    "_compiled_call_impl", "_create_node_hooks", "_deepcopy_hooks", "_erase_node_hooks", "_forward_hooks",
    "_forward_hooks_always_called", "_forward_hooks_with_kwargs", "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs", "_get_backward_hooks", "_get_backward_pre_hooks", "_get_name", "_graph",
    "_is_full_backward_hook", "_lineno_map", "_load_from_state_dict", "_load_state_dict_post_hooks",
    "_load_state_dict_pre_hooks", "_maybe_warn_non_full_backward_hook", "_modules", "_named_members",
    "_non_persistent_buffers_set", "_parameters", "_prologue_start", "_register_load_state_dict_pre_hook",
    "_register_state_dict_hook", "_replace_hooks", "_replicate_for_data_parallel", "_save_to_state_dict",
    "_slow_forward", "_state_dict_hooks", "_state_dict_pre_hooks", "_tracer_extras", "_version",
    "_wrapped_call_impl", "add_module", "apply", "bfloat16", "buffers", "call_super_init", "children", "compile",
    "cpu", "cuda", "double", "dump_patches", "eval", "extra_repr", "float", "forward", "get_buffer",
    "get_extra_state", "get_parameter", "get_submodule", "graph", "half", "ipu", "load_state_dict", "meta", "modules",
    "mtia", "named_buffers", "named_children", "named_modules", "named_parameters", "parameters",
    "register_backward_hook", "register_buffer", "register_forward_hook", "register_forward_pre_hook",
    "register_full_backward_hook", "register_full_backward_pre_hook", "register_load_state_dict_post_hook",
    "register_load_state_dict_pre_hook", "register_module", "register_parameter", "register_state_dict_post_hook",
    "register_state_dict_pre_hook", "requires_grad_", "set_extra_state", "set_submodule", "share_memory", "state_dict",
    "to", "to_empty", "train", "training", "type", "xpu", "zero_grad",
});
// clang-format on
static_assert(std::is_sorted(kTaken.begin(), kTaken.end()));

} // namespace

std::optional<std::string> whyNoModuleName(std::string_view name)
{
    if (name.empty())
        return "it is empty";
    if (name.find('.') != std::string_view::npos)
        return "it contains a dot";
    if (std::binary_search(kTaken.begin(), kTaken.end(), name))
        return "every module has an attribute with that name";
    return std::nullopt;
}

std::optional<std::string> whyNoPartName(const Graph& graph, std::string_view name)
{
    if (std::optional<std::string> why = whyNoModuleName(name); why)
        return why;
    bool isTaken = false;
    if (const NodeId output = graph.output(); output && !graph[output].args.empty())
        forEachNode(graph[output].args.front(), [&](NodeId result) {
            isTaken = isTaken || (graph[result].op == Op::getAttr && graph[result].name.view() == name);
        });
    return isTaken ? std::optional<std::string>("the output reads an attribute with that name") : std::nullopt;
}

} // namespace sunder
