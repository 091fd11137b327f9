#include "layout/collapse/collapse_stretches.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace sunder::collapse {
namespace {

/// Adds units to stretches one by one, in execution order. Every stretch has a time, and every edge between two stretches leads
/// to a later time. Therefore there is no cycle.
class StretchMaker {
public:
    /// Returns the stretch for a unit of `group` that reads from the stretches `producers`.
    Index place(Index group, std::span<const Index> producers)
    {
        if (group >= m_current.size())
            m_current.resize(group + 1, kNone);
        Index stretch = m_current[group];
        if (stretch == kNone || !mayJoin(stretch, producers)) {
            stretch = static_cast<Index>(m_time.size());
            m_time.push_back(++m_clock);
            m_isRead.push_back(false);
            m_current[group] = stretch;
        }
        for (const Index producer : producers) {
            if (producer != stretch)
                m_isRead[producer] = true;
        }
        return stretch;
    }

private:
    bool mayJoin(Index stretch, std::span<const Index> producers)
    {
        const bool isLater = std::all_of(producers.begin(), producers.end(), [&](Index producer) {
            return producer == stretch || m_time[producer] < m_time[stretch];
        });
        if (isLater)
            return true;
        if (m_isRead[stretch])
            return false;
        m_time[stretch] = ++m_clock; // no other stretch has read it yet, so it can move to the current time
        return true;
    }

    Index m_clock = 0;
    std::vector<Index> m_current; ///< per group
    std::vector<Index> m_time;    ///< per stretch
    std::vector<bool> m_isRead;   ///< per stretch: whether another stretch reads from it
};

} // namespace

void Grouping::enter(std::span<const Index> units)
{
    for (Index i = 0; i < units.size(); ++i)
        m_place[units[i]] = i;
}

void Grouping::leave(std::span<const Index> units)
{
    for (const Index unit : units)
        m_place[unit] = kNone;
}

Quotient Grouping::quotient(std::span<const Index> units, std::span<const Index> groupOf, Index groupCount)
{
    enter(units);
    Quotient result = quotientOf(groupCount, [&](const auto& visit) {
        for (Index i = 0; i < units.size(); ++i) {
            for (const Read& read : m_graph.readsOf(units[i])) {
                const Index from = m_place[read.producer];
                if (from != kNone && groupOf[from] != groupOf[i])
                    visit(groupOf[from], groupOf[i]);
            }
        }
    });
    leave(units);
    return result;
}

std::vector<Index> Grouping::divideCycles(std::span<const Index> units, std::span<const Index> groupOf, Index groupCount)
{
    const StrongComponents components = componentsOf(quotient(units, groupOf, groupCount));
    enter(units);
    StretchMaker maker;
    std::vector<Index> stretchOf(units.size(), kNone); // only for units in a cycle
    std::vector<Index> result(units.size());
    std::vector<Index> numberOfGroup(groupCount, kNone);
    std::vector<Index> numberOfStretch;
    std::vector<Index> producers;
    Index count = 0;
    for (Index i = 0; i < units.size(); ++i) {
        const Index component = components.of[groupOf[i]];
        Index* number = &numberOfGroup[groupOf[i]];
        if (components.size[component] > 1) {
            producers.clear();
            for (const Read& read : m_graph.readsOf(units[i])) {
                const Index from = m_place[read.producer];
                if (from != kNone && components.of[groupOf[from]] == component && stretchOf[from] != kNone)
                    producers.push_back(stretchOf[from]);
            }
            stretchOf[i] = maker.place(groupOf[i], producers);
            if (stretchOf[i] >= numberOfStretch.size())
                numberOfStretch.resize(stretchOf[i] + 1, kNone);
            number = &numberOfStretch[stretchOf[i]];
        }
        if (*number == kNone)
            *number = count++;
        result[i] = *number;
    }
    leave(units);
    return result;
}

StrongComponents componentsOf(const Quotient& graph)
{
    return strongComponents(graph.count, [&graph](Index node) {
        return std::span(graph.in).subspan(graph.inStart[node], graph.inStart[node + 1] - graph.inStart[node]);
    });
}

std::vector<Index> executionOrder(const Quotient& graph)
{
    std::vector<Index> outStart(graph.count + 1, 0);
    for (const Index from : graph.in)
        ++outStart[from + 1];
    for (Index node = 0; node < graph.count; ++node)
        outStart[node + 1] += outStart[node];
    std::vector<Index> out(graph.in.size());
    std::vector<Index> next = outStart;
    std::vector<Index> missing(graph.count);
    std::priority_queue<Index, std::vector<Index>, std::greater<>> ready;
    for (Index to = 0; to < graph.count; ++to) {
        missing[to] = graph.inStart[to + 1] - graph.inStart[to];
        if (missing[to] == 0)
            ready.push(to);
        for (Index e = graph.inStart[to]; e < graph.inStart[to + 1]; ++e)
            out[next[graph.in[e]]++] = to;
    }
    std::vector<Index> order;
    order.reserve(graph.count);
    while (!ready.empty()) {
        const Index node = ready.top();
        ready.pop();
        order.push_back(node);
        for (Index e = outStart[node]; e < outStart[node + 1]; ++e) {
            if (--missing[out[e]] == 0)
                ready.push(out[e]);
        }
    }
    for (Index node = 0; node < graph.count; ++node) {
        if (missing[node] > 0)
            order.push_back(node);
    }
    return order;
}

} // namespace sunder::collapse
