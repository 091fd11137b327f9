#pragma once

#include "io/archives/zip_writer.h"
#include "io/pt2/pt2_writer_values.h"
#include "io/torch_save/storage_archives.h"
#include "ir/program.h"
#include "support/progress_monitor.h"
#include "support/result.h"

#include <map>
#include <string>
#include <string_view>

namespace sunder {

/// Returns the custom metadata of a node (JSON or empty) with `tag` as its "tag", or without a tag if `tag` is empty. Other keys
/// are kept. Empty if nothing remains. Metadata that is not an object is unchanged unless there is a tag to add.
std::string pt2CustomWithTag(const std::string& custom, std::string_view tag);

/// Returns the custom metadata of the whole program (JSON or empty) with this member added or replaced. `value` is JSON; an empty
/// value removes the member.
std::string pt2CustomWithMember(const std::string& custom, std::string_view name, const std::string& value);

/// True for contents of state_dict(): parameters and persistent buffers. PyTorch stores them separately from all others.
bool isOfStateDict(const Program& program, TensorId id);

/// True for a tensor of a custom class, whose record is a torch.save file. `facts` is the entry of the object.
bool isPickledTensor(const TensorEntry& facts);

/// Writes the raw weights and constants of a program into an archive, with the tables that name them. Tensors with shared storage
/// share a record.
class Pt2WeightsWriter final {
public:
    /// `prefix` is the root folder of the archive, with its slash.
    Pt2WeightsWriter(const Program& program, const Pt2Schema& schema, ZipWriter& zip, std::string prefix,
                     ProgressMonitor& monitor);

    Result<void> write();

private:
    struct Folder; ///< differences between weights and constants

    Result<void> writeFolder(const Folder& folder);
    Result<void> writeTensor(const Folder& folder, TensorId id, std::string& config);
    Result<void> writeObjects(const Folder& folder, std::string& config);
    Result<void> copyStorage(const Storage& storage, const std::string& name);
    Result<void> copyRecord(const ZipArchive& archive, const std::string& record, const std::string& name);

    const Program& m_program;
    ZipWriter& m_zip;
    std::string m_prefix;
    ProgressMonitor& m_monitor;
    StorageArchives m_archives;
    ReadFault m_fault;
    Pt2ValueWriter m_values;
    ByteProgress m_progress;
    /// storage and dtype → record in the current folder
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> m_records;
};

} // namespace sunder
