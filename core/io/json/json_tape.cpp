#include "io/json/json_tape.h"

#include "io/json/json_text.h"

#include <algorithm>
#include <charconv>

#include <nlohmann/json.hpp>

namespace sunder {

/// Fills a tape from JSON with printable ASCII strings without escapes and integers of at most 18 digits. This covers most lines
/// of fx-json and is several times as fast as a full JSON parser.
class PlainJson final {
public:
    PlainJson(JsonTape& tape, std::string_view json, unsigned maxDepth)
        : m_tape(tape), m_at(json.data()), m_end(json.data() + json.size()), m_maxDepth(maxDepth)
    {
    }

    /// Returns false for other JSON texts; the tape is then incomplete.
    bool fill()
    {
        while (value())
            for (;;) {
                if (m_open.empty())
                    return next() == kEnd && m_at == m_end;
                const bool isObject = m_tape.m_tokens[m_open.back()].type == JsonType::object;
                const char c = next();
                if (c == ',') {
                    ++m_at;
                    if (isObject && !key())
                        return false;
                    break;
                }
                if (c != (isObject ? '}' : ']'))
                    return false;
                close();
            }
        return false;
    }

private:
    static constexpr char kEnd = '\0';
    static constexpr std::ptrdiff_t kMaxDigits = 18;

    char next()
    {
        while (m_at != m_end && (*m_at == ' ' || *m_at == '\t' || *m_at == '\n' || *m_at == '\r'))
            ++m_at;
        return m_at != m_end ? *m_at : kEnd;
    }

    /// Reads a scalar, an empty array or object, or the start of one up to its first value.
    bool value()
    {
        for (;;) {
            switch (const char c = next()) {
            case '{':
            case '[':
                if (m_open.size() >= m_maxDepth)
                    return false;
                m_open.push_back(m_tape.size());
                m_tape.add(c == '{' ? JsonType::object : JsonType::array);
                ++m_at;
                if (next() == (c == '{' ? '}' : ']'))
                    return close();
                if (c == '{' && !key())
                    return false;
                break;
            case '"': return text(JsonType::string);
            case 't': return word("true", JsonType::boolean, 1);
            case 'f': return word("false", JsonType::boolean, 0);
            case 'n': return word("null", JsonType::null, 0);
            default: return integer();
            }
        }
    }

    bool key()
    {
        if (next() != '"' || !text(JsonType::key) || next() != ':')
            return false;
        ++m_at;
        return true;
    }

    bool text(JsonType type)
    {
        const char* const begin = ++m_at;
        while (m_at != m_end && *m_at >= ' ' && *m_at <= '~' && *m_at != '"' && *m_at != '\\')
            ++m_at;
        if (m_at == m_end || *m_at != '"')
            return false;
        m_tape.addText(type, {begin, static_cast<std::size_t>(m_at - begin)});
        ++m_at;
        return true;
    }

    bool word(std::string_view word, JsonType type, std::uint64_t payload)
    {
        if (!std::string_view(m_at, static_cast<std::size_t>(m_end - m_at)).starts_with(word))
            return false;
        m_at += word.size();
        m_tape.add(type, payload);
        return true;
    }

    bool integer()
    {
        const char* const begin = m_at;
        const char* const digits = begin != m_end && *begin == '-' ? begin + 1 : begin;
        std::int64_t number = 0;
        const auto [end, error] = std::from_chars(digits, digits + std::min(m_end - digits, kMaxDigits + 1), number);
        const bool isPlain = error == std::errc() && end - digits <= kMaxDigits && *digits != '-'
            && (*digits != '0' || (end - digits == 1 && digits == begin));
        if (!isPlain || (end != m_end && (*end == '.' || *end == 'e' || *end == 'E')))
            return false;
        m_at = end;
        m_tape.add(JsonType::integer, static_cast<std::uint64_t>(digits == begin ? number : -number));
        return true;
    }

    bool close()
    {
        ++m_at;
        m_tape.close(m_open.back());
        m_open.pop_back();
        return true;
    }

    JsonTape& m_tape;
    const char* m_at;
    const char* m_end;
    unsigned m_maxDepth;
    std::vector<std::size_t> m_open; ///< unclosed arrays and objects
};

/// Receives the events of nlohmann's parser; returning false stops it.
class JsonTapeFiller final : public nlohmann::json_sax<nlohmann::json> {
public:
    JsonTapeFiller(JsonTape& tape, unsigned maxDepth) : m_tape(tape), m_maxDepth(maxDepth) {}

    [[nodiscard]] const std::string& fault() const { return m_fault; }

    bool null() override { return add(JsonType::null, 0); }
    bool boolean(bool value) override { return add(JsonType::boolean, value ? 1 : 0); }
    bool number_integer(number_integer_t value) override { return add(JsonType::integer, static_cast<std::uint64_t>(value)); }
    bool number_unsigned(number_unsigned_t value) override
    {
        if (value > static_cast<number_unsigned_t>(std::numeric_limits<std::int64_t>::max()))
            return addText(JsonType::floating, std::to_string(value));
        return add(JsonType::integer, value);
    }
    bool number_float(number_float_t, const string_t& digits) override { return addText(JsonType::floating, digits); }
    bool string(string_t& text) override { return addText(JsonType::string, text); }
    bool binary(binary_t&) override { return false; }
    bool key(string_t& text) override { return addText(JsonType::key, text); }
    bool start_object(std::size_t) override { return open(JsonType::object); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t) override { return open(JsonType::array); }
    bool end_array() override { return close(); }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) override
    {
        const std::string_view what = error.what();
        if (what.find("UTF-8") != std::string_view::npos)
            m_fault = "is not valid UTF-8";
        else if (error.id == 406)
            m_fault = "holds a number out of range";
        else if (what.find("unexpected end of input") != std::string_view::npos)
            m_fault = "is not JSON: it is truncated";
        else
            m_fault = "is not JSON";
        m_fault += " (byte " + std::to_string(position) + ")";
        return false;
    }

private:
    bool add(JsonType type, std::uint64_t payload)
    {
        m_tape.add(type, payload);
        return true;
    }

    bool addText(JsonType type, const std::string& text)
    {
        m_tape.addText(type, text);
        return true;
    }

    bool open(JsonType type)
    {
        if (m_open.size() >= m_maxDepth) {
            m_fault = "is nested deeper than " + std::to_string(m_maxDepth) + " levels";
            return false;
        }
        m_open.push_back(m_tape.size());
        return add(type, 0);
    }

    bool close()
    {
        m_tape.close(m_open.back());
        m_open.pop_back();
        return true;
    }

    JsonTape& m_tape;
    unsigned m_maxDepth;
    std::vector<std::size_t> m_open;
    std::string m_fault;
};

Result<void> JsonTape::parse(std::string_view json, unsigned maxDepth)
{
    clear();
    if (PlainJson(*this, json, maxDepth).fill())
        return {};
    clear();
    JsonTapeFiller filler(*this, maxDepth);
    try {
        if (nlohmann::json::sax_parse(json.data(), json.data() + json.size(), &filler))
            return {};
    } catch (const nlohmann::json::exception& error) { // out of memory is not an error of the file
        return fail(ErrorCode::malformed, std::string("is not JSON: ") + error.what());
    }
    return fail(ErrorCode::malformed, filler.fault());
}

void JsonTape::clear()
{
    m_tokens.clear();
    m_text.clear();
}

void JsonTape::addText(JsonType type, std::string_view text)
{
    m_tokens.push_back({m_text.size(), static_cast<std::uint32_t>(text.size()), type});
    m_text += text;
}

void JsonTape::close(std::size_t open)
{
    add(JsonType::end);
    m_tokens[open].payload = m_tokens.size();
}

JsonType JsonValue::type() const
{
    return m_tape->m_tokens[m_at].type;
}
bool JsonValue::asBoolean() const
{
    return m_tape->m_tokens[m_at].payload != 0;
}
std::int64_t JsonValue::asInteger() const
{
    return static_cast<std::int64_t>(m_tape->m_tokens[m_at].payload);
}
std::string_view JsonValue::text() const
{
    return m_tape->textOf(m_tape->m_tokens[m_at]);
}

double JsonValue::asFloating() const
{
    const std::string_view digits = text();
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

bool JsonValue::isIntegerBeyondInt64() const
{
    return text().find_first_of(".eE") == std::string_view::npos;
}

std::size_t JsonValue::count() const
{
    std::size_t items = 0;
    for (JsonValue item = firstItem(); item; item = item.nextItem())
        ++items;
    return items;
}

std::uint32_t JsonValue::after() const
{
    const JsonTape::Token& token = m_tape->m_tokens[m_at];
    const bool nests = token.type == JsonType::array || token.type == JsonType::object;
    return nests ? static_cast<std::uint32_t>(token.payload) : m_at + 1;
}

JsonValue JsonValue::orAbsent(std::uint32_t at) const
{
    return m_tape->m_tokens[at].type == JsonType::end ? JsonValue() : JsonValue(m_tape, at);
}

JsonValue JsonValue::firstItem() const
{
    return orAbsent(m_at + 1);
}
JsonValue JsonValue::nextItem() const
{
    return orAbsent(after());
}
JsonValue JsonValue::memberValue() const
{
    return {m_tape, m_at + 1};
}
JsonValue JsonValue::nextMember() const
{
    return memberValue().nextItem();
}

JsonValue JsonValue::member(std::string_view name) const
{
    if (!*this || !is(JsonType::object))
        return {};
    for (JsonValue key = firstItem(); key; key = key.nextMember())
        if (key.text() == name)
            return key.memberValue();
    return {};
}

std::string JsonValue::raw() const
{
    std::string out;
    appendRaw(out);
    return out;
}

void JsonValue::appendRaw(std::string& out) const
{
    std::string closers; // closing brackets; the tape is flat, so no recursion is needed
    bool first = true;
    for (std::uint32_t at = m_at; at < after(); ++at) {
        const JsonValue token(m_tape, at);
        if (token.is(JsonType::end)) {
            out += closers.back();
            closers.pop_back();
            first = false;
            continue;
        }
        if (!first)
            out += ',';
        first = false;
        switch (token.type()) {
        case JsonType::null: out += "null"; break;
        case JsonType::boolean: out += token.asBoolean() ? "true" : "false"; break;
        case JsonType::integer: appendJsonInteger(out, token.asInteger()); break;
        case JsonType::floating: out += token.text(); break;
        case JsonType::string: appendJsonString(out, token.text()); break;
        case JsonType::key:
            appendJsonString(out, token.text());
            out += ':';
            first = true;
            break;
        case JsonType::array:
            out += '[';
            closers += ']';
            first = true;
            break;
        case JsonType::object:
            out += '{';
            closers += '}';
            first = true;
            break;
        case JsonType::end: break;
        }
    }
}

} // namespace sunder
