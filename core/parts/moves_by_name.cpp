#include "parts/moves_by_name.h"

namespace sunder {

MovesFile movesByName(const Graph& graph, const MoveNonTensorResult& result)
{
    const auto nameOf = [&](std::uint32_t at) {
        const std::string& given = result.subgraphs[at].name;
        return given.empty() ? "subgraph " + std::to_string(at) : given;
    };
    MovesFile file;
    for (const MovedNonTensor& move : result.moved)
        file.moved.push_back({graph[move.node].name, nameOf(move.from), nameOf(move.to)});
    for (const StayingNode& stay : result.staying)
        file.staying.push_back({graph[stay.node].name, nameOf(stay.subgraph), std::string(name(stay.reason)), stay.why});
    return file;
}

} // namespace sunder
