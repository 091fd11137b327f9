#include "export/text_file.h"

#include "export/checked_file.h"
#include "io/json/json_tape.h"
#include "support/file.h"

namespace sunder {
namespace {

constexpr unsigned kMaxDepth = 256;

Result<void> checkText(const QString& path, std::string_view text)
{
    const Result<std::string> back = readFile(path.toStdString(), text.size() + 1);
    if (!back)
        return forward(back);
    return *back == text ? Result<void>() : Result<void>(fail(ErrorCode::io, "the file differs from the text that was written"));
}

} // namespace

Result<void> writeTextChecked(const QString& path, std::string_view text)
{
    return writeChecked(
        path, [&](const QString& at) { return writeFileAtomically(at.toStdString(), text); },
        [&](const QString& at) { return checkText(at, text); });
}

Result<void> writeJsonChecked(const QString& path, std::string_view json)
{
    JsonTape tape;
    if (const Result<void> parsed = tape.parse(json, kMaxDepth); !parsed)
        return parsed;
    return writeTextChecked(path, json);
}

} // namespace sunder
