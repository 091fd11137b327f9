// Finds the source nodes that run in each call. The result is walked in execution order, call by call: once to count the runs of
// each graph, and a second time to distribute sources. A graph shared by several calls has one source per run for each of its
// nodes. The walk is as expensive as execution, so it stops at a bound: a malicious file can make modules call each other
// exponentially often.
#include "analysis/representatives.h"
#include "support/sort_unique.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::uint32_t kNotCalled = 0xffffffffU;
constexpr std::uint64_t kMaxHeld = 8; ///< sources of all calls together, per step of the bound

/// A step of a graph; irrelevant nodes have none.
struct Step {
    NodeId node;
    std::uint32_t call = kNotCalled; ///< index among the calls of the graph
};

struct Body {
    std::vector<Step> steps;
    std::vector<NodeId> calls;
    std::vector<ModuleId> called;              ///< the module object behind each call
    std::vector<std::vector<NodeId>> sources;  ///< per node, in source order
    std::vector<std::vector<NodeId>> runsIn;   ///< per call: the sources that run in it
    std::uint64_t runs = 0;
};

struct Frame {
    std::uint32_t graph;
    std::uint64_t run;
    std::size_t next = 0;
    std::uint32_t call = kNotCalled; ///< the call in the frame below that runs it
};

class Walk {
public:
    Walk(const Program& source, const Program& result, const IdentityMap& map) : m_result(result), m_bodies(result.graphs.size())
    {
        noteSources(source, map);
        for (std::uint32_t graph = 0; graph < m_bodies.size(); ++graph)
            m_bodies[graph].sources.resize(m_result.graphs[graph].idBound());
        noteSteps();
    }

    std::vector<std::vector<Representative>> run()
    {
        walk([](const Step&, const Frame&) {});
        for (Body& body : m_bodies)
            m_expected.push_back(std::exchange(body.runs, 0));
        walk([this](const Step& step, const Frame& frame) { handOut(step, frame); });
        std::vector<std::vector<Representative>> all;
        for (std::uint32_t graph = 0; graph < m_bodies.size(); ++graph)
            all.push_back(representativesOf(graph));
        return all;
    }

private:
    void noteSources(const Program& source, const IdentityMap& map)
    {
        std::vector<std::uint32_t> places(source.rootGraph().idBound(), 0);
        std::uint32_t place = 0;
        for (const NodeId id : source.rootGraph().nodes())
            places[id.index()] = place++;
        for (const IdentityMap::Pair& pair : map.pairs()) {
            if (pair.created || pair.source.graph != source.root)
                continue;
            Body& body = m_bodies[pair.result.graph.index()];
            if (body.sources.size() <= pair.result.node.index())
                body.sources.resize(pair.result.node.index() + 1);
            body.sources[pair.result.node.index()].push_back(pair.source.node);
            ++m_bound;
        }
        for (Body& body : m_bodies)
            for (std::vector<NodeId>& nodes : body.sources)
                std::ranges::sort(nodes, {}, [&](NodeId id) { return places[id.index()]; });
    }

    void noteSteps()
    {
        const ModuleTree& modules = m_result.modules;
        std::vector<ModuleId> owners(m_bodies.size());
        for (const ModuleId id : modules.depthFirst()) {
            if (modules[id].graph)
                owners[modules[id].graph.index()] = id;
            for (const GraphId graph : modules[id].calls.value_or(std::vector<GraphId>()))
                owners[graph.index()] = id;
        }
        for (std::uint32_t graph = 0; graph < m_bodies.size(); ++graph) {
            Body& body = m_bodies[graph];
            const ModuleId owner = owners[graph] ? owners[graph] : ModuleTree::root();
            for (const NodeId id : m_result.graphs[graph].nodes()) {
                const Node& node = m_result.graphs[graph][id];
                const ModuleId called = node.op == Op::callModule ? calledBy(owner, node) : ModuleId();
                if (called) {
                    body.steps.push_back({id, static_cast<std::uint32_t>(body.calls.size())});
                    body.calls.push_back(id);
                    body.called.push_back(called);
                } else if (!body.sources[id.index()].empty()) {
                    body.steps.push_back({id});
                }
            }
            body.runsIn.resize(body.calls.size());
            m_bound += body.steps.size();
        }
        m_bound = 16 * m_bound + 1024;
    }

    /// Returns a called module that has its own graph; invalid for other modules, which run as one op.
    [[nodiscard]] ModuleId calledBy(ModuleId owner, const Node& call) const
    {
        const ModuleTree& modules = m_result.modules;
        const std::string path = joinPath(modules[owner].path.view(), call.target.view());
        const ModuleId exact = modules.find(intern(path));
        const ModuleId object = exact ? modules.object(exact) : modules.resolve(path);
        return object && (modules[object].graph || modules[object].calls) ? object : ModuleId();
    }

    /// Returns the graph that the next call of this module runs. A dispatcher cycles through its graphs.
    [[nodiscard]] GraphId nextGraph(ModuleId object)
    {
        const Module& module = m_result.modules[object];
        if (!module.calls)
            return module.graph;
        if (module.calls->empty())
            return {};
        m_turns.resize(m_result.modules.size(), 0);
        return (*module.calls)[m_turns[object.index()]++ % module.calls->size()];
    }

    template <typename Visit>
    void walk(const Visit& visit)
    {
        m_turns.clear();
        m_stack.clear();
        std::uint64_t steps = 0;
        enter(m_result.root, kNotCalled);
        while (!m_stack.empty() && steps++ < m_bound) {
            Frame& frame = m_stack.back();
            const Body& body = m_bodies[frame.graph];
            if (frame.next == body.steps.size()) {
                m_stack.pop_back();
                continue;
            }
            const Step& step = body.steps[frame.next++];
            if (step.call == kNotCalled)
                visit(step, frame);
            else if (const GraphId graph = nextGraph(body.called[step.call]))
                enter(graph, step.call);
        }
    }

    void enter(GraphId graph, std::uint32_t call)
    {
        const auto index = static_cast<std::uint32_t>(graph.index());
        m_stack.push_back({.graph = index, .run = m_bodies[index].runs++, .call = call});
    }

    /// Adds the sources of a step to all calls on the stack.
    void handOut(const Step& step, const Frame& frame)
    {
        const std::vector<NodeId>& all = m_bodies[frame.graph].sources[step.node.index()];
        const bool isExact = all.size() == m_expected[frame.graph];
        const std::span<const NodeId> now = isExact ? std::span(all).subspan(frame.run, 1) : std::span(all);
        m_handedOut += now.size() * m_stack.size();
        if (m_handedOut > kMaxHeld * m_bound) // the file controls the nesting depth of calls
            return;
        for (std::size_t depth = 1; depth < m_stack.size(); ++depth) {
            std::vector<NodeId>& held = m_bodies[m_stack[depth - 1].graph].runsIn[m_stack[depth].call];
            held.insert(held.end(), now.begin(), now.end());
        }
    }

    std::vector<Representative> representativesOf(std::uint32_t graph)
    {
        Body& body = m_bodies[graph];
        std::vector<Representative> made;
        for (const Step& step : body.steps) {
            std::vector<NodeId>& nodes = step.call == kNotCalled ? body.sources[step.node.index()] : body.runsIn[step.call];
            sortUnique(nodes);
            if (step.call == kNotCalled ? nodes.size() > 1 : !nodes.empty())
                made.push_back({step.node, std::move(nodes)});
        }
        return made;
    }

    const Program& m_result;
    std::vector<Body> m_bodies;             ///< per graph
    std::vector<std::uint64_t> m_expected;  ///< number of runs of each graph
    std::vector<std::size_t> m_turns;       ///< per dispatcher module: calls so far
    std::vector<Frame> m_stack;
    std::uint64_t m_bound = 0;
    std::uint64_t m_handedOut = 0;
};

} // namespace

std::vector<std::vector<Representative>> representatives(const Program& source, const Program& result, const IdentityMap& map)
{
    return Walk(source, result, map).run();
}

} // namespace sunder
