// Calls of modules and of graphs.
#include "graph_drawer.h"
#include "node_specs.h"

#include <algorithm>
#include <string>

namespace sunder::fuzz {

void GraphDrawer::leafModule()
{
    static constexpr const char* kPaths[] = {"act", "blocks.lin", "lin", "same_lin", "norm"};
    const std::size_t count = std::size(kPaths) - (m_features.deep ? 0 : 1);
    const NodeSpec spec{.op = Op::callModule, .name = {}, .target = intern(kPaths[m_random.below(count)]), .args = {anyValue()}};
    // A module that computes in place returns its argument.
    if (m_features.deep && spec.target == intern("act") && spec.args[0].is(ArgumentKind::node) && m_random.chance(30))
        return keep(spec, cellOf(spec.args[0].asNode()));
    keepFresh(spec);
}

InternedString GraphDrawer::body(const char* name, const Arguments& operands, bool isBranch, std::optional<Cell>& result)
{
    const InternedString path = intern(name + std::to_string(m_bodies++));
    const ModuleId module = m_program.modules.ensure(path.view());
    const GraphId graphId = m_program.addGraph(module);
    m_program.modules[module].graph = graphId;
    m_program.modules[module].cls = intern("torch.fx.graph_module.GraphModule");
    Features features;
    features.attributes = m_features.deep;
    if (m_features.deep) {
        features.views = m_features.views;
        features.writes = m_features.writes && !isBranch; // a write in a branch may or may not run
        features.random = m_features.random && !isBranch;
        features.effects = m_features.effects && !isBranch;
        addTensor(m_program, path.str() + ".t", m_random.chance(60) ? TensorRole::buffer : TensorRole::parameter, m_random);
    }
    GraphDrawer inner(m_program, graphId, m_types, features, m_random, m_nextCell);
    inner.m_path = path.str() + '.';
    for (std::size_t i = 0; i < operands.size(); ++i)
        inner.placeholder("arg");
    inner.calls(m_random.between(1, 3));
    inner.graph().create({.op = Op::output,
                          .name = {},
                          .target = intern("output"),
                          .args = {Argument::tuple({Argument::node(inner.m_tensors.back().node)})}});
    const Cell last = inner.m_tensors.back().cell;
    if (last >= kFirstTensorCell)
        result = last;
    for (std::size_t i = 0; i < operands.size(); ++i)
        if (inner.m_tensors[i].cell == last && operands[i].is(ArgumentKind::node))
            result = cellOf(operands[i].asNode());
    return path;
}

void GraphDrawer::graphCall()
{
    const int inputs = m_random.between(1, 2);
    const auto read = [&](InternedString path) { return Argument::node(add({.op = Op::getAttr, .name = {}, .target = path})); };
    Arguments operands;
    for (int i = 0; i < inputs; ++i)
        operands.push_back(anyValue());
    const std::size_t kind = m_random.below(4);
    std::optional<Cell> shared;
    const InternedString path = body("body_", operands, kind == 3, shared);
    NodeSpec spec;
    if (kind == 0) {
        spec = {.op = Op::callModule, .name = {}, .target = path, .args = operands};
    } else if (kind == 1) {
        spec = function("torch.ops.higher_order.invoke_subgraph", {read(path), Argument::string(path)});
        spec.args.insert(spec.args.end(), operands.begin(), operands.end());
    } else if (kind == 2) {
        spec = function("torch.ops.higher_order.wrap_with_set_grad_enabled", {Argument::boolean(false), read(path)});
        spec.args.insert(spec.args.end(), operands.begin(), operands.end());
    } else {
        const Argument first = read(path);
        const Argument second = read(body("body_", operands, true, shared));
        spec = function("torch.ops.higher_order.cond", {anyValue(), first, second, Argument::list(std::move(operands))});
    }
    const Cell fresh = m_nextCell++;
    const Cell cell = shared.value_or(fresh);
    spec.meta.val = Argument::tuple({m_types.tensor(cell)});
    const NodeId call = add(std::move(spec));
    keep(function("_operator.getitem", {Argument::node(call), whole(0)}), cell);
}

} // namespace sunder::fuzz
