#pragma once

#include "support/text_cursor.h"

#include <string>
#include <string_view>

namespace sunder {

/// Reads a short JSON text in one pass without building objects; values that are not requested are skipped. All functions return
/// false at the first error. The text must outlive the scanner.
class JsonScanner {
public:
    explicit JsonScanner(std::string_view text) : m_text(text) {}

    /// Reads a string without its quotes and escapes. An unpaired surrogate keeps its escape.
    bool string(std::string& value);
    /// Reads a number, true, false or null as text.
    bool word(std::string& value);
    /// Skips any value. Its brackets are counted but not matched.
    bool skip();
    /// Returns whether the next value is a string.
    bool isAtString();
    /// Returns whether only white space is left.
    bool atEnd() { return m_text.atEnd(); }

    /// Reads a non-empty object: `visit(key)` reads the value of each member.
    template <typename Visit>
    bool members(const Visit& visit)
    {
        std::string key;
        if (!m_text.take('{'))
            return false;
        do {
            if (!string(key) || !m_text.take(':') || !visit(key))
                return false;
        } while (m_text.take(','));
        return m_text.take('}');
    }

    /// Reads a list: `visit(position)` reads each item.
    template <typename Visit>
    bool items(const Visit& visit)
    {
        if (!m_text.take('['))
            return false;
        if (m_text.take(']'))
            return true;
        std::size_t position = 0;
        do {
            if (!visit(position++))
                return false;
        } while (m_text.take(','));
        return m_text.take(']');
    }

private:
    bool escape(std::string& value);

    TextCursor m_text;
};

} // namespace sunder
