#include "support/json_parser.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>

namespace sunder {
namespace {

/// The pieces of a text, byte by byte.
class Pieces {
public:
    explicit Pieces(const std::function<std::string_view()>& next) : m_next(next) { load(); }
    [[nodiscard]] bool isEnd() const { return m_at == m_end; }
    [[nodiscard]] char front() const { return *m_at; }
    /// Number of bytes before the front.
    [[nodiscard]] std::uint64_t passed() const { return m_loaded - static_cast<std::uint64_t>(m_end - m_at); }
    void pop()
    {
        if (++m_at == m_end)
            load();
    }

private:
    void load()
    {
        const std::string_view piece = m_next();
        m_at = piece.data();
        m_end = m_at + piece.size();
        m_loaded += piece.size();
    }

    const std::function<std::string_view()>& m_next;
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    std::uint64_t m_loaded = 0; ///< bytes up to m_end
};

/// Pieces as an input iterator for nlohmann's parser. Default-constructed: the end.
class PieceIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = char;

    PieceIterator() = default;
    explicit PieceIterator(Pieces& pieces) : m_pieces(&pieces) {}
    char operator*() const { return m_pieces->front(); }
    PieceIterator& operator++()
    {
        m_pieces->pop();
        return *this;
    }
    friend bool operator==(const PieceIterator& a, const PieceIterator& b) { return a.isEnd() == b.isEnd(); }
    friend bool operator!=(const PieceIterator& a, const PieceIterator& b) { return !(a == b); }

private:
    [[nodiscard]] bool isEnd() const { return m_pieces == nullptr || m_pieces->isEnd(); }

    Pieces* m_pieces = nullptr;
};

/// Passes the events of nlohmann's parser to a sink, up to a depth.
class JsonEvents final : public nlohmann::json_sax<nlohmann::json> {
public:
    JsonEvents(JsonSink& sink, const Pieces& pieces, unsigned maxDepth) : m_sink(sink), m_pieces(pieces), m_maxDepth(maxDepth) {}

    [[nodiscard]] const std::optional<JsonFault>& fault() const { return m_fault; }

    bool null() override { return m_sink.scalar(JsonType::null, 0); }
    bool boolean(bool value) override { return m_sink.scalar(JsonType::boolean, value ? 1 : 0); }
    bool number_integer(number_integer_t value) override
    {
        return m_sink.scalar(JsonType::integer, static_cast<std::uint64_t>(value));
    }
    bool number_unsigned(number_unsigned_t value) override
    {
        if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            return m_sink.text(JsonType::floating, std::to_string(value));
        return m_sink.scalar(JsonType::integer, value);
    }
    bool number_float(number_float_t, const string_t& digits) override { return m_sink.text(JsonType::floating, digits); }
    bool string(string_t& text) override { return m_sink.text(JsonType::string, text); }
    bool binary(binary_t&) override { return false; }
    bool key(string_t& text) override { return m_sink.key(text); }
    bool start_object(std::size_t) override { return begin(JsonType::object); }
    bool start_array(std::size_t) override { return begin(JsonType::array); }
    bool end_object() override { return end(); }
    bool end_array() override { return end(); }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override
    {
        constexpr int kOutOfRange = 406; // nlohmann's number of this error
        const std::string_view what = error.what();
        JsonFault::Kind kind = JsonFault::Kind::syntax;
        if (what.find("UTF-8") != std::string_view::npos)
            kind = JsonFault::Kind::notUtf8;
        else if (error.id == kOutOfRange)
            kind = JsonFault::Kind::numberRange;
        else if (what.find("unexpected end of input") != std::string_view::npos)
            kind = JsonFault::Kind::truncated;
        m_fault = {.kind = kind, .byte = position};
        return false;
    }

private:
    bool begin(JsonType type)
    {
        if (++m_depth <= m_maxDepth)
            return m_sink.begin(type);
        m_fault = {.kind = JsonFault::Kind::tooDeep, .byte = m_pieces.passed(), .maxDepth = m_maxDepth};
        return false;
    }
    bool end()
    {
        --m_depth;
        return m_sink.end();
    }

    JsonSink& m_sink;
    const Pieces& m_pieces;
    unsigned m_maxDepth;
    unsigned m_depth = 0;
    std::optional<JsonFault> m_fault;
};

constexpr std::array<std::string_view, 3> kNotFinite = {"NaN", "Infinity", "-Infinity"}; ///< as Python writes them

/// Returns the code unit of an escape "\uXXXX" at `at`; nothing if there is none.
std::optional<std::uint32_t> codeUnit(std::string_view text, std::size_t at)
{
    constexpr std::size_t kLength = 6;
    if (at + kLength > text.size() || text[at] != '\\' || text[at + 1] != 'u')
        return std::nullopt;
    std::uint32_t unit = 0;
    const char* const end = text.data() + at + kLength;
    const auto [stop, error] = std::from_chars(text.data() + at + 2, end, unit, 16);
    return stop == end && error == std::errc() ? std::optional(unit) : std::nullopt;
}

bool isLeading(std::optional<std::uint32_t> unit)
{
    return unit && *unit >= 0xd800 && *unit < 0xdc00;
}

bool isTrailing(std::optional<std::uint32_t> unit)
{
    return unit && *unit >= 0xdc00 && *unit < 0xe000;
}

/// Copies an escape at `at` of a string and moves `at` behind it.
void copyEscape(std::string& out, std::string_view text, std::size_t& at)
{
    constexpr std::size_t kUnit = 6;
    std::size_t length = 2;
    if (const auto unit = codeUnit(text, at)) {
        const bool isPair = isLeading(unit) && isTrailing(codeUnit(text, at + kUnit));
        length = isPair ? 2 * kUnit : kUnit;
        if (!isPair && (isLeading(unit) || isTrailing(unit)))
            out += '\\';
    }
    out += text.substr(at, length);
    at += std::min(length, text.size() - at);
}

} // namespace

std::string describe(const JsonFault& fault)
{
    std::string text = "is not JSON";
    switch (fault.kind) {
    case JsonFault::Kind::syntax: break;
    case JsonFault::Kind::truncated: text += ": it is truncated"; break;
    case JsonFault::Kind::notUtf8: text = "is not valid UTF-8"; break;
    case JsonFault::Kind::numberRange: text = "holds a number out of range"; break;
    case JsonFault::Kind::tooDeep: text = "is nested deeper than " + std::to_string(fault.maxDepth) + " levels"; break;
    }
    return text + " (byte " + std::to_string(fault.byte) + ")";
}

std::optional<JsonFault> readJson(const std::function<std::string_view()>& next, unsigned maxDepth, JsonSink& sink)
{
    Pieces pieces(next);
    JsonEvents events(sink, pieces, maxDepth);
    nlohmann::json::sax_parse(PieceIterator(pieces), PieceIterator(), &events);
    return events.fault();
}

std::string jsonOfPython(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    bool isInString = false;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (isInString && c == '\\') {
            copyEscape(out, text, at);
            continue;
        }
        if (c == '"')
            isInString = !isInString;
        const auto* const number = isInString
            ? nullptr
            : std::ranges::find_if(kNotFinite, [&](std::string_view word) { return text.substr(at).starts_with(word); });
        if (number != nullptr && number != kNotFinite.end()) {
            out += "null";
            at += number->size();
            continue;
        }
        out += c;
        ++at;
    }
    return out;
}

} // namespace sunder
