#pragma once

#include "cli/command.h"
#include "io/pt2/pt2_schema.h"

#include <optional>

namespace sunder::cli {

/// The option --target-torch of commands that write .pt2.
void declareTorchTarget(QCommandLineParser& parser);

/// The release of PyTorch that is to read what is written; nothing where none is named. ErrorCode::usage for what is none.
Result<std::optional<Pt2Schema>> torchTargetOf(const Invocation& invocation);

} // namespace sunder::cli
