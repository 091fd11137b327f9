// Joint programs of torch.export have no module stacks, since their forward pass was traced a second time. Weights determine the
// modules that are certain. A call that is the first to read a weight of "blocks.0.norm" runs there. A module runs without
// interruption, so calls between those in "blocks.0.norm" and "blocks.0.out" run in "blocks.0". "blocks" may be a list, which
// never runs, so it is never assigned. Autograd runs functions in reverse order of recording, so the backward pass of a module is
// also contiguous.
#include "analysis/training/training_modules.h"

#include "analysis/sizes.h"
#include "analysis/training/training_graph.h"
#include "ir/getitem.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

bool isNumber(std::string_view word)
{
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Returns "blocks.0.norm" for "blocks.0.norm.weight".
std::string_view ownerOf(std::string_view tensor)
{
    const std::size_t dot = tensor.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : tensor.substr(0, dot);
}

/// The file controls tensor names. Longer and deeper paths are ignored to bound the size of stacks.
constexpr std::size_t kLongestPath = 512;
constexpr std::ptrdiff_t kDeepestPath = 50;

std::string_view boundedOwner(std::string_view tensor)
{
    const bool isWithin = tensor.size() <= kLongestPath && std::ranges::count(tensor, '.') <= kDeepestPath;
    return isWithin ? ownerOf(tensor) : std::string_view();
}

/// Returns the longest common path.
std::string_view common(std::string_view a, std::string_view b)
{
    std::size_t shared = 0;
    std::size_t at = 0;
    for (; at < std::min(a.size(), b.size()) && a[at] == b[at]; ++at)
        if (a[at] == '.')
            shared = at;
    const bool isWhole = at == std::min(a.size(), b.size()) && (a.size() == b.size() || (a.size() > at ? a[at] : b[at]) == '.');
    return a.substr(0, isWhole ? at : shared);
}

/// Returns the path component after a prefix.
std::string_view nextName(std::string_view path, std::string_view prefix)
{
    const std::string_view rest = path.substr(std::min(path.size(), prefix.empty() ? 0 : prefix.size() + 1));
    return rest.substr(0, rest.find('.'));
}

/// Returns the path of the innermost module that certainly encloses calls in both.
std::string_view around(std::string_view a, std::string_view b)
{
    std::string_view path = common(a, b);
    while (!path.empty() && (isNumber(nextName(a, path)) || isNumber(nextName(b, path))))
        path = ownerOf(path);
    return path;
}

/// Finds the modules of calls that are certain because of the weights they read.
class PathsByWeights {
public:
    PathsByWeights(const Program& program, const TrainingGraph& training)
        : m_program(program), m_graph(program.rootGraph()), m_training(training), m_tensors(tensorsOfNodes(program)),
          m_values(m_graph.idBound()), m_weights(program.tensors.size()), m_paths(m_graph.idBound())
    {
    }

    /// Returns paths per NodeId of a call; empty if no module is certain.
    std::vector<std::string_view> run()
    {
        std::vector<NodeId> forward;
        std::vector<NodeId> backward;
        for (const NodeId id : m_graph.nodes()) {
            if (const TensorId tensor = m_tensors[id.index()])
                m_values[id.index()] = {.owner = boundedOwner(m_program.tensors[tensor].fqn.view()), .weight = tensor};
            if (m_graph[id].isCall())
                (m_training.isBackwardCall(id) ? backward : forward).push_back(id);
        }
        for (const NodeId id : forward)
            m_paths[id.index()] = pathOfForward(id);
        fillBetween(forward);
        findGradients();
        for (const NodeId id : backward)
            m_paths[id.index()] = pathOfBackward(id);
        fillBetween(backward);
        for (const NodeId id : backward) // a call that shares a value with a later call might belong to that one
            m_paths[id.index()] = around(m_paths[id.index()], m_paths[m_training.forwardOf[id.index()].index()]);
        return std::move(m_paths);
    }

private:
    /// A weight, or a value computed from weights of a single module.
    struct Value {
        std::string_view owner = {}; ///< empty for all other values, and weights of the model itself
        TensorId weight = {}; ///< invalid if computed from several weights
        bool isRead = false;
    };

    /// The forward calls that read a weight.
    struct Readers {
        bool isRead = false;
        std::size_t count = 0; ///< without calls that only change its form
    };

    [[nodiscard]] const Value& value(NodeId id) const { return m_values[id.index()]; }

    [[nodiscard]] std::string_view pathOfItem(NodeId id) const
    {
        const Node& node = m_graph[id];
        return isGetitem(node) && !node.args.empty() && node.args[0].is(ArgumentKind::node)
            ? m_paths[node.args[0].asNode().index()]
            : std::string_view();
    }

    std::string_view pathOfForward(NodeId id)
    {
        if (const std::string_view path = pathOfItem(id); !path.empty())
            return path;
        std::string_view path;
        for (const NodeId input : m_graph.inputs(id))
            if (!value(input).owner.empty() && isFirstReader(input))
                path = path.empty() ? value(input).owner : common(path, value(input).owner);
        if (takeForm(id, path))
            return path;
        for (const NodeId input : m_graph.inputs(id))
            if (const TensorId weight = value(input).weight)
                ++m_weights[weight.index()].count;
        return path;
    }

    /// A tied weight only identifies the module of its first reader.
    bool isFirstReader(NodeId input)
    {
        const TensorId tensor = m_tensors[input.index()];
        return !std::exchange(tensor ? m_weights[tensor.index()].isRead : m_values[input.index()].isRead, true);
    }

    /// Returns whether a call only reads weights, so that its result is a weight in another form; notes the result.
    bool takeForm(NodeId id, std::string_view owner)
    {
        const auto inputs = m_graph.inputs(id);
        if (inputs.begin() == inputs.end()
            || std::any_of(inputs.begin(), inputs.end(), [this](NodeId input) { return value(input).owner.empty(); }))
            return false;
        const TensorId weight = value(*inputs.begin()).weight;
        const bool isOfOne = std::all_of(inputs.begin(), inputs.end(),
                                         [&](NodeId input) { return value(input).weight == weight; });
        m_values[id.index()] = {.owner = owner, .weight = isOfOne ? weight : TensorId()};
        return true;
    }

    void findGradients()
    {
        const NodeId output = m_graph.output();
        if (!m_program.signature || !output || m_graph[output].args.empty() || !m_graph[output].args.front().isCompound())
            return;
        const auto results = m_graph[output].args.front().items();
        const std::vector<OutputSpec>& specs = m_program.signature->outputs;
        for (std::size_t i = 0; i < std::min(results.size(), specs.size()); ++i)
            if (specs[i].kind == OutputKind::gradient && results[i].is(ArgumentKind::node))
                m_gradients[results[i].asNode()] = m_program.tensors.find(specs[i].target);
    }

    /// Returns the module of a weight with a single forward reader; the gradients of other weights come from several calls.
    [[nodiscard]] std::string_view ownerOfWeight(TensorId weight) const
    {
        return weight && m_weights[weight.index()].count == 1 ? boundedOwner(m_program.tensors[weight].fqn.view())
                                                              : std::string_view();
    }

    std::string_view pathOfBackward(NodeId id)
    {
        if (const std::string_view path = pathOfItem(id); !path.empty())
            return path;
        std::string_view path;
        if (const auto gradient = m_gradients.find(id); gradient != m_gradients.end())
            path = ownerOfWeight(gradient->second);
        for (const NodeId input : m_graph.inputs(id))
            if (const std::string_view owner = ownerOfWeight(value(input).weight); !owner.empty())
                path = path.empty() ? owner : common(path, owner);
        takeForm(id, path);
        return path;
    }

    /// `calls` are those of one pass.
    void fillBetween(const std::vector<NodeId>& calls)
    {
        const auto pathAt = [&](std::size_t at) -> std::string_view& { return m_paths[calls[at].index()]; };
        for (std::size_t begin = 0; begin < calls.size();) {
            std::size_t end = begin;
            while (end < calls.size() && pathAt(end).empty())
                ++end;
            if (end < calls.size() && begin > 0)
                for (const std::string_view path = around(pathAt(begin - 1), pathAt(end)); begin < end; ++begin)
                    pathAt(begin) = path;
            begin = end + 1;
        }
    }

    const Program& m_program;
    const Graph& m_graph;
    const TrainingGraph& m_training;
    std::vector<TensorId> m_tensors;
    std::vector<Value> m_values; ///< per NodeId
    std::vector<Readers> m_weights; ///< per TensorId
    std::vector<std::string_view> m_paths;
    std::unordered_map<NodeId, TensorId> m_gradients;
};

/// Assigns calls to modules, and keeps the stack stated in the file.
class CallPlaces {
public:
    explicit CallPlaces(Program& program) : m_program(program) {}

    void give(NodeId call, std::string_view path, PlacedBy how)
    {
        if (!path.empty())
            m_program.rootGraph().meta(call).modules = stackFor(path, m_program.statedStack(m_program.rootGraph()[call]), how);
    }

    /// Assigns the stack of another call; only the stated stack if that is unknown.
    void giveStackOf(NodeId call, NodeId other)
    {
        const StackId like = m_program.rootGraph()[other].meta.modules;
        const StackId stated = m_program.statedStack(m_program.rootGraph()[call]);
        if (!like || m_program.stacks[like.index()].empty()) {
            m_program.rootGraph().meta(call).modules = stated;
            return;
        }
        const auto [at, isNew] = m_copies.try_emplace({like, stated}, m_program.stacks.size());
        if (isNew)
            add(ModuleStack(m_program.stacks[like.index()]), stated, PlacedBy::forwardCall);
        m_program.rootGraph().meta(call).modules = at->second;
    }

private:
    /// Returns the stack of modules for a path. Lists never run and have no frame; a sequential module in a list does.
    StackId stackFor(std::string_view path, StackId stated, PlacedBy how)
    {
        const auto [at, isNew] = m_made.try_emplace({path, stated, how}, m_program.stacks.size());
        if (!isNew)
            return at->second;
        ModuleStack stack;
        for (std::size_t dot = path.find('.');; dot = path.find('.', dot + 1)) {
            const std::string_view prefix = path.substr(0, dot);
            const bool isList = isNumber(nextName(path, prefix)) && !isNumber(prefix.substr(prefix.rfind('.') + 1));
            if (!isList)
                stack.push_back({.key = intern(prefix), .path = intern(prefix), .cls = classOf(intern(prefix))});
            if (dot == std::string_view::npos)
                break;
        }
        add(std::move(stack), stated, how);
        return at->second;
    }

    void add(ModuleStack stack, StackId stated, PlacedBy how)
    {
        stack.stated = stated;
        stack.placedBy = how;
        m_program.stacks.push_back(std::move(stack));
    }

    [[nodiscard]] InternedString classOf(InternedString path) const
    {
        const ModuleId module = m_program.modules.find(path);
        return module ? m_program.modules[module].cls : InternedString();
    }

    Program& m_program;
    std::map<std::tuple<std::string_view, StackId, PlacedBy>, StackId> m_made; ///< by path, which points into an interned string
    std::map<std::pair<StackId, StackId>, StackId> m_copies; ///< by copied stack and stated stack
};

bool statesModule(const Program& program, const Node& node)
{
    const StackId stated = program.statedStack(node);
    return node.op == Op::callModule || (stated && !program.stacks[stated.index()].empty());
}

void placeByWeights(Program& program, const TrainingGraph& training)
{
    const std::vector<std::string_view> paths = PathsByWeights(program, training).run();
    CallPlaces places(program);
    for (const NodeId id : program.rootGraph().order())
        if (program.rootGraph()[id].isCall() && !statesModule(program, program.rootGraph()[id]))
            places.give(id, paths[id.index()], training.isBackwardCall(id) ? PlacedBy::forwardCall : PlacedBy::weights);
}

void placeBackward(Program& program, const TrainingGraph& training)
{
    CallPlaces places(program);
    for (const NodeId id : program.rootGraph().order())
        if (training.isBackwardCall(id) && !statesModule(program, program.rootGraph()[id]))
            places.giveStackOf(id, training.forwardOf[id.index()]);
}

} // namespace

Result<void> placeTrainingModules(Program& program, ProgressMonitor& monitor)
{
    SUNDER_TRY(const TrainingGraph training, trainingGraph(program, monitor));
    if (!training.isTraining())
        return {};
    const Graph& graph = program.rootGraph();
    const auto isStated = [&](NodeId id) {
        return graph[id].isCall() && !training.isBackwardCall(id) && statesModule(program, graph[id]);
    };
    if (std::ranges::any_of(graph.order(), isStated))
        placeBackward(program, training);
    else
        placeByWeights(program, training);
    return {};
}

} // namespace sunder
