#pragma once

#include "cli/command.h"
#include "io/pt2/pt2_schema.h"

#include <optional>

namespace sunder::cli {

/// An option of commands that write .pt2.
inline constexpr CommandOption kTorchTarget{Takes::text, "target-torch", "VERSION",
                                            "Release of PyTorch that loads the written .pt2, 2.5 or later. Default: that of IN."};

/// Parses the PyTorch release to write for; nothing if the option is missing. ErrorCode::usage for an unknown release.
Result<std::optional<Pt2Schema>> torchTargetOf(const Invocation& invocation);

} // namespace sunder::cli
