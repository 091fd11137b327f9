#pragma once

#include "support/json_tape.h"
#include "support/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace sunder {

/// A JSON file in messages. Its readers derive from it.
class JsonFile {
public:
    /// `kind`: "tags file". Both must outlive it.
    JsonFile(std::string_view kind, const std::string& path) : m_kind(kind), m_path(path) {}

    /// Parses the text of the file, up to a depth. Malformed if it is not JSON: "the tags file is not JSON (byte 7)".
    Result<void> parse(JsonTape& tape, std::string_view text, unsigned maxDepth) const;
    /// Returns ErrorCode::malformed with the file and the member: "the tags file must have a list".
    [[nodiscard]] tl::unexpected<Error> wrong(std::string_view what, std::string_view member) const;
    [[nodiscard]] const std::string& path() const { return m_path; }

private:
    std::string_view m_kind;
    const std::string& m_path;
};

/// Returns a finite number; nothing for anything else.
std::optional<double> numberIn(JsonValue value);

} // namespace sunder
