#include "analysis/search/text_pattern.h"

#include "support/glob.h"

#include <algorithm>

namespace sunder {
namespace {

constexpr std::size_t kLongestExpression = 500;

char lowered(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool sameLetter(char a, char b)
{
    return lowered(a) == lowered(b);
}

/// Prevents backtracking, which can take exponential time, if the library supports it.
std::regex::flag_type expressionFlags()
{
#ifdef __GLIBCXX__
    return std::regex::ECMAScript | std::regex::icase | std::regex_constants::__polynomial;
#else
    return std::regex::ECMAScript | std::regex::icase;
#endif
}

const char* reasonOf(std::regex_constants::error_type code)
{
    namespace rc = std::regex_constants;
    if (code == rc::error_paren)
        return "unmatched ( or )";
    if (code == rc::error_brack)
        return "unmatched [ or ]";
    if (code == rc::error_brace || code == rc::error_badbrace)
        return "invalid repeat count in { }";
    if (code == rc::error_badrepeat)
        return "nothing to repeat before *, +, or ?";
    if (code == rc::error_range)
        return "reversed range, such as z-a";
    if (code == rc::error_escape)
        return "unknown escape after \\";
    if (code == rc::error_complexity || code == rc::error_backref)
        return "back references are not supported";
    return "it is incomplete";
}

bool isEnclosed(std::string_view text, char by)
{
    return text.size() >= 2 && text.front() == by && text.back() == by;
}

} // namespace

Result<TextPattern> TextPattern::parse(std::string_view text)
{
    TextPattern pattern;
    if (isEnclosed(text, '"')) {
        pattern.m_text = text.substr(1, text.size() - 2);
        return pattern;
    }
    if (!isEnclosed(text, '/')) {
        pattern.m_text = text;
        pattern.m_stars = text.find('*') != std::string_view::npos;
        return pattern;
    }
    pattern.m_text = text.substr(1, text.size() - 2);
    if (pattern.m_text.size() > kLongestExpression)
        return fail(ErrorCode::usage,
                    "the regular expression has " + std::to_string(pattern.m_text.size()) + " characters; the limit is "
                        + std::to_string(kLongestExpression));
    try {
        pattern.m_expression = std::make_shared<const std::regex>(pattern.m_text, expressionFlags());
    } catch (const std::regex_error& error) {
        return fail(ErrorCode::usage, "/" + pattern.m_text + "/ is not a valid regular expression: " + reasonOf(error.code()));
    }
    return pattern;
}

bool TextPattern::isWhole(std::string_view text) const
{
    if (m_expression)
        return isIn(text);
    if (m_stars)
        return matchesGlob(m_text, text, sameLetter);
    return std::ranges::equal(m_text, text, sameLetter);
}

bool TextPattern::isIn(std::string_view text) const
{
    if (m_expression) {
        const std::string_view looked = text.substr(0, kLongestText);
        return std::regex_search(looked.begin(), looked.end(), *m_expression);
    }
    if (m_stars)
        return matchesGlob("*" + m_text + "*", text, sameLetter);
    return !std::ranges::search(text, m_text, sameLetter).empty() || m_text.empty();
}

} // namespace sunder
