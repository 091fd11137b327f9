#include "support/json_tape.h"

#include "support/json_parser.h"
#include "support/json_text.h"

#include <charconv>
#include <utility>

namespace sunder {

namespace {

/// Fills a tape.
class TapeFiller final : public JsonSink {
public:
    explicit TapeFiller(JsonTape& tape) : m_tape(tape) {}

    bool scalar(JsonType type, std::uint64_t payload) override
    {
        m_tape.add(type, payload);
        return true;
    }
    bool text(JsonType type, std::string_view text) override
    {
        m_tape.addText(type, text);
        return true;
    }
    bool key(std::string_view key) override { return text(JsonType::key, key); }
    bool begin(JsonType type) override
    {
        m_open.push_back(m_tape.size());
        m_tape.add(type);
        return true;
    }
    bool end() override
    {
        m_tape.close(m_open.back());
        m_open.pop_back();
        return true;
    }

    /// Completes the tape of a damaged text.
    Result<void> done(const std::optional<JsonFault>& fault)
    {
        if (!fault)
            return {};
        if (m_tape.size() == 0 || JsonValue(&m_tape, static_cast<std::uint32_t>(m_tape.size() - 1)).is(JsonType::key))
            m_tape.add(JsonType::null);
        while (!m_open.empty())
            end();
        return fail(ErrorCode::malformed, describe(*fault));
    }

private:
    JsonTape& m_tape;
    std::vector<std::size_t> m_open; ///< unclosed arrays and objects
};

} // namespace

Result<void> JsonTape::parse(std::string_view json, unsigned maxDepth)
{
    clear();
    TapeFiller filler(*this);
    return filler.done(readJson([&json] { return std::exchange(json, std::string_view()); }, maxDepth, filler));
}

Result<void> JsonTape::parseOfPython(std::string_view text, unsigned maxDepth)
{
    clear();
    TapeFiller filler(*this);
    return filler.done(readJsonOfPython(text, maxDepth, filler));
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

int JsonValue::intOr(int other) const
{
    return is(JsonType::integer) && std::in_range<int>(asInteger()) ? static_cast<int>(asInteger()) : other;
}
double JsonValue::numberOr(double other) const
{
    if (is(JsonType::integer))
        return static_cast<double>(asInteger());
    return is(JsonType::floating) ? asFloating() : other;
}
std::string_view JsonValue::textOr(std::string_view other) const
{
    return is(JsonType::string) ? text() : other;
}
bool JsonValue::isTrue() const
{
    return is(JsonType::boolean) && asBoolean();
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
    return nests() ? static_cast<std::uint32_t>(m_tape->m_tokens[m_at].payload) : m_at + 1;
}

JsonValue JsonValue::orAbsent(std::uint32_t at) const
{
    return m_tape->m_tokens[at].type == JsonType::end ? JsonValue() : JsonValue(m_tape, at);
}

JsonValue JsonValue::firstItem() const
{
    return nests() ? orAbsent(m_at + 1) : JsonValue();
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
    if (!is(JsonType::object))
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
