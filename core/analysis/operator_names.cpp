#include "analysis/operator_names.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_set>

namespace sunder {
namespace {

using Names = std::unordered_set<std::string_view>;

bool startsWithAny(std::string_view text, std::span<const std::string_view> prefixes)
{
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
        return text == prefix || (text.starts_with(prefix) && text[prefix.size()] == '.');
    });
}

} // namespace

bool seesLayout(const OperatorName& name)
{
    static const Names names{
        "__getattr__", "_reshape_alias", "as_strided", "as_strided_", "as_strided_copy", "as_strided_scatter", "data_ptr",
        "getattr", "is_contiguous", "is_set_to", "set_", "storage", "storage_offset", "stride", "sym_is_contiguous",
        "sym_storage_offset", "sym_stride", "untyped_storage"};
    return names.contains(name.name) || (name.name == "view" && name.overload == "dtype");
}

bool failsByFormOnly(std::string_view name)
{
    static const Names names{
        "abs", "adaptive_avg_pool1d", "adaptive_avg_pool2d", "add", "addmm", "amax", "amin", "arange", "atan2", "avg_pool1d",
        "avg_pool2d", "baddbmm", "bmm", "broadcast_to", "cat", "ceil", "chunk", "clamp", "clone", "concat", "concatenate",
        "contiguous", "conv1d", "conv2d", "conv3d", "convolution", "cos", "cosh", "detach", "elu", "empty", "empty_like",
        "eq", "erf", "exp", "expand", "expand_as", "expm1", "flatten", "float", "floor", "full", "full_like", "ge", "gelu",
        "group_norm", "gt", "hardswish", "hardtanh", "half", "layer_norm", "le", "leaky_relu", "lerp", "linear", "log",
        "log_softmax", "logical_and", "logical_not", "logical_or", "lt", "matmul", "max_pool1d", "max_pool2d", "maximum",
        "mean", "minimum", "mish", "mm", "movedim", "mse_loss", "mul", "native_group_norm", "native_layer_norm", "ne", "neg", "ones",
        "ones_like", "pad", "permute", "reciprocal", "relu", "relu6", "reshape", "rms_norm", "round", "rsqrt", "rsub",
        "scalar_tensor", "select", "sigmoid", "sign", "silu", "sin", "sinh", "slice", "softmax", "softplus", "sort", "split",
        "split_with_sizes", "sqrt", "square", "squeeze", "stack", "sub", "sum", "t", "tan", "tanh", "topk", "transpose", "tril",
        "triu", "type_as", "unbind", "unflatten", "unsqueeze", "view", "view_as", "zeros", "zeros_like"};
    return names.contains(name);
}

bool handsOnGradients(const OperatorName& name)
{
    static const Names names{"abs", "add", "addmm", "bmm", "cat", "clone", "cos", "div", "exp", "expand", "gelu", "linear", "log",
                             "matmul", "mean", "mm", "mul", "neg", "permute", "pow", "relu", "rsqrt", "sigmoid", "silu", "sin",
                             "sqrt", "stack", "sub", "sum", "t", "tanh", "transpose", "unsqueeze"};
    return name.library == "torch.ops.aten" && names.contains(name.name);
}

bool isTensorLibrary(std::string_view library)
{
    static constexpr std::array<std::string_view, 18> kLibraries{
        "torch.ops.aten", "torch._C._nn", "torch._C._fft", "torch._C._linalg", "torch._C._special", "torch._C._sparse",
        "torch._C._nested", "torch._C._VariableFunctions", "torch._C.TensorBase", "torch._C._TensorBase",
        "torch.nn.functional", "torch.functional", "torch.linalg", "torch.fft", "torch.special", "torch.Tensor",
        "torch._tensor", "torch._VF"};
    return library == "torch" || library == "_operator" || library == "operator" || library == "math"
        || startsWithAny(library, kLibraries);
}

} // namespace sunder
