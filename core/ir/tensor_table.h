#pragma once

#include "ir/tensor_meta.h"
#include "support/flat_map.h"

#include <vector>

namespace sunder {

enum class TensorRole : std::uint8_t { parameter, buffer, constant };

std::string_view name(TensorRole role);

/// A piece of a record that a memory of its own begins as a copy of; the memory says how long it is.
struct CopiedPiece {
    InternedString file;        ///< of the archive; empty where it is that of the program
    InternedString record;      ///< member of that archive
    std::uint64_t begin = 0;    ///< of the piece in it, in bytes
    InternedString extra = {};  ///< raw JSON object of unknown keys beside these
};

/// Memory that parameters, buffers and constants lie in. Equal storage means shared memory.
struct Storage {
    InternedString id; ///< as the file calls it
    std::optional<std::uint64_t> byteCount;
    InternedString file = {};   ///< where the bytes are; empty when unknown
    InternedString record = {}; ///< member of that archive
    InternedString placeExtra = {}; ///< raw JSON object of unknown keys beside file and record
    InternedString extra = {};  ///< raw JSON object of unknown keys
    std::optional<CopiedPiece> copyOf = {}; ///< where its bytes are, when they are no record of their own

    /// Whether it is said where its bytes are.
    [[nodiscard]] bool hasPlace() const { return !record.empty() || copyOf.has_value(); }
};

/// A parameter, buffer or constant under its fully qualified name.
struct TensorEntry {
    InternedString fqn;
    TensorRole role = TensorRole::parameter;
    TensorId same = {};            ///< an earlier name of the same tensor object; the facts below are then there
    std::optional<bool> persistent; ///< absent on a `same` entry: as there
    TensorMeta meta = {};          ///< dtype, shape, stride, offset …; `storage` is the text of `storage`
    StorageId storage = {};
    InternedString extra = {};
};

/// All tensors of a program by name, in file order. A name may stand twice when a dispatcher holds two tensors of
/// one name; find() gives the first.
class TensorTable {
public:
    StorageId addStorage(Storage storage);
    TensorId add(TensorEntry entry);
    /// Makes room for so many in all.
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
    /// Follows `same` to the entry that has the facts.
    [[nodiscard]] TensorId object(TensorId id) const;

private:
    std::vector<TensorEntry> m_tensors;
    std::vector<Storage> m_storages;
    FlatMap<TensorId> m_byName;
    FlatMap<StorageId> m_storageById;
};

} // namespace sunder
