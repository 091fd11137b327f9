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

/// Reads a text file, gzipped or not, line by line. Keeps only one line and a small window in memory.
class FxJsonLines final {
public:
    /// Maximum length of a line. Longer lines are rejected before they fill the memory.
    static constexpr std::size_t kMaxBytes = 32U << 20U;

    /// Reads an open file.
    static FxJsonLines of(std::shared_ptr<const SourceFile> file);
    /// Reads a text in memory, which must outlive the result.
    static FxJsonLines of(std::string_view text);

    /// Returns the next line without its line end; nothing at the end of the file. Valid until the next call.
    Result<std::optional<std::string_view>> next();
    /// 1-based number of the last line returned by next().
    [[nodiscard]] std::uint64_t number() const { return m_number; }
    /// Fraction of the file that was read, 0 … 1.
    [[nodiscard]] double fraction() const;

private:
    FxJsonLines() = default;
    Result<bool> fill();

    std::shared_ptr<const SourceFile> m_file; ///< null for a text in memory
    std::unique_ptr<GunzipStream> m_gunzip;
    std::string m_packed;
    std::string m_buffer;
    std::string_view m_rest; ///< rest of the buffer or text
    std::uint64_t m_number = 0;
    std::uint64_t m_bytesRead = 0;
    std::uint64_t m_bytes = 0;
    bool m_atEnd = false;
};

} // namespace sunder
