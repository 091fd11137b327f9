#pragma once

#include "cli/command.h"
#include "ir/program.h"

namespace sunder::cli {

/// Options of `tag` that change the list of tags of a tags file: --tags, --rename, --merge, --order.
void declareTagEdits(QCommandLineParser& parser);
/// Whether one of them is given, and `tag` so changes tags in place of making some.
bool editsTags(const Invocation& invocation);
/// The tags of --tags, or of the nodes, with what the options say, in this order: names, then merges, then the order. Written to -o,
/// colours kept under the names that tags have then.
Result<Outcome> runTagEdits(const Invocation& invocation);

/// Says nodes and bytes of each tag, and notes them under this key.
void describeTags(const Program& program, const TagAssignment& tags, const QString& key, Outcome& outcome);

} // namespace sunder::cli
