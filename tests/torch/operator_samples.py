"""Calls of entries in core/operators/data/by_hand.txt that PyTorch's samples do not reach."""

from function_samples import functionals, functions, initialisation, modes, numbers
from python_samples import containers, higher_order, methods, python
from sampled_calls import Samples, x


def run(torch, calls):
    s = Samples(torch, calls)
    for group in (dropout_and_noise, statistics, copies, sparse_and_nested, forms, questions, recurrent, functionals,
                  initialisation, functions, numbers, modes, methods, containers, python, higher_order):
        group(torch, s)


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
