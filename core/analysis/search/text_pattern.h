#pragma once

#include "support/result.h"

#include <memory>
#include <regex>
#include <string>
#include <string_view>

namespace sunder {

/// What a word of a query says of a text: the text itself, one with * for anything, or /a regular expression/. Case is
/// ignored (of ASCII letters).
class TextPattern {
public:
    /// `text` as people write it; quotes around it make * and / mean themselves. Refuses an expression that is none,
    /// with the reason.
    static Result<TextPattern> parse(std::string_view text);

    /// The whole text is as the pattern says; a regular expression is looked for anywhere. O(text × pattern).
    [[nodiscard]] bool isWhole(std::string_view text) const;
    /// It stands somewhere in the text.
    [[nodiscard]] bool isIn(std::string_view text) const;
    /// What was written, without quotes and slashes.
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] bool isExpression() const { return m_expression != nullptr; }

private:
    /// Longer texts are looked at so far by a regular expression.
    static constexpr std::size_t kLongestText = 2'000;

    std::string m_text;
    bool m_stars = false; ///< * is anything
    std::shared_ptr<const std::regex> m_expression;
};

} // namespace sunder
