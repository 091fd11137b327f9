#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// MOVES.json (`docs/command-line.md`): nodes that moved from one subgraph to another, and nodes that stay at a boundary, with
/// reasons. Subgraphs are named by their tags, else "subgraph 0".
struct MovesFile {
    struct Moved {
        InternedString node;
        std::string from;
        std::string to;
    };
    struct Staying {
        InternedString node;
        std::string in;
        std::string reason; ///< "third-subgraph"
        std::string why;    ///< a sentence
    };
    std::vector<Moved> moved;
    std::vector<Staying> staying;
};

/// Returns the text of the file, one node per line.
std::string movesJson(const MovesFile& moves);

/// Writes the file, which is replaced atomically.
Result<void> writeMovesFile(const MovesFile& moves, const std::string& path);

} // namespace sunder
