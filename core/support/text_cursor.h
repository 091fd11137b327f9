#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>

namespace sunder {

/// Reads a short text from start to end, token by token; shared by the parsers of small notations. White space before a token is
/// ignored. The text must outlive the cursor.
class TextCursor {
public:
    explicit TextCursor(std::string_view text) : m_text(text) {}

    /// Returns whether the text is exhausted, including white space.
    [[nodiscard]] bool isDone() const { return m_at == m_text.size(); }
    /// Returns the next character, including white space; '\0' at the end.
    [[nodiscard]] char peek() const { return isDone() ? '\0' : m_text[m_at]; }
    /// Returns and consumes the next character; requires !isDone().
    char next() { return m_text[m_at++]; }
    /// Number of characters consumed.
    [[nodiscard]] std::size_t position() const { return m_at; }
    /// Returns the text from `start` to the current position.
    [[nodiscard]] std::string_view since(std::size_t start) const { return m_text.substr(start, m_at - start); }

    void skipSpace()
    {
        while (!isDone() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0)
            ++m_at;
    }
    /// Consumes this character if it is next, after optional white space.
    bool take(char c)
    {
        skipSpace();
        if (isDone() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    /// Returns whether only white space is left.
    bool atEnd()
    {
        skipSpace();
        return isDone();
    }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace sunder
