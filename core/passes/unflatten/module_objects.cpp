#include "passes/unflatten/module_objects.h"

#include "ir/module_tree.h"
#include "support/flat_map.h"
#include "support/number_set.h"

#include <algorithm>
#include <string>
#include <utility>

namespace sunder {

InternedString callName(InternedString base, std::uint32_t call)
{
    return call == 0 ? base : intern(base.str() + "@" + std::to_string(call));
}

std::string_view withoutCall(std::string_view name)
{
    return name.substr(0, name.find('@'));
}

/// Returns position + 1 of a child; 0 if there is none.
std::uint32_t ChildTable::placeOf(InternedString name) const
{
    if (m_children.size() > kFew) {
        const std::uint32_t* at = m_index.find(name);
        return at != nullptr ? *at : 0;
    }
    for (std::size_t i = 0; i < m_children.size(); ++i)
        if (m_children[i].name == name && m_children[i].object)
            return static_cast<std::uint32_t>(i + 1);
    return 0;
}

void ChildTable::index()
{
    if (m_children.size() > kFew)
        for (std::size_t i = 0; i < m_children.size(); ++i)
            if (m_children[i].object)
                m_index.emplace(m_children[i].name).first = static_cast<std::uint32_t>(i + 1);
}

ObjectId ChildTable::find(InternedString name) const
{
    const std::uint32_t at = placeOf(name);
    return at == 0 ? ObjectId() : m_children[at - 1].object;
}

void ChildTable::set(InternedString name, ObjectId object)
{
    if (const std::uint32_t at = placeOf(name); at != 0) {
        m_children[at - 1].object = object;
        return;
    }
    m_children.push_back({name, object});
    if (m_children.size() == kFew + 1)
        index();
    else if (m_children.size() > kFew)
        m_index.emplace(name).first = static_cast<std::uint32_t>(m_children.size());
    const std::string_view base = withoutCall(name.view());
    if (base.size() == name.view().size())
        return;
    std::vector<InternedString>& calls = m_calls[intern(base)];
    if (!m_hasRemoved || std::find(calls.begin(), calls.end(), name) == calls.end())
        calls.push_back(name);
}

bool ChildTable::remove(InternedString name)
{
    const std::uint32_t at = placeOf(name);
    if (at == 0)
        return false;
    m_hasRemoved = true;
    m_children[at - 1].object = {};
    if (m_children.size() > kFew)
        m_index.emplace(name).first = 0;
    return true;
}

std::vector<ObjectId> ChildTable::callsOf(InternedString base) const
{
    std::vector<ObjectId> found;
    const auto add = [&](InternedString name) {
        if (const ObjectId object = find(name); object && std::find(found.begin(), found.end(), object) == found.end())
            found.push_back(object);
    };
    add(base);
    if (const auto calls = m_calls.find(base); calls != m_calls.end())
        for (const InternedString name : calls->second)
            if (const ObjectId object = find(name); object)
                found.push_back(object);
    return found;
}

void ChildTable::assign(std::vector<Child> children)
{
    m_children = std::move(children);
    m_index = {};
    index();
}

void ModuleObjects::reserve(std::size_t objects)
{
    m_objects.reserve(objects);
    m_tables.reserve(objects);
    m_graphs.reserve(objects);
}

ModuleObjects::ModuleObjects()
{
    add(ModuleObject::Kind::interpreter);
}

ObjectId ModuleObjects::add(ModuleObject::Kind kind)
{
    const ObjectId id(m_objects.size());
    ModuleObject& object = m_objects.emplace_back();
    object.kind = kind;
    object.children = ChildTableId(m_tables.size());
    m_tables.emplace_back();
    if (kind == ModuleObject::Kind::interpreter) {
        object.graph = ObjectGraphId(m_graphs.size());
        m_graphs.emplace_back();
    }
    return id;
}

ObjectId ModuleObjects::find(ObjectId from, std::string_view path) const
{
    for (std::size_t start = 0; start < path.size() && from;) {
        const std::size_t dot = std::min(path.find('.', start), path.size());
        from = table(from).find(intern(path.substr(start, dot - start)));
        start = dot + 1;
    }
    return from;
}

InternedString ModuleObjects::cycle() const
{
    enum : char { unseen, open, done };
    std::vector<char> state(m_tables.size(), unseen);
    std::vector<std::pair<std::uint32_t, std::size_t>> stack; // (table, next child to visit)
    const auto enter = [&](std::uint32_t table) {
        state[table] = open;
        stack.emplace_back(table, 0);
    };
    enter(m_objects.front().children.index());
    while (!stack.empty()) {
        auto& [table, next] = stack.back();
        const std::vector<ChildTable::Child>& children = m_tables[table].entries();
        if (next == children.size()) {
            state[table] = done;
            stack.pop_back();
            continue;
        }
        const ChildTable::Child child = children[next++];
        if (!child.object)
            continue;
        const std::uint32_t below = m_objects[child.object.index()].children.index();
        if (state[below] == open)
            return child.name;
        if (state[below] == unseen)
            enter(below);
    }
    return {};
}

ObjectId ModuleObjects::ensureChild(ObjectId parent, InternedString name)
{
    if (const ObjectId child = table(parent).find(name); child)
        return child;
    const ObjectId child = add(ModuleObject::Kind::plain);
    table(parent).set(name, child);
    return child;
}

namespace {

class ChildOrder {
public:
    ChildOrder(ModuleObjects& objects, const std::vector<ModuleCall>& calls) : m_objects(objects), m_calls(calls) {}

    void run()
    {
        for (const ModuleCall& call : m_calls)
            if (!call.fqn.empty() && call.fqn.view().find('@') == std::string_view::npos)
                (void)m_rank.emplace(call.fqn, static_cast<std::uint32_t>(m_rank.size()));
        m_isMet.resize(m_rank.size());
        walk();
        if (std::ranges::find(m_isMet, 0) != m_isMet.end()) {
            for (const ModuleCall& call : m_calls)
                if (call.fqn.view().find('@') == std::string_view::npos)
                    ensure(call.fqn.view());
            m_places.clear();
            m_seen = {};
            walk();
        }
        m_sorted.resize(m_objects.tableCount());
        for (const Place& place : m_places)
            sort(place);
    }

private:
    /// A table of children at one path, with the rank of each child.
    struct Place {
        ObjectId object;
        InternedString path;
        bool isPlain; ///< its path contains no call index
        std::vector<std::uint32_t> ranks = {};
    };
    static constexpr std::uint32_t kUnranked = 0xffffffffU;

    /// Ensures that there is a module at a path. Consecutive calls share path prefixes, so the walk resumes at the common prefix.
    void ensure(std::string_view path)
    {
        std::size_t depth = 0;
        while (depth + 1 < m_way.size() && isWithin(path, m_way[depth + 1].first))
            ++depth;
        m_way.resize(depth + 1);
        while (m_way.back().first.size() < path.size()) {
            const auto [parent, object] = m_way.back();
            const std::size_t start = parent.empty() ? 0 : parent.size() + 1;
            const std::size_t dot = std::min(path.find('.', start), path.size());
            m_way.emplace_back(path.substr(0, dot), m_objects.ensureChild(object, intern(path.substr(start, dot - start))));
        }
    }

    /// Visits all places depth first, with calls under the path of their module, and assigns missing ranks.
    void walk()
    {
        std::vector<std::uint32_t> stack; // indices into m_places
        enter(ModuleObjects::root(), {}, true, stack);
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
            const std::string_view plain = withoutCall(child.name.view());
            const bool hasCall = plain.size() < child.name.view().size();
            const bool isPlain = m_places[at].isPlain && !hasCall;
            const InternedString path = joined(m_places[at].path, child.name.view());
            std::uint32_t rank = kUnranked; // below a call, PyTorch uses the rank at the path without call index
            if (m_places[at].isPlain)
                rank = m_rank.emplace(path, static_cast<std::uint32_t>(m_rank.size())).first;
            m_places[at].ranks.push_back(rank);
            if (isPlain && rank < m_isMet.size())
                m_isMet[rank] = 1;
            enter(child.object, hasCall ? joined(m_places[at].path, plain) : path, isPlain, stack);
        }
    }

    /// Adds a place, unless it was visited before, the limit is reached, or it has no children to order.
    void enter(ObjectId object, InternedString path, bool isPlain, std::vector<std::uint32_t>& stack)
    {
        const std::uint32_t table = m_objects[object].children.index();
        if (m_objects.table(object).entries().empty() || m_places.size() > 8 * m_objects.size() + 64
            || !m_seen.insert(static_cast<std::uint64_t>(table) << 32U | path.id()))
            return;
        stack.push_back(static_cast<std::uint32_t>(m_places.size()));
        m_places.push_back({object, path, isPlain});
    }

    /// Returns the rank of a child by its own name, else that of the module that it is a call of, else the last rank.
    std::uint32_t rankOf(const Place& place, std::string_view name)
    {
        if (const std::uint32_t* rank = m_rank.find(joined(place.path, name)))
            return *rank;
        const std::uint32_t* rank = m_rank.find(joined(place.path, withoutCall(name)));
        return rank != nullptr ? *rank : kUnranked;
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
            if (children[i].object) // once sorted for another place, children no longer match place.ranks
                ranked.emplace_back(isSorted != 0 || !place.isPlain ? rankOf(place, children[i].name.view()) : place.ranks[i],
                                    children[i]);
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
    FlatMap<std::uint32_t> m_rank; ///< path → rank
    std::vector<char> m_isMet; ///< per rank from the module calls: the module exists
    std::vector<Place> m_places;
    std::vector<std::pair<std::string_view, ObjectId>> m_way = {{{}, ModuleObjects::root()}}; ///< path of the last ensure()
    std::vector<char> m_sorted; ///< per table
    std::string m_text; ///< scratch of joined()
    NumberSet m_seen; ///< (table, prefix) pairs
};

} // namespace

void orderChildren(ModuleObjects& objects, const std::vector<ModuleCall>& calls)
{
    ChildOrder(objects, calls).run();
}

} // namespace sunder
