#include "document/snapshot.h"

#include <algorithm>

namespace sunder {

Snapshot::Snapshot(Program read)
    : program(std::move(read)), sizes(programSizes(program)), memory(memoryTable(program.tensors)),
      reads(program, memory), names(program.rootGraph()), positions(program.rootGraph().positions())
{
    const Graph& root = graph();
    const auto nodes = root.nodes();
    callCount = static_cast<std::size_t>(
        std::count_if(nodes.begin(), nodes.end(), [&](NodeId id) { return root[id].isCall(); }));
}

} // namespace sunder
