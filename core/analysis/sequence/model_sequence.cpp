// Modules are identified by the stacks of nodes. A list of modules is in no stack, since it is never called: "layers.3" has the
// depth of the list itself.
#include "analysis/sequence/model_sequence.h"

#include "analysis/search/node_matcher.h"
#include "ir/reader_stacks.h"

#include <algorithm>
#include <unordered_map>

namespace sunder {
namespace {

using ModuleChain = std::vector<InternedString>; ///< paths of the modules enclosing a call, outermost first

class ModuleChains {
public:
    explicit ModuleChains(const Program& program) : m_program(program) {}

    const ModuleChain& of(const Node& node)
    {
        const ModuleStack& stack = m_program.stackOf(node);
        if (stack.empty())
            return ofPath(node.op == Op::callModule ? modulePathOf(m_program, node) : std::string_view());
        const auto [at, isNew] = m_byStack.try_emplace(&stack);
        if (isNew)
            for (const ModuleFrame& frame : stack)
                add(at->second, frame.path);
        return at->second;
    }

private:
    static void add(ModuleChain& chain, InternedString path)
    {
        const bool isModule = !path.empty() && path.view().find(kNoModulePath) == std::string_view::npos;
        if (isModule && chain.size() < ModelSequence::kMaxDepth && (chain.empty() || chain.back() != path))
            chain.push_back(path);
    }

    /// Returns the module called by a call_module and its parents, without lists: these have numbers as names below them.
    const ModuleChain& ofPath(std::string_view path)
    {
        const auto [at, isNew] = m_byPath.try_emplace(path);
        for (std::size_t dot = 0; isNew && dot != std::string_view::npos && !path.empty();) {
            dot = path.find('.', dot + 1);
            const bool isList = dot != std::string_view::npos && dot + 1 < path.size() && path[dot + 1] >= '0'
                && path[dot + 1] <= '9';
            if (!isList)
                add(at->second, intern(path.substr(0, dot)));
        }
        return at->second;
    }

    const Program& m_program;
    std::unordered_map<const ModuleStack*, ModuleChain> m_byStack; ///< nodes share stacks
    std::unordered_map<std::string_view, ModuleChain> m_byPath;    ///< the keys point into interned strings
};

void findVisits(const Program& program, ModelSequence& out)
{
    const CutGraph& graph = *out.graph;
    ModuleChains chains(program);
    std::vector<std::int32_t> open; // visits that contain the call, outermost first
    const ModuleChain none;
    const ModuleChain* before = &none;
    out.borderDepth.assign(std::size_t{graph.callCount} + 1, ModelSequence::kInside);
    for (std::uint32_t call = 0; call < graph.callCount; ++call) {
        const ModuleChain& chain = chains.of(program.rootGraph()[graph.nodes[call]]);
        std::size_t common = 0;
        while (common < open.size() && common < chain.size() && (&chain == before || (*before)[common] == chain[common]))
            ++common;
        if (common < open.size() || common < chain.size())
            out.borderDepth[call] = static_cast<std::uint8_t>(common + 1);
        for (; open.size() > common; open.pop_back())
            out.visits[static_cast<std::size_t>(open.back())].end = call;
        for (; common < chain.size(); ++common) {
            const std::int32_t parent = open.empty() ? -1 : open.back();
            open.push_back(static_cast<std::int32_t>(out.visits.size()));
            out.visits.push_back({chain[common], call, graph.callCount, static_cast<std::uint32_t>(common + 1), parent});
        }
        out.deepest = std::max(out.deepest, static_cast<std::uint8_t>(chain.size()));
        out.visitOf.push_back(open.empty() ? -1 : open.back());
        before = &chain;
    }
    out.borderDepth.front() = 0;
    out.borderDepth.back() = 0;
}

void findCrossings(ModelSequence& out)
{
    const CutGraph& graph = *out.graph;
    const std::size_t places = std::size_t{graph.callCount} + 1;
    out.crossingBytes.assign(places + 1, 0);
    out.crossingValues.assign(places + 1, 0);
    out.crossingNonTensors.assign(places + 1, 0);
    const auto add = [&out, &graph](std::size_t place, std::uint32_t value, auto sign) {
        out.crossingBytes[place] += sign * graph.bytes[value]; // unsigned differences wrap around and back
        out.crossingValues[place] += static_cast<std::uint32_t>(sign);
        out.crossingNonTensors[place] += graph.hasNoTensor[value] != 0 ? static_cast<std::uint32_t>(sign) : 0U;
    };
    for (std::uint32_t value = 0; value < graph.callCount; ++value)
        if (const auto readers = graph.readers[value]; !readers.empty() && readers.back() > value) {
            add(std::size_t{value} + 1, value, std::uint64_t{1});
            add(std::size_t{readers.back()} + 1, value, ~std::uint64_t{0});
        }
    for (std::size_t place = 1; place < places; ++place) {
        out.crossingBytes[place] += out.crossingBytes[place - 1];
        out.crossingValues[place] += out.crossingValues[place - 1];
        out.crossingNonTensors[place] += out.crossingNonTensors[place - 1];
    }
    out.crossingBytes.resize(places);
    out.crossingValues.resize(places);
    out.crossingNonTensors.resize(places);
}

void weighCalls(ModelSequence& out)
{
    const CutGraph& graph = *out.graph;
    out.callBytes.assign(graph.bytes.begin(), graph.bytes.begin() + graph.callCount);
    for (std::size_t memory = 0; memory < graph.memoryBytes.size(); ++memory)
        if (const auto readers = graph.memoryReaders[memory]; !readers.empty())
            out.callBytes[readers.front()] += graph.memoryBytes[memory];
}

std::uint8_t coarseDepthOf(const ModelSequence& sequence)
{
    for (std::uint8_t depth = 1; depth < sequence.deepest; ++depth) {
        std::uint32_t begin = 0;
        std::uint32_t longest = 0;
        for (std::uint32_t place = 1; place <= sequence.callCount(); ++place)
            if (sequence.isBorder(place, depth)) {
                longest = std::max(longest, place - begin);
                begin = place;
            }
        if (longest <= sequence.callCount() / 2)
            return depth;
    }
    return std::max<std::uint8_t>(1, sequence.deepest);
}

} // namespace

ModelSequence modelSequence(const Program& program, std::shared_ptr<const CutGraph> graph)
{
    ModelSequence made{.graph = std::move(graph)};
    findVisits(program, made);
    findCrossings(made);
    weighCalls(made);
    made.coarseDepth = coarseDepthOf(made);
    return made;
}

std::optional<std::uint32_t> nextBorder(const ModelSequence& sequence, std::uint32_t from, Direction direction, PlaceRange within,
                                        std::uint8_t depth)
{
    if (direction == Direction::forth) {
        for (std::uint32_t place = std::max(from + 1, within.first); place <= within.last; ++place)
            if (sequence.isBorder(place, depth))
                return place;
    } else {
        for (std::uint32_t place = std::min(from, within.last + 1); place > within.first; --place)
            if (sequence.isBorder(place - 1, depth))
                return place - 1;
    }
    return std::nullopt;
}

std::optional<std::uint32_t> snappedBorder(const ModelSequence& sequence, std::uint32_t wanted, PlaceRange near,
                                           PlaceRange within)
{
    const std::uint32_t from = std::clamp(wanted, within.first, within.last);
    std::optional<std::uint32_t> found;
    std::uint8_t depth = ModelSequence::kInside;
    const auto distance = [from](std::uint32_t place) { return place > from ? place - from : from - place; };
    for (std::uint32_t place = std::max(near.first, within.first); place <= std::min(near.last, within.last); ++place) {
        const std::uint8_t here = sequence.borderDepth[place];
        if (here < depth || (here == depth && found && distance(place) < distance(*found))) {
            found = place;
            depth = here;
        }
    }
    if (found || sequence.isBorder(from, ModelSequence::kMaxDepth))
        return found ? found : from;
    const auto before = nextBorder(sequence, from, Direction::back, within, ModelSequence::kMaxDepth);
    const auto behind = nextBorder(sequence, from, Direction::forth, within, ModelSequence::kMaxDepth);
    if (!before || !behind)
        return before ? before : behind;
    return distance(*before) <= distance(*behind) ? before : behind;
}

std::uint32_t cheapestPlace(const ModelSequence& sequence, PlaceRange among)
{
    std::uint32_t best = among.last;
    for (std::uint32_t place = among.last; place > among.first; --place)
        if (sequence.crossingBytes[place - 1] < sequence.crossingBytes[best])
            best = place - 1;
    return best;
}

std::optional<std::uint32_t> placeInFrontOf(const ModelSequence& sequence, const Graph& graph, std::string_view name)
{
    if (const NodeId node = graph.find(intern(name)); node && graph[node].isCall())
        return sequence.graph->valueOf[node.index()];
    for (const ModuleVisit& visit : sequence.visits)
        if (visit.path.view() == name)
            return visit.begin;
    return std::nullopt;
}

namespace {

/// Returns the visit of a call that a boundary of this depth separates; the name of the call if there is none.
std::string neighborName(const ModelSequence& sequence, const Graph& graph, std::uint32_t call, std::uint32_t depth)
{
    std::int32_t visit = sequence.visitOf[call];
    while (visit >= 0 && sequence.visits[static_cast<std::size_t>(visit)].depth > depth)
        visit = sequence.visits[static_cast<std::size_t>(visit)].parent;
    if (visit >= 0 && sequence.visits[static_cast<std::size_t>(visit)].depth == depth)
        return sequence.visits[static_cast<std::size_t>(visit)].path.str();
    return graph[sequence.graph->nodes[call]].name.str();
}

} // namespace

std::string describePlace(const ModelSequence& sequence, const Graph& graph, std::uint32_t place)
{
    if (place == 0)
        return "at the start of the model";
    if (place >= sequence.callCount())
        return "at the end of the model";
    const std::uint8_t depth = sequence.borderDepth[place];
    if (depth != ModelSequence::kInside)
        return "between " + neighborName(sequence, graph, place - 1, depth) + " and "
            + neighborName(sequence, graph, place, depth);
    const std::int32_t visit = sequence.visitOf[place];
    const std::string inside = visit < 0 ? std::string()
                                         : "inside " + sequence.visits[static_cast<std::size_t>(visit)].path.str() + ", ";
    return inside + "before " + graph[sequence.graph->nodes[place]].name.str();
}

} // namespace sunder
