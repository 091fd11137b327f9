#pragma once

#include "io/exported_program/exported_program_source.h"

#include <string>

namespace sunder {

/// Puts the bare words Infinity, -Infinity and NaN, which PyTorch wrote up to 2.6 and which are no JSON, in quotes, as
/// later versions write them. Everything else passes as it is.
class BareWordSource final : public ByteSource {
public:
    explicit BareWordSource(ByteSource& source) : m_source(source) {}
    Result<std::size_t> read(std::span<char> buffer) override;
    [[nodiscard]] std::uint64_t size() const override { return m_source.size(); }

private:
    void take(std::string_view bytes);
    void endWord();

    ByteSource& m_source;
    std::string m_word;  ///< letters of a bare word so far, a minus before them included
    std::string m_ready; ///< quoted, not given out yet
    std::size_t m_given = 0;
    bool m_isInString = false;
    bool m_isEscaped = false;
    bool m_isAtEnd = false;
};

} // namespace sunder
