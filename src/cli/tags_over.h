#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// Runs `tag NEW --from OLD`: transfers the tags of another export to matching ops.
Result<Outcome> runTagsOver(const Invocation& invocation);
/// Writes the identities of the ops of IN, for use after the export has been replaced.
Result<Outcome> runIdentity(const Invocation& invocation);

} // namespace sunder::cli
