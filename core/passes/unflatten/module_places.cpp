#include "passes/unflatten/module_places.h"

#include <unordered_map>

namespace sunder {
namespace {

std::uint64_t slot(ChildTableId table, InternedString name)
{
    return static_cast<std::uint64_t>(table.index()) << 32U | name.id();
}

} // namespace

ObjectId ModulePlaces::place(InternedString path, InternedString below)
{
    ModuleObjects& objects = m_draft.outline.objects;
    const ObjectId* implied = m_implied.find(path);
    const ObjectId object = implied != nullptr && *implied ? *implied : objects.add(ModuleObject::Kind::interpreter);
    const std::size_t dot = below.view().rfind('.');
    const bool isDeep = dot != std::string_view::npos;
    const ChildTableId table = holder(below.view().substr(0, isDeep ? dot : 0));
    const InternedString last = isDeep ? intern(below.view().substr(dot + 1)) : below;
    if (const ObjectId taken = objects.table(table).find(last); taken && taken != object && !m_asUpstream)
        displace(table, last, object);
    objects.table(table).set(last, object);
    m_callOf.resize(objects.size(), kNone);
    m_callOf[object.index()] = static_cast<std::uint32_t>(m_draft.outline.calls.size());
    m_placeOf.push_back(slot(table, last));
    return object;
}

/// Returns the table of a child's parent, relative to the current module; creates intermediate modules.
ChildTableId ModulePlaces::holder(std::string_view prefix)
{
    ModuleObjects& objects = m_draft.outline.objects;
    const InternedString parent = m_draft.frames.back().path;
    ObjectId at = m_draft.frames.back().object;
    for (std::size_t start = 0; start < prefix.size();) {
        const std::size_t dot = std::min(prefix.find('.', start), prefix.size());
        const InternedString name = intern(prefix.substr(start, dot - start));
        ObjectId next = objects.table(at).find(name);
        if (!next) {
            const InternedString path = intern(joinPath(parent.view(), prefix.substr(0, dot)));
            ObjectId& known = m_implied.emplace(path).first;
            if (!known)
                known = objects.add(ModuleObject::Kind::interpreter);
            next = known;
            objects.table(at).set(name, next);
        }
        at = next;
        start = dot + 1;
    }
    return objects[at].children;
}

/// Moves the object at a name to the next free call index. If it was never called, only adds its children to `by`.
void ModulePlaces::displace(ChildTableId id, InternedString name, ObjectId by)
{
    ModuleObjects& objects = m_draft.outline.objects;
    ChildTable& table = objects.table(id);
    const ObjectId taken = table.find(name);
    const std::uint32_t call = taken.index() < m_callOf.size() ? m_callOf[taken.index()] : kNone;
    if (call == kNone || m_placeOf[call] != slot(id, name)) {
        for (const ChildTable::Child& child : objects.table(taken).entries())
            if (child.object && !objects.table(by).find(child.name))
                objects.table(by).set(child.name, child.object);
        return;
    }
    const InternedString base = intern(withoutCall(name.view()));
    std::uint32_t& next = m_nextCall[slot(id, base)];
    InternedString free;
    do {
        free = callName(base, ++next);
    } while (table.find(free));
    table.set(free, taken);
    CallRecord& record = m_draft.outline.calls[call];
    if (record.displacedFrom.empty())
        record.displacedFrom = name;
    record.name = callName(record.path, next);
    objects.graphOf(record.parent).setTarget(record.node, intern(*accessor(record.parentPath.view(), record.name.view())), {});
    m_placeOf[call] = slot(id, free);
}

std::uint32_t ModulePlaces::join(ObjectId object, InternedString key, std::uint32_t call)
{
    const InternedString module = key.empty() ? intern("@") : key; // differs from every key
    const auto [firstCall, isNew] = m_firstCall.emplace(module, call);
    if (isNew)
        return call;
    m_draft.outline.hasRepeats = true;
    ModuleObjects& objects = m_draft.outline.objects;
    const ObjectId first = m_draft.outline.calls[firstCall].object;
    if (objects[first].children == objects[object].children)
        return firstCall;
    if (!m_asUpstream)
        for (const ChildTable::Child& child : objects.table(object).entries())
            if (child.object && !objects.table(first).find(child.name))
                objects.table(first).set(child.name, child.object);
    objects[object].children = objects[first].children;
    return firstCall;
}

void ModulePlaces::leave(InternedString path)
{
    if (m_implied.contains(path))
        m_implied.emplace(path).first = {};
}

void CarriedGraphs::add()
{
    ModuleObjects& objects = m_draft.outline.objects;
    std::vector<std::vector<InternedString>> names(objects.size());
    std::vector<ObjectId> readers;
    for (const auto& [object, target] : m_reads) {
        if (names[object.index()].empty())
            readers.push_back(object);
        names[object.index()].push_back(target);
    }
    std::unordered_map<InternedString, ObjectId> carried;
    for (const ObjectId reader : readers) {
        for (const InternedString target : names[reader.index()]) {
            if (!m_draft.program.modules.resolve(target.view()))
                continue; // a tensor, or a target unknown to the file
            const auto [known, isNew] = carried.emplace(target, ObjectId());
            if (isNew) {
                known->second = objects.add(ModuleObject::Kind::carried);
                objects[known->second].carried = target;
            }
            objects.table(reader).set(target, known->second);
        }
    }
}

} // namespace sunder
