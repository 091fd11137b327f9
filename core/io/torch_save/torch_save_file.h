#pragma once

#include "io/archives/zip_archive.h"
#include "io/torch_save/pickle_tree.h"
#include "ir/tensor_meta.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A tensor in a torch.save file: a view of a storage in the same file.
struct SavedTensor {
    TensorMeta meta;     ///< dtype, shape, stride, offset, device, requiresGrad
    std::string storage; ///< key of the storage
    bool isParameter = false;
};

/// A torch.save file that is a stored member of an archive: its pickle, parsed but not executed, and the locations of its
/// storages.
class TorchSaveFile final {
public:
    /// Opens a member. Malformed if it is damaged or not a torch.save file; unsupported if it is big-endian or compressed.
    static Result<TorchSaveFile> open(const ZipArchive& archive, std::string_view member);

    [[nodiscard]] const PickleTree& tree() const { return m_tree; }
    [[nodiscard]] const ZipArchive& archive() const { return m_archive; }
    /// Returns the tensor that a value describes. Nothing if it is not a tensor, has a custom class, or extends beyond its
    /// storage.
    [[nodiscard]] std::optional<SavedTensor> tensor(std::uint32_t value) const;
    /// Returns the metadata of a tensor without data, as JSON of the serialization schema; nothing for other values.
    [[nodiscard]] std::optional<std::string> fakeTensor(std::uint32_t value, bool& isParameter) const;
    /// Returns the member of archive() with a storage; null if there is none.
    [[nodiscard]] const ZipMember* storage(const std::string& key) const { return m_archive.find(m_root + "data/" + key); }
    /// Returns keys and values of a dict or OrderedDict; nothing for other values, or if a key is not a text.
    [[nodiscard]] std::optional<std::vector<std::pair<std::string, std::uint32_t>>> entries(std::uint32_t value) const;

private:
    TorchSaveFile(ZipArchive archive, PickleTree tree, std::string root)
        : m_archive(std::move(archive)), m_tree(std::move(tree)), m_root(std::move(root))
    {
    }
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(std::uint32_t value) const;
    [[nodiscard]] bool readStorage(std::uint32_t value, SavedTensor& tensor) const;

    ZipArchive m_archive;
    PickleTree m_tree;
    std::string m_root;
};

/// Returns the dtype of a storage class: "torch FloatStorage" → "float32"; empty for an unknown class.
std::string_view dtypeOfStorageClass(std::string_view global);
/// The inverse: "float32" → "FloatStorage"; empty for a dtype without such a class.
std::string_view storageClassOfDtype(std::string_view dtype);

} // namespace sunder
