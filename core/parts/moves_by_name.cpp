#include "parts/moves_by_name.h"

namespace sunder {

MovesFile movesByName(const Graph& graph, const MoveNonTensorResult& result)
{
    MovesFile file;
    for (const MovedNonTensor& move : result.moved)
        file.moved.push_back({graph[move.node].name, result.nameOf(move.from), result.nameOf(move.to)});
    for (const StayingNode& stay : result.staying)
        file.staying.push_back({graph[stay.node].name, result.nameOf(stay.subgraph), std::string(name(stay.reason)), stay.why});
    return file;
}

} // namespace sunder
