#include "support/json_parser.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <utility>

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

/// Cuts a text that Python's json module wrote into pieces of JSON.
class PythonPieces {
public:
    explicit PythonPieces(std::string_view text) : m_text(text) {}

    /// Returns the next piece; an empty one at the end.
    std::string_view next()
    {
        if (m_inserted.empty()) {
            const std::size_t start = m_at;
            if (const std::size_t end = endOfCopy(); end > start)
                return m_text.substr(start, end - start);
        }
        return std::exchange(m_inserted, std::string_view());
    }

private:
    /// Skips text that needs no change and the text that the next insertion replaces. Returns the end of the former.
    std::size_t endOfCopy()
    {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (m_isInString && c == '\\') {
                const std::size_t length = escapeLength();
                m_at = std::min(m_at + length, m_text.size());
                if (length > 1)
                    continue;
                m_inserted = "\\";
                return m_at;
            }
            if (c == '"')
                m_isInString = !m_isInString;
            const auto* const number = m_isInString ? kNotFinite.end()
                                                    : std::ranges::find_if(kNotFinite, [this](std::string_view word) {
                                                          return m_text.substr(m_at).starts_with(word);
                                                      });
            if (number != kNotFinite.end()) {
                m_inserted = "null";
                return std::exchange(m_at, m_at + number->size());
            }
            ++m_at;
        }
        return m_at;
    }

    /// Returns the length of an escape; 1, its backslash, for half of a surrogate pair.
    [[nodiscard]] std::size_t escapeLength() const
    {
        constexpr std::size_t kUnit = 6;
        const auto unit = codeUnit(m_text, m_at);
        if (isLeading(unit) && isTrailing(codeUnit(m_text, m_at + kUnit)))
            return 2 * kUnit;
        return isLeading(unit) || isTrailing(unit) ? 1 : 2;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    bool m_isInString = false;
    std::string_view m_inserted; ///< the next piece
};

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

std::optional<JsonFault> readJsonOfPython(std::string_view text, unsigned maxDepth, JsonSink& sink)
{
    PythonPieces pieces(text);
    return readJson([&pieces] { return pieces.next(); }, maxDepth, sink);
}

} // namespace sunder
