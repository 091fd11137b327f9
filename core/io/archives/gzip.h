#pragma once

#include "support/result.h"

#include <cstdint>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

namespace sunder {

/// Unpacks gzip data piece by piece. Holds one small window whatever the data claims to be. Of zlib, but not its gzread(): that
/// takes rubbish behind a member for the end, reads files by name alone, and does not say how much it has read.
class GunzipStream final {
public:
    GunzipStream();
    ~GunzipStream();
    GunzipStream(const GunzipStream&) = delete;
    GunzipStream& operator=(const GunzipStream&) = delete;

    /// Unpacks `packed` and appends the result to `out`. Several gzip members in a row are one text. Malformed when
    /// the data is damaged, or unpacks to far more than such data does (more than 64 MB and 400 times its size).
    Result<void> unpack(std::string_view packed, std::string& out);
    /// True when the data so far ends where a gzip member ends.
    [[nodiscard]] bool isComplete() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// True for data that begins as gzip does.
bool isGzip(std::string_view bytes);

/// A stream buffer that packs what is written to it into `out`, without a time or a name: equal texts give equal
/// bytes. finish() writes the end.
class GzipStreambuf final : public std::streambuf {
public:
    explicit GzipStreambuf(std::ostream& out);
    ~GzipStreambuf() override;
    /// False when the end could not be written.
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
