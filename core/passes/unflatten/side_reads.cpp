#include "passes/unflatten/side_reads.h"

#include "passes/unflatten/flat_graph.h"
#include "passes/unflatten/module_objects.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace sunder {
namespace {

bool isRecomputed(const Node& node)
{
    static constexpr std::array<std::string_view, 6> kCheap = {"torch.ops.aten.sym_size.int", "torch.ops.aten.item.default",
                                                               "torch.ops.aten.unbind.int",   "torch.ops.aten.sum.dim_IntList",
                                                               "torch.ops.aten.view.default", "torch.ops.aten.diff.default"};
    const std::string_view target = node.target.view();
    return node.op == Op::callFunction
        && (target.starts_with("_operator.") || std::find(kCheap.begin(), kCheap.end(), target) != kCheap.end());
}

bool hasFixedShape(const std::optional<Argument>& val)
{
    return val && val->is(ArgumentKind::tensor)
        && std::ranges::all_of(val->asTensor().shape, [](const Argument& size) { return size.is(ArgumentKind::integer); });
}

class SideReadFinder {
public:
    SideReadFinder(const Graph& flat, const ModuleStacks& stacks, const CallSignatures& signatures, bool isRootClosed,
                   CrossingValues crossing)
        : m_flat(flat), m_stacks(stacks), m_signatures(signatures), m_crossing(crossing), m_uses(flat)
    {
        m_calls.push_back({.path = {}, .closed = isRootClosed});
    }

    SideReads run(const std::vector<CallChange>& changes)
    {
        auto change = changes.begin();
        for (const NodeId id : m_flat.nodes()) {
            const Node& node = m_flat.node(id);
            m_at = m_uses.positions[id.index()];
            if (change != changes.end() && change->node == id)
                apply(*change++);
            if (node.op != Op::placeholder)
                resolveInputs(m_calls.size() - 1, node);
            if (m_found.isRefused)
                break;
            addValue(m_calls.back(), id);
        }
        return std::move(m_found);
    }

private:
    /// An open call, and the values that its graph has.
    struct Call {
        InternedString path;
        const CallSignature* signature = nullptr; ///< of this call
        bool closed = false;                      ///< the module has a preserved signature
        std::unordered_set<NodeId> values = {};   ///< computed in it, or results of its calls
        std::vector<NodeId> order = {};           ///< `values`, by first entry
        std::unordered_set<NodeId> inputs = {};
    };

    static void addValue(Call& call, NodeId value)
    {
        if (call.values.insert(value).second)
            call.order.push_back(value);
    }

    [[nodiscard]] bool isSeen(NodeId node) const { return node && m_uses.positions[node.index()] < m_at; }

    void apply(const CallChange& change)
    {
        while (m_calls.size() > change.kept)
            close();
        if (!change.opened)
            return;
        for (const ModuleStacks::CallId call : m_stacks.of(change.opened).subspan(m_calls.size()))
            open(m_stacks.call(call));
    }

    void open(const StackedCall& stacked)
    {
        const std::size_t parent = m_calls.size() - 1;
        Call& call = m_calls.emplace_back(Call{.path = stacked.path});
        call.signature = m_signatures.find(callName(stacked.path, stacked.call));
        call.closed = m_signatures.find(stacked.path) != nullptr;
        if (call.signature == nullptr)
            return;
        const std::vector<CallValue>& inputs = call.signature->inputs;
        for (const CallValue& input : inputs)
            if (isSeen(input.node))
                call.inputs.insert(input.node);
        for (const CallValue& input : inputs)
            if (!input.name.empty() && isSeen(input.node))
                resolve(parent, input.node);
    }

    void close()
    {
        const Call call = std::move(m_calls.back());
        m_calls.pop_back();
        if (call.signature == nullptr) {
            for (const NodeId value : call.order)
                if (m_uses.lastUse[value.index()] >= m_at)
                    addValue(m_calls.back(), value);
            return;
        }
        for (const CallValue& output : call.signature->outputs) {
            if (!isSeen(output.node))
                continue;
            m_found.isRefused = m_found.isRefused || !(call.values.contains(output.node) || call.inputs.contains(output.node));
            addValue(m_calls.back(), output.node);
        }
    }

    void resolveInputs(std::size_t call, const Node& node)
    {
        forEachNode(node.args, node.kwargs, [&](NodeId input) { resolve(call, input); });
    }

    /// Makes a value available in a call.
    void resolve(std::size_t call, NodeId value)
    {
        if (m_found.isRefused || m_calls[call].values.contains(value) || m_calls[call].inputs.contains(value))
            return;
        if (m_depth == kMaxRequests) {
            m_found.isRefused = true;
            return;
        }
        ++m_depth;
        const Node& node = m_flat.node(value);
        const SideWay way = m_calls[call].closed ? sideWay(node, m_crossing) : SideWay::argument;
        if (way == SideWay::refused || (way == SideWay::argument && call == 0)) {
            m_found.isRefused = true;
        } else if (way == SideWay::argument) {
            m_calls[call].inputs.insert(value);
            resolve(call - 1, value);
        } else if (way == SideWay::recomputed) {
            resolveInputs(call, node);
            addValue(m_calls[call], value);
        } else {
            cross(call, value, way);
        }
        --m_depth;
    }

    void cross(std::size_t call, NodeId value, SideWay way)
    {
        m_found.crossings.push_back({value, m_at, m_calls[call].path, m_holderDepth > 0});
        if (way == SideWay::buffer) {
            ++m_holderDepth;
            resolve(call, m_flat.node(value).args.front().asNode());
            --m_holderDepth;
            return;
        }
        m_calls[call].inputs.insert(value);
        if (way != SideWay::unreachable)
            return;
        UnreachableValue& unreachable = m_found.unreachable.emplace_back(UnreachableValue{value, {}});
        for (std::size_t i = 1; i <= call; ++i)
            if (m_calls[i].closed)
                unreachable.readers.push_back(m_calls[i].path);
    }

    const Graph& m_flat;
    const ModuleStacks& m_stacks;
    const CallSignatures& m_signatures;
    CrossingValues m_crossing;
    FlatUses m_uses;
    std::vector<Call> m_calls; ///< open calls
    std::uint32_t m_at = 0;    ///< position of the current node
    std::uint32_t m_depth = 0;
    std::uint32_t m_holderDepth = 0; ///< recursion depth of buffers that hold other values
    SideReads m_found;
};

} // namespace

SideWay sideWay(const Node& value, CrossingValues crossing)
{
    if (value.op == Op::placeholder)
        return SideWay::argument;
    if (isRecomputed(value))
        return SideWay::recomputed;
    if (value.op != Op::callFunction)
        return SideWay::refused;
    if (crossing == CrossingValues::attribute && !isInPlace(value))
        return hasFixedShape(value.meta.val) ? SideWay::attribute : SideWay::unreachable;
    return value.args.empty() || !value.args.front().is(ArgumentKind::node) ? SideWay::unreachable : SideWay::buffer;
}

SideReads sideReads(const Graph& flat, const ModuleStacks& stacks, const std::vector<CallChange>& changes,
                    const CallSignatures& signatures, bool isRootClosed, CrossingValues crossing)
{
    return SideReadFinder(flat, stacks, signatures, isRootClosed, crossing).run(changes);
}

} // namespace sunder
