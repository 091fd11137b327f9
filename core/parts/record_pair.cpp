#include "parts/record_pair.h"

#include "parts/record_stream.h"

#include <algorithm>
#include <cstring>

namespace sunder {
namespace {

constexpr std::uint64_t kPiece = 1U << 18U;

/// Passes pieces of two equally long ranges to `visit` until it returns false. Pieces consist of whole elements.
template <typename Visit>
Result<void> readBoth(const StorageRecord& a, std::uint64_t beginA, const StorageRecord& b, std::uint64_t beginB,
                      std::uint64_t length, ComparisonProgress& progress, const Visit& visit)
{
    Result<ZipMemberStream> first = openRecord(a, beginA);
    Result<ZipMemberStream> second = openRecord(b, beginB);
    if (!first || !second)
        return first ? forward(second) : forward(first);
    std::vector<char> pieceA(std::min(kPiece, length));
    std::vector<char> pieceB(pieceA.size());
    for (std::uint64_t done = 0; done < length;) {
        if (!progress.advance(pieceA.size()))
            return fail(ErrorCode::cancelled, "cancelled while comparing weights");
        const std::size_t wanted = std::min<std::uint64_t>(pieceA.size(), length - done);
        const Result<std::size_t> countA = readFully(*first, std::span(pieceA).first(wanted));
        const Result<std::size_t> countB = readFully(*second, std::span(pieceB).first(wanted));
        if (!countA || !countB)
            return countA ? forward(countB) : forward(countA);
        const std::size_t count = std::min(*countA, *countB);
        if (count == 0 || !visit(done, std::span(pieceA).first(count), std::span(pieceB).first(count)))
            return {};
        done += count;
    }
    for (ZipMemberStream* stream : {&*first, &*second})
        if (const Result<void> checked = checkEnd(*stream); !checked)
            return checked;
    return {};
}

Result<std::string> readWindow(const StorageRecord& record, const StridedWindow& window)
{
    SUNDER_TRY(ZipMemberStream stream, openRecord(record, window.begin()));
    std::string bytes(window.length(), '\0');
    const Result<std::size_t> count = readFully(stream, bytes);
    return count ? Result<std::string>(std::move(bytes)) : forward(count);
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
    const Result<void> read = readBoth(a, windowA.begin(), b, windowB.begin(), windowA.length(), progress, look);
    return read ? Result<std::optional<ElementDifference>>(std::move(found)) : forward(read);
}

} // namespace

bool ComparisonProgress::advance(std::uint64_t bytes)
{
    done += bytes;
    monitor.report(all == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all)), "comparing contents");
    return !monitor.isCancelled();
}

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
    const Result<void> read = readBoth(a, 0, b, 0, a.member->size, progress,
                                       [&same](std::uint64_t, std::span<const char> first, std::span<const char> second) {
                                           return same = std::ranges::equal(first, second);
                                       });
    return read ? Result<bool>(same) : forward(read);
}

Result<std::optional<ElementDifference>> firstDifference(const StorageRecord& a, const StridedWindow& windowA,
                                                         const StorageRecord& b, const StridedWindow& windowB,
                                                         ComparisonProgress& progress)
{
    if (windowA.liesAs(windowB))
        return firstOfAlike(a, windowA, b, windowB, progress);
    const Result<std::string> first = readWindow(a, windowA);
    const Result<std::string> second = readWindow(b, windowB);
    if (!first || !second)
        return first ? forward(second) : forward(first);
    if (!progress.advance(windowA.length()))
        return fail(ErrorCode::cancelled, "cancelled while comparing weights");
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
        const std::string_view one = std::string_view(*first).substr(place * size, size);
        const std::string_view other = std::string_view(*second).substr(places[number] * size, size);
        if (one != other)
            found = ElementDifference{windowA.indexOf(number), std::string(one), std::string(other)};
        ++number;
        return one == other;
    });
    return found;
}

} // namespace sunder
