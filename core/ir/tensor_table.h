#pragma once

#include "ir/tensor_meta.h"
#include "support/flat_map.h"

#include <vector>

namespace sunder {

enum class TensorRole : std::uint8_t { parameter, buffer, constant };

std::string_view name(TensorRole role);

/// A range of a record from which a storage is initialized. Its length is that of the storage.
struct CopiedPiece {
    InternedString file;        ///< archive file; empty for that of the program
    InternedString record;      ///< member of that archive
    std::uint64_t begin = 0;    ///< byte offset of the range in the record
    InternedString extra = {};  ///< raw JSON object of unknown keys of this entry
};

/// Memory of parameters, buffers, and constants. Equal storage means shared memory.
struct Storage {
    InternedString id; ///< name in the file
    std::optional<std::uint64_t> byteCount;
    InternedString file = {};   ///< file with the bytes; empty if unknown
    InternedString record = {}; ///< member of that archive
    InternedString placeExtra = {}; ///< raw JSON object of unknown keys next to file and record
    InternedString extra = {};  ///< raw JSON object of unknown keys
    std::optional<CopiedPiece> copyOf = {}; ///< location of the bytes, if they are not a record of their own

    /// Whether the location of the bytes is stated.
    [[nodiscard]] bool hasPlace() const { return !record.empty() || copyOf.has_value(); }
};

/// A parameter, buffer, or constant under its fully qualified name.
struct TensorEntry {
    InternedString fqn;
    TensorRole role = TensorRole::parameter;
    TensorId same = {};            ///< an earlier name of the same tensor object, whose entry has the facts below
    std::optional<bool> persistent; ///< absent on a `same` entry, which has the value of the other
    TensorMeta meta = {};          ///< dtype, shape, stride, offset, …; `storage` is the text of `storage`
    StorageId storage = {};
    InternedString extra = {};
};

/// All tensors of a program by name, in file order. A name may occur twice if a dispatcher holds two tensors of that name; find()
/// returns the first.
class TensorTable {
public:
    StorageId addStorage(Storage storage);
    TensorId add(TensorEntry entry);
    /// Reserves memory for total numbers of tensors and storages.
    void reserve(std::size_t tensors, std::size_t storages);

    [[nodiscard]] std::size_t size() const { return m_tensors.size(); }
    [[nodiscard]] std::size_t storageCount() const { return m_storages.size(); }
    [[nodiscard]] const TensorEntry& operator[](TensorId id) const { return m_tensors[id.index()]; }
    [[nodiscard]] TensorEntry& operator[](TensorId id) { return m_tensors[id.index()]; }
    [[nodiscard]] const Storage& operator[](StorageId id) const { return m_storages[id.index()]; }
    [[nodiscard]] Storage& operator[](StorageId id) { return m_storages[id.index()]; }
    [[nodiscard]] const std::vector<TensorEntry>& entries() const { return m_tensors; }
    [[nodiscard]] const std::vector<Storage>& storages() const { return m_storages; }

    [[nodiscard]] TensorId find(InternedString fqn) const;
    [[nodiscard]] StorageId findStorage(InternedString id) const;
    /// Follows `same` to the entry with the facts.
    [[nodiscard]] TensorId object(TensorId id) const;

private:
    std::vector<TensorEntry> m_tensors;
    std::vector<Storage> m_storages;
    FlatMap<TensorId> m_byName;
    FlatMap<StorageId> m_storageById;
};

} // namespace sunder
