#include "export/text_file.h"

#include "export/checked_file.h"
#include "io/json/json_tape.h"
#include "support/file.h"

namespace sunder {
namespace {

constexpr unsigned kMaxDepth = 256;

Result<void> checkText(const QString& path, std::string_view text)
{
    SUNDER_TRY(const std::string back, readFile(path.toStdString(), text.size() + 1));
    return back == text ? Result<void>() : Result<void>(fail(ErrorCode::io, "the file differs from the text that was written"));
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
    SUNDER_PROPAGATE(tape.parse(json, kMaxDepth));
    return writeTextChecked(path, json);
}

} // namespace sunder
