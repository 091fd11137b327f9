#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// `tag NEW --from OLD`: the tags of another export of the model, taken over by what its ops are.
Result<Outcome> runTagsOver(const Invocation& invocation);

} // namespace sunder::cli
