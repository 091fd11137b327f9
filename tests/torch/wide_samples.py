"""Calls with tensors so wide that kernels process several vectors, blocks, and a remainder, for checks of promises about bits."""

from sampled_calls import Samples

TYPES = ("float32", "float64", "bfloat16")
SHAPE = (33, 67)


def run(torch, calls):
    s = Samples(torch, calls)
    for dtype in (getattr(torch, name) for name in TYPES):
        def x(*shape, dtype=dtype):
            return torch.randn(*shape or SHAPE).to(dtype)
        elementwise(torch, s, x)
        arithmetic(torch, s, x)
        copies(torch, s, x)
        rows(torch, s, x)
        if dtype != torch.bfloat16:
            products(torch, s, x)


def elementwise(torch, s, x):
    f = torch.nn.functional
    for name in ("abs", "ceil", "floor", "round", "sign", "cos", "cosh", "sin", "sinh", "tan", "tanh", "erf", "exp", "expm1", "neg",
                 "reciprocal", "square", "sigmoid", "silu", "mish", "relu", "relu6", "hardswish", "hardtanh", "gelu", "elu",
                 "leaky_relu", "softplus", "logical_not", "clone", "ones_like", "zeros_like"):
        s.aten(name, x())
    for name in ("log", "sqrt", "rsqrt"):
        s.aten(name, x().abs() + 0.1)
    for name in ("relu", "relu6", "hardswish", "hardtanh", "leaky_relu", "elu", "mish", "silu", "sigmoid", "tanh"):
        s.function(getattr(f, name), x())
    s.aten("clamp", x(), -0.5, 0.5)
    s.aten("clamp", x(), x(), x() + 1)
    s.aten("to", x(), torch.float64)
    s.aten("to", x(), torch.bfloat16)
    s.aten("full_like", x(), 2)
    s.method("float", x())
    s.method("half", x())


def arithmetic(torch, s, x):
    import operator
    for name in ("add", "sub", "mul", "div", "rsub", "atan2", "maximum", "minimum", "eq", "ne", "lt", "le", "gt", "ge", "logical_and",
                 "logical_or", "mse_loss"):
        s.aten(name, x(), x())
    for name in ("add", "sub", "rsub"):
        s.aten(name, x(), x(), alpha=0.3)
        s.aten(name, x(), 0.3)
    s.aten("pow", x().abs(), x())
    s.aten("pow", x(), 2)
    s.aten("lerp", x(), x(), x())
    s.aten("lerp", x(), x(), 0.3)
    s.function(torch.nn.functional.mse_loss, x(), x())
    for function in (operator.add, operator.sub, operator.mul, operator.eq, operator.ne, operator.lt, operator.le, operator.gt,
                     operator.ge):
        s.function(function, x(), x())
        s.function(function, x(), 0.3)
    for function in (operator.abs, operator.neg):
        s.function(function, x())
    s.function(torch.ops.aten.where.self, x() > 0, x(), x())
    s.aten("masked_fill", x(), x() > 0, 0.3)


def copies(torch, s, x):
    for name in ("cat", "stack", "concat", "concatenate"):
        s.aten(name, [x(), x()])
    for name in ("tril", "triu"):
        s.aten(name, x())
    s.aten("gather", x(), 1, torch.randint(0, 67, SHAPE))
    s.aten("index_select", x(), 0, torch.randint(0, 33, (50,)))
    s.aten("embedding", x(), torch.randint(0, 33, (50,)))
    s.aten("pad", x(), [1, 2, 0, 1])
    s.aten("pad", x(3, 8, 9, 11), [1, 2, 0, 1], "reflect")
    s.function(torch.nn.functional.pad, x(), [1, 2, 0, 1])


def rows(torch, s, x):
    """Calls along dimensions."""
    f = torch.nn.functional
    for shape, dim in (((130, 257), 1), ((130, 257), 0), ((3, 33, 67), 1)):
        s.aten("softmax", x(*shape), dim)
        s.aten("log_softmax", x(*shape), dim)
        s.aten("_softmax", x(*shape), dim, False)
        s.aten("_log_softmax", x(*shape), dim, False)
        s.function(f.softmax, x(*shape), dim)
        s.function(f.log_softmax, x(*shape), dim)
        for name in ("sum", "mean", "amax", "amin"):
            s.aten(name, x(*shape), [dim])
        s.aten("cumsum", x(*shape), dim)
    for weight in (None, x(257)):
        s.aten("layer_norm", x(130, 257), [257], weight)
        s.function(f.layer_norm, x(130, 257), [257], weight)
        s.aten("native_layer_norm", x(130, 257), [257], weight, weight, 1e-5)
        s.function(f.rms_norm, x(130, 257), [257], weight)
        s.aten("rms_norm", x(130, 257), [257], weight)
    image = x(3, 8, 15, 17)
    s.aten("group_norm", image, 2)
    s.function(f.group_norm, image, 2)
    s.aten("_native_batch_norm_legit_no_training", image, x(8), x(8), x(8), x(8).abs() + 0.5, 0.1, 1e-5)
    for name in ("avg_pool2d", "max_pool2d"):
        s.aten(name, image, [3, 3])
    s.aten("adaptive_avg_pool2d", image, [3, 3])
    s.function(f.adaptive_avg_pool2d, image, [3, 3])
    s.function(f.max_pool2d, image, 3)
    s.function(f.max_pool1d, image[0], 3)


def products(torch, s, x):
    import operator
    s.aten("linear", x(37, 129), x(65, 129), x(65))
    s.aten("linear", x(1, 1024), x(512, 1024))
    for name in ("mm", "matmul"):
        s.aten(name, x(37, 129), x(129, 65))
    s.function(operator.matmul, x(37, 129), x(129, 65))
    s.aten("addmm", x(65), x(37, 129), x(129, 65))
    s.aten("bmm", x(3, 37, 65), x(3, 65, 33))
    s.aten("baddbmm", x(3, 37, 33), x(3, 37, 65), x(3, 65, 33))
    for dims in (1, 2, 3):
        s.aten(f"conv{dims}d", x(2, 8, *[9] * dims), x(16, 8, *[3] * dims), x(16))
    s.aten("convolution", x(2, 8, 17, 17), x(16, 8, 3, 3), None, [1, 1], [0, 0], [1, 1], False, [0, 0], 1)


def modules(torch):
    """Leaf modules with their inputs."""
    nn = torch.nn
    image = torch.randn(3, 8, 33, 67)
    for module in (nn.ReLU(), nn.ReLU6(), nn.Hardtanh(), nn.Hardsigmoid(), nn.Hardswish(), nn.LeakyReLU(0.2), nn.Threshold(0.1, 2.0),
                   nn.Tanh(), nn.Hardshrink(), nn.LogSigmoid(), nn.Tanhshrink(), nn.Softmin(1), nn.Softmax(1), nn.Softmax(3),
                   nn.Softmax2d(), nn.LogSoftmax(1), nn.PReLU(), nn.PReLU(8), nn.LayerNorm(67), nn.LayerNorm((33, 67)),
                   nn.Conv2d(8, 16, 3), nn.Linear(67, 33), nn.GELU(), nn.GroupNorm(2, 8), nn.Sigmoid()):
        yield module, (image,)
