#include "damage.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace sunder::fuzz {
namespace {

/// Returns the run of digits, or of letters, at or after a position.
std::pair<std::size_t, std::size_t> wordAt(const std::string& bytes, std::size_t from, bool digits)
{
    const auto fits = [&](char c) {
        const auto u = static_cast<unsigned char>(c);
        return digits ? std::isdigit(u) != 0 : std::isalpha(u) != 0 || c == '_';
    };
    while (from < bytes.size() && !fits(bytes[from]))
        ++from;
    std::size_t end = from;
    while (end < bytes.size() && fits(bytes[end]))
        ++end;
    return {from, end - from};
}

void otherNumber(std::string& bytes, Random& random)
{
    static constexpr std::array<std::string_view, 12> kNumbers{
        "0",     "-1",  "1",  "7",     "4294967296", "9223372036854775807", "-9223372036854775809",
        "1e999", "0.5", "-0", "65536", "1e-400"};
    const auto [at, length] = wordAt(bytes, random.below(bytes.size()), true);
    bytes.replace(at, length, random.of(kNumbers));
}

void otherWord(std::string& bytes, Random& random)
{
    const auto [from, fromLength] = wordAt(bytes, random.below(bytes.size()), false);
    const std::string word = bytes.substr(from, fromLength);
    const auto [at, length] = wordAt(bytes, random.below(bytes.size()), false);
    bytes.replace(at, length, word);
}

void once(std::string& bytes, Random& random)
{
    static constexpr std::string_view kStructure = "{}[]\",:\\\n\0nt0-";
    const std::size_t at = random.below(bytes.size());
    const std::size_t length = 1 + random.below(std::min<std::size_t>(bytes.size() - at, 64));
    switch (random.below(10)) {
    case 0: bytes[at] = static_cast<char>(bytes[at] ^ (1U << random.below(8))); break;
    case 1: bytes[at] = static_cast<char>(random.below(256)); break;
    case 2: bytes.resize(at); break;
    case 3: bytes.erase(at, length); break;
    case 4: bytes.insert(at, bytes.substr(random.below(bytes.size()), length)); break;
    case 5: bytes[at] = kStructure[random.below(kStructure.size())]; break;
    case 6: bytes.insert(at, 1, kStructure[random.below(kStructure.size())]); break;
    case 7: otherWord(bytes, random); break;
    case 8: { // duplicate or remove a whole line
        const std::size_t begin = bytes.rfind('\n', at) == std::string::npos ? 0 : bytes.rfind('\n', at) + 1;
        const std::size_t end = std::min(bytes.find('\n', at), bytes.size() - 1) + 1;
        if (end > begin && random.chance(50))
            bytes.insert(begin, bytes.substr(begin, end - begin));
        else if (end > begin)
            bytes.erase(begin, end - begin);
        break;
    }
    default: otherNumber(bytes, random);
    }
}

} // namespace

void damage(std::string& bytes, Random& random)
{
    for (int i = random.between(1, 4); i > 0 && !bytes.empty(); --i)
        once(bytes, random);
}

} // namespace sunder::fuzz
