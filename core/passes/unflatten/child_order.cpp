#include "passes/unflatten/child_order.h"

#include "support/flat_map.h"

#include <algorithm>
#include <string>
#include <unordered_set>

namespace sunder {
namespace {

class ChildOrder {
public:
    ChildOrder(ModuleObjects& objects, const std::vector<ModuleCall>& calls) : m_objects(objects), m_calls(calls) {}

    void run()
    {
        for (const ModuleCall& call : m_calls)
            if (!call.fqn.empty() && call.fqn.view().find('@') == std::string_view::npos)
                (void)m_rank.emplace(call.fqn, static_cast<std::uint32_t>(m_rank.size()));
        for (const ModuleCall& call : m_calls)
            if (call.fqn.view().find('@') == std::string_view::npos)
                m_objects.ensure(call.fqn.view());
        walk();
        m_sorted.resize(m_objects.tableCount());
        for (const Place& place : m_places)
            sort(place);
    }

private:
    /// A table of children at one path, with the rank of each of them.
    struct Place {
        ObjectId object;
        InternedString path;
        std::vector<std::uint32_t> ranks = {};
    };

    /// Visits all places depth first, calls of a module under the path of the module, and ranks what has no rank yet.
    void walk()
    {
        std::vector<std::uint32_t> stack; // of places
        enter(ModuleObjects::root(), {}, stack);
        while (!stack.empty()) {
            const std::uint32_t at = stack.back();
            const ObjectId object = m_places[at].object;
            const std::vector<ChildTable::Child>& children = m_objects.table(object).entries();
            const std::size_t next = m_places[at].ranks.size();
            if (next == children.size()) {
                stack.pop_back();
                continue;
            }
            const ChildTable::Child child = children[next];
            if (!child.object) {
                m_places[at].ranks.push_back(0);
                continue;
            }
            const InternedString path = joined(m_places[at].path, child.name.view());
            m_places[at].ranks.push_back(m_rank.emplace(path, static_cast<std::uint32_t>(m_rank.size())).first);
            const std::string_view plain = withoutCall(child.name.view());
            enter(child.object, plain.size() == child.name.view().size() ? path : joined(m_places[at].path, plain), stack);
        }
    }

    /// Does nothing for a place that was visited before, for one too many, and where there is nothing to order.
    void enter(ObjectId object, InternedString path, std::vector<std::uint32_t>& stack)
    {
        const std::uint32_t table = m_objects[object].children.index();
        if (m_objects.table(object).entries().empty() || m_places.size() > 8 * m_objects.size() + 64
            || !m_seen.insert(static_cast<std::uint64_t>(table) << 32U | path.id()).second)
            return;
        stack.push_back(static_cast<std::uint32_t>(m_places.size()));
        m_places.push_back({object, path});
    }

    InternedString joined(InternedString prefix, std::string_view name)
    {
        m_text = prefix.view();
        m_text += prefix.empty() ? "" : ".";
        m_text += name;
        return intern(m_text);
    }

    void sort(const Place& place)
    {
        ChildTable& table = m_objects.table(place.object);
        const std::vector<ChildTable::Child>& children = table.entries();
        std::vector<std::pair<std::uint32_t, ChildTable::Child>> ranked;
        char& isSorted = m_sorted[m_objects[place.object].children.index()];
        for (std::size_t i = 0; i < children.size(); ++i)
            if (children[i].object) // once the table was sorted for another place, ranks are no longer beside children
                ranked.emplace_back(isSorted != 0 ? *m_rank.find(joined(place.path, children[i].name.view())) : place.ranks[i], children[i]);
        isSorted = 1;
        const auto byRank = [](const auto& a, const auto& b) { return a.first < b.first; };
        if (std::is_sorted(ranked.begin(), ranked.end(), byRank) && ranked.size() == children.size())
            return;
        std::stable_sort(ranked.begin(), ranked.end(), byRank);
        std::vector<ChildTable::Child> sorted;
        for (const auto& [rank, child] : ranked)
            sorted.push_back(child);
        table.assign(std::move(sorted));
    }

    ModuleObjects& m_objects;
    const std::vector<ModuleCall>& m_calls;
    FlatMap<std::uint32_t> m_rank; ///< path → place in the order
    std::vector<Place> m_places;
    std::vector<char> m_sorted;    ///< per table
    std::string m_text;            ///< scratch of joined()
    std::unordered_set<std::uint64_t> m_seen; ///< table and prefix
};

} // namespace

void orderChildren(ModuleObjects& objects, const std::vector<ModuleCall>& calls)
{
    ChildOrder(objects, calls).run();
}

} // namespace sunder
