#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace sunder {

enum class JsonType : std::uint8_t { null, boolean, integer, floating, string, array, object, key, end };

/// Receives the tokens of a JSON text. A function that returns false stops the parser.
class JsonSink {
public:
    virtual ~JsonSink() = default;

    /// null, a boolean, or an integer of 64 bits.
    virtual bool scalar(JsonType type, std::uint64_t payload) = 0;
    /// A string without its escapes, or another number with its digits.
    virtual bool text(JsonType type, std::string_view text) = 0;
    virtual bool key(std::string_view key) = 0;
    /// The start of an array or object.
    virtual bool begin(JsonType type) = 0;
    virtual bool end() = 0;
};

/// The reason why a text is not JSON.
struct JsonFault {
    enum class Kind : std::uint8_t { syntax, truncated, notUtf8, numberRange, tooDeep };
    Kind kind = Kind::syntax;
    std::uint64_t byte = 0; ///< number of the first wrong byte; one beyond the end if the text is truncated
    unsigned maxDepth = 0;  ///< the limit, if the text is too deep
};

/// Returns e.g. "is not JSON: it is truncated (byte 17)".
std::string describe(const JsonFault& fault);

/// Reads JSON (RFC 8259) with nlohmann's parser, without recursion, and passes its tokens to `sink`. `next` returns the next piece of
/// the text, which stays valid until the following call, and an empty one at the end. Returns a fault of the text, e.g. more than
/// `maxDepth` nested arrays and objects; nothing if all of it was read or the sink has stopped. O(length).
std::optional<JsonFault> readJson(const std::function<std::string_view()>& next, unsigned maxDepth, JsonSink& sink);

/// Reads a text that Python's json module wrote: numbers that are not finite as null, and half of a surrogate pair as the text of its
/// escape. Otherwise as readJson().
std::optional<JsonFault> readJsonOfPython(std::string_view text, unsigned maxDepth, JsonSink& sink);

} // namespace sunder
