#include "io/side_files/manifest_files.h"

#include "support/file.h"
#include "support/json_tape.h"

#include <filesystem>

namespace sunder {
namespace {

constexpr std::uint64_t kMaxManifestBytes = 256ULL << 20U;
constexpr unsigned kMaxManifestDepth = 256;

JsonValue memberOf(JsonValue object, std::string_view name, JsonType type)
{
    if (object && object.is(JsonType::object))
        for (JsonValue key = object.firstItem(); key; key = key.nextMember())
            if (key.text() == name && key.memberValue().is(type))
                return key.memberValue();
    return {};
}

bool isFileName(std::string_view text)
{
    return !text.empty() && text != "." && text != ".." && text.find('/') == std::string_view::npos
        && text.find('\0') == std::string_view::npos && text.find('\n') == std::string_view::npos
        && (text.ends_with(".pt2") || text.ends_with(".fxj") || text.ends_with(".weights.zip")); // parts have no other suffix
}

} // namespace

std::vector<std::string> filesOfManifest(const std::string& path)
{
    const Result<std::string> text = readFile(path, kMaxManifestBytes);
    JsonTape tape;
    if (!text || !tape.parse(*text, kMaxManifestDepth))
        return {};
    const JsonValue format = memberOf(tape.root(), "format", JsonType::string);
    const JsonValue parts = memberOf(tape.root(), "parts", JsonType::array);
    if (!format || format.text() != "sunder-parts" || !parts)
        return {};
    std::vector<std::string> files = {std::filesystem::path(path).filename().string()};
    for (JsonValue part = parts.firstItem(); part; part = part.nextItem())
        for (const JsonValue named : {part, memberOf(part, "weights", JsonType::object)})
            if (const JsonValue file = memberOf(named, "file", JsonType::string); file && isFileName(file.text()))
                files.emplace_back(file.text());
    if (const JsonValue runner = memberOf(tape.root(), "runner", JsonType::string); runner && runner.text() == "run.py")
        files.emplace_back(runner.text()); // runners have no other name
    return files;
}

} // namespace sunder
