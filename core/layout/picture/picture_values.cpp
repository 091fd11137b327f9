#include "layout/picture/picture_values.h"

#include <algorithm>
#include <numeric>

namespace sunder::collapse {
namespace {

constexpr Index kShared = 3; ///< minimum number of consumers of a shared value

/// A value that an item reads from another.
struct Need {
    Index producer = 0; ///< entry
    NodeId value;
    Index readers = 0; ///< consumers of the value, counting each member of a run
    bool isFirst = false; ///< this item is the first consumer
};

/// Several lists in one table.
struct Table {
    std::vector<Index> start;
    std::vector<Need> needs;
    [[nodiscard]] std::span<const Need> of(Index entry) const
    {
        return {needs.data() + start[entry], needs.data() + start[entry + 1]};
    }
};

class FlowBuilder {
public:
    FlowBuilder(const Graph& graph, const UnitGraph& units, const Collapsed& collapsed, const PictureOptions& options)
        : m_graph(graph), m_units(units), m_collapsed(collapsed), m_chipReaders(options.chipReaders),
          m_chipInputs(options.chipInputs)
    {
    }

    ValueFlow run()
    {
        m_flow.chips.resize(m_collapsed.entries.size());
        m_flow.widest.resize(m_collapsed.entries.size());
        m_isReached.assign(m_collapsed.entries.size(), false);
        const Table needs = needsOfEntries();
        const std::vector<Nearest> nearest = findDense(needs);
        for (Index entry = 0; entry < m_collapsed.entries.size(); ++entry)
            decide(entry, needs.of(entry), nearest[entry]);
        addAsides();
        return std::move(m_flow);
    }

private:
    struct Reader {
        Index entry = 0;
        Index member = 0;
    };

    /// Calls visit(value, producer, reading unit) for all reads from one item by another.
    template <typename Visit>
    void forEachCrossing(const Visit& visit) const
    {
        for (Index unit = 0; unit < m_units.size(); ++unit) {
            for (const Read& read : m_units.readsOf(unit)) {
                if (m_collapsed.entryOf[read.producer] != m_collapsed.entryOf[unit])
                    visit(read, unit);
            }
        }
    }

    /// Collects the consumers of each value: readers[start[v]] … readers[start[v + 1]] for NodeId index v.
    void listReaders(std::vector<Index>& start, std::vector<Reader>& readers) const
    {
        start.assign(m_units.unitOf.size() + 1, 0);
        forEachCrossing([&](const Read& read, Index) { ++start[read.value.index() + 1]; });
        std::partial_sum(start.begin(), start.end(), start.begin());
        readers.resize(start.back());
        std::vector<Index> next = start;
        forEachCrossing([&](const Read& read, Index unit) {
            readers[next[read.value.index()]++] = {m_collapsed.entryOf[unit], m_collapsed.memberOf[unit]};
        });
    }

    /// Returns the values that each entry reads, once each, in graph order.
    [[nodiscard]] Table needsOfEntries() const
    {
        std::vector<Index> start;
        std::vector<Reader> readers;
        listReaders(start, readers);
        std::vector<Index> seen(m_collapsed.memberCount, kNone); // per member: the last counted value
        std::vector<std::pair<Index, Need>> all;                 // reading entry, need
        for (const NodeId value : m_units.nodes) {
            const auto begin = readers.begin() + start[value.index()];
            const auto end = readers.begin() + start[value.index() + 1];
            if (begin == end)
                continue;
            std::sort(begin, end, [](const Reader& a, const Reader& b) { return a.entry < b.entry; });
            Need need{m_collapsed.entryOf[m_units.unitOf[value.index()]], value, 0, true};
            for (auto reader = begin; reader != end; ++reader) {
                need.readers += seen[reader->member] != value.index() ? 1 : 0;
                seen[reader->member] = value.index();
            }
            for (auto reader = begin; reader != end; ++reader) {
                if (reader != begin && reader->entry == std::prev(reader)->entry)
                    continue;
                all.emplace_back(reader->entry, need);
                need.isFirst = false;
            }
        }
        return tableOf(all);
    }

    [[nodiscard]] Table tableOf(const std::vector<std::pair<Index, Need>>& all) const
    {
        Table table{std::vector<Index>(m_collapsed.entries.size() + 1, 0), std::vector<Need>(all.size())};
        for (const auto& [entry, need] : all)
            ++table.start[entry + 1];
        std::partial_sum(table.start.begin(), table.start.end(), table.start.begin());
        std::vector<Index> next = table.start;
        for (const auto& [entry, need] : all)
            table.needs[next[entry]++] = need;
        return table;
    }

    /// Producers whose values always get edges. Entries are in execution order, so the nearest producer is the last one.
    struct Nearest {
        Index producer = 0;
        Index reached = kNone; ///< the nearest one that an input reaches by edges
        [[nodiscard]] bool keeps(const Need& need) const
        {
            return need.isFirst || need.producer == producer || need.producer == reached;
        }
    };

    [[nodiscard]] Nearest nearestOf(std::span<const Need> needs) const
    {
        Nearest nearest;
        for (const Need& need : needs) {
            nearest.producer = std::max(nearest.producer, need.producer);
            if (m_isReached[need.producer] && (nearest.reached == kNone || need.producer > nearest.reached))
                nearest.reached = need.producer;
        }
        return nearest;
    }

    [[nodiscard]] bool isInput(Index entry) const
    {
        const Entry& item = m_collapsed.entries[entry];
        return item.kind == ItemKind::node && m_graph.node(m_units.heads[m_collapsed.units[item.begin]]).op == Op::placeholder;
    }

    /// Marks the values that an item with dense connections reads from producers other than the nearest. They become chips at
    /// their other consumers too, so that all layers of a dense block look alike.
    std::vector<Nearest> findDense(const Table& table)
    {
        m_isDense.assign(m_units.unitOf.size(), false);
        std::vector<Nearest> all(m_collapsed.entries.size());
        for (Index entry = 0; entry < m_collapsed.entries.size(); ++entry) {
            const std::span<const Need> needs = table.of(entry);
            const Nearest nearest = all[entry] = nearestOf(needs);
            m_isReached[entry] = nearest.reached != kNone || isInput(entry);
            const auto isShared = [&](const Need& need) { return !nearest.keeps(need) && need.readers >= kShared; };
            const bool isDense = std::count_if(needs.begin(), needs.end(), isShared) > std::ptrdiff_t{m_chipInputs};
            for (const Need& need : needs)
                if (isDense && !nearest.keeps(need) && need.readers > 1)
                    m_isDense[need.value.index()] = true;
        }
        return all;
    }

    void decide(Index entry, std::span<const Need> needs, const Nearest& nearest)
    {
        std::vector<Need> drawn;
        for (const Need& need : needs) {
            const bool isWide = need.readers > m_chipReaders || m_isDense[need.value.index()];
            if (!isWide || nearest.keeps(need)) {
                drawn.push_back(need);
                continue;
            }
            m_flow.chips[entry].push_back(need.value);
            WideValue& widest = m_flow.widest[need.producer];
            if (need.readers > widest.readers)
                widest = {need.value, need.readers};
        }
        std::stable_sort(drawn.begin(), drawn.end(), [](const Need& a, const Need& b) { return a.producer < b.producer; });
        for (const Need& need : drawn) {
            std::vector<Dependency>& list = m_flow.dependencies;
            if (list.empty() || list.back().from != need.producer || list.back().to != entry)
                list.push_back({need.producer, entry, {}});
            list.back().values.push_back(need.value);
        }
    }

    /// Adds chips for inputs without an item at all their consumers.
    void addAsides()
    {
        for (Index unit = 0; unit < m_units.size(); ++unit)
            for (const Index read : m_units.weightsOf(unit)) {
                const Weight& weight = m_units.weights[read];
                std::vector<NodeId>& chips = m_flow.chips[m_collapsed.entryOf[unit]];
                if (weight.isAside && std::find(chips.begin(), chips.end(), weight.node) == chips.end())
                    chips.push_back(weight.node);
            }
    }

    const Graph& m_graph;
    const UnitGraph& m_units;
    const Collapsed& m_collapsed;
    const Index m_chipReaders;
    const Index m_chipInputs;
    std::vector<bool> m_isReached; ///< per entry: an input reaches it by edges
    std::vector<bool> m_isDense; ///< per NodeId index: read by dense connections
    ValueFlow m_flow;
};

} // namespace

ValueFlow flowOf(const Graph& graph, const UnitGraph& units, const Collapsed& collapsed, const PictureOptions& options)
{
    return FlowBuilder(graph, units, collapsed, options).run();
}

} // namespace sunder::collapse
