#include "analysis/search/fuzzy_match.h"

#include <algorithm>

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

} // namespace sunder
