#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// `tag NEW --from OLD`: the tags of another export of the model, taken over by what its ops are.
Result<Outcome> runTagsOver(const Invocation& invocation);
/// What the ops of IN are, written before the export is replaced.
Result<Outcome> runIdentity(const Invocation& invocation);

} // namespace sunder::cli
