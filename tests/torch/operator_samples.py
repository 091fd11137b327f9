"""Calls of what core/operators/data/by_hand.txt lists and PyTorch's own samples do not reach."""

import collections
import functools
import math
import operator
import pathlib

DATA = pathlib.Path(__file__).resolve().parents[2] / "core" / "operators" / "data"


def lines_by_hand():
    """The targets of the list, without those that stand for a whole library."""
    for line in (DATA / "by_hand.txt").read_text().splitlines():
        if line and not line.startswith("#") and not line.split("\t")[0].endswith(".*"):
            yield line.split("\t")[0]


def reached(target, run_targets):
    """Whether a line of the list was run: a packet by any of its overloads, a method by its name."""
    if target.startswith("Tensor."):
        return target.removeprefix("Tensor.") in run_targets
    return target in run_targets or (target.startswith("torch.ops.")
                                     and any(found.startswith(target + ".") for found in run_targets))


def method_of(name, self, *args, **kwargs):
    return getattr(self, name)(*args, **kwargs)


class Samples:
    def __init__(self, torch, calls):
        self.torch, self.calls = torch, calls

    def function(self, function, *args, **kwargs):
        self.named(self.calls.fx_json.target("call_function", function), function, *args, **kwargs)

    def named(self, target, function, *args, **kwargs):
        self.calls.run("call_function", target, function, args, kwargs)

    def method(self, name, *args, **kwargs):
        self.calls.run("call_method", name, functools.partial(method_of, name), args, kwargs)

    def aten(self, name, *args, **kwargs):
        """The overload of an ATen packet that fits."""
        packet = getattr(self.torch.ops.aten, name)
        overload = self.torch._C._jit_resolve_packet("aten::" + name, *args, **kwargs)
        self.function(getattr(packet, overload or "default"), *args, **kwargs)


def run(torch, calls):
    s = Samples(torch, calls)
    for group in (dropout_and_noise, statistics, copies, sparse_and_nested, forms, questions, recurrent, functionals,
                  initialisation, functions, numbers, modes, methods, containers, python, higher_order):
        group(torch, s)


def x(*shape):
    import torch
    return torch.randn(*shape or (2, 3))


def dropout_and_noise(torch, s):
    names = ("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout")
    for p, train in ((0.5, True), (0.5, False), (0.0, True)):
        for name in names:
            shape = (2, 3, 4) if name.startswith("feature") else (2, 3)
            s.aten(name, x(*shape), p, train)
            s.aten(name + "_", x(*shape), p, train)
        s.aten("native_dropout", x(), p, train)
        s.aten("scaled_dot_product_attention", x(1, 2, 3, 4), x(1, 2, 3, 4), x(1, 2, 3, 4), None, p if train else 0.0)
        for function in (torch.nn.functional.dropout, torch.nn.functional.alpha_dropout):
            for inplace in (True, False):
                s.function(function, x(), p, train, inplace)
                s.function(function, x(), p=p, training=train, inplace=inplace)
        for function, shape in ((torch.nn.functional.dropout1d, (2, 3)), (torch.nn.functional.dropout1d, (2, 3, 4)),
                                (torch.nn.functional.dropout2d, (2, 3, 4, 5)), (torch.nn.functional.dropout3d, (3, 4, 5, 2)),
                                (torch.nn.functional.feature_alpha_dropout, (2, 3, 4))):
            for inplace in (True, False):
                s.function(function, x(*shape), p, train, inplace)
    for train in (True, False):
        s.aten("rrelu", x(), 0.1, 0.3, train)
        s.aten("rrelu_", x(), 0.1, 0.3, train)
        s.aten("rrelu_with_noise", x(), x(), 0.1, 0.3, train)
        s.aten("rrelu_with_noise_", x(), x(), 0.1, 0.3, train)
        for inplace in (True, False):
            s.function(torch.nn.functional.rrelu, x(), 0.1, 0.3, train, inplace)
    s.aten("_sample_dirichlet", torch.rand(2, 3))
    s.aten("_standard_gamma", torch.rand(2, 3))
    s.aten("binomial", torch.full((3,), 10.0), torch.full((3,), 0.5))
    s.aten("poisson", torch.rand(3))
    s.aten("_scaled_dot_product_flash_attention_for_cpu", x(1, 2, 3, 4), x(1, 2, 3, 4), x(1, 2, 3, 4))
    for function in (torch.nn.functional.fractional_max_pool2d_with_indices, torch.nn.functional._fractional_max_pool2d):
        s.function(function, x(1, 1, 6, 6), 2, 3)
        s.function(function, x(1, 1, 6, 6), 2, 3, None, False, torch.rand(1, 1, 2))
    for function in (torch.nn.functional.fractional_max_pool3d_with_indices, torch.nn.functional._fractional_max_pool3d):
        s.function(function, x(1, 1, 6, 6, 6), 2, 3)
    s.function(torch.nn.functional.gumbel_softmax, x())
    s.function(torch.pca_lowrank, x(5, 4), 2)
    s.function(torch.svd_lowrank, x(5, 4), 2)
    s.function(torch.lobpcg, torch.eye(9) * torch.arange(1.0, 10.0), 1)
    s.named("torch.get_rng_state", torch.get_rng_state)
    s.named("torch.seed", torch.seed)
    s.named("torch.manual_seed", torch.manual_seed, 5)
    s.function(torch.manual_seed, 6)
    s.function(torch.seed)
    s.function(torch.initial_seed)
    s.function(torch.get_rng_state)
    s.function(torch.set_rng_state, torch.get_rng_state())


def statistics(torch, s):
    for train in (True, False):
        def args(train=train):
            return (x(4, 3), torch.rand(3), torch.rand(3), torch.zeros(3), torch.ones(3), train, 0.1, 1e-5)
        for name in ("batch_norm", "_batch_norm_impl_index"):
            s.aten(name, *args(), False)
        for name in ("native_batch_norm", "_native_batch_norm_legit"):
            s.aten(name, *args())
            s.aten(name, *args(), out=torch.empty(0), save_mean=torch.empty(0), save_invstd=torch.empty(0))
        image = (x(2, 3, 4), torch.rand(3), torch.rand(3), torch.zeros(3), torch.ones(3), train, 0.1, 1e-5, False)
        s.aten("instance_norm", *image)
        s.function(torch.nn.functional.batch_norm, x(4, 3), torch.zeros(3), torch.ones(3), None, None, train)
        s.function(torch.nn.functional.instance_norm, x(2, 3, 4), torch.zeros(3), torch.ones(3), use_input_stats=train)
    s.aten("batch_norm_update_stats", x(4, 3), torch.zeros(3), torch.ones(3), 0.1)
    s.aten("_batch_norm_with_update", x(4, 3), torch.rand(3), torch.rand(3), torch.zeros(3), torch.ones(3), 0.1, 1e-5)
    s.aten("_cummax_helper", x(3), torch.empty(3), torch.empty(3, dtype=torch.int64), 0)
    s.aten("_cummin_helper", x(3), torch.empty(3), torch.empty(3, dtype=torch.int64), 0)
    for name in ("fused_moving_avg_obs_fake_quant", "_fused_moving_avg_obs_fq_helper"):
        s.aten(name, x(4), torch.tensor([1]), torch.tensor([1]), torch.zeros(1), torch.zeros(1), torch.ones(1),
               torch.zeros(1, dtype=torch.int32), 0.1, 0, 255, 0)


def copies(torch, s):
    for dtype, name in ((torch.float32, "Float"), (torch.float64, "Double"), (torch.uint8, "Byte"), (torch.int8, "Char"),
                        (torch.int16, "Short"), (torch.int32, "Int"), (torch.int64, "Long"), (torch.float16, "Half")):
        s.aten("_cast_" + name, torch.ones(3, dtype=dtype))
        s.aten("_cast_" + name, torch.ones(3, dtype=torch.bool))
    s.method("cpu", x())
    s.method("type", x(), torch.float32)
    s.aten("type_as", x(), x())
    s.aten("_to_cpu", [x()])
    s.aten("lift", x())
    s.aten("data", x())
    s.aten("_autocast_to_full_precision", x(), True, True)
    s.aten("_autocast_to_reduced_precision", x(), True, True, torch.float16, torch.bfloat16)
    s.aten("_grad_sum_to_size", x(), [2, 3])
    s.aten("_reshape_from_tensor", x(2, 3), torch.tensor([3, 2]))
    s.aten("_fw_primal", x(), 0)
    s.aten("_neg_view", x())
    for name in ("adjoint", "matrix_H", "numpy_T"):
        s.aten(name, x(2, 3))
        s.aten(name, torch.randn(2, 3, dtype=torch.complex64))
    s.aten("moveaxis", x(), 0, 1)
    s.aten("swapaxes", x(), 0, 1)
    s.aten("swapdims", x(), 0, 1)
    s.aten("linalg_diagonal", x(3, 3))
    one = x(3)
    s.aten("broadcast_tensors", [one, x(2, 3)])
    for function in (torch.broadcast_tensors, torch.meshgrid):
        s.function(function, x(3), x(1))
    s.aten("cartesian_prod", [x(3)])
    s.aten("cartesian_prod", [x(3), x(2)])
    s.function(torch.cartesian_prod, x(3))
    s.aten("chain_matmul", [x(3, 3)])
    s.function(torch.chain_matmul, x(3, 3))
    s.function(torch.chain_matmul, x(3, 3), x(3, 3), out=torch.empty(0))
    s.aten("einsum", "ij->ji", [x()])
    s.function(torch.einsum, "ij->ji", x())
    s.function(torch.einsum, "ii->i", x(3, 3))
    s.function(torch.einsum, "ij,jk->ik", x(2, 3), x(3, 2))
    s.aten("flatten_dense_tensors", [x(3)])
    s.aten("unflatten_dense_tensors", x(5), [x(2), x(3)])
    for pad in ([0, 0], [1, 1]):
        s.aten("pad", x(), pad)
        s.aten("_pad_enum", x(1, 2, 3), pad, 2)
        s.aten("_pad_circular", x(1, 2, 3), pad)
    s.aten("pad_sequence", [x(3)])
    s.aten("_pack_padded_sequence", x(3, 2, 1), torch.tensor([3, 2]), False)
    s.aten("_pad_packed_sequence", x(5, 1), torch.tensor([2, 2, 1]), False, 0.0, 3)
    s.aten("native_channel_shuffle", x(1, 4, 2, 2), 1)
    s.aten("native_channel_shuffle", x(1, 4, 2, 2), 2)
    s.aten("unsafe_split_with_sizes", x(3), [1, 2])
    s.aten("alias", x())
    s.aten("copy_", x(), x())


def sparse_and_nested(torch, s):
    coo = torch.eye(3).to_sparse()
    for name in ("_indices", "_values", "indices", "values", "coalesce"):
        s.aten(name, coo.coalesce())
    s.aten("coalesce", torch.sparse_coo_tensor([[0, 0]], [1.0, 2.0], (2,)))
    csr, csc = torch.eye(3).to_sparse_csr(), torch.eye(3).to_sparse_csc()
    for name, tensor in (("crow_indices", csr), ("col_indices", csr), ("values", csr), ("ccol_indices", csc),
                         ("row_indices", csc)):
        s.aten(name, tensor)
        s.method(name, tensor)
    for name, tensor in (("to_dense", coo), ("to_sparse_csr", csr), ("to_sparse_csr", coo), ("to_sparse_csc", csc),
                         ("to_sparse_bsr", torch.eye(4)), ("to_sparse_bsc", torch.eye(4)), ("to_dense", torch.eye(3))):
        s.aten(name, tensor, *((2, 2),) if "_bs" in name else ())
    s.aten("_sparse_broadcast_to", coo, [3, 3])
    s.method("to_sparse_coo", coo)
    s.method("is_coalesced", coo)
    s.aten("sparse_resize_", coo.clone(), [4, 4], 2, 0)
    s.aten("sparse_resize_and_clear_", coo.clone(), [4, 4], 2, 0)
    s.aten("resize_as_sparse_", coo.clone(), coo.clone())
    nested = torch.nested.nested_tensor([x(2, 3), x(1, 3)], layout=torch.jagged)
    s.aten("_nested_get_values", nested)
    s.aten("to_padded_tensor", nested, 0.0)
    quantized = torch.quantize_per_tensor(x(), 0.1, 0, torch.qint8)
    s.aten("dequantize", quantized)
    s.aten("dequantize", [quantized])
    s.aten("dequantize", x())
    s.aten("to_mkldnn", x())
    s.named("torch.spmm", torch.spmm, coo, x(3, 2))
    s.named("torch.dsmm", torch.dsmm, coo, x(3, 2))
    s.named("torch.hsmm", torch.hsmm, coo, x(3, 2))
    s.named("torch.saddmm", torch.saddmm, coo, coo, x(3, 3))


def forms(torch, s):
    s.aten("resize_", x(), [3, 3])
    s.aten("as_strided_", x(), [2], [1])
    s.aten("set_", x(), x(3, 3))
    s.aten("set_", x())
    s.aten("set_data", x(), x(3, 3))
    s.aten("swapaxes_", x(), 0, 1)
    s.aten("swapdims_", x(), 0, 1)
    s.aten("t_", x())
    s.aten("detach_", x())
    s.aten("requires_grad_", x())
    s.aten("retain_grad", x().requires_grad_())
    s.method("requires_grad_", x())
    s.method("detach_", x())
    s.method("retain_grad", x().requires_grad_())
    s.method("resize", x(), 3, 2)
    s.method("resize_as", x(), x(3, 2))
    s.method("share_memory_", x())


def questions(torch, s):
    for name in ("dim", "element_size", "get_device", "is_complex", "is_contiguous", "is_floating_point", "is_signed", "numel",
                 "size", "storage_offset", "stride", "is_inference", "is_pinned", "is_neg", "is_conj", "nelement",
                 "ndimension", "dim_order", "is_shared", "__len__", "__sizeof__", "_is_view", "storage_type",
                 "__dlpack_device__", "__hash__", "dense_dim", "sparse_dim"):
        s.method(name, x())
    for name in ("dim", "is_complex", "is_contiguous", "is_floating_point", "is_signed", "numel", "is_inference", "is_pinned",
                 "is_neg", "is_conj", "is_distributed", "is_leaf", "sym_numel", "sym_storage_offset", "sym_stride", "sym_size",
                 "size", "stride", "storage_offset", "sym_is_contiguous", "get_device", "element_size", "len"):
        if name in ("sym_size", "sym_stride", "size", "stride"):
            s.aten(name, x(), 0)
        else:
            s.aten(name, x())
    for name in ("dense_dim", "sparse_dim"):
        s.aten(name, torch.eye(2).to_sparse())
    for name in ("is_same_size", "is_set_to"):
        s.aten(name, x(), x())
        s.method(name, x(), x())
    s.aten("result_type", x(), 1)
    s.aten("can_cast", torch.float32, torch.int32)
    s.aten("promote_types", torch.float32, torch.int32)
    s.aten("_assert_async", torch.ones(1))
    s.aten("_assert_scalar", True, "message")
    s.aten("_assert_tensor_metadata", x(), [2, 3])
    s.aten("_functional_assert_async", torch.ones(1), "message", x(1))
    s.aten("_functional_assert_scalar", True, "message", x(1))
    s.aten("sym_constrain_range", 3, min=0, max=5)
    s.aten("sym_constrain_range_for_size", 3, min=0, max=5)
    s.aten("_functional_sym_constrain_range", 3, 0, 5, x(1))
    s.aten("_print", "")
    s.function(torch.broadcast_shapes, (2, 1), (3,))
    for function in (torch.is_tensor, torch.is_storage, torch.typename):
        s.function(function, x())
    s.function(torch._assert, True, "message")
    s.function(torch._check, True)
    s.function(torch._check_index, True)
    s.function(torch._check_is_size, 3)
    s.function(torch._check_not_implemented, True)
    s.function(torch._check_tensor_all, torch.ones(2, dtype=torch.bool))
    s.function(torch._check_type, True)
    s.function(torch._check_value, True)
    s.named("torch.finfo", torch.finfo, torch.float32)
    s.named("torch.iinfo", torch.iinfo, torch.int32)
    s.named("torch.device", torch.device, "cpu")
    s.named("torch.Size", torch.Size, [1, 2])


def recurrent(torch, s):
    for train, dropout in ((True, 0.5), (False, 0.5), (True, 0.0)):
        for name, make in (("lstm", torch.nn.LSTM), ("gru", torch.nn.GRU), ("rnn_tanh", torch.nn.RNN), ("rnn_relu", torch.nn.RNN)):
            layers = make(3, 4, num_layers=2)
            hidden = torch.zeros(2, 1, 4)
            hx = [hidden, hidden.clone()] if name == "lstm" else hidden
            s.aten(name, x(2, 1, 3), hx, layers._flat_weights, True, 2, dropout, train, False, False)
    attention = torch.nn.MultiheadAttention(4, 2)
    for train in (True, False):
        s.function(torch.nn.functional.multi_head_attention_forward, x(3, 1, 4), x(3, 1, 4), x(3, 1, 4), 4, 2,
                   attention.in_proj_weight, attention.in_proj_bias, None, None, False, 0.5, attention.out_proj.weight,
                   attention.out_proj.bias, train)


def functionals(torch, s):
    f = torch.nn.functional
    for name in ("max_pool", "adaptive_max_pool"):
        for dims in (1, 2, 3):
            for form in (f"{name}{dims}d_with_indices", f"_{name}{dims}d"):
                s.function(getattr(f, form), x(1, 2, *[4] * dims), 2)
    s.function(f.affine_grid, x(1, 2, 3), [1, 1, 2, 2])
    s.function(f.fold, x(1, 4, 4), (3, 3), 2)
    for dims in (1, 2, 3):
        s.function(getattr(f, f"lp_pool{dims}d"), x(1, 2, *[4] * dims), 2, 2)
    for name in ("softmax", "log_softmax", "softmin"):
        s.function(getattr(f, name), x(), 1)
    for name in ("sigmoid", "tanh"):
        s.function(getattr(f, name), x())
    for inplace in (True, False):
        s.function(f._threshold, x(), 0.1, 20.0, inplace)
        s.named("torch.nn.functional.threshold", f.threshold, x(), 0.1, 20.0, inplace)
        for name in ("relu", "relu6", "hardtanh", "hardsigmoid", "hardswish", "elu", "selu", "celu", "leaky_relu", "silu", "mish"):
            s.function(getattr(f, name), x(), inplace=inplace)
    for name in ("relu", "relu6", "hardsigmoid", "hardswish", "selu", "silu", "mish"):
        s.function(getattr(f, name), x(), True)
    for size in ((4, 4), (2, 2)):
        s.function(f.upsample, x(1, 1, 2, 2), size)
    indices = torch.tensor([0, 2])
    for max_norm in (None, 0.1):
        s.function(f.embedding, indices, x(3, 4), None, max_norm)
        s.function(f.embedding_bag, indices, x(3, 4), torch.tensor([0]), max_norm)
    s.function(f._no_grad_embedding_renorm_, x(3, 4), indices, 0.1, 2.0)
    s.function(f.normalize, x(), 2.0, 1, 1e-12, torch.empty(2, 3))
    s.function(f.normalize, x(), out=torch.empty(2, 3))
    s.function(f.pad, x(), [0, 0])
    s.function(f._in_projection, x(2, 4), x(2, 4), x(2, 4), x(4, 4), x(4, 4), x(4, 4))
    s.function(f._in_projection_packed, x(2, 4), x(2, 4), x(2, 4), x(12, 4))
    s.function(f._verify_batch_size, [2, 3])
    s.function(f._verify_spatial_size, [2, 3, 4])
    s.function(f._unpool_output_size, x(1, 1, 2), [2], [2], [0], None)
    s.function(f._get_softmax_dim, "softmax", 2, 1)
    s.function(f._none_or_dtype, x())
    s.function(f._canonical_mask, x(), "mask", None, "", torch.float32)
    s.function(f._canonical_mask, torch.ones(2, dtype=torch.bool), "mask", None, "", torch.float32)
    s.function(f._list_or_empty, [x()])
    s.function(f.grouped_mm, torch.randn(2, 8, 8, dtype=torch.bfloat16), torch.randn(2, 8, 8, dtype=torch.bfloat16))


def initialisation(torch, s):
    init = torch.nn.init
    for name in ("uniform_", "normal_", "trunc_normal_", "xavier_uniform_", "xavier_normal_", "kaiming_uniform_",
                 "kaiming_normal_", "orthogonal_", "ones_", "zeros_", "eye_", "xavier_uniform", "kaiming_normal", "eye",
                 "orthogonal"):
        s.function(getattr(init, name), x(4, 4))
    s.function(init.sparse_, x(4, 4), 0.5)
    for name in ("constant_", "constant"):
        s.function(getattr(init, name), x(4, 4), 2.0)
    for name in ("dirac_", "dirac"):
        s.function(getattr(init, name), x(4, 4, 3))
    s.function(init.calculate_gain, "relu")


def functions(torch, s):
    for function in (torch.atleast_1d, torch.atleast_2d, torch.atleast_3d):
        s.function(function, x())
        s.function(function, x(1, 2, 3))
        s.function(function, x(3), x(2))
    both = [(torch.split, x(4), 2), (torch.stft, x(16), 4, None, None, None, True, "reflect", False, None, True),
            (torch.tensordot, x(2, 3), x(3, 2), 1), (torch.tensordot, x(2, 3), x(3, 2), 1, torch.empty(0)),
            (torch.einsum, "ij->ij", x()), (torch.meshgrid, x(2), x(3)), (torch.broadcast_tensors, x(3), x(2, 3)),
            (torch.broadcast_shapes, (2, 1), (3,)), (torch.block_diag, x(), x()), (torch.cartesian_prod, x(2)),
            (torch.chain_matmul, x(3, 3)), (torch.cdist, x(), x()), (torch.norm, x()),
            (torch.norm, x(), 2, 1, False, torch.empty(0)), (torch.unique, x()), (torch.unique_consecutive, x()),
            (torch.unravel_index, torch.tensor([3]), (2, 3)), (torch.atleast_1d, x()), (torch.atleast_2d, x()),
            (torch.atleast_3d, x()), (torch.lu, x(3, 3)), (torch.pca_lowrank, x(5, 4), 2), (torch.svd_lowrank, x(5, 4), 2),
            (torch.lobpcg, torch.eye(9) * torch.arange(1.0, 10.0), 1), (torch.initial_seed,), (torch.seed,),
            (torch.set_rng_state, torch.get_rng_state())]
    for function, *args in both:
        s.named("torch." + function.__name__, function, *args)
        s.function(function, *args)
    weights = x(6)
    s.function(torch.histogramdd, x(5, 2), [torch.linspace(-1, 1, 3), torch.linspace(-1, 1, 4)])
    s.function(torch.histogramdd, x(5, 2), [3, 3])
    s.method("addbmm_", x(2, 3), x(4, 2, 5), x(4, 5, 3))
    s.function(torch.asarray, x())
    s.function(torch.as_tensor, x())
    s.function(torch.tensor, [1.0, 2.0])
    s.function(torch.tensor, weights)
    s.named("torch.Tensor", torch.Tensor, x())
    s.function(torch.from_dlpack, x())
    s.named("torch.from_dlpack", torch.from_dlpack, x())
    s.named("torch.frombuffer", lambda dtype: torch.frombuffer(bytearray(8), dtype=dtype), torch.float32)
    s.function(torch.to_dlpack, x())
    s.named("torch.jit._unwrap_optional", torch.jit._unwrap_optional, x())
    s.named("torch.utils._pytree.tree_flatten", torch.utils._pytree.tree_flatten, [x()])
    leaves, spec = torch.utils._pytree.tree_flatten([x()])
    s.named("torch.utils._pytree.tree_unflatten", lambda given: torch.utils._pytree.tree_unflatten(given, spec), leaves)
    s.named("torch.fx._pytree.tree_flatten_spec", lambda given: torch.fx._pytree.tree_flatten_spec(given, spec), [x()])
    s.named("torch.utils.checkpoint.checkpoint",
            lambda given: torch.utils.checkpoint.checkpoint(torch.relu, given, use_reentrant=False), x())


def numbers(torch, s):
    for name in ("sym_int", "sym_float", "sym_sqrt", "_sym_sqrt", *(n for n in dir(torch) if n.startswith("_sym_"))):
        s.named("torch." + name, getattr(torch, name), 0.5)
    s.named("torch.sym_max", torch.sym_max, 1, 2)
    s.named("torch.sym_min", torch.sym_min, 1, 2)
    s.named("torch.sym_not", torch.sym_not, True)
    s.named("torch.sym_ite", torch.sym_ite, True, 1, 2)
    s.named("torch.sym_sum", torch.sym_sum, [1, 2])
    s.named("math.sqrt", math.sqrt, 2.0)


def modes(torch, s):
    """Settings: those that can be set to what they are."""
    s.named("torch._C._set_grad_enabled", torch._C._set_grad_enabled, torch.is_grad_enabled())
    s.named("torch.set_default_dtype", torch.set_default_dtype, torch.get_default_dtype())
    s.named("torch.use_deterministic_algorithms", torch.use_deterministic_algorithms, False)
    s.named("torch.set_num_threads", torch.set_num_threads, torch.get_num_threads())
    s.named("torch.set_warn_always", torch.set_warn_always, False)
    s.named("torch.set_flush_denormal", torch.set_flush_denormal, False)


def methods(torch, s):
    one = torch.ones(1)
    for name in ("tolist", "item", "__bool__", "__float__", "__int__", "__complex__", "__nonzero__", "__repr__", "__str__",
                 "numpy", "__array__", "__dlpack__", "storage", "untyped_storage", "_typed_storage", "data_ptr",
                 "const_data_ptr", "_use_count"):
        s.method(name, one.clone())
    s.method("__index__", torch.ones(1, dtype=torch.int64))
    s.method("__contains__", x(), 1.0)
    s.method("__format__", one, "")
    s.method("new_tensor", x(), [1.0])
    s.method("new_tensor", x(), x())
    s.method("new", x(), x())
    for name in ("add", "sub", "mul", "mod", "pow", "floordiv", "truediv", "matmul", "div"):
        for form in (f"__{name}__", f"__r{name}__", f"__i{name}__"):
            if hasattr(torch.Tensor, form):
                s.method(form, x(3, 3), x(3, 3))
    bits = functools.partial(torch.randint, 0, 4, (3,))
    for name in ("and", "or", "xor", "lshift", "rshift"):
        for form in (f"__{name}__", f"__r{name}__", f"__i{name}__"):
            if hasattr(torch.Tensor, form):
                s.method(form, bits(), bits())
    for name in ("eq", "ne", "lt", "le", "gt", "ge"):
        s.method(f"__{name}__", x(), x())
    for name in ("abs", "neg", "pos", "reversed", "iter"):
        s.method(f"__{name}__", x())
    s.method("__reversed__", torch.tensor(1.0))
    s.method("__invert__", bits())
    s.method("__getitem__", x(), 0)
    s.method("__getitem__", x(), torch.tensor([0]))
    s.method("__setitem__", x(), 0, 1.0)
    s.method("__setattr__", x(), "data", x(3))
    s.method("__deepcopy__", x(), {})
    s.method("unique", x())
    s.method("unique_consecutive", x())
    s.method("split", x(4), 2)
    s.method("lu", x(3, 3))
    s.method("norm", x())
    s.method("unflatten", x(4), 0, (2, 2))
    s.method("copy", [x()])
    s.method("is_set_to", x(), x())


def containers(torch, s):
    for name, args in (("append", (x(),)), ("extend", ([x()],)), ("insert", (0, x())), ("pop", ()), ("clear", ()),
                       ("reverse", ()), ("copy", ()), ("index", (1,)), ("remove", (1,))):
        s.method(name, [1, x()], *args)
    for name, args in (("keys", ()), ("values", ()), ("items", ()), ("get", ("a",)), ("pop", ("a",)), ("popitem", ()),
                       ("setdefault", ("b", x())), ("update", ({"a": x()},)), ("clear", ()), ("copy", ())):
        s.method(name, {"a": x()}, *args)
    for name, args in (("format", ("a",)), ("join", (["a"],)), ("startswith", ("a",)), ("endswith", ("a",)), ("lower", ()),
                       ("upper", ()), ("strip", ())):
        s.method(name, "a", *args)
    pair = collections.namedtuple("Pair", ["a", "b"])(x(), x())
    s.method("_asdict", pair)
    s.method("_replace", pair, a=x())


def python(torch, s):
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "eq", "ne", "lt", "le", "gt", "ge", "iadd",
                 "isub", "imul", "itruediv", "ifloordiv", "imod", "ipow", "imatmul"):
        s.function(getattr(operator, name), x(3, 3), x(3, 3))
    s.function(operator.add, [x()], [x()])
    s.function(operator.mul, [x()], 2)
    s.function(operator.iadd, [x()], [x()])
    for name in ("and_", "or_", "xor", "lshift", "rshift", "iand", "ior", "ixor", "ilshift", "irshift"):
        s.function(getattr(operator, name), torch.randint(0, 4, (3,)), torch.randint(0, 4, (3,)))
    for name in ("abs", "neg", "pos"):
        s.function(getattr(operator, name), x())
    for name in ("inv", "invert"):
        s.function(getattr(operator, name), torch.randint(0, 4, (3,)))
    for name in ("not_", "truth", "index"):
        s.function(getattr(operator, name), torch.ones(1, dtype=torch.int64))
    s.function(operator.concat, [x()], [x()])
    s.function(operator.iconcat, [x()], [x()])
    s.function(operator.contains, [1], 1)
    s.function(operator.countOf, [1], 1)
    s.function(operator.indexOf, [1], 1)
    s.function(operator.length_hint, [1])
    s.function(operator.getitem, x(), 0)
    s.function(operator.getitem, x(), torch.tensor([0]))
    s.function(operator.getitem, [x()], 0)
    s.function(operator.setitem, x(), 0, 1.0)
    s.function(operator.setitem, [x()], 0, x())
    s.function(operator.delitem, [x()], 0)
    s.function(operator.is_, x(), x())
    s.function(operator.is_not, x(), x())
    one = torch.ones(1)
    for function in (complex, str, repr, abs, bool, len, type, callable, id, hash, list, tuple, sorted, reversed, iter, sum, min,
                     max, any, all, set, frozenset, enumerate, zip):
        s.function(function, one.clone())
        if function not in (complex, hash, id, abs):
            s.function(function, [1, 2])
    s.function(list, [x()])
    s.function(tuple, [x()])
    s.function(max, x(1), x(1))
    s.function(dict, {"a": x()})
    s.function(divmod, 5, 2)
    s.function(pow, x(), 2)
    s.function(hasattr, x(), "T")
    s.function(getattr, x(), "T")
    s.function(getattr, x(), "shape")
    s.function(getattr, x(), "data")
    s.function(setattr, x(), "data", x(3))
    s.function(format, 1, "")
    s.function(range, 3)
    s.function(slice, 3)
    s.function(print, "")
    for function, value in ((chr, 65), (ord, "a"), (hex, 65), (bin, 65)):
        s.function(function, value)


def higher_order(torch, s):
    """As their graphs run: branches and bodies are plain functions here."""
    cond, loop = torch.ops.higher_order.cond, torch.ops.higher_order.while_loop
    yes = torch.tensor(True)
    s.named("torch.ops.higher_order.cond", lambda p, args: cond(p, lambda a: (a.sin(),), lambda a: (a.cos(),), args), yes, (x(),))
    s.named("torch.ops.higher_order.cond", lambda p, args: cond(p, lambda a: (a,), lambda a: (a,), args), yes, (x(),))
    s.named("torch.ops.higher_order.while_loop",
            lambda args: loop(lambda a: a.sum() > 1e9, lambda a: (a + 1,), args, ()), (x(),))
