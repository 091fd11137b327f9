#include "parts/part_weights.h"

#include "io/archives/zip_writer.h"
#include "io/torch_save/storage_archives.h"
#include "parts/part_programs.h"
#include "parts/separate_cut.h"
#include "support/file.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxAtOnce = 1U << 18U;

Result<void> copyRecord(const StorageRecord& from, const std::string& to, ZipWriter& zip, ByteProgress& progress)
{
    zip.begin(to, {.size = from.size, .crc = from.member->crc});
    Result<void> going;
    const Result<void> copied = from.archive->copyMember(from.member->name, [&](std::span<const char> bytes) {
        zip.append(bytes);
        going = progress.add(bytes.size());
        return going && zip.isGood();
    });
    return going ? copied : going;
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
        SUNDER_PROPAGATE(progress.add(count));
        if (!zip.isGood())
            break;
    }
    return {};
}

Result<void> copyStorage(const StorageRecord& from, const std::string& to, ZipWriter& zip, ByteProgress& progress)
{
    const bool isWhole = from.size == from.member->size;
    const Result<void> copied = isWhole ? copyRecord(from, to, zip, progress) : copyPiece(from, to, zip, progress);
    SUNDER_PROPAGATE(progress.check());
    if (const Result<void> unchanged = from.archive->file()->checkUnchanged(); !unchanged)
        return unchanged; // explains bytes that do not match their CRC
    return zip.isGood() ? copied : Result<void>(); // the owner of the file reports a full disk
}

constexpr std::uint64_t kBytesANode = 2'000; ///< of JSON: 1,600 in PyTorch exports, including stack traces

/// Adds up the distinct storages of a part's lifted inputs.
class PartStorages {
public:
    explicit PartStorages(const Program& source)
        : m_source(source), m_inputOf(signatureInputs(source)), m_part(source.tensors.storageCount(), -1)
    {
    }

    std::uint64_t bytesOf(std::size_t part, const std::vector<NodeId>& lifted)
    {
        std::uint64_t bytes = 0;
        for (const NodeId value : lifted) {
            const InputSpec& input = m_source.signature->inputs[static_cast<std::size_t>(m_inputOf[value.index()])];
            const TensorId named = m_source.tensors.find(input.target);
            if (!named)
                continue; // a custom object
            const TensorEntry& entry = m_source.tensors[m_source.tensors.object(named)];
            if (!entry.storage || !m_source.tensors[entry.storage].hasPlace())
                continue;
            std::int64_t& last = m_part[entry.storage.index()];
            if (last != static_cast<std::int64_t>(part))
                bytes += m_source.tensors[entry.storage].byteCount.value_or(byteSize(entry.meta).value_or(0));
            last = static_cast<std::int64_t>(part);
        }
        return bytes;
    }

private:
    const Program& m_source;
    std::vector<std::int32_t> m_inputOf;
    std::vector<std::int64_t> m_part; ///< per storage: the last part that read it
};

constexpr std::uint32_t kNoMemory = 0xffffffffU;

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
    const auto write = [&](std::ostream& out) -> Result<void> {
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
    };
    SUNDER_PROPAGATE(writeFileAtomically(path, write));
    return placed;
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

Result<PartsSize> sizeOfParts(const Program& source, const SplitResult& split, const PartPlan& plan, ProgressMonitor& monitor)
{
    PartsSize size{.graphs = kBytesANode * source.nodeCount()};
    std::optional<PartStorages> storages;
    if (source.signature)
        storages.emplace(source);
    for (std::size_t part = 0; part < split.parts.size(); ++part) {
        SUNDER_PROPAGATE(monitor.check());
        const std::uint64_t bytes = storages ? storages->bytesOf(part, plan.lifted[part])
                                             : storedBytes(partModule(source, split, part));
        size.weightsOf.push_back(bytes);
        size.weights += bytes;
    }
    return size;
}

Result<PartsSize> sizeOfParts(const Program& source, const SplitResult& split)
{
    SUNDER_TRY(const SeparateCut separate, separateCut(source, split));
    const Program& from = separate.changed ? separate.changed->source : source;
    const SplitResult& cut = separate.changed ? separate.changed->split : split;
    if (!from.signature)
        return sizeOfParts(from, cut, PartPlan(), ProgressMonitor::none());
    SUNDER_TRY(const PartPlan plan, planParts(from, cut));
    return sizeOfParts(from, cut, plan, ProgressMonitor::none());
}

SharedWeights::SharedWeights(const Program& source) : m_source(source)
{
    const TensorTable& tensors = source.tensors;
    std::vector<std::uint32_t> ofStorage(tensors.storageCount(), kNoMemory);
    std::uint32_t count = 0;
    m_memoryOf.assign(tensors.size(), kNoMemory);
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorId id(static_cast<std::uint32_t>(i));
        const TensorId object = tensors.object(id);
        const StorageId storage = tensors[object].storage;
        std::uint32_t& memory = storage ? ofStorage[storage.index()] : m_memoryOf[object.index()];
        if (memory == kNoMemory)
            memory = count++;
        m_memoryOf[i] = memory;
    }
    m_holders.resize(count);
}

void SharedWeights::add(const std::string& part, const Program& program)
{
    for (const TensorEntry& entry : program.tensors.entries())
        if (const TensorId id = m_source.tensors.find(entry.fqn); id)
            if (std::vector<std::string>& holders = m_holders[m_memoryOf[id.index()]]; holders.empty() || holders.back() != part)
                holders.push_back(part);
}

std::vector<ManifestTie> SharedWeights::ties() const
{
    std::vector<ManifestTie> all(m_holders.size());
    for (std::size_t memory = 0; memory < all.size(); ++memory)
        all[memory].parts = m_holders[memory];
    for (std::size_t i = 0; i < m_memoryOf.size(); ++i)
        all[m_memoryOf[i]].names.push_back(m_source.tensors.entries()[i].fqn.str());
    std::erase_if(all,
                  [](const ManifestTie& tie) { return tie.parts.empty() || (tie.names.size() < 2 && tie.parts.size() < 2); });
    return all;
}

} // namespace sunder
