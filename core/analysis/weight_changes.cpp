#include "analysis/weight_changes.h"

namespace sunder {
namespace {

const Storage* storageOf(const TensorTable& table, TensorId id)
{
    const StorageId storage = table[table.object(id)].storage;
    return storage.isValid() ? &table[storage] : nullptr;
}

} // namespace

WeightChanges weightChanges(const TensorTable& before, const TensorTable& after)
{
    WeightChanges changes;
    for (const TensorEntry& entry : before.entries()) {
        const TensorId other = after.find(entry.fqn);
        if (!other.isValid()) {
            ++changes.onlyBefore;
            continue;
        }
        const Storage* first = storageOf(before, before.find(entry.fqn));
        const Storage* second = storageOf(after, other);
        if (first == nullptr || second == nullptr || first->placeExtra.empty() || second->placeExtra.empty())
            ++changes.unknown;
        else if (first->placeExtra == second->placeExtra && first->byteCount == second->byteCount)
            ++changes.equal;
        else
            changes.others.push_back(entry.fqn);
    }
    for (const TensorEntry& entry : after.entries())
        changes.onlyAfter += before.find(entry.fqn).isValid() ? 0 : 1;
    return changes;
}

} // namespace sunder
