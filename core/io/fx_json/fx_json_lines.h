#pragma once

#include "io/archives/gzip.h"
#include "io/archives/source_file.h"
#include "support/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// The lines of a text file, gzipped or not, one at a time. Holds one line and a small window in memory.
class FxJsonLines final {
public:
    /// Longest line that is read; a longer one is refused before it fills the memory.
    static constexpr std::size_t kMostBytes = 32U << 20U;

    /// Lines of a file that is open.
    static FxJsonLines of(std::shared_ptr<const SourceFile> file);
    /// Lines of a text at hand, which outlives them.
    static FxJsonLines of(std::string_view text);

    /// The next line without its end; nothing at the end of the file. Valid until the next call.
    Result<std::optional<std::string_view>> next();
    /// 1-based number of the line that next() gave last.
    [[nodiscard]] std::uint64_t number() const { return m_number; }
    /// How much of the file was read, 0 … 1.
    [[nodiscard]] double fraction() const;

private:
    FxJsonLines() = default;
    Result<bool> fill();

    std::shared_ptr<const SourceFile> m_file; ///< absent for a text at hand
    std::unique_ptr<GunzipStream> m_gunzip;
    std::string m_packed;
    std::string m_buffer;
    std::string_view m_rest; ///< what of the buffer, or of the text at hand, is not handed out yet
    std::uint64_t m_number = 0;
    std::uint64_t m_bytesRead = 0;
    std::uint64_t m_bytes = 0;
    bool m_atEnd = false;
};

} // namespace sunder
