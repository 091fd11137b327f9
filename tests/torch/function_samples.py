"""Calls of torch.nn.functional, torch.nn.init, and functions of PyTorch, run by operator_samples.py."""

import math

from sampled_calls import x


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
    """Settings that can be set to their current value."""
    s.named("torch._C._set_grad_enabled", torch._C._set_grad_enabled, torch.is_grad_enabled())
    s.named("torch.set_default_dtype", torch.set_default_dtype, torch.get_default_dtype())
    s.named("torch.use_deterministic_algorithms", torch.use_deterministic_algorithms, False)
    s.named("torch.set_num_threads", torch.set_num_threads, torch.get_num_threads())
    s.named("torch.set_warn_always", torch.set_warn_always, False)
    s.named("torch.set_flush_denormal", torch.set_flush_denormal, False)
