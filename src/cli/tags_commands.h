#pragma once

#include "cli/command.h"

namespace sunder::cli {

/// Edits of a tag list, applied in this order.
struct TagEdits {
    std::vector<std::string> renames = {}; ///< "A=B": tag A becomes B
    std::vector<std::string> merges = {};  ///< "A,B": nodes of tag A get tag B
    std::vector<std::string> orders = {};  ///< "A,B,…", all tags, or "topological"
    std::string spelling;                  ///< of the edits in errors: "tags " for "tags merge"
};

/// Edits the tags of --tags, or of the nodes, and writes them to -o. Colors follow renamed tags.
Result<Outcome> runTagEdits(const Invocation& invocation, const TagEdits& edits);

} // namespace sunder::cli
