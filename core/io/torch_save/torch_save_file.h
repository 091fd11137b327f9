#pragma once

#include "io/archives/zip_archive.h"
#include "io/torch_save/pickle_tree.h"
#include "ir/tensor_meta.h"

#include <optional>
#include <string>
#include <vector>

namespace sunder {

/// A tensor as torch.save describes it: a view of a storage in the same file.
struct SavedTensor {
    TensorMeta meta;     ///< dtype, shape, stride, offset, device, requiresGrad
    std::string storage; ///< key of the storage
    bool isParameter = false;
};

/// A file that torch.save wrote, as a member of an archive that stores it: its pickle, walked and not run, and where
/// the storages lie.
class TorchSaveFile final {
public:
    /// Malformed when the member is damaged or no such file, unsupported when it is big-endian or is packed.
    static Result<TorchSaveFile> open(const ZipArchive& archive, std::string_view member);

    [[nodiscard]] const PickleTree& tree() const { return m_tree; }
    [[nodiscard]] const ZipArchive& archive() const { return m_archive; }
    /// The tensor that a value of the tree describes; nothing when it is none, or of a class of its own, or reaches
    /// beyond its storage.
    [[nodiscard]] std::optional<SavedTensor> tensor(std::uint32_t value) const;
    /// The facts of a tensor without bytes, as JSON of the serialization schema; nothing when the value is none.
    [[nodiscard]] std::optional<std::string> fakeTensor(std::uint32_t value, bool& isParameter) const;
    /// The member of archive() that holds a storage; null when it lacks it.
    [[nodiscard]] const ZipMember* storage(const std::string& key) const { return m_archive.find(m_root + "data/" + key); }
    /// Keys and values of a dict, an OrderedDict included; nothing when the value is none or a key is no text.
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

/// dtype of a class of storages: "torch FloatStorage" → "float32"; empty for an unknown one.
std::string_view dtypeOfStorageClass(std::string_view global);
/// The other way: "float32" → "FloatStorage"; empty for a dtype that has no such class.
std::string_view storageClassOfDtype(std::string_view dtype);

} // namespace sunder
