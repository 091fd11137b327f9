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

OperatorName operatorName(std::string_view target)
{
    const std::size_t last = target.rfind('.');
    if (last == std::string_view::npos)
        return {{}, target, {}};
    if (!target.starts_with("torch.ops.") || target.starts_with("torch.ops.higher_order."))
        return {target.substr(0, last), target.substr(last + 1), {}};
    const std::size_t before = target.rfind('.', last - 1);
    // "torch.ops.aten.add" is a packet without an overload: its library has one dot less.
    if (before == std::string_view::npos || std::ranges::count(target.substr(0, before), '.') < 2)
        return {target.substr(0, last), target.substr(last + 1), {}};
    return {target.substr(0, before), target.substr(before + 1, last - before - 1), target.substr(last + 1)};
}

bool isView(std::string_view name)
{
    static const Names names{
        "_conj", "_fw_primal", "_neg_view", "_reshape_alias", "_unsafe_view", "adjoint", "alias", "as_strided",
        "broadcast_to", "chunk", "detach", "diagonal", "dsplit", "expand", "expand_as", "hsplit", "imag", "lift_fresh",
        "linalg_diagonal", "matrix_H", "mH", "mT", "moveaxis", "movedim", "narrow", "numpy_T", "permute", "select",
        "slice", "split", "split_with_sizes", "squeeze", "swapaxes", "swapdims", "t", "tensor_split", "transpose",
        "unbind", "unflatten", "unfold", "unsafe_chunk", "unsafe_split", "unsafe_split_with_sizes", "unsqueeze", "view",
        "view_as", "view_as_complex", "view_as_real", "vsplit"};
    return names.contains(name);
}

bool mayReturnFirst(std::string_view name)
{
    static const Names names{
        "_autocast_to_full_precision", "_autocast_to_reduced_precision", "_cast_Byte", "_cast_Char", "_cast_Double",
        "_cast_Float", "_cast_Half", "_cast_Int", "_cast_Long", "_cast_Short", "_grad_sum_to_size", "_indices",
        "_make_dual", "_nested_get_values", "_reshape_from_tensor", "_sparse_broadcast_to", "_to_cpu", "_unpack_dual",
        "__iter__", "_asdict", "_replace", "_values", "alpha_dropout", "as_tensor", "asarray", "bfloat16", "block", "bool", "byte", "ccol_indices",
        "cdouble", "cfloat", "chalf", "channel_shuffle", "char", "coalesce", "col_indices", "conj", "conj_physical",
        "contiguous", "copy", "cpu", "crow_indices", "cuda", "data", "dequantize", "diag", "double", "dropout", "dropout1d",
        "dropout2d", "dropout3d", "feature_alpha_dropout", "feature_dropout", "flatten", "float", "get", "half", "indices",
        "int", "items", "keys", "lift", "long", "native_channel_shuffle", "pin_memory", "pixel_shuffle", "pixel_unshuffle", "pos",
        "positive", "ravel", "real", "requires_grad_", "reshape", "reshape_as", "resolve_conj", "resolve_neg",
        "row_indices", "short", "sparse_mask", "sum_to_size", "to", "to_dense", "to_here", "to_mkldnn",
        "to_padded_tensor", "to_sparse", "to_sparse_bsc", "to_sparse_bsr", "to_sparse_csc", "to_sparse_csr", "type",
        "type_as", "values", "wait_tensor", "xpu"};
    return names.contains(name);
}

bool mayReturnAny(std::string_view name)
{
    static const Names names{"atleast_1d",      "atleast_2d",   "atleast_3d",   "broadcast_tensors",
                             "cartesian_prod",  "chain_matmul", "combinations", "einsum",
                             "flatten_dense_tensors", "linalg_multi_dot", "meshgrid", "unflatten_dense_tensors",
                             "nested_view_from_jagged", "pad", "pad_sequence"};
    return names.contains(name);
}

bool isRandom(std::string_view name)
{
    static const Names names{
        "_cudnn_attention_forward", "_cudnn_init_dropout_state", "_cudnn_rnn", "_efficient_attention_forward",
        "_fill_mem_eff_dropout_mask_", "_flash_attention_forward", "_fused_dropout", "_sample_dirichlet",
        "_scaled_dot_product_attention_math", "_scaled_dot_product_cudnn_attention",
        "_scaled_dot_product_efficient_attention", "_scaled_dot_product_flash_attention",
        "_scaled_dot_product_flash_attention_for_cpu", "_scaled_dot_product_fused_attention_overrideable",
        "_standard_gamma", "bernoulli", "bernoulli_", "binomial", "cauchy", "cauchy_", "exponential", "exponential_",
        "fractional_max_pool2d", "fractional_max_pool2d_with_indices", "fractional_max_pool3d",
        "fractional_max_pool3d_with_indices", "geometric", "geometric_", "get_rng_state", "gumbel_softmax",
        "initial_seed", "log_normal", "log_normal_", "manual_seed", "miopen_rnn", "multinomial", "normal", "normal_",
        "normal_functional", "pca_lowrank", "philox_rand", "poisson", "rand", "rand_like", "randint", "randint_like",
        "randn", "randn_like", "random", "random_", "randperm", "rrelu_with_noise_functional", "seed", "set_rng_state",
        "svd_lowrank", "uniform", "uniform_"};
    return names.contains(name);
}

bool changesMetadata(std::string_view name)
{
    static const Names names{
        "_resize_output_", "as_strided_", "detach_", "rename_", "requires_grad_", "resize_", "resize_as_",
        "resize_as_sparse_", "retain_grad", "set_", "set_data", "sparse_resize_", "sparse_resize_and_clear_",
        "squeeze_", "swapaxes_", "swapdims_", "t_", "transpose_", "unsqueeze_", "setattr", "delattr"};
    return names.contains(name);
}

bool seesLayout(const OperatorName& name)
{
    static const Names names{
        "__getattr__", "_reshape_alias", "as_strided", "as_strided_", "as_strided_copy", "as_strided_scatter", "data_ptr",
        "getattr", "is_contiguous", "is_set_to", "set_", "storage", "storage_offset", "stride", "sym_is_contiguous",
        "sym_storage_offset", "sym_stride", "untyped_storage"};
    return names.contains(name.name) || (name.name == "view" && name.overload == "dtype");
}

bool isQuery(std::string_view name)
{
    static const Names names{
        "dense_dim", "dim", "element_size", "get_device", "is_complex", "is_contiguous", "is_floating_point",
        "is_signed", "len", "ndimension", "nelement", "numel", "size", "sparse_dim", "storage_offset", "stride",
        "sym_numel", "sym_size", "sym_storage_offset", "sym_stride", "__len__", "result_type", "sym_is_contiguous"};
    return names.contains(name);
}

bool isMetadataAttribute(std::string_view name)
{
    static const Names names{"shape", "dtype", "device", "ndim", "layout", "is_cuda", "is_sparse", "is_quantized",
                             "itemsize", "nbytes", "is_cpu", "is_mps", "is_meta", "is_nested"};
    return names.contains(name);
}

bool isAssertion(std::string_view name)
{
    static const Names names{
        "_assert", "_assert_async", "_assert_scalar", "_assert_tensor_metadata", "_check", "_check_index",
        "_check_is_size", "_check_not_implemented", "_check_tensor_all", "_check_type", "_check_value",
        "_check_with", "sym_constrain_range", "sym_constrain_range_for_size"};
    return names.contains(name);
}

bool changesContainer(std::string_view name)
{
    static const Names names{"append", "extend", "insert",  "pop",    "popitem",  "update",     "setdefault",
                             "remove", "clear",  "reverse", "delitem", "__setitem__", "__delitem__", "setitem",
                             "set_data", "next", "__next__", "appendleft", "popleft", "discard", "move_to_end",
                             "record_stream", "send", "close", "set_state", "__setstate__"};
    return names.contains(name);
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

bool isOutArgument(std::string_view keyword)
{
    if (keyword.starts_with("out"))
        return std::ranges::all_of(keyword.substr(3), [](char c) { return c >= '0' && c <= '9'; });
    static const Names names{
        "LD", "LU", "M", "P", "Q", "R", "S", "U", "V", "Vh", "X", "bin_edges", "buffer", "eigenvalues", "eigenvectors",
        "eigvals", "eigvecs", "exponent", "grad_bias", "grad_input", "grad_weight", "hist", "indices", "info",
        "inverse", "is_target", "logabsdet", "mantissa", "max", "max_values", "min", "min_indices", "output", "pivots",
        "rank", "reserve", "residuals", "result", "save_invstd", "save_mean", "sign", "singular_values", "solution",
        "tau", "total_weight", "values"};
    return names.contains(keyword);
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

bool isStatefulLibrary(std::string_view library)
{
    static constexpr std::array<std::string_view, 20> kLibraries{
        "torch._C", "torch._functorch", "torch.autograd", "torch.amp", "torch.cuda", "torch.cpu", "torch.xpu",
        "torch.mps", "torch.mtia", "torch.accelerator", "torch.random", "torch.backends", "torch.profiler",
        "torch.ops.profiler", "torch._dynamo", "torch.overrides", "torch.func", "torch._guards", "torch.utils._device",
        "torch.nn.attention"};
    return startsWithAny(library, kLibraries);
}

} // namespace sunder
