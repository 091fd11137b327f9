#pragma once

#include "cli/command.h"
#include "ir/program.h"

#include <QJsonObject>
#include <QJsonValue>

#include <string>
#include <string_view>

namespace sunder::cli {

/// Reads the model at `path`, by its content, or that of a project (PROJECT.sunder) with its tags; booked as "read".
/// `modelOption` names the option that selects the program of an archive; the default is --model.
Result<Program> readInput(const Invocation& invocation, const std::string& path, const char* modelOption = "model");

/// Writes fx-json, plain or gzipped by suffix, booked as "write".
Result<void> writeOutput(const Invocation& invocation, const Program& program, const std::string& path);

/// Where the tags of a model go that is written for Model Explorer: OUT.tags.json beside OUT.json.
std::string tagsPathFor(const std::string& path);

/// Puts notes into the outcome, for people as warnings.
void addNotes(const std::vector<std::string>& notes, Outcome& outcome);

/// True when the path ends in one of the suffixes, in any case.
bool hasSuffix(std::string_view path, std::initializer_list<std::string_view> suffixes);

/// Path of the running program.
QString programPath();

inline QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

} // namespace sunder::cli
