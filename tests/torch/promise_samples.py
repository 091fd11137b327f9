"""Calls of operators with promises in core/operators/data that PyTorch's samples do not reach."""

from sampled_calls import Samples, x


def run(torch, calls):
    s = Samples(torch, calls)
    products(torch, s)
    selections(torch, s)
    statistics(torch, s)
    metadata(torch, s)
    pools(torch, s)
    resampling(torch, s)
    lists(torch, s)
    losses(torch, s)
    layers(torch, s)
    quantized(torch, s)
    for group in ([x()], [x(), x()]):
        s.aten("concat", group)
        s.aten("concatenate", group)


def products(torch, s):
    s.aten("addmm", x(2, 4), x(2, 3), x(3, 4))
    s.aten("addmm", x(4), x(2, 3), x(3, 4))
    s.aten("linear", x(2, 3), x(4, 3), x(4))
    for dims, name in ((1, "max_pool1d"), (2, "max_pool2d"), (1, "avg_pool1d"), (2, "avg_pool2d")):
        s.aten(name, x(2, 3, *[6] * dims), [2] * dims)
    for dims, name in ((1, "adaptive_avg_pool1d"), (2, "adaptive_avg_pool2d")):
        s.aten(name, x(2, 3, *[6] * dims), [2] * dims)
        s.aten(name, x(2, 3, *[6] * dims), [4] * dims)


def selections(torch, s):
    chosen = torch.tensor([[True, False, True], [False, True, False]])
    where = torch.ops.aten.where
    s.function(where.Scalar, chosen, 1.0, 2.0)
    s.function(where.ScalarSelf, chosen, 1.0, x())
    s.function(where.ScalarOther, chosen, x(), 2.0)
    s.function(where.self, chosen, x(), x())
    s.function(torch.where, chosen, x(), x())
    s.aten("embedding", x(5, 3), torch.tensor([[0, 4], [2, 2]]))
    s.aten("alias", x())


def statistics(torch, s):
    s.aten("_native_batch_norm_legit_no_training", x(4, 3), torch.rand(3), torch.rand(3), x(3), torch.rand(3) + 0.5, 0.1, 1e-5)


def metadata(torch, s):
    s.aten("_assert_tensor_metadata", x(), [2, 3])
    s.aten("_assert_tensor_metadata", x(), [2, 3], [3, 1])
    s.aten("_assert_tensor_metadata", x(), None, None, torch.float32)
    s.function(torch.ops.aten.view.dtype, x(2, 4), torch.float64)
    s.method("view", x(2, 4), torch.float64)


def pools(torch, s):
    for dims in (1, 2, 3):
        image = x(1, 2, *[4] * dims)
        s.aten(f"max_pool{dims}d", image, [1] * dims)
        s.aten(f"adaptive_avg_pool{dims}d", image, [4] * dims)
        s.aten(f"adaptive_avg_pool{dims}d", image, [1] * dims)
        s.aten(f"adaptive_max_pool{dims}d", image, [4] * dims)
        for mode in ("reflection", "replication"):
            s.aten(f"{mode}_pad{dims}d", image, [0] * (2 * dims))
            s.aten(f"{mode}_pad{dims}d", image, [1] * (2 * dims))
    s.aten("max_pool1d_with_indices", x(1, 2, 4), [1])
    s.aten("max_pool2d_with_indices", x(1, 2, 4, 4), [1, 1])
    s.aten("max_pool3d", x(1, 2, 4, 4, 4), [2, 2, 2])


def resampling(torch, s):
    aten = torch.ops.aten
    for name, dims in (("upsample_linear1d", 1), ("upsample_bilinear2d", 2), ("upsample_bicubic2d", 2), ("upsample_trilinear3d", 3),
                       ("_upsample_bicubic2d_aa", 2), ("_upsample_bilinear2d_aa", 2)):
        for factor in (1.0, 2.0):
            s.function(getattr(aten, name).vec, x(1, 2, *[4] * dims), None, False, [factor] * dims)
            s.function(getattr(aten, name).default, x(1, 2, *[4] * dims), [int(4 * factor)] * dims, True)
    for name in ("upsample_nearest", "_upsample_nearest_exact"):
        for dims in (1, 2, 3):
            for factor in (1.0, 2.0):
                s.function(getattr(aten, f"{name}{dims}d").vec, x(1, 2, *[4] * dims), None, [factor] * dims)
                s.function(getattr(aten, f"{name}{dims}d").default, x(1, 2, *[4] * dims), [int(4 * factor)] * dims)
    for mode in (0, 1, 2):
        s.aten("grid_sampler", x(1, 2, 4, 4), x(1, 3, 3, 2), mode, 0, False)
    s.aten("affine_grid_generator", x(1, 2, 3), [1, 2, 4, 4], False)
    s.aten("pixel_shuffle", x(1, 4, 2, 2), 2)


def lists(torch, s):
    """Operators on lists of tensors: abs, add, …"""
    def group():
        return [torch.rand(3) + 0.5, torch.rand(2, 2) + 0.5]

    second = {"Tensor": lambda: torch.rand(()), "List": group, "Scalar": lambda: 2.0, "ScalarList": lambda: [1.0, 2.0]}
    for name in sorted(dir(torch.ops.aten)) + [n for n in torch._C._dispatch_get_all_op_names() if n.startswith("aten::_foreach_")]:
        name = name.removeprefix("aten::").split(".")[0]
        if not name.startswith("_foreach_") or name.endswith("_"):
            continue
        packet = getattr(torch.ops.aten, name)
        for overload in packet.overloads():
            if overload.endswith("out"):
                continue
            call = getattr(packet, overload)
            more = [a for a in call._schema.arguments[1:] if not a.has_default_value()]
            given = []
            for argument in more:
                kind = str(argument.type)
                given.append(group() if kind == "List[Tensor]" else torch.rand(()) if kind == "Tensor"
                             else [1.0, 2.0] if kind.startswith("List") else 2.0)
            s.function(call, group(), *given)


def losses(torch, s):
    aten = torch.ops.aten
    wanted = torch.tensor([1, 0])
    for reduction in (0, 1, 2):
        s.aten("nll_loss", x(2, 3), wanted, None, reduction)
        s.aten("nll_loss_nd", x(2, 3), wanted, None, reduction)
        s.aten("nll_loss2d", x(2, 3, 2, 2), torch.zeros(2, 2, 2, dtype=torch.int64), None, reduction)
        s.aten("cosine_embedding_loss", x(2, 3), x(2, 3), torch.ones(2), 0.0, reduction)
    s.function(aten.ctc_loss.IntList, x(5, 1, 4).log_softmax(2), torch.tensor([[1, 2]]), [5], [2])
    s.function(aten.ctc_loss.Tensor, x(5, 1, 4).log_softmax(2), torch.tensor([[1, 2]]), torch.tensor([5]), torch.tensor([2]))
    s.function(aten.bernoulli.Tensor, x(), torch.rand(2, 3))
    for name in ("quantile", "nanquantile"):
        s.function(getattr(aten, name).default, x(), torch.tensor(0.5))
    s.aten("clip", x(), 0.0, 1.0)
    s.function(aten.clip.Tensor, x(), x(), x())
    for name in ("div", "divide"):
        for mode in (None, "floor", "trunc"):
            s.function(getattr(aten, name).Scalar_mode, x(), 1.0, rounding_mode=mode)
            s.function(getattr(aten, name).Tensor_mode, x(), x(), rounding_mode=mode)
    s.aten("row_stack", [x()])
    s.aten("row_stack", [x(), x()])
    s.aten("_stack", [x()])
    s.aten("smm", x(3, 3).to_sparse(), x(3, 2))
    s.aten("_int_mm", torch.ones(32, 32, dtype=torch.int8), torch.ones(32, 32, dtype=torch.int8))


def layers(torch, s):
    aten = torch.ops.aten
    for dims in (1, 2, 3):
        form = ([1] * dims, [0] * dims, [1] * dims)
        image, weight = x(1, 2, *[4] * dims), x(2, 2, *[1] * dims)
        s.aten("_convolution", image, weight, None, *form, False, [0] * dims, 1, False, False, True, True)
        s.aten("convolution_backward", image, image, weight, [0], *form, False, [0] * dims, 1, [True, True, True])
    s.aten("_convolution_mode", x(1, 2, 4, 4), x(2, 2, 1, 1), None, [1, 1], "valid", [1, 1], 1)
    s.aten("thnn_conv2d", x(1, 2, 4, 4), x(2, 2, 3, 3), [3, 3])
    s.aten("slow_conv3d", x(1, 2, 4, 4, 4), x(2, 2, 3, 3, 3), [3, 3, 3])
    s.aten("slow_conv_dilated2d", x(1, 2, 4, 4), x(2, 2, 3, 3), [3, 3])
    s.aten("slow_conv_transpose2d", x(1, 2, 4, 4), x(2, 2, 3, 3), [3, 3])
    s.aten("conv_tbc", x(4, 1, 2), x(3, 2, 2), x(2), 1)
    s.function(aten._native_batch_norm_legit.no_stats, x(4, 3), x(3), x(3), True, 0.1, 1e-5)
    for train in (True, False):
        s.aten("_native_batch_norm_legit_functional", x(4, 3), x(3), x(3), torch.rand(3), torch.rand(3), train, 0.1, 1e-5)
    s.aten("_batch_norm_no_update", x(4, 3), x(3), x(3), torch.rand(3), torch.rand(3), 0.1, 1e-5)
    s.aten("_batch_norm_with_update_functional", x(4, 3), x(3), x(3), torch.rand(3), torch.rand(3), 0.1, 1e-5)
    for weight in (None, x(3)):
        s.aten("_fused_rms_norm", x(), [3], weight, 1e-5)
    for name, gates in (("lstm", 4), ("gru", 3)):
        hidden = [x(2, 3), x(2, 3)] if name == "lstm" else x(2, 3)
        s.aten(f"{name}_cell", x(2, 3), hidden, x(3 * gates, 3), x(3 * gates, 3), x(3 * gates), x(3 * gates))
    s.aten("_masked_softmax", x(2, 3), torch.rand(2, 3) > 0.5, 1, 2)
    s.aten("embedding_backward", x(2, 3), torch.tensor([0, 1]), 4, -1, False, False)
    s.aten("value_selecting_reduction_backward", x(2), 1, torch.tensor([0, 1]), [2, 3], False)
    s.aten("index_select_backward", x(2, 3), [4, 3], 0, torch.tensor([0, 1]))
    s.aten("_softmax_backward_data", x(), x(), 1, torch.float32)
    s.function(aten.index.Tensor_hacked_twin, x(), [torch.tensor([0, 1])])
    s.function(aten.index_put.hacked_twin, x(), [torch.tensor([0, 1])], x(2, 3))
    s.aten("_slow_conv2d_forward", x(1, 2, 4, 4), x(2, 2, 3, 3), [3, 3], None, [1, 1], [0, 0])


def quantized(torch, s):
    aten = torch.ops.aten
    s.aten("quantize_per_tensor", x(), 0.1, 0, torch.quint8)
    s.aten("quantize_per_tensor_dynamic", x(), torch.quint8, False)
    s.aten("fake_quantize_per_channel_affine", x(2, 3), torch.ones(2), torch.zeros(2, dtype=torch.int32), 0, 0, 255)
    s.aten("fake_quantize_per_channel_affine_cachemask", x(2, 3), torch.ones(2), torch.zeros(2, dtype=torch.int32), 0, 0, 255)
    s.function(aten.fake_quantize_per_tensor_affine.tensor_qparams, x(), torch.ones(1), torch.zeros(1, dtype=torch.int32), 0, 255)
    decomposed = torch.ops.quantized_decomposed
    if hasattr(decomposed, "quantize_per_tensor"):
        one, zero = torch.ones(1), torch.zeros(1, dtype=torch.int64)
        s.function(decomposed.quantize_per_tensor.default, x(), 0.1, 0, 0, 255, torch.uint8)
        s.function(decomposed.quantize_per_tensor.tensor, x(), one, zero, 0, 255, torch.uint8)
        eight = torch.ones(2, 3, dtype=torch.uint8)
        s.function(decomposed.dequantize_per_tensor.default, eight, 0.1, 0, 0, 255, torch.uint8)
        s.function(decomposed.dequantize_per_tensor.tensor, eight, one, zero, 0, 255, torch.uint8)
        s.function(decomposed.quantize_per_channel.default, x(), torch.ones(2), torch.zeros(2, dtype=torch.int64), 0, 0, 255,
                   torch.uint8)
        s.function(decomposed.dequantize_per_channel.default, eight, torch.ones(2), torch.zeros(2, dtype=torch.int64), 0, 0, 255,
                   torch.uint8)
        s.function(decomposed.choose_qparams.tensor, x(), 0, 255, 1e-5, torch.uint8)
