#pragma once

#include "support/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sunder {

class JsonTape;

enum class JsonType : std::uint8_t { null, boolean, integer, floating, string, array, object, key, end };

/// A value on a JsonTape; default constructed it stands for "absent". Valid until the tape is parsed anew.
class JsonValue {
public:
    JsonValue() = default;
    JsonValue(const JsonTape* tape, std::uint32_t at) : m_tape(tape), m_at(at) {}

    explicit operator bool() const { return m_tape != nullptr; }
    [[nodiscard]] JsonType type() const;
    [[nodiscard]] bool is(JsonType wanted) const { return type() == wanted; }

    // Each accessor may be called for its own type only.
    [[nodiscard]] bool asBoolean() const;
    [[nodiscard]] std::int64_t asInteger() const;
    [[nodiscard]] double asFloating() const;
    /// True for a number without point and exponent that does not fit int64; its type is floating.
    [[nodiscard]] bool isIntegerBeyondInt64() const;
    /// Text of a string; the digits, as they stood, of a floating.
    [[nodiscard]] std::string_view text() const;
    /// Number of items of an array. O(items).
    [[nodiscard]] std::size_t count() const;

    /// The value as JSON without white space; floats with the digits they had.
    void appendRaw(std::string& out) const;
    [[nodiscard]] std::string raw() const;

    /// Items of an array: `for (JsonValue item = v.firstItem(); item; item = item.nextItem())`.
    [[nodiscard]] JsonValue firstItem() const;
    [[nodiscard]] JsonValue nextItem() const;
    /// Members of an object: firstItem() is the first key; its text() is the name, memberValue() the value and
    /// nextMember() the following key.
    [[nodiscard]] JsonValue memberValue() const;
    [[nodiscard]] JsonValue nextMember() const;
    /// The value of the first member with this name; absent if there is none, or if this is no object. O(members).
    [[nodiscard]] JsonValue member(std::string_view name) const;

private:
    [[nodiscard]] std::uint32_t after() const;
    [[nodiscard]] JsonValue orAbsent(std::uint32_t at) const;

    const JsonTape* m_tape = nullptr;
    std::uint32_t m_at = 0;
};

/// One JSON text as a flat list of tokens, in memory that is reused for the next text: reading a million lines allocates no
/// trees. Plain texts are parsed in one pass; all others, and malformed ones, by nlohmann's SAX parser.
class JsonTape {
public:
    /// Parses one text. Malformed when it is not JSON, not UTF-8 or nested deeper than `maxDepth`; the message says
    /// where. The old content is gone either way.
    Result<void> parse(std::string_view json, unsigned maxDepth);
    [[nodiscard]] JsonValue root() const { return {this, 0}; }

    // Filling token by token, for a parser that cuts a large document into records.
    void clear();
    [[nodiscard]] std::size_t size() const { return m_tokens.size(); }
    /// A null, boolean, integer, or the beginning of an array or object.
    void add(JsonType type, std::uint64_t payload = 0) { m_tokens.push_back({payload, 0, type}); }
    /// A string, a key, or a floating by its digits.
    void addText(JsonType type, std::string_view text);
    /// Ends the array or object that began when size() was `open`.
    void close(std::size_t open);

private:
    friend class JsonValue;
    friend class JsonTapeFiller;
    friend class PlainJson;

    struct Token {
        std::uint64_t payload; ///< the value; place of the text; index behind the end of an array or object
        std::uint32_t length;  ///< of the text
        JsonType type;
    };

    [[nodiscard]] std::string_view textOf(const Token& token) const
    {
        return std::string_view(m_text).substr(token.payload, token.length);
    }

    std::vector<Token> m_tokens;
    std::string m_text; ///< strings, keys and digits, one behind the other
};

} // namespace sunder
