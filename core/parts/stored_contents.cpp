#include "parts/stored_contents.h"

#include "parts/element_text.h"
#include "parts/record_pair.h"

#include <algorithm>
#include <map>

namespace sunder {
namespace {

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
            if (m_progress.monitor.isCancelled())
                return fail(ErrorCode::cancelled, "cancelled while comparing weights");
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
        const bool liesAlike = !isKnown || (a->window->liesAs(*b->window) && a->window->begin() == b->window->begin());
        if (liesAlike && (!isKnown || a->window->length() != 0)) {
            SUNDER_TRY(const bool same, sameRecords(a->record, b->record));
            if (same)
                return count(a->entry);
        }
        if (!isKnown) {
            add(pair, "the bytes differ, and their layout in the tensor is unknown", m_report.doubts);
            return {};
        }
        if (!a->window->liesAs(*b->window) && std::max(a->window->length(), b->window->length()) > kMaxRearranged) {
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
