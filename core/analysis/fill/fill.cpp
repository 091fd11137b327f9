#include "analysis/fill/fill.h"

#include "analysis/outline_tree.h"
#include "analysis/search/find_nodes.h"
#include "analysis/search/node_matcher.h"
#include "analysis/search/reached_nodes.h"
#include "ir/module_tree.h"
#include "ir/value_kind.h"
#include "support/format.h"

#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sunder {
namespace {

/// Returns the operator of a call for comparison: its target, or the class of the called module.
std::string_view operatorOf(const Program& program, const Node& node)
{
    if (node.op == Op::callModule)
        if (const ModuleId called = program.modules.resolve(node.target.view()); called && !program.modules[called].cls.empty())
            return program.modules[called].cls.view();
    return node.target.view();
}

std::string shownOperator(const Program& program, const Node& node)
{
    const std::string_view called = operatorOf(program, node);
    return std::string(node.op == Op::callModule ? unqualifiedClass(called) : shortTarget(called));
}

/// Formats the shapes of all tensors in a value: "2×8, 4"; empty if there are none.
std::string shapeOf(const Node& node)
{
    std::string shape;
    if (node.meta.val)
        forEachTensor(*node.meta.val, [&](const TensorMeta& tensor) {
            shape += (shape.empty() ? "" : ", ") + describeShape(Argument::tensor(tensor));
        });
    return shape;
}

class Filling {
public:
    Filling(const Snapshot& snapshot, const TagAssignment& tags, const FillRequest& request)
        : m_snapshot(snapshot), m_program(snapshot.program), m_graph(snapshot.graph()), m_tags(tags), m_request(request)
    {
        std::ranges::copy_if(request.pick, std::back_inserter(m_pick), [&](NodeId id) { return snapshot.isCall(id); });
    }

    Result<Fill> run()
    {
        if (m_pick.empty())
            return fail(ErrorCode::refused, "No op here can be tagged.");
        switch (m_request.scope) {
        case FillScope::module: return inModule();
        case FillScope::moduleClass: return ofClass();
        case FillScope::sameOperator: return ofOperator();
        case FillScope::sameShape: return ofShape();
        case FillScope::needed:
            return calls(withAllNeeded(m_graph, m_pick), "everything that " + called(m_pick) + (isCount() ? " need" : " needs"));
        case FillScope::needing: return calls(withAllNeeding(m_graph, m_pick), "everything that needs " + called(m_pick));
        case FillScope::between: return between();
        case FillScope::occurrences: return ofRegion();
        case FillScope::connected: return connected();
        case FillScope::alike: return alike();
        }
        return fail(ErrorCode::usage, "Unknown scope.");
    }

private:
    [[nodiscard]] Fill calls(std::vector<NodeId> nodes, std::string what) const
    {
        std::erase_if(nodes, [&](NodeId id) { return !m_snapshot.isCall(id); });
        std::ranges::sort(nodes);
        nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
        return {.nodes = std::move(nodes), .what = std::move(what)};
    }

    template <typename Wanted>
    [[nodiscard]] std::vector<NodeId> where(const Wanted& wanted) const
    {
        std::vector<NodeId> nodes;
        for (const NodeId id : m_graph.nodes())
            if (m_snapshot.isCall(id) && wanted(id))
                nodes.push_back(id);
        return nodes;
    }

    /// Returns the wanted calls connected to the pick through wanted calls.
    template <typename Wanted>
    [[nodiscard]] std::vector<NodeId> flood(const Wanted& wanted) const
    {
        std::vector<bool> seen(m_graph.idBound());
        std::vector<NodeId> reached;
        const auto visit = [&](NodeId id) {
            if (seen[id.index()] || !m_snapshot.isCall(id) || !wanted(id))
                return;
            seen[id.index()] = true;
            reached.push_back(id);
        };
        std::ranges::for_each(m_pick, visit);
        for (std::size_t i = 0; i < reached.size(); ++i) {
            for (const NodeId id : m_graph.inputs(reached[i]))
                visit(id);
            for (const NodeId id : m_graph.users(reached[i]))
                visit(id);
        }
        return reached;
    }

    [[nodiscard]] std::string called(const std::vector<NodeId>& pick) const
    {
        const std::string_view module = &pick == &m_pick ? m_request.module : m_request.otherModule;
        if (!module.empty())
            return std::string(module); // the user picked the module, not an op in it
        return pick.size() == 1 ? m_graph[pick.front()].name.str() : formatCount(pick.size(), "op");
    }
    /// Returns whether to describe the pick by its number of ops.
    [[nodiscard]] bool isCount() const { return m_pick.size() > 1 && m_request.module.empty(); }

    [[nodiscard]] Result<Fill> inModule() const
    {
        const std::vector<EnclosingModule> around = modulesAround(m_program, m_pick, m_request.module);
        if (around.empty())
            return fail(ErrorCode::refused, "No module contains " + called(m_pick) + ".");
        const std::size_t width = std::min(m_request.width, around.size() - 1);
        Fill fill = calls(nodesIn(m_program, around[width].path), around[width].path);
        fill.width = width;
        fill.widths = around.size();
        return fill;
    }

    /// Returns a predicate that tests whether a call runs in a module of a class.
    [[nodiscard]] auto runsInClass(InternedString cls) const
    {
        return [this, cls, known = std::unordered_map<const ModuleStack*, bool>()](NodeId id) mutable {
            const ModuleStack& stack = m_program.stackOf(m_graph[id]);
            const auto [at, isNew] = known.try_emplace(&stack, false);
            if (isNew)
                at->second = std::ranges::any_of(
                    stack, [&](const ModuleFrame& frame) { return !frame.path.empty() && frame.cls == cls; });
            return at->second;
        };
    }

    /// Returns the classes of enclosing modules such that each op of the pick runs in a module of that class, innermost first.
    /// The modules may differ between ops.
    [[nodiscard]] std::vector<InternedString> classesAround() const
    {
        std::vector<InternedString> classes;
        const std::span<const NodeId> first = std::span(m_pick).first(m_request.module.empty() ? 1 : m_pick.size());
        for (const EnclosingModule& one : modulesAround(m_program, first, m_request.module))
            if (!one.cls.empty() && std::ranges::find(classes, one.cls) == classes.end())
                classes.push_back(one.cls);
        std::erase_if(classes, [&](InternedString cls) {
            auto isIn = runsInClass(cls);
            return !std::ranges::all_of(m_pick, [&](NodeId id) { return isIn(id); });
        });
        return classes;
    }

    [[nodiscard]] Result<Fill> ofClass() const
    {
        const std::vector<InternedString> classes = classesAround();
        if (classes.empty())
            return fail(ErrorCode::refused, "No module of known class contains " + called(m_pick) + ".");
        const std::size_t width = std::min(m_request.width, classes.size() - 1);
        auto isWanted = runsInClass(classes[width]);
        Fill fill = calls(where([&](NodeId id) { return isWanted(id); }),
                          "all " + std::string(unqualifiedClass(classes[width].view())) + " modules");
        fill.width = width;
        fill.widths = classes.size();
        return fill;
    }

    [[nodiscard]] std::set<std::pair<Op, std::string_view>> operatorsPicked() const
    {
        std::set<std::pair<Op, std::string_view>> wanted;
        for (const NodeId id : m_pick)
            wanted.emplace(m_graph[id].op, operatorOf(m_program, m_graph[id]));
        return wanted;
    }

    [[nodiscard]] std::string shownOperators(const std::set<std::pair<Op, std::string_view>>& wanted) const
    {
        return wanted.size() == 1 ? shownOperator(m_program, m_graph[m_pick.front()]) + " ops"
                                  : "ops of " + formatCount(wanted.size(), "operator");
    }

    [[nodiscard]] Result<Fill> ofOperator() const
    {
        const auto wanted = operatorsPicked();
        const auto isWanted = [&](NodeId id) { return wanted.contains({m_graph[id].op, operatorOf(m_program, m_graph[id])}); };
        return calls(where(isWanted), "all " + shownOperators(wanted));
    }

    [[nodiscard]] Result<Fill> ofShape() const
    {
        std::unordered_set<std::string> wanted;
        std::string first;
        for (const NodeId id : m_pick)
            if (std::string shape = shapeOf(m_graph[id]); !shape.empty()) {
                first = first.empty() ? shape : first;
                wanted.insert(std::move(shape));
            }
        if (wanted.empty())
            return fail(ErrorCode::refused, "No value of " + called(m_pick) + " has a known shape.");
        const std::string what = wanted.size() == 1 ? "all ops of shape " + first
                                                    : "all ops of " + formatCount(wanted.size(), "shape");
        return calls(where([&](NodeId id) { return wanted.contains(shapeOf(m_graph[id])); }), what);
    }

    [[nodiscard]] std::vector<NodeId> onTheWay(std::span<const NodeId> from, std::span<const NodeId> to) const
    {
        const std::vector<NodeId> behind = withAllNeeding(m_graph, from);
        const std::vector<NodeId> before = withAllNeeded(m_graph, to);
        std::vector<NodeId> both;
        std::ranges::set_intersection(behind, before, std::back_inserter(both));
        return both;
    }

    [[nodiscard]] Result<Fill> between() const
    {
        std::vector<NodeId> first;
        std::ranges::copy_if(m_request.other, std::back_inserter(first), [&](NodeId id) { return m_snapshot.isCall(id); });
        if (first.empty())
            return fail(ErrorCode::refused, "Pick a start, then an end.");
        std::vector<NodeId> nodes = onTheWay(first, m_pick);
        if (nodes.empty())
            nodes = onTheWay(m_pick, first);
        if (nodes.empty())
            return fail(ErrorCode::refused, "No path connects " + called(first) + " and " + called(m_pick) + ".");
        nodes.insert(nodes.end(), first.begin(), first.end());
        nodes.insert(nodes.end(), m_pick.begin(), m_pick.end());
        return calls(std::move(nodes), "from " + called(first) + " to " + called(m_pick));
    }

    [[nodiscard]] Result<Fill> ofRegion() const
    {
        std::set<std::uint32_t> groups;
        std::vector<NodeId> nodes;
        std::size_t regions = 0;
        if (m_request.occurrences != nullptr)
            for (const NodeId id : m_pick)
                if (id.index() < m_request.occurrences->groupOf.size())
                    groups.insert(m_request.occurrences->groupOf[id.index()]);
        groups.erase(OccurrenceTable::kNone);
        if (groups.empty())
            return fail(ErrorCode::refused, "No repeated region contains " + called(m_pick) + ".");
        for (const std::uint32_t at : groups) {
            const OccurrenceTable::Group& group = m_request.occurrences->groups[at];
            nodes.insert(nodes.end(), group.nodes.begin(), group.nodes.end());
            regions += group.regions;
        }
        return calls(std::move(nodes), "all " + formatCount(regions, "occurrence") + " of the region around " + called(m_pick));
    }

    [[nodiscard]] Result<Fill> connected() const
    {
        std::set<std::int32_t> wanted;
        for (const NodeId id : m_pick)
            wanted.insert(m_tags[id]);
        std::string tagged = "ops of the same tag";
        if (wanted.size() == 1)
            tagged = *wanted.begin() < 0 ? "untagged ops"
                                         : "ops of " + m_tags.order[static_cast<std::size_t>(*wanted.begin())].str();
        return calls(flood([&](NodeId id) { return wanted.contains(m_tags[id]); }), tagged + " connected to " + called(m_pick));
    }

    [[nodiscard]] Result<Fill> alike() const
    {
        const std::vector<InternedString> classes = classesAround();
        const std::size_t width = std::min(m_request.width, classes.size());
        const auto wanted = operatorsPicked();
        Fill fill;
        if (width == 0) {
            const auto isWanted = [&](NodeId id) {
                return wanted.contains({m_graph[id].op, operatorOf(m_program, m_graph[id])});
            };
            fill = calls(flood(isWanted), "connected " + shownOperators(wanted));
        } else {
            auto isWanted = runsInClass(classes[width - 1]);
            fill = calls(flood([&](NodeId id) { return isWanted(id); }),
                         "connected " + std::string(unqualifiedClass(classes[width - 1].view())) + " modules");
        }
        fill.width = width;
        fill.widths = classes.size() + 1;
        return fill;
    }

    const Snapshot& m_snapshot;
    const Program& m_program;
    const Graph& m_graph;
    const TagAssignment& m_tags;
    const FillRequest& m_request;
    std::vector<NodeId> m_pick; ///< only calls
};

} // namespace

Result<Fill> fillOf(const Snapshot& snapshot, const TagAssignment& tags, const FillRequest& request)
{
    return Filling(snapshot, tags, request).run();
}

namespace {

/// Adds a path and its prefixes, innermost first. Paths that exist already keep their positions.
void addWithHolders(std::vector<EnclosingModule>& around, std::string_view path, InternedString cls)
{
    for (bool isItself = true; !path.empty(); isItself = false) {
        const auto known = std::ranges::find(around, path, &EnclosingModule::path);
        if (known == around.end())
            around.push_back({std::string(path), isItself ? cls : InternedString()});
        else if (isItself && known->cls.empty())
            known->cls = cls;
        const std::size_t dot = path.rfind('.');
        path = dot == std::string_view::npos ? std::string_view() : path.substr(0, dot);
    }
}

std::vector<EnclosingModule> aroundOne(const Program& program, const Node& node)
{
    std::vector<EnclosingModule> around;
    const ModuleStack& stack = program.stackOf(node);
    if (stack.empty())
        addWithHolders(around, modulePathOf(program, node), {});
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame)
        addWithHolders(around, frame->path.view(), frame->cls);
    // The caller of a module need not be its parent by name, so the order follows calls first, then names.
    return around;
}

bool runsIn(const Program& program, const Node& node, std::string_view path)
{
    const ModuleStack& stack = program.stackOf(node);
    if (stack.empty())
        return isWithin(modulePathOf(program, node), path);
    return std::ranges::any_of(stack, [&](const ModuleFrame& frame) { return isWithin(frame.path.view(), path); });
}

} // namespace

std::vector<EnclosingModule> modulesAround(const Program& program, std::span<const NodeId> nodes, std::string_view from)
{
    const Graph& graph = program.rootGraph();
    // Nodes of a module's parameters are often outside of it, so only calls count unless there are none.
    std::vector<NodeId> picked;
    std::ranges::copy_if(nodes, std::back_inserter(picked), [&](NodeId id) { return graph[id].isCall(); });
    if (picked.empty())
        picked.assign(nodes.begin(), nodes.end());
    if (picked.empty())
        return {};
    std::vector<EnclosingModule> around = aroundOne(program, graph[picked.front()]);
    std::unordered_map<const ModuleStack*, bool> seen; // nodes share stacks
    for (const NodeId id : picked) {
        const ModuleStack& stack = program.stackOf(graph[id]);
        if (!stack.empty() && !seen.try_emplace(&stack, true).second)
            continue;
        std::erase_if(around, [&](const EnclosingModule& one) { return !runsIn(program, graph[id], one.path); });
    }
    if (const auto named = std::ranges::find(around, from, &EnclosingModule::path); named != around.end())
        around.erase(around.begin(), named);
    return around;
}

} // namespace sunder
