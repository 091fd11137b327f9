#include "analysis/search/text_pattern.h"

#include "support/text.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sunder {
namespace {

char fuzzyFold(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool isWordLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// Matches each letter at its first occurrence after the previous one, starting at `begin`.
std::optional<int> scoreFrom(std::string_view typed, std::string_view text, std::size_t begin)
{
    constexpr int kWordStart = 8;
    constexpr int kSideBySide = 6;
    int score = 0;
    std::size_t at = begin;
    std::size_t before = std::string_view::npos;
    for (const char c : typed) {
        if (c == ' ')
            continue;
        while (at < text.size() && fuzzyFold(text[at]) != fuzzyFold(c))
            ++at;
        if (at == text.size())
            return {};
        if (at == 0 || !isWordLetter(text[at - 1]))
            score += kWordStart;
        if (before != std::string_view::npos && at == before + 1)
            score += kSideBySide;
        before = at++;
    }
    return score;
}

} // namespace

std::optional<int> fuzzyMatch(std::string_view typed, std::string_view text)
{
    constexpr std::size_t kStarts = 16; // number of occurrences of the first letter to try
    const std::size_t letter = typed.find_first_not_of(' ');
    if (letter == std::string_view::npos)
        return 0;
    std::optional<int> best;
    std::size_t begin = 0;
    for (std::size_t tried = 0; tried < kStarts && begin < text.size(); ++begin) {
        if (fuzzyFold(text[begin]) != fuzzyFold(typed[letter]))
            continue;
        ++tried;
        const std::optional<int> score = scoreFrom(typed, text, begin);
        if (!score)
            break; // later starts leave even fewer letters
        best = std::max(best.value_or(*score), *score);
    }
    if (!best)
        return {};
    return *best * 4 - static_cast<int>(std::min<std::size_t>(text.size(), 100)) / 4;
}

namespace {

constexpr std::size_t kLongestWord = 64; ///< longer words are truncated

std::string folded(std::string_view word)
{
    std::string lower(word.substr(0, kLongestWord));
    std::ranges::transform(lower, lower.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return lower;
}

/// Returns the number of letters to change, add or remove.
std::size_t editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t above = row[j + 1];
            row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row.back();
}

} // namespace

std::vector<std::string> nearWords(std::string_view word, std::span<const std::string> known, std::size_t most)
{
    const std::string wanted = folded(word);
    std::vector<std::pair<std::size_t, std::size_t>> ranked; // rank, index in known
    for (std::size_t i = 0; i < known.size(); ++i) {
        const std::string other = folded(known[i]);
        const std::size_t farthest = std::max<std::size_t>(1, (wanted.size() + 2) / 3);
        const std::size_t longer = std::max(wanted.size(), other.size()) - std::min(wanted.size(), other.size());
        const bool startsSo = !wanted.empty() && other.starts_with(wanted);
        // The distance is at least the difference in length, so most words need no letter-by-letter comparison.
        const std::size_t far = startsSo || longer > farthest ? farthest + 1 : editDistance(wanted, other);
        if (startsSo)
            ranked.emplace_back(0, i);
        else if (far <= farthest)
            ranked.emplace_back(far, i);
        else if (wanted.size() > 1 && other.find(wanted) != std::string::npos)
            ranked.emplace_back(kLongestWord, i);
    }
    std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, std::size_t>::first);
    std::vector<std::string> near;
    for (const auto& [rank, place] : ranked) {
        if (near.size() == most)
            break;
        near.push_back(known[place]);
    }
    return near;
}

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
