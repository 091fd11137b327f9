#include "passes/unflatten/call_merger.h"

#include "ir/getitem.h"
#include "ir/graph.h"
#include "ir/module_tree.h"
#include "ir/structural_hash.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

// Groups calls into classes of equal content. A call node is compared by the body of its callee and the results used, so classes
// are computed from the last call opened to the first: children before callers. A call of a dispatcher is compared by the
// dispatcher, regardless of the call number, since the dispatcher selects the graph.

namespace sunder {
namespace {

/// Per node id: the identity of its callee or tensor for comparison; equal numbers mean the same object.
using NodeMarks = std::vector<std::uint64_t>;

/// A graph with the tables needed to compare it.
struct ComparedGraph {
    const Graph& graph;
    const std::vector<std::uint32_t>& positions;
    const NodeMarks& marks;
};

bool targetCounts(const Node& node)
{
    return node.op == Op::callFunction || node.op == Op::getAttr || node.op == Op::callMethod;
}

std::uint64_t markOf(const NodeMarks& marks, NodeId id)
{
    return id.index() < marks.size() ? marks[id.index()] : 0;
}

bool sameValue(const Argument& a, const Argument& b, const ComparedGraph& inA, const ComparedGraph& inB)
{
    if (a.holdsNodes() != b.holdsNodes() || a.kind() != b.kind())
        return false;
    if (!a.holdsNodes())
        return a == b;
    if (a.is(ArgumentKind::node))
        return inA.positions[a.asNode().index()] == inB.positions[b.asNode().index()];
    const auto same = [&](const Argument& x, const Argument& y) { return sameValue(x, y, inA, inB); };
    return std::ranges::equal(a.items(), b.items(), same) && std::ranges::equal(a.keys(), b.keys());
}

bool sameNode(const Node& a, const Node& b, const ComparedGraph& inA, const ComparedGraph& inB)
{
    if (a.op != b.op || (targetCounts(a) && a.target != b.target))
        return false;
    const auto same = [&](const Argument& x, const Argument& y) { return sameValue(x, y, inA, inB); };
    const auto sameKeyword = [&](const Keyword& x, const Keyword& y) {
        return x.key == y.key && sameValue(x.value, y.value, inA, inB);
    };
    return std::ranges::equal(a.args, b.args, same) && std::ranges::equal(a.kwargs, b.kwargs, sameKeyword);
}

/// Returns a hash of a graph by positions, operators, targets of functions and attributes, arguments, and marks (per node id;
/// empty: none). Ignores names, targets of modules, and the output. O(nodes + arguments).
std::uint64_t digest(const ComparedGraph& compared, StructuralHash& structure)
{
    std::uint64_t hash = compared.graph.size();
    const auto position = [&](NodeId id) { return std::uint64_t{compared.positions[id.index()]}; };
    for (const NodeId id : compared.graph.nodes()) {
        const Node& node = compared.graph.node(id);
        if (node.op == Op::output)
            continue;
        hash = mixHash(hash, structure.ofCall(node, position, targetCounts(node)));
        hash = mixHash(hash, markOf(compared.marks, id));
    }
    return hash;
}

/// Returns whether the graphs are equal in everything that digest() covers. O(nodes + arguments).
bool sameBody(const ComparedGraph& a, const ComparedGraph& b)
{
    if (a.graph.size() != b.graph.size())
        return false;
    NodeId x = a.graph.first();
    for (NodeId y = b.graph.first(); x && y; x = a.graph.next(x), y = b.graph.next(y)) {
        const Node& nodeA = a.graph.node(x);
        const Node& nodeB = b.graph.node(y);
        const bool bothReturn = nodeA.op == Op::output && nodeB.op == Op::output;
        if (!bothReturn && (markOf(a.marks, x) != markOf(b.marks, y) || !sameNode(nodeA, nodeB, a, b)))
            return false;
    }
    return true;
}

/// Returns whether two graphs with equal bodies have equal outputs. O(size of the output).
bool sameOutput(const ComparedGraph& a, const ComparedGraph& b)
{
    const NodeId x = a.graph.output();
    const NodeId y = b.graph.output();
    return x && y ? sameNode(a.graph.node(x), b.graph.node(y), a, b) : x == y;
}

class Merger {
public:
    Merger(Outline& outline, const CallSignatures& signatures, bool asUpstream)
        : m_outline(outline), m_signatures(signatures), m_asUpstream(asUpstream)
    {
    }

    std::vector<std::uint32_t> run()
    {
        std::vector<std::uint32_t> merged(m_outline.calls.size());
        for (std::uint32_t i = 0; i < merged.size(); ++i)
            merged[i] = i;
        if (!m_outline.hasRepeats)
            return merged;
        m_classOf.resize(merged.size());
        m_bodyOf.resize(merged.size());
        m_positions.resize(merged.size());
        m_marks.resize(merged.size());
        m_replacedBy = merged;
        m_callsOf.resize(m_outline.objects.size());
        for (std::uint32_t i = 0; i < merged.size(); ++i)
            m_callsOf[m_outline.calls[i].object.index()].push_back(i);
        m_readsOf.resize(m_outline.objects.graphCount());
        for (const TensorRead& read : m_outline.reads)
            m_readsOf[read.graph.index()].emplace_back(read.node, read.tensor);
        classify();
        for (std::uint32_t i = 0; i < merged.size(); ++i)
            if (!m_outline.calls[i].displacedFrom.empty())
                restore(i);
        std::vector<std::vector<std::uint32_t>> groups(merged.size()); // calls of one module, indexed by the first
        for (std::uint32_t i = 0; i < merged.size(); ++i)
            groups[m_outline.calls[i].first].push_back(i);
        for (const std::vector<std::uint32_t>& group : groups)
            if (group.size() > 1)
                mergeGroup(group, merged);
        for (std::uint32_t i = 0; i < merged.size(); ++i)
            if (m_replacedBy[i] != i)
                merged[i] = merged[m_replacedBy[i]];
        return merged;
    }

private:
    void classify()
    {
        std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> callsOf; // object → calls in its graph
        std::unordered_map<InternedString, std::uint32_t> count;
        for (std::uint32_t i = 0; i < m_outline.calls.size(); ++i) {
            callsOf[m_outline.calls[i].parent.index()].push_back(i);
            ++count[m_outline.calls[i].path];
        }
        std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> known; // digest → first call of each class
        for (std::size_t at = m_outline.calls.size(); at-- > 0;) {
            const auto i = static_cast<std::uint32_t>(at);
            const ObjectId object = m_outline.calls[i].object;
            const Graph& graph = m_outline.objects.graphOf(object);
            m_positions[i] = graph.positions();
            if (!m_asUpstream)
                m_marks[i] = marks(m_outline.objects[object].graph, callsOf[object.index()], count);
            m_classOf[i] = i;
            m_bodyOf[i] = i;
            std::vector<std::uint32_t>& candidates = known[digest(compared(i), m_hash)];
            bool isNew = true;
            for (const std::uint32_t other : candidates) {
                if (!sameBody(compared(i), compared(other)))
                    continue;
                m_bodyOf[i] = m_bodyOf[other];
                if (!sameOutput(compared(i), compared(other)))
                    continue;
                m_classOf[i] = other;
                isNew = false;
                break;
            }
            if (isNew)
                candidates.push_back(i);
        }
    }

    /// Returns a number for the body of a call and the results that its caller uses.
    std::uint64_t usedClass(const Graph& caller, const CallRecord& record, std::uint32_t call)
    {
        const Graph& callee = m_outline.objects.graphOf(record.object);
        const NodeId output = callee.output();
        std::vector<std::uint32_t> used = {m_bodyOf[call]};
        for (const NodeId user : caller.users(record.node)) {
            const Node& item = caller.node(user);
            const std::optional<std::int64_t> number = itemNumber(item);
            const bool takesItem = number && output && callee.node(output).args.size() == 1
                && callee.node(output).args[0].is(ArgumentKind::list);
            const auto at = static_cast<std::size_t>(number.value_or(0));
            if (!takesItem || at >= callee.node(output).args[0].items().size()
                || !callee.node(output).args[0].items()[at].is(ArgumentKind::node))
                return (2ULL << 40U) + m_classOf[call];
            used.push_back(static_cast<std::uint32_t>(at));
            used.push_back(m_positions[call][callee.node(output).args[0].items()[at].asNode().index()]);
        }
        return (5ULL << 40U) + m_used.emplace(std::move(used), m_used.size()).first->second;
    }

    [[nodiscard]] ComparedGraph compared(std::uint32_t call) const
    {
        return {m_outline.objects.graph(m_outline.objects[m_outline.calls[call].object].graph), m_positions[call], m_marks[call]};
    }

    /// Marks calls by their callee, tensors by their number, specs by their text.
    NodeMarks marks(ObjectGraphId graphId, const std::vector<std::uint32_t>& calls,
                    const std::unordered_map<InternedString, std::uint32_t>& count)
    {
        const Graph& graph = m_outline.objects.graph(graphId);
        NodeMarks found(graph.idBound());
        for (const auto& [node, tensor] : m_readsOf[graphId.index()])
            found[node.index()] = (4ULL << 40U) + tensor;
        for (const std::uint32_t call : calls) {
            const CallRecord& record = m_outline.calls[call];
            const bool dispatched = count.at(record.path) > 1 && m_signatures.find(record.path) != nullptr;
            found[record.node.index()] = dispatched ? (1ULL << 40U) + record.path.id() : usedClass(graph, record, call);
        }
        for (const NodeId id : graph.nodes()) {
            const Node& node = graph.node(id);
            if (node.op == Op::getAttr && node.meta.val && node.meta.val->is(ArgumentKind::opaque))
                found[id.index()] = (3ULL << 40U) + node.meta.val->text().id();
        }
        return found;
    }

    /// Gives a displaced call its old name back if the call now at that name is equal. PyTorch never keeps two objects there: it
    /// calls the later one, and the earlier one, whose arguments were not sunk, equals no other.
    void restore(std::uint32_t call)
    {
        CallRecord& record = m_outline.calls[call];
        ChildTable& table = tableOf(record);
        const ObjectId there = table.find(record.displacedFrom);
        const auto& others = m_callsOf[there.index()];
        if (others.empty() || m_classOf[others.front()] != m_classOf[call])
            return;
        table.remove(lastOf(record.name));
        const std::size_t dot = record.path.view().rfind('.');
        record.name = intern(
            joinPath(record.path.view().substr(0, dot == std::string_view::npos ? 0 : dot), record.displacedFrom.view()));
        m_outline.objects.graphOf(record.parent)
            .setTarget(record.node, intern(*accessor(record.parentPath.view(), record.name.view())), {});
        if (m_outline.isSunk[m_outline.objects[record.object].graph.index()])
            m_replacedBy[call] = others.front();
        else
            table.set(record.displacedFrom, record.object);
    }

    void mergeGroup(const std::vector<std::uint32_t>& group, std::vector<std::uint32_t>& merged)
    {
        std::unordered_map<std::uint32_t, std::uint32_t> first; // class → first call
        std::unordered_map<std::uint64_t, std::uint32_t> firstByPath; // class and path → first call
        for (const std::uint32_t call : group) {
            if (m_replacedBy[call] != call)
                continue;
            const CallRecord& record = m_outline.calls[call];
            const std::uint64_t key = static_cast<std::uint64_t>(m_classOf[call]) << 32U | record.path.id();
            const std::uint32_t known = first.emplace(m_classOf[call], call).first->second;
            const auto [samePath, isNew] = firstByPath.emplace(key, call);
            merged[call] = known;
            if (known == call)
                continue;
            ChildTable& table = tableOf(record);
            const InternedString last = lastOf(record.name);
            if (!isNew) {
                if (table.find(last) == record.object && record.name != m_outline.calls[samePath->second].name)
                    table.remove(last);
                const InternedString name = m_outline.calls[samePath->second].name;
                const auto target = accessor(record.parentPath.view(), name.view());
                m_outline.objects.graphOf(record.parent).setTarget(record.node, intern(*target), {});
            } else {
                table.set(last, m_outline.calls[known].object);
            }
        }
    }

    static InternedString lastOf(InternedString name)
    {
        const std::size_t dot = name.view().rfind('.');
        return intern(name.view().substr(dot + 1));
    }

    ChildTable& tableOf(const CallRecord& record)
    {
        const std::string_view below = *accessor(record.parentPath.view(), record.name.view());
        const std::size_t dot = below.rfind('.');
        const ObjectId holder = m_outline.objects.find(record.parent, below.substr(0, dot == std::string_view::npos ? 0 : dot));
        return m_outline.objects.table(holder);
    }

    Outline& m_outline;
    const CallSignatures& m_signatures;
    bool m_asUpstream;
    StructuralHash m_hash;
    std::vector<std::uint32_t> m_classOf; ///< per call: a call of equal content
    std::vector<std::uint32_t> m_bodyOf; ///< per call: a call with an equal body; results may differ
    std::vector<std::vector<std::uint32_t>> m_positions; ///< per call
    std::map<std::vector<std::uint32_t>, std::uint64_t> m_used; ///< body, used items and their positions → number
    std::vector<NodeMarks> m_marks; ///< per call
    std::vector<std::vector<std::uint32_t>> m_callsOf; ///< per object: calls that run it
    std::vector<std::uint32_t> m_replacedBy; ///< per call: the equal call that replaced it
    std::vector<std::vector<std::pair<NodeId, std::uint32_t>>> m_readsOf; ///< per object graph: (get_attr node, tensor number)
};

} // namespace

std::vector<std::uint32_t> mergeEqualCalls(Outline& outline, const CallSignatures& signatures, bool asUpstream)
{
    return Merger(outline, signatures, asUpstream).run();
}

void makeDispatchers(Outline& outline, const CallSignatures& signatures, const std::vector<std::uint32_t>& merged)
{
    if (signatures.empty())
        return;
    ModuleObjects& objects = outline.objects;
    std::unordered_map<InternedString, std::vector<std::uint32_t>> callsOf;
    std::vector<InternedString> paths;
    for (std::uint32_t i = 0; i < outline.calls.size(); ++i) {
        const InternedString path = outline.calls[i].path;
        if (signatures.find(path) == nullptr)
            continue;
        std::vector<std::uint32_t>& calls = callsOf[path];
        if (calls.size() == 1)
            paths.push_back(path);
        calls.push_back(i);
    }
    for (const InternedString path : paths) {
        const ObjectId dispatcher = objects.add(ModuleObject::Kind::dispatcher);
        const std::vector<std::uint32_t>& calls = callsOf[path];
        for (const std::uint32_t call : calls)
            objects[dispatcher].calls.push_back(outline.calls[merged[call]].object);
        objects[dispatcher].children = objects[objects[dispatcher].calls.front()].children;
        for (const std::uint32_t call : calls) {
            const CallRecord& record = outline.calls[call];
            const std::string_view below = *accessor(record.parentPath.view(), path.view());
            const std::size_t dot = below.rfind('.');
            const ObjectId holder = objects.find(record.parent, below.substr(0, dot == std::string_view::npos ? 0 : dot));
            ChildTable& table = objects.table(holder);
            if (record.name != path)
                table.remove(intern(record.name.view().substr(record.name.view().rfind('.') + 1)));
            objects.graphOf(record.parent).setTarget(record.node, intern(below), {});
        }
        for (const std::uint32_t call : calls) {
            const CallRecord& record = outline.calls[call];
            const std::string_view below = *accessor(record.parentPath.view(), path.view());
            const std::size_t dot = below.rfind('.');
            const ObjectId holder = objects.find(record.parent, below.substr(0, dot == std::string_view::npos ? 0 : dot));
            objects.table(holder).set(intern(below.substr(dot + 1)), dispatcher);
        }
    }
}

} // namespace sunder
