#pragma once

#include "io/archives/zip_archive.h"
#include "ir/program.h"

#include <map>
#include <memory>
#include <string>

namespace sunder {

/// Where the bytes of a storage are: all of a member, or a piece of it.
struct StorageRecord {
    const ZipArchive* archive = nullptr;
    const ZipMember* member = nullptr;
    std::uint64_t begin = 0; ///< of the piece, in bytes
    std::uint64_t size = 0;  ///< in bytes; the piece lies within the member
    /// Whether it is known to be what the program was made with: a member of the file that the program was read from,
    /// or one that has the CRC that the program notes, or in an archive of the SHA-256 that it notes.
    bool isIdentified = false;
};

/// The archives that the storages of a program lie in: the file that it was read from, as it was then, or files that an
/// fx-json names, beside it. Each is opened when it is first asked for. Not thread-safe.
class StorageArchives final {
public:
    explicit StorageArchives(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none())
        : m_program(program), m_monitor(monitor)
    {
    }

    /// The archive that the program was read from. Fails with io when it has changed since.
    Result<const ZipArchive*> source();
    /// Where a storage lies. Fails with io when the archive cannot be read, has changed, or is another than the program
    /// was made from, with malformed when it lacks the record, with refused when the program says nothing of it.
    Result<StorageRecord> find(const Storage& storage);

private:
    /// An archive, and what is known of it.
    struct Opened {
        std::unique_ptr<ZipArchive> archive;
        bool isIdentified = false;
    };

    Result<const Opened*> archiveAt(const std::string& file);
    Result<Opened> open(const std::string& file);
    std::pair<const ZipArchive*, std::string> innermost(const ZipArchive& archive, const std::string& record);

    const Program& m_program;
    ProgressMonitor& m_monitor;
    std::map<std::string, Result<Opened>> m_archives; ///< failures too, so that no file is hashed again
    std::map<std::string, std::unique_ptr<ZipArchive>> m_inner; ///< torch.save files within those
};

/// Raw JSON of what the place of a storage says beside file and record: the CRC of the record, so that it can be told
/// from another one of its name later.
InternedString storagePlaceExtra(const ZipMember& member);

/// SHA-256 of the file that a program was read from, as it was then; empty when it was made. Fails with io when the file
/// has changed since.
Result<std::string> sha256OfSource(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
