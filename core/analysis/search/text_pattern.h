#pragma once

#include "support/result.h"

#include <memory>
#include <regex>
#include <string>
#include <string_view>

namespace sunder {

/// A pattern for text in a query: literal text, text with * as a wildcard, or /a regular expression/. Ignores the case of ASCII
/// letters.
class TextPattern {
public:
    /// Parses a pattern as written by users; in quotes, * and / are literal. The error for an invalid regular expression contains
    /// the reason.
    static Result<TextPattern> parse(std::string_view text);

    /// Returns whether the pattern matches the whole text; a regular expression may match anywhere. O(text × pattern).
    [[nodiscard]] bool isWhole(std::string_view text) const;
    /// Returns whether the pattern matches anywhere in the text.
    [[nodiscard]] bool isIn(std::string_view text) const;
    /// Returns the pattern as written, without quotes and slashes.
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] bool isExpression() const { return m_expression != nullptr; }

private:
    /// Regular expressions only examine this many characters.
    static constexpr std::size_t kLongestText = 2'000;

    std::string m_text;
    bool m_stars = false; ///< * is a wildcard
    std::shared_ptr<const std::regex> m_expression;
};

} // namespace sunder
