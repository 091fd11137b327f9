#pragma once

#include "support/result.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace sunder {

/// Decompresses gzip data piece by piece, with constant memory. It uses zlib's inflate instead of gzread(), which treats garbage
/// after a member as its end, opens files only by name, and does not report the number of bytes read.
class GunzipStream final {
public:
    GunzipStream();
    ~GunzipStream();
    GunzipStream(const GunzipStream&) = delete;
    GunzipStream& operator=(const GunzipStream&) = delete;

    /// Decompresses `packed` and appends the result to `out`. Consecutive gzip members form one text. Malformed if the data is
    /// damaged or implausibly large when decompressed (more than 64 MB and more than 400 times its size).
    Result<void> unpack(std::string_view packed, std::string& out);
    /// True if the data so far ends at the end of a gzip member.
    [[nodiscard]] bool isComplete() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// True for data with a gzip header.
bool isGzip(std::string_view bytes);

/// A stream buffer that compresses its input into `out`. The header has no time and no name, so equal texts give equal bytes.
/// finish() writes the end.
class GzipStreambuf final : public std::streambuf {
public:
    explicit GzipStreambuf(std::ostream& out);
    ~GzipStreambuf() override;
    /// False if the end could not be written.
    bool finish();

protected:
    int_type overflow(int_type c) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;

private:
    bool pack(const char* text, std::size_t size, int flush);

    struct State;
    std::unique_ptr<State> m_state;
    std::ostream& m_out;
};

} // namespace sunder
