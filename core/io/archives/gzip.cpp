#include "io/archives/gzip.h"

#include "support/format.h"

#include <array>
#include <zlib.h>

namespace sunder {
namespace {

constexpr int kGzipWindow = 15 + 16; ///< zlib's windowBits for gzip data with the maximum window
constexpr std::uint64_t kFreeBytes = 64ULL << 20U;
constexpr std::uint64_t kMaxExpansion = 400;

} // namespace

bool isGzip(std::string_view bytes)
{
    return bytes.starts_with("\x1f\x8b");
}

struct GunzipStream::State {
    z_stream zip{};
    std::uint64_t packed = 0;
    std::uint64_t unpacked = 0;
    bool isBetweenMembers = false;
};

GunzipStream::GunzipStream() : m_state(std::make_unique<State>())
{
    inflateInit2(&m_state->zip, kGzipWindow);
}

GunzipStream::~GunzipStream()
{
    inflateEnd(&m_state->zip);
}

bool GunzipStream::isComplete() const
{
    return m_state->isBetweenMembers;
}

Result<void> GunzipStream::unpack(std::string_view packed, std::string& out)
{
    std::array<char, 1 << 16> buffer;
    z_stream& zip = m_state->zip;
    zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    zip.avail_in = static_cast<uInt>(packed.size());
    m_state->packed += packed.size();
    while (zip.avail_in > 0) {
        if (m_state->isBetweenMembers)
            inflateReset(&zip);
        m_state->isBetweenMembers = false;
        zip.next_out = reinterpret_cast<Bytef*>(buffer.data());
        zip.avail_out = static_cast<uInt>(buffer.size());
        const int status = inflate(&zip, Z_NO_FLUSH);
        if (status != Z_OK && status != Z_STREAM_END)
            return fail(ErrorCode::malformed,
                        std::string("is damaged gzip data: ") + (zip.msg != nullptr ? zip.msg : "unexpected content"));
        const std::size_t made = buffer.size() - zip.avail_out;
        out.append(buffer.data(), made);
        m_state->unpacked += made;
        if (m_state->unpacked > kFreeBytes && m_state->unpacked / kMaxExpansion > m_state->packed)
            return fail(ErrorCode::malformed,
                        "unpacks to more than " + formatBytes(m_state->unpacked) + " from " + formatBytes(m_state->packed)
                            + ", which is not plausible");
        m_state->isBetweenMembers = status == Z_STREAM_END;
    }
    return {};
}

struct GzipStreambuf::State {
    z_stream zip{};
};

GzipStreambuf::GzipStreambuf(std::ostream& out) : m_state(std::make_unique<State>()), m_out(out)
{
    deflateInit2(&m_state->zip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY);
}

GzipStreambuf::~GzipStreambuf()
{
    deflateEnd(&m_state->zip);
}

bool GzipStreambuf::finish()
{
    return pack(nullptr, 0, Z_FINISH);
}

GzipStreambuf::int_type GzipStreambuf::overflow(int_type c)
{
    if (traits_type::eq_int_type(c, traits_type::eof()))
        return traits_type::not_eof(c);
    const char letter = traits_type::to_char_type(c);
    return pack(&letter, 1, Z_NO_FLUSH) ? c : traits_type::eof();
}

std::streamsize GzipStreambuf::xsputn(const char* text, std::streamsize size)
{
    return pack(text, static_cast<std::size_t>(size), Z_NO_FLUSH) ? size : 0;
}

bool GzipStreambuf::pack(const char* text, std::size_t size, int flush)
{
    std::array<char, 1 << 16> buffer;
    z_stream& zip = m_state->zip;
    zip.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text));
    zip.avail_in = static_cast<uInt>(size);
    do {
        zip.next_out = reinterpret_cast<Bytef*>(buffer.data());
        zip.avail_out = static_cast<uInt>(buffer.size());
        deflate(&zip, flush);
        m_out.write(buffer.data(), static_cast<std::streamsize>(buffer.size() - zip.avail_out));
    } while (zip.avail_out == 0 && m_out);
    return static_cast<bool>(m_out);
}

} // namespace sunder
