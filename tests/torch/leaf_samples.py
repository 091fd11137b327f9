"""Instances of the leaf module classes in core/operators/data/module_classes.txt, with inputs."""

import pathlib

DATA = pathlib.Path(__file__).resolve().parents[2] / "core" / "operators" / "data"


def classes():
    """Returns the names of the torch.nn classes in the table."""
    lines = (DATA / "module_classes.txt").read_text().splitlines()
    return [line.split("\t")[0] for line in lines if line.startswith("torch.nn.")]


def instances(torch):
    """Yields (module, inputs) pairs: every class with the relevant values of its attributes."""
    nn = torch.nn
    x = torch.randn
    flat = lambda: x(2, 3)  # noqa: E731
    planes = {1: lambda: x(2, 4, 6), 2: lambda: x(2, 4, 6, 6), 3: lambda: x(2, 4, 6, 6, 6)}
    for inplace in (False, True):
        for cls in (nn.ReLU, nn.ReLU6, nn.Hardtanh, nn.Hardsigmoid, nn.Hardswish, nn.ELU, nn.SELU, nn.CELU, nn.LeakyReLU,
                    nn.SiLU, nn.Mish, nn.RReLU):
            yield cls(inplace=inplace), (flat(),)
        yield nn.Threshold(0.1, 20.0, inplace), (flat(),)
        for p in (0.5, 0.0, 1.0):
            for cls in (nn.Dropout, nn.AlphaDropout, nn.FeatureAlphaDropout):
                yield cls(p, inplace), (x(2, 3, 4),)
            for dims, cls in ((1, nn.Dropout1d), (2, nn.Dropout2d), (3, nn.Dropout3d)):
                yield cls(p, inplace), (planes[dims](),)
                yield cls(p, inplace), (planes[dims]()[0],)
    for cls in (nn.Sigmoid, nn.Tanh, nn.GELU, nn.Hardshrink, nn.LogSigmoid, nn.Softplus, nn.Softshrink, nn.Softsign,
                nn.Tanhshrink, nn.PReLU, nn.Identity):
        yield cls(), (flat(),)
    for cls in (nn.Softmin, nn.Softmax, nn.LogSoftmax):
        yield cls(dim=1), (flat(),)
    yield nn.GLU(), (x(2, 4),)
    yield nn.Softmax2d(), (planes[2](),)
    for dropout in (0.0, 0.5):
        yield nn.MultiheadAttention(4, 2, dropout=dropout), (x(3, 1, 4), x(3, 1, 4), x(3, 1, 4))
        yield nn.MultiheadAttention(4, 2, dropout=dropout, kdim=5, vdim=6, add_bias_kv=True), (x(3, 1, 4), x(3, 1, 5), x(3, 1, 6))
        for cls in (nn.RNN, nn.LSTM, nn.GRU):
            yield cls(3, 4, num_layers=2, dropout=dropout), (x(5, 1, 3),)
            packed = nn.utils.rnn.pack_padded_sequence(x(5, 2, 3), torch.tensor([5, 3]))
            yield cls(3, 4, num_layers=2, dropout=dropout), (packed,)
        layer = nn.TransformerEncoderLayer(4, 2, 8, dropout)
        yield layer, (x(3, 1, 4),)
        yield nn.TransformerEncoder(layer, 1), (x(3, 1, 4),)
        layer = nn.TransformerDecoderLayer(4, 2, 8, dropout)
        yield layer, (x(3, 1, 4), x(3, 1, 4))
        yield nn.TransformerDecoder(layer, 1), (x(3, 1, 4), x(3, 1, 4))
        yield nn.Transformer(4, 2, 1, 1, 8, dropout), (x(3, 1, 4), x(3, 1, 4))
    for cls in (nn.RNNCell, nn.GRUCell):
        yield cls(3, 4), (x(2, 3), x(2, 4))
    yield nn.LSTMCell(3, 4), (x(2, 3), (x(2, 4), x(2, 4)))
    yield nn.Linear(3, 4), (flat(),)
    yield nn.modules.linear.NonDynamicallyQuantizableLinear(3, 4), (flat(),)
    yield nn.Bilinear(3, 3, 2), (flat(), flat())
    for dims in (1, 2, 3):
        for name, args in (("Conv", (4, 3, 3)), ("ConvTranspose", (4, 3, 3)), ("MaxPool", (2,)), ("AvgPool", (2,)),
                           ("AdaptiveMaxPool", (2,)), ("AdaptiveAvgPool", (2,)), ("AdaptiveAvgPool", (1,)),
                           ("ZeroPad", (0,)), ("ZeroPad", (1,)), ("ConstantPad", (0, 2.0)), ("ConstantPad", (1, 2.0)),
                           ("ReflectionPad", (0,)), ("ReflectionPad", (1,)), ("ReplicationPad", (0,)),
                           ("ReplicationPad", (1,)), ("CircularPad", (0,)), ("CircularPad", (1,)), ("LPPool", (2, 2))):
            yield getattr(nn, f"{name}{dims}d")(*args), (planes[dims](),)
        pool = getattr(nn, f"MaxPool{dims}d")(2, return_indices=True)
        yield getattr(nn, f"MaxUnpool{dims}d")(2), pool(planes[dims]())
        for affine in (True, False):
            for tracked in (True, False):
                yield getattr(nn, f"BatchNorm{dims}d")(4, affine=affine, track_running_stats=tracked), (planes[dims](),)
                yield getattr(nn, f"InstanceNorm{dims}d")(4, affine=affine, track_running_stats=tracked), (planes[dims](),)
    for dims in (2, 3):
        cls = getattr(nn, f"FractionalMaxPool{dims}d")
        yield cls(2, output_size=3), (planes[dims](),)
        yield cls(2, output_size=3, _random_samples=torch.rand(2, 4, dims)), (planes[dims](),)
    yield nn.LayerNorm(3), (flat(),)
    yield nn.GroupNorm(2, 4), (planes[2](),)
    yield nn.RMSNorm(3), (flat(),)
    yield nn.LocalResponseNorm(2), (planes[2](),)
    yield nn.CrossMapLRN2d(2), (planes[2](),)
    indices = lambda: torch.tensor([[0, 2], [1, 1]])  # noqa: E731
    for max_norm in (None, 0.1):
        yield nn.Embedding(3, 4, max_norm=max_norm), (indices(),)
        yield nn.EmbeddingBag(3, 4, max_norm=max_norm), (indices(),)
    yield nn.AdaptiveLogSoftmaxWithLoss(4, 10, [2, 5]), (x(3, 4), torch.tensor([0, 3, 7]))
    for shape in ((2, 3), (2, 3, 4)):
        yield nn.Flatten(), (x(*shape),)
        yield nn.Flatten(), (x(*shape).transpose(0, 1),)
    yield nn.Unflatten(1, (1, 3)), (flat(),)
    yield nn.Fold((3, 3), 2), (x(1, 4, 4),)
    yield nn.Unfold(2), (planes[2](),)
    for factor in (1, 2):
        yield nn.PixelShuffle(factor), (planes[2](),)
        yield nn.PixelUnshuffle(factor), (planes[2](),)
        yield nn.ChannelShuffle(factor), (planes[2](),)
        yield nn.Upsample(scale_factor=factor), (planes[2](),)
        yield nn.UpsamplingNearest2d(scale_factor=factor), (planes[2](),)
        yield nn.UpsamplingBilinear2d(scale_factor=factor), (planes[2](),)
    for cls in (nn.PairwiseDistance, nn.CosineSimilarity):
        yield cls(), (flat(), flat())
    sign = lambda: torch.tensor([1.0, -1.0])  # noqa: E731
    for reduction in ("mean", "none"):
        for cls in (nn.L1Loss, nn.KLDivLoss, nn.MSELoss, nn.SmoothL1Loss, nn.HuberLoss, nn.PoissonNLLLoss, nn.SoftMarginLoss,
                    nn.HingeEmbeddingLoss, nn.BCEWithLogitsLoss, nn.MultiLabelSoftMarginLoss):
            yield cls(reduction=reduction), (flat(), torch.rand(2, 3))
        yield nn.BCELoss(reduction=reduction), (torch.rand(2, 3), torch.rand(2, 3))
        yield nn.BCEWithLogitsLoss(weight=torch.rand(3), pos_weight=torch.rand(3), reduction=reduction), (flat(), torch.rand(2, 3))
        for cls in (nn.NLLLoss, nn.CrossEntropyLoss, nn.MultiMarginLoss):
            yield cls(weight=torch.rand(3), reduction=reduction), (flat(), torch.tensor([0, 2]))
        yield nn.NLLLoss2d(reduction=reduction), (x(1, 3, 2, 2), torch.zeros(1, 2, 2, dtype=torch.int64))
        yield nn.MultiLabelMarginLoss(reduction=reduction), (flat(), torch.tensor([[0, 1, -1], [2, -1, -1]]))
        yield nn.GaussianNLLLoss(reduction=reduction), (flat(), flat(), torch.rand(2, 3))
        yield nn.CosineEmbeddingLoss(reduction=reduction), (flat(), flat(), sign())
        yield nn.MarginRankingLoss(reduction=reduction), (x(2), x(2), sign())
        yield nn.TripletMarginLoss(reduction=reduction), (flat(), flat(), flat())
        yield nn.CTCLoss(reduction=reduction), (x(5, 1, 4).log_softmax(2), torch.tensor([[1, 2]]), torch.tensor([5]), torch.tensor([2]))
