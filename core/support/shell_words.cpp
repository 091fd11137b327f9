#include "support/shell_words.h"

#include "support/ascii.h"

#include <algorithm>

namespace sunder {

std::string shellWord(std::string_view text)
{
    static constexpr std::string_view kPlain = "_-./:=+,@%";
    const auto isPlain = [](char c) { return isAsciiDigit(c) || isAsciiLetter(c) || kPlain.find(c) != std::string_view::npos; };
    if (!text.empty() && std::ranges::all_of(text, isPlain))
        return std::string(text);
    std::string word = "'";
    for (const char c : text) {
        if (c == '\'')
            word += "'\\''";
        else
            word += c;
    }
    return word + "'";
}

std::string shellInput(int number, std::string_view text)
{
    std::string end = "END";
    while (text.find(end) != std::string_view::npos)
        end += "_";
    std::string input = std::to_string(number) + "<<'" + end + "'\n" + std::string(text);
    if (!text.ends_with('\n'))
        input += '\n';
    return input + end + '\n';
}

} // namespace sunder
