#include "passes/unflatten/carried_graphs.h"

#include <unordered_map>

namespace sunder {

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
