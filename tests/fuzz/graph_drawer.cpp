#include "graph_drawer.h"
#include "node_specs.h"

#include <algorithm>
#include <array>
#include <string>

namespace sunder::fuzz {
namespace {

std::vector<std::int32_t> firstMutated()
{
    return {0};
}

} // namespace

void addTensor(Program& program, const std::string& fqn, TensorRole role, Random& random)
{
    const std::size_t count = program.tensors.size();
    TensorEntry entry{.fqn = intern(fqn), .role = role};
    if (count > 0 && random.chance(15)) { // another name of an earlier tensor
        entry.same = program.tensors.object(TensorId(random.below(count)));
        program.tensors.add(std::move(entry));
        return;
    }
    const bool shares = count > 0 && random.chance(10);
    const InternedString id = shares ? program.tensors[StorageId(0U)].id
                                     : intern("s" + std::to_string(program.tensors.storageCount()));
    entry.storage = shares ? StorageId(0U) : program.tensors.addStorage({.id = id, .byteCount = 128});
    entry.persistent = role == TensorRole::buffer ? std::optional(random.chance(70)) : std::nullopt;
    entry.meta = {.dtype = intern("float32"), .shape = {Argument::integer(4), Argument::integer(4)}};
    entry.meta.stride = Arguments{Argument::integer(4), Argument::integer(1)};
    entry.meta.offset = Argument::integer(shares ? 16 : 0);
    entry.meta.storage = id;
    entry.meta.requiresGrad = role == TensorRole::parameter;
    program.tensors.add(std::move(entry));
}

void GraphDrawer::drawSize(NodeSpec& spec)
{
    if (!m_features.sizes)
        return;
    const auto bytes = static_cast<std::uint64_t>(m_random.between(1, 8)) * 4;
    const int parameters = spec.op == Op::callModule ? m_random.between(0, 2) : 0;
    spec.sizeBytes = SizeBytes{bytes, bytes + static_cast<std::uint64_t>(parameters) * 8, {}};
}

NodeId GraphDrawer::add(NodeSpec spec)
{
    drawSize(spec);
    if (isCall(spec.op) && m_random.chance(70))
        spec.meta.outType = intern(m_random.chance(75) ? "torch.Tensor" : "builtins.int");
    return graph().create(std::move(spec));
}

void GraphDrawer::keep(NodeSpec spec, Cell cell, bool requiresGrad)
{
    spec.meta.val = m_types.tensor(cell, requiresGrad);
    m_tensors.push_back({add(std::move(spec)), cell});
}

Argument GraphDrawer::constant()
{
    switch (m_random.below(4)) {
    case 0: return whole(m_random.between(-2, 3));
    case 1: return Argument::floating(0.5 * m_random.between(-2, 4));
    case 2: return Argument::boolean(m_random.chance(50));
    default: return Argument::floating(2.0);
    }
}

NodeId GraphDrawer::placeholder(const char* name)
{
    const Cell cell = m_nextCell++;
    NodeSpec spec{.op = Op::placeholder, .name = {}, .target = intern(name)};
    spec.meta.val = m_types.tensor(cell, m_random.chance(70));
    m_tensors.push_back({add(std::move(spec)), cell});
    return m_tensors.back().node;
}

void GraphDrawer::calls(int count)
{
    for (int i = 0; i < count; ++i)
        call();
    while (!m_open.empty()) {
        add(function("torch.amp.autocast_mode._exit_autocast", {Argument::node(m_open.back())}));
        m_open.pop_back();
    }
    if (m_gradDisabled)
        add(function("torch._C._set_grad_enabled", {Argument::boolean(true)}));
}

void GraphDrawer::call()
{
    struct Recipe {
        bool Features::* feature;
        int weight;
        void (GraphDrawer::*draw)();
    };
    static constexpr Recipe kRecipes[] = {
        {nullptr, 40, &GraphDrawer::plain},
        {nullptr, 12, &GraphDrawer::nested},
        {nullptr, 8, &GraphDrawer::split},
        {nullptr, 3, &GraphDrawer::scalar},
        {&Features::attributes, 8, &GraphDrawer::attribute},
        {&Features::views, 12, &GraphDrawer::view},
        {&Features::writes, 14, &GraphDrawer::write},
        {&Features::random, 8, &GraphDrawer::drawRandom},
        {&Features::state, 10, &GraphDrawer::state},
        {&Features::effects, 5, &GraphDrawer::effect},
        {&Features::modules, 12, &GraphDrawer::leafModule},
        {&Features::graphs, 6, &GraphDrawer::graphCall},
        {&Features::repeats, 10, &GraphDrawer::block},
    };
    int total = 0;
    for (const Recipe& recipe : kRecipes)
        total += recipe.feature == nullptr || m_features.*recipe.feature ? recipe.weight : 0;
    int drawn = m_random.between(0, total - 1);
    for (const Recipe& recipe : kRecipes) {
        drawn -= recipe.feature == nullptr || m_features.*recipe.feature ? recipe.weight : 0;
        if (drawn < 0)
            return (this->*recipe.draw)();
    }
}

void GraphDrawer::plain()
{
    switch (m_random.below(6)) {
    case 0:
        return keepFresh(function(m_random.word({"torch.ops.aten.sin.default", "torch.relu", "torch.sin", "_operator.neg",
                                                 "torch.ops.aten.clone.default"}),
                                  {anyValue()}));
    case 1: return keepFresh(method(m_random.word({"neg", "sigmoid", "mul"}), {anyValue()}));
    case 2:
        return keepFresh(
            function(m_random.word({"torch.ops.aten.add.Tensor", "torch.mul", "_operator.sub"}), {anyValue(), constant()}));
    case 3: return keepFresh(function("torch.add", {anyValue(), anyValue()}, {{intern("alpha"), constant()}}));
    case 4: return keepFresh(function("torch.sub", {anyValue()}, {{intern("other"), anyValue()}}));
    default:
        return keepFresh(function(m_random.word({"torch.ops.aten.add.Tensor", "torch.ops.aten.sub.Tensor", "torch.mul",
                                                 "_operator.add", "torch.nn.functional.mse_loss"}),
                                  {anyValue(), anyValue()}));
    }
}

void GraphDrawer::nested()
{
    switch (m_random.below(4)) {
    case 0: return keepFresh(function("torch.cat", {Argument::list({anyValue(), anyValue(), anyValue()}), whole(0)}));
    case 1: return keepFresh(function("torch.stack", {Argument::tuple({anyValue(), anyValue()})}, {{intern("dim"), whole(1)}}));
    case 2: {
        const Argument dict = Argument::dict(
            {text("a"), text("b")}, {anyValue(), Argument::list({anyValue(), Argument::tuple({constant(), anyValue()})})});
        return keepFresh(function("torch.ops.fuzz.combine.default",
                                  {dict, Argument::slice(whole(0), {}, whole(2)), Argument::ellipsis(), Argument()}));
    }
    default: return keepFresh(function("torch.ops.aten.where.self", {anyValue(), anyValue(), anyValue()}));
    }
}

void GraphDrawer::split()
{
    const Tensor from = any();
    const bool isView = m_features.views && m_random.chance(60);
    NodeSpec spec = function(isView ? "torch.split" : "torch.topk", {Argument::node(from.node), whole(2)});
    const std::array cells{isView ? from.cell : m_nextCell, isView ? from.cell : m_nextCell + 1};
    m_nextCell += isView ? 0 : 2;
    spec.meta.val = Argument::tuple({m_types.tensor(cells[0]), m_types.tensor(cells[1])});
    const NodeId parts = add(std::move(spec));
    const int items = m_random.between(0, 2);
    for (int i = 0; i < items; ++i) {
        const std::size_t at = m_random.below(2);
        keep(function("_operator.getitem", {Argument::node(parts), whole(static_cast<std::int64_t>(at))}), cells[at]);
    }
}

void GraphDrawer::view()
{
    const Tensor from = any();
    const Argument value = Argument::node(from.node);
    static const Argument kFloat = Argument::word(ArgumentKind::dtype, intern("float32"));
    switch (m_random.below(9)) {
    case 0: return keep(function("torch.ops.aten.t.default", {value}), from.cell);
    case 1: return keep(method("view", {value, m_types.size(), whole(4)}), from.cell);
    case 2: return keep(function("torch.ops.aten.select.int", {value, whole(0), whole(m_random.between(0, 2))}), from.cell);
    case 3: return keep(function("_operator.getitem", {value, whole(m_random.between(0, 2))}), from.cell);
    case 4:
        return keep(
            function("_operator.getitem",
                     {value, Argument::tuple({Argument::slice({}, whole(m_random.between(1, 3)), {}), Argument::ellipsis()})}),
            from.cell);
    case 5: return keep(function("torch.ops.aten.to.dtype", {value, kFloat}), from.cell);
    case 6:
        return m_random.chance(50) ? keep(method("float", {value}), from.cell)
                                   : keep(function("torch.ops.aten.type_as.default", {value, anyValue()}), from.cell);
    case 7:
        return keepFresh(function("torch.ops.aten.to.dtype", {value, kFloat, Argument::boolean(false), Argument::boolean(true)}));
    default: return keep(method(m_random.word({"reshape", "contiguous"}), {value}), from.cell);
    }
}

void GraphDrawer::write()
{
    const Tensor to = any();
    NodeSpec spec;
    switch (m_random.below(5)) {
    case 0: spec = function("torch.ops.aten.add_.Tensor", {Argument::node(to.node), anyValue()}); break;
    case 1: spec = method("mul_", {Argument::node(to.node), constant()}); break;
    case 2: spec = function("torch.ops.aten.copy_.default", {Argument::node(to.node), anyValue()}); break;
    case 3: spec = function("torch.ops.aten.relu_.default", {Argument::node(to.node)}); break;
    default:
        spec = function("_operator.setitem", {Argument::node(to.node), whole(0), anyValue()});
        if (m_random.chance(60))
            spec.meta.mutated = firstMutated();
        add(std::move(spec));
        return;
    }
    if (m_random.chance(60))
        spec.meta.mutated = firstMutated();
    keep(std::move(spec), to.cell);
}

void GraphDrawer::drawRandom()
{
    if (m_random.chance(50))
        return keepFresh(function("torch.rand_like", {anyValue()}));
    keepFresh(function("torch.nn.functional.dropout", {anyValue(), Argument::floating(0.5), Argument::boolean(true)}));
}

void GraphDrawer::state()
{
    if (m_random.chance(40)) {
        m_gradDisabled = !m_gradDisabled;
        add(function("torch._C._set_grad_enabled", {Argument::boolean(!m_gradDisabled)}));
        return;
    }
    if (!m_open.empty() && m_random.chance(50)) {
        add(function("torch.amp.autocast_mode._exit_autocast", {Argument::node(m_open.back())}));
        m_open.pop_back();
        return;
    }
    m_open.push_back(add(function("torch.amp.autocast_mode._enter_autocast",
                                  {text("cpu"), Argument::word(ArgumentKind::dtype, intern("bfloat16")),
                                   Argument::boolean(m_random.chance(80)), Argument()})));
}

void GraphDrawer::effect()
{
    if (m_random.chance(50))
        add(function("torch.ops.aten._print.default", {text(m_random.word({"one", "two"}))}));
    else
        add(function("torch.ops.aten._assert_scalar.default", {anyValue(), text(m_random.word({"low", "high"}))}));
}

Cell GraphDrawer::cellOf(NodeId node) const
{
    return std::ranges::find(m_tensors, node, &Tensor::node)->cell;
}

void GraphDrawer::attribute()
{
    std::vector<TensorId> held;
    for (std::size_t i = 0; i < m_program.tensors.size(); ++i)
        if (m_program.tensors[TensorId(i)].fqn.view().starts_with(m_path))
            held.emplace_back(i);
    if (held.empty())
        return plain();
    const TensorId tensor = m_random.of(held);
    const TensorEntry& entry = m_program.tensors[m_program.tensors.object(tensor)];
    NodeSpec spec{.op = Op::getAttr, .name = {}, .target = intern(m_program.tensors[tensor].fqn.view().substr(m_path.size()))};
    keep(std::move(spec), kFirstTensorCell + entry.storage.index());
}

void GraphDrawer::scalar()
{
    NodeSpec spec = m_random.chance(50) ? function("torch.ops.aten.sym_size.int", {anyValue(), whole(0)})
                                        : method("size", {anyValue(), whole(1)});
    spec.meta.val = m_types.size();
    const NodeId size = add(std::move(spec));
    keepFresh(function("torch.full", {Argument::list({Argument::node(size), whole(4)}), constant()}));
}

void GraphDrawer::block()
{
    // The same few calls two or three times on other values: input for region detection.
    const int times = m_random.between(2, 3);
    const int size = m_random.between(2, 4);
    const int number = m_blocks++;
    const std::uint64_t shape = m_random.next();
    for (int i = 0; i < times; ++i) {
        Random same(shape);
        std::vector<Tensor> inner{any(), any()};
        for (int k = 0; k < size; ++k) {
            const auto operand = [&] { return Argument::node(inner[same.below(inner.size())].node); };
            NodeSpec spec = function(same.word({"torch.sin", "torch.add", "torch.mul", "torch.relu"}), {operand()});
            if (spec.target == intern("torch.add") || spec.target == intern("torch.mul"))
                spec.args.push_back(same.chance(70) ? operand() : Argument::floating(m_random.chance(90) ? 2.0 : 3.0));
            spec.meta.regionKey = intern(std::to_string(number * 8 + k));
            keepFresh(std::move(spec));
            inner.push_back(m_tensors.back());
        }
    }
}

void GraphDrawer::output()
{
    Argument value;
    switch (m_random.below(5)) {
    case 0: value = Argument::node(m_tensors.back().node); break;
    case 1: value = Argument::tuple({Argument::node(m_tensors.back().node), anyValue()}); break;
    case 2: value = Argument::list({anyValue(), Argument::node(m_tensors.back().node), whole(3)}); break;
    case 3:
        value = Argument::dict({text("y"), text("z")}, {Argument::node(m_tensors.back().node), Argument::tuple({anyValue()})});
        break;
    default: value = Argument::tuple({anyValue(), anyValue(), Argument::node(m_tensors.back().node), Argument()});
    }
    graph().create({.op = Op::output, .name = {}, .target = intern("output"), .args = {std::move(value)}});
}

} // namespace sunder::fuzz
