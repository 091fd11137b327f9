#include "analysis/tag_legality.h"

#include "analysis/sizes.h"
#include "ir/value_kind.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace sunder {
namespace {

std::uint64_t outputBytes(const Node& node)
{
    return node.meta.val ? byteSize(*node.meta.val).value_or(0) : 0;
}

/// Goes over the edges of the root graph once and notes what is remarkable about each.
class TagChecker {
public:
    TagChecker(const Graph& graph, const TagAssignment& tags) : m_graph(graph), m_tags(tags) {}

    TagReport run()
    {
        m_calls.resize(m_tags.order.size(), 0);
        m_crossed.resize(m_graph.idBound(), false);
        std::vector<NodeId> strangers;
        for (const auto& [id, tag] : m_tags.unknownTags)
            if (id.index() < m_graph.idBound() && m_graph.node(id).isCall()) {
                m_report.unknownTags.emplace_back(id, tag);
                strangers.push_back(id);
            }
        std::sort(strangers.begin(), strangers.end());
        for (const NodeId id : m_graph.nodes()) {
            const Node& node = m_graph.node(id);
            if (node.isCall())
                checkCall(id, std::binary_search(strangers.begin(), strangers.end(), id));
            if (node.isCall() || node.op == Op::output)
                checkInputs(id);
        }
        checkOrder();
        return std::move(m_report);
    }

private:
    void checkCall(NodeId id, bool hasUnknownTag)
    {
        if (const std::int32_t tag = m_tags[id]; tag != TagAssignment::kUntagged)
            ++m_calls[static_cast<std::size_t>(tag)];
        else if (!hasUnknownTag)
            m_report.untagged.push_back(id);
    }

    void checkInputs(NodeId consumer)
    {
        const bool leaves = m_graph.node(consumer).op == Op::output;
        const std::int32_t to = leaves ? TagAssignment::kUntagged : m_tags[consumer];
        for (const NodeId producer : m_graph.inputs(consumer)) {
            const std::int32_t from = m_graph.node(producer).isCall() ? m_tags[producer] : TagAssignment::kUntagged;
            if (from == TagAssignment::kUntagged || from == to || (to == TagAssignment::kUntagged && !leaves))
                continue;
            if (!leaves && from > to)
                m_report.backward.push_back({producer, consumer, from, to, outputBytes(m_graph.node(producer))});
            cross(producer, consumer, from, leaves);
        }
    }

    void cross(NodeId producer, NodeId consumer, std::int32_t from, bool leaves)
    {
        const Node& node = m_graph.node(producer);
        if (m_crossed[producer.index()] || !node.meta.val)
            return;
        if (!leaves) {
            m_crossed[producer.index()] = true;
            m_report.boundaryBytes += outputBytes(node);
        }
        if (!leaves && !holdsTensor(*node.meta.val))
            m_report.nonTensors.push_back({producer, consumer, from});
    }

    void checkOrder()
    {
        std::unordered_map<InternedString, std::size_t> last;
        for (std::size_t i = 0; i < m_tags.order.size(); ++i)
            last[m_tags.order[i]] = i;
        for (std::size_t i = 0; i < m_tags.order.size(); ++i) {
            if (last[m_tags.order[i]] != i)
                m_report.duplicateTags.push_back(static_cast<std::int32_t>(i));
            else if (m_calls[i] == 0)
                m_report.emptyTags.push_back(static_cast<std::int32_t>(i));
        }
    }

    const Graph& m_graph;
    const TagAssignment& m_tags;
    TagReport m_report;
    std::vector<std::uint32_t> m_calls; ///< per tag
    std::vector<bool> m_crossed;        ///< per node: counted as crossing already
};

/// Which tags read each memory; those that several read are held several times after a split.
void findSharedMemory(const Program& program, const TagAssignment& tags, TagReport& report)
{
    const MemoryTable memory = memoryTable(program.tensors);
    if (memory.bytes.empty())
        return;
    const MemoryReads reads(program, memory);
    std::vector<std::vector<std::int32_t>> readers(memory.bytes.size());
    for (const NodeId id : program.rootGraph().nodes()) {
        const std::int32_t tag = tags[id];
        if (tag == TagAssignment::kUntagged || !program.rootGraph().node(id).isCall())
            continue;
        for (const std::uint32_t at : reads.of(id))
            if (readers[at].empty() || readers[at].back() != tag)
                readers[at].push_back(tag);
    }
    for (std::size_t at = 0; at < readers.size(); ++at) {
        std::vector<std::int32_t>& found = readers[at];
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        if (found.size() < 2)
            continue;
        report.duplicatedBytes += memory.bytes[at] * (found.size() - 1);
        report.shared.push_back({memory.firstTensor[at], std::move(found), memory.bytes[at]});
    }
}

} // namespace

TagReport checkTags(const Program& program, const TagAssignment& tags)
{
    TagReport report = TagChecker(program.rootGraph(), tags).run();
    findSharedMemory(program, tags, report);
    return report;
}

bool untaggedStandOut(const TagReport& report, std::size_t calls)
{
    const std::size_t untagged = report.untagged.size();
    return untagged > 0 && untagged < calls && 3 * (calls - untagged) >= 2 * calls;
}

} // namespace sunder
