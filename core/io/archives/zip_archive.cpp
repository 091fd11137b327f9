#include "io/archives/zip_archive.h"

#include "support/format.h"
#include "support/memory_text.h"

#include <algorithm>
#include <array>
#include <new>
#include <vector>
#include <zlib.h>

namespace sunder {
namespace {

/// Repetitive JSON of exported programs compresses to about a fiftieth. Higher ratios are treated as an attack on memory.
constexpr std::uint64_t kPlausibleRatio = 250;
constexpr std::uint64_t kAlwaysPlausible = 4U << 20U;
constexpr std::size_t kMaxMembers = 4'000'000;
constexpr std::size_t kPiece = 1U << 18U;

bool leavesFolder(std::string_view name)
{
    for (std::size_t start = 0; start <= name.size();) {
        const std::size_t end = std::min(name.find_first_of("/\\", start), name.size());
        if (name.substr(start, end - start) == "..")
            return true;
        start = end + 1;
    }
    const bool drive = name.size() > 1 && name[1] == ':';
    return drive || name.starts_with('/') || name.starts_with('\\') || name.find('\\') != std::string_view::npos;
}

} // namespace

tl::unexpected<Error> ZipArchive::damaged(std::string message, std::string member) const
{
    return fail(ErrorCode::malformed, std::move(message), {.file = path(), .member = std::move(member)});
}

Result<ZipArchive> ZipArchive::open(const std::string& path)
{
    SUNDER_TRY(std::shared_ptr<const SourceFile> file, SourceFile::open(path));
    return open(std::move(file));
}

Result<ZipArchive> ZipArchive::open(std::shared_ptr<const SourceFile> file)
{
    ZipArchive archive;
    archive.m_file = std::move(file);
    SUNDER_PROPAGATE(archive.m_file->checkUnchanged());
    SUNDER_TRY(std::vector<ZipMember> members, readZipDirectory(*archive.m_file));
    archive.m_members = std::move(members);
    SUNDER_PROPAGATE(archive.checkNames());
    SUNDER_PROPAGATE(archive.checkSameMembers());
    return archive;
}

Result<void> ZipArchive::checkSameMembers() const
{
    std::vector<MemberMark> marks;
    marks.reserve(m_members.size());
    for (const ZipMember& member : m_members)
        marks.push_back({.name = member.name, .size = member.size, .crc = member.crc});
    return m_file->checkMembers(std::move(marks));
}

Result<void> ZipArchive::checkNames()
{
    if (m_members.size() > kMaxMembers)
        return damaged("holds " + formatCount(m_members.size(), "member") + ", more than " + formatCount(kMaxMembers));
    m_byName.reserve(m_members.size());
    for (std::size_t i = 0; i < m_members.size(); ++i) {
        const std::string& name = m_members[i].name;
        if (name.empty())
            return damaged("has a member without a name");
        if (leavesFolder(name))
            return damaged("has a member whose path leaves the archive: \"" + name + "\"");
        if (!m_byName.emplace(name, i).second)
            return damaged("has a duplicate member", name);
    }
    return {};
}

const ZipMember* ZipArchive::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_members[found->second];
}

std::string ZipArchive::commonRoot() const
{
    if (m_members.empty())
        return {};
    const std::string& first = m_members.front().name;
    const std::size_t slash = first.find('/');
    if (slash == std::string::npos)
        return {};
    const std::string root = first.substr(0, slash + 1);
    const bool shared = std::all_of(m_members.begin(), m_members.end(),
                                    [&](const ZipMember& member) { return member.name.starts_with(root); });
    return shared ? root : std::string();
}

Result<ZipMemberStream> ZipArchive::openMember(std::string_view name) const
{
    const auto found = m_byName.find(name);
    if (found == m_byName.end())
        return damaged("lacks a referenced member", std::string(name));
    const ZipMember& member = m_members[found->second];
    if (!member.readable)
        return damaged("has a member with an unsupported compression method (neither stored nor deflated)", member.name);
    if (member.stored && member.size != member.packedSize)
        return damaged("has an uncompressed member whose two sizes differ", member.name);
    if (member.size > kAlwaysPlausible && member.size / kPlausibleRatio > member.packedSize)
        return damaged("has a member that would unpack from " + formatBytes(member.packedSize) + " to " + formatBytes(member.size)
                           + ", which is not plausible",
                       member.name);
    return ZipMemberStream::open(m_file, member);
}

Result<ZipArchive> ZipArchive::openArchive(std::string_view name) const
{
    SUNDER_TRY(const ZipMemberStream stream, openMember(name));
    if (!stream.member().stored)
        return fail(ErrorCode::unsupported, "contains a compressed archive, which cannot be read",
                    {.file = path(), .member = std::string(name)});
    Result<ZipArchive> inner = open(SourceFile::stretch(m_file, stream.dataOffset(), stream.member().size));
    if (inner)
        return inner;
    Error error = inner.error();
    error.where.member = std::string(name) + (error.where.member.empty() ? "" : "/" + error.where.member);
    return tl::unexpected<Error>(std::move(error));
}

Result<void> ZipArchive::copyMember(std::string_view name, const std::function<bool(std::span<const char>)>& sink) const
{
    SUNDER_TRY(ZipMemberStream stream, openMember(name));
    std::vector<char> piece(std::min<std::uint64_t>(kPiece, stream.member().size + 1));
    for (;;) {
        SUNDER_TRY(const std::size_t count, stream.read(piece));
        if (count == 0 || !sink(std::span<const char>(piece).first(count)))
            return {};
    }
}

Result<std::string> ZipArchive::readMember(std::string_view name, std::uint64_t limit) const
{
    if (const ZipMember* member = find(name); member != nullptr && member->size > limit)
        return damaged("has a member that is too large: " + formatBytes(member->size) + "; the limit is " + formatBytes(limit),
                       member->name);
    std::string bytes;
    SUNDER_PROPAGATE(copyMember(name, [&bytes](std::span<const char> piece) {
        bytes.append(piece.data(), piece.size());
        return true;
    }));
    return bytes;
}

namespace {

constexpr std::size_t kLocalHeaderSize = 30;
constexpr std::size_t kPackedPiece = 1U << 16U;
constexpr std::size_t kMaxAtOnce = 1U << 30U; ///< zlib counts in 32 bits

} // namespace

/// zlib's state and the compressed bytes read but not yet processed.
struct ZipMemberStream::Inflater {
    Inflater() : packed(kPackedPiece)
    {
        if (inflateInit2(&zip, -MAX_WBITS) != Z_OK)
            throw std::bad_alloc();
    }
    ~Inflater() { inflateEnd(&zip); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    z_stream zip{};
    std::vector<char> packed;
    bool isDone = false;
};

Result<ZipMemberStream> ZipMemberStream::open(std::shared_ptr<const SourceFile> file, const ZipMember& member)
{
    ZipMemberStream stream;
    stream.m_file = std::move(file);
    stream.m_member = member;
    SUNDER_PROPAGATE(stream.findData());
    if (!member.stored)
        stream.m_inflater = std::make_shared<Inflater>();
    return stream;
}

Result<void> ZipMemberStream::findData()
{
    std::array<char, kLocalHeaderSize> header{};
    SUNDER_TRY(const std::size_t count, m_file->read(m_member.offset, header));
    const std::string_view bytes(header.data(), count);
    if (bytes.size() < kLocalHeaderSize || !bytes.starts_with("PK\3\4"))
        return damaged("has a member that is not at its recorded offset");
    m_data = m_member.offset + kLocalHeaderSize + littleEndian(bytes, 26, 2) + littleEndian(bytes, 28, 2);
    if (m_data > m_file->size() || m_member.packedSize > m_file->size() - m_data)
        return damaged("has a member that extends beyond the end of the file");
    return {};
}

tl::unexpected<Error> ZipMemberStream::damaged(const std::string& message) const
{
    return fail(ErrorCode::malformed, message, {.file = m_file->path(), .member = m_member.name});
}

Result<std::size_t> ZipMemberStream::read(std::span<char> buffer)
{
    buffer = buffer.first(std::min(buffer.size(), kMaxAtOnce));
    const Result<std::size_t> count = m_inflater ? inflate(buffer) : readStored(buffer);
    if (!count)
        return count;
    m_position += *count;
    m_crc = static_cast<std::uint32_t>(crc32(m_crc, reinterpret_cast<const Bytef*>(buffer.data()), static_cast<uInt>(*count)));
    if (m_position > m_member.size)
        return damaged("has a member that is longer than its recorded size (" + formatBytes(m_member.size) + ")");
    if (*count > 0 || buffer.empty())
        return count;
    if (m_position < m_member.size)
        return damaged("has a member that ends after " + formatBytesBeside(m_position, m_member.size) + " instead of "
                       + formatBytesBeside(m_member.size, m_position));
    if (m_crc != m_member.crc && !m_hasGaps)
        return damaged("has a damaged member: its CRC does not match");
    return count;
}

Result<void> ZipMemberStream::skip(std::uint64_t bytes)
{
    bytes = std::min(bytes, m_member.size - m_position);
    if (!m_inflater && bytes > 0) {
        m_packedPosition += bytes;
        m_position += bytes;
        m_hasGaps = true;
        return {};
    }
    std::vector<char> piece(std::min<std::uint64_t>(kPackedPiece, bytes));
    while (bytes > 0) {
        SUNDER_TRY(const std::size_t count, read(std::span(piece).first(std::min<std::uint64_t>(piece.size(), bytes))));
        if (count == 0)
            break;
        bytes -= count;
    }
    return {};
}

Result<std::size_t> ZipMemberStream::readPacked(std::span<char> buffer)
{
    const std::uint64_t left = m_member.packedSize - m_packedPosition;
    const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), left));
    const Result<std::size_t> count = m_file->read(m_data + m_packedPosition, buffer.first(wanted));
    if (!count)
        return count;
    if (*count < wanted)
        return damaged("has a member that extends beyond the end of the file");
    m_packedPosition += wanted;
    return wanted;
}

Result<std::size_t> ZipMemberStream::readStored(std::span<char> buffer)
{
    return readPacked(buffer);
}

Result<std::size_t> ZipMemberStream::inflate(std::span<char> buffer)
{
    z_stream& zip = m_inflater->zip;
    zip.next_out = reinterpret_cast<Bytef*>(buffer.data());
    zip.avail_out = static_cast<uInt>(buffer.size());
    while (zip.avail_out > 0 && !m_inflater->isDone) {
        if (zip.avail_in == 0) {
            const Result<std::size_t> count = readPacked(m_inflater->packed);
            if (!count)
                return count;
            zip.next_in = reinterpret_cast<Bytef*>(m_inflater->packed.data());
            zip.avail_in = static_cast<uInt>(*count);
        }
        const int status = ::inflate(&zip, Z_NO_FLUSH);
        m_inflater->isDone = status == Z_STREAM_END;
        if (status == Z_BUF_ERROR && zip.avail_in == 0)
            break; // the compressed data is truncated; read() reports it
        if (status != Z_OK && status != Z_STREAM_END)
            return damaged(std::string("has a damaged member: ") + (zip.msg != nullptr ? zip.msg : "it cannot be decompressed"));
    }
    return buffer.size() - zip.avail_out;
}

} // namespace sunder
