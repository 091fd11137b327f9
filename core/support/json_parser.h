#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace sunder {

enum class JsonType : std::uint8_t { null, boolean, integer, floating, string, array, object, key, end };

enum class JsonDialect : std::uint8_t {
    strict, ///< RFC 8259
    python, ///< also NaN and Infinity, and halves of surrogate pairs, which keep their escapes: as Python's json module writes
};

/// The reason why a text is not JSON.
struct JsonFault {
    enum class Kind : std::uint8_t { syntax, truncated, notUtf8, numberRange };
    Kind kind = Kind::syntax;
    std::uint64_t byte = 0; ///< number of the first wrong byte; one beyond the end if the text is truncated
};

/// Returns e.g. "is not JSON: it is truncated (byte 17)".
std::string describe(const JsonFault& fault);

/// Returns whether a decimal number that is out of the range of double is too large, rather than too small.
bool isBeyondDouble(std::string_view digits);

/// Returns the place of the first character of a text that no JSON number has there; nothing for a number.
std::optional<std::size_t> wrongPlaceInNumber(std::string_view text);

/// Appends a code point as UTF-8.
void appendUtf8(std::string& out, std::uint32_t point);

/// Reads JSON and passes its tokens to a Sink, without recursion. `next` returns the next piece of the text, which stays valid until
/// the following call, and an empty one at the end. Sink: `bool scalar(JsonType, std::uint64_t)` for null, booleans, and integers
/// of 64 bits; `bool text(JsonType, std::string_view)` for strings, and for other numbers, with their digits; `bool key(…)`, `bool
/// begin(JsonType)`, `bool end()`. They return false to stop. The Sink limits the depth.
template <typename Sink, typename Next>
class JsonParser final {
public:
    JsonParser(Sink& sink, Next next, JsonDialect dialect = JsonDialect::strict) : m_sink(sink), m_next(next), m_dialect(dialect)
    {
    }

    /// Reads the whole text. Returns false if the Sink stopped, or with a fault.
    bool run()
    {
        if (!skipMark())
            return false;
        while (value())
            for (;;) {
                const char c = peek();
                if (m_open.empty()) // zeros may follow
                    return c == '\0' || wrong();
                if (c == ',') {
                    ++m_at;
                    if (m_open.back() == '}' && !key())
                        return false;
                    break;
                }
                if (c != m_open.back())
                    return wrong();
                if (!close())
                    return false;
            }
        return false;
    }

    [[nodiscard]] const std::optional<JsonFault>& fault() const { return m_fault; }

private:
    [[nodiscard]] bool isAtEnd() const { return m_at == m_end; }

    /// Loads the next piece if this one is read. Returns false at the end of the text.
    bool load()
    {
        if (m_at != m_end)
            return true;
        m_before += static_cast<std::uint64_t>(m_end - m_begin);
        const std::string_view piece = m_next();
        m_at = m_begin = piece.data();
        m_end = m_begin + piece.size();
        return !piece.empty();
    }

    /// Returns the next character after white space; 0 at the end.
    char peek()
    {
        while (load()) {
            while (m_at != m_end && (*m_at == ' ' || *m_at == '\t' || *m_at == '\n' || *m_at == '\r'))
                ++m_at;
            if (m_at != m_end)
                return *m_at;
        }
        return '\0';
    }

    /// Takes the next character, of any kind.
    std::optional<unsigned char> take()
    {
        if (!load())
            return std::nullopt;
        return static_cast<unsigned char>(*m_at++);
    }

    [[nodiscard]] std::uint64_t position() const { return m_before + static_cast<std::uint64_t>(m_at - m_begin); }

    bool failAt(JsonFault::Kind kind, std::uint64_t byte)
    {
        m_fault = {kind, byte};
        return false;
    }
    /// Reports the next character.
    bool wrong() { return failAt(isAtEnd() ? JsonFault::Kind::truncated : JsonFault::Kind::syntax, position() + 1); }
    /// Reports the character that was taken, or the end of the text.
    bool wrongTaken(bool isTaken) { return failAt(JsonFault::Kind::syntax, position() + (isTaken ? 0 : 1)); }

    /// Skips a byte order mark.
    bool skipMark() { return !load() || *m_at != '\xef' || word("\xef\xbb\xbf"); }

    /// Reads a scalar, an empty array or object, or the start of one up to its first value.
    bool value()
    {
        for (;;) {
            const char c = peek();
            switch (c) {
            case '{':
            case '[':
                ++m_at;
                if (!m_sink.begin(c == '{' ? JsonType::object : JsonType::array))
                    return false;
                m_open += c == '{' ? '}' : ']';
                if (peek() == m_open.back())
                    return close();
                if (c == '{' && !key())
                    return false;
                break;
            case '"': return string() && m_sink.text(JsonType::string, m_string);
            case 't': return word("true") && m_sink.scalar(JsonType::boolean, 1);
            case 'f': return word("false") && m_sink.scalar(JsonType::boolean, 0);
            case 'n': return word("null") && m_sink.scalar(JsonType::null, 0);
            default: return c == '-' || (c >= '0' && c <= '9') ? number() : infinite("");
            }
        }
    }

    bool close()
    {
        ++m_at;
        m_open.pop_back();
        return m_sink.end();
    }

    bool key()
    {
        if (peek() != '"')
            return wrong();
        if (!string() || !m_sink.key(m_string))
            return false;
        if (peek() != ':')
            return wrong();
        ++m_at;
        return true;
    }

    bool word(std::string_view word)
    {
        for (const char expected : word) {
            const std::optional<unsigned char> c = take();
            if (!c || *c != static_cast<unsigned char>(expected))
                return wrongTaken(c.has_value());
        }
        return true;
    }

    /// Reads Python's numbers that are not finite. `sign` was taken.
    bool infinite(std::string_view sign)
    {
        const bool isNan = sign.empty() && !isAtEnd() && *m_at == 'N';
        if (m_dialect == JsonDialect::strict || isAtEnd() || (!isNan && *m_at != 'I'))
            return wrong();
        const std::string_view text = isNan ? "NaN" : "Infinity";
        return word(text) && m_sink.text(JsonType::floating, std::string(sign).append(text));
    }

    bool number()
    {
        const std::uint64_t start = position();
        std::string_view digits = run(
            [](char c) { return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E'; });
        if (m_dialect == JsonDialect::python && digits == "-" && load())
            return infinite("-");
        if (const std::optional<std::size_t> place = wrongPlaceInNumber(digits))
            return failAt(JsonFault::Kind::syntax, start + *place + 1);
        std::int64_t whole = 0;
        const char* const end = digits.data() + digits.size();
        const auto [stop, error] = std::from_chars(digits.data(), end, whole);
        if (stop == end && error == std::errc())
            return m_sink.scalar(JsonType::integer, static_cast<std::uint64_t>(whole));
        if (digits.size() > kSurelyDouble || digits.find_first_of("eE") != std::string_view::npos) {
            double real = 0;
            if (std::from_chars(digits.data(), end, real).ec == std::errc::result_out_of_range && isBeyondDouble(digits))
                return failAt(JsonFault::Kind::numberRange, start + digits.size());
        }
        return m_sink.text(JsonType::floating, digits);
    }

    /// Takes characters while they are as wanted. The result is valid until the next call.
    template <typename Wanted>
    std::string_view run(const Wanted& wanted)
    {
        m_text.clear();
        while (load()) {
            const char* const from = m_at;
            while (m_at != m_end && wanted(*m_at))
                ++m_at;
            const std::string_view piece(from, static_cast<std::size_t>(m_at - from));
            if (m_at != m_end && m_text.empty())
                return piece;
            m_text += piece;
            if (m_at != m_end)
                break;
        }
        return m_text;
    }

    /// Reads a string into m_string, from its first quote.
    bool string()
    {
        ++m_at;
        m_text.clear();
        while (load()) {
            const char* const from = m_at;
            while (m_at != m_end && *m_at >= ' ' && *m_at <= '~' && *m_at != '"' && *m_at != '\\')
                ++m_at;
            const std::string_view plain(from, static_cast<std::size_t>(m_at - from));
            if (m_at != m_end && *m_at == '"') {
                ++m_at;
                if (m_text.empty())
                    m_string = plain;
                else
                    m_string = m_text += plain;
                return true;
            }
            m_text += plain;
            if (m_at != m_end && !special())
                return false;
        }
        return wrongTaken(false);
    }

    /// Reads an escape, or a character beyond ASCII.
    bool special()
    {
        const auto c = static_cast<unsigned char>(*m_at++);
        if (c == '\\')
            return escape();
        m_text += static_cast<char>(c);
        if (c == 0x7f)
            return true;
        return c < 0x20 ? wrongTaken(true) : continuation(c);
    }

    /// Reads the other bytes of a UTF-8 sequence (Unicode 15, table 3-7).
    bool continuation(unsigned char first)
    {
        unsigned least = 0x80;
        unsigned most = 0xbf;
        if (first == 0xe0)
            least = 0xa0;
        else if (first == 0xed)
            most = 0x9f;
        else if (first == 0xf0)
            least = 0x90;
        else if (first == 0xf4)
            most = 0x8f;
        const int count = first < 0xc2 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : first < 0xf5 ? 3 : 0;
        if (count == 0)
            return failAt(JsonFault::Kind::notUtf8, position());
        for (int i = 0; i < count; ++i) {
            const std::optional<unsigned char> c = take();
            if (!c || *c < least || *c > most)
                return failAt(JsonFault::Kind::notUtf8, position() + (c ? 0 : 1));
            m_text += static_cast<char>(*c);
            least = 0x80;
            most = 0xbf;
        }
        return true;
    }

    bool escape()
    {
        constexpr std::string_view kLetters = "\"\\/bfnrt";
        constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
        const std::optional<unsigned char> c = take();
        if (!c)
            return wrongTaken(false);
        if (*c == 'u')
            return surrogates();
        const std::size_t at = kLetters.find(static_cast<char>(*c));
        if (at == std::string_view::npos)
            return wrongTaken(true);
        m_text += kMeant[at];
        return true;
    }

    /// Reads the digits of `\u`, and the second half of a surrogate pair.
    bool surrogates()
    {
        std::string spelled;
        std::uint32_t unit = 0;
        if (!codeUnit(unit, spelled))
            return false;
        while (isHigh(unit)) {
            if (!load() || *m_at != '\\')
                return half(spelled);
            ++m_at;
            if (!load() || *m_at != 'u')
                return half(spelled) && escape();
            ++m_at;
            std::string other;
            std::uint32_t low = 0;
            if (!codeUnit(low, other))
                return false;
            if (isLow(low)) {
                appendUtf8(m_text, 0x10000 + ((unit - 0xd800) << 10U) + (low - 0xdc00));
                return true;
            }
            if (!half(spelled))
                return false;
            unit = low;
            spelled = other;
        }
        if (isLow(unit))
            return half(spelled);
        appendUtf8(m_text, unit);
        return true;
    }

    static bool isHigh(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
    static bool isLow(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

    bool codeUnit(std::uint32_t& unit, std::string& spelled)
    {
        spelled = "\\u";
        for (int i = 0; i < 4; ++i) {
            const std::optional<unsigned char> c = take();
            const char digit = static_cast<char>(c.value_or(' '));
            const char lower = static_cast<char>(digit | 0x20);
            const bool isNumber = digit >= '0' && digit <= '9';
            if (!isNumber && (lower < 'a' || lower > 'f'))
                return wrongTaken(c.has_value());
            unit = unit * 16 + static_cast<std::uint32_t>(isNumber ? digit - '0' : lower - 'a' + 10);
            spelled += digit;
        }
        return true;
    }

    bool half(const std::string& spelled)
    {
        if (m_dialect == JsonDialect::strict)
            return wrongTaken(true);
        m_text += spelled;
        return true;
    }

    static constexpr std::size_t kSurelyDouble = 300; ///< no number with as few characters and no exponent is beyond a double

    Sink& m_sink;
    Next m_next;
    JsonDialect m_dialect;
    const char* m_begin = nullptr; ///< of the current piece
    const char* m_at = nullptr;
    const char* m_end = nullptr;
    std::uint64_t m_before = 0; ///< bytes of earlier pieces
    std::string m_open; ///< closing brackets of the unclosed arrays and objects
    std::string m_text; ///< a token that is not contiguous in a piece
    std::string_view m_string;
    std::optional<JsonFault> m_fault;
};

} // namespace sunder
