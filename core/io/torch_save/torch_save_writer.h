#pragma once

#include "io/archives/zip_archive.h"
#include "io/archives/zip_writer.h"
#include "ir/tensor_meta.h"
#include "support/progress_monitor.h"

#include <map>
#include <string>
#include <vector>

namespace sunder {

/// Writes a torch.save file as a member of an archive: values in order, as a pickle of protocol 2 that rebuilds only tensors, and
/// the tensors' storages, copied raw or filled with zeros.
class TorchSaveWriter final {
public:
    // Values. Those between a begin and its end are nested in it. Keys and values of a dict alternate.
    void none() { m_pickle += 'N'; }
    void boolean(bool value) { m_pickle += value ? '\x88' : '\x89'; }
    void integer(std::int64_t value);
    void floating(double value);
    void text(std::string_view value);
    void beginTuple() { m_pickle += '('; }
    void endTuple() { m_pickle += 't'; }
    void beginDict() { m_pickle += "}("; }
    void endDict() { m_pickle += 'u'; }
    /// Adds a view of a record of an archive, which must stay valid until write(). All sizes must be numbers.
    void tensor(const TensorMeta& meta, const ZipArchive& archive, const ZipMember& record, bool isParameter);
    /// Adds zeros. Symbolic sizes and strides are replaced by their hints, or by 2. A large tensor is a single zero with strides
    /// of 0.
    void zeros(const TensorMeta& meta);

    /// Writes the single value that was added. Errors: those of the storages' archives, cancelled.
    Result<void> write(ZipWriter& zip, const std::string& member, ProgressMonitor& monitor) const;

private:
    struct Stored {
        const ZipArchive* archive = nullptr; ///< null: zeros
        std::string record = {};
        std::uint64_t bytes = 0;
        std::uint32_t crc = 0;
    };

    void global(std::string_view module, std::string_view name);
    void rebuild(const TensorMeta& meta, const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides,
                 std::int64_t offset, std::size_t storage);
    void integers(const std::vector<std::int64_t>& values);
    Result<void> copyStorage(const Stored& stored, ZipWriter& inner, ProgressMonitor& monitor) const;

    std::string m_pickle;
    std::vector<Stored> m_storages;
    std::map<std::pair<const ZipArchive*, std::string>, std::size_t> m_numbers; ///< record → storage
};

} // namespace sunder
