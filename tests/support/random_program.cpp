#include "random_program.h"

#include <random>

namespace sunder::test {

Program randomProgram(unsigned seed, int calls)
{
    std::mt19937 random(seed);
    Program program;
    Graph& graph = program.graph(program.addGraph(ModuleTree::root()));
    std::vector<NodeId> values;
    for (int i = 0; i < 3; ++i)
        values.push_back(graph.create({.op = Op::placeholder, .name = {}, .target = intern("x")}));
    for (int i = 0; i < 4; ++i) {
        const InternedString fqn = intern("m" + std::to_string(i % 2) + ".w" + std::to_string(i));
        program.modules.ensure("m" + std::to_string(i % 2));
        program.tensors.add({.fqn = fqn, .role = i == 3 ? TensorRole::buffer : TensorRole::parameter, .persistent = i != 3});
        values.push_back(graph.create({.op = Op::getAttr, .name = {}, .target = fqn}));
    }
    for (int i = 0; i < calls; ++i) {
        const auto pick = [&] { return Argument::node(values[random() % values.size()]); };
        NodeSpec spec{.op = Op::callFunction, .name = {}};
        switch (random() % 4) {
        case 0:
            spec.target = intern("torch.ops.aten.add.Tensor");
            spec.args = {pick(), pick()};
            break;
        case 1:
            spec.target = intern("torch.relu");
            spec.args = {pick()};
            break;
        case 2:
            spec.target = intern("torch.mul");
            spec.args = {pick()};
            spec.kwargs.push_back({intern("other"), pick()});
            break;
        default:
            spec.target = intern("torch.ops.aten.cat.default");
            spec.args = {Argument::list({pick(), pick(), pick()}), Argument::integer(random() % 2)};
        }
        values.push_back(graph.create(std::move(spec)));
    }
    Arguments results;
    for (std::size_t i = values.size() - 2; i < values.size(); ++i)
        results.push_back(Argument::node(values[i]));
    graph.create({.op = Op::output, .name = {}, .target = intern("output"), .args = {Argument::tuple(std::move(results))}});
    return program;
}

} // namespace sunder::test
