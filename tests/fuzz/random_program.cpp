#include "random_program.h"

#include "graph_drawer.h"

#include "verify/program_traits.h"

#include <algorithm>
#include <string>

namespace sunder::fuzz {
namespace {

ModuleId addLeaf(Program& program, const char* path, const char* cls)
{
    const ModuleId module = program.modules.ensure(path);
    program.modules[module].cls = intern(cls);
    program.modules[module].leaf = true;
    return module;
}

void addLeafModules(Program& program, bool deep, Random& random)
{
    addLeaf(program, "act", "torch.nn.modules.activation.ReLU");
    const ModuleId linear = addLeaf(program, "lin", "torch.nn.modules.linear.Linear");
    addTensor(program, "lin.weight", TensorRole::parameter, random);
    addTensor(program, "lin.bias", TensorRole::parameter, random);
    addLeaf(program, "blocks.lin", "torch.nn.modules.linear.Linear");
    addTensor(program, "blocks.lin.weight", TensorRole::parameter, random);
    const ModuleId same = program.modules.ensure("same_lin");
    program.modules[same].same = linear;
    if (!deep)
        return;
    addLeaf(program, "norm", "torch.nn.modules.batchnorm.BatchNorm2d");
    addTensor(program, "norm.weight", TensorRole::parameter, random);
    addTensor(program, "norm.running_mean", TensorRole::buffer, random);
}

GraphDrawer::Features drawnFeatures(Random& random)
{
    GraphDrawer::Features features;
    const bool pure = random.chance(35);
    features.views = random.chance(50);
    features.writes = !pure && random.chance(60);
    features.random = !pure && random.chance(30);
    features.state = !pure && random.chance(35);
    features.effects = !pure && random.chance(30);
    features.modules = random.chance(50);
    features.graphs = random.chance(30);
    features.attributes = random.chance(70);
    features.repeats = random.chance(50);
    features.sizes = random.chance(50);
    Random more = random; // a copy, so that programs without this feature are the same as before it existed
    features.deep = !pure && more.chance(25);
    return features;
}

} // namespace

Program randomGraphModule(Random& random)
{
    Program program;
    program.modules[ModuleTree::root()].cls = intern("torch.fx.graph_module.GraphModule");
    program.root = program.addGraph(ModuleTree::root());
    program.modules[ModuleTree::root()].graph = program.root;
    const GraphDrawer::Features features = drawnFeatures(random);
    if (features.modules)
        addLeafModules(program, features.deep, random);
    if (features.attributes) {
        static constexpr const char* kNames[] = {"w", "blocks.scale", "blocks.deep.shift", "table"};
        program.modules.ensure("blocks.deep");
        for (const char* name : kNames)
            addTensor(program, name, static_cast<TensorRole>(random.below(3)), random);
    }
    const ValueTypes types(random.chance(20));
    Cell nextCell = 0;
    GraphDrawer drawer(program, program.root, types, features, random, nextCell);
    const int inputs = random.between(1, 3);
    for (int i = 0; i < inputs; ++i)
        drawer.placeholder("x");
    drawer.calls(random.between(3, 20));
    drawer.output();
    return program;
}

bool isPure(const Program& program)
{
    OperatorCatalog operators;
    const ProgramTraits traits = *traitsOf(program, program, operators);
    if (traits.writes || traits.random || !traits.effects.empty())
        return false;
    for (const Graph& graph : program.graphs) {
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (node.op != Op::callFunction && node.op != Op::callMethod)
                continue;
            const OperatorFacts& facts = operators.of(node.op, node.target);
            switch (facts.role) {
            case CallRole::effect:
            case CallRole::enter:
            case CallRole::leave:
            case CallRole::setState:
            case CallRole::stir: return false;
            default: break;
            }
        }
    }
    return true;
}

Program renumbered(const Program& program, Random& random)
{
    Program copy = program;
    const Graph& from = program.rootGraph();
    std::vector<NodeId> order = from.order();
    std::vector<NodeId> created = order;
    for (std::size_t i = created.size(); i > 1; --i)
        std::swap(created[i - 1], created[random.below(i)]);
    Graph graph;
    std::vector<NodeId> newId(from.idBound());
    for (const NodeId id : created) {
        if (random.chance(20)) {
            const NodeId gap = graph.append({.op = Op::callFunction, .name = intern("gap"), .target = intern("gap")});
            (void)graph.erase(gap);
        }
        const Node& node = from.node(id);
        NodeSpec spec{.op = node.op, .name = node.name, .target = node.target, .fn = node.fn};
        spec.type = node.type;
        spec.tag = node.tag;
        spec.sizeBytes = node.sizeBytes;
        spec.meta = node.meta;
        spec.extra = node.extra;
        newId[id.index()] = graph.append(std::move(spec));
    }
    const auto replace = [&](NodeId id) { return Argument::node(newId[id.index()]); };
    for (std::size_t i = 1; i < order.size(); ++i)
        graph.moveAfter(newId[order[i].index()], newId[order[i - 1].index()]);
    for (const NodeId id : order)
        graph.setArguments(newId[id.index()], mapNodes(from.node(id).args, replace), mapNodes(from.node(id).kwargs, replace));
    copy.rootGraph() = std::move(graph);
    if (copy.signature) {
        for (InputSpec& spec : copy.signature->inputs)
            spec.value = mapNodes(spec.value, replace);
        for (OutputSpec& spec : copy.signature->outputs)
            spec.value = mapNodes(spec.value, replace);
    }
    for (ModuleCall& call : copy.calls) {
        call.inputs = mapNodes(call.inputs, replace);
        call.outputs = mapNodes(call.outputs, replace);
    }
    return copy;
}

} // namespace sunder::fuzz
