#include "analysis/search/node_query.h"

#include <algorithm>
#include <cctype>
#include <span>

namespace sunder {
namespace {

const std::string kAnySize = "*";
const std::string kAnySizes = "...";

std::string sizeText(const Argument& size)
{
    return size.kind() == ArgumentKind::symbolic ? size.asSymbolic().expression.str() : std::to_string(size.asInteger());
}

/// Compares sizes as text, ignoring spaces.
bool sameSize(std::string_view wanted, std::string_view size)
{
    if (wanted == kAnySize)
        return true;
    std::string packed(size);
    std::erase(packed, ' ');
    return packed == wanted;
}

bool matchesAll(std::span<const std::string> wanted, std::span<const std::string> sizes)
{
    if (wanted.empty())
        return sizes.empty();
    if (wanted.front() != kAnySizes)
        return !sizes.empty() && sameSize(wanted.front(), sizes.front()) && matchesAll(wanted.subspan(1), sizes.subspan(1));
    for (std::size_t left = 0; left <= sizes.size(); ++left)
        if (matchesAll(wanted.subspan(1), sizes.subspan(left)))
            return true;
    return false;
}

bool matchesSomewhere(std::span<const std::string> wanted, std::span<const std::string> sizes)
{
    for (std::size_t from = 0; from + wanted.size() <= sizes.size(); ++from)
        if (matchesAll(wanted, sizes.subspan(from, wanted.size())))
            return true;
    return false;
}

/// Returns whether an x separates sizes and is not part of a word: "1x16", "s27x16".
bool isTimes(std::string_view text, std::size_t at)
{
    if (text[at] != 'x' && text[at] != 'X')
        return false;
    const auto digit = [&](std::size_t i) { return std::isdigit(static_cast<unsigned char>(text[i])) != 0 || text[i] == '*'; };
    return at > 0 && at + 1 < text.size() && digit(at - 1) && (digit(at + 1) || text[at + 1] == 's' || text[at + 1] == 'u');
}

/// Splits at commas outside parentheses, at ×, and at x between sizes.
std::vector<std::string> sizesIn(std::string_view text)
{
    constexpr std::string_view kTimes = "\u00D7";
    std::vector<std::string> sizes(1);
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (text.substr(i).starts_with(kTimes)) {
            sizes.emplace_back();
            i += kTimes.size() - 1;
        } else if ((text[i] == ',' && depth == 0) || isTimes(text, i)) {
            sizes.emplace_back();
        } else if (text[i] != ' ') {
            sizes.back() += text[i];
        }
    }
    return sizes;
}

} // namespace

Result<ShapePattern> ShapePattern::parse(std::string_view text)
{
    ShapePattern pattern;
    const std::size_t open = text.find('[');
    if (open != std::string_view::npos) {
        if (text.back() != ']')
            return fail(ErrorCode::usage, "the shape \"" + std::string(text) + "\" has no closing ]");
        pattern.m_dtype = text.substr(0, open);
        pattern.m_whole = true;
        text = text.substr(open + 1, text.size() - open - 2);
    }
    const bool scalar = pattern.m_whole && text.find_first_not_of(' ') == std::string_view::npos;
    if (!scalar)
        pattern.m_sizes = sizesIn(text);
    if (std::ranges::any_of(pattern.m_sizes, &std::string::empty))
        return fail(ErrorCode::usage,
                    "the shape \"" + std::string(text)
                        + "\" has an empty dimension; use * for any size, ... for any number of sizes");
    if (std::ranges::count(pattern.m_sizes, kAnySizes) > 2)
        return fail(ErrorCode::usage, "the shape \"" + std::string(text) + "\" contains ... more than twice");
    return pattern;
}

bool ShapePattern::matches(const TensorMeta& tensor) const
{
    if (!m_dtype.empty() && tensor.dtype.view() != m_dtype && dtypeAbbreviation(tensor.dtype.view()) != m_dtype)
        return false;
    std::vector<std::string> sizes;
    sizes.reserve(tensor.shape.size());
    for (const Argument& size : tensor.shape)
        sizes.push_back(sizeText(size));
    return m_whole ? matchesAll(m_sizes, sizes) : matchesSomewhere(m_sizes, sizes);
}

} // namespace sunder
