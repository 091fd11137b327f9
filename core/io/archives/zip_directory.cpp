#include "io/archives/zip_directory.h"

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
constexpr std::uint64_t kZip64Id = 1;
constexpr std::uint64_t kFull32 = 0xffffffffU; ///< the value is in the zip64 field
constexpr std::uint64_t kStored = 0;
constexpr std::uint64_t kDeflated = 8;

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
};

/// Reads pieces of a file at any offset. A piece is shorter if it extends beyond the end of the file or cannot be read.
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

/// Offset of the end record: the last one whose comment ends exactly at the end of the file.
std::optional<std::uint64_t> findEnd(Pieces& file)
{
    const std::uint64_t length = std::min(file.fileSize(), kEndSize + kLongestComment);
    const std::uint64_t start = file.fileSize() - length;
    const std::string tail = file.at(start, length);
    for (std::size_t at = tail.rfind("PK\5\6"); at != std::string::npos && at + kEndSize <= tail.size();) {
        if (at + kEndSize + littleEndian(tail, at + 20, 2) == tail.size())
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
    Directory directory{littleEndian(record, 16, 4), littleEndian(record, 12, 4), littleEndian(record, 10, 2)};
    if (end < kLocatorSize)
        return directory;
    const std::string locator = file.at(end - kLocatorSize, kLocatorSize);
    if (!locator.starts_with("PK\6\7"))
        return directory;
    const std::string record64 = file.at(littleEndian(locator, 8, 8), kEnd64Size);
    if (record64.size() == kEnd64Size && record64.starts_with("PK\6\6"))
        directory = {littleEndian(record64, 48, 8), littleEndian(record64, 40, 8), littleEndian(record64, 32, 8)};
    return directory;
}

/// Explains why a file without a zip signature is not an archive.
std::string describeOther(std::string_view head)
{
    if (head.empty())
        return "is empty";
    if (head.starts_with("version https://git-lfs"))
        return "is a Git LFS pointer, not the file itself; fetch it with \"git lfs pull\"";
    if (std::string_view("PK\3\4").starts_with(head.substr(0, 4)))
        return "is truncated: it ends after " + formatCount(head.size(), "byte");
    return "is not a zip archive";
}

/// Reads the 8-byte values of the zip64 extra field, which replace those fields of the entry that have the maximum value.
void readZip64(std::string_view extra, ZipMember& member)
{
    while (extra.size() >= 4) {
        const std::uint64_t id = littleEndian(extra, 0, 2);
        const std::uint64_t length = std::min<std::uint64_t>(littleEndian(extra, 2, 2), extra.size() - 4);
        std::string_view field = extra.substr(4, length);
        extra.remove_prefix(4 + length);
        if (id != kZip64Id)
            continue;
        for (std::uint64_t* value : {&member.size, &member.packedSize, &member.offset}) {
            if (*value != kFull32 || field.size() < 8)
                continue;
            *value = littleEndian(field, 0, 8);
            field.remove_prefix(8);
        }
    }
}

class DirectoryReader {
public:
    DirectoryReader(const std::string& path, std::string_view bytes, const Directory& directory)
        : m_path(path), m_bytes(bytes), m_directory(directory)
    {
    }

    Result<std::vector<ZipMember>> read()
    {
        std::vector<ZipMember> members;
        members.reserve(std::min<std::uint64_t>(m_directory.count, m_bytes.size() / kEntrySize));
        for (std::uint64_t i = 0; i < m_directory.count; ++i) {
            if (m_bytes.size() < kEntrySize || !m_bytes.starts_with("PK\1\2"))
                return damaged("is damaged: its directory should list " + formatCount(m_directory.count, "member")
                               + ", but entry " + formatCount(i + 1) + " is missing");
            SUNDER_TRY(ZipMember member, next());
            members.push_back(std::move(member));
        }
        if (!m_bytes.empty())
            return damaged("is damaged: its directory has more entries than it counts");
        return members;
    }

private:
    Result<ZipMember> next()
    {
        const std::uint64_t nameLength = littleEndian(m_bytes, 28, 2);
        const std::uint64_t extraLength = littleEndian(m_bytes, 30, 2);
        const std::uint64_t length = kEntrySize + nameLength + extraLength + littleEndian(m_bytes, 32, 2);
        if (m_bytes.size() < length)
            return damaged("is damaged: its directory ends in the middle of an entry");
        const std::uint64_t method = littleEndian(m_bytes, 10, 2);
        ZipMember member{.name = std::string(m_bytes.substr(kEntrySize, nameLength)),
                         .size = littleEndian(m_bytes, 24, 4),
                         .packedSize = littleEndian(m_bytes, 20, 4),
                         .offset = littleEndian(m_bytes, 42, 4),
                         .crc = static_cast<std::uint32_t>(littleEndian(m_bytes, 16, 4)),
                         .stored = method == kStored,
                         .readable = method == kStored || method == kDeflated};
        readZip64(m_bytes.substr(kEntrySize + nameLength, extraLength), member);
        const bool isEncrypted = (littleEndian(m_bytes, 8, 2) & 1U) != 0;
        m_bytes.remove_prefix(length);
        if (const std::size_t zero = member.name.find('\0'); zero != std::string::npos)
            return damaged("has a member with a zero byte in its name", member.name.substr(0, zero));
        if (isEncrypted)
            return damaged("has an encrypted member, which cannot be read", member.name);
        if (member.offset > m_directory.offset || member.packedSize > m_directory.offset - member.offset)
            return damaged("has a member outside the file", member.name);
        return member;
    }

    [[nodiscard]] tl::unexpected<Error> damaged(std::string message, std::string member = {}) const
    {
        return fail(ErrorCode::malformed, std::move(message), {.file = m_path, .member = std::move(member)});
    }

    const std::string& m_path;
    std::string_view m_bytes; ///< remaining bytes of the directory
    Directory m_directory;
};

} // namespace

std::uint64_t littleEndian(std::string_view bytes, std::size_t at, unsigned width)
{
    std::uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i)
        value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8U * i);
    return value;
}

Result<std::vector<ZipMember>> readZipDirectory(const SourceFile& source)
{
    const std::string& path = source.path();
    Pieces file(source);
    const std::string head = file.at(0, 64);
    if (!head.starts_with("PK\3\4") && !head.starts_with("PK\5\6"))
        return fail(ErrorCode::malformed, describeOther(head), {.file = path});
    const std::optional<std::uint64_t> end = findEnd(file);
    if (!end)
        return fail(ErrorCode::malformed, "is truncated: the zip directory at its end is missing", {.file = path});
    const Directory directory = directoryAt(file, *end);
    if (directory.offset > *end || directory.size > *end - directory.offset || directory.size > kLargestDirectory)
        return fail(ErrorCode::malformed, "is damaged: its directory is outside the file", {.file = path});
    const std::string bytes = file.at(directory.offset, directory.size);
    return DirectoryReader(path, bytes, directory).read();
}

} // namespace sunder
