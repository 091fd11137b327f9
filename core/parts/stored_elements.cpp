#include "parts/stored_elements.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace sunder {
namespace {

constexpr std::uint64_t kStretch = 1U << 18U;      ///< bytes per read
constexpr std::size_t kBlockElements = 1U << 22U; ///< elements per sorted block
constexpr std::uint64_t kMaxStretches = 1U << 20U; ///< maximum for counting sort
constexpr std::string_view kPickledPayload = R"({"use_pickle":true})";

/// Reads elements of a record at mostly ascending positions, using aligned chunks.
class RecordCursor {
public:
    RecordCursor(const StorageRecord& record, const StridedWindow& window)
        : m_record(record), m_begin(window.begin()), m_length(window.length()), m_size(window.elementSize())
    {
    }

    /// Returns the bytes of the element at a position in the window, counted in elements. Valid until the next call.
    Result<const char*> at(std::uint64_t place, const ByteProgress& progress)
    {
        const std::uint64_t byte = place * m_size;
        if (byte >= m_first && byte + m_size <= m_first + m_filled)
            return m_stretch.data() + (byte - m_first);
        SUNDER_PROPAGATE(progress.check());
        const std::uint64_t next = m_first + m_filled;
        const std::uint64_t first = byte / kStretch * kStretch;
        if (!m_stream || first < next) {
            SUNDER_TRY(ZipMemberStream opened, openRecord(m_record, m_begin + first));
            m_stream.emplace(std::move(opened));
        } else {
            SUNDER_PROPAGATE(m_stream->skip(first - next));
        }
        m_stretch.resize(std::min(kStretch, m_length - first));
        SUNDER_TRY(const std::size_t count, readFully(*m_stream, m_stretch));
        m_first = first;
        m_filled = count;
        if (m_filled < byte - first + m_size)
            return fail(ErrorCode::malformed, "ends before the weights do",
                        {.file = m_record.archive->path(), .member = m_record.member->name});
        SUNDER_PROPAGATE(checkEnd(*m_stream));
        return m_stretch.data() + (byte - first);
    }

private:
    const StorageRecord& m_record;
    std::uint64_t m_begin;
    std::uint64_t m_length;
    std::uint64_t m_size;
    std::optional<ZipMemberStream> m_stream;
    std::vector<char> m_stretch;
    std::uint64_t m_first = 0;  ///< offset of the chunk in the window, in bytes
    std::uint64_t m_filled = 0; ///< its size in bytes
};

/// Gathers elements that are not in memory order, in blocks of a few million.
class Gathering {
public:
    Gathering(const StoredTensor& tensor, const StridedWindow& window, ByteProgress& progress, const ElementSink& sink)
        : m_window(window), m_progress(progress), m_sink(sink), m_cursor(tensor.record, window)
    {
    }

    Result<void> run()
    {
        Result<void> done = {};
        m_window.forEach([&](std::uint64_t place) {
            m_places.push_back(place);
            if (m_places.size() == kBlockElements)
                done = flush();
            return done.has_value();
        });
        return done ? flush() : done;
    }

private:
    Result<void> flush()
    {
        const std::size_t size = m_window.elementSize();
        m_elements.resize(m_places.size() * size);
        m_order.clear();
        if (!std::ranges::is_sorted(m_places))
            sortByStretches();
        for (std::size_t i = 0; i < m_places.size(); ++i) {
            const std::size_t number = m_order.empty() ? i : m_order[i];
            SUNDER_TRY(const char* const element, m_cursor.at(m_places[number], m_progress));
            std::memcpy(m_elements.data() + number * size, element, size);
        }
        m_places.clear();
        SUNDER_PROPAGATE(m_progress.add(m_elements.size()));
        return m_sink(m_elements);
    }

    /// Sorts positions by chunk. Order within a chunk does not matter, because it is in memory completely.
    void sortByStretches()
    {
        const std::size_t size = m_window.elementSize();
        const auto stretchOf = [&](std::uint64_t place) { return place * size / kStretch; };
        m_order.resize(m_places.size());
        if (m_window.length() / kStretch >= kMaxStretches) {
            std::iota(m_order.begin(), m_order.end(), 0U);
            std::ranges::sort(m_order, {}, [this](std::uint32_t number) { return m_places[number]; });
            return;
        }
        std::vector<std::uint32_t> begins(m_window.length() / kStretch + 2, 0);
        for (const std::uint64_t place : m_places)
            ++begins[stretchOf(place) + 1];
        std::partial_sum(begins.begin(), begins.end(), begins.begin());
        for (std::uint32_t number = 0; number < m_places.size(); ++number)
            m_order[begins[stretchOf(m_places[number])]++] = number;
    }

    const StridedWindow& m_window;
    ByteProgress& m_progress;
    const ElementSink& m_sink;
    RecordCursor m_cursor;
    std::vector<std::uint64_t> m_places;
    std::vector<std::uint32_t> m_order; ///< indices into m_places, ordered by chunk; empty if the positions ascend
    std::vector<char> m_elements;
};

Result<void> readInOrder(const StoredTensor& tensor, const StridedWindow& window, ByteProgress& progress, const ElementSink& sink)
{
    SUNDER_TRY(ZipMemberStream stream, openRecord(tensor.record, window.begin()));
    std::vector<char> stretch(std::min(kStretch, window.length()));
    for (std::uint64_t left = window.length(); left > 0;) {
        SUNDER_PROPAGATE(progress.check());
        const std::span<char> wanted = std::span(stretch).first(std::min<std::uint64_t>(stretch.size(), left));
        SUNDER_TRY(const std::size_t count, readFully(stream, wanted));
        if (count < wanted.size())
            return fail(ErrorCode::malformed, "ends before the weights do",
                        {.file = tensor.record.archive->path(), .member = tensor.record.member->name});
        left -= count;
        SUNDER_PROPAGATE(progress.add(count));
        SUNDER_PROPAGATE(sink(wanted));
    }
    return checkEnd(stream);
}

std::optional<std::uint64_t> number(const Argument& value)
{
    if (!value.is(ArgumentKind::integer) || value.asInteger() < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(value.asInteger());
}

} // namespace

Result<StoredTensor> findStoredTensor(const Program& program, StorageArchives& archives, TensorId id)
{
    const TensorId object = program.tensors.object(id);
    const TensorEntry& entry = program.tensors[object];
    const std::string name = program.tensors[id].fqn.str();
    const std::string& file = program.origin.file;
    if (!entry.storage.isValid() || !program.tensors[entry.storage].hasPlace())
        return fail(ErrorCode::refused, "does not record where the bytes of " + name + " are", {.file = file});
    if (entry.extra.view() == kPickledPayload)
        return fail(ErrorCode::unsupported, "stores " + name + " as a pickle, which is not supported", {.file = file});
    const std::optional<StridedWindow> window = StridedWindow::of(entry.meta);
    if (!window)
        return fail(ErrorCode::unsupported,
                    "has no plain shape, strides, and dtype for " + name + " (" + describe(entry.meta) + ")", {.file = file});
    SUNDER_TRY(const StorageRecord record, archives.find(program.tensors[entry.storage]));
    if (window->length() != 0 && window->begin() + window->length() > record.size)
        return fail(ErrorCode::malformed, "has a tensor, " + name + ", that extends beyond its record",
                    {.file = file, .member = record.member->name});
    StoredTensor found{object, *window, record, {}};
    if (!record.isIdentified)
        found.note = file + " has no checksum for " + record.archive->path() + ", so its weights may be those of another file";
    return found;
}

Result<void> readElements(const StoredTensor& tensor, const StridedWindow& window, ByteProgress& progress,
                          const ElementSink& sink)
{
    if (window.elementCount() == 0)
        return {};
    return window.isContiguous() ? readInOrder(tensor, window, progress, sink) : Gathering(tensor, window, progress, sink).run();
}

std::optional<StridedWindow> StridedWindow::of(const TensorMeta& meta)
{
    StridedWindow window;
    const std::optional<std::uint64_t> size = sunder::elementSize(meta.dtype.view());
    const bool isStrided = meta.layout.empty() || meta.layout.view() == "strided";
    const std::optional<std::uint64_t> offset = meta.offset ? number(*meta.offset) : 0;
    if (!size || *size == 0 || !isStrided || !offset || (meta.stride && meta.stride->size() != meta.shape.size()))
        return std::nullopt;
    window.m_elementSize = *size;
    for (const Argument& given : meta.shape) {
        const std::optional<std::uint64_t> known = number(given);
        if (!known || __builtin_mul_overflow(window.m_count, *known, &window.m_count))
            return std::nullopt;
        window.m_sizes.push_back(*known);
    }
    window.m_strides.resize(window.m_sizes.size());
    std::uint64_t contiguous = 1;
    std::uint64_t last = 0;
    for (std::size_t d = window.m_sizes.size(); d-- > 0;) {
        const std::optional<std::uint64_t> stride = meta.stride ? number((*meta.stride)[d]) : contiguous;
        if (!stride)
            return std::nullopt;
        contiguous *= std::max<std::uint64_t>(window.m_sizes[d], 1);
        if (window.m_sizes[d] < 2)
            continue;
        window.m_strides[d] = *stride;
        std::uint64_t reach = 0;
        if (__builtin_mul_overflow(*stride, window.m_sizes[d] - 1, &reach) || __builtin_add_overflow(last, reach, &last))
            return std::nullopt;
    }
    std::uint64_t end = 0;
    if (__builtin_mul_overflow(*offset, *size, &window.m_begin) || __builtin_mul_overflow(last + 1, *size, &window.m_length)
        || __builtin_add_overflow(window.m_begin, window.m_length, &end) || end >> 62U != 0)
        return std::nullopt;
    if (window.m_count == 0)
        window.m_length = 0;
    return window;
}

bool StridedWindow::isContiguous() const
{
    std::uint64_t expected = 1;
    for (std::size_t d = m_sizes.size(); d-- > 0;) {
        if (m_sizes[d] > 1 && m_strides[d] != expected)
            return false;
        expected *= m_sizes[d];
    }
    return true;
}

StridedWindow StridedWindow::inMemoryOrder() const
{
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < m_sizes.size(); ++d)
        if (m_strides[d] != 0)
            order.push_back(d);
    std::ranges::stable_sort(order, std::ranges::greater(), [this](std::size_t d) { return m_strides[d]; });
    StridedWindow ordered = *this;
    ordered.m_sizes.clear();
    ordered.m_strides.clear();
    ordered.m_count = m_count == 0 ? 0 : 1;
    for (const std::size_t d : order) {
        ordered.m_sizes.push_back(m_sizes[d]);
        ordered.m_strides.push_back(m_strides[d]);
        ordered.m_count *= m_sizes[d];
    }
    return ordered;
}

bool StridedWindow::hasLayoutOf(const StridedWindow& other) const
{
    return m_elementSize == other.m_elementSize && m_sizes == other.m_sizes && m_strides == other.m_strides;
}

std::vector<std::uint64_t> StridedWindow::indexOf(std::uint64_t number) const
{
    std::vector<std::uint64_t> index(m_sizes.size());
    for (std::size_t d = m_sizes.size(); d-- > 0;) {
        index[d] = number % m_sizes[d];
        number /= m_sizes[d];
    }
    return index;
}

std::optional<std::vector<std::uint64_t>> StridedWindow::indexAt(std::uint64_t place) const
{
    // Widest strides first: the rest must be in reach of the narrower ones.
    std::vector<std::size_t> order;
    for (std::size_t d = 0; d < m_sizes.size(); ++d)
        if (m_strides[d] != 0)
            order.push_back(d);
    std::ranges::stable_sort(order, std::ranges::greater(), [this](std::size_t d) { return m_strides[d]; });
    std::vector<std::uint64_t> reach(order.size() + 1, 0);
    for (std::size_t i = order.size(); i-- > 0;)
        reach[i] = reach[i + 1] + m_strides[order[i]] * (m_sizes[order[i]] - 1);
    std::vector<std::uint64_t> index(m_sizes.size(), 0);
    const auto search = [&](const auto& self, std::size_t i, std::uint64_t rest) -> bool {
        if (i == order.size())
            return rest == 0;
        const std::uint64_t stride = m_strides[order[i]];
        const std::uint64_t lowest = rest > reach[i + 1] ? (rest - reach[i + 1] + stride - 1) / stride : 0;
        const std::uint64_t highest = std::min(rest / stride, m_sizes[order[i]] - 1);
        for (std::uint64_t at = lowest; at <= highest; ++at) {
            index[order[i]] = at;
            if (self(self, i + 1, rest - at * stride))
                return true;
        }
        return false;
    };
    return m_count != 0 && search(search, 0, place) ? std::optional(index) : std::nullopt;
}

Result<ZipMemberStream> openRecord(const StorageRecord& record, std::uint64_t begin)
{
    Result<ZipMemberStream> stream = record.archive->openMember(record.member->name);
    if (stream)
        SUNDER_PROPAGATE(stream->skip(record.begin + begin));
    return stream;
}

Result<std::size_t> readFully(ZipMemberStream& stream, std::span<char> buffer)
{
    std::size_t filled = 0;
    while (filled < buffer.size()) {
        const Result<std::size_t> count = stream.read(buffer.subspan(filled));
        if (!count)
            return count;
        if (*count == 0)
            break;
        filled += *count;
    }
    return filled;
}

Result<void> checkEnd(ZipMemberStream& stream)
{
    char more = 0;
    if (stream.position() == stream.member().size)
        SUNDER_PROPAGATE(stream.read({&more, 1}));
    return {};
}

} // namespace sunder
