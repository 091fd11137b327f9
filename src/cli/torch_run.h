#pragma once

#include "cli/command.h"

#include <QJsonObject>

namespace sunder::cli {

/// Adds --torch and the options that go with it.
void declareTorchRun(QCommandLineParser& parser);

/// Checks that options which need --torch come with it. ErrorCode::usage.
Result<void> checkTorchRun(const Invocation& invocation);

/// Runs A and B in PyTorch (packaging/python/sunder/witness), in a process of the Python that --torch names, and returns `said`, the
/// JSON of the verdict, with what the run adds; booked as "run". A witness becomes an output of the command. The process ends with
/// this one, and at the latest 300 s after the time limit of --seconds: then, as where it crashes, the verdict stays, with a note.
/// ErrorCode::io if the process cannot be started or lacks PyTorch or the package sunder; errors about the file of --replay.
Result<QJsonObject> runInTorch(const Invocation& invocation, QJsonObject said);

} // namespace sunder::cli
