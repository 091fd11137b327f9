#include "io/archives/zip_writer.h"

#include <algorithm>
#include <zlib.h>

namespace sunder {
namespace {

constexpr std::uint64_t kLargest32 = 0xffffffffU;
constexpr std::uint64_t kAlignment = 64;
constexpr std::uint64_t kLocalHeaderBytes = 30;
constexpr std::uint64_t kZip64Bytes = 20; ///< id, length, and two sizes in a local header
constexpr std::uint16_t kVersion = 45;    ///< 4.5, the first version with zip64
constexpr std::uint16_t kUtf8Names = 0x0800;
constexpr std::uint16_t kDate = 0x0021; ///< 1980-01-01, so that equal programs give equal bytes

void put16(std::string& out, std::uint64_t value)
{
    out += static_cast<char>(value & 0xffU);
    out += static_cast<char>(value >> 8U & 0xffU);
}

void put32(std::string& out, std::uint64_t value)
{
    put16(out, value & 0xffffU);
    put16(out, value >> 16U & 0xffffU);
}

void put64(std::string& out, std::uint64_t value)
{
    put32(out, value & kLargest32);
    put32(out, value >> 32U);
}

/// Appends the fields that local and central headers have in common, from the version to the sizes.
void putCommon(std::string& out, std::uint32_t crc, std::uint64_t size, std::size_t nameLength, std::size_t extraLength)
{
    put16(out, kVersion);
    put16(out, kUtf8Names);
    put16(out, 0); // stored
    put16(out, 0); // midnight
    put16(out, kDate);
    put32(out, crc);
    put32(out, size);
    put32(out, size);
    put16(out, nameLength);
    put16(out, extraLength);
}

std::uint32_t crcOf(std::span<const char> bytes, std::uint32_t before)
{
    constexpr std::size_t kMax = 1U << 30U; // zlib counts in 32 bits
    for (std::size_t at = 0; at < bytes.size(); at += kMax)
        before = static_cast<std::uint32_t>(crc32(before, reinterpret_cast<const Bytef*>(bytes.data() + at),
                                                  static_cast<uInt>(std::min(kMax, bytes.size() - at))));
    return before;
}

} // namespace

void ZipWriter::write(const std::string& bytes)
{
    m_out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    m_position += bytes.size();
}

void ZipWriter::begin(const std::string& name)
{
    endMember();
    m_members.push_back({.name = name, .offset = m_position});
    writeLocalHeader(m_members.back());
    m_isOpen = true;
    m_given = {};
}

void ZipWriter::begin(const std::string& name, const Known& known)
{
    endMember();
    m_members.push_back({.name = name, .offset = m_position, .size = known.size, .crc = known.crc, .isKnown = true});
    writeLocalHeader(m_members.back());
    m_isOpen = true;
    m_given = {};
}

/// Always reserves space for zip64 sizes, because the size is known only at the end. Pads up to the alignment.
void ZipWriter::writeLocalHeader(const Member& member)
{
    const std::uint64_t fixed = member.offset + kLocalHeaderBytes + member.name.size() + kZip64Bytes + 4;
    const std::uint64_t padding = (kAlignment - fixed % kAlignment) % kAlignment;
    std::string header;
    put32(header, 0x04034b50);
    putCommon(header, member.crc, kLargest32, member.name.size(), kZip64Bytes + 4 + padding);
    header += member.name;
    put16(header, 1);
    put16(header, 16);
    put64(header, member.size);
    put64(header, member.size);
    put16(header, 0x4246); // "FB", PyTorch's own padding field
    put16(header, padding);
    header.append(padding, 'Z');
    write(header);
}

void ZipWriter::append(std::span<const char> bytes)
{
    m_out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    m_position += bytes.size();
    m_given.size += bytes.size();
    m_given.crc = crcOf(bytes, m_given.crc);
}

void ZipWriter::add(const std::string& name, std::string_view content)
{
    const std::span bytes(content.data(), content.size());
    begin(name, {.size = content.size(), .crc = crcOf(bytes, 0)});
    append(bytes);
}

/// Seeks back and writes size and checksum into the header.
void ZipWriter::endMember()
{
    if (!m_isOpen)
        return;
    m_isOpen = false;
    Member& member = m_members.back();
    if (member.isKnown) {
        if (m_given.size != member.size || m_given.crc != member.crc) // the contents differ from the announced ones
            m_out.setstate(std::ios::failbit);
        return;
    }
    member.size = m_given.size;
    member.crc = m_given.crc;
    const std::uint64_t end = m_position;
    m_out.seekp(static_cast<std::streamoff>(member.offset));
    writeLocalHeader(member);
    m_out.seekp(static_cast<std::streamoff>(end));
    m_position = end;
}

void ZipWriter::writeCentralHeader(const Member& member)
{
    const bool isLarge = member.size >= kLargest32 || member.offset >= kLargest32;
    std::string header;
    put32(header, 0x02014b50);
    put16(header, kVersion);
    putCommon(header, member.crc, isLarge ? kLargest32 : member.size, member.name.size(), isLarge ? 28 : 0);
    put16(header, 0); // comment
    put16(header, 0); // disk
    put16(header, 0); // internal attributes
    put32(header, 0); // external attributes
    put32(header, isLarge ? kLargest32 : member.offset);
    header += member.name;
    if (isLarge) {
        put16(header, 1);
        put16(header, 24);
        put64(header, member.size);
        put64(header, member.size);
        put64(header, member.offset);
    }
    write(header);
}

void ZipWriter::writeEnd(std::uint64_t start, std::uint64_t size)
{
    const std::uint64_t count = m_members.size();
    const std::uint64_t zip64 = m_position;
    std::string end;
    if (count >= 0xffff || start >= kLargest32 || size >= kLargest32) {
        put32(end, 0x06064b50);
        put64(end, 44);
        put16(end, kVersion);
        put16(end, kVersion);
        put32(end, 0);
        put32(end, 0);
        put64(end, count);
        put64(end, count);
        put64(end, size);
        put64(end, start);
        put32(end, 0x07064b50);
        put32(end, 0);
        put64(end, zip64);
        put32(end, 1);
    }
    put32(end, 0x06054b50);
    put32(end, 0);
    put16(end, std::min<std::uint64_t>(count, 0xffff));
    put16(end, std::min<std::uint64_t>(count, 0xffff));
    put32(end, std::min(size, kLargest32));
    put32(end, std::min(start, kLargest32));
    put16(end, 0);
    write(end);
}

void ZipWriter::finish()
{
    endMember();
    const std::uint64_t start = m_position;
    for (const Member& member : m_members)
        writeCentralHeader(member);
    writeEnd(start, m_position - start);
}

} // namespace sunder
