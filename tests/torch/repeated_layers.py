"""Models of repeated layers in float32 with conversions to float32, as in language models: a decoder with grouped heads and
rotary positions, one with routed experts, a selective state space, and layers that write in place to converted values. Each has
LAYERS layers. `models(torch)` returns (module, arguments, subgraphs) by name; `subgraphs`: the expected numbers of calls of each
subgraph."""

LAYERS = 3
WIDTH = 16
HEADS = 4
LENGTH = 5


def models(torch):
    nn, F = torch.nn, torch.nn.functional

    class Norm(nn.Module):
        def __init__(self, width=WIDTH):
            super().__init__()
            self.weight = nn.Parameter(torch.rand(width))

        def forward(self, x):
            given = x.dtype
            x = x.to(torch.float32)
            x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
            return self.weight * x.to(given)

    def rotated(x):
        half = x.shape[-1] // 2
        return torch.cat((-x[..., half:], x[..., :half]), dim=-1)

    class Attention(nn.Module):
        def __init__(self):
            super().__init__()
            size = WIDTH // HEADS
            self.q = nn.Linear(WIDTH, WIDTH, bias=False)
            self.k = nn.Linear(WIDTH, WIDTH // 2, bias=False)
            self.v = nn.Linear(WIDTH, WIDTH // 2, bias=False)
            self.out = nn.Linear(WIDTH, WIDTH, bias=False)
            self.size = size

        def forward(self, x, cos, sin, mask):
            batch, length = x.shape[:2]
            q, k, v = (f(x).view(batch, length, -1, self.size).transpose(1, 2) for f in (self.q, self.k, self.v))
            q, k = (t * cos + rotated(t) * sin for t in (q, k))
            k, v = (t[:, :, None].expand(-1, -1, 2, -1, -1).reshape(batch, HEADS, length, self.size) for t in (k, v))
            weights = q @ k.transpose(2, 3) * self.size**-0.5 + mask
            weights = F.softmax(weights, dim=-1, dtype=torch.float32).to(q.dtype)
            weights = F.dropout(weights, p=0.1, training=self.training)
            return self.out((weights @ v).transpose(1, 2).contiguous().reshape(batch, length, -1))

    class Mlp(nn.Module):
        def __init__(self, inner=2 * WIDTH):
            super().__init__()
            self.gate = nn.Linear(WIDTH, inner, bias=False)
            self.up = nn.Linear(WIDTH, inner, bias=False)
            self.down = nn.Linear(inner, WIDTH, bias=False)

        def forward(self, x):
            return self.down(F.silu(self.gate(x)) * self.up(x))

    class Experts(nn.Module):
        def __init__(self, count=4, chosen=2):
            super().__init__()
            self.router = nn.Linear(WIDTH, count, bias=False)
            self.experts = nn.ModuleList(Mlp(WIDTH) for _ in range(count))
            self.chosen = chosen

        def forward(self, x):
            flat = x.view(-1, x.shape[-1])
            weights = F.softmax(self.router(flat), dim=-1, dtype=torch.float32)
            weights, chosen = torch.topk(weights, self.chosen, dim=-1)
            weights = (weights / weights.sum(dim=-1, keepdim=True)).to(x.dtype)
            total = torch.zeros_like(flat)
            rows = torch.arange(flat.shape[0])
            for number, expert in enumerate(self.experts):
                share = (weights * (chosen == number)).sum(dim=-1, keepdim=True)
                total.index_add_(0, rows, (expert(flat) * share).to(x.dtype))
            return total.view(x.shape)

    class Layer(nn.Module):
        def __init__(self, mlp):
            super().__init__()
            self.before, self.after = Norm(), Norm()
            self.attention = Attention()
            self.mlp = mlp()

        def forward(self, x, cos, sin, mask):
            x = x + self.attention(self.before(x), cos, sin, mask)
            return x + self.mlp(self.after(x))

    class Decoder(nn.Module):
        def __init__(self, mlp):
            super().__init__()
            self.embed = nn.Embedding(50, WIDTH)
            self.layers = nn.ModuleList(Layer(mlp) for _ in range(LAYERS))
            self.norm = Norm()
            self.head = nn.Linear(WIDTH, 50, bias=False)
            self.register_buffer("frequencies", 1.0 / 100 ** (torch.arange(0, WIDTH // HEADS, 2) / (WIDTH // HEADS)))

        def forward(self, ids):
            x = self.embed(ids)
            with torch.no_grad():
                angles = torch.arange(ids.shape[1]).float()[:, None] * self.frequencies
                angles = torch.cat((angles, angles), dim=-1)
                cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
            mask = torch.full((ids.shape[1], ids.shape[1]), float("-inf"), dtype=x.dtype).triu(1)
            for layer in self.layers:
                x = layer(x, cos, sin, mask)
            return self.head(self.norm(x))

    class StateSpace(nn.Module):
        def __init__(self, inner=2 * WIDTH, state=4, rank=3):
            super().__init__()
            self.norm = Norm()
            self.into = nn.Linear(WIDTH, 2 * inner, bias=False)
            self.conv = nn.Conv1d(inner, inner, 4, groups=inner, padding=3)
            self.x = nn.Linear(inner, rank + 2 * state, bias=False)
            self.dt = nn.Linear(rank, inner)
            self.a_log = nn.Parameter(torch.rand(inner, state))
            self.d = nn.Parameter(torch.ones(inner))
            self.out = nn.Linear(inner, WIDTH, bias=False)
            self.sizes = [rank, state, state]

        def forward(self, x):
            residual = x.to(torch.float32)
            given = x.dtype
            inner, gate = self.into(self.norm(x)).transpose(1, 2).chunk(2, dim=1)
            inner = F.silu(self.conv(inner)[..., :x.shape[1]])
            step, b, c = torch.split(self.x(inner.transpose(1, 2)), self.sizes, dim=-1)
            step = F.softplus(self.dt(step)).transpose(1, 2)
            a = -torch.exp(self.a_log.float())
            decay = torch.exp(a[None, :, None, :] * step[:, :, :, None])
            drive = step[:, :, :, None] * b[:, None, :, :].float() * inner[:, :, :, None].float()
            state = torch.zeros(x.shape[0], inner.shape[1], self.sizes[1], dtype=given)
            outputs = []
            for i in range(x.shape[1]):
                state = decay[:, :, i, :] * state + drive[:, :, i, :]
                outputs.append(torch.matmul(state.to(given), c[:, i, :].unsqueeze(-1))[:, :, 0])
            y = torch.stack(outputs, dim=-1) + inner * self.d[None, :, None]
            return residual + self.out((y * F.silu(gate)).transpose(1, 2)).to(given)

    class Stack(nn.Module):
        def __init__(self, layer):
            super().__init__()
            self.embed = nn.Embedding(50, WIDTH)
            self.layers = nn.ModuleList(layer() for _ in range(LAYERS))
            self.norm = Norm()

        def forward(self, ids):
            x = self.embed(ids)
            for layer in self.layers:
                x = layer(x)
            return self.norm(x)

    class Writing(nn.Module):
        """Writes to the result of a conversion and reads its argument, which changes if both are the same tensor."""

        def __init__(self, dtype):
            super().__init__()
            self.linear = nn.Linear(WIDTH, WIDTH)
            self.dtype = dtype

        def forward(self, x):
            y = self.linear(x).tanh()
            z = y.to(self.dtype)
            z.mul_(2.0)
            return x + y + z.to(x.dtype).sin()

    class Passing(nn.Module):
        """Writes to the argument of a conversion between the layers."""

        def __init__(self, dtype):
            super().__init__()
            self.layers = nn.ModuleList(nn.Linear(WIDTH, WIDTH) for _ in range(LAYERS))
            self.register_buffer("seen", torch.zeros(LENGTH, WIDTH))
            self.dtype = dtype

        def forward(self, x):
            results = []
            for layer in self.layers:
                y = layer(x).tanh()
                z = y.to(self.dtype)
                w = z.cos() * 3.0
                z.add_(1.0)
                self.seen.add_(y)
                results += [w, y * 2.0]
                x = y + 0.5
            return (x, *results)

    ids = torch.randint(0, 50, (2, LENGTH))
    x = torch.randn(LENGTH, WIDTH)
    layers = [LAYERS]
    return {
        "decoder": (Decoder(Mlp), (ids,), layers),
        "experts": (Decoder(Experts), (ids,), layers),
        "state space": (Stack(StateSpace), (ids,), layers),
        "written conversion": (Stack(lambda: Writing(torch.float32)), (ids,), layers),
        "written copy": (Stack(lambda: Writing(torch.float64)), (ids,), layers),
        "written between": (Passing(torch.float32), (x,), None),
        "written between, copies": (Passing(torch.float64), (x,), None),
    }
