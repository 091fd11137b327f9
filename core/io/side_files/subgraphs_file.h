#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sunder {

/// One entry of the SUBGRAPHS.json of `docs/command-line.md`: {"is_acc":true,"nodes":["x","y"]}.
struct NamedSubgraph {
    bool isAcc = false;
    std::vector<InternedString> nodes;
};

/// Reads a subgraphs file of at most 256 MB. Rejected, naming file and position: entries without one of the two keys, unknown
/// keys other than `note`, values of the wrong type. Linear.
Result<std::vector<NamedSubgraph>> readSubgraphsFile(const std::string& path);

/// The same for a text in memory; errors name `nameForMessages`.
Result<std::vector<NamedSubgraph>> parseSubgraphsFile(std::string_view text, const std::string& nameForMessages);

/// Writes a subgraphs file, one subgraph per line. The file is replaced atomically.
Result<void> writeSubgraphsFile(const std::vector<NamedSubgraph>& subgraphs, const std::string& path);

} // namespace sunder
