#pragma once

#include "support/json_parser.h"
#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

class JsonTape;

/// A value on a JsonTape. Default-constructed: absent. Valid until the tape is parsed again.
class JsonValue {
public:
    JsonValue() = default;
    JsonValue(const JsonTape* tape, std::uint32_t at) : m_tape(tape), m_at(at) {}

    explicit operator bool() const { return m_tape != nullptr; }
    [[nodiscard]] JsonType type() const;
    /// False if the value is absent.
    [[nodiscard]] bool is(JsonType wanted) const { return m_tape != nullptr && type() == wanted; }

    // Each accessor requires a value of its type.
    [[nodiscard]] bool asBoolean() const;
    [[nodiscard]] std::int64_t asInteger() const;
    [[nodiscard]] double asFloating() const;
    /// True for a number without fraction and exponent that does not fit int64; its type is floating.
    [[nodiscard]] bool isIntegerBeyondInt64() const;
    /// Text of a string, or the original digits of a floating.
    [[nodiscard]] std::string_view text() const;
    /// Number of items of an array. O(items).
    [[nodiscard]] std::size_t count() const;

    // The value, or `other` if it is absent or of another type: for choices in a file that are not worth a message.
    [[nodiscard]] int intOr(int other) const;
    [[nodiscard]] double numberOr(double other) const;
    [[nodiscard]] std::string_view textOr(std::string_view other) const;
    /// False if the value is absent or of another type.
    [[nodiscard]] bool isTrue() const;

    /// The value as JSON without white space; floats keep their digits.
    void appendRaw(std::string& out) const;
    [[nodiscard]] std::string raw() const;

    /// Iterates over an array: `for (JsonValue item = v.firstItem(); item; item = item.nextItem())`. Absent for a value without
    /// items, or an absent one.
    [[nodiscard]] JsonValue firstItem() const;
    [[nodiscard]] JsonValue nextItem() const;
    /// Iterates over an object: firstItem() is the first key. text() of a key is the name, memberValue() the value, and
    /// nextMember() the next key.
    [[nodiscard]] JsonValue memberValue() const;
    [[nodiscard]] JsonValue nextMember() const;
    /// The value of the first member with this name; absent if there is none, or if the value is not an object. O(members).
    [[nodiscard]] JsonValue member(std::string_view name) const;

private:
    [[nodiscard]] bool nests() const { return is(JsonType::array) || is(JsonType::object); }
    [[nodiscard]] std::uint32_t after() const;
    [[nodiscard]] JsonValue orAbsent(std::uint32_t at) const;

    const JsonTape* m_tape = nullptr;
    std::uint32_t m_at = 0;
};

/// A JSON text as a flat list of tokens. The memory is reused for the next text, so that reading a million lines allocates no
/// trees.
class JsonTape {
public:
    /// Parses one text and replaces the old content. Malformed if it is not JSON, not UTF-8, or nested deeper than `maxDepth`; the
    /// message names the position, and the tape holds the text up to there.
    Result<void> parse(std::string_view json, unsigned maxDepth);
    /// The same for a text of Python's json module; see readJsonOfPython().
    Result<void> parseOfPython(std::string_view text, unsigned maxDepth);
    [[nodiscard]] JsonValue root() const { return {this, 0}; }

    // Fills the tape token by token, for a parser that cuts a large document into records.
    void clear();
    [[nodiscard]] std::size_t size() const { return m_tokens.size(); }
    /// Adds a null, boolean, integer, or the start of an array or object.
    void add(JsonType type, std::uint64_t payload = 0) { m_tokens.push_back({payload, 0, type}); }
    /// Adds a string, a key, or a floating as digits.
    void addText(JsonType type, std::string_view text);
    /// Ends the array or object that started when size() was `open`.
    void close(std::size_t open);

private:
    friend class JsonValue;

    struct Token {
        std::uint64_t payload; ///< value, offset of the text, or index after the end of an array or object
        std::uint32_t length; ///< of the text
        JsonType type;
    };

    [[nodiscard]] std::string_view textOf(const Token& token) const
    {
        return std::string_view(m_text).substr(token.payload, token.length);
    }

    std::vector<Token> m_tokens;
    std::string m_text; ///< all strings, keys, and digits
};

} // namespace sunder
