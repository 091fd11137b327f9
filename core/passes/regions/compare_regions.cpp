#include "passes/regions/compare_regions.h"

#include "ir/python_text.h"
#include "ir/value_kind.h"
#include "support/format.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace sunder {
namespace {

/// Returns e.g. "aten.linear.default" for torch.ops.aten.linear.default.
std::string shownTarget(const Node& node)
{
    std::string_view target = node.target.view();
    for (const std::string_view prefix : {"torch.ops.", "_operator."})
        if (target.starts_with(prefix))
            target.remove_prefix(prefix.size());
    return std::string(target);
}

class Comparison {
public:
    explicit Comparison(const Graph& graph) : m_graph(graph) {}

    std::string nodes(const Node& a, const Node& b)
    {
        if (a.op != b.op)
            return "is a " + std::string(name(a.op)) + ", not a " + std::string(name(b.op));
        if (a.target != b.target)
            return "calls " + shownTarget(a) + ", not " + shownTarget(b);
        if (a.args.size() != b.args.size())
            return "has " + formatCount(a.args.size(), "argument") + ", not " + formatCount(b.args.size());
        for (std::size_t i = 0; i < a.args.size(); ++i)
            if (std::string what = values(a.args[i], b.args[i], {}); !what.empty())
                return what;
        return keywords(a, b);
    }

private:
    std::string keywords(const Node& a, const Node& b)
    {
        for (const Keyword& keyword : a.kwargs) {
            const auto other = std::ranges::find(b.kwargs, keyword.key, &Keyword::key);
            const std::string key = keyword.key.str() + "=";
            if (other == b.kwargs.end())
                return "has " + key + text(keyword.value) + ", but the other has none";
            if (std::string what = values(keyword.value, other->value, key); !what.empty())
                return what;
        }
        for (const Keyword& keyword : b.kwargs)
            if (std::ranges::find(a.kwargs, keyword.key, &Keyword::key) == a.kwargs.end())
                return "has no " + keyword.key.str() + ", but the other has " + text(keyword.value);
        return {};
    }

    /// `key`: e.g. "dim=" for a keyword, empty for a positional argument.
    std::string values(const Argument& a, const Argument& b, const std::string& key)
    {
        if (a.is(ArgumentKind::node) && b.is(ArgumentKind::node))
            return inputs(m_graph[a.asNode()], m_graph[b.asNode()]);
        const bool sameShape = a.kind() == b.kind() && a.items().size() == b.items().size();
        if (a.holdsNodes() && b.holdsNodes() && sameShape) {
            for (std::size_t i = 0; i < a.items().size(); ++i)
                if (std::string what = values(a.items()[i], b.items()[i], key); !what.empty())
                    return what;
            return {};
        }
        if (a == b)
            return {};
        return (key.empty() ? "has the argument " : "has " + key) + text(a) + ", not " + key + text(b);
    }

    /// Compares inputs as region tracking does: by their `val` without storage.
    std::string inputs(const Node& a, const Node& b) const
    {
        const Argument left = a.meta.val.value_or(Argument());
        const Argument right = b.meta.val.value_or(Argument());
        if (!left.is(ArgumentKind::tensor) || !right.is(ArgumentKind::tensor))
            return left == right ? std::string() : differ(shape(left), shape(right));
        const TensorMeta& x = left.asTensor();
        const TensorMeta& y = right.asTensor();
        if (const std::string what = differ(describe(x), describe(y)); !what.empty())
            return what;
        if (x.device != y.device)
            return differ("a value on " + device(x), device(y));
        if (x.requiresGrad != y.requiresGrad)
            return x.requiresGrad ? "takes a value that requires gradients" : "takes a value that requires no gradients";
        if (x.stride != y.stride)
            return differ("strides " + strides(x), strides(y));
        return {};
    }

    static std::string differ(const std::string& a, const std::string& b)
    {
        return a == b ? std::string() : "takes " + a + ", not " + b;
    }

    static std::string shape(const Argument& val) { return val.isNone() ? "a value of unknown shape" : describeValue(val); }
    static std::string device(const TensorMeta& tensor) { return tensor.device.empty() ? "cpu" : tensor.device.str(); }

    static std::string strides(const TensorMeta& tensor)
    {
        return tensor.stride ? spelled(Argument::tuple(*tensor.stride), nullptr) : "unknown";
    }

    std::string text(const Argument& value) const { return spelled(value, &m_graph); }

    static std::string spelled(const Argument& value, const Graph* graph)
    {
        return pythonRepr(value,
                          {.node = [graph](NodeId id) { return graph == nullptr ? std::string() : (*graph)[id].name.str(); },
                           .callable = [](InternedString qualified) { return qualified.str(); }});
    }

    const Graph& m_graph;
};

} // namespace

std::string nodeDifference(const Graph& graph, NodeId node, NodeId other)
{
    return Comparison(graph).nodes(graph[node], graph[other]);
}

} // namespace sunder

// Compares two searches for repeated regions. Each group becomes a part that contains the calls of all its regions, so that the
// comparison of partitionings applies. Statistics of both are included, to show groups that lost occurrences.

namespace sunder {
namespace {

TagAssignment assignmentOf(const Graph& graph, const NamedRegions& named)
{
    TagAssignment groups;
    groups.tagOf.assign(graph.idBound(), TagAssignment::kUntagged);
    for (std::size_t i = 0; i < named.regions.groups.size(); ++i) {
        groups.order.push_back(i < named.names.size() ? named.names[i] : intern("group " + std::to_string(i)));
        for (const NodeId id : named.regions.groups[i].nodes)
            groups.tagOf[id.index()] = static_cast<std::int32_t>(i);
    }
    return groups;
}

std::vector<GroupFigures> figuresOf(const NamedRegions& named)
{
    std::vector<GroupFigures> figures;
    for (std::size_t i = 0; i < named.regions.groups.size(); ++i) {
        const RegionGroup& group = named.regions.groups[i];
        const std::uint64_t all = group.regionCount() < 2 ? 0 : (group.regionCount() - 1) * std::uint64_t{group.length};
        figures.push_back({group.regionCount(), group.length, i < named.saved.size() ? named.saved[i] : all});
    }
    return figures;
}

std::uint64_t sum(const std::vector<GroupFigures>& figures)
{
    return std::accumulate(figures.begin(), figures.end(), std::uint64_t{0},
                           [](std::uint64_t total, const GroupFigures& group) { return total + group.saved; });
}

GroupFigures at(const std::vector<GroupFigures>& figures, std::int32_t group)
{
    return group < 0 ? GroupFigures{} : figures[static_cast<std::size_t>(group)];
}

} // namespace

RegionComparison compareRegions(const Program& source, const NamedRegions& before, const NamedRegions& after)
{
    TagAssignment groupsBefore = assignmentOf(source.rootGraph(), before);
    TagAssignment groupsAfter = assignmentOf(source.rootGraph(), after);
    RegionComparison out{compareAssignments(cutGraph(source), groupsBefore, groupsAfter, PartMatching::overlap)};
    out.before = std::move(groupsBefore);
    out.after = std::move(groupsAfter);
    out.groupsBefore = figuresOf(before);
    out.groupsAfter = figuresOf(after);
    return out;
}

std::uint64_t RegionComparison::savedBefore() const
{
    return sum(groupsBefore);
}

std::uint64_t RegionComparison::savedAfter() const
{
    return sum(groupsAfter);
}

GroupFigures RegionComparison::figuresBefore(const PartPair& pair) const
{
    return at(groupsBefore, pair.before);
}

GroupFigures RegionComparison::figuresAfter(const PartPair& pair) const
{
    return at(groupsAfter, pair.after);
}

} // namespace sunder
