// Converts a legality state to a report.
#include "analysis/legality/legality_state.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace sunder {

TagReport LegalityState::report()
{
    settleIslands();
    settleCircles();
    TagReport report;
    addErrors(report);
    addNotes(report);
    addTags(report);
    addSeparate(report);
    report.boundaryBytes = m_boundaryBytes;
    report.duplicatedBytes = m_duplicatedBytes;
    return report;
}

void LegalityState::addErrors(TagReport& report) const
{
    const LegalityTables& tables = *m_tables;
    m_backward.forEach([&](std::uint32_t edge) {
        const auto [producer, consumer] = tables.edges[edge];
        report.backward.push_back(
            {tables.nodes[producer], tables.nodes[consumer], m_tagOf[producer], m_tagOf[consumer], tables.bytes[producer]});
    });
    m_broken.forEach([&](std::uint32_t order) {
        const auto [before, after] = tables.orderedCalls[order];
        report.orders.push_back({tables.orders[order], m_tagOf[before], m_tagOf[after]});
    });
    m_moved.forEach([&](std::uint32_t call) {
        const std::uint32_t stands = tables.settersBefore[call];
        const std::uint32_t runs = settersBefore(call);
        const std::uint32_t setter = tables.setters[runs < stands ? stands - 1 : stands];
        report.regions.push_back({tables.nodes[call], tables.nodes[setter], m_tagOf[call], m_tagOf[setter], runs < stands});
    });
    report.circles = witnessed();
}

/// Returns, for each step of a cycle, the first edge that causes it, otherwise the first runtime order dependency.
std::vector<TagCycle> LegalityState::witnessed() const
{
    const LegalityTables& tables = *m_tables;
    std::map<TagLinks::Pair, TagHop> hops;
    for (const std::vector<std::int32_t>& circle : m_circles)
        for (std::size_t i = 0; i < circle.size(); ++i) {
            const TagLinks::Pair link(circle[i], circle[(i + 1) % circle.size()]);
            hops[link] = {.from = link.first, .to = link.second};
        }
    std::vector<TagCycle> found;
    if (hops.empty())
        return found;
    const auto note = [&](std::uint32_t from, std::uint32_t to, bool isOrder) {
        if (m_tagOf[from] < 0 || m_tagOf[to] < 0 || m_tagOf[from] == m_tagOf[to])
            return;
        const auto at = hops.find({m_tagOf[from], m_tagOf[to]});
        if (at == hops.end() || at->second.producer.isValid())
            return;
        at->second.producer = tables.nodes[from];
        at->second.consumer = tables.nodes[to];
        at->second.bytes = isOrder ? 0 : tables.bytes[from];
        at->second.isOrder = isOrder;
    };
    for (const LegalityTables::Edge& edge : tables.edges)
        note(edge.from, edge.to, false);
    for (const LegalityTables::OrderedCalls& order : tables.orderedCalls)
        note(order.before, order.after, true);
    for (const std::vector<std::int32_t>& circle : m_circles) {
        found.emplace_back();
        for (std::size_t i = 0; i < circle.size(); ++i)
            found.back().hops.push_back(hops.at({circle[i], circle[(i + 1) % circle.size()]}));
    }
    return found;
}

void LegalityState::addNotes(TagReport& report) const
{
    const LegalityTables& tables = *m_tables;
    m_nonTensors.forEach([&](std::uint32_t call) {
        for (const std::uint32_t edge : tables.usesOf[call]) {
            const std::uint32_t consumer = tables.edges[edge].to;
            if (m_tagOf[consumer] == TagAssignment::kUntagged || m_tagOf[consumer] == m_tagOf[call])
                continue;
            report.nonTensors.push_back({tables.nodes[call], tables.nodes[consumer], m_tagOf[call], tables.kinds[call]});
            break;
        }
    });
    m_shared.forEach([&](std::uint32_t memory) {
        SharedMemory shared{.tensor = tables.tensorOfMemory[memory], .tags = {}, .bytes = tables.memoryBytes[memory]};
        for (const TagReaders& readers : m_readers[memory])
            shared.tags.push_back(readers.tag);
        report.shared.push_back(std::move(shared));
    });
    for (const CallIsland& island : m_islands) {
        TagIsland nodes{.tag = island.tag, .neighbor = island.neighbor, .nodes = {}};
        for (const std::uint32_t call : island.calls)
            nodes.nodes.push_back(tables.nodes[call]);
        report.islands.push_back(std::move(nodes));
    }
}

/// Adds calls without a tag, and problems with the list of tags.
void LegalityState::addTags(TagReport& report) const
{
    std::vector<NodeId> strangers;
    for (const auto& [id, tag] : m_tags.unknownTags)
        if (id.index() < m_tables->callOf.size() && m_tables->callOf[id.index()] != LegalityTables::kNone
            && m_tags[id] == TagAssignment::kUntagged) {
            report.unknownTags.emplace_back(id, tag);
            strangers.push_back(id);
        }
    std::ranges::sort(strangers);
    m_untagged.forEach([&](std::uint32_t call) {
        if (!std::ranges::binary_search(strangers, m_tables->nodes[call]))
            report.untagged.push_back(m_tables->nodes[call]);
    });
    std::unordered_map<InternedString, std::size_t> last;
    for (std::size_t i = 0; i < m_tags.order.size(); ++i)
        last[m_tags.order[i]] = i;
    for (std::size_t i = 0; i < m_tags.order.size(); ++i) {
        if (last[m_tags.order[i]] != i)
            report.duplicateTags.push_back(static_cast<std::int32_t>(i));
        else if (m_counts[i] == 0)
            report.emptyTags.push_back(static_cast<std::int32_t>(i));
    }
}

} // namespace sunder
