#pragma once

#include "ir/program.h"
#include "passes/unflatten/tensor_groups.h"
#include "support/flat_map.h"
#include "support/number_set.h"

#include <optional>
#include <string_view>
#include <vector>

namespace sunder {

/// Writes the tensors of modules into a program. Tensors of a group are one object with several names. Where torch copies one of
/// several views of a memory, the copy gets new memory, at offset 0.
class TensorWriter {
public:
    TensorWriter(const Program& flat, const TensorGroups& tensors, Program& target);

    /// Writes the tensors of a module at `path`: parameters, buffers, constants.
    void write(const std::vector<AssignedTensor>& tensors, std::string_view path);

private:
    struct Written {
        TensorId entry;
        bool persistent = true;
    };

    void write(const AssignedTensor& tensor, std::string_view path);
    [[nodiscard]] InternedString fqnOf(const AssignedTensor& tensor, std::string_view path) const;
    TensorEntry described(const TensorGroups::Group& group, InternedString fqn);
    StorageId storageFor(StorageId source, const TensorGroups::Group& group, TensorMeta& meta, InternedString fqn);
    StorageId copied(StorageId source);

    const Program& m_flat;
    const TensorGroups& m_tensors;
    Program& m_target;
    std::vector<std::optional<Written>> m_written;    ///< per group
    std::vector<StorageId> m_storageOf;               ///< per storage of the source: its counterpart in the target
    std::vector<char> m_isOwned;                      ///< per storage of the source: a copied tensor owns it
    std::vector<char> m_isShared;                     ///< per storage of the source: shared by overlapping tensors
    FlatMap<TensorGroupId> m_firstGroup;              ///< by fqn
    NumberSet m_again;                                ///< (group, fqn) for further groups with a name
};

} // namespace sunder
