#pragma once

#include "support/result.h"

#include <memory>
#include <optional>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// Returns at most `most` words in `known` similar to `word`, most similar first: those that begin with it, contain it, or differ
/// in at most a third of the letters. Ignores case. O(known × length²).
std::vector<std::string> nearWords(std::string_view word, std::span<const std::string> known, std::size_t most);

/// Scores `typed` as an abbreviation of `text`: all of its letters must occur in this order; spaces and case are ignored. Letters
/// at word starts and adjacent letters score highest, and short texts score higher than long ones. Returns nothing if a letter is
/// missing; 0 for an empty `typed`. O(text).
std::optional<int> fuzzyMatch(std::string_view typed, std::string_view text);

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
