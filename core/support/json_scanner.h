#pragma once

#include "support/text_cursor.h"

#include <string>
#include <string_view>

namespace sunder {

/// Walks a short JSON text front to back without building what it describes: what is not asked for is skipped. All functions
/// return false at the first thing that is not as it should be. The text outlives the scanner.
class JsonScanner {
public:
    explicit JsonScanner(std::string_view text) : m_text(text) {}

    /// A string, without its quotes and escapes. A half of a surrogate pair stays as it is written.
    bool string(std::string& value);
    /// A number, true, false or null, as it is written.
    bool word(std::string& value);
    /// Any value, taken as a whole. Its brackets are counted and not paired.
    bool skip();
    /// True when the next value is a string.
    bool isAtString();
    /// True when only white space is left.
    bool atEnd() { return m_text.atEnd(); }

    /// The members of an object that has some: `visit(key)` takes the value.
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

    /// The items of a list: `visit(position)` takes each.
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
