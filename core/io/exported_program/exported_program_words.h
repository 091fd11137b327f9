#pragma once

#include "io/exported_program/exported_program_source.h"

#include <string>

namespace sunder {

/// Quotes the bare words Infinity, -Infinity, and NaN as later versions of PyTorch do. They are not valid JSON, but PyTorch wrote
/// them up to 2.6. Everything else is unchanged.
class BareWordSource final : public ByteSource {
public:
    explicit BareWordSource(ByteSource& source) : m_source(source) {}
    Result<std::size_t> read(std::span<char> buffer) override;
    [[nodiscard]] std::uint64_t size() const override { return m_source.size(); }

private:
    void take(std::string_view bytes);
    void endWord();

    ByteSource& m_source;
    std::string m_word; ///< current bare word so far, including a leading minus
    std::string m_ready; ///< quoted text that is not yet returned
    std::size_t m_given = 0;
    bool m_isInString = false;
    bool m_isEscaped = false;
    bool m_isAtEnd = false;
};

} // namespace sunder
