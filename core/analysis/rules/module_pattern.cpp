#include "analysis/rules/module_pattern.h"

#include "support/text.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace sunder {
namespace {

constexpr std::size_t kMaxElements = 64;
constexpr std::size_t kMaxAlternatives = 32;

std::vector<std::string_view> splitAt(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        if (end == text.size())
            return parts;
        begin = end + 1;
    }
}

std::optional<std::uint64_t> wholeNumber(std::string_view text)
{
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return !text.empty() && error == std::errc() && rest == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// Rewrites "0–7" and "0-7" to "0..7". The latter contains dots, so ranges must be handled before the path is split.
std::string withRanges(std::string_view text)
{
    constexpr std::string_view kDash = "\u2013";
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const bool isDots = text.substr(i, 2) == ".." && i > 0 && isAsciiDigit(text[i - 1]) && i + 2 < text.size()
            && isAsciiDigit(text[i + 2]);
        if (isDots || text.substr(i, kDash.size()) == kDash) {
            out += '-';
            i += isDots ? 2 : kDash.size();
        } else {
            out += text[i++];
        }
    }
    return out;
}

} // namespace

Result<ModulePattern> ModulePattern::parse(std::string_view text)
{
    ModulePattern pattern;
    const std::string written = withRanges(text);
    const std::vector<std::string_view> paths = splitAt(written, '|');
    if (paths.size() > kMaxAlternatives)
        return fail(ErrorCode::usage, "has more than " + std::to_string(kMaxAlternatives) + " modules separated by |");
    for (const std::string_view path : paths) {
        SUNDER_TRY(Elements elements, parsePath(path));
        pattern.m_alternatives.push_back(std::move(elements));
    }
    return pattern;
}

Result<ModulePattern::Elements> ModulePattern::parsePath(std::string_view text)
{
    Elements elements;
    for (const std::string_view part : splitAt(text, '.')) {
        SUNDER_TRY(Element element, parseElement(part));
        elements.push_back(std::move(element));
    }
    if (elements.size() > kMaxElements)
        return fail(ErrorCode::usage, "has more than " + std::to_string(kMaxElements) + " elements separated by dots");
    return elements;
}

Result<ModulePattern::Element> ModulePattern::parseElement(std::string_view text)
{
    if (text.empty())
        return fail(ErrorCode::usage, "has an empty element; use ** for any module");
    if (text == "**")
        return Element{.kind = Element::Kind::any};
    const std::size_t dash = text.find('-');
    const auto from = dash == std::string_view::npos ? std::nullopt : wholeNumber(text.substr(0, dash));
    const auto to = dash == std::string_view::npos ? std::nullopt : wholeNumber(text.substr(dash + 1));
    if (!from || !to)
        return Element{.text = std::string(text)};
    if (*from > *to)
        return fail(ErrorCode::usage, "has a reversed range, " + std::string(text));
    return Element{.kind = Element::Kind::range, .from = *from, .to = *to};
}

bool ModulePattern::isElement(const Element& element, std::string_view text)
{
    if (element.kind == Element::Kind::text)
        return matchesGlob(element.text, text);
    const auto number = wholeNumber(text);
    return number && *number >= element.from && *number <= element.to;
}

/// Simulates all positions in the pattern that the path may have reached.
bool ModulePattern::startsWith(const Elements& elements, std::string_view path)
{
    std::vector<bool> at(elements.size() + 1, false);
    const auto passAny = [&] { // ** also matches nothing
        for (std::size_t i = 0; i < elements.size(); ++i)
            if (at[i] && elements[i].kind == Element::Kind::any)
                at[i + 1] = true;
    };
    at[0] = true;
    passAny();
    if (at[elements.size()])
        return true;
    if (path.empty())
        return false;
    for (const std::string_view part : splitAt(path, '.')) {
        std::vector<bool> next(elements.size() + 1, false);
        for (std::size_t i = 0; i < elements.size(); ++i) {
            if (!at[i])
                continue;
            if (elements[i].kind == Element::Kind::any)
                next[i] = true;
            else if (isElement(elements[i], part))
                next[i + 1] = true;
        }
        at = std::move(next);
        passAny();
        if (at[elements.size()])
            return true; // everything inside a matching module belongs to it
    }
    return false;
}

bool ModulePattern::matches(std::string_view path) const
{
    return std::ranges::any_of(m_alternatives, [&](const Elements& elements) { return startsWith(elements, path); });
}

} // namespace sunder
