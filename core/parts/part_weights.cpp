#include "parts/part_weights.h"

#include "io/archives/zip_writer.h"
#include "io/torch_save/storage_archives.h"
#include "support/file.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxAtOnce = 1U << 18U;

Result<void> copyRecord(const StorageRecord& from, const std::string& to, ZipWriter& zip, ByteProgress& progress)
{
    zip.begin(to, {.size = from.size, .crc = from.member->crc});
    return from.archive->copyMember(from.member->name, [&](std::span<const char> bytes) {
        zip.append(bytes);
        return progress.add(bytes.size()) && zip.isGood();
    });
}

/// Copies a range of a record, whose CRC is unknown until it is read.
Result<void> copyPiece(const StorageRecord& from, const std::string& to, ZipWriter& zip, ByteProgress& progress)
{
    zip.begin(to);
    SUNDER_TRY(ZipMemberStream stream, from.archive->openMember(from.member->name));
    SUNDER_PROPAGATE(stream.skip(from.begin));
    std::vector<char> buffer(std::min(kMaxAtOnce, from.size));
    for (std::uint64_t left = from.size; left > 0;) {
        const std::size_t wanted = std::min<std::uint64_t>(left, buffer.size());
        SUNDER_TRY(const std::size_t count, stream.read(std::span(buffer).first(wanted)));
        if (count == 0)
            return fail(ErrorCode::malformed, "ends early", {.file = from.archive->path(), .member = from.member->name});
        zip.append(std::span(buffer).first(count));
        left -= count;
        if (!progress.add(count) || !zip.isGood())
            break;
    }
    return {};
}

Result<void> copyStorage(const StorageRecord& from, const std::string& to, ZipWriter& zip, ByteProgress& progress)
{
    const bool isWhole = from.size == from.member->size;
    const Result<void> copied = isWhole ? copyRecord(from, to, zip, progress) : copyPiece(from, to, zip, progress);
    if (progress.isCancelled())
        return fail(ErrorCode::cancelled, "cancelled while writing weights");
    if (const Result<void> unchanged = from.archive->file()->checkUnchanged(); !unchanged)
        return unchanged; // explains bytes that do not match their CRC
    return zip.isGood() ? copied : Result<void>(); // the owner of the file reports a full disk
}

} // namespace

std::string weightsBeside(const std::string& file)
{
    return file.substr(0, file.size() - kPlainPartSuffix.size()) + ".weights.zip";
}

Result<Program> writePartWeights(const Program& source, const Program& part, const std::string& path, const std::string& name,
                                 ProgressMonitor& monitor)
{
    Program placed = part;
    std::vector<StorageId> storages;
    for (std::size_t i = 0; i < part.tensors.storageCount(); ++i)
        if (part.tensors[StorageId(i)].hasPlace())
            storages.emplace_back(i);
    if (storages.empty())
        return placed;
    StorageArchives archives(source, monitor);
    ByteProgress progress(monitor, storedBytes(part), "Copying weights");
    const Result<void> written = writeFileAtomically(path, [&](std::ostream& out) -> Result<void> {
        ZipWriter zip(out);
        for (std::size_t i = 0; i < storages.size(); ++i) {
            SUNDER_TRY(const StorageRecord record, archives.find(part.tensors[storages[i]]));
            const std::string to = "data/weights/weight_" + std::to_string(i);
            SUNDER_PROPAGATE(copyStorage(record, to, zip, progress));
            Storage& storage = placed.tensors[storages[i]];
            storage.byteCount = record.size;
            storage.file = intern(name);
            storage.record = intern(to);
            storage.placeExtra = record.size == record.member->size ? storagePlaceExtra(*record.member) : InternedString();
            storage.copyOf.reset();
        }
        zip.finish();
        return {};
    });
    return written ? Result<Program>(std::move(placed)) : forward(written);
}

std::uint64_t storedBytes(const Program& part)
{
    std::vector<std::uint64_t> bytes(part.tensors.storageCount(), 0);
    for (const TensorEntry& entry : part.tensors.entries()) {
        if (entry.same || !entry.storage || !part.tensors[entry.storage].hasPlace())
            continue;
        std::uint64_t& most = bytes[entry.storage.index()];
        most = std::max(most, part.tensors[entry.storage].byteCount.value_or(byteSize(entry.meta).value_or(0)));
    }
    return std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0});
}

} // namespace sunder
