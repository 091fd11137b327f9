#include "operators/literal_text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

namespace sunder {
namespace {

bool isNumber(const Argument& value)
{
    return value.is(ArgumentKind::integer) || value.is(ArgumentKind::floating);
}

/// Parses a quoted text: "none" with its quotes.
std::optional<Argument> textOf(std::string_view text)
{
    if (text.size() < 2 || text.front() != '"' || text.back() != '"' || text.find('\\') != std::string_view::npos)
        return std::nullopt;
    return Argument::string(intern(text.substr(1, text.size() - 2)));
}

/// Parses a default of a type that is neither a list nor optional.
std::optional<Argument> valueOfType(std::string_view type, std::string_view text)
{
    if (type == "str")
        return textOf(text);
    std::optional<Argument> value = literalOf(text);
    if (!value)
        return std::nullopt;
    if (type == "float" && value->is(ArgumentKind::integer)) // "1" for a float is 1.0
        return Argument::floating(static_cast<double>(value->asInteger()));
    const bool fits = type == "bool"        ? value->is(ArgumentKind::boolean)
        : type == "int" || type == "SymInt" ? value->is(ArgumentKind::integer)
        : type == "float"                   ? value->is(ArgumentKind::floating)
                                            : type == "Scalar" && (isNumber(*value) || value->is(ArgumentKind::boolean));
    return fits ? value : std::nullopt;
}

/// Parses "[1, 1]". A single value is repeated to the length in the type.
std::optional<Argument> listOfType(const ListType& type, std::string_view text)
{
    if (!text.starts_with('[')) {
        const std::optional<Argument> value = type.repeats() ? valueOfType(type.item, text) : std::nullopt;
        return value ? std::optional(Argument::list(Arguments(static_cast<std::size_t>(*type.length), *value))) : std::nullopt;
    }
    if (!text.ends_with(']'))
        return std::nullopt;
    Arguments items;
    for (std::string_view piece : piecesOf(text.substr(1, text.size() - 2), ',')) {
        piece.remove_prefix(std::min(piece.find_first_not_of(' '), piece.size()));
        std::optional<Argument> value = valueOfType(type.item, piece);
        if (!value)
            return std::nullopt;
        items.push_back(std::move(*value));
    }
    return Argument::list(std::move(items));
}

} // namespace

std::vector<std::string_view> piecesOf(std::string_view text, char separator)
{
    std::vector<std::string_view> pieces;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(separator), text.size());
        pieces.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return pieces;
}

std::optional<Argument> literalOf(std::string_view text)
{
    if (text == "None")
        return Argument();
    if (text == "True" || text == "False")
        return Argument::boolean(text == "True");
    const char* end = text.data() + text.size();
    std::int64_t integer = 0;
    if (const auto read = std::from_chars(text.data(), end, integer); read.ec == std::errc() && read.ptr == end)
        return Argument::integer(integer);
    double floating = 0;
    if (const auto read = std::from_chars(text.data(), end, floating); read.ec == std::errc() && read.ptr == end)
        return Argument::floating(floating);
    return std::nullopt;
}

std::optional<Argument> defaultOf(const SchemaArgument& argument)
{
    std::string_view type = argument.type.view();
    const std::string_view text = argument.defaultValue.view();
    if (!argument.hasDefault)
        return std::nullopt;
    if (type.ends_with('?')) {
        if (text == "None")
            return Argument();
        type.remove_suffix(1);
    }
    const std::optional<ListType> list = listType(type);
    return list ? listOfType(*list, text) : valueOfType(type, text);
}

} // namespace sunder
