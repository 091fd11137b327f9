#include "io/json/json_file.h"

#include <cmath>

namespace sunder {

Result<void> JsonFile::parse(JsonTape& tape, std::string_view text, unsigned maxDepth) const
{
    if (const Result<void> parsed = tape.parse(text, maxDepth); !parsed)
        return wrong(parsed.error().message, "");
    return {};
}

tl::unexpected<Error> JsonFile::wrong(std::string_view what, std::string_view member) const
{
    return fail(ErrorCode::malformed, std::string("the ").append(m_kind).append(" ").append(what),
                {.file = m_path, .member = std::string(member)});
}

std::optional<double> numberIn(JsonValue value)
{
    if (value.is(JsonType::integer))
        return static_cast<double>(value.asInteger());
    if (value.is(JsonType::floating) && std::isfinite(value.asFloating()))
        return value.asFloating();
    return std::nullopt;
}

} // namespace sunder
