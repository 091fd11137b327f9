#include "io/zip_archive_end.h"

#include "support/format.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace sunder {
namespace {

constexpr std::uint64_t kEndSize = 22;
constexpr std::uint64_t kEnd64Size = 56;
constexpr std::uint64_t kLocatorSize = 20;
constexpr std::uint64_t kEntrySize = 46;
constexpr std::uint64_t kLongestComment = 0xffff;
constexpr std::uint64_t kLargestDirectory = 1U << 30U;

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
};

/// Reads pieces of a file at any place; what lies beyond its end, or cannot be read, is missing from the piece.
class Pieces {
public:
    explicit Pieces(const SourceFile& file) : m_file(file) {}
    [[nodiscard]] std::uint64_t fileSize() const { return m_file.size(); }

    std::string at(std::uint64_t offset, std::uint64_t length)
    {
        std::string bytes(offset < fileSize() ? std::min(length, fileSize() - offset) : 0, '\0');
        bytes.resize(m_file.read(offset, bytes).value_or(0));
        return bytes;
    }

private:
    const SourceFile& m_file;
};

std::uint64_t little(std::string_view bytes, std::size_t at, unsigned width)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i)
        value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8U * i);
    return value;
}

/// Place of the end record: the last one whose comment reaches the end of the file exactly.
std::optional<std::uint64_t> findEnd(Pieces& file)
{
    const std::uint64_t length = std::min(file.fileSize(), kEndSize + kLongestComment);
    const std::uint64_t start = file.fileSize() - length;
    const std::string tail = file.at(start, length);
    for (std::size_t at = tail.rfind("PK\5\6"); at != std::string::npos && at + kEndSize <= tail.size();) {
        if (at + kEndSize + little(tail, at + 20, 2) == tail.size())
            return start + at;
        if (at == 0)
            break;
        at = tail.rfind("PK\5\6", at - 1);
    }
    return std::nullopt;
}

Directory directoryAt(Pieces& file, std::uint64_t end)
{
    const std::string record = file.at(end, kEndSize);
    Directory directory{little(record, 16, 4), little(record, 12, 4), little(record, 10, 2)};
    if (end < kLocatorSize)
        return directory;
    const std::string locator = file.at(end - kLocatorSize, kLocatorSize);
    if (!locator.starts_with("PK\6\7"))
        return directory;
    const std::string record64 = file.at(little(locator, 8, 8), kEnd64Size);
    if (record64.size() == kEnd64Size && record64.starts_with("PK\6\6"))
        directory = {little(record64, 48, 8), little(record64, 40, 8), little(record64, 32, 8)};
    return directory;
}

/// Why a file that does not begin as a zip archive is not one.
std::string describeOther(std::string_view head)
{
    if (head.empty())
        return "is empty";
    if (head.starts_with("version https://git-lfs"))
        return "is a Git LFS pointer, not the file itself: fetch it with \"git lfs pull\"";
    if (std::string_view("PK\3\4").starts_with(head.substr(0, 4)))
        return "is truncated: it ends after " + formatCount(head.size(), "byte");
    return "is not a zip archive";
}

Result<void> walk(const std::string& path, std::string_view bytes, std::uint64_t count)
{
    std::uint64_t at = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        if (bytes.size() - at < kEntrySize || bytes.substr(at, 4) != "PK\1\2")
            return fail(ErrorCode::malformed,
                        "is damaged: its directory says that it holds " + formatCount(count, "member") +
                            ", the entry of number " + formatCount(i + 1) + " is not there",
                        {.file = path});
        const std::uint64_t nameLength = little(bytes, at + 28, 2);
        const std::uint64_t length = kEntrySize + nameLength + little(bytes, at + 30, 2) + little(bytes, at + 32, 2);
        if (bytes.size() - at < length)
            return fail(ErrorCode::malformed, "is damaged: its directory ends inside an entry", {.file = path});
        const std::string_view name = bytes.substr(at + kEntrySize, nameLength);
        if (name.find('\0') != std::string_view::npos)
            return fail(ErrorCode::malformed, "has a member with a zero byte in its name",
                        {.file = path, .member = std::string(name.substr(0, name.find('\0')))});
        at += length;
    }
    if (at != bytes.size())
        return fail(ErrorCode::malformed, "is damaged: its directory holds more than the members it counts",
                    {.file = path});
    return {};
}

} // namespace

Result<void> checkZipEnd(const SourceFile& source)
{
    const std::string& path = source.path();
    Pieces file(source);
    const std::string head = file.at(0, 64);
    if (!head.starts_with("PK\3\4") && !head.starts_with("PK\5\6"))
        return fail(ErrorCode::malformed, describeOther(head), {.file = path});
    const std::optional<std::uint64_t> end = findEnd(file);
    if (!end)
        return fail(ErrorCode::malformed, "is truncated: the directory that ends a zip archive is missing",
                    {.file = path});
    const Directory directory = directoryAt(file, *end);
    if (directory.offset > *end || directory.size > *end - directory.offset || directory.size > kLargestDirectory)
        return fail(ErrorCode::malformed, "is damaged: its directory lies outside of the file", {.file = path});
    return walk(path, file.at(directory.offset, directory.size), directory.count);
}

} // namespace sunder
