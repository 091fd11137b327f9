#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// Options of `tag` that change the list of tags: --rename, --merge, --order.
void declareTagEdits(QCommandLineParser& parser);
/// Whether one of them is given, and `tag` so changes tags in place of making some.
bool editsTags(const Invocation& invocation);
/// The tags of --tags, or of the nodes, with what the options say, in this order: names, then merges, then the order. Written to -o,
/// colours kept under the names that tags have then.
Result<Outcome> runTagEdits(const Invocation& invocation);

} // namespace sunder::cli
