#pragma once

#include "cli/command.h"

#include <QJsonObject>

namespace sunder::cli {

/// --torch and its related options.
std::span<const CommandOption> torchRunOptions();

/// Runs A and B in PyTorch (packaging/python/sunder/witness) in a process of the Python that --torch names. Returns `said`, the
/// JSON of the verdict, extended by the results; timed as "run". A witness becomes an output of the command. The process ends
/// with this one, and at most 300 s after the limit of --seconds. If it is stopped or crashes, the verdict is kept, with a note.
/// Returns ErrorCode::io if the process cannot be started or lacks PyTorch or the package sunder, and errors about the file of
/// --replay.
Result<QJsonObject> runInTorch(const Invocation& invocation, QJsonObject said);

} // namespace sunder::cli
