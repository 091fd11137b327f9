#include "document/snapshot.h"

namespace sunder {

Snapshot::Snapshot(Program read)
    : program(std::move(read)), sizes(programSizes(program)), memory(memoryTable(program.tensors)),
      reads(program, memory), names(program.rootGraph()), positions(program.rootGraph().positions())
{
    const Graph& root = graph();
    calls.assign(root.idBound(), 0);
    for (const NodeId id : root.nodes())
        if (root[id].isCall()) {
            calls[id.index()] = 1;
            ++callCount;
        }
}

} // namespace sunder
