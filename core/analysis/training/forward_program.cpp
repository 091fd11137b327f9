#include "analysis/training/forward_program.h"

#include "analysis/sizes.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

void dropBackward(Program& program, const TrainingGraph& training)
{
    Graph& graph = program.rootGraph();
    std::vector<OutputSpec> specs;
    if (const NodeId output = graph.output(); output && !graph[output].args.empty() && graph[output].args.front().isCompound()) {
        Arguments kept;
        const auto results = graph[output].args.front().items();
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (results[i].is(ArgumentKind::node) && training.isBackwardCall(results[i].asNode()))
                continue;
            kept.push_back(results[i]);
            if (program.signature && i < program.signature->outputs.size())
                specs.push_back(program.signature->outputs[i]);
        }
        graph.setArguments(output, {Argument::tuple(std::move(kept))}, {});
    }
    if (program.signature)
        program.signature->outputs = std::move(specs);
    std::vector<NodeId> order = graph.order();
    std::ranges::reverse(order);
    for (const NodeId id : order)
        if (training.isBackwardCall(id) && graph[id].userCount() == 0) // a file may let forward calls read backward ones
            (void)graph.erase(id);
}

bool isNumber(std::string_view word)
{
    return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "blocks.0.norm" of "blocks.0.norm.weight".
std::string_view ownerOf(std::string_view tensor)
{
    const std::size_t dot = tensor.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : tensor.substr(0, dot);
}

/// The path of what holds both.
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

class ModulesByWeights {
public:
    explicit ModulesByWeights(Program& program) : m_program(program) {}

    void run()
    {
        Graph& graph = m_program.rootGraph();
        const std::vector<TensorId> tensors = tensorsOfNodes(m_program);
        std::vector<std::uint8_t> isRead(m_program.tensors.size(), 0);
        std::vector<std::pair<NodeId, std::string_view>> calls;
        for (const NodeId id : graph.nodes()) {
            if (!graph[id].isCall())
                continue;
            std::string_view owner; // a tied weight says it of its first reader; those of the model itself say nothing
            for (const NodeId input : graph.inputs(id))
                if (const TensorId tensor = tensors[input.index()]; tensor && std::exchange(isRead[tensor.index()], 1) == 0)
                    if (const std::string_view path = ownerOf(m_program.tensors[tensor].fqn.view()); !path.empty())
                        owner = owner.empty() ? path : common(owner, path);
            calls.emplace_back(id, owner);
        }
        giveModules(graph, calls);
    }

private:
    void giveModules(Graph& graph, const std::vector<std::pair<NodeId, std::string_view>>& calls)
    {
        std::string_view before;
        for (std::size_t begin = 0; begin < calls.size();) {
            std::size_t end = begin;
            while (end < calls.size() && calls[end].second.empty())
                ++end;
            const std::string_view between = end < calls.size() && begin > 0 ? common(before, calls[end].second)
                                                                             : std::string_view();
            for (; begin < end; ++begin)
                graph.meta(calls[begin].first).modules = stackFor(between);
            if (end < calls.size()) {
                before = calls[end].second;
                graph.meta(calls[end].first).modules = stackFor(before);
                begin = end + 1;
            }
        }
    }

    /// The modules around a path. Lists do not run, and so stand in no stack; a sequence in a list does.
    StackId stackFor(std::string_view path)
    {
        if (path.empty())
            return {};
        const auto [at, isNew] = m_stacks.try_emplace(path);
        if (!isNew)
            return at->second;
        ModuleStack stack;
        for (std::size_t dot = path.find('.');; dot = path.find('.', dot + 1)) {
            const std::string_view prefix = path.substr(0, dot);
            const std::string_view rest = dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1);
            const bool isList = isNumber(rest.substr(0, rest.find('.'))) && !isNumber(prefix.substr(prefix.rfind('.') + 1));
            if (!isList)
                stack.push_back({.key = intern(prefix), .path = intern(prefix), .cls = {}});
            if (dot == std::string_view::npos)
                break;
        }
        at->second = StackId(m_program.stacks.size());
        m_program.stacks.push_back(std::move(stack));
        return at->second;
    }

    Program& m_program;
    std::unordered_map<std::string_view, StackId> m_stacks; ///< keys live in interned strings
};

} // namespace

Program forwardProgram(const Program& program, const TrainingGraph& training)
{
    Program forward = program;
    dropBackward(forward, training);
    const Graph& graph = forward.rootGraph();
    const auto saysModule = [&](NodeId id) { return !forward.stackOf(graph[id]).empty() || graph[id].op == Op::callModule; };
    if (std::ranges::none_of(graph.order(), saysModule))
        ModulesByWeights(forward).run();
    return forward;
}

} // namespace sunder
