#include "io/archives/zip_member_stream.h"

#include "support/format.h"
#include "support/memory_text.h"

#include <algorithm>
#include <array>
#include <new>
#include <vector>
#include <zlib.h>

namespace sunder {
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
