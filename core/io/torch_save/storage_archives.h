#pragma once

#include "io/archives/zip_archive.h"
#include "ir/program.h"

#include <map>
#include <memory>
#include <string>

namespace sunder {

/// The location of a storage's bytes: a whole member or a range of it.
struct StorageRecord {
    const ZipArchive* archive = nullptr;
    const ZipMember* member = nullptr;
    std::uint64_t begin = 0; ///< start of the range in bytes
    std::uint64_t size = 0;  ///< in bytes; the range is inside the member
    /// True if the data is known to be the original: a member of the file that the program was read from, a member with the
    /// recorded CRC, or a member of an archive with the recorded SHA-256.
    bool isIdentified = false;
};

/// The archives with the storages of a program: the file that it was read from, in its state at that time, or files named by an
/// fx-json and located next to it. Each is opened on first use. Not thread-safe.
class StorageArchives final {
public:
    explicit StorageArchives(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none())
        : m_program(program), m_monitor(monitor)
    {
    }

    /// Returns the archive that the program was read from. Fails with io if it has changed since.
    Result<const ZipArchive*> source();
    /// Returns the location of a storage. Errors: io if the archive cannot be read, has changed, or is not the one that the
    /// program was made from; malformed if it lacks the record; refused if the program does not record a location.
    Result<StorageRecord> find(const Storage& storage);

private:
    /// An open archive and whether it is identified.
    struct Opened {
        std::unique_ptr<ZipArchive> archive;
        bool isIdentified = false;
    };

    Result<const Opened*> archiveAt(const std::string& file);
    Result<Opened> open(const std::string& file);
    std::pair<const ZipArchive*, std::string> innermost(const ZipArchive& archive, const std::string& record);

    const Program& m_program;
    ProgressMonitor& m_monitor;
    std::map<std::string, Result<Opened>> m_archives; ///< including failures, so that no file is hashed twice
    std::map<std::string, std::unique_ptr<ZipArchive>> m_inner; ///< torch.save files inside those archives
};

/// Returns raw JSON to add to the location of a storage: the CRC of the record, to detect another record with the same name
/// later.
InternedString storagePlaceExtra(const ZipMember& member);

/// Returns the SHA-256 of the file that a program was read from, in its state at that time; empty if it was not read from a file.
/// Fails with io if the file has changed since.
Result<std::string> sha256OfSource(const Program& program, ProgressMonitor& monitor = ProgressMonitor::none());

} // namespace sunder
