#include "parts/stored_contents.h"

#include "io/torch_save/storage_archives.h"
#include "parts/elements.h"
#include "parts/stored_elements.h"
#include "support/progress_monitor.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace sunder {
namespace {

/// The first pair of differing elements.
struct ElementDifference {
    std::vector<std::uint64_t> position;
    std::string bytesA;
    std::string bytesB;
};

/// The progress of a comparison, in bytes.
struct ComparisonProgress {
    ProgressMonitor& monitor;
    std::uint64_t all = 0;
    std::uint64_t done = 0;
    /// Fails with ErrorCode::cancelled.
    [[nodiscard]] Result<void> advance(std::uint64_t bytes);
};

constexpr std::uint64_t kPiece = 1U << 18U;

/// Passes pieces of two equally long ranges to `visit` until it returns false. Pieces consist of whole elements.
template <typename Visit>
Result<void> readBoth(const StorageRecord& a, std::uint64_t beginA, const StorageRecord& b, std::uint64_t beginB,
                      std::uint64_t length, ComparisonProgress& progress, const Visit& visit)
{
    SUNDER_TRY(ZipMemberStream first, openRecord(a, beginA));
    SUNDER_TRY(ZipMemberStream second, openRecord(b, beginB));
    std::vector<char> pieceA(std::min(kPiece, length));
    std::vector<char> pieceB(pieceA.size());
    for (std::uint64_t done = 0; done < length;) {
        SUNDER_PROPAGATE(progress.advance(pieceA.size()));
        const std::size_t wanted = std::min<std::uint64_t>(pieceA.size(), length - done);
        SUNDER_TRY(const std::size_t countA, readFully(first, std::span(pieceA).first(wanted)));
        SUNDER_TRY(const std::size_t countB, readFully(second, std::span(pieceB).first(wanted)));
        const std::size_t count = std::min(countA, countB);
        if (count == 0 || !visit(done, std::span(pieceA).first(count), std::span(pieceB).first(count)))
            return {};
        done += count;
    }
    SUNDER_PROPAGATE(checkEnd(first));
    return checkEnd(second);
}

Result<std::string> readWindow(const StorageRecord& record, const StridedWindow& window)
{
    SUNDER_TRY(ZipMemberStream stream, openRecord(record, window.begin()));
    std::string bytes(window.length(), '\0');
    SUNDER_PROPAGATE(readFully(stream, bytes));
    return bytes;
}

Result<std::optional<ElementDifference>> firstOfAlike(const StorageRecord& a, const StridedWindow& windowA,
                                                      const StorageRecord& b, const StridedWindow& windowB,
                                                      ComparisonProgress& progress)
{
    std::optional<ElementDifference> found;
    const std::uint64_t size = windowA.elementSize();
    const auto look = [&](std::uint64_t done, std::span<const char> first, std::span<const char> second) {
        if (std::memcmp(first.data(), second.data(), first.size()) == 0)
            return true;
        for (std::uint64_t at = 0; at + size <= first.size(); at += size) {
            if (std::memcmp(first.data() + at, second.data() + at, size) == 0)
                continue;
            if (std::optional<std::vector<std::uint64_t>> index = windowA.indexAt((done + at) / size)) {
                found = ElementDifference{std::move(*index), std::string(first.data() + at, size),
                                          std::string(second.data() + at, size)};
                return false;
            }
        }
        return true;
    };
    SUNDER_PROPAGATE(readBoth(a, windowA.begin(), b, windowB.begin(), windowA.length(), progress, look));
    return found;
}

Result<void> ComparisonProgress::advance(std::uint64_t bytes)
{
    done += bytes;
    monitor.report(all == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all)), "comparing contents");
    return monitor.check();
}

/// Whether the members that contain two records are equal from beginning to end, regardless of the ranges of the records. Not
/// read if both are in one archive with equal size and CRC. Fails with read errors, and with cancelled.
Result<bool> holdSameBytes(const StorageRecord& a, const StorageRecord& b, ComparisonProgress& progress)
{
    if (a.member->size != b.member->size)
        return false;
    const bool isOneFile = a.archive->file()->isSameAs(*b.archive->file());
    if (isOneFile && (a.member->name == b.member->name || a.member->crc == b.member->crc))
        return true;
    if (a.member->crc != b.member->crc)
        return false;
    bool same = true;
    SUNDER_PROPAGATE(readBoth(a, 0, b, 0, a.member->size, progress,
                              [&same](std::uint64_t, std::span<const char> first, std::span<const char> second) {
                                  return same = std::ranges::equal(first, second);
                              }));
    return same;
}

/// Returns the first pair of elements of two tensors that differ bitwise: first in memory if both have the same layout, otherwise
/// first by index. Windows are within their records and relative to them.
Result<std::optional<ElementDifference>> firstDifference(const StorageRecord& a, const StridedWindow& windowA,
                                                         const StorageRecord& b, const StridedWindow& windowB,
                                                         ComparisonProgress& progress)
{
    if (windowA.hasLayoutOf(windowB))
        return firstOfAlike(a, windowA, b, windowB, progress);
    SUNDER_TRY(const std::string first, readWindow(a, windowA));
    SUNDER_TRY(const std::string second, readWindow(b, windowB));
    SUNDER_PROPAGATE(progress.advance(windowA.length()));
    const std::uint64_t size = windowA.elementSize();
    std::vector<std::uint64_t> places;
    places.reserve(windowB.elementCount());
    windowB.forEach([&](std::uint64_t place) {
        places.push_back(place);
        return true;
    });
    std::optional<ElementDifference> found;
    std::uint64_t number = 0;
    windowA.forEach([&](std::uint64_t place) {
        const std::string_view one = std::string_view(first).substr(place * size, size);
        const std::string_view other = std::string_view(second).substr(places[number] * size, size);
        if (one != other)
            found = ElementDifference{windowA.indexOf(number), std::string(one), std::string(other)};
        ++number;
        return one == other;
    });
    return found;
}

constexpr std::uint64_t kMaxRearranged = 2ULL << 30U;
constexpr const char* kPickled = R"({"use_pickle":true})";

/// A tensor and the location of its bytes.
struct Stored {
    const TensorEntry& entry; ///< of the object
    std::optional<StridedWindow> window;
    StorageRecord record;
};

class Comparer {
public:
    Comparer(const Program& a, const Program& b, ComparedBytes bytes, ProgressMonitor& monitor)
        : m_a(a), m_b(b), m_bytes(bytes), m_archivesA(a, monitor), m_archivesB(b, monitor), m_progress{monitor}
    {
    }

    Result<ContentsReport> run(std::span<const TensorPair> pairs)
    {
        for (const TensorPair& pair : pairs)
            m_progress.all += byteSize(m_a.tensors[m_a.tensors.object(pair.a)].meta).value_or(0);
        for (const TensorPair& pair : pairs) {
            SUNDER_PROPAGATE(m_progress.monitor.check());
            SUNDER_PROPAGATE(compare(pair));
            if (m_report.difference)
                break;
        }
        return std::move(m_report);
    }

private:
    /// The reason why the contents of a tensor are unknown.
    struct Unknown {
        std::string why;
        bool isUnstated = false; ///< the file does not state where the bytes are
        std::optional<Error> error = {}; ///< fails the comparison: names prove nothing if the model changed after it was read
    };

    static tl::expected<Stored, Unknown> find(const Program& program, StorageArchives& archives, TensorId id)
    {
        const TensorEntry& entry = program.tensors[program.tensors.object(id)];
        const ProgramOrigin& origin = program.origin;
        const std::string file = origin.file.empty() ? "one file" : origin.file;
        if (!entry.storage.isValid() || !program.tensors[entry.storage].hasPlace())
            return tl::unexpected<Unknown>(
                {.why = file
                     + (origin.format == "exported-program json" ? " holds no weights"
                                                                 : " does not record where the weights are stored"),
                 .isUnstated = true});
        const Result<StorageRecord> record = archives.find(program.tensors[entry.storage]);
        if (!record && origin.format == "pt2" && record.error().code != ErrorCode::malformed)
            return tl::unexpected<Unknown>({.error = record.error()});
        if (!record)
            return tl::unexpected<Unknown>({.why = record.error().where.file + " " + record.error().message});
        if (!record->isIdentified)
            return tl::unexpected<Unknown>({.why = file + " has no checksum for " + record->archive->path()});
        return Stored{entry, StridedWindow::of(entry.meta), *record};
    }

    Result<void> compare(const TensorPair& pair)
    {
        const auto a = find(m_a, m_archivesA, pair.a);
        const auto b = find(m_b, m_archivesB, pair.b);
        if (!a || !b) {
            const Unknown& unknown = a ? b.error() : a.error();
            if (unknown.error)
                return tl::unexpected<Error>(*unknown.error);
            const bool isUnstated = !a && !b && a.error().isUnstated && b.error().isUnstated;
            add(pair, unknown.why, isUnstated ? m_report.taken : m_report.doubts);
            return {};
        }
        const bool isPickled = a->entry.extra.view() == kPickled || b->entry.extra.view() == kPickled;
        const bool isKnown = a->window && b->window && !isPickled;
        if (isKnown && (ends(*a) > a->record.size || ends(*b) > b->record.size))
            return fail(ErrorCode::malformed, "has a tensor that extends beyond its record",
                        {.file = m_a.origin.file, .member = a->record.member->name});
        const bool isLaidOutEqually = !isKnown
            || (a->window->hasLayoutOf(*b->window) && a->window->begin() == b->window->begin());
        if (isLaidOutEqually && (!isKnown || a->window->length() != 0)) {
            SUNDER_TRY(const bool same, sameRecords(a->record, b->record));
            if (same)
                return count(a->entry);
        }
        if (!isKnown) {
            add(pair, "the bytes differ, and their layout in the tensor is unknown", m_report.doubts);
            return {};
        }
        if (!a->window->hasLayoutOf(*b->window) && std::max(a->window->length(), b->window->length()) > kMaxRearranged) {
            add(pair, "the memory layouts differ, and the tensors are too large to reorder", m_report.doubts);
            return {};
        }
        if (const Result<void> compared = compareElements(pair, *a, *b); !compared || m_report.difference)
            return compared;
        if (m_bytes == ComparedBytes::memories)
            add(pair, "a call may access the surrounding memory, whose bytes differ", m_report.doubts);
        return {};
    }

    Result<void> compareElements(const TensorPair& pair, const Stored& a, const Stored& b)
    {
        SUNDER_TRY(const std::optional<ElementDifference> found,
                   firstDifference(a.record, *a.window, b.record, *b.window, m_progress));
        if (!found)
            return count(a.entry);
        const ElementDifference& element = *found;
        std::string first = elementText(a.entry.meta.dtype.view(), element.bytesA);
        std::string second = elementText(b.entry.meta.dtype.view(), element.bytesB);
        if (first == second) {
            first += " (" + bitsText(element.bytesA) + ")";
            second += " (" + bitsText(element.bytesB) + ")";
        }
        m_report.difference = ContentsDifference{pair, element.position, std::move(first), std::move(second)};
        return {};
    }

    static std::uint64_t ends(const Stored& stored)
    {
        return stored.window->length() == 0 ? 0 : stored.window->begin() + stored.window->length();
    }

    /// Whether the records are the same range of equal members. Members that contain several tensors are compared once.
    Result<bool> sameRecords(const StorageRecord& a, const StorageRecord& b)
    {
        if (a.begin != b.begin || a.size != b.size)
            return false;
        const auto [known, isNew] = m_sameRecords.try_emplace({a.member, b.member}, false);
        if (!isNew)
            return known->second;
        const Result<bool> same = holdSameBytes(a, b, m_progress);
        if (same)
            known->second = *same;
        return same;
    }

    Result<void> count(const TensorEntry& entry)
    {
        ++m_report.tensors;
        m_report.bytes += byteSize(entry.meta).value_or(0);
        return {};
    }

    void add(const TensorPair& pair, const std::string& why, std::vector<TakenNames>& list)
    {
        auto known = std::ranges::find(list, why, &TakenNames::why);
        if (known == list.end())
            known = list.insert(known, {.why = why, .names = {}});
        known->names.push_back(m_a.tensors[pair.a].fqn.str());
    }

    const Program& m_a;
    const Program& m_b;
    ComparedBytes m_bytes;
    StorageArchives m_archivesA;
    StorageArchives m_archivesB;
    ComparisonProgress m_progress;
    ContentsReport m_report;
    std::map<std::pair<const ZipMember*, const ZipMember*>, bool> m_sameRecords;
};

} // namespace

Result<ContentsReport> StoredContents::compare(const Program& a, const Program& b, std::span<const TensorPair> pairs,
                                               ComparedBytes bytes, ProgressMonitor& monitor) const
{
    return Comparer(a, b, bytes, monitor).run(pairs);
}

} // namespace sunder
