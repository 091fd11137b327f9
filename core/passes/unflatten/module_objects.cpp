#include "passes/unflatten/module_objects.h"

#include <algorithm>
#include <string>

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

} // namespace sunder
