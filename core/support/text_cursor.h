#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>

namespace sunder {

/// Reads a short text from front to back, token by token: what the parsers of small notations share. White space before
/// a token says nothing. The text outlives the cursor.
class TextCursor {
public:
    explicit TextCursor(std::string_view text) : m_text(text) {}

    /// True when nothing is left, white space included.
    [[nodiscard]] bool isDone() const { return m_at == m_text.size(); }
    /// The next character, white space included; '\0' when nothing is left.
    [[nodiscard]] char peek() const { return isDone() ? '\0' : m_text[m_at]; }
    /// The same, taken; not when isDone().
    char next() { return m_text[m_at++]; }
    /// How many characters are taken.
    [[nodiscard]] std::size_t position() const { return m_at; }
    /// The text from there up to here.
    [[nodiscard]] std::string_view since(std::size_t start) const { return m_text.substr(start, m_at - start); }

    void skipSpace()
    {
        while (!isDone() && std::isspace(static_cast<unsigned char>(m_text[m_at])) != 0)
            ++m_at;
    }
    /// Takes this character when it is the next one behind white space.
    bool take(char c)
    {
        skipSpace();
        if (isDone() || m_text[m_at] != c)
            return false;
        ++m_at;
        return true;
    }
    /// True when only white space is left.
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
