#pragma once

#include "cli/command.h"
#include "ir/program.h"

#include <QString>

#include <string>
#include <string_view>

namespace sunder::cli {

/// Reads the model at `path` (the format is detected from its content), or the model of a project (PROJECT.sunder) with its tags;
/// timed as "read". `modelOption` names the option that selects the program of an archive; the default is --model.
Result<Program> readInput(const Invocation& invocation, const std::string& path, const char* modelOption = "model");

/// Writes fx-json, plain or gzipped according to the suffix; timed as "write".
Result<void> writeOutput(const Invocation& invocation, const Program& program, const std::string& path);

/// Returns the tags file written for Model Explorer next to OUT.json: OUT.tags.json.
std::string tagsPathFor(const std::string& path);

/// Returns whether the path ends with one of the suffixes, ignoring case.
bool hasSuffix(std::string_view path, std::initializer_list<std::string_view> suffixes);

/// Returns the path of the running program.
QString programPath();

inline QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace sunder::cli
