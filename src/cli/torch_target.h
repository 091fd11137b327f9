#pragma once

#include "cli/command.h"
#include "io/pt2/pt2_schema.h"

#include <optional>

namespace sunder::cli {

/// Adds --target-torch, for commands that write .pt2.
void declareTorchTarget(QCommandLineParser& parser);

/// Parses the PyTorch release to write for; nothing if the option is missing. ErrorCode::usage for an unknown release.
Result<std::optional<Pt2Schema>> torchTargetOf(const Invocation& invocation);

} // namespace sunder::cli
