"""Calls of what core/operators/data makes promises about and PyTorch's own samples do not reach."""

from sampled_calls import Samples, x


def run(torch, calls):
    s = Samples(torch, calls)
    products(torch, s)
    selections(torch, s)
    statistics(torch, s)
    metadata(torch, s)
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
