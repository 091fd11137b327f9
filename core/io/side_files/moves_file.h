#pragma once

#include "support/interned_string.h"
#include "support/result.h"

#include <string>
#include <vector>

namespace sunder {

/// MOVES.json, `docs/command-line.md`: what moved from one subgraph to another, and what stays on a border for what reason.
/// Subgraphs are called by their tags, else "subgraph 0".
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

/// The file's text: a node a line.
std::string movesJson(const MovesFile& moves);

/// Writes it; the file appears whole or not at all.
Result<void> writeMovesFile(const MovesFile& moves, const std::string& path);

} // namespace sunder
