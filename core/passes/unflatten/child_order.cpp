#include "passes/unflatten/child_order.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace sunder {
namespace {

class ChildOrder {
public:
    ChildOrder(ModuleObjects& objects, const std::vector<ModuleCall>& calls) : m_objects(objects), m_calls(calls) {}

    Result<void> run()
    {
        for (const ModuleCall& call : m_calls)
            if (call.fqn.view().find('@') == std::string_view::npos)
                m_rank.emplace(call.fqn, static_cast<std::uint32_t>(m_rank.size()));
        if (const Result<void> walked = walk(); !walked)
            return walked;
        for (const ModuleCall& call : m_calls)
            if (call.fqn.view().find('@') == std::string_view::npos)
                m_objects.ensure(call.fqn.view());
        m_places.clear();
        m_seen.clear();
        if (const Result<void> walked = walk(); !walked)
            return walked;
        for (const auto& [object, prefix] : m_places)
            sort(object, prefix);
        return {};
    }

private:
    /// Visits all places depth first, calls of a module under the path of the module, and ranks what has no rank yet.
    Result<void> walk()
    {
        struct Visit {
            ObjectId object;
            InternedString path;
            std::size_t next;
        };
        std::vector<Visit> stack = {{ModuleObjects::root(), {}, 0}};
        std::vector<char> open(m_objects.tableCount());
        enter(ModuleObjects::root(), {}, open);
        while (!stack.empty()) {
            Visit& top = stack.back();
            const std::vector<ChildTable::Child>& children = m_objects.table(top.object).entries();
            if (top.next == children.size()) {
                open[m_objects[top.object].children.index()] = 0;
                stack.pop_back();
                continue;
            }
            const ChildTable::Child child = children[top.next++];
            if (!child.object)
                continue;
            const InternedString path = intern(joined(top.path, child.name.view()));
            m_rank.emplace(path, static_cast<std::uint32_t>(m_rank.size()));
            if (open[m_objects[child.object].children.index()])
                return fail(ErrorCode::refused, "the module " + path.str() + " contains itself", {.other = path.str()});
            const InternedString plain = intern(joined(top.path, withoutCall(child.name.view())));
            if (enter(child.object, plain, open))
                stack.push_back({child.object, plain, 0});
        }
        return {};
    }

    /// False for a place that was visited before, and for one too many.
    bool enter(ObjectId object, InternedString prefix, std::vector<char>& open)
    {
        const std::uint32_t table = m_objects[object].children.index();
        const bool isNew = m_seen.insert(static_cast<std::uint64_t>(table) << 32U | prefix.id()).second;
        if (!isNew || m_places.size() > 8 * m_objects.size() + 64)
            return false;
        m_places.emplace_back(object, prefix);
        open[table] = 1;
        return true;
    }

    static std::string joined(InternedString prefix, std::string_view name)
    {
        return prefix.empty() ? std::string(name) : prefix.str() + "." + std::string(name);
    }

    void sort(ObjectId object, InternedString prefix)
    {
        ChildTable& table = m_objects.table(object);
        std::vector<std::pair<std::uint32_t, ChildTable::Child>> ranked;
        for (const ChildTable::Child& child : table.entries())
            if (child.object)
                ranked.emplace_back(rankOf(prefix, child.name.view()), child);
        const auto byRank = [](const auto& a, const auto& b) { return a.first < b.first; };
        if (std::is_sorted(ranked.begin(), ranked.end(), byRank) && ranked.size() == table.entries().size())
            return;
        std::stable_sort(ranked.begin(), ranked.end(), byRank);
        std::vector<ChildTable::Child> children;
        for (const auto& [rank, child] : ranked)
            children.push_back(child);
        table.assign(std::move(children));
    }

    std::uint32_t rankOf(InternedString prefix, std::string_view name) const
    {
        for (const std::string_view text : {name, withoutCall(name)})
            if (const auto found = m_rank.find(intern(joined(prefix, text))); found != m_rank.end())
                return found->second;
        return static_cast<std::uint32_t>(m_rank.size());
    }

    ModuleObjects& m_objects;
    const std::vector<ModuleCall>& m_calls;
    std::unordered_map<InternedString, std::uint32_t> m_rank;
    std::vector<std::pair<ObjectId, InternedString>> m_places;
    std::unordered_set<std::uint64_t> m_seen; ///< table and prefix
};

} // namespace

Result<void> orderChildren(ModuleObjects& objects, const std::vector<ModuleCall>& calls)
{
    return ChildOrder(objects, calls).run();
}

} // namespace sunder
