#include "analysis/legality/legality_state.h"

#include "support/disjoint_sets.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace sunder {
namespace {
constexpr std::int32_t kNoTag = TagAssignment::kUntagged;
} // namespace

LegalityState::LegalityState(LegalityTablesPtr tables, TagAssignment tags) : m_tables(std::move(tables))
{
    build(std::move(tags));
}

void LegalityState::build(TagAssignment tags)
{
    const LegalityTables& tables = *m_tables;
    m_tags = std::move(tags);
    m_tags.tagOf.resize(tables.callOf.size(), kNoTag);
    m_tagOf.assign(tables.callCount(), kNoTag);
    m_counts.assign(m_tags.order.size(), 0);
    m_untagged = m_moved = m_nonTensors = IndexBits(tables.callCount());
    m_backward = IndexBits(tables.edges.size());
    m_broken = IndexBits(tables.orders.size());
    m_shared = IndexBits(tables.memoryBytes.size());
    m_crossings.assign(tables.callCount(), 0);
    m_readers.assign(tables.memoryBytes.size(), {});
    m_links = TagLinks(m_tags.order.size());
    m_boundaryBytes = m_duplicatedBytes = 0;
    m_isStale.assign(m_tags.order.size(), 1);
    m_islands.clear();
    m_circlesAreStale = true;
    m_copies.assign(tables.written.size(), {});
    m_staleCopies.resize(tables.written.size());
    std::iota(m_staleCopies.begin(), m_staleCopies.end(), 0U);
    m_cutsAreStale = true;
    for (std::uint32_t call = 0; call < tables.callCount(); ++call) {
        m_tagOf[call] = m_tags[tables.nodes[call]];
        if (m_tagOf[call] == kNoTag)
            m_untagged.put(call, true);
        else
            ++m_counts[static_cast<std::size_t>(m_tagOf[call])];
        countMemories(call, m_tagOf[call], 1);
    }
    for (std::uint32_t edge = 0; edge < tables.edges.size(); ++edge)
        addEdge(edge);
    for (std::uint32_t order = 0; order < tables.orders.size(); ++order) {
        const auto [before, after] = tables.orderedCalls[order];
        m_links.add(m_tagOf[before], m_tagOf[after]);
        m_broken.put(order, m_tagOf[after] != kNoTag && m_tagOf[before] > m_tagOf[after]);
    }
    findStates();
}

void LegalityState::follow(const TagAssignment& tags)
{
    if (tags.order != m_tags.order) {
        build(tags);
        return;
    }
    std::vector<TagChange> changes;
    for (const NodeId id : m_tables->nodes)
        if (tags[id] != m_tags[id])
            changes.emplace_back(id, tags[id]);
    m_tags.unknownTags = tags.unknownTags;
    m_tags.unknownNodes = tags.unknownNodes;
    retag(changes);
}

void LegalityState::retag(std::span<const TagChange> changes)
{
    bool setsState = false;
    for (const auto& [id, tag] : changes) {
        const std::uint32_t call = id.index() < m_tables->callOf.size() ? m_tables->callOf[id.index()] : LegalityTables::kNone;
        if (call == LegalityTables::kNone || m_tagOf[call] == tag)
            continue;
        setTag(call, tag);
        setsState = setsState || std::ranges::binary_search(m_tables->setters, call);
        if (!setsState)
            placeCall(call);
        m_circlesAreStale = m_cutsAreStale = true;
    }
    if (setsState)
        findStates();
}

void LegalityState::setTag(std::uint32_t call, std::int32_t tag)
{
    const LegalityTables& tables = *m_tables;
    const std::uint32_t first = tables.edgesOf[call];
    const std::uint32_t end = tables.edgesOf[call + 1];
    touchIslands(call);
    for (std::uint32_t edge = first; edge < end; ++edge)
        removeEdge(edge);
    for (const std::uint32_t edge : tables.usesOf[call])
        removeEdge(edge);
    for (const std::uint32_t order : tables.ordersOf[call])
        m_links.remove(m_tagOf[tables.orderedCalls[order].before], m_tagOf[tables.orderedCalls[order].after]);
    const std::int32_t old = std::exchange(m_tagOf[call], tag);
    m_tags.tagOf[tables.nodes[call].index()] = tag;
    m_untagged.put(call, tag == kNoTag);
    if (old != kNoTag)
        --m_counts[static_cast<std::size_t>(old)];
    if (tag != kNoTag)
        ++m_counts[static_cast<std::size_t>(tag)];
    countMemories(call, old, -1);
    countMemories(call, tag, 1);
    for (std::uint32_t edge = first; edge < end; ++edge)
        addEdge(edge);
    for (const std::uint32_t edge : tables.usesOf[call])
        addEdge(edge);
    for (const std::uint32_t order : tables.ordersOf[call]) {
        const std::int32_t before = m_tagOf[tables.orderedCalls[order].before];
        const std::int32_t after = m_tagOf[tables.orderedCalls[order].after];
        m_links.add(before, after);
        m_broken.put(order, after != kNoTag && before > after);
    }
    if (tag != kNoTag)
        m_isStale[static_cast<std::size_t>(tag)] = 1;
    for (const std::uint32_t memory : tables.writtenOf[call])
        m_staleCopies.push_back(memory);
}

void LegalityState::removeEdge(std::uint32_t edge)
{
    const auto [producer, consumer] = m_tables->edges[edge];
    const std::int32_t from = m_tagOf[producer];
    const std::int32_t to = m_tagOf[consumer];
    if (from == kNoTag || to == kNoTag || from == to)
        return;
    m_links.remove(from, to);
    m_backward.put(edge, false);
    if (--m_crossings[producer] == 0) {
        m_boundaryBytes -= m_tables->bytes[producer];
        m_nonTensors.put(producer, false);
    }
}

void LegalityState::addEdge(std::uint32_t edge)
{
    const auto [producer, consumer] = m_tables->edges[edge];
    const std::int32_t from = m_tagOf[producer];
    const std::int32_t to = m_tagOf[consumer];
    if (from == kNoTag || to == kNoTag || from == to)
        return;
    m_links.add(from, to);
    m_backward.put(edge, from > to);
    if (m_crossings[producer]++ == 0) {
        m_boundaryBytes += m_tables->bytes[producer];
        m_nonTensors.put(producer, !countsAsTensor(m_tables->kinds[producer]));
    }
}

void LegalityState::countMemories(std::uint32_t call, std::int32_t tag, int step)
{
    if (tag == kNoTag)
        return;
    for (const std::uint32_t memory : m_tables->memories[call]) {
        std::vector<TagReaders>& readers = m_readers[memory];
        const std::size_t before = readers.size();
        auto at = std::ranges::lower_bound(readers, tag, {}, &TagReaders::tag);
        if (at == readers.end() || at->tag != tag)
            at = readers.insert(at, {tag, 0});
        at->calls = static_cast<std::uint32_t>(static_cast<int>(at->calls) + step);
        if (at->calls == 0)
            readers.erase(at);
        if (readers.size() > before && before > 0)
            m_duplicatedBytes += m_tables->memoryBytes[memory];
        else if (readers.size() < before && before > 1)
            m_duplicatedBytes -= m_tables->memoryBytes[memory];
        m_shared.put(memory, readers.size() > 1);
    }
}

/// Updates the state of all calls. While setters are untagged or out of order, there is no reference to compare calls with.
void LegalityState::findStates()
{
    m_setterTags.clear();
    for (const std::uint32_t setter : m_tables->setters)
        m_setterTags.push_back(m_tagOf[setter]);
    if (!std::ranges::is_sorted(m_setterTags) || (!m_setterTags.empty() && m_setterTags.front() == kNoTag))
        m_setterTags.clear();
    if (!m_tables->setters.empty())
        for (std::uint32_t call = 0; call < m_tables->callCount(); ++call)
            placeCall(call);
}

std::uint32_t LegalityState::settersBefore(std::uint32_t call) const
{
    if (m_setterTags.empty() || m_tagOf[call] == kNoTag)
        return 0;
    const auto [low, high] = std::ranges::equal_range(m_setterTags, m_tagOf[call]);
    const auto first = static_cast<std::uint32_t>(low - m_setterTags.begin());
    const auto last = static_cast<std::uint32_t>(high - m_setterTags.begin());
    return std::clamp(m_tables->settersBefore[call], first, last);
}

void LegalityState::placeCall(std::uint32_t call)
{
    if (m_tables->noticesState[call] == 0)
        return;
    const bool isPlaced = !m_setterTags.empty() && m_tagOf[call] != kNoTag;
    m_moved.put(call, isPlaced && m_tables->stateAt(settersBefore(call)) != m_tables->stateAt(m_tables->settersBefore[call]));
}

/// Marks the islands of a call's tag, and those of adjacent tags, which may have it as their neighbor.
void LegalityState::touchIslands(std::uint32_t call)
{
    const auto touch = [this](std::uint32_t of) {
        if (m_tagOf[of] != kNoTag)
            m_isStale[static_cast<std::size_t>(m_tagOf[of])] = 1;
    };
    touch(call);
    for (std::uint32_t edge = m_tables->edgesOf[call]; edge < m_tables->edgesOf[call + 1]; ++edge)
        touch(m_tables->edges[edge].from);
    for (const std::uint32_t edge : m_tables->usesOf[call])
        touch(m_tables->edges[edge].to);
}

/// Recomputes the islands that strokes may have changed.
void LegalityState::settleIslands()
{
    if (std::ranges::find(m_isStale, 1) == m_isStale.end())
        return;
    std::erase_if(m_islands, [this](const CallIsland& island) { return m_isStale[static_cast<std::size_t>(island.tag)] != 0; });
    std::ranges::move(findIslands(*m_tables, m_tagOf, m_isStale), std::back_inserter(m_islands));
    std::ranges::sort(m_islands, {}, [](const CallIsland& island) { return island.calls.front(); });
    std::ranges::fill(m_isStale, 0);
}

void LegalityState::settleCircles()
{
    if (!std::exchange(m_circlesAreStale, false))
        return;
    const bool mayRunInCircles = !m_backward.isEmpty() || !m_broken.isEmpty();
    m_circles = mayRunInCircles ? shortestCircles(m_links.pairs(), m_tags.order.size())
                                : std::vector<std::vector<std::int32_t>>();
}

Findings LegalityState::findings()
{
    Findings found = findingsButIslands();
    settleIslands();
    addIslands(found);
    return found;
}

Findings LegalityState::findingsWith(std::span<const TagChange> changes, const Findings& known)
{
    settleIslands();
    settleCircles();
    const std::vector<CallIsland> islands = m_islands;
    const std::vector<std::vector<std::int32_t>> circles = m_circles;
    std::vector<TagChange> back;
    for (const auto& [id, tag] : changes)
        back.emplace_back(id, m_tags[id]);
    retag(changes);
    Findings found = findingsButIslands();
    const Findings added = without(found, known);
    if (std::ranges::all_of(added, [](const Finding& finding) { return finding.kind == Finding::Kind::emptyTag; })) {
        settleIslands();
        addIslands(found);
    }
    retag(back);
    m_islands = islands;
    m_circles = circles;
    m_circlesAreStale = false;
    std::ranges::fill(m_isStale, 0);
    return found;
}

void LegalityState::addIslands(Findings& found) const
{
    for (const CallIsland& island : m_islands)
        for (const std::uint32_t call : island.calls)
            found.push_back({Finding::Kind::island, call, 0});
    std::ranges::sort(found);
}

Findings LegalityState::findingsButIslands()
{
    using Kind = Finding::Kind;
    settleCircles();
    Findings found;
    const auto add = [&found](Kind kind, const IndexBits& bits) {
        bits.forEach([&](std::uint32_t index) { found.push_back({kind, index, 0}); });
    };
    const TagReport tags = [this] {
        TagReport report;
        addTags(report);
        return report;
    }();
    add(Kind::untagged, m_untagged);
    for (const auto& [id, tag] : tags.unknownTags)
        found.push_back({Kind::unknownTag, m_tables->callOf[id.index()], 0});
    add(Kind::backward, m_backward);
    const auto nameOf = [this](std::int32_t tag) { return m_tags.order[static_cast<std::size_t>(tag)].id(); };
    // all tags in cycles, since the shortest cycles may change when one is removed, although nothing was added
    if (!m_circles.empty())
        for (const std::int32_t tag : tagsInCircles(m_links.pairs(), m_tags.order.size()))
            found.push_back({Kind::circle, nameOf(tag), 0});
    add(Kind::order, m_broken);
    add(Kind::region, m_moved);
    add(Kind::nonTensor, m_nonTensors);
    m_shared.forEach([&](std::uint32_t memory) {
        for (std::uint32_t copy = 1; copy < m_readers[memory].size(); ++copy)
            found.push_back({Kind::shared, memory, copy});
    });
    addSeparate(found);
    for (const std::int32_t tag : tags.emptyTags)
        found.push_back({Kind::emptyTag, nameOf(tag), 0});
    for (const std::int32_t tag : tags.duplicateTags)
        found.push_back({Kind::twiceTag, nameOf(tag), static_cast<std::uint32_t>(tag)});
    std::ranges::sort(found);
    return found;
}

namespace {

/// Connected calls with equal tags. The root of a piece is its first call.
class TagPieces {
public:
    TagPieces(const LegalityTables& tables, std::span<const std::int32_t> tagOf, std::span<const std::uint8_t> isWanted)
        : m_first(tables.callCount())
    {
        std::iota(m_first.begin(), m_first.end(), 0U);
        for (const LegalityTables::Edge& edge : tables.edges) {
            const std::int32_t tag = tagOf[edge.from];
            if (tag >= 0 && tag == tagOf[edge.to] && isWanted[static_cast<std::size_t>(tag)] != 0)
                joinSets(m_first, edge.from, edge.to);
        }
    }

    std::uint32_t firstOf(std::uint32_t call) { return rootOf(m_first, call); }

private:
    std::vector<std::uint32_t> m_first;
};

std::int32_t neighborOf(const LegalityTables& tables, std::span<const std::int32_t> tagOf, const CallIsland& island)
{
    std::map<std::int32_t, std::size_t> edges;
    const auto count = [&](std::uint32_t other) {
        if (tagOf[other] >= 0 && tagOf[other] != island.tag)
            ++edges[tagOf[other]];
    };
    for (const std::uint32_t call : island.calls) {
        for (std::uint32_t edge = tables.edgesOf[call]; edge < tables.edgesOf[call + 1]; ++edge)
            count(tables.edges[edge].from);
        for (const std::uint32_t edge : tables.usesOf[call])
            count(tables.edges[edge].to);
    }
    const auto most = std::ranges::max_element(edges, {}, [](const auto& entry) { return entry.second; });
    return most != edges.end() ? most->first : TagAssignment::kUntagged;
}

} // namespace

std::vector<CallIsland> findIslands(const LegalityTables& tables, std::span<const std::int32_t> tagOf,
                                    std::span<const std::uint8_t> isWanted)
{
    TagPieces pieces(tables, tagOf, isWanted);
    std::vector<std::uint32_t> sizes(tables.callCount(), 0); // per first call of a piece
    std::vector<char> computes(tables.callCount(), 0);       // likewise
    std::vector<std::uint32_t> calls(isWanted.size(), 0);    // per tag
    std::vector<std::uint32_t> largest(isWanted.size(), LegalityTables::kNone);
    const auto isOfWanted = [&](std::uint32_t call) {
        return tagOf[call] >= 0 && isWanted[static_cast<std::size_t>(tagOf[call])] != 0;
    };
    for (std::uint32_t call = 0; call < tables.callCount(); ++call)
        if (isOfWanted(call)) {
            const std::uint32_t first = pieces.firstOf(call);
            ++sizes[first];
            if (tables.isDeadNode[call] == 0)
                computes[first] = 1;
            ++calls[static_cast<std::size_t>(tagOf[call])];
        }
    for (std::uint32_t call = 0; call < tables.callCount(); ++call) {
        if (sizes[call] == 0)
            continue;
        std::uint32_t& best = largest[static_cast<std::size_t>(tagOf[call])];
        if (best == LegalityTables::kNone || sizes[call] > sizes[best])
            best = call;
    }
    std::map<std::uint32_t, CallIsland> found; // by first call
    for (std::uint32_t call = 0; call < tables.callCount(); ++call) {
        if (!isOfWanted(call))
            continue;
        const std::uint32_t first = pieces.firstOf(call);
        const auto tag = static_cast<std::size_t>(tagOf[call]);
        if (first == largest[tag] || computes[first] == 0 || sizes[first] * kIslandShare > calls[tag])
            continue;
        CallIsland& island = found[first];
        island.tag = tagOf[call];
        island.calls.push_back(call);
    }
    std::vector<CallIsland> islands;
    for (auto& [first, island] : found)
        if ((island.neighbor = neighborOf(tables, tagOf, island)) >= 0)
            islands.push_back(std::move(island));
    return islands;
}

} // namespace sunder
